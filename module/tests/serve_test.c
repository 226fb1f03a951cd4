// SPDX-License-Identifier: GPL-2.0
/*
 * Serving: a message becomes available because another one leaves the store, and
 * who waits for it is told (G-WAIT-9, G-SIG-3).
 */
#include <linux/delay.h>
#include <linux/ktime.h>
#include "../mark.h"
#include "../notify.h"
#include "../search.h"
#include "../store.h"
#include "oracle.h"
#include "waiter.h"

static void kmq_serve_prepare(struct kmq_fix_waiter *w,
			      struct kmq_handle *handle, bool remove, int level)
{
	kmq_fix_wait(w, handle, remove);
	w->get.take.want.min_level = level;
}

static struct kmq_signal *kmq_serve_signal(struct kunit *test,
					   struct kmq_handle *handle,
					   int level, bool browse)
{
	struct kmq_signal *signal = kmq_signal_alloc(handle, 0);
	struct kmq_search want = { .min_level = level };

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, signal);
	mutex_lock(&handle->queue->lock);
	kmq_signal_set_locked(signal, &want, browse, false, 0);
	mutex_unlock(&handle->queue->lock);
	return signal;
}

/*
 * A segment stands in front of one at the same offset with which the logical
 * message would be complete: 1 (0-9), 2 (10-12) and 3 (10-19), 4 (20-29, last).
 */
static void kmq_serve_put_segments(struct kunit *test, u64 deadline)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1, .group = 1, .length = 10,
					  .flags = MQMF_SEGMENT));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 2, .group = 1, .offset = 10,
					  .length = 3, .deadline = deadline,
					  .flags = MQMF_SEGMENT));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 3, .group = 1, .offset = 10,
					  .length = 10,
					  .flags = MQMF_SEGMENT));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 4, .group = 1, .offset = 20,
					  .length = 10, .flags = MQMF_SEGMENT |
					  MQMF_LAST_SEGMENT));
}

/*
 * The same in a group: 1 is the first message, 2 and 3 both have number 2, but
 * only 3 ends the group.
 */
static void kmq_serve_put_group(struct kunit *test, u64 deadline)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1, .group = 1,
					  .flags = MQMF_MSG_IN_GROUP));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 2, .group = 1, .seq = 2,
					  .deadline = deadline,
					  .flags = MQMF_MSG_IN_GROUP));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 3, .group = 1, .seq = 2,
					  .flags = MQMF_MSG_IN_GROUP |
					  MQMF_LAST_MSG_IN_GROUP));
}

/* How message 2 makes way. */
enum kmq_serve_way {
	KMQ_WAY_GOT,
	KMQ_WAY_GOT_IN_UNIT,
	KMQ_WAY_LOCKED,
	KMQ_WAY_EXPIRED,
	KMQ_WAY_MET,
	KMQ_WAYS,
};

static void kmq_serve_make_way(struct kunit *test, struct kmq_handle *handle,
			       enum kmq_serve_way way)
{
	struct kmq_queue *queue = handle->queue;
	struct kmq_fix_get get;
	u8 id[KMQ_ID_LEN];

	kmq_fix_id(id, 2);
	kmq_fix_get_init(&get, handle, way != KMQ_WAY_LOCKED);
	get.take.lock = way == KMQ_WAY_LOCKED;
	get.take.want.flags = KMQ_WANT_MSG_ID;
	get.take.want.msg_id = id;
	switch (way) {
	case KMQ_WAY_EXPIRED:
		/* As the sweep does it. */
		mutex_lock(&queue->lock);
		kmq_queue_expire_until_locked(queue, U64_MAX);
		kmq_waiters_settle_locked(queue);
		mutex_unlock(&queue->lock);
		return;
	case KMQ_WAY_MET:
		KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_NONE);
		return;
	case KMQ_WAY_GOT_IN_UNIT:
		mutex_lock(&handle->conn->call);
		get.syncpoint = true;
		get.take.uow = kmq_uow_join(&handle->conn->uow, queue);
		handle->conn->uow.open = true;
		KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
		kmq_take_finish(&get.take, true);
		kmq_uow_backout(&handle->conn->uow, false);
		mutex_unlock(&handle->conn->call);
		return;
	default:
		KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
		kmq_take_finish(&get.take, true);
	}
}

