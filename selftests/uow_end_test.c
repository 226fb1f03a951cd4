/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * How units of work begin (U-GEN-2), and how the queue manager ends them
 * (U-CMIT-3, U-CMIT-4, U-BACK-10, G-UOW-7); nothing that backs out acts upon a
 * BackoutCount (U-BOC-3); the module stays while somebody is connected (U-END-5).
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <kmq.h>
#include "q_fixture.h"

static const char *begin(MQHCONN hc)
{
	MQLONG cc, rc;

	MQBEGIN(hc, NULL, &cc, &rc);
	return outcome(cc, rc);
}

/* A second queue manager, administered here, with the queue Q; so has QM. */
FIXTURE(qm2) {
	MQHCONN c, d, other;
	struct mqh *h, *k;
};

FIXTURE_SETUP(qm2)
{
	ASSERT_STREQ("OK", define(Q, "fifo"));
	ASSERT_STREQ("OK", make_qmgr("QM2"));
	admin_at("QM2");
	ASSERT_STREQ("OK", define(Q, "fifo"));
	self->c = conn_to("QM2");
	self->d = conn_to("QM2");
	self->other = conn();
	self->h = opn(self->c, Q, "bio");
	self->k = opn(self->d, Q, "bio");
	ASSERT_STREQ("OK", outcome(self->k->cc, self->k->rc));
}

FIXTURE_TEARDOWN(qm2)
{
	qmgr_state(KMQ_QMGR_RUNNING);
	disc(&self->c);
	disc(&self->d);
	disc(&self->other);
	EXPECT_STREQ("OK", delete_qmgr("QM2"));
	clean_up();
}

#define STATE(s)	EXPECT_STREQ("OK", qmgr_state(s))
#define ON_QM2(field)	((int)status(Q).field)

/* U-CMIT-4, G-WAIT-11: what is uncommitted is backed out at once */
TEST_F(qm2, stopped_with_an_open_unit)
{
	struct mqh *o = opn(self->other, Q, "io");
	struct waiter *w;

	PUTS(self->k, "A; B");
	GET("A", self->h, "SP");
	PUT("OK", self->h, "C SP");
	PUT("OK", o, "D SP");
	w = wait_get(self->k, "WT(-1) m=Z");
	ASSERT_TRUE(sleepers(Q, 1));
	EXPECT_EQ(2, ON_QM2(out_depth));
	STATE(KMQ_QMGR_STOPPING);
	EXPECT_STREQ("F2162", result(w));
	EXPECT_EQ(2, ON_QM2(out_depth));
	EXPECT_EQ(0, ON_QM2(out_uncommitted_puts));
	EXPECT_EQ(0, ON_QM2(out_uncommitted_gets));
	EXPECT_STREQ("F2162", commit(self->c));
	EXPECT_STREQ("F2162", back(self->c));
	PUT("F2162", self->h, "X SP");
	PUT("F2162", self->h, "X");
	GET("F2162", self->h, "SP");
	/* another queue manager's units go on */
	EXPECT_STREQ("OK", commit(self->other));
	GET("D", o, "");
}

/* U-BACK-10, G-UOW-7, U-CMIT-3, G-MOD-1: it can only be backed out */
TEST_F(qm2, doomed_unit)
{
	PUTS(self->k, "A; B per=1");
	GET("A", self->h, "SP");
	STATE(KMQ_QMGR_STOPPING);
	STATE(KMQ_QMGR_RUNNING);
	PUT("F2003", self->h, "X SP");
	GET("F2003", self->h, "SP");
	GET("F2003", self->h, "SIP m=B");
	/* outside the unit all goes on */
	PUT("OK", self->h, "N");
	GET("A", self->h, "BF");
	EXPECT_EQ(1, self->h->md.BackoutCount);
	GET("A", self->h, "");
	EXPECT_EQ(1, self->h->md.BackoutCount);
	/* MQCMIT ends it, but cannot commit */
	EXPECT_STREQ("W2003", commit(self->c));
	GET("B", self->h, "SP");
	EXPECT_EQ(0, self->h->md.BackoutCount);
	EXPECT_STREQ("OK", commit(self->c));
	GET("N", self->h, "");
	/* the other connection had no unit */
	PUT("OK", self->k, "C SP");
	EXPECT_STREQ("OK", commit(self->d));
}

