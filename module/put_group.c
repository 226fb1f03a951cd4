// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT: groups and segments (put.md section 6). Which GroupId, MsgSeqNumber and
 * Offset a message gets, and whether it fits what the handle has begun.
 */
#include <linux/string.h>
#include "call.h"
#include "compat.h"
#include "limits.h"
#include "put.h"
#include "qmgr.h"
#include "queue.h"
#include "resolve.h"
#include "store.h"
#include "user.h"

#define KMQ_MF_KNOWN	(MQMF_SEGMENTATION_ALLOWED | MQMF_SEGMENT | \
			 MQMF_LAST_SEGMENT | MQMF_MSG_IN_GROUP | \
			 MQMF_LAST_MSG_IN_GROUP)
#define KMQ_MF_KEPT	0xfff00000U	/* ACCEPT_UNSUP mask, P-MD-6 */
#define KMQ_MF_IF_XMIT	0x000ff000U	/* ACCEPT_UNSUP_IF_XMIT mask */

static bool kmq_put_in_group(const struct kmq_put_plan *plan)
{
	return plan->flags & MQMF_MSG_IN_GROUP;
}

static bool kmq_put_is_segment(const struct kmq_put_plan *plan)
{
	return plan->flags & MQMF_SEGMENT;
}

/**
 * kmq_put_plan_group - take over the group fields that a put gives
 * @plan: gets them
 * @ext: the GROUP part, which must stay until kmq_put_group(); NULL: none is given
 */
void kmq_put_plan_group(struct kmq_put_plan *plan, const struct kmq_md_ext *ext)
{
	plan->group_warning = MQRC_NONE;
	plan->has_id = false;
	plan->seq = ext ? ext->msg_seq_number : 1;
	plan->offset = ext ? ext->offset : 0;
	plan->flags = ext ? ext->msg_flags : 0;
	plan->original_length = ext ? ext->original_length : MQOL_UNDEFINED;
	plan->given_id = ext ? ext->group_id : NULL;
	/* M-FLG-1, P-MD-7 */
	if (plan->flags & MQMF_LAST_MSG_IN_GROUP)
		plan->flags |= MQMF_MSG_IN_GROUP;
	if (plan->flags & MQMF_LAST_SEGMENT)
		plan->flags |= MQMF_SEGMENT;
}

/**
 * kmq_put_check_group - MsgFlags to OriginalLength, and the segment length (line 11)
 * @plan: plan with its group fields as given
 * @msg_type: MsgType
 * @remote: on its way to another queue manager
 *
 * Return: 0 or the reason.
 */
u32 kmq_put_check_group(const struct kmq_put_plan *plan, s32 msg_type,
			bool remote)
{
	u32 kept = remote ? KMQ_MF_KEPT | KMQ_MF_IF_XMIT : KMQ_MF_KEPT;
	u32 flags = plan->flags;
	bool segment = flags & MQMF_SEGMENT;
	bool last = flags & MQMF_LAST_SEGMENT;

	if (flags & ~(KMQ_MF_KNOWN | kept))
		return MQRC_MSG_FLAGS_ERROR;
	if (likely(!(flags & KMQ_MF_KNOWN)))
		return MQRC_NONE;
	if (!plan->logical && flags & MQMF_MSG_IN_GROUP &&
	    (plan->seq < 1 || plan->seq > KMQ_MAX_SEQ))
		return MQRC_MSG_SEQ_NUMBER_ERROR;
	if (!plan->logical && segment &&
	    (plan->offset < 0 ||
	     (s64)plan->offset + plan->length > KMQ_MAX_OFFSET))
		return MQRC_OFFSET_ERROR;
	if (segment && msg_type == MQMT_REPORT &&
	    (plan->original_length < (last ? 0 : 1) ||
	     plan->original_length < plan->length))
		return MQRC_ORIGINAL_LENGTH_ERROR;
	if (segment && !last && !plan->length)
		return MQRC_SEGMENT_LENGTH_ZERO;
	return MQRC_NONE;
}

