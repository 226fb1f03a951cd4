// SPDX-License-Identifier: GPL-2.0
/*
 * Processes that are connected, and what happens when they end; see owner.h.
 *
 * The lock of the table is inside of every other mutex. Nothing is allocated
 * under it.
 */
#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "conn.h"
#include "owner.h"

#define KMQ_OWNER_BITS	8

static DEFINE_MUTEX(kmq_owners_lock);
static DEFINE_HASHTABLE(kmq_owners, KMQ_OWNER_BITS);
static struct workqueue_struct *kmq_owners_work;

int kmq_owners_create(void)
{
	kmq_owners_work = alloc_workqueue("kmq-owners", WQ_UNBOUND, 0);
	return kmq_owners_work ? 0 : -ENOMEM;
}

/**
 * kmq_owners_destroy - wait until all connections of those who are gone have ended
 */
void kmq_owners_destroy(void)
{
	destroy_workqueue(kmq_owners_work);
	kmq_owners_work = NULL;
}

/**
 * kmq_owner_is_ending - has every thread of a process come to its end
 * @owner: the process
 *
 * A thread that ends does not count: another one may go on, with a table of
 * descriptors of its own or without.
 */
bool kmq_owner_is_ending(const struct kmq_owner *owner)
{
	const struct task_struct *task;
	bool alive;

	rcu_read_lock();
	task = pid_task(owner->pid, PIDTYPE_TGID);
	alive = task && atomic_read(&task->signal->live);
	rcu_read_unlock();
	return !alive;
}

/* The next one of a process that is gone, referenced. */
static struct kmq_conn *kmq_owner_take(struct kmq_owner *owner)
{
	struct kmq_conn *conn = NULL;

	mutex_lock(&kmq_owners_lock);
	while (!conn && !list_empty(&owner->conns)) {
		conn = list_first_entry(&owner->conns, struct kmq_conn,
					owner_link);
		list_del_init(&conn->owner_link);
		if (!kref_get_unless_zero(&conn->ref))
			conn = NULL;
	}
	mutex_unlock(&kmq_owners_lock);
	return conn;
}

static void kmq_owner_end(struct work_struct *work)
{
	struct kmq_owner *owner = container_of(work, struct kmq_owner, work);
	struct kmq_conn *conn;

	while ((conn = kmq_owner_take(owner))) {
		kmq_conn_break(conn);
		kmq_conn_put(conn);
		cond_resched();
	}
	kmq_owner_put(owner);
}

/* Called with pid->wait_pidfd locked, and with locks of the kernel's around it. */
static int kmq_owner_woken(struct wait_queue_entry *wait, unsigned int mode,
			   int flags, void *key)
{
	struct kmq_owner *owner = container_of(wait, struct kmq_owner, wait);

	if (owner->gone || !kmq_owner_is_ending(owner))
		return 0;
	WRITE_ONCE(owner->gone, true);
	/* Without a connection it is about to be freed. */
	if (kref_get_unless_zero(&owner->ref))
		queue_work(kmq_owners_work, &owner->work);
	return 0;
}

static struct kmq_owner *kmq_owner_find_locked(struct pid *pid)
{
	struct kmq_owner *owner;

	lockdep_assert_held(&kmq_owners_lock);
	hash_for_each_possible(kmq_owners, owner, link, (unsigned long)pid)
		if (owner->pid == pid) {
			kref_get(&owner->ref);
			return owner;
		}
	return NULL;
}

static struct kmq_owner *kmq_owner_find(struct pid *pid)
{
	struct kmq_owner *owner;

	mutex_lock(&kmq_owners_lock);
	owner = kmq_owner_find_locked(pid);
	mutex_unlock(&kmq_owners_lock);
	return owner;
}

/* Let @fresh be known, unless another thread was faster. */
static struct kmq_owner *kmq_owner_enter(struct kmq_owner *fresh)
{
	struct kmq_owner *owner;

	mutex_lock(&kmq_owners_lock);
	owner = kmq_owner_find_locked(fresh->pid);
	if (!owner) {
		hash_add(kmq_owners, &fresh->link, (unsigned long)fresh->pid);
		/* It calls, so it is alive, and its end is still to come. */
		add_wait_queue(&fresh->pid->wait_pidfd, &fresh->wait);
		owner = fresh;
	}
	mutex_unlock(&kmq_owners_lock);
	return owner;
}

/**
 * kmq_owner_of_caller - the calling process, watched from now on
 *
 * Return: the owner, referenced, or NULL for want of memory.
 */
struct kmq_owner *kmq_owner_of_caller(void)
{
	struct kmq_owner *owner = kmq_owner_find(task_tgid(current));
	struct kmq_owner *fresh;

	if (owner)
		return owner;
	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	if (!fresh)
		return NULL;
	kref_init(&fresh->ref);
	fresh->pid = get_pid(task_tgid(current));
	INIT_LIST_HEAD(&fresh->conns);
	init_waitqueue_func_entry(&fresh->wait, kmq_owner_woken);
	INIT_WORK(&fresh->work, kmq_owner_end);
	owner = kmq_owner_enter(fresh);
	if (owner != fresh) {
		put_pid(fresh->pid);
		kfree(fresh);
	}
	return owner;
}

/* Its last reference is gone, and the table is locked, so nobody finds it. */
static void kmq_owner_release(struct kref *ref)
{
	struct kmq_owner *owner = container_of(ref, struct kmq_owner, ref);

	hash_del(&owner->link);
	mutex_unlock(&kmq_owners_lock);
	/* Afterwards kmq_owner_woken() is not running either. */
	remove_wait_queue(&owner->pid->wait_pidfd, &owner->wait);
	put_pid(owner->pid);
	kfree(owner);
}

void kmq_owner_put(struct kmq_owner *owner)
{
	kref_put_mutex(&owner->ref, kmq_owner_release, &kmq_owners_lock);
}

/**
 * kmq_owner_add - a connection ends with a process
 * @owner: the calling process
 * @conn: new connection
 */
void kmq_owner_add(struct kmq_owner *owner, struct kmq_conn *conn)
{
	mutex_lock(&kmq_owners_lock);
	list_add_tail(&conn->owner_link, &owner->conns);
	mutex_unlock(&kmq_owners_lock);
}

/**
 * kmq_owner_del - a connection has ended
 * @conn: the connection, whether kmq_owner_add() was called or not
 */
void kmq_owner_del(struct kmq_conn *conn)
{
	mutex_lock(&kmq_owners_lock);
	list_del_init(&conn->owner_link);
	mutex_unlock(&kmq_owners_lock);
}
