/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Truncation (G-TRU, E-11): the table of G-TRU-2 row by row.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "q_fixture.h"

/* E-11 */
TEST_F(q, example)
{
	struct mqh *h = self->h;

	PUTS(h, "M len=100; N");
	GET("W2080 M", h, "BF buf=40");
	EXPECT_EQ(100, h->dlen);
	EXPECT_EQ(40, h->gmo.ReturnedLength);
	GET("F2034", h, "BC buf=40");
	GET("W2079 M", h, "BF AT buf=40");
	EXPECT_EQ(100, h->dlen);
	EXPECT_EQ(40, h->gmo.ReturnedLength);
	GET("W2080 N", h, "BN LK buf=4");
	EXPECT_EQ(10, h->dlen);
	EXPECT_EQ(4, h->gmo.ReturnedLength);
	EXPECT_EQ(0, (int)status(Q).out_locked);
	GET("M", h, "BC buf=200");
	EXPECT_EQ(100, h->gmo.ReturnedLength);
	GET("W2080 M", h, "buf=40");
	EXPECT_EQ(2, depth(Q));
	GET("W2079 M", h, "AT buf=0");
	EXPECT_EQ(100, h->dlen);
	EXPECT_EQ(0, h->gmo.ReturnedLength);
	LIST("N");
}

/* Removing get: stays; unit of work, count, R untouched (G-UOW-9, G-ORD-3) */
TEST_F(q, failed_removal_changes_nothing)
{
	PUTS(self->h, "K1(K,1,0,G) len=100; K2(K,2,0,L) len=100");
	GET("W2080 K1", self->k, "LO SP buf=99");
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
	GET("W2080 K1", self->k, "LO buf=1");	/* not in the group yet */
	GET("K1", self->k, "LO SP");
	GET("W2080 K2", self->k, "LO SP buf=1");
	GET("W2080 K2", self->k, "LO SP buf=0");
	EXPECT_STREQ("OK", commit(self->d));
	GET("K2", self->k, "LO SP");
	EXPECT_EQ(0, self->k->md.BackoutCount);
	EXPECT_STREQ("OK", back(self->d));
	GET("K2", self->k, "LO SP");
	EXPECT_EQ(1, self->k->md.BackoutCount);
	EXPECT_STREQ("OK", commit(self->d));
	EXPECT_STREQ("OK", shut(self->k));
}

/* Accepted: as complete, and back-out restores all of it (U-BACK-7) */
TEST_F(q, accepted_removal_under_syncpoint)
{
	PUTS(self->h, "A len=5000");
	GET("W2079 A", self->k, "SP AT buf=10");
	EXPECT_EQ(0, depth(Q));
	EXPECT_STREQ("OK", back(self->d));
	GET("A", self->k, "");
	EXPECT_EQ(5000, self->k->dlen);
	EXPECT_EQ(1, self->k->md.BackoutCount);
}

/* G-TRU-1: the descriptor, token and length are filled either way */
TEST_F(q, outputs)
{
	static const MQLONG lens[] = { 0, 1, 63, 64, 65, 3999, 4000, 4001, 4095,
				       4096, 4097, 8999 };
	char opts[32];
	unsigned int i;

	PUTS(self->h, "A len=9000 c=X p=5");
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		sprintf(opts, "buf=%d", lens[i]);
		/* get() compares data, descriptor, token, bytes behind */
		GET("W2080 A", self->k, opts);
		EXPECT_EQ(9000, self->k->dlen);
		EXPECT_EQ(lens[i], self->k->gmo.ReturnedLength);
		sprintf(opts, "BF AT buf=%d", lens[i]);
		GET("W2079 A", self->k, opts);
		EXPECT_EQ(lens[i], self->k->gmo.ReturnedLength);
	}
}

/* UC-062: nothing is written behind the buffer: a guard page */
TEST_F(q, guard_page)
{
	long page = sysconf(_SC_PAGESIZE);
	char *m = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	MQLONG cc, rc, dl;
	int n;

	ASSERT_NE(MAP_FAILED, m);
	ASSERT_EQ(0, mprotect(m + page, page, PROT_NONE));
	PUTS(self->h, "A len=100");
	gmo.Options = MQGMO_BROWSE_FIRST | MQGMO_ACCEPT_TRUNCATED_MSG;
	for (n = 0; n <= 100; n += 5) {
		MQGET(self->c, self->h->ho, &md, &gmo, n, m + page - n, &dl,
		      &cc, &rc);
		EXPECT_STREQ(n < 100 ? "W2079" : "OK", outcome(cc, rc));
		EXPECT_EQ(100, dl);
		EXPECT_TRUE(filled(m + page - n, "A", n));
		memset(md.MsgId, 0, 24);
	}
}

/* G-TRU-3 */
TEST_F(q, empty_message)
{
	PUTS(self->h, "A len=0; B len=0");
	GET("A", self->k, "buf=0");
	GET("B", self->k, "buf=0 AT");
	EXPECT_EQ(0, self->k->dlen);
}

/* G-RAS-6: the total counts; accepted removes all segments */
TEST_F(q, reassembled)
{
	PUTS(self->h, "s1(X,1,0,S); s2(X,1,10,S); s3(X,1,20,E) len=5");
	GET("W2080 s1", self->k, "CM buf=24");
	EXPECT_EQ(25, self->k->dlen);
	EXPECT_EQ(3, depth(Q));
	GET("W2079 s1", self->k, "CM AT buf=15");
	EXPECT_EQ(25, self->k->dlen);
	EXPECT_EQ(15, self->k->gmo.ReturnedLength);
	EXPECT_TRUE(filled(self->k->buf, "s1", 10));
	EXPECT_TRUE(filled(self->k->buf + 10, "s2", 5));
	EXPECT_EQ(0, depth(Q));
}

/* UC-064: grow and retry */
TEST_F(q, grow_and_retry)
{
	char opts[32];

	PUTS(self->h, "A len=4321; B");
	GET("A", self->k, "BF");
	GET("W2080 A", self->k, "buf=16");
	sprintf(opts, "buf=%d", self->k->dlen);
	GET("A", self->k, opts);
	GET("F2034", self->k, "BC");
	GET("B", self->k, "BN");
}

/* G-RC-2: 2079 gives way to the group's warning; both effects happen */
TEST_F(q, group_warning_before_accepted)
{
	PUTS(self->h, "K1(K,1,0,G); N len=100; K2(K,2,0,L)");
	GET("K1", self->k, "LO");
	GET("W2080 N", self->k, "buf=10 m=N");
	GET("W2241 N", self->k, "AT buf=10 m=N");
	EXPECT_EQ(100, self->k->dlen);
	EXPECT_EQ(10, self->k->gmo.ReturnedLength);
	LIST("K2");
}

TEST_HARNESS_MAIN
