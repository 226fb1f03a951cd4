// SPDX-License-Identifier: GPL-2.0
/*
 * Entry: from an ioctl to a function that gets a kernel copy of the command, and
 * the commands that several kinds of node share.
 */
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "admin.h"
#include "call.h"
#include "compat.h"
#include "ioctl.h"
#include "limits.h"
#include "object.h"
#include "qmgr.h"
#include "queue.h"
#include "user.h"

#define KMQ_FEATURES	(KMQ_FEATURE_QUEUES | KMQ_FEATURE_SELECT | \
			 KMQ_FEATURE_GROUPS | KMQ_FEATURE_UOW | \
			 KMQ_FEATURE_SIGNALS | KMQ_FEATURE_BATCH)

/* What every command with a result begins with. */
struct kmq_command_head {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
};

static void kmq_check_layout(void)
{
#define KMQ_CHECK(type) do {						\
	BUILD_BUG_ON(sizeof(struct type) % 8);				\
	BUILD_BUG_ON(offsetof(struct type, size));			\
	BUILD_BUG_ON(offsetof(struct type, out_comp_code) != 8);	\
	BUILD_BUG_ON(offsetof(struct type, out_reason) != 12);		\
} while (0)
	KMQ_CHECK(kmq_connect);
	KMQ_CHECK(kmq_uow);
	KMQ_CHECK(kmq_open);
	KMQ_CHECK(kmq_close);
	KMQ_CHECK(kmq_put);
	KMQ_CHECK(kmq_get);
	KMQ_CHECK(kmq_signal_status);
	KMQ_CHECK(kmq_put_room);
	KMQ_CHECK(kmq_attrs);
	KMQ_CHECK(kmq_status);
	KMQ_CHECK(kmq_define);
	KMQ_CHECK(kmq_delete);
	KMQ_CHECK(kmq_qmgr_state);
	KMQ_CHECK(kmq_qmgr_name);
	KMQ_CHECK(kmq_conn_state);
	KMQ_CHECK(kmq_resolve);
#undef KMQ_CHECK
	BUILD_BUG_ON(sizeof(struct kmq_put) != 168);
	BUILD_BUG_ON(sizeof(struct kmq_get) != 208);
	BUILD_BUG_ON(sizeof(struct kmq_md) != 88);
}

/**
 * kmq_file_become - give an open file the operations of its kind of node
 * @file: file that is being opened
 * @fops: operations, of this module
 */
void kmq_file_become(struct file *file, const struct file_operations *fops)
{
	replace_fops(file, fops_get(fops));
}

/**
 * kmq_copy_command_in - get the kernel copy of a command
 * @request: request with @size set: the size the caller knows
 * @size: the size known here
 * @user: the command
 *
 * Every byte of the copy is the caller's or zero. What is behind the size known
 * here has to be looked through, hence the limit: nobody may make the kernel read
 * as much as he likes.
 *
 * Return: 0, -EFAULT, -E2BIG.
 */
int kmq_copy_command_in(struct kmq_request *request, size_t size,
			void __user *user)
{
	if (unlikely(request->size > PAGE_SIZE))
		return -E2BIG;
	if (unlikely(request->size != size))
		return copy_struct_from_user(&request->cmd, size, user,
					     request->size);
	return kmq_words_from_user(&request->cmd, user, size);
}

/* The size and the rest at one go, if the caller knows just what we do. */
static bool kmq_copy_whole_in(struct kmq_request *request, size_t size,
			      void __user *user)
{
	const struct kmq_command_head *head = (void *)&request->cmd;
	int err;

	/* With a constant size the copy is straight. */
	if (size == sizeof(struct kmq_put))
		err = kmq_words_from_user(&request->cmd, user,
					  sizeof(struct kmq_put));
	else if (size == sizeof(struct kmq_get))
		err = kmq_words_from_user(&request->cmd, user,
					  sizeof(struct kmq_get));
	else
		return false;
	request->size = head->size;
	return !err && head->size == size;
}

/* The fields of a command that are output: the result, and all from @from on. */
static __always_inline int kmq_copy_results_out(void __user *user,
						const void *cmd, size_t from,
						size_t size)
{
	const size_t result = offsetof(struct kmq_command_head, out_comp_code);

	if (kmq_words_to_user(user + result, cmd + result, sizeof(u64)))
		return -EFAULT;
	return kmq_words_to_user(user + from, cmd + from, size - from);
}

/**
 * kmq_copy_command_out - write a command back to where it came from
 * @request: request
 * @size: the size known here
 *
 * Return: 0 or -EFAULT.
 */
int kmq_copy_command_out(const struct kmq_request *request, size_t size)
{
	if (unlikely(request->size != size))
		return copy_to_user(request->user, &request->cmd,
				    min_t(size_t, request->size, size)) ?
		       -EFAULT : 0;
	if (size == sizeof(struct kmq_put))
		return kmq_copy_results_out(request->user, &request->cmd,
					    offsetof(struct kmq_put, md),
					    sizeof(struct kmq_put));
	if (size == sizeof(struct kmq_get))
		return kmq_copy_results_out(request->user, &request->cmd,
					    offsetof(struct kmq_get, deadline),
					    sizeof(struct kmq_get));
	return kmq_words_to_user(request->user, &request->cmd, size);
}

