// SPDX-License-Identifier: GPL-2.0
/*
 * Event messages (objects.md section 12): PCF on the event queues.
 *
 * What a queue notices under its lock (watch.c) is sent here, with none held;
 * other events are those of calls that fail. An event goes to its queue at once,
 * whatever becomes of the unit of work (U-GEN-4), and nothing fails if the queue
 * does not take it.
 */
#include <linux/build_bug.h>
#include <linux/string.h>
#include "call.h"
#include "context.h"
#include "event.h"
#include "mqi.h"
#include "post.h"
#include "qmgr.h"
#include "queue.h"
#include "resolve.h"
#include "uow.h"

#define KMQ_PCF_MAX	512

/* MQCFH (O-EVT-6) */
struct kmq_cfh {
	s32 type;
	s32 struc_length;
	s32 version;
	s32 command;
	s32 msg_seq_number;
	s32 control;
	s32 comp_code;
	s32 reason;
	s32 parameter_count;
};

/* MQCFIN */
struct kmq_cfin {
	s32 type;
	s32 struc_length;
	s32 parameter;
	s32 value;
};

/* MQCFST; the text follows. */
struct kmq_cfst {
	s32 type;
	s32 struc_length;
	s32 parameter;
	s32 ccsid;
	s32 string_length;
};

/**
 * struct kmq_pcf - a PCF message that is being made
 * @ccsid: of its texts
 * @length: bytes at @data
 * @cfh: header, the beginning of @data
 * @data: the message
 */
struct kmq_pcf {
	s32 ccsid;
	u32 length;
	union {
		struct kmq_cfh cfh;
		u8 data[KMQ_PCF_MAX];
	};
};

static void kmq_pcf_begin(struct kmq_pcf *pcf, const struct kmq_qmgr *qmgr,
			  s32 command, u32 reason)
{
	BUILD_BUG_ON(sizeof(struct kmq_cfh) != 36);
	BUILD_BUG_ON(sizeof(struct kmq_cfin) != 16);
	BUILD_BUG_ON(sizeof(struct kmq_cfst) != 20);
	pcf->ccsid = READ_ONCE(qmgr->attrs.coded_char_set_id);
	pcf->length = sizeof(pcf->cfh);
	pcf->cfh = (struct kmq_cfh){
		.type = MQCFT_EVENT,
		.struc_length = sizeof(pcf->cfh),
		.version = 1,
		.command = command,
		.msg_seq_number = 1,
		.control = MQCFC_LAST,
		.comp_code = MQCC_WARNING,
		.reason = reason,
	};
}

/* Room for another parameter; all of them together have a known size. */
static void *kmq_pcf_room(struct kmq_pcf *pcf, u32 length)
{
	void *at = pcf->data + pcf->length;

	if (WARN_ON_ONCE(pcf->length + length > sizeof(pcf->data)))
		return NULL;
	pcf->length += length;
	pcf->cfh.parameter_count++;
	return at;
}

static void kmq_pcf_number(struct kmq_pcf *pcf, s32 parameter, s32 value)
{
	struct kmq_cfin *cfin = kmq_pcf_room(pcf, sizeof(*cfin));

	if (cfin)
		*cfin = (struct kmq_cfin){
			.type = MQCFT_INTEGER,
			.struc_length = sizeof(*cfin),
			.parameter = parameter,
			.value = value,
		};
}

/* @length is a multiple of 4, as lengths of structures are. */
static void kmq_pcf_text(struct kmq_pcf *pcf, s32 parameter, const u8 *text,
			 u32 length)
{
	struct kmq_cfst *cfst = kmq_pcf_room(pcf, sizeof(*cfst) + length);

	if (!cfst)
		return;
	*cfst = (struct kmq_cfst){
		.type = MQCFT_STRING,
		.struc_length = sizeof(*cfst) + length,
		.parameter = parameter,
		.ccsid = pcf->ccsid,
		.string_length = length,
	};
	memcpy(cfst + 1, text, length);
}

