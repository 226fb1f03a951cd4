/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_QUEUE_H
#define KMQ_QUEUE_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/rbtree.h>
#include <linux/uidgid.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "attrs.h"
#include "limits.h"
#include "qmgr.h"
#include "store.h"
#include "wait.h"
#include "watch.h"
#include "window.h"

struct kmq_handle;

/**
 * DOC: Locks
 *
 * From outer to inner:
 *
 * 1. kmq_conn.call (mutex): one call of a connection at a time; held over waits.
 *    Guards the unit of work and, of its handles, cursor, group information,
 *    saved context.
 * 2. the list of queue managers (rw_semaphore, qmgrs.c): to find another one.
 * 3. kmq_qmgr.names (rw_semaphore): the queues of a queue manager, their
 *    definition and deletion; attributes change under it held for writing.
 * 4. kmq_queue.lock (mutex): everything on a queue: store, counts, waiters,
 *    locked messages, marks. Two queue locks are never held together.
 *
 * Work under 4 may be long, and whose queue it is decides how long. So nobody
 * waits for 4 with 2 or 3 held, which others need who have nothing to do with
 * that queue: who wants to look at a queue takes a reference under 3, lets 3 go
 * and waits then, kmq_qmgr_find() and kmq_qmgr_following(). Who needs both takes
 * them with kmq_queue_lock_named(), which waits for either only with nothing
 * held. In the meantime the queue can have been deleted: kmq_queue.deleted.
 *
 * The names that are relied on (relied.c) and the accounts of users (account.c)
 * have mutexes of their own, taken inside 1 and 3 and never with 4: they allocate.
 *
 * Attributes that a put or get reads are changed under both 3 and 4. Numbers of
 * them may be read at any time, by READ_ONCE(); texts need 3 or 4. No user
 * memory is touched and nothing is allocated under 4.
 *
 * Lock 4 is taken by kmq_queue_lock(), or by kmq_queue_lock_beside() where that
 * is enough: either brings the queue up to what a program has claimed by itself,
 * see DOC: Windows in window.h. Both insist on 3 not being held.
 */

/**
 * struct kmq_queue - a queue
 * @lock: see above; guards all fields below it
 * @store: messages everybody may see
 * @last_arrival: arrival number given last
 * @depth: CurrentQDepth (M-STO-6); read by calls at any time
 * @watch: KMQ_WATCH_*
 * @open_input: handles open for input
 * @open_output: handles open for output
 * @co_op_handles: handles opened with MQOO_CO_OP
 * @exclusive_input: the input handle has it for itself
 * @sweep_due: @sweep is to run at @sweep_at, or before
 * @deleted: no longer in the queue manager; handles get 2052
 * @uncommitted_puts: messages put in open units of work
 * @uncommitted_gets: messages got in open units of work
 * @locked: messages locked by browses
 * @mark_floor: no handle's mark floor of that rank is above
 * @depth_of: @depth, for each priority of messages
 * @seen: state of triggers and events
 * @attrs: attributes
 * @waiters: gets that wait, signals that are outstanding
 * @handles: struct kmq_handle by number
 * @last_handle: number of the last one
 * @co_op_marks: struct kmq_mark, oldest first
 * @expired: messages that expired and want that reported, by kmq_msg.link
 * @window: window that is open, or NULL
 * @bytes: message data held
 * @memory: kernel memory held by messages
 * @last_put_time: CLOCK_REALTIME, ns
 * @last_get_time: CLOCK_REALTIME, ns
 * @total_puts: messages put
 * @total_gets: messages got
 * @spares: free messages for the next puts, see kmq_msg_spares_put(); by xchg()
 * @poll: pollers
 * @sweep_at: jiffies
 * @sweep: discards expired messages and drops old marks
 * @reap: frees the queue when nobody refers to it any more
 * @rcu: it may be looked at till then, see kmq_conn_break()
 * @generation: counts changes that make handles invalid (P-CALL-10)
 * @named_by: handles that were opened through this definition of another queue
 * @trigger_node: in kmq_qmgr.triggered, guarded by kmq_qmgr.names
 * @ref: files, handles, units of work, the queue manager
 * @qmgr: queue manager, which outlives the queue
 * @node: in kmq_qmgr.queues, guarded by kmq_qmgr.names
 * @name: name, blank padded
 * @type: MQQT_*
 * @maker: user whose account it is on, see account.c; INVALID_UID: nobody's. Only
 *	a queue that an administrator made can be relied on. Guarded by
 *	kmq_qmgr.names
 * @uid: number that no other queue ever has
 * @minor: minor number of the node
 * @dev: device behind the node
 */
struct kmq_queue {
	struct mutex lock;	/* see DOC: Locks above */
	u32 depth;
	u32 watch;
	u64 last_arrival;
	struct kmq_store store;
	u32 open_input;
	u32 open_output;
	u32 co_op_handles;
	bool exclusive_input;
	bool deleted;
	bool sweep_due;
	u32 uncommitted_puts;
	u32 uncommitted_gets;
	u32 locked;
	u64 mark_floor[KMQ_PRIORITIES];
	u32 depth_of[KMQ_PRIORITIES];
	struct kmq_watch seen;
	struct kmq_queue_attrs attrs;
	struct kmq_waiters waiters;
	struct kmq_tree handles;
	u64 last_handle;
	struct list_head co_op_marks;
	struct list_head expired;
	struct kmq_window *window;
	u64 bytes;
	u64 memory;
	u64 last_put_time;
	u64 last_get_time;
	u64 total_puts;
	u64 total_gets;
	struct kmq_msg *spares;
	wait_queue_head_t poll;
	unsigned long sweep_at;
	struct delayed_work sweep;
	struct work_struct reap;
	struct rcu_head rcu;

