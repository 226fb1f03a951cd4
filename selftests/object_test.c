/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Objects and handles in the course of time: names that are reserved by custom,
 * what a handle has and loses, a queue manager that stops.
 */
#include <string.h>
#include "q_fixture.h"

/* O-NAME-4: a custom, not a check */
TEST_F(q, names_that_begin_with_system)
{
	ASSERT_STREQ("OK", define("SYSTEM.KT.Q", ""));
	EXPECT_STREQ("OK", opn_rc(self->c, "SYSTEM.KT.Q", "ibqos"));
}

static const char *open_selecting(MQHCONN hc, MQLONG type, const char *q,
				  const char *how)
{
	MQOD od = { MQOD_DEFAULT };
	MQHOBJ ho = 77;
	MQLONG cc, rc;

	od.Version = MQOD_VERSION_4;
	od.ObjectType = type;
	FIELD_SET(od.ObjectName, q);
	od.SelectionString.VSPtr = "a = 1";
	od.SelectionString.VSLength = MQVS_NULL_TERMINATED;
	MQOPEN(hc, &od, open_options(how), &ho, &cc, &rc);
	return ho == MQHO_UNUSABLE_HOBJ ? outcome(cc, rc) : "a handle";
}

/* O-OPEN-12: a selection string where nothing is selected */
TEST_F(q, selection_without_gets)
{
	EXPECT_STREQ("F2516", open_selecting(self->c, MQOT_Q, Q, "o"));
	EXPECT_STREQ("F2516", open_selecting(self->c, MQOT_Q, Q, "qs"));
	EXPECT_STREQ("F2516", open_selecting(self->c, MQOT_Q_MGR, "", "q"));
	EXPECT_EQ(2, inquire_int(Q, MQIA_OPEN_OUTPUT_COUNT));
}

/* O-CLOSE-6, G-CLO-1: cursor, lock, marks, group information */
TEST_F(q, close_ends_what_the_handle_had)
{
	struct mqh *x = opn(self->c, Q, "b");

	PUTS(self->h, "A; B");
	GET("A", x, "BF LK");
	GET("B", self->k, "BF");
	EXPECT_STREQ("OK", shut(x));
	GET("A", self->k, "BF");
	/* a new handle has no cursor */
	x = opn(self->c, Q, "bi");
	GET("F2034", x, "BC");
	GET("F2034", x, "MC");
	GET("A", x, "BN");
	shut(x);
	/* its marks, and those of its set when it was the last one in it */
	x = opn(self->c, Q, "bc");
	GET("A", x, "BF UB MH");
	GET("B", x, "BF UB MK");
	GET("F2033", x, "BF UB");
	EXPECT_STREQ("OK", shut(x));
	x = opn(self->c, Q, "bc");
	GET("A", x, "BF UB MK");
	GET("B", x, "BF UB MK");
	EXPECT_STREQ("OK", shut(x));
	discard(self->h);
	/* groups on both sides, O-CLOSE-7, O-CLOSE-8 */
	x = opn(self->c, Q, "io");
	PUTG("(G1,1,0)", x, "C LO f=G");
	EXPECT_STREQ("W2241", shut(x));
	x = opn(self->c, Q, "io");
	PUTG("(G2,1,0)", x, "D LO f=L");
	GET("C", x, "LO");
	EXPECT_STREQ("W2241", shut(x));
	x = opn(self->c, Q, "io");
	GET("D", x, "LO");
	EXPECT_STREQ("OK", shut(x));
}

/* O-QATT-2, UC-055: the threshold is the program's to look at */
TEST_F(q, backout_threshold)
{
	int i;

	ASSERT_STREQ("OK", define("KT.BACKOUT", ""));
	EXPECT_STREQ("OK", alter(Q, "bothresh=1 boq=KT.BACKOUT"));
	PUT("OK", self->h, "A");
	for (i = 0; i < 4; i++) {
		GET("A", self->k, "SP");
		EXPECT_EQ(i, self->k->md.BackoutCount);
		EXPECT_STREQ("OK", back(self->d));
	}
	EXPECT_EQ(1, depth(Q));
	EXPECT_EQ(0, depth("KT.BACKOUT"));
	EXPECT_EQ(1, inquire_int(Q, MQIA_BACKOUT_THRESHOLD));
}

/* O-SET-4, P-CALL-12, U-CMIT-4: a queue manager that stops, and runs again */
TEST_F(q, stopped_queue_manager)
{
	MQLONG sel = MQIA_INHIBIT_PUT, val = 1, cc, rc;
	struct mqh *h = opn(self->c, Q, "s");

	PUT("OK", self->h, "A");
	MQSET(self->c, h->ho, 1, &sel, 1, &val, 0, NULL, &cc, &rc);
	EXPECT_STREQ("OK", outcome(cc, rc));
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_STOPPING));
	PUT("F2162", self->h, "B");
	GET("F2162", self->h, "");
	EXPECT_STREQ("F2162", opn_rc(self->c, Q, "i"));
	MQSET(self->c, h->ho, 1, &sel, 1, &val, 0, NULL, &cc, &rc);
	EXPECT_STREQ("F2162", outcome(cc, rc));
	EXPECT_STREQ("F2162", commit(self->c));
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	EXPECT_EQ(1, inquire_int(Q, MQIA_INHIBIT_PUT));
	EXPECT_EQ(1, depth(Q));
}

TEST_HARNESS_MAIN
