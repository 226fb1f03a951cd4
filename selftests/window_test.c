/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Windows (KMQ_IOC_WINDOW, KMQ_VEC_AHEAD): messages that a program has copies of
 * and claims by itself. Whatever happens meanwhile, a claim that succeeds is a get
 * of that moment, and nothing else has happened.
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include "window_fixture.h"

/* G-RET: what is shown is what a get returns, and nothing has been got */
TEST_F(q, looking_is_not_getting)
{
	struct win *w = ready(self->k, self->h, 0);
	struct kmq_status s, before = status(Q);

	PUTS(self->k, "A; B; C; D");
	ASSERT_EQ(3, look(w, 3));
	s = status(Q);
	EXPECT_EQ(4, (int)s.out_depth);
	EXPECT_EQ(before.out_total_gets, s.out_total_gets);
	CLAIM("A", w);
	CLAIM("B", w);
	CLAIM("C", w);
	CLAIM("gone", w);
	s = status(Q);
	EXPECT_EQ(1, (int)s.out_depth);
	EXPECT_EQ(before.out_total_gets + 3, s.out_total_gets);
	EXPECT_LE(before.out_last_get_time, s.out_last_get_time);
	LIST("D");
	NOW("D", w);
	EXPECT_EQ(0, look(w, 4));
	EXPECT_EQ(0, (int)status(Q).out_bytes);
	EXPECT_EQ(0, (int)status(Q).out_memory);
}

/* M-PRI, G-ORD-1: one of higher priority is next, one of lower is not */
TEST_F(q, priority)
{
	struct win *w;

	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	w = ready(self->k, self->h, 0);
	PUTS(self->k, "A p=4; B p=4; C p=3");
	ASSERT_EQ(3, look(w, 8));
	CLAIM("A", w);
	PUT("OK", self->k, "D p=3");
	PUT("OK", self->k, "E p=0 SP");
	EXPECT_STREQ("OK", commit(self->d));
	CLAIM("B", w);
	PUT("OK", self->k, "Y p=9 SP");
	EXPECT_STREQ("OK", commit(self->d));
	CLAIM("gone", w);
	NOW("Y", w);
	ASSERT_EQ(3, look(w, 8));
	PUT("OK", self->k, "Z p=4");
	CLAIM("gone", w);
	ASSERT_EQ(4, look(w, 8));
	CLAIM("Z", w);
	CLAIM("C", w);
	CLAIM("D", w);
	LIST("E");
	discard(self->k);
}

/* U-BOC-1, M-STO-2: one that is backed out is back in front */
TEST_F(q, backed_out_by_others)
{
	struct win *w = ready(self->k, self->h, 0);

	PUTS(self->k, "A; B; C");
	GET("A", self->k, "SP");
	ASSERT_EQ(2, look(w, 8));
	CLAIM("B", w);
	EXPECT_STREQ("OK", back(self->d));
	CLAIM("gone", w);
	NOW("A", w);
	LIST("C");
	discard(self->k);
}

/* U-VIS-2: what has not been claimed is there for others */
TEST_F(q, other_getters)
{
	struct win *w = ready(self->k, self->h, 0), *v;

	v = ready(self->h, self->k, 0);
	PUTS(self->h, "A; B; C; D; E; F");
	ASSERT_EQ(6, look(w, 8));
	CLAIM("A", w);
	GET("B", self->k, "");
	CLAIM("gone", w);
	ASSERT_EQ(4, look(w, 8));
	CLAIM("C", w);
	/* two windows on one queue */
	ASSERT_EQ(3, look(v, 8));
	CLAIM("gone", w);
	CLAIM("D", v);
	ASSERT_EQ(2, look(w, 8));
	CLAIM("gone", v);
	CLAIM("E", w);
	GET("F", self->k, "m=F");
	CLAIM("gone", w);
	EXPECT_EQ(0, depth(Q));
}

