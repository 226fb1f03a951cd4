// SPDX-License-Identifier: GPL-2.0
/*
 * Groups and segments: the frontiers, by arrival and removal in every order, and
 * against the oracle.
 */
#include "../group.h"
#include "../store.h"
#include "oracle.h"

#define KMQ_MEMBERS	40

enum kmq_order { KMQ_ASCENDING, KMQ_DESCENDING, KMQ_SHUFFLED, KMQ_ORDERS };

struct kmq_come_and_go {
	enum kmq_order come;
	enum kmq_order go;
};

static const struct kmq_come_and_go kmq_orders[] = {
	{ KMQ_ASCENDING, KMQ_ASCENDING }, { KMQ_ASCENDING, KMQ_DESCENDING },
	{ KMQ_ASCENDING, KMQ_SHUFFLED }, { KMQ_DESCENDING, KMQ_ASCENDING },
	{ KMQ_DESCENDING, KMQ_DESCENDING }, { KMQ_DESCENDING, KMQ_SHUFFLED },
	{ KMQ_SHUFFLED, KMQ_ASCENDING }, { KMQ_SHUFFLED, KMQ_DESCENDING },
	{ KMQ_SHUFFLED, KMQ_SHUFFLED },
};

static void kmq_orders_describe(const struct kmq_come_and_go *orders,
				char *text)
{
	static const char * const names[] = { "ascending", "descending",
					      "shuffled" };

	snprintf(text, KUNIT_PARAM_DESC_SIZE, "come %s, go %s",
		 names[orders->come], names[orders->go]);
}

KUNIT_ARRAY_PARAM(kmq_orders, kmq_orders, kmq_orders_describe);

static void kmq_arrange(int *order, enum kmq_order how, u64 seed)
{
	int i, other;

	for (i = 0; i < KMQ_MEMBERS; i++)
		order[i] = how == KMQ_DESCENDING ? KMQ_MEMBERS - 1 - i : i;
	for (i = KMQ_MEMBERS - 1; how == KMQ_SHUFFLED && i; i--) {
		other = kmq_fix_random(&seed) % (i + 1);
		swap(order[i], order[other]);
	}
}

/* How many of the first ones are all there. */
static int kmq_leading(const bool *there)
{
	int n = 0;

	while (n < KMQ_MEMBERS && there[n])
		n++;
	return n;
}

static void kmq_expect_group(struct kunit *test, const struct kmq_group *group,
			     const bool *there)
{
	KUNIT_EXPECT_EQ(test, group->complete,
			kmq_leading(there) == KMQ_MEMBERS);
}

/* M-GRP-4: complete when 1 to the last one are there, in whatever order. */
static void kmq_group_frontier(struct kunit *test)
{
	const struct kmq_come_and_go *orders = test->param_value;
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_msg *msgs[KMQ_MEMBERS];
	bool there[KMQ_MEMBERS] = {};
	int order[KMQ_MEMBERS], i, n;

	kmq_arrange(order, orders->come, 11);
	for (i = 0; i < KMQ_MEMBERS; i++) {
		n = order[i];
		msgs[n] = kmq_fix_put(test, queue,
				      KMQ_SPEC(.group = 1, .seq = n + 1,
					       .flags = MQMF_MSG_IN_GROUP |
					       (n == KMQ_MEMBERS - 1 ?
						MQMF_LAST_MSG_IN_GROUP : 0)));
		there[n] = true;
		kmq_expect_group(test, msgs[n]->member->group, there);
	}
	for (i = 0; i < KMQ_MEMBERS; i++)
		KUNIT_EXPECT_EQ(test, msgs[i]->class,
				KMQ_CLASS(i ? KMQ_KIND_FIRST : KMQ_KIND_HEAD,
					  KMQ_LEVEL_GROUP, 0));
	kmq_arrange(order, orders->go, 12);
	mutex_lock(&queue->lock);
	for (i = 0; i < KMQ_MEMBERS; i++) {
		n = order[i];
		kmq_store_del(&queue->store, msgs[n]);
		msgs[n]->state = KMQ_MSG_LOCKED;
		there[n] = false;
		kmq_expect_group(test, msgs[n]->member->group, there);
	}
	for (i = 0; i < KMQ_MEMBERS; i++)
		kmq_store_add(&queue->store, msgs[i]);
	KUNIT_EXPECT_TRUE(test, msgs[0]->member->group->complete);
	mutex_unlock(&queue->lock);
}

