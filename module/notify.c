// SPDX-License-Identifier: GPL-2.0
/*
 * Signals: a get that does not wait but wants to be told (G-SIG).
 */
#include <linux/eventfd.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include "account.h"
#include "compat.h"
#include "handle.h"
#include "queue.h"
#include "notify.h"

static void kmq_signal_expired(struct work_struct *work)
{
	struct kmq_signal *signal = container_of(to_delayed_work(work),
						 struct kmq_signal, timer);
	struct kmq_queue *queue = signal->handle->queue;

	kmq_queue_lock_beside(queue);
	if (signal->handle->signal == signal &&
	    signal->handle->signal_status == KMQ_SIGNAL_OUTSTANDING)
		kmq_signal_post_locked(signal, MQEC_WAIT_INTERVAL_EXPIRED);
	mutex_unlock(&queue->lock);
}

/* Return: 0, also if there are too many; -ENOMEM. */
static int kmq_signal_charge(struct kmq_signal *signal)
{
	kuid_t caller = kmq_account_caller();
	int err = kmq_account_charge(caller, KMQ_CHARGE_SIGNAL);

	signal->payer = err ? INVALID_UID : caller;
	return err == -EDQUOT ? 0 : err;
}

/**
 * kmq_signal_alloc - get what a signal needs, before any lock is taken
 * @handle: handle it belongs to
 * @fd: eventfd to post to, 0: the handle's own file becomes readable
 *
 * It is on the caller's account until kmq_signal_free(), see kmq_signal.payer. He
 * who has too many is told so only if no message is there for him.
 *
 * Return: the signal, ERR_PTR(-EBADF) if @fd is no eventfd, ERR_PTR(-ENOMEM).
 */
struct kmq_signal *kmq_signal_alloc(struct kmq_handle *handle, int fd)
{
	struct kmq_signal *signal = kzalloc(sizeof(*signal),
					    GFP_KERNEL_ACCOUNT);
	int err;

	if (!signal)
		return ERR_PTR(-ENOMEM);
	signal->handle = handle;
	signal->payer = INVALID_UID;
	INIT_DELAYED_WORK(&signal->timer, kmq_signal_expired);
	if (fd) {
		signal->event = fd < 0 ? ERR_PTR(-EBADF) :
					 eventfd_ctx_fdget(fd);
		if (IS_ERR(signal->event)) {
			kfree(signal);
			return ERR_PTR(-EBADF);
		}
	}
	err = kmq_signal_charge(signal);
	if (err) {
		kmq_signal_free(signal);
		return ERR_PTR(err);
	}
	return signal;
}

static const u8 *kmq_signal_keep_id(struct kmq_signal *signal, int n,
				    const u8 *id)
{
	if (!id)
		return NULL;
	memcpy(signal->ids[n], id, KMQ_ID_LEN);
	return signal->ids[n];
}

/**
 * kmq_signal_set_locked - make a signal outstanding
 * @signal: signal of a handle that has no outstanding one
 * @want: what is waited for; copied
 * @browse: the get browses
 * @fail_if_quiescing: the get said so
 * @interval_ms: time until it expires, 0: never (G-SIG-8)
 */
void kmq_signal_set_locked(struct kmq_signal *signal,
			   const struct kmq_search *want, bool browse,
			   bool fail_if_quiescing, s64 interval_ms)
{
	struct kmq_handle *handle = signal->handle;

	lockdep_assert_held(&handle->queue->lock);
	signal->want = *want;
	signal->want.msg_id = kmq_signal_keep_id(signal, 0, want->msg_id);
	signal->want.correl_id = kmq_signal_keep_id(signal, 1, want->correl_id);
	signal->want.group_id = kmq_signal_keep_id(signal, 2, want->group_id);
	signal->waiter.want = &signal->want;
	signal->waiter.handle = handle;
	signal->waiter.fail_if_quiescing = fail_if_quiescing;
	handle->signal = signal;
	handle->signal_status = KMQ_SIGNAL_OUTSTANDING;
	kmq_waiter_add_locked(handle->queue, &signal->waiter,
			      browse ? KMQ_SIGNAL_BROWSE : KMQ_SIGNAL_REMOVE);
	/* Never before the interval: a jiffy more than it takes. */
	if (interval_ms > 0)
		schedule_delayed_work(&signal->timer,
				      msecs_to_jiffies(interval_ms) + 1);
}

/**
 * kmq_signal_post_locked - post an outstanding signal, once
 * @signal: the signal
 * @code: MQEC_*
 */
void kmq_signal_post_locked(struct kmq_signal *signal, u32 code)
{
	struct kmq_queue *queue = signal->handle->queue;

	lockdep_assert_held(&queue->lock);
	kmq_waiter_del_locked(queue, &signal->waiter);
	signal->handle->signal_status = code;
	cancel_delayed_work(&signal->timer);
	if (signal->event)
		kmq_eventfd_signal(signal->event);
	else
		wake_up_interruptible_poll(&queue->poll,
					   EPOLLIN | EPOLLRDNORM);
}

/**
 * kmq_signal_owns_locked - a handle has locked a message, which its signal sees
 * @handle: handle; its queue is locked
 */
void kmq_signal_owns_locked(struct kmq_handle *handle)
{
	if (handle->signal && handle->signal_status == KMQ_SIGNAL_OUTSTANDING)
		kmq_waiter_owns_locked(handle->queue, &handle->signal->waiter);
}

/**
 * kmq_signal_free - free a signal that is not outstanding
 * @signal: signal that its handle does not point to any more; no lock held
 */
void kmq_signal_free(struct kmq_signal *signal)
{
	cancel_delayed_work_sync(&signal->timer);
	kmq_account_uncharge(signal->payer, KMQ_CHARGE_SIGNAL);
	if (signal->event)
		eventfd_ctx_put(signal->event);
	kfree(signal);
}
