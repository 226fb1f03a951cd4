// SPDX-License-Identifier: GPL-2.0
/*
 * Who uses a queue manager: its connections, and the handles of its queues.
 *
 * Nothing that others need is held from one entry to the next: connections are
 * found one after the other by their identifiers, queues by their names, and
 * handles are read under the lock of their queue, a few at a time.
 *
 * The call lock of a connection is never taken: it is held over waits, and a
 * call that met it would be refused. What it guards is read as it is, field by
 * field; nothing is followed that only it keeps alive.
 */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
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

/* So many are looked at before others get the lock of the queue. */
#define KMQ_CENSUS_STEP	64

/**
 * struct kmq_census - a listing of handles
 * @cmd: the command
 * @infos: room for cmd->count entries
 * @all: not only those of the caller's user
 * @after: number of the last handle that was looked at
 * @full: there are more than there is room for
 */
struct kmq_census {
	struct kmq_handles *cmd;
	struct kmq_handle_info *infos;
	bool all;
	u64 after;
	bool full;
};

/* The next handles of a queue; false if there are no more. */
static bool kmq_census_some(struct kmq_queue *queue, struct kmq_census *census)
{
	struct kmq_handles *cmd = census->cmd;
	const struct kmq_handle *handle;
	int left = KMQ_CENSUS_STEP;

	kmq_queue_lock_beside(queue);
	handle = kmq_handle_behind_locked(queue, census->after);
	for (; handle && left; left--) {
		bool shows = kmq_census_shows(handle->conn, census->all);

		census->full = shows && cmd->out_count == cmd->count;
		if (census->full)
			break;
		if (shows)
			kmq_census_handle(&census->infos[cmd->out_count++],
					  handle);
		census->after = handle->number;
		handle = kmq_handle_of_node(rb_next(&handle->queue_node));
	}
	mutex_unlock(&queue->lock);
	return handle && !census->full;
}

/* Where a listing goes on: the queue it had come to may be gone. */
static struct kmq_queue *kmq_census_start(struct kmq_qmgr *qmgr,
					  struct kmq_census *census)
{
	const struct kmq_handles *cmd = census->cmd;
	struct kmq_queue *queue = NULL;

	down_read(&qmgr->names);
	if (cmd->after[0] != ' ')
		queue = kmq_qmgr_find_locked(qmgr, cmd->after);
	if (queue)
		census->after = cmd->after_number;
	else
		queue = kmq_qmgr_next_locked(qmgr, cmd->after);
	if (queue)
		kmq_queue_get(queue);
	up_read(&qmgr->names);
	return queue;
}

/**
 * kmq_census_handles - list open handles
 * @qmgr: queue manager
 * @cmd: the command, names padded; out_count and out_more are set
 * @infos: room for cmd->count entries, all bytes zero
 * @all: not only those of the caller's user
 *
 * Return: 0, or -EINTR if the caller is killed meanwhile.
 */
int kmq_census_handles(struct kmq_qmgr *qmgr, struct kmq_handles *cmd,
		       struct kmq_handle_info *infos, bool all)
{
	struct kmq_census census = { .cmd = cmd, .infos = infos, .all = all };
	struct kmq_queue *queue = kmq_census_start(qmgr, &census);

	cmd->out_count = 0;
	while (queue) {
		bool more = kmq_admin_matches(cmd->pattern, queue->name) &&
			    kmq_census_some(queue, &census);

		if (census.full || fatal_signal_pending(current))
			break;
		cond_resched();
		if (more)
			continue;
		census.after = 0;
		queue = kmq_qmgr_following(qmgr, queue);
	}
	cmd->out_more = census.full;
	if (!queue)
		return 0;
	kmq_queue_put(queue);
	return census.full ? 0 : -EINTR;
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
 *
 * Return: 0, or -EINTR if the caller is killed meanwhile.
 */
int kmq_census_conns(struct kmq_qmgr *qmgr, struct kmq_conns *cmd,
		     struct kmq_conn_info *infos, bool all)
{
	struct kmq_conn *conn = kmq_conn_after(qmgr, cmd->after);

	cmd->out_count = 0;
	while (conn) {
		struct kmq_conn *was = conn;

		if (kmq_census_shows(conn, all)) {
			if (cmd->out_count == cmd->count)
				break;
			kmq_census_conn(&infos[cmd->out_count++], conn);
		}
		if (fatal_signal_pending(current))
			break;
		conn = kmq_conn_after(qmgr, was->id);
		kmq_conn_put(was);
		cond_resched();
	}
	cmd->out_more = !!conn;
	if (!conn)
		return 0;
	kmq_conn_put(conn);
	return fatal_signal_pending(current) ? -EINTR : 0;
}