/* G-UOW-7, U-BACK-1: MQBACK is as good */
TEST_F(qm2, doomed_unit_backed_out)
{
	PUT("OK", self->h, "A SP");
	STATE(KMQ_QMGR_STOPPING);
	STATE(KMQ_QMGR_RUNNING);
	GET("F2003", self->h, "SP");
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(0, ON_QM2(out_depth));
	PUT("OK", self->h, "B SP");
	EXPECT_STREQ("OK", commit(self->c));
	GET("B", self->k, "");
}

/* U-END-1, O-DISC-1: MQDISC cannot commit it either */
TEST_F(qm2, doomed_unit_and_disconnect)
{
	PUT("OK", self->h, "A SP");
	STATE(KMQ_QMGR_STOPPING);
	STATE(KMQ_QMGR_RUNNING);
	EXPECT_STREQ("W2003", disc(&self->c));
	EXPECT_EQ(MQHC_UNUSABLE_HCONN, self->c);
	EXPECT_EQ(0, ON_QM2(out_depth));
	/* nor while the queue manager is stopped; the connection ends */
	PUT("OK", self->k, "B SP");
	STATE(KMQ_QMGR_STOPPING);
	EXPECT_STREQ("F2162", disc(&self->d));
	EXPECT_EQ(MQHC_UNUSABLE_HCONN, self->d);
	EXPECT_EQ(0, ON_QM2(out_depth));
}

/*
 * G-MSB-5, G-ORD-20: nobody asked for that back-out, so a marked message comes
 * back as well; the group goes on where it was
 */
TEST_F(qm2, doomed_unit_with_a_mark)
{
	PUTS(self->k, "K1(K,1,0,G); K2(K,2,0,L)");
	GET("K1", self->h, "LO SP MSB");
	STATE(KMQ_QMGR_STOPPING);
	STATE(KMQ_QMGR_RUNNING);
	EXPECT_EQ(2, ON_QM2(out_depth));
	EXPECT_STREQ("OK", back(self->c));
	GET("K1", self->h, "LO SP");
	EXPECT_EQ(1, self->h->md.BackoutCount);
	GET("K2", self->h, "LO SP");
	EXPECT_STREQ("OK", commit(self->c));
}

/* G-WAIT-6, U-BACK-5: nobody waits then, but a signal was told already */
TEST_F(qm2, stopping_tells_signals_once)
{
	MQLONG s, cc, rc;

	PUT("OK", self->k, "A");
	GET("A", self->k, "SP");
	GET("W2070", self->h, "SIG(-1)");
	STATE(KMQ_QMGR_STOPPING);
	kmq_signal_status(self->c, self->h->ho, &s, &cc, &rc);
	EXPECT_EQ(MQEC_WAIT_CANCELED, s);
	EXPECT_EQ(1, ON_QM2(out_depth));
}

/* Is a unit of work open? If so it is backed out. */
static bool is_open(MQHCONN hc)
{
	bool open = !strcmp(begin(hc), "F2128");

	back(hc);
	return open;
}

static const char *put1(MQHCONN hc, MQLONG options, MQLONG length)
{
	MQOD od = { MQOD_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG cc, rc;

	strcpy(od.ObjectName, Q);
	pmo.Options = options;
	MQPUT1(hc, &od, &md, &pmo, length, "data", &cc, &rc);
	return outcome(cc, rc);
}

/* U-GEN-2, G-UOW-9: what begins a unit, and what does not; U-BEG-5 */
TEST_F(q, begins_implicitly)
{
	/* MQBEGIN says that a unit is open; shared handles have none */
	MQHCONN hc = MQHC_UNUSABLE_HCONN;
	MQLONG cc, rc;
	struct mqh *h;

	MQCONN(QM, &hc, &cc, &rc);
	ASSERT_STREQ("OK", outcome(cc, rc));
	h = opn(hc, Q, "bio");
	EXPECT_FALSE(is_open(hc));
	PUT("OK", h, "A SP");
	EXPECT_TRUE(is_open(hc));
	EXPECT_STREQ("OK", put1(hc, MQPMO_SYNCPOINT, 4));
	EXPECT_TRUE(is_open(hc));
	PUTS(h, "N; P per=1");
	EXPECT_FALSE(is_open(hc));
	EXPECT_STREQ("OK", put1(hc, MQPMO_NO_SYNCPOINT, 4));
	EXPECT_FALSE(is_open(hc));
	GET("N", h, "SP");
	EXPECT_TRUE(is_open(hc));
	GET("P", h, "SIP m=P");
	EXPECT_TRUE(is_open(hc));
	GET("N", h, "SIP");
	EXPECT_FALSE(is_open(hc));
	GET("P", h, "BF");
	EXPECT_FALSE(is_open(hc));
	/* nor what fails, or shows a message that stays */
	GET("F2033", h, "SP m=Z");
	GET("W2080 P", h, "SP buf=2");
	GET("F2033", h, "SIP m=Z");
	PUT("F2013", h, "X SP exp=0");
	EXPECT_STREQ("F2005", put1(hc, MQPMO_SYNCPOINT, -1));
	EXPECT_FALSE(is_open(hc));
	/* it ends with MQCMIT, MQBACK, MQDISC */
	GET("P", h, "SP");
	EXPECT_STREQ("OK", commit(hc));
	EXPECT_FALSE(is_open(hc));
	PUT("OK", h, "B SP");
	EXPECT_STREQ("OK", back(hc));
	EXPECT_FALSE(is_open(hc));
	PUT("OK", h, "C SP");
	EXPECT_STREQ("OK", disc(&hc));
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_puts);
	discard(self->h);
}

