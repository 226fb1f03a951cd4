/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Very many queues, defined, used and deleted while clients use them: a short
 * form of what "stress queues" does with ten thousand.
 */
#include "kselftest_harness.h"
#include "stress/kq.h"

FIXTURE(run) {};
FIXTURE_SETUP(run) {}
FIXTURE_TEARDOWN(run) {}

TEST_F_TIMEOUT(run, queues, 240)
{
	const struct queues_plan plan = {
		.queues = 2000, .clients = 6, .seconds = 3,
	};

	EXPECT_EQ(0, stress_queues(&plan));
}

TEST_HARNESS_MAIN
