// SPDX-License-Identifier: GPL-2.0
/*
 * Items: the messages of a group by place, see item.h. Guarded by the lock of the
 * queue.
 */
#include <linux/rbtree_augmented.h>
#include <linux/sched.h>
#include "item.h"
#include "limits.h"

/* So many reports of one place are looked at one by one. */
#define KMQ_ITEM_FEW	16

/* Number, kind and offset of a place, in this order. */
static u64 kmq_item_place(s32 seq, enum kmq_item_kind kind, s32 offset)
{
	BUILD_BUG_ON(KMQ_MAX_OFFSET > 0x3fffffff || KMQ_ITEM_KINDS > 8);
	return (u64)(u32)seq << 33 | (u64)kind << 30 | offset;
}

static u64 kmq_item_place_of(const struct kmq_member *item)
{
	return kmq_item_place(item->seq, item->kind, item->offset);
}

/* What tells places apart that have all else in common. */
static u32 kmq_item_feedback(const struct kmq_member *item)
{
	return item->kind == KMQ_ITEM_REPORT && item->offset ?
	       item->msg->md.feedback : 0;
}

/**
 * kmq_item_same_place - are two items at the same place
 * @a: an item
 * @b: an item
 */
bool kmq_item_same_place(const struct kmq_member *a, const struct kmq_member *b)
{
	return kmq_item_place_of(a) == kmq_item_place_of(b) &&
	       kmq_item_feedback(a) == kmq_item_feedback(b);
}

/**
 * kmq_item_kind - the kind of a message with a group part
 * @msg: the message
 */
enum kmq_item_kind kmq_item_kind(const struct kmq_msg *msg)
{
	bool head = !msg->member->offset && kmq_is_in_group(msg);

	if (!kmq_is_segment(msg))
		return kmq_is_in_group(msg) ? KMQ_ITEM_MESSAGE : KMQ_ITEM_ALONE;
	if (kmq_msg_is_report(msg))
		return head ? KMQ_ITEM_REPORT_HEAD : KMQ_ITEM_REPORT;
	return head ? KMQ_ITEM_HEAD : KMQ_ITEM_SEGMENT;
}

static bool kmq_item_before(const struct kmq_member *item, u64 place,
			    u32 feedback, u64 key)
{
	u64 at = kmq_item_place_of(item);
	u32 its;

	if (at != place)
		return at < place;
	its = kmq_item_feedback(item);
	if (its != feedback)
		return its < feedback;
	return item->msg->key < key;
}

/* What those that lead count in kmq_member.leading, and that any ends the group. */
#define KMQ_LEADING_ENDS	1
#define KMQ_LEADING_ONE		2

static struct kmq_member *kmq_item_of(const struct rb_node *node)
{
	return rb_entry(node, struct kmq_member, item_node);
}

static u32 kmq_leading_at(const struct rb_node *node)
{
	return node ? kmq_item_of(node)->leading : 0;
}

/* Return: is it as it was, so that nothing changes above it, either? */
static bool kmq_leading_compute(struct kmq_member *item, bool stop)
{
	u32 left = kmq_leading_at(item->item_node.rb_left);
	u32 right = kmq_leading_at(item->item_node.rb_right);
	u32 sum = (left & ~KMQ_LEADING_ENDS) + (right & ~KMQ_LEADING_ENDS) +
		  (item->leads ? KMQ_LEADING_ONE : 0);

	sum |= ((left | right) & KMQ_LEADING_ENDS) | item->ends;
	if (stop && item->leading == sum)
		return true;
	item->leading = sum;
	return false;
}

RB_DECLARE_CALLBACKS(static, kmq_leading_keep, struct kmq_member, item_node,
		     leading, kmq_leading_compute);

/**
 * kmq_item_add - let an item have its place
 * @group: its group
 * @item: group part of a message, not in the store yet
 */
void kmq_item_add(struct kmq_group *group, struct kmq_member *item)
{
	struct rb_node **link = &group->items.rb_root.rb_node, *parent = NULL;
	u64 place = kmq_item_place_of(item);
	u32 feedback = kmq_item_feedback(item);
	bool is_first = true;

	while (*link) {
		parent = *link;
		if (kmq_item_before(kmq_item_of(parent), place, feedback,
				    item->msg->key)) {
			link = &parent->rb_right;
			is_first = false;
		} else {
			link = &parent->rb_left;
		}
	}
	item->leads = false;
	item->ends = false;
	item->leading = 0;
	rb_link_node(&item->item_node, parent, link);
	rb_insert_augmented_cached(&item->item_node, &group->items, is_first,
				   &kmq_leading_keep);
}

