// SPDX-License-Identifier: GPL-2.0
/*
 * The rules about groups and segments once more, in their plainest form: each
 * question looks at all messages (M-GRP-4, M-GRP-5, M-SEG-3, M-SEG-11).
 */
#include "../group.h"
#include "../store.h"
#include "oracle.h"

void kmq_pop_init(struct kmq_pop *pop, struct kunit *test, u64 seed)
{
	memset(pop, 0, sizeof(*pop));
	pop->test = test;
	pop->queue = kmq_fix_of(test)->queues[0];
	pop->state = seed;
	/* So that groups are often rising. */
	pop->queue->store.rise_steps = 2;
}

struct kmq_msg *kmq_pop_put(struct kmq_pop *pop, const struct kmq_spec *spec)
{
	struct kmq_msg *msg = kmq_fix_put(pop->test, pop->queue, spec);

	pop->msgs[pop->count++] = msg;
	return msg;
}

/*
 * Is a message filed below the level where it belongs, and not because its group is
 * still rising?
 */
bool kmq_pop_filed_low(const struct kmq_msg *msg, int level)
{
	const struct kmq_group *group = msg->member->group;

	return KMQ_CLASS_LEVEL(msg->class) < level &&
	       (list_empty(&group->rising) || msg->key < group->rise_from ||
		!kmq_group_may_hold(group, level));
}

/* The message leaves the queue for good. */
void kmq_pop_end(struct kmq_pop *pop, int index)
{
	struct kmq_msg *msg = pop->msgs[index];

	mutex_lock(&pop->queue->lock);
	if (msg->state != KMQ_MSG_AVAILABLE)
		kmq_store_add(&pop->queue->store, msg);
	kmq_queue_discard_locked(pop->queue, msg);
	kmq_waiters_settle_locked(pop->queue);
	mutex_unlock(&pop->queue->lock);
	pop->msgs[index] = pop->msgs[--pop->count];
}

/* As if it were locked or got in a unit of work (U-VIS-6). */
void kmq_pop_hide(struct kmq_pop *pop, int index)
{
	struct kmq_msg *msg = pop->msgs[index];

	mutex_lock(&pop->queue->lock);
	kmq_store_del(&pop->queue->store, msg);
	msg->state = KMQ_MSG_LOCKED;
	kmq_waiters_settle_locked(pop->queue);
	mutex_unlock(&pop->queue->lock);
}

void kmq_pop_show(struct kmq_pop *pop, int index)
{
	struct kmq_msg *msg = pop->msgs[index];

	mutex_lock(&pop->queue->lock);
	kmq_queue_insert_locked(pop->queue, msg);
	kmq_waiters_offer_locked(pop->queue, msg);
	mutex_unlock(&pop->queue->lock);
}

void kmq_pop_show_all(struct kmq_pop *pop)
{
	int i;

	for (i = 0; i < pop->count; i++)
		if (pop->msgs[i]->state != KMQ_MSG_AVAILABLE)
			kmq_pop_show(pop, i);
}

static void kmq_pop_random_spec(struct kmq_pop *pop, struct kmq_spec *spec)
{
	static const u32 lengths[] = { 10, 10, 10, 20, 0 };
	u32 r = kmq_fix_random(&pop->state);

	memset(spec, 0, sizeof(*spec));
	spec->id = r % 5 + 1;
	spec->correl = r / 8 % 4;
	spec->priority = r / 32 % 3;
	r = kmq_fix_random(&pop->state);
	if (r % 8 == 0)
		return;
	spec->group = r / 8 % KMQ_POP_GROUPS + 1;
	spec->seq = 1;
	if (r / 32 % 8) {
		spec->flags |= MQMF_MSG_IN_GROUP;
		spec->seq = r / 256 % KMQ_POP_SEQS + 1;
	}
	if (spec->flags && spec->seq == KMQ_POP_SEQS - (r / 1024 % 2))
		spec->flags |= MQMF_LAST_MSG_IN_GROUP;
	if (spec->flags && r / 4096 % 2)
		return;
	r = kmq_fix_random(&pop->state);
	spec->flags |= MQMF_SEGMENT;
	spec->offset = r % 4 * 10;
	spec->length = lengths[r / 4 % ARRAY_SIZE(lengths)];
	spec->original = spec->length;
	if (spec->offset >= 20 && r / 32 % 4)
		spec->flags |= MQMF_LAST_SEGMENT;
	spec->report = r / 256 % 8 == 0;
	spec->feedback = r / 2048 % 2;
	if (r / 4096 % 8 == 0)
		spec->deadline = KTIME_MAX - r % 1000;
}

/*
 * Something happens to the queue: a message comes, goes, or changes between
 * being visible and not. Return: the number of the group concerned, or 0.
 */
