/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Buffers whose pages are not there (UC-089): while a call waits for one,
 * nobody else on the queue does. Pages are held back by userfaultfd.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
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

TEST_HARNESS_MAIN
