// SPDX-License-Identifier: GPL-2.0
/*
 * Waiters: who is served by which message, in which order; and sleeping.
 *
 * A get is carried out by whoever puts, so most of this needs no second task:
 * the waiter stands at the queue, and its state tells.
 */
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include "../mark.h"
#include "../notify.h"
#include "../search.h"
#include "../store.h"
#include "waiter.h"

static struct kmq_fix_waiter *kmq_waiters(struct kunit *test, size_t count)
{
	struct kmq_fix_waiter *w = kunit_kcalloc(test, count, sizeof(*w),
						  GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, w);
	return w;
}

static void kmq_want_id(struct kmq_fix_waiter *w, u32 flag, u64 number)
{
	struct kmq_search *want = &w->get.take.want;

	kmq_fix_id(w->id, number);
	want->flags |= flag;
	if (flag == KMQ_WANT_MSG_ID)
		want->msg_id = w->id;
	else if (flag == KMQ_WANT_CORREL_ID)
		want->correl_id = w->id;
	else
		want->group_id = w->id;
}

/* G-WAIT-7: specific before general; within both who came first. */
static void kmq_wait_order(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_fix_waiter *w = kmq_waiters(test, 5);
	int i;

	for (i = 0; i < 5; i++)
		kmq_fix_wait(&w[i], handle, true);
	/* 0 and 3 take anything, 1 and 4 message 7, 2 correl 9. */
	kmq_want_id(&w[1], KMQ_WANT_MSG_ID, 7);
	kmq_want_id(&w[4], KMQ_WANT_MSG_ID, 7);
	kmq_want_id(&w[2], KMQ_WANT_CORREL_ID, 9);
	for (i = 0; i < 5; i++)
		kmq_fix_stand(&w[i]);
	KUNIT_EXPECT_EQ(test, queue->waiters.count, 5);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 7, .correl = 9));
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[1]), 7);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 7, .correl = 9));
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[2]), 7);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 7, .correl = 9));
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[4]), 7);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 8, .correl = 9));
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[0]), 8);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 9));
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[3]), 9);
	KUNIT_EXPECT_EQ(test, queue->waiters.count, 0);
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
}

/* G-WAIT-8: a message that suits nobody who waits stays on the queue. */
static void kmq_wait_unsuited(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_fix_waiter *w = kmq_waiters(test, 4);
	int i;

	for (i = 0; i < 4; i++)
		kmq_fix_wait(&w[i], handle, true);
	kmq_want_id(&w[0], KMQ_WANT_MSG_ID, 1);
	kmq_want_id(&w[1], KMQ_WANT_CORREL_ID, 1);
	kmq_want_id(&w[2], KMQ_WANT_GROUP_ID, 1);
	w[3].get.take.want.flags = KMQ_WANT_SEQ;
	w[3].get.take.want.seq = 4;
	for (i = 0; i < 4; i++)
		kmq_fix_stand(&w[i]);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 2, .correl = 2));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 3, .group = 2, .seq = 2,
					  .flags = MQMF_MSG_IN_GROUP));
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, w[i].get.judged, 0);
	KUNIT_EXPECT_EQ(test, queue->depth, 2);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 4, .group = 1, .seq = 3,
					  .flags = MQMF_MSG_IN_GROUP));
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[2]), 4);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 5, .group = 7, .seq = 4,
					  .flags = MQMF_MSG_IN_GROUP));
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[3]), 5);
	kmq_fix_leave(&w[0].waiter);
	kmq_fix_leave(&w[1].waiter);
	KUNIT_EXPECT_EQ(test, queue->waiters.total, 0);
}

