// SPDX-License-Identifier: GPL-2.0
/*
 * Chains of irregular segments: a queue full of segments of one logical message,
 * many for each place, against an answer found by looking at all of them.
 */
#include "../chain.h"
#include "../group.h"
#include "../search.h"
#include "../store.h"
#include "oracle.h"

#define KMQ_CHAIN_PLACES	24
#define KMQ_CHAIN_STEPS		6000

/* A segment at one of few places, leading one to three places on. */
static void kmq_chain_random_spec(struct kmq_pop *pop, bool report,
				  struct kmq_spec *spec)
{
	u32 r = kmq_fix_random(&pop->state);

	memset(spec, 0, sizeof(*spec));
	spec->group = 1;
	spec->seq = 1;
	spec->flags = MQMF_SEGMENT;
	spec->priority = r % 10;
	spec->report = report;
	if (report)
		spec->feedback = r / 16 % 3;
	if (r / 64 % 2)
		spec->flags |= MQMF_MSG_IN_GROUP;
	if (r / 128 % 2)
		spec->flags |= MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP;
	/* A quarter are heads. */
	r = kmq_fix_random(&pop->state);
	if (r % 4)
		spec->offset = r / 4 % KMQ_CHAIN_PLACES;
	spec->length = r / 1024 % 3 + 1;
	spec->original = spec->length;
	if (spec->offset > KMQ_CHAIN_PLACES - 4 || r / 4096 % 32 == 0)
		spec->flags |= MQMF_LAST_SEGMENT;
}

static void kmq_chain_step(struct kmq_pop *pop, bool report)
{
	u32 r = kmq_fix_random(&pop->state);
	int index = pop->count ? r / 64 % pop->count : 0;
	struct kmq_spec spec;

	if (!pop->count || (r % 8 < 4 && pop->count < KMQ_POP_MAX)) {
		kmq_chain_random_spec(pop, report, &spec);
		kmq_pop_put(pop, &spec);
	} else if (r % 8 < 6) {
		kmq_pop_end(pop, index);
	} else if (pop->msgs[index]->state == KMQ_MSG_AVAILABLE) {
		kmq_pop_hide(pop, index);
	} else {
		kmq_pop_show(pop, index);
	}
}

/* Level of a head for COMPLETE_MSG and for the others, the higher one. */
static int kmq_chain_level(const struct kmq_pop *pop, const struct kmq_msg *msg)
{
	int level = kmq_oracle_level(pop, msg);
	struct kmq_oracle_group group;

	if (msg->member->offset || level != KMQ_LEVEL_PART ||
	    !kmq_oracle_whole(pop, msg))
		return level;
	kmq_oracle_group(pop, kmq_group_number(msg), &group);
	return msg->msg_flags & MQMF_MSG_IN_GROUP && !group.complete ?
	       KMQ_LEVEL_SEGMENTS : KMQ_LEVEL_GROUP;
}

/* What is wrong when all has been settled; @heads counts those that are whole. */
static int kmq_chain_wrong(const struct kmq_pop *pop, int *heads)
{
	int i, wrong = !list_empty(&pop->queue->store.unsettled);

	for (i = 0; i < pop->count; i++) {
		const struct kmq_msg *msg = pop->msgs[i];
		bool whole;

		if (msg->state != KMQ_MSG_AVAILABLE)
			continue;
		wrong += kmq_pop_filed_low(msg, kmq_chain_level(pop, msg));
		if (msg->member->offset ||
		    !msg->member->segments->irregular)
			continue;
		whole = kmq_oracle_whole(pop, msg);
		wrong += msg->member->whole != whole;
		*heads += whole;
	}
	return wrong;
}

/* The question of COMPLETE_MSG, answered by looking at all heads. */
static int kmq_chain_wrong_answer(const struct kmq_pop *pop)
{
	const struct kmq_search want = {
		.flags = KMQ_WANT_WHOLE, .min_level = KMQ_LEVEL_SEGMENTS,
	};
	const struct kmq_msg *first = NULL;
	int i;

	for (i = 0; i < pop->count; i++) {
		const struct kmq_msg *msg = pop->msgs[i];

		if (msg->state == KMQ_MSG_AVAILABLE && !msg->member->offset &&
		    (!first || msg->key < first->key) &&
		    kmq_oracle_whole(pop, msg))
			first = msg;
	}
	return kmq_search_first(&pop->queue->store, &want) != first;
}

static void kmq_chain_run(struct kunit *test, u64 seed, bool report)
{
	struct kmq_pop *pop = kunit_kzalloc(test, sizeof(*pop), GFP_KERNEL);
	int step, wrong = 0, heads = 0;

	KUNIT_ASSERT_NOT_NULL(test, pop);
	kmq_pop_init(pop, test, seed);
	for (step = 0; step < KMQ_CHAIN_STEPS && !wrong; step++) {
		u32 r = kmq_fix_random(&pop->state);

		kmq_chain_step(pop, report);
		if (r % 3)
			continue;
		mutex_lock(&pop->queue->lock);
		/* A part of it, then more comes in between. */
		if (r % 2)
			kmq_groups_settle(&pop->queue->store, r / 8 % 8);
		if (r / 64 % 2) {
			kmq_store_settle(&pop->queue->store);
			wrong += kmq_chain_wrong(pop, &heads);
			wrong += kmq_chain_wrong_answer(pop);
		}
		mutex_unlock(&pop->queue->lock);
		cond_resched();
	}
	KUNIT_EXPECT_EQ_MSG(test, wrong, 0, "after %d steps", step);
	/* Else nothing has been tried. */
	KUNIT_EXPECT_GT(test, heads, 1000);
	kmq_pop_show_all(pop);
}

