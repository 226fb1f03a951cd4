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
#include "store.h"

#define KMQ_MF_KNOWN	(MQMF_SEGMENTATION_ALLOWED | MQMF_SEGMENT | \
			 MQMF_LAST_SEGMENT | MQMF_MSG_IN_GROUP | \
			 MQMF_LAST_MSG_IN_GROUP)
#define KMQ_MF_KEPT	0xfff00000U	/* ACCEPT_UNSUP mask, P-MD-6 */
#define KMQ_MF_IF_XMIT	0x000ff000U	/* ACCEPT_UNSUP_IF_XMIT mask */

static bool kmq_put_in_group(const struct kmq_put_item *item)
{
	return item->flags & MQMF_MSG_IN_GROUP;
}

static bool kmq_put_is_segment(const struct kmq_put_item *item)
{
	return item->flags & MQMF_SEGMENT;
}

/**
 * kmq_put_item_given - take over the group fields that a put gives
 * @item: gets them
 * @length: bytes of data
 * @ext: the GROUP part, which must stay until kmq_put_group(); NULL: none is given
 */
void kmq_put_item_given(struct kmq_put_item *item, s32 length,
			const struct kmq_md_ext *ext)
{
	item->length = length;
	item->warning = MQRC_NONE;
	item->has_id = false;
	item->seq = ext ? ext->msg_seq_number : 1;
	item->offset = ext ? ext->offset : 0;
	item->flags = ext ? ext->msg_flags : 0;
	item->original_length = ext ? ext->original_length : MQOL_UNDEFINED;
	item->given_id = ext ? ext->group_id : NULL;
	/* M-FLG-1, P-MD-7 */
	if (item->flags & MQMF_LAST_MSG_IN_GROUP)
		item->flags |= MQMF_MSG_IN_GROUP;
	if (item->flags & MQMF_LAST_SEGMENT)
		item->flags |= MQMF_SEGMENT;
}

/**
 * kmq_put_check_group - MsgFlags to OriginalLength, and the segment length (line 11)
 * @plan: what is known of the put besides
 * @item: its group fields as given
 * @msg_type: MsgType
 *
 * Return: 0 or the reason.
 */
u32 kmq_put_check_group(const struct kmq_put_plan *plan,
			const struct kmq_put_item *item, s32 msg_type)
{
	u32 kept = plan->steps & KMQ_PUT_REMOTE ?
		   KMQ_MF_KEPT | KMQ_MF_IF_XMIT : KMQ_MF_KEPT;
	u32 flags = item->flags;
	bool segment = flags & MQMF_SEGMENT;
	bool last = flags & MQMF_LAST_SEGMENT;

	if (flags & ~(KMQ_MF_KNOWN | kept))
		return MQRC_MSG_FLAGS_ERROR;
	if (likely(!(flags & KMQ_MF_KNOWN)))
		return MQRC_NONE;
	if (!plan->logical && flags & MQMF_MSG_IN_GROUP &&
	    (item->seq < 1 || item->seq > KMQ_MAX_SEQ))
		return MQRC_MSG_SEQ_NUMBER_ERROR;
	if (!plan->logical && segment &&
	    (item->offset < 0 ||
	     (s64)item->offset + item->length > KMQ_MAX_OFFSET))
		return MQRC_OFFSET_ERROR;
	if (segment && msg_type == MQMT_REPORT &&
	    (item->original_length < (last ? 0 : 1) ||
	     item->original_length < item->length))
		return MQRC_ORIGINAL_LENGTH_ERROR;
	if (segment && !last && !item->length)
		return MQRC_SEGMENT_LENGTH_ZERO;
	return MQRC_NONE;
}

static void kmq_put_new_id(struct kmq_conn *conn, struct kmq_put_item *item)
{
	kmq_conn_new_id(conn, item->id);
	item->has_id = true;
}

static void kmq_put_same_id(struct kmq_put_item *item, const u8 *id)
{
	memcpy(item->id, id, KMQ_ID_LEN);
	item->has_id = true;
}

/* P-LOG-7, P-LOG-9, P-LOG-10: does it go on with what was begun? */
static u32 kmq_put_continues(const struct kmq_retained *last,
			     const struct kmq_put_plan *plan,
			     const struct kmq_put_item *item)
{
	if (last->in_msg && (!kmq_put_is_segment(item) ||
			     kmq_put_in_group(item) != last->in_group))
		return MQRC_INCOMPLETE_MSG;
	if (!last->in_msg && !kmq_put_in_group(item))
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
			   const struct kmq_put_plan *plan,
			   struct kmq_put_item *item)
{
	u32 reason;

