/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Messages by callback: MQCB and what the function is called with (A-CB, A-CBC,
 * UC-059, UC-076, UC-108).
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cb_fixture.h"

static const char *act_result;

/* MQCB */

/* A-CB-4, A-CB-6, and what MQGET checks */
TEST_F(cb, registration_checks)
{
	struct mqh *o = opn(self->c, Q, "o"), *i = opn(self->c, Q, "i");
	struct mqh *b = opn(self->c, Q, "b");
	static const struct {
		MQLONG options, interval, match, gmo_version;
		const char *result;
	} cases[] = {
		{ MQGMO_MSG_UNDER_CURSOR, 0, 0, 2, "F2046" },
		{ MQGMO_BROWSE_MSG_UNDER_CURSOR, 0, 0, 2, "F2046" },
		{ MQGMO_LOCK | MQGMO_BROWSE_NEXT, 0, 0, 2, "F2046" },
		{ MQGMO_UNLOCK, 0, 0, 2, "F2046" },
		{ MQGMO_SET_SIGNAL, 0, 0, 2, "F2046" },
		{ (MQLONG)0x80000000, 0, 0, 2, "F2046" },
		{ MQGMO_SYNCPOINT | MQGMO_NO_SYNCPOINT, 0, 0, 2, "F2046" },
		{ MQGMO_SYNCPOINT | MQGMO_BROWSE_NEXT, 0, 0, 2, "F2046" },
		{ MQGMO_WAIT, -2, 0, 2, "F2090" },
		{ MQGMO_WAIT, 0, 0x40, 2, "F2247" },
		{ MQGMO_LOGICAL_ORDER, 0, 0, 1, "F2256" },
		{ MQGMO_LOGICAL_ORDER, 0, 0, 2, "F2257" },
		{ MQGMO_WAIT, 0, MQMO_MATCH_MSG_TOKEN, 3, "F2331" },
		{ 0, 0, 0, 5, "F2186" },
		{ 0, -2, 0, 2, "OK" },
		{ MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT, 0, 0, 2, "OK" },
	};
	int n;

	EXPECT_STREQ("F2037", consumer(o, &one, 0));
	EXPECT_STREQ("F2037", consumer(b, &one, 0));
	want(MQGMO_BROWSE_NEXT, 0);
	EXPECT_STREQ("F2036", consumer(o, &one, 0));
	EXPECT_STREQ("F2036", consumer(i, &one, 0));
	OK(consumer(b, &one, 0));
	OK(consumer(self->h, &one, 0));
	for (n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		want(cases[n].options, cases[n].interval);
		want_gmo.MatchOptions = cases[n].match;
		want_gmo.Version = cases[n].gmo_version;
		EXPECT_STREQ(cases[n].result, consumer(self->h, &one, 0))
			TH_LOG("case %d", n);
	}
	want(0, 0);
	want_md.Version = 3;
	EXPECT_STREQ("F2026", consumer(self->h, &one, 0));
	want(0, 0);
	EXPECT_STREQ("F2019", cb(self->c, MQOP_REGISTER,
				 MQCBT_MESSAGE_CONSUMER, 0, 12345, &one));
	EXPECT_STREQ("F2018", cb(12345, MQOP_REGISTER, MQCBT_MESSAGE_CONSUMER,
				 0, self->h->ho, &one));
	HEARD_ONLY("");
}

