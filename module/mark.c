// SPDX-License-Identifier: GPL-2.0
/*
 * Browse marks: of one handle, or of all co-operating handles of a queue.
 * Guarded by the lock of the queue.
 *
 * Each marking handle has a floor: every message in the store with a key up to
 * the floor bears its mark. A browse for unmarked messages starts behind it, so
 * a program that browses and marks one message after the other does not pass
 * over all earlier ones each time. A message that comes in below lowers it.
 */
#include <linux/slab.h>
#include <linux/ktime.h>
#include "handle.h"
#include "mark.h"
#include "queue.h"

struct kmq_mark *kmq_mark_alloc(void)
{
	return kzalloc(sizeof(struct kmq_mark), GFP_KERNEL_ACCOUNT);
}

/**
 * kmq_mark_find - the mark of a handle on a message
 * @msg: message
 * @handle: handle, or NULL for the co-operative mark
 */
struct kmq_mark *kmq_mark_find(const struct kmq_msg *msg,
			       const struct kmq_handle *handle)
{
	struct kmq_mark *mark;

	hlist_for_each_entry(mark, &msg->marks, node)
		if (mark->handle == handle)
			return mark;
	return NULL;
}

/**
 * kmq_mark_add - mark a message
 * @queue: queue of the message
 * @mark: unused mark
 * @msg: message without such a mark
 * @handle: handle, or NULL for the co-operative mark
 */
void kmq_mark_add(struct kmq_queue *queue, struct kmq_mark *mark,
		  struct kmq_msg *msg, struct kmq_handle *handle)
{
	mark->handle = handle;
	mark->msg = msg;
	mark->time = ktime_get_ns();
	hlist_add_head(&mark->node, &msg->marks);
	if (handle) {
		list_add_tail(&mark->link, &handle->marks);
		return;
	}
	list_add_tail(&mark->link, &queue->co_op_marks);
	msg->co_op_mark = true;
	if (msg->state == KMQ_MSG_AVAILABLE)
		kmq_store_refile(&queue->store, msg);
	kmq_queue_sweep_later(queue);
}

/**
 * kmq_mark_del - take a mark off and free it
 * @queue: queue of the message
 * @mark: a mark that is set
 */
void kmq_mark_del(struct kmq_queue *queue, struct kmq_mark *mark)
{
	struct kmq_msg *msg = mark->msg;

	hlist_del(&mark->node);
	list_del(&mark->link);
	if (mark->handle) {
		if (mark->handle->mark_floor >= msg->key)
			mark->handle->mark_floor = msg->key - 1;
	} else {
		msg->co_op_mark = false;
		if (msg->state == KMQ_MSG_AVAILABLE)
			kmq_store_refile(&queue->store, msg);
	}
	kfree(mark);
}

/**
 * kmq_marks_drop - take all marks off a message that was got or goes away
 * @queue: queue of the message
 * @msg: message
 */
void kmq_marks_drop(struct kmq_queue *queue, struct kmq_msg *msg)
{
	struct kmq_mark *mark;
	struct hlist_node *next;

	hlist_for_each_entry_safe(mark, next, &msg->marks, node)
		kmq_mark_del(queue, mark);
}

/**
 * kmq_marks_close - take off the marks of a handle that is closed
 * @queue: its queue
 * @handle: the handle, already taken off the list of the queue's handles; the
 *	co-operative marks go with the last co-operating one
 */
void kmq_marks_close(struct kmq_queue *queue, struct kmq_handle *handle)
{
	struct kmq_mark *mark, *next;

	list_for_each_entry_safe(mark, next, &handle->marks, link)
		kmq_mark_del(queue, mark);
	if (queue->co_op_handles)
		return;
	list_for_each_entry_safe(mark, next, &queue->co_op_marks, link)
		kmq_mark_del(queue, mark);
}

/**
 * kmq_mark_skip - where a handle's search for unmarked messages may start
 * @handle: handle
 * @from: where it would start otherwise
 *
 * Return: smallest key that will do.
 */
u64 kmq_mark_skip(struct kmq_handle *handle, u64 from)
{
	struct kmq_store *store = &handle->queue->store;
	struct kmq_msg *msg;

	for (;;) {
		msg = kmq_store_next(store, ~0U, handle->mark_floor + 1);
		if (!msg || !kmq_mark_find(msg, handle))
			break;
		handle->mark_floor = msg->key;
	}
	if (handle->queue->mark_floor < handle->mark_floor)
		handle->queue->mark_floor = handle->mark_floor;
	return max(from, handle->mark_floor + 1);
}

/**
 * kmq_mark_arrival - a message came into the store
 * @queue: the queue
 * @key: its order key
 */
void kmq_mark_arrival(struct kmq_queue *queue, u64 key)
{
	struct kmq_handle *handle;

	if (likely(key > queue->mark_floor))
		return;
	queue->mark_floor = 0;
	kmq_for_each_handle(handle, queue) {
		if (handle->mark_floor >= key)
			handle->mark_floor = key - 1;
		queue->mark_floor = max(queue->mark_floor, handle->mark_floor);
	}
}
