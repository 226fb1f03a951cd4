// SPDX-License-Identifier: GPL-2.0
/*
 * Administration: DEFINE, ALTER, DELETE, CLEAR, status and lists.
 */
#include <linux/slab.h>
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
	if (elsewhere)
		WRITE_ONCE(queue->generation, queue->generation + 1);
	kmq_watch_change_locked(queue, attrs);
	/* Before who begins to wait now can miss it. */
	kmq_qmgr_changed(queue->qmgr);
	if (elsewhere)
		kmq_waiters_cancel_locked(queue, KMQ_CANCEL_CHANGED);
	if (inhibited)
		kmq_waiters_cancel_locked(queue, KMQ_CANCEL_INHIBITED);
	if (clustered)
		kmq_clusters_changed();
	return elsewhere;
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
	/* The name is free: it was looked up under the same lock. */
	WARN_ON_ONCE(kmq_qmgr_add_locked(qmgr, queue));
	err = kmq_dev_queue_add(queue);
	if (err)
		goto forget;
	if (kmq_is_clustered(attrs))
		kmq_clusters_changed();
	*made = queue;
	return MQRC_NONE;

forget:
	kmq_qmgr_del_locked(qmgr, queue);
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
	u32 reason = MQRC_NONE;

	kmq_attr_queue_defaults(attrs, cmd->q_type);
	if (cmd->like[0] == ' ')
		return MQRC_NONE;
	like = kmq_qmgr_find(qmgr, cmd->like);
	if (!like)
		return MQRC_UNKNOWN_OBJECT_NAME;
	if (like->type == cmd->q_type) {
		kmq_queue_lock_beside(like);
		*attrs = like->attrs;
		mutex_unlock(&like->lock);
	} else {
		reason = MQRCCF_LIKE_OBJECT_WRONG_TYPE;
	}
	kmq_queue_put(like);
	if (reason)
		return reason;
	if (cmd->q_type == MQQT_LOCAL)
		attrs->definition_type = MQQDT_PREDEFINED;
	kmq_attr_now(attrs->creation_date, attrs->creation_time);
	kmq_attr_now(attrs->alteration_date, attrs->alteration_time);
	return MQRC_NONE;
}

/**
 * struct kmq_edit - new attributes for a queue that exists
 * @queue: the queue, referenced
 * @cmd: the command
 * @given: attributes it gives
 * @replace: it is DEFINE, so that names in @attrs do not depend on those the queue
 *	has, and it will be an administrator's, whoever made it
 * @done: the change has been made, or there was none to be made
 * @elsewhere: the queue leads elsewhere now
 * @maker: user whose account it was on
 * @left: where gets waited that go through it, referenced, or NULL
 * @place: where they wait now, likewise
 * @attrs: new attributes
 * @relied: attributes whose names are counted beside those of the queue: before
 *	the change the new ones, afterwards the old ones
 */
struct kmq_edit {
	struct kmq_queue *queue;
	struct kmq_define *cmd;
	const struct kmq_attr_given *given;
	bool replace;
	bool done;
	bool elsewhere;
	kuid_t maker;
	struct kmq_queue *left;
	struct kmq_queue *place;
	struct kmq_queue_attrs attrs;
	struct kmq_queue_attrs relied;
};

static struct kmq_edit *kmq_edit_alloc(struct kmq_define *cmd,
				       const struct kmq_attr_given *given)
{
	struct kmq_edit *edit = kzalloc(sizeof(*edit), GFP_KERNEL_ACCOUNT);

	if (!edit)
		return NULL;
	edit->cmd = cmd;
	edit->given = given;
	return edit;
}

/*
 * Who defines a queue can use it. Owner and group are rights, which a definition
 * neither copies from another queue nor takes away from those who have them.
 */
static void kmq_admin_set_owner(struct kmq_queue_attrs *attrs,
				s32 uid, s32 gid)
{
	attrs->uid = uid;
	attrs->gid = gid;
}

/* What the attributes are going to be. */
static u32 kmq_edit_altered_locked(const struct kmq_edit *edit,
				   struct kmq_queue_attrs *attrs)
{
	const struct kmq_queue *queue = edit->queue;
	u32 reason;

	lockdep_assert_held(&queue->lock);
	*attrs = queue->attrs;
	reason = kmq_admin_apply(attrs, edit->cmd,
				 kmq_attr_type_flag(queue->type), edit->given);
	return reason ?: kmq_admin_check_attrs(queue->type, attrs,
					       queue->attrs.definition_type);
}

