/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_DYNAMIC_H
#define KMQ_DYNAMIC_H

#include <linux/types.h>

struct kmq_handle;
struct kmq_open_call;
struct kmq_queue;

bool kmq_dynamic_name_valid(const u8 *pattern);
u32 kmq_dynamic_create(struct kmq_open_call *call, struct kmq_queue **queue);
void kmq_dynamic_abandon(struct kmq_queue *queue);
void kmq_dynamic_own(struct kmq_handle *handle);
u32 kmq_dynamic_close(struct kmq_handle *handle, u32 options);

#endif /* KMQ_DYNAMIC_H */
