/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Events (objects.md section 12): when one happens, what switches itself off and
 * on, and what the message says.
 */
#include <string.h>
#include <unistd.h>
#include "kselftest_harness.h"
#include "mqi.h"
#include "waiter.h"
#include <cmqcfc.h>

#define APP	"KT.APP"
#define PERFM	"SYSTEM.ADMIN.PERFM.EVENT"
#define QMGR	"SYSTEM.ADMIN.QMGR.EVENT"

FIXTURE(event) {
	MQHCONN c, monitor;
	struct mqh *h;		/* APP, for input and output */
	struct mqh *perfm, *qmgr;
};

FIXTURE_SETUP(event)
{
	ASSERT_STREQ("OK", define(PERFM, "pri=4"));
	ASSERT_STREQ("OK", define(QMGR, ""));
	ASSERT_STREQ("OK", define(APP, "depth=10 high=80 low=20 highev=1"));
	ASSERT_STREQ("OK", alter_qmgr("perfev=1"));
	self->c = conn();
	self->monitor = conn();
	self->h = opn(self->c, APP, "io");
	self->perfm = opn(self->monitor, PERFM, "i");
	self->qmgr = opn(self->monitor, QMGR, "i");
}

FIXTURE_TEARDOWN(event)
{
	qmgr_state(KMQ_QMGR_RUNNING);
	alter_qmgr("perfev=0 inhibitev=0 localev=0 authev=0 startev=1");
	disc(&self->c);
	disc(&self->monitor);
	clean_up();
}

static MQMD event_md;
static char event_data[1024];
static MQLONG event_length;

/* The next event: its reason, 0 if there is none. */
static int next_event(struct mqh *q)
{
	MQGMO gmo = { MQGMO_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQLONG cc, rc;
	MQCFH h;

	MQGET(q->hc, q->ho, &md, &gmo, sizeof(event_data), event_data,
	      &event_length, &cc, &rc);
	if (rc == MQRC_NO_MSG_AVAILABLE)
		return 0;
	event_md = md;
	memcpy(&h, event_data, sizeof(h));
	if (rc || h.Type != MQCFT_EVENT || h.StrucLength != 36 ||
	    h.Version != 1 || h.MsgSeqNumber != 1 || h.Control != MQCFC_LAST ||
	    h.CompCode != MQCC_WARNING)
		return -1;
	return h.Reason;
}

/* A parameter of the event, or NULL; what does not add up is NULL, too. */
static const char *parameter(int which, int type)
{
	static char text[256];
	MQLONG at = 36, seen = 0;
	const char *found = NULL;
	MQCFIN in;
	MQCFST st;

	while (at + 16 <= event_length) {
		memcpy(&in, event_data + at, sizeof(in));
		if (in.Parameter == which && in.Type == type &&
		    type == MQCFT_INTEGER) {
			sprintf(text, "%d", in.Value);
			found = text;
		}
		memcpy(&st, event_data + at, 20);
		if (st.Parameter == which && st.Type == type &&
		    type == MQCFT_STRING) {
			memcpy(text, event_data + at + 20, st.StringLength);
			text[st.StringLength] = '\0';
			while (*text && text[strlen(text) - 1] == ' ')
				text[strlen(text) - 1] = '\0';
			found = text;
		}
		if (in.StrucLength <= 0 || in.StrucLength % 4)
			return NULL;
		at += in.StrucLength;
		seen++;
	}
	return at == event_length && seen == ((MQCFH *)event_data)->ParameterCount ?
	       found : NULL;
}

#define NUMBER(which)	parameter(which, MQCFT_INTEGER)
#define TEXT(which)	parameter(which, MQCFT_STRING)
#define PERFM_IS(reason) EXPECT_EQ(reason, next_event(self->perfm))
#define QMGR_IS(reason)	EXPECT_EQ(reason, next_event(self->qmgr))
#define SET(high, low, full) do {					\
	EXPECT_EQ(high, inquire_int(APP, MQIA_Q_DEPTH_HIGH_EVENT));	\
	EXPECT_EQ(low, inquire_int(APP, MQIA_Q_DEPTH_LOW_EVENT));	\
	EXPECT_EQ(full, inquire_int(APP, MQIA_Q_DEPTH_MAX_EVENT));	\
} while (0)

static void put_some(struct mqh *h, int n)
{
	while (n--)
		put(h, "M");
}

