/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * MQSTAT and asynchronous puts (A-STAT, A-SCN-4, P-ASY).
 */
#include <string.h>
#include "q_fixture.h"

static MQSTS sts;

static const char *stat_of(MQHCONN hc, MQLONG type)
{
	MQLONG cc, rc;

	sts = (MQSTS){ MQSTS_DEFAULT };
	MQSTAT(hc, type, &sts, &cc, &rc);
	return outcome(cc, rc);
}

#define COUNTS(good, warned, failed) do {				\
	EXPECT_EQ(good, sts.PutSuccessCount);				\
	EXPECT_EQ(warned, sts.PutWarningCount);				\
	EXPECT_EQ(failed, sts.PutFailureCount);				\
} while (0)

/* A-SCN-4, A-STAT-2, P-ASY-2 */
TEST_F(q, example)
{
	EXPECT_STREQ("OK", alter(Q, "depth=2"));
	PUT("OK", self->h, "A opt=0x10000");
	PUT("OK", self->h, "B opt=0x10000");
	PUT("F2053", self->h, "X opt=0x10000");
	EXPECT_STREQ("OK", stat_of(self->c, MQSTAT_TYPE_ASYNC_ERROR));
	COUNTS(2, 0, 1);
	EXPECT_EQ(MQCC_FAILED, sts.CompCode);
	EXPECT_EQ(2053, sts.Reason);
	EXPECT_EQ(MQOT_Q, sts.ObjectType);
	EXPECT_TRUE(FIELD_IS(sts.ObjectName, Q));
	EXPECT_STREQ("OK", stat_of(self->c, MQSTAT_TYPE_ASYNC_ERROR));
	COUNTS(0, 0, 0);
	EXPECT_EQ(MQCC_OK, sts.CompCode);
	EXPECT_EQ(0, sts.Reason);
}

/* A-STAT-2: the first failure, else the first warning; per connection */
TEST_F(q, first_of_them)
{
	PUT("W2049", self->h, "A p=10 opt=0x10000");
	PUT("F2013", self->h, "X exp=0 opt=0x10000");
	PUT("F2047", self->h, "X per=9 opt=0x10000");
	PUT("OK", self->k, "B opt=0x10000");
	EXPECT_STREQ("OK", stat_of(self->c, 0));
	COUNTS(0, 1, 2);
	EXPECT_EQ(2013, sts.Reason);
	EXPECT_STREQ("OK", stat_of(self->d, 0));
	COUNTS(1, 0, 0);
	EXPECT_EQ(0, sts.Reason);
}

/* A-STAT-4: a put that failed is no reason to back out; it was told at once */
TEST_F(q, commit_after_a_failed_put)
{
	EXPECT_STREQ("OK", alter(Q, "depth=2"));
	PUT("OK", self->h, "A SP per=1 opt=0x10000");
	PUT("OK", self->h, "B SP opt=0x10000");
	PUT("F2053", self->h, "X SP per=1 opt=0x10000");
	EXPECT_STREQ("OK", commit(self->c));
	LIST("A B");
	EXPECT_STREQ("OK", stat_of(self->c, MQSTAT_TYPE_ASYNC_ERROR));
	COUNTS(2, 0, 1);
	EXPECT_EQ(2053, sts.Reason);
}

/* A-STAT-3, P-ASY-1, P-ASY-4: which puts count */
TEST_F(q, what_counts)
{
	struct mqh *h;

	PUT("OK", self->h, "A");
	PUT("OK", self->h, "B opt=0x20000");
	EXPECT_STREQ("OK", stat_of(self->c, 0));
	COUNTS(0, 0, 0);
	ASSERT_STREQ("OK", define(Q "2", "presp=2"));
	h = opn(self->c, Q "2", "o");
	PUT("OK", h, "C");
	PUT("OK", h, "D opt=0x20000");
	EXPECT_STREQ("OK", stat_of(self->c, 0));
	COUNTS(1, 0, 0);
}

/* P-ASY-3: what may be relied upon after an asynchronous put */
TEST_F(q, descriptor_of_an_asynchronous_put)
{
	const MQMD *given = &self->h->md, *got = &self->k->md;

	PUT("OK", self->h, "A NM NC opt=0x10000");
	EXPECT_TRUE(id_generated(given->MsgId));
	EXPECT_TRUE(id_generated(given->CorrelId));
	get(self->k, "");
	EXPECT_EQ(0, memcmp(given->MsgId, got->MsgId, 24));
	EXPECT_EQ(0, memcmp(given->CorrelId, got->CorrelId, 24));
	EXPECT_EQ(0, memcmp(given->ApplIdentityData, got->ApplIdentityData,
			    sizeof(got->ApplIdentityData)));
	EXPECT_EQ(given->PutApplType, got->PutApplType);
	EXPECT_EQ(0, memcmp(given->PutApplName, got->PutApplName,
			    sizeof(got->PutApplName)));
	EXPECT_EQ(0, memcmp(given->ApplOriginData, got->ApplOriginData,
			    sizeof(got->ApplOriginData)));
}

/* A-STAT-1 */
TEST_F(q, parameters)
{
	MQLONG cc, rc;

	EXPECT_STREQ("F2430", stat_of(self->c, 3));
	EXPECT_STREQ("F2430", stat_of(self->c, -1));
	EXPECT_STREQ("F2012", stat_of(self->c, MQSTAT_TYPE_RECONNECTION));
	EXPECT_STREQ("F2012", stat_of(self->c,
				      MQSTAT_TYPE_RECONNECTION_ERROR));
	EXPECT_STREQ("F2018", stat_of(-1, 0));
	MQSTAT(self->c, 0, NULL, &cc, &rc);
	EXPECT_STREQ("F2426", outcome(cc, rc));
	sts = (MQSTS){ MQSTS_DEFAULT };
	sts.StrucId[0] = 'X';
	MQSTAT(self->c, 0, &sts, &cc, &rc);
	EXPECT_STREQ("F2426", outcome(cc, rc));
	sts = (MQSTS){ MQSTS_DEFAULT };
	sts.Version = 3;
	MQSTAT(self->c, 0, &sts, &cc, &rc);
	EXPECT_STREQ("F2426", outcome(cc, rc));
}

TEST_HARNESS_MAIN
