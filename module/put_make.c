// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT, make: what put_run.h leaves to functions. A message that the queue manager
 * cuts up (P-SEG) is made as a list of pieces; one that travels to another queue
 * manager gets its head (xmit.c).
 */
#include <linux/err.h>
#include <linux/string.h>
#include "call.h"
#include "context.h"
#include "cut.h"
#include "put.h"
#include "put_run.h"
#include "qmgr.h"
#include "queue.h"
#include "xmit.h"

#define KMQ_REPORT_DATA	100	/* bytes of a *_WITH_DATA report, M-SEG-12 */

/* M-SEG-7: no piece but those with the first bytes promises any of them. */
static s32 kmq_put_weaken_report(s32 report, s32 offset)
{
	static const struct {
		s32 base;
		s32 with_data;
		s32 full;
	} kinds[] = {
		{ MQRO_EXCEPTION, MQRO_EXCEPTION_WITH_DATA,
		  MQRO_EXCEPTION_WITH_FULL_DATA },
		{ MQRO_EXPIRATION, MQRO_EXPIRATION_WITH_DATA,
		  MQRO_EXPIRATION_WITH_FULL_DATA },
		{ MQRO_COA, MQRO_COA_WITH_DATA, MQRO_COA_WITH_FULL_DATA },
		{ MQRO_COD, MQRO_COD_WITH_DATA, MQRO_COD_WITH_FULL_DATA },
	};
	unsigned int i;

	if (!report || offset < KMQ_REPORT_DATA)
		return report;
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if ((report & kinds[i].full) == kinds[i].with_data)
			report &= ~kinds[i].with_data | kinds[i].base;
	return report;
}

/* The group part of a message, or of one piece of it. */
static void kmq_put_member(struct kmq_msg *msg,
			   const struct kmq_put_item *item, s32 offset,
			   bool is_piece)
{
	struct kmq_member *member = msg->member;

	memcpy(member->id, item->id, KMQ_ID_LEN);
	member->seq = item->seq;
	member->offset = offset;
	member->original_length = MQOL_UNDEFINED;
	if (!(msg->msg_flags & MQMF_SEGMENT))
		return;
	/* M-SEG-9, P-SEG-11 */
	member->original_length = msg->length;
	if (!is_piece && kmq_msg_is_report(msg))
		member->original_length = item->original_length;
}

/**
 * kmq_put_order - give a message that is put in one piece its group fields
 * @run: the run
 * @index: which of its puts
 * @msg: its message, with its descriptor
 *
 * Return: 0 or -ENOMEM.
 */
int kmq_put_order(struct kmq_put_run *run, u32 index, struct kmq_msg *msg)
{
	const struct kmq_put_item *item = &run->items[index];

	msg->msg_flags = item->flags;
	if (!item->has_id)
		return 0;
	kmq_put_member(msg, item, item->offset, false);
	return kmq_group_prepare(&run->queue->store, msg);
}

/**
 * kmq_put_ahead - the next message of the run is put behind this one
 * @run: the run
 * @index: which of its puts
 */
void kmq_put_ahead(struct kmq_put_run *run, u32 index)
{
	if (!run->last)
		return;
	if (run->last != &run->ahead)
		run->ahead = *run->last;
	kmq_put_retain(&run->ahead, run->plan, &run->items[index]);
	run->last = &run->ahead;
}

/**
 * struct kmq_put_apart - a message that is cut up, or travels
 * @run: the run; its plan says which of both
 * @item: its group fields
 * @md: its descriptor
 * @data: its data
 */
struct kmq_put_apart {
	struct kmq_put_run *run;
	const struct kmq_put_item *item;
	struct kmq_md md;
	struct iov_iter *data;
};

/* One piece of it, or all. */
struct kmq_put_piece {
	s32 offset;
	s32 length;
	bool is_piece;
	bool is_last;
};

/* MsgFlags (P-SEG-3). */
static u32 kmq_put_piece_flags(u32 flags, const struct kmq_put_piece *piece)
{
	if (!piece->is_piece)
		return flags;
	if (piece->is_last &&
	    (!(flags & MQMF_SEGMENT) || flags & MQMF_LAST_SEGMENT))
		return flags | MQMF_SEGMENT | MQMF_LAST_SEGMENT;
	return (flags | MQMF_SEGMENT) & ~MQMF_LAST_SEGMENT;
}

/* One that travels, without its data. */
static struct kmq_msg *kmq_put_make_remote(const struct kmq_put_apart *apart,
					   const struct kmq_put_piece *piece,
					   const struct kmq_md *md)
{
	const struct kmq_put_run *run = apart->run;
	const struct kmq_put_item *item = apart->item;
	struct kmq_xmit xmit = {
		.qmgr = run->conn->qmgr,
		.dest = run->dest,
		.md = md,
		.context = run->context,
		.reply = run->plan->reply,
		.put_time = run->time,
		.length = piece->length,
		.grouped = !kmq_put_item_is_plain(item),
		.id = item->id,
		.seq = item->seq,
		.offset = piece->offset,
		.msg_flags = kmq_put_piece_flags(item->flags, piece),
		.original_length = piece->is_piece ? piece->length :
						     item->original_length,
	};

	return kmq_xmit_make(&xmit);
}

/* One that stays here, without its data. */
static struct kmq_msg *kmq_put_make_local(const struct kmq_put_apart *apart,
					  const struct kmq_put_piece *piece,
					  const struct kmq_md *md)
{
	const struct kmq_put_run *run = apart->run;
	const struct kmq_put_item *item = apart->item;
	struct kmq_reply *reply = run->plan->reply;
	struct kmq_msg *msg;

	msg = kmq_msg_alloc(piece->length, item->has_id);
	if (IS_ERR(msg))
		return msg;
	msg->md = *md;
	msg->msg_flags = kmq_put_piece_flags(item->flags, piece);
	msg->persistent = run->plan->persistent;
	msg->put_time = run->time;
	kmq_msg_set_context(msg, run->context);
	if (reply) {
		refcount_inc(&reply->ref);
		msg->reply = reply;
	}
	if (item->has_id)
		kmq_put_member(msg, item, piece->offset, piece->is_piece);
	return msg;
}

