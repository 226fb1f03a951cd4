// SPDX-License-Identifier: GPL-2.0
/*
 * Files of qmgr nodes: connections.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "call.h"
#include "cluster.h"
#include "dev.h"
#include "ioctl.h"
#include "object.h"
#include "qmgr.h"
#include "queue.h"

static const struct file_operations kmq_conn_fops;

static int kmq_conn_info(struct file *file, union kmq_command *cmd)
{
	struct kmq_conn *conn = file->private_data;
	bool take = cmd->info.flags & KMQ_INFO_TAKE;
	int err;

	cmd->info.flags &= ~KMQ_INFO_TAKE;
	err = kmq_ioctl_info(cmd, KMQ_NODE_QMGR, conn->qmgr);
	if (err)
		return err;
	kmq_conn_events(conn, take, &cmd->info.out_began, &cmd->info.out_holds);
	if (take)
		cmd->info.flags = KMQ_INFO_TAKE;
	return 0;
}

static int kmq_conn_connect(struct file *file, union kmq_command *cmd)
{
	if (cmd->connect.flags || cmd->connect.reserved ||
	    cmd->connect.spin > KMQ_MAX_SPIN)
		return -EINVAL;
	cmd->connect.out_ctx_pad = 0;
	return kmq_call_connect(file->private_data, &cmd->connect);
}

static int kmq_conn_begin(struct file *file, union kmq_command *cmd)
{
	if (cmd->uow.flags)
		return -EINVAL;
	return kmq_call_begin_uow(file->private_data, &cmd->uow);
}

static int kmq_conn_commit(struct file *file, union kmq_command *cmd)
{
	if (cmd->uow.flags)
		return -EINVAL;
	return kmq_call_commit(file->private_data, &cmd->uow);
}

static int kmq_conn_backout(struct file *file, union kmq_command *cmd)
{
	if (cmd->uow.flags)
		return -EINVAL;
	return kmq_call_backout(file->private_data, &cmd->uow);
}

static int kmq_conn_list(struct file *file, union kmq_command *cmd)
{
	struct kmq_conn *conn = file->private_data;

	return kmq_ioctl_list(&cmd->list, conn->qmgr);
}

static int kmq_conn_status(struct file *file, union kmq_command *cmd)
{
	struct kmq_conn *conn = file->private_data;

	return kmq_ioctl_status(&cmd->status, conn->qmgr, NULL);
}

/* Who may only connect sees what is his own. */
static int kmq_conn_handles(struct file *file, union kmq_command *cmd)
{
	struct kmq_conn *conn = file->private_data;

	return kmq_ioctl_handles(&cmd->handles, conn->qmgr, false);
}

static int kmq_conn_conns(struct file *file, union kmq_command *cmd)
{
	struct kmq_conn *conn = file->private_data;

	return kmq_ioctl_conns(&cmd->conns, conn->qmgr, false);
}

/**
 * kmq_inquire_by_name - KMQ_IOC_INQUIRE of an object by name, or the queue manager
 * @cmd: the command
 * @qmgr: queue manager
 */
int kmq_inquire_by_name(struct kmq_attrs *cmd, struct kmq_qmgr *qmgr)
{
	struct kmq_queue *queue;
	int err;

	if (cmd->flags)
		return -EINVAL;
	kmq_name_pad(cmd->name, KMQ_NAME_LEN);
	if (cmd->object_type == MQOT_Q_MGR || kmq_is_object(cmd->object_type))
		return kmq_ioctl_inquire(cmd, qmgr, NULL);
	if (cmd->object_type != MQOT_Q)
		return -EINVAL;
	queue = kmq_qmgr_find(qmgr, cmd->name);
	if (!queue)
		queue = kmq_cluster_find_one(cmd->name);
	if (!queue)
		return kmq_fail(cmd, MQRC_UNKNOWN_OBJECT_NAME);
	err = kmq_ioctl_inquire(cmd, qmgr, queue);
	kmq_queue_put(queue);
	return err;
}

static int kmq_conn_resolve(struct file *file, union kmq_command *cmd)
{
	struct kmq_conn *conn = file->private_data;
	struct kmq_resolve *resolve = &cmd->resolve;
	struct kmq_target target;
	u32 reason;

	if (resolve->flags)
		return -EINVAL;
	kmq_name_pad(resolve->object_name, KMQ_NAME_LEN);
	kmq_name_pad(resolve->object_qmgr_name, KMQ_NAME_LEN);
	reason = kmq_resolve_name(conn->qmgr, resolve->object_name,
				  resolve->object_qmgr_name, &target);
	if (reason)
		return kmq_fail(resolve, reason);
	memcpy(resolve->out_node_name, target.node->name, KMQ_NAME_LEN);
	memcpy(resolve->out_node_qmgr_name, target.node->qmgr->name,
	       KMQ_NAME_LEN);
	kmq_queue_put(target.node);
	return kmq_ok(resolve);
}

