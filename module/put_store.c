// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT: placing the message on the queue, and what that brings about.
 *
 * The message is made before the queue is locked. One that the queue manager
 * cuts up is placed piece by piece under one lock: all of it or nothing
 * (P-SEG-5).
 */
#include <linux/err.h>
#include <linux/string.h>
#include "call.h"
#include "context.h"
#include "event.h"
#include "limits.h"
#include "put.h"
#include "qmgr.h"
#include "queue.h"
#include "report.h"
#include "resolve.h"
#include "trigger.h"

/**
 * kmq_put_admit - give a message its place
 * @queue: the queue, locked
 * @msg: the message
 * @plan: how it is stored
 * @pending: it waits for the commit, else it becomes visible
 *
 * A message that is visible must be offered to those who wait.
 */
void kmq_put_admit(struct kmq_queue *queue, struct kmq_msg *msg,
		   const struct kmq_put_plan *plan, bool pending)
{
	kmq_queue_admit_locked(queue, msg,
			       min(plan->priority, KMQ_MAX_PRIORITY));
	if (pending) {
		msg->state = KMQ_MSG_PUT_PENDING;
		queue->uncommitted_puts++;
	} else {
		kmq_queue_insert_locked(queue, msg);
	}
}

/* All pieces of a message that was cut up, in one step. */
static void kmq_put_admit_pieces(struct kmq_queue *queue, struct kmq_msg *first,
				 const struct kmq_put_plan *plan,
				 struct kmq_uow_queue *part)
{
	struct kmq_msg *msg;
	LIST_HEAD(msgs);

	list_splice_init(&first->link, &msgs);
	list_add(&first->link, &msgs);
	list_for_each_entry(msg, &msgs, link)
		kmq_put_admit(queue, msg, plan, part);
	if (part)
		list_splice_tail(&msgs, &part->puts);
	else
		kmq_queue_offer_locked(queue, &msgs);
}

/* Line 13 once more, now that nothing can change. */
static u32 kmq_put_check_place(const struct kmq_put_call *call)
{
	const struct kmq_queue *queue = call->queue;

	if (unlikely(queue->deleted))
		return call->handle ? MQRC_Q_DELETED : MQRC_UNKNOWN_OBJECT_NAME;
	if (unlikely(queue->attrs.inhibit_put))
		return MQRC_PUT_INHIBITED;
	if (unlikely(queue->depth >= queue->attrs.max_q_depth))
		return MQRC_Q_FULL;
	return MQRC_NONE;
}

/* What the queue watches, before the message and its pieces are placed. */
static void kmq_put_watch(struct kmq_put_call *call,
			  const struct kmq_msg *first)
{
	const struct list_head *piece;
	u32 count = 1;

	list_for_each(piece, &first->link)
		count++;
	call->watched = true;
	call->due = kmq_watch_put_locked(call->queue, kmq_msg_priority(first),
					 count);
}

/* Place the message on the queue. Return: 0 or why it cannot be. */
static u32 kmq_put_place(struct kmq_put_call *call,
			 const struct kmq_put_plan *plan,
			 struct kmq_msg *first, struct kmq_uow_queue *part)
{
	struct kmq_queue *queue = call->queue;
	u32 reason;

	kmq_queue_lock_beside(queue);
	reason = kmq_put_check_place(call);
	if (unlikely(reason))
		goto unlock;
	if (unlikely(queue->watch))
		kmq_put_watch(call, first);
	if (unlikely(!list_empty(&first->link))) {
		kmq_put_admit_pieces(queue, first, plan, part);
	} else {
		kmq_put_admit(queue, first, plan, part);
		if (part)
			list_add_tail(&first->link, &part->puts);
		else
			kmq_waiters_offer_locked(queue, first);
	}
unlock:
	mutex_unlock(&queue->lock);
	return reason;
}

/* Where the message went (P-RES-1, P-RES-2). */
static void kmq_put_report_dest(struct kmq_put_call *call)
{
	const struct kmq_dest *dest = call->dest;
	struct kmq_put *cmd = call->cmd;
	const u8 *q = call->queue->name;
	const u8 *qmgr = call->queue->qmgr->name;

	if (dest && (dest->remote || call->queue->qmgr != call->conn->qmgr))
		cmd->out_flags |= KMQ_PUT_OUT_REMOTE;
	if (dest && !(cmd->options & MQPMO_RESOLVE_LOCAL_Q)) {
		q = dest->q;
		qmgr = dest->qmgr;
	}
	cmd->out_present |= KMQ_MD_DEST;
	memcpy(call->ext->dest_q, q, KMQ_NAME_LEN);
	memcpy(call->ext->dest_qmgr, qmgr, KMQ_NAME_LEN);
}