/* M-SEG-3: the same for the segments of a logical message, of any lengths. */
static void kmq_group_segments(struct kunit *test)
{
	const struct kmq_come_and_go *orders = test->param_value;
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_msg *msgs[KMQ_MEMBERS];
	bool there[KMQ_MEMBERS] = {};
	int offsets[KMQ_MEMBERS + 1] = {};
	struct kmq_segments *segments;
	int order[KMQ_MEMBERS], i, n;

	for (i = 0; i < KMQ_MEMBERS; i++)
		offsets[i + 1] = offsets[i] + 1 + i % 7;
	kmq_arrange(order, orders->come, 21);
	for (i = 0; i < KMQ_MEMBERS; i++) {
		n = order[i];
		msgs[n] = kmq_fix_put(test, queue,
				      KMQ_SPEC(.group = 1, .offset = offsets[n],
					       .length = 1 + n % 7,
					       .flags = MQMF_SEGMENT |
					       (n == KMQ_MEMBERS - 1 ?
						MQMF_LAST_SEGMENT : 0)));
		there[n] = true;
		segments = msgs[n]->member->segments;
		KUNIT_EXPECT_EQ(test, segments->complete,
				kmq_leading(there) == KMQ_MEMBERS);
		if (!segments->complete)
			KUNIT_EXPECT_EQ(test, segments->next_offset,
					offsets[kmq_leading(there)]);
		KUNIT_EXPECT_FALSE(test, segments->irregular);
	}
	KUNIT_EXPECT_TRUE(test, kmq_segments_whole(&queue->store, msgs[0]));
	kmq_arrange(order, orders->go, 22);
	for (i = 0; i < KMQ_MEMBERS; i++) {
		n = order[i];
		there[n] = false;
		segments = i < KMQ_MEMBERS - 1 ? msgs[n]->member->segments :
						 NULL;
		mutex_lock(&queue->lock);
		kmq_queue_discard_locked(queue, msgs[n]);
		mutex_unlock(&queue->lock);
		if (!segments)
			break;
		KUNIT_EXPECT_FALSE(test, segments->complete);
		KUNIT_EXPECT_EQ(test, segments->next_offset,
				offsets[kmq_leading(there)]);
	}
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&queue->store.groups));
}

static void kmq_fix_settle(struct kmq_queue *queue)
{
	mutex_lock(&queue->lock);
	kmq_store_settle(&queue->store);
	mutex_unlock(&queue->lock);
}

/* P-LOG-8: an empty last segment ends the message; any other leads nowhere. */
static void kmq_group_empty_segments(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_msg *first, *msg;

	first = kmq_fix_put(test, queue, KMQ_SPEC(.group = 1, .length = 10,
						  .flags = MQMF_SEGMENT));
	KUNIT_EXPECT_EQ(test, kmq_member_level(first), KMQ_LEVEL_PART);
	msg = kmq_fix_put(test, queue, KMQ_SPEC(.group = 1, .offset = 10,
						.flags = MQMF_SEGMENT));
	KUNIT_EXPECT_EQ(test, first->member->segments->next_offset, 10);
	KUNIT_EXPECT_NULL(test, kmq_segment_next(msg));
	mutex_lock(&queue->lock);
	kmq_queue_discard_locked(queue, msg);
	mutex_unlock(&queue->lock);
	kmq_fix_put(test, queue, KMQ_SPEC(.group = 1, .offset = 10,
					  .flags = MQMF_SEGMENT |
					  MQMF_LAST_SEGMENT));
	KUNIT_EXPECT_EQ(test, kmq_member_level(first), KMQ_LEVEL_GROUP);
	KUNIT_EXPECT_TRUE(test, kmq_segments_whole(&queue->store, first));
}

