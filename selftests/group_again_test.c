/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Groups, call after call alike: what is left out of calls like the one before
 * must not be missed. Faults, changes and other calls come between two members.
 */
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <kmq.h>
#include "wait_fixture.h"

#define BAD	((void *)(uintptr_t)8)
#define N	4

/* Group K of five, the third one in two segments; others in between. */
#define K5	"K1(K,1,0,G); J2(J,2,0,L); K2(K,2,0,G); K3a(K,3,0,GS); N1;" \
		"K3b(K,3,10,GE); K4(K,4,0,G); J1(J,1,0,G); K5(K,5,0,L)"

/* MQGET as the last one of @h, with a buffer that is not there. */
static const char *get_nowhere(struct mqh *h)
{
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	MQLONG length, cc, rc;

	md.Version = h->md.Version;
	gmo.Version = h->gmo.Version;
	gmo.Options = h->gmo.Options;
	gmo.MatchOptions = h->gmo.MatchOptions;
	MQGET(h->hc, h->ho, &md, &gmo, 100, BAD, &length, &cc, &rc);
	return outcome(cc, rc);
}

/* G-PAR-6, G-ORD-2: nobody has got it, and it is the next one still */
TEST_F(q, member_that_cannot_be_delivered)
{
	static const char * const how[] = { "LO", "LO SP", "LO AM", "" };
	unsigned int i;

	for (i = 0; i < 4; i++) {
		PUTS(self->h, K5);
		GET("K1", self->k, how[i]);
		if (i == 3)
			GET("J2", self->k, how[i]);
		GET("K2", self->k, how[i]);
		EXPECT_STREQ("F2004", get_nowhere(self->k));
		EXPECT_STREQ("F2004", get_nowhere(self->k));
		EXPECT_EQ(i == 3 ? 6 : 7, depth(Q));
		EXPECT_EQ(i == 1 ? 2 : 0, status(Q).out_uncommitted_gets);
		GET("K3a", self->k, how[i]);
		EXPECT_EQ(0, self->k->md.BackoutCount);
		if (i == 3)
			GET("N1", self->k, how[i]);
		EXPECT_STREQ("F2004", get_nowhere(self->k));
		GET("K3b", self->k, how[i]);
		EXPECT_EQ(3, self->k->md.MsgSeqNumber);
		EXPECT_EQ(10, self->k->md.Offset);
		EXPECT_STREQ("OK", commit(self->d));
		discard(self->h);
		/* O-CLOSE-7 */
		EXPECT_STREQ(i == 3 ? "OK" : "W2241", shut(self->k));
		self->k = opn(self->d, Q, "bio");
		EXPECT_EQ(0, status(Q).out_memory);
	}
}

/* G-ORD-5, G-ORD-16, G-ORD-17: other options between two members */
TEST_F(q, options_that_change)
{
	struct mqh *k = self->k;

	PUTS(self->h, K5);
	GET("K1", k, "LO");
	GET("K2", k, "LO");
	GET("K3a", k, "LO AS");
	GET("K3b", k, "LO AS");
	GET("K4", k, "LO AM");
	GET("W2241 J2", k, "");
	GET("N1", k, "");
	GET("J1", k, "");
	GET("F2033", k, "LO");			/* what follows J1 is gone */
	LIST("K5");
}

/* G-ORD-16: without logical order twice in a row, the second one says nothing */
TEST_F(q, leaving_a_group_twice)
{
	PUTS(self->h, "A; B; C; D; K1(K,1,0,G)");
	GET("A", self->k, "");
	GET("B", self->k, "");
	GET("C", self->k, "LO");
	GET("D", self->k, "LO");
	GET("K1", self->k, "LO");
	PUTS(self->h, "E; F; K2(K,2,0,G)");
	GET("W2241 E", self->k, "");
	GET("F", self->k, "");
	LIST("K2");
}

