// SPDX-License-Identifier: GPL-2.0
/*
 * MQGET: messages got like the last one of the handle.
 *
 * The counterpart of the plans of puts. A removing get with the same options and
 * versions as the last one that passed all checks is not checked again, and
 * several of them choose their messages under one lock. Messages of groups are
 * handed out like others, in logical order or not; what the handle keeps of its
 * group moves on with them. A message that needs more - it expires, is marked, is
 * too long, wants a report - is left to kmq_call_get(), and so is every get that
 * finds nothing and does not wait for it, or that must be told something about
 * its group.
 */
#include <linux/ktime.h>
#include <linux/sched/signal.h>
#include "compat.h"
#include "context.h"
#include "get.h"
#include "qmgr.h"
#include "queue.h"
#include "run.h"
#include "user.h"

#define KMQ_GMO_AGAIN	(MQGMO_WAIT | MQGMO_SYNCPOINT | MQGMO_NO_SYNCPOINT | \
			 MQGMO_ACCEPT_TRUNCATED_MSG | \
			 MQGMO_FAIL_IF_QUIESCING | MQGMO_CONVERT | \
			 KMQ_GMO_ORDER)
/* Which place in a group it must have, and how complete that must be. */
#define KMQ_GMO_ORDER	(MQGMO_LOGICAL_ORDER | MQGMO_ALL_MSGS_AVAILABLE | \
			 MQGMO_ALL_SEGMENTS_AVAILABLE)
#define KMQ_MATCH_AGAIN	(MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID)

/**
 * kmq_get_remember - a get has passed all checks
 * @call: the call
 * @changes: kmq_qmgr_changes() from before the checks
 */
void kmq_get_remember(const struct kmq_get_call *call, u32 changes)
{
	struct kmq_known_get *known = &call->handle->known_get;
	const struct kmq_get *cmd = call->cmd;

	known->valid = !(cmd->options & ~KMQ_GMO_AGAIN) &&
		       !(cmd->match_options & ~KMQ_MATCH_AGAIN) && !cmd->flags;
	known->changes = changes;
	known->options = cmd->options;
	known->match_options = cmd->match_options;
	known->gmo_version = cmd->gmo_version;
	known->md_version = cmd->md_version;
}

/* Who wants a certain place in a group waits in the general way. */
static bool kmq_get_again_can_wait(const struct kmq_get_again *again)
{
	return again->whole && kmq_get_waits(again->cmds) &&
	       !(again->cmds->options & KMQ_GMO_ORDER);
}

/* Has what is remembered anything to say? */
bool kmq_get_knows(const struct kmq_handle *handle)
{
	const struct kmq_known_get *known = &handle->known_get;

	/* Leaving a group that was begun in logical order is worth a warning. */
	if (unlikely(kmq_retained_is_begun(&handle->removed) &&
		     handle->removed.logical) &&
	    !(known->options & MQGMO_LOGICAL_ORDER))
		return false;
	return known->valid && !handle->signal &&
	       known->changes == kmq_qmgr_changes(handle->conn->qmgr);
}

static __always_inline bool kmq_get_is_same(const struct kmq_known_get *known,
					    const struct kmq_get *cmd)
{
	/* Only the first of several waits, and none of those does that here. */
	return !((known->options ^ cmd->options) & ~MQGMO_WAIT) &&
	       known->match_options == cmd->match_options &&
	       known->gmo_version == cmd->gmo_version &&
	       known->md_version == cmd->md_version && !cmd->flags &&
	       cmd->length >= 0 && (cmd->data || !cmd->length) &&
	       (cmd->wait_interval >= 0 ||
		cmd->wait_interval == MQWI_UNLIMITED);
}

/* Which of the identifiers it asks for: KMQ_WANT_* */
static __always_inline u32 kmq_get_again_flags(const struct kmq_get *cmd)
{
	u32 flags = 0;

	if (cmd->match_options & MQMO_MATCH_MSG_ID &&
	    !kmq_id_is_null(cmd->md.msg_id))
		flags |= KMQ_WANT_MSG_ID;
	if (cmd->match_options & MQMO_MATCH_CORREL_ID &&
	    !kmq_id_is_null(cmd->md.correl_id))
		flags |= KMQ_WANT_CORREL_ID;
	return flags;
}

