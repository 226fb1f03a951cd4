// SPDX-License-Identifier: GPL-2.0
/*
 * Windows: what becomes of a queue and a unit of work when a program has claimed
 * messages, whatever it has written into its word.
 */
#include "../run.h"
#include "../store.h"
#include "../window.h"
#include "fixture.h"

#define KMQ_WINDOW_MSGS	6

/* A queue with messages 1 to 6, all in a window. */
struct kmq_window_case {
	struct kmq_queue *queue;
	struct kmq_conn *conn;
	struct kmq_window *window;
	struct kmq_uow_queue *part;
	u64 word;
};

static u32 kmq_window_open(struct kmq_window_case *c, u32 changes)
{
	struct kmq_msg *msgs[KMQ_WINDOW_MSGS];
	struct kmq_msg *msg;
	u32 number, i = 0;

	mutex_lock(&c->conn->call);
	kmq_queue_lock(c->queue);
	for (msg = kmq_store_plain_first(&c->queue->store); msg;
	     msg = kmq_store_plain_next(msg))
		msgs[i++] = msg;
	number = kmq_window_open_locked(c->window, msgs, i, c->part, changes);
	mutex_unlock(&c->queue->lock);
	mutex_unlock(&c->conn->call);
	c->word = (u64)number << KMQ_WINDOW_NUMBER_SHIFT;
	return number;
}

static void kmq_window_begin(struct kunit *test, struct kmq_window_case *c,
			     bool syncpoint)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	int i;

	c->queue = fix->queues[0];
	c->conn = fix->conns[0];
	for (i = 0; i < KMQ_WINDOW_MSGS; i++)
		kmq_fix_put(test, c->queue, KMQ_SPEC(.id = i + 1, .length = 9,
						     .priority = 4));
	mutex_lock(&c->conn->call);
	KUNIT_ASSERT_EQ(test, kmq_window_create(handle), 0);
	KUNIT_ASSERT_EQ(test, kmq_window_create(handle), 0);
	c->part = syncpoint ? kmq_uow_join(&c->conn->uow, c->queue) : NULL;
	mutex_unlock(&c->conn->call);
	c->window = handle->window;
	KUNIT_ASSERT_NE(test, kmq_window_open(c, kmq_qmgr_changes(fix->qmgr)),
			0);
}

static void kmq_window_say(struct kmq_window_case *c, u64 word)
{
	atomic64_set(c->window->word, word);
}

static u32 kmq_window_depth(struct kmq_window_case *c, bool beside)
{
	u32 depth;

	if (beside)
		kmq_queue_lock_beside(c->queue);
	else
		kmq_queue_lock(c->queue);
	depth = c->queue->depth;
	mutex_unlock(&c->queue->lock);
	return depth;
}

static bool kmq_window_is_open(const struct kmq_window_case *c)
{
	return c->queue->window &&
	       !(atomic64_read(c->window->word) & KMQ_WINDOW_REVOKED);
}

static void kmq_window_collect(struct kmq_window_case *c)
{
	mutex_lock(&c->conn->call);
	kmq_windows_collect(&c->conn->uow);
	mutex_unlock(&c->conn->call);
}

/* What has been claimed is off the queue, whoever locks it; the rest is there. */
static void kmq_window_settles(struct kunit *test)
{
	struct kmq_window_case c;

	kmq_window_begin(test, &c, false);
	KUNIT_EXPECT_EQ(test, kmq_window_depth(&c, true), 6);
	kmq_window_say(&c, c.word + 2);
	KUNIT_EXPECT_EQ(test, kmq_window_depth(&c, true), 4);
	KUNIT_EXPECT_EQ(test, c.queue->total_gets, 2);
	KUNIT_EXPECT_EQ(test, c.queue->bytes, 4 * 9);
	KUNIT_EXPECT_TRUE(test, kmq_window_is_open(&c));
	kmq_window_say(&c, c.word + 3);
	KUNIT_EXPECT_EQ(test, kmq_window_depth(&c, false), 3);
	KUNIT_EXPECT_FALSE(test, kmq_window_is_open(&c));
	/* too late */
	kmq_window_say(&c, c.word + 5);
	KUNIT_EXPECT_EQ(test, kmq_window_depth(&c, true), 3);
	KUNIT_EXPECT_EQ(test, kmq_window_depth(&c, false), 3);
	KUNIT_EXPECT_EQ(test, c.queue->total_gets, 3);
}

