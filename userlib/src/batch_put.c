// SPDX-License-Identifier: MIT
/*
 * kmq_put_many(): batches of puts.
 */
#include "batch.h"
#include "device.h"
#include "distlist.h"
#include "md.h"
#include "put.h"
#include "put_list.h"

/* Options that leave nothing behind but the message and its identifiers. */
#define PLAIN_PMO	(MQPMO_SYNCPOINT | MQPMO_NO_SYNCPOINT | \
			 MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID | \
			 MQPMO_FAIL_IF_QUIESCING | MQPMO_DEFAULT_CONTEXT | \
			 MQPMO_SYNC_RESPONSE)

/* Can a put be like @p at all? */
KMQ_INLINE bool put_can_repeat(const struct kmq_put *p,
			       const struct kmq_object *object)
{
	return p->md_version && p->pmo_version && !p->flags &&
	       !(p->options & ~PLAIN_PMO) &&
	       !(p->present & ~KMQ_MD_REPLY) &&
	       !kmq_stat_wanted(p->options, object->def_put_response);
}

/**
 * put_again() - make a put of one that is like it
 * @p: filled in
 * @before: the put before it, not carried out yet
 * @ext: room for what the put has besides
 * @md: descriptor of the program, like that of @before
 */
KMQ_INLINE void put_again(struct kmq_put *p, const struct kmq_put *before,
			  struct kmq_md_ext *ext, const MQMD *md)
{
	*p = *before;
	p->ext = (uintptr_t)ext;
	memcpy(kmq_md_ids(&p->md), KMQ_MD_AT(md, MsgId), KMQ_MD_IDS_SIZE);
	if (p->present)
		memcpy((char *)ext + offsetof(struct kmq_md_ext, reply_q),
		       md->ReplyToQ, 2 * KMQ_NAME_LEN);
}

/**
 * put_again_done() - give a descriptor its output
 * @p: the put, carried out
 * @conn: connection
 * @md: descriptor of the program
 *
 * The MQPMO has its output already, of the put before it.
 *
 * Return: false if there is more to it.
 */
KMQ_INLINE bool put_again_done(const struct kmq_put *p, struct kmq_conn *conn,
			       MQMD *md)
{
	if (unlikely(p->out_comp_code || p->out_present || !p->out_put_time))
		return false;
	kmq_origin_date(&conn->origin, &conn->dated, &conn->clock,
			p->out_put_time, NULL, 0);
	md->CodedCharSetId = p->md.ccsid;
	md->Priority = p->md.priority;
	md->Persistence = p->md.persistence;
	memcpy(KMQ_MD_AT(md, MsgId), kmq_md_ids(&p->md), KMQ_MD_IDS_SIZE);
	memcpy(KMQ_MD_AT(md, UserIdentifier), &conn->origin,
	       sizeof(conn->origin));
	return true;
}

static bool put_item_done(struct kmq_batch *b, struct kmq_put_call *call,
			  kmq_put_item *item)
{
	kmq_put_ended(call, b->conn, b->object, item->CompCode, item->Reason);
	return kmq_batch_item_done(b, item->CompCode, item->Reason);
}

static bool put_one(struct kmq_batch *b, struct kmq_put_call *call,
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
	struct kmq_put puts[KMQ_PIECE];
	struct kmq_put_call calls[KMQ_PIECE];
	bool like[KMQ_PIECE];
	uint32_t count;
};

/* Is an item like the one before it, which may have some that are? */
static bool put_is_like(const kmq_put_item *item)
{
	return item->PutMsgOpts == item[-1].PutMsgOpts && item->MsgDesc &&
	       kmq_md_alike(item->MsgDesc, item[-1].MsgDesc);
}

/* Add an item to the piece. Return: false if it must go by itself. */
static bool put_add(struct kmq_batch *b, struct put_piece *p,
		    kmq_put_item *item, bool may_be_like)
{
	uint32_t n = p->count;
	struct kmq_put_call *call = &p->calls[n];

	p->like[n] = may_be_like && put_is_like(item);
	if (likely(p->like[n])) {
		put_again(&p->puts[n], &p->puts[n - 1], &call->ext,
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
static bool put_done(struct kmq_batch *b, struct put_piece *p,
		     kmq_put_item *item, uint32_t i)
{
	struct kmq_put_call *call = &p->calls[i];
	struct kmq_put *put = &p->puts[i];

	item->CompCode = put->out_comp_code;
	item->Reason = put->out_reason;
	if (p->like[i] &&
	    likely(put_again_done(put, b->conn, item->MsgDesc))) {
		b->done++;
		return true;
	}
	call->put = *put;
	call->md = item->MsgDesc;
	call->pmo = item->PutMsgOpts;
	return put_item_done(b, call, item);
}

static bool put_piece(struct kmq_batch *b, kmq_put_item *items, MQLONG count)
{
	uint32_t most = kmq_batch_size(b->conn), done, i;
	bool may_be_like = false;
	struct put_piece p;
	int err;

	p.count = 0;
	for (i = 0; i < most && i < (uint32_t)count; i++) {
		if (!put_add(b, &p, &items[i], may_be_like))
			break;
		if (!p.like[i])
			may_be_like = put_can_repeat(&p.puts[i], b->object);
	}
	if (p.count <= 1)
		return put_one(b, &p.calls[0], &items[0]);
	done = kmq_batch_run(b, KMQ_IOC_PUTV, p.puts, p.count,
			     sizeof(p.puts[0]), &err);
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
static bool put_to_list(struct kmq_batch *b, MQHOBJ hobj, kmq_put_item *item)
{
	item->CompCode = kmq_put_list(b->conn, hobj, item->MsgDesc,
				      item->PutMsgOpts, item->BufferLength,
				      item->Buffer, &item->Reason);
	return kmq_batch_item_done(b, item->CompCode, item->Reason);
}

KMQ_API void kmq_put_many(MQHCONN Hconn, MQHOBJ Hobj, MQLONG Count,
			  kmq_put_item *Items, PMQLONG Done, PMQLONG CompCode,
			  PMQLONG Reason)
{
	struct kmq_batch b;

	if (!kmq_batch_begin(&b, Hconn, Hobj, Done, CompCode, Reason))
		return;
	if (b.object || kmq_distlist_find(b.conn, Hobj)) {
		while (b.done < Count &&
		       (b.object ? put_piece(&b, Items + b.done,
					     Count - b.done) :
				   put_to_list(&b, Hobj, Items + b.done)))
			;
		kmq_batch_tell(&b, Done, CompCode, Reason);
	} else {
		*Reason = MQRC_HOBJ_ERROR;
	}
	kmq_conn_leave(b.conn);
}
