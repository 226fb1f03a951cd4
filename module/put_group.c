// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT: groups and segments (put.md section 6). Which GroupId, MsgSeqNumber and
 * Offset a message gets, and whether it fits what the handle has begun.
 */
#include <linux/string.h>
#include "call.h"
#include "limits.h"
#include "put.h"
#include "qmgr.h"
#include "queue.h"
#include "resolve.h"
#include "store.h"

static bool kmq_put_in_group(const struct kmq_put_plan *plan)
{
	return plan->flags & MQMF_MSG_IN_GROUP;
}

static bool kmq_put_is_segment(const struct kmq_put_plan *plan)
{
	return plan->flags & MQMF_SEGMENT;
}

static void kmq_put_new_id(const struct kmq_put_call *call,
			   struct kmq_put_plan *plan)
{
	kmq_conn_new_id(call->conn, plan->id);
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
static u32 kmq_put_logical(struct kmq_put_call *call, struct kmq_put_plan *plan)
{
	const struct kmq_retained *last = &call->handle->put;
	u32 reason;

	plan->seq = 1;
	plan->offset = 0;
	if (!last->in_group && !last->in_msg) {
		if (plan->flags & (MQMF_MSG_IN_GROUP | MQMF_SEGMENT |
				   MQMF_SEGMENTATION_ALLOWED))
			kmq_put_new_id(call, plan);
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
	if (!last->logical || (!last->in_group && !last->in_msg))
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
static void kmq_put_physical(struct kmq_put_call *call,
			     struct kmq_put_plan *plan)
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
		kmq_put_new_id(call, plan);
}

/**
 * kmq_put_group - choose the group fields of a put (line 12 of P-CHK-1)
 * @call: the call
 * @plan: plan with flags and given fields; gets GroupId, sequence and offset
 *
 * Return: 0 or the reason why the put fails.
 */
u32 kmq_put_group(struct kmq_put_call *call, struct kmq_put_plan *plan)
{
	if (plan->logical) {
		if (call->cmd->md_version < 2)
			return MQRC_WRONG_MD_VERSION;
		return kmq_put_logical(call, plan);
	}
	kmq_put_physical(call, plan);
	if (unlikely(plan->bound)) {
		u32 reason = kmq_put_belongs(&call->handle->put, plan);

		if (reason)
			return reason;
	}
	if (call->handle)
		plan->group_warning = kmq_put_warning(&call->handle->put, plan);
	return MQRC_NONE;
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
	last->in_msg = segment && !(plan->flags & MQMF_LAST_SEGMENT);
	last->in_group = kmq_put_in_group(plan) &&
			 (!(plan->flags & MQMF_LAST_MSG_IN_GROUP) ||
			  last->in_msg);
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
