// SPDX-License-Identifier: GPL-2.0
/*
 * Take: choosing, claiming, and what happens when the data does not arrive.
 */
#include <linux/uio.h>
#include "../mark.h"
#include "../search.h"
#include "../store.h"
#include "fixture.h"

/* A removal that succeeds and one that does not (design 5.1). */
static void kmq_take_remove(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_msg *msgs[3], *taken;
	struct kmq_fix_get get;
	u64 memory, bytes;
	int i;

	for (i = 0; i < 3; i++)
		msgs[i] = kmq_fix_put(test, queue,
				      KMQ_SPEC(.id = i + 1, .length = 100));
	bytes = queue->bytes;
	memory = queue->memory;
	kmq_fix_get_init(&get, handle, true);
	KUNIT_ASSERT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	taken = get.take.msgs[0];
	KUNIT_EXPECT_PTR_EQ(test, taken, msgs[0]);
	KUNIT_EXPECT_EQ(test, taken->state, KMQ_MSG_TAKEN);
	KUNIT_EXPECT_EQ(test, get.take.length, 100);
	KUNIT_EXPECT_EQ(test, queue->depth, 2);
	KUNIT_EXPECT_EQ(test, queue->total_gets, 1);
	KUNIT_EXPECT_EQ(test, queue->bytes, bytes - 100);
	kmq_take_finish(&get.take, false);
	KUNIT_EXPECT_EQ(test, taken->state, KMQ_MSG_AVAILABLE);
	KUNIT_EXPECT_EQ(test, queue->depth, 3);
	KUNIT_EXPECT_EQ(test, queue->total_gets, 0);
	KUNIT_EXPECT_EQ(test, queue->bytes, bytes);
	KUNIT_EXPECT_EQ(test, queue->memory, memory);
	/* M-STO-5: in its old place. */
	KUNIT_EXPECT_PTR_EQ(test, kmq_store_next(&queue->store, ~0U, 0), taken);

	kmq_fix_get_init(&get, handle, true);
	KUNIT_ASSERT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
	KUNIT_EXPECT_EQ(test, queue->store.count, 2);
	KUNIT_EXPECT_PTR_EQ(test, kmq_store_next(&queue->store, ~0U, 0),
			    msgs[1]);
}

/* KMQ_REFUSE and KMQ_SHOW leave everything as it is (G-TRN, G-LCK-4). */
static void kmq_take_verdicts(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_msg *msg = kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	struct kmq_fix_get get;

	kmq_fix_get_init(&get, handle, true);
	get.verdict = KMQ_REFUSE;
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	KUNIT_EXPECT_EQ(test, get.take.verdict, KMQ_REFUSE);
	KUNIT_EXPECT_EQ(test, refcount_read(&msg->ref), 1);
	get.verdict = KMQ_SHOW;
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	KUNIT_EXPECT_EQ(test, refcount_read(&msg->ref), 2);
	KUNIT_EXPECT_EQ(test, msg->state, KMQ_MSG_AVAILABLE);
	kmq_take_finish(&get.take, true);
	KUNIT_EXPECT_EQ(test, refcount_read(&msg->ref), 1);
	KUNIT_EXPECT_EQ(test, queue->depth, 1);
	KUNIT_EXPECT_EQ(test, get.judged, 2);
	kmq_fix_get_init(&get, handle, false);
	get.take.lock = true;
	get.verdict = KMQ_SHOW;
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
	KUNIT_EXPECT_EQ(test, msg->state, KMQ_MSG_AVAILABLE);
	KUNIT_EXPECT_EQ(test, queue->locked, 0);
}

static struct kmq_msg *kmq_browse(struct kunit *test,
				  struct kmq_handle *handle, u64 from,
				  bool lock, bool ok)
{
	struct kmq_fix_get get;

	kmq_fix_get_init(&get, handle, false);
	get.take.lock = lock;
	get.take.release_locks = true;
	get.take.want.from = from;
	if (kmq_fix_try(&get) != KMQ_TAKE_DONE)
		return NULL;
	kmq_take_finish(&get.take, ok);
	return get.take.msgs[0];
}

