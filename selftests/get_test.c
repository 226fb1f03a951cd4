/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * MQGET of single messages: delivery order (G-PHY), inhibit, truncation in
 * short, the order of checks (G-VAL), unwritable buffers (G-PAR-6), waiting,
 * and what a killed getter leaves behind.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "q_fixture.h"

static const char *get_raw(MQHCONN hc, MQHOBJ ho, void *md, void *gmo,
			   MQLONG len, void *buf, MQLONG *dlen)
{
	MQLONG cc, rc;

	MQGET(hc, ho, md, gmo, len, buf, dlen, &cc, &rc);
	return outcome(cc, rc);
}

static MQMD md2(void)
{
	MQMD md = { MQMD_DEFAULT };

	md.Version = MQMD_VERSION_2;
	return md;
}

static MQGMO gmo4(MQLONG options)
{
	MQGMO gmo = { MQGMO_DEFAULT };

	gmo.Version = MQGMO_VERSION_4;
	gmo.MatchOptions = MQMO_NONE;
	gmo.Options = options;
	return gmo;
}

/* G-PHY-1..3, G-SEL-4, M-PRI-5 */
TEST_F(q, priority_order)
{
	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	PUTS(self->h, "a0 p=0; b9 p=9; c5 p=5; d9 p=9; e0 p=0; f5 p=5; g1 p=1");
	GET("b9", self->k, "");
	PUTS(self->h, "h7 p=7; i9 p=9");
	EXPECT_STREQ("d9 i9 h7 c5 f5 g1 a0 e0", drain(self->k, ""));
	EXPECT_EQ(0, depth(Q));
}

/* UC-108: a put of higher priority is met by the very next get. */
TEST_F(q, no_prefetch)
{
	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	PUTS(self->h, "a4 p=4; b4 p=4; c4 p=4");
	GET("a4", self->k, "WT(5000)");
	PUT("OK", self->h, "d9 p=9");
	GET("d9", self->k, "WT(5000)");
	GET("b4", self->k, "WT(5000)");
}

/* G-UOW-1..3, UC-061, U-GEN-6 */
TEST_F(q, syncpoint_options)
{
	PUTS(self->h, "A; B per=1; C; D per=1; E");
	GET("A", self->h, "");			/* none: outside */
	GET("B", self->h, "NS");
	EXPECT_STREQ("OK", back(self->c));
	LIST("C D E");
	GET("C", self->h, "SIP");
	GET("D", self->h, "SIP");
	GET("E", self->h, "SP");
	EXPECT_EQ(0, depth(Q));
	EXPECT_STREQ("OK", back(self->c));
	LIST("D E");
}

/* G-TRU-1..3, G-TRU-5, UC-062, UC-064, UC-065 */
TEST_F(q, truncation)
{
	PUTS(self->h, "A len=100; B len=0; C len=9000");
	GET("W2080 A", self->k, "buf=99");
	EXPECT_EQ(100, self->k->dlen);
	GET("W2080 A", self->k, "buf=0");
	EXPECT_EQ(100, self->k->dlen);
	EXPECT_EQ(0, self->k->gmo.ReturnedLength);
	GET("A", self->k, "buf=100");
	GET("B", self->k, "buf=0");
	EXPECT_EQ(0, self->k->dlen);
	GET("W2079 C", self->k, "buf=8999 AT");
	EXPECT_EQ(9000, self->k->dlen);
	EXPECT_EQ(8999, self->k->gmo.ReturnedLength);
	GET("F2033", self->k, "");
	PUTS(self->h, "D len=50");
	GET("W2079 D", self->k, "buf=0 AT");
	EXPECT_EQ(0, depth(Q));
}

/* G-INH-1, G-LCK-9 */
TEST_F(q, get_inhibited)
{
	PUTS(self->h, "A; B");
	GET("A", self->h, "SP");
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	GET("F2016", self->h, "");
	GET("F2016", self->h, "SP");
	GET("F2016", self->h, "BF");
	GET("F2016", self->h, "WT(5000)");
	GET("F2016", self->h, "MC");
	GET("W2209", self->h, "UL");
	PUT("OK", self->h, "C");
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_STREQ("OK", alter(Q, "get=0"));
	EXPECT_STREQ("A B C", drain(self->k, ""));
}

