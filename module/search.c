// SPDX-License-Identifier: GPL-2.0
/*
 * Search: the first message in the store that meets the conditions of a get.
 * Guarded by the lock of the queue.
 */
#include <linux/bits.h>
#include <linux/sched.h>
#include "mark.h"
#include "search.h"
#include "store.h"

#define KMQ_UNMARKED_CLASSES	0x55555555U

/* All classes of a kind with a level below @levels. */
static u32 kmq_kind_classes(int kind, int levels)
{
	return levels ? GENMASK(KMQ_CLASS(kind, levels - 1, 1),
				KMQ_CLASS(kind, 0, 0)) : 0;
}

/* The classes in which a message that meets the conditions can be filed. */
static u32 kmq_search_classes(const struct kmq_search *want)
{
	u32 classes = GENMASK(KMQ_CLASSES - 1, 0);
	bool first = want->flags & KMQ_WANT_WHOLE ||
		     (want->flags & KMQ_WANT_OFFSET && !want->offset);
	bool head = want->flags & KMQ_WANT_HEAD ||
		    (first && want->flags & KMQ_WANT_SEQ && want->seq == 1);
	int kind;

	if (head)
		classes = kmq_kind_classes(KMQ_KIND_HEAD, KMQ_LEVELS);
	else if (first)
		classes &= ~kmq_kind_classes(KMQ_KIND_REST, KMQ_LEVELS);
	if (want->flags & KMQ_WANT_NO_CO_OP)
		classes &= KMQ_UNMARKED_CLASSES;
	for (kind = 0; kind < KMQ_KINDS; kind++)
		classes &= ~kmq_kind_classes(kind, want->min_level);
	return classes;
}

/* First message of a group, by place in the group if that is known. */
static struct kmq_msg *kmq_search_group(const struct kmq_group *group,
					const struct kmq_search *want, u64 from)
{
	if (!group)
		return NULL;
	if (want->flags & KMQ_WANT_HEAD)
		return kmq_group_item(group, 1, 0, from);
	if (want->flags & KMQ_WANT_SEQ && want->flags & KMQ_WANT_OFFSET)
		return kmq_group_item(group, want->seq, want->offset, from);
	return kmq_group_next(group, from);
}

/* First message at or behind @from by one of the keyed conditions. */
static struct kmq_msg *kmq_search_source(struct kmq_store *store,
					 const struct kmq_search *want,
					 u32 source, u64 from)
{
	switch (source) {
	case KMQ_WANT_KEY:
		if (want->token_key < from)
			return NULL;
		return kmq_store_find(store, want->token_key);
	case KMQ_WANT_MSG_ID:
		return kmq_store_by_msg_id(store, want->msg_id, from);
	case KMQ_WANT_CORREL_ID:
		return kmq_store_by_correl_id(store, want->correl_id, from);
	default:
		return kmq_search_group(kmq_group_find(store, want->group_id),
					want, from);
	}
}

/*
 * First message at or behind @from that meets all keyed conditions: each index
 * in turn moves on to the place the others have reached, until all agree.
 */
static struct kmq_msg *kmq_search_keyed(struct kmq_store *store,
					const struct kmq_search *want, u64 from)
{
	u32 sources = want->flags & KMQ_WANT_KEYED;
	u32 agreed = 0;
	struct kmq_msg *msg = NULL;

	while (agreed != sources) {
		u32 source = BIT(__ffs(sources & ~agreed));

		msg = kmq_search_source(store, want, source, from);
		if (!msg)
			return NULL;
		if (msg->key != from)
			agreed = 0;
		from = msg->key;
		agreed |= source;
		cond_resched();
	}
	return msg;
}

/**
 * kmq_search_fits - does a message have the fields that are asked for
 * @want: conditions
 * @msg: message
 *
 * Looks at the message alone: identifiers, position, flags, marks; not at the
 * start key, and not at whether its group is complete.
 */
bool kmq_search_fits(const struct kmq_search *want, const struct kmq_msg *msg)
{
	const struct kmq_member *member = msg->member;
	s32 seq = member ? member->seq : 1;
	s32 offset = member ? member->offset : 0;
	u32 flags = want->flags;

	if (!flags && !want->need_flags)
		return true;
	if ((flags & KMQ_WANT_KEY && msg->key != want->token_key) ||
	    (flags & KMQ_WANT_SEQ && seq != want->seq) ||
	    (flags & KMQ_WANT_OFFSET && offset != want->offset) ||
	    (flags & KMQ_WANT_HEAD && (seq != 1 || offset)) ||
	    (flags & KMQ_WANT_WHOLE && offset) ||
	    (flags & KMQ_WANT_KIND && kmq_msg_is_report(msg) != want->report))
		return false;
	if (want->need_flags & ~msg->msg_flags)
		return false;
	if (flags & KMQ_WANT_MSG_ID &&
	    kmq_id_compare(msg->md.msg_id, want->msg_id))
		return false;
	if (flags & KMQ_WANT_CORREL_ID &&
	    kmq_id_compare(msg->md.correl_id, want->correl_id))
		return false;
	if (flags & KMQ_WANT_GROUP_ID &&
	    (!member || kmq_id_compare(member->id, want->group_id)))
		return false;
	if (flags & KMQ_WANT_NO_CO_OP && msg->co_op_mark)
		return false;
	return !(flags & KMQ_WANT_UNMARKED) ||
	       !kmq_mark_find(msg, want->unmarked_for);
}

