// SPDX-License-Identifier: GPL-2.0
/*
 * Administration: DEFINE, ALTER, DELETE, CLEAR, status and lists.
 */
#include <linux/string.h>
#include "account.h"
#include "admin.h"
#include "call.h"
#include "cluster.h"
#include "dev.h"
#include "event.h"
#include "limits.h"
#include "qmgr.h"
#include "queue.h"
#include "relied.h"
#include "resolve.h"
#include "trigger.h"

/**
 * kmq_admin_apply_one - check an attribute that is given and set it
 * @attrs: structure of attributes of the kind of object
 * @object_type: MQOT_*
 * @type_flag: of a queue: KMQ_ATTR_* of its type
 * @given: the attribute
 *
 * Return: 0 or the reason.
 */
u32 kmq_admin_apply_one(void *attrs, s32 object_type, u32 type_flag,
			const struct kmq_attr_given *given)
{
	const struct kmq_attr_desc *desc = kmq_attr_find(object_type,
							 given->selector);
	struct kmq_attr_value value = given->value;

	if (!desc || desc->flags & (KMQ_ATTR_DERIVED | KMQ_ATTR_FIXED) ||
	    (object_type == MQOT_Q && !(desc->flags & type_flag)))
		return kmq_attr_is_text(given->selector) ?
		       MQRCCF_CFST_PARM_ID_ERROR : MQRCCF_CFIN_PARM_ID_ERROR;
	if (!desc->size) {
		if (!kmq_attr_in_range(desc, value.number))
			return MQRCCF_ATTR_VALUE_ERROR;
	} else {
		memset(value.text + given->length, 0,
		       sizeof(value.text) - given->length);
		kmq_name_pad(value.text, desc->size);
		/* Attributes of the length of a name are names, or blank. */
		if (desc->size == KMQ_NAME_LEN && value.text[0] != ' ' &&
		    !kmq_name_is_valid(value.text))
			return MQRCCF_ATTR_VALUE_ERROR;
	}
	kmq_attr_set(attrs, desc, &value);
	return MQRC_NONE;
}

static u32 kmq_admin_apply(void *attrs, struct kmq_define *cmd, u32 type_flag,
			   const struct kmq_attr_given *given)
{
	u32 i;

	for (i = 0; i < cmd->attr_count; i++) {
		u32 reason = kmq_admin_apply_one(attrs, cmd->object_type,
						 type_flag, &given[i]);

		if (reason) {
			cmd->out_selector = given[i].selector;
			return reason;
		}
	}
	return MQRC_NONE;
}

/* A model always leads to a dynamic queue, and nothing else makes one. */
static u32 kmq_admin_check_attrs(s32 q_type,
				 const struct kmq_queue_attrs *attrs, s32 was)
{
	if (q_type == MQQT_MODEL && attrs->definition_type == MQQDT_PREDEFINED)
		return MQRCCF_ATTR_VALUE_ERROR;
	if (q_type == MQQT_LOCAL && attrs->definition_type != was)
		return MQRCCF_ATTR_VALUE_ERROR;
	return MQRC_NONE;
}

/* P-CALL-10: a handle opened before would now lead to something else. */
static bool kmq_admin_leads_elsewhere(const struct kmq_queue_attrs *old,
				      const struct kmq_queue_attrs *new)
{
	return old->usage != new->usage || old->base_type != new->base_type ||
	       !kmq_name_equal(old->base_q_name, new->base_q_name) ||
	       !kmq_name_equal(old->remote_q_name, new->remote_q_name) ||
	       !kmq_name_equal(old->remote_q_mgr_name,
			       new->remote_q_mgr_name) ||
	       !kmq_name_equal(old->xmit_q_name, new->xmit_q_name);
}

/*
 * New attributes for a queue that exists; its messages stay where they are. Return:
 * does it lead elsewhere now?
 */
static bool kmq_admin_change_locked(struct kmq_queue *queue,
				    struct kmq_queue_attrs *attrs)
{
	bool clustered = kmq_is_clustered(attrs) ||
			 kmq_is_clustered(&queue->attrs);
	bool elsewhere = kmq_admin_leads_elsewhere(&queue->attrs, attrs);
	bool inhibited;

