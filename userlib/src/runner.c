// SPDX-License-Identifier: MIT
/*
 * The runner: takes messages for consumers and calls the callbacks.
 *
 * It goes round those that may have a message, one message each, and sleeps in
 * epoll_wait() when none has.
 */
#include "control.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "conn_event.h"

#define EVENTS	16
/* Messages of consumers that are all busy, until the rest is looked at. */
#define BUSY_TURNS	64

/**
 * struct run - the runner's own
 * @conn: connection
 * @ctl: its control
 * @hconn: its number
 * @turns: consumers to be served before epoll is asked again
 * @ending: a consumer has met an end that the kernel is about to tell of
 */
struct run {
	struct kmq_conn *conn;
	struct kmq_control *ctl;
	MQHCONN hconn;
	unsigned int turns;
	bool ending;
};

enum step {
	STEP_AGAIN,	/* look again */
	STEP_CALL,	/* make the call */
	STEP_SLEEP,	/* nothing to do */
	STEP_GONE,	/* no connection any more */
};

static void ask(struct kmq_control *ctl, enum kmq_consumption state)
{
	pthread_mutex_lock(&ctl->lock);
	if (!ctl->asked || ctl->pending != KMQ_STOPPED)
		ctl->pending = state;
	kmq_control_set_asked(ctl, true);
	pthread_mutex_unlock(&ctl->lock);
}

/* Start and stop calls */

static bool start_call_of(struct kmq_consumers *consumers,
			  struct kmq_callback *call)
{
	struct kmq_consumer *c;

	TAILQ_FOREACH(c, consumers, link) {
		if (c->begun)
			continue;
		c->begun = true;
		if (kmq_callback_wanted(call, &c->routine,
					c->object->item.handle,
					MQCBCT_START_CALL))
			return true;
	}
	return false;
}

static bool start_call(struct kmq_control *ctl, struct kmq_callback *call)
{
	if (!ctl->handler_begun) {
		ctl->handler_begun = true;
		if (kmq_callback_wanted(call, &ctl->handler, MQHO_NONE,
					MQCBCT_START_CALL))
			return true;
	}
	if (start_call_of(&ctl->ready, call) || start_call_of(&ctl->idle, call))
		return true;
	ctl->news = false;
	return false;
}

static bool stop_call_of(struct kmq_consumers *consumers,
			 struct kmq_callback *call)
{
	struct kmq_consumer *c;

	TAILQ_FOREACH(c, consumers, link) {
		if (!c->begun)
			continue;
		c->begun = false;
		if (kmq_callback_wanted(call, &c->routine,
					c->object->item.handle,
					MQCBCT_STOP_CALL))
			return true;
	}
	return false;
}

/* First the consumers, then the event handler and why (A-CBC-9). */
static bool stop_call(struct kmq_control *ctl, struct kmq_callback *call)
{
	ctl->news = true;
	if (stop_call_of(&ctl->ready, call) || stop_call_of(&ctl->idle, call))
		return true;
	if (ctl->failure && kmq_event_call(ctl, ctl->failure, call))
		return true;
	if (!ctl->handler_begun)
		return false;
	ctl->handler_begun = false;
	return kmq_callback_wanted(call, &ctl->handler, MQHO_NONE,
				   MQCBCT_STOP_CALL);
}

/* Events of the connection */

static void end_all(struct kmq_control *ctl, MQLONG reason)
{
	ctl->failure = reason;
	ask(ctl, KMQ_STOPPED);
}

static enum step tell_due(struct kmq_control *ctl, struct kmq_callback *call)
{
	MQLONG reason = kmq_event_take(ctl);

	if (!kmq_event_ends(reason))
		return kmq_event_call(ctl, reason, call) ? STEP_CALL :
							  STEP_AGAIN;
	end_all(ctl, reason);
	return STEP_AGAIN;
}

/* Something was signalled: look at everything anew. */
static void look_around(const struct run *r)
{
	struct kmq_consumer *c, *next;
	uint64_t count;
	ssize_t n;

	/* It was the connection's file if there is nothing. */
	n = read(r->ctl->event_fd, &count, sizeof(count));
	(void)n;
	TAILQ_FOREACH(c, &r->ctl->ready, link)
		c->armed = false;
	for (c = TAILQ_FIRST(&r->ctl->idle); c; c = next) {
		next = TAILQ_NEXT(c, link);
		c->armed = false;
		kmq_consumer_ready(r->ctl, c);
	}
	kmq_event_look(r->ctl, r->conn);
}