/* G-PAR-2, G-PAR-3, G-PAR-5, G-GMO-1, G-GMO-2: each fault alone */
TEST_F(q, parameters)
{
	MQMD md = md2();
	MQGMO gmo = gmo4(0);
	MQHOBJ o = self->h->ho;
	MQHCONN c = self->c;
	char buf[100];
	MQLONG dl;
	int v;

	PUTS(self->h, "A");
	EXPECT_STREQ("F2186", get_raw(c, o, &md, NULL, 100, buf, &dl));
	EXPECT_STREQ("F2026", get_raw(c, o, NULL, &gmo, 100, buf, &dl));
	EXPECT_STREQ("F2005", get_raw(c, o, &md, &gmo, -1, buf, &dl));
	EXPECT_STREQ("F2004", get_raw(c, o, &md, &gmo, 100, NULL, &dl));
	EXPECT_STREQ("F2010", get_raw(c, o, &md, &gmo, 100, buf, NULL));
	for (v = -1; v <= 5; v++) {
		if (v >= 1 && v <= 4)
			continue;
		gmo.Version = v;
		EXPECT_STREQ("F2186", get_raw(c, o, &md, &gmo, 9, buf, &dl));
	}
	gmo.Version = 4;
	md.Version = 3;
	EXPECT_STREQ("F2026", get_raw(c, o, &md, &gmo, 9, buf, &dl));
	md.Version = 0;
	EXPECT_STREQ("F2026", get_raw(c, o, &md, &gmo, 9, buf, &dl));
	md.Version = 2;
	md.StrucId[0] = 'm';
	EXPECT_STREQ("F2026", get_raw(c, o, &md, &gmo, 9, buf, &dl));
	md.StrucId[0] = 'M';
	gmo.StrucId[0] = 'g';
	EXPECT_STREQ("F2186", get_raw(c, o, &md, &gmo, 9, buf, &dl));
	gmo = gmo4(MQGMO_UNLOCK);
	EXPECT_STREQ("W2209", get_raw(c, o, NULL, &gmo, -5, NULL, NULL));
	GET("F2090", self->h, "WT(-2)");
	GET("A", self->h, "wi=-2 BF");		/* ignored without WAIT */
	GET("A", self->h, "gmo=1");
	EXPECT_EQ(0, depth(Q));
}

/* G-VAL: all faults at once, mended in the order of the lines. */
TEST_F(q, order_of_checks)
{
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	MQHCONN c = -1;
	MQHOBJ o = 9999;
	MQLONG len = -1, *dlp = NULL, dl;
	char b[100], *buf = NULL;
	struct mqh *out = opn(self->c, Q, "o"), *in = opn(self->c, Q, "i");

	md.Version = 7;
	gmo.Version = 9;
	gmo.Options = MQGMO_SYNCPOINT | MQGMO_NO_SYNCPOINT |
		      MQGMO_BROWSE_NEXT | MQGMO_LOGICAL_ORDER | MQGMO_WAIT |
		      MQGMO_FAIL_IF_QUIESCING;
	gmo.WaitInterval = -2;
	gmo.MatchOptions = 0x40;
	gmo.Signal1 = -1;
	EXPECT_STREQ("OK", alter(Q, "get=1"));
#define NEXT(want)							\
	EXPECT_STREQ(want, get_raw(c, o, &md, &gmo, len, buf, dlp))
	NEXT("F2018");
	c = self->c;
	NEXT("F2019");				/* E-30: 3 before 4 */
	o = out->ho;
	NEXT("F2186");
	gmo.Version = 1;
	NEXT("F2046");
	gmo.Options &= ~(MQGMO_SYNCPOINT | MQGMO_NO_SYNCPOINT);
	NEXT("F2036");
	gmo.Options &= ~MQGMO_BROWSE_NEXT;
	NEXT("F2037");
	o = in->ho;
	NEXT("F2026");
	md.Version = 1;
	NEXT("F2256");
	gmo.Version = 4;
	NEXT("F2257");
	md.Version = 2;
	NEXT("F2247");
	gmo.MatchOptions = MQMO_MATCH_MSG_TOKEN;
	NEXT("F2331");
	gmo.MatchOptions = MQMO_MATCH_MSG_SEQ_NUMBER;
	md.MsgSeqNumber = 5;
	NEXT("F2090");
	gmo.Options ^= MQGMO_WAIT | MQGMO_SET_SIGNAL;
	gmo.WaitInterval = 0;
	NEXT("F2099");
	gmo.Signal1 = 0;
	NEXT("F2005");
	len = 10;
	NEXT("F2004");
	buf = b;
	NEXT("F2010");
	dlp = &dl;
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	NEXT("F2161");
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	NEXT("F2016");
	EXPECT_STREQ("OK", alter(Q, "get=0"));
	NEXT("F2247");				/* line 21 */
	md.MsgSeqNumber = 1;
	gmo.Options &= ~MQGMO_SET_SIGNAL;
	NEXT("F2033");
#undef NEXT
}

