/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * MQINQ and MQSET (O-INQ, O-SET), the attributes of queues and of the queue
 * manager (tables 7 and 7.1).
 */
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include "q_fixture.h"

#define N(a)	((MQLONG)(sizeof(a) / sizeof((a)[0])))

static const char *inq(struct mqh *h, MQLONG n, MQLONG *sel, MQLONG ni,
		       MQLONG *ints, MQLONG nc, char *chars)
{
	MQINQ(h->hc, h->ho, n, sel, ni, ints, nc, chars, &h->cc, &h->rc);
	return outcome(h->cc, h->rc);
}

static const char *set(struct mqh *h, MQLONG n, MQLONG *sel, MQLONG ni,
		       MQLONG *ints, MQLONG nc, char *chars)
{
	MQSET(h->hc, h->ho, n, sel, ni, ints, nc, chars, &h->cc, &h->rc);
	return outcome(h->cc, h->rc);
}

/* One integer; what MQINQ says if it says other than OK. */
static const char *inq1(struct mqh *h, MQLONG selector, MQLONG *value)
{
	*value = -77;
	return inq(h, 1, &selector, 1, value, 0, NULL);
}

static const char *set1(struct mqh *h, MQLONG selector, MQLONG value)
{
	return set(h, 1, &selector, 1, &value, 0, NULL);
}

static struct mqh *open_qmgr(MQHCONN hc, MQLONG options)
{
	static struct mqh h;
	MQOD od = { MQOD_DEFAULT };

	od.ObjectType = MQOT_Q_MGR;
	h.hc = hc;
	MQOPEN(hc, &od, options, &h.ho, &h.cc, &h.rc);
	return &h;
}

/* Table 7: the defaults of a plain local queue. */
TEST_F(q, defaults_of_a_local_queue)
{
	static const struct {
		MQLONG selector, value;
	} a[] = {
		{ MQIA_Q_TYPE, MQQT_LOCAL },
		{ MQIA_DEFINITION_TYPE, MQQDT_PREDEFINED },
		{ MQIA_USAGE, MQUS_NORMAL }, { MQIA_SCOPE, 1 },
		{ MQIA_MAX_Q_DEPTH, 5000 }, { MQIA_MAX_MSG_LENGTH, 4194304 },
		{ MQIA_CURRENT_Q_DEPTH, 0 }, { MQIA_INHIBIT_GET, 0 },
		{ MQIA_INHIBIT_PUT, 0 }, { MQIA_DEF_PRIORITY, 0 },
		{ MQIA_DEF_PERSISTENCE, 0 }, { MQIA_DEF_PUT_RESPONSE_TYPE, 1 },
		{ MQIA_SHAREABILITY, 1 }, { MQIA_DEF_INPUT_OPEN_OPTION, 2 },
		{ MQIA_DEF_READ_AHEAD, 0 }, { MQIA_MSG_DELIVERY_SEQUENCE, 0 },
		{ MQIA_HARDEN_GET_BACKOUT, 0 }, { MQIA_BACKOUT_THRESHOLD, 0 },
		{ MQIA_TRIGGER_CONTROL, 0 }, { MQIA_TRIGGER_TYPE, 1 },
		{ MQIA_TRIGGER_DEPTH, 1 }, { MQIA_TRIGGER_MSG_PRIORITY, 0 },
		{ MQIA_OPEN_INPUT_COUNT, 0 }, { MQIA_OPEN_OUTPUT_COUNT, 0 },
		{ MQIA_Q_DEPTH_HIGH_LIMIT, 80 }, { MQIA_Q_DEPTH_LOW_LIMIT, 20 },
		{ MQIA_Q_DEPTH_MAX_EVENT, 1 }, { MQIA_Q_DEPTH_HIGH_EVENT, 0 },
		{ MQIA_Q_DEPTH_LOW_EVENT, 0 },
		{ MQIA_Q_SERVICE_INTERVAL, 999999999 },
		{ MQIA_Q_SERVICE_INTERVAL_EVENT, 0 },
		{ MQIA_RETENTION_INTERVAL, 999999999 }, { MQIA_DEF_BIND, 0 },
		{ MQIA_DIST_LISTS, 0 }, { MQIA_PROPERTY_CONTROL, 0 },
		{ MQIA_NPM_CLASS, 0 }, { MQIA_CAP_EXPIRY, -1 },
		{ MQIA_MONITORING_Q, -3 }, { MQIA_STATISTICS_Q, -3 },
		{ MQIA_ACCOUNTING_Q, -3 }, { MQIA_CLWL_Q_RANK, 0 },
		{ MQIA_CLWL_Q_PRIORITY, 0 }, { MQIA_CLWL_USEQ, -3 },
	};
	MQLONG sel[N(a)], val[N(a)];
	struct mqh *h;
	int i;

	define(Q "2", "");
	h = opn(self->c, Q "2", "q");
	for (i = 0; i < N(a); i++)
		sel[i] = a[i].selector;
	EXPECT_STREQ("OK", inq(h, N(a), sel, N(a), val, 0, NULL));
	for (i = 0; i < N(a); i++)
		EXPECT_EQ(a[i].value, val[i])
			TH_LOG("selector %d", a[i].selector);
}

