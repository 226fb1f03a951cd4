/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * model: which message a get is to return (get.md sections 5 to 8).
 */
#include "model.h"

/* --- visibility, marks, match options ------------------------------------- */

/* The setting that a get would apply to this message (G-UOW-1..3). */
bool model_under_syncpoint(const struct view *v, const struct message *msg)
{
	if (v->options & MQGMO_SYNCPOINT)
		return true;
	return (v->options & MQGMO_SYNCPOINT_IF_PERSISTENT) &&
	       msg->md.Persistence == MQPER_PERSISTENT;
}

/* G-MOD-4, M-STO-7, M-STO-8 */
bool model_visible(const struct view *v, const struct message *msg)
{
	if (msg->state == AVAILABLE)
		return msg->lock < 0 || msg->lock == v->handle;
	return msg->state == PUT_PENDING &&
	       msg->conn == v->m->h[v->handle].conn &&
	       v->removing && model_under_syncpoint(v, msg);
}

static bool is_co_op(const struct view *v)
{
	return v->m->h[v->handle].options & MQOO_CO_OP;
}

/* G-MRK-6 */
bool model_is_marked(const struct view *v, const struct message *msg)
{
	return msg->marked[v->handle] || (is_co_op(v) && msg->co_op);
}

/* A null identifier as match value means any (G-MAT-2). */
static bool id_matches(const MQBYTE *want, const MQBYTE *id)
{
	return model_all_zero(want, 24) || model_id_is(want, id);
}

static bool ids_match(const struct view *v, const struct message *msg)
{
	MQLONG mo = v->match;

	if ((mo & MQMO_MATCH_MSG_ID) &&
	    !id_matches(v->md->MsgId, msg->md.MsgId))
		return false;
	if ((mo & MQMO_MATCH_CORREL_ID) &&
	    !id_matches(v->md->CorrelId, msg->md.CorrelId))
		return false;
	if ((mo & MQMO_MATCH_GROUP_ID) &&
	    !id_matches(v->md->GroupId, msg->md.GroupId))
		return false;
	return !(mo & MQMO_MATCH_MSG_TOKEN) ||
	       !memcmp(v->token, msg->token, 16);
}

/* G-MAT-1 */
static bool matches(const struct view *v, const struct message *msg)
{
	if ((v->match & MQMO_MATCH_MSG_SEQ_NUMBER) &&
	    v->md->MsgSeqNumber != msg->md.MsgSeqNumber)
		return false;
	if ((v->match & MQMO_MATCH_OFFSET) && v->md->Offset != msg->md.Offset)
		return false;
	return ids_match(v, msg);
}

/* --- logical messages and groups ------------------------------------------ */

static bool is_report(const struct message *msg)
{
	return msg->md.MsgType == MQMT_REPORT;
}

/* M-SEG-2 */
MQLONG model_segment_length(const struct message *msg)
{
	if (is_report(msg) && model_is_segment(&msg->md))
		return msg->md.OriginalLength;
	return msg->len;
}

/* M-SEG-10, M-SEG-11: the first visible segment at an offset. */
static struct message *segment_at(const struct view *v,
				  const struct message *like, MQLONG offset,
				  bool feedback)
{
	struct message *s;

	for (s = v->m->first; s; s = s->next)
		if (model_is_segment(&s->md) && s->md.Offset == offset &&
		    model_id_is(s->md.GroupId, like->md.GroupId) &&
		    s->md.MsgSeqNumber == like->md.MsgSeqNumber &&
		    is_report(s) == is_report(like) &&
		    (!feedback || s->md.Feedback == like->md.Feedback) &&
		    model_visible(v, s))
			return s;
	return NULL;
}

/* M-SEG-3, G-CPL-13: follow the segments that begin with @first. */
static void follow(const struct view *v, struct message *first, bool feedback,
		   struct chain *c)
{
	struct message *s = first;

	c->n = 0;
	c->complete = false;
	while (s && c->n < MODEL_SEGMENTS) {
		c->seg[c->n++] = s;
		if (s->md.MsgFlags & MQMF_LAST_SEGMENT) {
			c->complete = true;
			return;
		}
		s = segment_at(v, first,
			       s->md.Offset + model_segment_length(s),
			       feedback);
	}
}

/* What COMPLETE_MSG puts together (G-RAS-1, G-RAS-8). */
void model_chain(const struct view *v, struct message *first, struct chain *c)
{
	if (!model_is_segment(&first->md)) {
		c->seg[0] = first;
		c->n = 1;
		c->complete = true;
		return;
	}
	follow(v, first, is_report(first), c);
}

/* G-CPL-1, G-CPL-8, G-CPL-11, G-CPL-12 */
static bool msg_complete(const struct view *v, struct message *msg)
{
	struct chain c;

	if (!model_is_segment(&msg->md))
		return true;
	follow(v, segment_at(v, msg, 0, false), false, &c);
	return c.complete;
}

/*
 * The last piece of the logical message with this number. There may be more
 * than one, say a message and segments: any that is complete will do.
 */
