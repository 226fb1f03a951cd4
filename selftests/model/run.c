/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * run: the calls of one seed, and what to say when they differ.
 */
#include <stdio.h>
#include <stdlib.h>
#include "call.h"

static void report(uint64_t seed, char stage, int n_calls, struct call *calls,
		   int n, const char *diff)
{
	int i;

	printf("DIFFERENCE: --stage %c --seed %llu --calls %d\n%s", stage,
	       (unsigned long long)seed, n_calls, diff);
	printf("shown by:\n");
	for (i = 0; i < n; i++) {
		printf("  ");
		call_print(&calls[i]);
	}
	printf("\n");
	fflush(stdout);
}

int model_run_seed(uint64_t seed, char stage, int n_calls)
{
	struct call *calls = calloc(n_calls, sizeof(*calls));
	struct gen *g = gen_new(seed, stage);
	char diff[DIFF_LEN];
	int i, at, n;

	for (i = 0; i < n_calls; i++)
		gen_call(g, &calls[i]);
	gen_free(g);
	exec_reads_ahead = seed & 1;
	at = exec_calls(calls, n_calls, diff);
	if (at >= 0) {
		printf("seed %llu: call %d differs:\n%s",
		       (unsigned long long)seed, at, diff);
		fflush(stdout);
		n = shrink(calls, at < n_calls ? at + 1 : n_calls, diff);
		report(seed, stage, n_calls, calls, n, diff);
	}
	free(calls);
	return at >= 0;
}
