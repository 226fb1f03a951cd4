// SPDX-License-Identifier: GPL-2.0
/*
 * Name resolution (objects.md section 4): from the names that a program gives to
 * a definition, and from there to the queue that takes the messages.
 *
 * The names of one queue manager are locked at a time: where the way leads to
 * another one they are unlocked first, so that no order is needed between two.
 */
#include <linux/string.h>
#include "attr.h"
#include "cluster.h"
#include "mqi.h"
#include "qmgr.h"
#include "qmgrs.h"
#include "queue.h"
#include "resolve.h"

/* Is a name that of the queue manager, or left out? */
static bool kmq_resolve_is_here(const struct kmq_qmgr *qmgr, const u8 *name)
{
	return kmq_name_is_blank(name) || kmq_name_equal(name, qmgr->name);
}

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

/**
 * kmq_resolve_base_name - the name an alias stands for
 * @named: alias; the names of its queue manager are not locked
 * @name: set to it
 */
void kmq_resolve_base_name(const struct kmq_queue *named, u8 *name)
{
	down_read(&named->qmgr->names);
	memcpy(name, named->attrs.base_q_name, KMQ_NAME_LEN);
	up_read(&named->qmgr->names);
}

static bool kmq_is_xmit_queue(const struct kmq_queue *queue)
{
	return READ_ONCE(queue->attrs.usage) == KMQ_USAGE_XMIT;
}

/**
 * struct kmq_way - the way to another queue manager
 * @xmit: transmission queue, referenced; NULL: it is one of this module
 * @qmgr: name of the queue manager
 */
struct kmq_way {
	struct kmq_queue *xmit;
	u8 qmgr[KMQ_NAME_LEN];
};

/* Reasons why a queue cannot be used as a transmission queue. */
struct kmq_xmit_reasons {
	u32 unknown;
	u32 type;
	u32 usage;
};

static u32 kmq_resolve_xmit_locked(struct kmq_qmgr *from, const u8 *name,
				   const struct kmq_xmit_reasons *reasons,
				   struct kmq_way *way)
{
	struct kmq_queue *xmit = kmq_qmgr_find_locked(from, name);

	/* What a user has made for himself is no way for others. */
	if (!xmit || uid_valid(xmit->maker))
		return reasons->unknown;
	if (xmit->type != MQQT_LOCAL)
		return reasons->type;
	if (!kmq_is_xmit_queue(xmit))
		return reasons->usage;
	way->xmit = kmq_queue_get(xmit);
	return MQRC_NONE;
}

/*
 * The way to a queue manager: the transmission queue that is named, the one that
 * has its name, none if it is one of this module, or the default one (O-RES-2).
 * Return: 0, or the reason; MQRC_NONE without a transmission queue means that
 * the queue manager has to be looked for among those of this module, and where
 * it is not one of them kmq_resolve_default_xmit() is the last resort.
 */
static u32 kmq_resolve_way_locked(struct kmq_qmgr *from, const u8 *to,
				  const u8 *xmit_name, struct kmq_way *way)
{
	static const struct kmq_xmit_reasons named = {
		MQRC_UNKNOWN_XMIT_Q, MQRC_XMIT_Q_TYPE_ERROR,
		MQRC_XMIT_Q_USAGE_ERROR,
	};
	static const struct kmq_xmit_reasons same_name = {
		MQRC_NONE, MQRC_XMIT_Q_TYPE_ERROR, MQRC_XMIT_Q_USAGE_ERROR,
	};

	way->xmit = NULL;
	memcpy(way->qmgr, to, KMQ_NAME_LEN);
	if (!kmq_name_is_blank(xmit_name))
		return kmq_resolve_xmit_locked(from, xmit_name, &named, way);
	return kmq_resolve_xmit_locked(from, to, &same_name, way);
}

