// SPDX-License-Identifier: GPL-2.0
/*
 * Runs: messages that come to a queue, or leave it, one behind the other.
 *
 * What is done for each message by itself elsewhere is done once here: counts,
 * indexes, the search for a place. A run is plain: none of its messages has a
 * group part, expires or is marked.
 */
#include "mark.h"
#include "queue.h"
#include "run.h"

/**
 * kmq_run_admit_locked - give messages their places, one behind the other
 * @queue: the queue, locked; it has room for all of them
 * @msgs: filled messages that nobody else knows, of the same priority
 * @count: how many, at least 1
 * @priority: their priority, 0..9
 * @pending: they wait for the commit, else they become visible
 *
 * Comes to what kmq_put_admit() does for one after the other. Messages that are
 * visible must be offered to those who wait.
 */
void kmq_run_admit_locked(struct kmq_queue *queue, struct kmq_msg **msgs,
			  u32 count, int priority, bool pending)
{
	u64 key;
	u32 i;

	lockdep_assert_held(&queue->lock);
	if (queue->attrs.msg_delivery_sequence == KMQ_DELIVERY_FIFO)
		priority = queue->attrs.def_priority;
	key = kmq_key(priority, queue->last_arrival + 1);
	kmq_window_arrival_locked(queue, key, count);
	for (i = 0; i < count; i++) {
		struct kmq_msg *msg = msgs[i];

		msg->queue = queue;
		msg->key = key + i;
		kmq_queue_charge(queue, msg);
		if (pending)
			msg->state = KMQ_MSG_PUT_PENDING;
	}
	queue->last_arrival += count;
	WRITE_ONCE(queue->depth, queue->depth + count);
	queue->depth_of[kmq_msg_priority(*msgs)] += count;
	queue->total_puts += count;
	queue->last_put_time = msgs[count - 1]->put_time;
	if (pending) {
		queue->uncommitted_puts += count;
	} else {
		kmq_store_add_run(&queue->store, msgs, count);
		kmq_mark_arrival(queue, key);
	}
}

/**
 * kmq_run_take_locked - take the first messages off the queue
 * @queue: the queue, locked
 * @msgs: messages as kmq_store_del_run() wants them; TAKEN afterwards. Nobody is
 *	just being offered one, or shown one of his own
 * @count: how many, at least 1
 * @syncpoint: they will be part of a unit of work
 *
 * Comes to what kmq_take_off_locked() does for one after the other.
 */
void kmq_run_take_locked(struct kmq_queue *queue, struct kmq_msg **msgs,
			 u32 count, bool syncpoint)
{
	u32 i;

	lockdep_assert_held(&queue->lock);
	kmq_store_del_run(&queue->store, msgs, count);
	for (i = 0; i < count; i++) {
		struct kmq_msg *msg = msgs[i];

		msg->state = KMQ_MSG_TAKEN;
		kmq_queue_uncount(queue, msg);
		if (!syncpoint)
			kmq_queue_uncharge(queue, msg);
	}
	queue->total_gets += count;
	if (syncpoint)
		queue->uncommitted_gets += count;
}
