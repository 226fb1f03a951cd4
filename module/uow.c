// SPDX-License-Identifier: GPL-2.0
/*
 * Units of work: what a connection has put and got and not yet committed.
 *
 * Guarded by the call lock of the connection. Ending a unit takes one queue lock
 * after the other, never two, so units over many queues cannot block each other;
 * on each queue all of it becomes visible in one step. Ending needs no memory.
 */
#include <linux/limits.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "conn.h"
#include "handle.h"
#include "queue.h"
#include "uow.h"

void kmq_uow_init(struct kmq_unit *uow)
{
	memset(uow, 0, sizeof(*uow));
	INIT_LIST_HEAD(&uow->queues);
	INIT_LIST_HEAD(&uow->deferred);
	INIT_LIST_HEAD(&uow->handles);
	INIT_LIST_HEAD(&uow->windows);
}

/**
 * kmq_uow_part - the part of a unit of work that concerns a queue
 * @uow: unit of work
 * @queue: queue
 *
 * Return: that part or NULL.
 */
struct kmq_uow_queue *kmq_uow_part(struct kmq_unit *uow,
				   const struct kmq_queue *queue)
{
	struct kmq_uow_queue *part;

	list_for_each_entry(part, &uow->queues, link)
		if (part->queue == queue) {
			/* Found at once the next time. */
			list_move(&part->link, &uow->queues);
			return part;
		}
	return NULL;
}

/**
 * kmq_uow_join - get ready to put to or get from a queue in a unit of work
 * @uow: unit of work
 * @queue: queue
 *
 * Does not open the unit: the call may still fail.
 *
 * Return: the part for that queue, or NULL for want of memory.
 */
struct kmq_uow_queue *kmq_uow_join(struct kmq_unit *uow,
				   struct kmq_queue *queue)
{
	struct kmq_uow_queue *part = kmq_uow_part(uow, queue);

	if (part)
		return part;
	part = kmalloc(sizeof(*part), GFP_KERNEL_ACCOUNT);
	if (!part)
		return NULL;
	part->queue = kmq_queue_get(queue);
	part->claimed_count = 0;
	part->promised = 0;
	INIT_LIST_HEAD(&part->puts);
	INIT_LIST_HEAD(&part->gets);
	INIT_LIST_HEAD(&part->claimed);
	INIT_LIST_HEAD(&part->window_link);
	list_add(&part->link, &uow->queues);
	return part;
}

static void kmq_uow_use(struct kmq_unit *uow, struct kmq_handle *handle)
{
	kmq_uow_open(uow);
	if (handle->in_uow)
		return;
	handle->in_uow = true;
	list_add(&handle->uow_link, &uow->handles);
}

/**
 * kmq_uow_use_put - a handle puts in the unit of work
 * @uow: unit of work, opened by this
 * @handle: handle; its group information is that from before the put
 *
 * Keeps what a back-out will restore (U-GRP-2, U-GRP-4).
 */
void kmq_uow_use_put(struct kmq_unit *uow, struct kmq_handle *handle)
{
	kmq_uow_use(uow, handle);
	if (handle->uow_put_saved)
		return;
	handle->uow_put_saved = true;
	handle->uow_put = handle->put;
}

/**
 * kmq_uow_use_removed - a handle gets in the unit of work
 * @uow: unit of work, opened by this
 * @handle: handle; its group information is that from before the get
 */
void kmq_uow_use_removed(struct kmq_unit *uow, struct kmq_handle *handle)
{
	kmq_uow_use(uow, handle);
	if (handle->uow_removed_saved)
		return;
	handle->uow_removed_saved = true;
	handle->uow_removed = handle->removed;
}

/**
 * kmq_uow_leave - a handle is closed: nothing to restore (U-GRP-5)
 * @handle: handle
 */
void kmq_uow_leave(struct kmq_handle *handle)
{
	struct kmq_unit *uow = &handle->conn->uow;

	if (handle->in_uow)
		list_del_init(&handle->uow_link);
	handle->in_uow = false;
	handle->uow_put_saved = false;
	handle->uow_removed_saved = false;
	if (uow->marked_handle == handle)
		uow->marked_handle = NULL;
	if (uow->kept_handle == handle)
		uow->kept_handle = NULL;
}

