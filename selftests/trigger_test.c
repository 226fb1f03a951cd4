/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Triggering (objects.md section 11): when a trigger message is made, when it
 * appears, and what it says.
 */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "kselftest_harness.h"
#include "mqi.h"
#include "waiter.h"

#define APP	"KT.APP"
#define INIT	"KT.INIT"
#define INIT2	"KT.INIT2"
#define DEAD	"KT.DEAD"
#define PROC	"KT.PROC"
#define WITH	" trig initq=" INIT " process=" PROC
#define FIRST	"trigtype=1" WITH
#define EVERY	"trigtype=2" WITH
#define DEPTH	"trigtype=3" WITH

FIXTURE(trigger) {
	MQHCONN c, d, monitor;
	struct mqh *out;	/* APP, connection c, for output */
	struct mqh *init;	/* INIT, for input */
};

FIXTURE_SETUP(trigger)
{
	ASSERT_STREQ("OK", define(APP, "trigtype=1 trigdata=DATA initq=" INIT
				  " process=" PROC));
	ASSERT_STREQ("OK", define(INIT, "pri=3"));
	ASSERT_STREQ("OK", define(DEAD, ""));
	ASSERT_STREQ("OK", define_process(PROC, "applid=/bin/server env=ENV "
					  "user=USER appltype=65537"));
	self->c = conn();
	self->d = conn();
	self->monitor = conn();
	self->out = opn(self->c, APP, "o");
	self->init = opn(self->monitor, INIT, "i");
}

FIXTURE_TEARDOWN(trigger)
{
	if (self->c != MQHC_UNUSABLE_HCONN)
		disc(&self->c);
	disc(&self->d);
	disc(&self->monitor);
	alter_qmgr("trigint=999999999 maxuncom=10000 deadq");
	clean_up();
	delete_process(PROC);
}

/* Take what lies on the initiation queue. */
static int triggers(struct mqh *init)
{
	int n = 0;

	while (n < 100) {
		MQMD md = { MQMD_DEFAULT };
		MQGMO gmo = { MQGMO_DEFAULT };
		char data[1024];
		MQLONG length;

		MQGET(init->hc, init->ho, &md, &gmo, sizeof(data), data,
		      &length, &init->cc, &init->rc);
		if (init->cc == MQCC_FAILED)
			break;
		n++;
	}
	return init->rc == MQRC_NO_MSG_AVAILABLE ? n : -init->rc;
}

#define NONE()		EXPECT_EQ(0, triggers(self->init))
#define ONE()		EXPECT_EQ(1, triggers(self->init))
#define SOME(n)		EXPECT_EQ(n, triggers(self->init))
#define PUTS(msg)	EXPECT_STREQ("OK", puts_all(self->out, msg))
#define ALTER(attrs)	ASSERT_STREQ("OK", alter(APP, attrs))

static const char *set_int(struct mqh *h, MQLONG selector, MQLONG value)
{
	MQSET(h->hc, h->ho, 1, &selector, 1, &value, 0, NULL, &h->cc, &h->rc);
	return outcome(h->cc, h->rc);
}

/* O-TRIG-1: FIRST, when the number goes from 0 to 1. */
TEST_F(trigger, first)
{
	struct mqh *in;

	PUTS("A");
	NONE();
	in = opn(self->d, APP, "i");
	EXPECT_STREQ("A", get(in, ""));
	shut(in);
	ALTER(FIRST);
	NONE();
	PUTS("A");
	ONE();
	PUTS("B; C");
	NONE();
	in = opn(self->d, APP, "i");
	EXPECT_STREQ("A", get(in, ""));
	EXPECT_STREQ("B", get(in, ""));
	EXPECT_STREQ("C", get(in, ""));
	shut(in);
	NONE();
	PUTS("D");
	ONE();
}

/* O-TRIG-1.2: EVERY, whatever is there and whoever has it open (1.3). */
TEST_F(trigger, every)
{
	struct mqh *in = opn(self->d, APP, "i");

	PUTS("A");
	ALTER(EVERY);
	NONE();
	PUTS("B");
	ONE();
	PUTS("C; D");
	SOME(2);
	EXPECT_STREQ("A B C D", drain(in, ""));
	shut(in);
	NONE();
}

