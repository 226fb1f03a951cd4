// SPDX-License-Identifier: GPL-2.0
/*
 * The store: order keys, classes, identifiers.
 */
#include <linux/sort.h>
#include <linux/vmalloc.h>
#include "../store.h"
#include "fixture.h"

#define KMQ_MANY	100000

/* M-STO-2: priority descending, then arrival; P-POS-3: given once. */
static void kmq_store_keys(struct kunit *test)
{
	KUNIT_EXPECT_LT(test, kmq_key(9, 1), kmq_key(9, 2));
	KUNIT_EXPECT_LT(test, kmq_key(9, (1ULL << 60) - 1), kmq_key(8, 1));
	KUNIT_EXPECT_LT(test, kmq_key(1, (1ULL << 60) - 1), kmq_key(0, 1));
	KUNIT_EXPECT_LT(test, 0ULL, kmq_key(9, 1));
	KUNIT_EXPECT_EQ(test, kmq_key(9, 7), 7ULL);
	KUNIT_EXPECT_EQ(test, kmq_key(0, 7), 9ULL << 60 | 7);
}

static void kmq_expect_order(struct kunit *test, struct kmq_queue *queue,
			     const u64 *ids, int count)
{
	struct kmq_msg *msg;
	u64 from = 0;
	int i;

	for (i = 0; i < count; i++) {
		msg = kmq_store_next(&queue->store, ~0U, from);
		KUNIT_ASSERT_NOT_NULL(test, msg);
		KUNIT_EXPECT_EQ(test, kmq_fix_number(msg->md.msg_id), ids[i]);
		from = msg->key + 1;
	}
	KUNIT_EXPECT_NULL(test, kmq_store_next(&queue->store, ~0U, from));
}

/* M-PRI-3: by priority, first in first out within one. */
static void kmq_store_priority_order(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	static const u64 order[] = { 3, 5, 1, 4, 2, 6 };
	static const int priorities[] = { 5, 0, 9, 5, 9, 0 };
	int i;

	for (i = 0; i < 6; i++)
		kmq_fix_put(test, queue, KMQ_SPEC(.id = i + 1,
						  .priority = priorities[i]));
	kmq_expect_order(test, queue, order, 6);
}

/* With MSGDLVSQ(FIFO) the priority decides nothing. */
static void kmq_store_fifo_order(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	static const u64 order[] = { 1, 2, 3 };
	int i;

	queue->attrs.msg_delivery_sequence = KMQ_DELIVERY_FIFO;
	for (i = 0; i < 3; i++)
		kmq_fix_put(test, queue,
			    KMQ_SPEC(.id = i + 1, .priority = 3 * i));
	kmq_expect_order(test, queue, order, 3);
}

static void kmq_store_id_order(struct kunit *test)
{
	u8 a[KMQ_ID_LEN] = {}, b[KMQ_ID_LEN] = {};
	int i;

	KUNIT_EXPECT_TRUE(test, kmq_id_is_null(a));
	for (i = 0; i < KMQ_ID_LEN; i++) {
		memset(a, 0, sizeof(a));
		a[i] = 0x80;
		KUNIT_EXPECT_FALSE(test, kmq_id_is_null(a));
		KUNIT_EXPECT_EQ(test, kmq_id_compare(a, a), 0);
		KUNIT_EXPECT_GT(test, kmq_id_compare(a, b), 0);
		KUNIT_EXPECT_LT(test, kmq_id_compare(b, a), 0);
		/* An earlier byte weighs more than all that follow. */
		memset(b, 0, sizeof(b));
		if (i)
			memset(b + KMQ_ID_LEN - i, 0xff, i);
		a[i] = 0;
		a[KMQ_ID_LEN - 1 - i] = 1;
		KUNIT_EXPECT_EQ(test, kmq_id_compare(a, b) > 0,
				memcmp(a, b, KMQ_ID_LEN) > 0);
		memset(b, 0, sizeof(b));
	}
}

/* The messages of a tree by (id, key), as a list of arrival numbers. */
static void kmq_expect_by_id(struct kunit *test, struct kmq_queue *queue,
			     bool correl, u64 id, const u64 *keys, int count)
{
	struct kmq_msg *msg;
	u8 want[KMQ_ID_LEN];
	u64 from = 0;
	int i;

	kmq_fix_id(want, id);
	for (i = 0; i <= count; i++) {
		msg = correl ?
		      kmq_store_by_correl_id(&queue->store, want, from) :
		      kmq_store_by_msg_id(&queue->store, want, from);
		KUNIT_EXPECT_EQ(test, msg ? msg->key : 0,
				i < count ? keys[i] : 0);
		if (!msg)
			break;
		from = msg->key + 1;
	}
}

