/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Distribution lists: MQPUT and MQPUT1 (put.md section 12, U-LIM-2).
 */
#include <kmq.h>
#include <string.h>
#include <unistd.h>
#include "dl_fixture.h"

/* P-DL-2, P-DL-6, P-DL-8, P-DL-14: a message and an identifier for each */
TEST_F(dl, one_message_each)
{
	struct dl *l = &self->l;
	MQMD one, two;

	ASSERT_STREQ("OK", dl_open(l, 0));
	memset(l->pmo.ResolvedQName, POISON, MQ_Q_NAME_LENGTH);
	EXPECT_STREQ("OK", dl_put(l, "text"));
	EXPECT_STREQ("- -", dl_results(l->put, 2));
	EXPECT_STREQ("2 0 0", PMO_COUNTS(l));
	EXPECT_EQ(POISON, l->pmo.ResolvedQName[0]);
	EXPECT_TRUE(same_id(none, l->md.MsgId));
	EXPECT_TRUE(same_id(none, l->md.CorrelId));
	EXPECT_TRUE(same_id(none, l->md.GroupId));
	EXPECT_EQ(1, depth(Q1));
	EXPECT_EQ(1, depth(Q2));
	EXPECT_STREQ("text", dl_take(self->c, Q1, &one));
	EXPECT_STREQ("text", dl_take(self->c, Q2, &two));
	EXPECT_TRUE(id_generated(one.MsgId));
	EXPECT_TRUE(id_generated(two.MsgId));
	EXPECT_FALSE(same_id(one.MsgId, two.MsgId));
	/* P-CTX-8, P-MD-11: what they have in common is returned */
	EXPECT_EQ(0, memcmp(one.UserIdentifier, l->md.UserIdentifier, 12));
	EXPECT_EQ(0, memcmp(one.PutApplName, l->md.PutApplName, 28));
	EXPECT_EQ(0, memcmp(one.PutDate, l->md.PutDate, 8));
	EXPECT_EQ(one.CodedCharSetId, l->md.CodedCharSetId);
}

/* P-DL-6: an identifier given in the MQMD is for all, NEW_MSG_ID for none */
TEST_F(dl, identifiers_without_records)
{
	struct dl *l = &self->l;
	MQMD one, two;

	ASSERT_STREQ("OK", dl_open(l, 0));
	id_set(l->md.MsgId, "M");
	id_set(l->md.CorrelId, "C");
	EXPECT_STREQ("OK", dl_put(l, "1"));
	dl_take(self->c, Q1, &one);
	dl_take(self->c, Q2, &two);
	EXPECT_STREQ("M", id_name(one.MsgId));
	EXPECT_STREQ("M", id_name(two.MsgId));
	EXPECT_STREQ("C", id_name(two.CorrelId));
	l->pmo.Options = MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID;
	EXPECT_STREQ("OK", dl_put(l, "2"));
	EXPECT_STREQ("M", id_name(l->md.MsgId));
	EXPECT_STREQ("C", id_name(l->md.CorrelId));
	dl_take(self->c, Q1, &one);
	dl_take(self->c, Q2, &two);
	EXPECT_TRUE(id_generated(one.MsgId));
	EXPECT_TRUE(id_generated(one.CorrelId));
	EXPECT_FALSE(same_id(one.MsgId, two.MsgId));
	EXPECT_FALSE(same_id(one.CorrelId, two.CorrelId));
}

/* P-DL-2: two destinations that are one queue */
TEST_F(dl, twice_the_same)
{
	struct dl *l = &self->l;

	ASSERT_STREQ("OK", define("KT.DLALIAS", "alias target=" Q1));
	dl_init(l, self->c, Q1 " KT.DLALIAS " Q1);
	ASSERT_STREQ("OK", dl_open(l, 0));
	EXPECT_STREQ("OK", dl_put(l, "text"));
	EXPECT_STREQ("3 0 0", PMO_COUNTS(l));
	EXPECT_EQ(3, depth(Q1));
	EXPECT_STREQ("OK", dl_put1(l, "text"));
	EXPECT_EQ(6, depth(Q1));
}