/* G-CPL-11, M-SEG-3 */
static void kmq_chain_of_segments(struct kunit *test)
{
	kmq_chain_run(test, 2033, false);
}

/* G-RAS-8, G-CPL-13 */
static void kmq_chain_of_reports(struct kunit *test)
{
	kmq_chain_run(test, 2243, true);
}

/* Heads first, then a chain that ends nowhere, then its end. */
static void kmq_chain_many_heads(struct kunit *test)
{
	const struct kmq_search want = {
		.flags = KMQ_WANT_WHOLE, .min_level = KMQ_LEVEL_SEGMENTS,
	};
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_store *store = &queue->store;
	struct kmq_msg *first = NULL, *msg;
	int i, high = 0;

	for (i = 0; i < 300; i++) {
		msg = kmq_fix_put(test, queue,
				  KMQ_SPEC(.group = 1, .length = 1,
					   .flags = MQMF_SEGMENT));
		first = first ?: msg;
	}
	for (i = 1; i < 300; i++)
		kmq_fix_put(test, queue,
			    KMQ_SPEC(.group = 1, .offset = i, .length = 1,
				     .flags = MQMF_SEGMENT));
	mutex_lock(&queue->lock);
	KUNIT_EXPECT_NULL(test, kmq_search_first(store, &want));
	/* They are no candidates any more: who asks next does not meet them. */
	for (i = 0; i < KMQ_CLASSES; i++)
		if (KMQ_CLASS_LEVEL(i) != KMQ_LEVEL_PART)
			high += store->filled & BIT(i);
	KUNIT_EXPECT_EQ(test, high, 0);
	mutex_unlock(&queue->lock);
	msg = kmq_fix_put(test, queue,
			  KMQ_SPEC(.group = 1, .offset = 300, .length = 1,
				   .flags = MQMF_SEGMENT | MQMF_LAST_SEGMENT));
	mutex_lock(&queue->lock);
	/* A little at a time: it ends, and finds the same. */
	for (i = 0; !kmq_groups_settle(store, 10); i++)
		KUNIT_EXPECT_TRUE(test, i < 300);
	KUNIT_EXPECT_GT(test, i, 20);
	KUNIT_EXPECT_PTR_EQ(test, kmq_search_first(store, &want), first);
	kmq_queue_discard_locked(queue, msg);
	KUNIT_EXPECT_NULL(test, kmq_search_first(store, &want));
	mutex_unlock(&queue->lock);
}

/* A put that makes no difference leaves nothing to be found out. */
static void kmq_chain_no_difference(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_segments *segments;
	struct kmq_msg *msg;
	int i;

	for (i = 0; i < 40; i++)
		msg = kmq_fix_put(test, queue,
				  KMQ_SPEC(.group = 1, .offset = i / 2,
					   .length = 1, .flags = MQMF_SEGMENT));
	segments = msg->member->segments;
	mutex_lock(&queue->lock);
	kmq_store_settle(&queue->store);
	KUNIT_EXPECT_EQ(test, segments->stale, -1);
	mutex_unlock(&queue->lock);
	/* in front of all, behind another one, beyond the end */
	kmq_fix_put(test, queue, KMQ_SPEC(.group = 1, .length = 7,
					  .flags = MQMF_SEGMENT));
	kmq_fix_put(test, queue, KMQ_SPEC(.group = 1, .offset = 5, .length = 3,
					  .flags = MQMF_SEGMENT));
	kmq_fix_put(test, queue, KMQ_SPEC(.group = 1, .offset = 100,
					  .length = 3, .flags = MQMF_SEGMENT));
	kmq_fix_put(test, queue, KMQ_SPEC(.group = 1, .offset = 5, .length = 3,
					  .priority = 9,
					  .flags = MQMF_SEGMENT));
	KUNIT_EXPECT_EQ(test, segments->stale, -1);
	kmq_fix_put(test, queue,
		    KMQ_SPEC(.group = 1, .offset = 8, .length = 3, .priority = 9,
			     .flags = MQMF_SEGMENT | MQMF_LAST_SEGMENT));
	KUNIT_EXPECT_EQ(test, segments->stale, 7);
}

/* M-GRP-4: all segments of a number go before anybody asks. */
static void kmq_chain_gone(struct kunit *test)
{
	const u32 flags = MQMF_MSG_IN_GROUP | MQMF_SEGMENT | MQMF_LAST_SEGMENT;
	const struct kmq_search want = { .min_level = KMQ_LEVEL_GROUP };
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_msg *heads[2], *end;
	int i;

	for (i = 0; i < 2; i++)
		heads[i] = kmq_fix_put(test, queue, KMQ_SPEC(.group = 1,
							     .flags = flags));
	end = kmq_fix_put(test, queue,
			  KMQ_SPEC(.group = 1, .seq = 2,
				   .flags = MQMF_MSG_IN_GROUP |
				   MQMF_LAST_MSG_IN_GROUP));
	mutex_lock(&queue->lock);
	KUNIT_EXPECT_PTR_EQ(test, kmq_search_first(&queue->store, &want),
			    heads[0]);
	for (i = 0; i < 2; i++)
		kmq_queue_discard_locked(queue, heads[i]);
	KUNIT_EXPECT_NULL(test, kmq_search_first(&queue->store, &want));
	KUNIT_EXPECT_FALSE(test, end->member->group->complete);
	mutex_unlock(&queue->lock);
}

static struct kunit_case kmq_chain_cases[] = {
	KUNIT_CASE(kmq_chain_of_segments),
	KUNIT_CASE(kmq_chain_of_reports),
	KUNIT_CASE(kmq_chain_many_heads),
	KUNIT_CASE(kmq_chain_no_difference),
	KUNIT_CASE(kmq_chain_gone),
	{}
};

KMQ_SUITE(kmq_chain, kmq_chain_cases);
