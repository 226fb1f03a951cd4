// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Logical order: groups whose members lie far apart, groups that are not
 * complete, members without a beginning.
 */
#include <stdio.h>
#include <string.h>

#include "bench.h"

#define WANTED	301	/* groups to be got, of two messages each */

static unsigned int total = 1000000, hidden = 100000, groups = 1000;

/* Member k of every group, then member k + 1 of every group. */
static void describe_interleaved(const struct fill *fill, MQMD *md,
				 unsigned int number)
{
	unsigned int members = total / groups;

	(void)fill;
	id_make(md->GroupId, 'G', number % groups);
	md->MsgSeqNumber = number / groups + 1;
	md->MsgFlags = MQMF_MSG_IN_GROUP;
	if ((unsigned int)md->MsgSeqNumber == members)
		md->MsgFlags |= MQMF_LAST_MSG_IN_GROUP;
}

static void describe_incomplete(const struct fill *fill, MQMD *md,
				unsigned int number)
{
	(void)fill;
	id_make(md->GroupId, 'I', number);
	md->MsgFlags = MQMF_MSG_IN_GROUP;
}

static void describe_orphan(const struct fill *fill, MQMD *md,
			    unsigned int number)
{
	(void)fill;
	id_make(md->GroupId, 'O', number);
	md->MsgSeqNumber = 2;
	md->MsgFlags = MQMF_LAST_MSG_IN_GROUP | MQMF_MSG_IN_GROUP;
}

static void describe_two(const struct fill *fill, MQMD *md,
			 unsigned int number)
{
	(void)fill;
	id_make(md->GroupId, 'W', number / 2);
	md->MsgSeqNumber = number % 2 + 1;
	md->MsgFlags = MQMF_MSG_IN_GROUP;
	if (number % 2)
		md->MsgFlags |= MQMF_LAST_MSG_IN_GROUP;
}

static char data[64];

static void groups_open(struct fill *fill, struct q_call *call)
{
	memset(fill, 0, sizeof(*fill));
	q_define(BENCH_Q, 2000000);
	fill->hc = q_connect();
	fill->ho = q_open(fill->hc, BENCH_Q,
			  MQOO_OUTPUT | MQOO_INPUT_SHARED);
	fill->length = sizeof(data);
	fill->options = MQPMO_NO_SYNCPOINT | MQPMO_NEW_MSG_ID;
	q_call_init(call, fill->hc, fill->ho, data, sizeof(data));
	call->md.Version = MQMD_VERSION_2;
}

static void groups_close(struct fill *fill)
{
	MQLONG comp_code, reason;

	MQDISC(&fill->hc, &comp_code, &reason);
	q_remove(BENCH_Q);
}

/* Gets of what comes first, one after the other. */
static struct cost measure_gets(struct q_call *call, MQLONG options)
{
	double samples[WANTED];
	size_t i;

	call->gmo.Options = MQGMO_NO_SYNCPOINT | options;
	for (i = 0; i < 10; i++)
		q_get(call);
	for (i = 0; i < WANTED; i++)
		samples[i] = time_get(call);
	return cost_of(samples, WANTED);
}

/* First messages of groups; the rest of each is got as well. */
static struct cost measure_firsts(struct q_call *call, MQLONG options)
{
	bool logical = options & MQGMO_LOGICAL_ORDER;
	double samples[WANTED];
	size_t i;

	for (i = 0; i < WANTED; i++) {
		call->gmo.Options = MQGMO_NO_SYNCPOINT | options;
		call->gmo.MatchOptions = MQMO_NONE;
		samples[i] = time_get(call);
		/* In physical order the rest is no complete group any more. */
		if (!logical) {
			call->gmo.Options = MQGMO_NO_SYNCPOINT;
			call->gmo.MatchOptions = MQMO_MATCH_GROUP_ID;
		}
		q_get(call);
	}
	return cost_of(samples, WANTED);
}

static void run_interleaved(void)
{
	struct row row = {
		.key = "groups.plain", .name = "get first, no groups",
	};
	struct q_call call;
	struct fill fill;
	double plain;

	out_title("Logical order, 1,000 groups interleaved over 1,000,000");
	groups_open(&fill, &call);
	fill_queue(&fill, 0, total);
	row.cost = measure_gets(&call, 0);
	plain = row.cost.median;
	out_row(&row);
	row = (struct row) {
		.key = "groups.head_no_orphans",
		.name = "get in logical order, no groups",
		.cost = measure_gets(&call, MQGMO_LOGICAL_ORDER),
		.to = "plain get", .base = plain,
	};
	out_row(&row);
	groups_close(&fill);

	groups_open(&fill, &call);
	fill.describe = describe_interleaved;
	fill_queue(&fill, 0, total);
	row = (struct row) {
		.key = "groups.logical", .name = "get in logical order",
		.cost = measure_gets(&call, MQGMO_LOGICAL_ORDER),
		.to = "plain get", .base = plain, .must = 2.0, .aim = 1.3,
	};
	out_row(&row);
	groups_close(&fill);
}

static double complete_row(const char *key, const char *name, bool behind,
			   MQLONG options, double base)
{
	struct row row = { .key = key, .name = name };
	struct q_call call;
	struct fill fill;

	groups_open(&fill, &call);
	fill.describe = describe_incomplete;
	if (behind)
		fill_queue(&fill, 0, hidden);
	fill.describe = describe_two;
	fill_queue(&fill, 0, 2 * WANTED);
	row.cost = measure_firsts(&call, options);
	if (behind) {
		row.to = "none";
		row.base = base;
		row.must = 1.5;
		row.aim = 1.1;
	}
	out_row(&row);
	groups_close(&fill);
	return row.cost.median;
}

static void run_complete(void)
{
	const MQLONG logical = MQGMO_LOGICAL_ORDER | MQGMO_ALL_MSGS_AVAILABLE;
	const MQLONG all = MQGMO_ALL_MSGS_AVAILABLE;
	double none;

	out_title("First complete group behind 100,000 incomplete ones");
	none = complete_row("groups.complete_none",
			    "logical order, all messages, none in front",
			    false, logical, 0);
	complete_row("groups.complete", "logical order, all messages", true,
		     logical, none);
	none = complete_row("groups.all_none", "all messages, none in front",
			    false, all, 0);
	complete_row("groups.all", "all messages", true, all, none);
}

static double orphan_row(bool orphans, double base)
{
	struct row row = {
		.key = "groups.orphans_none", .name = "no orphans",
	};
	unsigned int from = orphans ? hidden : 0;
	struct q_call call;
	struct fill fill;

	groups_open(&fill, &call);
	fill.describe = describe_orphan;
	fill_queue(&fill, 0, from);
	fill.describe = describe_two;
	fill_queue(&fill, 0, total - from);
	row.cost = measure_firsts(&call, MQGMO_LOGICAL_ORDER);
	if (orphans) {
		row.key = "groups.orphans";
		row.name = "behind 100,000 orphans";
		row.to = "none";
		row.base = base;
		row.must = 1.5;
		row.aim = 1.1;
	}
	out_row(&row);
	groups_close(&fill);
	return row.cost.median;
}

void run_groups(void)
{
	double none;

	total /= bench_hurry;
	hidden /= bench_hurry;
	groups /= bench_hurry;
	run_interleaved();
	run_complete();
	out_title("First group in logical order, depth 1,000,000");
	none = orphan_row(false, 0);
	orphan_row(true, none);
}
