// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A message put and got, by one thread and between two processes.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/kmq.h>

#include "bench.h"

static const char *const kind_keys[] = {
	[CHAN_KMQ] = "kmq", [CHAN_KMQ_REUSED] = "kmq_reused",
	[CHAN_KMQ_FULL] = "kmq_full",
	[CHAN_KMQ_CONTEXT] = "kmq_context", [CHAN_KMQ_RAW] = "kmq_ioctl",
	[CHAN_MQUEUE] = "mq", [CHAN_SYSV] = "sysv", [CHAN_PIPE] = "pipe",
	[CHAN_SEQPACKET] = "seqpacket",
};

static const char *make_key(const char *what, const char *kind, size_t length)
{
	static char key[64];

	snprintf(key, sizeof(key), "%s.%s.%zu", what, kind, length);
	return key;
}

/* --- floors ---------------------------------------------------------------- */

static int floor_fd;

static void floor_getpid(void *arg)
{
	(void)arg;
	syscall(SYS_getpid);
}

static void floor_ioctl(void *arg)
{
	(void)arg;
	ioctl(floor_fd, KMQ_IOC(0xff), NULL);
}

static void floor_info(void *arg)
{
	struct kmq_info info = { .size = sizeof(info) };

	(void)arg;
	ioctl(floor_fd, KMQ_IOC_INFO, &info);
}

static void floor_write(void *arg)
{
	if (write(*(int *)arg, "x", 1) != 1)
		die("/dev/null: %s", strerror(errno));
}

static void floor_clock(void *arg)
{
	(void)arg;
	now_ns();
}

static void run_floors(void)
{
	int null = open("/dev/null", O_WRONLY);
	const struct {
		const char *key;
		const char *name;
		void (*fn)(void *arg);
	} floors[] = {
		{ "floor.getpid", "getpid", floor_getpid },
		{ "floor.ioctl", "ioctl with an unknown number", floor_ioctl },
		{ "floor.info", "KMQ_IOC_INFO, 48 bytes in and out",
		  floor_info },
		{ "floor.write", "write to /dev/null", floor_write },
		{ "floor.clock", "clock_gettime", floor_clock },
	};
	MQHCONN hc = q_connect();
	MQLONG comp_code, reason;
	size_t i;

	floor_fd = kmq_conn_fd(hc);
	out_title("Floors: what no call can be cheaper than");
	for (i = 0; i < ARRAY_SIZE(floors); i++)
		out_row(&(struct row) {
			.key = floors[i].key, .name = floors[i].name,
			.cost = measure(floors[i].fn, &null,
					201 / bench_hurry, 64),
		});
	MQDISC(&hc, &comp_code, &reason);
	close(null);
}

/* --- one thread ------------------------------------------------------------ */

static void pair(void *arg)
{
	struct chan *chan = arg;

	chan->put(chan);
	chan->get(chan);
}

static struct cost measure_pair(struct chan *chan, size_t length)
{
	size_t inner = length > 100000 ? 2 : 32;

	return measure(pair, chan, 201 / bench_hurry, inner);
}

static void batch_pair(void *arg)
{
	batch_put(arg);
	batch_get(arg);
}

/* One message out of a batch. */
static struct cost measure_batch(void)
{
	struct batch *batch = batch_open();
	struct cost cost = measure(batch_pair, batch, 201 / bench_hurry, 1);

	cost.median /= BATCH;
	cost.low /= BATCH;
	cost.high /= BATCH;
	batch_close(batch);
	return cost;
}

/* Bounds that hold for 64 bytes, against POSIX mq. */
static void bound_small(struct row *row, enum chan_kind kind)
{
	if (kind == CHAN_KMQ) {
		row->must = 1.5;
		row->aim = 0.9;
	} else if (kind == CHAN_KMQ_FULL || kind == CHAN_KMQ_CONTEXT) {
		row->must = 2.0;
		row->aim = 1.2;
	}
}

static double pair_row(enum chan_kind kind, size_t length, const char *to,
		       double base)
{
	struct row row = { .to = to, .base = base };
	struct chan chan;

	chan_open(&chan, kind, length, 0);
	row.key = make_key("pair", kind_keys[kind], length);
	row.name = chan.name;
	row.cost = measure_pair(&chan, length);
	if (length == 64) {
		bound_small(&row, kind);
	} else if (length == 1 << 20 && kind == CHAN_KMQ) {
		row.must = 1.3;
		row.aim = 0.8;
	}
	chan_close(&chan);
	out_row(&row);
	return row.cost.median;
}