	item->seq = 1;
	item->offset = 0;
	if (!kmq_retained_is_begun(last)) {
		if (item->flags & (MQMF_MSG_IN_GROUP | MQMF_SEGMENT |
				   MQMF_SEGMENTATION_ALLOWED))
			kmq_put_new_id(conn, item);
		return MQRC_NONE;
	}
	reason = kmq_put_continues(last, plan, item);
	if (reason)
		return reason;
	kmq_put_same_id(item, last->group_id);
	if (last->in_msg) {
		/* P-LOG-11 */
		if (last->next_offset + item->length > KMQ_MAX_OFFSET)
			return MQRC_OFFSET_ERROR;
		item->seq = last->seq;
		item->offset = last->next_offset;
		return MQRC_NONE;
	}
	if (last->seq >= KMQ_MAX_SEQ)
		return MQRC_MSG_SEQ_NUMBER_ERROR;
	item->seq = last->seq + 1;
	return MQRC_NONE;
}

/* P-INC-2: is it exactly the next piece? */
static bool kmq_put_fits(const struct kmq_retained *last,
			 const struct kmq_put_item *item)
{
	if (!item->has_id || memcmp(item->id, last->group_id, KMQ_ID_LEN))
		return false;
	if (last->in_msg)
		return kmq_put_is_segment(item) && item->seq == last->seq &&
		       item->offset == last->next_offset &&
		       kmq_put_in_group(item) == last->in_group;
	return kmq_put_in_group(item) && item->seq == last->seq + 1 &&
	       !item->offset;
}

/* What a put without logical order does to a group begun with it. */
static u32 kmq_put_warning(const struct kmq_retained *last,
			   const struct kmq_put_plan *plan,
			   const struct kmq_put_item *item)
{
	if (!last->logical || !kmq_retained_is_begun(last))
		return MQRC_NONE;
	if (!kmq_put_fits(last, item))
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
			   const struct kmq_put_item *item)
{
	bool same_id = item->has_id &&
		       !memcmp(item->id, last->group_id, KMQ_ID_LEN);

	if (last->in_msg)
		return same_id && kmq_put_is_segment(item) &&
		       kmq_put_in_group(item) == last->in_group &&
		       item->seq == last->seq ?
		       MQRC_NONE : MQRC_INCOMPLETE_MSG;
	return same_id && kmq_put_in_group(item) ? MQRC_NONE :
						   MQRC_INCOMPLETE_GROUP;
}

/* The table of P-LOG-13. */
static void kmq_put_physical(struct kmq_conn *conn, struct kmq_put_item *item)
{
	if (!kmq_put_in_group(item))
		item->seq = 1;
	if (!kmq_put_is_segment(item))
		item->offset = 0;
	if (!(item->flags & (MQMF_MSG_IN_GROUP | MQMF_SEGMENT |
			     MQMF_SEGMENTATION_ALLOWED)))
		return;
	if (item->given_id && !kmq_id_is_null(item->given_id))
		kmq_put_same_id(item, item->given_id);
	else
		kmq_put_new_id(conn, item);
}

/**
 * kmq_put_group - choose the group fields of a put (line 12 of P-CHK-1)
 * @conn: connection, for new identifiers
 * @last: group information of the handle as the puts before this one leave it, NULL
 *	with MQPUT1
 * @plan: what is known of the put besides
 * @item: flags and given fields; gets GroupId, sequence and offset
 *
 * Return: 0 or the reason why the put fails.
 */
u32 kmq_put_group(struct kmq_conn *conn, const struct kmq_retained *last,
		  const struct kmq_put_plan *plan, struct kmq_put_item *item)
{
	if (plan->logical)
		return kmq_put_logical(conn, last, plan, item);
	kmq_put_physical(conn, item);
	if (unlikely(item->bound)) {
		u32 reason = kmq_put_belongs(last, item);

		if (reason)
			return reason;
	}
	if (last)
		item->warning = kmq_put_warning(last, plan, item);
	return MQRC_NONE;
}

/**
 * kmq_put_retain - the group information that a put leaves (P-LOG-6, P-LOG-16)
 * @last: group information, from before it
 * @plan: what is known of the put
 * @item: its group fields
 */
void kmq_put_retain(struct kmq_retained *last, const struct kmq_put_plan *plan,
		    const struct kmq_put_item *item)
{
	s32 length = item->length;

	/* M-SEG-2: a report stands for what it is about. */
	if (kmq_put_is_segment(item) && plan->stored.msg_type == MQMT_REPORT)
		length = item->original_length;
	kmq_retained_set_flags(last, item->flags);
	last->logical = plan->logical;
	last->syncpoint = plan->syncpoint;
	last->persistence = plan->persistent;
	if (!item->has_id)
		return;
	memcpy(last->group_id, item->id, KMQ_ID_LEN);
	last->seq = item->seq;
	last->next_offset = (s64)item->offset + length;
}
