// SPDX-License-Identifier: GPL-2.0
/*
 * Serving: who among those who wait gets a message when it becomes available.
 *
 * It does when it becomes visible: put, committed, backed out, unlocked, unmarked.
 * And it does when others come or go: with the last segment that was missing the
 * first one is complete, and when a message leaves, the next one at the same place
 * in its group counts, with which the group may be complete (M-GRP-4, M-SEG-3).
 * What happened to a group is noted in kmq_store.changed and settled before the
 * lock of the queue is given up. So is everything else here: whoever serves is in
 * the middle of a call of his own, and no message is available to a get that
 * sleeps when others get to see the queue (G-WAIT-9).
 */
#include <linux/ktime.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include "handle.h"
#include "notify.h"
#include "own.h"
#include "qmgr.h"
#include "queue.h"
#include "search.h"
#include "take.h"
#include "wait.h"

/**
 * struct kmq_offer - what those who wait are asked about
 * @msg: a message in the store, held by the caller
 * @visible: it has become visible; otherwise it stands for its group
 * @rose: messages of its group may have become complete
 * @posted: a signal of a get that removes was posted for it
 * @number: of this offer
 */
struct kmq_offer {
	struct kmq_msg *msg;
	bool visible;
	bool rose;
	bool posted;
	u64 number;
};

/*
 * Can the offer have given @waiter something to get? Who waits for something
 * complete is served by a change of its group, too (G-CPL-9); who sees messages
 * of its own, by any such change.
 */
static bool kmq_waiter_concerned(struct kmq_queue *queue,
				 const struct kmq_waiter *waiter,
				 const struct kmq_offer *offer)
{
	if (offer->msg->state != KMQ_MSG_AVAILABLE)
		return false;
	if (waiter->want->min_level && offer->msg->member &&
	    (offer->rose || kmq_waiter_has_own(waiter)))
		return true;
	return offer->visible &&
	       kmq_search_accepts(&queue->store, waiter->want, offer->msg);
}

/* Was a signal of a get that removes posted for @msg already (G-SIG-7)? */
static bool kmq_offer_is_posted(const struct kmq_offer *offer,
				const struct kmq_msg *msg)
{
	return msg == offer->msg ? offer->posted :
				   msg->member->signalled == offer->number;
}

static void kmq_offer_set_posted(struct kmq_offer *offer, struct kmq_msg *msg)
{
	if (msg == offer->msg)
		offer->posted = true;
	else
		msg->member->signalled = offer->number;
}

/*
 * Post a signal if it is for the message offered, or for one of its group that
 * became complete with it.
 */
static bool kmq_waiter_signal(struct kmq_queue *queue,
			      struct kmq_waiter *waiter,
			      struct kmq_offer *offer)
{
	bool removes = waiter->set == KMQ_SIGNAL_REMOVE;
	struct kmq_search want = *waiter->want;
	struct kmq_msg *msg;

	if (want.min_level && offer->msg->member) {
		want.flags |= KMQ_WANT_GROUP_ID;
		want.group_id = offer->msg->member->id;
	} else {
		want.flags |= KMQ_WANT_KEY;
		want.token_key = offer->msg->key;
	}
	msg = kmq_own_peek_locked(queue, waiter->handle, &want);
	if (!msg || (removes && kmq_offer_is_posted(offer, msg)))
		return false;
	if (removes)
		kmq_offer_set_posted(offer, msg);
	kmq_signal_post_locked(container_of(waiter, struct kmq_signal, waiter),
			       MQEC_MSG_ARRIVED);
	return true;
}

/* Can a quick waiter have a message as it is? */
static __always_inline bool kmq_quick_takes(const struct kmq_queue *queue,
					    const struct kmq_quick *quick,
					    const struct kmq_msg *msg)
{
	return kmq_msg_is_plain(msg) && msg->length <= quick->room &&
	       !queue->watch &&
	       quick->changes == kmq_qmgr_changes(queue->qmgr);
}

/* Give a quick waiter the first message that suits it, if it can have it so. */
static bool kmq_waiter_serve_quick(struct kmq_queue *queue,
				   struct kmq_waiter *waiter)
{
	struct kmq_quick *quick = waiter->quick;
	struct kmq_msg *msg = kmq_search_first(&queue->store, waiter->want);

	if (!msg || !kmq_quick_takes(queue, quick, msg))
		return false;
	kmq_take_off_locked(queue, msg, quick->part);
	queue->last_get_time = ktime_get_coarse_real_ns();
	quick->msg = msg;
	return true;
}

/* Carry out the get of a waiter. Return: false if it finds nothing. */
static bool kmq_waiter_serve(struct kmq_queue *queue, struct kmq_waiter *waiter,
			     struct kmq_offer *offer)
{
	int state = KMQ_WAIT_SERVED;

