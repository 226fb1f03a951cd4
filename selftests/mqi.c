/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * mqi: puts and gets in one line, with everything about them checked. What
 * has been put is kept by name in a register, against which a get compares.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "mqi.h"

#define MAX_MSGS	4096
#define MDE_LEN		72

struct msg {
	char name[32];
	MQMD md;		/* as stored */
	int len;
	bool has_token;
	MQBYTE token[16];
};

/* A get on another thread may return before the put that it met does. */
static pthread_mutex_t register_lock = PTHREAD_MUTEX_INITIALIZER;
static struct msg msgs[MAX_MSGS];
static int n_msgs;

static struct msg *find_name(const char *name)
{
	int i;

	for (i = n_msgs - 1; i >= 0; i--)
		if (!strcmp(msgs[i].name, name))
			return &msgs[i];
	return NULL;
}

static struct msg *find_id(const MQBYTE *id, const void *data, size_t len)
{
	struct msg *m = NULL;
	size_t l;
	int i;

	for (i = n_msgs - 1; i >= 0; i--) {
		if (memcmp(msgs[i].md.MsgId, id, 24))
			continue;
		if (!m)
			m = &msgs[i];
		l = strlen(msgs[i].name);
		if (l <= len && !memcmp(data, msgs[i].name, l))
			return &msgs[i];
	}
	return m;
}

static MQLONG flags_of(const char *s)
{
	MQLONG f = 0;

	for (; *s && *s != ')'; s++)
		f |= *s == 'G' ? MQMF_MSG_IN_GROUP :
		     *s == 'L' ? MQMF_LAST_MSG_IN_GROUP :
		     *s == 'S' ? MQMF_SEGMENT :
		     *s == 'E' ? MQMF_LAST_SEGMENT :
		     *s == 'A' ? MQMF_SEGMENTATION_ALLOWED : 0;
	return f;
}

/* "WORD=VALUE" */
static bool val(const char *word, const char *key, const char **v)
{
	size_t l = strlen(key);

	if (strncmp(word, key, l) || word[l] != '=')
		return false;
	*v = word + l + 1;
	return true;
}

static long num(const char *v)
{
	return strtoll(v, NULL, 0);
}

static void note(char *s, bool good, const char *what)
{
	if (!good) {
		strcat(s, "!");
		strcat(s, what);
	}
}

struct put_words {
	char name[32];
	int len;
};

static void put_word(struct mqh *h, const char *w, struct put_words *p)
{
	MQMD *md = &h->md;
	MQLONG *o = &h->pmo.Options;
	const char *v;

	if (!strcmp(w, "SP"))
		*o |= MQPMO_SYNCPOINT;
	else if (!strcmp(w, "NS"))
		*o |= MQPMO_NO_SYNCPOINT;
	else if (!strcmp(w, "LO"))
		*o |= MQPMO_LOGICAL_ORDER;
	else if (!strcmp(w, "NM"))
		*o |= MQPMO_NEW_MSG_ID;
	else if (!strcmp(w, "NC"))
		*o |= MQPMO_NEW_CORREL_ID;
	else if (!strcmp(w, "v1"))
		md->Version = MQMD_VERSION_1;
	else if (val(w, "pmo", &v))
		h->pmo.Version = num(v);
	else if (val(w, "opt", &v))
		*o |= num(v);
	else if (val(w, "p", &v))
		md->Priority = num(v);
	else if (val(w, "per", &v))
		md->Persistence = num(v);
	else if (val(w, "exp", &v))
		md->Expiry = num(v);
	else if (val(w, "len", &v))
		p->len = num(v);
	else if (val(w, "rep", &v))
		md->Report = num(v);
	else if (val(w, "mt", &v))
		md->MsgType = num(v);
	else if (val(w, "fb", &v))
		md->Feedback = num(v);
	else if (val(w, "enc", &v))
		md->Encoding = num(v);
	else if (val(w, "ccsid", &v))
		md->CodedCharSetId = num(v);
	else if (val(w, "fmt", &v))
		FIELD_SET(md->Format, v);
	else if (val(w, "c", &v))
		id_set(md->CorrelId, v);
	else if (val(w, "rqm", &v))
		FIELD_SET(md->ReplyToQMgr, v);
	else if (val(w, "rq", &v))
		FIELD_SET(md->ReplyToQ, v);
	else if (val(w, "ol", &v))
		md->OriginalLength = num(v);
	else if (val(w, "g", &v))
		id_set(md->GroupId, v);
	else if (val(w, "s", &v))
		md->MsgSeqNumber = num(v);
	else if (val(w, "o", &v))
		md->Offset = num(v);
	else if (val(w, "f", &v))
		md->MsgFlags = flags_of(v);
	else if (val(w, "fx", &v))
		md->MsgFlags |= num(v);
	else if (val(w, "id", &v))
		id_set(md->MsgId, v);
	else
		fprintf(stderr, "# put: unknown word %s\n", w), abort();
}

