/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Trigger messages (objects.md section 11): when one that is made appears, where
 * it ends up, and what it says.
 */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "trigger_fixture.h"
#include "waiter.h"

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

TEST_HARNESS_MAIN