/* G-WAIT-5, G-WAIT-10: all that browse, then one that removes. */
static void kmq_wait_browse_first(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_fix_waiter *w = kmq_waiters(test, 5);
	int i;

	for (i = 0; i < 5; i++) {
		kmq_fix_wait(&w[i], handle, i % 2 == 0);
		kmq_fix_stand(&w[i]);
	}
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	KUNIT_EXPECT_EQ(test, w[1].waiter.state, KMQ_WAIT_SERVED);
	KUNIT_EXPECT_EQ(test, w[3].waiter.state, KMQ_WAIT_SERVED);
	KUNIT_EXPECT_EQ(test, w[0].waiter.state, KMQ_WAIT_SERVED);
	KUNIT_EXPECT_EQ(test, w[2].waiter.state, KMQ_WAITING);
	KUNIT_EXPECT_EQ(test, w[4].waiter.state, KMQ_WAITING);
	/* They hold the message though it is off the queue. */
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
	KUNIT_EXPECT_EQ(test, refcount_read(&w[1].get.take.msgs[0]->ref), 3);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[1]), 1);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[0]), 1);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[3]), 1);
	kmq_fix_leave(&w[2].waiter);
	kmq_fix_leave(&w[4].waiter);
}

/* G-WAIT-8: refused or only shown: the next one is tried. */
static void kmq_wait_next_is_tried(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_fix_waiter *w = kmq_waiters(test, 3);
	int i;

	for (i = 0; i < 3; i++) {
		kmq_fix_wait(&w[i], handle, true);
		kmq_fix_stand(&w[i]);
	}
	w[0].get.verdict = KMQ_REFUSE;
	w[1].get.verdict = KMQ_SHOW;
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	KUNIT_EXPECT_EQ(test, w[0].waiter.state, KMQ_WAIT_SERVED);
	KUNIT_EXPECT_EQ(test, w[0].get.take.verdict, KMQ_REFUSE);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[1]), 1);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[2]), 1);
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
	/* The same among those that are found by an identifier. */
	for (i = 0; i < 3; i++) {
		kmq_fix_wait(&w[i], handle, true);
		kmq_want_id(&w[i], KMQ_WANT_CORREL_ID, 5);
		kmq_fix_stand(&w[i]);
	}
	w[0].get.verdict = KMQ_REFUSE;
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 2, .correl = 5));
	KUNIT_EXPECT_EQ(test, w[0].get.take.verdict, KMQ_REFUSE);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[1]), 2);
	KUNIT_EXPECT_EQ(test, w[2].waiter.state, KMQ_WAITING);
	kmq_fix_leave(&w[2].waiter);
}

/* G-CPL-9: an arrival that completes a group serves who waits for its head. */
static void kmq_wait_for_complete(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_fix_waiter *w = kmq_waiters(test, 2);

	kmq_fix_wait(&w[0], handle, true);
	w[0].get.take.want.flags = KMQ_WANT_HEAD;
	w[0].get.take.want.min_level = KMQ_LEVEL_GROUP;
	kmq_fix_wait(&w[1], handle, true);
	w[1].get.take.want.min_level = KMQ_LEVEL_GROUP;
	kmq_want_id(&w[1], KMQ_WANT_MSG_ID, 12);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 12, .group = 1, .seq = 2,
					  .flags = MQMF_MSG_IN_GROUP |
					  MQMF_LAST_MSG_IN_GROUP));
	kmq_fix_stand(&w[0]);
	kmq_fix_stand(&w[1]);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 21, .group = 2,
					  .flags = MQMF_MSG_IN_GROUP));
	KUNIT_EXPECT_EQ(test, w[0].waiter.state, KMQ_WAITING);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 11, .group = 1,
					  .flags = MQMF_MSG_IN_GROUP));
	/* The specific one takes its member; the group is broken then. */
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[1]), 12);
	KUNIT_EXPECT_EQ(test, w[0].waiter.state, KMQ_WAITING);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 13, .group = 1, .seq = 2,
					  .flags = MQMF_MSG_IN_GROUP |
					  MQMF_LAST_MSG_IN_GROUP));
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w[0]), 11);
}

/* More messages than there is room for: the getter is sent to make room. */
static void kmq_wait_for_room(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_fix_waiter w;
	int i;

	kmq_fix_wait(&w, handle, true);
	w.get.take.whole = true;
	w.get.take.want.flags = KMQ_WANT_WHOLE;
	w.get.take.want.min_level = KMQ_LEVEL_SEGMENTS;
	kmq_fix_stand(&w);
	for (i = 0; i < 3; i++)
		kmq_fix_put(test, queue,
			    KMQ_SPEC(.group = 1, .offset = i * 10, .length = 10,
				     .flags = MQMF_SEGMENT |
				     (i == 2 ? MQMF_LAST_SEGMENT : 0)));
	KUNIT_EXPECT_EQ(test, w.waiter.state, KMQ_WAIT_RETRY);
	KUNIT_EXPECT_EQ(test, w.get.take.needed, 3);
	KUNIT_EXPECT_EQ(test, queue->depth, 3);
	KUNIT_EXPECT_EQ(test, queue->waiters.total, 0);
}

