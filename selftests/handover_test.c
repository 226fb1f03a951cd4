/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A put hands its message to a get that waits (G-WAIT-5..9), and both are like
 * the ones before: such a get waits without having made up all that a get needs.
 * Whatever comes for it, it must answer as any get does.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "wait_fixture.h"

/* A handle that has made a get with these options, which was checked. */
static struct mqh *used(struct mqh *out, const char *opts)
{
	struct mqh *x = own("ib");

	put(out, "W");
	put(out, "W");
	get(x, opts);
	get(x, opts);
	return x;
}

/* G-WAIT-5, O-STAT: the message counts as put and as got */
TEST_F(q, counts)
{
	struct mqh *x = used(self->h, "WT(20000)");
	struct kmq_status s, before = status(Q);
	struct waiter *w;

	WAITS(w, x, "WT(20000)", 1);
	PUT("OK", self->h, "A");
	EXPECT_STREQ("A", result(w));
	s = status(Q);
	EXPECT_EQ(before.out_total_puts + 1, s.out_total_puts);
	EXPECT_EQ(before.out_total_gets + 1, s.out_total_gets);
	EXPECT_LE(before.out_last_put_time, s.out_last_put_time);
	EXPECT_LE(s.out_last_put_time, s.out_last_get_time);
	EXPECT_EQ(0, (int)s.out_depth);
	EXPECT_EQ(0, (int)s.out_bytes);
	EXPECT_EQ(0, (int)s.out_waiters);
	EXPECT_EQ(0, (int)s.out_uncommitted_gets);
}

/* G-WAIT-7: in the order in which they came, also beside gets of other kinds */
TEST_F(q, order_of_service)
{
	struct mqh *x = used(self->h, "WT(20000)");
	struct mqh *y = used(self->h, "WT(20000)");
	struct mqh *z = used(self->h, "WT(20000) c=none");
	struct waiter *a, *b, *c, *d, *e;

	WAITS(a, x, "WT(20000)", 1);
	WAITS(b, own("i"), "WT(20000)", 2);
	WAITS(c, y, "WT(20000)", 3);
	WAITS(d, z, "WT(20000) c=X", 4);
	WAITS(e, own("b"), "BF WT(20000)", 5);
	PUT("OK", self->h, "1 c=X");
	EXPECT_STREQ("1", result(e));
	EXPECT_STREQ("1", result(d));
	PUT("OK", self->h, "2");
	EXPECT_STREQ("2", result(a));
	PUT("OK", self->h, "3");
	EXPECT_STREQ("3", result(b));
	PUT("OK", self->h, "4");
	EXPECT_STREQ("4", result(c));
	LIST("");
}

/* G-WAIT-8: by CorrelId, past others; who does not match goes on waiting */
TEST_F(q, by_identifier)
{
	struct mqh *x = used(self->h, "WT(20000) c=none");
	struct waiter *w;

	PUTS(self->h, "A; B c=Y");
	WAITS(w, x, "WT(20000) c=X", 1);
	PUT("OK", self->h, "C c=Y");
	nap(5);
	EXPECT_TRUE(waiting(w));
	PUT("OK", self->h, "D c=X");
	EXPECT_STREQ("D", result(w));
	LIST("A B C");
}