/**
 * kmq_get_again_want - what a get asks the queue for
 * @cmd: a get that is like the last one
 * @flags: which of the identifiers it asks for
 * @want: set to its conditions
 */
void kmq_get_again_want(const struct kmq_get *cmd, u32 flags,
			struct kmq_search *want)
{
	memset(want, 0, sizeof(*want));
	want->flags = flags;
	want->msg_id = cmd->md.msg_id;
	want->correl_id = cmd->md.correl_id;
}

/* In logical order inside a group or logical message. */
static bool kmq_get_again_continues(const struct kmq_get_again *again)
{
	return again->handle->known_get.options & MQGMO_LOGICAL_ORDER &&
	       kmq_retained_is_begun(again->last);
}

/* The next one of a group, complete or not. */
static struct kmq_msg *kmq_get_again_next(const struct kmq_get_again *again)
{
	struct kmq_store *store = &again->handle->queue->store;
	struct kmq_group *group = kmq_group_find(store, again->last->group_id);

	return group ? kmq_get_next(again->last, group) : NULL;
}

/* One with a certain place, or NULL if there is none or it takes more to see. */
static struct kmq_msg *
kmq_get_again_find_ordered(const struct kmq_get_again *again,
			   const struct kmq_get *cmd, u32 flags, u32 order)
{
	struct kmq_store *store = &again->handle->queue->store;
	bool continuing = kmq_get_again_continues(again);
	struct kmq_search want;

	/* The next one is what it is (G-MAT-6), in the same unit or none. */
	if (continuing &&
	    (flags || again->last->syncpoint != !!again->part))
		return NULL;
	if (continuing && order == MQGMO_LOGICAL_ORDER)
		return kmq_get_again_next(again);
	kmq_get_again_want(cmd, flags, &want);
	kmq_get_want_order(order, again->last, continuing, &want);
	/* What has expired could be in the way (G-EXP-3). */
	if (want.min_level && !kmq_tree_empty(&store->expiring))
		return NULL;
	return kmq_search_first(store, &want);
}

static noinline struct kmq_msg *
kmq_get_again_search(const struct kmq_get_again *again,
		     const struct kmq_get *cmd, u32 flags, u32 order)
{
	struct kmq_queue *queue = again->handle->queue;
	struct kmq_search want;

	if (order)
		return kmq_get_again_find_ordered(again, cmd, flags, order);
	kmq_get_again_want(cmd, flags, &want);
	return kmq_search_first(&queue->store, &want);
}

/* The first message that suits, or NULL. */
static struct kmq_msg *kmq_get_again_find(const struct kmq_get_again *again,
					  const struct kmq_get *cmd, u32 flags)
{
	u32 order = again->handle->known_get.options & KMQ_GMO_ORDER;

	if (likely(!flags && !order))
		return kmq_store_next(&again->handle->queue->store, ~0U, 0);
	return kmq_get_again_search(again, cmd, flags, order);
}

/* The unit of work lets @count more gets in; it has put nothing that they see. */
bool kmq_get_again_join(struct kmq_get_again *again, u32 count)
{
	struct kmq_conn *conn = again->handle->conn;
	struct kmq_unit *uow = &conn->uow;

	again->part = NULL;
	if (!(again->handle->known_get.options & MQGMO_SYNCPOINT))
		return true;
	kmq_call_make_room(conn, count);
	if (uow->doomed || uow->count + count >
	    READ_ONCE(conn->qmgr->attrs.max_uncommitted_msgs))
		return false;
	again->part = kmq_uow_join(uow, again->handle->queue);
	return again->part && list_empty(&again->part->puts);
}

/**
 * kmq_get_can_have - can a get that was remembered have a message
 * @cmd: the get
 * @msg: the message
 *
 * Its group fields need an MQMD that has room for them.
 */
bool kmq_get_can_have(const struct kmq_get *cmd, const struct kmq_msg *msg)
{
	return kmq_msg_is_quiet(msg) && msg->length <= cmd->length &&
	       (msg->member ? cmd->md_version > 1 : !msg->msg_flags);
}

