// SPDX-License-Identifier: GPL-2.0
/*
 * KMQ_IOC_PUT, KMQ_IOC_PUT1 and KMQ_IOC_GET: what they have to do with user
 * memory and files. The message itself is the business of the calls layer.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/uaccess.h>
#include "alternate.h"
#include "call.h"
#include "compat.h"
#include "context.h"
#include "dev.h"
#include "ioctl.h"
#include "limits.h"
#include "msg.h"
#include "qmgr.h"
#include "queue.h"
#include "queue_file.h"
#include "route.h"
#include "user.h"

#define KMQ_PMO_PASS	(MQPMO_PASS_IDENTITY_CONTEXT | MQPMO_PASS_ALL_CONTEXT)
#define KMQ_MATCH_GROUP	(MQMO_MATCH_GROUP_ID | MQMO_MATCH_MSG_SEQ_NUMBER | \
			 MQMO_MATCH_OFFSET)

/* Parts of struct kmq_md_ext by KMQ_MD_* bit. */
static const struct {
	u16 offset;
	u16 size;
} kmq_ext_parts[] = {
	{ offsetof(struct kmq_md_ext, group_id),
	  offsetofend(struct kmq_md_ext, original_length) -
	  offsetof(struct kmq_md_ext, group_id) },
	{ offsetof(struct kmq_md_ext, reply_q),
	  offsetofend(struct kmq_md_ext, reply_qmgr) -
	  offsetof(struct kmq_md_ext, reply_q) },
	{ offsetof(struct kmq_md_ext, put_date),
	  offsetofend(struct kmq_md_ext, put_time) -
	  offsetof(struct kmq_md_ext, put_date) },
	{ offsetof(struct kmq_md_ext, context),
	  offsetofend(struct kmq_md_ext, context) -
	  offsetof(struct kmq_md_ext, context) },
	{ offsetof(struct kmq_md_ext, dest_q),
	  offsetofend(struct kmq_md_ext, dest_qmgr) -
	  offsetof(struct kmq_md_ext, dest_q) },
};

static int kmq_ext_copy_in(struct kmq_md_ext *ext, u64 from, u32 parts)
{
	void __user *user = u64_to_user_ptr(from);

	for (; parts; parts &= parts - 1) {
		u32 part = __ffs(parts);
		u16 offset = kmq_ext_parts[part].offset;

		if (kmq_words_from_user((void *)ext + offset, user + offset,
					kmq_ext_parts[part].size))
			return -EFAULT;
	}
	return 0;
}

static int kmq_ext_copy_out(u64 to, const struct kmq_md_ext *ext, u32 parts)
{
	void __user *user = u64_to_user_ptr(to);

	for (; parts; parts &= parts - 1) {
		u32 part = __ffs(parts);
		u16 offset = kmq_ext_parts[part].offset;

		if (kmq_words_to_user(user + offset, (const void *)ext + offset,
				      kmq_ext_parts[part].size))
			return -EFAULT;
	}
	return 0;
}

/* The whole buffer, or nothing of it if it is not in user space. */
static void kmq_data_iter(struct iov_iter *iter, unsigned int direction,
			  u64 address, s32 length)
{
	void __user *user = u64_to_user_ptr(address);
	size_t n = max(length, 0);

	iov_iter_ubuf(iter, direction, user, access_ok(user, n) ? n : 0);
}

/**
 * kmq_put_check_abi - refuse what the interface does not define
 * @put: command
 * @put1: KMQ_IOC_PUT1
 */
int kmq_put_check_abi(const struct kmq_put *put, bool put1)
{
	if (put->flags & ~(KMQ_PUT_MDE | KMQ_PUT_MDE_BAD | KMQ_PUT_WANT_DEST) ||
	    put->out_flags || put->present & ~KMQ_MD_ALL ||
	    (!put1 && put->conn_fd))
		return -EINVAL;
	if (put->flags & KMQ_PUT_MDE && put->length < 72)
		return -EINVAL;
	return 0;
}

/* The parts that a put reads: date and context for SET options only. */
static u32 kmq_put_reads(const struct kmq_put *put)
{
	u32 parts = put->present & (KMQ_MD_GROUP | KMQ_MD_REPLY);

	if (put->options & KMQ_PMO_SET)
		parts |= put->present & (KMQ_MD_DATE | KMQ_MD_CONTEXT);
	return parts;
}

