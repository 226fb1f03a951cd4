// SPDX-License-Identifier: GPL-2.0
/*
 * Connections: owners of a unit of work and of queue handles.
 */
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "conn.h"
#include "context.h"
#include "handle.h"
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
	kref_init(&conn->ref);
	conn->qmgr = kmq_qmgr_get(qmgr);
	INIT_LIST_HEAD(&conn->handles);
	kmq_uow_init(&conn->uow);
	return conn;
}

/**
 * kmq_conn_establish - take down who connects
 * @conn: connection; its call lock is held
 *
 * Return: 0 or -ENOMEM.
 */
int kmq_conn_establish(struct kmq_conn *conn)
{
	lockdep_assert_held(&conn->call);
	conn->context = kmq_context_of_caller();
	if (!conn->context)
		return -ENOMEM;
	conn->owner = get_pid(task_tgid(current));
	kmq_qmgr_new_id(conn->qmgr, conn->id);
	conn->connected = true;
	return 0;
}

/**
 * kmq_conn_wait_begin - say where a call of the connection is going to wait
 * @conn: connection
 * @queue: queue
 */
void kmq_conn_wait_begin(struct kmq_conn *conn, struct kmq_queue *queue)
{
	spin_lock(&conn->wait_lock);
	conn->waiting_at = queue;
	spin_unlock(&conn->wait_lock);
}

void kmq_conn_wait_end(struct kmq_conn *conn)
{
	spin_lock(&conn->wait_lock);
	conn->waiting_at = NULL;
	spin_unlock(&conn->wait_lock);
}

/* End the wait of a call that may be under way. */
static void kmq_conn_cancel_wait(struct kmq_conn *conn)
{
	struct kmq_queue *queue;

	spin_lock(&conn->wait_lock);
	queue = conn->waiting_at;
	if (queue)
		kmq_queue_get(queue);
	spin_unlock(&conn->wait_lock);
	if (!queue)
		return;
	mutex_lock(&queue->lock);
	kmq_waiters_cancel_conn_locked(queue, conn, KMQ_CANCEL_BROKEN);
	mutex_unlock(&queue->lock);
	kmq_queue_put(queue);
}

/**
 * kmq_conn_break - the process or the file behind a connection is gone
 * @conn: connection
 *
 * Backs out its unit of work, then closes its handles (U-END-6). A call that is
 * under way in another process ends first; one that waits is told 2009.
 */
void kmq_conn_break(struct kmq_conn *conn)
{
	struct kmq_handle *handle, *next;

	/*
	 * A waiter sets waiting_at before it looks at broken, both under the
	 * queue's lock or wait_lock: it sees the one or we see the other.
	 */
	spin_lock(&conn->wait_lock);
	conn->broken = true;
	spin_unlock(&conn->wait_lock);
	kmq_conn_cancel_wait(conn);

	mutex_lock(&conn->call);
	kmq_uow_backout(&conn->uow, false);
	list_for_each_entry_safe(handle, next, &conn->handles, conn_link)
		kmq_handle_close(handle);
	mutex_unlock(&conn->call);
}

static void kmq_conn_release(struct kref *ref)
{
	struct kmq_conn *conn = container_of(ref, struct kmq_conn, ref);

	kmq_uow_release(&conn->uow);
	if (conn->context)
		kmq_context_put(conn->context);
	put_pid(conn->owner);
	mutex_destroy(&conn->call);
	kmq_qmgr_put(conn->qmgr);
	kfree(conn);
}

void kmq_conn_put(struct kmq_conn *conn)
{
	kref_put(&conn->ref, kmq_conn_release);
}
