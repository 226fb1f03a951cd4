/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Authority (O-AUTH, O-CLOSE-3, O-DYN-9, P-CTX-1): what users may do whose
 * rights come from owner, group, mode and access control list of the nodes.
 *
 * as() runs a few calls in a child that has become another user, and answers
 * with their results.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "dl.h"
#include "q_fixture.h"

#define NODE(q)	"/dev/kmq/" QM "/queue/" q
#define CONNECT_HERE	"/dev/kmq/" QM "/qmgr"
#define A	"KT.ALIAS"
#define M	"KT.MODEL"
#define OWNER	7001
#define GROUP	7002
#define OTHER	7003

struct user {
	uid_t uid;
	gid_t gid, further;
};

static const struct user owner = { OWNER, OTHER }, member = { OTHER, GROUP },
			 further = { OTHER, OTHER, GROUP },
			 other = { OTHER, OTHER };

static void become(struct user u)
{
	if (setgroups(u.further ? 1 : 0, &u.further) || setgid(u.gid) ||
	    setuid(u.uid))
		_exit(99);
}

static const char *connect_rc(void)
{
	MQHCONN hc;
	MQLONG cc, rc;

	MQCONN(QM, &hc, &cc, &rc);
	return outcome(cc, rc);
}

static MQOD od_named(const char *q, const char *user)
{
	MQOD od = { MQOD_DEFAULT };

	FIELD_SET(od.ObjectName, q);
	FIELD_SET(od.AlternateUserId, user);
	return od;
}

static const char *put1_rc(MQHCONN hc, const char *q, MQLONG options,
			   const char *user)
{
	MQOD od = od_named(q, user);
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG cc, rc;

	pmo.Options = options;
	MQPUT1(hc, &od, &md, &pmo, 4, "text", &cc, &rc);
	return outcome(cc, rc);
}

/* Open for @how, with an alternate user if one is given. */
static const char *open_rc(MQHCONN hc, const char *q, const char *how,
			   const char *user)
{
	MQOD od = od_named(q, user);
	MQHOBJ ho;
	MQLONG cc, rc;

	MQOPEN(hc, &od, open_options(how) |
	       (*user ? MQOO_ALTERNATE_USER_AUTHORITY : 0), &ho, &cc, &rc);
	return outcome(cc, rc);
}

/*
 * A call is QUEUE:HOW for an MQOPEN, QUEUE:1 for an MQPUT1, QUEUE:1t and
 * QUEUE:1T for one that sets the identity context or all; with @USER at its
 * end for an alternate user.
 */
static const char *call_rc(MQHCONN hc, char *call)
{
	char *how = strchr(call, ':'), *user = strchr(call, '@');
	MQLONG options = MQPMO_NONE;

	*how++ = 0;
	if (user)
		*user++ = 0;
	if (*how != '1')
		return open_rc(hc, call, how, user ?: "");
	if (how[1] == 't')
		options = MQPMO_SET_IDENTITY_CONTEXT;
	if (how[1] == 'T')
		options = MQPMO_SET_ALL_CONTEXT;
	if (user)
		options |= MQPMO_ALTERNATE_USER_AUTHORITY;
	return put1_rc(hc, call, options, user ?: "");
}

static const char *calls_rc(MQHCONN hc, const char *calls)
{
	char *copy = strdup(calls), *save, *call, *answer = answer_buf();

	*answer = 0;
	for (call = strtok_r(copy, " ", &save); call;
	     call = strtok_r(NULL, " ", &save))
		sprintf(answer + strlen(answer), "%s%s", *answer ? " " : "",
			call_rc(hc, call));
	free(copy);
	return answer;
}

/*
 * What follows is done by a child that is @u, and ends with TELL(); the parent
 * returns what it is told.
 */
#define CHILD(u)							\
	char *answer = answer_buf();					\
	int pipes[2], n;						\
									\
	if (pipe(pipes))						\
		return "no pipe";					\
	if (fork()) {							\
		close(pipes[1]);					\
		n = read(pipes[0], answer, ANSWER_LEN - 1);		\
		answer[n < 0 ? 0 : n] = 0;				\
		close(pipes[0]);					\
		wait(NULL);						\
		return answer;						\
	}								\
	become(u)

#define TELL(text)	tell(pipes[1], text)

static const char *tell(int fd, const char *text)
{
	_exit(write(fd, text, strlen(text)) < 0);
}