static u64 kmq_serve_deadline(enum kmq_serve_way way)
{
	if (way == KMQ_WAY_MET)
		return ktime_get_ns() + NSEC_PER_MSEC;
	return way == KMQ_WAY_EXPIRED ?
	       ktime_get_ns() + 1000 * NSEC_PER_SEC : 0;
}

/* No sweep, as one is thought to come any moment. */
static void kmq_serve_hold_sweep(struct kmq_queue *queue, bool hold)
{
	mutex_lock(&queue->lock);
	queue->sweep_due = hold;
	queue->sweep_at = jiffies;
	mutex_unlock(&queue->lock);
}

static void kmq_serve_empty(struct kmq_handle *handle)
{
	mutex_lock(&handle->queue->lock);
	kmq_handle_unlock_locked(handle);
	kmq_queue_purge_locked(handle->queue);
	mutex_unlock(&handle->queue->lock);
}

/* G-WAIT-9, G-SIG-3: whatever way the one in front goes. */
static void kmq_serve_one_way(struct kunit *test, enum kmq_serve_way way,
			      void (*fill)(struct kunit *test, u64 deadline),
			      int level)
{
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0, KMQ_MAY_GET);
	struct kmq_handle *c = kmq_fix_open(test, 2, 0, KMQ_MAY_GET);
	struct kmq_queue *queue = a->queue;
	struct kmq_fix_waiter *w = kunit_kcalloc(test, 4, sizeof(*w),
						 GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, w);
	/* The get is to be the first that comes upon it. */
	kmq_serve_hold_sweep(queue, way == KMQ_WAY_MET);
	fill(test, kmq_serve_deadline(way));
	for (i = 0; i < 4; i++) {
		kmq_serve_prepare(&w[i], a, i >= 2, level);
		if (i == 3) {
			kmq_fix_id(w[i].id, 9);
			w[i].get.take.want.flags = KMQ_WANT_GROUP_ID;
			w[i].get.take.want.group_id = w[i].id;
		}
		if (way != KMQ_WAY_MET)
			KUNIT_ASSERT_EQ(test, kmq_fix_try(&w[i].get),
					KMQ_TAKE_NONE);
		kmq_fix_stand(&w[i]);
	}
	kmq_serve_signal(test, c, level, true);
	if (way == KMQ_WAY_MET)
		msleep(20);
	kmq_serve_make_way(test, b, way);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[0]), 1);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[1]), 1);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[2]), 1);
	KUNIT_EXPECT_EQ(test, c->signal_status, MQEC_MSG_ARRIVED);
	/* It waits for another group. */
	KUNIT_EXPECT_EQ(test, w[3].waiter.state, KMQ_WAITING);
	KUNIT_EXPECT_EQ(test, queue->waiters.total, 1);
	KUNIT_EXPECT_EQ(test, queue->store.askers, 1);
	KUNIT_EXPECT_TRUE(test, list_empty(&queue->store.changed));
	kmq_serve_hold_sweep(queue, false);
	kmq_fix_leave(&w[3].waiter);
	kmq_serve_empty(b);
}

static const int kmq_ways[] = {
	KMQ_WAY_GOT, KMQ_WAY_GOT_IN_UNIT, KMQ_WAY_LOCKED, KMQ_WAY_EXPIRED,
	KMQ_WAY_MET,
};