/* A-CB-1, A-CB-2, A-CB-5, A-CB-8 */
TEST_F(cb, descriptor_checks)
{
	MQCBD cbd = { MQCBD_DEFAULT };
	MQLONG cc, rc;

	EXPECT_STREQ("F2488", consumer_op(self->h, MQOP_START));
	EXPECT_STREQ("F2488", consumer_op(self->h, MQOP_SUSPEND |
						   MQOP_RESUME));
	EXPECT_STREQ("F2488", consumer_op(self->h, MQOP_REGISTER |
						   MQOP_DEREGISTER));
	EXPECT_STREQ("F2483", cb(self->c, MQOP_REGISTER, 3, 0, self->h->ho,
				 &one));
	EXPECT_STREQ("F2484", consumer(self->h, &one, 2));
	EXPECT_STREQ("F2484", consumer(self->h, &one, 0x10000));
	want_length = -2;
	EXPECT_STREQ("F2485", consumer(self->h, &one, 0));
	want_length = 0;
	EXPECT_STREQ("F2448", consumer_op(self->h, MQOP_DEREGISTER));
	EXPECT_STREQ("F2448", consumer_op(self->h, MQOP_SUSPEND));
	EXPECT_STREQ("F2448", consumer_op(self->h, MQOP_RESUME));
	EXPECT_STREQ("F2448", cb(self->c, MQOP_DEREGISTER,
				 MQCBT_EVENT_HANDLER, 0, 0, &handler));
	MQCB(self->c, MQOP_REGISTER, &cbd, self->h->ho, NULL, NULL, &cc, &rc);
	EXPECT_STREQ("F2486", outcome(cc, rc));
	strcpy(cbd.CallbackName, "/nowhere/lib.so(f)");
	MQCB(self->c, MQOP_REGISTER, &cbd, self->h->ho, NULL, NULL, &cc, &rc);
	EXPECT_STREQ("F2495", outcome(cc, rc));
	cbd.CallbackFunction = (MQPTR)on_call;
	MQCB(self->c, MQOP_REGISTER, &cbd, self->h->ho, NULL, NULL, &cc, &rc);
	EXPECT_STREQ("F2486", outcome(cc, rc));
	cbd.Version = 0;
	MQCB(self->c, MQOP_REGISTER, &cbd, self->h->ho, NULL, NULL, &cc, &rc);
	EXPECT_STREQ("F2444", outcome(cc, rc));
	MQCB(self->c, MQOP_REGISTER, NULL, self->h->ho, NULL, NULL, &cc, &rc);
	EXPECT_STREQ("F2444", outcome(cc, rc));
}

/* A-CB-3 */
TEST_F(cb, replacing)
{
	OK(consumer(self->h, &one, MQCBDO_REGISTER_CALL));
	OK(consumer(self->h, &two, MQCBDO_REGISTER_CALL));
	START;
	PUT("OK", self->k, "A");
	HEARD("reg 2:reg 2:A");
	SUSPEND;
	id_set(want_md.CorrelId, "X");
	want_gmo.MatchOptions = MQMO_MATCH_CORREL_ID;
	OK(consumer(self->h, &one, 0));
	RESUME;
	PUTS(self->k, "B; C c=X");
	HEARD_ONLY("reg 2:reg 2:A C");
	STOP;
	LIST("B");
}

/* A-CB-6: the program's structures need not be kept */
TEST_F(cb, selection)
{
	id_set(want_md.CorrelId, "X");
	want_gmo.MatchOptions = MQMO_MATCH_CORREL_ID;
	OK(consumer(self->h, &one, 0));
	want(0, 0);
	START;
	PUTS(self->k, "A c=Y; B c=X; C; D c=X; E c=Y");
	HEARD_ONLY("B D");
	PUT("OK", self->k, "F c=X SP");
	nap(20);
	HEARD("B D");
	OK(commit(self->d));
	HEARD("B D F");
	STOP;
	LIST("A C E");
}

/* A-CB-6: browsing, from where the cursor is, or from the start and on */
TEST_F(cb, browsing)
{
	PUTS(self->k, "A; B; C");
	GET("A", self->h, "BF");
	want(MQGMO_WAIT | MQGMO_BROWSE_NEXT, MQWI_UNLIMITED);
	OK(consumer(self->h, &one, 0));
	START;
	HEARD_ONLY("~B ~C");
	PUT("OK", self->k, "D");
	HEARD_ONLY("~B ~C ~D");
	SUSPEND;
	want(MQGMO_WAIT | MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT,
	     MQWI_UNLIMITED);
	OK(consumer(self->h, &one, 0));
	RESUME;
	HEARD_ONLY("~B ~C ~D ~A ~B ~C ~D");
	STOP;
	LIST("A B C D");
}

/* A-CB-6: groups in order, each when it is complete */
TEST_F(cb, logical_order)
{
	want(MQGMO_WAIT | MQGMO_LOGICAL_ORDER | MQGMO_ALL_MSGS_AVAILABLE,
	     MQWI_UNLIMITED);
	want_md.Version = MQMD_VERSION_2;
	OK(consumer(self->h, &one, 0));
	START;
	PUTS(self->k, "A3(X,3,0,GL); A1(X,1,0,G); B1(Y,1,0,GL)");
	HEARD_ONLY("B1");
	PUT("OK", self->k, "A2(X,2,0,G)");
	HEARD_ONLY("B1 A1 A2 A3");
	STOP;
}