/* G-LCK-1, G-LCK-3, G-LCK-5: one lock, seen by its handle only. */
static void kmq_take_locks(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0, KMQ_MAY_GET);
	struct kmq_msg *one = kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	struct kmq_msg *two = kmq_fix_put(test, queue, KMQ_SPEC(.id = 2));

	KUNIT_EXPECT_PTR_EQ(test, kmq_browse(test, a, 0, true, true), one);
	KUNIT_EXPECT_EQ(test, one->state, KMQ_MSG_LOCKED);
	KUNIT_EXPECT_EQ(test, queue->locked, 1);
	KUNIT_EXPECT_EQ(test, queue->depth, 2);
	KUNIT_EXPECT_EQ(test, queue->store.count, 1);
	KUNIT_EXPECT_PTR_EQ(test, kmq_browse(test, b, 0, false, true), two);
	/* A failed copy keeps the old lock and takes no new one. */
	KUNIT_EXPECT_PTR_EQ(test, kmq_browse(test, a, one->key + 1, true,
					     false), two);
	KUNIT_EXPECT_EQ(test, one->state, KMQ_MSG_LOCKED);
	KUNIT_EXPECT_EQ(test, two->state, KMQ_MSG_AVAILABLE);
	KUNIT_EXPECT_EQ(test, queue->locked, 1);
	/* The next browse ends the lock, with LOCK the new one is locked. */
	KUNIT_EXPECT_PTR_EQ(test, kmq_browse(test, a, one->key + 1, true,
					     true), two);
	KUNIT_EXPECT_EQ(test, one->state, KMQ_MSG_AVAILABLE);
	KUNIT_EXPECT_EQ(test, two->state, KMQ_MSG_LOCKED);
	KUNIT_EXPECT_PTR_EQ(test, kmq_browse(test, a, 0, false, true), one);
	KUNIT_EXPECT_EQ(test, queue->locked, 0);
	/* Removing the locked message ends the lock; undone, it is back. */
	KUNIT_EXPECT_PTR_EQ(test, kmq_browse(test, a, 0, true, true), one);
	KUNIT_EXPECT_PTR_EQ(test, kmq_fix_remove(test, b, false), two);
	KUNIT_EXPECT_NULL(test, kmq_fix_remove(test, b, false));
	{
		struct kmq_fix_get get;

		kmq_fix_get_init(&get, a, true);
		KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
		KUNIT_EXPECT_EQ(test, queue->locked, 0);
		kmq_take_finish(&get.take, false);
	}
	KUNIT_EXPECT_EQ(test, one->state, KMQ_MSG_LOCKED);
	KUNIT_EXPECT_EQ(test, queue->locked, 1);
	KUNIT_EXPECT_PTR_EQ(test, kmq_fix_remove(test, a, false), one);
	KUNIT_EXPECT_EQ(test, queue->locked, 0);
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
}

/* M-STO-7, M-STO-8: who sees what an open unit of work has put. */
static void kmq_take_own_puts(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0, KMQ_MAY_GET);
	struct kmq_msg *msg = kmq_fix_put_uow(test, fix->conns[0], queue,
					      KMQ_SPEC(.id = 1));
	struct kmq_fix_get get;

	KUNIT_EXPECT_EQ(test, queue->depth, 1);
	KUNIT_EXPECT_NULL(test, kmq_fix_remove(test, b, true));
	KUNIT_EXPECT_NULL(test, kmq_fix_remove(test, a, false));
	KUNIT_EXPECT_NULL(test, kmq_browse(test, a, 0, false, true));
	kmq_fix_get_init(&get, a, true);
	get.syncpoint = true;
	get.take.own_puts = true;
	get.take.own_persistent = true;
	get.take.uow = kmq_uow_join(&fix->conns[0]->uow, queue);
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_NONE);
	get.take.own_persistent = false;
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	KUNIT_EXPECT_PTR_EQ(test, get.take.msgs[0], msg);
	KUNIT_EXPECT_EQ(test, queue->uncommitted_puts, 0);
	KUNIT_EXPECT_EQ(test, queue->uncommitted_gets, 1);
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
	kmq_take_finish(&get.take, false);
	KUNIT_EXPECT_EQ(test, msg->state, KMQ_MSG_PUT_PENDING);
	KUNIT_EXPECT_EQ(test, queue->uncommitted_puts, 1);
	KUNIT_EXPECT_EQ(test, queue->uncommitted_gets, 0);
	KUNIT_EXPECT_EQ(test, queue->depth, 1);
	/* Got for good in the unit: nothing is left, however it ends. */
	KUNIT_EXPECT_PTR_EQ(test, kmq_fix_remove(test, a, true), msg);
	mutex_lock(&fix->conns[0]->call);
	kmq_uow_backout(&fix->conns[0]->uow, true);
	mutex_unlock(&fix->conns[0]->call);
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
	KUNIT_EXPECT_EQ(test, queue->store.count, 0);
	KUNIT_EXPECT_EQ(test, queue->memory, 0);
}

