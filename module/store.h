/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_STORE_H
#define KMQ_STORE_H

#include <linux/limits.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>
#include "compat.h"
#include "group.h"
#include "msg.h"
#include "tree.h"

/**
 * DOC: The store
 *
 * The store of a queue holds the messages that everybody may see, and nothing
 * else: uncommitted, locked and taken messages are out of it, so a get never
 * has to pass over them. Each message is in exactly one of several order trees,
 * chosen by its *class*: can it begin something in logical order, how complete
 * are its surroundings, has it a co-operative mark. A question such as "first
 * message that begins a complete group" looks only into the trees that can
 * hold the answer. Messages are also indexed by MsgId, CorrelId and GroupId; by
 * MsgId from the first question for one until the store is empty, as most queues
 * are never asked. That index may be made in steps, in the order of the keys.
 *
 * A message may be filed in a class that is too high; becoming incomplete is noticed
 * by the next search that meets the message. It is filed in one that is too low
 * only while its group is rising, see DOC: Groups and segments: becoming complete
 * re-files at once, or, where that is much, in steps made by the searches that it
 * concerns. Each re-filing is paid for by one arrival. With irregular segments that
 * goes from the next question on, which judges them first.
 */

/*
 * What concerns many messages, but need not happen at one moment, is done with so
 * many of them before others get at the queue.
 */
#define KMQ_AT_ONCE	1000

#define KMQ_KIND_HEAD	0	/* sequence 1, offset 0 (M-TRM-5) */
#define KMQ_KIND_FIRST	1	/* another sequence, offset 0 */
#define KMQ_KIND_REST	2	/* offset not 0 */
#define KMQ_KINDS	3

#define KMQ_CLASSES	(KMQ_KINDS * KMQ_LEVELS * 2)
#define KMQ_CLASS(kind, level, marked) \
	(((kind) * KMQ_LEVELS + (level)) * 2 + (marked))
#define KMQ_CLASS_LEVEL(class)	((class) / 2 % KMQ_LEVELS)
#define KMQ_CLASS_NONE	0xff
/* Of a message without group part and mark. */
#define KMQ_CLASS_PLAIN	KMQ_CLASS(KMQ_KIND_HEAD, KMQ_LEVEL_GROUP, 0)

/**
 * struct kmq_store - index of the messages that are AVAILABLE
 * @filled: bit n is set if order[n] is not empty
 * @count: messages in the store; read by calls at any time
 * @expiring_count: messages in @expiring
 * @msg_ids_upto: messages with a smaller key are in @by_msg_id: 0 none,
 *	U64_MAX all
 * @order: messages by key, one tree for each class
 * @by_msg_id: messages by (MsgId, key), see @msg_ids_upto
 * @by_correl_id: messages with a CorrelId that is not null, by (CorrelId, key)
 * @expiring: struct kmq_expiry by (deadline, key)
 * @groups: struct kmq_group by GroupId
 * @spare: memory for a group object, or NULL; by xchg()
 * @changed: struct kmq_group that lost a message or became more complete, and
 *	about which none of @askers was asked yet; empty whenever the lock is given
 *	up
 * @unsettled: struct kmq_segments that are irregular and have changed
 * @rising: struct kmq_group whose messages may be filed too low
 * @rise_steps: so many messages are filed anew at once, at most
 * @askers: gets that wait for something complete, and such signals
 * @showing: what comes and goes just now is shown to one getter only
 *
 * All of it but @spare is guarded by the lock of the queue.
 */
struct kmq_store {
	u32 filled;
	u32 count;
	u32 expiring_count;
	u64 msg_ids_upto;
	struct kmq_tree order[KMQ_CLASSES];
	struct kmq_tree by_msg_id;
	struct kmq_tree by_correl_id;
	struct kmq_tree expiring;
	struct rb_root groups;
	struct kmq_group *spare;
	struct list_head changed;
	struct list_head unsettled;
	struct list_head rising;
	u32 rise_steps;
	u32 askers;
	bool showing;
};

/* Can one be found by MsgId at once? */
static inline bool kmq_store_has_msg_ids(const struct kmq_store *store)
{
	return store->msg_ids_upto == U64_MAX;
}

/* The message that follows one of the same class. */
static inline struct kmq_msg *kmq_store_plain_next(const struct kmq_msg *msg)
{
	return rb_entry_safe(rb_next(&msg->order_node), struct kmq_msg,
			     order_node);
}

/* To be called before anything is asked about completeness. */
static inline void kmq_store_settle(struct kmq_store *store)
{
	if (unlikely(!list_empty(&store->unsettled)))
		kmq_groups_settle(store, U32_MAX);
}

void kmq_store_init(struct kmq_store *store);
void kmq_store_add(struct kmq_store *store, struct kmq_msg *msg);
void kmq_store_del(struct kmq_store *store, struct kmq_msg *msg);
void kmq_store_add_run(struct kmq_store *store, struct kmq_msg **msgs,
		       u32 count);
void kmq_store_del_run(struct kmq_store *store, struct kmq_msg **msgs,
		       u32 count);
struct kmq_msg *kmq_store_plain_first(const struct kmq_store *store);
void kmq_store_refile(struct kmq_store *store, struct kmq_msg *msg);
struct kmq_msg *kmq_store_find(const struct kmq_store *store, u64 key);
struct kmq_msg *kmq_store_next(const struct kmq_store *store, u32 classes,
			       u64 from);
struct kmq_msg *kmq_store_by_msg_id(struct kmq_store *store, const u8 *id,
				    u64 from);
struct kmq_msg *kmq_store_by_correl_id(const struct kmq_store *store,
				       const u8 *id, u64 from);
struct kmq_msg *kmq_store_expired(const struct kmq_store *store, u64 now);
u64 kmq_store_deadline(const struct kmq_store *store);
bool kmq_store_has_live(const struct kmq_store *store, u64 now);
bool kmq_store_index_msg_ids(struct kmq_store *store, u32 steps);

u64 kmq_token_key(const u8 *token, u32 queue_uid);

/* The token of a message on a queue, to user space, within an access window. */
#define kmq_token_put_user(token, msg, fault) do {			\
	u8 __user *_token = (token);					\
									\
	unsafe_put_user(cpu_to_be32(kmq_token_instance),		\
			(__be32 __user *)_token, fault);		\
	unsafe_put_user(cpu_to_be32((msg)->queue->uid),			\
			(__be32 __user *)(_token + 4), fault);		\
	unsafe_put_user(cpu_to_be64((msg)->key),			\
			(__be64 __user *)(_token + 8), fault);		\
} while (0)

/* Tells the tokens of this loading of the module from others. */
extern u32 kmq_token_instance;

void kmq_token_make(u8 *token, u32 queue_uid, const struct kmq_msg *msg);
void kmq_token_new_instance(void);

int kmq_id_compare(const u8 *a, const u8 *b);
bool kmq_id_is_null(const u8 *id);

#endif /* KMQ_STORE_H */
