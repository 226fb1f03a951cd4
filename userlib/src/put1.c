// SPDX-License-Identifier: MIT
/*
 * MQPUT1, and the files it keeps open.
 *
 * KMQ_IOC_PUT1 goes to the file of a queue that is bound to nothing. A
 * connection keeps the files of the queues it used last, so that a put to a
 * reply queue costs one system call. The right to put is checked when a file
 * is opened, as MQOPEN would; it holds as long as the file is kept.
 */
#include "put1.h"

#include <fcntl.h>

#include "device.h"
#include "name.h"
#include "od.h"
#include "put.h"

KMQ_SECOND_NAME(MQPUT1);

static void forget(struct kmq_put1_file *f)
{
	if (!f->queue[0])
		return;
	kmq_dev_close(f->fd);
	f->queue[0] = 0;
}

void kmq_put1_close(struct kmq_conn *c)
{
	int i;

	for (i = 0; i < KMQ_PUT1_FILES; i++)
		forget(&c->put1[i]);
}

static struct kmq_put1_file *find(struct kmq_conn *c, const char *queue)
{
	int i;

	for (i = 0; i < KMQ_PUT1_FILES; i++)
		if (!memcmp(c->put1[i].queue, queue, KMQ_NAME_LEN))
			return &c->put1[i];
	return NULL;
}

/* A file that is not open, or the one that has not been used for longest. */
static struct kmq_put1_file *oldest(struct kmq_conn *c)
{
	struct kmq_put1_file *best = &c->put1[0];
	int i;

	for (i = 0; i < KMQ_PUT1_FILES; i++) {
		struct kmq_put1_file *f = &c->put1[i];

		if (!f->queue[0])
			return f;
		/* The clock may have passed its end. */
		if (c->put1_clock - f->used > c->put1_clock - best->used)
			best = f;
	}
	return best;
}

/* What MQINQ answers about a queue, in the order of these selectors. */
static const MQLONG selectors[] = {
	MQIA_Q_TYPE, MQIA_DEF_PUT_RESPONSE_TYPE,
	MQCA_BASE_OBJECT_NAME, MQCA_REMOTE_Q_NAME, MQCA_REMOTE_Q_MGR_NAME,
};

struct definition {
	MQLONG q_type;
	MQLONG def_put_response;
	char base[KMQ_NAME_LEN];
	char remote_q[KMQ_NAME_LEN];
	char remote_qmgr[KMQ_NAME_LEN];
};

/* If there is no answer the queue counts as a plain one. */
static void inquire(const struct kmq_conn *c, const char *queue,
		    struct definition *d)
{
	struct kmq_attrs a = {
		.size = sizeof(a),
		.object_type = MQOT_Q,
		.selector_count = sizeof(selectors) / sizeof(selectors[0]),
		.int_attr_count = 2,
		.char_attr_length = 3 * KMQ_NAME_LEN,
		.selectors = (uintptr_t)selectors,
		.int_attrs = (uintptr_t)d,
		.char_attrs = (uintptr_t)d->base,
	};

	memset(d, ' ', sizeof(*d));
	memcpy(a.name, queue, sizeof(a.name));
	if (kmq_ioctl(c->fd, KMQ_IOC_INQUIRE, &a) ||
	    a.out_comp_code == MQCC_FAILED) {
		d->q_type = MQQT_LOCAL;
		d->def_put_response = MQPRT_SYNC_RESPONSE;
	}
}

/* Where the name leads to (P-RES-1), and how puts to it answer. */
static void look_at(const struct kmq_conn *c, struct kmq_put1_file *f)
{
	struct definition d;

	inquire(c, f->queue, &d);
	f->fixed = d.q_type != MQQT_ALIAS && d.q_type != MQQT_REMOTE;
	f->def_put_response = d.def_put_response;
	memcpy(f->resolved_q, f->queue, KMQ_NAME_LEN);
	memcpy(f->resolved_qmgr, c->qmgr, KMQ_NAME_LEN);
	if (d.q_type == MQQT_ALIAS) {
		memcpy(f->resolved_q, d.base, KMQ_NAME_LEN);
		inquire(c, f->resolved_q, &d);
	}
	if (d.q_type == MQQT_REMOTE) {
		memcpy(f->resolved_q, d.remote_q, KMQ_NAME_LEN);
		memcpy(f->resolved_qmgr, d.remote_qmgr, KMQ_NAME_LEN);
	}
}