static void kmq_put_segments(struct kunit *test, int count, u32 length,
			     s32 ccsid_from, s32 encoding_from)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	int i;

	for (i = 0; i < count; i++)
		kmq_fix_put(test, queue,
			    KMQ_SPEC(.id = i + 1, .group = 1,
				     .offset = i * length, .length = length,
				     .ccsid = i >= ccsid_from,
				     .encoding = i >= encoding_from,
				     .flags = MQMF_SEGMENT | (i == count - 1 ?
					      MQMF_LAST_SEGMENT : 0)));
}

static void kmq_whole_get(struct kmq_fix_get *get, struct kmq_handle *handle,
			  bool remove)
{
	kmq_fix_get_init(get, handle, remove);
	get->take.whole = true;
	get->take.want.flags = KMQ_WANT_WHOLE;
	get->take.want.min_level = KMQ_LEVEL_SEGMENTS;
}

/* G-RAS-1: all segments come together; room is made when there is too little. */
static void kmq_take_whole(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_fix_get get;
	int i;

	kmq_put_segments(test, 7, 10, 99, 99);
	kmq_whole_get(&get, handle, true);
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_ROOM);
	KUNIT_EXPECT_EQ(test, get.take.needed, 7);
	KUNIT_EXPECT_EQ(test, queue->store.count, 7);
	KUNIT_EXPECT_EQ(test, get.judged, 0);
	KUNIT_ASSERT_EQ(test, kmq_take_grow(&get.take), 0);
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	KUNIT_EXPECT_EQ(test, get.take.count, 7);
	KUNIT_EXPECT_EQ(test, get.take.length, 70);
	KUNIT_EXPECT_TRUE(test, get.take.segmented);
	KUNIT_EXPECT_EQ(test, get.take.run, KMQ_RUN_COMPLETE);
	for (i = 0; i < 7; i++)
		KUNIT_EXPECT_EQ(test, get.take.msgs[i]->member->offset,
				10 * i);
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
	kmq_take_finish(&get.take, false);
	KUNIT_EXPECT_EQ(test, queue->depth, 7);
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&queue->store.groups));
	kmq_take_free(&get.take);
	KUNIT_EXPECT_EQ(test, get.take.room, KMQ_TAKE_FEW);
}

/* G-RAS-7, G-RAS-13: only the leading run that agrees with the first one. */
static void kmq_take_short_run(struct kunit *test)
{
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_fix_get get;

	kmq_put_segments(test, 4, 10, 2, 2);
	kmq_whole_get(&get, handle, false);
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	KUNIT_EXPECT_EQ(test, get.take.count, 2);
	KUNIT_EXPECT_EQ(test, get.take.length, 20);
	KUNIT_EXPECT_EQ(test, get.take.run, KMQ_RUN_CCSID);
	kmq_take_finish(&get.take, true);
	mutex_lock(&queue->lock);
	kmq_queue_purge_locked(queue);
	mutex_unlock(&queue->lock);
	kmq_put_segments(test, 4, 10, 99, 1);
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	KUNIT_EXPECT_EQ(test, get.take.count, 1);
	KUNIT_EXPECT_EQ(test, get.take.run, KMQ_RUN_ENCODING);
	KUNIT_EXPECT_TRUE(test, get.take.segmented);
	kmq_take_finish(&get.take, true);
}

/* G-LCK-2, G-LCK-13: the lock covers all segments, each counts. */
static void kmq_take_locks_whole(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_handle *other = kmq_fix_open(test, 1, 0, KMQ_MAY_GET);
	struct kmq_fix_get get;

	kmq_put_segments(test, 2, 10, 99, 99);
	kmq_whole_get(&get, handle, false);
	get.take.lock = true;
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
	KUNIT_EXPECT_EQ(test, queue->locked, 2);
	KUNIT_EXPECT_NULL(test, kmq_fix_remove(test, other, false));
	KUNIT_EXPECT_NOT_NULL(test, kmq_fix_remove(test, handle, false));
	KUNIT_EXPECT_EQ(test, queue->locked, 1);
	mutex_lock(&queue->lock);
	KUNIT_EXPECT_TRUE(test, kmq_handle_unlock_locked(handle));
	KUNIT_EXPECT_FALSE(test, kmq_handle_unlock_locked(handle));
	mutex_unlock(&queue->lock);
	KUNIT_EXPECT_NOT_NULL(test, kmq_fix_remove(test, other, false));
}

