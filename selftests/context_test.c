/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Message context: what is generated, cleared, set and passed on (P-CTX,
 * M-CTX), and that a sender cannot forge it without the right to.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <kmq.h>
#include "q_fixture.h"

#define CONNECT_HERE	"/dev/kmq/" QM "/qmgr"

static const char *cput(struct mqh *h, MQMD *md, MQLONG options, MQHOBJ from)
{
	MQPMO pmo = { MQPMO_DEFAULT };

	pmo.Options = options;
	pmo.Context = from;
	MQPUT(h->hc, h->ho, md, &pmo, 4, "data", &h->cc, &h->rc);
	return outcome(h->cc, h->rc);
}

static MQMD with_context(void)
{
	MQMD md = { MQMD_DEFAULT };

	strcpy(md.UserIdentifier, "SOMEBODY");
	memset(md.AccountingToken, 0xaa, 32);
	strcpy(md.ApplIdentityData, "identity");
	strcpy(md.ApplIdentityData + 9, "behind");	/* P-CTX-7 */
	md.PutApplType = 65600;
	strcpy(md.PutApplName, "ANOTHER PROGRAM");
	memcpy(md.PutDate, "19991231", 8);
	memcpy(md.PutTime, "23595999", 8);
	memcpy(md.ApplOriginData, "ORIG", 4);
	return md;
}

static bool identity_is_set(const MQMD *md)
{
	MQBYTE aa[32];

	memset(aa, 0xaa, 32);
	return FIELD_IS(md->UserIdentifier, "SOMEBODY") &&
	       FIELD_IS(md->ApplIdentityData, "identity") &&
	       !memcmp(md->AccountingToken, aa, 32);
}

static bool origin_is_set(const MQMD *md)
{
	return md->PutApplType == 65600 &&
	       FIELD_IS(md->PutApplName, "ANOTHER PROGRAM") &&
	       FIELD_IS(md->PutDate, "19991231") &&
	       FIELD_IS(md->PutTime, "23595999") &&
	       FIELD_IS(md->ApplOriginData, "ORIG");
}

/* P-CTX-5 for root */
static bool identity_is_generated(const MQMD *md)
{
	return FIELD_IS(md->UserIdentifier, "root") &&
	       FIELD_IS(md->ApplIdentityData, "") &&
	       md->AccountingToken[0] >= 1 && md->AccountingToken[1] == '0' &&
	       all_zero(md->AccountingToken + 2, 29) &&
	       md->AccountingToken[31] == MQACTT_UNIX_NUMERIC_ID;
}

static bool date_is_about_now(const MQMD *md)
{
	time_t t;
	char s[20];
	int i;

	for (i = -3; i <= 1; i++) {
		t = time(NULL) + i;
		strftime(s, sizeof(s), "%Y%m%d%H%M%S", gmtime(&t));
		if (!memcmp(s, md->PutDate, 8) &&
		    !memcmp(s + 8, md->PutTime, 6))
			return md->PutTime[6] >= '0' && md->PutTime[6] <= '9' &&
			       md->PutTime[7] >= '0' && md->PutTime[7] <= '9';
	}
	return false;
}

static bool origin_is_generated(const MQMD *md)
{
	char path[4096] = "", *name;
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	name = strrchr(path, '/');
	if (n <= 0 || !name)
		return false;
	name++;
	/* last 28 characters of the path, or the name if it is not known */
	return md->PutApplType == MQAT_UNIX && date_is_about_now(md) &&
	       FIELD_IS(md->ApplOriginData, "") &&
	       (FIELD_IS(md->PutApplName, n > 28 ? path + n - 28 : path) ||
		!memcmp(md->PutApplName, name,
			strlen(name) < 15 ? strlen(name) : 15));
}

/* P-CTX-5, P-CTX-8, M-CTX-1 */
TEST_F(q, generated)
{
	static const MQLONG options[] = { MQPMO_NONE, MQPMO_DEFAULT_CONTEXT };
	unsigned int i;
	MQMD md, put_md;

	for (i = 0; i < 2; i++) {
		md = with_context();
		ASSERT_STREQ("OK", cput(self->h, &md, options[i], 0));
		EXPECT_TRUE(identity_is_generated(&md));
		EXPECT_TRUE(origin_is_generated(&md));
		put_md = md;
		GET("#", self->k, "");
		md = self->k->md;
		EXPECT_TRUE(identity_is_generated(&md));
		EXPECT_TRUE(origin_is_generated(&md));
		/* the program was shown what is stored */
		EXPECT_EQ(0, memcmp(md.UserIdentifier, put_md.UserIdentifier,
				    324 - 196));
	}
}

