/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Units of work move messages between queues while their owners are killed. At
 * the end each message is there once, as it was put.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "kq.h"

#define QUEUES		4
#define WORKERS_MAX	64
#define UNIT_MAX	50
#define LENGTH_MAX	6000

struct body {
	uint32_t number;
	uint32_t length;
	uint8_t data[LENGTH_MAX];
};

static const char * const names[QUEUES] = {
	"KS.MOVE.0", "KS.MOVE.1", "KS.MOVE.2", "KS.MOVE.3",
};

struct shared {
	volatile int stop;
	volatile unsigned int moved;	/* added to by many, not exactly */
	volatile unsigned int commits, backouts, errors;
};

static struct shared *shared;

/* Lengths up to and beyond what one piece of kernel memory holds. */
static uint32_t length_of(uint32_t number)
{
	return offsetof(struct body, data) +
	       (number % 50 ? number % 200 : LENGTH_MAX);
}

static void fill(struct body *body, uint32_t number)
{
	uint32_t i;

	body->number = number;
	body->length = length_of(number);
	for (i = 0; i < body->length - offsetof(struct body, data); i++)
		body->data[i] = number * 7 + i;
}

static bool intact(const struct body *body, const struct kmq_get *get,
		   uint32_t messages)
{
	uint32_t i;

	if (body->number >= messages ||
	    body->length != length_of(body->number) ||
	    get->out_data_length != body->length ||
	    kq_number(get->md.msg_id) != body->number + 1)
		return false;
	for (i = 0; i < body->length - offsetof(struct body, data); i++)
		if (body->data[i] != (uint8_t)(body->number * 7 + i))
			return false;
	return true;
}

/* One unit of work. Return: messages moved. */
static int unit(int conn, const int *queues, uint64_t *state, int messages)
{
	static struct body body;
	int from = kq_random(state) % QUEUES;
	int count = kq_random(state) % UNIT_MAX + 1;
	struct kmq_get get;
	struct kmq_put put;
	kq_result r;
	int i;

	for (i = 0; i < count; i++) {
		int to = (from + 1 + kq_random(state) % (QUEUES - 1)) % QUEUES;

		kq_get_init(&get, &body, sizeof(body));
		get.options = MQGMO_SYNCPOINT;
		r = kq_get(queues[from], &get);
		if (r == MQRC_NO_MSG_AVAILABLE)
			break;
		if (r || !intact(&body, &get, messages)) {
			kq_fail("get in a unit of work: %x, message %u", r,
				body.number);
			shared->errors++;
			break;
		}
		kq_put_init(&put, &body, body.length);
		put.options = MQPMO_SYNCPOINT;
		put.md = get.md;
		r = kq_put(queues[to], &put);
		if (r) {
			kq_fail("put in a unit of work: %x", r);
			shared->errors++;
			break;
		}
	}
	if (kq_random(state) % 4 == 0) {
		shared->backouts++;
		r = kq_end(conn, false);
		i = 0;
	} else {
		shared->commits++;
		r = kq_end(conn, true);
	}
	if (r) {
		kq_fail("end of a unit of work: %x", r);
		shared->errors++;
	}
	return i;
}

static void worker(uint64_t state, int messages)
{
	int conn = kq_session();
	int queues[QUEUES], i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < QUEUES; i++)
		queues[i] = kq_handle(conn, names[i],
				      MQOO_INPUT_SHARED | MQOO_OUTPUT);
	while (!shared->stop)
		__sync_fetch_and_add(&shared->moved,
				     unit(conn, queues, &state, messages));
	_exit(0);
}

static pid_t start(uint64_t state, int messages)
{
	pid_t pid = fork();

	if (!pid)
		worker(state, messages);
	return pid;
}

