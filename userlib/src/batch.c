// SPDX-License-Identifier: MIT
/*
 * What batches of puts and of gets have in common.
 */
#include "batch.h"
#include "device.h"

uint32_t kmq_batch_size(struct kmq_conn *c)
{
	struct kmq_info info = { .size = sizeof(info) };

	if (!c->max_batch) {
		c->max_batch = 1;
		if (!kmq_ioctl(c->fd, KMQ_IOC_INFO, &info) &&
		    info.out_max_batch > 1)
			c->max_batch = info.out_max_batch;
	}
	return c->max_batch < KMQ_PIECE ? c->max_batch : KMQ_PIECE;
}

uint32_t kmq_batch_run(struct kmq_batch *b, unsigned long cmd, void *entries,
		       uint32_t count, uint32_t stride, int *err)
{
	struct kmq_vec vec = {
		.size = sizeof(vec),
		.count = count,
		.stride = stride,
		.entries = (uintptr_t)entries,
	};

	*err = kmq_ioctl(b->object->fd, cmd, &vec);
	return *err ? 1 : vec.out_done;
}
