// SPDX-License-Identifier: GPL-2.0
/*
 * Who uses a queue manager: its connections, and the handles of its queues.
 *
 * Handles are read under the lock of their queue, one queue after the other.
 * The call lock of a connection is never taken: it is held over waits, and a
 * call that met it would be refused. What it guards is read as it is, field by
 * field; nothing is followed that only it keeps alive.
 */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include "admin.h"
#include "census.h"
#include "conn.h"
#include "context.h"
#include "handle.h"
#include "notify.h"
#include "qmgr.h"
#include "queue.h"

/* The effective user when the connection was made. */
static kuid_t kmq_census_user(const struct kmq_conn *conn)
{
	return make_kuid(&init_user_ns, conn->context->c.uid);
}

static bool kmq_census_shows(const struct kmq_conn *conn, bool all)
{
	return !kmq_conn_is_broken(conn) &&
	       (all || uid_eq(kmq_census_user(conn), current_euid()));
}

static void kmq_census_handle(struct kmq_handle_info *info,
			      const struct kmq_handle *handle)
{
	const struct kmq_queue *queue = handle->queue;
	const struct kmq_conn *conn = handle->conn;

	lockdep_assert_held(&queue->lock);
	info->number = handle->number;
	memcpy(info->q_name, queue->name, KMQ_NAME_LEN);
	memcpy(info->object_name, READ_ONCE(handle->named)->name,
	       KMQ_NAME_LEN);
	memcpy(info->connection_id, conn->id, KMQ_ID_LEN);
	info->options = handle->options;
	info->pid = pid_vnr(conn->owner->pid);
	info->tid = pid_vnr(conn->thread);
	info->uid = from_kuid_munged(current_user_ns(), kmq_census_user(conn));
	info->appl_type = conn->context->c.appl_type;
	memcpy(info->appl_name, conn->context->c.appl_name,
	       sizeof(info->appl_name));
	if (handle->may & KMQ_MAY_GET)
		info->flags |= KMQ_HANDLE_INPUT;
	if (handle->may & KMQ_MAY_GET && queue->exclusive_input)
		info->flags |= KMQ_HANDLE_EXCLUSIVE;
	if (handle->signal_status == KMQ_SIGNAL_OUTSTANDING)
		info->flags |= KMQ_HANDLE_SIGNAL;
	if (!list_empty(&handle->locked))
		info->flags |= KMQ_HANDLE_LOCKED;
}

/* The handles of one queue behind a number; false if there is no more room. */
static bool kmq_census_queue(struct kmq_queue *queue, struct kmq_handles *cmd,
			     u64 after, struct kmq_handle_info *infos, bool all)
{
	const struct kmq_handle *handle;
	bool room = true;

	kmq_queue_lock_beside(queue);
	list_for_each_entry(handle, &queue->handles, queue_link) {
		if (handle->number <= after ||
		    !kmq_census_shows(handle->conn, all))
			continue;
		room = cmd->out_count < cmd->count;
		if (!room)
			break;
		kmq_census_handle(&infos[cmd->out_count++], handle);
	}
	mutex_unlock(&queue->lock);
	return room;
}

/* Where a listing goes on: the queue it had come to may be gone. */
static struct kmq_queue *kmq_census_start(struct kmq_qmgr *qmgr,
					  const struct kmq_handles *cmd)
{
	struct kmq_queue *queue = NULL;

	if (cmd->after[0] != ' ')
		queue = kmq_qmgr_find_locked(qmgr, cmd->after);
	return queue ? queue : kmq_qmgr_next_locked(qmgr, cmd->after);
}

/**
 * kmq_census_handles - list open handles
 * @qmgr: queue manager
 * @cmd: the command, names padded; out_count and out_more are set
 * @infos: room for cmd->count entries, all bytes zero
 * @all: not only those of the caller's user
 */
void kmq_census_handles(struct kmq_qmgr *qmgr, struct kmq_handles *cmd,
			struct kmq_handle_info *infos, bool all)
{
	struct kmq_queue *queue;
	bool room = true;

	cmd->out_count = 0;
	down_read(&qmgr->names);
	for (queue = kmq_census_start(qmgr, cmd); queue && room;
	     queue = rb_entry_safe(rb_next(&queue->node), struct kmq_queue,
				   node)) {
		u64 after = kmq_name_equal(queue->name, cmd->after) ?
			    cmd->after_number : 0;

		if (kmq_admin_matches(cmd->pattern, queue->name))
			room = kmq_census_queue(queue, cmd, after, infos, all);
		cond_resched();
	}
	up_read(&qmgr->names);
	cmd->out_more = !room;
}

/* Which queue a call of the connection waits at, if one does. */
static void kmq_census_wait(struct kmq_conn_info *info, struct kmq_conn *conn)
{
	const struct kmq_queue *queue;

	memset(info->wait_q_name, ' ', KMQ_NAME_LEN);
	rcu_read_lock();
	queue = rcu_dereference(conn->waiting_at);
	if (queue) {
		memcpy(info->wait_q_name, queue->name, KMQ_NAME_LEN);
		info->flags |= KMQ_CONN_WAITING;
	}
	rcu_read_unlock();
}

static void kmq_census_conn(struct kmq_conn_info *info, struct kmq_conn *conn)
{
	const struct kmq_context *context = &conn->context->c;
	u32 claimed;

	memcpy(info->connection_id, conn->id, KMQ_ID_LEN);
	info->connect_time = conn->since;
	info->pid = pid_vnr(conn->owner->pid);
	info->tid = pid_vnr(conn->thread);
	info->uid = from_kuid_munged(current_user_ns(), kmq_census_user(conn));
	info->appl_type = context->appl_type;
	memcpy(info->appl_name, context->appl_name, sizeof(info->appl_name));
	if (READ_ONCE(conn->quiescing))
		info->flags |= KMQ_CONN_QUIESCING;
	if (conn->plain)
		info->flags |= KMQ_CONN_PLAIN;
	kmq_census_wait(info, conn);
	/* Of these a call that is under way may change one and not yet another. */
	info->handle_count = data_race(conn->handle_count);
	claimed = kmq_windows_claimed(conn);
	/* likewise */
	info->uncommitted = data_race(conn->uow.count) + claimed;
	/* likewise */
	if (data_race(conn->uow.open) || claimed) {
		info->flags |= KMQ_CONN_UOW;
		/* likewise */
		info->uow_time = data_race(conn->uow.since);
	}
}

/**
 * kmq_census_conns - list connections
 * @qmgr: queue manager
 * @cmd: the command; out_count and out_more are set
 * @infos: room for cmd->count entries, all bytes zero
 * @all: not only those of the caller's user
 */
void kmq_census_conns(struct kmq_qmgr *qmgr, struct kmq_conns *cmd,
		      struct kmq_conn_info *infos, bool all)
{
	struct kmq_conn *conn;
	bool room = true;

	cmd->out_count = 0;
	mutex_lock(&qmgr->conns_lock);
	list_for_each_entry(conn, &qmgr->conns, link) {
		if (memcmp(conn->id, cmd->after, KMQ_ID_LEN) <= 0 ||
		    !kmq_census_shows(conn, all))
			continue;
		room = cmd->out_count < cmd->count;
		if (!room)
			break;
		kmq_census_conn(&infos[cmd->out_count++], conn);
	}
	mutex_unlock(&qmgr->conns_lock);
	cmd->out_more = !room;
}
