/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What a message is (M-TRM, M-FMT), its states on a queue (M-STO-3, M-STO-4), and
 * what a get may change (G-MOD, G-PAR-1).
 */
#include <string.h>
#include "q_fixture.h"

/* Available, locked, put and got in a unit of work; depth with all of them */
#define COUNTS(depth_, puts_, gets_, locked_) do {			\
	struct kmq_status s_ = status(Q);				\
									\
	EXPECT_EQ(depth_, (int)s_.out_depth);				\
	EXPECT_EQ(puts_, (int)s_.out_uncommitted_puts);			\
	EXPECT_EQ(gets_, (int)s_.out_uncommitted_gets);			\
	EXPECT_EQ(locked_, (int)s_.out_locked);				\
} while (0)

/* M-STO-3, M-STO-4, M-STO-6: each transition, and to whom it is visible */
TEST_F(q, states_and_transitions)
{
	/* put, no syncpoint: AVAILABLE, to everybody */
	PUT("OK", self->h, "A");
	COUNTS(1, 0, 0, 0);
	GET("A", self->k, "BF");
	/* put, syncpoint: PUT-PENDING, to syncpoint gets of the unit alone */
	PUT("OK", self->h, "B SP");
	COUNTS(2, 1, 0, 0);
	GET("F2033", self->k, "BF m=B");
	GET("F2033", self->h, "BF m=B");
	GET("F2033", self->h, "m=B");
	/* back out: gone */
	EXPECT_STREQ("OK", back(self->c));
	COUNTS(1, 0, 0, 0);
	/* commit: AVAILABLE */
	PUT("OK", self->h, "C SP");
	EXPECT_STREQ("OK", commit(self->c));
	COUNTS(2, 0, 0, 0);
	GET("C", self->k, "BF m=C");
	/* destructive get, no syncpoint: gone */
	GET("A", self->k, "");
	COUNTS(1, 0, 0, 0);
	/* destructive get, syncpoint: GET-PENDING, to nobody */
	GET("C", self->k, "SP");
	COUNTS(0, 0, 1, 0);
	GET("F2033", self->h, "BF");
	GET("F2033", self->k, "BF");
	GET("F2033", self->k, "SP");
	/* back out: AVAILABLE, BackoutCount + 1 */
	EXPECT_STREQ("OK", back(self->d));
	COUNTS(1, 0, 0, 0);
	GET("C", self->h, "BF");
	EXPECT_EQ(1, self->h->md.BackoutCount);
	/* commit: gone */
	GET("C", self->k, "SP");
	EXPECT_STREQ("OK", commit(self->d));
	COUNTS(0, 0, 0, 0);
	/* expired and met by a scan: gone */
	PUT("OK", self->h, "E exp=1");
	PUT("OK", self->h, "F");
	nap(150);
	GET("F", self->k, "");
	COUNTS(0, 0, 0, 0);
	/* locked: AVAILABLE to its locker alone, and counted */
	PUT("OK", self->h, "L");
	GET("L", self->h, "BF LK");
	COUNTS(1, 0, 0, 1);
	GET("F2033", self->k, "");
	GET("L", self->h, "SP");
	COUNTS(0, 0, 1, 0);
	EXPECT_STREQ("OK", back(self->c));
	COUNTS(1, 0, 0, 0);
	GET("L", self->k, "");
}

/* M-TRM-1..5: what is one message, and what the parts of one */
TEST_F(q, physical_and_logical_messages)
{
	/* no data is a message, too */
	PUT("OK", self->h, "E len=0");
	GET("E", self->h, "");
	EXPECT_EQ(0, self->h->dlen);
	/* one physical message: logical, or the last segment at offset 0 */
	PUTS(self->h, "A; s(X,1,0,E)");
	GET("A", self->h, "CM LO");
	EXPECT_EQ(' ', self->h->gmo.SegmentStatus);
	GET("s", self->h, "CM LO");
	EXPECT_EQ('L', self->h->gmo.SegmentStatus);
	EXPECT_EQ(MQMF_SEGMENT | MQMF_LAST_SEGMENT, self->h->md.MsgFlags);
	/* two segments: each is got by itself, or both as one */
	PUTS(self->h, "s1(X,1,0,S); N; s2(X,1,10,E)");
	GET("s2", self->h, "BF g=X s=1 o=10");
	GET("s1", self->h, "BF CM");
	EXPECT_EQ(20, self->h->dlen);
	GET("s1", self->h, "");
	EXPECT_EQ(10, self->h->dlen);
	EXPECT_STREQ("N s2", drain(self->h, ""));
	/* the first item says where the group stands; members lie anywhere */
	PUTS(self->h, "K2(K,2,0,L); A; K1(K,1,0,G); B");
	EXPECT_STREQ("A K1 K2 B", drain(self->h, "LO"));
	PUTS(self->h, "K2(K,2,0,L); A; K1(K,1,0,G); B");
	EXPECT_STREQ("K2 A K1 B", drain(self->h, ""));
}

