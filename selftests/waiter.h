/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Gets that wait, on threads of their own.
 */
#ifndef SELFTESTS_WAITER_H
#define SELFTESTS_WAITER_H

#include <stdbool.h>
#include "mqi.h"

/* One get. */
struct waiter;
struct waiter *wait_get(struct mqh *h, const char *opts);
/* True once the queue has @n gets that sleep (tried for minutes). */
bool sleepers(const char *q, unsigned int n);
bool waiting(struct waiter *w);
/* Ends when the get does. */
const char *result(struct waiter *w);

/* How many gets a crowd has, and how many messages there are for each. */
#define CROWD		4
#define CROWD_EACH	50

/*
 * A crowd gets one message after the other, with @opts through @in, all of which
 * are for the queue of @out. Those with SP are committed one by one, but each
 * fifth that a get has is backed out, for the next. "OK" if each message
 * came to exactly one.
 */
const char *serve_crowd(struct mqh *out, struct mqh *in[CROWD],
			const char *opts);

/*
 * Two who pass on a ball, which is a message: whoever gets one through @in puts
 * one to @out. @late: gets that came near the end of their wait; @wrong: that got
 * something else.
 */
struct player {
	struct mqh *in, *out;
	int rounds;
	int late, wrong;
};

/* Until both are through; there is a message for one of them. */
void play_ball(struct player *a, struct player *b);

#endif
