/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_PUT_PLACE_H
#define KMQ_PUT_PLACE_H

#include "call.h"
#include "put.h"
#include "queue.h"
#include "run.h"

/*
 * MQPUT, place: messages that have been made get their places, all of them under
 * one lock of their queue. A message that the queue manager has cut up is placed
 * with all its pieces or not at all (P-SEG-5).
 */

u32 kmq_put_place_each(struct kmq_put_run *run, u32 first, u32 count);
void kmq_put_place_pieces(struct kmq_put_run *run, struct kmq_msg *first);
void kmq_put_watch(struct kmq_put_run *run, const struct kmq_msg *first);
void kmq_put_discard_all(struct kmq_put_run *run, u32 first, u32 count);

/* Line 13 once more, now that nothing can change. */
static __always_inline u32 kmq_put_refusal(const struct kmq_put_run *run)
{
	const struct kmq_queue *queue = run->queue;

	if (unlikely(queue->deleted))
		return run->handle ? MQRC_Q_DELETED : MQRC_UNKNOWN_OBJECT_NAME;
	if (unlikely(queue->attrs.inhibit_put))
		return MQRC_PUT_INHIBITED;
	if (unlikely(queue->depth >= queue->attrs.max_q_depth))
		return MQRC_Q_FULL;
	return MQRC_NONE;
}

/*
 * As many as there is room for, at one go: nobody waits for them, or they are not
 * to be seen yet. Return: how many.
 */
static __always_inline u32 kmq_put_place_run(struct kmq_put_run *run, u32 first,
					     u32 count)
{
	struct kmq_queue *queue = run->queue;
	struct kmq_msg **msgs = &run->msgs[first];
	u32 i, done;

	done = min(count, queue->attrs.max_q_depth - queue->depth);
	kmq_run_admit_locked(queue, msgs, done, run->plan->priority, run->part);
	if (!run->part)
		/* No waiters: for pollers, who need not know which it is. */
		kmq_waiters_offer_locked(queue, *msgs);
	else
		for (i = 0; i < done; i++)
			list_add_tail(&msgs[i]->link, &run->part->puts);
	if (unlikely(done < count))
		run->reason = MQRC_Q_FULL;
	return done;
}

/* Return: how many; if that is not all, @run->reason may say why. */
static __always_inline u32 __kmq_put_place(struct kmq_put_run *run, u32 first,
					   u32 count, const u32 steps)
{
	struct kmq_queue *queue = run->queue;
	u32 reason = kmq_put_refusal(run);

	if (unlikely(reason)) {
		run->reason = reason;
		return 0;
	}
	if (unlikely(queue->watch)) {
		/* What it brings about comes before the next one. */
		count = 1;
		kmq_put_watch(run, run->msgs[first]);
	}
	if (unlikely(steps & KMQ_PUT_CUT)) {
		kmq_put_place_pieces(run, run->msgs[first]);
		return 1;
	}
	if ((queue->waiters.total && !run->part) ||
	    unlikely(steps & (KMQ_PUT_ORDERED | KMQ_PUT_EXPIRES)))
		return kmq_put_place_each(run, first, count);
	return kmq_put_place_run(run, first, count);
}

/**
 * kmq_put_place - place messages on their queue
 * @run: the run; @run->reason is set if the queue refuses one of them
 * @first: the first put whose message has been made
 * @count: how many
 * @steps: KMQ_PUT_CUT etc.
 *
 * Return: how many are placed; the others are freed.
 */
static __always_inline u32 kmq_put_place(struct kmq_put_run *run, u32 first,
					 u32 count, const u32 steps)
{
	u32 i, done;

	kmq_queue_lock_beside(run->queue);
	done = __kmq_put_place(run, first, count, steps);
	mutex_unlock(&run->queue->lock);
	for (i = 0; i < run->woken_count; i++)
		kmq_waiter_let_go(run->woken[i]);
	run->woken_count = 0;
	if (unlikely(done < count))
		kmq_put_discard_all(run, first + done, count - done);
	return done;
}

#endif /* KMQ_PUT_PLACE_H */