static u32 kmq_resolve_default_xmit(struct kmq_qmgr *from, struct kmq_way *way)
{
	static const struct kmq_xmit_reasons reasons = {
		MQRC_UNKNOWN_DEF_XMIT_Q, MQRC_DEF_XMIT_Q_TYPE_ERROR,
		MQRC_DEF_XMIT_Q_USAGE_ERROR,
	};
	u32 reason = MQRC_UNKNOWN_REMOTE_Q_MGR;

	down_read(&from->names);
	if (!kmq_name_is_blank(from->attrs.def_xmit_q_name))
		reason = kmq_resolve_xmit_locked(from,
						 from->attrs.def_xmit_q_name,
						 &reasons, way);
	up_read(&from->names);
	return reason;
}

static u32 kmq_find_definition(struct kmq_qmgr *qmgr, const u8 *name,
			       struct kmq_queue **found)
{
	*found = kmq_qmgr_find(qmgr, name);
	return *found ? MQRC_NONE : MQRC_UNKNOWN_OBJECT_NAME;
}

/*
 * Where a way ends: at a transmission queue, or at a definition of another queue
 * manager of this module.
 */
static u32 kmq_resolve_go(struct kmq_qmgr *from, struct kmq_way *way,
			  const u8 *q, struct kmq_target *target)
{
	struct kmq_qmgr *other;
	u32 reason;

	memcpy(target->q, q, KMQ_NAME_LEN);
	memcpy(target->qmgr, way->qmgr, KMQ_NAME_LEN);
	if (!way->xmit) {
		other = kmq_qmgrs_get(way->qmgr);
		if (other) {
			reason = kmq_find_definition(other, q, &target->node);
			kmq_qmgr_put(other);
			return reason;
		}
		reason = kmq_resolve_default_xmit(from, way);
		if (reason)
			return reason;
	}
	target->remote = true;
	target->node = way->xmit;
	return MQRC_NONE;
}

/* ObjectQMgrName is not the local queue manager's: which way leads there? */
static u32 kmq_resolve_qmgr_locked(struct kmq_qmgr *from, const u8 *to,
				   struct kmq_way *way, bool *here)
{
	struct kmq_queue *alias = kmq_qmgr_find_locked(from, to);
	static const u8 none[KMQ_NAME_LEN];

	if (!alias || alias->type != MQQT_REMOTE ||
	    !kmq_name_is_blank(alias->attrs.remote_q_name))
		return kmq_resolve_way_locked(from, to, none, way);
	/* A queue-manager alias. */
	if (kmq_name_is_blank(alias->attrs.remote_q_mgr_name))
		return MQRC_UNKNOWN_REMOTE_Q_MGR;
	*here = kmq_name_equal(alias->attrs.remote_q_mgr_name, from->name);
	if (*here)
		return MQRC_NONE;
	return kmq_resolve_way_locked(from, alias->attrs.remote_q_mgr_name,
				      alias->attrs.xmit_q_name, way);
}

/* A queue here, or one of the instances of a cluster queue. */
static u32 kmq_resolve_here(struct kmq_qmgr *from, const u8 *q,
			    struct kmq_target *target)
{
	u32 reason = kmq_find_definition(from, q, &target->node);

	if (!reason)
		return reason;
	target->node = kmq_cluster_find_one(q);
	target->cluster = target->node;
	return target->cluster ? MQRC_NONE : reason;
}

/**
 * kmq_resolve_name - find the definition that a pair of names stands for
 * @from: queue manager the program is connected to
 * @q: ObjectName, blank padded
 * @qmgr: ObjectQMgrName, blank padded or blank
 * @target: what was found; its node is referenced
 *
 * No lock is held. Return: 0 or the reason: 2085, 2086 for a model queue that is
 * not looked for here, 2087, 2091, 2092, 2197, 2198, 2199.
 */
u32 kmq_resolve_name(struct kmq_qmgr *from, const u8 *q, const u8 *qmgr,
		     struct kmq_target *target)
{
	struct kmq_queue *model;
	struct kmq_way way = {};
	bool here = false;
	u32 reason;

	target->node = NULL;
	target->remote = false;
	target->cluster = false;
	if (kmq_resolve_is_here(from, qmgr))
		return kmq_resolve_here(from, q, target);
	down_read(&from->names);
	reason = kmq_resolve_qmgr_locked(from, qmgr, &way, &here);
	model = kmq_qmgr_find_locked(from, q);
	if (model && model->type == MQQT_MODEL)
		reason = MQRC_UNKNOWN_OBJECT_Q_MGR;
	up_read(&from->names);
	if (reason)
		goto drop_way;
	if (here)
		return kmq_resolve_here(from, q, target);
	return kmq_resolve_go(from, &way, q, target);

drop_way:
	if (way.xmit)
		kmq_queue_put(way.xmit);
	return reason;
}

