/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_OWN_H
#define KMQ_OWN_H

#include <linux/types.h>

struct kmq_handle;
struct kmq_msg;
struct kmq_queue;
struct kmq_search;
struct kmq_take;

/**
 * DOC: Own messages
 *
 * What only one getter may see, the messages its handle has locked and those its
 * unit of work has put, lies outside the store. For the time of a choice, under
 * the lock of the queue, these are shown, that is put into the store, and hidden
 * again. Nobody else is asked about them meanwhile.
 */

bool kmq_own_any(const struct kmq_take *take);
void kmq_own_show(struct kmq_queue *queue, struct kmq_take *take, u64 now);
void kmq_own_hide(struct kmq_queue *queue, struct kmq_take *take);
struct kmq_msg *kmq_own_peek_locked(struct kmq_queue *queue,
				    struct kmq_handle *handle,
				    const struct kmq_search *want);

#endif /* KMQ_OWN_H */
