/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * model: MQGET (get.md), checks in the order of its section 4.
 */
#include "model.h"

#define BROWSES		(MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT | \
			 MQGMO_BROWSE_MSG_UNDER_CURSOR)
#define CURSOR_GETS	(MQGMO_BROWSE_MSG_UNDER_CURSOR | \
			 MQGMO_MSG_UNDER_CURSOR)
#define MARKS		(MQGMO_MARK_BROWSE_HANDLE | MQGMO_MARK_BROWSE_CO_OP | \
			 MQGMO_UNMARK_BROWSE_HANDLE | \
			 MQGMO_UNMARK_BROWSE_CO_OP)
#define OO_INPUT	(MQOO_INPUT_AS_Q_DEF | MQOO_INPUT_SHARED | \
			 MQOO_INPUT_EXCLUSIVE)
#define MDE_LENGTH	72

/* A get under way. */
struct get {
	struct model *m;
	struct get_call *c;
	struct handle *h;
	struct view v;
	bool browse, cursor, logical;
	struct chain found;	/* what is returned: first segment, or all */
	bool run_only;		/* a leading run (G-RAS-7) */
	MQLONG run_warning;
	bool sync;		/* setting applied */
	MQMD md;		/* as returned */
	MQLONG data_len;	/* without MQMDE */
	bool mde, too_small, stays;
};

/* --- lines 4 to 14: the call itself --------------------------------------- */

static bool bad_browse_options(MQLONG o)
{
	MQLONG cursor = o & (BROWSES | MQGMO_MSG_UNDER_CURSOR);
	MQLONG browse = o & BROWSES;

	if (cursor & (cursor - 1))
		return true;				/* G-OPT-3 */
	if ((o & MQGMO_SYNCPOINT) &&
	    (browse || (o & (MQGMO_LOCK | MQGMO_UNLOCK))))
		return true;				/* G-OPT-4 */
	if ((o & MQGMO_SYNCPOINT_IF_PERSISTENT) &&
	    (browse || (o & (MQGMO_COMPLETE_MSG | MQGMO_LOCK | MQGMO_UNLOCK))))
		return true;				/* G-OPT-5 */
	if ((o & MQGMO_LOCK) && !browse)
		return true;				/* G-OPT-8 */
	return (o & MQGMO_UNLOCK) &&
	       (o & ~(MQGMO_UNLOCK | MQGMO_NO_SYNCPOINT));	/* G-OPT-9 */
}

static bool bad_mark_options(const struct handle *h, MQLONG o)
{
	const MQLONG never = MQGMO_ALL_MSGS_AVAILABLE |
		MQGMO_ALL_SEGMENTS_AVAILABLE | MQGMO_COMPLETE_MSG |
		MQGMO_LOCK | MQGMO_LOGICAL_ORDER | MQGMO_UNLOCK;

	if ((o & MARKS) && !(o & BROWSES))
		return true;				/* G-OPT-10 */
	if ((o & (MARKS | MQGMO_UNMARKED_BROWSE_MSG)) && (o & never))
		return true;
	if ((o & MQGMO_UNMARK_BROWSE_CO_OP) &&
	    (o & (MQGMO_MARK_BROWSE_CO_OP | MQGMO_UNMARKED_BROWSE_MSG)))
		return true;				/* G-OPT-11 */
	if ((o & MQGMO_UNMARK_BROWSE_HANDLE) &&
	    (o & (MQGMO_MARK_BROWSE_HANDLE | MQGMO_UNMARKED_BROWSE_MSG)))
		return true;
	return (o & (MQGMO_MARK_BROWSE_CO_OP | MQGMO_UNMARK_BROWSE_CO_OP)) &&
	       !(h->options & MQOO_CO_OP);		/* G-OPT-12 */
}

/* G-OPT-1..13 */
static bool bad_options(const struct handle *h, MQLONG o)
{
	MQLONG sync = o & (MQGMO_SYNCPOINT | MQGMO_NO_SYNCPOINT |
			   MQGMO_SYNCPOINT_IF_PERSISTENT);
	MQLONG prop = o & (MQGMO_PROPERTIES_FORCE_MQRFH2 |
			   MQGMO_NO_PROPERTIES | MQGMO_PROPERTIES_IN_HANDLE |
			   MQGMO_PROPERTIES_COMPATIBILITY);

	return (o & ~0x1ff7ffff) || (sync & (sync - 1)) ||
	       (prop & (prop - 1)) || bad_browse_options(o) ||
	       ((o & MQGMO_MARK_SKIP_BACKOUT) && !(o & MQGMO_SYNCPOINT)) ||
	       ((o & MQGMO_WAIT) && (o & MQGMO_SET_SIGNAL)) ||
	       bad_mark_options(h, o);
}

