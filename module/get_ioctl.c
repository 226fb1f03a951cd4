// SPDX-License-Identifier: GPL-2.0
/*
 * KMQ_IOC_GET: what it has to do with user memory and files. The message itself is
 * the business of the calls layer.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/uaccess.h>
#include "call.h"
#include "compat.h"
#include "context.h"
#include "ext.h"
#include "ioctl.h"
#include "limits.h"
#include "msg.h"
#include "qmgr.h"
#include "queue.h"
#include "queue_file.h"
#include "user.h"

#define KMQ_MATCH_GROUP	(MQMO_MATCH_GROUP_ID | MQMO_MATCH_MSG_SEQ_NUMBER | \
			 MQMO_MATCH_OFFSET)

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
