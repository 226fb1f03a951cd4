/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * KMQ_IOC_PUTV and KMQ_IOC_GETV as the kernel promises them: what an entry that
 * fails or cannot be reached means for those beside it.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include "batch_fixture.h"

/* The kernel's own contract: errno of an entry, strides */
TEST_F(q, entries)
{
	struct {
		struct kmq_get g;
		uint64_t pad;
	} e[3];
	struct kmq_vec v = { .size = sizeof(v), .count = 3,
			     .stride = sizeof(e[0]), .entries = (uintptr_t)e };
	int fd = kmq_object_fd(self->k->hc, self->k->ho), i;

	ASSERT_STREQ("OK", puts_all(self->h, "A; B; C"));
	memset(e, 0, sizeof(e));
	for (i = 0; i < 3; i++) {
		e[i].g.size = sizeof(e[i].g);
		e[i].g.gmo_version = 2;
		e[i].g.md_version = 2;
		e[i].g.length = sizeof(b.data[i]);
		e[i].g.data = (uintptr_t)b.data[i];
		e[i].pad = 4711;
	}
	/* an errno at the second: reported by out_done */
	e[1].g.flags = 0x80;
	ASSERT_EQ(0, ioctl(fd, KMQ_IOC_GETV, &v));
	EXPECT_EQ(1, v.out_done);
	EXPECT_EQ(0, e[0].g.out_comp_code);
	EXPECT_EQ(10, e[0].g.out_data_length);
	EXPECT_EQ(2, depth(Q));
	/* at the first: reported as such, nothing happens */
	v.entries = (uintptr_t)&e[1];
	v.count = 2;
	v.out_done = 77;
	EXPECT_EQ(-1, ioctl(fd, KMQ_IOC_GETV, &v));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(2, depth(Q));
	e[1].g.flags = 0;
	v.out_done = 0;
	ASSERT_EQ(0, ioctl(fd, KMQ_IOC_GETV, &v));
	EXPECT_EQ(2, v.out_done);
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(4711, e[0].pad);
	EXPECT_EQ(4711, e[2].pad);
}

/* --- entries that lie close together ------------------------------------------ */

#define PAGE		4096
#define ON_FIRST	3	/* entries on the first of two pages */

/* Entries of that size, the fourth of which lies on the second page at least. */
static void *at_the_edge(size_t size)
{
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* the entry on the edge is not whole without the second page */
	return pages + PAGE - ON_FIRST * size - 8;
}

/* The second page as it is wanted; its contents are lost if it was not there. */
static void second_page(void *entries, size_t size, int protection)
{
	char *page = (char *)entries + ON_FIRST * size + 8;

	if (protection == PROT_NONE)
		munmap(page, PAGE);
	else if (mprotect(page, PAGE, protection))
		mmap(page, PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS |
		     MAP_FIXED, -1, 0);
}

static void raw_puts(struct kmq_put *p)
{
	int i;

	for (i = 0; i < N; i++)
		p[i] = (struct kmq_put) {
			.size = sizeof(*p), .pmo_version = 1, .md_version = 1,
			.length = 1, .data = (uintptr_t)&"01234"[i],
			.context_fd = -1,
			.md = { .msg_type = MQMT_DATAGRAM,
				.expiry = MQEI_UNLIMITED },
		};
}

static void raw_gets(struct kmq_get *g)
{
	int i;

	memset(b.data, POISON, sizeof(b.data));
	for (i = 0; i < N; i++)
		g[i] = (struct kmq_get) {
			.size = sizeof(*g), .gmo_version = 2, .md_version = 1,
			.length = 32, .data = (uintptr_t)b.data[i],
		};
}

/* Puts whose entries cannot be read are not made, those before them are. */
TEST_F(q, edge_of_puts_that_cannot_be_read)
{
	struct kmq_put *p = at_the_edge(sizeof(*p));
	struct kmq_vec v = { .size = sizeof(v), .count = N,
			     .stride = sizeof(*p), .entries = (uintptr_t)p };
	int fd = kmq_object_fd(self->h->hc, self->h->ho);

	raw_puts(p);
	ASSERT_EQ(0, ioctl(fd, KMQ_IOC_PUTV, &v));
	EXPECT_EQ(N, v.out_done);
	raw_puts(p);
	second_page(p, sizeof(*p), PROT_NONE);
	ASSERT_EQ(0, ioctl(fd, KMQ_IOC_PUTV, &v));
	EXPECT_EQ(ON_FIRST, v.out_done);
	EXPECT_EQ(N + ON_FIRST, depth(Q));
	EXPECT_TRUE(id_generated(p[ON_FIRST - 1].md.msg_id));
	v.entries = (uintptr_t)&p[ON_FIRST];
	EXPECT_EQ(-1, ioctl(fd, KMQ_IOC_PUTV, &v));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(N + ON_FIRST, depth(Q));
}

