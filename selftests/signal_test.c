/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Signals: MQGMO_SET_SIGNAL (G-SIG, E-16, UC-041, UC-094).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>
#include <kmq.h>
#include "q_fixture.h"

/* So long that it ends nothing but a test that has failed, ms. */
#define LONG	300000

static int signal_of(struct mqh *h)
{
	MQLONG s = -77, cc, rc;

	kmq_signal_status(h->hc, h->ho, &s, &cc, &rc);
	return cc ? -rc : s;
}

/* Wait until the signal is posted. */
static int posted(struct mqh *h)
{
	struct pollfd p = { .fd = kmq_object_fd(h->hc, h->ho),
			    .events = POLLIN };

	if (poll(&p, 1, LONG) != 1)
		return -1;
	return signal_of(h);
}

/* E-16, G-SIG-4, G-SIG-5: the message is for whoever is first */
TEST_F(q, example)
{
	struct mqh *h = self->h;
	int64_t t;

	EXPECT_EQ(0, signal_of(h));
	GET("W2070", h, "SIG(20000)");
	EXPECT_EQ(1, signal_of(h));
	GET("F2069", h, "WT(10)");
	GET("F2069", h, "SIG(10)");
	GET("F2033", h, "");
	EXPECT_EQ(1, signal_of(h));
	PUT("OK", self->k, "A");
	EXPECT_EQ(MQEC_MSG_ARRIVED, posted(h));
	EXPECT_EQ(MQEC_MSG_ARRIVED, signal_of(h));	/* reading keeps it */
	GET("A", self->k, "");
	GET("F2033", h, "");
	EXPECT_EQ(0, signal_of(h));
	t = now_ms();
	GET("W2070", h, "SIG(50)");
	EXPECT_EQ(MQEC_WAIT_INTERVAL_EXPIRED, posted(h));
	EXPECT_LE(50, now_ms() - t + 1);
	PUT("OK", self->k, "B");
	GET("B", h, "SIG(2000)");
	EXPECT_EQ(0, signal_of(h));
	GET("W2070", h, "SIG(-1)");
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	EXPECT_EQ(MQEC_WAIT_CANCELED, posted(h));
	EXPECT_STREQ("OK", alter(Q, "get=0"));
	GET("F2046", h, "WT(1) opt=0x8");
	GET("F2099", h, "SIG(10) sig1=-1");
	GET("F2033", h, "");
	EXPECT_EQ(0, signal_of(h));
}

/* G-SIG-10: eventfds and what is none */
TEST_F(q, eventfd)
{
	int e = eventfd(0, EFD_NONBLOCK), null = open("/dev/null", O_RDWR);
	char opts[64];
	uint64_t n = 0;

	sprintf(opts, "SIG(10) sig1=%d", null);
	GET("F2099", self->h, opts);
	GET("F2099", self->h, "SIG(10) sig1=9999");
	GET("F2033", self->h, "sig1=-1");	/* not looked at without */
	sprintf(opts, "SIG(20000) sig1=%d", e);
	GET("W2070", self->h, opts);
	EXPECT_EQ(-1, read(e, &n, 8));
	PUT("OK", self->k, "A");
	EXPECT_EQ(8, read(e, &n, 8));
	EXPECT_EQ(1, n);
	EXPECT_EQ(MQEC_MSG_ARRIVED, signal_of(self->h));
	PUT("OK", self->k, "B");		/* posted exactly once */
	EXPECT_EQ(-1, read(e, &n, 8));
	EXPECT_STREQ("A B", drain(self->h, ""));
	/* the program may close its copy */
	GET("W2070", self->h, opts);
	n = dup(e);
	close(e);
	PUT("OK", self->k, "C");
	e = n;
	EXPECT_EQ(8, read(e, &n, 8));
	close(e);
	close(null);
}

/* G-SIG-1: an error is reported at once and sets no signal */
TEST_F(q, errors)
{
	GET("F2090", self->h, "SIG(-2)");
	GET("F2247", self->h, "SIG(10) mopt=0x40");
	GET("F2331", self->h, "SIG(10) mopt=32");
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	GET("F2016", self->h, "SIG(10)");
	EXPECT_STREQ("OK", alter(Q, "get=0"));
	EXPECT_EQ(0, signal_of(self->h));
	GET("F2034", self->h, "MC SIG(10) sig1=-1");
	EXPECT_EQ(0, signal_of(self->h));
}

/* G-SIG-12 */
TEST_F(q, status_call)
{
	MQLONG s = -77, cc, rc;

	kmq_signal_status(-1, self->h->ho, &s, &cc, &rc);
	EXPECT_STREQ("F2018", outcome(cc, rc));
	kmq_signal_status(self->c, 9999, &s, &cc, &rc);
	EXPECT_STREQ("F2019", outcome(cc, rc));
	kmq_signal_status(self->d, self->h->ho + 12345, &s, &cc, &rc);
	EXPECT_STREQ("F2019", outcome(cc, rc));
	EXPECT_EQ(-77, s);
}