/* Table 7: lengths and contents of the text attributes. O-INQ-3 */
TEST_F(q, text_attributes)
{
	MQLONG sel[] = { MQCA_Q_NAME, MQIA_Q_TYPE, MQCA_Q_DESC,
			 MQCA_CREATION_DATE, MQCA_CREATION_TIME,
			 MQIA_MAX_Q_DEPTH, MQCA_TRIGGER_DATA, MQCA_Q_NAME };
	char today[16], text[48 + 64 + 12 + 8 + 64 + 48 + 4];
	struct mqh *h = opn(self->c, Q, "q");
	time_t now = time(NULL);
	MQLONG val[2];

	EXPECT_STREQ("OK", alter(Q, "descr=blue-sky"));
	memset(text, '!', sizeof(text));
	EXPECT_STREQ("OK", inq(h, N(sel), sel, 2, val, sizeof(text) - 4, text));
	EXPECT_EQ(MQQT_LOCAL, val[0]);
	EXPECT_EQ(5000, val[1]);
	EXPECT_TRUE(field_is(text, 48, Q));
	EXPECT_TRUE(field_is(text + 48, 64, "blue-sky"));
	strftime(today, sizeof(today), "%Y-%m-%d", gmtime(&now));
	EXPECT_TRUE(field_is(text + 112, 12, today));
	EXPECT_EQ('.', text[126]);
	EXPECT_EQ('.', text[129]);
	EXPECT_TRUE(field_is(text + 132, 64, ""));
	EXPECT_TRUE(field_is(text + 196, 48, Q));
	EXPECT_EQ('!', text[244]);
}

/* O-INQ-1 */
TEST_F(q, open_options_of_inquire_and_set)
{
	struct mqh *i = opn(self->c, Q, "q"), *s = opn(self->c, Q, "s");
	MQLONG v;

	EXPECT_STREQ("F2038", inq1(self->h, MQIA_Q_TYPE, &v));
	EXPECT_STREQ("F2038", inq1(s, MQIA_Q_TYPE, &v));
	EXPECT_STREQ("OK", inq1(i, MQIA_Q_TYPE, &v));
	EXPECT_STREQ("F2040", set1(self->h, MQIA_INHIBIT_GET, 0));
	EXPECT_STREQ("F2040", set1(i, MQIA_INHIBIT_GET, 0));
	EXPECT_STREQ("OK", set1(s, MQIA_INHIBIT_GET, 0));
	EXPECT_STREQ("OK", shut(i));
	EXPECT_STREQ("F2019", inq1(i, MQIA_Q_TYPE, &v));
	EXPECT_EQ(-77, v);
}

