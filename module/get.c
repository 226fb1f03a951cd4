// SPDX-License-Identifier: GPL-2.0
/*
 * MQGET (get.md): what a get needs before it begins, and the way the message takes
 * to the program.
 */
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/ktime.h>
#include "compat.h"
#include "event.h"
#include "get.h"
#include "limits.h"
#include "qmgr.h"
#include "queue.h"
#include "report.h"
#include "route.h"
#include "notify.h"

#define KMQ_GMO_BROWSE	(MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT | \
			 MQGMO_BROWSE_MSG_UNDER_CURSOR)

/* Marks the get may have to set, got before any lock is taken. */
static int kmq_get_prepare_marks(struct kmq_getting *get)
{
	u32 options = get->call->cmd->options;
	struct kmq_take *take = &get->take;

	take->unmark[KMQ_MARK_HANDLE] = options & MQGMO_UNMARK_BROWSE_HANDLE;
	take->unmark[KMQ_MARK_CO_OP] = options & MQGMO_UNMARK_BROWSE_CO_OP;
	if (options & MQGMO_MARK_BROWSE_HANDLE) {
		take->mark[KMQ_MARK_HANDLE] = kmq_mark_alloc();
		if (!take->mark[KMQ_MARK_HANDLE])
			return -ENOMEM;
	}
	if (options & MQGMO_MARK_BROWSE_CO_OP) {
		take->mark[KMQ_MARK_CO_OP] = kmq_mark_alloc();
		if (!take->mark[KMQ_MARK_CO_OP])
			return -ENOMEM;
	}
	return 0;
}

/* Marks that were not used. */
static void kmq_get_free_marks(struct kmq_getting *get)
{
	enum kmq_mark_kind kind;

	for (kind = 0; kind < KMQ_MARK_KINDS; kind++)
		if (!get->take.marked[kind])
			kfree(get->take.mark[kind]);
}

/**
 * kmq_get_prepare - make up what a get needs
 * @get: the get, to be filled in
 * @call: the call, checked
 *
 * Marks it may have to set belong to the caller, see kmq_get_free_marks().
 *
 * Return: 0 or -ENOMEM. A removing get whose unit of work has a part for the queue
 * needs no memory.
 */
int kmq_get_prepare(struct kmq_getting *get, struct kmq_get_call *call)
{
	struct kmq_handle *handle = call->handle;
	struct kmq_take *take = &get->take;
	u32 options = call->cmd->options;
	const struct kmq_retained *last;

	memset(get, 0, offsetof(struct kmq_getting, take.few));
	get->call = call;
	kmq_take_init(take, handle);
	take->judge = kmq_get_judge;
	get->browse = options & KMQ_GMO_BROWSE;
	get->cursor = options & (MQGMO_MSG_UNDER_CURSOR |
				 MQGMO_BROWSE_MSG_UNDER_CURSOR);
	get->logical = options & MQGMO_LOGICAL_ORDER;
	get->match = call->cmd->match_options;
	last = kmq_get_retained(get);
	get->continuing = get->logical && !get->cursor &&
			  !(options & MQGMO_BROWSE_FIRST) &&
			  (last->in_group || last->in_msg);
	take->remove = !get->browse;
	take->lock = options & MQGMO_LOCK;
	take->whole = options & MQGMO_COMPLETE_MSG;
	take->own_puts = options & (MQGMO_SYNCPOINT |
				    MQGMO_SYNCPOINT_IF_PERSISTENT);
	take->own_persistent = options & MQGMO_SYNCPOINT_IF_PERSISTENT;
	/* G-LCK-5, G-LCK-8 */
	take->release_locks = get->browse && !(get->cursor && take->lock);
	take->mark_shown = call->cmd->gmo_version >= 3;
	if (take->own_puts) {
		take->uow = kmq_uow_join(&handle->conn->uow, handle->queue);
		if (!take->uow)
			return -ENOMEM;
	}
	return kmq_get_prepare_marks(get);
}

