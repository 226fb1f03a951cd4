/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Buffers whose pages are not there (UC-089): while a call waits for one,
 * nobody else on the queue does. Pages are held back by userfaultfd.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <kmq.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "q_fixture.h"

#define SIZE	4096

/* A page that is not there until give(). */
struct page {
	int fd;
	char *at;
};

static bool hold_back(struct page *p)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	p->fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (p->fd < 0 || ioctl(p->fd, UFFDIO_API, &api))
		return false;
	p->at = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	reg.range.start = (uintptr_t)p->at;
	reg.range.len = SIZE;
	return !ioctl(p->fd, UFFDIO_REGISTER, &reg);
}

/* Wait until somebody wants the page. */
static bool wanted(const struct page *p)
{
	struct uffd_msg msg;

	return read(p->fd, &msg, sizeof(msg)) == sizeof(msg) &&
	       msg.event == UFFD_EVENT_PAGEFAULT;
}

static bool give(const struct page *p, const char *text)
{
	static char source[SIZE] __attribute__((aligned(SIZE)));
	struct uffdio_copy copy = {
		.dst = (uintptr_t)p->at,
		.src = (uintptr_t)source,
		.len = SIZE,
	};

	strcpy(source, text);
	return !ioctl(p->fd, UFFDIO_COPY, &copy);
}

/* An MQPUT or MQGET through @h with the page for its buffer. */
struct call {
	struct mqh *h;
	struct page page;
	MQLONG length, options;
	MQLONG cc, rc;
};

static void *put_page(void *arg)
{
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	struct call *c = arg;

	pmo.Options = c->options;
	MQPUT(c->h->hc, c->h->ho, &md, &pmo, c->length, c->page.at, &c->cc,
	      &c->rc);
	return NULL;
}

static void *get_page(void *arg)
{
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	struct call *c = arg;

	gmo.Options = c->options;
	MQGET(c->h->hc, c->h->ho, &md, &gmo, SIZE, c->page.at, &c->length,
	      &c->cc, &c->rc);
	return NULL;
}

/* Put, browse and get through another connection. */
#define OTHERS_GO_ON() do {						\
	PUT("OK", self->k, "X");					\
	GET("X", self->k, "BF m=X");					\
	GET("X", self->k, "m=X");					\
	EXPECT_EQ(2, inquire_int(Q, MQIA_OPEN_INPUT_COUNT));		\
	EXPECT_STREQ("OK", opn_rc(self->d, Q, "ibo"));			\
} while (0)

#define HELD_BACK(page)							\
	do {								\
		if (!hold_back(page)) {					\
			ASSERT_TRUE(errno == ENOSYS);			\
			SKIP(return, "kernel without userfaultfd");	\
		}							\
	} while (0)

/* UC-089, P-CALL-4 */
TEST_F(q, put_waits_for_its_data)
{
	struct call c = { .h = self->h, .length = 5 };
	pthread_t thread;

	HELD_BACK(&c.page);
	pthread_create(&thread, NULL, put_page, &c);
	ASSERT_TRUE(wanted(&c.page));
	OTHERS_GO_ON();
	EXPECT_EQ(0, depth(Q));
	ASSERT_TRUE(give(&c.page, "hello"));
	pthread_join(thread, NULL);
	EXPECT_STREQ("OK", outcome(c.cc, c.rc));
	EXPECT_EQ(1, depth(Q));
	get(self->k, "");
	EXPECT_EQ(0, memcmp(self->k->buf, "hello", 5));
}

/* UC-089: the message is neither there for others nor lost */
TEST_F(q, get_waits_for_its_buffer)
{
	struct call c = { .h = self->h };
	pthread_t thread;

	HELD_BACK(&c.page);
	PUT("OK", self->k, "A");
	pthread_create(&thread, NULL, get_page, &c);
	ASSERT_TRUE(wanted(&c.page));
	OTHERS_GO_ON();
	GET("F2033", self->k, "");
	ASSERT_TRUE(give(&c.page, ""));
	pthread_join(thread, NULL);
	EXPECT_STREQ("OK", outcome(c.cc, c.rc));
	EXPECT_EQ(10, c.length);
	EXPECT_TRUE(filled(c.page.at, "A", 10));
	EXPECT_EQ(0, depth(Q));
}

