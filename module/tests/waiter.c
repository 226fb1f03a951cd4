// SPDX-License-Identifier: GPL-2.0
/*
 * Gets that wait at a queue without a task of their own.
 */
#include "waiter.h"

/**
 * kmq_fix_wait - make up a get that will wait
 * @w: the waiter
 * @handle: handle
 * @remove: it takes the message, else it browses
 */
void kmq_fix_wait(struct kmq_fix_waiter *w, struct kmq_handle *handle,
		  bool remove)
{
	memset(w, 0, sizeof(*w));
	kmq_fix_get_init(&w->get, handle, remove);
	w->waiter.want = &w->get.take.want;
	w->waiter.handle = handle;
	w->waiter.take = &w->get.take;
	w->waiter.task = current;
}

/**
 * kmq_fix_stand - let it wait
 * @w: the waiter
 */
void kmq_fix_stand(struct kmq_fix_waiter *w)
{
	struct kmq_queue *queue = w->waiter.handle->queue;

	mutex_lock(&queue->lock);
	kmq_waiter_add_locked(queue, &w->waiter, w->get.take.remove ?
			      KMQ_WAIT_REMOVE : KMQ_WAIT_BROWSE);
	mutex_unlock(&queue->lock);
}

/**
 * kmq_fix_given - what it was given
 * @w: the waiter
 *
 * Return: the number of the message, 0 if it still waits.
 */
u64 kmq_fix_given(struct kmq_fix_waiter *w)
{
	u64 number;

	if (w->waiter.state != KMQ_WAIT_SERVED)
		return 0;
	number = kmq_fix_number(w->get.take.msgs[0]->md.msg_id);
	kmq_take_finish(&w->get.take, true);
	return number;
}

/**
 * kmq_fix_leave - end a wait, if it has not ended
 * @waiter: what stands at the queue
 */
void kmq_fix_leave(struct kmq_waiter *waiter)
{
	struct kmq_queue *queue = waiter->handle->queue;

	mutex_lock(&queue->lock);
	if (waiter->state == KMQ_WAITING)
		kmq_waiter_del_locked(queue, waiter);
	mutex_unlock(&queue->lock);
}