/* P-SCN-17, P-DL-8, P-DL-11 */
TEST_F(dl, some_fail)
{
	struct dl *l = &self->l;
	MQMD md, before;

	ASSERT_STREQ("OK", dl_open(l, 0));
	EXPECT_STREQ("OK", alter(Q1, "put=1"));
	EXPECT_STREQ("W2136", dl_put(l, "text"));
	EXPECT_STREQ("F2051 OK", dl_results(l->put, 2));
	EXPECT_STREQ("1 0 1", PMO_COUNTS(l));
	EXPECT_EQ(0, depth(Q1));
	EXPECT_STREQ("text", dl_take(self->c, Q2, &md));
	/* one reason for all; nothing is written (P-CALL-8) */
	EXPECT_STREQ("OK", alter(Q2, "put=1"));
	dl_fresh(l);
	l->pmo.KnownDestCount = 77;
	before = l->md;
	EXPECT_STREQ("F2051", dl_put(l, "text"));
	EXPECT_STREQ("- -", dl_results(l->put, 2));
	EXPECT_EQ(77, l->pmo.KnownDestCount);
	EXPECT_EQ(0, memcmp(&before, &l->md, sizeof(before)));
	/* several for all */
	EXPECT_STREQ("OK", alter(Q2, "put=0 len=2"));
	EXPECT_STREQ("F2136", dl_put(l, "text"));
	EXPECT_STREQ("F2051 F2030", dl_results(l->put, 2));
	EXPECT_EQ(77, l->pmo.KnownDestCount);
	EXPECT_EQ(0, memcmp(&before, &l->md, sizeof(before)));
	/* warnings are results, too */
	EXPECT_STREQ("OK", alter(Q1, "put=0"));
	EXPECT_STREQ("OK", alter(Q2, "len=100"));
	l->md.Priority = 12;
	EXPECT_STREQ("W2049", dl_put(l, "text"));
	EXPECT_STREQ("- -", dl_results(l->put, 2));
	EXPECT_STREQ("OK", alter(Q1, "put=1"));
	EXPECT_STREQ("W2136", dl_put(l, "text"));
	EXPECT_STREQ("F2051 W2049", dl_results(l->put, 2));
}

/* P-DL-9: what could not be opened */
TEST_F(dl, not_open)
{
	struct dl *l = &self->l;

	dl_init(l, self->c, "KT.NONE " Q1);
	ASSERT_STREQ("W2136", dl_open(l, 0));
	EXPECT_STREQ("W2136", dl_put(l, "text"));
	EXPECT_STREQ("F2137 OK", dl_results(l->put, 2));
	EXPECT_STREQ("1 0 1", PMO_COUNTS(l));
	/* the queue is there now, but the handle is not */
	ASSERT_STREQ("OK", define("KT.NONE", ""));
	EXPECT_STREQ("W2136", dl_put(l, "text"));
	EXPECT_STREQ("F2137 OK", dl_results(l->put, 2));
	EXPECT_EQ(0, depth("KT.NONE"));
	EXPECT_STREQ("OK", alter(Q1, "put=1"));
	EXPECT_STREQ("F2136", dl_put(l, "text"));
	EXPECT_STREQ("F2137 F2051", dl_results(l->put, 2));
}

/* P-CALL-4: what the kernel finds for each of them alike */
TEST_F(dl, bad_data)
{
	struct dl *l = &self->l;

	ASSERT_STREQ("OK", dl_open(l, 0));
	MQPUT(self->c, l->ho, &l->md, &l->pmo, -1, "", &l->cc, &l->rc);
	EXPECT_STREQ("F2005", outcome(l->cc, l->rc));
	MQPUT1(self->c, &l->od, &l->md, &l->pmo, -1, "", &l->cc, &l->rc);
	EXPECT_STREQ("F2005", outcome(l->cc, l->rc));
	MQPUT(self->c, l->ho, &l->md, &l->pmo, 9, NULL, &l->cc, &l->rc);
	EXPECT_STREQ("F2004", outcome(l->cc, l->rc));
	MQPUT1(self->c, &l->od, &l->md, &l->pmo, 9, (void *)8, &l->cc, &l->rc);
	EXPECT_STREQ("F2004", outcome(l->cc, l->rc));
	EXPECT_STREQ("- -", dl_results(l->put, 2));
	EXPECT_STREQ("- -", dl_results(l->opened, 2));
}

