/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The fixture of tests of distribution lists: three queues, a connection, a
 * list of two of them that is not open.
 */
#ifndef SELFTESTS_DL_FIXTURE_H
#define SELFTESTS_DL_FIXTURE_H

#include <string.h>
#include "kselftest_harness.h"
#include "dl.h"

/* Identifiers. */
static const MQBYTE24 none;

static inline bool same_id(const MQBYTE *a, const MQBYTE *b)
{
	return !memcmp(a, b, 24);
}

#define Q1	"KT.DL1"
#define Q2	"KT.DL2"
#define Q3	"KT.DL3"

FIXTURE(dl) {
	MQHCONN c;
	struct dl l;
};

FIXTURE_SETUP(dl)
{
	ASSERT_LE(0, admin_fd())
		TH_LOG("is the module loaded?");
	ASSERT_STREQ("OK", define(Q1, "fifo"));
	ASSERT_STREQ("OK", define(Q2, "fifo"));
	ASSERT_STREQ("OK", define(Q3, "fifo"));
	self->c = conn();
	dl_init(&self->l, self->c, Q1 " " Q2);
}

FIXTURE_TEARDOWN(dl)
{
	if (self->c != MQHC_UNUSABLE_HCONN)
		disc(&self->c);
	clean_up();
}

#endif
