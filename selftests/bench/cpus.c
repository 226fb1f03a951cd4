// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What takes two processors: a round trip between them, and work that each does
 * beside the other. Time, not instructions, so what the machine does otherwise
 * shows: medians of many boots, and an indication only.
 */
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

/* How long gets look out before they sleep, ns: as long as they may. */
#define SPIN	"1000000"

/*
 * A sample has to be over before anything else wants one of the processors, the
 * clock of the machine among them: with two at work there is none to spare for
 * it, and the later of the two counts.
 */
#define SAMPLES	1001
#define PAIRS	50

/*
 * Twice the throughput is half the time a message. Throughput with two must be
 * 1.7 times that with one, and 1.95 times is the aim.
 */
#define MUST_SCALE	(1 / 1.7)
#define AIM_SCALE	(1 / 1.95)

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("processor %d: %s", cpu, strerror(errno));
}

/* --- side by side ---------------------------------------------------------- */

/**
 * struct team - two processes that do the same at the same time
 * @go: sample that may begin
 * @done: samples that the other has finished
 */
struct team {
	atomic_uint go;
	atomic_uint done;
};

/* What a member does: @work with @arg, made by @begin in its own process. */
struct member {
	void *(*begin)(unsigned int number, void *what);
	void (*work)(void *arg);
	void *what;
};

static void wait_for(atomic_uint *counter, unsigned int value)
{
	while (atomic_load_explicit(counter, memory_order_acquire) < value)
		;
}

static void work_often(const struct member *member, void *arg)
{
	unsigned int i;

	for (i = 0; i < PAIRS; i++)
		member->work(arg);
}

static void run_second(struct team *team, const struct member *member,
		       unsigned int samples)
{
	void *arg;
	unsigned int i;

	pin(1);
	arg = member->begin(1, member->what);
	atomic_store(&team->done, 1);
	for (i = 1; i <= samples; i++) {
		wait_for(&team->go, i);
		work_often(member, arg);
		atomic_store(&team->done, i + 1);
	}
	_exit(0);
}

/* Nanoseconds for each time one of the two has done the work. */
static struct cost measure_team(const struct member *member)
{
	unsigned int samples = SAMPLES / bench_hurry, i;
	double *sample = calloc(samples, sizeof(*sample));
	struct team *team;
	struct cost cost;
	pid_t pid;
	void *arg;

	team = mmap(NULL, sizeof(*team), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!sample || team == MAP_FAILED)
		die("no memory");
	arg = member->begin(0, member->what);
	pid = fork();
	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (!pid)
		run_second(team, member, samples);
	pin(0);
	wait_for(&team->done, 1);
	for (i = 1; i <= samples; i++) {
		uint64_t start = now_ns();

		atomic_store(&team->go, i);
		work_often(member, arg);
		wait_for(&team->done, i + 1);
		sample[i - 1] = (double)(now_ns() - start) / (2 * PAIRS);
	}
	waitpid(pid, NULL, 0);
	munmap(team, sizeof(*team));
	cost = cost_of(sample, samples);
	free(sample);
	return cost;
}

/* --- the work -------------------------------------------------------------- */

static struct chan chans[2];

/* Each its own channel, which it attaches to in its own process. */
static void *own_chan(unsigned int number, void *what)
{
	(void)what;
	chan_attach(&chans[number]);
	return &chans[number];
}

static void *same_chan(unsigned int number, void *what)
{
	(void)number;
	(void)what;
	chan_attach(&chans[0]);
	return &chans[0];
}

static void pair(void *arg)
{
	struct chan *chan = arg;

	chan->put(chan);
	chan->get(chan);
}

static void *no_chan(unsigned int number, void *what)
{
	(void)number;
	return what;
}

/* About as long as a pair, without a system call and without memory. */
static void spin(void *arg)
{
	unsigned int i;

	(void)arg;
	for (i = 0; i < 1000; i++)
		__asm__ volatile("");
}

static struct cost spin_alone(void)
{
	pin(0);
	return measure(spin, NULL, SAMPLES / bench_hurry, PAIRS);
}

