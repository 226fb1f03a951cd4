/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Names that stand for other queues: aliases, remote definitions, model and
 * dynamic queues (O-RES, O-DYN, O-CLOSE table, UC-070, U-SCN-13).
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "q_fixture.h"

#define A	"KT.ALIAS"
#define M	"KT.MODEL"

/* Open a model; the name of the new queue. */
static struct mqh *open_model(MQHCONN hc, const char *dynamic, const char *how)
{
	struct mqh *h = calloc(1, sizeof(*h));
	MQOD od = { MQOD_DEFAULT };
	size_t i;

	od.Version = MQOD_VERSION_4;
	FIELD_SET(od.ObjectName, M);
	FIELD_SET(od.DynamicQName, dynamic);
	h->hc = hc;
	MQOPEN(hc, &od, open_options(how), &h->ho, &h->cc, &h->rc);
	memcpy(h->q, od.ObjectName, 48);
	for (i = 48; i && h->q[i - 1] == ' '; i--)
		h->q[i - 1] = 0;
	return h;
}

static const char *model_rc(MQHCONN hc, const char *dynamic)
{
	struct mqh *h = open_model(hc, dynamic, "o");

	return outcome(h->cc, h->rc);
}

/* DEFINE QLOCAL(@q) LIKE(@like) */
static const char *define_like(const char *q, const char *like)
{
	struct kmq_define d = {
		.size = sizeof(d), .object_type = MQOT_Q,
		.q_type = MQQT_LOCAL,
	};

	define(q, "");
	delete_q(q, 0);
	field_set((char *)d.name, sizeof(d.name), q);
	field_set((char *)d.like, sizeof(d.like), like);
	if (ioctl(admin_fd(), KMQ_IOC_DEFINE, &d))
		return "errno";
	return outcome(d.out_comp_code, d.out_reason);
}

static const char *close_with(struct mqh *h, MQLONG options)
{
	MQCLOSE(h->hc, &h->ho, options, &h->cc, &h->rc);
	return outcome(h->cc, h->rc);
}

/* O-RES-5, O-OPEN-5, O-OPEN-6, G-OUT-1 */
TEST_F(q, alias)
{
	struct mqh *a, *x;

	ASSERT_STREQ("OK", define(A, "alias target=" Q " pri=6 per=1"));
	a = opn(self->c, A, "iobqs");
	ASSERT_STREQ("OK", outcome(a->cc, a->rc));
	EXPECT_STREQ(Q, a->q);
	PUT("OK", a, "A");			/* checks ResolvedQName too */
	EXPECT_EQ(6, a->md.Priority);
	EXPECT_EQ(1, a->md.Persistence);
	PUT("OK", self->h, "B");
	EXPECT_EQ(0, self->h->md.Priority);
	LIST("A B");
	GET("A", a, "");
	EXPECT_EQ(3, inquire_int(Q, MQIA_OPEN_INPUT_COUNT));
	EXPECT_EQ(3, inquire_int(Q, MQIA_OPEN_OUTPUT_COUNT));
	/* its inhibits apply on that path, besides those of the base */
	EXPECT_STREQ("OK", alter(A, "alias get=1 put=1"));
	PUT("F2051", a, "X");
	GET("F2016", a, "");
	GET("B", self->h, "BF");
	PUT("OK", self->h, "C");
	EXPECT_STREQ("OK", alter(A, "alias get=0 put=0"));
	EXPECT_STREQ("OK", alter(Q, "get=1 put=1"));
	PUT("F2051", a, "X");
	GET("F2016", a, "");
	EXPECT_STREQ("OK", alter(Q, "get=0 put=0"));
	EXPECT_STREQ("B C", drain(a, ""));
	/* conflicts are those of the base */
	EXPECT_STREQ("F2042", opn_rc(self->c, A, "x"));
	shut(self->h);
	shut(self->k);
	shut(a);
	x = opn(self->d, A, "x");
	EXPECT_STREQ("F2042", opn_rc(self->c, Q, "i"));
	EXPECT_STREQ("F2042", opn_rc(self->c, A, "i"));
	shut(x);
}

