// SPDX-License-Identifier: GPL-2.0
/*
 * Waiters: who waits for which message, and who is served when one comes.
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
#include <linux/hrtimer.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include "handle.h"
#include "queue.h"
#include "search.h"
#include "notify.h"
#include "take.h"
#include "wait.h"

/* Which identifier a waiter is filed under, the most selective one first. */
enum {
	KMQ_KEY_NONE,
	KMQ_KEY_MSG_ID,
	KMQ_KEY_CORREL_ID,
	KMQ_KEY_GROUP_ID,
	KMQ_KEYS,
};

void kmq_waiters_init(struct kmq_waiters *waiters)
{
	int i;

	memset(waiters, 0, sizeof(*waiters));
	for (i = 0; i < KMQ_WAITER_SETS; i++) {
		INIT_LIST_HEAD(&waiters->set[i].specific);
		INIT_LIST_HEAD(&waiters->set[i].general);
	}
}

/*
 * A waiter that needs a complete group or message can be served by an arrival
 * that bears none of its own identifiers but the GroupId (G-CPL-9).
 */
static void kmq_waiter_choose_key(struct kmq_waiter *waiter)
{
	const struct kmq_search *want = waiter->want;

	waiter->key = NULL;
	waiter->key_kind = KMQ_KEY_NONE;
	if (want->flags & KMQ_WANT_MSG_ID && !want->min_level) {
		waiter->key_kind = KMQ_KEY_MSG_ID;
		waiter->key = want->msg_id;
	} else if (want->flags & KMQ_WANT_CORREL_ID && !want->min_level) {
		waiter->key_kind = KMQ_KEY_CORREL_ID;
		waiter->key = want->correl_id;
	} else if (want->flags & KMQ_WANT_GROUP_ID) {
		waiter->key_kind = KMQ_KEY_GROUP_ID;
		waiter->key = want->group_id;
	}
}

static int kmq_waiter_compare(const struct kmq_waiter *waiter, u8 kind,
			      const u8 *key, u64 ticket)
{
	int c;

	if (waiter->key_kind != kind)
		return waiter->key_kind < kind ? -1 : 1;
	c = kmq_id_compare(waiter->key, key);
	if (c)
		return c;
	if (waiter->ticket != ticket)
		return waiter->ticket < ticket ? -1 : 1;
	return 0;
}

static bool kmq_waiter_less(struct rb_node *a, const struct rb_node *b)
{
	const struct kmq_waiter *x = rb_entry(a, struct kmq_waiter, node);
	const struct kmq_waiter *y = rb_entry(b, struct kmq_waiter, node);

	return kmq_waiter_compare(x, y->key_kind, y->key, y->ticket) < 0;
}

/**
 * kmq_waiter_add_locked - begin to wait
 * @queue: the queue, locked
 * @waiter: waiter with its conditions, and @take and @task or neither
 * @set: whether it removes or browses, waits or is a signal
 */
void kmq_waiter_add_locked(struct kmq_queue *queue, struct kmq_waiter *waiter,
			   enum kmq_waiter_set set)
{
	struct kmq_waiter_index *index = &queue->waiters.set[set];
	bool specific = waiter->want->flags &
			(KMQ_WANT_MSG_ID | KMQ_WANT_CORREL_ID |
			 KMQ_WANT_GROUP_ID | KMQ_WANT_SEQ | KMQ_WANT_OFFSET |
			 KMQ_WANT_KEY);

	lockdep_assert_held(&queue->lock);
	waiter->set = set;
	waiter->state = KMQ_WAITING;
	waiter->ticket = ++queue->waiters.tickets;
	kmq_waiter_choose_key(waiter);
	if (waiter->key_kind)
		rb_add(&waiter->node, &index->keyed, kmq_waiter_less);
	else if (specific)
		list_add_tail(&waiter->link, &index->specific);
	else
		list_add_tail(&waiter->link, &index->general);
	queue->waiters.total++;
	if (waiter->task)
		queue->waiters.count++;
}

/**
 * kmq_waiter_del_locked - end a wait
 * @queue: the queue, locked
 * @waiter: a waiter in state KMQ_WAITING
 */