/* M-ID-1: duplicates are legal and come in physical order (G-MAT-2). */
static void kmq_store_duplicates(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_msg *msgs[9];
	u64 keys[3];
	int i;

	for (i = 0; i < 9; i++)
		msgs[i] = kmq_fix_put(test, queue,
				      KMQ_SPEC(.id = i % 3 + 1,
					       .correl = i / 3 + 7,
					       .priority = 2));
	keys[0] = msgs[1]->key;
	keys[1] = msgs[4]->key;
	keys[2] = msgs[7]->key;
	kmq_expect_by_id(test, queue, false, 2, keys, 3);
	keys[0] = msgs[3]->key;
	keys[1] = msgs[4]->key;
	keys[2] = msgs[5]->key;
	kmq_expect_by_id(test, queue, true, 8, keys, 3);
	kmq_expect_by_id(test, queue, true, 10, NULL, 0);
	kmq_expect_by_id(test, queue, false, 4, NULL, 0);
	mutex_lock(&queue->lock);
	kmq_queue_discard_locked(queue, msgs[4]);
	mutex_unlock(&queue->lock);
	keys[1] = msgs[5]->key;
	kmq_expect_by_id(test, queue, true, 8, keys, 2);
	keys[0] = msgs[1]->key;
	keys[1] = msgs[7]->key;
	kmq_expect_by_id(test, queue, false, 2, keys, 2);
}

/* M-ID-8: a null CorrelId is no value to be found by; it costs no index. */
static void kmq_store_null_correl_id(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	KUNIT_EXPECT_TRUE(test, kmq_tree_empty(&queue->store.by_correl_id));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1, .correl = 1));
	KUNIT_EXPECT_FALSE(test, kmq_tree_empty(&queue->store.by_correl_id));
}

/* G-CUR-4: a cursor whose message is gone goes on at the next one. */
static void kmq_store_after_removed(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_msg *msgs[5], *found;
	u64 keys[5];
	int i;

	for (i = 0; i < 5; i++) {
		msgs[i] = kmq_fix_put(test, queue, KMQ_SPEC(.id = i + 1));
		keys[i] = msgs[i]->key;
	}
	mutex_lock(&queue->lock);
	kmq_queue_discard_locked(queue, msgs[2]);
	KUNIT_EXPECT_NULL(test, kmq_store_find(&queue->store, keys[2]));
	KUNIT_EXPECT_PTR_EQ(test, kmq_store_find(&queue->store, keys[3]),
			    msgs[3]);
	found = kmq_store_next(&queue->store, ~0U, keys[2] + 1);
	KUNIT_EXPECT_PTR_EQ(test, found, msgs[3]);
	found = kmq_store_next(&queue->store, ~0U, keys[2]);
	KUNIT_EXPECT_PTR_EQ(test, found, msgs[3]);
	kmq_queue_discard_locked(queue, msgs[4]);
	found = kmq_store_next(&queue->store, ~0U, keys[3] + 1);
	KUNIT_EXPECT_NULL(test, found);
	mutex_unlock(&queue->lock);
}

/* Which tree a message is in: what it begins, how complete, marked or not. */
static void kmq_store_classes(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	const u32 group = MQMF_MSG_IN_GROUP;
	const u32 segment = MQMF_SEGMENT;
	struct kmq_msg *msg;

	msg = kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	KUNIT_EXPECT_EQ(test, msg->class,
			KMQ_CLASS(KMQ_KIND_HEAD, KMQ_LEVEL_GROUP, 0));
	msg = kmq_fix_put(test, queue,
			  KMQ_SPEC(.group = 1, .seq = 1, .flags = group));
	KUNIT_EXPECT_EQ(test, msg->class,
			KMQ_CLASS(KMQ_KIND_HEAD, KMQ_LEVEL_SEGMENTS, 0));
	msg = kmq_fix_put(test, queue,
			  KMQ_SPEC(.group = 1, .seq = 2, .flags = group));
	KUNIT_EXPECT_EQ(test, msg->class,
			KMQ_CLASS(KMQ_KIND_FIRST, KMQ_LEVEL_SEGMENTS, 0));
	msg = kmq_fix_put(test, queue,
			  KMQ_SPEC(.group = 2, .flags = segment, .length = 10));
	KUNIT_EXPECT_EQ(test, msg->class,
			KMQ_CLASS(KMQ_KIND_HEAD, KMQ_LEVEL_PART, 0));
	msg = kmq_fix_put(test, queue,
			  KMQ_SPEC(.group = 2, .flags = segment, .offset = 20,
				   .length = 10));
	KUNIT_EXPECT_EQ(test, msg->class,
			KMQ_CLASS(KMQ_KIND_REST, KMQ_LEVEL_PART, 0));
	/* Only a group identifier (M-ID-6): nothing can be missing. */
	msg = kmq_fix_put(test, queue,
			  KMQ_SPEC(.group = 3,
				   .flags = MQMF_SEGMENTATION_ALLOWED));
	KUNIT_EXPECT_EQ(test, msg->class,
			KMQ_CLASS(KMQ_KIND_HEAD, KMQ_LEVEL_GROUP, 0));
	KUNIT_EXPECT_EQ(test, queue->store.filled,
			BIT(KMQ_CLASS(KMQ_KIND_HEAD, KMQ_LEVEL_GROUP, 0)) |
			BIT(KMQ_CLASS(KMQ_KIND_HEAD, KMQ_LEVEL_SEGMENTS, 0)) |
			BIT(KMQ_CLASS(KMQ_KIND_HEAD, KMQ_LEVEL_PART, 0)) |
			BIT(KMQ_CLASS(KMQ_KIND_FIRST, KMQ_LEVEL_SEGMENTS, 0)) |
			BIT(KMQ_CLASS(KMQ_KIND_REST, KMQ_LEVEL_PART, 0)));
}

