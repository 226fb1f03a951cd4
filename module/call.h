/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_CALL_H
#define KMQ_CALL_H

#include <linux/types.h>
#include <linux/uio.h>
#include <linux/kmq.h>
#include "conn.h"
#include "handle.h"
#include "mqi.h"
#include "qmgr.h"
#include "watch.h"
#include "window.h"

struct kmq_dest;
struct kmq_object;
struct kmq_qmgr;
struct kmq_queue;
struct kmq_route;

/**
 * DOC: The calls layer
 *
 * Each function carries out one MQI call: the checks in the order of the
 * specification, the choice of the reason, and the work by means of the engine.
 * It gets kernel structures only: the command, copied in, and an iov_iter for
 * message data. Return values: 0, the MQI result is in the command; or a
 * negative errno, nothing has happened. Only calls like the last one of a handle
 * read and write user memory themselves, see struct kmq_put_again.
 */

/* Set the result of a call; the kind of struct does not matter. */
#define kmq_result(cmd, comp, reason) ({				\
	typeof(cmd) _cmd = (cmd);					\
									\
	_cmd->out_comp_code = (comp);					\
	_cmd->out_reason = (reason);					\
	0;								\
})
#define kmq_ok(cmd)		kmq_result(cmd, MQCC_OK, MQRC_NONE)
#define kmq_warn(cmd, reason)	kmq_result(cmd, MQCC_WARNING, reason)
#define kmq_fail(cmd, reason)	kmq_result(cmd, MQCC_FAILED, reason)

/**
 * struct kmq_open_call - MQOPEN
 * @cmd: the command
 * @conn: connection
 * @queue: definition of the node
 * @uid: owner of a dynamic queue that is made
 * @gid: its group
 * @can_read: the file was opened for reading
 * @can_write: the file was opened for writing
 * @is_owner: the caller owns the node or is privileged
 * @may_administer: of a model: he may administer its queue manager
 * @maker: the account of the caller
 * @first_input: out: it is the first one open for input
 * @handle: out: the new handle
 */
struct kmq_open_call {
	struct kmq_open *cmd;
	struct kmq_conn *conn;
	struct kmq_queue *queue;
	bool can_read;
	bool can_write;
	bool is_owner;
	bool may_administer;
	kuid_t maker;
	s32 uid;
	s32 gid;
	bool first_input;
	struct kmq_handle *handle;
};

/**
 * struct kmq_put_call - MQPUT or MQPUT1
 * @cmd: the command
 * @ext: parts named by @cmd->present; out: parts named by @cmd->out_present
 * @data: message data
 * @conn: connection
 * @named: definition the program named
 * @queue: queue it led to
 * @handle: handle; NULL for MQPUT1
 * @context_handle: handle named by @cmd->context_fd, or NULL
 * @may: what the handle, or the caller of MQPUT1, may do
 * @route: route of the handle, or of the name that MQPUT1 gave; NULL: to @queue
 * @dest: destination chosen from @route, or NULL
 * @no_dest: reason why there is none
 * @watched: the queue watched as the message was placed
 * @due: a trigger message is due for it
 */
struct kmq_put_call {
	struct kmq_put *cmd;
	struct kmq_md_ext *ext;
	struct iov_iter data;
	struct kmq_conn *conn;
	struct kmq_queue *named;
	struct kmq_queue *queue;
	struct kmq_handle *handle;
	struct kmq_handle *context_handle;
	u32 may;
	struct kmq_route *route;
	const struct kmq_dest *dest;
	u32 no_dest;
	bool watched;
	enum kmq_due due;
};

/**
 * kmq_put_call_through - a put is one through a handle: MQPUT
 * @call: the call; what the handle says of it is set
 * @handle: handle
 */
static inline void kmq_put_call_through(struct kmq_put_call *call,
					struct kmq_handle *handle)
{
	call->handle = handle;
	call->conn = handle->conn;
	call->named = handle->named;
	call->queue = handle->queue;
	call->may = handle->may;
	call->route = handle->route;
}

