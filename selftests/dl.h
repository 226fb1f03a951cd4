/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Distribution lists in one line a call.
 */
#ifndef SELFTESTS_DL_H
#define SELFTESTS_DL_H

#include "mqi.h"

#define DL_MAX	6

/* A list with the structures of the last call made through it. */
struct dl {
	MQHCONN hc;
	MQHOBJ ho;
	MQLONG cc, rc;
	int n;
	MQOD od;
	MQOR names[DL_MAX];
	MQRR opened[DL_MAX];	/* response records of the MQOD */
	MQMD md;
	MQPMO pmo;
	MQRR put[DL_MAX];	/* of the MQPMO */
};

/* A list of queues, separated by blanks; the response records are poisoned. */
void dl_init(struct dl *l, MQHCONN hc, const char *names);

/* Open it for output and @options. */
const char *dl_open(struct dl *l, MQLONG options);
const char *dl_close(struct dl *l, MQLONG options);

/*
 * Put @text through it, or with MQPUT1. The structures are as they are in the
 * list; dl_fresh() sets the initial ones.
 */
void dl_fresh(struct dl *l);
const char *dl_put(struct dl *l, const char *text);
const char *dl_put1(struct dl *l, const char *text);

/* Response records: "OK F2051 W2049", "-" for one not written. */
const char *dl_results(const MQRR *rr, int n);

/* KnownDestCount, UnknownDestCount, InvalidDestCount: "2 0 1". */
const char *dl_counts(const MQLONG *known);
#define OD_COUNTS(l)	dl_counts(&(l)->od.KnownDestCount)
#define PMO_COUNTS(l)	dl_counts(&(l)->pmo.KnownDestCount)

/* Take the first message of a queue: its text, or "F2033". */
const char *dl_take(MQHCONN hc, const char *q, MQMD *md);

#endif
