// SPDX-License-Identifier: GPL-2.0
/*
 * Own messages: what one getter sees and the others do not, see own.h. Guarded by
 * the lock of the queue.
 */
#include <linux/ktime.h>
#include <linux/sched.h>
#include "handle.h"
#include "mark.h"
#include "own.h"
#include "queue.h"
#include "search.h"
#include "take.h"
#include "uow.h"

/**
 * kmq_own_any - is there anything that only a getter may see?
 * @take: its get
 */
bool kmq_own_any(const struct kmq_take *take)
{
	return !list_empty(&take->handle->locked) ||
	       (take->own_puts && take->uow && !list_empty(&take->uow->puts));
}

static void kmq_own_add(struct kmq_queue *queue, struct kmq_msg *msg)
{
	kmq_store_add(&queue->store, msg);
	kmq_mark_arrival(queue, msg->key);
}

static void kmq_own_show_locked(struct kmq_queue *queue,
				struct kmq_handle *handle)
{
	struct kmq_msg *msg;

	list_for_each_entry(msg, &handle->locked, link) {
		msg->was_locked = true;
		kmq_own_add(queue, msg);
		cond_resched();
	}
}

static void kmq_own_hide_locked(struct kmq_queue *queue,
				struct kmq_handle *handle)
{
	struct kmq_msg *msg;

	list_for_each_entry(msg, &handle->locked, link) {
		cond_resched();
		if (msg->state != KMQ_MSG_AVAILABLE)
			continue;
		kmq_store_del(&queue->store, msg);
		msg->state = KMQ_MSG_LOCKED;
		msg->was_locked = false;
	}
}

static bool kmq_own_shows_put(const struct kmq_take *take,
			      const struct kmq_msg *msg, u64 now)
{
	if (take->own_persistent && !msg->persistent)
		return false;
	/* Uncommitted messages do not expire, but neither are they got. */
	return !msg->expiry || !kmq_msg_expired(msg, now);
}

static void kmq_own_show_put(struct kmq_queue *queue, struct kmq_msg *msg)
{
	msg->own_put = true;
	kmq_own_add(queue, msg);
}

/*
 * Of messages without groups only the first can be the answer to a question that
 * asks for nothing complete. Return: that one, in @first, or NULL if there is none;
 * false if it takes more.
 */
static bool kmq_own_first_put(const struct kmq_take *take, u64 now,
			      struct kmq_msg **first)
{
	struct kmq_msg *msg;

	*first = NULL;
	if (take->want.min_level || take->whole)
		return false;
	list_for_each_entry(msg, &take->uow->puts, link) {
		if (msg->member)
			return false;
		if ((!*first || msg->key < (*first)->key) &&
		    msg->key >= take->want.from &&
		    kmq_own_shows_put(take, msg, now) &&
		    kmq_search_fits(&take->want, msg))
			*first = msg;
		cond_resched();
	}
	return true;
}

static void kmq_own_show_puts(struct kmq_queue *queue, struct kmq_take *take,
			      u64 now)
{
	struct kmq_msg *msg;

	if (kmq_own_first_put(take, now, &msg)) {
		if (msg)
			kmq_own_show_put(queue, msg);
		return;
	}
	list_for_each_entry(msg, &take->uow->puts, link) {
		if (kmq_own_shows_put(take, msg, now))
			kmq_own_show_put(queue, msg);
		cond_resched();
	}
}

/**
 * kmq_own_show - show a getter what only it may see
 * @queue: the queue, locked
 * @take: its get
 * @now: CLOCK_MONOTONIC, ns
 *
 * kmq_own_hide() must follow before anybody else is asked.
 */
void kmq_own_show(struct kmq_queue *queue, struct kmq_take *take, u64 now)
{
	queue->store.showing = true;
	kmq_own_show_locked(queue, take->handle);
	if (take->own_puts && take->uow)
		kmq_own_show_puts(queue, take, now);
	queue->store.showing = false;
}

/**
 * kmq_own_hide - undo kmq_own_show() for what was not taken
 * @queue: the queue, locked
 * @take: the get
 */
void kmq_own_hide(struct kmq_queue *queue, struct kmq_take *take)
{
	struct kmq_group *group;
	struct kmq_msg *msg;

	queue->store.showing = true;
	kmq_own_hide_locked(queue, take->handle);
	if (take->own_puts && take->uow) {
		list_for_each_entry(msg, &take->uow->puts, link) {
			cond_resched();
			if (msg->state != KMQ_MSG_AVAILABLE)
				continue;
			kmq_store_del(&queue->store, msg);
			msg->state = KMQ_MSG_PUT_PENDING;
			msg->own_put = false;
		}
	}
	queue->store.showing = false;
	/* What left meanwhile left more than others see: let them look. */
	list_for_each_entry(group, &queue->store.changed, changed)
		group->rose = true;
}

/**
 * kmq_own_peek_locked - what would a get find that takes nothing
 * @queue: the queue, locked
 * @handle: handle that would get; it sees what it has locked
 * @want: conditions
 *
 * Expired messages it comes upon are discarded.
 *
 * Return: the first candidate, which may be hidden again, or NULL.
 */
struct kmq_msg *kmq_own_peek_locked(struct kmq_queue *queue,
				    struct kmq_handle *handle,
				    const struct kmq_search *want)
{
	u64 now = ktime_get_ns();
	struct kmq_msg *msg;

	lockdep_assert_held(&queue->lock);
	queue->store.showing = true;
	kmq_own_show_locked(queue, handle);
	queue->store.showing = false;
	if (want->min_level)
		kmq_queue_expire_until_locked(queue, now);
	while ((msg = kmq_search_first(&queue->store, want))) {
		if (!msg->expiry || !kmq_msg_expired(msg, now))
			break;
		kmq_queue_expire_locked(queue, msg);
	}
	queue->store.showing = true;
	kmq_own_hide_locked(queue, handle);
	queue->store.showing = false;
	return msg;
}
