// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT: making the message and placing it on the queue.
 *
 * All memory is got and the data copied before the queue is locked. A message
 * the queue manager cuts up is placed piece by piece under one lock: all of it
 * or nothing (P-SEG-5).
 */
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/ktime.h>
#include "call.h"
#include "context.h"
#include "event.h"
#include "limits.h"
#include "put.h"
#include "qmgr.h"
#include "queue.h"
#include "report.h"
#include "resolve.h"
#include "trigger.h"
#include "xmit.h"

#define KMQ_REPORT_DATA	100	/* bytes of a *_WITH_DATA report, M-SEG-12 */

static s32 kmq_put_cap_expiry(const struct kmq_queue *queue, s32 expiry)
{
	s32 cap = READ_ONCE(queue->attrs.cap_expiry);

	if (cap > 0 && (expiry == MQEI_UNLIMITED || expiry > cap))
		return cap;
	return expiry;
}

/* P-EXP-1, P-EXP-6: tenths of a second, from now, not above the cap. */
static s32 kmq_put_expiry(const struct kmq_put_call *call)
{
	s32 expiry = call->cmd->md.expiry;

	expiry = kmq_put_cap_expiry(call->named, expiry);
	return kmq_put_cap_expiry(call->queue, expiry);
}

/* P-MD-5: an application here has no character set but the queue manager's. */
static s32 kmq_put_ccsid(const struct kmq_put_call *call)
{
	s32 ccsid = call->cmd->md.ccsid;

	if (ccsid == MQCCSI_Q_MGR || ccsid == MQCCSI_INHERIT ||
	    ccsid == MQCCSI_APPL)
		return READ_ONCE(call->conn->qmgr->attrs.coded_char_set_id);
	return ccsid;
}

/* The values stored are the ones the caller gets back (P-MD-11). */
static void kmq_put_resolve(struct kmq_put_call *call,
			    const struct kmq_put_plan *plan)
{
	struct kmq_md *md = &call->cmd->md;
	struct kmq_qmgr *qmgr = call->conn->qmgr;

	md->expiry = kmq_put_expiry(call);
	md->ccsid = kmq_put_ccsid(call);
	md->priority = plan->priority;
	md->persistence = plan->persistent;
	kmq_name_pad(md->format, sizeof(md->format));
	if (call->cmd->options & MQPMO_NEW_MSG_ID || kmq_id_is_null(md->msg_id))
		kmq_qmgr_new_id(qmgr, md->msg_id);
	if (call->cmd->options & MQPMO_NEW_CORREL_ID)
		kmq_qmgr_new_id(qmgr, md->correl_id);
}

/* Replace the name of a local definition of a remote queue by what it says. */
static bool kmq_put_reply_definition(struct kmq_qmgr *qmgr,
				     struct kmq_md_ext *ext)
{
	const struct kmq_queue *queue;

	/* The usual case need not look. */
	if (likely(!READ_ONCE(qmgr->remote_count)))
		return false;
	down_read(&qmgr->names);
	queue = kmq_qmgr_find_locked(qmgr, ext->reply_q);
	if (queue && queue->type == MQQT_REMOTE) {
		memcpy(ext->reply_q, queue->attrs.remote_q_name, KMQ_NAME_LEN);
		memcpy(ext->reply_qmgr, queue->attrs.remote_q_mgr_name,
		       KMQ_NAME_LEN);
	} else {
		queue = NULL;
	}
	up_read(&qmgr->names);
	return queue;
}

/* P-MD-3. Return: the names with a reference, or NULL for want of memory. */
static struct kmq_reply *kmq_put_reply(struct kmq_put_call *call)
{
	struct kmq_handle *handle = call->handle;
	struct kmq_md_ext *ext = call->ext;
	struct kmq_reply *reply;