/* UC-089: a browse holds nothing up either, and the message may go meanwhile */
TEST_F(q, browse_waits_for_its_buffer)
{
	struct call c = { .h = self->h, .options = MQGMO_BROWSE_FIRST };
	pthread_t thread;

	HELD_BACK(&c.page);
	PUT("OK", self->k, "A");
	pthread_create(&thread, NULL, get_page, &c);
	ASSERT_TRUE(wanted(&c.page));
	OTHERS_GO_ON();
	GET("A", self->k, "");
	ASSERT_TRUE(give(&c.page, ""));
	pthread_join(thread, NULL);
	EXPECT_STREQ("OK", outcome(c.cc, c.rc));
	EXPECT_TRUE(filled(c.page.at, "A", 10));
}

/* --- several messages in one call ------------------------------------------- */

#define MANY	3

/* MANY puts or gets through @h; the page is the buffer of the second one. */
struct many {
	struct mqh *h;
	struct page page;
	MQMD md[MANY];
	MQPMO pmo;
	MQGMO gmo;
	char data[MANY][8];
	kmq_put_item put[MANY];
	kmq_get_item get[MANY];
	MQLONG done, cc, rc;
};

/* MQGMO_LOGICAL_ORDER for gets of groups. */
static MQLONG order;

static void many_init(struct many *m, struct mqh *h)
{
	int i;

	m->h = h;
	m->pmo = (MQPMO){ MQPMO_DEFAULT };
	m->gmo = (MQGMO){ MQGMO_DEFAULT };
	m->gmo.Version = MQGMO_VERSION_2;
	m->gmo.MatchOptions = MQMO_NONE;
	m->gmo.Options = order;
	for (i = 0; i < MANY; i++) {
		void *buffer = i == 1 ? m->page.at : m->data[i];

		m->md[i] = (MQMD){ MQMD_DEFAULT };
		m->md[i].Version = MQMD_VERSION_2;
		sprintf(m->data[i], "data %d", i);
		m->put[i] = (kmq_put_item){ &m->md[i], &m->pmo, buffer, 6 };
		m->get[i] = (kmq_get_item){ &m->md[i], &m->gmo, buffer, 8 };
	}
}

static void *put_many(void *arg)
{
	struct many *m = arg;

	kmq_put_many(m->h->hc, m->h->ho, MANY, m->put, &m->done, &m->cc,
		     &m->rc);
	return NULL;
}

static void *get_many(void *arg)
{
	struct many *m = arg;

	kmq_get_many(m->h->hc, m->h->ho, MANY, m->get, &m->done, &m->cc,
		     &m->rc);
	return NULL;
}

/* What has been put and got through a handle need not be checked again. */
static void put_and_get_before(struct mqh *h)
{
	struct many m = {};

	m.page.at = m.data[1];
	many_init(&m, h);
	put_many(&m);
	get_many(&m);
}

static bool has_data(const void *buffer, int number)
{
	return !memcmp(buffer, "data ", 5) &&
	       ((const char *)buffer)[5] == '0' + number;
}

/* UC-089, P-CALL-4: the data of all is there before the first is placed. */
TEST_F(q, vector_of_puts_waits_for_data)
{
	struct many m = {};
	pthread_t thread;
	int i;

	put_and_get_before(self->h);
	HELD_BACK(&m.page);
	many_init(&m, self->h);
	pthread_create(&thread, NULL, put_many, &m);
	ASSERT_TRUE(wanted(&m.page));
	OTHERS_GO_ON();
	/* its own connection is in a call */
	EXPECT_STREQ("F2219", shut(self->h));
	EXPECT_EQ(0, depth(Q));
	ASSERT_TRUE(give(&m.page, "data 1"));
	pthread_join(thread, NULL);
	EXPECT_STREQ("OK", outcome(m.cc, m.rc));
	EXPECT_EQ(MANY, m.done);
	EXPECT_EQ(MANY, depth(Q));
	for (i = 0; i < MANY; i++) {
		get(self->k, "");
		EXPECT_TRUE(has_data(self->k->buf, i));
	}
}

