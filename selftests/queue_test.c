/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Queues as objects: MQOPEN and MQCLOSE of local queues (O-OPEN, O-CLOSE),
 * input conflicts (UC-071), definition by the administrator.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "q_fixture.h"

static const char *open_od(MQHCONN hc, MQOD *od, MQLONG options, MQHOBJ *ho)
{
	MQLONG cc, rc;

	*ho = 77;
	MQOPEN(hc, od, options, ho, &cc, &rc);
	return outcome(cc, rc);
}

static MQOD od_of(const char *name, MQLONG version)
{
	MQOD od = { MQOD_DEFAULT };

	od.Version = version;
	memcpy(od.ObjectName, name, strlen(name) + 1);
	return od;
}

/* table 3.1: structure and type */
TEST_F(q, object_descriptor)
{
	MQOD od;
	MQHOBJ ho;
	int v;

	od = od_of(Q, 1);
	od.StrucId[0] = 'X';
	EXPECT_STREQ("F2044", open_od(self->c, &od, MQOO_OUTPUT, &ho));
	EXPECT_EQ(MQHO_UNUSABLE_HOBJ, ho);
	EXPECT_STREQ("F2044", open_od(self->c, NULL, MQOO_OUTPUT, &ho));
	for (v = -1; v <= 5; v++) {
		od = od_of(Q, v);
		if (v < 1 || v > 4) {
			EXPECT_STREQ("F2044", open_od(self->c, &od,
						      MQOO_OUTPUT, &ho));
			EXPECT_EQ(MQHO_UNUSABLE_HOBJ, ho);
			continue;
		}
		/* fields above the version are neither read nor written */
		memset((char *)&od + (v == 1 ? 168 : v == 2 ? 208 :
				      v == 3 ? 344 : 424), POISON,
		       sizeof(od) - (v == 1 ? 168 : v == 2 ? 208 :
				     v == 3 ? 344 : 424));
		EXPECT_STREQ("OK", open_od(self->c, &od, MQOO_OUTPUT, &ho))
			TH_LOG("version %d", v);
		EXPECT_LT(0, ho);
		EXPECT_EQ(v >= 2 ? 1 : 0x55555555, od.KnownDestCount);
		EXPECT_EQ(v >= 3, FIELD_IS(od.ResolvedQName, Q));
		EXPECT_EQ(v < 3, od.ResolvedQName[0] == POISON);
		EXPECT_EQ(v >= 3, FIELD_IS(od.ResolvedQMgrName, QM));
		EXPECT_EQ(v == 4 ? MQOT_Q : 0x55555555, od.ResolvedType);
	}
	od = od_of(Q, 1);
	od.ObjectType = 4711;
	EXPECT_STREQ("F2043", open_od(self->c, &od, MQOO_OUTPUT, &ho));
	od.ObjectType = MQOT_Q_MGR;
	EXPECT_STREQ("F2194", open_od(self->c, &od, MQOO_INQUIRE, &ho));
	od = od_of(Q, 2);
	od.RecsPresent = -1;
	EXPECT_STREQ("F2154", open_od(self->c, &od, MQOO_OUTPUT, &ho));
	EXPECT_EQ(MQHO_UNUSABLE_HOBJ, ho);
}

/* O-NAME-1, O-NAME-2, table 4 */
TEST_F(q, names)
{
	static const char *const unknown[] = { "KT.NONE", "kt.q", "KT.Q.X",
					       "KT Q", "KT?Q", "../admin" };
	MQOD od;
	MQHOBJ ho;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(unknown); i++) {
		od = od_of(unknown[i], 1);
		EXPECT_STREQ("F2085", open_od(self->c, &od, MQOO_OUTPUT, &ho))
			TH_LOG("'%s'", unknown[i]);
		EXPECT_EQ(MQHO_UNUSABLE_HOBJ, ho);
	}
	/* what follows a null does not count */
	od = od_of(Q, 1);
	strcpy(od.ObjectName + sizeof(Q), "GARBAGE");
	EXPECT_STREQ("OK", open_od(self->c, &od, MQOO_OUTPUT, &ho));
	od = od_of(Q, 3);
	strcpy(od.ObjectQMgrName, QM);
	EXPECT_STREQ("OK", open_od(self->c, &od, MQOO_OUTPUT, &ho));
	strcpy(od.ObjectQMgrName, "NOWHERE");
	EXPECT_STREQ("F2087", open_od(self->c, &od, MQOO_OUTPUT, &ho));
	/* every character a name may have; '/' and '%' are encoded in nodes */
	EXPECT_STREQ("OK", define("kt.aZ09/_%", "descr=odd"));
	EXPECT_STREQ("OK", opn_rc(self->c, "kt.aZ09/_%", "iobqs"));
	EXPECT_EQ(0, access("/dev/kmq/" QM "/queue/kt.aZ09%2F_%25", F_OK));
	EXPECT_STREQ("OK", define("..", ""));
	EXPECT_STREQ("OK", opn_rc(self->c, "..", "io"));
	EXPECT_EQ(0, access("/dev/kmq/" QM "/queue/%2E%2E", F_OK));
	EXPECT_STREQ("F4008", define("KT*BAD", ""));
	EXPECT_STREQ("F4008", define("", ""));
}

