/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Remote definitions and transmission queues (O-RES).
 */
#include <string.h>
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

TEST_HARNESS_MAIN
