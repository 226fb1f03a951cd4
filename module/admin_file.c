// SPDX-License-Identifier: GPL-2.0
/*
 * Files of admin nodes and of the control node. Whoever may write to an admin
 * node may define, alter, delete and clear; whoever may read it may look.
 */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>
#include "admin.h"
#include "call.h"
#include "dev.h"
#include "ioctl.h"
#include "limits.h"
#include "object.h"
#include "qmgr.h"
#include "qmgrs.h"

static int kmq_admin_info(struct file *file, union kmq_command *cmd)
{
	const struct kmq_qmgr *qmgr = file->private_data;

	return kmq_ioctl_info(cmd, qmgr ? KMQ_NODE_ADMIN : KMQ_NODE_CONTROL,
			      qmgr);
}

static int kmq_admin_file_list(struct file *file, union kmq_command *cmd)
{
	return kmq_ioctl_list(&cmd->list, file->private_data);
}

static int kmq_admin_file_status(struct file *file, union kmq_command *cmd)
{
	return kmq_ioctl_status(&cmd->status, file->private_data, NULL);
}

static int kmq_admin_file_handles(struct file *file, union kmq_command *cmd)
{
	return kmq_ioctl_handles(&cmd->handles, file->private_data, true);
}

static int kmq_admin_file_conns(struct file *file, union kmq_command *cmd)
{
	return kmq_ioctl_conns(&cmd->conns, file->private_data, true);
}

static int kmq_admin_file_inquire(struct file *file, union kmq_command *cmd)
{
	return kmq_inquire_by_name(&cmd->attrs, file->private_data);
}

/* The names of a namelist, of which there may be none. */
static int kmq_admin_copy_names(struct kmq_attr_given *given,
				const struct kmq_attr *attr)
{
	if (attr->length % KMQ_NAME_LEN)
		return -EINVAL;
	given->names = kvmalloc(attr->length + 1, GFP_KERNEL_ACCOUNT);
	if (!given->names)
		return -ENOMEM;
	if (copy_from_user(given->names, u64_to_user_ptr(attr->string),
			   attr->length))
		return -EFAULT;
	return 0;
}

/* Copy in one attribute of a definition, with its text. */
static int kmq_admin_copy_attr(struct kmq_attr_given *given, s32 object_type,
			       const struct kmq_attr *attr)
{
	const struct kmq_attr_desc *desc = kmq_attr_find(object_type,
							 attr->selector);

	given->selector = attr->selector;
	given->length = attr->length;
	given->value.number = attr->value;
	if (attr->reserved)
		return -EINVAL;
	if (!kmq_attr_is_text(attr->selector))
		return 0;
	if (desc && attr->length > desc->size)
		return -EINVAL;
	if (desc && desc->flags & KMQ_ATTR_NAMES)
		return kmq_admin_copy_names(given, attr);
	if (copy_from_user(given->value.text, u64_to_user_ptr(attr->string),
			   min_t(u32, attr->length,
				 sizeof(given->value.text))))
		return -EFAULT;
	return 0;
}

static void kmq_admin_free_attrs(struct kmq_attr_given *given, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		kvfree(given[i].names);
	kvfree(given);
}

static struct kmq_attr_given *kmq_admin_copy_attrs(const struct kmq_define *cmd)
{
	struct kmq_attr __user *user = u64_to_user_ptr(cmd->attrs);
	struct kmq_attr_given *given;
	struct kmq_attr attr;
	u32 i;
	int err = 0;

	given = kvcalloc(cmd->attr_count + 1, sizeof(*given),
			 GFP_KERNEL_ACCOUNT);
	if (!given)
		return ERR_PTR(-ENOMEM);
	for (i = 0; i < cmd->attr_count && !err; i++) {
		if (copy_from_user(&attr, user + i, sizeof(attr)))
			err = -EFAULT;
		else
			err = kmq_admin_copy_attr(&given[i],
						  cmd->object_type, &attr);
	}
	if (!err)
		return given;
	kmq_admin_free_attrs(given, cmd->attr_count);
	return ERR_PTR(err);
}