static struct kmq_put1_file *open_file(struct kmq_conn *c, const MQOD *od,
				       const char *queue, PMQLONG reason)
{
	struct kmq_put1_file *f;
	int fd = kmq_od_open(c, od, O_WRONLY, reason);

	if (fd < 0)
		return NULL;
	f = oldest(c);
	forget(f);
	f->fd = fd;
	memcpy(f->queue, queue, KMQ_NAME_LEN);
	look_at(c, f);
	return f;
}

/**
 * struct put1 - one MQPUT1
 * @conn: connection
 * @od: object descriptor, checked
 * @queue: ObjectName, blank padded
 * @file: file it went to, or NULL
 * @call: the put
 */
struct put1 {
	struct kmq_conn *conn;
	MQOD *od;
	char queue[KMQ_NAME_LEN];
	struct kmq_put1_file *file;
	struct kmq_put_call call;
};

/* What of P-CHK-1, lines 3 and 4, comes before the name (P-CHK-3). */
static MQLONG early_reason(const struct kmq_put_call *call)
{
	static const MQLONG exclusive[] = {
		MQPMO_SYNCPOINT | MQPMO_NO_SYNCPOINT,
		MQPMO_DEFAULT_CONTEXT | MQPMO_NO_CONTEXT |
			MQPMO_PASS_IDENTITY_CONTEXT | MQPMO_PASS_ALL_CONTEXT |
			MQPMO_SET_IDENTITY_CONTEXT | MQPMO_SET_ALL_CONTEXT,
		MQPMO_ASYNC_RESPONSE | MQPMO_SYNC_RESPONSE,
	};
	MQLONG known = MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID |
		       MQPMO_ALTERNATE_USER_AUTHORITY |
		       MQPMO_FAIL_IF_QUIESCING | MQPMO_RESOLVE_LOCAL_Q |
		       MQPMO_WARN_IF_NO_SUBS_MATCHED | MQPMO_RETAIN |
		       MQPMO_MD_FOR_OUTPUT_ONLY | MQPMO_SCOPE_QMGR |
		       MQPMO_SUPPRESS_REPLYTO | MQPMO_NOT_OWN_SUBS;
	MQLONG options = call->put.options;
	size_t i;

	if (!call->put.pmo_version)
		return MQRC_PMO_ERROR;
	if (!call->put.md_version)
		return MQRC_MD_ERROR;
	for (i = 0; i < sizeof(exclusive) / sizeof(exclusive[0]); i++) {
		if (__builtin_popcount(options & exclusive[i]) > 1)
			return MQRC_OPTIONS_ERROR;
		known |= exclusive[i];
	}
	if (options & ~known)
		return MQRC_OPTIONS_ERROR;
	if (call->put.pmo_version >= MQPMO_VERSION_2 && call->pmo->RecsPresent)
		return MQRC_RECS_PRESENT_ERROR;
	return MQRC_NONE;
}

/* Reason for a put that found no queue to go to (P-CHK-3). */
static MQLONG unresolved_reason(const struct put1 *p, MQLONG reason)
{
	MQLONG early = early_reason(&p->call);

	if (early)
		return early;
	return kmq_od_unresolved(p->conn, reason, p->call.put.options &
						  MQPMO_FAIL_IF_QUIESCING);
}

/* The file of the queue was there before the queue went, or another came. */
static bool is_stale(MQLONG reason)
{
	return reason == MQRC_CONNECTION_BROKEN || reason == MQRC_Q_DELETED ||
	       reason == MQRC_UNKNOWN_OBJECT_NAME;
}