/* Lines 15 to 18: made again after each wait (G-VAL-1). */
static u32 kmq_get_check_state(const struct kmq_getting *get)
{
	const struct kmq_handle *handle = get->call->handle;
	const struct kmq_queue *queue = handle->queue;
	u32 options = get->call->cmd->options;
	u32 state = READ_ONCE(queue->qmgr->state);

	if (queue->deleted)
		return MQRC_Q_DELETED;
	if (unlikely(handle->generation !=
		     kmq_handle_generation(handle)))
		return MQRC_OBJECT_CHANGED;
	if (options & (MQGMO_WAIT | MQGMO_SET_SIGNAL) && !get->cursor &&
	    handle->signal_status == KMQ_SIGNAL_OUTSTANDING)
		return MQRC_SIGNAL_OUTSTANDING;
	if (unlikely(state == KMQ_QMGR_STOPPING))
		return MQRC_Q_MGR_STOPPING;
	if (unlikely(state == KMQ_QMGR_QUIESCING) &&
	    options & MQGMO_FAIL_IF_QUIESCING)
		return MQRC_Q_MGR_QUIESCING;
	if (unlikely(READ_ONCE(handle->conn->quiescing)) &&
	    options & MQGMO_FAIL_IF_QUIESCING)
		return MQRC_CONNECTION_QUIESCING;
	if (queue->attrs.inhibit_get ||
	    READ_ONCE(handle->named->attrs.inhibit_get))
		return MQRC_GET_INHIBITED;
	return MQRC_NONE;
}

/* Lines 19 to 21 */
static u32 kmq_get_check_before(const struct kmq_getting *get)
{
	const struct kmq_handle *handle = get->call->handle;
	const struct kmq_get *cmd = get->call->cmd;
	const struct kmq_unit *uow = &handle->conn->uow;
	u32 options = cmd->options;
	enum kmq_order_mode mode = get->logical ? KMQ_ORDER_LOGICAL :
						  KMQ_ORDER_PHYSICAL;

	if (options & MQGMO_SYNCPOINT) {
		if (uow->doomed)
			return MQRC_BACKED_OUT;
		if (options & MQGMO_MARK_SKIP_BACKOUT && uow->has_mark)
			return MQRC_SECOND_MARK_NOT_ALLOWED;
		if (uow->count >= READ_ONCE(handle->conn->qmgr->attrs.max_uncommitted_msgs))
			return MQRC_SYNCPOINT_LIMIT_REACHED;
	}
	if (get->cursor)
		return handle->cursor ? MQRC_NONE : MQRC_NO_MSG_UNDER_CURSOR;
	if (options & MQGMO_BROWSE_NEXT &&
	    handle->order_mode != KMQ_ORDER_UNSET && handle->order_mode != mode)
		return MQRC_INCONSISTENT_BROWSE;
	if (!get->logical)
		return MQRC_NONE;
	if (get->continuing) {
		/* With IF_PERSISTENT it is known once the message is. */
		if (!get->browse && !(options & MQGMO_SYNCPOINT_IF_PERSISTENT) &&
		    !(options & MQGMO_SYNCPOINT) ==
		    handle->removed.syncpoint)
			return MQRC_INCONSISTENT_UOW;
		return MQRC_NONE;
	}
	/* G-MAT-5 */
	if ((get->match & MQMO_MATCH_MSG_SEQ_NUMBER &&
	     get->call->ext->msg_seq_number != 1) ||
	    (get->match & MQMO_MATCH_OFFSET && get->call->ext->offset))
		return MQRC_MATCH_OPTIONS_ERROR;
	return MQRC_NONE;
}

/* G-SIG-2: nothing there, so leave a signal. */
static u32 kmq_get_set_signal(struct kmq_getting *get,
			      struct kmq_signal **signal)
{
	const struct kmq_get *cmd = get->call->cmd;
	s64 interval = cmd->wait_interval;

	if (!uid_valid((*signal)->payer) ||
	    kmq_waiters_signals(&get->call->handle->queue->waiters) >=
	    KMQ_MAX_SIGNALS)
		return MQRC_RESOURCE_PROBLEM;
	kmq_signal_set_locked(*signal, &get->take.want,
			      kmq_get_waiter_set(&get->take) == KMQ_WAIT_BROWSE,
			      cmd->options & MQGMO_FAIL_IF_QUIESCING,
			      interval == MQWI_UNLIMITED ? 0 : interval);
	*signal = NULL;
	return MQRC_SIGNAL_REQUEST_ACCEPTED;
}

