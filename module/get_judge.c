// SPDX-License-Identifier: GPL-2.0
/*
 * MQGET: the checks that need the message (line 24 of get.md section 4), made
 * under the lock of the queue, perhaps by a putter on behalf of a get that waits.
 */
#include "get.h"
#include "group.h"
#include "mark.h"
#include "qmgr.h"
#include "queue.h"
#include "report.h"

static enum kmq_verdict kmq_get_refuse(struct kmq_getting *get, u32 reason)
{
	get->reason = reason;
	return KMQ_REFUSE;
}

/* G-MAT-6: the next item is what it is; match options must agree with it. */
static bool kmq_get_agrees(const struct kmq_getting *get,
			   const struct kmq_msg *msg)
{
	const struct kmq_get *cmd = get->call->cmd;
	const struct kmq_md_ext *ext = get->call->ext;
	const struct kmq_member *member = msg->member;
	u32 match = get->match;

	if (match & MQMO_MATCH_MSG_ID && !kmq_id_is_null(cmd->md.msg_id) &&
	    kmq_id_compare(cmd->md.msg_id, msg->md.msg_id))
		return false;
	if (match & MQMO_MATCH_CORREL_ID && !kmq_id_is_null(cmd->md.correl_id) &&
	    kmq_id_compare(cmd->md.correl_id, msg->md.correl_id))
		return false;
	if (match & MQMO_MATCH_GROUP_ID && !kmq_id_is_null(ext->group_id) &&
	    kmq_id_compare(ext->group_id, member->id))
		return false;
	if (match & MQMO_MATCH_MSG_SEQ_NUMBER &&
	    ext->msg_seq_number != member->seq)
		return false;
	if (match & MQMO_MATCH_OFFSET && ext->offset != member->offset)
		return false;
	return !(match & MQMO_MATCH_MSG_TOKEN) ||
	       kmq_token_key(cmd->token, msg->queue->uid) == msg->key;
}

/* G-MRK-5, G-CUR-4 */
static u32 kmq_get_check_marks(const struct kmq_getting *get,
			       const struct kmq_msg *msg)
{
	const struct kmq_handle *handle = get->call->handle;
	u32 options = get->call->cmd->options;

	if (options & MQGMO_UNMARKED_BROWSE_MSG) {
		if (handle->may & KMQ_CO_OP && msg->co_op_mark)
			return MQRC_MSG_MARKED_BROWSE_CO_OP;
		if (kmq_mark_find(msg, handle))
			return get->cursor ? MQRC_NO_MSG_UNDER_CURSOR :
					     MQRC_NO_MSG_AVAILABLE;
		return MQRC_NONE;
	}
	if (options & MQGMO_MARK_BROWSE_CO_OP && msg->co_op_mark)
		return MQRC_MSG_MARKED_BROWSE_CO_OP;
	return MQRC_NONE;
}

/* G-RAS-11 */
static u32 kmq_get_check_cursor(const struct kmq_take *take,
				const struct kmq_msg *msg)
{
	if (!take->whole || !msg->member)
		return MQRC_NONE;
	if (msg->member->offset)
		return MQRC_INVALID_MSG_UNDER_CURSOR;
	return take->incomplete ? MQRC_NO_MSG_UNDER_CURSOR : MQRC_NONE;
}

/**
 * kmq_get_wants_report - does a removing get make a report of delivery
 * @take: the get
 */
bool kmq_get_wants_report(const struct kmq_take *take)
{
	return kmq_report_wanted(take->handle->queue, take->msgs[0],
				 KMQ_REPORT_COD);
}

/* The limit, the setting inside a group, an internal unit (G-RAS-4, G-UOW-10). */
static u32 kmq_get_check_uow(struct kmq_getting *get, const struct kmq_msg *msg)
{
	const struct kmq_get_call *call = get->call;
	const struct kmq_unit *uow = &call->handle->conn->uow;
	struct kmq_take *take = &get->take;
	u32 options = call->cmd->options;

	take->syncpoint = options & MQGMO_SYNCPOINT ||
			  (options & MQGMO_SYNCPOINT_IF_PERSISTENT &&
			   msg->persistent);
	if (get->continuing &&
	    take->syncpoint != kmq_get_retained(get)->syncpoint)
		return MQRC_INCONSISTENT_UOW;
	if (!take->syncpoint)
		return take->segmented && msg->persistent && uow->open ?
		       MQRC_UOW_NOT_AVAILABLE : MQRC_NONE;
	if (uow->doomed)
		return MQRC_BACKED_OUT;
	if (uow->count + take->count + kmq_get_wants_report(take) >
	    READ_ONCE(call->handle->conn->qmgr->attrs.max_uncommitted_msgs))
		return MQRC_SYNCPOINT_LIMIT_REACHED;
	return MQRC_NONE;
}