/*
 * The handle whose context is passed on. Its file is held until the put is done.
 * Return: the file; NULL if there is none; ERR_PTR(-EBADF).
 */
static struct file *kmq_put_context_file(struct kmq_put_call *call)
{
	struct file *file;

	call->context_handle = NULL;
	if (likely(!(call->cmd->options & KMQ_PMO_PASS)) ||
	    call->cmd->context_fd == -1)
		return NULL;
	file = kmq_queue_file_get(call->cmd->context_fd);
	if (!IS_ERR(file))
		call->context_handle = kmq_bound_handle(file);
	return file;
}

/* The put, once its parts are copied in: everything else about user memory. */
static int kmq_put_finish(struct kmq_put_call *call)
{
	struct kmq_put *put = call->cmd;
	struct file *context_file;
	int err;

	kmq_data_iter(&call->data, ITER_SOURCE, put->data,
		      put->flags & KMQ_PUT_MDE ? put->length - 72 :
						 put->length);
	context_file = kmq_put_context_file(call);
	if (IS_ERR(context_file))
		return PTR_ERR(context_file);
	err = kmq_call_put(call);
	if (context_file)
		fput(context_file);
	if (err || put->out_comp_code == MQCC_FAILED)
		return err;
	/*
	 * The message is on its way: what cannot be written back is left out
	 * rather than reported as a call that had no effect.
	 */
	if (put->out_present &&
	    (!put->ext || kmq_ext_copy_out(put->ext, call->ext,
					   put->out_present)))
		put->out_present = 0;
	return 0;
}

/* MQPUT */
static int kmq_put_run(struct kmq_put_call *call)
{
	struct kmq_md_ext ext kmq_uninit;
	int err = kmq_ext_copy_in(&ext, call->cmd->ext,
				  kmq_put_reads(call->cmd));

	if (err)
		return err;
	call->ext = &ext;
	return kmq_put_finish(call);
}

/**
 * kmq_queue_put_cmd - KMQ_IOC_PUT that is not like the put before it
 * @handle: handle
 * @put: the command, checked by kmq_put_check_abi()
 */
int kmq_queue_put_cmd(struct kmq_handle *handle, struct kmq_put *put)
{
	struct kmq_put_call call kmq_uninit;

	call.cmd = put;
	kmq_put_call_through(&call, handle);
	return kmq_put_run(&call);
}

/**
 * kmq_queue_put_again - KMQ_IOC_PUT that may be like the put before it
 * @file: file of the queue
 * @user: the command
 *
 * Return: 0 or a negative errno; 1: it is not, nothing has happened.
 */
int kmq_queue_put_again(struct file *file, void __user *user)
{
	struct kmq_put_again again kmq_uninit;
	struct kmq_put cmd kmq_uninit;

	again.handle = kmq_bound_handle(file);
	/* Most of the puts that never go this way. Looked at again later. */
	if (!again.handle || !data_race(again.handle->known_put.valid))
		return 1;
	/* What is behind out_flags is output, and nobody looks at it. */
	if (kmq_words_from_user(&cmd, user,
				offsetof(struct kmq_put, out_put_time)) ||
	    cmd.size != sizeof(cmd))
		return 1;
	again.cmds = &cmd;
	again.count = 1;
	again.user = user;
	again.stride = 0;
	return kmq_call_put_again(&again) ? again.err : 1;
}

/* Any other one. */
int kmq_queue_put_msg(struct file *file, union kmq_command *cmd)
{
	struct kmq_handle *handle = kmq_bound_handle(file);
	int err;

	err = kmq_put_check_abi(&cmd->put, false);
	if (unlikely(err))
		return err;
	return handle ? kmq_queue_put_cmd(handle, &cmd->put) : -ENOTCONN;
}

/* Find out where it goes, anew each time as nothing stays open, and put it. */
static int kmq_put1_routed(struct kmq_put_call *call)
{
	const bool named = call->cmd->present & KMQ_MD_DEST;
	static const u8 blank[KMQ_NAME_LEN] = " ";
	const struct kmq_names names = {
		named ? call->ext->dest_q : blank,
		named ? call->ext->dest_qmgr : blank,
	};
	struct kmq_route route;
	u32 reason;
	int err;

	/* P-ONE-3 */
	reason = kmq_route_find(call->conn, call->named, &names,
				MQOO_OUTPUT | MQOO_BIND_NOT_FIXED, &route);
	if (reason) {
		err = kmq_fail(call->cmd, reason);
	} else {
		if (!kmq_route_is_plain(&route, call->conn))
			call->route = &route;
		call->queue = route.dest.queue;
		err = kmq_put_finish(call);
	}
	kmq_route_release(&route);
	return err;
}

