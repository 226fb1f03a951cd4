// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT: messages like the last one of the handle.
 *
 * Programs put one message like the other. What all checks have let pass is kept
 * with the handle: options, versions, the descriptor as given and as stored. A
 * put that is the same in all of these needs none of the checks again as long as
 * kmq_qmgr.changes stands still; what depends on the message, on the unit of
 * work and on what is on the queue is looked at each time. Several such puts are
 * placed under one lock.
 *
 * The group fields are worked out for each message, from what the handle keeps of
 * the group it is in.
 *
 * This does what the checked put would do or nothing: whatever is unusual is
 * left to that one, which also finds the reason for what fails.
 */
#include <linux/cred.h>
#include <linux/ktime.h>
#include "call.h"
#include "compat.h"
#include "context.h"
#include "limits.h"
#include "put.h"
#include "qmgr.h"
#include "queue.h"
#include "run.h"
#include "user.h"

/* No context of another handle. */
#define KMQ_PMO_AGAIN	(MQPMO_SYNCPOINT | MQPMO_NO_SYNCPOINT | \
			 MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID | \
			 MQPMO_FAIL_IF_QUIESCING | MQPMO_DEFAULT_CONTEXT | \
			 MQPMO_NO_CONTEXT | KMQ_PMO_SET | \
			 MQPMO_ASYNC_RESPONSE | MQPMO_SYNC_RESPONSE | \
			 MQPMO_LOGICAL_ORDER)

#define KMQ_MD_CONTEXT_PARTS	(KMQ_MD_CONTEXT | KMQ_MD_DATE)

/* The fields of the descriptor in front of the identifiers. */
#define KMQ_MD_HEAD	offsetof(struct kmq_md, msg_id)

static __always_inline void kmq_put_head_copy(struct kmq_md *to,
					      const struct kmq_md *from)
{
	memcpy(to, from, KMQ_MD_HEAD);
}

static bool kmq_put_head_equal(const struct kmq_md *a, const struct kmq_md *b)
{
	const u64 *x = (const u64 *)a;
	const u64 *y = (const u64 *)b;

	BUILD_BUG_ON(KMQ_MD_HEAD != 5 * sizeof(u64));
	return !((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) |
		 (x[3] ^ y[3]) | (x[4] ^ y[4]));
}

/**
 * kmq_put_note - keep what a put looks like that is going to be checked
 * @call: the call, its descriptor as given
 */
void kmq_put_note(const struct kmq_put_call *call)
{
	const struct kmq_put *cmd = call->cmd;
	struct kmq_known_put *known;

	if (!call->handle)
		return;
	known = &call->handle->known_put;
	known->valid = false;
	known->changes = kmq_qmgr_changes(call->conn->qmgr);
	known->options = cmd->options;
	known->present = cmd->present;
	known->pmo_version = cmd->pmo_version;
	known->md_version = cmd->md_version;
	kmq_put_head_copy(&known->given, &cmd->md);
	if (!(cmd->present & KMQ_MD_REPLY))
		return;
	memcpy(known->reply, call->ext->reply_q, KMQ_NAME_LEN);
	memcpy(known->reply + KMQ_NAME_LEN, call->ext->reply_qmgr,
	       KMQ_NAME_LEN);
}

/*
 * Parts that are compared: reply-to names, and a context given in full. Group
 * fields are read each time.
 */
static bool kmq_put_parts_are_plain(const struct kmq_put *cmd)
{
	u32 parts = cmd->present & ~(KMQ_MD_REPLY | KMQ_MD_GROUP);

	return parts == (cmd->options & KMQ_PMO_SET ? KMQ_MD_CONTEXT_PARTS : 0);
}

static bool kmq_put_is_plain(const struct kmq_put_call *call,
			     const struct kmq_put_plan *plan)
{
	const struct kmq_put *cmd = call->cmd;

	return !call->route && !cmd->flags && !(cmd->options & ~KMQ_PMO_AGAIN) &&
	       !plan->piece && !plan->report_warning && !plan->group_warning &&
	       plan->priority <= KMQ_MAX_PRIORITY &&
	       kmq_put_parts_are_plain(cmd) &&
	       !(cmd->md.report & MQRO_COA) &&
	       cmd->md.expiry == MQEI_UNLIMITED;
}

/**
 * kmq_put_remember - a put that was noted has been made
 * @call: the call, its descriptor as stored
 * @plan: what was stored
 */
