// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT and MQPUT1, check (put.md): from a command to a plan, in the order of
 * P-CHK-1.
 */
#include <linux/bits.h>
#include <linux/string.h>
#include "call.h"
#include "context.h"
#include "limits.h"
#include "put.h"
#include "qmgr.h"
#include "queue.h"
#include "route.h"
#include "xmit.h"

#define KMQ_PMO_CONTEXT	(MQPMO_DEFAULT_CONTEXT | MQPMO_NO_CONTEXT | \
			 KMQ_PMO_PASS | KMQ_PMO_SET)
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
static bool kmq_put_options_valid(const struct kmq_put_run *run, u32 options)
{
	if (likely(!(options & ~KMQ_PMO_SIMPLE)))
		return true;
	if (options & ~KMQ_PMO_ALL ||
	    kmq_put_more_than_one(options & KMQ_PMO_SYNC) ||
	    kmq_put_more_than_one(options & KMQ_PMO_CONTEXT) ||
	    kmq_put_more_than_one(options & KMQ_PMO_RESPONSE))
		return false;
	if (run->handle)
		return !(options & MQPMO_ALTERNATE_USER_AUTHORITY);
	return !(options & MQPMO_LOGICAL_ORDER);
}

/* Line 5; with MQPUT1 the options imply the right to ask (P-CTX-1). */
static u32 kmq_put_check_open(const struct kmq_put_run *run, u32 options)
{
	u32 may = run->may;

	options &= KMQ_PMO_CONTEXT;
	if (!(may & KMQ_MAY_PUT))
		return run->handle ? MQRC_NOT_OPEN_FOR_OUTPUT :
				      MQRC_NOT_AUTHORIZED;
	if (likely(!options))
		return MQRC_NONE;
	if (!run->handle)
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
static u32 kmq_put_check_context(const struct kmq_put_run *run, u32 options)
{
	const struct kmq_handle *from = run->context_handle;

	if (likely(!(options & KMQ_PMO_PASS)))
		return MQRC_NONE;
	if (!from || from->conn != run->conn || from->closed ||
	    !(from->may & KMQ_MAY_SAVE_CONTEXT))
		return MQRC_CONTEXT_HANDLE_ERROR;
	if (from->saved != KMQ_SAVED_CONTEXT)
		return MQRC_CONTEXT_NOT_AVAILABLE;
	return MQRC_NONE;
}

/* Lines 2 to 10 */
static u32 kmq_put_check_call(const struct kmq_put_run *run,
			      const struct kmq_put *cmd)
{
	u32 reason;

	if (READ_ONCE(run->queue->deleted) && !run->no_dest)
		return run->handle ? MQRC_Q_DELETED : MQRC_UNKNOWN_OBJECT_NAME;
	if (run->handle && unlikely(run->handle->generation !=
				    kmq_handle_generation(run->handle)))
		return MQRC_OBJECT_CHANGED;
	if (!cmd->pmo_version || cmd->pmo_version > 3)
		return MQRC_PMO_ERROR;
	if (!cmd->md_version || cmd->md_version > 2)
		return MQRC_MD_ERROR;
	if (!kmq_put_options_valid(run, cmd->options))
		return MQRC_OPTIONS_ERROR;
	reason = kmq_put_check_open(run, cmd->options);
	if (reason)
		return reason;
	if (cmd->length < 0)
		return MQRC_BUFFER_LENGTH_ERROR;
	if (cmd->length && !cmd->data)
		return MQRC_BUFFER_ERROR;
	reason = kmq_put_check_context(run, cmd->options);
	if (reason)
		return reason;
	if (cmd->options & MQPMO_FAIL_IF_QUIESCING &&
	    READ_ONCE(run->conn->qmgr->state) != KMQ_QMGR_RUNNING)
		return MQRC_Q_MGR_QUIESCING;
	if (cmd->options & MQPMO_FAIL_IF_QUIESCING &&
	    READ_ONCE(run->conn->quiescing))
		return MQRC_CONNECTION_QUIESCING;
	if (cmd->flags & KMQ_PUT_MDE_BAD)
		return MQRC_MDE_ERROR;
	return MQRC_NONE;
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
static u32 kmq_put_check_md(const struct kmq_md *md, struct kmq_put_plan *plan,
			    const struct kmq_put_item *item, bool reply_blank)
{
	u32 reason = kmq_put_check_report(md->report,
					  plan->steps & KMQ_PUT_REMOTE);

	if (reason == MQRC_UNKNOWN_REPORT_OPTION)
		plan->warning = reason;
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
	reason = kmq_put_check_group(plan, item, md->msg_type);
	if (reason)
		return reason;
	if (reply_blank && (md->msg_type == MQMT_REQUEST ||
			    md->report & KMQ_RO_REPORTS))
		return MQRC_MISSING_REPLY_TO_Q;
	return MQRC_NONE;
}

/* What fits into one message of its queue, without what is placed in front. */
static s32 kmq_put_limit(const struct kmq_put_run *run)
{
	return min(READ_ONCE(run->queue->attrs.max_msg_length),
		   READ_ONCE(run->conn->qmgr->attrs.max_msg_length)) -
	       (s32)run->plan->head;
}

/**
 * kmq_put_too_big - why a message is too long (P-Q-4)
 * @run: the run
 * @index: which of its puts
 *
 * Return: MQRC_MSG_TOO_BIG_FOR_Q_MGR or MQRC_MSG_TOO_BIG_FOR_Q.
 */
u32 kmq_put_too_big(const struct kmq_put_run *run, u32 index)
{
	const struct kmq_qmgr *qmgr = run->conn->qmgr;

	return run->cmds[index].length > READ_ONCE(qmgr->attrs.max_msg_length) ?
	       MQRC_MSG_TOO_BIG_FOR_Q_MGR : MQRC_MSG_TOO_BIG_FOR_Q;
}

/* P-Q-4, P-SEG-4: whether it fits, in pieces if there is no other way. */
static u32 kmq_put_check_size(const struct kmq_put_run *run, u32 index)
{
	const struct kmq_put_item *item = &run->items[index];
	s32 limit = kmq_put_limit(run);

	if (likely(run->cmds[index].length <= limit))
		return MQRC_NONE;
	if (!(run->plan->steps & KMQ_PUT_CUT) || limit < KMQ_MIN_PIECE)
		return kmq_put_too_big(run, index);
	if ((s64)item->offset + item->length > KMQ_MAX_OFFSET)
		return MQRC_OFFSET_ERROR;
	return MQRC_NONE;
}

static bool kmq_put_inhibited(const struct kmq_put_run *run)
{
	return READ_ONCE(run->queue->attrs.inhibit_put) ||
	       READ_ONCE(run->named->attrs.inhibit_put) ||
	       (unlikely(run->dest) && kmq_dest_inhibited(run->dest));
}

/**
 * kmq_put_check_state - line 13, as far as it needs no lock
 * @run: the run, with its plan
 * @index: which of its puts
 *
 * Return: 0 or the reason.
 */
u32 kmq_put_check_state(const struct kmq_put_run *run, u32 index)
{
	const struct kmq_put_plan *plan = run->plan;
	const struct kmq_queue *queue = run->queue;
	const struct kmq_unit *uow = &run->conn->uow;
	u32 reason;

	if (unlikely(run->no_dest))
		return run->no_dest;
	if (kmq_put_inhibited(run))
		return MQRC_PUT_INHIBITED;
	if (plan->persistent &&
	    READ_ONCE(queue->attrs.definition_type) ==
	    MQQDT_TEMPORARY_DYNAMIC)
		return MQRC_PERSISTENT_NOT_ALLOWED;
	reason = kmq_put_check_size(run, index);
	if (reason)
		return reason;
	if (READ_ONCE(queue->depth) >= READ_ONCE(queue->attrs.max_q_depth))
		return MQRC_Q_FULL;
	if (plan->syncpoint) {
		if (uow->doomed)
			return MQRC_BACKED_OUT;
		if (uow->count >=
		    READ_ONCE(run->conn->qmgr->attrs.max_uncommitted_msgs))
			return MQRC_SYNCPOINT_LIMIT_REACHED;
	} else if (plan->steps & KMQ_PUT_CUT && plan->persistent && uow->open) {
		return MQRC_UOW_NOT_AVAILABLE;
	}
	return MQRC_NONE;
}

/* The group fields that a put gives. */
static void kmq_put_item_begin(struct kmq_put_run *run, u32 index,
			       const struct kmq_md_ext *ext)
{
	const struct kmq_put *cmd = &run->cmds[index];
	struct kmq_put_item *item = &run->items[index];
	bool given = cmd->present & KMQ_MD_GROUP &&
		     (cmd->md_version == 2 || cmd->flags & KMQ_PUT_MDE);

	item->bound = unlikely(run->route) && run->handle &&
		      kmq_route_is_bound(run->route, run->last);
	kmq_put_item_given(item, cmd->length - run->plan->skip,
			   given ? ext : NULL);
}

/**
 * kmq_put_check_item - lines 11 and 12 for the group fields of a put whose plan was
 *	made for an earlier one
 * @run: the run, with its plan
 * @index: which of its puts; its item is filled in
 * @ext: its GROUP part, if it gives one
 *
 * Return: 0 or the reason.
 */
u32 kmq_put_check_item(struct kmq_put_run *run, u32 index,
		       const struct kmq_md_ext *ext)
{
	struct kmq_put_item *item = &run->items[index];
	u32 reason;

	kmq_put_item_begin(run, index, ext);
	reason = kmq_put_check_group(run->plan, item,
				     run->cmds[index].md.msg_type);
	return reason ?: kmq_put_group(run->conn, run->last, run->plan, item);
}

/* What is placed in front of the data of a message that travels (O-RES-3). */
static void kmq_put_plan_head(struct kmq_put_plan *plan,
			      struct kmq_put_item *item)
{
	plan->head = kmq_xmit_head_length(!kmq_put_item_is_plain(item));
	/* An MQMDE that is there for other fields has no GroupId. */
	if (!item->has_id)
		memset(item->id, 0, sizeof(item->id));
}

/* Lines 11 and 12 */
static u32 kmq_put_check_message(struct kmq_put_run *run, u32 index,
				 const struct kmq_md_ext *ext)
{
	const struct kmq_put *cmd = &run->cmds[index];
	struct kmq_put_item *item = &run->items[index];
	struct kmq_put_plan *plan = run->plan;
	bool reply_blank = !(cmd->present & KMQ_MD_REPLY) ||
			   kmq_name_is_blank(ext->reply_q);
	u32 reason;

	kmq_put_plan_fields(run, cmd, plan);
	kmq_put_item_begin(run, index, ext);
	reason = kmq_put_check_md(&cmd->md, plan, item, reply_blank);
	if (reason)
		return reason;
	if (plan->logical && cmd->md_version < 2)
		return MQRC_WRONG_MD_VERSION;
	reason = kmq_put_group(run->conn, run->last, plan, item);
	if (!reason && unlikely(plan->steps & KMQ_PUT_REMOTE))
		kmq_put_plan_head(plan, item);
	return reason;
}

/**
 * kmq_put_check - the checks of a put, in the order of P-CHK-1
 * @run: the run; its plan and the put's item are filled in
 * @index: which of its puts
 * @ext: its parts of the descriptor
 *
 * Return: 0 or the reason.
 */
u32 kmq_put_check(struct kmq_put_run *run, u32 index,
		  const struct kmq_md_ext *ext)
{
	const struct kmq_put *cmd = &run->cmds[index];
	struct kmq_put_plan *plan = run->plan;
	u32 reason;

	/* Before anything is looked at that it counts the changes of. */
	kmq_put_plan_key(run, cmd, ext, plan);
	kmq_call_make_room(run->conn, 1);
	run->last = run->handle ? &run->handle->put : NULL;
	reason = kmq_put_check_call(run, cmd) ?:
		 kmq_put_check_message(run, index, ext);
	if (reason)
		return reason;
	plan->max_length = kmq_put_limit(run);
	plan->piece = plan->max_length;
	if (unlikely(cmd->length > plan->max_length &&
		     run->items[index].flags & MQMF_SEGMENTATION_ALLOWED))
		plan->steps |= KMQ_PUT_CUT;
	reason = kmq_put_check_state(run, index);
	if (reason)
		return reason;
	kmq_put_plan_md(run, &cmd->md, plan);
	return MQRC_NONE;
}

/**
 * kmq_put_check_abi - refuse what the interface does not define
 * @cmd: command
 * @put1: KMQ_IOC_PUT1
 *
 * Return: 0 or -EINVAL.
 */
int kmq_put_check_abi(const struct kmq_put *cmd, bool put1)
{
	if (cmd->flags & ~(KMQ_PUT_MDE | KMQ_PUT_MDE_BAD | KMQ_PUT_WANT_DEST) ||
	    cmd->out_flags || cmd->present & ~KMQ_MD_ALL ||
	    (!put1 && cmd->conn_fd))
		return -EINVAL;
	if (cmd->flags & KMQ_PUT_MDE && cmd->length < KMQ_MDE_LENGTH)
		return -EINVAL;
	return 0;
}