/* O-INQ-2, O-INQ-9: one error at a time */
TEST_F(q, parameters)
{
	struct mqh *h = opn(self->c, Q, "qs");
	MQLONG sel[300], v[300] = { 0 }, ca = MQCA_Q_NAME;
	MQLONG ia = MQIA_Q_TYPE, inhibit = MQIA_INHIBIT_PUT;
	MQLONG td = MQCA_TRIGGER_DATA;
	char text[64] = "";
	int i;

	for (i = 0; i < 300; i++)
		sel[i] = MQIA_CURRENT_Q_DEPTH;
	EXPECT_STREQ("F2065", inq(h, -1, sel, 1, v, 0, NULL));
	EXPECT_STREQ("F2066", inq(h, 257, sel, 257, v, 0, NULL));
	EXPECT_STREQ("OK", inq(h, 256, sel, 256, v, 0, NULL));
	EXPECT_STREQ("OK", inq(h, 0, NULL, 0, NULL, 0, NULL));
	EXPECT_STREQ("F2021", inq(h, 1, &ia, -1, v, 0, NULL));
	EXPECT_STREQ("F2006", inq(h, 1, &ca, 0, NULL, -1, text));
	EXPECT_STREQ("F2023", inq(h, 1, &ia, 1, NULL, 0, NULL));
	EXPECT_STREQ("F2007", inq(h, 1, &ca, 0, NULL, 48, NULL));
	EXPECT_STREQ("OK", inq(h, 1, &ca, 0, NULL, 48, text));
	EXPECT_STREQ("OK", inq(h, 1, &ia, 1, v, 48, NULL));
	EXPECT_STREQ("F2065", set(h, -1, sel, 1, v, 0, NULL));
	EXPECT_STREQ("F2066", set(h, 257, sel, 257, v, 0, NULL));
	EXPECT_STREQ("OK", set(h, 0, NULL, 0, NULL, 0, NULL));
	EXPECT_STREQ("F2021", set(h, 1, &inhibit, 0, v, 0, NULL));
	EXPECT_STREQ("F2006", set(h, 1, &td, 0, NULL, 63, text));
	EXPECT_STREQ("F2021", set(h, 1, &inhibit, -1, v, 0, NULL));
	EXPECT_STREQ("F2023", set(h, 1, &inhibit, 1, NULL, 0, NULL));
	EXPECT_STREQ("F2007", set(h, 1, &td, 0, NULL, 64, NULL));
}

/* O-INQ-4, O-INQ-6, O-QATT-3 */
TEST_F(q, selectors_that_do_not_apply)
{
	MQLONG sel[] = { MQIA_Q_TYPE, MQCA_BASE_OBJECT_NAME, MQIA_BASE_TYPE,
			 MQCA_Q_NAME };
	struct mqh *h = opn(self->c, Q, "q");
	MQLONG v[2], one;
	char text[96];
	int i;

	EXPECT_STREQ("F2067", inq1(h, 9999, &one));
	EXPECT_STREQ("F2067", inq1(h, -1, &one));
	EXPECT_STREQ("F2067", inq1(h, MQIA_MAX_PRIORITY, &one));
	EXPECT_EQ(-77, one);
	EXPECT_STREQ("W2068", inq(h, 4, sel, 2, v, 96, text));
	EXPECT_EQ(MQQT_LOCAL, v[0]);
	EXPECT_EQ(MQIAV_NOT_APPLICABLE, v[1]);
	for (i = 0; i < 48; i++)
		EXPECT_EQ('*', text[i]);
	EXPECT_TRUE(field_is(text + 48, 48, Q));
	EXPECT_STREQ("W2068", inq1(h, MQIA_INDEX_TYPE, &one));
	EXPECT_EQ(MQIAV_NOT_APPLICABLE, one);
	/* 2068 before 2022 */
	EXPECT_STREQ("W2068", inq(h, 4, sel, 1, v, 96, text));
}

/* O-INQ-5, O-INQ-6 */
TEST_F(q, arrays_too_small)
{
	MQLONG sel[] = { MQIA_Q_TYPE, MQIA_MAX_Q_DEPTH, MQCA_Q_NAME,
			 MQCA_Q_DESC };
	struct mqh *h = opn(self->c, Q, "q");
	MQLONG v[2] = { -5, -5 };
	char text[112];

	memset(text, '!', sizeof(text));
	EXPECT_STREQ("W2022", inq(h, 4, sel, 1, v, 112, text));
	EXPECT_EQ(MQQT_LOCAL, v[0]);
	EXPECT_EQ(-5, v[1]);
	memset(text, '!', sizeof(text));
	EXPECT_STREQ("W2008", inq(h, 4, sel, 2, v, 100, text));
	EXPECT_EQ(5000, v[1]);
	EXPECT_TRUE(field_is(text, 48, Q));
	EXPECT_EQ('!', text[48]);
	EXPECT_STREQ("W2022", inq(h, 4, sel, 1, v, 100, text));
}

