/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Units of work (U-*, U-SCN), their limits, MARK_SKIP_BACKOUT (G-MSB, E-18),
 * own uncommitted messages (E-29), kills in the middle.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "q_fixture.h"

static const char *begin(MQHCONN hc)
{
	MQLONG cc, rc;

	MQBEGIN(hc, NULL, &cc, &rc);
	return outcome(cc, rc);
}

/* U-SCN-1, U-VIS-1, U-VIS-3, U-WAIT-1 */
TEST_F(q, visibility_of_a_put)
{
	struct waiter *w;

	PUT("OK", self->h, "M1 SP");
	EXPECT_EQ(1, depth(Q));
	GET("F2033", self->h, "");
	GET("F2033", self->h, "BF");
	GET("F2033", self->k, "");
	w = wait_get(self->k, "WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_STREQ("M1", result(w));
	PUT("OK", self->h, "M2 SP");
	GET("M2", self->h, "SP");
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_EQ(0, depth(Q));
}

/* U-SCN-2 */
TEST_F(q, backout_of_a_put)
{
	ASSERT_STREQ("OK", define(Q ".R", ""));
	PUT("OK", self->h, "M1 SP rep=0x100 rq=" Q ".R");
	PUT("OK", self->h, "M2");
	EXPECT_STREQ("OK", back(self->c));
	LIST("M2");
	EXPECT_EQ(0, depth(Q ".R"));
}

/* U-SCN-3, U-BACK-2, M-STO-5, G-PHY-4, G-UOW-5 */
TEST_F(q, place_after_backout)
{
	int i;

	PUTS(self->h, "M1; M2; M3");
	GET("M1", self->h, "SP");
	GET("M2", self->h, "SP");
	PUT("OK", self->k, "M4");
	LIST("M3 M4");
	EXPECT_STREQ("OK", back(self->c));
	for (i = 1; i <= 4; i++) {
		char want[8];

		sprintf(want, "M%d", i);
		GET(want, self->k, "");
		EXPECT_EQ(i <= 2, self->k->md.BackoutCount);
	}
}

/* U-BACK-2 with priorities: a later put of higher priority stays in front */
TEST_F(q, place_after_backout_by_priority)
{
	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	PUTS(self->h, "a5 p=5; b5 p=5; c1 p=1");
	GET("a5", self->h, "SP");
	GET("c1", self->h, "SP m=c1");
	PUTS(self->k, "d9 p=9; e5 p=5; f1 p=1");
	EXPECT_STREQ("OK", alter(Q, "fifo=1"));
	EXPECT_STREQ("OK", back(self->c));
	LIST("d9 a5 b5 e5 c1 f1");
}

/* U-SCN-4, U-BACK-9 */
TEST_F(q, commit_after_a_partial_failure)
{
	PUT("OK", self->h, "M1 SP");
	EXPECT_STREQ("OK", alter(Q, "len=100"));
	PUT("F2030", self->h, "X SP len=101");
	GET("F2033", self->h, "SP m=NONE");
	GET("F2247", self->h, "SP mopt=0x40");
	EXPECT_STREQ("OK", commit(self->c));
	LIST("M1");
}

/* U-SCN-6, U-LOCK-3, U-VIS-2, U-VIS-4 */
TEST_F(q, two_units_on_one_queue)
{
	PUTS(self->h, "M1; M2; M3");
	GET("M1", self->h, "SP");
	GET("M2", self->k, "SP");
	EXPECT_EQ(1, depth(Q));
	EXPECT_EQ(2, (int)status(Q).out_uncommitted_gets);
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_STREQ("OK", commit(self->d));
	LIST("M1 M3");
	GET("M1", self->k, "");
	EXPECT_EQ(1, self->k->md.BackoutCount);
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
}

/* U-SCN-7 second half, U-GRP-1, UC-022 */
TEST_F(q, group_over_two_units)
{
	PUTG("(G1,1,0)", self->h, "a LO SP f=G");
	EXPECT_STREQ("OK", commit(self->c));
	PUTG("(G1,2,0)", self->h, "b LO SP f=G");
	PUTG("(G1,3,0)", self->h, "c LO SP f=G");
	EXPECT_STREQ("OK", back(self->c));
	PUTG("(G1,2,0)", self->h, "d LO SP f=L");
	GET("F2033", self->k, "LO AM");
	EXPECT_STREQ("OK", commit(self->c));
	GET("a", self->k, "LO AM");
	GET("d", self->k, "LO AM");
}

/* U-SCN-8, U-LIM-1..4, G-UOW-8, G-UOW-10, UC-053 */
TEST_F(q, limit_of_a_unit)
{
	ASSERT_STREQ("OK", alter_qmgr("maxuncom=2"));
	PUT("OK", self->h, "A SP");
	PUT("OK", self->h, "B SP");
	PUT("F2024", self->h, "X SP");
	EXPECT_EQ(2, depth(Q));
	GET("F2024", self->h, "SP");
	GET("F2033", self->h, "");		/* outside is not counted */
	PUT("OK", self->h, "C");
	EXPECT_STREQ("OK", commit(self->c));
	LIST("A B C");
	ASSERT_STREQ("OK", alter_qmgr("maxuncom=3"));
	/* at the limit an empty queue gives 2024 too */
	GET("A", self->h, "SP");
	GET("B", self->h, "SP");
	GET("C", self->h, "SP");
	GET("F2024", self->h, "SP");
	GET("F2033", self->h, "SIP");
	EXPECT_STREQ("OK", back(self->c));
	LIST("A B C");
	/* put and then got counts 2 */
	EXPECT_STREQ("A B C", drain(self->k, ""));
	PUT("OK", self->h, "D SP");
	GET("D", self->h, "SP");
	PUT("OK", self->h, "E SP");
	PUT("F2024", self->h, "X SP");
	EXPECT_STREQ("OK", back(self->c));
	/* all segments count (G-UOW-10) */
	PUTS(self->k, "s1(X,1,0,S); s2(X,1,10,S); s3(X,1,20,E)");
	PUT("OK", self->h, "F SP");
	GET("F2024", self->h, "SP CM");
	EXPECT_EQ(4, depth(Q));
	EXPECT_STREQ("OK", back(self->c));
	GET("s1", self->h, "SP CM");
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=10000"));
	EXPECT_EQ(0, depth(Q));
}

/* P-CHK-1, lines 12 and 13, also for a put that is like the one before it. */
TEST_F(q, group_comes_before_the_limit)
{
	ASSERT_STREQ("OK", alter_qmgr("maxuncom=2"));
	EXPECT_STREQ("OK", put(self->h, "A1(A,1,0,G) LO SP"));
	EXPECT_STREQ("OK", put(self->h, "A2(A,2,0,G) LO SP"));
	EXPECT_STREQ("F2024", put(self->h, "A3(A,3,0,G) LO SP"));
	EXPECT_STREQ("F2241", put(self->h, "X1(X,1,0,A) LO SP"));
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=10000"));
}

/* U-SCN-10, U-BEG-1..6 */
TEST_F(q, begin)
{
	MQCHAR48 name = QM;
	struct mqh *h;
	MQBO bo = { MQBO_DEFAULT };
	MQLONG cc, rc;
	MQHCONN hc;

	EXPECT_STREQ("F2018", begin(self->c));	/* shared: U-BEG-4 */
	MQCONN(name, &hc, &cc, &rc);
	ASSERT_EQ(0, cc);
	h = opn(hc, Q, "iob");
	bo.Options = 1;
	MQBEGIN(hc, &bo, &cc, &rc);
	EXPECT_STREQ("F2046", outcome(cc, rc));
	bo.Options = 0;
	bo.Version = 2;
	MQBEGIN(hc, &bo, &cc, &rc);
	EXPECT_STREQ("F2134", outcome(cc, rc));
	EXPECT_STREQ("W2121", begin(hc));
	PUT("OK", h, "A SP");
	EXPECT_STREQ("F2128", begin(hc));
	EXPECT_STREQ("OK", back(hc));
	EXPECT_EQ(0, depth(Q));
	EXPECT_STREQ("W2121", begin(hc));
	EXPECT_STREQ("F2128", begin(hc));
	/* the unit is open for 2255 */
	PUTS(self->k, "s1(X,1,0,S) per=1; s2(X,1,10,E) per=1");
	GET("F2255", h, "CM");
	EXPECT_STREQ("OK", commit(hc));
	GET("s1", h, "CM");
	EXPECT_STREQ("W2121", begin(hc));
	EXPECT_STREQ("OK", back(hc));
	/* implicitly begun ones count too */
	PUT("OK", h, "B SP");
	EXPECT_STREQ("F2128", begin(hc));
	EXPECT_STREQ("OK", commit(hc));
	EXPECT_STREQ("W2121", begin(hc));
	EXPECT_STREQ("OK", disc(&hc));		/* O-DISC-5 */
	LIST("B");
}

/* U-CMIT-1, U-GEN-3, U-GEN-4 */
TEST_F(q, what_is_not_in_the_unit)
{
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_STREQ("OK", back(self->c));
	PUTS(self->h, "A; B; C SP");
	GET("A", self->h, "");
	GET("B", self->h, "BF LK");
	EXPECT_STREQ("OK", back(self->c));
	LIST("");				/* B is locked still */
	EXPECT_EQ(1, depth(Q));
	GET("B", self->h, "MC");
	EXPECT_EQ(0, depth(Q));
}

/* G-UOW-6, U-CMIT-2, U-VIS-7: several queues, puts and gets */
TEST_F(q, several_queues)
{
	struct mqh *a, *b;

	ASSERT_STREQ("OK", define(Q "2", ""));
	a = opn(self->c, Q "2", "io");
	b = opn(self->d, Q "2", "io");
	PUTS(b, "A; B");
	GET("A", a, "SP");
	PUT("OK", self->h, "X SP");
	PUT("OK", a, "Y SP");
	EXPECT_EQ(2, depth(Q "2"));
	EXPECT_EQ(1, depth(Q));
	EXPECT_STREQ("OK", shut(a));
	GET("B", b, "SP");
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(1, depth(Q "2"));
	EXPECT_EQ(0, depth(Q));
	EXPECT_STREQ("OK", back(self->d));
	EXPECT_STREQ("A B", drain(b, ""));
	a = opn(self->c, Q "2", "io");
	PUT("OK", a, "Z SP");
	PUT("OK", self->h, "W SP");
	EXPECT_STREQ("OK", commit(self->c));
	GET("Z", b, "");
	GET("W", self->k, "");
}

/* U-SCN-12, U-BACK-4 */
TEST_F(q, depth_over_the_limit_by_backout)
{
	EXPECT_STREQ("OK", alter(Q, "depth=2"));
	PUTS(self->h, "M1; M2");
	GET("M1", self->h, "SP");
	PUT("OK", self->k, "M3");
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(3, depth(Q));
	PUT("F2053", self->k, "X");
	EXPECT_STREQ("M1 M2 M3", drain(self->k, ""));
}

/* U-BACK-5, G-WAIT-6 */
TEST_F(q, backout_wakes)
{
	struct waiter *w, *v;

	PUTS(self->h, "A; B");
	GET("A", self->h, "SP");
	GET("B", self->h, "SP");
	w = wait_get(self->k, "WT(20000) m=B");
	v = wait_get(opn(conn(), Q, "b"), "BF WT(20000)");
	ASSERT_TRUE(sleepers(Q, 2));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_STREQ("B", result(w));
	EXPECT_STREQ("A", result(v));
}

/* E-18, G-MSB-1..4, U-BACK-11, U-BOC-5 */
TEST_F(q, mark_skip_backout)
{
	PUTS(self->h, "A; B; C");
	GET("F2046", self->k, "MSB");
	GET("A", self->k, "SP MSB");
	GET("B", self->k, "SP");
	GET("F2062", self->k, "SP MSB");
	LIST("C");
	EXPECT_STREQ("OK", back(self->d));
	LIST("B C");
	EXPECT_EQ(1, (int)status(Q).out_uncommitted_gets);
	EXPECT_STREQ("OK", commit(self->d));
	LIST("B C");
	GET("B", self->k, "BF");
	EXPECT_EQ(1, self->k->md.BackoutCount);
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
}

/* E-18 variants, G-MSB-4, G-MSB-5, G-MSB-11 */
TEST_F(q, mark_skip_backout_twice)
{
	int st;
	pid_t pid;

	PUTS(self->h, "A; B; C");
	GET("A", self->k, "SP MSB");
	GET("B", self->k, "SP");
	EXPECT_STREQ("OK", back(self->d));
	EXPECT_EQ(2, depth(Q));
	GET("B", self->k, "SP MSB");		/* the old mark is used up */
	EXPECT_STREQ("OK", back(self->d));	/* A back, B kept */
	LIST("A C");
	EXPECT_STREQ("OK", back(self->d));
	LIST("A B C");
	GET("A", self->k, "");
	EXPECT_EQ(1, self->k->md.BackoutCount);
	GET("B", self->k, "");
	EXPECT_EQ(2, self->k->md.BackoutCount);
	PUTS(self->h, "D");
	pid = fork();
	if (!pid) {
		struct mqh *x = opn(conn(), Q, "i");

		get(x, "SP MSB");
		get(x, "SP");
		kill(getpid(), SIGKILL);
	}
	waitpid(pid, &st, 0);
	GET("C", self->k, "");
	EXPECT_EQ(1, self->k->md.BackoutCount);
	GET("D", self->k, "");
	EXPECT_EQ(1, self->k->md.BackoutCount);
}

/* G-MSB-6, G-MSB-7, G-MSB-9, G-MSB-10 */
TEST_F(q, mark_skip_backout_and_groups)
{
	PUTS(self->h, "K1(K,1,0,G); K2(K,2,0,G); K3(K,3,0,L)");
	GET("K1", self->k, "LO SP");
	GET("K2", self->k, "LO SP MSB");
	EXPECT_STREQ("OK", back(self->d));
	LIST("K1 K3");
	GET("K3", self->k, "LO SP");		/* R as the marked get set it */
	EXPECT_STREQ("OK", back(self->d));	/* K2 and K3 back */
	LIST("K1 K2 K3");
	GET("K1", self->k, "LO SP");		/* R: before the old unit */
	EXPECT_STREQ("OK", commit(self->d));
	EXPECT_STREQ("K2 K3", drain(self->k, "LO SP"));
	EXPECT_STREQ("OK", commit(self->d));
	PUTS(self->h, "s1(X,1,0,S); s2(X,1,10,E)");
	GET("s1", self->k, "CM SP MSB");
	EXPECT_STREQ("OK", back(self->d));
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(2, (int)status(Q).out_uncommitted_gets);
	EXPECT_STREQ("OK", back(self->d));
	LIST("s1 s2");
	discard(self->h);
	PUT("OK", self->k, "own SP");
	GET("own", self->k, "SP MSB");
	EXPECT_STREQ("OK", back(self->d));
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
	EXPECT_STREQ("OK", back(self->d));
	EXPECT_EQ(0, depth(Q));
}

/* E-29, M-STO-7, M-STO-8 */
TEST_F(q, own_uncommitted_message)
{
	PUT("OK", self->h, "U SP");
	PUT("OK", self->k, "V");
	EXPECT_EQ(2, depth(Q));
	GET("V", self->k, "");
	GET("F2033", self->h, "BF");
	GET("F2033", self->h, "");
	GET("F2033", self->h, "SIP");		/* not persistent */
	GET("U", self->h, "SP");
	EXPECT_EQ(0, depth(Q));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(0, depth(Q));
	PUT("OK", self->h, "P SP per=1");
	GET("P", self->h, "SIP");
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_puts);
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
}