static void kmq_dest_init(struct kmq_dest *dest)
{
	dest->path_length = 0;
	dest->queue = NULL;
	dest->remote = false;
}

static void kmq_dest_add(struct kmq_dest *dest, struct kmq_queue *definition)
{
	dest->path[dest->path_length++] = kmq_queue_get(definition);
}

/**
 * kmq_dest_put - give back what a destination refers to
 * @dest: destination
 */
void kmq_dest_put(struct kmq_dest *dest)
{
	while (dest->path_length)
		kmq_queue_put(dest->path[--dest->path_length]);
	if (dest->queue)
		kmq_queue_put(dest->queue);
	dest->queue = NULL;
}

static void kmq_dest_set(struct kmq_dest *dest, struct kmq_queue *queue)
{
	dest->queue = kmq_queue_get(queue);
	memcpy(dest->q, queue->name, KMQ_NAME_LEN);
	memcpy(dest->qmgr, queue->qmgr->name, KMQ_NAME_LEN);
}

/**
 * kmq_dest_self - a definition that leads nowhere but to itself
 * @dest: destination, set
 * @queue: definition
 */
void kmq_dest_self(struct kmq_dest *dest, struct kmq_queue *queue)
{
	kmq_dest_init(dest);
	kmq_dest_add(dest, queue);
	kmq_dest_set(dest, queue);
}

/**
 * kmq_dest_copy - make a copy with references of its own
 * @to: destination, set
 * @from: destination
 */
void kmq_dest_copy(struct kmq_dest *to, const struct kmq_dest *from)
{
	u32 i;

	*to = *from;
	for (i = 0; i < to->path_length; i++)
		kmq_queue_get(to->path[i]);
	kmq_queue_get(to->queue);
}

static void kmq_dest_set_remote(struct kmq_dest *dest, struct kmq_queue *xmit,
				const u8 *q, const u8 *qmgr)
{
	dest->queue = kmq_queue_get(xmit);
	dest->remote = true;
	memcpy(dest->q, q, KMQ_NAME_LEN);
	memcpy(dest->qmgr, qmgr, KMQ_NAME_LEN);
}

/* Return: the remote definition behind an alias, or NULL and *@reason. */
static struct kmq_queue *kmq_resolve_alias_locked(struct kmq_queue *named,
						  struct kmq_dest *dest,
						  u32 *reason)
{
	struct kmq_queue *base = NULL;

	*reason = MQRC_ALIAS_BASE_Q_TYPE_ERROR;
	if (named->attrs.base_type != MQOT_Q)
		return NULL;
	base = kmq_resolve_base_locked(named);
	if (!base) {
		*reason = MQRC_UNKNOWN_ALIAS_BASE_Q;
		return NULL;
	}
	if (base->type == MQQT_REMOTE) {
		*reason = MQRC_NONE;
		return kmq_queue_get(base);
	}
	if (base->type == MQQT_LOCAL) {
		*reason = MQRC_NONE;
		kmq_dest_set(dest, base);
	}
	return NULL;
}

static struct kmq_queue *kmq_resolve_alias(struct kmq_queue *named,
					   struct kmq_dest *dest, u32 *reason)
{
	struct kmq_queue *remote;

	kmq_dest_add(dest, named);
	down_read(&named->qmgr->names);
	remote = kmq_resolve_alias_locked(named, dest, reason);
	up_read(&named->qmgr->names);
	return remote;
}

/*
 * A definition at another queue manager of this module. From there it does not
 * go on to a third one, so that no way has an end too far or none at all.
 */