/* M-EXP-4: the one that expired first, and none before its time. */
static void kmq_store_expiring(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	u64 far = ktime_get_ns() + 1000 * NSEC_PER_SEC;
	static const int order[] = { 5, 1, 4, 2, 3 };
	struct kmq_msg *msg;
	int i;

	for (i = 0; i < 5; i++)
		kmq_fix_put(test, queue, KMQ_SPEC(.id = order[i],
						  .deadline = far + order[i]));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 9));
	mutex_lock(&queue->lock);
	KUNIT_EXPECT_NULL(test, kmq_store_expired(&queue->store, far));
	for (i = 1; i <= 5; i++) {
		msg = kmq_store_expired(&queue->store, far + i);
		KUNIT_EXPECT_NOT_NULL(test, msg);
		if (!msg)
			break;
		KUNIT_EXPECT_EQ(test, kmq_fix_number(msg->md.msg_id), i);
		kmq_queue_discard_locked(queue, msg);
		msg = kmq_store_expired(&queue->store, far + i);
		KUNIT_EXPECT_NULL(test, msg);
	}
	KUNIT_EXPECT_EQ(test, queue->store.count, 1);
	mutex_unlock(&queue->lock);
}

/* Messages come and go while the index by MsgId is made in steps. */
static void kmq_store_msg_ids_in_steps(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_store *store = &queue->store;
	u8 id[KMQ_ID_LEN];
	u64 number;

	for (number = 1; number <= 5; number++)
		kmq_fix_put(test, queue, KMQ_SPEC(.id = number));
	mutex_lock(&queue->lock);
	KUNIT_EXPECT_FALSE(test, kmq_store_index_msg_ids(store, 2));
	mutex_unlock(&queue->lock);
	/* in front of what is indexed, and behind it */
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 6, .priority = 9));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 7));
	mutex_lock(&queue->lock);
	KUNIT_EXPECT_FALSE(test, kmq_store_has_msg_ids(store));
	kmq_queue_discard_locked(queue, kmq_store_next(store, ~0U, 0));
	kmq_queue_discard_locked(queue, kmq_store_next(store, ~0U, 0));
	KUNIT_EXPECT_FALSE(test, kmq_store_index_msg_ids(store, 1));
	KUNIT_EXPECT_TRUE(test, kmq_store_index_msg_ids(store, 3));
	KUNIT_EXPECT_TRUE(test, kmq_store_has_msg_ids(store));
	for (number = 1; number <= 7; number++) {
		struct kmq_msg *msg;

		kmq_fix_id(id, number);
		msg = kmq_store_by_msg_id(store, id, 0);
		KUNIT_EXPECT_EQ(test, !msg, number == 1 || number == 6);
	}
	while (store->count)
		kmq_queue_discard_locked(queue, kmq_store_next(store, ~0U, 0));
	KUNIT_EXPECT_EQ(test, store->msg_ids_upto, 0);
	mutex_unlock(&queue->lock);
}

/* Is there a message that has not expired? */
static void kmq_store_live(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	u64 far = ktime_get_ns() + 1000 * NSEC_PER_SEC;

	KUNIT_EXPECT_FALSE(test, kmq_store_has_live(&queue->store, far));
	kmq_fix_put(test, queue, KMQ_SPEC(.deadline = far));
	kmq_fix_put(test, queue, KMQ_SPEC(.deadline = far + 1));
	KUNIT_EXPECT_TRUE(test, kmq_store_has_live(&queue->store, far));
	KUNIT_EXPECT_FALSE(test, kmq_store_has_live(&queue->store, far + 1));
	kmq_fix_put(test, queue, KMQ_SPEC());
	KUNIT_EXPECT_TRUE(test, kmq_store_has_live(&queue->store, far + 1));
}