/* Of what a definition says only the owner depends on the queue that is there. */
static void kmq_edit_keep_owner_locked(struct kmq_edit *edit)
{
	const struct kmq_queue *queue = edit->queue;

	kmq_admin_set_owner(&edit->attrs, queue->attrs.uid, queue->attrs.gid);
	/* Unless it gives one. It has been applied before and has no fault. */
	kmq_admin_apply(&edit->attrs, edit->cmd,
			kmq_attr_type_flag(queue->type), edit->given);
}

/* Is the queue still there, and have the right names been counted? */
static bool kmq_edit_fits_locked(struct kmq_edit *edit)
{
	if (edit->queue->deleted)
		return false;
	if (!edit->replace)
		return !kmq_edit_altered_locked(edit, &edit->attrs) &&
		       kmq_relied_same(&edit->attrs, &edit->relied);
	kmq_edit_keep_owner_locked(edit);
	return true;
}

/* The names and the queue are locked. */
static void kmq_edit_make_locked(struct kmq_edit *edit)
{
	struct kmq_queue *queue = edit->queue;

	edit->maker = INVALID_UID;
	if (edit->replace)
		swap(edit->maker, queue->maker);
	edit->relied = queue->attrs;
	edit->left = kmq_definition_place_locked(queue);
	edit->elsewhere = kmq_admin_change_locked(queue, &edit->attrs);
	edit->place = kmq_definition_place_locked(queue);
}

/*
 * Tell those who may wait for that. Where they have waited gets end if they were
 * opened through what leads elsewhere now (G-WAIT-11).
 */
static void kmq_edit_tell(struct kmq_edit *edit)
{
	struct kmq_queue *left = edit->left;

	kmq_account_uncharge(edit->maker, KMQ_CHARGE_QUEUE);
	kmq_definition_tell(edit->queue, edit->place);
	if (!left)
		return;
	if (edit->elsewhere && left != edit->queue) {
		kmq_queue_lock(left);
		kmq_waiters_cancel_named_locked(left, edit->queue,
						KMQ_CANCEL_CHANGED);
		mutex_unlock(&left->lock);
	}
	kmq_queue_put(left);
}

/*
 * Change the queue, with nothing locked: @relied says to what. Names are counted
 * first, as that allocates; so it may turn out that they are not the right ones
 * any more, and @done tells.
 */
static u32 kmq_edit_commit(struct kmq_edit *edit)
{
	struct kmq_queue *queue = edit->queue;

	if (kmq_relied_add_queue(queue->name, &edit->relied))
		return MQRC_STORAGE_NOT_AVAILABLE;
	kmq_queue_lock_named(queue);
	edit->done = kmq_edit_fits_locked(edit);
	if (edit->done)
		kmq_edit_make_locked(edit);
	mutex_unlock(&queue->lock);
	if (edit->done)
		kmq_dev_queue_change(queue);
	up_write(&queue->qmgr->names);
	kmq_relied_drop_queue(queue->name, &edit->relied);
	if (edit->done)
		kmq_edit_tell(edit);
	return MQRC_NONE;
}

/* May there be a definition of that name? @queue has it, if one does. */
static u32 kmq_admin_may_define(const struct kmq_queue *queue,
				const struct kmq_define *cmd)
{
	if (queue && queue->type != cmd->q_type)
		return MQRCCF_OBJECT_WRONG_TYPE;
	if (queue && !(cmd->flags & KMQ_DEFINE_REPLACE))
		return MQRCCF_OBJECT_ALREADY_EXISTS;
	return MQRC_NONE;
}

/* What a definition says; the names are not locked. */
static u32 kmq_admin_defined(struct kmq_qmgr *qmgr, struct kmq_define *cmd,
			     const struct kmq_attr_given *given,
			     const struct kmq_definer *definer,
			     struct kmq_queue_attrs *attrs)
{
	u32 reason = kmq_admin_base(qmgr, cmd, attrs);

	kmq_admin_set_owner(attrs, definer->uid, definer->gid);
	if (!reason)
		reason = kmq_admin_apply(attrs, cmd,
					 kmq_attr_type_flag(cmd->q_type),
					 given);
	return reason ?: kmq_admin_check_attrs(cmd->q_type, attrs,
					       MQQDT_PREDEFINED);
}

/* Make the queue, or find, referenced, the one that is to be replaced. */
static u32 kmq_edit_create(struct kmq_edit *edit, struct kmq_qmgr *qmgr,
			   u32 fault)
{
	const struct kmq_define *cmd = edit->cmd;
	struct kmq_queue *queue;
	u32 reason;

	down_write(&qmgr->names);
	queue = kmq_qmgr_find_locked(qmgr, cmd->name);
	reason = kmq_admin_may_define(queue, cmd);
	if (reason)
		edit->cmd->out_selector = 0;
	else
		reason = fault;
	if (!reason && queue) {
		edit->queue = kmq_queue_get(queue);
	} else if (!reason) {
		reason = kmq_admin_create_locked(qmgr, cmd->name, cmd->q_type,
						 &edit->attrs, &queue);
		edit->done = true;
	}
	up_write(&qmgr->names);
	return reason;
}

