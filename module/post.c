// SPDX-License-Identifier: GPL-2.0
/*
 * Messages that the queue manager makes itself: putting them to a queue by name,
 * and the dead-letter queue for those that cannot be put (P-REP-11, O-TRIG-8).
 *
 * Such a message is placed uncommitted, in the unit of work of its cause or in
 * one that the caller ends at once. So its cause can still fail. No lock is held
 * on entry, as the message may go to the queue of its cause.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/time.h>
#include "context.h"
#include "dev.h"
#include "event.h"
#include "mqi.h"
#include "post.h"
#include "qmgr.h"
#include "queue.h"
#include "resolve.h"
#include "trigger.h"
#include "uow.h"
#include "xmit.h"

#define KMQ_DLH_LENGTH	172

/* The dead-letter header; all of it lies on 4-byte boundaries. */
struct kmq_dlh {
	u8 struc_id[4];
	s32 version;
	s32 reason;
	u8 dest_q_name[KMQ_NAME_LEN];
	u8 dest_qmgr_name[KMQ_NAME_LEN];
	s32 encoding;
	s32 ccsid;
	u8 format[8];
	s32 put_appl_type;
	u8 put_appl_name[28];
	u8 put_date[8];
	u8 put_time[8];
};

/**
 * kmq_post_make - make a message of the queue manager's own
 * @qmgr: queue manager
 * @length: bytes of data, to be filled in at kmq_msg.data
 * @format: Format, 8 characters
 *
 * A datagram that is not persistent and does not expire, without CorrelId and
 * report options, of the priority that its queue will say (O-TRIG-7, O-TRIG-11).
 *
 * Return: the message or NULL.
 */
struct kmq_msg *kmq_post_make(struct kmq_qmgr *qmgr, u32 length,
			      const char *format)
{
	static const u8 blanks[KMQ_NAME_LEN] = {
		[0 ... KMQ_NAME_LEN - 1] = ' '
	};
	struct kmq_msg *msg = kmq_msg_alloc(length, false);

	if (IS_ERR(msg))
		return NULL;
	if (WARN_ON_ONCE(msg->inline_length < length))
		goto free;
	msg->reply = kmq_reply_alloc(blanks, qmgr->name);
	if (!msg->reply)
		goto free;
	msg->context = kmq_context_get(qmgr->context);
	msg->put_time = ktime_get_coarse_real_ns();
	msg->persistent = false;
	/* Memory of a message is that of an earlier one. */
	memset(&msg->md, 0, sizeof(msg->md));
	msg->md.msg_type = MQMT_DATAGRAM;
	msg->md.expiry = MQEI_UNLIMITED;
	msg->md.encoding = MQENC_NATIVE;
	msg->md.ccsid = READ_ONCE(qmgr->attrs.coded_char_set_id);
	memcpy(msg->md.format, format, sizeof(msg->md.format));
	msg->md.priority = MQPRI_PRIORITY_AS_Q_DEF;
	kmq_qmgr_new_id(qmgr, msg->md.msg_id);
	return msg;
free:
	kmq_msg_free(msg);
	return NULL;
}

/* Can the queue take it? The queue is locked. */
static u32 kmq_post_check(const struct kmq_queue *queue,
			  const struct kmq_msg *msg)
{
	const struct kmq_queue_attrs *attrs = &queue->attrs;

	if (queue->deleted)
		return MQRC_UNKNOWN_OBJECT_NAME;
	if (attrs->inhibit_put)
		return MQRC_PUT_INHIBITED;
	if (msg->persistent &&
	    attrs->definition_type == MQQDT_TEMPORARY_DYNAMIC)
		return MQRC_PERSISTENT_NOT_ALLOWED;
	if (msg->length > attrs->max_msg_length)
		return MQRC_MSG_TOO_BIG_FOR_Q;
	if (queue->depth >= attrs->max_q_depth)
		return MQRC_Q_FULL;
	return MQRC_NONE;
}

static void kmq_post_admit(struct kmq_queue *queue, struct kmq_msg *msg,
			   struct kmq_uow_queue *part)
{
	kmq_queue_admit_locked(queue, msg, kmq_msg_priority(msg));
	msg->state = KMQ_MSG_PUT_PENDING;
	queue->uncommitted_puts++;
	list_add_tail(&msg->link, &part->puts);
}