static void kmq_way_name(const int *way, char *name)
{
	static const char *const names[] = {
		"got", "got in a unit of work", "locked", "expired",
		"expired, and met by a get",
	};

	strscpy(name, names[*way], KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kmq_ways, kmq_ways, kmq_way_name);

static void kmq_serve_segments(struct kunit *test)
{
	kmq_serve_one_way(test, *(const int *)test->param_value,
			  kmq_serve_put_segments, KMQ_LEVEL_SEGMENTS);
}

static void kmq_serve_group(struct kunit *test)
{
	kmq_serve_one_way(test, *(const int *)test->param_value,
			  kmq_serve_put_group, KMQ_LEVEL_GROUP);
}

/* G-RAS-1: all of it, for a get that puts it together. */
static void kmq_serve_whole(struct kunit *test)
{
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0, KMQ_MAY_GET);
	struct kmq_fix_waiter w;

	kmq_serve_put_segments(test, 0);
	kmq_serve_prepare(&w, a, true, KMQ_LEVEL_SEGMENTS);
	w.get.take.want.flags = KMQ_WANT_WHOLE;
	w.get.take.whole = true;
	KUNIT_ASSERT_EQ(test, kmq_fix_try(&w.get), KMQ_TAKE_NONE);
	kmq_fix_stand(&w);
	kmq_serve_make_way(test, b, KMQ_WAY_GOT);
	/* Three messages are more than there is room for. */
	KUNIT_EXPECT_EQ(test, w.waiter.state, KMQ_WAIT_RETRY);
	KUNIT_EXPECT_EQ(test, w.get.take.needed, 3);
}

/*
 * A message behind the end of its group is a candidate when the group is complete;
 * that it goes to one does not keep the others from what became complete with it.
 */
static void kmq_serve_stray(struct kunit *test)
{
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_queue *queue = a->queue;
	struct kmq_fix_waiter w[2];

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 5, .group = 1, .seq = 7,
					  .flags = MQMF_MSG_IN_GROUP));
	kmq_serve_put_group(test, 0);
	kmq_serve_prepare(&w[0], a, true, KMQ_LEVEL_GROUP);
	kmq_fix_id(w[0].id, 5);
	w[0].get.take.want.flags = KMQ_WANT_MSG_ID;
	w[0].get.take.want.msg_id = w[0].id;
	kmq_serve_prepare(&w[1], a, true, KMQ_LEVEL_GROUP);
	kmq_fix_stand(&w[0]);
	kmq_fix_stand(&w[1]);
	kmq_serve_make_way(test, kmq_fix_open(test, 1, 0, KMQ_MAY_GET),
			   KMQ_WAY_GOT);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[0]), 5);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[1]), 1);
	kmq_fix_leave(&w[1].waiter);
}

/*
 * G-MOD-4: complete only with a message that the getter itself has locked; the
 * one in front goes to somebody else.
 */
static void kmq_serve_own_lock(struct kunit *test)
{
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0, KMQ_MAY_GET);
	struct kmq_fix_waiter w[2];
	struct kmq_fix_get get;

	kmq_serve_put_segments(test, 0);
	/* a locks the first segment. */
	kmq_fix_get_init(&get, a, false);
	get.take.lock = true;
	KUNIT_ASSERT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
	kmq_serve_prepare(&w[0], a, true, KMQ_LEVEL_SEGMENTS);
	kmq_serve_prepare(&w[1], b, true, KMQ_LEVEL_SEGMENTS);
	KUNIT_ASSERT_EQ(test, kmq_fix_try(&w[0].get), KMQ_TAKE_NONE);
	kmq_fix_stand(&w[1]);
	kmq_fix_stand(&w[0]);
	kmq_serve_signal(test, a, KMQ_LEVEL_SEGMENTS, true);
	kmq_serve_make_way(test, b, KMQ_WAY_GOT);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[0]), 1);
	KUNIT_EXPECT_EQ(test, w[1].waiter.state, KMQ_WAITING);
	KUNIT_EXPECT_EQ(test, a->signal_status, MQEC_MSG_ARRIVED);
	kmq_fix_leave(&w[1].waiter);
}

/*
 * What a getter sees besides hides from it that others can have a group complete
 * once it has taken one of its messages.
 */