/* The handles have nothing to do with the unit any more. */
static void kmq_uow_forget_handles(struct kmq_unit *uow)
{
	while (!list_empty(&uow->handles)) {
		struct kmq_handle *handle = list_first_entry(&uow->handles,
							     struct kmq_handle,
							     uow_link);

		list_del_init(&handle->uow_link);
		handle->in_uow = false;
		handle->uow_put_saved = false;
		handle->uow_removed_saved = false;
	}
}

static void kmq_uow_restore_handles(struct kmq_unit *uow)
{
	struct kmq_handle *handle;

	list_for_each_entry(handle, &uow->handles, uow_link) {
		if (handle->uow_put_saved)
			handle->put = handle->uow_put;
		if (handle->uow_removed_saved)
			handle->removed = handle->uow_removed;
	}
	if (uow->kept_handle)
		uow->kept_handle->removed = uow->kept;
}

static void kmq_uow_end(struct kmq_unit *uow)
{
	kmq_uow_forget_handles(uow);
	uow->open = false;
	uow->doomed = false;
	uow->count = 0;
	uow->has_mark = false;
	uow->marked_handle = NULL;
	uow->kept_handle = NULL;
	if (unlikely(uow->promised))
		uow->since = ktime_get_coarse_real_ns();
}

/* No window refers to it, and nothing is pending in it. */
static void kmq_uow_part_free(struct kmq_unit *uow, struct kmq_uow_queue *part)
{
	list_del(&part->link);
	kmq_window_left(uow, part);
	kmq_queue_put(part->queue);
	kfree(part);
}

/*
 * Messages that nobody sees any more end, and such that nobody ever saw. Others may
 * have the queue in between: these functions deal with some and return whether
 * that was all.
 */

/* The messages got. */
static bool kmq_uow_forget_gets(struct kmq_queue *queue, struct list_head *gets)
{
	u32 left = KMQ_AT_ONCE;

	for (; !list_empty(gets); left--) {
		struct kmq_msg *msg =
			list_first_entry(gets, struct kmq_msg, link);

		if (!left)
			return false;
		list_del_init(&msg->link);
		queue->uncommitted_gets--;
		kmq_queue_forget_locked(queue, msg);
		cond_resched();
	}
	return true;
}

static void kmq_uow_drop_put(struct kmq_queue *queue, struct kmq_msg *msg)
{
	list_del_init(&msg->link);
	queue->uncommitted_puts--;
	kmq_queue_uncount(queue, msg);
	kmq_queue_forget_locked(queue, msg);
	cond_resched();
}

/*
 * The messages put. @stay: gets those that stay: reports on a message that was got
 * with MQGMO_MARK_SKIP_BACKOUT (G-MSB-8), @kept: counts them.
 */
static bool kmq_uow_drop_puts(struct kmq_queue *queue, struct list_head *puts,
			      bool keep_marked, struct list_head *stay,
			      u32 *kept)
{
	u32 left = KMQ_AT_ONCE;

	for (; !list_empty(puts); left--) {
		struct kmq_msg *msg =
			list_first_entry(puts, struct kmq_msg, link);

		if (!left)
			return false;
		if (keep_marked && msg->skip_backout && !queue->deleted) {
			msg->skip_backout = false;
			++*kept;
			list_move_tail(&msg->link, stay);
			continue;
		}
		kmq_uow_drop_put(queue, msg);
	}
	return true;
}

/* Make messages visible in one step, then offer them to those who wait. */
static void kmq_uow_publish(struct kmq_queue *queue, struct list_head *msgs)
{
	struct kmq_msg *msg;

	list_for_each_entry(msg, msgs, link) {
		kmq_queue_insert_locked(queue, msg);
		cond_resched();
	}
	kmq_queue_offer_locked(queue, msgs);
}

/* The messages got end, claimed ones included. The queue is locked afterwards. */
static void kmq_uow_commit_gets(struct kmq_unit *uow,
				struct kmq_uow_queue *part)
{
	struct kmq_queue *queue = part->queue;

	for (;;) {
		kmq_queue_lock_beside(queue);
		kmq_window_take_over_locked(uow, part);
		if (likely(kmq_uow_forget_gets(queue, &part->gets)))
			return;
		mutex_unlock(&queue->lock);
		cond_resched();
	}
}

/*
 * A window of the unit's own goes on: what has been claimed is committed, the rest
 * was never got. Return: does it still need the part?
 */