/**
 * kmq_item_del - take an item from its place
 * @group: its group
 * @item: the item, which leads no longer if it did
 */
void kmq_item_del(struct kmq_group *group, struct kmq_member *item)
{
	rb_erase_augmented_cached(&item->item_node, &group->items,
				  &kmq_leading_keep);
}

/**
 * kmq_item_set_leads - let an item lead, or no longer
 * @item: an item that does not, or does
 * @leads: it does now
 * @ends: and ends the group
 */
void kmq_item_set_leads(struct kmq_member *item, bool leads, bool ends)
{
	item->leads = leads;
	item->ends = ends;
	kmq_leading_keep_propagate(&item->item_node, NULL);
}

/* The first that leads in a subtree that has such. */
static struct kmq_member *kmq_leading_first(const struct rb_node *node)
{
	u32 left;

	while ((left = kmq_leading_at(node->rb_left)) ||
	       !kmq_item_of(node)->leads)
		node = left ? node->rb_left : node->rb_right;
	return kmq_item_of(node);
}

static struct kmq_member *kmq_item_very_first(const struct kmq_group *group)
{
	struct rb_node *node = rb_first_cached(&group->items);

	return node ? kmq_item_of(node) : NULL;
}

/**
 * kmq_item_leading - who leads for a number
 * @group: the group
 * @seq: MsgSeqNumber
 *
 * Return: the item or NULL.
 */
struct kmq_member *kmq_item_leading(const struct kmq_group *group, s32 seq)
{
	const struct rb_node *node = group->items.rb_root.rb_node, *last = NULL;
	struct kmq_member *item = kmq_item_very_first(group);

	/* Those in front have been got. */
	if (item && item->leads && item->seq >= seq)
		return item->seq == seq ? item : NULL;
	/* The last one met that has such at it or behind it has the first. */
	while (node && kmq_leading_at(node)) {
		if (kmq_item_of(node)->seq < seq) {
			node = node->rb_right;
			continue;
		}
		if (kmq_item_of(node)->leads || kmq_leading_at(node->rb_right))
			last = node;
		node = node->rb_left;
	}
	if (!last)
		return NULL;
	item = kmq_item_of(last);
	if (!item->leads)
		item = kmq_leading_first(last->rb_right);
	return item->seq == seq ? item : NULL;
}

/**
 * kmq_items_are_whole - is there everything up to an end
 * @group: the group
 *
 * Return: do those that lead, up to the first that ends the group, have all numbers
 * (M-GRP-4)?
 */
bool kmq_items_are_whole(const struct kmq_group *group)
{
	const struct rb_node *node = group->items.rb_root.rb_node;
	u32 before = 0;

	if (!(kmq_leading_at(node) & KMQ_LEADING_ENDS))
		return false;
	for (;;) {
		const struct kmq_member *item = kmq_item_of(node);
		u32 left = kmq_leading_at(node->rb_left);

		if (left & KMQ_LEADING_ENDS) {
			node = node->rb_left;
			continue;
		}
		before += left / KMQ_LEADING_ONE;
		if (item->ends)
			return before + 1 == item->seq;
		before += item->leads;
		node = node->rb_right;
	}
}

/* First item not before that. */
static struct kmq_member *kmq_item_find(const struct kmq_group *group,
					u64 place, u32 feedback, u64 key)
{
	struct rb_node *node = group->items.rb_root.rb_node;
	struct kmq_member *found = kmq_item_very_first(group);

	/* Those in front have been got. */
	if (found && !kmq_item_before(found, place, feedback, key))
		return found;
	found = NULL;
	while (node) {
		struct kmq_member *item = kmq_item_of(node);

		if (kmq_item_before(item, place, feedback, key)) {
			node = node->rb_right;
		} else {
			found = item;
			node = node->rb_left;
		}
	}
	return found;
}

/**
 * kmq_item_from - first item at or behind a place
 * @group: the group
 * @seq: MsgSeqNumber
 * @kind: kind
 * @offset: Offset
 */
struct kmq_member *kmq_item_from(const struct kmq_group *group, s32 seq,
				 enum kmq_item_kind kind, s32 offset)
{
	return kmq_item_find(group, kmq_item_place(seq, kind, offset), 0, 0);
}