static void kmq_put_new_id(struct kmq_conn *conn, struct kmq_put_plan *plan)
{
	kmq_conn_new_id(conn, plan->id);
	plan->has_id = true;
}

static void kmq_put_same_id(struct kmq_put_plan *plan, const u8 *id)
{
	memcpy(plan->id, id, KMQ_ID_LEN);
	plan->has_id = true;
}

/* P-LOG-7, P-LOG-9, P-LOG-10: does it go on with what was begun? */
static u32 kmq_put_continues(const struct kmq_retained *last,
			     const struct kmq_put_plan *plan)
{
	if (last->in_msg && (!kmq_put_is_segment(plan) ||
			     kmq_put_in_group(plan) != last->in_group))
		return MQRC_INCOMPLETE_MSG;
	if (!last->in_msg && !kmq_put_in_group(plan))
		return MQRC_INCOMPLETE_GROUP;
	if (plan->persistent != last->persistence)
		return MQRC_INCONSISTENT_PERSISTENCE;
	if (plan->syncpoint != last->syncpoint)
		return MQRC_INCONSISTENT_UOW;
	return MQRC_NONE;
}

/* The table of P-LOG-5. */
static u32 kmq_put_logical(struct kmq_conn *conn,
			   const struct kmq_retained *last,
			   struct kmq_put_plan *plan)
{
	u32 reason;

	plan->seq = 1;
	plan->offset = 0;
	if (!kmq_retained_is_begun(last)) {
		if (plan->flags & (MQMF_MSG_IN_GROUP | MQMF_SEGMENT |
				   MQMF_SEGMENTATION_ALLOWED))
			kmq_put_new_id(conn, plan);
		return MQRC_NONE;
	}
	reason = kmq_put_continues(last, plan);
	if (reason)
		return reason;
	kmq_put_same_id(plan, last->group_id);
	if (last->in_msg) {
		/* P-LOG-11 */
		if (last->next_offset + plan->length > KMQ_MAX_OFFSET)
			return MQRC_OFFSET_ERROR;
		plan->seq = last->seq;
		plan->offset = last->next_offset;
		return MQRC_NONE;
	}
	if (last->seq >= KMQ_MAX_SEQ)
		return MQRC_MSG_SEQ_NUMBER_ERROR;
	plan->seq = last->seq + 1;
	return MQRC_NONE;
}

/* P-INC-2: is it exactly the next piece? */
static bool kmq_put_fits(const struct kmq_retained *last,
			 const struct kmq_put_plan *plan)
{
	if (!plan->has_id || memcmp(plan->id, last->group_id, KMQ_ID_LEN))
		return false;
	if (last->in_msg)
		return kmq_put_is_segment(plan) && plan->seq == last->seq &&
		       plan->offset == last->next_offset &&
		       kmq_put_in_group(plan) == last->in_group;
	return kmq_put_in_group(plan) && plan->seq == last->seq + 1 &&
	       !plan->offset;
}

/* What a put without logical order does to a group begun with it. */
static u32 kmq_put_warning(const struct kmq_retained *last,
			   const struct kmq_put_plan *plan)
{
	if (!last->logical || !kmq_retained_is_begun(last))
		return MQRC_NONE;
	if (!kmq_put_fits(last, plan))
		return last->in_msg ? MQRC_INCOMPLETE_MSG :
				      MQRC_INCOMPLETE_GROUP;
	if (plan->persistent != last->persistence)
		return MQRC_INCONSISTENT_PERSISTENCE;
	if (plan->syncpoint != last->syncpoint)
		return MQRC_INCONSISTENT_UOW;
	return MQRC_NONE;
}

