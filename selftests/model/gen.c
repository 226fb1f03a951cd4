/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * gen: random calls. Few distinct identifiers, numbers and lengths, so that
 * things meet; habits per handle and whole groups at a time, so that states
 * are reached which single random calls would never come to.
 */
#include <stdlib.h>
#include "call.h"

#define QUEUE_LEN	64

struct gen {
	uint64_t state;
	char stage;
	struct call pending[QUEUE_LEN];	/* the rest of a burst */
	int n_pending;
	struct call like;		/* is made again as often as that */
	int repeats;
	int started;
	/* habits of this seed */
	int groups, persistent, mixed;
	bool get_logical[MODEL_HANDLES], put_logical[MODEL_HANDLES];
	bool get_sync[MODEL_HANDLES], put_sync[MODEL_HANDLES];
	bool complete[MODEL_HANDLES];
	int conn_of[MODEL_HANDLES];
	bool open[MODEL_HANDLES];	/* as far as is known here */
};

static uint32_t rnd(struct gen *g, uint32_t n)
{
	g->state ^= g->state >> 12;
	g->state ^= g->state << 25;
	g->state ^= g->state >> 27;
	return (g->state * 0x2545f4914f6cdd1dULL >> 33) % n;
}

/* True in @percent of all cases. */
static bool chance(struct gen *g, int percent)
{
	return rnd(g, 100) < percent;
}

#define PICK(g, ...) ({ \
	static const MQLONG of[] = { __VA_ARGS__ }; \
	of[rnd((g), sizeof(of) / sizeof(of[0]))]; })

struct gen *gen_new(uint64_t seed, char stage)
{
	struct gen *g = calloc(1, sizeof(*g));
	int i;

	g->state = seed * 0x9e3779b97f4a7c15ULL + stage;
	for (i = 0; i < 8; i++)
		rnd(g, 2);
	g->stage = stage;
	g->groups = stage == 'a' ? 5 : PICK(g, 30, 60, 90);
	g->persistent = PICK(g, 5, 30, 80);
	g->mixed = PICK(g, 1, 3, 15);
	for (i = 0; i < MODEL_HANDLES; i++) {
		g->get_logical[i] = chance(g, stage == 'a' ? 5 : 60);
		g->put_logical[i] = chance(g, stage == 'a' ? 5 : 50);
		g->complete[i] = stage != 'a' && chance(g, 45);
		g->get_sync[i] = stage == 'c' && chance(g, 60);
		g->put_sync[i] = stage == 'c' && chance(g, 60);
		g->conn_of[i] = stage == 'c' ? rnd(g, MODEL_CONNS) :
				chance(g, 30);
	}
	return g;
}

void gen_free(struct gen *g)
{
	free(g);
}

static struct call blank(enum op op)
{
	struct call c = { op };

	memcpy(c.f, call_defaults, sizeof(c.f));
	return c;
}

/* Mostly what the handle is used to do. */
static bool habit(struct gen *g, bool usual)
{
	return chance(g, 88) ? usual : !usual;
}

static MQLONG some_id(struct gen *g)
{
	return PICK(g, 0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 6, 7);
}

static MQLONG some_group(struct gen *g)
{
	return PICK(g, 0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5);
}

static MQLONG some_offset(struct gen *g)
{
	return PICK(g, 0, 0, 0, 0, 10, 10, 10, 20, 20, 5, 16, 32, 30, 15,
		    999999999, 999999990, -1);
}

static MQLONG some_seq(struct gen *g)
{
	return PICK(g, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 0, -1, 999999999,
		    1000000000);
}

/* --- handles -------------------------------------------------------------- */

