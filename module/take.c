// SPDX-License-Identifier: GPL-2.0
/*
 * Take: one get on a queue, from the choice of the message to its end.
 *
 * Choosing a message and what follows from it - off the queue, locked, marked -
 * is one step under the lock of the queue. The data is copied with no lock held.
 * Then kmq_take_finish() either makes the step final or undoes it, without
 * needing memory.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/ktime.h>
#include "handle.h"
#include "mark.h"
#include "notify.h"
#include "own.h"
#include "queue.h"
#include "take.h"
#include "uow.h"

static bool kmq_take_append(struct kmq_take *take, struct kmq_msg *msg)
{
	if (take->count < take->room)
		take->msgs[take->count] = msg;
	return ++take->count <= take->room;
}

/* Reports stand at their offsets, gaps between them are nulls (G-RAS-9). */
static void kmq_take_measure(struct kmq_take *take, const struct kmq_msg *msg,
			     bool report)
{
	if (!report)
		take->length += msg->length;
	else if (msg->length)
		take->length = (u64)msg->member->offset + msg->length;
}

/*
 * Collect the segments of the logical message that begins with @first, as far as
 * they agree with it in character set and encoding (G-RAS-7, G-RAS-13).
 *
 * Return: is the logical message all there, with what does not agree (G-RAS-11)?
 */
static bool kmq_take_gather(struct kmq_store *store, struct kmq_take *take,
			    struct kmq_msg *first)
{
	bool report = kmq_msg_is_report(first);
	struct kmq_msg *msg = first;

	take->count = 0;
	take->length = 0;
	take->run = KMQ_RUN_COMPLETE;
	take->segmented = false;
	while (kmq_take_measure(take, msg, report),
	       kmq_take_append(take, msg), true) {
		if (msg->msg_flags & MQMF_LAST_SEGMENT)
			break;
		msg = kmq_segment_next(msg);
		if (!msg)
			return false;
		take->segmented = true;
		if (msg->md.ccsid != first->md.ccsid)
			take->run = KMQ_RUN_CCSID;
		else if (msg->md.encoding != first->md.encoding)
			take->run = KMQ_RUN_ENCODING;
		if (take->run != KMQ_RUN_COMPLETE)
			return kmq_segments_whole(store, first);
		cond_resched();
	}
	return true;
}

static void kmq_take_single(struct kmq_take *take, struct kmq_msg *msg)
{
	take->count = 1;
	take->msgs[0] = msg;
	take->length = msg->length;
	take->run = KMQ_RUN_COMPLETE;
	take->segmented = false;
}

/**
 * kmq_take_off_locked - take a message off the queue
 * @queue: the queue, locked
 * @msg: message in the store; TAKEN afterwards
 * @syncpoint: it will be part of a unit of work
 */
void kmq_take_off_locked(struct kmq_queue *queue, struct kmq_msg *msg,
			 bool syncpoint)
{
	kmq_store_del(&queue->store, msg);
	if (unlikely(!list_empty(&msg->link)))
		list_del_init(&msg->link);
	if (msg->was_locked)
		queue->locked--;
	if (msg->own_put)
		queue->uncommitted_puts--;
	msg->state = KMQ_MSG_TAKEN;
	kmq_queue_uncount(queue, msg);
	queue->total_gets++;
	if (syncpoint)
		queue->uncommitted_gets++;
	else
		kmq_queue_uncharge(queue, msg);
}

static void kmq_take_lock(struct kmq_queue *queue, struct kmq_take *take,
			  struct kmq_msg *msg)
{
	if (msg->was_locked) {
		msg->kept_lock = true;
		return;
	}
	kmq_store_del(&queue->store, msg);
	list_move_tail(&msg->link, &take->handle->locked);
	msg->state = KMQ_MSG_LOCKED;
	msg->fresh_lock = true;
	queue->locked++;
	kmq_signal_owns_locked(take->handle);
}

static struct kmq_mark *kmq_take_find_mark(const struct kmq_take *take,
					   enum kmq_mark_kind kind)
{
	return kmq_mark_find(take->msgs[0],
			     kind == KMQ_MARK_HANDLE ? take->handle : NULL);
}