void kmq_waiter_del_locked(struct kmq_queue *queue, struct kmq_waiter *waiter)
{
	lockdep_assert_held(&queue->lock);
	if (waiter->key_kind)
		rb_erase(&waiter->node,
			 &queue->waiters.set[waiter->set].keyed);
	else
		list_del(&waiter->link);
	queue->waiters.total--;
	if (waiter->task)
		queue->waiters.count--;
}

/* End the wait and let the sleeper go; the waiter is gone afterwards. */
static void kmq_waiter_wake(struct kmq_queue *queue, struct kmq_waiter *waiter,
			    int state)
{
	struct task_struct *task = waiter->task;

	kmq_waiter_del_locked(queue, waiter);
	get_task_struct(task);
	/* Pairs with the acquire in kmq_waiter_sleep(), (C) above. */
	smp_store_release(&waiter->state, state);
	wake_up_process(task);
	put_task_struct(task);
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
	ktime_t expires = deadline;
	int err = 0;

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		/* Pairs with the release in kmq_waiter_wake(), (B) above. */
		if (smp_load_acquire(&waiter->state) != KMQ_WAITING)
			break;
		if (signal_pending(current)) {
			err = -EINTR;
			break;
		}
		if (!schedule_hrtimeout_range(deadline == KTIME_MAX ? NULL :
					      &expires, 0,
					      HRTIMER_MODE_ABS)) {
			err = -ETIMEDOUT;
			break;
		}
	}
	__set_current_state(TASK_RUNNING);
	if (!err)
		return 0;
	mutex_lock(&queue->lock);
	if (waiter->state == KMQ_WAITING)
		kmq_waiter_del_locked(queue, waiter);
	else
		err = 0;
	mutex_unlock(&queue->lock);
	return err;
}

/* Serving */

/* Can the arrival of @msg have given @waiter something to get? */
static bool kmq_waiter_concerned(struct kmq_queue *queue,
				 const struct kmq_waiter *waiter,
				 struct kmq_msg *msg)
{
	if (msg->state != KMQ_MSG_AVAILABLE)
		return false;
	if (waiter->want->min_level && msg->member)
		return true;
	return kmq_search_accepts(&queue->store, waiter->want, msg);
}

/* Carry out the get of a waiter. Return: false if it finds nothing. */
static bool kmq_waiter_serve(struct kmq_queue *queue, struct kmq_waiter *waiter)
{
	int state = KMQ_WAIT_SERVED;

	if (!waiter->take) {
		struct kmq_signal *signal =
			container_of(waiter, struct kmq_signal, waiter);

		if (!kmq_search_first(&queue->store, waiter->want))
			return false;
		kmq_signal_post_locked(signal, MQEC_MSG_ARRIVED);
		return true;
	}
	switch (kmq_take_try_locked(queue, waiter->take)) {
	case KMQ_TAKE_NONE:
		return false;
	case KMQ_TAKE_ROOM:
		state = KMQ_WAIT_RETRY;
		break;
	case KMQ_TAKE_DONE:
		break;
	}
	kmq_waiter_wake(queue, waiter, state);
	return true;
}

