// SPDX-License-Identifier: GPL-2.0
/*
 * Files of queue nodes: queue handles once bound, else plain message pipes.
 */
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/ktime.h>
#include <linux/uaccess.h>
#include "account.h"
#include "alternate.h"
#include "call.h"
#include "compat.h"
#include "dev.h"
#include "ioctl.h"
#include "limits.h"
#include "qmgr.h"
#include "queue.h"
#include "queue_file.h"
#include "route.h"
#include "user.h"
#include "notify.h"

static const struct file_operations kmq_queue_fops;

/**
 * kmq_queue_file_get - the open file of a queue node that a program names
 * @fd: its descriptor
 *
 * Return: the file, referenced; ERR_PTR(-EBADF) if it is none.
 */
struct file *kmq_queue_file_get(int fd)
{
	struct file *file = fget(fd);

	if (!file)
		return ERR_PTR(-EBADF);
	if (file->f_op != &kmq_queue_fops) {
		fput(file);
		return ERR_PTR(-EBADF);
	}
	return file;
}

/* The queue a file works on: behind an alias or model once it is bound. */
static struct kmq_queue *kmq_file_queue(struct file *file)
{
	const struct kmq_handle *handle = kmq_bound_handle(file);

	return handle ? handle->queue : kmq_queue_file_of(file)->queue;
}

static int kmq_queue_info(struct file *file, union kmq_command *cmd)
{
	return kmq_ioctl_info(cmd, KMQ_NODE_QUEUE,
			      kmq_queue_file_of(file)->queue->qmgr);
}

static int kmq_queue_bind(struct file *file, struct kmq_conn *conn,
			  struct kmq_open *cmd, const struct cred *alternate)
{
	struct kmq_queue_file *qf = kmq_queue_file_of(file);
	struct kmq_open_call call = {
		.cmd = cmd,
		.conn = conn,
		.queue = qf->queue,
		.can_read = file->f_mode & FMODE_READ,
		.can_write = file->f_mode & FMODE_WRITE,
		.is_owner = kmq_file_is_owner(file),
		.uid = from_kuid_munged(&init_user_ns, current_fsuid()),
		.gid = from_kgid_munged(&init_user_ns, current_fsgid()),
		.maker = kmq_account_caller(),
	};
	int err;

	if (conn->qmgr != qf->queue->qmgr &&
	    kmq_name_is_blank(cmd->object_name))
		return -EXDEV;
	if (qf->queue->type == MQQT_MODEL)
		call.may_administer = kmq_dev_may_administer(qf->queue->qmgr);
	if (cmd->options & MQOO_ALTERNATE_USER_AUTHORITY)
		kmq_alternate_apply(&call, file, alternate);
	mutex_lock(&qf->bind);
	if (qf->handle) {
		err = -EISCONN;
	} else {
		err = kmq_call_open(&call);
		/* Pairs with the acquire in kmq_bound_handle(). */
		smp_store_release(&qf->handle, call.handle);
	}
	mutex_unlock(&qf->bind);
	return err;
}

static int kmq_queue_open(struct file *file, union kmq_command *cmd)
{
	struct kmq_open *open = &cmd->open;
	struct file *conn_file;
	struct kmq_conn *conn;
	struct cred *alternate;
	int err;

	if (open->flags & ~KMQ_OPEN_ALT_USER || open->reserved ||
	    open->reserved2 || open->alt_reserved)
		return -EINVAL;
	kmq_name_pad(open->object_name, KMQ_NAME_LEN);
	kmq_name_pad(open->object_qmgr_name, KMQ_NAME_LEN);
	conn = kmq_conn_from_fd(open->conn_fd, &conn_file);
	if (IS_ERR(conn))
		return PTR_ERR(conn);
	alternate = kmq_alternate_get(open, conn_file);
	err = PTR_ERR_OR_ZERO(alternate);
	if (!err) {
		err = kmq_queue_bind(file, conn, open, alternate);
		kmq_alternate_put(alternate);
	}
	fput(conn_file);
	return err;
}

static int kmq_queue_close(struct file *file, union kmq_command *cmd)
{
	struct kmq_handle *handle = kmq_bound_handle(file);

	if (cmd->close.flags || cmd->close.reserved)
		return -EINVAL;
	return handle ? kmq_call_close(handle, &cmd->close) : -ENOTCONN;
}

static int kmq_queue_signal_status(struct file *file, union kmq_command *cmd)
{
	struct kmq_handle *handle = kmq_bound_handle(file);

	if (cmd->signal_status.flags || cmd->signal_status.reserved)
		return -EINVAL;
	if (!handle || READ_ONCE(handle->closed))
		return -ENOTCONN;
	return kmq_call_signal_status(handle, &cmd->signal_status);
}

