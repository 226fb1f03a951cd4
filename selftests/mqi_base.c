/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * mqi: names for data and identifiers, connections and handles, the
 * administration of queues.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "mqi.h"

#define PAGE		4096

static MQBYTE gids[64][24];
static int n_gids;

/* Answers live in a ring, so that several stand in one expression. */
char *answer_buf(void)
{
	static __thread char ring[16][4096];
	static __thread unsigned int at;

	return ring[at++ % 16];
}

const char *outcome(MQLONG cc, MQLONG rc)
{
	char *s = answer_buf();

	if (cc == MQCC_OK)
		strcpy(s, rc ? "OK!rc" : "OK");
	else if (cc == MQCC_WARNING || cc == MQCC_FAILED)
		sprintf(s, "%c%d%s", cc == MQCC_FAILED ? 'F' : 'W', rc,
			rc ? "" : "!rc");
	else
		sprintf(s, "cc%d/%d", cc, rc);
	return s;
}

void field_set(MQCHAR *f, size_t n, const char *s)
{
	size_t l = strlen(s);

	memset(f, ' ', n);
	memcpy(f, s, l < n ? l : n);
}

bool field_is(const MQCHAR *f, size_t n, const char *s)
{
	MQCHAR want[256];

	field_set(want, n, s);
	return !memcmp(f, want, n);
}

/* A page of noise; the first bytes of each page name the message and page. */
static void page_of(unsigned char *to, const char *name, size_t page)
{
	static unsigned char noise[PAGE];
	size_t i, l = strlen(name);
	unsigned int h = 0;

	if (!noise[1])
		for (i = 0; i < PAGE; i++)
			noise[i] = 1 + (i * 37 + i / 251) % 251;
	memcpy(to, noise, PAGE);
	for (i = 0; i < l; i++)
		h = h * 31 + (unsigned char)name[i];
	for (i = 0; i < 8; i++)
		to[i] = h + page * 7 + i * (page + 3);
	if (!page)
		memcpy(to, name, l);
}

void fill(void *buf, const char *name, size_t len)
{
	unsigned char p[PAGE];
	size_t at, n;

	for (at = 0; at < len; at += PAGE) {
		n = len - at < PAGE ? len - at : PAGE;
		page_of(p, name, at / PAGE);
		memcpy((char *)buf + at, p, n);
	}
}

bool filled(const void *buf, const char *name, size_t len)
{
	unsigned char p[PAGE];
	size_t at, n;

	for (at = 0; at < len; at += PAGE) {
		n = len - at < PAGE ? len - at : PAGE;
		page_of(p, name, at / PAGE);
		if (memcmp((const char *)buf + at, p, n))
			return false;
	}
	return true;
}

bool all_zero(const void *p, size_t n)
{
	const unsigned char *b = p;

	while (n--)
		if (*b++)
			return false;
	return true;
}

bool id_generated(const MQBYTE *id)
{
	return !memcmp(id, "AMQ " QM "         ", 16);
}

void id_set(MQBYTE *id, const char *name)
{
	int i = 0;

	memset(id, 0, 24);
	if (!strcmp(name, "none"))
		return;
	if (name[0] == 'G' && sscanf(name, "G%d", &i) == 1 && i >= 1 &&
	    i <= n_gids)
		memcpy(id, gids[i - 1], 24);
	else
		memcpy(id, name, strlen(name) < 24 ? strlen(name) : 24);
}

const char *id_name(const MQBYTE *id)
{
	char *s = answer_buf();
	int i;

	if (all_zero(id, 24))
		return "-";
	if (!id_generated(id)) {
		sprintf(s, "%.24s", (const char *)id);
		return s;
	}
	for (i = 0; i < n_gids && memcmp(gids[i], id, 24); i++)
		;
	if (i == n_gids && n_gids < 64)
		memcpy(gids[n_gids++], id, 24);
	sprintf(s, "G%d", i + 1);
	return s;
}

