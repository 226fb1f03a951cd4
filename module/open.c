// SPDX-License-Identifier: GPL-2.0
/*
 * MQCONN, MQOPEN and MQCLOSE (objects.md sections 2, 3 and 6).
 */
#include <linux/bits.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "call.h"
#include "cluster.h"
#include "context.h"
#include "event.h"
#include "dynamic.h"
#include "limits.h"
#include "qmgr.h"
#include "queue.h"
#include "route.h"
#include "trigger.h"

#define KMQ_OO_INPUT	(MQOO_INPUT_AS_Q_DEF | MQOO_INPUT_SHARED | \
			 MQOO_INPUT_EXCLUSIVE)
#define KMQ_OO_BIND	(MQOO_BIND_ON_OPEN | MQOO_BIND_NOT_FIXED | \
			 MQOO_BIND_ON_GROUP)
#define KMQ_OO_ACTION	(KMQ_OO_INPUT | MQOO_BROWSE | MQOO_OUTPUT | \
			 MQOO_INQUIRE | MQOO_SET)
#define KMQ_OO_CONTEXT	(MQOO_PASS_IDENTITY_CONTEXT | MQOO_PASS_ALL_CONTEXT | \
			 MQOO_SET_IDENTITY_CONTEXT | MQOO_SET_ALL_CONTEXT)
#define KMQ_OO_ALL	(KMQ_OO_ACTION | KMQ_OO_BIND | KMQ_OO_CONTEXT | \
			 MQOO_SAVE_ALL_CONTEXT | \
			 MQOO_ALTERNATE_USER_AUTHORITY | \
			 MQOO_FAIL_IF_QUIESCING | MQOO_RESOLVE_NAMES | \
			 MQOO_CO_OP | MQOO_RESOLVE_LOCAL_Q | \
			 MQOO_NO_READ_AHEAD | MQOO_READ_AHEAD | \
			 MQOO_NO_MULTICAST)

static bool kmq_more_than_one(u32 options)
{
	return options & (options - 1);
}

/**
 * kmq_call_refused - why no call can be made while the call lock is taken
 * @conn: connection
 *
 * Who has it may be at the end of the connection, or of its unit of work.
 *
 * Return: 2009, 2162 or 2219.
 */
u32 kmq_call_refused(const struct kmq_conn *conn)
{
	if (kmq_conn_is_broken(conn))
		return MQRC_CONNECTION_BROKEN;
	if (READ_ONCE(conn->qmgr->state) == KMQ_QMGR_STOPPING)
		return MQRC_Q_MGR_STOPPING;
	return MQRC_CALL_IN_PROGRESS;
}

/**
 * kmq_call_connect - MQCONN (O-CONN-2)
 * @conn: connection
 * @cmd: the command
 */
int kmq_call_connect(struct kmq_conn *conn, struct kmq_connect *cmd)
{
	u32 state = READ_ONCE(conn->qmgr->state);
	int err = 0;

	if (state != KMQ_QMGR_RUNNING)
		return kmq_fail(cmd, state == KMQ_QMGR_QUIESCING ?
				MQRC_Q_MGR_QUIESCING : MQRC_Q_MGR_STOPPING);
	if (!kmq_conn_enter(conn))
		return kmq_fail(cmd, kmq_call_refused(conn));
	if (kmq_conn_is_broken(conn))
		kmq_fail(cmd, MQRC_CONNECTION_BROKEN);
	else if (conn->connected)
		kmq_warn(cmd, MQRC_ALREADY_CONNECTED);
	else if (kmq_conn_establish(conn))
		kmq_fail(cmd, MQRC_STORAGE_NOT_AVAILABLE);
	else
		kmq_ok(cmd);
	if (cmd->out_comp_code == MQCC_OK)
		conn->spin = cmd->spin;
	if (cmd->out_comp_code != MQCC_FAILED) {
		memcpy(cmd->out_qmgr_name, conn->qmgr->name, KMQ_NAME_LEN);
		memcpy(cmd->out_connection_id, conn->id, KMQ_ID_LEN);
		cmd->out_ccsid = READ_ONCE(conn->qmgr->attrs.coded_char_set_id);
		cmd->out_ctx_id = conn->context->id;
		cmd->out_context = conn->context->c;
	}
	kmq_conn_leave(conn);
	return err;
}

