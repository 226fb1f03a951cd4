// SPDX-License-Identifier: GPL-2.0
/*
 * Queues: what happens to a message between its put and its end.
 *
 * Helpers that end in _locked need the lock of the queue.
 */
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/ktime.h>
#include "handle.h"
#include "mark.h"
#include "qmgr.h"
#include "queue.h"

#define KMQ_EXPIRY_SWEEP	(5 * HZ)	/* M-EXP-4 */
#define KMQ_MARK_SWEEP		(HZ / 2)	/* G-MRK-8: within a second */

static atomic_t kmq_queue_uids = ATOMIC_INIT(0);

/* A message gets its place and counts as put. */
static void kmq_queue_arrive(struct kmq_queue *queue, struct kmq_msg *msg,
			     int priority)
{
	if (queue->attrs.msg_delivery_sequence == KMQ_DELIVERY_FIFO)
		priority = queue->attrs.def_priority;
	msg->queue = queue;
	msg->key = kmq_key(priority, ++queue->last_arrival);
	queue->total_puts++;
	queue->last_put_time = msg->put_time;
}

/**
 * kmq_queue_admit_locked - give a new message its place
 * @queue: the queue, locked
 * @msg: filled message that nobody else knows, prepared if it has a group part
 * @priority: its priority, 0..9
 *
 * The place is fixed now and for good (M-PRI-3, M-PRI-4). The message counts
 * for the depth; the caller inserts it or gives it to a unit of work.
 */
void kmq_queue_admit_locked(struct kmq_queue *queue, struct kmq_msg *msg,
			    int priority)
{
	lockdep_assert_held(&queue->lock);
	kmq_queue_arrive(queue, msg, priority);
	kmq_window_arrival_locked(queue, msg->key, 1);
	if (msg->member)
		kmq_group_attach(&queue->store, msg);
	kmq_queue_count(queue, msg);
	kmq_queue_charge(queue, msg);
}

/**
 * kmq_queue_pass_locked - a new message goes straight to the getter it is for
 * @queue: the queue, locked
 * @msg: filled message without a group part that nobody else knows; TAKEN
 *	afterwards
 * @priority: its priority, 0..9
 * @syncpoint: it will be part of the getter's unit of work
 *
 * What kmq_queue_admit_locked() and kmq_take_off_locked() come to when nothing
 * happens between them. It has its place, should it have to come back.
 */
void kmq_queue_pass_locked(struct kmq_queue *queue, struct kmq_msg *msg,
			   int priority, bool syncpoint)
{
	lockdep_assert_held(&queue->lock);
	kmq_queue_arrive(queue, msg, priority);
	msg->state = KMQ_MSG_TAKEN;
	queue->total_gets++;
	/* Just now, but others may have got something since. */
	queue->last_get_time = max(queue->last_get_time, msg->put_time);
	if (!syncpoint)
		return;
	queue->uncommitted_gets++;
	kmq_queue_charge(queue, msg);
}

/**
 * kmq_queue_insert_locked - put a message into the store, at its place
 * @queue: the queue, locked
 * @msg: message that has its place
 *
 * Those who wait must be offered it afterwards, kmq_queue_offer_locked().
 */
void kmq_queue_insert_locked(struct kmq_queue *queue, struct kmq_msg *msg)
{
	lockdep_assert_held(&queue->lock);
	kmq_window_arrival_locked(queue, msg->key, 0);
	kmq_store_add(&queue->store, msg);
	kmq_mark_arrival(queue, msg->key);
	if (msg->expiry)
		kmq_queue_sweep_later(queue);
}

/**
 * kmq_queue_offer_locked - offer messages that became visible to those who wait
 * @queue: the queue, locked
 * @msgs: messages in the store, by kmq_msg.link; empty afterwards
 *
 * A message that a waiter takes leaves the list by itself, whether it was its
 * turn or it came along with another one.
 */
void kmq_queue_offer_locked(struct kmq_queue *queue, struct list_head *msgs)
{
	lockdep_assert_held(&queue->lock);
	while (!list_empty(msgs)) {
		struct kmq_msg *msg =
			list_first_entry(msgs, struct kmq_msg, link);

		list_del_init(&msg->link);
		kmq_waiters_ask_locked(queue, msg);
		cond_resched();
	}
	if (unlikely(!list_empty(&queue->store.changed)))
		kmq_waiters_settle_locked(queue);
}

