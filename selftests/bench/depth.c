// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What calls cost on queues of growing depth. Each message that is got is put
 * again, so that the depth stays.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>

#include "bench.h"

#define DEPTHS	4
#define BASE	1	/* index of the depth that growth is counted from */

static unsigned int depths[DEPTHS] = { 1, 1000, 100000, 1000000 };

enum {
	GET_FIRST, GET_MSG_ID, GET_CORREL_ID, GET_GROUP_ID, GET_TOKEN,
	BROWSE_GONE, PUT, OPERATIONS,
};

static const struct {
	const char *key;
	const char *name;
} operations[OPERATIONS] = {
	[GET_FIRST] = { "first", "get first" },
	[GET_MSG_ID] = { "msg_id", "get by MsgId" },
	[GET_CORREL_ID] = { "correl_id", "get by CorrelId" },
	[GET_GROUP_ID] = { "group_id", "get by GroupId" },
	[GET_TOKEN] = { "token", "get by token" },
	[BROWSE_GONE] = { "browse_gone", "browse next, cursor's message gone" },
	[PUT] = { "put", "put" },
};

/**
 * struct depth - the queue under test
 * @hc: connection
 * @ho: queue
 * @depth: messages on it
 * @fill: how message number n looks
 * @get: a get without conditions
 * @put: a put
 * @other: a second handle that browses
 * @data: message data
 */
struct depth {
	MQHCONN hc;
	MQHOBJ ho;
	unsigned int depth;
	struct fill fill;
	struct q_call get;
	struct q_call put;
	struct q_call other;
	char data[64];
};

static void describe(const struct fill *fill, MQMD *md, unsigned int number)
{
	(void)fill;
	id_make(md->MsgId, 'M', number);
	id_make(md->CorrelId, 'C', number);
	id_make(md->GroupId, 'G', number);
	md->MsgFlags = MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP;
}

static void put_again(struct depth *d)
{
	const MQMD *got = &d->get.md;

	memcpy(d->put.md.MsgId, got->MsgId, 24);
	memcpy(d->put.md.CorrelId, got->CorrelId, 24);
	memcpy(d->put.md.GroupId, got->GroupId, 24);
	d->put.md.MsgSeqNumber = 1;
	d->put.md.MsgFlags = MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP;
}

/* Browse message @number, which leaves the cursor at it. */
static void look_at(struct q_call *call, unsigned int number)
{
	call->gmo.Options = MQGMO_BROWSE_FIRST;
	call->gmo.MatchOptions = MQMO_MATCH_CORREL_ID;
	id_make(call->md.CorrelId, 'C', number);
	q_get(call);
}

static double sample_get(struct depth *d, int operation, unsigned int number)
{
	struct q_call *get = &d->get;
	double time;

	get->gmo.MatchOptions = MQMO_NONE;
	switch (operation) {
	case GET_MSG_ID:
		get->gmo.MatchOptions = MQMO_MATCH_MSG_ID;
		id_make(get->md.MsgId, 'M', number);
		break;
	case GET_CORREL_ID:
		get->gmo.MatchOptions = MQMO_MATCH_CORREL_ID;
		id_make(get->md.CorrelId, 'C', number);
		break;
	case GET_GROUP_ID:
		get->gmo.MatchOptions = MQMO_MATCH_GROUP_ID;
		id_make(get->md.GroupId, 'G', number);
		break;
	case GET_TOKEN:
		look_at(&d->other, number);
		memcpy(get->gmo.MsgToken, d->other.gmo.MsgToken, 16);
		get->gmo.MatchOptions = MQMO_MATCH_MSG_TOKEN;
		break;
	}
	time = time_get(get);
	put_again(d);
	q_put(&d->put);
	return time;
}

static double sample_browse(struct depth *d, unsigned int number)
{
	struct q_call *get = &d->get;
	double time;

	look_at(&d->other, number);
	get->gmo.MatchOptions = MQMO_MATCH_CORREL_ID;
	id_make(get->md.CorrelId, 'C', number);
	q_get(get);
	/* It comes to the end, so that there is always a next one. */
	put_again(d);
	q_put(&d->put);
	d->other.gmo.Options = MQGMO_BROWSE_NEXT;
	d->other.gmo.MatchOptions = MQMO_NONE;
	time = time_get(&d->other);
	return time;
}

static double sample_put(struct depth *d, unsigned int number)
{
	struct q_call *get = &d->get;

	get->gmo.MatchOptions = MQMO_MATCH_CORREL_ID;
	id_make(get->md.CorrelId, 'C', number);
	q_get(get);
	put_again(d);
	return time_put(&d->put);
}

static struct cost measure_at(struct depth *d, int operation)
{
	double samples[401];
	size_t i, n = bench_hurry > 1 ? 41 : ARRAY_SIZE(samples);

	for (i = 0; i < n; i++) {
		unsigned int number = pick(d->depth);

		if (operation == BROWSE_GONE)
			samples[i] = sample_browse(d, number);
		else if (operation == PUT)
			samples[i] = sample_put(d, number);
		else
			samples[i] = sample_get(d, operation, number);
	}
	return cost_of(samples, n);
}