/* Can it go on with what was begun (G-ORD-6, M-SEG-11)? */
static bool kmq_get_is_member(const struct kmq_retained *last,
			      const struct kmq_msg *msg)
{
	u32 flags = (last->in_group ? MQMF_MSG_IN_GROUP : 0) |
		    (last->in_msg ? MQMF_SEGMENT : 0);

	return !(flags & ~msg->msg_flags) &&
	       (!last->in_msg || kmq_msg_is_report(msg) == last->report);
}

/**
 * kmq_get_next - what logical order returns next inside a group or logical message
 * @last: what the handle keeps of it
 * @group: its group object
 *
 * Return: the message, or NULL.
 */
struct kmq_msg *kmq_get_next(const struct kmq_retained *last,
			     const struct kmq_group *group)
{
	s32 seq = last->in_msg ? last->seq : last->seq + 1;
	s32 offset = last->in_msg ? last->next_offset : 0;
	struct kmq_msg *next = kmq_group_item(group, seq, offset, 0);

	while (next && !kmq_get_is_member(last, next))
		next = kmq_group_item(group, seq, offset, next->key + 1);
	return next;
}

/* Is it just what logical order would have returned (G-ORD-17, G-ORD-25)? */
static bool kmq_get_is_next(const struct kmq_retained *last,
			    const struct kmq_msg *msg)
{
	const struct kmq_member *member = msg->member;

	return member && !kmq_id_compare(member->id, last->group_id) &&
	       kmq_get_next(last, member->group) == msg;
}

/* G-ORD-16, G-ORD-17; in logical order never, cursor or not (G-ORD-22). */
static u32 kmq_get_leaves_group(const struct kmq_getting *get,
				const struct kmq_msg *msg)
{
	const struct kmq_retained *last = kmq_get_retained(get);

	if (likely(!last->in_group && !last->in_msg))
		return MQRC_NONE;
	if (get->browse || !last->logical || get->logical)
		return MQRC_NONE;
	if (!kmq_get_is_next(last, msg))
		return last->in_msg ? MQRC_INCOMPLETE_MSG :
				      MQRC_INCOMPLETE_GROUP;
	if (get->take.syncpoint != last->syncpoint)
		return MQRC_INCONSISTENT_UOW;
	return MQRC_NONE;
}

static bool kmq_get_needs_mde(const struct kmq_getting *get,
			      const struct kmq_msg *msg)
{
	return get->call->cmd->md_version == 1 &&
	       (msg->member || msg->msg_flags);
}

/**
 * kmq_get_judge - decide about the message that a get has found
 * @take: the get
 *
 * Return: what to do; with KMQ_REFUSE the reason is in the get.
 */
enum kmq_verdict kmq_get_judge(struct kmq_take *take)
{
	struct kmq_getting *get = kmq_getting_of(take);
	const struct kmq_get *cmd = get->call->cmd;
	const struct kmq_msg *msg = take->msgs[0];
	u32 reason;

	if (get->continuing && !kmq_get_agrees(get, msg))
		return kmq_get_refuse(get, MQRC_MATCH_OPTIONS_ERROR);
	if (get->cursor) {
		reason = kmq_get_check_cursor(take, msg);
		if (reason)
			return kmq_get_refuse(get, reason);
	}
	if (take->remove) {
		reason = kmq_get_check_uow(get, msg);
		if (reason)
			return kmq_get_refuse(get, reason);
	}
	reason = kmq_get_check_marks(get, msg);
	if (reason)
		return kmq_get_refuse(get, reason);
	get->reason = MQRC_NONE;
	get->warning = kmq_get_leaves_group(get, msg);
	get->header = kmq_get_needs_mde(get, msg) ? KMQ_MDE_LENGTH : 0;
	get->truncated = get->header + take->length > cmd->length;
	if (get->truncated && !(cmd->options & MQGMO_ACCEPT_TRUNCATED_MSG))
		return KMQ_SHOW;
	return KMQ_ACCEPT;
}
