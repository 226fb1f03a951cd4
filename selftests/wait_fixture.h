/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The fixture of tests with gets that wait: as q_fixture.h, and handles for them.
 */
#ifndef SELFTESTS_WAIT_FIXTURE_H
#define SELFTESTS_WAIT_FIXTURE_H

#include "q_fixture.h"

/* A handle on a connection of its own: a wait occupies the connection. */
static inline struct mqh *own(const char *how)
{
	return opn(conn(), Q, how);
}

/* A get through handle @x; now @n of them sleep. */
#define WAITS(w, x, opts, n) do {					\
	(w) = wait_get(x, opts);					\
	ASSERT_TRUE(sleepers(Q, n));					\
} while (0)

#define START(w, how, opts, n)	WAITS(w, own(how), opts, n)

#endif
