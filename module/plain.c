// SPDX-License-Identifier: GPL-2.0
/*
 * Plain read() and write() of a queue node that no connection is bound to: one
 * message a call, no descriptor. Reader and writer have a private connection
 * each, so that one that waits does not hold up the other.
 */
#include <linux/string.h>
#include "call.h"
#include "qmgr.h"
#include "queue.h"
#include "queue_file.h"

static int kmq_plain_errno(u32 reason, bool nonblocking)
{
	switch (reason) {
	case MQRC_NO_MSG_AVAILABLE:
		return -EAGAIN;
	case MQRC_Q_FULL:
		return nonblocking ? -EAGAIN : -ENOSPC;
	case MQRC_TRUNCATED_MSG_FAILED:
	case MQRC_MSG_TOO_BIG_FOR_Q:
	case MQRC_MSG_TOO_BIG_FOR_Q_MGR:
		return -EMSGSIZE;
	case MQRC_BUFFER_ERROR:
		return -EFAULT;
	case MQRC_STORAGE_NOT_AVAILABLE:
		return -ENOMEM;
	case MQRC_GET_INHIBITED:
	case MQRC_PUT_INHIBITED:
	case MQRC_OBJECT_IN_USE:
	case MQRC_CALL_IN_PROGRESS:
		return -EBUSY;
	case MQRC_Q_DELETED:
	case MQRC_UNKNOWN_OBJECT_NAME:
		return -ENODEV;
	case MQRC_Q_MGR_QUIESCING:
	case MQRC_Q_MGR_STOPPING:
		return -ESHUTDOWN;
	default:
		return -EIO;
	}
}

static int kmq_plain_open(struct kmq_plain *plain, struct kmq_queue *queue,
			  u32 options)
{
	struct kmq_connect connect = { .size = sizeof(connect) };
	struct kmq_open cmd = { .size = sizeof(cmd), .options = options };
	struct kmq_open_call call = {
		.cmd = &cmd,
		.queue = queue,
		.can_read = true,
		.can_write = true,
	};

	plain->conn = kmq_conn_alloc(queue->qmgr);
	if (!plain->conn)
		return -ENOMEM;
	plain->conn->plain = true;
	call.conn = plain->conn;
	kmq_call_connect(plain->conn, &connect);
	if (connect.out_comp_code == MQCC_FAILED) {
		cmd.out_reason = connect.out_reason;
	} else {
		kmq_call_open(&call);
		plain->handle = call.handle;
	}
	if (plain->handle)
		return 0;
	kmq_conn_put(plain->conn);
	plain->conn = NULL;
	return kmq_plain_errno(cmd.out_reason, false);
}

/* The handle for a direction, made at the first use. */
static struct kmq_handle *kmq_plain_handle(struct kmq_queue_file *qf,
					   struct kmq_plain *plain, u32 options)
{
	int err = 0;

	/* Pairs with the release in kmq_queue_bind(). */
	if (smp_load_acquire(&qf->handle))
		return ERR_PTR(-EISCONN);
	if (mutex_lock_interruptible(&qf->bind))
		return ERR_PTR(-ERESTARTSYS);
	if (!plain->handle)
		err = kmq_plain_open(plain, qf->queue, options);
	mutex_unlock(&qf->bind);
	return err ? ERR_PTR(err) : plain->handle;
}

/**
 * kmq_plain_read - read(): get the next message
 * @iocb: the read
 * @to: destination; if the message is longer, it stays and -EMSGSIZE tells
 *
 * Waits for a message unless the file is non-blocking.
 *
 * Return: length of the message, or a negative errno.
 */
ssize_t kmq_plain_read(struct kiocb *iocb, struct iov_iter *to)
{
	struct kmq_queue_file *qf = iocb->ki_filp->private_data;
	bool nonblocking = iocb->ki_filp->f_flags & O_NONBLOCK ||
			   iocb->ki_flags & IOCB_NOWAIT;
	struct kmq_md_ext ext;
	struct kmq_get cmd = {
		.options = MQGMO_WAIT,
		.wait_interval = MQWI_UNLIMITED,
		.gmo_version = 4,
		.md_version = 2,
		.length = min_t(size_t, iov_iter_count(to), INT_MAX),
		.data = 1,
	};
	struct kmq_get_call call = {
		.cmd = &cmd,
		.ext = &ext,
		.data = *to,
		.nonblocking = nonblocking,
	};
	int err;

	call.handle = kmq_plain_handle(qf, &qf->reader, MQOO_INPUT_SHARED);
	if (IS_ERR(call.handle))
		return PTR_ERR(call.handle);
	err = kmq_call_get(&call);
	if (err)
		return err == -EINTR ? -ERESTARTSYS : err;
	if (cmd.out_comp_code != MQCC_OK)
		return kmq_plain_errno(cmd.out_reason, nonblocking);
	iov_iter_advance(to, cmd.out_data_length);
	return cmd.out_data_length;
}

/**
 * kmq_plain_write - write(): put a message
 * @iocb: the write
 * @from: the data
 *
 * The message is a datagram of format MQSTR with the defaults of the queue.
 *
 * Return: its length, or a negative errno; -ENOSPC (non-blocking: -EAGAIN) if
 * the queue is full.
 */
ssize_t kmq_plain_write(struct kiocb *iocb, struct iov_iter *from)
{
	struct kmq_queue_file *qf = iocb->ki_filp->private_data;
	size_t length = iov_iter_count(from);
	struct kmq_md_ext ext;
	struct kmq_put cmd = {
		.pmo_version = 3,
		.md_version = 2,
		.data = 1,
		.md = {
			.msg_type = MQMT_DATAGRAM,
			.expiry = MQEI_UNLIMITED,
			.encoding = MQENC_NATIVE,
			.format = "MQSTR   ",
			.priority = MQPRI_PRIORITY_AS_Q_DEF,
			.persistence = MQPER_PERSISTENCE_AS_Q_DEF,
		},
	};
	struct kmq_put_call call = {
		.cmd = &cmd,
		.ext = &ext,
		.data = *from,
		.may = KMQ_MAY_PUT,
	};
	int err;

	if (length > INT_MAX)
		return -EMSGSIZE;
	cmd.length = length;
	call.handle = kmq_plain_handle(qf, &qf->writer, MQOO_OUTPUT);
	if (IS_ERR(call.handle))
		return PTR_ERR(call.handle);
	call.conn = call.handle->conn;
	call.named = call.handle->named;
	call.queue = call.handle->queue;
	err = kmq_call_put(&call);
	if (err)
		return err;
	if (cmd.out_comp_code != MQCC_OK)
		return kmq_plain_errno(cmd.out_reason,
				       iocb->ki_filp->f_flags & O_NONBLOCK);
	iov_iter_advance(from, length);
	return length;
}

/**
 * kmq_plain_end - the file is closed
 * @plain: what one direction used, or nothing
 */
void kmq_plain_end(struct kmq_plain *plain)
{
	if (!plain->conn)
		return;
	kmq_conn_break(plain->conn);
	kmq_handle_free(plain->handle);
	kmq_conn_put(plain->conn);
}
