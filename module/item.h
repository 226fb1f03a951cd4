/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_ITEM_H
#define KMQ_ITEM_H

#include <linux/rbtree.h>
#include "group.h"
#include "msg.h"

/**
 * DOC: Items
 *
 * The messages of a group in the store are kept by place: MsgSeqNumber, kind,
 * Offset, of reports behind the first ones Feedback, and last the order key. So
 * the segments of one logical message stand side by side, whatever else has the
 * same number, and the first one of a place in physical order is the first one
 * there.
 *
 * Among those with one number at most one *leads*, see DOC: Groups and segments. The
 * tree counts those that do, and knows where some end the group.
 */
enum kmq_item_kind {
	KMQ_ITEM_MESSAGE,	/* no segment, and MSG_IN_GROUP */
	KMQ_ITEM_ALONE,		/* neither, hence number 1 (P-LOG-13) */
	KMQ_ITEM_HEAD,		/* first segment that is MSG_IN_GROUP */
	KMQ_ITEM_SEGMENT,	/* any other segment */
	KMQ_ITEM_REPORT_HEAD,	/* the same of reports (M-SEG-11) */
	KMQ_ITEM_REPORT,
	KMQ_ITEM_KINDS,
};

static inline bool kmq_is_segment(const struct kmq_msg *msg)
{
	return msg->msg_flags & MQMF_SEGMENT;
}

static inline bool kmq_is_in_group(const struct kmq_msg *msg)
{
	return msg->msg_flags & MQMF_MSG_IN_GROUP;
}

static inline bool kmq_is_last_segment(const struct kmq_msg *msg)
{
	return msg->msg_flags & MQMF_LAST_SEGMENT;
}

/* The kind of segments with @segments' identifiers that are no grouped heads. */
static inline enum kmq_item_kind
kmq_segments_kind(const struct kmq_segments *segments)
{
	return segments->report ? KMQ_ITEM_REPORT : KMQ_ITEM_SEGMENT;
}

/* The kind of their heads that are in the group. */
static inline enum kmq_item_kind
kmq_segments_head_kind(const struct kmq_segments *segments)
{
	return segments->report ? KMQ_ITEM_REPORT_HEAD : KMQ_ITEM_HEAD;
}

enum kmq_item_kind kmq_item_kind(const struct kmq_msg *msg);
void kmq_item_add(struct kmq_group *group, struct kmq_member *item);
void kmq_item_del(struct kmq_group *group, struct kmq_member *item);
void kmq_item_set_leads(struct kmq_member *item, bool leads, bool ends);
struct kmq_member *kmq_item_leading(const struct kmq_group *group, s32 seq);
bool kmq_items_are_whole(const struct kmq_group *group);
struct kmq_member *kmq_item_from(const struct kmq_group *group, s32 seq,
				 enum kmq_item_kind kind, s32 offset);
struct kmq_member *kmq_item_first(const struct kmq_group *group, s32 seq,
				  enum kmq_item_kind kind, s32 offset);
struct kmq_member *kmq_item_segment(const struct kmq_group *group,
				    const struct kmq_segments *segments,
				    s32 offset, s32 feedback);
bool kmq_item_same_place(const struct kmq_member *a,
			 const struct kmq_member *b);

static inline struct kmq_member *kmq_item_following(const struct kmq_member *item)
{
	return rb_entry_safe(rb_next(&item->item_node), struct kmq_member,
			     item_node);
}

static inline struct kmq_member *kmq_item_preceding(const struct kmq_member *item)
{
	return rb_entry_safe(rb_prev(&item->item_node), struct kmq_member,
			     item_node);
}

/* Is it the first one of its place in physical order? */
static inline bool kmq_item_is_first(const struct kmq_member *item)
{
	const struct kmq_member *before = kmq_item_preceding(item);

	return !before || !kmq_item_same_place(before, item);
}

#endif /* KMQ_ITEM_H */