/* O-EVT-1: high, low, and how they switch each other. */
TEST_F(event, depth)
{
	int i;

	SET(1, 0, 1);
	put_some(self->h, 7);
	PERFM_IS(0);
	put_some(self->h, 1);
	PERFM_IS(MQRC_Q_DEPTH_HIGH);
	SET(0, 1, 1);
	put_some(self->h, 1);
	PERFM_IS(0);
	for (i = 9; i > 3; i--)
		get(self->h, "");
	PERFM_IS(0);
	get(self->h, "");
	PERFM_IS(MQRC_Q_DEPTH_LOW);
	SET(1, 0, 1);
	get(self->h, "");
	PERFM_IS(0);
}

/* O-EVT-1: a put that fails with 2053. */
TEST_F(event, full)
{
	ASSERT_STREQ("OK", alter(APP, "highev=0"));
	put_some(self->h, 10);
	PERFM_IS(0);
	EXPECT_STREQ("F2053", put(self->h, "X"));
	PERFM_IS(MQRC_Q_FULL);
	SET(0, 1, 0);
	EXPECT_STREQ("F2053", put(self->h, "X"));
	PERFM_IS(0);
	while (depth(APP) > 2)
		get(self->h, "");
	PERFM_IS(MQRC_Q_DEPTH_LOW);
	SET(1, 0, 1);
	put_some(self->h, 8);
	PERFM_IS(MQRC_Q_DEPTH_HIGH);
	EXPECT_STREQ("F2053", put(self->h, "X"));
	PERFM_IS(MQRC_Q_FULL);
}

/* O-EVT-2, U-WAIT-5, U-GEN-4: uncommitted puts count, and it is sent at once. */
TEST_F(event, uncommitted)
{
	int i;

	for (i = 0; i < 8; i++)
		EXPECT_STREQ("OK", put(self->h, "M SP"));
	PERFM_IS(MQRC_Q_DEPTH_HIGH);
	EXPECT_STREQ("OK", back(self->c));
	/* That was no get. */
	PERFM_IS(0);
	put_some(self->h, 3);
	EXPECT_STREQ("M", get(self->h, "SP"));
	PERFM_IS(MQRC_Q_DEPTH_LOW);
	EXPECT_STREQ("OK", back(self->c));
}

/* O-EVT-3, O-EVT-6: the message, and statistics that start anew. */
TEST_F(event, message)
{
	put_some(self->h, 7);
	get(self->h, "");
	get(self->h, "");
	put_some(self->h, 3);
	PERFM_IS(MQRC_Q_DEPTH_HIGH);
	EXPECT_EQ(36 + 2 * 68 + 4 * 16, event_length);
	EXPECT_EQ(MQCMD_PERFM_EVENT, ((MQCFH *)event_data)->Command);
	EXPECT_EQ(6, ((MQCFH *)event_data)->ParameterCount);
	EXPECT_STREQ(QM, TEXT(MQCA_Q_MGR_NAME));
	EXPECT_STREQ(APP, TEXT(MQCA_BASE_OBJECT_NAME));
	EXPECT_STREQ("8", NUMBER(MQIA_HIGH_Q_DEPTH));
	EXPECT_STREQ("10", NUMBER(MQIA_MSG_ENQ_COUNT));
	EXPECT_STREQ("2", NUMBER(MQIA_MSG_DEQ_COUNT));
	EXPECT_NE(NULL, NUMBER(MQIA_TIME_SINCE_RESET));
	EXPECT_TRUE(FIELD_IS(event_md.Format, MQFMT_EVENT));
	EXPECT_EQ(MQMT_DATAGRAM, event_md.MsgType);
	EXPECT_EQ(4, event_md.Priority);
	EXPECT_EQ(MQPER_NOT_PERSISTENT, event_md.Persistence);
	EXPECT_EQ(MQENC_NATIVE, event_md.Encoding);
	EXPECT_EQ(MQRO_NONE, event_md.Report);
	EXPECT_EQ(MQFB_NONE, event_md.Feedback);
	EXPECT_EQ(MQEI_UNLIMITED, event_md.Expiry);
	EXPECT_TRUE(all_zero(event_md.CorrelId, 24));
	EXPECT_EQ(MQAT_QMGR, event_md.PutApplType);
	EXPECT_TRUE(FIELD_IS(event_md.PutApplName, QM));
	EXPECT_TRUE(id_generated(event_md.MsgId));

	put_some(self->h, 1);
	while (depth(APP) > 2)
		get(self->h, "");
	PERFM_IS(MQRC_Q_DEPTH_LOW);
	EXPECT_STREQ("9", NUMBER(MQIA_HIGH_Q_DEPTH));
	EXPECT_STREQ("1", NUMBER(MQIA_MSG_ENQ_COUNT));
	EXPECT_STREQ("7", NUMBER(MQIA_MSG_DEQ_COUNT));
}

