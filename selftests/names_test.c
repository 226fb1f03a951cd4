/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Queues that users make from a model (O-DYN): which names they cannot have, as
 * somebody relies on them, and how many queues.
 *
 * All that is made here is made by children that have become a user without
 * privileges, unless a case says otherwise.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "q_fixture.h"

#define CONNECT_HERE	"/dev/kmq/" QM "/qmgr"
#define ADMIN_HERE	"/dev/kmq/" QM "/admin"
#define PARAMETER	"/sys/module/kmq/parameters/user_queues"
#define M	"KT.MODEL"		/* permanent queues */
#define T	"KT.TEMPORARY"		/* temporary ones */
#define X	"KT.TRANSMISSION"	/* transmission queues */
#define QM2	"KT.QM2"
#define JOE	7001
#define ANN	7003

/* Open @model as it is, for a queue called @name. */
static const char *make_here(MQHCONN hc, const char *model, const char *name,
			     const char *user)
{
	MQOD od = { MQOD_DEFAULT };
	MQLONG cc, rc;
	MQHOBJ ho;

	FIELD_SET(od.ObjectName, model);
	FIELD_SET(od.DynamicQName, name);
	FIELD_SET(od.AlternateUserId, user);
	MQOPEN(hc, &od, MQOO_OUTPUT | MQOO_INPUT_AS_Q_DEF |
	       (*user ? MQOO_ALTERNATE_USER_AUTHORITY : 0), &ho, &cc, &rc);
	return outcome(cc, rc);
}

static void become(uid_t uid)
{
	if (setgroups(0, NULL) || setgid(uid) || setuid(uid))
		_exit(99);
}

/* The child makes each of the names, separated by blanks, and ends. */
static void make_and_tell(int fd, const char *model, const char *names)
{
	char *copy = strdup(names), *save, *name;
	char answer[4096] = "";
	MQHCONN hc = conn();

	for (name = strtok_r(copy, " ", &save); name;
	     name = strtok_r(NULL, " ", &save))
		sprintf(answer + strlen(answer), "%s%s", *answer ? " " : "",
			make_here(hc, model, name, ""));
	_exit(write(fd, answer, strlen(answer)) < 0);
}

static const char *told(int fd)
{
	char *answer = answer_buf();
	int n = read(fd, answer, 255);

	answer[n < 0 ? 0 : n] = 0;
	close(fd);
	wait(NULL);
	return answer;
}

/* Outcomes of opening @model for each of @names as @uid. */
static const char *make_as(uid_t uid, const char *model, const char *names)
{
	int pipes[2];

	if (pipe(pipes))
		return "no pipe";
	if (!fork()) {
		become(uid);
		make_and_tell(pipes[1], model, names);
	}
	close(pipes[1]);
	return told(pipes[0]);
}

#define MAKE(want, uid, names)	EXPECT_STREQ(want, make_as(uid, M, names))
/* One that can be made, and is deleted again. */
#define FREE(name) do {							\
	MAKE("OK", JOE, name);						\
	EXPECT_STREQ("OK", delete_q(name, KMQ_DELETE_PURGE));		\
} while (0)
/* One that an administrator alone can make. */
#define TAKEN(name) do {						\
	MAKE("F2035", JOE, name);					\
	MAKE("OK", 0, name);						\
	EXPECT_STREQ("OK", delete_q(name, KMQ_DELETE_PURGE));		\
} while (0)

static unsigned int limit(void)
{
	unsigned int n = 0;
	FILE *f = fopen(PARAMETER, "r");

	if (f) {
		if (fscanf(f, "%u", &n) != 1)
			n = 0;
		fclose(f);
	}
	return n;
}

static void set_limit(unsigned int n)
{
	FILE *f = fopen(PARAMETER, "w");

	if (f) {
		fprintf(f, "%u", n);
		fclose(f);
	}
}

FIXTURE(names) {
	struct stat connect, admin;
	unsigned int limit;
	MQHCONN c;
};