/* Sleeping */

/* Milliseconds until the first deadline; those who met theirs are ready. */
static int time_left(struct kmq_control *ctl)
{
	struct kmq_consumer *c, *next;
	uint64_t now = 0, first = 0;
	struct timespec t;

	for (c = TAILQ_FIRST(&ctl->idle); c; c = next) {
		next = TAILQ_NEXT(c, link);
		if (!c->deadline)
			continue;
		if (!now) {
			clock_gettime(CLOCK_MONOTONIC, &t);
			now = t.tv_sec * 1000000000ULL + t.tv_nsec;
		}
		if (c->deadline <= now)
			kmq_consumer_ready(ctl, c);
		else if (!first || c->deadline < first)
			first = c->deadline;
	}
	if (!first)
		return -1;
	now = (first - now + 999999) / 1000000;
	return now > INT32_MAX ? INT32_MAX : (int)now;
}

/* Who has become ready, and whether something was signalled. */
static void take_events(struct run *r, int timeout)
{
	struct epoll_event events[EVENTS];
	bool signalled = false;
	int n, i;

	n = epoll_wait(r->ctl->poll_fd, events, EVENTS, timeout);
	for (i = 0; i < n; i++) {
		if (events[i].data.ptr)
			kmq_consumer_ready(r->ctl, events[i].data.ptr);
		else
			signalled = true;
	}
	if (signalled)
		look_around(r);
}

static unsigned int count_ready(const struct kmq_control *ctl)
{
	const struct kmq_consumer *c;
	unsigned int n = 0;

	TAILQ_FOREACH(c, &ctl->ready, link)
		n++;
	return n;
}

/* One consumer's turn; after a round of all, see who else has become ready. */
static enum step serve(struct run *r, struct kmq_callback *call)
{
	struct kmq_control *ctl = r->ctl;

	if (!r->turns) {
		time_left(ctl);
		take_events(r, 0);
		r->turns = TAILQ_EMPTY(&ctl->idle) ? BUSY_TURNS :
						     count_ready(ctl);
		if (ctl->due)
			return STEP_AGAIN;
	}
	r->turns--;
	if (!kmq_consumer_serve(ctl, r->conn, TAILQ_FIRST(&ctl->ready), call))
		return STEP_AGAIN;
	if (call->comp_code != MQCC_FAILED || !kmq_event_concerns(call->reason))
		return STEP_CALL;
	/* Told once: what the kernel tells of, when it does. */
	if (!kmq_event_is_told(call->reason))
		end_all(ctl, call->reason);
	else if (kmq_event_ends(call->reason))
		r->ending = true;
	return STEP_AGAIN;
}

/* Running */

static bool is_asked(const struct kmq_control *ctl)
{
	return __atomic_load_n(&ctl->asked, __ATOMIC_RELAXED);
}

/* The connection is entered. */
static enum step next_step(struct run *r, struct kmq_callback *call)
{
	struct kmq_control *ctl = r->ctl;

	if (unlikely(ctl->news) && start_call(ctl, call))
		return STEP_CALL;
	if (ctl->due)
		return tell_due(ctl, call);
	if (!TAILQ_EMPTY(&ctl->ready))
		return serve(r, call);
	r->turns = 0;
	if (ctl->waits && !r->ending && !kmq_control_is_active(ctl)) {
		ask(ctl, KMQ_SUSPENDED);
		return STEP_AGAIN;
	}
	return STEP_SLEEP;
}

/*
 * Only the runner changes the lists while consumption is started, so that they
 * may be looked at after a sleep though the connection has been left: others
 * see that it is the runner's, with or without a lock to wait for.
 */
static void sleep_until_news(struct run *r)
{
	int timeout = time_left(r->ctl);

	if (TAILQ_EMPTY(&r->ctl->ready))
		take_events(r, timeout);
}

static void make(const struct run *r, const struct kmq_callback *call)
{
	kmq_callback_make(call, r->hconn, r->ctl->area);
}

