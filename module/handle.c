// SPDX-License-Identifier: GPL-2.0
/*
 * Handles: what a program holds between MQOPEN and MQCLOSE.
 */
#include <linux/sched.h>
#include <linux/slab.h>
#include "conn.h"
#include "context.h"
#include "handle.h"
#include "mark.h"
#include "queue.h"
#include "notify.h"
#include "qmgr.h"

/**
 * kmq_retained_follow - the group information that a message leaves which is got
 * @last: group information, from before it was got
 * @msg: the message
 * @logical: in logical order
 * @syncpoint: in the unit of work
 *
 * G-ORD-2; of puts see kmq_put_retain().
 */
void kmq_retained_follow(struct kmq_retained *last, const struct kmq_msg *msg,
			 bool logical, bool syncpoint)
{
	const struct kmq_member *member = msg->member;
	u32 flags = msg->msg_flags;

	last->logical = logical;
	last->syncpoint = syncpoint;
	last->report = kmq_msg_is_report(msg);
	kmq_retained_set_flags(last, flags);
	if (!member)
		return;
	memcpy(last->group_id, member->id, KMQ_ID_LEN);
	last->seq = member->seq;
	last->next_offset = (s64)member->offset +
			    (flags & MQMF_SEGMENT ? kmq_segment_length(msg) : 0);
}

/**
 * kmq_handle_alloc - make a handle
 * @conn: connection
 * @queue: queue
 * @may: KMQ_MAY_*
 *
 * The caller links it to both and counts it.
 *
 * Return: the handle, or NULL.
 */
struct kmq_handle *kmq_handle_alloc(struct kmq_conn *conn,
				    struct kmq_queue *queue, u32 may)
{
	struct kmq_handle *handle = kzalloc(sizeof(*handle),
					    GFP_KERNEL_ACCOUNT);

	if (!handle)
		return NULL;
	handle->conn = kmq_conn_get(conn);
	handle->queue = kmq_queue_get(queue);
	handle->named = kmq_queue_get(queue);
	handle->may = may;
	handle->put_plan = handle->put_plans;
	INIT_LIST_HEAD(&handle->conn_link);
	INIT_LIST_HEAD(&handle->uow_link);
	INIT_LIST_HEAD(&handle->locked);
	INIT_LIST_HEAD(&handle->marks);
	return handle;
}

/**
 * kmq_handle_set_named - say through which definition a queue was opened
 * @handle: new handle
 * @named: alias of its queue
 */
void kmq_handle_set_named(struct kmq_handle *handle, struct kmq_queue *named)
{
	kmq_queue_put(handle->named);
	/* Who lists the handles of the queue looks at it at any time. */
	WRITE_ONCE(handle->named, kmq_queue_get(named));
	atomic_inc(&named->named_by);
}

static bool kmq_handle_less(const struct rb_node *a, const struct rb_node *b)
{
	return kmq_handle_of_node(a)->number < kmq_handle_of_node(b)->number;
}

/**
 * kmq_handle_join_locked - a new handle becomes one of its queue's
 * @handle: handle; its queue is locked
 */
void kmq_handle_join_locked(struct kmq_handle *handle)
{
	struct kmq_queue *queue = handle->queue;

	lockdep_assert_held(&queue->lock);
	handle->number = ++queue->last_handle;
	kmq_tree_add(&queue->handles, &handle->queue_node, kmq_handle_less);
}

/**
 * kmq_handle_behind_locked - the handle of a queue that was opened next
 * @queue: the queue, locked
 * @number: number of a handle, which may be gone; 0: begin
 *
 * Return: the first one with a greater number, or NULL.
 */