static MQLONG put_once(struct put1 *p, PMQLONG reason)
{
	struct kmq_put1_file *f = find(p->conn, p->queue);

	if (!f) {
		f = open_file(p->conn, p->od, p->queue, reason);
		p->file = f;
		if (!f)
			return MQCC_FAILED;
	} else {
		p->file = f;
		/* A definition may lead elsewhere meanwhile. */
		if (!f->fixed)
			look_at(p->conn, f);
	}
	f->used = p->conn->put1_clock++;
	return kmq_put_run(&p->call, f->fd, KMQ_IOC_PUT1, reason);
}

static MQLONG put_message(struct put1 *p, MQMD *md, MQPMO *pmo, MQLONG length,
			  const void *buffer, PMQLONG reason)
{
	bool kept = find(p->conn, p->queue);
	MQLONG comp_code;

	kmq_put_prepare(&p->call, p->conn, md, pmo, length, buffer);
	p->call.put.conn_fd = p->conn->fd;
	comp_code = put_once(p, reason);
	if (comp_code == MQCC_FAILED && kept && is_stale(*reason)) {
		forget(p->file);
		kmq_put_prepare(&p->call, p->conn, md, pmo, length, buffer);
		p->call.put.conn_fd = p->conn->fd;
		comp_code = put_once(p, reason);
	}
	if (!p->file)
		*reason = unresolved_reason(p, *reason);
	return comp_code;
}

/* Only a put that was done writes anything (P-ONE-5, P-ONE-8). */
static void put_done(struct put1 *p)
{
	const struct kmq_put1_file *f = p->file;
	bool remote = kmq_od_is_remote(p->conn, f->resolved_qmgr);

	kmq_put_finish(&p->call, p->conn, remote, f->resolved_q);
	kmq_od_found(p->od, remote, f->resolved_q, f->resolved_qmgr);
}

static void count(struct put1 *p, MQLONG comp_code, MQLONG reason)
{
	const struct kmq_put1_file *f = p->file;
	char qmgr[KMQ_NAME_LEN];

	if (!kmq_stat_wanted(p->call.put.options, f ? f->def_put_response :
						      MQPRT_SYNC_RESPONSE))
		return;
	kmq_name_pad(qmgr, p->od->ObjectQMgrName, sizeof(qmgr));
	kmq_stat_count(&p->conn->stat, comp_code, reason, p->queue, qmgr,
		       f ? f->resolved_q : NULL, f ? f->resolved_qmgr : NULL);
}

/* Order of the checks: P-CHK-3. */
static MQLONG put1(struct kmq_conn *c, MQOD *od, MQMD *md, MQPMO *pmo,
		   MQLONG length, const void *buffer, PMQLONG reason)
{
	struct put1 p = { .conn = c, .od = od };
	MQLONG comp_code;
	MQLONG unresolved;

	*reason = kmq_od_check(od);
	if (*reason)
		return MQCC_FAILED;
	unresolved = kmq_od_resolve(c, od);
	if (!unresolved && od->ObjectType != MQOT_Q)
		unresolved = MQRC_OPTION_NOT_VALID_FOR_TYPE;
	if (unresolved) {
		kmq_put_prepare(&p.call, c, md, pmo, length, buffer);
		*reason = unresolved_reason(&p, unresolved);
		return MQCC_FAILED;
	}
	kmq_name_pad(p.queue, od->ObjectName, sizeof(p.queue));
	comp_code = put_message(&p, md, pmo, length, buffer, reason);
	if (comp_code != MQCC_FAILED)
		put_done(&p);
	count(&p, comp_code, *reason);
	return comp_code;
}

KMQ_API void MQENTRY MQPUT1(MQHCONN Hconn, PMQVOID pObjDesc, PMQVOID pMsgDesc,
			    PMQVOID pPutMsgOpts, MQLONG BufferLength,
			    PMQVOID pBuffer, PMQLONG pCompCode,
			    PMQLONG pReason)
{
	struct kmq_conn *c;

	*pCompCode = MQCC_FAILED;
	c = kmq_conn_enter(Hconn, pReason);
	if (!c)
		return;
	*pCompCode = put1(c, pObjDesc, pMsgDesc, pPutMsgOpts, BufferLength,
			  pBuffer, pReason);
	kmq_conn_leave(c);
}
