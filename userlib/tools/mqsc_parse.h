/* SPDX-License-Identifier: MIT */
/*
 * The grammar of MQSC: one command's text becomes one struct mqsc_command.
 * Parsing asks nobody; whether a queue exists is found out when it is run.
 */
#ifndef KMQ_TOOL_MQSC_PARSE_H
#define KMQ_TOOL_MQSC_PARSE_H

#include "attrs.h"
#include "mqsc_lex.h"

#define MQSC_NAME_MAX	48
#define MQSC_PARAMS_MAX	128
#define MQSC_IGNORED_MAX	32

enum mqsc_verb {
	MQSC_ALTER,
	MQSC_CLEAR,
	MQSC_DEFINE,
	MQSC_DELETE,
	MQSC_DISPLAY,
	MQSC_END_INPUT,
	MQSC_PING,
	MQSC_START,
	MQSC_STOP,
};

enum mqsc_object {
	MQSC_QUEUE,	/* any type; @q_type tells which */
	MQSC_QMGR,
	MQSC_QSTATUS,
	MQSC_QMSTATUS,
	MQSC_CONN,
	MQSC_PROCESS,
	MQSC_NAMELIST,
};

/* DISPLAY QSTATUS and DISPLAY CONN: TYPE(QUEUE) or (CONN), (HANDLE), (ALL). */
enum mqsc_listing {
	MQSC_LIST_SELF,
	MQSC_LIST_HANDLES,
	MQSC_LIST_BOTH,
};

enum mqsc_operator {
	MQSC_LT, MQSC_GT, MQSC_EQ, MQSC_NE, MQSC_LE, MQSC_GE,
	MQSC_LIKE, MQSC_UNLIKE,
	MQSC_CONTAINS, MQSC_EXCLUDES,
};

/* An attribute with its value, or in DISPLAY an attribute asked for. */
struct mqsc_param {
	const struct attr *attr;
	struct attr_value value;
};

struct mqsc_filter {
	const struct attr *attr;
	enum mqsc_operator operator;
	struct attr_value value;
};

struct mqsc_command {
	enum mqsc_verb verb;
	enum mqsc_object object;
	int q_type;			/* MQQT_*, MQQT_ALL in DISPLAY QUEUE */
	enum mqsc_listing listing;
	char name[MQSC_NAME_MAX + 1];	/* may end in '*' in DISPLAY */
	char like[MQSC_NAME_MAX + 1];
	bool replace;
	bool purge;
	bool ignore_missing;		/* IGNSTATE(YES) */
	bool all;
	struct mqsc_filter filter;	/* attr NULL if there is none */
	size_t ignored_count;
	const char *ignored[MQSC_IGNORED_MAX];	/* keywords passed over */
	size_t param_count;
	struct mqsc_param param[MQSC_PARAMS_MAX];
	char names[ATTR_NAMES_MAX][ATTR_NAME_LEN];	/* of NAMES */
};

enum mqsc_parsed {
	MQSC_VALID,
	MQSC_EMPTY,		/* nothing but a semicolon */
	MQSC_UNSUPPORTED,	/* MQSC, but about something kmq does not keep */
	MQSC_SYNTAX_ERROR,
};

enum mqsc_parsed mqsc_parse(const char *text, struct mqsc_command *command,
			    struct mqsc_fault *fault);

/* MQOT_* of the objects that can be defined, 0 of others. */
int mqsc_object_type(const struct mqsc_command *command);

/* Is the name a pattern? */
bool mqsc_is_generic(const struct mqsc_command *command);

/* Does a name fit a pattern that may end in '*'? */
bool mqsc_name_matches(const char *pattern, const char *name);

/* The keyword of a queue type: "QLOCAL". */
const char *mqsc_q_type_word(int q_type);

#endif