/* A-CB-6: WAIT is looked at, but NO_WAIT does not end it */
TEST_F(cb, no_wait)
{
	want(MQGMO_NO_WAIT, 0);
	OK(consumer(self->h, &one, 0));
	START;
	HEARD_ONLY("E2033");
	PUTS(self->k, "A");
	HEARD_ONLY("E2033 A E2033");
	STOP;
	START;
	nap(20);
	HEARD("E2033 A E2033");
	STOP;
}

/* A-CB-7 */
TEST_F(cb, no_message_calls)
{
	int64_t t = now_ms();

	want(MQGMO_WAIT, 40);
	OK(consumer(self->h, &one, 0));
	START;
	HEARD("E2033 E2033 E2033");
	EXPECT_LE(120, now_ms() - t + 1);
	EXPECT_EQ(MQCS_NONE, one.last.State);
	STOP;
	forget();
	want(MQGMO_WAIT, MQWI_UNLIMITED);
	OK(consumer(self->h, &one, 0));
	START;
	nap(300);
	HEARD("");
	STOP;
}

/* A-CB-9, A-CBC-1, UC-076 */
TEST_F(cb, every_call_and_implicit_end)
{
	struct mqh *i = opn(self->c, Q, "i");
	MQCBC first;

	OK(events(self->c, ALL_CALLS | MQCBDO_EVENT_CALL));
	OK(consumer(self->h, &one, ALL_CALLS | MQCBDO_MC_EVENT_CALL));
	HEARD("!reg reg");
	EXPECT_EQ(NULL, one.last.ConnectionArea);
	START;
	HEARD("!reg reg !start start");
	PUT("OK", self->k, "A");
	HEARD("!reg reg !start start A");
	first = one.last;
	SUSPEND;
	RESUME;
	STOP;
	HEARD("!reg reg !start start A stop !stop");
	forget();
	OK(consumer(i, &two, ALL_CALLS));
	OK(shut(i));
	HEARD_ONLY("2:reg 2:dereg");
	START;
	OK(disc(&self->c));
	HEARD_ONLY("2:reg 2:dereg !start start stop !stop dereg !dereg");
	EXPECT_EQ(self->h->ho, first.Hobj);
	EXPECT_EQ(MQRD_NO_RECONNECT, first.ReconnectDelay);
	EXPECT_EQ(0, first.Flags);
}

static struct mqh *other;

static void register_other(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	if (cbc->CallType == MQCBCT_MSG_REMOVED && other) {
		act_result = consumer(other, &two, ALL_CALLS);
		other = NULL;
	}
}

/* A-CB-10 */
TEST_F(cb, registering_while_started)
{
	MQHCONN mine;
	MQCHAR48 name = QM;
	MQLONG cc, rc;
	struct mqh *h;

	ASSERT_STREQ("OK", define(Q "2", ""));
	other = opn(self->c, Q "2", "io");
	h = opn(self->d, Q "2", "o");
	one.act = register_other;
	OK(consumer(self->h, &one, 0));
	START;
	EXPECT_STREQ("F2500", consumer(self->h, &one, 0));
	PUT("OK", self->k, "A");
	HEARD("2:reg A 2:start");
	EXPECT_STREQ("OK", act_result);
	PUT("OK", h, "B");
	HEARD("2:reg A 2:start 2:B");
	SUSPEND;
	OK(consumer_op(self->h, MQOP_SUSPEND));
	RESUME;
	PUT("OK", self->k, "C");
	nap(50);
	SUSPEND;
	OK(consumer_op(self->h, MQOP_RESUME));
	RESUME;
	HEARD("2:reg A 2:start 2:B C");
	STOP;
	HEARD("2:reg A 2:start 2:B C 2:stop");

	/* the same on a connection that is not shared */
	MQCONN(name, &mine, &cc, &rc);
	OK(outcome(cc, rc));
	h = opn(mine, Q, "i");
	forget();
	OK(consumer(h, &one, 0));
	OK(ctl(mine, MQOP_START));
	EXPECT_STREQ("F2500", consumer(h, &one, 0));
	PUT("OK", self->k, "D");
	HEARD("D");
	OK(ctl(mine, MQOP_SUSPEND));
	OK(consumer(h, &one, 0));
	OK(disc(&mine));
}

/* Callbacks */

