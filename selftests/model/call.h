/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A random call: numbers that stand for themselves, so that any call can be
 * dropped from a list and the rest still be made. Identifiers and tokens are
 * given by number: a fixed one, or one of those the queue manager made last.
 */
#ifndef SELFTESTS_MODEL_CALL_H
#define SELFTESTS_MODEL_CALL_H

#include <stdbool.h>
#include <stdint.h>
#include "model.h"

enum op {
	OP_OPEN, OP_CLOSE, OP_PUT, OP_GET, OP_PUT1, OP_COMMIT, OP_BACK,
	OP_BEGIN, OP_DISC, OP_ALTER, OP_COUNT,
};

enum field {
	F_HANDLE,	/* 0..MODEL_HANDLES - 1 */
	F_CONN,
	F_OPTIONS,	/* MQOO, MQPMO, MQGMO */
	F_VERSION,	/* of MQPMO or MQGMO */
	F_MD_VERSION,
	F_BROKEN,	/* enum broken */
	F_LEN,		/* BufferLength */
	F_MSG_ID,
	F_CORREL_ID,
	F_GROUP_ID,
	F_SEQ,
	F_OFFSET,
	F_FLAGS,
	F_ORIGINAL,
	F_PRIORITY,
	F_PERSISTENCE,
	F_REPORT,
	F_TYPE,
	F_FEEDBACK,
	F_EXPIRY,
	F_CCSID,
	F_ENCODING,
	F_REPLY,	/* 1: ReplyToQ, 2: and ReplyToQMgr */
	F_MDE,		/* enum mde */
	F_CONTEXT,	/* handle in MQPMO.Context, -1: none */
	F_MATCH,
	F_TOKEN,
	F_WAIT,
	F_ATTR,		/* index of call_attrs */
	F_VALUE,
	F_COUNT,
};

enum broken {
	NOT_BROKEN, NO_BUFFER, NO_LENGTH, NO_MD, BAD_MD, NO_OPTIONS,
	BAD_OPTIONS, BROKEN_COUNT,
};

/* MQMDE in front of the data: the group fields of the call are in it. */
enum mde {
	MDE_NONE, MDE_GOOD, MDE_SHORT, MDE_BAD_ID, MDE_BAD_VERSION,
	MDE_BAD_LENGTH, MDE_BAD_FLAGS,
	MDE_PLAIN,		/* they are in the MQMD too */
	MDE_COUNT,
};

struct call {
	enum op op;
	MQLONG f[F_COUNT];
};

/* Identifiers: 0 null, 1..3 fixed, above: the last generated ones. */
#define CALL_FIXED_IDS	3
#define CALL_LAST_IDS	4
/* Tokens: 0 null, 1 never made, above: the last seen ones. */
#define CALL_TOKENS	8

struct attr {
	const char *word;	/* of alter() and alter_qmgr() */
	bool qmgr;
};

extern const struct attr call_attrs[];
enum { A_FIFO, A_PRI, A_PER, A_DEPTH, A_LEN, A_GET, A_PUT, A_UNCOM, A_COUNT };

extern const MQLONG call_defaults[F_COUNT];
bool call_is_mask(enum field f);
void call_print(const struct call *c);

/* --- generator (gen.c) ---------------------------------------------------- */

struct gen;
struct gen *gen_new(uint64_t seed, char stage);
void gen_free(struct gen *g);
void gen_call(struct gen *g, struct call *c);

/* --- both sides (exec.c) -------------------------------------------------- */

#define DIFF_LEN	4096

/* Runs the calls on a fresh queue: number of the first that differs, or -1. */
int exec_calls(const struct call *calls, int n, char *diff);
/* Calls made, and how often each reason was the answer. */
extern long exec_count;
/* Queues are read ahead of, which must not be seen (G-OPN-4). */
extern bool exec_reads_ahead;
void exec_summary(void);
void exec_end(void);

/* --- shortening (shrink.c) ------------------------------------------------ */

/* Drops and simplifies while a difference stays; the new number of calls. */
int shrink(struct call *calls, int n, char *diff);

/* One seed: 0 if there was no difference; prints it otherwise. */
int model_run_seed(uint64_t seed, char stage, int n_calls);

#endif
