// SPDX-License-Identifier: GPL-2.0
/*
 * MQGET: from the options to the question the queue is asked (get.md sections 5
 * to 9).
 */
#include "get.h"
#include "queue.h"

/* The conditions that match options put on a scanning get (G-MAT-1, G-MAT-2). */
static void kmq_get_want_match(struct kmq_getting *get)
{
	const struct kmq_get *cmd = get->call->cmd;
	const struct kmq_md_ext *ext = get->call->ext;
	struct kmq_search *want = &get->take.want;
	u32 match = get->match;

	if (match & MQMO_MATCH_MSG_ID && !kmq_id_is_null(cmd->md.msg_id)) {
		want->flags |= KMQ_WANT_MSG_ID;
		want->msg_id = cmd->md.msg_id;
	}
	if (match & MQMO_MATCH_CORREL_ID && !kmq_id_is_null(cmd->md.correl_id)) {
		want->flags |= KMQ_WANT_CORREL_ID;
		want->correl_id = cmd->md.correl_id;
	}
	if (match & MQMO_MATCH_GROUP_ID && !kmq_id_is_null(ext->group_id)) {
		want->flags |= KMQ_WANT_GROUP_ID;
		want->group_id = ext->group_id;
	}
	if (match & MQMO_MATCH_MSG_SEQ_NUMBER && !get->logical) {
		want->flags |= KMQ_WANT_SEQ;
		want->seq = ext->msg_seq_number;
	}
	if (match & MQMO_MATCH_OFFSET && !get->logical) {
		want->flags |= KMQ_WANT_OFFSET;
		want->offset = ext->offset;
	}
	if (match & MQMO_MATCH_MSG_TOKEN) {
		want->flags |= KMQ_WANT_KEY;
		want->token_key = kmq_token_key(cmd->token,
						get->call->handle->queue->uid);
	}
}

/* The next item of the current group or message (G-ORD-5, G-ORD-6, M-SEG-11). */
static void kmq_get_want_next(const struct kmq_retained *last,
			      struct kmq_search *want)
{
	want->flags |= KMQ_WANT_GROUP_ID | KMQ_WANT_SEQ | KMQ_WANT_OFFSET;
	want->group_id = last->group_id;
	want->seq = last->in_msg ? last->seq : last->seq + 1;
	want->offset = last->in_msg ? last->next_offset : 0;
	want->need_flags = (last->in_group ? MQMF_MSG_IN_GROUP : 0) |
			   (last->in_msg ? MQMF_SEGMENT : 0);
	if (last->in_msg) {
		want->flags |= KMQ_WANT_KIND;
		want->report = last->report;
	}
	want->from = 0;
}

/* G-CPL-1..6, G-CPL-10 */
static void kmq_get_want_complete(u32 options, bool continuing, bool in_msg,
				  struct kmq_search *want)
{
	if (options & MQGMO_ALL_MSGS_AVAILABLE && !continuing)
		want->min_level = KMQ_LEVEL_GROUP;
	else if (options & (MQGMO_ALL_MSGS_AVAILABLE |
			    MQGMO_ALL_SEGMENTS_AVAILABLE) && !in_msg)
		want->min_level = KMQ_LEVEL_SEGMENTS;
	if (!(options & MQGMO_COMPLETE_MSG))
		return;
	want->flags |= KMQ_WANT_WHOLE;
	want->min_level = max_t(u32, want->min_level, KMQ_LEVEL_SEGMENTS);
}

/**
 * kmq_get_want_order - which place in a group or logical message a get is after
 * @options: MQGMO_*
 * @last: what the handle keeps of the group it is in
 * @continuing: it goes on with that one
 * @want: gets these conditions in addition
 */
void kmq_get_want_order(u32 options, const struct kmq_retained *last,
			bool continuing, struct kmq_search *want)
{
	if (continuing)
		kmq_get_want_next(last, want);
	else if (options & MQGMO_LOGICAL_ORDER)
		want->flags |= KMQ_WANT_HEAD;
	kmq_get_want_complete(options, continuing, continuing && last->in_msg,
			      want);
}

/* G-MRK-6; with a token the mark is looked at when the message is known. */
static void kmq_get_want_unmarked(struct kmq_getting *get)
{
	struct kmq_handle *handle = get->call->handle;
	struct kmq_search *want = &get->take.want;

	if (!(get->call->cmd->options & MQGMO_UNMARKED_BROWSE_MSG) ||
	    want->flags & KMQ_WANT_KEY)
		return;
	want->flags |= KMQ_WANT_UNMARKED;
	want->unmarked_for = handle;
	if (handle->may & KMQ_CO_OP)
		want->flags |= KMQ_WANT_NO_CO_OP;
}

/* What a scanning get looks for. */
static void kmq_get_want_scan(struct kmq_getting *get)
{
	const struct kmq_handle *handle = get->call->handle;
	struct kmq_search *want = &get->take.want;

	if (get->call->cmd->options & MQGMO_BROWSE_NEXT)
		want->from = (get->logical ? handle->anchor :
					     handle->cursor) + 1;
	if (!get->continuing)
		kmq_get_want_match(get);
	kmq_get_want_order(get->call->cmd->options, kmq_get_retained(get),
			   get->continuing, want);
	kmq_get_want_unmarked(get);
}

/* The message under the cursor, whatever else was said (G-CUR, G-MAT-3). */
static void kmq_get_want_cursor(struct kmq_getting *get)
{
	struct kmq_search *want = &get->take.want;

	want->flags = KMQ_WANT_KEY;
	want->token_key = get->call->handle->cursor;
}

/**
 * kmq_get_want - say which message a get is after
 * @get: the get, prepared
 */
void kmq_get_want(struct kmq_getting *get)
{
	if (get->cursor)
		kmq_get_want_cursor(get);
	else
		kmq_get_want_scan(get);
}