/* P-CHK-3, P-CHK-5: what is told first */
TEST_F(dl, order_of_checks)
{
	struct dl *l = &self->l;

	ASSERT_STREQ("OK", dl_open(l, 0));
	l->pmo.Version = 9;
	l->md.Version = 9;
	l->pmo.Options = 0x80000000;
	l->pmo.RecsPresent = -1;
	l->pmo.PutMsgRecFields = 0x40;
	l->pmo.PutMsgRecPtr = (void *)8;
	l->pmo.ResponseRecOffset = 4;
	l->md.MsgFlags = MQMF_LAST_MSG_IN_GROUP;
	l->md.MsgType = 0;
	id_set(l->md.GroupId, "X");
	l->od.ObjectRecOffset = 4;
#define NEXT(want) do {							\
	EXPECT_STREQ(want, dl_put(l, "text"));				\
	EXPECT_STREQ(want, dl_put1(l, "text"));				\
} while (0)
	NEXT("F2173");
	l->pmo.Version = 2;
	NEXT("F2026");
	l->md.Version = 2;
	NEXT("F2046");
	l->pmo.Options = MQPMO_SET_IDENTITY_CONTEXT;
	EXPECT_STREQ("F2155", dl_put1(l, "text"));
	l->od.ObjectRecOffset = 0;
	NEXT("F2154");
	l->pmo.RecsPresent = 2;
	NEXT("F2158");
	l->pmo.PutMsgRecFields = MQPMRF_MSG_ID;
	NEXT("F2159");
	l->pmo.PutMsgRecPtr = NULL;
	l->pmo.PutMsgRecFields = 0;
	EXPECT_STREQ("F2156", dl_put(l, "text"));
	l->pmo.ResponseRecOffset = 0;
	NEXT("F2258");
	memset(l->md.GroupId, 0, sizeof(l->md.GroupId));
	/* the handle has not been opened for it; an MQPUT1 is */
	EXPECT_STREQ("F2096", dl_put(l, "text"));
	l->pmo.Options = 0;
	NEXT("F2029");
	l->md.MsgType = MQMT_DATAGRAM;
	NEXT("OK");
#undef NEXT
}

/* P-DL-7, P-SCN-17: identifiers of groups */
TEST_F(dl, groups)
{
	struct dl *l = &self->l;
	MQBYTE24 ids[2];
	MQMD one, two;
	MQBYTE24 group[2];

	ASSERT_STREQ("OK", dl_open(l, 0));
	l->pmo.Options = MQPMO_LOGICAL_ORDER;
	l->md.MsgFlags = MQMF_MSG_IN_GROUP;
	EXPECT_STREQ("OK", dl_put(l, "1"));
	EXPECT_EQ(1, l->md.MsgSeqNumber);
	l->md.MsgFlags = MQMF_LAST_MSG_IN_GROUP;
	EXPECT_STREQ("OK", dl_put(l, "2"));
	EXPECT_EQ(2, l->md.MsgSeqNumber);
	EXPECT_TRUE(same_id(none, l->md.GroupId));
	dl_take(self->c, Q1, &one);
	dl_take(self->c, Q2, &two);
	EXPECT_TRUE(id_generated(one.GroupId));
	EXPECT_TRUE(id_generated(two.GroupId));
	EXPECT_FALSE(same_id(one.GroupId, two.GroupId));
	memcpy(group[0], one.GroupId, 24);
	memcpy(group[1], two.GroupId, 24);
	dl_take(self->c, Q1, &one);
	dl_take(self->c, Q2, &two);
	EXPECT_TRUE(same_id(group[0], one.GroupId));
	EXPECT_TRUE(same_id(group[1], two.GroupId));
	EXPECT_EQ(2, two.MsgSeqNumber);

	/* one identifier for several destinations */
	dl_fresh(l);
	l->md.MsgFlags = MQMF_MSG_IN_GROUP;
	id_set(l->md.GroupId, "X");
	EXPECT_STREQ("F2258", dl_put(l, "3"));
	l->md.MsgFlags = MQMF_SEGMENT;
	EXPECT_STREQ("F2258", dl_put(l, "3"));
	l->md.MsgFlags = MQMF_SEGMENTATION_ALLOWED;
	EXPECT_STREQ("F2258", dl_put(l, "3"));
	EXPECT_STREQ("F2258", dl_put1(l, "3"));
	/* or for some of them */
	id_set(ids[0], "Y");
	id_set(ids[1], "Z");
	l->pmo.PutMsgRecPtr = ids;
	l->pmo.PutMsgRecFields = MQPMRF_GROUP_ID;
	l->pmo.RecsPresent = 1;
	EXPECT_STREQ("F2258", dl_put(l, "3"));
	EXPECT_EQ(0, depth(Q1));
	l->pmo.RecsPresent = 2;
	EXPECT_STREQ("OK", dl_put(l, "3"));
	dl_take(self->c, Q1, &one);
	dl_take(self->c, Q2, &two);
	EXPECT_STREQ("Y", id_name(one.GroupId));
	EXPECT_STREQ("Z", id_name(two.GroupId));
	EXPECT_STREQ("X", id_name(l->md.GroupId));
	/* no group, no use of the identifier; a record tells */
	l->md.MsgFlags = MQMF_NONE;
	EXPECT_STREQ("OK", dl_put(l, "4"));
	EXPECT_STREQ("-", id_name(ids[0]));
	dl_take(self->c, Q1, &one);
	EXPECT_STREQ("-", id_name(one.GroupId));
	/* generated ones are returned in the record */
	memset(ids, 0, sizeof(ids));
	l->md.MsgFlags = MQMF_LAST_MSG_IN_GROUP;
	EXPECT_STREQ("OK", dl_put(l, "5"));
	dl_take(self->c, Q1, &one);
	EXPECT_TRUE(id_generated(ids[0]));
	EXPECT_TRUE(same_id(ids[0], one.GroupId));
	EXPECT_FALSE(same_id(ids[0], ids[1]));
}

