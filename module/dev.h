/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_DEV_H
#define KMQ_DEV_H

#include <linux/fs.h>
#include <linux/types.h>

struct cred;
struct kmq_qmgr;
struct kmq_queue;

/**
 * struct kmq_node - what is behind a minor number
 * @kind: KMQ_NODE_*
 * @qmgr: queue manager, NULL for the control node
 * @queue: queue, for KMQ_NODE_QUEUE
 */
struct kmq_node {
	int kind;
	struct kmq_qmgr *qmgr;
	struct kmq_queue *queue;
};

int kmq_dev_init(const struct file_operations *fops);
void kmq_dev_exit(void);
int kmq_dev_qmgr_add(struct kmq_qmgr *qmgr, kgid_t gid);
void kmq_dev_qmgr_del(struct kmq_qmgr *qmgr);
int kmq_dev_queue_add(struct kmq_queue *queue);
void kmq_dev_queue_del(struct kmq_queue *queue);
void kmq_dev_queue_change(struct kmq_queue *queue);
void kmq_dev_file_closed(struct kmq_qmgr *qmgr);
bool kmq_dev_may_administer(const struct kmq_qmgr *qmgr);
bool kmq_dev_qmgr_end(struct kmq_qmgr *qmgr);
bool kmq_dev_may_open(const struct kmq_queue *queue, const struct cred *user);
int kmq_dev_find(unsigned int minor, struct kmq_node *node);

#endif /* KMQ_DEV_H */