/**
 * kmq_request_answer - tell the caller what has come of a command with a result
 * @request: request, carried out
 * @size: the size known here
 *
 * Return: 0 or -EFAULT.
 */
int kmq_request_answer(const struct kmq_request *request, size_t size)
{
	const struct kmq_command_head *head = (void *)&request->cmd;

	if (request->published)
		return 0;
	if (head->out_comp_code == MQCC_FAILED)
		return kmq_words_to_user(request->user, head, sizeof(*head));
	return kmq_copy_command_out(request, size);
}

/**
 * kmq_ioctl - carry out a command
 * @file: file of a node
 * @number: ioctl number
 * @arg: address of the structure
 * @ops: commands of that kind of node, by number; those it does not have are
 *	empty
 * @count: entries of @ops
 */
long kmq_ioctl(struct file *file, unsigned int number, unsigned long arg,
	       const struct kmq_op *ops, unsigned int count)
{
	void __user *user = (void __user *)arg;
	unsigned int index = _IOC_NR(number);
	struct kmq_request request kmq_uninit;
	struct kmq_command_head *head = (void *)&request.cmd;
	const struct kmq_op *op;
	int err;

	kmq_check_layout();
	if (unlikely(_IOC_TYPE(number) != KMQ_IOC_MAGIC ||
		     number != KMQ_IOC(index) || index >= count ||
		     !ops[index].run))
		return -ENOTTY;
	op = &ops[index];
	if (unlikely(op->mode && !(file->f_mode & op->mode)))
		return -EBADF;
	request.user = user;
	request.published = false;
	if (!kmq_copy_whole_in(&request, op->size, user)) {
		if (get_user(request.size, (u32 __user *)user))
			return -EFAULT;
		if (unlikely(request.size < op->min_size))
			return -EINVAL;
		err = kmq_copy_command_in(&request, op->size, user);
		if (unlikely(err))
			return err;
		/* It may have changed since; only the first look counts. */
		head->size = request.size;
	}
	err = op->run(file, &request.cmd);
	if (err)
		return err;
	return op->has_result ? kmq_request_answer(&request, op->size) :
				kmq_copy_command_out(&request, op->size);
}

/**
 * kmq_ioctl_info - KMQ_IOC_INFO
 * @cmd: the command
 * @node: KMQ_NODE_*
 * @qmgr: queue manager, NULL for the control node
 */
int kmq_ioctl_info(union kmq_command *cmd, u32 node,
		   const struct kmq_qmgr *qmgr)
{
	struct kmq_info *info = &cmd->info;

	if (info->flags)
		return -EINVAL;
	info->out_abi = KMQ_ABI_VERSION;
	info->out_node = node;
	info->out_features = KMQ_FEATURES;
	info->out_max_msg_length = KMQ_MAX_MSG_LENGTH;
	info->out_max_queues = KMQ_MAX_QUEUES;
	info->out_max_handles = KMQ_DEF_HANDLES;
	info->out_max_batch = KMQ_MAX_BATCH;
	info->out_qmgr_state = qmgr ? READ_ONCE(qmgr->state) : 0;
	info->out_began = 0;
	info->out_holds = 0;
	return 0;
}

/**
 * struct kmq_attr_arrays - kernel copies of the arrays of MQINQ and MQSET
 * @selectors: selectors
 * @ints: integer attributes
 * @chars: character attributes
 * @int_count: integers in @ints
 * @char_length: bytes in @chars
 */
struct kmq_attr_arrays {
	s32 *selectors;
	s32 *ints;
	u8 *chars;
	u32 int_count;
	u32 char_length;
};

/* However much room the caller claims: no more selectors, no more values. */
static int kmq_attr_arrays_alloc(struct kmq_attr_arrays *arrays,
				 const struct kmq_attrs *cmd)
{
	size_t longest = cmd->object_type == MQOT_NAMELIST ?
			 KMQ_MAX_NAMES * KMQ_NAME_LEN :
			 sizeof_field(struct kmq_attr_value, text);
	size_t n = cmd->selector_count;

	arrays->int_count = min_t(u32, cmd->int_attr_count, n);
	arrays->char_length = min_t(u32, cmd->char_attr_length, n * longest);
	arrays->selectors = kmalloc_array(n + 1, sizeof(s32),
					  GFP_KERNEL_ACCOUNT);
	arrays->ints = kmalloc_array(n + 1, sizeof(s32), GFP_KERNEL_ACCOUNT);
	arrays->chars = kvmalloc(arrays->char_length + 1, GFP_KERNEL_ACCOUNT);
	if (!arrays->selectors || !arrays->ints || !arrays->chars)
		return -ENOMEM;
	if (copy_from_user(arrays->selectors, u64_to_user_ptr(cmd->selectors),
			   n * sizeof(s32)))
		return -EFAULT;
	return 0;
}

static void kmq_attr_arrays_free(struct kmq_attr_arrays *arrays)
{
	kfree(arrays->selectors);
	kfree(arrays->ints);
	kvfree(arrays->chars);
}

