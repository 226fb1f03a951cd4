// SPDX-License-Identifier: GPL-2.0
/*
 * Plain read() and write() of a queue node that no connection is bound to: one
 * message a call, no descriptor. Reader and writer have a private connection
 * each, so that one that waits does not hold up the other.
 *
 * They are MQGET and MQPUT through a handle of that node, so what stands behind
 * an alias, a remote definition or a cluster queue is found by the open, and a
 * message goes the way that the handle has.
 */
#include <linux/slab.h>
#include <linux/string.h>
#include "call.h"
#include "cluster.h"
#include "compat.h"
#include "msg.h"
#include "qmgr.h"
#include "queue.h"
#include "queue_file.h"
#include "resolve.h"
#include "route.h"

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
	case MQRC_CLUSTER_PUT_INHIBITED:
	case MQRC_OBJECT_IN_USE:
	case MQRC_CALL_IN_PROGRESS:
		return -EBUSY;
	case MQRC_Q_DELETED:
	case MQRC_UNKNOWN_OBJECT_NAME:
		return -ENODEV;
	/* Nothing to read from: it leads away from here, or is a model. */
	case MQRC_OPTION_NOT_VALID_FOR_TYPE:
	case MQRC_Q_TYPE_ERROR:
		return -EINVAL;
	/* The definition leads nowhere. */
	case MQRC_ALIAS_BASE_Q_TYPE_ERROR:
	case MQRC_UNKNOWN_ALIAS_BASE_Q:
	case MQRC_UNKNOWN_REMOTE_Q_MGR:
	case MQRC_REMOTE_Q_NAME_ERROR:
	case MQRC_UNKNOWN_XMIT_Q:
	case MQRC_XMIT_Q_TYPE_ERROR:
	case MQRC_XMIT_Q_USAGE_ERROR:
	case MQRC_UNKNOWN_DEF_XMIT_Q:
	case MQRC_DEF_XMIT_Q_TYPE_ERROR:
	case MQRC_DEF_XMIT_Q_USAGE_ERROR:
	case MQRC_NO_DESTINATIONS_AVAILABLE:
		return -ENXIO;
	/* It leads elsewhere than when it was opened (P-CALL-10). */
	case MQRC_OBJECT_CHANGED:
		return -ESTALE;
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

	/* Each open of a model makes a queue, which nobody would know of. */
	if (queue->type == MQQT_MODEL)
		return kmq_plain_errno(MQRC_Q_TYPE_ERROR, false);
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

/* The put of a write() gives no part of a descriptor, and gets no answer. */
static int kmq_plain_no_parts(const struct kmq_put_run *run, u32 index,
			      u32 parts, struct kmq_md_ext *ext)
{
	return 0;
}

static bool kmq_plain_parts_match(const struct kmq_put_run *run, u32 index,
				  const struct kmq_put_plan *plan)
{
	return !plan->present;
}

static int kmq_plain_no_context(struct kmq_put_run *run, u32 index)
{
	return 0;
}

static int kmq_plain_fill(const struct kmq_put_run *run, u32 index,
			  struct kmq_msg *msg)
{
	return kmq_msg_fill(msg, run->data);
}

static void kmq_plain_data(const struct kmq_put_run *run, u32 index,
			   struct iov_iter *data)
{
	*data = *run->data;
}

static int kmq_plain_answer(const struct kmq_put_run *run, u32 index, u32 steps)
{
	return kmq_ok(&run->cmds[index]);
}

static int kmq_plain_refuse(const struct kmq_put_run *run, u32 index, u32 reason)
{
	return kmq_fail(&run->cmds[index], reason);
}

static const struct kmq_put_io kmq_plain_io = {
	.parts = kmq_plain_no_parts,
	.parts_match = kmq_plain_parts_match,
	.context = kmq_plain_no_context,
	.fill = kmq_plain_fill,
	.data = kmq_plain_data,
	.answer = kmq_plain_answer,
	.refuse = kmq_plain_refuse,
};

static int kmq_plain_put(struct kmq_handle *handle, struct kmq_put *cmd,
			 struct iov_iter *data)
{
	struct kmq_put_item item;
	struct kmq_put_run run kmq_uninit;

	kmq_put_run_through(&run, handle);
	run.cmds = cmd;
	run.items = &item;
	run.data = data;
	kmq_call_put(&run, &kmq_plain_io, 1);
	return run.err;
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
	struct iov_iter data = *from;
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
	struct kmq_handle *handle;
	int err;

	if (length > INT_MAX)
		return -EMSGSIZE;
	cmd.length = length;
	handle = kmq_plain_handle(qf, &qf->writer, MQOO_OUTPUT);
	if (IS_ERR(handle))
		return PTR_ERR(handle);
	err = kmq_plain_put(handle, &cmd, &data);
	if (err)
		return err;
	if (cmd.out_comp_code != MQCC_OK)
		return kmq_plain_errno(cmd.out_reason,
				       iocb->ki_filp->f_flags & O_NONBLOCK);
	iov_iter_advance(from, length);
	return length;
}

/* The queue that would be read from or written to, an instance if it is several. */
static u32 kmq_plain_resolve(struct kmq_queue *queue, struct kmq_dest *way)
{
	u32 reason = kmq_resolve(queue, way);
	u8 name[KMQ_NAME_LEN];
	struct kmq_queue *found;

	if (reason != MQRC_UNKNOWN_ALIAS_BASE_Q)
		return reason;
	kmq_dest_put(way);
	down_read(&queue->qmgr->names);
	memcpy(name, queue->attrs.base_q_name, KMQ_NAME_LEN);
	up_read(&queue->qmgr->names);
	found = kmq_cluster_find_one(name);
	if (!found)
		return reason;
	reason = kmq_resolve(found, way);
	kmq_queue_put(found);
	return reason;
}

/**
 * kmq_plain_way - what a file that is not bound leads to
 * @qf: file of a definition that is no queue itself
 *
 * Found once and kept until the file is closed, as who polls it sleeps there.
 *
 * Return: the way, or NULL if there is none now.
 */
struct kmq_dest *kmq_plain_way(struct kmq_queue_file *qf)
{
	struct kmq_dest *way;

	mutex_lock(&qf->bind);
	way = qf->way;
	if (!way)
		way = kzalloc(sizeof(*way), GFP_KERNEL_ACCOUNT);
	if (way && !qf->way && kmq_plain_resolve(qf->queue, way)) {
		kmq_dest_put(way);
		kfree(way);
		way = NULL;
	}
	if (way && !qf->way)
		qf->way_generation = kmq_dest_generation(way);
	qf->way = way;
	mutex_unlock(&qf->bind);
	return way;
}

/**
 * kmq_plain_way_end - the file is closed
 * @qf: the file
 */
void kmq_plain_way_end(struct kmq_queue_file *qf)
{
	if (qf->way)
		kmq_dest_put(qf->way);
	kfree(qf->way);
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
	kmq_conn_drop_handle(plain->handle);
	kmq_conn_put(plain->conn);
}
