/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * PUTV and GETV, and what the library makes of them: the same results as
 * single calls, one after the other.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
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

/* G-VAL: one that fails says so each time, whatever there is on the queue. */
TEST_F(q, alike_after_a_failure)
{
	struct mqh *h;
	int i;

	ASSERT_STREQ("OK", define("KT.ALIAS", "alias target=" Q));
	h = opn(self->d, "KT.ALIAS", "i");
	for (i = 0; i < 2; i++) {
		PUT("OK", self->h, "A");
		GET("A", h, "");
	}
	EXPECT_STREQ("OK", alter("KT.ALIAS", "alias get=1"));
	for (i = 0; i < 2; i++) {
		GET("F2016", h, "");
		GET("F2016", h, "WT(1000)");
	}
	PUT("OK", self->h, "A");
	for (i = 0; i < 2; i++) {
		GET("F2016", h, "");
		GET("F2016", h, "WT(1000)");
	}
	prepare_alike();
	EXPECT_STREQ("F2016", get_many(h, 2));
	EXPECT_STREQ("OK", alter("KT.ALIAS", "alias get=0"));
	GET("A", h, "");
	EXPECT_EQ(0, depth(Q));
}

/* One MQPMO and one MQGMO for all items. */
static void share_options(void)
{
	int i;

	for (i = 1; i < N; i++) {
		b.put[i].PutMsgOpts = b.put[0].PutMsgOpts;
		b.get[i].GetMsgOpts = b.get[0].GetMsgOpts;
	}
}

/* M-PRI-3: a run has its place between messages of other priorities. */
TEST_F(q, alike_between_others)
{
	MQBYTE24 gone;
	int i, turn;

	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	ASSERT_STREQ("OK", puts_all(self->h, "L p=1; H p=9; L2 p=1"));
	/* from now on there is an index of MsgIds */
	GET("H", self->k, "BF m=H");
	for (turn = 0; turn < 3; turn++) {
		prepare_alike();
		for (i = 0; i < N; i++)
			b.md[i].Priority = 5;
		share_options();
		ASSERT_STREQ("OK", put_many(self->h, N));
	}
	memcpy(gone, b.md[0].MsgId, 24);
	PUT("OK", self->h, "H2 p=9");
	EXPECT_EQ(3 * N + 4, depth(Q));
	GET("H", self->k, "");
	GET("H2", self->k, "");
	for (turn = 0; turn < 3; turn++) {
		prepare_alike();
		share_options();
		ASSERT_STREQ("OK", get_many(self->k, N));
		ASSERT_EQ(N, b.done);
		for (i = 0; i < N; i++) {
			EXPECT_EQ('0' + i, b.data[i][5]);
			EXPECT_EQ(5, b.md[i].Priority);
		}
	}
	/* the index has lost them, too */
	b.gmo[0].MatchOptions = MQMO_MATCH_MSG_ID;
	memcpy(b.md[0].MsgId, gone, 24);
	EXPECT_STREQ("F2033", get_many(self->k, 1));
	GET("L2", self->k, "m=L2");
	GET("L", self->k, "");
	EXPECT_EQ(0, depth(Q));
}

/* G-WAIT-9: who waits gets the first one, the rest is there for others. */
TEST_F(q, alike_for_who_waits)
{
	struct mqh *w = opn(conn(), Q, "i"), *x = opn(conn(), Q, "i");
	struct waiter *first, *second;
	int i;

	PUT("OK", self->h, "A");
	GET("A", self->k, "");
	first = wait_get(w, "WT(60000)");
	ASSERT_TRUE(sleepers(Q, 1));
	second = wait_get(x, "WT(60000)");
	ASSERT_TRUE(sleepers(Q, 2));
	prepare_alike();
	share_options();
	ASSERT_STREQ("OK", put_many(self->h, N));
	result(first);
	result(second);
	EXPECT_EQ(0, memcmp("data 0", w->buf, 6));
	EXPECT_EQ(0, memcmp("data 1", x->buf, 6));
	EXPECT_EQ(N - 2, depth(Q));
	prepare_alike();
	EXPECT_STREQ("OK", get_many(self->k, N - 2));
	for (i = 0; i < N - 2; i++)
		EXPECT_EQ('2' + i, b.data[i][5]);
}

