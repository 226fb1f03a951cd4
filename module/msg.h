/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_MSG_H
#define KMQ_MSG_H

#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/uio.h>
#include <linux/kmq.h>
#include "context.h"
#include "limits.h"
#include "mqi.h"
#include "user.h"

struct cred;
struct kmq_context_ref;
struct kmq_expiry;
struct kmq_queue;
struct kmq_group;
struct kmq_segments;

/**
 * DOC: Messages
 *
 * A message on a queue is in one of these states (M-STO-3), all changes under
 * the lock of its queue:
 *
 * - AVAILABLE: in the store, found by everybody;
 * - LOCKED: out of the store, on the locked list of one queue handle;
 * - PUT_PENDING: out of the store, on the put list of a unit of work;
 * - TAKEN: out of the store, owned by one getter or by a unit of work.
 *
 * Its place is its order key, given once at the put. Leaving the store and
 * coming back never needs memory: all index nodes lie in the message.
 */
enum kmq_msg_state {
	KMQ_MSG_NEW,
	KMQ_MSG_AVAILABLE,
	KMQ_MSG_LOCKED,
	KMQ_MSG_PUT_PENDING,
	KMQ_MSG_TAKEN,
};

/**
 * struct kmq_reply - reply-to names, shared by the messages of one handle
 * @ref: messages and handles that use it
 * @putter: who asked for reports to be sent there, or NULL if nobody did
 * @defined: the putter named a definition, which he may open, and the names are
 *	what it says (P-MD-3)
 * @q: ReplyToQ
 * @qmgr: ReplyToQMgr
 */
struct kmq_reply {
	refcount_t ref;
	const struct cred *putter;
	bool defined;
	u8 q[KMQ_NAME_LEN] __aligned(8);
	u8 qmgr[KMQ_NAME_LEN];
};

/**
 * struct kmq_member - what a message with a group identifier has in addition
 * @group: the group object, while the message is on a queue; before that memory
 *	for it, or NULL
 * @segments: logical message it is a segment of, or NULL; likewise
 * @item_node: in kmq_group.items
 * @order_node: in kmq_group.order, by key
 * @msg: the message
 * @signalled: number of the offer in which a signal was posted for it, see
 *	serve.c
 * @kind: enum kmq_item_kind, while the message is on a queue
 * @whole: of a head, or the first one of its place, of irregular segments: a
 *	complete chain begins here, see DOC: Chains
 * @leads: it stands for its sequence number, see DOC: Groups and segments
 * @ends: and ends the group
 * @leading: those that lead among it and what is below it in kmq_group.items,
 *	twice; and one if any of them ends the group
 * @id: GroupId
 * @seq: MsgSeqNumber
 * @offset: Offset
 * @original_length: OriginalLength
 */
struct kmq_member {
	struct kmq_group *group;
	struct kmq_segments *segments;
	struct rb_node item_node;
	struct rb_node order_node;
	struct kmq_msg *msg;
	u64 signalled : 58;
	u64 kind : 3;
	u64 whole : 1;
	u64 leads : 1;
	u64 ends : 1;
	u8 id[KMQ_ID_LEN];
	s32 seq;
	s32 offset;
	s32 original_length;
	u32 leading;
};

/**
 * struct kmq_expiry - what a message that expires has in addition
 * @node: in kmq_store.expiring while the message is AVAILABLE
 * @deadline: CLOCK_MONOTONIC at which it expires, ns
 * @msg: the message
 */
struct kmq_expiry {
	struct rb_node node;
	u64 deadline;
	struct kmq_msg *msg;
};

/**
 * struct kmq_chunk - message data that does not fit behind the message itself
 * @next: following chunk
 * @length: bytes at @data
 * @data: the bytes
 */
struct kmq_chunk {
	struct kmq_chunk *next;
	u32 length;
	u8 data[];
};