/* Puts whose results cannot be written back count as carried out. */
TEST_F(q, edge_of_puts_that_cannot_be_written)
{
	struct kmq_put *p = at_the_edge(sizeof(*p));
	struct kmq_vec v = { .size = sizeof(v), .count = N,
			     .stride = sizeof(*p), .entries = (uintptr_t)p };
	int fd = kmq_object_fd(self->h->hc, self->h->ho), i;

	for (i = 0; i < 2; i++) {
		int before = depth(Q);

		raw_puts(p);
		/* the first time the checks have not been passed before */
		second_page(p, sizeof(*p), PROT_READ);
		v.out_done = 99;
		ASSERT_EQ(0, ioctl(fd, KMQ_IOC_PUTV, &v));
		EXPECT_LT(ON_FIRST, v.out_done);
		EXPECT_EQ(depth(Q) - before, v.out_done);
		EXPECT_TRUE(id_generated(p[ON_FIRST - 1].md.msg_id));
		v.entries = (uintptr_t)&p[ON_FIRST];
		v.count = 1;
		before = depth(Q);
		ASSERT_EQ(0, ioctl(fd, KMQ_IOC_PUTV, &v));
		EXPECT_EQ(1, v.out_done);
		EXPECT_EQ(before + 1, depth(Q));
		second_page(p, sizeof(*p), PROT_READ | PROT_WRITE);
		v.entries = (uintptr_t)p;
		v.count = N;
		/* another priority, so that it is checked anew */
		raw_puts(p);
		p[0].md.priority = 1 + i;
		v.count = 1;
		ASSERT_EQ(0, ioctl(fd, KMQ_IOC_PUTV, &v));
		v.count = N;
	}
	discard(self->k);
}

/* A vector that cannot be told how far it came does not begin. */
TEST_F(q, vector_that_cannot_be_written)
{
	int put_fd = kmq_object_fd(self->h->hc, self->h->ho);
	int get_fd = kmq_object_fd(self->k->hc, self->k->ho);
	struct kmq_vec *v = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct kmq_put p[N];
	struct kmq_get g[N];

	PUT("OK", self->h, "A");
	raw_puts(p);
	*v = (struct kmq_vec){ .size = sizeof(*v), .count = N,
			       .stride = sizeof(*p),
			       .entries = (uintptr_t)p };
	mprotect(v, PAGE, PROT_READ);
	EXPECT_EQ(-1, ioctl(put_fd, KMQ_IOC_PUTV, v));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(1, depth(Q));
	mprotect(v, PAGE, PROT_READ | PROT_WRITE);
	raw_gets(g);
	v->stride = sizeof(*g);
	v->entries = (uintptr_t)g;
	mprotect(v, PAGE, PROT_READ);
	EXPECT_EQ(-1, ioctl(get_fd, KMQ_IOC_GETV, v));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(1, depth(Q));
	GET("A", self->k, "");
}

/* A message whose entry cannot be written is still there, and in its place. */
TEST_F(q, edge_of_gets)
{
	struct kmq_get *g = at_the_edge(sizeof(*g));
	struct kmq_vec v = { .size = sizeof(v), .count = N,
			     .stride = sizeof(*g), .entries = (uintptr_t)g };
	int fd = kmq_object_fd(self->k->hc, self->k->ho), i;
	static const int protections[] = { PROT_READ, PROT_NONE };

	PUT("OK", self->h, "A");
	GET("A", self->k, "");
	for (i = 0; i < 4; i++) {
		prepare_alike();
		ASSERT_STREQ("OK", put_many(self->h, N));
		raw_gets(g);
		if (i & 2)
			g[0].options = MQGMO_SYNCPOINT;
		if (i & 2)
			g[1].options = g[2].options = MQGMO_SYNCPOINT;
		second_page(g, sizeof(*g), protections[i % 2]);
		ASSERT_EQ(0, ioctl(fd, KMQ_IOC_GETV, &v));
		EXPECT_EQ(ON_FIRST, v.out_done);
		EXPECT_EQ('d', b.data[ON_FIRST - 1][0]);
		EXPECT_EQ(N - ON_FIRST, depth(Q));
		v.entries = (uintptr_t)&g[ON_FIRST];
		EXPECT_EQ(-1, ioctl(fd, KMQ_IOC_GETV, &v));
		EXPECT_EQ(EFAULT, errno);
		v.entries = (uintptr_t)g;
		EXPECT_EQ(N - ON_FIRST, depth(Q));
		second_page(g, sizeof(*g), PROT_READ | PROT_WRITE);
		if (i & 2) {
			EXPECT_EQ(ON_FIRST, status(Q).out_uncommitted_gets);
			ASSERT_STREQ("OK", commit(self->d));
		}
		prepare_alike();
		ASSERT_STREQ("OK", get_many(self->k, N - ON_FIRST));
		EXPECT_EQ('0' + ON_FIRST, b.data[0][5]);
		EXPECT_EQ('0' + N - 1, b.data[N - 1 - ON_FIRST][5]);
		EXPECT_EQ(0, b.md[0].BackoutCount);
		EXPECT_EQ(0, status(Q).out_bytes);
		EXPECT_EQ(0, status(Q).out_memory);
	}
}

TEST_HARNESS_MAIN
