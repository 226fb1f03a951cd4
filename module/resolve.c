// SPDX-License-Identifier: GPL-2.0
/*
 * Name resolution (objects.md section 4): from the definition that a program
 * names to the local queue behind it.
 */
#include "attr.h"
#include "mqi.h"
#include "qmgr.h"
#include "queue.h"
#include "resolve.h"

/**
 * kmq_resolve_base_locked - the queue an alias stands for
 * @named: alias; the names of its queue manager are locked
 *
 * Return: the queue, not referenced, or NULL.
 */
struct kmq_queue *kmq_resolve_base_locked(struct kmq_queue *named)
{
	return kmq_qmgr_find_locked(named->qmgr, named->attrs.base_q_name);
}

static u32 kmq_resolve_alias(struct kmq_queue *named, struct kmq_queue **queue)
{
	struct kmq_queue *base;

	if (named->attrs.base_type != MQOT_Q)
		return MQRC_ALIAS_BASE_Q_TYPE_ERROR;
	base = kmq_resolve_base_locked(named);
	if (!base)
		return MQRC_UNKNOWN_ALIAS_BASE_Q;
	if (base->type == MQQT_REMOTE)
		return MQRC_FUNCTION_NOT_SUPPORTED;
	if (base->type != MQQT_LOCAL)
		return MQRC_ALIAS_BASE_Q_TYPE_ERROR;
	*queue = kmq_queue_get(base);
	return MQRC_NONE;
}

/**
 * kmq_resolve - find the local queue behind a definition that is no model
 * @named: the definition
 * @queue: set to the queue, referenced
 *
 * Return: 0 or the reason: 2001, 2082, 2057 for a model, 2298 for what leads to
 * a remote definition.
 */
u32 kmq_resolve(struct kmq_queue *named, struct kmq_queue **queue)
{
	u32 reason;

	switch (named->type) {
	case MQQT_LOCAL:
		*queue = kmq_queue_get(named);
		return MQRC_NONE;
	case MQQT_ALIAS:
		down_read(&named->qmgr->names);
		reason = kmq_resolve_alias(named, queue);
		up_read(&named->qmgr->names);
		return reason;
	case MQQT_MODEL:
		return MQRC_Q_TYPE_ERROR;
	default:
		return MQRC_FUNCTION_NOT_SUPPORTED;
	}
}

/**
 * kmq_generation - what changes when a handle has to be opened anew
 * @named: definition that was opened
 * @queue: queue it led to
 */
u32 kmq_generation(const struct kmq_queue *named, const struct kmq_queue *queue)
{
	return READ_ONCE(named->generation) +
	       (named == queue ? 0 : READ_ONCE(queue->generation));
}