static u32 kmq_resolve_foreign(struct kmq_queue *named, struct kmq_dest *dest)
{
	struct kmq_queue *remote;
	u32 reason;

	if (named->type == MQQT_LOCAL) {
		kmq_dest_set(dest, named);
		return MQRC_NONE;
	}
	if (named->type != MQQT_ALIAS)
		return MQRC_UNKNOWN_REMOTE_Q_MGR;
	remote = kmq_resolve_alias(named, dest, &reason);
	if (!remote)
		return reason;
	kmq_queue_put(remote);
	return MQRC_UNKNOWN_REMOTE_Q_MGR;
}

/* What a local definition of a remote queue says (O-RES-2). */
static u32 kmq_resolve_remote(struct kmq_queue *definition,
			      struct kmq_dest *dest)
{
	const struct kmq_queue_attrs *attrs = &definition->attrs;
	struct kmq_qmgr *from = definition->qmgr;
	struct kmq_target target = {};
	struct kmq_way way = {};
	u8 q[KMQ_NAME_LEN];
	u32 reason;

	kmq_dest_add(dest, definition);
	down_read(&from->names);
	memcpy(q, attrs->remote_q_name, KMQ_NAME_LEN);
	if (kmq_name_is_blank(q))
		reason = MQRC_REMOTE_Q_NAME_ERROR;
	else if (kmq_resolve_is_here(from, attrs->remote_q_mgr_name))
		reason = MQRC_UNKNOWN_REMOTE_Q_MGR;
	else
		reason = kmq_resolve_way_locked(from, attrs->remote_q_mgr_name,
						attrs->xmit_q_name, &way);
	up_read(&from->names);
	if (!reason)
		reason = kmq_resolve_go(from, &way, q, &target);
	if (reason)
		return reason;
	if (target.remote)
		kmq_dest_set_remote(dest, target.node, target.q, target.qmgr);
	else
		reason = kmq_resolve_foreign(target.node, dest);
	kmq_queue_put(target.node);
	return reason;
}

/**
 * kmq_resolve - find the queue behind a definition that is no model
 * @named: the definition
 * @dest: filled in; to be given back with kmq_dest_put() in any case
 *
 * No lock is held. Return: 0 or the reason: 2001, 2082, 2057 for a model, those
 * of O-RES-2 for what leads to a remote queue.
 */
u32 kmq_resolve(struct kmq_queue *named, struct kmq_dest *dest)
{
	struct kmq_queue *remote;
	u32 reason;

	kmq_dest_init(dest);
	switch (named->type) {
	case MQQT_LOCAL:
		kmq_dest_self(dest, named);
		return MQRC_NONE;
	case MQQT_ALIAS:
		remote = kmq_resolve_alias(named, dest, &reason);
		if (!remote)
			return reason;
		reason = kmq_resolve_remote(remote, dest);
		kmq_queue_put(remote);
		return reason;
	case MQQT_REMOTE:
		return kmq_resolve_remote(named, dest);
	default:
		return MQRC_Q_TYPE_ERROR;
	}
}

/**
 * kmq_resolve_target - find the queue behind what a pair of names stands for
 * @target: from kmq_resolve_name()
 * @dest: as for kmq_resolve()
 */
u32 kmq_resolve_target(const struct kmq_target *target, struct kmq_dest *dest)
{
	if (!target->remote)
		return kmq_resolve(target->node, dest);
	kmq_dest_init(dest);
	kmq_dest_add(dest, target->node);
	kmq_dest_set_remote(dest, target->node, target->q, target->qmgr);
	return MQRC_NONE;
}

/**
 * kmq_dest_inhibited - does a definition on the way forbid puts (P-Q-1)
 * @dest: destination
 */
bool kmq_dest_inhibited(const struct kmq_dest *dest)
{
	u32 i;

	for (i = 0; i < dest->path_length; i++)
		if (READ_ONCE(dest->path[i]->attrs.inhibit_put))
			return true;
	return READ_ONCE(dest->queue->attrs.inhibit_put);
}

/**
 * kmq_dest_generation - what changes when a handle has to be opened anew
 * @dest: destination
 */
u32 kmq_dest_generation(const struct kmq_dest *dest)
{
	u32 generation = 0;
	u32 i;

	for (i = 0; i < dest->path_length; i++)
		generation += READ_ONCE(dest->path[i]->generation);
	if (dest->queue != dest->path[0])
		generation += READ_ONCE(dest->queue->generation);
	return generation;
}
