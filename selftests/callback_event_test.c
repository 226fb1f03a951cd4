/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Events of the whole connection: that the event handler hears of each, once,
 * whatever the library is doing when they happen (A-CBC-4).
 */
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <fcntl.h>
#include <unistd.h>
#include <kmq.h>
#include "cb_fixture.h"

#define RUN		OK(qmgr_state(KMQ_QMGR_RUNNING))
#define QUIESCE		OK(qmgr_state(KMQ_QMGR_QUIESCING))

/* A callback that is held up: until let_go() it has not returned. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_moved = PTHREAD_COND_INITIALIZER;
static bool held, let;

static void hold(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	pthread_mutex_lock(&gate);
	held = true;
	pthread_cond_broadcast(&gate_moved);
	while (!let)
		pthread_cond_wait(&gate_moved, &gate);
	pthread_mutex_unlock(&gate);
}

static void wait_until_held(void)
{
	pthread_mutex_lock(&gate);
	while (!held)
		pthread_cond_wait(&gate_moved, &gate);
	pthread_mutex_unlock(&gate);
}

static void let_go(void)
{
	pthread_mutex_lock(&gate);
	let = true;
	pthread_cond_broadcast(&gate_moved);
	pthread_mutex_unlock(&gate);
}

static void suspend_me(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	ctl(h, MQOP_SUSPEND);
}

#define CONN_RUN	OK(conn_state(id, KMQ_QMGR_RUNNING))
#define CONN_QUIESCE	OK(conn_state(id, KMQ_QMGR_QUIESCING))

/* A-CBC-4: no consumer, nothing started; that it ran between is seen by nobody */
TEST_F(cb, handler_alone)
{
	OK(events(self->c, 0));
	QUIESCE;
	HEARD("!E2161");
	RUN;
	QUIESCE;
	HEARD("!E2161 !E2161");
	RUN;
	QUIESCE;
	HEARD("!E2161 !E2161 !E2161");
	QUIESCE;			/* it does already */
	RUN;
	HEARD_ONLY("!E2161 !E2161 !E2161");
	EXPECT_EQ(MQCS_NONE, handler.last.State);
	OK(qmgr_state(KMQ_QMGR_STOPPING));
	HEARD_ONLY("!E2161 !E2161 !E2161 !E2162/4");
	RUN;
}

/* A-CBC-4: a consumer that was suspended before it saw that its queue is empty */
TEST_F(cb, suspended_in_the_callback)
{
	one.act = suspend_me;
	OK(events(self->c, 0));
	OK(consumer(self->h, &one, 0));
	START;
	PUT("OK", self->k, "A");
	HEARD("A");
	SUSPEND;
	QUIESCE;
	HEARD("A !E2161");
	RUN;
	QUIESCE;
	HEARD_ONLY("A !E2161 !E2161");
	RUN;
	STOP;
}

/*
 * A-CBC-4: quiescing was told; it ran, and quiesces again, while the library
 * is in a callback after which consumption is suspended.
 */
TEST_F(cb, again_during_a_callback)
{
	want(MQGMO_WAIT | MQGMO_FAIL_IF_QUIESCING, MQWI_UNLIMITED);
	OK(events(self->c, 0));
	OK(consumer(self->h, &one, 0));
	START;
	PUT("OK", self->k, "A");
	HEARD("A");
	QUIESCE;
	HEARD("A !E2161");
	RUN;
	one.act = hold;
	PUT("OK", self->k, "B");
	wait_until_held();
	QUIESCE;
	RUN;
	QUIESCE;
	let_go();
	HEARD("A !E2161 B !E2161");
	SUSPEND;
	RUN;
	QUIESCE;
	HEARD("A !E2161 B !E2161 !E2161");
	RESUME;				/* it has been told of that */
	HEARD_ONLY("A !E2161 B !E2161 !E2161");
	RUN;
	STOP;
}

/* A-CBC-4: over before the library could look */
TEST_F(cb, over_already)
{
	OK(events(self->c, 0));
	OK(consumer(self->h, &one, 0));
	START;
	one.act = hold;
	PUT("OK", self->k, "A");
	wait_until_held();
	QUIESCE;
	RUN;
	let_go();
	HEARD_ONLY("A !E2161");
	STOP;
}

/* A-CBC-4: there are always messages, so that the consumer never waits */
TEST_F(cb, busy_consumer)
{
	int n;

	OK(events(self->c, 0));
	OK(consumer(self->h, &one, 0));
	one.act = hold;
	for (n = 0; n < 200; n++)
		PUT("OK", self->k, "A");
	START;
	wait_until_held();
	QUIESCE;
	let_go();
	for (n = 0; !strstr(heard("A"), "!E2161") && n < 60000; n++)
		nap(1);
	EXPECT_NE(NULL, strstr(heard("A"), " A !E2161 A"));
	RUN;
	STOP;
}