static void gen_open(struct gen *g, struct call *c, int h)
{
	MQLONG o;

	*c = blank(OP_OPEN);
	c->f[F_HANDLE] = h;
	c->f[F_CONN] = chance(g, 90) ? g->conn_of[h] : rnd(g, 2);
	o = PICK(g, MQOO_INPUT_SHARED, MQOO_INPUT_SHARED, MQOO_INPUT_SHARED,
		 MQOO_INPUT_SHARED, MQOO_INPUT_AS_Q_DEF, 0);
	if (chance(g, 2))
		o = MQOO_INPUT_EXCLUSIVE;
	if (chance(g, 90))
		o |= MQOO_BROWSE;
	if (chance(g, 93))
		o |= MQOO_OUTPUT;
	if ((o & MQOO_BROWSE) && chance(g, 50))
		o |= MQOO_CO_OP;
	if (chance(g, 40) && (o & (MQOO_INPUT_SHARED | MQOO_INPUT_AS_Q_DEF)))
		o |= MQOO_SAVE_ALL_CONTEXT;
	if ((o & MQOO_OUTPUT) && chance(g, 70))
		o |= PICK(g, MQOO_PASS_IDENTITY_CONTEXT,
			  MQOO_PASS_ALL_CONTEXT, MQOO_SET_IDENTITY_CONTEXT,
			  MQOO_SET_ALL_CONTEXT, MQOO_SET_ALL_CONTEXT);
	if (chance(g, 3))
		o ^= 1 << rnd(g, 24);
	/* The model knows no users. */
	c->f[F_OPTIONS] = o & ~MQOO_ALTERNATE_USER_AUTHORITY;
	g->open[h] = true;
}

/* --- puts ----------------------------------------------------------------- */

static void put_context(struct gen *g, struct call *c)
{
	MQLONG o = PICK(g, MQPMO_DEFAULT_CONTEXT, MQPMO_NO_CONTEXT,
			MQPMO_PASS_IDENTITY_CONTEXT, MQPMO_PASS_ALL_CONTEXT,
			MQPMO_SET_IDENTITY_CONTEXT, MQPMO_SET_ALL_CONTEXT);

	c->f[F_OPTIONS] |= o;
	if (chance(g, 80))
		c->f[F_CONTEXT] = rnd(g, MODEL_HANDLES);
}

/* Rarely: what a put must not be, or not always. */
static void put_oddity(struct gen *g, struct call *c)
{
	MQLONG *f = c->f;

	switch (rnd(g, 16)) {
	case 0: f[F_PRIORITY] = PICK(g, -2, -3, 10, 12, 999999999); break;
	case 1: f[F_PERSISTENCE] = PICK(g, 3, -1); break;
	case 2:
		f[F_TYPE] = PICK(g, 0, 1, 2, 3, 4, 112, 65535, 65536);
		break;
	case 3:
		f[F_FEEDBACK] = PICK(g, -1, 1, 999999999, 1000000000);
		break;
	case 4: f[F_EXPIRY] = PICK(g, 0, -2); break;
	case 5: f[F_REPORT] = PICK(g, 0x8, 0x00040000, 0x02000000, 0x200,
				   0x8000, 0x40000000, MQRO_ACTIVITY);
		break;
	case 6: f[F_VERSION] = PICK(g, 0, 1, 2); break;
	case 7: f[F_MD_VERSION] = PICK(g, 0, 1, 1, 1, 3); break;
	case 8: f[F_BROKEN] = rnd(g, BROKEN_COUNT); break;
	case 9: f[F_OPTIONS] ^= 1 << rnd(g, 17); break;
	case 10: f[F_FLAGS] ^= 1 << rnd(g, 24); break;
	case 11: f[F_LEN] = PICK(g, -1, 0, 1, 100, 500); break;
	case 12: f[F_SEQ] = some_seq(g); break;
	case 13: f[F_OFFSET] = some_offset(g); break;
	case 14: f[F_ORIGINAL] = PICK(g, -1, 0, 1, 9, 10, 11, 50); break;
	case 15: f[F_CCSID] = PICK(g, -1, -2, -3, 819); break;
	}
}