/* Section 12: both the queue manager and the queue must want it. */
TEST_F(event, switched_off)
{
	ASSERT_STREQ("OK", alter_qmgr("perfev=0"));
	put_some(self->h, 10);
	EXPECT_STREQ("F2053", put(self->h, "X"));
	PERFM_IS(0);
	SET(1, 0, 1);
	ASSERT_STREQ("OK", alter_qmgr("perfev=1"));
	ASSERT_STREQ("OK", alter(APP, "highev=0 fullev=0"));
	EXPECT_STREQ("F2053", put(self->h, "X"));
	PERFM_IS(0);
	ASSERT_STREQ("OK", alter(APP, "lowev=1"));
	while (depth(APP))
		get(self->h, "");
	PERFM_IS(MQRC_Q_DEPTH_LOW);
	EXPECT_STREQ("0", NUMBER(MQIA_MSG_ENQ_COUNT));
}

/* Section 12: nothing fails without an event queue, or if it is full. */
TEST_F(event, event_queue_is_missing)
{
	shut(self->perfm);
	ASSERT_STREQ("OK", delete_q(PERFM, 0));
	put_some(self->h, 8);
	EXPECT_EQ(8, depth(APP));
	SET(0, 1, 1);
	ASSERT_STREQ("OK", define(PERFM, "depth=0"));
	self->perfm = opn(self->monitor, PERFM, "i");
	while (depth(APP) > 2) {
		get(self->h, "");
		ASSERT_EQ(MQRC_NONE, self->h->rc);
	}
	SET(1, 0, 1);
	PERFM_IS(0);
}

/* O-EVT-4: nothing was got in time; then something is. */
TEST_F(event, service_interval)
{
	ASSERT_STREQ("OK", alter(APP, "highev=0 serviceev=1 service=300"));
	put_some(self->h, 1);
	put_some(self->h, 1);
	PERFM_IS(0);
	nap(350);
	put_some(self->h, 1);
	PERFM_IS(MQRC_Q_SERVICE_INTERVAL_HIGH);
	EXPECT_STREQ("3", NUMBER(MQIA_MSG_ENQ_COUNT));
	EXPECT_EQ(MQQSIE_OK, inquire_int(APP, MQIA_Q_SERVICE_INTERVAL_EVENT));
	put_some(self->h, 1);
	PERFM_IS(0);
	/* This get is late itself, and starts the timer anew. */
	get(self->h, "");
	PERFM_IS(0);
	get(self->h, "");
	PERFM_IS(MQRC_Q_SERVICE_INTERVAL_OK);
	EXPECT_EQ(MQQSIE_HIGH, inquire_int(APP, MQIA_Q_SERVICE_INTERVAL_EVENT));
	get(self->h, "");
	get(self->h, "");
	PERFM_IS(0);
	/* Off while the queue is empty. */
	nap(350);
	put_some(self->h, 1);
	PERFM_IS(0);
	nap(350);
	get(self->h, "");
	PERFM_IS(MQRC_Q_SERVICE_INTERVAL_HIGH);
}

/* A get that waits is served by the put. */
TEST_F(event, served_while_it_waits)
{
	struct mqh *out = opn(self->monitor, APP, "o");
	struct waiter *w;

	ASSERT_STREQ("OK", alter(APP, "highev=0 lowev=1"));
	w = wait_get(self->h, "WT(10000)");
	ASSERT_TRUE(sleepers(APP, 1));
	EXPECT_STREQ("OK", put(out, "M"));
	EXPECT_STREQ("M", result(w));
	PERFM_IS(MQRC_Q_DEPTH_LOW);
	PERFM_IS(0);
}

