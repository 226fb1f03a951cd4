// SPDX-License-Identifier: GPL-2.0
/*
 * MQINQ and MQSET (objects.md section 8).
 */
#include <linux/string.h>
#include "attr.h"
#include "call.h"
#include "limits.h"
#include "object.h"
#include "qmgr.h"
#include "queue.h"
#include "resolve.h"
#include "trigger.h"

/**
 * kmq_attrs_counts_valid - check the counts of MQINQ or MQSET (O-INQ-2)
 * @cmd: the command; the result is set if they are not valid
 */
bool kmq_attrs_counts_valid(struct kmq_attrs *cmd)
{
	if (cmd->selector_count < 0)
		kmq_fail(cmd, MQRC_SELECTOR_COUNT_ERROR);
	else if (cmd->selector_count > KMQ_MAX_SELECTORS)
		kmq_fail(cmd, MQRC_SELECTOR_LIMIT_EXCEEDED);
	else if (cmd->int_attr_count < 0)
		kmq_fail(cmd, MQRC_INT_ATTR_COUNT_ERROR);
	else if (cmd->char_attr_length < 0)
		kmq_fail(cmd, MQRC_CHAR_ATTR_LENGTH_ERROR);
	else
		return true;
	return false;
}

/* Of an instance at another queue manager there is not much to see (O-INQ-7). */
static bool kmq_inquire_is_cluster(const struct kmq_attrs_call *call)
{
	return call->queue && call->queue->qmgr != call->qmgr;
}

/* Does a selector apply to the object, though its kind of object knows it? */
static bool kmq_inquire_applies(const struct kmq_attrs_call *call,
				const struct kmq_attr_desc *desc)
{
	if (!call->queue)
		return true;
	if (kmq_inquire_is_cluster(call))
		return desc->flags & KMQ_ATTR_K;
	return !(desc->flags & KMQ_ATTR_HIDDEN) &&
	       desc->flags & kmq_attr_type_flag(call->queue->type);
}

/* Selectors of the module's own are for administration, not for MQINQ. */
static const struct kmq_attr_desc *
kmq_inquire_find(const struct kmq_attrs_call *call, s32 selector)
{
	return kmq_attr_find(call->cmd->object_type, selector);
}

static void kmq_inquire_value(struct kmq_attrs_call *call,
			      const struct kmq_attr_desc *desc,
			      struct kmq_attr_value *value)
{
	if (!kmq_inquire_applies(call, desc)) {
		value->number = MQIAV_NOT_APPLICABLE;
		memset(value->text, '*', sizeof(value->text));
	} else if (kmq_inquire_is_cluster(call)) {
		kmq_attr_of_instance(call->queue, desc, value);
	} else if (call->queue) {
		kmq_attr_of_queue(call->queue, desc, value);
	} else if (call->object) {
		kmq_attr_of_object(call->object, desc, value);
	} else {
		kmq_attr_of_qmgr(call->qmgr, desc, value);
	}
}

/* O-INQ-3, O-INQ-5: what does not fit is left out, and all that follows. */
static void kmq_inquire_text(struct kmq_attrs_call *call, const void *text,
			     u32 length, u32 *chars)
{
	if (*chars + length <= call->cmd->char_attr_length &&
	    call->chars_used == *chars) {
		memcpy(call->chars + *chars, text, length);
		call->chars_used += length;
	}
	*chars += length;
}

static void kmq_inquire_one(struct kmq_attrs_call *call,
			    const struct kmq_attr_desc *desc, u32 *ints,
			    u32 *chars)
{
	struct kmq_attr_value value;

	if (desc->flags & KMQ_ATTR_NAMES) {
		kmq_inquire_text(call, call->object->names,
				 call->object->name_count * KMQ_NAME_LEN,
				 chars);
		return;
	}
	kmq_inquire_value(call, desc, &value);
	if (!desc->size) {
		if (*ints < call->cmd->int_attr_count)
			call->ints[*ints] = value.number;
		++*ints;
		return;
	}
	kmq_inquire_text(call, value.text, desc->size, chars);
}

static int kmq_inquire_all(struct kmq_attrs_call *call)
{
	struct kmq_attrs *cmd = call->cmd;
	u32 ints = 0, chars = 0;
	bool applies = true;
	s32 i;

	for (i = 0; i < cmd->selector_count; i++) {
		const struct kmq_attr_desc *desc =
			kmq_inquire_find(call, call->selectors[i]);

		if (!desc)
			return kmq_fail(cmd, MQRC_SELECTOR_ERROR);
		applies &= kmq_inquire_applies(call, desc);
	}
	for (i = 0; i < cmd->selector_count; i++)
		kmq_inquire_one(call,
				kmq_inquire_find(call, call->selectors[i]),
				&ints, &chars);
	call->ints_used = min_t(u32, ints, cmd->int_attr_count);
	/* O-INQ-6 */
	if (!applies)
		return kmq_warn(cmd, MQRC_SELECTOR_NOT_FOR_TYPE);
	if (ints > cmd->int_attr_count)
		return kmq_warn(cmd, MQRC_INT_ATTR_COUNT_TOO_SMALL);
	if (chars > cmd->char_attr_length)
		return kmq_warn(cmd, MQRC_CHAR_ATTRS_TOO_SHORT);
	return kmq_ok(cmd);
}

