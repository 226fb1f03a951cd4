// SPDX-License-Identifier: MIT
/*
 * Several puts or gets in one system call.
 *
 * Items are taken in pieces that fit on the stack. One that a batch cannot do,
 * because the library has a part in its checks, goes by itself.
 */
#include <kmq.h>

#include "device.h"
#include "get.h"
#include "distlist.h"
#include "put_list.h"

#define PIECE	32

/* Entries the kernel takes at a time, never more than a piece. */
static uint32_t piece_size(struct kmq_conn *c)
{
	struct kmq_info info = { .size = sizeof(info) };

	if (!c->max_batch) {
		c->max_batch = 1;
		if (!kmq_ioctl(c->fd, KMQ_IOC_INFO, &info) &&
		    info.out_max_batch > 1)
			c->max_batch = info.out_max_batch;
	}
	return c->max_batch < PIECE ? c->max_batch : PIECE;
}

/**
 * struct batch - a batched call that is going on
 * @conn: connection
 * @object: queue handle
 * @done: items that have a result
 * @comp_code: result of the whole so far
 * @reason: the same
 */
struct batch {
	struct kmq_conn *conn;
	struct kmq_object *object;
	MQLONG done;
	MQLONG comp_code;
	MQLONG reason;
};

/* The first failure counts, else the first warning. */
static bool item_done(struct batch *b, MQLONG comp_code, MQLONG reason)
{
	b->done++;
	if (comp_code > b->comp_code) {
		b->comp_code = comp_code;
		b->reason = reason;
	}
	return comp_code != MQCC_FAILED;
}

/*
 * Run a piece: number of entries carried out, each with its own result. An
 * errno is the result of the first entry.
 */