static bool kmq_uow_commit_part(struct kmq_unit *uow,
				struct kmq_uow_queue *part)
{
	struct kmq_queue *queue = part->queue;
	struct kmq_msg *msg, *next;
	bool has_window;

	kmq_uow_commit_gets(uow, part);
	if (queue->deleted) {
		list_for_each_entry_safe(msg, next, &part->puts, link)
			kmq_uow_drop_put(queue, msg);
	} else {
		list_for_each_entry(msg, &part->puts, link) {
			msg->skip_backout = false;
			queue->uncommitted_puts--;
			cond_resched();
		}
		kmq_uow_publish(queue, &part->puts);
	}
	/* What was published may have ended the window, which is not that large. */
	if (unlikely(part->claimed_count)) {
		kmq_window_take_over_locked(uow, part);
		kmq_uow_forget_gets(queue, &part->gets);
	}
	has_window = kmq_window_is_of_locked(part);
	mutex_unlock(&queue->lock);
	return has_window;
}

/* Delete those of the messages put that end with a back-out. */
static void kmq_uow_drop_transient(struct kmq_queue *queue,
				   struct list_head *puts)
{
	struct kmq_msg *msg, *next;

	list_for_each_entry_safe(msg, next, puts, link) {
		if (!msg->stays)
			kmq_uow_drop_put(queue, msg);
		cond_resched();
	}
}

/* What was to appear after all else does, or some of it. */
static void kmq_uow_end_deferred(struct kmq_unit *uow, bool committed)
{
	struct kmq_uow_queue *part, *next;

	list_for_each_entry_safe(part, next, &uow->deferred, link) {
		if (!committed) {
			kmq_queue_lock(part->queue);
			kmq_uow_drop_transient(part->queue, &part->puts);
			mutex_unlock(&part->queue->lock);
		}
		kmq_uow_commit_part(uow, part);
		kmq_uow_part_free(uow, part);
	}
}

/**
 * kmq_uow_commit - make everything done in a unit of work final (U-CMIT-2)
 * @uow: unit of work; it need not be open
 *
 * Cannot fail.
 */
void kmq_uow_commit(struct kmq_unit *uow)
{
	struct kmq_uow_queue *part, *next;

	list_for_each_entry_safe(part, next, &uow->queues, link)
		if (likely(!kmq_uow_commit_part(uow, part)))
			kmq_uow_part_free(uow, part);
	if (unlikely(!list_empty(&uow->deferred)))
		kmq_uow_end_deferred(uow, true);
	kmq_uow_end(uow);
}

/*
 * Bring the messages got back to their places. Return: how many stay with the
 * unit, because they were got with MQGMO_MARK_SKIP_BACKOUT (G-MSB-3).
 */
static u32 kmq_uow_return_gets(struct kmq_uow_queue *part, bool keep_marked,
			       struct list_head *back)
{
	struct kmq_queue *queue = part->queue;
	struct kmq_msg *msg, *next;
	u32 kept = 0;

	list_for_each_entry_safe(msg, next, &part->gets, link) {
		bool keep = keep_marked && msg->skip_backout && !msg->own_put;

		msg->skip_backout = false;
		cond_resched();
		if (keep && !queue->deleted) {
			kept++;
			continue;
		}
		list_del_init(&msg->link);
		queue->uncommitted_gets--;
		if (msg->own_put || queue->deleted) {
			kmq_queue_forget_locked(queue, msg);
			continue;
		}
		if (msg->backout_count < INT_MAX)
			msg->backout_count++;
		kmq_queue_count(queue, msg);
		list_add_tail(&msg->link, back);
	}
	return kept;
}

static u32 kmq_uow_backout_part(struct kmq_unit *uow,
				struct kmq_uow_queue *part, bool keep_marked)
{
	struct kmq_queue *queue = part->queue;
	LIST_HEAD(back);
	LIST_HEAD(stay);
	u32 kept = 0;

	kmq_queue_lock(queue);
	while (!kmq_uow_drop_puts(queue, &part->puts, keep_marked, &stay,
				  &kept)) {
		mutex_unlock(&queue->lock);
		cond_resched();
		kmq_queue_lock(queue);
	}
	list_splice_init(&stay, &part->puts);
	kmq_window_take_over_locked(uow, part);
	kept += kmq_uow_return_gets(part, keep_marked, &back);
	kmq_uow_publish(queue, &back);
	mutex_unlock(&queue->lock);
	return kept;
}