/* G-OPN-2 */
static MQLONG check_open(const struct get *g, MQLONG o)
{
	bool wants_browse = g->browse || (o & MQGMO_MSG_UNDER_CURSOR);

	if (wants_browse && !(g->h->options & MQOO_BROWSE))
		return MQRC_NOT_OPEN_FOR_BROWSE;
	if (!g->browse && !(g->h->options & OO_INPUT))
		return MQRC_NOT_OPEN_FOR_INPUT;
	return 0;
}

/* Lines 9 and 10: G-OPT-15..17, G-MAT-9 */
static MQLONG check_match(const struct get *g, MQLONG o)
{
	const MQLONG v2 = MQMO_MATCH_GROUP_ID | MQMO_MATCH_MSG_SEQ_NUMBER |
			  MQMO_MATCH_OFFSET;
	MQLONG gmo = g->c->gmo->Version, md = g->c->md->Version;
	MQLONG mo = g->v.match;

	if (g->logical && gmo < 2)
		return MQRC_WRONG_GMO_VERSION;
	if ((mo & MQMO_MATCH_MSG_TOKEN) && gmo < 3)
		return MQRC_WRONG_GMO_VERSION;
	if ((g->logical || (mo & v2)) && md < 2)
		return MQRC_WRONG_MD_VERSION;
	if (mo & ~0x3f)
		return MQRC_MATCH_OPTIONS_ERROR;
	if ((mo & MQMO_MATCH_MSG_TOKEN) &&
	    (o & (MQGMO_WAIT | MQGMO_SET_SIGNAL)))
		return MQRC_MSG_TOKEN_ERROR;
	return 0;
}

/* Lines 11 to 14 */
static MQLONG check_buffers(const struct get *g, MQLONG o)
{
	struct get_call *c = g->c;

	if (!g->cursor && (o & (MQGMO_WAIT | MQGMO_SET_SIGNAL)) &&
	    c->gmo->WaitInterval < -1)
		return MQRC_WAIT_INTERVAL_ERROR;
	if (o & MQGMO_PROPERTIES_IN_HANDLE)
		return MQRC_HMSG_ERROR;
	if (c->len < 0)
		return MQRC_BUFFER_LENGTH_ERROR;
	if (c->len && !c->buf)
		return MQRC_BUFFER_ERROR;
	return c->data_len ? 0 : MQRC_DATA_LENGTH_ERROR;
}

static MQLONG check_call(struct get *g, MQLONG o)
{
	MQLONG reason = check_open(g, o);

	if (reason)
		return reason;
	if (!g->c->md || memcmp(g->c->md->StrucId, MQMD_STRUC_ID, 4) ||
	    g->c->md->Version < 1 || g->c->md->Version > 2)
		return MQRC_MD_ERROR;
	reason = check_match(g, o);
	return reason ? reason : check_buffers(g, o);
}

/* --- lines 18 to 21: state ------------------------------------------------ */

/* The retained information that a scanning get in logical order goes by. */
static const struct info *current(const struct get *g)
{
	static const struct info none;

	if (!g->logical)
		return NULL;
	if (!g->browse)
		return &g->h->get;
	return g->v.options & MQGMO_BROWSE_FIRST ? &none : &g->h->browse;
}

static bool has_current(const struct info *i)
{
	return i && (i->cur_group || i->cur_msg);
}