/* Section 12: inhibited puts and gets, also through an alias. */
TEST_F(event, inhibited)
{
	struct mqh *alias;

	ASSERT_STREQ("OK", alter(APP, "put=1 get=1"));
	EXPECT_STREQ("F2051", put(self->h, "M"));
	QMGR_IS(0);
	ASSERT_STREQ("OK", alter_qmgr("inhibitev=1"));
	EXPECT_STREQ("F2051", put(self->h, "M"));
	QMGR_IS(MQRC_PUT_INHIBITED);
	EXPECT_EQ(MQCMD_Q_MGR_EVENT, ((MQCFH *)event_data)->Command);
	EXPECT_STREQ(QM, TEXT(MQCA_Q_MGR_NAME));
	EXPECT_STREQ(APP, TEXT(MQCA_Q_NAME));
	EXPECT_STREQ("6", NUMBER(MQIA_APPL_TYPE));
	EXPECT_NE(NULL, strstr(TEXT(MQCACF_APPL_NAME), "event_test"));
	EXPECT_STREQ("F2016", get(self->h, ""));
	QMGR_IS(MQRC_GET_INHIBITED);
	EXPECT_STREQ(APP, TEXT(MQCA_Q_NAME));
	ASSERT_STREQ("OK", alter(APP, "put=0 get=0"));
	ASSERT_STREQ("OK", define("KT.ALIAS", "alias get=1 target=" APP));
	alias = opn(self->c, "KT.ALIAS", "i");
	EXPECT_STREQ("F2016", get(alias, ""));
	QMGR_IS(MQRC_GET_INHIBITED);
	EXPECT_STREQ("KT.ALIAS", TEXT(MQCA_Q_NAME));
	EXPECT_STREQ("F2033", get(self->h, ""));
	QMGR_IS(0);
}

/* Section 12: an alias that leads nowhere. */
TEST_F(event, alias_base)
{
	ASSERT_STREQ("OK", define("KT.ALIAS", "alias target=KT.NONE"));
	ASSERT_STREQ("OK", define("KT.ALIAS2", "alias target=KT.ALIAS"));
	EXPECT_STREQ("F2082", opn_rc(self->c, "KT.ALIAS", "o"));
	QMGR_IS(0);
	ASSERT_STREQ("OK", alter_qmgr("localev=1"));
	EXPECT_STREQ("F2082", opn_rc(self->c, "KT.ALIAS", "o"));
	QMGR_IS(MQRC_UNKNOWN_ALIAS_BASE_Q);
	EXPECT_STREQ("KT.ALIAS", TEXT(MQCA_Q_NAME));
	EXPECT_STREQ("KT.NONE", TEXT(MQCA_BASE_OBJECT_NAME));
	EXPECT_STREQ("F2001", opn_rc(self->c, "KT.ALIAS2", "o"));
	QMGR_IS(MQRC_ALIAS_BASE_Q_TYPE_ERROR);
}

/* Section 12: an open that the kernel refuses; nodes refuse others before. */
TEST_F(event, not_authorized)
{
	ASSERT_STREQ("OK", alter(APP, "mode=0666"));
	ASSERT_STREQ("OK", alter_qmgr("authev=1"));
	ASSERT_EQ(0, seteuid(65534));
	EXPECT_STREQ("F2035", opn_rc(self->c, APP, "s"));
	ASSERT_EQ(0, seteuid(0));
	QMGR_IS(MQRC_NOT_AUTHORIZED);
	EXPECT_STREQ("2", NUMBER(MQIACF_REASON_QUALIFIER));
	EXPECT_STREQ("64", NUMBER(MQIACF_OPEN_OPTIONS));
	EXPECT_STREQ(APP, TEXT(MQCA_Q_NAME));
	EXPECT_NE(NULL, TEXT(MQCACF_USER_IDENTIFIER));
	QMGR_IS(0);
}

/* Section 12: the queue manager quiesces, and goes on. */
TEST_F(event, start_and_stop)
{
	ASSERT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	QMGR_IS(MQRC_Q_MGR_NOT_ACTIVE);
	EXPECT_STREQ("6", NUMBER(MQIACF_REASON_QUALIFIER));
	EXPECT_STREQ(QM, TEXT(MQCA_Q_MGR_NAME));
	ASSERT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	QMGR_IS(0);
	ASSERT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	QMGR_IS(MQRC_Q_MGR_ACTIVE);
	ASSERT_STREQ("OK", alter_qmgr("startev=0"));
	ASSERT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	ASSERT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	QMGR_IS(0);
}

TEST_HARNESS_MAIN
