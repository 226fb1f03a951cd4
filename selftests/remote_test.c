/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Remote definitions and transmission queues (O-RES).
 */
#include <string.h>
#include "dl.h"
#include "q_fixture.h"

/* O-RES-1, O-OPEN-2, O-RES-2 */
TEST_F(q, remote_definitions)
{
	ASSERT_STREQ("OK", define("KT.X", "usage=1"));
	ASSERT_STREQ("OK", define("KT.R",
				  "remote rname=FAR rqm=AWAY xmitq=KT.X"));
	EXPECT_STREQ("OK", opn_rc(self->c, "KT.R", "o"));
	EXPECT_STREQ("OK", opn_rc(self->c, "KT.R", "qs"));
	EXPECT_STREQ("F2045", opn_rc(self->c, "KT.R", "i"));
	EXPECT_STREQ("F2045", opn_rc(self->c, "KT.R", "b"));
	EXPECT_STREQ("OK", alter("KT.R", "remote xmitq=KT.NONE"));
	EXPECT_STREQ("F2196", opn_rc(self->c, "KT.R", "o"));
	EXPECT_STREQ("OK", alter("KT.R", "remote xmitq=" Q));
	EXPECT_STREQ("F2092", opn_rc(self->c, "KT.R", "o"));
	EXPECT_STREQ("OK", alter("KT.R", "remote xmitq="));
	EXPECT_STREQ("F2087", opn_rc(self->c, "KT.R", "o"));
	EXPECT_STREQ("OK", alter("KT.R", "remote rname= xmitq=KT.X"));
	EXPECT_STREQ("F2184", opn_rc(self->c, "KT.R", "o"));
}

/* O-RES-3: what is put to a remote queue lies on the transmission queue */
TEST_F(q, transmission_queue)
{
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG cc, rc;
	struct mqh *r, *x;
	MQXQH *xqh;

	ASSERT_STREQ("OK", define("KT.X", "usage=1"));
	ASSERT_STREQ("OK", define("KT.R",
				  "remote rname=FAR rqm=AWAY xmitq=KT.X"));
	r = opn(self->c, "KT.R", "o");
	x = opn(self->c, "KT.X", "i");
	pmo.Version = MQPMO_VERSION_2;
	memcpy(md.MsgId, "M", 1);
	memcpy(md.Format, "MYFMT   ", 8);
	MQPUT(self->c, r->ho, &md, &pmo, 4, "data", &cc, &rc);
	EXPECT_STREQ("OK", outcome(cc, rc));
	EXPECT_EQ(0, pmo.KnownDestCount);
	EXPECT_EQ(1, pmo.UnknownDestCount);
	EXPECT_TRUE(FIELD_IS(pmo.ResolvedQName, "FAR"));
	EXPECT_TRUE(FIELD_IS(pmo.ResolvedQMgrName, "AWAY"));
	GET("#", x, "");
	EXPECT_EQ(428 + 4, x->dlen);
	EXPECT_TRUE(FIELD_IS(x->md.Format, "MQXMIT"));
	EXPECT_STREQ("M", id_name(x->md.CorrelId));
	EXPECT_TRUE(id_generated(x->md.MsgId));
	xqh = (MQXQH *)x->buf;
	EXPECT_EQ(0, memcmp(xqh->StrucId, "XQH ", 4));
	EXPECT_TRUE(FIELD_IS(xqh->RemoteQName, "FAR"));
	EXPECT_TRUE(FIELD_IS(xqh->RemoteQMgrName, "AWAY"));
	EXPECT_STREQ("M", id_name(xqh->MsgDesc.MsgId));
	EXPECT_TRUE(FIELD_IS(xqh->MsgDesc.Format, "MYFMT"));
	EXPECT_EQ(0, memcmp(x->buf + 428, "data", 4));
}

/* P-MD-3: a local definition of a remote queue stands for what it names */
TEST_F(q, reply_to_a_remote_definition)
{
	ASSERT_STREQ("OK", define("KT.R", "remote rname=FAR rqm=AWAY"));
	put(self->h, "A rq=KT.R");
	EXPECT_STREQ("OK", outcome(self->h->cc, self->h->rc));
	EXPECT_TRUE(FIELD_IS(self->h->md.ReplyToQ, "FAR"));
	EXPECT_TRUE(FIELD_IS(self->h->md.ReplyToQMgr, "AWAY"));
	GET("A", self->k, "");
	EXPECT_TRUE(FIELD_IS(self->k->md.ReplyToQ, "FAR"));
	EXPECT_TRUE(FIELD_IS(self->k->md.ReplyToQMgr, "AWAY"));
}

