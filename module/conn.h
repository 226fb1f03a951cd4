/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_CONN_H
#define KMQ_CONN_H

#include <linux/atomic.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/rcupdate.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/kmq.h>
#include "owner.h"
#include "qmgr.h"
#include "uow.h"

struct kmq_context_ref;
struct kmq_handle;
struct kmq_qmgr;
struct pid;

/**
 * DOC: What nobody waits for
 *
 * A call may wait for a message, and for user memory, for as long as somebody
 * likes. Nobody waits for the call: not the close of a file, which may be anyone's
 * who was given it, or the kernel's own; not the end of a process; not an
 * administrator who stops the queue manager. Who has to do with what the call
 * lock guards takes down what is *due* and tries the lock. If somebody has it, he
 * sees to what is due when he gives it up.
 *
 *     who has something due               who makes a call
 *     ---------------------               ----------------
 *     set due (A)                         unlock call (C)
 *     [full barrier, A]                   [smp_mb, D]
 *     try to lock call (B)                read due (E), lock again if set
 *
 * If B finds it locked, then B comes before C, so A comes before E, and E sees
 * what is due. If not, B has the lock and sees to it there and then. Who comes to
 * lock in between sees to it first: no call begins with something due.
 */
#define KMQ_CONN_DOOM		BIT(0)	/* the queue manager backs out */
#define KMQ_CONN_BREAK		BIT(1)	/* it is broken */
#define KMQ_CONN_GONE		BIT(2)	/* its file is closed */
#define KMQ_CONN_HANDLES	BIT(3)	/* there are some in @dropped */

/**
 * struct kmq_conn - a connection to a queue manager
 * @call: see queue.h; held while a call of the connection runs
 * @ref: the qmgr file, handles
 * @qmgr: queue manager, referenced
 * @connected: KMQ_IOC_CONNECT was done
 * @due: KMQ_CONN_*, see above
 * @dropped: struct kmq_handle whose file is gone, by dropped_link
 * @on_gone: called when it has ended and its file is closed, or NULL
 * @broken: the connecting process or the qmgr file is gone; written before
 *	waits are cancelled, read by calls
 * @quiescing: an administrator wants it to end, as @holds says; written before
 *	waits are cancelled, read by calls
 * @began: KMQ_EVENT_* that have begun and were not taken; changed under
 *	@wait_lock
 * @holds: KMQ_EVENT_* that are the case, guarded by @wait_lock
 * @poll: woken when something begins
 * @plain: it serves read() and write() of a queue file
 * @node: in kmq_qmgr.conns while connected
 * @owner: process that connected, referenced; ends the connection unless it is
 *	@plain, see kmq_conn_is_broken()
 * @owner_link: in kmq_owner.conns until it is broken
 * @thread: thread that connected, referenced
 * @since: CLOCK_REALTIME, ns, when it connected
 * @context: default context of its messages
 * @handles: struct kmq_handle, guarded by @call
 * @handle_count: how many
 * @windows: struct kmq_window of its handles, guarded by @windows_lock
 * @windows_lock: see there; inside of @call
 * @uow: unit of work, guarded by @call
 * @spin: how long its gets look out before they sleep, ns, guarded by @call
 * @number: the next number for an identifier, guarded by @call
 * @numbers: how many of those it has taken are left
 * @turn: counts choices among instances of cluster queues, guarded by @call
 * @waiting_at: queue a get waits at, or NULL; written by the call, read by others
 *	under RCU, see kmq_conn_break()
 * @wait_lock: guards @began and @holds
 * @id: ConnectionId
 */
struct kmq_conn {
	struct mutex call;	/* see DOC: Locks in queue.h */
	atomic_t due;
	struct kref ref;
	struct kmq_qmgr *qmgr;
	bool connected;
	bool broken;
	bool quiescing;
	bool plain;
	struct rb_node node;
	struct kmq_owner *owner;
	struct list_head owner_link;
	struct pid *thread;
	u64 since;
	struct kmq_context_ref *context;
	struct llist_head dropped;
	void (*on_gone)(struct kmq_conn *conn);
	struct list_head handles;
	u32 handle_count;
	struct list_head windows;
	struct mutex windows_lock;	/* guards windows */
	struct kmq_unit uow;
	u64 number;
	u32 numbers;
	u32 spin;
	u32 turn;
	spinlock_t wait_lock;	/* guards began, holds */
	struct kmq_queue __rcu *waiting_at;
	u16 began;
	u16 holds;
	wait_queue_head_t poll;
	u8 id[KMQ_ID_LEN];
};

