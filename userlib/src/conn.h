/* SPDX-License-Identifier: MIT */
/*
 * Connections: what an Hconn stands for, and how a call gets hold of it.
 */
#ifndef KMQ_CONN_H
#define KMQ_CONN_H

#include <pthread.h>

#include "context.h"
#include "internal.h"
#include "stat.h"
#include "table.h"

#define KMQ_PUT1_FILES	8

/* Who may use a connection, and what happens if two calls meet (O-CONN-6). */
enum kmq_sharing {
	KMQ_SHARE_NONE,
	KMQ_SHARE_BLOCK,
	KMQ_SHARE_NO_BLOCK,
};

/* What goes on on a connection that is not shared. */
enum kmq_busy {
	KMQ_IDLE,
	KMQ_IN_CALL,	/* a call is running */
	KMQ_HOLDING,	/* none is; puts are held, see held.h */
};

/**
 * struct kmq_put1_file - open file of a queue that MQPUT1 was used for
 * @fd: file, valid if @queue is not empty
 * @used: value of @put1_clock at the last use
 * @fixed: the name stands for the queue itself, now and later
 * @def_put_response: MQPRT_* of the definition
 * @by_name: the kernel has to be told @queue and @qmgr
 * @queue: name, blank padded
 * @qmgr: ObjectQMgrName that was given, blank padded
 * @resolved_q: where messages go; with @resolved_qmgr as an MQPMO has them
 * @resolved_qmgr: its queue manager
 */
struct kmq_put1_file {
	int fd;
	unsigned int used;
	bool fixed;
	bool by_name;
	MQLONG def_put_response;
	char queue[KMQ_NAME_LEN];
	char qmgr[KMQ_NAME_LEN];
	char resolved_q[KMQ_NAME_LEN];
	char resolved_qmgr[KMQ_NAME_LEN];
};

/**
 * struct kmq_conn - a connection
 * @item: its number, Hconn
 * @sharing: whether other threads may use it
 * @owner: thread that may use it if it is not shared
 * @runner: thread that runs its callbacks while they are started, else 0
 * @busy: what goes on (not shared only; others hold @lock for a call)
 * @fd: file of the qmgr node
 * @ccsid: CodedCharSetId of the queue manager
 * @max_batch: entries of one batched call, 0 until it has been asked for
 * @control: callbacks, NULL until it has any; kept for the next connection
 * @objects: its object handles
 * @ctx_id: number of the default context
 * @origin: default context (P-CTX-5)
 * @dated: time that its date shows, 0: none
 * @clock: PutDate and PutTime of recent puts and gets
 * @stat: counters for MQSTAT
 * @held: puts that are held, NULL until there are any
 * @holds: there are some
 * @lost: one that had been held failed in this unit of work
 * @shown: the program has asked for a descriptor
 * @unit: counts the units of work that have ended
 * @put1: files kept open for MQPUT1
 * @put1_clock: counts the calls of MQPUT1
 * @qmgr: name of the queue manager
 * @id: ConnectionId
 * @lock: held by the call that runs on a shared connection
 * @next: further one that is free
 *
 * A call has the connection for itself from kmq_conn_enter() to
 * kmq_conn_leave(), so nothing below @busy needs a lock. The structure is
 * used again after MQDISC but never freed: a thread that comes late with an
 * old Hconn may look at it, and waits for its lock in vain.
 */
struct kmq_conn {
	struct kmq_item item;
	uint32_t sharing;
	uint64_t owner;
	uint64_t runner;
	enum kmq_busy busy;
	int fd;
	MQLONG ccsid;
	uint32_t max_batch;
	struct kmq_control *control;
	struct kmq_table *objects;
	uint64_t ctx_id;
	struct kmq_origin origin;
	uint64_t dated;
	struct kmq_clock clock;
	struct kmq_stat stat;
	struct kmq_held *held;
	bool holds;
	bool lost;
	bool shown;
	uint32_t unit;
	struct kmq_put1_file put1[KMQ_PUT1_FILES];
	unsigned int put1_clock;
	char qmgr[KMQ_NAME_LEN];
	unsigned char id[KMQ_ID_LEN];
	pthread_mutex_t lock;
	struct kmq_conn *next;
};

extern struct kmq_table *kmq_conns;