/*
 * G-PAR-6: the buffer goes away in the middle, or cannot be written: 2004,
 * the message is where it was, nothing is in the unit of work.
 */
TEST_F(q, unwritable_buffer)
{
	size_t half = 16384;
	char *m = mmap(NULL, 2 * half, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *ro = mmap(NULL, half, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0);
	static const MQLONG options[] = {
		MQGMO_NONE, MQGMO_SYNCPOINT, MQGMO_BROWSE_FIRST,
		MQGMO_BROWSE_FIRST | MQGMO_LOCK, MQGMO_ACCEPT_TRUNCATED_MSG,
	};
	MQLONG dl = -7;
	unsigned int i;
	MQMD md, was;
	MQGMO gmo;

	ASSERT_NE(MAP_FAILED, m);
	ASSERT_NE(MAP_FAILED, ro);
	ASSERT_EQ(0, munmap(m + half, half));
	PUTS(self->h, "A len=20000; B");
	for (i = 0; i < ARRAY_SIZE(options); i++) {
		gmo = gmo4(options[i]);
		md = was = md2();
		EXPECT_STREQ("F2004", get_raw(self->c, self->h->ho, &md, &gmo,
					      20000, m, &dl));
		EXPECT_STREQ("F2004", get_raw(self->c, self->h->ho, &md, &gmo,
					      half, ro, &dl));
		EXPECT_STREQ("F2004", get_raw(self->c, self->h->ho, &md, &gmo,
					      20000, m + half - 1, &dl));
		EXPECT_STREQ("F2004", get_raw(self->c, self->h->ho, &md, &gmo,
					      20000, (void *)8, &dl));
		EXPECT_EQ(-7, dl);
		EXPECT_EQ(0, memcmp(&md, &was, sizeof(md)));
		EXPECT_EQ(2, depth(Q));
		EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
		EXPECT_EQ(0, (int)status(Q).out_locked);
	}
	GET("F2034", self->h, "BC");		/* no browse has succeeded */
	LIST("A B");
	/* bytes that are not written need not be writable */
	gmo = gmo4(MQGMO_NONE);
	md = md2();
	memcpy(md.MsgId, "B", 1);
	gmo.MatchOptions = MQMO_MATCH_MSG_ID;
	EXPECT_STREQ("OK", get_raw(self->c, self->h->ho, &md, &gmo, 20000, m,
				   &dl));
	EXPECT_EQ(10, dl);
	EXPECT_TRUE(filled(m, "B", 10));
	GET("A", self->k, "");
	EXPECT_EQ(0, self->k->md.BackoutCount);
	munmap(m, half);
	munmap(ro, half);
}

/* The message keeps its place among others when a copy fails. */
TEST_F(q, failed_copy_keeps_the_place)
{
	MQGMO gmo = gmo4(0);
	MQMD md = md2();
	MQLONG dl;

	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	PUTS(self->h, "A p=5 len=5000; B p=5; C p=7");
	GET("C", self->k, "");
	EXPECT_STREQ("F2004", get_raw(self->c, self->h->ho, &md, &gmo, 5000,
				      (void *)8, &dl));
	PUTS(self->h, "D p=5");
	EXPECT_STREQ("A B D", drain(self->k, ""));
}

/* G-WAIT-1, G-WAIT-2: 2033 not before the interval; U-WAIT-1 */
TEST_F(q, wait_interval)
{
	static const int ms[] = { 0, 1, 20, 120 };
	int64_t t;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ms); i++) {
		char text[32];

		sprintf(text, "WT(%d)", ms[i]);
		t = now_ms();
		GET("F2033", self->h, text);
		EXPECT_LE(ms[i], now_ms() - t + 1);
	}
	PUT("OK", self->h, "A");
	GET("A", self->h, "WT(-1)");
	PUT("OK", self->k, "B SP");
	t = now_ms();
	GET("F2033", self->h, "WT(30)");
	EXPECT_LE(30, now_ms() - t + 1);
	EXPECT_STREQ("OK", commit(self->d));
	GET("B", self->h, "WT(30)");
}