struct kmq_conn *kmq_conn_alloc(struct kmq_qmgr *qmgr);
int kmq_conn_establish(struct kmq_conn *conn);
void kmq_conn_catch_up(struct kmq_conn *conn);
void kmq_conn_settle(struct kmq_conn *conn);
void kmq_conn_break(struct kmq_conn *conn);
void kmq_conn_file_gone(struct kmq_conn *conn);
void kmq_conn_drop_handle(struct kmq_handle *handle);
void kmq_conn_events(struct kmq_conn *conn, bool take, u16 *began, u16 *holds);
void kmq_conns_tell_state(struct kmq_qmgr *qmgr);
struct kmq_conn *kmq_conn_after(struct kmq_qmgr *qmgr, const u8 *id);
bool kmq_conn_set_quiescing(struct kmq_qmgr *qmgr, const u8 *id,
			    bool quiescing);
void kmq_conns_doom(struct kmq_qmgr *qmgr);
void kmq_conn_put(struct kmq_conn *conn);

static inline struct kmq_conn *kmq_conn_get(struct kmq_conn *conn)
{
	kref_get(&conn->ref);
	return conn;
}

/* Has it as many handles as it may have? (2017) */
static inline bool kmq_conn_is_full(const struct kmq_conn *conn)
{
	return conn->handle_count >= READ_ONCE(conn->qmgr->attrs.max_handles);
}

/**
 * kmq_conn_enter - take the call lock, if it is free
 * @conn: connection; the caller keeps a reference until it has left
 *
 * This and kmq_conn_leave() are the only ways to take it and to give it up.
 *
 * Return: false: somebody has it.
 */
static inline bool kmq_conn_enter(struct kmq_conn *conn)
{
	if (!mutex_trylock(&conn->call))
		return false;
	if (unlikely(atomic_read(&conn->due)))
		kmq_conn_catch_up(conn);
	return true;
}

/**
 * kmq_conn_leave - give the call lock up
 * @conn: connection
 */
static inline void kmq_conn_leave(struct kmq_conn *conn)
{
	mutex_unlock(&conn->call);
	smp_mb(); /* (D) above */
	if (unlikely(atomic_read(&conn->due)))
		kmq_conn_settle(conn);
}

/**
 * kmq_conn_is_broken - can no more calls be made (2009)
 * @conn: connection; the call lock need not be held
 */
static inline bool kmq_conn_is_broken(const struct kmq_conn *conn)
{
	/* Pairs with the release in kmq_conn_establish(). */
	const struct kmq_owner *owner = smp_load_acquire(&conn->owner);

	return READ_ONCE(conn->broken) ||
	       (owner && unlikely(READ_ONCE(owner->gone)) && !conn->plain);
}

void kmq_conn_take_numbers(struct kmq_conn *conn);

/**
 * kmq_conn_new_id - make a MsgId, CorrelId or GroupId (M-ID-2, P-OPT-12)
 * @conn: connection; its call lock is held
 * @id: KMQ_ID_LEN bytes
 *
 * Those of a connection ascend.
 */
static __always_inline void kmq_conn_new_id(struct kmq_conn *conn, u8 *id)
{
	if (unlikely(!conn->numbers))
		kmq_conn_take_numbers(conn);
	conn->numbers--;
	kmq_qmgr_make_id(conn->qmgr, conn->number++, id);
}

/**
 * kmq_conn_wait_begin - say where a call of the connection is going to wait
 * @conn: connection
 * @queue: queue, locked, at which the waiter stands already
 *
 * Return: false if the connection has been broken, perhaps without looking for
 * the waiter; true if it will be found.
 */
static inline bool kmq_conn_wait_begin(struct kmq_conn *conn,
				       struct kmq_queue *queue)
{
	rcu_assign_pointer(conn->waiting_at, queue);
	smp_mb(); /* Pairs with the one in kmq_conn_break(). */
	return !READ_ONCE(conn->broken);
}

/* A wait has ended. */
static inline void kmq_conn_wait_end(struct kmq_conn *conn)
{
	RCU_INIT_POINTER(conn->waiting_at, NULL);
}

#endif /* KMQ_CONN_H */
