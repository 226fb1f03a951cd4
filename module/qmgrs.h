/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_QMGRS_H
#define KMQ_QMGRS_H

#include <linux/types.h>

u32 kmq_qmgrs_create(const u8 *name);
u32 kmq_qmgrs_delete(const u8 *name);
void kmq_qmgrs_delete_all(void);

#endif /* KMQ_QMGRS_H */