/* O-RES-5, O-INQ-7, O-SET-1: attributes of the alias itself */
TEST_F(q, attributes_of_an_alias)
{
	MQLONG sel = MQIA_INHIBIT_PUT, val = 1, cc, rc, depth_sel[2] = {
		MQIA_CURRENT_Q_DEPTH, MQIA_Q_TYPE }, v[2];
	struct mqh *a;

	ASSERT_STREQ("OK", define(A, "alias target=" Q));
	a = opn(self->c, A, "qs");
	MQINQ(self->c, a->ho, 2, depth_sel, 2, v, 0, NULL, &cc, &rc);
	EXPECT_STREQ("W2068", outcome(cc, rc));
	EXPECT_EQ(-1, v[0]);
	EXPECT_EQ(MQQT_ALIAS, v[1]);
	MQSET(self->c, a->ho, 1, &sel, 1, &val, 0, NULL, &cc, &rc);
	EXPECT_STREQ("OK", outcome(cc, rc));
	EXPECT_EQ(1, inquire_int(A, MQIA_INHIBIT_PUT));
	EXPECT_EQ(0, inquire_int(Q, MQIA_INHIBIT_PUT));
	sel = MQIA_TRIGGER_CONTROL;
	MQSET(self->c, a->ho, 1, &sel, 1, &val, 0, NULL, &cc, &rc);
	EXPECT_STREQ("F2067", outcome(cc, rc));
}

/* Table 4: aliases that lead nowhere */
TEST_F(q, bad_targets)
{
	ASSERT_STREQ("OK", define(A, "alias target=KT.NONE"));
	EXPECT_STREQ("F2082", opn_rc(self->c, A, "o"));
	ASSERT_STREQ("OK", define(A "2", "alias target=" A));
	EXPECT_STREQ("F2001", opn_rc(self->c, A "2", "o"));
	ASSERT_STREQ("OK", define(M, "model"));
	EXPECT_STREQ("OK", alter(A, "alias target=" M));
	EXPECT_STREQ("F2001", opn_rc(self->c, A, "o"));
	EXPECT_STREQ("OK", alter(A, "alias target=" Q));
	EXPECT_STREQ("OK", opn_rc(self->c, A, "o"));
}

/* O-RES-6, P-CALL-10, O-INQ-8 */
TEST_F(q, definition_changed_since_open)
{
	MQLONG sel = MQIA_Q_TYPE, v, cc, rc;
	struct mqh *a;

	ASSERT_STREQ("OK", define(Q "2", ""));
	ASSERT_STREQ("OK", define(A, "alias target=" Q));
	a = opn(self->c, A, "ioq");
	PUT("OK", a, "A");
	EXPECT_STREQ("OK", alter(A, "alias target=" Q "2"));
	PUT("F2041", a, "B");
	GET("F2041", a, "");
	MQINQ(self->c, a->ho, 1, &sel, 1, &v, 0, NULL, &cc, &rc);
	EXPECT_STREQ("F2041", outcome(cc, rc));
	EXPECT_STREQ("OK", shut(a));
	a = opn(self->c, A, "io");
	EXPECT_STREQ(Q "2", a->q);
	PUT("OK", a, "B");
	EXPECT_EQ(1, depth(Q));
	EXPECT_EQ(1, depth(Q "2"));
}

/* O-DYN-1..4 */
TEST_F(q, names_of_dynamic_queues)
{
	static const char *const bad[] = {
		"", "KT.D*X", "KT D*", "KT?*", "*.KT", "KT.*.*",
		"KT.4567890123456789012345678901234*",
	};
	struct mqh *a, *b, *c;
	unsigned int i;

	ASSERT_STREQ("OK", define(M, "model"));
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT_STREQ("F2011", model_rc(self->c, bad[i]))
			TH_LOG("case %u", i);
	a = open_model(self->c, "KT.DYN.*", "io");
	b = open_model(self->c, "KT.DYN.*", "io");
	ASSERT_STREQ("OK", outcome(a->cc, a->rc));
	ASSERT_STREQ("OK", outcome(b->cc, b->rc));
	EXPECT_EQ(0, memcmp(a->q, "KT.DYN.", 7));
	EXPECT_EQ(7 + 16, strlen(a->q));
	EXPECT_EQ(16, strspn(a->q + 7, "0123456789ABCDEF"));
	EXPECT_NE(0, strcmp(a->q, b->q));
	c = open_model(self->c, "KT.DYN.FIXED", "io");
	ASSERT_STREQ("OK", outcome(c->cc, c->rc));
	EXPECT_STREQ("KT.DYN.FIXED", c->q);
	EXPECT_STREQ("F2100", model_rc(self->c, "KT.DYN.FIXED"));
	EXPECT_STREQ("F2100", model_rc(self->c, Q));
	c = open_model(self->c, "KT.456789012345678901234567890123*", "o");
	EXPECT_STREQ("F2011", outcome(c->cc, c->rc));	/* position 34 */
	c = open_model(self->c, "KT.45678901234567890123456789012*", "o");
	EXPECT_STREQ("OK", outcome(c->cc, c->rc));	/* position 33 */
	EXPECT_EQ(48, strlen(c->q));
}