	kmq_name_pad(ext->reply_q, KMQ_NAME_LEN);
	kmq_name_pad(ext->reply_qmgr, KMQ_NAME_LEN);
	if (ext->reply_q[0] != ' ' && ext->reply_qmgr[0] == ' ') {
		if (!kmq_put_reply_definition(call->conn->qmgr, ext))
			memcpy(ext->reply_qmgr, call->conn->qmgr->name,
			       KMQ_NAME_LEN);
		call->cmd->out_present |= KMQ_MD_REPLY;
	}
	reply = handle ? handle->reply : NULL;
	if (!reply || !kmq_name_equal(reply->q, ext->reply_q) ||
	    !kmq_name_equal(reply->qmgr, ext->reply_qmgr)) {
		reply = kmq_reply_alloc(ext->reply_q, ext->reply_qmgr);
		if (!reply || !handle)
			return reply;
		if (handle->reply)
			kmq_reply_put(handle->reply);
		handle->reply = reply;
	}
	refcount_inc(&reply->ref);
	return reply;
}

static void kmq_put_set_identity(struct kmq_context *to,
				 const struct kmq_context *from)
{
	memcpy(to->user_id, from->user_id, sizeof(to->user_id));
	memcpy(to->accounting, from->accounting, sizeof(to->accounting));
	memcpy(to->appl_identity, from->appl_identity,
	       sizeof(to->appl_identity));
	kmq_name_pad(to->user_id, sizeof(to->user_id));
	kmq_name_pad(to->appl_identity, sizeof(to->appl_identity));
	to->uid = from->uid;
	to->flags = from->flags & KMQ_CTX_UID;
}

static void kmq_put_set_origin(struct kmq_context_ref *to,
			       const struct kmq_md_ext *ext)
{
	const struct kmq_context *from = &ext->context;

	to->c.appl_type = from->appl_type;
	memcpy(to->c.appl_name, from->appl_name, sizeof(to->c.appl_name));
	memcpy(to->c.appl_origin, from->appl_origin,
	       sizeof(to->c.appl_origin));
	memcpy(to->date, ext->put_date, sizeof(to->date));
	memcpy(to->time, ext->put_time, sizeof(to->time));
	kmq_name_pad(to->c.appl_name, sizeof(to->c.appl_name));
	kmq_name_pad(to->c.appl_origin, sizeof(to->c.appl_origin));
	kmq_name_pad(to->date, sizeof(to->date));
	kmq_name_pad(to->time, sizeof(to->time));
	to->dated = true;
}

/* A context of its own, from the descriptor. */
static struct kmq_context_ref *kmq_put_make_context(struct kmq_put_call *call)
{
	struct kmq_context_ref *ctx;

	ctx = call->cmd->options & MQPMO_SET_ALL_CONTEXT ?
	      kmq_context_alloc() : kmq_context_copy(call->conn->context);
	if (!ctx)
		return NULL;
	kmq_put_set_identity(&ctx->c, &call->ext->context);
	if (call->cmd->options & MQPMO_SET_ALL_CONTEXT)
		kmq_put_set_origin(ctx, call->ext);
	return ctx;
}

static bool kmq_put_given_again(const struct kmq_given_context *given,
				const struct kmq_put_call *call, u32 options)
{
	const struct kmq_md_ext *ext = call->ext;

	return given->ref && given->options == options &&
	       !memcmp(&given->c, &ext->context, sizeof(given->c)) &&
	       !memcmp(given->date, ext->put_date, sizeof(given->date)) &&
	       !memcmp(given->time, ext->put_time, sizeof(given->time));
}

static void kmq_put_keep_given(struct kmq_given_context *given,
			       const struct kmq_put_call *call, u32 options,
			       struct kmq_context_ref *ctx)
{
	if (given->ref)
		kmq_context_put(given->ref);
	given->ref = kmq_context_get(ctx);
	given->options = options;
	given->c = call->ext->context;
	memcpy(given->date, call->ext->put_date, sizeof(given->date));
	memcpy(given->time, call->ext->put_time, sizeof(given->time));
}

/*
 * The context that the program sets (section 7, SET). Messages of a handle for
 * which it gives the same share one.
 */
static struct kmq_context_ref *kmq_put_given_context(struct kmq_put_call *call)
{
	u32 options = call->cmd->options & (MQPMO_SET_IDENTITY_CONTEXT |
					    MQPMO_SET_ALL_CONTEXT);
	struct kmq_given_context *given = call->handle ? &call->handle->given :
							 NULL;
	u32 present = call->cmd->present;
	struct kmq_context_ref *ctx;

