/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Windows and units of work: what has been claimed with syncpoint is of the unit,
 * the rest of the window is not.
 */
#include "window_fixture.h"

/* U-CMIT-4: the queue manager stops: what was claimed in a unit comes back */
TEST_F(q, stopping)
{
	struct win *w = ready(self->k, self->h, MQGMO_SYNCPOINT);

	PUTS(self->k, "A; B; C");
	ASSERT_EQ(3, look(w, 8));
	CLAIM("A", w);
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_STOPPING));
	CLAIM("gone", w);
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
	LIST("A B C");
	EXPECT_STREQ("W2003", commit(self->c));
	discard(self->k);
}

/* U-VIS, U-BACK, U-BOC-1: only what was claimed is of the unit */
TEST_F(q, back_out)
{
	struct win *w = ready(self->k, self->h, MQGMO_SYNCPOINT);

	PUTS(self->k, "A; B; C; D");
	ASSERT_EQ(4, look(w, 8));
	CLAIM("A", w);
	CLAIM("B", w);
	EXPECT_EQ(2, (int)status(Q).out_uncommitted_gets);
	EXPECT_EQ(2, depth(Q));
	EXPECT_STREQ("OK", back(self->c));
	CLAIM("gone", w);
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
	GET("A", self->k, "");
	EXPECT_EQ(1, self->k->md.BackoutCount);
	GET("B", self->k, "");
	EXPECT_EQ(1, self->k->md.BackoutCount);
	GET("C", self->k, "");
	EXPECT_EQ(0, self->k->md.BackoutCount);
	discard(self->k);
}

/* U-CMIT-2: the same, and the window outlives it */
TEST_F(q, commit)
{
	struct win *w = ready(self->k, self->h, MQGMO_SYNCPOINT);

	PUTS(self->k, "A; B; C; D; E");
	ASSERT_EQ(5, look(w, 8));
	EXPECT_STREQ("OK", commit(self->c));
	CLAIM("A", w);
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
	CLAIM("B", w);
	CLAIM("C", w);
	EXPECT_EQ(2, (int)status(Q).out_uncommitted_gets);
	EXPECT_STREQ("OK", commit(self->c));
	CLAIM("D", w);
	EXPECT_STREQ("OK", back(self->c));
	CLAIM("gone", w);
	LIST("D E");
	discard(self->k);
	EXPECT_EQ(0, (int)status(Q).out_bytes);
}

/* G-CLO-1: the end of the handle, in and out of a unit */
TEST_F(q, closed)
{
	struct mqh *h = opn(self->c, Q, "i");
	struct win *w = ready(self->k, h, MQGMO_SYNCPOINT);

	PUTS(self->k, "A; B; C; D");
	ASSERT_EQ(4, look(w, 8));
	CLAIM("A", w);
	EXPECT_STREQ("OK", shut(h));
	CLAIM("gone", w);
	EXPECT_EQ(1, (int)status(Q).out_uncommitted_gets);
	LIST("B C D");
	EXPECT_STREQ("OK", back(self->c));
	LIST("A B C D");
	discard(self->k);
	h = opn(self->c, Q, "i");
	w = ready(self->k, h, 0);
	PUTS(self->k, "A; B");
	ASSERT_EQ(2, look(w, 8));
	CLAIM("A", w);
	EXPECT_STREQ("OK", shut(h));
	CLAIM("gone", w);
	LIST("B");
	discard(self->k);
}

static const char *begin(MQHCONN hc)
{
	struct kmq_uow u = { .size = sizeof(u) };

	if (ioctl(kmq_conn_fd(hc), KMQ_IOC_BEGIN, &u))
		return "errno";
	return outcome(u.out_comp_code, u.out_reason);
}

/* U-BEG: a unit with nothing but what was claimed */
TEST_F(q, unit_is_open)
{
	struct win *w = ready(self->k, self->h, MQGMO_SYNCPOINT);

	PUTS(self->k, "A; B");
	ASSERT_EQ(2, look(w, 8));
	EXPECT_STREQ("W2121", begin(self->c));
	EXPECT_STREQ("OK", back(self->c));
	ASSERT_EQ(2, look(w, 8));
	CLAIM("A", w);
	EXPECT_STREQ("F2128", begin(self->c));
	EXPECT_STREQ("OK", commit(self->c));
	discard(self->k);
}

/* U-LIM-1: claims never take the unit beyond MaxUncommittedMsgs */
TEST_F(q, limit_of_the_unit)
{
	struct win *w;
	int i;

	EXPECT_STREQ("OK", alter_qmgr("maxuncom=6"));
	w = ready(self->k, self->h, MQGMO_SYNCPOINT);
	PUTS(self->k, "A; B; C; D; E; F; G; H");
	EXPECT_EQ(0, look(w, 7));
	ASSERT_EQ(5, look(w, 5));
	CLAIM("A", w);
	for (i = 0; i < 5; i++)
		PUT("OK", self->h, "X SP");
	CLAIM("gone", w);
	PUT("F2024", self->h, "X SP");
	NOW("F2024", w);
	EXPECT_STREQ("OK", back(self->c));
	LIST("A B C D E F G H");
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=10000"));
	discard(self->k);
}

/* M-STO-7: what the unit itself has put is got before what is behind it */
TEST_F(q, own_puts)
{
	struct win *w;

	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	w = ready(self->k, self->h, MQGMO_SYNCPOINT);
	PUTS(self->k, "A p=4; B p=4");
	ASSERT_EQ(2, look(w, 8));
	CLAIM("A", w);
	PUT("OK", self->h, "Z p=9 SP");
	CLAIM("gone", w);
	NOW("Z", w);
	NOW("B", w);
	EXPECT_STREQ("OK", back(self->c));
	LIST("A B");
	discard(self->k);
}

TEST_HARNESS_MAIN
