/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Groups on the get side: logical order (G-ORD) and completeness of groups
 * (G-CPL), the examples E-1..E-10, E-23, E-24, E-28.
 */
#include <string.h>
#include "q_fixture.h"

/* Queue of E-1: the second figure of the seed. */
#define E1	"A; Y1(Y,1,0,G); Z2(Z,2,0,L); Y2(Y,2,0,G); Y3a(Y,3,0,SL);" \
		"Y3b(Y,3,10,EL); Z1(Z,1,0,G); B"

/* GroupStatus and SegmentStatus of the last get. */
#define STATUS(h, g, s) do {						\
	EXPECT_EQ(g, (h)->gmo.GroupStatus);				\
	EXPECT_EQ(s, (h)->gmo.SegmentStatus);				\
} while (0)

/* E-1, G-ORD-5, G-ORD-9 */
TEST_F(q, logical_order)
{
	struct mqh *k = self->k;

	PUTS(self->h, E1);
	GET("A", k, "LO");
	STATUS(k, ' ', ' ');
	GET("Y1", k, "LO");
	STATUS(k, 'G', ' ');
	GET("Y2", k, "LO");
	STATUS(k, 'G', ' ');
	GET("Y3a", k, "LO");
	STATUS(k, 'L', 'S');
	GET("Y3b", k, "LO");
	STATUS(k, 'L', 'L');
	GET("Z1", k, "LO");
	STATUS(k, 'G', ' ');
	GET("Z2", k, "LO");
	STATUS(k, 'L', ' ');
	GET("B", k, "LO");
	STATUS(k, ' ', ' ');
	GET("F2033", k, "LO");
	EXPECT_STREQ("OK", shut(k));
}

/* E-2, G-PHY-1, G-ORD-16 */
TEST_F(q, physical_order)
{
	PUTS(self->h, E1);
	GET("A", self->k, "");
	GET("Y1", self->k, "");
	EXPECT_STREQ("OK", shut(self->k));
	EXPECT_STREQ("Z2 Y2 Y3a Y3b Z1 B", drain(self->h, ""));
}

/* E-3, G-RAS-2, G-CPL-4 */
TEST_F(q, complete_messages_in_logical_order)
{
	struct mqh *k = self->k;

	PUTS(self->h, E1);
	GET("A", k, "LO CM");
	GET("Y1", k, "LO CM");
	GET("Y2", k, "LO CM");
	GET("Y3a", k, "LO CM");
	EXPECT_EQ(20, k->dlen);
	EXPECT_EQ(0, k->md.Offset);
	EXPECT_EQ(MQMF_LAST_MSG_IN_GROUP | MQMF_MSG_IN_GROUP | MQMF_SEGMENT |
		  MQMF_LAST_SEGMENT, k->md.MsgFlags);
	EXPECT_EQ(-1, k->md.OriginalLength);
	EXPECT_EQ(3, k->md.MsgSeqNumber);
	STATUS(k, 'L', 'L');
	GET("Z1", k, "LO CM");
	GET("Z2", k, "LO CM");
	GET("B", k, "LO CM");
	GET("F2033", k, "LO CM");
	EXPECT_EQ(0, depth(Q));
}

/* E-4, G-ORD-11: the anchor */
TEST_F(q, browse_of_interleaved_groups)
{
	PUTS(self->h, "A; Y1(Y,1,0,G); Z1(Z,1,0,G); Y2(Y,2,0,L); Z2(Z,2,0,L);"
		      "B");
	EXPECT_STREQ("A Y1 Y2 Z1 Z2 B", drain(self->k, "BN LO"));
	GET("A", self->k, "BF LO");
	GET("Y1", self->k, "BN LO");
}

/* E-5, G-ORD-14 */
TEST_F(q, physical_browse_past_the_end_of_a_group)
{
	struct mqh *x = opn(self->d, Q, "b");

	PUTS(self->h, "Y2(Y,2,0,L); Y1(Y,1,0,G)");
	GET("Y1", self->k, "BF s=1");
	GET("Y2", self->k, "BF g=Y s=2");
	GET("Y1", self->k, "BN s=1");
	GET("Y1", x, "BF LO");
	GET("Y2", x, "BN LO");
	GET("F2033", x, "BN LO");
}

