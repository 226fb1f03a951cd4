/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Gets that wait, on threads of their own.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "waiter.h"

struct waiter {
	pthread_t thread;
	struct mqh *h;
	char opts[128];
	char res[256];
	int done;
};

static void *wait_thread(void *arg)
{
	struct waiter *w = arg;

	snprintf(w->res, sizeof(w->res), "%s", get(w->h, w->opts));
	__atomic_store_n(&w->done, 1, __ATOMIC_RELEASE);
	return NULL;
}

struct waiter *wait_get(struct mqh *h, const char *opts)
{
	struct waiter *w = calloc(1, sizeof(*w));

	w->h = h;
	snprintf(w->opts, sizeof(w->opts), "%s", opts);
	if (pthread_create(&w->thread, NULL, wait_thread, w))
		abort();
	return w;
}

bool sleepers(const char *q, unsigned int n)
{
	int64_t end = now_ms() + 300000;

	while (status(q).out_waiters != n) {
		if (now_ms() > end)
			return false;
		nap(1);
	}
	return true;
}

bool waiting(struct waiter *w)
{
	return !__atomic_load_n(&w->done, __ATOMIC_ACQUIRE);
}

const char *result(struct waiter *w)
{
	char *s = answer_buf();

	pthread_join(w->thread, NULL);
	strcpy(s, w->res);
	free(w);
	return s;
}

/* One of a crowd. */
struct getter {
	pthread_t thread;
	struct mqh *h;
	const char *opts;
	bool in_units;
	int calls, got;
};

static void *get_until_end(void *arg)
{
	struct getter *g = arg;

	while (get(g->h, g->opts)[0] == 'N') {
		if (++g->calls % 5 == 0 && g->in_units) {
			back(g->h->hc);
			continue;
		}
		g->got++;
		if (g->in_units)
			commit(g->h->hc);
	}
	if (g->in_units)
		commit(g->h->hc);
	return NULL;
}

static bool start_crowd(struct getter *crowd, const char *q)
{
	int i;

	for (i = 0; i < CROWD; i++) {
		if (pthread_create(&crowd[i].thread, NULL, get_until_end,
				   &crowd[i]))
			abort();
		if (!sleepers(q, i + 1))
			return false;
	}
	return true;
}

/* How many they had. */
static int stop_crowd(struct getter *crowd, struct mqh *out)
{
	int i, sum = 0;

	for (i = 0; i < CROWD; i++)
		put(out, "END");
	for (i = 0; i < CROWD; i++) {
		pthread_join(crowd[i].thread, NULL);
		sum += crowd[i].got;
	}
	return sum;
}

const char *serve_crowd(struct mqh *out, struct mqh *in[CROWD],
			const char *opts)
{
	struct getter crowd[CROWD] = { 0 };
	char *s = answer_buf(), text[16];
	const char *q = out->q;
	int i, sum;

	for (i = 0; i < CROWD; i++) {
		crowd[i].h = in[i];
		crowd[i].opts = opts;
		crowd[i].in_units = strstr(opts, "SP");
	}
	if (!start_crowd(crowd, q))
		return "a get that does not sleep";
	for (i = 0; i < CROWD * CROWD_EACH; i++) {
		sprintf(text, "N%d", i);
		if (strcmp(put(out, text), "OK"))
			return "a put that fails";
	}
	if (!sleepers(q, CROWD))
		return "a get that does not sleep again";
	if (depth(q))
		return "messages left";
	sum = stop_crowd(crowd, out);
	sprintf(s, "%d of %d messages, %d left", sum, CROWD * CROWD_EACH,
		depth(q));
	return sum == CROWD * CROWD_EACH && !depth(q) ? "OK" : s;
}

static void *play(void *arg)
{
	struct player *p = arg;
	int i;

	for (i = 0; i < p->rounds; i++) {
		int64_t start = now_ms();

		if (strcmp(get(p->in, "WT(20000)"), "BALL"))
			p->wrong++;
		if (now_ms() - start > 19000)
			p->late++;
		put(p->out, "BALL");
	}
	return NULL;
}

void play_ball(struct player *a, struct player *b)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, play, b))
		abort();
	play(a);
	pthread_join(thread, NULL);
}
