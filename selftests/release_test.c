/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Nobody who closes a file or stops the queue manager waits for a call that
 * somebody else is in: neither for its message nor for its memory. What the close
 * promises holds (G-CLO-1, G-LCK-10, U-END-2, U-CMIT-4). The calls are those of a
 * user without rights; who closes is another one, or the kernel.
 */
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "q_fixture.h"
#include "raw.h"

#define CALLER	7001
#define CLOSER	7003
#define PAGE	4096

/* A process that calls through h1 while others close h2 and the connection. */
struct caller {
	int conn, h1, h2;
	/* what it is told and tells; where it sends descriptors */
	int down[2], up[2], sock[2];
	pid_t pid;
};

static void say(int end)
{
	if (write(end, "x", 1) != 1)
		_exit(98);
}

static bool hear(int end)
{
	char c;

	return read(end, &c, 1) == 1;
}

static void must(const char *answer)
{
	if (strcmp("OK", answer))
		_exit(90);
}

/* The first message is locked by h2. */
static void caller_begin(struct caller *c)
{
	c->conn = qmgr_node();
	c->h1 = open_node(Q, O_RDWR);
	c->h2 = open_node(Q, O_RDWR);
	unprivileged(CALLER);
	must(raw_connect(c->conn));
	must(raw_open(c->h1, c->conn, "io"));
	must(raw_open(c->h2, c->conn, "ib"));
	must(raw_get(c->h2, NULL, MQGMO_BROWSE_FIRST | MQGMO_LOCK));
}

static bool channels(struct caller *c)
{
	return !pipe(c->down) && !pipe(c->up) &&
	       !socketpair(AF_UNIX, SOCK_STREAM, 0, c->sock);
}

/* Another user has the last copy of a descriptor, and closes it. */
static bool closed_by_another(struct caller *c)
{
	pid_t pid = fork();
	int st;

	if (!pid) {
		int fd;

		unprivileged(CLOSER);
		fd = receive_fd(c->sock[1]);
		_exit(fd < 0 || close(fd));
	}
	return waitpid(pid, &st, 0) == pid && !st;
}

/* Wait on and on for a message with this name, and end. */
static void *wait_for_z(void *arg)
{
	const struct caller *c = arg;

	must(raw_get(c->h1, "Z", MQGMO_WAIT));
	say(c->up[1]);
	return NULL;
}

/* G-CLO-1, G-LCK-10: what the handle had at its queue is there for others. */
TEST_F(q, handle_while_another_waits)
{
	struct caller c;
	int st;

	ASSERT_TRUE(channels(&c));
	PUTS(self->k, "A; B");
	c.pid = fork();
	if (!c.pid) {
		caller_begin(&c);
		if (!send_fds(c.sock[0], &c.h2, 1))
			_exit(91);
		close(c.h2);
		wait_for_z(&c);
		_exit(0);
	}
	ASSERT_TRUE(sleepers(Q, 1));
	EXPECT_EQ(1, (int)status(Q).out_locked);
	EXPECT_EQ(4, (int)status(Q).out_open_input);
	LIST("B");
	ASSERT_TRUE(closed_by_another(&c));
	EXPECT_EQ(0, (int)status(Q).out_locked);
	EXPECT_EQ(3, (int)status(Q).out_open_input);
	LIST("A B");
	/* who waits, waits */
	EXPECT_EQ(1, (int)status(Q).out_waiters);
	PUT("OK", self->k, "Z");
	ASSERT_EQ(c.pid, waitpid(c.pid, &st, 0));
	EXPECT_EQ(0, st);
}

/* U-END-2, U-END-6: the connection ends, and the get that waits with it. */
TEST_F(q, connection_while_a_get_waits)
{
	struct caller c;
	int st;

	ASSERT_TRUE(channels(&c));
	PUTS(self->k, "A; B");
	c.pid = fork();
	if (!c.pid) {
		caller_begin(&c);
		must(raw_get(c.h1, "B", MQGMO_SYNCPOINT));
		if (!send_fds(c.sock[0], &c.conn, 1))
			_exit(91);
		close(c.conn);
		_exit(strcmp("F2009", raw_get(c.h1, "Z", MQGMO_WAIT)));
	}
	ASSERT_TRUE(sleepers(Q, 1));
	LIST("");
	ASSERT_TRUE(closed_by_another(&c));
	ASSERT_EQ(c.pid, waitpid(c.pid, &st, 0));
	EXPECT_EQ(0, st);
	LIST("A B");
}