/* Of segments that are irregular so many are judged at one go, to begin with. */
#define KMQ_GET_SETTLE	4096

/* Is all there that a search for the get takes? @steps: how much may be judged. */
static bool kmq_get_is_ready(const struct kmq_getting *get,
			     struct kmq_store *store, u32 steps)
{
	const struct kmq_search *want = &get->take.want;

	if (unlikely(!kmq_store_is_ready(store, want->flags)) &&
	    !kmq_store_index_msg_ids(store, KMQ_AT_ONCE))
		return false;
	return likely(!want->min_level) || kmq_groups_settle(store, steps);
}

/*
 * Lock the queue, ready for a search. A get for a MsgId has first to see to the
 * index of these, one that asks for something complete to what changed among
 * irregular segments. However much that is, others have their turn meanwhile; as
 * they can change more segments, each go at these is longer than the last.
 *
 * Return: 0, or -EINTR, with nothing locked: the caller was killed.
 */
static int kmq_get_lock(struct kmq_getting *get)
{
	struct kmq_queue *queue = get->call->handle->queue;
	u32 steps = KMQ_GET_SETTLE;

	kmq_queue_lock(queue);
	while (unlikely(!kmq_get_is_ready(get, &queue->store, steps))) {
		mutex_unlock(&queue->lock);
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
		steps = min_t(u64, 2ULL * steps, U32_MAX);
		kmq_queue_lock(queue);
	}
	return 0;
}

/* Is there no message for the get, as far as it can see now? */
static bool kmq_get_finds_none(const struct kmq_getting *get,
			       enum kmq_take_result result)
{
	if (result == KMQ_TAKE_DONE)
		return get->take.verdict == KMQ_REFUSE &&
		       get->reason == MQRC_NO_MSG_AVAILABLE;
	return result == KMQ_TAKE_NONE;
}

/*
 * Find a message, waiting for it if the get says so.
 *
 * Return: 0: *@reason is set, or the take is done; a negative errno.
 */
static int kmq_get_find(struct kmq_getting *get, struct kmq_signal **signal,
			u32 *reason)
{
	struct kmq_handle *handle = get->call->handle;
	struct kmq_queue *queue = handle->queue;
	enum kmq_take_result result;
	struct kmq_waiter waiter kmq_uninit;
	int err;

	for (;;) {
		err = kmq_get_lock(get);
		if (unlikely(err))
			return err;
		*reason = kmq_get_check_state(get);
		if (!*reason)
			*reason = kmq_get_check_before(get);
		if (unlikely(*reason)) {
			/* The next one has to be told the same. */
			handle->known_get.valid = false;
			break;
		}
		result = kmq_take_try_locked(queue, &get->take);
		/* G-LCK-6, G-LCK-7: whether it ends so now or waits first. */
		if (get->browse && !get->cursor &&
		    kmq_get_finds_none(get, result))
			kmq_handle_unlock_locked(handle);
		if (result == KMQ_TAKE_DONE)
			break;
		if (result == KMQ_TAKE_ROOM) {
			mutex_unlock(&queue->lock);
			err = kmq_take_grow(&get->take);
			if (err)
				return err;
			continue;
		}
		if (get->cursor) {
			*reason = MQRC_NO_MSG_UNDER_CURSOR;
			break;
		}
		if (*signal) {
			*reason = kmq_get_set_signal(get, signal);
			break;
		}
		if (get->call->nonblocking || !kmq_get_waits(get->call->cmd)) {
			*reason = MQRC_NO_MSG_AVAILABLE;
			break;
		}
		waiter.want = &get->take.want;
		waiter.take = &get->take;
		waiter.quick = NULL;
		err = kmq_get_wait(handle, get->call->cmd, &waiter,
				   kmq_get_waiter_set(&get->take));
		if (err == -ETIMEDOUT) {
			*reason = MQRC_NO_MSG_AVAILABLE;
			return 0;
		}
		if (err)
			return err;
		if (waiter.state == KMQ_WAIT_SERVED)
			return 0;
		if (waiter.state == KMQ_WAIT_CANCELED) {
			*reason = kmq_get_cancel_reason(&waiter);
			return 0;
		}
	}
	mutex_unlock(&queue->lock);
	return 0;
}