/**
 * kmq_queue_detach_locked - a message the queue is no longer charged with leaves
 *	it for good
 * @queue: its queue, locked
 * @msg: message outside the store; gone afterwards
 */
void kmq_queue_detach_locked(struct kmq_queue *queue, struct kmq_msg *msg)
{
	kmq_marks_drop(queue, msg);
	if (msg->member)
		kmq_group_detach(&queue->store, msg);
	kmq_msg_drop(msg);
}

/**
 * kmq_queue_leave_group - a message that was got has no more to do with its group
 * @queue: its queue, not locked
 * @msg: message outside the store that will not come back
 *
 * The lock is taken only for the last message of a group.
 */
void kmq_queue_leave_group(struct kmq_queue *queue, struct kmq_msg *msg)
{
	if (!msg->member || kmq_group_leave(msg))
		return;
	kmq_queue_lock_beside(queue);
	kmq_group_detach(&queue->store, msg);
	mutex_unlock(&queue->lock);
}

/**
 * kmq_queue_forget_locked - a message leaves the queue for good
 * @queue: its queue, locked
 * @msg: message outside the store that counts no more; gone afterwards
 */
void kmq_queue_forget_locked(struct kmq_queue *queue, struct kmq_msg *msg)
{
	kmq_queue_uncharge(queue, msg);
	kmq_queue_detach_locked(queue, msg);
}

/**
 * kmq_queue_discard_locked - end a message that has expired or is purged
 * @queue: its queue, locked
 * @msg: message in the store, perhaps one that its locker shows there just now
 */
void kmq_queue_discard_locked(struct kmq_queue *queue, struct kmq_msg *msg)
{
	lockdep_assert_held(&queue->lock);
	kmq_store_del(&queue->store, msg);
	list_del_init(&msg->link);
	if (msg->was_locked)
		queue->locked--;
	/* Who is just being offered it must see that it is gone. */
	msg->state = KMQ_MSG_TAKEN;
	kmq_queue_uncount(queue, msg);
	kmq_queue_forget_locked(queue, msg);
}

/*
 * Sweeps and frees queues, on whatever processor has time: with many messages that
 * takes long.
 */
static struct workqueue_struct *kmq_queue_works;

/* Sweep the queue in so many jiffies at the latest. */
static void kmq_queue_sweep_within(struct kmq_queue *queue, unsigned long delay)
{
	unsigned long at = jiffies + delay;

	if (queue->deleted ||
	    (queue->sweep_due && time_before_eq(queue->sweep_at, at)))
		return;
	queue->sweep_due = true;
	queue->sweep_at = at;
	mod_delayed_work(kmq_queue_works, &queue->sweep, delay);
}

/**
 * kmq_queue_expire_locked - end a message that has expired
 * @queue: its queue, locked
 * @msg: message in the store, perhaps one that its locker shows there just now
 *
 * One that wants its expiration reported is kept until that was done, see
 * kmq_queue_report_expired().
 */
void kmq_queue_expire_locked(struct kmq_queue *queue, struct kmq_msg *msg)
{
	lockdep_assert_held(&queue->lock);
	if (!(msg->md.report & MQRO_EXPIRATION) ||
	    !queue->qmgr->report_expired) {
		kmq_queue_discard_locked(queue, msg);
		return;
	}
	kmq_store_del(&queue->store, msg);
	if (msg->was_locked)
		queue->locked--;
	msg->state = KMQ_MSG_TAKEN;
	kmq_queue_uncount(queue, msg);
	list_move_tail(&msg->link, &queue->expired);
	/* Should nobody do it before. */
	kmq_queue_sweep_within(queue, 1);
}

/**
 * kmq_queue_expire_until_locked - end all messages that have expired
 * @queue: the queue, locked
 * @now: CLOCK_MONOTONIC, ns
 */
void kmq_queue_expire_until_locked(struct kmq_queue *queue, u64 now)
{
	struct kmq_msg *msg;

	while ((msg = kmq_store_expired(&queue->store, now))) {
		kmq_queue_expire_locked(queue, msg);
		cond_resched();
	}
}

/* Some messages of a list leave the queue for good. */
static void kmq_queue_forget_some_locked(struct kmq_queue *queue,
					 struct list_head *msgs)
{
	u32 left = KMQ_AT_ONCE;

