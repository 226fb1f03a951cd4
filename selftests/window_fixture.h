/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Windows (KMQ_IOC_WINDOW, KMQ_VEC_AHEAD) without the library: open one, claim.
 */
#ifndef WINDOW_FIXTURE_H
#define WINDOW_FIXTURE_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <kmq.h>
#include "q_fixture.h"


#define MOST	32
#define SLOT	64
#define ALIAS	Q ".ALIAS"

struct entry {
	struct kmq_get get;
	struct kmq_md_ext ext;
};

struct win {
	struct mqh *h;
	int fd;
	uint64_t *word;
	struct entry entries[MOST];
	char data[MOST][SLOT];
	uint64_t expected;
	unsigned int count, at;
};

static inline int window_fd(int fd)
{
	struct kmq_window_file w = { .size = sizeof(w) };

	if (ioctl(fd, KMQ_IOC_WINDOW, &w))
		return -errno;
	return w.out_comp_code ? -(int)w.out_reason : w.out_fd;
}

static inline void *map(int fd, int prot, int flags, size_t size, off_t at)
{
	void *p = mmap(NULL, size, prot, flags, fd, at);

	return p == MAP_FAILED ? NULL : p;
}

/* Of a handle, for gets with these options. */
static inline struct win *win(struct mqh *h, unsigned int options)
{
	struct win *w = calloc(1, sizeof(*w));
	struct kmq_get *g = &w->entries[0].get;
	int fd;

	w->h = h;
	w->fd = kmq_object_fd(h->hc, h->ho);
	fd = window_fd(w->fd);
	w->word = map(fd, PROT_READ | PROT_WRITE, MAP_SHARED, 4096, 0);
	close(fd);
	if (!w->word)
		abort();
	g->size = sizeof(*g);
	g->options = options;
	g->gmo_version = MQGMO_VERSION_4;
	g->md_version = MQMD_VERSION_2;
	g->length = SLOT;
	return w;
}

static inline const char *name_of(const struct kmq_get *g, const char *data)
{
	const char *name = id_name(g->md.msg_id);

	if (g->out_comp_code || g->out_data_length != 10 ||
	    g->out_returned_length != 10 || !filled(data, name, 10))
		return "broken";
	return name;
}

/* As MQGET does it; from then on the kernel knows what gets are like. */
static inline const char *get_now(struct win *w)
{
	struct entry e = w->entries[0];
	char data[SLOT];

	e.get.data = (uintptr_t)data;
	e.get.ext = (uintptr_t)&e.ext;
	if (ioctl(w->fd, KMQ_IOC_GET, &e.get))
		return "errno";
	return e.get.out_comp_code ? outcome(e.get.out_comp_code,
					     e.get.out_reason) :
				     name_of(&e.get, data);
}

/* Messages in the window; negative: errno. */
static inline int look(struct win *w, unsigned int most)
{
	struct kmq_vec v = {
		.size = sizeof(v),
		.flags = KMQ_VEC_AHEAD,
		.count = most,
		.stride = sizeof(w->entries[0]),
		.entries = (uintptr_t)w->entries,
	};

	w->entries[0].get.data = (uintptr_t)w->data;
	w->entries[0].get.ext = (uintptr_t)&w->entries[0].ext;
	if (ioctl(w->fd, KMQ_IOC_GETV, &v))
		return -errno;
	if (!v.out_done != !v.out_window)
		return -1000;
	w->expected = (uint64_t)v.out_window << KMQ_WINDOW_NUMBER_SHIFT;
	w->count = v.out_done;
	w->at = 0;
	return v.out_done;
}

/* The next message; NULL: the window is gone, or at its end. */
static inline const char *claim(struct win *w)
{
	unsigned int i = w->at;

	if (i == w->count ||
	    !__atomic_compare_exchange_n(w->word, &w->expected,
					 w->expected + 1, false,
					 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
		w->count = 0;
		w->at = 0;
		return "gone";
	}
	w->at++;
	w->expected++;
	return name_of(&w->entries[i].get, w->data[i]);
}

#define CLAIM(want, w)	EXPECT_STREQ(want, claim(w))
#define NOW(want, w)	EXPECT_STREQ(want, get_now(w))

/* One whose gets are known, with nothing left behind. */
static inline struct win *ready(struct mqh *out, struct mqh *h, unsigned int options)
{
	struct win *w = win(h, options);

	if (strcmp("OK", put(out, "W")) || strcmp("W", get_now(w)) ||
	    (options & MQGMO_SYNCPOINT && strcmp("OK", commit(h->hc))))
		return NULL;
	return w;
}

#endif
