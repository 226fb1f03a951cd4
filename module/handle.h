/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_HANDLE_H
#define KMQ_HANDLE_H

#include <linux/list.h>
#include <linux/llist.h>
#include <linux/rbtree.h>
#include <linux/types.h>
#include "context.h"
#include "msg.h"
#include "put.h"

struct kmq_conn;
struct kmq_context_ref;
struct kmq_queue;
struct kmq_window;
struct kmq_route;
struct kmq_signal;

/**
 * struct kmq_retained - group information that a handle keeps (P-LOG-2, G-ORD-1)
 * @group_id: GroupId of the last message
 * @seq: its MsgSeqNumber
 * @next_offset: its Offset plus its segment length
 * @persistence: its resolved persistence (put side)
 * @instance: which instance of a cluster queue it went to (put side), as
 *	kmq_queue.uid of its definition
 * @report: it was a report message (get side)
 * @in_group: a group was started and not ended
 * @in_msg: a logical message was started and not ended
 * @syncpoint: the call was in a unit of work
 * @logical: the call said LOGICAL_ORDER
 */
struct kmq_retained {
	u8 group_id[KMQ_ID_LEN];
	s32 seq;
	s64 next_offset;
	s32 persistence;
	u32 instance;
	bool report;
	bool in_group;
	bool in_msg;
	bool syncpoint;
	bool logical;
};

/* Inside a group or a logical message? */
static inline bool kmq_retained_is_begun(const struct kmq_retained *last)
{
	return last->in_group || last->in_msg;
}

/* Does its group go on behind a message with these MQMF_* flags? */
static inline bool kmq_retained_in_group(u32 flags, bool in_msg)
{
	return flags & MQMF_MSG_IN_GROUP &&
	       (!(flags & MQMF_LAST_MSG_IN_GROUP) || in_msg);
}

static inline void kmq_retained_set_flags(struct kmq_retained *last, u32 flags)
{
	last->in_msg = flags & MQMF_SEGMENT && !(flags & MQMF_LAST_SEGMENT);
	last->in_group = kmq_retained_in_group(flags, last->in_msg);
}

enum kmq_order_mode {
	KMQ_ORDER_UNSET,
	KMQ_ORDER_PHYSICAL,
	KMQ_ORDER_LOGICAL,
};

enum kmq_saved_state {
	KMQ_SAVED_NOTHING,	/* no message got yet */
	KMQ_SAVED_CONTEXT,
	KMQ_SAVED_BROWSED,	/* last successful get was a browse (P-CTX-11) */
};

/* What a handle may do, from the options of MQOPEN. */
#define KMQ_MAY_GET		BIT(0)
#define KMQ_MAY_BROWSE		BIT(1)
#define KMQ_MAY_PUT		BIT(2)
#define KMQ_MAY_INQUIRE		BIT(3)
#define KMQ_MAY_SET		BIT(4)
#define KMQ_MAY_SAVE_CONTEXT	BIT(5)
#define KMQ_MAY_PASS_IDENTITY	BIT(6)
#define KMQ_MAY_PASS_ALL	BIT(7)
#define KMQ_MAY_SET_IDENTITY	BIT(8)
#define KMQ_MAY_SET_ALL		BIT(9)
#define KMQ_CO_OP		BIT(10)
#define KMQ_MAY_DELETE		BIT(11)

/**
 * struct kmq_known_get - the last removing get of a handle that passed all checks
 * @valid: there is one
 * @changes: kmq_qmgr.changes before its checks
 * @options: MQGMO_*
 * @match_options: MQMO_*
 * @gmo_version: version of the MQGMO
 * @md_version: version of the MQMD
 */
struct kmq_known_get {
	bool valid;
	u32 changes;
	u32 options;
	u32 match_options;
	u16 gmo_version;
	u16 md_version;
};

