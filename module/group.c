// SPDX-License-Identifier: GPL-2.0
/*
 * Groups and segments: which messages belong together and whether all of them
 * are there. Guarded by the lock of the queue.
 */
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "chain.h"
#include "group.h"
#include "item.h"
#include "limits.h"
#include "store.h"

/**
 * kmq_segment_length - bytes of the logical message a segment stands for
 * @msg: a segment
 *
 * Return: its data length, for a report the length of the segment it is about
 * (M-SEG-2).
 */
s32 kmq_segment_length(const struct kmq_msg *msg)
{
	if (kmq_msg_is_report(msg))
		return msg->member->original_length;
	return msg->length;
}

/* Group objects */

static struct rb_node **kmq_group_place(struct kmq_store *store, const u8 *id,
					struct rb_node **parent)
{
	struct rb_node **link = &store->groups.rb_node;

	*parent = NULL;
	while (*link) {
		struct kmq_group *group =
			rb_entry(*link, struct kmq_group, node);
		int c = kmq_id_compare(id, group->id);

		if (!c)
			break;
		*parent = *link;
		link = c < 0 ? &(*link)->rb_left : &(*link)->rb_right;
	}
	return link;
}

/**
 * kmq_group_find - the group object of an identifier
 * @store: the store
 * @id: GroupId
 *
 * Return: the group or NULL. A group may have no message in the store.
 */
struct kmq_group *kmq_group_find(const struct kmq_store *store, const u8 *id)
{
	struct rb_node *parent;
	struct rb_node **link =
		kmq_group_place((struct kmq_store *)store, id, &parent);

	return rb_entry_safe(*link, struct kmq_group, node);
}

static struct rb_node **kmq_segments_place(struct kmq_group *group, s32 seq,
					   bool report, struct rb_node **parent)
{
	struct rb_node **link = &group->segments.rb_node;

	*parent = NULL;
	while (*link) {
		struct kmq_segments *segments =
			rb_entry(*link, struct kmq_segments, node);

		if (seq == segments->seq && report == segments->report)
			break;
		*parent = *link;
		if (seq < segments->seq ||
		    (seq == segments->seq && report < segments->report))
			link = &(*link)->rb_left;
		else
			link = &(*link)->rb_right;
	}
	return link;
}

/* Unused memory for a group object. */
static struct kmq_group *kmq_group_alloc(struct kmq_store *store)
{
	struct kmq_group *group = NULL;

	if (READ_ONCE(store->spare))
		group = xchg(&store->spare, NULL);
	return group ?: kmalloc(sizeof(*group), GFP_KERNEL_ACCOUNT);
}

/* One is kept: the next message to be put needs one, if only to look. */
static void kmq_group_free(struct kmq_store *store, struct kmq_group *group)
{
	if (READ_ONCE(store->spare) || cmpxchg(&store->spare, NULL, group))
		kfree(group);
}

/**
 * kmq_group_spare_free - free the memory that is kept for the next group
 * @store: the store
 */
void kmq_group_spare_free(struct kmq_store *store)
{
	kfree(xchg(&store->spare, NULL));
}

/**
 * kmq_group_prepare - get the memory that attaching a message may need
 * @store: the store, not locked
 * @msg: message with a group part and its final flags, which keeps the memory
 *	until it is attached or freed
 *
 * Return: 0 or -ENOMEM.
 */
int kmq_group_prepare(struct kmq_store *store, struct kmq_msg *msg)
{
	struct kmq_member *member = msg->member;

	if (!member->group)
		member->group = kmq_group_alloc(store);
	if (!member->group)
		return -ENOMEM;
	if (kmq_is_segment(msg) && !member->segments)
		member->segments = kmalloc(sizeof(*member->segments),
					   GFP_KERNEL_ACCOUNT);
	return kmq_is_segment(msg) && !member->segments ? -ENOMEM : 0;
}

static void kmq_segments_init(struct kmq_segments *segments,
			      struct kmq_group *group, s32 seq, bool report)
{
	segments->seq = seq;
	segments->report = report;
	segments->complete = false;
	segments->irregular = report;
	segments->last_in_group = false;
	segments->unwalked = false;
	segments->stale = -1;
	segments->next_offset = 0;
	segments->group = group;
	INIT_LIST_HEAD(&segments->unsettled);
	refcount_set(&segments->refs, 1);
}