static u32 kmq_admin_define_queue(struct kmq_qmgr *qmgr, struct kmq_define *cmd,
				  const struct kmq_attr_given *given,
				  const struct kmq_definer *definer)
{
	struct kmq_edit *edit = kmq_edit_alloc(cmd, given);
	u32 fault, reason;

	if (!edit)
		return MQRC_STORAGE_NOT_AVAILABLE;
	edit->replace = true;
	fault = kmq_admin_defined(qmgr, cmd, given, definer, &edit->attrs);
	do {
		reason = kmq_edit_create(edit, qmgr, fault);
		if (reason || edit->done)
			break;
		edit->relied = edit->attrs;
		reason = kmq_edit_commit(edit);
		kmq_queue_put(edit->queue);
	} while (!reason && !edit->done);
	kfree(edit);
	return reason;
}

static u32 kmq_admin_define_object(struct kmq_qmgr *qmgr,
				   struct kmq_define *cmd,
				   const struct kmq_attr_given *given)
{
	u32 reason;

	down_write(&qmgr->names);
	reason = kmq_admin_define_object_locked(qmgr, cmd, given);
	up_write(&qmgr->names);
	return reason;
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
	reason = cmd->object_type == MQOT_Q ?
		 kmq_admin_define_queue(qmgr, cmd, given, definer) :
		 kmq_admin_define_object(qmgr, cmd, given);
	if (!reason && cmd->object_type == MQOT_Q)
		kmq_trigger_recheck_named(qmgr, cmd->name);
	return reason ? kmq_fail(cmd, reason) : kmq_ok(cmd);
}

static u32 kmq_edit_alter(struct kmq_edit *edit)
{
	struct kmq_queue *queue = edit->queue;
	u32 reason;

	if (queue->type != edit->cmd->q_type)
		return MQRCCF_OBJECT_WRONG_TYPE;
	kmq_queue_lock_beside(queue);
	reason = kmq_edit_altered_locked(edit, &edit->relied);
	mutex_unlock(&queue->lock);
	return reason ?: kmq_edit_commit(edit);
}

static u32 kmq_admin_alter_queue(struct kmq_qmgr *qmgr, struct kmq_define *cmd,
				 const struct kmq_attr_given *given)
{
	struct kmq_edit *edit = kmq_edit_alloc(cmd, given);
	u32 reason;

	if (!edit)
		return MQRC_STORAGE_NOT_AVAILABLE;
	do {
		edit->queue = kmq_qmgr_find(qmgr, cmd->name);
		if (!edit->queue) {
			reason = MQRC_UNKNOWN_OBJECT_NAME;
			break;
		}
		reason = kmq_edit_alter(edit);
		kmq_queue_put(edit->queue);
	} while (!reason && !edit->done);
	kfree(edit);
	return reason;
}

static u32 kmq_admin_alter_qmgr_locked(struct kmq_qmgr *qmgr,
				       struct kmq_define *cmd,
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
	return MQRC_NONE;
}