/* O-OPEN-1 */
TEST_F(q, open_options)
{
	static const struct {
		MQLONG options;
		const char *want;
	} cases[] = {
		{ 0, "F2046" },
		{ MQOO_FAIL_IF_QUIESCING, "F2046" },
		{ MQOO_BIND_ON_OPEN, "F2046" },
		{ MQOO_INPUT_AS_Q_DEF | MQOO_INPUT_SHARED, "F2046" },
		{ MQOO_INPUT_SHARED | MQOO_INPUT_EXCLUSIVE, "F2046" },
		{ MQOO_OUTPUT | MQOO_BIND_ON_OPEN | MQOO_BIND_NOT_FIXED,
		  "F2046" },
		{ MQOO_OUTPUT | MQOO_BIND_ON_OPEN | MQOO_BIND_ON_GROUP,
		  "F2046" },
		{ MQOO_INPUT_SHARED | MQOO_READ_AHEAD | MQOO_NO_READ_AHEAD,
		  "F2046" },
		{ MQOO_OUTPUT | MQOO_SAVE_ALL_CONTEXT, "F2046" },
		{ MQOO_BROWSE | MQOO_SAVE_ALL_CONTEXT, "F2046" },
		{ MQOO_INPUT_SHARED | MQOO_PASS_IDENTITY_CONTEXT, "F2046" },
		{ MQOO_INPUT_SHARED | MQOO_SET_ALL_CONTEXT, "F2046" },
		{ MQOO_INPUT_SHARED | MQOO_CO_OP, "F2046" },
		{ MQOO_INPUT_SHARED | MQOO_NO_MULTICAST, "F2046" },
		{ MQOO_OUTPUT | 0x01000000, "F2046" },
		{ MQOO_OUTPUT | (MQLONG)0x80000000, "F2046" },
		{ MQOO_OUTPUT | MQOO_BIND_ON_OPEN, "OK" },
		{ MQOO_OUTPUT | MQOO_BIND_NOT_FIXED, "OK" },
		{ MQOO_OUTPUT | MQOO_BIND_ON_GROUP, "OK" },
		{ MQOO_OUTPUT | MQOO_RESOLVE_NAMES | MQOO_RESOLVE_LOCAL_Q,
		  "OK" },
		{ MQOO_OUTPUT | MQOO_NO_MULTICAST, "OK" },
		{ MQOO_INPUT_SHARED | MQOO_READ_AHEAD, "OK" },
		{ MQOO_INPUT_SHARED | MQOO_SAVE_ALL_CONTEXT, "OK" },
		{ MQOO_BROWSE | MQOO_CO_OP, "OK" },
		{ MQOO_OUTPUT | MQOO_PASS_ALL_CONTEXT, "OK" },
		{ MQOO_OUTPUT | MQOO_SET_ALL_CONTEXT, "OK" },
		{ MQOO_INQUIRE, "OK" },
		{ MQOO_SET, "OK" },
		{ MQOO_BROWSE | MQOO_FAIL_IF_QUIESCING, "OK" },
	};
	unsigned int i;
	MQHOBJ ho;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		MQOD od = od_of(Q, 1);

		EXPECT_STREQ(cases[i].want,
			     open_od(self->c, &od, cases[i].options, &ho))
			TH_LOG("options %#x", cases[i].options);
		if (cases[i].want[0] == 'F') {
			EXPECT_EQ(MQHO_UNUSABLE_HOBJ, ho);
		} else {
			EXPECT_LT(0, ho);
		}
	}
}