/**
 * kmq_call_begin_uow - MQBEGIN (U-BEG)
 * @conn: connection
 * @cmd: the command
 */
int kmq_call_begin_uow(struct kmq_conn *conn, struct kmq_uow *cmd)
{
	u32 reason = kmq_call_begin(conn);

	if (reason)
		return kmq_fail(cmd, reason);
	if (conn->uow.open) {
		kmq_fail(cmd, MQRC_UOW_IN_PROGRESS);
	} else {
		kmq_uow_open(&conn->uow);
		kmq_warn(cmd, MQRC_NO_EXTERNAL_PARTICIPANTS);
	}
	kmq_call_end(conn);
	return 0;
}

/**
 * kmq_call_commit - MQCMIT (U-CMIT)
 * @conn: connection
 * @cmd: the command
 */
int kmq_call_commit(struct kmq_conn *conn, struct kmq_uow *cmd)
{
	u32 reason = kmq_call_begin(conn);

	if (reason)
		return kmq_fail(cmd, reason);
	if (conn->uow.doomed) {
		kmq_uow_backout(&conn->uow, false);
		kmq_warn(cmd, MQRC_BACKED_OUT);
	} else {
		kmq_uow_commit(&conn->uow);
		kmq_ok(cmd);
	}
	kmq_call_end(conn);
	return 0;
}

/**
 * kmq_call_backout - MQBACK (U-BACK)
 * @conn: connection
 * @cmd: the command
 */
int kmq_call_backout(struct kmq_conn *conn, struct kmq_uow *cmd)
{
	u32 reason = kmq_call_begin(conn);

	if (reason)
		return kmq_fail(cmd, reason);
	kmq_uow_backout(&conn->uow, !conn->uow.doomed);
	kmq_call_end(conn);
	return kmq_ok(cmd);
}

/* O-OPEN-1 */
static bool kmq_open_options_valid(u32 options)
{
	return !(options & ~KMQ_OO_ALL) && options & KMQ_OO_ACTION &&
	       !kmq_more_than_one(options & KMQ_OO_INPUT) &&
	       !kmq_more_than_one(options & KMQ_OO_BIND) &&
	       !kmq_more_than_one(options & (MQOO_READ_AHEAD |
					     MQOO_NO_READ_AHEAD)) &&
	       (options & KMQ_OO_INPUT || !(options & MQOO_SAVE_ALL_CONTEXT)) &&
	       (options & MQOO_OUTPUT || !(options & (KMQ_OO_CONTEXT |
						      MQOO_NO_MULTICAST))) &&
	       (options & MQOO_BROWSE || !(options & MQOO_CO_OP));
}

/* What the options ask for; context options imply weaker ones (3.2). */
static u32 kmq_open_may(u32 options)
{
	u32 may = 0;

	if (options & KMQ_OO_INPUT)
		may |= KMQ_MAY_GET;
	if (options & MQOO_BROWSE)
		may |= KMQ_MAY_BROWSE;
	if (options & MQOO_OUTPUT)
		may |= KMQ_MAY_PUT;
	if (options & MQOO_INQUIRE)
		may |= KMQ_MAY_INQUIRE;
	if (options & MQOO_SET)
		may |= KMQ_MAY_SET;
	if (options & MQOO_SAVE_ALL_CONTEXT)
		may |= KMQ_MAY_SAVE_CONTEXT;
	if (options & MQOO_CO_OP)
		may |= KMQ_CO_OP;
	if (options & MQOO_PASS_IDENTITY_CONTEXT)
		may |= KMQ_MAY_PASS_IDENTITY;
	if (options & MQOO_PASS_ALL_CONTEXT)
		may |= KMQ_MAY_PASS_IDENTITY | KMQ_MAY_PASS_ALL;
	if (options & MQOO_SET_IDENTITY_CONTEXT)
		may |= KMQ_MAY_PASS_IDENTITY | KMQ_MAY_SET_IDENTITY;
	if (options & MQOO_SET_ALL_CONTEXT)
		may |= KMQ_MAY_PASS_IDENTITY | KMQ_MAY_PASS_ALL |
		       KMQ_MAY_SET_IDENTITY | KMQ_MAY_SET_ALL;
	return may;
}