/**
 * kmq_search_complete - is there as much around a message as is asked for (G-CPL)
 * @want: conditions, of which only KMQ_WANT_WHOLE and @min_level matter
 * @msg: AVAILABLE message
 */
bool kmq_search_complete(const struct kmq_search *want,
			 const struct kmq_msg *msg)
{
	const struct kmq_member *member = msg->member;
	int level;

	if (!want->min_level || !member)
		return true;
	if (want->flags & KMQ_WANT_WHOLE && member->segments &&
	    member->segments->irregular) {
		if (!member->whole)
			return false;
		return want->min_level < KMQ_LEVEL_GROUP ||
		       !(msg->msg_flags & MQMF_MSG_IN_GROUP) ||
		       member->group->complete;
	}
	level = kmq_member_level(msg);
	return level >= want->min_level;
}

/**
 * kmq_search_accepts - is a message in the store a candidate
 * @store: the store
 * @want: conditions
 * @msg: AVAILABLE message
 *
 * A message that turns out to be filed too high is filed anew.
 */
bool kmq_search_accepts(struct kmq_store *store, const struct kmq_search *want,
			struct kmq_msg *msg)
{
	if (msg->key < want->from || !kmq_search_fits(want, msg))
		return false;
	if (want->min_level)
		kmq_store_settle(store);
	if (kmq_search_complete(want, msg))
		return true;
	kmq_store_refile(store, msg);
	return false;
}

/* Go on filing what rises, for the sake of those who ask later. */
static void kmq_search_help_rise(struct kmq_store *store)
{
	struct kmq_group *group, *next;

	list_for_each_entry_safe(group, next, &store->rising, rising)
		if (kmq_group_rise(store, group, store->rise_steps))
			return;
}

/* First message at or behind @from of a class, or of a group that is rising. */
static struct kmq_msg *kmq_search_classed(const struct kmq_store *store,
					  const struct kmq_search *want,
					  u32 classes, u64 from)
{
	struct kmq_msg *best = kmq_store_next(store, classes, from);
	struct kmq_group *group;

	if (likely(!want->min_level))
		return best;
	list_for_each_entry(group, &store->rising, rising) {
		struct kmq_msg *msg;

		cond_resched();
		if (!kmq_group_may_hold(group, want->min_level))
			continue;
		msg = kmq_search_group(group, want, from);
		if (msg && (!best || msg->key < best->key))
			best = msg;
	}
	return best;
}

/**
 * kmq_search_first - find the first candidate
 * @store: the store
 * @want: conditions
 *
 * Return: the message with the smallest key, or NULL. It may have expired.
 */
struct kmq_msg *kmq_search_first(struct kmq_store *store,
				 const struct kmq_search *want)
{
	unsigned int rank = KMQ_PRIORITIES;
	u32 classes = 0;
	u64 from = want->from;
	struct kmq_msg *msg;

	if (likely(!want->flags && !want->need_flags && !want->min_level &&
		   !from))
		return kmq_store_next(store, ~0U, 0);
	/* Or who is complete now would be looked for where he was. */
	if (want->min_level)
		kmq_store_settle(store);
	if (!(want->flags & KMQ_WANT_KEYED))
		classes = kmq_search_classes(want);
	if (unlikely(!list_empty(&store->rising)) && want->min_level)
		kmq_search_help_rise(store);
	for (;;) {
		if (unlikely(want->flags & KMQ_WANT_UNMARKED) &&
		    kmq_key_rank(from) != rank) {
			/* Behind the floor of that priority. */
			from = kmq_mark_skip(want->unmarked_for, from);
			rank = kmq_key_rank(from);
		}
		if (classes)
			msg = kmq_search_classed(store, want, classes, from);
		else
			msg = kmq_search_keyed(store, want, from);
		if (!msg || kmq_search_accepts(store, want, msg))
			return msg;
		from = msg->key + 1;
		cond_resched();
	}
}