MQLONG open_options(const char *how)
{
	static const struct {
		char c;
		MQLONG o;
	} letters[] = {
		{ 'i', MQOO_INPUT_SHARED }, { 'x', MQOO_INPUT_EXCLUSIVE },
		{ 'd', MQOO_INPUT_AS_Q_DEF }, { 'b', MQOO_BROWSE },
		{ 'o', MQOO_OUTPUT }, { 'q', MQOO_INQUIRE }, { 's', MQOO_SET },
		{ 'c', MQOO_CO_OP }, { 'a', MQOO_SAVE_ALL_CONTEXT },
		{ 'p', MQOO_PASS_IDENTITY_CONTEXT },
		{ 'P', MQOO_PASS_ALL_CONTEXT },
		{ 't', MQOO_SET_IDENTITY_CONTEXT },
		{ 'T', MQOO_SET_ALL_CONTEXT },
		{ 'O', MQOO_BIND_ON_OPEN }, { 'N', MQOO_BIND_NOT_FIXED },
		{ 'G', MQOO_BIND_ON_GROUP }, { 'L', MQOO_RESOLVE_LOCAL_Q },
	};
	MQLONG o = 0;
	size_t i;

	for (; *how; how++)
		for (i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
			if (letters[i].c == *how)
				o |= letters[i].o;
	return o;
}

static void name_of(char *name, const MQCHAR48 field)
{
	size_t n = MQ_Q_NAME_LENGTH;

	while (n && (!field[n - 1] || field[n - 1] == ' '))
		n--;
	memcpy(name, field, n);
	name[n] = 0;
}

struct mqh *opn(MQHCONN hc, const char *q, const char *how)
{
	struct mqh *h = calloc(1, sizeof(*h));
	const char *at = strchr(q, '@');
	MQOD od = { MQOD_DEFAULT };

	od.Version = MQOD_VERSION_4;
	FIELD_SET(od.ObjectName, q);
	if (at) {
		memset(od.ObjectName + (at - q), 0,
		       sizeof(od.ObjectName) - (at - q));
		FIELD_SET(od.ObjectQMgrName, at + 1);
	}
	h->hc = hc;
	h->ho = 77;
	MQOPEN(hc, &od, open_options(how), &h->ho, &h->cc, &h->rc);
	if (h->cc == MQCC_FAILED)
		return h;
	name_of(h->q, od.ResolvedQName);
	name_of(h->qm, od.ResolvedQMgrName);
	if (!h->q[0]) {
		snprintf(h->q, sizeof(h->q), "%s", q);
		strcpy(h->qm, QM);
	}
	return h;
}

const char *opn_rc(MQHCONN hc, const char *q, const char *how)
{
	struct mqh *h = opn(hc, q, how);
	char *s = strcpy(answer_buf(), outcome(h->cc, h->rc));

	if (h->cc == MQCC_FAILED && h->ho != MQHO_UNUSABLE_HOBJ)
		strcat(s, "!hobj");
	if (h->cc != MQCC_FAILED)
		MQCLOSE(hc, &h->ho, MQCO_NONE, &h->cc, &h->rc);
	free(h);
	return s;
}

const char *shut(struct mqh *h)
{
	char *s;

	MQCLOSE(h->hc, &h->ho, MQCO_NONE, &h->cc, &h->rc);
	s = strcpy(answer_buf(), outcome(h->cc, h->rc));
	if (h->cc != MQCC_FAILED && h->ho != MQHO_UNUSABLE_HOBJ)
		strcat(s, "!hobj");
	return s;
}

MQHCONN conn(void)
{
	return conn_to(QM);
}

/* The connections that are not to QM; one that is over may be taken again. */
static struct {
	MQHCONN hc;
	char qmgr[MQ_Q_MGR_NAME_LENGTH + 1];
} homes[64];
static unsigned int n_homes;

const char *home_of(MQHCONN hc)
{
	unsigned int i;

	for (i = 0; i < n_homes; i++)
		if (homes[i].hc == hc)
			return homes[i].qmgr;
	return QM;
}

static void set_home(MQHCONN hc, const char *qmgr)
{
	unsigned int i;

	for (i = 0; i < n_homes && homes[i].hc != hc; i++)
		;
	if (i == n_homes && (!strcmp(qmgr, QM) || n_homes == 64))
		return;
	n_homes += i == n_homes;
	homes[i].hc = hc;
	snprintf(homes[i].qmgr, sizeof(homes[i].qmgr), "%s", qmgr);
}

MQHCONN conn_to(const char *qmgr)
{
	MQCNO cno = { MQCNO_DEFAULT };
	MQCHAR48 name;
	MQHCONN hc;
	MQLONG cc, rc;

	FIELD_SET(name, qmgr);
	cno.Options = MQCNO_HANDLE_SHARE_NO_BLOCK;
	MQCONNX(name, &cno, &hc, &cc, &rc);
	if (cc != MQCC_OK)
		fprintf(stderr, "# MQCONNX: %s\n", outcome(cc, rc));
	set_home(hc, qmgr);
	return hc;
}

MQHCONN conn_known(MQBYTE24 id)
{
	MQCNO cno = { MQCNO_DEFAULT };
	MQHCONN hc = MQHC_UNUSABLE_HCONN;
	MQLONG cc, rc;

	cno.Version = MQCNO_VERSION_5;
	cno.Options = MQCNO_HANDLE_SHARE_NO_BLOCK;
	MQCONNX(QM, &cno, &hc, &cc, &rc);
	memcpy(id, cno.ConnectionId, sizeof(MQBYTE24));
	return hc;
}

const char *disc(MQHCONN *hc)
{
	MQLONG cc, rc;

	MQDISC(hc, &cc, &rc);
	return outcome(cc, rc);
}

const char *commit(MQHCONN hc)
{
	MQLONG cc, rc;

	MQCMIT(hc, &cc, &rc);
	return outcome(cc, rc);
}

const char *back(MQHCONN hc)
{
	MQLONG cc, rc;

	MQBACK(hc, &cc, &rc);
	return outcome(cc, rc);
}

/* Words of define(), alter() and alter_qmgr(); MQCA_*: text. */
static const struct {
	const char *word;
	int selector;
} attr_words[] = {
	{ "depth", MQIA_MAX_Q_DEPTH }, { "len", MQIA_MAX_MSG_LENGTH },
	{ "fifo", MQIA_MSG_DELIVERY_SEQUENCE }, { "pri", MQIA_DEF_PRIORITY },
	{ "per", MQIA_DEF_PERSISTENCE }, { "get", MQIA_INHIBIT_GET },
	{ "put", MQIA_INHIBIT_PUT }, { "share", MQIA_SHAREABILITY },
	{ "defsopt", MQIA_DEF_INPUT_OPEN_OPTION },
	{ "deftype", MQIA_DEFINITION_TYPE }, { "usage", MQIA_USAGE },
	{ "presp", MQIA_DEF_PUT_RESPONSE_TYPE }, { "bind", MQIA_DEF_BIND },
	{ "reada", MQIA_DEF_READ_AHEAD },
	{ "cap", MQIA_CAP_EXPIRY }, { "propctl", MQIA_PROPERTY_CONTROL },
	{ "trig", MQIA_TRIGGER_CONTROL }, { "trigtype", MQIA_TRIGGER_TYPE },
	{ "trigdepth", MQIA_TRIGGER_DEPTH },
	{ "trigpri", MQIA_TRIGGER_MSG_PRIORITY },
	{ "trigdata", MQCA_TRIGGER_DATA }, { "process", MQCA_PROCESS_NAME },
	{ "initq", MQCA_INITIATION_Q_NAME },
	{ "trigint", MQIA_TRIGGER_INTERVAL },
	{ "high", MQIA_Q_DEPTH_HIGH_LIMIT }, { "low", MQIA_Q_DEPTH_LOW_LIMIT },
	{ "highev", MQIA_Q_DEPTH_HIGH_EVENT },
	{ "lowev", MQIA_Q_DEPTH_LOW_EVENT },
	{ "fullev", MQIA_Q_DEPTH_MAX_EVENT },
	{ "service", MQIA_Q_SERVICE_INTERVAL },
	{ "serviceev", MQIA_Q_SERVICE_INTERVAL_EVENT },
	{ "perfev", MQIA_PERFORMANCE_EVENT },
	{ "inhibitev", MQIA_INHIBIT_EVENT }, { "localev", MQIA_LOCAL_EVENT },
	{ "authev", MQIA_AUTHORITY_EVENT },
	{ "startev", MQIA_START_STOP_EVENT },
	{ "appltype", MQIA_APPL_TYPE }, { "applid", MQCA_APPL_ID },
	{ "env", MQCA_ENV_DATA }, { "user", MQCA_USER_DATA },
	{ "bothresh", MQIA_BACKOUT_THRESHOLD },
	{ "maxuncom", MQIA_MAX_UNCOMMITTED_MSGS },
	{ "handles", MQIA_MAX_HANDLES },
	{ "markint", MQIA_MSG_MARK_BROWSE_INTERVAL },
	{ "index", MQIA_INDEX_TYPE },
	{ "mode", KMQ_ATTR_MODE }, { "uid", KMQ_ATTR_UID },
	{ "gid", KMQ_ATTR_GID },
	{ "target", MQCA_BASE_OBJECT_NAME }, { "targtype", MQIA_BASE_TYPE },
	{ "rname", MQCA_REMOTE_Q_NAME },
	{ "rqm", MQCA_REMOTE_Q_MGR_NAME },
	{ "xmitq", MQCA_XMIT_Q_NAME }, { "descr", MQCA_Q_DESC },
	{ "boq", MQCA_BACKOUT_REQ_Q_NAME },
	{ "deadq", MQCA_DEAD_LETTER_Q_NAME },
	{ "defxmitq", MQCA_DEF_XMIT_Q_NAME },
	{ "streamq", MQCA_STREAM_QUEUE_NAME },
	{ "cluster", MQCA_CLUSTER_NAME }, { "useq", MQIA_CLWL_USEQ },
	{ "rank", MQIA_CLWL_Q_RANK }, { "prty", MQIA_CLWL_Q_PRIORITY },
};

static char defined[64][MQ_Q_NAME_LENGTH + 1];
static unsigned int n_defined;

/* What is administered instead of QM, and its admin node. */
static char other_qmgr[MQ_Q_MGR_NAME_LENGTH + 1];
static int other_fd = -1;

int admin_fd(void)
{
	static int fd = -1;

	if (other_fd >= 0)
		return other_fd;
	if (fd < 0)
		fd = open("/dev/kmq/" QM "/admin", O_RDWR | O_CLOEXEC);
	return fd;
}

void admin_at(const char *qmgr)
{
	char path[256];

	if (other_fd >= 0)
		close(other_fd);
	other_fd = -1;
	snprintf(other_qmgr, sizeof(other_qmgr), "%s", qmgr);
	if (!*qmgr)
		return;
	snprintf(path, sizeof(path), "/dev/kmq/%s/admin", qmgr);
	other_fd = open(path, O_RDWR | O_CLOEXEC);
}

static const char *control(unsigned long cmd, const char *qmgr)
{
	struct kmq_qmgr_name n = { .size = sizeof(n) };
	int fd = open("/dev/kmq/control", O_RDWR | O_CLOEXEC);
	int err;

	field_set((char *)n.name, sizeof(n.name), qmgr);
	err = ioctl(fd, cmd, &n);
	close(fd);
	return err ? "errno" : outcome(n.out_comp_code, n.out_reason);
}

const char *make_qmgr(const char *qmgr)
{
	control(KMQ_IOC_QMGR_DELETE, qmgr);
	return control(KMQ_IOC_QMGR_CREATE, qmgr);
}

const char *delete_qmgr(const char *qmgr)
{
	if (!strcmp(qmgr, other_qmgr))
		admin_at("");
	return control(KMQ_IOC_QMGR_DELETE, qmgr);
}

/* Words that say the type of the queue; without: local. */
static const struct {
	const char *word;
	int q_type;
} types[] = {
	{ "local", MQQT_LOCAL }, { "model", MQQT_MODEL },
	{ "alias", MQQT_ALIAS }, { "remote", MQQT_REMOTE },
};

static void attr_word(struct kmq_attr *a, char *w, struct kmq_define *d)
{
	char *v = strchr(w, '=');
	size_t i;

	if (v)
		*v++ = 0;
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(w, types[i].word)) {
			d->q_type = types[i].q_type;
			return;
		}
	for (i = 0; i < sizeof(attr_words) / sizeof(attr_words[0]); i++)
		if (!strcmp(w, attr_words[i].word))
			break;
	if (i == sizeof(attr_words) / sizeof(attr_words[0])) {
		fprintf(stderr, "# unknown attribute %s\n", w);
		abort();
	}
	memset(a, 0, sizeof(*a));
	a->selector = attr_words[i].selector;
	if (attr_words[i].selector >= MQCA_FIRST &&
	    attr_words[i].selector <= MQCA_LAST) {
		a->string = (uintptr_t)(v ? v : "");
		a->length = v ? strlen(v) : 0;
	} else {
		a->value = v ? strtol(v, NULL, 0) : 1;
	}
	d->attr_count++;
}