/* P-LOG-17: may a put without logical order go to the instance chosen? */
static u32 kmq_put_belongs(const struct kmq_retained *last,
			   const struct kmq_put_plan *plan)
{
	bool same_id = plan->has_id &&
		       !memcmp(plan->id, last->group_id, KMQ_ID_LEN);

	if (last->in_msg)
		return same_id && kmq_put_is_segment(plan) &&
		       kmq_put_in_group(plan) == last->in_group &&
		       plan->seq == last->seq ?
		       MQRC_NONE : MQRC_INCOMPLETE_MSG;
	return same_id && kmq_put_in_group(plan) ? MQRC_NONE :
						   MQRC_INCOMPLETE_GROUP;
}

/* The table of P-LOG-13. */
static void kmq_put_physical(struct kmq_conn *conn, struct kmq_put_plan *plan)
{
	if (!kmq_put_in_group(plan))
		plan->seq = 1;
	if (!kmq_put_is_segment(plan))
		plan->offset = 0;
	if (!(plan->flags & (MQMF_MSG_IN_GROUP | MQMF_SEGMENT |
			     MQMF_SEGMENTATION_ALLOWED)))
		return;
	if (plan->given_id && !kmq_id_is_null(plan->given_id))
		kmq_put_same_id(plan, plan->given_id);
	else
		kmq_put_new_id(conn, plan);
}

/**
 * kmq_put_group - choose the group fields of a put (line 12 of P-CHK-1)
 * @conn: connection, for new identifiers
 * @last: group information of the handle, NULL with MQPUT1
 * @plan: plan with flags and given fields; gets GroupId, sequence and offset
 *
 * Return: 0 or the reason why the put fails.
 */
u32 kmq_put_group(struct kmq_conn *conn, const struct kmq_retained *last,
		  struct kmq_put_plan *plan)
{
	if (plan->logical)
		return kmq_put_logical(conn, last, plan);
	kmq_put_physical(conn, plan);
	if (unlikely(plan->bound)) {
		u32 reason = kmq_put_belongs(last, plan);

		if (reason)
			return reason;
	}
	if (last)
		plan->group_warning = kmq_put_warning(last, plan);
	return MQRC_NONE;
}

/**
 * kmq_put_group_again - the same for a put that is otherwise like the last one
 * @handle: handle
 * @last: its group information, as the puts before this one leave it
 * @cmd: the put
 * @plan: set to what to store
 *
 * Return: false if it cannot be put like that, or the program must be told more.
 */
bool kmq_put_group_again(struct kmq_handle *handle,
			 const struct kmq_retained *last,
			 const struct kmq_put *cmd, struct kmq_put_plan *plan)
{
	struct kmq_md_ext ext kmq_uninit;
	bool given = cmd->present & KMQ_MD_GROUP && cmd->md_version > 1;

	if (given && kmq_words_from_user(&ext, u64_to_user_ptr(cmd->ext),
					 offsetof(struct kmq_md_ext, reply_q)))
		return false;
	*plan = handle->known_put.plan;
	plan->length = cmd->length;
	kmq_put_plan_group(plan, given ? &ext : NULL);
	if (kmq_put_check_group(plan, cmd->md.msg_type, false) ||
	    kmq_put_group(handle->conn, last, plan))
		return false;
	plan->given_id = NULL;
	return !plan->group_warning;
}

/**
 * kmq_put_retain - keep the group information of a successful put (P-LOG-6, -16)
 * @call: the call, not MQPUT1
 * @plan: what was stored
 */
void kmq_put_retain(struct kmq_put_call *call, const struct kmq_put_plan *plan)
{
	struct kmq_retained *last = &call->handle->put;
	bool segment = kmq_put_is_segment(plan);
	s32 length = plan->length;

	if (segment && call->cmd->md.msg_type == MQMT_REPORT)
		length = plan->original_length;
	kmq_retained_set_flags(last, plan->flags);
	last->logical = plan->logical;
	last->syncpoint = plan->syncpoint;
	last->persistence = plan->persistent;
	if (unlikely(call->dest))
		last->instance = call->dest->path[0]->uid;
	if (!plan->has_id)
		return;
	memcpy(last->group_id, plan->id, KMQ_ID_LEN);
	last->seq = plan->seq;
	last->next_offset = (s64)plan->offset + length;
}