	/* What the caller left out is at its default, which is blank. */
	if (!(present & KMQ_MD_CONTEXT)) {
		kmq_context_clear_identity(&call->ext->context);
		kmq_context_clear_origin(&call->ext->context);
		call->ext->context.flags = 0;
	}
	if (!(present & KMQ_MD_DATE)) {
		memset(call->ext->put_date, ' ', sizeof(call->ext->put_date));
		memset(call->ext->put_time, ' ', sizeof(call->ext->put_time));
	}
	/* Only the kernel vouches for a user id. */
	call->ext->context.flags &= ~KMQ_CTX_UID;
	if (given && kmq_put_given_again(given, call, options))
		return kmq_context_get(given->ref);
	ctx = kmq_put_make_context(call);
	if (ctx && given)
		kmq_put_keep_given(given, call, options, ctx);
	return ctx;
}

/* A context passed on from a message that was got (section 7, PASS). */
static struct kmq_context_ref *kmq_put_passed_context(struct kmq_put_call *call,
						      u64 *put_time)
{
	struct kmq_context_ref *saved = call->context_handle->saved_context;
	struct kmq_context_ref *ctx;

	if (call->cmd->options & MQPMO_PASS_ALL_CONTEXT) {
		*put_time = call->context_handle->saved_put_time;
		return kmq_context_get(saved);
	}
	ctx = kmq_context_copy(call->conn->context);
	if (ctx)
		kmq_put_set_identity(&ctx->c, &saved->c);
	return ctx;
}

static struct kmq_context_ref *kmq_put_context(struct kmq_put_call *call,
					       u64 *put_time)
{
	u32 options = call->cmd->options;

	*put_time = ktime_get_coarse_real_ns();
	if (options & MQPMO_NO_CONTEXT)
		return kmq_context_get(call->conn->qmgr->no_context);
	if (options & (MQPMO_PASS_IDENTITY_CONTEXT | MQPMO_PASS_ALL_CONTEXT))
		return kmq_put_passed_context(call, put_time);
	if (options & (MQPMO_SET_IDENTITY_CONTEXT | MQPMO_SET_ALL_CONTEXT))
		return kmq_put_given_context(call);
	return kmq_context_get(call->conn->context);
}

/* M-SEG-7: no piece but those with the first bytes promises any of them. */
static s32 kmq_put_weaken_report(s32 report, s32 offset)
{
	static const struct {
		s32 base;
		s32 with_data;
		s32 full;
	} kinds[] = {
		{ MQRO_EXCEPTION, MQRO_EXCEPTION_WITH_DATA,
		  MQRO_EXCEPTION_WITH_FULL_DATA },
		{ MQRO_EXPIRATION, MQRO_EXPIRATION_WITH_DATA,
		  MQRO_EXPIRATION_WITH_FULL_DATA },
		{ MQRO_COA, MQRO_COA_WITH_DATA, MQRO_COA_WITH_FULL_DATA },
		{ MQRO_COD, MQRO_COD_WITH_DATA, MQRO_COD_WITH_FULL_DATA },
	};
	unsigned int i;

	if (!report || offset < KMQ_REPORT_DATA)
		return report;
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if ((report & kinds[i].full) == kinds[i].with_data)
			report &= ~kinds[i].with_data | kinds[i].base;
	return report;
}

/* The group part of one message, or of one piece of it. */
static void kmq_put_member(struct kmq_msg *msg, const struct kmq_put_plan *plan,
			   s32 offset, bool is_piece)
{
	struct kmq_member *member = msg->member;

	memcpy(member->id, plan->id, KMQ_ID_LEN);
	member->seq = plan->seq;
	member->offset = offset;
	member->original_length = MQOL_UNDEFINED;
	if (!(msg->msg_flags & MQMF_SEGMENT))
		return;
	/* M-SEG-9, P-SEG-11 */
	member->original_length = msg->length;
	if (!is_piece && kmq_msg_is_report(msg))
		member->original_length = plan->original_length;
}

