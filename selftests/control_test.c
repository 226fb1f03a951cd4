/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Callbacks started and stopped: MQCTL (A-CTL, A-SCN, O-DISC-3), and how the
 * thread that runs them sleeps.
 */
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include "cb_fixture.h"

static const char *act_result;

/* Scenarios */

/* A-SCN-1, A-CTL-5, A-CTL-7, U-BACK-8 */
TEST_F(cb, scenario_1)
{
	OK(consumer(self->h, &one, 0));
	START;
	PUTS(self->k, "A; B");
	HEARD_ONLY("A B");
	EXPECT_EQ(10, one.last.DataLength);
	EXPECT_LE(10, one.last.BufferLength);
	EXPECT_EQ(&area, one.last.ConnectionArea);
	GET("F2500", self->h, "");
	EXPECT_STREQ("F2500", commit(self->c));
	EXPECT_STREQ("F2500", back(self->c));
	SUSPEND;
	GET("F2033", self->h, "");
	GET("F2033", self->h, "WT(10)");
	PUT("OK", self->k, "C");
	GET("C", self->h, "");
	RESUME;
	PUT("OK", self->k, "D");
	HEARD("A B D");
	STOP;
}

/* A-SCN-2, A-CTL-4 */
TEST_F(cb, scenario_2)
{
	OK(consumer(self->h, &one, 0));
	EXPECT_STREQ("F2534", ctl(self->c, MQOP_RESUME));
	EXPECT_STREQ("F2534", ctl(self->c, MQOP_SUSPEND));
	OK(ctl(self->c, MQOP_STOP));
	START;
	OK(ctl(self->c, MQOP_START));
	OK(ctl(self->c, MQOP_RESUME));
	EXPECT_STREQ("F2534", ctl(self->c, MQOP_START_WAIT));
	SUSPEND;
	OK(ctl(self->c, MQOP_SUSPEND));
	EXPECT_STREQ("F2534", ctl(self->c, MQOP_START));
	EXPECT_STREQ("F2534", ctl(self->c, MQOP_START_WAIT));
	STOP;
	EXPECT_STREQ("F2534", ctl(self->c, MQOP_RESUME));
}

/* A-SCN-3, A-CBC-3, A-CBC-4 */
TEST_F(cb, scenario_3)
{
	OK(consumer(self->h, &one, 0));
	START;
	PUT("OK", self->k, "A");
	HEARD("A");
	OK(alter(Q, "get=1"));
	HEARD_ONLY("A E2016/1");
	PUT("OK", self->k, "B");
	nap(50);
	HEARD("A E2016/1");
	OK(alter(Q, "get=0"));
	HEARD("A E2016/1 B");
	/* and so once more, though nothing came in between */
	OK(alter(Q, "get=1"));
	HEARD("A E2016/1 B E2016/1");
	OK(alter(Q, "get=0"));
	nap(1500);
	OK(alter(Q, "get=1"));
	HEARD("A E2016/1 B E2016/1 E2016/1");
	OK(alter(Q, "get=0"));
	STOP;
}

static void deregister_me(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	MQCBD cbd = { MQCBD_DEFAULT };
	MQLONG cc, rc;

	if (cbc->CallType == MQCBCT_MSG_REMOVED) {
		MQCB(h, MQOP_DEREGISTER, &cbd, cbc->Hobj, NULL, NULL, &cc, &rc);
		act_result = outcome(cc, rc);
	}
}

/* A-SCN-5, A-CTL-2, A-CBC-7 */
TEST_F(cb, scenario_5)
{
	one.act = deregister_me;
	OK(consumer(self->h, &one, 0));
	PUTS(self->k, "A; B");
	EXPECT_STREQ("W2521", ctl(self->c, MQOP_START_WAIT));
	EXPECT_STREQ("OK", act_result);
	HEARD_ONLY("A");
	/* it is suspended: the connection is free */
	GET("B", self->h, "");
	STOP;
	EXPECT_STREQ("F2446", ctl(self->c, MQOP_START));
	EXPECT_STREQ("F2448", consumer_op(self->h, MQOP_DEREGISTER));
}

/* A-SCN-6, A-TOP-2: there are no topics */
TEST_F(cb, scenario_6)
{
	MQOD od = { MQOD_DEFAULT };
	MQLONG cc, rc;
	MQHOBJ ho;

	od.ObjectType = MQOT_TOPIC;
	MQOPEN(self->c, &od, MQOO_OUTPUT, &ho, &cc, &rc);
	EXPECT_STREQ("F2043", outcome(cc, rc));
}

