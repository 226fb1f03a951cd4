/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Queues as files: read and write of a descriptor that is not bound, poll and
 * epoll of any, what deletion does to them (UC-086, UC-092).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <kmq.h>
#include "q_fixture.h"

/* So long that it ends nothing but a test that has failed, ms. */
#define LONG	300000

/* An address that is not mapped, and that the compiler does not see through. */
static void *volatile nowhere = (void *)8;

static int events(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT };

	return poll(&p, 1, 0) < 0 ? -1 : p.revents;
}

static int wait_events(int fd, int want, int ms)
{
	struct pollfd p = { .fd = fd, .events = want };

	return poll(&p, 1, ms) < 0 ? -1 : p.revents;
}

/* design 4: a message per call */
TEST_F(q, read_and_write)
{
	int fd = open_node(Q, O_RDWR | O_NONBLOCK);
	char b[200];

	ASSERT_LE(0, fd);
	EXPECT_EQ(-1, read(fd, b, sizeof(b)));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(5, write(fd, "hello", 5));
	EXPECT_EQ(6, write(fd, "world!", 6));
	EXPECT_EQ(2, depth(Q));
	EXPECT_EQ(5, read(fd, b, sizeof(b)));
	EXPECT_EQ(0, memcmp(b, "hello", 5));
	EXPECT_EQ(6, read(fd, b, 6));
	EXPECT_EQ(0, memcmp(b, "world!", 6));
	EXPECT_EQ(-1, read(fd, b, sizeof(b)));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(0, depth(Q));
	close(fd);
}

/* What write() puts has the defaults of an MQMD. */
TEST_F(q, written_message_has_a_descriptor)
{
	int fd = open_node(Q, O_WRONLY);

	EXPECT_STREQ("OK", alter(Q, "pri=6"));
	ASSERT_EQ(4, write(fd, "text", 4));
	GET("#", self->h, "");
	EXPECT_EQ(4, self->h->dlen);
	EXPECT_EQ(0, memcmp(self->h->buf, "text", 4));
	EXPECT_EQ(6, self->h->md.Priority);
	EXPECT_EQ(MQMT_DATAGRAM, self->h->md.MsgType);
	EXPECT_EQ(MQEI_UNLIMITED, self->h->md.Expiry);
	EXPECT_TRUE(id_generated(self->h->md.MsgId));
	EXPECT_STREQ("-", id_name(self->h->md.CorrelId));
	EXPECT_EQ(MQAT_UNIX, self->h->md.PutApplType);
	close(fd);
}

/* A message that does not fit is not lost. */
TEST_F(q, read_with_too_small_a_buffer)
{
	int fd = open_node(Q, O_RDONLY | O_NONBLOCK);
	char b[20];

	PUTS(self->h, "A; B");
	EXPECT_EQ(-1, read(fd, b, 9));
	EXPECT_EQ(EMSGSIZE, errno);
	EXPECT_EQ(2, depth(Q));
	EXPECT_EQ(-1, read(fd, nowhere, 20));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(2, depth(Q));
	EXPECT_EQ(10, read(fd, b, 10));
	EXPECT_TRUE(filled(b, "A", 10));
	EXPECT_EQ(1, depth(Q));
	close(fd);
}

TEST_F(q, write_against_the_limits)
{
	int fd = open_node(Q, O_RDWR | O_NONBLOCK);
	char b[20] = "";

	EXPECT_STREQ("OK", alter(Q, "depth=1 len=10"));
	EXPECT_EQ(-1, write(fd, b, 11));
	EXPECT_EQ(EMSGSIZE, errno);
	EXPECT_EQ(-1, write(fd, nowhere, 4));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(10, write(fd, b, 10));
	EXPECT_EQ(-1, write(fd, b, 1));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(1, depth(Q));
	close(fd);
}

TEST_F(q, modes_of_the_file)
{
	int r = open_node(Q, O_RDONLY | O_NONBLOCK);
	int w = open_node(Q, O_WRONLY | O_NONBLOCK);
	char b[20];

	EXPECT_EQ(-1, write(r, "x", 1));
	EXPECT_EQ(EBADF, errno);
	EXPECT_EQ(-1, read(w, b, 20));
	EXPECT_EQ(EBADF, errno);
	EXPECT_EQ(1, write(w, "x", 1));
	EXPECT_EQ(1, read(r, b, 20));
	close(r);
	close(w);
}

struct reading {
	int fd;
	ssize_t n;
	char b[32];
};

