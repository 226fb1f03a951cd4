// SPDX-License-Identifier: MIT
/*
 * MQCTL: starting and stopping the callbacks of a connection (A-CTL).
 *
 * The state table of A-CTL-4 is here three times over, for who may ask: a
 * thread that has entered a connection on which nothing is started; a callback,
 * whose wish is carried out when it returns; any other thread.
 */
#include "control.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "device.h"

KMQ_SECOND_NAME(MQCTL);

static struct kmq_control *control_new(void)
{
	struct kmq_control *ctl = calloc(1, sizeof(*ctl));

	if (!ctl)
		return NULL;
	pthread_mutex_init(&ctl->lock, NULL);
	pthread_cond_init(&ctl->changed, NULL);
	ctl->event_fd = -1;
	ctl->poll_fd = -1;
	TAILQ_INIT(&ctl->ready);
	TAILQ_INIT(&ctl->idle);
	return ctl;
}

static bool watch_fd(const struct kmq_control *ctl, int fd, uint32_t events)
{
	struct epoll_event event = { .events = events };

	return !epoll_ctl(ctl->poll_fd, EPOLL_CTL_ADD, fd, &event);
}

static bool control_open(struct kmq_control *ctl, const struct kmq_conn *c)
{

	if (ctl->poll_fd >= 0)
		return true;
	ctl->event_fd = kmq_dev_eventfd();
	ctl->poll_fd = ctl->event_fd < 0 ? -1 : kmq_dev_epoll();
	if (ctl->poll_fd >= 0 && watch_fd(ctl, ctl->event_fd, EPOLLIN) &&
	    watch_fd(ctl, c->fd, EPOLLPRI))
		return true;
	if (ctl->event_fd >= 0)
		kmq_dev_close(ctl->event_fd);
	if (ctl->poll_fd >= 0)
		kmq_dev_close(ctl->poll_fd);
	ctl->event_fd = -1;
	ctl->poll_fd = -1;
	return false;
}

struct kmq_control *kmq_control_of(struct kmq_conn *c, PMQLONG reason)
{
	*reason = MQRC_STORAGE_NOT_AVAILABLE;
	if (!c->control) {
		struct kmq_control *ctl = control_new();

		/* Others look at it without having entered. */
		__atomic_store_n(&c->control, ctl, __ATOMIC_RELEASE);
		if (!ctl)
			return NULL;
	}
	*reason = MQRC_RESOURCE_PROBLEM;
	if (!control_open(c->control, c))
		return NULL;
	*reason = MQRC_NONE;
	return c->control;
}

static bool is_runner(const struct kmq_conn *c)
{
	return kmq_thread &&
	       __atomic_load_n(&c->runner, __ATOMIC_RELAXED) == kmq_thread;
}

bool kmq_control_is_inside(const struct kmq_conn *c)
{
	return is_runner(c) ||
	       (c->control && kmq_thread && c->control->thread &&
		c->control->thread_number == kmq_thread);
}

bool kmq_control_is_active(const struct kmq_control *ctl)
{
	const struct kmq_consumer *c;

	if (!TAILQ_EMPTY(&ctl->ready))
		return true;
	TAILQ_FOREACH(c, &ctl->idle, link)
		if (kmq_consumer_is_active(c))
			return true;
	return false;
}

void kmq_control_wake(const struct kmq_control *ctl)
{
	uint64_t one = 1;
	ssize_t n;

	/* It cannot be full. */
	n = write(ctl->event_fd, &one, sizeof(one));
	(void)n;
}

/* The library's thread */

/* Signals are for the threads of the program, but a fault has no choice. */
static int thread_create(void *arg)
{
	pthread_attr_t attr;
	sigset_t all, old;
	pthread_t thread;
	int err;

	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGFPE);
	sigdelset(&all, SIGILL);
	sigdelset(&all, SIGTRAP);
	sigdelset(&all, SIGABRT);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&thread, &attr, kmq_runner_thread, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return err;
}

