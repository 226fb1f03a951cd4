// SPDX-License-Identifier: GPL-2.0
/*
 * Cancelling: waits and signals that end without a message (G-WAIT-11, G-SIG-3).
 */
#include <linux/poll.h>
#include <linux/sched.h>
#include "handle.h"
#include "notify.h"
#include "queue.h"
#include "wait.h"

static bool kmq_cancel_concerns(const struct kmq_waiter *waiter,
				const struct kmq_queue *named,
				const void *conn, enum kmq_cancel why)
{
	const struct kmq_handle *handle = waiter->handle;

	if (named && handle->named != named)
		return false;
	if (conn && handle->conn != conn)
		return false;
	/* The signals of a connection that breaks end with its handles. */
	if (!waiter->task && why == KMQ_CANCEL_BROKEN)
		return false;
	return (why != KMQ_CANCEL_QUIESCING &&
		why != KMQ_CANCEL_CONN_QUIESCING) || waiter->fail_if_quiescing;
}

/* G-SIG-3 */
static u32 kmq_cancel_code(enum kmq_cancel why)
{
	switch (why) {
	case KMQ_CANCEL_QUIESCING:
		return MQEC_Q_MGR_QUIESCING;
	case KMQ_CANCEL_CONN_QUIESCING:
		return MQEC_CONNECTION_QUIESCING;
	default:
		return MQEC_WAIT_CANCELED;
	}
}

static void kmq_waiter_cancel(struct kmq_queue *queue,
			      struct kmq_waiter *waiter, enum kmq_cancel why)
{
	if (waiter->task) {
		waiter->cancel = why;
		kmq_waiter_wake_locked(queue, waiter, KMQ_WAIT_CANCELED);
		return;
	}
	kmq_signal_post_locked(container_of(waiter, struct kmq_signal, waiter),
			       kmq_cancel_code(why));
}

static void kmq_file_cancel(struct kmq_queue *queue, struct kmq_file *file,
			    const struct kmq_queue *named, const void *conn,
			    enum kmq_cancel why)
{
	struct kmq_waiter *waiter = kmq_file_first(file), *next;

	for (; waiter; waiter = next) {
		next = kmq_file_behind(file, waiter);
		if (kmq_cancel_concerns(waiter, named, conn, why))
			kmq_waiter_cancel(queue, waiter, why);
		cond_resched();
	}
}

static void kmq_waiters_cancel_some(struct kmq_queue *queue,
				    const struct kmq_queue *named,
				    const void *conn, enum kmq_cancel why)
{
	int set;

	for (set = 0; set < KMQ_WAITER_SETS; set++) {
		struct kmq_waiter_index *index = &queue->waiters.set[set];
		struct kmq_waiter *waiter, *next;

		kmq_file_cancel(queue, &index->specific, named, conn, why);
		kmq_file_cancel(queue, &index->general, named, conn, why);
		list_for_each_entry_safe(waiter, next, &index->any, link) {
			if (kmq_cancel_concerns(waiter, named, conn, why))
				kmq_waiter_cancel(queue, waiter, why);
			cond_resched();
		}
	}
}

/**
 * kmq_waiters_cancel_locked - cancel the waits and signals at a queue
 * @queue: the queue, locked
 * @why: reason; KMQ_CANCEL_QUIESCING concerns those that asked for it only
 */
void kmq_waiters_cancel_locked(struct kmq_queue *queue, enum kmq_cancel why)
{
	lockdep_assert_held(&queue->lock);
	kmq_waiters_cancel_some(queue, NULL, NULL, why);
	wake_up_all(&queue->poll);
}

/**
 * kmq_waiters_cancel_named_locked - cancel the waits and signals of handles that
 *	were opened through a certain definition
 * @queue: the queue, locked
 * @named: alias of it
 * @why: reason
 */
void kmq_waiters_cancel_named_locked(struct kmq_queue *queue,
				     const struct kmq_queue *named,
				     enum kmq_cancel why)
{
	lockdep_assert_held(&queue->lock);
	kmq_waiters_cancel_some(queue, named, NULL, why);
	wake_up_all(&queue->poll);
}

/**
 * kmq_waiters_cancel_conn_locked - cancel the waits of one connection, and its
 *	signals unless it breaks
 * @queue: the queue, locked
 * @conn: the connection
 * @why: reason
 */
void kmq_waiters_cancel_conn_locked(struct kmq_queue *queue, const void *conn,
				    enum kmq_cancel why)
{
	lockdep_assert_held(&queue->lock);
	kmq_waiters_cancel_some(queue, NULL, conn, why);
}
