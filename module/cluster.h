/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_CLUSTER_H
#define KMQ_CLUSTER_H

#include <linux/types.h>
#include <linux/kmq.h>
#include "attrs.h"
#include "resolve.h"

struct kmq_queue;

/**
 * struct kmq_instances - the instances of a cluster queue
 * @generation: of the clusters, when they were looked for
 * @count: how many
 * @name: name of the cluster queue
 * @dests: where messages to each of them go
 */
struct kmq_instances {
	u32 generation;
	u32 count;
	u8 name[KMQ_NAME_LEN];
	struct kmq_dest dests[];
};

/**
 * kmq_is_clustered - does a definition belong to a cluster
 * @attrs: its attributes, which cannot change meanwhile
 */
static inline bool kmq_is_clustered(const struct kmq_queue_attrs *attrs)
{
	return attrs->cluster_name[0] != ' ' ||
	       attrs->cluster_namelist[0] != ' ';
}

bool kmq_queue_is_clustered(const struct kmq_queue *queue);
void kmq_clusters_changed(void);
struct kmq_queue *kmq_cluster_find_one(const u8 *name);
struct kmq_instances *kmq_instances_find(const u8 *name);
void kmq_instances_free(struct kmq_instances *instances);
bool kmq_instances_are_current(const struct kmq_instances *instances);
const struct kmq_dest *kmq_instances_by_uid(const struct kmq_instances *in,
					    u32 uid);
const struct kmq_dest *kmq_instances_choose(const struct kmq_instances *in,
					    u32 turn, bool full_too,
					    u32 *reason);

#endif /* KMQ_CLUSTER_H */