/* O-OPEN-3, UC-071, G-OPN-1 */
TEST_F(q, exclusive_and_shared_input)
{
	struct mqh *x;

	EXPECT_STREQ("F2042", opn_rc(self->c, Q, "x"));
	EXPECT_STREQ("OK", opn_rc(self->c, Q, "i"));
	shut(self->h);
	EXPECT_STREQ("F2042", opn_rc(self->c, Q, "x"));
	shut(self->k);
	x = opn(self->c, Q, "x");
	ASSERT_EQ(0, x->cc);
	EXPECT_STREQ("F2042", opn_rc(self->c, Q, "x"));
	EXPECT_STREQ("F2042", opn_rc(self->c, Q, "i"));
	EXPECT_STREQ("F2042", opn_rc(self->d, Q, "i"));
	EXPECT_STREQ("F2042", opn_rc(self->d, Q, "d"));
	EXPECT_STREQ("OK", opn_rc(self->d, Q, "o"));
	EXPECT_STREQ("OK", opn_rc(self->d, Q, "b"));
	EXPECT_STREQ("OK", opn_rc(self->d, Q, "qs"));
	EXPECT_STREQ("OK", shut(x));
	EXPECT_STREQ("OK", opn_rc(self->d, Q, "x"));
	/* browse, output, inquire and set do not stand in its way */
	opn(self->c, Q, "boqs");
	EXPECT_STREQ("OK", opn_rc(self->d, Q, "x"));
}

/* UC-071: released at the death of the holder */
TEST_F(q, exclusive_input_ends_with_the_process)
{
	int up[2], st;
	char c = 0;
	pid_t pid;

	shut(self->h);
	shut(self->k);
	ASSERT_EQ(0, pipe(up));
	pid = fork();
	if (!pid) {
		opn(conn(), Q, "x");
		if (write(up[1], &c, 1) == 1)
			pause();
		_exit(0);
	}
	ASSERT_EQ(1, read(up[0], &c, 1));
	EXPECT_STREQ("F2042", opn_rc(self->c, Q, "i"));
	kill(pid, SIGKILL);
	waitpid(pid, &st, 0);
	EXPECT_STREQ("OK", opn_rc(self->c, Q, "x"));
	EXPECT_EQ(0, (int)status(Q).out_open_input);
}

/* O-OPEN-4, G-OPN-1: Shareability and DefInputOpenOption */
TEST_F(q, defaults_of_input)
{
	struct mqh *a;

	define(Q "2", "share=0");
	a = opn(self->c, Q "2", "i");
	ASSERT_EQ(0, a->cc);
	EXPECT_STREQ("F2042", opn_rc(self->d, Q "2", "i"));
	EXPECT_STREQ("OK", opn_rc(self->d, Q "2", "bo"));
	shut(a);
	define(Q "3", "defsopt=4");
	a = opn(self->c, Q "3", "d");
	ASSERT_EQ(0, a->cc);
	EXPECT_STREQ("F2042", opn_rc(self->d, Q "3", "d"));
	EXPECT_STREQ("F2042", opn_rc(self->d, Q "3", "i"));
	shut(a);
	a = opn(self->c, Q "3", "i");
	EXPECT_STREQ("OK", opn_rc(self->d, Q "3", "i"));
	EXPECT_STREQ("F2042", opn_rc(self->d, Q "3", "d"));
}