/* What the caller learns besides the fields of the descriptor (P-CTX-8). */
static void kmq_put_report_back(struct kmq_put_call *call,
				const struct kmq_put_plan *plan,
				const struct kmq_put_parts *parts)
{
	struct kmq_put *cmd = call->cmd;
	const struct kmq_context_ref *ctx = parts->context;

	cmd->out_ctx_id = ctx->id;
	cmd->out_put_time = ctx->dated ? 0 : parts->put_time;
	if (ctx != call->conn->context) {
		cmd->out_present |= KMQ_MD_CONTEXT;
		call->ext->context = ctx->c;
	}
	if (ctx->dated) {
		cmd->out_present |= KMQ_MD_DATE;
		memcpy(call->ext->put_date, ctx->date, sizeof(ctx->date));
		memcpy(call->ext->put_time, ctx->time, sizeof(ctx->time));
	}
	if (unlikely(cmd->flags & KMQ_PUT_WANT_DEST))
		kmq_put_report_dest(call);
	if (!plan->has_id)
		return;
	cmd->out_present |= KMQ_MD_GROUP;
	memcpy(call->ext->group_id, plan->id, KMQ_ID_LEN);
	call->ext->msg_seq_number = plan->seq;
	call->ext->offset = plan->offset;
	call->ext->msg_flags = plan->flags;
	call->ext->original_length = plan->original_length;
}

static u32 kmq_put_reason(const struct kmq_put_call *call, int err)
{
	switch (err) {
	case -EFAULT:
		return MQRC_BUFFER_ERROR;
	case -EMSGSIZE:
		return kmq_put_too_big(call);
	default:
		return MQRC_STORAGE_NOT_AVAILABLE;
	}
}

/* After a success: the unit of work and the group information of the handle. */
static void kmq_put_account(struct kmq_put_call *call,
			    const struct kmq_put_plan *plan)
{
	struct kmq_unit *uow = &call->conn->uow;

	if (plan->syncpoint) {
		kmq_uow_open(uow);
		uow->count++;
		if (call->handle)
			kmq_uow_use_put(uow, call->handle);
	}
	if (call->handle)
		kmq_put_retain(call, plan);
}

/* Make a message and place it. Return: 0, *@reason may be set; or an errno. */
static int kmq_put_message(struct kmq_put_call *call, struct kmq_put_plan *plan,
			   const struct kmq_put_parts *parts,
			   struct kmq_uow_queue *part, u32 *reason)
{
	struct kmq_msg *first;
	int err = 0;

	first = kmq_put_make_all(call, plan, parts);
	if (IS_ERR(first))
		return PTR_ERR(first);
	/* With its first piece all of its group objects are there. */
	if (first->member)
		err = kmq_group_prepare(&call->queue->store, first);
	if (!err)
		*reason = kmq_put_place(call, plan, first, part);
	if (err || *reason)
		kmq_put_discard(first);
	return err;
}

/* Reports of arrival on what a private unit has put so far (P-REP-3, P-REP-5). */
static u32 kmq_put_reports(struct kmq_put_call *call, struct kmq_unit *unit,
			   struct kmq_uow_queue *part, u32 *count)
{
	struct kmq_msg *msg;
	u32 reason = MQRC_NONE;

	*count = 0;
	list_for_each_entry(msg, &part->puts, link) {
		struct kmq_report_on on;

		if (!kmq_report_wanted(call->queue, msg, KMQ_REPORT_COA))
			continue;
		kmq_report_on_one(&on, &msg);
		reason = kmq_report_put(call->conn->qmgr, &on, KMQ_REPORT_COA,
					unit, false);
		if (reason)
			break;
		++*count;
	}
	return reason;
}

static bool kmq_put_exceeds_limit(const struct kmq_put_call *call, u32 more)
{
	kmq_call_make_room(call->conn, more);
	return call->conn->uow.count + more >
	       READ_ONCE(call->conn->qmgr->attrs.max_uncommitted_msgs);
}

