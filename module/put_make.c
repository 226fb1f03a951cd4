// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT: making the message. Memory is got and the data copied with no queue
 * locked. A message that the queue manager cuts up (P-SEG) is made as a list of
 * pieces; one that travels to another queue manager gets its head (xmit.c).
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/string.h>
#include <linux/ktime.h>
#include "call.h"
#include "context.h"
#include "cut.h"
#include "dev.h"
#include "put.h"
#include "qmgr.h"
#include "queue.h"
#include "resolve.h"
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

/**
 * kmq_put_resolve - fill in what the descriptor leaves open (P-MD-11)
 * @call: the call, checked: its descriptor gets the values that are stored, which
 *	the caller gets back
 * @plan: what to store
 */
void kmq_put_resolve(struct kmq_put_call *call, const struct kmq_put_plan *plan)
{
	struct kmq_md *md = &call->cmd->md;

	md->expiry = kmq_put_expiry(call);
	md->ccsid = kmq_put_ccsid(call);
	md->priority = plan->priority;
	md->persistence = plan->persistent;
	kmq_name_pad(md->format, sizeof(md->format));
	if (call->cmd->options & MQPMO_NEW_MSG_ID || kmq_id_is_null(md->msg_id))
		kmq_conn_new_id(call->conn, md->msg_id);
	if (call->cmd->options & MQPMO_NEW_CORREL_ID)
		kmq_conn_new_id(call->conn, md->correl_id);
}

/*
 * Replace the name of a local definition of a remote queue by what it says.
 * Return: the definition, referenced, or NULL.
 */
static struct kmq_queue *kmq_put_reply_definition(struct kmq_qmgr *qmgr,
						  struct kmq_md_ext *ext)
{
	struct kmq_queue *queue;

	/* The usual case need not look. */
	if (likely(!READ_ONCE(qmgr->remote_count)))
		return NULL;
	down_read(&qmgr->names);
	queue = kmq_qmgr_find_locked(qmgr, ext->reply_q);
	if (queue && queue->type == MQQT_REMOTE) {
		memcpy(ext->reply_q, queue->attrs.remote_q_name, KMQ_NAME_LEN);
		memcpy(ext->reply_qmgr, queue->attrs.remote_q_mgr_name,
		       KMQ_NAME_LEN);
		kmq_queue_get(queue);
	} else {
		queue = NULL;
	}
	up_read(&qmgr->names);
	return queue;
}

/*
 * The names as they are stored. Return: they are those of a definition that the
 * caller may open, if that is going to matter.
 */
static bool kmq_put_reply_names(struct kmq_qmgr *qmgr, struct kmq_md_ext *ext,
				bool asks)
{
	struct kmq_queue *definition;
	bool may;

	kmq_name_pad(ext->reply_q, KMQ_NAME_LEN);
	kmq_name_pad(ext->reply_qmgr, KMQ_NAME_LEN);
	if (ext->reply_q[0] == ' ' || ext->reply_qmgr[0] != ' ')
		return false;
	definition = kmq_put_reply_definition(qmgr, ext);
	if (!definition) {
		memcpy(ext->reply_qmgr, qmgr->name, KMQ_NAME_LEN);
		return false;
	}
	may = asks && kmq_dev_may_open(definition, current_cred());
	kmq_queue_put(definition);
	return may;
}

/* Can the names of the last put be shared, with the rights that go with them? */
static bool kmq_put_reply_same(const struct kmq_reply *reply,
			       const struct kmq_md_ext *ext, bool asks,
			       bool defined)
{
	return kmq_name_equal(reply->q, ext->reply_q) &&
	       kmq_name_equal(reply->qmgr, ext->reply_qmgr) &&
	       (likely(!asks) || (reply->putter == current_cred() &&
				  reply->defined == defined));
}

/*
 * P-MD-3. Who asks for reports is remembered with the names: they go where he
 * could put them or get them. Return: the names with a reference, or NULL for
 * want of memory.
 */
static struct kmq_reply *kmq_put_reply(struct kmq_put_call *call)
{
	bool asks = call->cmd->md.report & KMQ_RO_REPORTS;
	struct kmq_handle *handle = call->handle;
	struct kmq_md_ext *ext = call->ext;
	struct kmq_reply *reply;
	bool defined;