static MQLONG check_state(const struct get *g, MQLONG o)
{
	const struct conn *c = &g->m->c[g->h->conn];
	const struct info *cur = current(g);
	bool sync = o & MQGMO_SYNCPOINT;

	if (g->m->inhibit_get)
		return MQRC_GET_INHIBITED;
	if ((o & MQGMO_MARK_SKIP_BACKOUT) && c->skip_used)
		return MQRC_SECOND_MARK_NOT_ALLOWED;
	if (sync && c->count + 1 > g->m->max_uncommitted)
		return MQRC_SYNCPOINT_LIMIT_REACHED;
	if (g->cursor)
		return 0;
	if ((o & MQGMO_BROWSE_NEXT) && g->h->mode != UNSET &&
	    (g->h->mode == LOGICAL) != g->logical)
		return MQRC_INCONSISTENT_BROWSE;
	if (!g->browse && has_current(cur) &&
	    !(o & MQGMO_SYNCPOINT_IF_PERSISTENT) && cur->sync != sync)
		return MQRC_INCONSISTENT_UOW;
	if (g->logical && !has_current(cur) &&
	    (((g->v.match & MQMO_MATCH_MSG_SEQ_NUMBER) &&
	      g->c->md->MsgSeqNumber != 1) ||
	     ((g->v.match & MQMO_MATCH_OFFSET) && g->c->md->Offset)))
		return MQRC_MATCH_OPTIONS_ERROR;
	return 0;
}

/* --- lines 22 to 24: the message ------------------------------------------ */

static struct message *at_cursor(const struct get *g)
{
	struct message *msg;

	if (!g->h->cursor.set)
		return NULL;
	for (msg = g->m->first; msg; msg = msg->next)
		if (msg->key.arrival == g->h->cursor.arrival)
			return model_visible(&g->v, msg) ? msg : NULL;
	return NULL;
}

/* G-CUR, G-RAS-11 */
static struct message *under_cursor(const struct get *g, MQLONG *reason)
{
	struct message *msg = at_cursor(g);
	MQLONG o = g->v.options;
	struct chain c;

	*reason = MQRC_NO_MSG_UNDER_CURSOR;
	if (!msg)
		return NULL;
	if ((o & MQGMO_UNMARKED_BROWSE_MSG) && model_is_marked(&g->v, msg)) {
		if ((g->h->options & MQOO_CO_OP) && msg->co_op)
			*reason = MQRC_MSG_MARKED_BROWSE_CO_OP;
		return NULL;
	}
	if (!(o & MQGMO_COMPLETE_MSG))
		return msg;
	if (msg->md.Offset) {
		*reason = MQRC_INVALID_MSG_UNDER_CURSOR;
		return NULL;
	}
	model_chain(&g->v, msg, &c);
	return c.complete ? msg : NULL;
}

static struct message *select_message(const struct get *g, MQLONG *reason)
{
	const struct key *after = NULL;

	if (g->cursor)
		return under_cursor(g, reason);
	if (g->v.options & MQGMO_BROWSE_NEXT)
		after = g->logical ? &g->h->anchor : &g->h->cursor;
	return model_scan(&g->v, current(g), after, reason);
}

/* G-RAS-7, G-RAS-13: cut the chain where it stops to be uniform. */
static void leading_run(struct get *g)
{
	const MQMD *first = &g->found.seg[0]->md;
	int i;

	for (i = 1; i < g->found.n; i++) {
		const MQMD *md = &g->found.seg[i]->md;

		if (md->CodedCharSetId == first->CodedCharSetId &&
		    md->Encoding == first->Encoding)
			continue;
		g->run_warning = md->CodedCharSetId != first->CodedCharSetId ?
				 MQRC_INCONSISTENT_CCSIDS :
				 MQRC_INCONSISTENT_ENCODINGS;
		g->run_only = true;
		g->found.n = i;
		return;
	}
}

/* Line 24 */
static MQLONG check_message(struct get *g, struct message *msg)
{
	const struct conn *c = &g->m->c[g->h->conn];
	const struct info *cur = current(g);
	MQLONG o = g->v.options;

	g->sync = !g->browse && model_under_syncpoint(&g->v, msg);
	if (!g->browse && !g->cursor && has_current(cur) &&
	    cur->sync != g->sync)
		return MQRC_INCONSISTENT_UOW;		/* G-UOW-4 */
	g->found.n = 1;
	g->found.seg[0] = msg;
	if (o & MQGMO_COMPLETE_MSG)
		model_chain(&g->v, msg, &g->found);
	if (g->found.n > 1 && !g->browse && !g->sync && c->uow &&
	    msg->md.Persistence)
		return MQRC_UOW_NOT_AVAILABLE;		/* G-RAS-4, -14, -15 */
	if ((o & MQGMO_MARK_BROWSE_CO_OP) &&
	    !(o & MQGMO_UNMARKED_BROWSE_MSG) && msg->co_op)
		return MQRC_MSG_MARKED_BROWSE_CO_OP;	/* G-MRK-5 */
	leading_run(g);
	if (g->sync && c->count + g->found.n > g->m->max_uncommitted)
		return MQRC_SYNCPOINT_LIMIT_REACHED;	/* G-UOW-10 */
	return 0;
}