/* Words that no program should write. */
static void kmq_window_clamps(struct kunit *test)
{
	struct kmq_window_case c;

	kmq_window_begin(test, &c, false);
	kmq_window_say(&c, c.word + 2);
	KUNIT_EXPECT_EQ(test, kmq_window_depth(&c, true), 4);
	kmq_window_say(&c, c.word + 1);
	KUNIT_EXPECT_EQ(test, kmq_window_depth(&c, true), 4);
	kmq_window_say(&c, c.word + BIT_ULL(KMQ_WINDOW_NUMBER_SHIFT) + 6);
	KUNIT_EXPECT_EQ(test, kmq_window_depth(&c, true), 4);
	kmq_window_say(&c, 0);
	KUNIT_EXPECT_EQ(test, kmq_window_depth(&c, true), 4);
	kmq_window_say(&c, c.word | KMQ_WINDOW_CLAIMED);
	KUNIT_EXPECT_EQ(test, kmq_window_depth(&c, false), 0);
	KUNIT_EXPECT_EQ(test, c.queue->bytes, 0);
	KUNIT_EXPECT_EQ(test, c.queue->total_gets, 6);
}

/* A message in front of the end, and one that makes the queue full. */
static void kmq_window_minds(struct kunit *test)
{
	struct kmq_window_case c;

	kmq_window_begin(test, &c, false);
	kmq_fix_put(test, c.queue, KMQ_SPEC(.id = 7, .priority = 4));
	kmq_fix_put(test, c.queue, KMQ_SPEC(.id = 8, .priority = 3));
	KUNIT_EXPECT_TRUE(test, kmq_window_is_open(&c));
	kmq_window_say(&c, c.word + 1);
	kmq_fix_put(test, c.queue, KMQ_SPEC(.id = 9, .priority = 5));
	KUNIT_EXPECT_FALSE(test, kmq_window_is_open(&c));
	KUNIT_EXPECT_EQ(test, c.queue->depth, 8);
}

static void kmq_window_minds_depth(struct kunit *test)
{
	struct kmq_window_case c;

	kmq_window_begin(test, &c, false);
	c.queue->attrs.max_q_depth = 8;
	kmq_fix_put(test, c.queue, KMQ_SPEC(.id = 7, .priority = 4));
	KUNIT_EXPECT_TRUE(test, kmq_window_is_open(&c));
	kmq_fix_put(test, c.queue, KMQ_SPEC(.id = 8, .priority = 4));
	KUNIT_EXPECT_FALSE(test, kmq_window_is_open(&c));
}

/*
 * A change that is noticed while it is opened. Those who are not concerned keep
 * theirs: a change does not look for windows.
 */
static void kmq_window_changes(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_window_case c;
	u32 changes = kmq_qmgr_changes(fix->qmgr);

	kmq_window_begin(test, &c, false);
	kmq_qmgr_changed(fix->qmgr);
	kmq_queue_lock(fix->queues[1]);
	mutex_unlock(&fix->queues[1]->lock);
	KUNIT_EXPECT_TRUE(test, kmq_window_is_open(&c));
	kmq_queue_lock(c.queue);
	mutex_unlock(&c.queue->lock);
	KUNIT_EXPECT_FALSE(test, kmq_window_is_open(&c));
	KUNIT_EXPECT_EQ(test, kmq_window_open(&c, changes), 0);
	KUNIT_EXPECT_PTR_EQ(test, c.queue->window, NULL);
	KUNIT_EXPECT_NE(test,
			kmq_window_open(&c, kmq_qmgr_changes(fix->qmgr)), 0);
	KUNIT_EXPECT_TRUE(test, kmq_window_is_open(&c));
}

/* G-WAIT-11: whatever may end a wait. */
static void kmq_window_states(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_conn *other = fix->conns[1];
	struct kmq_window_case c;

	kmq_window_begin(test, &c, false);
	kmq_queue_get(c.queue);
	down_write(&fix->qmgr->names);
	KUNIT_EXPECT_EQ(test, kmq_qmgr_add_locked(fix->qmgr, c.queue), 0);
	up_write(&fix->qmgr->names);
	KUNIT_EXPECT_NE(test,
			kmq_window_open(&c, kmq_qmgr_changes(fix->qmgr)), 0);
	kmq_qmgr_set_state(fix->qmgr, KMQ_QMGR_QUIESCING);
	KUNIT_EXPECT_FALSE(test, kmq_window_is_open(&c));
	KUNIT_EXPECT_NE(test,
			kmq_window_open(&c, kmq_qmgr_changes(fix->qmgr)), 0);
	kmq_qmgr_set_state(fix->qmgr, KMQ_QMGR_RUNNING);
	KUNIT_EXPECT_TRUE(test, kmq_window_is_open(&c));
	mutex_lock(&other->call);
	KUNIT_ASSERT_EQ(test, kmq_conn_establish(other), 0);
	mutex_unlock(&other->call);
	KUNIT_EXPECT_TRUE(test, kmq_conn_set_quiescing(fix->qmgr, other->id,
						       true));
	KUNIT_EXPECT_FALSE(test, kmq_window_is_open(&c));
	down_write(&fix->qmgr->names);
	kmq_qmgr_del_locked(fix->qmgr, c.queue);
	up_write(&fix->qmgr->names);
	kmq_queue_put(c.queue);
}