/*
 * A-TOP-1, A-TOP-3, A-TOP-4, A-SUB-1..5: none of it is built, so an object string,
 * a retained publication or a selection string have nothing to be about
 */
TEST_F(cb, no_subscriptions)
{
	MQSD sd = { MQSD_DEFAULT };
	MQSRO sro = { MQSRO_DEFAULT };
	MQHOBJ ho = MQHO_NONE, hs = 77;
	MQLONG cc, rc;

	sd.Options = MQSO_CREATE | MQSO_MANAGED | MQSO_NON_DURABLE;
	sd.ObjectString.VSPtr = "a/b";
	sd.ObjectString.VSLength = 3;
	MQSUB(self->c, &sd, &ho, &hs, &cc, &rc);
	EXPECT_STREQ("F2298", outcome(cc, rc));
	MQSUBRQ(self->c, hs, MQSR_ACTION_PUBLICATION, &sro, &cc, &rc);
	EXPECT_STREQ("F2298", outcome(cc, rc));
}

/* MQCTL */

/* A-CTL-1, A-CTL-3 */
TEST_F(cb, control_checks)
{
	MQCTLO ctlo = { MQCTLO_DEFAULT };
	MQLONG cc, rc;

	EXPECT_STREQ("F2488", ctl(self->c, 0));
	EXPECT_STREQ("F2488", ctl(self->c, MQOP_DEREGISTER));
	EXPECT_STREQ("F2488", ctl(self->c, MQOP_START | MQOP_STOP));
	EXPECT_STREQ("F2018", ctl(12345, MQOP_START));
	EXPECT_STREQ("F2446", ctl(self->c, MQOP_START));
	EXPECT_STREQ("F2446", ctl(self->c, MQOP_START_WAIT));
	OK(cb(self->c, MQOP_REGISTER | MQOP_SUSPEND, MQCBT_MESSAGE_CONSUMER, 0,
	      self->h->ho, &one));
	EXPECT_STREQ("F2446", ctl(self->c, MQOP_START));
	OK(cb(self->c, MQOP_REGISTER | MQOP_RESUME, MQCBT_MESSAGE_CONSUMER, 0,
	      self->h->ho, &one));
	ctlo.Options = MQCTLO_THREAD_AFFINITY | MQCTLO_FAIL_IF_QUIESCING;
	ctlo.StrucId[0] = 'x';
	MQCTL(self->c, MQOP_START, &ctlo, &cc, &rc);
	EXPECT_STREQ("F2445", outcome(cc, rc));
	ctlo.StrucId[0] = 'C';
	OK(qmgr_state(KMQ_QMGR_QUIESCING));
	MQCTL(self->c, MQOP_START, &ctlo, &cc, &rc);
	EXPECT_STREQ("F2161", outcome(cc, rc));
	EXPECT_STREQ("F2161", consumer(self->h, &one,
				       MQCBDO_FAIL_IF_QUIESCING));
	OK(qmgr_state(KMQ_QMGR_RUNNING));
	MQCTL(self->c, MQOP_START, &ctlo, &cc, &rc);
	OK(outcome(cc, rc));
	MQCTL(self->c, MQOP_STOP, NULL, &cc, &rc);
	OK(outcome(cc, rc));
}

static pthread_t caller;
static bool on_caller;

static void stop_at_c(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	on_caller = pthread_equal(caller, pthread_self());
	if (cbc->CallType == MQCBCT_MSG_REMOVED &&
	    !strcmp(id_name(md->MsgId), "C"))
		act_result = ctl(h, MQOP_STOP);
}

static MQHCONN wait_hc;
static const char *wait_result;

static void *wait_thread(void *arg)
{
	wait_result = ctl(wait_hc, MQOP_START_WAIT);
	return NULL;
}

/* A-CTL-2, A-CTL-6 */
TEST_F(cb, start_wait)
{
	pthread_t thread;

	caller = pthread_self();
	one.act = stop_at_c;
	OK(consumer(self->h, &one, MQCBDO_STOP_CALL));
	PUTS(self->k, "A; B; C; D");
	OK(ctl(self->c, MQOP_START_WAIT));
	EXPECT_TRUE(on_caller);
	OK(act_result);
	HEARD_ONLY("A B C stop");
	START;
	HEARD("A B C stop D");
	EXPECT_FALSE(on_caller);
	STOP;
	forget();
	/* from another thread, and with the connection's calls refused */
	wait_hc = self->c;
	pthread_create(&thread, NULL, wait_thread, NULL);
	PUT("OK", self->k, "E");
	HEARD("E");
	GET("F2500", self->h, "");
	SUSPEND;
	pthread_join(thread, NULL);
	EXPECT_STREQ("W2521", wait_result);
	RESUME;
	PUT("OK", self->k, "F");
	HEARD("E F");
	STOP;
	HEARD("E F stop");
	pthread_create(&thread, NULL, wait_thread, NULL);
	PUT("OK", self->k, "G");
	HEARD("E F stop G");
	STOP;
	pthread_join(thread, NULL);
	EXPECT_STREQ("OK", wait_result);
	HEARD("E F stop G stop");
}