/* G-MSB-1, G-MSB-6 */
static void kmq_get_mark_skip(struct kmq_getting *get)
{
	struct kmq_handle *handle = get->call->handle;
	struct kmq_unit *uow = &handle->conn->uow;
	u32 i;

	if (!(get->call->cmd->options & MQGMO_MARK_SKIP_BACKOUT)) {
		if (uow->marked_handle == handle)
			uow->marked_is_last = false;
		return;
	}
	for (i = 0; i < get->take.count; i++)
		get->take.msgs[i]->skip_backout = true;
	uow->has_mark = true;
	uow->marked_is_last = true;
	uow->marked_handle = handle;
	uow->marked = handle->removed;
}

/* G-RC-2 */
static void kmq_get_result(struct kmq_getting *get)
{
	struct kmq_get *cmd = get->call->cmd;

	if (get->take.verdict == KMQ_SHOW)
		kmq_warn(cmd, MQRC_TRUNCATED_MSG_FAILED);
	else if (get->take.run == KMQ_RUN_CCSID)
		kmq_warn(cmd, MQRC_INCONSISTENT_CCSIDS);
	else if (get->take.run == KMQ_RUN_ENCODING)
		kmq_warn(cmd, MQRC_INCONSISTENT_ENCODINGS);
	else if (get->warning)
		kmq_warn(cmd, get->warning);
	else if (get->truncated)
		kmq_warn(cmd, MQRC_TRUNCATED_MSG_ACCEPTED);
	else
		kmq_ok(cmd);
}

/* G-REP-1..3: a report of delivery, not visible yet. Return: 0 or the reason. */
static u32 kmq_get_report(struct kmq_getting *get)
{
	const struct kmq_take *take = &get->take;
	struct kmq_report_on on;

	if (likely(take->verdict != KMQ_ACCEPT || !take->remove ||
		   !kmq_get_wants_report(take)))
		return MQRC_NONE;
	kmq_uow_init(&get->reports);
	kmq_report_on_one(&on, take->msgs);
	if (take->whole && take->msgs[0]->msg_flags & MQMF_SEGMENT) {
		on.count = take->count;
		on.msg_flags = get->call->cmd->out_msg_flags;
		on.original_length = take->length;
	}
	get->report_count = 1;
	return kmq_report_put(take->handle->conn->qmgr, &on, KMQ_REPORT_COD,
			      &get->reports, get->call->cmd->options &
			      MQGMO_MARK_SKIP_BACKOUT);
}

/* The reports become visible with the get, or go with it. */
static void kmq_get_end_reports(struct kmq_getting *get, bool ok)
{
	struct kmq_unit *uow = &get->call->handle->conn->uow;

	if (likely(list_empty(&get->reports.queues)))
		return;
	if (!ok) {
		kmq_uow_backout(&get->reports, false);
	} else if (get->take.syncpoint) {
		kmq_uow_merge(uow, &get->reports);
		uow->count += get->report_count;
	} else {
		kmq_uow_commit(&get->reports);
	}
}

/* Everything the program is given, while it can still be undone. */
static int kmq_get_hand_out(struct kmq_getting *get)
{
	struct kmq_take *take = &get->take;
	struct kmq_get_call *call = get->call;
	u32 length = call->cmd->length;
	u32 room = length > get->header ? length - get->header : 0;
	u32 header = min(length, get->header);
	u32 reason;
	int err;

	kmq_get_return(get);
	/* First, as a report that cannot be made leaves the buffer alone. */
	reason = kmq_get_report(get);
	if (unlikely(reason))
		return kmq_fail(call->cmd, reason) ?: 1;
	/* The place of the MQMDE must be writable, too (G-PAR-6). */
	if ((header && iov_iter_zero(header, &call->data) != header) ||
	    kmq_take_copy_out(take, min_t(u64, take->length, room),
			      &call->data))
		return kmq_fail(call->cmd, MQRC_BUFFER_ERROR) ?: 1;
	kmq_get_result(get);
	err = call->publish ? call->publish(call) : 0;
	/* Killed meanwhile: nobody has seen the message. */
	if (!err && take->remove && fatal_signal_pending(current))
		err = -EINTR;
	return err;
}

