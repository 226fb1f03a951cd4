/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The message descriptor on its way in and out: every field (M-MD, P-MD),
 * identifiers (M-ID), flags (M-FLG), versions 1 and 2, the MQMDE (M-MDE).
 */
#include <stdlib.h>
#include <string.h>
#include "q_fixture.h"

static unsigned char data[65536];
static MQLONG data_len;

static const char *rput(struct mqh *h, MQMD *md, const void *buf, MQLONG len)
{
	MQPMO pmo = { MQPMO_DEFAULT };

	MQPUT(h->hc, h->ho, md, &pmo, len, (void *)buf, &h->cc, &h->rc);
	return outcome(h->cc, h->rc);
}

static const char *rget(struct mqh *h, MQMD *md, MQLONG version)
{
	MQGMO gmo = { MQGMO_DEFAULT };

	memset(md, POISON, sizeof(*md));
	memcpy(md->StrucId, MQMD_STRUC_ID, 4);
	md->Version = version;
	gmo.Version = MQGMO_VERSION_2;
	gmo.MatchOptions = MQMO_NONE;
	MQGET(h->hc, h->ho, md, &gmo, sizeof(data), data, &data_len, &h->cc,
	      &h->rc);
	return outcome(h->cc, h->rc);
}

static MQMD md_of(MQLONG version)
{
	MQMD md = { MQMD_DEFAULT };

	md.Version = version;
	return md;
}

/* M-MD table, M-MD-6, M-STO-1: what the defaults become */
TEST_F(q, defaults)
{
	MQMD md = md_of(1), in;

	in = md;
	ASSERT_STREQ("OK", rput(self->h, &md, "data", 4));
	/* P-MD-11: what a put writes, and nothing else */
	EXPECT_EQ(MQENC_NATIVE, md.Encoding);
	EXPECT_EQ(1208, md.CodedCharSetId);
	EXPECT_EQ(0, md.Priority);
	EXPECT_EQ(0, md.Persistence);
	EXPECT_TRUE(id_generated(md.MsgId));
	EXPECT_EQ(0, memcmp(md.ReplyToQ, in.ReplyToQ, 96));
	EXPECT_EQ(0, memcmp(md.GroupId, in.GroupId, 40));
	EXPECT_EQ(0, md.BackoutCount);
	memcpy(in.MsgId, md.MsgId, 24);
	ASSERT_STREQ("OK", rget(self->h, &md, 2));
	EXPECT_EQ(4, data_len);
	EXPECT_EQ(0, md.Report);
	EXPECT_EQ(MQMT_DATAGRAM, md.MsgType);
	EXPECT_EQ(MQEI_UNLIMITED, md.Expiry);
	EXPECT_EQ(0, md.Feedback);
	EXPECT_EQ(0x222, md.Encoding);			/* M-FMT-4 */
	EXPECT_EQ(1208, md.CodedCharSetId);
	EXPECT_TRUE(FIELD_IS(md.Format, ""));
	EXPECT_EQ(0, md.Priority);
	EXPECT_EQ(0, md.Persistence);
	EXPECT_EQ(0, memcmp(md.MsgId, in.MsgId, 24));
	EXPECT_STREQ("-", id_name(md.CorrelId));
	EXPECT_EQ(0, md.BackoutCount);
	EXPECT_TRUE(FIELD_IS(md.ReplyToQ, ""));
	EXPECT_TRUE(FIELD_IS(md.ReplyToQMgr, ""));
	EXPECT_STREQ("-", id_name(md.GroupId));
	EXPECT_EQ(1, md.MsgSeqNumber);
	EXPECT_EQ(0, md.Offset);
	EXPECT_EQ(0, md.MsgFlags);
	EXPECT_EQ(-1, md.OriginalLength);
}

