// SPDX-License-Identifier: GPL-2.0
/*
 * Filing: where waiters stand, so that a message meets those who can have it, see
 * filing.h. Guarded by the lock of the queue.
 */
#include <linux/hash.h>
#include <linux/rbtree_augmented.h>
#include "compat.h"
#include "filing.h"
#include "handle.h"
#include "own.h"
#include "search.h"
#include "store.h"
#include "wait.h"

#define kmq_waiter_of(n)	rb_entry_safe(n, struct kmq_waiter, node)
#define kmq_asker_of(n)		rb_entry_safe(n, struct kmq_waiter, ask_node)

/* A greater one reaches more: it is there for messages further in front. */
static u64 kmq_waiter_own_reach(const struct kmq_waiter *waiter)
{
	return ~waiter->want->from;
}

RB_DECLARE_CALLBACKS_MAX(static, kmq_waiter_reach, struct kmq_waiter, node, u64,
			 reach, kmq_waiter_own_reach)

/**
 * kmq_waiter_has_own - does a waiter see messages that the others do not see?
 * @waiter: the waiter
 */
bool kmq_waiter_has_own(const struct kmq_waiter *waiter)
{
	return waiter->take ? kmq_own_any(waiter->take) :
			      !list_empty(&waiter->handle->locked);
}

/**
 * kmq_filing_any - does any message suit a waiter?
 * @waiter: the waiter
 */
bool kmq_filing_any(const struct kmq_waiter *waiter)
{
	const struct kmq_search *want = waiter->want;

	return !want->flags && !want->need_flags && !want->min_level &&
	       !want->from;
}

static const struct {
	u32 want;
	u32 shape;
} kmq_shape_flags[] = {
	{ KMQ_WANT_MSG_ID, KMQ_SHAPE_MSG_ID },
	{ KMQ_WANT_CORREL_ID, KMQ_SHAPE_CORREL_ID },
	{ KMQ_WANT_GROUP_ID, KMQ_SHAPE_GROUP_ID },
	{ KMQ_WANT_SEQ, KMQ_SHAPE_SEQ },
	{ KMQ_WANT_OFFSET, KMQ_SHAPE_OFFSET },
	{ KMQ_WANT_KEY, KMQ_SHAPE_TOKEN },
	{ KMQ_WANT_HEAD, KMQ_SHAPE_SEQ | KMQ_SHAPE_OFFSET },
	{ KMQ_WANT_WHOLE, KMQ_SHAPE_WHOLE | KMQ_SHAPE_OFFSET },
	{ KMQ_WANT_NO_CO_OP, KMQ_SHAPE_NO_CO_OP },
};

/* The numbers it asks for; two ways of asking can contradict each other. */
static void kmq_filing_set_place(struct kmq_filing *filing,
				 const struct kmq_search *want)
{
	bool head = want->flags & KMQ_WANT_HEAD;
	bool first = head || want->flags & KMQ_WANT_WHOLE;

	filing->seq = want->flags & KMQ_WANT_SEQ ? want->seq : 1;
	filing->offset = want->flags & KMQ_WANT_OFFSET ? want->offset : 0;
	if ((head && filing->seq != 1) || (first && filing->offset))
		filing->shape = KMQ_SHAPE_NEVER;
}

static void kmq_filing_set(struct kmq_filing *filing,
			   const struct kmq_search *want)
{
	u32 shape = want->min_level << KMQ_SHAPE_LEVEL_SHIFT;
	int i;

	for (i = 0; i < ARRAY_SIZE(kmq_shape_flags); i++)
		if (want->flags & kmq_shape_flags[i].want)
			shape |= kmq_shape_flags[i].shape;
	if (want->flags & KMQ_WANT_KIND)
		shape |= want->report ? KMQ_SHAPE_REPORT : KMQ_SHAPE_NO_REPORT;
	if (want->need_flags & MQMF_MSG_IN_GROUP)
		shape |= KMQ_SHAPE_IN_GROUP;
	if (want->need_flags & MQMF_SEGMENT)
		shape |= KMQ_SHAPE_SEGMENT;
	filing->shape = shape;
	filing->msg_id = want->msg_id;
	filing->correl_id = want->correl_id;
	filing->group_id = want->group_id;
	filing->token_key = want->token_key;
	kmq_filing_set_place(filing, want);
}