/*
 * The way out: data, descriptor, and what the handle keeps.
 *
 * Return: 0: the result is set; a negative errno.
 */
static int kmq_get_deliver(struct kmq_getting *get)
{
	struct kmq_take *take = &get->take;
	int err;

	INIT_LIST_HEAD(&get->reports.queues);
	err = kmq_get_hand_out(get);
	if (err) {
		kmq_take_finish(take, false);
		kmq_get_end_reports(get, false);
		return min(err, 0);
	}
	if (take->verdict == KMQ_ACCEPT) {
		/* The next message may be such a one, too: do not try in vain. */
		if (take->handle->known_get.valid &&
		    !kmq_get_can_have(get->call->cmd, take->msgs[0]))
			take->handle->known_get.valid = false;
		kmq_get_retain(get);
		if (take->remove && take->syncpoint)
			take->handle->conn->uow.count += take->count;
		if (take->remove)
			kmq_get_mark_skip(get);
	}
	kmq_take_finish(take, true);
	kmq_get_end_reports(get, true);
	return 0;
}

/* G-LCK-9 */
static int kmq_get_unlock(struct kmq_get_call *call)
{
	struct kmq_queue *queue = call->handle->queue;
	bool had;

	kmq_queue_lock(queue);
	had = kmq_handle_unlock_locked(call->handle);
	mutex_unlock(&queue->lock);
	return had ? kmq_ok(call->cmd) :
		     kmq_warn(call->cmd, MQRC_NO_MSG_LOCKED);
}

/* G-SIG-10: the next MQGET on the handle ends a signal that was posted. */
static void kmq_get_end_posted_signal(struct kmq_handle *handle)
{
	struct kmq_signal *signal = NULL;

	kmq_queue_lock_beside(handle->queue);
	if (handle->signal_status != KMQ_SIGNAL_OUTSTANDING) {
		signal = handle->signal;
		handle->signal = NULL;
		handle->signal_status = KMQ_SIGNAL_NONE;
	}
	mutex_unlock(&handle->queue->lock);
	if (signal)
		kmq_signal_free(signal);
}

/**
 * kmq_get_complete - the rest of a get, after the take
 * @get: the get; its take has been done, by whomever
 *
 * Return: 0: the result is set; a negative errno.
 */
int kmq_get_complete(struct kmq_getting *get)
{
	if (get->take.verdict == KMQ_REFUSE)
		return kmq_fail(get->call->cmd, get->reason);
	return kmq_get_deliver(get);
}

static int kmq_get_run(struct kmq_getting *get, struct kmq_signal **signal)
{
	struct kmq_get *cmd = get->call->cmd;
	u32 reason = MQRC_NONE;
	int err = kmq_get_find(get, signal, &reason);

	if (err)
		return err;
	if (reason == MQRC_SIGNAL_REQUEST_ACCEPTED)
		return kmq_warn(cmd, reason);
	if (reason)
		return kmq_fail(cmd, reason);
	return kmq_get_complete(get);
}

/* The eventfd of a SET_SIGNAL, before anything is locked. Return: 0 or reason. */
static u32 kmq_get_prepare_signal(struct kmq_get_call *call,
				  struct kmq_signal **signal)
{
	const struct kmq_get *cmd = call->cmd;

	*signal = NULL;
	if (!(cmd->options & MQGMO_SET_SIGNAL) ||
	    cmd->options & (MQGMO_MSG_UNDER_CURSOR |
			    MQGMO_BROWSE_MSG_UNDER_CURSOR))
		return MQRC_NONE;
	*signal = kmq_signal_alloc(call->handle, cmd->signal1);
	if (!IS_ERR(*signal))
		return MQRC_NONE;
	if (PTR_ERR(*signal) == -ENOMEM)
		return MQRC_STORAGE_NOT_AVAILABLE;
	return MQRC_SIGNAL1_ERROR;
}