/* The attributes of a definition, in kernel memory, and its names padded. */
static struct kmq_attr_given *kmq_admin_copy_definition(struct kmq_define *cmd)
{
	if (cmd->attr_count > KMQ_MAX_SELECTORS)
		return ERR_PTR(-EINVAL);
	if (cmd->object_type == MQOT_Q ? !kmq_attr_type_flag(cmd->q_type) :
					 kmq_is_object(cmd->object_type) &&
					 cmd->q_type)
		return ERR_PTR(-EINVAL);
	kmq_name_pad(cmd->name, KMQ_NAME_LEN);
	kmq_name_pad(cmd->like, KMQ_NAME_LEN);
	return kmq_admin_copy_attrs(cmd);
}

static int kmq_admin_file_define(struct file *file, union kmq_command *cmd)
{
	const struct kmq_definer definer = {
		.uid = from_kuid_munged(&init_user_ns, current_fsuid()),
		.gid = from_kgid_munged(&init_user_ns,
					file_inode(file)->i_gid),
	};
	struct kmq_attr_given *given;
	int err;

	if (cmd->define.flags & ~KMQ_DEFINE_REPLACE ||
	    (cmd->define.object_type != MQOT_Q &&
	     !kmq_is_object(cmd->define.object_type)))
		return -EINVAL;
	given = kmq_admin_copy_definition(&cmd->define);
	if (IS_ERR(given))
		return PTR_ERR(given);
	err = kmq_admin_define(file->private_data, &cmd->define, given,
			       &definer);
	kmq_admin_free_attrs(given, cmd->define.attr_count);
	return err;
}

static int kmq_admin_file_alter(struct file *file, union kmq_command *cmd)
{
	struct kmq_attr_given *given;
	int err;

	if (cmd->define.flags || (cmd->define.object_type != MQOT_Q &&
				  cmd->define.object_type != MQOT_Q_MGR &&
				  !kmq_is_object(cmd->define.object_type)))
		return -EINVAL;
	given = kmq_admin_copy_definition(&cmd->define);
	if (IS_ERR(given))
		return PTR_ERR(given);
	err = kmq_admin_alter(file->private_data, &cmd->define, given);
	kmq_admin_free_attrs(given, cmd->define.attr_count);
	return err;
}

static int kmq_admin_check_delete(struct kmq_delete *cmd, u32 flags)
{
	if (cmd->object_type != MQOT_Q)
		return -EINVAL;
	if (cmd->flags & ~flags ||
	    (cmd->q_type && !kmq_attr_type_flag(cmd->q_type)))
		return -EINVAL;
	kmq_name_pad(cmd->name, KMQ_NAME_LEN);
	return 0;
}

static int kmq_admin_file_delete(struct file *file, union kmq_command *cmd)
{
	struct kmq_delete *delete = &cmd->delete;
	int err = 0;

	if (!kmq_is_object(delete->object_type))
		err = kmq_admin_check_delete(delete, KMQ_DELETE_PURGE);
	else if (delete->flags || delete->q_type)
		err = -EINVAL;
	kmq_name_pad(delete->name, KMQ_NAME_LEN);
	return err ?: kmq_admin_delete(file->private_data, delete);
}

static int kmq_admin_file_clear(struct file *file, union kmq_command *cmd)
{
	return kmq_admin_check_delete(&cmd->delete, 0) ?:
	       kmq_admin_clear(file->private_data, &cmd->delete);
}

static int kmq_admin_file_state(struct file *file, union kmq_command *cmd)
{
	if (cmd->state.flags)
		return -EINVAL;
	return kmq_admin_state(file->private_data, &cmd->state);
}

static int kmq_admin_file_conn(struct file *file, union kmq_command *cmd)
{
	struct kmq_conn_state *conn = &cmd->conn_state;

	if (conn->flags || conn->reserved ||
	    (conn->state != KMQ_QMGR_RUNNING &&
	     conn->state != KMQ_QMGR_QUIESCING))
		return -EINVAL;
	if (!kmq_conn_set_quiescing(file->private_data, conn->connection_id,
				    conn->state == KMQ_QMGR_QUIESCING))
		return kmq_fail(conn, MQRC_HCONN_ERROR);
	return kmq_ok(conn);
}

