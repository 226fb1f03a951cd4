/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_PUT_RUN_H
#define KMQ_PUT_RUN_H

#include <linux/err.h>
#include <linux/ktime.h>
#include "call.h"
#include "compat.h"
#include "put.h"
#include "put_place.h"
#include "queue.h"
#include "route.h"

/*
 * The way of a put through its stages. It is inlined into the one function of
 * the entry layer that puts from user memory, with that one's kmq_put_io, so that
 * the usual put has no indirect call; kmq_call_put() is the same for any other.
 */

static __always_inline bool kmq_put_head_equal(const struct kmq_md *a,
					       const struct kmq_md *b)
{
	const u64 *x = (const u64 *)a;
	const u64 *y = (const u64 *)b;

	BUILD_BUG_ON(KMQ_MD_HEAD != 5 * sizeof(u64));
	return !((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) |
		 (x[3] ^ y[3]) | (x[4] ^ y[4]));
}

/* Parts of the descriptor that a put reads: of the context for SET options only. */
static inline u32 kmq_put_reads(const struct kmq_put *cmd)
{
	u32 parts = cmd->present & (KMQ_MD_GROUP | KMQ_MD_REPLY);

	if (cmd->options & KMQ_PMO_SET)
		parts |= cmd->present & (KMQ_MD_DATE | KMQ_MD_CONTEXT);
	return parts;
}

/*
 * Has the plan been made for a put like this one? That includes all that
 * kmq_put_check_abi() looks at.
 */
static __always_inline bool
kmq_put_fits_plan(const struct kmq_put_run *run, const struct kmq_put_io *io,
		  u32 index, const struct kmq_put_plan *plan)
{
	const struct kmq_put *cmd = &run->cmds[index];

	return plan->options == cmd->options && plan->present == cmd->present &&
	       plan->pmo_version == cmd->pmo_version &&
	       plan->md_version == cmd->md_version &&
	       plan->flags == cmd->flags && !(cmd->conn_fd | cmd->out_flags) &&
	       (u32)cmd->length <= (u32)plan->max_length &&
	       (cmd->data || !cmd->length) &&
	       kmq_put_head_equal(&plan->given, &cmd->md) &&
	       (likely(!(plan->present & ~KMQ_MD_GROUP)) ||
		io->parts_match(run, index, plan));
}

/* Has nothing changed since? */
static __always_inline bool kmq_put_plan_holds(const struct kmq_put_run *run,
					       const struct kmq_put_plan *plan)
{
	return plan->valid &&
	       plan->changes == kmq_qmgr_changes(run->conn->qmgr) &&
	       (likely(!plan->other) ||
		plan->other_changes == kmq_qmgr_changes(plan->other));
}

/**
 * kmq_put_plan_context - the context of messages whose plan was made before
 * @handle: handle
 * @plan: the plan
 *
 * Return: the context, which the connection, the queue manager or the handle
 * keeps.
 */
static __always_inline struct kmq_context_ref *
kmq_put_plan_context(const struct kmq_handle *handle,
		     const struct kmq_put_plan *plan)
{
	if (likely(!(plan->options & (KMQ_PMO_SET | MQPMO_NO_CONTEXT))))
		return handle->conn->context;
	return plan->options & KMQ_PMO_SET ? handle->given.ref :
					     handle->conn->qmgr->no_context;
}

/* All checks. Return: false if the put is over: run->reason or run->err. */
static noinline_for_stack bool kmq_put_plan_make(struct kmq_put_run *run,
						 const struct kmq_put_io *io,
						 u32 index)
{
	struct kmq_put_plan *plan = run->plans;
	const struct kmq_put *cmd = &run->cmds[index];
	struct kmq_md_ext ext kmq_uninit;

	/* Leave the one used last alone: kinds of puts may take turns. */
	if (run->handle && run->plan == plan)
		plan++;
	plan->valid = false;
	run->plan = plan;
	run->err = kmq_put_check_abi(cmd, !run->handle) ?:
		   io->parts(run, index, kmq_put_reads(cmd), &ext) ?:
		   io->context(run, index);
	if (run->err)
		return false;
	run->reason = kmq_put_check(run, index, &ext);
	if (!run->reason && kmq_put_parts(run, index, &ext))
		run->reason = MQRC_STORAGE_NOT_AVAILABLE;
	plan->valid = !run->reason && kmq_put_plan_lasts(run, index);
	return !run->reason;
}