/* The results of calls that @u makes. */
static const char *as(struct user u, const char *calls)
{
	CHILD(u);
	return TELL(*calls ? calls_rc(conn(), calls) : connect_rc());
}

#define AS(want, user, calls)	EXPECT_STREQ(want, as(user, calls))

/* Everybody may connect, unless a case says otherwise. */
static void open_to_all(void)
{
	chmod(CONNECT_HERE, 0666);
	chown(CONNECT_HERE, 0, 0);
}

FIXTURE(auth) {
	MQHCONN c;
	struct stat was;
};

FIXTURE_SETUP(auth)
{
	ASSERT_LE(0, admin_fd())
		TH_LOG("is the module loaded?");
	ASSERT_EQ(0, stat(CONNECT_HERE, &self->was));
	open_to_all();
	ASSERT_STREQ("OK", define(Q, "mode=0640 uid=7001 gid=7002"));
	self->c = conn();
}

FIXTURE_TEARDOWN(auth)
{
	disc(&self->c);
	clean_up();
	chown(CONNECT_HERE, self->was.st_uid, self->was.st_gid);
	chmod(CONNECT_HERE, self->was.st_mode & 0777);
}

/* O-AUTH-1, O-AUTH-3, O-OPEN-9: options as owner, group and others have them */
TEST_F(auth, open)
{
	AS("OK OK OK OK OK", owner, Q ":i " Q ":b " Q ":q " Q ":o " Q ":s");
	AS("OK OK OK OK OK", owner, Q ":op " Q ":oP " Q ":ot " Q ":oT "
	   Q ":ibqoscat");
	AS("OK OK OK F2035 F2035", member,
	   Q ":i " Q ":b " Q ":q " Q ":o " Q ":s");
	AS("OK OK OK F2035 F2035", further,
	   Q ":i " Q ":b " Q ":q " Q ":o " Q ":s");
	AS("F2035 F2035 F2035 F2035 F2035", other,
	   Q ":i " Q ":b " Q ":q " Q ":o " Q ":s");
	/* one right of several is missing */
	AS("F2035 F2035 F2035", member, Q ":io " Q ":is " Q ":bo");
	/* as for files, the owner has the first digit and no other */
	EXPECT_STREQ("OK", alter(Q, "mode=0266"));
	AS("F2035 OK OK", owner, Q ":i " Q ":o " Q ":s");
	AS("OK OK F2035", other, Q ":i " Q ":o " Q ":s");
	/* writing alone */
	EXPECT_STREQ("OK", alter(Q, "mode=0622"));
	AS("F2035 F2035 F2035 OK OK", other,
	   Q ":i " Q ":b " Q ":q " Q ":o " Q ":op");
	AS("F2035", other, Q ":io");
}

/* O-AUTH-1: the right to connect; O-CONN-2 */
TEST_F(auth, connect)
{
	AS("OK", other, "");
	chmod(CONNECT_HERE, 0660);
	chown(CONNECT_HERE, OWNER, GROUP);
	AS("OK", owner, "");
	AS("OK", member, "");
	AS("OK", further, "");
	AS("F2035", other, "");
	/* to read is enough */
	chmod(CONNECT_HERE, 0640);
	AS("OK", member, "");
	chmod(CONNECT_HERE, 0600);
	AS("F2035", member, "");
}

/* O-AUTH-1, P-CTX-1, P-ONE-4: MQPUT1 and the context it sets */
TEST_F(auth, put1)
{
	EXPECT_STREQ("OK", alter(Q, "mode=0662"));
	AS("OK OK OK", owner, Q ":1 " Q ":1t " Q ":1T");
	AS("OK F2035 F2035", other, Q ":1 " Q ":1t " Q ":1T");
	AS("F2035 F2035", other, Q ":ot " Q ":oT");
	EXPECT_EQ(4, depth(Q));
	EXPECT_STREQ("OK", alter(Q, "mode=0640"));
	AS("F2035", member, Q ":1");
}

/* A user who has opened Q, and tries again whenever asked. */
struct visitor {
	int ask, hear;
};

static void visit(struct user u, int asked, int answer)
{
	char results[3][16], go;
	struct mqh *h;
	MQHCONN hc;

	become(u);
	hc = conn();
	h = opn(hc, Q, "io");
	while (read(asked, &go, 1) == 1) {
		strcpy(results[0], put(h, "A"));
		strcpy(results[1], put1_rc(hc, Q, 0, ""));
		strcpy(results[2], opn_rc(hc, Q, "o"));
		if (write(answer, results, sizeof(results)) < 0)
			break;
	}
	_exit(0);
}

