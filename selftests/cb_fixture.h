/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The fixture of tests with callbacks: as q_fixture.h, and nothing wrong with
 * any call at the end.
 */
#ifndef SELFTESTS_CB_FIXTURE_H
#define SELFTESTS_CB_FIXTURE_H

#include "cb.h"
#include "q_fixture.h"

FIXTURE(cb) {
	MQHCONN c, d;
	struct mqh *h, *k;
};

FIXTURE_SETUP(cb)
{
	ASSERT_LE(0, admin_fd());
	ASSERT_STREQ("OK", define(Q, "fifo"));
	self->c = conn();
	self->d = conn();
	self->h = opn(self->c, Q, "bio");
	self->k = opn(self->d, Q, "bio");
	want(MQGMO_WAIT, MQWI_UNLIMITED);
}

FIXTURE_TEARDOWN(cb)
{
	if (self->c != MQHC_UNUSABLE_HCONN)
		disc(&self->c);
	if (self->d != MQHC_UNUSABLE_HCONN)
		disc(&self->d);
	EXPECT_EQ(0, one.faults);
	EXPECT_EQ(0, two.faults);
	EXPECT_EQ(0, handler.faults);
	clean_up();
}

#define OK(call)	EXPECT_STREQ("OK", call)
#define START		OK(ctl(self->c, MQOP_START))
#define STOP		OK(ctl(self->c, MQOP_STOP))
#define SUSPEND		OK(ctl(self->c, MQOP_SUSPEND))
#define RESUME		OK(ctl(self->c, MQOP_RESUME))

#define HEARD(want)	EXPECT_STREQ(want, heard(want))
/* The same, and nothing more for a while. */
#define HEARD_ONLY(want) do {		\
	EXPECT_STREQ(want, heard(want));\
	nap(100);			\
	EXPECT_STREQ(want, heard(want));\
} while (0)

#endif