	u32 generation;
	atomic_t named_by;
	struct rb_node trigger_node;
	struct kref ref;
	struct kmq_qmgr *qmgr;
	struct rb_node node;
	u8 name[KMQ_NAME_LEN];
	s32 type;
	kuid_t maker;
	u32 uid;
	int minor;
	struct device *dev;
} ____cacheline_aligned;

struct kmq_queue *kmq_queue_alloc(struct kmq_qmgr *qmgr, const u8 *name,
				  s32 type, const struct kmq_queue_attrs *attrs);
void kmq_queue_put(struct kmq_queue *queue);
int kmq_queue_reaper_create(void);
void kmq_queue_reaper_destroy(void);

static inline struct kmq_queue *kmq_queue_get(struct kmq_queue *queue)
{
	kref_get(&queue->ref);
	return queue;
}

/**
 * kmq_queue_lock - lock a queue, to do with it whatever is to be done
 * @queue: the queue; to be unlocked by mutex_unlock() of its lock
 *
 * No window is open afterwards.
 */
static inline void kmq_queue_lock(struct kmq_queue *queue)
{
	lockdep_assert_not_held(&queue->qmgr->names);
	mutex_lock(&queue->lock);
	if (unlikely(queue->window))
		kmq_window_revoke_locked(queue);
}

/* Likewise, unless that would mean to wait: then it returns false. */
static inline bool kmq_queue_trylock(struct kmq_queue *queue)
{
	if (!mutex_trylock(&queue->lock))
		return false;
	if (unlikely(queue->window))
		kmq_window_revoke_locked(queue);
	return true;
}

/**
 * kmq_queue_lock_beside - lock a queue, to look at it or to add to it
 * @queue: the queue; to be unlocked by mutex_unlock() of its lock
 *
 * For who takes, locks and marks nothing that is there, and changes nothing
 * that a get asks about. A window stays open unless a message comes in front of
 * its end: what has been claimed so far is off the queue, more may be claimed at
 * any moment.
 */
static inline void kmq_queue_lock_beside(struct kmq_queue *queue)
{
	lockdep_assert_not_held(&queue->qmgr->names);
	mutex_lock(&queue->lock);
	if (unlikely(queue->window))
		kmq_window_settle_locked(queue);
}

/* CurrentQDepth, of a queue that is not locked. */
static inline u32 kmq_queue_depth_now(struct kmq_queue *queue)
{
	if (unlikely(READ_ONCE(queue->window))) {
		kmq_queue_lock_beside(queue);
		mutex_unlock(&queue->lock);
	}
	return READ_ONCE(queue->depth);
}

/* Messages come to a place, before they are there. */
static inline void kmq_window_arrival_locked(struct kmq_queue *queue, u64 key,
					     u32 count)
{
	if (unlikely(queue->window))
		kmq_window_mind_locked(queue, key, count);
}

void kmq_mark_arrival_below(struct kmq_queue *queue, u64 key);

/* A message came into the store. */
static inline void kmq_mark_arrival(struct kmq_queue *queue, u64 key)
{
	if (unlikely(key <= queue->mark_floor[kmq_key_rank(key)]))
		kmq_mark_arrival_below(queue, key);
}

/* The memory of a message is, or is no longer, the queue's. */
static inline void kmq_queue_charge(struct kmq_queue *queue,
				    const struct kmq_msg *msg)
{
	queue->bytes += msg->length;
	queue->memory += msg->memory;
}

static inline void kmq_queue_uncharge(struct kmq_queue *queue,
				      const struct kmq_msg *msg)
{
	queue->bytes -= msg->length;
	queue->memory -= msg->memory;
}

/* A message counts for CurrentQDepth (M-STO-6). */
static inline void kmq_queue_count(struct kmq_queue *queue,
				   const struct kmq_msg *msg)
{
	WRITE_ONCE(queue->depth, queue->depth + 1);
	queue->depth_of[kmq_msg_priority(msg)]++;
}

/* It does no more. */
static inline void kmq_queue_uncount(struct kmq_queue *queue,
				     const struct kmq_msg *msg)
{
	queue->depth_of[kmq_msg_priority(msg)]--;
	WRITE_ONCE(queue->depth, queue->depth - 1);
	if (unlikely(queue->depth == queue->attrs.max_q_depth - 1))
		wake_up_interruptible_poll(&queue->poll,
					   EPOLLOUT | EPOLLWRNORM);
}

void kmq_queue_admit_locked(struct kmq_queue *queue, struct kmq_msg *msg,
			    int priority);
void kmq_queue_pass_locked(struct kmq_queue *queue, struct kmq_msg *msg,
			   int priority, bool syncpoint);
void kmq_queue_insert_locked(struct kmq_queue *queue, struct kmq_msg *msg);
void kmq_queue_offer_locked(struct kmq_queue *queue, struct list_head *msgs);
void kmq_queue_expire_locked(struct kmq_queue *queue, struct kmq_msg *msg);
void kmq_queue_expire_until_locked(struct kmq_queue *queue, u64 now);
void kmq_queue_report_expired(struct kmq_queue *queue);
void kmq_queue_discard_locked(struct kmq_queue *queue, struct kmq_msg *msg);
void kmq_queue_detach_locked(struct kmq_queue *queue, struct kmq_msg *msg);
void kmq_queue_leave_group(struct kmq_queue *queue, struct kmq_msg *msg);
void kmq_queue_forget_locked(struct kmq_queue *queue, struct kmq_msg *msg);
void kmq_queue_purge_locked(struct kmq_queue *queue);
void kmq_queue_sweep_later(struct kmq_queue *queue);

#endif /* KMQ_QUEUE_H */
