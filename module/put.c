// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT and MQPUT1 (put.md): the checks in the order of P-CHK-1, then the put.
 */
#include <linux/bits.h>
#include <linux/string.h>
#include <linux/ktime.h>
#include "call.h"
#include "compat.h"
#include "context.h"
#include "event.h"
#include "limits.h"
#include "put.h"
#include "qmgr.h"
#include "queue.h"
#include "route.h"
#include "xmit.h"

#define KMQ_PMO_CONTEXT	(MQPMO_DEFAULT_CONTEXT | MQPMO_NO_CONTEXT | \
			 MQPMO_PASS_IDENTITY_CONTEXT | \
			 MQPMO_PASS_ALL_CONTEXT | \
			 MQPMO_SET_IDENTITY_CONTEXT | MQPMO_SET_ALL_CONTEXT)
#define KMQ_PMO_PASS	(MQPMO_PASS_IDENTITY_CONTEXT | MQPMO_PASS_ALL_CONTEXT)
#define KMQ_PMO_SYNC	(MQPMO_SYNCPOINT | MQPMO_NO_SYNCPOINT)
#define KMQ_PMO_RESPONSE (MQPMO_ASYNC_RESPONSE | MQPMO_SYNC_RESPONSE)
#define KMQ_PMO_ALL	(KMQ_PMO_SYNC | KMQ_PMO_CONTEXT | KMQ_PMO_RESPONSE | \
			 MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID | \
			 MQPMO_ALTERNATE_USER_AUTHORITY | \
			 MQPMO_FAIL_IF_QUIESCING | MQPMO_LOGICAL_ORDER | \
			 MQPMO_RESOLVE_LOCAL_Q | MQPMO_WARN_IF_NO_SUBS_MATCHED | \
			 MQPMO_RETAIN | MQPMO_MD_FOR_OUTPUT_ONLY | \
			 MQPMO_SCOPE_QMGR | MQPMO_SUPPRESS_REPLYTO | \
			 MQPMO_NOT_OWN_SUBS)

/* Options that go with each other and with nothing else given. */
#define KMQ_PMO_SIMPLE	(MQPMO_NO_SYNCPOINT | MQPMO_NEW_MSG_ID | \
			 MQPMO_NEW_CORREL_ID | MQPMO_FAIL_IF_QUIESCING)

/* Report: P-MD-1. Bits that say how much data, without saying of what. */
#define KMQ_RO_KNOWN	(MQRO_EXCEPTION_WITH_FULL_DATA | \
			 MQRO_EXPIRATION_WITH_FULL_DATA | \
			 MQRO_COA_WITH_FULL_DATA | MQRO_COD_WITH_FULL_DATA | \
			 MQRO_PAN | MQRO_NAN | MQRO_ACTIVITY | \
			 MQRO_PASS_CORREL_ID | MQRO_PASS_MSG_ID | \
			 MQRO_DISCARD_MSG | MQRO_PASS_DISCARD_AND_EXPIRY)
#define KMQ_RO_REJECT	0x101fff00U	/* REJECT and ACCEPT_IF_XMIT masks */
#define KMQ_RO_IF_XMIT	0x0003ff00U

static bool kmq_put_more_than_one(u32 options)
{
	return options & (options - 1);
}

/* P-OPT-1..6 */
static bool kmq_put_options_valid(const struct kmq_put_call *call)
{
	u32 options = call->cmd->options;

	if (likely(!(options & ~KMQ_PMO_SIMPLE)))
		return true;
	if (options & ~KMQ_PMO_ALL ||
	    kmq_put_more_than_one(options & KMQ_PMO_SYNC) ||
	    kmq_put_more_than_one(options & KMQ_PMO_CONTEXT) ||
	    kmq_put_more_than_one(options & KMQ_PMO_RESPONSE))
		return false;
	if (call->handle)
		return !(options & MQPMO_ALTERNATE_USER_AUTHORITY);
	return !(options & MQPMO_LOGICAL_ORDER);
}

/* Line 5; with MQPUT1 the options imply the right to ask (P-CTX-1). */
static u32 kmq_put_check_open(const struct kmq_put_call *call)
{
	u32 options = call->cmd->options & KMQ_PMO_CONTEXT;
	u32 may = call->may;

	if (!(may & KMQ_MAY_PUT))
		return call->handle ? MQRC_NOT_OPEN_FOR_OUTPUT :
				      MQRC_NOT_AUTHORIZED;
	if (likely(!options))
		return MQRC_NONE;
	if (!call->handle)
		return options & KMQ_PMO_SET && !(may & KMQ_MAY_SET_ALL) ?
		       MQRC_NOT_AUTHORIZED : MQRC_NONE;
	if (options & MQPMO_PASS_ALL_CONTEXT && !(may & KMQ_MAY_PASS_ALL))
		return MQRC_NOT_OPEN_FOR_PASS_ALL;
	if (options & MQPMO_PASS_IDENTITY_CONTEXT &&
	    !(may & KMQ_MAY_PASS_IDENTITY))
		return MQRC_NOT_OPEN_FOR_PASS_IDENT;
	if (options & MQPMO_SET_ALL_CONTEXT && !(may & KMQ_MAY_SET_ALL))
		return MQRC_NOT_OPEN_FOR_SET_ALL;
	if (options & MQPMO_SET_IDENTITY_CONTEXT &&
	    !(may & KMQ_MAY_SET_IDENTITY))
		return MQRC_NOT_OPEN_FOR_SET_IDENT;
	return MQRC_NONE;
}