/* O-AUTH-3 */
static bool kmq_open_allowed(const struct kmq_open_call *call, u32 may)
{
	if (may & (KMQ_MAY_GET | KMQ_MAY_BROWSE | KMQ_MAY_INQUIRE) &&
	    !call->can_read)
		return false;
	if (may & KMQ_MAY_PUT && !call->can_write)
		return false;
	return call->is_owner ||
	       !(may & (KMQ_MAY_SET | KMQ_MAY_SET_IDENTITY | KMQ_MAY_SET_ALL));
}

/* O-OPEN-4 */
static bool kmq_open_is_exclusive(const struct kmq_queue *queue, u32 options)
{
	if (options & MQOO_INPUT_AS_Q_DEF)
		options |= queue->attrs.def_input_open_option;
	return options & MQOO_INPUT_EXCLUSIVE || !queue->attrs.shareability;
}

/* Count the handle at its queue, unless that conflicts (O-OPEN-3, O-OPEN-6). */
static u32 kmq_open_join(struct kmq_open_call *call, struct kmq_handle *handle)
{
	u32 options = call->cmd->options;
	struct kmq_queue *queue = handle->queue;
	bool exclusive = kmq_open_is_exclusive(queue, options);
	u32 reason = MQRC_NONE;

	kmq_queue_lock(queue);
	if (queue->deleted) {
		reason = MQRC_UNKNOWN_OBJECT_NAME;
	} else if (handle->may & KMQ_MAY_GET && queue->open_input &&
		   (exclusive || queue->exclusive_input)) {
		reason = MQRC_OBJECT_IN_USE;
	} else {
		if (handle->may & KMQ_MAY_GET) {
			call->first_input = !queue->open_input++;
			queue->exclusive_input = exclusive;
		}
		if (handle->may & KMQ_MAY_PUT)
			queue->open_output++;
		if (handle->may & KMQ_CO_OP)
			queue->co_op_handles++;
		kmq_handle_join_locked(handle);
	}
	mutex_unlock(&queue->lock);
	return reason;
}

/* The handle, counted at its connection and at its queue. */
static u32 kmq_open_handle(struct kmq_open_call *call, struct kmq_queue *queue,
			   u32 may)
{
	struct kmq_conn *conn = call->conn;
	struct kmq_handle *handle;
	u32 reason;

	handle = kmq_handle_alloc(conn, queue, may);
	if (!handle)
		return MQRC_STORAGE_NOT_AVAILABLE;
	handle->options = call->cmd->options;
	reason = kmq_open_join(call, handle);
	if (!reason && kmq_conn_is_full(conn))
		reason = MQRC_HANDLE_NOT_AVAILABLE;
	else if (!reason)
		call->handle = handle;
	if (call->handle || reason == MQRC_HANDLE_NOT_AVAILABLE) {
		list_add_tail(&handle->conn_link, &conn->handles);
		conn->handle_count++;
	}
	if (reason == MQRC_HANDLE_NOT_AVAILABLE)
		kmq_handle_close(handle);
	if (reason)
		kmq_handle_free(handle);
	return reason;
}

/* Name resolution, as far as it can fail before rights are looked at. */
static u32 kmq_open_resolve(struct kmq_open_call *call,
			    struct kmq_route *route)
{
	const struct kmq_names names = {
		call->cmd->object_name, call->cmd->object_qmgr_name,
	};

	if (READ_ONCE(call->queue->deleted))
		return MQRC_UNKNOWN_OBJECT_NAME;
	if (call->queue->type != MQQT_MODEL)
		return kmq_route_find(call->conn, call->queue, &names,
				      call->cmd->options, route);
	kmq_name_pad(call->cmd->dynamic_name, KMQ_NAME_LEN);
	return kmq_dynamic_name_valid(call->cmd->dynamic_name) ?
	       MQRC_NONE : MQRC_DYNAMIC_Q_NAME_ERROR;
}

static u32 kmq_open_check(struct kmq_open_call *call, u32 *may,
			  struct kmq_route *route)
{
	u32 options = call->cmd->options;
	struct kmq_qmgr *qmgr = call->conn->qmgr;
	u32 reason;

