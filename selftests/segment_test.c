/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Segments: cutting by the queue manager (P-SEG, M-SEG), completeness (G-CPL)
 * and reassembly (G-RAS), the examples E-19..E-21, E-25.
 */
#include <stdlib.h>
#include <string.h>
#include "dl.h"
#include "q_fixture.h"

/* P-SCN-11, P-SEG-1, P-SEG-3, P-SEG-4, P-SEG-8, M-ID-10, M-SEG-5 */
TEST_F(q, message_cut_by_the_queue_manager)
{
	static const int at[] = { 0, 96, 192, 250 };
	MQBYTE gid[24];
	int i;

	EXPECT_STREQ("OK", alter(Q, "len=100"));
	PUT("F2030", self->h, "X len=250");
	PUTG("(G1,1,0)", self->h, "A len=250 f=A");
	EXPECT_EQ(MQMF_SEGMENTATION_ALLOWED, self->h->md.MsgFlags);
	memcpy(gid, self->h->md.GroupId, 24);
	EXPECT_EQ(3, depth(Q));
	for (i = 0; i < 3; i++) {
		unsigned char whole[250];

		get(self->k, "BN");
		EXPECT_EQ(0, self->k->cc);
		EXPECT_EQ(at[i + 1] - at[i], self->k->dlen);
		EXPECT_EQ(at[i], self->k->md.Offset);
		EXPECT_EQ(1, self->k->md.MsgSeqNumber);
		EXPECT_EQ(i < 2 ? 0x3 : 0x7, self->k->md.MsgFlags);
		EXPECT_EQ(at[i + 1] - at[i], self->k->md.OriginalLength);
		EXPECT_EQ(0, memcmp(gid, self->k->md.GroupId, 24));
		EXPECT_EQ(i > 0, id_generated(self->k->md.MsgId));
		fill(whole, "A", 250);
		EXPECT_EQ(0, memcmp(self->k->buf, whole + at[i],
				    self->k->dlen));
	}
	get(self->k, "CM buf=250");
	EXPECT_STREQ("OK", outcome(self->k->cc, self->k->rc));
	EXPECT_EQ(250, self->k->dlen);
	EXPECT_TRUE(filled(self->k->buf, "A", 250));
	EXPECT_STREQ("A", id_name(self->k->md.MsgId));
	EXPECT_EQ(0x7, self->k->md.MsgFlags);
	EXPECT_EQ(0, depth(Q));
}