/* U-LIM-1: the limit of a unit of work is met where single puts would meet it. */
TEST_F(q, alike_until_the_limit_of_a_unit)
{
	int i;

	EXPECT_STREQ("OK", alter_qmgr("maxuncom=8"));
	for (i = 0; i < 2; i++) {
		int n;

		prepare_alike();
		for (n = 0; n < N; n++)
			b.pmo[n].Options = MQPMO_SYNCPOINT;
		share_options();
		EXPECT_STREQ(i ? "F2024" : "OK", put_many(self->h, N));
		EXPECT_EQ(i ? 4 : N, b.done);
	}
	EXPECT_EQ(8, status(Q).out_uncommitted_puts);
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_EQ(8, depth(Q));
	for (i = 0; i < 2; i++) {
		int n;

		prepare_alike();
		for (n = 0; n < N; n++)
			b.gmo[n].Options = MQGMO_SYNCPOINT;
		share_options();
		EXPECT_STREQ(i ? "F2024" : "OK", get_many(self->k, N));
		EXPECT_EQ(i ? 4 : N, b.done);
	}
	EXPECT_EQ(8, status(Q).out_uncommitted_gets);
	EXPECT_STREQ("OK", back(self->d));
	EXPECT_EQ(8, depth(Q));
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=10000"));
	discard(self->k);
}

/* P-OPT-12, M-ID-2: each has identifiers of its own, ascending ones. */
TEST_F(q, alike_with_new_identifiers)
{
	int i;

	prepare_alike();
	for (i = 0; i < N; i++) {
		b.pmo[i].Options = MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID;
		b.md[i].MsgId[0] = 'x';
	}
	share_options();
	ASSERT_STREQ("OK", put_many(self->h, N));
	for (i = 0; i < N; i++) {
		EXPECT_TRUE(id_generated(b.md[i].MsgId));
		EXPECT_TRUE(id_generated(b.md[i].CorrelId));
		EXPECT_GT(0, memcmp(b.md[i].MsgId, b.md[i].CorrelId, 24));
		if (i)
			EXPECT_LT(0, memcmp(b.md[i].MsgId, b.md[i - 1].CorrelId,
					    24));
		GET("#", self->k, "");
		EXPECT_EQ(0, memcmp(b.md[i].MsgId, self->k->md.MsgId, 24));
		EXPECT_EQ(0, memcmp(b.md[i].CorrelId, self->k->md.CorrelId,
				    24));
	}
}

/* Messages of all sorts, some like the one before them. */
static void prepare_sorts(struct mqh *h, int sort)
{
	int i;

	prepare_alike();
	for (i = 0; i < N; i++) {
		b.md[i].Version = 1 + sort % 2;
		if (sort & 2 && i > 1)
			FIELD_SET(b.md[i].ReplyToQ, i == 4 ? "B" : "A");
		if (sort & 4 && i != 2)
			memcpy(b.md[i].Format, "MQSTR   ", 8);
		if (sort & 8)
			b.md[i].CorrelId[3] = i / 2;
		if (sort & 16 && i == 3)
			b.md[i].Priority = 7;
		b.pmo[i].Options = sort & 32 ? MQPMO_SET_ALL_CONTEXT :
					       MQPMO_NONE;
		FIELD_SET(b.md[i].UserIdentifier, i & 1 ? "ONE" : "TWO");
		if (sort & 64 && i == 3) {
			b.md[i].Version = 2;
			b.md[i].MsgFlags = MQMF_SEGMENTATION_ALLOWED;
		}
	}
}

#define SORTS	128

/* Where two descriptors differ, -1: nowhere. */
static int differ_at(const MQMD *a, const MQMD *b)
{
	int i;

	for (i = 0; i < (int)sizeof(*a); i++)
		if (((const char *)a)[i] != ((const char *)b)[i])
			return i;
	return -1;
}

/*
 * What a put writes is the same, be it made alone or in a batch, with options of
 * its own or the same ones. So is what a get writes.
 */