MQLONG kmq_control_thread(struct kmq_conn *c)
{
	struct kmq_control *ctl = c->control;
	void *arg;

	if (ctl->thread)
		return MQRC_NONE;
	ctl->thread_number = kmq_thread_new();
	arg = kmq_runner_thread_arg(c, c->item.handle, ctl->thread_number);
	if (!arg)
		return MQRC_STORAGE_NOT_AVAILABLE;
	ctl->quit = false;
	ctl->thread = true;
	if (!thread_create(arg))
		return MQRC_NONE;
	ctl->thread = false;
	free(arg);
	return MQRC_RESOURCE_PROBLEM;
}

/* Starting */

/*
 * Give the connection to a runner, and leave it. @then: with what it is to
 * begin, KMQ_STARTED for nothing special.
 */
static void launch(struct kmq_conn *c, uint64_t runner, bool waits,
		   enum kmq_consumption then)
{
	struct kmq_control *ctl = c->control;
	bool shared = c->sharing != KMQ_SHARE_NONE;
	struct kmq_consumer *consumer, *next;

	for (consumer = TAILQ_FIRST(&ctl->idle); consumer; consumer = next) {
		next = TAILQ_NEXT(consumer, link);
		kmq_consumer_ready(ctl, consumer);
	}
	pthread_mutex_lock(&ctl->lock);
	ctl->state = KMQ_STARTED;
	ctl->news &= then == KMQ_STARTED;
	kmq_control_set_asked(ctl, then != KMQ_STARTED);
	ctl->pending = then;
	ctl->waits = waits;
	ctl->home = __atomic_load_n(&c->owner, __ATOMIC_RELAXED);
	__atomic_store_n(&c->runner, runner, __ATOMIC_RELEASE);
	if (!shared) {
		c->busy = KMQ_IDLE;
		__atomic_store_n(&c->owner, runner, __ATOMIC_RELEASE);
	}
	pthread_cond_broadcast(&ctl->changed);
	pthread_mutex_unlock(&ctl->lock);
	if (shared)
		kmq_conn_leave(c);
	kmq_control_wake(ctl);
}

/* Run here: START_WAIT, or what is left to do when there is no other thread. */
static MQLONG run_here(struct kmq_conn *c, bool waits,
		       enum kmq_consumption then)
{
	MQHCONN hconn = c->item.handle;
	MQLONG reason;

	if (!kmq_thread)
		kmq_thread = kmq_thread_new();
	launch(c, kmq_thread, waits, then);
	kmq_runner_run(c, hconn, &reason);
	return reason;
}

/* Wait until consumption that is running now has ended. */
static void wait_for_end_locked(struct kmq_control *ctl)
{
	uint64_t runs = ctl->runs;

	while (ctl->runs == runs && ctl->state == KMQ_STARTED)
		pthread_cond_wait(&ctl->changed, &ctl->lock);
}

static void ask_locked(struct kmq_control *ctl, enum kmq_consumption state)
{
	if (!ctl->asked || ctl->pending != KMQ_STOPPED)
		ctl->pending = state;
	kmq_control_set_asked(ctl, true);
	kmq_control_wake(ctl);
}

/* STOP when suspended: the stop calls are made where the others were. */
static MQLONG stop_suspended(struct kmq_conn *c)
{
	struct kmq_control *ctl = c->control;

	if (!ctl->thread || ctl->thread_number == kmq_thread)
		return run_here(c, false, KMQ_STOPPED);
	launch(c, ctl->thread_number, false, KMQ_STOPPED);
	pthread_mutex_lock(&ctl->lock);
	wait_for_end_locked(ctl);
	pthread_mutex_unlock(&ctl->lock);
	return MQRC_NONE;
}

/* The cases of MQCTL */