/* M-TRM-6: the logical messages of a group are independent of each other */
TEST_F(q, members_may_differ)
{
	PUTS(self->h, "K1(K,1,0,G) fmt=MQSTR ccsid=819 enc=273 mt=1 rq=R len=5; "
	     "K2(K,2,0,G) fmt=XYZ ccsid=1208 enc=546 per=1 c=C; "
	     "K3(K,3,0,L) len=0");
	GET("K1", self->h, "LO AM");
	EXPECT_EQ(819, self->h->md.CodedCharSetId);
	EXPECT_EQ(273, self->h->md.Encoding);
	EXPECT_TRUE(FIELD_IS(self->h->md.Format, "MQSTR"));
	GET("K2", self->h, "LO AM");
	EXPECT_EQ(1208, self->h->md.CodedCharSetId);
	EXPECT_TRUE(FIELD_IS(self->h->md.Format, "XYZ"));
	GET("K3", self->h, "LO AM");
	EXPECT_TRUE(FIELD_IS(self->h->md.Format, ""));
}

/* M-GRP-3: without LOGICAL_ORDER in any order, with gaps, twice */
TEST_F(q, group_put_in_any_order)
{
	PUTS(self->h, "K3(K,3,0,L); K1(K,1,0,G); k1(K,1,0,G); K7(K,7,0,G); "
	     "K2(K,2,0,G); k3(K,3,0,L)");
	EXPECT_STREQ("OK", shut(self->h));	/* nothing is unfinished */
	LIST("K3 K1 k1 K7 K2 k3");
	GET("K1", self->k, "LO");
	GET("K2", self->k, "LO");
	GET("K3", self->k, "LO");
	GET("k1", self->k, "LO");		/* the next one that can begin */
}

/* M-FLG-4: LAST_MSG_IN_GROUP on all segments of the last message */
TEST_F(q, last_message_in_segments)
{
	PUTS(self->h, "K1(K,1,0,G); K2a(K,2,0,LS); K2b(K,2,10,LS)");
	GET("F2033", self->k, "LO AM");
	GET("K1", self->h, "LO");
	GET("K2a", self->h, "LO");
	EXPECT_EQ('L', self->h->gmo.GroupStatus);
	EXPECT_EQ('S', self->h->gmo.SegmentStatus);
	GET("K2b", self->h, "LO");
	/* the group has not ended with them */
	GET("F2033", self->h, "LO");
	PUTS(self->k, "J1(J,1,0,L); K2c(K,2,20,LE)");
	GET("K2c", self->h, "LO");
	EXPECT_EQ('L', self->h->gmo.GroupStatus);
	EXPECT_EQ('L', self->h->gmo.SegmentStatus);
	GET("J1", self->h, "LO");
}

/* M-FMT-1..3: a format is eight characters, and nobody looks at them */
TEST_F(q, formats)
{
	static const MQCHAR names[][9] = {
		"        ", "MQSTR   ", "MQDEAD  ", "MQHRF   ", "MQHRF2  ",
		"MQADMIN ", "MQEVENT ", "MQPCF   ", "MQTRIG  ", "MQHREF  ",
		"MQXMIT  ", "MQNOSUCH", "my own  ", "\x01\xff %$/\\.",
	};
	MQPMO pmo = { MQPMO_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	MQMD md, in;
	MQLONG cc, rc, n;
	char buf[8];
	size_t i;

	pmo.Options = MQPMO_NO_SYNCPOINT;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		md = (MQMD){ MQMD_DEFAULT };
		memcpy(md.Format, names[i], 8);
		md.CodedCharSetId = 37;
		md.Encoding = 785;
		MQPUT(self->c, self->h->ho, &md, &pmo, 4, "data", &cc, &rc);
		EXPECT_STREQ("OK", outcome(cc, rc));
		in = (MQMD){ MQMD_DEFAULT };
		MQGET(self->d, self->k->ho, &in, &gmo, 8, buf, &n, &cc, &rc);
		EXPECT_STREQ("OK", outcome(cc, rc));
		EXPECT_EQ(0, memcmp(names[i], in.Format, 8));
		/* the triple describes the data from its first byte on */
		EXPECT_EQ(37, in.CodedCharSetId);
		EXPECT_EQ(785, in.Encoding);
		EXPECT_EQ(0, memcmp("data", buf, n));
	}
	EXPECT_EQ(0, memcmp(MQFMT_NONE, names[0], 8));
	EXPECT_EQ(0, memcmp(MQFMT_STRING, names[1], 8));
	EXPECT_EQ(0, memcmp(MQFMT_DEAD_LETTER_HEADER, names[2], 8));
	EXPECT_EQ(0, memcmp(MQFMT_RF_HEADER_1, names[3], 8));
	EXPECT_EQ(0, memcmp(MQFMT_RF_HEADER_2, names[4], 8));
	EXPECT_EQ(0, memcmp(MQFMT_XMIT_Q_HEADER, names[10], 8));
	EXPECT_EQ(0, memcmp("MQHMDE  ", MQFMT_MD_EXTENSION, 8));
}

