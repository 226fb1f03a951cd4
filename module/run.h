/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_RUN_H
#define KMQ_RUN_H

#include <linux/types.h>

struct kmq_msg;
struct kmq_queue;

void kmq_run_admit_locked(struct kmq_queue *queue, struct kmq_msg **msgs,
			  u32 count, int priority, bool pending);
void kmq_run_take_locked(struct kmq_queue *queue, struct kmq_msg **msgs,
			 u32 count, bool syncpoint);

#endif /* KMQ_RUN_H */