/**
 * struct kmq_put_parts - what all pieces of a put have in common
 * @context: context, referenced
 * @reply: reply-to names, referenced, or NULL
 * @put_time: time of the put
 * @deadline: when the message expires, or 0
 */
struct kmq_put_parts {
	struct kmq_context_ref *context;
	struct kmq_reply *reply;
	u64 put_time;
	u64 deadline;
};

/* MsgFlags of a message, or of one piece of it (P-SEG-3). */
static u32 kmq_put_piece_flags(const struct kmq_put_plan *plan, bool is_piece,
			       bool is_last)
{
	u32 flags = plan->flags;

	if (!is_piece)
		return flags;
	if (is_last && (!(flags & MQMF_SEGMENT) || flags & MQMF_LAST_SEGMENT))
		return flags | MQMF_SEGMENT | MQMF_LAST_SEGMENT;
	return (flags | MQMF_SEGMENT) & ~MQMF_LAST_SEGMENT;
}

/* One physical message that travels to another queue manager. */
static struct kmq_msg *kmq_put_make_remote(struct kmq_put_call *call,
					   const struct kmq_put_plan *plan,
					   const struct kmq_put_parts *parts,
					   s32 length, s32 offset,
					   bool is_piece, bool is_last)
{
	struct kmq_md md = call->cmd->md;
	struct kmq_xmit xmit = {
		.qmgr = call->conn->qmgr,
		.dest = call->dest,
		.md = &md,
		.context = parts->context,
		.reply = parts->reply,
		.put_time = parts->put_time,
		.length = length,
		.grouped = plan->grouped,
		.id = plan->id,
		.seq = plan->seq,
		.offset = offset,
		.msg_flags = kmq_put_piece_flags(plan, is_piece, is_last),
		.original_length = plan->original_length,
	};
	struct kmq_msg *msg;

	if (is_piece) {
		xmit.original_length = length;
		md.report = kmq_put_weaken_report(md.report, offset);
	}
	msg = kmq_xmit_make(&xmit);
	if (IS_ERR(msg) || !kmq_msg_fill_from(msg, plan->head, &call->data))
		return msg;
	kmq_msg_free(msg);
	return ERR_PTR(-EFAULT);
}

/* One physical message with its data. */
static struct kmq_msg *kmq_put_make(struct kmq_put_call *call,
				    const struct kmq_put_plan *plan,
				    const struct kmq_put_parts *parts,
				    s32 length, s32 offset, bool is_piece,
				    bool is_last)
{
	struct kmq_msg *msg = NULL;
	int err;

	if (unlikely(plan->head))
		return kmq_put_make_remote(call, plan, parts, length, offset,
					   is_piece, is_last);
	if (!plan->has_id) {
		struct kmq_msg *spares;

		spares = kmq_msg_spares_get(&call->queue->spares);
		msg = kmq_msg_reuse(&spares, length);
		kmq_msg_spares_put(&call->queue->spares, spares);
	}
	if (!msg)
		msg = kmq_msg_alloc(length, plan->has_id);
	if (IS_ERR(msg))
		return msg;
	msg->md = call->cmd->md;
	msg->msg_flags = kmq_put_piece_flags(plan, is_piece, is_last);
	if (is_piece)
		msg->md.report = kmq_put_weaken_report(msg->md.report, offset);
	msg->persistent = plan->persistent;
	msg->put_time = parts->put_time;
	msg->context = kmq_context_get(parts->context);
	if (parts->reply) {
		refcount_inc(&parts->reply->ref);
		msg->reply = parts->reply;
	}
	if (plan->has_id)
		kmq_put_member(msg, plan, offset, is_piece);
	err = kmq_msg_fill(msg, &call->data);
	if (!err && parts->deadline)
		err = kmq_msg_add_expiry(msg, parts->deadline);
	if (err) {
		kmq_msg_free(msg);
		return ERR_PTR(err);
	}
	return msg;
}

/* Free a message that was not placed, and the pieces behind it. */
static void kmq_put_discard(struct kmq_msg *first)
{
	struct kmq_msg *msg, *next;

	list_for_each_entry_safe(msg, next, &first->link, link)
		kmq_msg_free(msg);
	INIT_LIST_HEAD(&first->link);
	kmq_msg_free(first);
}

