// SPDX-License-Identifier: GPL-2.0
/*
 * KMQ_IOC_PUT, KMQ_IOC_PUT1 and KMQ_IOC_PUTV: what they have to do with user memory
 * and files. The messages themselves are the business of the calls layer.
 */
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "alternate.h"
#include "call.h"
#include "compat.h"
#include "context.h"
#include "dev.h"
#include "ext.h"
#include "ioctl.h"
#include "msg.h"
#include "put.h"
#include "put_run.h"
#include "qmgr.h"
#include "queue.h"
#include "queue_file.h"
#include "route.h"
#include "user.h"

/* --- the program's memory ---------------------------------------------------- */

static struct kmq_put __user *kmq_put_at(const struct kmq_put_run *run, u32 index)
{
	return run->user + index * run->stride;
}

static int kmq_put_user_parts(const struct kmq_put_run *run, u32 index,
			      u32 parts, struct kmq_md_ext *ext)
{
	return kmq_ext_copy_in(ext, run->cmds[index].ext, parts);
}

static void __user *kmq_put_reply_of(const struct kmq_put *cmd)
{
	return u64_to_user_ptr(cmd->ext + offsetof(struct kmq_md_ext, reply_q));
}

static void __user *kmq_put_context_of(const struct kmq_put *cmd)
{
	return u64_to_user_ptr(cmd->ext + KMQ_CONTEXT_PARTS);
}

/* Reports are for who asks for them: is that whoever has asked before? */
static bool kmq_put_is_putter(const struct kmq_reply *reply)
{
	return !reply->putter || reply->putter == current_cred();
}

static noinline bool kmq_put_user_parts_match(const struct kmq_put_run *run,
					      u32 index,
					      const struct kmq_put_plan *plan)
{
	const struct kmq_put *cmd = &run->cmds[index];
	const struct kmq_given_context *given = &run->handle->given;

	BUILD_BUG_ON(offsetof(struct kmq_given_context, c) -
		     offsetof(struct kmq_given_context, date) !=
		     offsetof(struct kmq_md_ext, context) - KMQ_CONTEXT_PARTS);
	if (plan->present & KMQ_MD_REPLY &&
	    !(kmq_words_match_user(plan->given_reply, kmq_put_reply_of(cmd),
				   sizeof(plan->given_reply)) &&
	      kmq_put_is_putter(plan->reply)))
		return false;
	return !(plan->present & KMQ_MD_CONTEXT) ||
	       (given->options == (plan->options & KMQ_PMO_SET) &&
		kmq_words_match_user(given->date, kmq_put_context_of(cmd),
				     KMQ_CONTEXT_PARTS_SIZE));
}

/* The file is held until the next one, or the end of the run. */
static int kmq_put_user_context(struct kmq_put_run *run, u32 index)
{
	const struct kmq_put *cmd = &run->cmds[index];
	struct file *file;

	run->context_handle = NULL;
	if (likely(!(cmd->options & KMQ_PMO_PASS)) || cmd->context_fd == -1)
		return 0;
	file = kmq_queue_file_get(cmd->context_fd);
	if (IS_ERR(file))
		return PTR_ERR(file);
	if (run->context_file)
		fput(run->context_file);
	run->context_file = file;
	run->context_handle = kmq_bound_handle(file);
	return 0;
}

static __always_inline int kmq_put_user_fill(const struct kmq_put_run *run,
					     u32 index, struct kmq_msg *msg)
{
	return kmq_msg_fill_user(msg, u64_to_user_ptr(run->cmds[index].data));
}

static void kmq_put_user_data(const struct kmq_put_run *run, u32 index,
			      struct iov_iter *data)
{
	const struct kmq_put *cmd = &run->cmds[index];

	kmq_data_iter(data, ITER_SOURCE, cmd->data,
		      cmd->length - run->plan->skip);
}

