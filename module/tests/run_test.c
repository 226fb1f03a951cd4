// SPDX-License-Identifier: GPL-2.0
/*
 * Runs: messages that come and go together are where they would be if they had
 * come and gone one by one.
 */
#include "../context.h"
#include "../run.h"
#include "../store.h"
#include "fixture.h"

#define KMQ_RUN_MAX	32

/* A run of new messages of one priority. */
static void kmq_run_put(struct kunit *test, struct kmq_queue *queue, u32 count,
			int priority, u64 *id)
{
	struct kmq_msg *msgs[KMQ_RUN_MAX];
	u32 i;

	for (i = 0; i < count; i++, ++*id)
		msgs[i] = kmq_fix_msg(test, KMQ_SPEC(.id = *id,
						     .correl = *id % 3,
						     .priority = priority,
						     .length = *id % 7));
	mutex_lock(&queue->lock);
	kmq_run_admit_locked(queue, msgs, count, priority, false);
	mutex_unlock(&queue->lock);
}

/* The first messages, at most so many, by kmq_store_next(). */
static u32 kmq_run_expect(struct kmq_queue *queue, struct kmq_msg **msgs,
			  u32 count)
{
	u64 from = 0;
	u32 i;

	for (i = 0; i < count; i++) {
		msgs[i] = kmq_store_next(&queue->store, ~0U, from);
		if (!msgs[i])
			break;
		from = msgs[i]->key + 1;
	}
	return i;
}

/* Take a run off. Return: how many that were. */
static u32 kmq_run_get(struct kunit *test, struct kmq_queue *queue, u32 count)
{
	struct kmq_msg *want[KMQ_RUN_MAX], *msgs[KMQ_RUN_MAX], *spares;
	struct kmq_msg *msg;
	u32 i, found;

	mutex_lock(&queue->lock);
	found = kmq_run_expect(queue, want, count);
	msg = kmq_store_plain_first(&queue->store);
	for (i = 0; i < count && msg; i++) {
		msgs[i] = msg;
		msg = kmq_store_plain_next(msg);
	}
	if (i)
		kmq_run_take_locked(queue, msgs, i, false);
	mutex_unlock(&queue->lock);
	KUNIT_EXPECT_EQ(test, i, found);
	if (i)
		KUNIT_EXPECT_EQ(test, memcmp(want, msgs, i * sizeof(*msgs)), 0);
	spares = kmq_msg_retire_run(msgs, i);
	kmq_msg_spares_free(spares);
	return i;
}

/* Order, indexes and books of a queue agree. */
static void kmq_run_check(struct kunit *test, struct kmq_queue *queue)
{
	struct kmq_msg *msg, *last = NULL;
	u64 from = 0, bytes = 0;
	u32 count = 0, wrong = 0;

	mutex_lock(&queue->lock);
	while ((msg = kmq_store_next(&queue->store, ~0U, from))) {
		wrong += last && last->key >= msg->key;
		wrong += kmq_store_by_msg_id(&queue->store, msg->md.msg_id,
					     0) != msg;
		if (!kmq_id_is_null(msg->md.correl_id))
			wrong += kmq_store_by_correl_id(&queue->store,
							msg->md.correl_id,
							msg->key) != msg;
		bytes += msg->length;
		from = msg->key + 1;
		last = msg;
		count++;
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_EQ(test, count, queue->store.count);
	KUNIT_EXPECT_EQ(test, count, queue->depth);
	KUNIT_EXPECT_EQ(test, bytes, queue->bytes);
	mutex_unlock(&queue->lock);
}

/* M-STO-2, M-PRI-3: runs of all priorities, and single messages among them. */
static void kmq_run_random(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	u64 state = 7, id = 1;
	u32 put = 0, got = 0;
	int i;

	for (i = 0; i < 1000; i++) {
		u32 random = kmq_fix_random(&state);
		u32 count = random / 16 % KMQ_RUN_MAX + 1;

		if (random % 16 < 6) {
			kmq_run_put(test, queue, count, random / 1024 % 10,
				    &id);
			put += count;
		} else if (random % 16 < 8) {
			kmq_fix_put(test, queue,
				    KMQ_SPEC(.id = id++, .correl = 1,
					     .priority = random / 1024 % 10));
			put++;
		} else {
			got += kmq_run_get(test, queue, count);
		}
		if (i % 100 == 0)
			kmq_run_check(test, queue);
	}
	while ((i = kmq_run_get(test, queue, KMQ_RUN_MAX)))
		got += i;
	KUNIT_EXPECT_EQ(test, put, got);
	KUNIT_EXPECT_EQ(test, queue->total_puts, put);
	KUNIT_EXPECT_EQ(test, queue->total_gets, got);
	KUNIT_EXPECT_TRUE(test, kmq_tree_empty(&queue->store.by_msg_id));
	KUNIT_EXPECT_TRUE(test, kmq_tree_empty(&queue->store.by_correl_id));
}

/* M-STO-6: in a unit of work they count, but nobody sees them. */
static void kmq_run_pending(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_msg *msgs[3];
	int i;

	for (i = 0; i < 3; i++)
		msgs[i] = kmq_fix_msg(test, KMQ_SPEC(.id = i + 1, .length = 5,
						     .priority = 4));
	mutex_lock(&queue->lock);
	kmq_run_admit_locked(queue, msgs, 3, 4, true);
	KUNIT_EXPECT_EQ(test, queue->depth, 3);
	KUNIT_EXPECT_EQ(test, queue->depth_of[4], 3);
	KUNIT_EXPECT_EQ(test, queue->uncommitted_puts, 3);
	KUNIT_EXPECT_EQ(test, queue->bytes, 15);
	KUNIT_EXPECT_EQ(test, queue->store.count, 0);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, msgs[i]->state, KMQ_MSG_PUT_PENDING);
		queue->uncommitted_puts--;
		kmq_queue_insert_locked(queue, msgs[i]);
	}
	KUNIT_EXPECT_LT(test, msgs[0]->key, msgs[1]->key);
	KUNIT_EXPECT_LT(test, msgs[1]->key, msgs[2]->key);
	kmq_run_take_locked(queue, msgs, 2, true);
	KUNIT_EXPECT_EQ(test, queue->depth, 1);
	KUNIT_EXPECT_EQ(test, queue->uncommitted_gets, 2);
	KUNIT_EXPECT_EQ(test, queue->bytes, 15);
	queue->uncommitted_gets = 0;
	kmq_queue_forget_locked(queue, msgs[0]);
	kmq_queue_forget_locked(queue, msgs[1]);
	mutex_unlock(&queue->lock);
}