static void kmq_serve_taken_among_own(struct kunit *test)
{
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0, KMQ_MAY_GET);
	struct kmq_queue *queue = a->queue;
	struct kmq_fix_waiter w;
	struct kmq_fix_get get;

	/* For a complete with its own 9; without it not, before 2 is gone. */
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 9, .group = 1, .seq = 2,
					  .flags = MQMF_MSG_IN_GROUP |
					  MQMF_LAST_MSG_IN_GROUP));
	kmq_fix_get_init(&get, a, false);
	get.take.lock = true;
	KUNIT_ASSERT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
	kmq_serve_put_group(test, 0);
	kmq_serve_prepare(&w, b, true, KMQ_LEVEL_GROUP);
	KUNIT_ASSERT_EQ(test, kmq_fix_try(&w.get), KMQ_TAKE_NONE);
	kmq_fix_stand(&w);
	kmq_serve_make_way(test, a, KMQ_WAY_GOT);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w), 1);
}

/* G-SIG-6, G-SIG-7: a signal for each message that became complete, no more. */
static void kmq_serve_signals(struct kunit *test)
{
	struct kmq_handle *h[3];
	struct kmq_signal *named;
	struct kmq_search want = { .min_level = KMQ_LEVEL_GROUP,
				   .flags = KMQ_WANT_SEQ, .seq = 2 };
	int i;

	kmq_serve_put_group(test, 0);
	for (i = 0; i < 3; i++)
		h[i] = kmq_fix_open(test, i, 0, KMQ_MAY_GET);
	kmq_serve_signal(test, h[0], KMQ_LEVEL_GROUP, false);
	kmq_serve_signal(test, h[1], KMQ_LEVEL_GROUP, false);
	named = kmq_signal_alloc(h[2], 0);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, named);
	mutex_lock(&h[2]->queue->lock);
	kmq_signal_set_locked(named, &want, false, false, 0);
	mutex_unlock(&h[2]->queue->lock);
	kmq_serve_make_way(test, kmq_fix_open(test, 0, 0, KMQ_MAY_GET),
			   KMQ_WAY_GOT);
	KUNIT_EXPECT_EQ(test, h[0]->signal_status, MQEC_MSG_ARRIVED);
	/* The same message was signalled already. */
	KUNIT_EXPECT_EQ(test, h[1]->signal_status, KMQ_SIGNAL_OUTSTANDING);
	KUNIT_EXPECT_EQ(test, h[2]->signal_status, MQEC_MSG_ARRIVED);
}

/* M-EXP-3: no signal for a message that nobody can get any more. */
static void kmq_serve_signal_expired(struct kunit *test)
{
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0, KMQ_MAY_GET);
	struct kmq_fix *fix = kmq_fix_of(test);

	kmq_serve_signal(test, a, 0, false);
	kmq_serve_signal(test, b, KMQ_LEVEL_GROUP, true);
	kmq_fix_put_uow(test, fix->conns[2], fix->queues[0],
			KMQ_SPEC(.id = 1, .deadline = 1));
	kmq_fix_put_uow(test, fix->conns[2], fix->queues[0],
			KMQ_SPEC(.id = 2, .group = 1, .deadline = 1,
				 .flags = MQMF_MSG_IN_GROUP |
				 MQMF_LAST_MSG_IN_GROUP));
	mutex_lock(&fix->conns[2]->call);
	kmq_uow_commit(&fix->conns[2]->uow);
	mutex_unlock(&fix->conns[2]->call);
	KUNIT_EXPECT_EQ(test, a->signal_status, KMQ_SIGNAL_OUTSTANDING);
	KUNIT_EXPECT_EQ(test, b->signal_status, KMQ_SIGNAL_OUTSTANDING);
	KUNIT_EXPECT_EQ(test, fix->queues[0]->depth, 0);
}

/* G-SIG-9: neither what it had locked nor what its connection had got. */
static void kmq_serve_signal_closed(struct kunit *test)
{
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_handle *b = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_queue *queue = a->queue;
	struct kmq_fix_get get;
	struct kmq_fix_waiter w;

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	kmq_fix_get_init(&get, a, false);
	get.take.lock = true;
	KUNIT_ASSERT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
	kmq_serve_signal(test, a, 0, false);
	kmq_serve_prepare(&w, b, true, 0);
	kmq_fix_stand(&w);
	mutex_lock(&a->conn->call);
	kmq_handle_close(a);
	mutex_unlock(&a->conn->call);
	KUNIT_EXPECT_EQ(test, a->signal_status, KMQ_SIGNAL_NONE);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w), 1);
	KUNIT_EXPECT_EQ(test, queue->waiters.total, 0);
}

