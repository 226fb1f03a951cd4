// SPDX-License-Identifier: GPL-2.0
/*
 * What a queue notices about itself: that a trigger message is due (objects.md
 * section 11), and performance events (section 12).
 *
 * It is noticed here, under the lock of the queue, in the step that makes it
 * true. The messages are made afterwards, when no lock is held. Attributes that
 * such an event switches off and on change in the same step, so that no event
 * happens twice.
 *
 * Between the two a trigger of type FIRST or DEPTH is *claimed*: whoever found
 * the conditions of the queue itself to hold goes on to look at the initiation
 * queue and the process, and nobody else makes a second message for the same
 * state. Nothing is lost by that. Others whose step makes the conditions true -
 * a put, the last close for input, the initiation queue's being opened - leave a
 * note if they find the claim taken. If the claimant makes a message, it makes it
 * after these steps and so for them, too: it gives the claim up before anybody
 * can see the message. If it does not, it looks at the queue once more.
 */
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/rbtree.h>
#include <linux/string.h>
#include "attr.h"
#include "limits.h"
#include "mqi.h"
#include "qmgr.h"
#include "queue.h"
#include "watch.h"

/**
 * kmq_watch_init - begin to watch a new queue
 * @queue: queue that nobody knows
 */
void kmq_watch_init(struct kmq_queue *queue)
{
	u64 now = ktime_get_ns();

	RB_CLEAR_NODE(&queue->trigger_node);
	queue->seen.triggered = now;
	queue->seen.since = now;
}

/* Statistics start anew (O-EVT-3). */
static void kmq_watch_restart(struct kmq_queue *queue, u64 now)
{
	struct kmq_watch *seen = &queue->seen;

	seen->since = now;
	seen->high_depth = queue->depth;
	seen->puts = queue->total_puts;
	seen->gets = queue->total_gets;
}

static bool kmq_watch_can_trigger(const struct kmq_queue *queue)
{
	return queue->type == MQQT_LOCAL && queue->attrs.trigger_control &&
	       queue->attrs.trigger_type != MQTT_NONE;
}

static u32 kmq_watch_flags(const struct kmq_queue *queue)
{
	const struct kmq_queue_attrs *attrs = &queue->attrs;
	u32 flags = 0;

	if (kmq_watch_can_trigger(queue))
		flags |= KMQ_WATCH_TRIGGER;
	if (queue->type != MQQT_LOCAL ||
	    !READ_ONCE(queue->qmgr->attrs.performance_event))
		return flags;
	if (attrs->q_depth_high_event || attrs->q_depth_low_event ||
	    attrs->q_depth_max_event)
		flags |= KMQ_WATCH_DEPTH;
	if (attrs->q_service_interval_event)
		flags |= KMQ_WATCH_SERVICE;
	return flags;
}

static struct kmq_queue *kmq_triggered_of(const struct rb_node *node)
{
	return rb_entry_safe(node, struct kmq_queue, trigger_node);
}

static bool kmq_triggered_less(struct rb_node *a, const struct rb_node *b)
{
	return memcmp(kmq_triggered_of(a)->name, kmq_triggered_of(b)->name,
		      KMQ_NAME_LEN) < 0;
}