void kmq_put_remember(const struct kmq_put_call *call,
		      const struct kmq_put_plan *plan)
{
	struct kmq_known_put *known;

	if (!call->handle || !kmq_put_is_plain(call, plan))
		return;
	known = &call->handle->known_put;
	kmq_put_head_copy(&known->stored, &call->cmd->md);
	known->plan = *plan;
	known->max_length =
		min(READ_ONCE(call->queue->attrs.max_msg_length),
		    READ_ONCE(call->conn->qmgr->attrs.max_msg_length));
	known->out_present = call->cmd->out_present & ~KMQ_MD_GROUP;
	known->valid = true;
}

/* Has what is remembered anything to say? */
static bool kmq_put_knows(const struct kmq_handle *handle)
{
	const struct kmq_known_put *known = &handle->known_put;

	return known->valid &&
	       known->changes == kmq_qmgr_changes(handle->conn->qmgr);
}

/* That includes all that kmq_put_check_abi() looks at. */
static bool kmq_put_is_same(const struct kmq_known_put *known,
			    const struct kmq_put *cmd)
{
	return known->options == cmd->options &&
	       known->present == cmd->present &&
	       known->pmo_version == cmd->pmo_version &&
	       known->md_version == cmd->md_version &&
	       !(cmd->flags | cmd->conn_fd | cmd->out_flags) &&
	       (u32)cmd->length <= (u32)known->max_length &&
	       (cmd->data || !cmd->length) &&
	       kmq_put_head_equal(&known->given, &cmd->md);
}

static void __user *kmq_put_reply_of(const struct kmq_put *cmd)
{
	return u64_to_user_ptr(cmd->ext + offsetof(struct kmq_md_ext, reply_q));
}

static void __user *kmq_put_context_of(const struct kmq_put *cmd)
{
	return u64_to_user_ptr(cmd->ext + KMQ_CONTEXT_PARTS);
}

/* The context that a put like the last one gives its message. */
static struct kmq_context_ref *
kmq_put_again_context(const struct kmq_handle *handle)
{
	u32 options = handle->known_put.options;

	if (likely(!(options & (KMQ_PMO_SET | MQPMO_NO_CONTEXT))))
		return handle->conn->context;
	return options & KMQ_PMO_SET ? handle->given.ref :
				       handle->conn->qmgr->no_context;
}

/* Reports are for who asks for them: is that whoever has asked before? */
static bool kmq_put_is_putter(const struct kmq_reply *reply)
{
	return !reply->putter || reply->putter == current_cred();
}

/* Are the parts of the descriptor those of the last put? */
static noinline bool kmq_put_parts_match(const struct kmq_put_again *again,
					 const struct kmq_put *cmd)
{
	const struct kmq_known_put *known = again->known;

	BUILD_BUG_ON(offsetof(struct kmq_given_context, c) -
		     offsetof(struct kmq_given_context, date) !=
		     offsetof(struct kmq_md_ext, context) - KMQ_CONTEXT_PARTS);
	if (known->present & KMQ_MD_REPLY &&
	    !(kmq_words_match_user(known->reply, kmq_put_reply_of(cmd),
				   sizeof(known->reply)) &&
	      kmq_put_is_putter(again->handle->reply)))
		return false;
	return !(known->present & KMQ_MD_CONTEXT) ||
	       kmq_words_match_user(again->handle->given.date,
				    kmq_put_context_of(cmd),
				    KMQ_CONTEXT_PARTS_SIZE);
}

/* The identifiers of a message. The command keeps them too, for the answer. */
static __always_inline void
kmq_put_again_ids(const struct kmq_put_again *again, struct kmq_put *cmd,
		  struct kmq_msg *msg)
{
	struct kmq_conn *conn = again->handle->conn;

	if (cmd->options & MQPMO_NEW_MSG_ID || kmq_id_is_null(cmd->md.msg_id))
		kmq_conn_new_id(conn, cmd->md.msg_id);
	if (unlikely(cmd->options & MQPMO_NEW_CORREL_ID))
		kmq_conn_new_id(conn, cmd->md.correl_id);
	memcpy(msg->md.msg_id, cmd->md.msg_id, KMQ_ID_LEN);
	memcpy(msg->md.correl_id, cmd->md.correl_id, KMQ_ID_LEN);
}

/* The group information that one of the messages leaves. */
static void kmq_put_again_follow(const struct kmq_put_again *again,
				 struct kmq_retained *last,
				 const struct kmq_msg *msg)
{
	const struct kmq_put_plan *plan = &again->known->plan;

	kmq_retained_follow(last, msg, plan->logical, plan->syncpoint);
	last->persistence = plan->persistent;
}