	lockdep_assert_held(&queue->lock);
	memcpy(attrs->creation_date, queue->attrs.creation_date,
	       sizeof(attrs->creation_date));
	memcpy(attrs->creation_time, queue->attrs.creation_time,
	       sizeof(attrs->creation_time));
	kmq_attr_now(attrs->alteration_date, attrs->alteration_time);
	inhibited = attrs->inhibit_get && !queue->attrs.inhibit_get;
	if (elsewhere) {
		WRITE_ONCE(queue->generation, queue->generation + 1);
		/* Before who begins to wait now can miss it. */
		kmq_qmgr_changed(queue->qmgr);
		kmq_waiters_cancel_locked(queue, KMQ_CANCEL_CHANGED);
	}
	kmq_watch_change_locked(queue, attrs);
	if (inhibited)
		kmq_waiters_cancel_locked(queue, KMQ_CANCEL_INHIBITED);
	if (clustered)
		kmq_clusters_changed();
	return elsewhere;
}

/* Where those wait who have opened a definition that may change. */
static struct kmq_queue *kmq_admin_wait_place(struct kmq_queue *queue)
{
	return queue->type == MQQT_ALIAS ? kmq_resolve_base_locked(queue) :
					   queue;
}

/*
 * Tell those who may wait for that; no queue is locked. With @left gets end that
 * wait there because they were opened through the definition (G-WAIT-11).
 */
static void kmq_admin_changed(struct kmq_queue *queue, struct kmq_queue *left)
{
	kmq_definition_changed(queue);
	if (left && left != queue) {
		kmq_queue_lock(left);
		kmq_waiters_cancel_named_locked(left, queue,
						KMQ_CANCEL_CHANGED);
		mutex_unlock(&left->lock);
	}
	kmq_dev_queue_change(queue);
}

/**
 * kmq_admin_create_locked - make a queue
 * @qmgr: queue manager, names locked for writing
 * @name: name that is free
 * @type: MQQT_*
 * @attrs: attributes
 * @made: set to the queue, which belongs to the queue manager
 *
 * Return: 0 or the reason.
 */
u32 kmq_admin_create_locked(struct kmq_qmgr *qmgr, const u8 *name, s32 type,
			    const struct kmq_queue_attrs *attrs,
			    struct kmq_queue **made)
{
	struct kmq_queue *queue;
	int err;

	queue = kmq_queue_alloc(qmgr, name, type, attrs);
	if (!queue)
		return MQRC_STORAGE_NOT_AVAILABLE;
	err = kmq_relied_add_queue(name, attrs);
	if (err)
		goto put_queue;
	err = kmq_dev_queue_add(queue);
	if (err)
		goto drop_names;
	/* The name is free: it was looked up under the same lock. */
	WARN_ON_ONCE(kmq_qmgr_add_locked(qmgr, queue));
	if (kmq_is_clustered(attrs))
		kmq_clusters_changed();
	*made = queue;
	return MQRC_NONE;

drop_names:
	kmq_relied_drop_queue(name, attrs);
put_queue:
	kmq_queue_put(queue);
	return err == -ENOSPC ? MQRC_RESOURCE_PROBLEM :
				MQRC_STORAGE_NOT_AVAILABLE;
}

/* Where a definition starts from: LIKE or the defaults. */
static u32 kmq_admin_base(struct kmq_qmgr *qmgr, const struct kmq_define *cmd,
			  struct kmq_queue_attrs *attrs)
{
	struct kmq_queue *like;

	kmq_attr_queue_defaults(attrs, cmd->q_type);
	if (cmd->like[0] == ' ')
		return MQRC_NONE;
	like = kmq_qmgr_find_locked(qmgr, cmd->like);
	if (!like)
		return MQRC_UNKNOWN_OBJECT_NAME;
	if (like->type != cmd->q_type)
		return MQRCCF_LIKE_OBJECT_WRONG_TYPE;
	kmq_queue_lock_beside(like);
	*attrs = like->attrs;
	mutex_unlock(&like->lock);
	if (like->type == MQQT_LOCAL)
		attrs->definition_type = MQQDT_PREDEFINED;
	kmq_attr_now(attrs->creation_date, attrs->creation_time);
	kmq_attr_now(attrs->alteration_date, attrs->alteration_time);
	return MQRC_NONE;
}

/* Names are counted for the new attributes, while no queue is locked. */
static u32 kmq_admin_rely(const struct kmq_queue *queue,
			  const struct kmq_queue_attrs *attrs)
{
	if (kmq_relied_add_queue(queue->name, attrs))
		return MQRC_STORAGE_NOT_AVAILABLE;
	kmq_relied_drop_queue(queue->name, &queue->attrs);
	return MQRC_NONE;
}