static void put_basics(struct gen *g, struct call *c, int h)
{
	MQLONG *f = c->f;

	f[F_HANDLE] = h;
	f[F_MSG_ID] = some_id(g);
	f[F_CORREL_ID] = PICK(g, 0, 1, 2);
	f[F_LEN] = PICK(g, 10, 10, 10, 10, 5, 16, 20, 0, 1, 40, 120);
	f[F_PRIORITY] = PICK(g, -1, 0, 3, 3, 5, 9);
	f[F_PERSISTENCE] = chance(g, 5) ? 2 : chance(g, g->persistent);
	f[F_OPTIONS] = habit(g, g->put_sync[h]) ? MQPMO_SYNCPOINT :
		       PICK(g, 0, MQPMO_NO_SYNCPOINT);
	if (g->stage != 'c' && (f[F_OPTIONS] & MQPMO_SYNCPOINT) &&
	    chance(g, 80))
		f[F_OPTIONS] = 0;
	f[F_OPTIONS] |= PICK(g, 0, 0, 0, 0, 0, MQPMO_NEW_MSG_ID,
			     MQPMO_NEW_CORREL_ID);
}

static void put_mde(struct gen *g, struct call *c)
{
	c->f[F_MDE] = chance(g, 75) ? MDE_GOOD : rnd(g, MDE_COUNT);
	c->f[F_MD_VERSION] = PICK(g, 1, 2);
	/* How plain data that begins with a header is cut is left out. */
	if (c->f[F_MDE] != MDE_GOOD)
		c->f[F_FLAGS] &= ~MQMF_SEGMENTATION_ALLOWED;
}

static void put_extras(struct gen *g, struct call *c)
{
	MQLONG *f = c->f;

	if (chance(g, 12))
		put_context(g, c);
	if (chance(g, 12)) {
		f[F_REPLY] = 1 + rnd(g, 2);
		f[F_REPORT] = PICK(g, MQRO_EXCEPTION_WITH_DATA, MQRO_PAN,
				   MQRO_EXPIRATION_WITH_FULL_DATA, 0x05000000,
				   MQRO_EXPIRATION_WITH_DATA);
	}
	if (chance(g, 3))
		f[F_ENCODING] = 273;
	if (chance(g, 3))
		f[F_CCSID] = 819;
	if (chance(g, 6))
		put_mde(g, c);
	if (chance(g, 8))
		put_oddity(g, c);
}

static MQLONG some_flags(struct gen *g)
{
	return PICK(g, MQMF_MSG_IN_GROUP, MQMF_MSG_IN_GROUP,
		    MQMF_LAST_MSG_IN_GROUP, MQMF_LAST_MSG_IN_GROUP,
		    MQMF_SEGMENT, MQMF_LAST_SEGMENT, MQMF_SEGMENTATION_ALLOWED,
		    MQMF_MSG_IN_GROUP | MQMF_SEGMENT,
		    MQMF_MSG_IN_GROUP | MQMF_LAST_SEGMENT,
		    MQMF_LAST_MSG_IN_GROUP | MQMF_SEGMENT,
		    MQMF_LAST_MSG_IN_GROUP | MQMF_LAST_SEGMENT,
		    MQMF_SEGMENT | MQMF_SEGMENTATION_ALLOWED,
		    MQMF_MSG_IN_GROUP | MQMF_SEGMENTATION_ALLOWED, 0);
}

/* A report put by a program, as if about a segment. */
static void as_report(struct gen *g, struct call *c)
{
	MQLONG *f = c->f;

	f[F_TYPE] = MQMT_REPORT;
	f[F_FEEDBACK] = PICK(g, 259, 259, 260);
	f[F_LEN] = PICK(g, 10, 10, 5, 1, 16);
	f[F_ORIGINAL] = PICK(g, 10, 10, 20, 16, 5);
	if (f[F_ORIGINAL] < f[F_LEN] && chance(g, 80))
		f[F_ORIGINAL] = f[F_LEN];
}

