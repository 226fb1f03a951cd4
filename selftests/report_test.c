/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Reports that the queue manager makes (P-REP, M-RPT, G-REP, P-SCN-14..15).
 */
#include <string.h>
#include "q_fixture.h"

#define R	"KT.R"
#define COA	"rep=0x100 rq=" R
#define COD	"rep=0x800 rq=" R

static struct mqh *reports(MQHCONN hc)
{
	define(R, "fifo");
	return opn(hc, R, "ib");
}

/* P-SCN-14, P-REP-3, P-REP-9, G-REP-1, G-REP-2, M-RPT-2 */
TEST_F(q, arrival_and_delivery)
{
	struct mqh *r = reports(self->c);

	PUT("OK", self->h, "A len=200 mt=1 rep=0x1900 rq=" R);
	GET("#", r, "");
	EXPECT_EQ(259, r->md.Feedback);
	EXPECT_EQ(0, r->dlen);
	EXPECT_STREQ("A", id_name(r->md.CorrelId));
	GET("A", self->k, "SP");
	GET("F2033", r, "");
	EXPECT_STREQ("OK", back(self->d));
	GET("F2033", r, "");
	GET("A", self->k, "SP");
	EXPECT_EQ(1, depth(R));
	EXPECT_STREQ("OK", commit(self->d));
	GET("#", r, "");
	EXPECT_EQ(260, r->md.Feedback);
	EXPECT_EQ(100, r->dlen);
	EXPECT_TRUE(filled(r->buf, "A", 100));
	EXPECT_EQ(0, depth(R));
}

/* Table 9.2, M-RPT-4 */
TEST_F(q, contents)
{
	struct mqh *r = reports(self->c);

	PUT("OK", self->h, "A c=C p=7 per=1 fmt=MYFMT enc=273 ccsid=819 "
			   COA " exp=9000");
	GET("#", r, "");
	EXPECT_EQ(MQMT_REPORT, r->md.MsgType);
	EXPECT_EQ(0, r->md.Report);
	EXPECT_EQ(-1, r->md.Expiry);
	EXPECT_EQ(273, r->md.Encoding);
	EXPECT_EQ(819, r->md.CodedCharSetId);
	EXPECT_TRUE(FIELD_IS(r->md.Format, "MYFMT"));
	EXPECT_EQ(7, r->md.Priority);
	EXPECT_EQ(1, r->md.Persistence);
	EXPECT_TRUE(id_generated(r->md.MsgId));
	EXPECT_STREQ("A", id_name(r->md.CorrelId));
	EXPECT_EQ(0, r->md.BackoutCount);
	EXPECT_TRUE(FIELD_IS(r->md.ReplyToQ, ""));
	EXPECT_TRUE(FIELD_IS(r->md.ReplyToQMgr, QM));
	EXPECT_TRUE(FIELD_IS(r->md.UserIdentifier, "root"));
	EXPECT_EQ(MQAT_QMGR, r->md.PutApplType);
	EXPECT_TRUE(FIELD_IS(r->md.PutApplName, QM));
	EXPECT_TRUE(FIELD_IS(r->md.ApplOriginData, ""));
	EXPECT_EQ(-1, r->md.OriginalLength);
	/* identifiers passed on; discard and expiry passed on */
	PUT("OK", self->h, "B c=C exp=9000 rep=0x080041c0 rq=" R);
	get(r, "");
	EXPECT_STREQ("B", id_name(r->md.MsgId));
	EXPECT_STREQ("C", id_name(r->md.CorrelId));
	EXPECT_EQ(MQRO_DISCARD_MSG, r->md.Report);
	EXPECT_GE(9000, r->md.Expiry);
	EXPECT_LE(8000, r->md.Expiry);
}

/* P-REP-6, P-REP-7, M-RPT-3 */
TEST_F(q, data_returned)
{
	static const struct {
		const char *put;
		int len;
	} cases[] = {
		{ "A len=300 rep=0x100 rq=" R, 0 },
		{ "A len=300 rep=0x300 rq=" R, 100 },
		{ "A len=300 rep=0x700 rq=" R, 300 },
		{ "A len=99 rep=0x300 rq=" R, 99 },
		{ "A len=0 rep=0x700 rq=" R, 0 },
		{ "A len=300 rep=0x500 rq=" R, 300 },	/* P-MD-13 */
	};
	struct mqh *r = reports(self->c);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		PUT("OK", self->h, cases[i].put);
		get(r, "");
		EXPECT_EQ(0, r->cc);
		EXPECT_EQ(cases[i].len, r->dlen) TH_LOG("case %u", i);
		EXPECT_TRUE(filled(r->buf, "A", cases[i].len));
	}
}