/* --- line 25: what is returned -------------------------------------------- */

/* G-RAS-2, G-RAS-7, G-RAS-16 */
static void describe(struct get *g)
{
	struct message *first = g->found.seg[0];

	g->md = first->md;
	if (!(g->v.options & MQGMO_COMPLETE_MSG) || !model_is_segment(&g->md) ||
	    g->run_only)
		return;
	g->md.MsgFlags |= MQMF_SEGMENT | MQMF_LAST_SEGMENT;
	g->md.OriginalLength = MQOL_UNDEFINED;
}

/* G-RAS-2, G-RAS-9: each at its offset, ending with the last byte there is. */
static MQLONG assemble(const struct get *g, unsigned char *to, MQLONG room)
{
	MQLONG total = 0, at, n;
	int i;

	if (to)
		memset(to, 0, room);
	for (i = 0; i < g->found.n; i++) {
		const struct message *s = g->found.seg[i];

		at = s->md.Offset - g->found.seg[0]->md.Offset;
		if (s->len && at + s->len > total)
			total = at + s->len;
		n = at + s->len > room ? room - at : s->len;
		if (to && n > 0)
			memcpy(to + at, s->data, n);
	}
	return total;
}

/* M-MDE-4 */
static bool needs_mde(const struct get *g)
{
	const MQMD *md = &g->md;

	return g->c->md->Version < 2 &&
	       (!model_all_zero(md->GroupId, 24) || md->MsgSeqNumber != 1 ||
		md->Offset || md->MsgFlags ||
		md->OriginalLength != MQOL_UNDEFINED);
}

static void fill_mde(struct get *g, MQMDE *mde)
{
	*mde = (MQMDE){ MQMDE_DEFAULT };
	mde->Encoding = g->md.Encoding;
	mde->CodedCharSetId = g->md.CodedCharSetId;
	memcpy(mde->Format, g->md.Format, 8);
	memcpy(mde->GroupId, g->md.GroupId, 24);
	mde->MsgSeqNumber = g->md.MsgSeqNumber;
	mde->Offset = g->md.Offset;
	mde->MsgFlags = g->md.MsgFlags;
	mde->OriginalLength = g->md.OriginalLength;
	g->md.Encoding = MQENC_NATIVE;
	g->md.CodedCharSetId = g->m->ccsid;
	memcpy(g->md.Format, MQFMT_MD_EXTENSION, 8);
}

static void return_data(struct get *g)
{
	MQLONG head = g->mde ? MDE_LENGTH : 0, total = head + g->data_len;
	MQLONG n = total < g->c->len ? total : g->c->len;
	unsigned char all[head + g->data_len + 1];
	MQMDE mde;

	assemble(g, all + head, g->data_len);
	if (g->mde) {
		fill_mde(g, &mde);
		memcpy(all, &mde, MDE_LENGTH);
	}
	if (n)
		memcpy(g->c->buf, all, n);
	*g->c->data_len = total;
	if (g->c->gmo->Version >= 3)
		g->c->gmo->ReturnedLength = n;
}

/* G-OUT-1, G-OUT-4, M-FLG-3, G-TOK-2 */
static void return_structures(struct get *g, MQLONG flags)
{
	MQGMO *gmo = g->c->gmo;
	MQMD *md = g->c->md;
	MQLONG version = md->Version;

	memcpy(md, &g->md, version < 2 ? offsetof(MQMD, GroupId) :
					 sizeof(*md));
	md->Version = version;
	memcpy(gmo->ResolvedQName, g->m->name, 48);
	if (gmo->Version < 2)
		return;
	gmo->GroupStatus = flags & MQMF_LAST_MSG_IN_GROUP ? 'L' :
			   flags & MQMF_MSG_IN_GROUP ? 'G' : ' ';
	gmo->SegmentStatus = flags & MQMF_LAST_SEGMENT ? 'L' :
			     flags & MQMF_SEGMENT ? 'S' : ' ';
	gmo->Segmentation = flags & MQMF_SEGMENTATION_ALLOWED ? 'A' : ' ';
	if (gmo->Version >= 3)
		memcpy(gmo->MsgToken, g->found.seg[0]->token, 16);
}