/* P-CTX-2, P-CTX-11 */
static u32 kmq_put_check_context(const struct kmq_put_call *call)
{
	const struct kmq_handle *from = call->context_handle;

	if (likely(!(call->cmd->options & KMQ_PMO_PASS)))
		return MQRC_NONE;
	if (!from || from->conn != call->conn || from->closed ||
	    !(from->may & KMQ_MAY_SAVE_CONTEXT))
		return MQRC_CONTEXT_HANDLE_ERROR;
	if (from->saved != KMQ_SAVED_CONTEXT)
		return MQRC_CONTEXT_NOT_AVAILABLE;
	return MQRC_NONE;
}

/* Lines 2 to 10 */
static u32 kmq_put_check_call(const struct kmq_put_call *call)
{
	const struct kmq_put *cmd = call->cmd;
	u32 reason;

	if (READ_ONCE(call->queue->deleted) && !call->no_dest)
		return call->handle ? MQRC_Q_DELETED : MQRC_UNKNOWN_OBJECT_NAME;
	if (call->handle && unlikely(call->handle->generation !=
				     kmq_handle_generation(call->handle)))
		return MQRC_OBJECT_CHANGED;
	if (!cmd->pmo_version || cmd->pmo_version > 3)
		return MQRC_PMO_ERROR;
	if (!cmd->md_version || cmd->md_version > 2)
		return MQRC_MD_ERROR;
	if (!kmq_put_options_valid(call))
		return MQRC_OPTIONS_ERROR;
	reason = kmq_put_check_open(call);
	if (reason)
		return reason;
	if (cmd->length < 0)
		return MQRC_BUFFER_LENGTH_ERROR;
	if (cmd->length && !cmd->data)
		return MQRC_BUFFER_ERROR;
	reason = kmq_put_check_context(call);
	if (reason)
		return reason;
	if (cmd->options & MQPMO_FAIL_IF_QUIESCING &&
	    READ_ONCE(call->conn->qmgr->state) != KMQ_QMGR_RUNNING)
		return MQRC_Q_MGR_QUIESCING;
	if (cmd->options & MQPMO_FAIL_IF_QUIESCING &&
	    READ_ONCE(call->conn->quiescing))
		return MQRC_CONNECTION_QUIESCING;
	if (cmd->flags & KMQ_PUT_MDE_BAD)
		return MQRC_MDE_ERROR;
	return MQRC_NONE;
}

/* Is the message on its way to another queue manager? */
static bool kmq_put_is_remote(const struct kmq_put_call *call)
{
	return unlikely(call->dest) && call->dest->remote;
}

/* P-MD-1, P-MD-1a. Return: 0, 2061, or 2104 which is a warning. */
static u32 kmq_put_check_report(u32 report, bool remote)
{
	u32 reject = remote ? KMQ_RO_REJECT & ~KMQ_RO_IF_XMIT : KMQ_RO_REJECT;
	u32 unknown = report & ~KMQ_RO_KNOWN;

	if (likely(!report))
		return MQRC_NONE;
	if (!(report & MQRO_EXCEPTION))
		unknown |= report & MQRO_EXCEPTION_WITH_FULL_DATA;
	if (!(report & MQRO_EXPIRATION))
		unknown |= report & MQRO_EXPIRATION_WITH_FULL_DATA;
	if (!(report & MQRO_COA))
		unknown |= report & MQRO_COA_WITH_FULL_DATA;
	if (!(report & MQRO_COD))
		unknown |= report & MQRO_COD_WITH_FULL_DATA;
	if (unknown & reject)
		return MQRC_REPORT_OPTIONS_ERROR;
	return unknown ? MQRC_UNKNOWN_REPORT_OPTION : MQRC_NONE;
}

static bool kmq_put_msg_type_valid(s32 type)
{
	switch (type) {
	case MQMT_REQUEST:
	case MQMT_REPLY:
	case MQMT_DATAGRAM:
	case MQMT_REPORT:
	case 112:
	case 113:
		return true;
	default:
		return type >= 65536 && type <= 999999999;
	}
}

