/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A queue manager or a connection that an administrator quiesces (G-WAIT-11,
 * G-WAIT-12, G-SIG-3, O-OPEN-13).
 */
#include <string.h>
#include <sys/ioctl.h>
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

#define PROC	"KT.PROC"
#define NAMES	"KT.NAMES"
#define NONE	"KT.NONE"

static const char *define_names(void)
{
	struct kmq_define cmd = {
		.size = sizeof(cmd), .object_type = MQOT_NAMELIST,
	};

	field_set((char *)cmd.name, KMQ_NAME_LEN, NAMES);
	field_set((char *)cmd.like, KMQ_NAME_LEN, "");
	return ioctl(admin_fd(), KMQ_IOC_DEFINE, &cmd) ? "errno" :
	       outcome(cmd.out_comp_code, cmd.out_reason);
}

static void delete_names(void)
{
	struct kmq_delete cmd = {
		.size = sizeof(cmd), .object_type = MQOT_NAMELIST,
	};

	field_set((char *)cmd.name, KMQ_NAME_LEN, NAMES);
	ioctl(admin_fd(), KMQ_IOC_DELETE, &cmd);
}

static const char *open_it(MQHCONN hc, MQLONG type, const char *name,
			   MQLONG options)
{
	MQLONG cc, rc, ignored;
	MQOD od = { MQOD_DEFAULT };
	MQHOBJ ho = 77;

	od.ObjectType = type;
	FIELD_SET(od.ObjectName, name);
	MQOPEN(hc, &od, MQOO_INQUIRE | options, &ho, &cc, &rc);
	if (cc == MQCC_FAILED)
		return ho == MQHO_UNUSABLE_HOBJ ? outcome(cc, rc) : "a handle";
	MQCLOSE(hc, &ho, MQCO_NONE, &ignored, &ignored);
	return outcome(cc, rc);
}

static const char *put1_to(MQHCONN hc, const char *name, MQLONG options)
{
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQOD od = { MQOD_DEFAULT };
	MQLONG cc, rc;

	pmo.Options = options | MQPMO_NO_SYNCPOINT;
	FIELD_SET(od.ObjectName, name);
	MQPUT1(hc, &od, &md, &pmo, 0, NULL, &cc, &rc);
	return outcome(cc, rc);
}

/* Each open that says so fails with @want, before its name is looked for. */
static void opens_fail(struct __test_metadata *_metadata, MQHCONN hc,
		       const char *want)
{
	static const struct {
		MQLONG type;
		const char *name, *otherwise;
	} objects[] = {
		{ MQOT_Q, Q, "OK" },
		{ MQOT_Q, NONE, "F2085" },
		{ MQOT_PROCESS, PROC, "OK" },
		{ MQOT_PROCESS, NONE, "F2085" },
		{ MQOT_NAMELIST, NAMES, "OK" },
		{ MQOT_NAMELIST, NONE, "F2085" },
		{ MQOT_Q_MGR, "", "OK" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(objects); i++) {
		const char *name = objects[i].name;
		MQLONG type = objects[i].type;

		EXPECT_STREQ(objects[i].otherwise, open_it(hc, type, name, 0))
			TH_LOG("case %u", i);
		EXPECT_STREQ(want, open_it(hc, type, name,
					   MQOO_FAIL_IF_QUIESCING))
			TH_LOG("case %u", i);
		/* 2046 comes before */
		EXPECT_STREQ("F2046", open_it(hc, type, name, 1 << 30 |
					      MQOO_FAIL_IF_QUIESCING))
			TH_LOG("case %u", i);
	}
	EXPECT_STREQ("F2085", put1_to(hc, NONE, 0));
	EXPECT_STREQ(want, put1_to(hc, NONE, MQPMO_FAIL_IF_QUIESCING));
	EXPECT_STREQ(want, put1_to(hc, Q, MQPMO_FAIL_IF_QUIESCING));
	EXPECT_EQ(0, depth(Q));
}

/* O-OPEN-13, section 3.2: FAIL_IF_QUIESCING, objects of each type */
TEST_F(q, opens)
{
	MQBYTE24 id;
	MQHCONN hc = conn_known(id);

	ASSERT_STREQ("OK", define_process(PROC, ""));
	ASSERT_STREQ("OK", define_names());
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	opens_fail(_metadata, hc, "F2161");
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	EXPECT_STREQ("OK", conn_state(id, KMQ_QMGR_QUIESCING));
	opens_fail(_metadata, hc, "F2202");
	/* both: the queue manager is told */
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	opens_fail(_metadata, hc, "F2161");
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	EXPECT_STREQ("OK", conn_state(id, KMQ_QMGR_RUNNING));
	EXPECT_STREQ("OK", open_it(hc, MQOT_Q_MGR, "", MQOO_FAIL_IF_QUIESCING));
	disc(&hc);
	delete_process(PROC);
	delete_names();
}

TEST_HARNESS_MAIN