/* What a put may write into the descriptor (P-MD-11), all else stays. */
static void put_check(struct mqh *h, const MQMD *was, const MQPMO *pmo, char *s)
{
	MQMD m = h->md;
	bool v2 = was->Version == MQMD_VERSION_2;

	if (h->cc == MQCC_FAILED) {
		note(s, !memcmp(&h->md, was, sizeof(m)), "md");
		note(s, !memcmp(&h->pmo, pmo, sizeof(*pmo)), "pmo");
		return;
	}
	note(s, m.Priority >= 0, "pri");
	note(s, m.Persistence == 0 || m.Persistence == 1, "per");
	note(s, was->Priority < 0 || m.Priority == was->Priority, "pri");
	note(s, was->Persistence > 1 || m.Persistence == was->Persistence,
	     "per");
	note(s, m.CodedCharSetId != 0, "ccsid");
	note(s, was->CodedCharSetId <= 0 ||
	     m.CodedCharSetId == was->CodedCharSetId, "ccsid");
	if ((pmo->Options & MQPMO_NEW_MSG_ID) || all_zero(was->MsgId, 24))
		note(s, id_generated(m.MsgId), "msgid");
	else
		note(s, !memcmp(m.MsgId, was->MsgId, 24), "msgid");
	if (pmo->Options & MQPMO_NEW_CORREL_ID)
		note(s, id_generated(m.CorrelId), "correlid");
	else
		note(s, !memcmp(m.CorrelId, was->CorrelId, 24), "correlid");
	note(s, m.MsgFlags == was->MsgFlags, "flags");
	note(s, m.OriginalLength == was->OriginalLength, "ol");
	note(s, m.BackoutCount == was->BackoutCount, "boc");
	note(s, !memcmp(&m, was, offsetof(MQMD, CodedCharSetId)) &&
	     !memcmp(m.Format, was->Format, 8), "md");
	if (!v2)
		note(s, !memcmp(m.GroupId, was->GroupId, 40), "v2");
	note(s, FIELD_IS(h->pmo.ResolvedQName, h->q), "resolved");
	note(s, !h->qm[0] || FIELD_IS(h->pmo.ResolvedQMgrName, h->qm),
	     "resolvedqm");
	if (pmo->Version >= 2)			/* P-PMO-1 */
		note(s, h->pmo.KnownDestCount + h->pmo.UnknownDestCount == 1 &&
		     h->pmo.KnownDestCount ==
		     FIELD_IS(h->pmo.ResolvedQMgrName, home_of(h->hc)) &&
		     h->pmo.InvalidDestCount == 0, "counts");
}

/* What get() has to find: the descriptor as it was stored. */
static void put_register(struct mqh *h, const struct put_words *p)
{
	struct msg *m;
	MQLONG f = h->md.MsgFlags;

	if (n_msgs == MAX_MSGS)
		n_msgs = 0;
	m = &msgs[n_msgs++];
	memset(m, 0, sizeof(*m));
	strcpy(m->name, p->name);
	m->len = p->len;
	m->md = h->md;
	if (h->md.Version == MQMD_VERSION_1) {
		memset(m->md.GroupId, 0, 24);
		m->md.MsgSeqNumber = 1;
		m->md.Offset = 0;
		m->md.MsgFlags = 0;
		m->md.OriginalLength = MQOL_UNDEFINED;
		return;
	}
	if (f & MQMF_LAST_MSG_IN_GROUP)
		m->md.MsgFlags |= MQMF_MSG_IN_GROUP;
	if (f & MQMF_LAST_SEGMENT)
		m->md.MsgFlags |= MQMF_SEGMENT;
	if (!(m->md.MsgFlags & MQMF_SEGMENT))
		m->md.OriginalLength = MQOL_UNDEFINED;
	else if (m->md.MsgType != MQMT_REPORT)
		m->md.OriginalLength = p->len;
}