/* The first waiter with that key whose ticket is not below @ticket. */
static struct kmq_waiter *kmq_waiter_by_key(struct kmq_waiter_index *index,
					    u8 kind, const u8 *key, u64 ticket)
{
	struct rb_node *node = index->keyed.rb_node;
	struct kmq_waiter *found = NULL;

	while (node) {
		struct kmq_waiter *waiter =
			rb_entry(node, struct kmq_waiter, node);

		if (kmq_waiter_compare(waiter, kind, key, ticket) >= 0) {
			found = waiter;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	if (!found || found->key_kind != kind ||
	    kmq_id_compare(found->key, key))
		return NULL;
	return found;
}

static const u8 *kmq_msg_key(const struct kmq_msg *msg, u8 kind)
{
	switch (kind) {
	case KMQ_KEY_MSG_ID:
		return msg->md.msg_id;
	case KMQ_KEY_CORREL_ID:
		return msg->md.correl_id;
	default:
		return msg->member ? msg->member->id : NULL;
	}
}

/* Of the waiters filed under an identifier of @msg, the one whose turn is next. */
static struct kmq_waiter *kmq_waiter_next_keyed(struct kmq_waiter_index *index,
						const struct kmq_msg *msg,
						u64 ticket)
{
	struct kmq_waiter *best = NULL, *waiter;
	u8 kind;

	if (RB_EMPTY_ROOT(&index->keyed))
		return NULL;
	for (kind = KMQ_KEY_MSG_ID; kind < KMQ_KEYS; kind++) {
		const u8 *key = kmq_msg_key(msg, kind);

		if (!key)
			continue;
		waiter = kmq_waiter_by_key(index, kind, key, ticket);
		if (waiter && (!best || waiter->ticket < best->ticket))
			best = waiter;
	}
	return best;
}

/* Let a waiter have @msg if it is for it. */
static bool kmq_waiter_try(struct kmq_queue *queue, struct kmq_waiter *waiter,
			   struct kmq_msg *msg)
{
	return kmq_waiter_concerned(queue, waiter, msg) &&
	       kmq_waiter_serve(queue, waiter);
}

/* Specific waiters: those found by key and the others, in one order of turns. */
static bool kmq_waiters_serve_specific(struct kmq_queue *queue,
				       struct kmq_waiter_index *index,
				       struct kmq_msg *msg, bool all)
{
	struct kmq_waiter *keyed, *listed, *waiter;
	u64 ticket = 0;

	listed = list_first_entry(&index->specific, struct kmq_waiter, link);
	while (msg->state == KMQ_MSG_AVAILABLE) {
		bool more = !list_entry_is_head(listed, &index->specific, link);

		keyed = kmq_waiter_next_keyed(index, msg, ticket);
		if (more && (!keyed || listed->ticket < keyed->ticket)) {
			waiter = listed;
			listed = list_next_entry(listed, link);
		} else if (keyed) {
			waiter = keyed;
			ticket = keyed->ticket + 1;
		} else {
			return false;
		}
		if (kmq_waiter_try(queue, waiter, msg) && !all)
			return true;
	}
	return false;
}

/*
 * Serve those of a set to whom @msg has come, specific ones first, in the order
 * in which they came; until @msg is gone or, unless @all, one of them was served
 * and left it.
 */
static void kmq_waiters_serve_set(struct kmq_queue *queue,
				  enum kmq_waiter_set set, struct kmq_msg *msg,
				  bool all)
{
	struct kmq_waiter_index *index = &queue->waiters.set[set];
	struct kmq_waiter *waiter, *next;

	if (kmq_waiters_serve_specific(queue, index, msg, all))
		return;
	list_for_each_entry_safe(waiter, next, &index->general, link) {
		if (msg->state != KMQ_MSG_AVAILABLE)
			return;
		if (kmq_waiter_try(queue, waiter, msg) && !all)
			return;
	}
}

/**
 * kmq_waiters_offer_locked - a message became visible: serve who waits for it
 * @queue: the queue, locked
 * @msg: message in the store
 *
 * All browse waiters it suits, then removing ones until it is taken: each gets
 * its message with its wake-up (G-WAIT-5, G-WAIT-10). Then a signal, if it is
 * still there (G-SIG-6), and pollers.
 */
void kmq_waiters_offer_locked(struct kmq_queue *queue, struct kmq_msg *msg)
{
	lockdep_assert_held(&queue->lock);
	if (queue->waiters.total) {
		/* A waiter that takes the message may be gone before we are. */
		kmq_msg_hold(msg);
		kmq_waiters_serve_set(queue, KMQ_WAIT_BROWSE, msg, true);
		kmq_waiters_serve_set(queue, KMQ_SIGNAL_BROWSE, msg, true);
		kmq_waiters_serve_set(queue, KMQ_WAIT_REMOVE, msg, true);
		kmq_waiters_serve_set(queue, KMQ_SIGNAL_REMOVE, msg, false);
		if (msg->state != KMQ_MSG_AVAILABLE) {
			kmq_msg_drop(msg);
			return;
		}
		kmq_msg_drop(msg);
	}
	if (wq_has_sleeper(&queue->poll))
		wake_up_interruptible_poll(&queue->poll,
					   EPOLLIN | EPOLLRDNORM);
}

/* Cancelling */

static const struct kmq_handle *
kmq_waiter_handle(const struct kmq_waiter *waiter)
{
	if (waiter->take)
		return waiter->take->handle;
	return container_of(waiter, struct kmq_signal, waiter)->handle;
}

static bool kmq_cancel_concerns(const struct kmq_waiter *waiter,
				const struct kmq_queue *named,
				const void *conn, enum kmq_cancel why)
{
	const struct kmq_handle *handle = kmq_waiter_handle(waiter);

	if (named && handle->named != named)
		return false;
	if (conn && handle->conn != conn)
		return false;
	/* The signals of a connection that breaks end with its handles. */
	if (!waiter->take && why == KMQ_CANCEL_BROKEN)
		return false;
	return (why != KMQ_CANCEL_QUIESCING &&
		why != KMQ_CANCEL_CONN_QUIESCING) || waiter->fail_if_quiescing;
}

/* G-SIG-3 */
static u32 kmq_cancel_code(enum kmq_cancel why)
{
	switch (why) {
	case KMQ_CANCEL_QUIESCING:
		return MQEC_Q_MGR_QUIESCING;
	case KMQ_CANCEL_CONN_QUIESCING:
		return MQEC_CONNECTION_QUIESCING;
	default:
		return MQEC_WAIT_CANCELED;
	}
}

static void kmq_waiter_cancel(struct kmq_queue *queue,
			      struct kmq_waiter *waiter, enum kmq_cancel why)
{
	if (waiter->task) {
		waiter->cancel = why;
		kmq_waiter_wake(queue, waiter, KMQ_WAIT_CANCELED);
		return;
	}
	kmq_signal_post_locked(container_of(waiter, struct kmq_signal, waiter),
			       kmq_cancel_code(why));
}

static void kmq_waiters_cancel_some(struct kmq_queue *queue,
				    const struct kmq_queue *named,
				    const void *conn, enum kmq_cancel why)
{
	int set;

	for (set = 0; set < KMQ_WAITER_SETS; set++) {
		struct kmq_waiter_index *index = &queue->waiters.set[set];
		struct kmq_waiter *waiter, *next;
		struct rb_node *node = rb_first(&index->keyed);

		while (node) {
			waiter = rb_entry(node, struct kmq_waiter, node);
			node = rb_next(node);
			if (kmq_cancel_concerns(waiter, named, conn, why))
				kmq_waiter_cancel(queue, waiter, why);
		}
		list_for_each_entry_safe(waiter, next, &index->specific, link)
			if (kmq_cancel_concerns(waiter, named, conn, why))
				kmq_waiter_cancel(queue, waiter, why);
		list_for_each_entry_safe(waiter, next, &index->general, link)
			if (kmq_cancel_concerns(waiter, named, conn, why))
				kmq_waiter_cancel(queue, waiter, why);
	}
}

/**
 * kmq_waiters_cancel_locked - cancel the waits and signals at a queue
 * @queue: the queue, locked
 * @why: reason; KMQ_CANCEL_QUIESCING concerns those that asked for it only
 */
void kmq_waiters_cancel_locked(struct kmq_queue *queue, enum kmq_cancel why)
{
	lockdep_assert_held(&queue->lock);
	kmq_waiters_cancel_some(queue, NULL, NULL, why);
	wake_up_all(&queue->poll);
}

/**
 * kmq_waiters_cancel_named_locked - cancel the waits and signals of handles that
 *	were opened through a certain definition
 * @queue: the queue, locked
 * @named: alias of it
 * @why: reason
 */
void kmq_waiters_cancel_named_locked(struct kmq_queue *queue,
				     const struct kmq_queue *named,
				     enum kmq_cancel why)
{
	lockdep_assert_held(&queue->lock);
	kmq_waiters_cancel_some(queue, named, NULL, why);
	wake_up_all(&queue->poll);
}

/**
 * kmq_waiters_cancel_conn_locked - cancel the waits of one connection
 * @queue: the queue, locked
 * @conn: the connection
 * @why: reason
 */
void kmq_waiters_cancel_conn_locked(struct kmq_queue *queue, const void *conn,
				    enum kmq_cancel why)
{
	lockdep_assert_held(&queue->lock);
	kmq_waiters_cancel_some(queue, NULL, conn, why);
}
