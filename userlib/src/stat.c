// SPDX-License-Identifier: MIT
/*
 * MQSTAT: how puts went that were asked to be asynchronous (A-STAT).
 *
 * A program that asks for MQPMO_ASYNC_RESPONSE may look at nothing else. Those
 * that are held are counted when they are made, which this call sees to.
 */
#include "conn.h"

KMQ_SECOND_NAME(MQSTAT);

static void keep_name(char *to, const char *from)
{
	if (from)
		memcpy(to, from, KMQ_NAME_LEN);
	else
		memset(to, ' ', KMQ_NAME_LEN);
}

void kmq_stat_count(struct kmq_stat *stat, MQLONG comp_code, MQLONG reason,
		    const char *object, const char *object_qmgr,
		    const char *resolved, const char *resolved_qmgr)
{
	stat->count[comp_code]++;
	/* The first that failed; until one does, the first that warned. */
	if (comp_code <= stat->comp_code)
		return;
	stat->comp_code = comp_code;
	stat->reason = reason;
	stat->object_type = MQOT_Q;
	keep_name(stat->object, object);
	keep_name(stat->object_qmgr, object_qmgr);
	keep_name(stat->resolved, resolved);
	keep_name(stat->resolved_qmgr, resolved_qmgr);
}

static void report(MQSTS *sts, MQLONG version, const struct kmq_stat *stat)
{
	sts->CompCode = stat->comp_code;
	sts->Reason = stat->reason;
	sts->PutSuccessCount = stat->count[MQCC_OK];
	sts->PutWarningCount = stat->count[MQCC_WARNING];
	sts->PutFailureCount = stat->count[MQCC_FAILED];
	if (stat->comp_code != MQCC_OK) {
		sts->ObjectType = stat->object_type;
		memcpy(sts->ObjectName, stat->object, KMQ_NAME_LEN);
		memcpy(sts->ObjectQMgrName, stat->object_qmgr, KMQ_NAME_LEN);
		memcpy(sts->ResolvedObjectName, stat->resolved, KMQ_NAME_LEN);
		memcpy(sts->ResolvedQMgrName, stat->resolved_qmgr,
		       KMQ_NAME_LEN);
	}
	if (version >= MQSTS_VERSION_2) {
		sts->OpenOptions = 0;
		sts->SubOptions = 0;
	}
}

static MQLONG status(struct kmq_conn *c, MQLONG type, MQSTS *sts)
{
	MQLONG version = kmq_version_of(sts, MQSTS_STRUC_ID, MQSTS_VERSION_2);

	switch (type) {
	case MQSTAT_TYPE_ASYNC_ERROR:
		break;
	case MQSTAT_TYPE_RECONNECTION:
	case MQSTAT_TYPE_RECONNECTION_ERROR:
		return MQRC_ENVIRONMENT_ERROR;
	default:
		return MQRC_STAT_TYPE_ERROR;
	}
	if (!version)
		return MQRC_STS_ERROR;
	report(sts, version, &c->stat);
	memset(&c->stat, 0, sizeof(c->stat));
	return MQRC_NONE;
}

KMQ_API void MQENTRY MQSTAT(MQHCONN Hconn, MQLONG Type, PMQVOID pStatus,
			    PMQLONG pCompCode, PMQLONG pReason)
{
	struct kmq_conn *c;

	*pCompCode = MQCC_FAILED;
	c = kmq_conn_enter(Hconn, pReason);
	if (!c)
		return;
	*pReason = status(c, Type, pStatus);
	if (!*pReason)
		*pCompCode = MQCC_OK;
	kmq_conn_leave(c);
}
