/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Groups and segments on the put side: logical order (P-LOG), leaving it
 * (P-INC), the scenarios P-SCN-1..10 and 20.
 */
#include <string.h>
#include "q_fixture.h"

/* P-SCN-1 */
TEST_F(q, group_of_three)
{
	PUTG("(G1,1,0)", self->h, "A LO f=G");
	PUTG("(G1,2,0)", self->h, "B LO f=G");
	PUTG("(G1,3,0)", self->h, "C LO f=L");
	PUTG("(-,1,0)", self->h, "D LO");
	EXPECT_STREQ("A B C D", drain(self->k, ""));
	PUTG("(G2,1,0)", self->h, "E LO f=L");		/* M-GRP-2 */
	GET("E", self->k, "");
	EXPECT_EQ(0x18, self->k->md.MsgFlags);
}

/* P-SCN-2, P-LOG-8 */
TEST_F(q, leaving_a_group_early)
{
	PUTG("(G1,1,0)", self->h, "A LO f=G");
	PUT("F2241", self->h, "X LO");
	EXPECT_EQ(1, depth(Q));
	PUT("F2241", self->h, "X LO f=S");
	PUT("F2241", self->h, "X LO f=A");
	PUTG("(G1,2,0)", self->h, "B LO f=L len=0");
	PUTG("(-,1,0)", self->h, "C LO");
	LIST("A B C");
}

/* P-SCN-3, P-LOG-7 */
TEST_F(q, segments_inside_a_group)
{
	PUTG("(G1,1,0)", self->h, "a LO f=GS len=100");
	PUT("F2242", self->h, "X LO f=L");
	PUT("F2242", self->h, "X LO");
	PUT("F2242", self->h, "X LO f=S");
	PUT("F2242", self->h, "X LO f=G");
	PUTG("(G1,1,100)", self->h, "b LO f=GS len=50");
	PUTG("(G1,1,150)", self->h, "c LO f=GE len=0");
	PUT("F2241", self->h, "X LO");
	PUTG("(G1,2,0)", self->h, "d LO f=L");
	PUTG("(-,1,0)", self->h, "e LO");
	LIST("a b c d e");
}

/* P-SCN-4, UC-025, M-SEG-4 */
TEST_F(q, empty_segments)
{
	PUT("F2253", self->h, "X LO f=S len=0");
	PUT("F2253", self->h, "X LO f=GS len=0");
	PUTG("(G1,1,0)", self->h, "A LO f=E len=0");
	PUTG("(G2,1,0)", self->h, "B LO f=S len=7");
	PUT("F2253", self->h, "X LO f=S len=0");
	PUTG("(G2,1,7)", self->h, "C LO f=E len=0");
	PUTG("(-,1,0)", self->h, "D LO");
}

/* P-SCN-5, P-LOG-9, M-PER-2 */
TEST_F(q, persistence_mix)
{
	PUTG("(G1,1,0)", self->h, "A LO f=G per=2");
	PUTG("(G1,2,0)", self->h, "B LO f=G per=0");
	PUT("F2185", self->h, "X LO f=L per=1");
	PUTG("(G1,3,0)", self->h, "C LO f=L per=0");
	/* a new group may differ; the default is compared once resolved */
	EXPECT_STREQ("OK", alter(Q, "per=1"));
	PUTG("(G2,1,0)", self->h, "D LO f=GS per=1");
	PUT("F2185", self->h, "X LO f=GS per=0");
	PUTG("(G2,1,10)", self->h, "E LO f=GE per=2");
	EXPECT_STREQ("OK", alter(Q, "per=0"));
	PUT("F2185", self->h, "X LO f=L per=2");
	PUTG("(G2,2,0)", self->h, "F LO f=L per=1");
}

/* P-SCN-6, P-LOG-10, U-GRP-6 */
TEST_F(q, unit_of_work_mix)
{
	PUTG("(G1,1,0)", self->h, "A LO SP f=G");
	EXPECT_STREQ("OK", commit(self->c));
	PUTG("(G1,2,0)", self->h, "B LO SP f=G");
	PUT("F2245", self->h, "X LO NS f=L");
	PUT("F2245", self->h, "X LO f=L");
	PUTG("(G1,3,0)", self->h, "C LO SP f=L");
	EXPECT_STREQ("OK", commit(self->c));
	PUTG("(G2,1,0)", self->h, "D LO f=S");
	PUT("F2245", self->h, "X LO SP f=S");
	PUTG("(G2,1,10)", self->h, "E LO f=E");
	LIST("A B C D E");
}