/* P-DL-7 with the flags in an MQMDE */
TEST_F(dl, group_in_an_mqmde)
{
	struct dl *l = &self->l;
	MQMDE mde = { MQMDE_DEFAULT };
	MQBYTE24 ids[2];
	MQMD md;

	ASSERT_STREQ("OK", dl_open(l, 0));
	l->md.Version = MQMD_VERSION_1;
	memcpy(l->md.Format, MQFMT_MD_EXTENSION, 8);
	mde.MsgFlags = MQMF_LAST_MSG_IN_GROUP;
	mde.MsgSeqNumber = 3;
	id_set(mde.GroupId, "X");
	MQPUT(self->c, l->ho, &l->md, &l->pmo, sizeof(mde), &mde, &l->cc,
	      &l->rc);
	EXPECT_STREQ("F2258", outcome(l->cc, l->rc));
	id_set(ids[0], "Y");
	id_set(ids[1], "Z");
	l->pmo.PutMsgRecPtr = ids;
	l->pmo.PutMsgRecFields = MQPMRF_GROUP_ID;
	MQPUT(self->c, l->ho, &l->md, &l->pmo, sizeof(mde), &mde, &l->cc,
	      &l->rc);
	EXPECT_STREQ("OK", outcome(l->cc, l->rc));
	EXPECT_STREQ("", dl_take(self->c, Q2, &md));
	EXPECT_STREQ("Z", id_name(md.GroupId));
	EXPECT_EQ(3, md.MsgSeqNumber);
	EXPECT_STREQ("X", id_name(mde.GroupId));
}

/* P-DL-11, U-LIM-2 */
TEST_F(dl, unit_of_work)
{
	struct dl *l = &self->l;

	ASSERT_STREQ("OK", dl_open(l, 0));
	l->pmo.Options = MQPMO_SYNCPOINT;
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=3"));
	EXPECT_STREQ("OK", dl_put(l, "1"));
	EXPECT_STREQ("W2136", dl_put(l, "2"));
	EXPECT_STREQ("OK F2024", dl_results(l->put, 2));
	EXPECT_STREQ("F2024", dl_put(l, "3"));
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=10000"));
	EXPECT_EQ(2, depth(Q1));
	EXPECT_EQ(1, depth(Q2));
	EXPECT_STREQ("", listq(Q1));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(0, depth(Q1));
	EXPECT_EQ(0, depth(Q2));
	EXPECT_STREQ("OK", dl_put1(l, "4"));
	EXPECT_STREQ("", listq(Q1));
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_EQ(1, depth(Q1));
	EXPECT_EQ(1, depth(Q2));
}