static int kmq_conn_inquire(struct file *file, union kmq_command *cmd)
{
	struct kmq_conn *conn = file->private_data;

	return kmq_inquire_by_name(&cmd->attrs, conn->qmgr);
}

static const struct kmq_op kmq_conn_ops[] = {
	[KMQ_CMD_INFO] = KMQ_OP(kmq_info, false, 0, kmq_conn_info),
	/* To read is to connect (O-AUTH-1): a connection changes no node. */
	[KMQ_CMD_CONNECT] = KMQ_OP_GREW(kmq_connect, out_context, true,
					FMODE_READ, kmq_conn_connect),
	[KMQ_CMD_BEGIN] = KMQ_OP(kmq_uow, true, FMODE_READ, kmq_conn_begin),
	[KMQ_CMD_COMMIT] = KMQ_OP(kmq_uow, true, FMODE_READ, kmq_conn_commit),
	[KMQ_CMD_BACKOUT] = KMQ_OP(kmq_uow, true, FMODE_READ, kmq_conn_backout),
	[KMQ_CMD_LIST] = KMQ_OP_GREW(kmq_list, after, false, FMODE_READ,
				     kmq_conn_list),
	[KMQ_CMD_INQUIRE] = KMQ_OP(kmq_attrs, true, FMODE_READ,
				   kmq_conn_inquire),
	[KMQ_CMD_STATUS] = KMQ_OP(kmq_status, true, FMODE_READ,
				  kmq_conn_status),
	[KMQ_CMD_RESOLVE] = KMQ_OP(kmq_resolve, true, FMODE_READ,
				   kmq_conn_resolve),
	[KMQ_CMD_HANDLES] = KMQ_OP(kmq_handles, false, FMODE_READ,
				   kmq_conn_handles),
	[KMQ_CMD_CONNS] = KMQ_OP(kmq_conns, false, FMODE_READ, kmq_conn_conns),
};

static long kmq_conn_ioctl(struct file *file, unsigned int number,
			   unsigned long arg)
{
	return kmq_ioctl(file, number, arg, kmq_conn_ops,
			 ARRAY_SIZE(kmq_conn_ops));
}

/*
 * The end of the process that connected ends the connection (U-END-7), before its
 * parent is told. If this is not called then, see DOC: The process that connected.
 */
static int kmq_conn_flush(struct file *file, fl_owner_t id)
{
	struct kmq_conn *conn = file->private_data;
	/* Pairs with the release in kmq_conn_establish(). */
	const struct kmq_owner *owner = smp_load_acquire(&conn->owner);

	if (current->flags & PF_EXITING && owner &&
	    owner->pid == task_tgid(current) && kmq_owner_is_ending(owner))
		kmq_conn_break(conn);
	return 0;
}

static __poll_t kmq_conn_poll(struct file *file, poll_table *wait)
{
	struct kmq_conn *conn = file->private_data;

	poll_wait(file, &conn->poll, wait);
	return READ_ONCE(conn->began) ? EPOLLPRI : 0;
}

/* Only now may the queue manager be deleted. */
static void kmq_conn_gone(struct kmq_conn *conn)
{
	kmq_dev_file_closed(conn->qmgr);
}

static int kmq_conn_file_release(struct inode *inode, struct file *file)
{
	struct kmq_conn *conn = file->private_data;

	kmq_conn_file_gone(conn);
	kmq_conn_put(conn);
	return 0;
}

static const struct file_operations kmq_conn_fops = {
	.owner = THIS_MODULE,
	.release = kmq_conn_file_release,
	.flush = kmq_conn_flush,
	.poll = kmq_conn_poll,
	.unlocked_ioctl = kmq_conn_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

/**
 * kmq_conn_from_fd - the connection a descriptor stands for
 * @fd: descriptor
 * @file: set to the file, to be given back with fput()
 *
 * Return: the connection, or ERR_PTR(-EBADF).
 */
struct kmq_conn *kmq_conn_from_fd(int fd, struct file **file)
{
	*file = fget(fd);
	if (!*file)
		return ERR_PTR(-EBADF);
	if ((*file)->f_op != &kmq_conn_fops) {
		fput(*file);
		return ERR_PTR(-EBADF);
	}
	return (*file)->private_data;
}

/**
 * kmq_conn_file_open - open a qmgr node
 * @file: the file
 * @node: the node, referenced; the reference is used up
 */
int kmq_conn_file_open(struct file *file, const struct kmq_node *node)
{
	struct kmq_conn *conn = kmq_conn_alloc(node->qmgr);

	if (!conn)
		kmq_dev_file_closed(node->qmgr);
	kmq_qmgr_put(node->qmgr);
	if (!conn)
		return -ENOMEM;
	conn->on_gone = kmq_conn_gone;
	file->private_data = conn;
	kmq_file_become(file, &kmq_conn_fops);
	return nonseekable_open(file_inode(file), file);
}
