/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_MARK_H
#define KMQ_MARK_H

#include <linux/list.h>
#include <linux/types.h>
#include "msg.h"

struct kmq_handle;
struct kmq_queue;

/**
 * struct kmq_mark - a browse mark on a message (G-MRK)
 * @node: in kmq_msg.marks
 * @link: in kmq_handle.marks, or for a co-operative mark in kmq_queue.co_op_marks
 *	in the order of time
 * @handle: handle it belongs to, NULL: the co-operating handles of the queue
 * @msg: marked message, which is on the queue
 * @time: CLOCK_MONOTONIC of marking, ns
 */
struct kmq_mark {
	struct hlist_node node;
	struct list_head link;
	struct kmq_handle *handle;
	struct kmq_msg *msg;
	u64 time;
};

struct kmq_mark *kmq_mark_alloc(void);
struct kmq_mark *kmq_mark_find(const struct kmq_msg *msg,
			       const struct kmq_handle *handle);
void kmq_mark_add(struct kmq_queue *queue, struct kmq_mark *mark,
		  struct kmq_msg *msg, struct kmq_handle *handle);
void kmq_mark_del(struct kmq_queue *queue, struct kmq_mark *mark);
void kmq_marks_drop(struct kmq_queue *queue, struct kmq_msg *msg);
bool kmq_marks_drop_some(struct kmq_queue *queue, struct list_head *marks);
u64 kmq_mark_skip(struct kmq_handle *handle, u64 from);

#endif /* KMQ_MARK_H */