/* G-ORD-8, G-ORD-21: begun without logical order, gone on with it, and back */
TEST_F(q, begun_in_the_other_way)
{
	struct mqh *k = self->k;

	PUTS(self->h, K5);
	GET("K1", k, "");
	GET("J2", k, "");
	GET("K2", k, "");
	GET("K3a", k, "LO");
	GET("K3b", k, "LO");
	GET("K4", k, "LO");
	GET("K5", k, "LO");
	GET("N1", k, "LO");
	GET("J1", k, "LO");
	PUTS(self->h, "X1(X,1,0,G); X2(X,2,0,G); X3(X,3,0,L)");
	GET("F2033", k, "LO");			/* in J still, J2 is gone */
	GET("W2241 X1", k, "g=X");
	GET("X2", k, "LO");
	GET("X3", k, "LO");
	LIST("");
}

/* G-ORD-20, U-GRP-2: a back-out brings the members back and the handle, too */
TEST_F(q, back_out_in_the_middle)
{
	struct mqh *k = self->k;
	int i;

	PUTS(self->h, K5);
	GET("K1", k, "LO SP");
	GET("K2", k, "LO SP");
	EXPECT_STREQ("OK", commit(self->d));
	for (i = 0; i < 3; i++) {
		GET("K3a", k, "LO SP");
		EXPECT_EQ(i, k->md.BackoutCount);
		GET("K3b", k, "LO SP");
		GET("K4", k, "LO SP");
		GET("K5", k, "LO SP");
		GET("N1", k, "LO SP");
		EXPECT_EQ(0, k->md.BackoutCount - i);
		EXPECT_STREQ("OK", back(self->d));
		LIST("J2 K3a N1 K3b K4 J1 K5");
	}
	GET("K3a", k, "LO SP");
	/* another unit, or none: told each time */
	GET("F2245", k, "LO");
	GET("F2245", k, "LO");
	GET("K3b", k, "LO SP");
	EXPECT_STREQ("OK", commit(self->d));
}

/* G-ORD-6, M-STO-7: the next one is where others do not see it */
TEST_F(q, member_of_the_own_unit)
{
	PUTS(self->k, "K1(K,1,0,G); K2(K,2,0,G)");
	PUTS(self->k, "K3(K,3,0,L) SP");
	GET("K1", self->k, "LO SP");
	GET("K2", self->k, "LO SP");
	GET("K3", self->k, "LO SP");
	EXPECT_STREQ("OK", back(self->d));
	LIST("K1 K2");
}

/* Line 16, G-VAL-1: the queue manager is ending, the queue says no */
TEST_F(q, changes_between_members)
{
	struct mqh *k = self->k;

	PUTS(self->h, K5);
	GET("K1", k, "LO FQ");
	GET("K2", k, "LO FQ");
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	GET("F2161", k, "LO FQ");
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	GET("K3a", k, "LO FQ");
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	GET("F2016", k, "LO FQ");
	EXPECT_STREQ("OK", alter(Q, "get=0"));
	GET("K3b", k, "LO FQ");
	EXPECT_EQ(10, k->md.Offset);
	EXPECT_STREQ("OK", clear_q(Q));
	GET("F2033", k, "LO FQ");
	GET("F2033", k, "LO FQ");
}

/* G-PAR-5, G-RET: a version 1 descriptor gets an MQMDE, whatever came before */
TEST_F(q, version_1)
{
	PUTS(self->h, "A; K1(K,1,0,G); K2(K,2,0,G); B; K3(K,3,0,L)");
	GET("A", self->k, "v1");
	GET("K1", self->k, "v1");
	GET("K2", self->k, "v1");
	GET("B", self->k, "v1");
	GET("K3", self->k, "v1");
}

/* G-TRN, G-ORD-2: too short a buffer leaves all as it is */
TEST_F(q, member_that_is_too_long)
{
	PUTS(self->h, "K1(K,1,0,G); K2(K,2,0,G) len=50; K3(K,3,0,L)");
	GET("K1", self->k, "LO buf=20");
	GET("W2080 K2", self->k, "LO buf=20");
	GET("W2080 K2", self->k, "LO buf=20");
	GET("K2", self->k, "LO buf=50");
	GET("K3", self->k, "LO buf=20");
}