/* O-TRIG-1.2, O-TRIG-5: DEPTH, once; it switches triggering off. */
TEST_F(trigger, depth)
{
	struct mqh *set = opn(self->d, APP, "sq");

	ALTER(DEPTH " trigdepth=3");
	PUTS("A; B");
	NONE();
	EXPECT_EQ(1, inquire_int(APP, MQIA_TRIGGER_CONTROL));
	PUTS("C");
	ONE();
	EXPECT_EQ(MQTC_OFF, inquire_int(APP, MQIA_TRIGGER_CONTROL));
	EXPECT_EQ(MQTT_DEPTH, inquire_int(APP, MQIA_TRIGGER_TYPE));
	PUTS("D");
	NONE();
	/* O-TRIG-4: the program switches it on, and there are enough. */
	EXPECT_STREQ("OK", set_int(set, MQIA_TRIGGER_CONTROL, MQTC_ON));
	ONE();
	EXPECT_EQ(MQTC_OFF, inquire_int(APP, MQIA_TRIGGER_CONTROL));
}

/* O-TRIG-1.2: the depth counts as it is reached, not as it is passed. */
TEST_F(trigger, depth_is_reached_again)
{
	struct mqh *in = opn(self->d, APP, "i");

	PUTS("A; B; C");
	ALTER(DEPTH " trigdepth=3");
	NONE();
	PUTS("D");
	NONE();
	EXPECT_STREQ("A", get(in, ""));
	EXPECT_STREQ("B", get(in, ""));
	EXPECT_STREQ("C", get(in, ""));
	shut(in);
	NONE();
	PUTS("E");
	NONE();
	PUTS("F");
	ONE();
}

/* O-TRIG-1.1: only messages of sufficient priority, and only those count. */
TEST_F(trigger, priority)
{
	ALTER(FIRST " trigpri=5");
	PUTS("A p=4; B p=0");
	NONE();
	PUTS("C p=5");
	ONE();
	PUTS("D p=9");
	NONE();
	ALTER(DEPTH " trigpri=5 trigdepth=4");
	PUTS("E p=4; F p=7");
	NONE();
	PUTS("G p=3");
	NONE();
	EXPECT_STREQ("W2049", put(self->out, "H p=12"));
	ONE();
}

/* In a FIFO queue the priority of a message still is what it was put with. */
TEST_F(trigger, priority_in_a_fifo_queue)
{
	ALTER(FIRST " trigpri=5 fifo pri=9");
	PUTS("A p=4");
	NONE();
	PUTS("C p=5");
	ONE();
	PUTS("D");
	NONE();
}

/* O-TRIG-1.2: the priorities of messages that leave are no longer counted. */
TEST_F(trigger, counts_by_priority)
{
	struct mqh *in = opn(self->d, APP, "io");

	PUTS("A p=1; B p=2; C p=3; D p=3; E p=9");
	EXPECT_STREQ("OK", put(self->out, "F p=3 SP"));
	EXPECT_STREQ("OK", put(self->out, "G p=3 SP"));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_STREQ("E", get(in, "SP"));
	EXPECT_STREQ("C", get(in, "SP"));
	EXPECT_STREQ("OK", back(self->d));
	EXPECT_STREQ("E", get(in, "SP"));
	EXPECT_STREQ("C", get(in, ""));
	EXPECT_STREQ("OK", commit(self->d));
	EXPECT_STREQ("OK", put(self->out, "H p=3 exp=1"));
	nap(150);
	EXPECT_STREQ("D", get(in, ""));
	EXPECT_STREQ("B", get(in, ""));
	/* A is left. */
	shut(in);
	ALTER(DEPTH " trigpri=3 trigdepth=1");
	NONE();
	PUTS("I p=2");
	NONE();
	PUTS("J p=3");
	ONE();
	ASSERT_STREQ("OK", clear_q(APP));
	ALTER(FIRST " trigpri=0");
	NONE();
	PUTS("K");
	ONE();
}

/* O-TRIG-1.3: not while somebody has it open for input; browse does not count. */
TEST_F(trigger, open_for_input)
{
	struct mqh *in = opn(self->d, APP, "i"), *browse;

	ALTER(FIRST);
	PUTS("A");
	NONE();
	browse = opn(self->d, APP, "bqs");
	EXPECT_STREQ("A", get(in, ""));
	shut(in);
	NONE();
	PUTS("B");
	ONE();
	shut(browse);
	NONE();
}

/* O-TRIG-1.4 */
TEST_F(trigger, process_must_exist)
{
	ALTER(FIRST);
	ASSERT_STREQ("OK", delete_process(PROC));
	PUTS("A");
	NONE();
	ALTER("process");
	ASSERT_STREQ("OK", clear_q(APP));
	PUTS("A");
	NONE();
	ASSERT_STREQ("OK", define_process(PROC, ""));
	ALTER("process=" PROC);
	ASSERT_STREQ("OK", clear_q(APP));
	PUTS("A");
	ONE();
}