/* MQPUT1 */
static int kmq_put1_run(struct file *file, struct kmq_put_call *call)
{
	const struct kmq_put *put = call->cmd;
	struct kmq_md_ext ext kmq_uninit;
	int err;

	call->named = kmq_queue_file_of(file)->queue;
	err = kmq_ext_copy_in(&ext, put->ext, kmq_put_reads(put) |
			      (put->present & KMQ_MD_DEST));
	if (err)
		return err;
	call->ext = &ext;
	if (put->present & KMQ_MD_DEST) {
		kmq_name_pad(ext.dest_q, KMQ_NAME_LEN);
		kmq_name_pad(ext.dest_qmgr, KMQ_NAME_LEN);
	} else if (call->conn->qmgr != call->named->qmgr) {
		return -EXDEV;
	}
	return kmq_put1_routed(call);
}

/*
 * MQPUT1 is an open each time, so the right to put is looked at each time
 * (O-AUTH-4). A node without a name has been replaced by one with other
 * rights. Another user than the caller can be named in KMQ_IOC_OPEN only.
 */
static bool kmq_put1_allowed(struct file *file, const struct kmq_put *cmd)
{
	return file->f_mode & FMODE_WRITE && file_inode(file)->i_nlink &&
	       !(cmd->options & MQPMO_ALTERNATE_USER_AUTHORITY) &&
	       !file_permission(file, MAY_WRITE);
}

int kmq_queue_put1(struct file *file, union kmq_command *cmd)
{
	struct kmq_put_call call = { .cmd = &cmd->put };
	int err = kmq_put_check_abi(&cmd->put, true);
	struct file *conn_file;

	if (err)
		return err;
	call.conn = kmq_conn_from_fd(cmd->put.conn_fd, &conn_file);
	if (IS_ERR(call.conn))
		return PTR_ERR(call.conn);
	if (kmq_put1_allowed(file, &cmd->put))
		call.may |= KMQ_MAY_PUT;
	if (cmd->put.options & KMQ_PMO_SET && kmq_file_is_owner(file))
		call.may |= KMQ_MAY_SET_ALL;
	err = kmq_put1_run(file, &call);
	fput(conn_file);
	return err;
}

/**
 * struct kmq_get_file_call - a get from user space
 * @again: the get, as one that may be like the last one
 * @call: the get, if it is not
 * @request: the command
 * @ext: parts of the descriptor
 */
struct kmq_get_file_call {
	struct kmq_get_again again;
	struct kmq_get_call call;
	struct kmq_request *request;
	struct kmq_md_ext ext;
};

/* The descriptor has to reach the program before the message is gone for good. */
static int kmq_get_publish(struct kmq_get_call *call)
{
	struct kmq_get_file_call *get =
		container_of(call, struct kmq_get_file_call, call);
	struct kmq_request *request = get->request;
	struct kmq_get *cmd = call->cmd;

	if (!cmd->ext)
		cmd->out_present = 0;
	else if (kmq_ext_copy_out(cmd->ext, &get->ext, cmd->out_present))
		return -EFAULT;
	request->published = true;
	return kmq_copy_command_out(request, sizeof(*cmd));
}

/* Everything about user memory for a get that is not like the last one. */
static int kmq_get_open(struct kmq_get_file_call *get,
			struct kmq_handle *handle, struct kmq_request *request)
{
	struct kmq_get *cmd = &request->cmd.get;

	if (cmd->match_options & KMQ_MATCH_GROUP && cmd->ext) {
		if (kmq_ext_copy_in(&get->ext, cmd->ext, KMQ_MD_GROUP))
			return -EFAULT;
	} else {
		memset(&get->ext, 0, offsetof(struct kmq_md_ext, reply_q));
	}
	get->request = request;
	get->call.cmd = cmd;
	get->call.ext = &get->ext;
	get->call.handle = handle;
	get->call.nonblocking = false;
	get->call.publish = kmq_get_publish;
	kmq_data_iter(&get->call.data, ITER_DEST, cmd->data, cmd->length);
	return 0;
}