/* PutApplName of a connection made by a process of that name. */
static bool is_put_by(const char *comm, const char *appl)
{
	MQMD md = { MQMD_DEFAULT };
	struct mqh *h;
	MQHCONN c;
	bool is;

	prctl(PR_SET_NAME, comm);
	c = conn();
	h = opn(c, Q, "o");
	is = !strcmp("OK", cput(h, &md, MQPMO_NONE, 0)) &&
	     FIELD_IS(md.PutApplName, appl);
	disc(&c);
	return is;
}

/* P-CTX-5: the name that a program was called by, if it is not its file's */
TEST_F(q, name_it_was_called_by)
{
	char path[4096] = "", comm[16] = "";
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	ASSERT_LT(0, n);
	ASSERT_EQ(0, prctl(PR_GET_NAME, comm));
	EXPECT_TRUE(is_put_by("another", "another"));
	EXPECT_TRUE(is_put_by("c", "c"));
	EXPECT_TRUE(is_put_by("another name of", "another name of"));
	EXPECT_TRUE(is_put_by(comm, n > 28 ? path + n - 28 : path));
}

/* P-CTX-6, P-CTX-4 */
TEST_F(q, none)
{
	struct mqh *out = opn(self->c, Q, "oP"), *in = opn(self->c, Q, "ia");
	MQMD md = with_context();
	int i;

	ASSERT_STREQ("OK", cput(self->h, &md, MQPMO_NO_CONTEXT, 0));
	for (i = 0; i < 2; i++) {
		GET("#", in, "");
		md = in->md;
		EXPECT_TRUE(FIELD_IS(md.UserIdentifier, ""));
		EXPECT_TRUE(all_zero(md.AccountingToken, 32));
		EXPECT_TRUE(FIELD_IS(md.ApplIdentityData, ""));
		EXPECT_EQ(MQAT_NO_CONTEXT, md.PutApplType);
		EXPECT_TRUE(FIELD_IS(md.PutApplName, ""));
		EXPECT_TRUE(FIELD_IS(md.PutDate, ""));
		EXPECT_TRUE(FIELD_IS(md.PutTime, ""));
		EXPECT_TRUE(FIELD_IS(md.ApplOriginData, ""));
		md = with_context();
		if (!i) {
			ASSERT_STREQ("OK", cput(out, &md,
						MQPMO_PASS_ALL_CONTEXT,
						in->ho));
		}
	}
}

/* P-CTX-7, P-CTX-9, table 7 */
TEST_F(q, set)
{
	struct mqh *id = opn(self->c, Q, "ot"), *all = opn(self->c, Q, "oT");
	MQMD md = with_context(), was;

	EXPECT_STREQ("F2096", cput(self->h, &md, MQPMO_SET_IDENTITY_CONTEXT,
				   0));
	EXPECT_STREQ("F2095", cput(self->h, &md, MQPMO_SET_ALL_CONTEXT, 0));
	EXPECT_STREQ("F2095", cput(id, &md, MQPMO_SET_ALL_CONTEXT, 0));
	EXPECT_EQ(0, depth(Q));
	EXPECT_STREQ("OK", cput(id, &md, MQPMO_SET_IDENTITY_CONTEXT, 0));
	GET("#", self->k, "");
	EXPECT_TRUE(identity_is_set(&self->k->md));
	EXPECT_TRUE(origin_is_generated(&self->k->md));
	EXPECT_TRUE(origin_is_generated(&md));
	md = was = with_context();
	EXPECT_STREQ("OK", cput(all, &md, MQPMO_SET_ALL_CONTEXT, 0));
	/* taken from the program: not written back */
	EXPECT_EQ(0, memcmp(md.UserIdentifier, was.UserIdentifier, 324 - 196));
	GET("#", self->k, "");
	EXPECT_TRUE(identity_is_set(&self->k->md));
	EXPECT_TRUE(origin_is_set(&self->k->md));
	/* SET_ALL implies SET_IDENTITY */
	md = with_context();
	EXPECT_STREQ("OK", cput(all, &md, MQPMO_SET_IDENTITY_CONTEXT, 0));
	GET("#", self->k, "");
	EXPECT_TRUE(identity_is_set(&self->k->md));
	EXPECT_TRUE(origin_is_generated(&self->k->md));
}