/* Find the plan of a put. Return: false if there is none. */
static __always_inline bool kmq_put_plan_find(struct kmq_put_run *run,
					      const struct kmq_put_io *io,
					      u32 index)
{
	struct kmq_put_plan *plan = run->plan;

	if (unlikely(!run->handle))
		return false;
	if (unlikely(!kmq_put_plan_holds(run, plan) ||
		     !kmq_put_fits_plan(run, io, index, plan))) {
		plan = run->plans + (plan == run->plans);
		if (!kmq_put_plan_holds(run, plan) ||
		    !kmq_put_fits_plan(run, io, index, plan))
			return false;
		run->plan = plan;
	}
	run->context = kmq_put_plan_context(run->handle, plan);
	return true;
}

/* The group fields of a put whose plan was made for an earlier one. */
static noinline_for_stack bool kmq_put_item_make(struct kmq_put_run *run,
						 const struct kmq_put_io *io,
						 u32 index)
{
	u32 parts = run->cmds[index].present & KMQ_MD_GROUP;
	struct kmq_md_ext ext kmq_uninit;

	run->err = parts ? io->parts(run, index, parts, &ext) : 0;
	if (!run->err)
		run->reason = kmq_put_check_item(run, index, &ext);
	return !run->err && !run->reason;
}

/* The identifiers that are new. The command keeps them, for the answer. */
static __always_inline void kmq_put_new_ids(struct kmq_put_run *run,
					    struct kmq_put *cmd)
{
	if (cmd->options & MQPMO_NEW_MSG_ID || kmq_id_is_null(cmd->md.msg_id))
		kmq_conn_new_id(run->conn, cmd->md.msg_id);
	if (unlikely(cmd->options & MQPMO_NEW_CORREL_ID))
		kmq_conn_new_id(run->conn, cmd->md.correl_id);
}

/* One that is cut up, or travels. */
static noinline_for_stack struct kmq_msg *
kmq_put_make_apart(struct kmq_put_run *run, const struct kmq_put_io *io,
		   u32 index)
{
	struct iov_iter data;

	io->data(run, index, &data);
	return kmq_put_make_special(run, index, &data);
}

static __always_inline struct kmq_msg *kmq_put_memory(struct kmq_put_run *run,
						      u32 length, bool member)
{
	struct kmq_msg *msg = kmq_msg_reuse(&run->spares, length, member);

	return likely(msg) ? msg : kmq_msg_alloc(length, member);
}

/* Reply-to names, group fields, a time to live. Return: 0 or -ENOMEM. */
static __always_inline int kmq_put_complete(struct kmq_put_run *run, u32 index,
					    struct kmq_msg *msg,
					    const u32 steps)
{
	struct kmq_reply *reply = run->plan->reply;
	int err = 0;

	if (steps & KMQ_PUT_NAMED) {
		refcount_inc(&reply->ref);
		msg->reply = reply;
	}
	if (steps & KMQ_PUT_ORDERED)
		err = kmq_put_order(run, index, msg);
	if (steps & KMQ_PUT_EXPIRES && !err)
		err = kmq_msg_add_expiry(msg, run->deadline);
	return err;
}

/* The message of one put, with its data. Return: ERR_PTR() if that cannot be. */
static __always_inline struct kmq_msg *
kmq_put_make(struct kmq_put_run *run, const struct kmq_put_io *io, u32 index,
	     const struct kmq_put_plan *plan, const u32 steps)
{
	struct kmq_put *cmd = &run->cmds[index];
	struct kmq_msg *msg;
	int err = 0;

	if (unlikely(steps & (KMQ_PUT_REMOTE | KMQ_PUT_CUT)))
		return kmq_put_make_apart(run, io, index);
	msg = kmq_put_memory(run, cmd->length - plan->skip,
			     unlikely(steps & KMQ_PUT_ORDERED) &&
			     run->items[index].has_id);
	if (IS_ERR(msg))
		return msg;
	memcpy(&msg->md, &plan->stored, KMQ_MD_HEAD);
	kmq_put_new_ids(run, cmd);
	memcpy(msg->md.msg_id, cmd->md.msg_id, KMQ_ID_LEN);
	memcpy(msg->md.correl_id, cmd->md.correl_id, KMQ_ID_LEN);
	msg->persistent = plan->persistent;
	msg->put_time = run->time;
	kmq_msg_set_context(msg, run->context);
	if (unlikely(steps))
		err = kmq_put_complete(run, index, msg, steps);
	if (likely(!err))
		err = io->fill(run, index, msg);
	if (likely(!err))
		return msg;
	kmq_msg_free(msg);
	return ERR_PTR(err);
}