	if (!kmq_open_options_valid(options))
		return MQRC_OPTIONS_ERROR;
	if (options & MQOO_FAIL_IF_QUIESCING &&
	    READ_ONCE(qmgr->state) != KMQ_QMGR_RUNNING)
		return MQRC_Q_MGR_QUIESCING;
	if (options & MQOO_FAIL_IF_QUIESCING &&
	    READ_ONCE(call->conn->quiescing))
		return MQRC_CONNECTION_QUIESCING;
	reason = kmq_open_resolve(call, route);
	if (reason)
		return reason;
	*may = kmq_open_may(options);
	if (!kmq_open_allowed(call, *may))
		return MQRC_NOT_AUTHORIZED;
	if (call->is_owner)
		*may |= KMQ_MAY_DELETE;
	return MQRC_NONE;
}

/* A model makes a queue, which is the last thing that can fail (O-OPEN-13). */
static u32 kmq_open_model(struct kmq_open_call *call, u32 may)
{
	struct kmq_queue *queue;
	u32 reason;

	reason = kmq_dynamic_create(call, &queue);
	if (reason)
		return reason;
	reason = kmq_open_handle(call, queue, may);
	if (reason)
		kmq_dynamic_abandon(queue);
	else
		kmq_dynamic_own(call->handle);
	kmq_queue_put(queue);
	return reason;
}

static void kmq_open_free_route(struct kmq_route *route)
{
	kmq_route_drop(route);
	kfree(route);
}

/* Let the handle have the route, unless its queue says all there is to say. */
static u32 kmq_open_keep_route(struct kmq_open_call *call,
			       struct kmq_route *route)
{
	struct kmq_handle *handle = call->handle;

	if (kmq_route_is_plain(route, call->conn))
		return MQRC_NONE;
	handle->route = kmemdup(route, sizeof(*route), GFP_KERNEL_ACCOUNT);
	if (!handle->route)
		return MQRC_STORAGE_NOT_AVAILABLE;
	handle->release_route = kmq_open_free_route;
	kmq_route_keep(handle->route);
	/* The references are the handle's now. */
	memset(route, 0, sizeof(*route));
	return MQRC_NONE;
}

static u32 kmq_open_routed(struct kmq_open_call *call, u32 may,
			   struct kmq_route *route)
{
	u32 reason = kmq_open_handle(call, route->dest.queue, may);

	if (reason)
		return reason;
	if (call->handle->queue != call->queue)
		kmq_handle_set_named(call->handle, call->queue);
	reason = kmq_open_keep_route(call, route);
	if (reason) {
		kmq_handle_close(call->handle);
		kmq_handle_free(call->handle);
		call->handle = NULL;
		return reason;
	}
	call->handle->generation = kmq_handle_generation(call->handle);
	return MQRC_NONE;
}

static u32 kmq_open_run(struct kmq_open_call *call, struct kmq_route *route)
{
	u32 may = 0;
	u32 reason = kmq_open_check(call, &may, route);

	if (reason)
		return reason;
	if (call->queue->type == MQQT_MODEL)
		return kmq_open_model(call, may);
	return kmq_open_routed(call, may, route);
}

/* Where the name leads to (MQOD.ResolvedQName, P-RES-1, P-RES-2). */
static void kmq_open_resolved(const struct kmq_handle *handle,
			      struct kmq_open *cmd)
{
	const struct kmq_route *route = handle->route;
	const u8 *q = handle->queue->name;
	const u8 *qmgr = handle->queue->qmgr->name;

	cmd->out_flags = 0;
	if (route) {
		cmd->out_flags |= KMQ_OPEN_OUT_ROUTED;
		if (kmq_route_is_away(route, handle->conn))
			cmd->out_flags |= KMQ_OPEN_OUT_REMOTE;
	}
	if (route && route->instances) {
		q = route->instances->name;
		qmgr = NULL;
	} else if (route && !(cmd->options & MQOO_RESOLVE_LOCAL_Q)) {
		q = route->dest.q;
		qmgr = route->dest.qmgr;
	}
	memcpy(cmd->out_resolved_q_name, q, KMQ_NAME_LEN);
	if (qmgr)
		memcpy(cmd->out_resolved_qmgr_name, qmgr, KMQ_NAME_LEN);
	else
		memset(cmd->out_resolved_qmgr_name, ' ', KMQ_NAME_LEN);
}

/* G-OPN-4 */
static bool kmq_open_reads_ahead(const struct kmq_handle *handle)
{
	s32 def = READ_ONCE(handle->named->attrs.def_read_ahead);

	if (!(handle->may & KMQ_MAY_GET) || def == MQREADA_DISABLED ||
	    handle->options & MQOO_NO_READ_AHEAD)
		return false;
	return def == MQREADA_YES || handle->options & MQOO_READ_AHEAD;
}

