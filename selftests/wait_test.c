/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Waiting gets (G-WAIT, E-15, UC-034..038): who is woken, what ends a wait,
 * no wake-up lost or stolen.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <kmq.h>
#include "wait_fixture.h"

/* E-15, G-WAIT-5, G-WAIT-7, UC-037 */
TEST_F(q, example)
{
	struct waiter *w1, *w2, *w3, *w4;

	START(w1, "i", "WT(20000)", 1);
	START(w2, "i", "m=X WT(20000)", 2);
	START(w3, "b", "BF WT(20000)", 3);
	START(w4, "b", "BF WT(20000)", 4);
	PUT("OK", self->h, "X");
	EXPECT_STREQ("X", result(w2));
	EXPECT_STREQ("X", result(w3));		/* recommended: G-WAIT-10 */
	EXPECT_STREQ("X", result(w4));
	EXPECT_TRUE(waiting(w1));
	PUT("OK", self->h, "Q");
	EXPECT_STREQ("Q", result(w1));
	START(w3, "b", "BF WT(20000)", 1);
	PUT("OK", self->h, "T SP");
	nap(10);
	EXPECT_TRUE(waiting(w3));
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_STREQ("T", result(w3));
	GET("T", self->k, "");
	EXPECT_STREQ("F2034", get(self->k, "MC WT(5000)"));
}

/* G-WAIT-7: specific before general, first come first served in a class */
TEST_F(q, who_is_woken)
{
	struct waiter *g1, *g2, *s1, *s2, *o;

	START(g1, "i", "WT(20000)", 1);
	START(g2, "i", "WT(20000) m=none", 2);	/* null: general */
	START(s1, "i", "WT(20000) c=X", 3);
	START(s2, "i", "WT(20000) c=X", 4);
	START(o, "i", "WT(20000) c=Y", 5);
	PUT("OK", self->h, "A c=X");
	EXPECT_STREQ("A", result(s1));
	PUT("OK", self->h, "B c=X");
	EXPECT_STREQ("B", result(s2));
	PUT("OK", self->h, "C c=X");
	EXPECT_STREQ("C", result(g1));
	PUT("OK", self->h, "D c=Z");
	EXPECT_STREQ("D", result(g2));
	EXPECT_TRUE(waiting(o));
	PUT("OK", self->h, "E c=Z");
	nap(5);
	EXPECT_TRUE(waiting(o));
	PUT("OK", self->h, "F c=Y");
	EXPECT_STREQ("F", result(o));
	LIST("E");
}

/* G-WAIT-7: what makes a waiter specific */
TEST_F(q, specific)
{
	static const char *const specific[] = {
		"m=A WT(20000)", "c=C WT(20000)", "g=K WT(20000)",
		"s=1 WT(20000)", "o=0 WT(20000)", "LO g=K WT(20000)",
	};
	struct waiter *g, *s;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(specific); i++) {
		START(g, "i", "WT(20000)", 1);
		START(s, "i", specific[i], 2);
		PUT("OK", self->h, "A(K,1,0,G) c=C");
		EXPECT_STREQ("A", result(s)) TH_LOG("%s", specific[i]);
		EXPECT_TRUE(waiting(g));
		PUT("OK", self->h, "B");
		EXPECT_STREQ("B", result(g));
	}
}

/* G-WAIT-4, UC-037: a browse with LOCK counts as non-browse */
TEST_F(q, locking_browse)
{
	struct waiter *w1, *w2;

	START(w1, "b", "BF LK WT(20000)", 1);
	START(w2, "b", "BF LK WT(20000)", 2);
	PUT("OK", self->h, "A");
	EXPECT_STREQ("A", result(w1));
	nap(5);
	EXPECT_TRUE(waiting(w2));
	PUT("OK", self->h, "B");
	EXPECT_STREQ("B", result(w2));
	EXPECT_EQ(2, (int)status(Q).out_locked);
}

