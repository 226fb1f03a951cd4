/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Limits that many reach at once, and what is accounted for when messages move
 * about (UC-100, UC-101).
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "q_fixture.h"

#define THREADS	8
#define TRIES	60

struct putter {
	pthread_t thread;
	const char *options;
	int good, full, other;
};

static void *put_all(void *arg)
{
	struct putter *p = arg;
	MQHCONN hc = conn();
	struct mqh *h = opn(hc, Q, "o");
	char msg[64];
	int i;

	for (i = 0; i < TRIES; i++) {
		sprintf(msg, "T%d %s", i, p->options);
		put(h, msg);
		p->good += h->cc == MQCC_OK;
		p->full += h->rc == MQRC_Q_FULL;
		p->other += h->cc != MQCC_OK && h->rc != MQRC_Q_FULL;
	}
	commit(hc);
	disc(&hc);
	return NULL;
}

static void race_for_places(struct __test_metadata *_metadata,
			    const char *options)
{
	struct putter p[THREADS] = {};
	int i, good = 0, full = 0;

	for (i = 0; i < THREADS; i++) {
		p[i].options = options;
		pthread_create(&p[i].thread, NULL, put_all, &p[i]);
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(p[i].thread, NULL);
		good += p[i].good;
		full += p[i].full;
		EXPECT_EQ(0, p[i].other);
	}
	EXPECT_EQ(100, good);
	EXPECT_EQ(THREADS * TRIES - 100, full);
	EXPECT_EQ(100, depth(Q));
}

/* UC-101, P-Q-2: the last place is given once */
TEST_F(q, last_place)
{
	EXPECT_STREQ("OK", alter(Q, "depth=100"));
	race_for_places(_metadata, "");
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_puts);
}

TEST_F(q, last_place_in_units_of_work)
{
	EXPECT_STREQ("OK", alter(Q, "depth=100"));
	race_for_places(_metadata, "SP");
}

/* UC-101: what a message takes is given back, wherever it has been */
TEST_F(q, accounts_are_even)
{
	struct mqh *to;
	int i;

	ASSERT_STREQ("OK", define(Q "2", ""));
	to = opn(self->c, Q "2", "io");
	for (i = 0; i < 20; i++) {
		PUT("OK", self->h, "A len=5000 SP");
		PUT("OK", self->h, "B(X,1,0,G) len=100000");
		EXPECT_STREQ("OK", i % 3 ? commit(self->c) : back(self->c));
		GET("B", self->h, "SP m=B buf=100000");
		PUT("OK", to, "B len=100000 SP");
		EXPECT_STREQ("OK", i % 2 ? commit(self->c) : back(self->c));
	}
	EXPECT_NE(0, (int)status(Q).out_bytes);
	discard(self->h);
	discard(to);
	EXPECT_EQ(0, (int)status(Q).out_bytes);
	EXPECT_EQ(0, (int)status(Q "2").out_bytes);
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_puts);
	EXPECT_EQ(0, depth(Q));
}

/* UC-100, P-Q-2: a put that meets a limit changes no account */
TEST_F(q, limits_leave_no_trace)
{
	struct kmq_status before;

	PUT("OK", self->h, "A len=1000");
	before = status(Q);
	EXPECT_STREQ("OK", alter(Q, "depth=1 len=1000"));
	PUT("F2053", self->h, "X len=1000");
	PUT("F2053", self->h, "X len=1000 SP");
	PUT("F2030", self->h, "X len=1001");
	EXPECT_STREQ("OK", alter(Q, "depth=10"));
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=1"));
	PUT("OK", self->h, "B SP");
	PUT("F2024", self->h, "X SP");
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=10000"));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(before.out_bytes, status(Q).out_bytes);
	EXPECT_EQ(1, depth(Q));
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_puts);
}

TEST_HARNESS_MAIN