static int kmq_queue_put_room(struct file *file, union kmq_command *cmd)
{
	struct kmq_handle *handle = kmq_bound_handle(file);

	if (cmd->put_room.flags || cmd->put_room.reserved ||
	    cmd->put_room.ids > KMQ_MAX_BATCH)
		return -EINVAL;
	if (!handle)
		return -ENOTCONN;
	return kmq_call_put_room(handle, &cmd->put_room);
}

/* MQINQ and MQSET count as calls of the connection. */
static int kmq_queue_attrs(struct file *file, struct kmq_attrs *cmd, u32 need,
			   u32 not_open)
{
	struct kmq_handle *handle = kmq_bound_handle(file);
	u32 reason;
	int err;

	if (cmd->flags || cmd->object_type != MQOT_Q)
		return -EINVAL;
	if (!handle)
		return -ENOTCONN;
	reason = kmq_call_begin(handle->conn);
	if (reason)
		return kmq_fail(cmd, reason);
	if (handle->closed)
		err = -ENOTCONN;
	else if (READ_ONCE(handle->queue->deleted))
		err = kmq_fail(cmd, MQRC_Q_DELETED);
	else if (!(handle->may & need))
		err = kmq_fail(cmd, not_open);
	else if (handle->generation != kmq_handle_generation(handle))
		err = kmq_fail(cmd, MQRC_OBJECT_CHANGED);
	else if (need == KMQ_MAY_SET)
		err = kmq_ioctl_set(cmd, handle->named);
	else
		err = kmq_ioctl_inquire(cmd, handle->conn->qmgr,
					handle->named);
	kmq_call_end(handle->conn);
	return err;
}

static int kmq_queue_inquire(struct file *file, union kmq_command *cmd)
{
	return kmq_queue_attrs(file, &cmd->attrs, KMQ_MAY_INQUIRE,
			       MQRC_NOT_OPEN_FOR_INQUIRE);
}

static int kmq_queue_set(struct file *file, union kmq_command *cmd)
{
	return kmq_queue_attrs(file, &cmd->attrs, KMQ_MAY_SET,
			       MQRC_NOT_OPEN_FOR_SET);
}

static int kmq_queue_status(struct file *file, union kmq_command *cmd)
{
	struct kmq_queue *queue = kmq_file_queue(file);

	return kmq_ioctl_status(&cmd->status, queue->qmgr, queue);
}

static const struct kmq_op kmq_queue_ops[] = {
	[KMQ_CMD_INFO] = KMQ_OP(kmq_info, false, 0, kmq_queue_info),
	/* Those with 0: what a handle may do was found out when it was opened. */
	[KMQ_CMD_INQUIRE] = KMQ_OP(kmq_attrs, true, 0, kmq_queue_inquire),
	[KMQ_CMD_SET] = KMQ_OP(kmq_attrs, true, 0, kmq_queue_set),
	[KMQ_CMD_STATUS] = KMQ_OP(kmq_status, true, FMODE_READ,
				  kmq_queue_status),
	[KMQ_CMD_OPEN] = KMQ_OP_GREW(kmq_open, out_resolved_qmgr_name, true, 0,
				     kmq_queue_open),
	[KMQ_CMD_CLOSE] = KMQ_OP(kmq_close, true, 0, kmq_queue_close),
	[KMQ_CMD_PUT] = KMQ_OP(kmq_put, true, 0, kmq_file_put_cmd),
	[KMQ_CMD_PUT1] = KMQ_OP(kmq_put, true, 0, kmq_queue_put1),
	[KMQ_CMD_GET] = KMQ_OP(kmq_get, true, 0, kmq_queue_get_msg),
	[KMQ_CMD_PUTV] = KMQ_OP(kmq_vec, false, 0, kmq_vec_putv),
	[KMQ_CMD_GETV] = KMQ_OP(kmq_vec, false, 0, kmq_vec_getv),
	[KMQ_CMD_SIGNAL_STATUS] = KMQ_OP(kmq_signal_status, true, 0,
					 kmq_queue_signal_status),
	[KMQ_CMD_PUT_ROOM] = KMQ_OP(kmq_put_room, true, 0, kmq_queue_put_room),
	[KMQ_CMD_WINDOW] = KMQ_OP(kmq_window_file, true, 0, kmq_window_file),
};

static long kmq_queue_ioctl(struct file *file, unsigned int number,
			    unsigned long arg)
{
	int err = 1;

	/* Most calls are one of these, of a size that is known. */
	if (number == KMQ_IOC_PUT)
		err = kmq_file_put(file, (void __user *)arg);
	else if (number == KMQ_IOC_GET)
		err = kmq_queue_get_again(file, (void __user *)arg);
	if (likely(err <= 0))
		return err;
	return kmq_ioctl(file, number, arg, kmq_queue_ops,
			 ARRAY_SIZE(kmq_queue_ops));
}