/* O-TRIG-1.4: TriggerData is enough for a transmission queue. */
TEST_F(trigger, transmission_queue)
{
	ASSERT_STREQ("OK", define("KT.XMIT", "usage=1 trig trigtype=2 initq="
				  INIT " trigdata=CHANNEL"));
	self->out = opn(self->c, "KT.XMIT", "o");
	PUTS("A");
	ONE();
	ASSERT_STREQ("OK", alter("KT.XMIT", "trigdata"));
	PUTS("A");
	NONE();
	ASSERT_STREQ("OK", alter("KT.XMIT", "process=" PROC));
	PUTS("A");
	ONE();
	ASSERT_STREQ("OK", alter("KT.XMIT", "process=NONE trigdata=X"));
	PUTS("A");
	NONE();
}

/* O-TRIG-1.5: what the initiation queue has to be. */
TEST_F(trigger, initiation_queue_must_be_usable)
{
	ALTER(EVERY " initq=NONE");
	PUTS("A");
	ALTER("initq");
	PUTS("A");
	NONE();
	ASSERT_STREQ("OK", define("KT.ALIAS", "alias target=" INIT));
	ALTER("initq=KT.ALIAS");
	PUTS("A");
	NONE();
	ALTER("initq=" INIT);
	ASSERT_STREQ("OK", alter(INIT, "put=1"));
	PUTS("A");
	ASSERT_STREQ("OK", alter(INIT, "put=0 get=1"));
	PUTS("A");
	ASSERT_STREQ("OK", alter(INIT, "get=0"));
	NONE();
	PUTS("A");
	ONE();
	ASSERT_STREQ("OK", alter(INIT, "usage=1"));
	self->init = opn(self->monitor, INIT, "i");
	PUTS("A");
	NONE();
}

/* O-TRIG-1.6: somebody listens. A browser does not, an alias does. */
TEST_F(trigger, initiation_queue_must_be_open)
{
	ALTER(EVERY);
	shut(self->init);
	self->init = opn(self->monitor, INIT, "bo");
	PUTS("A");
	shut(self->init);
	ASSERT_STREQ("OK", define("KT.ALIAS", "alias target=" INIT));
	self->init = opn(self->monitor, "KT.ALIAS", "i");
	NONE();
	PUTS("A");
	ONE();
}

/* O-TRIG-1.7 */
TEST_F(trigger, switched_off)
{
	ALTER(EVERY);
	ALTER("trigtype=0");
	PUTS("A");
	NONE();
	ALTER("trigtype=2");
	ALTER("trig=0");
	PUTS("A");
	NONE();
	ALTER("trig=1");
	PUTS("A");
	ONE();
}

/* O-TRIG-2: with FIRST also once TriggerInterval has passed. */
TEST_F(trigger, interval)
{
	ASSERT_STREQ("OK", alter_qmgr("trigint=400"));
	ALTER(FIRST " trigpri=2");
	PUTS("A p=2");
	ONE();
	PUTS("B p=2");
	NONE();
	nap(450);
	PUTS("C p=1");
	NONE();
	PUTS("D p=2");
	ONE();
	ASSERT_STREQ("OK", alter_qmgr("trigint=0"));
	PUTS("E p=2; F p=3");
	SOME(2);
	opn(self->d, APP, "i");
	PUTS("G p=2");
	NONE();
	ASSERT_STREQ("OK", alter_qmgr("trigint=999999999"));
}

/* O-TRIG-3, O-CLOSE-10: the last one to close leaves messages behind. */
TEST_F(trigger, last_close)
{
	struct mqh *in = opn(self->d, APP, "i"), *second;

	ALTER(FIRST " trigpri=1");
	PUTS("A; B p=1");
	second = opn(self->c, APP, "i");
	shut(in);
	NONE();
	shut(second);
	ONE();
	in = opn(self->d, APP, "i");
	EXPECT_STREQ("B", get(in, ""));
	shut(in);
	NONE();
	in = opn(self->d, APP, "i");
	ALTER(DEPTH " trigpri=0 trigdepth=2");
	shut(in);
	NONE();
	in = opn(self->d, APP, "i");
	PUTS("C");
	NONE();
	shut(in);
	ONE();
	EXPECT_EQ(MQTC_OFF, inquire_int(APP, MQIA_TRIGGER_CONTROL));
	in = opn(self->d, APP, "i");
	ALTER(EVERY);
	shut(in);
	NONE();
}