/* Is a get like the last one, and takes whatever comes next? */
bool kmq_get_again_takes_any(const struct kmq_handle *handle,
			     const struct kmq_get *cmd)
{
	return kmq_get_is_same(&handle->known_get, cmd) &&
	       !kmq_get_again_flags(cmd) && !(cmd->options & KMQ_GMO_ORDER) &&
	       !kmq_retained_is_begun(&handle->removed);
}

/*
 * For gets that take whatever is there: messages from the first one on, as long as
 * all is plain, at one go. Return: how many.
 */
static u32 kmq_get_again_take_run(struct kmq_get_again *again)
{
	struct kmq_queue *queue = again->handle->queue;
	struct kmq_msg **msgs = again->msgs;
	struct kmq_msg *msg = kmq_store_plain_first(&queue->store);
	u32 i;

	/* What comes next there is not the first message. */
	if (unlikely(again->ordered) &&
	    again->handle->known_get.options & MQGMO_LOGICAL_ORDER)
		return 0;
	for (i = 0; i < again->count && msg; i++) {
		const struct kmq_get *cmd = &again->cmds[i];

		if (!kmq_get_is_same(&again->handle->known_get, cmd) ||
		    kmq_get_again_flags(cmd) || !kmq_msg_is_plain(msg) ||
		    msg->length > cmd->length)
			break;
		msgs[i] = msg;
		msg = kmq_store_plain_next(msg);
	}
	if (i)
		kmq_run_take_locked(queue, msgs, i, again->part);
	return i;
}

/*
 * May a get that finds nothing wait at the queue, which is locked? Whoever changes
 * what was checked counts that, then looks for those who wait, under the lock. So
 * either it is seen here, or we are seen there.
 */
static bool kmq_get_again_may_wait(const struct kmq_get_again *again)
{
	return kmq_get_again_can_wait(again) &&
	       kmq_get_is_same(&again->handle->known_get, again->cmds) &&
	       kmq_get_knows(again->handle);
}

/* The get at @i has chosen a message; the next one goes on behind it. */
static void kmq_get_again_chosen(struct kmq_get_again *again, u32 i,
				 const struct kmq_msg *msg)
{
	if (likely(!msg->member && !again->ordered))
		return;
	again->ordered = true;
	if (i + 1 == again->count)
		return;
	again->ahead = *again->last;
	kmq_retained_follow(&again->ahead, msg,
			    again->handle->known_get.options &
			    MQGMO_LOGICAL_ORDER, again->part);
	again->last = &again->ahead;
}

/* Nothing suits the first one. Return: how many have got a message. */
static u32 kmq_get_again_wait(struct kmq_get_again *again)
{
	if (unlikely(!kmq_get_again_may_wait(again))) {
		mutex_unlock(&again->handle->queue->lock);
		return 0;
	}
	again->msgs[0] =
		kmq_get_wait_again(again, kmq_get_again_flags(again->cmds));
	return !!again->msgs[0];
}

/*
 * Take messages off the queue as long as all is plain, or wait for the first one.
 * Return: how many.
 */
static u32 kmq_get_again_take(struct kmq_get_again *again)
{
	struct kmq_handle *handle = again->handle;
	struct kmq_queue *queue = handle->queue;
	u32 i = 0;

	again->ordered = kmq_retained_is_begun(&handle->removed);
	kmq_queue_lock(queue);
	if (queue->deleted || queue->watch || queue->attrs.inhibit_get ||
	    !list_empty(&handle->locked))
		goto unlock;
	if (!queue->store.count)
		return kmq_get_again_wait(again);
	i = kmq_get_again_take_run(again);
	again->last = &handle->removed;
	for (; i < again->count; i++) {
		const struct kmq_get *cmd = &again->cmds[i];
		u32 flags = kmq_get_again_flags(cmd);
		struct kmq_msg *msg;

		if (!kmq_get_is_same(&handle->known_get, cmd))
			break;
		if (unlikely(!kmq_store_is_ready(&queue->store, flags)))
			break;
		msg = kmq_get_again_find(again, cmd, flags);
		if (!msg && !i)
			return kmq_get_again_wait(again);
		if (!msg || !kmq_get_can_have(cmd, msg))
			break;
		kmq_take_off_locked(queue, msg, again->part);
		again->msgs[i] = msg;
		kmq_get_again_chosen(again, i, msg);
	}
	if (i)
		queue->last_get_time = ktime_get_coarse_real_ns();
	if (unlikely(again->ordered) && !list_empty(&queue->store.changed))
		kmq_waiters_settle_locked(queue);
unlock:
	mutex_unlock(&queue->lock);
	return i;
}