/* Of a queue its lock is enough: without that no attribute of it changes. */
static int kmq_inquire_queue(struct kmq_attrs_call *call)
{
	struct kmq_queue *queue = call->queue;
	int err;

	kmq_queue_lock_beside(queue);
	err = queue->deleted ? kmq_fail(call->cmd, MQRC_Q_DELETED) :
			       kmq_inquire_all(call);
	mutex_unlock(&queue->lock);
	return err;
}

static int kmq_inquire_locked(struct kmq_attrs_call *call)
{
	struct kmq_attrs *cmd = call->cmd;

	if (kmq_is_object(cmd->object_type)) {
		call->object = kmq_object_find_locked(call->qmgr,
						      cmd->object_type,
						      cmd->name);
		if (!call->object)
			return kmq_fail(cmd, MQRC_UNKNOWN_OBJECT_NAME);
	}
	return kmq_inquire_all(call);
}

/**
 * kmq_call_inquire - MQINQ, or the inquiry of an object by name
 * @call: the call; counts are valid, arrays are as long as they say
 */
int kmq_call_inquire(struct kmq_attrs_call *call)
{
	int err;

	if (call->queue)
		return kmq_inquire_queue(call);
	down_read(&call->qmgr->names);
	err = kmq_inquire_locked(call);
	up_read(&call->qmgr->names);
	return err;
}

/* The checks of MQSET, and with @attrs the change. */
static u32 kmq_set_all(struct kmq_attrs_call *call,
		       struct kmq_queue_attrs *attrs)
{
	const struct kmq_attrs *cmd = call->cmd;
	u32 ints = 0, chars = 0;
	s32 i;

	for (i = 0; i < cmd->selector_count; i++) {
		const struct kmq_attr_desc *desc =
			kmq_attr_find(MQOT_Q, call->selectors[i]);
		struct kmq_attr_value value;

		if (!desc || !(desc->flags & KMQ_ATTR_SET) ||
		    !(desc->flags & kmq_attr_type_flag(call->queue->type)))
			return MQRC_SELECTOR_ERROR;
		if (!desc->size) {
			if (ints >= cmd->int_attr_count)
				return MQRC_INT_ATTR_COUNT_ERROR;
			value.number = call->ints[ints++];
			if (!kmq_attr_in_range(desc, value.number))
				return desc->bad_value;
		} else {
			if (chars + desc->size > cmd->char_attr_length)
				return MQRC_CHAR_ATTR_LENGTH_ERROR;
			memcpy(value.text, call->chars + chars, desc->size);
			kmq_name_pad(value.text, desc->size);
			chars += desc->size;
		}
		kmq_attr_set(attrs, desc, &value);
	}
	return MQRC_NONE;
}

/**
 * kmq_definition_place_locked - where gets wait that go through a definition
 * @named: definition; the names are locked
 *
 * Return: the queue, referenced, or NULL: there is none now.
 */
struct kmq_queue *kmq_definition_place_locked(struct kmq_queue *named)
{
	struct kmq_queue *queue = named;

	if (named->type == MQQT_ALIAS)
		queue = kmq_resolve_base_locked(named);
	return queue ? kmq_queue_get(queue) : NULL;
}

/**
 * kmq_definition_tell - tell who waits or polls that attributes have changed
 * @named: definition, after kmq_qmgr_changed(); nothing is locked
 * @place: where gets wait, found under the same locks as the change was made;
 *	the reference is given back
 *
 * Gets through an alias that is get-inhibited now end. Whether a file is
 * readable or writable may have changed either way.
 */
void kmq_definition_tell(struct kmq_queue *named, struct kmq_queue *place)
{
	wake_up_all(&named->poll);
	if (!place)
		return;
	kmq_queue_lock(place);
	if (place != named && READ_ONCE(named->attrs.inhibit_get))
		kmq_waiters_cancel_named_locked(place, named,
						KMQ_CANCEL_INHIBITED);
	if (place != named)
		wake_up_all(&place->poll);
	mutex_unlock(&place->lock);
	kmq_queue_put(place);
}

/* Return: 0 or the reason; with 0 @place is set, see kmq_definition_tell(). */
static u32 kmq_set_locked(struct kmq_attrs_call *call, struct kmq_queue **place)
{
	struct kmq_queue *queue = call->queue;
	struct kmq_queue_attrs attrs = queue->attrs;
	bool inhibited;
	u32 reason;

	reason = queue->deleted ? MQRC_Q_DELETED : kmq_set_all(call, &attrs);
	if (reason)
		return reason;
	inhibited = attrs.inhibit_get && !queue->attrs.inhibit_get;
	kmq_watch_change_locked(queue, &attrs);
	kmq_qmgr_changed(queue->qmgr);
	if (inhibited)
		kmq_waiters_cancel_locked(queue, KMQ_CANCEL_INHIBITED);
	*place = kmq_definition_place_locked(queue);
	return MQRC_NONE;
}

/**
 * kmq_call_set - MQSET (O-SET): all or nothing, at once, for everybody
 * @call: the call; counts are valid, arrays are as long as they say
 */
int kmq_call_set(struct kmq_attrs_call *call)
{
	struct kmq_queue *queue = call->queue;
	struct kmq_queue *place;
	u32 reason;

	kmq_queue_lock_named(queue);
	reason = kmq_set_locked(call, &place);
	kmq_queue_unlock_named(queue);
	if (reason)
		return kmq_fail(call->cmd, reason);
	kmq_definition_tell(queue, place);
	kmq_trigger_recheck(queue);
	return kmq_ok(call->cmd);
}