/* Line 11: the fields of the descriptor. */
static u32 kmq_put_check_md(const struct kmq_put_call *call,
			    struct kmq_put_plan *plan)
{
	const struct kmq_md *md = &call->cmd->md;
	bool remote = kmq_put_is_remote(call);
	u32 reason = kmq_put_check_report(md->report, remote);

	if (reason == MQRC_UNKNOWN_REPORT_OPTION)
		plan->report_warning = reason;
	else if (reason)
		return reason;
	if (!kmq_put_msg_type_valid(md->msg_type))
		return MQRC_MSG_TYPE_ERROR;
	if (md->expiry <= 0 && md->expiry != MQEI_UNLIMITED)
		return MQRC_EXPIRY_ERROR;
	if (md->feedback < 0 || md->feedback > 999999999)
		return MQRC_FEEDBACK_ERROR;
	if (md->priority < MQPRI_PRIORITY_AS_Q_DEF)
		return MQRC_PRIORITY_ERROR;
	if (md->persistence < 0 ||
	    md->persistence > MQPER_PERSISTENCE_AS_Q_DEF)
		return MQRC_PERSISTENCE_ERROR;
	reason = kmq_put_check_group(plan, md->msg_type, remote);
	if (reason)
		return reason;
	if (plan->reply_blank && (md->msg_type == MQMT_REQUEST ||
				  md->report & KMQ_RO_REPORTS))
		return MQRC_MISSING_REPLY_TO_Q;
	return MQRC_NONE;
}

/**
 * kmq_put_too_big - why a message is too long (P-Q-4)
 * @call: the call
 *
 * Return: MQRC_MSG_TOO_BIG_FOR_Q_MGR or MQRC_MSG_TOO_BIG_FOR_Q.
 */
u32 kmq_put_too_big(const struct kmq_put_call *call)
{
	const struct kmq_qmgr *qmgr = call->conn->qmgr;

	return call->cmd->length > READ_ONCE(qmgr->attrs.max_msg_length) ?
	       MQRC_MSG_TOO_BIG_FOR_Q_MGR : MQRC_MSG_TOO_BIG_FOR_Q;
}

/* P-Q-4, P-SEG-4: whether it fits, and into how long pieces it is cut if not. */
static u32 kmq_put_check_size(const struct kmq_put_call *call,
			      struct kmq_put_plan *plan)
{
	s32 q_limit = READ_ONCE(call->queue->attrs.max_msg_length);
	s32 qmgr_limit = READ_ONCE(call->conn->qmgr->attrs.max_msg_length);
	s32 limit = min(q_limit, qmgr_limit) - (s32)plan->head;

	plan->piece = 0;
	if (likely(call->cmd->length <= limit))
		return MQRC_NONE;
	if (!(plan->flags & MQMF_SEGMENTATION_ALLOWED) || limit < KMQ_MIN_PIECE)
		return kmq_put_too_big(call);
	if ((s64)plan->offset + plan->length > KMQ_MAX_OFFSET)
		return MQRC_OFFSET_ERROR;
	plan->piece = limit;
	return MQRC_NONE;
}

/* Line 13, as far as it needs no lock. */
static u32 kmq_put_check_queue(const struct kmq_put_call *call,
			       struct kmq_put_plan *plan)
{
	struct kmq_queue *queue = call->queue;
	struct kmq_unit *uow = &call->conn->uow;
	u32 reason;

	if (unlikely(call->no_dest))
		return call->no_dest;
	if (READ_ONCE(queue->attrs.inhibit_put) ||
	    READ_ONCE(call->named->attrs.inhibit_put) ||
	    (unlikely(call->dest) && kmq_dest_inhibited(call->dest)))
		return MQRC_PUT_INHIBITED;
	if (plan->persistent &&
	    READ_ONCE(queue->attrs.definition_type) ==
	    MQQDT_TEMPORARY_DYNAMIC)
		return MQRC_PERSISTENT_NOT_ALLOWED;
	reason = kmq_put_check_size(call, plan);
	if (reason)
		return reason;
	if (READ_ONCE(queue->depth) >= READ_ONCE(queue->attrs.max_q_depth))
		return MQRC_Q_FULL;
	if (plan->syncpoint) {
		if (uow->doomed)
			return MQRC_BACKED_OUT;
		if (uow->count >=
		    READ_ONCE(call->conn->qmgr->attrs.max_uncommitted_msgs))
			return MQRC_SYNCPOINT_LIMIT_REACHED;
	} else if (plan->piece && plan->persistent && uow->open) {
		return MQRC_UOW_NOT_AVAILABLE;
	}
	return MQRC_NONE;
}