/* UC-034 in small: the waiter gets what is put while it sleeps. */
TEST_F(q, waiter_gets_the_message)
{
	struct waiter *w;
	char name[16];
	int i;

	for (i = 0; i < 30; i++) {
		w = wait_get(self->h, "WT(20000)");
		if (i % 3) {
			ASSERT_TRUE(sleepers(Q, 1));
		}
		sprintf(name, "N%d", i);
		EXPECT_STREQ("OK", put(self->k, name));
		EXPECT_STREQ(name, result(w));
		EXPECT_EQ(0, depth(Q));
	}
}

/*
 * UC-035: a put that meets the deadline: the message was returned, or 2033 and
 * it is there. Never lost, never both.
 */
TEST_F(q, time_out_racing_with_arrival)
{
	int i, got = 0, missed = 0;
	struct waiter *w;
	const char *r;
	char name[16];

	for (i = 0; i < 60; i++) {
		int64_t end = now_ms() + 3;

		w = wait_get(self->h, "WT(3)");
		while (now_ms() < end)
			;
		sprintf(name, "N%d", i);
		EXPECT_STREQ("OK", put(self->k, name));
		r = result(w);
		if (!strcmp(r, "F2033")) {
			GET(name, self->k, "");
			missed++;
		} else {
			EXPECT_STREQ(name, r);
			got++;
		}
		EXPECT_EQ(0, depth(Q));
	}
	TH_LOG("%d returned, %d timed out", got, missed);
}

/* G-WAIT-13, G-WAIT-9: a waiting getter is killed; nothing is lost. */
TEST_F(q, killed_in_the_middle_of_a_wait)
{
	pid_t pid[3];
	int i, st;

	for (i = 0; i < 3; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			get(opn(conn(), Q, "i"), i ? "WT(-1) SP" : "WT(-1)");
			pause();
		}
	}
	ASSERT_TRUE(sleepers(Q, 3));
	kill(pid[0], SIGKILL);
	waitpid(pid[0], &st, 0);
	EXPECT_TRUE(sleepers(Q, 2));
	/* the put and the kill of the one that may get it */
	PUT("OK", self->h, "A");
	kill(pid[1], SIGKILL);
	kill(pid[2], SIGKILL);
	waitpid(pid[1], &st, 0);
	waitpid(pid[2], &st, 0);
	EXPECT_EQ(1, depth(Q));
	GET("A", self->k, "");
	EXPECT_GE(2, self->k->md.BackoutCount);
	EXPECT_EQ(2, (int)status(Q).out_open_input);
}

static void on_signal(int sig)
{
}

/* G-WAIT-13: a signal with a handler does not end or shorten the wait. */
TEST_F(q, signals_during_a_wait)
{
	struct sigaction sa = { .sa_handler = on_signal };
	pid_t me = getpid(), pid;
	int64_t t;
	int st;

	sigaction(SIGUSR1, &sa, NULL);
	pid = fork();
	if (!pid) {
		int i;

		for (i = 0; i < 8; i++) {
			nap(10);
			kill(me, SIGUSR1);
		}
		_exit(0);
	}
	t = now_ms();
	GET("F2033", self->h, "WT(150)");
	EXPECT_LE(150, now_ms() - t + 1);
	waitpid(pid, &st, 0);
}

/* UC-049, G-MOD-5: one message by id among several getters: one has it. */
TEST_F(q, one_message_many_getters)
{
	struct waiter *w[8];
	int i, got = 0;

	PUTS(self->h, "X; A");
	for (i = 0; i < 8; i++)
		w[i] = wait_get(opn(conn(), Q, "i"), "m=A");
	for (i = 0; i < 8; i++) {
		const char *r = result(w[i]);

		if (strcmp(r, "F2033")) {
			EXPECT_STREQ("A", r);
			got++;
		}
	}
	EXPECT_EQ(1, got);
	LIST("X");
}

/* UC-068: lengths at the ends of their range */
TEST_F(q, lengths_at_the_ends_of_their_range)
{
	MQMD md = md2();
	MQGMO gmo = gmo4(0);
	MQLONG dl;
	char *b = malloc(1 << 20);

	PUTS(self->h, "A");
	EXPECT_STREQ("F2005", get_raw(self->c, self->h->ho, &md, &gmo,
				      -2147483647 - 1, b, &dl));
	EXPECT_STREQ("OK", get_raw(self->c, self->h->ho, &md, &gmo,
				   0x7fffffff, b, &dl));
	EXPECT_EQ(10, dl);
	free(b);
}