/* Not all of them could be made. */
static noinline void kmq_put_stopped(struct kmq_put_run *run, u32 first, u32 made,
				     struct kmq_msg *msg)
{
	if (!made) {
		if (IS_ERR(msg))
			kmq_put_not_made(run, first, PTR_ERR(msg));
		return;
	}
	run->reason = MQRC_NONE;
	run->err = 0;
}

/*
 * The messages of the first of @count puts, of which the first one has the plan; of
 * the first one only if @one.
 *
 * What cannot be made ends the run before it: it will be the first one of the next
 * run, when all that comes before it has been placed. Return: how many there are;
 * 0: the first put is over.
 */
static __always_inline u32
kmq_put_make_all(struct kmq_put_run *run, const struct kmq_put_io *io, u32 first,
		 u32 count, const bool one, const u32 steps)
{
	const struct kmq_put_plan *plan = run->plan;
	struct kmq_msg *msg = NULL;
	u32 made = 0;

	run->spares = kmq_msg_spares_get(&run->queue->spares);
	do {
		u32 i = first + made;

		if (made && !kmq_put_fits_plan(run, io, i, plan))
			break;
		if (unlikely(steps & KMQ_PUT_ORDERED) && made &&
		    !kmq_put_item_make(run, io, i))
			break;
		msg = kmq_put_make(run, io, i, plan, steps);
		if (IS_ERR(msg))
			break;
		run->msgs[i] = msg;
		if (unlikely(steps & KMQ_PUT_ORDERED))
			kmq_put_ahead(run, i);
		made++;
	} while (!one && made < count);
	kmq_msg_spares_put(&run->queue->spares, run->spares);
	if (unlikely(made < (one ? 1 : count)))
		kmq_put_stopped(run, first, made, msg);
	return made;
}

/*
 * What the programs learn of puts that have been made, whether that can be told or
 * not.
 */
static __always_inline void kmq_put_answer(struct kmq_put_run *run,
					   const struct kmq_put_io *io,
					   u32 first, u32 done, const bool one,
					   const u32 steps)
{
	u32 i = first;

	do {
		run->err = io->answer(run, i, steps);
	} while (!one && ++i < first + done && !run->err);
}

/* A put fails. Return: of how many puts the program knows what became of them. */
static noinline u32 kmq_put_fail(struct kmq_put_run *run,
				 const struct kmq_put_io *io, u32 index)
{
	if (run->err)
		return 0;
	run->failed = true;
	run->err = io->refuse(run, index, run->reason);
	return !run->err;
}

/* What the puts of a run need besides. */
static __always_inline u32 kmq_put_steps(struct kmq_put_run *run)
{
	const struct kmq_put_plan *plan = run->plan;
	u32 steps = plan->steps;

	run->last = run->handle ? &run->handle->put : NULL;
	if (unlikely(plan->present & KMQ_MD_GROUP ||
		     (run->last && kmq_retained_is_begun(run->last)) ||
		     steps & (KMQ_PUT_REMOTE | KMQ_PUT_CUT)))
		steps |= KMQ_PUT_ORDERED;
	/* P-REP-12, U-LIM-1 */
	if (unlikely(steps & KMQ_PUT_REPORTS ||
		     (steps & KMQ_PUT_PENDING &&
		      READ_ONCE(run->queue->watch) & KMQ_WATCH_TRIGGER)))
		steps |= KMQ_PUT_EFFECTS;
	return steps;
}