/* Section 4, O-RES-2: the names that lead to a transmission queue */
TEST_F(q, ways_to_a_queue_manager)
{
	ASSERT_STREQ("OK", define("KT.X", "usage=1"));
	/* no definition at all */
	EXPECT_STREQ("F2087", opn_rc(self->c, "FAR@AWAY", "o"));
	/* a transmission queue of its name; whether FAR exists is not known */
	ASSERT_STREQ("OK", define("AWAY", "usage=1"));
	EXPECT_STREQ("OK", opn_rc(self->c, "FAR@AWAY", "o"));
	EXPECT_STREQ("F2045", opn_rc(self->c, "FAR@AWAY", "i"));
	EXPECT_STREQ("F2045", opn_rc(self->c, "FAR@AWAY", "b"));
	EXPECT_STREQ("F2045", opn_rc(self->c, "FAR@AWAY", "q"));
	EXPECT_STREQ("F2045", opn_rc(self->c, "FAR@AWAY", "s"));
	ASSERT_STREQ("OK", alter("AWAY", "usage=0"));
	EXPECT_STREQ("F2092", opn_rc(self->c, "FAR@AWAY", "o"));
	ASSERT_STREQ("OK", define("AWAY", "alias target=KT.X"));
	EXPECT_STREQ("F2091", opn_rc(self->c, "FAR@AWAY", "o"));
	/* a queue-manager alias */
	ASSERT_STREQ("OK", define("AWAY", "remote rqm=MOON xmitq=KT.X"));
	EXPECT_STREQ("OK", opn_rc(self->c, "FAR@AWAY", "o"));
	ASSERT_STREQ("OK", alter("AWAY", "remote rqm=" QM " xmitq="));
	EXPECT_STREQ("OK", opn_rc(self->c, Q "@AWAY", "o"));
	EXPECT_STREQ("OK", opn_rc(self->c, Q "@AWAY", "i"));
	EXPECT_STREQ("F2085", opn_rc(self->c, "FAR@AWAY", "o"));
	ASSERT_STREQ("OK", alter("AWAY", "remote rqm="));
	EXPECT_STREQ("F2087", opn_rc(self->c, "FAR@AWAY", "o"));
	/* as the name of a queue it lacks what is needed */
	EXPECT_STREQ("F2184", opn_rc(self->c, "AWAY", "o"));
	ASSERT_STREQ("OK", define("KT.R", "remote rname=FAR rqm=" QM));
	EXPECT_STREQ("F2087", opn_rc(self->c, "KT.R", "o"));
	ASSERT_STREQ("OK", define("KT.R", "remote rname=FAR"));
	EXPECT_STREQ("F2087", opn_rc(self->c, "KT.R", "o"));
	ASSERT_STREQ("OK", define("KT.R", "remote rname=FAR rqm=MOON xmitq=AWAY"));
	EXPECT_STREQ("F2091", opn_rc(self->c, "KT.R", "o"));
}

/* O-RES-2: the default transmission queue is the last resort */
TEST_F(q, default_transmission_queue)
{
	struct mqh *h;

	ASSERT_STREQ("OK", define("KT.X", "usage=1"));
	ASSERT_STREQ("OK", define("KT.R", "remote rname=FAR rqm=AWAY"));
	EXPECT_STREQ("F2087", opn_rc(self->c, "KT.R", "o"));
	ASSERT_STREQ("OK", alter_qmgr("defxmitq=KT.NONE"));
	EXPECT_STREQ("F2197", opn_rc(self->c, "KT.R", "o"));
	EXPECT_STREQ("F2197", opn_rc(self->c, "FAR@AWAY", "o"));
	ASSERT_STREQ("OK", alter_qmgr("defxmitq=KT.R"));
	EXPECT_STREQ("F2198", opn_rc(self->c, "KT.R", "o"));
	ASSERT_STREQ("OK", alter_qmgr("defxmitq=" Q));
	EXPECT_STREQ("F2199", opn_rc(self->c, "FAR@AWAY", "o"));
	ASSERT_STREQ("OK", alter_qmgr("defxmitq=KT.X"));
	h = opn(self->c, "FAR@AWAY", "o");
	EXPECT_STREQ("FAR", h->q);
	EXPECT_STREQ("AWAY", h->qm);
	PUT("OK", h, "M pmo=2");
	EXPECT_EQ(1, h->pmo.UnknownDestCount);
	h = opn(self->c, "KT.R", "o");
	PUT("OK", h, "M");
	EXPECT_EQ(2, depth("KT.X"));
	ASSERT_STREQ("OK", alter_qmgr("defxmitq="));
	/* resolution is kept (O-RES-6) */
	PUT("OK", h, "M");
	EXPECT_EQ(3, depth("KT.X"));
}

