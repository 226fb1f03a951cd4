// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Gets past messages that are there but not to be had: put in a unit of work
 * of another connection, or locked by another handle.
 */
#include <stdio.h>
#include <string.h>

#include "bench.h"

#define BEHIND	401	/* messages to be had */

static unsigned int in_front = 100000;

static void describe_segment(const struct fill *fill, MQMD *md,
			     unsigned int number)
{
	id_make(md->GroupId, 'S', 1);
	md->Offset = number * fill->length;
	md->MsgFlags = MQMF_SEGMENT;
	if (number == fill->data)
		md->MsgFlags |= MQMF_LAST_SEGMENT;
}

static void put_uncommitted(MQHCONN hc, MQHOBJ ho)
{
	struct fill fill = {
		.hc = hc, .ho = ho, .length = 64,
		.options = MQPMO_SYNCPOINT | MQPMO_NEW_MSG_ID,
	};

	fill_queue(&fill, 0, in_front);
}

/* One logical message, browsed and locked as a whole. */
static void put_locked(MQHCONN hc, MQHOBJ ho)
{
	static char data[8 << 20];
	struct fill fill = {
		.hc = hc, .ho = ho, .length = 64,
		.describe = describe_segment, .data = in_front - 1,
		.options = MQPMO_NO_SYNCPOINT | MQPMO_NEW_MSG_ID,
	};
	struct q_call call;

	fill_queue(&fill, 0, in_front);
	q_call_init(&call, hc, ho, data, sizeof(data));
	call.md.Version = MQMD_VERSION_2;
	call.gmo.Options = MQGMO_BROWSE_FIRST | MQGMO_LOCK |
			   MQGMO_COMPLETE_MSG;
	q_get(&call);
	if ((unsigned int)call.got != in_front * 64)
		die("locked %d bytes, not %u", call.got, in_front * 64);
}

/* Gets of the messages behind those that @put_front puts. */
static struct cost measure_behind(void (*put_front)(MQHCONN hc, MQHOBJ ho))
{
	MQLONG comp_code, reason;
	struct fill fill = {
		.options = MQPMO_NO_SYNCPOINT | MQPMO_NEW_MSG_ID, .length = 64,
	};
	double samples[BEHIND];
	struct q_call call;
	MQHCONN other, hc;
	char data[64];
	unsigned int i;
	MQHOBJ ho;

	q_define(BENCH_Q, 2000000);
	other = q_connect();
	ho = q_open(other, BENCH_Q,
		    MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_BROWSE);
	if (put_front)
		put_front(other, ho);
	hc = q_connect();
	fill.hc = hc;
	fill.ho = q_open(hc, BENCH_Q, MQOO_OUTPUT | MQOO_INPUT_SHARED);
	fill_queue(&fill, 0, BEHIND + 10);
	q_call_init(&call, hc, fill.ho, data, sizeof(data));
	for (i = 0; i < 10; i++)
		q_get(&call);
	for (i = 0; i < BEHIND; i++)
		samples[i] = time_get(&call);
	MQBACK(other, &comp_code, &reason);
	MQDISC(&hc, &comp_code, &reason);
	MQDISC(&other, &comp_code, &reason);
	q_remove(BENCH_Q);
	return cost_of(samples, BEHIND);
}

void run_past(void)
{
	double none;
	int limit;
	struct row row = { .key = "past.none", .name = "get first" };

	in_front /= bench_hurry;
	limit = q_limit(2000000);
	out_title("A get past 100,000 messages of others");
	row.cost = measure_behind(NULL);
	none = row.cost.median;
	out_row(&row);
	row = (struct row) {
		.key = "past.uncommitted", .name = "past uncommitted ones",
		.cost = measure_behind(put_uncommitted),
		.to = "none", .base = none, .must = 1.5, .aim = 1.1,
	};
	out_row(&row);
	row.key = "past.locked";
	row.name = "past locked ones";
	row.cost = measure_behind(put_locked);
	out_row(&row);
	q_limit(limit);
}
