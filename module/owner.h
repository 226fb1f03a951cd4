/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_OWNER_H
#define KMQ_OWNER_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

struct kmq_conn;
struct pid;

/**
 * DOC: The process that connected
 *
 * A unit of work ends with the process that made the connection, whoever else
 * has its descriptors (U-END-7). As a rule that process closes them as it ends,
 * and they tell: kmq_conn_flush(). It may have closed its own long before, or
 * share the table of them with another process; so each process that is
 * connected is watched besides, by an entry in the queue of those who wait for
 * its end, the one behind a pidfd.
 *
 * The kernel wakes that queue when the last thread of a process ends, before its
 * parent is told; and at other times, too, so who is woken looks. This happens
 * under spinlocks, once for a process however many connections it has: @gone is
 * set, which every call looks at, and a work ends the connections.
 */

/**
 * struct kmq_owner - a process that is connected
 * @gone: all its threads have ended or are about to
 * @ref: its connections, the work
 * @pid: the process, referenced
 * @conns: struct kmq_conn that end with it, by owner_link
 * @wait: in pid->wait_pidfd
 * @work: ends the connections
 * @link: in the table of owners
 */
struct kmq_owner {
	bool gone;
	struct kref ref;
	struct pid *pid;
	struct list_head conns;	/* guarded by the lock of the table */
	struct wait_queue_entry wait;
	struct work_struct work;
	struct hlist_node link;	/* likewise */
};

int kmq_owners_create(void);
void kmq_owners_destroy(void);
struct kmq_owner *kmq_owner_of_caller(void);
void kmq_owner_put(struct kmq_owner *owner);
void kmq_owner_add(struct kmq_owner *owner, struct kmq_conn *conn);
void kmq_owner_del(struct kmq_conn *conn);
bool kmq_owner_is_ending(const struct kmq_owner *owner);

#endif /* KMQ_OWNER_H */
