/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A short run of the model: random calls of a few seeds, compared with it.
 * For more there is the program model/model; see its --help.
 */
#include "kselftest_harness.h"
#include "mqi.h"
#include "model/call.h"

#define CALLS		200
#define MS		3000	/* for each stage */
#define AT_LEAST	6	/* seeds, however slow the machine is */
#define AT_MOST		40

FIXTURE(model) {
};

FIXTURE_VARIANT(model) {
	char stage;
};

FIXTURE_VARIANT_ADD(model, a) { .stage = 'a' };
FIXTURE_VARIANT_ADD(model, b) { .stage = 'b' };
FIXTURE_VARIANT_ADD(model, c) { .stage = 'c' };

FIXTURE_SETUP(model)
{
	ASSERT_LE(0, admin_fd())
		TH_LOG("is the module loaded?");
}

FIXTURE_TEARDOWN(model)
{
	exec_end();
}

/* A difference is printed with the calls that show it. */
TEST_F_TIMEOUT(model, same_answers, 120)
{
	int64_t end = now_ms() + MS;
	uint64_t seed;

	for (seed = 1; seed <= AT_LEAST ||
	     (seed <= AT_MOST && now_ms() < end); seed++)
		ASSERT_EQ(0, model_run_seed(seed, variant->stage, CALLS));
}

TEST_HARNESS_MAIN