/**
 * struct kmq_handle - an open queue
 * @conn: connection, referenced
 * @queue: queue that messages are put to and got from, referenced
 * @named: the definition that was opened, referenced: @queue or its alias
 * @generation: sum of the generations on the way when it was opened (P-CALL-10)
 * @route: where messages go if not simply to @queue, or NULL
 * @release_route: frees @route
 * @on_close: called first when the handle is closed, or NULL
 * @conn_link: in kmq_conn.handles
 * @dropped_link: in kmq_conn.dropped once its file is gone
 * @queue_node: in kmq_queue.handles
 * @uow_link: in kmq_uow.handles while @in_uow
 * @may: KMQ_MAY_*
 * @options: MQOO_* it was opened with
 * @number: its number at @queue, where later ones have greater ones
 * @closed: it has ended: set under the queue's lock, read there or under
 *	kmq_conn.call
 * @in_uow: used in the open unit of work; @uow_put and @uow_removed count
 * @put: group information of puts
 * @removed: group information of removing gets
 * @browsed: group information of browse gets
 * @uow_put: @put as it was before the unit of work
 * @uow_removed: @removed as it was before the unit of work
 * @uow_put_saved: @uow_put is valid
 * @uow_removed_saved: @uow_removed is valid
 * @cursor: key of the message browsed last, 0: before the first
 * @anchor: key from which a logical browse goes on
 * @order_mode: order of the current browse
 * @locked: messages it has locked; guarded by the queue's lock
 * @marks: struct kmq_mark; guarded by the queue's lock
 * @mark_floor: see mark.c; guarded by the queue's lock
 * @given: context that the program gave last, to be shared by the next message
 * @put_plans: what the checks of its last puts came to
 * @put_plan: the one used last
 * @known_get: what the next get need not be checked for
 * @saved: state of the saved context
 * @saved_context: context of the message got last, referenced
 * @saved_put_time: its put time
 * @window: window it may have open at its queue, or NULL
 * @signal: signal that was asked for last, or NULL
 * @signal_status: MQEC code posted, 1 outstanding, 0 none; queue's lock
 *
 * Without another note a field is guarded by kmq_conn.call.
 */
struct kmq_handle {
	struct kmq_conn *conn;
	struct kmq_queue *queue;
	struct kmq_queue *named;
	u32 generation;
	struct kmq_route *route;
	void (*release_route)(struct kmq_route *route);
	void (*on_close)(struct kmq_handle *handle);
	struct list_head conn_link;
	struct llist_node dropped_link;
	struct rb_node queue_node;
	struct list_head uow_link;
	u32 may;
	u32 options;
	u64 number;
	bool closed;
	bool in_uow;
	struct kmq_retained put;
	struct kmq_retained removed;
	struct kmq_retained browsed;
	struct kmq_retained uow_put;
	struct kmq_retained uow_removed;
	bool uow_put_saved;
	bool uow_removed_saved;
	u64 cursor;
	u64 anchor;
	enum kmq_order_mode order_mode;
	struct list_head locked;
	struct list_head marks;
	u64 mark_floor[KMQ_PRIORITIES];
	enum kmq_saved_state saved;
	struct kmq_context_ref *saved_context;
	u64 saved_put_time;
	struct kmq_given_context given;
	struct kmq_put_plan put_plans[KMQ_PUT_PLANS];
	struct kmq_put_plan *put_plan;
	struct kmq_known_get known_get;
	struct kmq_window *window;
	struct kmq_signal *signal;
	u32 signal_status;
};

void kmq_retained_follow(struct kmq_retained *last, const struct kmq_msg *msg,
			 bool logical, bool syncpoint);
struct kmq_handle *kmq_handle_alloc(struct kmq_conn *conn,
				    struct kmq_queue *queue, u32 may);
void kmq_handle_set_named(struct kmq_handle *handle, struct kmq_queue *named);
void kmq_handle_join_locked(struct kmq_handle *handle);
struct kmq_handle *kmq_handle_behind_locked(const struct kmq_queue *queue,
					    u64 number);
void kmq_handle_drop_signal(struct kmq_handle *handle);
void kmq_handle_leave_queue(struct kmq_handle *handle);
void kmq_handle_close(struct kmq_handle *handle);
void kmq_handle_free(struct kmq_handle *handle);
bool kmq_handle_unlock_locked(struct kmq_handle *handle);
void kmq_handle_release_locked(struct kmq_handle *handle,
			       struct list_head *msgs);

#define kmq_handle_of_node(node) \
	rb_entry_safe(node, struct kmq_handle, queue_node)

/* All handles of a queue, which is locked, in the order of their numbers. */
#define kmq_for_each_handle(handle, queue)				\
	for (handle = kmq_handle_of_node((queue)->handles.first); handle; \
	     handle = kmq_handle_of_node(rb_next(&(handle)->queue_node)))

#endif /* KMQ_HANDLE_H */