/* Every field of a version-2 descriptor goes through unchanged. */
TEST_F(q, every_field)
{
	MQMD md = md_of(2), in, out;

	md.Report = MQRO_PAN | MQRO_NAN | MQRO_PASS_MSG_ID |
		    MQRO_PASS_CORREL_ID;
	md.MsgType = 65536 + 17;
	md.Expiry = 100000;
	md.Feedback = 70001;
	md.Encoding = 273;
	md.CodedCharSetId = 819;
	memcpy(md.Format, "MYFORMAT", 8);
	md.Priority = 7;
	md.Persistence = 1;
	memset(md.MsgId, 0xa1, 24);
	memset(md.CorrelId, 0xb2, 24);
	strcpy(md.ReplyToQ, "REPLY.HERE");
	strcpy(md.ReplyToQMgr, "OTHER");
	memset(md.GroupId, 0xc3, 24);
	md.MsgSeqNumber = 999999999;
	md.Offset = 1000;
	md.MsgFlags = MQMF_MSG_IN_GROUP | MQMF_SEGMENT |
		      MQMF_SEGMENTATION_ALLOWED;
	in = md;
	ASSERT_STREQ("OK", rput(self->h, &md, "data", 4));
	EXPECT_EQ(0, memcmp(&md, &in, offsetof(MQMD, UserIdentifier)));
	EXPECT_EQ(0, memcmp(md.GroupId, in.GroupId, 40));
	ASSERT_STREQ("OK", rget(self->h, &out, 2));
	EXPECT_EQ(0, memcmp(&out, &in, offsetof(MQMD, Expiry)));
	EXPECT_GE(100000, out.Expiry);
	EXPECT_LE(99000, out.Expiry);
	EXPECT_EQ(0, memcmp(&out.Feedback, &in.Feedback,
			    offsetof(MQMD, BackoutCount) -
			    offsetof(MQMD, Feedback)));
	EXPECT_TRUE(FIELD_IS(out.ReplyToQ, "REPLY.HERE"));
	EXPECT_TRUE(FIELD_IS(out.ReplyToQMgr, "OTHER"));
	EXPECT_EQ(0, memcmp(out.GroupId, in.GroupId, 36));
	EXPECT_EQ(4, out.OriginalLength);		/* M-SEG-9 */
}

/* P-MD-2, P-MD-3, M-MD-3 */
TEST_F(q, reply_to)
{
	MQMD md = md_of(2);

	md.MsgType = MQMT_REQUEST;
	strcpy(md.ReplyToQ, "R");
	strcpy(md.ReplyToQ + 2, "BEHIND THE NULL");
	ASSERT_STREQ("OK", rput(self->h, &md, "", 0));
	EXPECT_TRUE(FIELD_IS(md.ReplyToQMgr, QM));
	EXPECT_EQ(0, memcmp(md.ReplyToQ, "R\0BEHIND", 8));
	ASSERT_STREQ("OK", rget(self->h, &md, 2));
	EXPECT_TRUE(FIELD_IS(md.ReplyToQ, "R"));
	EXPECT_TRUE(FIELD_IS(md.ReplyToQMgr, QM));
	/* with a queue manager named, both stay */
	md = md_of(2);
	strcpy(md.ReplyToQ, Q ".R");
	strcpy(md.ReplyToQMgr, "X");
	ASSERT_STREQ("OK", rput(self->h, &md, "", 0));
	ASSERT_STREQ("OK", rget(self->h, &md, 1));
	EXPECT_TRUE(FIELD_IS(md.ReplyToQ, Q ".R"));
	EXPECT_TRUE(FIELD_IS(md.ReplyToQMgr, "X"));
}

/* M-MD-5, P-MD-5 */
TEST_F(q, coded_character_set)
{
	PUT("OK", self->h, "A ccsid=0");
	EXPECT_EQ(1208, self->h->md.CodedCharSetId);
	PUT("OK", self->h, "B ccsid=-2");
	EXPECT_EQ(1208, self->h->md.CodedCharSetId);
	PUT("OK", self->h, "C ccsid=-3");
	EXPECT_EQ(1208, self->h->md.CodedCharSetId);
	PUT("OK", self->h, "D ccsid=-1");
	EXPECT_EQ(-1, self->h->md.CodedCharSetId);
	PUT("OK", self->h, "E ccsid=99999 enc=-5");
	EXPECT_STREQ("A B C D E", drain(self->h, ""));
}

