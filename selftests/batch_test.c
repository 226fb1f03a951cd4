/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * kmq_put_many() and kmq_get_many(): the same results as single calls, one after
 * the other.
 */
#include <string.h>
#include "batch_fixture.h"

TEST_F(q, put_and_get)
{
	int i;

	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	prepare();
	EXPECT_STREQ("OK", put_many(self->h, N));
	EXPECT_EQ(N, b.done);
	EXPECT_EQ(N, depth(Q));
	EXPECT_STREQ("OK", get_many(self->k, N));
	EXPECT_EQ(N, b.done);
	for (i = 0; i < N; i++) {
		EXPECT_EQ(0, b.get[i].CompCode);
		EXPECT_EQ(7, b.get[i].DataLength);
		EXPECT_EQ(N - 1 - i, b.md[i].Priority);
		EXPECT_EQ('0' + N - 1 - i, b.md[i].MsgId[0]);
		EXPECT_EQ('0' + N - 1 - i, b.data[i][5]);
		EXPECT_EQ(POISON, b.data[i][7]);
		EXPECT_EQ(7, b.gmo[i].ReturnedLength);
	}
	EXPECT_EQ(0, depth(Q));
}

/* The first that fails ends it and counts as done; nothing is undone. */
TEST_F(q, first_failure_ends_a_put)
{
	prepare();
	b.md[2].Expiry = 0;
	EXPECT_STREQ("F2013", put_many(self->h, N));
	EXPECT_EQ(3, b.done);
	EXPECT_EQ(MQCC_FAILED, b.put[2].CompCode);
	EXPECT_EQ(2, depth(Q));
	prepare();
	b.md[1].Priority = 12;
	EXPECT_STREQ("W2049", put_many(self->h, N));
	EXPECT_EQ(N, b.done);
	EXPECT_EQ(2049, b.put[1].Reason);
	EXPECT_EQ(0, b.put[2].Reason);
	EXPECT_STREQ("OK", put_many(self->h, 0));
	EXPECT_EQ(0, b.done);
}

/* UC-053: the limits are met where single calls would meet them. */
TEST_F(q, limits)
{
	EXPECT_STREQ("OK", alter(Q, "depth=3"));
	prepare();
	EXPECT_STREQ("F2053", put_many(self->h, N));
	EXPECT_EQ(4, b.done);
	EXPECT_EQ(3, depth(Q));
}

TEST_F(q, get_until_empty)
{
	prepare();
	EXPECT_STREQ("OK", put_many(self->h, 3));
	EXPECT_STREQ("OK", get_many(self->k, N));
	EXPECT_EQ(4, b.done);
	EXPECT_EQ(2033, b.get[3].Reason);
	EXPECT_EQ('2', b.data[2][5]);
	EXPECT_EQ(POISON, b.data[3][0]);
	prepare();
	EXPECT_STREQ("F2033", get_many(self->k, N));
	EXPECT_EQ(1, b.done);
}

/* Only the first entry waits. */
TEST_F(q, wait)
{
	int64_t t = now_ms();
	int i;

	prepare();
	for (i = 0; i < N; i++) {
		b.gmo[i].Options = MQGMO_WAIT;
		b.gmo[i].WaitInterval = 3000;
	}
	PUT("OK", self->h, "A");
	EXPECT_STREQ("OK", get_many(self->k, N));
	EXPECT_EQ(2, b.done);
	EXPECT_GT(3000, now_ms() - t);
	prepare();
	b.gmo[0].Options = MQGMO_WAIT;
	b.gmo[0].WaitInterval = 30;
	t = now_ms();
	EXPECT_STREQ("F2033", get_many(self->k, N));
	EXPECT_LE(30, now_ms() - t + 1);
}

/* Groups in logical order, under syncpoint, through a batch. */
TEST_F(q, groups_and_units)
{
	int i;

	prepare();
	for (i = 0; i < N; i++) {
		b.pmo[i].Options = MQPMO_LOGICAL_ORDER | MQPMO_SYNCPOINT;
		b.md[i].MsgFlags = i < N - 1 ? MQMF_MSG_IN_GROUP :
					       MQMF_LAST_MSG_IN_GROUP;
	}
	EXPECT_STREQ("OK", put_many(self->h, N));
	for (i = 0; i < N; i++) {
		EXPECT_EQ(i + 1, b.md[i].MsgSeqNumber);
		EXPECT_EQ(0, memcmp(b.md[i].GroupId, b.md[0].GroupId, 24));
	}
	GET("F2033", self->k, "");
	EXPECT_STREQ("OK", commit(self->c));
	for (i = 0; i < N; i++)
		b.gmo[i].Options = MQGMO_LOGICAL_ORDER | MQGMO_SYNCPOINT |
				   MQGMO_ALL_MSGS_AVAILABLE;
	EXPECT_STREQ("OK", get_many(self->k, N));
	for (i = 0; i < N; i++)
		EXPECT_EQ(i + 1, b.md[i].MsgSeqNumber);
	EXPECT_EQ(0, depth(Q));
	EXPECT_STREQ("OK", back(self->d));
	EXPECT_EQ(N, depth(Q));
}

/* A buffer in the middle that cannot be written: what came before has come. */
TEST_F(q, fault_in_the_middle)
{
	prepare();
	EXPECT_STREQ("OK", put_many(self->h, N));
	b.get[2].Buffer = (void *)(uintptr_t)8;
	EXPECT_STREQ("F2004", get_many(self->k, N));
	EXPECT_EQ(3, b.done);
	EXPECT_EQ('1', b.data[1][5]);
	EXPECT_EQ(3, depth(Q));
	GET("#", self->k, "");
	EXPECT_EQ('2', self->k->md.MsgId[0]);
	EXPECT_EQ(0, self->k->md.BackoutCount);
}

TEST_HARNESS_MAIN
