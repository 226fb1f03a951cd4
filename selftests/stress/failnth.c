/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Each fallible step of each command fails once: the Nth memory allocation or
 * user copy of a single system call (/proc/thread-self/fail-nth). What must hold
 * after it: the call says so, it has had no effect, and the same call works.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "failnth.h"

#define NTH_MAX		400

/* --- the injection --------------------------------------------------------- */

static int nth_fd = -1;

static bool set_up_injection(void)
{
	static const struct { const char *file, *value; } settings[] = {
		{ "failslab/ignore-gfp-wait", "N" },
		{ "failslab/verbose", "0" },
		{ "fail_page_alloc/ignore-gfp-wait", "N" },
		{ "fail_page_alloc/verbose", "0" },
		{ "fail_usercopy/verbose", "0" },
	};
	char path[128];
	size_t i;
	int fd;

	nth_fd = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (nth_fd < 0)
		return false;
	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/%s",
			 settings[i].file);
		fd = open(path, O_WRONLY);
		if (fd < 0)
			continue;
		if (write(fd, settings[i].value, strlen(settings[i].value)) < 0)
			kq_fail("cannot write %s", path);
		close(fd);
	}
	return true;
}

static void arm(int n)
{
	char text[16];
	int length = sprintf(text, "%d", n);

	if (pwrite(nth_fd, text, length, 0) != length)
		kq_fail("cannot arm");
}

/* Return: the fault was delivered. */
static bool disarm(void)
{
	char text[16] = "x";
	ssize_t n = pread(nth_fd, text, sizeof(text) - 1, 0);
	bool delivered = n > 0 && text[0] == '0';

	while (pwrite(nth_fd, "0", 1, 0) != 1)
		;
	return delivered;
}

/* --- carrying it out ------------------------------------------------------- */

static void set_up(struct ctx *c)
{
	const uint32_t may = MQOO_INPUT_SHARED | MQOO_BROWSE | MQOO_OUTPUT |
			     MQOO_SET_ALL_CONTEXT | MQOO_CO_OP;

	must(kq_define(Q), "define");
	must(kq_define(Q2), "define");
	c->conn = kq_session();
	c->other = kq_session();
	c->h = kq_handle(c->conn, Q, may);
	c->k = kq_handle(c->other, Q, may);
	c->h2 = kq_handle(c->conn, Q2, may);
	c->node = kq_node(Q);
	c->event = eventfd(0, EFD_CLOEXEC);
	c->fd = -1;
}

static void tear_down(struct ctx *c)
{
	struct kmq_status status;

	kq_end(c->conn, false);
	if (c->fd >= 0)
		close(c->fd);
	close(c->h);
	close(c->k);
	close(c->h2);
	close(c->node);
	close(c->event);
	close(c->conn);
	close(c->other);
	kq_delete("KS.FAIL.3");
	kq_delete(INITIATION);
	kq_delete_process(PROCESS);
	kq_status(Q, &status);
	if (status.out_uncommitted_puts || status.out_uncommitted_gets ||
	    status.out_locked || status.out_waiters)
		kq_fail("something is left on the queue");
	must(kq_delete(Q), "delete");
	must(kq_delete(Q2), "delete");
}

static bool same(const struct kmq_status *a, const struct kmq_status *b)
{
	return !memcmp(&a->out_depth, &b->out_depth,
		       offsetof(struct kmq_status, out_last_put_time) -
		       offsetof(struct kmq_status, out_depth)) &&
	       a->out_total_puts == b->out_total_puts &&
	       a->out_total_gets == b->out_total_gets;
}

static bool is_fault(kq_result r)
{
	return r == MQRC_STORAGE_NOT_AVAILABLE || r == MQRC_BUFFER_ERROR ||
	       r == MQRC_INT_ATTRS_ARRAY_ERROR || r == MQRC_CHAR_ATTRS_ERROR ||
	       r == -ENOMEM || r == -EFAULT;
}

static void check_effect(const struct step *step, int n,
			 const struct kmq_status *before)
{
	struct kmq_status after;
	int change;

	kq_status(Q, &after);
	change = (int)after.out_depth - (int)before->out_depth;
	/* A unit changes the depth by both its halves. */
	if (!step->never_fails && change != step->depth)
		kq_fail("%s, step %d: the depth changed by %d, not %d",
			step->name, n, change, step->depth);
}

/* Calls whose result could not be written, though they were done. */
static int late;

static bool is_done(const struct step *step, const struct kmq_status *before)
{
	struct kmq_status after;

	kq_status(Q, &after);
	return after.out_total_puts == before->out_total_puts + step->depth;
}

/* Return: false if the call has fewer than @n fallible steps. */
static bool try_one(struct ctx *c, const struct step *step, int n, int *failed)
{
	struct kmq_status before, after;
	bool delivered;
	kq_result r, was;

	set_up(c);
	step->prepare(c);
	kq_status(Q, &before);
	arm(n);
	r = step->run(c);
	delivered = disarm();
	if (delivered && r == -EFAULT && step->depth > 0 &&
	    is_done(step, &before)) {
		/* Only the way back of the result: nothing is lost. */
		late++;
		tear_down(c);
		return true;
	}
	if (delivered && r != step->want) {
		(*failed)++;
		if (step->never_fails)
			kq_fail("%s, step %d: needs memory", step->name, n);
		if (!is_fault(r))
			kq_fail("%s, step %d: %d", step->name, n, r);
		kq_status(Q, &after);
		if (!same(&before, &after))
			kq_fail("%s, step %d: failed, but had an effect",
				step->name, n);
		was = r;
		r = step->run(c);
		if (was == -EFAULT && r == MQRC_SIGNAL_OUTSTANDING) {
			late++;
			r = step->want;
		}
	}
	if (r != step->want)
		kq_fail("%s, step %d: then %d", step->name, n, r);
	else
		check_effect(step, n, &before);
	if (step->verify)
		step->verify(c);
	tear_down(c);
	return delivered;
}

int stress_failnth(bool verbose)
{
	struct ctx c = { .buf = malloc(BIG), .data = malloc(BIG) };
	int failures = kq_failures;
	int total = 0, total_failed = 0;
	size_t i;

	if (!set_up_injection())
		return -1;
	memset(c.data, 'd', BIG);
	for (i = 0; i < failnth_step_count; i++) {
		const struct step *step = &failnth_steps[i];
		int n = 1, failed = 0;

		while (n < NTH_MAX && try_one(&c, step, n, &failed))
			n++;
		if (n == NTH_MAX)
			kq_fail("%s: there is no end", step->name);
		if (verbose)
			printf("# %s: %d steps, %d failed\n", step->name,
			       n - 1, failed);
		total += n - 1;
		total_failed += failed;
	}
	printf("# %d faults, %d failed the call, %d told EFAULT, though done\n",
	       total, total_failed, late);
	/* Else nothing was tried. */
	if (total_failed < 20)
		kq_fail("too few faults");
	close(nth_fd);
	free(c.buf);
	free(c.data);
	return kq_failures - failures;
}
