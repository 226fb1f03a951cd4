/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * bench: what kmq costs, beside what else the kernel offers.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <kmq.h>

#define BENCH_QMGR	"QM1"
#define BENCH_Q		"KMQ.BENCH"
#define BENCH_REPLY_Q	"KMQ.BENCH.REPLY"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* --- run.c: samples ------------------------------------------------------- */

/**
 * struct cost - nanoseconds (instructions under -icount) of one operation
 * @median: middle sample
 * @low: sample that 10 % are below
 * @high: sample that 10 % are above
 */
struct cost {
	double median;
	double low;
	double high;
};

uint64_t now_ns(void);
struct cost cost_of(double *samples, size_t count);

/**
 * measure() - run @fn in samples of @inner calls each
 * @fn: one operation
 * @arg: handed to it
 * @samples: number of samples
 * @inner: calls in a sample
 */
struct cost measure(void (*fn)(void *arg), void *arg, size_t samples,
		    size_t inner);

/* Time of one call, without that of looking at the clock. */
double time_of(void (*fn)(void *arg), void *arg);

__attribute__((noreturn, format(printf, 1, 2)))
void die(const char *format, ...);

/* All repetitions are divided by this; more than 1 with --short. */
extern unsigned int bench_hurry;

/* --- queue.c: queues through the MQI --------------------------------------- */

void q_name(char *to, const char *name);
void q_define(const char *name, int max_depth);
void q_remove(const char *name);
void q_clear(const char *name);
/* Set an attribute of the queue manager. Return: what it was. */
int q_qmgr_set(int selector, int value);
/* How many messages one unit of work may have. Return: how many it might. */
int q_limit(int uncommitted);
MQHCONN q_connect(void);
MQHOBJ q_open(MQHCONN hc, const char *name, MQLONG options);
void q_close(MQHCONN hc, MQHOBJ ho);

/**
 * struct q_call - everything an MQPUT or MQGET needs
 * @hc: connection
 * @ho: queue
 * @md: message descriptor
 * @pmo: options of the put
 * @gmo: options of the get
 * @data: message data
 * @length: bytes at @data
 * @got: DataLength
 * @reason: of the last call
 */
struct q_call {
	MQHCONN hc;
	MQHOBJ ho;
	MQMD md;
	MQPMO pmo;
	MQGMO gmo;
	void *data;
	MQLONG length;
	MQLONG got;
	MQLONG reason;
};

/* New message identifiers, no syncpoint, no wait, nothing to match. */
void q_call_init(struct q_call *call, MQHCONN hc, MQHOBJ ho, void *data,
		 MQLONG length);
/* Reply-to names, both identifiers, request, format. */
void q_call_full(struct q_call *call);

/* Both end the program if the call fails. */
void q_put(struct q_call *call);
void q_get(struct q_call *call);
/* false: no message; any other failure ends the program. */
bool q_try_get(struct q_call *call);

/* --- chan.c, peers.c: one message at a time through something -------------- */

/**
 * struct chan - a way for a message
 * @name: what it is
 * @put: send @length bytes
 * @get: receive a message of @length bytes, waiting for it
 * @attach: make it usable in a process that was forked off
 * @close: give everything back
 * @length: size of the messages
 * @out: message to send
 * @in: room for the message received
 * @fd: descriptors for the use of the channel
 * @queue: name of the queue
 * @options: open options
 * @to: MQPUT of the channel
 * @from: MQGET of the channel
 */
struct chan {
	const char *name;
	void (*put)(struct chan *chan);
	void (*get)(struct chan *chan);
	void (*attach)(struct chan *chan);
	void (*close)(struct chan *chan);
	size_t length;
	void *out;
	void *in;
	int fd[2];
	const char *queue;
	MQLONG options;
	struct q_call to;
	struct q_call from;
};

enum chan_kind {
	CHAN_KMQ,
	CHAN_KMQ_REUSED,
	CHAN_KMQ_FULL,
	CHAN_KMQ_CONTEXT,
	CHAN_KMQ_RAW,
	CHAN_MQUEUE,
	CHAN_SYSV,
	CHAN_PIPE,
	CHAN_SEQPACKET,
	CHAN_KINDS,
};

/* @index: 0 or 1, to have two of a kind. */
void chan_open(struct chan *chan, enum chan_kind kind, size_t length,
	       unsigned int index);
void chan_attach(struct chan *chan);
void chan_close(struct chan *chan);

void mqueue_open(struct chan *chan);
void sysv_open(struct chan *chan);
void pipe_open(struct chan *chan);
void seqpacket_open(struct chan *chan);

/* --- trip.c: a message there and one back ---------------------------------- */

/**
 * struct trip - a process that sends back what comes
 * @there: to the process
 * @back: from it
 * @pid: the process
 */
struct trip {
	struct chan there;
	struct chan back;
	pid_t pid;
};

/* Messages of 64 bytes. The process calls @ready with @arg first. */
void trip_open(struct trip *trip, enum chan_kind kind, void (*ready)(int arg),
	       int arg);
/* One round trip; for measure(). */
void trip_make(void *trip);
void trip_close(struct trip *trip);

/* --- batch.c: BATCH messages of 64 bytes at a time ------------------------- */

#define BATCH	32

struct batch;

struct batch *batch_open(void);
void batch_put(struct batch *batch);
void batch_get(struct batch *batch);
void batch_close(struct batch *batch);

/* --- out.c: the table, and JSON -------------------------------------------- */

/**
 * struct row - one line of the table
 * @key: name that stays the same, for programs
 * @name: name for people
 * @cost: what was measured
 * @to: what it is compared with, NULL if with nothing
 * @base: cost of that
 * @must: the ratio may not be higher; 0 if there is no bound
 * @aim: where the ratio should go
 */
struct row {
	const char *key;
	const char *name;
	struct cost cost;
	const char *to;
	double base;
	double must;
	double aim;
};

void out_begin(const char *unit);
void out_title(const char *title);
void out_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void out_row(const struct row *row);
/* Return: how many bounds were missed. */
int out_end(const char *json);

/* --- fill.c: many messages ------------------------------------------------- */

/**
 * struct fill - messages by number
 * @hc: connection
 * @ho: queue
 * @describe: sets what differs in message @number; NULL: nothing does
 * @options: MQPMO_*
 * @length: size of a message
 * @data: for the use of @describe
 */
struct fill {
	MQHCONN hc;
	MQHOBJ ho;
	void (*describe)(const struct fill *fill, MQMD *md,
			 unsigned int number);
	MQLONG options;
	MQLONG length;
	unsigned int data;
};

/* Put messages number @from to @to - 1. */
void fill_queue(const struct fill *fill, unsigned int from, unsigned int to);

/* An identifier of kind @kind with the number @number in it. */
void id_make(MQBYTE24 id, char kind, unsigned int number);

/* The same series of numbers below @n in each run. */
unsigned int pick(unsigned int n);

/* Times of one call, without that of looking at the clock. */
double time_put(struct q_call *call);
double time_get(struct q_call *call);

/* --- the parts of the program ---------------------------------------------- */

void run_trace(void);
void run_pairs(void);
void run_depth(void);
void run_past(void);
void run_groups(void);
void run_segments(void);
void run_waiters(void);
void run_memory(void);
void run_mqi(void);
void run_cpus(void);
void run_late(void);

#endif