static __always_inline struct kmq_msg *
kmq_put_again_alloc(struct kmq_put_again *again, u32 length, bool member)
{
	struct kmq_msg *msg = kmq_msg_reuse(&again->spares, length, member);

	if (msg)
		return msg;
	msg = kmq_msg_alloc(length, member);
	return IS_ERR(msg) ? NULL : msg;
}

/* Memory for a message that has to do with groups, and the plan; or NULL. */
static noinline struct kmq_msg *
kmq_put_again_begin_member(struct kmq_put_again *again,
			   const struct kmq_put *cmd)
{
	struct kmq_queue *queue = again->handle->queue;
	struct kmq_put_plan *plan = &again->plan;
	struct kmq_msg *msg;

	if (!kmq_put_group_again(again->handle, again->last, cmd, plan))
		return NULL;
	msg = kmq_put_again_alloc(again, plan->length, plan->has_id);
	if (!msg)
		return NULL;
	msg->msg_flags = plan->flags;
	if (!plan->has_id || !kmq_group_prepare(&queue->store, msg))
		return msg;
	kmq_msg_free(msg);
	return NULL;
}

/* It has its descriptor: the rest, and what the next one goes on from. */
static noinline void kmq_put_again_end_member(struct kmq_put_again *again,
					      struct kmq_msg *msg)
{
	const struct kmq_put_plan *plan = &again->plan;

	if (plan->has_id)
		kmq_put_member(msg, plan, plan->offset, false);
	again->ahead = *again->last;
	kmq_put_again_follow(again, &again->ahead, msg);
	again->last = &again->ahead;
}

/*
 * The message of one put, with its data; its reply-to names are still to be
 * referenced. Return: NULL if that cannot be.
 */
static struct kmq_msg *kmq_put_again_make(struct kmq_put_again *again,
					  struct kmq_put *cmd)
{
	const struct kmq_known_put *known = again->known;
	struct kmq_msg *msg;

	if (known->present && !kmq_put_parts_match(again, cmd))
		return NULL;
	if (unlikely(again->ordered))
		msg = kmq_put_again_begin_member(again, cmd);
	else
		msg = kmq_put_again_alloc(again, cmd->length, false);
	if (!msg)
		return NULL;
	if (kmq_msg_fill_user(msg, u64_to_user_ptr(cmd->data))) {
		kmq_msg_free(msg);
		return NULL;
	}
	kmq_put_head_copy(&msg->md, &known->stored);
	kmq_put_again_ids(again, cmd, msg);
	msg->persistent = known->plan.persistent;
	msg->put_time = again->time;
	kmq_msg_set_context(msg, again->context);
	if (known->present & KMQ_MD_REPLY)
		msg->reply = again->handle->reply;
	if (unlikely(again->ordered))
		kmq_put_again_end_member(again, msg);
	return msg;
}

/* The messages of the first puts. Return: of how many. */
static u32 kmq_put_again_make_all(struct kmq_put_again *again)
{
	struct kmq_put *cmds = again->cmds;
	struct kmq_queue *queue = again->handle->queue;
	u32 i;

	again->spares = kmq_msg_spares_get(&queue->spares);
	for (i = 0; i < again->count; i++) {
		if (!kmq_put_is_same(again->known, &cmds[i]))
			break;
		again->msgs[i] = kmq_put_again_make(again, &cmds[i]);
		if (!again->msgs[i])
			break;
	}
	kmq_msg_spares_put(&queue->spares, again->spares);
	if (!i)
		return 0;
	if (again->known->present & KMQ_MD_REPLY)
		refcount_add(i, &again->handle->reply->ref);
	return i;
}

/* To who waits for it, without its being on the queue. Return: done? */
static bool kmq_put_again_pass(struct kmq_put_again *again, struct kmq_msg *msg)
{
	struct task_struct *task;

	task = kmq_waiters_pass_locked(again->handle->queue, msg,
				       again->known->plan.priority);
	if (!task)
		return false;
	again->woken[again->woken_count++] = task;
	return true;
}

/* It will not have the message, or has more to do with it than to keep it. */
static bool kmq_put_refused(const struct kmq_queue *queue)
{
	return queue->deleted || queue->watch || queue->attrs.inhibit_put ||
	       queue->depth >= queue->attrs.max_q_depth;
}

/*
 * As many as there is room for, at one go: nobody waits for messages, or these
 * are not to be seen yet. Return: how many.
 */
