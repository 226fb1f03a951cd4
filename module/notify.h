/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_NOTIFY_H
#define KMQ_NOTIFY_H

#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/workqueue.h>
#include "search.h"
#include "wait.h"

/* kmq_handle.signal_status besides MQEC_* */
#define KMQ_SIGNAL_NONE		0
#define KMQ_SIGNAL_OUTSTANDING	1

struct eventfd_ctx;
struct kmq_handle;

/**
 * struct kmq_signal - a signal asked for with MQGMO_SET_SIGNAL (G-SIG)
 * @waiter: stands at the queue while the signal is outstanding
 * @want: conditions
 * @ids: the identifiers the conditions point to
 * @handle: owner
 * @payer: user on whose account it is; INVALID_UID: he has too many
 * @event: eventfd to post to, or NULL
 * @timer: posts MQEC_WAIT_INTERVAL_EXPIRED
 */
struct kmq_signal {
	struct kmq_waiter waiter;
	struct kmq_search want;
	u8 ids[3][KMQ_ID_LEN];
	struct kmq_handle *handle;
	kuid_t payer;
	struct eventfd_ctx *event;
	struct delayed_work timer;
};

struct kmq_signal *kmq_signal_alloc(struct kmq_handle *handle, int fd);
void kmq_signal_set_locked(struct kmq_signal *signal,
			   const struct kmq_search *want, bool browse,
			   bool fail_if_quiescing, s64 interval_ms);
void kmq_signal_post_locked(struct kmq_signal *signal, u32 code);
void kmq_signal_owns_locked(struct kmq_handle *handle);
void kmq_signal_free(struct kmq_signal *signal);

#endif /* KMQ_NOTIFY_H */
