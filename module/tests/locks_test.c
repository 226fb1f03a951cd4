// SPDX-License-Identifier: GPL-2.0
/*
 * Nobody waits for the lock of a queue with something that others need: see DOC:
 * Locks in queue.h. That the layers above keep to it too is seen to by
 * kmq_queue_lock(), on kernels that know which locks are held.
 */
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include "../watch.h"
#include "fixture.h"

/**
 * struct kmq_locker - somebody who wants to do something with queues
 * @fix: what there is
 * @queue: a queue of it
 * @run: what he wants to do
 * @done: he has done it
 */
struct kmq_locker {
	struct kmq_fix *fix;
	struct kmq_queue *queue;
	void (*run)(struct kmq_locker *locker);
	struct completion done;
};

static int kmq_locker_thread(void *arg)
{
	struct kmq_locker *locker = arg;

	locker->run(locker);
	complete(&locker->done);
	return 0;
}

static void kmq_locker_start(struct kunit *test, struct kmq_locker *locker,
			     int queue,
			     void (*run)(struct kmq_locker *locker))
{
	struct task_struct *task;

	locker->fix = kmq_fix_of(test);
	locker->queue = locker->fix->queues[queue];
	locker->run = run;
	init_completion(&locker->done);
	task = kthread_run(kmq_locker_thread, locker, "kmq-locker");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
}

static void kmq_lock_both(struct kmq_locker *locker)
{
	kmq_queue_lock_named(locker->queue);
	kmq_queue_unlock_named(locker->queue);
}

static void kmq_lock_watch(struct kmq_locker *locker)
{
	kmq_qmgr_watch(locker->fix->qmgr);
}

static void kmq_lock_quiesce(struct kmq_locker *locker)
{
	kmq_qmgr_set_state(locker->fix->qmgr, KMQ_QMGR_QUIESCING);
}

static void kmq_lock_stop(struct kmq_locker *locker)
{
	kmq_qmgr_set_state(locker->fix->qmgr, KMQ_QMGR_STOPPING);
}

/* Whatever needs the names, or another queue. */
static void kmq_lock_another(struct kmq_locker *locker)
{
	struct kmq_queue *queue;

	queue = kmq_qmgr_find(locker->fix->qmgr, locker->queue->name);
	kmq_queue_lock(queue);
	mutex_unlock(&queue->lock);
	kmq_queue_lock_named(queue);
	kmq_watch_update_locked(queue);
	kmq_queue_unlock_named(queue);
	kmq_queue_put(queue);
}

/* All queues are known by their names. */
static void kmq_locks_begin(struct kmq_fix *fix)
{
	int i;

	down_write(&fix->qmgr->names);
	for (i = 0; i < KMQ_FIX_QUEUES; i++)
		kmq_qmgr_add_locked(fix->qmgr, kmq_queue_get(fix->queues[i]));
	up_write(&fix->qmgr->names);
}

static void kmq_locks_forget(struct kmq_fix *fix, int queue)
{
	down_write(&fix->qmgr->names);
	kmq_qmgr_del_locked(fix->qmgr, fix->queues[queue]);
	up_write(&fix->qmgr->names);
	kmq_queue_put(fix->queues[queue]);
}

static void kmq_locks_end(struct kmq_fix *fix)
{
	int i;

	for (i = 0; i < KMQ_FIX_QUEUES; i++)
		kmq_locks_forget(fix, i);
}

static void kmq_until_queue_is_awaited(struct kmq_queue *queue)
{
	while (list_empty_careful(&queue->lock.wait_list))
		schedule_timeout_uninterruptible(1);
}

static void kmq_until_names_are_awaited(struct kmq_qmgr *qmgr)
{
	while (!rwsem_is_contended(&qmgr->names))
		schedule_timeout_uninterruptible(1);
}

static const struct kmq_lock_case {
	const char *name;
	void (*run)(struct kmq_locker *locker);
} kmq_lock_cases[] = {
	{ "both locks", kmq_lock_both },
	{ "events switched on", kmq_lock_watch },
	{ "quiesce", kmq_lock_quiesce },
	{ "stop", kmq_lock_stop },
};

static void kmq_lock_describe(const struct kmq_lock_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kmq_locks, kmq_lock_cases, kmq_lock_describe);

/*
 * While somebody waits for a queue that is busy, the names are free, and another
 * queue can be found, locked and changed.
 */