	for (; left && !list_empty(msgs); left--) {
		struct kmq_msg *msg =
			list_first_entry(msgs, struct kmq_msg, link);

		list_del_init(&msg->link);
		kmq_queue_forget_locked(queue, msg);
		cond_resched();
	}
}

/**
 * kmq_queue_report_expired - report the messages that have expired, and free them
 * @queue: the queue; no queue is locked
 */
void kmq_queue_report_expired(struct kmq_queue *queue)
{
	struct kmq_msg *msg;
	LIST_HEAD(expired);

	kmq_queue_lock_beside(queue);
	list_splice_init(&queue->expired, &expired);
	mutex_unlock(&queue->lock);
	list_for_each_entry(msg, &expired, link) {
		queue->qmgr->report_expired(msg);
		cond_resched();
	}
	while (!list_empty(&expired)) {
		kmq_queue_lock_beside(queue);
		kmq_queue_forget_some_locked(queue, &expired);
		mutex_unlock(&queue->lock);
		cond_resched();
	}
}

/**
 * kmq_queue_purge_locked - discard every message of the store and every lock
 * @queue: the queue, locked; there is no uncommitted work that must be kept
 */
void kmq_queue_purge_locked(struct kmq_queue *queue)
{
	struct kmq_handle *handle;
	struct kmq_msg *msg;

	lockdep_assert_held(&queue->lock);
	kmq_for_each_handle(handle, queue)
		while (!list_empty(&handle->locked)) {
			msg = list_first_entry(&handle->locked, struct kmq_msg,
					       link);
			list_del_init(&msg->link);
			queue->locked--;
			kmq_queue_uncount(queue, msg);
			kmq_queue_forget_locked(queue, msg);
			cond_resched();
		}
	while ((msg = kmq_store_next(&queue->store, ~0U, 0))) {
		kmq_queue_discard_locked(queue, msg);
		cond_resched();
	}
	while (!list_empty(&queue->expired))
		kmq_queue_forget_some_locked(queue, &queue->expired);
}

/* A co-operative mark ends: the message is there again for who passed over it. */
static void kmq_queue_unmark(struct kmq_queue *queue, struct kmq_mark *mark)
{
	struct kmq_msg *msg = mark->msg;

	kmq_mark_del(queue, mark);
	if (msg->state == KMQ_MSG_AVAILABLE)
		kmq_waiters_offer_locked(queue, msg);
}

/*
 * Drop co-operative marks older than the interval (G-MRK-8), at most @left. Return:
 * how many less than that it were.
 */
static u32 kmq_queue_sweep_marks(struct kmq_queue *queue, u64 now, u32 left)
{
	s32 interval = READ_ONCE(queue->qmgr->attrs.msg_mark_browse_interval);
	struct kmq_mark *mark;

	if (interval < 0)
		return left;
	/* Always the first: who is served may take others off. */
	for (; left; left--) {
		mark = list_first_entry_or_null(&queue->co_op_marks,
						struct kmq_mark, link);
		if (!mark ||
		    mark->time + (u64)interval * NSEC_PER_MSEC > now)
			break;
		kmq_queue_unmark(queue, mark);
		cond_resched();
	}
	return left;
}

static u32 kmq_queue_sweep_expired(struct kmq_queue *queue, u64 now, u32 left)
{
	struct kmq_msg *msg;

	for (; left; left--) {
		msg = kmq_store_expired(&queue->store, now);
		if (!msg)
			break;
		kmq_queue_expire_locked(queue, msg);
		cond_resched();
	}
	return left;
}

/* Return: is there more to be swept now? */
static bool kmq_queue_sweep_some(struct kmq_queue *queue, u64 now)
{
	u32 left = KMQ_AT_ONCE;

	kmq_queue_lock(queue);
	queue->sweep_due = false;
	left = kmq_queue_sweep_expired(queue, now, left);
	left = kmq_queue_sweep_marks(queue, now, left);
	kmq_waiters_settle_locked(queue);
	kmq_queue_sweep_later(queue);
	mutex_unlock(&queue->lock);
	cond_resched();
	return !left;
}

static void kmq_queue_sweep(struct work_struct *work)
{
	struct kmq_queue *queue = container_of(to_delayed_work(work),
					       struct kmq_queue, sweep);
	u64 now = ktime_get_ns();

	while (kmq_queue_sweep_some(queue, now))
		;
	kmq_queue_report_expired(queue);
}