/* G-BRW, G-LCK, G-MRK: browses of others find what is there */
TEST_F(q, browse_lock_mark)
{
	struct mqh *marker = opn(self->d, Q, "bc");
	struct win *w = ready(self->k, self->h, 0);

	PUTS(self->k, "A; B; C; D; E");
	ASSERT_EQ(5, look(w, 8));
	CLAIM("A", w);
	GET("B", self->k, "BF LK");
	CLAIM("gone", w);
	ASSERT_EQ(3, look(w, 8));
	CLAIM("C", w);
	GET("OK", self->k, "UL");
	NOW("B", w);
	GET("D", marker, "BF MK");
	ASSERT_EQ(0, look(w, 8));
	NOW("D", w);
	NOW("E", w);
}

/* M-CUR: depth by every way there is to ask for it, at each step */
TEST_F(q, depth_at_each_step)
{
	struct win *w = ready(self->k, self->h, 0);
	int i;

	for (i = 0; i < 8; i++)
		PUT("OK", self->k, "A");
	ASSERT_EQ(8, look(w, 8));
	for (i = 8; i > 0; i--) {
		struct pollfd p = { w->fd, POLLIN | POLLOUT };

		EXPECT_EQ(i, depth(Q));
		EXPECT_EQ(i, inquire_int(Q, MQIA_CURRENT_Q_DEPTH));
		EXPECT_EQ(1, poll(&p, 1, 0));
		EXPECT_EQ(POLLIN | POLLOUT, p.revents);
		CLAIM("A", w);
	}
	EXPECT_EQ(0, depth(Q));
	GET("F2033", self->k, "");
}

/* poll() must not find messages that have been claimed */
TEST_F(q, readable)
{
	struct win *w = ready(self->k, self->h, 0);
	struct pollfd p = { w->fd, POLLIN };

	PUT("OK", self->k, "A");
	ASSERT_EQ(1, look(w, 8));
	EXPECT_EQ(1, poll(&p, 1, 0));
	CLAIM("A", w);
	EXPECT_EQ(0, poll(&p, 1, 0));
	GET("F2033", self->k, "WT(1)");
}

/* P-CHK: a full queue, with messages that have been claimed */
TEST_F(q, full)
{
	struct win *w = ready(self->k, self->h, 0);
	struct pollfd p = { kmq_object_fd(self->k->hc, self->k->ho), POLLOUT };

	EXPECT_STREQ("OK", alter(Q, "depth=4"));
	ASSERT_NE(NULL, w = ready(self->k, self->h, 0));
	PUTS(self->k, "A; B; C");
	ASSERT_EQ(3, look(w, 8));
	CLAIM("A", w);
	PUT("OK", self->k, "D");
	CLAIM("B", w);
	PUT("OK", self->k, "E");
	CLAIM("C", w);
	PUTS(self->k, "F; G");
	CLAIM("gone", w);
	PUT("F2053", self->k, "H");
	EXPECT_EQ(0, poll(&p, 1, 0));
	/* nothing may be claimed there: who waits for room is told of a get */
	EXPECT_EQ(0, look(w, 8));
	NOW("D", w);
	EXPECT_EQ(1, poll(&p, 1, 0));
	ASSERT_EQ(3, look(w, 8));
	PUT("OK", self->k, "H");
	CLAIM("gone", w);
	LIST("E F G H");
	discard(self->k);
}

/* G-INH-1 */
TEST_F(q, inhibited)
{
	struct win *w = ready(self->k, self->h, 0);

	PUTS(self->k, "A; B; C");
	ASSERT_EQ(3, look(w, 8));
	CLAIM("A", w);
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	CLAIM("gone", w);
	EXPECT_EQ(0, look(w, 8));
	NOW("F2016", w);
	EXPECT_STREQ("OK", alter(Q, "get=0"));
	NOW("B", w);
	ASSERT_EQ(1, look(w, 8));
	CLAIM("C", w);
}

