/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Distribution lists: MQOPEN and MQCLOSE (O-DL, O-CLOSE-9), and what else may
 * be done with the handle of one.
 */
#include <kmq.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "dl_fixture.h"

/* Memory that ends with a page which cannot be read: @size bytes before it. */
static void *at_the_edge(size_t size)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(p + page, page, PROT_NONE);
	return p + page - size;
}

/* O-DL-3, O-DL-4, O-OPEN-6: every queue is opened */
TEST_F(dl, open_and_close)
{
	struct dl *l = &self->l;

	EXPECT_STREQ("OK", dl_open(l, 0));
	EXPECT_LT(0, l->ho);
	EXPECT_STREQ("2 0 0", OD_COUNTS(l));
	EXPECT_STREQ("- -", dl_results(l->opened, 2));
	EXPECT_TRUE(FIELD_IS(l->od.ResolvedQName, ""));
	EXPECT_TRUE(FIELD_IS(l->od.ResolvedQMgrName, ""));
	EXPECT_EQ(1, inquire_int(Q1, MQIA_OPEN_OUTPUT_COUNT));
	EXPECT_EQ(1, inquire_int(Q2, MQIA_OPEN_OUTPUT_COUNT));
	EXPECT_STREQ("OK", dl_close(l, MQCO_NONE));
	EXPECT_EQ(MQHO_UNUSABLE_HOBJ, l->ho);
	EXPECT_EQ(0, inquire_int(Q1, MQIA_OPEN_OUTPUT_COUNT));
	EXPECT_EQ(0, inquire_int(Q2, MQIA_OPEN_OUTPUT_COUNT));
	/* O-DISC-1 */
	EXPECT_STREQ("OK", dl_open(l, 0));
	EXPECT_STREQ("OK", disc(&self->c));
	EXPECT_EQ(0, inquire_int(Q1, MQIA_OPEN_OUTPUT_COUNT));
	EXPECT_EQ(0, inquire_int(Q2, MQIA_OPEN_OUTPUT_COUNT));
}

/* O-DL-5: the same queue twice is two destinations */
TEST_F(dl, twice_the_same)
{
	struct dl *l = &self->l;

	dl_init(l, self->c, Q1 " " Q1);
	EXPECT_STREQ("OK", dl_open(l, 0));
	EXPECT_STREQ("2 0 0", OD_COUNTS(l));
	EXPECT_EQ(2, inquire_int(Q1, MQIA_OPEN_OUTPUT_COUNT));
	EXPECT_STREQ("OK", dl_close(l, MQCO_NONE));
	EXPECT_EQ(0, inquire_int(Q1, MQIA_OPEN_OUTPUT_COUNT));
}

/* O-DL-3, O-DL-4, O-DL-5, O-NAME-2, P-DL-13: some cannot be opened */
TEST_F(dl, mixed_results)
{
	struct dl *l = &self->l;

	ASSERT_STREQ("OK", define("KT.DLMODEL", "model"));
	ASSERT_STREQ("OK", define("KT.DLTOPIC", "alias target=T targtype=8"));
	dl_init(l, self->c, "KT.NONE " Q1 " KT.DLMODEL KT?Q KT.DLTOPIC");
	EXPECT_STREQ("W2136", dl_open(l, 0));
	EXPECT_LT(0, l->ho);
	EXPECT_STREQ("F2085 OK F2057 F2085 F2001", dl_results(l->opened, 5));
	EXPECT_STREQ("1 0 4", OD_COUNTS(l));
	EXPECT_STREQ("OK", dl_close(l, MQCO_NONE));
	/* none, for different reasons */
	dl_init(l, self->c, "KT.NONE KT.DLMODEL");
	l->od.KnownDestCount = 77;
	EXPECT_STREQ("F2136", dl_open(l, 0));
	EXPECT_EQ(MQHO_UNUSABLE_HOBJ, l->ho);
	EXPECT_STREQ("F2085 F2057", dl_results(l->opened, 2));
	EXPECT_EQ(77, l->od.KnownDestCount);
	/* none, for one reason */
	dl_init(l, self->c, "KT.NONE KT.NONE2");
	EXPECT_STREQ("F2085", dl_open(l, 0));
	EXPECT_STREQ("- -", dl_results(l->opened, 2));
	/* without response records */
	dl_init(l, self->c, "KT.NONE " Q1);
	l->od.ResponseRecPtr = NULL;
	EXPECT_STREQ("W2136", dl_open(l, 0));
	EXPECT_STREQ("- -", dl_results(l->opened, 2));
}