/* M-ID-9: a token finds its message, on its queue, in this load only. */
static void kmq_store_tokens(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_msg *msg = kmq_fix_put(test, queue, KMQ_SPEC(.priority = 4));
	u8 token[KMQ_TOKEN_LEN], null[KMQ_TOKEN_LEN] = {};

	kmq_token_new_instance();
	kmq_token_make(token, queue->uid, msg);
	KUNIT_EXPECT_EQ(test, kmq_token_key(token, queue->uid), msg->key);
	KUNIT_EXPECT_EQ(test, kmq_token_key(token, queue->uid + 1), 0);
	KUNIT_EXPECT_EQ(test, kmq_token_key(null, queue->uid), 0);
	KUNIT_EXPECT_NE(test, memcmp(token, null, KMQ_TOKEN_LEN), 0);
	token[0] ^= 1;
	KUNIT_EXPECT_EQ(test, kmq_token_key(token, queue->uid), 0);
}

static int kmq_compare_keys(const void *a, const void *b)
{
	u64 x = (*(struct kmq_msg **)a)->key, y = (*(struct kmq_msg **)b)->key;

	return x < y ? -1 : x > y;
}

/* The first of a sorted array at or behind a key; skips what is out. */
static struct kmq_msg *kmq_sorted_next(struct kmq_msg **msgs, int count,
				       u64 from)
{
	int low = 0, high = count;

	while (low < high) {
		int mid = (low + high) / 2;

		if (msgs[mid]->key < from)
			low = mid + 1;
		else
			high = mid;
	}
	while (low < count && msgs[low]->state != KMQ_MSG_AVAILABLE)
		low++;
	return low < count ? msgs[low] : NULL;
}

/* 100,000 messages go out and come back at random against a sorted array. */
static void kmq_store_many(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_store *store = &queue->store;
	struct kmq_msg **msgs = vmalloc(KMQ_MANY * sizeof(*msgs));
	struct kmq_msg *msg;
	u64 state = 1;
	u32 in = KMQ_MANY;
	int i, wrong = 0;

	KUNIT_ASSERT_NOT_NULL(test, msgs);
	for (i = 0; i < KMQ_MANY; i++)
		msgs[i] = kmq_fix_put(test, queue,
				      KMQ_SPEC(.id = i % 1000 + 1,
					       .correl = i % 77,
					       .priority = i % 10));
	sort(msgs, KMQ_MANY, sizeof(*msgs), kmq_compare_keys, NULL);
	mutex_lock(&queue->lock);
	for (i = 0; i < KMQ_MANY; i++) {
		msg = msgs[kmq_fix_random(&state) % KMQ_MANY];
		if (msg->state == KMQ_MSG_AVAILABLE) {
			kmq_store_del(store, msg);
			msg->state = KMQ_MSG_LOCKED;
			in--;
		} else {
			kmq_store_add(store, msg);
			in++;
		}
		wrong += store->count != in;
		wrong += kmq_store_next(store, ~0U, msg->key) !=
			 kmq_sorted_next(msgs, KMQ_MANY, msg->key);
		cond_resched();
	}
	for (i = 0; i < KMQ_MANY; i++)
		if (msgs[i]->state != KMQ_MSG_AVAILABLE)
			kmq_store_add(store, msgs[i]);
	for (i = 0; i < KMQ_MANY; i++)
		wrong += kmq_store_find(store, msgs[i]->key) != msgs[i];
	mutex_unlock(&queue->lock);
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_EQ(test, store->count, KMQ_MANY);
	vfree(msgs);
}

static struct kunit_case kmq_store_cases[] = {
	KUNIT_CASE(kmq_store_keys),
	KUNIT_CASE(kmq_store_priority_order),
	KUNIT_CASE(kmq_store_fifo_order),
	KUNIT_CASE(kmq_store_id_order),
	KUNIT_CASE(kmq_store_duplicates),
	KUNIT_CASE(kmq_store_null_correl_id),
	KUNIT_CASE(kmq_store_after_removed),
	KUNIT_CASE(kmq_store_classes),
	KUNIT_CASE(kmq_store_expiring),
	KUNIT_CASE(kmq_store_msg_ids_in_steps),
	KUNIT_CASE(kmq_store_live),
	KUNIT_CASE(kmq_store_tokens),
	KUNIT_CASE(kmq_store_many),
	{}
};

KMQ_SUITE(kmq_store, kmq_store_cases);