/* M-ID-10: only the first piece keeps the MsgId of the put. */
static void kmq_put_renew_id(const struct kmq_put_call *call,
			     const struct kmq_put_plan *plan,
			     struct kmq_msg *msg)
{
	u8 id[KMQ_ID_LEN];

	kmq_qmgr_new_id(call->conn->qmgr, id);
	if (plan->head)
		kmq_xmit_set_msg_id(msg, id);
	else
		memcpy(msg->md.msg_id, id, KMQ_ID_LEN);
}

/* Add the pieces behind the first one, in order, to its list. */
static int kmq_put_make_pieces(struct kmq_put_call *call,
			       const struct kmq_put_plan *plan,
			       const struct kmq_put_parts *parts,
			       struct kmq_msg *first)
{
	s32 done = first->length - plan->head;

	while (done < plan->length) {
		s32 length = min(plan->piece, plan->length - done);
		struct kmq_msg *msg;

		msg = kmq_put_make(call, plan, parts, length,
				   plan->offset + done, true,
				   done + length == plan->length);
		if (IS_ERR(msg))
			return PTR_ERR(msg);
		kmq_put_renew_id(call, plan, msg);
		list_add_tail(&msg->link, &first->link);
		done += length;
	}
	return 0;
}

/* The message; if it is cut up, its first piece with the others on its list. */
static struct kmq_msg *kmq_put_make_all(struct kmq_put_call *call,
					const struct kmq_put_plan *plan,
					const struct kmq_put_parts *parts)
{
	s32 length = plan->length;
	struct kmq_msg *first;
	int err;

	if (plan->piece)
		length = min(plan->piece, length);
	first = kmq_put_make(call, plan, parts, length, plan->offset,
			     plan->piece, length == plan->length);
	if (IS_ERR(first) || likely(length == plan->length))
		return first;
	err = kmq_put_make_pieces(call, plan, parts, first);
	if (!err)
		return first;
	kmq_put_discard(first);
	return ERR_PTR(err);
}

/**
 * kmq_put_admit - give a message its place
 * @queue: the queue, locked
 * @msg: the message
 * @plan: how it is stored
 * @pending: it waits for the commit, else it becomes visible
 * @spare: memory for its group objects, if it has a group part
 *
 * A message that is visible must be offered to those who wait.
 */
void kmq_put_admit(struct kmq_queue *queue, struct kmq_msg *msg,
		   const struct kmq_put_plan *plan, bool pending,
		   struct kmq_group_spare *spare)
{
	kmq_queue_admit_locked(queue, msg, min(plan->priority, KMQ_MAX_PRIORITY),
			       spare);
	if (pending) {
		msg->state = KMQ_MSG_PUT_PENDING;
		queue->uncommitted_puts++;
	} else {
		kmq_queue_insert_locked(queue, msg);
	}
}

/* All pieces of a message that was cut up, in one step. */
static void kmq_put_admit_pieces(struct kmq_queue *queue, struct kmq_msg *first,
				 const struct kmq_put_plan *plan,
				 struct kmq_uow_queue *part,
				 struct kmq_group_spare *spare)
{
	struct kmq_msg *msg;
	LIST_HEAD(msgs);

	list_splice_init(&first->link, &msgs);
	list_add(&first->link, &msgs);
	list_for_each_entry(msg, &msgs, link)
		kmq_put_admit(queue, msg, plan, part, spare);
	if (part)
		list_splice_tail(&msgs, &part->puts);
	else
		kmq_queue_offer_locked(queue, &msgs);
}

/* Line 13 once more, now that nothing can change. */
static u32 kmq_put_check_place(const struct kmq_put_call *call)
{
	const struct kmq_queue *queue = call->queue;

	if (unlikely(queue->deleted))
		return call->handle ? MQRC_Q_DELETED : MQRC_UNKNOWN_OBJECT_NAME;
	if (unlikely(queue->attrs.inhibit_put))
		return MQRC_PUT_INHIBITED;
	if (unlikely(queue->depth >= queue->attrs.max_q_depth))
		return MQRC_Q_FULL;
	return MQRC_NONE;
}

