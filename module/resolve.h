/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_RESOLVE_H
#define KMQ_RESOLVE_H

#include <linux/types.h>

struct kmq_qmgr;
struct kmq_queue;

u32 kmq_resolve(struct kmq_queue *named, struct kmq_queue **queue);
struct kmq_queue *kmq_resolve_base_locked(struct kmq_queue *named);
u32 kmq_generation(const struct kmq_queue *named,
		   const struct kmq_queue *queue);

#endif /* KMQ_RESOLVE_H */