/* U-CMIT-2: only what was claimed, and the window goes on. */
static void kmq_window_commit(struct kunit *test)
{
	struct kmq_window_case c;

	kmq_window_begin(test, &c, true);
	KUNIT_EXPECT_EQ(test, c.conn->uow.promised, 6);
	kmq_window_say(&c, c.word + 2);
	KUNIT_EXPECT_EQ(test, kmq_windows_claimed(c.conn), 2);
	KUNIT_EXPECT_EQ(test, kmq_window_depth(&c, true), 4);
	KUNIT_EXPECT_EQ(test, kmq_windows_claimed(c.conn), 2);
	KUNIT_EXPECT_FALSE(test, c.conn->uow.open);
	KUNIT_EXPECT_EQ(test, c.queue->uncommitted_gets, 2);
	kmq_window_collect(&c);
	KUNIT_EXPECT_EQ(test, kmq_windows_claimed(c.conn), 0);
	KUNIT_EXPECT_TRUE(test, c.conn->uow.open);
	KUNIT_EXPECT_EQ(test, c.conn->uow.count, 2);
	kmq_window_say(&c, c.word + 3);
	mutex_lock(&c.conn->call);
	kmq_uow_commit(&c.conn->uow);
	mutex_unlock(&c.conn->call);
	KUNIT_EXPECT_EQ(test, c.queue->uncommitted_gets, 0);
	KUNIT_EXPECT_EQ(test, c.queue->bytes, 3 * 9);
	KUNIT_EXPECT_TRUE(test, kmq_window_is_open(&c));
	kmq_window_say(&c, c.word + 4);
	KUNIT_EXPECT_EQ(test, kmq_window_depth(&c, false), 2);
	kmq_window_collect(&c);
	KUNIT_EXPECT_EQ(test, c.conn->uow.promised, 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&c.conn->uow.windows));
	KUNIT_EXPECT_EQ(test, c.conn->uow.count, 1);
}

/* U-BACK-2, U-BOC-1: back in their places, those that were claimed counted. */
static void kmq_window_backout(struct kunit *test)
{
	struct kmq_window_case c;
	struct kmq_msg *msg;
	s32 count[6];
	int i = 0;

	kmq_window_begin(test, &c, true);
	kmq_window_say(&c, c.word + 2);
	mutex_lock(&c.conn->call);
	kmq_uow_backout(&c.conn->uow, false);
	mutex_unlock(&c.conn->call);
	KUNIT_EXPECT_FALSE(test, kmq_window_is_open(&c));
	KUNIT_EXPECT_EQ(test, c.conn->uow.promised, 0);
	KUNIT_EXPECT_EQ(test, kmq_windows_claimed(c.conn), 0);
	KUNIT_ASSERT_EQ(test, kmq_window_depth(&c, true), 6);
	for (msg = kmq_store_plain_first(&c.queue->store); msg && i < 6;
	     msg = kmq_store_plain_next(msg)) {
		KUNIT_EXPECT_EQ(test, kmq_fix_number(msg->md.msg_id), i + 1);
		count[i++] = msg->backout_count;
	}
	KUNIT_ASSERT_EQ(test, i, 6);
	KUNIT_EXPECT_EQ(test, count[0], 1);
	KUNIT_EXPECT_EQ(test, count[1], 1);
	KUNIT_EXPECT_EQ(test, count[2], 0);
}

/* U-LIM-1 */
static void kmq_window_withdraw(struct kunit *test)
{
	struct kmq_window_case c;

	kmq_window_begin(test, &c, true);
	kmq_window_say(&c, c.word + 1);
	mutex_lock(&c.conn->call);
	kmq_windows_withdraw(&c.conn->uow);
	mutex_unlock(&c.conn->call);
	KUNIT_EXPECT_FALSE(test, kmq_window_is_open(&c));
	KUNIT_EXPECT_EQ(test, c.conn->uow.count, 1);
	KUNIT_EXPECT_EQ(test, c.conn->uow.promised, 0);
	KUNIT_EXPECT_EQ(test, c.queue->depth, 5);
}

static struct kunit_case kmq_window_cases[] = {
	KUNIT_CASE(kmq_window_settles),
	KUNIT_CASE(kmq_window_clamps),
	KUNIT_CASE(kmq_window_minds),
	KUNIT_CASE(kmq_window_minds_depth),
	KUNIT_CASE(kmq_window_changes),
	KUNIT_CASE(kmq_window_states),
	KUNIT_CASE(kmq_window_commit),
	KUNIT_CASE(kmq_window_backout),
	KUNIT_CASE(kmq_window_withdraw),
	{}
};

KMQ_SUITE(kmq_window, kmq_window_cases);
