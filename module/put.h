/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_PUT_H
#define KMQ_PUT_H

#include <linux/types.h>
#include <linux/kmq.h>

struct kmq_conn;
struct kmq_context_ref;
struct kmq_handle;
struct kmq_msg;
struct kmq_put_call;
struct kmq_queue;
struct kmq_reply;
struct kmq_retained;

#define KMQ_MDE_LENGTH	72

/* Bits of Report that ask for one. */
#define KMQ_RO_REPORTS	(MQRO_EXCEPTION | MQRO_EXPIRATION | MQRO_COA | \
			 MQRO_COD | MQRO_PAN | MQRO_NAN | MQRO_ACTIVITY)

#define KMQ_PMO_SET	(MQPMO_SET_IDENTITY_CONTEXT | MQPMO_SET_ALL_CONTEXT)

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
 * @piece: cut into pieces of at most that length, 0: not at all (P-SEG)
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

/**
 * struct kmq_known_put - the last put of a handle that passed all checks
 * @valid: there is one
 * @changes: kmq_qmgr.changes before its checks
 * @options: MQPMO_*
 * @present: KMQ_MD_* parts given
 * @out_present: KMQ_MD_* parts that were answered, without GROUP
 * @pmo_version: version of the MQPMO
 * @md_version: version of the MQMD
 * @max_length: longest message that is stored in one piece
 * @given: the descriptor as given, but for the identifiers
 * @stored: the same as it was stored
 * @reply: reply-to names as given, with KMQ_MD_REPLY; kmq_handle.reply has them as
 *	they were stored
 * @plan: what was stored
 */
struct kmq_known_put {
	bool valid;
	u32 changes;
	u32 options;
	u32 present;
	u32 out_present;
	u16 pmo_version;
	u16 md_version;
	s32 max_length;
	struct kmq_md given;
	struct kmq_md stored;
	u8 reply[2 * KMQ_NAME_LEN] __aligned(8);
	struct kmq_put_plan plan;
};

/**
 * struct kmq_put_parts - what all pieces of a put have in common
 * @context: context, referenced
 * @reply: reply-to names, referenced, or NULL
 * @put_time: time of the put
 * @deadline: when the message expires, or 0
 */
struct kmq_put_parts {
	struct kmq_context_ref *context;
	struct kmq_reply *reply;
	u64 put_time;
	u64 deadline;
};

void kmq_put_note(const struct kmq_put_call *call);
void kmq_put_remember(const struct kmq_put_call *call,
		      const struct kmq_put_plan *plan);
void kmq_put_resolve(struct kmq_put_call *call,
		     const struct kmq_put_plan *plan);
int kmq_put_parts_get(struct kmq_put_call *call,
		      const struct kmq_put_plan *plan,
		      struct kmq_put_parts *parts);
void kmq_put_parts_put(struct kmq_put_parts *parts);
struct kmq_context_ref *kmq_put_context(struct kmq_put_call *call,
					u64 *put_time);
struct kmq_msg *kmq_put_make_all(struct kmq_put_call *call,
				 const struct kmq_put_plan *plan,
				 const struct kmq_put_parts *parts);
void kmq_put_discard(struct kmq_msg *first);
void kmq_put_plan_group(struct kmq_put_plan *plan, const struct kmq_md_ext *ext);
u32 kmq_put_check_group(const struct kmq_put_plan *plan, s32 msg_type,
			bool remote);
u32 kmq_put_group(struct kmq_conn *conn, const struct kmq_retained *last,
		  struct kmq_put_plan *plan);
bool kmq_put_group_again(struct kmq_handle *handle,
			 const struct kmq_retained *last,
			 const struct kmq_put *cmd, struct kmq_put_plan *plan);
void kmq_put_member(struct kmq_msg *msg, const struct kmq_put_plan *plan,
		    s32 offset, bool is_piece);
void kmq_put_retain(struct kmq_put_call *call, const struct kmq_put_plan *plan);
u32 kmq_put_too_big(const struct kmq_put_call *call);
int kmq_put_store(struct kmq_put_call *call, struct kmq_put_plan *plan,
		  u32 *reason);
void kmq_put_admit(struct kmq_queue *queue, struct kmq_msg *msg,
		   const struct kmq_put_plan *plan, bool pending);

#endif /* KMQ_PUT_H */