FIXTURE_SETUP(names)
{
	ASSERT_LE(0, admin_fd())
		TH_LOG("is the module loaded?");
	ASSERT_EQ(0, stat(CONNECT_HERE, &self->connect));
	ASSERT_EQ(0, stat(ADMIN_HERE, &self->admin));
	chmod(CONNECT_HERE, 0666);
	self->limit = limit();
	self->c = conn();
	ASSERT_STREQ("OK", define(M, "model deftype=2 mode=0666"));
	ASSERT_STREQ("OK", define(T, "model deftype=3 mode=0666"));
	ASSERT_STREQ("OK", define(X, "model deftype=2 usage=1 mode=0666"));
}

FIXTURE_TEARDOWN(names)
{
	set_limit(self->limit);
	alter_qmgr("deadq= defxmitq=");
	disc(&self->c);
	clean_up();
	delete_qmgr(QM2);
	chmod(CONNECT_HERE, self->connect.st_mode & 0777);
	chmod(ADMIN_HERE, self->admin.st_mode & 0777);
}

/* Names that begin with SYSTEM., whether something has that name or not */
TEST_F(names, of_the_system)
{
	TAKEN("SYSTEM.DEAD.LETTER.QUEUE");
	TAKEN("SYSTEM.ADMIN.PERFM.EVENT");
	TAKEN("SYSTEM.ANYTHING");
	MAKE("F2035 F2035", JOE, "SYSTEM.* SYSTEM.KT.*");
	EXPECT_STREQ("F2035", make_as(JOE, T, "SYSTEM.KT"));
	FREE("SYSTEM");
	FREE("SYSTEMS.OWN");
	FREE("KT.SYSTEM.X");
}

/* Names of queue managers */
TEST_F(names, of_queue_managers)
{
	TAKEN(QM);
	FREE(QM2);
	ASSERT_STREQ("OK", make_qmgr(QM2));
	TAKEN(QM2);
	EXPECT_STREQ("OK", delete_qmgr(QM2));
	FREE(QM2);
}

/* Names that attributes of the queue manager refer to */
TEST_F(names, of_queue_manager_attributes)
{
	FREE("KT.DEAD");
	ASSERT_STREQ("OK", alter_qmgr("deadq=KT.DEAD defxmitq=KT.WAY"));
	TAKEN("KT.DEAD");
	TAKEN("KT.WAY");
	ASSERT_STREQ("OK", alter_qmgr("deadq=KT.DEAD.2"));
	FREE("KT.DEAD");
	TAKEN("KT.DEAD.2");
	TAKEN("KT.WAY");
	ASSERT_STREQ("OK", alter_qmgr("deadq= defxmitq="));
	FREE("KT.DEAD.2");
	FREE("KT.WAY");
}

/* Names that definitions refer to, until they do no more */
TEST_F(names, of_definitions)
{
	ASSERT_STREQ("OK", define("KT.R", "remote rname=KT.FAR rqm=KT.AWAY "
				  "xmitq=KT.XMIT"));
	TAKEN("KT.FAR");
	TAKEN("KT.AWAY");
	TAKEN("KT.XMIT");
	ASSERT_STREQ("OK", define("KT.A", "alias target=KT.TARGET"));
	TAKEN("KT.TARGET");
	ASSERT_STREQ("OK", define(Q, "initq=KT.INIT boq=KT.BACK "
				  "streamq=KT.STREAM cluster=KT.CLUSTER"));
	TAKEN("KT.INIT");
	TAKEN("KT.BACK");
	TAKEN("KT.STREAM");
	TAKEN("KT.CLUSTER");
	/* those of a model */
	ASSERT_STREQ("OK", alter(M, "model initq=KT.INIT.2"));
	TAKEN("KT.INIT.2");
	/* a second one keeps a name */
	ASSERT_STREQ("OK", define("KT.A2", "alias target=KT.TARGET"));
	EXPECT_STREQ("OK", delete_q("KT.A", 0));
	TAKEN("KT.TARGET");
	EXPECT_STREQ("OK", alter("KT.A2", "alias target=KT.ELSEWHERE"));
	FREE("KT.TARGET");
	TAKEN("KT.ELSEWHERE");
	/* a definition that was refused refers to nothing */
	EXPECT_STREQ("F4005", alter("KT.A2", "alias target=KT.NEVER pri=77"));
	FREE("KT.NEVER");
	TAKEN("KT.ELSEWHERE");
	EXPECT_STREQ("OK", alter("KT.R", "remote rname=KT.FAR.2"));
	FREE("KT.FAR");
	TAKEN("KT.XMIT");
	EXPECT_STREQ("OK", delete_q("KT.R", 0));
	EXPECT_STREQ("OK", delete_q(Q, 0));
	FREE("KT.AWAY");
	FREE("KT.XMIT");
	FREE("KT.INIT");
	FREE("KT.BACK");
	FREE("KT.STREAM");
	FREE("KT.CLUSTER");
}