/* Place a message uncommitted. Return: 0, and it is the unit's; or why not. */
static u32 kmq_post_place(struct kmq_queue *queue, struct kmq_msg *msg,
			  bool quiet, struct kmq_unit *unit)
{
	struct kmq_uow_queue *part = kmq_uow_join(unit, queue);
	enum kmq_due due = KMQ_DUE_NONE;
	u32 reason;

	if (!part || (msg->member && kmq_group_prepare(&queue->store, msg)))
		return MQRC_STORAGE_NOT_AVAILABLE;
	kmq_queue_lock(queue);
	if (msg->md.priority == MQPRI_PRIORITY_AS_Q_DEF)
		msg->md.priority = queue->attrs.def_priority;
	reason = kmq_post_check(queue, msg);
	if (!reason) {
		if (unlikely(queue->watch) && !quiet)
			due = kmq_watch_put_locked(queue, kmq_msg_priority(msg),
						   1);
		kmq_post_admit(queue, msg, part);
	}
	mutex_unlock(&queue->lock);
	if (!quiet)
		kmq_event_send(queue);
	if (due)
		kmq_trigger_add(queue, due, unit);
	return reason;
}

/* The message as it travels to another queue manager. */
static struct kmq_msg *kmq_post_wrap(struct kmq_qmgr *qmgr,
				     const struct kmq_dest *dest,
				     const struct kmq_msg *msg)
{
	struct kmq_xmit xmit = {
		.qmgr = qmgr,
		.dest = dest,
		.md = &msg->md,
		.context = msg->context,
		.reply = msg->reply,
		.put_time = msg->put_time,
		.length = msg->length,
		.grouped = msg->member,
		.msg_flags = msg->msg_flags,
	};
	struct kmq_msg *travels;

	if (msg->member) {
		xmit.id = msg->member->id;
		xmit.seq = msg->member->seq;
		xmit.offset = msg->member->offset;
		xmit.original_length = msg->member->original_length;
	}
	travels = kmq_xmit_make(&xmit);
	if (IS_ERR(travels))
		return NULL;
	travels->skip_backout = msg->skip_backout;
	kmq_msg_copy_data(travels, kmq_xmit_head_length(xmit.grouped), msg,
			  msg->length);
	return travels;
}

static u32 kmq_post_remote(struct kmq_qmgr *qmgr, const struct kmq_dest *dest,
			   bool quiet, struct kmq_msg *msg,
			   struct kmq_unit *unit)
{
	struct kmq_msg *travels = kmq_post_wrap(qmgr, dest, msg);
	u32 reason;

	if (!travels)
		return MQRC_STORAGE_NOT_AVAILABLE;
	reason = kmq_post_place(dest->queue, travels, quiet, unit);
	kmq_msg_free(reason ? travels : msg);
	return reason;
}

static u32 kmq_post_target(struct kmq_qmgr *qmgr,
			   const struct kmq_target *target, bool quiet,
			   struct kmq_msg *msg, struct kmq_unit *unit)
{
	struct kmq_dest dest;
	u32 reason = kmq_resolve_target(target, &dest);

	if (!reason && kmq_dest_inhibited(&dest))
		reason = MQRC_PUT_INHIBITED;
	if (!reason)
		reason = dest.remote ?
			 kmq_post_remote(qmgr, &dest, quiet, msg, unit) :
			 kmq_post_place(dest.queue, msg, quiet, unit);
	kmq_dest_put(&dest);
	return reason;
}

/**
 * kmq_post - put a message of the queue manager's own, uncommitted
 * @qmgr: queue manager
 * @to: destination
 * @msg: message, complete but for its place
 * @unit: unit of work that gets it; not opened by this, and the message is not
 *	counted
 *
 * Return: 0, and the message is the unit's; or the reason why the destination
 * cannot take it, and it is still the caller's.
 */
u32 kmq_post(struct kmq_qmgr *qmgr, const struct kmq_post_to *to,
	     struct kmq_msg *msg, struct kmq_unit *unit)
{
	struct kmq_target target;
	u32 reason = kmq_resolve_name(qmgr, to->q, to->qmgr, &target);

	if (reason)
		return reason;
	if (to->putter && !kmq_dev_may_open(target.node, to->putter))
		reason = MQRC_NOT_AUTHORIZED;
	else
		reason = kmq_post_target(qmgr, &target, to->quiet, msg, unit);
	kmq_queue_put(target.node);
	return reason;
}

