/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Asynchronous puts whose owners are killed (P-ASY-2, U-END-2): a short form of
 * what "stress async" does.
 */
#include "kselftest_harness.h"
#include "stress/kq.h"

FIXTURE(run) {};
FIXTURE_SETUP(run) {}
FIXTURE_TEARDOWN(run) {}

TEST_F_TIMEOUT(run, async, 120)
{
	const struct async_plan plan = { .writers = 4, .seconds = 5 };

	EXPECT_EQ(0, stress_async(&plan));
}

TEST_HARNESS_MAIN
