// SPDX-License-Identifier: GPL-2.0
/*
 * Ends of files, processes and queue managers while a call of the connection is
 * under way, see DOC: What nobody waits for in conn.h.
 */
#include <linux/completion.h>
#include <linux/kthread.h>
#include "fixture.h"

/* The handle opened last is another's from now on. */
static void kmq_drop_last(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);

	kmq_conn_drop_handle(fix->handles[--fix->handle_count]);
}

static void kmq_lock_first(struct kunit *test, struct kmq_handle *handle)
{
	struct kmq_fix_get get;

	kmq_fix_get_init(&get, handle, false);
	get.take.lock = true;
	KUNIT_ASSERT_EQ(test, kmq_fix_try(&get), KMQ_TAKE_DONE);
	kmq_take_finish(&get.take, true);
}

/* What a handle has at its queue goes at once, what the call guards when it ends. */
static void kmq_conn_drop_in_call(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_conn *conn = fix->conns[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	kmq_lock_first(test, handle);
	KUNIT_EXPECT_EQ(test, queue->store.count, 0);
	KUNIT_ASSERT_TRUE(test, kmq_conn_enter(conn));
	KUNIT_EXPECT_FALSE(test, kmq_conn_enter(conn));
	kmq_drop_last(test);
	KUNIT_EXPECT_EQ(test, queue->store.count, 1);
	KUNIT_EXPECT_EQ(test, queue->locked, 0);
	KUNIT_EXPECT_EQ(test, queue->open_input, 0);
	KUNIT_EXPECT_TRUE(test, kmq_tree_empty(&queue->handles));
	KUNIT_EXPECT_EQ(test, conn->handle_count, 1);
	kmq_conn_leave(conn);
	KUNIT_EXPECT_EQ(test, conn->handle_count, 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&conn->handles));
}

/* If nobody is there, all of it happens at once. */
static void kmq_conn_drop_idle(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);

	kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	KUNIT_EXPECT_EQ(test, fix->conns[0]->handle_count, 1);
	kmq_drop_last(test);
	KUNIT_EXPECT_EQ(test, fix->conns[0]->handle_count, 0);
	KUNIT_EXPECT_EQ(test, fix->queues[0]->open_input, 0);
}

/* U-GRP-5: a handle that is gone has nothing to restore when the unit ends. */
static void kmq_conn_drop_in_unit(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_conn *conn = fix->conns[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	kmq_fix_remove(test, handle, true);
	KUNIT_EXPECT_FALSE(test, list_empty(&conn->uow.handles));
	KUNIT_ASSERT_TRUE(test, kmq_conn_enter(conn));
	kmq_drop_last(test);
	kmq_conn_leave(conn);
	KUNIT_EXPECT_TRUE(test, list_empty(&conn->uow.handles));
	KUNIT_EXPECT_EQ(test, queue->uncommitted_gets, 1);
	KUNIT_ASSERT_TRUE(test, kmq_conn_enter(conn));
	kmq_uow_backout(&conn->uow, false);
	kmq_conn_leave(conn);
	KUNIT_EXPECT_EQ(test, queue->store.count, 1);
}

static struct {
	int calls;
	u32 uncommitted;
	u32 handles;
} kmq_seen;

static void kmq_see_close(struct kmq_handle *handle)
{
	kmq_seen.calls++;
	kmq_seen.uncommitted = handle->queue->uncommitted_gets;
}

static void kmq_see_gone(struct kmq_conn *conn)
{
	kmq_seen.calls++;
	kmq_seen.handles = conn->handle_count;
	kmq_seen.uncommitted = conn->uow.count;
}

/* U-END-6, whoever does it: the unit first, also if the handle's file goes first. */
static void kmq_conn_break_in_call(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_conn *conn = fix->conns[0];
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);

	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	kmq_fix_remove(test, handle, true);
	handle->on_close = kmq_see_close;
	memset(&kmq_seen, 0, sizeof(kmq_seen));
	KUNIT_ASSERT_TRUE(test, kmq_conn_enter(conn));
	kmq_conn_break(conn);
	KUNIT_EXPECT_TRUE(test, kmq_conn_is_broken(conn));
	kmq_drop_last(test);
	KUNIT_EXPECT_EQ(test, queue->uncommitted_gets, 1);
	KUNIT_EXPECT_EQ(test, kmq_seen.calls, 0);
	kmq_conn_leave(conn);
	KUNIT_EXPECT_EQ(test, kmq_seen.calls, 1);
	KUNIT_EXPECT_EQ(test, kmq_seen.uncommitted, 0);
	KUNIT_EXPECT_EQ(test, queue->store.count, 1);
	KUNIT_EXPECT_EQ(test, queue->open_input, 0);
	KUNIT_EXPECT_EQ(test, conn->handle_count, 0);
}

