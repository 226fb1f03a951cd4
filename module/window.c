// SPDX-License-Identifier: GPL-2.0
/*
 * Windows: messages that a program may claim by itself, see window.h.
 *
 * A window belongs to a handle and is open at its queue, which has at most one,
 * under the lock of the queue. The page is there as long as the handle, and longer
 * where it is mapped.
 */
#include <linux/gfp.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "account.h"
#include "conn.h"
#include "handle.h"
#include "qmgr.h"
#include "queue.h"
#include "run.h"
#include "uow.h"
#include "window.h"

static struct kmq_window *kmq_window_alloc(struct kmq_handle *handle,
					   kuid_t payer)
{
	struct kmq_window *window = kzalloc(sizeof(*window),
					    GFP_KERNEL_ACCOUNT);

	if (!window)
		return NULL;
	window->page = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!window->page) {
		kfree(window);
		return NULL;
	}
	window->payer = payer;
	window->handle = handle;
	window->word = page_address(window->page);
	atomic64_set(window->word, KMQ_WINDOW_REVOKED);
	return window;
}

/**
 * kmq_window_create - let a handle have windows
 * @handle: handle; its connection's call lock is held
 *
 * It is on the caller's account until the handle is freed.
 *
 * Return: 0, also if it can have them already; -ENOMEM; -EDQUOT.
 */
int kmq_window_create(struct kmq_handle *handle)
{
	struct kmq_conn *conn = handle->conn;
	kuid_t caller = kmq_account_caller();
	struct kmq_window *window;
	int err;

	lockdep_assert_held(&conn->call);
	if (handle->window)
		return 0;
	err = kmq_account_charge(caller, KMQ_CHARGE_WINDOW);
	if (err)
		return err;
	window = kmq_window_alloc(handle, caller);
	if (!window) {
		kmq_account_uncharge(caller, KMQ_CHARGE_WINDOW);
		return -ENOMEM;
	}
	mutex_lock(&conn->windows_lock);
	list_add(&window->link, &conn->windows);
	mutex_unlock(&conn->windows_lock);
	WRITE_ONCE(handle->window, window);
	return 0;
}

/**
 * kmq_window_free - the handle of a window is freed
 * @window: window that is not open, or NULL
 */
void kmq_window_free(struct kmq_window *window)
{
	struct kmq_conn *conn;

	if (!window)
		return;
	conn = window->handle->conn;
	mutex_lock(&conn->windows_lock);
	list_del(&window->link);
	mutex_unlock(&conn->windows_lock);
	kmq_account_uncharge(window->payer, KMQ_CHARGE_WINDOW);
	put_page(window->page);
	kfree(window);
}

/* How many messages have been claimed, by what the word says. */
static u32 kmq_window_claimed(const struct kmq_window *window, u64 word)
{
	u32 settled = READ_ONCE(window->settled);

	if (word >> KMQ_WINDOW_NUMBER_SHIFT != READ_ONCE(window->number))
		return settled;
	return clamp_t(u32, word & KMQ_WINDOW_CLAIMED, settled,
		       READ_ONCE(window->count));
}

/* Messages that have been claimed leave the queue. */
static void kmq_window_take(struct kmq_queue *queue, struct kmq_window *window,
			    u32 claimed)
{
	struct kmq_msg **msgs = window->msgs + window->settled;
	struct kmq_uow_queue *part = window->part;
	u32 i, count = claimed - window->settled;

	if (!count)
		return;
	kmq_run_take_locked(queue, msgs, count, part);
	queue->last_get_time = ktime_get_coarse_real_ns();
	WRITE_ONCE(window->settled, claimed);
	if (!part) {
		kmq_msg_spares_put(&queue->spares,
				   kmq_msg_retire_run(msgs, count));
		return;
	}
	for (i = 0; i < count; i++)
		list_add_tail(&msgs[i]->link, &part->claimed);
	part->claimed_count += count;
	atomic_add(count, &window->handle->conn->uow.claimed);
}

/**
 * kmq_window_settle_locked - take what has been claimed off the queue
 * @queue: the queue, locked; it has a window
 */
void kmq_window_settle_locked(struct kmq_queue *queue)
{
	struct kmq_window *window = queue->window;

	lockdep_assert_held(&queue->lock);
	kmq_window_take(queue, window,
			kmq_window_claimed(window,
					   atomic64_read(window->word)));
}

/**
 * kmq_window_revoke_locked - end the window of a queue
 * @queue: the queue, locked; it has a window
 *
 * What has been claimed is taken off, the rest is as if it had never been in it.
 */
void kmq_window_revoke_locked(struct kmq_queue *queue)
{
	struct kmq_window *window = queue->window;
	/* (B) in window.h */
	u64 word = atomic64_fetch_or(KMQ_WINDOW_REVOKED, window->word);

	lockdep_assert_held(&queue->lock);
	kmq_window_take(queue, window, kmq_window_claimed(window, word));
	WRITE_ONCE(queue->window, NULL);
	WRITE_ONCE(window->part, NULL);
}

/**
 * kmq_window_open_locked - let a program claim messages
 * @window: window of a handle of the queue, which is locked and has none
 * @msgs: plain messages: kmq_store_plain_first() and those that follow it
 * @count: how many, 1..KMQ_WINDOW_MAX
 * @part: part of the unit of work of the handle's connection in which they are
 *	got, or NULL; the connection's call lock is held
 * @changes: kmq_qmgr_changes() of what the gets have been checked against
 *
 * Return: the number of the window; 0: something has changed, it is not open.
 */