const char *put(struct mqh *h, const char *text)
{
	char words[512], *w, *save, *par, *s = answer_buf();
	struct put_words p = { .len = 10 };
	MQMD was;
	MQPMO pmo;
	void *data;

	h->md = (MQMD){ MQMD_DEFAULT };
	h->md.Version = MQMD_VERSION_2;
	h->md.BackoutCount = 1234;		/* ignored */
	h->pmo = (MQPMO){ MQPMO_DEFAULT };
	h->pmo.Version = MQPMO_VERSION_3;
	snprintf(words, sizeof(words), "%s", text);
	w = strtok_r(words, " ", &save);
	par = strchr(w, '(');
	if (par) {
		char *g = strtok(par + 1, ",");

		*par = 0;
		id_set(h->md.GroupId, strcmp(g, "-") ? g : "none");
		h->md.MsgSeqNumber = num(strtok(NULL, ","));
		h->md.Offset = num(strtok(NULL, ","));
		h->md.MsgFlags = flags_of(strtok(NULL, ")"));
	}
	snprintf(p.name, sizeof(p.name), "%s", w);
	id_set(h->md.MsgId, p.name);
	while ((w = strtok_r(NULL, " ", &save)))
		put_word(h, w, &p);
	was = h->md;
	pmo = h->pmo;
	data = malloc(p.len ? p.len : 1);
	fill(data, p.name, p.len);
	pthread_mutex_lock(&register_lock);
	MQPUT(h->hc, h->ho, &h->md, &h->pmo, p.len, p.len ? data : NULL,
	      &h->cc, &h->rc);
	if (h->cc != MQCC_FAILED)
		put_register(h, &p);
	pthread_mutex_unlock(&register_lock);
	free(data);
	strcpy(s, outcome(h->cc, h->rc));
	put_check(h, &was, &pmo, s);
	return s;
}

const char *putg(struct mqh *h, const char *text)
{
	const char *r = put(h, text);
	char *s = answer_buf();

	if (h->cc == MQCC_FAILED)
		return r;
	sprintf(s, "%s(%s,%d,%d)", strcmp(r, "OK") ? r : "",
		id_name(h->md.GroupId), h->md.MsgSeqNumber, h->md.Offset);
	return s;
}

const char *puts_all(struct mqh *h, const char *text)
{
	char all[4096], *m, *save;
	const char *r;

	snprintf(all, sizeof(all), "%s", text);
	for (m = strtok_r(all, ";", &save); m; m = strtok_r(NULL, ";", &save)) {
		m += strspn(m, " ");
		r = put(h, m);
		if (strcmp(r, "OK")) {
			char *s = answer_buf();

			snprintf(s, ANSWER_LEN, "%s: %s", m, r);
			return s;
		}
	}
	return "OK";
}

static const struct {
	const char *word;
	MQLONG opt;
} get_opts[] = {
	{ "BF", MQGMO_BROWSE_FIRST }, { "BN", MQGMO_BROWSE_NEXT },
	{ "BC", MQGMO_BROWSE_MSG_UNDER_CURSOR },
	{ "MC", MQGMO_MSG_UNDER_CURSOR }, { "UL", MQGMO_UNLOCK },
	{ "LK", MQGMO_LOCK }, { "LO", MQGMO_LOGICAL_ORDER },
	{ "CM", MQGMO_COMPLETE_MSG }, { "AM", MQGMO_ALL_MSGS_AVAILABLE },
	{ "AS", MQGMO_ALL_SEGMENTS_AVAILABLE },
	{ "AT", MQGMO_ACCEPT_TRUNCATED_MSG }, { "SP", MQGMO_SYNCPOINT },
	{ "NS", MQGMO_NO_SYNCPOINT },
	{ "SIP", MQGMO_SYNCPOINT_IF_PERSISTENT },
	{ "MSB", MQGMO_MARK_SKIP_BACKOUT }, { "FQ", MQGMO_FAIL_IF_QUIESCING },
	{ "UB", MQGMO_UNMARKED_BROWSE_MSG }, { "MH", MQGMO_MARK_BROWSE_HANDLE },
	{ "MK", MQGMO_MARK_BROWSE_CO_OP },
	{ "UMH", MQGMO_UNMARK_BROWSE_HANDLE },
	{ "UMK", MQGMO_UNMARK_BROWSE_CO_OP },
};

static void match_id(struct mqh *h, MQBYTE *field, MQLONG mo, const char *v)
{
	id_set(field, v);
	h->gmo.MatchOptions |= mo;
}