/* A context that a program gives, in two kinds that differ in one character. */
static MQMD numbered_context(int number, bool padded)
{
	MQMD md = with_context();

	if (padded) {
		FIELD_SET(md.UserIdentifier, "SOMEBODY");
		FIELD_SET(md.ApplIdentityData, "identity");
		FIELD_SET(md.PutApplName, "ANOTHER PROGRAM");
		FIELD_SET(md.ReplyToQ, number ? "ONE" : "NONE");
	}
	md.PutTime[7] = '1' + number;
	md.AccountingToken[31] = number;
	return md;
}

/* P-CTX-4, P-CTX-7, P-CTX-9: put after put, each message has its own. */
TEST_F(q, set_again)
{
	static const MQLONG options[] = {
		MQPMO_SET_ALL_CONTEXT, MQPMO_SET_IDENTITY_CONTEXT,
		MQPMO_NO_CONTEXT,
	};
	static const int turns[] = { 0, 0, 0, 1, 1, 0, 1, 1, 1 };
	struct mqh *h = opn(self->c, Q, "oT");
	size_t i, t;
	int padded;

	for (i = 0; i < 6 * ARRAY_SIZE(turns); i++) {
		size_t kind = i / ARRAY_SIZE(turns) % 3;
		MQMD md, given, *got = &self->k->md;

		t = turns[i % ARRAY_SIZE(turns)];
		padded = i >= 3 * ARRAY_SIZE(turns);
		md = given = numbered_context(t, padded);
		/* one that fails leaves nothing behind for the next one */
		if (i % 4 == 3) {
			MQMD bad = numbered_context(!t, padded);

			bad.Expiry = 0;
			ASSERT_STREQ("F2013", cput(h, &bad, options[kind], 0));
		}
		ASSERT_STREQ("OK", cput(h, &md, options[kind], 0));
		GET("#", self->k, "");
		EXPECT_TRUE(FIELD_IS(got->ReplyToQ,
				     !padded ? "" : t ? "ONE" : "NONE"));
		if (kind == 0) {
			EXPECT_EQ(0, memcmp(md.UserIdentifier,
					    given.UserIdentifier, 324 - 196));
			EXPECT_EQ('1' + (int)t, got->PutTime[7]);
			EXPECT_EQ(0, memcmp("19991231", got->PutDate, 8));
			EXPECT_EQ(65600, got->PutApplType);
			EXPECT_TRUE(FIELD_IS(got->PutApplName,
					     "ANOTHER PROGRAM"));
		} else if (kind == 1) {
			EXPECT_TRUE(origin_is_generated(got));
			EXPECT_TRUE(origin_is_generated(&md));
		} else {
			EXPECT_EQ(MQAT_NO_CONTEXT, got->PutApplType);
			EXPECT_TRUE(FIELD_IS(got->UserIdentifier, ""));
			EXPECT_TRUE(FIELD_IS(md.UserIdentifier, ""));
			EXPECT_TRUE(FIELD_IS(md.PutDate, ""));
			continue;
		}
		EXPECT_TRUE(FIELD_IS(got->UserIdentifier, "SOMEBODY"));
		EXPECT_TRUE(FIELD_IS(got->ApplIdentityData, "identity"));
		EXPECT_EQ((int)t, got->AccountingToken[31]);
	}
	/* and without one again */
	put(h, "A");
	GET("A", self->k, "");
	EXPECT_TRUE(identity_is_generated(&self->k->md));
	EXPECT_TRUE(origin_is_generated(&self->k->md));
}

/* The first put through the interface of the kernel, and one that repeats it. */
TEST_F(q, set_again_answers_alike)
{
	static const MQLONG options[] = {
		MQPMO_SET_ALL_CONTEXT, MQPMO_SET_IDENTITY_CONTEXT,
		MQPMO_NO_CONTEXT,
	};
	struct mqh *h = opn(self->c, Q, "oT");
	int fd = kmq_object_fd(self->c, h->ho), i, n;
	struct kmq_md_ext ext[2];
	struct kmq_put p[2];

	for (i = 0; i < 6; i++) {
		for (n = 0; n < 2; n++) {
			memset(&ext[n], i < 3 ? 0 : ' ', sizeof(ext[n]));
			ext[n].context.uid = 0;
			ext[n].context.flags = 0;
			p[n] = (struct kmq_put) {
				.size = sizeof(p[n]), .options = options[i % 3],
				.pmo_version = 1, .md_version = 1,
				.length = 4, .data = (uintptr_t)"data",
				.ext = (uintptr_t)&ext[n], .context_fd = -1,
				.present = KMQ_MD_CONTEXT | KMQ_MD_DATE,
				.md = { .msg_type = MQMT_DATAGRAM,
					.expiry = MQEI_UNLIMITED },
			};
			ASSERT_EQ(0, ioctl(fd, KMQ_IOC_PUT, &p[n]));
			ASSERT_EQ(0, p[n].out_comp_code);
		}
		EXPECT_EQ(0, memcmp(&ext[0], &ext[1], sizeof(ext[0])));
		EXPECT_EQ(p[0].out_present, p[1].out_present);
		EXPECT_EQ(i % 3 == 1 ? KMQ_MD_CONTEXT :
				       KMQ_MD_CONTEXT | KMQ_MD_DATE,
			  p[1].out_present);
		EXPECT_EQ(p[0].out_ctx_id, p[1].out_ctx_id);
		EXPECT_EQ(i % 3 == 1, p[1].out_put_time != 0);
		EXPECT_EQ(' ', ext[1].context.user_id[0]);
	}
	/* no room for them: they are not said to have been written */
	for (n = 0; n < 2; n++) {
		p[n].options = MQPMO_NO_CONTEXT;
		p[n].ext = 0;
		p[n].present = 0;
		ASSERT_EQ(0, ioctl(fd, KMQ_IOC_PUT, &p[n]));
		EXPECT_EQ(0, p[n].out_comp_code);
		EXPECT_EQ(0, p[n].out_present);
	}
}