/* Whoever made it, it is an administrator's from now on. */
static u32 kmq_admin_replace_locked(struct kmq_queue *queue,
				    struct kmq_queue_attrs *attrs)
{
	struct kmq_queue *place = kmq_admin_wait_place(queue);
	u32 reason = kmq_admin_rely(queue, attrs);
	bool elsewhere;

	if (reason)
		return reason;
	kmq_account_uncharge(queue->maker, KMQ_CHARGE_QUEUE);
	queue->maker = INVALID_UID;
	kmq_queue_lock(queue);
	elsewhere = kmq_admin_change_locked(queue, attrs);
	mutex_unlock(&queue->lock);
	kmq_admin_changed(queue, elsewhere ? place : NULL);
	return MQRC_NONE;
}

/*
 * Who defines a queue can use it. Owner and group are rights, which a definition
 * neither copies from another queue nor takes away from those who have them.
 */
static void kmq_admin_set_owner(struct kmq_queue_attrs *attrs,
				const struct kmq_queue *queue,
				const struct kmq_definer *definer)
{
	attrs->uid = queue ? queue->attrs.uid : definer->uid;
	attrs->gid = queue ? queue->attrs.gid : definer->gid;
}

static u32 kmq_admin_define_locked(struct kmq_qmgr *qmgr,
				   struct kmq_define *cmd,
				   const struct kmq_attr_given *given,
				   const struct kmq_definer *definer)
{
	struct kmq_queue *queue = kmq_qmgr_find_locked(qmgr, cmd->name);
	struct kmq_queue_attrs attrs;
	u32 reason;

	if (queue && queue->type != cmd->q_type)
		return MQRCCF_OBJECT_WRONG_TYPE;
	if (queue && !(cmd->flags & KMQ_DEFINE_REPLACE))
		return MQRCCF_OBJECT_ALREADY_EXISTS;
	reason = kmq_admin_base(qmgr, cmd, &attrs);
	kmq_admin_set_owner(&attrs, queue, definer);
	if (!reason)
		reason = kmq_admin_apply(&attrs, cmd,
					 kmq_attr_type_flag(cmd->q_type),
					 given);
	if (!reason)
		reason = kmq_admin_check_attrs(cmd->q_type, &attrs,
					       MQQDT_PREDEFINED);
	if (reason)
		return reason;
	if (!queue)
		return kmq_admin_create_locked(qmgr, cmd->name, cmd->q_type,
					       &attrs, &queue);
	return kmq_admin_replace_locked(queue, &attrs);
}

/**
 * kmq_admin_define - DEFINE
 * @qmgr: queue manager
 * @cmd: the command, names padded
 * @given: cmd->attr_count attributes
 * @definer: to whom a new queue belongs
 */
int kmq_admin_define(struct kmq_qmgr *qmgr, struct kmq_define *cmd,
		     const struct kmq_attr_given *given,
		     const struct kmq_definer *definer)
{
	u32 reason;

	cmd->out_selector = 0;
	if (!kmq_name_is_valid(cmd->name))
		return kmq_fail(cmd, MQRCCF_OBJECT_NAME_ERROR);
	down_write(&qmgr->names);
	reason = cmd->object_type == MQOT_Q ?
		 kmq_admin_define_locked(qmgr, cmd, given, definer) :
		 kmq_admin_define_object_locked(qmgr, cmd, given);
	up_write(&qmgr->names);
	if (!reason && cmd->object_type == MQOT_Q)
		kmq_trigger_recheck_named(qmgr, cmd->name);
	return reason ? kmq_fail(cmd, reason) : kmq_ok(cmd);
}

/* What the attributes are going to be. */
static u32 kmq_admin_altered_locked(const struct kmq_queue *queue,
				    struct kmq_define *cmd,
				    const struct kmq_attr_given *given,
				    struct kmq_queue_attrs *attrs)
{
	u32 reason;

	lockdep_assert_held(&queue->lock);
	*attrs = queue->attrs;
	reason = kmq_admin_apply(attrs, cmd, kmq_attr_type_flag(queue->type),
				 given);
	return reason ?: kmq_admin_check_attrs(queue->type, attrs,
					       queue->attrs.definition_type);
}