/* G-EXP-1, G-EXP-3, G-CPL-9: what has expired completes no group */
TEST_F(q, member_that_expires)
{
	PUTS(self->h, "H1(H,1,0,L); K1(K,1,0,G); K2(K,2,0,L) exp=1;"
	     "I1(I,1,0,L); L1(L,1,0,G); L2(L,2,0,G) exp=1; L3(L,3,0,L)");
	nap(150);
	GET("H1", self->k, "LO AM");
	GET("I1", self->k, "LO AM");
	GET("F2033", self->k, "LO AM");
	GET("K1", self->k, "LO");
	GET("F2033", self->k, "LO");
	LIST("L1 L3");
}

/* G-WAIT-9, G-CPL-9: who waits for a group gets it once no other is in front */
TEST_F(q, waiter_served_by_a_get)
{
	struct waiter *w;

	PUTS(self->h, "A1(A,1,0,G); A2(A,2,0,G); K1(K,1,0,G); N2(K,2,0,G);"
	     "L2(K,2,0,L)");
	GET("A1", self->h, "LO");
	GET("A2", self->h, "LO");
	EXPECT_STREQ("W2241", shut(self->h));
	self->h = opn(self->c, Q, "bio");
	w = wait_get(self->k, "LO AM WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	GET("K1", self->h, "LO");
	PUTS(self->h, "M1(M,1,0,G); M2(M,2,0,G)");
	EXPECT_TRUE(waiting(w));
	PUTS(self->h, "M3(M,3,0,L)");
	EXPECT_STREQ("M1", result(w));
	GET("N2", self->h, "LO");
	LIST("L2 M2 M3");
}

/* G-MAT-6: an identifier asked for inside a group must be that of the next one */
TEST_F(q, match_inside_a_group)
{
	PUTS(self->h, "K1(K,1,0,G); K2(K,2,0,G); K3(K,3,0,L)");
	GET("K1", self->k, "LO m=K1");
	GET("F2247", self->k, "LO m=K1");
	GET("F2247", self->k, "LO m=K3");
	GET("K2", self->k, "LO m=K2");
	GET("K3", self->k, "LO m=K3");
}

/* --- vectors ---------------------------------------------------------------- */

struct batch {
	MQMD md[N];
	MQPMO pmo;
	MQGMO gmo;
	char data[N][16];
	kmq_put_item put[N];
	kmq_get_item get[N];
	MQLONG done, cc, rc;
};

static struct batch b;

static void prepare(MQLONG put_options, MQLONG get_options)
{
	int i;

	memset(&b, 0, sizeof(b));
	b.pmo = (MQPMO){ MQPMO_DEFAULT };
	b.pmo.Options = put_options;
	b.gmo = (MQGMO){ MQGMO_DEFAULT };
	b.gmo.Version = MQGMO_VERSION_4;
	b.gmo.MatchOptions = MQMO_NONE;
	b.gmo.Options = get_options;
	for (i = 0; i < N; i++) {
		b.md[i] = (MQMD){ MQMD_DEFAULT };
		b.md[i].Version = MQMD_VERSION_2;
		b.md[i].MsgFlags = MQMF_MSG_IN_GROUP;
		b.data[i][0] = 'a' + i;
		b.put[i] = (kmq_put_item){ &b.md[i], &b.pmo, b.data[i], 8 };
		b.get[i] = (kmq_get_item){ &b.md[i], &b.gmo, b.data[i], 16 };
	}
}

static const char *put_many(struct mqh *h)
{
	kmq_put_many(h->hc, h->ho, N, b.put, &b.done, &b.cc, &b.rc);
	return outcome(b.cc, b.rc);
}

static const char *get_many(struct mqh *h)
{
	kmq_get_many(h->hc, h->ho, N, b.get, &b.done, &b.cc, &b.rc);
	return outcome(b.cc, b.rc);
}

/* What was put or got, from number @from of its group on. */
#define EXPECT_PLACES(from, n) do {					\
	int _i;								\
									\
	for (_i = 0; _i < (n); _i++) {					\
		EXPECT_EQ((from) + _i, b.md[_i].MsgSeqNumber);		\
		EXPECT_EQ(0, memcmp(b.md[_i].GroupId, b.md[0].GroupId,	\
				    sizeof(MQBYTE24)));			\
		EXPECT_TRUE(id_generated(b.md[_i].GroupId));		\
		EXPECT_EQ(MQMF_MSG_IN_GROUP, b.md[_i].MsgFlags);	\
		EXPECT_EQ(MQOL_UNDEFINED, b.md[_i].OriginalLength);	\
	}								\
} while (0)

