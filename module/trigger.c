// SPDX-License-Identifier: GPL-2.0
/*
 * Trigger messages (objects.md section 11).
 *
 * That one is due is found out by the application queue, under its lock
 * (watch.c). Here follows what lies elsewhere - process, initiation queue - and
 * the message itself, with no lock of the application queue held: two queues are
 * never locked together.
 *
 * No trigger is lost between the two. A put places its message, then looks
 * whether the initiation queue is open for input; whoever opens the initiation
 * queue counts itself there, then looks at the application queue. Both are under
 * the locks of the queues: one of the two sees the other.
 */
#include <linux/err.h>
#include <linux/string.h>
#include "mqi.h"
#include "object.h"
#include "post.h"
#include "qmgr.h"
#include "queue.h"
#include "trigger.h"
#include "uow.h"

#define KMQ_TM_LENGTH	684

/* MQTM (O-TRIG-12) */
struct kmq_tm {
	u8 struc_id[4];
	s32 version;
	u8 q_name[KMQ_NAME_LEN];
	u8 process_name[KMQ_NAME_LEN];
	u8 trigger_data[64];
	s32 appl_type;
	u8 appl_id[256];
	u8 env_data[128];
	u8 user_data[128];
};

/**
 * struct kmq_trigger_spec - what the application queue says about its trigger
 * @initiation_q: InitiationQName
 * @process: ProcessName
 * @data: TriggerData
 * @transmission: it is a transmission queue
 */
struct kmq_trigger_spec {
	u8 initiation_q[KMQ_NAME_LEN];
	u8 process[KMQ_NAME_LEN];
	u8 data[64];
	bool transmission;
};

static void kmq_trigger_read_spec(struct kmq_queue *queue,
				  struct kmq_trigger_spec *spec)
{
	const struct kmq_queue_attrs *attrs = &queue->attrs;

	kmq_queue_lock(queue);
	memcpy(spec->initiation_q, attrs->initiation_q_name, KMQ_NAME_LEN);
	memcpy(spec->process, attrs->process_name, KMQ_NAME_LEN);
	memcpy(spec->data, attrs->trigger_data, sizeof(spec->data));
	spec->transmission = attrs->usage == MQUS_TRANSMISSION;
	mutex_unlock(&queue->lock);
}

/* O-TRIG-1, conditions 5 and 6. */
static bool kmq_trigger_can_initiate(struct kmq_qmgr *qmgr, const u8 *name)
{
	struct kmq_queue *queue = kmq_qmgr_find(qmgr, name);
	const struct kmq_queue_attrs *attrs;
	bool can;

	if (!queue)
		return false;
	attrs = &queue->attrs;
	kmq_queue_lock(queue);
	can = queue->type == MQQT_LOCAL && !queue->deleted &&
	      attrs->usage == MQUS_NORMAL && !attrs->inhibit_put &&
	      !attrs->inhibit_get && queue->open_input;
	mutex_unlock(&queue->lock);
	kmq_queue_put(queue);
	return can;
}

static void kmq_trigger_fill_process(struct kmq_tm *tm,
				     const struct kmq_process_attrs *process)
{
	tm->appl_type = process->appl_type;
	memcpy(tm->appl_id, process->appl_id, sizeof(tm->appl_id));
	memcpy(tm->env_data, process->env_data, sizeof(tm->env_data));
	memcpy(tm->user_data, process->user_data, sizeof(tm->user_data));
}

/* Condition 4, and what the process says. */
static bool kmq_trigger_find_process(struct kmq_qmgr *qmgr,
				     const struct kmq_trigger_spec *spec,
				     struct kmq_tm *tm)
{
	const struct kmq_object *process;

	if (spec->process[0] == ' ')
		return spec->transmission && spec->data[0] != ' ';
	down_read(&qmgr->names);
	process = kmq_object_find_locked(qmgr, MQOT_PROCESS, spec->process);
	if (process)
		kmq_trigger_fill_process(tm, &process->attrs.process);
	up_read(&qmgr->names);
	return process;
}

static void kmq_trigger_fill(struct kmq_tm *tm, const struct kmq_queue *queue,
			     const struct kmq_trigger_spec *spec)
{
	memset(tm, ' ', sizeof(*tm));
	memcpy(tm->struc_id, "TM  ", sizeof(tm->struc_id));
	tm->version = 1;
	memcpy(tm->q_name, queue->name, KMQ_NAME_LEN);
	memcpy(tm->process_name, spec->process, KMQ_NAME_LEN);
	memcpy(tm->trigger_data, spec->data, sizeof(tm->trigger_data));
	tm->appl_type = 0;
}

/* Put it, or bury it (O-TRIG-8). Return: 0 or why it is gone. */
static u32 kmq_trigger_post(struct kmq_qmgr *qmgr,
			    const struct kmq_trigger_spec *spec,
			    struct kmq_msg *msg, struct kmq_unit *made)
{
	struct kmq_post_to to = {
		.q = spec->initiation_q, .qmgr = qmgr->name, .quiet = true,
	};
	u32 reason = kmq_post(qmgr, &to, msg, made);

	if (!reason)
		return MQRC_NONE;
	reason = kmq_post_bury(qmgr, &to, msg, reason, made);
	kmq_msg_free(msg);
	return reason;
}

/* There is no memory for a trigger message now: a later put makes it. */
static void kmq_trigger_owe(struct kmq_queue *queue)
{
	kmq_queue_lock(queue);
	queue->seen.owed = true;
	mutex_unlock(&queue->lock);
}

/**
 * kmq_trigger_make - make the trigger message of a queue, if one can be made
 * @queue: application queue, none locked
 * @made: private unit of work that gets the message, uncommitted
 *
 * Return: 1 if it was made, also if nothing could take it; else 0, for want of
 * memory among others, which is remembered.
 */