/* G-WAIT-6: commit, back-out, unlocking and a failed copy make visible, too. */
static void kmq_wait_becomes_visible(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_handle *other = kmq_fix_open(test, 1, 0, KMQ_MAY_GET);
	struct kmq_fix_waiter w;
	struct kmq_fix_get get;

	kmq_fix_wait(&w, handle, true);
	kmq_fix_stand(&w);
	kmq_fix_put_uow(test, fix->conns[1], queue, KMQ_SPEC(.id = 1));
	/* U-VIS-3 */
	KUNIT_EXPECT_EQ(test, w.waiter.state, KMQ_WAITING);
	mutex_lock(&fix->conns[1]->call);
	kmq_uow_commit(&fix->conns[1]->uow);
	mutex_unlock(&fix->conns[1]->call);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w), 1);

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 2));
	kmq_fix_remove(test, other, true);
	kmq_fix_wait(&w, handle, true);
	kmq_fix_stand(&w);
	mutex_lock(&fix->conns[1]->call);
	kmq_uow_backout(&fix->conns[1]->uow, true);
	mutex_unlock(&fix->conns[1]->call);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w), 2);

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 3));
	kmq_fix_get_init(&get, other, false);
	get.take.lock = true;
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
	kmq_fix_wait(&w, handle, true);
	kmq_fix_stand(&w);
	mutex_lock(&queue->lock);
	kmq_handle_unlock_locked(other);
	mutex_unlock(&queue->lock);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w), 3);

	/* G-WAIT-9: what one could not deliver goes to the next. */
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 4));
	kmq_fix_get_init(&get, other, true);
	KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_fix_wait(&w, handle, true);
	kmq_fix_stand(&w);
	kmq_take_finish(&get.take, false);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w), 4);
}

/* The drop of a mark: by unmarking, and when the copy of a browse fails. */
static void kmq_wait_mark_dropped(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	u32 may = KMQ_MAY_BROWSE | KMQ_CO_OP;
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, may);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0, may);
	struct kmq_fix_waiter w;
	struct kmq_fix_get get;
	int unmark;

	kmq_fix_of(test)->qmgr->attrs.msg_mark_browse_interval = -1;
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	for (unmark = 0; unmark < 2; unmark++) {
		kmq_fix_get_init(&get, a, false);
		get.take.mark[KMQ_MARK_CO_OP] = kmq_mark_alloc();
		KUNIT_EXPECT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
		kmq_fix_wait(&w, b, false);
		w.get.take.want.flags = KMQ_WANT_UNMARKED | KMQ_WANT_NO_CO_OP;
		w.get.take.want.unmarked_for = b;
		KUNIT_EXPECT_EQ(test, kmq_fix_try(&w.get), KMQ_TAKE_NONE);
		kmq_fix_stand(&w);
		kmq_take_finish(&get.take, unmark);
		if (unmark) {
			KUNIT_EXPECT_EQ(test, w.waiter.state, KMQ_WAITING);
			kmq_fix_get_init(&get, a, false);
			get.take.unmark[KMQ_MARK_CO_OP] = true;
			KUNIT_EXPECT_EQ(test, kmq_fix_try(&get),
					KMQ_TAKE_DONE);
			kmq_take_finish(&get.take, true);
		}
		KUNIT_EXPECT_EQ(test, kmq_fix_given(&w), 1);
		kmq_fix_leave(&w.waiter);
	}
}

