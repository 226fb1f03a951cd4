/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Limits that many reach at once, what is accounted for when messages move about
 * (UC-100, UC-101), and what a user can only have so many of.
 */
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "window_fixture.h"

#define THREADS	8
#define TRIES	60

struct putter {
	pthread_t thread;
	const char *options;
	int good, full, other;
};

static void *put_all(void *arg)
{
	struct putter *p = arg;
	MQHCONN hc = conn();
	struct mqh *h = opn(hc, Q, "o");
	char msg[64];
	int i;

	for (i = 0; i < TRIES; i++) {
		sprintf(msg, "T%d %s", i, p->options);
		put(h, msg);
		p->good += h->cc == MQCC_OK;
		p->full += h->rc == MQRC_Q_FULL;
		p->other += h->cc != MQCC_OK && h->rc != MQRC_Q_FULL;
	}
	commit(hc);
	disc(&hc);
	return NULL;
}

static void race_for_places(struct __test_metadata *_metadata,
			    const char *options)
{
	struct putter p[THREADS] = {};
	int i, good = 0, full = 0;

	for (i = 0; i < THREADS; i++) {
		p[i].options = options;
		pthread_create(&p[i].thread, NULL, put_all, &p[i]);
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(p[i].thread, NULL);
		good += p[i].good;
		full += p[i].full;
		EXPECT_EQ(0, p[i].other);
	}
	EXPECT_EQ(100, good);
	EXPECT_EQ(THREADS * TRIES - 100, full);
	EXPECT_EQ(100, depth(Q));
}

/* UC-101, P-Q-2: the last place is given once */
TEST_F(q, last_place)
{
	EXPECT_STREQ("OK", alter(Q, "depth=100"));
	race_for_places(_metadata, "");
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_puts);
}

TEST_F(q, last_place_in_units_of_work)
{
	EXPECT_STREQ("OK", alter(Q, "depth=100"));
	race_for_places(_metadata, "SP");
}

/* UC-101: what a message takes is given back, wherever it has been */
TEST_F(q, accounts_are_even)
{
	struct mqh *to;
	int i;

	ASSERT_STREQ("OK", define(Q "2", ""));
	to = opn(self->c, Q "2", "io");
	for (i = 0; i < 20; i++) {
		PUT("OK", self->h, "A len=5000 SP");
		PUT("OK", self->h, "B(X,1,0,G) len=100000");
		EXPECT_STREQ("OK", i % 3 ? commit(self->c) : back(self->c));
		GET("B", self->h, "SP m=B buf=100000");
		PUT("OK", to, "B len=100000 SP");
		EXPECT_STREQ("OK", i % 2 ? commit(self->c) : back(self->c));
	}
	EXPECT_NE(0, (int)status(Q).out_bytes);
	discard(self->h);
	discard(to);
	EXPECT_EQ(0, (int)status(Q).out_bytes);
	EXPECT_EQ(0, (int)status(Q "2").out_bytes);
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_puts);
	EXPECT_EQ(0, depth(Q));
}

/* UC-100, P-Q-2: a put that meets a limit changes no account */
TEST_F(q, limits_leave_no_trace)
{
	struct kmq_status before;

	PUT("OK", self->h, "A len=1000");
	before = status(Q);
	EXPECT_STREQ("OK", alter(Q, "depth=1 len=1000"));
	PUT("F2053", self->h, "X len=1000");
	PUT("F2053", self->h, "X len=1000 SP");
	PUT("F2030", self->h, "X len=1001");
	EXPECT_STREQ("OK", alter(Q, "depth=10"));
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=1"));
	PUT("OK", self->h, "B SP");
	PUT("F2024", self->h, "X SP");
	EXPECT_STREQ("OK", alter_qmgr("maxuncom=10000"));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(before.out_bytes, status(Q).out_bytes);
	EXPECT_EQ(1, depth(Q));
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_puts);
}

#define CONNECT_HERE	"/dev/kmq/" QM "/qmgr"
#define SIGNALS		"/sys/module/kmq/parameters/user_signals"
#define WINDOWS		"/sys/module/kmq/parameters/user_windows"
#define JOE		7001
#define ANN		7003
#define HANDLES		8
#define SOME		"#"	/* a message that another process has put */