static void get_word(struct mqh *h, const char *w)
{
	MQMD *md = &h->md;
	MQGMO *gmo = &h->gmo;
	const char *v;
	size_t i;
	int ms;

	for (i = 0; i < sizeof(get_opts) / sizeof(get_opts[0]); i++)
		if (!strcmp(w, get_opts[i].word)) {
			gmo->Options |= get_opts[i].opt;
			return;
		}
	if (sscanf(w, "WT(%d)", &ms) == 1 || sscanf(w, "SIG(%d)", &ms) == 1) {
		gmo->Options |= *w == 'W' ? MQGMO_WAIT : MQGMO_SET_SIGNAL;
		gmo->WaitInterval = ms;
	} else if (val(w, "m", &v)) {
		struct msg *m = find_name(v);

		match_id(h, md->MsgId, MQMO_MATCH_MSG_ID, v);
		if (m)
			memcpy(md->MsgId, m->md.MsgId, 24);
	} else if (val(w, "c", &v)) {
		match_id(h, md->CorrelId, MQMO_MATCH_CORREL_ID, v);
	} else if (val(w, "g", &v)) {
		match_id(h, md->GroupId, MQMO_MATCH_GROUP_ID, v);
	} else if (val(w, "s", &v)) {
		md->MsgSeqNumber = num(v);
		gmo->MatchOptions |= MQMO_MATCH_MSG_SEQ_NUMBER;
	} else if (val(w, "o", &v)) {
		md->Offset = num(v);
		gmo->MatchOptions |= MQMO_MATCH_OFFSET;
	} else if (val(w, "t", &v)) {
		struct msg *m = find_name(v);

		memset(gmo->MsgToken, 0, 16);
		if (m && m->has_token)
			memcpy(gmo->MsgToken, m->token, 16);
		gmo->MatchOptions |= MQMO_MATCH_MSG_TOKEN;
	} else if (val(w, "gmo", &v)) {
		gmo->Version = num(v);
	} else if (val(w, "opt", &v)) {
		gmo->Options |= num(v);
	} else if (val(w, "mopt", &v)) {
		gmo->MatchOptions |= num(v);
	} else if (val(w, "sig1", &v)) {
		gmo->Signal1 = num(v);
	} else if (val(w, "wi", &v)) {
		gmo->WaitInterval = num(v);
	} else if (!strcmp(w, "v1")) {
		md->Version = MQMD_VERSION_1;
	} else {
		fprintf(stderr, "# get: unknown word %s\n", w), abort();
	}
}

/* Descriptor of a message against what was put (G-OUT-1, M-MD table). */
static void get_check_md(struct mqh *h, struct msg *m, const MQMDE *mde,
			 bool cut, char *s)
{
	const MQMD *d = &h->md, *e = &m->md;

	note(s, d->Priority == e->Priority, "pri");
	note(s, d->Persistence == e->Persistence, "per");
	note(s, !memcmp(d->CorrelId, e->CorrelId, 24), "correlid");
	note(s, d->MsgType == e->MsgType, "type");
	note(s, d->Report == e->Report, "report");
	note(s, d->Feedback == e->Feedback, "feedback");
	note(s, e->Expiry > 0 ? d->Expiry > 0 && d->Expiry <= e->Expiry :
	     d->Expiry == MQEI_UNLIMITED, "expiry");
	note(s, d->BackoutCount >= 0 && d->BackoutCount < 100, "boc");
	if (cut)		/* the MQMDE was not all returned */
		return;
	note(s, (mde ? mde->Encoding : d->Encoding) == e->Encoding, "enc");
	note(s, (mde ? mde->CodedCharSetId : d->CodedCharSetId) ==
	     e->CodedCharSetId, "ccsid");
	note(s, !memcmp(mde ? mde->Format : d->Format, e->Format, 8), "fmt");
	if (mde) {
		note(s, !memcmp(mde->GroupId, e->GroupId, 24), "gid");
		note(s, mde->MsgSeqNumber == e->MsgSeqNumber, "seq");
		note(s, mde->Offset == e->Offset, "off");
		note(s, mde->MsgFlags == e->MsgFlags, "flags");
		note(s, mde->OriginalLength == e->OriginalLength, "ol");
	} else if (d->Version == MQMD_VERSION_2) {
		note(s, !memcmp(d->GroupId, e->GroupId, 24), "gid");
		note(s, d->MsgSeqNumber == e->MsgSeqNumber, "seq");
		note(s, d->Offset == e->Offset, "off");
		note(s, d->MsgFlags == e->MsgFlags, "flags");
		note(s, d->OriginalLength == e->OriginalLength, "ol");
	}
}

