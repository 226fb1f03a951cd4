// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT: the context of the message (put.md section 7).
 */
#include <linux/string.h>
#include <linux/ktime.h>
#include "call.h"
#include "context.h"
#include "put.h"
#include "qmgr.h"

static void kmq_put_set_identity(struct kmq_context *to,
				 const struct kmq_context *from)
{
	memcpy(to->user_id, from->user_id, sizeof(to->user_id));
	memcpy(to->accounting, from->accounting, sizeof(to->accounting));
	memcpy(to->appl_identity, from->appl_identity,
	       sizeof(to->appl_identity));
	kmq_name_pad(to->user_id, sizeof(to->user_id));
	kmq_name_pad(to->appl_identity, sizeof(to->appl_identity));
	to->uid = from->uid;
	to->flags = from->flags & KMQ_CTX_UID;
}

static void kmq_put_set_origin(struct kmq_context_ref *to,
			       const struct kmq_md_ext *ext)
{
	const struct kmq_context *from = &ext->context;

	to->c.appl_type = from->appl_type;
	memcpy(to->c.appl_name, from->appl_name, sizeof(to->c.appl_name));
	memcpy(to->c.appl_origin, from->appl_origin,
	       sizeof(to->c.appl_origin));
	memcpy(to->date, ext->put_date, sizeof(to->date));
	memcpy(to->time, ext->put_time, sizeof(to->time));
	kmq_name_pad(to->c.appl_name, sizeof(to->c.appl_name));
	kmq_name_pad(to->c.appl_origin, sizeof(to->c.appl_origin));
	kmq_name_pad(to->date, sizeof(to->date));
	kmq_name_pad(to->time, sizeof(to->time));
	to->dated = true;
}

/* A context of its own, from the descriptor. */
static struct kmq_context_ref *kmq_put_make_context(struct kmq_put_call *call)
{
	struct kmq_context_ref *ctx;

	ctx = call->cmd->options & MQPMO_SET_ALL_CONTEXT ?
	      kmq_context_alloc() : kmq_context_copy(call->conn->context);
	if (!ctx)
		return NULL;
	kmq_put_set_identity(&ctx->c, &call->ext->context);
	if (call->cmd->options & MQPMO_SET_ALL_CONTEXT)
		kmq_put_set_origin(ctx, call->ext);
	return ctx;
}

static bool kmq_put_given_again(const struct kmq_given_context *given,
				const struct kmq_put_call *call, u32 options)
{
	const struct kmq_md_ext *ext = call->ext;

	return given->ref && given->options == options &&
	       !memcmp(&given->c, &ext->context, sizeof(given->c)) &&
	       !memcmp(given->date, ext->put_date, sizeof(given->date)) &&
	       !memcmp(given->time, ext->put_time, sizeof(given->time));
}

static void kmq_put_keep_given(struct kmq_given_context *given,
			       const struct kmq_put_call *call, u32 options,
			       struct kmq_context_ref *ctx)
{
	if (given->ref)
		kmq_context_put(given->ref);
	given->ref = kmq_context_get(ctx);
	given->options = options;
	given->c = call->ext->context;
	memcpy(given->date, call->ext->put_date, sizeof(given->date));
	memcpy(given->time, call->ext->put_time, sizeof(given->time));
	given->stored_as_given =
		ctx->dated && !memcmp(&given->c, &ctx->c, sizeof(given->c)) &&
		!memcmp(given->date, ctx->date, sizeof(given->date)) &&
		!memcmp(given->time, ctx->time, sizeof(given->time));
}

/*
 * The context that the program sets (section 7, SET). Messages of a handle for
 * which it gives the same share one.
 */
static struct kmq_context_ref *kmq_put_given_context(struct kmq_put_call *call)
{
	u32 options = call->cmd->options & KMQ_PMO_SET;
	struct kmq_given_context *given = call->handle ? &call->handle->given :
							 NULL;
	u32 present = call->cmd->present;
	struct kmq_context_ref *ctx;

	/* What the caller left out is at its default, which is blank. */
	if (!(present & KMQ_MD_CONTEXT)) {
		kmq_context_clear_identity(&call->ext->context);
		kmq_context_clear_origin(&call->ext->context);
		call->ext->context.flags = 0;
	}
	if (!(present & KMQ_MD_DATE)) {
		memset(call->ext->put_date, ' ', sizeof(call->ext->put_date));
		memset(call->ext->put_time, ' ', sizeof(call->ext->put_time));
	}
	/* Only the kernel vouches for a user id. */
	call->ext->context.flags &= ~KMQ_CTX_UID;
	if (given && kmq_put_given_again(given, call, options))
		return kmq_context_get(given->ref);
	ctx = kmq_put_make_context(call);
	if (ctx && given)
		kmq_put_keep_given(given, call, options, ctx);
	return ctx;
}

/* A context passed on from a message that was got (section 7, PASS). */
static struct kmq_context_ref *kmq_put_passed_context(struct kmq_put_call *call,
						      u64 *put_time)
{
	struct kmq_context_ref *saved = call->context_handle->saved_context;
	struct kmq_context_ref *ctx;

	if (call->cmd->options & MQPMO_PASS_ALL_CONTEXT) {
		*put_time = call->context_handle->saved_put_time;
		return kmq_context_get(saved);
	}
	ctx = kmq_context_copy(call->conn->context);
	if (ctx)
		kmq_put_set_identity(&ctx->c, &saved->c);
	return ctx;
}

/**
 * kmq_put_context - the context that a put gives its message
 * @call: the call, checked
 * @put_time: set to the time of the put, CLOCK_REALTIME ns
 *
 * Return: the context with a reference of the caller's, or NULL for want of
 * memory.
 */
struct kmq_context_ref *kmq_put_context(struct kmq_put_call *call,
					u64 *put_time)
{
	u32 options = call->cmd->options;

	*put_time = ktime_get_coarse_real_ns();
	if (options & MQPMO_NO_CONTEXT)
		return kmq_context_get(call->conn->qmgr->no_context);
	if (options & (MQPMO_PASS_IDENTITY_CONTEXT | MQPMO_PASS_ALL_CONTEXT))
		return kmq_put_passed_context(call, put_time);
	if (options & KMQ_PMO_SET)
		return kmq_put_given_context(call);
	return kmq_context_get(call->conn->context);
}