static void kmq_segments_attach(struct kmq_group *group, struct kmq_msg *msg)
{
	struct kmq_member *member = msg->member;
	bool report = kmq_msg_is_report(msg);
	struct rb_node *parent, **link;
	struct kmq_segments *segments;

	link = kmq_segments_place(group, member->seq, report, &parent);
	segments = rb_entry_safe(*link, struct kmq_segments, node);
	if (segments) {
		kfree(member->segments);
		refcount_inc(&segments->refs);
		member->segments = segments;
		return;
	}
	kmq_segments_init(member->segments, group, member->seq, report);
	if (report)
		group->has_reports = true;
	rb_link_node(&member->segments->node, parent, link);
	rb_insert_color(&member->segments->node, &group->segments);
}

static void kmq_group_init(struct kmq_group *group, const u8 *id)
{
	memcpy(group->id, id, KMQ_ID_LEN);
	group->items = RB_ROOT_CACHED;
	kmq_tree_clear(&group->order);
	group->segments = RB_ROOT;
	group->complete = false;
	group->rose = false;
	group->has_reports = false;
	memset(group->low, 0, sizeof(group->low));
	group->loose = 0;
	refcount_set(&group->refs, 1);
	INIT_LIST_HEAD(&group->changed);
	INIT_LIST_HEAD(&group->rising);
}

/**
 * kmq_group_attach - give a message that is put on the queue its group objects
 * @store: the store
 * @msg: message with a group part, not in the store yet, prepared unless it comes
 *	behind another one of the same logical message under the same lock
 */
void kmq_group_attach(struct kmq_store *store, struct kmq_msg *msg)
{
	struct kmq_member *member = msg->member;
	struct rb_node *parent, **link;
	struct kmq_group *group;

	link = kmq_group_place(store, member->id, &parent);
	group = rb_entry_safe(*link, struct kmq_group, node);
	if (group) {
		if (member->group)
			kmq_group_free(store, member->group);
		refcount_inc(&group->refs);
		member->group = group;
	} else {
		kmq_group_init(member->group, member->id);
		rb_link_node(&member->group->node, parent, link);
		rb_insert_color(&member->group->node, &store->groups);
	}
	member->kind = kmq_item_kind(msg);
	if (kmq_is_segment(msg))
		kmq_segments_attach(member->group, msg);
}

static bool kmq_segments_settle(struct kmq_store *store,
				struct kmq_segments *segments, u32 *steps);

/* The last segment is gone: what that comes to cannot be found out later. */
static void kmq_segments_free(struct kmq_store *store, struct kmq_group *group,
			      struct kmq_segments *segments)
{
	u32 steps = U32_MAX;

	if (!list_empty(&segments->unsettled))
		kmq_segments_settle(store, segments, &steps);
	rb_erase(&segments->node, &group->segments);
	kfree(segments);
}

/**
 * kmq_group_detach - end what kmq_group_attach() began
 * @store: the store
 * @msg: message that leaves the queue for good and is out of the store
 */
void kmq_group_detach(struct kmq_store *store, struct kmq_msg *msg)
{
	struct kmq_group *group = msg->member->group;
	struct kmq_segments *segments = msg->member->segments;

	if (segments && refcount_dec_and_test(&segments->refs))
		kmq_segments_free(store, group, segments);
	if (refcount_dec_and_test(&group->refs)) {
		rb_erase(&group->node, &store->groups);
		list_del(&group->changed);
		list_del(&group->rising);
		kmq_group_free(store, group);
	}
	msg->member->group = NULL;
	msg->member->segments = NULL;
}

/**
 * kmq_group_leave - the same without the lock of the queue
 * @msg: message that leaves the queue for good and is out of the store
 *
 * References are given up under the lock or while others are left, so nobody but
 * the holder of the lock ever sees the last one go.
 *
 * Return: false if it is the last one of its group or logical message:
 * kmq_group_detach() must do the rest.
 */
