/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Records of puts to distribution lists: what is put for each destination (MQPMR)
 * and what came of it (MQRR).
 */
#include <string.h>
#include <sys/mman.h>
#include "dl_fixture.h"

/* P-DL-3: fewer response records than destinations, none, too many */
TEST_F(dl, number_of_responses)
{
	struct dl *l = &self->l;

	dl_init(l, self->c, Q1 " " Q2 " " Q3);
	ASSERT_STREQ("OK", dl_open(l, 0));
	EXPECT_STREQ("OK", alter(Q1, "put=1"));
	l->pmo.RecsPresent = 2;
	EXPECT_STREQ("W2136", dl_put(l, "text"));
	EXPECT_STREQ("F2051 OK -", dl_results(l->put, 3));
	l->pmo.RecsPresent = 0;
	EXPECT_STREQ("W2136", dl_put(l, "text"));
	EXPECT_STREQ("- - -", dl_results(l->put, 3));
	l->pmo.RecsPresent = 5;
	EXPECT_STREQ("W2136", dl_put(l, "text"));
	EXPECT_STREQ("F2051 OK OK - -", dl_results(l->put, 5));
	l->pmo.ResponseRecPtr = NULL;
	EXPECT_STREQ("W2136", dl_put(l, "text"));
	EXPECT_STREQ("2 0 1", PMO_COUNTS(l));
	/* an MQPMO without records */
	l->pmo.Version = MQPMO_VERSION_1;
	l->pmo.KnownDestCount = 77;
	EXPECT_STREQ("W2136", dl_put(l, "text"));
	EXPECT_EQ(77, l->pmo.KnownDestCount);
	EXPECT_EQ(5, depth(Q3));
}

/* What a put message record may hold, in its order; packed by its fields. */
struct parts {
	MQBYTE24 msg_id, correl_id, group_id;
	MQLONG feedback;
	MQBYTE32 token;
};

static const struct {
	size_t at, size;
} part[] = {
	{ offsetof(struct parts, msg_id), 24 },
	{ offsetof(struct parts, correl_id), 24 },
	{ offsetof(struct parts, group_id), 24 },
	{ offsetof(struct parts, feedback), 4 },
	{ offsetof(struct parts, token), 32 },
};

static char *pack(char *to, const struct parts *p, MQLONG fields)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(part); i++)
		if (fields & 1 << i) {
			memcpy(to, (char *)p + part[i].at, part[i].size);
			to += part[i].size;
		}
	return to;
}

static const char *unpack(struct parts *p, const char *from, MQLONG fields)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(part); i++)
		if (fields & 1 << i) {
			memcpy((char *)p + part[i].at, from, part[i].size);
			from += part[i].size;
		}
	return from;
}

static struct parts parts_of(int i)
{
	struct parts p = { .feedback = 65536 + i };

	memset(p.msg_id, 'm' + i, 24);
	memset(p.correl_id, 'c' + i, 24);
	memset(p.group_id, 'g' + i, 24);
	memset(p.token, 't' + i, 32);
	return p;
}