/* O-SET-1, O-SET-2, O-QATT-1 */
TEST_F(q, settable_attributes)
{
	static const struct {
		MQLONG selector, bad, good;
		const char *want;
	} a[] = {
		{ MQIA_INHIBIT_GET, 2, 1, "F2020" },
		{ MQIA_INHIBIT_GET, -1, 0, "F2020" },
		{ MQIA_INHIBIT_PUT, 2, 1, "F2020" },
		{ MQIA_TRIGGER_CONTROL, 2, 1, "F2075" },
		{ MQIA_TRIGGER_TYPE, 4, 3, "F2078" },
		{ MQIA_TRIGGER_TYPE, -1, 0, "F2078" },
		{ MQIA_TRIGGER_DEPTH, 0, 5, "F2076" },
		{ MQIA_TRIGGER_MSG_PRIORITY, 10, 9, "F2077" },
		{ MQIA_TRIGGER_MSG_PRIORITY, -1, 0, "F2077" },
		{ MQIA_DIST_LISTS, 2, 1, "F2020" },
	};
	static const MQLONG fixed[] = { MQIA_MAX_Q_DEPTH, MQIA_DEF_PRIORITY,
					MQIA_CURRENT_Q_DEPTH, MQIA_Q_TYPE,
					MQIA_MSG_DELIVERY_SEQUENCE, 9999 };
	struct mqh *h = opn(self->c, Q, "qs");
	MQLONG v, i, was;

	for (i = 0; i < N(a); i++) {
		EXPECT_STREQ("OK", inq1(h, a[i].selector, &was));
		EXPECT_STREQ(a[i].want, set1(h, a[i].selector, a[i].bad))
			TH_LOG("selector %d", a[i].selector);
		EXPECT_STREQ("OK", inq1(h, a[i].selector, &v));
		EXPECT_EQ(was, v);
		EXPECT_STREQ("OK", set1(h, a[i].selector, a[i].good));
		EXPECT_STREQ("OK", inq1(h, a[i].selector, &v));
		EXPECT_EQ(a[i].good, v);
	}
	for (i = 0; i < N(fixed); i++)
		EXPECT_STREQ("F2067", set1(h, fixed[i], 1))
			TH_LOG("selector %d", fixed[i]);
}

/* O-SET-2, O-SET-3 */
TEST_F(q, set_is_all_or_nothing)
{
	MQLONG sel[] = { MQIA_INHIBIT_GET, MQCA_TRIGGER_DATA,
			 MQIA_INHIBIT_PUT, MQIA_INHIBIT_GET };
	struct mqh *h = opn(self->c, Q, "qs");
	MQLONG val[] = { 1, 2, 0 }, v;
	MQLONG td = MQCA_TRIGGER_DATA;
	char text[64], seen[64];

	field_set(text, 64, "from a set");
	EXPECT_STREQ("F2020", set(h, 3, sel, 2, val, 64, text));
	EXPECT_STREQ("OK", inq1(h, MQIA_INHIBIT_GET, &v));
	EXPECT_EQ(0, v);
	EXPECT_STREQ("OK", inq(h, 1, &td, 0, NULL, 64, seen));
	EXPECT_TRUE(field_is(seen, 64, ""));
	val[1] = 1;
	/* a repeated selector takes the last value */
	EXPECT_STREQ("OK", set(h, 4, sel, 3, val, 64, text));
	EXPECT_STREQ("OK", inq1(h, MQIA_INHIBIT_GET, &v));
	EXPECT_EQ(0, v);
	EXPECT_STREQ("OK", inq1(h, MQIA_INHIBIT_PUT, &v));
	EXPECT_EQ(1, v);
	EXPECT_STREQ("OK", inq(h, 1, &td, 0, NULL, 64, seen));
	EXPECT_EQ(0, memcmp(seen, text, 64));
	PUT("F2051", self->k, "A");
	/* not part of a unit of work */
	EXPECT_STREQ("OK", set1(h, MQIA_INHIBIT_PUT, 0));
	PUT("OK", self->h, "A SP");
	EXPECT_STREQ("OK", set1(h, MQIA_INHIBIT_GET, 1));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_STREQ("OK", inq1(h, MQIA_INHIBIT_GET, &v));
	EXPECT_EQ(1, v);
}

/* O-INQ-7, M-STO-6: a snapshot of counters */
TEST_F(q, counters)
{
	struct mqh *h = opn(self->c, Q, "q");
	MQLONG v;

	PUTS(self->h, "A; B SP; C");
	EXPECT_STREQ("OK", inq1(h, MQIA_CURRENT_Q_DEPTH, &v));
	EXPECT_EQ(3, v);
	GET("A", self->h, "SP");
	EXPECT_STREQ("OK", inq1(h, MQIA_CURRENT_Q_DEPTH, &v));
	EXPECT_EQ(2, v);
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_STREQ("OK", inq1(h, MQIA_CURRENT_Q_DEPTH, &v));
	EXPECT_EQ(2, v);
	EXPECT_STREQ("OK", inq1(h, MQIA_OPEN_INPUT_COUNT, &v));
	EXPECT_EQ(2, v);
}

