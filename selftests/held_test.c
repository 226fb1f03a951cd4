/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Asynchronous puts of a unit of work, which the library makes several at a
 * time: nobody can tell but by the speed (P-ASY-2, P-ASY-3), nothing is lost,
 * and what goes wrong later is told (A-STAT). Also KMQ_IOC_PUT_ROOM.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <kmq.h>
#include "q_fixture.h"

#define ASYNC	"SP opt=0x10000"
#define FIRST	8	/* the library makes at once */
#define BATCH	32

/* A connection as most programs have it, used by one thread. */
FIXTURE(held) {
	MQHCONN c;
	struct mqh *h;
};

FIXTURE_SETUP(held)
{
	MQLONG cc, rc;

	ASSERT_STREQ("OK", define(Q, "fifo"));
	MQCONN(QM, &self->c, &cc, &rc);
	ASSERT_STREQ("OK", outcome(cc, rc));
	self->h = opn(self->c, Q, "bioq");
	ASSERT_STREQ("OK", outcome(self->h->cc, self->h->rc));
}

FIXTURE_TEARDOWN(held)
{
	qmgr_state(KMQ_QMGR_RUNNING);
	alter_qmgr("maxuncom=10000");
	if (self->c != MQHC_UNUSABLE_HCONN)
		disc(&self->c);
	clean_up();
}

/* Puts number @from to @to, named by it; the first result that is not OK. */
static const char *put_numbers(struct mqh *h, int from, int to,
			       const char *words)
{
	const char *r = "OK";
	char msg[64];

	for (; from <= to && !strcmp(r, "OK"); from++) {
		snprintf(msg, sizeof(msg), "%d %s", from, words);
		r = put(h, msg);
	}
	return r;
}

/* Not among the answers, which are made while it is compared. */
static const char *numbers(int from, int to)
{
	static char s[1024];
	int n = 0;

	for (; from <= to; from++)
		n += sprintf(s + n, "%s%d", n ? " " : "", from);
	return s;
}

static MQSTS sts;

static const char *counts(MQHCONN hc)
{
	char *s = answer_buf();
	MQLONG cc, rc;

	sts = (MQSTS){ MQSTS_DEFAULT };
	MQSTAT(hc, MQSTAT_TYPE_ASYNC_ERROR, &sts, &cc, &rc);
	sprintf(s, "%d %d %d %s", sts.PutSuccessCount, sts.PutWarningCount,
		sts.PutFailureCount, outcome(sts.CompCode, sts.Reason));
	return s;
}

static int depth_by(struct mqh *h)
{
	MQLONG selector = MQIA_CURRENT_Q_DEPTH, value = -1, cc, rc;

	MQINQ(h->hc, h->ho, 1, &selector, 1, &value, 0, NULL, &cc, &rc);
	return value;
}

/* P-ASY-2: that they are held at all shows from outside only */
TEST_F(held, until_the_next_call)
{
	EXPECT_STREQ("OK", put_numbers(self->h, 1, FIRST + 3, ASYNC));
	EXPECT_EQ(FIRST, depth(Q));
	EXPECT_EQ(FIRST + 3, depth_by(self->h));
	EXPECT_EQ(FIRST + 3, depth(Q));
	EXPECT_STREQ("OK", put_numbers(self->h, FIRST + 4, FIRST + 5, ASYNC));
	EXPECT_EQ(FIRST + 3, depth(Q));
	/* MQSTAT makes them, too */
	EXPECT_STREQ("13 0 0 OK", counts(self->c));
	EXPECT_EQ(FIRST + 5, depth(Q));
	LIST("");
	EXPECT_STREQ("OK", commit(self->c));
	LIST(numbers(1, FIRST + 5));
}

TEST_F(held, until_there_are_many)
{
	EXPECT_STREQ("OK", put_numbers(self->h, 1, FIRST + BATCH - 1, ASYNC));
	EXPECT_EQ(FIRST, depth(Q));
	EXPECT_STREQ("OK", put(self->h, "40 " ASYNC));
	EXPECT_EQ(FIRST + BATCH, depth(Q));
	EXPECT_STREQ("OK", commit(self->c));
	LIST(numbers(1, FIRST + BATCH));
}