/* G-RAS-9: reports stand at their offsets with nulls in between. */
static void kmq_take_report_gaps(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	static const struct { s32 offset; u32 length; s32 original; } parts[] = {
		{ 0, 4, 100 }, { 100, 0, 50 }, { 150, 6, 10 },
	};
	struct kmq_fix_get get;
	struct iov_iter iter;
	u8 data[200], in[8];
	struct kvec vec;
	int i;

	memset(in, 'x', sizeof(in));
	for (i = 0; i < 3; i++) {
		struct kmq_msg *msg;

		msg = kmq_fix_put(test, queue,
				  KMQ_SPEC(.group = 1, .report = true,
					   .offset = parts[i].offset,
					   .length = parts[i].length,
					   .original = parts[i].original,
					   .flags = MQMF_SEGMENT | (i == 2 ?
						    MQMF_LAST_SEGMENT : 0)));
		vec = (struct kvec){ in, sizeof(in) };
		iov_iter_kvec(&iter, ITER_SOURCE, &vec, 1, sizeof(in));
		KUNIT_EXPECT_EQ(test, kmq_msg_fill(msg, &iter), 0);
	}
	kmq_whole_get(&get, handle, false);
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_ROOM);
	KUNIT_ASSERT_EQ(test, kmq_take_grow(&get.take), 0);
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	KUNIT_EXPECT_EQ(test, get.take.length, 156);
	memset(data, 0x5a, sizeof(data));
	vec = (struct kvec){ data, sizeof(data) };
	iov_iter_kvec(&iter, ITER_DEST, &vec, 1, sizeof(data));
	KUNIT_EXPECT_EQ(test, kmq_take_copy_out(&get.take, 156, &iter), 0);
	KUNIT_EXPECT_EQ(test, memcmp(data, in, 4), 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(data + 4, 0, 146));
	KUNIT_EXPECT_EQ(test, memcmp(data + 150, in, 6), 0);
	KUNIT_EXPECT_EQ(test, data[156], 0x5a);
	/* Truncated in the gap. */
	memset(data, 0x5a, sizeof(data));
	iov_iter_kvec(&iter, ITER_DEST, &vec, 1, sizeof(data));
	KUNIT_EXPECT_EQ(test, kmq_take_copy_out(&get.take, 50, &iter), 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(data + 4, 0, 46));
	KUNIT_EXPECT_EQ(test, data[50], 0x5a);
	kmq_take_finish(&get.take, true);
	kmq_take_free(&get.take);
}

/* G-EXP-1: expired messages in the way are discarded; others stay. */
static void kmq_take_discards_expired(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	u64 far = ktime_get_ns() + 1000 * NSEC_PER_SEC;
	struct kmq_msg *msg, *got;

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1, .deadline = 1));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 2, .deadline = 1));
	msg = kmq_fix_put(test, queue, KMQ_SPEC(.id = 3, .deadline = far));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 4, .deadline = 1));
	KUNIT_EXPECT_EQ(test, queue->depth, 4);
	got = kmq_browse(test, handle, 0, false, true);
	KUNIT_EXPECT_PTR_EQ(test, got, msg);
	KUNIT_EXPECT_EQ(test, queue->depth, 2);
	KUNIT_EXPECT_PTR_EQ(test, kmq_fix_remove(test, handle, false), msg);
	KUNIT_EXPECT_NULL(test, kmq_fix_remove(test, handle, false));
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
}

/* G-EXP: an expired member does not make a group complete. */
static void kmq_take_expired_member(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_fix_get get;

	kmq_fix_put(test, queue, KMQ_SPEC(.group = 1,
					  .flags = MQMF_MSG_IN_GROUP));
	kmq_fix_put(test, queue, KMQ_SPEC(.group = 1, .seq = 2, .deadline = 1,
					  .flags = MQMF_MSG_IN_GROUP |
					  MQMF_LAST_MSG_IN_GROUP));
	kmq_fix_get_init(&get, handle, true);
	get.take.want.flags = KMQ_WANT_HEAD;
	get.take.want.min_level = KMQ_LEVEL_GROUP;
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_NONE);
	KUNIT_EXPECT_EQ(test, queue->depth, 1);
	get.take.want.min_level = 0;
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
}

/* A locked message expires like any other, when its locker looks at it. */
static void kmq_take_expired_lock(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_msg *msg;

	msg = kmq_fix_put(test, queue, KMQ_SPEC(.deadline = KTIME_MAX));
	KUNIT_EXPECT_PTR_EQ(test, kmq_browse(test, handle, 0, true, true), msg);
	msg->expiry->deadline = 1;
	KUNIT_EXPECT_NULL(test, kmq_fix_remove(test, handle, false));
	KUNIT_EXPECT_EQ(test, queue->locked, 0);
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&handle->locked));
}