/* Return: how many can be made together; 0: the first one is over. */
static __always_inline u32 kmq_put_begin(struct kmq_put_run *run, u32 first,
					 u32 count, const u32 steps)
{
	if (steps & KMQ_PUT_EXPIRES)
		run->deadline = ktime_get_ns() +
				(u64)run->plan->stored.expiry *
				(NSEC_PER_SEC / 10);
	if (steps & (KMQ_PUT_ALONE | KMQ_PUT_EFFECTS))
		count = 1;
	if (steps & KMQ_PUT_PENDING && !(steps & KMQ_PUT_EFFECTS))
		count = kmq_put_join(run, first, count);
	return count;
}

/* What was placed counts for the unit of work and the handle. */
static __always_inline void kmq_put_follow(struct kmq_put_run *run, u32 first,
					   u32 done, const u32 steps)
{
	struct kmq_unit *uow = &run->conn->uow;

	if (steps & KMQ_PUT_PENDING) {
		kmq_uow_open(uow);
		uow->count += done;
		if (run->handle)
			kmq_uow_use_put(uow, run->handle);
	}
	if (steps & KMQ_PUT_ORDERED)
		kmq_put_follow_ordered(run, first, done);
}

/*
 * Puts that are made together, from the first one on. Return: how many that were,
 * perhaps with one that failed as the last.
 */
static __always_inline u32 kmq_put_some(struct kmq_put_run *run,
					const struct kmq_put_io *io, u32 first,
					u32 count)
{
	const bool one = __builtin_constant_p(count) && count == 1;
	u32 steps, done = 0;
	bool fresh;

	run->time = ktime_get_coarse_real_ns();
	if (unlikely(run->route))
		run->no_dest = kmq_route_put(run);
	fresh = !kmq_put_plan_find(run, io, first);
	if (unlikely(fresh) && !kmq_put_plan_make(run, io, first))
		goto out;
	steps = kmq_put_steps(run);
	run->part = NULL;
	/* Lines 11 and 12 come before the limit of the unit of work. */
	if (unlikely(steps & KMQ_PUT_ORDERED) && !fresh &&
	    !kmq_put_item_make(run, io, first))
		goto out;
	if (unlikely(steps))
		count = kmq_put_begin(run, first, count, steps);
	if (likely(count))
		count = kmq_put_make_all(run, io, first, count, one, steps);
	if (likely(count))
		done = unlikely(steps & KMQ_PUT_EFFECTS) ?
		       kmq_put_place_with_effects(run, first, steps) :
		       kmq_put_place(run, first, count, steps);
	if (unlikely(run->watched))
		kmq_put_watched(run);
	if (unlikely(steps) && done)
		kmq_put_follow(run, first, done, steps);
	if (likely(done))
		kmq_put_answer(run, io, first, done, one, steps);
out:
	if (unlikely(run->own_context)) {
		kmq_context_put(run->context);
		run->own_context = false;
	}
	if (unlikely(run->reason) && !run->err) {
		kmq_put_events(run);
		done += kmq_put_fail(run, io, first + done);
	}
	return done;
}

/**
 * kmq_put_all - carry out puts
 * @run: the puts, in order
 * @io: their memory
 * @count: how many; a constant 1 makes for a straight way through
 *
 * All of them, or the first ones up to one that fails or is not carried out.
 *
 * Return: how many have been carried out; the last one of these has failed if
 * @run->failed. @run->err is the errno of the one behind them, or -EFAULT if an
 * answer could not be written.
 */
static __always_inline u32 kmq_put_all(struct kmq_put_run *run,
				       const struct kmq_put_io *io, u32 count)
{
	struct kmq_handle *handle = run->handle;
	u32 reason, done = 0;

	run->err = 0;
	run->reason = MQRC_NONE;
	run->no_dest = MQRC_NONE;
	run->woken_count = 0;
	run->failed = false;
	run->own_context = false;
	run->watched = false;
	run->dest = NULL;
	reason = kmq_call_begin(run->conn);
	if (unlikely(reason)) {
		run->reason = reason;
		return kmq_put_fail(run, io, 0);
	}
	if (unlikely(handle && handle->closed)) {
		run->err = -ENOTCONN;
	} else {
		run->plan = handle ? handle->put_plan : run->plans;
		do {
			done += kmq_put_some(run, io, done,
					     __builtin_constant_p(count) ?
					     count : count - done);
		} while (done < count && !run->err && !run->failed);
		if (handle)
			handle->put_plan = run->plan;
	}
	kmq_call_end(run->conn);
	return done;
}

#endif /* KMQ_PUT_RUN_H */