/* UC-058 in small: a unit over two queues, killed around its end. */
TEST_F(q, killed_in_the_middle)
{
	int i, j, st, up[2];
	struct mqh *out;
	char text[16], c;
	pid_t pid;

	ASSERT_STREQ("OK", define(Q "2", ""));
	out = opn(self->c, Q "2", "i");
	for (i = 0; i < 6; i++) {
		int before, after;

		for (j = 0; j < 30; j++) {
			sprintf(text, "N%d.%d", i, j);
			ASSERT_STREQ("OK", put(self->h, text));
		}
		before = depth(Q);
		ASSERT_EQ(0, pipe(up));
		pid = fork();
		if (!pid) {
			MQHCONN hc = conn();
			struct mqh *x = opn(hc, Q, "i");
			struct mqh *y = opn(hc, Q "2", "o");

			for (j = 0; j < 30; j++) {
				get(x, "SP");
				put(y, "Y SP");
			}
			if (write(up[1], &c, 1) != 1)
				_exit(1);
			if (i % 2)
				commit(hc);
			else
				back(hc);
			pause();
		}
		ASSERT_EQ(1, read(up[0], &c, 1));
		kill(pid, SIGKILL);
		waitpid(pid, &st, 0);
		after = depth(Q);
		/* all or nothing, and the same on both queues */
		EXPECT_TRUE(after == before || (i % 2 && after == before - 30))
			TH_LOG("%d then %d", before, after);
		EXPECT_EQ(after == before ? 0 : 30, depth(Q "2"));
		EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
		EXPECT_EQ(0, (int)status(Q "2").out_uncommitted_puts);
		discard(self->h);
		discard(out);
		close(up[0]);
		close(up[1]);
	}
}