/* P-SCN-7, P-LOG-16 */
TEST_F(q, resume_after_a_restart)
{
	PUTG("(X,4,0)", self->h, "A(X,4,0,G)");
	PUTG("(X,5,0)", self->h, "B LO f=G");
	PUTG("(X,6,0)", self->h, "C LO f=L");
	/* in the middle of a logical message */
	PUTG("(Y,2,30)", self->h, "D(Y,2,30,GS) len=12");
	PUTG("(Y,2,42)", self->h, "E LO f=GS len=8");
	PUTG("(Y,2,50)", self->h, "F LO f=GE");
	PUTG("(Y,3,0)", self->h, "G LO f=L");
	/* with its persistence and unit of work */
	PUTG("(Z,4,0)", self->h, "H(Z,4,0,G) per=1 SP");
	PUT("F2185", self->h, "X LO f=G per=0 SP");
	PUT("F2245", self->h, "X LO f=G per=1");
	PUTG("(Z,5,0)", self->h, "I LO f=L per=1 SP");
	EXPECT_STREQ("OK", commit(self->c));
}

/* P-SCN-8, P-INC-1, P-INC-2, P-CALL-9 */
TEST_F(q, not_logical_after_logical)
{
	PUTG("(G1,1,0)", self->h, "A LO f=G");
	PUTG("W2241(-,1,0)", self->h, "B");
	PUTG("(G2,1,0)", self->h, "C LO f=L");
	EXPECT_STREQ("OK", shut(self->h));
	LIST("A B C");
}

/* P-INC-2: what fits and what does not */
TEST_F(q, fits)
{
	PUTG("(G1,1,0)", self->h, "A LO f=G");
	PUTG("(G1,2,0)", self->h, "B(G1,2,0,G)");	/* exactly next */
	PUTG("(G1,3,0)", self->h, "C LO f=G");
	PUTG("W2241(G1,5,0)", self->h, "D(G1,5,0,G)");	/* a gap */
	/* the last was not logical: OK whatever follows */
	PUTG("(-,1,0)", self->h, "E");

	PUTG("(G2,1,0)", self->h, "F LO f=GS");
	PUTG("W2242(G2,1,11)", self->h, "G(G2,1,11,GS)");
	PUT("F2242", self->h, "X LO f=G");		/* and it is kept */
	PUTG("(G2,1,21)", self->h, "H LO f=GE");
	PUTG("W2241(W,1,0)", self->h, "I(W,1,0,L)");
	PUTG("(G3,1,0)", self->h, "J LO f=S");
	PUTG("W2242(-,1,0)", self->h, "K");
	PUTG("(G4,1,0)", self->h, "O LO f=G");
	PUTG("W2241(G4,2,7)", self->h, "P(G4,2,7,GS)");	/* offset not 0 */
	PUTG("(G4,2,17)", self->h, "Q LO f=LE");
	PUTG("(G5,1,0)", self->h, "L LO f=S");
	PUTG("W2242(G5,1,10)", self->h, "M(G5,1,10,GS)");
	PUT("F2242", self->h, "X LO f=G");
}

/* P-INC-1, P-INC-2: fits, but for persistence or unit of work */
TEST_F(q, fits_but_for_persistence_or_unit)
{
	PUTG("(G1,1,0)", self->h, "A LO f=G per=0");
	PUTG("W2185(G1,2,0)", self->h, "B(G1,2,0,G) per=1");
	PUTG("(G1,3,0)", self->h, "C LO f=L per=1");
	PUTG("(G2,1,0)", self->h, "D LO f=G");
	PUTG("W2245(G2,2,0)", self->h, "E(G2,2,0,L) SP");
	PUTG("(G3,1,0)", self->h, "F LO f=G");
	/* P-CHK-2: 2241 before 2185, 2245, 2049 */
	PUTG("W2241(-,1,0)", self->h, "G per=1 SP p=12");
	PUTG("(G4,1,0)", self->h, "H LO f=G");
	PUTG("W2185(G4,2,0)", self->h, "I(G4,2,0,G) per=1 SP p=12");
	EXPECT_STREQ("OK", back(self->c));
}