int kmq_pop_step(struct kmq_pop *pop)
{
	u32 r = kmq_fix_random(&pop->state);
	int index = pop->count ? r / 64 % pop->count : 0;
	struct kmq_spec spec;
	u64 group;

	if (!pop->count || (r % 8 < 3 && pop->count < KMQ_POP_MAX)) {
		kmq_pop_random_spec(pop, &spec);
		return kmq_group_number(kmq_pop_put(pop, &spec));
	}
	group = kmq_group_number(pop->msgs[index]);
	if (r % 8 < 5)
		kmq_pop_end(pop, index);
	else if (pop->msgs[index]->state == KMQ_MSG_AVAILABLE)
		kmq_pop_hide(pop, index);
	else
		kmq_pop_show(pop, index);
	return group;
}

/* The first visible segment at a place, in physical order. */
static struct kmq_msg *kmq_oracle_segment(const struct kmq_pop *pop, u64 group,
					  s32 seq, s64 offset, bool report,
					  const s32 *feedback)
{
	struct kmq_msg *best = NULL;
	int i;

	for (i = 0; i < pop->count; i++) {
		struct kmq_msg *msg = pop->msgs[i];

		if (msg->state == KMQ_MSG_AVAILABLE &&
		    kmq_group_number(msg) == group &&
		    msg->msg_flags & MQMF_SEGMENT && msg->member->seq == seq &&
		    msg->member->offset == offset &&
		    kmq_msg_is_report(msg) == report &&
		    (!feedback || msg->md.feedback == *feedback) &&
		    (!best || msg->key < best->key))
			best = msg;
	}
	return best;
}

static s32 kmq_oracle_length(const struct kmq_msg *msg)
{
	return kmq_msg_is_report(msg) ? msg->member->original_length :
					msg->length;
}

void kmq_oracle_chain(const struct kmq_pop *pop, u64 group, s32 seq,
		      bool report, struct kmq_oracle_chain *chain)
{
	struct kmq_msg *msg;

	memset(chain, 0, sizeof(*chain));
	while ((msg = kmq_oracle_segment(pop, group, seq, chain->next_offset,
					 report, NULL))) {
		if (msg->msg_flags & MQMF_LAST_SEGMENT) {
			chain->complete = true;
			chain->last_in_group = msg->msg_flags &
					       MQMF_LAST_MSG_IN_GROUP;
			return;
		}
		if (!kmq_oracle_length(msg))
			return;
		chain->next_offset += kmq_oracle_length(msg);
	}
}

/* The chain that begins with just this segment (G-CPL-11, G-RAS-8). */
bool kmq_oracle_whole(const struct kmq_pop *pop, const struct kmq_msg *first)
{
	const struct kmq_msg *msg = first;
	bool report = kmq_msg_is_report(first);

	while (msg && !(msg->msg_flags & MQMF_LAST_SEGMENT)) {
		if (!kmq_oracle_length(msg))
			return false;
		msg = kmq_oracle_segment(pop, kmq_group_number(first),
					 first->member->seq,
					 (s64)msg->member->offset +
					 kmq_oracle_length(msg), report,
					 report ? &first->md.feedback : NULL);
	}
	return msg;
}

/* Is there a complete logical message with that number in the group? */
static bool kmq_oracle_has(const struct kmq_pop *pop, u64 group, s32 seq,
			   bool *last)
{
	struct kmq_oracle_chain chain;
	u64 best = U64_MAX;
	int i;

	for (i = 0; i < pop->count; i++) {
		const struct kmq_msg *msg = pop->msgs[i];

		if (msg->state != KMQ_MSG_AVAILABLE ||
		    kmq_group_number(msg) != group || msg->key > best ||
		    msg->member->seq != seq || msg->member->offset ||
		    !(msg->msg_flags & MQMF_MSG_IN_GROUP))
			continue;
		if (!(msg->msg_flags & MQMF_SEGMENT)) {
			best = msg->key;
			*last = msg->msg_flags & MQMF_LAST_MSG_IN_GROUP;
			continue;
		}
		kmq_oracle_chain(pop, group, seq, kmq_msg_is_report(msg),
				 &chain);
		if (!chain.complete)
			continue;
		best = msg->key;
		*last = chain.last_in_group;
	}
	return best != U64_MAX;
}

void kmq_oracle_group(const struct kmq_pop *pop, u64 group,
		      struct kmq_oracle_group *found)
{
	bool last = false;

	found->reached = 0;
	while (!last && kmq_oracle_has(pop, group, found->reached + 1, &last))
		found->reached++;
	found->complete = last;
}

int kmq_oracle_level(const struct kmq_pop *pop, const struct kmq_msg *msg)
{
	struct kmq_oracle_chain chain;
	struct kmq_oracle_group group;

	if (msg->msg_flags & MQMF_SEGMENT) {
		kmq_oracle_chain(pop, kmq_group_number(msg), msg->member->seq,
				 kmq_msg_is_report(msg), &chain);
		if (!chain.complete)
			return KMQ_LEVEL_PART;
	}
	if (!(msg->msg_flags & MQMF_MSG_IN_GROUP))
		return KMQ_LEVEL_GROUP;
	kmq_oracle_group(pop, kmq_group_number(msg), &group);
	return group.complete ? KMQ_LEVEL_GROUP : KMQ_LEVEL_SEGMENTS;
}