/* P-SEG-4: the example, the minimum; P-SEG-1: without need nothing is cut */
TEST_F(q, piece_lengths)
{
	static const struct {
		const char *limit, *put;
		int pieces, first, last;
	} cases[] = {
		{ "len=100", "A f=A len=196", 3, 96, 4 },
		{ "len=100", "A f=A len=100", 1, 100, 100 },
		{ "len=100", "A f=A len=101", 2, 96, 5 },
		{ "len=100", "A f=A len=192", 2, 96, 96 },
		{ "len=16", "A f=A len=40", 3, 16, 8 },
		{ "len=31", "A f=A len=40", 3, 16, 8 },
		{ "len=32", "A f=A len=33", 2, 32, 1 },
		{ "len=4096", "A f=A len=10000", 3, 4096, 1808 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		EXPECT_STREQ("OK", alter(Q, cases[i].limit));
		PUT("OK", self->h, cases[i].put);
		EXPECT_EQ(cases[i].pieces, depth(Q)) TH_LOG("case %u", i);
		get(self->k, "BF");
		EXPECT_EQ(cases[i].first, self->k->dlen) TH_LOG("case %u", i);
		while (get(self->k, "BN"), !self->k->cc)
			;
		get(self->k, "BC");
		EXPECT_EQ(cases[i].last, self->k->dlen) TH_LOG("case %u", i);
		discard(self->h);
	}
	EXPECT_STREQ("OK", alter(Q, "len=15"));
	PUT("F2030", self->h, "A f=A len=16");
	PUT("OK", self->h, "A f=A len=15");
}

/* A message with an MQRFH2 of @header bytes at its front; "OK", "F2030". */
static const char *put_with_header(struct mqh *h, void *data, int length,
				   int header, MQLONG offset)
{
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQRFH2 rfh = { MQRFH2_DEFAULT };
	MQLONG cc, rc;

	fill(data, "TEXT", length);
	rfh.StrucLength = header;
	memcpy(rfh.Format, MQFMT_STRING, sizeof(rfh.Format));
	memcpy(data, &rfh, sizeof(rfh));
	md.Version = MQMD_VERSION_2;
	memcpy(md.Format, MQFMT_RF_HEADER_2, sizeof(md.Format));
	md.MsgFlags = MQMF_SEGMENTATION_ALLOWED;
	if (offset) {
		md.MsgFlags |= MQMF_SEGMENT;
		md.Offset = offset;
		memcpy(md.GroupId, "headers", 7);
	}
	pmo.Options = MQPMO_NO_SYNCPOINT;
	MQPUT(h->hc, h->ho, &md, &pmo, length, data, &cc, &rc);
	return outcome(cc, rc);
}

/* M-SEG-6, P-SEG-4, P-SEG-5: a header stays whole, or nothing is put */
TEST_F(q, headers_are_not_cut)
{
	static const int pieces[] = { 108, 96, 96 };
	unsigned char data[300];
	unsigned int i;

	EXPECT_STREQ("OK", alter(Q, "len=107"));
	EXPECT_STREQ("F2030", put_with_header(self->h, data, 300, 108, 0));
	EXPECT_EQ(0, depth(Q));
	EXPECT_STREQ("OK", alter(Q, "len=110"));
	EXPECT_STREQ("OK", put_with_header(self->h, data, 300, 108, 0));
	for (i = 0; i < ARRAY_SIZE(pieces); i++) {
		get(self->k, "BN");
		EXPECT_EQ(pieces[i], self->k->dlen) TH_LOG("piece %u", i);
	}
	GET("F2033", self->k, "BN");
	get(self->k, "CM buf=300");
	EXPECT_STREQ("OK", outcome(self->k->cc, self->k->rc));
	EXPECT_EQ(300, self->k->dlen);
	EXPECT_EQ(0, memcmp(data, self->k->buf, 300));
	/* what only looks like a header does not stand in the way */
	EXPECT_STREQ("OK", put_with_header(self->h, data, 300, 301, 0));
	get(self->k, "BF");
	EXPECT_EQ(96, self->k->dlen);
	discard(self->h);
	/* and a later segment does not begin with one */
	EXPECT_STREQ("OK", alter(Q, "len=100"));
	EXPECT_STREQ("OK", put_with_header(self->h, data, 300, 108, 1000));
	get(self->k, "BF");
	EXPECT_EQ(96, self->k->dlen);
	EXPECT_EQ(1000, self->k->md.Offset);
}

/* P-SEG-2, P-SEG-3, P-LOG-5: a segment cut into smaller ones */
TEST_F(q, segment_cut_by_the_queue_manager)
{
	EXPECT_STREQ("OK", alter(Q, "len=100"));
	PUTG("(G1,1,0)", self->h, "A LO f=GSA len=150");
	PUTG("(G1,1,150)", self->h, "B LO f=GSA len=10");
	PUTG("(G1,1,160)", self->h, "C LO f=LEA len=120");
	EXPECT_EQ(5, depth(Q));
	get(self->k, "BF");
	EXPECT_EQ(0x0b, self->k->md.MsgFlags);
	get(self->k, "BN");
	EXPECT_EQ(96, self->k->md.Offset);
	EXPECT_EQ(0x0b, self->k->md.MsgFlags);
	GET("B", self->k, "BN");
	get(self->k, "BN");
	EXPECT_EQ(160, self->k->md.Offset);
	EXPECT_EQ(0x1b, self->k->md.MsgFlags);
	get(self->k, "BN");
	EXPECT_EQ(256, self->k->md.Offset);
	EXPECT_EQ(0x1f, self->k->md.MsgFlags);
	get(self->k, "LO CM AM");
	EXPECT_EQ(280, self->k->dlen);
	EXPECT_TRUE(filled(self->k->buf, "A", 150));
	EXPECT_TRUE(filled(self->k->buf + 150, "B", 10));
	EXPECT_TRUE(filled(self->k->buf + 160, "C", 120));
}

/* P-SCN-11 end, U-SCN-9, P-SEG-5, P-SEG-6, M-SEG-8 */
TEST_F(q, cutting_and_units_of_work)
{
	EXPECT_STREQ("OK", alter(Q, "len=100"));
	PUT("OK", self->h, "A SP");
	PUT("F2255", self->h, "X len=250 f=A per=1");
	EXPECT_EQ(1, depth(Q));
	PUT("OK", self->h, "B len=250 f=A per=0");
	EXPECT_EQ(4, depth(Q));
	PUT("OK", self->h, "C len=250 f=A per=1 SP");
	EXPECT_EQ(7, depth(Q));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(3, depth(Q));
	PUT("OK", self->h, "D len=250 f=A per=1");
	EXPECT_EQ(6, depth(Q));
	/* counts as one however many pieces; depth is looked at once */
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=2"));
	PUT("OK", self->h, "E len=250 f=A SP");
	PUT("OK", self->h, "F len=250 f=A SP");
	PUT("F2024", self->h, "X SP");
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=10000"));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_STREQ("OK", alter(Q, "depth=7"));
	PUT("OK", self->h, "G len=250 f=A");
	EXPECT_EQ(9, depth(Q));
	PUT("F2053", self->h, "X len=250 f=A");
	EXPECT_EQ(9, depth(Q));
}

/* M-SEG-7, M-SEG-12 */
TEST_F(q, report_options_of_pieces)
{
	ASSERT_STREQ("OK", define(Q ".R", ""));
	EXPECT_STREQ("OK", alter(Q, "len=64"));
	PUT("OK", self->h, "A len=200 f=A rep=0x01600000 rq=" Q ".R");
	get(self->k, "BN");
	EXPECT_EQ(0x01600000, self->k->md.Report);
	get(self->k, "BN");
	EXPECT_EQ(64, self->k->md.Offset);
	EXPECT_EQ(0x01600000, self->k->md.Report);
	get(self->k, "BN");
	EXPECT_EQ(128, self->k->md.Offset);
	EXPECT_EQ(0x01200000, self->k->md.Report);
	discard(self->h);
	PUT("OK", self->h, "B len=200 f=A rep=0x00e00000 rq=" Q ".R");
	get(self->k, "BF o=128");
	EXPECT_EQ(0x00e00000, self->k->md.Report);
}

/* G-CPL-1, G-CPL-3, M-SEG-3 */
TEST_F(q, completeness)
{
	PUTS(self->h, "a(X,1,0,S); b(X,1,20,E); c");
	GET("c", self->k, "BF AS");
	GET("c", self->k, "BF CM");
	GET("c", self->k, "BF AM");
	PUTS(self->h, "m(X,1,10,S)");
	GET("a", self->k, "BF AS");
	GET("b", self->k, "BN AS");
	GET("c", self->k, "BN AS");
	GET("m", self->k, "BN AS");
	GET("a", self->k, "BF CM");
	EXPECT_EQ(30, self->k->dlen);
	GET("c", self->k, "BN CM");
	GET("F2033", self->k, "BN CM");
	GET("F2033", self->k, "CM o=10");	/* G-RAS-1 */
	GET("F2033", self->k, "CM m=m");
	GET("a", self->k, "CM m=a");
	LIST("c");
	/* one segment, flagged as last */
	PUTS(self->h, "o(O,1,0,E); p(P,1,0,S)");
	GET("o", self->k, "CM g=O");
	EXPECT_EQ('L', self->k->gmo.SegmentStatus);
	EXPECT_EQ(-1, self->k->md.OriginalLength);
	GET("F2033", self->k, "CM g=P");
}

/* G-CPL-5 for segments, G-RAS-3 */
TEST_F(q, segments_one_by_one)
{
	PUTS(self->h, "a(X,1,0,S); b(X,1,10,E)");
	GET("a", self->k, "AS");
	GET("F2033", self->k, "AS");
	GET("b", self->k, "");
	PUTS(self->h, "a(X,1,0,S); b(X,1,10,S); c(X,1,20,E)");
	GET("a", self->k, "CM SP");
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(3, (int)status(Q).out_uncommitted_gets);
	EXPECT_STREQ("OK", back(self->d));
	LIST("a b c");
	GET("a", self->k, "LO AS");
	GET("b", self->k, "LO AS");
	EXPECT_STREQ("W2242", shut(self->k));
}

/* G-CPL-11, G-CPL-12, M-ID-7: what does not fit together */
TEST_F(q, duplicates_and_strays)
{
	PUTS(self->h, "a(X,1,0,S) len=10; d(X,1,0,S) len=20; b(X,1,10,E);"
		      "s(X,1,77,S)");
	GET("a", self->k, "BF AS");
	GET("d", self->k, "BN AS");
	GET("b", self->k, "BN AS");
	GET("s", self->k, "BN AS");
	GET("a", self->k, "CM");
	EXPECT_EQ(20, self->k->dlen);
	GET("F2033", self->k, "CM");
	GET("F2033", self->k, "AS");
	LIST("d s");
	discard(self->h);
	/* whole, but its group is not complete */
	PUTS(self->h, "e(K,2,0,SG); f(K,2,0,SG); g(K,2,10,EL)");
	GET("F2033", self->k, "CM AM");
	GET("e", self->k, "BF CM");
	PUTS(self->h, "h(K,1,0,G)");
	GET("e", self->k, "CM AM");
	LIST("f h");
}

/* E-19, G-RAS-7, G-RAS-13 */
TEST_F(q, inconsistent_segments)
{
	struct mqh *k = self->k;

	PUTS(self->h, "s1(X,1,0,S) ccsid=1208; s2(X,1,10,S) ccsid=1208;"
		      "s3(X,1,20,E) ccsid=819");
	GET("W2243 s1", k, "LO CM");
	EXPECT_EQ(20, k->dlen);
	EXPECT_EQ('S', k->gmo.SegmentStatus);
	EXPECT_EQ(MQMF_SEGMENT, k->md.MsgFlags);
	EXPECT_EQ(10, k->md.OriginalLength);		/* G-RAS-16 */
	GET("F2033", k, "LO CM");
	GET("s3", k, "LO");
	EXPECT_EQ('L', k->gmo.SegmentStatus);
	PUTS(self->h, "s1(X,1,0,S); s2(X,1,10,E) enc=273");
	GET("W2244 s1", k, "CM");
	GET("s2", k, "");
	PUTS(self->h, "s1(X,1,0,S); s2(X,1,10,S) enc=273;"
		      "s3(X,1,20,E) ccsid=819 enc=273");
	GET("W2244 s1", k, "CM");		/* the first that differs */
	discard(self->h);
	PUTS(self->h, "s1(X,1,0,S); s2(X,1,10,E) enc=273 ccsid=819");
	GET("W2243 s1", k, "CM");
	GET("s2", k, "");
	/* truncation comes first (G-RC-2) */
	PUTS(self->h, "s1(X,1,0,S); s2(X,1,10,E) ccsid=819");
	GET("W2080 s1", k, "CM buf=9");
	EXPECT_EQ(2, depth(Q));
	GET("W2243 s1", k, "CM AT buf=9");
	LIST("s2");
}

/* E-20, G-RAS-4, U-GRP-7 */
TEST_F(q, reassembly_and_units_of_work)
{
	struct mqh *k = self->k;

	PUTS(self->h, "s1(X,1,0,S) per=1; s2(X,1,10,E) per=1; n");
	GET("n", k, "SP m=n");
	GET("F2255", k, "CM");
	EXPECT_EQ(2, depth(Q));
	GET("s1", k, "BF CM");			/* browses never */
	GET("s1", k, "CM SP");
	EXPECT_STREQ("OK", back(self->d));
	GET("s1", k, "BF");
	EXPECT_EQ(1, k->md.BackoutCount);
	GET("s2", k, "BN");
	EXPECT_EQ(1, k->md.BackoutCount);
	GET("n", k, "BN");
	EXPECT_EQ(1, k->md.BackoutCount);
	GET("s1", k, "CM");
	EXPECT_EQ(20, k->dlen);
	LIST("n");
	GET("F2046", k, "CM SIP");
	/* not persistent, or nothing to reassemble: no 2255 */
	PUTS(self->h, "t1(T,1,0,S) per=0; t2(T,1,10,E) per=0;"
		      "u(U,1,0,E) per=1; v per=1");
	GET("n", k, "SP");
	GET("t1", k, "CM");
	GET("u", k, "CM");
	GET("v", k, "CM");
	/* the first segment decides (G-RAS-14), the whole counts (15) */
	PUTS(self->h, "w1(W,1,0,S) per=0; w2(W,1,10,E) per=1");
	GET("w1", k, "CM");
	PUTS(self->h, "x1(Y,1,0,S) per=1; x2(Y,1,10,E) per=1 ccsid=819");
	GET("F2255", k, "CM");
	EXPECT_STREQ("OK", commit(self->d));
	GET("W2243 x1", k, "CM");
}

/* E-21, G-RAS-11, G-RAS-12, UC-025 */
TEST_F(q, cursor_and_complete_message)
{
	struct mqh *k = self->k;

	PUTS(self->h, "s1(X,1,0,S); s2(X,1,10,E)");
	GET("s1", k, "BF");
	GET("s2", k, "BN");
	GET("F2246", k, "MC CM");
	GET("F2246", k, "BC CM");
	GET("s1", k, "BF CM");
	EXPECT_EQ(20, k->dlen);
	GET("s1", k, "BC");
	EXPECT_EQ(10, k->dlen);
	GET("s1", k, "MC CM");
	EXPECT_EQ(20, k->dlen);
	EXPECT_EQ(0, depth(Q));
	PUTS(self->h, "s1(X,1,0,S)");
	GET("F2033", k, "BF CM");
	GET("s1", k, "BF");
	GET("F2034", k, "BC CM");
	/* an empty last segment */
	PUTS(self->h, "s2(X,1,10,E) len=0");
	GET("s1", k, "CM");
	EXPECT_EQ(10, k->dlen);
	EXPECT_EQ(0, depth(Q));
}

#define COA "mt=4 fb=259"
#define COD "mt=4 fb=260"

/* E-25, G-RAS-8..10, G-CPL-8, G-CPL-13, M-SEG-11, M-RPT-7 */
TEST_F(q, reports_on_segments)
{
	struct mqh *k = self->k;
	int i;

	/* d1 has one byte: a program cannot put it empty (P-MD-12) */
	PUTS(self->h, "c1(X,1,0,S) " COA " ol=200 len=100;"
		      "d1(X,1,0,S) " COD " ol=200 len=1;"
		      "c2(X,1,200,E) " COA " ol=50 len=50");
	GET("c1", k, "CM");
	EXPECT_EQ(250, k->dlen);
	EXPECT_TRUE(filled(k->buf, "c1", 100));
	for (i = 100; i < 200; i++)
		if (k->buf[i])
			break;
	EXPECT_EQ(200, i);
	EXPECT_TRUE(filled(k->buf + 200, "c2", 50));
	EXPECT_EQ(259, k->md.Feedback);
	GET("F2033", k, "CM");
	GET("d1", k, "");
	/* with c1 removed first */
	PUTS(self->h, "d1(X,1,0,S) " COD " ol=200 len=1;"
		      "c2(X,1,200,E) " COA " ol=50 len=50");
	GET("F2033", k, "CM");
	GET("d1", k, "AS");
	GET("c2", k, "");
	/* the result ends at the last byte there is (G-RAS-9) */
	PUTS(self->h, "e1(X,1,0,S) " COA " ol=200 len=20;"
		      "e2(X,1,200,E) " COA " ol=50 len=0");
	GET("e1", k, "CM");
	EXPECT_EQ(20, k->dlen);
	/* one by one: the next is at OriginalLength (M-SEG-2) */
	PUTS(self->h, "g1(Z,1,0,S) " COA " ol=200 len=20;"
		      "g2(Z,1,200,E) " COA " ol=50 len=5");
	GET("g1", k, "LO");
	GET("g2", k, "LO");
	/* reports and other segments are never parts of one message */
	PUTS(self->h, "f1(X,1,0,S) len=10; f2(X,1,10,E) " COA " ol=10");
	GET("F2033", k, "CM");
	GET("F2033", k, "AS");
}

/* P-SEG-11: pieces of a report have their own length */
TEST_F(q, report_cut_by_the_queue_manager)
{
	static const int at[] = { 0, 96, 192 }, length[] = { 96, 96, 58 };
	unsigned int i;
	MQMD md;

	EXPECT_STREQ("OK", alter(Q, "len=100"));
	PUTG("(X,1,0)", self->h, "r(X,1,0,SA) " COA " ol=300 len=250");
	EXPECT_EQ(3, depth(Q));
	for (i = 0; i < ARRAY_SIZE(at); i++) {
		dl_take(self->c, Q, &md);
		EXPECT_EQ(MQMT_REPORT, md.MsgType);
		EXPECT_EQ(at[i], md.Offset);
		EXPECT_EQ(length[i], md.OriginalLength);
	}
}

/* M-GRP-5, M-SEG-10: flags that differ within a logical message */
TEST_F(q, segments_with_different_flags)
{
	PUTS(self->h, "a(K,1,0,GS); b(K,1,10,LE); N");
	GET("a", self->k, "LO CM AM");
	EXPECT_EQ(MQMF_MSG_IN_GROUP | MQMF_SEGMENT | MQMF_LAST_SEGMENT,
		  self->k->md.MsgFlags);
	EXPECT_EQ('G', self->k->gmo.GroupStatus);
	GET("N", self->k, "LO");		/* the final one ended it */
	PUTS(self->h, "c(M,1,0,LS); d(M,1,10,GE)");
	GET("F2033", self->k, "LO AM");
	GET("c", self->k, "LO CM");
	EXPECT_STREQ("W2241", shut(self->k));
}

/* Long logical message: many pieces, more than a page each. */
TEST_F(q, long_logical_message)
{
	EXPECT_STREQ("OK", alter(Q, "len=5000"));
	PUT("OK", self->h, "A len=300000 f=A");
	EXPECT_EQ(61, depth(Q));		/* pieces of 4992 */
	get(self->k, "CM buf=300000");
	EXPECT_EQ(300000, self->k->dlen);
	EXPECT_TRUE(filled(self->k->buf, "A", 300000));
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(0, (int)status(Q).out_bytes);
}

/* G-RAS-11: the end is missing, and the rest does not agree (G-RAS-7) */
TEST_F(q, incomplete_and_inconsistent_at_cursor)
{
	PUTS(self->h, "s1(X,1,0,S); s2(X,1,10,S) enc=273");
	GET("s1", self->k, "BF");
	GET("F2034", self->k, "BC CM");
	GET("F2034", self->k, "MC CM");
	PUTS(self->h, "s3(X,1,20,E)");
	GET("W2244 s1", self->k, "BC CM");
}

TEST_HARNESS_MAIN