/* P-LOG-5, G-ORD-5: one group, over several vectors and single calls */
TEST_F(q, one_group_in_vectors)
{
	MQBYTE24 id;
	int i;

	for (i = 0; i < 3; i++) {
		prepare(MQPMO_LOGICAL_ORDER | MQPMO_NEW_MSG_ID, 0);
		ASSERT_STREQ("OK", put_many(self->h));
		EXPECT_PLACES(1 + i * N, N);
		if (!i)
			memcpy(id, b.md[0].GroupId, sizeof(id));
		EXPECT_EQ(0, memcmp(id, b.md[0].GroupId, sizeof(id)));
	}
	PUT("OK", self->h, "Z LO f=L");
	EXPECT_EQ(3 * N + 1, self->h->md.MsgSeqNumber);
	for (i = 0; i < 3; i++) {
		prepare(0, MQGMO_LOGICAL_ORDER | MQGMO_ALL_MSGS_AVAILABLE);
		ASSERT_STREQ("OK", get_many(self->k));
		EXPECT_PLACES(1 + i * N, N);
		EXPECT_EQ('a', b.data[0][0]);
		EXPECT_EQ('a' + N - 1, b.data[N - 1][0]);
	}
	GET("Z", self->k, "LO AM");
	EXPECT_EQ(0, status(Q).out_memory);
}

/* P-Q-3, P-LOG-6: the queue is full in the middle; the group goes on there */
TEST_F(q, full_in_the_middle)
{
	prepare(MQPMO_LOGICAL_ORDER, 0);
	ASSERT_STREQ("OK", put_many(self->h));
	EXPECT_STREQ("OK", alter(Q, "depth=6"));
	/* one that passes the checks again */
	PUT("OK", self->h, "A LO f=G");
	EXPECT_EQ(N + 1, self->h->md.MsgSeqNumber);
	prepare(MQPMO_LOGICAL_ORDER, 0);
	EXPECT_STREQ("F2053", put_many(self->h));
	EXPECT_EQ(2, b.done);
	EXPECT_EQ(N + 2, b.md[0].MsgSeqNumber);
	EXPECT_EQ(6, depth(Q));
	EXPECT_STREQ("OK", alter(Q, "depth=100"));
	prepare(MQPMO_LOGICAL_ORDER, 0);
	EXPECT_STREQ("OK", put_many(self->h));
	EXPECT_PLACES(N + 3, N);
	PUT("OK", self->h, "Z LO f=L");
	EXPECT_EQ(2 * N + 3, self->h->md.MsgSeqNumber);
}

/* P-CALL-4, P-LOG-6: data in the middle that cannot be read */
TEST_F(q, put_that_cannot_be_read)
{
	prepare(MQPMO_LOGICAL_ORDER, 0);
	ASSERT_STREQ("OK", put_many(self->h));
	prepare(MQPMO_LOGICAL_ORDER, 0);
	b.put[2].Buffer = BAD;
	EXPECT_STREQ("F2004", put_many(self->h));
	EXPECT_EQ(3, b.done);
	EXPECT_PLACES(N + 1, 2);
	EXPECT_EQ(N + 2, depth(Q));
	prepare(MQPMO_LOGICAL_ORDER, 0);
	ASSERT_STREQ("OK", put_many(self->h));
	EXPECT_PLACES(N + 3, N);
}

