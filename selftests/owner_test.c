/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A unit of work ends with the process that connected (U-END-7), whoever else
 * has its descriptors, and with nothing less than that process.
 */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "q_fixture.h"
#include "raw.h"

/* What the process that connects and its heir leave for the test. */
struct shared {
	int conn, handle;
	char first[16], second[16];
};

/* A process that connects, and another one that has what it had. */
struct line {
	struct shared *shared;
	int to_owner[2], to_heir[2], up[2];
	pid_t owner;
};

static void say(int end)
{
	if (write(end, "x", 1) != 1)
		_exit(98);
}

/* Until somebody says something, or nobody is left who could. */
static bool hear(int end)
{
	char c;

	return read(end, &c, 1) == 1;
}

static bool line_init(struct line *l)
{
	l->shared = mmap(NULL, sizeof(*l->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return l->shared != MAP_FAILED && !pipe(l->to_owner) &&
	       !pipe(l->to_heir) && !pipe(l->up);
}

/* As a user that has been given the two files. */
static void connect_here(struct line *l, const char *how)
{
	struct shared *s = l->shared;

	s->conn = qmgr_node();
	s->handle = open_node(Q, O_RDWR);
	unprivileged(7001);
	if (strcmp("OK", raw_connect(s->conn)) ||
	    strcmp("OK", raw_open(s->handle, s->conn, how)))
		_exit(97);
}

/* Say how it went, and go when told. */
static void heir(struct line *l)
{
	struct shared *s = l->shared;

	close(l->to_heir[1]);
	say(l->up[1]);
	hear(l->to_heir[0]);
	strcpy(s->first, raw_commit(s->conn));
	say(l->up[1]);
	hear(l->to_heir[0]);
	strcpy(s->second, raw_commit(s->conn));
	say(l->up[1]);
	_exit(0);
}

/* What is not done by a call comes some time. */
static bool uncommitted(unsigned int n)
{
	struct kmq_status s = status(Q);

	while (s.out_uncommitted_puts + s.out_uncommitted_gets != n) {
		nap(1);
		s = status(Q);
	}
	return true;
}

/* The table of descriptors is another process's as well, so nothing is closed. */
TEST_F(q, shared_table_of_descriptors)
{
	struct line l;
	int st;

	ASSERT_TRUE(line_init(&l));
	PUT("OK", self->k, "A");
	l.owner = syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
	if (!l.owner) {
		connect_here(&l, "io");
		if (strcmp("OK", raw_get(l.shared->handle, NULL,
					 MQGMO_SYNCPOINT)) ||
		    strcmp("OK", raw_put(l.shared->handle, "B",
					 MQPMO_SYNCPOINT)))
			_exit(96);
		_exit(0);
	}
	ASSERT_EQ(l.owner, waitpid(l.owner, &st, 0));
	ASSERT_EQ(0, st);
	EXPECT_STREQ("F2009", raw_commit(l.shared->conn));
	EXPECT_STREQ("F2009", raw_put(l.shared->handle, "C", 0));
	ASSERT_TRUE(uncommitted(0));
	LIST("A");
	GET("A", self->k, "");
	EXPECT_EQ(1, self->k->md.BackoutCount);
	close(l.shared->handle);
	close(l.shared->conn);
}

/* It has closed its own copies; what it had got is back without any call. */
TEST_F(q, only_the_heir_has_descriptors)
{
	struct line l;
	int st;

	ASSERT_TRUE(line_init(&l));
	PUT("OK", self->k, "A");
	l.owner = fork();
	if (!l.owner) {
		connect_here(&l, "io");
		raw_get(l.shared->handle, NULL, MQGMO_SYNCPOINT);
		raw_put(l.shared->handle, "B", MQPMO_SYNCPOINT);
		if (!fork())
			heir(&l);
		close(l.shared->conn);
		close(l.shared->handle);
		hear(l.to_owner[0]);
		_exit(0);
	}
	ASSERT_TRUE(hear(l.up[0]));
	EXPECT_EQ(1, (int)status(Q).out_uncommitted_puts);
	EXPECT_EQ(1, (int)status(Q).out_uncommitted_gets);
	say(l.to_owner[1]);
	ASSERT_EQ(l.owner, waitpid(l.owner, &st, 0));
	ASSERT_TRUE(uncommitted(0));
	LIST("A");
	/* G-LCK-10 and the like: its handles are closed, too */
	while (status(Q).out_open_input != 2)
		nap(1);
	say(l.to_heir[1]);
	ASSERT_TRUE(hear(l.up[0]));
	EXPECT_STREQ("F2009", l.shared->first);
	close(l.to_heir[1]);
}

/* The first call after its end, however early. */
TEST_F(q, call_after_the_end)
{
	struct line l;
	int st, i;

	for (i = 0; i < 20; i++) {
		ASSERT_TRUE(line_init(&l));
		l.owner = fork();
		if (!l.owner) {
			connect_here(&l, "o");
			raw_put(l.shared->handle, "B", MQPMO_SYNCPOINT);
			if (!fork())
				heir(&l);
			close(l.shared->conn);
			hear(l.to_owner[0]);
			_exit(0);
		}
		ASSERT_TRUE(hear(l.up[0]));
		say(l.to_owner[1]);
		ASSERT_EQ(l.owner, waitpid(l.owner, &st, 0));
		say(l.to_heir[1]);
		ASSERT_TRUE(hear(l.up[0]));
		EXPECT_STREQ("F2009", l.shared->first);
		ASSERT_TRUE(uncommitted(0));
		EXPECT_EQ(0, depth(Q));
		close(l.to_heir[1]);
	}
}

/* G-WAIT-11: a get of the heir that waits is told. */
TEST_F(q, heir_waits)
{
	struct line l;
	int st;

	ASSERT_TRUE(line_init(&l));
	l.owner = fork();
	if (!l.owner) {
		connect_here(&l, "i");
		if (!fork()) {
			strcpy(l.shared->first,
			       raw_get(l.shared->handle, NULL, MQGMO_WAIT));
			say(l.up[1]);
			_exit(0);
		}
		close(l.shared->conn);
		hear(l.to_owner[0]);
		_exit(0);
	}
	ASSERT_TRUE(sleepers(Q, 1));
	say(l.to_owner[1]);
	ASSERT_EQ(l.owner, waitpid(l.owner, &st, 0));
	ASSERT_TRUE(hear(l.up[0]));
	EXPECT_STREQ("F2009", l.shared->first);
}

/* How many threads this process has. */
static int threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int count = 0;

	while (readdir(tasks))
		count++;
	closedir(tasks);
	return count - 2;
}

static void *leave_table(void *arg)
{
	int *err = arg;

	*err = unshare(CLONE_FILES);
	return NULL;
}

/* U-END-3: a thread with a table of its own closes it as it ends. */
TEST_F(q, thread_with_its_own_table_ends)
{
	pthread_t thread;
	int err = -1;

	PUT("OK", self->h, "A SP");
	ASSERT_EQ(0, pthread_create(&thread, NULL, leave_table, &err));
	ASSERT_EQ(0, pthread_join(thread, NULL));
	ASSERT_EQ(0, err);
	/* it can be joined some time before it has ended */
	while (threads() > 1)
		nap(1);
	EXPECT_STREQ("OK", commit(self->c));
	LIST("A");
}

static struct line *thread_line;

/* Goes on when the first thread is no more. */
static void *second_thread(void *arg)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", getpid());
	while (state != 'Z') {
		f = fopen(path, "r");
		if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			_exit(95);
		fclose(f);
	}
	say(thread_line->up[1]);
	hear(thread_line->to_owner[0]);
	_exit(0);
}