/* The first queue with triggers switched on whose name comes after another one. */
static struct kmq_queue *kmq_triggered_behind(struct kmq_qmgr *qmgr,
					      const u8 *after)
{
	struct rb_node *node = qmgr->triggered.rb_node, *found = NULL;

	while (node) {
		if (memcmp(after, kmq_triggered_of(node)->name,
			   KMQ_NAME_LEN) < 0) {
			found = node;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return kmq_triggered_of(found);
}

/**
 * kmq_triggered_following - go over the queues with triggers switched on that an
 *	initiation queue serves, without keeping the names locked
 * @qmgr: queue manager, names not locked
 * @initiation_q: name of the initiation queue
 * @queue: queue whose reference is given back, or NULL: begin
 *
 * Return: the queue whose name follows, referenced, or NULL.
 */
struct kmq_queue *kmq_triggered_following(struct kmq_qmgr *qmgr,
					  const u8 *initiation_q,
					  struct kmq_queue *queue)
{
	static const u8 begin[KMQ_NAME_LEN];
	struct kmq_queue *next;

	down_read(&qmgr->names);
	next = kmq_triggered_behind(qmgr, queue ? queue->name : begin);
	while (next && !kmq_name_equal(next->attrs.initiation_q_name,
				       initiation_q)) {
		cond_resched();
		next = kmq_triggered_of(rb_next(&next->trigger_node));
	}
	if (next)
		kmq_queue_get(next);
	up_read(&qmgr->names);
	if (queue)
		kmq_queue_put(queue);
	return next;
}

/**
 * kmq_watch_forget_locked - a queue needs no longer be found for its triggers
 * @queue: queue; the names are locked for writing
 */
void kmq_watch_forget_locked(struct kmq_queue *queue)
{
	lockdep_assert_held_write(&queue->qmgr->names);
	if (RB_EMPTY_NODE(&queue->trigger_node))
		return;
	rb_erase(&queue->trigger_node, &queue->qmgr->triggered);
	RB_CLEAR_NODE(&queue->trigger_node);
}

/**
 * kmq_watch_update_locked - see what there is to be watched
 * @queue: queue, locked; the names are locked for writing
 *
 * Called whenever attributes of the queue, or those of its queue manager that
 * switch events on and off, have been set.
 */
void kmq_watch_update_locked(struct kmq_queue *queue)
{
	u32 flags = kmq_watch_flags(queue);

	lockdep_assert_held(&queue->lock);
	lockdep_assert_held_write(&queue->qmgr->names);
	if (flags & ~queue->watch & (KMQ_WATCH_DEPTH | KMQ_WATCH_SERVICE))
		kmq_watch_restart(queue, ktime_get_ns());
	if (!(flags & KMQ_WATCH_SERVICE))
		queue->seen.service = 0;
	WRITE_ONCE(queue->watch, flags);
	/* One that DEPTH has switched off may stay in the tree till now. */
	if (!(flags & KMQ_WATCH_TRIGGER) || queue->deleted)
		kmq_watch_forget_locked(queue);
	else if (RB_EMPTY_NODE(&queue->trigger_node))
		rb_add(&queue->trigger_node, &queue->qmgr->triggered,
		       kmq_triggered_less);
}

/* Messages of at least a priority, committed or not (O-TRIG-1). */
static u32 kmq_watch_count(const struct kmq_queue *queue, int priority)
{
	u32 n = 0;

	for (; priority < KMQ_PRIORITIES; priority++)
		n += queue->depth_of[priority];
	return n;
}

/* Do the messages that are there call for a trigger message (O-TRIG-3)? */
static bool kmq_watch_has_enough(const struct kmq_queue *queue,
				 const struct kmq_queue_attrs *attrs)
{
	u32 n = kmq_watch_count(queue, attrs->trigger_msg_priority);

	switch (attrs->trigger_type) {
	case MQTT_FIRST:
		return n;
	case MQTT_DEPTH:
		return n >= attrs->trigger_depth;
	default:
		return false;
	}
}

/* O-TRIG-4: may a change make conditions true that were not? */
static bool kmq_watch_made_true(const struct kmq_queue *queue,
				const struct kmq_queue_attrs *new)
{
	const struct kmq_queue_attrs *old = &queue->attrs;

	if (!new->trigger_control)
		return false;
	if (!old->trigger_control || old->trigger_type != new->trigger_type)
		return true;
	return (new->trigger_msg_priority < old->trigger_msg_priority ||
		new->trigger_depth < old->trigger_depth) &&
	       !kmq_watch_has_enough(queue, old);
}

/**
 * kmq_watch_change_locked - give a queue other attributes
 * @queue: queue, locked; the names are locked for writing
 * @attrs: attributes
 *
 * kmq_queue.seen.recheck tells what is to be looked at afterwards.
 */
void kmq_watch_change_locked(struct kmq_queue *queue,
			     const struct kmq_queue_attrs *attrs)
{
	const struct kmq_queue_attrs *old = &queue->attrs;

	lockdep_assert_held(&queue->lock);
	if (kmq_watch_made_true(queue, attrs))
		queue->seen.recheck |= KMQ_RECHECK_TRIGGER;
	if ((old->inhibit_get && !attrs->inhibit_get) ||
	    (old->inhibit_put && !attrs->inhibit_put))
		queue->seen.recheck |= KMQ_RECHECK_INITIATION;
	kmq_attr_assign_queue(&queue->attrs, attrs);
	kmq_watch_update_locked(queue);
}

/* Take the claim, or leave a note for who has it. */
static enum kmq_due kmq_trigger_claim(struct kmq_queue *queue)
{
	if (queue->seen.due) {
		queue->seen.again = true;
		return KMQ_DUE_NONE;
	}
	queue->seen.due = true;
	return KMQ_DUE_CLAIMED;
}

/**
 * kmq_trigger_state_locked - do the messages that are there call for a trigger
 *	message (O-TRIG-3, O-TRIG-4)
 * @queue: queue, locked
 *
 * Return: KMQ_DUE_NONE or KMQ_DUE_CLAIMED.
 */
enum kmq_due kmq_trigger_state_locked(struct kmq_queue *queue)
{
	lockdep_assert_held(&queue->lock);
	if (!(queue->watch & KMQ_WATCH_TRIGGER) || queue->deleted ||
	    queue->open_input || !kmq_watch_has_enough(queue, &queue->attrs))
		return KMQ_DUE_NONE;
	return kmq_trigger_claim(queue);
}

/**
 * kmq_trigger_settle_locked - give the claim up
 * @queue: queue, locked, whose trigger the caller has claimed
 * @made: there is a trigger message, which nobody can have seen yet
 *
 * Return: KMQ_DUE_CLAIMED if it has been claimed again, for the sake of those who
 * left a note.
 */
enum kmq_due kmq_trigger_settle_locked(struct kmq_queue *queue, bool made)
{
	struct kmq_watch *seen = &queue->seen;
	bool again = seen->again && !made;

	lockdep_assert_held(&queue->lock);
	seen->due = false;
	seen->again = false;
	if (made) {
		seen->owed = false;
		seen->triggered = ktime_get_ns();
		/* O-TRIG-5 */
		if (queue->attrs.trigger_type == MQTT_DEPTH) {
			WRITE_ONCE(queue->attrs.trigger_control, 0);
			WRITE_ONCE(queue->watch,
				   queue->watch & ~KMQ_WATCH_TRIGGER);
		}
	}
	return again ? kmq_trigger_state_locked(queue) : KMQ_DUE_NONE;
}

/* O-TRIG-2 */
static bool kmq_trigger_interval_over(const struct kmq_queue *queue)
{
	s32 interval = READ_ONCE(queue->qmgr->attrs.trigger_interval);

	return ktime_get_ns() - queue->seen.triggered >=
	       (u64)interval * NSEC_PER_MSEC;
}

/*
 * Condition 2 of O-TRIG-1 for FIRST and DEPTH, and O-TRIG-2: do @count messages
 * more make the difference? What an earlier put should have brought about and
 * could not, for want of memory, any later one makes good.
 */
static bool kmq_trigger_reaches(const struct kmq_queue *queue, u32 count)
{
	const struct kmq_queue_attrs *attrs = &queue->attrs;
	u32 before = kmq_watch_count(queue, attrs->trigger_msg_priority);

	if (attrs->trigger_type == MQTT_FIRST)
		return !before || queue->seen.owed ||
		       kmq_trigger_interval_over(queue);
	return before + count >= attrs->trigger_depth &&
	       (before < attrs->trigger_depth || queue->seen.owed);
}

/* O-TRIG-1, as far as the queue itself knows; before the messages are placed. */
static enum kmq_due kmq_trigger_put(struct kmq_queue *queue, int priority,
				    u32 count)
{
	const struct kmq_queue_attrs *attrs = &queue->attrs;

	if (priority < attrs->trigger_msg_priority)
		return KMQ_DUE_NONE;
	if (attrs->trigger_type == MQTT_EVERY) {
		queue->seen.triggered = ktime_get_ns();
		return KMQ_DUE_EVERY;
	}
	if (queue->open_input || !kmq_trigger_reaches(queue, count))
		return KMQ_DUE_NONE;
	return kmq_trigger_claim(queue);
}

static bool kmq_watch_has_room(const struct kmq_queue *queue)
{
	return queue->seen.notice_count < KMQ_NOTICES;
}

/* An event has happened. There is room. */
static void kmq_watch_note(struct kmq_queue *queue, enum kmq_notice_kind kind,
			   u32 more_puts)
{
	struct kmq_watch *seen = &queue->seen;
	u64 now = ktime_get_ns();

	seen->notices[seen->notice_count] = (struct kmq_notice){
		.kind = kind,
		.seconds = div_u64(now - seen->since, NSEC_PER_SEC),
		.high_depth = seen->high_depth,
		.puts = queue->total_puts + more_puts - seen->puts,
		.gets = queue->total_gets - seen->gets,
	};
	WRITE_ONCE(seen->notice_count, seen->notice_count + 1);
	kmq_watch_restart(queue, now);
	seen->puts += more_puts;
	seen->high_depth += more_puts;
}

/* Is a depth at least that part of MaxQDepth? */
static bool kmq_watch_reaches(const struct kmq_queue_attrs *attrs, u32 depth,
			      s32 percent)
{
	return (u64)depth * 100 >= (u64)percent * attrs->max_q_depth;
}

/* Queue Depth High, before the messages are placed (O-EVT-1, O-EVT-2). */
static void kmq_watch_depth_put(struct kmq_queue *queue, u32 count)
{
	struct kmq_queue_attrs *attrs = &queue->attrs;
	u32 depth = queue->depth + count;

	if (depth > queue->seen.high_depth)
		queue->seen.high_depth = depth;
	if (!attrs->q_depth_high_event || !kmq_watch_has_room(queue) ||
	    !kmq_watch_reaches(attrs, depth, attrs->q_depth_high_limit))
		return;
	attrs->q_depth_high_event = 0;
	attrs->q_depth_low_event = 1;
	attrs->q_depth_max_event = 1;
	kmq_watch_note(queue, KMQ_NOTICE_DEPTH_HIGH, count);
}

/* Queue Depth Low. */
static void kmq_watch_depth_get(struct kmq_queue *queue)
{
	struct kmq_queue_attrs *attrs = &queue->attrs;

	if (!attrs->q_depth_low_event || !kmq_watch_has_room(queue) ||
	    (u64)queue->depth * 100 >
	    (u64)attrs->q_depth_low_limit * attrs->max_q_depth)
		return;
	attrs->q_depth_low_event = 0;
	attrs->q_depth_high_event = 1;
	attrs->q_depth_max_event = 1;
	kmq_watch_note(queue, KMQ_NOTICE_DEPTH_LOW, 0);
}

/**
 * kmq_watch_full_locked - a put has failed because the queue is full
 * @queue: queue, locked
 */
void kmq_watch_full_locked(struct kmq_queue *queue)
{
	struct kmq_queue_attrs *attrs = &queue->attrs;

	lockdep_assert_held(&queue->lock);
	if (!(queue->watch & KMQ_WATCH_DEPTH) || !attrs->q_depth_max_event ||
	    !kmq_watch_has_room(queue))
		return;
	attrs->q_depth_max_event = 0;
	attrs->q_depth_low_event = 1;
	kmq_watch_note(queue, KMQ_NOTICE_FULL, 0);
}

/* Service Interval High: nothing was got for too long (O-EVT-4). */
static bool kmq_watch_service_late(struct kmq_queue *queue, u64 now)
{
	const struct kmq_queue_attrs *attrs = &queue->attrs;

	return queue->seen.service && now - queue->seen.service >
	       (u64)attrs->q_service_interval * NSEC_PER_MSEC;
}

static void kmq_watch_service_high(struct kmq_queue *queue, u64 now, u32 count)
{
	struct kmq_queue_attrs *attrs = &queue->attrs;

	if (attrs->q_service_interval_event != MQQSIE_HIGH ||
	    !kmq_watch_has_room(queue) || !kmq_watch_service_late(queue, now))
		return;
	attrs->q_service_interval_event = MQQSIE_OK;
	kmq_watch_note(queue, KMQ_NOTICE_SERVICE_HIGH, count);
}

static void kmq_watch_service_put(struct kmq_queue *queue, u32 count)
{
	u64 now = ktime_get_ns();

	if (queue->depth + count > queue->seen.high_depth)
		queue->seen.high_depth = queue->depth + count;
	kmq_watch_service_high(queue, now, count);
	if (!queue->depth)
		queue->seen.service = now;
}

static void kmq_watch_service_get(struct kmq_queue *queue)
{
	struct kmq_queue_attrs *attrs = &queue->attrs;
	u64 now = ktime_get_ns();

	if (attrs->q_service_interval_event == MQQSIE_HIGH) {
		kmq_watch_service_high(queue, now, 0);
	} else if (queue->seen.service && kmq_watch_has_room(queue) &&
		   !kmq_watch_service_late(queue, now)) {
		attrs->q_service_interval_event = MQQSIE_HIGH;
		kmq_watch_note(queue, KMQ_NOTICE_SERVICE_OK, 0);
	}
	queue->seen.service = queue->depth ? now : 0;
}

/**
 * kmq_watch_put_locked - messages are going to be placed on the queue
 * @queue: queue that watches something, locked
 * @priority: their priority, 0..9
 * @count: how many; several if one was cut up
 *
 * Return: is a trigger message due?
 */
enum kmq_due kmq_watch_put_locked(struct kmq_queue *queue, int priority,
				  u32 count)
{
	lockdep_assert_held(&queue->lock);
	/* O-EVT-5 */
	if (queue->watch & KMQ_WATCH_DEPTH)
		kmq_watch_depth_put(queue, count);
	if (queue->watch & KMQ_WATCH_SERVICE)
		kmq_watch_service_put(queue, count);
	return queue->watch & KMQ_WATCH_TRIGGER ?
	       kmq_trigger_put(queue, priority, count) : KMQ_DUE_NONE;
}

/**
 * kmq_watch_get_locked - messages have been taken off the queue by a get
 * @queue: queue that watches something, locked
 */
void kmq_watch_get_locked(struct kmq_queue *queue)
{
	lockdep_assert_held(&queue->lock);
	if (queue->watch & KMQ_WATCH_DEPTH)
		kmq_watch_depth_get(queue);
	if (queue->watch & KMQ_WATCH_SERVICE)
		kmq_watch_service_get(queue);
}