/* Descriptors that only a socket holds which itself holds alone: garbage. */
static bool make_garbage(int fd)
{
	int pair[2], fds[2];
	bool sent;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return false;
	fds[0] = pair[1];
	fds[1] = fd;
	sent = send_fds(pair[0], fds, 2);
	close(fd);
	close(pair[0]);
	close(pair[1]);
	/* whatever socket is closed makes the kernel look for some */
	if (!socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) {
		close(pair[0]);
		close(pair[1]);
	}
	return sent;
}

/* The kernel closes it, and goes on closing what others have left. */
TEST_F(q, handle_in_a_cycle_of_sockets)
{
	struct caller c;
	int ends[2], st;

	ASSERT_TRUE(channels(&c));
	ASSERT_EQ(0, pipe(ends));
	PUTS(self->k, "A; B");
	c.pid = fork();
	if (!c.pid) {
		pthread_t thread;

		caller_begin(&c);
		pthread_create(&thread, NULL, wait_for_z, &c);
		hear(c.down[0]);
		if (!make_garbage(c.h2))
			_exit(91);
		if (!make_garbage(ends[1]))
			_exit(92);
		pthread_join(thread, NULL);
		_exit(0);
	}
	close(ends[1]);
	ASSERT_TRUE(sleepers(Q, 1));
	say(c.down[1]);
	/* the end of the pipe comes when the kernel has closed the other end */
	EXPECT_FALSE(hear(ends[0]));
	while (status(Q).out_locked)
		nap(1);
	LIST("A B");
	EXPECT_EQ(1, (int)status(Q).out_waiters);
	PUT("OK", self->k, "Z");
	ASSERT_EQ(c.pid, waitpid(c.pid, &st, 0));
	EXPECT_EQ(0, st);
}

/* A page that is not there until it is given. */
static int hold_back(void **at)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (fd < 0 || ioctl(fd, UFFDIO_API, &api))
		return -1;
	*at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	reg.range.start = (uintptr_t)*at;
	reg.range.len = PAGE;
	return ioctl(fd, UFFDIO_REGISTER, &reg) ? -1 : fd;
}

static bool wanted(int fd)
{
	struct uffd_msg msg;

	return read(fd, &msg, sizeof(msg)) == sizeof(msg) &&
	       msg.event == UFFD_EVENT_PAGEFAULT;
}

static bool give(int fd, void *at)
{
	struct uffdio_zeropage zero = { .range = { (uintptr_t)at, PAGE } };

	return !ioctl(fd, UFFDIO_ZEROPAGE, &zero);
}

#define NEEDS_USERFAULTFD()						\
	do {								\
		void *_at;						\
		int _fd = hold_back(&_at);				\
									\
		if (_fd < 0) {						\
			ASSERT_TRUE(errno == ENOSYS);			\
			SKIP(return, "kernel without userfaultfd");	\
		}							\
		close(_fd);						\
		munmap(_at, PAGE);					\
	} while (0)

/* A put whose data does not come. */
struct put {
	int handle;
	void *at;
	char answer[16];
};

static void *put_page(void *arg)
{
	struct put *p = arg;

	strcpy(p->answer, raw_put_from(p->handle, "P", p->at, 8,
				       MQPMO_SYNCPOINT));
	return NULL;
}

