// SPDX-License-Identifier: GPL-2.0
/*
 * Search: which message a get finds, by every kind of condition.
 */
#include "../mark.h"
#include "../search.h"
#include "../store.h"
#include "oracle.h"

static u64 kmq_first_id(struct kmq_queue *queue, const struct kmq_search *want)
{
	struct kmq_msg *msg;

	mutex_lock(&queue->lock);
	msg = kmq_search_first(&queue->store, want);
	mutex_unlock(&queue->lock);
	return msg ? kmq_fix_number(msg->md.msg_id) : 0;
}

/* G-MAT-2: all identifiers that are given must agree; physical order decides. */
static void kmq_search_identifiers(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	u8 msg_id[KMQ_ID_LEN], correl_id[KMQ_ID_LEN], group_id[KMQ_ID_LEN];
	struct kmq_search want = {
		.msg_id = msg_id, .correl_id = correl_id, .group_id = group_id,
	};
	struct kmq_msg *msg = NULL;
	int i;

	for (i = 0; i < 30; i++)
		msg = kmq_fix_put(test, queue,
				  KMQ_SPEC(.id = 1 + i % 2, .correl = 1 + i % 3,
					   .group = 1 + i % 5,
					   .flags = MQMF_MSG_IN_GROUP,
					   .seq = i + 1));
	/* The last one is the only one with all three. */
	kmq_fix_id(msg_id, 2);
	kmq_fix_id(correl_id, 3);
	kmq_fix_id(group_id, 5);
	want.flags = KMQ_WANT_MSG_ID | KMQ_WANT_CORREL_ID | KMQ_WANT_GROUP_ID;
	mutex_lock(&queue->lock);
	KUNIT_EXPECT_PTR_EQ(test, kmq_search_first(&queue->store, &want), msg);
	want.from = msg->key + 1;
	KUNIT_EXPECT_NULL(test, kmq_search_first(&queue->store, &want));
	want.from = msg->key;
	KUNIT_EXPECT_PTR_EQ(test, kmq_search_first(&queue->store, &want), msg);
	want.from = 0;
	kmq_fix_id(group_id, 6);
	KUNIT_EXPECT_NULL(test, kmq_search_first(&queue->store, &want));
	want.flags = KMQ_WANT_MSG_ID | KMQ_WANT_CORREL_ID;
	msg = kmq_search_first(&queue->store, &want);
	KUNIT_EXPECT_EQ(test, msg ? msg->member->seq : 0, 6);
	mutex_unlock(&queue->lock);
}

/* Two indexes that never agree: each moves on to where the other one is. */
static void kmq_search_leapfrog(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	u8 msg_id[KMQ_ID_LEN], correl_id[KMQ_ID_LEN];
	struct kmq_search want = {
		.flags = KMQ_WANT_MSG_ID | KMQ_WANT_CORREL_ID,
		.msg_id = msg_id, .correl_id = correl_id,
	};
	int i;

	/* Runs of one and the other; both only at the very end. */
	for (i = 0; i < 2000; i++)
		kmq_fix_put(test, queue, i / 100 % 2 ? KMQ_SPEC(.id = 1) :
			    KMQ_SPEC(.id = 2, .correl = 1));
	kmq_fix_id(msg_id, 1);
	kmq_fix_id(correl_id, 1);
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 0);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1, .correl = 1));
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 1);
}

/* G-MAT-4: the token names one message, conditions on it must hold as well. */
static void kmq_search_token(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_msg *a = kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	struct kmq_msg *b = kmq_fix_put(test, queue, KMQ_SPEC(.id = 2));
	u8 id[KMQ_ID_LEN];
	struct kmq_search want = {
		.flags = KMQ_WANT_KEY, .token_key = b->key, .msg_id = id,
	};

	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 2);
	want.from = b->key + 1;
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 0);
	want.from = 0;
	want.token_key = 0;
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 0);
	want.token_key = a->key;
	want.flags |= KMQ_WANT_MSG_ID;
	kmq_fix_id(id, 2);
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 0);
	kmq_fix_id(id, 1);
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 1);
}

/* G-MAT-2: a message that is in no group has sequence 1 and offset 0. */
static void kmq_search_positions(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_search want = { .flags = KMQ_WANT_SEQ, .seq = 2 };

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 2, .group = 1, .seq = 2,
					  .flags = MQMF_MSG_IN_GROUP));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 3, .group = 1, .offset = 10,
					  .length = 5, .flags = MQMF_SEGMENT));
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 2);
	want.seq = 1;
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 1);
	want.seq = 3;
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 0);
	want.flags = KMQ_WANT_OFFSET;
	want.offset = 10;
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 3);
	want.offset = 0;
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 1);
	want.need_flags = MQMF_MSG_IN_GROUP;
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 2);
	want.flags = KMQ_WANT_HEAD;
	want.need_flags = 0;
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 1);
}