/* G-WAIT-11, G-WAIT-12 */
static void kmq_wait_cancelled(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0, KMQ_MAY_GET);
	struct kmq_fix_waiter *w = kmq_waiters(test, 4);
	int i;

	for (i = 0; i < 4; i++) {
		kmq_fix_wait(&w[i], i == 3 ? b : a, i != 1);
		if (i == 2)
			kmq_want_id(&w[i], KMQ_WANT_CORREL_ID, 1);
		w[i].waiter.fail_if_quiescing = i == 0;
		kmq_fix_stand(&w[i]);
	}
	mutex_lock(&queue->lock);
	kmq_waiters_cancel_locked(queue, KMQ_CANCEL_QUIESCING);
	KUNIT_EXPECT_EQ(test, w[0].waiter.state, KMQ_WAIT_CANCELED);
	KUNIT_EXPECT_EQ(test, w[0].waiter.cancel, KMQ_CANCEL_QUIESCING);
	KUNIT_EXPECT_EQ(test, queue->waiters.count, 3);
	kmq_waiters_cancel_conn_locked(queue, fix->conns[0],
				       KMQ_CANCEL_BROKEN);
	KUNIT_EXPECT_EQ(test, w[1].waiter.state, KMQ_WAIT_CANCELED);
	KUNIT_EXPECT_EQ(test, w[2].waiter.state, KMQ_WAIT_CANCELED);
	KUNIT_EXPECT_EQ(test, w[2].waiter.cancel, KMQ_CANCEL_BROKEN);
	KUNIT_EXPECT_EQ(test, w[3].waiter.state, KMQ_WAITING);
	kmq_waiters_cancel_locked(queue, KMQ_CANCEL_INHIBITED);
	KUNIT_EXPECT_EQ(test, w[3].waiter.cancel, KMQ_CANCEL_INHIBITED);
	KUNIT_EXPECT_EQ(test, queue->waiters.total, 0);
	mutex_unlock(&queue->lock);
}

/* G-SIG-6, G-SIG-10: one signal a message, after those that wait. */
static void kmq_wait_signals(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *a = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_handle *b = kmq_fix_open(test, 1, 0, KMQ_MAY_GET);
	struct kmq_signal *x = kmq_signal_alloc(a, 0);
	struct kmq_signal *y = kmq_signal_alloc(b, 0);
	struct kmq_search want = {};
	struct kmq_fix_waiter w;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, x);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, y);
	mutex_lock(&queue->lock);
	kmq_signal_set_locked(x, &want, false, false, 0);
	kmq_signal_set_locked(y, &want, false, false, 0);
	mutex_unlock(&queue->lock);
	kmq_fix_wait(&w, a, true);
	kmq_fix_stand(&w);
	KUNIT_EXPECT_EQ(test, queue->waiters.count, 1);
	KUNIT_EXPECT_EQ(test, queue->waiters.total, 3);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&w), 1);
	KUNIT_EXPECT_EQ(test, a->signal_status, KMQ_SIGNAL_OUTSTANDING);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 2));
	KUNIT_EXPECT_EQ(test, a->signal_status, MQEC_MSG_ARRIVED);
	KUNIT_EXPECT_EQ(test, b->signal_status, KMQ_SIGNAL_OUTSTANDING);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 3));
	KUNIT_EXPECT_EQ(test, b->signal_status, MQEC_MSG_ARRIVED);
	KUNIT_EXPECT_EQ(test, queue->depth, 2);
}

/* G-SIG-8: not before its time is over. */
static void kmq_wait_signal_expires(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_signal *signal = kmq_signal_alloc(handle, 0);
	u64 start = ktime_get_ns();
	struct kmq_search want = {};
	int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, signal);
	KUNIT_EXPECT_PTR_EQ(test, kmq_signal_alloc(handle, -1),
			    ERR_PTR(-EBADF));
	mutex_lock(&queue->lock);
	kmq_signal_set_locked(signal, &want, true, false, 30);
	mutex_unlock(&queue->lock);
	for (i = 0; i < 300 && handle->signal_status == KMQ_SIGNAL_OUTSTANDING;
	     i++)
		schedule_timeout_uninterruptible(msecs_to_jiffies(10));
	KUNIT_EXPECT_EQ(test, handle->signal_status,
			MQEC_WAIT_INTERVAL_EXPIRED);
	KUNIT_EXPECT_GE(test, ktime_get_ns() - start, 30 * NSEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, queue->waiters.total, 0);
}

/* Sleeping: in a task of its own, which the test serves, cancels or leaves. */
struct kmq_sleeper {
	struct kmq_fix_waiter w;
	u64 deadline;
	int err;
	struct completion ready;
	struct completion done;
};