TEST_F(q, alike_or_not_in_every_field)
{
	struct mqh *h = opn(self->c, Q, "oT");
	MQMD alone[N], got[N];
	int sort, i, share;

	for (sort = 0; sort < SORTS; sort++) {
		for (share = 0; share < 2; share++) {
			prepare_sorts(h, sort);
			for (i = 0; i < N; i++) {
				alone[i] = b.md[i];
				MQPUT(h->hc, h->ho, &alone[i], &b.pmo[i], 7,
				      b.data[i], &h->cc, &h->rc);
				ASSERT_STREQ("OK", outcome(h->cc, h->rc));
			}
			if (share)
				share_options();
			ASSERT_STREQ("OK", put_many(h, N));
			for (i = 0; i < N; i++) {
				memcpy(alone[i].MsgId, b.md[i].MsgId, 24);
				memcpy(alone[i].PutDate, b.md[i].PutDate, 16);
				if (b.md[i].MsgFlags)
					memcpy(alone[i].GroupId,
					       b.md[i].GroupId, 24);
				ASSERT_EQ(-1, differ_at(&alone[i], &b.md[i]));
			}
		}
		for (share = 0; share < 4; share++) {
			char data[N];
			MQGMO gmo[N];

			prepare_sorts(h, sort);
			for (i = 0; i < N; i++) {
				MQLONG length;

				got[i] = b.md[i];
				gmo[i] = b.gmo[i];
				gmo[i].Options = i ? MQGMO_BROWSE_NEXT :
						     MQGMO_BROWSE_FIRST;
				MQGET(self->k->hc, self->k->ho, &got[i],
				      &gmo[i], 32, b.data[i], &length,
				      &self->k->cc, &self->k->rc);
				ASSERT_STREQ("OK", outcome(self->k->cc,
							   self->k->rc));
				ASSERT_EQ(7, length);
				data[i] = b.data[i][5];
			}
			if (share % 2)
				share_options();
			ASSERT_STREQ("OK", get_many(self->k, N));
			for (i = 0; i < N; i++) {
				ASSERT_EQ(-1, differ_at(&got[i], &b.md[i]));
				ASSERT_EQ(data[i], b.data[i][5]);
				ASSERT_EQ(7, b.get[i].DataLength);
				gmo[i].Options = b.gmo[i].Options;
				if (!(share % 2))
					ASSERT_EQ(0, memcmp(&gmo[i], &b.gmo[i],
							    sizeof(MQGMO)));
			}
			gmo[N - 1].Options = b.gmo[0].Options;
			if (share % 2)
				ASSERT_EQ(0, memcmp(&gmo[N - 1], &b.gmo[0],
						    sizeof(MQGMO)));
		}
		ASSERT_EQ(0, depth(Q));
	}
}

/* --- the contract of the kernel for entries that lie close together ---------- */

#define PAGE		4096
#define ON_FIRST	3	/* entries on the first of two pages */

/* Entries of that size, the fourth of which lies on the second page at least. */
static void *at_the_edge(size_t size)
{
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* the entry on the edge is not whole without the second page */
	return pages + PAGE - ON_FIRST * size - 8;
}

/* The second page as it is wanted; its contents are lost if it was not there. */
static void second_page(void *entries, size_t size, int protection)
{
	char *page = (char *)entries + ON_FIRST * size + 8;

	if (protection == PROT_NONE)
		munmap(page, PAGE);
	else if (mprotect(page, PAGE, protection))
		mmap(page, PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS |
		     MAP_FIXED, -1, 0);
}

static void raw_puts(struct kmq_put *p)
{
	int i;

	for (i = 0; i < N; i++)
		p[i] = (struct kmq_put) {
			.size = sizeof(*p), .pmo_version = 1, .md_version = 1,
			.length = 1, .data = (uintptr_t)&"01234"[i],
			.context_fd = -1,
			.md = { .msg_type = MQMT_DATAGRAM,
				.expiry = MQEI_UNLIMITED },
		};
}

static void raw_gets(struct kmq_get *g)
{
	int i;

	memset(b.data, POISON, sizeof(b.data));
	for (i = 0; i < N; i++)
		g[i] = (struct kmq_get) {
			.size = sizeof(*g), .gmo_version = 2, .md_version = 1,
			.length = 32, .data = (uintptr_t)b.data[i],
		};
}

/* Puts whose entries cannot be read are not made, those before them are. */
TEST_F(q, edge_of_puts_that_cannot_be_read)
{
	struct kmq_put *p = at_the_edge(sizeof(*p));
	struct kmq_vec v = { .size = sizeof(v), .count = N,
			     .stride = sizeof(*p), .entries = (uintptr_t)p };
	int fd = kmq_object_fd(self->h->hc, self->h->ho);

	raw_puts(p);
	ASSERT_EQ(0, ioctl(fd, KMQ_IOC_PUTV, &v));
	EXPECT_EQ(N, v.out_done);
	raw_puts(p);
	second_page(p, sizeof(*p), PROT_NONE);
	ASSERT_EQ(0, ioctl(fd, KMQ_IOC_PUTV, &v));
	EXPECT_EQ(ON_FIRST, v.out_done);
	EXPECT_EQ(N + ON_FIRST, depth(Q));
	EXPECT_TRUE(id_generated(p[ON_FIRST - 1].md.msg_id));
	v.entries = (uintptr_t)&p[ON_FIRST];
	EXPECT_EQ(-1, ioctl(fd, KMQ_IOC_PUTV, &v));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(N + ON_FIRST, depth(Q));
}