/**
 * struct kmq_msg - one physical message
 * @key: order key, see kmq_key(); unique on the queue
 * @next_spare: following one, of a message that is free and will be used again
 * @order_node: in one of kmq_store.order
 * @id_node: in kmq_store.by_msg_id
 * @correl_node: in kmq_store.by_correl_id, unless the identifier is null
 * @link: list of the one who owns the message while it is out of the store; else
 *	empty, or on a list of messages still to be offered to waiters
 * @ref: one for being on the queue, one for each copy-out under way
 * @state: enum kmq_msg_state
 * @class: index into kmq_store.order while AVAILABLE
 * @persistent: resolved persistence
 * @co_op_mark: has a co-operative browse mark
 * @own_put: taken by the unit of work that put it: backing out ends it (M-STO-7)
 * @was_locked: taken from the locked list of the getter's handle
 * @skip_backout: got with MQGMO_MARK_SKIP_BACKOUT (G-MSB)
 * @fresh_lock: locked by a browse that is not finished yet
 * @kept_lock: was locked before, and such a browse locks it again
 * @stays: put by the queue manager: it becomes visible even if its unit of work
 *	is backed out (O-TRIG-6)
 * @length: bytes of data
 * @inline_length: how many of them lie at @data
 * @memory: bytes of kernel memory
 * @msg_flags: MQMF_*
 * @backout_count: M-BOC-1
 * @md: descriptor as stored
 * @put_time: CLOCK_REALTIME of the put, ns
 * @expiry: when it expires, or NULL
 * @queue: queue it is on
 * @context: shared context
 * @reply: reply-to names, or NULL if blank
 * @member: group part, at the end of the memory of the message, or NULL
 * @marks: struct kmq_mark of those who marked it
 * @more: data behind @data
 * @data: first bytes of data
 */
struct kmq_msg {
	union {
		u64 key;
		struct kmq_msg *next_spare;
	};
	struct rb_node order_node;
	struct rb_node id_node;
	struct rb_node correl_node;
	struct list_head link;
	refcount_t ref;
	u8 state;
	u8 class;
	bool persistent : 1;
	bool co_op_mark : 1;
	bool own_put : 1;
	bool was_locked : 1;
	bool fresh_lock : 1;
	bool kept_lock : 1;
	bool skip_backout : 1;
	bool stays : 1;
	u32 length;
	u32 inline_length;
	u32 memory;
	u32 msg_flags;
	s32 backout_count;
	struct kmq_md md;
	u64 put_time;
	struct kmq_expiry *expiry;
	struct kmq_queue *queue;
	struct kmq_context_ref *context;
	struct kmq_reply *reply;
	struct kmq_member *member;
	struct hlist_head marks;
	struct kmq_chunk *more;
	u8 data[];
};

/*
 * Order key: priority descending in the upper 4 bits, arrival ascending below
 * (M-STO-2). 0 stands in front of every message.
 */
#define KMQ_KEY_ARRIVAL_BITS	60

static inline u64 kmq_key(int priority, u64 arrival)
{
	return (u64)(9 - priority) << KMQ_KEY_ARRIVAL_BITS | arrival;
}

/* Which of the priorities it is of, 0 first, of KMQ_PRIORITIES. */
static inline unsigned int kmq_key_rank(u64 key)
{
	return key >> KMQ_KEY_ARRIVAL_BITS;
}

static inline struct kmq_msg *kmq_msg_hold(struct kmq_msg *msg)
{
	refcount_inc(&msg->ref);
	return msg;
}

static inline bool kmq_msg_expired(const struct kmq_msg *msg, u64 now)
{
	return msg->expiry && msg->expiry->deadline <= now;
}

/* Its priority, of those that there are (M-PRI); FIFO does not matter. */
static inline u32 kmq_msg_priority(const struct kmq_msg *msg)
{
	return min_t(u32, msg->md.priority, KMQ_MAX_PRIORITY);
}

static inline bool kmq_msg_is_report(const struct kmq_msg *msg)
{
	return msg->md.msg_type == MQMT_REPORT;
}

/* Does getting it touch nothing but the message and its group? */
static inline bool kmq_msg_is_quiet(const struct kmq_msg *msg)
{
	return !msg->expiry && hlist_empty(&msg->marks) &&
	       !(msg->md.report & MQRO_COD);
}

/* Is there no more to getting it than to hand it over? */
static inline bool kmq_msg_is_plain(const struct kmq_msg *msg)
{
	return !msg->member && !msg->msg_flags && kmq_msg_is_quiet(msg);
}

