// SPDX-License-Identifier: GPL-2.0
/*
 * The queue managers of the module.
 */
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/string.h>
#include "admin.h"
#include "dev.h"
#include "limits.h"
#include "mqi.h"
#include "qmgr.h"
#include "qmgrs.h"
#include "relied.h"
#include "report.h"
#include "trigger.h"

/* One is made or removed at a time; outside of the list and all below. */
static DEFINE_MUTEX(kmq_qmgrs_change);

/* Guards the list; taken before every other lock but that of a call. */
static DECLARE_RWSEM(kmq_qmgrs_lock);
static LIST_HEAD(kmq_qmgrs);
static unsigned int kmq_qmgrs_count;

static struct kmq_qmgr *kmq_qmgrs_find(const u8 *name)
{
	struct kmq_qmgr *qmgr;

	list_for_each_entry(qmgr, &kmq_qmgrs, link)
		if (kmq_name_equal(qmgr->name, name))
			return qmgr;
	return NULL;
}

static u32 kmq_qmgrs_create_locked(const u8 *name, kgid_t gid)
{
	struct kmq_qmgr *qmgr;

	if (kmq_qmgrs_find(name))
		return MQRCCF_OBJECT_ALREADY_EXISTS;
	if (kmq_qmgrs_count >= KMQ_MAX_QMGRS)
		return MQRC_RESOURCE_PROBLEM;
	qmgr = kmq_qmgr_alloc(name);
	if (!qmgr)
		return MQRC_STORAGE_NOT_AVAILABLE;
	qmgr->report_expired = kmq_report_expired;
	qmgr->trigger = kmq_trigger_claimed;
	if (kmq_relied_add_qmgr(qmgr->name, &qmgr->attrs))
		goto put_qmgr;
	if (kmq_dev_qmgr_add(qmgr, gid))
		goto drop_names;
	list_add_tail(&qmgr->link, &kmq_qmgrs);
	kmq_qmgrs_count++;
	return MQRC_NONE;

drop_names:
	kmq_relied_drop_qmgr(qmgr->name, &qmgr->attrs);
put_qmgr:
	kmq_qmgr_put(qmgr);
	return MQRC_STORAGE_NOT_AVAILABLE;
}

/**
 * kmq_qmgrs_create - make a queue manager and its nodes
 * @name: name, blank padded
 * @gid: group of those who may connect and administer
 *
 * Return: 0 or the reason.
 */
u32 kmq_qmgrs_create(const u8 *name, kgid_t gid)
{
	u32 reason;

	if (!kmq_name_is_valid(name))
		return MQRCCF_OBJECT_NAME_ERROR;
	mutex_lock(&kmq_qmgrs_change);
	down_write(&kmq_qmgrs_lock);
	reason = kmq_qmgrs_create_locked(name, gid);
	up_write(&kmq_qmgrs_lock);
	mutex_unlock(&kmq_qmgrs_change);
	return reason;
}

/**
 * kmq_qmgrs_get - look a queue manager up
 * @name: name, blank padded
 *
 * Return: the queue manager, referenced, or NULL. It may be deleted any time:
 * then it has no queues any more.
 */
struct kmq_qmgr *kmq_qmgrs_get(const u8 *name)
{
	struct kmq_qmgr *qmgr;

	down_read(&kmq_qmgrs_lock);
	qmgr = kmq_qmgrs_find(name);
	if (qmgr)
		kmq_qmgr_get(qmgr);
	up_read(&kmq_qmgrs_lock);
	return qmgr;
}

/**
 * kmq_qmgrs_for_each - visit every queue manager, in the order they were made
 * @visit: called with the list locked for reading; it may take the locks of the
 *	queue manager and below. Ends the round if it returns anything but 0
 * @arg: passed on
 *
 * Return: what @visit returned last.
 */
int kmq_qmgrs_for_each(int (*visit)(struct kmq_qmgr *qmgr, void *arg),
		       void *arg)
{
	struct kmq_qmgr *qmgr;
	int ret = 0;

	down_read(&kmq_qmgrs_lock);
	list_for_each_entry(qmgr, &kmq_qmgrs, link) {
		ret = visit(qmgr, arg);
		if (ret)
			break;
	}
	up_read(&kmq_qmgrs_lock);
	return ret;
}

/*
 * Nobody has a node open, nobody can open one any more, and it is not in the list.
 * That is not locked: its queues can have much on them, and be busy with it.
 */
static void kmq_qmgrs_remove(struct kmq_qmgr *qmgr)
{
	lockdep_assert_held(&kmq_qmgrs_change);
	kmq_admin_remove_all(qmgr);
	kmq_relied_drop_qmgr(qmgr->name, &qmgr->attrs);
	kmq_dev_qmgr_del(qmgr);
	kmq_qmgr_put(qmgr);
}

/* Take a queue manager out of the list. Return: 0 or the reason why it stays. */
static u32 kmq_qmgrs_take_locked(const u8 *name, struct kmq_qmgr **taken)
{
	struct kmq_qmgr *qmgr = kmq_qmgrs_find(name);

	if (!qmgr)
		return MQRC_Q_MGR_NAME_ERROR;
	if (!kmq_dev_qmgr_end(qmgr))
		return MQRCCF_OBJECT_OPEN;
	list_del(&qmgr->link);
	kmq_qmgrs_count--;
	*taken = qmgr;
	return MQRC_NONE;
}

/**
 * kmq_qmgrs_delete - remove a queue manager with its queues and messages
 * @name: name, blank padded
 *
 * Return: 0 or the reason.
 */
u32 kmq_qmgrs_delete(const u8 *name)
{
	struct kmq_qmgr *qmgr;
	u32 reason;

	mutex_lock(&kmq_qmgrs_change);
	down_write(&kmq_qmgrs_lock);
	reason = kmq_qmgrs_take_locked(name, &qmgr);
	up_write(&kmq_qmgrs_lock);
	if (!reason)
		kmq_qmgrs_remove(qmgr);
	mutex_unlock(&kmq_qmgrs_change);
	return reason;
}

/**
 * kmq_qmgrs_delete_all - remove all queue managers, as the module is unloaded
 */
void kmq_qmgrs_delete_all(void)
{
	struct kmq_qmgr *qmgr, *next;
	LIST_HEAD(all);

	mutex_lock(&kmq_qmgrs_change);
	down_write(&kmq_qmgrs_lock);
	list_splice_init(&kmq_qmgrs, &all);
	kmq_qmgrs_count = 0;
	up_write(&kmq_qmgrs_lock);
	list_for_each_entry_safe(qmgr, next, &all, link)
		kmq_qmgrs_remove(qmgr);
	mutex_unlock(&kmq_qmgrs_change);
}
