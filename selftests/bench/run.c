// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Samples: how long something takes, many times.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

unsigned int bench_hurry = 1;

uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("bench: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(1);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct cost cost_of(double *samples, size_t count)
{
	struct cost cost;

	qsort(samples, count, sizeof(*samples), by_size);
	cost.median = samples[count / 2];
	cost.low = samples[count / 10];
	cost.high = samples[count - 1 - count / 10];
	return cost;
}

/* What two looks at the clock cost by themselves. */
static double clock_cost(void)
{
	static double cost = -1;
	double samples[101];
	size_t i;

	if (cost >= 0)
		return cost;
	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		uint64_t start = now_ns();

		samples[i] = now_ns() - start;
	}
	cost = cost_of(samples, ARRAY_SIZE(samples)).median;
	return cost;
}

struct cost measure(void (*fn)(void *arg), void *arg, size_t samples,
		    size_t inner)
{
	double overhead = clock_cost();
	double *sample = calloc(samples, sizeof(*sample));
	struct cost cost;
	size_t i, j;

	if (!sample)
		die("no memory");
	for (i = 0; i < inner; i++)
		fn(arg);
	for (i = 0; i < samples; i++) {
		uint64_t start = now_ns();

		for (j = 0; j < inner; j++)
			fn(arg);
		sample[i] = (now_ns() - start - overhead) / inner;
	}
	cost = cost_of(sample, samples);
	free(sample);
	return cost;
}

double time_of(void (*fn)(void *arg), void *arg)
{
	double overhead = clock_cost();
	uint64_t start = now_ns();

	fn(arg);
	return now_ns() - start - overhead;
}

double time_put(struct q_call *call)
{
	double overhead = clock_cost();
	uint64_t start = now_ns();

	q_put(call);
	return now_ns() - start - overhead;
}

double time_get(struct q_call *call)
{
	double overhead = clock_cost();
	uint64_t start = now_ns();

	q_get(call);
	return now_ns() - start - overhead;
}
