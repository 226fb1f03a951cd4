// SPDX-License-Identifier: GPL-2.0
/*
 * Routes: where the messages of a handle, or of one MQPUT1, go if that is not
 * simply the queue that was opened: to a remote queue, to another queue manager,
 * to an instance of a cluster queue that each put or each group chooses anew.
 */
#include <linux/string.h>
#include "call.h"
#include "cluster.h"
#include "qmgr.h"
#include "queue.h"
#include "route.h"

#define KMQ_OO_GET	(MQOO_INPUT_AS_Q_DEF | MQOO_INPUT_SHARED | \
			 MQOO_INPUT_EXCLUSIVE | MQOO_BROWSE)

/* Do the names say no more than the node does? */
static bool kmq_route_is_node(const struct kmq_conn *conn,
			      const struct kmq_queue *node,
			      const struct kmq_names *names)
{
	if (node->qmgr != conn->qmgr)
		return false;
	if (!kmq_name_is_blank(names->qmgr) &&
	    !kmq_name_equal(names->qmgr, conn->qmgr->name))
		return false;
	return kmq_name_is_blank(names->q) ||
	       kmq_name_equal(names->q, node->name);
}

/* Is the node one that may be opened for what the names stand for? */
static bool kmq_route_node_fits(const struct kmq_target *target,
				const struct kmq_queue *node,
				const struct kmq_names *names)
{
	if (target->node == node)
		return true;
	return target->cluster && kmq_name_equal(names->q, node->name) &&
	       kmq_queue_is_clustered(node);
}

static void kmq_route_bind(struct kmq_route *route, s32 bind, u32 options)
{
	if (options & MQOO_BIND_ON_OPEN)
		bind = MQBND_BIND_ON_OPEN;
	else if (options & MQOO_BIND_NOT_FIXED)
		bind = MQBND_BIND_NOT_FIXED;
	else if (options & MQOO_BIND_ON_GROUP)
		bind = MQBND_BIND_ON_GROUP;
	route->on_open = bind == MQBND_BIND_ON_OPEN;
	route->on_group = bind == MQBND_BIND_ON_GROUP;
}

/* A cluster queue is opened for output (O-BIND-1). */
static u32 kmq_route_cluster(struct kmq_conn *conn, const u8 *name,
			     const struct kmq_queue *first, u32 options,
			     struct kmq_route *route)
{
	const struct kmq_dest *chosen;
	u32 reason = MQRC_NONE;

	kmq_route_bind(route, READ_ONCE(first->attrs.def_bind), options);
	route->instances = kmq_instances_find(name);
	if (!route->instances)
		return MQRC_STORAGE_NOT_AVAILABLE;
	if (!route->instances->count)
		return MQRC_UNKNOWN_OBJECT_NAME;
	if (!route->on_open && route->dest.queue)
		return MQRC_NONE;
	chosen = kmq_instances_choose(route->instances, conn->turn++, true,
				      &reason);
	if (!chosen && route->on_open)
		return reason;
	kmq_dest_put(&route->dest);
	kmq_dest_copy(&route->dest, chosen ? chosen :
		      &route->instances->dests[0]);
	if (route->on_open) {
		kmq_instances_free(route->instances);
		route->instances = NULL;
	}
	return MQRC_NONE;
}

/* May a put to this local queue go to another instance of the same name? */
static bool kmq_route_spreads(const struct kmq_queue *node,
			      const struct kmq_names *names, u32 options)
{
	s32 use = READ_ONCE(node->attrs.clwl_use_q);

	if (use == MQCLWL_USEQ_AS_Q_MGR)
		use = READ_ONCE(node->qmgr->attrs.clwl_use_q);
	return use == MQCLWL_USEQ_ANY && node->type == MQQT_LOCAL &&
	       options & MQOO_OUTPUT && !(options & KMQ_OO_GET) &&
	       kmq_name_is_blank(names->qmgr) && kmq_queue_is_clustered(node);
}

/* A definition at the queue manager the program is connected to. */
static u32 kmq_route_local(struct kmq_conn *conn, struct kmq_queue *node,
			   const struct kmq_names *names, u32 options,
			   struct kmq_route *route)
{
	struct kmq_dest *dest = &route->dest;
	u8 base[KMQ_NAME_LEN];
	u32 reason;

