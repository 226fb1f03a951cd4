/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * PUTV and GETV, and what the library makes of them: the same results as
 * single calls, one after the other.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <kmq.h>
#include "q_fixture.h"

#define N	5

struct batch {
	MQMD md[N];
	MQPMO pmo[N];
	MQGMO gmo[N];
	char data[N][32];
	kmq_put_item put[N];
	kmq_get_item get[N];
	MQLONG done, cc, rc;
};

static struct batch b;

/* Messages "0", "1", ... with their number as priority. */
static void prepare(void)
{
	int i;

	memset(&b, 0, sizeof(b));
	for (i = 0; i < N; i++) {
		b.md[i] = (MQMD){ MQMD_DEFAULT };
		b.md[i].Version = MQMD_VERSION_2;
		b.md[i].Priority = i;
		b.md[i].MsgId[0] = '0' + i;
		b.pmo[i] = (MQPMO){ MQPMO_DEFAULT };
		b.gmo[i] = (MQGMO){ MQGMO_DEFAULT };
		b.gmo[i].Version = MQGMO_VERSION_4;
		b.gmo[i].MatchOptions = MQMO_NONE;
		sprintf(b.data[i], "data %d", i);
		b.put[i] = (kmq_put_item){ &b.md[i], &b.pmo[i], b.data[i], 7 };
		b.get[i] = (kmq_get_item){ &b.md[i], &b.gmo[i], b.data[i], 32 };
	}
}

static const char *put_many(struct mqh *h, int n)
{
	b.done = -7;
	kmq_put_many(h->hc, h->ho, n, b.put, &b.done, &b.cc, &b.rc);
	return outcome(b.cc, b.rc);
}

static const char *get_many(struct mqh *h, int n)
{
	b.done = -7;
	memset(b.data, POISON, sizeof(b.data));
	kmq_get_many(h->hc, h->ho, n, b.get, &b.done, &b.cc, &b.rc);
	return outcome(b.cc, b.rc);
}

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

/* The kernel's own contract: errno of an entry, strides */
TEST_F(q, entries)
{
	struct {
		struct kmq_get g;
		uint64_t pad;
	} e[3];
	struct kmq_vec v = { .size = sizeof(v), .count = 3,
			     .stride = sizeof(e[0]), .entries = (uintptr_t)e };
	int fd = kmq_object_fd(self->k->hc, self->k->ho), i;

	ASSERT_STREQ("OK", puts_all(self->h, "A; B; C"));
	memset(e, 0, sizeof(e));
	for (i = 0; i < 3; i++) {
		e[i].g.size = sizeof(e[i].g);
		e[i].g.gmo_version = 2;
		e[i].g.md_version = 2;
		e[i].g.length = sizeof(b.data[i]);
		e[i].g.data = (uintptr_t)b.data[i];
		e[i].pad = 4711;
	}
	/* an errno at the second: reported by out_done */
	e[1].g.flags = 0x80;
	ASSERT_EQ(0, ioctl(fd, KMQ_IOC_GETV, &v));
	EXPECT_EQ(1, v.out_done);
	EXPECT_EQ(0, e[0].g.out_comp_code);
	EXPECT_EQ(10, e[0].g.out_data_length);
	EXPECT_EQ(2, depth(Q));
	/* at the first: reported as such, nothing happens */
	v.entries = (uintptr_t)&e[1];
	v.count = 2;
	v.out_done = 77;
	EXPECT_EQ(-1, ioctl(fd, KMQ_IOC_GETV, &v));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(2, depth(Q));
	e[1].g.flags = 0;
	v.out_done = 0;
	ASSERT_EQ(0, ioctl(fd, KMQ_IOC_GETV, &v));
	EXPECT_EQ(2, v.out_done);
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(4711, e[0].pad);
	EXPECT_EQ(4711, e[2].pad);
}

/* The same with nothing that differs from message to message but the data. */
static void prepare_alike(void)
{
	int i;

	prepare();
	for (i = 0; i < N; i++) {
		b.md[i].Priority = MQPRI_PRIORITY_AS_Q_DEF;
		b.md[i].MsgId[0] = 0;
	}
}

/* Messages that are alike are stored together, but each is one. */
TEST_F(q, alike)
{
	int i, turn;

	for (turn = 0; turn < 3; turn++) {
		prepare_alike();
		EXPECT_STREQ("OK", put_many(self->h, N));
		EXPECT_EQ(N, b.done);
		for (i = 1; i < N; i++)
			EXPECT_LT(0, memcmp(b.md[i].MsgId, b.md[i - 1].MsgId,
					    24));
	}
	EXPECT_EQ(3 * N, depth(Q));
	for (turn = 0; turn < 3; turn++) {
		prepare_alike();
		EXPECT_STREQ("OK", get_many(self->k, N));
		EXPECT_EQ(N, b.done);
		for (i = 0; i < N; i++) {
			EXPECT_EQ('0' + i, b.data[i][5]);
			EXPECT_EQ(7, b.get[i].DataLength);
			EXPECT_EQ(0, b.md[i].Priority);
			EXPECT_EQ(MQEI_UNLIMITED, b.md[i].Expiry);
		}
	}
	EXPECT_EQ(0, depth(Q));
}

