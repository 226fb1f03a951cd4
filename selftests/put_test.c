/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * MQPUT and MQPUT1 of single messages: order of checks (P-CHK), priorities and
 * the place on the queue (P-POS, P-PRI), limits (P-Q), inhibit, lengths.
 */
#include <fcntl.h>
#include <mqueue.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "q_fixture.h"

/* A put with everything in the program's hands. */
static const char *put_raw(MQHCONN hc, MQHOBJ ho, void *md, void *pmo,
			   MQLONG len, const void *buf)
{
	MQLONG cc, rc;

	MQPUT(hc, ho, md, pmo, len, (void *)buf, &cc, &rc);
	return outcome(cc, rc);
}

/* P-PRI-1..4, P-SCN-13, M-PRI-1, M-PRI-2, UC-085 */
TEST_F(q, priority_values)
{
	ASSERT_STREQ("OK", define(Q "2", "pri=3"));
	self->h = opn(self->c, Q "2", "iob");
	PUT("OK", self->h, "A p=-1");
	EXPECT_EQ(3, self->h->md.Priority);		/* P-PER-4 */
	PUT("F2050", self->h, "X p=-2");
	PUT("F2050", self->h, "X p=-3");
	PUT("F2050", self->h, "X p=-2147483648");
	PUT("OK", self->h, "B p=0");
	PUT("OK", self->h, "C p=9");
	PUT("W2049", self->h, "D p=12");
	EXPECT_EQ(12, self->h->md.Priority);
	PUT("W2049", self->h, "E p=10");
	PUT("OK", self->h, "F p=9");
	PUT("W2049", self->h, "G p=2147483647");
	/* the default is read at put time */
	EXPECT_STREQ("OK", alter(Q "2", "pri=5"));
	PUT("OK", self->h, "H p=-1");
	/* those above 9 rank as 9, with the priority given */
	GET("C", self->h, "");
	GET("D", self->h, "");
	EXPECT_EQ(12, self->h->md.Priority);
	EXPECT_STREQ("E F G H A B", drain(self->h, ""));
}

/* P-POS-1, P-POS-2, M-PRI-3, M-PRI-4, M-PRI-5 */
TEST_F(q, place_on_a_fifo_queue)
{
	PUTS(self->h, "A p=1; B p=9; C p=5");
	LIST("A B C");
	/* raising DefPriority: later ones overtake, those there stay */
	EXPECT_STREQ("OK", alter(Q, "pri=4"));
	PUTS(self->h, "D p=0; E p=9");
	LIST("D E A B C");
	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	PUTS(self->h, "F p=4; G p=5; H p=0; I p=3");
	LIST("G D E F I A B C H");
	EXPECT_STREQ("OK", alter(Q, "fifo=1 pri=0"));
	PUTS(self->h, "J p=9");
	LIST("G D E F I A B C H J");
	EXPECT_STREQ("G D E F I A B C H J", drain(self->h, ""));
}

/* P-POS-3, P-POS-4, M-PRI-6, G-PHY-3: put order within a priority */
TEST_F(q, order_within_a_priority)
{
	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	PUTS(self->h, "A p=2 SP; B p=2 per=1; C p=2 len=60000 SP; D p=2");
	PUTS(self->k, "E p=2");
	LIST("B D E");
	EXPECT_STREQ("OK", commit(self->c));
	LIST("A B C D E");
}

static unsigned int seed;