/**
 * struct kmq_get_call - MQGET
 * @cmd: the command
 * @ext: GROUP part if the match options need it; out: parts named by
 *	@cmd->out_present
 * @data: the buffer
 * @handle: handle
 * @nonblocking: do not wait, whatever the options say
 * @publish: writes the command and @ext back to the program; called when they
 *	are complete and the message is still in hand. If it fails nothing has
 *	happened. May be NULL
 */
struct kmq_get_call {
	struct kmq_get *cmd;
	struct kmq_md_ext *ext;
	struct iov_iter data;
	struct kmq_handle *handle;
	bool nonblocking;
	int (*publish)(struct kmq_get_call *call);
};

/**
 * struct kmq_attrs_call - MQINQ or MQSET
 * @cmd: the command
 * @qmgr: queue manager
 * @queue: queue, or NULL: what @cmd names, the queue manager itself, a process
 *	or a namelist
 * @object: used by MQINQ for the latter
 * @selectors: copy of the selectors
 * @ints: integer attributes; out for MQINQ
 * @chars: character attributes; out for MQINQ
 * @ints_used: MQINQ: integers that were set
 * @chars_used: MQINQ: bytes that were set
 */
struct kmq_attrs_call {
	struct kmq_attrs *cmd;
	struct kmq_qmgr *qmgr;
	struct kmq_queue *queue;
	const struct kmq_object *object;
	const s32 *selectors;
	s32 *ints;
	u8 *chars;
	u32 ints_used;
	u32 chars_used;
};

u32 kmq_call_refused(const struct kmq_conn *conn);

/**
 * kmq_call_begin - begin a call of a connection
 * @conn: connection
 *
 * One call runs at a time. To be ended with kmq_call_end() if it succeeds.
 *
 * Return: 0, or the reason why no call can be made: 2219, 2018, 2009, 2162.
 */
static inline u32 kmq_call_begin(struct kmq_conn *conn)
{
	u32 reason = MQRC_NONE;

	if (!kmq_conn_enter(conn))
		return kmq_call_refused(conn);
	if (unlikely(!conn->connected))
		reason = MQRC_HCONN_ERROR;
	else if (unlikely(kmq_conn_is_broken(conn)))
		reason = MQRC_CONNECTION_BROKEN;
	else if (unlikely(READ_ONCE(conn->qmgr->state) == KMQ_QMGR_STOPPING))
		reason = MQRC_Q_MGR_STOPPING;
	if (unlikely(reason))
		kmq_conn_leave(conn);
	else if (unlikely(!list_empty(&conn->uow.windows)))
		kmq_windows_collect(&conn->uow);
	return reason;
}

/**
 * kmq_call_make_room - let no window take the unit of work beyond its limit
 * @conn: connection
 * @more: messages that the call adds to the unit, at most
 */
static inline void kmq_call_make_room(struct kmq_conn *conn, u32 more)
{
	struct kmq_unit *uow = &conn->uow;

	if (unlikely(uow->promised) &&
	    (u64)uow->count + uow->promised + more >
	    READ_ONCE(conn->qmgr->attrs.max_uncommitted_msgs))
		kmq_windows_withdraw(uow);
}

static inline void kmq_call_end(struct kmq_conn *conn)
{
	kmq_conn_leave(conn);
}

int kmq_call_connect(struct kmq_conn *conn, struct kmq_connect *cmd);
int kmq_call_begin_uow(struct kmq_conn *conn, struct kmq_uow *cmd);
int kmq_call_commit(struct kmq_conn *conn, struct kmq_uow *cmd);
int kmq_call_backout(struct kmq_conn *conn, struct kmq_uow *cmd);
int kmq_call_open(struct kmq_open_call *call);
int kmq_call_close(struct kmq_handle *handle, struct kmq_close *cmd);
/* Puts or gets that are made in one step, if they are like the one before. */
#define KMQ_AGAIN_MAX	32