/* A-CBC-4: quiescing goes to the event handler, once, started or not */
TEST_F(cb, quiescing)
{
	want(MQGMO_WAIT | MQGMO_FAIL_IF_QUIESCING, MQWI_UNLIMITED);
	OK(events(self->c, 0));
	OK(consumer(self->h, &one, 0));
	START;
	PUT("OK", self->k, "A");
	HEARD("A");
	OK(qmgr_state(KMQ_QMGR_QUIESCING));
	HEARD_ONLY("A !E2161");
	EXPECT_EQ(MQCC_FAILED, handler.last.CompCode);
	OK(qmgr_state(KMQ_QMGR_RUNNING));
	PUT("OK", self->k, "B");
	HEARD("A !E2161 B");
	SUSPEND;
	OK(qmgr_state(KMQ_QMGR_QUIESCING));
	HEARD_ONLY("A !E2161 B !E2161");
	OK(qmgr_state(KMQ_QMGR_RUNNING));
	STOP;
}

/* A-CBC-4, G-WAIT-12: a consumer that did not ask goes on */
TEST_F(cb, quiescing_without_the_option)
{
	OK(events(self->c, 0));
	OK(consumer(self->h, &one, 0));
	START;
	nap(20);
	OK(qmgr_state(KMQ_QMGR_QUIESCING));
	HEARD("!E2161");
	PUT("OK", self->k, "A");
	HEARD_ONLY("!E2161 A");
	OK(qmgr_state(KMQ_QMGR_RUNNING));
	STOP;
}

/* A-CTL-9 */
TEST_F(cb, stopping)
{
	OK(events(self->c, 0));
	OK(consumer(self->h, &one, MQCBDO_STOP_CALL));
	START;
	nap(20);
	OK(qmgr_state(KMQ_QMGR_STOPPING));
	HEARD_ONLY("stop !E2162/4");
	OK(qmgr_state(KMQ_QMGR_RUNNING));
	EXPECT_STREQ("F2534", ctl(self->c, MQOP_SUSPEND));
}

/* A-CBC-3, A-CBC-4: the queue goes away, a dynamic one */
TEST_F(cb, queue_deleted)
{
	struct mqh *made, *h;

	ASSERT_STREQ("OK", define(Q ".MODEL", "model deftype=3"));
	made = opn(self->d, Q ".MODEL", "o");
	OK(outcome(made->cc, made->rc));
	h = opn(self->c, made->q, "i");
	OK(outcome(h->cc, h->rc));
	OK(consumer(h, &one, 0));
	START;
	PUT("OK", made, "A");
	HEARD_ONLY("A");
	OK(shut(made));
	HEARD_ONLY("A E2052/3");
	STOP;
}

/* The same queue's maker consumes, and ends it with its handle. */
TEST_F(cb, dynamic_queue)
{
	struct mqh *made, *k;

	ASSERT_STREQ("OK", define(Q ".MODEL", "model deftype=3"));
	made = opn(self->c, Q ".MODEL", "i");
	k = opn(self->d, made->q, "o");
	OK(consumer(made, &one, MQCBDO_DEREGISTER_CALL));
	START;
	PUT("OK", k, "A");
	HEARD("A");
	STOP;
	OK(shut(made));
	HEARD_ONLY("A dereg");
	PUT("F2052", k, "B");
}

/* G-WAIT-11: the alias is what is inhibited */
TEST_F(cb, alias)
{
	struct mqh *a;

	ASSERT_STREQ("OK", define(Q ".A", "alias target=" Q));
	a = opn(self->c, Q ".A", "i");
	OK(outcome(a->cc, a->rc));
	OK(consumer(a, &one, 0));
	START;
	PUT("OK", self->k, "A");
	HEARD("A");
	OK(alter(Q ".A", "alias get=1"));
	HEARD_ONLY("A E2016/1");
	OK(alter(Q ".A", "alias get=0"));
	PUT("OK", self->k, "B");
	HEARD("A E2016/1 B");
	STOP;
}

/* G-MRK: two that browse and mark together share the messages */
TEST_F(cb, co_operating)
{
	struct mqh *x = opn(self->c, Q, "bc"), *y = opn(self->d, Q, "bc");

	OK(alter_qmgr("markint=2000"));
	want(MQGMO_WAIT | MQGMO_BROWSE_CO_OP, MQWI_UNLIMITED);
	OK(consumer(x, &one, 0));
	START;
	PUTS(self->k, "A; B");
	HEARD_ONLY("~A ~B");
	GET("F2033", y, "BF UB MK");
	nap(2500);			/* the marks are dropped */
	HEARD_ONLY("~A ~B ~A ~B");
	STOP;
	OK(alter_qmgr("markint=5000"));
}