	defined = kmq_put_reply_names(call->conn->qmgr, ext, asks);
	reply = handle ? handle->reply : NULL;
	if (!reply || !kmq_put_reply_same(reply, ext, asks, defined)) {
		reply = kmq_reply_alloc(ext->reply_q, ext->reply_qmgr);
		if (!reply)
			return NULL;
		if (asks)
			reply->putter = get_current_cred();
		reply->defined = defined;
		if (!handle)
			return reply;
		if (handle->reply)
			kmq_reply_put(handle->reply);
		handle->reply = reply;
	}
	refcount_inc(&reply->ref);
	return reply;
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

/**
 * kmq_put_member - fill in the group part of a message, or of one piece of it
 * @msg: the message, with its flags and descriptor
 * @plan: what to store
 * @offset: Offset
 * @is_piece: it is a piece
 */
void kmq_put_member(struct kmq_msg *msg, const struct kmq_put_plan *plan,
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
	struct kmq_msg *msg, *spares;
	int err;

	if (unlikely(plan->head))
		return kmq_put_make_remote(call, plan, parts, length, offset,
					   is_piece, is_last);
	spares = kmq_msg_spares_get(&call->queue->spares);
	msg = kmq_msg_reuse(&spares, length, plan->has_id);
	kmq_msg_spares_put(&call->queue->spares, spares);
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
	kmq_msg_set_context(msg, parts->context);
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

/**
 * kmq_put_discard - free a message that was not placed, and its other pieces
 * @first: message from kmq_put_make_all()
 */
void kmq_put_discard(struct kmq_msg *first)
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

	kmq_conn_new_id(call->conn, id);
	if (plan->head)
		kmq_xmit_set_msg_id(msg, id);
	else
		memcpy(msg->md.msg_id, id, KMQ_ID_LEN);
}

/* The piece that begins with byte @at of the data. */
static struct kmq_msg *kmq_put_make_piece(struct kmq_put_call *call,
					  const struct kmq_put_plan *plan,
					  const struct kmq_put_parts *parts,
					  struct kmq_cut *cut, s32 at)
{
	int length = kmq_cut_next(cut, at, &call->data);

	if (length < 0)
		return ERR_PTR(length);
	return kmq_put_make(call, plan, parts, length, plan->offset + at, true,
			    at + length == plan->length);
}

/* Add the pieces behind the first one, in order, to its list. */
static int kmq_put_make_rest(struct kmq_put_call *call,
			     const struct kmq_put_plan *plan,
			     const struct kmq_put_parts *parts,
			     struct kmq_cut *cut, struct kmq_msg *first)
{
	s32 done = first->length - plan->head;

	while (done < plan->length) {
		struct kmq_msg *msg;

		msg = kmq_put_make_piece(call, plan, parts, cut, done);
		if (IS_ERR(msg))
			return PTR_ERR(msg);
		kmq_put_renew_id(call, plan, msg);
		list_add_tail(&msg->link, &first->link);
		done += msg->length - plan->head;
	}
	return 0;
}

/* A message that is too long for one piece. */
static struct kmq_msg *kmq_put_make_pieces(struct kmq_put_call *call,
					   const struct kmq_put_plan *plan,
					   const struct kmq_put_parts *parts)
{
	struct kmq_cut cut = {
		.limit = plan->piece,
		.length = plan->length,
		.encoding = call->cmd->md.encoding,
	};
	struct kmq_msg *first;
	int err;

	/* What begins within a message has no headers at its front. */
	if (!plan->offset)
		memcpy(cut.format, call->cmd->md.format, sizeof(cut.format));
	err = kmq_cut_begin(&cut, &call->data);
	if (err)
		return ERR_PTR(err);
	first = kmq_put_make_piece(call, plan, parts, &cut, 0);
	if (IS_ERR(first))
		return first;
	err = kmq_put_make_rest(call, plan, parts, &cut, first);
	if (!err)
		return first;
	kmq_put_discard(first);
	return ERR_PTR(err);
}

/**
 * kmq_put_make_all - make a message with its data
 * @call: the call
 * @plan: what to store
 * @parts: what its pieces have in common
 *
 * Return: the message; if it is cut up, its first piece with the others on its
 * list. ERR_PTR(-ENOMEM), -EFAULT data that cannot be read, -EINTR if the caller
 * is being killed, -EMSGSIZE if it cannot be cut into pieces that are stored.
 */
struct kmq_msg *kmq_put_make_all(struct kmq_put_call *call,
				 const struct kmq_put_plan *plan,
				 const struct kmq_put_parts *parts)
{
	if (unlikely(plan->piece))
		return kmq_put_make_pieces(call, plan, parts);
	return kmq_put_make(call, plan, parts, plan->length, plan->offset,
			    false, true);
}

/**
 * kmq_put_parts_get - what all pieces of a message have in common
 * @call: the call, its descriptor resolved
 * @plan: what to store
 * @parts: filled in, to be given back with kmq_put_parts_put()
 *
 * Return: 0 or -ENOMEM.
 */
int kmq_put_parts_get(struct kmq_put_call *call,
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

void kmq_put_parts_put(struct kmq_put_parts *parts)
{
	kmq_context_put(parts->context);
	if (parts->reply)
		kmq_reply_put(parts->reply);
}