static void kmq_take_mark(struct kmq_queue *queue, struct kmq_take *take)
{
	enum kmq_mark_kind kind;

	for (kind = 0; kind < KMQ_MARK_KINDS; kind++) {
		if (!take->mark[kind] || kmq_take_find_mark(take, kind))
			continue;
		kmq_mark_add(queue, take->mark[kind], take->msgs[0],
			     kind == KMQ_MARK_HANDLE ? take->handle : NULL);
		take->marked[kind] = true;
	}
}

/* Does the end of the browse take a mark of this kind off? */
static bool kmq_take_unmarks(const struct kmq_take *take,
			     enum kmq_mark_kind kind, bool ok)
{
	if (!ok)
		return take->marked[kind];
	return take->unmark[kind] &&
	       (take->verdict == KMQ_ACCEPT || take->mark_shown);
}

/* Marks may be gone: the message was got, or they were dropped meanwhile. */
static void kmq_take_unmark(struct kmq_queue *queue, struct kmq_take *take,
			    bool ok)
{
	struct kmq_mark *mark;
	enum kmq_mark_kind kind;
	bool any = false;

	for (kind = 0; kind < KMQ_MARK_KINDS; kind++) {
		if (!kmq_take_unmarks(take, kind, ok))
			continue;
		mark = kmq_take_find_mark(take, kind);
		if (!mark)
			continue;
		kmq_mark_del(queue, mark);
		any = true;
	}
	if (any && take->msgs[0]->state == KMQ_MSG_AVAILABLE)
		kmq_waiters_offer_locked(queue, take->msgs[0]);
}

static void kmq_take_apply(struct kmq_queue *queue, struct kmq_take *take)
{
	bool accept = take->verdict == KMQ_ACCEPT;
	/* A lock that stays is not made larger (G-LCK-14). */
	bool lock = accept && take->lock &&
		    (take->release_locks || list_empty(&take->handle->locked));
	u32 i;

	take->backout_count = take->msgs[0]->backout_count;
	/* Nobody can mark it any more; marks it has may go at any time. */
	take->plain = take->count == 1 && hlist_empty(&take->msgs[0]->marks);
	for (i = 0; i < take->count; i++) {
		struct kmq_msg *msg = take->msgs[i];

		if (accept && take->remove) {
			kmq_take_off_locked(queue, msg, take->syncpoint);
		} else {
			kmq_msg_hold(msg);
			if (lock)
				kmq_take_lock(queue, take, msg);
		}
		if (i)
			cond_resched();
	}
	if (accept && take->remove) {
		queue->last_get_time = ktime_get_coarse_real_ns();
		if (unlikely(queue->watch))
			kmq_watch_get_locked(queue);
	} else if (accept || take->mark_shown) {
		kmq_take_mark(queue, take);
	}
}

/*
 * The first candidate that has not expired; those that have are discarded
 * (G-EXP-1). Uncommitted messages do not expire.
 */
static struct kmq_msg *kmq_take_first(struct kmq_queue *queue,
				      struct kmq_take *take)
{
	struct kmq_msg *msg;

	while ((msg = kmq_search_first(&queue->store, &take->want))) {
		if (likely(!msg->expiry) || msg->own_put ||
		    !kmq_msg_expired(msg, ktime_get_ns()))
			break;
		kmq_queue_expire_locked(queue, msg);
		cond_resched();
	}
	return msg;
}

static enum kmq_take_result kmq_take_first_locked(struct kmq_queue *queue,
						  struct kmq_take *take)
{
	struct kmq_msg *msg = kmq_take_first(queue, take);

	if (!msg)
		return KMQ_TAKE_NONE;
	take->incomplete = false;
	if (!take->whole || !(msg->msg_flags & MQMF_SEGMENT))
		kmq_take_single(take, msg);
	else
		take->incomplete = !kmq_take_gather(&queue->store, take, msg);
	if (WARN_ON_ONCE(take->incomplete &&
			 take->want.flags & KMQ_WANT_WHOLE))
		return KMQ_TAKE_NONE;
	if (take->count > take->room) {
		take->needed = take->count;
		return KMQ_TAKE_ROOM;
	}
	take->verdict = take->judge(take);
	if (take->verdict != KMQ_REFUSE)
		kmq_take_apply(queue, take);
	return KMQ_TAKE_DONE;
}

