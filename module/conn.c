// SPDX-License-Identifier: GPL-2.0
/*
 * Connections: owners of a unit of work and of queue handles.
 */
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include "conn.h"
#include "context.h"
#include "handle.h"
#include "owner.h"
#include "qmgr.h"
#include "queue.h"

/**
 * kmq_conn_alloc - make a connection
 * @qmgr: queue manager
 *
 * Return: the connection with one reference, or NULL.
 */
struct kmq_conn *kmq_conn_alloc(struct kmq_qmgr *qmgr)
{
	struct kmq_conn *conn = kzalloc(sizeof(*conn), GFP_KERNEL_ACCOUNT);

	if (!conn)
		return NULL;
	mutex_init(&conn->call);
	spin_lock_init(&conn->wait_lock);
	init_waitqueue_head(&conn->poll);
	kref_init(&conn->ref);
	conn->qmgr = kmq_qmgr_get(qmgr);
	INIT_LIST_HEAD(&conn->handles);
	INIT_LIST_HEAD(&conn->owner_link);
	RB_CLEAR_NODE(&conn->node);
	INIT_LIST_HEAD(&conn->windows);
	mutex_init(&conn->windows_lock);
	kmq_uow_init(&conn->uow);
	return conn;
}

/* Of the events in @mask those in @now are the case from now on. */
static void kmq_conn_set_events_locked(struct kmq_conn *conn, u16 mask, u16 now)
{
	u16 begins = now & ~conn->holds;

	lockdep_assert_held(&conn->wait_lock);
	conn->holds = (conn->holds & ~mask) | now;
	WRITE_ONCE(conn->quiescing, conn->holds & KMQ_EVENT_CONN_QUIESCING);
	WRITE_ONCE(conn->began, conn->began | begins);
	if (begins)
		wake_up_interruptible_poll(&conn->poll, EPOLLPRI);
}

/**
 * kmq_conn_events - what concerns the whole connection (A-CBC-4)
 * @conn: connection
 * @take: @began is known from now on
 * @began: set to KMQ_EVENT_* that have begun since they were taken
 * @holds: set to those that are the case
 *
 * Whoever looks in between, what begins is taken once.
 */
void kmq_conn_events(struct kmq_conn *conn, bool take, u16 *began, u16 *holds)
{
	spin_lock(&conn->wait_lock);
	*began = conn->began;
	*holds = conn->holds;
	if (take)
		WRITE_ONCE(conn->began, 0);
	spin_unlock(&conn->wait_lock);
}

static u16 kmq_state_event(u32 state)
{
	switch (state) {
	case KMQ_QMGR_QUIESCING:
		return KMQ_EVENT_QUIESCING;
	case KMQ_QMGR_STOPPING:
		return KMQ_EVENT_STOPPING;
	default:
		return 0;
	}
}

/*
 * The state is read under the lock under which it is kept, so the one told last is
 * the one that holds, whoever tells it.
 */
static void kmq_conn_tell_state(struct kmq_conn *conn)
{
	spin_lock(&conn->wait_lock);
	kmq_conn_set_events_locked(conn,
				   KMQ_EVENT_QUIESCING | KMQ_EVENT_STOPPING,
				   kmq_state_event(READ_ONCE(conn->qmgr->state)));
	spin_unlock(&conn->wait_lock);
}