/* P-REP-3, U-SCN-2 */
TEST_F(q, arrival_in_a_unit_of_work)
{
	struct mqh *r = reports(self->c);

	PUT("OK", self->h, "A SP " COA);
	GET("F2033", r, "");
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(0, depth(R));
	PUT("OK", self->h, "B SP " COA);
	EXPECT_STREQ("OK", commit(self->c));
	GET("#", r, "");
	EXPECT_STREQ("B", id_name(r->md.CorrelId));
}

/* P-SCN-15, E-22 last line, M-EXP-6, P-REP-2 */
TEST_F(q, expiration)
{
	struct mqh *r = reports(self->c);

	PUT("OK", self->h, "A exp=1 rep=0x00600800 rq=" R);
	PUT("OK", self->h, "B");
	nap(130);
	EXPECT_EQ(0, depth(R));
	GET("B", self->k, "BF");
	GET("#", r, "");
	EXPECT_EQ(258, r->md.Feedback);
	EXPECT_EQ(-1, r->md.Expiry);
	EXPECT_EQ(10, r->dlen);
	EXPECT_EQ(0, depth(R));			/* no COD for expiry */
	PUT("OK", self->h, "C " COD);
	EXPECT_STREQ("OK", shut(self->h));
	EXPECT_STREQ("OK", shut(self->k));
	EXPECT_STREQ("OK", clear_q(Q));
	EXPECT_EQ(0, depth(R));			/* none for a clear */
}

/* G-REP-1, G-REP-3, P-REP-5, P-REP-8, M-RPT-5 */
TEST_F(q, segments)
{
	struct mqh *r = reports(self->c);

	EXPECT_STREQ("OK", puts_all(self->h,
				    "s1(X,1,0,S) len=120 rep=0x300 rq=" R ";"
				    "s2(X,1,120,E) len=7 rep=0x300 rq=" R));
	EXPECT_EQ(2, depth(R));
	GET("#", r, "BF");
	EXPECT_STREQ("X", id_name(r->md.GroupId));
	EXPECT_EQ(120, r->md.OriginalLength);
	EXPECT_EQ(MQMF_SEGMENT, r->md.MsgFlags);
	GET("#", r, "CM");
	EXPECT_EQ(127, r->dlen);
	EXPECT_TRUE(filled(r->buf, "s1", 100));
	EXPECT_TRUE(all_zero(r->buf + 100, 20));
	EXPECT_TRUE(filled(r->buf + 120, "s2", 7));
	EXPECT_EQ(0, depth(R));
	discard(self->h);
	discard(r);
	EXPECT_STREQ("OK", puts_all(self->h, "t1(T,1,0,S) " COD ";"
				    "t2(T,1,10,E) " COD ";"
				    "u1(U,1,0,S) " COD ";"
				    "u2(U,1,10,E) " COD));
	GET("t1", self->k, "CM");
	EXPECT_EQ(1, depth(R));			/* one for the whole */
	GET("u1", self->k, "");
	GET("u2", self->k, "");
	EXPECT_EQ(3, depth(R));
	EXPECT_STREQ("OK", puts_all(self->h, "V " COD));
	GET("V", self->k, "BF");
	GET("W2080 V", self->k, "buf=1");
	EXPECT_EQ(3, depth(R));			/* neither browse nor 2080 */
	GET("W2079 V", self->k, "buf=1 AT");
	EXPECT_EQ(4, depth(R));
}

/* P-REP-10: the reply queue is looked for when the report is made */
TEST_F(q, reply_queue_that_comes_later)
{
	struct mqh *r;

	PUT("OK", self->h, "A rep=0x800 rq=KT.LATE");
	PUT("OK", self->h, "B rep=0x800 rq=KT.LATE");
	ASSERT_STREQ("OK", define("KT.LATE", ""));
	GET("A", self->k, "");
	EXPECT_EQ(1, depth("KT.LATE"));
	EXPECT_STREQ("OK", clear_q("KT.LATE"));
	EXPECT_STREQ("OK", delete_q("KT.LATE", 0));
	/* and may lead elsewhere by then */
	r = reports(self->c);
	ASSERT_STREQ("OK", define("KT.LATE", "alias target=" R));
	GET("B", self->k, "");
	GET("#", r, "");
	EXPECT_EQ(260, r->md.Feedback);
}

