// SPDX-License-Identifier: GPL-2.0
/*
 * Units of work: what commit and back-out do to queues, counts and handles.
 */
#include "../store.h"
#include "fixture.h"

static void kmq_end(struct kmq_conn *conn, bool commit, bool keep_marked)
{
	mutex_lock(&conn->call);
	if (commit)
		kmq_uow_commit(&conn->uow);
	else
		kmq_uow_backout(&conn->uow, keep_marked);
	mutex_unlock(&conn->call);
}

static void kmq_expect_ids(struct kunit *test, struct kmq_queue *queue,
			   const char *ids)
{
	struct kmq_msg *msg;
	char found[16] = {};
	u64 from = 0;
	int n = 0;

	mutex_lock(&queue->lock);
	while (n < 15 && (msg = kmq_store_next(&queue->store, ~0U, from))) {
		found[n++] = '0' + kmq_fix_number(msg->md.msg_id);
		from = msg->key + 1;
	}
	mutex_unlock(&queue->lock);
	KUNIT_EXPECT_STREQ(test, found, ids);
}

#define kmq_expect_counts(test, queue, _depth, _puts, _gets) do {	\
	struct kmq_queue *q = (queue);					\
									\
	KUNIT_EXPECT_EQ(test, q->depth, _depth);			\
	KUNIT_EXPECT_EQ(test, q->uncommitted_puts, _puts);		\
	KUNIT_EXPECT_EQ(test, q->uncommitted_gets, _gets);		\
} while (0)

/* U-SCN-1, U-VIS-7, M-STO-5: visible at commit, at the place of the put. */
static void kmq_uow_commit_puts(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	kmq_fix_put_uow(test, fix->conns[0], queue, KMQ_SPEC(.id = 2));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 3));
	kmq_fix_put_uow(test, fix->conns[0], queue, KMQ_SPEC(.id = 4));
	kmq_fix_put_uow(test, fix->conns[0], queue,
			KMQ_SPEC(.id = 5, .priority = 9));
	kmq_expect_ids(test, queue, "13");
	kmq_expect_counts(test, queue, 5, 3, 0);
	KUNIT_EXPECT_EQ(test, fix->conns[0]->uow.count, 3);
	kmq_end(fix->conns[0], true, false);
	kmq_expect_ids(test, queue, "51234");
	kmq_expect_counts(test, queue, 5, 0, 0);
	KUNIT_EXPECT_FALSE(test, fix->conns[0]->uow.open);
	KUNIT_EXPECT_EQ(test, fix->conns[0]->uow.count, 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&fix->conns[0]->uow.queues));
}

/* U-SCN-2: puts that are backed out leave nothing. */
static void kmq_uow_backout_puts(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];

	kmq_fix_put_uow(test, fix->conns[0], queue,
			KMQ_SPEC(.id = 1, .length = 5000, .group = 3,
				 .flags = MQMF_MSG_IN_GROUP));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 2));
	kmq_end(fix->conns[0], false, true);
	kmq_expect_ids(test, queue, "2");
	kmq_expect_counts(test, queue, 1, 0, 0);
	KUNIT_EXPECT_EQ(test, queue->bytes, 0);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&queue->store.groups));
}

/* U-SCN-3, U-BACK-2, U-BOC-1: back in their places, each counted once. */
static void kmq_uow_backout_gets(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_msg *msgs[3];
	u64 bytes;
	int i;

	for (i = 0; i < 3; i++)
		msgs[i] = kmq_fix_put(test, queue,
				      KMQ_SPEC(.id = i + 1, .length = 10));
	bytes = queue->bytes;
	KUNIT_EXPECT_PTR_EQ(test, kmq_fix_remove(test, handle, true), msgs[0]);
	KUNIT_EXPECT_PTR_EQ(test, kmq_fix_remove(test, handle, true), msgs[1]);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 4));
	kmq_expect_ids(test, queue, "34");
	kmq_expect_counts(test, queue, 2, 0, 2);
	/* What is got but not committed is still the queue's to pay for. */
	KUNIT_EXPECT_EQ(test, queue->bytes, bytes);
	kmq_end(fix->conns[0], false, true);
	kmq_expect_ids(test, queue, "1234");
	kmq_expect_counts(test, queue, 4, 0, 0);
	KUNIT_EXPECT_EQ(test, msgs[0]->backout_count, 1);
	KUNIT_EXPECT_EQ(test, msgs[1]->backout_count, 1);
	KUNIT_EXPECT_EQ(test, msgs[2]->backout_count, 0);
	KUNIT_EXPECT_EQ(test, queue->bytes, bytes);
	/* U-BOC-2 */
	msgs[0]->backout_count = INT_MAX;
	kmq_fix_remove(test, handle, true);
	kmq_end(fix->conns[0], false, true);
	KUNIT_EXPECT_EQ(test, msgs[0]->backout_count, INT_MAX);
}