/* P-SCN-9, P-INC-1, UC-023, O-CLOSE-7, O-CLOSE-8 */
TEST_F(q, close_inside_a_group)
{
	struct mqh *a = opn(self->c, Q, "o"), *b = opn(self->c, Q, "o");
	struct mqh *c = opn(self->c, Q, "o"), *d = opn(self->c, Q, "o");

	PUTG("(G1,1,0)", a, "A LO f=G");
	EXPECT_STREQ("W2241", shut(a));
	EXPECT_STREQ("F2019", shut(a));
	PUTG("(G2,1,0)", b, "B LO f=S");
	EXPECT_STREQ("W2242", shut(b));
	PUTG("(G3,1,0)", c, "C LO f=GS");
	EXPECT_STREQ("W2242", shut(c));
	PUTG("(G4,1,0)", d, "D LO f=G");
	PUTG("(G4,2,0)", d, "E(G4,2,0,G)");
	EXPECT_STREQ("OK", shut(d));
	LIST("A B C D E");
	GET("F2033", self->k, "LO AM");
	GET("A", self->k, "");
}

/* P-SCN-10, P-LOG-3, M-PUT-2 */
TEST_F(q, version_1)
{
	PUT("F2257", self->h, "X LO v1");
	PUT("OK", self->h, "A v1");
	/* P-CHK-1: 2257 before 2241 */
	PUTG("(G1,1,0)", self->h, "B LO f=G");
	PUT("F2257", self->h, "X LO v1");
	PUTG("(G1,2,0)", self->h, "C LO f=L");
}

/* P-LOG-4, P-LOG-5 / M-PUT-1, row by row: with logical order */
TEST_F(q, table_with_logical_order)
{
	PUTG("(-,1,0)", self->h, "a LO g=X s=5 o=5");	/* input ignored */
	PUTG("(G1,1,0)", self->h, "b LO f=A g=X s=5");
	PUTG("(G2,1,0)", self->h, "c LO f=S");
	PUTG("(G2,1,10)", self->h, "d LO f=SA s=9 o=3");
	PUTG("(G2,1,20)", self->h, "e LO f=EA g=Y");
	PUTG("(G3,1,0)", self->h, "f LO f=EA");
	PUTG("(G4,1,0)", self->h, "g LO f=GA s=77");
	PUTG("(G4,2,0)", self->h, "h LO f=G o=5");
	PUTG("(G4,3,0)", self->h, "i LO f=GSA");
	PUTG("(G4,3,10)", self->h, "j LO f=GS");
	PUTG("(G4,3,20)", self->h, "k LO f=GE");
	PUTG("(G4,4,0)", self->h, "l LO f=LS");
	PUTG("(G4,4,10)", self->h, "m LO f=LE");
	PUTG("(G5,1,0)", self->h, "n LO f=LE");
	PUTG("(-,1,0)", self->h, "o LO");
	EXPECT_STREQ("a b c d e f g h i j k l m n o", drain(self->k, ""));
}

/* P-LOG-13 / M-PUT-1, row by row: without */
TEST_F(q, table_without_logical_order)
{
	PUTG("(-,1,0)", self->h, "a g=X s=5 o=5");
	PUTG("(G1,1,0)", self->h, "b f=A s=5 o=5");
	PUTG("(X,1,0)", self->h, "c f=A g=X s=5 o=5");
	PUTG("(G2,1,5)", self->h, "d f=S s=5 o=5");
	PUTG("(X,1,5)", self->h, "e f=SA g=X s=5 o=5");
	PUTG("(G3,5,0)", self->h, "f f=G s=5 o=5");
	PUTG("(X,5,0)", self->h, "g f=LA g=X s=5 o=5");
	PUTG("(G4,5,5)", self->h, "h f=GS s=5 o=5");
	PUTG("(X,5,5)", self->h, "i f=LEA g=X s=5 o=5");
	EXPECT_STREQ("a b c d e f g h i", drain(self->k, ""));
}

/* P-LOG-6: the final segment says whether the group ends */
TEST_F(q, last_message_flag_on_an_earlier_segment)
{
	PUTG("(G1,1,0)", self->h, "a LO f=LS");
	PUTG("(G1,1,10)", self->h, "b LO f=GE");
	PUT("F2241", self->h, "X LO");
	PUTG("(G1,2,0)", self->h, "c LO f=GS");
	PUTG("(G1,2,10)", self->h, "d LO f=LE");
	PUTG("(-,1,0)", self->h, "e LO");
}