/* UC-053, P-CHK-1: what ends a run of such messages in its middle */
TEST_F(q, alike_until_full)
{
	PUT("OK", self->h, "A");
	EXPECT_STREQ("OK", alter(Q, "depth=4"));
	prepare_alike();
	EXPECT_STREQ("F2053", put_many(self->h, N));
	EXPECT_EQ(4, b.done);
	EXPECT_EQ(4, depth(Q));
	EXPECT_EQ(0, b.put[2].CompCode);
	EXPECT_EQ(2053, b.put[3].Reason);
	/* Room again: the queue takes as many as there is room for. */
	GET("A", self->k, "");
	GET("#", self->k, "");
	prepare_alike();
	EXPECT_STREQ("F2053", put_many(self->h, N));
	EXPECT_EQ(3, b.done);
	EXPECT_EQ(4, depth(Q));
}

TEST_F(q, alike_but_one)
{
	int i;

	prepare_alike();
	EXPECT_STREQ("OK", put_many(self->h, N));
	prepare_alike();
	b.put[2].Buffer = (void *)(uintptr_t)8;
	EXPECT_STREQ("F2004", put_many(self->h, N));
	EXPECT_EQ(3, b.done);
	EXPECT_EQ(N + 2, depth(Q));
	prepare_alike();
	b.md[3].Expiry = 0;
	EXPECT_STREQ("F2013", put_many(self->h, N));
	EXPECT_EQ(4, b.done);
	EXPECT_EQ(N + 5, depth(Q));
	prepare_alike();
	b.get[3].Buffer = (void *)(uintptr_t)8;
	EXPECT_STREQ("F2004", get_many(self->k, N));
	EXPECT_EQ(4, b.done);
	EXPECT_EQ(N + 2, depth(Q));
	/* The one that could not be handed over, and those behind it. */
	prepare_alike();
	EXPECT_STREQ("OK", get_many(self->k, N));
	for (i = 0; i < N; i++)
		EXPECT_EQ("34010"[i], b.data[i][5]);
	/* A buffer that is too short. */
	prepare_alike();
	b.get[1].BufferLength = 6;
	EXPECT_STREQ("W2080", get_many(self->k, 2));
	EXPECT_EQ(2080, b.get[1].Reason);
	EXPECT_EQ(1, depth(Q));
}

/* U-BACK-2: a unit of work that a run took part in */
TEST_F(q, alike_in_a_unit)
{
	int i;

	PUT("OK", self->h, "A");
	prepare_alike();
	for (i = 0; i < N; i++)
		b.pmo[i].Options = MQPMO_SYNCPOINT;
	EXPECT_STREQ("OK", put_many(self->h, N));
	EXPECT_STREQ("OK", put_many(self->h, N));
	GET("A", self->k, "");
	GET("F2033", self->k, "");
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(0, depth(Q));
	prepare_alike();
	EXPECT_STREQ("OK", put_many(self->h, N));
	for (i = 0; i < 2; i++) {
		int n;

		prepare_alike();
		for (n = 0; n < N; n++)
			b.gmo[n].Options = MQGMO_SYNCPOINT;
		EXPECT_STREQ("OK", get_many(self->k, N));
		EXPECT_EQ(N, b.done);
		EXPECT_EQ(i, b.md[N - 1].BackoutCount);
		EXPECT_EQ(0, depth(Q));
		EXPECT_STREQ("OK", i ? commit(self->d) : back(self->d));
		EXPECT_EQ(i ? 0 : N, depth(Q));
	}
}

/* G-MAT-1: each by its own MsgId, the last one first */
TEST_F(q, alike_by_msg_id)
{
	MQBYTE24 ids[N];
	int i;

	prepare_alike();
	EXPECT_STREQ("OK", put_many(self->h, N));
	for (i = 0; i < N; i++)
		memcpy(ids[i], b.md[i].MsgId, 24);
	prepare_alike();
	for (i = 0; i < N; i++) {
		memcpy(b.md[i].MsgId, ids[N - 1 - i], 24);
		b.gmo[i].MatchOptions = MQMO_MATCH_MSG_ID;
	}
	EXPECT_STREQ("OK", get_many(self->k, N));
	for (i = 0; i < N; i++) {
		EXPECT_EQ('0' + N - 1 - i, b.data[i][5]);
		EXPECT_EQ(0, memcmp(b.md[i].MsgId, ids[N - 1 - i], 24));
	}
	EXPECT_EQ(0, depth(Q));
}

/* P-CALL-10, O-SET-8: what was checked before is checked anew after a change. */
TEST_F(q, alike_after_a_change)
{
	int i;

	for (i = 0; i < 2; i++) {
		PUT("OK", self->h, "A");
		GET("A", self->k, "");
	}
	EXPECT_STREQ("OK", alter(Q, "put=1"));
	PUT("F2051", self->h, "A");
	EXPECT_STREQ("OK", alter(Q, "put=0"));
	PUT("OK", self->h, "A");
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	GET("F2016", self->k, "");
	EXPECT_STREQ("OK", alter(Q, "get=0"));
	GET("A", self->k, "");
	EXPECT_STREQ("OK", alter(Q, "pri=7"));
	PUT("OK", self->h, "A");
	GET("A", self->k, "");
	EXPECT_EQ(7, self->k->md.Priority);
	PUT("OK", self->h, "AAAAAAAA");
	EXPECT_STREQ("OK", alter(Q, "len=4"));
	PUT("F2030", self->h, "AAAAAAAA");
}

TEST_HARNESS_MAIN
