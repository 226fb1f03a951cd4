/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_REPORT_H
#define KMQ_REPORT_H

#include <linux/types.h>
#include "msg.h"

struct kmq_qmgr;
struct kmq_queue;
struct kmq_unit;

enum kmq_report_kind {
	KMQ_REPORT_COA,
	KMQ_REPORT_COD,
	KMQ_REPORT_EXPIRATION,
};

/**
 * struct kmq_report_on - what a report is about
 * @msgs: the physical messages, several if a whole logical message was got
 * @count: how many
 * @msg_flags: MsgFlags as the program sees them
 * @original_length: OriginalLength of the report
 */
struct kmq_report_on {
	struct kmq_msg *const *msgs;
	u32 count;
	u32 msg_flags;
	s32 original_length;
};

bool kmq_report_wanted(const struct kmq_queue *queue, const struct kmq_msg *msg,
		       enum kmq_report_kind kind);
u32 kmq_report_put(struct kmq_qmgr *qmgr, const struct kmq_report_on *on,
		   enum kmq_report_kind kind, struct kmq_unit *unit,
		   bool skip_backout);
void kmq_report_on_one(struct kmq_report_on *on, struct kmq_msg *const *msg);
void kmq_report_expired(struct kmq_msg *msg);

#endif /* KMQ_REPORT_H */
