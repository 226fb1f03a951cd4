/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_ATTR_H
#define KMQ_ATTR_H

#include <linux/types.h>
#include "attrs.h"

struct kmq_object;
struct kmq_qmgr;
struct kmq_queue;

/* The types of queue an attribute applies to (letters of objects.md). */
#define KMQ_ATTR_L	BIT(0)
#define KMQ_ATTR_M	BIT(1)
#define KMQ_ATTR_A	BIT(2)
#define KMQ_ATTR_R	BIT(3)

#define KMQ_ATTR_SET	BIT(4)	/* MQSET may change it */
#define KMQ_ATTR_DERIVED BIT(5)	/* computed, not kept in the attributes */
#define KMQ_ATTR_FIXED	BIT(6)	/* no definition can give it */
#define KMQ_ATTR_K	BIT(9)	/* cluster queues without an instance here */
#define KMQ_ATTR_HIDDEN	BIT(7)	/* applies to nothing when inquired (O-QATT-3) */
#define KMQ_ATTR_NAMES	BIT(8)	/* as many names as there are */
#define KMQ_ATTR_REFERS	BIT(10)	/* name of a queue, queue manager or cluster */

/**
 * struct kmq_attr_desc - one attribute
 * @selector: MQIA_* or MQCA_*, or KMQ_ATTR_*
 * @flags: KMQ_ATTR_*
 * @offset: in the structure of attributes of the kind of object
 * @size: of text in bytes, at most; 0 for an integer
 * @min: smallest value
 * @max: largest value
 * @initial: value of a plain DEFINE
 * @bad_value: reason of MQSET for a value out of range
 */
struct kmq_attr_desc {
	s32 selector;
	u16 flags;
	u16 offset;
	u16 size;
	u16 bad_value;
	s32 min;
	s32 max;
	s32 initial;
};

/**
 * struct kmq_attr_value - value of an attribute
 * @number: of an integer
 * @text: of a text, @desc->size bytes
 */
struct kmq_attr_value {
	s32 number;
	u8 text[256];
};

const struct kmq_attr_desc *kmq_attr_find(s32 object_type, s32 selector);
u32 kmq_attr_type_flag(s32 q_type);
bool kmq_attr_is_text(s32 selector);
const u8 *kmq_attr_next_name(s32 object_type, const void *attrs, u32 *at);
bool kmq_attr_in_range(const struct kmq_attr_desc *desc, s32 value);

void kmq_attr_queue_defaults(struct kmq_queue_attrs *attrs, s32 q_type);
void kmq_attr_qmgr_defaults(struct kmq_qmgr_attrs *attrs);
void kmq_attr_process_defaults(struct kmq_process_attrs *attrs);
void kmq_attr_namelist_defaults(struct kmq_namelist_attrs *attrs);
void kmq_attr_now(u8 *date, u8 *time);

void kmq_attr_set(void *attrs, const struct kmq_attr_desc *desc,
		  const struct kmq_attr_value *value);
void kmq_attr_assign_queue(struct kmq_queue_attrs *to,
			   const struct kmq_queue_attrs *from);
void kmq_attr_assign_qmgr(struct kmq_qmgr_attrs *to,
			  const struct kmq_qmgr_attrs *from);
void kmq_attr_of_queue(struct kmq_queue *queue,
		       const struct kmq_attr_desc *desc,
		       struct kmq_attr_value *value);
void kmq_attr_of_instance(struct kmq_queue *queue,
			  const struct kmq_attr_desc *desc,
			  struct kmq_attr_value *value);
void kmq_attr_of_qmgr(struct kmq_qmgr *qmgr, const struct kmq_attr_desc *desc,
		      struct kmq_attr_value *value);
void kmq_attr_of_object(const struct kmq_object *object,
			const struct kmq_attr_desc *desc,
			struct kmq_attr_value *value);

#endif /* KMQ_ATTR_H */
