/* SPDX-License-Identifier: MIT */
/*
 * Counters of puts that were asked to be asynchronous, for MQSTAT.
 */
#ifndef KMQ_STAT_H
#define KMQ_STAT_H

#include "internal.h"

/**
 * struct kmq_stat - what MQSTAT reports (A-STAT-2)
 * @count: puts that succeeded, warned, failed; by completion code
 * @comp_code: of the first put that failed, else the first that warned
 * @reason: of the same put, as what follows
 * @object_type: MQOT_*
 * @object: ObjectName of the open
 * @object_qmgr: ObjectQMgrName of the open
 * @resolved: local queue behind it
 * @resolved_qmgr: its queue manager
 */
struct kmq_stat {
	MQLONG count[3];
	MQLONG comp_code;
	MQLONG reason;
	MQLONG object_type;
	char object[KMQ_NAME_LEN];
	char object_qmgr[KMQ_NAME_LEN];
	char resolved[KMQ_NAME_LEN];
	char resolved_qmgr[KMQ_NAME_LEN];
};

/* Is this put one that MQSTAT counts? (A-STAT-3) */
KMQ_INLINE bool kmq_stat_wanted(MQLONG options, MQLONG def_put_response)
{
	return unlikely(options & MQPMO_ASYNC_RESPONSE) ||
	       unlikely(def_put_response == MQPRT_ASYNC_RESPONSE &&
			!(options & MQPMO_SYNC_RESPONSE));
}

/* Count a put; the names are 48 characters each, all may be NULL. */
void kmq_stat_count(struct kmq_stat *stat, MQLONG comp_code, MQLONG reason,
		    const char *object, const char *object_qmgr,
		    const char *resolved, const char *resolved_qmgr);

#endif
