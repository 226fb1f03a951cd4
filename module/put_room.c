// SPDX-License-Identifier: GPL-2.0
/*
 * KMQ_IOC_PUT_ROOM: whether puts that are made later would be refused now.
 */
#include <linux/limits.h>
#include "call.h"
#include "qmgr.h"
#include "queue.h"
#include "route.h"

/* What would refuse any put in the unit of work but a full queue. */
static u32 kmq_put_room_check(const struct kmq_handle *handle)
{
	const struct kmq_queue *queue = handle->queue;

	if (READ_ONCE(queue->deleted))
		return MQRC_Q_DELETED;
	if (handle->generation != kmq_handle_generation(handle))
		return MQRC_OBJECT_CHANGED;
	if (!(handle->may & KMQ_MAY_PUT))
		return MQRC_NOT_OPEN_FOR_OUTPUT;
	if (READ_ONCE(queue->attrs.inhibit_put) ||
	    READ_ONCE(handle->named->attrs.inhibit_put))
		return MQRC_PUT_INHIBITED;
	if (handle->conn->uow.doomed)
		return MQRC_BACKED_OUT;
	return MQRC_NONE;
}

/* The limits may be lowered below what is there. */
static u32 kmq_room_left(u32 limit, u32 used)
{
	return used < limit ? limit - used : 0;
}

static u32 kmq_put_room_msgs(const struct kmq_handle *handle)
{
	struct kmq_queue *queue = handle->queue;
	const struct kmq_conn *conn = handle->conn;
	const struct kmq_qmgr *qmgr = conn->qmgr;

	if (handle->route || READ_ONCE(conn->quiescing) ||
	    READ_ONCE(qmgr->state) != KMQ_QMGR_RUNNING)
		return 0;
	return min(kmq_room_left(READ_ONCE(queue->attrs.max_q_depth),
				 kmq_queue_depth_now(queue)),
		   kmq_room_left(READ_ONCE(qmgr->attrs.max_uncommitted_msgs),
				 conn->uow.count + conn->uow.promised));
}

/**
 * kmq_call_put_room - KMQ_IOC_PUT_ROOM
 * @handle: handle
 * @cmd: the command, @cmd->ids checked
 *
 * Return: 0; -ENOTCONN if the handle was closed.
 */
int kmq_call_put_room(struct kmq_handle *handle, struct kmq_put_room *cmd)
{
	struct kmq_qmgr *qmgr = handle->conn->qmgr;
	u32 reason = kmq_call_begin(handle->conn);

	if (reason)
		return kmq_fail(cmd, reason);
	if (handle->closed) {
		kmq_call_end(handle->conn);
		return -ENOTCONN;
	}
	reason = kmq_put_room_check(handle);
	cmd->out_msgs = kmq_put_room_msgs(handle);
	kmq_call_end(handle->conn);
	if (reason)
		return kmq_fail(cmd, reason);
	cmd->out_max_length =
		min(READ_ONCE(handle->queue->attrs.max_msg_length),
		    READ_ONCE(qmgr->attrs.max_msg_length));
	cmd->out_first_id = kmq_qmgr_new_numbers(qmgr, cmd->ids);
	return kmq_ok(cmd);
}
