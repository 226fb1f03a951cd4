/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Triggering (objects.md section 11): when a trigger message is made.
 */
#include <string.h>
#include <unistd.h>
#include "trigger_fixture.h"
#include "waiter.h"

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