static u32 kmq_admin_alter_queue(struct kmq_qmgr *qmgr, struct kmq_define *cmd,
				 const struct kmq_attr_given *given)
{
	struct kmq_queue *queue = kmq_qmgr_find_locked(qmgr, cmd->name);
	struct kmq_queue_attrs attrs;
	struct kmq_queue *place;
	bool elsewhere;
	u32 reason;

	if (!queue)
		return MQRC_UNKNOWN_OBJECT_NAME;
	if (queue->type != cmd->q_type)
		return MQRCCF_OBJECT_WRONG_TYPE;
	kmq_queue_lock_beside(queue);
	reason = kmq_admin_altered_locked(queue, cmd, given, &attrs);
	mutex_unlock(&queue->lock);
	if (!reason)
		reason = kmq_admin_rely(queue, &attrs);
	if (reason)
		return reason;
	place = kmq_admin_wait_place(queue);
	kmq_queue_lock(queue);
	/* Once more: some attributes change by themselves, names do not. */
	kmq_admin_altered_locked(queue, cmd, given, &attrs);
	elsewhere = kmq_admin_change_locked(queue, &attrs);
	mutex_unlock(&queue->lock);
	kmq_admin_changed(queue, elsewhere ? place : NULL);
	return MQRC_NONE;
}

static u32 kmq_admin_alter_qmgr(struct kmq_qmgr *qmgr, struct kmq_define *cmd,
				const struct kmq_attr_given *given)
{
	struct kmq_qmgr_attrs attrs = qmgr->attrs;
	u32 reason = kmq_admin_apply(&attrs, cmd, 0, given);

	if (reason)
		return reason;
	if (kmq_relied_add_qmgr(qmgr->name, &attrs))
		return MQRC_STORAGE_NOT_AVAILABLE;
	kmq_relied_drop_qmgr(qmgr->name, &qmgr->attrs);
	kmq_attr_now(attrs.alteration_date, attrs.alteration_time);
	kmq_attr_assign_qmgr(&qmgr->attrs, &attrs);
	kmq_qmgr_changed(qmgr);
	kmq_qmgr_watch_locked(qmgr);
	return MQRC_NONE;
}

static u32 kmq_admin_alter_locked(struct kmq_qmgr *qmgr,
				  struct kmq_define *cmd,
				  const struct kmq_attr_given *given)
{
	switch (cmd->object_type) {
	case MQOT_Q:
		return kmq_admin_alter_queue(qmgr, cmd, given);
	case MQOT_Q_MGR:
		return kmq_admin_alter_qmgr(qmgr, cmd, given);
	default:
		return kmq_admin_alter_object_locked(qmgr, cmd, given);
	}
}

/**
 * kmq_admin_alter - ALTER of an object or of the queue manager
 * @qmgr: queue manager
 * @cmd: the command, names padded
 * @given: cmd->attr_count attributes
 */
int kmq_admin_alter(struct kmq_qmgr *qmgr, struct kmq_define *cmd,
		    const struct kmq_attr_given *given)
{
	u32 reason;

	cmd->out_selector = 0;
	down_write(&qmgr->names);
	reason = kmq_admin_alter_locked(qmgr, cmd, given);
	up_write(&qmgr->names);
	if (!reason && cmd->object_type == MQOT_Q)
		kmq_trigger_recheck_named(qmgr, cmd->name);
	return reason ? kmq_fail(cmd, reason) : kmq_ok(cmd);
}

static bool kmq_admin_has_work(const struct kmq_queue *queue)
{
	return queue->uncommitted_puts || queue->uncommitted_gets;
}

/* Can the queue go? By which rules depends on who lets it go. */
static u32 kmq_admin_may_retire(const struct kmq_queue *queue,
				enum kmq_retire how)
{
	if (how == KMQ_RETIRE_ALWAYS)
		return MQRC_NONE;
	if (how != KMQ_RETIRE_OPEN_EMPTY && how != KMQ_RETIRE_OPEN_PURGE &&
	    (!kmq_tree_empty(&queue->handles) || atomic_read(&queue->named_by)))
		return MQRCCF_OBJECT_OPEN;
	if (kmq_admin_has_work(queue))
		return MQRC_Q_NOT_EMPTY;
	if (queue->depth &&
	    (how == KMQ_RETIRE_EMPTY || how == KMQ_RETIRE_OPEN_EMPTY))
		return MQRC_Q_NOT_EMPTY;
	return MQRC_NONE;
}

