// SPDX-License-Identifier: GPL-2.0
/*
 * Administration of processes and namelists (objects.md section 7.2).
 *
 * An object is never changed. A definition makes another one from it, which
 * takes its place once nothing can fail any more.
 */
#include <linux/string.h>
#include "admin.h"
#include "limits.h"
#include "mqi.h"
#include "object.h"
#include "qmgr.h"

/* The names that a definition gives, or NULL. */
static const struct kmq_attr_given *
kmq_admin_given_names(const struct kmq_define *cmd,
		      const struct kmq_attr_given *given)
{
	u32 i;

	for (i = cmd->attr_count; i; i--)
		if (given[i - 1].names)
			return &given[i - 1];
	return NULL;
}

static u32 kmq_admin_copy_names(struct kmq_object *object,
				const struct kmq_attr_given *given)
{
	u32 i;

	for (i = 0; i < object->name_count; i++) {
		u8 *name = object->names[i];

		memcpy(name, given->names + i * KMQ_NAME_LEN, KMQ_NAME_LEN);
		kmq_name_pad(name, KMQ_NAME_LEN);
		if (!kmq_name_is_valid(name))
			return MQRCCF_ATTR_VALUE_ERROR;
	}
	return MQRC_NONE;
}

static u32 kmq_admin_fill_object(struct kmq_object *object,
				 struct kmq_define *cmd,
				 const struct kmq_attr_given *given,
				 const struct kmq_attr_given *names)
{
	u32 reason = MQRC_NONE;
	u32 i;

	for (i = 0; i < cmd->attr_count && !reason; i++) {
		cmd->out_selector = given[i].selector;
		if (!given[i].names)
			reason = kmq_admin_apply_one(&object->attrs,
						     cmd->object_type, 0,
						     &given[i]);
		else if (&given[i] == names)
			reason = kmq_admin_copy_names(object, names);
	}
	if (!reason)
		cmd->out_selector = 0;
	return reason;
}

/* What an object starts from: another one, or the defaults. */
static void kmq_admin_object_base(struct kmq_object *object,
				  const struct kmq_object *base)
{
	if (object->type == MQOT_PROCESS) {
		kmq_attr_process_defaults(&object->attrs.process);
		if (!base)
			return;
		object->attrs.process = base->attrs.process;
		kmq_attr_now(object->attrs.process.alteration_date,
			     object->attrs.process.alteration_time);
		return;
	}
	kmq_attr_namelist_defaults(&object->attrs.namelist);
	if (!base)
		return;
	object->attrs.namelist = base->attrs.namelist;
	kmq_attr_now(object->attrs.namelist.alteration_date,
		     object->attrs.namelist.alteration_time);
	if (object->name_count == base->name_count)
		memcpy(object->names, base->names,
		       base->name_count * sizeof(*base->names));
}

/* Make the object that a definition leads to, unless it has a fault. */
static u32 kmq_admin_make_object(struct kmq_define *cmd,
				 const struct kmq_attr_given *given,
				 const struct kmq_object *base,
				 struct kmq_object **made)
{
	const struct kmq_attr_given *names = kmq_admin_given_names(cmd, given);
	struct kmq_object *object;
	u32 count = base ? base->name_count : 0;
	u32 reason;

	if (names)
		count = names->length / KMQ_NAME_LEN;
	object = kmq_object_alloc(cmd->object_type, cmd->name, count);
	if (!object)
		return MQRC_STORAGE_NOT_AVAILABLE;
	kmq_admin_object_base(object, base);
	reason = kmq_admin_fill_object(object, cmd, given, names);
	if (reason)
		kmq_object_free(object);
	else
		*made = object;
	return reason;
}

/**
 * kmq_admin_define_object_locked - DEFINE of a process or a namelist
 * @qmgr: queue manager, names locked for writing
 * @cmd: the command, names padded
 * @given: cmd->attr_count attributes
 *
 * Return: 0 or the reason.
 */
u32 kmq_admin_define_object_locked(struct kmq_qmgr *qmgr,
				   struct kmq_define *cmd,
				   const struct kmq_attr_given *given)
{
	struct kmq_object *old, *object, *like = NULL;
	u32 reason;

	old = kmq_object_find_locked(qmgr, cmd->object_type, cmd->name);
	if (old && !(cmd->flags & KMQ_DEFINE_REPLACE))
		return MQRCCF_OBJECT_ALREADY_EXISTS;
	if (cmd->like[0] != ' ') {
		like = kmq_object_find_locked(qmgr, cmd->object_type,
					      cmd->like);
		if (!like)
			return MQRC_UNKNOWN_OBJECT_NAME;
	}
	reason = kmq_admin_make_object(cmd, given, like, &object);
	if (reason)
		return reason;
	if (old) {
		kmq_object_replace_locked(qmgr, old, object);
	} else if (kmq_object_add_locked(qmgr, object)) {
		kmq_object_free(object);
		return MQRC_RESOURCE_PROBLEM;
	}
	return MQRC_NONE;
}

/**
 * kmq_admin_alter_object_locked - ALTER of a process or a namelist
 * @qmgr: queue manager, names locked for writing
 * @cmd: the command, names padded
 * @given: cmd->attr_count attributes
 *
 * Return: 0 or the reason.
 */
u32 kmq_admin_alter_object_locked(struct kmq_qmgr *qmgr, struct kmq_define *cmd,
				  const struct kmq_attr_given *given)
{
	struct kmq_object *old, *object;
	u32 reason;

	old = kmq_object_find_locked(qmgr, cmd->object_type, cmd->name);
	if (!old)
		return MQRC_UNKNOWN_OBJECT_NAME;
	reason = kmq_admin_make_object(cmd, given, old, &object);
	if (!reason)
		kmq_object_replace_locked(qmgr, old, object);
	return reason;
}

/**
 * kmq_admin_delete_object_locked - DELETE of a process or a namelist
 * @qmgr: queue manager, names locked for writing
 * @cmd: the command, name padded
 *
 * Return: 0 or 2085.
 */
u32 kmq_admin_delete_object_locked(struct kmq_qmgr *qmgr,
				   const struct kmq_delete *cmd)
{
	struct kmq_object *object;

	object = kmq_object_find_locked(qmgr, cmd->object_type, cmd->name);
	if (!object)
		return MQRC_UNKNOWN_OBJECT_NAME;
	kmq_object_del_locked(qmgr, object);
	return MQRC_NONE;
}

/**
 * kmq_admin_list_objects_locked - names of processes or namelists
 * @qmgr: queue manager, names locked
 * @cmd: the command, names padded; out_count is counted up
 * @names: room for cmd->count names
 */
void kmq_admin_list_objects_locked(struct kmq_qmgr *qmgr, struct kmq_list *cmd,
				   u8 *names)
{
	const struct kmq_object *object;
	const u8 *after = cmd->after;

	while ((object = kmq_object_next_locked(qmgr, cmd->object_type,
						after))) {
		after = object->name;
		cond_resched();
		if (!kmq_admin_matches(cmd->pattern, object->name))
			continue;
		if (cmd->out_count < cmd->count)
			memcpy(names + cmd->out_count * KMQ_NAME_LEN,
			       object->name, KMQ_NAME_LEN);
		cmd->out_count++;
	}
}
