// SPDX-License-Identifier: GPL-2.0
/*
 * The store: the messages of a queue that everybody may see, in every order in
 * which they can be asked for. Guarded by the lock of the queue.
 */
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "store.h"
#include "compat.h"

#define kmq_msg_of(node, member) rb_entry(node, struct kmq_msg, member)

/**
 * kmq_id_compare - order two identifiers as strings of bytes
 * @a: KMQ_ID_LEN bytes
 * @b: KMQ_ID_LEN bytes
 *
 * Generated identifiers ascend in this order, which makes the newest one the
 * last of the tree.
 */
int kmq_id_compare(const u8 *a, const u8 *b)
{
	unsigned int i;

	for (i = 0; i < KMQ_ID_LEN; i += sizeof(u64)) {
		u64 x = get_unaligned_be64(a + i);
		u64 y = get_unaligned_be64(b + i);

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

bool kmq_id_is_null(const u8 *id)
{
	return !(get_unaligned((u64 *)id) | get_unaligned((u64 *)(id + 8)) |
		 get_unaligned((u64 *)(id + 16)));
}

static bool kmq_order_less(const struct rb_node *a, const struct rb_node *b)
{
	return kmq_msg_of(a, order_node)->key < kmq_msg_of(b, order_node)->key;
}

static bool kmq_msg_id_less(const struct rb_node *a, const struct rb_node *b)
{
	const struct kmq_msg *x = kmq_msg_of(a, id_node);
	const struct kmq_msg *y = kmq_msg_of(b, id_node);
	int c = kmq_id_compare(x->md.msg_id, y->md.msg_id);

	return c ? c < 0 : x->key < y->key;
}

static bool kmq_correl_id_less(const struct rb_node *a, const struct rb_node *b)
{
	const struct kmq_msg *x = kmq_msg_of(a, correl_node);
	const struct kmq_msg *y = kmq_msg_of(b, correl_node);
	int c = kmq_id_compare(x->md.correl_id, y->md.correl_id);

	return c ? c < 0 : x->key < y->key;
}

static bool kmq_expiry_less(const struct rb_node *a, const struct rb_node *b)
{
	const struct kmq_expiry *x = rb_entry(a, struct kmq_expiry, node);
	const struct kmq_expiry *y = rb_entry(b, struct kmq_expiry, node);

	if (x->deadline != y->deadline)
		return x->deadline < y->deadline;
	return x->msg->key < y->msg->key;
}

static u8 kmq_msg_class(const struct kmq_msg *msg)
{
	const struct kmq_member *member = msg->member;
	int kind = KMQ_KIND_HEAD;

	if (!member)
		return KMQ_CLASS_PLAIN + msg->co_op_mark;
	if (member->offset)
		kind = KMQ_KIND_REST;
	else if (member->seq != 1)
		kind = KMQ_KIND_FIRST;
	return KMQ_CLASS(kind, kmq_member_file_level(msg), msg->co_op_mark);
}

static void kmq_store_file(struct kmq_store *store, struct kmq_msg *msg,
			   u8 class)
{
	msg->class = class;
	kmq_tree_add(&store->order[class], &msg->order_node, kmq_order_less);
	store->filled |= BIT(class);
	if (KMQ_CLASS_LEVEL(class) < KMQ_LEVEL_GROUP)
		msg->member->group->low[KMQ_CLASS_LEVEL(class)]++;
}

static void kmq_store_unfile(struct kmq_store *store, struct kmq_msg *msg)
{
	u8 class = msg->class;

	msg->class = KMQ_CLASS_NONE;
	kmq_tree_del(&store->order[class], &msg->order_node);
	if (kmq_tree_empty(&store->order[class]))
		store->filled &= ~BIT(class);
	if (KMQ_CLASS_LEVEL(class) < KMQ_LEVEL_GROUP)
		msg->member->group->low[KMQ_CLASS_LEVEL(class)]--;
}

/**
 * kmq_store_init - make an empty store of zeroed memory
 * @store: the store
 */
void kmq_store_init(struct kmq_store *store)
{
	INIT_LIST_HEAD(&store->changed);
	INIT_LIST_HEAD(&store->unsettled);
	INIT_LIST_HEAD(&store->rising);
	store->rise_steps = KMQ_AT_ONCE;
}

/**
 * kmq_store_refile - bring a message into the class it now belongs to
 * @store: the store
 * @msg: a message in it; one that is just being added is left alone
 */
void kmq_store_refile(struct kmq_store *store, struct kmq_msg *msg)
{
	u8 class;

	if (msg->class == KMQ_CLASS_NONE)
		return;
	class = kmq_msg_class(msg);
	if (class == msg->class)
		return;
	kmq_store_unfile(store, msg);
	kmq_store_file(store, msg, class);
}

/* Into the trees of identifiers: by MsgId only if somebody asks, no null ones. */
static __always_inline void kmq_store_add_ids(struct kmq_store *store,
					      struct kmq_msg *msg)
{
	if (msg->key < store->msg_ids_upto)
		kmq_tree_add(&store->by_msg_id, &msg->id_node,
			     kmq_msg_id_less);
	if (!kmq_id_is_null(msg->md.correl_id))
		kmq_tree_add(&store->by_correl_id, &msg->correl_node,
			     kmq_correl_id_less);
}

/**
 * kmq_store_add - make a message AVAILABLE
 * @store: the store
 * @msg: message on no list; one with a group part has been attached
 *
 * Needs no memory. Other messages of the group may change their class.
 */
void kmq_store_add(struct kmq_store *store, struct kmq_msg *msg)
{
	msg->state = KMQ_MSG_AVAILABLE;
	msg->class = KMQ_CLASS_NONE;
	WRITE_ONCE(store->count, store->count + 1);
	kmq_store_add_ids(store, msg);
	if (msg->expiry) {
		kmq_tree_add(&store->expiring, &msg->expiry->node,
			     kmq_expiry_less);
		store->expiring_count++;
	}
	if (msg->member)
		kmq_group_add(store, msg);
	kmq_store_file(store, msg, kmq_msg_class(msg));
}

/**
 * kmq_store_add_run - make messages AVAILABLE that follow each other
 * @store: the store
 * @msgs: messages on no list, in the order of their keys; no other key lies
 *	between these. None has a group part, expires or is marked
 * @count: how many, at least 1
 *
 * Needs no memory.
 */
void kmq_store_add_run(struct kmq_store *store, struct kmq_msg **msgs,
		       u32 count)
{
	struct kmq_tree *order = &store->order[KMQ_CLASS_PLAIN];
	struct rb_node *before = NULL;
	u32 i;

	WRITE_ONCE(store->count, store->count + count);
	store->filled |= BIT(KMQ_CLASS_PLAIN);
	for (i = 0; i < count; i++) {
		struct kmq_msg *msg = msgs[i];

		msg->state = KMQ_MSG_AVAILABLE;
		msg->class = KMQ_CLASS_PLAIN;
		kmq_store_add_ids(store, msg);
		if (before)
			kmq_tree_add_behind(order, &msg->order_node, before);
		else
			kmq_tree_add(order, &msg->order_node, kmq_order_less);
		before = &msg->order_node;
	}
}

static void kmq_store_del_msg_id(struct kmq_store *store, struct kmq_msg *msg)
{
	kmq_tree_del(&store->by_msg_id, &msg->id_node);
	if (!store->count)
		store->msg_ids_upto = 0;
}

/**
 * kmq_store_index_msg_ids - get ready for questions for a MsgId
 * @store: the store
 * @steps: how many messages to deal with
 *
 * The first question costs O(n log n), the others O(log n). Who can wait gets ready
 * in steps, between which others have the queue.
 *
 * Return: is it done?
 */
bool kmq_store_index_msg_ids(struct kmq_store *store, u32 steps)
{
	struct kmq_msg *msg;

	for (; !kmq_store_has_msg_ids(store); steps--) {
		msg = kmq_store_next(store, ~0U, store->msg_ids_upto);
		if (!msg) {
			/* One that is empty begins anew when it is filled. */
			store->msg_ids_upto = store->count ? U64_MAX : 0;
			return true;
		}
		if (!steps)
			return false;
		kmq_tree_add(&store->by_msg_id, &msg->id_node,
			     kmq_msg_id_less);
		store->msg_ids_upto = msg->key + 1;
		cond_resched();
	}
	return true;
}

/**
 * kmq_store_del - take a message out of the store
 * @store: the store
 * @msg: an AVAILABLE message; the caller gives it its new state
 *
 * Needs no memory.
 */
void kmq_store_del(struct kmq_store *store, struct kmq_msg *msg)
{
	WRITE_ONCE(store->count, store->count - 1);
	kmq_store_unfile(store, msg);
	if (msg->key < store->msg_ids_upto)
		kmq_store_del_msg_id(store, msg);
	if (!kmq_id_is_null(msg->md.correl_id))
		kmq_tree_del(&store->by_correl_id, &msg->correl_node);
	if (msg->expiry) {
		kmq_tree_del(&store->expiring, &msg->expiry->node);
		store->expiring_count--;
	}
	if (msg->member)
		kmq_group_del(store, msg);
}

/**
 * kmq_store_plain_first - where a run of messages may begin
 * @store: the store
 *
 * Return: the first message if all messages are of the class of those without a
 * group part, in the order of kmq_store_plain_next(); else NULL.
 */
struct kmq_msg *kmq_store_plain_first(const struct kmq_store *store)
{
	if (store->filled != BIT(KMQ_CLASS_PLAIN))
		return NULL;
	return kmq_msg_of(store->order[KMQ_CLASS_PLAIN].first, order_node);
}

/**
 * kmq_store_del_run - take the first messages out of the store
 * @store: the store
 * @msgs: kmq_store_plain_first() and those that follow it; none has a group part
 *	or expires. The caller gives them their new state
 * @count: how many, at least 1
 *
 * Needs no memory.
 */
void kmq_store_del_run(struct kmq_store *store, struct kmq_msg **msgs,
		       u32 count)
{
	struct kmq_tree *order = &store->order[KMQ_CLASS_PLAIN];
	u32 i;

	kmq_tree_del_until(order, &msgs[count - 1]->order_node);
	if (kmq_tree_empty(order))
		store->filled &= ~BIT(KMQ_CLASS_PLAIN);
	for (i = 0; i < count; i++) {
		struct kmq_msg *msg = msgs[i];

		msg->class = KMQ_CLASS_NONE;
		WRITE_ONCE(store->count, store->count - 1);
		if (msg->key < store->msg_ids_upto)
			kmq_store_del_msg_id(store, msg);
		if (!kmq_id_is_null(msg->md.correl_id))
			kmq_tree_del(&store->by_correl_id, &msg->correl_node);
	}
}

/* First message of one order tree with a key not below @from. */
static struct kmq_msg *kmq_order_from(const struct kmq_tree *tree, u64 from)
{
	struct rb_node *node = tree->root.rb_node;
	struct kmq_msg *found = NULL;

	if (!from)
		return rb_entry_safe(tree->first, struct kmq_msg, order_node);
	while (node) {
		struct kmq_msg *msg = kmq_msg_of(node, order_node);

		if (msg->key >= from) {
			found = msg;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return found;
}

/**
 * kmq_store_next - first message of some classes at or behind a place
 * @store: the store
 * @classes: bit mask of classes
 * @from: smallest key that will do; 0: from the start
 *
 * Return: the message or NULL.
 */
struct kmq_msg *kmq_store_next(const struct kmq_store *store, u32 classes,
			       u64 from)
{
	struct kmq_msg *best = NULL;
	u32 left = classes & store->filled;

	if (likely(!(left & (left - 1))))
		return left ? kmq_order_from(&store->order[__ffs(left)], from) :
			      NULL;
	for (; left; left &= left - 1) {
		struct kmq_msg *msg =
			kmq_order_from(&store->order[__ffs(left)], from);

		if (msg && (!best || msg->key < best->key))
			best = msg;
	}
	return best;
}

/**
 * kmq_store_find - the message with a certain key
 * @store: the store
 * @key: order key
 *
 * Return: the message, or NULL if it is not in the store.
 */
struct kmq_msg *kmq_store_find(const struct kmq_store *store, u64 key)
{
	u32 left;

	for (left = store->filled; left; left &= left - 1) {
		struct kmq_msg *msg =
			kmq_order_from(&store->order[__ffs(left)], key);

		if (msg && msg->key == key)
			return msg;
	}
	return NULL;
}

/**
 * kmq_store_by_msg_id - first message with a MsgId at or behind a place
 * @store: the store
 * @id: MsgId
 * @from: smallest key that will do
 */
struct kmq_msg *kmq_store_by_msg_id(struct kmq_store *store, const u8 *id,
				    u64 from)
{
	struct kmq_msg *found = NULL;
	struct rb_node *node;

	if (!kmq_store_has_msg_ids(store))
		kmq_store_index_msg_ids(store, U32_MAX);
	node = store->by_msg_id.root.rb_node;

	while (node) {
		struct kmq_msg *msg = kmq_msg_of(node, id_node);
		int c = kmq_id_compare(msg->md.msg_id, id);

		if (c > 0 || (c == 0 && msg->key >= from)) {
			if (c == 0)
				found = msg;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return found;
}

/**
 * kmq_store_by_correl_id - first message with a CorrelId at or behind a place
 * @store: the store
 * @id: CorrelId, not null
 * @from: smallest key that will do
 */
struct kmq_msg *kmq_store_by_correl_id(const struct kmq_store *store,
				       const u8 *id, u64 from)
{
	struct rb_node *node = store->by_correl_id.root.rb_node;
	struct kmq_msg *found = NULL;

	while (node) {
		struct kmq_msg *msg = kmq_msg_of(node, correl_node);
		int c = kmq_id_compare(msg->md.correl_id, id);

		if (c > 0 || (c == 0 && msg->key >= from)) {
			if (c == 0)
				found = msg;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return found;
}

/**
 * kmq_store_expired - a message whose time is over
 * @store: the store
 * @now: CLOCK_MONOTONIC, ns
 *
 * Return: the one that expired first, or NULL.
 */
struct kmq_msg *kmq_store_expired(const struct kmq_store *store, u64 now)
{
	struct kmq_expiry *expiry = rb_entry_safe(store->expiring.first,
						  struct kmq_expiry, node);

	return expiry && expiry->deadline <= now ? expiry->msg : NULL;
}

/**
 * kmq_store_has_live - is there a message whose time is not over
 * @store: the store
 * @now: CLOCK_MONOTONIC, ns
 */
bool kmq_store_has_live(const struct kmq_store *store, u64 now)
{
	struct kmq_expiry *last = rb_entry_safe(store->expiring.last,
						struct kmq_expiry, node);

	return store->count > store->expiring_count ||
	       (last && last->deadline > now);
}

/**
 * kmq_store_deadline - when the next message expires
 * @store: the store
 *
 * Return: CLOCK_MONOTONIC, ns; U64_MAX: never.
 */
u64 kmq_store_deadline(const struct kmq_store *store)
{
	struct kmq_expiry *expiry = rb_entry_safe(store->expiring.first,
						  struct kmq_expiry, node);

	return expiry ? expiry->deadline : U64_MAX;
}

/*
 * Message tokens (M-ID-9): a number of this load of the module, a number of the
 * queue, and the order key. The key finds the message without an index.
 */
u32 kmq_token_instance;

void kmq_token_new_instance(void)
{
	kmq_token_instance = get_random_u32() | 1;
}

/**
 * kmq_token_make - the token of a message
 * @token: KMQ_TOKEN_LEN bytes
 * @queue_uid: number of its queue
 * @msg: message
 */
void kmq_token_make(u8 *token, u32 queue_uid, const struct kmq_msg *msg)
{
	put_unaligned_be32(kmq_token_instance, token);
	put_unaligned_be32(queue_uid, token + 4);
	put_unaligned_be64(msg->key, token + 8);
}

/**
 * kmq_token_key - the order key a token stands for
 * @token: KMQ_TOKEN_LEN bytes
 * @queue_uid: number of the queue it is looked for on
 *
 * Return: the key, or 0, which no message has, if it is not from that queue.
 */
u64 kmq_token_key(const u8 *token, u32 queue_uid)
{
	if (get_unaligned_be32(token) != kmq_token_instance ||
	    get_unaligned_be32(token + 4) != queue_uid)
		return 0;
	return get_unaligned_be64(token + 8);
}