struct kmq_handle *kmq_handle_behind_locked(const struct kmq_queue *queue,
					    u64 number)
{
	struct rb_node *node = queue->handles.root.rb_node;
	struct kmq_handle *found = NULL;

	lockdep_assert_held(&queue->lock);
	while (node) {
		struct kmq_handle *handle = kmq_handle_of_node(node);

		if (handle->number > number) {
			found = handle;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return found;
}

/**
 * kmq_handle_release_locked - make messages that were locked visible to all
 * @handle: handle that had locked them
 * @msgs: the messages, by kmq_msg.link
 */
void kmq_handle_release_locked(struct kmq_handle *handle,
			       struct list_head *msgs)
{
	struct kmq_queue *queue = handle->queue;
	struct kmq_msg *msg;

	lockdep_assert_held(&queue->lock);
	list_for_each_entry(msg, msgs, link) {
		queue->locked--;
		kmq_queue_insert_locked(queue, msg);
		cond_resched();
	}
	kmq_queue_offer_locked(queue, msgs);
}

/**
 * kmq_handle_unlock_locked - end the lock of a handle (G-LCK-9, G-LCK-11)
 * @handle: handle
 *
 * Return: false if it had none.
 */
bool kmq_handle_unlock_locked(struct kmq_handle *handle)
{
	LIST_HEAD(msgs);

	lockdep_assert_held(&handle->queue->lock);
	if (list_empty(&handle->locked))
		return false;
	list_splice_init(&handle->locked, &msgs);
	kmq_handle_release_locked(handle, &msgs);
	return true;
}

/* The signal of a handle, which is not posted any more; to be freed, or NULL. */
static struct kmq_signal *
kmq_handle_take_signal_locked(struct kmq_handle *handle)
{
	struct kmq_signal *signal = handle->signal;

	lockdep_assert_held(&handle->queue->lock);
	handle->signal = NULL;
	if (signal && handle->signal_status == KMQ_SIGNAL_OUTSTANDING)
		kmq_waiter_del_locked(handle->queue, &signal->waiter);
	handle->signal_status = KMQ_SIGNAL_NONE;
	return signal;
}

/**
 * kmq_handle_drop_signal - end the signal of a handle without posting it (G-SIG-9)
 * @handle: handle; no call of it is under way
 */
void kmq_handle_drop_signal(struct kmq_handle *handle)
{
	struct kmq_queue *queue = handle->queue;
	struct kmq_signal *signal;

	kmq_queue_lock_beside(queue);
	signal = kmq_handle_take_signal_locked(handle);
	mutex_unlock(&queue->lock);
	if (signal)
		kmq_signal_free(signal);
}

/* Return: false if another one has ended it, or is about to. */
static bool kmq_handle_begin_close(struct kmq_handle *handle)
{
	struct kmq_queue *queue = handle->queue;
	struct kmq_signal *signal;
	bool closed;

	kmq_queue_lock_beside(queue);
	closed = handle->closed;
	WRITE_ONCE(handle->closed, true);
	/* Before its locks, or it would be posted for what they held. */
	signal = kmq_handle_take_signal_locked(handle);
	mutex_unlock(&queue->lock);
	if (signal)
		kmq_signal_free(signal);
	return !closed;
}

/*
 * The co-operative marks end with the last co-operating handle. As long as that is
 * the one that is being closed nobody asks for them: some go at a time.
 */
static void kmq_handle_drop_co_op(struct kmq_handle *handle)
{
	struct kmq_queue *queue = handle->queue;
	bool done;

	do {
		kmq_queue_lock(queue);
		done = queue->co_op_handles > 1 ||
		       kmq_marks_drop_some(queue, &queue->co_op_marks);
		mutex_unlock(&queue->lock);
		cond_resched();
	} while (!done);
}

/* So do its own, which mean nothing to others. */
static void kmq_handle_drop_marks(struct kmq_handle *handle)
{
	struct kmq_queue *queue = handle->queue;
	bool done;

	do {
		kmq_queue_lock(queue);
		done = kmq_marks_drop_some(queue, &handle->marks);
		mutex_unlock(&queue->lock);
		cond_resched();
	} while (!done);
}

/* What is left when nobody co-operates any more, if anything. */
static void kmq_handle_end_co_op_locked(struct kmq_handle *handle)
{
	struct kmq_queue *queue = handle->queue;

	if (!(handle->may & KMQ_CO_OP) || --queue->co_op_handles)
		return;
	while (!kmq_marks_drop_some(queue, &queue->co_op_marks))
		;
}

/**
 * kmq_handle_leave_queue - end what a handle has at its queue
 * @handle: handle; no call of it is under way. Nothing happens if it has ended
 *
 * Its lock, marks and signal end. The last close for input may cause a trigger
 * message. The call lock of the connection is not needed.
 */
void kmq_handle_leave_queue(struct kmq_handle *handle)
{
	struct kmq_queue *queue = handle->queue;
	enum kmq_due due = KMQ_DUE_NONE;
	struct kmq_msg *spares = NULL;
	bool last, marks;

	if (!kmq_handle_begin_close(handle))
		return;
	if (handle->on_close)
		handle->on_close(handle);
	if (handle->may & KMQ_CO_OP)
		kmq_handle_drop_co_op(handle);

	kmq_queue_lock(queue);
	kmq_tree_del(&queue->handles, &handle->queue_node);
	if (handle->may & KMQ_MAY_GET) {
		queue->open_input--;
		queue->exclusive_input = false;
	}
	if (handle->may & KMQ_MAY_PUT)
		queue->open_output--;
	/* Only those who are closed, too, could have waited for these. */
	kmq_handle_end_co_op_locked(handle);
	kmq_handle_unlock_locked(handle);
	marks = !list_empty(&handle->marks);
	/* O-TRIG-3; without an input handle there is nothing to be closed. */
	if (unlikely(queue->watch) && handle->may & KMQ_MAY_GET &&
	    queue->qmgr->trigger)
		due = kmq_trigger_state_locked(queue);
	last = kmq_tree_empty(&queue->handles);
	if (last)
		spares = kmq_msg_spares_get(&queue->spares);
	mutex_unlock(&queue->lock);

	if (unlikely(marks))
		kmq_handle_drop_marks(handle);
	kmq_msg_spares_free(spares);
	if (last)
		kmq_group_spare_free(&queue->store);
	if (due)
		queue->qmgr->trigger(queue);
}

static void kmq_handle_free_plans(struct kmq_handle *handle)
{
	u32 i;

	for (i = 0; i < KMQ_PUT_PLANS; i++)
		if (handle->put_plans[i].reply)
			kmq_reply_put(handle->put_plans[i].reply);
}

/**
 * kmq_handle_close - end a handle (O-CLOSE-6, G-CLO-1)
 * @handle: handle; its connection's call lock is held. Nothing happens if it has
 *	ended
 *
 * The unit of work goes on without it.
 */
void kmq_handle_close(struct kmq_handle *handle)
{
	lockdep_assert_held(&handle->conn->call);
	kmq_handle_leave_queue(handle);
	if (list_empty(&handle->conn_link))
		return;
	kmq_uow_leave(handle);
	list_del_init(&handle->conn_link);
	handle->conn->handle_count--;
}

/**
 * kmq_handle_free - free a handle that is closed, or was never linked
 * @handle: handle
 */
void kmq_handle_free(struct kmq_handle *handle)
{
	kmq_window_free(handle->window);
	if (handle->saved_context)
		kmq_context_put(handle->saved_context);
	kmq_handle_free_plans(handle);
	if (handle->given.ref)
		kmq_context_put(handle->given.ref);
	if (handle->route)
		handle->release_route(handle->route);
	if (handle->named != handle->queue)
		atomic_dec(&handle->named->named_by);
	kmq_queue_put(handle->named);
	kmq_queue_put(handle->queue);
	kmq_conn_put(handle->conn);
	kfree(handle);
}
