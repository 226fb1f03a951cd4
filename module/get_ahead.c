// SPDX-License-Identifier: GPL-2.0
/*
 * MQGET: messages that the next gets would get, shown in advance.
 *
 * The gets are those of get_again.c, and so are the messages: what takes no more
 * than to be handed over. They stay where they are; the program claims them by
 * itself, see window.h.
 */
#include "context.h"
#include "get.h"
#include "qmgr.h"
#include "queue.h"
#include "window.h"

/* Nothing about the queue that has to be looked at again with each get. */
static bool kmq_get_ahead_suits(const struct kmq_queue *queue,
				const struct kmq_handle *handle)
{
	return !queue->deleted && !queue->watch && !queue->attrs.inhibit_get &&
	       list_empty(&handle->locked) &&
	       queue->depth < queue->attrs.max_q_depth;
}

/* The messages, each with a reference. Return: how many. */
static u32 kmq_get_ahead_find(struct kmq_get_again *again)
{
	struct kmq_queue *queue = again->handle->queue;
	struct kmq_msg *msg = kmq_store_plain_first(&queue->store);
	u32 i;

	for (i = 0; i < again->count && msg; i++) {
		if (!kmq_msg_is_plain(msg) || msg->length > again->cmds->length)
			break;
		again->msgs[i] = kmq_msg_hold(msg);
		msg = kmq_store_plain_next(msg);
	}
	return i;
}

/* Open a window. Return: how many messages are held for it. */
static u32 kmq_get_ahead_open(struct kmq_get_again *again)
{
	struct kmq_handle *handle = again->handle;
	struct kmq_queue *queue = handle->queue;
	u32 count = 0;

	kmq_queue_lock(queue);
	if (kmq_get_ahead_suits(queue, handle))
		count = kmq_get_ahead_find(again);
	if (count)
		again->window =
			kmq_window_open_locked(handle->window, again->msgs,
					       count, again->part,
					       handle->known_get.changes);
	mutex_unlock(&queue->lock);
	return count;
}

/* Nothing has happened yet, so what cannot be written is no error either. */
static u32 kmq_get_ahead_run(struct kmq_get_again *again)
{
	u32 i, count = kmq_get_ahead_open(again);

	if (again->window && kmq_get_again_hand_out(again, count) < count) {
		kmq_window_close(again->handle->window);
		again->window = 0;
	}
	for (i = 0; i < count; i++)
		kmq_msg_drop(again->msgs[i]);
	return again->window ? count : 0;
}

/* Is there nothing that each of the gets would have to leave or look at? */
static bool kmq_get_ahead_may(const struct kmq_get_again *again)
{
	const struct kmq_handle *handle = again->handle;

	return handle->window && kmq_get_knows(handle) &&
	       kmq_get_again_takes_any(handle, again->cmds) &&
	       !(handle->may & KMQ_MAY_SAVE_CONTEXT) &&
	       handle->conn->uow.marked_handle != handle;
}

/**
 * kmq_call_get_ahead - show messages that a program may claim
 * @again: gets like the last one of the handle: all like the first, of the others
 *	what the output needs is set
 *
 * Ends the window that the handle has.
 *
 * Return: how many messages are in the window @again->window, and known to the
 * program; 0: there is none.
 */
u32 kmq_call_get_ahead(struct kmq_get_again *again)
{
	struct kmq_handle *handle = again->handle;
	u32 done = 0;

	BUILD_BUG_ON(KMQ_AGAIN_MAX > KMQ_WINDOW_MAX);
	again->window = 0;
	if (unlikely(kmq_call_begin(handle->conn)))
		return 0;
	if (likely(!handle->closed && kmq_get_ahead_may(again) &&
		   kmq_get_again_join(again, again->count)))
		done = kmq_get_ahead_run(again);
	kmq_call_end(handle->conn);
	return done;
}

/**
 * kmq_call_window - let a handle have windows
 * @handle: handle
 * @cmd: the command
 *
 * Return: 0, or -ENOTCONN if the handle was closed.
 */
int kmq_call_window(struct kmq_handle *handle, struct kmq_window_file *cmd)
{
	u32 reason = kmq_call_begin(handle->conn);
	int err = 0;

	if (reason)
		return kmq_fail(cmd, reason);
	if (handle->closed) {
		kmq_call_end(handle->conn);
		return -ENOTCONN;
	}
	if (!(handle->may & KMQ_MAY_GET))
		reason = MQRC_NOT_OPEN_FOR_INPUT;
	else
		err = kmq_window_create(handle);
	if (err)
		reason = err == -EDQUOT ? MQRC_RESOURCE_PROBLEM :
					  MQRC_STORAGE_NOT_AVAILABLE;
	kmq_call_end(handle->conn);
	return reason ? kmq_fail(cmd, reason) : kmq_ok(cmd);
}