/* What the queue watches, before the message and its pieces are placed. */
static void kmq_put_watch(struct kmq_put_call *call,
			  const struct kmq_msg *first)
{
	const struct list_head *piece;
	u32 count = 1;

	list_for_each(piece, &first->link)
		count++;
	call->watched = true;
	call->due = kmq_watch_put_locked(call->queue, kmq_msg_priority(first),
					 count);
}

/* Place the message on the queue. Return: 0 or why it cannot be. */
static u32 kmq_put_place(struct kmq_put_call *call,
			 const struct kmq_put_plan *plan,
			 struct kmq_msg *first, struct kmq_uow_queue *part,
			 struct kmq_group_spare *spare)
{
	struct kmq_queue *queue = call->queue;
	u32 reason;

	mutex_lock(&queue->lock);
	reason = kmq_put_check_place(call);
	if (unlikely(reason))
		goto unlock;
	if (unlikely(queue->watch))
		kmq_put_watch(call, first);
	if (unlikely(!list_empty(&first->link))) {
		kmq_put_admit_pieces(queue, first, plan, part, spare);
	} else {
		kmq_put_admit(queue, first, plan, part, spare);
		if (part)
			list_add_tail(&first->link, &part->puts);
		else
			kmq_waiters_offer_locked(queue, first);
	}
unlock:
	mutex_unlock(&queue->lock);
	return reason;
}

/* Where the message went (P-RES-1, P-RES-2). */
static void kmq_put_report_dest(struct kmq_put_call *call)
{
	const struct kmq_dest *dest = call->dest;
	struct kmq_put *cmd = call->cmd;
	const u8 *q = call->queue->name;
	const u8 *qmgr = call->queue->qmgr->name;

	if (dest && (dest->remote || call->queue->qmgr != call->conn->qmgr))
		cmd->out_flags |= KMQ_PUT_OUT_REMOTE;
	if (dest && !(cmd->options & MQPMO_RESOLVE_LOCAL_Q)) {
		q = dest->q;
		qmgr = dest->qmgr;
	}
	cmd->out_present |= KMQ_MD_DEST;
	memcpy(call->ext->dest_q, q, KMQ_NAME_LEN);
	memcpy(call->ext->dest_qmgr, qmgr, KMQ_NAME_LEN);
}

/* What the caller learns besides the fields of the descriptor (P-CTX-8). */
static void kmq_put_report_back(struct kmq_put_call *call,
				const struct kmq_put_plan *plan,
				const struct kmq_put_parts *parts)
{
	struct kmq_put *cmd = call->cmd;
	const struct kmq_context_ref *ctx = parts->context;

	cmd->out_ctx_id = ctx->id;
	cmd->out_put_time = ctx->dated ? 0 : parts->put_time;
	if (ctx != call->conn->context) {
		cmd->out_present |= KMQ_MD_CONTEXT;
		call->ext->context = ctx->c;
	}
	if (ctx->dated) {
		cmd->out_present |= KMQ_MD_DATE;
		memcpy(call->ext->put_date, ctx->date, sizeof(ctx->date));
		memcpy(call->ext->put_time, ctx->time, sizeof(ctx->time));
	}
	if (unlikely(cmd->flags & KMQ_PUT_WANT_DEST))
		kmq_put_report_dest(call);
	if (!plan->has_id)
		return;
	cmd->out_present |= KMQ_MD_GROUP;
	memcpy(call->ext->group_id, plan->id, KMQ_ID_LEN);
	call->ext->msg_seq_number = plan->seq;
	call->ext->offset = plan->offset;
	call->ext->msg_flags = plan->flags;
	call->ext->original_length = plan->original_length;
}

static u32 kmq_put_reason(int err)
{
	return err == -EFAULT ? MQRC_BUFFER_ERROR : MQRC_STORAGE_NOT_AVAILABLE;
}