/* O-OPEN-6, UC-105 */
TEST_F(q, open_counts)
{
	struct mqh *b, *o, *i;

	EXPECT_EQ(2, inquire_int(Q, MQIA_OPEN_INPUT_COUNT));
	EXPECT_EQ(2, inquire_int(Q, MQIA_OPEN_OUTPUT_COUNT));
	b = opn(self->c, Q, "bqs");
	EXPECT_EQ(2, inquire_int(Q, MQIA_OPEN_INPUT_COUNT));
	o = opn(self->c, Q, "o");
	EXPECT_EQ(3, inquire_int(Q, MQIA_OPEN_OUTPUT_COUNT));
	EXPECT_EQ(2, inquire_int(Q, MQIA_OPEN_INPUT_COUNT));
	i = opn(self->c, Q, "i");
	EXPECT_EQ(3, inquire_int(Q, MQIA_OPEN_INPUT_COUNT));
	EXPECT_STREQ("OK", shut(b));
	EXPECT_STREQ("OK", shut(o));
	EXPECT_STREQ("OK", shut(i));
	EXPECT_STREQ("F2042", opn_rc(self->c, Q, "x"));
	EXPECT_EQ(2, inquire_int(Q, MQIA_OPEN_INPUT_COUNT));
	disc(&self->d);
	self->d = MQHC_UNUSABLE_HCONN;
	EXPECT_EQ(1, inquire_int(Q, MQIA_OPEN_INPUT_COUNT));
	EXPECT_EQ(1, inquire_int(Q, MQIA_OPEN_OUTPUT_COUNT));
}

/* O-OPEN-7, O-OPEN-8, P-CALL-3, G-OPN-2, UC-002 */
TEST_F(q, handles_are_what_they_were_opened_for)
{
	struct mqh *i = opn(self->c, Q, "i"), *o = opn(self->c, Q, "o");
	struct mqh *b = opn(self->c, Q, "b"), *b2 = opn(self->c, Q, "b");

	PUT("F2039", i, "A");
	PUT("F2039", b, "A");
	PUTS(o, "A; B");
	GET("F2037", o, "");
	GET("F2036", o, "BF");
	GET("F2036", i, "BF");
	GET("F2037", b, "");
	GET("A", b, "BN");
	GET("B", b, "BN");
	GET("A", b2, "BN");	/* a cursor of its own */
	EXPECT_STREQ("OK", alter(Q, "get=1 put=1"));
	EXPECT_STREQ("OK", opn_rc(self->c, Q, "iob"));
	EXPECT_STREQ("OK", alter(Q, "get=0 put=0"));
	GET("A", i, "");
}

static const char *close_with(struct mqh *h, MQLONG options)
{
	MQLONG cc, rc;

	MQCLOSE(h->hc, &h->ho, options, &cc, &rc);
	return outcome(cc, rc);
}

/* O-CLOSE-1, O-CLOSE-2, O-CLOSE-4, table 6 */
TEST_F(q, close_options)
{
	MQHOBJ was = self->h->ho;

	EXPECT_STREQ("F2046", close_with(self->h, 0x100));
	EXPECT_STREQ("F2046", close_with(self->h, MQCO_DELETE |
						  MQCO_DELETE_PURGE));
	EXPECT_STREQ("F2045", close_with(self->h, MQCO_DELETE));
	EXPECT_STREQ("F2045", close_with(self->h, MQCO_DELETE_PURGE));
	EXPECT_STREQ("F2045", close_with(self->h, MQCO_KEEP_SUB));
	EXPECT_STREQ("F2045", close_with(self->h, MQCO_REMOVE_SUB));
	/* it is still open */
	EXPECT_EQ(was, self->h->ho);
	PUT("OK", self->h, "A");
	EXPECT_STREQ("OK", close_with(self->h, MQCO_QUIESCE));
	EXPECT_EQ(MQHO_UNUSABLE_HOBJ, self->h->ho);
	EXPECT_STREQ("F2019", close_with(self->h, MQCO_NONE));
}

/* O-CLOSE-5, G-CLO-1 */
TEST_F(q, close_does_not_touch_the_unit_of_work)
{
	PUTS(self->h, "A; B SP");
	GET("A", self->h, "SP");
	EXPECT_STREQ("OK", shut(self->h));
	EXPECT_EQ(1, depth(Q));
	GET("F2033", self->k, "");
	EXPECT_STREQ("OK", back(self->c));
	GET("A", self->k, "");
	EXPECT_EQ(1, self->k->md.BackoutCount);
	EXPECT_EQ(0, depth(Q));
}