/* The pieces of a logical message, each with its own data. */
static bool pieces_ok(const MQMD *md, const unsigned char *buf, int len)
{
	struct msg *m;
	int at = 0, i;

	while (at < len) {
		for (i = n_msgs - 1; i >= 0; i--) {
			m = &msgs[i];
			if (!memcmp(m->md.GroupId, md->GroupId, 24) &&
			    m->md.MsgSeqNumber == md->MsgSeqNumber &&
			    m->md.Offset == at && m->len && at + m->len <= len &&
			    filled(buf + at, m->name, m->len))
				break;
		}
		if (i < 0)
			return false;
		at += msgs[i].len;
	}
	return true;
}

static void get_check(struct mqh *h, const MQMD *was, const MQGMO *gmo,
		      char *name, char *s)
{
	MQLONG n = h->dlen < h->cap ? h->dlen : h->cap, f, i;
	const MQMDE *mde = NULL;
	const unsigned char *data = h->buf;
	struct msg *m;
	int skip = 0;

	if (h->md.Version == 1 && !memcmp(h->md.Format, MQFMT_MD_EXTENSION, 8)) {
		skip = MDE_LEN;
		if (n >= skip)
			mde = (const void *)h->buf;
		data += skip;
	}
	m = find_id(h->md.MsgId, data, n > skip ? n - skip : 0);
	strcpy(name, m ? m->name : "#");
	note(s, h->md.Version == was->Version &&
	     !memcmp(h->md.StrucId, was->StrucId, 4), "mdversion");
	if (was->Version == 1)
		note(s, !memcmp(h->md.GroupId, was->GroupId, 40), "v2");
	note(s, FIELD_IS(h->gmo.ResolvedQName, h->q), "resolved");
	note(s, !memcmp(&h->gmo, gmo, offsetof(MQGMO, ResolvedQName)), "gmo");
	note(s, h->gmo.MatchOptions == gmo->MatchOptions &&
	     h->gmo.MsgHandle == gmo->MsgHandle, "gmo");
	if (gmo->Version < 3)
		note(s, !memcmp(h->gmo.MsgToken, gmo->MsgToken, 20), "token");
	else
		note(s, h->gmo.ReturnedLength == n, "returned");
	for (i = n; i < h->cap + 16 && i < n + 64; i++)
		if (h->buf[i] != POISON)
			break;
	note(s, i == h->cap + 16 || i == n + 64, "behind");
	if (m && gmo->Version >= 3) {
		note(s, !all_zero(h->gmo.MsgToken, 16), "token");
		note(s, !m->has_token ||
		     !memcmp(m->token, h->gmo.MsgToken, 16), "token");
		memcpy(m->token, h->gmo.MsgToken, 16);
		m->has_token = true;
	}
	f = mde ? mde->MsgFlags : was->Version == 2 ? h->md.MsgFlags :
	    skip && m ? m->md.MsgFlags : 0;
	if (gmo->Version == 1)
		note(s, !memcmp(&h->gmo.GroupStatus, &gmo->GroupStatus, 3),
		     "status");
	else
		note(s, h->gmo.GroupStatus == (f & MQMF_LAST_MSG_IN_GROUP ? 'L' :
					       f & MQMF_MSG_IN_GROUP ? 'G' : ' ') &&
		     h->gmo.SegmentStatus == (f & MQMF_LAST_SEGMENT ? 'L' :
					      f & MQMF_SEGMENT ? 'S' : ' ') &&
		     h->gmo.Segmentation ==
		     (f & MQMF_SEGMENTATION_ALLOWED ? 'A' : ' '), "status");
	if (m && (gmo->Options & MQGMO_COMPLETE_MSG) && (f & MQMF_SEGMENT)) {
		if (m->md.MsgType != MQMT_REPORT && was->Version == 2)
			note(s, n < h->dlen || pieces_ok(&h->md, data, n), "data");
	} else if (m) {
		note(s, h->dlen == m->len + skip, "len");
		note(s, n <= skip || filled(data, m->name, n - skip), "data");
		get_check_md(h, m, mde, skip && !mde, s);
	}
}