static void run_small(size_t length)
{
	double mq;
	char title[64];
	int kind;

	snprintf(title, sizeof(title), "Put and get of %zu bytes, one thread",
		 length);
	out_title(title);
	mq = pair_row(CHAN_MQUEUE, length, NULL, 0);
	for (kind = 0; kind < CHAN_KINDS; kind++)
		if (kind != CHAN_MQUEUE)
			pair_row(kind, length, "POSIX mq", mq);
	if (length == 64)
		out_row(&(struct row) {
			.key = "pair.kmq_batch.64",
			.name = "kmq, batches of 32, one message",
			.cost = measure_batch(), .to = "POSIX mq", .base = mq,
			.must = 0.5, .aim = 0.15,
		});
}

static void run_large(void)
{
	const size_t length = 1 << 20;
	double pipe;

	out_title("Put and get of 1 MiB, one thread");
	pipe = pair_row(CHAN_PIPE, length, NULL, 0);
	pair_row(CHAN_KMQ, length, "pipe", pipe);
	pair_row(CHAN_KMQ_RAW, length, "pipe", pipe);
	pair_row(CHAN_MQUEUE, length, "pipe", pipe);
}

/* --- two processes --------------------------------------------------------- */

/*
 * How many of the two gets of a round trip sleep depends on whether who is woken
 * runs at once. An ordinary scheduler lets it at first, and no longer once the two
 * processes have had about as much of the processor. By real-time priorities it is
 * the same for all.
 */
static const struct ping_mode {
	const char *key;
	const char *title;
	int asks, answers;	/* priorities of SCHED_FIFO, 0: SCHED_OTHER */
} ping_modes[] = {
	{ "ping", "Round trip of 64 bytes, two processes on one processor",
	  0, 0 },
	{ "ping_both", "The same, each get sleeps (SCHED_FIFO, one priority)",
	  10, 10 },
	{ "ping_one",
	  "The same, one of two gets sleeps (SCHED_FIFO, two priorities)",
	  10, 9 },
};

/*
 * Trips before the first sample. The mode changes after 1,000 with a pipe, 1,500
 * with kmq and 4,000 with POSIX mq, and not again.
 */
#define SETTLE	8000

static void set_priority(int priority)
{
	struct sched_param param = { .sched_priority = priority };

	if (sched_setscheduler(0, priority ? SCHED_FIFO : SCHED_OTHER, &param))
		die("sched_setscheduler: %s", strerror(errno));
}

static double ping_row(enum chan_kind kind, const struct ping_mode *mode,
		       const char *to, double base)
{
	struct row row = { .to = to, .base = base };
	struct trip trip;
	int i;

	trip_open(&trip, kind, set_priority, mode->answers);
	row.key = make_key(mode->key, kind_keys[kind], 64);
	row.name = trip.there.name;
	set_priority(mode->asks);
	for (i = 0; i < SETTLE && !mode->asks; i++)
		trip_make(&trip);
	row.cost = measure(trip_make, &trip, 201 / bench_hurry, 32);
	set_priority(0);
	if (kind == CHAN_KMQ && !mode->asks) {
		row.must = 1.2;
		row.aim = 0.85;
	}
	trip_close(&trip);
	out_row(&row);
	return row.cost.median;
}

static void run_pings(const struct ping_mode *mode)
{
	double mq;
	int kind;

	out_title(mode->title);
	if (!mode->asks)
		out_note("after %d trips each, in the mode that lasts", SETTLE);
	mq = ping_row(CHAN_MQUEUE, mode, NULL, 0);
	for (kind = 0; kind < CHAN_KINDS; kind++)
		if (kind != CHAN_MQUEUE)
			ping_row(kind, mode, "POSIX mq", mq);
}

static void run_ping(void)
{
	cpu_set_t before, one;
	size_t i;

	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	for (i = 0; i < ARRAY_SIZE(ping_modes); i++)
		run_pings(&ping_modes[i]);
	sched_setaffinity(0, sizeof(before), &before);
}

void run_pairs(void)
{
	run_floors();
	run_small(64);
	run_small(1024);
	run_small(8192);
	run_large();
	run_ping();
}