/* P-DL-12, P-PRI-1, P-PER-1 */
TEST_F(dl, defaults_of_each_queue)
{
	struct dl *l = &self->l;
	MQMD one, two;

	ASSERT_STREQ("OK", dl_open(l, 0));
	EXPECT_STREQ("OK", alter(Q1, "pri=3 per=1"));
	EXPECT_STREQ("OK", alter(Q2, "pri=5 per=1"));
	l->md.Priority = MQPRI_PRIORITY_AS_Q_DEF;
	l->md.Persistence = MQPER_PERSISTENCE_AS_Q_DEF;
	EXPECT_STREQ("OK", dl_put(l, "text"));
	dl_take(self->c, Q1, &one);
	dl_take(self->c, Q2, &two);
	EXPECT_EQ(3, one.Priority);
	EXPECT_EQ(5, two.Priority);
	EXPECT_EQ(1, one.Persistence);
	/* one value for both is told, two are not */
	EXPECT_EQ(MQPRI_PRIORITY_AS_Q_DEF, l->md.Priority);
	EXPECT_EQ(1, l->md.Persistence);
}

/* P-DL-9, P-DL-10, P-DL-13, O-DL-5, P-ONE-2: MQPUT1 */
TEST_F(dl, with_put1)
{
	struct dl *l = &self->l;
	MQMD md;

	ASSERT_STREQ("OK", define("KT.DLMODEL", "model"));
	ASSERT_STREQ("OK", define("KT.DLTOPIC", "alias target=T targtype=8"));
	EXPECT_STREQ("OK", dl_put1(l, "text"));
	EXPECT_STREQ("2 0 0", OD_COUNTS(l));
	EXPECT_STREQ("2 0 0", PMO_COUNTS(l));
	EXPECT_STREQ("- -", dl_results(l->opened, 2));
	EXPECT_STREQ("text", dl_take(self->c, Q1, &md));
	EXPECT_STREQ("text", dl_take(self->c, Q2, &md));
	EXPECT_EQ(0, inquire_int(Q1, MQIA_OPEN_OUTPUT_COUNT));

	dl_init(l, self->c, "KT.NONE KT.DLMODEL " Q1 " KT.DLTOPIC " Q2);
	EXPECT_STREQ("OK", alter(Q2, "put=1"));
	EXPECT_STREQ("W2136", dl_put1(l, "text"));
	EXPECT_STREQ("F2085 F2057 OK F2001 F2051", dl_results(l->opened, 5));
	EXPECT_STREQ("- - - - -", dl_results(l->put, 5));
	EXPECT_STREQ("1 0 4", OD_COUNTS(l));
	EXPECT_STREQ("1 0 4", PMO_COUNTS(l));
	EXPECT_EQ(1, depth(Q1));

	/* none: a failed call writes response records at most (P-ONE-8) */
	dl_init(l, self->c, "KT.NONE KT.DLMODEL");
	l->od.KnownDestCount = 77;
	l->pmo.KnownDestCount = 77;
	memset(l->od.ResolvedQName, POISON, MQ_Q_NAME_LENGTH);
	EXPECT_STREQ("F2136", dl_put1(l, "text"));
	EXPECT_STREQ("F2085 F2057", dl_results(l->opened, 2));
	EXPECT_EQ(77, l->od.KnownDestCount);
	EXPECT_EQ(77, l->pmo.KnownDestCount);
	EXPECT_EQ(POISON, l->od.ResolvedQName[0]);
	dl_init(l, self->c, "KT.NONE KT.NONE2");
	EXPECT_STREQ("F2085", dl_put1(l, "text"));
	EXPECT_STREQ("- -", dl_results(l->opened, 2));
}

