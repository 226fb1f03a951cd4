// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT and MQPUT1: what leads from one stage to the next, see DOC: Puts in put.h.
 */
#include <linux/err.h>
#include "call.h"
#include "limits.h"
#include "put.h"
#include "put_run.h"
#include "qmgr.h"
#include "queue.h"

/**
 * kmq_put_join - let puts take part in the unit of work
 * @run: the run, with its plan; gets the part of the unit
 * @index: the first put
 * @count: how many
 *
 * Return: how many the unit lets in; 0: @run->reason says why not even the first.
 */
u32 kmq_put_join(struct kmq_put_run *run, u32 index, u32 count)
{
	struct kmq_conn *conn = run->conn;
	struct kmq_unit *uow = &conn->uow;
	u32 limit = READ_ONCE(conn->qmgr->attrs.max_uncommitted_msgs);

	kmq_call_make_room(conn, count);
	if (unlikely(uow->doomed || uow->count >= limit)) {
		run->reason = kmq_put_check_state(run, index);
		return 0;
	}
	run->part = kmq_uow_join(uow, run->queue);
	if (run->part)
		return min(count, limit - uow->count);
	kmq_put_not_made(run, index, -ENOMEM);
	return 0;
}

/**
 * kmq_put_not_made - the first put of a run cannot be made
 * @run: the run; gets the reason or the errno
 * @index: which put
 * @err: what is wrong with its data or with memory
 *
 * The state of the queue and the unit of work is looked at before data is.
 */
void kmq_put_not_made(struct kmq_put_run *run, u32 index, int err)
{
	if (err == -EINTR) {
		run->err = err;
		return;
	}
	run->reason = kmq_put_check_state(run, index);
	if (run->reason)
		return;
	if (err == -EFAULT)
		run->reason = MQRC_BUFFER_ERROR;
	else if (err == -EMSGSIZE)
		run->reason = kmq_put_too_big(run, index);
	else
		run->reason = MQRC_STORAGE_NOT_AVAILABLE;
}

/**
 * kmq_put_follow_ordered - the handle goes on behind the messages that were put
 * @run: the run
 * @first: the first of them
 * @done: how many
 */
void kmq_put_follow_ordered(struct kmq_put_run *run, u32 first, u32 done)
{
	struct kmq_handle *handle = run->handle;
	u32 i;

	if (!handle)
		return;
	for (i = first; i < first + done; i++)
		kmq_put_retain(&handle->put, run->plan, &run->items[i]);
	if (unlikely(run->dest))
		handle->put.instance = run->dest->path[0]->uid;
}

/**
 * kmq_call_put - carry out puts whose memory is not that of a program
 * @run: the puts
 * @io: their memory
 * @count: how many
 *
 * Return: as kmq_put_all().
 */
u32 kmq_call_put(struct kmq_put_run *run, const struct kmq_put_io *io, u32 count)
{
	return kmq_put_all(run, io, count);
}
