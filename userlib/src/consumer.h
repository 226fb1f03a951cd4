/* SPDX-License-Identifier: MIT */
/*
 * Message consumers: a queue handle whose messages a callback gets.
 */
#ifndef KMQ_CONSUMER_H
#define KMQ_CONSUMER_H

#include <sys/queue.h>

#include "object.h"
#include "routine.h"

struct kmq_control;

/**
 * struct kmq_consumer - what MQCB registered for a queue handle
 * @link: place in one of the two lists of the connection
 * @object: the queue handle
 * @routine: function that gets the messages
 * @max_length: MaxMsgLength, INT32_MAX for no limit
 * @options: MQGMO_* as registered
 * @md: descriptor as registered
 * @gmo: options as registered, in their latest version
 * @deadline: CLOCK_MONOTONIC nanoseconds at which it is tried again though
 *	nothing arrived: its WaitInterval is over, or it waits for better times
 * @state: MQCS_*
 * @reason: why it is in that state
 * @watch_fd: browse handle whose signal tells that gets were inhibited or that
 *	the queue manager ends; -1 without
 * @armed: that signal is outstanding
 * @suspended: by MQCB
 * @begun: has been called for the start, if it wants to be
 * @ready: in the list of those that may have a message
 * @polled: its file is watched
 * @browsed: a message has been browsed since it was registered
 * @told_empty: was told that there are no messages, and has had none since
 *
 * Only who has entered the connection looks at it.
 */
struct kmq_consumer {
	TAILQ_ENTRY(kmq_consumer) link;
	struct kmq_object *object;
	struct kmq_routine routine;
	MQLONG max_length;
	MQLONG options;
	MQMD md;
	MQGMO gmo;
	uint64_t deadline;
	MQLONG state;
	MQLONG reason;
	int watch_fd;
	bool armed;
	bool suspended;
	bool begun;
	bool ready;
	bool polled;
	bool browsed;
	bool told_empty;
};

TAILQ_HEAD(kmq_consumers, kmq_consumer);

/* Will it be given messages, now or later by itself? */
KMQ_INLINE bool kmq_consumer_is_active(const struct kmq_consumer *consumer)
{
	return !consumer->suspended && consumer->state <= MQCS_SUSPENDED_TEMPORARY;
}

/* Options and structures of a registration: all that MQGET would check. */
MQLONG kmq_consumer_check(struct kmq_object *object, MQMD *md, MQGMO *gmo);

/* A consumer of @object that has no routine yet, or NULL without memory. */
struct kmq_consumer *kmq_consumer_new(struct kmq_control *ctl,
				      struct kmq_conn *conn,
				      struct kmq_object *object);

/* What it is to get, both checked, either may be missing; starts afresh. */
void kmq_consumer_set(struct kmq_control *ctl, struct kmq_consumer *consumer,
		      const MQMD *md, const MQGMO *gmo, MQLONG max_length,
		      bool suspended);

/* Suspend it, or let it go on, whyever it was suspended. */
void kmq_consumer_suspend(struct kmq_control *ctl,
			  struct kmq_consumer *consumer, bool suspended);

/* Forget it; its DEREGISTER_CALL is left in @call if it wants one. */
void kmq_consumer_free(struct kmq_control *ctl, struct kmq_consumer *consumer,
		       struct kmq_callback *call);

/* Around an MQCLOSE, which may fail: nothing else may have the queue open. */
void kmq_consumer_unwatch(struct kmq_consumer *consumer);
void kmq_consumer_watch(struct kmq_conn *conn, struct kmq_consumer *consumer);

/* Something may have come for it. */
void kmq_consumer_ready(struct kmq_control *ctl, struct kmq_consumer *consumer);

/**
 * kmq_consumer_serve() - get a message for a consumer
 * @ctl: control of the connection
 * @conn: connection, entered
 * @consumer: active consumer
 * @call: set to the call to make
 *
 * Return: false if there is nothing to tell it.
 */
bool kmq_consumer_serve(struct kmq_control *ctl, struct kmq_conn *conn,
			struct kmq_consumer *consumer,
			struct kmq_callback *call);

#endif