/* Memory for the group objects that placing may need. */
static int kmq_put_get_spare(const struct kmq_msg *first,
			     struct kmq_group_spare *spare)
{
	spare->group = NULL;
	spare->segments = NULL;
	return first->member ? kmq_group_spare_alloc(spare, first) : 0;
}

static int kmq_put_parts_get(struct kmq_put_call *call,
			     const struct kmq_put_plan *plan,
			     struct kmq_put_parts *parts)
{
	struct kmq_put *cmd = call->cmd;

	parts->reply = NULL;
	parts->deadline = 0;
	parts->context = kmq_put_context(call, &parts->put_time);
	if (!parts->context)
		return -ENOMEM;
	if (cmd->present & KMQ_MD_REPLY) {
		parts->reply = kmq_put_reply(call);
		if (!parts->reply) {
			kmq_context_put(parts->context);
			return -ENOMEM;
		}
	}
	if (cmd->md.expiry != MQEI_UNLIMITED && !plan->head)
		parts->deadline = ktime_get_ns() +
				  (u64)cmd->md.expiry * (NSEC_PER_SEC / 10);
	return 0;
}

static void kmq_put_parts_put(struct kmq_put_parts *parts)
{
	kmq_context_put(parts->context);
	if (parts->reply)
		kmq_reply_put(parts->reply);
}

/* After a success: the unit of work and the group information of the handle. */
static void kmq_put_account(struct kmq_put_call *call,
			    const struct kmq_put_plan *plan)
{
	struct kmq_unit *uow = &call->conn->uow;

	if (plan->syncpoint) {
		kmq_uow_open(uow);
		uow->count++;
		if (call->handle)
			kmq_uow_use_put(uow, call->handle);
	}
	if (call->handle)
		kmq_put_retain(call, plan);
}

/* Make a message and place it. Return: 0, *@reason may be set; or an errno. */
static int kmq_put_message(struct kmq_put_call *call, struct kmq_put_plan *plan,
			   const struct kmq_put_parts *parts,
			   struct kmq_uow_queue *part, u32 *reason)
{
	struct kmq_group_spare spare;
	struct kmq_msg *first;
	int err;

	first = kmq_put_make_all(call, plan, parts);
	if (IS_ERR(first))
		return PTR_ERR(first);
	err = kmq_put_get_spare(first, &spare);
	if (!err)
		*reason = kmq_put_place(call, plan, first, part, &spare);
	if (plan->has_id)
		kmq_group_spare_free(&spare);
	if (err || *reason)
		kmq_put_discard(first);
	return err;
}

/* Reports of arrival on what a private unit has put so far (P-REP-3, P-REP-5). */
static u32 kmq_put_reports(struct kmq_put_call *call, struct kmq_unit *unit,
			   struct kmq_uow_queue *part, u32 *count)
{
	struct kmq_msg *msg;
	u32 reason = MQRC_NONE;

	*count = 0;
	list_for_each_entry(msg, &part->puts, link) {
		struct kmq_report_on on;

		if (!kmq_report_wanted(call->queue, msg, KMQ_REPORT_COA))
			continue;
		kmq_report_on_one(&on, &msg);
		reason = kmq_report_put(call->conn->qmgr, &on, KMQ_REPORT_COA,
					unit, false);
		if (reason)
			break;
		++*count;
	}
	return reason;
}

static bool kmq_put_exceeds_limit(const struct kmq_put_call *call, u32 more)
{
	return call->conn->uow.count + more >
	       READ_ONCE(call->conn->qmgr->attrs.max_uncommitted_msgs);
}

/* What a put brings about besides its message: reports and a trigger message. */
static u32 kmq_put_effects(struct kmq_put_call *call,
			   const struct kmq_put_plan *plan,
			   struct kmq_unit *unit, struct kmq_uow_queue *part,
			   u32 *count)
{
	struct kmq_unit made;
	u32 reason, triggers = 0;

	kmq_uow_init(&made);
	reason = kmq_put_reports(call, unit, part, count);
	if (!reason && call->due)
		triggers = kmq_trigger_make(call->queue, &made);
	*count += triggers;
	if (!reason && plan->syncpoint &&
	    kmq_put_exceeds_limit(call, 1 + *count))
		reason = MQRC_SYNCPOINT_LIMIT_REACHED;
	/* Before anybody can see it. */
	kmq_trigger_settle(call->queue, call->due, triggers && !reason);
	if (reason)
		kmq_uow_abandon(&made);
	else
		kmq_uow_defer(unit, &made, call->due == KMQ_DUE_CLAIMED);
	call->due = KMQ_DUE_NONE;
	return reason;
}

