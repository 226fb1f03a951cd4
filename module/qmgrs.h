/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_QMGRS_H
#define KMQ_QMGRS_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct kmq_qmgr;

struct kmq_qmgr *kmq_qmgrs_get(const u8 *name);
int kmq_qmgrs_for_each(int (*visit)(struct kmq_qmgr *qmgr, void *arg),
		       void *arg);
u32 kmq_qmgrs_create(const u8 *name, kgid_t gid);
u32 kmq_qmgrs_delete(const u8 *name);
void kmq_qmgrs_delete_all(void);

#endif /* KMQ_QMGRS_H */