/* G-WAIT-6: all the ways a message becomes visible */
TEST_F(q, ways_to_become_visible)
{
	struct waiter *w;

	START(w, "i", "WT(20000)", 1);
	PUT("OK", self->h, "A");
	EXPECT_STREQ("A", result(w));
	PUT("OK", self->h, "B SP");
	START(w, "i", "WT(20000)", 1);
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_STREQ("B", result(w));
	PUT("OK", self->h, "C");
	GET("C", self->h, "SP");
	START(w, "i", "WT(20000)", 1);
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_STREQ("C", result(w));
	PUT("OK", self->h, "D");
	GET("D", self->h, "BF LK");
	START(w, "i", "WT(20000)", 1);
	GET("OK", self->h, "UL");
	EXPECT_STREQ("D", result(w));
	PUT("OK", self->h, "E");
	GET("E", self->h, "BF LK");
	START(w, "i", "WT(20000)", 1);
	EXPECT_STREQ("OK", shut(self->h));
	EXPECT_STREQ("E", result(w));
}

/* G-WAIT-8, G-CPL-9: the last member makes the first one a candidate */
TEST_F(q, group_completed)
{
	struct waiter *w, *v;

	START(w, "i", "LO AM WT(20000)", 1);
	START(v, "i", "CM WT(20000) g=S", 2);
	PUT("OK", self->h, "K2(K,2,0,L)");
	nap(5);
	EXPECT_TRUE(waiting(w));
	PUT("OK", self->h, "K1(K,1,0,G)");
	EXPECT_STREQ("K1", result(w));
	PUT("OK", self->h, "s1(S,1,0,S)");
	PUT("OK", self->h, "s3(S,1,20,E)");
	nap(5);
	EXPECT_TRUE(waiting(v));
	PUT("OK", self->h, "s2(S,1,10,S)");
	EXPECT_STREQ("s1", result(v));
	LIST("K2");
}