/* A queue manager is in use until the connection has ended. */
static void kmq_conn_gone_in_call(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_conn *conn = fix->conns[0];

	kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	kmq_fix_put_uow(test, conn, fix->queues[0], KMQ_SPEC(.id = 1));
	conn->on_gone = kmq_see_gone;
	memset(&kmq_seen, 0, sizeof(kmq_seen));
	KUNIT_ASSERT_TRUE(test, kmq_conn_enter(conn));
	kmq_conn_file_gone(conn);
	KUNIT_EXPECT_EQ(test, kmq_seen.calls, 0);
	kmq_conn_leave(conn);
	KUNIT_EXPECT_EQ(test, kmq_seen.calls, 1);
	KUNIT_EXPECT_EQ(test, kmq_seen.handles, 0);
	KUNIT_EXPECT_EQ(test, kmq_seen.uncommitted, 0);
	kmq_conn_break(conn);
	KUNIT_EXPECT_EQ(test, kmq_seen.calls, 1);
}

/* U-CMIT-4: what a call adds while the queue manager stops is backed out with it. */
static void kmq_conn_doom_in_call(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_conn *conn = fix->conns[0];

	KUNIT_ASSERT_TRUE(test, kmq_conn_enter(conn));
	KUNIT_ASSERT_EQ(test, kmq_conn_establish(conn), 0);
	kmq_conn_leave(conn);
	KUNIT_ASSERT_TRUE(test, kmq_conn_enter(conn));
	kmq_conns_doom(fix->qmgr);
	KUNIT_EXPECT_FALSE(test, conn->uow.doomed);
	kmq_uow_open(&conn->uow);
	kmq_conn_leave(conn);
	KUNIT_EXPECT_TRUE(test, conn->uow.doomed);
	/* Once. */
	KUNIT_ASSERT_TRUE(test, kmq_conn_enter(conn));
	kmq_uow_backout(&conn->uow, false);
	kmq_uow_open(&conn->uow);
	kmq_conn_leave(conn);
	KUNIT_EXPECT_FALSE(test, conn->uow.doomed);
}

#define KMQ_ROUNDS	2000

struct kmq_caller {
	struct kmq_conn *conn;
	struct completion done;
};

static int kmq_call_often(void *arg)
{
	struct kmq_caller *caller = arg;
	int i;

	for (i = 0; i < 10 * KMQ_ROUNDS; i++) {
		if (kmq_conn_enter(caller->conn))
			kmq_conn_leave(caller->conn);
		if (!(i % 64))
			cond_resched();
	}
	complete(&caller->done);
	return 0;
}

/* One of the two always sees what is due, wherever they meet. */
static void kmq_conn_drop_and_call(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_caller caller = { .conn = fix->conns[0] };
	struct task_struct *task;
	int i;

	init_completion(&caller.done);
	task = kthread_run(kmq_call_often, &caller, "kmq-caller");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	for (i = 0; i < KMQ_ROUNDS; i++) {
		while (!kmq_conn_enter(caller.conn))
			cpu_relax();
		kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
		kmq_conn_leave(caller.conn);
		kmq_drop_last(test);
		if (!(i % 64))
			cond_resched();
	}
	wait_for_completion(&caller.done);
	/* Nobody is left who could still do it. */
	KUNIT_EXPECT_EQ(test, atomic_read(&caller.conn->due), 0);
	KUNIT_EXPECT_TRUE(test, llist_empty(&caller.conn->dropped));
	KUNIT_EXPECT_EQ(test, caller.conn->handle_count, 0);
	KUNIT_EXPECT_EQ(test, fix->queues[0]->open_input, 0);
}

static struct kunit_case kmq_conn_cases[] = {
	KUNIT_CASE(kmq_conn_drop_in_call),
	KUNIT_CASE(kmq_conn_drop_idle),
	KUNIT_CASE(kmq_conn_drop_in_unit),
	KUNIT_CASE(kmq_conn_break_in_call),
	KUNIT_CASE(kmq_conn_gone_in_call),
	KUNIT_CASE(kmq_conn_doom_in_call),
	KUNIT_CASE(kmq_conn_drop_and_call),
	{}
};

KMQ_SUITE(kmq_conn, kmq_conn_cases);
