/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_ROUTE_H
#define KMQ_ROUTE_H

#include <linux/types.h>
#include "handle.h"
#include "queue.h"
#include "resolve.h"

struct kmq_conn;
struct kmq_instances;
struct kmq_put_run;

/**
 * struct kmq_names - what a program calls a queue
 * @q: ObjectName, blank padded; blank: the name of the node
 * @qmgr: ObjectQMgrName, blank padded; blank: the connection's queue manager
 */
struct kmq_names {
	const u8 *q;
	const u8 *qmgr;
};

/**
 * struct kmq_route - where the messages go that are put to a name
 * @dest: where they go; for a cluster queue whose instance is chosen later, the
 *	instance whose node was opened
 * @instances: the instances to choose from, or NULL: always @dest
 * @alias: alias through which the cluster queue was named, referenced, or NULL
 * @on_open: one instance was chosen for good
 * @on_group: an instance is chosen for each group (O-BIND-2), not for each put
 * @cluster: the name is that of a cluster queue without an instance here
 *
 * Guarded by kmq_conn.call.
 */
struct kmq_route {
	struct kmq_dest dest;
	struct kmq_instances *instances;
	struct kmq_queue *alias;
	bool on_open;
	bool on_group;
	bool cluster;
};

u32 kmq_route_find(struct kmq_conn *conn, struct kmq_queue *node,
		   const struct kmq_names *names, u32 options,
		   struct kmq_route *route);
bool kmq_route_is_plain(const struct kmq_route *route,
			const struct kmq_conn *conn);
bool kmq_route_is_away(const struct kmq_route *route,
		       const struct kmq_conn *conn);
void kmq_route_keep(struct kmq_route *route);
void kmq_route_drop(struct kmq_route *route);
void kmq_route_release(struct kmq_route *route);
u32 kmq_route_generation(const struct kmq_route *route);
u32 kmq_route_put(struct kmq_put_run *run);
bool kmq_route_is_bound(const struct kmq_route *route,
			const struct kmq_retained *put);

/* What changes when a handle has to be opened anew (P-CALL-10). */
static inline u32 kmq_handle_generation(const struct kmq_handle *handle)
{
	if (unlikely(handle->route))
		return kmq_route_generation(handle->route);
	return READ_ONCE(handle->named->generation) +
	       (handle->named == handle->queue ? 0 :
		READ_ONCE(handle->queue->generation));
}

#endif /* KMQ_ROUTE_H */