/* Spare messages keep their context; one that somebody else has is none. */
static void kmq_run_refs(struct kunit *test)
{
	struct kmq_context_ref *none = kmq_fix_of(test)->qmgr->no_context;
	u32 i, before = refcount_read(&none->ref);
	struct kmq_msg *msgs[4], *spares;
	struct kmq_context_ref *other;

	other = kmq_context_copy(none);
	KUNIT_ASSERT_NOT_NULL(test, other);
	for (i = 0; i < 4; i++)
		msgs[i] = kmq_fix_msg(test, KMQ_SPEC(.id = i + 1));
	kmq_context_put(none);
	msgs[2]->context = kmq_context_get(other);
	/* a browse still copies the second one */
	kmq_msg_hold(msgs[1]);
	spares = kmq_msg_retire_run(msgs, 4);
	KUNIT_EXPECT_PTR_EQ(test, spares, msgs[3]);
	KUNIT_EXPECT_PTR_EQ(test, msgs[3]->next_spare, msgs[2]);
	KUNIT_EXPECT_PTR_EQ(test, msgs[2]->next_spare, msgs[0]);
	KUNIT_EXPECT_NULL(test, msgs[0]->next_spare);
	KUNIT_EXPECT_PTR_EQ(test, msgs[1]->context, none);
	KUNIT_EXPECT_PTR_EQ(test, msgs[2]->context, other);
	KUNIT_EXPECT_EQ(test, refcount_read(&other->ref), 2);
	KUNIT_EXPECT_EQ(test, refcount_read(&none->ref), before + 3);
	kmq_msg_drop(msgs[1]);
	KUNIT_EXPECT_EQ(test, refcount_read(&none->ref), before + 2);
	/* used again: the context is the same, or another one */
	kmq_msg_set_context(msgs[3], none);
	KUNIT_EXPECT_EQ(test, refcount_read(&none->ref), before + 2);
	kmq_msg_set_context(msgs[2], none);
	KUNIT_EXPECT_EQ(test, refcount_read(&none->ref), before + 3);
	KUNIT_EXPECT_EQ(test, refcount_read(&other->ref), 1);
	kmq_msg_spares_free(spares);
	KUNIT_EXPECT_EQ(test, refcount_read(&none->ref), before);
	kmq_context_put(other);
}

static struct kunit_case kmq_run_cases[] = {
	KUNIT_CASE(kmq_run_random),
	KUNIT_CASE(kmq_run_pending),
	KUNIT_CASE(kmq_run_refs),
	{}
};

KMQ_SUITE(kmq_run, kmq_run_cases);
