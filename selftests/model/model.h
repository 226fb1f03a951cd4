/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A plain model of one queue: a list, and loops over it. Written from the
 * rules of the specification (their ids stand in the code) for being read, not
 * for speed. Each call works on the structures of the MQI and says what the
 * real call has to answer.
 *
 * What the model cannot know, because the queue manager makes it up, it fills
 * with placeholders: generated identifiers, message tokens, times. The first
 * time the real value is seen it takes the placeholder's place: model_learn().
 *
 * Not in the model: expiry, waits, signals, generated reports, aliases,
 * conversion, properties, users.
 */
#ifndef SELFTESTS_MODEL_H
#define SELFTESTS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <cmqc.h>

#define MODEL_HANDLES	5
#define MODEL_CONNS	3
#define MODEL_SEGMENTS	256

struct rc {
	MQLONG cc;
	MQLONG rc;
};

/* What a handle remembers of its last put, get or browse (P-LOG-2, G-ORD-1). */
struct info {
	bool cur_group;
	bool cur_msg;
	bool logical;		/* the call used LOGICAL_ORDER */
	bool sync;		/* it was under syncpoint */
	bool report;		/* the message was of type REPORT (M-SEG-11) */
	MQBYTE gid[24];
	MQLONG seq;
	MQLONG next;		/* offset after the message */
	MQLONG persistence;
};

/* A place in the queue (M-STO-2). */
struct key {
	bool set;
	MQLONG pri;
	long arrival;
};

enum state { AVAILABLE, PUT_PENDING, GET_PENDING };

struct message {
	struct message *next;
	MQMD md;		/* as stored, version 2 */
	unsigned char *data;
	MQLONG len;
	struct key key;
	MQBYTE token[16];
	enum state state;
	int conn;		/* owner of the unit of work it is pending in */
	bool own_put;		/* GET_PENDING, and put in that unit too */
	bool skip;		/* got with MARK_SKIP_BACKOUT */
	int lock;		/* handle, or -1 */
	bool marked[MODEL_HANDLES];
	bool co_op;
};

enum saved { NOT_SAVED, SAVED, BROWSED };

struct handle {
	bool open;
	int conn;
	MQLONG options;
	struct info put, get, browse;
	bool put_saved, get_saved;	/* what they were before the unit */
	struct info put_before, get_before;
	bool skip_get;		/* a marked get of this unit was made here */
	bool skip_last;		/* and it was the last removing get */
	enum { UNSET, LOGICAL, PHYSICAL } mode;
	struct key cursor, anchor;
	enum saved saved;
	MQMD context;
};

struct conn {
	bool uow;
	long count;		/* of MaxUncommittedMsgs */
	bool skip_used;
	bool may_begin;		/* not a shared connection */
};

struct model {
	struct message *first;
	struct handle h[MODEL_HANDLES];
	struct conn c[MODEL_CONNS];
	MQCHAR name[48], qmgr[48];
	MQLONG ccsid;
	MQMD context;		/* what a put generates (P-CTX-5) */
	/* attributes */
	bool fifo, inhibit_get, inhibit_put, shareable;
	MQLONG def_priority, def_persistence, max_depth, max_length;
	long max_uncommitted;
	long arrivals;
	long placeholders;
};

/* A put or get: nothing of the structures is changed if it fails. */
struct put_call {
	int handle;		/* -1: MQPUT1 */
	int conn;
	MQMD *md;
	MQPMO *pmo;
	int context;		/* handle in MQPMO.Context, or -1 */
	MQLONG len;
	const void *buf;
	MQLONG mde;		/* bytes of it that are an honoured MQMDE */
};

struct get_call {
	int handle;
	MQMD *md;
	MQGMO *gmo;
	MQLONG len;
	void *buf;
	MQLONG *data_len;
};

void model_init(struct model *m);
void model_clear(struct model *m);
struct rc model_open(struct model *m, int conn, int handle, MQLONG options);
struct rc model_close(struct model *m, int handle);
struct rc model_put(struct model *m, struct put_call *p);
struct rc model_get(struct model *m, struct get_call *g);
struct rc model_begin(struct model *m, int conn);
struct rc model_commit(struct model *m, int conn);
struct rc model_back(struct model *m, int conn);
struct rc model_disc(struct model *m, int conn);
int model_depth(const struct model *m);

/* Placeholders; those of PutDate and PutTime are one. */
#define MODEL_TIME	offsetof(MQMD, PutDate)
void model_placeholder(struct model *m, void *field, size_t len);
bool model_is_placeholder(const void *field);
void model_learn(struct model *m, const void *placeholder, const void *value,
		 size_t len);

/* Between the files of the model. */
static inline struct rc model_ok(void)
{
	return (struct rc){ MQCC_OK, MQRC_NONE };
}

static inline struct rc model_fail(MQLONG reason)
{
	return (struct rc){ MQCC_FAILED, reason };
}

static inline struct rc model_warn(MQLONG reason)
{
	return (struct rc){ reason ? MQCC_WARNING : MQCC_OK, reason };
}

bool model_all_zero(const void *p, size_t n);
bool model_id_is(const MQBYTE *a, const MQBYTE *b);
struct message *model_insert(struct model *m, const MQMD *md, const void *data,
			     MQLONG len, MQLONG pri, long arrival);
void model_remove(struct model *m, struct message *msg);
bool model_after(const struct message *msg, const struct key *key);
void model_blank_pad(MQCHAR *field, size_t n);
MQLONG model_ccsid(const struct model *m, MQLONG ccsid);
MQLONG model_take_mde(const struct model *m, const struct put_call *p, MQMD *md,
		      MQLONG *reason);
void model_unlock(struct model *m, int handle);
bool model_holds_lock(const struct model *m, int handle);

/* Selection (model_select.c): a get that looks for a message. */
struct view {
	const struct model *m;
	int handle;
	MQLONG options;
	bool removing;
	MQLONG match;		/* options in force */
	const MQMD *md;
	const MQBYTE *token;
};

struct chain {
	struct message *seg[MODEL_SEGMENTS];
	int n;
	bool complete;
};

bool model_under_syncpoint(const struct view *v, const struct message *msg);
bool model_visible(const struct view *v, const struct message *msg);
bool model_is_marked(const struct view *v, const struct message *msg);
MQLONG model_segment_length(const struct message *msg);
void model_chain(const struct view *v, struct message *first, struct chain *c);
struct message *model_next_item(const struct view *v, const struct info *i);
struct message *model_scan(const struct view *v, const struct info *cur,
			   const struct key *after, MQLONG *reason);

static inline bool model_in_group(const MQMD *md)
{
	return md->MsgFlags & (MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP);
}

static inline bool model_is_segment(const MQMD *md)
{
	return md->MsgFlags & (MQMF_SEGMENT | MQMF_LAST_SEGMENT);
}

#endif