/* P-REP-11, P-REP-12, P-REP-14, M-RPT-6: reports that cannot be delivered */
TEST_F(q, undeliverable)
{
	MQDLH *dlh;
	struct mqh *d, *r = reports(self->c);

	/* nowhere: dropped, the put is not affected */
	PUT("OK", self->h, "A rep=0x300 rq=KT.NONE");
	ASSERT_STREQ("OK", define("KT.DLQ", ""));
	d = opn(self->c, "KT.DLQ", "i");
	EXPECT_STREQ("OK", alter_qmgr("deadq=KT.DLQ"));
	EXPECT_STREQ("OK", alter(R, "put=1"));
	PUT("OK", self->h, "B fmt=MYFMT ccsid=819 enc=273 rep=0x300 rq=" R);
	GET("#", d, "");
	EXPECT_EQ(172 + 10, d->dlen);
	EXPECT_TRUE(FIELD_IS(d->md.Format, "MQDEAD"));
	EXPECT_EQ(1208, d->md.CodedCharSetId);
	dlh = (MQDLH *)d->buf;
	EXPECT_EQ(0, memcmp(dlh->StrucId, "DLH ", 4));
	EXPECT_EQ(1, dlh->Version);
	EXPECT_EQ(2051, dlh->Reason);
	EXPECT_TRUE(FIELD_IS(dlh->DestQName, R));
	EXPECT_TRUE(FIELD_IS(dlh->DestQMgrName, QM));
	EXPECT_TRUE(FIELD_IS(dlh->Format, "MYFMT"));
	EXPECT_EQ(819, dlh->CodedCharSetId);
	EXPECT_EQ(273, dlh->Encoding);
	EXPECT_EQ(MQENC_NATIVE, d->md.Encoding);
	EXPECT_TRUE(filled(d->buf + 172, "B", 10));
	/* a persistent one with no place to go fails the call */
	EXPECT_STREQ("OK", alter_qmgr("deadq="));
	PUT("F2051", self->h, "X per=1 " COA);
	EXPECT_EQ(2, depth(Q));
	EXPECT_STREQ("OK", alter(R, "put=0"));
	PUT("OK", self->h, "C per=1 " COD);
	EXPECT_STREQ("OK", alter(R, "put=1"));
	GET("F2051", self->k, "m=C");
	EXPECT_EQ(3, depth(Q));
	EXPECT_STREQ("OK", alter(R, "put=0"));
	GET("C", self->k, "m=C");
	EXPECT_EQ(1, depth(R));
	EXPECT_STREQ("OK", shut(r));
	EXPECT_STREQ("OK", shut(d));
}

/* G-MSB-8: the report of a marked get follows it into the new unit */
TEST_F(q, delivery_of_a_marked_get)
{
	reports(self->c);
	PUT("OK", self->h, "A " COD);
	GET("A", self->k, "SP MSB");
	EXPECT_STREQ("OK", back(self->d));
	EXPECT_STREQ("", listq(R));
	EXPECT_STREQ("OK", commit(self->d));
	EXPECT_STREQ("#", listq(R));
}

/* U-LIM-1, P-REP-4 */
TEST_F(q, reports_count_in_the_unit)
{
	reports(self->c);
	EXPECT_STREQ("OK", puts_all(self->h, "A " COD "; B " COD));
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=3"));
	GET("A", self->k, "SP");
	GET("F2024", self->k, "SP");
	EXPECT_EQ(1, depth(Q));
	EXPECT_STREQ("OK", commit(self->d));
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=10000"));
	EXPECT_EQ(1, depth(R));
}

/* U-SCN-8 as written: a put that asks for COA counts 2 */
TEST_F(q, limit_with_arrival_reports)
{
	reports(self->c);
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=3"));
	PUT("OK", self->h, "A SP " COA);
	PUT("OK", self->h, "B SP");
	PUT("F2024", self->h, "X SP");
	EXPECT_EQ(2, depth(Q));
	GET("F2024", self->h, "SP");
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=10000"));
	EXPECT_EQ(1, depth(R));
}

TEST_HARNESS_MAIN
