// SPDX-License-Identifier: GPL-2.0
/*
 * Cluster queues (objects.md section 9): several instances under one name.
 *
 * Every queue manager of the module takes part in every cluster. The instances
 * of a cluster queue are the definitions of its name, at most one at each queue
 * manager, that have a cluster name or namelist: local queues, aliases, remote
 * definitions that lead to a transmission queue.
 *
 * Who puts to a cluster queue keeps a list of its instances. A counter tells
 * whether it is still the right one, so that a put writes nothing that others
 * read.
 */
#include <linux/atomic.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "attr.h"
#include "cluster.h"
#include "limits.h"
#include "mqi.h"
#include "qmgr.h"
#include "qmgrs.h"
#include "queue.h"

/* Counts changes of definitions that belong to a cluster. */
static atomic_t kmq_cluster_generation = ATOMIC_INIT(0);

/**
 * kmq_queue_is_clustered - does a queue belong to a cluster
 * @queue: queue; the names of its queue manager are not locked
 */
bool kmq_queue_is_clustered(const struct kmq_queue *queue)
{
	bool clustered;

	down_read(&queue->qmgr->names);
	clustered = kmq_is_clustered(&queue->attrs);
	up_read(&queue->qmgr->names);
	return clustered;
}

/**
 * kmq_clusters_changed - a definition that is clustered has come, gone or changed
 *
 * To be called after the change, with the names of its queue manager still
 * locked: who looks for the instances then finds what there is now.
 */
void kmq_clusters_changed(void)
{
	atomic_inc(&kmq_cluster_generation);
}

/**
 * struct kmq_cluster_search - instances that have been found
 * @name: name of the cluster queue
 * @found: the definitions, referenced, in the order of their queue managers
 * @count: how many
 * @limit: look for that many
 */
struct kmq_cluster_search {
	const u8 *name;
	struct kmq_queue *found[KMQ_MAX_QMGRS];
	u32 count;
	u32 limit;
};

static int kmq_cluster_visit(struct kmq_qmgr *qmgr, void *arg)
{
	struct kmq_cluster_search *search = arg;
	struct kmq_queue *queue;

	down_read(&qmgr->names);
	queue = kmq_qmgr_find_locked(qmgr, search->name);
	if (queue && queue->type != MQQT_MODEL &&
	    kmq_is_clustered(&queue->attrs))
		search->found[search->count++] = kmq_queue_get(queue);
	up_read(&qmgr->names);
	return search->count >= search->limit;
}

/**
 * kmq_cluster_find_one - find an instance of a cluster queue
 * @name: name, blank padded
 *
 * Return: its definition, referenced, or NULL.
 */
struct kmq_queue *kmq_cluster_find_one(const u8 *name)
{
	struct kmq_cluster_search search = { .name = name, .limit = 1 };

	kmq_qmgrs_for_each(kmq_cluster_visit, &search);
	return search.count ? search.found[0] : NULL;
}

/* Those that lead to a queue; there is nothing to be told about the others. */
static void kmq_instances_resolve(struct kmq_instances *instances,
				  const struct kmq_cluster_search *search)
{
	u32 i;

	for (i = 0; i < search->count; i++) {
		struct kmq_dest *dest = &instances->dests[instances->count];

		if (kmq_resolve(search->found[i], dest))
			kmq_dest_put(dest);
		else
			instances->count++;
	}
}

/**
 * kmq_instances_find - find all instances of a cluster queue
 * @name: name, blank padded
 *
 * No lock is held. Return: the instances, perhaps none; NULL for want of memory.
 */
struct kmq_instances *kmq_instances_find(const u8 *name)
{
	struct kmq_cluster_search search = {
		.name = name, .limit = KMQ_MAX_QMGRS,
	};
	u32 generation = atomic_read(&kmq_cluster_generation);
	struct kmq_instances *instances;

	/* What changes from now on makes the result an old one. */
	smp_mb__after_atomic();
	kmq_qmgrs_for_each(kmq_cluster_visit, &search);
	instances = kzalloc(struct_size(instances, dests, search.count),
			    GFP_KERNEL_ACCOUNT);
	if (instances) {
		instances->generation = generation;
		memcpy(instances->name, name, KMQ_NAME_LEN);
		kmq_instances_resolve(instances, &search);
	}
	while (search.count)
		kmq_queue_put(search.found[--search.count]);
	return instances;
}

/**
 * kmq_instances_free - forget instances
 * @instances: instances or NULL
 */
void kmq_instances_free(struct kmq_instances *instances)
{
	if (!instances)
		return;
	while (instances->count)
		kmq_dest_put(&instances->dests[--instances->count]);
	kfree(instances);
}

/**
 * kmq_instances_are_current - is this still what kmq_instances_find() would give
 * @instances: instances
 */
bool kmq_instances_are_current(const struct kmq_instances *instances)
{
	return instances->generation == atomic_read(&kmq_cluster_generation);
}

/**
 * kmq_instances_by_uid - find an instance again
 * @in: instances
 * @uid: kmq_queue.uid of its definition
 *
 * Return: where messages to it go, or NULL if it is gone.
 */
const struct kmq_dest *kmq_instances_by_uid(const struct kmq_instances *in,
					    u32 uid)
{
	u32 i;

	for (i = 0; i < in->count; i++)
		if (in->dests[i].path[0]->uid == uid)
			return &in->dests[i];
	return NULL;
}

/* How much an instance is preferred; 0: it takes nothing just now. */
static u32 kmq_instance_grade(const struct kmq_dest *dest, bool full_too,
			      bool *allowed)
{
	const struct kmq_queue_attrs *attrs = &dest->path[0]->attrs;
	const struct kmq_queue *queue = dest->queue;

	if (READ_ONCE(queue->deleted) || kmq_dest_inhibited(dest))
		return 0;
	*allowed = true;
	if (!full_too &&
	    READ_ONCE(queue->depth) >= READ_ONCE(queue->attrs.max_q_depth))
		return 0;
	return 1 + READ_ONCE(attrs->clwl_q_rank) * 10 +
	       READ_ONCE(attrs->clwl_q_priority);
}

/**
 * kmq_instances_choose - choose the instance for the next put or group
 * @in: instances
 * @turn: counts the choices of whoever asks
 * @full_too: take one that is full if it comes to that
 * @reason: set if there is none: 2270, 2268 (all put-inhibited), 2053
 *
 * Of those that take messages just now, the ones of the highest rank, of these
 * the ones of the highest priority, of these one after the other.
 *
 * Return: where to put it, or NULL.
 */
const struct kmq_dest *kmq_instances_choose(const struct kmq_instances *in,
					    u32 turn, bool full_too,
					    u32 *reason)
{
	u32 grades[KMQ_MAX_QMGRS];
	u32 best = 0, equals = 0;
	bool allowed = false;
	u32 i;

	for (i = 0; i < in->count; i++) {
		grades[i] = kmq_instance_grade(&in->dests[i], full_too, &allowed);
		if (grades[i] > best) {
			best = grades[i];
			equals = 0;
		}
		equals += best && grades[i] == best;
	}
	if (!best) {
		*reason = !in->count ? MQRC_NO_DESTINATIONS_AVAILABLE :
			  allowed ? MQRC_Q_FULL : MQRC_CLUSTER_PUT_INHIBITED;
		return NULL;
	}
	turn %= equals;
	for (i = 0; grades[i] != best || turn--; i++)
		;
	return &in->dests[i];
}