/* O-DL-1: names with a queue manager; ours, and one that is not here */
TEST_F(dl, queue_manager_names)
{
	struct dl *l = &self->l;

	FIELD_SET(l->names[0].ObjectQMgrName, QM);
	EXPECT_STREQ("OK", dl_open(l, 0));
	dl_close(l, MQCO_NONE);
	FIELD_SET(l->names[1].ObjectQMgrName, "KT.ELSEWHERE");
	EXPECT_STREQ("W2136", dl_open(l, 0));
	EXPECT_STREQ("OK F2087", dl_results(l->opened, 2));
}

/* Section 3.1: records by offset from the MQOD */
TEST_F(dl, records_by_offset)
{
	struct {
		MQRR opened[2];
		MQOD od;
		MQOR names[2];
	} s = { .od = { MQOD_DEFAULT } };
	MQHOBJ ho;
	MQLONG cc, rc;

	s.od.Version = MQOD_VERSION_2;
	s.od.RecsPresent = 2;
	s.od.ObjectRecOffset = (char *)s.names - (char *)&s.od;
	s.od.ResponseRecOffset = (char *)s.opened - (char *)&s.od;
	strcpy(s.names[0].ObjectName, Q1);
	strcpy(s.names[1].ObjectName, "KT.NONE");
	MQOPEN(self->c, &s.od, MQOO_OUTPUT, &ho, &cc, &rc);
	EXPECT_STREQ("W2136", outcome(cc, rc));
	EXPECT_STREQ("OK F2085", dl_results(s.opened, 2));
	EXPECT_EQ(1, s.od.KnownDestCount);
	EXPECT_EQ(1, s.od.InvalidDestCount);
	MQCLOSE(self->c, &ho, MQCO_NONE, &cc, &rc);
	EXPECT_STREQ("OK", outcome(cc, rc));
}

/* Section 3.1: 2154, 2155, 2156 */
TEST_F(dl, bad_records)
{
	struct dl *l = &self->l, good = *l;

#define BAD(want, change) do {						\
	*l = good;							\
	change;								\
	l->ho = 0;							\
	EXPECT_STREQ(want, dl_open(l, 0));				\
	EXPECT_EQ(MQHO_UNUSABLE_HOBJ, l->ho);				\
} while (0)
	BAD("F2154", l->od.RecsPresent = -1);
	BAD("F2154", l->od.ObjectType = MQOT_Q_MGR);
	BAD("F2155", l->od.ObjectRecPtr = NULL);
	BAD("F2155", l->od.ObjectRecOffset = sizeof(MQOD));
	BAD("F2155", l->od.ObjectRecPtr = (void *)8);
	BAD("F2155", l->od.ObjectRecPtr = at_the_edge(2 * sizeof(MQOR) - 1));
	BAD("F2155", l->od.RecsPresent = 0x7fffffff);
	BAD("F2156", l->od.ResponseRecOffset = sizeof(MQOD));
	BAD("F2156", l->od.ResponseRecPtr = (void *)8);
	BAD("F2156", l->od.ResponseRecPtr =
	    at_the_edge(2 * sizeof(MQRR) - 1));
