/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Memory that is not there and user memory that cannot be reached, at every
 * step of the main calls (design 5.1: nothing is lost).
 */
#include "kselftest_harness.h"
#include "stress/kq.h"

FIXTURE(run) {};
FIXTURE_SETUP(run) {}
FIXTURE_TEARDOWN(run) {}

TEST_F_TIMEOUT(run, failnth, 120)
{
	int failures = stress_failnth(true);

	if (failures < 0)
		SKIP(return, "this kernel injects no faults");
	EXPECT_EQ(0, failures);
}

TEST_HARNESS_MAIN
