// SPDX-License-Identifier: MIT
/*
 * The connections of the process, and which thread may use which.
 *
 * @lock guards the table and the list of free ones. It is held for moments
 * only, and never over an ioctl.
 */
#include "conn.h"

#include <stdlib.h>

#include "device.h"
#include "held.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct kmq_conn *first_free, *last_free;

struct kmq_table *kmq_conns = &kmq_table_empty;

static uint64_t last_thread;
__thread uint64_t kmq_thread;
static __thread MQHCONN thread_hconn;

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void in_parent(void)
{
	pthread_mutex_unlock(&lock);
}

/*
 * The child starts without any connection: numbers of its parent are 2018
 * from now on (O-CONN-6). A call may have been running on each of them, so
 * they are left to themselves.
 */
static void in_child(void)
{
	kmq_conns = &kmq_table_empty;
	first_free = NULL;
	last_free = NULL;
	thread_hconn = 0;
	pthread_mutex_unlock(&lock);
}

static void watch_forks(void)
{
	kmq_dev_at_fork(before_fork, in_parent, in_child);
}

/* Another thread that ends it has taken it over, unless its runner has it. */
struct kmq_conn *kmq_conn_of_thread(void)
{
	struct kmq_conn *c = (void *)kmq_table_find(&kmq_conns, thread_hconn);

	if (!c || __atomic_load_n(&c->runner, __ATOMIC_ACQUIRE))
		return c;
	return __atomic_load_n(&c->owner, __ATOMIC_ACQUIRE) == kmq_thread ?
		       c : NULL;
}

static struct kmq_conn *conn_alloc_locked(void)
{
	struct kmq_conn *c = first_free;

	if (c) {
		first_free = c->next;
		if (!first_free)
			last_free = NULL;
		return c;
	}
	c = calloc(1, sizeof(*c));
	if (c)
		pthread_mutex_init(&c->lock, NULL);
	return c;
}

/* The longest free one is used first, when nobody has its number any more. */
static void conn_free_locked(struct kmq_conn *c)
{
	c->next = NULL;
	if (last_free)
		last_free->next = c;
	else
		first_free = c;
	last_free = c;
}

/* Everything a former connection has left, but not the lock. */
static void conn_reset(struct kmq_conn *c)
{
	c->fd = -1;
	c->busy = KMQ_IN_CALL;
	c->runner = 0;
	c->ccsid = 0;
	c->max_batch = 0;
	c->objects = &kmq_table_empty;
	c->ctx_id = 0;
	c->put1_clock = 0;
	c->held = NULL;
	c->holds = false;
	c->lost = false;
	c->shown = false;
	c->unit = 0;
	memset(&c->origin, 0, sizeof(c->origin));
	c->dated = 0;
	memset(&c->clock, 0, sizeof(c->clock));
	memset(&c->stat, 0, sizeof(c->stat));
	memset(c->put1, 0, sizeof(c->put1));
}

uint64_t kmq_thread_new(void)
{
	return __atomic_add_fetch(&last_thread, 1, __ATOMIC_RELAXED);
}

static void set_owner(struct kmq_conn *c, enum kmq_sharing sharing)
{
	if (sharing == KMQ_SHARE_NONE && !kmq_thread)
		kmq_thread = kmq_thread_new();
	__atomic_store_n(&c->sharing, sharing, __ATOMIC_RELAXED);
	__atomic_store_n(&c->owner,
			 sharing == KMQ_SHARE_NONE ? kmq_thread : 0,
			 __ATOMIC_RELAXED);
}

struct kmq_conn *kmq_conn_add(enum kmq_sharing sharing)
{
	struct kmq_conn *c;

	pthread_once(&once, watch_forks);
	pthread_mutex_lock(&lock);
	c = conn_alloc_locked();
	pthread_mutex_unlock(&lock);
	if (!c)
		return NULL;
	if (sharing != KMQ_SHARE_NONE)
		pthread_mutex_lock(&c->lock);
	conn_reset(c);
	set_owner(c, sharing);