/* M-GRP-5: the final segment decides whether the group ends. */
static void kmq_group_final_segment_decides(struct kunit *test)
{
	const u32 flags = MQMF_MSG_IN_GROUP | MQMF_SEGMENT;
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_msg *a, *b;

	a = kmq_fix_put(test, queue,
			KMQ_SPEC(.group = 1, .length = 5,
				 .flags = flags | MQMF_LAST_MSG_IN_GROUP));
	kmq_fix_put(test, queue,
		    KMQ_SPEC(.group = 1, .offset = 5, .length = 5,
			     .flags = flags | MQMF_LAST_SEGMENT));
	KUNIT_EXPECT_FALSE(test, a->member->group->complete);
	KUNIT_EXPECT_EQ(test, kmq_member_level(a), KMQ_LEVEL_SEGMENTS);

	b = kmq_fix_put(test, queue, KMQ_SPEC(.group = 2, .length = 5,
					      .flags = flags));
	kmq_fix_put(test, queue,
		    KMQ_SPEC(.group = 2, .offset = 5, .length = 5,
			     .flags = flags | MQMF_LAST_SEGMENT |
			     MQMF_LAST_MSG_IN_GROUP));
	KUNIT_EXPECT_TRUE(test, b->member->group->complete);
	KUNIT_EXPECT_EQ(test, b->class, KMQ_CLASS(KMQ_KIND_HEAD,
						  KMQ_LEVEL_GROUP, 0));
}

/* M-SEG-11, M-SEG-2: reports are a chain of their own, by OriginalLength. */
static void kmq_group_reports(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_msg *data, *report, *other, *next;

	data = kmq_fix_put(test, queue, KMQ_SPEC(.group = 1, .length = 100,
						 .flags = MQMF_SEGMENT));
	report = kmq_fix_put(test, queue,
			     KMQ_SPEC(.group = 1, .length = 3, .original = 100,
				      .report = true, .feedback = 1,
				      .flags = MQMF_SEGMENT));
	KUNIT_EXPECT_PTR_NE(test, data->member->segments,
			    report->member->segments);
	KUNIT_EXPECT_TRUE(test, report->member->segments->irregular);
	KUNIT_EXPECT_FALSE(test, data->member->segments->irregular);
	kmq_fix_settle(queue);
	KUNIT_EXPECT_EQ(test, report->member->segments->next_offset, 100);
	other = kmq_fix_put(test, queue,
			    KMQ_SPEC(.group = 1, .offset = 100, .original = 50,
				     .report = true, .feedback = 2,
				     .flags = MQMF_SEGMENT |
				     MQMF_LAST_SEGMENT));
	kmq_fix_settle(queue);
	KUNIT_EXPECT_TRUE(test, other->member->segments->complete);
	KUNIT_EXPECT_FALSE(test, data->member->segments->complete);
	/* G-RAS-8: but reports of two kinds do not go together. */
	KUNIT_EXPECT_FALSE(test, kmq_segments_whole(&queue->store, report));
	KUNIT_EXPECT_NULL(test, kmq_segment_next(report));
	next = kmq_fix_put(test, queue,
			   KMQ_SPEC(.group = 1, .offset = 100, .original = 50,
				    .report = true, .feedback = 1,
				    .flags = MQMF_SEGMENT |
				    MQMF_LAST_SEGMENT));
	KUNIT_EXPECT_TRUE(test, kmq_segments_whole(&queue->store, report));
	KUNIT_EXPECT_PTR_EQ(test, kmq_segment_next(report), next);
}