static int kmq_get_again_group(void __user *user, const struct kmq_msg *msg)
{
	struct kmq_md_ext ext kmq_uninit;

	BUILD_BUG_ON(offsetof(struct kmq_md_ext, group_id));
	kmq_get_return_member(msg, &ext);
	return kmq_words_to_user(user, &ext,
				 offsetof(struct kmq_md_ext, reply_q));
}

/* Parts of the descriptor of a message. Return: 0 or -EFAULT. */
static int kmq_get_again_parts(void __user *user, const struct kmq_msg *msg,
			       u32 parts)
{
	if (parts & KMQ_MD_GROUP && kmq_get_again_group(user, msg))
		return -EFAULT;
	if (parts & KMQ_MD_REPLY &&
	    kmq_words_to_user(user + offsetof(struct kmq_md_ext, reply_q),
			      msg->reply->q, 2 * KMQ_NAME_LEN))
		return -EFAULT;
	if (parts & KMQ_MD_DATE &&
	    (kmq_words_to_user(user + offsetof(struct kmq_md_ext, put_date),
			       msg->context->date, sizeof(u64)) ||
	     kmq_words_to_user(user + offsetof(struct kmq_md_ext, put_time),
			       msg->context->time, sizeof(u64))))
		return -EFAULT;
	if (parts & KMQ_MD_CONTEXT &&
	    kmq_words_to_user(user + offsetof(struct kmq_md_ext, context),
			      &msg->context->c, sizeof(struct kmq_context)))
		return -EFAULT;
	return 0;
}

/* What kmq_get_return() would say of such a message. Return: 0 or -EFAULT. */
static __always_inline int
kmq_get_again_answer(const struct kmq_get_again *again, u32 index,
		     const struct kmq_msg *msg)
{
	struct kmq_get __user *user = again->user + index * again->stride;
	const struct kmq_get *cmd = &again->cmds[index];
	const struct kmq_context_ref *context = msg->context;
	u32 parts = msg->reply ? KMQ_MD_REPLY : 0;

	if (unlikely(msg->member))
		parts |= KMQ_MD_GROUP;
	if (cmd->ctx_id != context->id)
		parts |= KMQ_MD_CONTEXT;
	if (unlikely(context->dated))
		parts |= KMQ_MD_DATE;
	if (!cmd->ext)
		parts = 0;
	if (unlikely(parts) &&
	    kmq_get_again_parts(u64_to_user_ptr(cmd->ext), msg, parts))
		return -EFAULT;
	if (!user_write_access_begin(user, sizeof(*user)))
		return -EFAULT;
	unsafe_put_user(MQCC_OK, &user->out_comp_code, fault);
	unsafe_put_user(MQRC_NONE, &user->out_reason, fault);
	kmq_token_put_user(user->token, msg, fault);
	kmq_put_area(&user->md, &msg->md, sizeof(msg->md), fault);
	unsafe_put_user(context->id, &user->ctx_id, fault);
	unsafe_put_user(unlikely(context->dated) ? 0 : msg->put_time,
			&user->out_put_time, fault);
	unsafe_put_user(msg->length, &user->out_data_length, fault);
	unsafe_put_user(msg->length, &user->out_returned_length, fault);
	unsafe_put_user(parts, &user->out_present, fault);
	unsafe_put_user(0, &user->out_flags, fault);
	/* One that was shown in a window can have been got and come back since. */
	unsafe_put_user(data_race(msg->backout_count), &user->out_backout_count,
			fault);
	unsafe_put_user(msg->msg_flags, &user->out_msg_flags, fault);
	user_write_access_end();
	return 0;

fault:
	user_write_access_end();
	return -EFAULT;
}

/*
 * Everything the program is given, while it can still be undone. Return: how many
 * of the messages have reached it; the next one, if any, met again->err.
 */