/* U-SCN-6: two units on one queue do not see or hinder each other. */
static void kmq_uow_two_units(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0, KMQ_MAY_GET);
	struct kmq_msg *one, *two;

	one = kmq_fix_put(test, fix->queues[0], KMQ_SPEC(.id = 1));
	two = kmq_fix_put(test, fix->queues[0], KMQ_SPEC(.id = 2));
	KUNIT_EXPECT_PTR_EQ(test, kmq_fix_remove(test, a, true), one);
	KUNIT_EXPECT_PTR_EQ(test, kmq_fix_remove(test, b, true), two);
	kmq_end(fix->conns[0], false, true);
	kmq_end(fix->conns[1], true, false);
	kmq_expect_ids(test, fix->queues[0], "1");
	KUNIT_EXPECT_EQ(test, one->backout_count, 1);
	kmq_expect_counts(test, fix->queues[0], 1, 0, 0);
}

/* U-GEN-1: one unit over several queues ends on all of them. */
static void kmq_uow_many_queues(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	int round, i;

	kmq_fix_put(test, fix->queues[0], KMQ_SPEC(.id = 1));
	for (round = 0; round < 2; round++) {
		KUNIT_EXPECT_NOT_NULL(test, kmq_fix_remove(test, handle, true));
		for (i = 1; i < KMQ_FIX_QUEUES; i++)
			kmq_fix_put_uow(test, fix->conns[0], fix->queues[i],
					KMQ_SPEC(.id = i + 1));
		KUNIT_EXPECT_EQ(test, fix->conns[0]->uow.count, 3);
		kmq_end(fix->conns[0], round, true);
		kmq_expect_ids(test, fix->queues[0], round ? "" : "1");
		kmq_expect_ids(test, fix->queues[1], round ? "2" : "");
		kmq_expect_ids(test, fix->queues[2], round ? "3" : "");
	}
}

/* The part of a queue is found again, and is the first one looked at. */
static void kmq_uow_parts(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_unit *uow = &fix->conns[0]->uow;
	struct kmq_uow_queue *a, *b;

	KUNIT_EXPECT_NULL(test, kmq_uow_part(uow, fix->queues[0]));
	a = kmq_uow_join(uow, fix->queues[0]);
	b = kmq_uow_join(uow, fix->queues[1]);
	KUNIT_EXPECT_PTR_EQ(test, kmq_uow_join(uow, fix->queues[0]), a);
	KUNIT_EXPECT_PTR_EQ(test, kmq_uow_part(uow, fix->queues[1]), b);
	KUNIT_EXPECT_PTR_EQ(test, uow->queues.next, &b->link);
	/* Joining alone opens nothing. */
	KUNIT_EXPECT_FALSE(test, uow->open);
	KUNIT_EXPECT_EQ(test, kref_read(&fix->queues[0]->ref), 2);
	kmq_end(fix->conns[0], true, false);
	KUNIT_EXPECT_EQ(test, kref_read(&fix->queues[0]->ref), 1);
}

/* U-BACK-6, U-SCN-13: the queue is gone when the unit ends. */
static void kmq_uow_deleted_queue(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_queue *queue = fix->queues[0];
	int commit;

	for (commit = 0; commit < 2; commit++) {
		queue->deleted = false;
		kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
		kmq_fix_remove(test, handle, true);
		kmq_fix_put_uow(test, fix->conns[0], queue, KMQ_SPEC(.id = 2));
		queue->deleted = true;
		kmq_end(fix->conns[0], commit, true);
		kmq_expect_counts(test, queue, 0, 0, 0);
		KUNIT_EXPECT_EQ(test, queue->store.count, 0);
		KUNIT_EXPECT_EQ(test, queue->memory, 0);
	}
}

