/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Many gets that wait for different things, many puts, and all that can go wrong
 * with both at any time. In the end each message was delivered once or is still
 * there; and whenever all is quiet, nobody sleeps who could be served.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "kq.h"

#define Q		"KS.WAIT"
#define PROCESSES_MAX	128
#define IDS		6	/* so few that each is asked for often */
#define GROUP_MAX	3
#define MESSAGES_MAX	2000000
#define GROUP_BASE	1000000ULL

enum kind {
	ANY, BY_MSG_ID, BY_CORREL_ID, BY_BOTH, BY_GROUP, COMPLETE_GROUP,
	BROWSE, BROWSE_ID, LOCK, KINDS
};

/* A message whose putter was killed may stay at BEGUN. */
enum fate { NEVER, BEGUN, DONE, BACKED_OUT };

/* What a process says about itself, for the time after it was killed. */
struct slot {
	volatile int kind;
	volatile int in_get;		/* perhaps asleep */
	volatile int paused;
	volatile uint32_t msg_id, correl_id;
	volatile uint32_t number;	/* the buffer of its gets */
	volatile uint32_t held[8];	/* got in its unit of work */
	volatile uint32_t held_count;
};

struct shared {
	volatile int pause, stop;
	volatile uint32_t next;		/* number of the next message */
	volatile uint32_t delivered, browsed, timeouts, inhibited, errors;
	struct slot slots[PROCESSES_MAX];
	volatile uint8_t put[MESSAGES_MAX];	/* enum fate */
	volatile uint8_t got[MESSAGES_MAX];
	uint8_t perhaps[MESSAGES_MAX];	/* its getter was killed */
};

static struct shared *shared;

static void wait_if_paused(struct slot *slot)
{
	while (shared->pause && !shared->stop) {
		slot->paused = 1;
		kq_nap(2);
	}
	slot->paused = 0;
	if (shared->stop)
		_exit(0);
}

static void oops(const char *what, kq_result r)
{
	kq_fail("%s: %d", what, r);
	__sync_fetch_and_add(&shared->errors, 1);
}

/* --- putting --------------------------------------------------------------- */

static uint32_t put_message(int fd, uint64_t *state, uint64_t group, int seq,
			    bool last, bool syncpoint)
{
	uint32_t number = __sync_fetch_and_add(&shared->next, 1);
	struct kmq_md_ext ext = {
		.msg_seq_number = seq, .original_length = MQOL_UNDEFINED,
		.msg_flags = MQMF_MSG_IN_GROUP |
			     (last ? MQMF_LAST_MSG_IN_GROUP : 0),
	};
	struct kmq_put put;
	kq_result r;

	if (number >= MESSAGES_MAX)
		_exit(0);
	kq_put_init(&put, &number, sizeof(number));
	put.options = syncpoint ? MQPMO_SYNCPOINT : MQPMO_NO_SYNCPOINT;
	kq_id(put.md.msg_id, kq_random(state) % IDS + 1);
	kq_id(put.md.correl_id, kq_random(state) % IDS + 1);
	put.md.priority = kq_random(state) % 3;
	if (group) {
		kq_id(ext.group_id, group);
		put.ext = (uintptr_t)&ext;
		put.present = KMQ_MD_GROUP;
	}
	shared->put[number] = BEGUN;
	r = kq_put(fd, &put);
	if (r)
		oops("put", r);
	else if (!syncpoint)
		shared->put[number] = DONE;
	return number;
}

/* A group, or a few messages, perhaps in a unit of work. */
static void putter(struct slot *slot, uint64_t state)
{
	int conn = kq_session();
	int fd = kq_handle(conn, Q, MQOO_OUTPUT);

	for (;;) {
		bool syncpoint = kq_random(&state) % 2;
		bool commit = kq_random(&state) % 5;
		int count = kq_random(&state) % GROUP_MAX + 1, i;
		uint64_t group = kq_random(&state) % 2 ?
				 GROUP_BASE + kq_random(&state) : 0;
		uint32_t numbers[GROUP_MAX];

		wait_if_paused(slot);
		for (i = 0; i < count; i++)
			numbers[i] = put_message(fd, &state, group, i + 1,
						 i == count - 1, syncpoint);
		if (syncpoint && kq_end(conn, commit))
			oops("end of puts", 0);
		for (i = 0; syncpoint && i < count; i++)
			shared->put[numbers[i]] = commit ? DONE : BACKED_OUT;
		/* Not faster than they are got. */
		kq_nap(kq_random(&state) % 20);
	}
}

/* --- getting --------------------------------------------------------------- */

static void record(uint32_t number)
{
	if (number >= MESSAGES_MAX) {
		oops("number of a message", number);
		return;
	}
	__sync_fetch_and_add(&shared->got[number], 1);
	__sync_fetch_and_add(&shared->delivered, 1);
}