/* M-ID-7: with duplicates the first in physical order counts. */
static void kmq_group_duplicates(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	const u32 last = MQMF_SEGMENT | MQMF_LAST_SEGMENT;
	struct kmq_msg *shorter, *longer, *end;

	longer = kmq_fix_put(test, queue, KMQ_SPEC(.group = 1, .length = 100,
						   .flags = MQMF_SEGMENT));
	end = kmq_fix_put(test, queue,
			  KMQ_SPEC(.group = 1, .offset = 50, .length = 1,
				   .flags = last));
	shorter = kmq_fix_put(test, queue,
			      KMQ_SPEC(.group = 1, .length = 50,
				       .flags = MQMF_SEGMENT));
	KUNIT_EXPECT_TRUE(test, longer->member->segments->irregular);
	KUNIT_EXPECT_FALSE(test, longer->member->segments->complete);
	KUNIT_EXPECT_FALSE(test, kmq_segments_whole(&queue->store, longer));
	KUNIT_EXPECT_TRUE(test, kmq_segments_whole(&queue->store, shorter));
	KUNIT_EXPECT_EQ(test, KMQ_CLASS_LEVEL(shorter->class), KMQ_LEVEL_GROUP);
	mutex_lock(&queue->lock);
	KUNIT_EXPECT_PTR_EQ(test, kmq_group_item(end->member->group, 1, 0, 0),
			    longer);
	KUNIT_EXPECT_PTR_EQ(test, kmq_group_item(end->member->group, 1, 0,
						 longer->key + 1), shorter);
	KUNIT_EXPECT_NULL(test, kmq_group_item(end->member->group, 1, 0,
					       shorter->key + 1));
	kmq_queue_discard_locked(queue, longer);
	kmq_store_settle(&queue->store);
	KUNIT_EXPECT_TRUE(test, shorter->member->segments->complete);
	mutex_unlock(&queue->lock);
}

/* A duplicate of the last one in front of the end moves the end. */
static void kmq_group_early_last(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_msg *early;
	int i;

	for (i = 1; i <= 3; i++)
		kmq_fix_put(test, queue,
			    KMQ_SPEC(.group = 1, .seq = i,
				     .flags = MQMF_MSG_IN_GROUP));
	early = kmq_fix_put(test, queue,
			    KMQ_SPEC(.group = 1, .seq = 2, .priority = 9,
				     .flags = MQMF_MSG_IN_GROUP |
				     MQMF_LAST_MSG_IN_GROUP));
	KUNIT_EXPECT_TRUE(test, early->member->group->complete);
	mutex_lock(&queue->lock);
	kmq_store_del(&queue->store, early);
	KUNIT_EXPECT_FALSE(test, early->member->group->complete);
	kmq_store_add(&queue->store, early);
	mutex_unlock(&queue->lock);
}

/* M-GRP-4, G-CPL-2: a large group is complete before all of it is filed anew. */
static void kmq_group_rising(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_store *store = &queue->store;
	struct kmq_search want = { .min_level = KMQ_LEVEL_GROUP };
	struct kmq_msg *msgs[KMQ_MEMBERS];
	struct kmq_group *group;
	int i;

	store->rise_steps = 3;
	for (i = KMQ_MEMBERS - 1; i >= 0; i--)
		msgs[i] = kmq_fix_put(test, queue,
				      KMQ_SPEC(.group = 1, .seq = i + 1,
					       .flags = MQMF_MSG_IN_GROUP |
					       (i == KMQ_MEMBERS - 1 ?
						MQMF_LAST_MSG_IN_GROUP : 0)));
	group = msgs[0]->member->group;
	mutex_lock(&queue->lock);
	KUNIT_EXPECT_TRUE(test, group->complete);
	KUNIT_EXPECT_FALSE(test, list_empty(&group->rising));
	KUNIT_EXPECT_EQ(test, group->low[KMQ_LEVEL_SEGMENTS], KMQ_MEMBERS - 1);
	KUNIT_EXPECT_PTR_EQ(test, kmq_search_first(store, &want),
			    msgs[KMQ_MEMBERS - 1]);
	KUNIT_EXPECT_EQ(test, group->low[KMQ_LEVEL_SEGMENTS], KMQ_MEMBERS - 4);
	/* Incomplete and complete again, in the middle of it. */
	kmq_store_del(store, msgs[1]);
	KUNIT_EXPECT_NULL(test, kmq_search_first(store, &want));
	kmq_store_add(store, msgs[1]);
	for (i = KMQ_MEMBERS; i; i--)
		KUNIT_EXPECT_PTR_EQ(test, kmq_search_first(store, &want),
				    msgs[KMQ_MEMBERS - 1]);
	KUNIT_EXPECT_TRUE(test, list_empty(&group->rising));
	KUNIT_EXPECT_EQ(test, group->low[KMQ_LEVEL_SEGMENTS], 0);
	mutex_unlock(&queue->lock);
}

