/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_GROUP_H
#define KMQ_GROUP_H

#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include "msg.h"
#include "tree.h"

struct kmq_store;

/**
 * DOC: Groups and segments
 *
 * All messages of a queue that have the same non-null GroupId share one group
 * object, in whatever state they are; it knows those that are in the store.
 * Messages with the flag SEGMENT that also agree in MsgSeqNumber (and in being
 * a report or not, M-SEG-11) share one segments object within the group.
 *
 * Completeness is kept, not found by scanning. A segments object knows its
 * frontier: up to which offset the chain from 0 reaches. A change in front of or
 * at the frontier moves it; a change behind it costs nothing.
 *
 * In a group one message *leads* for each sequence number whose logical message is
 * complete: the first in physical order of those that begin such a one. The tree
 * of items counts those that lead. The group is complete if in front of the first
 * of them that ends it there are as many as its number says (M-GRP-4), which is
 * found on one way down the tree, whatever order messages come and go in. What
 * irregular segments come to, and who leads because of them, is only known again
 * when they are settled, see DOC: Chains.
 *
 * When very many messages of a group rise to a higher level at once they are not
 * filed anew at once. The group is *rising* until those who ask for something
 * complete have done so, a few each time; meanwhile they look into it, too.
 */

/**
 * struct kmq_segments - the segments of one logical message
 * @node: in kmq_group.segments
 * @seq: MsgSeqNumber
 * @report: they are report messages
 * @complete: the chain reaches a last segment (M-SEG-3)
 * @irregular: reports, or two segments had the same offset: which chain counts
 *	depends on the question, see DOC: Chains; what is known is brought up to
 *	date when somebody asks
 * @last_in_group: LAST_MSG_IN_GROUP of the final segment (M-GRP-5)
 * @next_offset: the chain is there up to this offset
 * @unwalked: irregular: something has changed there, or in front
 * @stale: irregular: offset up to which kmq_member.whole is to be found out anew,
 *	0: only of heads, -1: nowhere
 * @group: the group it is in
 * @unsettled: in kmq_store.unsettled, or empty
 * @refs: messages on the queue that belong to it; see kmq_group_leave()
 */
struct kmq_segments {
	struct rb_node node;
	s32 seq;
	bool report;
	bool complete;
	bool irregular;
	bool last_in_group;
	bool unwalked;
	s32 stale;
	s64 next_offset;
	struct kmq_group *group;
	struct list_head unsettled;
	refcount_t refs;
};

/* How complete the surroundings of a message are. */
#define KMQ_LEVEL_PART		0	/* its logical message is not complete */
#define KMQ_LEVEL_SEGMENTS	1	/* the logical message is */
#define KMQ_LEVEL_GROUP		2	/* and the group it is in */
#define KMQ_LEVELS		3

/**
 * struct kmq_group - the messages of a queue that share a GroupId
 * @node: in kmq_store.groups
 * @id: GroupId
 * @items: messages in the store by place, see DOC: Items
 * @order: the same by key
 * @segments: struct kmq_segments by (sequence, report)
 * @complete: all its logical messages are there (M-GRP-4)
 * @rose: messages may have become complete; valid while in kmq_store.changed
 * @has_reports: there were segments that are reports
 * @low: messages in the store that are filed below KMQ_LEVEL_GROUP, for each level
 * @loose: messages in the store that are no members of the group: their level does
 *	not depend on @complete
 * @rise_from: messages with a smaller key are not filed too low; valid while in
 *	kmq_store.rising
 * @refs: messages on the queue that belong to it; see kmq_group_leave()
 * @changed: in kmq_store.changed, or empty
 * @rising: in kmq_store.rising, or empty
 */
struct kmq_group {
	struct rb_node node;
	u8 id[KMQ_ID_LEN];
	struct rb_root_cached items;
	struct kmq_tree order;
	struct rb_root segments;
	bool complete;
	bool rose;
	bool has_reports;
	u32 low[KMQ_LEVEL_GROUP];
	u32 loose;
	refcount_t refs;
	u64 rise_from;
	struct list_head changed;
	struct list_head rising;
};

int kmq_group_prepare(struct kmq_store *store, struct kmq_msg *msg);
void kmq_group_spare_free(struct kmq_store *store);
void kmq_group_attach(struct kmq_store *store, struct kmq_msg *msg);
void kmq_group_detach(struct kmq_store *store, struct kmq_msg *msg);
bool kmq_group_leave(struct kmq_msg *msg);
void kmq_group_add(struct kmq_store *store, struct kmq_msg *msg);
void kmq_group_del(struct kmq_store *store, struct kmq_msg *msg);

struct kmq_group *kmq_group_find(const struct kmq_store *store, const u8 *id);
struct kmq_msg *kmq_group_next(const struct kmq_group *group, u64 from);
struct kmq_msg *kmq_group_item(const struct kmq_group *group, s32 seq,
			       s32 offset, u64 from);
bool kmq_group_settle(struct kmq_group *group);
bool kmq_groups_settle(struct kmq_store *store, u32 steps);
bool kmq_group_rise(struct kmq_store *store, struct kmq_group *group,
		    u32 steps);
bool kmq_group_may_hold(const struct kmq_group *group, int level);

int kmq_member_level(const struct kmq_msg *msg);
int kmq_member_file_level(const struct kmq_msg *msg);
struct kmq_msg *kmq_segment_next(const struct kmq_msg *msg);
bool kmq_segments_whole(struct kmq_store *store, const struct kmq_msg *first);
s32 kmq_segment_length(const struct kmq_msg *msg);

#endif /* KMQ_GROUP_H */