/* Its first thread has ended, but the process goes on. */
TEST_F(q, first_thread_ends)
{
	struct line l;
	int st;

	ASSERT_TRUE(line_init(&l));
	l.owner = fork();
	if (!l.owner) {
		pthread_t thread;

		connect_here(&l, "o");
		raw_put(l.shared->handle, "A", MQPMO_SYNCPOINT);
		if (!fork())
			heir(&l);
		close(l.shared->conn);
		thread_line = &l;
		pthread_create(&thread, NULL, second_thread, NULL);
		pthread_exit(NULL);
	}
	ASSERT_TRUE(hear(l.up[0]));
	ASSERT_TRUE(hear(l.up[0]));
	say(l.to_heir[1]);
	ASSERT_TRUE(hear(l.up[0]));
	EXPECT_STREQ("OK", l.shared->first);
	EXPECT_EQ(1, depth(Q));
	say(l.to_owner[1]);
	ASSERT_EQ(l.owner, waitpid(l.owner, &st, 0));
	EXPECT_EQ(0, st);
	say(l.to_heir[1]);
	ASSERT_TRUE(hear(l.up[0]));
	EXPECT_STREQ("F2009", l.shared->second);
}

static void *become_a_program(void *arg)
{
	dup2(thread_line->to_owner[0], 0);
	dup2(thread_line->up[1], 1);
	execl("/bin/sh", "sh", "-c", "echo; read x", NULL);
	_exit(94);
}

