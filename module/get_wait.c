// SPDX-License-Identifier: GPL-2.0
/*
 * MQGET: waiting (get.md section 10).
 *
 * A get that is like the last one of its handle waits as a quick waiter: it has
 * made up nothing but its place at the queue, and as a rule it is woken with its
 * message in hand and only has to copy it out. Should the message turn out to need
 * more, whoever serves it has the whole get made up on its behalf, and it goes on
 * as any get does that waits.
 */
#include <linux/ktime.h>
#include "compat.h"
#include "get.h"
#include "qmgr.h"
#include "queue.h"

/**
 * kmq_get_cancel_reason - why a wait has ended without a message
 * @waiter: waiter in state KMQ_WAIT_CANCELED
 */
u32 kmq_get_cancel_reason(const struct kmq_waiter *waiter)
{
	switch (waiter->cancel) {
	case KMQ_CANCEL_INHIBITED:
		return MQRC_GET_INHIBITED;
	case KMQ_CANCEL_QUIESCING:
		return MQRC_Q_MGR_QUIESCING;
	case KMQ_CANCEL_STOPPING:
		return MQRC_Q_MGR_STOPPING;
	case KMQ_CANCEL_DELETED:
		return MQRC_Q_DELETED;
	case KMQ_CANCEL_CHANGED:
		return MQRC_OBJECT_CHANGED;
	case KMQ_CANCEL_CONN_QUIESCING:
		return MQRC_CONNECTION_QUIESCING;
	default:
		return MQRC_CONNECTION_BROKEN;
	}
}

/* When the wait ends: computed once, so that a repeated call does not extend it. */
static u64 kmq_get_deadline(struct kmq_get *cmd)
{
	if (cmd->wait_interval == MQWI_UNLIMITED)
		return KTIME_MAX;
	if (!cmd->deadline)
		cmd->deadline = ktime_get_ns() +
				(u64)cmd->wait_interval * NSEC_PER_MSEC;
	return min_t(u64, cmd->deadline, KTIME_MAX);
}

/**
 * kmq_get_waiter_set - among whom a get waits
 * @take: what it asks for
 */
enum kmq_waiter_set kmq_get_waiter_set(const struct kmq_take *take)
{
	/* G-WAIT-4: a browse that locks is served like a removing get. */
	return take->remove || take->lock ? KMQ_WAIT_REMOVE : KMQ_WAIT_BROWSE;
}

/* Of kmq_get_wait(), which see; it is part of the wait of a quick waiter. */
static __always_inline int
__kmq_get_wait(struct kmq_handle *handle, struct kmq_get *cmd,
	       struct kmq_waiter *waiter, enum kmq_waiter_set set)
{
	struct kmq_queue *queue = handle->queue;
	u64 deadline = kmq_get_deadline(cmd);
	bool broken;
	int err = 0;

	waiter->handle = handle;
	waiter->task = current;
	waiter->fail_if_quiescing = cmd->options & MQGMO_FAIL_IF_QUIESCING;
	kmq_waiter_add_locked(queue, waiter, set);
	/* Did the connection break just before? */
	broken = !kmq_conn_wait_begin(handle->conn, queue);
	if (unlikely(broken)) {
		kmq_waiter_del_locked(queue, waiter);
		waiter->cancel = KMQ_CANCEL_BROKEN;
		waiter->state = KMQ_WAIT_CANCELED;
	}
	mutex_unlock(&queue->lock);
	if (unlikely(handle->conn->spin))
		kmq_waiter_look_out(waiter, handle->conn->spin);
	if (likely(!broken))
		err = kmq_waiter_sleep(queue, waiter, deadline);
	kmq_conn_wait_end(handle->conn);
	return err;
}

/**
 * kmq_get_wait - wait at the queue
 * @handle: handle; its queue is locked, and is not locked afterwards
 * @cmd: the get
 * @waiter: waiter with its conditions, @take and @quick
 * @set: where it is to stand
 *
 * Return: as kmq_waiter_sleep().
 */
int kmq_get_wait(struct kmq_handle *handle, struct kmq_get *cmd,
		 struct kmq_waiter *waiter, enum kmq_waiter_set set)
{
	return __kmq_get_wait(handle, cmd, waiter, set);
}

/**
 * struct kmq_get_waiting - a get that waits as a quick waiter
 * @again: the get
 * @waiter: its place at the queue
 * @quick: what it can be given
 * @want: its conditions, if there are any
 * @call: the call, as far as it matters before the get is awake
 * @get: the whole get; nothing of it is valid until kmq_get_make_up()
 */
struct kmq_get_waiting {
	struct kmq_get_again *again;
	struct kmq_waiter waiter;
	struct kmq_quick quick;
	struct kmq_search want;
	struct kmq_get_call call;
	struct kmq_getting get;
};

static const struct kmq_search kmq_want_any;

/* Called by who serves the waiter. */
static struct kmq_take *kmq_get_make_up(struct kmq_quick *quick)
{
	struct kmq_get_waiting *waiting =
		container_of(quick, struct kmq_get_waiting, quick);

	waiting->call.cmd = waiting->again->cmds;
	waiting->call.handle = waiting->again->handle;
	/* No marks, and the unit of work has been joined: it cannot fail. */
	WARN_ON_ONCE(kmq_get_prepare(&waiting->get, &waiting->call));
	kmq_get_want(&waiting->get);
	return &waiting->get.take;
}

/* No message came, or one that is not plain. Return: a negative errno, or 0. */
static int kmq_get_awake(struct kmq_get_waiting *waiting, int err)
{
	struct kmq_get_again *again = waiting->again;

	if (err == -ETIMEDOUT)
		return kmq_fail(again->cmds, MQRC_NO_MSG_AVAILABLE);
	if (err)
		return err;
	if (waiting->waiter.state == KMQ_WAIT_CANCELED)
		return kmq_fail(again->cmds,
				kmq_get_cancel_reason(&waiting->waiter));
	waiting->get.call = again->whole(again);
	return kmq_get_complete(&waiting->get);
}

/**
 * kmq_get_wait_again - wait for a message like the last one
 * @again: a get that passed all checks and found nothing; its queue is locked,
 *	and is not locked afterwards
 * @flags: KMQ_WANT_MSG_ID, KMQ_WANT_CORREL_ID: what it asks for
 *
 * Return: a plain message, TAKEN for the get; or NULL: the get is over, its command
 * has the result, or @again->err is its errno.
 */
struct kmq_msg *kmq_get_wait_again(struct kmq_get_again *again, u32 flags)
{
	struct kmq_handle *handle = again->handle;
	struct kmq_get_waiting waiting kmq_uninit;
	struct kmq_get *cmd = again->cmds;
	int err;

	waiting.again = again;
	waiting.waiter.want = &kmq_want_any;
	if (flags) {
		kmq_get_again_want(cmd, flags, &waiting.want);
		waiting.waiter.want = &waiting.want;
	}
	waiting.waiter.take = NULL;
	waiting.waiter.quick = &waiting.quick;
	waiting.quick.room = cmd->length;
	waiting.quick.changes = handle->known_get.changes;
	waiting.quick.part = again->part;
	waiting.quick.prepare = kmq_get_make_up;
	waiting.quick.msg = NULL;
	err = __kmq_get_wait(handle, cmd, &waiting.waiter, KMQ_WAIT_REMOVE);
	if (likely(waiting.quick.msg))
		return waiting.quick.msg;
	again->over = true;
	again->err = kmq_get_awake(&waiting, err);
	kmq_get_after(handle, cmd, again->err);
	return NULL;
}