	/* Only puts need the way; attributes are those of the definition. */
	if (node->type == MQQT_REMOTE && !(options & MQOO_OUTPUT)) {
		kmq_dest_self(dest, node);
		return options & KMQ_OO_GET ? MQRC_OPTION_NOT_VALID_FOR_TYPE :
					      MQRC_NONE;
	}
	reason = kmq_resolve(node, dest);
	if (reason == MQRC_UNKNOWN_ALIAS_BASE_Q && node->type == MQQT_ALIAS &&
	    options & MQOO_OUTPUT && !(options & KMQ_OO_GET)) {
		route->alias = kmq_queue_get(node);
		kmq_dest_put(dest);
		kmq_resolve_base_name(node, base);
		reason = kmq_route_cluster(conn, base, node, options, route);
		return reason == MQRC_UNKNOWN_OBJECT_NAME ?
		       MQRC_UNKNOWN_ALIAS_BASE_Q : reason;
	}
	if (reason)
		return reason;
	if (options & KMQ_OO_GET &&
	    (dest->remote || dest->queue->qmgr != conn->qmgr))
		return MQRC_OPTION_NOT_VALID_FOR_TYPE;
	if (kmq_route_spreads(node, names, options))
		return kmq_route_cluster(conn, node->name, node, options,
					 route);
	return MQRC_NONE;
}

/* Something that is not here (O-RES-1): without a definition, only puts. */
static u32 kmq_route_away(struct kmq_conn *conn,
			  const struct kmq_target *target, u32 options,
			  struct kmq_route *route)
{
	struct kmq_queue *node = target->node;
	u32 not_allowed = KMQ_OO_GET | MQOO_SET;
	u32 reason;

	route->cluster = target->cluster;
	if (!target->cluster)
		not_allowed |= MQOO_INQUIRE;
	reason = kmq_resolve_target(target, &route->dest);
	if (reason)
		return reason;
	if (options & not_allowed)
		return MQRC_OPTION_NOT_VALID_FOR_TYPE;
	if (target->cluster && options & MQOO_OUTPUT)
		return kmq_route_cluster(conn, node->name, node, options,
					 route);
	return MQRC_NONE;
}

static u32 kmq_route_by_name(struct kmq_conn *conn, struct kmq_queue *node,
			     const struct kmq_names *names, u32 options,
			     struct kmq_route *route)
{
	struct kmq_target target;
	struct kmq_queue *found;
	u32 reason;

	reason = kmq_resolve_name(conn->qmgr, names->q, names->qmgr, &target);
	if (reason)
		return reason;
	found = target.node;
	if (!kmq_route_node_fits(&target, node, names)) {
		reason = MQRC_UNKNOWN_OBJECT_NAME;
	} else {
		target.node = node;
		if (target.remote || node->qmgr != conn->qmgr)
			reason = kmq_route_away(conn, &target, options, route);
		else
			reason = kmq_route_local(conn, node, names, options,
						 route);
	}
	kmq_queue_put(found);
	return reason;
}

/**
 * kmq_route_find - find out where the messages put to a name go
 * @conn: connection
 * @node: definition whose node was opened; no model
 * @names: what the program calls it
 * @options: MQOO_*
 * @route: filled in; to be given back with kmq_route_release() in any case
 *
 * No lock but @conn's may be held.
 *
 * Return: 0 or the reason: those of name resolution; 2045 an option that what
 * was found does not allow; 2268 all instances to choose from are inhibited.
 */
u32 kmq_route_find(struct kmq_conn *conn, struct kmq_queue *node,
		   const struct kmq_names *names, u32 options,
		   struct kmq_route *route)
{
	memset(route, 0, sizeof(*route));
	if (kmq_route_is_node(conn, node, names))
		return kmq_route_local(conn, node, names, options, route);
	return kmq_route_by_name(conn, node, names, options, route);
}

/**
 * kmq_route_is_plain - do a definition and its queue say all there is to say
 * @route: route that was found
 * @conn: connection it was found for
 */