/* G-ORD-2: a vector of gets that ends in the middle leaves off there */
TEST_F(q, vector_that_ends_in_the_middle)
{
	static const MQLONG unit[] = { MQGMO_NO_SYNCPOINT, MQGMO_SYNCPOINT };
	int i, turn;

	for (turn = 0; turn < 2; turn++) {
		for (i = 0; i < 3; i++) {
			prepare(MQPMO_LOGICAL_ORDER, 0);
			if (i == 2)
				b.md[N - 1].MsgFlags = MQMF_LAST_MSG_IN_GROUP;
			ASSERT_STREQ("OK", put_many(self->h));
		}
		prepare(0, MQGMO_LOGICAL_ORDER | unit[turn]);
		ASSERT_STREQ("OK", get_many(self->k));
		EXPECT_PLACES(1, N);
		prepare(0, MQGMO_LOGICAL_ORDER | unit[turn]);
		b.get[2].Buffer = BAD;
		EXPECT_STREQ("F2004", get_many(self->k));
		EXPECT_PLACES(1 + N, 2);
		EXPECT_EQ(2 * N - 2, depth(Q));
		prepare(0, MQGMO_LOGICAL_ORDER | unit[turn]);
		ASSERT_STREQ("OK", get_many(self->k));
		EXPECT_PLACES(3 + N, N);
		if (turn)
			EXPECT_EQ(2 * N + 2, status(Q).out_uncommitted_gets);
		EXPECT_STREQ("OK", commit(self->d));
		prepare(0, MQGMO_LOGICAL_ORDER | unit[turn]);
		EXPECT_STREQ("OK", get_many(self->k));
		EXPECT_EQ(3, b.done);
		EXPECT_EQ(2033, b.get[2].Reason);
		EXPECT_EQ(3 * N, b.md[1].MsgSeqNumber);
		EXPECT_STREQ("OK", commit(self->d));
		EXPECT_EQ(0, status(Q).out_memory);
	}
}

/* U-GRP-2, U-GRP-4: vectors in units that are backed out */
TEST_F(q, vectors_backed_out)
{
	MQBYTE24 id;

	prepare(MQPMO_LOGICAL_ORDER | MQPMO_SYNCPOINT, 0);
	ASSERT_STREQ("OK", put_many(self->h));
	memcpy(id, b.md[0].GroupId, sizeof(id));
	EXPECT_STREQ("OK", commit(self->c));
	prepare(MQPMO_LOGICAL_ORDER | MQPMO_SYNCPOINT, 0);
	ASSERT_STREQ("OK", put_many(self->h));
	EXPECT_PLACES(1 + N, N);
	EXPECT_STREQ("OK", back(self->c));
	prepare(MQPMO_LOGICAL_ORDER | MQPMO_SYNCPOINT, 0);
	b.md[N - 1].MsgFlags = MQMF_LAST_MSG_IN_GROUP;
	ASSERT_STREQ("OK", put_many(self->h));
	EXPECT_PLACES(1 + N, N - 1);
	EXPECT_EQ(0, memcmp(id, b.md[0].GroupId, sizeof(id)));
	/* P-MD-7 */
	EXPECT_EQ(MQMF_LAST_MSG_IN_GROUP, b.md[N - 1].MsgFlags);
	EXPECT_STREQ("OK", commit(self->c));
	prepare(0, MQGMO_LOGICAL_ORDER | MQGMO_SYNCPOINT);
	ASSERT_STREQ("OK", get_many(self->k));
	EXPECT_STREQ("OK", back(self->d));
	prepare(0, MQGMO_LOGICAL_ORDER | MQGMO_SYNCPOINT);
	ASSERT_STREQ("OK", get_many(self->k));
	EXPECT_PLACES(1, N);
	EXPECT_EQ(1, b.md[0].BackoutCount);
	EXPECT_STREQ("OK", commit(self->d));
	prepare(0, MQGMO_LOGICAL_ORDER | MQGMO_SYNCPOINT);
	ASSERT_STREQ("OK", get_many(self->k));
	EXPECT_EQ(1 + N, b.md[0].MsgSeqNumber);
	EXPECT_EQ(0, b.md[0].BackoutCount);
	EXPECT_STREQ("OK", commit(self->d));
}

