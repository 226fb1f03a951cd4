/* SPDX-License-Identifier: MIT */
/*
 * A connection and one open queue, as put, get and browse need them. Every
 * function that fails has written the error line.
 */
#ifndef KMQ_TOOL_SESSION_H
#define KMQ_TOOL_SESSION_H

#include <stdbool.h>

#include "cmqc.h"

struct session {
	MQHCONN conn;
	MQHOBJ object;
	const char *queue;	/* as given, for error lines */
};

/* What to open; names may be NULL. */
struct session_target {
	const char *queue;
	const char *qmgr;
	const char *object_qmgr;
	const char *dynamic;
	MQLONG options;		/* MQOO_* */
};

/* Only connect. */
bool session_connect(struct session *session, const char *qmgr);

bool session_open(struct session *session, const struct session_target *target);

/* Commit or back out; a unit that had to be backed out is a failure. */
bool session_commit(struct session *session);
void session_backout(struct session *session);

/* Close and disconnect; warnings of MQCLOSE are written, but no failure. */
bool session_end(struct session *session, MQLONG close_options);

#endif
