/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Browsing and cursor gets (G-BRW, G-CUR, E-13, E-14).
 */
#include <string.h>
#include "q_fixture.h"

/* G-BRW-1..5 */
TEST_F(q, first_and_next)
{
	GET("F2033", self->h, "BF");
	GET("F2033", self->h, "BN");
	PUTS(self->h, "A; B; C");
	GET("A", self->h, "BN");		/* first after open: as BF */
	GET("B", self->h, "BN");
	GET("A", self->h, "BF");
	GET("B", self->h, "BN");
	GET("C", self->h, "BN");
	GET("F2033", self->h, "BN");
	GET("F2033", self->h, "BN");
	GET("C", self->h, "BC");		/* the cursor stays */
	PUTS(self->k, "D");
	GET("D", self->h, "BN");
	GET("F2033", self->h, "BF m=NONE");	/* unsuccessful: cursor stays */
	GET("D", self->h, "BC");
	EXPECT_EQ(4, depth(Q));
}

/* G-BRW-1: each handle its own; also while others have exclusive input */
TEST_F(q, beside_exclusive_input)
{
	struct mqh *x, *b;

	PUTS(self->h, "A; B");
	shut(self->h);
	shut(self->k);
	x = opn(self->c, Q, "x");
	b = opn(self->d, Q, "b");
	ASSERT_EQ(0, b->cc);
	GET("A", b, "BN");
	GET("A", x, "");
	GET("B", b, "BN");
}

/* E-13, G-BRW-6, G-CUR-3, U-VIS-8, UC-004 */
TEST_F(q, cursor_on_a_removed_message)
{
	struct mqh *h = self->h, *k = self->k;

	PUTS(h, "A; B; C; D");
	GET("A", h, "BN");
	GET("B", h, "BN");
	GET("B", k, "SP m=B");
	GET("F2034", h, "BC");
	GET("F2034", h, "MC");
	EXPECT_STREQ("OK", back(self->d));
	GET("B", h, "BC");
	EXPECT_EQ(1, h->md.BackoutCount);
	GET("B", k, "m=B");
	GET("F2034", h, "BC");
	GET("C", h, "BN");
	GET("A", h, "");
	GET("C", h, "BC");
	GET("C", h, "MC");
	GET("F2034", h, "MC");
	GET("D", h, "BN");
}

/* E-14, G-BRW-8, UC-005 */
TEST_F(q, priority_queue)
{
	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	PUTS(self->k, "a5 p=5; b5 p=5; c2 p=2");
	GET("a5", self->h, "BN");
	GET("b5", self->h, "BN");
	PUTS(self->k, "d9 p=9; e5 p=5");
	GET("e5", self->h, "BN");
	GET("c2", self->h, "BN");
	GET("F2033", self->h, "BN");
	GET("d9", self->h, "BF");
	GET("d9", self->k, "");
	EXPECT_STREQ("a5 b5 e5 c2", drain(self->k, ""));
	/* FIFO: the same puts */
	EXPECT_STREQ("OK", alter(Q, "fifo=1"));
	PUTS(self->k, "a5 p=5; b5 p=5; c2 p=2; d9 p=9; e5 p=5");
	GET("a5", self->h, "BF");
	GET("b5", self->h, "BN");
	GET("c2", self->h, "BN");
	GET("d9", self->h, "BN");
	EXPECT_EQ(9, self->h->md.Priority);
	GET("e5", self->h, "BN");
}

/* G-BRW-9, M-STO-5, E-29 second part */
TEST_F(q, uncommitted_messages_are_passed_over)
{
	PUTS(self->h, "U SP");
	PUTS(self->k, "V");
	GET("V", self->k, "BN");
	EXPECT_STREQ("OK", commit(self->c));
	GET("F2033", self->k, "BN");
	GET("U", self->k, "BF");
	GET("V", self->k, "BN");
}

/* G-BRW-4, G-BRW-7, UC-013 */
TEST_F(q, removing_gets_do_not_move_the_cursor)
{
	PUTS(self->h, "A; B; C; D; E");
	GET("A", self->h, "BN");
	GET("B", self->h, "BN");
	GET("A", self->h, "");
	GET("B", self->h, "BC");
	GET("B", self->h, "MC");
	GET("C", self->h, "BN");
	GET("E", self->h, "m=E");
	GET("C", self->h, "BC");
	GET("D", self->h, "BN");
}