/* The old value, which becomes @n. */
static int set_limit(const char *parameter, int n)
{
	FILE *f = fopen(parameter, "r+");
	int old = -1;

	if (!f)
		return -1;
	if (fscanf(f, "%d", &old) != 1)
		old = -1;
	rewind(f);
	fprintf(f, "%d", n);
	fclose(f);
	return old;
}

/* A process of a user without privileges that does what it is told. */
struct user {
	pid_t pid;
	int fd;
};

/*
 * What it can do with one of its handles, which is opened if it is not: a signal, a
 * get, a window, MQCLOSE.
 */
static const char *user_does(MQHCONN hc, struct mqh **h, char what)
{
	char *answer = answer_buf();
	MQLONG cc, rc;
	int fd;

	if (!*h)
		*h = opn(hc, Q, "i");
	switch (what) {
	case 's':
		return get(*h, "SIG(-1)");
	case 'g':
		return get(*h, "");
	case 'w':
		fd = window_fd(kmq_object_fd((*h)->hc, (*h)->ho));
		if (fd >= 0)
			close(fd);
		snprintf(answer, 16, "%d", fd < 0 ? fd : 0);
		return answer;
	default:
		MQCLOSE((*h)->hc, &(*h)->ho, MQCO_NONE, &cc, &rc);
		*h = NULL;
		return outcome(cc, rc);
	}
}

static void user_obeys(int fd)
{
	struct mqh *handles[HANDLES] = {};
	MQHCONN hc = conn();
	char order[2];

	while (read(fd, order, sizeof(order)) == sizeof(order)) {
		char answer[16] = "";

		snprintf(answer, sizeof(answer), "%s",
			 user_does(hc, &handles[order[1] - '0'], order[0]));
		if (write(fd, answer, sizeof(answer)) != sizeof(answer))
			_exit(1);
	}
	_exit(0);
}

static struct user user(uid_t uid)
{
	struct user u = { .pid = -1 };
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return u;
	u.fd = fds[0];
	u.pid = fork();
	if (!u.pid) {
		close(fds[0]);
		if (setgroups(0, NULL) || setgid(uid) || setuid(uid))
			_exit(99);
		user_obeys(fds[1]);
	}
	close(fds[1]);
	return u;
}

/* "s0": set a signal with handle 0. */
static const char *tell(struct user u, const char *order)
{
	char *answer = answer_buf();

	if (write(u.fd, order, 2) != 2 || read(u.fd, answer, 16) != 16)
		return "gone";
	return answer;
}

static void kill_user(struct user u)
{
	kill(u.pid, SIGKILL);
	waitpid(u.pid, NULL, 0);
	close(u.fd);
}

#define TELL(want, u, order)	EXPECT_STREQ(want, tell(u, order))

FIXTURE(users) {
	struct stat connect;
	int signals, windows;
	MQHCONN c;
	struct mqh *h;
	struct user joe, joe2, ann;
};

FIXTURE_SETUP(users)
{
	ASSERT_LE(0, admin_fd())
		TH_LOG("is the module loaded?");
	ASSERT_EQ(0, stat(CONNECT_HERE, &self->connect));
	chmod(CONNECT_HERE, 0666);
	ASSERT_STREQ("OK", define(Q, "fifo mode=0666"));
	self->joe = user(JOE);
	self->joe2 = user(JOE);
	self->ann = user(ANN);
	self->c = conn();
	self->h = opn(self->c, Q, "io");
	self->signals = set_limit(SIGNALS, 2);
	self->windows = set_limit(WINDOWS, 2);
	ASSERT_LE(2, self->signals);
	ASSERT_LE(2, self->windows);
}

FIXTURE_TEARDOWN(users)
{
	set_limit(SIGNALS, self->signals);
	set_limit(WINDOWS, self->windows);
	kill_user(self->joe);
	kill_user(self->joe2);
	kill_user(self->ann);
	disc(&self->c);
	clean_up();
	chmod(CONNECT_HERE, self->connect.st_mode & 0777);
}

