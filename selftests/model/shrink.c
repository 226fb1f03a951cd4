/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * shrink: the shortest list of calls that still shows a difference: drop
 * chunks, then single calls, then make what is left plain.
 */
#include <stdlib.h>
#include "call.h"

static struct {
	struct call *best, *trial;
	int n;
	char *diff;
	int budget;
} s;

/* Takes the trial if it shows a difference; all behind that is not needed. */
static bool accept(int n)
{
	int at;

	if (s.budget-- <= 0)
		return false;
	at = exec_calls(s.trial, n, s.diff);
	if (at < 0)
		return false;
	s.n = at < n ? at + 1 : n;
	memcpy(s.best, s.trial, s.n * sizeof(*s.best));
	return true;
}

static bool drop(int from, int count)
{
	int n = s.n - count;

	memcpy(s.trial, s.best, from * sizeof(*s.best));
	memcpy(s.trial + from, s.best + from + count,
	       (n - from) * sizeof(*s.best));
	return accept(n);
}

static bool drop_chunks(void)
{
	bool any = false;
	int size, from;

	for (size = s.n / 2; size >= 1; size /= 2)
		for (from = s.n - size; from >= 0; from -= size)
			if (from + size <= s.n && drop(from, size))
				any = true;
	return any;
}

static bool try_value(int i, enum field f, MQLONG v)
{
	if (i >= s.n || s.best[i].f[f] == v)
		return false;
	memcpy(s.trial, s.best, s.n * sizeof(*s.best));
	s.trial[i].f[f] = v;
	return accept(s.n);
}

static bool simplify(int i)
{
	bool any = false;
	int f, bit;

	for (f = F_CONN; f < F_COUNT; f++) {
		any |= try_value(i, f, call_defaults[f]);
		for (bit = 0; i < s.n && call_is_mask(f) && bit < 31; bit++)
			if (s.best[i].f[f] & 1 << bit)
				any |= try_value(i, f,
						 s.best[i].f[f] & ~(1 << bit));
	}
	return any;
}

int shrink(struct call *calls, int n, char *diff)
{
	bool any;
	int i;

	s.best = calls;
	s.trial = calloc(n, sizeof(*calls));
	s.n = n;
	s.diff = diff;
	s.budget = 4000;
	do {
		any = drop_chunks();
		for (i = 0; i < s.n; i++)
			any |= simplify(i);
	} while (any && s.budget > 0);
	exec_calls(s.best, s.n, diff);
	free(s.trial);
	return s.n;
}
