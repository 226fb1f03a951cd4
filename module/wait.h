/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_WAIT_H
#define KMQ_WAIT_H

#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/sched/task.h>
#include <linux/types.h>
#include <linux/kmq.h>
#include "filing.h"

struct kmq_handle;
struct kmq_msg;
struct kmq_queue;
struct kmq_search;
struct kmq_take;
struct kmq_uow_queue;
struct task_struct;

/**
 * DOC: Waiting
 *
 * A get that finds nothing leaves a waiter with its conditions at the queue and
 * sleeps. Whoever makes a message visible carries out the get on behalf of the
 * waiter it suits, under the lock of the queue, and wakes it with the message in
 * hand. So a message is never visible while a get that wants it sleeps, and a
 * woken get never finds that another one was faster (G-WAIT-9).
 *
 * A message finds those whom it suits by their conditions, see filing.h. Those whom
 * any message suits stand in a list, in the order in which they came.
 *
 * Most gets that wait take a message as it is. Such a *quick* waiter has not made
 * up what a get needs that does more: it is given the message alone, or has the
 * rest made up if the message turns out to need it.
 */
enum kmq_waiter_state {
	KMQ_WAITING,
	KMQ_WAIT_SERVED,	/* the get has been carried out */
	KMQ_WAIT_RETRY,		/* look again, you need more room */
	KMQ_WAIT_CANCELED,	/* see @cancel */
};

/* Why a wait was cancelled (G-WAIT-11). */
enum kmq_cancel {
	KMQ_CANCEL_INHIBITED,
	KMQ_CANCEL_QUIESCING,
	KMQ_CANCEL_STOPPING,
	KMQ_CANCEL_BROKEN,
	KMQ_CANCEL_DELETED,
	KMQ_CANCEL_CHANGED,
	KMQ_CANCEL_CONN_QUIESCING,
};

enum kmq_waiter_set {
	KMQ_WAIT_REMOVE,
	KMQ_WAIT_BROWSE,
	KMQ_SIGNAL_REMOVE,
	KMQ_SIGNAL_BROWSE,
	KMQ_WAITER_SETS,
};

/**
 * struct kmq_waiter_index - waiters of one set
 * @specific: those who go first (G-WAIT-7)
 * @general: those of the others that not any message suits
 * @any: and whom any message suits
 */
struct kmq_waiter_index {
	struct kmq_file specific;
	struct kmq_file general;
	struct list_head any;
};

/**
 * struct kmq_waiters - those who wait for messages of a queue
 * @set: indexed by enum kmq_waiter_set
 * @tickets: number given to the last one
 * @count: gets that wait, signals not counted
 * @total: gets and signals
 * @quick: of these, quick ones that any message suits
 * @offers: number of the last offer
 * @met: how many were asked whether a message suits them, for tests
 */
struct kmq_waiters {
	struct kmq_waiter_index set[KMQ_WAITER_SETS];
	u64 met;
	u64 tickets;
	u64 offers;
	u32 count;
	u32 total;
	u32 quick;
};

/**
 * struct kmq_quick - a removing get that can be given a message as it is
 * @room: bytes of data it has room for
 * @changes: kmq_qmgr_changes() that it was checked at
 * @part: part of the unit of work the message goes to, or NULL
 * @prepare: makes up the get that a message needs which is not plain, or which
 *	comes when what was checked has changed; called with the queue's lock
 *	held, by another task while the getter sleeps. Allocates nothing
 * @msg: out: the message, TAKEN; NULL if the get that was made up has been
 *	carried out
 */
struct kmq_quick {
	u32 room;
	u32 changes;
	struct kmq_uow_queue *part;
	struct kmq_take *(*prepare)(struct kmq_quick *quick);
	struct kmq_msg *msg;
};