/**
 * kmq_take_choose_locked - choose a message and do what the get is for
 * @queue: the queue, locked
 * @take: the get
 *
 * Expired messages that the get comes upon are discarded (G-EXP-1); if it asks
 * for something complete all of the queue are, as they could be in the way
 * (G-EXP-3). Locks and the unit of work of the getter must not change meanwhile:
 * the caller is the getter, or the getter waits.
 *
 * What leaves the queue may concern those who wait: kmq_waiters_settle_locked()
 * must follow before the lock is given up.
 *
 * Return: KMQ_TAKE_NONE, KMQ_TAKE_ROOM: nothing has changed; KMQ_TAKE_DONE: see
 * @take.
 */
enum kmq_take_result kmq_take_choose_locked(struct kmq_queue *queue,
					    struct kmq_take *take)
{
	bool own = kmq_own_any(take);
	enum kmq_take_result result;
	u64 now;

	lockdep_assert_held(&queue->lock);
	if (likely(!own && !take->want.min_level))
		return kmq_take_first_locked(queue, take);
	now = ktime_get_ns();
	if (own)
		kmq_own_show(queue, take, now);
	if (take->want.min_level)
		kmq_queue_expire_until_locked(queue, now);
	result = kmq_take_first_locked(queue, take);
	if (own)
		kmq_own_hide(queue, take);
	return result;
}

/**
 * kmq_take_try_locked - choose, and serve those for whom that makes a difference
 * @queue: the queue, locked
 * @take: the get
 *
 * Return: as kmq_take_choose_locked().
 */
enum kmq_take_result kmq_take_try_locked(struct kmq_queue *queue,
					 struct kmq_take *take)
{
	enum kmq_take_result result = kmq_take_choose_locked(queue, take);

	if (unlikely(!list_empty(&queue->store.changed)))
		kmq_waiters_settle_locked(queue);
	return result;
}

/**
 * kmq_take_grow - make room for as many messages as KMQ_TAKE_ROOM asked for
 * @take: the get
 *
 * Return: 0 or -ENOMEM.
 */
int kmq_take_grow(struct kmq_take *take)
{
	u32 room = take->needed;

	kmq_take_free(take);
	take->msgs = kvmalloc_array(room, sizeof(*take->msgs),
				    GFP_KERNEL_ACCOUNT);
	if (!take->msgs) {
		take->msgs = take->few;
		return -ENOMEM;
	}
	take->room = room;
	return 0;
}

#define KMQ_GAP_AT_ONCE	(64 << 10)

/* Nulls for the bytes between two reports (G-RAS-9). */
static int kmq_take_fill_gap(u64 from, u64 to, struct iov_iter *iter)
{
	while (from < to) {
		u64 n = min_t(u64, to - from, KMQ_GAP_AT_ONCE);

		if (iov_iter_zero(n, iter) != n)
			return -EFAULT;
		from += n;
		cond_resched();
	}
	return 0;
}

/**
 * kmq_take_copy_out - copy the data of what was taken
 * @take: the get, after KMQ_SHOW or KMQ_ACCEPT
 * @length: bytes to copy, at most @take->length
 * @to: destination
 *
 * Return: 0 or -EFAULT.
 */
int kmq_take_copy_out(const struct kmq_take *take, u32 length,
		      struct iov_iter *to)
{
	u64 done = 0;
	u32 i;
	int err;

	for (i = 0; i < take->count && done < length; i++) {
		const struct kmq_msg *msg = take->msgs[i];
		u64 part;

		if (take->count > 1 && kmq_msg_is_report(msg) && msg->length &&
		    msg->member->offset > done) {
			part = min_t(u64, msg->member->offset, length);
			err = kmq_take_fill_gap(done, part, to);
			if (err)
				return err;
			done = part;
		}
		part = min_t(u64, msg->length, length - done);
		err = kmq_msg_copy_out(msg, part, to);
		if (err)
			return err;
		done += part;
		if (i)
			cond_resched();
	}
	return 0;
}