static int kmq_put_context_out(const struct kmq_put_run *run,
			       const struct kmq_put *cmd)
{
	const struct kmq_context_ref *ctx = run->context;
	const size_t date_size = offsetof(struct kmq_md_ext, context) -
				 KMQ_CONTEXT_PARTS;
	void __user *to = kmq_put_context_of(cmd);

	/* The program has them before it: that was looked at. */
	if (run->handle && run->handle->given.ref == ctx &&
	    cmd->present & KMQ_MD_CONTEXT && run->handle->given.stored_as_given)
		return 0;
	if (ctx->dated &&
	    (kmq_words_to_user(to, ctx->date, sizeof(u64)) ||
	     kmq_words_to_user(to + sizeof(u64), ctx->time, sizeof(u64))))
		return -EFAULT;
	return kmq_words_to_user(to + date_size, &ctx->c, sizeof(ctx->c));
}

/* Identifier, sequence, offset and flags; OriginalLength is as it was given. */
static int kmq_put_group_out(const struct kmq_put *cmd,
			     const struct kmq_put_item *item)
{
	struct kmq_md_ext ext kmq_uninit;

	memcpy(ext.group_id, item->id, KMQ_ID_LEN);
	ext.msg_seq_number = item->seq;
	ext.offset = item->offset;
	ext.msg_flags = item->flags;
	ext.original_length = item->original_length;
	return kmq_ext_copy_out(cmd->ext, &ext, KMQ_MD_GROUP);
}

/* Where the message went (P-RES-1, P-RES-2). */
static int kmq_put_dest_out(const struct kmq_put_run *run,
			    const struct kmq_put *cmd, u32 *flags)
{
	const struct kmq_dest *dest = run->dest;
	const u8 *q = run->queue->name;
	const u8 *qmgr = run->queue->qmgr->name;
	struct kmq_md_ext ext kmq_uninit;

	if (dest && (dest->remote || run->queue->qmgr != run->conn->qmgr))
		*flags |= KMQ_PUT_OUT_REMOTE;
	if (dest && !(cmd->options & MQPMO_RESOLVE_LOCAL_Q)) {
		q = dest->q;
		qmgr = dest->qmgr;
	}
	memcpy(ext.dest_q, q, KMQ_NAME_LEN);
	memcpy(ext.dest_qmgr, qmgr, KMQ_NAME_LEN);
	return kmq_ext_copy_out(cmd->ext, &ext, KMQ_MD_DEST);
}

/*
 * Parts of the descriptor that are answered. The message is on its way: what cannot
 * be written is left out rather than reported as a call that had no effect. Return:
 * those that were written.
 */
static noinline u32 kmq_put_parts_out(const struct kmq_put_run *run, u32 index,
				      u32 parts, u32 *flags)
{
	const struct kmq_put *cmd = &run->cmds[index];
	const struct kmq_reply *reply = run->plan->reply;
	int err = cmd->ext ? 0 : -EFAULT;

	if (!err && parts & KMQ_MD_GROUP)
		err = kmq_put_group_out(cmd, &run->items[index]);
	if (!err && parts & KMQ_MD_REPLY)
		err = kmq_words_to_user(kmq_put_reply_of(cmd), reply->q,
					2 * KMQ_NAME_LEN);
	if (!err && parts & KMQ_MD_CONTEXT)
		err = kmq_put_context_out(run, cmd);
	if (parts & KMQ_MD_DEST)
		err = kmq_put_dest_out(run, cmd, flags) ?: err;
	return err ? 0 : parts;
}

/* P-CHK-2 */
static u32 kmq_put_warns(const struct kmq_put_run *run, u32 index, u32 steps)
{
	if (steps & KMQ_PUT_ORDERED && run->items[index].warning)
		return run->items[index].warning;
	return run->plan->warning;
}