static void take_browsed(MQHCONN h, MQMD *md, MQGMO *browsed, MQCBC *cbc)
{
	MQMD md2 = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	MQLONG length, cc, rc;
	char b[100];

	gmo.Version = MQGMO_VERSION_3;
	gmo.MatchOptions = MQMO_MATCH_MSG_TOKEN;
	memcpy(gmo.MsgToken, browsed->MsgToken, sizeof(gmo.MsgToken));
	MQGET(h, cbc->Hobj, &md2, &gmo, sizeof(b), b, &length, &cc, &rc);
	act_result = cc ? outcome(cc, rc) : id_name(md2.MsgId);
}

/* A-CBC-5: a browsed message can be got by its token */
TEST_F(cb, token)
{
	want(MQGMO_WAIT | MQGMO_BROWSE_FIRST, MQWI_UNLIMITED);
	want_gmo.Version = MQGMO_VERSION_1;
	one.act = take_browsed;
	OK(consumer(self->h, &one, 0));
	START;
	PUTS(self->k, "A");
	HEARD("~A");
	EXPECT_STREQ("A", act_result);
	PUTS(self->k, "B");
	HEARD_ONLY("~A ~B");
	EXPECT_STREQ("B", act_result);
	STOP;
	LIST("");
}

/* A-CBC-6: each has its turn */
TEST_F(cb, fairness)
{
	struct mqh *h, *k;

	ASSERT_STREQ("OK", define(Q "2", "fifo"));
	h = opn(self->c, Q "2", "i");
	k = opn(self->d, Q "2", "o");
	OK(consumer(self->h, &one, 0));
	OK(consumer(h, &two, 0));
	PUTS(self->k, "A; B; C; D");
	PUTS(k, "A; B; C");
	START;
	HEARD_ONLY("A 2:A B 2:B C 2:C D");
	STOP;
}

static struct mqh *urgent;

static void put_urgent(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	if (urgent)
		act_result = put(urgent, "Z p=9");
	urgent = NULL;
}

/* A-CBC-6, UC-108: nothing is fetched ahead of its turn */
TEST_F(cb, priority)
{
	struct mqh *h, *k;

	ASSERT_STREQ("OK", define(Q "2", ""));
	h = opn(self->c, Q "2", "i");
	k = opn(self->d, Q "2", "o");
	urgent = k;
	two.act = put_urgent;
	OK(consumer(h, &two, 0));
	PUTS(k, "A p=4; B p=4; C p=5; D p=4");
	START;
	HEARD_ONLY("2:C 2:Z 2:A 2:B 2:D");
	OK(act_result);
	STOP;
}

static void use_all(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	struct mqh *o;

	if (cbc->CallType != MQCBCT_MSG_REMOVED || act_result)
		return;
	o = opn(h, Q "2", "io");
	act_result = put(o, "X SP");
	if (!strcmp(act_result, "OK"))
		act_result = commit(h);
	if (!strcmp(act_result, "OK"))
		act_result = get(o, "WT(100)");
	shut(o);
}

/* A-CBC-7 */
TEST_F(cb, mqi_inside)
{
	ASSERT_STREQ("OK", define(Q "2", ""));
	one.act = use_all;
	OK(consumer(self->h, &one, 0));
	START;
	PUTS(self->k, "A; B");
	HEARD("A B");
	EXPECT_STREQ("X", act_result);
	STOP;
}

static void close_me(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	MQHOBJ ho = cbc->Hobj;
	MQLONG cc, rc;

	if (cbc->CallType == MQCBCT_MSG_REMOVED) {
		MQCLOSE(h, &ho, MQCO_NONE, &cc, &rc);
		act_result = outcome(cc, rc);
	}
}

static void disconnect(MQHCONN h, MQMD *md, MQGMO *gmo, MQCBC *cbc)
{
	MQLONG cc, rc;

	if (cbc->CallType == MQCBCT_MSG_REMOVED) {
		MQDISC(&h, &cc, &rc);
		act_result = h == MQHC_UNUSABLE_HCONN ? outcome(cc, rc) : "?";
	}
}