/**
 * kmq_uow_backout - undo everything done in a unit of work (U-BACK)
 * @uow: unit of work; it need not be open
 * @keep_marked: the program asked for it: a message got with
 *	MQGMO_MARK_SKIP_BACKOUT stays, as the only content of a new unit
 *
 * Cannot fail.
 */
void kmq_uow_backout(struct kmq_unit *uow, bool keep_marked)
{
	struct kmq_handle *handle = uow->has_mark ? uow->marked_handle : NULL;
	struct kmq_uow_queue *part, *next;
	struct kmq_retained before = {};
	u32 kept = 0;

	/* The message kept last time is back now, too (G-MSB-9). */
	if (handle)
		before = handle == uow->kept_handle ? uow->kept :
						      handle->uow_removed;
	kmq_uow_restore_handles(uow);
	list_for_each_entry_safe(part, next, &uow->queues, link) {
		u32 here = kmq_uow_backout_part(uow, part, keep_marked);

		kept += here;
		if (!here)
			kmq_uow_part_free(uow, part);
	}
	kmq_uow_end_deferred(uow, false);
	kmq_uow_end(uow);
	if (!kept)
		return;
	kmq_uow_open(uow);
	uow->count = kept;
	if (handle) {
		/* G-MSB-6: the marked get, if it was the last, still counts. */
		if (uow->marked_is_last)
			handle->removed = uow->marked;
		uow->kept_handle = handle;
		uow->kept = before;
	}
}

/**
 * kmq_uow_defer - let messages appear when a unit of work ends, after all else
 * @uow: unit of work
 * @from: private unit in which they were put; empty afterwards
 * @stays: they appear also if @uow is backed out
 *
 * Needs no memory.
 */
void kmq_uow_defer(struct kmq_unit *uow, struct kmq_unit *from, bool stays)
{
	struct kmq_uow_queue *part;
	struct kmq_msg *msg;

	list_for_each_entry(part, &from->queues, link)
		list_for_each_entry(msg, &part->puts, link) {
			msg->stays = stays;
			cond_resched();
		}
	list_splice_tail_init(&from->queues, &uow->deferred);
}

/**
 * kmq_uow_abandon - undo a private unit as if it had never been
 * @uow: private unit of a call that fails
 */
void kmq_uow_abandon(struct kmq_unit *uow)
{
	struct kmq_uow_queue *part;
	struct kmq_msg *msg;

	list_for_each_entry(part, &uow->deferred, link)
		list_for_each_entry(msg, &part->puts, link) {
			msg->stays = false;
			cond_resched();
		}
	kmq_uow_backout(uow, false);
}

/**
 * kmq_uow_doom - the queue manager backs a unit of work out (U-BACK-10)
 * @uow: unit of work; nothing happens if it is not open
 *
 * Its owner is told by what it does next in the unit. Cannot fail.
 */
void kmq_uow_doom(struct kmq_unit *uow)
{
	if (!uow->open)
		return;
	/* Nobody asked for it: marked messages come back, too (G-MSB-5). */
	kmq_uow_backout(uow, false);
	kmq_uow_open(uow);
	uow->doomed = true;
}

/**
 * kmq_uow_merge - let one unit of work take over what another one holds
 * @uow: unit of work
 * @from: private unit of one call; empty afterwards
 *
 * Needs no memory.
 */
void kmq_uow_merge(struct kmq_unit *uow, struct kmq_unit *from)
{
	struct kmq_uow_queue *part, *next, *own;

	list_for_each_entry_safe(part, next, &from->queues, link) {
		own = kmq_uow_part(uow, part->queue);
		if (!own) {
			list_move(&part->link, &uow->queues);
			continue;
		}
		list_splice_tail_init(&part->puts, &own->puts);
		list_splice_tail_init(&part->gets, &own->gets);
		kmq_uow_part_free(from, part);
	}
	list_splice_tail_init(&from->deferred, &uow->deferred);
}

/**
 * kmq_uow_release - free what an ended unit of work may have left
 * @uow: unit of work in which nothing is pending
 */
void kmq_uow_release(struct kmq_unit *uow)
{
	struct kmq_uow_queue *part, *next;

	list_for_each_entry_safe(part, next, &uow->queues, link)
		kmq_uow_part_free(uow, part);
}