/* The head of the message that @x holds, got and checked. */
static MQXQH *travelling(struct mqh *x)
{
	get(x, "");
	return x->cc == MQCC_OK && FIELD_IS(x->md.Format, "MQXMIT") ?
	       (MQXQH *)x->buf : NULL;
}

/* O-RES-3: the descriptor that travels is the one the program gave */
TEST_F(q, descriptor_of_a_message_that_travels)
{
	struct mqh *r, *x;
	MQXQH *xqh;

	ASSERT_STREQ("OK", define("KT.X", "usage=1 pri=1"));
	ASSERT_STREQ("OK", define("KT.R",
				  "remote rname=FAR rqm=AWAY xmitq=KT.X pri=6"));
	r = opn(self->c, "KT.R", "o");
	x = opn(self->c, "KT.X", "i");
	PUT("OK", r, "M p=-1 per=1 exp=600 rep=0x100 rq=REPLY rqm=HOME mt=1 "
		     "c=COR fb=7 fmt=MQSTR len=30");
	xqh = travelling(x);
	ASSERT_NE(NULL, xqh);
	EXPECT_EQ(428 + 30, x->dlen);
	EXPECT_EQ(6, x->md.Priority);
	EXPECT_EQ(1, x->md.Persistence);
	EXPECT_EQ(MQEI_UNLIMITED, x->md.Expiry);
	EXPECT_EQ(MQRO_NONE, x->md.Report);
	EXPECT_EQ(MQMT_DATAGRAM, x->md.MsgType);
	EXPECT_EQ(MQAT_QMGR, x->md.PutApplType);
	EXPECT_EQ(0, memcmp(x->md.PutApplName, QM " ", 4));
	EXPECT_TRUE(FIELD_IS(x->md.ReplyToQ, ""));
	EXPECT_EQ(MQXQH_VERSION_1, xqh->Version);
	EXPECT_EQ(0, memcmp(xqh->MsgDesc.StrucId, "MD  ", 4));
	EXPECT_EQ(1, xqh->MsgDesc.Version);
	EXPECT_EQ(6, xqh->MsgDesc.Priority);
	EXPECT_EQ(1, xqh->MsgDesc.Persistence);
	EXPECT_EQ(600, xqh->MsgDesc.Expiry);
	EXPECT_EQ(0x100, xqh->MsgDesc.Report);
	EXPECT_EQ(MQMT_REQUEST, xqh->MsgDesc.MsgType);
	EXPECT_EQ(7, xqh->MsgDesc.Feedback);
	EXPECT_TRUE(FIELD_IS(xqh->MsgDesc.Format, "MQSTR"));
	EXPECT_TRUE(FIELD_IS(xqh->MsgDesc.ReplyToQ, "REPLY"));
	EXPECT_TRUE(FIELD_IS(xqh->MsgDesc.ReplyToQMgr, "HOME"));
	EXPECT_STREQ("COR", id_name(xqh->MsgDesc.CorrelId));
	EXPECT_EQ(0, memcmp(xqh->MsgDesc.PutDate, r->md.PutDate, 8));
	EXPECT_EQ(0, memcmp(xqh->MsgDesc.PutTime, r->md.PutTime, 8));
	EXPECT_EQ(MQAT_UNIX, xqh->MsgDesc.PutApplType);
	EXPECT_EQ(0, memcmp(xqh->MsgDesc.PutApplName, r->md.PutApplName, 28));
	EXPECT_TRUE(filled(x->buf + 428, "M", 30));
	/* P-REP-1: it has not arrived */
	EXPECT_EQ(0, depth("KT.X"));
}