static void kmq_filing_of_msg(struct kmq_filing *filing,
			      const struct kmq_msg *msg)
{
	const struct kmq_member *member = msg->member;

	filing->seq = member ? member->seq : 1;
	filing->offset = member ? member->offset : 0;
	filing->msg_id = msg->md.msg_id;
	filing->correl_id = msg->md.correl_id;
	filing->group_id = member ? member->id : NULL;
	filing->token_key = msg->key;
}

static __always_inline u64 kmq_digest_word(u64 digest, u64 word)
{
	return (digest ^ word) * GOLDEN_RATIO_64;
}

static __always_inline u64 kmq_digest_id(u64 digest, const u8 *id)
{
	digest = kmq_digest_word(digest, get_unaligned((const u64 *)id));
	digest = kmq_digest_word(digest, get_unaligned((const u64 *)(id + 8)));
	return kmq_digest_word(digest, get_unaligned((const u64 *)(id + 16)));
}

/* Of what is named by its shape. */
static __always_inline u64 kmq_filing_digest(const struct kmq_filing *filing)
{
	u32 shape = filing->shape;
	u64 digest = 0;

	if (shape & KMQ_SHAPE_MSG_ID)
		digest = kmq_digest_id(digest, filing->msg_id);
	if (shape & KMQ_SHAPE_CORREL_ID)
		digest = kmq_digest_id(digest, filing->correl_id);
	if (likely(!(shape & KMQ_SHAPE_OTHER_KEYS)))
		return digest;
	if (shape & KMQ_SHAPE_GROUP_ID)
		digest = kmq_digest_id(digest, filing->group_id);
	if (shape & KMQ_SHAPE_SEQ)
		digest = kmq_digest_word(digest, filing->seq);
	if (shape & KMQ_SHAPE_OFFSET)
		digest = kmq_digest_word(digest, filing->offset);
	if (shape & KMQ_SHAPE_TOKEN)
		digest = kmq_digest_word(digest, filing->token_key);
	return digest;
}

/* In the order of keys, of two of the same shape. */
static int kmq_filing_compare_keys(const struct kmq_filing *a,
				   const struct kmq_filing *b)
{
	u32 shape = a->shape;
	int c = 0;

	if (shape & KMQ_SHAPE_MSG_ID)
		c = kmq_id_compare(a->msg_id, b->msg_id);
	if (!c && shape & KMQ_SHAPE_CORREL_ID)
		c = kmq_id_compare(a->correl_id, b->correl_id);
	if (!c && shape & KMQ_SHAPE_GROUP_ID)
		c = kmq_id_compare(a->group_id, b->group_id);
	if (!c && shape & KMQ_SHAPE_SEQ && a->seq != b->seq)
		c = a->seq < b->seq ? -1 : 1;
	if (!c && shape & KMQ_SHAPE_OFFSET && a->offset != b->offset)
		c = a->offset < b->offset ? -1 : 1;
	if (!c && shape & KMQ_SHAPE_TOKEN && a->token_key != b->token_key)
		c = a->token_key < b->token_key ? -1 : 1;
	return c;
}

/* Of two of the same shape and number. */
static noinline int kmq_filing_compare_whole(const struct kmq_filing *a,
					     const struct kmq_filing *b)
{
	int c = kmq_filing_compare_keys(a, b);

	if (!c && a->ticket != b->ticket)
		c = a->ticket < b->ticket ? -1 : 1;
	return c;
}

static __always_inline bool kmq_filing_less(const struct kmq_filing *a,
					    const struct kmq_filing *b)
{
	if (likely(a->digest != b->digest))
		return a->digest < b->digest;
	return kmq_filing_compare_whole(a, b) < 0;
}

/* Askers: who sees messages of its own, who names a group, who came first. */
static int kmq_asker_compare(const struct kmq_waiter *waiter, bool owns,
			     const u8 *group_id, u64 ticket)
{
	const u8 *own_id = waiter->want->flags & KMQ_WANT_GROUP_ID ?
			   waiter->want->group_id : NULL;
	int c;

	if (waiter->owns != owns)
		return waiter->owns < owns ? -1 : 1;
	if (!own_id != !group_id)
		return own_id ? 1 : -1;
	c = own_id ? kmq_id_compare(own_id, group_id) : 0;
	if (!c && waiter->file.ticket != ticket)
		c = waiter->file.ticket < ticket ? -1 : 1;
	return c;
}