static bool any_callback(const struct kmq_control *ctl)
{
	return kmq_control_is_active(ctl) ||
	       (ctl->handler.function && !ctl->handler_suspended);
}

static MQLONG go(struct kmq_conn *c)
{
	MQLONG reason = kmq_control_thread(c);

	if (!reason)
		launch(c, c->control->thread_number, false, KMQ_STARTED);
	return reason;
}

/* What forbids an operation where nothing is started. */
static MQLONG idle_check(struct kmq_conn *c, MQLONG op, const MQCTLO *ctlo)
{
	enum kmq_consumption state = c->control->state;
	bool starts = op == MQOP_START || op == MQOP_START_WAIT;
	MQLONG reason = MQRC_NONE;

	if (starts && state == KMQ_SUSPENDED)
		return MQRC_OPERATION_NOT_ALLOWED;
	if ((op == MQOP_SUSPEND || op == MQOP_RESUME) && state == KMQ_STOPPED)
		return MQRC_OPERATION_NOT_ALLOWED;
	if (op == MQOP_START_WAIT && kmq_control_is_inside(c))
		return MQRC_OPERATION_NOT_ALLOWED;
	if (starts && !any_callback(c->control))
		return MQRC_NO_CALLBACKS_ACTIVE;
	if (ctlo && (ctlo->Options & MQCTLO_FAIL_IF_QUIESCING) &&
	    (starts || op == MQOP_RESUME))
		reason = kmq_conn_quiescing(c);
	return reason;
}

/* Nothing is started. *@left: the connection has been left. */
static MQLONG operate_idle(struct kmq_conn *c, MQLONG op, const MQCTLO *ctlo,
			   bool *left)
{
	struct kmq_control *ctl = c->control;
	MQLONG reason = idle_check(c, op, ctlo);

	if (reason)
		return reason;
	if (op == MQOP_START || op == MQOP_START_WAIT)
		ctl->area = ctlo ? ctlo->ConnectionArea : NULL;
	*left = true;
	switch (op) {
	case MQOP_START_WAIT:
		return run_here(c, true, KMQ_STARTED);
	case MQOP_START:
	case MQOP_RESUME:
		reason = go(c);
		*left = !reason;
		return reason;
	case MQOP_STOP:
		if (ctl->state == KMQ_SUSPENDED)
			return stop_suspended(c);
	}
	*left = false;
	return MQRC_NONE;
}

/* In a callback of a connection that is started. */
static MQLONG operate_inside(struct kmq_control *ctl, MQLONG op)
{
	enum kmq_consumption state;
	MQLONG reason = MQRC_NONE;

	pthread_mutex_lock(&ctl->lock);
	state = ctl->asked ? ctl->pending : KMQ_STARTED;
	if (op == MQOP_START_WAIT || ctl->disconnect ||
	    (op == MQOP_START && state == KMQ_SUSPENDED) ||
	    ((op == MQOP_SUSPEND || op == MQOP_RESUME) &&
	     state == KMQ_STOPPED))
		reason = MQRC_OPERATION_NOT_ALLOWED;
	else if (op == MQOP_STOP || op == MQOP_SUSPEND)
		ask_locked(ctl, op == MQOP_STOP ? KMQ_STOPPED : KMQ_SUSPENDED);
	else
		kmq_control_set_asked(ctl, false);
	pthread_mutex_unlock(&ctl->lock);
	return reason;
}

/* On another thread than that of the callbacks. */
static MQLONG operate_outside(struct kmq_conn *c, MQHCONN hconn, MQLONG op)
{
	struct kmq_control *ctl = __atomic_load_n(&c->control,
						  __ATOMIC_ACQUIRE);
	MQLONG reason = MQRC_NONE;

	pthread_mutex_lock(&ctl->lock);
	if (!kmq_conn_exists(c, hconn))
		reason = MQRC_HCONN_ERROR;
	else if (op == MQOP_START_WAIT)
		reason = MQRC_OPERATION_NOT_ALLOWED;
	else if (ctl->state == KMQ_STARTED &&
		 (op == MQOP_STOP || op == MQOP_SUSPEND)) {
		ask_locked(ctl, op == MQOP_STOP ? KMQ_STOPPED : KMQ_SUSPENDED);
		wait_for_end_locked(ctl);
	}
	pthread_mutex_unlock(&ctl->lock);
	return reason;
}

