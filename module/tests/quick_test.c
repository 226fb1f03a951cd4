// SPDX-License-Identifier: GPL-2.0
/*
 * Quick waiters: gets that wait for a message and take it as it is.
 *
 * The tests stand in for the calls layer: they make up the whole get when they
 * are asked to, and count how often that was.
 */
#include <linux/ktime.h>
#include <linux/sched.h>
#include "../notify.h"
#include "../search.h"
#include "../store.h"
#include "waiter.h"

struct kmq_quick_get {
	struct kmq_waiter waiter;
	struct kmq_quick quick;
	struct kmq_search want;
	struct kmq_fix_get get;
	struct kmq_handle *handle;
	u8 id[KMQ_ID_LEN];
	int made_up;
};

static struct kmq_take *kmq_quick_make_up(struct kmq_quick *quick)
{
	struct kmq_quick_get *g = container_of(quick, struct kmq_quick_get,
					       quick);

	g->made_up++;
	kmq_fix_get_init(&g->get, g->handle, true);
	g->get.take.want = g->want;
	return &g->get.take;
}

static struct kmq_quick_get *kmq_quick_gets(struct kunit *test, size_t count)
{
	struct kmq_quick_get *g = kunit_kcalloc(test, count, sizeof(*g),
						GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, g);
	return g;
}

/* With @id 0 it takes any message. */
static void kmq_quick_stand(struct kmq_quick_get *g, struct kmq_handle *handle,
			    u64 id)
{
	struct kmq_queue *queue = handle->queue;

	memset(g, 0, sizeof(*g));
	g->handle = handle;
	kmq_fix_id(g->id, id);
	if (id) {
		g->want.flags = KMQ_WANT_MSG_ID;
		g->want.msg_id = g->id;
	}
	g->quick.room = 100;
	g->quick.changes = kmq_qmgr_changes(queue->qmgr);
	g->quick.prepare = kmq_quick_make_up;
	g->waiter.want = &g->want;
	g->waiter.handle = handle;
	g->waiter.quick = &g->quick;
	g->waiter.task = current;
	mutex_lock(&queue->lock);
	kmq_waiter_add_locked(queue, &g->waiter, KMQ_WAIT_REMOVE);
	mutex_unlock(&queue->lock);
}

/* As a put does. Return: was there somebody to hand it to? */
static bool kmq_quick_pass(struct kmq_queue *queue, struct kmq_msg *msg)
{
	struct task_struct *task;

	mutex_lock(&queue->lock);
	task = kmq_waiters_pass_locked(queue, msg, msg->md.priority);
	mutex_unlock(&queue->lock);
	if (task)
		kmq_waiter_let_go(task);
	return task;
}

static bool kmq_quick_put(struct kunit *test, struct kmq_queue *queue,
			  const struct kmq_spec *spec)
{
	return kmq_quick_pass(queue, kmq_fix_msg(test, spec));
}

/* The number of the message it has, 0: none. It comes to its end or goes back. */
static u64 kmq_quick_finish(struct kmq_quick_get *g, bool ok)
{
	struct kmq_take take;
	u64 number;

	if (g->waiter.state != KMQ_WAIT_SERVED || !g->quick.msg)
		return 0;
	number = kmq_fix_number(g->quick.msg->md.msg_id);
	kmq_take_init(&take, g->handle);
	take.remove = true;
	take.plain = true;
	take.verdict = KMQ_ACCEPT;
	take.syncpoint = g->quick.part;
	take.uow = g->quick.part;
	take.msgs[0] = g->quick.msg;
	take.count = 1;
	kmq_take_finish(&take, ok);
	return number;
}