u32 kmq_get_again_hand_out(struct kmq_get_again *again, u32 count)
{
	struct kmq_msg **msgs = again->msgs;
	u32 i;

	for (i = 0; i < count; i++) {
		const struct kmq_get *cmd = &again->cmds[i];

		/* If the data does not get there, the checked get says what. */
		if (kmq_msg_copy_user(msgs[i], u64_to_user_ptr(cmd->data)))
			break;
		again->err = kmq_get_again_answer(again, i, msgs[i]);
		if (unlikely(again->err))
			break;
	}
	/* Killed meanwhile: nobody has seen the messages. */
	if (unlikely(fatal_signal_pending(current))) {
		again->err = -EINTR;
		return 0;
	}
	return i;
}

/* The handle goes on behind messages that have reached the program. */
static noinline void kmq_get_again_retain(const struct kmq_get_again *again,
					  u32 count)
{
	struct kmq_handle *handle = again->handle;
	bool logical = handle->known_get.options & MQGMO_LOGICAL_ORDER;
	u32 i;

	for (i = 0; i < count; i++) {
		kmq_retained_follow(&handle->removed, again->msgs[i], logical,
				    again->part);
		if (!again->part)
			kmq_queue_leave_group(handle->queue, again->msgs[i]);
	}
}

/* Messages that have reached the program. */
static void kmq_get_again_keep(struct kmq_get_again *again, u32 count)
{
	struct kmq_msg **msgs = again->msgs;
	struct kmq_handle *handle = again->handle;
	struct kmq_unit *uow = &handle->conn->uow;
	u32 i;

	if (uow->marked_handle == handle)
		uow->marked_is_last = false;
	if (handle->may & KMQ_MAY_SAVE_CONTEXT)
		kmq_get_save_context(handle, msgs[count - 1]);
	if (again->part)
		kmq_uow_use_removed(uow, handle);
	if (unlikely(again->ordered))
		kmq_get_again_retain(again, count);
	if (!again->part) {
		kmq_msg_spares_put(&handle->queue->spares,
				   kmq_msg_retire_run(msgs, count));
		return;
	}
	uow->count += count;
	for (i = 0; i < count; i++)
		list_add_tail(&msgs[i]->link, &again->part->gets);
}

/* A message that did not reach the program. */
static noinline void kmq_get_again_undo(struct kmq_get_again *again,
					struct kmq_msg *msg)
{
	struct kmq_take take;

	kmq_take_init(&take, again->handle);
	take.remove = true;
	take.verdict = KMQ_ACCEPT;
	take.syncpoint = again->part;
	take.uow = again->part;
	take.msgs[0] = msg;
	take.count = 1;
	kmq_take_finish(&take, false);
}

static u32 kmq_get_again_run(struct kmq_get_again *again)
{
	u32 count = kmq_get_again_take(again);
	u32 i, done = 0;

	if (count)
		done = kmq_get_again_hand_out(again, count);
	if (done)
		kmq_get_again_keep(again, done);
	for (i = done; unlikely(i < count); i++)
		kmq_get_again_undo(again, again->msgs[i]);
	return done + again->over;
}

/**
 * kmq_call_get_again - carry out gets that are like the last one of the handle
 * @again: the gets, in order
 *
 * Return: how many of the first ones are over. All of these have got a message with
 * MQCC_OK, except for one that has waited: its command has the result, whatever it
 * is, unless @again->err is its errno. The next one, if any, has had no effect;
 * @again->err is its errno, or it needs kmq_call_get().
 */
u32 kmq_call_get_again(struct kmq_get_again *again)
{
	struct kmq_handle *handle = again->handle;
	u32 done = 0;

	again->err = 0;
	again->over = false;
	/* Nothing there, and it will not wait: that needs a reason. */
	if (!READ_ONCE(handle->queue->store.count) &&
	    !kmq_get_again_can_wait(again))
		return 0;
	if (unlikely(kmq_call_begin(handle->conn)))
		return 0;
	if (likely(!handle->closed && kmq_get_knows(handle) &&
		   kmq_get_again_join(again, again->count)))
		done = kmq_get_again_run(again);
	kmq_call_end(handle->conn);
	return done;
}