/* O-DYN-5, O-DYN-6, O-DYN-8, P-PER-2 */
TEST_F(q, temporary_dynamic_queue)
{
	struct mqh *a, *b;
	char name[49];

	ASSERT_STREQ("OK", define(M, "model depth=7 pri=4 share=1 defsopt=2"));
	a = open_model(self->c, "KT.T.*", "io");
	ASSERT_STREQ("OK", outcome(a->cc, a->rc));
	strcpy(name, a->q);
	EXPECT_EQ(7, inquire_int(name, MQIA_MAX_Q_DEPTH));
	EXPECT_EQ(MQQT_LOCAL, inquire_int(name, MQIA_Q_TYPE));
	EXPECT_EQ(MQQDT_TEMPORARY_DYNAMIC,
		  inquire_int(name, MQIA_DEFINITION_TYPE));
	PUT("OK", a, "A");
	EXPECT_EQ(4, a->md.Priority);
	PUT("F2048", a, "X per=1");
	b = opn(self->d, name, "io");
	ASSERT_EQ(0, b->cc);
	GET("F2036", b, "BF");
	EXPECT_STREQ("OK", shut(a));		/* any MQCO value */
	PUT("F2052", b, "X");
	GET("F2052", b, "");
	EXPECT_STREQ("F2085", opn_rc(self->c, name, "o"));
	EXPECT_STREQ("OK", shut(b));
	/* the name may be used again at once (O-DYN-10) */
	a = open_model(self->c, name, "o");
	EXPECT_STREQ("OK", outcome(a->cc, a->rc));
}

/* U-SCN-13, U-BACK-6: its unit of work ends without an error */
TEST_F(q, deleted_queue_in_a_unit_of_work)
{
	struct mqh *a, *b;

	ASSERT_STREQ("OK", define(M, "model"));
	a = open_model(self->c, "KT.T.*", "io");
	b = opn(self->d, a->q, "o");
	PUT("OK", a, "M1 SP");
	PUT("OK", b, "M2");
	GET("M1", a, "SP");			/* its own, M-STO-7 */
	PUT("OK", self->h, "M3 SP");
	EXPECT_STREQ("OK", shut(a));
	EXPECT_STREQ("OK", commit(self->c));
	LIST("M3");
	a = open_model(self->c, "KT.T.*", "io");
	PUT("OK", a, "M1");
	GET("M1", a, "SP");
	EXPECT_STREQ("OK", shut(a));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_STREQ("OK", shut(b));
}

/* O-DYN-6: also by disconnect and death of the creator; UC-070 */
TEST_F(q, temporary_queue_ends_with_its_creator)
{
	MQHCONN hc = conn();
	struct mqh *a;
	char name[49] = "";
	int up[2], st;
	pid_t pid;

	ASSERT_STREQ("OK", define(M, "model"));
	a = open_model(hc, "KT.T.*", "o");
	strcpy(name, a->q);
	EXPECT_EQ(0, depth(name));
	disc(&hc);
	EXPECT_STREQ("F2085", opn_rc(self->c, name, "o"));
	ASSERT_EQ(0, pipe(up));
	pid = fork();
	if (!pid) {
		a = open_model(conn(), "KT.T.*", "o");
		put(a, "A");
		if (write(up[1], a->q, 48) == 48)
			pause();
		_exit(0);
	}
	ASSERT_EQ(48, read(up[0], name, 48));
	EXPECT_EQ(1, depth(name));
	kill(pid, SIGKILL);
	waitpid(pid, &st, 0);
	EXPECT_STREQ("F2085", opn_rc(self->c, name, "o"));
}

