/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * model: random calls on kmq and on a plain model of its rules, compared.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include "../mqi.h"
#include "call.h"

static const char usage[] =
"Usage: model [OPTION]...\n"
"\n"
"Makes random calls on a queue and on a model of the specification, and\n"
"compares all outputs. A difference is printed with a shortened call list.\n"
"\n"
"  --stage a|b|c      a: order, match options, browse, locks, marks, context;\n"
"                     b: and groups, segments; c: and units of work\n"
"  --seeds FROM-TO    one fresh queue for each seed (default 1-100); of odd\n"
"                     ones with DEFREADA(YES)\n"
"  --seed N           only this one\n"
"  --calls N          calls of each seed (default 200)\n"
"  --max-failures N   stop after so many differing seeds (default 1)\n"
"  --quiet            no progress, no summary\n";

struct config {
	char stage;
	unsigned long from, to;
	int calls, max_failures;
	bool quiet;
};

static bool parse(int argc, char **argv, struct config *c)
{
	static const struct option options[] = {
		{ "stage", required_argument, NULL, 'g' },
		{ "seeds", required_argument, NULL, 'S' },
		{ "seed", required_argument, NULL, 's' },
		{ "calls", required_argument, NULL, 'n' },
		{ "max-failures", required_argument, NULL, 'm' },
		{ "quiet", no_argument, NULL, 'q' },
		{ NULL },
	};
	int o;

	while ((o = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (o == 'g')
			c->stage = *optarg;
		else if (o == 'S' && sscanf(optarg, "%lu-%lu", &c->from,
					    &c->to) == 2)
			continue;
		else if (o == 's')
			c->from = c->to = strtoul(optarg, NULL, 0);
		else if (o == 'n')
			c->calls = atoi(optarg);
		else if (o == 'm')
			c->max_failures = atoi(optarg);
		else if (o == 'q')
			c->quiet = true;
		else
			return false;
	}
	return optind == argc && c->stage >= 'a' && c->stage <= 'c' &&
	       c->calls > 0;
}

static void progress(const struct config *c, unsigned long seed, int64_t began)
{
	int64_t ms = now_ms() - began;

	if (c->quiet)
		return;
	printf("seed %lu: %ld calls, %lld a second\n", seed, exec_count,
	       (long long)(exec_count * 1000 / (ms ? ms : 1)));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct config c = { 'a', 1, 100, 200, 1 };
	int64_t began = now_ms(), said = began;
	unsigned long seed;
	int failures = 0;

	if (!parse(argc, argv, &c)) {
		fputs(usage, stderr);
		return 2;
	}
	for (seed = c.from; seed <= c.to && failures < c.max_failures; seed++) {
		failures += model_run_seed(seed, c.stage, c.calls);
		if (now_ms() - said > 5000) {
			said = now_ms();
			progress(&c, seed, began);
		}
	}
	progress(&c, seed - 1, began);
	if (!c.quiet)
		exec_summary();
	exec_end();
	printf("stage %c: %d of %lu seeds differ\n", c.stage, failures,
	       seed - c.from);
	return failures ? 1 : 0;
}
