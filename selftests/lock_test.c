/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Browse locks (G-LCK, E-12, UC-014).
 */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "q_fixture.h"

/* E-12 */
TEST_F(q, life_cycle)
{
	struct mqh *h = self->h, *k = self->k;

	PUTS(h, "A; B; C");
	GET("A", h, "BF LK");
	GET("B", k, "");
	GET("C", k, "BF");
	GET("F2033", h, "BN LK m=NONE");	/* released, G-LCK-6 */
	EXPECT_EQ(0, (int)status(Q).out_locked);
	GET("A", h, "BC LK");
	EXPECT_EQ(1, (int)status(Q).out_locked);
	GET("C", h, "BN");
	EXPECT_EQ(0, (int)status(Q).out_locked);
	GET("C", h, "BC LK");
	GET("C", h, "BC");			/* unlocked after return */
	EXPECT_EQ(0, (int)status(Q).out_locked);
	GET("W2209", h, "UL");
	GET("A", h, "BF LK");
	GET("A", h, "m=A");
	GET("W2209", h, "UL");
	GET("C", h, "BF LK");
	EXPECT_STREQ("OK", shut(h));
	GET("C", k, "");
}

/* G-LCK-1: also against handles of the same connection */
TEST_F(q, invisible_to_every_other_handle)
{
	struct mqh *same = opn(self->c, Q, "bi"), *b = opn(self->c, Q, "b");

	PUTS(self->h, "A; B");
	GET("A", b, "BF LK");			/* needs only BROWSE */
	GET("B", same, "BF");
	GET("F2033", same, "m=A");
	GET("F2033", self->k, "BF m=A");
	GET("B", self->k, "SP");
	GET("F2033", self->k, "WT(5)");
	EXPECT_EQ(1, depth(Q));
	GET("A", b, "BF");			/* the owner sees it */
}

/* G-LCK-3: removal ends the lock; backed out it is unlocked */
TEST_F(q, removal_by_the_owner)
{
	PUTS(self->h, "A; B");
	GET("A", self->h, "BF LK");
	GET("A", self->h, "MC SP");
	EXPECT_EQ(0, (int)status(Q).out_locked);
	GET("W2209", self->h, "UL");
	EXPECT_STREQ("OK", back(self->c));
	GET("A", self->k, "");
	GET("B", self->h, "BF LK");
	GET("B", self->h, "SP");		/* any removing get */
	GET("W2209", self->h, "UL");
	EXPECT_STREQ("OK", commit(self->c));
}

/* G-LCK-4, G-LCK-5 */
TEST_F(q, truncation)
{
	PUTS(self->h, "A len=100; B len=100");
	GET("W2080 A", self->h, "BF LK buf=10");
	EXPECT_EQ(0, (int)status(Q).out_locked);
	GET("W2079 A", self->h, "BF LK AT buf=10");
	EXPECT_EQ(1, (int)status(Q).out_locked);
	GET("W2080 B", self->h, "BN buf=10");	/* old lock kept */
	GET("F2033", self->k, "m=A");
	GET("W2080 A", self->h, "BC buf=10");
	GET("F2033", self->k, "m=A");
	GET("W2079 B", self->h, "BN AT buf=10");
	GET("A", self->k, "m=A");
}

/* G-LCK-6: a failure other than 2033 keeps it */
TEST_F(q, failing_calls)
{
	PUTS(self->h, "A; B");
	GET("A", self->h, "BF LK");
	GET("F2046", self->h, "BN BF");
	GET("F2247", self->h, "BN mopt=0x40");
	GET("F2259", self->h, "BN LO");
	GET("F2033", self->k, "BF m=A");
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	GET("F2016", self->h, "BN");
	EXPECT_STREQ("OK", alter(Q, "get=0"));
	GET("F2033", self->k, "BF m=A");
	GET("F2033", self->h, "BF m=NONE");
	GET("A", self->k, "BF m=A");
}

