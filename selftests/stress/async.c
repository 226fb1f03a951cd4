/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Asynchronous puts, which the library holds and makes several at a time, in
 * units of work whose owners are killed: of each unit there is all or nothing,
 * each message once and in its place (P-ASY-2, U-END-2).
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "kq.h"

#define Q		"KS.ASYNC"
#define QMGR		"QM1"
#define WRITERS_MAX	64
#define OWNERS_MAX	8192
#define UNIT_MAX	150
/* Messages that are read in a turn; writers are not further ahead than that. */
#define TURN		500

struct body {
	uint32_t owner;
	uint32_t unit;
	uint32_t index;
	uint32_t count;
	uint32_t backed_out;
};

struct shared {
	volatile int stop;
	volatile unsigned int commits, backouts, errors;
	volatile int ahead;		/* messages not read, about */
};

static struct shared *shared;

/* What the reader has seen of an owner. */
struct seen {
	uint32_t unit;
	uint32_t next;		/* index that must come now; 0: of a new unit */
};

static struct seen *seen;

static void wrong(const char *what, MQLONG reason)
{
	kq_fail("%s: %d", what, reason);
	shared->errors++;
}

/* --- writers --------------------------------------------------------------- */

static void put_one(MQHCONN hc, MQHOBJ ho, const struct body *body)
{
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG comp_code, reason;

	pmo.Options = MQPMO_SYNCPOINT | MQPMO_ASYNC_RESPONSE |
		      MQPMO_NEW_MSG_ID;
	MQPUT(hc, ho, &md, &pmo, sizeof(*body), (void *)body, &comp_code,
	      &reason);
	if (comp_code != MQCC_OK)
		wrong("asynchronous put", reason);
}

static void end_unit(MQHCONN hc, const struct body *body)
{
	MQSTS sts = { MQSTS_DEFAULT };
	MQLONG comp_code, reason;

	if (body->backed_out) {
		shared->backouts++;
		MQBACK(hc, &comp_code, &reason);
	} else {
		shared->commits++;
		MQCMIT(hc, &comp_code, &reason);
		__sync_fetch_and_add(&shared->ahead, body->count);
	}
	if (comp_code != MQCC_OK)
		wrong("end of a unit of work", reason);
	MQSTAT(hc, MQSTAT_TYPE_ASYNC_ERROR, &sts, &comp_code, &reason);
	if (comp_code != MQCC_OK || sts.PutFailureCount ||
	    sts.PutWarningCount)
		wrong("MQSTAT", sts.Reason);
	if (!body->backed_out &&
	    sts.PutSuccessCount != (MQLONG)body->count)
		wrong("number of puts", sts.PutSuccessCount);
}

static void writer(uint32_t owner)
{
	struct body body = { .owner = owner };
	MQLONG comp_code, reason;
	MQOD od = { MQOD_DEFAULT };
	MQCHAR48 name = QMGR;
	uint64_t state = owner;
	MQHCONN hc;
	MQHOBJ ho;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	MQCONN(name, &hc, &comp_code, &reason);
	memcpy(od.ObjectName, Q, sizeof(Q));
	if (comp_code == MQCC_OK)
		MQOPEN(hc, &od, MQOO_OUTPUT, &ho, &comp_code, &reason);
	if (comp_code != MQCC_OK) {
		wrong("open", reason);
		_exit(1);
	}
	while (!shared->stop) {
		if (shared->ahead > TURN) {
			kq_nap(1);
			continue;
		}
		body.unit++;
		body.count = kq_random(&state) % UNIT_MAX + 1;
		body.backed_out = kq_random(&state) % 4 == 0;
		for (body.index = 0; body.index < body.count; body.index++)
			put_one(hc, ho, &body);
		end_unit(hc, &body);
	}
	MQDISC(&hc, &comp_code, &reason);
	_exit(0);
}

static pid_t start(uint32_t owner)
{
	pid_t pid = fork();

	if (!pid)
		writer(owner);
	return pid;
}

/* --- the reader ------------------------------------------------------------ */

static void check(const struct body *body, uint32_t length)
{
	struct seen *s = &seen[body->owner % OWNERS_MAX];

	if (length != sizeof(*body) || body->owner >= OWNERS_MAX)
		kq_fail("a damaged message");
	else if (body->backed_out)
		kq_fail("message of a unit that was backed out");
	else if (body->index != s->next)
		kq_fail("owner %u, unit %u: message %u, not %u", body->owner,
			body->unit, body->index, s->next);
	else if (s->next ? body->unit != s->unit : body->unit <= s->unit)
		kq_fail("owner %u: unit %u after %u", body->owner, body->unit,
			s->unit);
	s->unit = body->unit;
	s->next = body->index + 1 == body->count ? 0 : body->index + 1;
}

/* At most @most. Return: messages. */
static unsigned int read_some(int fd, unsigned int most)
{
	struct kmq_get get;
	struct body body;
	unsigned int n;

	for (n = 0; n < most; n++) {
		kq_get_init(&get, &body, sizeof(body));
		if (kq_get(fd, &get))
			break;
		check(&body, get.out_data_length);
	}
	__sync_fetch_and_sub(&shared->ahead, n);
	return n;
}

static void check_end(uint32_t owners)
{
	struct kmq_status status;
	uint32_t i;

	for (i = 0; i < owners; i++)
		if (seen[i].next)
			kq_fail("owner %u: unit %u ends with message %u", i,
				seen[i].unit, seen[i].next - 1);
	kq_status(Q, &status);
	if (status.out_depth || status.out_uncommitted_puts ||
	    status.out_memory || status.out_open_output)
		kq_fail("%u messages, %u uncommitted, %u open for output",
			status.out_depth, status.out_uncommitted_puts,
			status.out_open_output);
}

int stress_async(const struct async_plan *plan)
{
	uint64_t state = 42, end = kq_now_ms() + plan->seconds * 1000ULL;
	int i, kills = 0, failures = kq_failures;
	pid_t pids[WRITERS_MAX];
	uint32_t owners = 0;
	unsigned int messages = 0;
	int conn, fd;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	seen = calloc(OWNERS_MAX, sizeof(*seen));
	if (kq_define(Q))
		kq_fail("cannot define " Q);
	conn = kq_session();
	fd = kq_handle(conn, Q, MQOO_INPUT_SHARED);
	for (i = 0; i < plan->writers; i++)
		pids[i] = start(owners++);
	while (kq_now_ms() < end && !shared->errors && owners < OWNERS_MAX) {
		kq_nap(1 + kq_random(&state) % 30);
		messages += read_some(fd, TURN);
		i = kq_random(&state) % plan->writers;
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
		kills++;
		pids[i] = start(owners++);
	}
	/* Half of them end by themselves, half in the middle of something. */
	for (i = 0; i < plan->writers; i += 2)
		kill(pids[i], SIGKILL);
	shared->stop = 1;
	for (i = 0; i < plan->writers; i++)
		waitpid(pids[i], NULL, 0);
	messages += read_some(fd, UINT_MAX);
	printf("# %u messages, %u commits, %u back-outs, %d kills\n", messages,
	       shared->commits, shared->backouts, kills);
	if (shared->errors)
		kq_fail("%u errors in the writers", shared->errors);
	if (!messages || !kills)
		kq_fail("nothing was tried");
	check_end(owners);
	close(fd);
	close(conn);
	if (kq_delete(Q))
		kq_fail("cannot delete " Q);
	munmap(shared, sizeof(*shared));
	free(seen);
	return kq_failures - failures;
}