/* Of all processes of a user and of nobody else; gone with handle or process */
TEST_F(users, signals)
{
	TELL("W2070", self->joe, "s0");
	TELL("W2070", self->joe2, "s0");
	TELL("F2102", self->joe, "s1");
	TELL("F2102", self->joe2, "s1");
	TELL("F2033", self->joe, "g1");
	TELL("W2070", self->ann, "s0");
	TELL("W2070", self->ann, "s1");
	TELL("F2102", self->ann, "s2");
	/* again with the same handle it is the same one */
	TELL("F2069", self->joe, "s0");
	TELL("OK", self->joe, "c0");
	TELL("W2070", self->joe2, "s1");
	TELL("F2102", self->joe, "s0");
	TELL("F2102", self->ann, "s2");
	kill_user(self->joe2);
	self->joe2 = user(JOE);
	TELL("W2070", self->joe, "s0");
	TELL("W2070", self->joe2, "s0");
	TELL("F2102", self->joe2, "s1");
	/* a higher limit is one for all, a lower one takes nothing away */
	set_limit(SIGNALS, 3);
	TELL("W2070", self->joe, "s1");
	set_limit(SIGNALS, 1);
	TELL("F2102", self->joe2, "s1");
	TELL("OK", self->joe, "c1");
	TELL("OK", self->joe, "c0");
	TELL("F2102", self->joe, "s0");
	TELL("OK", self->joe2, "c0");
	TELL("W2070", self->joe, "s0");
}

/* One that was posted counts until its handle gets again; who gets, gets */
TEST_F(users, posted_signals)
{
	TELL("W2070", self->joe, "s0");
	TELL("W2070", self->joe, "s1");
	PUT("OK", self->h, "A");
	TELL(SOME, self->joe, "s2");
	TELL("F2102", self->joe, "s2");
	TELL("F2033", self->joe, "g0");
	TELL("W2070", self->joe, "s2");
	TELL("F2102", self->joe, "s3");
	/* with the get, another one can be had */
	PUT("OK", self->h, "B");
	TELL(SOME, self->joe, "g1");
	TELL("W2070", self->joe, "s0");
	TELL("F2102", self->joe, "s1");
	TELL("OK", self->joe, "c2");
	TELL("W2070", self->joe, "s1");
	TELL("F2102", self->joe, "s2");
}

/* Administrators are users, too. */
TEST_F(users, signals_of_root)
{
	GET("W2070", opn(self->c, Q, "i"), "SIG(-1)");
	GET("W2070", opn(self->c, Q, "i"), "SIG(-1)");
	GET("F2102", opn(self->c, Q, "i"), "SIG(-1)");
	TELL("W2070", self->joe, "s0");
}

TEST_F(users, windows)
{
	TELL("0", self->joe, "w0");
	TELL("0", self->joe2, "w0");
	TELL("0", self->joe, "w0");	/* the same one */
	TELL("-2102", self->joe, "w1");
	TELL("-2102", self->joe2, "w1");
	TELL("0", self->ann, "w0");
	TELL("0", self->ann, "w1");
	TELL("-2102", self->ann, "w2");
	TELL("W2070", self->ann, "s2");
	/* gets go on without */
	PUT("OK", self->h, "A");
	TELL(SOME, self->joe, "g1");
	TELL("OK", self->joe, "c0");
	TELL("0", self->joe2, "w1");
	TELL("-2102", self->joe, "w0");
	kill_user(self->joe2);
	self->joe2 = user(JOE);
	TELL("0", self->joe, "w0");
	TELL("0", self->joe, "w1");
	TELL("-2102", self->joe2, "w0");
	set_limit(WINDOWS, 0);
	TELL("OK", self->joe, "c0");
	TELL("-2102", self->joe, "w0");
	TELL("OK", self->joe, "c1");
	set_limit(WINDOWS, 1);
	TELL("0", self->joe2, "w0");
	TELL("-2102", self->joe, "w1");
}

TEST_HARNESS_MAIN