/*
 * A put that asks for reports of arrival, or one in a unit of work to a queue
 * with triggers: message and what it brings about go into a private unit of
 * work, so that all of it comes about or nothing (P-REP-12, U-LIM-1).
 */
static int kmq_put_with_effects(struct kmq_put_call *call,
				struct kmq_put_plan *plan,
				const struct kmq_put_parts *parts, u32 *reason)
{
	struct kmq_uow_queue *part;
	struct kmq_unit unit;
	u32 count = 0;
	int err = -ENOMEM;

	kmq_uow_init(&unit);
	part = kmq_uow_join(&unit, call->queue);
	if (part)
		err = kmq_put_message(call, plan, parts, part, reason);
	if (!err && !*reason)
		*reason = kmq_put_effects(call, plan, &unit, part, &count);
	if (err || *reason) {
		kmq_uow_abandon(&unit);
	} else if (plan->syncpoint) {
		kmq_uow_merge(&call->conn->uow, &unit);
		call->conn->uow.count += count;
	} else {
		kmq_uow_commit(&unit);
	}
	return err;
}

/* The trigger message of a message that has been placed already. */
static void kmq_put_trigger(struct kmq_put_call *call,
			    const struct kmq_put_plan *plan)
{
	struct kmq_unit *uow = &call->conn->uow;

	if (!plan->syncpoint)
		kmq_trigger_run(call->queue, call->due);
	else
		/* Triggers were switched on when the limit had been checked. */
		uow->count += kmq_trigger_add(call->queue, call->due, uow);
	call->due = KMQ_DUE_NONE;
}

/* What was noticed as the message was placed (O-EVT-5). */
static void kmq_put_watched(struct kmq_put_call *call,
			    const struct kmq_put_plan *plan)
{
	call->watched = false;
	kmq_event_send(call->queue);
	if (call->due)
		kmq_put_trigger(call, plan);
}

/* Does a put bring about more than its message? */
static bool kmq_put_has_effects(const struct kmq_put_call *call,
				const struct kmq_put_plan *plan)
{
	/* What travels has not arrived yet (P-REP-1). */
	return (call->cmd->md.report & MQRO_COA && !plan->head) ||
	       (plan->syncpoint &&
		READ_ONCE(call->queue->watch) & KMQ_WATCH_TRIGGER);
}

/**
 * kmq_put_store - make the message and place it on the queue
 * @call: the call, checked
 * @plan: what to store
 * @reason: set if the put fails
 *
 * Return: 0, or -EINTR if the caller is being killed.
 */
int kmq_put_store(struct kmq_put_call *call, struct kmq_put_plan *plan,
		  u32 *reason)
{
	bool effects = kmq_put_has_effects(call, plan);
	struct kmq_uow_queue *part = NULL;
	struct kmq_put_parts parts;
	int err = -ENOMEM;

	call->cmd->out_present = 0;
	if (plan->syncpoint && !effects) {
		part = kmq_uow_join(&call->conn->uow, call->queue);
		if (!part)
			goto out;
	}
	kmq_put_resolve(call, plan);
	err = kmq_put_parts_get(call, plan, &parts);
	if (err)
		goto out;
	if (unlikely(effects))
		err = kmq_put_with_effects(call, plan, &parts, reason);
	else
		err = kmq_put_message(call, plan, &parts, part, reason);
	if (unlikely(call->watched))
		kmq_put_watched(call, plan);
	if (!err && !*reason) {
		kmq_put_account(call, plan);
		kmq_put_report_back(call, plan, &parts);
	}
	kmq_put_parts_put(&parts);
out:
	if (err == -EINTR)
		return err;
	if (err)
		*reason = kmq_put_reason(err);
	return 0;
}