static int op_now;

static void operate(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	if (cbc->CallType == MQCBCT_MSG_REMOVED && op_now) {
		act_result = ctl(h, op_now);
		op_now = 0;
	}
}

static void stop_and_start(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	if (cbc->CallType != MQCBCT_MSG_REMOVED)
		return;
	act_result = "OK";
	if (strcmp("OK", ctl(h, MQOP_STOP)) ||
	    strcmp("F2534", ctl(h, MQOP_RESUME)) ||
	    strcmp("F2534", ctl(h, MQOP_SUSPEND)) ||
	    strcmp("F2534", ctl(h, MQOP_START_WAIT)) ||
	    strcmp("OK", ctl(h, MQOP_START)) ||
	    strcmp("OK", ctl(h, MQOP_SUSPEND)) ||
	    strcmp("F2534", ctl(h, MQOP_START)) ||
	    strcmp("OK", ctl(h, MQOP_RESUME)))
		act_result = "wrong";
}

/* A-CTL-4, A-CTL-6: in callbacks */
TEST_F(cb, control_inside)
{
	one.act = operate;
	OK(consumer(self->h, &one, 0));
	op_now = MQOP_SUSPEND;
	START;
	PUTS(self->k, "A; B");
	HEARD_ONLY("A");
	OK(act_result);
	RESUME;
	HEARD("A B");
	SUSPEND;
	op_now = MQOP_STOP;
	RESUME;
	PUTS(self->k, "C; D");
	HEARD_ONLY("A B C");
	EXPECT_STREQ("F2534", ctl(self->c, MQOP_RESUME));
	one.act = stop_and_start;
	START;
	PUT("OK", self->k, "E");
	HEARD("A B C D E");
	OK(act_result);
	STOP;
}

static volatile bool in_callback, left_callback;

static void be_long(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	if (cbc->CallType != MQCBCT_MSG_REMOVED)
		return;
	in_callback = true;
	nap(200);
	left_callback = true;
}

/* A-CTL-6 */
TEST_F(cb, stop_waits_for_the_callback)
{
	one.act = be_long;
	OK(consumer(self->h, &one, MQCBDO_STOP_CALL));
	START;
	PUTS(self->k, "A; B");
	while (!in_callback)
		nap(1);
	STOP;
	EXPECT_TRUE(left_callback);
	HEARD_ONLY("A stop");
	in_callback = left_callback = false;
	START;
	while (!in_callback)
		nap(1);
	SUSPEND;
	EXPECT_TRUE(left_callback);
	HEARD_ONLY("A stop B");
	STOP;
	HEARD("A stop B stop");
}

static void commit_b(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	if (cbc->CallType == MQCBCT_MSG_REMOVED &&
	    !strcmp(id_name(md->MsgId), "B"))
		act_result = commit(h);
}

/* A-CTL-8, A-CBC-8, UC-059 */
TEST_F(cb, unit_of_work)
{
	want(MQGMO_WAIT | MQGMO_SYNCPOINT, MQWI_UNLIMITED);
	one.act = commit_b;
	OK(consumer(self->h, &one, 0));
	PUTS(self->k, "A; B; C; D");
	START;
	HEARD("A B C D");
	OK(act_result);
	STOP;
	LIST("");
	PUT("OK", self->h, "E SP");
	OK(back(self->c));
	LIST("C D");
	one.act = NULL;
	START;
	HEARD("A B C D C D");
	OK(disc(&self->c));		/* commits */
	LIST("");
}

/* Waiting */

static long switches(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_nvcsw + u.ru_nivcsw;
}

/* A queue full of what nobody wants: it sleeps. */
TEST_F(cb, no_busy_loop)
{
	long before;

	id_set(want_md.CorrelId, "X");
	want_gmo.MatchOptions = MQMO_MATCH_CORREL_ID;
	PUTS(self->k, "A; B");
	OK(events(self->c, 0));
	OK(consumer(self->h, &one, 0));
	START;
	nap(50);
	before = switches();
	nap(500);
	EXPECT_GE(20, switches() - before);
	PUT("OK", self->k, "C c=X");
	HEARD("C");
	STOP;
}