/* E-7, G-CPL-2, G-CPL-6, UC-028 */
TEST_F(q, incomplete_group_and_browse)
{
	struct waiter *w;

	PUTS(self->h, "P1(P,1,0,G); R1(R,1,0,G); R2(R,2,0,L)");
	GET("R1", self->k, "BF LO AM");
	GET("R2", self->k, "BN LO AM");
	GET("F2033", self->k, "BN LO AM");
	w = wait_get(self->k, "BN LO AM WT(60)");
	PUTS(self->h, "P2(P,2,0,L)");
	EXPECT_STREQ("F2033", result(w));	/* lies before the anchor */
	GET("F2033", self->k, "BN LO AM");
	GET("P1", self->k, "BF LO AM");
	GET("P2", self->k, "BN LO AM");
	GET("R1", self->k, "BN LO AM");
}

/* E-8, G-CPL-5 */
TEST_F(q, all_messages_available_in_physical_order)
{
	PUTS(self->h, "P1(P,1,0,G); R1(R,1,0,G); R2(R,2,0,L); P2(P,2,0,L)");
	GET("P1", self->k, "AM");
	GET("R1", self->k, "AM");
	GET("R2", self->k, "");
	GET("F2033", self->k, "AM");
	EXPECT_EQ(1, depth(Q));
	GET("P2", self->k, "");
}

/* E-9, G-ORD-16..19, G-CLO-1 */
TEST_F(q, leaving_a_group)
{
	struct mqh *k = self->k, *x;

	PUTS(self->h, "K1(K,1,0,G); N; K2(K,2,0,L)");
	GET("K1", k, "LO");
	GET("W2241 N", k, "");
	GET("F2033", k, "LO");
	EXPECT_STREQ("OK", shut(k));
	GET("K2", self->h, "");
	/* close at once */
	PUTS(self->h, "K1(K,1,0,G); N; K2(K,2,0,L)");
	x = opn(self->d, Q, "i");
	GET("K1", x, "LO");
	EXPECT_STREQ("W2241", shut(x));
	EXPECT_STREQ("F2019", shut(x));
	/* consistent without the option */
	PUTS(self->h, "M1(M,1,0,G); M2(M,2,0,L)");
	x = opn(self->d, Q, "ib");
	GET("M1", x, "LO g=M");
	GET("M2", x, "g=M s=2");
	EXPECT_STREQ("OK", shut(x));
	/* segments: 2242 first */
	PUTS(self->h, "S1(S,1,0,SG)");
	x = opn(self->d, Q, "i");
	GET("S1", x, "LO g=S");
	GET("W2242 N", x, "");
	PUTS(self->h, "T1(T,1,0,SG)");
	GET("T1", x, "LO g=T");
	EXPECT_STREQ("W2242", shut(x));
	/* browse only */
	PUTS(self->h, "V1(V,1,0,G)");
	x = opn(self->d, Q, "b");
	GET("V1", x, "BF LO g=V");
	EXPECT_STREQ("OK", shut(x));
	GET("K2", self->h, "");
}

/* G-ORD-17, G-RC-2: right message, other syncpoint setting: 2245 */
TEST_F(q, consistent_but_for_syncpoint)
{
	PUTS(self->h, "K1(K,1,0,G); K2(K,2,0,G); K3(K,3,0,G); K4(K,4,0,L)");
	GET("K1", self->k, "LO");
	GET("W2245 K2", self->k, "SP g=K s=2");
	GET("F2245", self->k, "LO");		/* R: K2, under syncpoint */
	GET("K3", self->k, "LO SP");
	GET("W2245 K4", self->k, "g=K s=4");
	EXPECT_STREQ("OK", commit(self->d));
}