struct kmq_msg *kmq_msg_alloc(u32 length, bool member);
int kmq_msg_add_expiry(struct kmq_msg *msg, u64 deadline);
int kmq_msg_fill(struct kmq_msg *msg, struct iov_iter *from);
int kmq_msg_fill_long(struct kmq_msg *msg, const void __user *from);
int kmq_msg_copy_out(const struct kmq_msg *msg, u32 length,
		     struct iov_iter *to);
void kmq_msg_write(struct kmq_msg *msg, u32 at, const void *from, u32 length);
int kmq_msg_fill_from(struct kmq_msg *msg, u32 at, struct iov_iter *from);
int kmq_msg_copy_long(const struct kmq_msg *msg, void __user *to);
void kmq_msg_copy_data(struct kmq_msg *to, u32 at, const struct kmq_msg *from,
		       u32 length);
void kmq_msg_free(struct kmq_msg *msg);
void kmq_msg_drop(struct kmq_msg *msg);
void kmq_msg_retire(struct kmq_msg *msg, struct kmq_msg **spares);
struct kmq_msg *kmq_msg_retire_run(struct kmq_msg **msgs, u32 count);
void kmq_msg_recycle(struct kmq_msg *msg, struct kmq_msg **spares);
struct kmq_msg *kmq_msg_reuse(struct kmq_msg **spares, u32 length, bool member);
struct kmq_msg *kmq_msg_spares_get(struct kmq_msg **spares);
void kmq_msg_spares_free(struct kmq_msg *chain);

/**
 * kmq_msg_spares_put - leave spare messages to a queue
 * @spares: where the queue keeps them
 * @chain: the messages, or NULL
 *
 * A queue that is kept empty by its getters needs no memory from the allocator:
 * the next puts use the messages of the last gets. If it has some already these
 * are freed, so that it never has more than one call dealt with. They stay
 * charged to whoever made them.
 */
static inline void kmq_msg_spares_put(struct kmq_msg **spares,
				      struct kmq_msg *chain)
{
	if (!chain || (!READ_ONCE(*spares) && !cmpxchg(spares, NULL, chain)))
		return;
	kmq_msg_spares_free(chain);
}

/**
 * kmq_msg_set_context - give a message its context
 * @msg: message that nobody else can see yet; it may have one from before, when
 *	it was a spare one
 * @ctx: context, of which the message gets a reference
 */
static inline void kmq_msg_set_context(struct kmq_msg *msg,
				       struct kmq_context_ref *ctx)
{
	if (likely(msg->context == ctx))
		return;
	if (msg->context)
		kmq_context_put(msg->context);
	msg->context = kmq_context_get(ctx);
}

/* Can its data be copied word by word, from one place? */
static inline bool kmq_msg_is_brief(const struct kmq_msg *msg)
{
	return msg->length <= KMQ_WORDS_MAX && msg->length == msg->inline_length;
}

/**
 * kmq_msg_fill_user - copy the data of user space into a message
 * @msg: message that nobody else can see yet
 * @from: source, msg->length bytes
 *
 * Return: 0, or -EFAULT if the source cannot be read.
 */
static __always_inline int kmq_msg_fill_user(struct kmq_msg *msg,
					     const void __user *from)
{
	if (likely(kmq_msg_is_brief(msg)))
		return kmq_bytes_from_user(msg->data, from, msg->length);
	return kmq_msg_fill_long(msg, from);
}

/**
 * kmq_msg_copy_user - copy all data of a message to user space
 * @msg: message the caller holds
 * @to: destination, msg->length bytes
 *
 * Return: 0, or -EFAULT if the destination cannot be written.
 */
static __always_inline int kmq_msg_copy_user(const struct kmq_msg *msg,
					     void __user *to)
{
	if (likely(kmq_msg_is_brief(msg)))
		return kmq_bytes_to_user(to, msg->data, msg->length);
	return kmq_msg_copy_long(msg, to);
}

struct kmq_reply *kmq_reply_alloc(const u8 *q, const u8 *qmgr);
void kmq_reply_put(struct kmq_reply *reply);

int kmq_msg_cache_create(void);
void kmq_msg_cache_destroy(void);

#endif /* KMQ_MSG_H */
