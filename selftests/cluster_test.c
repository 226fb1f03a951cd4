/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Cluster queues: one name, several queue managers (objects.md section 9). The
 * queue CQ has an instance at each of QA, QB, QC; programs are connected to QM1.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include "kselftest_harness.h"
#include "mqi.h"

#define CQ	"KT.CQ"
#define N	3

static const char *const at[] = { "QA", "QB", "QC", "QD" };

FIXTURE(cluster) {
	MQHCONN c;
};

FIXTURE_SETUP(cluster)
{
	int i;

	for (i = 0; i < N; i++) {
		ASSERT_STREQ("OK", make_qmgr(at[i]));
		admin_at(at[i]);
		ASSERT_STREQ("OK", define(CQ, "fifo cluster=KT"));
	}
	admin_at("");
	self->c = conn();
}

FIXTURE_TEARDOWN(cluster)
{
	int i;

	if (self->c != MQHC_UNUSABLE_HCONN)
		disc(&self->c);
	clean_up();
	for (i = 0; i < 4; i++)
		delete_qmgr(at[i]);
}

static void alter_at(const char *qmgr, const char *attrs)
{
	const char *s;

	admin_at(qmgr);
	s = alter(CQ, attrs);
	if (strcmp(s, "OK"))
		fprintf(stderr, "# alter %s: %s\n", qmgr, s);
	admin_at("");
}

static int depth_at(const char *qmgr)
{
	int n;

	admin_at(qmgr);
	n = depth(CQ);
	admin_at("");
	return n;
}

/* "1 2 3": how many messages lie at each queue manager. */
static const char *depths(void)
{
	char *s = answer_buf();
	int i, n = 0;

	for (i = 0; i < N; i++)
		n += sprintf(s + n, "%s%d", i ? " " : "", depth_at(at[i]));
	return s;
}

static void empty(void)
{
	int i;

	for (i = 0; i < N; i++) {
		admin_at(at[i]);
		clear_q(CQ);
	}
	admin_at("");
}

static MQLONG inquire_q(MQHCONN c, struct mqh *h, MQLONG selector,
			MQLONG *value)
{
	MQLONG cc, rc;

	*value = -77;
	MQINQ(c, h->ho, 1, &selector, 1, value, 0, NULL, &cc, &rc);
	return rc;
}

