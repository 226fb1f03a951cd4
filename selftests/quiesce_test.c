/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A connection that an administrator quiesces (G-WAIT-11, G-WAIT-12, G-SIG-3).
 */
#include <string.h>
#include <kmq.h>
#include "q_fixture.h"

static MQLONG signal_status(MQHCONN hc, MQHOBJ ho)
{
	MQLONG status = -1, cc, rc;

	kmq_signal_status(hc, ho, &status, &cc, &rc);
	return status;
}

TEST_F(q, connection_quiesces)
{
	struct mqh *h, *other;
	struct waiter *w;
	MQBYTE24 id, none = { 1 };
	MQHCONN hc;

	hc = conn_known(id);
	ASSERT_NE(MQHC_UNUSABLE_HCONN, hc);
	h = opn(hc, Q, "io");
	other = opn(hc, Q, "i");
	w = wait_get(h, "FQ WT(-1)");
	ASSERT_TRUE(sleepers(Q, 1));
	EXPECT_STREQ("F2018", conn_state(none, KMQ_QMGR_QUIESCING));
	EXPECT_STREQ("errno", conn_state(id, KMQ_QMGR_STOPPING));
	EXPECT_TRUE(waiting(w));
	EXPECT_STREQ("OK", conn_state(id, KMQ_QMGR_QUIESCING));
	EXPECT_STREQ("F2202", result(w));
	/* only calls that say so; other connections not at all */
	GET("F2202", h, "FQ");
	GET("F2202", h, "FQ WT(1000)");
	GET("F2033", h, "");
	PUT("OK", h, "A");
	/* however often, and though there is a message */
	GET("F2202", h, "FQ");
	GET("F2202", h, "FQ");
	GET("A", self->k, "FQ");
	EXPECT_STREQ("OK", conn_state(id, KMQ_QMGR_RUNNING));
	GET("F2033", h, "FQ");
	/* a signal is told, a wait without the option goes on */
	GET("W2070", other, "FQ SIG(20000)");
	EXPECT_STREQ("OK", conn_state(id, KMQ_QMGR_QUIESCING));
	EXPECT_EQ(MQEC_CONNECTION_QUIESCING, signal_status(hc, other->ho));
	EXPECT_STREQ("OK", conn_state(id, KMQ_QMGR_RUNNING));
	w = wait_get(h, "WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	EXPECT_STREQ("OK", conn_state(id, KMQ_QMGR_QUIESCING));
	nap(5);
	EXPECT_TRUE(waiting(w));
	PUT("OK", self->h, "B");
	EXPECT_STREQ("B", result(w));
	disc(&hc);
	EXPECT_STREQ("F2018", conn_state(id, KMQ_QMGR_RUNNING));
}

/*
 * G-SIG-3: the signals of its handles, on whatever queue, while a call of the
 * connection goes on; those of others are left alone
 */
TEST_F(q, signals_during_a_call)
{
	struct mqh *h, *x, *y, *z;
	struct waiter *w;
	MQBYTE24 id;
	MQHCONN hc;

	ASSERT_STREQ("OK", define("KT.OTHER", "fifo"));
	hc = conn_known(id);
	ASSERT_NE(MQHC_UNUSABLE_HCONN, hc);
	h = opn(hc, Q, "i");
	x = opn(hc, Q, "i");
	y = opn(hc, "KT.OTHER", "i");
	z = opn(hc, "KT.OTHER", "i");
	GET("W2070", x, "FQ SIG(-1) c=X");
	GET("W2070", y, "FQ SIG(-1)");
	GET("W2070", z, "SIG(-1)");
	GET("W2070", self->k, "FQ SIG(-1)");
	w = wait_get(h, "WT(20000) c=W");
	ASSERT_TRUE(sleepers(Q, 1));
	EXPECT_STREQ("OK", conn_state(id, KMQ_QMGR_QUIESCING));
	EXPECT_TRUE(waiting(w));
	PUT("OK", self->h, "A c=W");
	EXPECT_STREQ("A", result(w));
	EXPECT_EQ(MQEC_CONNECTION_QUIESCING, signal_status(hc, x->ho));
	EXPECT_EQ(MQEC_CONNECTION_QUIESCING, signal_status(hc, y->ho));
	EXPECT_EQ(1, signal_status(hc, z->ho));
	EXPECT_EQ(1, signal_status(self->d, self->k->ho));
	disc(&hc);
}

TEST_HARNESS_MAIN
