// SPDX-License-Identifier: MIT
/*
 * MQPUT1, and the files it keeps open.
 *
 * KMQ_IOC_PUT1 goes to the file of a queue that is bound to nothing. A
 * connection keeps the files of the queues it used last, so that a put to a
 * reply queue costs one system call. The right to put is checked by each call,
 * as MQOPEN would.
 */
#include "put1.h"

#include <fcntl.h>

#include "device.h"
#include "name.h"
#include "od.h"
#include "put_list.h"

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

static struct kmq_put1_file *find(struct kmq_conn *c, const char *queue,
				  const char *qmgr)
{
	int i;

	for (i = 0; i < KMQ_PUT1_FILES; i++)
		if (!memcmp(c->put1[i].queue, queue, KMQ_NAME_LEN) &&
		    !memcmp(c->put1[i].qmgr, qmgr, KMQ_NAME_LEN))
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

	memcpy(f->resolved_q, f->queue, KMQ_NAME_LEN);
	if (kmq_od_is_remote(c, f->qmgr)) {
		f->fixed = true;
		f->def_put_response = MQPRT_SYNC_RESPONSE;
		memcpy(f->resolved_qmgr, f->qmgr, KMQ_NAME_LEN);
		return;
	}
	inquire(c, f->queue, &d);
	f->fixed = d.q_type != MQQT_ALIAS && d.q_type != MQQT_REMOTE;
	f->def_put_response = d.def_put_response;
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
				       const char *queue, const char *qmgr,
				       PMQLONG reason)
{
	struct kmq_put1_file *f;
	bool here;
	int fd = kmq_od_open(c, od, O_WRONLY, &here, reason);

	if (fd < 0)
		return NULL;
	f = oldest(c);
	forget(f);
	f->fd = fd;
	memcpy(f->queue, queue, KMQ_NAME_LEN);
	memcpy(f->qmgr, qmgr, KMQ_NAME_LEN);
	f->by_name = !here || !kmq_name_is_blank(qmgr, KMQ_NAME_LEN);
	look_at(c, f);
	return f;
}

/* Lines 3 and 4 of P-CHK-1, and P-CHK-5. */
static MQLONG early_reason(const struct kmq_put1 *p)
{
	MQLONG early = kmq_put_early(&p->call, true);

	if (!early && kmq_put_has_records(&p->call))
		early = MQRC_RECS_PRESENT_ERROR;
	return early;
}

static bool asks_for_other(const struct kmq_put1 *p)
{
	return kmq_version_of(p->pmo, MQPMO_STRUC_ID, MQPMO_VERSION_3) &&
	       (p->pmo->Options & MQPMO_ALTERNATE_USER_AUTHORITY);
}

/* Reason for a put that found no queue to go to (P-CHK-3). */
static MQLONG unresolved_reason(const struct kmq_put1 *p, MQLONG reason)
{
	MQLONG early = early_reason(p);

	if (early)
		return early;
	return kmq_od_unresolved(p->conn, reason, p->call.put.options &
						  MQPMO_FAIL_IF_QUIESCING);
}

/*
 * The file of the queue was there before the queue went, or another came, or
 * its node was made anew with other rights.
 */
static bool is_stale(MQLONG reason)
{
	return reason == MQRC_CONNECTION_BROKEN || reason == MQRC_Q_DELETED ||
	       reason == MQRC_UNKNOWN_OBJECT_NAME ||
	       reason == MQRC_NOT_AUTHORIZED;
}

static MQLONG put_once(struct kmq_put1 *p, PMQLONG reason)
{
	struct kmq_put1_file *f = find(p->conn, p->queue, p->qmgr);

	if (!f)
		f = open_file(p->conn, p->od, p->queue, p->qmgr, reason);
	p->file = f;
	if (!f)
		return MQCC_FAILED;
	if (f->by_name) {
		p->call.put.present |= KMQ_MD_DEST;
		memcpy(p->call.ext.dest_q, p->queue, KMQ_NAME_LEN);
		memcpy(p->call.ext.dest_qmgr, p->qmgr, KMQ_NAME_LEN);
	}
	f->used = p->conn->put1_clock++;
	return kmq_put_run(&p->call, f->fd, KMQ_IOC_PUT1, reason);
}

static void prepare(struct kmq_put1 *p)
{
	kmq_put_prepare(&p->call, p->conn, p->md, p->pmo, p->length, p->buffer);
	p->call.put.conn_fd = p->conn->fd;
	p->call.put.flags |= KMQ_PUT_WANT_DEST;
	if (p->records)
		kmq_record_apply(p->records, p->index, &p->call);
}

static MQLONG put_message(struct kmq_put1 *p, PMQLONG reason)
{
	bool kept = find(p->conn, p->queue, p->qmgr);
	MQLONG comp_code;

	prepare(p);
	comp_code = put_once(p, reason);
	if (comp_code == MQCC_FAILED && kept && is_stale(*reason)) {
		forget(p->file);
		prepare(p);
		comp_code = put_once(p, reason);
	}
	if (!p->file)
		*reason = unresolved_reason(p, *reason);
	return comp_code;
}

/* Only a put that was done writes anything (P-ONE-5, P-ONE-8). */
static void put_done(struct kmq_put1 *p)
{
	const char *q = (const char *)p->call.ext.dest_q;
	const char *qmgr = (const char *)p->call.ext.dest_qmgr;

	p->remote = p->call.put.out_flags & KMQ_PUT_OUT_REMOTE;
	kmq_put_finish(&p->call, p->conn, p->remote, q);
	kmq_od_found(p->od, p->remote, q, qmgr);
}