/* G-MRK-1: one browse sets the mark of one kind and takes off the other. */
static void kmq_take_both_marks(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_BROWSE);
	struct kmq_msg *msg = kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	struct kmq_fix_get get;

	kmq_fix_get_init(&get, handle, false);
	get.take.mark[KMQ_MARK_HANDLE] = kmq_mark_alloc();
	get.take.mark[KMQ_MARK_CO_OP] = kmq_mark_alloc();
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
	KUNIT_EXPECT_NOT_NULL(test, kmq_mark_find(msg, handle));
	KUNIT_EXPECT_NOT_NULL(test, kmq_mark_find(msg, NULL));
	kmq_fix_get_init(&get, handle, false);
	get.take.unmark[KMQ_MARK_CO_OP] = true;
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
	KUNIT_EXPECT_NOT_NULL(test, kmq_mark_find(msg, handle));
	KUNIT_EXPECT_NULL(test, kmq_mark_find(msg, NULL));
}

/* G-MRK-2: a browse marks; a mark of a failed copy is taken back. */
static void kmq_take_marks(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_BROWSE);
	struct kmq_msg *msg = kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	struct kmq_fix_get get;
	int ok;

	for (ok = 0; ok < 2; ok++) {
		kmq_fix_get_init(&get, handle, false);
		get.take.mark[KMQ_MARK_HANDLE] = kmq_mark_alloc();
		KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
		KUNIT_EXPECT_TRUE(test, get.take.marked[KMQ_MARK_HANDLE]);
		KUNIT_EXPECT_NOT_NULL(test, kmq_mark_find(msg, handle));
		kmq_take_finish(&get.take, ok);
		KUNIT_EXPECT_EQ(test, !!kmq_mark_find(msg, handle), ok);
	}
	/* A second mark is not used. */
	kmq_fix_get_init(&get, handle, false);
	get.take.mark[KMQ_MARK_HANDLE] = kmq_mark_alloc();
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	KUNIT_EXPECT_FALSE(test, get.take.marked[KMQ_MARK_HANDLE]);
	kmq_take_finish(&get.take, true);
	kfree(get.take.mark[KMQ_MARK_HANDLE]);
	/* Unmarking. */
	kmq_fix_get_init(&get, handle, false);
	get.take.unmark[KMQ_MARK_HANDLE] = true;
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
	KUNIT_EXPECT_NULL(test, kmq_mark_find(msg, handle));
}

/* The message may be got, and its mark go, before the copy of a browse fails. */
static void kmq_take_mark_gone(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_BROWSE);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0, KMQ_MAY_GET);
	struct kmq_fix_get get;

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	kmq_fix_get_init(&get, a, false);
	get.take.mark[KMQ_MARK_HANDLE] = kmq_mark_alloc();
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	KUNIT_EXPECT_NOT_NULL(test, kmq_fix_remove(test, b, false));
	KUNIT_EXPECT_TRUE(test, list_empty(&a->marks));
	kmq_take_finish(&get.take, false);
	KUNIT_EXPECT_EQ(test, queue->memory, 0);
}

/* U-BACK-6: what comes back to a queue that was deleted meanwhile is gone. */
static void kmq_take_deleted_queue(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_fix_get get;

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1, .length = 50));
	kmq_fix_get_init(&get, handle, true);
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	queue->deleted = true;
	kmq_take_finish(&get.take, false);
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
	KUNIT_EXPECT_EQ(test, queue->memory, 0);
}

static struct kunit_case kmq_take_cases[] = {
	KUNIT_CASE(kmq_take_remove),
	KUNIT_CASE(kmq_take_verdicts),
	KUNIT_CASE(kmq_take_locks),
	KUNIT_CASE(kmq_take_own_puts),
	KUNIT_CASE(kmq_take_whole),
	KUNIT_CASE(kmq_take_short_run),
	KUNIT_CASE(kmq_take_locks_whole),
	KUNIT_CASE(kmq_take_report_gaps),
	KUNIT_CASE(kmq_take_discards_expired),
	KUNIT_CASE(kmq_take_expired_member),
	KUNIT_CASE(kmq_take_expired_lock),
	KUNIT_CASE(kmq_take_marks),
	KUNIT_CASE(kmq_take_both_marks),
	KUNIT_CASE(kmq_take_mark_gone),
	KUNIT_CASE(kmq_take_deleted_queue),
	{}
};

KMQ_SUITE(kmq_take, kmq_take_cases);