static struct visitor visitor(struct user u)
{
	int ask[2] = { -1, -1 }, hear[2] = { -1, -1 };

	if (!pipe(ask) && !pipe(hear) && !fork()) {
		close(ask[1]);
		visit(u, ask[0], hear[1]);
	}
	close(ask[0]);
	return (struct visitor){ ask[1], hear[0] };
}

/* MQPUT, MQPUT1, MQOPEN */
static const char *tries(const struct visitor *v)
{
	char *answer = answer_buf(), results[3][16] = { "" };

	if (write(v->ask, "", 1) != 1 ||
	    read(v->hear, results, sizeof(results)) < 0)
		return "gone";
	sprintf(answer, "%s %s %s", results[0], results[1], results[2]);
	return answer;
}

/*
 * O-AUTH-4: a handle keeps its rights, whatever becomes of the node; an open
 * and an MQPUT1 after that find the new ones.
 */
TEST_F(auth, checked_at_open_only)
{
	struct visitor v;

	EXPECT_STREQ("OK", alter(Q, "mode=0666"));
	v = visitor(other);
	EXPECT_STREQ("OK OK OK", tries(&v));
	chmod(NODE(Q), 0600);
	EXPECT_STREQ("OK F2035 F2035", tries(&v));
	chmod(NODE(Q), 0666);
	EXPECT_STREQ("OK OK OK", tries(&v));
	/* a node made anew */
	EXPECT_STREQ("OK", alter(Q, "mode=0600"));
	EXPECT_STREQ("OK F2035 F2035", tries(&v));
	EXPECT_STREQ("OK", alter(Q, "mode=0666"));
	EXPECT_STREQ("OK OK OK", tries(&v));
	close(v.ask);
	wait(NULL);
	EXPECT_EQ(8, depth(Q));
}

/* Owner, group and mode as attributes; a chmod lasts until they change */
TEST_F(auth, attributes_of_the_node)
{
	struct stat s;

	ASSERT_EQ(0, stat(NODE(Q), &s));
	EXPECT_EQ(0640, s.st_mode & 0777);
	EXPECT_EQ(OWNER, s.st_uid);
	EXPECT_EQ(GROUP, s.st_gid);
	EXPECT_STREQ("OK", alter(Q, "mode=0604 uid=7003 gid=7001"));
	ASSERT_EQ(0, stat(NODE(Q), &s));
	EXPECT_EQ(0604, s.st_mode & 0777);
	EXPECT_EQ(OTHER, s.st_uid);
	EXPECT_EQ(OWNER, s.st_gid);
	AS("OK OK OK", other, Q ":i " Q ":o " Q ":s");
	AS("OK F2035 F2035", owner, Q ":i " Q ":o " Q ":s");
	chmod(NODE(Q), 0600);
	EXPECT_STREQ("OK", alter(Q, "depth=17"));
	AS("F2035", owner, Q ":i");
	chown(NODE(Q), OWNER, 0);
	AS("OK OK OK", owner, Q ":i " Q ":o " Q ":s");
	AS("F2035 F2035 F2035", other, Q ":i " Q ":o " Q ":s");
}

/* An access control list of three users, as setfacl would set it. */
static int set_acl(const char *node, uid_t reads, uid_t writes)
{
	struct {
		struct posix_acl_xattr_header h;
		struct posix_acl_xattr_entry e[6];
	} acl = {
		.h = { POSIX_ACL_XATTR_VERSION },
		.e = {
			{ ACL_USER_OBJ, 6, ACL_UNDEFINED_ID },
			{ ACL_USER, 4, reads },
			{ ACL_USER, 2, writes },
			{ ACL_GROUP_OBJ, 0, ACL_UNDEFINED_ID },
			{ ACL_MASK, 6, ACL_UNDEFINED_ID },
			{ ACL_OTHER, 0, ACL_UNDEFINED_ID },
		},
	};

	return setxattr(node, "system.posix_acl_access", &acl, sizeof(acl),
			0);
}