/* O-DYN-4: a name that exists, a queue manager alias among them, is 2100 */
TEST_F(names, that_exist)
{
	ASSERT_STREQ("OK", define("KT.ALIAS.QM", "remote rname= rqm=" QM));
	ASSERT_STREQ("OK", define("KT.A", "alias target=" Q));
	MAKE("F2100 F2100 F2100", JOE, "KT.ALIAS.QM KT.A " M);
	ASSERT_STREQ("OK", define("SYSTEM.KT.Q", ""));
	MAKE("F2100", JOE, "SYSTEM.KT.Q");
}

/* Another queue manager of the module refers to queues here. */
TEST_F(names, that_other_queue_managers_use)
{
	ASSERT_STREQ("OK", make_qmgr(QM2));
	admin_at(QM2);
	EXPECT_STREQ("OK", define("KT.R", "remote rname=KT.THERE rqm=" QM));
	EXPECT_STREQ("OK", define("KT.CQ", "cluster=KT.CL"));
	admin_at("");
	TAKEN("KT.THERE");
	/* programs here reach the cluster queue by its name */
	TAKEN("KT.CQ");
	TAKEN("KT.CL");
	EXPECT_STREQ("OK", delete_qmgr(QM2));
	FREE("KT.THERE");
	FREE("KT.CQ");
	FREE("KT.CL");
}

/* O-DYN-2, O-DYN-3: generated names go on as before */
TEST_F(names, generated)
{
	EXPECT_STREQ("OK OK OK F2011",
		     make_as(JOE, T, "KT.GEN.* KT.GEN.* SYSTEM* KT.*X"));
}

/* Who may open the admin node for writing may have every name. */
TEST_F(names, of_administrators)
{
	chmod(ADMIN_HERE, 0644);
	MAKE("F2035", JOE, "SYSTEM.KT");
	chmod(ADMIN_HERE, 0606);
	MAKE("OK", JOE, "SYSTEM.KT");
	EXPECT_STREQ("OK", delete_q("SYSTEM.KT", KMQ_DELETE_PURGE));
	chmod(ADMIN_HERE, 0600);
	chown(ADMIN_HERE, JOE, 0);
	MAKE("OK", JOE, "SYSTEM.KT");
	MAKE("F2035", ANN, "SYSTEM.KT.2");
	EXPECT_STREQ("OK", delete_q("SYSTEM.KT", KMQ_DELETE_PURGE));
	chown(ADMIN_HERE, self->admin.st_uid, self->admin.st_gid);
	MAKE("F2035", JOE, "SYSTEM.KT");
}

/* O-AUTH-1: what the alternate user may not, the caller may not */
TEST_F(names, alternate_user)
{
	EXPECT_STREQ("F2035", make_here(self->c, T, "SYSTEM.KT", "7001"));
	EXPECT_STREQ("OK", make_here(self->c, T, "SYSTEM.KT", "root"));
	EXPECT_STREQ("OK", make_here(self->c, T, "KT.FREE", "7001"));
}