/* P-DL-4, P-DL-6, P-DL-7: each combination of fields, with MQPUT and MQPUT1 */
static void fields_of_records(struct __test_metadata *_metadata, struct dl *l,
			      MQLONG fields, bool put1)
{
	MQLONG ids = fields & ~MQPMRF_FEEDBACK & ~MQPMRF_ACCOUNTING_TOKEN;
	struct parts given, back;
	char records[2 * sizeof(struct parts) + 1], *end = records;
	const char *p = records;
	MQMD md;
	int i;

	for (i = 0; i < 2; i++) {
		given = parts_of(i);
		end = pack(end, &given, fields);
	}
	*end = POISON;
	dl_fresh(l);
	memset(l->md.MsgId, 'M', 24);
	memset(l->md.CorrelId, 'C', 24);
	l->md.Feedback = 4711;
	memset(l->md.AccountingToken, 'A', 32);
	l->md.MsgFlags = MQMF_LAST_MSG_IN_GROUP;
	l->pmo.Options = MQPMO_SET_IDENTITY_CONTEXT;
	l->pmo.PutMsgRecFields = fields;
	l->pmo.PutMsgRecPtr = records;
	EXPECT_STREQ("OK", put1 ? dl_put1(l, "text") : dl_put(l, "text"))
		TH_LOG("fields 0x%x", fields);
	EXPECT_EQ(POISON, *end);
	for (i = 0; i < 2; i++) {
		given = parts_of(i);
		back = given;
		p = unpack(&back, p, fields);
		EXPECT_STREQ("text", dl_take(l->hc, i ? Q2 : Q1, &md));
		EXPECT_TRUE(same_id(ids & MQPMRF_MSG_ID ? given.msg_id :
				    l->md.MsgId, md.MsgId));
		EXPECT_TRUE(same_id(ids & MQPMRF_CORREL_ID ? given.correl_id :
				    l->md.CorrelId, md.CorrelId));
		EXPECT_TRUE(ids & MQPMRF_GROUP_ID ?
			    same_id(given.group_id, md.GroupId) :
			    id_generated(md.GroupId));
		EXPECT_EQ(fields & MQPMRF_FEEDBACK ? given.feedback : 4711,
			  md.Feedback);
		EXPECT_EQ(fields & MQPMRF_ACCOUNTING_TOKEN ? given.token[31] :
			  'A', md.AccountingToken[31]);
		/* what was only read is as it was */
		EXPECT_EQ(0, memcmp(&given, &back, sizeof(given)))
			TH_LOG("fields 0x%x", fields);
	}
	EXPECT_EQ('M', l->md.MsgId[5]);
	EXPECT_EQ('C', l->md.CorrelId[5]);
	EXPECT_EQ('A', l->md.AccountingToken[31]);
	EXPECT_EQ(4711, l->md.Feedback);
	EXPECT_TRUE(same_id(none, l->md.GroupId));
}

TEST_F(dl, fields_of_records)
{
	MQLONG fields;

	ASSERT_STREQ("OK", dl_open(&self->l, MQOO_SET_IDENTITY_CONTEXT));
	for (fields = 1; fields < 32; fields++) {
		fields_of_records(_metadata, &self->l, fields, false);
		fields_of_records(_metadata, &self->l, fields, true);
	}
}

/* P-DL-3, P-DL-6: generated identifiers come back in the records there are */
TEST_F(dl, records_get_identifiers)
{
	struct dl *l = &self->l;
	struct {
		MQBYTE24 msg_id, correl_id;
	} r[3];
	MQMD md[3];

	dl_init(l, self->c, Q1 " " Q2 " " Q3);
	ASSERT_STREQ("OK", dl_open(l, 0));
	memset(r, 0, sizeof(r));
	memset(&r[2], POISON, sizeof(r[2]));
	l->pmo.RecsPresent = 2;
	l->pmo.PutMsgRecFields = MQPMRF_MSG_ID | MQPMRF_CORREL_ID;
	l->pmo.PutMsgRecPtr = r;
	l->pmo.Options = MQPMO_NEW_CORREL_ID;
	id_set(r[1].msg_id, "GIVEN");
	id_set(l->md.MsgId, "M");
	EXPECT_STREQ("OK", dl_put(l, "text"));
	dl_take(self->c, Q1, &md[0]);
	dl_take(self->c, Q2, &md[1]);
	dl_take(self->c, Q3, &md[2]);
	EXPECT_TRUE(id_generated(r[0].msg_id));
	EXPECT_TRUE(same_id(md[0].MsgId, r[0].msg_id));
	EXPECT_STREQ("GIVEN", id_name(md[1].MsgId));
	EXPECT_STREQ("GIVEN", id_name(r[1].msg_id));
	EXPECT_STREQ("M", id_name(md[2].MsgId));
	EXPECT_TRUE(id_generated(r[0].correl_id));
	EXPECT_TRUE(same_id(md[0].CorrelId, r[0].correl_id));
	EXPECT_TRUE(same_id(md[1].CorrelId, r[1].correl_id));
	EXPECT_FALSE(same_id(r[0].correl_id, r[1].correl_id));
	EXPECT_EQ(POISON, r[2].msg_id[0]);
	EXPECT_EQ(POISON, r[2].correl_id[23]);
	/* the record of a destination that fails stays */
	memset(r, 0, sizeof(r));
	EXPECT_STREQ("OK", alter(Q1, "put=1"));
	EXPECT_STREQ("W2136", dl_put(l, "text"));
	EXPECT_TRUE(same_id(none, r[0].msg_id));
	EXPECT_TRUE(same_id(none, r[0].correl_id));
	EXPECT_TRUE(id_generated(r[1].msg_id));
}