/* likewise, of the alias that was opened */
TEST_F(q, alias_inhibited)
{
	struct win *w;

	ASSERT_STREQ("OK", define(ALIAS, "alias target=" Q));
	w = ready(self->k, opn(self->c, ALIAS, "i"), 0);
	PUTS(self->k, "A; B; C");
	ASSERT_EQ(3, look(w, 8));
	CLAIM("A", w);
	EXPECT_STREQ("OK", alter(ALIAS, "alias get=1"));
	CLAIM("gone", w);
	NOW("F2016", w);
	LIST("B C");
	discard(self->k);
}

/* A change that concerns others ends no window: none is looked for */
TEST_F(q, others_change)
{
	struct win *w = ready(self->k, self->h, 0);

	ASSERT_STREQ("OK", define(ALIAS, "alias target=" Q ".OTHER"));
	PUTS(self->k, "A; B; C");
	ASSERT_EQ(3, look(w, 8));
	CLAIM("A", w);
	EXPECT_STREQ("OK", alter(ALIAS, "alias get=1"));
	CLAIM("B", w);
	EXPECT_STREQ("OK", alter(ALIAS, "alias target=" Q));
	CLAIM("gone", w);
	NOW("C", w);
}

/* P-CALL-10, G-WAIT-11: an alias leads elsewhere; so does a wait there end */
TEST_F(q, alias_leaves)
{
	struct win *w;

	ASSERT_STREQ("OK", define(ALIAS, "alias target=" Q));
	w = ready(self->k, opn(self->c, ALIAS, "i"), 0);
	PUTS(self->k, "A; B; C");
	ASSERT_EQ(3, look(w, 8));
	CLAIM("A", w);
	EXPECT_STREQ("OK", alter(ALIAS, "alias target=" Q ".OTHER"));
	CLAIM("gone", w);
	NOW("F2041", w);
	LIST("B C");
	discard(self->k);
}

/* U-LIM-1: what is not claimed yet is counted anew */
TEST_F(q, unit_limit_changes)
{
	struct win *w = ready(self->k, self->h, MQGMO_SYNCPOINT);

	PUTS(self->k, "A; B; C");
	ASSERT_EQ(3, look(w, 8));
	CLAIM("A", w);
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=1"));
	CLAIM("gone", w);
	NOW("F2024", w);
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=10000"));
	EXPECT_STREQ("OK", commit(self->c));
	LIST("B C");
	discard(self->k);
}

/* G-WAIT-11: 2161, 2202 */
TEST_F(q, quiescing)
{
	MQBYTE24 id;
	MQHCONN e = conn_known(id);
	struct win *w;

	w = ready(self->k, opn(e, Q, "i"), MQGMO_FAIL_IF_QUIESCING);
	PUTS(self->k, "A; B; C; D; E");
	ASSERT_EQ(5, look(w, 8));
	CLAIM("A", w);
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	CLAIM("gone", w);
	NOW("F2161", w);
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	NOW("B", w);
	ASSERT_EQ(3, look(w, 8));
	CLAIM("C", w);
	EXPECT_STREQ("OK", conn_state(id, KMQ_QMGR_QUIESCING));
	CLAIM("gone", w);
	NOW("F2202", w);
	LIST("D E");
	discard(self->k);
	disc(&e);
}

/* O-CLOSE, M-STO: a queue that is deleted, cleared */
TEST_F(q, cleared_and_deleted)
{
	struct win *w = ready(self->k, self->h, 0);

	PUTS(self->k, "A; B; C");
	ASSERT_EQ(3, look(w, 8));
	CLAIM("A", w);
	EXPECT_STREQ("OK", clear_q(Q));
	CLAIM("gone", w);
	EXPECT_EQ(0, depth(Q));
	PUTS(self->k, "A; B; C");
	/* claimed, so that nothing is left */
	ASSERT_EQ(3, look(w, 3));
	CLAIM("A", w);
	CLAIM("B", w);
	CLAIM("C", w);
	disc(&self->d);
	disc(&self->c);
	EXPECT_STREQ("OK", delete_q(Q, 0));
}

