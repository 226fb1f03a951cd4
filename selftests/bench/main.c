// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * bench: the parts of the program by name.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const struct {
	const char *name;
	void (*run)(void);
	const char *what;
} parts[] = {
	{ "pairs", run_pairs, "a put and a get, beside other transports" },
	{ "depth", run_depth, "cost at depths of 1 to 1,000,000" },
	{ "past", run_past, "gets past locked and uncommitted messages" },
	{ "groups", run_groups, "groups: interleaved, incomplete, orphans" },
	{ "segments", run_segments, "segments that lead nowhere" },
	{ "waiters", run_waiters, "puts while others wait for other keys" },
	{ "memory", run_memory, "kernel memory of messages" },
	{ "mqi", run_mqi, "asynchronous puts, consumers, MQPUT1" },
	{ "late", run_late, "how late a real-time thread gets, and a queue's lock" },
	{ "cpus", run_cpus, "two processors, by time; only if it is named" },
};

static const struct option options[] = {
	{ "short", no_argument, NULL, 's' },
	{ "json", required_argument, NULL, 'j' },
	{ "unit", required_argument, NULL, 'u' },
	{ "strict", no_argument, NULL, 't' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static void usage(FILE *to)
{
	size_t i;

	fputs("Usage: bench [OPTION]... [PART]...\n\n"
	      "Runs all parts but cpus, or those named:\n", to);
	for (i = 0; i < ARRAY_SIZE(parts); i++)
		fprintf(to, "  %-14s %s\n", parts[i].name, parts[i].what);
	fputs("  cost           all but pairs and cpus\n"
	      "  trace          marked puts and gets, for \"profile\"\n\n"
	      "  --short        fewer samples, a tenth of the depth\n"
	      "  --json FILE    results for programs; - for standard output\n"
	      "  --unit WORD    what a nanosecond stands for\n"
	      "  --strict       exit status 1 if a bound is missed\n", to);
}

static bool is_wanted(size_t part, int argc, char **argv)
{
	bool counted = parts[part].run != run_cpus;
	int i;

	for (i = 0; i < argc; i++)
		if (!strcmp(argv[i], parts[part].name) ||
		    (part && counted && !strcmp(argv[i], "cost")))
			return true;
	return !argc && counted;
}

static void check_names(int argc, char **argv)
{
	size_t part;
	int i;

	for (i = 0; i < argc; i++) {
		for (part = 0; part < ARRAY_SIZE(parts); part++)
			if (!strcmp(argv[i], parts[part].name))
				break;
		if (part == ARRAY_SIZE(parts) && strcmp(argv[i], "cost")) {
			usage(stderr);
			die("unknown part: %s", argv[i]);
		}
	}
}

int main(int argc, char **argv)
{
	const char *json = NULL, *unit = "nanoseconds";
	bool strict = false;
	size_t part;
	int c, missed;

	setvbuf(stdout, NULL, _IOLBF, 0);
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 's':
			bench_hurry = 10;
			break;
		case 'j':
			json = optarg;
			break;
		case 'u':
			unit = optarg;
			break;
		case 't':
			strict = true;
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	}
	argc -= optind;
	argv += optind;
	if (argc == 1 && !strcmp(argv[0], "trace")) {
		run_trace();
		return 0;
	}
	check_names(argc, argv);
	out_begin(unit);
	for (part = 0; part < ARRAY_SIZE(parts); part++)
		if (is_wanted(part, argc, argv))
			parts[part].run();
	missed = out_end(json);
	return strict && missed;
}
