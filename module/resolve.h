/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_RESOLVE_H
#define KMQ_RESOLVE_H

#include <linux/types.h>
#include <linux/kmq.h>

struct kmq_qmgr;
struct kmq_queue;

/**
 * struct kmq_target - what a pair of names stands for
 * @node: the definition whose node is opened, referenced: rights to it count
 * @remote: @node is the transmission queue towards @qmgr
 * @cluster: @node is one of the instances of a cluster queue
 * @q: name of the queue at @qmgr, if @remote
 * @qmgr: queue manager, if @remote
 */
struct kmq_target {
	struct kmq_queue *node;
	bool remote;
	bool cluster;
	u8 q[KMQ_NAME_LEN];
	u8 qmgr[KMQ_NAME_LEN];
};

/* An alias, a remote definition, an alias at the other queue manager. */
#define KMQ_PATH_LENGTH	3

/**
 * struct kmq_dest - a place that messages can be put to
 * @path: definitions on the way, referenced: the one that was named first
 * @path_length: how many
 * @queue: queue that takes the messages, referenced
 * @remote: a transmission queue: they need an MQXQH
 * @q: name of the queue where they end
 * @qmgr: its queue manager
 */
struct kmq_dest {
	struct kmq_queue *path[KMQ_PATH_LENGTH];
	u32 path_length;
	struct kmq_queue *queue;
	bool remote;
	u8 q[KMQ_NAME_LEN];
	u8 qmgr[KMQ_NAME_LEN];
};

u32 kmq_resolve_name(struct kmq_qmgr *from, const u8 *q, const u8 *qmgr,
		     struct kmq_target *target);
u32 kmq_resolve_target(const struct kmq_target *target, struct kmq_dest *dest);
u32 kmq_resolve(struct kmq_queue *named, struct kmq_dest *dest);
void kmq_dest_self(struct kmq_dest *dest, struct kmq_queue *queue);
void kmq_dest_copy(struct kmq_dest *to, const struct kmq_dest *from);
void kmq_dest_put(struct kmq_dest *dest);
bool kmq_dest_inhibited(const struct kmq_dest *dest);
u32 kmq_dest_generation(const struct kmq_dest *dest);
struct kmq_queue *kmq_resolve_base_locked(struct kmq_queue *named);
void kmq_resolve_base_name(const struct kmq_queue *named, u8 *name);

#endif /* KMQ_RESOLVE_H */
