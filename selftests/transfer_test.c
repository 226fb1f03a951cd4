/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Units of work whose owners are killed (U-END-2): a short form of what
 * "stress transfer" does.
 */
#include "kselftest_harness.h"
#include "stress/kq.h"

FIXTURE(run) {};
FIXTURE_SETUP(run) {}
FIXTURE_TEARDOWN(run) {}

TEST_F_TIMEOUT(run, transfer, 120)
{
	const struct transfer_plan plan = {
		.messages = 300, .moves = 4000, .workers = 4, .seconds = 10,
	};

	EXPECT_EQ(0, stress_transfer(&plan));
}

TEST_HARNESS_MAIN