static void kmq_event_post(struct kmq_qmgr *qmgr, const char *q,
			   const struct kmq_pcf *pcf)
{
	u8 name[KMQ_NAME_LEN] = {};
	struct kmq_post_to to = {
		.q = name, .qmgr = qmgr->name, .quiet = true,
	};
	struct kmq_unit unit;
	struct kmq_msg *msg;

	memcpy(name, q, strlen(q));
	kmq_name_pad(name, KMQ_NAME_LEN);
	msg = kmq_post_make(qmgr, pcf->length, "MQEVENT ");
	if (!msg)
		return;
	memcpy(msg->data, pcf->data, pcf->length);
	kmq_uow_init(&unit);
	if (kmq_post(qmgr, &to, msg, &unit))
		kmq_msg_free(msg);
	kmq_uow_commit(&unit);
}

static void kmq_event_post_perfm(struct kmq_queue *queue,
				 const struct kmq_notice *notice)
{
	static const u32 reasons[] = {
		[KMQ_NOTICE_DEPTH_HIGH] = MQRC_Q_DEPTH_HIGH,
		[KMQ_NOTICE_DEPTH_LOW] = MQRC_Q_DEPTH_LOW,
		[KMQ_NOTICE_FULL] = MQRC_Q_FULL,
		[KMQ_NOTICE_SERVICE_HIGH] = MQRC_Q_SERVICE_INTERVAL_HIGH,
		[KMQ_NOTICE_SERVICE_OK] = MQRC_Q_SERVICE_INTERVAL_OK,
	};
	struct kmq_qmgr *qmgr = queue->qmgr;
	struct kmq_pcf pcf;

	kmq_pcf_begin(&pcf, qmgr, MQCMD_PERFM_EVENT, reasons[notice->kind]);
	kmq_pcf_text(&pcf, MQCA_Q_MGR_NAME, qmgr->name, KMQ_NAME_LEN);
	kmq_pcf_text(&pcf, MQCA_BASE_OBJECT_NAME, queue->name, KMQ_NAME_LEN);
	kmq_pcf_number(&pcf, MQIA_TIME_SINCE_RESET, notice->seconds);
	kmq_pcf_number(&pcf, MQIA_HIGH_Q_DEPTH, notice->high_depth);
	kmq_pcf_number(&pcf, MQIA_MSG_ENQ_COUNT, notice->puts);
	kmq_pcf_number(&pcf, MQIA_MSG_DEQ_COUNT, notice->gets);
	kmq_event_post(qmgr, "SYSTEM.ADMIN.PERFM.EVENT", &pcf);
}

/**
 * kmq_event_send - send the performance events that a queue has noticed
 * @queue: queue, none locked
 */
void kmq_event_send(struct kmq_queue *queue)
{
	struct kmq_notice notices[KMQ_NOTICES];
	u32 i, count;

	if (likely(!READ_ONCE(queue->seen.notice_count)))
		return;
	kmq_queue_lock_beside(queue);
	count = queue->seen.notice_count;
	memcpy(notices, queue->seen.notices, count * sizeof(*notices));
	WRITE_ONCE(queue->seen.notice_count, 0);
	mutex_unlock(&queue->lock);
	for (i = 0; i < count; i++)
		kmq_event_post_perfm(queue, &notices[i]);
}

/**
 * kmq_event_full - a put has failed because the queue is full
 * @queue: queue, none locked
 */
void kmq_event_full(struct kmq_queue *queue)
{
	if (!(READ_ONCE(queue->watch) & KMQ_WATCH_DEPTH))
		return;
	kmq_queue_lock_beside(queue);
	kmq_watch_full_locked(queue);
	mutex_unlock(&queue->lock);
	kmq_event_send(queue);
}

static void kmq_event_put_appl(struct kmq_pcf *pcf, const struct kmq_conn *conn)
{
	const struct kmq_context *c = &conn->context->c;

	kmq_pcf_number(pcf, MQIA_APPL_TYPE, c->appl_type);
	kmq_pcf_text(pcf, MQCACF_APPL_NAME, c->appl_name, sizeof(c->appl_name));
}

static void kmq_event_begin_qmgr(struct kmq_pcf *pcf,
				 const struct kmq_qmgr *qmgr, u32 reason)
{
	kmq_pcf_begin(pcf, qmgr, MQCMD_Q_MGR_EVENT, reason);
	kmq_pcf_text(pcf, MQCA_Q_MGR_NAME, qmgr->name, KMQ_NAME_LEN);
}