static __always_inline int kmq_put_user_answer(const struct kmq_put_run *run,
					       u32 index, u32 steps)
{
	struct kmq_put __user *user = kmq_put_at(run, index);
	const struct kmq_put *cmd = &run->cmds[index];
	u32 reason = MQRC_NONE, parts = 0, flags = 0;

	if (unlikely(steps & (KMQ_PUT_TOLD | KMQ_PUT_ORDERED))) {
		reason = kmq_put_warns(run, index, steps);
		parts = run->plan->out_present;
		if (steps & KMQ_PUT_ORDERED && run->items[index].has_id)
			parts |= KMQ_MD_GROUP;
		if (parts)
			parts = kmq_put_parts_out(run, index, parts, &flags);
	}
	if (!user_write_access_begin(user, sizeof(*user)))
		return -EFAULT;
	unsafe_put_user(unlikely(reason) ? MQCC_WARNING : MQCC_OK,
			&user->out_comp_code, fault);
	unsafe_put_user(reason, &user->out_reason, fault);
	kmq_put_area(&user->md, &run->plan->stored, KMQ_MD_HEAD, fault);
	kmq_put_area(user->md.msg_id, cmd->md.msg_id,
		     sizeof(cmd->md) - KMQ_MD_HEAD, fault);
	unsafe_put_user(parts, &user->out_present, fault);
	unsafe_put_user(flags, &user->out_flags, fault);
	unsafe_put_user(unlikely(run->context->dated) ? 0 : run->time,
			&user->out_put_time, fault);
	unsafe_put_user(run->context->id, &user->out_ctx_id, fault);
	user_write_access_end();
	return 0;

fault:
	user_write_access_end();
	return -EFAULT;
}

static int kmq_put_user_refuse(const struct kmq_put_run *run, u32 index,
			       u32 reason)
{
	struct kmq_put __user *user = kmq_put_at(run, index);

	if (put_user(MQCC_FAILED, &user->out_comp_code) ||
	    put_user(reason, &user->out_reason))
		return -EFAULT;
	return 0;
}

static const struct kmq_put_io kmq_put_user_io = {
	.parts = kmq_put_user_parts,
	.parts_match = kmq_put_user_parts_match,
	.context = kmq_put_user_context,
	.fill = kmq_put_user_fill,
	.data = kmq_put_user_data,
	.answer = kmq_put_user_answer,
	.refuse = kmq_put_user_refuse,
};

/* Out of the way of puts that pass no context on. */
static noinline void kmq_put_file_end(struct kmq_put_run *run)
{
	fput(run->context_file);
}

/* Return: as kmq_put_all(). */
static __always_inline u32 kmq_put_user(struct kmq_put_run *run, u32 count)
{
	u32 done;

	run->context_file = NULL;
	done = kmq_put_all(run, &kmq_put_user_io, count);
	if (unlikely(run->context_file))
		kmq_put_file_end(run);
	return done;
}

/* One that is not worth a way of its own. */
static noinline int kmq_put_user_one(struct kmq_put_run *run)
{
	run->context_file = NULL;
	kmq_call_put(run, &kmq_put_user_io, 1);
	if (run->context_file)
		fput(run->context_file);
	return run->err;
}

/* --- MQPUT --------------------------------------------------------------------- */

/* A run of one, but for how it is carried out. */
static __always_inline void kmq_put_run_of_one(struct kmq_put_run *run,
					       struct kmq_handle *handle,
					       struct kmq_put *cmd,
					       struct kmq_put_item *item,
					       void __user *user)
{
	kmq_put_run_through(run, handle);
	run->cmds = cmd;
	run->items = item;
	run->user = user;
	run->stride = 0;
}

/**
 * kmq_file_put - KMQ_IOC_PUT of a caller who knows just what we do
 * @file: file of the queue
 * @user: the command
 *
 * Return: 0 or a negative errno; 1: it is any other one, nothing has happened.
 */
int kmq_file_put(struct file *file, void __user *user)
{
	struct kmq_handle *handle = kmq_bound_handle(file);
	struct kmq_put_item item kmq_uninit;
	struct kmq_put_run run kmq_uninit;
	struct kmq_put cmd kmq_uninit;

	/* What is behind out_flags is output, and nobody looks at it. */
	if (unlikely(!handle || kmq_words_from_user(&cmd, user,
						    offsetof(struct kmq_put,
							     out_put_time)) ||
		     cmd.size != sizeof(cmd)))
		return 1;
	kmq_put_run_of_one(&run, handle, &cmd, &item, user);
	kmq_put_user(&run, 1);
	return run.err;
}