	if (!waiter->task)
		return kmq_waiter_signal(queue, waiter, offer);
	if (waiter->quick) {
		if (kmq_waiter_serve_quick(queue, waiter)) {
			kmq_waiter_wake_locked(queue, waiter, KMQ_WAIT_SERVED);
			return true;
		}
		waiter->take = waiter->quick->prepare(waiter->quick);
	}
	switch (kmq_take_choose_locked(queue, waiter->take)) {
	case KMQ_TAKE_NONE:
		return false;
	case KMQ_TAKE_ROOM:
		state = KMQ_WAIT_RETRY;
		break;
	case KMQ_TAKE_DONE:
		break;
	}
	kmq_waiter_wake_locked(queue, waiter, state);
	return true;
}

/*
 * Is there nothing left for a set of waiters? One signal a message is enough,
 * unless there can be others that became complete with it (G-SIG-6).
 */
static bool kmq_offer_is_over(const struct kmq_queue *queue,
			      enum kmq_waiter_set set,
			      const struct kmq_offer *offer)
{
	if (offer->msg->state != KMQ_MSG_AVAILABLE)
		return true;
	return set == KMQ_SIGNAL_REMOVE && offer->posted &&
	       !(offer->msg->member && queue->store.askers);
}

/* Does it matter whom the message itself suits? */
static bool kmq_offer_is_open(enum kmq_waiter_set set,
			      const struct kmq_offer *offer)
{
	return offer->visible && !(set == KMQ_SIGNAL_REMOVE && offer->posted);
}

static void kmq_waiter_try(struct kmq_queue *queue, struct kmq_waiter *waiter,
			   struct kmq_offer *offer)
{
	queue->waiters.met++;
	if (kmq_waiter_concerned(queue, waiter, offer))
		kmq_waiter_serve(queue, waiter, offer);
}

/* Of two waiters, either of which may be NULL, the one that came first. */
static struct kmq_waiter *kmq_waiter_earlier(struct kmq_waiter *a,
					     struct kmq_waiter *b)
{
	return !b || (a && a->file.ticket < b->file.ticket) ? a : b;
}

/* The first waiter of a list, or the one behind another one; NULL at the end. */
static struct kmq_waiter *kmq_waiter_listed(struct list_head *list,
					    struct kmq_waiter *behind)
{
	struct list_head *at = behind ? &behind->link : list;

	if (!list || list_is_last(at, list))
		return NULL;
	return list_entry(at->next, struct kmq_waiter, link);
}

/*
 * Serve those of one class whom the offer concerns, in the order in which they came:
 * whom the message suits, and who must be asked because of its group.
 */
static void kmq_waiters_serve_class(struct kmq_queue *queue,
				    enum kmq_waiter_set set,
				    const struct kmq_file *file,
				    struct list_head *any,
				    struct kmq_offer *offer)
{
	struct kmq_waiter *waiter, *listed = kmq_waiter_listed(any, NULL);
	bool asks_any = offer->msg->member && queue->store.askers;
	struct kmq_asks asks;
	u64 ticket = 0;

	if (asks_any)
		kmq_asks_begin(&asks, file, offer->msg->member->id,
			       offer->rose);
	while (!kmq_offer_is_over(queue, set, offer)) {
		waiter = asks_any ? kmq_asks_first(&asks) : NULL;
		if (kmq_offer_is_open(set, offer)) {
			waiter = kmq_waiter_earlier(waiter,
						    kmq_file_next(file,
								  offer->msg,
								  ticket));
			waiter = kmq_waiter_earlier(waiter, listed);
		}
		if (!waiter)
			return;
		ticket = waiter->file.ticket + 1;
		/* It may be gone afterwards. */
		if (asks_any)
			kmq_asks_pass(&asks, waiter);
		if (waiter == listed)
			listed = kmq_waiter_listed(any, waiter);
		kmq_waiter_try(queue, waiter, offer);
		cond_resched();
	}
}

/*
 * Serve those of a set whom the offer concerns, specific ones first (G-WAIT-7).
 */
static void kmq_waiters_serve_set(struct kmq_queue *queue,
				  enum kmq_waiter_set set,
				  struct kmq_offer *offer)
{
	struct kmq_waiter_index *index = &queue->waiters.set[set];

	if (!list_empty(&index->specific.shapes))
		kmq_waiters_serve_class(queue, set, &index->specific, NULL,
					offer);
	if (!list_empty(&index->general.shapes) || !list_empty(&index->any))
		kmq_waiters_serve_class(queue, set, &index->general,
					&index->any, offer);
}

/*
 * All browse waiters the offer concerns, then removing ones until the message is
 * taken: each gets its message with its wake-up (G-WAIT-5, G-WAIT-10). Then a
 * signal, if it is still there (G-SIG-6).
 */
static void kmq_waiters_serve(struct kmq_queue *queue, struct kmq_offer *offer)
{
	offer->number = ++queue->waiters.offers;
	kmq_waiters_serve_set(queue, KMQ_WAIT_BROWSE, offer);
	kmq_waiters_serve_set(queue, KMQ_SIGNAL_BROWSE, offer);
	kmq_waiters_serve_set(queue, KMQ_WAIT_REMOVE, offer);
	kmq_waiters_serve_set(queue, KMQ_SIGNAL_REMOVE, offer);
}

