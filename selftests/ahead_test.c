/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Read ahead has no effect that could be seen (G-OPN-4, O-CLOSE-1, UC-077), and
 * neither has what consumers do of it by themselves (A-CBC): what has not been got
 * is on the queue, for everybody, in its order. The first messages of each case
 * are got one by one, the others from windows.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cb_fixture.h"

#define EIGHT	"A p=4; B p=4; C p=4; D p=4; E p=4; F p=4; G p=4; H p=4"

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

/* What MQPUT said of a message */
struct said {
	MQCHAR8 date, time;
	MQLONG type;
};

/* P-CTX-5, M-MD: each has its own date, whoever put it and the one before it */
TEST_F(q, dates)
{
	struct mqh *h = opn_ahead(self->c), *of[2] = { self->h, self->k };
	struct said said[24];
	char name[16];
	MQMD *md;
	int i, round;

	for (round = 0; round < 20; round++) {
		for (i = 0; i < 24; i++) {
			/* some within one hundredth of a second, some not */
			if (i == 1 || i == 20)
				usleep(11000);
			snprintf(name, sizeof(name), "%d", round * 24 + i);
			ASSERT_STREQ("OK", put(of[i / 2 % 2], name));
			md = &of[i / 2 % 2]->md;
			memcpy(said[i].date, md->PutDate, 8);
			memcpy(said[i].time, md->PutTime, 8);
			said[i].type = md->PutApplType;
		}
		for (i = 0; i < 24; i++) {
			snprintf(name, sizeof(name), "%d", round * 24 + i);
			GET(name, h, "");
			EXPECT_EQ(0, memcmp(said[i].date, h->md.PutDate, 8));
			EXPECT_EQ(0, memcmp(said[i].time, h->md.PutTime, 8));
			EXPECT_EQ(said[i].type, h->md.PutApplType);
		}
	}
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

/* All the fields of many messages, of two origins, with different parts */
TEST_F(q, all_that_is_returned)
{
	struct mqh *h = opn_ahead(self->c);
	int round;

	for (round = 0; round < 3; round++) {
		PUTS(self->h, "A; B rq=RQ rqm=QM9; C len=4000; D len=0");
		PUTS(self->k, "E fmt=X enc=7 ccsid=9 fb=3; F rq=R2");
		PUTS(self->h, "G; H c=X rep=64");
		PUTS(self->k, "I; J; K; L; M; N; O; P");
		EXPECT_STREQ("A B C D E F G H I J K L M N O P", drain(h, ""));
		PUTS(self->k, EIGHT "; I len=5000; J; K");
		EXPECT_STREQ("A B C D E F G H I J K", drain(h, "v1 gmo=1"));
		PUTS(self->k, EIGHT);
		EXPECT_STREQ("A B C D E F G H", drain(h, "SP"));
		EXPECT_STREQ("OK", round ? commit(self->c) : back(self->c));
		if (!round)
			EXPECT_STREQ("A B C D E F G H", drain(h, ""));
	}
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(0, (int)status(Q).out_bytes);
}

/* Gets that are not like the ones before, in the middle of a window */
TEST_F(q, unlike_gets)
{
	struct mqh *h = opn_ahead(self->c);

	PUTS(self->k, EIGHT "; I; J; K; L; M; N; O; P");
	GET("A", h, "");
	GET("B", h, "");
	GET("C", h, "");
	GET("W2079 D", h, "AT buf=5");
	GET("E", h, "");
	GET("F", h, "");
	GET("G", h, "");
	GET("W2080 H", h, "buf=5");
	GET("H", h, "");
	GET("I", h, "");
	GET("J", h, "");
	GET("F2090", h, "WT(5) wi=-2");
	GET("N", h, "m=N");
	GET("K", h, "");
	GET("L", h, "");
	GET("M", h, "SP");
	GET("O", h, "SP");
	EXPECT_STREQ("OK", back(self->c));
	LIST("M O P");
	discard(self->k);
}

/* One at a time, as a server gets its requests: each is waited for. */
TEST_F(q, one_by_one)
{
	struct mqh *h = opn_ahead(self->c);
	struct waiter *w;
	int i;

	for (i = 0; i < 40; i++) {
		PUT("OK", self->k, "A");
		GET("A", h, "WT(1000)");
	}
	w = wait_get(h, "WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	PUT("OK", self->k, "B");
	EXPECT_STREQ("B", result(w));
	GET("F2033", h, "");
}

/* Consumers */

static struct mqh *put_to;
static MQLONG depths[8];
static unsigned int calls;

/* What is on the queue while the callback runs, whoever asks (M-CUR) */
static void count(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	if (cbc->CallType == MQCBCT_MSG_REMOVED && calls < 8)
		depths[calls++] = depth(Q) * 100 +
				  inquire_int(Q, MQIA_CURRENT_Q_DEPTH) +
				  1000000 *
				  (MQLONG)status(Q).out_uncommitted_gets;
}

TEST_F(cb, depth)
{
	int i, sync;

	for (sync = 0; sync < 2; sync++) {
		forget();
		calls = 0;
		want(MQGMO_WAIT | (sync ? MQGMO_SYNCPOINT : 0), MQWI_UNLIMITED);
		one.act = count;
		PUTS(self->k, EIGHT);
		OK(consumer(self->h, &one, 0));
		START;
		HEARD("A B C D E F G H");
		STOP;
		for (i = 0; i < 8; i++)
			EXPECT_EQ((7 - i) * 101 + sync * 1000000 * (i + 1),
				  depths[i]);
		OK(commit(self->c));
	}
	one.act = NULL;
}

static bool is_at(const MQMD *md, const char *name)
{
	return !strcmp(name, id_name(md->MsgId));
}

static void put_urgent(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	if (is_at(md, "E"))
		one.faults += strcmp("OK", put(put_to, "Z p=9")) != 0;
	if (is_at(md, "F"))
		one.faults += strcmp("G", get(put_to, "")) != 0;
}

/* A-CBC-6, M-PRI, U-VIS-2: overtaken by one, and one taken away */
TEST_F(cb, others_put_and_get)
{
	OK(alter(Q, "fifo=0"));
	put_to = self->k;
	one.act = put_urgent;
	PUTS(self->k, EIGHT);
	OK(consumer(self->h, &one, 0));
	START;
	HEARD("A B C D E Z F H");
	STOP;
	one.act = NULL;
}

static void end_unit(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	bool again = is_at(md, "E") && !md->BackoutCount;

	one.faults += md->BackoutCount != 0 && !is_at(md, "E");
	one.faults += strcmp("OK", again ? back(h) : commit(h)) != 0;
}

/* A-CBC-8, U-BOC-1: each call ends the unit that its message is of */
TEST_F(cb, units_of_work)
{
	want(MQGMO_WAIT | MQGMO_SYNCPOINT, MQWI_UNLIMITED);
	one.act = end_unit;
	PUTS(self->k, EIGHT);
	OK(consumer(self->h, &one, 0));
	START;
	HEARD("A B C D E E F G H");
	STOP;
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
	EXPECT_EQ(0, (int)status(Q).out_bytes);
	one.act = NULL;
}

static MQLONG end_how;

static void end_at_e(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	MQHOBJ ho = cbc->Hobj;
	MQLONG cc, rc = 0;

	if (!is_at(md, "E"))
		return;
	if (end_how == MQOP_DEREGISTER)
		MQCB(h, end_how, NULL, ho, NULL, NULL, &cc, &rc);
	else if (end_how)
		one.faults += strcmp("OK", ctl(h, end_how)) != 0;
	else
		MQCLOSE(h, &ho, MQCO_NONE, &cc, &rc);
	one.faults += rc != 0;
}

/* A-CTL-6, A-CB-8, G-CLO-1: after these nothing is missing */
TEST_F(cb, ends_of_consumption)
{
	static const MQLONG ways[] = {
		MQOP_STOP, MQOP_SUSPEND, MQOP_DEREGISTER, 0
	};
	int i;

	one.act = end_at_e;
	for (i = 0; i < 4; i++) {
		end_how = ways[i];
		forget();
		PUTS(self->k, EIGHT);
		OK(consumer(self->h, &one, 0));
		START;
		HEARD_ONLY("A B C D E");
		EXPECT_EQ(3, depth(Q));
		LIST("F G H");
		STOP;
		if (end_how)
			GET("F", self->h, "");
		discard(self->k);
	}
	one.act = NULL;
}

static void inhibit_at_e(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	if (md && is_at(md, "E"))
		one.faults += strcmp("OK", alter(Q, "get=1")) != 0;
}

/* G-INH-1, A-CBC-3 */
TEST_F(cb, inhibited)
{
	one.act = inhibit_at_e;
	PUTS(self->k, EIGHT);
	OK(consumer(self->h, &one, MQCBDO_MC_EVENT_CALL));
	START;
	HEARD_ONLY("A B C D E E2016/1");
	EXPECT_EQ(3, depth(Q));
	one.act = NULL;
	OK(alter(Q, "get=0"));
	HEARD("A B C D E E2016/1 F G H");
	STOP;
}

/* A-CBC-6: one message each among those that have some */
TEST_F(cb, in_turn)
{
	struct mqh *h2, *k2;

	OK(define(Q ".2", "fifo"));
	h2 = opn(self->c, Q ".2", "i");
	k2 = opn(self->d, Q ".2", "o");
	PUTS(self->k, EIGHT);
	PUTS(k2, EIGHT);
	OK(consumer(self->h, &one, 0));
	OK(consumer(h2, &two, 0));
	START;
	HEARD("A 2:A B 2:B C 2:C D 2:D E 2:E F 2:F G 2:G H 2:H");
	STOP;
}

/* Two consumers of two connections on one queue: each message once */
TEST_F(cb, beside_each_other)
{
	int i;

	for (i = 0; i < 5; i++)
		PUTS(self->k, EIGHT);
	OK(consumer(self->h, &one, 0));
	OK(consumer(self->k, &two, 0));
	START;
	OK(ctl(self->d, MQOP_START));
	for (i = 0; i < 3000 && depth(Q); i++)
		nap(10);
	STOP;
	OK(ctl(self->d, MQOP_STOP));
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(0, (int)status(Q).out_bytes);
	EXPECT_EQ(40, words_heard());
}

static void die_at_e(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	if (is_at(md, "E"))
		raise(SIGKILL);
}

static void consume_until_killed(MQLONG options)
{
	MQHCONN hc = conn();

	want(options | MQGMO_WAIT, MQWI_UNLIMITED);
	one.act = die_at_e;
	consumer(opn(hc, Q, "i"), &one, 0);
	ctl(hc, MQOP_START_WAIT);
	_exit(1);
}

/* A-CBC-9, U-END-2: what was handed over is gone, or back; the rest is there */
TEST_F(cb, killed_in_a_callback)
{
	static const char all[] = "ABCDEFGH";
	int sync, status, i;
	pid_t pid;

	for (sync = 0; sync < 2; sync++) {
		PUTS(self->k, EIGHT);
		pid = fork();
		if (!pid)
			consume_until_killed(sync ? MQGMO_SYNCPOINT : 0);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_EQ(SIGKILL, status);
		for (i = sync ? 0 : 5; i < 8; i++) {
			char name[2] = { all[i] };

			GET(name, self->k, "");
			EXPECT_EQ(i < 5, self->k->md.BackoutCount);
		}
		EXPECT_EQ(0, depth(Q));
	}
}

TEST_HARNESS_MAIN
