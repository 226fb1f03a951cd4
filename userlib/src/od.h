/* SPDX-License-Identifier: MIT */
/*
 * What MQOPEN and MQPUT1 have in common: the MQOD, and from it to the node.
 */
#ifndef KMQ_OD_H
#define KMQ_OD_H

#include "conn.h"

/* Structure, type and records of an MQOD: 2044, 2043, 2154 to 2156. */
MQLONG kmq_od_check(const MQOD *od);

/* RecsPresent and the records of a list, if the version has them. */
MQLONG kmq_od_records(const MQOD *od);

/*
 * A queue that is here and has a name that may exist: 2086, 2087, 2085; lists
 * and selection strings, which are not built: 2298.
 */
MQLONG kmq_od_resolve(const struct kmq_conn *conn, const MQOD *od);

/**
 * kmq_od_open() - open the node of the queue that an MQOD names
 * @conn: connection
 * @od: checked by kmq_od_resolve()
 * @flags: O_RDONLY, O_WRONLY or O_RDWR
 * @reason: set if it fails
 *
 * Return: descriptor or -1.
 */
int kmq_od_open(const struct kmq_conn *conn, const MQOD *od, int flags,
		PMQLONG reason);

/**
 * kmq_od_unresolved() - reason for a name that led to no queue
 * @conn: connection
 * @reason: what is wrong with the name
 * @if_quiescing: FAIL_IF_QUIESCING was given
 *
 * Return: what comes before @reason (O-OPEN-13): 2009, 2162, 2161; or @reason.
 */
MQLONG kmq_od_unresolved(const struct kmq_conn *conn, MQLONG reason,
			 bool if_quiescing);

/* Fields that tell where a single queue was found (P-ONE-5, section 3.1). */
void kmq_od_found(MQOD *od, bool remote, const char *resolved_q,
		  const char *resolved_qmgr);

/* True if the name is another queue manager's. */
bool kmq_od_is_remote(const struct kmq_conn *conn, const char *qmgr_name);

#endif