static void count(struct kmq_put1 *p, MQLONG comp_code, MQLONG reason)
{
	struct kmq_put1_file *f = p->file;

	if (!kmq_stat_wanted(p->call.put.options, f ? f->def_put_response :
						      MQPRT_SYNC_RESPONSE))
		return;
	/* A definition may lead elsewhere meanwhile. */
	if (f && !f->fixed)
		look_at(p->conn, f);
	kmq_stat_count(&p->conn->stat, comp_code, reason, p->queue, p->qmgr,
		       f ? f->resolved_q : NULL, f ? f->resolved_qmgr : NULL);
}

/* What MQPUT1 and MQOPEN both know, and P-ONE-3. */
static MQLONG open_options(const struct kmq_put1 *p)
{
	return MQOO_OUTPUT | MQOO_BIND_NOT_FIXED |
	       (p->call.put.options & (MQOO_PASS_IDENTITY_CONTEXT |
				       MQOO_PASS_ALL_CONTEXT |
				       MQOO_SET_IDENTITY_CONTEXT |
				       MQOO_SET_ALL_CONTEXT |
				       MQOO_ALTERNATE_USER_AUTHORITY |
				       MQOO_FAIL_IF_QUIESCING));
}

/* As another user: who that is can be told to the kernel in an open only. */
static MQLONG put_as_other(struct kmq_put1 *p, PMQLONG reason)
{
	struct kmq_object o = { .fd = -1 };
	MQLONG comp_code, ignored;
	MQOR names;

	memcpy(names.ObjectName, p->od->ObjectName, KMQ_NAME_LEN);
	memcpy(names.ObjectQMgrName, p->od->ObjectQMgrName, KMQ_NAME_LEN);
	comp_code = kmq_object_open_fixed(p->conn, p->od, &names,
					  open_options(p), &o, reason);
	if (comp_code == MQCC_FAILED)
		return comp_code;
	p->call.put.conn_fd = 0;
	p->call.put.options &= ~MQPMO_ALTERNATE_USER_AUTHORITY;
	comp_code = kmq_put_run(&p->call, o.fd, KMQ_IOC_PUT, reason);
	kmq_put_ended(&p->call, p->conn, &o, comp_code, *reason);
	p->remote = kmq_put_is_remote(&p->call, &o);
	if (comp_code != MQCC_FAILED)
		kmq_od_found(p->od, p->remote, o.resolved_q, o.resolved_qmgr);
	kmq_object_close(&o, MQCO_NONE, &ignored);
	kmq_dev_close(o.fd);
	return comp_code;
}

MQLONG kmq_put1_run(struct kmq_put1 *p, PMQLONG reason)
{
	MQLONG unresolved = kmq_od_resolve(p->conn, p->od);
	MQLONG comp_code;

	p->file = NULL;
	p->remote = false;
	if (!unresolved && p->od->ObjectType != MQOT_Q)
		unresolved = MQRC_OPTION_NOT_VALID_FOR_TYPE;
	if (!unresolved && kmq_od_selects(p->od))
		unresolved = MQRC_SELECTOR_INVALID_FOR_TYPE;
	if (unresolved) {
		prepare(p);
		*reason = unresolved_reason(p, unresolved);
		return MQCC_FAILED;
	}
	if (unlikely(asks_for_other(p))) {
		prepare(p);
		*reason = early_reason(p);
		return *reason ? MQCC_FAILED : put_as_other(p, reason);
	}
	kmq_name_pad(p->queue, p->od->ObjectName, sizeof(p->queue));
	kmq_name_pad(p->qmgr, p->od->ObjectQMgrName, sizeof(p->qmgr));
	comp_code = put_message(p, reason);
	if (comp_code != MQCC_FAILED)
		put_done(p);
	count(p, comp_code, *reason);
	return comp_code;
}

/* Records that no list has, or not a right one; not before line 4 (P-CHK-3). */
static MQLONG records_reason(struct kmq_put1 *p, MQLONG reason)
{
	MQLONG early;

	prepare(p);
	early = kmq_put_early(&p->call, true);
	return early ? early : reason;
}

/* Order of the checks: P-CHK-3. */
static MQLONG put1(struct kmq_put1 *p, PMQLONG reason)
{
	*reason = kmq_od_check(p->od);
	if (*reason)
		return MQCC_FAILED;
	*reason = kmq_od_records(p->od);
	if (*reason) {
		*reason = records_reason(p, *reason);
		return MQCC_FAILED;
	}
	if (kmq_od_is_list(p->od))
		return kmq_put1_list(p, reason);
	return kmq_put1_run(p, reason);
}

KMQ_API void MQENTRY MQPUT1(MQHCONN Hconn, PMQVOID pObjDesc, PMQVOID pMsgDesc,
			    PMQVOID pPutMsgOpts, MQLONG BufferLength,
			    PMQVOID pBuffer, PMQLONG pCompCode,
			    PMQLONG pReason)
{
	struct kmq_put1 p = {
		.od = pObjDesc,
		.md = pMsgDesc,
		.pmo = pPutMsgOpts,
		.length = BufferLength,
		.buffer = pBuffer,
	};

	*pCompCode = MQCC_FAILED;
	p.conn = kmq_conn_enter(Hconn, pReason);
	if (!p.conn)
		return;
	*pCompCode = put1(&p, pReason);
	kmq_conn_leave(p.conn);
}