static MQLONG operate(MQHCONN hconn, MQLONG op, const MQCTLO *ctlo)
{
	struct kmq_conn *c;
	bool left = false;
	MQLONG reason;

	c = kmq_conn_enter(hconn, &reason);
	if (!c && reason == MQRC_HCONN_ASYNC_ACTIVE) {
		c = (void *)kmq_table_find(&kmq_conns, hconn);
		return c ? operate_outside(c, hconn, op) : MQRC_HCONN_ERROR;
	}
	if (!c)
		return reason;
	if (kmq_control_of(c, &reason)) {
		if (is_runner(c))
			reason = operate_inside(c->control, op);
		else
			reason = operate_idle(c, op, ctlo, &left);
	}
	if (!left)
		kmq_conn_leave(c);
	return reason;
}

static MQLONG check(MQLONG op, const MQCTLO *ctlo)
{
	switch (op) {
	case MQOP_START:
	case MQOP_START_WAIT:
	case MQOP_STOP:
	case MQOP_SUSPEND:
	case MQOP_RESUME:
		break;
	default:
		return MQRC_OPERATION_ERROR;
	}
	if (!ctlo)
		return MQRC_NONE;
	if (!kmq_version_of(ctlo, MQCTLO_STRUC_ID, MQCTLO_VERSION_1))
		return MQRC_CTLO_ERROR;
	return ctlo->Options & ~(MQCTLO_THREAD_AFFINITY |
				 MQCTLO_FAIL_IF_QUIESCING) ?
		       MQRC_OPTIONS_ERROR : MQRC_NONE;
}

KMQ_API void MQENTRY MQCTL(MQHCONN Hconn, MQLONG Operation,
			   PMQVOID pControlOpts, PMQLONG pCompCode,
			   PMQLONG pReason)
{
	MQLONG reason = MQRC_HCONN_ERROR;

	if (kmq_table_find(&kmq_conns, Hconn))
		reason = check(Operation, pControlOpts);
	if (!reason)
		reason = operate(Hconn, Operation, pControlOpts);
	if (!reason)
		kmq_result(pCompCode, pReason, MQCC_OK, MQRC_NONE);
	else if (reason == MQRC_CONNECTION_SUSPENDED)
		kmq_result(pCompCode, pReason, MQCC_WARNING, reason);
	else
		kmq_fail(pCompCode, pReason, reason);
}

/* MQDISC */

struct kmq_conn *kmq_control_halt(MQHCONN hconn, PMQLONG reason)
{
	struct kmq_conn *c = (void *)kmq_table_find(&kmq_conns, hconn);
	struct kmq_control *ctl;

	*reason = MQRC_HCONN_ERROR;
	if (!c)
		return NULL;
	if (!kmq_thread)
		kmq_thread = kmq_thread_new();
	ctl = __atomic_load_n(&c->control, __ATOMIC_ACQUIRE);
	pthread_mutex_lock(&ctl->lock);
	if (!kmq_conn_exists(c, hconn)) {
		pthread_mutex_unlock(&ctl->lock);
		return NULL;
	}
	if (ctl->state == KMQ_STARTED) {
		/* A connection that is not shared is ours from then on. */
		if (c->sharing == KMQ_SHARE_NONE)
			ctl->home = kmq_thread;
		ask_locked(ctl, KMQ_STOPPED);
		wait_for_end_locked(ctl);
	}
	pthread_mutex_unlock(&ctl->lock);
	return kmq_conn_enter(hconn, reason);
}

