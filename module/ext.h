/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_EXT_H
#define KMQ_EXT_H

#include <linux/types.h>
#include <linux/kmq.h>

struct iov_iter;

int kmq_ext_copy_in(struct kmq_md_ext *ext, u64 from, u32 parts);
int kmq_ext_copy_out(u64 to, const struct kmq_md_ext *ext, u32 parts);
void kmq_data_iter(struct iov_iter *iter, unsigned int direction, u64 address,
		   s32 length);

#endif /* KMQ_EXT_H */