static kq_result do_get(int fd, struct slot *slot, struct kmq_get *get)
{
	kq_result r;

	slot->number = UINT32_MAX;
	slot->in_get = 1;
	r = kq_get(fd, get);
	slot->in_get = 0;
	if (r == MQRC_NO_MSG_AVAILABLE)
		__sync_fetch_and_add(&shared->timeouts, 1);
	else if (r == MQRC_GET_INHIBITED)
		__sync_fetch_and_add(&shared->inhibited, 1);
	else if (r && r != MQRC_NO_MSG_UNDER_CURSOR)
		oops("get", r);
	return r;
}

static void set_criteria(struct slot *slot, struct kmq_get *get,
			 struct kmq_md_ext *ext, uint64_t *state)
{
	slot->msg_id = kq_random(state) % IDS + 1;
	slot->correl_id = kq_random(state) % IDS + 1;
	get->match_options = MQMO_NONE;
	switch (slot->kind) {
	case BY_BOTH:
		kq_id(get->md.correl_id, slot->correl_id);
		get->match_options = MQMO_MATCH_CORREL_ID;
		/* fall through */
	case BY_MSG_ID:
	case BROWSE_ID:
		kq_id(get->md.msg_id, slot->msg_id);
		get->match_options |= MQMO_MATCH_MSG_ID;
		break;
	case BY_CORREL_ID:
	case LOCK:
		kq_id(get->md.correl_id, slot->correl_id);
		get->match_options = MQMO_MATCH_CORREL_ID;
		break;
	case BY_GROUP:
		/* Second members, of any group. */
		ext->msg_seq_number = 2;
		get->ext = (uintptr_t)ext;
		get->match_options = MQMO_MATCH_MSG_SEQ_NUMBER;
		break;
	}
	if (slot->kind == BROWSE || slot->kind == BROWSE_ID)
		get->options |= MQGMO_BROWSE_FIRST;
	if (slot->kind == LOCK)
		get->options |= MQGMO_BROWSE_FIRST | MQGMO_LOCK;
	if (slot->kind == COMPLETE_GROUP)
		get->options |= MQGMO_LOGICAL_ORDER | MQGMO_ALL_MSGS_AVAILABLE;
}

/* What is only browsed is no one's: it comes to a buffer of no interest. */
static void init_get(struct kmq_get *get, struct slot *slot, uint64_t *state)
{
	static const int intervals[] = { 5, 50, 300, MQWI_UNLIMITED };
	static uint32_t browsed;
	bool removes = slot->kind != BROWSE && slot->kind != BROWSE_ID &&
		       slot->kind != LOCK;

	kq_get_init(get, removes ? (void *)&slot->number : &browsed,
		    sizeof(browsed));
	get->options |= MQGMO_WAIT;
	get->wait_interval = intervals[kq_random(state) % 4];
}

/* A whole group in a unit of work, and some messages more. */
static void get_group(int conn, int fd, struct slot *slot, uint64_t *state)
{
	struct kmq_md_ext ext;
	struct kmq_get get;
	bool commit = kq_random(state) % 4;
	uint32_t i;

	slot->held_count = 0;
	do {
		init_get(&get, slot, state);
		get.options = MQGMO_SYNCPOINT | MQGMO_WAIT;
		if (slot->held_count)
			get.wait_interval = 2000;
		set_criteria(slot, &get, &ext, state);
		ext.msg_seq_number = 1;
		ext.msg_flags = 0;
		get.ext = (uintptr_t)&ext;
		if (do_get(fd, slot, &get))
			break;
		slot->held[slot->held_count] = slot->number;
		slot->held_count++;
	} while (!(get.out_msg_flags & MQMF_LAST_MSG_IN_GROUP) &&
		 get.out_msg_flags & MQMF_MSG_IN_GROUP &&
		 slot->held_count < 8);
	slot->number = UINT32_MAX;
	if (kq_end(conn, commit))
		oops("end of gets", 0);
	for (i = 0; commit && i < slot->held_count; i++)
		record(slot->held[i]);
	slot->held_count = 0;
}

static void get_single(int fd, struct slot *slot, uint64_t *state)
{
	struct kmq_md_ext ext = { .original_length = MQOL_UNDEFINED };
	struct kmq_get get;

	init_get(&get, slot, state);
	set_criteria(slot, &get, &ext, state);
	if (do_get(fd, slot, &get))
		return;
	if (slot->kind == BROWSE || slot->kind == BROWSE_ID) {
		__sync_fetch_and_add(&shared->browsed, 1);
		return;
	}
	if (slot->kind == LOCK) {
		kq_get_init(&get, (void *)&slot->number, sizeof(slot->number));
		if (kq_random(state) % 3 == 0)
			get.options = MQGMO_UNLOCK;
		else
			get.options = MQGMO_MSG_UNDER_CURSOR;
		if (get.options == MQGMO_UNLOCK) {
			kq_get(fd, &get);
			return;
		}
		if (do_get(fd, slot, &get))
			return;
	}
	record(slot->number);
	slot->number = UINT32_MAX;
}