/*
 * Number of this thread, 0 until it makes a connection that is not shared or
 * runs callbacks.
 */
extern __thread uint64_t kmq_thread;

/* A number for a thread. */
uint64_t kmq_thread_new(void);

/* Connection of this thread that is not shared, or NULL. */
struct kmq_conn *kmq_conn_of_thread(void);

/**
 * kmq_conn_add() - a new connection with a number
 * @sharing: who may use it
 *
 * It is returned entered; other threads that guess its number have to wait.
 *
 * Return: NULL if there is no memory.
 */
struct kmq_conn *kmq_conn_add(enum kmq_sharing sharing);

/* End the connection @conn, which the caller has entered, and leave it. */
void kmq_conn_remove(struct kmq_conn *conn);

/* End the unit of work: MQCMIT, or MQBACK. */
void kmq_conn_commit(struct kmq_conn *conn, PMQLONG comp_code, PMQLONG reason);
void kmq_conn_backout(struct kmq_conn *conn, PMQLONG comp_code,
		      PMQLONG reason);

/* The rest of MQDISC: close everything, commit, remove. */
void kmq_conn_end(struct kmq_conn *conn, PMQLONG comp_code, PMQLONG reason);

/* Does @hconn still stand for @conn, in this process? */
bool kmq_conn_exists(const struct kmq_conn *conn, MQHCONN hconn);

/*
 * Enter a connection again that is this thread's to use, waiting for the call
 * that runs on it; false if it does not exist any more.
 */
bool kmq_conn_reenter(struct kmq_conn *conn, MQHCONN hconn);

/**
 * kmq_conn_state() - is the queue manager still there?
 * @conn: connection
 *
 * For calls that fail before the kernel has seen them.
 *
 * Return: MQRC_NONE, or why the kernel would refuse: 2161, 2162, 2009.
 */
MQLONG kmq_conn_state(const struct kmq_conn *conn);

/* The same, and 2202 if an administrator wants the connection to end. */
MQLONG kmq_conn_quiescing(const struct kmq_conn *conn);

/* The part of kmq_conn_enter() for any other connection than one's own. */
struct kmq_conn *kmq_conn_enter_other(struct kmq_conn *conn, MQHCONN hconn,
				      PMQLONG reason);

/**
 * kmq_conn_enter() - begin a call on a connection
 * @hconn: number given by the program
 * @reason: set if the call cannot go on: 2018, 2219, 2500
 *
 * Puts that are held are made first.
 *
 * Return: the connection, or NULL.
 */
KMQ_INLINE struct kmq_conn *kmq_conn_enter(MQHCONN hconn, PMQLONG reason)
{
	struct kmq_conn *c = (void *)kmq_table_find(&kmq_conns, hconn);

	/* Who gave it to us, be it the runner of callbacks, is done with it. */
	if (likely(c && kmq_thread &&
		   __atomic_load_n(&c->owner, __ATOMIC_ACQUIRE) ==
			   kmq_thread && c->busy == KMQ_IDLE)) {
		c->busy = KMQ_IN_CALL;
		return c;
	}
	return kmq_conn_enter_other(c, hconn, reason);
}

/* The same, except that puts that are held may stay so. */
KMQ_INLINE struct kmq_conn *kmq_conn_enter_holding(MQHCONN hconn,
						   PMQLONG reason)
{
	struct kmq_conn *c = (void *)kmq_table_find(&kmq_conns, hconn);

	if (likely(c && kmq_thread &&
		   __atomic_load_n(&c->owner, __ATOMIC_ACQUIRE) ==
			   kmq_thread && c->busy != KMQ_IN_CALL)) {
		c->busy = KMQ_IN_CALL;
		return c;
	}
	return kmq_conn_enter_other(c, hconn, reason);
}

KMQ_INLINE void kmq_conn_leave(struct kmq_conn *conn)
{
	if (likely(conn->sharing == KMQ_SHARE_NONE))
		conn->busy = KMQ_IDLE;
	else
		pthread_mutex_unlock(&conn->lock);
}

/* After a call that may have left puts held. */
KMQ_INLINE void kmq_conn_leave_holding(struct kmq_conn *conn)
{
	if (unlikely(conn->holds))
		conn->busy = KMQ_HOLDING;
	else
		kmq_conn_leave(conn);
}

#endif
