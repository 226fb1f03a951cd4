/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_WATCH_H
#define KMQ_WATCH_H

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/types.h>

struct kmq_qmgr;
struct kmq_queue;
struct kmq_queue_attrs;

/* What a queue has to look at with each put and get. Mostly nothing. */
#define KMQ_WATCH_TRIGGER	BIT(0)
#define KMQ_WATCH_DEPTH		BIT(1)
#define KMQ_WATCH_SERVICE	BIT(2)

/* What a change of attributes calls for once no lock is held. */
#define KMQ_RECHECK_TRIGGER	BIT(0)	/* its trigger conditions */
#define KMQ_RECHECK_INITIATION	BIT(1)	/* those of queues it initiates for */

/**
 * enum kmq_due - is a trigger message to be made
 * @KMQ_DUE_NONE: no
 * @KMQ_DUE_EVERY: yes, for this put (EVERY)
 * @KMQ_DUE_CLAIMED: yes, and it is the caller who has to see to it:
 *	kmq_trigger_settle_locked() ends that (FIRST, DEPTH)
 */
enum kmq_due {
	KMQ_DUE_NONE,
	KMQ_DUE_EVERY,
	KMQ_DUE_CLAIMED,
};

enum kmq_notice_kind {
	KMQ_NOTICE_DEPTH_HIGH,
	KMQ_NOTICE_DEPTH_LOW,
	KMQ_NOTICE_FULL,
	KMQ_NOTICE_SERVICE_HIGH,
	KMQ_NOTICE_SERVICE_OK,
};

/**
 * struct kmq_notice - a performance event and its statistics (O-EVT-3)
 * @kind: which one
 * @seconds: since the statistics were restarted
 * @high_depth: largest depth since then
 * @puts: messages put since then
 * @gets: messages got since then
 */
struct kmq_notice {
	enum kmq_notice_kind kind;
	u32 seconds;
	u32 high_depth;
	u32 puts;
	u32 gets;
};

#define KMQ_NOTICES	4

/**
 * struct kmq_watch - what a queue keeps for triggers and performance events
 * @due: somebody makes a trigger message for it, KMQ_DUE_CLAIMED
 * @again: its conditions came true once more meanwhile
 * @owed: there was no memory for the last trigger message that was due
 * @recheck: KMQ_RECHECK_*
 * @triggered: time of the last trigger message, at first that of its creation
 * @since: when the statistics were restarted
 * @high_depth: largest depth since then
 * @puts: kmq_queue.total_puts at that time
 * @gets: kmq_queue.total_gets at that time
 * @service: when the service timer was started, 0: it is off
 * @notice_count: events that happened and have not been sent
 * @notices: these
 *
 * Times are nanoseconds of CLOCK_MONOTONIC. Guarded by the lock of the queue.
 */
struct kmq_watch {
	bool due;
	bool again;
	bool owed;
	u8 recheck;
	u64 triggered;
	u64 since;
	u32 high_depth;
	u64 puts;
	u64 gets;
	u64 service;
	u32 notice_count;
	struct kmq_notice notices[KMQ_NOTICES];
};

void kmq_watch_init(struct kmq_queue *queue);
struct kmq_queue *kmq_triggered_following(struct kmq_qmgr *qmgr,
					  const u8 *initiation_q,
					  struct kmq_queue *queue);
void kmq_watch_forget_locked(struct kmq_queue *queue);
void kmq_watch_update_locked(struct kmq_queue *queue);
void kmq_watch_change_locked(struct kmq_queue *queue,
			     const struct kmq_queue_attrs *attrs);
enum kmq_due kmq_watch_put_locked(struct kmq_queue *queue, int priority,
				  u32 count);
void kmq_watch_get_locked(struct kmq_queue *queue);
void kmq_watch_full_locked(struct kmq_queue *queue);

enum kmq_due kmq_trigger_state_locked(struct kmq_queue *queue);
enum kmq_due kmq_trigger_settle_locked(struct kmq_queue *queue, bool made);

#endif /* KMQ_WATCH_H */
