// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Segments that do not make up a logical message: many first ones, and behind
 * them a chain that leads all of them nowhere.
 */
#include <stdio.h>
#include <string.h>

#include "bench.h"

#define SAMPLES	101

static unsigned int many = 20000;

static char data[64];

static void segments_open(struct q_call *call)
{
	MQHCONN hc;
	MQHOBJ ho;

	q_define(BENCH_Q, 2000000);
	hc = q_connect();
	ho = q_open(hc, BENCH_Q, MQOO_OUTPUT | MQOO_INPUT_SHARED);
	q_call_init(call, hc, ho, data, 1);
	call->md.Version = MQMD_VERSION_2;
	call->md.MsgFlags = MQMF_SEGMENT;
}

static void segments_close(struct q_call *call)
{
	MQLONG comp_code, reason;

	MQDISC(&call->hc, &comp_code, &reason);
	q_remove(BENCH_Q);
}

/* A segment of the one logical message there is. Return: what it cost. */
static double put_segment(struct q_call *call, unsigned int offset,
			  MQLONG flags)
{
	id_make(call->md.GroupId, 'S', 0);
	call->md.MsgSeqNumber = 1;
	call->md.Offset = offset;
	call->md.MsgFlags = MQMF_SEGMENT | flags;
	return time_put(call);
}

static double ask(struct q_call *call)
{
	uint64_t start = now_ns();

	call->gmo.Options = MQGMO_NO_SYNCPOINT | MQGMO_COMPLETE_MSG;
	call->gmo.MatchOptions = MQMO_NONE;
	if (q_try_get(call))
		die("there is a complete message");
	return now_ns() - start;
}

static struct cost one(double cost)
{
	return (struct cost){ cost, cost, cost };
}

/* @n first segments, and a chain of @n - 1 behind them. */
static void fill_segments(struct q_call *call, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		put_segment(call, 0, 0);
	for (i = 1; i < n; i++)
		put_segment(call, i, 0);
}

struct series {
	double first;
	struct cost put, again, alternating;
};

static struct series run_series(unsigned int n)
{
	double put[SAMPLES], again[SAMPLES], both[SAMPLES];
	struct series series;
	struct q_call call;
	unsigned int i;

	segments_open(&call);
	fill_segments(&call, n);
	series.first = ask(&call) / n;
	for (i = 0; i < SAMPLES; i++)
		again[i] = ask(&call);
	for (i = 0; i < SAMPLES; i++)
		put[i] = put_segment(&call, 0, 0);
	ask(&call);
	for (i = 0; i < SAMPLES; i++) {
		put_segment(&call, 0, 0);
		both[i] = ask(&call);
	}
	series.put = cost_of(put, SAMPLES);
	series.again = cost_of(again, SAMPLES);
	series.alternating = cost_of(both, SAMPLES);
	segments_close(&call);
	return series;
}

static void out_bound(const char *key, const char *name, struct cost cost,
		      double base)
{
	struct row row = {
		.key = key, .name = name, .cost = cost, .to = "a tenth of them",
		.base = base, .must = 1.5, .aim = 1.2,
	};

	out_row(&row);
}

void run_segments(void)
{
	struct series few, all;

	many /= bench_hurry;
	out_title("First segments and a chain without an end, 20,000 of each");
	few = run_series(many / 10);
	all = run_series(many);
	out_bound("segments.put", "put of one more first segment", all.put,
		  few.put.median);
	out_bound("segments.first", "COMPLETE_MSG, nothing, per first segment",
		  one(all.first), few.first);
	out_bound("segments.again", "COMPLETE_MSG, nothing, asked again",
		  all.again, few.again.median);
	out_bound("segments.alternating", "the same after one more of them",
		  all.alternating, few.alternating.median);
}
