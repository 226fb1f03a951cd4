/* SPDX-License-Identifier: MIT */
/*
 * One message as get and browse receive it: descriptor, data, and how to ask
 * for it.
 */
#ifndef KMQ_TOOL_MESSAGE_H
#define KMQ_TOOL_MESSAGE_H

#include <stdbool.h>

#include "cmqc.h"
#include "session.h"

struct message {
	MQMD md;
	MQLONG length;
	MQLONG room;
	char *data;
};

/* Which messages are wanted, and how. */
struct message_query {
	const char *qmgr;	/* of --qmgr, or NULL */
	MQGMO gmo;		/* Options, WaitInterval, MatchOptions */
	MQBYTE24 msg_id;
	MQBYTE24 correl_id;
	MQBYTE24 group_id;
};

enum message_result {
	MESSAGE_GOT,
	MESSAGE_NONE,		/* 2033 */
	MESSAGE_FAILED,		/* the error line is written */
};

void message_query_init(struct message_query *query);

/* Values of --wait and of the options that choose; see MESSAGE_OPTIONS. */
bool message_query_option(struct message_query *query, int option,
			  const char *value);

#define MESSAGE_SHORT_OPTIONS	"m:w:i:c:lCA"
#define MESSAGE_LONG_OPTIONS \
	{ "qmgr", required_argument, NULL, 'm' }, \
	{ "wait", required_argument, NULL, 'w' }, \
	{ "msg-id", required_argument, NULL, 'i' }, \
	{ "correl-id", required_argument, NULL, 'c' }, \
	{ "group-id", required_argument, NULL, MESSAGE_GROUP_ID }, \
	{ "logical", no_argument, NULL, 'l' }, \
	{ "complete", no_argument, NULL, 'C' }, \
	{ "all-available", no_argument, NULL, 'A' }
#define MESSAGE_USAGE \
"  -m, --qmgr QMGR          the same as QMGR after the queue\n" \
"  -w, --wait SECONDS       how long to wait for a message; 'forever'\n" \
"  -i, --msg-id ID          only this MsgId: text, or 0x and hexadecimal digits\n" \
"  -c, --correl-id ID       only this CorrelId\n" \
"      --group-id ID        only this GroupId\n" \
"  -l, --logical            in logical order\n" \
"  -C, --complete           segments joined to whole messages\n" \
"  -A, --all-available      only groups and messages that are complete\n"

enum { MESSAGE_GROUP_ID = 300 };

/* MQGET; the buffer grows as needed. */
enum message_result message_get(struct message *message,
				struct session *session,
				const struct message_query *query);
void message_free(struct message *message);

#endif