/* P-CTX-2, P-CTX-3, P-CTX-11, P-SCN-19, M-CTX-2 */
TEST_F(q, pass)
{
	struct mqh *in = opn(self->c, Q, "iba"), *o = opn(self->c, Q, "oP");
	struct mqh *oi = opn(self->c, Q, "op"), *all = opn(self->c, Q, "oT");
	MQMD md = with_context();

	/* nothing has been got with it yet */
	EXPECT_STREQ("F2098", cput(o, &md, MQPMO_PASS_ALL_CONTEXT, in->ho));
	/* not opened to save; not a queue handle */
	EXPECT_STREQ("F2097", cput(o, &md, MQPMO_PASS_ALL_CONTEXT,
				   self->h->ho));
	EXPECT_STREQ("F2097", cput(o, &md, MQPMO_PASS_ALL_CONTEXT, 9999));
	EXPECT_STREQ("F2097", cput(o, &md, MQPMO_PASS_ALL_CONTEXT, 0));
	/* the output handle lacks the option */
	EXPECT_STREQ("F2093", cput(oi, &md, MQPMO_PASS_ALL_CONTEXT, in->ho));
	EXPECT_STREQ("F2094", cput(self->h, &md, MQPMO_PASS_IDENTITY_CONTEXT,
				   in->ho));
	EXPECT_EQ(0, depth(Q));

	EXPECT_STREQ("OK", cput(all, &md, MQPMO_SET_ALL_CONTEXT, 0));
	PUT("OK", self->h, "B");
	GET("#", in, "BF");
	EXPECT_STREQ("F2098", cput(o, &md, MQPMO_PASS_ALL_CONTEXT, in->ho));
	GET("#", in, "SP");
	md = (MQMD){ MQMD_DEFAULT };
	EXPECT_STREQ("OK", cput(o, &md, MQPMO_PASS_ALL_CONTEXT, in->ho));
	EXPECT_TRUE(identity_is_set(&md));
	EXPECT_TRUE(origin_is_set(&md));		/* P-CTX-9 */
	/* it survives back-out, a failed get and a 2080 */
	EXPECT_STREQ("OK", back(self->c));
	GET("F2033", in, "m=NONE");
	GET("W2080 B", in, "m=B buf=3");
	GET("W2080 B", in, "BF m=B buf=3");
	md = (MQMD){ MQMD_DEFAULT };
	EXPECT_STREQ("OK", cput(oi, &md, MQPMO_PASS_IDENTITY_CONTEXT, in->ho));
	EXPECT_TRUE(identity_is_set(&md));
	EXPECT_TRUE(origin_is_generated(&md));
	/* a browse makes it unusable until the next get */
	GET("B", in, "BF m=B");
	EXPECT_STREQ("F2098", cput(o, &md, MQPMO_PASS_ALL_CONTEXT, in->ho));
	GET("B", in, "m=B");
	EXPECT_STREQ("OK", cput(o, &md, MQPMO_PASS_ALL_CONTEXT, in->ho));
	EXPECT_TRUE(identity_is_generated(&md));
	EXPECT_STREQ("OK", shut(in));
	EXPECT_STREQ("F2097", cput(o, &md, MQPMO_PASS_ALL_CONTEXT, 4711));
}