/* A message that expires while somebody waits for what stands behind it. */
static void kmq_serve_sweep_in_time(struct kunit *test)
{
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_queue *queue = a->queue;
	struct kmq_fix_waiter w;
	unsigned long soon;

	kmq_serve_put_group(test, ktime_get_ns() + NSEC_PER_SEC);
	soon = jiffies + HZ + 2;
	KUNIT_EXPECT_TRUE(test, time_after(queue->sweep_at, soon));
	kmq_serve_prepare(&w, a, true, KMQ_LEVEL_GROUP);
	kmq_fix_stand(&w);
	KUNIT_EXPECT_TRUE(test, time_before_eq(queue->sweep_at, soon));
	while (w.waiter.state == KMQ_WAITING)
		msleep(20);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w), 1);
	KUNIT_EXPECT_EQ(test, queue->depth, 1);
}

/*
 * G-EXP-3: an expired message in the way is as good as gone for a get that does
 * not wait, too.
 */
static void kmq_serve_expired_in_front(struct kunit *test)
{
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_fix_waiter w;

	kmq_serve_put_group(test, ktime_get_ns() + NSEC_PER_MSEC);
	msleep(20);
	kmq_serve_prepare(&w, a, true, KMQ_LEVEL_GROUP);
	KUNIT_ASSERT_EQ(test, kmq_fix_try(&w.get), KMQ_TAKE_DONE);
	KUNIT_EXPECT_EQ(test, kmq_fix_number(w.get.take.msgs[0]->md.msg_id), 1);
	kmq_take_finish(&w.get.take, true);
	KUNIT_EXPECT_EQ(test, a->queue->depth, 1);
}

/* G-MRK-6: a message only its locker sees is not passed over for its floor. */
static void kmq_serve_floor_and_lock(struct kunit *test)
{
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_BROWSE);
	struct kmq_queue *queue = a->queue;
	struct kmq_search want = { .flags = KMQ_WANT_UNMARKED,
				   .unmarked_for = a };
	struct kmq_fix_get get;
	struct kmq_msg *second;
	u8 id[KMQ_ID_LEN];

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	second = kmq_fix_put(test, queue, KMQ_SPEC(.id = 2));
	kmq_fix_id(id, 2);
	kmq_fix_get_init(&get, a, false);
	get.take.want.flags = KMQ_WANT_MSG_ID;
	get.take.want.msg_id = id;
	get.take.mark[KMQ_MARK_HANDLE] = kmq_mark_alloc();
	KUNIT_ASSERT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
	kmq_fix_get_init(&get, a, false);
	get.take.lock = true;
	KUNIT_ASSERT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
	/* As it would be for a signal: without what is locked. */
	mutex_lock(&queue->lock);
	KUNIT_EXPECT_NULL(test, kmq_search_first(&queue->store, &want));
	KUNIT_EXPECT_EQ(test, a->mark_floor[kmq_key_rank(second->key)],
			second->key);
	mutex_unlock(&queue->lock);
	kmq_fix_get_init(&get, a, false);
	get.take.want = want;
	KUNIT_ASSERT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	KUNIT_EXPECT_EQ(test, kmq_fix_number(get.take.msgs[0]->md.msg_id), 1);
	kmq_take_finish(&get.take, true);
}