/* <linux/kmq.h>: define, replace, alter, delete, clear */
TEST_F(q, administration)
{
	struct kmq_define d = { .size = sizeof(d), .object_type = MQOT_Q,
				.q_type = MQQT_LOCAL };

	field_set((char *)d.name, KMQ_NAME_LEN, Q);
	field_set((char *)d.like, KMQ_NAME_LEN, "");
	ASSERT_EQ(0, ioctl(admin_fd(), KMQ_IOC_DEFINE, &d));
	EXPECT_EQ(4001, d.out_reason);
	d.flags = KMQ_DEFINE_REPLACE;
	d.q_type = MQQT_MODEL;
	ASSERT_EQ(0, ioctl(admin_fd(), KMQ_IOC_DEFINE, &d));
	EXPECT_EQ(4002, d.out_reason);
	d.q_type = MQQT_LOCAL;
	PUTS(self->h, "A; B SP");
	EXPECT_STREQ("F2055", clear_q(Q));		/* U-LOCK-1 */
	ASSERT_EQ(0, ioctl(admin_fd(), KMQ_IOC_DEFINE, &d));
	EXPECT_EQ(0, d.out_reason);
	EXPECT_EQ(0, inquire_int(Q, MQIA_MSG_DELIVERY_SEQUENCE));
	EXPECT_EQ(2, depth(Q));				/* messages kept */

	EXPECT_STREQ("F2085", alter("KT.NONE", "depth=1"));
	EXPECT_STREQ("F4005", alter(Q, "depth=7 pri=10"));
	EXPECT_EQ(5000, inquire_int(Q, MQIA_MAX_Q_DEPTH));
	EXPECT_STREQ("F4005", alter(Q, "len=104857601"));
	EXPECT_STREQ("F3015", alter(Q, "rname=X"));
	EXPECT_STREQ("F3014", alter(Q, "maxuncom=5"));
	EXPECT_STREQ("OK", alter(Q, "depth=7 depth=8 descr=text"));
	EXPECT_EQ(8, inquire_int(Q, MQIA_MAX_Q_DEPTH));

	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_STREQ("F4004", delete_q(Q, KMQ_DELETE_PURGE));
	EXPECT_STREQ("OK", clear_q(Q));			/* open: never mind */
	EXPECT_EQ(0, depth(Q));
	PUTS(self->h, "A; B");
	GET("A", self->h, "SP");
	EXPECT_STREQ("OK", shut(self->h));
	EXPECT_STREQ("OK", shut(self->k));
	EXPECT_STREQ("F2055", clear_q(Q));
	EXPECT_STREQ("F2055", delete_q(Q, 0));
	EXPECT_STREQ("F2055", delete_q(Q, KMQ_DELETE_PURGE));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_STREQ("F2055", delete_q(Q, 0));
	EXPECT_STREQ("OK", clear_q(Q));
	EXPECT_EQ(0, depth(Q));
	EXPECT_STREQ("OK", delete_q(Q, 0));
	EXPECT_STREQ("F2085", delete_q(Q, 0));
	EXPECT_STREQ("F2085", clear_q(Q));
	EXPECT_NE(0, access("/dev/kmq/" QM "/queue/" Q, F_OK));
	EXPECT_STREQ("F2085", opn_rc(self->c, Q, "i"));
}

/* LIKE: what is not given comes from the other queue. */
TEST_F(q, define_like)
{
	struct kmq_attr a = { .selector = MQIA_DEF_PRIORITY, .value = 4 };
	struct kmq_define d = { .size = sizeof(d), .object_type = MQOT_Q,
				.q_type = MQQT_LOCAL, .attr_count = 1,
				.attrs = (uintptr_t)&a };

	define(Q "2", "");
	delete_q(Q "2", 0);
	EXPECT_STREQ("OK", alter(Q, "depth=17 pri=2"));
	field_set((char *)d.name, KMQ_NAME_LEN, Q "2");
	field_set((char *)d.like, KMQ_NAME_LEN, "KT.NONE");
	ASSERT_EQ(0, ioctl(admin_fd(), KMQ_IOC_DEFINE, &d));
	EXPECT_EQ(2085, d.out_reason);
	field_set((char *)d.like, KMQ_NAME_LEN, Q);
	d.q_type = MQQT_MODEL;
	ASSERT_EQ(0, ioctl(admin_fd(), KMQ_IOC_DEFINE, &d));
	EXPECT_EQ(4003, d.out_reason);
	d.q_type = MQQT_LOCAL;
	ASSERT_EQ(0, ioctl(admin_fd(), KMQ_IOC_DEFINE, &d));
	EXPECT_EQ(0, d.out_reason);
	EXPECT_EQ(17, inquire_int(Q "2", MQIA_MAX_Q_DEPTH));
	EXPECT_EQ(1, inquire_int(Q "2", MQIA_MSG_DELIVERY_SEQUENCE));
	EXPECT_EQ(4, inquire_int(Q "2", MQIA_DEF_PRIORITY));
	EXPECT_EQ(0, inquire_int(Q "2", MQIA_CURRENT_Q_DEPTH));
}