/* P-CTX-2: the handle must be one of this connection */
TEST_F(q, pass_from_another_connection)
{
	struct mqh *in = opn(self->d, Q, "ia"), *o = opn(self->c, Q, "oP");
	MQMD md = { MQMD_DEFAULT };

	PUT("OK", self->h, "A");
	GET("A", in, "");
	EXPECT_STREQ("F2097", cput(o, &md, MQPMO_PASS_ALL_CONTEXT, in->ho));
}

/* U-BACK-3: date and time are those of the put */
TEST_F(q, date_stays_through_backout)
{
	MQMD md;

	PUT("OK", self->h, "A");
	GET("A", self->k, "SP");
	md = self->k->md;
	nap(20);
	EXPECT_STREQ("OK", back(self->d));
	GET("A", self->k, "");
	EXPECT_EQ(0, memcmp(md.PutDate, self->k->md.PutDate, 16));
	EXPECT_EQ(0, memcmp(md.MsgId, self->k->md.MsgId, 24));
}

/* P-CTX-5: another user */
TEST_F(q, identity_of_another_user)
{
	int st, bad = 0;
	struct stat was;
	pid_t pid;

	ASSERT_STREQ("OK", define(Q "2", "mode=0666"));
	ASSERT_EQ(0, stat(CONNECT_HERE, &was));
	chmod(CONNECT_HERE, 0666);
	self->k = opn(self->d, Q "2", "i");
	pid = fork();
	if (!pid) {
		struct mqh *h;
		MQHCONN hc;

		if (setgid(54321) || setuid(54321))
			_exit(99);
		hc = conn();
		h = opn(hc, Q "2", "o");
		bad |= strcmp(put(h, "A"), "OK") ? 1 : 0;
		bad |= strcmp(opn_rc(hc, Q "2", "oT"), "F2035") ? 2 : 0;
		bad |= strcmp(opn_rc(hc, Q "2", "ot"), "F2035") ? 4 : 0;
		_exit(bad);
	}
	waitpid(pid, &st, 0);
	chmod(CONNECT_HERE, was.st_mode & 0777);
	EXPECT_EQ(0, st);
	get(self->k, "");
	EXPECT_EQ(0, memcmp("54321", self->k->md.UserIdentifier, 5));
	EXPECT_EQ(0, memcmp("54321", self->k->md.AccountingToken + 1, 5));
	EXPECT_EQ(MQACTT_UNIX_NUMERIC_ID, self->k->md.AccountingToken[31]);
}

/* P-CTX-1: MQPUT1 implies the open option */
TEST_F(q, put1)
{
	MQMD md = with_context();
	MQPMO pmo = { MQPMO_DEFAULT };
	MQOD od = { MQOD_DEFAULT };
	MQLONG cc, rc;

	FIELD_SET(od.ObjectName, Q);
	pmo.Options = MQPMO_SET_ALL_CONTEXT;
	MQPUT1(self->c, &od, &md, &pmo, 4, "data", &cc, &rc);
	EXPECT_STREQ("OK", outcome(cc, rc));
	GET("#", self->k, "");
	EXPECT_TRUE(identity_is_set(&self->k->md));
	EXPECT_TRUE(origin_is_set(&self->k->md));
	pmo.Options = MQPMO_PASS_ALL_CONTEXT;
	pmo.Context = self->h->ho;
	MQPUT1(self->c, &od, &md, &pmo, 4, "data", &cc, &rc);
	EXPECT_STREQ("F2097", outcome(cc, rc));
}

/* M-CTX-3: of a logical message, the context of the first segment */
TEST_F(q, of_a_reassembled_message)
{
	struct mqh *in = opn(self->c, Q, "ia"), *o = opn(self->c, Q, "oTP");
	MQMD md = with_context();
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG cc, rc;

	md.Version = MQMD_VERSION_2;
	id_set(md.GroupId, "X");
	md.MsgFlags = MQMF_SEGMENT;
	pmo.Options = MQPMO_SET_ALL_CONTEXT;
	MQPUT(self->c, o->ho, &md, &pmo, 10, "0123456789", &cc, &rc);
	ASSERT_STREQ("OK", outcome(cc, rc));
	PUT("OK", o, "s2(X,1,10,E)");
	get(in, "CM");
	EXPECT_STREQ("OK", outcome(in->cc, in->rc));
	EXPECT_EQ(20, in->dlen);
	EXPECT_TRUE(origin_is_set(&in->md));
	md = (MQMD){ MQMD_DEFAULT };
	EXPECT_STREQ("OK", cput(o, &md, MQPMO_PASS_ALL_CONTEXT, in->ho));
	EXPECT_TRUE(identity_is_set(&md));
}

TEST_HARNESS_MAIN