static bool kmq_asker_less(struct rb_node *a, const struct rb_node *b)
{
	const struct kmq_waiter *y = kmq_asker_of(b);

	return kmq_asker_compare(kmq_asker_of(a), y->owns,
				 y->want->flags & KMQ_WANT_GROUP_ID ?
				 y->want->group_id : NULL, y->file.ticket) < 0;
}

/**
 * kmq_file_init - make a place for waiters
 * @file: set to one without any
 */
void kmq_file_init(struct kmq_file *file)
{
	INIT_LIST_HEAD(&file->shapes);
	file->askers = RB_ROOT;
}

/* The leader of a shape, or NULL. */
static struct kmq_waiter *kmq_file_leader(const struct kmq_file *file, u32 shape)
{
	struct kmq_waiter *leader;

	list_for_each_entry(leader, &file->shapes, link)
		if (leader->file.shape == shape)
			return leader;
	return NULL;
}

static void kmq_shape_add(struct rb_root *filed, struct kmq_waiter *waiter)
{
	struct rb_node **link = &filed->rb_node, *parent = NULL;

	waiter->reach = kmq_waiter_own_reach(waiter);
	while (*link) {
		struct kmq_waiter *other = kmq_waiter_of(*link);

		parent = *link;
		other->reach = max(other->reach, waiter->reach);
		if (kmq_filing_less(&waiter->file, &other->file))
			link = &parent->rb_left;
		else
			link = &parent->rb_right;
	}
	rb_link_node(&waiter->node, parent, link);
	rb_insert_augmented(&waiter->node, filed, &kmq_waiter_reach);
}

/**
 * kmq_file_add - file a waiter
 * @file: where
 * @waiter: waiter that has its ticket
 */
void kmq_file_add(struct kmq_file *file, struct kmq_waiter *waiter)
{
	struct kmq_waiter *leader;

	kmq_filing_set(&waiter->file, waiter->want);
	waiter->file.digest = kmq_filing_digest(&waiter->file);
	leader = kmq_file_leader(file, waiter->file.shape);
	if (!leader) {
		leader = waiter;
		leader->filed = RB_ROOT;
		list_add_tail(&leader->link, &file->shapes);
	}
	kmq_shape_add(&leader->filed, waiter);
	if (!waiter->want->min_level)
		return;
	waiter->owns = kmq_waiter_has_own(waiter);
	rb_add(&waiter->ask_node, &file->askers, kmq_asker_less);
}

/* A leader that has left the tree leaves the list, too. */
static void kmq_leader_resign(struct kmq_waiter *leader)
{
	struct kmq_waiter *next = kmq_waiter_of(leader->filed.rb_node);

	if (!next) {
		list_del(&leader->link);
		return;
	}
	next->filed = leader->filed;
	list_replace(&leader->link, &next->link);
}

/**
 * kmq_file_del - take a waiter out
 * @file: where it stands
 * @waiter: the waiter
 */
void kmq_file_del(struct kmq_file *file, struct kmq_waiter *waiter)
{
	struct kmq_waiter *leader = kmq_file_leader(file, waiter->file.shape);

	rb_erase_augmented(&waiter->node, &leader->filed, &kmq_waiter_reach);
	if (leader == waiter)
		kmq_leader_resign(waiter);
	if (waiter->want->min_level)
		rb_erase(&waiter->ask_node, &file->askers);
}

/**
 * kmq_file_own - an asker has got messages of its own to see
 * @file: where it stands
 * @waiter: asker
 */
void kmq_file_own(struct kmq_file *file, struct kmq_waiter *waiter)
{
	if (waiter->owns)
		return;
	rb_erase(&waiter->ask_node, &file->askers);
	waiter->owns = true;
	rb_add(&waiter->ask_node, &file->askers, kmq_asker_less);
}

static struct kmq_waiter *kmq_file_first_of(const struct kmq_file *file,
					    const struct list_head *leader)
{
	if (leader == &file->shapes)
		return NULL;
	return kmq_waiter_of(rb_first(&list_entry(leader, struct kmq_waiter,
						  link)->filed));
}