/* Another thread takes its place by exec(): it is the same process still. */
TEST_F(q, exec_by_another_thread)
{
	struct line l;
	int st;

	ASSERT_TRUE(line_init(&l));
	l.owner = fork();
	if (!l.owner) {
		pthread_t thread;

		connect_here(&l, "o");
		raw_put(l.shared->handle, "A", MQPMO_SYNCPOINT);
		if (!fork())
			heir(&l);
		thread_line = &l;
		pthread_create(&thread, NULL, become_a_program, NULL);
		pthread_join(thread, NULL);
		_exit(93);
	}
	ASSERT_TRUE(hear(l.up[0]));
	ASSERT_TRUE(hear(l.up[0]));
	say(l.to_heir[1]);
	ASSERT_TRUE(hear(l.up[0]));
	EXPECT_STREQ("OK", l.shared->first);
	ASSERT_EQ(1, (int)write(l.to_owner[1], "\n", 1));
	ASSERT_EQ(l.owner, waitpid(l.owner, &st, 0));
	say(l.to_heir[1]);
	ASSERT_TRUE(hear(l.up[0]));
	EXPECT_STREQ("F2009", l.shared->second);
}

/* One process with many connections, all of them its heir's. */
TEST_F(q, many_connections)
{
	struct line l;
	int i, st;

	ASSERT_TRUE(line_init(&l));
	l.owner = fork();
	if (!l.owner) {
		int conns[50], handle;

		for (i = 0; i < 50; i++) {
			conns[i] = qmgr_node();
			handle = open_node(Q, O_RDWR);
			if (strcmp("OK", raw_connect(conns[i])) ||
			    strcmp("OK", raw_open(handle, conns[i], "o")) ||
			    strcmp("OK", raw_put(handle, "B",
						 MQPMO_SYNCPOINT)))
				_exit(97);
			l.shared->conn = conns[i];
		}
		if (!fork())
			heir(&l);
		for (i = 0; i < 50; i++)
			close(conns[i]);
		hear(l.to_owner[0]);
		_exit(0);
	}
	ASSERT_TRUE(hear(l.up[0]));
	EXPECT_EQ(50, (int)status(Q).out_uncommitted_puts);
	say(l.to_owner[1]);
	ASSERT_EQ(l.owner, waitpid(l.owner, &st, 0));
	EXPECT_EQ(0, st);
	ASSERT_TRUE(uncommitted(0));
	EXPECT_EQ(0, depth(Q));
	close(l.to_heir[1]);
}

/* read() and write() belong to the file, whoever was the first to use it. */
TEST_F(q, plain_file_goes_on)
{
	int fd = open_node(Q, O_RDWR), st, i;
	char data[16];

	for (i = 0; i < 2; i++) {
		PUT("OK", self->k, "A");
		if (!fork())
			_exit(read(fd, data, sizeof(data)) != 10 ||
			      write(fd, "x", 1) != 1);
		ASSERT_LT(0, wait(&st));
		EXPECT_EQ(0, st);
		discard(self->k);
	}
	close(fd);
}

TEST_HARNESS_MAIN