/* Of any other one. */
int kmq_file_put_cmd(struct file *file, union kmq_command *cmd)
{
	struct kmq_request *request = kmq_request_of(cmd);
	struct kmq_handle *handle = kmq_bound_handle(file);
	struct kmq_put_item item kmq_uninit;
	struct kmq_put_run run kmq_uninit;

	if (!handle)
		return kmq_put_check_abi(&cmd->put, false) ?: -ENOTCONN;
	request->published = true;
	kmq_put_run_of_one(&run, handle, &cmd->put, &item, request->user);
	return kmq_put_user_one(&run);
}

/**
 * kmq_vec_put_run - KMQ_IOC_PUTV: puts that have been copied in
 * @handle: handle of the file
 * @room: the puts, and room for what they need
 * @count: how many
 * @user: where the first one came from
 * @stride: distance from there to the next one
 * @failed: set if the last one that was carried out has failed
 * @err: set to the errno of the one behind these, or 0
 *
 * Return: how many have been carried out.
 */
u32 kmq_vec_put_run(struct kmq_handle *handle, struct kmq_vec_puts *room,
		    u32 count, void __user *user, size_t stride, bool *failed,
		    int *err)
{
	struct kmq_put_run run kmq_uninit;
	u32 done;

	kmq_put_run_through(&run, handle);
	run.cmds = room->cmds;
	run.items = room->items;
	run.user = user;
	run.stride = stride;
	done = kmq_put_user(&run, count);
	*failed = run.failed;
	*err = run.err;
	return done;
}

/* --- MQPUT1 -------------------------------------------------------------------- */

/* Find out where it goes, anew each time as nothing stays open, and put it. */
static int kmq_put1_routed(struct kmq_put_run *run, const struct kmq_names *names)
{
	struct kmq_put_plan plan kmq_uninit;
	struct kmq_put_item item kmq_uninit;
	struct kmq_route route;
	u32 reason;

	run->items = &item;
	run->plans = &plan;
	plan.valid = false;
	plan.reply = NULL;
	/* P-ONE-3 */
	reason = kmq_route_find(run->conn, run->named, names,
				MQOO_OUTPUT | MQOO_BIND_NOT_FIXED, &route);
	if (reason) {
		run->err = kmq_put_user_refuse(run, 0, reason);
	} else {
		if (!kmq_route_is_plain(&route, run->conn))
			run->route = &route;
		run->queue = route.dest.queue;
		kmq_put_user_one(run);
	}
	kmq_route_release(&route);
	if (plan.reply)
		kmq_reply_put(plan.reply);
	return run->err;
}

static int kmq_put1_run(struct file *file, struct kmq_put_run *run)
{
	static const u8 blank[KMQ_NAME_LEN] = " ";
	struct kmq_names names = { blank, blank };
	const struct kmq_put *cmd = run->cmds;
	struct kmq_md_ext ext kmq_uninit;

	run->named = kmq_queue_file_of(file)->queue;
	if (cmd->present & KMQ_MD_DEST) {
		if (kmq_ext_copy_in(&ext, cmd->ext, KMQ_MD_DEST))
			return -EFAULT;
		kmq_name_pad(ext.dest_q, KMQ_NAME_LEN);
		kmq_name_pad(ext.dest_qmgr, KMQ_NAME_LEN);
		names.q = ext.dest_q;
		names.qmgr = ext.dest_qmgr;
	} else if (run->conn->qmgr != run->named->qmgr) {
		return -EXDEV;
	}
	return kmq_put1_routed(run, &names);
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
	struct kmq_request *request = kmq_request_of(cmd);
	struct kmq_put *put = &cmd->put;
	struct kmq_put_run run kmq_uninit;
	struct file *conn_file;
	int err = kmq_put_check_abi(put, true);

	if (err)
		return err;
	run.conn = kmq_conn_from_fd(put->conn_fd, &conn_file);
	if (IS_ERR(run.conn))
		return PTR_ERR(run.conn);
	run.may = 0;
	if (kmq_put1_allowed(file, put))
		run.may |= KMQ_MAY_PUT;
	if (put->options & KMQ_PMO_SET && kmq_file_is_owner(file))
		run.may |= KMQ_MAY_SET_ALL;
	run.handle = NULL;
	run.route = NULL;
	run.cmds = put;
	run.user = request->user;
	run.stride = 0;
	err = kmq_put1_run(file, &run);
	request->published = true;
	fput(conn_file);
	return err;
}
