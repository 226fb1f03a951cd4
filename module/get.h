/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_GET_H
#define KMQ_GET_H

#include <linux/types.h>
#include <linux/kmq.h>
#include "call.h"
#include "mark.h"
#include "take.h"
#include "wait.h"

#define KMQ_MDE_LENGTH	72

/**
 * struct kmq_getting - a get under way
 * @call: the call
 * @browse: a BROWSE_* option was given
 * @cursor: a get under the cursor
 * @logical: MQGMO_LOGICAL_ORDER
 * @continuing: logical order inside a group or logical message
 * @match: MQMO_* that are in force
 * @reason: why judge() refused
 * @warning: 2241, 2242 or 2245 (G-ORD-17)
 * @reports: reports of delivery, not visible yet
 * @report_count: how many
 * @header: bytes of an MQMDE in front of the data
 * @truncated: the data does not fit
 * @take: what the queue is asked for
 */
struct kmq_getting {
	struct kmq_get_call *call;
	bool browse;
	bool cursor;
	bool logical;
	bool continuing;
	bool truncated;
	u32 match;
	u32 reason;
	u32 warning;
	u32 header;
	u32 report_count;
	struct kmq_unit reports;
	struct kmq_take take;
};

static inline struct kmq_getting *kmq_getting_of(struct kmq_take *take)
{
	return container_of(take, struct kmq_getting, take);
}

static inline const struct kmq_retained *
kmq_get_retained(const struct kmq_getting *get)
{
	const struct kmq_handle *handle = get->call->handle;

	return get->browse ? &handle->browsed : &handle->removed;
}

int kmq_get_prepare(struct kmq_getting *get, struct kmq_get_call *call);
int kmq_get_complete(struct kmq_getting *get);
bool kmq_get_wants_report(const struct kmq_take *take);
u32 kmq_get_check(struct kmq_get_call *call);
void kmq_get_want(struct kmq_getting *get);
void kmq_get_want_order(u32 options, const struct kmq_retained *last,
			bool continuing, struct kmq_search *want);
struct kmq_msg *kmq_get_next(const struct kmq_retained *last,
			     const struct kmq_group *group);
enum kmq_verdict kmq_get_judge(struct kmq_take *take);
void kmq_get_return(struct kmq_getting *get);
void kmq_get_retain(struct kmq_getting *get);
void kmq_get_save_context(struct kmq_handle *handle, const struct kmq_msg *msg);
void kmq_get_remember(const struct kmq_get_call *call, u32 changes);
bool kmq_get_can_have(const struct kmq_get *cmd, const struct kmq_msg *msg);
void kmq_get_again_want(const struct kmq_get *cmd, u32 flags,
			struct kmq_search *want);
bool kmq_get_knows(const struct kmq_handle *handle);
bool kmq_get_again_takes_any(const struct kmq_handle *handle,
			     const struct kmq_get *cmd);
bool kmq_get_again_join(struct kmq_get_again *again, u32 count);
u32 kmq_get_again_hand_out(struct kmq_get_again *again, u32 count);
void kmq_get_after(struct kmq_handle *handle, const struct kmq_get *cmd,
		   int err);

/**
 * kmq_get_waits - does a get wait that finds nothing
 * @cmd: the get; not one under the cursor, which never does
 */
static inline bool kmq_get_waits(const struct kmq_get *cmd)
{
	return cmd->options & MQGMO_WAIT && cmd->wait_interval;
}

enum kmq_waiter_set kmq_get_waiter_set(const struct kmq_take *take);
int kmq_get_wait(struct kmq_handle *handle, struct kmq_get *cmd,
		 struct kmq_waiter *waiter, enum kmq_waiter_set set);
struct kmq_msg *kmq_get_wait_again(struct kmq_get_again *again, u32 flags);
u32 kmq_get_cancel_reason(const struct kmq_waiter *waiter);

#endif /* KMQ_GET_H */