/* Undo a removal whose data did not reach the getter. */
static void kmq_take_restore(struct kmq_queue *queue, struct kmq_take *take)
{
	LIST_HEAD(back);
	u32 i;

	kmq_queue_lock(queue);
	for (i = 0; i < take->count; i++) {
		struct kmq_msg *msg = take->msgs[i];

		cond_resched();
		queue->total_gets--;
		if (take->syncpoint)
			queue->uncommitted_gets--;
		else
			kmq_queue_charge(queue, msg);
		if (queue->deleted) {
			kmq_queue_forget_locked(queue, msg);
			continue;
		}
		kmq_queue_count(queue, msg);
		if (msg->was_locked) {
			msg->was_locked = false;
			msg->state = KMQ_MSG_LOCKED;
			list_add_tail(&msg->link, &take->handle->locked);
			queue->locked++;
			kmq_signal_owns_locked(take->handle);
		} else if (msg->own_put) {
			msg->own_put = false;
			msg->state = KMQ_MSG_PUT_PENDING;
			list_add_tail(&msg->link, &take->uow->puts);
			queue->uncommitted_puts++;
		} else {
			kmq_queue_insert_locked(queue, msg);
			list_add_tail(&msg->link, &back);
		}
	}
	kmq_queue_offer_locked(queue, &back);
	mutex_unlock(&queue->lock);
}

/* The message is the getter's now: to its unit of work, or to its end. */
static void kmq_take_keep(struct kmq_queue *queue, struct kmq_take *take)
{
	u32 i;

	if (take->plain && !take->syncpoint) {
		kmq_queue_leave_group(queue, take->msgs[0]);
		kmq_msg_recycle(take->msgs[0], &queue->spares);
		return;
	}
	if (!take->plain)
		kmq_queue_lock_beside(queue);
	for (i = 0; i < take->count; i++) {
		struct kmq_msg *msg = take->msgs[i];

		if (!take->plain)
			kmq_marks_drop(queue, msg);
		msg->was_locked = false;
		if (take->syncpoint)
			list_add_tail(&msg->link, &take->uow->gets);
		else
			kmq_queue_detach_locked(queue, msg);
		if (i)
			cond_resched();
	}
	if (!take->plain)
		mutex_unlock(&queue->lock);
}

/* Bring the locked messages of the handle in line with how the browse ended. */
static void kmq_take_settle_locks(struct kmq_queue *queue,
				  struct kmq_take *take, bool ok)
{
	struct kmq_handle *handle = take->handle;
	struct kmq_msg *msg, *next;
	LIST_HEAD(released);

	list_for_each_entry_safe(msg, next, &handle->locked, link) {
		bool release = ok ? !msg->fresh_lock && !msg->kept_lock &&
				    take->release_locks : msg->fresh_lock;

		msg->fresh_lock = false;
		msg->kept_lock = false;
		if (release)
			list_move_tail(&msg->link, &released);
		cond_resched();
	}
	kmq_handle_release_locked(handle, &released);
}

static void kmq_take_end_browse(struct kmq_queue *queue, struct kmq_take *take,
				bool ok)
{
	bool accept = take->verdict == KMQ_ACCEPT;
	bool settle = accept && !list_empty(&take->handle->locked) &&
		      (take->lock || take->release_locks);
	u32 i;

	if (settle || kmq_take_unmarks(take, KMQ_MARK_HANDLE, ok) ||
	    kmq_take_unmarks(take, KMQ_MARK_CO_OP, ok)) {
		kmq_queue_lock(queue);
		if (settle)
			kmq_take_settle_locks(queue, take, ok);
		kmq_take_unmark(queue, take, ok);
		mutex_unlock(&queue->lock);
	}
	for (i = 0; i < take->count; i++) {
		kmq_msg_drop(take->msgs[i]);
		if (i)
			cond_resched();
	}
}

/**
 * kmq_take_finish - make a get final, or undo it
 * @take: the get, after KMQ_SHOW or KMQ_ACCEPT
 * @ok: the data has reached the getter
 *
 * Needs no memory. With !@ok the queue is as it was before, and messages that
 * came back are offered to those who wait.
 */
void kmq_take_finish(struct kmq_take *take, bool ok)
{
	struct kmq_queue *queue = take->handle->queue;

	if (take->verdict != KMQ_ACCEPT || !take->remove)
		kmq_take_end_browse(queue, take, ok);
	else if (ok)
		kmq_take_keep(queue, take);
	else
		kmq_take_restore(queue, take);
}

void kmq_take_free(struct kmq_take *take)
{
	if (take->msgs != take->few)
		kvfree(take->msgs);
	take->msgs = take->few;
	take->room = KMQ_TAKE_FEW;
}