/* O-TRIG-3, O-DISC-1: MQDISC closes, too. */
TEST_F(trigger, last_close_by_disconnecting)
{
	MQHCONN other = conn();

	opn(other, APP, "i");
	ALTER(FIRST);
	PUTS("A");
	NONE();
	disc(&other);
	ONE();
}

/* O-TRIG-4: the conditions come true by a change of attributes. */
TEST_F(trigger, attributes_change)
{
	struct mqh *set = opn(self->d, APP, "s");

	PUTS("A p=1; B p=1; C p=4");
	ALTER(WITH " trig=0 trigtype=1 trigpri=0 trigdepth=2");
	NONE();
	EXPECT_STREQ("OK", set_int(set, MQIA_TRIGGER_CONTROL, MQTC_ON));
	ONE();
	/* It was on already, and nothing else came true. */
	EXPECT_STREQ("OK", set_int(set, MQIA_TRIGGER_CONTROL, MQTC_ON));
	EXPECT_STREQ("OK", set_int(set, MQIA_TRIGGER_MSG_PRIORITY, 5));
	NONE();
	EXPECT_STREQ("OK", set_int(set, MQIA_TRIGGER_MSG_PRIORITY, 4));
	ONE();
	EXPECT_STREQ("OK", set_int(set, MQIA_TRIGGER_MSG_PRIORITY, 1));
	NONE();
	EXPECT_STREQ("OK", set_int(set, MQIA_TRIGGER_TYPE, MQTT_EVERY));
	NONE();
	EXPECT_STREQ("OK", set_int(set, MQIA_TRIGGER_DEPTH, 4));
	EXPECT_STREQ("OK", set_int(set, MQIA_TRIGGER_TYPE, MQTT_DEPTH));
	NONE();
	EXPECT_STREQ("OK", set_int(set, MQIA_TRIGGER_DEPTH, 3));
	ONE();
	EXPECT_EQ(MQTC_OFF, inquire_int(APP, MQIA_TRIGGER_CONTROL));
	EXPECT_STREQ("OK", set_int(set, MQIA_TRIGGER_TYPE, MQTT_FIRST));
	NONE();
	ALTER("trig=1");
	ONE();
	opn(self->d, APP, "i");
	ALTER("trig=0");
	ALTER("trig=1");
	NONE();
}

/* O-TRIG-4: the initiation queue is opened (again) for input, or allowed. */
TEST_F(trigger, initiation_queue_becomes_usable)
{
	struct mqh *second;

	ALTER(FIRST);
	ASSERT_STREQ("OK", define("KT.APP2", DEPTH " trigdepth=1"));
	shut(self->init);
	PUTS("A");
	self->init = opn(self->monitor, INIT, "b");
	self->init = opn(self->monitor, INIT, "i");
	ONE();
	second = opn(self->d, INIT, "i");
	NONE();
	shut(second);
	ASSERT_STREQ("OK", alter(INIT, "put=1"));
	ASSERT_STREQ("OK", alter(INIT, "put=0"));
	ONE();
	ASSERT_STREQ("OK", alter(INIT, "get=1"));
	self->out = opn(self->c, "KT.APP2", "o");
	PUTS("B");
	EXPECT_EQ(MQTC_ON, inquire_int("KT.APP2", MQIA_TRIGGER_CONTROL));
	ASSERT_STREQ("OK", alter(INIT, "put=1"));
	ASSERT_STREQ("OK", alter(INIT, "get=0"));
	NONE();
	ASSERT_STREQ("OK", alter(INIT, "put=0"));
	SOME(2);
	EXPECT_EQ(MQTC_OFF, inquire_int("KT.APP2", MQIA_TRIGGER_CONTROL));
	/* Nobody listens, so being allowed is not enough. */
	shut(self->init);
	ASSERT_STREQ("OK", alter(INIT, "put=1"));
	ASSERT_STREQ("OK", alter(INIT, "put=0"));
	EXPECT_EQ(0, depth(INIT));
	/* EVERY does not look at what is there. */
	ALTER("trigtype=2");
	self->init = opn(self->monitor, INIT, "i");
	NONE();
}

/* O-TRIG-6, U-SCN-11, U-WAIT-2: held until the unit ends, also backed out. */
TEST_F(trigger, first_in_a_unit_of_work)
{
	struct mqh *server;

	ALTER(FIRST);
	EXPECT_STREQ("OK", put(self->out, "M1 SP"));
	NONE();
	EXPECT_EQ(1, depth(INIT));
	EXPECT_STREQ("OK", back(self->c));
	ONE();
	server = opn(self->d, APP, "i");
	EXPECT_STREQ("F2033", get(server, ""));
	shut(server);
	EXPECT_STREQ("OK", put(self->out, "M2 SP"));
	/* The uncommitted one counts: no other trigger. */
	self->out = opn(self->monitor, APP, "o");
	PUTS("M3");
	NONE();
	EXPECT_STREQ("OK", commit(self->c));
	ONE();
}