/* What a put brings about besides its message: reports and a trigger message. */
static u32 kmq_put_effects(struct kmq_put_call *call,
			   const struct kmq_put_plan *plan,
			   struct kmq_unit *unit, struct kmq_uow_queue *part,
			   u32 *count)
{
	struct kmq_unit made;
	u32 reason, triggers = 0;

	kmq_uow_init(&made);
	reason = kmq_put_reports(call, unit, part, count);
	if (!reason && call->due)
		triggers = kmq_trigger_make(call->queue, &made);
	*count += triggers;
	if (!reason && plan->syncpoint &&
	    kmq_put_exceeds_limit(call, 1 + *count))
		reason = MQRC_SYNCPOINT_LIMIT_REACHED;
	/* Before anybody can see it. */
	kmq_trigger_settle(call->queue, call->due, triggers && !reason);
	if (reason)
		kmq_uow_abandon(&made);
	else
		kmq_uow_defer(unit, &made, call->due == KMQ_DUE_CLAIMED);
	call->due = KMQ_DUE_NONE;
	return reason;
}

/*
 * A put that asks for reports of arrival, or one in a unit of work to a queue
 * with triggers: message and what it brings about go into a private unit of
 * work, so that all of it comes about or nothing (P-REP-12, U-LIM-1).
 */
static int kmq_put_with_effects(struct kmq_put_call *call,
				struct kmq_put_plan *plan,
				const struct kmq_put_parts *parts, u32 *reason)
{
	struct kmq_uow_queue *part;
	struct kmq_unit unit;
	u32 count = 0;
	int err = -ENOMEM;

	kmq_uow_init(&unit);
	part = kmq_uow_join(&unit, call->queue);
	if (part)
		err = kmq_put_message(call, plan, parts, part, reason);
	if (!err && !*reason)
		*reason = kmq_put_effects(call, plan, &unit, part, &count);
	if (err || *reason) {
		kmq_uow_abandon(&unit);
	} else if (plan->syncpoint) {
		kmq_uow_merge(&call->conn->uow, &unit);
		call->conn->uow.count += count;
	} else {
		kmq_uow_commit(&unit);
	}
	return err;
}

/* The trigger message of a message that has been placed already. */
static void kmq_put_trigger(struct kmq_put_call *call,
			    const struct kmq_put_plan *plan)
{
	struct kmq_unit *uow = &call->conn->uow;

	if (!plan->syncpoint)
		kmq_trigger_run(call->queue, call->due);
	else
		/* Triggers were switched on when the limit had been checked. */
		uow->count += kmq_trigger_add(call->queue, call->due, uow);
	call->due = KMQ_DUE_NONE;
}

/* What was noticed as the message was placed (O-EVT-5). */
static void kmq_put_watched(struct kmq_put_call *call,
			    const struct kmq_put_plan *plan)
{
	call->watched = false;
	kmq_event_send(call->queue);
	if (call->due)
		kmq_put_trigger(call, plan);
}

/* Does a put bring about more than its message? */
static bool kmq_put_has_effects(const struct kmq_put_call *call,
				const struct kmq_put_plan *plan)
{
	/* What travels has not arrived yet (P-REP-1). */
	return (call->cmd->md.report & MQRO_COA && !plan->head) ||
	       (plan->syncpoint &&
		READ_ONCE(call->queue->watch) & KMQ_WATCH_TRIGGER);
}

/**
 * kmq_put_store - make the message and place it on the queue
 * @call: the call, checked
 * @plan: what to store
 * @reason: set if the put fails
 *
 * Return: 0, or -EINTR if the caller is being killed.
 */
int kmq_put_store(struct kmq_put_call *call, struct kmq_put_plan *plan,
		  u32 *reason)
{
	bool effects = kmq_put_has_effects(call, plan);
	struct kmq_uow_queue *part = NULL;
	struct kmq_put_parts parts;
	int err = -ENOMEM;

	call->cmd->out_present = 0;
	if (plan->syncpoint && !effects) {
		part = kmq_uow_join(&call->conn->uow, call->queue);
		if (!part)
			goto out;
	}
	kmq_put_resolve(call, plan);
	err = kmq_put_parts_get(call, plan, &parts);
	if (err)
		goto out;
	if (unlikely(effects))
		err = kmq_put_with_effects(call, plan, &parts, reason);
	else
		err = kmq_put_message(call, plan, &parts, part, reason);
	if (unlikely(call->watched))
		kmq_put_watched(call, plan);
	if (!err && !*reason) {
		kmq_put_account(call, plan);
		kmq_put_report_back(call, plan, &parts);
	}
	kmq_put_parts_put(&parts);
out:
	if (err == -EINTR)
		return err;
	if (err)
		*reason = kmq_put_reason(call, err);
	return 0;
}