/* G-WAIT-5, G-WAIT-7: the first who came gets it; it was put and got. */
static void kmq_quick_passed(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_quick_get *g = kmq_quick_gets(test, 2);
	struct kmq_msg *msg;

	kmq_quick_stand(&g[0], handle, 0);
	kmq_quick_stand(&g[1], handle, 0);
	KUNIT_EXPECT_EQ(test, queue->waiters.quick, 2);
	msg = kmq_fix_msg(test, KMQ_SPEC(.id = 1, .length = 100));
	msg->put_time = 77;
	KUNIT_EXPECT_TRUE(test, kmq_quick_pass(queue, msg));
	KUNIT_EXPECT_EQ(test, g[0].waiter.state, KMQ_WAIT_SERVED);
	KUNIT_EXPECT_PTR_EQ(test, g[0].quick.msg, msg);
	KUNIT_EXPECT_EQ(test, msg->state, KMQ_MSG_TAKEN);
	KUNIT_EXPECT_PTR_EQ(test, msg->queue, queue);
	KUNIT_EXPECT_NE(test, msg->key, 0);
	KUNIT_EXPECT_EQ(test, g[1].waiter.state, KMQ_WAITING);
	KUNIT_EXPECT_EQ(test, queue->waiters.quick, 1);
	KUNIT_EXPECT_EQ(test, queue->waiters.count, 1);
	KUNIT_EXPECT_EQ(test, queue->store.count, 0);
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
	KUNIT_EXPECT_EQ(test, queue->bytes, 0);
	KUNIT_EXPECT_EQ(test, queue->total_puts, 1);
	KUNIT_EXPECT_EQ(test, queue->total_gets, 1);
	KUNIT_EXPECT_EQ(test, queue->last_put_time, 77);
	KUNIT_EXPECT_NE(test, queue->last_get_time, 0);
	KUNIT_EXPECT_EQ(test, kmq_quick_finish(&g[0], true), 1);
	msg = kmq_fix_msg(test, KMQ_SPEC(.id = 2));
	KUNIT_EXPECT_TRUE(test, kmq_quick_pass(queue, msg));
	KUNIT_EXPECT_EQ(test, kmq_quick_finish(&g[1], true), 2);
	KUNIT_EXPECT_EQ(test, g[0].made_up + g[1].made_up, 0);
	KUNIT_EXPECT_EQ(test, queue->waiters.total, 0);
	KUNIT_EXPECT_EQ(test, queue->waiters.quick, 0);
}

/* M-STO-2: one that did not reach its getter is where it was put. */
static void kmq_quick_restored(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_quick_get *g = kmq_quick_gets(test, 2);
	int i;

	kmq_quick_stand(&g[0], handle, 0);
	KUNIT_EXPECT_TRUE(test, kmq_quick_put(test, queue,
					      KMQ_SPEC(.id = 1, .length = 30)));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 2));
	KUNIT_EXPECT_EQ(test, kmq_quick_finish(&g[0], false), 1);
	KUNIT_EXPECT_EQ(test, queue->depth, 2);
	KUNIT_EXPECT_EQ(test, queue->depth_of[0], 2);
	KUNIT_EXPECT_EQ(test, queue->bytes, 30);
	KUNIT_EXPECT_EQ(test, queue->total_puts, 2);
	KUNIT_EXPECT_EQ(test, queue->total_gets, 0);
	for (i = 1; i <= 2; i++) {
		struct kmq_msg *msg = kmq_fix_remove(test, handle, true);

		KUNIT_EXPECT_EQ(test, kmq_fix_number(msg->md.msg_id), i);
	}

	/* G-WAIT-9: or goes to the next who waits. */
	kmq_quick_stand(&g[0], handle, 0);
	kmq_quick_stand(&g[1], handle, 0);
	KUNIT_EXPECT_TRUE(test, kmq_quick_put(test, queue,
					      KMQ_SPEC(.id = 3)));
	KUNIT_EXPECT_EQ(test, g[1].waiter.state, KMQ_WAITING);
	KUNIT_EXPECT_EQ(test, kmq_quick_finish(&g[0], false), 3);
	KUNIT_EXPECT_EQ(test, kmq_quick_finish(&g[1], true), 3);
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
}

