/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Batches of messages that are like the one before them: library and kernel carry
 * them out in runs, and nobody can tell.
 */
#include <string.h>
#include "batch_fixture.h"

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

TEST_HARNESS_MAIN
