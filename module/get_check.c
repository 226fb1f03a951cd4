// SPDX-License-Identifier: GPL-2.0
/*
 * MQGET: the checks that come before a message is looked for, in the order of
 * get.md section 4.
 */
#include <linux/bits.h>
#include "get.h"
#include "qmgr.h"
#include "queue.h"
#include "notify.h"

#define KMQ_GMO_ALL		0x1ff7ffffU
#define KMQ_GMO_BROWSE		(MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT | \
				 MQGMO_BROWSE_MSG_UNDER_CURSOR)
#define KMQ_GMO_POSITION	(KMQ_GMO_BROWSE | MQGMO_MSG_UNDER_CURSOR)
#define KMQ_GMO_SYNC		(MQGMO_SYNCPOINT | MQGMO_NO_SYNCPOINT | \
				 MQGMO_SYNCPOINT_IF_PERSISTENT)
#define KMQ_GMO_MARK		(MQGMO_MARK_BROWSE_HANDLE | \
				 MQGMO_MARK_BROWSE_CO_OP | \
				 MQGMO_UNMARK_BROWSE_CO_OP | \
				 MQGMO_UNMARK_BROWSE_HANDLE)
#define KMQ_GMO_PROPERTIES	(MQGMO_PROPERTIES_FORCE_MQRFH2 | \
				 MQGMO_NO_PROPERTIES | \
				 MQGMO_PROPERTIES_IN_HANDLE | \
				 MQGMO_PROPERTIES_COMPATIBILITY)
#define KMQ_GMO_COMPLETE	(MQGMO_ALL_MSGS_AVAILABLE | \
				 MQGMO_ALL_SEGMENTS_AVAILABLE | \
				 MQGMO_COMPLETE_MSG)
#define KMQ_GMO_WAITS		(MQGMO_WAIT | MQGMO_SET_SIGNAL)

#define KMQ_MATCH_ALL		0x3fU
#define KMQ_MATCH_GROUP		(MQMO_MATCH_GROUP_ID | \
				 MQMO_MATCH_MSG_SEQ_NUMBER | MQMO_MATCH_OFFSET)

static bool kmq_get_more_than_one(u32 options)
{
	return options & (options - 1);
}

static bool kmq_get_both(u32 options, u32 one, u32 other)
{
	return options & one && options & other;
}

/* G-OPT-10..12 */
static bool kmq_get_mark_options_valid(u32 options, bool co_op)
{
	if (likely(!(options & (KMQ_GMO_MARK | MQGMO_UNMARKED_BROWSE_MSG))))
		return true;
	if (options & KMQ_GMO_MARK && !(options & KMQ_GMO_BROWSE))
		return false;
	if (options & (KMQ_GMO_COMPLETE | MQGMO_LOCK | MQGMO_LOGICAL_ORDER |
		       MQGMO_UNLOCK))
		return false;
	if (kmq_get_both(options, MQGMO_UNMARK_BROWSE_CO_OP,
			 MQGMO_MARK_BROWSE_CO_OP | MQGMO_UNMARKED_BROWSE_MSG) ||
	    kmq_get_both(options, MQGMO_UNMARK_BROWSE_HANDLE,
			 MQGMO_MARK_BROWSE_HANDLE | MQGMO_UNMARKED_BROWSE_MSG))
		return false;
	return co_op || !(options & (MQGMO_MARK_BROWSE_CO_OP |
				     MQGMO_UNMARK_BROWSE_CO_OP));
}

/* Options that go with each other and with nothing else given. */
#define KMQ_GMO_SIMPLE		(MQGMO_WAIT | MQGMO_NO_SYNCPOINT | \
				 MQGMO_ACCEPT_TRUNCATED_MSG | \
				 MQGMO_FAIL_IF_QUIESCING | MQGMO_CONVERT)

/* G-OPT-1..13 */
static bool kmq_get_options_valid(u32 options, bool co_op)
{
	if (likely(!(options & ~KMQ_GMO_SIMPLE)))
		return true;
	if (options & ~KMQ_GMO_ALL ||
	    kmq_get_more_than_one(options & KMQ_GMO_SYNC) ||
	    kmq_get_more_than_one(options & KMQ_GMO_POSITION) ||
	    kmq_get_more_than_one(options & KMQ_GMO_PROPERTIES) ||
	    kmq_get_both(options, MQGMO_WAIT, MQGMO_SET_SIGNAL))
		return false;
	if (kmq_get_both(options, MQGMO_SYNCPOINT,
			 KMQ_GMO_BROWSE | MQGMO_LOCK | MQGMO_UNLOCK) ||
	    kmq_get_both(options, MQGMO_SYNCPOINT_IF_PERSISTENT,
			 KMQ_GMO_BROWSE | MQGMO_COMPLETE_MSG | MQGMO_LOCK |
			 MQGMO_UNLOCK))
		return false;
	if (options & MQGMO_MARK_SKIP_BACKOUT && !(options & MQGMO_SYNCPOINT))
		return false;
	if (options & MQGMO_LOCK && !(options & KMQ_GMO_BROWSE))
		return false;
	if (options & MQGMO_UNLOCK &&
	    options & ~(MQGMO_UNLOCK | MQGMO_NO_SYNCPOINT))
		return false;
	return kmq_get_mark_options_valid(options, co_op);
}

