// SPDX-License-Identifier: GPL-2.0
/*
 * Names that somebody relies on: those of queue managers and of cluster queues,
 * and those that an attribute of a queue or queue manager refers to, whether
 * there is something of that name or not. Who may not administer cannot give
 * one of them to a queue (dynamic.c).
 *
 * Each name is counted, over all queue managers of the module: a definition of
 * one can refer to a queue of another. A look-up costs the same however many
 * definitions there are.
 *
 * The lock is the innermost but for those of the kernel; no queue is locked by
 * who takes it.
 */
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "attr.h"
#include "cluster.h"
#include "mqi.h"
#include "qmgr.h"
#include "relied.h"

/**
 * struct kmq_relied - a name
 * @node: in kmq_relied_names
 * @count: how often it is relied on
 * @name: name, blank padded
 */
struct kmq_relied {
	struct rb_node node;
	u32 count;
	u8 name[KMQ_NAME_LEN];
};

static DEFINE_MUTEX(kmq_relied_lock);
static struct rb_root kmq_relied_names = RB_ROOT;

/* Return: the name, or NULL; @link and @parent, if given, say where it goes. */
static struct kmq_relied *kmq_relied_find(const u8 *name,
					  struct rb_node ***link,
					  struct rb_node **parent)
{
	struct rb_node **at = &kmq_relied_names.rb_node, *above = NULL;

	lockdep_assert_held(&kmq_relied_lock);
	while (*at) {
		struct kmq_relied *relied = rb_entry(*at, struct kmq_relied,
						     node);
		int c = memcmp(name, relied->name, KMQ_NAME_LEN);

		if (!c)
			return relied;
		above = *at;
		at = c < 0 ? &above->rb_left : &above->rb_right;
	}
	if (link) {
		*link = at;
		*parent = above;
	}
	return NULL;
}

static int kmq_relied_add_locked(const u8 *name)
{
	struct rb_node **link, *parent;
	struct kmq_relied *relied;

	if (kmq_name_is_blank(name))
		return 0;
	relied = kmq_relied_find(name, &link, &parent);
	if (!relied) {
		relied = kzalloc(sizeof(*relied), GFP_KERNEL_ACCOUNT);
		if (!relied)
			return -ENOMEM;
		memcpy(relied->name, name, KMQ_NAME_LEN);
		rb_link_node(&relied->node, parent, link);
		rb_insert_color(&relied->node, &kmq_relied_names);
	}
	relied->count++;
	return 0;
}

static void kmq_relied_drop_locked(const u8 *name)
{
	struct kmq_relied *relied;

	if (kmq_name_is_blank(name))
		return;
	relied = kmq_relied_find(name, NULL, NULL);
	if (WARN_ON_ONCE(!relied) || --relied->count)
		return;
	rb_erase(&relied->node, &kmq_relied_names);
	kfree(relied);
}

/* Drop @own, if it is given, and the first @count names of attributes. */
static void kmq_relied_drop(const u8 *own, s32 object_type, const void *attrs,
			    u32 count)
{
	const u8 *name;
	u32 at = 0;

	mutex_lock(&kmq_relied_lock);
	if (own)
		kmq_relied_drop_locked(own);
	while (count-- && (name = kmq_attr_next_name(object_type, attrs, &at)))
		kmq_relied_drop_locked(name);
	mutex_unlock(&kmq_relied_lock);
}

/* Add @own, if it is given, and all names of attributes, or nothing. */
static int kmq_relied_add(const u8 *own, s32 object_type, const void *attrs)
{
	const u8 *name;
	u32 at = 0, count = 0;
	int err;

	mutex_lock(&kmq_relied_lock);
	err = own ? kmq_relied_add_locked(own) : 0;
	if (err)
		own = NULL;
	while (!err && (name = kmq_attr_next_name(object_type, attrs, &at))) {
		err = kmq_relied_add_locked(name);
		count += !err;
	}
	mutex_unlock(&kmq_relied_lock);
	if (err)
		kmq_relied_drop(own, object_type, attrs, count);
	return err;
}

/* Other queue managers know a cluster queue by its own name. */
static const u8 *kmq_relied_own(const u8 *name,
				const struct kmq_queue_attrs *attrs)
{
	return kmq_is_clustered(attrs) ? name : NULL;
}

/**
 * kmq_relied_add_queue - a queue has these attributes from now on
 * @name: its name, blank padded
 * @attrs: its attributes
 *
 * Return: 0, or -ENOMEM and nothing has changed.
 */
int kmq_relied_add_queue(const u8 *name, const struct kmq_queue_attrs *attrs)
{
	return kmq_relied_add(kmq_relied_own(name, attrs), MQOT_Q, attrs);
}

/**
 * kmq_relied_drop_queue - a queue has these attributes no more
 * @name: its name, blank padded
 * @attrs: attributes it was added with
 */
void kmq_relied_drop_queue(const u8 *name, const struct kmq_queue_attrs *attrs)
{
	kmq_relied_drop(kmq_relied_own(name, attrs), MQOT_Q, attrs, U32_MAX);
}

/**
 * kmq_relied_same - do two sets of attributes of one queue rely on the same names
 * @a: one
 * @b: the other one
 */
bool kmq_relied_same(const struct kmq_queue_attrs *a,
		     const struct kmq_queue_attrs *b)
{
	const u8 *name, *other;
	u32 at = 0, other_at = 0;

	if (kmq_is_clustered(a) != kmq_is_clustered(b))
		return false;
	do {
		name = kmq_attr_next_name(MQOT_Q, a, &at);
		other = kmq_attr_next_name(MQOT_Q, b, &other_at);
	} while (name && other && kmq_name_equal(name, other));
	return !name && !other;
}

/**
 * kmq_relied_add_qmgr - a queue manager has these attributes from now on
 * @name: its name, blank padded
 * @attrs: its attributes
 *
 * Return: 0, or -ENOMEM and nothing has changed.
 */
int kmq_relied_add_qmgr(const u8 *name, const struct kmq_qmgr_attrs *attrs)
{
	return kmq_relied_add(name, MQOT_Q_MGR, attrs);
}

/**
 * kmq_relied_drop_qmgr - a queue manager has these attributes no more
 * @name: its name, blank padded
 * @attrs: attributes it was added with
 */
void kmq_relied_drop_qmgr(const u8 *name, const struct kmq_qmgr_attrs *attrs)
{
	kmq_relied_drop(name, MQOT_Q_MGR, attrs, U32_MAX);
}

/**
 * kmq_name_is_systems - is it one of the names kept for the system
 * @name: name, or the beginning of one
 */
bool kmq_name_is_systems(const u8 *name)
{
	return !memcmp(name, "SYSTEM.", 7);
}

/**
 * kmq_name_is_relied - does somebody rely on a name
 * @name: name, blank padded
 */
bool kmq_name_is_relied(const u8 *name)
{
	bool relied;

	if (kmq_name_is_systems(name))
		return true;
	mutex_lock(&kmq_relied_lock);
	relied = kmq_relied_find(name, NULL, NULL);
	mutex_unlock(&kmq_relied_lock);
	return relied;
}