/* Would a get with no criteria succeed now? */
static bool kmq_queue_is_readable(struct kmq_queue *queue,
				  const struct kmq_handle *handle)
{
	lockdep_assert_held(&queue->lock);
	if (handle && handle->signal_status > KMQ_SIGNAL_OUTSTANDING)
		return true;
	if (handle && !(handle->may & (KMQ_MAY_GET | KMQ_MAY_BROWSE)))
		return false;
	if (queue->attrs.inhibit_get)
		return false;
	return kmq_store_has_live(&queue->store, ktime_get_ns()) ||
	       (handle && !list_empty(&handle->locked));
}

/* The same of a put. */
static bool kmq_queue_is_writable(const struct kmq_queue *queue)
{
	lockdep_assert_held(&queue->lock);
	return queue->depth < queue->attrs.max_q_depth &&
	       !queue->attrs.inhibit_put;
}

static __poll_t kmq_queue_events(struct kmq_queue *queue,
				 struct kmq_handle *handle, bool gets,
				 bool puts)
{
	__poll_t mask = 0;

	kmq_queue_lock_beside(queue);
	if (handle && handle->closed)
		handle = NULL;
	if (queue->deleted) {
		mask = EPOLLHUP | EPOLLERR;
	} else {
		if (gets && kmq_queue_is_readable(queue, handle))
			mask |= EPOLLIN | EPOLLRDNORM;
		if (puts && kmq_queue_is_writable(queue))
			mask |= EPOLLOUT | EPOLLWRNORM;
	}
	mutex_unlock(&queue->lock);
	return mask;
}

/* A definition that is not bound: what it leads to says what there is to say. */
static __poll_t kmq_definition_poll(struct file *file, poll_table *wait)
{
	struct kmq_queue_file *qf = kmq_queue_file_of(file);
	struct kmq_queue *named = qf->queue;
	const struct kmq_dest *way;
	bool away;

	poll_wait(file, &named->poll, wait);
	way = kmq_plain_way(qf);
	if (READ_ONCE(named->deleted))
		return EPOLLHUP | EPOLLERR;
	if (!way || kmq_dest_generation(way) != qf->way_generation)
		return EPOLLERR;
	poll_wait(file, &way->queue->poll, wait);
	/* To be put to alone (O-RES-1) */
	away = way->remote || way->queue->qmgr != named->qmgr;
	return kmq_queue_events(way->queue, NULL,
				!away && !READ_ONCE(named->attrs.inhibit_get),
				!kmq_dest_inhibited(way));
}

static __poll_t kmq_queue_poll(struct file *file, poll_table *wait)
{
	struct kmq_queue *queue = kmq_file_queue(file);
	struct kmq_handle *handle = kmq_bound_handle(file);

	if (!handle && queue->type != MQQT_LOCAL)
		return kmq_definition_poll(file, wait);
	poll_wait(file, &queue->poll, wait);
	return kmq_queue_events(queue, handle, true, true);
}

static void kmq_queue_show_fdinfo(struct seq_file *m, struct file *file)
{
	struct kmq_queue *queue = kmq_file_queue(file);
	struct kmq_handle *handle = kmq_bound_handle(file);

	seq_printf(m, "kmq-queue:\t%.*s\n", KMQ_NAME_LEN, queue->name);
	seq_printf(m, "kmq-depth:\t%u\n", kmq_queue_depth_now(queue));
	seq_printf(m, "kmq-bound:\t%d\n", handle && !READ_ONCE(handle->closed));
}

static int kmq_queue_file_release(struct inode *inode, struct file *file)
{
	struct kmq_queue_file *qf = kmq_queue_file_of(file);
	struct kmq_handle *handle = qf->handle;

	if (handle)
		kmq_conn_drop_handle(handle);
	kmq_plain_end(&qf->reader);
	kmq_plain_end(&qf->writer);
	kmq_plain_way_end(qf);
	kmq_dev_file_closed(qf->queue->qmgr);
	kmq_queue_put(qf->queue);
	mutex_destroy(&qf->bind);
	kfree(qf->run);
	kfree(qf);
	return 0;
}

static const struct file_operations kmq_queue_fops = {
	.owner = THIS_MODULE,
	.release = kmq_queue_file_release,
	.read_iter = kmq_plain_read,
	.write_iter = kmq_plain_write,
	.poll = kmq_queue_poll,
	.unlocked_ioctl = kmq_queue_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.show_fdinfo = kmq_queue_show_fdinfo,
	.llseek = kmq_no_llseek,
};

/**
 * kmq_queue_file_open - open a queue node
 * @file: the file
 * @node: the node, its queue referenced; the reference is kept
 */
int kmq_queue_file_open(struct file *file, const struct kmq_node *node)
{
	struct kmq_queue_file *qf = kzalloc(sizeof(*qf), GFP_KERNEL_ACCOUNT);

	if (!qf) {
		kmq_dev_file_closed(node->qmgr);
		kmq_queue_put(node->queue);
		return -ENOMEM;
	}
	qf->queue = node->queue;
	mutex_init(&qf->bind);
	file->private_data = qf;
	kmq_file_become(file, &kmq_queue_fops);
	return stream_open(file_inode(file), file);
}