/* O-TRIG-5, O-TRIG-6: DEPTH likewise; it is off from the put on. */
TEST_F(trigger, depth_in_a_unit_of_work)
{
	ALTER(DEPTH " trigdepth=2");
	EXPECT_STREQ("OK", put(self->out, "A SP"));
	EXPECT_STREQ("OK", put(self->out, "B SP"));
	EXPECT_EQ(MQTC_OFF, inquire_int(APP, MQIA_TRIGGER_CONTROL));
	EXPECT_STREQ("OK", put(self->out, "C SP"));
	NONE();
	EXPECT_STREQ("OK", back(self->c));
	ONE();
}

/* O-TRIG-6: EVERY only if it commits. */
TEST_F(trigger, every_in_a_unit_of_work)
{
	ALTER(EVERY);
	EXPECT_STREQ("OK", put(self->out, "A SP"));
	EXPECT_STREQ("OK", put(self->out, "B SP"));
	EXPECT_STREQ("OK", put(self->out, "C NS"));
	ONE();
	EXPECT_STREQ("OK", back(self->c));
	NONE();
	EXPECT_EQ(0, depth(INIT));
	EXPECT_STREQ("OK", put(self->out, "D SP"));
	EXPECT_STREQ("OK", put(self->out, "E SP"));
	NONE();
	EXPECT_STREQ("OK", commit(self->c));
	SOME(2);
}

/* U-CMIT-2: the message is there when the trigger message is. */
TEST_F(trigger, message_before_its_trigger)
{
	struct mqh *init_out = opn(self->c, INIT, "o"), *in;
	struct waiter *w;

	ALTER(FIRST);
	/* The unit has come across the initiation queue before. */
	EXPECT_STREQ("OK", put(init_out, "X SP"));
	EXPECT_STREQ("OK", put(self->out, "A SP"));
	EXPECT_STREQ("OK", put(init_out, "Y SP"));
	w = wait_get(self->init, "WT(10000)");
	ASSERT_TRUE(sleepers(INIT, 1));
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_STREQ("X", result(w));
	in = opn(self->d, APP, "i");
	EXPECT_STREQ("A", get(in, ""));
	/* Y has priority 0 as put; the trigger message has 3, as INIT says. */
	SOME(2);
}

/* O-TRIG-7, U-LIM-1: it counts against MaxUncommittedMsgs of the putter. */
TEST_F(trigger, counts_in_the_unit_of_work)
{
	ALTER(EVERY);
	ASSERT_STREQ("OK", alter_qmgr("maxuncom=3"));
	EXPECT_STREQ("OK", put(self->out, "A SP"));
	EXPECT_STREQ("F2024", put(self->out, "B SP"));
	EXPECT_EQ(1, depth(APP));
	EXPECT_EQ(1, depth(INIT));
	ALTER("trig=0");
	EXPECT_STREQ("OK", put(self->out, "C SP"));
	EXPECT_STREQ("F2024", put(self->out, "D SP"));
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_EQ(2, depth(APP));
	ONE();
	/* Outside it counts for nothing. */
	ASSERT_STREQ("OK", alter_qmgr("maxuncom=1"));
	ALTER("trig=1");
	PUTS("E");
	ONE();
	/* A put that fails has no effects at all. */
	ALTER("trigtype=3 trigdepth=4");
	EXPECT_STREQ("F2024", put(self->out, "F SP"));
	EXPECT_EQ(MQTC_ON, inquire_int(APP, MQIA_TRIGGER_CONTROL));
	EXPECT_STREQ("OK", commit(self->c));
	NONE();
	EXPECT_EQ(3, depth(APP));
	ASSERT_STREQ("OK", alter_qmgr("maxuncom=2"));
	EXPECT_STREQ("OK", put(self->out, "F SP"));
	EXPECT_EQ(MQTC_OFF, inquire_int(APP, MQIA_TRIGGER_CONTROL));
	EXPECT_STREQ("OK", commit(self->c));
	ONE();
}