/* UC-056, UC-100: what a unit holds is told, and nothing is left of it */
TEST_F(q, accounting)
{
	struct kmq_status s;

	PUTS(self->h, "A len=1000; B len=500 SP; C len=100");
	GET("A", self->h, "SP");
	s = status(Q);
	EXPECT_EQ(2, (int)s.out_depth);
	EXPECT_EQ(1, (int)s.out_uncommitted_puts);
	EXPECT_EQ(1, (int)s.out_uncommitted_gets);
	EXPECT_EQ(1600, (int)s.out_bytes);
	EXPECT_LE(1600, (int)s.out_memory);
	EXPECT_STREQ("OK", commit(self->c));
	s = status(Q);
	EXPECT_EQ(0, (int)s.out_uncommitted_puts + (int)s.out_uncommitted_gets);
	EXPECT_EQ(600, (int)s.out_bytes);
	EXPECT_STREQ("B C", drain(self->k, ""));
	s = status(Q);
	EXPECT_EQ(0, (int)s.out_bytes);
	EXPECT_EQ(0, (int)s.out_memory);
}

/* U-GRP-3, U-GRP-5: what back-out does not restore */
TEST_F(q, group_information_that_is_not_restored)
{
	struct mqh *x = opn(self->c, Q, "o");

	PUTG("(G1,1,0)", x, "a LO f=G");	/* outside, on x */
	PUTG("(G2,1,0)", self->h, "b LO SP f=G");
	PUTG("(G1,2,0)", x, "c LO f=G");
	PUTS(self->k, "J1(J,1,0,G); J2(J,2,0,L)");
	GET("J1", self->h, "BF LO g=J");
	EXPECT_STREQ("OK", back(self->c));
	PUTG("(G1,3,0)", x, "d LO f=L");
	PUTG("(-,1,0)", self->h, "e LO");
	GET("J2", self->h, "BN LO");		/* the browse set */
	/* closed before: nothing to restore */
	PUTG("(G3,1,0)", x, "f LO SP f=G");
	EXPECT_STREQ("W2241", shut(x));
	EXPECT_STREQ("OK", back(self->c));
}

