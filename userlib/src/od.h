/* SPDX-License-Identifier: MIT */
/*
 * What MQOPEN and MQPUT1 have in common: the MQOD, and from it to the node.
 */
#ifndef KMQ_OD_H
#define KMQ_OD_H

#include "conn.h"
#include "results.h"

/* Structure and type of an MQOD: 2044, 2043. */
MQLONG kmq_od_check(const MQOD *od);

/* RecsPresent and the records of a list, if the version has any: 2154..2156. */
MQLONG kmq_od_records(const MQOD *od);

/* Has it a selection string that is not empty? */
bool kmq_od_selects(const MQOD *od);

/* Is it a distribution list? For one whose records have been checked: */
bool kmq_od_is_list(const MQOD *od);

/* what is wrong with it having a name itself (O-NAME-2): 2152, 2153; */
MQLONG kmq_od_list_name(const MQOD *od);

/* the names of its queues, as many as RecsPresent says; */
const MQOR *kmq_od_names(const MQOD *od);

/* its response records, likewise, or NULL; */
MQRR *kmq_od_responses(const MQOD *od);

/* an MQOD of one of its queues, of which a model is none (O-DL-5). */
void kmq_od_of_list(MQOD *one, const MQOD *od, const MQOR *names);

/* A name that may exist, for the type: 2086, 2194, 2085. */
MQLONG kmq_od_resolve(const struct kmq_conn *conn, const MQOD *od);

/**
 * kmq_od_open() - open the node of the queue that an MQOD names
 * @conn: connection
 * @od: checked by kmq_od_resolve()
 * @flags: O_RDONLY, O_WRONLY or O_RDWR
 * @here: set to whether the node is that of the queue of this name here
 * @reason: set if it fails: those of KMQ_IOC_RESOLVE, 2035, 2017
 *
 * Return: descriptor or -1.
 */
int kmq_od_open(const struct kmq_conn *conn, const MQOD *od, int flags,
		bool *here, PMQLONG reason);

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

/* The same for a list, whose version is 2 at least (O-DL-4). */
void kmq_od_found_list(MQOD *od, const struct kmq_results *results);

/* True if the name is another queue manager's. */
bool kmq_od_is_remote(const struct kmq_conn *conn, const char *qmgr_name);

#endif