/* What the machine itself gives: two processors that share nothing. */
static void run_ceiling(void)
{
	const struct member member = { .begin = no_chan, .work = spin };
	struct cost one = spin_alone();

	out_row(&(struct row) {
		.key = "cpus.ceiling.two",
		.name = "a loop that shares nothing, on both",
		.cost = measure_team(&member), .to = "one",
		.base = one.median,
	});
}

static void run_scale(enum chan_kind kind, const char *key)
{
	const struct member own = { .begin = own_chan, .work = pair };
	const struct member same = { .begin = same_chan, .work = pair };
	char one_key[64], two_key[64], same_key[64], two_name[96];
	char same_name[96];
	struct row row = { .to = "one processor" };
	struct cost one;

	chan_open(&chans[0], kind, 64, 0);
	chan_open(&chans[1], kind, 64, 1);
	snprintf(one_key, sizeof(one_key), "cpus.%s.one", key);
	snprintf(two_key, sizeof(two_key), "cpus.%s.two", key);
	snprintf(same_key, sizeof(same_key), "cpus.%s.same", key);
	snprintf(two_name, sizeof(two_name), "%s: two queues, both processors",
		 chans[0].name);
	snprintf(same_name, sizeof(same_name), "%s: one queue, both processors",
		 chans[0].name);

	pin(0);
	one = measure(pair, &chans[0], SAMPLES / bench_hurry, PAIRS);
	out_row(&(struct row) {
		.key = one_key, .name = chans[0].name, .cost = one,
	});
	row.key = two_key;
	row.name = two_name;
	row.base = one.median;
	row.cost = measure_team(&own);
	if (kind == CHAN_KMQ) {
		row.must = MUST_SCALE;
		row.aim = AIM_SCALE;
	}
	out_row(&row);
	row.key = same_key;
	row.name = same_name;
	row.cost = measure_team(&same);
	row.must = 0;
	out_row(&row);
	chan_close(&chans[0]);
	chan_close(&chans[1]);
}

/* --- from one to the other ------------------------------------------------- */

static struct cost measure_ping(enum chan_kind kind)
{
	struct trip trip;
	struct cost cost;

	trip_open(&trip, kind, pin, 1);
	pin(0);
	cost = measure(trip_make, &trip, SAMPLES / bench_hurry, PAIRS);
	trip_close(&trip);
	return cost;
}

static struct cost measure_ping_spin(void)
{
	struct cost cost;

	setenv("KMQ_SPIN", SPIN, 1);
	cost = measure_ping(CHAN_KMQ);
	unsetenv("KMQ_SPIN");
	return cost;
}

static void run_ping(void)
{
	struct cost mq = measure_ping(CHAN_MQUEUE);

	out_title("Round trip of 64 bytes from one processor to another");
	out_row(&(struct row) {
		.key = "cpus.ping.mq", .name = "POSIX mq", .cost = mq,
	});
	out_row(&(struct row) {
		.key = "cpus.ping.kmq", .name = "kmq", .cost =
			measure_ping(CHAN_KMQ), .to = "POSIX mq",
		.base = mq.median,
	});
	out_row(&(struct row) {
		.key = "cpus.ping.kmq_spin",
		.name = "kmq, gets look out before they sleep",
		.cost = measure_ping_spin(), .to = "POSIX mq",
		.base = mq.median, .must = 1.1, .aim = 0.5,
	});
}

void run_cpus(void)
{
	cpu_set_t before;

	sched_getaffinity(0, sizeof(before), &before);
	if (!CPU_ISSET(0, &before) || !CPU_ISSET(1, &before)) {
		out_title("Two processors");
		out_note("left out: this takes processors 0 and 1");
		return;
	}
	run_ping();
	out_title("Put and get of 64 bytes, a message, on two processors");
	run_ceiling();
	run_scale(CHAN_KMQ, "kmq");
	run_scale(CHAN_MQUEUE, "mq");
	sched_setaffinity(0, sizeof(before), &before);
}