/* O-AUTH-3: access control lists, where the file system has them */
TEST_F(auth, access_control_list)
{
	const struct user reader = { 7005, 7005 }, writer = { 7006, 7006 };

	EXPECT_STREQ("OK", alter(Q, "mode=0600"));
	AS("F2035 F2035", reader, Q ":i " Q ":o");
	if (set_acl(NODE(Q), 7005, 7006)) {
		ASSERT_EQ(EOPNOTSUPP, errno);
		SKIP(return, "devtmpfs without access control lists");
	}
	AS("OK OK OK F2035 F2035", reader,
	   Q ":i " Q ":b " Q ":q " Q ":o " Q ":1");
	AS("F2035 F2035 F2035 OK OK", writer,
	   Q ":i " Q ":b " Q ":q " Q ":o " Q ":1");
	AS("F2035 F2035", reader, Q ":s " Q ":ot");
	AS("F2035 F2035", other, Q ":i " Q ":o");
	AS("OK OK", owner, Q ":io " Q ":1T");
}

static const char *put_as(struct user u, const char *msg)
{
	CHILD(u);
	return TELL(put(opn(conn(), Q, "o"), msg));
}

/* P-REP-13, more strictly: no report where the putter may do nothing */
TEST_F(auth, reply_queue)
{
	EXPECT_STREQ("OK", alter(Q, "mode=0622"));
	ASSERT_STREQ("OK", define("KT.R", "mode=0600 uid=0 gid=0"));
	AS("F2035", other, "KT.R:o");
	EXPECT_STREQ("OK", put_as(other, "A rep=0x100 rq=KT.R"));
	EXPECT_EQ(0, depth("KT.R"));
	/* but where he gets his replies */
	EXPECT_STREQ("OK", alter("KT.R", "mode=0604"));
	EXPECT_STREQ("OK", put_as(other, "A rep=0x100 rq=KT.R"));
	EXPECT_EQ(1, depth("KT.R"));
}

/* O-AUTH-2, O-RES-5: an alias is a node of its own */
TEST_F(auth, alias)
{
	EXPECT_STREQ("OK", alter(Q, "mode=0600 uid=0 gid=0"));
	ASSERT_STREQ("OK", define(A, "alias target=" Q
				  " mode=0646 uid=7001 gid=7002"));
	AS("F2035 F2035 F2035", other, Q ":i " Q ":o " Q ":1");
	AS("OK OK OK OK OK", other, A ":i " A ":b " A ":q " A ":o " A ":1");
	EXPECT_EQ(1, depth(Q));
	AS("OK F2035", member, A ":i " A ":o");
	/* what the owner may do concerns the alias */
	AS("F2035 F2035 F2035", other, A ":s " A ":ot " A ":1T");
	AS("OK OK OK", owner, A ":s " A ":ot " A ":1T");
	AS("F2035", owner, Q ":s");
	/* and the other way round */
	EXPECT_STREQ("OK", alter(Q, "mode=0666"));
	EXPECT_STREQ("OK", alter(A, "alias mode=0600"));
	AS("F2035 OK", other, A ":i " Q ":i");
}

/* Open the model for @how as @u, then make calls, if any: their results. */
static const char *make_as(struct user u, const char *dynamic, const char *how,
			   const char *then)
{
	MQOD od = od_named(M, "");
	MQLONG cc, rc;
	MQHCONN hc;
	MQHOBJ ho;

	CHILD(u);
	hc = conn();
	FIELD_SET(od.DynamicQName, dynamic);
	MQOPEN(hc, &od, open_options(how), &ho, &cc, &rc);
	return TELL(cc == MQCC_OK && *then ? calls_rc(hc, then) :
					     outcome(cc, rc));
}

/* O-DYN-9: what the model allows, and whose the new queue is */
TEST_F(auth, dynamic_queue)
{
	const struct user stranger = { OWNER, OWNER };
	struct stat s;

	ASSERT_STREQ("OK", define(M, "model deftype=2 mode=0662 uid=0 gid=0"));
	EXPECT_STREQ("F2035", make_as(other, "KT.MADE", "i", ""));
	EXPECT_EQ(-1, stat(NODE("KT.MADE"), &s));
	EXPECT_STREQ("F2035", make_as(other, "KT.MADE", "os", ""));
	/* the creator is the owner from then on, mode as the model's */
	EXPECT_STREQ("OK OK OK", make_as(other, "KT.MADE", "o",
					 "KT.MADE:i KT.MADE:s KT.MADE:ot"));
	ASSERT_EQ(0, stat(NODE("KT.MADE"), &s));
	EXPECT_EQ(OTHER, s.st_uid);
	EXPECT_EQ(OTHER, s.st_gid);
	EXPECT_EQ(0662, s.st_mode & 0777);
	AS("F2035 OK F2035", stranger, "KT.MADE:i KT.MADE:o KT.MADE:s");
	delete_q("KT.MADE", KMQ_DELETE_PURGE);
}