bool kmq_group_leave(struct kmq_msg *msg)
{
	struct kmq_member *member = msg->member;

	if (member->segments) {
		if (!refcount_dec_not_one(&member->segments->refs))
			return false;
		member->segments = NULL;
	}
	if (!refcount_dec_not_one(&member->group->refs))
		return false;
	member->group = NULL;
	return true;
}

static bool kmq_member_less(const struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct kmq_member, order_node)->msg->key <
	       rb_entry(b, struct kmq_member, order_node)->msg->key;
}

/**
 * kmq_group_next - first message of a group in physical order
 * @group: the group
 * @from: smallest key that will do
 */
struct kmq_msg *kmq_group_next(const struct kmq_group *group, u64 from)
{
	struct rb_node *node = group->order.root.rb_node;
	struct kmq_msg *found = NULL;

	while (node) {
		struct kmq_msg *msg =
			rb_entry(node, struct kmq_member, order_node)->msg;

		if (msg->key >= from) {
			found = msg;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return found;
}

/* Frontiers */

/* The first of all heads in physical order. */
static struct kmq_msg *kmq_segments_head(const struct kmq_group *group,
					 const struct kmq_segments *segments)
{
	struct kmq_member *grouped, *other;

	grouped = kmq_item_first(group, segments->seq,
				 kmq_segments_head_kind(segments), 0);
	other = kmq_item_first(group, segments->seq,
			       kmq_segments_kind(segments), 0);
	if (!grouped || (other && other->msg->key < grouped->msg->key))
		grouped = other;
	return grouped ? grouped->msg : NULL;
}

/* The first segment at an offset in physical order, whatever its Feedback. */
static struct kmq_msg *kmq_segment_at(const struct kmq_group *group,
				      const struct kmq_segments *segments,
				      s32 offset)
{
	struct kmq_member *item, *best;

	if (!offset)
		return kmq_segments_head(group, segments);
	item = kmq_item_first(group, segments->seq,
			      kmq_segments_kind(segments), offset);
	if (!item || !segments->report)
		return item ? item->msg : NULL;
	best = item;
	while ((item = kmq_item_following(item)) &&
	       item->segments == segments && item->offset == offset) {
		if (item->msg->key < best->msg->key)
			best = item;
		cond_resched();
	}
	return best->msg;
}

/**
 * kmq_segment_next - the segment that follows in a logical message
 * @msg: a segment that is not the last, in the store
 *
 * Return: the first in physical order at the next offset, of reports with the
 * same Feedback (G-RAS-8), or NULL.
 */
struct kmq_msg *kmq_segment_next(const struct kmq_msg *msg)
{
	const struct kmq_member *member = msg->member;
	s32 length = kmq_segment_length(msg);
	struct kmq_member *next;

	if (length <= 0 || length > KMQ_MAX_OFFSET - member->offset)
		return NULL;
	next = kmq_item_segment(member->group, member->segments,
				member->offset + length, msg->md.feedback);
	return next ? next->msg : NULL;
}

/**
 * kmq_segments_whole - can this segment's logical message be put together
 * @store: the store
 * @first: segment with offset 0, in the store
 *
 * Return: is the chain complete that begins with just this segment (G-CPL-11,
 * G-RAS-8)?
 */
bool kmq_segments_whole(struct kmq_store *store, const struct kmq_msg *first)
{
	const struct kmq_member *member = first->member;

	if (!member->segments->irregular)
		return member->segments->complete;
	kmq_store_settle(store);
	return kmq_chain_judge(member->group, member->segments, member);
}

static void kmq_segments_advance(const struct kmq_group *group,
				 struct kmq_segments *segments)
{
	while (!segments->complete && segments->next_offset <= KMQ_MAX_OFFSET) {
		struct kmq_msg *msg = kmq_segment_at(group, segments,
						     segments->next_offset);

		if (!msg)
			return;
		if (msg->msg_flags & MQMF_LAST_SEGMENT) {
			segments->complete = true;
			segments->last_in_group =
				msg->msg_flags & MQMF_LAST_MSG_IN_GROUP;
		} else if (kmq_segment_length(msg) > 0) {
			segments->next_offset += kmq_segment_length(msg);
		} else {
			return;
		}
		cond_resched();
	}
}

/*
 * A segment came or went. An arrival at the frontier lets it advance; what lies
 * behind an open frontier does not matter; for anything else the chain is
 * followed from its beginning, which ends at once when the first one is gone.
 */
static void kmq_segments_changed(const struct kmq_group *group,
				 struct kmq_segments *segments, s32 offset,
				 bool arrived)
{
	if (!segments->complete && offset > segments->next_offset)
		return;
	if (!arrived || segments->complete || offset < segments->next_offset) {
		segments->complete = false;
		segments->next_offset = 0;
	}
	kmq_segments_advance(group, segments);
}

/* Those that lead */

/* The first of the heads that are in the group, if they begin something. */
static struct kmq_member *kmq_group_head(struct kmq_group *group, s32 seq,
					 enum kmq_item_kind kind)
{
	struct kmq_member *item = kmq_item_first(group, seq, kind, 0);

	if (item && item->segments && !item->segments->complete)
		return NULL;
	return item;
}

/* Who has to lead: the first beginning of a complete logical message. */
static struct kmq_member *kmq_group_leader(struct kmq_group *group, s32 seq)
{
	struct kmq_member *best, *item;

	best = kmq_group_head(group, seq, KMQ_ITEM_MESSAGE);
	if (likely(RB_EMPTY_ROOT(&group->segments)))
		return best;
	item = kmq_group_head(group, seq, KMQ_ITEM_HEAD);
	if (item && (!best || item->msg->key < best->msg->key))
		best = item;
	item = kmq_group_head(group, seq, KMQ_ITEM_REPORT_HEAD);
	if (item && (!best || item->msg->key < best->msg->key))
		best = item;
	return best;
}

/* Does the logical message that begins with it end the group (M-GRP-5)? */
static bool kmq_group_ends_with(const struct kmq_member *item)
{
	if (item->segments)
		return item->segments->last_in_group;
	return item->msg->msg_flags & MQMF_LAST_MSG_IN_GROUP;
}

/* Let who has to lead do so. Return: does that make a difference? */
static bool kmq_group_lead(struct kmq_group *group, s32 seq)
{
	struct kmq_member *now = kmq_group_leader(group, seq);
	bool ends = now && kmq_group_ends_with(now);
	struct kmq_member *before;

	if (now && now->leads && now->ends == ends)
		return false;
	before = kmq_item_leading(group, seq);
	if (before)
		kmq_item_set_leads(before, false, false);
	if (now)
		kmq_item_set_leads(now, true, ends);
	return before || now;
}

/*
 * The logical message with that number came, went or changed completeness. One that
 * only went, with nothing in its place, completes no group.
 */
static void kmq_group_changed(struct kmq_group *group, s32 seq)
{
	if (kmq_group_lead(group, seq) || group->complete)
		group->complete = kmq_items_are_whole(group);
}

/**
 * kmq_member_level - how complete the surroundings of a message are
 * @msg: message with a group part, in the store
 *
 * Return: KMQ_LEVEL_* by M-SEG-3, M-GRP-4, G-CPL-2.
 */
int kmq_member_level(const struct kmq_msg *msg)
{
	const struct kmq_member *member = msg->member;

	if (member->segments && !member->segments->complete)
		return KMQ_LEVEL_PART;
	if (kmq_is_in_group(msg) && !member->group->complete)
		return KMQ_LEVEL_SEGMENTS;
	return KMQ_LEVEL_GROUP;
}

/**
 * kmq_member_file_level - the level a message is filed under
 * @msg: message with a group part, in the store
 *
 * Not below the true one. A head of irregular segments can begin something
 * complete though others with its identifiers do not.
 */
int kmq_member_file_level(const struct kmq_msg *msg)
{
	const struct kmq_member *member = msg->member;
	int level = kmq_member_level(msg);

	if (level != KMQ_LEVEL_PART || !member->segments->irregular ||
	    member->offset || !member->whole)
		return level;
	return kmq_is_in_group(msg) && !member->group->complete ?
	       KMQ_LEVEL_SEGMENTS : KMQ_LEVEL_GROUP;
}

/* How many messages are filed below the top. */
static u32 kmq_group_low(const struct kmq_group *group)
{
	return group->low[KMQ_LEVEL_PART] + group->low[KMQ_LEVEL_SEGMENTS];
}

/**
 * kmq_group_rise - file some messages of a rising group anew
 * @store: the store
 * @group: a group in kmq_store.rising
 * @steps: how many messages to look at
 *
 * Return: false if that was the rest: it is rising no more.
 */
bool kmq_group_rise(struct kmq_store *store, struct kmq_group *group, u32 steps)
{
	struct kmq_msg *msg = kmq_group_next(group, group->rise_from);

	for (; msg && kmq_group_low(group); steps--) {
		struct rb_node *node = &msg->member->order_node;

		if (!steps) {
			group->rise_from = msg->key;
			return true;
		}
		kmq_store_refile(store, msg);
		node = rb_next(node);
		msg = node ? rb_entry(node, struct kmq_member, order_node)->msg :
			     NULL;
		cond_resched();
	}
	list_del_init(&group->rising);
	return false;
}

/**
 * kmq_group_may_hold - can there be messages of a rising group that are filed below
 *	a level but belong there
 * @group: the group
 * @level: KMQ_LEVEL_* above KMQ_LEVEL_PART
 */
bool kmq_group_may_hold(const struct kmq_group *group, int level)
{
	if (level == KMQ_LEVEL_GROUP)
		return group->complete || group->loose;
	return group->low[KMQ_LEVEL_PART];
}

/*
 * Messages may be filed too low now: bring them up to where they belong, or leave
 * that to those whom it concerns if these are many.
 */
static void kmq_group_raise(struct kmq_store *store, struct kmq_group *group,
			    s32 first_seq, s32 last_seq)
{
	u32 low = kmq_group_low(group);
	struct kmq_member *item;

	if (!low)
		return;
	if (unlikely(low > store->rise_steps)) {
		group->rise_from = 0;
		if (list_empty(&group->rising))
			list_add_tail(&group->rising, &store->rising);
		return;
	}
	for (item = kmq_item_from(group, first_seq, KMQ_ITEM_MESSAGE, 0);
	     item && item->seq <= last_seq && kmq_group_low(group);
	     item = kmq_item_following(item)) {
		kmq_store_refile(store, item->msg);
		cond_resched();
	}
}

/*
 * Take down that those who wait for something complete must be asked: @rose if
 * messages have become complete, or can have, as with irregular segments only
 * who asks finds out. That another message left can do so, too: what stood in
 * front of it at the same place counts no more.
 */
static void kmq_group_note(struct kmq_store *store, struct kmq_group *group,
			   bool rose)
{
	if (store->showing || likely(!store->askers))
		return;
	if (list_empty(&group->changed)) {
		list_add_tail(&group->changed, &store->changed);
		group->rose = false;
	}
	group->rose |= rose;
}

/**
 * kmq_group_settle - take a group off the list of those that have changed
 * @group: a group in kmq_store.changed
 *
 * Return: have messages of it perhaps become complete?
 */
bool kmq_group_settle(struct kmq_group *group)
{
	list_del_init(&group->changed);
	return group->rose;
}

/* See what is complete after @msg came or went, and file anew what rose. */
static void kmq_group_update(struct kmq_store *store, struct kmq_msg *msg,
			     bool arrived)
{
	struct kmq_member *member = msg->member;
	struct kmq_segments *segments = member->segments;
	struct kmq_group *group = member->group;
	bool was_complete = group->complete;
	bool was_whole = segments && segments->complete;
	bool rose;

	if (segments)
		kmq_segments_changed(group, segments, member->offset, arrived);
	if (!segments || !member->offset || segments->complete ||
	    was_whole != segments->complete)
		kmq_group_changed(group, member->seq);
	if (group->complete && !was_complete)
		kmq_group_raise(store, group, 0, KMQ_MAX_SEQ);
	else if (segments && segments->complete && !was_whole)
		kmq_group_raise(store, group, member->seq, member->seq);
	rose = (group->complete && !was_complete) ||
	       (segments && segments->complete && !was_whole);
	if (rose || !arrived)
		kmq_group_note(store, group, rose);
}

/* Does the chain from offset 0 lead over this one, if it comes so far? */
static bool kmq_segments_lead_over(const struct kmq_segments *segments,
				   const struct kmq_member *item)
{
	if (item->offset > segments->next_offset)
		return false;
	if (!item->offset)
		return kmq_segments_head(segments->group, segments) ==
		       item->msg;
	/* Of reports there may be others with another Feedback. */
	return segments->report || kmq_item_is_first(item);
}

/*
 * The same of irregular segments, with @item in its place: what it comes to is
 * found out when somebody asks.
 */
static void kmq_group_update_later(struct kmq_store *store,
				   const struct kmq_member *item)
{
	struct kmq_segments *segments = item->segments;

	if (kmq_segments_lead_over(segments, item))
		segments->unwalked = true;
	if (list_empty(&segments->unsettled) &&
	    (segments->unwalked || segments->stale >= 0 || !item->offset))
		list_add_tail(&segments->unsettled, &store->unsettled);
	kmq_group_note(store, item->group, true);
}

/* Bring an irregular segments object, and its group, up to date. */
static bool kmq_segments_settle(struct kmq_store *store,
				struct kmq_segments *segments, u32 *steps)
{
	struct kmq_group *group = segments->group;
	bool was_complete = group->complete;
	bool was_whole = segments->complete;

	if (!kmq_chain_settle(store, group, segments, steps))
		return false;
	list_del_init(&segments->unsettled);
	if (segments->unwalked) {
		segments->unwalked = false;
		segments->complete = false;
		segments->next_offset = 0;
		kmq_segments_advance(group, segments);
	}
	kmq_group_changed(group, segments->seq);
	if (group->complete && !was_complete)
		kmq_group_raise(store, group, 0, KMQ_MAX_SEQ);
	else if (segments->complete && !was_whole)
		kmq_group_raise(store, group, segments->seq, segments->seq);
	return true;
}

/**
 * kmq_groups_settle - bring what is known about irregular segments up to date
 * @store: the store
 * @steps: how many segments may be judged now
 *
 * Return: false if there were not enough: there is more to be done.
 */
bool kmq_groups_settle(struct kmq_store *store, u32 steps)
{
	struct kmq_segments *segments;

	while ((segments = list_first_entry_or_null(&store->unsettled,
						    struct kmq_segments,
						    unsettled)))
		if (!kmq_segments_settle(store, segments, &steps))
			return false;
	return true;
}

/* A second segment at the same offset: from now on chains count. */
static void kmq_segments_check_regular(struct kmq_msg *msg)
{
	struct kmq_member *member = msg->member;
	struct kmq_segments *segments = member->segments;

	if (segments->irregular ||
	    !kmq_segment_at(member->group, segments, member->offset))
		return;
	segments->irregular = true;
	segments->unwalked = true;
	segments->stale = KMQ_MAX_OFFSET;
}

/**
 * kmq_group_add - a message with a group part comes into the store
 * @store: the store
 * @msg: attached message
 */
void kmq_group_add(struct kmq_store *store, struct kmq_msg *msg)
{
	struct kmq_member *member = msg->member;
	struct kmq_group *group = member->group;
	struct kmq_segments *segments = member->segments;

	if (segments)
		kmq_segments_check_regular(msg);
	kmq_item_add(group, member);
	kmq_tree_add(&group->order, &member->order_node, kmq_member_less);
	group->loose += !kmq_is_in_group(msg);
	if (segments && segments->irregular) {
		kmq_chain_arrived(group, segments, member);
		kmq_group_update_later(store, member);
	} else {
		kmq_group_update(store, msg, true);
	}
}

/**
 * kmq_group_del - a message with a group part goes out of the store
 * @store: the store
 * @msg: message, already out of the order trees
 */
void kmq_group_del(struct kmq_store *store, struct kmq_msg *msg)
{
	struct kmq_member *member = msg->member;
	struct kmq_group *group = member->group;
	struct kmq_segments *segments = member->segments;

	if (segments && segments->irregular) {
		kmq_chain_leaving(group, segments, member);
		kmq_group_update_later(store, member);
	}
	kmq_item_del(group, member);
	kmq_tree_del(&group->order, &member->order_node);
	group->loose -= !kmq_is_in_group(msg);
	if (!segments || !segments->irregular)
		kmq_group_update(store, msg, false);
}
