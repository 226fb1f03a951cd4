/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Gets and signals that wait for something complete, and are served because a
 * message leaves the queue (G-WAIT-9, G-CPL-9, G-SIG-3).
 *
 * Segment X (3 bytes) and D (10 bytes) both have offset 10; X comes first and
 * counts, so s1, D, s3 make a complete message once X is gone. In the same way
 * the group K ends with L2 once N2, which has the same number, is gone.
 */
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <kmq.h>
#include "wait_fixture.h"

#define SEGMENTS	"s1(S,1,0,S); X(S,1,10,S) len=3; D(S,1,10,S); " \
			"s3(S,1,20,E)"
#define GROUP		"K1(K,1,0,G); N2(K,2,0,G); L2(K,2,0,L)"

static int signal_of(struct mqh *h)
{
	MQLONG s = -77, cc, rc;

	kmq_signal_status(h->hc, h->ho, &s, &cc, &rc);
	return cc ? -rc : s;
}

/* Waits of both kinds and a signal, for a segment of a complete message. */
static void segments_served(struct __test_metadata *_metadata,
			    FIXTURE_DATA(q) *self, void (*leave)(struct mqh *h))
{
	struct waiter *browse, *part;
	struct mqh *x = own("b");

	START(browse, "b", "BF AS WT(20000)", 1);
	START(part, "i", "AS WT(20000)", 2);
	GET("W2070", x, "BF AS SIG(20000)");
	EXPECT_EQ(1, signal_of(x));
	leave(self->h);
	EXPECT_STREQ("s1", result(browse));
	EXPECT_STREQ("s1", result(part));
	EXPECT_EQ(MQEC_MSG_ARRIVED, signal_of(x));
}

static void take_it(struct mqh *h)
{
	get(h, "m=X");
}

static void lock_it(struct mqh *h)
{
	get(h, "BF LK m=X");
}

static void take_in_unit(struct mqh *h)
{
	get(h, "m=X SP");
}

/* Until it has expired, nobody comes upon it. */
static void let_it_expire(struct mqh *h)
{
	(void)h;
}

/* G-WAIT-9, G-CPL-9: another program gets the segment in front */
TEST_F(q, segment_got)
{
	PUTS(self->h, SEGMENTS);
	segments_served(_metadata, self, take_it);
	EXPECT_STREQ("D s3", drain(self->h, ""));
}

/* G-WAIT-9, U-VIS-6: in a unit of work; its back-out puts it in front again */
TEST_F(q, segment_got_in_unit)
{
	PUTS(self->h, SEGMENTS);
	segments_served(_metadata, self, take_in_unit);
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_STREQ("X D s3", drain(self->h, ""));
}

/* G-WAIT-9, G-LCK-1, G-LCK-2: locks it; s1, D, s3 are all the others see */
TEST_F(q, segment_locked)
{
	PUTS(self->h, SEGMENTS);
	segments_served(_metadata, self, lock_it);
	LIST("D s3");
	GET("OK", self->h, "UL");
	LIST("X D s3");
}

/* G-WAIT-9, G-EXP-3, M-EXP-4: it expires */
TEST_F(q, segment_expired)
{
	PUTS(self->h, "s1(S,1,0,S); X(S,1,10,S) len=3 exp=3; D(S,1,10,S); "
	     "s3(S,1,20,E)");
	segments_served(_metadata, self, let_it_expire);
	EXPECT_STREQ("D s3", drain(self->h, ""));
}

/* G-WAIT-9, G-RAS-1: all of the message as one */
TEST_F(q, message_put_together)
{
	struct waiter *w, *v;

	PUTS(self->h, SEGMENTS);
	START(w, "b", "BF CM WT(20000)", 1);
	GET("X", self->h, "BF LK m=X");
	EXPECT_STREQ("s1", result(w));
	GET("OK", self->h, "UL");
	START(v, "i", "CM WT(20000)", 1);
	GET("X", self->h, "m=X");
	EXPECT_STREQ("s1", result(v));
	LIST("");
}

/* G-WAIT-9: a group; COMPLETE_MSG and LOGICAL_ORDER; one removing get */
TEST_F(q, group_served)
{
	struct waiter *w, *v, *other;

	PUTS(self->h, GROUP);
	START(w, "i", "LO AM WT(20000)", 1);
	START(v, "i", "LO AM CM WT(20000)", 2);
	START(other, "i", "AM g=Z WT(20000)", 3);
	GET("N2", self->h, "m=N2");
	EXPECT_STREQ("K1", result(w));
	EXPECT_TRUE(waiting(v));
	EXPECT_TRUE(waiting(other));
	PUTS(self->h, "J1(J,1,0,L)");
	EXPECT_STREQ("J1", result(v));
	PUTS(self->h, "Z1(Z,1,0,L)");
	EXPECT_STREQ("Z1", result(other));
	LIST("L2");
}

