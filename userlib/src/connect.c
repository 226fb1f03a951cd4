// SPDX-License-Identifier: MIT
/*
 * MQCONN, MQCONNX, MQDISC.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "control.h"
#include "device.h"
#include "held.h"
#include "name.h"
#include "object.h"
#include "put1.h"

KMQ_SECOND_NAME(MQCONN);
KMQ_SECOND_NAME(MQCONNX);
KMQ_SECOND_NAME(MQDISC);

/* Of each of these sets an MQCNO may name at most one member (O-CONN-4). */
static const MQLONG exclusive[] = {
	MQCNO_FASTPATH_BINDING | MQCNO_SHARED_BINDING | MQCNO_ISOLATED_BINDING,
	MQCNO_LOCAL_BINDING | MQCNO_CLIENT_BINDING,
	MQCNO_HANDLE_SHARE_NONE | MQCNO_HANDLE_SHARE_BLOCK |
		MQCNO_HANDLE_SHARE_NO_BLOCK,
	MQCNO_RECONNECT | MQCNO_RECONNECT_DISABLED | MQCNO_RECONNECT_Q_MGR,
	MQCNO_ACCOUNTING_MQI_ENABLED | MQCNO_ACCOUNTING_MQI_DISABLED,
	MQCNO_ACCOUNTING_Q_ENABLED | MQCNO_ACCOUNTING_Q_DISABLED,
	MQCNO_ACTIVITY_TRACE_ENABLED | MQCNO_ACTIVITY_TRACE_DISABLED,
};

/* Accepted alone or together, without effect (O-CONN-5). */
#define OTHER_OPTIONS							\
	(MQCNO_SERIALIZE_CONN_TAG_Q_MGR | MQCNO_SERIALIZE_CONN_TAG_QSG | \
	 MQCNO_RESTRICT_CONN_TAG_Q_MGR | MQCNO_RESTRICT_CONN_TAG_QSG |	\
	 MQCNO_NO_CONV_SHARING | MQCNO_ALL_CONVS_SHARE |		\
	 MQCNO_CD_FOR_OUTPUT_ONLY | MQCNO_USE_CD_SELECTION |		\
	 MQCNO_GENERATE_CONN_TAG)

static bool options_valid(MQLONG options)
{
	MQLONG known = OTHER_OPTIONS;
	size_t i;

	for (i = 0; i < sizeof(exclusive) / sizeof(exclusive[0]); i++) {
		if (__builtin_popcount(options & exclusive[i]) > 1)
			return false;
		known |= exclusive[i];
	}
	return !(options & ~known);
}

static enum kmq_sharing sharing_of(MQLONG options)
{
	if (options & MQCNO_HANDLE_SHARE_BLOCK)
		return KMQ_SHARE_BLOCK;
	if (options & MQCNO_HANDLE_SHARE_NO_BLOCK)
		return KMQ_SHARE_NO_BLOCK;
	return KMQ_SHARE_NONE;
}

static MQLONG options_check(const MQCNO *cno, MQLONG *options)
{
	*options = MQCNO_NONE;
	if (!cno)
		return MQRC_NONE;
	if (!kmq_version_of(cno, MQCNO_STRUC_ID, MQCNO_VERSION_8))
		return MQRC_CNO_ERROR;
	*options = cno->Options;
	if (!options_valid(cno->Options))
		return MQRC_OPTIONS_ERROR;
	if (cno->Options & MQCNO_CLIENT_BINDING)
		return MQRC_HOST_NOT_AVAILABLE;
	return MQRC_NONE;
}

static MQLONG qmgr_name(char *name, const MQCHAR *given)
{
	if (!given || kmq_name_is_blank(given, KMQ_NAME_LEN)) {
		if (!kmq_name_default_qmgr(name))
			return MQRC_Q_MGR_NAME_ERROR;
	} else {
		kmq_name_pad(name, given, KMQ_NAME_LEN);
	}
	return kmq_name_is_valid(name) ? MQRC_NONE : MQRC_Q_MGR_NAME_ERROR;
}

static MQLONG open_reason(int err)
{
	switch (-err) {
	case ENOENT:
	case ENOTDIR:
		return MQRC_Q_MGR_NAME_ERROR;
	case ENODEV:
	case ENXIO:
		return MQRC_Q_MGR_NOT_AVAILABLE;
	case EMFILE:
	case ENFILE:
		return MQRC_RESOURCE_PROBLEM;
	default:
		return kmq_conn_reason(err);
	}
}

static int open_qmgr(const char *name)
{
	char path[KMQ_PATH_MAX];
	int fd;

	if (!kmq_path_qmgr(path, name, "qmgr"))
		return -ENOENT;
	/* Whether the connection is allowed is all the mode decides. */
	fd = kmq_dev_open(path, O_RDWR);
	return fd == -EACCES ? kmq_dev_open(path, O_RDONLY) : fd;
}

MQLONG kmq_conn_state(const struct kmq_conn *c)
{
	struct kmq_connect k = { .size = sizeof(k) };
	int err;

	/* It is connected already: if nothing is wrong, a warning. */
	err = kmq_ioctl(c->fd, KMQ_IOC_CONNECT, &k);
	if (err)
		return kmq_conn_reason(err);
	return k.out_comp_code == MQCC_FAILED ? (MQLONG)k.out_reason :
						MQRC_NONE;
}

MQLONG kmq_conn_quiescing(const struct kmq_conn *c)
{
	struct kmq_info info = { .size = sizeof(info) };
	MQLONG reason = kmq_conn_state(c);

	if (!reason && !kmq_ioctl(c->fd, KMQ_IOC_INFO, &info) &&
	    (info.out_holds & KMQ_EVENT_CONN_QUIESCING))
		reason = MQRC_CONNECTION_QUIESCING;
	return reason;
}

