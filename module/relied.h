/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_RELIED_H
#define KMQ_RELIED_H

#include <linux/types.h>
#include "attrs.h"

int kmq_relied_add_queue(const u8 *name, const struct kmq_queue_attrs *attrs);
bool kmq_relied_same(const struct kmq_queue_attrs *a,
		     const struct kmq_queue_attrs *b);
void kmq_relied_drop_queue(const u8 *name, const struct kmq_queue_attrs *attrs);
int kmq_relied_add_qmgr(const u8 *name, const struct kmq_qmgr_attrs *attrs);
void kmq_relied_drop_qmgr(const u8 *name, const struct kmq_qmgr_attrs *attrs);
bool kmq_name_is_systems(const u8 *name);
bool kmq_name_is_relied(const u8 *name);

#endif /* KMQ_RELIED_H */