static void kmq_event_post_qmgr(struct kmq_qmgr *qmgr,
				const struct kmq_pcf *pcf)
{
	kmq_event_post(qmgr, "SYSTEM.ADMIN.QMGR.EVENT", pcf);
}

/**
 * kmq_event_inhibited - a put or a get has failed because it is inhibited
 * @conn: connection that made it
 * @named: definition it was made through
 * @reason: 2051 or 2016
 */
void kmq_event_inhibited(struct kmq_conn *conn, const struct kmq_queue *named,
			 u32 reason)
{
	struct kmq_pcf pcf;

	if (!READ_ONCE(conn->qmgr->attrs.inhibit_event))
		return;
	kmq_event_begin_qmgr(&pcf, conn->qmgr, reason);
	kmq_pcf_text(&pcf, MQCA_Q_NAME, named->name, KMQ_NAME_LEN);
	kmq_event_put_appl(&pcf, conn);
	kmq_event_post_qmgr(conn->qmgr, &pcf);
}

static bool kmq_event_is_local(u32 reason)
{
	return reason == MQRC_UNKNOWN_ALIAS_BASE_Q ||
	       reason == MQRC_ALIAS_BASE_Q_TYPE_ERROR ||
	       reason == MQRC_UNKNOWN_OBJECT_NAME;
}

/**
 * kmq_event_open_failed - a queue could not be opened
 * @call: the call; its connection is in use by it
 * @reason: why
 *
 * Names that have no node do not get as far as that.
 */
void kmq_event_open_failed(const struct kmq_open_call *call, u32 reason)
{
	const struct kmq_queue *named = call->queue;
	struct kmq_conn *conn = call->conn;
	struct kmq_qmgr *qmgr = conn->qmgr;
	bool denied = reason == MQRC_NOT_AUTHORIZED;
	u8 base[KMQ_NAME_LEN];
	struct kmq_pcf pcf;

	if (!(denied ? READ_ONCE(qmgr->attrs.authority_event) :
	      kmq_event_is_local(reason) && READ_ONCE(qmgr->attrs.local_event)))
		return;
	kmq_event_begin_qmgr(&pcf, qmgr, reason);
	if (denied) {
		kmq_pcf_number(&pcf, MQIACF_REASON_QUALIFIER,
			       MQRQ_OPEN_NOT_AUTHORIZED);
		kmq_pcf_number(&pcf, MQIACF_OPEN_OPTIONS, call->cmd->options);
		kmq_pcf_text(&pcf, MQCACF_USER_IDENTIFIER,
			     conn->context->c.user_id,
			     sizeof(conn->context->c.user_id));
	}
	kmq_pcf_text(&pcf, MQCA_Q_NAME, named->name, KMQ_NAME_LEN);
	if (named->type == MQQT_ALIAS && !denied) {
		kmq_resolve_base_name(named, base);
		kmq_pcf_text(&pcf, MQCA_BASE_OBJECT_NAME, base, KMQ_NAME_LEN);
	}
	kmq_event_put_appl(&pcf, conn);
	kmq_event_post_qmgr(qmgr, &pcf);
}

/**
 * kmq_event_state - a queue manager is active, or not any more
 * @qmgr: queue manager, nothing locked
 * @was: KMQ_QMGR_* it was before
 * @state: KMQ_QMGR_* it is now
 */
void kmq_event_state(struct kmq_qmgr *qmgr, u32 was, u32 state)
{
	bool active = state == KMQ_QMGR_RUNNING;
	struct kmq_pcf pcf;

	if (was == state || !READ_ONCE(qmgr->attrs.start_stop_event))
		return;
	kmq_event_begin_qmgr(&pcf, qmgr, active ? MQRC_Q_MGR_ACTIVE :
			     MQRC_Q_MGR_NOT_ACTIVE);
	if (!active)
		kmq_pcf_number(&pcf, MQIACF_REASON_QUALIFIER,
			       state == KMQ_QMGR_QUIESCING ?
			       MQRQ_Q_MGR_QUIESCING : MQRQ_Q_MGR_STOPPING);
	kmq_event_post_qmgr(qmgr, &pcf);
}