static void kmq_locks_busy_queue(struct kunit *test)
{
	const struct kmq_lock_case *c = test->param_value;
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_locker waits, another;
	bool free;

	kmq_locks_begin(fix);
	mutex_lock(&fix->queues[0]->lock);
	kmq_locker_start(test, &waits, 0, c->run);
	kmq_until_queue_is_awaited(fix->queues[0]);
	free = down_write_trylock(&fix->qmgr->names);
	KUNIT_EXPECT_TRUE(test, free);
	if (free) {
		up_write(&fix->qmgr->names);
		kmq_locker_start(test, &another, 1, kmq_lock_another);
		wait_for_completion(&another.done);
		KUNIT_EXPECT_FALSE(test, completion_done(&waits.done));
	}
	mutex_unlock(&fix->queues[0]->lock);
	wait_for_completion(&waits.done);
	kmq_locks_end(fix);
}

/* Who wants both has neither while he waits for the other one. */
static void kmq_locks_busy_names(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_locker waits;

	kmq_locks_begin(fix);
	mutex_lock(&queue->lock);
	kmq_locker_start(test, &waits, 0, kmq_lock_both);
	kmq_until_queue_is_awaited(queue);
	KUNIT_ASSERT_TRUE(test, down_read_trylock(&fix->qmgr->names));
	/* He gets the queue, but now not the names. */
	mutex_unlock(&queue->lock);
	kmq_until_names_are_awaited(fix->qmgr);
	KUNIT_ASSERT_TRUE(test, mutex_trylock(&queue->lock));
	/* And the other way round. */
	up_read(&fix->qmgr->names);
	kmq_until_queue_is_awaited(queue);
	KUNIT_ASSERT_TRUE(test, down_write_trylock(&fix->qmgr->names));
	up_write(&fix->qmgr->names);
	KUNIT_EXPECT_FALSE(test, completion_done(&waits.done));
	mutex_unlock(&queue->lock);
	wait_for_completion(&waits.done);
	kmq_locks_end(fix);
}

static void kmq_locks_set_trigger(struct kmq_queue *queue, s32 control,
				  const char *initiation_q)
{
	struct kmq_queue_attrs attrs = queue->attrs;

	attrs.trigger_control = control;
	attrs.trigger_type = MQTT_FIRST;
	memset(attrs.initiation_q_name, ' ', KMQ_NAME_LEN);
	memcpy(attrs.initiation_q_name, initiation_q, strlen(initiation_q));
	kmq_queue_lock_named(queue);
	kmq_watch_change_locked(queue, &attrs);
	kmq_queue_unlock_named(queue);
}

/*
 * O-TRIG-4: who goes over the queues that an initiation queue serves meets each
 * that it serves all the time once, whatever happens to the others meanwhile.
 */
static void kmq_locks_triggered(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue;
	u8 name[KMQ_NAME_LEN];

	memset(name, ' ', sizeof(name));
	name[0] = 'I';
	kmq_locks_begin(fix);
	KUNIT_EXPECT_NULL(test, kmq_triggered_following(fix->qmgr, name, NULL));
	kmq_locks_set_trigger(fix->queues[2], 1, "I");
	kmq_locks_set_trigger(fix->queues[0], 1, "I");
	kmq_locks_set_trigger(fix->queues[1], 1, "J");
	queue = kmq_triggered_following(fix->qmgr, name, NULL);
	KUNIT_EXPECT_PTR_EQ(test, queue, fix->queues[0]);
	/* It goes, one that follows comes, and is set anew. */
	kmq_locks_set_trigger(fix->queues[0], 0, "I");
	kmq_locks_set_trigger(fix->queues[1], 1, "I");
	kmq_locks_set_trigger(fix->queues[1], 1, "I");
	queue = kmq_triggered_following(fix->qmgr, name, queue);
	KUNIT_EXPECT_PTR_EQ(test, queue, fix->queues[1]);
	kmq_locks_set_trigger(fix->queues[0], 1, "I");
	queue = kmq_triggered_following(fix->qmgr, name, queue);
	KUNIT_EXPECT_PTR_EQ(test, queue, fix->queues[2]);
	KUNIT_EXPECT_NULL(test, kmq_triggered_following(fix->qmgr, name,
							queue));
	kmq_locks_end(fix);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&fix->qmgr->triggered));
}

static struct kunit_case kmq_locks_cases[] = {
	KUNIT_CASE_PARAM(kmq_locks_busy_queue, kmq_locks_gen_params),
	KUNIT_CASE(kmq_locks_busy_names),
	KUNIT_CASE(kmq_locks_triggered),
	{}
};

KMQ_SUITE(kmq_locks, kmq_locks_cases);