static void take_over(struct kmq_conn *c, int fd, const struct kmq_connect *k)
{
	c->fd = fd;
	c->ccsid = k->out_ccsid;
	c->ctx_id = k->out_ctx_id;
	memcpy(c->qmgr, k->out_qmgr_name, sizeof(c->qmgr));
	memcpy(c->id, k->out_connection_id, sizeof(c->id));
	kmq_origin_set(&c->origin, &k->out_context);
}

/* For how long the user wants gets to look out before they sleep. */
static uint32_t spin_wanted(void)
{
	const char *text = secure_getenv("KMQ_SPIN");
	unsigned long ns = text ? strtoul(text, NULL, 10) : 0;

	return ns < KMQ_MAX_SPIN ? ns : KMQ_MAX_SPIN;
}

/* Connect; on OK and WARNING @conn has been entered. */
static MQLONG conn_make(struct kmq_conn **conn, const char *name,
			enum kmq_sharing sharing, PMQLONG reason)
{
	struct kmq_connect k = { .size = sizeof(k), .spin = spin_wanted() };
	int fd, err;

	fd = open_qmgr(name);
	if (fd < 0) {
		*reason = open_reason(fd);
		return MQCC_FAILED;
	}
	err = kmq_ioctl(fd, KMQ_IOC_CONNECT, &k);
	*reason = err ? kmq_conn_reason(err) : (MQLONG)k.out_reason;
	if (err || k.out_comp_code == MQCC_FAILED)
		goto close;
	*conn = kmq_conn_add(sharing);
	if (!*conn) {
		*reason = MQRC_STORAGE_NOT_AVAILABLE;
		goto close;
	}
	take_over(*conn, fd, &k);
	return k.out_comp_code;
close:
	kmq_dev_close(fd);
	return MQCC_FAILED;
}

static MQLONG connect_to(struct kmq_conn **conn, const MQCHAR *given,
			 MQLONG options, PMQLONG reason)
{
	enum kmq_sharing sharing = sharing_of(options);
	struct kmq_conn *have = kmq_conn_of_thread();
	char name[KMQ_NAME_LEN];

	*reason = qmgr_name(name, given);
	if (*reason)
		return MQCC_FAILED;
	if (sharing != KMQ_SHARE_NONE || !have)
		return conn_make(conn, name, sharing, reason);
	/* One connection that is not shared for each thread (O-CONN-3). */
	if (!kmq_name_equal(name, have->qmgr, KMQ_NAME_LEN)) {
		*reason = MQRC_ANOTHER_Q_MGR_CONNECTED;
		return MQCC_FAILED;
	}
	*conn = kmq_conn_enter(have->item.handle, reason);
	if (!*conn)
		return MQCC_FAILED;
	*reason = MQRC_ALREADY_CONNECTED;
	return MQCC_WARNING;
}

static void conn_open(PMQCHAR name, MQCNO *cno, PMQHCONN hconn,
		      PMQLONG comp_code, PMQLONG reason)
{
	struct kmq_conn *c = NULL;
	MQLONG options;

	*comp_code = MQCC_FAILED;
	*reason = options_check(cno, &options);
	if (!hconn) {
		*reason = MQRC_HCONN_ERROR;
		return;
	}
	*hconn = MQHC_UNUSABLE_HCONN;
	if (*reason)
		return;
	*comp_code = connect_to(&c, name, options, reason);
	if (*comp_code == MQCC_FAILED)
		return;
	*hconn = c->item.handle;
	if (cno && cno->Version >= MQCNO_VERSION_5)
		memcpy(cno->ConnectionId, c->id, sizeof(c->id));
	kmq_conn_leave(c);
}

KMQ_API void MQENTRY MQCONN(PMQCHAR pQMgrName, PMQHCONN pHconn,
			    PMQLONG pCompCode, PMQLONG pReason)
{
	conn_open(pQMgrName, NULL, pHconn, pCompCode, pReason);
}

KMQ_API void MQENTRY MQCONNX(PMQCHAR pQMgrName, PMQCNO pConnectOpts,
			     PMQHCONN pHconn, PMQLONG pCompCode,
			     PMQLONG pReason)
{
	conn_open(pQMgrName, pConnectOpts, pHconn, pCompCode, pReason);
}

/*
 * Closes everything first, then commits (O-DISC-1, U-END-1). The connection
 * has ended afterwards, whatever the commit says.
 */
void kmq_conn_end(struct kmq_conn *c, PMQLONG comp_code, PMQLONG reason)
{
	kmq_objects_close(c);
	kmq_put1_close(c);
	kmq_conn_commit(c, comp_code, reason);
	kmq_held_free(c);
	kmq_dev_close(c->fd);
	kmq_conn_remove(c);
}

/* The connection to be ended, entered, or NULL. */
static struct kmq_conn *conn_to_end(MQHCONN hconn, PMQLONG reason)
{
	struct kmq_conn *c = kmq_conn_enter(hconn, reason);

	return !c && *reason == MQRC_HCONN_ASYNC_ACTIVE ?
		       kmq_control_halt(hconn, reason) : c;
}

KMQ_API void MQENTRY MQDISC(PMQHCONN pHconn, PMQLONG pCompCode,
			    PMQLONG pReason)
{
	struct kmq_conn *c;

	*pCompCode = MQCC_FAILED;
	*pReason = MQRC_HCONN_ERROR;
	c = pHconn ? conn_to_end(*pHconn, pReason) : NULL;
	if (!c)
		return;
	if (kmq_control_end(c, *pHconn, pReason))
		kmq_conn_end(c, pCompCode, pReason);
	else if (*pReason)
		return;
	else
		*pCompCode = MQCC_OK;
	*pHconn = MQHC_UNUSABLE_HCONN;
}
