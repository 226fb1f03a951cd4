// SPDX-License-Identifier: GPL-2.0
/*
 * Waiters: who waits for which message, and how they sleep. Who is served when
 * one comes is in serve.c.
 *
 * The waiting protocol. The waiter's state is written under the lock of the
 * queue only; the sleeper reads it without:
 *
 *	sleeper                             server (queue lock held)
 *	-------                             ------------------------
 *	lock queue
 *	nothing found, add waiter
 *	unlock queue
 *	set_current_state(INTERRUPTIBLE)    take the message for the waiter
 *	[smp_mb, A]                         task = waiter->task, get a reference
 *	smp_load_acquire(state) (B)         smp_store_release(state) (C)
 *	schedule() if still KMQ_WAITING     wake_up_process(task) [smp_mb, D]
 *
 * If B reads the old state it comes before C, so A comes before D and the wake-up
 * finds the sleeper's new task state. If B reads the new state it sees all that
 * the server did, as C releases and B acquires. The sleeper may return as soon as
 * C is done, its stack with the waiter on it is gone then: hence the reference to
 * the task, taken before. On a time-out or a signal the sleeper looks once more
 * under the lock: what it was given already is its own and counts.
 */
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/sched/signal.h>
#include <linux/sched/stat.h>
#include <linux/sched/task.h>
#include "handle.h"
#include "queue.h"
#include "search.h"
#include "wait.h"

void kmq_waiters_init(struct kmq_waiters *waiters)
{
	int i;

	memset(waiters, 0, sizeof(*waiters));
	for (i = 0; i < KMQ_WAITER_SETS; i++) {
		kmq_file_init(&waiters->set[i].specific);
		kmq_file_init(&waiters->set[i].general);
		INIT_LIST_HEAD(&waiters->set[i].any);
	}
}

/* Any message suits it, and it takes a plain one as it is. */
static bool kmq_waiter_is_easy(const struct kmq_waiter *waiter)
{
	return waiter->quick && !waiter->want->flags;
}

/* Where a waiter is filed. */
static struct kmq_file *kmq_waiter_file(struct kmq_queue *queue,
					const struct kmq_waiter *waiter)
{
	struct kmq_waiter_index *index = &queue->waiters.set[waiter->set];

	return waiter->specific ? &index->specific : &index->general;
}

/**
 * kmq_waiter_add_locked - begin to wait
 * @queue: the queue, locked
 * @waiter: waiter with its conditions and its handle; a get has @task, and @take
 *	or @quick
 * @set: whether it removes or browses, waits or is a signal
 */
void kmq_waiter_add_locked(struct kmq_queue *queue, struct kmq_waiter *waiter,
			   enum kmq_waiter_set set)
{
	struct kmq_waiter_index *index = &queue->waiters.set[set];

	lockdep_assert_held(&queue->lock);
	waiter->set = set;
	waiter->state = KMQ_WAITING;
	waiter->file.ticket = ++queue->waiters.tickets;
	if (kmq_waiter_is_easy(waiter)) {
		list_add_tail(&waiter->link, &index->any);
		queue->waiters.total++;
		queue->waiters.count++;
		queue->waiters.quick++;
		return;
	}
	waiter->listed = kmq_filing_any(waiter);
	waiter->specific = waiter->want->flags &
			   (KMQ_WANT_MSG_ID | KMQ_WANT_CORREL_ID |
			    KMQ_WANT_GROUP_ID | KMQ_WANT_SEQ |
			    KMQ_WANT_OFFSET | KMQ_WANT_KEY);
	if (waiter->listed)
		list_add_tail(&waiter->link, &index->any);
	else
		kmq_file_add(kmq_waiter_file(queue, waiter), waiter);
	queue->waiters.total++;
	if (waiter->task)
		queue->waiters.count++;
	if (!waiter->want->min_level)
		return;
	queue->store.askers++;
	/* It may have to be served when a message expires. */
	kmq_queue_sweep_later(queue);
}

/**
 * kmq_waiter_del_locked - end a wait
 * @queue: the queue, locked
 * @waiter: a waiter in state KMQ_WAITING
 */