/* U-BACK-1: handed over into a unit of work, and backed out. */
static void kmq_quick_in_uow(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_conn *conn = kmq_fix_of(test)->conns[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_quick_get *g = kmq_quick_gets(test, 1);

	kmq_quick_stand(g, handle, 0);
	mutex_lock(&conn->call);
	g->quick.part = kmq_uow_join(&conn->uow, queue);
	KUNIT_ASSERT_NOT_NULL(test, g->quick.part);
	KUNIT_EXPECT_TRUE(test, kmq_quick_put(test, queue,
					      KMQ_SPEC(.id = 1, .length = 40)));
	KUNIT_EXPECT_EQ(test, queue->uncommitted_gets, 1);
	KUNIT_EXPECT_EQ(test, queue->bytes, 40);
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
	list_add_tail(&g->quick.msg->link, &g->quick.part->gets);
	kmq_uow_backout(&conn->uow, false);
	mutex_unlock(&conn->call);
	KUNIT_EXPECT_EQ(test, queue->depth, 1);
	KUNIT_EXPECT_EQ(test, queue->uncommitted_gets, 0);
	KUNIT_EXPECT_EQ(test, queue->bytes, 40);
}

static void kmq_quick_expect_refused(struct kunit *test,
				     struct kmq_queue *queue,
				     const struct kmq_spec *spec)
{
	struct kmq_msg *msg = kmq_fix_msg(test, spec);
	u64 puts = queue->total_puts;

	KUNIT_EXPECT_FALSE(test, kmq_quick_pass(queue, msg));
	KUNIT_EXPECT_EQ(test, msg->state, KMQ_MSG_NEW);
	KUNIT_EXPECT_EQ(test, queue->total_puts, puts);
	KUNIT_EXPECT_EQ(test, queue->total_gets, 0);
	kmq_msg_free(msg);
}

/* G-WAIT-7, G-WAIT-10, G-SIG-6: others who have a say have it first. */
static void kmq_quick_others(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_quick_get *g = kmq_quick_gets(test, 2);
	struct kmq_waiter other = {
		.handle = handle, .task = current,
	};
	struct kmq_fix_get get;
	int set;

	kmq_quick_expect_refused(test, queue, KMQ_SPEC(.id = 1));
	kmq_quick_stand(&g[0], handle, 0);
	kmq_quick_stand(&g[1], handle, 1);
	KUNIT_EXPECT_EQ(test, queue->waiters.quick, 1);
	kmq_quick_expect_refused(test, queue, KMQ_SPEC(.id = 1));
	kmq_fix_leave(&g[1].waiter);
	for (set = KMQ_WAIT_REMOVE; set <= KMQ_WAIT_BROWSE; set++) {
		kmq_fix_get_init(&get, handle, set == KMQ_WAIT_REMOVE);
		other.want = &get.take.want;
		other.take = &get.take;
		mutex_lock(&queue->lock);
		kmq_waiter_add_locked(queue, &other, set);
		mutex_unlock(&queue->lock);
		kmq_quick_expect_refused(test, queue, KMQ_SPEC(.id = 1));
		mutex_lock(&queue->lock);
		kmq_waiter_del_locked(queue, &other);
		mutex_unlock(&queue->lock);
	}
	kmq_fix_leave(&g[0].waiter);
}

/* What has more to it than to be handed over. */
static void kmq_quick_unusual(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_quick_get *g = kmq_quick_gets(test, 1);
	u64 later = ktime_get_ns() + NSEC_PER_SEC;
	struct kmq_msg *msg;

	kmq_quick_stand(g, handle, 0);
	kmq_quick_expect_refused(test, queue, KMQ_SPEC(.length = 101));
	kmq_quick_expect_refused(test, queue, KMQ_SPEC(.deadline = later));
	kmq_quick_expect_refused(test, queue,
				 KMQ_SPEC(.group = 3,
					  .flags = MQMF_MSG_IN_GROUP));
	msg = kmq_fix_msg(test, KMQ_SPEC(.id = 1));
	msg->md.report = MQRO_COD;
	KUNIT_EXPECT_FALSE(test, kmq_quick_pass(queue, msg));
	msg->md.report = 0;
	queue->watch = KMQ_WATCH_DEPTH;
	KUNIT_EXPECT_FALSE(test, kmq_quick_pass(queue, msg));
	queue->watch = 0;
	kmq_qmgr_changed(queue->qmgr);
	KUNIT_EXPECT_FALSE(test, kmq_quick_pass(queue, msg));
	g->quick.changes = kmq_qmgr_changes(queue->qmgr);
	KUNIT_EXPECT_TRUE(test, kmq_quick_pass(queue, msg));
	KUNIT_EXPECT_EQ(test, kmq_quick_finish(g, true), 1);
}

/* G-WAIT-6: visible by other ways than a put like the last one. */
static void kmq_quick_offered(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_quick_get *g = kmq_quick_gets(test, 3);

	kmq_quick_stand(&g[0], handle, 0);
	kmq_quick_stand(&g[1], handle, 7);
	kmq_quick_stand(&g[2], handle, 0);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 7, .length = 10));
	KUNIT_EXPECT_EQ(test, kmq_quick_finish(&g[1], true), 7);
	KUNIT_EXPECT_EQ(test, g[0].waiter.state, KMQ_WAITING);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 8));
	KUNIT_EXPECT_EQ(test, kmq_quick_finish(&g[0], true), 8);
	KUNIT_EXPECT_EQ(test, g[2].waiter.state, KMQ_WAITING);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 9));
	KUNIT_EXPECT_EQ(test, kmq_quick_finish(&g[2], true), 9);
	KUNIT_EXPECT_EQ(test, g[0].made_up + g[1].made_up + g[2].made_up, 0);
	KUNIT_EXPECT_EQ(test, queue->total_gets, 3);
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
	KUNIT_EXPECT_EQ(test, queue->bytes, 0);
}