static u32 kmq_put_again_place_run(struct kmq_put_again *again, u32 count)
{
	struct kmq_queue *queue = again->handle->queue;
	struct kmq_uow_queue *part = again->part;
	u32 i;

	count = min(count, queue->attrs.max_q_depth - queue->depth);
	kmq_run_admit_locked(queue, again->msgs, count,
			     again->known->plan.priority, part);
	if (!part)
		/* No waiters: for pollers, who need not know which it is. */
		kmq_waiters_offer_locked(queue, again->msgs[0]);
	else
		for (i = 0; i < count; i++)
			list_add_tail(&again->msgs[i]->link, &part->puts);
	return count;
}

static __always_inline void
kmq_put_again_place_one(struct kmq_put_again *again, struct kmq_msg *msg)
{
	struct kmq_queue *queue = again->handle->queue;

	/* Its group fields are still wanted, wherever it goes. */
	if (unlikely(again->ordered))
		kmq_msg_hold(msg);
	if (unlikely(again->part)) {
		kmq_put_admit(queue, msg, &again->known->plan, true);
		list_add_tail(&msg->link, &again->part->puts);
	} else if (!queue->waiters.quick || !kmq_put_again_pass(again, msg)) {
		kmq_put_admit(queue, msg, &again->known->plan, false);
		kmq_waiters_offer_locked(queue, msg);
	}
}

/*
 * One by one, as somebody waits for them or they belong to groups. Return: how
 * many the queue took.
 */
static u32 kmq_put_again_place_each(struct kmq_put_again *again, u32 count)
{
	struct kmq_queue *queue = again->handle->queue;
	u32 done = 0;

	do {
		kmq_put_again_place_one(again, again->msgs[done]);
	} while (++done < count && !kmq_put_refused(queue));
	return done;
}

/* All messages made, in order. Return: how many the queue took. */
static u32 kmq_put_again_place(struct kmq_put_again *again, u32 count)
{
	struct kmq_queue *queue = again->handle->queue;
	u32 i, done = 0;

	again->woken_count = 0;
	kmq_queue_lock_beside(queue);
	if (unlikely(kmq_put_refused(queue)))
		goto unlock;
	if ((queue->waiters.total && !again->part) || unlikely(again->ordered))
		done = kmq_put_again_place_each(again, count);
	else
		done = kmq_put_again_place_run(again, count);
unlock:
	mutex_unlock(&queue->lock);
	for (i = 0; i < again->woken_count; i++)
		kmq_waiter_let_go(again->woken[i]);
	for (i = done; i < count; i++)
		kmq_msg_free(again->msgs[i]);
	return done;
}

/* The unit of work lets @count more puts in. */
static bool kmq_put_again_join(struct kmq_put_again *again, u32 count)
{
	struct kmq_conn *conn = again->handle->conn;
	struct kmq_unit *uow = &conn->uow;

	again->part = NULL;
	if (!again->known->plan.syncpoint)
		return true;
	kmq_call_make_room(conn, count);
	if (uow->doomed || uow->count + count >
	    READ_ONCE(conn->qmgr->attrs.max_uncommitted_msgs))
		return false;
	again->part = kmq_uow_join(uow, again->handle->queue);
	return again->part;
}

static int kmq_put_again_context_out(const struct kmq_put_again *again,
				     const struct kmq_put *cmd)
{
	const struct kmq_context_ref *ctx = again->context;
	void __user *to = kmq_put_context_of(cmd);
	const size_t date_size = offsetof(struct kmq_md_ext, context) -
				 KMQ_CONTEXT_PARTS;

	/* The program has them before it: that was looked at. */
	if (again->known->options & KMQ_PMO_SET &&
	    again->handle->given.stored_as_given)
		return 0;
	if (ctx->dated &&
	    (kmq_words_to_user(to, ctx->date, sizeof(u64)) ||
	     kmq_words_to_user(to + sizeof(u64), ctx->time, sizeof(u64))))
		return -EFAULT;
	return kmq_words_to_user(to + date_size, &ctx->c, sizeof(ctx->c));
}

/* Identifier, sequence, offset and flags; OriginalLength is as it was given. */
static int kmq_put_again_group_out(const struct kmq_put *cmd,
				   const struct kmq_msg *msg)
{
	void __user *to = u64_to_user_ptr(cmd->ext);
	const size_t flags = offsetof(struct kmq_md_ext, msg_flags);

	BUILD_BUG_ON(offsetof(struct kmq_md_ext, group_id) ||
		     offsetofend(struct kmq_member, offset) -
		     offsetof(struct kmq_member, id) != flags);
	if (kmq_words_to_user(to, msg->member->id, flags))
		return -EFAULT;
	return put_user(msg->msg_flags, (u32 __user *)(to + flags));
}