/**
 * kmq_admin_retire_locked - take a queue out of service
 * @queue: queue; the names are locked for writing. It may be freed
 * @how: what it may still hold
 *
 * Nobody finds it any more, handles get 2052, files see that it is gone.
 *
 * Return: 0 or the reason why it stays.
 */
u32 kmq_admin_retire_locked(struct kmq_queue *queue, enum kmq_retire how)
{
	struct kmq_qmgr *qmgr = queue->qmgr;
	u32 reason;

	lockdep_assert_held_write(&qmgr->names);
	kmq_queue_lock(queue);
	reason = kmq_admin_may_retire(queue, how);
	if (!reason) {
		WRITE_ONCE(queue->deleted, true);
		kmq_qmgr_changed(queue->qmgr);
		kmq_waiters_cancel_locked(queue, KMQ_CANCEL_DELETED);
		kmq_queue_purge_locked(queue);
	}
	mutex_unlock(&queue->lock);
	if (reason)
		return reason;
	kmq_qmgr_del_locked(qmgr, queue);
	kmq_account_uncharge(queue->maker, KMQ_CHARGE_QUEUE);
	kmq_relied_drop_queue(queue->name, &queue->attrs);
	if (kmq_is_clustered(&queue->attrs))
		kmq_clusters_changed();
	kmq_dev_queue_del(queue);
	kmq_queue_put(queue);
	return MQRC_NONE;
}

static u32 kmq_admin_find(struct kmq_qmgr *qmgr, const struct kmq_delete *cmd,
			  struct kmq_queue **queue)
{
	*queue = kmq_qmgr_find_locked(qmgr, cmd->name);
	if (!*queue)
		return MQRC_UNKNOWN_OBJECT_NAME;
	if (cmd->q_type && (*queue)->type != cmd->q_type)
		return MQRCCF_OBJECT_WRONG_TYPE;
	return MQRC_NONE;
}

static u32 kmq_admin_delete_queue(struct kmq_qmgr *qmgr,
				  const struct kmq_delete *cmd)
{
	struct kmq_queue *queue;
	u32 reason = kmq_admin_find(qmgr, cmd, &queue);

	if (reason)
		return reason;
	return kmq_admin_retire_locked(queue, cmd->flags & KMQ_DELETE_PURGE ?
				       KMQ_RETIRE_PURGE : KMQ_RETIRE_EMPTY);
}

/**
 * kmq_admin_delete - DELETE
 * @qmgr: queue manager
 * @cmd: the command, name padded
 */
int kmq_admin_delete(struct kmq_qmgr *qmgr, struct kmq_delete *cmd)
{
	u32 reason;

	down_write(&qmgr->names);
	reason = cmd->object_type == MQOT_Q ?
		 kmq_admin_delete_queue(qmgr, cmd) :
		 kmq_admin_delete_object_locked(qmgr, cmd);
	up_write(&qmgr->names);
	return reason ? kmq_fail(cmd, reason) : kmq_ok(cmd);
}

/**
 * kmq_admin_clear - CLEAR (U-LOCK-1)
 * @qmgr: queue manager
 * @cmd: the command, name padded
 */
int kmq_admin_clear(struct kmq_qmgr *qmgr, struct kmq_delete *cmd)
{
	struct kmq_queue *queue;
	u32 reason;

	down_read(&qmgr->names);
	reason = kmq_admin_find(qmgr, cmd, &queue);
	if (!reason) {
		kmq_queue_lock(queue);
		if (kmq_admin_has_work(queue))
			reason = MQRC_Q_NOT_EMPTY;
		else
			kmq_queue_purge_locked(queue);
		mutex_unlock(&queue->lock);
	}
	up_read(&qmgr->names);
	return reason ? kmq_fail(cmd, reason) : kmq_ok(cmd);
}

static void kmq_admin_status_locked(struct kmq_queue *queue,
				    struct kmq_status *cmd)
{
	struct kmq_msg *oldest;

	cmd->out_depth = queue->depth;
	cmd->out_open_input = queue->open_input;
	cmd->out_open_output = queue->open_output;
	cmd->out_waiters = queue->waiters.count;
	cmd->out_uncommitted_puts = queue->uncommitted_puts;
	cmd->out_uncommitted_gets = queue->uncommitted_gets;
	cmd->out_locked = queue->locked;
	cmd->out_bytes = queue->bytes;
	cmd->out_memory = queue->memory;
	cmd->out_last_put_time = queue->last_put_time;
	cmd->out_last_get_time = queue->last_get_time;
	cmd->out_total_puts = queue->total_puts;
	cmd->out_total_gets = queue->total_gets;
	/* By place, which for one priority is by age. */
	oldest = kmq_store_next(&queue->store, ~0U, 0);
	cmd->out_oldest_time = oldest ? oldest->put_time : 0;
}

