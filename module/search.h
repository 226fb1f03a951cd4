/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_SEARCH_H
#define KMQ_SEARCH_H

#include <linux/types.h>
#include "msg.h"
#include "store.h"

struct kmq_handle;

/**
 * struct kmq_search - which message a get wants
 * @flags: KMQ_WANT_*
 * @min_level: KMQ_LEVEL_* that the surroundings of the message must have
 * @need_flags: MQMF_* bits it must have
 * @from: smallest key that will do; 0: from the start of the queue
 * @msg_id: with KMQ_WANT_MSG_ID, not null
 * @correl_id: with KMQ_WANT_CORREL_ID, not null
 * @group_id: with KMQ_WANT_GROUP_ID, not null
 * @seq: with KMQ_WANT_SEQ
 * @offset: with KMQ_WANT_OFFSET
 * @report: with KMQ_WANT_KIND: whether it must be a report message or must not
 * @token_key: with KMQ_WANT_KEY: the order key
 * @unmarked_for: with KMQ_WANT_UNMARKED: handle whose marks exclude
 *
 * All conditions must hold. The order of candidates is always that of the
 * keys; what is indexed decides only how fast the first one is found.
 */
struct kmq_search {
	u32 flags;
	u32 min_level;
	u32 need_flags;
	s32 seq;
	s32 offset;
	bool report;
	u64 from;
	u64 token_key;
	const u8 *msg_id;
	const u8 *correl_id;
	const u8 *group_id;
	struct kmq_handle *unmarked_for;
};

#define KMQ_WANT_MSG_ID		BIT(0)
#define KMQ_WANT_CORREL_ID	BIT(1)
#define KMQ_WANT_GROUP_ID	BIT(2)
#define KMQ_WANT_SEQ		BIT(3)
#define KMQ_WANT_OFFSET		BIT(4)
#define KMQ_WANT_KEY		BIT(5)	/* exactly this message */
#define KMQ_WANT_HEAD		BIT(6)	/* sequence 1 and offset 0 */
#define KMQ_WANT_WHOLE		BIT(7)	/* first of a whole logical message */
#define KMQ_WANT_UNMARKED	BIT(8)	/* without a mark of the handle */
#define KMQ_WANT_NO_CO_OP	BIT(9)	/* without a co-operative mark */
#define KMQ_WANT_KIND		BIT(10)	/* a report, or no report (M-SEG-11) */

#define KMQ_WANT_KEYED	(KMQ_WANT_MSG_ID | KMQ_WANT_CORREL_ID | \
			 KMQ_WANT_GROUP_ID | KMQ_WANT_KEY)

/* Can a question of that kind be answered without much ado? */
static inline bool kmq_store_is_ready(const struct kmq_store *store, u32 flags)
{
	return !(flags & KMQ_WANT_MSG_ID) || kmq_store_has_msg_ids(store) ||
	       store->count <= KMQ_AT_ONCE;
}

struct kmq_msg *kmq_search_first(struct kmq_store *store,
				 const struct kmq_search *want);
bool kmq_search_complete(const struct kmq_search *want,
			 const struct kmq_msg *msg);
bool kmq_search_fits(const struct kmq_search *want, const struct kmq_msg *msg);
bool kmq_search_accepts(struct kmq_store *store, const struct kmq_search *want,
			struct kmq_msg *msg);

#endif /* KMQ_SEARCH_H */
