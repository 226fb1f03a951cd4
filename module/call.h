/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_CALL_H
#define KMQ_CALL_H

#include <linux/types.h>
#include <linux/uio.h>
#include <linux/kmq.h>
#include "conn.h"
#include "handle.h"
#include "mqi.h"
#include "put.h"
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
 * negative errno, nothing has happened. Puts come with functions of the entry layer
 * for the memory of the program, struct kmq_put_io; only gets like the last one of a
 * handle read and write user memory themselves, see struct kmq_get_again.
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
 * struct kmq_put_run - puts of one handle, or one MQPUT1
 * @conn: connection
 * @handle: handle; NULL for MQPUT1
 * @named: definition the program named
 * @queue: queue it led to
 * @route: route of the handle, or of the name that MQPUT1 gave; NULL: to @queue
 * @may: what the handle, or the caller of MQPUT1, may do
 * @cmds: the commands, up to KMQ_PUT_RUN_MAX; generated identifiers are set in them
 * @items: room for their group fields
 * @plans: room for plans, KMQ_PUT_PLANS with a handle, else one
 * @user: where the first command came from, and where its answer goes
 * @stride: distance from there to the next one
 * @data: of a single put whose data does not come from user memory
 * @context_file: file whose handle's context is passed on, or NULL
 * @err: out: errno of the put that was not carried out, or of an answer that could
 *	not be written; or 0
 * @failed: out: the last put that was carried out has failed
 *
 * What follows is for the use of the calls layer:
 *
 * @plan: what to do with the messages that are being made
 * @context_handle: handle whose context is passed on, or NULL
 * @dest: where they go, or NULL: to @queue
 * @no_dest: reason why there is no such place
 * @part: part of the unit of work they are placed in, or NULL
 * @context: their context
 * @own_context: @context is referenced
 * @watched: the queue watched as they were placed
 * @due: a trigger message is due for them
 * @last: group information as the puts before leave it, or NULL
 * @ahead: room for it
 * @time: time of the puts
 * @deadline: when the messages expire, with KMQ_PUT_EXPIRES
 * @reason: why the put behind those that were placed fails, or 0
 * @woken_count: waiters that have been given a message and are to be woken
 * @spares: messages to be used again
 * @msgs: messages that are made
 * @woken: the tasks of those waiters
 */
struct kmq_put_run {
	struct kmq_conn *conn;
	struct kmq_handle *handle;
	struct kmq_queue *named;
	struct kmq_queue *queue;
	struct kmq_route *route;
	u32 may;
	struct kmq_put *cmds;
	struct kmq_put_item *items;
	struct kmq_put_plan *plans;
	void __user *user;
	size_t stride;
	struct iov_iter *data;
	struct file *context_file;
	int err;
	u32 reason;
	u32 no_dest;
	u32 woken_count;
	bool failed;
	bool own_context;
	bool watched;
	enum kmq_due due;

	const struct kmq_dest *dest;
	struct kmq_put_plan *plan;
	struct kmq_handle *context_handle;
	struct kmq_uow_queue *part;
	struct kmq_context_ref *context;
	const struct kmq_retained *last;
	struct kmq_retained ahead;
	u64 time;
	u64 deadline;
	struct kmq_msg *spares;
	struct kmq_msg *msgs[KMQ_PUT_RUN_MAX];
	struct task_struct *woken[KMQ_PUT_RUN_MAX];
};

/**
 * struct kmq_put_io - what puts have to do with the memory of who makes them
 * @parts: copies parts of the descriptor in; 0 or -EFAULT
 * @parts_match: are reply-to names and context those that the plan was made for?
 * @context: finds the handle that KMQ_PMO_PASS names; 0 or an errno
 * @fill: copies the data into a message; 0 or -EFAULT
 * @data: of a put that is cut up or travels: its data
 * @answer: writes what the program learns of a put that was made, with a warning
 *	or without; 0 or -EFAULT
 * @refuse: writes the reason why a put has failed; 0 or -EFAULT
 */
struct kmq_put_io {
	int (*parts)(const struct kmq_put_run *run, u32 index, u32 parts,
		     struct kmq_md_ext *ext);
	bool (*parts_match)(const struct kmq_put_run *run, u32 index,
			    const struct kmq_put_plan *plan);
	int (*context)(struct kmq_put_run *run, u32 index);
	int (*fill)(const struct kmq_put_run *run, u32 index,
		    struct kmq_msg *msg);
	void (*data)(const struct kmq_put_run *run, u32 index,
		     struct iov_iter *data);
	int (*answer)(const struct kmq_put_run *run, u32 index, u32 steps);
	int (*refuse)(const struct kmq_put_run *run, u32 index, u32 reason);
};

/**
 * kmq_put_run_through - the puts are made through a handle: MQPUT
 * @run: the puts; what the handle says of them is set
 * @handle: handle
 */
static __always_inline void kmq_put_run_through(struct kmq_put_run *run,
						struct kmq_handle *handle)
{
	run->handle = handle;
	run->conn = handle->conn;
	run->named = handle->named;
	run->queue = handle->queue;
	run->may = handle->may;
	run->route = handle->route;
	run->plans = handle->put_plans;
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

u32 kmq_call_put(struct kmq_put_run *run, const struct kmq_put_io *io,
		 u32 count);
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
struct kmq_queue *kmq_definition_place_locked(struct kmq_queue *named);
void kmq_definition_tell(struct kmq_queue *named, struct kmq_queue *place);
bool kmq_attrs_counts_valid(struct kmq_attrs *cmd);

#endif /* KMQ_CALL_H */