bool kmq_route_is_plain(const struct kmq_route *route,
			const struct kmq_conn *conn)
{
	return !route->instances && !route->alias && !route->cluster &&
	       !route->dest.remote && route->dest.path_length == 1 &&
	       route->dest.path[0]->qmgr == conn->qmgr &&
	       route->dest.queue->qmgr == conn->qmgr;
}

/**
 * kmq_route_is_away - do messages go to another queue manager
 * @route: route
 * @conn: connection
 *
 * Where each put chooses, the last choice counts.
 */
bool kmq_route_is_away(const struct kmq_route *route,
		       const struct kmq_conn *conn)
{
	return route->dest.remote || route->dest.queue->qmgr != conn->qmgr;
}

/* A definition that somebody goes through must not be deleted. */
static void kmq_route_count(struct kmq_route *route, int by)
{
	u32 i;

	for (i = 0; i < route->dest.path_length; i++)
		if (route->dest.path[i] != route->dest.queue)
			atomic_add(by, &route->dest.path[i]->named_by);
}

/**
 * kmq_route_keep - let a route live as long as a handle
 * @route: route
 *
 * To be undone with kmq_route_drop().
 */
void kmq_route_keep(struct kmq_route *route)
{
	kmq_route_count(route, 1);
}

void kmq_route_drop(struct kmq_route *route)
{
	kmq_route_count(route, -1);
	kmq_route_release(route);
}

/**
 * kmq_route_release - give back what a route refers to
 * @route: route
 */
void kmq_route_release(struct kmq_route *route)
{
	kmq_dest_put(&route->dest);
	kmq_instances_free(route->instances);
	route->instances = NULL;
	if (route->alias)
		kmq_queue_put(route->alias);
	route->alias = NULL;
}

/**
 * kmq_route_generation - what changes when a handle has to be opened anew
 * @route: route
 */
u32 kmq_route_generation(const struct kmq_route *route)
{
	if (!route->instances)
		return kmq_dest_generation(&route->dest);
	return route->alias ? READ_ONCE(route->alias->generation) : 0;
}

/**
 * kmq_route_is_bound - is an instance chosen until a group is complete (O-BIND-2)
 * @route: route of a handle
 * @put: what the handle has begun
 */
bool kmq_route_is_bound(const struct kmq_route *route,
			const struct kmq_retained *put)
{
	return route->instances && route->on_group &&
	       (put->in_group || put->in_msg);
}

static const struct kmq_dest *kmq_route_choose(struct kmq_put_run *run,
					       u32 *reason)
{
	struct kmq_instances *instances = run->route->instances;
	const struct kmq_handle *handle = run->handle;
	const struct kmq_dest *dest;

	if (!handle || !kmq_route_is_bound(run->route, &handle->put))
		return kmq_instances_choose(instances, run->conn->turn++,
					    false, reason);
	dest = kmq_instances_by_uid(instances, handle->put.instance);
	if (!dest)
		*reason = MQRC_NO_DESTINATIONS_AVAILABLE;
	return dest;
}

static u32 kmq_route_refresh(struct kmq_route *route)
{
	struct kmq_instances *instances;

	if (likely(kmq_instances_are_current(route->instances)))
		return MQRC_NONE;
	instances = kmq_instances_find(route->instances->name);
	if (!instances)
		return MQRC_STORAGE_NOT_AVAILABLE;
	kmq_instances_free(route->instances);
	route->instances = instances;
	return MQRC_NONE;
}

/**
 * kmq_route_put - choose where one message goes
 * @run: the puts, with a route; its connection's call lock is held
 *
 * Return: 0, and @run has the destination; or the reason why there is none, to
 * be reported in its turn.
 */
u32 kmq_route_put(struct kmq_put_run *run)
{
	struct kmq_route *route = run->route;
	const struct kmq_dest *dest = &route->dest;
	u32 reason = MQRC_NONE;

	if (route->instances) {
		reason = kmq_route_refresh(route);
		if (!reason)
			dest = kmq_route_choose(run, &reason);
	}
	if (reason)
		return reason;
	run->dest = dest;
	run->named = route->alias ? route->alias : dest->path[0];
	run->queue = dest->queue;
	return MQRC_NONE;
}