/* G-WAIT-8: the next member of a group, not another message */
TEST_F(q, next_member)
{
	struct mqh *x = own("i");
	struct waiter *w;

	PUTS(self->h, "K1(K,1,0,G)");
	GET("K1", x, "LO");
	w = wait_get(x, "LO WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	PUTS(self->h, "N; J1(J,1,0,L); K3(K,3,0,L)");
	nap(5);
	EXPECT_TRUE(waiting(w));
	PUTS(self->h, "K2(K,2,0,G)");
	EXPECT_STREQ("K2", result(w));
	GET("K3", x, "LO");
	LIST("N J1");
}

/* G-WAIT-11, UC-038: gets inhibited, also if a message is there */
TEST_F(q, ended_by_get_inhibited)
{
	struct waiter *w, *v;

	START(w, "i", "WT(-1)", 1);
	START(v, "b", "BF WT(20000)", 2);
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	EXPECT_STREQ("F2016", result(w));
	EXPECT_STREQ("F2016", result(v));
	PUT("OK", self->h, "A");
	GET("F2016", self->k, "WT(20000)");
	EXPECT_STREQ("OK", alter(Q, "get=0"));
	GET("A", self->k, "WT(20000)");
}

/* G-WAIT-11, G-WAIT-12, E-15 w7 */
TEST_F(q, ended_by_quiescing)
{
	struct waiter *w, *v;

	START(w, "i", "FQ WT(-1)", 1);
	START(v, "i", "WT(20000)", 2);
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	EXPECT_STREQ("F2161", result(w));
	nap(5);
	EXPECT_TRUE(waiting(v));
	PUT("OK", self->h, "A");
	EXPECT_STREQ("A", result(v));
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
}

/* G-WAIT-2, UC-031: not before the interval, whatever the wall clock does */
TEST_F(q, interval_and_wall_clock)
{
	struct timespec ts;
	struct waiter *w;
	int64_t t = now_ms();

	START(w, "i", "WT(150)", 1);
	clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_sec += 3600;
	clock_settime(CLOCK_REALTIME, &ts);
	nap(5);
	EXPECT_TRUE(waiting(w));
	ts.tv_sec -= 3600;
	clock_settime(CLOCK_REALTIME, &ts);
	EXPECT_STREQ("F2033", result(w));
	EXPECT_LE(150, now_ms() - t + 1);
	EXPECT_GT(20000, now_ms() - t);
}

/* G-WAIT-14: an unsuccessful wait changes nothing on the handle */
TEST_F(q, unsuccessful_wait)
{
	PUTS(self->h, "A; K1(K,1,0,G); B");
	GET("A", self->k, "BF");
	GET("K1", self->k, "LO g=K");
	GET("F2033", self->k, "LO WT(5)");
	GET("A", self->k, "BC");
	GET("F2033", self->k, "WT(5) m=NONE");
	GET("B", self->k, "BN");
	PUTS(self->h, "K2(K,2,0,L)");
	GET("K2", self->k, "LO");
}

/* UC-032: a wait on one connection does not hold up another */
TEST_F(q, other_connections_go_on)
{
	struct waiter *w;
	int i;

	START(w, "i", "WT(-1) m=LAST", 1);
	for (i = 0; i < 20; i++) {
		PUT("OK", self->h, "A");
		GET("A", self->k, "");
	}
	EXPECT_TRUE(waiting(w));
	PUT("OK", self->h, "LAST");
	EXPECT_STREQ("LAST", result(w));
}

/* UC-032: stopped and continued */
TEST_F(q, stopped_and_continued)
{
	int st, up[2];
	char c = 0;
	pid_t pid;

	ASSERT_EQ(0, pipe(up));
	pid = fork();
	if (!pid) {
		c = !strcmp(get(own("i"), "WT(20000)"), "#") ? 'y' : 'n';
		_exit(write(up[1], &c, 1) != 1);
	}
	ASSERT_TRUE(sleepers(Q, 1));
	kill(pid, SIGSTOP);
	waitpid(pid, &st, WUNTRACED);
	kill(pid, SIGCONT);
	nap(10);
	EXPECT_EQ(1, (int)status(Q).out_waiters);
	PUT("OK", self->h, "A");
	ASSERT_EQ(1, read(up[0], &c, 1));
	EXPECT_EQ('y', c);
	waitpid(pid, &st, 0);
}

static void tick(int sig)
{
	(void)sig;
}

/* Signals without end that break every system call, until told otherwise. */
static void ticks(unsigned int every_ms)
{
	struct sigaction sa = { .sa_handler = tick };
	struct itimerval often = { .it_interval.tv_usec = every_ms * 1000,
				   .it_value.tv_usec = every_ms * 1000 };

	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
}

/* G-WAIT-13, the kernel's part: what is left to wait for is written back */
TEST_F(q, broken_by_signals)
{
	const int64_t interval = 600000;
	unsigned char data[64];
	struct kmq_get cmd = {
		.size = sizeof(cmd), .gmo_version = 1, .md_version = 1,
		.options = MQGMO_WAIT | MQGMO_NO_SYNCPOINT,
		.match_options = 3, .wait_interval = interval,
		.length = sizeof(data), .data = (uintptr_t)data,
	};
	int fd = kmq_object_fd(self->c, self->h->ho);
	int64_t start = now_ms();
	uint64_t first;

	ticks(20);
	EXPECT_EQ(-1, ioctl(fd, KMQ_IOC_GET, &cmd));
	EXPECT_EQ(EINTR, errno);
	first = cmd.deadline;
	EXPECT_LE(start + interval, (int64_t)(first / 1000000) + 1);
	EXPECT_GE(now_ms() + interval, (int64_t)(first / 1000000));
	EXPECT_EQ(-1, ioctl(fd, KMQ_IOC_GET, &cmd));
	EXPECT_EQ(EINTR, errno);
	EXPECT_EQ(first, cmd.deadline);
	EXPECT_EQ(0, (int)status(Q).out_waiters);
	cmd.deadline = 1;
	EXPECT_EQ(0, ioctl(fd, KMQ_IOC_GET, &cmd));
	EXPECT_EQ(MQRC_NO_MSG_AVAILABLE, (int)cmd.out_reason);
	ticks(0);
	PUT("OK", self->h, "A");
	GET("A", self->k, "");
}

/* G-WAIT-13: a wait that signals break ends all the same, and not before */
TEST_F(q, signals_do_not_prolong_a_wait)
{
	int64_t start = now_ms();

	ticks(20);
	GET("F2033", self->h, "WT(400)");
	ticks(0);
	EXPECT_LE(400, now_ms() - start);
}

/* UC-034: no wake-up is lost: no wait comes near its interval */
TEST_F(q, ping_pong)
{
	struct player a = { .rounds = 300 }, b = { .rounds = 300 };
	MQHCONN hc = conn();

	ASSERT_STREQ("OK", define(Q "2", ""));
	a.in = self->h;
	a.out = opn(self->c, Q "2", "o");
	b.in = opn(hc, Q "2", "i");
	b.out = opn(hc, Q, "o");
	PUT("OK", self->k, "BALL");
	play_ball(&a, &b);
	EXPECT_EQ(0, a.late + b.late);
	EXPECT_EQ(0, a.wrong + b.wrong);
	EXPECT_EQ(1, depth(Q));
}

/*
 * G-WAIT-9: several waiters, many puts: each message to exactly one, also if it is
 * backed out and offered to the next
 */
TEST_F(q, nothing_lost_or_doubled)
{
	struct mqh *in[CROWD];
	int i;

	for (i = 0; i < CROWD; i++)
		in[i] = own("i");
	EXPECT_STREQ("OK", serve_crowd(self->h, in, "WT(20000) SP"));
}

/* G-CPL-9: what completes a message bears none of the identifiers asked for */
TEST_F(q, completed_by_a_message_that_does_not_match)
{
	static const char *const opts[] = {
		"CM m=s1 WT(20000)", "CM c=C WT(20000)", "CM g=S WT(20000)",
		"CM o=0 WT(20000)", "AS m=s1 WT(20000)",
		"LO AM c=C WT(20000)",
	};
	struct waiter *w;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(opts); i++) {
		PUTS(self->h, "s1(S,1,0,S) c=C");
		START(w, "i", opts[i], 1);
		PUTS(self->h, "s2(S,1,10,E)");
		EXPECT_STREQ("s1", result(w)) TH_LOG("case %u", i);
		discard(self->h);
	}
}

/* G-WAIT-2, U-WAIT-4: a wait inside a unit of work keeps what it holds */
TEST_F(q, wait_inside_a_unit)
{
	struct mqh *x = own("io");
	struct waiter *w;

	PUTS(self->h, "A; B");
	GET("A", x, "SP");
	PUT("OK", x, "C SP");
	w = wait_get(x, "WT(20000) SP m=D");
	ASSERT_TRUE(sleepers(Q, 1));
	GET("B", self->k, "");
	GET("F2033", self->k, "");
	PUTS(self->h, "D");
	EXPECT_STREQ("D", result(w));
	EXPECT_STREQ("OK", back(x->hc));
	LIST("A D");
}

/* M-STO-7, G-WAIT-8: an own uncommitted message is found at once */
TEST_F(q, own_message_before_a_wait)
{
	PUT("OK", self->h, "A SP");
	GET("A", self->h, "SP WT(20000)");
	PUT("OK", self->h, "B SP");
	GET("F2033", self->h, "WT(5)");
	EXPECT_STREQ("OK", commit(self->c));
	GET("B", self->h, "WT(20000)");
}

TEST_HARNESS_MAIN
