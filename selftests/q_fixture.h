/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The fixture of most programs: the queue Q (FIFO, as in the examples of the
 * specification), two connections c and d, a handle of each for browse, shared
 * input and output: h and k.
 */
#ifndef SELFTESTS_Q_FIXTURE_H
#define SELFTESTS_Q_FIXTURE_H

#include "kselftest_harness.h"
#include "mqi.h"
#include "waiter.h"

/* A machine that is busy with other things is no failure. */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT	600

#define Q	"KT.Q"

FIXTURE(q) {
	MQHCONN c, d;
	struct mqh *h, *k;
};

FIXTURE_SETUP(q)
{
	ASSERT_LE(0, admin_fd())
		TH_LOG("is the module loaded?");
	ASSERT_STREQ("OK", define(Q, "fifo"));
	self->c = conn();
	self->d = conn();
	self->h = opn(self->c, Q, "bio");
	self->k = opn(self->d, Q, "bio");
	ASSERT_STREQ("OK", outcome(self->h->cc, self->h->rc));
	ASSERT_STREQ("OK", outcome(self->k->cc, self->k->rc));
}

FIXTURE_TEARDOWN(q)
{
	if (self->c != MQHC_UNUSABLE_HCONN)
		disc(&self->c);
	if (self->d != MQHC_UNUSABLE_HCONN)
		disc(&self->d);
	clean_up();
}

/* One line per call: what is expected, handle, call. */
#define GET(want, h, opts)	EXPECT_STREQ(want, get(h, opts))
#define PUT(want, h, msg)	EXPECT_STREQ(want, put(h, msg))
#define PUTG(want, h, msg)	EXPECT_STREQ(want, putg(h, msg))
#define PUTS(h, msgs)		ASSERT_STREQ("OK", puts_all(h, msgs))
#define LIST(want)		EXPECT_STREQ(want, listq(Q))

#endif