/*
 * G-MOD-2, G-MOD-3, G-MOD-6, G-SEL-3: a get that fails changes nothing of what a
 * handle keeps, nor the queue, nor the unit of work
 */
TEST_F(q, failed_gets_change_nothing)
{
	static const char *const failing[] = {
		"SP MSB LK", "MC opt=0x80000", "wi=-2 WT(-2)", "LO AM m=Q",
		"SIG(10) sig1=-1", "LO v1", "CM LO gmo=1", "mopt=64",
		"BN", "LO", "MC gmo=9", "SP m=Z", "m=Z WT(5)", "CM m=Z",
		"AM c=Z",
	};
	size_t i;

	PUTS(self->k, "K1(K,1,0,G); A; B; C; K2(K,2,0,L)");
	GET("K1", self->h, "LO SP");		/* a current group, a unit */
	GET("A", self->h, "BF MH");		/* a mark */
	GET("A", self->h, "BF LO");		/* an order mode, an anchor */
	GET("B", self->h, "BN LO LK");		/* the cursor, a lock */
	for (i = 0; i < sizeof(failing) / sizeof(failing[0]); i++) {
		const char *answer = get(self->h, failing[i]);

		EXPECT_EQ('F', answer[0])
			TH_LOG("%s: %s", failing[i], answer);
		COUNTS(4, 0, 1, 1);
	}
	GET("F2259", self->h, "BN");		/* the mode is still logical */
	GET("B", self->h, "BC LK");
	GET("F2033", self->k, "m=B");
	GET("C", self->h, "BN LO");		/* anchor, after the lock */
	GET("B", self->h, "BF UB");		/* A is marked */
	GET("F2245", self->h, "LO");		/* the group, in a unit */
	GET("K2", self->h, "LO SP");
	EXPECT_STREQ("OK", back(self->c));
	GET("K1", self->k, "BF LO");
	EXPECT_EQ(1, self->k->md.BackoutCount);
}

/* G-PAR-1: what a handle must be open for */
TEST_F(q, handles_that_cannot_get)
{
	struct mqh *o = opn(self->c, Q, "o"), *i = opn(self->c, Q, "i");
	struct mqh *b = opn(self->c, Q, "b"), *n = opn(self->c, Q, "q");
	struct mqh *a;

	PUTS(self->h, "A; B; C");
	GET("F2037", o, "");
	GET("F2036", o, "BF");
	GET("F2037", n, "");
	GET("F2036", n, "BF");
	GET("F2037", b, "");
	GET("F2036", i, "BF");
	GET("A", b, "BF");
	GET("A", i, "");
	ASSERT_STREQ("OK", define(Q ".A", "alias target=" Q));
	a = opn(self->c, Q ".A", "bi");
	GET("B", a, "BF");
	GET("B", a, "");
	/* a queue manager has no messages */
	MQOD od = { MQOD_DEFAULT };
	struct mqh qm = *i;
	MQLONG cc, rc;

	od.ObjectType = MQOT_Q_MGR;
	MQOPEN(self->c, &od, MQOO_INQUIRE, &qm.ho, &cc, &rc);
	ASSERT_STREQ("OK", outcome(cc, rc));
	EXPECT_EQ('F', get(&qm, "")[0]);
	GET("C", i, "");
}

TEST_HARNESS_MAIN