/* Where a message needs more than to be handed over there is no window. */
TEST_F(q, plain_messages_only)
{
	struct win *w = ready(self->k, self->h, 0);

	PUT("OK", self->k, "A exp=1000");
	EXPECT_EQ(0, look(w, 8));
	GET("A", self->k, "");
	PUTS(self->k, "A; B exp=1000; C");
	ASSERT_EQ(1, look(w, 8));
	CLAIM("A", w);
	GET("B", self->k, "");
	discard(self->k);
	PUTS(self->k, "A; B(G,1,0,G)");
	EXPECT_EQ(0, look(w, 8));
	discard(self->k);
	/* too long for the buffer */
	PUTS(self->k, "A; B len=65; C");
	ASSERT_EQ(1, look(w, 8));
	CLAIM("A", w);
	EXPECT_EQ(0, look(w, 8));
	discard(self->k);
	EXPECT_EQ(0, depth(Q));
	/* triggers */
	EXPECT_STREQ("OK", alter(Q, "service=1 serviceev=1"));
	EXPECT_STREQ("OK", alter_qmgr("perfev=1"));
	PUT("OK", self->k, "A");
	EXPECT_EQ(0, look(w, 8));
	EXPECT_STREQ("OK", alter_qmgr("perfev=0"));
	discard(self->k);
}

/* A group that comes behind the window does not disturb it. */
TEST_F(q, groups_behind)
{
	struct win *w = ready(self->k, self->h, 0);

	PUTS(self->k, "A; B");
	ASSERT_EQ(2, look(w, 8));
	PUTS(self->k, "C(G,1,0,G); D(G,2,0,L)");
	CLAIM("A", w);
	EXPECT_EQ(3, depth(Q));
	CLAIM("B", w);
	LIST("C D");
	discard(self->k);
}

/* A-CBC-9, U-END-2: a program that is killed */
static pid_t killed(unsigned int options, int claims)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	MQHCONN hc = conn();
	struct win *w = win(opn(hc, Q, "i"), options);

	get_now(w);
	commit(hc);
	if (look(w, 8) != 4)
		_exit(1);
	while (claims--)
		claim(w);
	kill(getpid(), SIGKILL);
	_exit(2);
}

TEST_F(q, killed)
{
	pid_t pid;
	int st;

	PUTS(self->k, "W; A; B; C; D");
	pid = killed(0, 2);
	ASSERT_EQ(pid, waitpid(pid, &st, 0));
	ASSERT_TRUE(WIFSIGNALED(st));
	LIST("C D");
	GET("C", self->k, "");
	EXPECT_EQ(0, self->k->md.BackoutCount);
	discard(self->k);
	PUTS(self->k, "W; A; B; C; D");
	pid = killed(MQGMO_SYNCPOINT, 2);
	ASSERT_EQ(pid, waitpid(pid, &st, 0));
	ASSERT_TRUE(WIFSIGNALED(st));
	LIST("A B C D");
	GET("A", self->k, "");
	EXPECT_EQ(1, self->k->md.BackoutCount);
	GET("B", self->k, "");
	EXPECT_EQ(1, self->k->md.BackoutCount);
	GET("C", self->k, "");
	EXPECT_EQ(0, self->k->md.BackoutCount);
	discard(self->k);
}

/* The mapping ends with the process that made it. */
TEST_F(q, forked)
{
	struct win *w = ready(self->k, self->h, 0);
	pid_t pid;
	int st;

	PUTS(self->k, "A; B");
	ASSERT_EQ(2, look(w, 8));
	pid = fork();
	if (!pid) {
		*w->word = 0;
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, &st, 0));
	EXPECT_TRUE(WIFSIGNALED(st) && WTERMSIG(st) == SIGSEGV);
	CLAIM("A", w);
	LIST("B");
	discard(self->k);
}