#undef BAD
	/* in a version that has no records they do not count */
	*l = good;
	l->od.Version = 1;
	l->od.RecsPresent = -1;
	FIELD_SET(l->od.ObjectName, Q1);
	EXPECT_STREQ("OK", dl_open(l, 0));
	EXPECT_STREQ("F2040", ({
		MQLONG sel = MQIA_INHIBIT_PUT;

		MQSET(self->c, l->ho, 1, &sel, 1, &sel, 0, NULL, &l->cc,
		      &l->rc);
		outcome(l->cc, l->rc);
	}));
	/* as many as fit exactly are good */
	*l = good;
	l->od.ObjectRecPtr = memcpy(at_the_edge(2 * sizeof(MQOR)), l->names,
				    2 * sizeof(MQOR));
	EXPECT_STREQ("OK", dl_open(l, 0));
}

/* O-DL-1, O-NAME-2: the list has no name itself */
TEST_F(dl, named_list)
{
	struct dl *l = &self->l;

	FIELD_SET(l->od.ObjectName, "X");
	EXPECT_STREQ("F2152", dl_open(l, 0));
	FIELD_SET(l->od.ObjectName, "");
	FIELD_SET(l->od.ObjectQMgrName, QM);
	EXPECT_STREQ("F2153", dl_open(l, 0));
	EXPECT_STREQ("F2153", dl_put1(l, "X"));
	FIELD_SET(l->od.ObjectName, "X");
	EXPECT_STREQ("F2152", dl_put1(l, "X"));
	EXPECT_STREQ("- -", dl_results(l->opened, 2));
	EXPECT_EQ(0, depth(Q1));
}

/* O-DL-2, O-OPEN-2 */
TEST_F(dl, open_options_of_a_list)
{
	static const MQLONG good[] = {
		MQOO_PASS_IDENTITY_CONTEXT, MQOO_PASS_ALL_CONTEXT,
		MQOO_SET_IDENTITY_CONTEXT, MQOO_SET_ALL_CONTEXT,
		MQOO_BIND_ON_OPEN, MQOO_BIND_NOT_FIXED, MQOO_BIND_ON_GROUP,
		MQOO_FAIL_IF_QUIESCING,
	};
	static const MQLONG bad[] = {
		MQOO_INPUT_AS_Q_DEF, MQOO_INPUT_SHARED, MQOO_INPUT_EXCLUSIVE,
		MQOO_BROWSE, MQOO_INQUIRE, MQOO_SET, MQOO_RESOLVE_NAMES,
		MQOO_RESOLVE_LOCAL_Q, MQOO_READ_AHEAD, MQOO_NO_READ_AHEAD,
		MQOO_NO_MULTICAST, MQOO_INPUT_SHARED | MQOO_SAVE_ALL_CONTEXT,
		MQOO_BROWSE | MQOO_CO_OP,
	};
	struct dl *l = &self->l;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT_STREQ("OK", dl_open(l, good[i]))
			TH_LOG("option 0x%x", good[i]);
		EXPECT_STREQ("OK", dl_close(l, MQCO_NONE));
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT_STREQ("F2045", dl_open(l, bad[i]))
			TH_LOG("option 0x%x", bad[i]);
	EXPECT_STREQ("F2046", dl_open(l, MQOO_SAVE_ALL_CONTEXT));
	EXPECT_STREQ("F2046", dl_open(l, MQOO_INPUT_SHARED |
				      MQOO_INPUT_EXCLUSIVE));
	EXPECT_EQ(0, inquire_int(Q1, MQIA_OPEN_OUTPUT_COUNT));
}

