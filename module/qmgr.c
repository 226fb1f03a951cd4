// SPDX-License-Identifier: GPL-2.0
/*
 * Queue managers: the name space of queues, and identifiers.
 */
#include <linux/ctype.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/ktime.h>
#include "attr.h"
#include "compat.h"
#include "conn.h"
#include "context.h"
#include "limits.h"
#include "mqi.h"
#include "object.h"
#include "qmgr.h"
#include "queue.h"

static bool kmq_word_has_null(u64 word)
{
	return (word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL;
}

/**
 * kmq_name_pad - turn what follows the first null of a text field into blanks
 * @name: the field
 * @size: its length
 */
void kmq_name_pad(u8 *name, size_t size)
{
	size_t n = 0;

	/* Most fields are padded already: no word of them has a null byte. */
	while (n + sizeof(u64) <= size &&
	       !kmq_word_has_null(get_unaligned((u64 *)(name + n))))
		n += sizeof(u64);
	while (n < size && name[n])
		n++;
	if (n < size)
		memset(name + n, ' ', size - n);
}

/**
 * kmq_name_is_valid - can this be the name of an object (O-NAME-1)
 * @name: KMQ_NAME_LEN characters, blank padded
 */
bool kmq_name_is_valid(const u8 *name)
{
	size_t i, n = KMQ_NAME_LEN;

	while (n && name[n - 1] == ' ')
		n--;
	for (i = 0; i < n; i++)
		if (!isascii(name[i]) ||
		    (!isalnum(name[i]) && !strchr("./_%", name[i])))
			return false;
	return n;
}

static void kmq_qmgr_free(struct kmq_qmgr *qmgr)
{
	if (qmgr->no_context)
		kmq_context_put(qmgr->no_context);
	if (qmgr->context)
		kmq_context_put(qmgr->context);
	kfree(qmgr);
}

/**
 * kmq_qmgr_alloc - make a queue manager
 * @name: name, blank padded
 *
 * Return: the queue manager with one reference and no nodes, or NULL.
 */
struct kmq_qmgr *kmq_qmgr_alloc(const u8 *name)
{
	struct kmq_qmgr *qmgr = kzalloc(sizeof(*qmgr), GFP_KERNEL);

	if (!qmgr)
		return NULL;
	qmgr->no_context = kmq_context_alloc();
	qmgr->context = kmq_context_alloc();
	if (!qmgr->no_context || !qmgr->context) {
		kmq_qmgr_free(qmgr);
		return NULL;
	}
	qmgr->no_context->dated = true;
	qmgr->context->c.appl_type = MQAT_QMGR;
	memcpy(qmgr->context->c.appl_name, name,
	       sizeof(qmgr->context->c.appl_name));
	init_rwsem(&qmgr->names);
	qmgr->queues = RB_ROOT;
	qmgr->objects = RB_ROOT;
	kref_init(&qmgr->ref);
	INIT_LIST_HEAD(&qmgr->link);
	qmgr->triggered = RB_ROOT;
	kmq_tree_clear(&qmgr->conns);
	mutex_init(&qmgr->conns_lock);
	memcpy(qmgr->name, name, KMQ_NAME_LEN);
	memcpy(qmgr->id_name, name, sizeof(qmgr->id_name));
	qmgr->epoch = ktime_get_real_seconds();
	qmgr->state = KMQ_QMGR_RUNNING;
	atomic_set(&qmgr->changes, 1);
	kmq_attr_qmgr_defaults(&qmgr->attrs);
	return qmgr;
}

static void kmq_qmgr_release(struct kref *ref)
{
	struct kmq_qmgr *qmgr = container_of(ref, struct kmq_qmgr, ref);

	kmq_object_del_all(qmgr);
	kmq_qmgr_free(qmgr);
}

void kmq_qmgr_put(struct kmq_qmgr *qmgr)
{
	kref_put(&qmgr->ref, kmq_qmgr_release);
}

/**
 * kmq_qmgr_new_numbers - take numbers for identifiers (M-ID-2)
 * @qmgr: queue manager
 * @count: how many
 *
 * The epoch moves on when the 32-bit counter wraps, which a queue manager that
 * was started later than the previous one cannot meet: nobody takes numbers
 * that fast.
 *
 * Return: the first of them; the others follow.
 */
u64 kmq_qmgr_new_numbers(struct kmq_qmgr *qmgr, u32 count)
{
	u64 last = atomic64_add_return(count, &qmgr->next_id);

	return (qmgr->epoch << 32) + last - count + 1;
}

/**
 * kmq_qmgr_new_id - make a MsgId, CorrelId or GroupId (M-ID-2, P-OPT-12)
 * @qmgr: queue manager
 * @id: KMQ_ID_LEN bytes
 *
 * Identifiers ascend.
 */
void kmq_qmgr_new_id(struct kmq_qmgr *qmgr, u8 *id)
{
	kmq_qmgr_make_id(qmgr, kmq_qmgr_new_numbers(qmgr, 1), id);
}

static int kmq_queue_name_compare(const u8 *name, const struct rb_node *node)
{
	const struct kmq_queue *queue = rb_entry(node, struct kmq_queue, node);

	return memcmp(name, queue->name, KMQ_NAME_LEN);
}

/**
 * kmq_qmgr_find_locked - find a queue by name
 * @qmgr: queue manager, names locked
 * @name: name, blank padded
 *
 * Return: the queue, not referenced, or NULL.
 */
struct kmq_queue *kmq_qmgr_find_locked(struct kmq_qmgr *qmgr, const u8 *name)
{
	struct rb_node *node = qmgr->queues.rb_node;

	lockdep_assert_held(&qmgr->names);
	while (node) {
		int c = kmq_queue_name_compare(name, node);

		if (!c)
			return rb_entry(node, struct kmq_queue, node);
		node = c < 0 ? node->rb_left : node->rb_right;
	}
	return NULL;
}

/**
 * kmq_qmgr_find - find a queue by name, to do something with it
 * @qmgr: queue manager, names not locked
 * @name: name, blank padded
 *
 * Return: the queue, referenced, or NULL. It may be deleted any time.
 */
struct kmq_queue *kmq_qmgr_find(struct kmq_qmgr *qmgr, const u8 *name)
{
	struct kmq_queue *queue;

	down_read(&qmgr->names);
	queue = kmq_qmgr_find_locked(qmgr, name);
	if (queue)
		kmq_queue_get(queue);
	up_read(&qmgr->names);
	return queue;
}

/**
 * kmq_qmgr_next_locked - the queue whose name follows
 * @qmgr: queue manager, names locked
 * @after: name, blank padded; all blank: the first one
 */
struct kmq_queue *kmq_qmgr_next_locked(struct kmq_qmgr *qmgr, const u8 *after)
{
	struct rb_node *node = qmgr->queues.rb_node;
	struct kmq_queue *found = NULL;

	lockdep_assert_held(&qmgr->names);
	while (node) {
		if (kmq_queue_name_compare(after, node) < 0) {
			found = rb_entry(node, struct kmq_queue, node);
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	return found;
}

/**
 * kmq_qmgr_following - go from queue to queue without keeping the names locked
 * @qmgr: queue manager, names not locked
 * @queue: queue whose reference is given back, or NULL: begin
 *
 * Return: the queue whose name follows, referenced, or NULL.
 */
struct kmq_queue *kmq_qmgr_following(struct kmq_qmgr *qmgr,
				     struct kmq_queue *queue)
{
	struct kmq_queue *next;
	u8 begin[KMQ_NAME_LEN];

	memset(begin, ' ', sizeof(begin));
	down_read(&qmgr->names);
	next = kmq_qmgr_next_locked(qmgr, queue ? queue->name : begin);
	if (next)
		kmq_queue_get(next);
	up_read(&qmgr->names);
	if (queue)
		kmq_queue_put(queue);
	return next;
}

/**
 * kmq_queue_lock_named - lock a queue and, for writing, the names beside it
 * @queue: queue, referenced; neither is locked. It may have been deleted
 *
 * The order is that of DOC: Locks, names first; but while the queue is busy
 * nobody else may have to wait for the names. So what is held is let go of
 * before the wait for the other one, and the one that was waited for is then
 * held when the other is tried.
 */
void kmq_queue_lock_named(struct kmq_queue *queue)
{
	struct kmq_qmgr *qmgr = queue->qmgr;

	for (;;) {
		down_write(&qmgr->names);
		if (kmq_queue_trylock(queue))
			return;
		up_write(&qmgr->names);
		kmq_queue_lock(queue);
		if (down_write_trylock(&qmgr->names))
			return;
		mutex_unlock(&queue->lock);
	}
}

/* The end of that. */
void kmq_queue_unlock_named(struct kmq_queue *queue)
{
	mutex_unlock(&queue->lock);
	up_write(&queue->qmgr->names);
}

/**
 * kmq_qmgr_add_locked - make a queue known; takes over a reference
 * @qmgr: queue manager, names locked for writing
 * @queue: queue whose name is free and that nobody has got to know otherwise
 *
 * Return: 0, or -EEXIST.
 */
int kmq_qmgr_add_locked(struct kmq_qmgr *qmgr, struct kmq_queue *queue)
{
	struct rb_node **link = &qmgr->queues.rb_node, *parent = NULL;

	lockdep_assert_held_write(&qmgr->names);
	while (*link) {
		int c = kmq_queue_name_compare(queue->name, *link);

		if (!c)
			return -EEXIST;
		parent = *link;
		link = c < 0 ? &parent->rb_left : &parent->rb_right;
	}
	rb_link_node(&queue->node, parent, link);
	rb_insert_color(&queue->node, &qmgr->queues);
	qmgr->queue_count++;
	if (queue->type == MQQT_REMOTE)
		WRITE_ONCE(qmgr->remote_count, qmgr->remote_count + 1);
	/* Nobody has it, so there is nothing to wait for. */
	mutex_lock(&queue->lock);
	kmq_watch_update_locked(queue);
	mutex_unlock(&queue->lock);
	return 0;
}

/**
 * kmq_qmgr_del_locked - make a queue unknown; the caller has its reference then
 * @qmgr: queue manager, names locked for writing
 * @queue: a queue of it
 */
void kmq_qmgr_del_locked(struct kmq_qmgr *qmgr, struct kmq_queue *queue)
{
	lockdep_assert_held_write(&qmgr->names);
	rb_erase(&queue->node, &qmgr->queues);
	kmq_watch_forget_locked(queue);
	qmgr->queue_count--;
	if (queue->type == MQQT_REMOTE)
		WRITE_ONCE(qmgr->remote_count, qmgr->remote_count - 1);
}

/**
 * kmq_qmgr_watch - events may have been switched on or off
 * @qmgr: queue manager, nothing locked
 */
void kmq_qmgr_watch(struct kmq_qmgr *qmgr)
{
	struct kmq_queue *queue = NULL;

	while ((queue = kmq_qmgr_following(qmgr, queue))) {
		kmq_queue_lock_named(queue);
		kmq_watch_update_locked(queue);
		kmq_queue_unlock_named(queue);
		cond_resched();
	}
}

/* End waits that the state of the queue manager does not allow. */
static void kmq_qmgr_tell_locked(struct kmq_queue *queue)
{
	u32 state = READ_ONCE(queue->qmgr->state);

	if (state == KMQ_QMGR_STOPPING)
		kmq_waiters_cancel_locked(queue, KMQ_CANCEL_STOPPING);
	else if (state == KMQ_QMGR_QUIESCING)
		kmq_waiters_cancel_locked(queue, KMQ_CANCEL_QUIESCING);
}

/**
 * kmq_qmgr_set_state - run, quiesce or stop
 * @qmgr: queue manager
 * @state: KMQ_QMGR_*
 *
 * Who begins to wait at a queue that has been visited sees the state.
 */
void kmq_qmgr_set_state(struct kmq_qmgr *qmgr, u32 state)
{
	struct kmq_queue *queue = NULL;

	down_write(&qmgr->names);
	WRITE_ONCE(qmgr->state, state);
	kmq_qmgr_changed(qmgr);
	up_write(&qmgr->names);
	kmq_conns_tell_state(qmgr);

	/* Somebody may set another one meanwhile. If it runs, no queue is touched. */
	while (READ_ONCE(qmgr->state) != KMQ_QMGR_RUNNING) {
		queue = kmq_qmgr_following(qmgr, queue);
		if (!queue)
			return;
		kmq_queue_lock(queue);
		kmq_qmgr_tell_locked(queue);
		mutex_unlock(&queue->lock);
		cond_resched();
	}
	if (queue)
		kmq_queue_put(queue);
}