/**
 * struct kmq_waiter - a get that waits, or a signal that is outstanding
 * @node: in the tree of its shape
 * @filed: of a leader: that tree, by keys, ticket
 * @ask_node: in kmq_file.askers, if it waits for something complete
 * @link: in kmq_waiter_index.any; of a leader: in kmq_file.shapes
 * @file: where it stands; its turn
 * @reach: of the subtree of @node, see filing.c
 * @set: where it stands
 * @listed: it stands in the list
 * @specific: its class
 * @owns: it is filed as one that sees messages of its own
 * @want: conditions
 * @handle: handle of the get or the signal
 * @take: the get to be carried out; NULL for a signal, and for a quick waiter as
 *	long as nobody needed it
 * @quick: NULL if it is not quick
 * @task: who sleeps; NULL for a signal
 * @state: enum kmq_waiter_state, written under the queue's lock
 * @cancel: enum kmq_cancel, with KMQ_WAIT_CANCELED
 * @fail_if_quiescing: the get said so
 *
 * Lives on the stack of the waiting get, or in a signal.
 */
struct kmq_waiter {
	struct rb_node node;
	struct kmq_filing file;
	u64 reach;
	struct rb_root filed;
	struct rb_node ask_node;
	struct list_head link;
	u8 set;
	bool listed;
	bool specific;
	bool owns;
	bool fail_if_quiescing;
	const struct kmq_search *want;
	struct kmq_handle *handle;
	struct kmq_take *take;
	struct kmq_quick *quick;
	struct task_struct *task;
	int state;
	int cancel;
};

void kmq_waiters_init(struct kmq_waiters *waiters);
void kmq_waiter_add_locked(struct kmq_queue *queue, struct kmq_waiter *waiter,
			   enum kmq_waiter_set set);
void kmq_waiter_del_locked(struct kmq_queue *queue, struct kmq_waiter *waiter);
void kmq_waiter_look_out(const struct kmq_waiter *waiter, u32 ns);
int kmq_waiter_sleep(struct kmq_queue *queue, struct kmq_waiter *waiter,
		     u64 deadline);
void kmq_waiter_let_go(struct task_struct *task);
void kmq_waiter_wake_locked(struct kmq_queue *queue, struct kmq_waiter *waiter,
			    int state);
void kmq_waiter_owns_locked(struct kmq_queue *queue, struct kmq_waiter *waiter);

struct task_struct *kmq_waiters_pass_locked(struct kmq_queue *queue,
					    struct kmq_msg *msg, int priority);
void kmq_waiters_ask_locked(struct kmq_queue *queue, struct kmq_msg *msg);
void kmq_waiters_settle_locked(struct kmq_queue *queue);
void kmq_waiters_offer_locked(struct kmq_queue *queue, struct kmq_msg *msg);

void kmq_waiters_cancel_locked(struct kmq_queue *queue, enum kmq_cancel why);
void kmq_waiters_cancel_named_locked(struct kmq_queue *queue,
				     const struct kmq_queue *named,
				     enum kmq_cancel why);
void kmq_waiters_cancel_conn_locked(struct kmq_queue *queue, const void *conn,
				    enum kmq_cancel why);

/* Signals that are outstanding. */
static inline u32 kmq_waiters_signals(const struct kmq_waiters *waiters)
{
	return waiters->total - waiters->count;
}

/**
 * kmq_waiter_end_locked - end a wait
 * @queue: the queue, locked
 * @waiter: a waiter with a task in state KMQ_WAITING; gone afterwards
 * @state: its new state
 *
 * Return: the task, to be woken with kmq_waiter_let_go().
 */
static inline struct task_struct *
kmq_waiter_end_locked(struct kmq_queue *queue, struct kmq_waiter *waiter,
		      int state)
{
	struct task_struct *task = get_task_struct(waiter->task);

	kmq_waiter_del_locked(queue, waiter);
	/* Pairs with the acquire in kmq_waiter_sleep(), (C) above. */
	smp_store_release(&waiter->state, state);
	return task;
}

#endif /* KMQ_WAIT_H */