/* P-OPT-10..12, M-ID-1..4 */
TEST_F(q, identifiers)
{
	static MQBYTE seen[100][24];
	int i, j;

	for (i = 0; i < 100; i++) {
		PUT("OK", self->h, "N id=none c=C");
		memcpy(seen[i], self->h->md.MsgId, 24);
		EXPECT_EQ(0, memcmp(seen[i], "AMQ QM1         ", 16));
		for (j = 0; j < i; j++)
			EXPECT_NE(0, memcmp(seen[i], seen[j], 24));
	}
	for (i = 0; i < 100; i++) {
		GET("N", self->k, "");
		EXPECT_EQ(0, memcmp(seen[i], self->k->md.MsgId, 24));
		EXPECT_STREQ("C", id_name(self->k->md.CorrelId));
	}
	PUT("OK", self->h, "O id=GIVEN NM");
	EXPECT_TRUE(id_generated(self->h->md.MsgId));
	PUT("OK", self->h, "P c=GIVEN NC");
	EXPECT_TRUE(id_generated(self->h->md.CorrelId));
	PUT("OK", self->h, "Q id=SAME");
	PUT("OK", self->h, "R id=SAME c=none");
	EXPECT_STREQ("-", id_name(self->h->md.CorrelId));
	EXPECT_STREQ("O P Q R", drain(self->k, ""));
	/* a group identifier has the same shape */
	PUTG("(G1,1,0)", self->h, "S f=G");
	PUTG("(G2,1,0)", self->h, "T f=G");
}

/* M-FLG-1..3, P-MD-6, P-MD-7, UC-016, UC-017, M-ID-5, M-ID-6 */
TEST_F(q, flags)
{
	PUT("OK", self->h, "A f=L");
	EXPECT_EQ(MQMF_LAST_MSG_IN_GROUP, self->h->md.MsgFlags);
	PUT("OK", self->h, "B f=E");
	EXPECT_EQ(MQMF_LAST_SEGMENT, self->h->md.MsgFlags);
	PUTG("(G1,1,0)", self->h, "C f=A");
	PUTG("(-,1,0)", self->h, "D g=IGNORED s=0 o=-3");
	PUT("OK", self->h, "E fx=0x00100000");
	PUT("OK", self->h, "F fx=0x80000000");
	PUT("F2249", self->h, "X fx=0x20");
	PUT("F2249", self->h, "X fx=0x800");
	PUT("F2249", self->h, "X fx=0x1000");
	PUT("F2249", self->h, "X fx=0x80000");
	/* get() presets MsgFlags and holds the status fields to the message */
	GET("A", self->k, "");
	EXPECT_EQ(MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP,
		  self->k->md.MsgFlags);
	EXPECT_EQ('L', self->k->gmo.GroupStatus);
	GET("B", self->k, "");
	EXPECT_EQ(MQMF_SEGMENT | MQMF_LAST_SEGMENT, self->k->md.MsgFlags);
	EXPECT_EQ('L', self->k->gmo.SegmentStatus);
	GET("C", self->k, "");
	EXPECT_EQ('A', self->k->gmo.Segmentation);
	EXPECT_EQ(' ', self->k->gmo.GroupStatus);
	GET("D", self->k, "");
	EXPECT_EQ(' ', self->k->gmo.GroupStatus);
	EXPECT_EQ(' ', self->k->gmo.SegmentStatus);
	EXPECT_EQ(' ', self->k->gmo.Segmentation);
	EXPECT_EQ(0, self->k->md.MsgFlags);
	GET("E", self->k, "");
	EXPECT_EQ(0x00100000, self->k->md.MsgFlags);
	/* such a bit makes an MQMDE for a version-1 getter */
	GET("F", self->k, "v1");
	EXPECT_EQ(82, self->k->dlen);
}