static void getter(struct slot *slot, uint64_t state)
{
	int conn = kq_session();
	int fd = kq_handle(conn, Q, MQOO_INPUT_SHARED | MQOO_BROWSE);

	for (;;) {
		wait_if_paused(slot);
		if (slot->kind == COMPLETE_GROUP) {
			get_group(conn, fd, slot, &state);
			/* Nothing begun is carried over. */
			close(fd);
			fd = kq_handle(conn, Q,
				       MQOO_INPUT_SHARED | MQOO_BROWSE);
		} else {
			get_single(fd, slot, &state);
		}
		if (slot->kind == BROWSE || slot->kind == BROWSE_ID)
			kq_nap(5);
	}
}

/* --- watching -------------------------------------------------------------- */

static pid_t pids[PROCESSES_MAX];

static void start(int i, int getters, uint64_t state)
{
	struct slot *slot = &shared->slots[i];

	memset((void *)slot, 0, sizeof(*slot));
	slot->number = UINT32_MAX;
	slot->kind = i % KINDS;
	pids[i] = fork();
	if (pids[i])
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (i < getters)
		getter(slot, state);
	putter(slot, state);
}

/* What a killed getter may have been given, and not told. */
static void bury(int i)
{
	struct slot *slot = &shared->slots[i];
	uint32_t n;

	kill(pids[i], SIGKILL);
	waitpid(pids[i], NULL, 0);
	if (slot->number < MESSAGES_MAX)
		shared->perhaps[slot->number] = 1;
	for (n = 0; n < slot->held_count && n < 8; n++)
		if (slot->held[n] < MESSAGES_MAX)
			shared->perhaps[slot->held[n]] = 1;
}

/*
 * All have stopped or sleep in a get: how many sleep; or -1, which is said, if
 * that does not come about. The time for it is long: a machine may be busy.
 */
static int settle(int count)
{
	uint64_t end = kq_now_ms() + 60000;
	unsigned int asleep, paused;
	struct kmq_status status;

	do {
		int i;

		asleep = 0;
		paused = 0;
		for (i = 0; i < count; i++) {
			paused += !!shared->slots[i].paused;
			asleep += shared->slots[i].in_get &&
				  !shared->slots[i].paused;
		}
		kq_status(Q, &status);
		if (asleep + paused == (unsigned int)count &&
		    status.out_waiters == asleep)
			return asleep;
		kq_nap(20);
	} while (kq_now_ms() < end);
	kq_fail("it does not become quiet: of %d, %u paused, %u in a get, %u wait",
		count, paused, asleep, status.out_waiters);
	return -1;
}

struct seen {
	uint32_t msg_id, correl_id, flags;
	int seq;
	uint64_t group;
};

static bool wanted(const struct slot *slot, const struct seen *seen, int count,
		   int n)
{
	const struct seen *m = &seen[n];
	int i, members = 0, last = 0;

	switch (slot->kind) {
	case ANY:
	case BROWSE:
		return true;
	case BY_MSG_ID:
	case BROWSE_ID:
		return m->msg_id == slot->msg_id;
	case BY_CORREL_ID:
	case LOCK:
		return m->correl_id == slot->correl_id;
	case BY_BOTH:
		return m->msg_id == slot->msg_id &&
		       m->correl_id == slot->correl_id;
	case BY_GROUP:
		return m->seq == 2;
	default:
		break;
	}
	/* Inside a group: it has what it needs, or times out. */
	if (slot->held_count)
		return false;
	if (!m->group)
		return true;
	if (m->seq != 1)
		return false;
	for (i = 0; i < count; i++)
		if (seen[i].group == m->group) {
			members |= 1 << seen[i].seq;
			if (seen[i].flags & MQMF_LAST_MSG_IN_GROUP)
				last = seen[i].seq;
		}
	return last && members == (2 << last) - 2;
}

static int browse_all(int fd, struct seen *seen, int max)
{
	struct kmq_md_ext ext;
	uint32_t number;
	struct kmq_get get;
	int count = 0;

	for (;;) {
		kq_get_init(&get, &number, sizeof(number));
		get.options = count ? MQGMO_BROWSE_NEXT : MQGMO_BROWSE_FIRST;
		get.ext = (uintptr_t)&ext;
		if (count == max || kq_get(fd, &get))
			return count;
		seen[count].msg_id = kq_number(get.md.msg_id);
		seen[count].correl_id = kq_number(get.md.correl_id);
		seen[count].flags = get.out_msg_flags;
		seen[count].group = 0;
		seen[count].seq = 1;
		if (get.out_present & KMQ_MD_GROUP) {
			seen[count].group = kq_number(ext.group_id);
			seen[count].seq = ext.msg_seq_number;
		}
		count++;
	}
}