static uint32_t run_piece(struct batch *b, unsigned long cmd, void *entries,
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

static bool put_item_done(struct batch *b, struct kmq_put_call *call,
			  kmq_put_item *item)
{
	kmq_put_ended(call, b->conn, b->object, item->CompCode, item->Reason);
	return item_done(b, item->CompCode, item->Reason);
}

static bool put_one(struct batch *b, struct kmq_put_call *call,
		    kmq_put_item *item)
{
	item->CompCode = kmq_put_run(call, b->object->fd, KMQ_IOC_PUT,
				     &item->Reason);
	return put_item_done(b, call, item);
}

static bool put_piece(struct batch *b, kmq_put_item *items, MQLONG count)
{
	struct kmq_put_call calls[PIECE];
	uint32_t most = piece_size(b->conn), done, n, i;
	int err;

	for (n = 0; n < most && n < (uint32_t)count; n++) {
		kmq_put_prepare(&calls[n], b->conn, items[n].MsgDesc,
				items[n].PutMsgOpts, items[n].BufferLength,
				items[n].Buffer);
		calls[n].put.flags |= b->object->put_flags;
		if (kmq_put_is_special(&calls[n]))
			break;
	}
	if (n <= 1)
		return put_one(b, &calls[0], &items[0]);
	done = run_piece(b, KMQ_IOC_PUTV, calls, n, sizeof(calls[0]), &err);
	for (i = 0; i < done; i++) {
		items[i].CompCode = err ? MQCC_FAILED :
					  (MQLONG)calls[i].put.out_comp_code;
		items[i].Reason = err ? kmq_object_reason(err) :
					(MQLONG)calls[i].put.out_reason;
		if (!put_item_done(b, &calls[i], &items[i]))
			return false;
	}
	return done > 0;
}

/* To a list each message goes by itself. */
static bool put_to_list(struct batch *b, MQHOBJ hobj, kmq_put_item *item)
{
	item->CompCode = kmq_put_list(b->conn, hobj, item->MsgDesc,
				      item->PutMsgOpts, item->BufferLength,
				      item->Buffer, &item->Reason);
	return item_done(b, item->CompCode, item->Reason);
}

KMQ_API void kmq_put_many(MQHCONN Hconn, MQHOBJ Hobj, MQLONG Count,
			  kmq_put_item *Items, PMQLONG Done, PMQLONG CompCode,
			  PMQLONG Reason)
{
	struct batch b = { .comp_code = MQCC_OK, .reason = MQRC_NONE };

	*Done = 0;
	*CompCode = MQCC_FAILED;
	b.conn = kmq_conn_enter(Hconn, Reason);
	if (!b.conn)
		return;
	b.object = kmq_object_queue(b.conn, Hobj);
	if (b.object || kmq_distlist_find(b.conn, Hobj)) {
		while (b.done < Count &&
		       (b.object ? put_piece(&b, Items + b.done,
					     Count - b.done) :
				   put_to_list(&b, Hobj, Items + b.done)))
			;
		*Done = b.done;
		kmq_result(CompCode, Reason, b.comp_code, b.reason);
	} else {
		*Reason = MQRC_HOBJ_ERROR;
	}
	kmq_conn_leave(b.conn);
}

static bool get_item_done(struct batch *b, struct kmq_get_call *call,
			  kmq_get_item *item)
{
	item->CompCode = kmq_get_finish(call, b->conn, b->object,
					item->CompCode, &item->Reason,
					&item->DataLength);
	/* No more messages: what the first ones gave counts. */
	if (item->Reason == MQRC_NO_MSG_AVAILABLE && b->done) {
		b->done++;
		return false;
	}
	return item_done(b, item->CompCode, item->Reason);
}

static void get_prepare(struct batch *b, struct kmq_get_call *call,
			kmq_get_item *item, bool waits)
{
	kmq_get_prepare(call, b->object, item->MsgDesc, item->GetMsgOpts,
			item->BufferLength, item->Buffer, true);
	if (!waits)
		call->get.options &= ~MQGMO_WAIT;
}

static bool get_one(struct batch *b, struct kmq_get_call *call,
		    kmq_get_item *item)
{
	item->CompCode = kmq_get_run(call, b->object, &item->Reason);
	return get_item_done(b, call, item);
}

/*
 * All entries of a piece named the same context, so one that comes without its
 * context has that, whatever an entry before it has brought.
 */
static void context_back(struct kmq_object *o, const struct kmq_get_call *call,
			 const struct kmq_origin *sent, uint64_t sent_id)
{
	if (o->ctx_id == sent_id || call->get.out_present & KMQ_MD_CONTEXT)
		return;
	o->ctx_id = sent_id;
	o->origin = *sent;
}

static bool get_piece(struct batch *b, kmq_get_item *items, MQLONG count)
{
	struct kmq_get_call calls[PIECE];
	struct kmq_origin sent = b->object->origin;
	uint64_t sent_id = b->object->ctx_id;
	uint32_t most = piece_size(b->conn), done, n, i;
	bool waits = !b->done;
	int err;

	for (n = 0; n < most && n < (uint32_t)count; n++) {
		get_prepare(b, &calls[n], &items[n], waits && !n);
		if (kmq_get_is_special(&calls[n], b->object))
			break;
	}
	if (n <= 1)
		return get_one(b, &calls[0], &items[0]);
	done = run_piece(b, KMQ_IOC_GETV, calls, n, sizeof(calls[0]), &err);
	for (i = 0; i < done; i++) {
		items[i].CompCode = err ? MQCC_FAILED :
					  (MQLONG)calls[i].get.out_comp_code;
		items[i].Reason = err ? kmq_object_reason(err) :
					(MQLONG)calls[i].get.out_reason;
		context_back(b->object, &calls[i], &sent, sent_id);
		if (!get_item_done(b, &calls[i], &items[i]))
			return false;
	}
	return done > 0;
}

KMQ_API void kmq_get_many(MQHCONN Hconn, MQHOBJ Hobj, MQLONG Count,
			  kmq_get_item *Items, PMQLONG Done, PMQLONG CompCode,
			  PMQLONG Reason)
{
	struct batch b = { .comp_code = MQCC_OK, .reason = MQRC_NONE };

	*Done = 0;
	*CompCode = MQCC_FAILED;
	b.conn = kmq_conn_enter(Hconn, Reason);
	if (!b.conn)
		return;
	b.object = kmq_object_queue(b.conn, Hobj);
	if (b.object) {
		while (b.done < Count &&
		       get_piece(&b, Items + b.done, Count - b.done))
			;
		*Done = b.done;
		kmq_result(CompCode, Reason, b.comp_code, b.reason);
	} else {
		*Reason = kmq_object_refusal(b.conn, Hobj,
					     MQRC_NOT_OPEN_FOR_INPUT);
	}
	kmq_conn_leave(b.conn);
}