/* The next message of a group, all of which is there: its number, or 0. */
static MQLONG next_in_group(struct mqh *h, MQBYTE24 group)
{
	MQGMO gmo = { MQGMO_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQLONG length, cc, rc;
	char data[32];

	gmo.Version = MQGMO_VERSION_2;
	gmo.Options = MQGMO_LOGICAL_ORDER | MQGMO_ALL_MSGS_AVAILABLE;
	gmo.MatchOptions = MQMO_NONE;
	md.Version = MQMD_VERSION_2;
	MQGET(h->hc, h->ho, &md, &gmo, sizeof(data), data, &length, &cc, &rc);
	if (cc != MQCC_OK)
		return 0;
	memcpy(group, md.GroupId, sizeof(md.GroupId));
	return md.MsgSeqNumber;
}

/* Groups of three at the queue manager, got in logical order; -1: not whole. */
static int whole_groups(const char *qmgr)
{
	MQHCONN c = conn_to(qmgr);
	struct mqh *h = opn(c, CQ, "i");
	MQBYTE24 group, same;
	bool whole = true;
	int n = 0;

	while (next_in_group(h, group) == 1) {
		whole &= next_in_group(h, same) == 2;
		whole &= !memcmp(same, group, sizeof(group));
		whole &= next_in_group(h, same) == 3;
		whole &= !memcmp(same, group, sizeof(group));
		n++;
	}
	whole &= !depth_at(qmgr);
	disc(&c);
	return whole ? n : -1;
}

/* O-BIND-1, 3.1: what an open bound at once tells about the place */
TEST_F(cluster, bind_on_open)
{
	struct mqh *h = opn(self->c, CQ, "oO");
	const char *where;
	int i;

	ASSERT_STREQ("OK", outcome(h->cc, h->rc));
	EXPECT_STREQ(CQ, h->q);
	where = h->qm;
	EXPECT_TRUE(!strcmp(where, "QA") || !strcmp(where, "QB") ||
		    !strcmp(where, "QC"));
	for (i = 0; i < 5; i++)
		EXPECT_STREQ("OK", put(h, "M pmo=2"));
	EXPECT_EQ(0, h->pmo.KnownDestCount);
	EXPECT_EQ(1, h->pmo.UnknownDestCount);
	EXPECT_EQ(5, depth_at(where));
	EXPECT_EQ(5, depth_at("QA") + depth_at("QB") + depth_at("QC"));
	/* it stays there, also when it is inhibited (O-BIND-5) */
	alter_at(where, "put=1");
	EXPECT_STREQ("F2051", put(h, "M"));
	EXPECT_EQ(5, depth_at("QA") + depth_at("QB") + depth_at("QC"));
	EXPECT_STREQ("OK", shut(h));
}

/* O-BIND-1: each open has its turn */
TEST_F(cluster, opens_take_turns)
{
	int i;

	for (i = 0; i < 6; i++) {
		struct mqh *h = opn(self->c, CQ, "oO");

		EXPECT_STREQ("OK", put(h, "M"));
		shut(h);
	}
	EXPECT_STREQ("2 2 2", depths());
}

/* O-BIND-1: an instance for each put; the put says which */
TEST_F(cluster, bind_not_fixed)
{
	struct mqh *h = opn(self->c, CQ, "oN");
	char seen[3][MQ_Q_MGR_NAME_LENGTH];
	int i;

	ASSERT_STREQ("OK", outcome(h->cc, h->rc));
	EXPECT_STREQ(CQ, h->q);
	EXPECT_STREQ("", h->qm);
	for (i = 0; i < 9; i++) {
		EXPECT_STREQ("OK", put(h, "M pmo=2"));
		EXPECT_TRUE(FIELD_IS(h->pmo.ResolvedQName, CQ));
		if (i < 3)
			memcpy(seen[i], h->pmo.ResolvedQMgrName,
			       sizeof(seen[i]));
		else
			EXPECT_EQ(0, memcmp(seen[i % 3],
					    h->pmo.ResolvedQMgrName,
					    sizeof(seen[i])));
	}
	EXPECT_STREQ("3 3 3", depths());
}

/* O-BIND-1, O-BIND-6, P-ONE-3: DefBind, which MQPUT1 does not ask for */
TEST_F(cluster, def_bind)
{
	MQPMO pmo = { MQPMO_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQOD od = { MQOD_DEFAULT };
	MQLONG cc, rc;
	struct mqh *h;
	int i;

	h = opn(self->c, CQ, "o");
	for (i = 0; i < 6; i++)
		EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_EQ(6, depth_at(h->qm));
	empty();
	for (i = 0; i < N; i++)
		alter_at(at[i], "bind=1");
	h = opn(self->c, CQ, "o");
	for (i = 0; i < 6; i++)
		EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_STREQ("2 2 2", depths());
	for (i = 0; i < N; i++)
		alter_at(at[i], "bind=0");
	od.Version = MQOD_VERSION_3;
	FIELD_SET(od.ObjectName, CQ);
	pmo.Version = MQPMO_VERSION_2;
	for (i = 0; i < 6; i++) {
		MQPUT1(self->c, &od, &md, &pmo, 1, "x", &cc, &rc);
		ASSERT_STREQ("OK", outcome(cc, rc));
		EXPECT_EQ(1, od.UnknownDestCount);
		EXPECT_EQ(1, pmo.UnknownDestCount);
		EXPECT_EQ('Q', od.ResolvedQMgrName[0]);
		EXPECT_EQ(0, memcmp(od.ResolvedQMgrName, pmo.ResolvedQMgrName,
				    MQ_Q_MGR_NAME_LENGTH));
	}
	EXPECT_STREQ("4 4 4", depths());
}

/* O-BIND-2, O-BIND-5: a group is never split */
TEST_F(cluster, bind_on_group)
{
	struct mqh *h = opn(self->c, CQ, "oG");
	int i;

	for (i = 0; i < 6; i++) {
		EXPECT_STREQ("OK", put(h, "A(-,-,-,G) LO"));
		EXPECT_STREQ("OK", put(h, "B(-,-,-,G) LO"));
		EXPECT_STREQ("OK", put(h, "C(-,-,-,L) LO"));
	}
	EXPECT_STREQ("6 6 6", depths());
	for (i = 0; i < N; i++)
		EXPECT_EQ(2, whole_groups(at[i]));
}

/* O-BIND-3, P-LOG-17: what does not belong to the open group */
TEST_F(cluster, not_part_of_the_group)
{
	struct mqh *h = opn(self->c, CQ, "oG");

	EXPECT_STREQ("OK", put(h, "A(-,-,-,G) LO"));
	EXPECT_STREQ("F2241", put(h, "X LO"));
	EXPECT_STREQ("F2241", put(h, "X"));
	EXPECT_STREQ("F2241", put(h, "X(Z,1,0,G)"));
	EXPECT_EQ(1, depth_at("QA") + depth_at("QB") + depth_at("QC"));
	/* state kept: the group goes on */
	EXPECT_STREQ("OK", put(h, "B(-,-,-,GS) LO"));
	EXPECT_STREQ("F2242", put(h, "X"));
	EXPECT_STREQ("F2242", put(h, "X(Z,1,0,G)"));
	EXPECT_STREQ("OK", put(h, "C(-,-,-,LE) LO"));
	EXPECT_STREQ("OK", put(h, "X"));
	EXPECT_EQ(4, depth_at("QA") + depth_at("QB") + depth_at("QC"));
}

/* P-LOG-17: also after puts that did not ask for logical order */
TEST_F(cluster, group_in_physical_order)
{
	struct mqh *h = opn(self->c, CQ, "oG");

	EXPECT_STREQ("OK", put(h, "A(Y,1,0,G)"));
	EXPECT_STREQ("F2241", put(h, "X"));
	EXPECT_STREQ("F2241", put(h, "X(Z,2,0,G)"));
	EXPECT_STREQ("OK", put(h, "B(Y,2,0,G)"));
	EXPECT_STREQ("OK", put(h, "C(Y,3,0,L)"));
	EXPECT_STREQ("OK", put(h, "X"));
	EXPECT_TRUE(depth_at("QA") == 3 || depth_at("QB") == 3 ||
		    depth_at("QC") == 3);
}

/* O-BIND-4: without a group, as not fixed */
TEST_F(cluster, on_group_without_a_group)
{
	struct mqh *h = opn(self->c, CQ, "oG");
	int i;

	for (i = 0; i < 6; i++)
		EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_STREQ("2 2 2", depths());
}

/* O-BIND-9, O-BIND-8: no cluster queue, no difference */
TEST_F(cluster, plain_queue)
{
	struct mqh *h;

	ASSERT_STREQ("OK", define("KT.PLAIN", "fifo bind=2"));
	h = opn(self->c, "KT.PLAIN", "oG");
	EXPECT_STREQ("OK", put(h, "A(-,-,-,G) LO"));
	EXPECT_STREQ("W2241", put(h, "X"));
	h = opn(self->c, "KT.PLAIN", "o");
	EXPECT_STREQ("OK", put(h, "A(-,-,-,G) LO"));
	EXPECT_STREQ("W2241", put(h, "X"));
	EXPECT_EQ(4, depth("KT.PLAIN"));
}

/* U-GRP-2: after a back-out the group goes on where it was */
TEST_F(cluster, back_out_within_a_group)
{
	struct mqh *h = opn(self->c, CQ, "oG");

	EXPECT_STREQ("OK", put(h, "A(-,-,-,G) LO SP"));
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_STREQ("OK", put(h, "B(-,-,-,G) LO SP"));
	EXPECT_STREQ("OK", put(h, "C(-,-,-,L) LO SP"));
	EXPECT_STREQ("OK", put(h, "D(-,-,-,L) LO SP"));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_STREQ("OK", put(h, "B(-,-,-,G) LO SP"));
	EXPECT_STREQ("OK", put(h, "C(-,-,-,L) LO SP"));
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_TRUE(depth_at("QA") == 3 || depth_at("QB") == 3 ||
		    depth_at("QC") == 3);
	EXPECT_EQ(3, depth_at("QA") + depth_at("QB") + depth_at("QC"));
}

/* One that is inhibited or full is left out. */
TEST_F(cluster, unwilling_instances)
{
	struct mqh *h = opn(self->c, CQ, "oN");
	int i;

	alter_at("QA", "put=1");
	alter_at("QB", "depth=2");
	for (i = 0; i < 8; i++)
		EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_STREQ("0 2 6", depths());
	alter_at("QC", "depth=6");
	EXPECT_STREQ("F2053", put(h, "M"));
	alter_at("QA", "put=0");
	EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_STREQ("1 2 6", depths());
}

/* O-BIND-7 */
TEST_F(cluster, all_inhibited)
{
	struct mqh *h = opn(self->c, CQ, "oN");
	int i;

	for (i = 0; i < N; i++)
		alter_at(at[i], "put=1");
	EXPECT_STREQ("F2268", put(h, "M"));
	EXPECT_STREQ("F2268", opn_rc(self->c, CQ, "oO"));
	/* O-OPEN-7: which of them is only chosen later */
	EXPECT_STREQ("OK", opn_rc(self->c, CQ, "oN"));
	alter_at("QB", "put=0");
	EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_STREQ("0 1 0", depths());
}

/* O-BIND-7: no instance left; instances come and go */
TEST_F(cluster, instances_come_and_go)
{
	struct mqh *h = opn(self->c, CQ, "oN");
	int i;

	for (i = 0; i < 3; i++)
		EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_STREQ("1 1 1", depths());
	/* no longer in the cluster */
	for (i = 0; i < N; i++)
		alter_at(at[i], "cluster=");
	EXPECT_STREQ("F2270", put(h, "M"));
	EXPECT_STREQ("F2085", opn_rc(self->c, CQ, "o"));
	alter_at("QC", "cluster=KT");
	EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_STREQ("1 1 2", depths());
	ASSERT_STREQ("OK", make_qmgr("QD"));
	admin_at("QD");
	ASSERT_STREQ("OK", define(CQ, "cluster=KT"));
	admin_at("");
	EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_EQ(3, depth_at("QC"));
	EXPECT_EQ(1, depth_at("QD"));
	/* with its queue manager */
	EXPECT_STREQ("OK", delete_qmgr("QD"));
	EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_EQ(4, depth_at("QC"));
}

/* A group whose instance is gone has nowhere to go (O-BIND-5, O-BIND-7). */
TEST_F(cluster, instance_of_a_group_goes)
{
	struct mqh *h = opn(self->c, CQ, "oG");
	char where[MQ_Q_MGR_NAME_LENGTH + 1] = "";

	EXPECT_STREQ("OK", put(h, "A(-,-,-,G) LO"));
	memcpy(where, h->pmo.ResolvedQMgrName, 2);
	alter_at(where, "cluster=");
	EXPECT_STREQ("F2270", put(h, "B(-,-,-,G) LO"));
	alter_at(where, "cluster=KT");
	EXPECT_STREQ("OK", put(h, "B(-,-,-,L) LO"));
	EXPECT_EQ(2, depth_at(where));
}

/* CLWLRANK and CLWLPRTY */
TEST_F(cluster, rank_and_priority)
{
	struct mqh *h = opn(self->c, CQ, "oN");
	int i;

	alter_at("QA", "prty=9");
	alter_at("QB", "rank=1");
	alter_at("QC", "rank=1 prty=1");
	for (i = 0; i < 4; i++)
		EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_STREQ("0 0 4", depths());
	alter_at("QC", "put=1");
	EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_STREQ("0 1 4", depths());
	alter_at("QB", "put=1");
	EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_STREQ("1 1 4", depths());
}

/* An instance at the program's own queue manager comes first (CLWLUSEQ). */
TEST_F(cluster, local_instance)
{
	struct mqh *h;
	int i;

	ASSERT_STREQ("OK", define(CQ, "fifo cluster=KT"));
	h = opn(self->c, CQ, "oN");
	EXPECT_STREQ(QM, h->qm);
	for (i = 0; i < 4; i++)
		EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_EQ(4, depth(CQ));
	EXPECT_STREQ("0 0 0", depths());
	/* any: all are used */
	ASSERT_STREQ("OK", alter(CQ, "useq=1"));
	h = opn(self->c, CQ, "oN");
	for (i = 0; i < 8; i++)
		EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_EQ(6, depth(CQ));
	EXPECT_STREQ("2 2 2", depths());
	/* by its full name, and for gets, only this one */
	h = opn(self->c, CQ "@" QM, "oN");
	EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_EQ(7, depth(CQ));
	h = opn(self->c, CQ, "ioN");
	EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_STREQ("M", get(h, ""));
	EXPECT_EQ(7, depth(CQ));
	/* as the queue manager says */
	ASSERT_STREQ("OK", alter(CQ, "useq=-3"));
	h = opn(self->c, CQ, "oN");
	EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_EQ(8, depth(CQ));
	ASSERT_STREQ("OK", alter_qmgr("useq=1"));
	h = opn(self->c, CQ, "oN");
	for (i = 0; i < 4; i++)
		EXPECT_STREQ("OK", put(h, "M"));
	EXPECT_EQ(9, depth(CQ));
	EXPECT_STREQ("3 3 3", depths());
	ASSERT_STREQ("OK", alter_qmgr("useq=0"));
}

/* O-INQ-7, O-RES-1: what a cluster queue without an instance here allows */
TEST_F(cluster, inquire_only)
{
	MQLONG value;
	struct mqh *h;

	alter_at("QA", "pri=4 bind=2");
	EXPECT_STREQ("F2045", opn_rc(self->c, CQ, "i"));
	EXPECT_STREQ("F2045", opn_rc(self->c, CQ, "b"));
	EXPECT_STREQ("F2045", opn_rc(self->c, CQ, "s"));
	h = opn(self->c, CQ, "q");
	ASSERT_STREQ("OK", outcome(h->cc, h->rc));
	EXPECT_EQ(0, inquire_q(self->c, h, MQIA_Q_TYPE, &value));
	EXPECT_EQ(MQQT_CLUSTER, value);
	EXPECT_EQ(0, inquire_q(self->c, h, MQIA_DEF_BIND, &value));
	EXPECT_EQ(2, value);
	EXPECT_EQ(0, inquire_q(self->c, h, MQIA_DEF_PRIORITY, &value));
	EXPECT_EQ(4, value);
	EXPECT_EQ(0, inquire_q(self->c, h, MQIA_DEF_PERSISTENCE, &value));
	EXPECT_EQ(0, inquire_q(self->c, h, MQIA_INHIBIT_PUT, &value));
	EXPECT_EQ(MQRC_SELECTOR_NOT_FOR_TYPE,
		  inquire_q(self->c, h, MQIA_CURRENT_Q_DEPTH, &value));
	EXPECT_EQ(MQIAV_NOT_APPLICABLE, value);
	EXPECT_EQ(MQRC_SELECTOR_ERROR,
		  inquire_q(self->c, h, MQIA_MAX_HANDLES, &value));
}

/* An alias may stand for a cluster queue; its DefBind counts (O-BIND-1). */
TEST_F(cluster, alias)
{
	struct mqh *h;
	int i;

	ASSERT_STREQ("OK", define("KT.ALIAS", "alias target=" CQ " bind=1 pri=3"));
	h = opn(self->c, "KT.ALIAS", "o");
	ASSERT_STREQ("OK", outcome(h->cc, h->rc));
	for (i = 0; i < 6; i++)
		EXPECT_STREQ("OK", put(h, "M p=-1"));
	EXPECT_EQ(3, h->md.Priority);
	EXPECT_STREQ("2 2 2", depths());
	ASSERT_STREQ("OK", alter("KT.ALIAS", "alias put=1"));
	EXPECT_STREQ("F2051", put(h, "M"));
	/* P-CALL-10 */
	ASSERT_STREQ("OK", alter("KT.ALIAS", "alias put=0 target=KT.NONE"));
	EXPECT_STREQ("F2041", put(h, "M"));
	EXPECT_STREQ("F2082", opn_rc(self->c, "KT.ALIAS", "o"));
}

/* Aliases and remote definitions as instances */
TEST_F(cluster, instances_that_lead_on)
{
	struct mqh *h;
	int i;

	admin_at("QA");
	ASSERT_STREQ("OK", define("KT.BASE", ""));
	ASSERT_STREQ("OK", define(CQ, "alias target=KT.BASE cluster=KT"));
	admin_at("QB");
	ASSERT_STREQ("OK", define("KT.X", "usage=1"));
	ASSERT_STREQ("OK", define(CQ, "remote rname=FAR rqm=AWAY xmitq=KT.X "
				      "cluster=KT"));
	admin_at("");
	h = opn(self->c, CQ, "oN");
	h->q[0] = 0;
	for (i = 0; i < 6; i++) {
		put(h, "M");
		EXPECT_STREQ("OK", outcome(h->cc, h->rc));
	}
	admin_at("QA");
	EXPECT_EQ(2, depth("KT.BASE"));
	admin_at("QB");
	EXPECT_EQ(2, depth("KT.X"));
	admin_at("");
	EXPECT_EQ(2, depth_at("QC"));
}

/* A queue at another queue manager of the module, by its full name */
TEST_F(cluster, by_queue_manager)
{
	struct mqh *h;

	admin_at("QB");
	ASSERT_STREQ("OK", define("KT.OTHER", ""));
	admin_at("");
	h = opn(self->c, "KT.OTHER@QB", "o");
	ASSERT_STREQ("OK", outcome(h->cc, h->rc));
	EXPECT_STREQ("KT.OTHER", h->q);
	EXPECT_STREQ("QB", h->qm);
	EXPECT_STREQ("OK", put(h, "M pmo=2"));
	EXPECT_EQ(1, h->pmo.UnknownDestCount);
	EXPECT_STREQ("F2045", opn_rc(self->c, "KT.OTHER@QB", "i"));
	EXPECT_STREQ("F2045", opn_rc(self->c, "KT.OTHER@QB", "q"));
	EXPECT_STREQ("F2085", opn_rc(self->c, "KT.NONE@QB", "o"));
	EXPECT_STREQ("F2087", opn_rc(self->c, "KT.OTHER@QX", "o"));
	/* it cannot be deleted while messages go there from here */
	admin_at("QB");
	EXPECT_STREQ("F4004", delete_q("KT.OTHER", KMQ_DELETE_PURGE));
	admin_at("");
	EXPECT_STREQ("F4004", delete_qmgr("QB"));
	EXPECT_STREQ("OK", shut(h));
	EXPECT_STREQ("OK", delete_qmgr("QB"));
	EXPECT_STREQ("F2087", opn_rc(self->c, "KT.OTHER@QB", "o"));
}

/* U-CMIT-2, U-BACK-1 over several queue managers */
TEST_F(cluster, unit_of_work)
{
	struct mqh *h = opn(self->c, CQ, "oN");
	MQHCONN a = conn_to("QA");
	struct mqh *g = opn(a, CQ, "i");
	int i;

	for (i = 0; i < 3; i++)
		EXPECT_STREQ("OK", put(h, "M SP"));
	EXPECT_STREQ("1 1 1", depths());
	EXPECT_STREQ("F2033", get(g, ""));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_STREQ("0 0 0", depths());
	for (i = 0; i < 3; i++)
		EXPECT_STREQ("OK", put(h, "M SP"));
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_STREQ("M", get(g, ""));
	disc(&a);
}

/* A report goes back to the queue manager of the one who asked (P-REP-1). */
TEST_F(cluster, report_of_arrival)
{
	struct mqh *h, *r;

	ASSERT_STREQ("OK", define("KT.REPLY", ""));
	h = opn(self->c, CQ, "oN");
	r = opn(self->c, "KT.REPLY", "i");
	EXPECT_STREQ("OK", put(h, "M rep=0x100 rq=KT.REPLY"));
	get(r, "");
	EXPECT_STREQ("OK", outcome(r->cc, r->rc));
	EXPECT_EQ(MQFB_COA, r->md.Feedback);
}

#define PRODUCERS	8
#define GROUPS		50

struct producer {
	pthread_t thread;
	MQHCONN c;
	unsigned int failed;
};

/* Plain MQI calls: the names that put() keeps are not for several threads. */
static void *produce(void *arg)
{
	static const MQLONG flags[] = {
		MQMF_MSG_IN_GROUP, MQMF_MSG_IN_GROUP, MQMF_LAST_MSG_IN_GROUP,
	};
	struct producer *p = arg;
	MQOD od = { MQOD_DEFAULT };
	MQHCONN c = p->c;
	MQLONG cc, rc;
	MQHOBJ ho;
	int i;

	FIELD_SET(od.ObjectName, CQ);
	MQOPEN(c, &od, MQOO_OUTPUT | MQOO_BIND_ON_GROUP, &ho, &cc, &rc);
	p->failed += cc != MQCC_OK;
	for (i = 0; i < GROUPS * 3; i++) {
		MQPMO pmo = { MQPMO_DEFAULT };
		MQMD md = { MQMD_DEFAULT };

		pmo.Options = MQPMO_LOGICAL_ORDER | MQPMO_NO_SYNCPOINT;
		md.Version = MQMD_VERSION_2;
		md.MsgFlags = flags[i % 3];
		MQPUT(c, ho, &md, &pmo, sizeof(i), &i, &cc, &rc);
		p->failed += cc != MQCC_OK;
	}
	MQDISC(&c, &cc, &rc);
	return NULL;
}

/* O-BIND-2: 8 producers, 4 instances; whole groups, balanced within 10 % */
TEST_F(cluster, groups_are_balanced)
{
	struct producer p[PRODUCERS] = {};
	const int even = PRODUCERS * GROUPS / 4;
	int i, n, all = 0;

	ASSERT_STREQ("OK", make_qmgr("QD"));
	admin_at("QD");
	ASSERT_STREQ("OK", define(CQ, "fifo cluster=KT"));
	admin_at("");
	for (i = 0; i < PRODUCERS; i++)
		p[i].c = conn();
	for (i = 0; i < PRODUCERS; i++)
		pthread_create(&p[i].thread, NULL, produce, &p[i]);
	for (i = 0; i < PRODUCERS; i++) {
		pthread_join(p[i].thread, NULL);
		EXPECT_EQ(0, p[i].failed);
	}
	for (i = 0; i < 4; i++) {
		n = whole_groups(at[i]);
		EXPECT_LE(even * 9 / 10, n);
		EXPECT_GE(even * 11 / 10, n);
		all += n;
	}
	EXPECT_EQ(PRODUCERS * GROUPS, all);
}

TEST_HARNESS_MAIN