const char *get(struct mqh *h, const char *opts)
{
	char words[512], name[32] = "", bad[256] = "", *w, *save;
	char *s = answer_buf();
	MQLONG cap = 65536;
	MQMD was;
	MQGMO gmo;
	MQLONG i;

	if (strcmp(opts, "keep")) {
		memset(&h->md, POISON, sizeof(h->md));
		memcpy(h->md.StrucId, MQMD_STRUC_ID, 4);
		h->md.Version = MQMD_VERSION_2;
		h->gmo = (MQGMO){ MQGMO_DEFAULT };
		h->gmo.Version = MQGMO_VERSION_4;
		h->gmo.MatchOptions = MQMO_NONE;
		h->gmo.GroupStatus = h->gmo.SegmentStatus = '?';
		h->gmo.Segmentation = h->gmo.Reserved1 = '?';
		h->gmo.ReturnedLength = -77;
		memset(h->gmo.MsgToken, POISON, 16);
		if (strstr(opts, "gmo=1")) {
			memset(h->md.MsgId, 0, 24);
			memset(h->md.CorrelId, 0, 24);
		}
		snprintf(words, sizeof(words), "%s", opts);
		for (w = strtok_r(words, " ", &save); w;
		     w = strtok_r(NULL, " ", &save))
			if (sscanf(w, "buf=%d", &cap) != 1)
				get_word(h, w);
	}
	h->buf = realloc(h->buf, (cap > 0 ? cap : 0) + 16);
	h->cap = cap > 0 ? cap : 0;
	if (h->cap <= 65536)
		memset(h->buf, POISON, h->cap + 16);
	else
		memset(h->buf + h->cap, POISON, 16);
	h->dlen = -77;
	was = h->md;
	gmo = h->gmo;
	MQGET(h->hc, h->ho, &h->md, &h->gmo, cap, cap ? h->buf : NULL, &h->dlen,
	      &h->cc, &h->rc);
	if (h->cc == MQCC_FAILED || h->rc == MQRC_SIGNAL_REQUEST_ACCEPTED ||
	    h->rc == MQRC_NO_MSG_LOCKED ||
	    (gmo.Options & MQGMO_UNLOCK)) {		/* G-OUT-3 */
		note(bad, !memcmp(&was, &h->md, sizeof(was)), "md");
		note(bad, !memcmp(&gmo, &h->gmo, sizeof(gmo)), "gmo");
		note(bad, h->dlen == -77, "dlen");
		for (i = 0; i < 64 && i < h->cap && h->buf[i] == POISON; i++)
			;
		note(bad, h->cap > 65536 || i == 64 || i == h->cap, "buf");
	} else {
		pthread_mutex_lock(&register_lock);
		get_check(h, &was, &gmo, name, bad);
		pthread_mutex_unlock(&register_lock);
	}
	if (h->cc == MQCC_OK && !h->rc && name[0])
		snprintf(s, ANSWER_LEN, "%s%s", name, bad);
	else
		snprintf(s, ANSWER_LEN, "%s%s%s%s", outcome(h->cc, h->rc),
			 name[0] ? " " : "", name, bad);
	return s;
}

const char *drain(struct mqh *h, const char *opts)
{
	static __thread char all[ANSWER_LEN];
	const char *r;
	size_t at = 0;

	all[0] = 0;
	while (r = get(h, opts), h->cc != MQCC_FAILED && at < 4000)
		at += snprintf(all + at, ANSWER_LEN - at, "%s%s",
			       at ? " " : "", r);
	if (strcmp(r, "F2033"))
		snprintf(all + at, ANSWER_LEN - at, "%s%s", at ? " " : "", r);
	return strcpy(answer_buf(), all);
}

void discard(struct mqh *h)
{
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	MQLONG cc, rc, dlen;

	gmo.Options = MQGMO_ACCEPT_TRUNCATED_MSG;
	gmo.Version = MQGMO_VERSION_2;
	gmo.MatchOptions = MQMO_NONE;
	do {
		MQGET(h->hc, h->ho, &md, &gmo, 0, NULL, &dlen, &cc, &rc);
	} while (cc != MQCC_FAILED);
}

const char *listq(const char *q)
{
	MQHCONN hc = conn();
	struct mqh *h = opn(hc, q, "b");
	const char *s;

	/* The answer that was made last is good for longest. */
	s = h->cc == MQCC_FAILED ? outcome(h->cc, h->rc) : drain(h, "BN");
	disc(&hc);
	free(h->buf);
	free(h);
	return s;
}