/* O-TRIG-7, U-LIM-1: with reports of arrival in the same put. */
TEST_F(trigger, with_reports_of_arrival)
{
	ASSERT_STREQ("OK", define("KT.REPLY", ""));
	ALTER(FIRST);
	ASSERT_STREQ("OK", alter_qmgr("maxuncom=2"));
	EXPECT_STREQ("F2024", put(self->out, "A SP rep=0x100 rq=KT.REPLY"));
	EXPECT_EQ(0, depth(APP));
	EXPECT_EQ(0, depth(INIT));
	EXPECT_EQ(0, depth("KT.REPLY"));
	ASSERT_STREQ("OK", alter_qmgr("maxuncom=3"));
	EXPECT_STREQ("OK", put(self->out, "A SP rep=0x100 rq=KT.REPLY"));
	EXPECT_STREQ("F2024", put(self->out, "B SP"));
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_EQ(1, depth(APP));
	EXPECT_EQ(1, depth("KT.REPLY"));
	ONE();
}

/* A report that arrives is a message like others: O-TRIG-1 for its queue. */
TEST_F(trigger, report_that_arrives)
{
	ASSERT_STREQ("OK", define("KT.REPLY", FIRST));
	PUTS("A rep=0x100 rq=KT.REPLY");
	ONE();
	ASSERT_STREQ("OK", clear_q("KT.REPLY"));
	EXPECT_STREQ("OK", put(self->out, "B SP rep=0x100 rq=KT.REPLY"));
	NONE();
	EXPECT_STREQ("OK", commit(self->c));
	ONE();
}

/* O-TRIG-7: changes made later do not revoke it. */
TEST_F(trigger, is_not_revoked)
{
	ALTER(FIRST);
	EXPECT_STREQ("OK", put(self->out, "A SP"));
	ALTER("trig=0 process initq");
	ASSERT_STREQ("OK", delete_process(PROC));
	EXPECT_STREQ("OK", commit(self->c));
	ONE();
}

struct dead {
	MQDLH h;
	char tm[684];
};