/* From line 12 on. */
static int kmq_get_locked(struct kmq_get_call *call)
{
	struct kmq_getting get kmq_uninit;
	struct kmq_signal *signal;
	u32 reason;
	int err;

	reason = kmq_get_prepare_signal(call, &signal);
	if (reason)
		return kmq_fail(call->cmd, reason);
	err = kmq_get_prepare(&get, call);
	if (!err) {
		kmq_get_want(&get);
		err = kmq_get_run(&get, &signal);
	}
	if (unlikely(get.take.mark[KMQ_MARK_HANDLE] ||
		     get.take.mark[KMQ_MARK_CO_OP]))
		kmq_get_free_marks(&get);
	if (unlikely(get.take.msgs != get.take.few))
		kmq_take_free(&get.take);
	if (signal)
		kmq_signal_free(signal);
	if (err == -ENOMEM)
		return kmq_fail(call->cmd, MQRC_STORAGE_NOT_AVAILABLE);
	return err;
}

/**
 * kmq_get_after - what a get may have brought about
 * @handle: handle; its connection is locked, no queue is
 * @cmd: the get, over
 * @err: its errno, or 0
 */
void kmq_get_after(struct kmq_handle *handle, const struct kmq_get *cmd,
		   int err)
{
	struct kmq_queue *queue = handle->queue;

	/* Expired messages the get came upon. */
	if (unlikely(!list_empty_careful(&queue->expired)))
		kmq_queue_report_expired(queue);
	if (unlikely(READ_ONCE(queue->watch)))
		kmq_event_send(queue);
	if (unlikely(cmd->out_reason == MQRC_GET_INHIBITED && !err))
		kmq_event_inhibited(handle->conn, handle->named,
				    MQRC_GET_INHIBITED);
}

static int kmq_get_checked(struct kmq_get_call *call)
{
	struct kmq_handle *handle = call->handle;
	u32 reason, changes;

	if (unlikely(handle->signal))
		kmq_get_end_posted_signal(handle);
	if (call->cmd->gmo_version == 1)
		call->cmd->match_options = MQMO_MATCH_MSG_ID |
					   MQMO_MATCH_CORREL_ID;
	changes = kmq_qmgr_changes(handle->conn->qmgr);
	handle->known_get.valid = false;
	reason = kmq_get_check(call);
	if (reason)
		return kmq_fail(call->cmd, reason);
	kmq_get_remember(call, changes);
	if (call->cmd->options & MQGMO_UNLOCK)
		return kmq_get_unlock(call);
	return kmq_get_locked(call);
}

/**
 * kmq_call_get - MQGET
 * @call: the call
 *
 * Return: 0; -EINTR if a signal ended the wait, the command has the deadline;
 * -ENOTCONN if the handle was closed.
 */
int kmq_call_get(struct kmq_get_call *call)
{
	struct kmq_conn *conn = call->handle->conn;
	u32 reason = kmq_call_begin(conn);
	int err;

	if (unlikely(reason))
		return kmq_fail(call->cmd, reason);
	if (unlikely(call->handle->closed)) {
		kmq_call_end(conn);
		return -ENOTCONN;
	}
	/* All the segments of a message may be got at once, or a report made. */
	kmq_call_make_room(conn, call->cmd->options & MQGMO_COMPLETE_MSG ?
			   U32_MAX : 2);
	err = kmq_get_checked(call);
	kmq_get_after(call->handle, call->cmd, err);
	kmq_call_end(conn);
	return err;
}

/**
 * kmq_call_signal_status - read the signal of a handle (G-SIG-10)
 * @handle: handle
 * @cmd: the command
 */
int kmq_call_signal_status(struct kmq_handle *handle,
			   struct kmq_signal_status *cmd)
{
	kmq_queue_lock_beside(handle->queue);
	cmd->out_status = handle->signal_status;
	mutex_unlock(&handle->queue->lock);
	return kmq_ok(cmd);
}
