/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Expiry (M-EXP, P-EXP, G-EXP, E-22). Times are tenths of a second.
 */
#include <string.h>
#include "q_fixture.h"

#define PAST	130	/* ms after which "exp=1" has expired */

/* P-EXP-2, E-22, M-EXP-4, M-EXP-5, G-EXP-1, G-EXP-2 */
TEST_F(q, example)
{
	PUTS(self->h, "e1 exp=1; v1; e2 exp=1; v2");
	nap(PAST);
	EXPECT_EQ(4, depth(Q));
	GET("v2", self->k, "m=v2");
	EXPECT_EQ(3, depth(Q));
	GET("v1", self->k, "BF");
	EXPECT_EQ(2, depth(Q));
	GET("F2033", self->k, "BN");
	EXPECT_EQ(1, depth(Q));
	GET("v1", self->k, "");
	EXPECT_EQ(-1, self->k->md.Expiry);
	EXPECT_EQ(0, depth(Q));
}

/* M-EXP-1, P-EXP-1 */
TEST_F(q, values)
{
	PUT("F2013", self->h, "X exp=0");
	PUT("F2013", self->h, "X exp=-2");
	PUT("F2013", self->h, "X exp=-2147483648");
	PUT("OK", self->h, "A exp=-1");
	PUT("OK", self->h, "B exp=2147483647");
	PUT("OK", self->h, "C exp=1000000000");
	EXPECT_STREQ("A B C", drain(self->k, ""));
}

/* M-EXP-3, P-EXP-3, UC-080: what is left, at least 1, falling */
TEST_F(q, time_left)
{
	MQLONG first;

	PUTS(self->h, "A exp=600; B exp=2");
	GET("A", self->k, "BF");
	first = self->k->md.Expiry;
	EXPECT_GE(600, first);
	EXPECT_LE(500, first);
	GET("B", self->k, "BF m=B");
	EXPECT_LE(1, self->k->md.Expiry);
	EXPECT_GE(2, self->k->md.Expiry);
	nap(230);
	GET("A", self->k, "BF");
	EXPECT_GT(first, self->k->md.Expiry);
	GET("F2033", self->k, "m=B");
}

/* M-EXP-2, P-EXP-5: the clock starts at the put, also under syncpoint */
TEST_F(q, under_syncpoint)
{
	PUTS(self->h, "A exp=1 SP");
	nap(PAST);
	EXPECT_EQ(1, depth(Q));
	EXPECT_STREQ("OK", commit(self->c));
	GET("F2033", self->k, "");
	EXPECT_EQ(0, depth(Q));
}

/* M-EXP-7, P-EXP-4: not while got; expired at once when backed out */
TEST_F(q, got_and_backed_out)
{
	PUTS(self->h, "A exp=1; B exp=600");
	GET("A", self->k, "SP");
	nap(PAST);
	EXPECT_STREQ("OK", back(self->d));
	GET("B", self->k, "SP");
	EXPECT_STREQ("OK", back(self->d));
	GET("B", self->k, "");
	EXPECT_GT(600, self->k->md.Expiry);
	EXPECT_EQ(0, depth(Q));
	PUTS(self->h, "C exp=1");
	GET("C", self->k, "SP");
	nap(PAST);
	EXPECT_STREQ("OK", commit(self->d));
	EXPECT_EQ(0, depth(Q));
}

/* M-EXP-7: a locked one counts as expired for the owner too */
TEST_F(q, locked)
{
	PUTS(self->h, "A exp=1; B");
	GET("A", self->h, "BF LK");
	nap(PAST);
	GET("B", self->k, "BF");
	GET("F2034", self->h, "MC");
	GET("B", self->h, "BF");
}

/* M-EXP-8, G-EXP-3: the rest of the group stays, incomplete */
TEST_F(q, members)
{
	PUTS(self->h, "K1(K,1,0,G); K2(K,2,0,L) exp=1; s1(X,1,0,S) exp=1;"
		      "s2(X,1,10,E)");
	GET("K1", self->k, "BF LO AM");
	nap(PAST);
	GET("F2033", self->k, "BF LO AM");
	GET("F2033", self->k, "CM g=X");
	GET("K1", self->k, "LO");
	GET("F2033", self->k, "LO");
	GET("W2241 s2", self->k, "");
	EXPECT_EQ(0, depth(Q));
}

/* P-EXP-6 */
TEST_F(q, cap)
{
	EXPECT_STREQ("OK", alter(Q, "cap=50"));
	put(self->h, "A exp=-1");
	EXPECT_EQ(0, self->h->cc);
	put(self->h, "B exp=600");
	put(self->h, "C exp=30");
	get(self->k, "");
	EXPECT_GE(50, self->k->md.Expiry);
	EXPECT_LE(1, self->k->md.Expiry);
	get(self->k, "");
	EXPECT_GE(50, self->k->md.Expiry);
	EXPECT_LE(1, self->k->md.Expiry);
	get(self->k, "");
	EXPECT_GE(30, self->k->md.Expiry);
	EXPECT_LE(1, self->k->md.Expiry);
}

/* P-EXP-2, UC-047: expired messages that never match are swept in time */
TEST_F(q, sweep)
{
	char text[32];
	int64_t end;
	int i;

	for (i = 0; i < 50; i++) {
		sprintf(text, "A%d exp=1 c=A", i);
		ASSERT_STREQ("OK", put(self->h, text));
	}
	PUTS(self->h, "B c=B");
	GET("B", self->k, "c=B");
	EXPECT_LE(0, depth(Q));
	end = now_ms() + 12000;
	while (depth(Q) && now_ms() < end)
		nap(50);
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(0, (int)status(Q).out_bytes);
	EXPECT_EQ(0, (int)status(Q).out_memory);
}

/* A wait is not ended by messages that have expired. */
TEST_F(q, wait_past_expired_messages)
{
	int64_t t;

	PUTS(self->h, "A exp=1; B exp=1");
	nap(PAST);
	t = now_ms();
	GET("F2033", self->k, "WT(40)");
	EXPECT_LE(40, now_ms() - t + 1);
	EXPECT_EQ(0, depth(Q));
}

TEST_HARNESS_MAIN