TEST_F(q, unmapped)
{
	struct win *w = ready(self->k, self->h, 0);

	PUTS(self->k, "A; B; C");
	ASSERT_EQ(3, look(w, 8));
	CLAIM("A", w);
	munmap(w->word, 4096);
	EXPECT_EQ(2, depth(Q));
	NOW("B", w);
	/* mapped again, it is the same one */
	w = win(self->h, 0);
	ASSERT_EQ(1, look(w, 8));
	CLAIM("C", w);
}

/* What a program writes there harms nobody but itself. */
TEST_F(q, spoilt)
{
	struct win *w = ready(self->k, self->h, 0);
	uint64_t junk = 1;
	int i, n;

	for (i = 0; i < 300; i++) {
		PUTS(self->k, "A; B; C; D");
		n = depth(Q);
		ASSERT_LE(4, n);
		n = look(w, 4);
		junk = junk * 6364136223846793005ULL + i;
		*w->word = i % 3 ? junk : (w->expected | (junk >> 40));
		EXPECT_LE(depth(Q), n + 4);
		if (i % 2)
			*w->word = w->expected | 1;
		*w->word = w->expected;
		if (i % 5 == 0)
			*w->word = w->expected | KMQ_WINDOW_CLAIMED;
		discard(self->k);
		EXPECT_EQ(0, depth(Q));
		EXPECT_EQ(0, (int)status(Q).out_bytes);
	}
	EXPECT_EQ(0, (int)status(Q).out_memory);
}

