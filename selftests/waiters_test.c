/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Gets that wait, of every kind, while everything happens to them (G-WAIT-9): a
 * short form of what "stress waiters" does.
 */
#include "kselftest_harness.h"
#include "stress/kq.h"

FIXTURE(run) {};
FIXTURE_SETUP(run) {}
FIXTURE_TEARDOWN(run) {}

TEST_F_TIMEOUT(run, waiters, 120)
{
	const struct waiters_plan plan = {
		.getters = 27, .putters = 6, .seconds = 6,
	};

	EXPECT_EQ(0, stress_waiters(&plan));
}

TEST_HARNESS_MAIN
