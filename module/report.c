// SPDX-License-Identifier: GPL-2.0
/*
 * Reports that the queue manager makes: arrival, delivery, expiration (put.md
 * section 9).
 *
 * A report is put in a unit of work of its cause: it is placed uncommitted first,
 * so that the cause can still fail, and becomes visible with it.
 */
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "context.h"
#include "mqi.h"
#include "post.h"
#include "qmgr.h"
#include "queue.h"
#include "report.h"
#include "uow.h"

#define KMQ_REPORT_DATA	100	/* bytes of a *_WITH_DATA report */

static const struct {
	s32 base;
	s32 with_data;
	s32 full;
	s32 feedback;
} kmq_report_kinds[] = {
	[KMQ_REPORT_COA] = { MQRO_COA, MQRO_COA_WITH_DATA,
			     MQRO_COA_WITH_FULL_DATA, 259 },
	[KMQ_REPORT_COD] = { MQRO_COD, MQRO_COD_WITH_DATA,
			     MQRO_COD_WITH_FULL_DATA, 260 },
	[KMQ_REPORT_EXPIRATION] = { MQRO_EXPIRATION, MQRO_EXPIRATION_WITH_DATA,
				    MQRO_EXPIRATION_WITH_FULL_DATA, 258 },
};

static bool kmq_report_format_is(const struct kmq_msg *msg, const char *format)
{
	return !memcmp(msg->md.format, format, sizeof(msg->md.format));
}

/**
 * kmq_report_wanted - does a message ask for a report (P-REP-1, P-REP-2)
 * @queue: its queue
 * @msg: message
 * @kind: which report
 */
bool kmq_report_wanted(const struct kmq_queue *queue, const struct kmq_msg *msg,
		       enum kmq_report_kind kind)
{
	if (likely(!(msg->md.report & kmq_report_kinds[kind].base)))
		return false;
	if (kind == KMQ_REPORT_EXPIRATION)
		return true;
	if (kmq_report_format_is(msg, "MQDEAD  "))
		return false;
	return kind != KMQ_REPORT_COA ||
	       (READ_ONCE(queue->attrs.usage) != KMQ_USAGE_XMIT &&
		!kmq_report_format_is(msg, "MQXMIT  "));
}

/**
 * kmq_report_on_one - a report about one physical message (M-RPT-5)
 * @on: filled in
 * @msg: address of the message
 */
void kmq_report_on_one(struct kmq_report_on *on, struct kmq_msg *const *msg)
{
	on->msgs = msg;
	on->count = 1;
	on->msg_flags = (*msg)->msg_flags;
	on->original_length = (*msg)->msg_flags & MQMF_SEGMENT ?
			      (*msg)->length : MQOL_UNDEFINED;
}

/* How much of the data goes with the report (P-REP-7). */
static u32 kmq_report_length(const struct kmq_report_on *on,
			     enum kmq_report_kind kind)
{
	s32 report = on->msgs[0]->md.report;
	u32 full = kmq_report_kinds[kind].full & ~kmq_report_kinds[kind].with_data;
	u32 some = kmq_report_kinds[kind].with_data & ~kmq_report_kinds[kind].base;
	u32 total = 0;
	u32 i;

	for (i = 0; i < on->count; i++)
		total += on->msgs[i]->length;
	if (report & full)
		return total;
	return report & some ? min_t(u32, total, KMQ_REPORT_DATA) : 0;
}

static void kmq_report_copy_data(struct kmq_msg *to, u32 skip,
				 const struct kmq_report_on *on)
{
	u32 i;

	for (i = 0; i < on->count && skip < to->length; i++) {
		u32 part = min(on->msgs[i]->length, to->length - skip);

		kmq_msg_copy_data(to, skip, on->msgs[i], part);
		skip += part;
	}
}

/* Table of section 9.2. */
static void kmq_report_fill_md(struct kmq_qmgr *qmgr, struct kmq_msg *report,
			       const struct kmq_msg *origin,
			       enum kmq_report_kind kind)
{
	s32 asked = origin->md.report;
	s32 pass = MQRO_PASS_DISCARD_AND_EXPIRY | (s32)MQRO_DISCARD_MSG;

	report->md = origin->md;
	report->md.report = (asked & pass) == pass ? MQRO_DISCARD_MSG : 0;
	report->md.msg_type = MQMT_REPORT;
	report->md.feedback = kmq_report_kinds[kind].feedback;
	report->md.expiry = MQEI_UNLIMITED;
	if (!(asked & MQRO_PASS_MSG_ID))
		kmq_qmgr_new_id(qmgr, report->md.msg_id);
	if (!(asked & MQRO_PASS_CORREL_ID))
		memcpy(report->md.correl_id, origin->md.msg_id, KMQ_ID_LEN);
	report->persistent = origin->persistent;
	report->put_time = ktime_get_coarse_real_ns();
}