/* G-LCK-7, G-LCK-11: released before the wait; a waiter is woken */
TEST_F(q, wait_releases_the_lock)
{
	struct waiter *w, *v;

	PUTS(self->h, "A");
	GET("A", self->h, "BF LK");
	w = wait_get(self->k, "WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	v = wait_get(self->h, "BN LK WT(20000)");
	EXPECT_STREQ("A", result(w));
	PUTS(self->k, "B");
	EXPECT_STREQ("B", result(v));
	EXPECT_EQ(1, (int)status(Q).out_locked);
	w = wait_get(self->k, "WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	GET("OK", self->h, "UL");
	EXPECT_STREQ("B", result(w));
}

/* G-LCK-9: unlock */
TEST_F(q, unlock)
{
	PUTS(self->h, "A; B");
	GET("W2209", self->h, "UL");
	GET("A", self->h, "BF");
	GET("B", self->h, "BN LK");
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	GET("OK", self->h, "UL");
	EXPECT_STREQ("OK", alter(Q, "get=0"));
	GET("B", self->h, "BC");		/* cursor unchanged */
	GET("W2209", self->h, "UL");
}

/* UC-014, G-LCK-10, G-LCK-12, U-LOCK-2 */
TEST_F(q, what_ends_a_lock_and_what_does_not)
{
	int up[2], st;
	char c = 0;
	pid_t pid;

	PUTS(self->h, "A; B");
	GET("A", self->h, "BF LK");
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_STREQ("OK", back(self->c));
	GET("F2033", self->k, "BF m=A");
	GET("F2046", self->h, "BF LK SP");
	GET("F2033", self->k, "BF m=A");
	GET("B", self->h, "BN LK");		/* never two */
	EXPECT_EQ(1, (int)status(Q).out_locked);
	GET("A", self->k, "BF m=A");
	disc(&self->c);
	self->c = MQHC_UNUSABLE_HCONN;
	GET("B", self->k, "BF m=B");
	ASSERT_EQ(0, pipe(up));
	pid = fork();
	if (!pid) {
		get(opn(conn(), Q, "b"), "BF LK");
		if (write(up[1], &c, 1) == 1)
			pause();
		_exit(0);
	}
	ASSERT_EQ(1, read(up[0], &c, 1));
	GET("B", self->k, "BF");
	kill(pid, SIGKILL);
	waitpid(pid, &st, 0);
	GET("A", self->k, "BF");
}

/* UC-007 */
TEST_F(q, lock_by_token)
{
	PUTS(self->h, "A; B");
	GET("A", self->h, "BN");
	GET("B", self->h, "BN");
	GET("B", self->h, "BF LK t=B");
	GET("F2033", self->k, "m=B");
	GET("OK", self->h, "UL");
	GET("W2209", self->h, "UL");
	GET("B", self->k, "m=B");
	GET("F2033", self->h, "BF LK t=B");
	GET("W2209", self->h, "UL");
}

/* G-LCK-2, G-LCK-13, G-LCK-14, M-SEG-3 */
TEST_F(q, segments)
{
	PUTS(self->h, "s1(X,1,0,S); s2(X,1,10,E); B");
	GET("s1", self->h, "BF CM LK");
	EXPECT_EQ(2, (int)status(Q).out_locked);
	GET("B", self->k, "BF");
	GET("F2033", self->k, "BF m=s2");
	GET("s1", self->h, "BC LK");		/* the set stays */
	EXPECT_EQ(2, (int)status(Q).out_locked);
	GET("s1", self->h, "MC");		/* one of them removed */
	EXPECT_EQ(1, (int)status(Q).out_locked);
	GET("F2033", self->k, "BF m=s2");
	GET("OK", self->h, "UL");
	GET("s2", self->k, "m=s2");
	/* one locked segment keeps others from the whole */
	PUTS(self->h, "t1(T,1,0,S); t2(T,1,10,E)");
	GET("t2", self->h, "BF m=t2 LK");
	GET("F2033", self->k, "CM g=T");
	GET("t1", self->h, "CM g=T");
	EXPECT_EQ(20, self->h->dlen);
	LIST("B");
}

/* G-LCK-15: a leading run is locked, no more */
TEST_F(q, leading_run)
{
	PUTS(self->h, "s1(X,1,0,S) ccsid=1208; s2(X,1,10,E) ccsid=819");
	GET("W2243 s1", self->h, "BF CM LK");
	EXPECT_EQ(1, (int)status(Q).out_locked);
	GET("s2", self->k, "BF");
}

/* G-TRU-4: a message of unknown length, without races */
TEST_F(q, browse_then_get)
{
	PUTS(self->h, "A len=3000");
	GET("W2079 A", self->h, "BF LK AT buf=0");
	EXPECT_EQ(3000, self->h->dlen);
	GET("F2033", self->k, "");
	GET("A", self->h, "MC buf=3000");
	EXPECT_EQ(0, depth(Q));
}

/* G-LCK-5: the message that is locked already is locked again */
TEST_F(q, locked_once_more)
{
	PUTS(self->h, "A; B");
	GET("A", self->h, "BF LK");
	GET("A", self->h, "BF LK");
	GET("B", self->k, "BF");
	EXPECT_EQ(1, (int)status(Q).out_locked);
	GET("OK", self->h, "UL");
	GET("W2209", self->h, "UL");
	GET("A", self->k, "BF");
}

/* G-LCK-14: a lock that is held stays as it is */
TEST_F(q, lock_not_enlarged)
{
	PUTS(self->h, "s1(X,1,0,S); s2(X,1,10,E)");
	GET("s1", self->h, "BN LK");
	GET("s1", self->h, "BC CM LK");
	EXPECT_EQ(1, (int)status(Q).out_locked);
	GET("s2", self->k, "");
}

/* Browse of @k that sees A only if nobody has locked it. */
#define FREE(k)		GET("A", k, "BF m=A")
#define LOCKED(k)	GET("F2033", k, "BF m=A")

/* G-LCK-6: 2033 releases the lock, whatever the way to it */
TEST_F(q, every_way_to_nothing)
{
	static const char * const ways[] = {
		"BF m=NONE", "BF LK m=NONE", "BF c=NONE", "BF LO m=NONE",
		"BF CM m=NONE", "BF t=A m=NONE", "BF t=GONE",
		"BF UB m=A", "BF UB t=A", "BF UB MH t=A", "BF UB t=A buf=0",
		"BF UB m=A WT(1)", "BF UB MH m=A WT(1)", "BF m=NONE WT(1)",
		"BF LK m=NONE WT(1)", "BF t=B m=A",
	};
	unsigned int i;

	PUTS(self->h, "A; GONE; B");
	GET("GONE", self->h, "m=GONE");
	GET("A", self->h, "BF MH");
	for (i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		GET("A", self->h, "BF LK");
		LOCKED(self->k);
		EXPECT_STREQ("F2033", get(self->h, ways[i]))
			TH_LOG("%s", ways[i]);
		EXPECT_STREQ("A", get(self->k, "BF m=A"))
			TH_LOG("%s", ways[i]);
		GET("W2209", self->h, "UL");
	}
}

/* G-LCK-6: BROWSE_NEXT, too */
TEST_F(q, nothing_behind)
{
	PUTS(self->h, "B; A");
	GET("A", self->h, "BF m=A MH");
	GET("A", self->h, "BF LK m=A");
	GET("F2033", self->h, "BN");
	FREE(self->k);
	GET("B", self->h, "BF");
	GET("A", self->h, "BF LK m=A");
	GET("B", self->h, "BF LK");
	FREE(self->k);
	GET("F2033", self->h, "BN UB t=A");
	GET("B", self->k, "BF m=B");
	GET("B", self->h, "BF LK");
	GET("F2033", self->h, "BN LK m=NONE WT(1)");
	GET("B", self->k, "BF m=B");
	GET("W2209", self->h, "UL");
}

/* G-LCK-6, G-LCK-7: a message that expires; an end of the wait that is no 2033 */
TEST_F(q, expired_or_cancelled)
{
	struct waiter *w;

	PUTS(self->h, "A; B exp=1");
	GET("A", self->h, "BF LK");
	usleep(200000);
	GET("F2033", self->h, "BF m=B");
	FREE(self->k);
	GET("A", self->h, "BF LK");
	w = wait_get(self->h, "BN WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	FREE(self->k);
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	EXPECT_STREQ("F2016", result(w));
	EXPECT_STREQ("OK", alter(Q, "get=0"));
	GET("W2209", self->h, "UL");
}

/* G-LCK-6, G-CUR-4: 2034 and 2200 are not 2033 */
TEST_F(q, marked_but_not_nothing)
{
	struct mqh *h = opn(self->c, Q, "bci"), *other = opn(self->d, Q, "bci");

	PUTS(self->h, "A");
	GET("A", h, "BF MH");
	GET("A", h, "BF LK");
	GET("F2034", h, "BC UB");
	LOCKED(self->k);
	GET("F2034", h, "MC UB");
	LOCKED(self->k);
	GET("OK", h, "UL");
	GET("A", other, "BF MK");
	GET("A", h, "BF LK");
	GET("F2200", h, "BF UB t=A");
	LOCKED(self->k);
	GET("F2200", h, "BF MK");
	LOCKED(self->k);
	GET("F2033", h, "BF UB m=A");
	FREE(self->k);
}

TEST_HARNESS_MAIN
