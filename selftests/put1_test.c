/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * MQPUT1 beside MQPUT (P-ONE, P-INC-3).
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "dl.h"
#include "q_fixture.h"

/* The name of a message is its data. */
static const char *put1(MQHCONN hc, const char *q, const char *name,
			MQLONG flags, MQLONG options)
{
	MQOD od = { MQOD_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG cc, rc;

	FIELD_SET(od.ObjectName, q);
	md.Version = MQMD_VERSION_2;
	md.MsgFlags = flags;
	pmo.Options = options;
	MQPUT1(hc, &od, &md, &pmo, strlen(name), (char *)name, &cc, &rc);
	return outcome(cc, rc);
}

static const char *put_text(struct mqh *h, const char *name, MQLONG flags,
			    MQLONG options)
{
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };

	md.Version = MQMD_VERSION_2;
	md.MsgFlags = flags;
	pmo.Options = options;
	MQPUT(h->hc, h->ho, &md, &pmo, strlen(name), (char *)name, &h->cc,
	      &h->rc);
	return outcome(h->cc, h->rc);
}

/* All messages, taken off. */
static const char *taken(MQHCONN hc, const char *q)
{
	char *answer = answer_buf();
	MQMD md;
	int n;

	*answer = 0;
	for (n = depth(q); n > 0; n--)
		sprintf(answer + strlen(answer), "%s ", dl_take(hc, q, &md));
	return answer;
}

#define PUT1(name)	\
	EXPECT_STREQ("OK", put1(self->c, Q, name, 0, 0))

/* P-ONE-6, P-ONE-1: in the order of the calls, whichever they are */
TEST_F(q, order)
{
	PUT1("A");
	EXPECT_STREQ("OK", put_text(self->h, "B", 0, 0));
	PUT1("C");
	PUT1("D");
	EXPECT_STREQ("OK", put_text(self->h, "E", 0, 0));
	EXPECT_STREQ("A B C D E ", taken(self->d, Q));
}

/* P-INC-3, P-LOG-1: group information of a handle is no business of it */
TEST_F(q, beside_an_open_group)
{
	EXPECT_STREQ("OK", put_text(self->h, "A", MQMF_MSG_IN_GROUP,
				    MQPMO_LOGICAL_ORDER));
	PUT1("B");
	EXPECT_STREQ("OK", put1(self->c, Q, "C", MQMF_MSG_IN_GROUP, 0));
	EXPECT_STREQ("OK", put1(self->c, Q, "D", MQMF_SEGMENT,
				MQPMO_SYNCPOINT));
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_STREQ("OK", put_text(self->h, "E", MQMF_LAST_MSG_IN_GROUP,
				    MQPMO_LOGICAL_ORDER));
	GET("#", self->k, "BF LO");
	GET("#", self->k, "BN LO");
	EXPECT_EQ(2, self->k->md.MsgSeqNumber);
	EXPECT_STREQ("A B C D E ", taken(self->d, Q));
	EXPECT_STREQ("OK", shut(self->h));
}

/* P-ONE-1, P-ONE-8: what fails leaves neither message nor handle */
TEST_F(q, failures)
{
	EXPECT_STREQ("F2046", put1(self->c, Q, "X", 0, MQPMO_LOGICAL_ORDER));
	EXPECT_STREQ("F2085", put1(self->c, "KT.NONE", "X", 0, 0));
	EXPECT_STREQ("OK", alter(Q, "put=1"));
	EXPECT_STREQ("F2051", put1(self->c, Q, "X", 0, 0));
	EXPECT_STREQ("OK", alter(Q, "put=0"));
	PUT1("A");
	EXPECT_EQ(2, inquire_int(Q, MQIA_OPEN_OUTPUT_COUNT));
	EXPECT_STREQ("A ", taken(self->d, Q));
}

/* A descriptor below @before of the node of @q, -1 if there is none. */
static int node_fd(const char *q, int before)
{
	char want[128], path[128], name[32];
	ssize_t n;

	snprintf(want, sizeof(want), "/dev/kmq/" QM "/queue/%s", q);
	while (--before >= 0) {
		snprintf(name, sizeof(name), "/proc/self/fd/%d", before);
		n = readlink(name, path, sizeof(path) - 1);
		path[n < 0 ? 0 : n] = 0;
		if (!strcmp(path, want))
			return before;
	}
	return -1;
}

/* The only one. */
static int only_fd(const char *q)
{
	int fd = node_fd(q, 1024);

	return fd < 0 || node_fd(q, fd) >= 0 ? -1 : fd;
}

static const char *turn(int i)
{
	char *name = answer_buf();

	sprintf(name, "KT.TURN%d", i);
	return name;
}

/*
 * P-ONE-1: a put costs no open of the node, and eight queues can do so in turn.
 * A signal number belongs to an open file: one that was opened anew has none.
 */
TEST_F(q, node_stays_open)
{
	int i, round, fd;

	for (i = 0; i < 9; i++)
		ASSERT_STREQ("OK", define(turn(i), ""));
	for (i = 0; i < 8; i++) {
		EXPECT_STREQ("OK", put1(self->c, turn(i), "A", 0, 0));
		fd = only_fd(turn(i));
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, fcntl(fd, F_SETSIG, SIGUSR1));
	}
	for (round = 0; round < 5; round++)
		for (i = 0; i < 8; i++)
			EXPECT_STREQ("OK", put1(self->c, turn(i), "A", 0, 0));
	for (i = 0; i < 8; i++)
		EXPECT_EQ(SIGUSR1, fcntl(only_fd(turn(i)), F_GETSIG));
	/* the ninth takes the place of the one not used for longest */
	EXPECT_STREQ("OK", put1(self->c, turn(8), "A", 0, 0));
	EXPECT_EQ(-1, node_fd(turn(0), 1024));
	for (i = 1; i < 8; i++)
		EXPECT_EQ(SIGUSR1, fcntl(only_fd(turn(i)), F_GETSIG));
	EXPECT_STREQ("OK", put1(self->c, turn(0), "A", 0, 0));
	EXPECT_EQ(0, fcntl(only_fd(turn(0)), F_GETSIG));
	/* none is left */
	EXPECT_STREQ("OK", disc(&self->c));
	for (i = 0; i < 9; i++)
		EXPECT_EQ(-1, node_fd(turn(i), 1024));
}

/* P-ONE-1: many queues in turn, more than there are files kept open */
TEST_F(q, queues_in_turn)
{
	char name[16];
	int i, round;

	for (i = 0; i < 12; i++) {
		sprintf(name, "KT.TURN%d", i);
		ASSERT_STREQ("OK", define(name, ""));
	}
	for (round = 0; round < 3; round++)
		for (i = 0; i < 12; i++) {
			sprintf(name, "KT.TURN%d", i);
			EXPECT_STREQ("OK", put1(self->c, name, "A", 0, 0));
		}
	for (i = 0; i < 12; i++) {
		sprintf(name, "KT.TURN%d", i);
		EXPECT_EQ(3, depth(name));
	}
	/* one that was deleted and defined again is another queue */
	EXPECT_STREQ("OK", clear_q("KT.TURN11"));
	EXPECT_STREQ("OK", delete_q("KT.TURN11", 0));
	EXPECT_STREQ("F2085", put1(self->c, "KT.TURN11", "B", 0, 0));
	ASSERT_STREQ("OK", define("KT.TURN11", ""));
	EXPECT_STREQ("OK", put1(self->c, "KT.TURN11", "B", 0, 0));
	EXPECT_STREQ("B ", taken(self->d, "KT.TURN11"));
}

TEST_HARNESS_MAIN
