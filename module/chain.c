// SPDX-License-Identifier: GPL-2.0
/*
 * Chains: which segments begin a logical message that is all there, see chain.h.
 * Guarded by the lock of the queue.
 */
#include <linux/sched.h>
#include "chain.h"
#include "item.h"
#include "limits.h"
#include "store.h"

/**
 * kmq_chain_judge - does a complete chain begin with a segment
 * @group: its group
 * @segments: its segments object, irregular, in which nothing is stale behind it
 * @item: the segment
 *
 * Return: is it a last one, or is there a next one that begins one?
 */
bool kmq_chain_judge(const struct kmq_group *group,
		     const struct kmq_segments *segments,
		     const struct kmq_member *item)
{
	s32 length = kmq_segment_length(item->msg);
	const struct kmq_member *next;

	if (kmq_is_last_segment(item->msg))
		return true;
	if (length <= 0 || length > KMQ_MAX_OFFSET - item->offset)
		return false;
	next = kmq_item_segment(group, segments, item->offset + length,
				item->msg->md.feedback);
	return next && next->whole;
}

/* Whether a chain begins at a place has changed: places in front have to know. */
static void kmq_chain_changed(struct kmq_segments *segments, s32 offset)
{
	segments->stale = offset - 1;
}

/**
 * kmq_chain_arrived - a segment has come into the store
 * @group: its group
 * @segments: its segments object, irregular
 * @item: the segment
 */
void kmq_chain_arrived(const struct kmq_group *group,
		       struct kmq_segments *segments, struct kmq_member *item)
{
	const struct kmq_member *next;
	bool was;

	item->whole = false;
	if (item->offset <= segments->stale)
		return;
	item->whole = kmq_chain_judge(group, segments, item);
	if (!item->offset || !kmq_item_is_first(item))
		return;
	next = kmq_item_following(item);
	was = next && kmq_item_same_place(next, item) && next->whole;
	if (item->whole != was)
		kmq_chain_changed(segments, item->offset);
}

/**
 * kmq_chain_leaving - a segment is about to go out of the store
 * @group: its group
 * @segments: its segments object, irregular
 * @item: the segment
 */
void kmq_chain_leaving(const struct kmq_group *group,
		       struct kmq_segments *segments,
		       const struct kmq_member *item)
{
	struct kmq_member *next;
	bool is = false;

	if (!item->offset || item->offset <= segments->stale ||
	    !kmq_item_is_first(item))
		return;
	next = kmq_item_following(item);
	if (next && kmq_item_same_place(next, item)) {
		next->whole = kmq_chain_judge(group, segments, next);
		is = next->whole;
	}
	if (item->whole != is)
		kmq_chain_changed(segments, item->offset);
}

/* The last segment that has @kind and an offset up to @offset, or NULL. */
static struct kmq_member *kmq_chain_last(const struct kmq_group *group,
					 s32 seq, enum kmq_item_kind kind,
					 s32 offset)
{
	struct kmq_member *behind = kmq_item_from(group, seq, kind, offset + 1);
	struct rb_node *last = rb_last(&group->items.rb_root);

	return behind ? kmq_item_preceding(behind) :
			rb_entry_safe(last, struct kmq_member, item_node);
}

static bool kmq_chain_is_of(const struct kmq_member *item,
			    const struct kmq_segments *segments,
			    enum kmq_item_kind kind)
{
	return item && item->segments == segments && item->kind == kind;
}

/* Judge heads of one kind anew, and file them by that. */
static void kmq_chain_settle_heads(struct kmq_store *store,
				   const struct kmq_group *group,
				   const struct kmq_segments *segments,
				   enum kmq_item_kind kind)
{
	struct kmq_member *item = kmq_item_from(group, segments->seq, kind, 0);

	for (; kmq_chain_is_of(item, segments, kind) && !item->offset;
	     item = kmq_item_following(item)) {
		item->whole = kmq_chain_judge(group, segments, item);
		kmq_store_refile(store, item->msg);
		cond_resched();
	}
}

/**
 * kmq_chain_settle - judge what is stale
 * @store: the store
 * @group: the group
 * @segments: a segments object of it, irregular
 * @steps: how many places may be judged; what is left of them
 *
 * Return: false if there were not enough: there is more to be done.
 */
bool kmq_chain_settle(struct kmq_store *store, struct kmq_group *group,
		      struct kmq_segments *segments, u32 *steps)
{
	enum kmq_item_kind kind = kmq_segments_kind(segments);
	struct kmq_member *item;

	if (segments->stale < 0)
		return true;
	item = kmq_chain_last(group, segments->seq, kind, segments->stale);
	for (; kmq_chain_is_of(item, segments, kind) && item->offset;
	     item = kmq_item_preceding(item)) {
		if (!*steps && item->offset < segments->stale) {
			segments->stale = item->offset;
			return false;
		}
		if (*steps)
			--*steps;
		if (kmq_item_is_first(item))
			item->whole = kmq_chain_judge(group, segments, item);
		cond_resched();
	}
	segments->stale = -1;
	kmq_chain_settle_heads(store, group, segments, kind);
	kmq_chain_settle_heads(store, group, segments,
			       kmq_segments_head_kind(segments));
	return true;
}
