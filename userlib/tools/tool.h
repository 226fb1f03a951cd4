/* SPDX-License-Identifier: MIT */
/*
 * What all verbs share: exit status, error lines, names.
 */
#ifndef KMQ_TOOL_H
#define KMQ_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOOL_OK		0
#define TOOL_FAILED	1	/* a call failed */
#define TOOL_USAGE	2	/* the command line is wrong */

#define TOOL_NAME_LEN	48

struct tool_verb {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
};

/* How error lines begin: "kmq put", or "amqsput" when called so. */
extern const char *tool_name;

/* Called by the name of one of the MQ programs? */
bool tool_is(const char *name);

int cmd_put(int argc, char **argv);
int cmd_get(int argc, char **argv);
int cmd_browse(int argc, char **argv);
int cmd_save(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_sc(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_rc(int argc, char **argv);
int cmd_qmgr(int argc, char **argv);

/* "kmq put: ..." on standard error. */
void tool_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "kmq put: MQOPEN of X failed: 2085 MQRC_...". @object may be NULL. */
void tool_call_error(const char *call, const char *object, int32_t reason);

/* "2085 MQRC_UNKNOWN_OBJECT_NAME" in a static buffer. */
const char *tool_reason(int32_t reason);

/* Points at --help and returns TOOL_USAGE. */
int tool_usage_error(void);

/* Option values; on a bad one false, after an error line. */
bool tool_number(const char *option, const char *text, long least, long most,
		 int32_t *number);
bool tool_bytes(const char *option, const char *text, unsigned char *field,
		size_t size);
bool tool_name_field(const char *what, const char *text, char *field,
		     size_t size);

/* Print @size bytes as hexadecimal digits. */
void tool_print_hex(const void *bytes, size_t size);

/* Standard output is complete and without errors. */
bool tool_flush(void);

#endif