static struct message *last_of_member(const struct view *v, const MQBYTE *gid,
				      MQLONG seq)
{
	struct message *s;
	struct chain c;

	for (s = v->m->first; s; s = s->next) {
		if (!model_in_group(&s->md) || s->md.Offset ||
		    s->md.MsgSeqNumber != seq ||
		    !model_id_is(s->md.GroupId, gid) || !model_visible(v, s))
			continue;
		if (!model_is_segment(&s->md))
			return s;
		follow(v, segment_at(v, s, 0, false), false, &c);
		if (c.complete)
			return c.seg[c.n - 1];
	}
	return NULL;
}

/* M-GRP-4, M-GRP-5 */
static bool group_complete(const struct view *v, const MQBYTE *gid)
{
	struct message *last;
	MQLONG seq = 1;

	do {
		last = last_of_member(v, gid, seq++);
	} while (last && !(last->md.MsgFlags & MQMF_LAST_MSG_IN_GROUP));
	return last;
}

/* G-CPL-1..5, G-CPL-10, G-RAS-1; @cur is given in logical order only. */
static bool complete_enough(const struct view *v, struct message *msg,
			    const struct info *cur)
{
	MQLONG o = v->options;
	bool group = o & MQGMO_ALL_MSGS_AVAILABLE;
	bool segments = group || (o & MQGMO_ALL_SEGMENTS_AVAILABLE);
	struct chain c;

	if (cur && (cur->cur_group || cur->cur_msg))
		group = false;
	if (cur && cur->cur_msg)
		segments = false;
	if (group && model_in_group(&msg->md) &&
	    !group_complete(v, msg->md.GroupId))
		return false;
	/* COMPLETE_MSG implies it in its own way (G-CPL-3, G-CPL-11). */
	if (!(o & MQGMO_COMPLETE_MSG))
		return !segments || msg_complete(v, msg);
	if (msg->md.Offset)
		return false;
	model_chain(v, msg, &c);
	return c.complete;
}

/* --- selection ------------------------------------------------------------ */

/* Rows 2 to 4 of G-ORD-5, with the flags of G-ORD-6. */
static bool is_next(const struct info *i, const struct message *msg)
{
	if (!model_id_is(msg->md.GroupId, i->gid))
		return false;
	if (i->cur_group && !model_in_group(&msg->md))
		return false;
	if (!i->cur_msg)
		return msg->md.MsgSeqNumber == i->seq + 1 && !msg->md.Offset;
	return model_is_segment(&msg->md) && is_report(msg) == i->report &&
	       msg->md.MsgSeqNumber == i->seq && msg->md.Offset == i->next;
}

/* G-ORD-6, G-ORD-25 */
struct message *model_next_item(const struct view *v, const struct info *i)
{
	struct message *msg;

	for (msg = v->m->first; msg; msg = msg->next)
		if (is_next(i, msg) && model_visible(v, msg))
			return msg;
	return NULL;
}

/*
 * G-ORD-6, G-ORD-7, G-MAT-6. Of several such items the first candidate counts
 * (G-SEL-1): one that is not complete enough does not stand in the way.
 */
static struct message *scan_current(const struct view *v,
				    const struct info *cur, MQLONG *reason)
{
	struct message *msg;

	for (msg = v->m->first; msg; msg = msg->next)
		if (is_next(cur, msg) && model_visible(v, msg) &&
		    complete_enough(v, msg, cur))
			break;
	if (!msg) {
		*reason = MQRC_NO_MSG_AVAILABLE;
		return NULL;
	}
	if (!matches(v, msg)) {
		*reason = MQRC_MATCH_OPTIONS_ERROR;
		return NULL;
	}
	return msg;
}

/* G-SEL-2 without marks; first items only if @cur is given (G-ORD-8). */
static bool is_candidate(const struct view *v, struct message *msg,
			 const struct info *cur)
{
	if (!model_visible(v, msg))
		return false;
	if (!cur)
		return matches(v, msg) && complete_enough(v, msg, NULL);
	return msg->md.MsgSeqNumber == 1 && !msg->md.Offset &&
	       ids_match(v, msg) && complete_enough(v, msg, cur);
}

/*
 * Scanning gets: the first candidate in physical order after @after. @cur is
 * the retained information in logical order, NULL in physical order.
 */
struct message *model_scan(const struct view *v, const struct info *cur,
			   const struct key *after, MQLONG *reason)
{
	struct message *msg;

	if (cur && (cur->cur_group || cur->cur_msg))
		return scan_current(v, cur, reason);
	*reason = MQRC_NO_MSG_AVAILABLE;
	for (msg = v->m->first; msg; msg = msg->next) {
		if (!model_after(msg, after) || !is_candidate(v, msg, cur))
			continue;
		if (!(v->options & MQGMO_UNMARKED_BROWSE_MSG) ||
		    !model_is_marked(v, msg))
			return msg;
		/* G-CUR-4 */
		if ((v->match & MQMO_MATCH_MSG_TOKEN) && is_co_op(v) &&
		    msg->co_op)
			*reason = MQRC_MSG_MARKED_BROWSE_CO_OP;
	}
	return NULL;
}