/**
 * struct kmq_get_again - gets that may be like the last one of a handle
 * @handle: handle
 * @cmds: the commands
 * @count: how many, 1..KMQ_AGAIN_MAX
 * @user: where the first command came from, and where its output goes
 * @stride: distance from there to the next one
 * @whole: of a single get: the call that kmq_call_get() would be given; if set, the
 *	get may wait
 * @part: part of the unit of work, for the use of the calls layer
 * @msgs: messages, likewise
 * @last: group information that the gets before it leave, likewise
 * @ahead: room for it, likewise
 * @ordered: they change it, likewise
 * @window: out: number of the window whose messages these are, see
 *	kmq_call_get_ahead()
 * @over: the get has waited, and nothing is left to be done
 * @err: out: errno of the get that was not carried out, or 0
 */
struct kmq_get_again {
	struct kmq_handle *handle;
	struct kmq_get *cmds;
	u32 count;
	void __user *user;
	size_t stride;
	struct kmq_get_call *(*whole)(struct kmq_get_again *again);
	struct kmq_uow_queue *part;
	struct kmq_msg *msgs[KMQ_AGAIN_MAX];
	const struct kmq_retained *last;
	struct kmq_retained ahead;
	bool ordered;
	u32 window;
	bool over;
	int err;
};

/**
 * struct kmq_put_again - puts that may be like the last one of a handle
 * @handle: handle
 * @cmds: the commands; generated identifiers are set in them
 * @count: how many, 1..KMQ_AGAIN_MAX
 * @user: where the first command came from, and where its output goes
 * @stride: distance from there to the next one
 * @err: out: -EFAULT if what has been made could not be told, or 0
 *
 * What follows is for the use of the calls layer:
 *
 * @known: what the handle remembers
 * @part: part of the unit of work, or NULL
 * @context: context of the messages, kept by whoever gave it
 * @time: time of the puts
 * @ordered: their messages may belong to groups, or the handle is inside one
 * @last: group information as the puts before leave it
 * @ahead: room for it
 * @plan: what to store of the message that is being made, if @ordered
 * @spares: messages to be used again
 * @msgs: messages that are made
 * @woken: who has been given one and is to be woken
 * @woken_count: how many
 */
struct kmq_put_again {
	struct kmq_handle *handle;
	struct kmq_put *cmds;
	u32 count;
	void __user *user;
	size_t stride;
	int err;

	struct kmq_known_put *known;
	struct kmq_uow_queue *part;
	struct kmq_context_ref *context;
	u64 time;
	bool ordered;
	const struct kmq_retained *last;
	struct kmq_retained ahead;
	struct kmq_put_plan plan;
	struct kmq_msg *spares;
	struct kmq_msg *msgs[KMQ_AGAIN_MAX];
	struct task_struct *woken[KMQ_AGAIN_MAX];
	u32 woken_count;
};

int kmq_call_put(struct kmq_put_call *call);
u32 kmq_call_put_again(struct kmq_put_again *again);
int kmq_call_put_room(struct kmq_handle *handle, struct kmq_put_room *cmd);
int kmq_call_get(struct kmq_get_call *call);
void kmq_get_return_member(const struct kmq_msg *msg, struct kmq_md_ext *ext);
u32 kmq_call_get_again(struct kmq_get_again *again);
u32 kmq_call_get_ahead(struct kmq_get_again *again);
int kmq_call_window(struct kmq_handle *handle, struct kmq_window_file *cmd);
int kmq_call_signal_status(struct kmq_handle *handle,
			   struct kmq_signal_status *cmd);
int kmq_call_inquire(struct kmq_attrs_call *call);
int kmq_call_set(struct kmq_attrs_call *call);
void kmq_definition_changed(struct kmq_queue *named);
bool kmq_attrs_counts_valid(struct kmq_attrs *cmd);

#endif /* KMQ_CALL_H */