/* Table 7.1, O-QMATT-1, O-OPEN-2 */
TEST_F(q, queue_manager)
{
	static const struct {
		MQLONG selector, value;
	} a[] = {
		{ MQIA_PLATFORM, MQPL_UNIX }, { MQIA_CODED_CHAR_SET_ID, 1208 },
		{ MQIA_MAX_MSG_LENGTH, 4194304 }, { MQIA_MAX_PRIORITY, 9 },
		{ MQIA_MAX_HANDLES, 256 }, { MQIA_MAX_UNCOMMITTED_MSGS, 10000 },
		{ MQIA_SYNCPOINT, MQSP_AVAILABLE }, { MQIA_DIST_LISTS, 1 },
		{ MQIA_TRIGGER_INTERVAL, 999999999 },
		{ MQIA_MSG_MARK_BROWSE_INTERVAL, 5000 },
		{ MQIA_MAX_PROPERTIES_LENGTH, -1 },
	};
	MQLONG name[] = { MQCA_Q_MGR_NAME, MQCA_DEAD_LETTER_Q_NAME }, v, i;
	struct mqh *h;
	char text[96];

	h = open_qmgr(self->c, MQOO_SET);
	EXPECT_STREQ("F2045", outcome(h->cc, h->rc));
	h = open_qmgr(self->c, MQOO_OUTPUT);
	EXPECT_STREQ("F2045", outcome(h->cc, h->rc));
	h = open_qmgr(self->c, MQOO_INQUIRE | MQOO_FAIL_IF_QUIESCING);
	ASSERT_STREQ("OK", outcome(h->cc, h->rc));
	for (i = 0; i < N(a); i++) {
		EXPECT_STREQ("OK", inq1(h, a[i].selector, &v));
		EXPECT_EQ(a[i].value, v)
			TH_LOG("selector %d", a[i].selector);
	}
	EXPECT_STREQ("OK", inq(h, 2, name, 0, NULL, 96, text));
	EXPECT_TRUE(field_is(text, 48, QM));
	EXPECT_TRUE(field_is(text + 48, 48, ""));
	EXPECT_STREQ("F2067", inq1(h, MQIA_CURRENT_Q_DEPTH, &v));
	EXPECT_STREQ("OK", shut(h));
}

/* LIST of the qmgr and admin node */
TEST_F(q, list_of_queues)
{
	struct kmq_list l = { .size = sizeof(l), .q_type = MQQT_ALL };
	char names[4][48];

	define(Q ".A", "");
	define(Q ".C", "model");
	define(Q ".B", "");
	field_set((char *)l.pattern, 48, Q ".*");
	field_set((char *)l.after, 48, "");
	l.names = (uintptr_t)names;
	l.count = 2;
	ASSERT_EQ(0, ioctl(admin_fd(), KMQ_IOC_LIST, &l));
	EXPECT_EQ(3, l.out_count);
	EXPECT_TRUE(field_is(names[0], 48, Q ".A"));
	EXPECT_TRUE(field_is(names[1], 48, Q ".B"));
	memcpy(l.after, names[1], 48);
	ASSERT_EQ(0, ioctl(admin_fd(), KMQ_IOC_LIST, &l));
	EXPECT_EQ(1, l.out_count);
	EXPECT_TRUE(field_is(names[0], 48, Q ".C"));
	field_set((char *)l.after, 48, "");
	l.q_type = MQQT_MODEL;
	l.count = 4;
	ASSERT_EQ(0, ioctl(admin_fd(), KMQ_IOC_LIST, &l));
	EXPECT_EQ(1, l.out_count);
	EXPECT_TRUE(field_is(names[0], 48, Q ".C"));
	l.q_type = MQQT_ALL;
	field_set((char *)l.pattern, 48, Q);
	l.count = 0;
	l.names = 0;
	ASSERT_EQ(0, ioctl(admin_fd(), KMQ_IOC_LIST, &l));
	EXPECT_EQ(1, l.out_count);
}

TEST_HARNESS_MAIN