/* Who wants to know of the start hears of it, though a stop be asked for. */
static bool run_up(struct run *r)
{
	struct kmq_callback call;
	bool more = true;

	while (more) {
		if (!kmq_conn_reenter(r->conn, r->hconn))
			return false;
		more = r->ctl->news && start_call(r->ctl, &call);
		kmq_conn_leave(r->conn);
		if (more)
			make(r, &call);
	}
	return true;
}

/* Do what there is to do until consumption is to end. */
static bool run_on(struct run *r)
{
	struct kmq_callback call;
	enum step step;

	while (!is_asked(r->ctl)) {
		if (!kmq_conn_reenter(r->conn, r->hconn))
			return false;
		step = next_step(r, &call);
		kmq_conn_leave(r->conn);
		if (step == STEP_SLEEP)
			sleep_until_news(r);
		if (step == STEP_CALL)
			make(r, &call);
	}
	return true;
}

/* The stop calls; a callback may think better of it. */
static bool run_down(struct run *r)
{
	struct kmq_callback call;
	bool more = true;

	while (more) {
		if (!kmq_conn_reenter(r->conn, r->hconn))
			return false;
		more = stop_call(r->ctl, &call);
		kmq_conn_leave(r->conn);
		if (more)
			make(r, &call);
	}
	return true;
}

static MQLONG result_of(const struct kmq_control *ctl)
{
	if (ctl->failure)
		return ctl->failure;
	return ctl->state == KMQ_SUSPENDED ? MQRC_CONNECTION_SUSPENDED :
					     MQRC_NONE;
}

/* True if consumption has ended; false if that was called off. */
static bool finish(struct run *r, PMQLONG reason)
{
	struct kmq_control *ctl = r->ctl;
	struct kmq_conn *c = r->conn;
	bool ended;

	pthread_mutex_lock(&ctl->lock);
	ended = ctl->asked;
	if (ended) {
		ctl->state = ctl->pending;
		kmq_control_set_asked(ctl, false);
		*reason = result_of(ctl);
		ctl->failure = MQRC_NONE;
		ctl->runs++;
		__atomic_store_n(&c->runner, 0, __ATOMIC_RELEASE);
		if (c->sharing == KMQ_SHARE_NONE)
			__atomic_store_n(&c->owner,
					 ctl->disconnect ? 0 : ctl->home,
					 __ATOMIC_RELEASE);
		pthread_cond_broadcast(&ctl->changed);
		/* What is left to be told is for the library's thread. */
		if (ctl->due)
			kmq_control_wake(ctl);
	}
	pthread_mutex_unlock(&ctl->lock);
	return ended;
}

static bool is_to_stop(struct kmq_control *ctl)
{
	bool stop;

	pthread_mutex_lock(&ctl->lock);
	stop = ctl->asked && ctl->pending == KMQ_STOPPED;
	pthread_mutex_unlock(&ctl->lock);
	return stop;
}

/* The MQDISC of a callback, now that this has returned (O-DISC-3). */
static void disconnect(struct run *r)
{
	MQLONG comp_code, reason;

	if (!kmq_conn_reenter(r->conn, r->hconn))
		return;
	if (kmq_control_close(r->conn, r->hconn, &reason))
		kmq_conn_end(r->conn, &comp_code, &reason);
}

/* The event handler on the library's thread ends before anything else runs. */
static void wait_for_handler(struct kmq_control *ctl)
{
	pthread_mutex_lock(&ctl->lock);
	while (ctl->calling && ctl->thread_number != kmq_thread)
		pthread_cond_wait(&ctl->changed, &ctl->lock);
	pthread_mutex_unlock(&ctl->lock);
}

bool kmq_runner_run(struct kmq_conn *conn, MQHCONN hconn, PMQLONG reason)
{
	struct run r = { .conn = conn, .ctl = conn->control, .hconn = hconn };
	bool over;

	*reason = MQRC_HCONN_ERROR;
	wait_for_handler(r.ctl);
	do {
		if (!run_up(&r) || !run_on(&r))
			return false;
		if (is_to_stop(r.ctl) && !run_down(&r))
			return false;
		over = r.ctl->disconnect;
	} while (!finish(&r, reason));
	if (over) {
		*reason = MQRC_NONE;
		disconnect(&r);
	}
	return !over;
}

/* The library's thread */

struct thread_arg {
	struct kmq_conn *conn;
	MQHCONN hconn;
	uint64_t number;
};