/* G-SIG-2, UC-041: match options; arrival of something else */
TEST_F(q, criteria)
{
	GET("W2070", self->h, "SIG(20000) c=X");
	PUT("OK", self->k, "A c=Y");
	EXPECT_EQ(1, signal_of(self->h));
	PUT("OK", self->k, "B c=X SP");
	EXPECT_EQ(1, signal_of(self->h));	/* U-WAIT-3 */
	EXPECT_STREQ("OK", commit(self->d));
	EXPECT_EQ(MQEC_MSG_ARRIVED, posted(self->h));
	GET("B", self->h, "c=X");
	EXPECT_EQ(0, signal_of(self->h));
	GET("A", self->h, "");
}

/* G-SIG-3: back-out of a get makes a message visible anew (G-SIG-7) */
TEST_F(q, visible_anew)
{
	PUT("OK", self->k, "A");
	GET("A", self->k, "SP");
	GET("W2070", self->h, "SIG(20000)");
	EXPECT_STREQ("OK", back(self->d));
	EXPECT_EQ(MQEC_MSG_ARRIVED, posted(self->h));
	GET("A", self->k, "SP");
	GET("F2033", self->h, "");
	GET("W2070", self->h, "SIG(20000)");
	EXPECT_STREQ("OK", back(self->d));
	EXPECT_EQ(MQEC_MSG_ARRIVED, posted(self->h));
	GET("A", self->h, "");
	PUT("OK", self->k, "L");
	GET("L", self->k, "BF LK");
	GET("W2070", self->h, "SIG(20000)");
	GET("OK", self->k, "UL");
	EXPECT_EQ(MQEC_MSG_ARRIVED, posted(self->h));
}

/* G-SIG-5, G-SIG-6: a waiter of the class first; one signal for one message */
TEST_F(q, waiters_and_signals)
{
	struct mqh *x = opn(self->c, Q, "i"), *y = opn(self->c, Q, "i");
	struct waiter *w;

	GET("W2070", x, "SIG(20000)");
	GET("W2070", y, "SIG(20000)");
	w = wait_get(self->k, "WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	PUT("OK", self->h, "A");
	EXPECT_STREQ("A", result(w));
	EXPECT_EQ(1, signal_of(x));
	EXPECT_EQ(1, signal_of(y));
	PUT("OK", self->h, "B");
	EXPECT_EQ(MQEC_MSG_ARRIVED, posted(x));
	EXPECT_EQ(1, signal_of(y));
	PUT("OK", self->h, "C");
	EXPECT_EQ(MQEC_MSG_ARRIVED, posted(y));
	/* a specific waiter is not kept from it by general signals */
	EXPECT_STREQ("B C", drain(self->h, ""));
}

/* G-SIG-6: browse signals: all of them */
TEST_F(q, browse_signals)
{
	struct mqh *x = opn(self->c, Q, "b"), *y = opn(self->d, Q, "b");

	GET("W2070", x, "BF SIG(20000)");
	GET("W2070", y, "BN SIG(20000)");
	PUT("OK", self->h, "A");
	EXPECT_EQ(MQEC_MSG_ARRIVED, posted(x));
	EXPECT_EQ(MQEC_MSG_ARRIVED, posted(y));
	GET("A", x, "BF");
	GET("A", y, "BN");
}

/* One more signal on a handle of its own; the reason. */
static MQLONG signal_more(struct mqh *h, MQLONG number)
{
	MQGMO gmo = { MQGMO_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQLONG length, cc, rc;

	md.Version = MQMD_VERSION_2;
	md.MsgSeqNumber = number;
	gmo.Version = MQGMO_VERSION_2;
	gmo.Options = MQGMO_SET_SIGNAL | MQGMO_NO_SYNCPOINT;
	gmo.WaitInterval = MQWI_UNLIMITED;
	gmo.MatchOptions = MQMO_MATCH_MSG_SEQ_NUMBER;
	MQGET(h->hc, h->ho, &md, &gmo, 0, NULL, &length, &cc, &rc);
	return rc;
}

/* No queue has more than so many; who gets a message is not kept from it */
TEST_F_TIMEOUT(q, as_many_as_there_may_be, 120)
{
	static const struct rlimit files = { 8192, 8192 };
	struct mqh first = { .hc = self->c }, h = { .hc = self->c };
	MQOD od = { MQOD_DEFAULT };
	MQLONG i, cc, rc;

	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &files));
	ASSERT_STREQ("OK", alter_qmgr("handles=9999"));
	field_set(od.ObjectName, MQ_Q_NAME_LENGTH, Q);
	for (i = 0; i <= 4096; i++) {
		MQOPEN(h.hc, &od, MQOO_INPUT_SHARED, &h.ho, &cc, &rc);
		ASSERT_EQ(MQRC_NONE, rc);
		if (!i)
			first = h;
		ASSERT_EQ(i < 4096 ? MQRC_SIGNAL_REQUEST_ACCEPTED :
			  MQRC_RESOURCE_PROBLEM, signal_more(&h, 2 + i));
	}
	EXPECT_EQ(0, signal_of(&h));
	PUT("OK", self->k, "A");
	EXPECT_EQ(1, signal_of(&first));
	GET("A", self->k, "");
	PUT("OK", self->k, "B g=X s=2 f=G");
	EXPECT_EQ(MQEC_MSG_ARRIVED, signal_of(&first));
	EXPECT_EQ(MQRC_SIGNAL_REQUEST_ACCEPTED, signal_more(&h, 77));
	discard(self->k);
	EXPECT_STREQ("OK", alter_qmgr("handles=256"));
}