/* E-10, G-ORD-15, G-ORD-20, G-UOW-5, UC-022 */
TEST_F(q, syncpoint_and_back_out)
{
	PUTS(self->h, "K1(K,1,0,G); K2(K,2,0,G); K3(K,3,0,L)");
	GET("K1", self->k, "LO SP");
	GET("F2245", self->k, "LO");
	EXPECT_STREQ("OK", commit(self->d));
	LIST("K2 K3");
	GET("K2", self->k, "LO SP");
	EXPECT_STREQ("OK", back(self->d));
	LIST("K2 K3");
	GET("K2", self->k, "LO SP");
	EXPECT_EQ(1, self->k->md.BackoutCount);
	GET("K3", self->k, "LO SP");
	EXPECT_EQ(0, self->k->md.BackoutCount);
	EXPECT_STREQ("OK", back(self->d));
	/* before the unit: after K1 */
	GET("K2", self->k, "LO SP");
	GET("K3", self->k, "LO SP");
	EXPECT_STREQ("OK", commit(self->d));
	EXPECT_STREQ("OK", shut(self->k));
}

/* G-ORD-20, U-GRP-4: gets outside syncpoint are not restored */
TEST_F(q, back_out_of_a_handle_used_both_ways)
{
	PUTS(self->h, "K1(K,1,0,G); K2(K,2,0,G); N; J1(J,1,0,L)");
	GET("K1", self->k, "LO");
	GET("W2241 N", self->k, "SP m=N");
	EXPECT_STREQ("OK", back(self->d));
	GET("K2", self->k, "LO");		/* R back to after K1 */
	GET("W2241 J1", self->k, "m=J1");
	GET("N", self->h, "");
}

/* E-23, G-ORD-21, G-ORD-8 */
TEST_F(q, restart_in_mid_group)
{
	PUTS(self->h, "K2(K,2,0,G); K3(K,3,0,L); J1(J,1,0,L)");
	GET("F2033", self->k, "LO g=K");
	GET("K2", self->k, "g=K s=2");
	GET("K3", self->k, "LO");
	GET("J1", self->k, "LO");
}

/* E-24, G-ORD-12, G-ORD-13, UC-029 */
TEST_F(q, first_item_removed_and_mode_switch)
{
	struct mqh *h = self->h;

	PUTS(h, E1);
	GET("A", h, "BF LO");
	GET("F2259", h, "BN");
	GET("Y1", h, "BN LO");
	GET("Y1", self->k, "m=Y1");
	GET("Y2", h, "BN LO");
	GET("Y3a", h, "BN LO");
	GET("Y3b", h, "BN LO");
	GET("Z1", h, "BN LO");
	GET("Z2", h, "BN LO");
	GET("B", h, "BN LO");
	GET("A", h, "BF LO");
	GET("Z1", h, "BN LO");
	GET("A", h, "BF");
	GET("Z2", h, "BN");
	GET("F2259", h, "BN LO");
}

/* UC-029, G-ORD-1: browse and removal have sets of their own */
TEST_F(q, browse_and_get_are_independent)
{
	PUTS(self->h, E1);
	GET("A", self->k, "BF");
	GET("A", self->k, "LO");
	GET("Y1", self->k, "BN");
	GET("Y1", self->k, "LO");
	GET("Z2", self->k, "BN");
	GET("Y2", self->k, "LO");
	GET("Y3a", self->k, "BN");		/* physical */
	GET("Y3a", self->k, "LO");
	GET("Y3b", self->k, "LO");
	GET("Z1", self->k, "BF LO");
	GET("Z1", self->k, "LO");
	GET("Z2", self->k, "BN LO");
	GET("Z2", self->k, "LO");
	GET("B", self->k, "LO");
}

/* G-ORD-24, G-ORD-3: a truncated browse neither fixes nor switches the mode */
TEST_F(q, truncated_browse_and_mode)
{
	PUTS(self->h, "A; B");
	GET("W2080 A", self->k, "BF LO buf=1");
	GET("A", self->k, "BN");
	GET("W2080 A", self->k, "BF LO buf=1");
	GET("B", self->k, "BN");
	GET("F2259", self->k, "BN LO");
}