/* G-CPL-1, G-CPL-3: incomplete groups in front are passed over. */
static void kmq_search_complete_group(struct kunit *test)
{
	const u32 end = MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP;
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_search want = {
		.flags = KMQ_WANT_HEAD, .min_level = KMQ_LEVEL_GROUP,
	};
	struct kmq_msg *msg;
	int i;

	for (i = 1; i <= 100; i++)
		kmq_fix_put(test, queue,
			    KMQ_SPEC(.id = i, .group = i, .seq = 1,
				     .flags = MQMF_MSG_IN_GROUP));
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 0);
	msg = kmq_fix_put(test, queue,
			  KMQ_SPEC(.id = 1000, .group = 77, .seq = 2,
				   .flags = end));
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 77);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1001));
	/* Becoming incomplete is noticed by the search that meets it. */
	mutex_lock(&queue->lock);
	kmq_store_del(&queue->store, msg);
	msg->state = KMQ_MSG_LOCKED;
	mutex_unlock(&queue->lock);
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 1001);
	mutex_lock(&queue->lock);
	kmq_store_add(&queue->store, msg);
	mutex_unlock(&queue->lock);
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &want), 77);
}

static void kmq_test_mark(struct kunit *test, struct kmq_queue *queue,
			  struct kmq_msg *msg, struct kmq_handle *handle)
{
	struct kmq_mark *mark = kmq_mark_alloc();

	KUNIT_ASSERT_NOT_NULL(test, mark);
	mutex_lock(&queue->lock);
	kmq_mark_add(queue, mark, msg, handle);
	mutex_unlock(&queue->lock);
}

/* A new message in front leaves the floor of those behind where it is. */
static void kmq_search_mark_floors(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_BROWSE);
	struct kmq_search mine = { .flags = KMQ_WANT_UNMARKED,
				   .unmarked_for = a };
	struct kmq_msg *msgs[3];
	unsigned int rank;
	int i;

	for (i = 0; i < 3; i++) {
		msgs[i] = kmq_fix_put(test, queue, KMQ_SPEC(.id = i + 1,
							    .priority = 4));
		kmq_test_mark(test, queue, msgs[i], a);
	}
	rank = kmq_key_rank(msgs[0]->key);
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &mine), 0);
	KUNIT_EXPECT_EQ(test, a->mark_floor[rank], msgs[2]->key);
	kmq_test_mark(test, queue,
		      kmq_fix_put(test, queue, KMQ_SPEC(.id = 4,
							.priority = 9)), a);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 5, .priority = 9));
	KUNIT_EXPECT_EQ(test, a->mark_floor[rank], msgs[2]->key);
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &mine), 5);
	/* One that comes back to its place does count. */
	mutex_lock(&queue->lock);
	kmq_store_del(&queue->store, msgs[1]);
	kmq_marks_drop(queue, msgs[1]);
	kmq_queue_insert_locked(queue, msgs[1]);
	KUNIT_EXPECT_LT(test, a->mark_floor[rank], msgs[1]->key);
	mine.from = msgs[0]->key;
	KUNIT_EXPECT_PTR_EQ(test, kmq_search_first(&queue->store, &mine),
			    msgs[1]);
	mutex_unlock(&queue->lock);
}

/* G-MRK-6: each handle sees its own marks; co-operating ones the common ones. */
static void kmq_search_marks(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_BROWSE);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0,
					    KMQ_MAY_BROWSE | KMQ_CO_OP);
	struct kmq_search mine = { .flags = KMQ_WANT_UNMARKED,
				   .unmarked_for = a };
	struct kmq_search ours = { .flags = KMQ_WANT_UNMARKED |
				   KMQ_WANT_NO_CO_OP, .unmarked_for = b };
	struct kmq_msg *msgs[4];
	int i;

	for (i = 0; i < 4; i++)
		msgs[i] = kmq_fix_put(test, queue, KMQ_SPEC(.id = i + 1));
	kmq_test_mark(test, queue, msgs[0], a);
	kmq_test_mark(test, queue, msgs[1], a);
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &mine), 3);
	KUNIT_EXPECT_EQ(test, a->mark_floor[kmq_key_rank(msgs[1]->key)],
			msgs[1]->key);
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &ours), 1);
	kmq_test_mark(test, queue, msgs[0], NULL);
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &ours), 2);
	KUNIT_EXPECT_EQ(test, KMQ_CLASS_LEVEL(msgs[0]->class),
			KMQ_LEVEL_GROUP);
	KUNIT_EXPECT_EQ(test, msgs[0]->class & 1, 1);

	/* What comes in below the floor lowers it, a mark that goes also. */
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 9, .priority = 9));
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &mine), 9);
	mutex_lock(&queue->lock);
	kmq_mark_del(queue, kmq_mark_find(msgs[1], a));
	kmq_queue_discard_locked(queue, kmq_store_next(&queue->store, ~0U, 0));
	mutex_unlock(&queue->lock);
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &mine), 2);
	kmq_test_mark(test, queue, msgs[1], a);
	kmq_test_mark(test, queue, msgs[2], a);
	kmq_test_mark(test, queue, msgs[3], a);
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &mine), 0);
	/* The marked ones that leave take their marks along. */
	mutex_lock(&queue->lock);
	kmq_queue_discard_locked(queue, msgs[3]);
	mutex_unlock(&queue->lock);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 10));
	KUNIT_EXPECT_EQ(test, kmq_first_id(queue, &mine), 10);
}

