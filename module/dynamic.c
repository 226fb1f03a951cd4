// SPDX-License-Identifier: GPL-2.0
/*
 * Dynamic queues: made by opening a model, gone with their creator's handle or
 * by MQCLOSE (objects.md section 5, table of section 6).
 */
#include <linux/string.h>
#include "account.h"
#include "admin.h"
#include "call.h"
#include "dynamic.h"
#include "qmgr.h"
#include "queue.h"
#include "relied.h"

#define KMQ_DYNAMIC_PREFIX	32	/* characters in front of the asterisk */
#define KMQ_DYNAMIC_DIGITS	16	/* O-DYN-3 */

static size_t kmq_dynamic_length(const u8 *pattern)
{
	size_t n = KMQ_NAME_LEN;

	while (n && pattern[n - 1] == ' ')
		n--;
	return n;
}

/**
 * kmq_dynamic_name_valid - can this be a DynamicQName (O-DYN-2)
 * @pattern: name, or the beginning of one and an asterisk, blank padded
 */
bool kmq_dynamic_name_valid(const u8 *pattern)
{
	u8 name[KMQ_NAME_LEN];
	size_t n = kmq_dynamic_length(pattern);

	if (!n)
		return false;
	if (pattern[n - 1] != '*')
		return kmq_name_is_valid(pattern);
	if (n - 1 > KMQ_DYNAMIC_PREFIX)
		return false;
	if (n == 1)
		return true;
	memcpy(name, pattern, KMQ_NAME_LEN);
	name[n - 1] = ' ';
	return kmq_name_is_valid(name);
}

/* Can the new queue have this name? In the order of O-OPEN-13. */
static u32 kmq_dynamic_judge_name(const struct kmq_open_call *call,
				  const u8 *name)
{
	if (kmq_qmgr_find_locked(call->queue->qmgr, name))
		return MQRC_OBJECT_ALREADY_EXISTS;
	return call->may_administer || !kmq_name_is_relied(name) ?
	       MQRC_NONE : MQRC_NOT_AUTHORIZED;
}

/* A name for the new queue that is free; the names are locked. */
static u32 kmq_dynamic_choose_name(const struct kmq_open_call *call, u8 *name)
{
	const u8 *pattern = call->cmd->dynamic_name;
	size_t n = kmq_dynamic_length(pattern);
	char digits[KMQ_DYNAMIC_DIGITS + 1];
	u8 id[KMQ_ID_LEN];
	u32 reason;

	memcpy(name, pattern, KMQ_NAME_LEN);
	if (pattern[n - 1] != '*')
		return kmq_dynamic_judge_name(call, name);
	do {
		kmq_qmgr_new_id(call->queue->qmgr, id);
		snprintf(digits, sizeof(digits), "%016llX",
			 get_unaligned_be64(id + 16));
		memcpy(name + n - 1, digits, KMQ_DYNAMIC_DIGITS);
		reason = kmq_dynamic_judge_name(call, name);
		/* Of the system's names every one is relied on. */
	} while (reason == MQRC_OBJECT_ALREADY_EXISTS ||
		 (reason && !kmq_name_is_systems(name)));
	return reason;
}

static u32 kmq_dynamic_make_locked(const struct kmq_open_call *call,
				   const u8 *name, struct kmq_queue **queue)
{
	struct kmq_queue *model = call->queue;
	kuid_t maker = call->may_administer ? INVALID_UID : call->maker;
	struct kmq_queue_attrs attrs = model->attrs;
	int err = kmq_account_charge(maker, KMQ_CHARGE_QUEUE);
	u32 reason;

	if (err)
		return err == -EDQUOT ? MQRC_RESOURCE_PROBLEM :
					MQRC_STORAGE_NOT_AVAILABLE;
	attrs.uid = call->uid;
	attrs.gid = call->gid;
	kmq_attr_now(attrs.creation_date, attrs.creation_time);
	kmq_attr_now(attrs.alteration_date, attrs.alteration_time);
	reason = kmq_admin_create_locked(model->qmgr, name, MQQT_LOCAL, &attrs,
					 queue);
	if (reason) {
		kmq_account_uncharge(maker, KMQ_CHARGE_QUEUE);
		return reason;
	}
	(*queue)->maker = maker;
	kmq_queue_get(*queue);
	return MQRC_NONE;
}

/**
 * kmq_dynamic_create - make a queue from a model
 * @call: MQOPEN of the model; the name pattern has been checked
 * @queue: set to the new queue, referenced
 *
 * Return: 0 or the reason.
 */
u32 kmq_dynamic_create(struct kmq_open_call *call, struct kmq_queue **queue)
{
	struct kmq_qmgr *qmgr = call->queue->qmgr;
	u8 name[KMQ_NAME_LEN];
	u32 reason;

	down_write(&qmgr->names);
	reason = kmq_dynamic_choose_name(call, name);
	if (!reason && kmq_conn_is_full(call->conn))
		reason = MQRC_HANDLE_NOT_AVAILABLE;
	if (!reason)
		reason = kmq_dynamic_make_locked(call, name, queue);
	up_write(&qmgr->names);
	return reason;
}

static u32 kmq_dynamic_retire(struct kmq_queue *queue, enum kmq_retire how)
{
	u32 reason = kmq_admin_retire(queue, how);

	return reason == MQRC_Q_DELETED ? MQRC_NONE : reason;
}

/**
 * kmq_dynamic_abandon - undo kmq_dynamic_create(), as the open failed after all
 * @queue: the queue
 */
void kmq_dynamic_abandon(struct kmq_queue *queue)
{
	kmq_dynamic_retire(queue, KMQ_RETIRE_ALWAYS);
}

/* O-DYN-6: gone with its creator's handle, whatever is on it. */
static void kmq_dynamic_end(struct kmq_handle *handle)
{
	if (handle->queue->attrs.definition_type == MQQDT_TEMPORARY_DYNAMIC)
		kmq_dynamic_retire(handle->queue, KMQ_RETIRE_ALWAYS);
}

/**
 * kmq_dynamic_own - a handle is the one that made its queue
 * @handle: the handle
 */
void kmq_dynamic_own(struct kmq_handle *handle)
{
	handle->on_close = kmq_dynamic_end;
	handle->may |= KMQ_MAY_DELETE;
}

/**
 * kmq_dynamic_close - MQCLOSE with MQCO_DELETE or MQCO_DELETE_PURGE
 * @handle: the handle
 * @options: one of these
 *
 * Return: 0: the queue is gone, or goes with the handle; or the reason why not.
 */
u32 kmq_dynamic_close(struct kmq_handle *handle, u32 options)
{
	struct kmq_queue *queue = handle->queue;

	if (handle->named != queue)
		return MQRC_OPTION_NOT_VALID_FOR_TYPE;
	switch (queue->attrs.definition_type) {
	case MQQDT_TEMPORARY_DYNAMIC:
		return handle->on_close ? MQRC_NONE :
					  MQRC_OPTION_NOT_VALID_FOR_TYPE;
	case MQQDT_PERMANENT_DYNAMIC:
		/* O-CLOSE-3 */
		if (!(handle->may & KMQ_MAY_DELETE))
			return MQRC_NOT_AUTHORIZED;
		return kmq_dynamic_retire(queue, options == MQCO_DELETE ?
					  KMQ_RETIRE_OPEN_EMPTY :
					  KMQ_RETIRE_OPEN_PURGE);
	default:
		return MQRC_OPTION_NOT_VALID_FOR_TYPE;
	}
}