static void kmq_open_done(const struct kmq_open_call *call)
{
	const struct kmq_handle *handle = call->handle;
	const struct kmq_queue *named = handle->named;
	struct kmq_open *cmd = call->cmd;

	cmd->out_q_type = handle->queue->type;
	if (handle->route && handle->route->cluster)
		cmd->out_q_type = MQQT_CLUSTER;
	else if (handle->route && handle->route->dest.remote)
		cmd->out_q_type = MQQT_REMOTE;
	cmd->out_def_put_response = READ_ONCE(named->attrs.def_put_response);
	cmd->out_property_control = READ_ONCE(named->attrs.property_control);
	/* A name at another queue manager is not that of the node. */
	memcpy(cmd->out_q_name, handle->route && !kmq_name_is_blank(cmd->object_name) ?
	       cmd->object_name : named->name, KMQ_NAME_LEN);
	kmq_open_resolved(handle, cmd);
	if (kmq_open_reads_ahead(handle))
		cmd->out_flags |= KMQ_OPEN_OUT_READ_AHEAD;
	kmq_ok(cmd);
}

/**
 * kmq_call_open - MQOPEN (O-OPEN-13)
 * @call: the call, names padded
 */
int kmq_call_open(struct kmq_open_call *call)
{
	struct kmq_route route = {};
	u32 reason;

	call->handle = NULL;
	call->first_input = false;
	reason = kmq_call_begin(call->conn);
	if (reason)
		return kmq_fail(call->cmd, reason);
	reason = kmq_open_run(call, &route);
	if (reason)
		kmq_fail(call->cmd, reason);
	else
		kmq_open_done(call);
	/* O-TRIG-4, section 12 */
	if (reason)
		kmq_event_open_failed(call, reason);
	else if (call->first_input)
		kmq_trigger_initiation(call->handle->queue->qmgr,
				       call->handle->queue->name);
	kmq_call_end(call->conn);
	kmq_route_release(&route);
	return 0;
}

/* O-CLOSE-7: the worse of what the put side and the get side left unfinished. */
static u32 kmq_close_warning(const struct kmq_handle *handle)
{
	const struct kmq_retained *put = &handle->put;
	const struct kmq_retained *removed = &handle->removed;
	bool msg = (put->logical && put->in_msg) ||
		   (removed->logical && removed->in_msg);
	bool group = (put->logical && put->in_group) ||
		     (removed->logical && removed->in_group);

	if (msg)
		return MQRC_INCOMPLETE_MSG;
	return group ? MQRC_INCOMPLETE_GROUP : MQRC_NONE;
}

/* O-CLOSE-1, and the table of section 6. */
static u32 kmq_close_check(struct kmq_handle *handle, u32 options)
{
	switch (options) {
	case MQCO_NONE:
	case MQCO_QUIESCE:
		return MQRC_NONE;
	case MQCO_DELETE:
	case MQCO_DELETE_PURGE:
		if (READ_ONCE(handle->queue->deleted))
			return MQRC_NONE;
		return kmq_dynamic_close(handle, options);
	case MQCO_KEEP_SUB:
	case MQCO_REMOVE_SUB:
		return MQRC_OPTION_NOT_VALID_FOR_TYPE;
	default:
		return MQRC_OPTIONS_ERROR;
	}
}

/**
 * kmq_call_close - MQCLOSE
 * @handle: handle
 * @cmd: the command
 *
 * Return: 0, or -ENOTCONN if the handle was closed before.
 */
int kmq_call_close(struct kmq_handle *handle, struct kmq_close *cmd)
{
	struct kmq_conn *conn = handle->conn;
	u32 reason = kmq_call_begin(conn);

	if (reason)
		return kmq_fail(cmd, reason);
	if (handle->closed) {
		kmq_call_end(conn);
		return -ENOTCONN;
	}
	reason = kmq_close_check(handle, cmd->options);
	if (reason) {
		kmq_fail(cmd, reason);
	} else {
		reason = kmq_close_warning(handle);
		kmq_handle_close(handle);
		kmq_result(cmd, reason ? MQCC_WARNING : MQCC_OK, reason);
	}
	kmq_call_end(conn);
	return 0;
}