/* P-CALL-11, P-DL-8: a queue that went away meanwhile */
TEST_F(dl, deleted_queue)
{
	struct dl *l = &self->l;
	MQOD od = { MQOD_DEFAULT };
	MQHOBJ made;
	MQLONG cc, rc;

	ASSERT_STREQ("OK", define("KT.DLMODEL", "model"));
	FIELD_SET(od.ObjectName, "KT.DLMODEL");
	FIELD_SET(od.DynamicQName, "KT.DLMADE");
	MQOPEN(self->c, &od, MQOO_INPUT_SHARED, &made, &cc, &rc);
	EXPECT_STREQ("OK", outcome(cc, rc));
	dl_init(l, self->c, Q1 " KT.DLMADE");
	ASSERT_STREQ("OK", dl_open(l, 0));
	EXPECT_STREQ("OK", dl_put(l, "text"));
	MQCLOSE(self->c, &made, MQCO_NONE, &cc, &rc);
	EXPECT_STREQ("OK", outcome(cc, rc));
	EXPECT_STREQ("W2136", dl_put(l, "text"));
	EXPECT_STREQ("OK F2052", dl_results(l->put, 2));
	EXPECT_STREQ("OK", dl_close(l, MQCO_NONE));
}

/* P-CTX-5, P-CTX-6, P-CTX-7: context is the same for all destinations */
TEST_F(dl, context)
{
	struct dl *l = &self->l;
	MQMD md;

	ASSERT_STREQ("OK", dl_open(l, MQOO_SET_ALL_CONTEXT));
	l->pmo.Options = MQPMO_SET_ALL_CONTEXT;
	FIELD_SET(l->md.UserIdentifier, "someone");
	FIELD_SET(l->md.PutApplName, "something");
	l->md.PutApplType = 4711;
	EXPECT_STREQ("OK", dl_put(l, "text"));
	dl_take(self->c, Q2, &md);
	EXPECT_TRUE(FIELD_IS(md.UserIdentifier, "someone"));
	EXPECT_TRUE(FIELD_IS(md.PutApplName, "something"));
	EXPECT_EQ(4711, md.PutApplType);
	l->pmo.Options = MQPMO_NO_CONTEXT;
	EXPECT_STREQ("OK", dl_put(l, "text"));
	EXPECT_TRUE(FIELD_IS(l->md.UserIdentifier, ""));
	EXPECT_EQ(MQAT_NO_CONTEXT, l->md.PutApplType);
	EXPECT_TRUE(FIELD_IS(l->md.PutDate, ""));
}

/* P-ASY-2, P-ASY-4: each message counts */
TEST_F(dl, statistics)
{
	MQSTS sts = { MQSTS_DEFAULT };
	struct dl *l = &self->l;

	ASSERT_STREQ("OK", dl_open(l, 0));
	EXPECT_STREQ("OK", alter(Q2, "depth=1"));
	l->pmo.Options = MQPMO_ASYNC_RESPONSE;
	EXPECT_STREQ("OK", dl_put(l, "1"));
	EXPECT_STREQ("W2136", dl_put(l, "2"));
	MQSTAT(self->c, MQSTAT_TYPE_ASYNC_ERROR, &sts, &l->cc, &l->rc);
	EXPECT_EQ(3, sts.PutSuccessCount);
	EXPECT_EQ(1, sts.PutFailureCount);
	EXPECT_EQ(2053, sts.Reason);
	EXPECT_TRUE(FIELD_IS(sts.ObjectName, Q2));
}

/* Several messages to a list with one call */
TEST_F(dl, put_many)
{
	struct dl *l = &self->l;
	kmq_put_item items[3];
	MQMD md[3], got;
	MQLONG done;
	int i;

	ASSERT_STREQ("OK", dl_open(l, 0));
	memset(items, 0, sizeof(items));
	for (i = 0; i < 3; i++) {
		md[i] = l->md;
		items[i].MsgDesc = &md[i];
		items[i].PutMsgOpts = &l->pmo;
		items[i].BufferLength = 1;
		items[i].Buffer = (void *)&"123"[i];
	}
	kmq_put_many(self->c, l->ho, 3, items, &done, &l->cc, &l->rc);
	EXPECT_STREQ("OK", outcome(l->cc, l->rc));
	EXPECT_EQ(3, done);
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(MQCC_OK, items[i].CompCode);
		EXPECT_EQ("123"[i], dl_take(self->c, Q2, &got)[0]);
	}
	EXPECT_EQ(3, depth(Q1));
}

TEST_HARNESS_MAIN