/* How long the next message that expires can wait for it, in jiffies. */
static unsigned long kmq_queue_expiry_delay(const struct kmq_queue *queue)
{
	u64 deadline = kmq_store_deadline(&queue->store);
	u64 now;

	/* Somebody may be served when it makes way (G-WAIT-9). */
	if (!queue->store.askers)
		return KMQ_EXPIRY_SWEEP;
	now = ktime_get_ns();
	if (deadline <= now)
		return 0;
	return min_t(u64, nsecs_to_jiffies64(deadline - now) + 1,
		     KMQ_EXPIRY_SWEEP);
}

/**
 * kmq_queue_sweep_later - see to it that the queue is swept if it needs to be
 * @queue: the queue, locked
 */
void kmq_queue_sweep_later(struct kmq_queue *queue)
{
	if (!list_empty(&queue->co_op_marks))
		kmq_queue_sweep_within(queue, KMQ_MARK_SWEEP);
	if (!kmq_tree_empty(&queue->store.expiring))
		kmq_queue_sweep_within(queue, kmq_queue_expiry_delay(queue));
}

/*
 * Queues are freed by a work: a sweep may still be under way, in the middle of a
 * report that needs the names of a queue manager; whoever drops the last reference
 * may hold them. So the wait for the sweep is left to one that holds nothing.
 */
int kmq_queue_reaper_create(void)
{
	kmq_queue_works = alloc_workqueue("kmq", WQ_UNBOUND, 0);
	return kmq_queue_works ? 0 : -ENOMEM;
}

/**
 * kmq_queue_reaper_destroy - wait until all queues that are gone are freed
 */
void kmq_queue_reaper_destroy(void)
{
	destroy_workqueue(kmq_queue_works);
	kmq_queue_works = NULL;
}

static void kmq_queue_free(struct work_struct *work)
{
	struct kmq_queue *queue = container_of(work, struct kmq_queue, reap);

	cancel_delayed_work_sync(&queue->sweep);
	kmq_queue_lock(queue);
	kmq_queue_purge_locked(queue);
	mutex_unlock(&queue->lock);
	kmq_msg_spares_free(queue->spares);
	kmq_group_spare_free(&queue->store);
	mutex_destroy(&queue->lock);
	kmq_qmgr_put(queue->qmgr);
	kfree_rcu(queue, rcu);
}

/**
 * kmq_queue_alloc - make a queue
 * @qmgr: its queue manager
 * @name: name, blank padded
 * @type: MQQT_*
 * @attrs: attributes
 *
 * Return: the queue with one reference, known to nobody, or NULL.
 */
struct kmq_queue *kmq_queue_alloc(struct kmq_qmgr *qmgr, const u8 *name,
				  s32 type, const struct kmq_queue_attrs *attrs)
{
	struct kmq_queue *queue = kzalloc(sizeof(*queue), GFP_KERNEL_ACCOUNT);

	if (!queue)
		return NULL;
	mutex_init(&queue->lock);
	kref_init(&queue->ref);
	queue->qmgr = kmq_qmgr_get(qmgr);
	memcpy(queue->name, name, KMQ_NAME_LEN);
	queue->type = type;
	queue->attrs = *attrs;
	queue->minor = -1;
	queue->maker = INVALID_UID;
	queue->uid = atomic_inc_return(&kmq_queue_uids);
	kmq_store_init(&queue->store);
	kmq_waiters_init(&queue->waiters);
	kmq_tree_clear(&queue->handles);
	INIT_LIST_HEAD(&queue->co_op_marks);
	INIT_LIST_HEAD(&queue->expired);
	init_waitqueue_head(&queue->poll);
	INIT_DELAYED_WORK(&queue->sweep, kmq_queue_sweep);
	INIT_WORK(&queue->reap, kmq_queue_free);
	kmq_watch_init(queue);
	return queue;
}

static void kmq_queue_release(struct kref *ref)
{
	struct kmq_queue *queue = container_of(ref, struct kmq_queue, ref);

	queue_work(kmq_queue_works, &queue->reap);
}

/**
 * kmq_queue_put - give a reference back; the last one frees the queue
 * @queue: the queue; no lock held
 */
void kmq_queue_put(struct kmq_queue *queue)
{
	kref_put(&queue->ref, kmq_queue_release);
}
