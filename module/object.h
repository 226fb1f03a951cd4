/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_OBJECT_H
#define KMQ_OBJECT_H

#include <linux/rbtree.h>
#include <linux/types.h>
#include <linux/kmq.h>
#include "attrs.h"
#include "mqi.h"

struct kmq_qmgr;

/**
 * struct kmq_object - a process or a namelist
 * @node: in kmq_qmgr.objects
 * @type: MQOT_PROCESS or MQOT_NAMELIST
 * @name_count: names in @names
 * @name: name, blank padded
 * @attrs: attributes
 * @names: the names of a namelist
 *
 * Once it is known it never changes: altering puts another one in its place.
 * Nobody refers to it without the lock of the names.
 */
struct kmq_object {
	struct rb_node node;
	s32 type;
	u32 name_count;
	u8 name[KMQ_NAME_LEN];
	union {
		struct kmq_process_attrs process;
		struct kmq_namelist_attrs namelist;
	} attrs;
	u8 names[][KMQ_NAME_LEN];
};

/* Is this type one of those kept here? */
static inline bool kmq_is_object(s32 type)
{
	return type == MQOT_PROCESS || type == MQOT_NAMELIST;
}

struct kmq_object *kmq_object_alloc(s32 type, const u8 *name, u32 name_count);
void kmq_object_free(struct kmq_object *object);
struct kmq_object *kmq_object_find_locked(struct kmq_qmgr *qmgr, s32 type,
					  const u8 *name);
struct kmq_object *kmq_object_next_locked(struct kmq_qmgr *qmgr, s32 type,
					  const u8 *after);
int kmq_object_add_locked(struct kmq_qmgr *qmgr, struct kmq_object *object);
void kmq_object_replace_locked(struct kmq_qmgr *qmgr, struct kmq_object *old,
			       struct kmq_object *object);
void kmq_object_del_locked(struct kmq_qmgr *qmgr, struct kmq_object *object);
void kmq_object_del_all(struct kmq_qmgr *qmgr);

#endif /* KMQ_OBJECT_H */