static unsigned int dice(unsigned int n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

/*
 * UC-107, UC-110: random priorities, side by side with a POSIX queue where
 * there is one, else with a model.
 */
TEST_F(q, random_priorities_against_posix_mq)
{
	struct mq_attr attr = { .mq_maxmsg = 10, .mq_msgsize = 32 };
	char name[32], text[64], seen[32];
	int count[10] = { 0 }, head[10] = { 0 }, i, n = 0, p;
	static int model[10][400];
	unsigned int pri;
	mqd_t mq;

	mq = mq_open("/kt", O_RDWR | O_CREAT | O_NONBLOCK, 0600, &attr);
	mq_unlink("/kt");
	EXPECT_STREQ("OK", alter(Q, "fifo=0"));
	seed = 4711;
	for (i = 0; i < 400; i++) {
		if (n < 10 && (!n || dice(2))) {
			p = dice(10);
			sprintf(name, "R%d", i);
			sprintf(text, "%s p=%d", name, p);
			EXPECT_STREQ("OK", put(self->h, text));
			if (mq >= 0) {
				EXPECT_EQ(0, mq_send(mq, name, 32, p));
			}
			model[p][count[p]++] = i;
			n++;
			continue;
		}
		for (p = 9; head[p] == count[p]; p--)
			;
		sprintf(name, "R%d", model[p][head[p]++]);
		GET(name, self->h, "");
		EXPECT_EQ(p, self->h->md.Priority);
		if (mq >= 0) {
			EXPECT_EQ(32, mq_receive(mq, seen, 32, &pri));
			EXPECT_STREQ(name, seen);
			EXPECT_EQ((unsigned int)p, pri);
		}
		n--;
	}
	EXPECT_EQ(n, depth(Q));
	if (mq >= 0)
		mq_close(mq);
}

/* P-Q-2, P-SCN-12, UC-085, O-QATT-4 */
TEST_F(q, depth_limit)
{
	EXPECT_STREQ("OK", alter(Q, "depth=2"));
	PUT("OK", self->h, "A SP");
	PUT("OK", self->k, "B");
	PUT("F2053", self->k, "C");
	PUT("F2053", self->k, "C p=9");
	PUT("F2053", self->k, "C SP");
	EXPECT_EQ(2, depth(Q));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(1, depth(Q));
	PUT("OK", self->k, "C");
	PUT("F2053", self->k, "D");
	/* got but not committed does not count; back-out may go over */
	GET("B", self->h, "SP");
	PUT("OK", self->k, "D");
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(3, depth(Q));				/* P-Q-3 */
	PUT("F2053", self->k, "E");
	GET("B", self->k, "");
	PUT("F2053", self->k, "E");
	GET("C", self->k, "");
	PUT("OK", self->k, "E");
	EXPECT_STREQ("OK", alter(Q, "depth=1"));
	PUT("F2053", self->k, "F");
	LIST("D E");
	EXPECT_STREQ("OK", alter(Q, "depth=0"));
	EXPECT_STREQ("D E", drain(self->k, ""));
	PUT("F2053", self->k, "F");
}

/* P-Q-4, P-Q-5, UC-067 */
TEST_F(q, length_limit)
{
	EXPECT_STREQ("OK", alter(Q, "len=1000"));
	PUT("OK", self->h, "A len=1000");
	PUT("F2030", self->h, "B len=1001");
	PUT("OK", self->h, "C len=0");
	EXPECT_STREQ("OK", alter(Q, "len=0"));
	PUT("F2030", self->h, "D len=1");
	PUT("OK", self->h, "E len=0");
	EXPECT_STREQ("A C E", drain(self->h, ""));
	EXPECT_STREQ("OK", alter(Q, "len=104857600"));
	EXPECT_STREQ("OK", alter_qmgr("len=32768"));
	PUT("F2031", self->h, "F len=32769");
	PUT("OK", self->h, "G len=32768");
	EXPECT_STREQ("OK", alter(Q, "len=32767"));
	PUT("F2030", self->h, "H len=32768");
	EXPECT_STREQ("OK", alter_qmgr("len=4194304"));
	GET("G", self->h, "");
	EXPECT_EQ(32768, self->h->dlen);
}

/* P-Q-1, M-QAT */
TEST_F(q, put_inhibited)
{
	PUT("OK", self->h, "A");
	EXPECT_STREQ("OK", alter(Q, "put=1"));
	PUT("F2051", self->h, "B");
	PUT("F2051", self->h, "B SP");
	GET("A", self->h, "");
	EXPECT_STREQ("OK", alter(Q, "put=0"));
	PUT("OK", self->h, "B");
	EXPECT_EQ(1, depth(Q));
}

/* P-PER-1, P-PER-3, P-PER-4, M-PER-1 */
TEST_F(q, persistence_values)
{
	PUT("F2047", self->h, "X per=3");
	PUT("F2047", self->h, "X per=-1");
	PUT("OK", self->h, "A per=0");
	PUT("OK", self->h, "B per=1");
	PUT("OK", self->h, "C per=2");
	EXPECT_EQ(0, self->h->md.Persistence);
	EXPECT_STREQ("OK", alter(Q, "per=1"));
	PUT("OK", self->h, "D per=2");
	EXPECT_EQ(1, self->h->md.Persistence);
	EXPECT_STREQ("A B C D", drain(self->h, ""));
}

/* Every boundary of storage; data checked by get(). */
TEST_F(q, lengths)
{
	static const int lens[] = { 0, 1, 7, 8, 63, 64, 65, 127, 128, 129, 255,
				    256, 257, 511, 512, 513, 1023, 1024, 1025,
				    2047, 2048, 2049, 3800, 4000, 4032, 4064,
				    4095, 4096, 4097, 8191, 8192, 8193, 16384,
				    65535, 65536, 65537, 1048575, 1048576,
				    1048577, 4194304 };
	char text[64], name[16];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		sprintf(name, "L%d", lens[i]);
		sprintf(text, "%s len=%d", name, lens[i]);
		EXPECT_STREQ("OK", put(self->h, text)) TH_LOG("%s", name);
	}
	EXPECT_EQ(ARRAY_SIZE(lens), depth(Q));
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		sprintf(name, "L%d", lens[i]);
		sprintf(text, "buf=%d", lens[i]);
		GET(name, self->h, text);
		EXPECT_EQ(lens[i], self->h->dlen);
	}
}