static void gen_put(struct gen *g, struct call *c, int h)
{
	MQLONG *f = c->f;

	*c = blank(OP_PUT);
	put_basics(g, c, h);
	if (chance(g, g->groups)) {
		f[F_FLAGS] = some_flags(g);
		f[F_GROUP_ID] = some_group(g);
		f[F_SEQ] = chance(g, 95) ? PICK(g, 1, 1, 2, 2, 3) : some_seq(g);
		f[F_OFFSET] = chance(g, 92) ? PICK(g, 0, 0, 10, 20, 16) :
			      some_offset(g);
		if (chance(g, 12))
			as_report(g, c);
	}
	if (habit(g, g->put_logical[h]))
		f[F_OPTIONS] |= MQPMO_LOGICAL_ORDER;
	put_extras(g, c);
	if (chance(g, 93))
		return;
	c->op = OP_PUT1;
	c->f[F_CONN] = g->conn_of[h];
	c->f[F_HANDLE] = 0;
	if (chance(g, 95))
		c->f[F_OPTIONS] &= ~MQPMO_LOGICAL_ORDER;
	c->f[F_OPTIONS] &= ~MQPMO_ALTERNATE_USER_AUTHORITY;
}

/* --- whole groups --------------------------------------------------------- */

static void shuffle(struct gen *g)
{
	int i, j;

	for (i = g->n_pending - 1; i > 0; i--) {
		struct call c = g->pending[i];

		j = rnd(g, i + 1);
		g->pending[i] = g->pending[j];
		g->pending[j] = c;
	}
}

/* One logical message of a group, or one alone, as calls to be made. */
static void burst_message(struct gen *g, const struct call *like, MQLONG flags,
			  MQLONG seq)
{
	int segments = chance(g, 50) ? 1 + rnd(g, 4) : 0, i = 0;
	MQLONG offset = 0;

	do {
		struct call *c = &g->pending[g->n_pending];
		MQLONG *f = c->f;

		if (g->n_pending >= QUEUE_LEN)
			return;
		*c = *like;
		f[F_FLAGS] = flags;
		if (segments)
			f[F_FLAGS] |= i == segments - 1 ? MQMF_LAST_SEGMENT :
							  MQMF_SEGMENT;
		f[F_SEQ] = seq;
		f[F_OFFSET] = offset;
		f[F_LEN] = PICK(g, 10, 10, 10, 5, 16, 20);
		if (f[F_TYPE] == MQMT_REPORT) {
			f[F_LEN] = PICK(g, 10, 5, 1);
			f[F_ORIGINAL] = PICK(g, 10, 10, 20);
			if (chance(g, 8))
				f[F_FEEDBACK] ^= 1;
		}
		offset += f[F_TYPE] == MQMT_REPORT ? f[F_ORIGINAL] : f[F_LEN];
		if (chance(g, g->mixed))
			f[F_CCSID] = 819;
		if (chance(g, g->mixed))
			f[F_ENCODING] = 273;
		if (chance(g, 5))
			f[F_PRIORITY] = rnd(g, 10);
		if (chance(g, 5))
			f[F_PERSISTENCE] = rnd(g, 2);
		if (chance(g, 3))
			f[F_FLAGS] = some_flags(g);
		f[F_MSG_ID] = some_id(g);
		g->n_pending++;
	} while (++i < segments);
}

static void gen_burst(struct gen *g, int h)
{
	struct call like = blank(OP_PUT);
	int members = 1 + rnd(g, 4), i;

	put_basics(g, &like, h);
	like.f[F_GROUP_ID] = PICK(g, 1, 1, 2, 3);
	if (chance(g, 20)) {
		like.f[F_TYPE] = MQMT_REPORT;
		like.f[F_FEEDBACK] = 260;
	}
	if (habit(g, g->put_logical[h]))
		like.f[F_OPTIONS] |= MQPMO_LOGICAL_ORDER;
	if (chance(g, 30)) {
		burst_message(g, &like, 0, 1);
	} else {
		for (i = 1; i <= members; i++)
			burst_message(g, &like, i == members ?
				      MQMF_LAST_MSG_IN_GROUP :
				      MQMF_MSG_IN_GROUP, i);
	}
	if (!(like.f[F_OPTIONS] & MQPMO_LOGICAL_ORDER) && chance(g, 40))
		shuffle(g);
	if (chance(g, 25))
		g->n_pending--;		/* one is missing */
}

