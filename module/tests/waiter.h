/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gets that wait at a queue without a task of their own.
 */
#ifndef KMQ_TESTS_WAITER_H
#define KMQ_TESTS_WAITER_H

#include "fixture.h"

/**
 * struct kmq_fix_waiter - a get that waits
 * @waiter: what stands at the queue
 * @get: the get
 * @id: identifier that it asks for
 * @other: another one
 */
struct kmq_fix_waiter {
	struct kmq_waiter waiter;
	struct kmq_fix_get get;
	u8 id[KMQ_ID_LEN];
	u8 other[KMQ_ID_LEN];
};

void kmq_fix_wait(struct kmq_fix_waiter *w, struct kmq_handle *handle,
		  bool remove);
void kmq_fix_stand(struct kmq_fix_waiter *w);
u64 kmq_fix_given(struct kmq_fix_waiter *w);
void kmq_fix_leave(struct kmq_waiter *waiter);

#endif /* KMQ_TESTS_WAITER_H */