/* --- many at a time ----------------------------------------------------------- */

#define ACTORS		3	/* each, of those who put and of those who get */
#define GROUPS		60	/* that each of them puts */
#define MEMBERS		3

struct actor {
	struct mqh *h;
	MQLONG options;
	int wrong;
	pthread_t thread;
};

static void *put_groups(void *arg)
{
	struct actor *a = arg;
	int i;

	for (i = 0; i < GROUPS * MEMBERS; i++) {
		const char *flags = i % MEMBERS == MEMBERS - 1 ? "X LO f=L" :
								 "X LO f=G";

		a->wrong += strcmp(put(a->h, flags), "OK") != 0 ||
			    a->h->md.MsgSeqNumber != i % MEMBERS + 1;
	}
	return NULL;
}

/* Whole groups, one after the other, until a message comes that has none. */
static void *get_groups(void *arg)
{
	struct actor *a = arg;
	MQGMO gmo = { MQGMO_DEFAULT };
	MQLONG length, cc, rc;
	MQBYTE24 id = {};
	char buffer[16];
	int number = 0;

	gmo.Version = MQGMO_VERSION_2;
	gmo.Options = a->options | MQGMO_LOGICAL_ORDER | MQGMO_WAIT;
	gmo.WaitInterval = MQWI_UNLIMITED;
	gmo.MatchOptions = MQMO_NONE;
	for (;;) {
		MQMD md = { MQMD_DEFAULT };

		md.Version = MQMD_VERSION_2;
		MQGET(a->h->hc, a->h->ho, &md, &gmo, sizeof(buffer), buffer,
		      &length, &cc, &rc);
		if (cc || !md.MsgFlags)
			break;
		number++;
		a->wrong += md.MsgSeqNumber != (number - 1) % MEMBERS + 1 ||
			    (md.MsgSeqNumber > 1 &&
			     memcmp(id, md.GroupId, sizeof(id)));
		memcpy(id, md.GroupId, sizeof(id));
		if (a->options & MQGMO_SYNCPOINT && !(number % MEMBERS))
			MQCMIT(a->h->hc, &cc, &rc);
	}
	a->wrong += cc || number % MEMBERS;
	MQCMIT(a->h->hc, &cc, &rc);
	return NULL;
}

/* G-ORD-5, G-ORD-6: whoever has the first one of a group gets all of it */
TEST_F(q, groups_of_many_for_many)
{
	struct actor put_by[ACTORS] = {}, got_by[ACTORS] = {};
	int i;

	EXPECT_STREQ("OK", alter(Q, "depth=10000"));
	for (i = 0; i < ACTORS; i++) {
		put_by[i].h = opn(conn(), Q, "o");
		got_by[i].h = opn(conn(), Q, "i");
		got_by[i].options = i % 2 ? MQGMO_SYNCPOINT :
					    MQGMO_ALL_MSGS_AVAILABLE;
		pthread_create(&got_by[i].thread, NULL, get_groups,
			       &got_by[i]);
		pthread_create(&put_by[i].thread, NULL, put_groups,
			       &put_by[i]);
	}
	for (i = 0; i < ACTORS; i++) {
		pthread_join(put_by[i].thread, NULL);
		EXPECT_EQ(0, put_by[i].wrong);
	}
	PUTS(self->h, "END; END; END");
	for (i = 0; i < ACTORS; i++) {
		pthread_join(got_by[i].thread, NULL);
		EXPECT_EQ(0, got_by[i].wrong);
	}
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(0, status(Q).out_memory);
	EXPECT_EQ(ACTORS * (GROUPS * MEMBERS + 1), status(Q).out_total_gets);
}

TEST_HARNESS_MAIN
