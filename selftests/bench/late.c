// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * How long one call keeps the processor from everybody else, and the lock of a
 * queue from everybody who uses that queue.
 *
 * Two real-time threads on the same processor look out while the call is made.
 * One wakes up in short intervals and sees how late it is: that is how long the
 * kernel has gone on without a point at which it can be rescheduled. The other
 * polls the queue, for which the queue is locked, and sees how long that takes.
 * Both have to wait for nothing else, as there is one processor and nothing else
 * to do on it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

#define WAKE_NS		50000
#define LATE_NS		100000.0	/* nobody may be later than that */
#define HELD_NS		5000000.0	/* or hold a queue's lock for longer */
#define OWN_PUTS	10000
#define LONG_MSG	(100 << 20)

/* Messages on the queue. */
static unsigned int depth = 1000000;

/**
 * struct lookout - a thread that looks out
 * @thread: the thread
 * @look: what it does each time; returns how long that took too long, ns
 * @worst: the most that was
 * @on: it is to go on
 * @fd: queue, for the one that polls it
 */
struct lookout {
	pthread_t thread;
	uint64_t (*look)(struct lookout *lookout);
	volatile uint64_t worst;
	volatile int on;
	int fd;
};

static void sleep_until(uint64_t at)
{
	struct timespec ts = {
		.tv_sec = at / 1000000000, .tv_nsec = at % 1000000000,
	};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

static uint64_t look_late(struct lookout *lookout)
{
	uint64_t at = now_ns() + WAKE_NS;

	(void)lookout;
	sleep_until(at);
	return now_ns() - at;
}

static uint64_t look_locked(struct lookout *lookout)
{
	struct pollfd poll_fd = { .fd = lookout->fd, .events = POLLIN };
	uint64_t start;

	sleep_until(now_ns() + WAKE_NS);
	start = now_ns();
	poll(&poll_fd, 1, 0);
	return now_ns() - start;
}

static void *look_out(void *arg)
{
	struct lookout *lookout = arg;

	while (lookout->on) {
		uint64_t time = lookout->look(lookout);

		if (time > lookout->worst)
			lookout->worst = time;
	}
	return NULL;
}

static void lookout_start(struct lookout *lookout, int priority)
{
	struct sched_param param = { .sched_priority = priority };
	pthread_attr_t attr;
	int err;

	lookout->worst = 0;
	lookout->on = 1;
	pthread_attr_init(&attr);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
	pthread_attr_setschedparam(&attr, &param);
	err = pthread_create(&lookout->thread, &attr, look_out, lookout);
	if (err)
		die("a real-time thread: %s", strerror(err));
	pthread_attr_destroy(&attr);
}

static double lookout_stop(struct lookout *lookout)
{
	lookout->on = 0;
	pthread_join(lookout->thread, NULL);
	return lookout->worst;
}

/**
 * struct late - the queue under test
 * @hc: connection
 * @ho: queue, for all that can be done with one
 * @fill: how its messages look
 * @call: a put or get
 * @data: message data
 */
struct late {
	MQHCONN hc;
	MQHOBJ ho;
	struct fill fill;
	struct q_call call;
	char data[64];
};

static void show(const char *key, const char *name, const char *what,
		 double worst, double bound)
{
	char row_key[64], row_name[96];

	snprintf(row_key, sizeof(row_key), "late.%s.%s", key, what);
	snprintf(row_name, sizeof(row_name), "%s, %s", name, what);
	out_row(&(struct row) {
		.key = strdup(row_key), .name = strdup(row_name),
		.cost = { worst, worst, worst },
		.to = bound == LATE_NS ? "100 us" : "5 ms", .base = bound,
	});
}

/* Make the call while both look out. */
static void watch(struct late *late, const char *key, const char *name,
		  void (*fn)(struct late *late))
{
	struct lookout locked = { .look = look_locked };
	struct lookout stretch = { .look = look_late };
	double held, without;

	locked.fd = open("/dev/kmq/" BENCH_QMGR "/queue/" BENCH_Q,
			 O_RDONLY | O_CLOEXEC);
	if (locked.fd < 0)
		die(BENCH_Q ": %s", strerror(errno));
	lookout_start(&stretch, 2);
	lookout_start(&locked, 1);
	sleep_until(now_ns() + 4 * WAKE_NS);
	locked.worst = 0;
	stretch.worst = 0;
	fn(late);
	sleep_until(now_ns() + 4 * WAKE_NS);
	held = lookout_stop(&locked);
	without = lookout_stop(&stretch);
	/* Where the one could not run the other could not see it, either. */
	if (held < without)
		held = without;
	close(locked.fd);
	show(key, name, "late", without, LATE_NS);
	show(key, name, "locked", held, HELD_NS);
}

static void late_open(struct late *late)
{
	memset(late, 0, sizeof(*late));
	q_define(BENCH_Q, 2000000);
	late->hc = q_connect();
	late->ho = q_open(late->hc, BENCH_Q, MQOO_OUTPUT | MQOO_BROWSE |
			  MQOO_INPUT_SHARED | MQOO_CO_OP);
	q_call_init(&late->call, late->hc, late->ho, late->data,
		    sizeof(late->data));
	late->call.md.Version = MQMD_VERSION_2;
	late->call.gmo.Version = MQGMO_VERSION_3;
	late->fill = (struct fill) {
		.hc = late->hc, .ho = late->ho, .length = 1,
		.options = MQPMO_NO_SYNCPOINT | MQPMO_NEW_MSG_ID,
	};
}

static void late_close(struct late *late)
{
	MQLONG comp_code, reason;

	MQDISC(&late->hc, &comp_code, &reason);
	q_remove(BENCH_Q);
}

static void commit(struct late *late)
{
	MQLONG comp_code, reason;

	MQCMIT(late->hc, &comp_code, &reason);
}

static void back_out(struct late *late)
{
	MQLONG comp_code, reason;

	MQBACK(late->hc, &comp_code, &reason);
}

static void put(struct late *late)
{
	q_put(&late->call);
}

static void get(struct late *late)
{
	q_get(&late->call);
}

static void try_get(struct late *late)
{
	q_try_get(&late->call);
}

static void clear(struct late *late)
{
	(void)late;
	q_clear(BENCH_Q);
}

static void close_handle(struct late *late)
{
	q_close(late->hc, late->ho);
}

/* --- groups ----------------------------------------------------------------- */

static void describe_member(const struct fill *fill, MQMD *md,
			    unsigned int number)
{
	(void)fill;
	id_make(md->GroupId, 'G', 1);
	md->MsgSeqNumber = number + 1;
	md->MsgFlags = MQMF_MSG_IN_GROUP;
	if (number + 1 == depth)
		md->MsgFlags |= MQMF_LAST_MSG_IN_GROUP;
}

static void describe_segment(const struct fill *fill, MQMD *md,
			     unsigned int number)
{
	(void)fill;
	id_make(md->GroupId, 'S', 1);
	md->Offset = number;
	md->MsgFlags = MQMF_SEGMENT;
	if (number + 1 == depth)
		md->MsgFlags |= MQMF_LAST_SEGMENT;
}

/* All members but the first, then that one: with it the group is complete. */
static void late_group(void)
{
	struct late late;

	late_open(&late);
	late.fill.describe = describe_member;
	fill_queue(&late.fill, 1, depth);
	describe_member(&late.fill, &late.call.md, 0);
	watch(&late, "group.put", "the put that completes a group", put);
	late.call.gmo.Options = MQGMO_SYNCPOINT;
	watch(&late, "group.get", "get of its first message", get);
	late.call.gmo.Options = MQGMO_BROWSE_FIRST |
				MQGMO_ALL_MSGS_AVAILABLE;
	watch(&late, "group.lack", "browse for a complete one meanwhile",
	      try_get);
	watch(&late, "group.back", "MQBACK of that get", back_out);
	watch(&late, "group.browse", "browse for a complete one", get);
	late_close(&late);
}

static void late_segments(void)
{
	static char data[2000000];
	struct late late;

	late_open(&late);
	late.fill.describe = describe_segment;
	fill_queue(&late.fill, 1, depth);
	describe_segment(&late.fill, &late.call.md, 0);
	late.call.length = 1;
	watch(&late, "segments.put", "the put that completes segments", put);
	late.call.data = data;
	late.call.length = sizeof(data);
	late.call.gmo.Options = MQGMO_COMPLETE_MSG | MQGMO_SYNCPOINT;
	watch(&late, "segments.get", "get of all segments", get);
	watch(&late, "segments.back", "MQBACK of the segments", back_out);
	late_close(&late);
}

/* --- marks ------------------------------------------------------------------ */

static void mark_all(struct late *late, MQLONG mark)
{
	late->call.gmo.Version = MQGMO_VERSION_4;
	late->call.gmo.Options = MQGMO_BROWSE_FIRST | mark |
				 MQGMO_UNMARKED_BROWSE_MSG;
	while (q_try_get(&late->call))
		;
}

static void late_marks(void)
{
	struct late late;

	late_open(&late);
	late.call.md.Priority = 0;
	fill_queue(&late.fill, 0, depth);
	mark_all(&late, MQGMO_MARK_BROWSE_HANDLE);
	late.call.md.Priority = 9;
	late.call.md.MsgFlags = 0;
	q_put(&late.call);
	watch(&late, "mark.browse", "browse of unmarked, a new one in front",
	      get);
	watch(&late, "mark.browse_none", "browse of unmarked, none left",
	      try_get);
	watch(&late, "mark.close", "MQCLOSE of a handle with all marks",
	      close_handle);
	late_close(&late);
}

static void wait_for_sweep(struct late *late)
{
	(void)late;
	sleep_until(now_ns() + 2000000000ULL);
}

static void late_co_op(void)
{
	int interval = q_qmgr_set(MQIA_MSG_MARK_BROWSE_INTERVAL, -1);
	struct late late;

	late_open(&late);
	fill_queue(&late.fill, 0, depth);
	mark_all(&late, MQGMO_MARK_BROWSE_CO_OP);
	q_qmgr_set(MQIA_MSG_MARK_BROWSE_INTERVAL, 1);
	watch(&late, "mark.sweep", "co-operative marks that time out",
	      wait_for_sweep);
	q_qmgr_set(MQIA_MSG_MARK_BROWSE_INTERVAL, interval);
	late_close(&late);
}

/* --- units of work ---------------------------------------------------------- */

static void get_all(struct late *late)
{
	late->call.gmo.Options = MQGMO_SYNCPOINT;
	while (q_try_get(&late->call))
		;
}

static void late_units(void)
{
	struct late late;
	MQLONG options;

	late_open(&late);
	options = MQPMO_SYNCPOINT | MQPMO_NEW_MSG_ID;
	late.fill.options = options;
	fill_queue(&late.fill, 0, depth);
	watch(&late, "unit.back_puts", "MQBACK of puts", back_out);
	fill_queue(&late.fill, 0, depth);
	watch(&late, "unit.commit_puts", "MQCMIT of puts", commit);
	get_all(&late);
	watch(&late, "unit.back_gets", "MQBACK of gets", back_out);
	get_all(&late);
	watch(&late, "unit.commit_gets", "MQCMIT of gets", commit);
	fill_queue(&late.fill, 0, OWN_PUTS);
	watch(&late, "unit.own", "get with 10,000 own puts", get);
	back_out(&late);
	late_close(&late);
}

/* --- all messages ----------------------------------------------------------- */

static void describe_expiring(const struct fill *fill, MQMD *md,
			      unsigned int number)
{
	(void)fill;
	(void)number;
	md->Expiry = 1;
}

static void wait_for_expiry(struct late *late)
{
	(void)late;
	sleep_until(now_ns() + 7000000000ULL);
}

static void late_all(void)
{
	struct late late;

	late_open(&late);
	fill_queue(&late.fill, 0, depth);
	late.call.gmo.Options = MQGMO_BROWSE_FIRST;
	late.call.gmo.MatchOptions = MQMO_MATCH_MSG_SEQ_NUMBER;
	late.call.md.MsgSeqNumber = 2;
	watch(&late, "all.seq", "browse by MsgSeqNumber, none has it", try_get);
	late.call.gmo.MatchOptions = MQMO_MATCH_MSG_ID;
	memset(late.call.md.MsgId, 'x', 24);
	watch(&late, "all.msg_id", "the first search by MsgId", try_get);
	watch(&late, "all.clear", "CLEAR", clear);
	/* The lookout itself would see to it that they expire. */
	late.fill.describe = describe_expiring;
	fill_queue(&late.fill, 0, depth);
	watch(&late, "all.expire", "messages that expire", wait_for_expiry);
	late_close(&late);
}

static void late_long(void)
{
	int longest = q_qmgr_set(MQIA_MAX_MSG_LENGTH, LONG_MSG);
	char *data = calloc(1, LONG_MSG);
	struct late late;

	if (!data)
		die("no memory");
	late_open(&late);
	late.call.data = data;
	late.call.length = LONG_MSG;
	watch(&late, "long.put", "MQPUT of 100 MiB", put);
	watch(&late, "long.get", "MQGET of 100 MiB", get);
	late_close(&late);
	free(data);
	q_qmgr_set(MQIA_MAX_MSG_LENGTH, longest);
}

static void idle(struct late *late)
{
	(void)late;
	sleep_until(now_ns() + 100 * WAKE_NS);
}

static void late_nothing(void)
{
	struct late late;

	late_open(&late);
	watch(&late, "nothing", "nothing", idle);
	late_close(&late);
}

void run_late(void)
{
	int limit = q_limit(2000000);

	depth /= bench_hurry;
	out_title("How late others are, 1,000,000 messages");
	late_nothing();
	late_group();
	late_segments();
	late_marks();
	late_co_op();
	late_units();
	late_all();
	late_long();
	q_limit(limit);
}