/* --- gets ----------------------------------------------------------------- */

static MQLONG get_kind(struct gen *g)
{
	return PICK(g, 0, 0, 0, 0, 0, 0, MQGMO_BROWSE_FIRST,
		    MQGMO_BROWSE_FIRST, MQGMO_BROWSE_NEXT, MQGMO_BROWSE_NEXT,
		    MQGMO_BROWSE_NEXT, MQGMO_BROWSE_NEXT, MQGMO_BROWSE_NEXT,
		    MQGMO_BROWSE_MSG_UNDER_CURSOR,
		    MQGMO_BROWSE_MSG_UNDER_CURSOR, MQGMO_MSG_UNDER_CURSOR);
}

static MQLONG mark_options(struct gen *g)
{
	return PICK(g, MQGMO_UNMARKED_BROWSE_MSG, MQGMO_UNMARKED_BROWSE_MSG,
		    MQGMO_UNMARKED_BROWSE_MSG | MQGMO_MARK_BROWSE_HANDLE,
		    MQGMO_UNMARKED_BROWSE_MSG | MQGMO_MARK_BROWSE_CO_OP,
		    MQGMO_UNMARKED_BROWSE_MSG | MQGMO_MARK_BROWSE_CO_OP,
		    MQGMO_MARK_BROWSE_HANDLE, MQGMO_MARK_BROWSE_CO_OP,
		    MQGMO_MARK_BROWSE_CO_OP | MQGMO_MARK_BROWSE_HANDLE,
		    MQGMO_UNMARK_BROWSE_HANDLE, MQGMO_UNMARK_BROWSE_CO_OP,
		    MQGMO_UNMARK_BROWSE_HANDLE | MQGMO_MARK_BROWSE_CO_OP);
}

static MQLONG sync_options(struct gen *g, int h)
{
	if (g->stage != 'c')
		return PICK(g, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
			    MQGMO_NO_SYNCPOINT, MQGMO_NO_SYNCPOINT,
			    MQGMO_SYNCPOINT, MQGMO_SYNCPOINT_IF_PERSISTENT);
	if (!habit(g, g->get_sync[h]))
		return PICK(g, 0, MQGMO_NO_SYNCPOINT);
	return PICK(g, MQGMO_SYNCPOINT, MQGMO_SYNCPOINT, MQGMO_SYNCPOINT,
		    MQGMO_SYNCPOINT, MQGMO_SYNCPOINT,
		    MQGMO_SYNCPOINT | MQGMO_MARK_SKIP_BACKOUT,
		    MQGMO_SYNCPOINT_IF_PERSISTENT);
}

static MQLONG order_options(struct gen *g, int h)
{
	MQLONG o = 0;

	if (habit(g, g->get_logical[h]))
		o |= MQGMO_LOGICAL_ORDER;
	if (habit(g, g->complete[h]))
		o |= PICK(g, MQGMO_COMPLETE_MSG, MQGMO_COMPLETE_MSG,
			  MQGMO_ALL_MSGS_AVAILABLE, MQGMO_ALL_MSGS_AVAILABLE,
			  MQGMO_ALL_SEGMENTS_AVAILABLE,
			  MQGMO_COMPLETE_MSG | MQGMO_ALL_MSGS_AVAILABLE);
	return o;
}

static MQLONG buffer_length(struct gen *g)
{
	return PICK(g, 500, 500, 500, 500, 500, 1500, 1500, 10, 10, 9, 20, 19,
		    0, 0, 1, 16, 30, 40, 71, 72, 82);
}