/* Old marks go one by one, whatever those who are served do meanwhile. */
static void kmq_serve_marks_swept(struct kunit *test)
{
	u32 may = KMQ_MAY_BROWSE | KMQ_CO_OP;
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, may);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0, may);
	struct kmq_queue *queue = a->queue;
	struct kmq_fix_waiter w[2];
	struct kmq_fix_get get;
	int i;

	kmq_fix_of(test)->qmgr->attrs.msg_mark_browse_interval = 1;
	for (i = 0; i < 3; i++) {
		kmq_fix_put(test, queue, KMQ_SPEC(.id = i + 1));
		kmq_fix_get_init(&get, a, false);
		get.take.want.flags = KMQ_WANT_UNMARKED | KMQ_WANT_NO_CO_OP;
		get.take.want.unmarked_for = a;
		get.take.mark[KMQ_MARK_CO_OP] = kmq_mark_alloc();
		KUNIT_ASSERT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
		kmq_take_finish(&get.take, true);
	}
	for (i = 0; i < 2; i++) {
		kmq_serve_prepare(&w[i], b, false, 0);
		w[i].get.take.want.flags = KMQ_WANT_UNMARKED |
					   KMQ_WANT_NO_CO_OP;
		w[i].get.take.want.unmarked_for = b;
		w[i].get.take.mark[KMQ_MARK_CO_OP] = kmq_mark_alloc();
		kmq_fix_stand(&w[i]);
	}
	while (w[1].waiter.state == KMQ_WAITING)
		msleep(20);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[0]), 1);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[1]), 2);
}

/* Random waiters, browses and signals, at a queue at which anything happens. */
#define KMQ_CROWD	6

struct kmq_crowd {
	struct kmq_pop pop;
	struct kmq_handle *handles[KMQ_CROWD];
	struct kmq_fix_waiter w[KMQ_CROWD];
	int served;
};

static void kmq_crowd_want(struct kmq_crowd *crowd, struct kmq_fix_waiter *w)
{
	struct kmq_search *want = &w->get.take.want;
	u32 r = kmq_fix_random(&crowd->pop.state);

	want->min_level = r % KMQ_LEVELS;
	if (r & 16)
		want->flags |= KMQ_WANT_HEAD;
	if (r & 32 && want->min_level) {
		want->flags |= KMQ_WANT_WHOLE;
		w->get.take.whole = true;
	}
	if ((r & 192) == 192) {
		want->flags |= KMQ_WANT_GROUP_ID;
		kmq_fix_id(w->id, r / 256 % KMQ_POP_GROUPS + 1);
		want->group_id = w->id;
	} else if ((r & 192) == 128) {
		want->flags |= KMQ_WANT_MSG_ID;
		kmq_fix_id(w->id, r / 256 % 5 + 1);
		want->msg_id = w->id;
	}
}

/* Even numbers wait, odd ones have a signal. All leave the queue as it is. */
static void kmq_crowd_join(struct kunit *test, struct kmq_crowd *crowd, int i)
{
	struct kmq_fix_waiter *w = &crowd->w[i];
	struct kmq_handle *handle = crowd->handles[i];
	struct kmq_queue *queue = handle->queue;
	struct kmq_signal *signal = NULL;

	kmq_serve_prepare(w, handle, i % 4 == 0, 0);
	w->get.verdict = KMQ_SHOW;
	kmq_crowd_want(crowd, w);
	w->waiter.state = KMQ_WAIT_CANCELED;
	if (i % 2) {
		mutex_lock(&handle->conn->call);
		kmq_handle_drop_signal(handle);
		mutex_unlock(&handle->conn->call);
		signal = kmq_signal_alloc(handle, 0);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, signal);
	}
	mutex_lock(&queue->lock);
	if (kmq_search_first(&queue->store, &w->get.take.want)) {
		/* Who finds something does not wait. */
	} else if (signal) {
		kmq_signal_set_locked(signal, &w->get.take.want, true, false,
				      0);
		signal = NULL;
	} else {
		kmq_waiter_add_locked(queue, &w->waiter, w->get.take.remove ?
				      KMQ_WAIT_REMOVE : KMQ_WAIT_BROWSE);
	}
	mutex_unlock(&queue->lock);
	if (signal)
		kmq_signal_free(signal);
}

static bool kmq_crowd_waits(const struct kmq_crowd *crowd, int i)
{
	return i % 2 ? crowd->handles[i]->signal_status ==
		       KMQ_SIGNAL_OUTSTANDING :
		       crowd->w[i].waiter.state == KMQ_WAITING;
}