/* A group object lives as long as any message of it is on the queue. */
static void kmq_group_lifetime(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_store *store = &fix->queues[0]->store;
	struct kmq_msg *msg;
	u8 id[KMQ_ID_LEN];

	kmq_fix_id(id, 5);
	KUNIT_EXPECT_NULL(test, kmq_group_find(store, id));
	msg = kmq_fix_put_uow(test, fix->conns[0], fix->queues[0],
			      KMQ_SPEC(.group = 5, .flags = MQMF_MSG_IN_GROUP |
				       MQMF_LAST_MSG_IN_GROUP));
	KUNIT_EXPECT_PTR_EQ(test, kmq_group_find(store, id),
			    msg->member->group);
	/* U-VIS-5 */
	KUNIT_EXPECT_FALSE(test, msg->member->group->complete);
	KUNIT_EXPECT_EQ(test, refcount_read(&msg->member->group->refs), 1);
	mutex_lock(&fix->conns[0]->call);
	kmq_uow_commit(&fix->conns[0]->uow);
	mutex_unlock(&fix->conns[0]->call);
	KUNIT_EXPECT_TRUE(test, msg->member->group->complete);
	mutex_lock(&fix->queues[0]->lock);
	kmq_queue_discard_locked(fix->queues[0], msg);
	mutex_unlock(&fix->queues[0]->lock);
	KUNIT_EXPECT_NULL(test, kmq_group_find(store, id));
}

/* Everything the group objects say about a group agrees with the oracle. */
static int kmq_wrong_about(const struct kmq_pop *pop, u64 number)
{
	struct kmq_oracle_group found;
	struct kmq_oracle_chain chain;
	struct kmq_group *group;
	u32 low[KMQ_LEVELS] = {}, loose = 0, refs = 0;
	u8 id[KMQ_ID_LEN];
	int i, wrong = 0;

	kmq_fix_id(id, number);
	kmq_store_settle(&pop->queue->store);
	group = kmq_group_find(&pop->queue->store, id);
	for (i = 0; i < pop->count; i++) {
		const struct kmq_msg *msg = pop->msgs[i];
		int level;

		if (kmq_group_number(msg) != number)
			continue;
		refs++;
		wrong += msg->member->group != group;
		if (msg->member->segments) {
			kmq_oracle_chain(pop, number, msg->member->seq,
					 kmq_msg_is_report(msg), &chain);
			wrong += chain.complete !=
				 msg->member->segments->complete;
			wrong += chain.next_offset !=
				 msg->member->segments->next_offset;
			wrong += chain.complete && chain.last_in_group !=
				 msg->member->segments->last_in_group;
		}
		if (msg->state != KMQ_MSG_AVAILABLE)
			continue;
		low[KMQ_CLASS_LEVEL(msg->class)]++;
		loose += !(msg->msg_flags & MQMF_MSG_IN_GROUP);
		level = kmq_oracle_level(pop, msg);
		wrong += kmq_member_level(msg) != level;
		wrong += kmq_pop_filed_low(msg, level);
		if (msg->msg_flags & MQMF_SEGMENT && !msg->member->offset)
			wrong += kmq_segments_whole(&pop->queue->store, msg) !=
				 kmq_oracle_whole(pop, msg);
	}
	if (!group)
		return wrong + refs;
	kmq_oracle_group(pop, number, &found);
	wrong += found.complete != group->complete;
	wrong += group->low[KMQ_LEVEL_PART] != low[KMQ_LEVEL_PART];
	wrong += group->low[KMQ_LEVEL_SEGMENTS] != low[KMQ_LEVEL_SEGMENTS];
	wrong += group->loose != loose;
	return wrong + (refcount_read(&group->refs) != refs);
}