/**
 * kmq_file_first - begin to go through all that are filed
 * @file: waiters
 *
 * Return: one of them, or NULL.
 */
struct kmq_waiter *kmq_file_first(const struct kmq_file *file)
{
	return kmq_file_first_of(file, file->shapes.next);
}

/**
 * kmq_file_behind - go on to go through all that are filed
 * @file: waiters
 * @waiter: the last one, which may be taken out as soon as the next one is known
 *
 * Return: the next one, or NULL.
 */
struct kmq_waiter *kmq_file_behind(const struct kmq_file *file,
				   const struct kmq_waiter *waiter)
{
	struct rb_node *next = rb_next(&waiter->node);

	if (next)
		return kmq_waiter_of(next);
	return kmq_file_first_of(file, kmq_file_leader(file, waiter->file.shape)
				       ->link.next);
}

/* In the tree of a shape the first one not before a place. */
static __always_inline struct kmq_waiter *
kmq_shape_from(const struct rb_root *filed, const struct kmq_filing *filing)
{
	struct rb_node *node = filed->rb_node;
	struct kmq_waiter *found = NULL;

	while (node) {
		struct kmq_waiter *waiter = kmq_waiter_of(node);

		if (kmq_filing_less(&waiter->file, filing)) {
			node = node->rb_right;
		} else {
			found = waiter;
			node = node->rb_left;
		}
	}
	return found;
}

static bool kmq_reaches(struct rb_node *subtree, u64 reach)
{
	return subtree && kmq_waiter_of(subtree)->reach >= reach;
}

/* The first one in a subtree in which there is one. */
static struct kmq_waiter *kmq_reach_first(struct rb_node *node, u64 reach)
{
	for (;;) {
		if (kmq_reaches(node->rb_left, reach)) {
			node = node->rb_left;
			continue;
		}
		if (kmq_waiter_own_reach(kmq_waiter_of(node)) >= reach)
			return kmq_waiter_of(node);
		node = node->rb_right;
	}
}

/* From @waiter on, the first one that is there for so small a key. */
static struct kmq_waiter *kmq_reach_from(struct kmq_waiter *waiter, u64 key)
{
	struct rb_node *node = &waiter->node, *parent;
	u64 reach = ~key;

	while (kmq_waiter_own_reach(kmq_waiter_of(node)) < reach) {
		if (kmq_reaches(node->rb_right, reach))
			return kmq_reach_first(node->rb_right, reach);
		while ((parent = rb_parent(node)) && node == parent->rb_right)
			node = parent;
		if (!parent)
			return NULL;
		node = parent;
	}
	return kmq_waiter_of(node);
}

/* What a message does not have: it suits no shape with any of that. */
static u32 kmq_shape_lacks(const struct kmq_msg *msg)
{
	u32 lacks = KMQ_SHAPE_NEVER;

	lacks |= kmq_msg_is_report(msg) ? KMQ_SHAPE_NO_REPORT :
					  KMQ_SHAPE_REPORT;
	if (!msg->member)
		lacks |= KMQ_SHAPE_GROUP_ID;
	if (msg->co_op_mark)
		lacks |= KMQ_SHAPE_NO_CO_OP;
	if (!(msg->msg_flags & MQMF_MSG_IN_GROUP))
		lacks |= KMQ_SHAPE_IN_GROUP;
	if (!(msg->msg_flags & MQMF_SEGMENT))
		lacks |= KMQ_SHAPE_SEGMENT;
	return lacks;
}

/* Is there as much around the message as a shape asks for? */
static bool kmq_shape_complete(u32 shape, const struct kmq_msg *msg)
{
	struct kmq_search want = {
		.flags = shape & KMQ_SHAPE_WHOLE ? KMQ_WANT_WHOLE : 0,
		.min_level = (shape & KMQ_SHAPE_LEVEL) >> KMQ_SHAPE_LEVEL_SHIFT,
	};

	return kmq_search_complete(&want, msg);
}

/* Of the waiters of one shape that a message suits, the one whose turn is next. */
static __always_inline struct kmq_waiter *
kmq_shape_next(const struct kmq_waiter *leader, const struct kmq_msg *msg,
	       struct kmq_filing *filing)
{
	struct kmq_waiter *waiter;

