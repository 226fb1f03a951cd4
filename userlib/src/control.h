/* SPDX-License-Identifier: MIT */
/*
 * Asynchronous consumption on a connection: its state, who runs it.
 */
#ifndef KMQ_CONTROL_H
#define KMQ_CONTROL_H

#include "consumer.h"

enum kmq_consumption {
	KMQ_STOPPED,
	KMQ_STARTED,
	KMQ_SUSPENDED,
};

/**
 * DOC: Who runs callbacks
 *
 * While consumption is started, one thread, the runner, has the connection:
 * the connection's @runner is its number, and other threads that want to make
 * a call get 2500 (A-CTL-5). It is the library's thread of that connection, or
 * the one that sits in MQCTL START_WAIT. The runner enters the connection to
 * get a message, leaves it, and calls the callback, which so may use the MQI.
 *
 * A call that ends consumption writes @pending and wakes the runner; the
 * runner carries it out between two callbacks. Whoever waits for that waits
 * for @runs to change.
 *
 * The library's thread is made by the first START, or with an event handler,
 * which hears about the queue manager also while consumption is stopped. It
 * stays until MQDISC.
 *
 * Lock order: connection entered, then @lock.
 */

/**
 * struct kmq_control - asynchronous consumption on a connection
 * @lock: guards what follows up to @event_fd
 * @changed: @state, @calling, @thread or @runs changed
 * @state: what is going on
 * @pending: state wanted instead, valid with @asked
 * @asked: @state is to become @pending; the runner looks without the lock
 * @waits: the runner sits in START_WAIT
 * @disconnect: MQDISC was called in a callback
 * @calling: the library's thread is in the event handler
 * @thread: the library's thread exists
 * @quit: it is to end
 * @thread_number: its number
 * @home: owner of a connection that is not shared, while it is started
 * @runs: counts the ends of consumption
 * @event_fd: wakes who waits for messages: a signal, or something to do
 * @poll_fd: epoll of @event_fd, the connection's file and the consumers' queues;
 *	-1 until needed
 * @told: events of the connection that the event handler was called with
 * @due: events that are to be looked at, be it to end consumption
 * @failure: reason why consumption had to end
 * @news: some consumer has not been called for the start yet
 * @ready: consumers that may have a message, in the order of their turns
 * @idle: the others
 * @handler: event handler, function NULL if none
 * @handler_suspended: by MQCB
 * @handler_begun: was called for the start, if it wants to be
 * @area: ConnectionArea
 * @buffer: for the message that is being handed over
 * @size: its size
 * @md: descriptor of that message
 * @gmo: its options
 */
struct kmq_control {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	enum kmq_consumption state;
	enum kmq_consumption pending;
	bool asked;
	bool waits;
	bool disconnect;
	bool calling;
	bool thread;
	bool quit;
	uint64_t thread_number;
	uint64_t home;
	uint64_t runs;

	int event_fd;
	int poll_fd;
	unsigned int told;
	unsigned int due;
	MQLONG failure;
	bool news;
	struct kmq_consumers ready;
	struct kmq_consumers idle;
	struct kmq_routine handler;
	bool handler_suspended;
	bool handler_begun;
	MQPTR area;
	void *buffer;
	MQLONG size;
	MQMD md;
	MQGMO gmo;
};

/* The lock is held: who sees it without looks at @pending under the lock. */
KMQ_INLINE void kmq_control_set_asked(struct kmq_control *ctl, bool asked)
{
	__atomic_store_n(&ctl->asked, asked, __ATOMIC_RELAXED);
}

/* That of a connection that the caller has entered; made when needed. */
struct kmq_control *kmq_control_of(struct kmq_conn *conn, PMQLONG reason);

/* Is this thread in a callback of the connection? */
bool kmq_control_is_inside(const struct kmq_conn *conn);

/* Any consumer that is not suspended? */
bool kmq_control_is_active(const struct kmq_control *ctl);

/* Wake the runner, or the library's thread while nothing is started. */
void kmq_control_wake(const struct kmq_control *ctl);

/* See to it that the library's thread exists: 2102. */
MQLONG kmq_control_thread(struct kmq_conn *conn);

/**
 * kmq_control_halt() - stop consumption for an MQDISC on another thread
 * @hconn: number of the connection
 * @reason: set if the connection cannot be entered afterwards
 *
 * Return: the connection, entered, or NULL.
 */
struct kmq_conn *kmq_control_halt(MQHCONN hconn, PMQLONG reason);

/**
 * kmq_control_end() - end everything about callbacks for MQDISC
 * @conn: connection, entered
 * @hconn: its number
 * @reason: set if there is nothing left to do for the caller
 *
 * In a callback the end comes when that returns (O-DISC-3).
 *
 * Return: true if the connection is entered and can be ended; else it was left.
 */
bool kmq_control_end(struct kmq_conn *conn, MQHCONN hconn, PMQLONG reason);

/* The same once nothing runs. */
bool kmq_control_close(struct kmq_conn *conn, MQHCONN hconn, PMQLONG reason);

/**
 * kmq_runner_run() - run callbacks until consumption is stopped or suspended
 * @conn: connection, not entered
 * @hconn: its number
 * @reason: result for START_WAIT
 *
 * Return: false if the connection does not exist any more.
 */
bool kmq_runner_run(struct kmq_conn *conn, MQHCONN hconn, PMQLONG reason);

/* What the library's thread does; @data is made by kmq_runner_thread_arg(). */
void *kmq_runner_thread(void *data);
void *kmq_runner_thread_arg(struct kmq_conn *conn, MQHCONN hconn,
			    uint64_t number);

#endif