/* G-ORD-4, G-ORD-7: wait in a group; BROWSE_FIRST leaves it */
TEST_F(q, next_member_missing)
{
	struct waiter *w;

	PUTS(self->h, "K1(K,1,0,G); N; K3(K,3,0,L); K2(K,2,0,G) SP");
	GET("K1", self->k, "BF LO");
	GET("F2033", self->k, "BN LO");
	GET("K1", self->k, "BF LO");
	GET("K1", self->k, "LO");
	GET("F2033", self->k, "LO");
	GET("F2033", self->k, "LO CM AM");
	w = wait_get(self->k, "LO WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_STREQ("K2", result(w));
	GET("K3", self->k, "LO");
	GET("N", self->k, "LO");
}

/* G-ORD-6: it must have the flag that makes it a member; first if duplicated */
TEST_F(q, members_that_are_none)
{
	PUTS(self->h, "K1(K,1,0,G); F2(K,2,0,S); K2(K,2,0,G); D2(K,2,0,L)");
	GET("K1", self->k, "LO");
	GET("K2", self->k, "LO");
	EXPECT_STREQ("W2241", shut(self->k));
	LIST("F2 D2");
	discard(self->h);
	/* inside a logical message of a group both flags are needed */
	self->k = opn(self->d, Q, "i");
	PUTS(self->h, "a(L,1,0,GS); x(L,1,10,S); b(L,1,10,GS); c(L,1,20,GE)");
	GET("a", self->k, "LO");
	GET("b", self->k, "m=b");		/* G-ORD-17: the expected one */
	PUTS(self->h, "a(M,1,0,GS); x(M,1,10,S); b(M,1,10,GE)");
	self->k = opn(self->d, Q, "i");
	GET("a", self->k, "LO g=M");
	GET("b", self->k, "LO");
}

/* G-ORD-7, G-ORD-10: locked or removed by others */
TEST_F(q, member_invisible)
{
	PUTS(self->h, "K1(K,1,0,G); K2(K,2,0,L); N");
	GET("K1", self->k, "LO");
	GET("K2", self->h, "BF LK m=K2");
	GET("F2033", self->k, "LO");
	GET("OK", self->h, "UL");
	GET("K2", self->h, "m=K2 SP");
	GET("F2033", self->k, "LO");
	EXPECT_STREQ("OK", back(self->c));
	GET("K2", self->k, "LO");
	GET("N", self->k, "LO");
}

/* G-ORD-22: cursor gets with LOGICAL_ORDER */
TEST_F(q, cursor_gets)
{
	PUTS(self->h, "A; K1(K,1,0,G); K2(K,2,0,L)");
	GET("A", self->k, "BF");
	GET("A", self->k, "BC LO");		/* no 2259 */
	GET("K1", self->k, "BN");
	GET("K1", self->k, "MC LO");		/* sets R */
	GET("K2", self->k, "LO");
	PUTS(self->h, "J1(J,1,0,G); J2(J,2,0,L)");
	GET("J1", self->k, "LO g=J");
	GET("A", self->k, "BF");
	GET("W2241 A", self->k, "MC");
}

/* E-28, G-ORD-23 */
TEST_F(q, mixed_priorities)
{
	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	PUTS(self->h, "X5 p=5; Y1(Y,1,0,G) p=3; Y2(Y,2,0,L) p=7");
	EXPECT_STREQ("X5 Y1 Y2", drain(self->k, "LO"));
	PUTS(self->h, "X5 p=5; Y1(Y,1,0,G) p=3; Y2(Y,2,0,L) p=7");
	EXPECT_STREQ("Y2 X5 Y1", drain(self->k, ""));
}

/* UC-020, UC-023, M-GRP-2, M-GRP-4 */
TEST_F(q, complete_groups_only)
{
	char text[32], want[16];
	int i;

	PUTS(self->h, "P1(P,1,0,G); P3(P,3,0,L); O1(O,1,0,L)");
	GET("O1", self->k, "AM");
	STATUS(self->k, 'L', ' ');
	GET("F2033", self->k, "AM");
	for (i = 1; i <= 40; i++) {
		sprintf(text, "H%d(H,%d,0,%s)", i, i, i < 40 ? "G" : "L");
		ASSERT_STREQ("OK", put(self->h, text));
		if (i < 40) {
			GET("F2033", self->k, "LO AM");
		}
	}
	for (i = 1; i <= 40; i++) {
		sprintf(want, "H%d", i);
		GET(want, self->k, "LO AM");
		STATUS(self->k, i < 40 ? 'G' : 'L', ' ');
	}
	PUTS(self->h, "P2(P,2,0,G)");
	GET("P1", self->k, "LO AM");
	GET("P2", self->k, "LO AM");
	GET("P3", self->k, "LO AM");
}

/* M-GRP-4, P-LOG-13: a GroupId alone does not make a message one of the group. */
TEST_F(q, group_id_without_membership)
{
	PUTS(self->h, "Z2(Z,2,0,L); Z1(Z,1,0,A)");
	GET("Z1", self->k, "AM");
	GET("F2033", self->k, "AM");
	PUTS(self->h, "Z3(Z,1,0,A); Z4(Z,1,0,G)");
	GET("Z2", self->k, "AM");
	GET("Z3", self->k, "LO AM");
}

/* U-VIS-5, U-VIS-6, G-CPL-7 */
TEST_F(q, invisible_members_make_it_incomplete)
{
	PUTS(self->h, "K1(K,1,0,G); K2(K,2,0,L) SP");
	GET("F2033", self->k, "LO AM");
	EXPECT_STREQ("OK", commit(self->c));
	GET("K1", self->k, "BF LO AM");
	GET("K2", self->h, "SP m=K2");
	GET("F2033", self->k, "LO AM");
	GET("F2033", self->k, "BF AM");
	EXPECT_STREQ("OK", back(self->c));
	GET("K2", self->h, "BF LK m=K2");
	GET("F2033", self->k, "LO AM");
	GET("K1", self->h, "LO AM");		/* visible to the owner */
}

/* G-CPL-10, G-CPL-4: segments are tested inside a group, the group is not */
TEST_F(q, availability_inside_a_group)
{
	PUTS(self->h, "K1(K,1,0,G); K2a(K,2,0,SL); K2b(K,2,10,EL)");
	GET("K1", self->k, "LO AM");
	GET("K2b", self->h, "m=K2b");
	GET("F2033", self->k, "LO AM");
	GET("F2033", self->k, "LO AS");
	GET("K2a", self->k, "LO");
	PUTS(self->h, "K2b(K,2,10,EL)");
	GET("K2b", self->k, "LO AM AS");
}

/* G-ORD-8 in numbers: many orphans in front */
TEST_F(q, orphans)
{
	char text[32];
	int i;

	for (i = 0; i < 300; i++) {
		sprintf(text, "O%d(O%d,2,0,G)", i, i);
		ASSERT_STREQ("OK", put(self->h, text));
	}
	PUTS(self->h, "K1(K,1,0,L)");
	GET("K1", self->k, "LO");
	GET("F2033", self->k, "LO");
	GET("F2033", self->k, "AM");
	EXPECT_EQ(300, depth(Q));
}

/* G-ORD-22: with LOGICAL_ORDER the cursor may leave a group unwarned */
TEST_F(q, cursor_leaves_group)
{
	PUTS(self->h, "K1(K,1,0,G); A");
	GET("K1", self->k, "LO");
	GET("A", self->k, "BF");
	GET("A", self->k, "MC LO");
	GET("F2033", self->k, "LO");
}

/* M-SEG-11, G-ORD-6: segments are not followed by reports about them */
TEST_F(q, reports_between_segments)
{
	PUTS(self->h, "s1(X,1,0,S); r1(X,1,0,S) mt=4 ol=10; "
	     "s2(X,1,10,E); r2(X,1,10,E) mt=4 ol=10");
	EXPECT_STREQ("s1 s2 r1 r2", drain(self->k, "BN LO"));
	GET("s2", self->k, "m=s2");
	GET("s1", self->h, "LO");
	GET("F2033", self->h, "LO");
	GET("W2242 r2", self->h, "m=r2");
}

TEST_HARNESS_MAIN
