/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Browse with mark (G-MRK, E-17, UC-008).
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "q_fixture.h"

#define HANDLE	"BF UB MH"		/* MQGMO_BROWSE_HANDLE */
#define CO_OP	"BF UB MK"		/* MQGMO_BROWSE_CO_OP */

_Static_assert(MQGMO_BROWSE_HANDLE == (MQGMO_BROWSE_FIRST |
	       MQGMO_UNMARKED_BROWSE_MSG | MQGMO_MARK_BROWSE_HANDLE), "");
_Static_assert(MQGMO_BROWSE_CO_OP == (MQGMO_BROWSE_FIRST |
	       MQGMO_UNMARKED_BROWSE_MSG | MQGMO_MARK_BROWSE_CO_OP), "");

/* E-17 without the time: unlimited interval */
TEST_F(q, example)
{
	struct mqh *h = self->h, *k = self->k, *o = opn(self->c, Q, "b");
	struct mqh *c1 = opn(self->c, Q, "bc"), *c2 = opn(self->d, Q, "bc");

	ASSERT_STREQ("OK", alter_qmgr("markint=-1"));
	PUTS(h, "A; B");
	GET("A", h, HANDLE);
	GET("B", h, HANDLE);
	GET("F2033", h, HANDLE);
	GET("A", c1, CO_OP);
	GET("B", c2, CO_OP);
	GET("F2033", c1, CO_OP);
	GET("F2200", c1, "BF MK");
	GET("A", o, "BF UB");
	GET("A", c2, "BF UMK m=A");
	GET("A", c1, CO_OP);
	GET("A", k, "SP m=A");
	EXPECT_STREQ("OK", back(self->d));
	GET("A", h, HANDLE);			/* all marks of A are gone */
	GET("A", c2, CO_OP);
	GET("F2046", h, "BF MH LO");
	GET("F2046", o, "BF MK");
	EXPECT_STREQ("OK", alter_qmgr("markint=5000"));
}

/* G-OPN-3: co-operating needs MQOO_BROWSE */
TEST_F(q, opened_to_co_operate)
{
	EXPECT_STREQ("F2046", opn_rc(self->c, Q, "c"));
	EXPECT_STREQ("F2046", opn_rc(self->c, Q, "ic"));
	EXPECT_STREQ("F2046", opn_rc(self->c, Q, "oqsc"));
	EXPECT_STREQ("OK", opn_rc(self->c, Q, "bc"));
	EXPECT_STREQ("OK", opn_rc(self->c, Q, "ibc"));
}

/* G-MRK-8: not before the interval; handle marks never */
TEST_F(q, time_out)
{
	struct mqh *c1 = opn(self->c, Q, "bc"), *c2 = opn(self->d, Q, "bc");
	struct waiter *w;
	int64_t t;

	ASSERT_STREQ("OK", alter_qmgr("markint=150"));
	PUTS(self->h, "A");
	GET("A", self->h, HANDLE);
	t = now_ms();
	GET("A", c1, CO_OP);
	GET("F2033", c2, CO_OP);
	/* the waiting browse is looked at again when the mark drops */
	w = wait_get(c2, CO_OP " WT(20000)");
	EXPECT_STREQ("A", result(w));
	EXPECT_LE(150, now_ms() - t + 1);
	EXPECT_GT(10000, now_ms() - t);
	GET("F2033", self->h, HANDLE);
	/* a changed interval applies to the marks that are there */
	ASSERT_STREQ("OK", alter_qmgr("markint=-1"));
	nap(250);
	GET("F2033", c1, CO_OP);
	ASSERT_STREQ("OK", alter_qmgr("markint=5000"));
}