/* What the call has in its hands ends with the call, the rest at once. */
TEST_F(q, files_while_a_put_waits_for_its_data)
{
	struct caller c;
	int st;

	NEEDS_USERFAULTFD();
	ASSERT_TRUE(channels(&c));
	PUTS(self->k, "A; B");
	c.pid = fork();
	if (!c.pid) {
		struct put p = {};
		pthread_t thread;
		int page = hold_back(&p.at);

		caller_begin(&c);
		must(raw_get(c.h1, "B", MQGMO_SYNCPOINT));
		must(raw_put(c.h1, "C", MQPMO_SYNCPOINT));
		p.handle = c.h1;
		pthread_create(&thread, NULL, put_page, &p);
		if (!wanted(page) || !send_fds(c.sock[0], &c.h2, 1) ||
		    !send_fds(c.sock[0], &c.conn, 1))
			_exit(91);
		close(c.h2);
		close(c.conn);
		say(c.up[1]);
		hear(c.down[0]);
		if (!give(page, p.at))
			_exit(92);
		pthread_join(thread, NULL);
		/* it had begun before; its message is in the unit that ended */
		must(p.answer);
		if (strcmp("F2009", raw_put(c.h1, "D", 0)))
			_exit(93);
		say(c.up[1]);
		hear(c.down[0]);
		_exit(0);
	}
	ASSERT_TRUE(hear(c.up[0]));
	EXPECT_EQ(1, (int)status(Q).out_locked);
	ASSERT_TRUE(closed_by_another(&c));
	EXPECT_EQ(0, (int)status(Q).out_locked);
	LIST("A");
	ASSERT_TRUE(closed_by_another(&c));
	say(c.down[1]);
	ASSERT_TRUE(hear(c.up[0]));
	/* though the process has h1 open still */
	LIST("A B");
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_puts);
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
	EXPECT_EQ(2, (int)status(Q).out_open_input);
	say(c.down[1]);
	ASSERT_EQ(c.pid, waitpid(c.pid, &st, 0));
	EXPECT_EQ(0, st);
}

/* U-CMIT-4, U-BACK-10: whoever stops the queue manager does not wait either. */
TEST_F(q, stop_while_a_put_waits_for_its_data)
{
	struct caller c;
	int st;

	NEEDS_USERFAULTFD();
	ASSERT_TRUE(channels(&c));
	PUT("OK", self->k, "A");
	c.pid = fork();
	if (!c.pid) {
		struct put p = {};
		pthread_t thread;
		int page = hold_back(&p.at);

		caller_begin(&c);
		must(raw_put(c.h1, "C", MQPMO_SYNCPOINT));
		p.handle = c.h1;
		pthread_create(&thread, NULL, put_page, &p);
		if (!wanted(page))
			_exit(91);
		say(c.up[1]);
		hear(c.down[0]);
		if (!give(page, p.at))
			_exit(92);
		pthread_join(thread, NULL);
		must(p.answer);
		say(c.up[1]);
		hear(c.down[0]);
		_exit(strcmp("W2003", raw_commit(c.conn)));
	}
	ASSERT_TRUE(hear(c.up[0]));
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_STOPPING));
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	say(c.down[1]);
	ASSERT_TRUE(hear(c.up[0]));
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_puts);
	say(c.down[1]);
	ASSERT_EQ(c.pid, waitpid(c.pid, &st, 0));
	EXPECT_EQ(0, st);
	EXPECT_EQ(1, depth(Q));
}

/* With nobody in the way all is done when close() returns. */
TEST_F(q, idle)
{
	int conn, h, i;

	for (i = 0; i < 100; i++) {
		PUT("OK", self->k, "A");
		conn = qmgr_node();
		h = open_node(Q, O_RDWR);
		must(raw_connect(conn));
		must(raw_open(h, conn, "ibo"));
		must(raw_put(h, "B", MQPMO_SYNCPOINT));
		must(raw_get(h, NULL, MQGMO_BROWSE_FIRST | MQGMO_LOCK));
		close(h);
		EXPECT_EQ(0, (int)status(Q).out_locked);
		EXPECT_EQ(2, (int)status(Q).out_open_input);
		EXPECT_EQ(1, (int)status(Q).out_uncommitted_puts);
		close(conn);
		EXPECT_EQ(0, (int)status(Q).out_uncommitted_puts);
		GET("A", self->k, "");
	}
}

TEST_HARNESS_MAIN
