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
#include "like.h"
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

/**
 * struct put_piece - puts that go to the kernel together
 * @puts: what it sees and answers
 * @calls: each as a call of its own; of those that are like the put before only
 *	the room for parts is used
 * @like: that is so
 * @count: how many
 */
struct put_piece {
	struct kmq_put puts[PIECE];
	struct kmq_put_call calls[PIECE];
	bool like[PIECE];
	uint32_t count;
};

/* Is an item like the one before it, which may have some that are? */
static bool put_is_like(const kmq_put_item *item)
{
	return item->PutMsgOpts == item[-1].PutMsgOpts && item->MsgDesc &&
	       kmq_like_md(item->MsgDesc, item[-1].MsgDesc);
}

/* Add an item to the piece. Return: false if it must go by itself. */
static bool put_add(struct batch *b, struct put_piece *p, kmq_put_item *item,
		    bool may_be_like)
{
	uint32_t n = p->count;
	struct kmq_put_call *call = &p->calls[n];

	p->like[n] = may_be_like && put_is_like(item);
	if (likely(p->like[n])) {
		kmq_like_put(&p->puts[n], &p->puts[n - 1], &call->ext,
			     item->MsgDesc);
		p->puts[n].length = item->BufferLength;
		p->puts[n].data = (uintptr_t)item->Buffer;
	} else {
		kmq_put_prepare(call, b->conn, item->MsgDesc, item->PutMsgOpts,
				item->BufferLength, item->Buffer);
		call->put.flags |= b->object->put_flags;
		if (kmq_put_is_special(call))
			return false;
		p->puts[n] = call->put;
	}
	p->count++;
	return true;
}

/* The output of the item numbered @i. Return: false if nothing follows it. */
static bool put_done(struct batch *b, struct put_piece *p, kmq_put_item *item,
		     uint32_t i)
{
	struct kmq_put_call *call = &p->calls[i];
	struct kmq_put *put = &p->puts[i];

	item->CompCode = put->out_comp_code;
	item->Reason = put->out_reason;
	if (p->like[i] &&
	    likely(kmq_like_put_done(put, b->conn, item->MsgDesc))) {
		b->done++;
		return true;
	}
	call->put = *put;
	call->md = item->MsgDesc;
	call->pmo = item->PutMsgOpts;
	return put_item_done(b, call, item);
}

static bool put_piece(struct batch *b, kmq_put_item *items, MQLONG count)
{
	uint32_t most = piece_size(b->conn), done, i;
	bool may_be_like = false;
	struct put_piece p;
	int err;

	p.count = 0;
	for (i = 0; i < most && i < (uint32_t)count; i++) {
		if (!put_add(b, &p, &items[i], may_be_like))
			break;
		if (!p.like[i])
			may_be_like = kmq_like_put_may(&p.puts[i], b->object);
	}
	if (p.count <= 1)
		return put_one(b, &p.calls[0], &items[0]);
	done = run_piece(b, KMQ_IOC_PUTV, p.puts, p.count, sizeof(p.puts[0]),
			 &err);
	if (err) {
		p.puts[0].out_comp_code = MQCC_FAILED;
		p.puts[0].out_reason = kmq_object_reason(err);
	}
	for (i = 0; i < done; i++)
		if (!put_done(b, &p, &items[i], i))
			return false;
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
	o->dated = 0;
}

/**
 * struct get_piece - gets that go to the kernel together, see struct put_piece
 * @gets: what it sees and answers
 * @calls: each as a call of its own
 * @like: it is like the get before it
 * @count: how many
 * @sent: origin of the context that all of them name
 * @sent_id: its number
 */
struct get_piece {
	struct kmq_get gets[PIECE];
	struct kmq_get_call calls[PIECE];
	bool like[PIECE];
	uint32_t count;
	struct kmq_origin sent;
	uint64_t sent_id;
};

/* Is an item like the one before it, which may have some that are? */
static bool get_is_like(const kmq_get_item *item)
{
	return item->GetMsgOpts == item[-1].GetMsgOpts && item->MsgDesc &&
	       !kmq_like_differ(item->MsgDesc, item[-1].MsgDesc,
				offsetof(MQMD, Report));
}

static bool get_add(struct batch *b, struct get_piece *p, kmq_get_item *item,
		    bool waits, bool may_be_like)
{
	uint32_t n = p->count;
	struct kmq_get_call *call = &p->calls[n];

	p->like[n] = may_be_like && get_is_like(item);
	if (likely(p->like[n])) {
		kmq_like_get(&p->gets[n], &p->gets[n - 1], &call->ext,
			     item->MsgDesc);
		p->gets[n].length = item->BufferLength;
		p->gets[n].data = (uintptr_t)item->Buffer;
	} else {
		get_prepare(b, call, item, waits);
		if (kmq_get_is_special(call, b->object))
			return false;
		p->gets[n] = call->get;
	}
	p->count++;
	return true;
}

/* The item behind it has a message and writes to the same MQGMO. */
static bool gmo_is_overwritten(const struct get_piece *p, uint32_t i,
			       uint32_t done)
{
	return i + 1 < done && p->like[i + 1] &&
	       p->gets[i + 1].out_comp_code == MQCC_OK;
}

/* The output of the item numbered @i of @done. */
static bool get_done(struct batch *b, struct get_piece *p, kmq_get_item *item,
		     uint32_t i, uint32_t done)
{
	struct kmq_get_call *call = &p->calls[i];
	struct kmq_get *get = &p->gets[i];

	item->CompCode = get->out_comp_code;
	item->Reason = get->out_reason;
	if (p->like[i] && gmo_is_overwritten(p, i, done) &&
	    likely(kmq_like_get_done(get, b->conn, b->object, &call->ext,
				     item->MsgDesc))) {
		item->DataLength = get->out_data_length;
		b->done++;
		return true;
	}
	call->get = *get;
	call->md = item->MsgDesc;
	call->gmo = item->GetMsgOpts;
	call->buffer = item->Buffer;
	context_back(b->object, call, &p->sent, p->sent_id);
	return get_item_done(b, call, item);
}

static bool get_piece(struct batch *b, kmq_get_item *items, MQLONG count)
{
	uint32_t most = piece_size(b->conn), done, i;
	bool may_be_like = false, waits = !b->done;
	struct get_piece p;
	int err;

	p.count = 0;
	p.sent = b->object->origin;
	p.sent_id = b->object->ctx_id;
	for (i = 0; i < most && i < (uint32_t)count; i++) {
		if (!get_add(b, &p, &items[i], waits && !i, may_be_like))
			break;
		if (!p.like[i])
			may_be_like = kmq_like_get_may(&p.gets[i]);
	}
	if (p.count <= 1)
		return get_one(b, &p.calls[0], &items[0]);
	done = run_piece(b, KMQ_IOC_GETV, p.gets, p.count, sizeof(p.gets[0]),
			 &err);
	if (err) {
		p.gets[0].out_comp_code = MQCC_FAILED;
		p.gets[0].out_reason = kmq_object_reason(err);
	}
	for (i = 0; i < done; i++)
		if (!get_done(b, &p, &items[i], i, done))
			return false;
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