static const struct kmq_op kmq_admin_ops[] = {
	[KMQ_CMD_INFO] = KMQ_OP(kmq_info, false, 0, kmq_admin_info),
	[KMQ_CMD_LIST] = KMQ_OP_GREW(kmq_list, after, false, FMODE_READ,
				     kmq_admin_file_list),
	[KMQ_CMD_INQUIRE] = KMQ_OP(kmq_attrs, true, FMODE_READ,
				   kmq_admin_file_inquire),
	[KMQ_CMD_STATUS] = KMQ_OP(kmq_status, true, FMODE_READ,
				  kmq_admin_file_status),
	[KMQ_CMD_HANDLES] = KMQ_OP(kmq_handles, false, FMODE_READ,
				   kmq_admin_file_handles),
	[KMQ_CMD_CONNS] = KMQ_OP(kmq_conns, false, FMODE_READ,
				 kmq_admin_file_conns),
	/* The selector at fault is for those that failed. */
	[KMQ_CMD_DEFINE] = KMQ_OP(kmq_define, false, FMODE_WRITE,
				  kmq_admin_file_define),
	[KMQ_CMD_ALTER] = KMQ_OP(kmq_define, false, FMODE_WRITE,
				 kmq_admin_file_alter),
	[KMQ_CMD_DELETE] = KMQ_OP(kmq_delete, true, FMODE_WRITE,
				  kmq_admin_file_delete),
	[KMQ_CMD_CLEAR] = KMQ_OP(kmq_delete, true, FMODE_WRITE,
				 kmq_admin_file_clear),
	[KMQ_CMD_QMGR_STATE] = KMQ_OP(kmq_qmgr_state, true, FMODE_WRITE,
				      kmq_admin_file_state),
	[KMQ_CMD_CONN_STATE] = KMQ_OP(kmq_conn_state, true, FMODE_WRITE,
				      kmq_admin_file_conn),
};

/* A new queue manager belongs to the group of those who may make one. */
static int kmq_control_create(struct file *file, union kmq_command *cmd)
{
	struct kmq_qmgr_name *qmgr = &cmd->qmgr_name;
	u32 reason;

	if (qmgr->flags)
		return -EINVAL;
	kmq_name_pad(qmgr->name, KMQ_NAME_LEN);
	reason = kmq_qmgrs_create(qmgr->name, file_inode(file)->i_gid);
	return reason ? kmq_fail(qmgr, reason) : kmq_ok(qmgr);
}

static int kmq_control_delete(struct file *file, union kmq_command *cmd)
{
	struct kmq_qmgr_name *qmgr = &cmd->qmgr_name;
	u32 reason;

	if (qmgr->flags)
		return -EINVAL;
	kmq_name_pad(qmgr->name, KMQ_NAME_LEN);
	reason = kmq_qmgrs_delete(qmgr->name);
	return reason ? kmq_fail(qmgr, reason) : kmq_ok(qmgr);
}

static const struct kmq_op kmq_control_ops[] = {
	[KMQ_CMD_INFO] = KMQ_OP(kmq_info, false, 0, kmq_admin_info),
	[KMQ_CMD_QMGR_CREATE] = KMQ_OP(kmq_qmgr_name, true, FMODE_WRITE,
				       kmq_control_create),
	[KMQ_CMD_QMGR_DELETE] = KMQ_OP(kmq_qmgr_name, true, FMODE_WRITE,
				       kmq_control_delete),
};

static long kmq_admin_ioctl(struct file *file, unsigned int number,
			    unsigned long arg)
{
	if (!file->private_data)
		return kmq_ioctl(file, number, arg, kmq_control_ops,
				 ARRAY_SIZE(kmq_control_ops));
	return kmq_ioctl(file, number, arg, kmq_admin_ops,
			 ARRAY_SIZE(kmq_admin_ops));
}

static int kmq_admin_file_release(struct inode *inode, struct file *file)
{
	if (file->private_data) {
		kmq_dev_file_closed(file->private_data);
		kmq_qmgr_put(file->private_data);
	}
	return 0;
}

static const struct file_operations kmq_admin_fops = {
	.owner = THIS_MODULE,
	.release = kmq_admin_file_release,
	.unlocked_ioctl = kmq_admin_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

/**
 * kmq_admin_file_open - open an admin node or the control node
 * @file: the file
 * @node: the node, its queue manager referenced; the reference is kept
 */
int kmq_admin_file_open(struct file *file, const struct kmq_node *node)
{
	file->private_data = node->qmgr;
	kmq_file_become(file, &kmq_admin_fops);
	return nonseekable_open(file_inode(file), file);
}