/* --- effects -------------------------------------------------------------- */

/* G-ORD-2, M-SEG-10, M-GRP-5 */
static void set_info(const struct get *g, struct info *i)
{
	const struct message *first = g->found.seg[0];
	const struct message *last = g->found.seg[g->found.n - 1];
	MQLONG f = last->md.MsgFlags;

	i->logical = g->logical;
	i->sync = g->sync;
	i->report = last->md.MsgType == MQMT_REPORT;
	memcpy(i->gid, last->md.GroupId, 24);
	i->seq = last->md.MsgSeqNumber;
	i->next = last->md.Offset + model_segment_length(last);
	i->cur_msg = g->run_only ||
		     ((f & MQMF_SEGMENT) && !(f & MQMF_LAST_SEGMENT));
	if (g->run_only)
		f = first->md.MsgFlags;
	i->cur_group = (f & MQMF_MSG_IN_GROUP) &&
		!((f & MQMF_LAST_MSG_IN_GROUP) && !i->cur_msg);
}

/* G-ORD-16, G-ORD-17, G-ORD-25, G-UOW-4 */
static MQLONG inconsistency(const struct get *g)
{
	const struct info *i = &g->h->get;

	if (g->browse || g->logical || !i->logical || !has_current(i))
		return 0;
	if (model_next_item(&g->v, i) != g->found.seg[0])
		return i->cur_msg ? MQRC_INCOMPLETE_MSG :
				    MQRC_INCOMPLETE_GROUP;
	return i->sync != g->sync ? MQRC_INCONSISTENT_UOW : 0;
}

static void take(struct get *g, struct message *msg)
{
	struct conn *c = &g->m->c[g->h->conn];

	msg->lock = -1;
	memset(msg->marked, 0, sizeof(msg->marked));	/* G-MRK-4, -7 */
	msg->co_op = false;
	if (!g->sync) {
		model_remove(g->m, msg);
		return;
	}
	c->uow = true;
	c->count++;
	msg->own_put = msg->state == PUT_PENDING;
	msg->state = GET_PENDING;
	msg->conn = g->h->conn;
	msg->skip = g->v.options & MQGMO_MARK_SKIP_BACKOUT;
}

static void effects_of_removal(struct get *g)
{
	struct handle *h = g->h;
	bool skip = g->v.options & MQGMO_MARK_SKIP_BACKOUT;
	int i;

	if (g->sync && !h->get_saved) {
		h->get_saved = true;
		h->get_before = h->get;
	}
	set_info(g, &h->get);
	h->skip_get |= skip;
	h->skip_last = skip;
	if (skip)
		g->m->c[h->conn].skip_used = true;
	if (h->options & MQOO_SAVE_ALL_CONTEXT) {
		h->saved = SAVED;
		h->context = g->found.seg[0]->md;
	}
	for (i = 0; i < g->found.n; i++)
		take(g, g->found.seg[i]);
}

/* G-MRK-2, G-MRK-9, G-MRK-11 */
static void set_marks(struct get *g)
{
	struct message *msg = g->found.seg[0];
	MQLONG o = g->v.options;

	if (g->stays && g->c->gmo->Version < 3)
		return;
	if (o & MQGMO_MARK_BROWSE_HANDLE)
		msg->marked[g->v.handle] = true;
	if (o & MQGMO_UNMARK_BROWSE_HANDLE)
		msg->marked[g->v.handle] = false;
	if (o & MQGMO_MARK_BROWSE_CO_OP)
		msg->co_op = true;
	if (o & MQGMO_UNMARK_BROWSE_CO_OP)
		msg->co_op = false;
}

/* G-LCK-5, G-LCK-8, G-LCK-14 */
static void set_lock(struct get *g)
{
	bool lock = g->v.options & MQGMO_LOCK;
	int i;

	if (g->cursor && lock && model_holds_lock(g->m, g->v.handle))
		return;
	model_unlock(g->m, g->v.handle);
	for (i = 0; lock && i < g->found.n; i++)
		g->found.seg[i]->lock = g->v.handle;
}

