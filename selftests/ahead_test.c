/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Read ahead is accepted and has no effect (G-OPN-4, O-CLOSE-1, UC-077): what
 * has not been got is on the queue, for everybody, in its order.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "q_fixture.h"

/* opn() with MQOO_READ_AHEAD; "i" otherwise. */
static struct mqh *opn_ahead(MQHCONN hc)
{
	struct mqh *h = opn(hc, Q, "i");
	MQOD od = { MQOD_DEFAULT };

	MQCLOSE(hc, &h->ho, MQCO_NONE, &h->cc, &h->rc);
	FIELD_SET(od.ObjectName, Q);
	MQOPEN(hc, &od, MQOO_INPUT_SHARED | MQOO_READ_AHEAD, &h->ho, &h->cc,
	       &h->rc);
	return h;
}

static const char *quiesce(struct mqh *h)
{
	MQCLOSE(h->hc, &h->ho, MQCO_QUIESCE, &h->cc, &h->rc);
	return outcome(h->cc, h->rc);
}

static void get_as_ever(struct __test_metadata *_metadata,
			FIXTURE_DATA(q) *self, struct mqh *h)
{
	PUTS(self->k, "A p=4; B p=4; C p=4; D p=4 c=X; E p=4");
	GET("A", h, "");
	/* one of higher priority is next, whenever it comes (M-PRI) */
	PUT("OK", self->k, "Z p=9");
	GET("Z", h, "");
	/* the others are there for others */
	EXPECT_EQ(4, depth(Q));
	GET("B", self->k, "");
	/* 2457 is for those who do read ahead */
	GET("D", h, "m= c=X");
	GET("C", h, "SP");
	EXPECT_STREQ("OK", back(self->c));
	/* G-INH-1 */
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	GET("F2016", h, "");
	EXPECT_STREQ("OK", alter(Q, "get=0"));
	/* nothing is left over: no 2458 */
	EXPECT_STREQ("OK", quiesce(h));
	LIST("C E");
	discard(self->k);
}

TEST_F(q, option_of_the_open)
{
	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	get_as_ever(_metadata, self, opn_ahead(self->c));
}

/* DEFREADA(YES), with MQOO_READ_AHEAD_AS_Q_DEF */
TEST_F(q, default_of_the_queue)
{
	EXPECT_STREQ("OK", alter(Q, "fifo=0 reada=1"));
	EXPECT_EQ(1, inquire_int(Q, MQIA_DEF_READ_AHEAD));
	get_as_ever(_metadata, self, opn(self->c, Q, "i"));
}

/* Messages that were not got are not lost with the program */
TEST_F(q, killed)
{
	int status;
	pid_t pid;

	PUTS(self->k, "A; B; C");
	pid = fork();
	if (!pid) {
		struct mqh *h = opn_ahead(conn());

		if (strcmp("OK", outcome(h->cc, h->rc)))
			_exit(1);
		get(h, "");
		raise(SIGKILL);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(SIGKILL, status);
	LIST("B C");
}

TEST_HARNESS_MAIN