/* O-RES-3: group fields travel in an MQMDE */
TEST_F(q, group_that_travels)
{
	struct mqh *r, *x;
	MQXQH *xqh;
	MQMDE *mde;
	int i;

	ASSERT_STREQ("OK", define("KT.X", "usage=1"));
	ASSERT_STREQ("OK", define("KT.R",
				  "remote rname=FAR rqm=AWAY xmitq=KT.X"));
	r = opn(self->c, "KT.R", "o");
	x = opn(self->c, "KT.X", "i");
	PUTG("(G1,1,0)", r, "A(-,-,-,G) LO fmt=MQSTR");
	PUTG("(G1,2,0)", r, "B(-,-,-,L) LO fmt=MQSTR");
	for (i = 1; i <= 2; i++) {
		xqh = travelling(x);
		ASSERT_NE(NULL, xqh);
		EXPECT_EQ(428 + 72 + 10, x->dlen);
		EXPECT_EQ(0, x->md.MsgFlags);
		EXPECT_TRUE(all_zero(x->md.GroupId, 24));
		EXPECT_TRUE(FIELD_IS(xqh->MsgDesc.Format, "MQHMDE"));
		mde = (MQMDE *)(x->buf + 428);
		EXPECT_EQ(0, memcmp(mde->StrucId, "MDE ", 4));
		EXPECT_EQ(2, mde->Version);
		EXPECT_EQ(72, mde->StrucLength);
		EXPECT_TRUE(FIELD_IS(mde->Format, "MQSTR"));
		EXPECT_EQ(i, mde->MsgSeqNumber);
		EXPECT_EQ(0, mde->Offset);
		EXPECT_EQ(0, memcmp(mde->GroupId, r->md.GroupId, 24));
		EXPECT_EQ(i == 1 ? MQMF_MSG_IN_GROUP : MQMF_MSG_IN_GROUP |
						       MQMF_LAST_MSG_IN_GROUP,
			  mde->MsgFlags);
		EXPECT_TRUE(filled(x->buf + 500, i == 1 ? "A" : "B", 10));
	}
}

/* P-SEG-1, P-SEG-4, P-Q-7: pieces that fit behind their heads */
TEST_F(q, segments_that_travel)
{
	static const int lengths[] = { 96, 96, 58 };
	struct mqh *r, *x;
	MQMDE *mde;
	int i;

	/* 500 bytes of head and 100 of data */
	ASSERT_STREQ("OK", define("KT.X", "usage=1 len=600"));
	ASSERT_STREQ("OK", define("KT.R",
				  "remote rname=FAR rqm=AWAY xmitq=KT.X"));
	r = opn(self->c, "KT.R", "o");
	x = opn(self->c, "KT.X", "i");
	PUT("F2030", r, "M len=173");
	PUT("OK", r, "M len=172");
	discard(x);
	PUT("OK", r, "M(-,-,-,A) len=250");
	for (i = 0; i < 3; i++) {
		ASSERT_NE(NULL, travelling(x));
		EXPECT_EQ(500 + lengths[i], x->dlen);
		mde = (MQMDE *)(x->buf + 428);
		EXPECT_EQ(i * 96, mde->Offset);
		EXPECT_EQ(MQMF_SEGMENTATION_ALLOWED | MQMF_SEGMENT |
			  (i == 2 ? MQMF_LAST_SEGMENT : 0), mde->MsgFlags);
		/* M-ID-10 */
		EXPECT_EQ(i == 0, !strcmp("M", id_name(
			((MQXQH *)x->buf)->MsgDesc.MsgId)));
		EXPECT_EQ(0, memcmp(((MQXQH *)x->buf)->MsgDesc.MsgId,
				    x->md.CorrelId, 24));
	}
	GET("F2033", x, "");
}