/* G-MRK-9: with the last co-operating handle the common marks end. */
static void kmq_search_marks_end(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *a = kmq_fix_open(test, 0, 0,
					    KMQ_MAY_BROWSE | KMQ_CO_OP);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0,
					    KMQ_MAY_BROWSE | KMQ_CO_OP);
	struct kmq_msg *msg = kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));

	kmq_test_mark(test, queue, msg, NULL);
	kmq_test_mark(test, queue, msg, a);
	kmq_conn_break(kmq_fix_of(test)->conns[0]);
	KUNIT_EXPECT_NOT_NULL(test, kmq_mark_find(msg, NULL));
	KUNIT_EXPECT_NULL(test, kmq_mark_find(msg, a));
	KUNIT_EXPECT_EQ(test, b->queue->co_op_handles, 1);
	kmq_conn_break(kmq_fix_of(test)->conns[1]);
	KUNIT_EXPECT_NULL(test, kmq_mark_find(msg, NULL));
	KUNIT_EXPECT_FALSE(test, msg->co_op_mark);
	KUNIT_EXPECT_EQ(test, msg->class & 1, 0);
}

/* Against every message, one after the other. */
static bool kmq_oracle_fits(const struct kmq_pop *pop,
			    const struct kmq_search *want,
			    const struct kmq_msg *msg)
{
	s32 seq = msg->member ? msg->member->seq : 1;
	s32 offset = msg->member ? msg->member->offset : 0;
	u32 flags = want->flags;
	struct kmq_oracle_group group;

	if (msg->state != KMQ_MSG_AVAILABLE || msg->key < want->from ||
	    want->need_flags & ~msg->msg_flags)
		return false;
	if ((flags & KMQ_WANT_MSG_ID &&
	     memcmp(want->msg_id, msg->md.msg_id, KMQ_ID_LEN)) ||
	    (flags & KMQ_WANT_CORREL_ID &&
	     memcmp(want->correl_id, msg->md.correl_id, KMQ_ID_LEN)) ||
	    (flags & KMQ_WANT_GROUP_ID &&
	     kmq_fix_number(want->group_id) != kmq_group_number(msg)) ||
	    (flags & KMQ_WANT_KEY && want->token_key != msg->key) ||
	    (flags & KMQ_WANT_SEQ && want->seq != seq) ||
	    (flags & KMQ_WANT_OFFSET && want->offset != offset) ||
	    (flags & KMQ_WANT_HEAD && (seq != 1 || offset)) ||
	    (flags & KMQ_WANT_WHOLE && offset) ||
	    (flags & KMQ_WANT_NO_CO_OP && kmq_mark_find(msg, NULL)) ||
	    (flags & KMQ_WANT_UNMARKED &&
	     kmq_mark_find(msg, want->unmarked_for)))
		return false;
	if (!msg->member)
		return true;
	if (!(flags & KMQ_WANT_WHOLE) || !(msg->msg_flags & MQMF_SEGMENT) ||
	    !msg->member->segments->irregular)
		return kmq_oracle_level(pop, msg) >= want->min_level;
	if (!kmq_oracle_whole(pop, msg))
		return false;
	kmq_oracle_group(pop, kmq_group_number(msg), &group);
	return want->min_level < KMQ_LEVEL_GROUP || group.complete ||
	       !(msg->msg_flags & MQMF_MSG_IN_GROUP);
}

static struct kmq_msg *kmq_oracle_first(const struct kmq_pop *pop,
					const struct kmq_search *want)
{
	struct kmq_msg *best = NULL;
	int i;

	for (i = 0; i < pop->count; i++)
		if ((!best || pop->msgs[i]->key < best->key) &&
		    kmq_oracle_fits(pop, want, pop->msgs[i]))
			best = pop->msgs[i];
	return best;
}