static const char *put_at(const char *q, const char *qmgr)
{
	MQHCONN hc = conn();
	MQOD od = { MQOD_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG cc, rc;

	FIELD_SET(od.ObjectName, q);
	FIELD_SET(od.ObjectQMgrName, qmgr);
	MQPUT1(hc, &od, &md, &pmo, 4, "text", &cc, &rc);
	/* nothing stays open for the next one */
	disc(&hc);
	return outcome(cc, rc);
}

/* O-RES-2: a queue that a user made is the way to no queue manager, ever. */
TEST_F(names, of_queue_managers_to_come)
{
	const char *models[] = { M, X };
	int i;

	for (i = 0; i < 2; i++) {
		EXPECT_STREQ("OK", make_as(JOE, models[i], QM2));
		EXPECT_STREQ("F2087", put_at(Q, QM2));
		ASSERT_STREQ("OK", make_qmgr(QM2));
		admin_at(QM2);
		EXPECT_STREQ("OK", define(Q, ""));
		EXPECT_STREQ("OK", put_at(Q, QM2));
		EXPECT_EQ(1, depth(Q));
		admin_at("");
		EXPECT_EQ(0, depth(QM2));
		EXPECT_STREQ("OK", delete_qmgr(QM2));
		EXPECT_STREQ("OK", delete_q(QM2, KMQ_DELETE_PURGE));
	}
	/* one that is not in the module: by the default transmission queue */
	ASSERT_STREQ("OK", define("KT.WAY", "usage=1"));
	EXPECT_STREQ("OK", make_as(JOE, X, "KT.AWAY"));
	ASSERT_STREQ("OK", alter_qmgr("defxmitq=KT.WAY"));
	EXPECT_STREQ("OK", put_at(Q, "KT.AWAY"));
	EXPECT_EQ(1, depth("KT.WAY"));
	EXPECT_EQ(0, depth("KT.AWAY"));
	/* nor is it one that a definition names */
	ASSERT_STREQ("OK", define("KT.R", "remote rname=FAR rqm=OFF "
				  "xmitq=KT.AWAY"));
	EXPECT_STREQ("F2196", opn_rc(self->c, "KT.R", "o"));
	ASSERT_STREQ("OK", alter_qmgr("defxmitq=KT.AWAY"));
	EXPECT_STREQ("F2197", put_at(Q, "KT.NOWHERE"));
	/* until an administrator makes it his */
	EXPECT_EQ(0, depth("KT.AWAY"));
	EXPECT_STREQ("OK", delete_q("KT.AWAY", KMQ_DELETE_PURGE));
	EXPECT_STREQ("OK", make_as(0, X, "KT.AWAY"));
	EXPECT_STREQ("OK", opn_rc(self->c, "KT.R", "o"));
	EXPECT_STREQ("OK", put_at(Q, "KT.NOWHERE"));
	EXPECT_EQ(1, depth("KT.AWAY"));
	EXPECT_STREQ("OK", delete_q("KT.AWAY", KMQ_DELETE_PURGE));
}

/* The limit: of each user, for queues that are there, with or without him */
TEST_F(names, limit_of_a_user)
{
	set_limit(3);
	ASSERT_EQ(3, limit());
	MAKE("OK OK OK F2102 F2102", JOE, "KT.J1 KT.J2 KT.J3 KT.J4 KT.GEN.*");
	/* what they made stays, and counts, though they are gone */
	MAKE("F2102", JOE, "KT.J4");
	EXPECT_STREQ("F2102", make_as(JOE, T, "KT.J4"));
	/* 2035 and 2100 come first, O-OPEN-13 */
	MAKE("F2035 F2100", JOE, "SYSTEM.KT KT.J1");
	/* others have theirs, administrators as many as they like */
	MAKE("OK OK OK F2102", ANN, "KT.A1 KT.A2 KT.A3 KT.A4");
	MAKE("OK OK OK OK", 0, "KT.R1 KT.R2 KT.R3 KT.R4");
	/* one that goes makes room for one */
	EXPECT_STREQ("OK", delete_q("KT.J2", KMQ_DELETE_PURGE));
	MAKE("OK F2102", JOE, "KT.J4 KT.J5");
	/* and so does one that an administrator takes over */
	ASSERT_STREQ("OK", define("KT.J3", ""));
	MAKE("OK F2102", JOE, "KT.J5 KT.J6");
	EXPECT_STREQ("OK", delete_q("KT.J1", 0));
	EXPECT_STREQ("OK", delete_q("KT.J4", 0));
	EXPECT_STREQ("OK", delete_q("KT.J5", 0));
	/* temporary ones go with their maker */
	EXPECT_STREQ("OK OK OK F2102",
		     make_as(JOE, T, "KT.T1 KT.T2 KT.T3 KT.T4"));
	EXPECT_STREQ("OK OK OK F2102",
		     make_as(JOE, T, "KT.T1 KT.T2 KT.T3 KT.T4"));
	/* none at all */
	set_limit(0);
	MAKE("F2102", JOE, "KT.J1");
	MAKE("OK", 0, "KT.R5");
	EXPECT_STREQ("OK", delete_q("KT.A1", 0));
	EXPECT_STREQ("OK", delete_q("KT.A2", 0));
	EXPECT_STREQ("OK", delete_q("KT.A3", 0));
	EXPECT_STREQ("OK", delete_q("KT.R1", 0));
	EXPECT_STREQ("OK", delete_q("KT.R2", 0));
	EXPECT_STREQ("OK", delete_q("KT.R3", 0));
	EXPECT_STREQ("OK", delete_q("KT.R4", 0));
	EXPECT_STREQ("OK", delete_q("KT.R5", 0));
}

/* A queue that could not be made for another reason does not count. */
TEST_F(names, failures_do_not_count)
{
	set_limit(1);
	ASSERT_STREQ("OK", alter(T, "model mode=0"));
	EXPECT_STREQ("F2035", make_as(JOE, T, "KT.T1"));
	MAKE("F2011 F2100", JOE, "*X " M);
	ASSERT_STREQ("OK", alter_qmgr("handles=1"));
	MAKE("OK F2017", JOE, "KT.J1 KT.J2");
	ASSERT_STREQ("OK", alter_qmgr("handles=256"));
	EXPECT_STREQ("OK", delete_q("KT.J1", 0));
	MAKE("OK F2102", JOE, "KT.J1 KT.J2");
	EXPECT_STREQ("OK", delete_q("KT.J1", 0));
}

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int n = fd < 0 ? -1 : write(fd, text, strlen(text));

	close(fd);
	return n < 0 ? -1 : 0;
}