static void get_match(struct gen *g, struct call *c)
{
	MQLONG *f = c->f;

	f[F_MATCH] = PICK(g, 0, 0, 0, 0, 0, MQMO_MATCH_MSG_ID,
			  MQMO_MATCH_CORREL_ID, MQMO_MATCH_GROUP_ID,
			  MQMO_MATCH_GROUP_ID,
			  MQMO_MATCH_GROUP_ID | MQMO_MATCH_MSG_SEQ_NUMBER,
			  MQMO_MATCH_GROUP_ID | MQMO_MATCH_MSG_SEQ_NUMBER |
			  MQMO_MATCH_OFFSET, MQMO_MATCH_MSG_SEQ_NUMBER,
			  MQMO_MATCH_OFFSET, MQMO_MATCH_MSG_TOKEN,
			  MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID);
	if (chance(g, 5))
		f[F_MATCH] ^= 1 << rnd(g, 7);
	f[F_MSG_ID] = some_id(g);
	f[F_CORREL_ID] = PICK(g, 0, 1, 1, 2);
	f[F_GROUP_ID] = some_group(g);
	f[F_SEQ] = chance(g, 60) ? 1 : some_seq(g);
	f[F_OFFSET] = chance(g, 60) ? 0 : some_offset(g);
	f[F_TOKEN] = rnd(g, CALL_TOKENS + 2);
}

static void get_oddity(struct gen *g, struct call *c)
{
	MQLONG *f = c->f;

	switch (rnd(g, 9)) {
	case 0: f[F_OPTIONS] ^= 1 << rnd(g, 32); break;
	case 1: f[F_OPTIONS] |= mark_options(g); break;
	case 2: f[F_OPTIONS] |= get_kind(g); break;
	case 3: f[F_VERSION] = PICK(g, 0, 1, 1, 2, 2, 3, 5); break;
	case 4: f[F_MD_VERSION] = PICK(g, 0, 1, 1, 1, 1, 3); break;
	case 5: f[F_BROKEN] = rnd(g, BROKEN_COUNT); break;
	case 6: f[F_LEN] = PICK(g, -1, 0, 1, 1500); break;
	case 7: f[F_OPTIONS] |= MQGMO_WAIT;
		f[F_WAIT] = PICK(g, 0, -2);
		break;
	case 8: f[F_OPTIONS] |= PICK(g, MQGMO_LOCK, MQGMO_UNLOCK,
				     MQGMO_FAIL_IF_QUIESCING,
				     MQGMO_NO_PROPERTIES,
				     MQGMO_PROPERTIES_FORCE_MQRFH2,
				     MQGMO_PROPERTIES_IN_HANDLE,
				     MQGMO_SYNCPOINT);
		break;
	}
	/* Conversion, and waits that are waits, are not in the model. */
	f[F_OPTIONS] &= ~MQGMO_CONVERT;
	if ((f[F_OPTIONS] & MQGMO_SET_SIGNAL) && !(f[F_OPTIONS] & MQGMO_WAIT))
		f[F_OPTIONS] &= ~MQGMO_SET_SIGNAL;
}

static void gen_get(struct gen *g, struct call *c, int h)
{
	MQLONG kind = get_kind(g), o = kind;
	const MQLONG browses = MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT |
			       MQGMO_BROWSE_MSG_UNDER_CURSOR;
	bool browse = kind & browses;

	*c = blank(OP_GET);
	c->f[F_HANDLE] = h;
	if (chance(g, 3)) {
		c->f[F_OPTIONS] = MQGMO_UNLOCK;
		return;
	}
	if (browse && chance(g, g->stage == 'a' ? 35 : 8)) {
		o |= mark_options(g);
	} else {
		o |= order_options(g, h);
		if (browse && chance(g, 25))
			o |= MQGMO_LOCK;
		if (!browse && chance(g, 4))
			o |= MQGMO_UNMARKED_BROWSE_MSG;
	}
	if (!browse)
		o |= sync_options(g, h);
	if (chance(g, 30))
		o |= MQGMO_ACCEPT_TRUNCATED_MSG;
	c->f[F_OPTIONS] = o;
	c->f[F_LEN] = buffer_length(g);
	if (chance(g, o & MQGMO_LOGICAL_ORDER ? 15 : 40))
		get_match(g, c);
	if (chance(g, 8))
		get_oddity(g, c);
}

/* --- all ------------------------------------------------------------------ */