	filing->shape = leader->file.shape;
	filing->digest = kmq_filing_digest(filing);
	waiter = kmq_shape_from(&leader->filed, filing);
	if (!waiter || waiter->file.digest != filing->digest)
		return NULL;
	waiter = kmq_reach_from(waiter, msg->key);
	if (!waiter || waiter->file.digest != filing->digest ||
	    kmq_filing_compare_keys(&waiter->file, filing))
		return NULL;
	return waiter;
}

/**
 * kmq_file_next - of the waiters that a message suits, the one whose turn is next
 * @file: waiters
 * @msg: message in the store
 * @ticket: smallest ticket that will do
 *
 * Return: the waiter or NULL.
 */
struct kmq_waiter *kmq_file_next(const struct kmq_file *file,
				 const struct kmq_msg *msg, u64 ticket)
{
	struct kmq_waiter *best = NULL, *leader, *waiter;
	u32 lacks = kmq_shape_lacks(msg);
	struct kmq_filing filing;

	kmq_filing_of_msg(&filing, msg);
	filing.ticket = ticket;
	list_for_each_entry(leader, &file->shapes, link) {
		u32 shape = leader->file.shape;

		if (shape & lacks || (shape & KMQ_SHAPE_LEVEL &&
				      !kmq_shape_complete(shape, msg)))
			continue;
		waiter = kmq_shape_next(leader, msg, &filing);
		if (waiter &&
		    (!best || waiter->file.ticket < best->file.ticket))
			best = waiter;
	}
	return best;
}

/* The first asker of a kind. */
static struct kmq_waiter *kmq_asker_first(const struct kmq_file *file,
					  bool owns, const u8 *group_id)
{
	struct rb_node *node = file->askers.rb_node;
	struct kmq_waiter *found = NULL;

	while (node) {
		struct kmq_waiter *waiter = kmq_asker_of(node);

		if (kmq_asker_compare(waiter, owns, group_id, 0) >= 0) {
			found = waiter;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return found && !kmq_asker_compare(found, owns, group_id,
					   found->file.ticket) ? found : NULL;
}

/* The next one of the same kind. */
static struct kmq_waiter *kmq_asker_next(const struct kmq_waiter *waiter)
{
	struct kmq_waiter *next = kmq_asker_of(rb_next(&waiter->ask_node));

	if (!next)
		return NULL;
	return kmq_asker_compare(next, waiter->owns,
				 waiter->want->flags & KMQ_WANT_GROUP_ID ?
				 waiter->want->group_id : NULL,
				 next->file.ticket) ? NULL : next;
}

/**
 * kmq_asks_begin - find those who must be asked because something happened to a group
 * @asks: set to the first ones
 * @file: waiters
 * @group_id: GroupId
 * @rose: messages of it may have become complete; otherwise only those are
 *	concerned who see messages of their own
 */
void kmq_asks_begin(struct kmq_asks *asks, const struct kmq_file *file,
		    const u8 *group_id, bool rose)
{
	memset(asks, 0, sizeof(*asks));
	if (RB_EMPTY_ROOT(&file->askers))
		return;
	asks->next[0] = kmq_asker_first(file, true, NULL);
	asks->next[1] = kmq_asker_first(file, true, group_id);
	if (!rose)
		return;
	asks->next[2] = kmq_asker_first(file, false, NULL);
	asks->next[3] = kmq_asker_first(file, false, group_id);
}

/**
 * kmq_asks_first - the asker whose turn is next
 * @asks: the askers
 *
 * Return: the waiter, or NULL.
 */
struct kmq_waiter *kmq_asks_first(const struct kmq_asks *asks)
{
	struct kmq_waiter *best = NULL;
	int i;

	for (i = 0; i < KMQ_ASKS; i++)
		if (asks->next[i] &&
		    (!best || asks->next[i]->file.ticket < best->file.ticket))
			best = asks->next[i];
	return best;
}

/**
 * kmq_asks_pass - a waiter is asked, after which it may be gone
 * @asks: the askers
 * @waiter: the waiter, perhaps one of these
 */
void kmq_asks_pass(struct kmq_asks *asks, const struct kmq_waiter *waiter)
{
	int i;

	for (i = 0; i < KMQ_ASKS; i++)
		if (asks->next[i] == waiter)
			asks->next[i] = kmq_asker_next(waiter);
}