/* G-OPN-2 */
static u32 kmq_get_check_open(u32 options, u32 may)
{
	if (options & KMQ_GMO_POSITION && !(may & KMQ_MAY_BROWSE))
		return MQRC_NOT_OPEN_FOR_BROWSE;
	if (!(options & KMQ_GMO_BROWSE) && !(may & KMQ_MAY_GET))
		return MQRC_NOT_OPEN_FOR_INPUT;
	return MQRC_NONE;
}

static bool kmq_get_is_cursor(u32 options)
{
	return options & (MQGMO_MSG_UNDER_CURSOR |
			  MQGMO_BROWSE_MSG_UNDER_CURSOR);
}

/* Lines 9 and 10 (G-OPT-15..17, G-MAT-9) */
static u32 kmq_get_check_versions(const struct kmq_get *cmd)
{
	bool logical = cmd->options & MQGMO_LOGICAL_ORDER;
	u32 match = kmq_get_is_cursor(cmd->options) ? 0 : cmd->match_options;

	if ((logical && cmd->gmo_version < 2) ||
	    (match & MQMO_MATCH_MSG_TOKEN && cmd->gmo_version < 3))
		return MQRC_WRONG_GMO_VERSION;
	if ((logical || match & KMQ_MATCH_GROUP) && cmd->md_version < 2)
		return MQRC_WRONG_MD_VERSION;
	if (match & ~KMQ_MATCH_ALL)
		return MQRC_MATCH_OPTIONS_ERROR;
	if (match & MQMO_MATCH_MSG_TOKEN && cmd->options & KMQ_GMO_WAITS)
		return MQRC_MSG_TOKEN_ERROR;
	return MQRC_NONE;
}

/* Lines 11 to 14 */
static u32 kmq_get_check_fields(const struct kmq_get *cmd)
{
	bool waits = cmd->options & KMQ_GMO_WAITS &&
		     !kmq_get_is_cursor(cmd->options);

	if (waits && cmd->wait_interval < 0 &&
	    cmd->wait_interval != MQWI_UNLIMITED)
		return MQRC_WAIT_INTERVAL_ERROR;
	if (waits && cmd->options & MQGMO_SET_SIGNAL && cmd->signal1 < 0)
		return MQRC_SIGNAL1_ERROR;
	if (cmd->options & MQGMO_PROPERTIES_IN_HANDLE)
		return MQRC_HMSG_ERROR;
	if (cmd->length < 0)
		return MQRC_BUFFER_LENGTH_ERROR;
	if (cmd->length && !cmd->data)
		return MQRC_BUFFER_ERROR;
	if (cmd->flags & KMQ_GET_NO_DATA_LENGTH)
		return MQRC_DATA_LENGTH_ERROR;
	return MQRC_NONE;
}

/**
 * kmq_get_check - lines 3 to 14 of the order of checks
 * @call: the call
 *
 * Return: 0 or the reason. With MQGMO_UNLOCK the checks end with line 5.
 */
u32 kmq_get_check(struct kmq_get_call *call)
{
	const struct kmq_get *cmd = call->cmd;
	struct kmq_handle *handle = call->handle;
	u32 reason;

	if (READ_ONCE(handle->queue->deleted))
		return MQRC_Q_DELETED;
	if (!cmd->gmo_version || cmd->gmo_version > 4)
		return MQRC_GMO_ERROR;
	if (!kmq_get_options_valid(cmd->options, handle->may & KMQ_CO_OP))
		return MQRC_OPTIONS_ERROR;
	if (cmd->options & MQGMO_UNLOCK)
		return MQRC_NONE;
	reason = kmq_get_check_open(cmd->options, handle->may);
	if (reason)
		return reason;
	if (!cmd->md_version || cmd->md_version > 2)
		return MQRC_MD_ERROR;
	reason = kmq_get_check_versions(cmd);
	if (reason)
		return reason;
	return kmq_get_check_fields(cmd);
}