/* G-SIG-3, G-WAIT-11: what was opened leads elsewhere now */
TEST_F(q, alias_leads_elsewhere)
{
	struct mqh *a, *h = opn(self->c, Q, "i");

	ASSERT_STREQ("OK", define(Q ".ALIAS", "alias target=" Q));
	a = opn(self->d, Q ".ALIAS", "i");
	GET("W2070", a, "SIG(-1)");
	GET("W2070", h, "SIG(-1)");
	EXPECT_STREQ("OK", alter(Q ".ALIAS", "alias pri=3"));
	EXPECT_EQ(1, signal_of(a));
	EXPECT_STREQ("OK", alter(Q ".ALIAS", "alias target=" Q "2"));
	EXPECT_EQ(MQEC_WAIT_CANCELED, signal_of(a));
	EXPECT_EQ(1, signal_of(h));
	GET("F2041", a, "");
}

/* G-SIG-8: interval 0 does not expire */
TEST_F(q, interval_zero)
{
	GET("W2070", self->h, "SIG(0)");
	nap(40);
	EXPECT_EQ(1, signal_of(self->h));
	PUT("OK", self->k, "A");
	EXPECT_EQ(MQEC_MSG_ARRIVED, posted(self->h));
}

/* G-SIG-9, UC-041: close and disconnect cancel; nothing is posted */
TEST_F(q, cancelled_by_close)
{
	int e = eventfd(0, EFD_NONBLOCK);
	char opts[64];
	uint64_t n;

	sprintf(opts, "SIG(30) sig1=%d", e);
	GET("W2070", self->h, opts);
	EXPECT_STREQ("OK", shut(self->h));
	GET("W2070", self->k, opts);
	disc(&self->d);
	self->d = MQHC_UNUSABLE_HCONN;
	self->h = opn(self->c, Q, "io");
	PUT("OK", self->h, "A");
	nap(50);
	EXPECT_EQ(-1, read(e, &n, 8));
	GET("A", self->h, "");			/* reserved for nobody */
	close(e);
}

/* G-SIG-3: quiescing */
TEST_F(q, quiescing)
{
	GET("W2070", self->h, "SIG(-1) FQ");
	GET("W2070", self->k, "SIG(-1)");
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	EXPECT_EQ(MQEC_Q_MGR_QUIESCING, posted(self->h));
	EXPECT_EQ(1, signal_of(self->k));
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
}

/* G-SIG-10: POLLIN is cleared by the next MQGET */
TEST_F(q, pollin)
{
	struct pollfd p = { .fd = kmq_object_fd(self->c, self->h->ho),
			    .events = POLLIN };

	GET("W2070", self->h, "SIG(20)");
	EXPECT_EQ(0, poll(&p, 1, 0));
	EXPECT_EQ(1, poll(&p, 1, LONG));
	EXPECT_EQ(1, poll(&p, 1, 0));
	GET("F2033", self->h, "");
	EXPECT_EQ(0, poll(&p, 1, 0));
}

/* UC-094: an eventfd inside the epoll that watches the queue as well */
TEST_F(q, eventfd_in_the_same_epoll)
{
	int e = eventfd(0, EFD_NONBLOCK), ep = epoll_create1(0);
	int outer = epoll_create1(0);
	struct epoll_event ev = { .events = EPOLLIN }, got[4];
	char opts[64];
	uint64_t n;
	int i;

	ASSERT_EQ(0, epoll_ctl(ep, EPOLL_CTL_ADD, e, &ev));
	ASSERT_EQ(0, epoll_ctl(ep, EPOLL_CTL_ADD,
			       kmq_object_fd(self->c, self->h->ho), &ev));
	ASSERT_EQ(0, epoll_ctl(outer, EPOLL_CTL_ADD, ep, &ev));
	sprintf(opts, "SIG(20000) sig1=%d", e);
	for (i = 0; i < 10; i++) {
		GET("W2070", self->h, opts);
		EXPECT_EQ(0, epoll_wait(ep, got, 4, 0));
		PUT("OK", self->k, "A");
		EXPECT_EQ(1, epoll_wait(outer, got, 4, LONG));
		EXPECT_EQ(2, epoll_wait(ep, got, 4, LONG));
		EXPECT_EQ(8, read(e, &n, 8));
		GET("A", self->h, "");
	}
	close(outer);
	close(ep);
	close(e);
}

TEST_HARNESS_MAIN