static void *read_thread(void *arg)
{
	struct reading *r = arg;

	r->n = read(r->fd, r->b, sizeof(r->b));
	return NULL;
}

/* A read that blocks gets the next message, not one of another's unit. */
TEST_F(q, blocking_read)
{
	struct reading r = { .fd = open_node(Q, O_RDONLY) };
	pthread_t t;

	PUT("OK", self->h, "A SP");
	pthread_create(&t, NULL, read_thread, &r);
	ASSERT_TRUE(sleepers(Q, 1));
	PUT("OK", self->k, "B");
	pthread_join(t, NULL);
	EXPECT_EQ(10, r.n);
	EXPECT_TRUE(filled(r.b, "B", 10));
	EXPECT_EQ(1, depth(Q));
	close(r.fd);
}

/* design 4: EPOLLIN when a get with no criteria would succeed now */
TEST_F(q, pollin)
{
	int u = open_node(Q, O_RDWR), b = kmq_object_fd(self->k->hc,
							self->k->ho);

	ASSERT_LE(0, b);
	EXPECT_EQ(POLLOUT, events(u));
	EXPECT_EQ(POLLOUT, events(b));
	PUT("OK", self->h, "A SP");
	EXPECT_EQ(POLLOUT, events(u));
	EXPECT_EQ(POLLOUT, events(b));
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_EQ(POLLOUT | POLLIN, events(u));
	EXPECT_EQ(POLLOUT | POLLIN, events(b));
	GET("A", self->h, "SP");
	EXPECT_EQ(POLLOUT, events(u));
	EXPECT_STREQ("OK", back(self->c));
	EXPECT_EQ(POLLOUT | POLLIN, events(u));
	/* locked by another handle */
	GET("A", self->h, "BF LK");
	EXPECT_EQ(POLLOUT, events(b));
	GET("OK", self->h, "UL");
	EXPECT_EQ(POLLOUT | POLLIN, events(b));
	/* gets inhibited: a get would not succeed */
	EXPECT_STREQ("OK", alter(Q, "get=1"));
	EXPECT_EQ(POLLOUT, events(b) & (POLLIN | POLLOUT));
	EXPECT_STREQ("OK", alter(Q, "get=0"));
	EXPECT_EQ(POLLOUT | POLLIN, events(b));
	EXPECT_EQ(-1, kmq_object_fd(self->k->hc, 9999));
	close(u);
}

/* EPOLLOUT when a put of one message would not meet 2053 */
TEST_F(q, pollout)
{
	int u = open_node(Q, O_RDWR);

	EXPECT_STREQ("OK", alter(Q, "depth=1"));
	EXPECT_EQ(POLLOUT, events(u));
	PUT("OK", self->h, "A SP");
	EXPECT_EQ(0, events(u));
	EXPECT_STREQ("OK", commit(self->c));
	EXPECT_EQ(POLLIN, events(u));
	EXPECT_EQ(0, wait_events(u, POLLOUT, 5));
	GET("A", self->k, "");
	EXPECT_EQ(POLLOUT, events(u));
	EXPECT_STREQ("OK", alter(Q, "depth=0"));
	EXPECT_EQ(0, events(u));
	EXPECT_STREQ("OK", alter(Q, "depth=1"));
	EXPECT_EQ(POLLOUT, events(u));
	close(u);
}

struct polling {
	int fd, want, seen;
};

static void *poll_thread(void *arg)
{
	struct polling *p = arg;

	p->seen = wait_events(p->fd, p->want, LONG);
	return NULL;
}

static void start_poll(pthread_t *t, struct polling *p, int fd, int want)
{
	p->fd = fd;
	p->want = want;
	p->seen = 0;
	pthread_create(t, NULL, poll_thread, p);
	nap(10);
}

/* What ends a poll that sleeps: put, commit, back-out, unlock, get, alter. */
TEST_F(q, poll_wakes)
{
	int u = open_node(Q, O_RDWR);
	struct polling p;
	pthread_t t;

	start_poll(&t, &p, u, POLLIN);
	PUT("OK", self->h, "A");
	pthread_join(t, NULL);
	EXPECT_EQ(POLLIN, p.seen);
	GET("A", self->h, "SP");
	start_poll(&t, &p, u, POLLIN);
	EXPECT_STREQ("OK", back(self->c));
	pthread_join(t, NULL);
	EXPECT_EQ(POLLIN, p.seen);
	GET("A", self->h, "");
	PUT("OK", self->h, "B SP");
	start_poll(&t, &p, u, POLLIN);
	EXPECT_STREQ("OK", commit(self->c));
	pthread_join(t, NULL);
	EXPECT_EQ(POLLIN, p.seen);
	GET("B", self->h, "BF LK");
	start_poll(&t, &p, u, POLLIN);
	EXPECT_STREQ("OK", shut(self->h));
	pthread_join(t, NULL);
	EXPECT_EQ(POLLIN, p.seen);
	EXPECT_STREQ("OK", alter(Q, "depth=1"));
	start_poll(&t, &p, u, POLLOUT);
	GET("B", self->k, "");
	pthread_join(t, NULL);
	EXPECT_EQ(POLLOUT, p.seen);
	close(u);
}