/* P-MD-1, P-MD-1a, P-MD-13, P-CHK-2 */
TEST_F(q, report_bits)
{
	static const struct {
		const char *put, *want;
	} cases[] = {
		{ "A rep=0x00040000 rq=R", "F2061" },
		{ "B rep=0x10000000 rq=R", "F2061" },
		{ "C rep=0x40000000 rq=R", "W2104" },
		{ "D rep=0x00000008 rq=R", "W2104" },
		{ "E rep=0x00008000 rq=R", "F2061" },	/* local: if-xmit */
		{ "K rep=0x00010000 rq=R", "F2061" },
		{ "F rep=0x40008000 rq=R", "F2061" },
		{ "G rep=0x05000000 rq=R", "OK" },
		{ "H rep=0x40000000 rq=R p=12", "W2104" },
		{ "I rep=0x01000000 rq=R", "OK" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		PUT(cases[i].want, self->h, cases[i].put)
			TH_LOG("case %u", i);
}

/* P-MD-8, P-MD-9, P-MD-12, M-SEG-9, UC-026, UC-025 */
TEST_F(q, original_length)
{
	PUT("F2252", self->h, "X(Y,1,0,S) mt=4 ol=9");
	PUT("F2252", self->h, "X(Y,1,0,S) mt=4 ol=-1");
	PUT("F2252", self->h, "X(Y,1,0,E) mt=4 ol=-1 len=0");
	PUT("F2252", self->h, "X(Y,1,0,E) mt=4 ol=9");
	PUT("F2253", self->h, "X(Y,1,0,S) mt=4 ol=5 len=0");
	PUT("F2253", self->h, "X(Y,1,0,S) len=0");
	PUT("OK", self->h, "A(Y,1,0,S) mt=4 ol=10");
	PUT("OK", self->h, "B(Y,1,10,S) mt=4 ol=400");
	PUT("OK", self->h, "C(Y,1,410,E) mt=4 ol=0 len=0");
	PUT("OK", self->h, "D(Y,1,0,S) ol=77");		/* no report */
	PUT("OK", self->h, "E(-,1,0,-) mt=4 ol=77");	/* no segment */
	PUT("OK", self->h, "F(Z,1,0,E) len=0");
	GET("A", self->k, "");
	GET("B", self->k, "");
	EXPECT_EQ(400, self->k->md.OriginalLength);
	GET("C", self->k, "");
	GET("D", self->k, "");
	EXPECT_EQ(10, self->k->md.OriginalLength);
	GET("E", self->k, "");
	EXPECT_EQ(-1, self->k->md.OriginalLength);
	GET("F", self->k, "");
	EXPECT_EQ(0, self->k->md.OriginalLength);
}

/* M-GRP-1, M-SEG-1, P-LOG-13, P-LOG-14 */
TEST_F(q, ranges_of_sequence_and_offset)
{
	PUT("F2250", self->h, "X(Y,0,0,G)");
	PUT("F2250", self->h, "X(Y,1000000000,0,G)");
	PUT("F2250", self->h, "X(Y,-1,0,GS)");
	PUT("F2251", self->h, "X(Y,1,-1,S)");
	PUT("F2251", self->h, "X(Y,1,1000000000,S)");
	PUT("F2251", self->h, "X(Y,1,999999990,S) len=10000");
	PUTG("(Y,1,999999989)", self->h, "A(Y,1,999999989,S)");
	PUTG("(Y,999999999,0)", self->h, "B(Y,999999999,7,G)");
	PUTG("(Y,1,5)", self->h, "C(Y,77,5,S)");
	PUTG("(-,1,0)", self->h, "D(Y,0,-5,-)");
	EXPECT_STREQ("A B C D", drain(self->k, ""));
}

/* P-MD-10, P-SCN-10: version 1 knows no group */
TEST_F(q, version_1)
{
	PUT("F2257", self->h, "X v1 LO");
	PUT("OK", self->h, "A v1 g=Y s=5 f=G");
	GET("A", self->k, "v1");
	PUT("OK", self->h, "A v1");
	GET("A", self->k, "");
	EXPECT_EQ(0, self->k->md.MsgFlags);
}

/* E-26, M-MD-1, M-MDE-4, G-RAS-16 */
TEST_F(q, mqmde_out)
{
	MQMDE *e;

	PUTS(self->h, "Y1(Y,1,0,G) fmt=MQSTR enc=273 ccsid=819; P");
	GET("W2080 Y1", self->k, "v1 buf=40");
	EXPECT_EQ(82, self->k->dlen);
	GET("Y1", self->k, "v1");
	EXPECT_EQ(82, self->k->dlen);
	EXPECT_TRUE(FIELD_IS(self->k->md.Format, "MQHMDE"));
	EXPECT_EQ(MQENC_NATIVE, self->k->md.Encoding);
	EXPECT_EQ(1208, self->k->md.CodedCharSetId);
	e = (MQMDE *)self->k->buf;
	EXPECT_EQ(0, memcmp(e->StrucId, "MDE ", 4));
	EXPECT_EQ(2, e->Version);
	EXPECT_EQ(72, e->StrucLength);
	EXPECT_EQ(0, e->Flags);
	EXPECT_TRUE(FIELD_IS(e->Format, "MQSTR"));
	EXPECT_EQ(273, e->Encoding);
	EXPECT_EQ(819, e->CodedCharSetId);
	EXPECT_STREQ("Y", id_name(e->GroupId));
	EXPECT_EQ(MQMF_MSG_IN_GROUP, e->MsgFlags);
	EXPECT_TRUE(filled(self->k->buf + 72, "Y1", 10));
	GET("P", self->k, "v1");
	EXPECT_EQ(10, self->k->dlen);
	PUTS(self->h, "s1(X,1,0,S); s2(X,1,10,E)");
	GET("F2257", self->k, "v1 LO");
	GET("F2256", self->k, "gmo=1 LO");
	GET("s1", self->k, "v1 CM");
	EXPECT_EQ(92, self->k->dlen);
	e = (MQMDE *)self->k->buf;
	EXPECT_STREQ("X", id_name(e->GroupId));
	EXPECT_EQ(1, e->MsgSeqNumber);
	EXPECT_EQ(0, e->Offset);
	EXPECT_EQ(MQMF_SEGMENT | MQMF_LAST_SEGMENT, e->MsgFlags);
	EXPECT_EQ(-1, e->OriginalLength);
	EXPECT_TRUE(filled(self->k->buf + 72, "s1", 10));
	EXPECT_TRUE(filled(self->k->buf + 82, "s2", 10));
}

struct mde_msg {
	MQMDE e;
	char text[8];
};

static struct mde_msg mde_msg(MQMD *md, MQLONG version)
{
	struct mde_msg m = { { MQMDE_DEFAULT }, "payload" };

	*md = md_of(version);
	memcpy(md->Format, MQFMT_MD_EXTENSION, 8);
	memcpy(m.e.Format, "MQSTR   ", 8);
	m.e.Encoding = 273;
	m.e.CodedCharSetId = 819;
	id_set(m.e.GroupId, "Y");
	m.e.MsgSeqNumber = 3;
	m.e.MsgFlags = MQMF_MSG_IN_GROUP;
	return m;
}

/* M-MDE-1, M-MDE-3: honoured with version 1, and with version 2 at defaults */
TEST_F(q, mqmde_in_is_honoured)
{
	struct mde_msg m;
	MQMD md;
	int v;

	for (v = 1; v <= 2; v++) {
		m = mde_msg(&md, v);
		ASSERT_STREQ("OK", rput(self->h, &md, &m, sizeof(m)));
		EXPECT_TRUE(FIELD_IS(md.Format, "MQHMDE"));
		EXPECT_EQ(v == 2 ? 3 : 1, md.MsgSeqNumber);
		EXPECT_STREQ(v == 2 ? "Y" : "-", id_name(md.GroupId));
		ASSERT_STREQ("OK", rget(self->k, &md, 2));
		EXPECT_EQ(8, data_len);
		EXPECT_STREQ("payload", (char *)data);
		EXPECT_TRUE(FIELD_IS(md.Format, "MQSTR"));
		EXPECT_EQ(273, md.Encoding);
		EXPECT_EQ(819, md.CodedCharSetId);
		EXPECT_STREQ("Y", id_name(md.GroupId));
		EXPECT_EQ(3, md.MsgSeqNumber);
		EXPECT_EQ(MQMF_MSG_IN_GROUP, md.MsgFlags);
	}
}

/* M-MDE-2: it is data like any other */
TEST_F(q, mqmde_in_as_plain_data)
{
	struct mde_msg m;
	MQMD md;
	int i;

	for (i = 0; i < 7; i++) {
		m = mde_msg(&md, i < 5 ? 2 : 1);
		if (i == 0)
			md.GroupId[3] = 1;
		if (i == 1)
			md.MsgSeqNumber = 2;
		if (i == 2)
			md.OriginalLength = 5;
		if (i == 3)
			md.MsgFlags = MQMF_SEGMENTATION_ALLOWED;
		if (i == 4)
			md.Encoding = 273;
		if (i == 5)
			md.CodedCharSetId = 819;
		if (i == 6)
			m.e.Version = 3;
		ASSERT_STREQ("OK", rput(self->h, &md, &m, sizeof(m)))
			TH_LOG("case %d", i);
		ASSERT_STREQ("OK", rget(self->k, &md, 2));
		EXPECT_EQ(sizeof(m), data_len) TH_LOG("case %d", i);
		EXPECT_EQ(0, memcmp(data, &m, sizeof(m)));
		EXPECT_TRUE(FIELD_IS(md.Format, "MQHMDE"));
		EXPECT_EQ(0, md.MsgFlags & MQMF_MSG_IN_GROUP);
	}
}

/* M-MDE-3, M-MDE-6 */
TEST_F(q, mqmde_in_with_faults)
{
	struct mde_msg m;
	MQMD md;
	int i;

	for (i = 0; i < 8; i++) {
		static const char *const want[] = {
			"F2248", "F2248", "F2248", "F2248", "F2249", "F2250",
			"F2251", "F2253",
		};

		m = mde_msg(&md, i & 1 ? 1 : 2);
		if (i == 1)
			m.e.StrucId[0] = 'X';
		if (i == 2)
			m.e.StrucLength = 76;
		if (i == 3)
			m.e.Flags = 1;
		if (i == 4)
			m.e.MsgFlags = 0x40;
		if (i == 5)
			m.e.MsgSeqNumber = 0;
		if (i == 6) {
			m.e.MsgFlags = MQMF_SEGMENT;
			m.e.Offset = -1;
		}
		if (i == 7)
			m.e.MsgFlags = MQMF_SEGMENT;
		EXPECT_STREQ(want[i], rput(self->h, &md, &m,
					   i == 0 ? 71 : i == 7 ? 72 :
					   sizeof(m)))
			TH_LOG("case %d", i);
	}
	EXPECT_EQ(0, depth(Q));
}

/* M-BOC-1, U-BOC-1, U-BOC-2, U-BOC-4 */
TEST_F(q, backout_count)
{
	int i;

	PUT("OK", self->h, "A");
	for (i = 0; i < 5; i++) {
		GET("A", self->h, "SP");
		EXPECT_EQ(i, self->h->md.BackoutCount);
		EXPECT_STREQ("OK", back(self->c));
		GET("A", self->k, "BF");
		EXPECT_EQ(i + 1, self->k->md.BackoutCount);
	}
	GET("A", self->k, "");
	EXPECT_EQ(5, self->k->md.BackoutCount);
}

/* M-MDE-5: with logical order the MQMDE's flags choose the row */
TEST_F(q, mqmde_in_with_logical_order)
{
	MQPMO pmo = { MQPMO_DEFAULT };
	struct mde_msg m;
	MQLONG cc, rc;
	MQMD md;
	int i;

	pmo.Options = MQPMO_LOGICAL_ORDER;
	for (i = 1; i <= 2; i++) {
		m = mde_msg(&md, 2);
		if (i == 2)
			m.e.MsgFlags = MQMF_LAST_MSG_IN_GROUP;
		MQPUT(self->c, self->h->ho, &md, &pmo, sizeof(m), &m, &cc,
		      &rc);
		ASSERT_STREQ("OK", outcome(cc, rc));
		EXPECT_EQ(i, md.MsgSeqNumber);
		EXPECT_STREQ("G1", id_name(md.GroupId));
	}
	EXPECT_STREQ("OK", shut(self->h));
}

/* M-MDE-7, M-SEG-2: what is plain data belongs to the segment */
TEST_F(q, mqmde_as_data_of_a_segment)
{
	MQPMO pmo = { MQPMO_DEFAULT };
	struct mde_msg m;
	MQLONG cc, rc;
	MQMD md;

	pmo.Options = MQPMO_LOGICAL_ORDER;
	m = mde_msg(&md, 2);
	md.MsgFlags = MQMF_SEGMENT;
	MQPUT(self->c, self->h->ho, &md, &pmo, sizeof(m), &m, &cc, &rc);
	ASSERT_STREQ("OK", outcome(cc, rc));
	PUTG("(G1,1,80)", self->h, "B LO f=S");
	PUTG("(G1,1,90)", self->h, "C LO f=E len=0");
	/* an honoured one does not count */
	m = mde_msg(&md, 2);
	m.e.MsgFlags = MQMF_SEGMENT;
	MQPUT(self->c, self->h->ho, &md, &pmo, sizeof(m), &m, &cc, &rc);
	ASSERT_STREQ("OK", outcome(cc, rc));
	PUTG("(G2,1,8)", self->h, "D LO f=E");
}

/* P-Q-8: the 72 bytes count against MaxMsgLength */
TEST_F(q, mqmde_in_and_the_length_limit)
{
	struct mde_msg m;
	MQMD md;

	EXPECT_STREQ("OK", alter(Q, "len=79"));
	m = mde_msg(&md, 2);
	EXPECT_STREQ("F2030", rput(self->h, &md, &m, sizeof(m)));
	EXPECT_STREQ("OK", alter(Q, "len=80"));
	m = mde_msg(&md, 2);
	EXPECT_STREQ("OK", rput(self->h, &md, &m, sizeof(m)));
	EXPECT_STREQ("OK", alter(Q, "len=79"));
	m = mde_msg(&md, 2);
	m.e.MsgFlags |= MQMF_SEGMENTATION_ALLOWED;
	EXPECT_STREQ("OK", rput(self->h, &md, &m, sizeof(m)));
	EXPECT_EQ(2, depth(Q));
	ASSERT_STREQ("OK", rget(self->k, &md, 2));
	ASSERT_STREQ("OK", rget(self->k, &md, 2));
	EXPECT_EQ(8, data_len);
	EXPECT_EQ(MQMF_MSG_IN_GROUP | MQMF_SEGMENTATION_ALLOWED |
		  MQMF_SEGMENT | MQMF_LAST_SEGMENT, md.MsgFlags);
}

/* M-MD-4, M-RPT-1, P-SCN-16 */
TEST_F(q, message_types)
{
	static const MQLONG good[] = { 2, 4, 8, 112, 113, 65536, 999999999 };
	static const MQLONG bad[] = { -1, 0, 3, 5, 111, 114, 65535,
				      1000000000 };
	char text[32];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		sprintf(text, "A mt=%d", good[i]);
		PUT("OK", self->h, text);
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		sprintf(text, "X mt=%d", bad[i]);
		PUT("F2029", self->h, text);
	}
	PUT("F2027", self->h, "X mt=1");
	PUT("F2027", self->h, "X mt=8 rep=0x100");
	PUT("F2027", self->h, "X rep=0x1");
	PUT("OK", self->h, "B mt=1 rq=KT.NONE");	/* P-MD-4 */
	PUT("OK", self->h, "C rep=0xc0");
	EXPECT_EQ(9, depth(Q));
	/* PAN and NAN are for programs: nothing is reported */
	discard(self->k);
	PUT("OK", self->h, "P rep=0x3 rq=" Q);
	GET("P", self->k, "");
	EXPECT_EQ(3, self->k->md.Report);
	EXPECT_EQ(0, depth(Q));
}

TEST_HARNESS_MAIN
