/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_XMIT_H
#define KMQ_XMIT_H

#include <linux/types.h>
#include <linux/kmq.h>

struct iov_iter;
struct kmq_context_ref;
struct kmq_dest;
struct kmq_msg;
struct kmq_qmgr;
struct kmq_reply;

/**
 * struct kmq_xmit - a message on its way to another queue manager
 * @qmgr: queue manager that sends it
 * @dest: where it goes
 * @md: its descriptor, ids and defaults resolved
 * @context: its context
 * @reply: its reply-to names, or NULL
 * @put_time: when it was put, CLOCK_REALTIME ns, for a context without a date
 * @length: bytes of its data
 * @grouped: the group fields below are not at their defaults
 * @id: GroupId
 * @seq: MsgSeqNumber
 * @offset: Offset
 * @msg_flags: MsgFlags
 * @original_length: OriginalLength
 */
struct kmq_xmit {
	struct kmq_qmgr *qmgr;
	const struct kmq_dest *dest;
	const struct kmq_md *md;
	const struct kmq_context_ref *context;
	const struct kmq_reply *reply;
	u64 put_time;
	u32 length;
	bool grouped;
	const u8 *id;
	s32 seq;
	s32 offset;
	u32 msg_flags;
	s32 original_length;
};

u32 kmq_xmit_head_length(bool grouped);
struct kmq_msg *kmq_xmit_make(const struct kmq_xmit *xmit);
void kmq_xmit_set_msg_id(struct kmq_msg *msg, const u8 *id);

#endif /* KMQ_XMIT_H */