/* Messages leave their group without the lock, but for the last one. */
static void kmq_group_leaving(struct kunit *test)
{
	const u32 flags = MQMF_MSG_IN_GROUP | MQMF_SEGMENT;
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_segments *segments;
	struct kmq_msg *msgs[3];
	struct kmq_group *group;
	int i;

	for (i = 0; i < 3; i++)
		msgs[i] = kmq_fix_put(test, queue,
				      KMQ_SPEC(.group = 1, .seq = 1 + i / 2,
					       .offset = i * 10, .length = 10,
					       .flags = flags));
	group = msgs[0]->member->group;
	segments = msgs[0]->member->segments;
	mutex_lock(&queue->lock);
	for (i = 0; i < 3; i++)
		kmq_take_off_locked(queue, msgs[i], false);
	while (!list_empty(&queue->store.changed))
		kmq_waiters_settle_locked(queue);
	mutex_unlock(&queue->lock);
	KUNIT_EXPECT_TRUE(test, kmq_group_leave(msgs[0]));
	KUNIT_EXPECT_NULL(test, msgs[0]->member->group);
	KUNIT_EXPECT_EQ(test, refcount_read(&segments->refs), 1);
	KUNIT_EXPECT_EQ(test, refcount_read(&group->refs), 2);
	/* the last segment of its message, not the last message of the group */
	KUNIT_EXPECT_FALSE(test, kmq_group_leave(msgs[1]));
	KUNIT_EXPECT_EQ(test, refcount_read(&group->refs), 2);
	kmq_queue_leave_group(queue, msgs[1]);
	KUNIT_EXPECT_EQ(test, refcount_read(&group->refs), 1);
	KUNIT_EXPECT_PTR_EQ(test, msgs[2]->member->group, group);
	kmq_queue_leave_group(queue, msgs[2]);
	KUNIT_EXPECT_NULL(test, msgs[2]->member->group);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&queue->store.groups));
	for (i = 0; i < 3; i++)
		kmq_msg_drop(msgs[i]);
}

static void kmq_group_against_oracle(struct kunit *test)
{
	struct kmq_pop *pop = kunit_kzalloc(test, sizeof(*pop), GFP_KERNEL);
	int step, wrong = 0, complete = 0;

	KUNIT_ASSERT_NOT_NULL(test, pop);
	kmq_pop_init(pop, test, 4711);
	for (step = 0; step < 8000 && !wrong; step++) {
		struct kmq_oracle_group found;
		u64 number = kmq_pop_step(pop);

		if (!number)
			continue;
		mutex_lock(&pop->queue->lock);
		wrong += kmq_wrong_about(pop, number);
		mutex_unlock(&pop->queue->lock);
		kmq_oracle_group(pop, number, &found);
		complete += found.complete;
		cond_resched();
	}
	KUNIT_EXPECT_EQ_MSG(test, wrong, 0, "after %d steps", step);
	/* Else the test would say nothing about complete groups. */
	KUNIT_EXPECT_GT(test, complete, 400);
	kmq_pop_show_all(pop);
}

static struct kunit_case kmq_group_cases[] = {
	KUNIT_CASE_PARAM(kmq_group_frontier, kmq_orders_gen_params),
	KUNIT_CASE_PARAM(kmq_group_segments, kmq_orders_gen_params),
	KUNIT_CASE(kmq_group_empty_segments),
	KUNIT_CASE(kmq_group_final_segment_decides),
	KUNIT_CASE(kmq_group_reports),
	KUNIT_CASE(kmq_group_duplicates),
	KUNIT_CASE(kmq_group_early_last),
	KUNIT_CASE(kmq_group_rising),
	KUNIT_CASE(kmq_group_lifetime),
	KUNIT_CASE(kmq_group_leaving),
	KUNIT_CASE(kmq_group_against_oracle),
	{}
};

KMQ_SUITE(kmq_group, kmq_group_cases);