/* P-POS, U-VIS-1: the order of the calls, whatever calls they are */
TEST_F(held, order)
{
	MQOD od = { MQOD_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG cc, rc;

	EXPECT_STREQ("OK", put_numbers(self->h, 1, FIRST + 2, ASYNC));
	PUT("OK", self->h, "11 SP");
	EXPECT_STREQ("OK", put_numbers(self->h, 12, 13, ASYNC));
	/* it finds what the unit has put (U-VIS-1) */
	GET("1", self->h, "SP");
	EXPECT_STREQ("OK", put_numbers(self->h, 14, 15, ASYNC));
	FIELD_SET(od.ObjectName, Q);
	pmo.Options = MQPMO_SYNCPOINT;
	MQPUT1(self->c, &od, &md, &pmo, 0, NULL, &cc, &rc);
	EXPECT_STREQ("OK", outcome(cc, rc));
	EXPECT_STREQ("OK", put_numbers(self->h, 16, 17, ASYNC));
	PUT("OK", self->h, "out");
	EXPECT_STREQ("OK", commit(self->c));
	LIST("2 3 4 5 6 7 8 9 10 11 12 13 14 15 # 16 17 out");
}

/* Priority counts as for any put (P-PRI) */
TEST_F(held, priority)
{
	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	EXPECT_STREQ("OK", put_numbers(self->h, 1, FIRST + 3, ASYNC " p=2"));
	PUT("OK", self->h, "high SP p=7");
	PUT("OK", self->h, "low SP p=1");
	EXPECT_STREQ("OK", commit(self->c));
	LIST("high 1 2 3 4 5 6 7 8 9 10 11 low");
}

/* P-ASY-3, M-ID-2: never the same twice, and what the message has */
TEST_F(held, identifiers)
{
	static MQBYTE24 ids[3 * BATCH];
	int i, j, same = 0;

	for (i = 0; i < 3 * BATCH; i++) {
		ASSERT_STREQ("OK", put(self->h, i % 24 ? "none NC " ASYNC :
							"none NM SP"));
		memcpy(ids[i], self->h->md.MsgId, 24);
		EXPECT_TRUE(id_generated(ids[i]));
	}
	EXPECT_STREQ("OK", commit(self->c));
	for (i = 0; i < 3 * BATCH; i++)
		for (j = 0; j < i; j++)
			same += !memcmp(ids[i], ids[j], 24);
	EXPECT_EQ(0, same);
	for (i = 0; i < 3 * BATCH; i++) {
		MQMD md = { MQMD_DEFAULT };
		MQGMO gmo = { MQGMO_DEFAULT };
		MQLONG n, cc, rc;
		char buf[16];

		MQGET(self->c, self->h->ho, &md, &gmo, sizeof(buf), buf, &n,
		      &cc, &rc);
		ASSERT_STREQ("OK", outcome(cc, rc));
		EXPECT_EQ(0, memcmp(ids[i], md.MsgId, 24));
		EXPECT_EQ(10, n);
	}
}

/* A-STAT-2, A-STAT-4, U-CMIT-3: full before what is held is put */
TEST_F(held, full_behind_its_back)
{
	EXPECT_STREQ("OK", put_numbers(self->h, 1, FIRST + 4, ASYNC));
	EXPECT_STREQ("OK", alter(Q, "depth=10"));
	EXPECT_STREQ("W2003", commit(self->c));
	EXPECT_STREQ("10 0 2 F2053", counts(self->c));
	EXPECT_TRUE(FIELD_IS(sts.ObjectName, Q));
	EXPECT_TRUE(FIELD_IS(sts.ResolvedObjectName, Q));
	EXPECT_EQ(MQOT_Q, sts.ObjectType);
	EXPECT_EQ(0, depth(Q));
	/* the next unit has nothing to do with it */
	EXPECT_STREQ("OK", put_numbers(self->h, 1, 10, ASYNC));
	PUT("F2053", self->h, "X " ASYNC);
	EXPECT_STREQ("OK", commit(self->c));
	LIST(numbers(1, 10));
}

/* The same with a get of the unit, which is backed out, too */
TEST_F(held, inhibited_behind_its_back)
{
	PUT("OK", self->h, "request");
	GET("request", self->h, "SP");
	EXPECT_STREQ("OK", put_numbers(self->h, 1, FIRST + 1, ASYNC));
	EXPECT_STREQ("OK", alter(Q, "put=1"));
	/* told at the next put already: that one is made at once */
	EXPECT_STREQ("8 0 1 F2051", counts(self->c));
	PUT("F2051", self->h, "X " ASYNC);
	EXPECT_STREQ("OK", alter(Q, "put=0"));
	PUT("OK", self->h, "Y " ASYNC);
	EXPECT_STREQ("W2003", commit(self->c));
	LIST("request");
	GET("request", self->h, "");
	EXPECT_EQ(1, self->h->md.BackoutCount);
}

/* MQBACK and MQDISC (U-BACK-1, U-END-1) */
TEST_F(held, end_of_the_unit)
{
	EXPECT_STREQ("OK", put_numbers(self->h, 1, FIRST + 4, ASYNC));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(0, depth(Q));
	EXPECT_STREQ("12 0 0 OK", counts(self->c));
	EXPECT_STREQ("OK", put_numbers(self->h, 1, FIRST + 4, ASYNC));
	EXPECT_STREQ("OK", shut(self->h));
	EXPECT_EQ(FIRST + 4, depth(Q));
	EXPECT_STREQ("OK", disc(&self->c));
	LIST(numbers(1, FIRST + 4));
}

TEST_F(held, disconnect)
{
	EXPECT_STREQ("OK", put_numbers(self->h, 1, FIRST + 4, ASYNC));
	EXPECT_STREQ("OK", disc(&self->c));
	LIST(numbers(1, FIRST + 4));
	MQCONN(QM, &self->c, &self->h->cc, &self->h->rc);
	self->h = opn(self->c, Q, "bioq");
	EXPECT_STREQ("OK", put_numbers(self->h, 13, FIRST + 16, ASYNC));
	EXPECT_STREQ("OK", alter(Q, "depth=12"));
	EXPECT_STREQ("W2003", disc(&self->c));
	LIST(numbers(1, FIRST + 4));
}

/* P-ASY-2: near a limit each put has its own result (2053, 2024) */
TEST_F(held, limits)
{
	EXPECT_STREQ("OK", alter(Q, "depth=100"));
	EXPECT_STREQ("OK", put_numbers(self->h, 1, 100, ASYNC));
	PUT("F2053", self->h, "X " ASYNC);
	EXPECT_STREQ("100 0 1 F2053", counts(self->c));
	EXPECT_STREQ("OK", commit(self->c));
	LIST(numbers(1, 100));
	clear_q(Q);
	EXPECT_STREQ("OK", alter(Q, "depth=5000"));
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=90"));
	EXPECT_STREQ("OK", put_numbers(self->h, 1, 90, ASYNC));
	PUT("F2024", self->h, "X " ASYNC);
	EXPECT_STREQ("OK", commit(self->c));
	LIST(numbers(1, 90));
}

/* P-OPT-8 */
TEST_F(held, quiescing)
{
	EXPECT_STREQ("OK", put_numbers(self->h, 1, 20, ASYNC " opt=0x12000"));
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	PUT("F2161", self->h, "X " ASYNC " opt=0x12000");
	EXPECT_STREQ("OK", put_numbers(self->h, 21, 40, ASYNC));
	EXPECT_EQ(40, depth(Q));
	EXPECT_STREQ("OK", commit(self->c));
}

/* Outside of a unit others see it at once, and it outlives the program */
TEST_F(held, not_out_of_syncpoint)
{
	MQHCONN d = conn();
	struct mqh *k = opn(d, Q, "io");
	int i;

	for (i = 1; i <= 40; i++) {
		EXPECT_STREQ("OK", put_numbers(self->h, i, i, "opt=0x10000"));
		EXPECT_STREQ(numbers(i, i), get(k, ""));
	}
	disc(&d);
}

/* Threads that share a connection may tell each other */
TEST_F(held, not_on_a_shared_connection)
{
	MQHCONN d = conn();
	struct mqh *k = opn(d, Q, "io");

	EXPECT_STREQ("OK", put_numbers(k, 1, 40, ASYNC));
	EXPECT_EQ(40, depth(Q));
	disc(&d);
}

enum end { END_RETURN, END_KILL };

static int child(enum end how)
{
	struct mqh *h;
	MQHCONN c;
	MQLONG cc, rc;

	MQCONN(QM, &c, &cc, &rc);
	h = opn(c, Q, "o");
	if (strcmp("OK", put_numbers(h, 1, 20, ASYNC)) ||
	    strcmp("OK", put_numbers(h, 21, 30, "opt=0x10000")) ||
	    strcmp("OK", put_numbers(h, 31, 50, ASYNC)))
		_exit(1);
	if (how == END_KILL)
		raise(SIGKILL);
	exit(0);
}

/* U-END-2: the unit is backed out; what was put outside of it stays */
TEST_F(held, end_of_the_process)
{
	int how, status, i;
	pid_t pid;

	for (how = END_RETURN; how <= END_KILL; how++) {
		pid = fork();
		if (!pid)
			child(how);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_EQ(how == END_KILL ? SIGKILL : 0, status);
		EXPECT_EQ(10, depth(Q));
		for (i = 21; i <= 30; i++) {
			get(self->h, "");
			EXPECT_EQ(i, atoi((char *)self->h->md.MsgId));
		}
	}
}

/* The connection is the parent's, with all that is held (O-CONN-6) */
TEST_F(held, fork)
{
	int status;
	pid_t pid;

	EXPECT_STREQ("OK", put_numbers(self->h, 1, FIRST + 4, ASYNC));
	pid = fork();
	if (!pid)
		_exit(strcmp("F2018", commit(self->c)));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(FIRST, depth(Q));
	EXPECT_STREQ("OK", commit(self->c));
	LIST(numbers(1, FIRST + 4));
}

/* KMQ_IOC_PUT_ROOM through the descriptor of a handle */
static const char *ask_room(struct mqh *h, struct kmq_put_room *r,
			    unsigned int ids)
{
	*r = (struct kmq_put_room){ .size = sizeof(*r), .ids = ids };
	if (ioctl(kmq_object_fd(h->hc, h->ho), KMQ_IOC_PUT_ROOM, r))
		return strerror(errno);
	return outcome(r->out_comp_code, r->out_reason);
}

static uint64_t number_of(const MQBYTE *id)
{
	uint64_t n = 0;
	int i;

	for (i = 16; i < 24; i++)
		n = n << 8 | id[i];
	return n;
}

/* M-ID-2 */
TEST_F(held, room)
{
	struct mqh *b = opn(self->c, Q, "b");
	struct kmq_put_room r;
	uint64_t first;

	EXPECT_STREQ("OK", alter(Q, "depth=100 len=5000"));
	ASSERT_STREQ("OK", ask_room(self->h, &r, 0));
	EXPECT_EQ(100, r.out_msgs);
	EXPECT_EQ(5000, r.out_max_length);
	PUT("OK", self->h, "A");
	PUT("OK", self->h, "none SP");
	first = number_of(self->h->md.MsgId);
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=10"));
	ASSERT_STREQ("OK", ask_room(self->h, &r, 1000));
	EXPECT_EQ(9, r.out_msgs);
	EXPECT_LT(first, r.out_first_id);
	PUT("OK", self->h, "none");
	/* The numbers are taken: nobody else gets one of them. */
	first = number_of(self->h->md.MsgId);
	EXPECT_TRUE(first < r.out_first_id || first >= r.out_first_id + 1000);
	EXPECT_STREQ("Invalid argument", ask_room(self->h, &r, 1025));
	EXPECT_STREQ("OK", alter(Q, "depth=2"));
	ASSERT_STREQ("OK", ask_room(self->h, &r, 0));
	EXPECT_EQ(0, r.out_msgs);
	EXPECT_STREQ("F2039", ask_room(b, &r, 0));
	EXPECT_STREQ("OK", alter(Q, "put=1"));
	EXPECT_STREQ("F2051", ask_room(self->h, &r, 0));
	EXPECT_STREQ("OK", alter(Q, "put=0 depth=50"));
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	ASSERT_STREQ("OK", ask_room(self->h, &r, 0));
	EXPECT_EQ(0, r.out_msgs);
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	EXPECT_STREQ("OK", define(Q "2", "alias target=" Q " put=1"));
	b = opn(self->c, Q "2", "o");
	EXPECT_STREQ("F2051", ask_room(b, &r, 0));
	EXPECT_STREQ("OK", alter(Q "2", "alias put=0"));
	ASSERT_STREQ("OK", ask_room(b, &r, 0));
	EXPECT_EQ(9, r.out_msgs);
}

TEST_HARNESS_MAIN