/* G-BRW-10: no unit of work, no backout count */
TEST_F(q, browse_is_outside_units_of_work)
{
	PUTS(self->h, "A");
	GET("A", self->h, "BF");
	GET("A", self->h, "BF NS");
	GET("F2046", self->h, "BF SP");
	EXPECT_STREQ("OK", back(self->c));
	GET("A", self->h, "BF");
	EXPECT_EQ(0, self->h->md.BackoutCount);
	EXPECT_EQ(1, depth(Q));
}

/* UC-011, G-CUR-2: identity is by message */
TEST_F(q, message_under_cursor_not_the_head)
{
	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	PUTS(self->k, "A p=4");
	GET("A", self->h, "BF");
	PUTS(self->k, "B p=9");
	GET("A", self->h, "MC SP");
	GET("F2034", self->h, "BC");
	EXPECT_STREQ("OK", back(self->c));
	LIST("B A");
	GET("A", self->h, "MC");
	LIST("B");
}

/* G-CUR-3 */
TEST_F(q, no_message_under_cursor)
{
	PUTS(self->h, "A; B exp=1; C");
	GET("F2034", self->h, "BC");
	GET("F2034", self->h, "MC");
	GET("F2033", self->h, "BF m=X");
	GET("F2034", self->h, "BC");
	GET("A", self->h, "BF");
	GET("A", self->k, "BF LK");		/* locked by another */
	GET("F2034", self->h, "BC");
	GET("F2034", self->h, "MC");
	GET("OK", self->k, "UL");
	GET("A", self->h, "BC");
	GET("B", self->h, "BN");
	nap(130);
	GET("F2034", self->h, "BC");		/* expired, G-EXP-1 */
	EXPECT_EQ(2, depth(Q));
	GET("C", self->h, "BN");
}

/* G-CUR-5, G-WAIT-3 */
TEST_F(q, cursor_gets_never_wait)
{
	int64_t t = now_ms();

	GET("F2034", self->h, "BC WT(5000)");
	GET("F2034", self->h, "MC WT(5000)");
	GET("F2034", self->h, "MC SIG(5000)");
	GET("F2034", self->h, "BC WT(-7)");
	EXPECT_GT(5000, now_ms() - t);
}

/* G-CUR-6 */
TEST_F(q, cursor_gets_ignore_completeness)
{
	PUTS(self->h, "P1(P,1,0,G); s1(X,1,0,S)");
	GET("P1", self->h, "BF");
	GET("P1", self->h, "BC AM");
	GET("s1", self->h, "BN");
	GET("s1", self->h, "BC AS");
	GET("s1", self->h, "MC AM AS");
}

/* G-BRW-4: what a failing browse leaves alone, under a wait too */
TEST_F(q, browse_with_wait)
{
	struct waiter *w;

	PUTS(self->k, "A");
	GET("A", self->h, "BF");
	GET("F2033", self->h, "BN WT(20)");
	GET("A", self->h, "BC");
	w = wait_get(self->h, "BN WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	PUTS(self->k, "B");
	EXPECT_STREQ("B", result(w));
	EXPECT_EQ(2, depth(Q));
	GET("B", self->h, "BC");
	/* UC-005: a waiting BROWSE_FIRST takes what comes */
	EXPECT_STREQ("A B", drain(self->k, ""));
	w = wait_get(self->h, "BF WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	PUTS(self->k, "C");
	EXPECT_STREQ("C", result(w));
}

/* G-BRW-6 with many: the position stays when all around it goes. */
TEST_F(q, cursor_keeps_its_place_among_many)
{
	char text[16], want[16];
	int i;

	for (i = 0; i < 200; i++) {
		sprintf(text, "N%d", i);
		ASSERT_STREQ("OK", put(self->k, text));
	}
	for (i = 0; i < 100; i++)
		get(self->h, "BN");
	GET("N99", self->h, "BC");
	for (i = 0; i < 150; i++) {
		sprintf(want, "N%d", i);
		GET(want, self->k, "");
	}
	GET("F2034", self->h, "BC");
	GET("N150", self->h, "BN");
	GET("N151", self->h, "BN");
	GET("N150", self->h, "BF");
}

TEST_HARNESS_MAIN