/* G-PAR-6: locked, own and marked messages whose copy fails */
TEST_F(q, failed_copy_of_special_messages)
{
	MQGMO gmo = gmo4(MQGMO_MSG_UNDER_CURSOR);
	MQMD md = md2();
	MQLONG dl;
	void *nowhere = (void *)8;

	PUTS(self->h, "A len=5000; B");
	GET("A", self->h, "BF LK");
	EXPECT_STREQ("F2004", get_raw(self->c, self->h->ho, &md, &gmo, 5000,
				      nowhere, &dl));
	gmo.Options |= MQGMO_SYNCPOINT;
	EXPECT_STREQ("F2004", get_raw(self->c, self->h->ho, &md, &gmo, 5000,
				      nowhere, &dl));
	EXPECT_EQ(1, (int)status(Q).out_locked);	/* locked still */
	GET("F2033", self->k, "BF m=A");
	GET("OK", self->h, "UL");
	GET("A", self->k, "BF");
	/* a browse that fails takes no lock and keeps the old one */
	GET("B", self->h, "BF LK m=B");
	gmo = gmo4(MQGMO_BROWSE_FIRST | MQGMO_LOCK);
	EXPECT_STREQ("F2004", get_raw(self->c, self->h->ho, &md, &gmo, 5000,
				      nowhere, &dl));
	GET("F2033", self->k, "BF m=B");
	GET("A", self->k, "BF m=A");
	GET("B", self->h, "BC");
	/* nor a mark */
	gmo = gmo4(MQGMO_BROWSE_HANDLE);
	EXPECT_STREQ("F2004", get_raw(self->c, self->h->ho, &md, &gmo, 5000,
				      nowhere, &dl));
	GET("A", self->h, "BF UB");
	/* one's own uncommitted message goes back to the unit of work */
	PUTS(self->h, "C SP");
	gmo = gmo4(MQGMO_SYNCPOINT);
	memcpy(md.MsgId, "C", 1);
	memset(md.MsgId + 1, 0, 23);
	gmo.MatchOptions = MQMO_MATCH_MSG_ID;
	EXPECT_STREQ("F2004", get_raw(self->c, self->h->ho, &md, &gmo, 5000,
				      nowhere, &dl));
	EXPECT_EQ(1, (int)status(Q).out_uncommitted_puts);
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
	GET("F2033", self->k, "m=C");
	EXPECT_STREQ("OK", commit(self->c));
	LIST("A B C");
}

/* G-PAR-6, G-RAS-5: all segments stay, and the unit can be committed */
TEST_F(q, failed_copy_of_a_reassembled_message)
{
	size_t page = 16384;
	char *m = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	MQGMO gmo = gmo4(MQGMO_COMPLETE_MSG | MQGMO_SYNCPOINT);
	MQMD md = md2();
	MQLONG dl;

	ASSERT_EQ(0, munmap(m + page, page));
	PUTS(self->h, "s1(X,1,0,S) len=10000; N; s2(X,1,10000,E) len=10000");
	EXPECT_STREQ("F2004", get_raw(self->c, self->h->ho, &md, &gmo, 20000,
				      m, &dl));
	gmo.Options = MQGMO_COMPLETE_MSG;
	EXPECT_STREQ("F2004", get_raw(self->c, self->h->ho, &md, &gmo, 20000,
				      m, &dl));
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
	LIST("s1 N s2");
	/* within a unit that has something in it, too */
	GET("N", self->h, "SP m=N");
	gmo.Options |= MQGMO_SYNCPOINT;
	EXPECT_STREQ("F2004", get_raw(self->c, self->h->ho, &md, &gmo, 20000,
				      m, &dl));
	EXPECT_EQ(1, (int)status(Q).out_uncommitted_gets);
	EXPECT_STREQ("OK", commit(self->c));
	LIST("s1 s2");
	GET("s1", self->k, "CM");
	EXPECT_EQ(20000, self->k->dlen);
	EXPECT_EQ(0, self->k->md.BackoutCount);
	munmap(m, page);
}

TEST_HARNESS_MAIN