/**
 * kmq_item_first - first item of a place, of reports with the lowest Feedback
 * @group: the group
 * @seq: MsgSeqNumber
 * @kind: kind
 * @offset: Offset
 *
 * Return: the item or NULL.
 */
struct kmq_member *kmq_item_first(const struct kmq_group *group, s32 seq,
				  enum kmq_item_kind kind, s32 offset)
{
	struct kmq_member *item = kmq_item_from(group, seq, kind, offset);

	if (!item || item->seq != seq || item->kind != kind ||
	    item->offset != offset)
		return NULL;
	return item;
}

/**
 * kmq_item_segment - the segment that counts at a place behind the first ones
 * @group: the group
 * @segments: whose
 * @offset: Offset, not 0
 * @feedback: of reports, their Feedback
 *
 * Return: the first in physical order, or NULL.
 */
struct kmq_member *kmq_item_segment(const struct kmq_group *group,
				    const struct kmq_segments *segments,
				    s32 offset, s32 feedback)
{
	u64 place = kmq_item_place(segments->seq, kmq_segments_kind(segments),
				   offset);
	u32 its = segments->report ? feedback : 0;
	struct kmq_member *item = kmq_item_find(group, place, its, 0);

	if (!item || kmq_item_place_of(item) != place ||
	    kmq_item_feedback(item) != its)
		return NULL;
	return item;
}

/* Of many reports at one place, by the order of keys. */
static struct kmq_member *kmq_item_by_key(const struct kmq_group *group,
					  u64 place, u64 from)
{
	struct kmq_msg *msg = kmq_group_next(group, from);
	struct rb_node *node;

	if (!msg)
		return NULL;
	for (node = &msg->member->order_node; node; node = rb_next(node)) {
		struct kmq_member *item = rb_entry(node, struct kmq_member,
						   order_node);

		if (kmq_item_place_of(item) == place)
			return item;
		cond_resched();
	}
	return NULL;
}

/* First report at a place, whatever its Feedback, with a key not below @from. */
static struct kmq_member *kmq_item_report(const struct kmq_group *group,
					  u64 place, u64 from)
{
	struct kmq_member *item = kmq_item_find(group, place, 0, 0);
	struct kmq_member *best = NULL;
	int few = KMQ_ITEM_FEW;

	for (; item && kmq_item_place_of(item) == place;
	     item = kmq_item_following(item)) {
		if (!few--)
			return kmq_item_by_key(group, place, from);
		if (item->msg->key >= from &&
		    (!best || item->msg->key < best->msg->key))
			best = item;
	}
	return best;
}

static struct kmq_member *kmq_item_of_kind(const struct kmq_group *group,
					   s32 seq, enum kmq_item_kind kind,
					   s32 offset, u64 from)
{
	u64 place = kmq_item_place(seq, kind, offset);
	struct kmq_member *item;

	if (kind == KMQ_ITEM_REPORT && offset)
		return kmq_item_report(group, place, from);
	item = kmq_item_find(group, place, 0, from);
	return item && kmq_item_place_of(item) == place ? item : NULL;
}

/**
 * kmq_group_item - the message at a certain place in a group
 * @group: the group
 * @seq: MsgSeqNumber
 * @offset: Offset
 * @from: smallest key that will do
 *
 * Return: the first in physical order, of any kind, or NULL.
 */
struct kmq_msg *kmq_group_item(const struct kmq_group *group, s32 seq,
			       s32 offset, u64 from)
{
	struct kmq_member *best = NULL, *item;
	int kind;

	if (seq < 0 || offset < 0 || offset > KMQ_MAX_OFFSET)
		return NULL;
	for (kind = 0; kind < KMQ_ITEM_KINDS; kind++) {
		if (kind == KMQ_ITEM_ALONE && (seq != 1 || offset))
			continue;
		/* No segments: nothing else has that number. */
		if (kind > KMQ_ITEM_ALONE && RB_EMPTY_ROOT(&group->segments))
			break;
		if (kind >= KMQ_ITEM_REPORT_HEAD && !group->has_reports)
			break;
		if (offset && kind != KMQ_ITEM_SEGMENT &&
		    kind != KMQ_ITEM_REPORT)
			continue;
		item = kmq_item_of_kind(group, seq, kind, offset, from);
		if (item && (!best || item->msg->key < best->msg->key))
			best = item;
	}
	return best ? best->msg : NULL;
}