static void depth_open(struct depth *d)
{
	memset(d, 0, sizeof(*d));
	q_define(BENCH_Q, 2000000);
	d->hc = q_connect();
	d->ho = q_open(d->hc, BENCH_Q, MQOO_OUTPUT | MQOO_INPUT_SHARED);
	q_call_init(&d->get, d->hc, d->ho, d->data, sizeof(d->data));
	d->get.md.Version = MQMD_VERSION_2;
	d->get.gmo.Version = MQGMO_VERSION_3;
	d->other = d->get;
	d->other.ho = q_open(d->hc, BENCH_Q, MQOO_BROWSE);
	q_call_init(&d->put, d->hc, d->ho, d->data, sizeof(d->data));
	d->put.pmo.Options = MQPMO_NO_SYNCPOINT;
	d->put.md.Version = MQMD_VERSION_2;
	d->fill = (struct fill) {
		.hc = d->hc, .ho = d->ho, .describe = describe,
		.options = MQPMO_NO_SYNCPOINT, .length = sizeof(d->data),
	};
}

static void show(struct cost costs[OPERATIONS][DEPTHS])
{
	static char keys[OPERATIONS][DEPTHS][48];
	static char names[OPERATIONS][DEPTHS][64];
	int operation, i;

	for (operation = 0; operation < OPERATIONS; operation++) {
		for (i = 0; i < DEPTHS; i++) {
			struct row row = {
				.key = keys[operation][i],
				.name = names[operation][i],
				.cost = costs[operation][i],
			};

			snprintf(keys[operation][i], sizeof(keys[0][0]),
				 "depth.%s.%u", operations[operation].key,
				 depths[i]);
			snprintf(names[operation][i], sizeof(names[0][0]),
				 "%s, depth %u", operations[operation].name,
				 depths[i]);
			if (i > BASE) {
				row.to = "depth 1000";
				row.base = costs[operation][BASE].median;
			}
			if (i == DEPTHS - 1) {
				row.must = 2.0;
				row.aim = 1.25;
			}
			out_row(&row);
		}
	}
}

/* --- beside System V, which finds a type by looking at every message ------- */

#define MSGMNB	"/proc/sys/kernel/msgmnb"	/* bytes of a new queue */

/* Return: what was there, 0 if it cannot be changed. */
static unsigned int set_msgmnb(unsigned int bytes)
{
	unsigned int before = 0;
	FILE *file = fopen(MSGMNB, "r+");

	if (!file)
		return 0;
	if (fscanf(file, "%u", &before) != 1)
		before = 0;
	rewind(file);
	fprintf(file, "%u\n", bytes);
	return fclose(file) ? 0 : before;
}

struct typed {
	long type;
	char data[64];
};

static struct cost measure_sysv(unsigned int depth)
{
	struct typed message = { };
	double samples[201];
	unsigned int i;
	int id;

	id = msgget(IPC_PRIVATE, 0600);
	if (id < 0)
		die("msgget: %s", strerror(errno));
	for (i = 1; i <= depth; i++) {
		message.type = i;
		if (msgsnd(id, &message, 64, IPC_NOWAIT))
			die("msgsnd: %s", strerror(errno));
	}
	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		long type = pick(depth) + 1;
		uint64_t start = now_ns();

		if (msgrcv(id, &message, 64, type, 0) < 0)
			die("msgrcv: %s", strerror(errno));
		samples[i] = now_ns() - start;
		msgsnd(id, &message, 64, 0);
	}
	msgctl(id, IPC_RMID, NULL);
	return cost_of(samples, ARRAY_SIZE(samples));
}

static void run_sysv(void)
{
	const unsigned int depth = 16000;
	unsigned int before;
	MQLONG comp_code, reason;
	struct depth d;
	struct cost sysv;

	out_title("A certain message out of 16,000");
	before = set_msgmnb(64 << 20);
	if (!before) {
		out_note("msgmnb cannot be set: left out");
		return;
	}
	sysv = measure_sysv(depth);
	set_msgmnb(before);
	out_row(&(struct row) {
		.key = "type.sysv.16000", .name = "System V msgrcv by type",
		.cost = sysv,
	});
	depth_open(&d);
	d.depth = depth;
	fill_queue(&d.fill, 0, depth);
	out_row(&(struct row) {
		.key = "type.kmq.16000", .name = "kmq, get by CorrelId",
		.cost = measure_at(&d, GET_CORREL_ID),
		.to = "System V", .base = sysv.median, .must = 0.1,
		.aim = 0.02,
	});
	MQDISC(&d.hc, &comp_code, &reason);
	q_remove(BENCH_Q);
}

void run_depth(void)
{
	static struct cost costs[OPERATIONS][DEPTHS];
	MQLONG comp_code, reason;
	struct depth d;
	int operation, i;

	if (bench_hurry > 1)
		depths[DEPTHS - 1] = 200000;
	out_title("One call, messages in any order on the queue");
	depth_open(&d);
	for (i = 0; i < DEPTHS; i++) {
		fill_queue(&d.fill, d.depth, depths[i]);
		d.depth = depths[i];
		for (operation = 0; operation < OPERATIONS; operation++)
			costs[operation][i] = measure_at(&d, operation);
	}
	MQDISC(&d.hc, &comp_code, &reason);
	q_remove(BENCH_Q);
	show(costs);
	run_sysv();
}