void *kmq_runner_thread_arg(struct kmq_conn *conn, MQHCONN hconn,
			    uint64_t number)
{
	struct thread_arg *arg = malloc(sizeof(*arg));

	if (arg)
		*arg = (struct thread_arg){ conn, hconn, number };
	return arg;
}

static bool next_event(struct kmq_control *ctl, struct kmq_callback *call)
{
	while (ctl->due)
		if (kmq_event_call(ctl, kmq_event_take(ctl), call))
			return true;
	return false;
}

/*
 * Nothing is started: tell the event handler about the queue manager. The
 * thread that has the connection may be using it, so nothing of it is entered.
 */
static void tell_handler(struct run *r)
{
	struct kmq_control *ctl = r->ctl;
	struct kmq_callback call;

	pthread_mutex_lock(&ctl->lock);
	if (ctl->state != KMQ_STARTED && !ctl->quit) {
		kmq_event_look(ctl, r->conn);
		ctl->calling = next_event(ctl, &call);
		if (ctl->due)
			kmq_control_wake(ctl);
	}
	if (!ctl->calling) {
		pthread_mutex_unlock(&ctl->lock);
		return;
	}
	pthread_mutex_unlock(&ctl->lock);
	make(r, &call);
	if (!kmq_conn_exists(r->conn, r->hconn))
		return;
	pthread_mutex_lock(&ctl->lock);
	ctl->calling = false;
	pthread_cond_broadcast(&ctl->changed);
	pthread_mutex_unlock(&ctl->lock);
}

enum duty { DUTY_RUN, DUTY_WATCH, DUTY_DISCONNECT, DUTY_QUIT };

static enum duty next_duty(struct kmq_control *ctl, struct kmq_conn *conn)
{
	enum duty duty = DUTY_WATCH;

	pthread_mutex_lock(&ctl->lock);
	if (ctl->state == KMQ_STARTED && conn->runner == kmq_thread)
		duty = DUTY_RUN;
	else if (ctl->quit)
		duty = DUTY_QUIT;
	else if (ctl->disconnect && ctl->state != KMQ_STARTED)
		duty = DUTY_DISCONNECT;
	if (duty == DUTY_QUIT) {
		ctl->thread = false;
		pthread_cond_broadcast(&ctl->changed);
	}
	pthread_mutex_unlock(&ctl->lock);
	return duty;
}

/* While another thread runs callbacks, what comes is for that one. */
static void watch(struct run *r)
{
	struct kmq_control *ctl = r->ctl;
	struct pollfd p[] = {
		{ .fd = ctl->event_fd, .events = POLLIN },
		{ .fd = r->conn->fd, .events = POLLPRI },
	};
	uint64_t runs, count;
	ssize_t n;
	bool mine;

	pthread_mutex_lock(&ctl->lock);
	runs = ctl->runs;
	while (ctl->state == KMQ_STARTED && ctl->runs == runs && !ctl->quit &&
	       r->conn->runner != kmq_thread)
		pthread_cond_wait(&ctl->changed, &ctl->lock);
	mine = ctl->state == KMQ_STARTED || ctl->quit;
	pthread_mutex_unlock(&ctl->lock);
	if (mine || poll(p, 2, -1) < 1)
		return;
	pthread_mutex_lock(&ctl->lock);
	mine = ctl->state != KMQ_STARTED;
	if (mine) {
		/* It was the connection's file if there is nothing. */
		n = read(ctl->event_fd, &count, sizeof(count));
		(void)n;
	}
	pthread_mutex_unlock(&ctl->lock);
	if (mine)
		tell_handler(r);
}

void *kmq_runner_thread(void *data)
{
	struct thread_arg *arg = data;
	struct run r = {
		.conn = arg->conn,
		.ctl = arg->conn->control,
		.hconn = arg->hconn,
	};
	MQLONG reason;

	kmq_thread = arg->number;
	free(arg);
	/* In the child of a fork that a callback made there is nothing left. */
	while (kmq_conn_exists(r.conn, r.hconn)) {
		switch (next_duty(r.ctl, r.conn)) {
		case DUTY_RUN:
			if (!kmq_runner_run(r.conn, r.hconn, &reason))
				return NULL;
			break;
		case DUTY_WATCH:
			watch(&r);
			break;
		case DUTY_DISCONNECT:
			disconnect(&r);
			return NULL;
		case DUTY_QUIT:
			return NULL;
		}
	}
	return NULL;
}