/* P-DL-5: records by offset from the MQPMO */
TEST_F(dl, records_by_offset)
{
	struct dl *l = &self->l;
	struct {
		MQRR rr[2];
		MQPMO pmo;
		MQBYTE24 msg_id[2];
	} s = { .pmo = { MQPMO_DEFAULT } };
	MQMD md;

	ASSERT_STREQ("OK", dl_open(l, 0));
	EXPECT_STREQ("OK", alter(Q1, "put=1"));
	s.pmo.Version = MQPMO_VERSION_2;
	s.pmo.RecsPresent = 2;
	s.pmo.PutMsgRecFields = MQPMRF_MSG_ID;
	s.pmo.PutMsgRecOffset = (char *)s.msg_id - (char *)&s.pmo;
	s.pmo.ResponseRecOffset = (char *)s.rr - (char *)&s.pmo;
	id_set(s.msg_id[1], "TWO");
	MQPUT(self->c, l->ho, &l->md, &s.pmo, 0, NULL, &l->cc, &l->rc);
	EXPECT_STREQ("W2136", outcome(l->cc, l->rc));
	EXPECT_STREQ("F2051 OK", dl_results(s.rr, 2));
	EXPECT_STREQ("", dl_take(self->c, Q2, &md));
	EXPECT_STREQ("TWO", id_name(md.MsgId));
}

/* P-DL-3, P-DL-4, P-DL-5, P-DL-10, P-CHK-5 */
TEST_F(dl, bad_records)
{
	struct dl *l = &self->l, good;
	MQBYTE24 ids[2];
	MQMD md;

	ASSERT_STREQ("OK", dl_open(l, MQOO_SET_ALL_CONTEXT));
	l->pmo.PutMsgRecPtr = ids;
	l->pmo.PutMsgRecFields = MQPMRF_MSG_ID;
	good = *l;
#define BAD2(want, want1, change) do {					\
	*l = good;							\
	change;								\
	EXPECT_STREQ(want, dl_put(l, "text"));				\
	EXPECT_STREQ(want1, dl_put1(l, "text"));			\
	EXPECT_STREQ("- -", dl_results(l->put, 2));			\
} while (0)
#define BAD(want, change)	BAD2(want, want, change)
	BAD("F2154", l->pmo.RecsPresent = -1);
	BAD("F2158", l->pmo.PutMsgRecFields = 0);
	BAD("F2158", l->pmo.PutMsgRecFields = MQPMRF_MSG_ID | 0x20);
	BAD("F2158", l->pmo.PutMsgRecFields = 0x80000000);
	BAD("F2158", l->pmo.PutMsgRecFields |= MQPMRF_ACCOUNTING_TOKEN);
	BAD("F2159", l->pmo.PutMsgRecOffset = sizeof(MQPMO));
	BAD("F2159", l->pmo.PutMsgRecPtr = (void *)8);
	BAD("F2159", l->pmo.RecsPresent = 0x7fffffff);
	BAD("F2173", l->pmo.Version = 4);
	BAD("F2026", l->md.Version = 3);
	BAD("F2046", l->pmo.Options = 0x80000000);
	BAD("F2029", l->md.MsgType = 0);
	BAD("F2027", l->md.MsgType = MQMT_REQUEST);
	BAD("F2535", l->pmo.Action = 99);
	EXPECT_EQ(0, depth(Q1));
	EXPECT_EQ(0, depth(Q2));
	/* with MQPUT1 those of the MQPMO are not response records */
	BAD2("F2156", "OK", l->pmo.ResponseRecPtr = (void *)8);
	BAD2("F2156", "OK", l->pmo.ResponseRecOffset = 4);
	/* options that belong to the other call */
	BAD2("F2046", "F2035",
	     l->pmo.Options = MQPMO_ALTERNATE_USER_AUTHORITY);
	BAD2("OK", "F2046", l->pmo.Options = MQPMO_LOGICAL_ORDER);
	EXPECT_EQ(3, depth(Q1));
	while (!strcmp("text", dl_take(self->c, Q1, &md)))
		;
	/* flags that go with no record do not count */
	*l = good;
	l->pmo.RecsPresent = 0;
	l->pmo.PutMsgRecFields = 0x80000000;
	EXPECT_STREQ("OK", dl_put(l, "text"));
	*l = good;
	l->pmo.PutMsgRecPtr = NULL;
	l->pmo.PutMsgRecFields = 0;
	EXPECT_STREQ("OK", dl_put(l, "text"));
#undef BAD
#undef BAD2
}

TEST_HARNESS_MAIN