u32 kmq_trigger_make(struct kmq_queue *queue, struct kmq_unit *made)
{
	struct kmq_qmgr *qmgr = queue->qmgr;
	struct kmq_trigger_spec spec;
	struct kmq_msg *msg;

	BUILD_BUG_ON(sizeof(struct kmq_tm) != KMQ_TM_LENGTH);
	kmq_trigger_read_spec(queue, &spec);
	if (spec.initiation_q[0] == ' ')
		return 0;
	msg = kmq_post_make(qmgr, KMQ_TM_LENGTH, "MQTRIG  ");
	if (!msg) {
		kmq_trigger_owe(queue);
		return 0;
	}
	kmq_trigger_fill((struct kmq_tm *)msg->data, queue, &spec);
	if (!kmq_trigger_find_process(qmgr, &spec, (struct kmq_tm *)msg->data) ||
	    !kmq_trigger_can_initiate(qmgr, spec.initiation_q)) {
		kmq_msg_free(msg);
		return 0;
	}
	if (kmq_trigger_post(qmgr, &spec, msg, made) !=
	    MQRC_STORAGE_NOT_AVAILABLE)
		return 1;
	kmq_trigger_owe(queue);
	return 0;
}

/* Give a claim up. Return: has it been taken again? */
static bool kmq_trigger_settled(struct kmq_queue *queue, bool made)
{
	enum kmq_due due;

	kmq_queue_lock(queue);
	due = kmq_trigger_settle_locked(queue, made);
	mutex_unlock(&queue->lock);
	return due;
}

/**
 * kmq_trigger_settle - a trigger message that was due has been made, or not
 * @queue: application queue, none locked
 * @due: what was found out when the message was placed
 * @made: it has been made, and nobody can have seen it yet
 */
void kmq_trigger_settle(struct kmq_queue *queue, enum kmq_due due, bool made)
{
	if (due == KMQ_DUE_CLAIMED && kmq_trigger_settled(queue, made))
		kmq_trigger_run(queue, KMQ_DUE_CLAIMED);
}

/**
 * kmq_trigger_add - make a trigger message that is due part of a unit of work
 * @queue: application queue, none locked
 * @due: KMQ_DUE_EVERY or _CLAIMED
 * @unit: unit of work of the put
 *
 * O-TRIG-6: it appears when the unit ends; of FIRST and DEPTH, however.
 *
 * Return: messages made.
 */
u32 kmq_trigger_add(struct kmq_queue *queue, enum kmq_due due,
		    struct kmq_unit *unit)
{
	struct kmq_unit made;
	u32 count;

	kmq_uow_init(&made);
	count = kmq_trigger_make(queue, &made);
	kmq_trigger_settle(queue, due, count);
	kmq_uow_defer(unit, &made, due == KMQ_DUE_CLAIMED);
	return count;
}

/**
 * kmq_trigger_run - make a trigger message that is due, at once
 * @queue: application queue, none locked
 * @due: KMQ_DUE_EVERY or _CLAIMED
 */
void kmq_trigger_run(struct kmq_queue *queue, enum kmq_due due)
{
	bool again;

	do {
		struct kmq_unit made;
		u32 count;

		kmq_uow_init(&made);
		count = kmq_trigger_make(queue, &made);
		again = due == KMQ_DUE_CLAIMED &&
			kmq_trigger_settled(queue, count);
		kmq_uow_commit(&made);
	} while (again);
}

/**
 * kmq_trigger_claimed - for kmq_qmgr.trigger
 * @queue: queue whose trigger the caller has claimed, none locked
 */
void kmq_trigger_claimed(struct kmq_queue *queue)
{
	kmq_trigger_run(queue, KMQ_DUE_CLAIMED);
}

/**
 * kmq_trigger_initiation - an initiation queue can be used (again)
 * @qmgr: queue manager, nothing locked
 * @name: the queue
 *
 * O-TRIG-4: it was opened for input, or puts or gets are allowed again.
 */
void kmq_trigger_initiation(struct kmq_qmgr *qmgr, const u8 *name)
{
	struct kmq_queue *queue = NULL;
	enum kmq_due due;

	while ((queue = kmq_triggered_following(qmgr, name, queue))) {
		kmq_queue_lock(queue);
		due = kmq_trigger_state_locked(queue);
		mutex_unlock(&queue->lock);
		if (due)
			kmq_trigger_claimed(queue);
		cond_resched();
	}
}

/**
 * kmq_trigger_recheck - look at what a change of attributes has made possible
 * @queue: queue, nothing locked
 */
void kmq_trigger_recheck(struct kmq_queue *queue)
{
	enum kmq_due due = KMQ_DUE_NONE;
	u8 recheck;

	kmq_queue_lock(queue);
	recheck = queue->seen.recheck;
	queue->seen.recheck = 0;
	if (recheck & KMQ_RECHECK_TRIGGER)
		due = kmq_trigger_state_locked(queue);
	mutex_unlock(&queue->lock);
	if (due)
		kmq_trigger_claimed(queue);
	if (recheck & KMQ_RECHECK_INITIATION)
		kmq_trigger_initiation(queue->qmgr, queue->name);
}

/**
 * kmq_trigger_recheck_named - likewise, of a queue by name, if it is there
 * @qmgr: queue manager, nothing locked
 * @name: name, blank padded
 */
void kmq_trigger_recheck_named(struct kmq_qmgr *qmgr, const u8 *name)
{
	struct kmq_queue *queue = kmq_qmgr_find(qmgr, name);

	if (!queue)
		return;
	kmq_trigger_recheck(queue);
	kmq_queue_put(queue);
}