static const char *definition(unsigned long cmd, int object, const char *name,
			      const char *attrs)
{
	struct kmq_define d = {
		.size = sizeof(d), .object_type = object,
		.q_type = object == MQOT_Q ? MQQT_LOCAL : 0,
		.flags = cmd == KMQ_IOC_DEFINE ? KMQ_DEFINE_REPLACE : 0,
	};
	char words[512], *w, *save, *s;
	struct kmq_attr a[16];

	snprintf(words, sizeof(words), "%s", attrs ? attrs : "");
	for (w = strtok_r(words, " ", &save); w && d.attr_count < 16;
	     w = strtok_r(NULL, " ", &save))
		attr_word(&a[d.attr_count], w, &d);
	d.attrs = (uintptr_t)a;
	field_set((char *)d.name, sizeof(d.name), name);
	field_set((char *)d.like, sizeof(d.like), "");
	if (!ioctl(admin_fd(), cmd, &d))
		return outcome(d.out_comp_code, d.out_reason);
	s = answer_buf();
	sprintf(s, "errno %s", strerrorname_np(errno));
	return s;
}

/* A queue of that name from an earlier run that broke off is taken away. */
const char *define(const char *q, const char *attrs)
{
	unsigned int i;

	delete_q(q, KMQ_DELETE_PURGE);
	if (*other_qmgr)
		return definition(KMQ_IOC_DEFINE, MQOT_Q, q, attrs);
	for (i = 0; i < n_defined && strcmp(defined[i], q); i++)
		;
	if (i == n_defined && n_defined < 64)
		snprintf(defined[n_defined++], sizeof(defined[0]), "%s", q);
	return definition(KMQ_IOC_DEFINE, MQOT_Q, q, attrs);
}