/* U-GRP-1 to U-GRP-5: what the handles remember. */
static void kmq_uow_handles(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_unit *uow = &fix->conns[0]->uow;
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_PUT);
	struct kmq_handle *b = kmq_fix_open(test, 0, 1, KMQ_MAY_GET);

	a->put.seq = 1;
	a->removed.seq = 11;
	b->removed.seq = 21;
	kmq_uow_use_put(uow, a);
	KUNIT_EXPECT_TRUE(test, uow->open);
	a->put.seq = 2;
	kmq_uow_use_put(uow, a);
	a->put.seq = 3;
	a->removed.seq = 12;
	kmq_uow_use_removed(uow, b);
	b->removed.seq = 22;
	kmq_end(fix->conns[0], true, false);
	KUNIT_EXPECT_EQ(test, a->put.seq, 3);
	KUNIT_EXPECT_EQ(test, b->removed.seq, 22);
	/* The same again, backed out: from before the first use in the unit. */
	kmq_uow_use_put(uow, a);
	a->put.seq = 4;
	kmq_uow_use_put(uow, a);
	a->put.seq = 5;
	a->removed.seq = 13;
	kmq_uow_use_removed(uow, b);
	b->removed.seq = 23;
	kmq_end(fix->conns[0], false, true);
	KUNIT_EXPECT_EQ(test, a->put.seq, 3);
	KUNIT_EXPECT_EQ(test, a->removed.seq, 13);
	KUNIT_EXPECT_EQ(test, b->removed.seq, 22);
	/* A handle that is closed has nothing to restore. */
	kmq_uow_use_put(uow, a);
	mutex_lock(&fix->conns[0]->call);
	kmq_handle_close(a);
	mutex_unlock(&fix->conns[0]->call);
	a->put.seq = 6;
	kmq_end(fix->conns[0], false, true);
	KUNIT_EXPECT_EQ(test, a->put.seq, 6);
}

static struct kmq_msg *kmq_marked_get(struct kunit *test,
				      struct kmq_handle *handle, s32 seq)
{
	struct kmq_unit *uow = &handle->conn->uow;
	struct kmq_msg *msg = kmq_fix_remove(test, handle, true);

	KUNIT_ASSERT_NOT_NULL(test, msg);
	msg->skip_backout = true;
	handle->removed.seq = seq;
	uow->has_mark = true;
	uow->marked_is_last = true;
	uow->marked_handle = handle;
	uow->marked = handle->removed;
	return msg;
}

/* G-MSB-3, G-MSB-4, G-MSB-6, G-MSB-9, G-MSB-11 */
static void kmq_uow_kept_mark(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_unit *uow = &fix->conns[0]->uow;
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_msg *first, *marked;

	first = kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	marked = kmq_fix_put(test, queue, KMQ_SPEC(.id = 2));
	handle->removed.seq = 5;
	KUNIT_EXPECT_PTR_EQ(test, kmq_fix_remove(test, handle, true), first);
	handle->removed.seq = 6;
	KUNIT_EXPECT_PTR_EQ(test, kmq_marked_get(test, handle, 7), marked);
	kmq_end(fix->conns[0], false, true);
	kmq_expect_ids(test, queue, "1");
	kmq_expect_counts(test, queue, 1, 0, 1);
	KUNIT_EXPECT_TRUE(test, uow->open);
	KUNIT_EXPECT_EQ(test, uow->count, 1);
	KUNIT_EXPECT_FALSE(test, uow->has_mark);
	KUNIT_EXPECT_EQ(test, marked->backout_count, 0);
	KUNIT_EXPECT_EQ(test, first->backout_count, 1);
	KUNIT_EXPECT_EQ(test, handle->removed.seq, 7);
	kmq_end(fix->conns[0], false, true);
	kmq_expect_ids(test, queue, "12");
	kmq_expect_counts(test, queue, 2, 0, 0);
	KUNIT_EXPECT_EQ(test, marked->backout_count, 1);
	KUNIT_EXPECT_EQ(test, handle->removed.seq, 5);
	KUNIT_EXPECT_FALSE(test, uow->open);
}

/* G-MSB-2, G-MSB-5: commit ends it; an end nobody asked for returns it. */
static void kmq_uow_mark_ends(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_msg *msg;

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	kmq_marked_get(test, handle, 1);
	kmq_end(fix->conns[0], false, true);
	kmq_expect_counts(test, queue, 0, 0, 1);
	kmq_end(fix->conns[0], true, false);
	kmq_expect_counts(test, queue, 0, 0, 0);
	msg = kmq_fix_put(test, queue, KMQ_SPEC(.id = 2));
	kmq_marked_get(test, handle, 1);
	kmq_conn_break(fix->conns[0]);
	kmq_expect_ids(test, queue, "2");
	KUNIT_EXPECT_EQ(test, msg->backout_count, 1);
}