/* What the caller gave, defaults where it gave nothing. */
static void kmq_put_plan_fields(const struct kmq_put_call *call,
				struct kmq_put_plan *plan)
{
	const struct kmq_put *cmd = call->cmd;
	/* The first definition on the path (P-PRI-1, P-PER-1). */
	const struct kmq_queue_attrs *attrs = &call->named->attrs;
	bool group = cmd->present & KMQ_MD_GROUP &&
		     (cmd->md_version == 2 || cmd->flags & KMQ_PUT_MDE);

	plan->logical = cmd->options & MQPMO_LOGICAL_ORDER;
	plan->syncpoint = cmd->options & MQPMO_SYNCPOINT;
	plan->length = cmd->length -
		       (cmd->flags & KMQ_PUT_MDE ? KMQ_MDE_LENGTH : 0);
	plan->report_warning = MQRC_NONE;
	plan->head = 0;
	plan->bound = unlikely(call->route) && call->handle &&
		      kmq_route_is_bound(call->route, &call->handle->put);
	kmq_put_plan_group(plan, group ? call->ext : NULL);
	plan->reply_blank = !(cmd->present & KMQ_MD_REPLY) ||
			    kmq_name_is_blank(call->ext->reply_q);
	plan->priority = cmd->md.priority;
	if (plan->priority == MQPRI_PRIORITY_AS_Q_DEF)
		plan->priority = READ_ONCE(attrs->def_priority);
	plan->persistent = cmd->md.persistence;
	if (cmd->md.persistence == MQPER_PERSISTENCE_AS_Q_DEF)
		plan->persistent = READ_ONCE(attrs->def_persistence);
}

/* What is placed in front of the data of a message that travels (O-RES-3). */
static void kmq_put_plan_head(const struct kmq_put_call *call,
			      struct kmq_put_plan *plan)
{
	plan->grouped = plan->has_id || plan->flags ||
			plan->original_length != MQOL_UNDEFINED;
	plan->head = kmq_xmit_head_length(plan->grouped);
	/* An MQMDE that is there for other fields has no GroupId. */
	if (!plan->has_id)
		memset(plan->id, 0, sizeof(plan->id));
}

static u32 kmq_put_check(struct kmq_put_call *call, struct kmq_put_plan *plan)
{
	u32 reason = kmq_put_check_call(call);

	if (reason)
		return reason;
	kmq_put_plan_fields(call, plan);
	reason = kmq_put_check_md(call, plan);
	if (reason)
		return reason;
	/* Line 12 */
	if (plan->logical && call->cmd->md_version < 2)
		return MQRC_WRONG_MD_VERSION;
	reason = kmq_put_group(call->conn,
			       call->handle ? &call->handle->put : NULL, plan);
	if (reason)
		return reason;
	if (kmq_put_is_remote(call))
		kmq_put_plan_head(call, plan);
	return kmq_put_check_queue(call, plan);
}

/* P-CHK-2 */
static int kmq_put_done(struct kmq_put *cmd, const struct kmq_put_plan *plan)
{
	if (plan->group_warning)
		return kmq_warn(cmd, plan->group_warning);
	if (plan->report_warning)
		return kmq_warn(cmd, plan->report_warning);
	if (plan->priority > KMQ_MAX_PRIORITY)
		return kmq_warn(cmd, MQRC_PRIORITY_EXCEEDS_MAXIMUM);
	return kmq_ok(cmd);
}

/* A put that fails may be an event. */
static void kmq_put_events(struct kmq_put_call *call, u32 reason)
{
	if (reason == MQRC_Q_FULL)
		kmq_event_full(call->queue);
	else if (reason == MQRC_PUT_INHIBITED)
		kmq_event_inhibited(call->conn, call->named, reason);
}

/**
 * kmq_call_put - MQPUT or MQPUT1
 * @call: the call
 *
 * Return: 0; -EINTR if the caller is being killed; -ENOTCONN if the handle was
 * closed.
 */
int kmq_call_put(struct kmq_put_call *call)
{
	struct kmq_put_plan plan kmq_uninit;
	int err = 0;
	u32 reason;

	reason = kmq_call_begin(call->conn);
	if (unlikely(reason))
		return kmq_fail(call->cmd, reason);
	if (unlikely(call->handle && call->handle->closed)) {
		kmq_call_end(call->conn);
		return -ENOTCONN;
	}
	call->dest = NULL;
	call->due = KMQ_DUE_NONE;
	call->watched = false;
	call->no_dest = unlikely(call->route) ? kmq_route_put(call) : MQRC_NONE;
	kmq_put_note(call);
	kmq_call_make_room(call->conn, 1);
	reason = kmq_put_check(call, &plan);
	if (!reason)
		err = kmq_put_store(call, &plan, &reason);
	if (!err && !reason)
		kmq_put_remember(call, &plan);
	if (unlikely(reason))
		kmq_put_events(call, reason);
	kmq_call_end(call->conn);
	if (err)
		return err;
	if (reason)
		return kmq_fail(call->cmd, reason);
	return kmq_put_done(call->cmd, &plan);
}