static void count_call(MQHCONN h, PMQVOID md, PMQVOID gmo, PMQVOID buf,
		       PMQCBC cbc)
{
	if (cbc->CallType == MQCBCT_MSG_REMOVED)
		__atomic_add_fetch((int *)cbc->CallbackArea, 1,
				   __ATOMIC_RELAXED);
}

/* Many on one queue: each message once, and none is left lying. */
TEST_F(cb, competing_consumers)
{
	int counts[4] = { 0 }, total, i, n;
	MQCBD cbd = { MQCBD_DEFAULT };
	MQHCONN hc[4];
	MQLONG cc, rc;
	struct mqh *h;

	cbd.CallbackFunction = (MQPTR)count_call;
	for (i = 0; i < 4; i++) {
		hc[i] = conn();
		h = opn(hc[i], Q, "i");
		cbd.CallbackArea = &counts[i];
		MQCB(hc[i], MQOP_REGISTER, &cbd, h->ho, &want_md, &want_gmo,
		     &cc, &rc);
		OK(outcome(cc, rc));
		OK(ctl(hc[i], MQOP_START));
	}
	for (n = 0; n < 500; n++)
		PUT("OK", self->k, "M");
	for (n = 0; n < 1000 && depth(Q); n++)
		nap(10);
	for (i = 0, total = 0; i < 4; i++) {
		OK(ctl(hc[i], n & 1 ? MQOP_SUSPEND : MQOP_STOP));
		total += counts[i];
		OK(disc(&hc[i]));
	}
	EXPECT_EQ(500, total);
	EXPECT_EQ(0, depth(Q));
}

static struct mqh *put_handle;

static void *put_thread(void *arg)
{
	int n;

	for (n = 0; n < 500; n++)
		put(put_handle, "M");
	return NULL;
}

/* A-CTL-4, A-CTL-6: stopped and started under load, nothing lost or doubled */
TEST_F(cb, start_and_stop_under_load)
{
	MQCBD cbd = { MQCBD_DEFAULT };
	int count = 0, n;
	pthread_t thread;
	MQLONG cc, rc;

	cbd.CallbackFunction = (MQPTR)count_call;
	cbd.CallbackArea = &count;
	MQCB(self->c, MQOP_REGISTER, &cbd, self->h->ho, &want_md, &want_gmo,
	     &cc, &rc);
	OK(outcome(cc, rc));
	put_handle = self->k;
	pthread_create(&thread, NULL, put_thread, NULL);
	for (n = 0; n < 100; n++) {
		START;
		if (n % 3 == 0)
			nap(1);
		SUSPEND;
		OK(commit(self->c));
		RESUME;
		if (n & 1)
			SUSPEND;
		STOP;
		OK(commit(self->c));
	}
	pthread_join(thread, NULL);
	START;
	for (n = 0; n < 1000 && depth(Q); n++)
		nap(10);
	STOP;
	EXPECT_EQ(500, count);
}

static void *wait_unshared(void *arg)
{
	MQCHAR48 name = QM;
	MQLONG cc, rc;
	struct mqh *h;

	MQCONN(name, &wait_hc, &cc, &rc);
	h = opn(wait_hc, Q, "i");
	consumer(h, &one, MQCBDO_START_CALL | MQCBDO_STOP_CALL);
	wait_result = ctl(wait_hc, MQOP_START_WAIT);
	/* it may connect again */
	MQCONN(name, &wait_hc, &cc, &rc);
	act_result = outcome(cc, rc);
	MQDISC(&wait_hc, &cc, &rc);
	return NULL;
}

/* A-CTL-5, O-DISC-1: MQDISC from any thread, of any connection that is started */
TEST_F(cb, disconnect_from_another_thread)
{
	pthread_t thread;
	MQHCONN hc;

	pthread_create(&thread, NULL, wait_unshared, NULL);
	HEARD("start");
	hc = wait_hc;
	EXPECT_STREQ("F2500", commit(hc));
	OK(disc(&hc));
	pthread_join(thread, NULL);
	EXPECT_STREQ("OK", wait_result);
	EXPECT_STREQ("OK", act_result);
	HEARD_ONLY("start stop");
	OK(consumer(self->h, &one, 0));
	START;
	OK(disc(&self->c));
}

TEST_HARNESS_MAIN