struct kmq_random_want {
	struct kmq_search want;
	u8 msg_id[KMQ_ID_LEN];
	u8 correl_id[KMQ_ID_LEN];
	u8 group_id[KMQ_ID_LEN];
};

static void kmq_make_want(struct kmq_pop *pop, struct kmq_random_want *random,
			  struct kmq_handle *handle)
{
	struct kmq_search *want = &random->want;
	u32 r = kmq_fix_random(&pop->state);
	struct kmq_msg *some = pop->msgs[r % pop->count];

	memset(random, 0, sizeof(*random));
	/* Two random masks: few conditions at a time find something. */
	want->flags = kmq_fix_random(&pop->state) &
		      kmq_fix_random(&pop->state) & GENMASK(9, 0);
	kmq_fix_id(random->msg_id, r / 128 % 5 + 1);
	kmq_fix_id(random->correl_id, r / 1024 % 3 + 1);
	kmq_fix_id(random->group_id, r / 4096 % KMQ_POP_GROUPS + 1);
	r = kmq_fix_random(&pop->state);
	want->msg_id = random->msg_id;
	want->correl_id = random->correl_id;
	want->group_id = random->group_id;
	want->token_key = some->key;
	want->seq = r % KMQ_POP_SEQS + 1;
	want->offset = r / 8 % 3 * 10;
	want->unmarked_for = handle;
	want->min_level = r / 64 % KMQ_LEVELS;
	if (want->flags & KMQ_WANT_WHOLE && !want->min_level)
		want->min_level = KMQ_LEVEL_SEGMENTS;
	if (r / 256 % 4 == 0)
		want->need_flags = MQMF_MSG_IN_GROUP;
	if (r / 1024 % 3 == 0)
		want->from = some->key + r / 4096 % 2;
}

/* Marks come and go at random, too. */
static void kmq_toggle_mark(struct kunit *test, struct kmq_pop *pop,
			    struct kmq_handle *handle)
{
	u32 r = kmq_fix_random(&pop->state);
	struct kmq_msg *msg = pop->msgs[r / 2 % pop->count];
	struct kmq_handle *owner = r % 2 ? handle : NULL;
	struct kmq_mark *mark = kmq_mark_find(msg, owner);

	if (msg->state != KMQ_MSG_AVAILABLE)
		return;
	if (!mark) {
		kmq_test_mark(test, pop->queue, msg, owner);
		return;
	}
	if (r / 1024 % 4)
		return;
	mutex_lock(&pop->queue->lock);
	kmq_mark_del(pop->queue, mark);
	mutex_unlock(&pop->queue->lock);
}

static void kmq_search_against_oracle(struct kunit *test)
{
	struct kmq_pop *pop = kunit_kzalloc(test, sizeof(*pop), GFP_KERNEL);
	struct kmq_random_want *random = kunit_kzalloc(test, sizeof(*random),
						       GFP_KERNEL);
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_BROWSE);
	int step, i, wrong = 0, found = 0;

	KUNIT_ASSERT_NOT_NULL(test, pop);
	KUNIT_ASSERT_NOT_NULL(test, random);
	/* Common marks stay. */
	kmq_fix_of(test)->qmgr->attrs.msg_mark_browse_interval = -1;
	kmq_pop_init(pop, test, 815);
	for (step = 0; step < 3000 && !wrong; step++) {
		kmq_pop_step(pop);
		if (!pop->count)
			continue;
		kmq_toggle_mark(test, pop, handle);
		for (i = 0; i < 4; i++) {
			struct kmq_msg *msg, *want;

			kmq_make_want(pop, random, handle);
			want = kmq_oracle_first(pop, &random->want);
			mutex_lock(&pop->queue->lock);
			msg = kmq_search_first(&pop->queue->store,
					       &random->want);
			mutex_unlock(&pop->queue->lock);
			wrong += msg != want;
			found += !!msg;
		}
		cond_resched();
	}
	KUNIT_EXPECT_EQ_MSG(test, wrong, 0, "after %d steps, flags %x level %d",
			    step, random->want.flags, random->want.min_level);
	KUNIT_EXPECT_GT(test, found, 2000);
	kmq_pop_show_all(pop);
}

static struct kunit_case kmq_search_cases[] = {
	KUNIT_CASE(kmq_search_identifiers),
	KUNIT_CASE(kmq_search_leapfrog),
	KUNIT_CASE(kmq_search_token),
	KUNIT_CASE(kmq_search_positions),
	KUNIT_CASE(kmq_search_complete_group),
	KUNIT_CASE(kmq_search_mark_floors),
	KUNIT_CASE(kmq_search_marks),
	KUNIT_CASE(kmq_search_marks_end),
	KUNIT_CASE(kmq_search_against_oracle),
	{}
};

KMQ_SUITE(kmq_search, kmq_search_cases);