	pthread_mutex_lock(&lock);
	if (!kmq_table_add(&kmq_conns, &c->item)) {
		conn_free_locked(c);
		pthread_mutex_unlock(&lock);
		kmq_conn_leave(c);
		return NULL;
	}
	pthread_mutex_unlock(&lock);
	if (sharing == KMQ_SHARE_NONE)
		thread_hconn = c->item.handle;
	return c;
}

void kmq_conn_remove(struct kmq_conn *c)
{
	bool shared = c->sharing != KMQ_SHARE_NONE;

	/* It may be another thread's, and this one have one of its own. */
	if (thread_hconn == c->item.handle)
		thread_hconn = 0;
	pthread_mutex_lock(&lock);
	kmq_table_remove(kmq_conns, &c->item);
	__atomic_store_n(&c->owner, 0, __ATOMIC_RELAXED);
	if (shared)
		pthread_mutex_unlock(&c->lock);
	conn_free_locked(c);
	pthread_mutex_unlock(&lock);
}

bool kmq_conn_exists(const struct kmq_conn *c, MQHCONN hconn)
{
	return (void *)kmq_table_find(&kmq_conns, hconn) == c;
}

bool kmq_conn_reenter(struct kmq_conn *c, MQHCONN hconn)
{
	if (!kmq_conn_exists(c, hconn))
		return false;
	if (c->sharing == KMQ_SHARE_NONE) {
		c->busy = KMQ_IN_CALL;
		kmq_held_flush(c);
		return true;
	}
	pthread_mutex_lock(&c->lock);
	if (likely(c->item.handle == hconn))
		return true;
	pthread_mutex_unlock(&c->lock);
	return false;
}

/* Are its callbacks started, and is this another thread than theirs? */
static bool is_others(const struct kmq_conn *c)
{
	uint64_t runner = __atomic_load_n(&c->runner, __ATOMIC_ACQUIRE);

	return runner && runner != kmq_thread;
}

static struct kmq_conn *enter_shared(struct kmq_conn *c, MQHCONN hconn,
				     uint32_t sharing, PMQLONG reason)
{
	if (unlikely(is_others(c))) {
		*reason = MQRC_HCONN_ASYNC_ACTIVE;
		return NULL;
	}
	if (sharing == KMQ_SHARE_BLOCK) {
		pthread_mutex_lock(&c->lock);
	} else if (pthread_mutex_trylock(&c->lock)) {
		*reason = MQRC_CALL_IN_PROGRESS;
		return NULL;
	}
	/* It may have been disconnected while we waited. */
	if (unlikely(c->item.handle != hconn)) {
		pthread_mutex_unlock(&c->lock);
		*reason = MQRC_HCONN_ERROR;
		return NULL;
	}
	if (unlikely(is_others(c))) {
		pthread_mutex_unlock(&c->lock);
		*reason = MQRC_HCONN_ASYNC_ACTIVE;
		return NULL;
	}
	return c;
}

struct kmq_conn *kmq_conn_enter_other(struct kmq_conn *c, MQHCONN hconn,
				      PMQLONG reason)
{
	uint32_t sharing;

	if (!c) {
		*reason = MQRC_HCONN_ERROR;
		return NULL;
	}
	sharing = __atomic_load_n(&c->sharing, __ATOMIC_RELAXED);
	if (likely(sharing != KMQ_SHARE_NONE))
		return enter_shared(c, hconn, sharing, reason);
	if (is_others(c)) {
		*reason = MQRC_HCONN_ASYNC_ACTIVE;
		return NULL;
	}
	if (!kmq_thread || c->owner != kmq_thread) {
		*reason = MQRC_HCONN_ERROR;
		return NULL;
	}
	/* Its own thread again, in a signal handler. */
	if (c->busy == KMQ_IN_CALL) {
		*reason = MQRC_CALL_IN_PROGRESS;
		return NULL;
	}
	c->busy = KMQ_IN_CALL;
	kmq_held_flush(c);
	return c;
}