/* O-OPEN-13: the order for a list */
TEST_F(dl, order_of_checks)
{
	struct dl *l = &self->l;
	MQLONG options = MQOO_FAIL_IF_QUIESCING | 0x800000;

	l->od.Version = 9;
	l->od.ObjectType = 4711;
	l->od.RecsPresent = -1;
	l->od.ObjectRecPtr = NULL;
	l->od.ResponseRecOffset = 4;
	FIELD_SET(l->od.ObjectName, "X");
	FIELD_SET(l->od.ObjectQMgrName, "X");
	dl_fresh(l);
	EXPECT_STREQ("F2044", dl_open(l, options));
	l->od.Version = 4;
	EXPECT_STREQ("F2043", dl_open(l, options));
	l->od.ObjectType = MQOT_Q;
	EXPECT_STREQ("F2154", dl_open(l, options));
	l->od.RecsPresent = 2;
	EXPECT_STREQ("F2155", dl_open(l, options));
	l->od.ObjectRecPtr = l->names;
	EXPECT_STREQ("F2156", dl_open(l, options));
	l->od.ResponseRecOffset = 0;
	EXPECT_STREQ("F2046", dl_open(l, options));
	options = MQOO_FAIL_IF_QUIESCING | MQOO_BROWSE;
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	EXPECT_STREQ("F2161", dl_open(l, options));
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	EXPECT_STREQ("F2152", dl_open(l, options));
	FIELD_SET(l->od.ObjectName, "");
	EXPECT_STREQ("F2153", dl_open(l, options));
	FIELD_SET(l->od.ObjectQMgrName, "");
	l->od.SelectionString.VSPtr = "a = 1";
	l->od.SelectionString.VSLength = MQVS_NULL_TERMINATED;
	EXPECT_STREQ("F2045", dl_open(l, options));
	EXPECT_STREQ("F2516", dl_open(l, MQOO_FAIL_IF_QUIESCING));
	EXPECT_STREQ("F2516", dl_put1(l, "text"));
	l->od.SelectionString.VSLength = 0;
	EXPECT_STREQ("OK", dl_open(l, MQOO_FAIL_IF_QUIESCING));
}

/* O-DL-3: 2161 is not a mixture, whatever else is wrong with a destination */
TEST_F(dl, quiescing)
{
	struct dl *l = &self->l;

	dl_init(l, self->c, "KT.NONE " Q1);
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	EXPECT_STREQ("F2161", dl_open(l, MQOO_FAIL_IF_QUIESCING));
	EXPECT_STREQ("W2136", dl_open(l, 0));
	l->pmo.Options = MQPMO_FAIL_IF_QUIESCING;
	EXPECT_STREQ("F2161", dl_put(l, "X"));
	EXPECT_STREQ("F2161", dl_put1(l, "X"));
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	EXPECT_EQ(0, depth(Q1));
}

/* O-CONN-8: each queue of a list takes a handle */
TEST_F(dl, handle_limit)
{
	struct dl *l = &self->l;

	dl_init(l, self->c, Q1 " " Q2 " " Q3);
	EXPECT_STREQ("OK", alter_qmgr("handles=2"));
	EXPECT_STREQ("W2136", dl_open(l, 0));
	EXPECT_STREQ("OK OK F2017", dl_results(l->opened, 3));
	EXPECT_STREQ("F2017", opn_rc(self->c, Q1, "b"));
	EXPECT_STREQ("OK", dl_close(l, MQCO_NONE));
	EXPECT_STREQ("OK", opn_rc(self->c, Q1, "b"));
	EXPECT_STREQ("OK", alter_qmgr("handles=256"));
}

/* O-CLOSE table, O-CLOSE-1, O-CLOSE-2, O-CLOSE-9 */
TEST_F(dl, close_options)
{
	struct dl *l = &self->l;
	MQHOBJ ho;

	ASSERT_STREQ("OK", dl_open(l, 0));
	ho = l->ho;
	EXPECT_STREQ("F2045", dl_close(l, MQCO_DELETE));
	EXPECT_STREQ("F2045", dl_close(l, MQCO_DELETE_PURGE));
	EXPECT_STREQ("F2045", dl_close(l, MQCO_KEEP_SUB));
	EXPECT_STREQ("F2046", dl_close(l, MQCO_DELETE | MQCO_DELETE_PURGE));
	EXPECT_STREQ("F2046", dl_close(l, 0x1000));
	EXPECT_EQ(ho, l->ho);
	EXPECT_STREQ("OK", dl_put(l, "still open"));
	EXPECT_STREQ("OK", dl_close(l, MQCO_QUIESCE));
	EXPECT_STREQ("F2019", dl_close(l, MQCO_NONE));
	l->ho = ho;
	EXPECT_STREQ("F2019", dl_close(l, MQCO_NONE));
	EXPECT_STREQ("F2019", dl_put(l, "X"));
}