/*
 * Group fields, reply-to names that were replaced, a context that is not the
 * connection's; like in any put, they may not get there. Return: those that did.
 */
static u32 kmq_put_again_parts(const struct kmq_put_again *again,
			       const struct kmq_put *cmd,
			       const struct kmq_msg *msg, u32 parts)
{
	int err = cmd->ext ? 0 : -EFAULT;

	if (!err && parts & KMQ_MD_GROUP)
		err = kmq_put_again_group_out(cmd, msg);
	if (!err && parts & KMQ_MD_REPLY)
		err = kmq_words_to_user(kmq_put_reply_of(cmd),
					again->handle->reply->q,
					2 * KMQ_NAME_LEN);
	if (!err && parts & KMQ_MD_CONTEXT)
		err = kmq_put_again_context_out(again, cmd);
	return err ? 0 : parts;
}

/* What the program learns of one put. Return: 0 or -EFAULT. */
static __always_inline int
kmq_put_again_answer(const struct kmq_put_again *again, u32 index)
{
	struct kmq_put __user *user = again->user + index * again->stride;
	const struct kmq_put *cmd = &again->cmds[index];
	const struct kmq_msg *msg = again->msgs[index];
	u32 parts = again->known->out_present;

	/* Only then it is held. */
	if (unlikely(again->ordered) && msg->member)
		parts |= KMQ_MD_GROUP;
	if (unlikely(parts))
		parts = kmq_put_again_parts(again, cmd, msg, parts);
	if (!user_write_access_begin(user, sizeof(*user)))
		return -EFAULT;
	unsafe_put_user(MQCC_OK, &user->out_comp_code, fault);
	unsafe_put_user(MQRC_NONE, &user->out_reason, fault);
	kmq_put_area(&user->md, &again->known->stored, KMQ_MD_HEAD, fault);
	kmq_put_area(user->md.msg_id, cmd->md.msg_id,
		     sizeof(cmd->md) - KMQ_MD_HEAD, fault);
	unsafe_put_user(parts, &user->out_present, fault);
	unsafe_put_user(unlikely(again->context->dated) ? 0 : again->time,
			&user->out_put_time, fault);
	unsafe_put_user(again->context->id, &user->out_ctx_id, fault);
	user_write_access_end();
	return 0;

fault:
	user_write_access_end();
	return -EFAULT;
}

/* The handle goes on behind the messages that were put, which are let go. */
static noinline void kmq_put_again_retain(struct kmq_put_again *again,
					  u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		kmq_put_again_follow(again, &again->handle->put,
				     again->msgs[i]);
		kmq_msg_drop(again->msgs[i]);
	}
}

static u32 kmq_put_again_run(struct kmq_put_again *again)
{
	struct kmq_unit *uow = &again->handle->conn->uow;
	u32 i, done;

	i = kmq_put_again_make_all(again);
	if (!i)
		return 0;
	done = kmq_put_again_place(again, i);
	if (done && again->part) {
		uow->count += done;
		kmq_uow_use_put(uow, again->handle);
	}
	/* They have been made, whether that can be told or not. */
	for (i = 0; i < done && !again->err; i++)
		again->err = kmq_put_again_answer(again, i);
	if (unlikely(again->ordered))
		kmq_put_again_retain(again, done);
	return done;
}

/**
 * kmq_call_put_again - make puts that are like the last one of the handle
 * @again: the puts, in order
 *
 * Return: how many of the first ones have been made, all with MQCC_OK; the next
 * one, if any, has had no effect and needs kmq_call_put().
 */
u32 kmq_call_put_again(struct kmq_put_again *again)
{
	struct kmq_handle *handle = again->handle;
	u32 done = 0;

	again->err = 0;
	if (unlikely(kmq_call_begin(handle->conn)))
		return 0;
	again->known = &handle->known_put;
	if (likely(!handle->closed && kmq_put_knows(handle) &&
		   kmq_put_again_join(again, again->count))) {
		again->context = kmq_put_again_context(handle);
		again->time = ktime_get_coarse_real_ns();
		again->last = &handle->put;
		again->ordered = again->known->present & KMQ_MD_GROUP ||
				 kmq_retained_is_begun(again->last);
		done = kmq_put_again_run(again);
	}
	kmq_call_end(handle->conn);
	return done;
}