/* 100 MiB, the longest there is, and one byte more. */
TEST_F(q, longest_message)
{
	EXPECT_STREQ("OK", alter(Q, "len=104857600"));
	EXPECT_STREQ("OK", alter_qmgr("len=104857600"));
	PUT("F2031", self->h, "X len=104857601");
	PUT("OK", self->h, "BIG len=104857600");
	GET("W2080 BIG", self->h, "buf=100");
	EXPECT_EQ(104857600, self->h->dlen);
	GET("BIG", self->h, "buf=104857600");
	EXPECT_EQ(0, depth(Q));
	EXPECT_STREQ("OK", alter_qmgr("len=4194304"));
}

/* P-CALL-4 and what becomes unreadable in the middle: 2004, nothing queued */
TEST_F(q, unreadable_buffer)
{
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	size_t page = 65536;
	char *m = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	MQHCONN c = self->c;
	MQHOBJ o = self->h->ho;

	ASSERT_NE(MAP_FAILED, m);
	memset(m, 'x', page);
	ASSERT_EQ(0, munmap(m + page, page));
	EXPECT_STREQ("F2004", put_raw(c, o, &md, &pmo, 1, NULL));
	EXPECT_STREQ("F2004", put_raw(c, o, &md, &pmo, 10, m + page - 5));
	EXPECT_STREQ("F2004", put_raw(c, o, &md, &pmo, page + 1, m));
	EXPECT_STREQ("F2004", put_raw(c, o, &md, &pmo, 8, m + page));
	pmo.Options = MQPMO_SYNCPOINT;
	EXPECT_STREQ("F2004", put_raw(c, o, &md, &pmo, page + 4096, m));
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_puts);
	EXPECT_EQ(0, (int)status(Q).out_bytes);
	/* length 0: the buffer is not looked at */
	EXPECT_STREQ("OK", put_raw(c, o, &md, &pmo, 0, m + page));
	EXPECT_STREQ("OK", put_raw(c, o, &md, &pmo, page, m));
	EXPECT_EQ(2, depth(Q));
	EXPECT_STREQ("OK", back(c));
}

