/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The fixture of tests of triggers: the queue APP with a process, an initiation
 * queue that is open for input, a dead-letter queue.
 */
#ifndef SELFTESTS_TRIGGER_FIXTURE_H
#define SELFTESTS_TRIGGER_FIXTURE_H

#include "kselftest_harness.h"
#include "mqi.h"

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
static inline int triggers(struct mqh *init)
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

#endif