/**
 * kmq_admin_status - the present state of a queue
 * @qmgr: queue manager
 * @queue: the queue, or NULL: the one the command names
 * @cmd: the command, name padded
 */
int kmq_admin_status(struct kmq_qmgr *qmgr, struct kmq_queue *queue,
		     struct kmq_status *cmd)
{
	int err;

	down_read(&qmgr->names);
	if (!queue)
		queue = kmq_qmgr_find_locked(qmgr, cmd->name);
	if (!queue || queue->deleted) {
		err = kmq_fail(cmd, MQRC_UNKNOWN_OBJECT_NAME);
	} else {
		kmq_queue_lock_beside(queue);
		kmq_admin_status_locked(queue, cmd);
		mutex_unlock(&queue->lock);
		err = kmq_ok(cmd);
	}
	up_read(&qmgr->names);
	return err;
}

/**
 * kmq_admin_matches - does a name fit a pattern
 * @pattern: a name, or its beginning followed by an asterisk, blank padded
 * @name: name, blank padded
 */
bool kmq_admin_matches(const u8 *pattern, const u8 *name)
{
	size_t i;

	for (i = 0; i < KMQ_NAME_LEN; i++) {
		if (pattern[i] == '*')
			return true;
		if (pattern[i] != name[i])
			return false;
	}
	return true;
}

static void kmq_admin_list_queues_locked(struct kmq_qmgr *qmgr,
					 struct kmq_list *cmd, u8 *names)
{
	struct kmq_queue *queue;

	for (queue = kmq_qmgr_next_locked(qmgr, cmd->after); queue;
	     queue = rb_entry_safe(rb_next(&queue->node), struct kmq_queue,
				   node)) {
		cond_resched();
		if (cmd->q_type != MQQT_ALL && queue->type != cmd->q_type)
			continue;
		if (!kmq_admin_matches(cmd->pattern, queue->name))
			continue;
		if (cmd->out_count < cmd->count)
			memcpy(names + cmd->out_count * KMQ_NAME_LEN,
			       queue->name, KMQ_NAME_LEN);
		cmd->out_count++;
	}
}

/**
 * kmq_admin_list - names of objects
 * @qmgr: queue manager
 * @cmd: the command, names padded; out_count is set
 * @names: room for cmd->count names
 */
void kmq_admin_list(struct kmq_qmgr *qmgr, struct kmq_list *cmd, u8 *names)
{
	cmd->out_count = 0;
	down_read(&qmgr->names);
	if (cmd->object_type == MQOT_Q)
		kmq_admin_list_queues_locked(qmgr, cmd, names);
	else
		kmq_admin_list_objects_locked(qmgr, cmd, names);
	up_read(&qmgr->names);
}

/**
 * kmq_admin_state - quiesce, resume or stop the queue manager
 * @qmgr: queue manager
 * @cmd: the command
 *
 * Stopping backs out what is uncommitted (U-CMIT-4).
 *
 * Return: 0 or -EINVAL.
 */
int kmq_admin_state(struct kmq_qmgr *qmgr, struct kmq_qmgr_state *cmd)
{
	if (cmd->state > KMQ_QMGR_STOPPING)
		return -EINVAL;
	cmd->out_state = READ_ONCE(qmgr->state);
	if (cmd->state) {
		kmq_qmgr_set_state(qmgr, cmd->state);
		kmq_event_state(qmgr, cmd->out_state, cmd->state);
	}
	if (cmd->state == KMQ_QMGR_STOPPING)
		kmq_conns_doom(qmgr);
	return kmq_ok(cmd);
}

/**
 * kmq_admin_remove_all - retire every queue of a queue manager
 * @qmgr: queue manager that nobody has open
 */
void kmq_admin_remove_all(struct kmq_qmgr *qmgr)
{
	struct rb_node *node;

	down_write(&qmgr->names);
	while ((node = rb_first(&qmgr->queues)))
		kmq_admin_retire_locked(rb_entry(node, struct kmq_queue, node),
					KMQ_RETIRE_ALWAYS);
	up_write(&qmgr->names);
}