/* G-MRK-1, G-MRK-3, G-MRK-6 */
TEST_F(q, who_sees_what)
{
	struct mqh *c1 = opn(self->c, Q, "bci"), *p = opn(self->d, Q, "bi");

	PUTS(self->h, "A; B; C");
	GET("A", self->h, "BF MH");
	GET("A", self->h, "BF");		/* marks hide from UB only */
	GET("B", self->h, "BF UB");
	GET("A", self->k, "BF UB");		/* another handle */
	GET("A", c1, "BF UB");
	GET("A", c1, "BF UB MK");
	GET("B", c1, "BF UB");
	GET("A", p, "BF UB");			/* not of the set */
	/* both kinds on one message */
	GET("B", c1, "BF MH m=B");
	GET("C", c1, "BF UB");
	GET("F2033", c1, "BF UB MK m=B");	/* passed over for its mark */
	/* also a filter of removing gets */
	GET("C", c1, "UB");
	GET("A", self->k, "");
}

/* G-MRK-4, G-MRK-7: what ends marks */
TEST_F(q, end_of_marks)
{
	struct mqh *c1 = opn(self->c, Q, "bc"), *c2 = opn(self->d, Q, "bc");
	struct mqh *x;

	PUTS(self->h, "A; B");
	GET("A", self->h, HANDLE);
	GET("B", self->h, HANDLE);
	GET("A", self->h, "BF UMH m=A");
	GET("A", self->h, HANDLE);
	GET("A", self->h, "BF UMH m=A");
	GET("A", self->h, "BF UMH m=A");	/* not marked: OK (9) */
	x = opn(self->c, Q, "b");
	GET("A", x, HANDLE);
	EXPECT_STREQ("OK", shut(x));
	GET("A", c1, CO_OP);
	EXPECT_STREQ("OK", shut(c1));
	GET("B", c2, CO_OP);			/* the set lives on */
	GET("F2033", c2, CO_OP);
	EXPECT_STREQ("OK", shut(c2));
	c1 = opn(self->c, Q, "bc");
	GET("A", c1, CO_OP);
	/* the other kind stays (G-MRK-9) */
	GET("A", c1, "BF MH m=A");
	GET("A", c1, "BF UMH m=A");
	GET("B", c1, CO_OP);
	/* 2080 of a removing get leaves the mark on */
	GET("W2080 A", self->k, "m=A buf=1");
	GET("F2033", c1, CO_OP);
	GET("W2079 A", self->k, "m=A buf=1 AT SP");
	EXPECT_STREQ("OK", back(self->d));
	GET("A", c1, CO_OP);
}

/* G-MRK-2, G-MRK-11: 2080 marks with version 3 and above only */
TEST_F(q, truncation)
{
	PUTS(self->h, "A len=100; B");
	GET("W2080 A", self->h, "BF UB MH buf=10 gmo=2");
	GET("W2080 A", self->h, "BF UB MH buf=10 gmo=3");
	GET("B", self->h, "BF UB");
	GET("W2080 A", self->h, "BF UMH m=A buf=10 gmo=2");
	GET("B", self->h, "BF UB");
	GET("W2080 A", self->h, "BF UMH m=A buf=10 gmo=4");
	GET("A", self->h, "BF UB");
	GET("W2079 A", self->h, "BF UB MH AT buf=10 gmo=2");
	GET("B", self->h, "BF UB");
	/* FAILED never marks */
	GET("F2033", self->h, "BF UB MH m=A");
	GET("F2046", self->h, "BF BN UB MH");
	GET("B", self->h, "BF UB");
}

/* G-CUR-4: cursor gets and token gets of a marked message */
TEST_F(q, marked_message_named)
{
	struct mqh *c1 = opn(self->c, Q, "bci"), *c2 = opn(self->d, Q, "bci");

	PUTS(self->h, "A; B");
	GET("A", c1, "BF MH");
	GET("F2034", c1, "BC UB");
	GET("F2034", c1, "MC UB");
	GET("F2033", c1, "BF UB t=A");
	GET("A", c2, "BF");
	GET("A", c2, "BC UB MK");
	GET("F2200", c2, "BC UB");
	GET("F2200", c2, "MC UB");
	GET("F2200", c2, "BF UB t=A");
	GET("F2200", c2, "BC MK");
	GET("A", c2, "BC");
	GET("A", c2, "MC");
}

