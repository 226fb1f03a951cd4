/* SPDX-License-Identifier: MIT */
/*
 * Carrying out MQSC commands on one queue manager.
 */
#ifndef KMQ_TOOL_MQSC_RUN_H
#define KMQ_TOOL_MQSC_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include "admin.h"
#include "mqsc_parse.h"

struct mqsc_session {
	struct admin *admin;
	const char *source;	/* of the lines; NULL if it has no name */
	bool verify;		/* only look whether commands are right */
	bool ended;		/* END has been read */
	unsigned int read;
	unsigned int wrong;	/* not understood */
	unsigned int failed;	/* understood, but not carried out */
	struct mqsc_joiner joiner;
	struct mqsc_command command;
};

/* One line of input; runs the command when it is complete. */
void mqsc_run_line(struct mqsc_session *session, const char *line);

/* No more lines: runs a command that was left unfinished. */
void mqsc_run_end(struct mqsc_session *session);

/* "KMQ0103E: ..." of a call that failed. Counts it. */
void mqsc_report(struct mqsc_session *session, const char *what, int result,
		 int32_t selector);

/* DISPLAY, in mqsc_show.c. */
void mqsc_show(struct mqsc_session *session);

/* Who uses the queue manager, in mqsc_conn.c. */
void mqsc_show_handles(struct mqsc_session *session);
void mqsc_show_conns(struct mqsc_session *session);
void mqsc_conn_state(struct mqsc_session *session);

#endif