/* Table 6, O-CLOSE-2, O-DYN-7 */
TEST_F(q, definition_of_a_dynamic_queue)
{
	struct mqh *h;

	ASSERT_STREQ("OK", define(M, "model deftype=2 depth=3"));
	h = open_model(self->c, "KT.DYN.*", "io");
	ASSERT_STREQ("OK", outcome(h->cc, h->rc));
	/* it can be altered like any other, and stays what it is */
	EXPECT_STREQ("OK", alter(h->q, "depth=1"));
	EXPECT_EQ(1, inquire_int(h->q, MQIA_MAX_Q_DEPTH));
	EXPECT_EQ(MQQDT_PERMANENT_DYNAMIC,
		  inquire_int(h->q, MQIA_DEFINITION_TYPE));
	PUT("OK", h, "A");
	PUT("F2053", h, "B");
	EXPECT_STREQ("F4005", alter(h->q, "deftype=1"));
	EXPECT_STREQ("F4005", alter(h->q, "deftype=3"));
	EXPECT_STREQ("OK", alter(h->q, "deftype=2"));
	EXPECT_STREQ("F4005", alter(Q, "deftype=2"));
	/* what is defined like it is predefined */
	EXPECT_STREQ("OK", define_like(Q "2", h->q));
	EXPECT_EQ(1, inquire_int(Q "2", MQIA_MAX_Q_DEPTH));
	EXPECT_EQ(MQQDT_PREDEFINED, inquire_int(Q "2", MQIA_DEFINITION_TYPE));
	EXPECT_STREQ("OK", close_with(h, MQCO_DELETE_PURGE));
}

TEST_F(q, closing_dynamic_queues)
{
	struct mqh *a, *b;
	char name[49];

	ASSERT_STREQ("OK", define(M, "model share=1 defsopt=2"));
	a = open_model(self->c, "KT.T.*", "o");
	b = opn(self->d, a->q, "o");
	EXPECT_STREQ("F2045", close_with(b, MQCO_DELETE));
	EXPECT_STREQ("F2045", close_with(b, MQCO_DELETE_PURGE));
	EXPECT_STREQ("OK", close_with(b, MQCO_NONE));
	EXPECT_STREQ("OK", opn_rc(self->d, a->q, "o"));
	EXPECT_STREQ("OK", close_with(a, MQCO_DELETE));

	ASSERT_STREQ("OK", define(M, "model share=1 defsopt=2 deftype=2"));
	a = open_model(self->c, "KT.P.*", "io");
	strcpy(name, a->q);
	EXPECT_STREQ("OK", close_with(a, MQCO_NONE));
	a = opn(self->c, name, "io");
	EXPECT_STREQ("OK", outcome(a->cc, a->rc));
	PUT("OK", a, "A per=1");
	EXPECT_STREQ("F2055", close_with(a, MQCO_DELETE));
	PUT("OK", a, "B SP");			/* it is open still */
	EXPECT_STREQ("F2055", close_with(a, MQCO_DELETE_PURGE));
	EXPECT_STREQ("OK", back(self->c));
	GET("A", a, "SP");
	EXPECT_STREQ("F2055", close_with(a, MQCO_DELETE));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_STREQ("OK", close_with(a, MQCO_DELETE_PURGE));
	EXPECT_STREQ("F2085", opn_rc(self->c, name, "o"));
	a = open_model(self->c, "KT.P.*", "io");
	b = opn(self->d, a->q, "i");
	EXPECT_STREQ("OK", close_with(a, MQCO_DELETE));
	GET("F2052", b, "");
	EXPECT_STREQ("OK", shut(b));
}

/* G-WAIT-11: the queue goes under a waiting get: 2052; O-DYN-8, UC-070 */
TEST_F(q, waiting_get)
{
	struct mqh *a, *x;
	struct waiter *w;

	ASSERT_STREQ("OK", define(M, "model share=1"));
	a = open_model(self->c, "KT.T*", "o");
	x = opn(self->d, a->q, "i");
	ASSERT_EQ(0, x->cc);
	w = wait_get(x, "WT(-1)");
	ASSERT_TRUE(sleepers(a->q, 1));
	EXPECT_STREQ("OK", shut(a));
	EXPECT_STREQ("F2052", result(w));
	GET("F2052", x, "");
	EXPECT_STREQ("OK", shut(x));
}

/* P-ONE-2 */
TEST_F(q, put1_to_a_model)
{
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQOD od = { MQOD_DEFAULT };
	MQLONG cc, rc;

	ASSERT_STREQ("OK", define(M, "model"));
	FIELD_SET(od.ObjectName, M);
	MQPUT1(self->c, &od, &md, &pmo, 4, "data", &cc, &rc);
	EXPECT_STREQ("F2057", outcome(cc, rc));
}

TEST_HARNESS_MAIN