/* Those who left are counted, and others come in their place. */
static void kmq_crowd_renew(struct kunit *test, struct kmq_crowd *crowd)
{
	int i;

	for (i = 0; i < KMQ_CROWD; i++) {
		if (kmq_crowd_waits(crowd, i))
			continue;
		if (i % 2) {
			crowd->served += crowd->handles[i]->signal_status ==
					 MQEC_MSG_ARRIVED;
		} else if (crowd->w[i].waiter.state == KMQ_WAIT_SERVED) {
			kmq_take_finish(&crowd->w[i].get.take, true);
			crowd->served++;
		} else if (crowd->w[i].waiter.state == KMQ_WAIT_RETRY) {
			crowd->served++;
		}
		kmq_crowd_join(test, crowd, i);
	}
}

/* G-WAIT-9: how many wait although there is something for them? */
static int kmq_crowd_overlooked(struct kmq_crowd *crowd)
{
	struct kmq_queue *queue = crowd->pop.queue;
	int i, n = 0;

	mutex_lock(&queue->lock);
	for (i = 0; i < KMQ_CROWD; i++)
		n += kmq_crowd_waits(crowd, i) &&
		     kmq_search_first(&queue->store,
				      &crowd->w[i].get.take.want);
	mutex_unlock(&queue->lock);
	return n;
}

static void kmq_serve_crowd(struct kunit *test)
{
	struct kmq_crowd *crowd = kunit_kzalloc(test, sizeof(*crowd),
						GFP_KERNEL);
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	int step, i, overlooked = 0;

	KUNIT_ASSERT_NOT_NULL(test, crowd);
	kmq_pop_init(&crowd->pop, test, 271828);
	for (i = 0; i < KMQ_CROWD; i++) {
		crowd->handles[i] = kmq_fix_open(test, i % 3, 0, KMQ_MAY_GET);
		kmq_crowd_join(test, crowd, i);
	}
	for (step = 0; step < 20000 && !overlooked; step++) {
		kmq_pop_step(&crowd->pop);
		overlooked = kmq_crowd_overlooked(crowd);
		kmq_crowd_renew(test, crowd);
		cond_resched();
	}
	KUNIT_EXPECT_EQ_MSG(test, overlooked, 0, "after %d steps", step);
	KUNIT_EXPECT_GT(test, crowd->served, 500);
	kunit_info(test, "%d served in %d steps", crowd->served, step);
	for (i = 0; i < KMQ_CROWD; i += 2) {
		if (crowd->w[i].waiter.state == KMQ_WAIT_SERVED)
			kmq_take_finish(&crowd->w[i].get.take, true);
		kmq_fix_leave(&crowd->w[i].waiter);
	}
	KUNIT_EXPECT_LE(test, queue->waiters.total, KMQ_CROWD / 2);
	kmq_pop_show_all(&crowd->pop);
}

static struct kunit_case kmq_serve_cases[] = {
	KUNIT_CASE_PARAM(kmq_serve_segments, kmq_ways_gen_params),
	KUNIT_CASE_PARAM(kmq_serve_group, kmq_ways_gen_params),
	KUNIT_CASE(kmq_serve_whole),
	KUNIT_CASE(kmq_serve_stray),
	KUNIT_CASE(kmq_serve_own_lock),
	KUNIT_CASE(kmq_serve_taken_among_own),
	KUNIT_CASE(kmq_serve_signals),
	KUNIT_CASE(kmq_serve_signal_expired),
	KUNIT_CASE(kmq_serve_signal_closed),
	KUNIT_CASE(kmq_serve_sweep_in_time),
	KUNIT_CASE(kmq_serve_expired_in_front),
	KUNIT_CASE(kmq_serve_floor_and_lock),
	KUNIT_CASE(kmq_serve_marks_swept),
	KUNIT_CASE(kmq_serve_crowd),
	{}
};

KMQ_SUITE(kmq_serve, kmq_serve_cases);