static void put_all(int messages)
{
	static struct body body;
	int conn = kq_session();
	int i, fd[QUEUES];

	for (i = 0; i < QUEUES; i++)
		fd[i] = kq_handle(conn, names[i], MQOO_OUTPUT);
	for (i = 0; i < messages; i++) {
		struct kmq_put put;

		fill(&body, i);
		kq_put_init(&put, &body, body.length);
		kq_id(put.md.msg_id, i + 1);
		if (kq_put(fd[i % QUEUES], &put))
			kq_fail("cannot put message %d", i);
	}
	for (i = 0; i < QUEUES; i++)
		close(fd[i]);
	close(conn);
}

static void check_counts(int messages)
{
	struct kmq_status status;
	int i, depth = 0;

	for (i = 0; i < QUEUES; i++) {
		kq_status(names[i], &status);
		depth += status.out_depth;
		if (status.out_uncommitted_puts ||
		    status.out_uncommitted_gets || status.out_locked ||
		    status.out_open_input || status.out_open_output)
			kq_fail("%s: %u puts and %u gets pending, %u open",
				names[i], status.out_uncommitted_puts,
				status.out_uncommitted_gets,
				status.out_open_input);
	}
	if (depth != messages)
		kq_fail("%d messages on the queues, not %d", depth, messages);
}

static void check_messages(int messages)
{
	static struct body body;
	uint8_t *seen = calloc(messages, 1);
	int conn = kq_session();
	struct kmq_status status;
	struct kmq_get get;
	int i, fd;

	for (i = 0; i < QUEUES; i++) {
		fd = kq_handle(conn, names[i], MQOO_INPUT_SHARED);
		for (;;) {
			kq_get_init(&get, &body, sizeof(body));
			if (kq_get(fd, &get))
				break;
			if (!intact(&body, &get, messages))
				kq_fail("message %u is damaged", body.number);
			else
				seen[body.number]++;
		}
		close(fd);
		kq_status(names[i], &status);
		if (status.out_depth || status.out_bytes || status.out_memory)
			kq_fail("%s: %u messages, %llu bytes, %llu memory left",
				names[i], status.out_depth,
				(unsigned long long)status.out_bytes,
				(unsigned long long)status.out_memory);
	}
	for (i = 0; i < messages; i++)
		if (seen[i] != 1)
			kq_fail("message %d is there %u times", i, seen[i]);
	free(seen);
	close(conn);
}

int stress_transfer(const struct transfer_plan *plan)
{
	pid_t pids[WORKERS_MAX];
	uint64_t state = 42, end = kq_now_ms() + plan->seconds * 1000ULL;
	int i, kills = 0, failures = kq_failures;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < QUEUES; i++)
		if (kq_define(names[i]))
			kq_fail("cannot define %s", names[i]);
	put_all(plan->messages);
	for (i = 0; i < plan->workers; i++)
		pids[i] = start(++state, plan->messages);
	while (shared->moved < (unsigned int)plan->moves &&
	       kq_now_ms() < end && !shared->errors) {
		kq_nap(1 + kq_random(&state) % 30);
		i = kq_random(&state) % plan->workers;
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
		kills++;
		pids[i] = start(kq_random(&state), plan->messages);
	}
	/* Half of them end by themselves, half in the middle of something. */
	for (i = 0; i < plan->workers; i += 2)
		kill(pids[i], SIGKILL);
	shared->stop = 1;
	for (i = 0; i < plan->workers; i++)
		waitpid(pids[i], NULL, 0);
	printf("# %u moved of %d, %u commits, %u back-outs, %d kills\n",
	       shared->moved, plan->moves, shared->commits, shared->backouts,
	       kills);
	if (shared->errors)
		kq_fail("%u errors in the workers", shared->errors);
	check_counts(plan->messages);
	check_messages(plan->messages);
	for (i = 0; i < QUEUES; i++)
		if (kq_delete(names[i]))
			kq_fail("cannot delete %s", names[i]);
	munmap(shared, sizeof(*shared));
	return kq_failures - failures;
}
