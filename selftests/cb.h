/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Callbacks that say what they were called for.
 *
 * Every call of a callback leaves a word in a log; a test waits for the words
 * it expects. "A" is message A removed, "~A" one that was not, "E2016/1" an
 * event with its state, "start" the call of that name; the words of the second
 * callback begin with "2:", those of the event handler with "!".
 */
#ifndef SELFTESTS_CB_H
#define SELFTESTS_CB_H

#include "mqi.h"

#define ALL_CALLS	(MQCBDO_START_CALL | MQCBDO_STOP_CALL | \
			 MQCBDO_REGISTER_CALL | MQCBDO_DEREGISTER_CALL)

/*
 * A callback: its tag in the log, the handle it should be called with, what it
 * does before it says so, what was wrong with its calls, the last of them.
 */
struct target {
	const char *tag;
	MQHOBJ ho;
	void (*act)(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc);
	int faults;
	MQCBC last;
};

/* The function; CallbackArea is the target. */
void on_call(MQHCONN h, PMQVOID md, PMQVOID gmo, PMQVOID buf, PMQCBC cbc);

extern struct target one, two, handler;
/* ConnectionArea of ctl() */
extern int area;

/* All words so far, once there are as many as in @want; minutes at most. */
const char *heard(const char *want);
/* How many there are. */
unsigned int words_heard(void);
void forget(void);

/* What the next consumers get: as an MQGET with these options would. */
extern MQMD want_md;
extern MQGMO want_gmo;
extern MQLONG want_length;
void want(MQLONG options, MQLONG interval);

/* MQCB and MQCTL; they answer as get() does. */
const char *cb(MQHCONN hc, MQLONG op, MQLONG type, MQLONG options, MQHOBJ ho,
	       struct target *t);
const char *consumer(struct mqh *h, struct target *t, MQLONG options);
const char *consumer_op(struct mqh *h, MQLONG op);
const char *events(MQHCONN hc, MQLONG options);
const char *ctl(MQHCONN hc, MQLONG op);

#endif
