// SPDX-License-Identifier: GPL-2.0
/*
 * Objects of a queue manager that are no queues: processes and namelists. Each
 * kind has a name space of its own (O-NAME-3); one tree holds both.
 *
 * Guarded by the names of the queue manager.
 */
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "limits.h"
#include "object.h"
#include "qmgr.h"

static struct kmq_object *kmq_object_of(const struct rb_node *node)
{
	return rb_entry(node, struct kmq_object, node);
}

/**
 * kmq_object_alloc - make an object
 * @type: MQOT_PROCESS or MQOT_NAMELIST
 * @name: name, blank padded
 * @name_count: names it is going to hold
 *
 * Return: the object, attributes and names not set, known to nobody; or NULL.
 */
struct kmq_object *kmq_object_alloc(s32 type, const u8 *name, u32 name_count)
{
	struct kmq_object *object;

	object = kvzalloc(struct_size(object, names, name_count),
			  GFP_KERNEL_ACCOUNT);
	if (!object)
		return NULL;
	object->type = type;
	object->name_count = name_count;
	memcpy(object->name, name, KMQ_NAME_LEN);
	return object;
}

void kmq_object_free(struct kmq_object *object)
{
	kvfree(object);
}

static int kmq_object_compare(s32 type, const u8 *name,
			      const struct rb_node *node)
{
	const struct kmq_object *object = kmq_object_of(node);

	if (type != object->type)
		return type < object->type ? -1 : 1;
	return memcmp(name, object->name, KMQ_NAME_LEN);
}

/**
 * kmq_object_find_locked - find an object by name
 * @qmgr: queue manager, names locked
 * @type: MQOT_PROCESS or MQOT_NAMELIST
 * @name: name, blank padded
 *
 * Return: the object, valid while the names are locked, or NULL.
 */
struct kmq_object *kmq_object_find_locked(struct kmq_qmgr *qmgr, s32 type,
					  const u8 *name)
{
	struct rb_node *node = qmgr->objects.rb_node;

	lockdep_assert_held(&qmgr->names);
	while (node) {
		int c = kmq_object_compare(type, name, node);

		if (!c)
			return kmq_object_of(node);
		node = c < 0 ? node->rb_left : node->rb_right;
	}
	return NULL;
}

/**
 * kmq_object_next_locked - the next object of a kind in order of names
 * @qmgr: queue manager, names locked
 * @type: MQOT_PROCESS or MQOT_NAMELIST
 * @after: name that comes before it; blank: the first
 *
 * Return: the object, valid while the names are locked, or NULL.
 */
struct kmq_object *kmq_object_next_locked(struct kmq_qmgr *qmgr, s32 type,
					  const u8 *after)
{
	struct rb_node *node = qmgr->objects.rb_node, *found = NULL;

	lockdep_assert_held(&qmgr->names);
	while (node) {
		if (kmq_object_compare(type, after, node) < 0) {
			found = node;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	if (!found || kmq_object_of(found)->type != type)
		return NULL;
	return kmq_object_of(found);
}

/**
 * kmq_object_add_locked - make an object known
 * @qmgr: queue manager, names locked for writing
 * @object: object; the queue manager's from now on
 *
 * Return: 0, -EEXIST, or -ENOSPC if there are too many.
 */
int kmq_object_add_locked(struct kmq_qmgr *qmgr, struct kmq_object *object)
{
	struct rb_node **link = &qmgr->objects.rb_node, *parent = NULL;

	lockdep_assert_held_write(&qmgr->names);
	if (qmgr->object_count >= KMQ_MAX_OBJECTS)
		return -ENOSPC;
	while (*link) {
		int c = kmq_object_compare(object->type, object->name, *link);

		if (!c)
			return -EEXIST;
		parent = *link;
		link = c < 0 ? &parent->rb_left : &parent->rb_right;
	}
	rb_link_node(&object->node, parent, link);
	rb_insert_color(&object->node, &qmgr->objects);
	qmgr->object_count++;
	return 0;
}

/**
 * kmq_object_replace_locked - give an object another definition
 * @qmgr: queue manager, names locked for writing
 * @old: object that is known; freed
 * @object: object of the same name and kind that takes its place
 */
void kmq_object_replace_locked(struct kmq_qmgr *qmgr, struct kmq_object *old,
			       struct kmq_object *object)
{
	lockdep_assert_held_write(&qmgr->names);
	rb_replace_node(&old->node, &object->node, &qmgr->objects);
	kmq_object_free(old);
}

/**
 * kmq_object_del_locked - make an object unknown, and free it
 * @qmgr: queue manager, names locked for writing
 * @object: an object of it
 */
void kmq_object_del_locked(struct kmq_qmgr *qmgr, struct kmq_object *object)
{
	lockdep_assert_held_write(&qmgr->names);
	rb_erase(&object->node, &qmgr->objects);
	qmgr->object_count--;
	kmq_object_free(object);
}

/**
 * kmq_object_del_all - free the objects of a queue manager that is going away
 * @qmgr: queue manager that nobody refers to any more
 */
void kmq_object_del_all(struct kmq_qmgr *qmgr)
{
	struct kmq_object *object, *next;

	rbtree_postorder_for_each_entry_safe(object, next, &qmgr->objects, node)
		kmq_object_free(object);
	qmgr->objects = RB_ROOT;
	qmgr->object_count = 0;
}