/* The time that is left, if the original passes it on. */
static int kmq_report_pass_expiry(struct kmq_msg *report,
				  const struct kmq_msg *origin,
				  enum kmq_report_kind kind)
{
	u64 now = ktime_get_ns();
	u64 left;

	if (!origin->expiry || kind == KMQ_REPORT_EXPIRATION ||
	    !(origin->md.report & MQRO_PASS_DISCARD_AND_EXPIRY))
		return 0;
	left = origin->expiry->deadline > now ?
	       origin->expiry->deadline - now : 0;
	report->md.expiry = max_t(u64, 1, div_u64(left, NSEC_PER_SEC / 10));
	return kmq_msg_add_expiry(report, origin->expiry->deadline);
}

static int kmq_report_fill(struct kmq_qmgr *qmgr, struct kmq_msg *report,
			   const struct kmq_report_on *on,
			   enum kmq_report_kind kind)
{
	const struct kmq_msg *origin = on->msgs[0];
	static const u8 blanks[KMQ_NAME_LEN] = {
		[0 ... KMQ_NAME_LEN - 1] = ' '
	};

	kmq_report_fill_md(qmgr, report, origin, kind);
	report->msg_flags = on->msg_flags;
	if (origin->member) {
		memcpy(report->member->id, origin->member->id, KMQ_ID_LEN);
		report->member->seq = origin->member->seq;
		report->member->offset = origin->member->offset;
		report->member->original_length = on->original_length;
	}
	kmq_report_copy_data(report, 0, on);
	report->context = kmq_context_of_qmgr(qmgr->name, origin->context);
	report->reply = kmq_reply_alloc(blanks, qmgr->name);
	if (!report->context || !report->reply)
		return -ENOMEM;
	return kmq_report_pass_expiry(report, origin, kind);
}

static struct kmq_msg *kmq_report_make(struct kmq_qmgr *qmgr,
				       const struct kmq_report_on *on,
				       enum kmq_report_kind kind)
{
	struct kmq_msg *report = kmq_msg_alloc(kmq_report_length(on, kind),
					       on->msgs[0]->member);

	if (IS_ERR(report))
		return NULL;
	if (!kmq_report_fill(qmgr, report, on, kind))
		return report;
	kmq_msg_free(report);
	return NULL;
}

/**
 * kmq_report_put - make a report and put it, uncommitted
 * @qmgr: queue manager
 * @on: what it is about
 * @kind: which report
 * @unit: unit of work that gets it
 * @skip_backout: it goes with a message got with MQGMO_MARK_SKIP_BACKOUT (G-MSB-8)
 *
 * The putter chooses the data and the queue, so it is put for him: to a queue
 * whose node he may open, for reading at least. Where it cannot be put it goes to
 * the dead-letter queue, or is discarded if it says so (P-REP-11).
 *
 * Return: 0; a reason if a persistent report has no place to go, which fails
 * what caused it (P-REP-12).
 */
u32 kmq_report_put(struct kmq_qmgr *qmgr, const struct kmq_report_on *on,
		   enum kmq_report_kind kind, struct kmq_unit *unit,
		   bool skip_backout)
{
	const struct kmq_reply *reply = on->msgs[0]->reply;
	bool persistent = on->msgs[0]->persistent;
	struct kmq_msg *report;
	struct kmq_post_to to = {};
	u32 reason;

	if (!reply)
		return MQRC_NONE;
	report = kmq_report_make(qmgr, on, kind);
	if (!report)
		return persistent ? MQRC_STORAGE_NOT_AVAILABLE : MQRC_NONE;
	report->skip_backout = skip_backout;
	to.q = reply->q;
	to.qmgr = reply->qmgr;
	to.putter = reply->defined ? NULL : reply->putter;
	reason = reply->putter ? kmq_post(qmgr, &to, report, unit) :
				 MQRC_NOT_AUTHORIZED;
	if (!reason)
		return MQRC_NONE;
	if (!(report->md.report & MQRO_DISCARD_MSG))
		reason = kmq_post_bury(qmgr, &to, report, reason, unit);
	else
		reason = MQRC_NONE;
	kmq_msg_free(report);
	return persistent ? reason : MQRC_NONE;
}

/**
 * kmq_report_expired - report that a message has expired, at once (M-EXP-6)
 * @msg: message that has been taken off its queue
 */
void kmq_report_expired(struct kmq_msg *msg)
{
	struct kmq_report_on on;
	struct kmq_unit unit;

	kmq_uow_init(&unit);
	kmq_report_on_one(&on, &msg);
	kmq_report_put(msg->queue->qmgr, &on, KMQ_REPORT_EXPIRATION, &unit,
		       false);
	kmq_uow_commit(&unit);
}
