/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_PUT_H
#define KMQ_PUT_H

#include <linux/types.h>
#include <linux/kmq.h>

struct kmq_put_call;

#define KMQ_MDE_LENGTH	72

/**
 * struct kmq_put_plan - what a put is going to store
 * @logical: MQPMO_LOGICAL_ORDER
 * @syncpoint: in the unit of work
 * @persistent: resolved persistence
 * @reply_blank: there is no ReplyToQ
 * @has_id: the message has a GroupId: @id
 * @grouped: group fields are not at their defaults; set if @head is
 * @bound: the instance of a cluster queue is chosen until a group is complete
 * @head: bytes that are placed in front of the data, or 0
 * @priority: resolved priority, may be above the maximum
 * @length: bytes of data, without an MQMDE that was honoured
 * @piece: cut into pieces of that length, 0: not at all (P-SEG)
 * @flags: MsgFlags as stored
 * @seq: MsgSeqNumber
 * @offset: Offset
 * @original_length: OriginalLength as given
 * @report_warning: 2104 or 0
 * @group_warning: 2241, 2242, 2185, 2245 or 0 (P-INC-2)
 * @given_id: GroupId given, or NULL
 * @id: GroupId
 */
struct kmq_put_plan {
	bool logical;
	bool syncpoint;
	bool persistent;
	bool reply_blank;
	bool has_id;
	bool grouped;
	bool bound;
	u32 head;
	s32 priority;
	s32 length;
	s32 piece;
	u32 flags;
	s32 seq;
	s32 offset;
	s32 original_length;
	u32 report_warning;
	u32 group_warning;
	const u8 *given_id;
	u8 id[KMQ_ID_LEN];
};

u32 kmq_put_group(struct kmq_put_call *call, struct kmq_put_plan *plan);
void kmq_put_retain(struct kmq_put_call *call, const struct kmq_put_plan *plan);
int kmq_put_store(struct kmq_put_call *call, struct kmq_put_plan *plan,
		  u32 *reason);

#endif /* KMQ_PUT_H */
