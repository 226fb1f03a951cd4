/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * exec: makes each call of a list on the model and on the queue manager, and
 * compares all that comes back.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "../mqi.h"
#include "call.h"

#define QUEUE		"KM.MODEL"
#define CAP		1536
#define MAX_IDS		4096

struct ids {
	MQBYTE id[MAX_IDS][24];
	int n;
};

static struct {
	struct model m;
	MQHCONN hc[MODEL_CONNS];
	MQHOBJ ho[MODEL_HANDLES];
	struct ids msgs, groups, tokens;
	int puts;
	char *diff;
	bool ready;
} x;

long exec_count;
bool exec_reads_ahead;
static long reasons[3000];

/* What a call works on; one for each side. */
struct side {
	MQMD md;
	MQGMO gmo;
	MQPMO pmo;
	MQLONG data_len;
	struct rc r;
	unsigned char buf[CAP];
};

static struct side kernel, model;

__attribute__((format(printf, 1, 2)))
static void differ(const char *text, ...)
{
	size_t l = strlen(x.diff);
	va_list ap;

	va_start(ap, text);
	vsnprintf(x.diff + l, DIFF_LEN - l, text, ap);
	va_end(ap);
}

/* --- identifiers ---------------------------------------------------------- */

static bool is_known(const struct ids *ids, const void *id, size_t len)
{
	int i;

	for (i = 0; i < ids->n; i++)
		if (!memcmp(ids->id[i], id, len))
			return true;
	return false;
}

static void keep(struct ids *ids, const void *id, size_t len)
{
	if (ids->n == MAX_IDS)
		return;
	memset(ids->id[ids->n], 0, 24);
	memcpy(ids->id[ids->n++], id, len);
}

static void last_of(const struct ids *ids, int back, void *id, size_t len)
{
	if (back < ids->n)
		memcpy(id, ids->id[ids->n - 1 - back], len);
}

static void pick_id(const struct ids *ids, const char *word, int which,
		    MQBYTE *id)
{
	memset(id, 0, 24);
	if (!which)
		return;
	snprintf((char *)id, 24, "%s%d", word, which);
	if (which > CALL_FIXED_IDS)
		last_of(ids, which - CALL_FIXED_IDS - 1, id, 24);
}

static void pick_token(int which, MQBYTE *token)
{
	memset(token, which ? 0x77 : 0, 16);
	if (which > 1)
		last_of(&x.tokens, which - 2, token, 16);
}

/* A generated identifier has its shape (M-ID-2) and is new. */
static void learn_id(struct ids *ids, MQBYTE *ours, const MQBYTE *real,
		     const char *what)
{
	if (!model_is_placeholder(ours))
		return;
	if (!id_generated(real) || is_known(&x.msgs, real, 24) ||
	    is_known(&x.groups, real, 24)) {
		differ("  %s is not a new identifier\n", what);
		return;
	}
	keep(ids, real, 24);
	model_learn(&x.m, ours, real, 24);
	memcpy(ours, real, 24);
}

static void learn_token(MQBYTE *ours, const MQBYTE *real)
{
	if (!model_is_placeholder(ours))
		return;
	if (all_zero(real, 16) || is_known(&x.tokens, real, 16)) {
		differ("  MsgToken is not a new one\n");
		return;
	}
	keep(&x.tokens, real, 16);
	model_learn(&x.m, ours, real, 16);
	memcpy(ours, real, 16);
}

static void learn_time(MQMD *ours, const MQMD *real)
{
	const char *when = (const char *)real + MODEL_TIME;
	int i;

	if (!model_is_placeholder(ours->PutDate))
		return;
	for (i = 0; i < 16; i++)
		if (when[i] < '0' || when[i] > '9') {
			differ("  PutDate, PutTime: %.16s\n", when);
			return;
		}
	model_learn(&x.m, (char *)ours + MODEL_TIME, when, 16);
	memcpy((char *)ours + MODEL_TIME, when, 16);
}

static void learn_all(void)
{
	struct ids *ids = &x.msgs;

	learn_id(ids, model.md.MsgId, kernel.md.MsgId, "MsgId");
	learn_id(ids, model.md.CorrelId, kernel.md.CorrelId, "CorrelId");
	if (kernel.md.Version >= 2)
		learn_id(&x.groups, model.md.GroupId, kernel.md.GroupId,
			 "GroupId");
	learn_time(&model.md, &kernel.md);
}

