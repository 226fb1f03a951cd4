/* SPDX-License-Identifier: MIT */
/*
 * Several puts or gets in one system call.
 *
 * Items are taken in pieces that fit on the stack. One that a batch cannot do,
 * because the library has a part in its checks, goes by itself. One that is like
 * the item before it is compared with that, not taken apart again, and of what
 * comes back only what differs from message to message is looked at.
 */
#ifndef KMQ_BATCH_H
#define KMQ_BATCH_H

#include <kmq.h>
#include "conn.h"
#include "internal.h"
#include "object.h"

/* Items of a piece. */
#define KMQ_PIECE	32

/**
 * struct kmq_batch - a batched call that is going on
 * @conn: connection
 * @object: queue handle
 * @done: items that have a result
 * @comp_code: result of the whole so far
 * @reason: the same
 */
struct kmq_batch {
	struct kmq_conn *conn;
	struct kmq_object *object;
	MQLONG done;
	MQLONG comp_code;
	MQLONG reason;
};

/**
 * kmq_batch_begin() - enter the connection and look for the queue
 * @b: the call
 * @hconn: connection handle of the program
 * @hobj: object handle of the program
 * @done: of the program
 * @comp_code: of the program
 * @reason: of the program
 *
 * Return: false if there is no such connection, which is the result. Otherwise
 * the caller leaves it; @b->object is NULL if the handle is none of a queue.
 */
KMQ_INLINE bool kmq_batch_begin(struct kmq_batch *b, MQHCONN hconn, MQHOBJ hobj,
				MQLONG *done, MQLONG *comp_code, MQLONG *reason)
{
	*b = (struct kmq_batch){ .comp_code = MQCC_OK, .reason = MQRC_NONE };
	*done = 0;
	*comp_code = MQCC_FAILED;
	b->conn = kmq_conn_enter(hconn, reason);
	if (!b->conn)
		return false;
	b->object = kmq_object_queue(b->conn, hobj);
	return true;
}

/* Tell the program what came of it. */
KMQ_INLINE void kmq_batch_tell(const struct kmq_batch *b, MQLONG *done,
			       MQLONG *comp_code, MQLONG *reason)
{
	*done = b->done;
	kmq_result(comp_code, reason, b->comp_code, b->reason);
}

/* The first failure counts, else the first warning. Return: false: the end. */
KMQ_INLINE bool kmq_batch_item_done(struct kmq_batch *b, MQLONG comp_code,
				    MQLONG reason)
{
	b->done++;
	if (comp_code > b->comp_code) {
		b->comp_code = comp_code;
		b->reason = reason;
	}
	return comp_code != MQCC_FAILED;
}

/* Entries the kernel takes at a time, never more than a piece. */
uint32_t kmq_batch_size(struct kmq_conn *c);
/*
 * Have a piece carried out: number of entries that were, each with its own
 * result. An errno, in *@err, is the result of the first entry.
 */
uint32_t kmq_batch_run(struct kmq_batch *b, unsigned long cmd, void *entries,
		       uint32_t count, uint32_t stride, int *err);

#endif