static void gen_alter(struct gen *g, struct call *c)
{
	*c = blank(OP_ALTER);
	c->f[F_ATTR] = PICK(g, A_FIFO, A_FIFO, A_PRI, A_PER, A_DEPTH, A_LEN,
			    A_LEN, A_GET, A_PUT, A_UNCOM);
	switch (c->f[F_ATTR]) {
	case A_DEPTH: c->f[F_VALUE] = PICK(g, 3, 8, 100, 100, 100); break;
	case A_LEN: c->f[F_VALUE] = PICK(g, 4, 16, 17, 40, 50, 100, 1000,
					 1000); break;
	case A_UNCOM: c->f[F_VALUE] = PICK(g, 1, 2, 4, 10, 10000, 10000); break;
	case A_PRI: c->f[F_VALUE] = PICK(g, 0, 3, 5, 9); break;
	case A_GET:
	case A_PUT: c->f[F_VALUE] = chance(g, 20); break;
	default: c->f[F_VALUE] = rnd(g, 2); break;
	}
}

/* The first calls: a queue of some kind, some handles. */
static bool gen_start(struct gen *g, struct call *c)
{
	if (g->started > 4)
		return false;
	if (g->started++ < 3) {
		gen_open(g, c, g->started - 1);
		return true;
	}
	gen_alter(g, c);
	if (g->started == 4) {
		c->f[F_ATTR] = A_FIFO;
		c->f[F_VALUE] = rnd(g, 2);
	}
	return true;
}

static void gen_uow(struct gen *g, struct call *c)
{
	*c = blank(PICK(g, OP_COMMIT, OP_COMMIT, OP_BACK, OP_BACK, OP_BACK,
			OP_BACK, OP_BEGIN));
	c->f[F_CONN] = rnd(g, g->stage == 'c' ? MODEL_CONNS : 2);
	if (chance(g, 94))
		return;
	c->op = OP_DISC;
	memset(g->open, 0, sizeof(g->open));
}

static void gen_close(struct gen *g, struct call *c, int h)
{
	*c = blank(OP_CLOSE);
	c->f[F_HANDLE] = h;
	g->open[h] = false;
}

/* Programs make one call like the other: so that some do this here, too. */
static void gen_repeat(struct gen *g, struct call *c)
{
	g->repeats--;
	*c = g->like;
	if (c->op == OP_GET) {
		if (chance(g, 15))
			c->f[F_LEN] = buffer_length(g);
		return;
	}
	c->f[F_MSG_ID] = some_id(g);
	if (chance(g, 40))
		c->f[F_LEN] = PICK(g, 10, 5, 16, 20);
	if (chance(g, 60))
		g->like.f[F_SEQ]++;
	if (chance(g, 20))
		g->like.f[F_FLAGS] |= PICK(g, MQMF_LAST_MSG_IN_GROUP,
					   MQMF_LAST_SEGMENT);
}

void gen_call(struct gen *g, struct call *c)
{
	int h = rnd(g, chance(g, 90) ? 3 : MODEL_HANDLES);
	int r = rnd(g, 100);

	if (gen_start(g, c))
		return;
	if (g->repeats && chance(g, 80)) {
		gen_repeat(g, c);
		return;
	}
	if (g->n_pending && chance(g, 60)) {
		*c = g->pending[0];
		memmove(&g->pending[0], &g->pending[1],
			--g->n_pending * sizeof(*c));
		return;
	}
	if (r < 3 || (!g->open[h] && chance(g, 60))) {
		gen_open(g, c, h);
	} else if (r < 6) {
		gen_close(g, c, h);
	} else if (r < 8) {
		gen_alter(g, c);
	} else if (r < (g->stage == 'c' ? 17 : 10)) {
		gen_uow(g, c);
	} else if (r < 40) {
		if (g->stage != 'a' && !g->n_pending && chance(g, 40))
			gen_burst(g, h);
		gen_put(g, c, h);
	} else {
		gen_get(g, c, h);
	}
	if ((c->op == OP_PUT || c->op == OP_GET) && chance(g, 15)) {
		g->like = *c;
		g->repeats = 1 + rnd(g, 7);
	}
}