/* Puts whose results cannot be written back count as carried out. */
TEST_F(q, edge_of_puts_that_cannot_be_written)
{
	struct kmq_put *p = at_the_edge(sizeof(*p));
	struct kmq_vec v = { .size = sizeof(v), .count = N,
			     .stride = sizeof(*p), .entries = (uintptr_t)p };
	int fd = kmq_object_fd(self->h->hc, self->h->ho), i;

	for (i = 0; i < 2; i++) {
		int before = depth(Q);

		raw_puts(p);
		/* the first time the checks have not been passed before */
		second_page(p, sizeof(*p), PROT_READ);
		v.out_done = 99;
		ASSERT_EQ(0, ioctl(fd, KMQ_IOC_PUTV, &v));
		EXPECT_LT(ON_FIRST, v.out_done);
		EXPECT_EQ(depth(Q) - before, v.out_done);
		EXPECT_TRUE(id_generated(p[ON_FIRST - 1].md.msg_id));
		v.entries = (uintptr_t)&p[ON_FIRST];
		v.count = 1;
		before = depth(Q);
		ASSERT_EQ(0, ioctl(fd, KMQ_IOC_PUTV, &v));
		EXPECT_EQ(1, v.out_done);
		EXPECT_EQ(before + 1, depth(Q));
		second_page(p, sizeof(*p), PROT_READ | PROT_WRITE);
		v.entries = (uintptr_t)p;
		v.count = N;
		/* another priority, so that it is checked anew */
		raw_puts(p);
		p[0].md.priority = 1 + i;
		v.count = 1;
		ASSERT_EQ(0, ioctl(fd, KMQ_IOC_PUTV, &v));
		v.count = N;
	}
	discard(self->k);
}

/* A vector that cannot be told how far it came does not begin. */
TEST_F(q, vector_that_cannot_be_written)
{
	int put_fd = kmq_object_fd(self->h->hc, self->h->ho);
	int get_fd = kmq_object_fd(self->k->hc, self->k->ho);
	struct kmq_vec *v = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct kmq_put p[N];
	struct kmq_get g[N];

	PUT("OK", self->h, "A");
	raw_puts(p);
	*v = (struct kmq_vec){ .size = sizeof(*v), .count = N,
			       .stride = sizeof(*p),
			       .entries = (uintptr_t)p };
	mprotect(v, PAGE, PROT_READ);
	EXPECT_EQ(-1, ioctl(put_fd, KMQ_IOC_PUTV, v));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(1, depth(Q));
	mprotect(v, PAGE, PROT_READ | PROT_WRITE);
	raw_gets(g);
	v->stride = sizeof(*g);
	v->entries = (uintptr_t)g;
	mprotect(v, PAGE, PROT_READ);
	EXPECT_EQ(-1, ioctl(get_fd, KMQ_IOC_GETV, v));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(1, depth(Q));
	GET("A", self->k, "");
}

/* A message whose entry cannot be written is still there, and in its place. */
TEST_F(q, edge_of_gets)
{
	struct kmq_get *g = at_the_edge(sizeof(*g));
	struct kmq_vec v = { .size = sizeof(v), .count = N,
			     .stride = sizeof(*g), .entries = (uintptr_t)g };
	int fd = kmq_object_fd(self->k->hc, self->k->ho), i;
	static const int protections[] = { PROT_READ, PROT_NONE };

	PUT("OK", self->h, "A");
	GET("A", self->k, "");
	for (i = 0; i < 4; i++) {
		prepare_alike();
		ASSERT_STREQ("OK", put_many(self->h, N));
		raw_gets(g);
		if (i & 2)
			g[0].options = MQGMO_SYNCPOINT;
		if (i & 2)
			g[1].options = g[2].options = MQGMO_SYNCPOINT;
		second_page(g, sizeof(*g), protections[i % 2]);
		ASSERT_EQ(0, ioctl(fd, KMQ_IOC_GETV, &v));
		EXPECT_EQ(ON_FIRST, v.out_done);
		EXPECT_EQ('d', b.data[ON_FIRST - 1][0]);
		EXPECT_EQ(N - ON_FIRST, depth(Q));
		v.entries = (uintptr_t)&g[ON_FIRST];
		EXPECT_EQ(-1, ioctl(fd, KMQ_IOC_GETV, &v));
		EXPECT_EQ(EFAULT, errno);
		v.entries = (uintptr_t)g;
		EXPECT_EQ(N - ON_FIRST, depth(Q));
		second_page(g, sizeof(*g), PROT_READ | PROT_WRITE);
		if (i & 2) {
			EXPECT_EQ(ON_FIRST, status(Q).out_uncommitted_gets);
			ASSERT_STREQ("OK", commit(self->d));
		}
		prepare_alike();
		ASSERT_STREQ("OK", get_many(self->k, N - ON_FIRST));
		EXPECT_EQ('0' + ON_FIRST, b.data[0][5]);
		EXPECT_EQ('0' + N - 1, b.data[N - 1 - ON_FIRST][5]);
		EXPECT_EQ(0, b.md[0].BackoutCount);
		EXPECT_EQ(0, status(Q).out_bytes);
		EXPECT_EQ(0, status(Q).out_memory);
	}
}

TEST_HARNESS_MAIN
