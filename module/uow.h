/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_UOW_H
#define KMQ_UOW_H

#include <linux/list.h>
#include <linux/timekeeping.h>
#include <linux/types.h>
#include "handle.h"
#include "msg.h"

struct kmq_queue;

/**
 * struct kmq_uow_queue - the part of a unit of work that concerns one queue
 * @link: in kmq_uow.queues
 * @queue: the queue, referenced
 * @puts: messages put, by kmq_msg.link
 * @gets: messages got, by kmq_msg.link
 * @claimed: messages that a program has claimed from a window and that are not
 *	among @gets yet; guarded by the queue's lock
 * @claimed_count: how many, guarded likewise
 * @promised: messages that the window had when it was opened, 0 without one
 * @window_link: in kmq_unit.windows, if there is one or was since the last call
 */
struct kmq_uow_queue {
	struct list_head link;
	struct kmq_queue *queue;
	struct list_head puts;
	struct list_head gets;
	struct list_head claimed;
	u32 claimed_count;
	u32 promised;
	struct list_head window_link;
};

/**
 * struct kmq_unit - the unit of work of a connection
 * @open: something was done in it, or MQBEGIN
 * @since: CLOCK_REALTIME, ns, when it was opened
 * @doomed: it can only be backed out (G-UOW-7)
 * @count: messages that count against MaxUncommittedMsgs (U-LIM-1)
 * @queues: struct kmq_uow_queue
 * @deferred: struct kmq_uow_queue of messages that appear after all else, some
 *	of them however it ends (O-TRIG-6)
 * @handles: struct kmq_handle whose group information it will restore
 * @marked_handle: handle of the get made with MQGMO_MARK_SKIP_BACKOUT, NULL if
 *	there is none or it was closed
 * @marked: group information that get left (G-MSB-6)
 * @kept_handle: handle of a marked get that a back-out kept (G-MSB-9)
 * @kept: group information to restore on it if that is backed out, too
 * @has_mark: a marked get was made
 * @marked_is_last: and was the last removing get on its handle
 * @windows: struct kmq_uow_queue whose messages a program may claim by itself
 * @promised: how many these can be at most
 * @claimed: messages of @kmq_uow_queue.claimed; others may look at any time
 *
 * Guarded by kmq_conn.call. Taking part in a unit of work may need memory;
 * ending it never does.
 */
struct kmq_unit {
	bool open;
	bool doomed;
	u32 count;
	u64 since;
	struct list_head queues;
	struct list_head deferred;
	struct list_head handles;
	bool has_mark;
	bool marked_is_last;
	struct kmq_handle *marked_handle;
	struct kmq_retained marked;
	struct kmq_handle *kept_handle;
	struct kmq_retained kept;
	struct list_head windows;
	u32 promised;
	atomic_t claimed;
};

void kmq_uow_init(struct kmq_unit *uow);

/* Something is done in the unit, or MQBEGIN. */
static inline void kmq_uow_open(struct kmq_unit *uow)
{
	if (uow->open)
		return;
	uow->since = ktime_get_coarse_real_ns();
	uow->open = true;
}

struct kmq_uow_queue *kmq_uow_join(struct kmq_unit *uow,
				   struct kmq_queue *queue);
struct kmq_uow_queue *kmq_uow_part(struct kmq_unit *uow,
				   const struct kmq_queue *queue);
void kmq_uow_use_put(struct kmq_unit *uow, struct kmq_handle *handle);
void kmq_uow_use_removed(struct kmq_unit *uow, struct kmq_handle *handle);
void kmq_uow_leave(struct kmq_handle *handle);
void kmq_uow_commit(struct kmq_unit *uow);
void kmq_uow_backout(struct kmq_unit *uow, bool keep_marked);
void kmq_uow_abandon(struct kmq_unit *uow);
void kmq_uow_defer(struct kmq_unit *uow, struct kmq_unit *from, bool stays);
void kmq_uow_doom(struct kmq_unit *uow);
void kmq_uow_merge(struct kmq_unit *uow, struct kmq_unit *from);
void kmq_uow_release(struct kmq_unit *uow);

#endif /* KMQ_UOW_H */