/* The whole get is made up for what needs it, and carried out. */
static void kmq_quick_made_up(struct kunit *test)
{
	static const struct kmq_spec specs[] = {
		{ .id = 1, .length = 101 },
		{ .id = 2, .deadline = KTIME_MAX },
		{ .id = 3, .group = 3, .flags = MQMF_MSG_IN_GROUP },
		{ .id = 4 },
	};
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_quick_get *g = kmq_quick_gets(test, 1);
	struct kmq_msg *msg;
	int i;

	for (i = 0; i < ARRAY_SIZE(specs); i++) {
		kmq_quick_stand(g, handle, 0);
		/* A plain one, but what was checked is not what it was. */
		if (i == ARRAY_SIZE(specs) - 1)
			kmq_qmgr_changed(queue->qmgr);
		kmq_fix_put(test, queue, &specs[i]);
		KUNIT_EXPECT_EQ(test, g->waiter.state, KMQ_WAIT_SERVED);
		KUNIT_EXPECT_EQ(test, g->made_up, 1);
		KUNIT_EXPECT_EQ(test, g->get.judged, 1);
		KUNIT_EXPECT_PTR_EQ(test, g->quick.msg, NULL);
		KUNIT_EXPECT_EQ(test, g->get.take.count, 1);
		msg = g->get.take.msgs[0];
		KUNIT_EXPECT_EQ(test, kmq_fix_number(msg->md.msg_id),
				specs[i].id);
		kmq_take_finish(&g->get.take, true);
		KUNIT_EXPECT_EQ(test, queue->depth, 0);
		KUNIT_EXPECT_EQ(test, queue->waiters.quick, 0);
	}
}

/* G-WAIT-11: it is found by who ends waits, a signal is not taken for it. */
static void kmq_quick_canceled(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_quick_get *g = kmq_quick_gets(test, 2);

	kmq_quick_stand(&g[0], handle, 0);
	kmq_quick_stand(&g[1], handle, 5);
	mutex_lock(&queue->lock);
	kmq_waiters_cancel_conn_locked(queue, handle->conn, KMQ_CANCEL_BROKEN);
	mutex_unlock(&queue->lock);
	KUNIT_EXPECT_EQ(test, g[0].waiter.state, KMQ_WAIT_CANCELED);
	KUNIT_EXPECT_EQ(test, g[1].waiter.state, KMQ_WAIT_CANCELED);
	KUNIT_EXPECT_EQ(test, g[0].waiter.cancel, KMQ_CANCEL_BROKEN);
	KUNIT_EXPECT_EQ(test, queue->waiters.total, 0);
	KUNIT_EXPECT_EQ(test, queue->waiters.quick, 0);
	kmq_quick_stand(&g[0], handle, 0);
	mutex_lock(&queue->lock);
	kmq_waiters_cancel_locked(queue, KMQ_CANCEL_QUIESCING);
	mutex_unlock(&queue->lock);
	KUNIT_EXPECT_EQ(test, g[0].waiter.state, KMQ_WAITING);
	kmq_fix_leave(&g[0].waiter);
}

static struct kunit_case kmq_quick_cases[] = {
	KUNIT_CASE(kmq_quick_passed),
	KUNIT_CASE(kmq_quick_restored),
	KUNIT_CASE(kmq_quick_in_uow),
	KUNIT_CASE(kmq_quick_others),
	KUNIT_CASE(kmq_quick_unusual),
	KUNIT_CASE(kmq_quick_offered),
	KUNIT_CASE(kmq_quick_made_up),
	KUNIT_CASE(kmq_quick_canceled),
	{}
};

KMQ_SUITE(kmq_quick, kmq_quick_cases);