/* What is not just handed over: the same answers as without a wait */
TEST_F(q, unusual_messages)
{
	static const struct {
		const char *opts, *msg, *want, *left;
	} cases[] = {
		/* G-TRU-2 */
		{ "WT(20000) buf=4", "A", "W2080 A", "A" },
		/* G-TRU-1 */
		{ "WT(20000) buf=4 AT", "A", "W2079 A", "" },
		/* M-EXP-3 */
		{ "WT(20000)", "A exp=100000", "A", "" },
		/* G-OUT-8 */
		{ "WT(20000)", "A(K,1,0,G)", "A", "" },
		{ "WT(20000)", "A(S,1,0,S)", "A", "" },
		{ "WT(20000)", "A(-,1,0,A)", "A", "" },
		/* M-SIZ-1 */
		{ "WT(20000)", "A len=0", "A", "" },
		{ "WT(20000) buf=9000", "A len=9000", "A", "" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct mqh *x = used(self->h, cases[i].opts);
		struct waiter *w;

		discard(self->k);
		WAITS(w, x, cases[i].opts, 1);
		PUT("OK", self->h, cases[i].msg);
		EXPECT_STREQ(cases[i].want, result(w)) TH_LOG("case %u", i);
		LIST(cases[i].left);
		discard(self->k);
		shut(x);
	}
}

/* G-REP-1: a report of delivery, although the message was never on the queue */
TEST_F(q, report_of_delivery)
{
	struct mqh *x, *r;
	struct waiter *w;

	ASSERT_STREQ("OK", define(Q "2", ""));
	x = used(self->h, "WT(20000)");
	r = opn(self->d, Q "2", "i");
	PUT("OK", self->h, "W rep=2048 rq=" Q "2");
	GET("W", self->k, "");
	discard(r);
	WAITS(w, x, "WT(20000)", 1);
	PUT("OK", self->h, "A rep=2048 rq=" Q "2");
	EXPECT_STREQ("A", result(w));
	get(r, "");
	EXPECT_EQ(MQCC_OK, r->cc);
	EXPECT_EQ(MQFB_COD, r->md.Feedback);
}

/* U-BACK-1, M-BOC-1: into the unit of work of who waits */
TEST_F(q, in_a_unit_of_work)
{
	struct mqh *x = used(self->h, "WT(20000) SP");
	struct waiter *w;

	EXPECT_STREQ("OK", commit(x->hc));
	WAITS(w, x, "WT(20000) SP", 1);
	PUT("OK", self->h, "A");
	EXPECT_STREQ("A", result(w));
	EXPECT_EQ(1, (int)status(Q).out_uncommitted_gets);
	PUT("OK", self->h, "B");
	GET("B", self->k, "");
	EXPECT_STREQ("OK", back(x->hc));
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
	GET("A", x, "WT(20000) SP");
	EXPECT_EQ(1, x->md.BackoutCount);
	EXPECT_STREQ("OK", commit(x->hc));
	EXPECT_EQ(0, (int)status(Q).out_bytes);
}

/* U-LIM-1: a limit that is lowered during the wait holds */
TEST_F(q, limit_lowered_meanwhile)
{
	struct mqh *x = used(self->h, "WT(20000) SP");
	struct waiter *w;

	WAITS(w, x, "WT(20000) SP", 1);
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=2"));
	PUT("OK", self->h, "A");
	EXPECT_STREQ("F2024", result(w));
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=10000"));
	LIST("A");
	back(x->hc);
}

/* G-WAIT-2, G-WAIT-11: the other ways in which a wait ends */
TEST_F(q, no_message)
{
	struct mqh *x = used(self->h, "WT(150)");
	int64_t t = now_ms();
	struct waiter *w;

	GET("F2033", x, "WT(150)");
	EXPECT_LE(150, now_ms() - t + 1);
	WAITS(w, used(self->h, "WT(20000)"), "WT(20000)", 1);
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	EXPECT_STREQ("F2016", result(w));
	EXPECT_STREQ("OK", alter(Q, "get=0"));
	WAITS(w, used(self->h, "WT(-1) FQ"), "WT(-1) FQ", 1);
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	EXPECT_STREQ("F2161", result(w));
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
}

/* G-WAIT-11: gets through an alias are inhibited, the others are not */
TEST_F(q, alias_inhibited)
{
	struct mqh *x, *y = used(self->h, "WT(20000)");
	struct waiter *w, *v;

	ASSERT_STREQ("OK", define("KT.ALIAS", "alias target=" Q));
	x = opn(conn(), "KT.ALIAS", "i");
	PUTS(self->h, "W; W");
	get(x, "WT(20000)");
	get(x, "WT(20000)");
	WAITS(w, x, "WT(20000)", 1);
	WAITS(v, y, "WT(20000)", 2);
	EXPECT_STREQ("OK", alter("KT.ALIAS", "alias get=1"));
	EXPECT_STREQ("F2016", result(w));
	EXPECT_TRUE(waiting(v));
	PUT("OK", self->h, "A");
	EXPECT_STREQ("A", result(v));
}

/* O-TRIG, O-EVT: watching that begins during the wait */
TEST_F(q, events_switched_on_meanwhile)
{
	struct mqh *x = used(self->h, "WT(20000)");
	struct waiter *w;

	WAITS(w, x, "WT(20000)", 1);
	EXPECT_STREQ("OK", alter_qmgr("perfev=1"));
	EXPECT_STREQ("OK", alter(Q, "high=0 highev=1"));
	PUT("OK", self->h, "A");
	EXPECT_STREQ("A", result(w));
	/* Queue Depth High, then Low have switched it on. */
	EXPECT_EQ(1, inquire_int(Q, MQIA_Q_DEPTH_MAX_EVENT));
	EXPECT_STREQ("OK", alter_qmgr("perfev=0"));
}

/* A get with a buffer of its own. */
struct call {
	struct mqh *h;
	void *at;
	MQLONG length, cc, rc;
};

static void *get_into(void *arg)
{
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	struct call *c = arg;

	gmo.Options = MQGMO_WAIT;
	gmo.WaitInterval = 20000;
	MQGET(c->h->hc, c->h->ho, &md, &gmo, 100, c->at, &c->length, &c->cc,
	      &c->rc);
	return NULL;
}

/* G-PAR-6: handed over, but the buffer cannot be written: back at its place */
TEST_F(q, bad_buffer)
{
	struct call c = { .h = own("i") };
	struct waiter *w;
	pthread_t t;

	c.at = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	PUTS(self->h, "W; W");
	get_into(&c);
	get_into(&c);
	EXPECT_STREQ("OK", outcome(c.cc, c.rc));
	mprotect(c.at, 4096, PROT_READ);
	pthread_create(&t, NULL, get_into, &c);
	ASSERT_TRUE(sleepers(Q, 1));
	PUT("OK", self->h, "A");
	pthread_join(t, NULL);
	EXPECT_STREQ("F2004", outcome(c.cc, c.rc));
	LIST("A");
	GET("A", self->k, "");
	EXPECT_EQ(0, self->k->md.BackoutCount);

	/* G-WAIT-9: or with the next who waits */
	pthread_create(&t, NULL, get_into, &c);
	ASSERT_TRUE(sleepers(Q, 1));
	WAITS(w, own("i"), "WT(20000)", 2);
	PUT("OK", self->h, "B");
	EXPECT_STREQ("B", result(w));
	PUT("OK", self->h, "C");
	pthread_join(t, NULL);
	EXPECT_STREQ("F2004", outcome(c.cc, c.rc));
	LIST("C");
}

/* Nobody else on our processor while we do not sleep. */
static bool alone(bool on)
{
	struct sched_param param = { .sched_priority = on ? 10 : 0 };

	return !sched_setscheduler(0, on ? SCHED_FIFO : SCHED_OTHER, &param);
}

static void one_processor(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

/* A process that waits like it did before. */
static pid_t victim(struct mqh *out)
{
	pid_t pid;

	put(out, "W");
	put(out, "W");
	pid = fork();
	if (!pid) {
		struct mqh *x = own("i");

		get(x, "WT(20000)");
		get(x, "WT(20000)");
		get(x, "WT(20000)");
		_exit(0);
	}
	return pid;
}

/* U-END-6, G-WAIT-9: killed with the message in hand: back, or to the next */
TEST_F(q, killed)
{
	struct waiter *w;
	pid_t pid;
	int st;

	one_processor();
	pid = victim(self->h);
	ASSERT_TRUE(sleepers(Q, 1));
	ASSERT_TRUE(alone(true));
	PUT("OK", self->h, "A");
	EXPECT_EQ(0, depth(Q));
	PUT("OK", self->h, "B");
	kill(pid, SIGKILL);
	waitpid(pid, &st, 0);
	ASSERT_TRUE(alone(false));
	EXPECT_TRUE(WIFSIGNALED(st));
	LIST("A B");
	discard(self->k);

	pid = victim(self->h);
	ASSERT_TRUE(sleepers(Q, 1));
	WAITS(w, own("i"), "WT(20000)", 2);
	ASSERT_TRUE(alone(true));
	PUT("OK", self->h, "C");
	EXPECT_EQ(0, depth(Q));
	kill(pid, SIGKILL);
	waitpid(pid, &st, 0);
	ASSERT_TRUE(alone(false));
	EXPECT_STREQ("C", result(w));
	EXPECT_EQ(0, depth(Q));
}

/* G-WAIT-13: stopped and continued, it waits on */
TEST_F(q, stopped_and_continued)
{
	pid_t pid = victim(self->h);
	int st;

	ASSERT_TRUE(sleepers(Q, 1));
	kill(pid, SIGSTOP);
	waitpid(pid, &st, WUNTRACED);
	kill(pid, SIGCONT);
	ASSERT_TRUE(sleepers(Q, 1));
	PUT("OK", self->h, "A");
	waitpid(pid, &st, 0);
	EXPECT_TRUE(WIFEXITED(st));
	EXPECT_EQ(0, depth(Q));
}

/* G-WAIT-9: each message to exactly one of several who wait */
TEST_F(q, several)
{
	struct mqh *in[CROWD];
	int i;

	for (i = 0; i < CROWD; i++)
		in[i] = used(self->h, "WT(20000)");
	EXPECT_STREQ("OK", serve_crowd(self->h, in, "WT(20000)"));
}

/* Gets that look out for a while before they sleep: nothing else is different */
TEST_F(q, looking_out)
{
	struct player a = { .rounds = 300 }, b = { .rounds = 300 };
	struct waiter *w;
	int64_t t0;

	/* As long as may be. */
	setenv("KMQ_SPIN", "99999999", 1);
	ASSERT_STREQ("OK", define(Q "2", ""));
	a.in = own("i");
	a.out = opn(a.in->hc, Q "2", "o");
	b.in = opn(conn(), Q "2", "i");
	b.out = opn(b.in->hc, Q, "o");
	put(self->h, "BALL");
	play_ball(&a, &b);
	EXPECT_EQ(0, a.wrong + b.wrong);
	GET("BALL", a.in, "WT(20000)");
	t0 = now_ms();
	GET("F2033", a.in, "WT(50)");
	EXPECT_LE(50, now_ms() - t0 + 1);
	WAITS(w, a.in, "WT(20000)", 1);
	PUT("OK", self->h, "A");
	EXPECT_STREQ("A", result(w));
	WAITS(w, a.in, "WT(20000)", 1);
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	EXPECT_STREQ("F2016", result(w));
	unsetenv("KMQ_SPIN");
}

/* How long is bounded; what a library older than that says means not at all */
TEST_F(q, looking_out_is_bounded)
{
	struct kmq_connect k = {
		.size = sizeof(k), .spin = KMQ_MAX_SPIN + 1,
	};
	int fd = open("/dev/kmq/" QM "/qmgr", O_RDWR);

	ASSERT_LE(0, fd);
	EXPECT_EQ(-1, ioctl(fd, KMQ_IOC_CONNECT, &k));
	EXPECT_EQ(EINVAL, errno);
	k.spin = KMQ_MAX_SPIN;
	EXPECT_EQ(0, ioctl(fd, KMQ_IOC_CONNECT, &k));
	EXPECT_EQ(MQCC_OK, (int)k.out_comp_code);
	close(fd);
}

TEST_HARNESS_MAIN