/* The first connection behind an identifier, or of all. */
static struct kmq_conn *kmq_conn_behind_locked(struct kmq_qmgr *qmgr,
					       const u8 *id)
{
	struct rb_node *node = qmgr->conns.root.rb_node;
	struct kmq_conn *found = NULL;

	lockdep_assert_held(&qmgr->conns_lock);
	while (node) {
		struct kmq_conn *conn = rb_entry(node, struct kmq_conn, node);

		if (!id || kmq_id_compare(id, conn->id) < 0) {
			found = conn;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return found;
}

/**
 * kmq_conn_after - the connection that was made next
 * @qmgr: queue manager
 * @id: ConnectionId of a connection, which may be gone; NULL: begin
 *
 * Return: the first one with a greater ConnectionId, referenced, or NULL.
 */
struct kmq_conn *kmq_conn_after(struct kmq_qmgr *qmgr, const u8 *id)
{
	struct kmq_conn *conn;

	mutex_lock(&qmgr->conns_lock);
	conn = kmq_conn_behind_locked(qmgr, id);
	/* One that ends just now is in the tree until it gets the lock. */
	while (conn && !kref_get_unless_zero(&conn->ref))
		conn = rb_entry_safe(rb_next(&conn->node), struct kmq_conn,
				     node);
	mutex_unlock(&qmgr->conns_lock);
	return conn;
}

/* The connection that was made after @conn, whose reference is given back. */
static struct kmq_conn *kmq_conn_following(struct kmq_qmgr *qmgr,
					   struct kmq_conn *conn)
{
	struct kmq_conn *next = kmq_conn_after(qmgr, conn ? conn->id : NULL);

	if (conn)
		kmq_conn_put(conn);
	cond_resched();
	return next;
}

/**
 * kmq_conns_tell_state - let all connections know of a new state
 * @qmgr: queue manager, whose state it is already; names not locked
 *
 * One that is made meanwhile is found, or has seen the new state.
 */
void kmq_conns_tell_state(struct kmq_qmgr *qmgr)
{
	struct kmq_conn *conn = NULL;

	while ((conn = kmq_conn_following(qmgr, conn)))
		kmq_conn_tell_state(conn);
}

static bool kmq_conn_less(const struct rb_node *a, const struct rb_node *b)
{
	return kmq_id_compare(rb_entry(a, struct kmq_conn, node)->id,
			      rb_entry(b, struct kmq_conn, node)->id) < 0;
}

/**
 * kmq_conn_establish - take down who connects
 * @conn: connection; its call lock is held
 *
 * Return: 0 or -ENOMEM.
 */
int kmq_conn_establish(struct kmq_conn *conn)
{
	struct kmq_owner *owner;

	lockdep_assert_held(&conn->call);
	conn->context = kmq_context_of_caller();
	if (!conn->context)
		return -ENOMEM;
	owner = kmq_owner_of_caller();
	if (!owner) {
		kmq_context_put(conn->context);
		conn->context = NULL;
		return -ENOMEM;
	}
	/* Whoever closes a file of the connection looks at it at any time. */
	smp_store_release(&conn->owner, owner);
	if (!conn->plain)
		kmq_owner_add(owner, conn);
	conn->thread = get_pid(task_pid(current));
	conn->since = ktime_get_real_ns();
	mutex_lock(&conn->qmgr->conns_lock);
	/* Under the lock, so that who goes on behind the last one misses none. */
	kmq_qmgr_new_id(conn->qmgr, conn->id);
	/* So that connections do not all begin with the same instance. */
	conn->turn = get_unaligned_be32(conn->id + KMQ_ID_LEN - sizeof(u32));
	kmq_tree_add(&conn->qmgr->conns, &conn->node, kmq_conn_less);
	mutex_unlock(&conn->qmgr->conns_lock);
	kmq_conn_tell_state(conn);
	conn->connected = true;
	return 0;
}

/* So many that connections seldom meet at the counter of the queue manager. */
#define KMQ_CONN_NUMBERS	64

/**
 * kmq_conn_take_numbers - provide for the next identifiers
 * @conn: connection that has no number left; its call lock is held
 */
void kmq_conn_take_numbers(struct kmq_conn *conn)
{
	conn->number = kmq_qmgr_new_numbers(conn->qmgr, KMQ_CONN_NUMBERS);
	conn->numbers = KMQ_CONN_NUMBERS;
}

/* End the wait of a call that may be under way. */
static void kmq_conn_cancel_wait(struct kmq_conn *conn)
{
	struct kmq_queue *queue;

	/* The wait may end, and with its handle the queue. */
	rcu_read_lock();
	queue = rcu_dereference(conn->waiting_at);
	if (queue && !kref_get_unless_zero(&queue->ref))
		queue = NULL;
	rcu_read_unlock();
	if (!queue)
		return;
	kmq_queue_lock(queue);
	kmq_waiters_cancel_conn_locked(queue, conn, KMQ_CANCEL_BROKEN);
	mutex_unlock(&queue->lock);
	kmq_queue_put(queue);
}

/*
 * Its wait and its signals, wherever they stand: a call may be under way, and
 * holds the lock of the list of its handles. At a deleted queue there are none.
 */
static void kmq_conn_tell_quiescing(struct kmq_conn *conn)
{
	struct kmq_queue *queue = NULL;

	while ((queue = kmq_qmgr_following(conn->qmgr, queue))) {
		kmq_queue_lock(queue);
		kmq_waiters_cancel_conn_locked(queue, conn,
					       KMQ_CANCEL_CONN_QUIESCING);
		mutex_unlock(&queue->lock);
		cond_resched();
	}
}

static struct kmq_conn *kmq_conn_find(struct kmq_qmgr *qmgr, const u8 *id)
{
	struct rb_node *node;
	struct kmq_conn *conn = NULL;

	mutex_lock(&qmgr->conns_lock);
	node = qmgr->conns.root.rb_node;
	while (node) {
		int c;

		conn = rb_entry(node, struct kmq_conn, node);
		c = kmq_id_compare(id, conn->id);
		if (!c)
			break;
		node = c < 0 ? node->rb_left : node->rb_right;
	}
	if (!node || !kref_get_unless_zero(&conn->ref))
		conn = NULL;
	mutex_unlock(&qmgr->conns_lock);
	return conn;
}

/**
 * kmq_conn_set_quiescing - quiesce or resume a connection
 * @qmgr: queue manager
 * @id: ConnectionId
 * @quiescing: quiesce it: who waits or has a signal and asked for it is told
 *
 * A get that comes to wait or leave a signal just then sees it, or is seen: both
 * look under the lock of the queue.
 *
 * Return: false if there is none with that identifier.
 */
bool kmq_conn_set_quiescing(struct kmq_qmgr *qmgr, const u8 *id, bool quiescing)
{
	struct kmq_conn *conn = kmq_conn_find(qmgr, id);

	if (!conn)
		return false;
	spin_lock(&conn->wait_lock);
	kmq_conn_set_events_locked(conn, KMQ_EVENT_CONN_QUIESCING,
				   quiescing ? KMQ_EVENT_CONN_QUIESCING : 0);
	spin_unlock(&conn->wait_lock);
	kmq_qmgr_changed(qmgr);
	if (quiescing)
		kmq_conn_tell_quiescing(conn);
	kmq_conn_put(conn);
	return true;
}

/* The unit of work first, then the handles (U-END-6). Nothing if it was done. */
static void kmq_conn_end(struct kmq_conn *conn)
{
	struct kmq_handle *handle, *next;

	/* What comes back is nothing to tell it about any more (G-SIG-9). */
	list_for_each_entry(handle, &conn->handles, conn_link)
		kmq_handle_drop_signal(handle);
	kmq_uow_backout(&conn->uow, false);
	list_for_each_entry_safe(handle, next, &conn->handles, conn_link)
		kmq_handle_close(handle);
}

static void kmq_conn_free_dropped(struct kmq_conn *conn)
{
	struct kmq_handle *handle, *next;

	llist_for_each_entry_safe(handle, next, llist_del_all(&conn->dropped),
				  dropped_link) {
		kmq_handle_close(handle);
		kmq_handle_free(handle);
	}
}

/**
 * kmq_conn_catch_up - see to what is due
 * @conn: connection; its call lock is held, no call is under way
 */
void kmq_conn_catch_up(struct kmq_conn *conn)
{
	int due = atomic_xchg(&conn->due, 0);

	lockdep_assert_held(&conn->call);
	if (due & KMQ_CONN_DOOM) {
		kmq_windows_collect(&conn->uow);
		kmq_uow_doom(&conn->uow);
	}
	/* Whether that is due by now or not: before a handle of it is closed. */
	if (kmq_conn_is_broken(conn))
		kmq_conn_end(conn);
	kmq_conn_free_dropped(conn);
	if (due & KMQ_CONN_GONE && conn->on_gone)
		conn->on_gone(conn);
}

/**
 * kmq_conn_settle - see to what is due, unless somebody is there who will
 * @conn: connection, referenced by the caller
 */
void kmq_conn_settle(struct kmq_conn *conn)
{
	while (atomic_read(&conn->due) && kmq_conn_enter(conn)) {
		mutex_unlock(&conn->call);
		smp_mb(); /* (D) in conn.h */
	}
}

static void kmq_conn_have_done(struct kmq_conn *conn, int what)
{
	/* (A) in conn.h: fully ordered */
	atomic_fetch_or(what, &conn->due);
	kmq_conn_settle(conn);
}

/**
 * kmq_conns_doom - the queue manager ends: back out what is uncommitted (U-CMIT-4)
 * @qmgr: queue manager in state KMQ_QMGR_STOPPING, so that no call begins
 *
 * What belongs to a call that is under way is backed out when the call ends.
 */
void kmq_conns_doom(struct kmq_qmgr *qmgr)
{
	struct kmq_conn *conn = NULL;

	while ((conn = kmq_conn_following(qmgr, conn)))
		kmq_conn_have_done(conn, KMQ_CONN_DOOM);
}

/* Ends calls: those that begin see it, one that waits is told 2009. */
static void kmq_conn_set_broken(struct kmq_conn *conn)
{
	/*
	 * A waiter stands at its queue, sets waiting_at, then looks at broken:
	 * it sees the one or we see the other. In the latter case we get the
	 * lock of the queue after it, and find the waiter.
	 */
	WRITE_ONCE(conn->broken, true);
	smp_mb(); /* Pairs with the one in kmq_conn_wait_begin(). */
	kmq_conn_cancel_wait(conn);
	kmq_owner_del(conn);
}

/**
 * kmq_conn_break - the process or the file behind a connection is gone
 * @conn: connection
 *
 * Backs out its unit of work, then closes its handles (U-END-6). If another
 * process is in the middle of a call, that is done when the call ends.
 */
void kmq_conn_break(struct kmq_conn *conn)
{
	kmq_conn_set_broken(conn);
	kmq_conn_have_done(conn, KMQ_CONN_BREAK);
}

/**
 * kmq_conn_file_gone - the file of a connection is closed
 * @conn: connection; its @on_gone is called once it has been broken
 */
void kmq_conn_file_gone(struct kmq_conn *conn)
{
	kmq_conn_set_broken(conn);
	kmq_conn_have_done(conn, KMQ_CONN_BREAK | KMQ_CONN_GONE);
}

/**
 * kmq_conn_drop_handle - the file behind a handle is gone
 * @handle: handle that was opened, whether it has been closed or not; it is freed
 *
 * What it has at its queue, others want: they do not wait for a call that is under
 * way. But what belongs to a connection that is broken comes back in one order.
 */
void kmq_conn_drop_handle(struct kmq_handle *handle)
{
	struct kmq_conn *conn = kmq_conn_get(handle->conn);

	if (!kmq_conn_is_broken(conn))
		kmq_handle_leave_queue(handle);
	/* From then on it is another's. */
	llist_add(&handle->dropped_link, &conn->dropped);
	kmq_conn_have_done(conn, KMQ_CONN_HANDLES);
	kmq_conn_put(conn);
}

static void kmq_conn_release(struct kref *ref)
{
	struct kmq_conn *conn = container_of(ref, struct kmq_conn, ref);

	if (!RB_EMPTY_NODE(&conn->node)) {
		mutex_lock(&conn->qmgr->conns_lock);
		kmq_tree_del(&conn->qmgr->conns, &conn->node);
		mutex_unlock(&conn->qmgr->conns_lock);
	}
	kmq_uow_release(&conn->uow);
	if (conn->context)
		kmq_context_put(conn->context);
	put_pid(conn->thread);
	kmq_owner_del(conn);
	if (conn->owner)
		kmq_owner_put(conn->owner);
	mutex_destroy(&conn->windows_lock);
	mutex_destroy(&conn->call);
	kmq_qmgr_put(conn->qmgr);
	kfree(conn);
}

void kmq_conn_put(struct kmq_conn *conn)
{
	kref_put(&conn->ref, kmq_conn_release);
}