/* Make names as user @inside of a user namespace of @uid that maps a range. */
static const char *make_inside(uid_t uid, uid_t inside, const char *names)
{
	int pipes[2], ready[2], mapped[2];
	char path[64], byte = 0;
	pid_t child;

	if (pipe(pipes) || pipe(ready) || pipe(mapped))
		return "no pipe";
	child = fork();
	if (!child) {
		become(uid);
		if (unshare(CLONE_NEWUSER))
			_exit(write(pipes[1], "none", 4) < 0);
		if (write(ready[1], &byte, 1) != 1 ||
		    read(mapped[0], &byte, 1) != 1 || setgid(inside) ||
		    setuid(inside))
			_exit(99);
		make_and_tell(pipes[1], M, names);
	}
	close(pipes[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) == 1) {
		snprintf(path, sizeof(path), "/proc/%d/uid_map", child);
		write_file(path, "0 200000 100");
		snprintf(path, sizeof(path), "/proc/%d/gid_map", child);
		write_file(path, "0 200000 100");
		if (write(mapped[1], &byte, 1) != 1)
			return "no child";
	}
	close(ready[0]);
	close(mapped[0]);
	close(mapped[1]);
	return told(pipes[0]);
}

/* Who has many user numbers has one account. */
TEST_F(names, user_namespaces)
{
	const char *first;

	set_limit(2);
	first = make_inside(JOE, 0, "KT.N1");
	if (!strcmp(first, "none"))
		SKIP(return, "no user namespaces for users");
	EXPECT_STREQ("OK", first);
	/* privileges in there are none here */
	EXPECT_STREQ("F2035", make_inside(JOE, 0, "SYSTEM.KT"));
	EXPECT_STREQ("OK F2102", make_inside(JOE, 5, "KT.N2 KT.N3"));
	EXPECT_STREQ("F2102", make_inside(JOE, 6, "KT.N3"));
	MAKE("F2102", JOE, "KT.N3");
	MAKE("OK", ANN, "KT.N3");
	EXPECT_STREQ("OK", delete_q("KT.N1", 0));
	MAKE("OK", JOE, "KT.N4");
	EXPECT_STREQ("OK", delete_q("KT.N2", 0));
	EXPECT_STREQ("OK", delete_q("KT.N3", 0));
	EXPECT_STREQ("OK", delete_q("KT.N4", 0));
}

TEST_HARNESS_MAIN
