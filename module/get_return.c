// SPDX-License-Identifier: GPL-2.0
/*
 * MQGET: what the program gets to see of the message (get.md section 12), and
 * what the handle keeps of it (section 7.1).
 */
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/ktime.h>
#include "context.h"
#include "get.h"
#include "queue.h"

/* M-EXP-3: what is left, in tenths of a second, at least 1. */
static s32 kmq_get_expiry(const struct kmq_msg *msg)
{
	u64 left, now;

	if (likely(!msg->expiry))
		return MQEI_UNLIMITED;
	now = ktime_get_ns();
	if (msg->expiry->deadline <= now)
		return 1;
	left = div_u64(msg->expiry->deadline - now + NSEC_PER_SEC / 10 - 1,
		       NSEC_PER_SEC / 10);
	return min_t(u64, left, msg->md.expiry);
}

/* Flags of a reassembled message: an only segment, or a leading run (G-RAS). */
static u32 kmq_get_flags(const struct kmq_take *take)
{
	const struct kmq_msg *msg = take->msgs[0];

	if (!take->whole || !(msg->msg_flags & MQMF_SEGMENT))
		return msg->msg_flags;
	if (take->run == KMQ_RUN_COMPLETE)
		return msg->msg_flags | MQMF_LAST_SEGMENT;
	return msg->msg_flags & ~MQMF_LAST_SEGMENT;
}

/**
 * kmq_get_return_member - the group fields of a message
 * @msg: the message
 * @ext: gets them
 */
void kmq_get_return_member(const struct kmq_msg *msg, struct kmq_md_ext *ext)
{
	const struct kmq_member *member = msg->member;

	ext->msg_flags = msg->msg_flags;
	if (!member) {
		memset(ext->group_id, 0, KMQ_ID_LEN);
		ext->msg_seq_number = 1;
		ext->offset = 0;
		ext->original_length = MQOL_UNDEFINED;
		return;
	}
	memcpy(ext->group_id, member->id, KMQ_ID_LEN);
	ext->msg_seq_number = member->seq;
	ext->offset = member->offset;
	ext->original_length = member->original_length;
}

static void kmq_get_return_group(struct kmq_getting *get, u32 flags)
{
	const struct kmq_take *take = &get->take;
	const struct kmq_msg *msg = take->msgs[0];
	struct kmq_md_ext *ext = get->call->ext;

	if (!msg->member && !flags)
		return;
	get->call->cmd->out_present |= KMQ_MD_GROUP;
	kmq_get_return_member(msg, ext);
	ext->msg_flags = flags;
	/* G-RAS-16 */
	if (take->whole && msg->msg_flags & MQMF_SEGMENT &&
	    take->run == KMQ_RUN_COMPLETE)
		ext->original_length = MQOL_UNDEFINED;
}

static void kmq_get_return_context(struct kmq_getting *get,
				   const struct kmq_msg *msg)
{
	struct kmq_get *cmd = get->call->cmd;
	struct kmq_md_ext *ext = get->call->ext;
	const struct kmq_context_ref *ctx = msg->context;

	if (cmd->ctx_id != ctx->id) {
		cmd->ctx_id = ctx->id;
		cmd->out_present |= KMQ_MD_CONTEXT;
		ext->context = ctx->c;
	}
	cmd->out_put_time = msg->put_time;
	if (!ctx->dated)
		return;
	cmd->out_put_time = 0;
	cmd->out_present |= KMQ_MD_DATE;
	memcpy(ext->put_date, ctx->date, sizeof(ctx->date));
	memcpy(ext->put_time, ctx->time, sizeof(ctx->time));
}

/**
 * kmq_get_return - fill in the descriptor and the other output fields
 * @get: the get, which holds its messages
 */
void kmq_get_return(struct kmq_getting *get)
{
	const struct kmq_take *take = &get->take;
	const struct kmq_msg *msg = take->msgs[0];
	struct kmq_get *cmd = get->call->cmd;
	u32 flags = kmq_get_flags(take);

	cmd->out_present = 0;
	cmd->md = msg->md;
	cmd->md.expiry = kmq_get_expiry(msg);
	kmq_token_make(cmd->token, msg->queue->uid, msg);
	cmd->out_data_length = get->header + take->length;
	cmd->out_returned_length = min_t(u64, cmd->length,
					 get->header + take->length);
	cmd->out_flags = get->header ? KMQ_GET_OUT_MDE : 0;
	cmd->out_backout_count = take->backout_count;
	cmd->out_msg_flags = flags;
	kmq_get_return_group(get, flags);
	kmq_get_return_context(get, msg);
	if (msg->reply) {
		cmd->out_present |= KMQ_MD_REPLY;
		memcpy(get->call->ext->reply_q, msg->reply->q, KMQ_NAME_LEN);
		memcpy(get->call->ext->reply_qmgr, msg->reply->qmgr,
		       KMQ_NAME_LEN);
	}
}

/* After a leading run the rest can be continued with (G-RAS-7). */
static void kmq_get_retain_in(struct kmq_retained *last,
			      const struct kmq_getting *get)
{
	const struct kmq_take *take = &get->take;
	const struct kmq_msg *first = take->msgs[0];
	const struct kmq_msg *final = take->msgs[take->count - 1];
	bool whole = take->run == KMQ_RUN_COMPLETE;

	kmq_retained_follow(last, final, get->logical, take->syncpoint);
	if (!take->whole)
		return;
	last->in_msg = first->msg_flags & MQMF_SEGMENT && !whole;
	last->in_group = kmq_retained_in_group(whole ? final->msg_flags :
						       first->msg_flags,
					       last->in_msg);
}

/**
 * kmq_get_save_context - keep the context of a message for messages to be put
 * @handle: handle that has got it
 * @msg: the message
 */
void kmq_get_save_context(struct kmq_handle *handle, const struct kmq_msg *msg)
{
	if (handle->saved_context)
		kmq_context_put(handle->saved_context);
	handle->saved_context = kmq_context_get(msg->context);
	handle->saved_put_time = msg->put_time;
	handle->saved = KMQ_SAVED_CONTEXT;
}

/**
 * kmq_get_retain - keep what a get that succeeded means for its handle
 * @get: the get; its messages are still held, the call is not finished
 *
 * Group information, cursor, anchor, order of the browse, saved context.
 */
void kmq_get_retain(struct kmq_getting *get)
{
	struct kmq_handle *handle = get->call->handle;
	const struct kmq_take *take = &get->take;
	const struct kmq_msg *msg = take->msgs[0];

	if (take->remove) {
		if (take->syncpoint)
			kmq_uow_use_removed(&handle->conn->uow, handle);
		kmq_get_retain_in(&handle->removed, get);
		if (handle->may & KMQ_MAY_SAVE_CONTEXT)
			kmq_get_save_context(handle, msg);
		return;
	}
	if (handle->may & KMQ_MAY_SAVE_CONTEXT)
		handle->saved = KMQ_SAVED_BROWSED;
	if (get->cursor)
		return;
	/* G-ORD-11: inside a group the anchor stays at its first item. */
	if (!get->continuing)
		handle->anchor = msg->key;
	handle->cursor = msg->key;
	handle->order_mode = get->logical ? KMQ_ORDER_LOGICAL :
					    KMQ_ORDER_PHYSICAL;
	kmq_get_retain_in(&handle->browsed, get);
}