TEST_F(q, errors)
{
	struct mqh *o = opn(self->c, Q, "o");
	int node = open_node(Q, O_RDWR), fd;
	struct win *w = ready(self->k, self->h, 0);

	EXPECT_EQ(-ENOTCONN, window_fd(node));
	close(node);
	EXPECT_EQ(-2037, window_fd(kmq_object_fd(o->hc, o->ho)));
	fd = window_fd(w->fd);
	ASSERT_LE(0, fd);
	EXPECT_EQ(NULL, map(fd, PROT_READ, MAP_PRIVATE, 4096, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(NULL, map(fd, PROT_READ, MAP_SHARED, 8192, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(NULL, map(fd, PROT_READ, MAP_SHARED, 4096, 4096));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(NULL, map(fd, PROT_READ | PROT_EXEC, MAP_SHARED, 4096, 0));
	EXPECT_EQ(EPERM, errno);
	EXPECT_EQ(-1, mprotect(w->word, 4096, PROT_READ | PROT_EXEC));
	close(fd);
	/* no window without a word, and none where the first entry is bad */
	PUT("OK", self->k, "A");
	w->entries[0].get.size--;
	EXPECT_EQ(-EINVAL, look(w, 8));
	w->entries[0].get.size++;
	w->entries[0].get.flags = 4;
	EXPECT_EQ(0, look(w, 8));
	w->entries[0].get.flags = 0;
	/* another get than the last one */
	w->entries[0].get.options = MQGMO_SYNCPOINT;
	EXPECT_EQ(0, look(w, 8));
	w->entries[0].get.options = 0;
	ASSERT_EQ(1, look(w, 8));
	w->fd = kmq_object_fd(self->k->hc, self->k->ho);
	EXPECT_EQ(-EINVAL, look(w, 8));
	discard(self->k);
}

/* Output that cannot be written: nothing has happened. */
TEST_F(q, unwritable)
{
	struct win *w = ready(self->k, self->h, 0);
	char *edge = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct kmq_vec v = {
		.size = sizeof(v), .flags = KMQ_VEC_AHEAD, .count = 4,
		.stride = sizeof(w->entries[0]),
	};
	struct entry *e = (void *)(edge + 4096 - 2 * sizeof(*e));

	munmap(edge + 4096, 4096);
	PUTS(self->k, "A; B; C");
	e[0] = w->entries[0];
	e[0].get.data = (uintptr_t)w->data;
	v.entries = (uintptr_t)e;
	ASSERT_EQ(0, ioctl(w->fd, KMQ_IOC_GETV, &v));
	EXPECT_EQ(0, (int)v.out_done);
	EXPECT_EQ(0, (int)v.out_window);
	e[0].get.data = (uintptr_t)edge + 4096 - 12;
	v.count = 2;
	ASSERT_EQ(0, ioctl(w->fd, KMQ_IOC_GETV, &v));
	EXPECT_EQ(0, (int)v.out_done);
	LIST("A B C");
	ASSERT_EQ(3, look(w, 8));
	CLAIM("A", w);
	discard(self->k);
}

/* Everything at once: each message is got exactly once, in order. */
#define PUTS_EACH	4000

static bool over;

static void *produce(void *arg)
{
	MQHCONN hc = conn();
	struct mqh *h = opn(hc, Q, "o");
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG cc, rc;
	int i;

	for (i = 0; i < PUTS_EACH; i++) {
		md = (MQMD){ MQMD_DEFAULT };
		md.Priority = i % 64 ? 0 : 9;
		do {
			MQPUT(hc, h->ho, &md, &pmo, sizeof(i), &i, &cc, &rc);
		} while (rc == MQRC_Q_FULL);
		if (cc)
			abort();
	}
	disc(&hc);
	return NULL;
}

static unsigned char seen[PUTS_EACH];

static void *consume(void *arg)
{
	unsigned int options = arg ? MQGMO_SYNCPOINT : 0, n = 0, i;
	MQHCONN hc = conn();
	struct win *w = win(opn(hc, Q, "i"), options);
	struct entry e;
	int value, empty = 0;

	while (empty < 3) {
		int count = look(w, 1 + n++ % MOST);

		for (i = 0; (int)i < count; i++) {
			uint64_t x = w->expected;

			if (!__atomic_compare_exchange_n(w->word, &x, x + 1,
							 false,
							 __ATOMIC_SEQ_CST,
							 __ATOMIC_SEQ_CST))
				break;
			w->expected++;
			memcpy(&value, w->data[i], sizeof(value));
			__atomic_add_fetch(&seen[value], 1, __ATOMIC_RELAXED);
			if (options && i % 4 == 3)
				commit(hc);
		}
		e = w->entries[0];
		e.get.data = (uintptr_t)&value;
		e.get.ext = (uintptr_t)&e.ext;
		e.get.length = sizeof(value);
		e.get.options |= MQGMO_WAIT;
		e.get.wait_interval = __atomic_load_n(&over, __ATOMIC_RELAXED) ? 1 : 50;
		if (ioctl(w->fd, KMQ_IOC_GET, &e.get))
			abort();
		w->entries[0].get.length = SLOT;
		if (!e.get.out_comp_code) {
			__atomic_add_fetch(&seen[value], 1, __ATOMIC_RELAXED);
			empty = 0;
		} else if (__atomic_load_n(&over, __ATOMIC_RELAXED)) {
			empty++;
		}
	}
	commit(hc);
	disc(&hc);
	return NULL;
}

TEST_F(q, beside_each_other)
{
	pthread_t p[2], c[3];
	long i, wrong = 0;

	over = false;
	memset(seen, 0, sizeof(seen));
	EXPECT_STREQ("OK", alter(Q, "fifo=0 depth=100"));
	for (i = 0; i < 2; i++)
		pthread_create(&p[i], NULL, produce, NULL);
	for (i = 0; i < 3; i++)
		pthread_create(&c[i], NULL, consume, i == 2 ? &over : NULL);
	for (i = 0; i < 2; i++)
		pthread_join(p[i], NULL);
	__atomic_store_n(&over, true, __ATOMIC_RELAXED);
	for (i = 0; i < 3; i++)
		pthread_join(c[i], NULL);
	for (i = 0; i < PUTS_EACH; i++)
		wrong += seen[i] != 2;
	EXPECT_EQ(0, wrong);
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(0, (int)status(Q).out_bytes);
}

TEST_HARNESS_MAIN