/* P-LOG-11, P-CHK-4 */
TEST_F(q, end_of_the_ranges)
{
	PUTG("(X,999999999,0)", self->h, "a(X,999999999,0,G)");
	PUT("F2250", self->h, "X LO f=G");
	PUTG("(Y,1,999999970)", self->h, "b(Y,1,999999970,S)");
	PUT("F2251", self->h, "X LO f=S len=20");
	PUTG("(Y,1,999999980)", self->h, "c LO f=S len=19");
	PUT("F2251", self->h, "X LO f=S len=1");
	PUTG("(Y,1,999999999)", self->h, "d LO f=E len=0");
}

/* P-LOG-1, P-LOG-2: per handle; untouched by a failed put */
TEST_F(q, state_is_of_the_handle)
{
	struct mqh *o = opn(self->c, Q, "o");

	PUTG("(G1,1,0)", self->h, "a LO f=G");
	PUTG("(G2,1,0)", o, "b LO f=G");
	PUTG("(G1,2,0)", self->h, "c LO f=G");
	EXPECT_STREQ("OK", alter(Q, "put=1"));
	PUT("F2051", self->h, "X LO f=L");
	PUT("F2051", self->h, "X");
	EXPECT_STREQ("OK", alter(Q, "put=0 depth=3"));
	PUT("F2053", self->h, "X LO f=L");
	EXPECT_STREQ("OK", alter(Q, "depth=10"));
	PUTG("(G1,3,0)", self->h, "d LO f=L");
	PUTG("(G2,2,0)", o, "e LO f=L");
	/* gets on the handle have sets of their own */
	PUTG("(G3,1,0)", self->h, "f LO f=G");
	GET("a", self->h, "LO");
	PUTG("(G3,2,0)", self->h, "g LO f=L");
}

/* P-SCN-20, U-GRP-2, M-PUT-3, UC-022, U-SCN-7 first half */
TEST_F(q, backout_restores)
{
	PUTG("(G1,1,0)", self->h, "a LO SP f=G");
	EXPECT_STREQ("OK", commit(self->c));
	PUTG("(G1,2,0)", self->h, "b LO SP f=G");
	PUTG("(G1,3,0)", self->h, "c LO SP f=L");
	EXPECT_STREQ("OK", back(self->c));
	PUTG("(G1,2,0)", self->h, "d LO SP f=L");
	EXPECT_STREQ("OK", commit(self->c));
	LIST("a d");
	/* a whole group backed out: as if there had been none */
	PUTG("(G2,1,0)", self->h, "e LO SP f=G");
	PUTG("(G2,2,0)", self->h, "f LO SP f=G");
	EXPECT_STREQ("OK", back(self->c));
	PUTG("(-,1,0)", self->h, "g LO");
}

/* P-LOG-12, P-LOG-15 */
TEST_F(q, what_may_differ_or_repeat)
{
	PUTG("(G1,1,0)", self->h, "a LO f=G p=1 fmt=MQSTR ccsid=819");
	PUTG("(G1,2,0)", self->h, "b LO f=L p=8 enc=273 exp=900 mt=65536");
	PUTG("(X,1,0)", self->h, "c(X,1,0,G)");
	PUTG("(X,1,0)", self->h, "d(X,1,0,G)");
	EXPECT_STREQ("a b c d", drain(self->k, ""));
}

/* O-BIND-9: a bind option of the group changes nothing here */
TEST_F(q, bind_on_group)
{
	MQOD od = { MQOD_DEFAULT };
	struct mqh h = *self->h;

	FIELD_SET(od.ObjectName, Q);
	MQOPEN(self->c, &od, MQOO_OUTPUT | MQOO_BIND_ON_GROUP, &h.ho, &h.cc,
	       &h.rc);
	ASSERT_EQ(0, h.cc);
	PUTG("(G1,1,0)", &h, "a LO f=G");
	PUT("F2241", &h, "X LO");
	PUTG("W2241(-,1,0)", &h, "b");
}

/* P-LOG-5, M-SEG-2: a report is as long as what it reports on */
TEST_F(q, reports_on_segments)
{
	PUTG("(G1,1,0)", self->h, "a LO f=S mt=4 ol=200");
	PUTG("(G1,1,200)", self->h, "b LO f=S mt=4 ol=10");
	PUTG("(G1,1,210)", self->h, "c LO f=E mt=4 ol=0 len=0");
	EXPECT_STREQ("a b c", drain(self->k, "LO"));
}

TEST_HARNESS_MAIN
