/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * mqi: one MQI call in one readable line, for the self-tests.
 *
 * Messages have names. put() takes "NAME(GROUP,SEQ,OFFSET,FLAGS) OPTIONS" and
 * makes NAME the MsgId and the start of the data; get() takes options and
 * answers with what came, in the notation of the worked examples of the
 * specification: "A" (OK), "W2079 A" (warning), "F2033" (failed).
 *
 * Both calls check far more than they say: data, lengths, every descriptor
 * field, untouched output after a failure, fields beyond the version given.
 * What does not hold is appended to the answer: "A!len!data", "F2033!md".
 */
#ifndef SELFTESTS_MQI_H
#define SELFTESTS_MQI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmqc.h>
#include <linux/kmq.h>

#define QM		"QM1"
#define POISON		0x55

/* A queue handle with the structures of the last call made through it. */
struct mqh {
	MQHCONN hc;
	MQHOBJ ho;
	MQLONG cc, rc;
	char q[MQ_Q_NAME_LENGTH + 1];	/* queue behind the name */
	char qm[MQ_Q_NAME_LENGTH + 1];	/* its queue manager, "": each put's */
	MQMD md;
	MQGMO gmo;
	MQPMO pmo;
	MQLONG dlen;
	MQLONG cap;
	unsigned char *buf;
};

/* Connections: usable on any thread, calls at the same time refused. */
MQHCONN conn(void);
/* The same, to another queue manager than QM. */
MQHCONN conn_to(const char *qmgr);
const char *home_of(MQHCONN hc);
/* One whose ConnectionId is known. */
MQHCONN conn_known(MQBYTE24 id);
const char *disc(MQHCONN *hc);
const char *commit(MQHCONN hc);
const char *back(MQHCONN hc);

/*
 * Open options, one letter each: i shared input, x exclusive input, d input as
 * the queue says, b browse, o output, q inquire, s set, c co-operate, a save
 * all context, p/P pass identity/all context, t/T set identity/all context,
 * O/N/G bind on open/not fixed/on group, L resolve the local queue. The name may
 * be followed by @ and an ObjectQMgrName.
 */
struct mqh *opn(MQHCONN hc, const char *q, const char *how);
const char *opn_rc(MQHCONN hc, const char *q, const char *how);
const char *shut(struct mqh *h);
MQLONG open_options(const char *how);

/*
 * Words of put(): SP NS syncpoint or not, LO logical order, NM NC new ids,
 * CTX=n raw option bits by name of the field: opt= p= per= exp= len= rep= mt=
 * fb= enc= ccsid= fmt= c= rq= rqm= ol= f=FLAGS id=TEXT id=none v1 pmo=VERSION
 * FLAGS: G MSG_IN_GROUP, L LAST_MSG_IN_GROUP, S SEGMENT, E LAST_SEGMENT,
 * A SEGMENTATION_ALLOWED, - none. Data has 10 bytes unless len= says.
 */
const char *put(struct mqh *h, const char *msg);
/* The same, answering with the place used: "(Y,1,0)", "W2241(-,1,0)". */
const char *putg(struct mqh *h, const char *msg);
/* Several messages, one after the other, separated by ';'; "OK" or the first other. */
const char *puts_all(struct mqh *h, const char *msgs);

/*
 * Words of get(): BF BN BC MC browse and cursor, UL unlock, LK lock, LO CM AM AS
 * logical order and completeness, AT accept truncated, SP NS SIP MSB syncpoint,
 * WT(ms) wait, SIG(ms) signal, FQ, UB MH MK UMH UMK marks (MK co-operative),
 * match: m= c= g= t= (names), s= o=; buf=LENGTH, v1, gmo=VERSION, opt=, mopt=,
 * sig1=, wi=, keep (MQMD and MQGMO of the last call unchanged).
 */
const char *get(struct mqh *h, const char *opts);
/* Get until there is none: names separated by blanks. */
const char *drain(struct mqh *h, const char *opts);
/* Get and forget whatever there is. */
void discard(struct mqh *h);
/* Browse a queue through a connection of its own: names. */
const char *listq(const char *q);

/* Data of message @name. */
void fill(void *buf, const char *name, size_t len);
bool filled(const void *buf, const char *name, size_t len);

/* Names of identifiers: text, "-" for nulls, "G1", "G2" for generated ones. */
const char *id_name(const MQBYTE *id);
void id_set(MQBYTE *id, const char *name);
bool id_generated(const MQBYTE *id);

/* Fixed-length fields. */
void field_set(MQCHAR *f, size_t n, const char *s);
bool field_is(const MQCHAR *f, size_t n, const char *s);
#define FIELD_SET(f, s)	field_set((f), sizeof(f), (s))
#define FIELD_IS(f, s)	field_is((f), sizeof(f), (s))

/* "OK", "W2241", "F2033". */
const char *outcome(MQLONG cc, MQLONG rc);

/*
 * Administration. Attributes are words like "fifo depth=5 len=100 pri=3"; see
 * the table in mqi.c. What is defined here is deleted by clean_up().
 */
int admin_fd(void);
/*
 * Another queue manager than QM: made, administered from now on ("": QM again),
 * deleted with all it has.
 */
const char *make_qmgr(const char *qmgr);
void admin_at(const char *qmgr);
const char *delete_qmgr(const char *qmgr);
const char *define(const char *q, const char *attrs);
/* DEFINE with REPLACE, where define() deletes what was there. */
const char *redefine(const char *q, const char *attrs);
const char *alter(const char *q, const char *attrs);
const char *define_process(const char *name, const char *attrs);
const char *delete_process(const char *name);
const char *alter_qmgr(const char *attrs);
const char *delete_q(const char *q, unsigned int flags);
const char *clear_q(const char *q);
const char *qmgr_state(unsigned int state);
const char *conn_state(const MQBYTE24 id, unsigned int state);
struct kmq_status status(const char *q);
int depth(const char *q);
int inquire_int(const char *q, int selector);
void clean_up(void);

/* Node of a queue, opened. */
int open_node(const char *q, int flags);

/* Space for an answer, good for 15 further ones on this thread. */
char *answer_buf(void);
#define ANSWER_LEN	4096

bool all_zero(const void *p, size_t n);
int64_t now_ms(void);
void nap(int ms);

#endif
