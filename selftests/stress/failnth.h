/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Calls in which each fallible step fails once.
 */
#ifndef SELFTESTS_STRESS_FAILNTH_H
#define SELFTESTS_STRESS_FAILNTH_H

#include <stdbool.h>
#include "kq.h"

#define Q		"KS.FAIL"
#define Q2		"KS.FAIL.2"
#define INITIATION	"KS.FAIL.INIT"
#define PROCESS		"KS.FAIL.PROC"
#define BIG		300000

struct ctx {
	int conn, other;	/* connections */
	int h, k;		/* handles of Q, on one each */
	int h2;			/* handle of Q2 on conn */
	int node;		/* of Q, not bound */
	int event;
	int fd;			/* what the step opens */
	uint8_t *buf;
	uint8_t *data;
	bool verbose;
};

struct step {
	const char *name;
	void (*prepare)(struct ctx *c);
	kq_result (*run)(struct ctx *c);
	/* What the call shall have done to the depth of Q. */
	int depth;
	kq_result want;
	bool never_fails;
	/* What else must hold once it has succeeded. */
	void (*verify)(struct ctx *c);
};

extern const struct step failnth_steps[];
extern const size_t failnth_step_count;

/* Nothing may go wrong here. */
void must(kq_result r, const char *what);

#endif