/* O-AUTH-1, O-AUTH-3, O-AUTH-4: the node's permission is the authority. */
TEST_F(q, permissions_of_the_node)
{
	int st, bad = 0;
	struct stat s;
	pid_t pid;

	define(Q "2", "mode=0664 uid=11 gid=12");
	ASSERT_EQ(0, stat("/dev/kmq/" QM "/queue/" Q "2", &s));
	EXPECT_EQ(0664, s.st_mode & 0777);
	EXPECT_EQ(11, s.st_uid);
	EXPECT_EQ(12, s.st_gid);
	ASSERT_EQ(0, stat("/dev/kmq/" QM "/queue/" Q, &s));
	EXPECT_EQ(0660, s.st_mode & 0777);
	ASSERT_EQ(0, stat("/dev/kmq/" QM "/qmgr", &s));
	if ((s.st_mode & 0666) != 0666)
		chmod("/dev/kmq/" QM "/qmgr", 0666);
	chmod("/dev/kmq", 0755);
	pid = fork();
	if (!pid) {
		MQHCONN hc;

		if (setgid(1234) || setuid(1234))
			_exit(99);
		hc = conn();
		bad |= strcmp(opn_rc(hc, Q, "i"), "F2035") ? 1 : 0;
		bad |= strcmp(opn_rc(hc, Q, "o"), "F2035") ? 2 : 0;
		bad |= strcmp(opn_rc(hc, Q "2", "iqb"), "OK") ? 4 : 0;
		bad |= strcmp(opn_rc(hc, Q "2", "o"), "F2035") ? 8 : 0;
		bad |= strcmp(opn_rc(hc, Q "2", "s"), "F2035") ? 16 : 0;
		bad |= open_node(Q, O_RDONLY) >= 0 ? 32 : 0;
		_exit(bad);
	}
	waitpid(pid, &st, 0);
	EXPECT_TRUE(WIFEXITED(st));
	EXPECT_EQ(0, WEXITSTATUS(st));
	chmod("/dev/kmq/" QM "/qmgr", s.st_mode & 0777);
}

/* O-OPEN-10, O-OPEN-13: all faults at once, mended in the order of the list */
TEST_F(q, order_of_checks)
{
	MQOD od = od_of("KT.NONE", 9);
	MQLONG options = MQOO_BIND_ON_OPEN | MQOO_FAIL_IF_QUIESCING;
	MQHCONN c = -1;
	MQHOBJ ho;

	od.ObjectType = 4711;
#define NEXT(want)	EXPECT_STREQ(want, open_od(c, &od, options, &ho))
	NEXT("F2018");
	EXPECT_EQ(MQHO_UNUSABLE_HOBJ, ho);
	c = self->c;
	NEXT("F2044");
	od.Version = 2;
	od.RecsPresent = -1;
	NEXT("F2043");
	od.ObjectType = MQOT_Q;
	NEXT("F2154");
	od.RecsPresent = 0;
	NEXT("F2046");
	options |= MQOO_INPUT_EXCLUSIVE | MQOO_SET;
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	NEXT("F2161");
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	NEXT("F2085");
	EXPECT_STREQ("OK", alter_qmgr("handles=2"));
	memcpy(od.ObjectName, Q, sizeof(Q));
	opn(self->c, Q, "o");
	NEXT("F2042");
	shut(self->h);
	shut(self->k);
	opn(self->c, Q, "o");
	NEXT("F2017");
	EXPECT_STREQ("OK", alter_qmgr("handles=256"));
	NEXT("OK");
#undef NEXT
}

/* O-NAME-3: one name space for all kinds of queues */
TEST_F(q, one_name_space)
{
	EXPECT_STREQ("F4002", alter(Q, "alias target=X"));
	EXPECT_STREQ("OK", define(Q "2", "alias target=" Q));
	EXPECT_STREQ("F4002", alter(Q "2", "depth=1"));
}

TEST_HARNESS_MAIN