/* G-MRK-4: expiry, end of the process */
TEST_F(q, process_that_marked_dies)
{
	struct mqh *c1 = opn(self->c, Q, "bc");
	int st;
	pid_t pid;

	PUTS(self->h, "A; B");
	pid = fork();
	if (!pid) {
		get(opn(conn(), Q, "bc"), CO_OP);
		kill(getpid(), SIGKILL);
	}
	waitpid(pid, &st, 0);
	/* its co-op mark stays as long as others of the set are open */
	GET("B", c1, CO_OP);
	GET("F2033", c1, CO_OP);
	EXPECT_STREQ("OK", shut(c1));
	c1 = opn(self->c, Q, "bc");
	GET("A", c1, CO_OP);
}

/* UC-008 in small: every message exactly once over all handles */
TEST_F(q, each_message_once)
{
	static int seen[100];
	struct mqh *c[4];
	char text[16];
	const char *r;
	int i, n = 0;

	ASSERT_STREQ("OK", alter_qmgr("markint=-1"));
	for (i = 0; i < 4; i++)
		c[i] = opn(i & 1 ? self->c : self->d, Q, "bc");
	for (i = 0; i < 100; i++) {
		sprintf(text, "N%d", i);
		ASSERT_STREQ("OK", put(self->h, text));
	}
	for (i = 0; i < 150; i++) {
		r = get(c[i % 4], CO_OP);
		if (r[0] == 'N') {
			seen[atoi(r + 1)]++;
			n++;
		}
	}
	EXPECT_EQ(100, n);
	for (i = 0; i < 100; i++)
		EXPECT_EQ(1, seen[i]);
	EXPECT_STREQ("OK", alter_qmgr("markint=5000"));
}

/* G-MRK-6: what becomes visible before the marked ones is not passed over */
TEST_F(q, arrival_in_front_of_marked_messages)
{
	struct mqh *c1 = opn(self->c, Q, "bc");
	struct waiter *w;

	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	PUTS(self->h, "u5 p=5 SP");
	PUTS(self->k, "a5 p=5; b5 p=5; c1 p=1");
	GET("a5", self->k, HANDLE);
	GET("b5", self->k, HANDLE);
	GET("c1", self->k, HANDLE);
	GET("a5", c1, CO_OP);
	GET("b5", c1, CO_OP);
	GET("F2033", self->k, HANDLE);
	EXPECT_STREQ("OK", commit(self->c));
	GET("u5", self->k, HANDLE);
	GET("u5", c1, CO_OP);
	w = wait_get(self->k, HANDLE " WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	PUTS(self->h, "d9 p=9");
	EXPECT_STREQ("d9", result(w));
	GET("d9", c1, CO_OP);
	PUTS(self->h, "e4 p=4");
	GET("e4", self->k, HANDLE);
	GET("e4", c1, CO_OP);
	/* got and backed out: unmarked and in its place */
	GET("b5", self->h, "SP m=b5");
	EXPECT_STREQ("OK", back(self->c));
	GET("b5", self->k, HANDLE);
	GET("b5", c1, CO_OP);
	GET("c1", c1, CO_OP);
	GET("F2033", self->k, HANDLE);
	GET("F2033", c1, CO_OP);
}

/* G-MRK-2, G-MRK-9: both kinds in one get */
TEST_F(q, both_kinds)
{
	struct mqh *c1 = opn(self->c, Q, "bc"), *c2 = opn(self->d, Q, "bc");

	PUTS(self->h, "A; B");
	GET("A", c1, "BF MH MK");
	GET("F2200", c2, "BF MK");
	GET("A", self->h, "BF UB");
	GET("A", c1, "BF UMH UMK");
	GET("A", c1, "BF UB MH");
	GET("A", c1, "BF UMH MK");		/* one off, the other on */
	GET("B", c2, "BF UB");
	GET("A", c1, "BF MH UMK");
	GET("A", c2, "BF UB");
	GET("B", c1, "BF UB");
}

TEST_HARNESS_MAIN