/* A-CBC-4: the connection alone, asked for or not, started or not */
TEST_F(cb, connection_quiesces)
{
	MQCBD cbd = { MQCBD_DEFAULT };
	MQCTLO ctlo = { MQCTLO_DEFAULT };
	MQBYTE24 id;
	MQHCONN hc = conn_known(id);
	MQLONG cc, rc;
	struct mqh *h;

	ASSERT_NE(MQHC_UNUSABLE_HCONN, hc);
	h = opn(hc, Q, "i");
	OK(events(hc, 0));
	CONN_QUIESCE;
	HEARD("!E2202");
	CONN_RUN;
	OK(consumer(h, &one, 0));
	OK(ctl(hc, MQOP_START));
	PUT("OK", self->k, "A");
	HEARD("!E2202 A");
	CONN_QUIESCE;
	HEARD("!E2202 A !E2202");
	EXPECT_EQ(MQCC_FAILED, handler.last.CompCode);
	EXPECT_EQ(MQCS_NONE, handler.last.State);
	PUT("OK", self->k, "B");	/* did not ask to end: G-WAIT-12 */
	HEARD("!E2202 A !E2202 B");
	OK(ctl(hc, MQOP_SUSPEND));
	CONN_RUN;
	CONN_QUIESCE;
	HEARD("!E2202 A !E2202 B !E2202");
	/* both at once are two events */
	CONN_RUN;
	QUIESCE;
	HEARD("!E2202 A !E2202 B !E2202 !E2161");
	CONN_QUIESCE;
	HEARD_ONLY("!E2202 A !E2202 B !E2202 !E2161 !E2202");
	RUN;
	/* A-CB-5, A-CTL-1: FAIL_IF_QUIESCING */
	cbd.CallbackType = MQCBT_EVENT_HANDLER;
	cbd.CallbackFunction = (MQPTR)on_call;
	cbd.CallbackArea = &handler;
	cbd.Options = MQCBDO_FAIL_IF_QUIESCING;
	MQCB(hc, MQOP_REGISTER, &cbd, MQHO_NONE, NULL, NULL, &cc, &rc);
	EXPECT_STREQ("F2202", outcome(cc, rc));
	ctlo.Options = MQCTLO_FAIL_IF_QUIESCING;
	MQCTL(hc, MQOP_RESUME, &ctlo, &cc, &rc);
	EXPECT_STREQ("F2202", outcome(cc, rc));
	CONN_RUN;
	MQCTL(hc, MQOP_RESUME, &ctlo, &cc, &rc);
	EXPECT_STREQ("OK", outcome(cc, rc));
	OK(ctl(hc, MQOP_STOP));
	OK(disc(&hc));
}

/* A-CBC-4: several at once, none of them lost */
TEST_F(cb, two_events)
{
	MQBYTE24 id;
	MQHCONN hc = conn_known(id);
	struct mqh *h = opn(hc, Q, "i");

	one.act = hold;
	OK(events(hc, 0));
	OK(consumer(h, &one, 0));
	OK(ctl(hc, MQOP_START));
	PUT("OK", self->k, "A");
	wait_until_held();
	CONN_QUIESCE;
	CONN_RUN;
	QUIESCE;
	let_go();
	HEARD_ONLY("A !E2161 !E2202");
	RUN;
	OK(ctl(hc, MQOP_STOP));
	OK(disc(&hc));
}

/* A-CB-1: a handler that is suspended hears later of what is still the case */
TEST_F(cb, handler_suspended)
{
	OK(events(self->c, 0));
	OK(cb(self->c, MQOP_SUSPEND, MQCBT_EVENT_HANDLER, 0, MQHO_NONE,
	      &handler));
	QUIESCE;
	nap(50);
	RUN;
	QUIESCE;
	nap(50);
	HEARD("");
	OK(cb(self->c, MQOP_RESUME, MQCBT_EVENT_HANDLER, 0, MQHO_NONE,
	      &handler));
	HEARD_ONLY("!E2161");
	/* another one is told anew */
	OK(events(self->c, 0));
	HEARD_ONLY("!E2161 !E2161");
	RUN;
}

/* A-CTL-9, A-CBC-9: with START_WAIT, and the call says so */
static void *quiesce_and_stop(void *data)
{
	qmgr_state(KMQ_QMGR_QUIESCING);
	heard("A !E2161");
	qmgr_state(KMQ_QMGR_RUNNING);
	qmgr_state(KMQ_QMGR_STOPPING);
	return NULL;
}

