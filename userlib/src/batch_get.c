// SPDX-License-Identifier: MIT
/*
 * kmq_get_many(): batches of gets.
 */
#include "batch.h"
#include "device.h"
#include "get.h"
#include "md.h"

/* Options that leave nothing behind but the message. */
#define PLAIN_GMO	(MQGMO_WAIT | MQGMO_SYNCPOINT | MQGMO_NO_SYNCPOINT | \
			 MQGMO_ACCEPT_TRUNCATED_MSG | \
			 MQGMO_FAIL_IF_QUIESCING)
#define PLAIN_MATCH	(MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID)

/* Can a get be like @g at all? */
KMQ_INLINE bool get_can_repeat(const struct kmq_get *g)
{
	return g->md_version && g->gmo_version &&
	       !(g->options & ~PLAIN_GMO) &&
	       !(g->match_options & ~PLAIN_MATCH);
}

/* Make a get of one that is like it, @before, but will not wait. */
KMQ_INLINE void get_again(struct kmq_get *g, const struct kmq_get *before,
			  struct kmq_md_ext *ext, const MQMD *md)
{
	*g = *before;
	g->options &= ~MQGMO_WAIT;
	g->ext = (uintptr_t)ext;
	memcpy(kmq_md_ids(&g->md), KMQ_MD_AT(md, MsgId), KMQ_MD_IDS_SIZE);
}

/**
 * get_again_done() - give a descriptor its output
 * @g: the get, carried out
 * @conn: connection
 * @object: queue handle
 * @ext: parts that came with the message
 * @md: descriptor of the program
 *
 * The MQGMO is left to the get behind it, which uses the same one.
 *
 * Return: false if there is more to it.
 */
KMQ_INLINE bool get_again_done(const struct kmq_get *g, struct kmq_conn *conn,
			       struct kmq_object *object,
			       const struct kmq_md_ext *ext, MQMD *md)
{
	if (unlikely(g->out_comp_code || g->out_present & ~KMQ_MD_REPLY ||
		     g->out_flags || g->out_msg_flags || !g->out_put_time ||
		     g->ctx_id != object->ctx_id))
		return false;
	kmq_origin_date(&object->origin, &object->dated, &conn->clock,
			g->out_put_time, NULL, 0);
	memcpy(KMQ_MD_AT(md, Report), &g->md, sizeof(g->md));
	md->BackoutCount = g->out_backout_count;
	if (g->out_present)
		memcpy(md->ReplyToQ,
		       (const char *)ext + offsetof(struct kmq_md_ext, reply_q),
		       2 * KMQ_NAME_LEN);
	else
		memset(md->ReplyToQ, ' ', 2 * KMQ_NAME_LEN);
	memcpy(KMQ_MD_AT(md, UserIdentifier), &object->origin,
	       sizeof(object->origin));
	if (g->md_version >= MQMD_VERSION_2) {
		kmq_md_group_default(md);
		md->MsgFlags = 0;
	}
	return true;
}

static bool get_item_done(struct kmq_batch *b, struct kmq_get_call *call,
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
	return kmq_batch_item_done(b, item->CompCode, item->Reason);
}

static void get_prepare(struct kmq_batch *b, struct kmq_get_call *call,
			kmq_get_item *item, bool waits)
{
	kmq_get_prepare(call, b->object, item->MsgDesc, item->GetMsgOpts,
			item->BufferLength, item->Buffer, true);
	if (!waits)
		call->get.options &= ~MQGMO_WAIT;
}

static bool get_one(struct kmq_batch *b, struct kmq_get_call *call,
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
	kmq_object_set_origin(o, sent, sent_id);
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
	struct kmq_get gets[KMQ_PIECE];
	struct kmq_get_call calls[KMQ_PIECE];
	bool like[KMQ_PIECE];
	uint32_t count;
	struct kmq_origin sent;
	uint64_t sent_id;
};

/* Is an item like the one before it, which may have some that are? */
static bool get_is_like(const kmq_get_item *item)
{
	return item->GetMsgOpts == item[-1].GetMsgOpts && item->MsgDesc &&
	       !kmq_md_differ(item->MsgDesc, item[-1].MsgDesc,
				offsetof(MQMD, Report));
}

static bool get_add(struct kmq_batch *b, struct get_piece *p, kmq_get_item *item,
		    bool waits, bool may_be_like)
{
	uint32_t n = p->count;
	struct kmq_get_call *call = &p->calls[n];

	p->like[n] = may_be_like && get_is_like(item);
	if (likely(p->like[n])) {
		get_again(&p->gets[n], &p->gets[n - 1], &call->ext,
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
static bool get_done(struct kmq_batch *b, struct get_piece *p, kmq_get_item *item,
		     uint32_t i, uint32_t done)
{
	struct kmq_get_call *call = &p->calls[i];
	struct kmq_get *get = &p->gets[i];

	item->CompCode = get->out_comp_code;
	item->Reason = get->out_reason;
	if (p->like[i] && gmo_is_overwritten(p, i, done) &&
	    likely(get_again_done(get, b->conn, b->object, &call->ext,
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

static bool get_piece(struct kmq_batch *b, kmq_get_item *items, MQLONG count)
{
	uint32_t most = kmq_batch_size(b->conn), done, i;
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
			may_be_like = get_can_repeat(&p.gets[i]);
	}
	if (p.count <= 1)
		return get_one(b, &p.calls[0], &items[0]);
	done = kmq_batch_run(b, KMQ_IOC_GETV, p.gets, p.count,
			     sizeof(p.gets[0]), &err);
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
	struct kmq_batch b;

	if (!kmq_batch_begin(&b, Hconn, Hobj, Done, CompCode, Reason))
		return;
	if (b.object) {
		while (b.done < Count &&
		       get_piece(&b, Items + b.done, Count - b.done))
			;
		kmq_batch_tell(&b, Done, CompCode, Reason);
	} else {
		*Reason = kmq_object_refusal(b.conn, Hobj,
					     MQRC_NOT_OPEN_FOR_INPUT);
	}
	kmq_conn_leave(b.conn);
}
