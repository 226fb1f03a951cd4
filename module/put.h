/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_PUT_H
#define KMQ_PUT_H

#include <linux/bits.h>
#include <linux/types.h>
#include <linux/kmq.h>
#include "mqi.h"

struct file;
struct iov_iter;
struct kmq_conn;
struct kmq_context_ref;
struct kmq_dest;
struct kmq_handle;
struct kmq_msg;
struct kmq_put_item;
struct kmq_put_run;
struct kmq_qmgr;
struct kmq_queue;
struct kmq_reply;
struct kmq_retained;
struct kmq_route;
struct kmq_uow_queue;

/**
 * DOC: Puts
 *
 * MQPUT, MQPUT1, vectors of puts and a plain write() are runs of 1 to
 * KMQ_PUT_RUN_MAX puts. A run goes through these stages, each of them in a file:
 *
 * - check (put_check.c, put_plan.c): the checks of P-CHK-1. What they come to is a plan, which
 *   stays with the handle: a put that is the same in all that they look at takes
 *   the plan as it is, as long as kmq_qmgr.changes stands still.
 * - make (put_run.h, put_make.c): memory, data, identifiers, group fields; pieces if
 *   the message is cut up, a header in front if it travels. No lock is held.
 * - place (put_place.h, put_place.c): all messages of the run under one lock of
 *   their queue.
 * - follow (put.c, put_follow.c): unit of work, group information of the handle,
 *   reports of arrival, trigger messages, events.
 * - answer: what the program learns, written by the entry layer (put_ioctl.c).
 *
 * kmq_put_all() in put_run.h leads through them. Messages of one plan are placed together. What few
 * messages need is a step in the plan, carried out by a function of its own.
 */

#define KMQ_MDE_LENGTH	72

/* Bits of Report that ask for one. */
#define KMQ_RO_REPORTS	(MQRO_EXCEPTION | MQRO_EXPIRATION | MQRO_COA | \
			 MQRO_COD | MQRO_PAN | MQRO_NAN | MQRO_ACTIVITY)

#define KMQ_PMO_SET	(MQPMO_SET_IDENTITY_CONTEXT | MQPMO_SET_ALL_CONTEXT)
#define KMQ_PMO_PASS	(MQPMO_PASS_IDENTITY_CONTEXT | MQPMO_PASS_ALL_CONTEXT)

/* Puts that are made in one step. */
#define KMQ_PUT_RUN_MAX	32

/* The fields of a descriptor in front of the identifiers. */
#define KMQ_MD_HEAD	offsetof(struct kmq_md, msg_id)

/* Steps of a plan: what a message needs besides memory, data and place. */
#define KMQ_PUT_EXPIRES	BIT(0)	/* a time to live */
#define KMQ_PUT_REMOTE	BIT(1)	/* an MQXQH in front: it travels */
#define KMQ_PUT_CUT	BIT(2)	/* to be cut up into segments (P-SEG) */
#define KMQ_PUT_REPORTS	BIT(3)	/* a report of arrival */
#define KMQ_PUT_ROUTED	BIT(4)	/* where it goes is chosen for it alone */
#define KMQ_PUT_PASSED	BIT(5)	/* its context is that of another message */
#define KMQ_PUT_PENDING	BIT(6)	/* it waits for the unit of work */
#define KMQ_PUT_NAMED	BIT(7)	/* reply-to names */
#define KMQ_PUT_TOLD	BIT(8)	/* parts of the descriptor are answered, or a warning */
/* Found for each run: */
#define KMQ_PUT_ORDERED	BIT(9)	/* group fields, or the handle is inside a group */
#define KMQ_PUT_EFFECTS	BIT(10)	/* it brings about others, in one step with it */
/* Such a put has a run for itself. */
#define KMQ_PUT_ALONE	(KMQ_PUT_REMOTE | KMQ_PUT_CUT | KMQ_PUT_REPORTS | \
			 KMQ_PUT_ROUTED | KMQ_PUT_PASSED)
/* What has been found for it need not hold for the next one. */
#define KMQ_PUT_ONCE	(KMQ_PUT_REMOTE | KMQ_PUT_CUT | KMQ_PUT_ROUTED | \
			 KMQ_PUT_PASSED)

/**
 * struct kmq_put_plan - what the checks of a put came to
 * @valid: it may be used for puts that are like the one it was made for
 * @options: MQPMO_*; from here to @reply: what that means
 * @present: KMQ_MD_* parts given
 * @flags: KMQ_PUT_*
 * @pmo_version: version of the MQPMO
 * @md_version: version of the MQMD
 * @max_length: longest message that is stored in one piece
 * @changes: kmq_qmgr.changes from before the checks
 * @other_changes: the same of @other
 * @other: queue manager of the queue if it is not the connection's, or NULL
 * @given: the descriptor as given, but for the identifiers
 * @given_reply: reply-to names as given, with KMQ_MD_REPLY
 * @steps: KMQ_PUT_EXPIRES etc.
 * @logical: MQPMO_LOGICAL_ORDER
 * @syncpoint: in the unit of work
 * @persistent: resolved persistence
 * @skip: bytes of an MQMDE that is not part of the data
 * @head: bytes that are placed in front of the data
 * @piece: longest piece, with KMQ_PUT_CUT
 * @priority: resolved priority, not above the maximum
 * @warning: 2104, 2049 or 0
 * @out_present: KMQ_MD_* parts that are answered, without GROUP
 * @stored: the descriptor as stored, but for the identifiers
 * @reply: reply-to names as stored, referenced, or NULL
 */