const char *redefine(const char *q, const char *attrs)
{
	return definition(KMQ_IOC_DEFINE, MQOT_Q, q, attrs);
}

const char *alter(const char *q, const char *attrs)
{
	return definition(KMQ_IOC_ALTER, MQOT_Q, q, attrs);
}

const char *alter_qmgr(const char *attrs)
{
	return definition(KMQ_IOC_ALTER, MQOT_Q_MGR, "", attrs);
}

const char *define_process(const char *name, const char *attrs)
{
	return definition(KMQ_IOC_DEFINE, MQOT_PROCESS, name, attrs);
}

static const char *removal(unsigned long cmd, int object, const char *q,
			   unsigned int flags)
{
	struct kmq_delete d = {
		.size = sizeof(d), .flags = flags, .object_type = object,
	};
	char *s;

	field_set((char *)d.name, sizeof(d.name), q);
	if (!ioctl(admin_fd(), cmd, &d))
		return outcome(d.out_comp_code, d.out_reason);
	s = answer_buf();
	sprintf(s, "errno %s", strerrorname_np(errno));
	return s;
}

const char *delete_q(const char *q, unsigned int flags)
{
	return removal(KMQ_IOC_DELETE, MQOT_Q, q, flags);
}

const char *clear_q(const char *q)
{
	return removal(KMQ_IOC_CLEAR, MQOT_Q, q, 0);
}