static int kmq_inquire_copy_out(const struct kmq_attrs_call *call)
{
	const struct kmq_attrs *cmd = call->cmd;

	if (cmd->out_comp_code == MQCC_FAILED)
		return 0;
	if (copy_to_user(u64_to_user_ptr(cmd->int_attrs), call->ints,
			 call->ints_used * sizeof(s32)))
		return kmq_fail(call->cmd, MQRC_INT_ATTRS_ARRAY_ERROR);
	if (copy_to_user(u64_to_user_ptr(cmd->char_attrs), call->chars,
			 call->chars_used))
		return kmq_fail(call->cmd, MQRC_CHAR_ATTRS_ERROR);
	return 0;
}

/**
 * kmq_ioctl_inquire - KMQ_IOC_INQUIRE
 * @cmd: the command, flags checked
 * @qmgr: queue manager
 * @queue: queue, or NULL: what the command names
 */
int kmq_ioctl_inquire(struct kmq_attrs *cmd, struct kmq_qmgr *qmgr,
		      struct kmq_queue *queue)
{
	struct kmq_attr_arrays arrays = {};
	struct kmq_attrs_call call = {
		.cmd = cmd, .qmgr = qmgr, .queue = queue,
	};
	int err;

	if (!kmq_attrs_counts_valid(cmd))
		return 0;
	err = kmq_attr_arrays_alloc(&arrays, cmd);
	if (!err) {
		call.selectors = arrays.selectors;
		call.ints = arrays.ints;
		call.chars = arrays.chars;
		err = kmq_call_inquire(&call);
	}
	if (!err)
		err = kmq_inquire_copy_out(&call);
	kmq_attr_arrays_free(&arrays);
	return err;
}

/**
 * kmq_ioctl_set - KMQ_IOC_SET
 * @cmd: the command, flags checked
 * @queue: queue
 */
int kmq_ioctl_set(struct kmq_attrs *cmd, struct kmq_queue *queue)
{
	struct kmq_attr_arrays arrays = {};
	struct kmq_attrs_call call = {
		.cmd = cmd, .qmgr = queue->qmgr, .queue = queue,
	};
	int err;

	if (!kmq_attrs_counts_valid(cmd))
		return 0;
	err = kmq_attr_arrays_alloc(&arrays, cmd);
	if (err)
		goto free;
	call.selectors = arrays.selectors;
	call.ints = arrays.ints;
	call.chars = arrays.chars;
	if (copy_from_user(arrays.ints, u64_to_user_ptr(cmd->int_attrs),
			   arrays.int_count * sizeof(s32)))
		kmq_fail(cmd, MQRC_INT_ATTRS_ARRAY_ERROR);
	else if (copy_from_user(arrays.chars, u64_to_user_ptr(cmd->char_attrs),
				arrays.char_length))
		kmq_fail(cmd, MQRC_CHAR_ATTRS_ERROR);
	else
		err = kmq_call_set(&call);
free:
	kmq_attr_arrays_free(&arrays);
	return err;
}

/**
 * kmq_ioctl_list - KMQ_IOC_LIST
 * @cmd: the command
 * @qmgr: queue manager
 */
int kmq_ioctl_list(struct kmq_list *cmd, struct kmq_qmgr *qmgr)
{
	u32 room = min_t(u32, cmd->count, KMQ_MAX_QUEUES);
	u8 *names;
	int err = 0;

	if (!cmd->object_type)
		cmd->object_type = MQOT_Q;
	if (cmd->flags || cmd->reserved || cmd->reserved2 ||
	    (cmd->object_type != MQOT_Q && !kmq_is_object(cmd->object_type)))
		return -EINVAL;
	if (cmd->q_type != MQQT_ALL &&
	    (cmd->object_type != MQOT_Q || !kmq_attr_type_flag(cmd->q_type)))
		return -EINVAL;
	kmq_name_pad(cmd->pattern, KMQ_NAME_LEN);
	kmq_name_pad(cmd->after, KMQ_NAME_LEN);
	names = kvmalloc_array(room + 1, KMQ_NAME_LEN, GFP_KERNEL_ACCOUNT);
	if (!names)
		return -ENOMEM;
	cmd->count = room;
	kmq_admin_list(qmgr, cmd, names);
	if (copy_to_user(u64_to_user_ptr(cmd->names), names,
			 (size_t)min(room, cmd->out_count) * KMQ_NAME_LEN))
		err = -EFAULT;
	kvfree(names);
	return err;
}

/**
 * kmq_ioctl_status - KMQ_IOC_STATUS
 * @cmd: the command
 * @qmgr: queue manager
 * @queue: queue, or NULL: the one the command names
 */
int kmq_ioctl_status(struct kmq_status *cmd, struct kmq_qmgr *qmgr,
		     struct kmq_queue *queue)
{
	if (cmd->flags || cmd->reserved)
		return -EINVAL;
	kmq_name_pad(cmd->name, KMQ_NAME_LEN);
	return kmq_admin_status(qmgr, queue, cmd);
}
