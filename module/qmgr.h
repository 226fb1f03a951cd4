/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_QMGR_H
#define KMQ_QMGR_H

#include <linux/atomic.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/rwsem.h>
#include <linux/types.h>
#include <linux/kmq.h>
#include "attrs.h"
#include "compat.h"
#include "tree.h"

struct device;
struct kmq_context_ref;
struct kmq_msg;
struct kmq_queue;

/**
 * struct kmq_qmgr - a queue manager
 * @names: see queue.h
 * @queues: struct kmq_queue by name, guarded by @names
 * @queue_count: how many, guarded by @names
 * @remote_count: remote definitions among them
 * @objects: struct kmq_object by type and name, guarded by @names
 * @object_count: how many, guarded by @names
 * @triggered: struct kmq_queue with triggers switched on, by name, guarded by
 *	@names
 * @attrs: attributes; integers may be read at any time
 * @state: KMQ_QMGR_*, changed under @names
 * @changes: see kmq_qmgr_changed(); never 0
 * @ref: files, connections, queues, the module's list
 * @report_expired: reports that a message has expired, or NULL; may put messages
 *	to other queues
 * @trigger: makes the trigger message of a queue that has been claimed, or NULL;
 *	likewise
 * @no_context: the context of messages put with MQPMO_NO_CONTEXT
 * @context: the context of messages it makes itself
 * @epoch: seconds in front of generated identifiers, so that they never repeat
 * @next_id: counter behind it
 * @id_name: first 12 characters of the name, for identifiers
 * @name: name, blank padded
 * @conns: struct kmq_conn that are connected, by ConnectionId; guarded by
 *	@conns_lock
 * @conns_lock: see there; inside of everything, held for one step in the tree
 * @link: in the list of queue managers
 * @files: open files of its nodes, guarded by the lock of the nodes
 * @ending: no more are opened, guarded likewise
 * @qmgr_dev: node to connect to
 * @admin_dev: node to administer through
 * @qmgr_minor: its minor number
 * @admin_minor: its minor number
 */
struct kmq_qmgr {
	struct rw_semaphore names;
	struct rb_root queues;
	u32 queue_count;
	u32 remote_count;
	struct rb_root objects;
	u32 object_count;
	struct rb_root triggered;
	struct kmq_qmgr_attrs attrs;
	u32 state;
	atomic_t changes;
	struct kref ref;
	void (*report_expired)(struct kmq_msg *msg);
	void (*trigger)(struct kmq_queue *queue);
	struct kmq_context_ref *no_context;
	struct kmq_context_ref *context;
	u64 epoch;
	atomic64_t next_id;
	u8 id_name[12];
	u8 name[KMQ_NAME_LEN];
	struct kmq_tree conns;
	struct mutex conns_lock;	/* guards conns */
	struct list_head link;
	u32 files;
	bool ending;
	struct device *qmgr_dev;
	struct device *admin_dev;
	int qmgr_minor;
	int admin_minor;
};

struct kmq_qmgr *kmq_qmgr_alloc(const u8 *name);
void kmq_qmgr_put(struct kmq_qmgr *qmgr);

static inline struct kmq_qmgr *kmq_qmgr_get(struct kmq_qmgr *qmgr)
{
	kref_get(&qmgr->ref);
	return qmgr;
}

/**
 * kmq_qmgr_changed - what calls are checked against is not what it was
 * @qmgr: queue manager
 *
 * To be called after each change of an attribute, a definition, the state of the
 * queue manager or of a connection: what handles remember of checks that were
 * passed before is void. Windows that are open are not touched: whatever can make a
 * difference to a get that waits ends them with the lock of their queue, see
 * window.h.
 */
static inline void kmq_qmgr_changed(struct kmq_qmgr *qmgr)
{
	/* Fully ordered: the change first; pairs with kmq_qmgr_changes(). */
	if (!atomic_inc_return(&qmgr->changes))
		atomic_inc(&qmgr->changes);
}

/* How often that was; to be read before what may change. */
static inline u32 kmq_qmgr_changes(const struct kmq_qmgr *qmgr)
{
	return atomic_read_acquire(&qmgr->changes);
}

/* The identifier with a number that has been taken (M-ID-2). */
static __always_inline void
kmq_qmgr_make_id(const struct kmq_qmgr *qmgr, u64 number, u8 *id)
{
	memcpy(id, "AMQ ", 4);
	memcpy(id + 4, qmgr->id_name, sizeof(qmgr->id_name));
	put_unaligned_be64(number, id + 16);
}

void kmq_qmgr_new_id(struct kmq_qmgr *qmgr, u8 *id);
u64 kmq_qmgr_new_numbers(struct kmq_qmgr *qmgr, u32 count);
struct kmq_queue *kmq_qmgr_find_locked(struct kmq_qmgr *qmgr, const u8 *name);
struct kmq_queue *kmq_qmgr_next_locked(struct kmq_qmgr *qmgr, const u8 *after);
int kmq_qmgr_add_locked(struct kmq_qmgr *qmgr, struct kmq_queue *queue);
void kmq_qmgr_del_locked(struct kmq_qmgr *qmgr, struct kmq_queue *queue);
void kmq_queue_lock_named(struct kmq_queue *queue);
void kmq_queue_unlock_named(struct kmq_queue *queue);
void kmq_qmgr_watch(struct kmq_qmgr *qmgr);
void kmq_qmgr_set_state(struct kmq_qmgr *qmgr, u32 state);
struct kmq_queue *kmq_qmgr_find(struct kmq_qmgr *qmgr, const u8 *name);
struct kmq_queue *kmq_qmgr_following(struct kmq_qmgr *qmgr,
				     struct kmq_queue *queue);

/* Are two names of KMQ_NAME_LEN bytes the same? */
static inline bool kmq_name_equal(const u8 *a, const u8 *b)
{
	u64 differ = 0;
	unsigned int i;

	for (i = 0; i < KMQ_NAME_LEN; i += sizeof(u64))
		differ |= get_unaligned((const u64 *)(a + i)) ^
			  get_unaligned((const u64 *)(b + i));
	return !differ;
}

/* A name that was left out. */
static inline bool kmq_name_is_blank(const u8 *name)
{
	return !name[0] || name[0] == ' ';
}

bool kmq_name_is_valid(const u8 *name);
void kmq_name_pad(u8 *name, size_t size);

#endif /* KMQ_QMGR_H */