/* G-UOW-4, G-UOW-9: the setting that was applied counts */
TEST_F(q, syncpoint_if_persistent_in_a_group)
{
	PUTS(self->h, "K1(K,1,0,G) per=1; K2(K,2,0,G) per=0;"
		      "K3(K,3,0,L) per=1");
	GET("K1", self->k, "LO SIP");		/* in the unit */
	GET("F2245", self->k, "LO SIP");	/* K2 would be outside */
	EXPECT_EQ(2, depth(Q));
	GET("W2245 K2", self->k, "SIP g=K s=2");
	GET("F2245", self->k, "LO SIP");	/* K3 would be inside */
	GET("K3", self->k, "LO");
	EXPECT_STREQ("OK", back(self->d));
	LIST("K1");
}

/* G-ORD-25: the item that was expected is found without availability */
TEST_F(q, expected_item_and_availability_options)
{
	PUTS(self->h, "K1(K,1,0,G); K2a(K,2,0,SL); N; K2b(K,2,10,EL)");
	GET("K1", self->k, "LO");
	GET("K2a", self->k, "AS g=K s=2 o=0");	/* exactly the next */
	GET("N", self->k, "CM m=N");		/* the last was not logical */
	PUTS(self->h, "J1(J,1,0,G); J2a(J,2,0,SL); M");
	GET("J1", self->k, "LO g=J");
	GET("J2a", self->k, "g=J s=2 o=0");
	GET("K2b", self->k, "");
	PUTS(self->h, "L1(L,1,0,G); L2a(L,2,0,SL)");
	GET("L1", self->k, "LO g=L");
	GET("W2241 M", self->k, "CM");
}

/* U-GEN-1, U-LOCK-4: a unit per connection */
TEST_F(q, units_do_not_mix)
{
	PUTS(self->h, "A SP");
	PUTS(self->k, "B SP");
	EXPECT_STREQ("OK", back(self->d));
	EXPECT_EQ(1, depth(Q));
	EXPECT_STREQ("OK", commit(self->c));
	LIST("A");
}

/* G-MSB-9: one marked get after the other, all backed out in the end */
TEST_F(q, marked_gets_in_a_row)
{
	PUTS(self->h, "K1(K,1,0,G); A");
	GET("K1", self->k, "SP MSB");
	EXPECT_STREQ("OK", back(self->d));
	GET("A", self->k, "SP MSB");
	EXPECT_STREQ("OK", back(self->d));
	EXPECT_STREQ("OK", back(self->d));
	LIST("K1 A");
	GET("K1", self->k, "LO");		/* nothing was begun */
}

TEST_HARNESS_MAIN