/* P-CALL-1..6, P-OPT-1..7: each alone */
TEST_F(q, bad_input)
{
	static const struct {
		const char *put, *want;
	} cases[] = {
		{ "X opt=0x1", "F2046" }, { "X opt=0x80000000", "F2046" },
		{ "X SP NS", "F2046" },
		{ "X opt=0x4020", "F2046" },	/* two contexts */
		{ "X opt=0x300", "F2046" }, { "X opt=0xc00", "F2046" },
		{ "X opt=0x30000", "F2046" },	/* ASYNC and SYNC */
		{ "X opt=0x1000", "F2046" },	/* ALTERNATE_USER: PUT1 only */
		{ "X opt=0x100", "F2094" }, { "X opt=0x200", "F2093" },
		{ "X opt=0x400", "F2096" }, { "X opt=0x800", "F2095" },
		{ "X mt=3", "F2029" }, { "X mt=0", "F2029" },
		{ "X mt=65535", "F2029" }, { "X mt=1000000000", "F2029" },
		{ "X exp=0", "F2013" }, { "X exp=-2", "F2013" },
		{ "X fb=-1", "F2014" }, { "X fb=1000000000", "F2014" },
		{ "X rep=0x00040000", "F2061" },
		{ "X f=- fx=0x20", "F2249" }, { "X fx=0x1000", "F2249" },
		{ "X mt=1", "F2027" }, { "X rep=0x100", "F2027" },
	};
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	unsigned int i;
	int v;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		PUT(cases[i].want, self->h, cases[i].put)
			TH_LOG("%s", cases[i].put);
	}
	EXPECT_STREQ("F2026", put_raw(self->c, self->h->ho, NULL, &pmo, 0, ""));
	EXPECT_STREQ("F2173", put_raw(self->c, self->h->ho, &md, NULL, 0, ""));
	EXPECT_STREQ("F2005", put_raw(self->c, self->h->ho, &md, &pmo, -1, ""));
	EXPECT_STREQ("F2005", put_raw(self->c, self->h->ho, &md, &pmo,
				      -2147483647 - 1, ""));
	for (v = -1; v <= 4; v++) {
		md.Version = v;
		EXPECT_STREQ(v == 1 || v == 2 ? "OK" : "F2026",
			     put_raw(self->c, self->h->ho, &md, &pmo, 0, ""));
		md.Version = 1;
		pmo.Version = v;
		EXPECT_STREQ(v >= 1 && v <= 3 ? "OK" : "F2173",
			     put_raw(self->c, self->h->ho, &md, &pmo, 0, ""));
		pmo.Version = 1;
	}
	md.StrucId[3] = 'X';
	EXPECT_STREQ("F2026", put_raw(self->c, self->h->ho, &md, &pmo, 0, ""));
	md.StrucId[3] = ' ';
	pmo.StrucId[0] = 'X';
	EXPECT_STREQ("F2173", put_raw(self->c, self->h->ho, &md, &pmo, 0, ""));
	EXPECT_EQ(5, depth(Q));
}

/* P-CHK-1: all faults at once, mended one by one in the order of the lines */
TEST_F(q, order_of_checks)
{
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQHCONN c = -1;
	MQHOBJ o = 9999;
	MQLONG len = -1;
	const void *buf = NULL;
	struct mqh *in = opn(self->c, Q, "i");

	EXPECT_STREQ("OK", alter(Q, "depth=0 len=5"));
	md.Version = 5;
	md.Report = 0x00040000;
	md.MsgType = 3;
	md.Expiry = 0;
	md.Feedback = -1;
	md.Priority = -5;
	md.Persistence = 7;
	md.MsgFlags = 0x20;
	pmo.Version = 9;
	pmo.Options = 0x1 | MQPMO_PASS_IDENTITY_CONTEXT;
	pmo.Context = 4711;
#define NEXT(want)	EXPECT_STREQ(want, put_raw(c, o, &md, &pmo, len, buf))
	NEXT("F2018");
	c = self->c;
	NEXT("F2019");
	o = in->ho;
	NEXT("F2173");
	pmo.Version = 1;
	NEXT("F2026");
	md.Version = 2;
	NEXT("F2046");
	pmo.Options &= ~0x1;
	NEXT("F2039");
	o = self->h->ho;
	NEXT("F2094");
	o = opn(self->c, Q, "op")->ho;
	NEXT("F2005");
	len = 10;
	NEXT("F2004");
	buf = "0123456789";
	NEXT("F2097");
	pmo.Options = MQPMO_FAIL_IF_QUIESCING;
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	NEXT("F2161");
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	NEXT("F2061");
	md.Report = 0x100;
	NEXT("F2029");
	md.MsgType = MQMT_DATAGRAM;
	NEXT("F2013");
	md.Expiry = 100;
	NEXT("F2014");
	md.Feedback = 0;
	NEXT("F2050");
	md.Priority = 1;
	NEXT("F2047");
	md.Persistence = 0;
	NEXT("F2249");
	md.MsgFlags = MQMF_MSG_IN_GROUP | MQMF_SEGMENT;
	md.MsgSeqNumber = 0;
	md.Offset = -1;
	NEXT("F2250");
	md.MsgSeqNumber = 1;
	NEXT("F2251");
	md.Offset = 0;
	len = 0;
	NEXT("F2253");
	len = 10;
	NEXT("F2027");
	FIELD_SET(md.ReplyToQ, "R");
	md.Report = 0;
	EXPECT_STREQ("OK", alter(Q, "put=1"));
	NEXT("F2051");
	EXPECT_STREQ("OK", alter(Q, "put=0"));
	NEXT("F2030");
	EXPECT_STREQ("OK", alter(Q, "len=100"));
	NEXT("F2053");
	EXPECT_STREQ("OK", alter(Q, "depth=5"));
	NEXT("OK");
#undef NEXT
}

