// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT, follow: what few puts bring about besides their message: reports of
 * arrival, trigger messages, events.
 */
#include <linux/list.h>
#include <linux/sched.h>
#include "call.h"
#include "event.h"
#include "put.h"
#include "put_place.h"
#include "qmgr.h"
#include "queue.h"
#include "report.h"
#include "trigger.h"

/* Reports of arrival on what a private unit has put so far (P-REP-3, P-REP-5). */
static u32 kmq_put_reports(struct kmq_put_run *run, struct kmq_unit *unit,
			   u32 *count)
{
	struct kmq_msg *msg;
	u32 reason = MQRC_NONE;

	*count = 0;
	list_for_each_entry(msg, &run->part->puts, link) {
		struct kmq_report_on on;

		cond_resched();
		if (!kmq_report_wanted(run->queue, msg, KMQ_REPORT_COA))
			continue;
		kmq_report_on_one(&on, &msg);
		reason = kmq_report_put(run->conn->qmgr, &on, KMQ_REPORT_COA,
					unit, false);
		if (reason)
			break;
		++*count;
	}
	return reason;
}

static bool kmq_put_exceeds_limit(const struct kmq_put_run *run, u32 more)
{
	kmq_call_make_room(run->conn, more);
	return run->conn->uow.count + more >
	       READ_ONCE(run->conn->qmgr->attrs.max_uncommitted_msgs);
}

/* Return: 0, or why the put fails for what it would bring about. */
static u32 kmq_put_effects(struct kmq_put_run *run, struct kmq_unit *unit,
			   u32 *count)
{
	struct kmq_unit made;
	u32 reason, triggers = 0;

	kmq_uow_init(&made);
	reason = kmq_put_reports(run, unit, count);
	if (!reason && run->due)
		triggers = kmq_trigger_make(run->queue, &made);
	*count += triggers;
	if (!reason && run->plan->syncpoint &&
	    kmq_put_exceeds_limit(run, 1 + *count))
		reason = MQRC_SYNCPOINT_LIMIT_REACHED;
	/* Before anybody can see it. */
	kmq_trigger_settle(run->queue, run->due, triggers && !reason);
	if (reason)
		kmq_uow_abandon(&made);
	else
		kmq_uow_defer(unit, &made, run->due == KMQ_DUE_CLAIMED);
	run->due = KMQ_DUE_NONE;
	return reason;
}

/**
 * kmq_put_place_with_effects - place a message together with what it brings about
 * @run: the run; @run->reason is set if that cannot be
 * @index: which of its puts
 * @steps: KMQ_PUT_CUT etc.
 *
 * For a put that asks for reports of arrival, or one in a unit of work to a queue
 * with triggers: all goes into a private unit of work, so that all of it comes about
 * or nothing (P-REP-12, U-LIM-1).
 *
 * Return: 1; 0: nothing has been placed, the message is freed.
 */
u32 kmq_put_place_with_effects(struct kmq_put_run *run, u32 index, u32 steps)
{
	struct kmq_unit unit;
	u32 count = 0;

	kmq_uow_init(&unit);
	run->part = kmq_uow_join(&unit, run->queue);
	if (!run->part) {
		kmq_put_discard(run->msgs[index]);
		run->reason = MQRC_STORAGE_NOT_AVAILABLE;
		return 0;
	}
	run->due = KMQ_DUE_NONE;
	if (kmq_put_place(run, index, 1, steps))
		run->reason = kmq_put_effects(run, &unit, &count);
	if (run->reason) {
		kmq_uow_abandon(&unit);
	} else if (run->plan->syncpoint) {
		kmq_uow_merge(&run->conn->uow, &unit);
		run->conn->uow.count += count;
	} else {
		kmq_uow_commit(&unit);
	}
	return !run->reason;
}

/* The trigger message of a message that has been placed already. */
static void kmq_put_trigger(struct kmq_put_run *run)
{
	struct kmq_unit *uow = &run->conn->uow;

	if (!run->plan->syncpoint)
		kmq_trigger_run(run->queue, run->due);
	else
		/* Triggers were switched on when the limit had been checked. */
		uow->count += kmq_trigger_add(run->queue, run->due, uow);
	run->due = KMQ_DUE_NONE;
}

/**
 * kmq_put_watched - see to what was noticed as a message was placed (O-EVT-5)
 * @run: the run
 */
void kmq_put_watched(struct kmq_put_run *run)
{
	run->watched = false;
	kmq_event_send(run->queue);
	if (run->due)
		kmq_put_trigger(run);
}

/**
 * kmq_put_events - a put that fails may be an event
 * @run: the run, with the reason
 */
void kmq_put_events(const struct kmq_put_run *run)
{
	if (run->reason == MQRC_Q_FULL)
		kmq_event_full(run->queue);
	else if (run->reason == MQRC_PUT_INHIBITED)
		kmq_event_inhibited(run->conn, run->named, run->reason);
}