static int kmq_sleep(void *arg)
{
	struct kmq_sleeper *s = arg;
	struct kmq_queue *queue = s->w.get.take.handle->queue;

	s->w.waiter.task = current;
	kmq_fix_stand(&s->w);
	complete(&s->ready);
	s->err = kmq_waiter_sleep(queue, &s->w.waiter, s->deadline);
	complete(&s->done);
	return 0;
}

static void kmq_start(struct kunit *test, struct kmq_sleeper *s,
		      struct kmq_handle *handle, u64 deadline)
{
	struct task_struct *task;

	kmq_fix_wait(&s->w, handle, true);
	s->deadline = deadline;
	init_completion(&s->ready);
	init_completion(&s->done);
	task = kthread_run(kmq_sleep, s, "kmq-sleeper");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	wait_for_completion(&s->ready);
}

static void kmq_wait_sleep(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_sleeper s;
	u64 start;

	kmq_start(test, &s, handle, KTIME_MAX);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	wait_for_completion(&s.done);
	KUNIT_EXPECT_EQ(test, s.err, 0);
	KUNIT_EXPECT_EQ(test, kmq_fix_given(&s.w), 1);

	/* G-WAIT-2: never before the interval is over. */
	start = ktime_get_ns();
	kmq_start(test, &s, handle, start + 20 * NSEC_PER_MSEC);
	wait_for_completion(&s.done);
	KUNIT_EXPECT_EQ(test, s.err, -ETIMEDOUT);
	KUNIT_EXPECT_GE(test, ktime_get_ns() - start, 20 * NSEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, queue->waiters.total, 0);

	kmq_start(test, &s, handle, KTIME_MAX);
	mutex_lock(&queue->lock);
	kmq_waiters_cancel_locked(queue, KMQ_CANCEL_STOPPING);
	mutex_unlock(&queue->lock);
	wait_for_completion(&s.done);
	KUNIT_EXPECT_EQ(test, s.err, 0);
	KUNIT_EXPECT_EQ(test, s.w.waiter.state, KMQ_WAIT_CANCELED);
	KUNIT_EXPECT_EQ(test, s.w.waiter.cancel, KMQ_CANCEL_STOPPING);
}

/* A deadline that races with the message: one or the other, never none. */
static void kmq_wait_race(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	int i, served = 0;

	for (i = 0; i < 300; i++) {
		struct kmq_sleeper s;

		kmq_start(test, &s, handle, ktime_get_ns() + i * 1000);
		kmq_fix_put(test, queue, KMQ_SPEC(.id = i + 1));
		wait_for_completion(&s.done);
		if (s.err) {
			KUNIT_EXPECT_EQ(test, s.err, -ETIMEDOUT);
			KUNIT_EXPECT_EQ(test, queue->depth, 1);
			KUNIT_EXPECT_NOT_NULL(test, kmq_fix_remove(test, handle,
								   false));
		} else {
			KUNIT_EXPECT_EQ(test, kmq_fix_given(&s.w), i + 1);
			served++;
		}
		KUNIT_EXPECT_EQ(test, queue->depth, 0);
		KUNIT_EXPECT_EQ(test, queue->waiters.total, 0);
	}
	kunit_info(test, "%d of 300 served", served);
}

static struct kunit_case kmq_wait_cases[] = {
	KUNIT_CASE(kmq_wait_order),
	KUNIT_CASE(kmq_wait_unsuited),
	KUNIT_CASE(kmq_wait_browse_first),
	KUNIT_CASE(kmq_wait_next_is_tried),
	KUNIT_CASE(kmq_wait_for_complete),
	KUNIT_CASE(kmq_wait_for_room),
	KUNIT_CASE(kmq_wait_becomes_visible),
	KUNIT_CASE(kmq_wait_mark_dropped),
	KUNIT_CASE(kmq_wait_cancelled),
	KUNIT_CASE(kmq_wait_signals),
	KUNIT_CASE(kmq_wait_signal_expires),
	KUNIT_CASE(kmq_wait_sleep),
	KUNIT_CASE(kmq_wait_race),
	{}
};

KMQ_SUITE(kmq_wait, kmq_wait_cases);