/* A-CB-9, A-CBC-7, O-DISC-3 */
TEST_F(cb, close_and_disconnect_inside)
{
	struct mqh *i = opn(self->c, Q, "i");
	int n;

	one.act = close_me;
	OK(consumer(i, &one, MQCBDO_DEREGISTER_CALL));
	PUTS(self->k, "A; B");
	EXPECT_STREQ("W2521", ctl(self->c, MQOP_START_WAIT));
	OK(act_result);
	HEARD_ONLY("dereg A");
	STOP;
	forget();
	one.act = disconnect;
	want(MQGMO_WAIT | MQGMO_SYNCPOINT, MQWI_UNLIMITED);
	OK(consumer(self->h, &one, MQCBDO_STOP_CALL | MQCBDO_DEREGISTER_CALL));
	PUT("OK", self->k, "C");
	START;
	HEARD("B stop dereg");
	OK(act_result);
	for (n = 0; n < 1000; n++) {
		if (!strcmp("F2018", commit(self->c)))
			break;
		nap(10);
	}
	EXPECT_STREQ("F2018", commit(self->c));
	self->c = MQHC_UNUSABLE_HCONN;
	LIST("C");		/* B was committed: U-END-1 */
}

/* A-CBC-9, U-END-2 */
TEST_F(cb, process_ends)
{
	int status;
	pid_t pid;

	PUTS(self->k, "A; B");
	pid = fork();
	if (!pid) {
		MQHCONN c = conn();
		struct mqh *h = opn(c, Q, "i");

		want(MQGMO_WAIT | MQGMO_SYNCPOINT, MQWI_UNLIMITED);
		consumer(h, &one, 0);
		ctl(c, MQOP_START);
		_exit(strcmp("A B", heard("A B")) != 0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	GET("A", self->h, "");
	EXPECT_EQ(1, self->h->md.BackoutCount);
	LIST("B");
}

/* A-CBC-10, A-CBC-2 */
TEST_F(cb, message_too_long)
{
	want_length = 20;
	OK(consumer(self->h, &one, 0));
	START;
	PUTS(self->k, "A len=20; B len=21; C");
	HEARD_ONLY("A ~BW2080/2");
	EXPECT_EQ(21, one.last.DataLength);
	EXPECT_EQ(20, one.last.BufferLength);
	SUSPEND;
	OK(consumer_op(self->h, MQOP_RESUME));
	RESUME;
	HEARD_ONLY("A ~BW2080/2 ~BW2080/2");
	SUSPEND;
	want_length = 21;
	OK(consumer(self->h, &one, 0));
	RESUME;
	HEARD("A ~BW2080/2 ~BW2080/2 B C");
	SUSPEND;
	want(MQGMO_WAIT | MQGMO_ACCEPT_TRUNCATED_MSG, MQWI_UNLIMITED);
	want_length = 4;
	OK(consumer(self->h, &one, 0));
	RESUME;
	PUT("OK", self->k, "D len=300");
	HEARD("A ~BW2080/2 ~BW2080/2 B C DW2079");
	EXPECT_EQ(300, one.last.DataLength);
	EXPECT_EQ(4, one.last.BufferLength);
	SUSPEND;
	want_length = 0;
	OK(consumer(self->h, &one, 0));
	RESUME;
	PUT("OK", self->k, "E len=1");
	HEARD("A ~BW2080/2 ~BW2080/2 B C DW2079 EW2079");
	STOP;
}

/* A-CB-5: full length, whatever it is; ACCEPT_TRUNCATED does not cut then */
TEST_F(cb, long_messages)
{
	want(MQGMO_WAIT | MQGMO_ACCEPT_TRUNCATED_MSG, MQWI_UNLIMITED);
	OK(consumer(self->h, &one, 0));
	START;
	PUTS(self->k, "A len=4096; B len=4097; C len=300000; D len=0");
	HEARD("A B C D");
	EXPECT_EQ(0, one.last.DataLength);
	EXPECT_LE(300000, one.last.BufferLength);
	STOP;
}

/* A-CBC-3: what the program has to end itself */
TEST_F(cb, user_action)
{
	want(MQGMO_WAIT | MQGMO_SYNCPOINT, MQWI_UNLIMITED);
	OK(alter_qmgr("maxuncom=2"));
	OK(consumer(self->h, &one, 0));
	PUTS(self->k, "A; B; C");
	START;
	HEARD_ONLY("A B E2024/2");
	SUSPEND;
	OK(commit(self->c));
	OK(consumer_op(self->h, MQOP_RESUME));
	RESUME;
	HEARD("A B E2024/2 C");
	OK(alter_qmgr("maxuncom=10000"));
	STOP;
}

TEST_HARNESS_MAIN
