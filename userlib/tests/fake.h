/* SPDX-License-Identifier: MIT */
/*
 * Tests without a kernel module: results in TAP, and a kernel that says what
 * the test wants.
 *
 * The nodes are plain files in a directory of the test, and ioctl() is
 * replaced. A test sees what the library sends by setting @fake_hook.
 */
#ifndef TESTS_FAKE_H
#define TESTS_FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmqc.h>
#include <linux/kmq.h>

/* Counts a check; a failed one says where. */
void check_that(bool good, const char *what, const char *file, int line);
void check_int(long want, long got, const char *what, const char *file,
	       int line);
void check_text(const void *want, const void *got, size_t n, const char *what,
		const char *file, int line);

#define CHECK(c)	check_that(c, #c, __FILE__, __LINE__)
#define INT(want, got)	check_int(want, got, #got, __FILE__, __LINE__)
/* A field of characters is this text, padded with blanks. */
#define TEXT(want, field) \
	check_text(want, field, sizeof(field), #field, __FILE__, __LINE__)
/* @n bytes are the same. */
#define BYTES(want, got, n)	CHECK(!memcmp(want, got, n))

struct test {
	const char *name;
	void (*run)(void);
};
#define TEST(function)	{ #function, function }

/* Runs tests, prints TAP; what main() returns. */
int run_tests(const struct test *tests, size_t count);
#define RUN(tests)	run_tests(tests, sizeof(tests) / sizeof((tests)[0]))

/* Completion code and reason of a call are these. */
#define RESULT(want_cc, want_rc)	\
	do {				\
		INT(want_cc, cc);	\
		INT(want_rc, rc);	\
	} while (0)

/*
 * The kernel. A hook returns 0, a negative errno, or FAKE_DEFAULT to have the
 * call answered as a kernel without messages might.
 */
#define FAKE_DEFAULT	1

extern int (*fake_hook)(int fd, unsigned int cmd, void *arg);
/* Calls so far, by command. */
extern unsigned int fake_calls[256];

/* Queue managers QM1 with queues Q and R, and QM2; environment set. */
void fake_start(void);
/* Add or remove a node below the directory. */
void fake_add(const char *path);
void fake_remove(const char *path);
void fake_mode(const char *path, int mode);
/* Path of a node. */
const char *fake_path(const char *path);

/* The default context, and its number. */
#define FAKE_CTX_ID	77
struct kmq_context fake_context(void);

/* Connect to QM1, open Q for everything. */
MQHCONN fake_conn(MQLONG options);
MQHOBJ fake_open(MQHCONN hconn, MQLONG options);
#define ALL_OPEN	(MQOO_INPUT_SHARED | MQOO_BROWSE | MQOO_OUTPUT | \
			 MQOO_INQUIRE | MQOO_SET)

/* Nodes the process has open. */
int open_files(void);

/* A put that asked where its message went: to the queue whose file @fd is. */
void fake_dest(int fd, struct kmq_put *put);

#endif