static void kmq_post_fill_dlh(const struct kmq_qmgr *qmgr, struct kmq_dlh *dlh,
			      const struct kmq_post_to *to,
			      const struct kmq_msg *msg, u32 why)
{
	char text[32];
	struct tm tm;

	BUILD_BUG_ON(sizeof(struct kmq_dlh) != KMQ_DLH_LENGTH);
	memcpy(dlh->struc_id, "DLH ", sizeof(dlh->struc_id));
	dlh->version = 1;
	dlh->reason = why;
	memcpy(dlh->dest_q_name, to->q, KMQ_NAME_LEN);
	memcpy(dlh->dest_qmgr_name, to->qmgr, KMQ_NAME_LEN);
	dlh->encoding = msg->md.encoding;
	dlh->ccsid = msg->md.ccsid;
	memcpy(dlh->format, msg->md.format, sizeof(dlh->format));
	dlh->put_appl_type = MQAT_QMGR;
	memcpy(dlh->put_appl_name, qmgr->name, sizeof(dlh->put_appl_name));
	time64_to_tm(div_u64(msg->put_time, NSEC_PER_SEC), 0, &tm);
	scnprintf(text, sizeof(text), "%04ld%02d%02d%02d%02d%02d00",
		  tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
		  tm.tm_min, tm.tm_sec);
	memcpy(dlh->put_date, text, sizeof(dlh->put_date));
	memcpy(dlh->put_time, text + 8, sizeof(dlh->put_time));
}

/* P-REP-11, P-REP-14: the message again, behind a dead-letter header. */
static struct kmq_msg *kmq_post_dead(const struct kmq_qmgr *qmgr,
				     const struct kmq_post_to *to,
				     const struct kmq_msg *msg, u32 why)
{
	struct kmq_msg *dead;

	dead = kmq_msg_alloc(KMQ_DLH_LENGTH + msg->length, msg->member);
	if (IS_ERR(dead))
		return NULL;
	dead->md = msg->md;
	dead->md.encoding = MQENC_NATIVE;
	dead->md.ccsid = READ_ONCE(qmgr->attrs.coded_char_set_id);
	memcpy(dead->md.format, "MQDEAD  ", sizeof(dead->md.format));
	dead->msg_flags = msg->msg_flags;
	dead->persistent = msg->persistent;
	dead->put_time = msg->put_time;
	dead->context = kmq_context_get(msg->context);
	if (msg->reply) {
		refcount_inc(&msg->reply->ref);
		dead->reply = msg->reply;
	}
	if (msg->member) {
		memcpy(dead->member->id, msg->member->id, KMQ_ID_LEN);
		dead->member->seq = msg->member->seq;
		dead->member->offset = msg->member->offset;
		dead->member->original_length = msg->member->original_length;
	}
	kmq_post_fill_dlh(qmgr, (struct kmq_dlh *)dead->data, to, msg, why);
	kmq_msg_copy_data(dead, KMQ_DLH_LENGTH, msg, msg->length);
	return dead;
}

/**
 * kmq_post_bury - put a message that has no place to go to the dead-letter queue
 * @qmgr: queue manager
 * @to: destination that could not take it
 * @msg: message; a copy is put, it stays the caller's
 * @why: reason it could not be put
 * @unit: unit of work that gets the copy
 *
 * Return: 0 if it lies on the dead-letter queue, else @why.
 */
u32 kmq_post_bury(struct kmq_qmgr *qmgr, const struct kmq_post_to *to,
		  struct kmq_msg *msg, u32 why, struct kmq_unit *unit)
{
	u8 name[KMQ_NAME_LEN];
	const struct kmq_post_to dead_letter_q = {
		.q = name, .qmgr = qmgr->name, .quiet = to->quiet,
	};
	struct kmq_msg *dead;

	down_read(&qmgr->names);
	memcpy(name, qmgr->attrs.dead_letter_q_name, KMQ_NAME_LEN);
	up_read(&qmgr->names);
	if (name[0] == ' ')
		return why;
	dead = kmq_post_dead(qmgr, to, msg, why);
	if (!dead)
		return why;
	if (!kmq_post(qmgr, &dead_letter_q, dead, unit))
		return MQRC_NONE;
	kmq_msg_free(dead);
	return why;
}