/* UC-089: none of them is there for others, and none is lost. */
TEST_F(q, vector_of_gets_waits_for_a_buffer)
{
	struct many m = {};
	pthread_t thread;

	put_and_get_before(self->h);
	m.page.at = m.data[1];
	many_init(&m, self->h);
	put_many(&m);
	HELD_BACK(&m.page);
	many_init(&m, self->h);
	pthread_create(&thread, NULL, get_many, &m);
	ASSERT_TRUE(wanted(&m.page));
	OTHERS_GO_ON();
	GET("F2033", self->k, "");
	EXPECT_STREQ("F2219", shut(self->h));
	ASSERT_TRUE(give(&m.page, ""));
	pthread_join(thread, NULL);
	EXPECT_STREQ("OK", outcome(m.cc, m.rc));
	EXPECT_EQ(MANY, m.done);
	EXPECT_TRUE(has_data(m.data[0], 0));
	EXPECT_TRUE(has_data(m.page.at, 1));
	EXPECT_TRUE(has_data(m.data[2], 2));
	EXPECT_EQ(0, depth(Q));
}

static int tell;

static void *tell_when_wanted(void *arg)
{
	if (wanted(arg) && write(tell, "w", 1) != 1)
		_exit(98);
	return NULL;
}

/* A process that is killed while its vector waits for the page. */
static bool killed_in(void *(*run)(void *arg), const char *how)
{
	int ends[2], st;
	char c;
	pid_t pid;

	if (pipe(ends))
		return false;
	pid = fork();
	if (!pid) {
		struct many m = {};
		pthread_t thread;
		struct mqh *h = opn(conn(), Q, how);

		tell = ends[1];
		m.page.at = m.data[1];
		many_init(&m, h);
		/* one more each, so that the checks have been passed */
		kmq_put_many(h->hc, h->ho, 1, m.put, &m.done, &m.cc, &m.rc);
		kmq_get_many(h->hc, h->ho, 1, m.get, &m.done, &m.cc, &m.rc);
		if (!hold_back(&m.page))
			_exit(99);
		many_init(&m, h);
		pthread_create(&thread, NULL, tell_when_wanted, &m.page);
		run(&m);
		_exit(0);
	}
	close(ends[1]);
	if (read(ends[0], &c, 1) == 1)
		kill(pid, SIGKILL);
	close(ends[0]);
	waitpid(pid, &st, 0);
	return WIFSIGNALED(st);
}

/* U-END, UC-089: who is killed has got nothing, and all is in its place. */
TEST_F(q, vector_of_gets_killed)
{
	struct page page;
	struct many m = {};
	int i;

	HELD_BACK(&page);
	m.page.at = m.data[1];
	many_init(&m, self->h);
	put_many(&m);
	ASSERT_EQ(MANY, depth(Q));
	ASSERT_TRUE(killed_in(get_many, "io"));
	EXPECT_EQ(MANY, depth(Q));
	EXPECT_EQ(0, status(Q).out_uncommitted_gets);
	/* Before the vector the first one was got, and another one put. */
	for (i = 0; i < MANY; i++) {
		get(self->k, "");
		EXPECT_TRUE(has_data(self->k->buf, (i + 1) % MANY));
		EXPECT_EQ(0, self->k->md.BackoutCount);
	}
}

/* The same within a group: the members are there, and in their order. */
TEST_F(q, vector_of_members_killed)
{
	struct page page;

	HELD_BACK(&page);
	PUTS(self->h, "K2(K,2,0,G) len=6; K1(K,1,0,G) len=6; J1(J,1,0,L) len=6;"
	     "K3(K,3,0,G) len=6; K4(K,4,0,L) len=6");
	order = MQGMO_LOGICAL_ORDER;
	ASSERT_TRUE(killed_in(get_many, "io"));
	order = 0;
	/* the first one was got before, what was put then is still there */
	EXPECT_EQ(5, depth(Q));
	EXPECT_EQ(0, status(Q).out_uncommitted_gets);
	GET("K2", self->k, "s=2 g=K");
	GET("K3", self->k, "LO");
	EXPECT_EQ(0, self->k->md.BackoutCount);
	GET("K4", self->k, "LO");
	GET("J1", self->k, "LO");
}

/* Puts before the one whose data does not come have been made, no others. */
TEST_F(q, vector_of_puts_killed)
{
	struct page page;

	HELD_BACK(&page);
	ASSERT_TRUE(killed_in(put_many, "io"));
	EXPECT_EQ(1, depth(Q));
	get(self->k, "");
	EXPECT_TRUE(has_data(self->k->buf, 0));
}

TEST_HARNESS_MAIN