static const char *close_as(struct user u, const char *q, MQLONG options)
{
	struct mqh *h;

	CHILD(u);
	h = opn(conn(), q, "o");
	MQCLOSE(h->hc, &h->ho, options, &h->cc, &h->rc);
	return TELL(outcome(h->cc, h->rc));
}

/* O-CLOSE-3, O-AUTH-1: delete by another handle than the creating one */
TEST_F(auth, delete_by_another)
{
	struct stat s;

	ASSERT_STREQ("OK", define(M, "model deftype=2 mode=0666"));
	EXPECT_STREQ("OK", make_as(owner, "KT.MADE", "o", ""));
	EXPECT_STREQ("F2035", close_as(other, "KT.MADE", MQCO_DELETE));
	EXPECT_STREQ("F2035", close_as(other, "KT.MADE", MQCO_DELETE_PURGE));
	EXPECT_EQ(0, stat(NODE("KT.MADE"), &s));
	EXPECT_STREQ("OK", close_as(owner, "KT.MADE", MQCO_DELETE));
	EXPECT_EQ(-1, stat(NODE("KT.MADE"), &s));
}

/* O-AUTH-1: the rights of another user, and who may ask for them */
TEST_F(auth, alternate_user)
{
	const struct user root = { 0, 0 };

	/* numbers that are nobody's name stand for themselves */
	AS("OK OK OK OK", root, Q ":i@7001 " Q ":o@7001 " Q ":s@7001 "
	   Q ":oT@7001");
	AS("F2035 F2035 F2035", root, Q ":i@7003 " Q ":o@7003 " Q ":s@7003");
	AS("OK F2035 F2035", root, Q ":1@7001 " Q ":1@7003 " Q ":1T@7003");
	AS("OK", root, Q ":1T@7001");
	AS("OK OK", root, Q ":io@0 " Q ":s@root");
	AS("F2035 F2035", root, Q ":i@nobody-there " Q ":1@nobody-there");
	EXPECT_EQ(2, depth(Q));
	/* the owner of the queue manager's node may ask, but gains nothing */
	AS("F2035", owner, Q ":i@7001");
	chown(CONNECT_HERE, OWNER, 0);
	AS("OK F2035 F2035", owner, Q ":i@7001 " Q ":i@7003 " Q ":1@7003");
	AS("OK", owner, Q ":1@7001");
	chown(CONNECT_HERE, OTHER, 0);
	AS("F2035 F2035", other, Q ":i@7001 " Q ":i@0");
	chown(CONNECT_HERE, 0, 0);
	/* without the option the user is not looked at */
	AS("OK", owner, Q ":i");
}

static void append(const char *file, const char *line)
{
	FILE *f = fopen(file, "a");

	if (!f)
		return;
	fputs(line, f);
	fclose(f);
}

#define ADMIN_HERE	"/dev/kmq/" QM "/admin"

/* A queue is defined without an owner or a group. */
static const char *define_as(struct user u, const char *q)
{
	CHILD(u);
	return TELL(define(q, ""));
}

/* O-AUTH-3: who defines a queue can use it, and who may administer as well */
TEST_F(auth, owner_is_the_definer)
{
	struct stat was, s;

	ASSERT_EQ(0, stat(ADMIN_HERE, &was));
	chmod(ADMIN_HERE, 0660);
	chown(ADMIN_HERE, 0, GROUP);
	EXPECT_STREQ("OK", define(Q "2", ""));
	ASSERT_EQ(0, stat(NODE(Q "2"), &s));
	EXPECT_EQ(0, s.st_uid);
	EXPECT_EQ(GROUP, s.st_gid);
	EXPECT_EQ(0660, s.st_mode & 0777);
	AS("OK", member, Q "2:io");
	AS("F2035", other, Q "2:i");

	EXPECT_STREQ("OK", define_as(member, Q "3"));
	ASSERT_EQ(0, stat(NODE(Q "3"), &s));
	EXPECT_EQ(OTHER, s.st_uid);
	EXPECT_EQ(GROUP, s.st_gid);
	AS("OK OK OK", member, Q "3:io " Q "3:1 " Q "3:s");
	AS("OK F2035", further, Q "3:io " Q "2:s");
	AS("F2035", owner, Q "3:i");
	EXPECT_STREQ("OK", delete_q(Q "3", KMQ_DELETE_PURGE));
	chown(ADMIN_HERE, was.st_uid, was.st_gid);
	chmod(ADMIN_HERE, was.st_mode & 0777);
}

