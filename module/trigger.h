/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_TRIGGER_H
#define KMQ_TRIGGER_H

#include <linux/types.h>
#include "watch.h"

struct kmq_qmgr;
struct kmq_queue;
struct kmq_unit;

u32 kmq_trigger_make(struct kmq_queue *queue, struct kmq_unit *made);
void kmq_trigger_settle(struct kmq_queue *queue, enum kmq_due due, bool made);
u32 kmq_trigger_add(struct kmq_queue *queue, enum kmq_due due,
		    struct kmq_unit *unit);
void kmq_trigger_run(struct kmq_queue *queue, enum kmq_due due);
void kmq_trigger_claimed(struct kmq_queue *queue);
void kmq_trigger_initiation(struct kmq_qmgr *qmgr, const u8 *name);
void kmq_trigger_recheck(struct kmq_queue *queue);
void kmq_trigger_recheck_named(struct kmq_qmgr *qmgr, const u8 *name);

#endif /* KMQ_TRIGGER_H */