struct kmq_put_plan {
	bool valid;
	bool logical;
	bool syncpoint;
	bool persistent;
	u32 options;
	u32 present;
	u32 flags;
	u16 pmo_version;
	u16 md_version;
	s32 max_length;
	u32 changes;
	u32 other_changes;
	const struct kmq_qmgr *other;
	u32 steps;
	s32 skip;
	u32 head;
	s32 piece;
	s32 priority;
	u32 warning;
	u32 out_present;
	struct kmq_reply *reply;
	struct kmq_md given;
	struct kmq_md stored;
	u8 given_reply[2 * KMQ_NAME_LEN] __aligned(8);
};

/* As many kinds of puts may take turns. */
#define KMQ_PUT_PLANS	2

/**
 * struct kmq_put_item - the group fields of one message
 * @has_id: it has a GroupId: @id
 * @bound: the instance of a cluster queue is chosen until a group is complete
 * @flags: MsgFlags as stored
 * @seq: MsgSeqNumber
 * @offset: Offset
 * @original_length: OriginalLength as given
 * @length: bytes of data, without an MQMDE that was honoured
 * @warning: 2241, 2242, 2185, 2245 or 0 (P-INC-2)
 * @given_id: GroupId given, or NULL; not to be looked at any more once @id is known
 * @id: GroupId
 */
struct kmq_put_item {
	bool has_id;
	bool bound;
	u32 flags;
	s32 seq;
	s32 offset;
	s32 original_length;
	s32 length;
	u32 warning;
	const u8 *given_id;
	u8 id[KMQ_ID_LEN];
};

/* Are the group fields at their defaults? */
static inline bool kmq_put_item_is_plain(const struct kmq_put_item *item)
{
	return !item->has_id && !item->flags &&
	       item->original_length == MQOL_UNDEFINED;
}

/* put_check.c */
int kmq_put_check_abi(const struct kmq_put *cmd, bool put1);
u32 kmq_put_check(struct kmq_put_run *run, u32 index,
		  const struct kmq_md_ext *ext);
u32 kmq_put_check_item(struct kmq_put_run *run, u32 index,
		       const struct kmq_md_ext *ext);
u32 kmq_put_check_state(const struct kmq_put_run *run, u32 index);
u32 kmq_put_too_big(const struct kmq_put_run *run, u32 index);

/* put_plan.c */
void kmq_put_plan_key(const struct kmq_put_run *run, const struct kmq_put *cmd,
		      const struct kmq_md_ext *ext, struct kmq_put_plan *plan);
void kmq_put_plan_fields(const struct kmq_put_run *run,
			 const struct kmq_put *cmd, struct kmq_put_plan *plan);
void kmq_put_plan_md(const struct kmq_put_run *run, const struct kmq_md *given,
		     struct kmq_put_plan *plan);
bool kmq_put_plan_lasts(const struct kmq_put_run *run, u32 index);

/* put_group.c */
void kmq_put_item_given(struct kmq_put_item *item, s32 length,
			const struct kmq_md_ext *ext);
u32 kmq_put_check_group(const struct kmq_put_plan *plan,
			const struct kmq_put_item *item, s32 msg_type);
u32 kmq_put_group(struct kmq_conn *conn, const struct kmq_retained *last,
		  const struct kmq_put_plan *plan, struct kmq_put_item *item);
void kmq_put_retain(struct kmq_retained *last, const struct kmq_put_plan *plan,
		    const struct kmq_put_item *item);

/* put_context.c */
int kmq_put_parts(struct kmq_put_run *run, u32 index, struct kmq_md_ext *ext);

/* put_make.c */
int kmq_put_order(struct kmq_put_run *run, u32 index, struct kmq_msg *msg);
void kmq_put_ahead(struct kmq_put_run *run, u32 index);
struct kmq_msg *kmq_put_make_special(struct kmq_put_run *run, u32 index,
				     struct iov_iter *data);
void kmq_put_discard(struct kmq_msg *first);

/* put_follow.c */
u32 kmq_put_place_with_effects(struct kmq_put_run *run, u32 index, u32 steps);
void kmq_put_watched(struct kmq_put_run *run);
void kmq_put_events(const struct kmq_put_run *run);

/* put.c */
u32 kmq_put_join(struct kmq_put_run *run, u32 index, u32 count);
void kmq_put_not_made(struct kmq_put_run *run, u32 index, int err);
void kmq_put_follow_ordered(struct kmq_put_run *run, u32 first, u32 done);

#endif /* KMQ_PUT_H */