/* Everything stops for a moment: does anybody sleep in front of his message? */
static int check_sleepers(int fd, int getters, int count)
{
	static struct seen seen[20000];
	int asleep, n, i, m;

	shared->pause = 1;
	asleep = settle(count);
	n = browse_all(fd, seen, 20000);
	for (i = 0; asleep > 0 && i < getters; i++) {
		struct slot *slot = &shared->slots[i];

		if (!slot->in_get || slot->paused)
			continue;
		for (m = 0; m < n; m++)
			if (wanted(slot, seen, n, m)) {
				kq_fail("getter %d of kind %d (%u, %u) sleeps, but there is (%u, %u) group %llu seq %d",
					i, slot->kind, slot->msg_id,
					slot->correl_id, seen[m].msg_id,
					seen[m].correl_id,
					(unsigned long long)seen[m].group,
					seen[m].seq);
				break;
			}
	}
	shared->pause = 0;
	return asleep;
}

static void check_delivery(int fd)
{
	uint32_t number, i, end = shared->next;
	unsigned int left = 0, lost = 0, twice = 0, unsure = 0, undead = 0;
	struct kmq_get get;

	for (;;) {
		kq_get_init(&get, &number, sizeof(number));
		if (kq_get(fd, &get))
			break;
		left++;
		if (number < MESSAGES_MAX)
			shared->got[number]++;
	}
	if (end > MESSAGES_MAX)
		end = MESSAGES_MAX;
	for (i = 0; i < end; i++) {
		if (shared->got[i] > 1)
			twice++;
		if (shared->got[i] && shared->put[i] == BACKED_OUT)
			undead++;
		if (shared->got[i] || shared->put[i] != DONE)
			continue;
		if (shared->perhaps[i])
			unsure++;
		else
			lost++;
	}
	printf("# %u put, %u delivered, %u browsed, %u left, %u with the killed, %u time-outs, %u inhibited\n",
	       end, shared->delivered, shared->browsed, left, unsure,
	       shared->timeouts, shared->inhibited);
	if (lost)
		kq_fail("%u messages lost", lost);
	if (twice)
		kq_fail("%u messages delivered twice", twice);
	if (undead)
		kq_fail("%u messages delivered that were backed out", undead);
}

int stress_waiters(const struct waiters_plan *plan)
{
	int count = plan->getters + plan->putters;
	uint64_t state = 7, end = kq_now_ms() + plan->seconds * 1000ULL;
	int i, kills = 0, checks = 0, asleep = 0, failures = kq_failures;
	struct kmq_status status;
	uint64_t next_check = kq_now_ms() + 1500;
	int conn, fd;

	if (count > PROCESSES_MAX)
		return -1;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (kq_define(Q))
		kq_fail("cannot define " Q);
	conn = kq_session();
	fd = kq_handle(conn, Q, MQOO_INPUT_SHARED | MQOO_BROWSE);
	for (i = 0; i < count; i++)
		start(i, plan->getters, ++state);
	while (kq_now_ms() < end && !shared->errors) {
		kq_nap(20 + kq_random(&state) % 60);
		i = kq_random(&state) % count;
		if (kq_random(&state) % 2) {
			bury(i);
			start(i, plan->getters, kq_random(&state));
			kills++;
		}
		if (kq_random(&state) % 8 == 0) {
			kq_alter(Q, MQIA_INHIBIT_GET, 1);
			kq_nap(kq_random(&state) % 10);
			kq_alter(Q, MQIA_INHIBIT_GET, 0);
		}
		if (kq_now_ms() >= next_check) {
			asleep += check_sleepers(fd, plan->getters, count);
			checks++;
			next_check = kq_now_ms() + 1500;
		}
	}
	shared->stop = 1;
	for (i = 0; i < count; i++)
		bury(i);
	printf("# %d kills, %d looks at %d sleepers\n", kills, checks, asleep);
	if (shared->errors)
		kq_fail("%u errors", shared->errors);
	if (!checks)
		kq_fail("it was never looked at");
	check_delivery(fd);
	kq_status(Q, &status);
	if (status.out_depth || status.out_uncommitted_puts ||
	    status.out_uncommitted_gets || status.out_locked ||
	    status.out_waiters || status.out_memory)
		kq_fail("not empty: depth %u puts %u gets %u locked %u waiters %u",
			status.out_depth, status.out_uncommitted_puts,
			status.out_uncommitted_gets, status.out_locked,
			status.out_waiters);
	close(fd);
	close(conn);
	if (kq_delete(Q))
		kq_fail("cannot delete " Q);
	munmap(shared, sizeof(*shared));
	return kq_failures - failures;
}