const char *delete_process(const char *name)
{
	return removal(KMQ_IOC_DELETE, MQOT_PROCESS, name, 0);
}

void clean_up(void)
{
	while (n_defined)
		delete_q(defined[--n_defined], KMQ_DELETE_PURGE);
}

const char *qmgr_state(unsigned int state)
{
	struct kmq_qmgr_state s = { .size = sizeof(s), .state = state };

	if (ioctl(admin_fd(), KMQ_IOC_QMGR_STATE, &s))
		return "errno";
	return outcome(s.out_comp_code, s.out_reason);
}

const char *conn_state(const MQBYTE24 id, unsigned int state)
{
	struct kmq_conn_state s = { .size = sizeof(s), .state = state };

	memcpy(s.connection_id, id, sizeof(s.connection_id));
	return ioctl(admin_fd(), KMQ_IOC_CONN_STATE, &s) ?
		       "errno" : outcome(s.out_comp_code, s.out_reason);
}

struct kmq_status status(const char *q)
{
	struct kmq_status s = { .size = sizeof(s) };

	field_set((char *)s.name, sizeof(s.name), q);
	if (ioctl(admin_fd(), KMQ_IOC_STATUS, &s) || s.out_comp_code) {
		memset(&s, 0xff, sizeof(s));
		return s;
	}
	return s;
}

int depth(const char *q)
{
	return status(q).out_depth;
}

int inquire_int(const char *q, int selector)
{
	int value = -99;
	struct kmq_attrs a = {
		.size = sizeof(a), .object_type = q ? MQOT_Q : MQOT_Q_MGR,
		.selector_count = 1, .int_attr_count = 1,
		.selectors = (uintptr_t)&selector,
		.int_attrs = (uintptr_t)&value,
	};

	field_set((char *)a.name, sizeof(a.name), q ? q : "");
	if (ioctl(admin_fd(), KMQ_IOC_INQUIRE, &a) || a.out_comp_code)
		return -98;
	return value;
}

int open_node(const char *q, int flags)
{
	char path[256];

	snprintf(path, sizeof(path), "/dev/kmq/" QM "/queue/%s", q);
	return open(path, flags | O_CLOEXEC);
}

int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

void nap(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&t, &t))
		;
}