/* The next consumer gone; true if its DEREGISTER_CALL is to be made. */
static bool deregister_one(struct kmq_control *ctl, struct kmq_callback *call)
{
	struct kmq_consumer *c;

	for (;;) {
		c = TAILQ_FIRST(&ctl->ready);
		if (!c)
			c = TAILQ_FIRST(&ctl->idle);
		if (!c)
			break;
		kmq_consumer_free(ctl, c, call);
		if (call->routine.function)
			return true;
	}
	kmq_callback_wanted(call, &ctl->handler, MQHO_NONE,
			    MQCBCT_DEREGISTER_CALL);
	pthread_mutex_lock(&ctl->lock);
	ctl->handler.function = NULL;
	pthread_mutex_unlock(&ctl->lock);
	return call->routine.function;
}

/* The connection has been left: the event handler may be waiting for it. */
static void end_thread(struct kmq_control *ctl)
{
	pthread_mutex_lock(&ctl->lock);
	if (ctl->thread && ctl->thread_number == kmq_thread)
		ctl->thread = false;
	ctl->quit = true;
	pthread_cond_broadcast(&ctl->changed);
	kmq_control_wake(ctl);
	while (ctl->thread)
		pthread_cond_wait(&ctl->changed, &ctl->lock);
	pthread_mutex_unlock(&ctl->lock);
}

/* Ready for another connection. */
static void reset(struct kmq_control *ctl)
{
	if (ctl->poll_fd >= 0) {
		kmq_dev_close(ctl->poll_fd);
		kmq_dev_close(ctl->event_fd);
	}
	free(ctl->buffer);
	pthread_mutex_lock(&ctl->lock);
	ctl->poll_fd = -1;
	ctl->event_fd = -1;
	ctl->buffer = NULL;
	ctl->size = 0;
	ctl->state = KMQ_STOPPED;
	kmq_control_set_asked(ctl, false);
	ctl->disconnect = false;
	ctl->quit = false;
	ctl->told = 0;
	ctl->due = 0;
	ctl->failure = MQRC_NONE;
	ctl->news = false;
	ctl->handler_suspended = false;
	ctl->handler_begun = false;
	ctl->area = NULL;
	pthread_mutex_unlock(&ctl->lock);
}

bool kmq_control_close(struct kmq_conn *c, MQHCONN hconn, PMQLONG reason)
{
	struct kmq_control *ctl = c->control;
	struct kmq_callback call;

	*reason = MQRC_HCONN_ERROR;
	if (ctl->poll_fd < 0)
		return true;
	while (deregister_one(ctl, &call)) {
		kmq_conn_leave(c);
		kmq_callback_make(&call, hconn, ctl->area);
		if (!kmq_conn_reenter(c, hconn))
			return false;
	}
	kmq_conn_leave(c);
	end_thread(ctl);
	if (!kmq_conn_reenter(c, hconn))
		return false;
	reset(ctl);
	return true;
}

bool kmq_control_end(struct kmq_conn *c, MQHCONN hconn, PMQLONG reason)
{
	struct kmq_control *ctl = c->control;

	if (!ctl || ctl->poll_fd < 0)
		return true;
	if (kmq_control_is_inside(c)) {
		pthread_mutex_lock(&ctl->lock);
		ctl->disconnect = true;
		if (ctl->state == KMQ_STARTED)
			ask_locked(ctl, KMQ_STOPPED);
		pthread_mutex_unlock(&ctl->lock);
		kmq_conn_leave(c);
		*reason = MQRC_NONE;
		return false;
	}
	if (ctl->state == KMQ_SUSPENDED) {
		stop_suspended(c);
		if (!kmq_conn_reenter(c, hconn)) {
			*reason = MQRC_HCONN_ERROR;
			return false;
		}
	}
	return kmq_control_close(c, hconn, reason);
}