TEST_F(q, epoll)
{
	int u = open_node(Q, O_RDWR), e = epoll_create1(0);
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET, .data.u32 = 7 };
	struct epoll_event got;

	ASSERT_EQ(0, epoll_ctl(e, EPOLL_CTL_ADD, u, &ev));
	EXPECT_EQ(0, epoll_wait(e, &got, 1, 0));
	PUT("OK", self->h, "A");
	EXPECT_EQ(1, epoll_wait(e, &got, 1, LONG));
	EXPECT_EQ(7, got.data.u32);
	EXPECT_EQ(EPOLLIN, got.events & EPOLLIN);
	EXPECT_EQ(0, epoll_wait(e, &got, 1, 0));	/* edge */
	PUT("OK", self->h, "B");
	EXPECT_EQ(1, epoll_wait(e, &got, 1, LONG));
	ev.events = EPOLLIN;				/* level */
	ASSERT_EQ(0, epoll_ctl(e, EPOLL_CTL_MOD, u, &ev));
	EXPECT_EQ(1, epoll_wait(e, &got, 1, 0));
	EXPECT_EQ(1, epoll_wait(e, &got, 1, 0));
	EXPECT_STREQ("A B", drain(self->h, ""));
	EXPECT_EQ(0, epoll_wait(e, &got, 1, 0));
	close(u);
	close(e);
}

/* UC-086: EPOLLHUP when the queue is gone; the descriptor stays closable. */
TEST_F(q, deletion)
{
	int u, e = epoll_create1(0), i;
	struct epoll_event ev = { .events = EPOLLIN }, got;
	struct polling p;
	pthread_t t;
	char b[8];

	for (i = 0; i < 20; i++) {
		ASSERT_STREQ("OK", define(Q "2", ""));
		u = open_node(Q "2", O_RDWR | O_NONBLOCK);
		ASSERT_LE(0, u);
		ASSERT_EQ(0, epoll_ctl(e, EPOLL_CTL_ADD, u, &ev));
		if (i % 5 == 0)
			start_poll(&t, &p, u, POLLIN);
		ASSERT_STREQ("OK", delete_q(Q "2", 0));
		if (i % 5 == 0) {
			pthread_join(t, NULL);
			EXPECT_EQ(POLLHUP, p.seen & POLLHUP);
		}
		EXPECT_EQ(1, epoll_wait(e, &got, 1, LONG));
		EXPECT_EQ(EPOLLHUP, got.events & EPOLLHUP);
		EXPECT_EQ(POLLHUP, events(u) & POLLHUP);
		EXPECT_EQ(-1, write(u, "x", 1));
		EXPECT_GE(0, read(u, b, 8));
		/* a new queue of the name is another one */
		ASSERT_STREQ("OK", define(Q "2", ""));
		EXPECT_EQ(POLLHUP, events(u) & POLLHUP);
		if (i % 2) {
			EXPECT_EQ(0, epoll_ctl(e, EPOLL_CTL_DEL, u, NULL));
		}
		close(u);
	}
	close(e);
}

/* UC-086, UC-092: everything ends in any order while epoll holds on. */
TEST_F(q, disconnect_under_epoll)
{
	int e = epoll_create1(0), fd;
	struct epoll_event ev = { .events = EPOLLIN }, got;
	MQHCONN hc;
	struct mqh *h;
	int i;

	for (i = 0; i < 20; i++) {
		hc = conn();
		h = opn(hc, Q, "i");
		fd = dup(kmq_object_fd(hc, h->ho));
		ASSERT_EQ(0, epoll_ctl(e, EPOLL_CTL_ADD, fd, &ev));
		if (i & 1)
			shut(h);
		EXPECT_STREQ("OK", disc(&hc));
		EXPECT_EQ(0, epoll_wait(e, &got, 1, 0));
		close(fd);
	}
	EXPECT_EQ(2, (int)status(Q).out_open_input);
	close(e);
}

TEST_HARNESS_MAIN