/* O-CLOSE-7, O-CLOSE-9: what a destination warns of, the others are closed */
TEST_F(dl, close_in_a_group)
{
	struct dl *l = &self->l;

	ASSERT_STREQ("OK", dl_open(l, 0));
	l->pmo.Options = MQPMO_LOGICAL_ORDER;
	l->md.MsgFlags = MQMF_MSG_IN_GROUP;
	EXPECT_STREQ("OK", dl_put(l, "1"));
	/* one of them ends its group, the other cannot */
	EXPECT_STREQ("OK", alter(Q1, "put=1"));
	l->md.MsgFlags = MQMF_LAST_MSG_IN_GROUP;
	EXPECT_STREQ("W2136", dl_put(l, "2"));
	EXPECT_STREQ("F2051 OK", dl_results(l->put, 2));
	EXPECT_STREQ("W2241", dl_close(l, MQCO_NONE));
	EXPECT_EQ(MQHO_UNUSABLE_HOBJ, l->ho);
	EXPECT_EQ(0, inquire_int(Q1, MQIA_OPEN_OUTPUT_COUNT));
	EXPECT_EQ(0, inquire_int(Q2, MQIA_OPEN_OUTPUT_COUNT));
	EXPECT_STREQ("OK", alter(Q1, "put=0"));

	/* a logical message that is unfinished anywhere comes first */
	ASSERT_STREQ("OK", dl_open(l, 0));
	l->md.MsgFlags = MQMF_MSG_IN_GROUP;
	EXPECT_STREQ("OK", dl_put(l, "3"));
	EXPECT_STREQ("OK", alter(Q1, "put=1"));
	l->md.MsgFlags = MQMF_MSG_IN_GROUP | MQMF_SEGMENT;
	EXPECT_STREQ("W2136", dl_put(l, "4"));
	EXPECT_STREQ("W2242", dl_close(l, MQCO_NONE));
}

/* P-DL-1: nothing but MQPUT and MQCLOSE */
TEST_F(dl, other_calls)
{
	MQLONG sel = MQIA_INHIBIT_PUT, val = 0, len, cc, rc;
	MQCBD cbd = { MQCBD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	struct dl *l = &self->l;

	ASSERT_STREQ("OK", dl_open(l, 0));
	MQGET(self->c, l->ho, &l->md, &gmo, 0, NULL, &len, &cc, &rc);
	EXPECT_STREQ("F2037", outcome(cc, rc));
	MQINQ(self->c, l->ho, 1, &sel, 1, &val, 0, NULL, &cc, &rc);
	EXPECT_STREQ("F2038", outcome(cc, rc));
	MQSET(self->c, l->ho, 1, &sel, 1, &val, 0, NULL, &cc, &rc);
	EXPECT_STREQ("F2040", outcome(cc, rc));
	cbd.CallbackFunction = (MQPTR)abort;
	MQCB(self->c, MQOP_REGISTER, &cbd, l->ho, &l->md, &gmo, &cc, &rc);
	EXPECT_STREQ("F2037", outcome(cc, rc));
	EXPECT_EQ(-1, kmq_object_fd(self->c, l->ho));
	/* nor as the handle whose context is passed on */
	l->pmo.Options = MQPMO_PASS_ALL_CONTEXT;
	l->pmo.Context = l->ho;
	EXPECT_STREQ("OK", dl_close(l, MQCO_NONE));
	ASSERT_STREQ("OK", dl_open(l, MQOO_PASS_ALL_CONTEXT));
	l->pmo.Context = l->ho;
	EXPECT_STREQ("F2097", dl_put(l, "X"));
}

TEST_HARNESS_MAIN