static struct kmq_msg *kmq_put_make_one(const struct kmq_put_apart *apart,
					const struct kmq_put_piece *piece)
{
	const struct kmq_put_run *run = apart->run;
	struct kmq_md md = apart->md;
	struct kmq_msg *msg;
	int err;

	if (piece->is_piece)
		md.report = kmq_put_weaken_report(md.report, piece->offset);
	msg = run->plan->steps & KMQ_PUT_REMOTE ?
	      kmq_put_make_remote(apart, piece, &md) :
	      kmq_put_make_local(apart, piece, &md);
	if (IS_ERR(msg))
		return msg;
	err = kmq_msg_fill_from(msg, run->plan->head, apart->data);
	if (!err && run->plan->steps & KMQ_PUT_EXPIRES)
		err = kmq_msg_add_expiry(msg, run->deadline);
	if (!err)
		return msg;
	kmq_msg_free(msg);
	return ERR_PTR(err);
}

/**
 * kmq_put_discard - free a message that was not placed, and its other pieces
 * @first: message of a run
 */
void kmq_put_discard(struct kmq_msg *first)
{
	struct kmq_msg *msg, *next;

	list_for_each_entry_safe(msg, next, &first->link, link) {
		kmq_msg_free(msg);
		cond_resched();
	}
	INIT_LIST_HEAD(&first->link);
	kmq_msg_free(first);
}

/* M-ID-10: only the first piece keeps the MsgId of the put. */
static void kmq_put_renew_id(const struct kmq_put_run *run, struct kmq_msg *msg)
{
	u8 id[KMQ_ID_LEN];

	kmq_conn_new_id(run->conn, id);
	if (run->plan->head)
		kmq_xmit_set_msg_id(msg, id);
	else
		memcpy(msg->md.msg_id, id, KMQ_ID_LEN);
}

/* The piece that begins with byte @at of the data. */
static struct kmq_msg *kmq_put_make_piece(const struct kmq_put_apart *apart,
					  struct kmq_cut *cut, s32 at)
{
	int length = kmq_cut_next(cut, at, apart->data);
	const struct kmq_put_piece piece = {
		.offset = apart->item->offset + at,
		.length = length,
		.is_piece = true,
		.is_last = at + length == apart->item->length,
	};

	return length < 0 ? ERR_PTR(length) : kmq_put_make_one(apart, &piece);
}

/* Add the pieces behind the first one, in order, to its list. */
static int kmq_put_rest_of(const struct kmq_put_apart *apart,
			   struct kmq_cut *cut, struct kmq_msg *first)
{
	s32 head = apart->run->plan->head;
	s32 done = first->length - head;

	while (done < apart->item->length) {
		struct kmq_msg *msg = kmq_put_make_piece(apart, cut, done);

		if (IS_ERR(msg))
			return PTR_ERR(msg);
		kmq_put_renew_id(apart->run, msg);
		list_add_tail(&msg->link, &first->link);
		cond_resched();
		done += msg->length - head;
	}
	return 0;
}

/* A message that is too long for one piece. */
static struct kmq_msg *kmq_put_make_pieces(const struct kmq_put_apart *apart)
{
	struct kmq_cut cut = {
		.limit = apart->run->plan->piece,
		.length = apart->item->length,
		.encoding = apart->md.encoding,
	};
	struct kmq_msg *first;
	int err;

	/* What begins within a message has no headers at its front. */
	if (!apart->item->offset)
		memcpy(cut.format, apart->md.format, sizeof(cut.format));
	err = kmq_cut_begin(&cut, apart->data);
	if (err)
		return ERR_PTR(err);
	first = kmq_put_make_piece(apart, &cut, 0);
	if (IS_ERR(first))
		return first;
	err = kmq_put_rest_of(apart, &cut, first);
	/* With its first piece all of its group objects are there. */
	if (!err && first->member)
		err = kmq_group_prepare(&apart->run->queue->store, first);
	if (!err)
		return first;
	kmq_put_discard(first);
	return ERR_PTR(err);
}

/**
 * kmq_put_make_special - make a message that is cut up, or travels
 * @run: the run
 * @index: which of its puts
 * @data: its data
 *
 * Return: the message; if it is cut up, its first piece with the others on its
 * list. ERR_PTR(-ENOMEM), -EFAULT data that cannot be read, -EINTR if the caller
 * is being killed, -EMSGSIZE if it cannot be cut into pieces that are stored.
 */
struct kmq_msg *kmq_put_make_special(struct kmq_put_run *run, u32 index,
				     struct iov_iter *data)
{
	struct kmq_put *cmd = &run->cmds[index];
	const struct kmq_put_item *item = &run->items[index];
	const struct kmq_put_piece whole = {
		.offset = item->offset,
		.length = item->length,
		.is_last = true,
	};
	struct kmq_put_apart apart = {
		.run = run,
		.item = item,
		.md = run->plan->stored,
		.data = data,
	};

	kmq_put_new_ids(run, cmd);
	memcpy(apart.md.msg_id, cmd->md.msg_id, KMQ_ID_LEN);
	memcpy(apart.md.correl_id, cmd->md.correl_id, KMQ_ID_LEN);
	if (run->plan->steps & KMQ_PUT_CUT)
		return kmq_put_make_pieces(&apart);
	return kmq_put_make_one(&apart, &whole);
}