/* O-TRIG-8: to the dead-letter queue, or dropped; the put succeeds. */
TEST_F(trigger, initiation_queue_is_full)
{
	struct mqh *dead = opn(self->monitor, DEAD, "i");
	MQGMO gmo = { MQGMO_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQLONG length, cc, rc;
	struct dead d;

	ALTER(EVERY);
	ASSERT_STREQ("OK", alter(INIT, "depth=1"));
	PUTS("A; B");
	ONE();
	EXPECT_EQ(2, depth(APP));
	ASSERT_STREQ("OK", alter_qmgr("deadq=" DEAD));
	PUTS("C; D");
	ONE();
	EXPECT_EQ(1, depth(DEAD));
	MQGET(dead->hc, dead->ho, &md, &gmo, sizeof(d), &d, &length, &cc, &rc);
	ASSERT_EQ(MQRC_NONE, rc);
	EXPECT_EQ(172 + 684, length);
	EXPECT_TRUE(FIELD_IS(md.Format, MQFMT_DEAD_LETTER_HEADER));
	EXPECT_EQ(MQRC_Q_FULL, d.h.Reason);
	EXPECT_TRUE(FIELD_IS(d.h.DestQName, INIT));
	EXPECT_TRUE(FIELD_IS(d.h.DestQMgrName, QM));
	EXPECT_TRUE(FIELD_IS(d.h.Format, MQFMT_TRIGGER));
	EXPECT_EQ(0, memcmp(d.tm, MQTM_STRUC_ID, 4));
	/* In a unit of work it waits there, too. */
	ALTER("trigtype=3 trigdepth=7");
	PUTS("E");
	EXPECT_STREQ("OK", put(opn(self->monitor, INIT, "o"), "FULL"));
	EXPECT_STREQ("OK", put(self->out, "F SP"));
	EXPECT_EQ(0, depth(DEAD));
	EXPECT_STREQ("OK", put(self->out, "G SP"));
	EXPECT_EQ(1, depth(DEAD));
	EXPECT_STREQ("F2033", get(dead, ""));
	EXPECT_STREQ("OK", back(self->c));
	MQGET(dead->hc, dead->ho, &md, &gmo, sizeof(d), &d, &length, &cc, &rc);
	EXPECT_EQ(172 + 684, length);
	EXPECT_EQ(MQTC_OFF, inquire_int(APP, MQIA_TRIGGER_CONTROL));
}

/* O-TRIG-9: an initiation queue with triggers of its own; or the dead letters. */
TEST_F(trigger, trigger_messages_do_not_trigger)
{
	struct mqh *second;

	ASSERT_STREQ("OK", define(INIT2, ""));
	second = opn(self->monitor, INIT2, "i");
	ASSERT_STREQ("OK", alter(INIT, "trigtype=2 trig process=" PROC " initq="
				 INIT2));
	ASSERT_STREQ("OK", alter(DEAD, EVERY));
	ASSERT_STREQ("OK", alter_qmgr("deadq=" DEAD));
	ALTER(EVERY);
	PUTS("A");
	EXPECT_EQ(0, triggers(second));
	ONE();
	ASSERT_STREQ("OK", alter(INIT, "depth=0"));
	PUTS("B");
	EXPECT_EQ(1, depth(DEAD));
	ASSERT_STREQ("OK", alter(INIT, "depth=10"));
	NONE();
	/* What a program puts there does. */
	self->out = opn(self->c, INIT, "o");
	PUTS("C");
	EXPECT_EQ(1, triggers(second));
}

/* O-TRIG-10: gets and their back-out trigger nothing. */
TEST_F(trigger, backed_out_get)
{
	struct mqh *in;

	PUTS("A");
	in = opn(self->d, APP, "i");
	ALTER(FIRST);
	EXPECT_STREQ("A", get(in, "SP"));
	shut(in);
	NONE();
	EXPECT_STREQ("OK", back(self->d));
	EXPECT_EQ(1, depth(APP));
	NONE();
}

/* A put through MQPUT1, through an alias, and a plain write(). */
TEST_F(trigger, other_ways_to_put)
{
	MQOD od = { MQOD_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG cc, rc;
	int fd;

	ALTER(EVERY);
	ASSERT_STREQ("OK", define("KT.ALIAS", "alias target=" APP));
	strcpy(od.ObjectName, "KT.ALIAS");
	MQPUT1(self->c, &od, &md, &pmo, 3, "abc", &cc, &rc);
	EXPECT_EQ(MQRC_NONE, rc);
	ONE();
	pmo.Options = MQPMO_SYNCPOINT;
	MQPUT1(self->c, &od, &md, &pmo, 3, "abc", &cc, &rc);
	NONE();
	EXPECT_STREQ("OK", commit(self->c));
	ONE();
	fd = open_node(APP, 1);
	EXPECT_EQ(3, write(fd, "abc", 3));
	close(fd);
	ONE();
	/* One that is cut into segments is one put. */
	ALTER("len=100");
	EXPECT_STREQ("OK", put(self->out, "S(-,-,-,A) len=250"));
	EXPECT_EQ(3 + 3, depth(APP));
	ONE();
	ALTER("trigtype=3 trigdepth=8");
	EXPECT_STREQ("OK", put(self->out, "S(-,-,-,A) len=250 SP"));
	NONE();
	EXPECT_STREQ("OK", commit(self->c));
	ONE();
}

/* O-TRIG-11, O-TRIG-12: every field. */
TEST_F(trigger, message)
{
	char expect[684], data[1000];
	MQGMO gmo = { MQGMO_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQLONG length, cc, rc, n;

	ALTER(FIRST " trigdata=THE.DATA");
	PUTS("A per=1 p=7");
	MQGET(self->monitor, self->init->ho, &md, &gmo, sizeof(data), data,
	      &length, &cc, &rc);
	ASSERT_EQ(MQRC_NONE, rc);
	ASSERT_EQ(684, length);
	EXPECT_EQ(MQRO_NONE, md.Report);
	EXPECT_EQ(MQMT_DATAGRAM, md.MsgType);
	EXPECT_EQ(MQEI_UNLIMITED, md.Expiry);
	EXPECT_EQ(MQFB_NONE, md.Feedback);
	EXPECT_EQ(MQENC_NATIVE, md.Encoding);
	EXPECT_EQ(inquire_int(NULL, MQIA_CODED_CHAR_SET_ID), md.CodedCharSetId);
	EXPECT_TRUE(FIELD_IS(md.Format, MQFMT_TRIGGER));
	EXPECT_EQ(3, md.Priority);
	EXPECT_EQ(MQPER_NOT_PERSISTENT, md.Persistence);
	EXPECT_TRUE(id_generated(md.MsgId));
	EXPECT_TRUE(all_zero(md.CorrelId, 24));
	EXPECT_EQ(0, md.BackoutCount);
	EXPECT_TRUE(FIELD_IS(md.ReplyToQ, ""));
	EXPECT_TRUE(FIELD_IS(md.ReplyToQMgr, QM));
	EXPECT_TRUE(FIELD_IS(md.UserIdentifier, ""));
	EXPECT_TRUE(all_zero(md.AccountingToken, 32));
	EXPECT_EQ(MQAT_QMGR, md.PutApplType);
	EXPECT_TRUE(FIELD_IS(md.PutApplName, QM));

	memset(expect, ' ', sizeof(expect));
	memcpy(expect, "TM  ", 4);
	n = 1;
	memcpy(expect + 4, &n, 4);
	memcpy(expect + 8, APP, strlen(APP));
	memcpy(expect + 56, PROC, strlen(PROC));
	memcpy(expect + 104, "THE.DATA", 8);
	n = 65537;
	memcpy(expect + 168, &n, 4);
	memcpy(expect + 172, "/bin/server", 11);
	memcpy(expect + 428, "ENV", 3);
	memcpy(expect + 556, "USER", 4);
	EXPECT_EQ(0, memcmp(expect, data, sizeof(expect)));
	EXPECT_EQ(684, (int)sizeof(MQTM));
	EXPECT_EQ(0, memcmp(((MQTM *)data)->QName, APP " ", strlen(APP) + 1));
}

/* O-TRIG-12: without a process ApplType is 0 and the texts are blank. */
TEST_F(trigger, message_without_a_process)
{
	MQGMO gmo = { MQGMO_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQLONG length, cc, rc;
	MQTM tm;

	ASSERT_STREQ("OK", define("KT.XMIT", "usage=1 trig trigtype=1 initq="
				  INIT " trigdata=CHANNEL"));
	self->out = opn(self->c, "KT.XMIT", "o");
	PUTS("A");
	MQGET(self->monitor, self->init->ho, &md, &gmo, sizeof(tm), &tm,
	      &length, &cc, &rc);
	ASSERT_EQ(684, length);
	EXPECT_EQ(0, tm.ApplType);
	EXPECT_TRUE(FIELD_IS(tm.TriggerData, "CHANNEL"));
	EXPECT_TRUE(FIELD_IS(tm.ProcessName, ""));
	EXPECT_TRUE(FIELD_IS(tm.ApplId, ""));
	EXPECT_TRUE(FIELD_IS(tm.EnvData, ""));
	EXPECT_TRUE(FIELD_IS(tm.UserData, ""));
}

/* O-TRIG-3, U-END-6, O-DISC-2: a server is killed with a message in hand. */
TEST_F(trigger, server_is_killed)
{
	int ready[2], status;
	char c;
	pid_t pid;

	ASSERT_EQ(0, pipe(ready));
	ALTER(FIRST);
	PUTS("A");
	ONE();
	pid = fork();
	if (!pid) {
		MQHCONN hc = conn();
		struct mqh *in = opn(hc, APP, "i");

		if (!strcmp(get(in, "SP"), "A"))
			(void)!write(ready[1], "x", 1);
		pause();
		_exit(1);
	}
	ASSERT_EQ(1, read(ready[0], &c, 1));
	EXPECT_EQ(0, depth(APP));
	NONE();
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	ONE();
	EXPECT_EQ(1, depth(APP));
}

/* O-TRIG-6, U-END-2: the putter is killed, its unit is backed out. */
TEST_F(trigger, putter_is_killed)
{
	int ready[2], status;
	char c;
	pid_t pid;

	ASSERT_EQ(0, pipe(ready));
	ALTER(FIRST);
	pid = fork();
	if (!pid) {
		MQHCONN hc = conn();
		struct mqh *out = opn(hc, APP, "o");

		if (!strcmp(put(out, "A SP"), "OK"))
			(void)!write(ready[1], "x", 1);
		pause();
		_exit(1);
	}
	ASSERT_EQ(1, read(ready[0], &c, 1));
	NONE();
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	EXPECT_EQ(0, depth(APP));
	ONE();
}

/* O-TRIG-1.5, 1.6: the application queue may be dynamic and have gone. */
TEST_F(trigger, dynamic_application_queue)
{
	MQOD od = { MQOD_DEFAULT };
	MQLONG cc, rc;
	MQHOBJ ho;

	ASSERT_STREQ("OK", define("KT.MODEL", "model deftype=3 share " EVERY));
	strcpy(od.ObjectName, "KT.MODEL");
	strcpy(od.DynamicQName, "KT.DYN.*");
	MQOPEN(self->c, &od, MQOO_OUTPUT | MQOO_INPUT_SHARED, &ho, &cc, &rc);
	ASSERT_EQ(MQRC_NONE, rc);
	od.ObjectName[47] = '\0';
	strtok(od.ObjectName, " ");
	self->out = opn(self->d, od.ObjectName, "o");
	PUTS("A");
	ONE();
	ASSERT_STREQ("OK", alter(od.ObjectName, "trigtype=1"));
	NONE();
	MQCLOSE(self->c, &ho, MQCO_NONE, &cc, &rc);
	EXPECT_EQ(MQRC_NONE, rc);
	NONE();
}

TEST_HARNESS_MAIN