/* G-EXP-3, E-22: an expired member in front does not hide a complete group */
TEST_F(q, expired_in_front)
{
	PUTS(self->h, "K1(K,1,0,G); N2(K,2,0,G) exp=1; L2(K,2,0,L)");
	GET("F2033", self->k, "BF LO AM");
	nap(150);
	GET("K1", self->k, "BF LO AM");
	GET("L2", self->k, "BN LO AM");
}

/* G-WAIT-9, M-EXP-4: a waiter takes one by one what becomes complete */
TEST_F(q, two_waiters)
{
	struct waiter *w, *v;

	/* F(K,7) is behind the end of the group, and a candidate all the same. */
	PUTS(self->h, "F(K,7,0,G); " GROUP);
	START(w, "i", "m=F AM WT(20000)", 1);
	START(v, "i", "AM WT(20000)", 2);
	GET("N2", self->h, "m=N2");
	EXPECT_STREQ("F", result(w));
	EXPECT_STREQ("K1", result(v));
}

/* G-SIG-6, G-SIG-7: one signal for each message that became complete */
TEST_F(q, signals_of_a_group)
{
	struct mqh *x = own("i"), *y = own("i"), *z = own("i");

	PUTS(self->h, GROUP);
	GET("W2070", x, "AM SIG(20000)");
	GET("W2070", y, "AM SIG(20000)");
	GET("W2070", z, "AM s=2 SIG(20000)");
	GET("N2", self->h, "m=N2");
	EXPECT_EQ(MQEC_MSG_ARRIVED, signal_of(x));
	EXPECT_EQ(1, signal_of(y));
	EXPECT_EQ(MQEC_MSG_ARRIVED, signal_of(z));
	GET("K1", x, "AM");
}

/*
 * G-SIG-3, M-EXP-7: what comes back after its time has expired is no suitable
 * message
 */
TEST_F(q, no_signal_for_an_expired_message)
{
	struct mqh *x = own("i");

	PUT("OK", self->h, "A exp=1");
	GET("A", self->h, "SP");
	PUT("OK", self->h, "B exp=1 SP");
	GET("W2070", x, "SIG(20000)");
	nap(150);
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(1, signal_of(x));
	EXPECT_EQ(0, depth(Q));
	PUT("OK", self->h, "C exp=1 SP");
	nap(150);
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_EQ(1, signal_of(x));
	PUT("OK", self->h, "D");
	EXPECT_EQ(MQEC_MSG_ARRIVED, signal_of(x));
	GET("D", x, "");
}

/* G-SIG-9, G-CLO-1: what a handle had locked is no reason to post its signal */
TEST_F(q, nothing_posted_by_closing)
{
	struct mqh *x = own("i"), *y = own("ib");
	int e = eventfd(0, EFD_NONBLOCK);
	char opts[64];
	uint64_t n;

	GET("W2070", x, "SIG(-1)");
	sprintf(opts, "SIG(-1) sig1=%d", e);
	GET("W2070", y, opts);
	PUT("OK", self->h, "A");
	EXPECT_EQ(MQEC_MSG_ARRIVED, signal_of(x));
	EXPECT_EQ(1, signal_of(y));
	GET("A", y, "BF LK");
	EXPECT_STREQ("OK", shut(y));
	EXPECT_EQ(-1, read(e, &n, 8));
	GET("A", self->k, "");
	close(e);
}

/* G-SIG-9, U-END-2: nor what comes back when the program ends */
TEST_F(q, nothing_posted_by_the_end)
{
	int e = eventfd(0, EFD_NONBLOCK), status;
	struct mqh *x = own("i");
	char opts[64];
	uint64_t n;
	pid_t pid;

	PUT("OK", self->h, "A");
	sprintf(opts, "SIG(-1) sig1=%d", e);
	pid = fork();
	if (!pid) {
		MQHCONN hc = conn();
		struct mqh *y = opn(hc, Q, "i"), *z = opn(hc, Q, "i");

		_exit(strcmp(get(y, "SP"), "A") || strcmp(get(z, opts),
							  "W2070"));
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	GET("A", x, "");
	EXPECT_EQ(-1, read(e, &n, 8));
	close(e);
}

TEST_HARNESS_MAIN