/* U-END-2, G-LCK-10: a connection that ends backs out and lets go of all. */
static void kmq_uow_broken(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_fix_get get;

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 2));
	kmq_fix_put_uow(test, fix->conns[0], queue, KMQ_SPEC(.id = 3));
	kmq_fix_remove(test, handle, true);
	kmq_fix_get_init(&get, handle, false);
	get.take.lock = true;
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
	kmq_expect_ids(test, queue, "");
	kmq_conn_break(fix->conns[0]);
	kmq_expect_ids(test, queue, "12");
	kmq_expect_counts(test, queue, 2, 0, 0);
	KUNIT_EXPECT_EQ(test, queue->locked, 0);
	KUNIT_EXPECT_EQ(test, queue->open_input, 0);
	KUNIT_EXPECT_TRUE(test, handle->closed);
	KUNIT_EXPECT_EQ(test, fix->conns[0]->handle_count, 0);
}

static struct {
	u32 depth;
	u32 uncommitted;
	bool unit;
} kmq_at_close;

static void kmq_look_at_close(struct kmq_handle *handle)
{
	kmq_at_close.depth = handle->queue->store.count;
	kmq_at_close.uncommitted = handle->queue->uncommitted_gets;
	kmq_at_close.unit = handle->conn->uow.open;
}

/* U-END-6: first the unit of work, then the handles. */
static void kmq_uow_broken_in_order(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	kmq_fix_remove(test, handle, true);
	handle->on_close = kmq_look_at_close;
	memset(&kmq_at_close, 0xff, sizeof(kmq_at_close));
	kmq_conn_break(fix->conns[0]);
	KUNIT_EXPECT_EQ(test, kmq_at_close.depth, 1);
	KUNIT_EXPECT_EQ(test, kmq_at_close.uncommitted, 0);
	KUNIT_EXPECT_FALSE(test, kmq_at_close.unit);
}

/* M-BOC-2, U-BOC-2: the count stops at the largest number. */
static void kmq_uow_count_saturates(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_msg *msg = kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	int i;

	msg->backout_count = INT_MAX - 2;
	for (i = 0; i < 4; i++) {
		kmq_fix_remove(test, handle, true);
		kmq_end(fix->conns[0], false, false);
		KUNIT_EXPECT_EQ(test, msg->backout_count,
				i ? INT_MAX : INT_MAX - 1);
	}
}

/* U-BACK-10, G-MSB-5: the queue manager backs out, and the unit is doomed. */
static void kmq_uow_doomed(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_unit *uow = &fix->conns[0]->uow;

	mutex_lock(&fix->conns[0]->call);
	kmq_uow_doom(uow);
	mutex_unlock(&fix->conns[0]->call);
	KUNIT_EXPECT_FALSE(test, uow->doomed);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	kmq_fix_put_uow(test, fix->conns[0], queue, KMQ_SPEC(.id = 2));
	kmq_marked_get(test, handle, 1);
	mutex_lock(&fix->conns[0]->call);
	kmq_uow_doom(uow);
	mutex_unlock(&fix->conns[0]->call);
	kmq_expect_ids(test, queue, "1");
	kmq_expect_counts(test, queue, 1, 0, 0);
	KUNIT_EXPECT_TRUE(test, uow->open);
	KUNIT_EXPECT_TRUE(test, uow->doomed);
	KUNIT_EXPECT_EQ(test, uow->count, 0);
	kmq_end(fix->conns[0], false, true);
	KUNIT_EXPECT_FALSE(test, uow->open);
	KUNIT_EXPECT_FALSE(test, uow->doomed);
}

/* U-CMIT-1: with nothing open both do nothing. */
static void kmq_uow_nothing(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);

	kmq_end(fix->conns[0], true, false);
	kmq_end(fix->conns[0], false, true);
	KUNIT_EXPECT_FALSE(test, fix->conns[0]->uow.open);
}

static struct kunit_case kmq_uow_cases[] = {
	KUNIT_CASE(kmq_uow_commit_puts),
	KUNIT_CASE(kmq_uow_backout_puts),
	KUNIT_CASE(kmq_uow_backout_gets),
	KUNIT_CASE(kmq_uow_two_units),
	KUNIT_CASE(kmq_uow_many_queues),
	KUNIT_CASE(kmq_uow_parts),
	KUNIT_CASE(kmq_uow_deleted_queue),
	KUNIT_CASE(kmq_uow_handles),
	KUNIT_CASE(kmq_uow_kept_mark),
	KUNIT_CASE(kmq_uow_mark_ends),
	KUNIT_CASE(kmq_uow_broken),
	KUNIT_CASE(kmq_uow_broken_in_order),
	KUNIT_CASE(kmq_uow_count_saturates),
	KUNIT_CASE(kmq_uow_doomed),
	KUNIT_CASE(kmq_uow_nothing),
	{}
};

KMQ_SUITE(kmq_uow, kmq_uow_cases);
