/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_FILING_H
#define KMQ_FILING_H

#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/types.h>

struct kmq_group;
struct kmq_msg;
struct kmq_waiter;

/**
 * DOC: Where waiters stand
 *
 * A message that comes must meet those who can have it, and nobody else: a waiter
 * that is asked in vain costs each put something, and anybody may have as many
 * waiters as he likes. So waiters are filed by all of their conditions.
 *
 * Which conditions a waiter has is its *shape*. Those that name a value - an
 * identifier, a number, an offset - are keys: for each shape a message has exactly
 * one value of them, by which the waiters of that shape it suits are found in the
 * order in which they came. The other conditions - how complete, a report or none,
 * flags - are part of the shape: the message suits all waiters of it or none. There
 * are not many shapes, whatever waits. What is left is the smallest order key that
 * will do, of a browse that goes on behind its cursor; the tree knows for each
 * subtree whether there is one in it that the message reaches.
 *
 * The waiters of a shape have a tree. One of them, no matter which, is its *leader*:
 * it has the root, and stands in the list of the shapes in use; when it goes,
 * another one takes over. So nothing has to be allocated, and a put looks at no
 * shape in which nobody waits. In the tree a number made up of the keys comes first:
 * as a rule no more is compared on the way down. Who makes many keys of the same
 * number has them compared in full, and nothing worse.
 *
 * Only a mark of the waiter's own handle is found out by asking it.
 *
 * Who waits for something complete can be served by a message that has none of its
 * values: with the last one the first one is complete (G-CPL-9). Such *askers* are
 * filed by GroupId alone besides, if they name one, and asked when messages of the
 * group may have become complete. Those who see messages that nobody else sees are
 * asked when anything happens to a group; they are filed apart.
 */

/* Keys */
#define KMQ_SHAPE_MSG_ID	BIT(0)
#define KMQ_SHAPE_CORREL_ID	BIT(1)
#define KMQ_SHAPE_GROUP_ID	BIT(2)
#define KMQ_SHAPE_SEQ		BIT(3)
#define KMQ_SHAPE_OFFSET	BIT(4)
#define KMQ_SHAPE_TOKEN		BIT(5)
#define KMQ_SHAPE_OTHER_KEYS	(KMQ_SHAPE_GROUP_ID | KMQ_SHAPE_SEQ | \
				 KMQ_SHAPE_OFFSET | KMQ_SHAPE_TOKEN)
/* The others */
#define KMQ_SHAPE_WHOLE		BIT(6)
#define KMQ_SHAPE_NO_CO_OP	BIT(7)
#define KMQ_SHAPE_IN_GROUP	BIT(8)
#define KMQ_SHAPE_SEGMENT	BIT(9)
#define KMQ_SHAPE_REPORT	BIT(10)
#define KMQ_SHAPE_NO_REPORT	BIT(11)
#define KMQ_SHAPE_LEVEL_SHIFT	12		/* KMQ_LEVEL_* */
#define KMQ_SHAPE_LEVEL		(3 << KMQ_SHAPE_LEVEL_SHIFT)
#define KMQ_SHAPE_NEVER		BIT(14)	/* no message has all that */

/**
 * struct kmq_filing - where a waiter stands, or a message would find it
 * @digest: number made up of its keys
 * @shape: KMQ_SHAPE_*
 * @seq: with KMQ_SHAPE_SEQ
 * @offset: with KMQ_SHAPE_OFFSET
 * @msg_id: with KMQ_SHAPE_MSG_ID
 * @correl_id: with KMQ_SHAPE_CORREL_ID
 * @group_id: with KMQ_SHAPE_GROUP_ID
 * @token_key: with KMQ_SHAPE_TOKEN
 * @ticket: turn
 */
struct kmq_filing {
	u64 digest;
	u32 shape;
	s32 seq;
	s32 offset;
	const u8 *msg_id;
	const u8 *correl_id;
	const u8 *group_id;
	u64 token_key;
	u64 ticket;
};

/**
 * struct kmq_file - waiters of one class
 * @shapes: by kmq_waiter.link, the leaders of the shapes in use
 * @askers: those of them who wait for something complete, by kind, ticket
 */
struct kmq_file {
	struct list_head shapes;
	struct rb_root askers;
};

#define KMQ_ASKS	4

/**
 * struct kmq_asks - the askers that a change of a group concerns
 * @next: of each kind the one whose turn is next, or NULL
 */
struct kmq_asks {
	struct kmq_waiter *next[KMQ_ASKS];
};

bool kmq_filing_any(const struct kmq_waiter *waiter);
bool kmq_waiter_has_own(const struct kmq_waiter *waiter);
void kmq_file_init(struct kmq_file *file);
void kmq_file_add(struct kmq_file *file, struct kmq_waiter *waiter);
void kmq_file_del(struct kmq_file *file, struct kmq_waiter *waiter);
void kmq_file_own(struct kmq_file *file, struct kmq_waiter *waiter);
struct kmq_waiter *kmq_file_first(const struct kmq_file *file);
struct kmq_waiter *kmq_file_behind(const struct kmq_file *file,
				   const struct kmq_waiter *waiter);
struct kmq_waiter *kmq_file_next(const struct kmq_file *file,
				 const struct kmq_msg *msg, u64 ticket);
void kmq_asks_begin(struct kmq_asks *asks, const struct kmq_file *file,
		    const u8 *group_id, bool rose);
struct kmq_waiter *kmq_asks_first(const struct kmq_asks *asks);
void kmq_asks_pass(struct kmq_asks *asks, const struct kmq_waiter *waiter);

#endif /* KMQ_FILING_H */