#define CONTROL_HERE	"/dev/kmq/control"
#define NEW_QM		"KTAUTH"

/* A queue manager belongs to the group of those who may make one */
TEST_F(auth, group_of_a_new_queue_manager)
{
	struct stat was, s;

	ASSERT_EQ(0, stat(CONTROL_HERE, &was));
	chown(CONTROL_HERE, 0, GROUP);
	EXPECT_STREQ("OK", make_qmgr(NEW_QM));
	ASSERT_EQ(0, stat("/dev/kmq/" NEW_QM "/qmgr", &s));
	EXPECT_EQ(GROUP, s.st_gid);
	EXPECT_EQ(0660, s.st_mode & 0777);
	ASSERT_EQ(0, stat("/dev/kmq/" NEW_QM "/admin", &s));
	EXPECT_EQ(0, s.st_uid);
	EXPECT_EQ(GROUP, s.st_gid);
	EXPECT_EQ(0660, s.st_mode & 0777);
	EXPECT_STREQ("OK", delete_qmgr(NEW_QM));
	chown(CONTROL_HERE, was.st_uid, was.st_gid);
}

/* A definition that replaces another takes nobody's rights away */
TEST_F(auth, replaced_with_its_owner)
{
	struct stat s;

	EXPECT_STREQ("OK", redefine(Q, "depth=19"));
	ASSERT_EQ(0, stat(NODE(Q), &s));
	EXPECT_EQ(OWNER, s.st_uid);
	EXPECT_EQ(GROUP, s.st_gid);
	EXPECT_EQ(0660, s.st_mode & 0777);
	EXPECT_STREQ("OK", redefine(Q, "uid=7003"));
	ASSERT_EQ(0, stat(NODE(Q), &s));
	EXPECT_EQ(OTHER, s.st_uid);
	EXPECT_EQ(GROUP, s.st_gid);
}

/* O-AUTH-1: a user with a name, a group and further groups */
TEST_F(auth, alternate_user_by_name)
{
	const struct user root = { 0, 0 };

	append("/etc/passwd", "ktalice:x:7010:7002::/:/bin/sh\n"
	       "ktbob:x:7011:7011::/:/bin/sh\nktcarol:x:7012:7012::/:/bin/sh\n");
	append("/etc/group", "ktgroup:x:7002:ktbob\n");
	AS("OK F2035", root, Q ":i@ktalice " Q ":o@ktalice");
	AS("OK F2035", root, Q ":i@ktbob " Q ":o@ktbob");
	AS("F2035 F2035", root, Q ":i@ktcarol " Q ":o@ktcarol");
}

/* P-DL-9, O-DL-3: the alternate user of a list */
TEST_F(auth, alternate_user_of_a_list)
{
	struct dl l;

	ASSERT_STREQ("OK", define(Q "2", "mode=0600 uid=7003"));
	dl_init(&l, self->c, Q " " Q "2");
	FIELD_SET(l.od.AlternateUserId, "7001");
	EXPECT_STREQ("W2136", dl_open(&l, MQOO_ALTERNATE_USER_AUTHORITY));
	EXPECT_STREQ("OK F2035", dl_results(l.opened, 2));
	l.pmo.Options = MQPMO_ALTERNATE_USER_AUTHORITY;
	EXPECT_STREQ("W2136", dl_put1(&l, "text"));
	EXPECT_STREQ("OK F2035", dl_results(l.opened, 2));
	EXPECT_EQ(1, depth(Q));
	EXPECT_EQ(0, depth(Q "2"));
	/* as ourselves */
	l.pmo.Options = MQPMO_NONE;
	EXPECT_STREQ("OK", dl_put1(&l, "text"));
	FIELD_SET(l.od.AlternateUserId, "7009");
	EXPECT_STREQ("F2035", dl_open(&l, MQOO_ALTERNATE_USER_AUTHORITY));
	EXPECT_STREQ("- -", dl_results(l.opened, 2));
}

TEST_HARNESS_MAIN