u32 kmq_window_open_locked(struct kmq_window *window, struct kmq_msg **msgs,
			   u32 count, struct kmq_uow_queue *part, u32 changes)
{
	struct kmq_conn *conn = window->handle->conn;
	struct kmq_queue *queue = window->handle->queue;
	u32 number = window->number + 1 ?: 1;

	lockdep_assert_held(&queue->lock);
	WRITE_ONCE(window->number, number);
	WRITE_ONCE(window->count, count);
	WRITE_ONCE(window->settled, 0);
	WRITE_ONCE(window->part, part);
	window->last_key = msgs[count - 1]->key;
	memcpy(window->msgs, msgs, count * sizeof(*msgs));
	WRITE_ONCE(queue->window, window);
	atomic64_set(window->word, (u64)number << KMQ_WINDOW_NUMBER_SHIFT);
	/* See window.h: a change we do not see here ends the window. */
	if (unlikely(kmq_qmgr_changes(conn->qmgr) != changes)) {
		kmq_window_revoke_locked(queue);
		return 0;
	}
	if (!part)
		return number;
	conn->uow.promised += count - part->promised;
	part->promised = count;
	if (list_empty(&part->window_link))
		list_add(&part->window_link, &conn->uow.windows);
	if (!conn->uow.open)
		conn->uow.since = ktime_get_coarse_real_ns();
	return number;
}

/**
 * kmq_window_close - end a window if it is open
 * @window: the window
 */
void kmq_window_close(struct kmq_window *window)
{
	struct kmq_queue *queue = window->handle->queue;

	mutex_lock(&queue->lock);
	if (queue->window == window)
		kmq_window_revoke_locked(queue);
	mutex_unlock(&queue->lock);
}

/**
 * kmq_window_mind_locked - messages are coming to a queue that has a window
 * @queue: the queue, locked
 * @key: key of the first one, which is not in the store yet
 * @count: how many will count for the depth in addition
 *
 * One that belongs in front of the end of the window ends it. So does one that
 * makes the queue full: whoever waits until it is not has to be told at once
 * when a message is got, and who looks whether it is does so without the lock.
 */
void kmq_window_mind_locked(struct kmq_queue *queue, u64 key, u32 count)
{
	if (key < queue->window->last_key ||
	    queue->depth + count >= queue->attrs.max_q_depth)
		kmq_window_revoke_locked(queue);
}

/**
 * kmq_windows_claimed - what a connection has claimed in its unit of work
 * @conn: connection, referenced, of which a call may be under way
 *
 * Return: how many messages that its unit of work does not count yet; of a moment
 * that nobody can name if it claims some just now.
 */
u32 kmq_windows_claimed(struct kmq_conn *conn)
{
	u32 count = atomic_read(&conn->uow.claimed);
	const struct kmq_window *window;

	mutex_lock(&conn->windows_lock);
	list_for_each_entry(window, &conn->windows, link) {
		u32 settled = READ_ONCE(window->settled);
		u64 word = atomic64_read(window->word);

		if (READ_ONCE(window->part))
			count += max(kmq_window_claimed(window, word),
				     settled) - settled;
		cond_resched();
	}
	mutex_unlock(&conn->windows_lock);
	return count;
}

/**
 * kmq_window_is_of_locked - does a window need its part of the unit of work?
 * @part: the part; its queue is locked
 */
bool kmq_window_is_of_locked(const struct kmq_uow_queue *part)
{
	lockdep_assert_held(&part->queue->lock);
	return unlikely(part->promised) && part->queue->window &&
	       part->queue->window->part == part;
}

/**
 * kmq_window_take_over_locked - make what was claimed like any message got
 * @uow: unit of work
 * @part: part of it; its queue is locked
 *
 * The caller counts what it took, or ends the unit.
 */
void kmq_window_take_over_locked(struct kmq_unit *uow,
				 struct kmq_uow_queue *part)
{
	lockdep_assert_held(&part->queue->lock);
	if (likely(!part->claimed_count))
		return;
	list_splice_tail_init(&part->claimed, &part->gets);
	atomic_sub(part->claimed_count, &uow->claimed);
	part->claimed_count = 0;
}

/**
 * kmq_window_left - the part of a unit of work has no window any more
 * @uow: unit of work
 * @part: part of it; all that was claimed has been taken over
 */
void kmq_window_left(struct kmq_unit *uow, struct kmq_uow_queue *part)
{
	uow->promised -= part->promised;
	part->promised = 0;
	list_del_init(&part->window_link);
}

static void kmq_windows_collect_part(struct kmq_unit *uow,
				     struct kmq_uow_queue *part, bool withdraw)
{
	struct kmq_queue *queue = part->queue;
	bool has_window;
	u32 count;

	if (withdraw)
		kmq_queue_lock(queue);
	else
		kmq_queue_lock_beside(queue);
	count = part->claimed_count;
	kmq_window_take_over_locked(uow, part);
	has_window = kmq_window_is_of_locked(part);
	mutex_unlock(&queue->lock);
	/* Begun when the window was opened, at the latest. */
	if (count)
		uow->open = true;
	uow->count += count;
	if (!has_window)
		kmq_window_left(uow, part);
}

/**
 * kmq_windows_collect - count what was claimed since the last call
 * @uow: unit of work; the call lock of its connection is held
 */
void kmq_windows_collect(struct kmq_unit *uow)
{
	struct kmq_uow_queue *part, *next;

	list_for_each_entry_safe(part, next, &uow->windows, window_link)
		kmq_windows_collect_part(uow, part, false);
}

/**
 * kmq_windows_withdraw - end all windows of a unit of work
 * @uow: unit of work; the call lock of its connection is held
 */
void kmq_windows_withdraw(struct kmq_unit *uow)
{
	struct kmq_uow_queue *part, *next;

	list_for_each_entry_safe(part, next, &uow->windows, window_link)
		kmq_windows_collect_part(uow, part, true);
}