/* G-WAIT-13: repeated, a call that a signal has ended must not wait longer. */
static int kmq_get_close(const struct kmq_request *request, int err)
{
	u64 __user *deadline = request->user + offsetof(struct kmq_get, deadline);

	if (unlikely(err == -EINTR) &&
	    put_user(request->cmd.get.deadline, deadline))
		return -EFAULT;
	return err;
}

/**
 * kmq_queue_get_cmd - KMQ_IOC_GET that is not like the get before it
 * @handle: handle
 * @request: the command
 * @nonblocking: do not wait, whatever the options say
 */
int kmq_queue_get_cmd(struct kmq_handle *handle, struct kmq_request *request,
		      bool nonblocking)
{
	struct kmq_get_file_call get kmq_uninit;
	int err;

	if (request->cmd.get.flags & ~KMQ_GET_NO_DATA_LENGTH)
		return -EINVAL;
	err = kmq_get_open(&get, handle, request);
	if (unlikely(err))
		return err;
	get.call.nonblocking = nonblocking;
	return kmq_get_close(request, kmq_call_get(&get.call));
}

/* The input of a get that may be like the last one; not its token. */
static __always_inline int kmq_get_again_copy_in(struct kmq_get *cmd,
						 struct kmq_get __user *user)
{
	if (!user_read_access_begin(user, sizeof(*user)))
		return -EFAULT;
	kmq_get_area(cmd, user, offsetof(struct kmq_get, token), fault);
	kmq_get_area(&cmd->md.msg_id, &user->md.msg_id,
		     offsetof(struct kmq_get, out_put_time) -
		     offsetof(struct kmq_get, md.msg_id), fault);
	user_read_access_end();
	return 0;

fault:
	user_read_access_end();
	return -EFAULT;
}

static struct kmq_get_call *kmq_get_whole(struct kmq_get_again *again)
{
	struct kmq_get_file_call *get =
		container_of(again, struct kmq_get_file_call, again);
	union kmq_command *cmd = (union kmq_command *)again->cmds;

	/* All that kmq_get_again_copy_in() has left out. */
	memset(cmd->get.token, 0, sizeof(cmd->get.token));
	memset(&cmd->get.md, 0, offsetof(struct kmq_md, msg_id));
	memset_startat(&cmd->get, 0, out_put_time);
	/* It has no part that would have to be copied in. */
	kmq_get_open(get, again->handle, kmq_request_of(cmd));
	return &get->call;
}

/**
 * kmq_queue_get_again - KMQ_IOC_GET that may be like the get before it
 * @file: file of the queue
 * @user: the command
 *
 * Return: 0 or a negative errno; 1: it is not, nothing has happened.
 */
int kmq_queue_get_again(struct file *file, void __user *user)
{
	struct kmq_get_file_call get kmq_uninit;
	struct kmq_request request kmq_uninit;
	struct kmq_get *cmd = &request.cmd.get;
	int err;

	get.again.handle = kmq_bound_handle(file);
	/* Most of the gets that never go this way. Looked at again later. */
	if (!get.again.handle || !data_race(get.again.handle->known_get.valid))
		return 1;
	if (kmq_get_again_copy_in(cmd, user) ||
	    cmd->size != sizeof(*cmd))
		return 1;
	request.user = user;
	request.size = sizeof(*cmd);
	request.published = false;
	get.again.cmds = cmd;
	get.again.count = 1;
	get.again.user = user;
	get.again.stride = 0;
	get.again.whole = kmq_get_whole;
	if (!kmq_call_get_again(&get.again) && !get.again.err)
		return 1;
	err = get.again.err;
	if (unlikely(get.again.over && !err))
		err = kmq_request_answer(&request, sizeof(*cmd));
	return kmq_get_close(&request, err);
}

/* Any other one. */
int kmq_queue_get_msg(struct file *file, union kmq_command *cmd)
{
	struct kmq_handle *handle = kmq_bound_handle(file);

	if (unlikely(!handle))
		return -ENOTCONN;
	return kmq_queue_get_cmd(handle, kmq_request_of(cmd), false);
}