static void effects_of_browse(struct get *g)
{
	struct handle *h = g->h;
	bool entered = !has_current(current(g));

	set_lock(g);
	if (h->saved == SAVED)
		h->saved = BROWSED;			/* P-CTX-11 */
	if (g->cursor)
		return;
	h->cursor = g->found.seg[0]->key;
	if (g->logical && entered)
		h->anchor = h->cursor;			/* G-ORD-11 */
	if ((g->v.options & MQGMO_BROWSE_FIRST) || h->mode == UNSET)
		h->mode = g->logical ? LOGICAL : PHYSICAL;
	set_info(g, &h->browse);
}

/* G-RC-2 */
static MQLONG warning_of(const struct get *g, MQLONG inconsistent)
{
	if (g->stays)
		return MQRC_TRUNCATED_MSG_FAILED;
	if (g->run_warning)
		return g->run_warning;
	if (inconsistent)
		return inconsistent;
	return g->too_small ? MQRC_TRUNCATED_MSG_ACCEPTED : 0;
}

static struct rc return_message(struct get *g)
{
	MQLONG inconsistent = inconsistency(g), flags;

	describe(g);
	flags = g->md.MsgFlags;
	g->mde = needs_mde(g);
	g->data_len = assemble(g, NULL, 0);
	g->too_small = (g->mde ? MDE_LENGTH : 0) + g->data_len > g->c->len;
	g->stays = g->too_small &&
		   !(g->v.options & MQGMO_ACCEPT_TRUNCATED_MSG);
	return_data(g);
	return_structures(g, flags);
	if (g->browse)
		set_marks(g);
	if (!g->stays && g->browse)
		effects_of_browse(g);
	else if (!g->stays)
		effects_of_removal(g);
	return model_warn(warning_of(g, inconsistent));
}

/* G-LCK-9 */
static struct rc unlock(struct model *m, int handle)
{
	if (!model_holds_lock(m, handle))
		return model_warn(MQRC_NO_MSG_LOCKED);
	model_unlock(m, handle);
	return model_ok();
}

static void start(struct get *g, struct model *m, struct get_call *c)
{
	MQLONG o = c->gmo->Options;

	g->m = m;
	g->c = c;
	g->h = &m->h[c->handle];
	g->browse = o & BROWSES;
	g->cursor = o & CURSOR_GETS;
	g->logical = o & MQGMO_LOGICAL_ORDER;
	g->v = (struct view){
		.m = m, .handle = c->handle, .options = o,
		.removing = !g->browse, .md = c->md, .token = c->gmo->MsgToken,
	};
	if (!g->cursor)					/* G-MAT-9, G-GMO-2 */
		g->v.match = c->gmo->Version >= 2 ? c->gmo->MatchOptions :
			     MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID;
	if (g->cursor)					/* G-CUR-6 */
		g->v.options &= ~(MQGMO_ALL_MSGS_AVAILABLE |
				  MQGMO_ALL_SEGMENTS_AVAILABLE);
}

struct rc model_get(struct model *m, struct get_call *c)
{
	struct get g = { 0 };
	struct message *msg;
	MQLONG reason, o;

	if (!m->h[c->handle].open)
		return model_fail(MQRC_HOBJ_ERROR);
	if (!c->gmo || memcmp(c->gmo->StrucId, MQGMO_STRUC_ID, 4) ||
	    c->gmo->Version < 1 || c->gmo->Version > 4)
		return model_fail(MQRC_GMO_ERROR);
	o = c->gmo->Options;
	start(&g, m, c);
	if (bad_options(g.h, o))
		return model_fail(MQRC_OPTIONS_ERROR);
	if (o & MQGMO_UNLOCK)
		return unlock(m, c->handle);
	reason = check_call(&g, o);
	if (!reason)
		reason = check_state(&g, o);
	if (reason)
		return model_fail(reason);
	msg = select_message(&g, &reason);
	if (msg)
		reason = check_message(&g, msg);
	else if (reason == MQRC_NO_MSG_AVAILABLE && g.browse && !g.cursor)
		model_unlock(m, c->handle);		/* G-LCK-6 */
	if (!msg || reason)
		return model_fail(reason);
	return return_message(&g);
}