/* M-ID-2, M-ID-3: never the same twice, whoever puts */
TEST_F(q, identifiers_of_two_connections)
{
	struct mqh *other = opn(self->d, Q, "o");
	static MQBYTE24 ids[400];
	int i, j, same = 0;

	for (i = 0; i < 400; i += 2) {
		struct mqh *h = i % 6 ? self->h : other;

		ASSERT_STREQ("OK", put(h, "none NM NC"));
		memcpy(ids[i], h->md.MsgId, 24);
		memcpy(ids[i + 1], h->md.CorrelId, 24);
	}
	for (i = 0; i < 400; i++) {
		EXPECT_TRUE(id_generated(ids[i]));
		for (j = 0; j < i; j++)
			same += !memcmp(ids[i], ids[j], 24);
	}
	EXPECT_EQ(0, same);
}

/* P-OPT-13, P-OPT-8, P-ASY-2, P-OPT-9, UC-061 */
TEST_F(q, options_without_effect_here)
{
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	PUT("OK", self->h, "A");
	PUT("F2161", self->h, "B opt=0x2000");
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	PUT("OK", self->h, "B opt=0x2000");
	PUT("OK", self->h, "C opt=0x10000");
	PUT("OK", self->h, "D opt=0x20000");
	PUT("OK", self->h, "E opt=0x1c280000");	/* those of topics */
	PUT("OK", self->h, "F opt=0x40000");
	EXPECT_STREQ("OK", alter(Q, "put=1"));
	PUT("F2051", self->h, "G opt=0x10000");
	EXPECT_STREQ("OK", back(self->c));
	LIST("A B C D E F");
}

static const char *put1(MQHCONN hc, const char *q, MQLONG options,
			MQLONG version, MQOD *od, MQMD *md)
{
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG cc, rc;

	*od = (MQOD){ MQOD_DEFAULT };
	od->Version = version;
	FIELD_SET(od->ObjectName, q);
	pmo.Options = options;
	MQPUT1(hc, od, md, &pmo, 4, "data", &cc, &rc);
	return outcome(cc, rc);
}

/* P-ONE, P-CHK-3, P-OPT-6, P-SCN-18 */
TEST_F(q, put1)
{
	MQMD md = { MQMD_DEFAULT };
	MQOD od, was;

	EXPECT_STREQ("F2085", put1(self->c, "KT.NONE", 0, 4, &od, &md));
	EXPECT_STREQ("F2044", put1(self->c, Q, 0, 7, &od, &md));
	EXPECT_STREQ("F2018", put1(-1, Q, 0, 7, &od, &md));
	EXPECT_STREQ("F2046", put1(self->c, Q, MQPMO_LOGICAL_ORDER, 1, &od,
				   &md));
	EXPECT_EQ(0, depth(Q));
	EXPECT_STREQ("OK", put1(self->c, Q, 0, 4, &od, &md));
	EXPECT_TRUE(FIELD_IS(od.ResolvedQName, Q));
	EXPECT_TRUE(FIELD_IS(od.ResolvedQMgrName, QM));
	EXPECT_TRUE(id_generated(md.MsgId));
	EXPECT_EQ(2, inquire_int(Q, MQIA_OPEN_OUTPUT_COUNT)); /* P-ONE-7 */
	EXPECT_EQ(1, depth(Q));
	EXPECT_STREQ("OK", put1(self->c, Q, MQPMO_SYNCPOINT, 1, &od, &md));
	EXPECT_EQ(2, depth(Q));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(1, depth(Q));
	/* P-ONE-8: a failed one leaves the descriptor alone */
	md.Expiry = 0;
	EXPECT_STREQ("F2013", put1(self->c, Q, 0, 4, &od, &md));
	was = (MQOD){ MQOD_DEFAULT };
	was.Version = 4;
	FIELD_SET(was.ObjectName, Q);
	EXPECT_EQ(0, memcmp(&was, &od, sizeof(od)));
	/* group fields without logical order */
	md = (MQMD){ MQMD_DEFAULT };
	md.Version = 2;
	md.MsgFlags = MQMF_MSG_IN_GROUP;
	md.MsgSeqNumber = 7;
	EXPECT_STREQ("OK", put1(self->c, Q, 0, 1, &od, &md));
	EXPECT_TRUE(id_generated(md.GroupId));
	EXPECT_EQ(7, md.MsgSeqNumber);
}

TEST_HARNESS_MAIN