/* What is no queue. */
static u32 kmq_admin_alter_other(struct kmq_qmgr *qmgr, struct kmq_define *cmd,
				 const struct kmq_attr_given *given)
{
	u32 reason;

	down_write(&qmgr->names);
	reason = cmd->object_type == MQOT_Q_MGR ?
		 kmq_admin_alter_qmgr_locked(qmgr, cmd, given) :
		 kmq_admin_alter_object_locked(qmgr, cmd, given);
	up_write(&qmgr->names);
	if (!reason && cmd->object_type == MQOT_Q_MGR)
		kmq_qmgr_watch(qmgr);
	return reason;
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
	reason = cmd->object_type == MQOT_Q ?
		 kmq_admin_alter_queue(qmgr, cmd, given) :
		 kmq_admin_alter_other(qmgr, cmd, given);
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

/* The names and the queue are locked; so it is gone for all at one moment. */
static u32 kmq_admin_retire_locked(struct kmq_queue *queue,
				   enum kmq_retire how)
{
	u32 reason = queue->deleted ? MQRC_Q_DELETED :
				      kmq_admin_may_retire(queue, how);

	if (reason)
		return reason;
	WRITE_ONCE(queue->deleted, true);
	kmq_qmgr_changed(queue->qmgr);
	kmq_waiters_cancel_locked(queue, KMQ_CANCEL_DELETED);
	kmq_qmgr_del_locked(queue->qmgr, queue);
	return MQRC_NONE;
}

/**
 * kmq_admin_retire - take a queue out of service
 * @queue: queue, referenced; nothing is locked
 * @how: what it may still hold
 *
 * Nobody finds it any more, handles get 2052, files see that it is gone. Only then
 * its messages go, while nobody else has to wait for that.
 *
 * Return: 0, or the reason why it stays; MQRC_Q_DELETED: it is gone already.
 */
u32 kmq_admin_retire(struct kmq_queue *queue, enum kmq_retire how)
{
	u32 reason;

	kmq_queue_lock_named(queue);
	reason = kmq_admin_retire_locked(queue, how);
	mutex_unlock(&queue->lock);
	if (!reason) {
		kmq_account_uncharge(queue->maker, KMQ_CHARGE_QUEUE);
		kmq_relied_drop_queue(queue->name, &queue->attrs);
		if (kmq_is_clustered(&queue->attrs))
			kmq_clusters_changed();
		kmq_dev_queue_del(queue);
	}
	up_write(&queue->qmgr->names);
	if (reason)
		return reason;
	kmq_queue_lock(queue);
	kmq_queue_purge_locked(queue);
	mutex_unlock(&queue->lock);
	/* The reference that the queue manager had. */
	kmq_queue_put(queue);
	return MQRC_NONE;
}

/* Return: 0 and the queue, referenced; or the reason. */
static u32 kmq_admin_find(struct kmq_qmgr *qmgr, const struct kmq_delete *cmd,
			  struct kmq_queue **found)
{
	struct kmq_queue *queue = kmq_qmgr_find(qmgr, cmd->name);

	if (!queue)
		return MQRC_UNKNOWN_OBJECT_NAME;
	if (cmd->q_type && queue->type != cmd->q_type) {
		kmq_queue_put(queue);
		return MQRCCF_OBJECT_WRONG_TYPE;
	}
	*found = queue;
	return MQRC_NONE;
}

static u32 kmq_admin_delete_queue(struct kmq_qmgr *qmgr,
				  const struct kmq_delete *cmd)
{
	struct kmq_queue *queue;
	u32 reason = kmq_admin_find(qmgr, cmd, &queue);

	if (reason)
		return reason;
	reason = kmq_admin_retire(queue, cmd->flags & KMQ_DELETE_PURGE ?
				  KMQ_RETIRE_PURGE : KMQ_RETIRE_EMPTY);
	kmq_queue_put(queue);
	return reason == MQRC_Q_DELETED ? MQRC_UNKNOWN_OBJECT_NAME : reason;
}

static u32 kmq_admin_delete_object(struct kmq_qmgr *qmgr,
				   const struct kmq_delete *cmd)
{
	u32 reason;

	down_write(&qmgr->names);
	reason = kmq_admin_delete_object_locked(qmgr, cmd);
	up_write(&qmgr->names);
	return reason;
}

/**
 * kmq_admin_delete - DELETE
 * @qmgr: queue manager
 * @cmd: the command, name padded
 */
int kmq_admin_delete(struct kmq_qmgr *qmgr, struct kmq_delete *cmd)
{
	u32 reason = cmd->object_type == MQOT_Q ?
		     kmq_admin_delete_queue(qmgr, cmd) :
		     kmq_admin_delete_object(qmgr, cmd);

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
	u32 reason = kmq_admin_find(qmgr, cmd, &queue);

	if (reason)
		return kmq_fail(cmd, reason);
	kmq_queue_lock(queue);
	if (queue->deleted)
		reason = MQRC_UNKNOWN_OBJECT_NAME;
	else if (kmq_admin_has_work(queue))
		reason = MQRC_Q_NOT_EMPTY;
	else
		kmq_queue_purge_locked(queue);
	mutex_unlock(&queue->lock);
	kmq_queue_put(queue);
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
	bool deleted;

	queue = queue ? kmq_queue_get(queue) : kmq_qmgr_find(qmgr, cmd->name);
	if (!queue)
		return kmq_fail(cmd, MQRC_UNKNOWN_OBJECT_NAME);
	kmq_queue_lock_beside(queue);
	deleted = queue->deleted;
	if (!deleted)
		kmq_admin_status_locked(queue, cmd);
	mutex_unlock(&queue->lock);
	kmq_queue_put(queue);
	return deleted ? kmq_fail(cmd, MQRC_UNKNOWN_OBJECT_NAME) : kmq_ok(cmd);
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
	struct kmq_queue *queue = NULL;

	while ((queue = kmq_qmgr_following(qmgr, queue))) {
		kmq_admin_retire(queue, KMQ_RETIRE_ALWAYS);
		cond_resched();
	}
}
