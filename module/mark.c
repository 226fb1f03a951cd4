// SPDX-License-Identifier: GPL-2.0
/*
 * Browse marks: of one handle, or of all co-operating handles of a queue.
 * Guarded by the lock of the queue.
 *
 * Each marking handle has a floor for each priority: every message of it in the
 * store with a key up to the floor bears the handle's mark. A browse for unmarked
 * messages goes on behind it, so a program that browses and marks one message after
 * the other does not pass over all earlier ones each time. A message that comes back
 * to its place below lowers the floor. A new one never does: it is the last of its
 * priority.
 */
#include <linux/sched.h>
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

/* A message at that place does not bear the mark of the handle. */
static void kmq_mark_lower(struct kmq_handle *handle, u64 key)
{
	u64 *floor = &handle->mark_floor[kmq_key_rank(key)];

	if (*floor >= key)
		*floor = key - 1;
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
		kmq_mark_lower(mark->handle, msg->key);
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
 * kmq_marks_drop_some - take off some of a list of marks
 * @queue: the queue
 * @marks: marks, by kmq_mark.link
 *
 * Return: were these all?
 */
bool kmq_marks_drop_some(struct kmq_queue *queue, struct list_head *marks)
{
	u32 left = KMQ_AT_ONCE;

	for (; left && !list_empty(marks); left--) {
		kmq_mark_del(queue, list_first_entry(marks, struct kmq_mark,
						     link));
		cond_resched();
	}
	return list_empty(marks);
}

/* Let the floor of a rank rise as far as it goes. */
static u64 kmq_mark_rise(struct kmq_handle *handle, unsigned int rank)
{
	struct kmq_store *store = &handle->queue->store;
	u64 *floor = &handle->mark_floor[rank];
	u64 *all = &handle->queue->mark_floor[rank];
	u64 from = max(*floor + 1, (u64)rank << KMQ_KEY_ARRIVAL_BITS);
	struct kmq_msg *msg;

	for (;;) {
		msg = kmq_store_next(store, ~0U, from);
		if (!msg || kmq_key_rank(msg->key) != rank ||
		    !kmq_mark_find(msg, handle))
			break;
		*floor = msg->key;
		from = msg->key + 1;
		cond_resched();
	}
	*all = max(*all, *floor);
	return *floor;
}

/**
 * kmq_mark_skip - where a handle's search for unmarked messages may go on
 * @handle: handle
 * @from: where it would go on otherwise
 *
 * Return: smallest key that will do.
 */
u64 kmq_mark_skip(struct kmq_handle *handle, u64 from)
{
	unsigned int rank = kmq_key_rank(from);

	if (rank >= KMQ_PRIORITIES)
		return from;
	return max(from, kmq_mark_rise(handle, rank) + 1);
}

/**
 * kmq_mark_arrival_below - a message came into the store below a mark floor
 * @queue: the queue
 * @key: its order key
 */
void kmq_mark_arrival_below(struct kmq_queue *queue, u64 key)
{
	u64 *all = &queue->mark_floor[kmq_key_rank(key)];
	struct kmq_handle *handle;

	*all = 0;
	kmq_for_each_handle(handle, queue) {
		kmq_mark_lower(handle, key);
		*all = max(*all, handle->mark_floor[kmq_key_rank(key)]);
		cond_resched();
	}
}
