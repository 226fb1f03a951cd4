// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT, place: what put_place.h leaves to functions.
 */
#include <linux/list.h>
#include <linux/sched.h>
#include "call.h"
#include "limits.h"
#include "put.h"
#include "put_place.h"
#include "qmgr.h"
#include "queue.h"
#include "run.h"
#include "watch.h"

/*
 * The message is part of the unit of work, or visible, which those who wait are
 * still to be told.
 */
static void kmq_put_admit(struct kmq_put_run *run, struct kmq_msg *msg)
{
	struct kmq_queue *queue = run->queue;

	kmq_queue_admit_locked(queue, msg, run->plan->priority);
	if (unlikely(run->part)) {
		msg->state = KMQ_MSG_PUT_PENDING;
		queue->uncommitted_puts++;
		list_add_tail(&msg->link, &run->part->puts);
	} else {
		kmq_queue_insert_locked(queue, msg);
	}
}

/* To who waits for it, without its being on the queue. Return: done? */
static bool kmq_put_pass(struct kmq_put_run *run, struct kmq_msg *msg)
{
	struct task_struct *task;

	task = kmq_waiters_pass_locked(run->queue, msg, run->plan->priority);
	if (!task)
		return false;
	run->woken[run->woken_count++] = task;
	return true;
}

static __always_inline void kmq_put_place_one(struct kmq_put_run *run,
					      struct kmq_msg *msg)
{
	struct kmq_queue *queue = run->queue;

	if (!run->part && queue->waiters.quick && kmq_put_pass(run, msg))
		return;
	kmq_put_admit(run, msg);
	if (!run->part)
		kmq_waiters_offer_locked(queue, msg);
}

/**
 * kmq_put_place_each - place messages one by one
 * @run: the run; its queue is locked and takes the first of them
 * @first: the first put
 * @count: how many
 *
 * As somebody waits for them, or they belong to groups or expire.
 *
 * Return: how many the queue took; if that is not all, @run->reason says why.
 */
u32 kmq_put_place_each(struct kmq_put_run *run, u32 first, u32 count)
{
	u32 done = 0;

	do {
		kmq_put_place_one(run, run->msgs[first + done]);
	} while (++done < count && !(run->reason = kmq_put_refusal(run)));
	return done;
}

/**
 * kmq_put_place_pieces - place all pieces of a message that was cut up, in one step
 * @run: the run; its queue is locked
 * @first: the first piece, with the others on its list
 */
void kmq_put_place_pieces(struct kmq_put_run *run, struct kmq_msg *first)
{
	struct kmq_msg *msg, *next;
	LIST_HEAD(msgs);

	list_splice_init(&first->link, &msgs);
	list_add(&first->link, &msgs);
	list_for_each_entry_safe(msg, next, &msgs, link) {
		if (run->part)
			list_del_init(&msg->link);
		kmq_put_admit(run, msg);
		cond_resched();
	}
	if (!run->part)
		kmq_queue_offer_locked(run->queue, &msgs);
}

/**
 * kmq_put_watch - see what the queue watches for, before a message is placed
 * @run: the run; its queue is locked
 * @first: the message, or its first piece
 */
void kmq_put_watch(struct kmq_put_run *run, const struct kmq_msg *first)
{
	const struct list_head *piece;
	u32 count = 1;

	list_for_each(piece, &first->link) {
		count++;
		cond_resched();
	}
	run->watched = true;
	run->due = kmq_watch_put_locked(run->queue, kmq_msg_priority(first),
					count);
}

/**
 * kmq_put_discard_all - free messages that were not placed
 * @run: the run
 * @first: the first put
 * @count: how many
 */
void kmq_put_discard_all(struct kmq_put_run *run, u32 first, u32 count)
{
	u32 i;

	for (i = first; i < first + count; i++)
		kmq_put_discard(run->msgs[i]);
}