/*
 * The same for a message that has a group: what is noted about the group is
 * settled with it. If the message goes to the first that was asked, there may be
 * others that became complete, for those who were not asked.
 */
static void kmq_waiters_serve_member(struct kmq_queue *queue,
				     struct kmq_offer *offer)
{
	struct kmq_group *group = offer->msg->member->group;

	if (!list_empty(&group->changed))
		offer->rose = kmq_group_settle(group);
	kmq_waiters_serve(queue, offer);
	if (!offer->rose || offer->msg->state == KMQ_MSG_AVAILABLE)
		return;
	/* It may have been the last one of its group. */
	group = kmq_group_find(&queue->store, offer->msg->member->id);
	if (group && !list_empty(&group->changed))
		group->rose = true;
}

/* Return: false if a waiter has taken the message. */
static noinline bool kmq_waiters_ask(struct kmq_queue *queue,
				     struct kmq_msg *msg)
{
	struct kmq_offer offer = { .msg = msg, .visible = true };
	bool left;

	/* A waiter that takes the message may be gone before we are. */
	kmq_msg_hold(msg);
	if (msg->member)
		kmq_waiters_serve_member(queue, &offer);
	else
		kmq_waiters_serve(queue, &offer);
	left = msg->state == KMQ_MSG_AVAILABLE;
	kmq_msg_drop(msg);
	return left;
}

/**
 * kmq_waiters_ask_locked - a message became visible: serve who waits for it
 * @queue: the queue, locked
 * @msg: message in the store
 *
 * Then pollers. kmq_waiters_settle_locked() must follow before the lock is given
 * up.
 */
void kmq_waiters_ask_locked(struct kmq_queue *queue, struct kmq_msg *msg)
{
	lockdep_assert_held(&queue->lock);
	if (queue->waiters.total && !kmq_waiters_ask(queue, msg))
		return;
	if (wq_has_sleeper(&queue->poll))
		wake_up_interruptible_poll(&queue->poll,
					   EPOLLIN | EPOLLRDNORM);
}

/**
 * kmq_waiters_settle_locked - serve those for whom something became complete
 * @queue: the queue, locked
 *
 * A message that leaves the store can make others available: those of its group,
 * if it stood in front of one that counts now (M-GRP-4, M-SEG-3). Whoever takes
 * messages out of the store calls this before the lock is given up (G-WAIT-9).
 */
void kmq_waiters_settle_locked(struct kmq_queue *queue)
{
	struct list_head *changed = &queue->store.changed;

	lockdep_assert_held(&queue->lock);
	while (!list_empty(changed)) {
		struct kmq_group *group =
			list_first_entry(changed, struct kmq_group, changed);
		struct kmq_offer offer = {};

		if (queue->store.askers)
			offer.msg = kmq_group_next(group, 0);
		if (!offer.msg) {
			kmq_group_settle(group);
			continue;
		}
		kmq_msg_hold(offer.msg);
		kmq_waiters_serve_member(queue, &offer);
		kmq_msg_drop(offer.msg);
		cond_resched();
	}
}

/**
 * kmq_waiters_offer_locked - a message became visible, and nothing else happened
 * @queue: the queue, locked
 * @msg: message in the store
 */
void kmq_waiters_offer_locked(struct kmq_queue *queue, struct kmq_msg *msg)
{
	kmq_waiters_ask_locked(queue, msg);
	if (unlikely(!list_empty(&queue->store.changed)))
		kmq_waiters_settle_locked(queue);
}

/**
 * kmq_waiters_pass_locked - hand a new message to the get that waits for it
 * @queue: the queue, locked
 * @msg: plain message that nobody else knows
 * @priority: its priority, 0..9
 *
 * If all who wait take any message as it is, the first of them gets this one
 * without its ever being in the store. It counts as put and got.
 *
 * Return: the task to be woken with kmq_waiter_let_go(); or NULL: nothing has
 * been done.
 */
struct task_struct *kmq_waiters_pass_locked(struct kmq_queue *queue,
					    struct kmq_msg *msg, int priority)
{
	struct kmq_waiter_index *index = &queue->waiters.set[KMQ_WAIT_REMOVE];
	struct kmq_waiter *waiter;
	struct kmq_quick *quick;

	lockdep_assert_held(&queue->lock);
	/* Somebody else has a say, or something stands in front. */
	if (queue->waiters.quick != queue->waiters.total || queue->store.count)
		return NULL;
	waiter = list_first_entry_or_null(&index->any, struct kmq_waiter, link);
	if (!waiter)
		return NULL;
	quick = waiter->quick;
	if (!kmq_quick_takes(queue, quick, msg))
		return NULL;
	kmq_queue_pass_locked(queue, msg, priority, quick->part);
	quick->msg = msg;
	return kmq_waiter_end_locked(queue, waiter, KMQ_WAIT_SERVED);
}