TEST_F(cb, start_wait)
{
	pthread_t t;

	PUT("OK", self->k, "A");
	OK(events(self->c, 0));
	OK(consumer(self->h, &one, MQCBDO_STOP_CALL));
	ASSERT_EQ(0, pthread_create(&t, NULL, quiesce_and_stop, NULL));
	EXPECT_STREQ("F2162", ctl(self->c, MQOP_START_WAIT));
	pthread_join(t, NULL);
	EXPECT_NE(NULL, strstr(heard("A !E2161 stop !E2162/4"),
			       " stop !E2162/4"));
	RUN;
}

/* A-CBC-3, A-SCN-3: a consumer is told of inhibited gets while it quiesces */
TEST_F(cb, inhibited_while_quiescing)
{
	OK(events(self->c, 0));
	OK(consumer(self->h, &one, 0));
	QUIESCE;
	HEARD("!E2161");
	START;
	PUT("OK", self->k, "A");
	HEARD("!E2161 A");
	nap(50);
	OK(alter(Q, "get=1"));
	HEARD_ONLY("!E2161 A E2016/1");
	OK(alter(Q, "get=0"));
	PUT("OK", self->k, "B");
	HEARD("!E2161 A E2016/1 B");
	/* and again, though it quiesces and runs meanwhile */
	RUN;
	OK(alter(Q, "get=1"));
	HEARD_ONLY("!E2161 A E2016/1 B E2016/1");
	OK(alter(Q, "get=0"));
	STOP;
}

/* A-CBC-3: the same, of a queue that is deleted */
TEST_F(cb, deleted_while_quiescing)
{
	struct mqh *made, *h;

	ASSERT_STREQ("OK", define(Q ".MODEL", "model deftype=3"));
	made = opn(self->d, Q ".MODEL", "o");
	h = opn(self->c, made->q, "i");
	OK(outcome(h->cc, h->rc));
	OK(consumer(h, &one, 0));
	QUIESCE;
	START;
	PUT("OK", made, "A");
	HEARD("A");
	OK(shut(made));
	HEARD_ONLY("A E2052/3");
	RUN;
	STOP;
}

/* The connection's file: KMQ_INFO_TAKE, poll() */

static int priority(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLPRI | POLLIN };

	return poll(&p, 1, 0) < 0 ? -1 : p.revents;
}

static const char *ask(int fd, unsigned int flags)
{
	struct kmq_info i = { .size = sizeof(i), .flags = flags };
	static char text[32];

	if (ioctl(fd, KMQ_IOC_INFO, &i))
		return "errno";
	snprintf(text, sizeof(text), "%u/%u", i.out_began, i.out_holds);
	return text;
}

TEST_F(cb, connection_file)
{
	struct kmq_connect k = { .size = sizeof(k) };
	int fd = open("/dev/kmq/QM1/qmgr", O_RDWR);
	MQBYTE24 id;

	ASSERT_LE(0, fd);
	QUIESCE;
	RUN;
	EXPECT_STREQ("0/0", ask(fd, KMQ_INFO_TAKE));	/* not connected */
	ASSERT_EQ(0, ioctl(fd, KMQ_IOC_CONNECT, &k));
	OK(outcome(k.out_comp_code, k.out_reason));
	memcpy(id, k.out_connection_id, sizeof(id));
	EXPECT_EQ(0, priority(fd));
	EXPECT_STREQ("0/0", ask(fd, 0));
	QUIESCE;
	EXPECT_EQ(POLLPRI, priority(fd));
	EXPECT_STREQ("1/1", ask(fd, 0));
	EXPECT_STREQ("1/1", ask(fd, KMQ_INFO_TAKE));
	EXPECT_EQ(0, priority(fd));
	EXPECT_STREQ("0/1", ask(fd, KMQ_INFO_TAKE));
	QUIESCE;
	EXPECT_STREQ("0/1", ask(fd, 0));
	RUN;
	EXPECT_EQ(0, priority(fd));
	EXPECT_STREQ("0/0", ask(fd, 0));
	CONN_QUIESCE;
	CONN_QUIESCE;
	CONN_RUN;
	QUIESCE;
	EXPECT_EQ(POLLPRI, priority(fd));
	EXPECT_STREQ("5/1", ask(fd, 0));
	CONN_QUIESCE;
	OK(qmgr_state(KMQ_QMGR_STOPPING));
	EXPECT_STREQ("7/6", ask(fd, KMQ_INFO_TAKE));
	RUN;
	EXPECT_STREQ("0/4", ask(fd, KMQ_INFO_TAKE));
	CONN_RUN;
	EXPECT_STREQ("0/0", ask(fd, KMQ_INFO_TAKE));
	EXPECT_STREQ("errno", ask(fd, KMQ_INFO_TAKE << 1));
	EXPECT_STREQ("errno", ask(admin_fd(), KMQ_INFO_TAKE));
	close(fd);
}

TEST_HARNESS_MAIN
