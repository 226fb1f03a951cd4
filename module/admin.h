/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_ADMIN_H
#define KMQ_ADMIN_H

#include <linux/kmq.h>
#include "attr.h"

struct kmq_qmgr;
struct kmq_queue;

/**
 * struct kmq_attr_given - an attribute that a definition gives
 * @selector: MQIA_*, MQCA_* or KMQ_ATTR_*
 * @length: bytes of text given
 * @names: MQCA_NAMES: the text, a copy; else NULL
 * @value: its value otherwise
 */
struct kmq_attr_given {
	s32 selector;
	u32 length;
	u8 *names;
	struct kmq_attr_value value;
};

/**
 * struct kmq_definer - to whom a new queue belongs, unless that is given
 * @uid: who defines it
 * @gid: the group of those who may administer its queue manager
 */
struct kmq_definer {
	u32 uid;
	u32 gid;
};

/* What a queue may still hold when it is taken out of service. */
enum kmq_retire {
	KMQ_RETIRE_EMPTY,	/* no handles, no messages */
	KMQ_RETIRE_PURGE,	/* no handles, no uncommitted messages */
	KMQ_RETIRE_OPEN_EMPTY,	/* handles */
	KMQ_RETIRE_OPEN_PURGE,	/* handles and messages */
	KMQ_RETIRE_ALWAYS,	/* anything */
};

u32 kmq_admin_create_locked(struct kmq_qmgr *qmgr, const u8 *name, s32 type,
			    const struct kmq_queue_attrs *attrs,
			    struct kmq_queue **made);
u32 kmq_admin_retire(struct kmq_queue *queue, enum kmq_retire how);
u32 kmq_admin_apply_one(void *attrs, s32 object_type, u32 type_flag,
			const struct kmq_attr_given *given);
bool kmq_admin_matches(const u8 *pattern, const u8 *name);
u32 kmq_admin_define_object_locked(struct kmq_qmgr *qmgr,
				   struct kmq_define *cmd,
				   const struct kmq_attr_given *given);
u32 kmq_admin_alter_object_locked(struct kmq_qmgr *qmgr, struct kmq_define *cmd,
				  const struct kmq_attr_given *given);
u32 kmq_admin_delete_object_locked(struct kmq_qmgr *qmgr,
				   const struct kmq_delete *cmd);
void kmq_admin_list_objects_locked(struct kmq_qmgr *qmgr, struct kmq_list *cmd,
				   u8 *names);
int kmq_admin_define(struct kmq_qmgr *qmgr, struct kmq_define *cmd,
		     const struct kmq_attr_given *given,
		     const struct kmq_definer *definer);
int kmq_admin_alter(struct kmq_qmgr *qmgr, struct kmq_define *cmd,
		    const struct kmq_attr_given *given);
int kmq_admin_delete(struct kmq_qmgr *qmgr, struct kmq_delete *cmd);
int kmq_admin_clear(struct kmq_qmgr *qmgr, struct kmq_delete *cmd);
int kmq_admin_status(struct kmq_qmgr *qmgr, struct kmq_queue *queue,
		     struct kmq_status *cmd);
bool kmq_admin_matches(const u8 *pattern, const u8 *name);
void kmq_admin_list(struct kmq_qmgr *qmgr, struct kmq_list *cmd, u8 *names);
int kmq_admin_state(struct kmq_qmgr *qmgr, struct kmq_qmgr_state *cmd);
void kmq_admin_remove_all(struct kmq_qmgr *qmgr);

#endif /* KMQ_ADMIN_H */
