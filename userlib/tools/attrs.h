/* SPDX-License-Identifier: MIT */
/*
 * Attributes of queues, of the queue manager and of what DISPLAY shows besides:
 * the MQSC keyword, the selector, how a value is written, and where it may
 * stand.
 */
#ifndef KMQ_TOOL_ATTRS_H
#define KMQ_TOOL_ATTRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum attr_kind {
	ATTR_NUMBER,	/* KEY(12), some also take words: CAPEXPRY(NOLIMIT) */
	ATTR_WORD,	/* KEY(WORD) */
	ATTR_SWITCH,	/* KEY or NOKEY */
	ATTR_TEXT,	/* KEY('any text') */
	ATTR_NAME,	/* KEY(NAME), folded to upper case unless quoted */
	ATTR_USER,	/* KEY(login name or number) */
	ATTR_GROUP,	/* KEY(group name or number) */
	ATTR_MODE,	/* KEY(octal) */
	ATTR_LIST,	/* KEY(WORD,WORD), shown only */
	ATTR_NAMES,	/* KEY(NAME,NAME), as many as a namelist may have */
};

/* What an attribute belongs to. */
#define ATTR_ON_LOCAL	(1U << 0)
#define ATTR_ON_MODEL	(1U << 1)
#define ATTR_ON_ALIAS	(1U << 2)
#define ATTR_ON_REMOTE	(1U << 3)
#define ATTR_ON_QMGR	(1U << 4)
#define ATTR_ON_STATUS	(1U << 5)
#define ATTR_ON_HANDLE	(1U << 6)
#define ATTR_ON_CONN	(1U << 7)
#define ATTR_ON_CLUSTER	(1U << 8)
#define ATTR_ON_QMSTATUS	(1U << 9)
#define ATTR_ON_PROCESS	(1U << 10)
#define ATTR_ON_NAMELIST	(1U << 11)
#define ATTR_ON_QUEUES	0x0fU

/* Longest text of any attribute (the names of all MQOO_*), without the null. */
#define ATTR_TEXT_MAX	512

/* Names of a namelist: how long, how many. */
#define ATTR_NAME_LEN	48
#define ATTR_NAMES_MAX	256

/* Room for any attribute as attr_format() writes it. */
#define ATTR_FORMAT_MAX	(ATTR_NAMES_MAX * (ATTR_NAME_LEN + 3) + 64)

struct attr_word {
	const char *text;
	int32_t value;
};

struct attr {
	const char *name;
	const char *synonym;
	const struct attr_word *words;
	int32_t selector;
	enum attr_kind kind;
	uint16_t length;	/* of the text kinds */
	uint16_t on;		/* ATTR_ON_* */
	bool shown_only;	/* cannot be defined or altered */
};

struct attr_value {
	int64_t number;		/* of ATTR_NAMES how many */
	char text[ATTR_TEXT_MAX + 1];
	const char *names;	/* of ATTR_NAMES: fields of ATTR_NAME_LEN bytes */
};

/*
 * What is shown and is no attribute of the MQI; the selectors of ATTR_ON_STATUS,
 * ATTR_ON_HANDLE, ATTR_ON_CONN and ATTR_ON_QMSTATUS.
 */
enum attr_status {
	STATUS_TYPE,
	STATUS_DEPTH,
	STATUS_OPEN_INPUT,
	STATUS_OPEN_OUTPUT,
	STATUS_UNCOMMITTED,
	STATUS_UNCOMMITTED_PUTS,
	STATUS_UNCOMMITTED_GETS,
	STATUS_WAITERS,
	STATUS_LOCKED,
	STATUS_BYTES,
	STATUS_MEMORY,
	STATUS_LAST_PUT_DATE,
	STATUS_LAST_PUT_TIME,
	STATUS_LAST_GET_DATE,
	STATUS_LAST_GET_TIME,
	STATUS_OLDEST_AGE,
	STATUS_TOTAL_PUTS,
	STATUS_TOTAL_GETS,

	/* of a handle and of a connection */
	USER_TYPE,
	USER_CONN,
	USER_EXTCONN,
	USER_APPL_TAG,
	USER_APPL_TYPE,
	USER_PID,
	USER_TID,
	USER_ID,

	HANDLE_OBJECT,
	HANDLE_OBJECT_TYPE,
	HANDLE_INPUT,
	HANDLE_OUTPUT,
	HANDLE_BROWSE,
	HANDLE_INQUIRE,
	HANDLE_SET,
	HANDLE_OPTIONS,
	HANDLE_READ_AHEAD,
	HANDLE_SIGNAL,
	HANDLE_LOCKED,

	CONN_STATE,
	CONN_PLAIN,
	CONN_DATE,
	CONN_TIME,
	CONN_HANDLES,
	CONN_UOW_STATE,
	CONN_UOW_DATE,
	CONN_UOW_TIME,
	CONN_UNCOMMITTED,
	CONN_WAIT_Q,

	QMSTATUS_NAME,
	QMSTATUS_STATE,
	QMSTATUS_CONNS,
};

extern const struct attr attr_table[];
extern const size_t attr_count;

/*
 * Find an attribute by keyword, synonym or an abbreviation of three letters or
 * more that fits one attribute only. @on limits the search. For a switch
 * *negated tells whether the word was its NO form.
 */
const struct attr *attr_find(const char *word, unsigned int on, bool *negated);

bool attr_is_number(const struct attr *attr);
bool attr_is_text(const struct attr *attr);
bool attr_is_node(const struct attr *attr);

/*
 * Read a value as written between the parentheses. On a bad value returns
 * false and points *why at the reason in words.
 */
bool attr_parse(const struct attr *attr, const char *word, bool quoted,
		struct attr_value *value, const char **why);

/*
 * Write keyword and value as they stand in a command: "MAXDEPTH(5000)". Text
 * that a command would fold or take apart is quoted.
 */
int attr_format_text(const char *name, const char *text, char *buffer,
		     size_t size);
int attr_format(const struct attr *attr, const struct attr_value *value,
		char *buffer, size_t size);

/* The ATTR_ON_* bit of an MQQT_* value, 0 for others. */
unsigned int attr_on_q_type(int32_t q_type);

#endif