/* U-GEN-5, G-BRW-10: a browse is never part of it */
TEST_F(q, browses_are_not_in_it)
{
	PUTS(self->h, "A; B per=1");
	GET("F2046", self->h, "BF SP");
	GET("F2046", self->h, "BF SIP");
	PUT("OK", self->h, "C SP");
	GET("A", self->h, "BF");
	GET("B", self->h, "BN LK");
	EXPECT_STREQ("OK", back(self->c));
	/* cursor and lock are as they were, and nothing was counted */
	GET("B", self->h, "BC LK");
	EXPECT_EQ(0, self->h->md.BackoutCount);
	GET("F2033", self->k, "m=B");
	EXPECT_STREQ("OK", commit(self->c));
	LIST("A");
}

/* U-BACK-1 */
TEST_F(q, backed_out)
{
	ASSERT_STREQ("OK", define(Q ".2", "fifo"));
	struct mqh *o = opn(self->c, Q ".2", "bio");

	PUTS(self->h, "A; B");
	PUTS(o, "Y; Z");
	GET("A", self->h, "SP");
	GET("Z", o, "SP m=Z");
	PUTS(self->h, "C SP; D SP");
	PUT("OK", o, "X SP");
	EXPECT_STREQ("OK", back(self->c));
	LIST("A B");
	EXPECT_STREQ("Y Z", listq(Q ".2"));
	/* the unit has ended: another one has nothing of it */
	EXPECT_STREQ("OK", commit(self->c));
	LIST("A B");
	EXPECT_EQ(2, depth(Q));
	EXPECT_EQ(2, depth(Q ".2"));
}

/* U-BOC-3: counted, and left to the program */
TEST_F(q, backout_threshold)
{
	int i;

	ASSERT_STREQ("OK", define(Q ".BO", "fifo"));
	ASSERT_STREQ("OK", alter(Q, "bothresh=1 boq=" Q ".BO"));
	PUT("OK", self->h, "A");
	for (i = 0; i < 4; i++) {
		GET("A", self->h, "SP");
		EXPECT_EQ(i, self->h->md.BackoutCount);
		EXPECT_STREQ("OK", back(self->c));
	}
	LIST("A");
	EXPECT_EQ(0, depth(Q ".BO"));
}

/* U-END-5: neither a connection nor an open queue lets the module go */
TEST(module_in_use)
{
	MQHCONN hc = conn();
	struct mqh *h;

	ASSERT_NE(MQHC_UNUSABLE_HCONN, hc);
	EXPECT_EQ(-1, syscall(SYS_delete_module, "kmq", O_NONBLOCK));
	EXPECT_EQ(EWOULDBLOCK, errno);
	ASSERT_STREQ("OK", define(Q, "fifo"));
	h = opn(hc, Q, "io");
	PUT("OK", h, "A SP");
	EXPECT_EQ(-1, syscall(SYS_delete_module, "kmq", O_NONBLOCK));
	EXPECT_EQ(EWOULDBLOCK, errno);
	/* and it goes on as if nothing had been asked */
	EXPECT_STREQ("OK", commit(hc));
	GET("A", h, "");
	disc(&hc);
	clean_up();
}

TEST_HARNESS_MAIN