/* --- comparison ----------------------------------------------------------- */

struct part {
	const char *name;
	int offset, size;
};

#define PART(type, field) \
	{ #field, offsetof(type, field), sizeof(((type *)0)->field) }

static const struct part md_parts[] = {
	PART(MQMD, Version), PART(MQMD, Report), PART(MQMD, MsgType),
	PART(MQMD, Expiry), PART(MQMD, Feedback), PART(MQMD, Encoding),
	PART(MQMD, CodedCharSetId), PART(MQMD, Format), PART(MQMD, Priority),
	PART(MQMD, Persistence), PART(MQMD, MsgId), PART(MQMD, CorrelId),
	PART(MQMD, BackoutCount), PART(MQMD, ReplyToQ),
	PART(MQMD, ReplyToQMgr), PART(MQMD, UserIdentifier),
	PART(MQMD, AccountingToken), PART(MQMD, ApplIdentityData),
	PART(MQMD, PutApplType), PART(MQMD, PutApplName), PART(MQMD, PutDate),
	PART(MQMD, PutTime), PART(MQMD, ApplOriginData), PART(MQMD, GroupId),
	PART(MQMD, MsgSeqNumber), PART(MQMD, Offset), PART(MQMD, MsgFlags),
	PART(MQMD, OriginalLength), { NULL },
};

static const struct part gmo_parts[] = {
	PART(MQGMO, Options), PART(MQGMO, WaitInterval), PART(MQGMO, Signal1),
	PART(MQGMO, ResolvedQName), PART(MQGMO, MatchOptions),
	PART(MQGMO, GroupStatus), PART(MQGMO, SegmentStatus),
	PART(MQGMO, Segmentation), PART(MQGMO, Reserved1),
	PART(MQGMO, MsgToken), PART(MQGMO, ReturnedLength),
	PART(MQGMO, MsgHandle), { NULL },
};

static const struct part pmo_parts[] = {
	PART(MQPMO, Options), PART(MQPMO, Context), PART(MQPMO, KnownDestCount),
	PART(MQPMO, UnknownDestCount), PART(MQPMO, InvalidDestCount),
	PART(MQPMO, ResolvedQName), PART(MQPMO, ResolvedQMgrName), { NULL },
};

static void show(const unsigned char *p, int n)
{
	MQLONG v;
	int i;

	memcpy(&v, p, 4);
	if (n == 4)
		differ("%d", v);
	for (i = 0; n != 4 && i < n && i < 24; i++)
		differ(p[i] >= ' ' && p[i] < 127 ? "%c" : "\\%x", p[i]);
}

static void compare_struct(const void *want, const void *got, size_t size,
			   const struct part *p)
{
	const unsigned char *w = want, *g = got;

	if (!memcmp(want, got, size))
		return;
	for (; p->name; p++) {
		if (!memcmp(w + p->offset, g + p->offset, p->size))
			continue;
		differ("  %s: model ", p->name);
		show(w + p->offset, p->size);
		differ(", kernel ");
		show(g + p->offset, p->size);
		differ("\n");
	}
	if (!*x.diff)
		differ("  a field that is never written\n");
}

static void compare_data(void)
{
	int i;

	if (model.data_len != kernel.data_len)
		differ("  DataLength: model %d, kernel %d\n", model.data_len,
		       kernel.data_len);
	for (i = 0; i < CAP && model.buf[i] == kernel.buf[i]; i++)
		;
	if (i < CAP)
		differ("  data from byte %d on: model %#x, kernel %#x\n", i,
		       model.buf[i], kernel.buf[i]);
}

static void compare_rc(void)
{
	if (kernel.r.rc >= 0 && kernel.r.rc < 3000)
		reasons[kernel.r.rc]++;
	if (model.r.cc != kernel.r.cc || model.r.rc != kernel.r.rc)
		differ("  result: model %s, kernel %s\n",
		       outcome(model.r.cc, model.r.rc),
		       outcome(kernel.r.cc, kernel.r.rc));
}

static void compare_depth(void)
{
	int want = model_depth(&x.m), got = depth(QUEUE);

	if (want != got)
		differ("  CurrentQDepth: model %d, kernel %d\n", want, got);
}

/* --- calls ---------------------------------------------------------------- */

static void prepare_md(const struct call *c, MQMD *md)
{
	static const MQMD none = { MQMD_DEFAULT };
	const MQLONG *f = c->f;

	*md = none;
	md->Version = f[F_MD_VERSION];
	md->Report = f[F_REPORT];
	md->MsgType = f[F_TYPE];
	md->Expiry = f[F_EXPIRY];
	md->Feedback = f[F_FEEDBACK];
	md->Encoding = f[F_ENCODING];
	md->CodedCharSetId = f[F_CCSID];
	memcpy(md->Format, MQFMT_STRING, 8);
	md->Priority = f[F_PRIORITY];
	md->Persistence = f[F_PERSISTENCE];
	md->BackoutCount = 77;
	pick_id(&x.msgs, "ID", f[F_MSG_ID], md->MsgId);
	pick_id(&x.msgs, "CID", f[F_CORREL_ID], md->CorrelId);
	pick_id(&x.groups, "GRP", f[F_GROUP_ID], md->GroupId);
	md->MsgSeqNumber = f[F_SEQ];
	md->Offset = f[F_OFFSET];
	md->MsgFlags = f[F_FLAGS];
	md->OriginalLength = f[F_ORIGINAL];
	if (f[F_REPLY])
		strcpy(md->ReplyToQ, "REPLY");
	if (f[F_REPLY] == 2)
		FIELD_SET(md->ReplyToQMgr, "OTHER");
	strcpy(md->UserIdentifier, "me");
	memset(md->AccountingToken, f[F_MSG_ID] + 1, 32);
	FIELD_SET(md->ApplIdentityData, "identity");
	md->PutApplType = 11;
	strcpy(md->PutApplName, "program");
	FIELD_SET(md->PutDate, "19991231");
	FIELD_SET(md->PutTime, "23595999");
	if (f[F_BROKEN] == BAD_MD)
		md->StrucId[0] = 'X';
}

/* Version-2 fields move from the MQMD into an MQMDE. */
static int prepare_mde(const struct call *c)
{
	MQMDE mde = { MQMDE_DEFAULT };
	MQMD *md = &kernel.md;
	enum mde kind = c->f[F_MDE];

	memcpy(md->Format, MQFMT_MD_EXTENSION, 8);
	memcpy(mde.Format, MQFMT_STRING, 8);
	mde.CodedCharSetId = md->CodedCharSetId == 819 ? 0 : 819;
	mde.Encoding = 273;
	memcpy(mde.GroupId, md->GroupId, 24);
	mde.MsgSeqNumber = md->MsgSeqNumber;
	mde.Offset = md->Offset;
	mde.MsgFlags = md->MsgFlags;
	mde.OriginalLength = md->OriginalLength;
	mde.StrucId[0] = kind == MDE_BAD_ID ? 'X' : 'M';
	mde.Version = kind == MDE_BAD_VERSION ? 3 : 2;
	mde.StrucLength = kind == MDE_BAD_LENGTH ? 71 : 72;
	mde.Flags = kind == MDE_BAD_FLAGS;
	memcpy(kernel.buf, &mde, sizeof(mde));
	if (kind == MDE_PLAIN)
		return sizeof(mde);
	memset(md->GroupId, 0, 24);
	md->MsgSeqNumber = 1;
	md->Offset = 0;
	md->MsgFlags = 0;
	md->OriginalLength = MQOL_UNDEFINED;
	return kind == MDE_SHORT ? 0 : sizeof(mde);
}

/* Returns BufferLength. */
static MQLONG prepare_put(const struct call *c)
{
	int mde = 0;

	static const MQPMO none = { MQPMO_DEFAULT };
	int i, from = c->f[F_CONTEXT];

	prepare_md(c, &kernel.md);
	kernel.pmo = none;
	kernel.pmo.Version = c->f[F_VERSION] > 3 ? 3 : c->f[F_VERSION];
	kernel.pmo.Options = c->f[F_OPTIONS];
	kernel.pmo.Context = from < 0 ? 0 : x.ho[from];
	if (c->f[F_BROKEN] == BAD_OPTIONS)
		kernel.pmo.StrucId[0] = 'X';
	x.puts++;
	if (c->f[F_MDE])
		mde = prepare_mde(c);
	for (i = 0; i < c->f[F_LEN] && i < CAP - mde; i++)
		kernel.buf[mde + i] = (x.puts * 31 + i * 7) | 1;
	model.md = kernel.md;
	model.pmo = kernel.pmo;
	return c->f[F_LEN] + mde;
}

/* MQPUT or MQPUT1, as the model was asked to do. */
static void real_put(const struct put_call *p)
{
	MQMD *md = p->md ? &kernel.md : NULL;
	MQPMO *pmo = p->pmo ? &kernel.pmo : NULL;
	MQOD od = { MQOD_DEFAULT };

	FIELD_SET(od.ObjectName, QUEUE);
	if (p->handle < 0)
		MQPUT1(x.hc[p->conn], &od, md, pmo, p->len, (void *)p->buf,
		       &kernel.r.cc, &kernel.r.rc);
	else
		MQPUT(x.hc[p->conn], x.ho[p->handle], md, pmo, p->len,
		      (void *)p->buf, &kernel.r.cc, &kernel.r.rc);
}

static void do_put(const struct call *c)
{
	int h = c->op == OP_PUT ? c->f[F_HANDLE] : -1, broken = c->f[F_BROKEN];
	struct put_call p;
	MQLONG len = prepare_put(c);

	p = (struct put_call){
		.handle = h, .conn = h < 0 ? c->f[F_CONN] : x.m.h[h].conn,
		.md = broken == NO_MD ? NULL : &model.md,
		.pmo = broken == NO_OPTIONS ? NULL : &model.pmo,
		.context = c->f[F_CONTEXT], .len = len,
		.buf = broken == NO_BUFFER ? NULL : kernel.buf,
	};
	model.r = model_put(&x.m, &p);
	real_put(&p);
	compare_rc();
	if (*x.diff)
		return;
	if (kernel.r.cc != MQCC_FAILED)
		learn_all();
	compare_struct(&model.md, &kernel.md, sizeof(MQMD), md_parts);
	compare_struct(&model.pmo, &kernel.pmo, sizeof(MQPMO), pmo_parts);
}

static void prepare_get(const struct call *c)
{
	static const MQGMO none = { MQGMO_DEFAULT };

	prepare_md(c, &kernel.md);
	kernel.gmo = none;
	kernel.gmo.Version = c->f[F_VERSION];
	kernel.gmo.Options = c->f[F_OPTIONS];
	kernel.gmo.MatchOptions = c->f[F_MATCH];
	kernel.gmo.WaitInterval = c->f[F_WAIT];
	kernel.gmo.GroupStatus = '?';
	kernel.gmo.SegmentStatus = '?';
	kernel.gmo.Segmentation = '?';
	pick_token(c->f[F_TOKEN], kernel.gmo.MsgToken);
	if (c->f[F_BROKEN] == BAD_OPTIONS)
		kernel.gmo.StrucId[0] = 'X';
	kernel.data_len = 12345;
	memset(kernel.buf, POISON, CAP);
	model = kernel;
}

static void do_get(const struct call *c)
{
	int h = c->f[F_HANDLE], broken = c->f[F_BROKEN];
	MQHCONN hc = x.hc[x.m.h[h].conn];
	struct get_call g;

	prepare_get(c);
	g = (struct get_call){
		.handle = h, .md = broken == NO_MD ? NULL : &model.md,
		.gmo = broken == NO_OPTIONS ? NULL : &model.gmo,
		.len = c->f[F_LEN],
		.buf = broken == NO_BUFFER ? NULL : model.buf,
		.data_len = broken == NO_LENGTH ? NULL : &model.data_len,
	};
	model.r = model_get(&x.m, &g);
	MQGET(hc, x.ho[h], g.md ? &kernel.md : NULL,
	      g.gmo ? &kernel.gmo : NULL, g.len, g.buf ? kernel.buf : NULL,
	      g.data_len ? &kernel.data_len : NULL, &kernel.r.cc,
	      &kernel.r.rc);
	compare_rc();
	if (*x.diff)
		return;
	if (kernel.r.cc != MQCC_FAILED) {
		learn_all();
		learn_token(model.gmo.MsgToken, kernel.gmo.MsgToken);
	}
	compare_struct(&model.md, &kernel.md, sizeof(MQMD), md_parts);
	compare_struct(&model.gmo, &kernel.gmo, sizeof(MQGMO), gmo_parts);
	compare_data();
}

static void do_open(const struct call *c)
{
	int h = c->f[F_HANDLE], conn = c->f[F_CONN];
	MQOD od = { MQOD_DEFAULT };

	if (x.m.h[h].open)
		return;
	x.m.h[h].conn = conn;
	FIELD_SET(od.ObjectName, QUEUE);
	model.r = model_open(&x.m, conn, h, c->f[F_OPTIONS]);
	MQOPEN(x.hc[conn], &od, c->f[F_OPTIONS], &x.ho[h], &kernel.r.cc,
	       &kernel.r.rc);
	compare_rc();
}

static void do_close(const struct call *c)
{
	int h = c->f[F_HANDLE];

	model.r = model_close(&x.m, h);
	MQCLOSE(x.hc[x.m.h[h].conn], &x.ho[h], MQCO_NONE, &kernel.r.cc,
		&kernel.r.rc);
	compare_rc();
	if (kernel.r.cc != MQCC_FAILED && x.ho[h] != MQHO_UNUSABLE_HOBJ)
		differ("  Hobj after MQCLOSE: %d\n", x.ho[h]);
}

/* The first connection is not shared, so that it can MQBEGIN (U-BEG-4). */
static void connect_one(int i)
{
	MQCNO cno = { MQCNO_DEFAULT };
	MQLONG cc, rc;
	MQCHAR48 name;

	FIELD_SET(name, QM);
	cno.Options = i ? MQCNO_HANDLE_SHARE_NO_BLOCK : MQCNO_HANDLE_SHARE_NONE;
	MQCONNX(name, &cno, &x.hc[i], &cc, &rc);
	if (cc != MQCC_OK)
		differ("  MQCONNX: %s\n", outcome(cc, rc));
	x.m.c[i].may_begin = !i;
}

static void do_disc(const struct call *c)
{
	int i, conn = c->f[F_CONN];

	model.r = model_disc(&x.m, conn);
	MQDISC(&x.hc[conn], &kernel.r.cc, &kernel.r.rc);
	compare_rc();
	for (i = 0; i < MODEL_HANDLES; i++)
		if (x.m.h[i].conn == conn)
			x.ho[i] = MQHO_UNUSABLE_HOBJ;
	connect_one(conn);
}

static void set_attribute(int attr, MQLONG value)
{
	switch (attr) {
	case A_FIFO: x.m.fifo = value; break;
	case A_PRI: x.m.def_priority = value; break;
	case A_PER: x.m.def_persistence = value; break;
	case A_DEPTH: x.m.max_depth = value; break;
	case A_LEN: x.m.max_length = value; break;
	case A_GET: x.m.inhibit_get = value; break;
	case A_PUT: x.m.inhibit_put = value; break;
	case A_UNCOM: x.m.max_uncommitted = value; break;
	}
}

static void do_alter(const struct call *c)
{
	const struct attr *a = &call_attrs[c->f[F_ATTR]];
	const char *answer;
	char text[64];

	snprintf(text, sizeof(text), "%s=%d", a->word, c->f[F_VALUE]);
	answer = a->qmgr ? alter_qmgr(text) : alter(QUEUE, text);
	if (strcmp(answer, "OK"))
		differ("  alter %s: %s\n", text, answer);
	set_attribute(c->f[F_ATTR], c->f[F_VALUE]);
}

static void do_uow(const struct call *c)
{
	int i = c->f[F_CONN];

	if (c->op == OP_COMMIT) {
		model.r = model_commit(&x.m, i);
		MQCMIT(x.hc[i], &kernel.r.cc, &kernel.r.rc);
	} else if (c->op == OP_BACK) {
		model.r = model_back(&x.m, i);
		MQBACK(x.hc[i], &kernel.r.cc, &kernel.r.rc);
	} else {
		MQBO bo = { MQBO_DEFAULT };

		model.r = model_begin(&x.m, i);
		MQBEGIN(x.hc[i], &bo, &kernel.r.cc, &kernel.r.rc);
	}
	compare_rc();
}

/* True if both sides agree. */
static bool exec_one(const struct call *c)
{
	exec_count++;
	switch (c->op) {
	case OP_OPEN: do_open(c); break;
	case OP_CLOSE: do_close(c); break;
	case OP_PUT:
	case OP_PUT1: do_put(c); break;
	case OP_GET: do_get(c); break;
	case OP_DISC: do_disc(c); break;
	case OP_ALTER: do_alter(c); break;
	default: do_uow(c); break;
	}
	if (!*x.diff)
		compare_depth();
	return !*x.diff;
}

/* --- runs ----------------------------------------------------------------- */

/* Put one message to learn the context that is generated here. */
static void learn_context(void)
{
	struct call open = { OP_OPEN }, put1 = { OP_PUT }, shut1 = { OP_CLOSE };

	memcpy(put1.f, call_defaults, sizeof(put1.f));
	memset(&x.m.context, 0, sizeof(x.m.context));
	open.f[F_OPTIONS] = MQOO_OUTPUT;
	do_open(&open);
	prepare_put(&put1);
	MQPUT(x.hc[0], x.ho[0], &kernel.md, &kernel.pmo, 10, kernel.buf,
	      &kernel.r.cc, &kernel.r.rc);
	x.m.context = kernel.md;
	x.m.ccsid = kernel.md.CodedCharSetId;
	do_close(&shut1);
}

static void start_run(char *diff)
{
	struct model before = x.m;
	int i;

	model_clear(&x.m);
	x.diff = diff;
	*diff = 0;
	for (i = 0; x.ready && i < MODEL_CONNS; i++)
		MQDISC(&x.hc[i], &kernel.r.cc, &kernel.r.rc);
	if (strcmp(define(QUEUE, exec_reads_ahead ? "fifo reada=1" : "fifo"),
		   "OK") ||
	    strcmp(alter_qmgr("maxuncom=10000 markint=-1"), "OK"))
		differ("  the queue could not be defined\n");
	model_init(&x.m);
	FIELD_SET(x.m.name, QUEUE);
	FIELD_SET(x.m.qmgr, QM);
	x.m.context = before.context;
	x.m.ccsid = before.ccsid;
	for (i = 0; i < MODEL_HANDLES; i++)
		x.ho[i] = MQHO_UNUSABLE_HOBJ;
	for (i = 0; i < MODEL_CONNS; i++)
		connect_one(i);
	x.msgs.n = x.groups.n = x.tokens.n = 0;
	x.puts = 0;
	if (!x.ready) {
		learn_context();
		clear_q(QUEUE);
	}
	x.ready = true;
}

static struct call simple(enum op op, enum field f, MQLONG v)
{
	struct call c = { op };

	memcpy(c.f, call_defaults, sizeof(c.f));
	c.f[f] = v;
	return c;
}

/* What is left behind: end units and handles, get all messages. */
static bool finish(void)
{
	struct call c;
	int i, left;

	for (i = 0; i < MODEL_HANDLES; i++) {
		c = simple(OP_CLOSE, F_HANDLE, i);
		if (x.m.h[i].open && !exec_one(&c))
			return false;
	}
	for (i = 0; i < MODEL_CONNS * 2; i++) {
		c = simple(i % 2 ? OP_COMMIT : OP_BACK, F_CONN, i / 2);
		if (!exec_one(&c))
			return false;
	}
	c = simple(OP_ALTER, F_ATTR, A_GET);
	exec_one(&c);
	c = simple(OP_OPEN, F_OPTIONS, MQOO_INPUT_SHARED);
	exec_one(&c);
	c = simple(OP_GET, F_LEN, CAP);
	for (left = model_depth(&x.m); left >= 0; left--)
		if (!exec_one(&c))
			return false;
	return true;
}

int exec_calls(const struct call *calls, int n, char *diff)
{
	int i;

	start_run(diff);
	if (*diff)
		return 0;
	for (i = 0; i < n; i++)
		if (!exec_one(&calls[i]))
			return i;
	return finish() ? -1 : n;
}

void exec_summary(void)
{
	int i;

	printf("reasons:");
	for (i = 0; i < 3000; i++)
		if (reasons[i])
			printf(" %d:%ld", i, reasons[i]);
	printf("\n");
}

void exec_end(void)
{
	int i;

	for (i = 0; x.ready && i < MODEL_CONNS; i++)
		MQDISC(&x.hc[i], &kernel.r.cc, &kernel.r.rc);
	x.ready = false;
	model_clear(&x.m);
	alter_qmgr("maxuncom=10000 markint=5000");
	clean_up();
}