/* P-RES-1, P-RES-2 and MQOO_RESOLVE_LOCAL_Q */
TEST_F(q, resolved_names)
{
	MQPMO pmo = { MQPMO_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQLONG cc, rc;
	struct mqh *r;

	ASSERT_STREQ("OK", define("KT.X", "usage=1"));
	ASSERT_STREQ("OK", define("KT.R",
				  "remote rname=FAR rqm=AWAY xmitq=KT.X"));
	r = opn(self->c, "KT.R", "oL");
	EXPECT_STREQ("KT.X", r->q);
	EXPECT_STREQ(QM, r->qm);
	MQPUT(self->c, r->ho, &md, &pmo, 0, NULL, &cc, &rc);
	EXPECT_STREQ("OK", outcome(cc, rc));
	EXPECT_TRUE(FIELD_IS(pmo.ResolvedQName, "FAR"));
	EXPECT_TRUE(FIELD_IS(pmo.ResolvedQMgrName, "AWAY"));
	pmo.Options = MQPMO_RESOLVE_LOCAL_Q;
	MQPUT(self->c, r->ho, &md, &pmo, 0, NULL, &cc, &rc);
	EXPECT_STREQ("OK", outcome(cc, rc));
	EXPECT_TRUE(FIELD_IS(pmo.ResolvedQName, "KT.X"));
	EXPECT_TRUE(FIELD_IS(pmo.ResolvedQMgrName, QM));
}

/* P-ONE-1, P-ONE-5 */
TEST_F(q, put1_to_a_remote_queue)
{
	MQPMO pmo = { MQPMO_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQOD od = { MQOD_DEFAULT };
	struct mqh *x;
	MQLONG cc, rc;
	MQXQH *xqh;
	int i;

	ASSERT_STREQ("OK", define("KT.X", "usage=1"));
	x = opn(self->c, "KT.X", "i");
	od.Version = MQOD_VERSION_3;
	FIELD_SET(od.ObjectName, "FAR");
	FIELD_SET(od.ObjectQMgrName, "KT.X");
	pmo.Version = MQPMO_VERSION_2;
	for (i = 0; i < 2; i++) {
		MQPUT1(self->c, &od, &md, &pmo, 4, "data", &cc, &rc);
		ASSERT_STREQ("OK", outcome(cc, rc));
		EXPECT_EQ(1, od.UnknownDestCount);
		EXPECT_EQ(0, od.KnownDestCount);
		EXPECT_TRUE(FIELD_IS(od.ResolvedQName, "FAR"));
		EXPECT_TRUE(FIELD_IS(od.ResolvedQMgrName, "KT.X"));
		EXPECT_TRUE(FIELD_IS(pmo.ResolvedQName, "FAR"));
		EXPECT_EQ(1, pmo.UnknownDestCount);
		xqh = travelling(x);
		ASSERT_NE(NULL, xqh);
		EXPECT_TRUE(FIELD_IS(xqh->RemoteQName, "FAR"));
		EXPECT_TRUE(FIELD_IS(xqh->RemoteQMgrName, "KT.X"));
	}
	FIELD_SET(od.ObjectQMgrName, "AWAY");
	MQPUT1(self->c, &od, &md, &pmo, 4, "data", &cc, &rc);
	EXPECT_STREQ("F2087", outcome(cc, rc));
}

/* O-RES-4: put directly it is a queue like others */
TEST_F(q, transmission_queue_itself)
{
	struct mqh *x;

	ASSERT_STREQ("OK", define("KT.X", "usage=1"));
	x = opn(self->c, "KT.X", "bio");
	PUT("OK", x, "M");
	GET("M", x, "");
}

/* P-MD-1, P-MD-6: bits that only the other end need know */
TEST_F(q, unknown_bits_for_the_other_end)
{
	struct mqh *r, *x;

	ASSERT_STREQ("OK", define("KT.X", "usage=1"));
	ASSERT_STREQ("OK", define("KT.R",
				  "remote rname=FAR rqm=AWAY xmitq=KT.X"));
	r = opn(self->c, "KT.R", "o");
	x = opn(self->c, "KT.X", "o");
	PUT("F2061", self->h, "M rep=0x10000 rq=R");
	PUT("F2061", x, "M rep=0x10000 rq=R");
	PUT("W2104", r, "M rep=0x10000 rq=R");
	PUT("F2249", self->h, "M fx=0x1000");
	PUT("F2249", x, "M fx=0x1000");
	PUT("OK", r, "M fx=0x1000");
	/* the MQMDE that carries them has no GroupId (O-RES-3) */
	EXPECT_STREQ("OK", shut(x));
	x = opn(self->c, "KT.X", "i");
	ASSERT_NE(NULL, travelling(x));
	ASSERT_NE(NULL, travelling(x));
	EXPECT_EQ(0x1000, ((MQMDE *)(x->buf + 428))->MsgFlags);
	EXPECT_TRUE(all_zero(((MQMDE *)(x->buf + 428))->GroupId, 24));
}

/* P-CALL-10: what was opened leads elsewhere */
TEST_F(q, remote_definition_changed)
{
	struct mqh *r, *a;

	ASSERT_STREQ("OK", define("KT.X", "usage=1"));
	ASSERT_STREQ("OK", define("KT.R",
				  "remote rname=FAR rqm=AWAY xmitq=KT.X"));
	ASSERT_STREQ("OK", define("KT.A", "alias target=KT.R"));
	r = opn(self->c, "KT.R", "o");
	a = opn(self->c, "KT.A", "o");
	PUT("OK", a, "M");
	EXPECT_STREQ("FAR", a->q);
	EXPECT_STREQ("F2045", opn_rc(self->c, "KT.A", "i"));
	/* a definition on the way cannot go (4004), inhibits hold (P-Q-1) */
	EXPECT_STREQ("F4004", delete_q("KT.R", 0));
	ASSERT_STREQ("OK", alter("KT.R", "remote put=1"));
	PUT("F2051", r, "M");
	PUT("F2051", a, "M");
	ASSERT_STREQ("OK", alter("KT.R", "remote put=0"));
	ASSERT_STREQ("OK", alter("KT.X", "put=1"));
	PUT("F2051", a, "M");
	ASSERT_STREQ("OK", alter("KT.X", "put=0"));
	ASSERT_STREQ("OK", alter("KT.R", "remote rname=FARTHER"));
	PUT("F2041", r, "M");
	PUT("F2041", a, "M");
	EXPECT_STREQ("OK", shut(r));
	r = opn(self->c, "KT.R", "o");
	PUT("OK", r, "M");
	EXPECT_EQ(2, depth("KT.X"));
	ASSERT_STREQ("OK", alter("KT.X", "usage=0"));
	PUT("F2041", r, "M");
}

/* U-VIS-1, U-BACK-1: a unit of work covers the transmission queue */
TEST_F(q, remote_put_in_a_unit_of_work)
{
	struct mqh *r, *x;

	ASSERT_STREQ("OK", define("KT.X", "usage=1"));
	ASSERT_STREQ("OK", define("KT.R",
				  "remote rname=FAR rqm=AWAY xmitq=KT.X"));
	r = opn(self->c, "KT.R", "o");
	x = opn(self->d, "KT.X", "i");
	PUT("OK", r, "M SP");
	EXPECT_EQ(1, depth("KT.X"));
	GET("F2033", x, "");
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(0, depth("KT.X"));
	PUT("OK", r, "M SP");
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_NE(NULL, travelling(x));
}

/* P-REP-11: a report for a remote queue manager travels, too */
TEST_F(q, report_to_a_remote_queue)
{
	struct mqh *x;
	MQXQH *xqh;

	ASSERT_STREQ("OK", define("AWAY", "usage=1"));
	x = opn(self->c, "AWAY", "i");
	PUT("OK", self->h, "M rep=0x100 rq=REPLY rqm=AWAY");
	xqh = travelling(x);
	ASSERT_NE(NULL, xqh);
	EXPECT_TRUE(FIELD_IS(xqh->RemoteQName, "REPLY"));
	EXPECT_TRUE(FIELD_IS(xqh->RemoteQMgrName, "AWAY"));
	EXPECT_EQ(MQMT_REPORT, xqh->MsgDesc.MsgType);
	EXPECT_EQ(MQFB_COA, xqh->MsgDesc.Feedback);
	EXPECT_STREQ("M", id_name(xqh->MsgDesc.CorrelId));
}

/* 2086: a model queue is made here or not at all (section 3.1) */
TEST_F(q, model_at_another_queue_manager)
{
	ASSERT_STREQ("OK", define("KT.M", "model"));
	ASSERT_STREQ("OK", define("AWAY", "usage=1"));
	EXPECT_STREQ("F2086", opn_rc(self->c, "KT.M@AWAY", "o"));
	EXPECT_STREQ("OK", opn_rc(self->c, "KT.M@" QM, "o"));
}

/* O-DL-4, P-DL-14: remote destinations of a list */
TEST_F(q, remote_destination_of_a_list)
{
	struct dl l;

	ASSERT_STREQ("OK", define("KT.X", "usage=1"));
	ASSERT_STREQ("OK", define("KT.R",
				  "remote rname=FAR rqm=AWAY xmitq=KT.X"));
	dl_init(&l, self->c, Q " KT.R KT.NONE");
	EXPECT_STREQ("W2136", dl_open(&l, 0));
	EXPECT_STREQ("1 1 1", OD_COUNTS(&l));
	EXPECT_STREQ("OK OK F2085", dl_results(l.opened, l.n));
	dl_fresh(&l);
	EXPECT_STREQ("W2136", dl_put(&l, "x"));
	EXPECT_STREQ("1 1 1", PMO_COUNTS(&l));
	EXPECT_EQ(1, depth(Q));
	EXPECT_EQ(1, depth("KT.X"));
	EXPECT_STREQ("OK", dl_close(&l, 0));
}

TEST_HARNESS_MAIN