void kmq_waiter_del_locked(struct kmq_queue *queue, struct kmq_waiter *waiter)
{
	lockdep_assert_held(&queue->lock);
	queue->waiters.total--;
	if (kmq_waiter_is_easy(waiter)) {
		list_del(&waiter->link);
		queue->waiters.count--;
		queue->waiters.quick--;
		return;
	}
	if (waiter->listed)
		list_del(&waiter->link);
	else
		kmq_file_del(kmq_waiter_file(queue, waiter), waiter);
	if (waiter->task)
		queue->waiters.count--;
	if (waiter->want->min_level)
		queue->store.askers--;
}

/**
 * kmq_waiter_owns_locked - a waiter sees a message that the others do not see
 * @queue: the queue, locked
 * @waiter: a waiter in state KMQ_WAITING
 */
void kmq_waiter_owns_locked(struct kmq_queue *queue, struct kmq_waiter *waiter)
{
	lockdep_assert_held(&queue->lock);
	if (waiter->want->min_level)
		kmq_file_own(kmq_waiter_file(queue, waiter), waiter);
}

/**
 * kmq_waiter_let_go - wake a task whose wait has ended
 * @task: the task; its reference is given back
 *
 * Also when the queue is not locked any more. It may have noticed by itself and
 * do something else by now: whoever sleeps must expect to be woken for nothing.
 */
void kmq_waiter_let_go(struct task_struct *task)
{
	wake_up_process(task);
	put_task_struct(task);
}

/**
 * kmq_waiter_wake_locked - end a wait and let the sleeper go
 * @queue: the queue, locked
 * @waiter: a waiter with a task in state KMQ_WAITING; gone afterwards
 * @state: its new state
 */
void kmq_waiter_wake_locked(struct kmq_queue *queue, struct kmq_waiter *waiter,
			    int state)
{
	kmq_waiter_let_go(kmq_waiter_end_locked(queue, waiter, state));
}

/**
 * kmq_waiter_look_out - see if the waiter is served or cancelled soon
 * @waiter: a waiter that was added
 * @ns: how long
 *
 * kmq_waiter_sleep() must follow: this finds out nothing for the caller, but
 * spares him the sleep. Ends as soon as anything else is to run on the processor.
 */
void kmq_waiter_look_out(const struct kmq_waiter *waiter, u32 ns)
{
	u64 start = local_clock();

	if (num_online_cpus() == 1)
		return;
	while (READ_ONCE(waiter->state) == KMQ_WAITING &&
	       single_task_running() && !need_resched() &&
	       !signal_pending(current) && local_clock() - start < ns)
		cpu_relax();
}

/* Until somebody wakes us, or for so long. Return: false if it was too long. */
static noinline bool kmq_waiter_doze(u64 deadline)
{
	ktime_t expires = deadline;

	return schedule_hrtimeout_range(&expires, 0, HRTIMER_MODE_ABS);
}

/**
 * kmq_waiter_sleep - sleep until the waiter is served, cancelled or has waited
 *	long enough
 * @queue: the queue, not locked
 * @waiter: a waiter that was added
 * @deadline: CLOCK_MONOTONIC, ns; KTIME_MAX: no end
 *
 * Return: 0: waiter->state tells what happened; -ETIMEDOUT; -EINTR if a signal
 * came. In the last two cases the waiter has been taken off.
 */
int kmq_waiter_sleep(struct kmq_queue *queue, struct kmq_waiter *waiter,
		     u64 deadline)
{
	int err = 0;

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		/* Pairs with the release in kmq_waiter_wake_locked(), (B) above. */
		if (smp_load_acquire(&waiter->state) != KMQ_WAITING)
			break;
		if (signal_pending(current)) {
			err = -EINTR;
			break;
		}
		if (deadline == KTIME_MAX) {
			schedule();
		} else if (!kmq_waiter_doze(deadline)) {
			err = -ETIMEDOUT;
			break;
		}
		/* (B) again: as a rule this is why we are awake. */
		if (likely(smp_load_acquire(&waiter->state) != KMQ_WAITING))
			return 0;
	}
	__set_current_state(TASK_RUNNING);
	if (!err)
		return 0;
	kmq_queue_lock(queue);
	if (waiter->state == KMQ_WAITING)
		kmq_waiter_del_locked(queue, waiter);
	else
		err = 0;
	mutex_unlock(&queue->lock);
	return err;
}
