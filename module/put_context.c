// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT, check: the parts of the descriptor that messages share, that is their
 * context (put.md section 7) and the reply-to names.
 */
#include <linux/cred.h>
#include <linux/string.h>
#include <linux/ktime.h>
#include "call.h"
#include "context.h"
#include "dev.h"
#include "put.h"
#include "qmgr.h"
#include "queue.h"

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
static struct kmq_context_ref *
kmq_put_make_context(const struct kmq_put_run *run, u32 options,
		     const struct kmq_md_ext *ext)
{
	struct kmq_context_ref *ctx;

	ctx = options & MQPMO_SET_ALL_CONTEXT ?
	      kmq_context_alloc() : kmq_context_copy(run->conn->context);
	if (!ctx)
		return NULL;
	kmq_put_set_identity(&ctx->c, &ext->context);
	if (options & MQPMO_SET_ALL_CONTEXT)
		kmq_put_set_origin(ctx, ext);
	return ctx;
}

static bool kmq_put_given_again(const struct kmq_given_context *given,
				const struct kmq_md_ext *ext, u32 options)
{
	return given->ref && given->options == options &&
	       !memcmp(&given->c, &ext->context, sizeof(given->c)) &&
	       !memcmp(given->date, ext->put_date, sizeof(given->date)) &&
	       !memcmp(given->time, ext->put_time, sizeof(given->time));
}

static void kmq_put_keep_given(struct kmq_given_context *given,
			       const struct kmq_md_ext *ext, u32 options,
			       struct kmq_context_ref *ctx)
{
	if (given->ref)
		kmq_context_put(given->ref);
	given->ref = kmq_context_get(ctx);
	given->options = options;
	given->c = ext->context;
	memcpy(given->date, ext->put_date, sizeof(given->date));
	memcpy(given->time, ext->put_time, sizeof(given->time));
	given->stored_as_given =
		ctx->dated && !memcmp(&given->c, &ctx->c, sizeof(given->c)) &&
		!memcmp(given->date, ctx->date, sizeof(given->date)) &&
		!memcmp(given->time, ctx->time, sizeof(given->time));
}

/*
 * The context that the program sets (section 7, SET). Messages of a handle for
 * which it gives the same share one.
 */
static struct kmq_context_ref *
kmq_put_given_context(const struct kmq_put_run *run, const struct kmq_put *cmd,
		      struct kmq_md_ext *ext)
{
	u32 options = cmd->options & KMQ_PMO_SET;
	struct kmq_given_context *given = run->handle ? &run->handle->given :
							NULL;
	struct kmq_context_ref *ctx;

	/* What the caller left out is at its default, which is blank. */
	if (!(cmd->present & KMQ_MD_CONTEXT)) {
		kmq_context_clear_identity(&ext->context);
		kmq_context_clear_origin(&ext->context);
		ext->context.flags = 0;
	}
	if (!(cmd->present & KMQ_MD_DATE)) {
		memset(ext->put_date, ' ', sizeof(ext->put_date));
		memset(ext->put_time, ' ', sizeof(ext->put_time));
	}
	/* Only the kernel vouches for a user id. */
	ext->context.flags &= ~KMQ_CTX_UID;
	if (given && kmq_put_given_again(given, ext, options))
		return kmq_context_get(given->ref);
	ctx = kmq_put_make_context(run, options, ext);
	if (ctx && given)
		kmq_put_keep_given(given, ext, options, ctx);
	return ctx;
}

/* A context passed on from a message that was got (section 7, PASS). */
static struct kmq_context_ref *kmq_put_passed_context(struct kmq_put_run *run,
						      u32 options)
{
	const struct kmq_handle *from = run->context_handle;
	struct kmq_context_ref *saved = from->saved_context;
	struct kmq_context_ref *ctx;

	if (options & MQPMO_PASS_ALL_CONTEXT) {
		run->time = from->saved_put_time;
		return kmq_context_get(saved);
	}
	ctx = kmq_context_copy(run->conn->context);
	if (ctx)
		kmq_put_set_identity(&ctx->c, &saved->c);
	return ctx;
}

/* Return: -ENOMEM, or 0: the run has a context, with a reference. */
static int kmq_put_context(struct kmq_put_run *run, const struct kmq_put *cmd,
			   struct kmq_md_ext *ext)
{
	if (cmd->options & KMQ_PMO_PASS)
		run->context = kmq_put_passed_context(run, cmd->options);
	else if (cmd->options & KMQ_PMO_SET)
		run->context = kmq_put_given_context(run, cmd, ext);
	else if (cmd->options & MQPMO_NO_CONTEXT)
		run->context = kmq_context_get(run->conn->qmgr->no_context);
	else
		run->context = kmq_context_get(run->conn->context);
	run->own_context = run->context;
	return run->context ? 0 : -ENOMEM;
}

/*
 * Replace the name of a local definition of a remote queue by what it says.
 * Return: the definition, referenced, or NULL.
 */
static struct kmq_queue *kmq_put_reply_definition(struct kmq_qmgr *qmgr,
						  struct kmq_md_ext *ext)
{
	struct kmq_queue *queue;

	/* The usual case need not look. */
	if (likely(!READ_ONCE(qmgr->remote_count)))
		return NULL;
	down_read(&qmgr->names);
	queue = kmq_qmgr_find_locked(qmgr, ext->reply_q);
	if (queue && queue->type == MQQT_REMOTE) {
		memcpy(ext->reply_q, queue->attrs.remote_q_name, KMQ_NAME_LEN);
		memcpy(ext->reply_qmgr, queue->attrs.remote_q_mgr_name,
		       KMQ_NAME_LEN);
		kmq_queue_get(queue);
	} else {
		queue = NULL;
	}
	up_read(&qmgr->names);
	return queue;
}

/*
 * The names as they are stored. Return: they are those of a definition that the
 * caller may open, if that is going to matter.
 */
static bool kmq_put_reply_names(struct kmq_put_run *run, struct kmq_md_ext *ext,
				bool asks)
{
	struct kmq_qmgr *qmgr = run->conn->qmgr;
	struct kmq_queue *definition;
	bool may;

	kmq_name_pad(ext->reply_q, KMQ_NAME_LEN);
	kmq_name_pad(ext->reply_qmgr, KMQ_NAME_LEN);
	if (ext->reply_q[0] == ' ' || ext->reply_qmgr[0] != ' ')
		return false;
	run->plan->out_present |= KMQ_MD_REPLY;
	definition = kmq_put_reply_definition(qmgr, ext);
	if (!definition) {
		memcpy(ext->reply_qmgr, qmgr->name, KMQ_NAME_LEN);
		return false;
	}
	may = asks && kmq_dev_may_open(definition, current_cred());
	kmq_queue_put(definition);
	return may;
}

/* Can names be shared, with the rights that go with them? */
static bool kmq_put_reply_same(const struct kmq_reply *reply,
			       const struct kmq_md_ext *ext, bool asks,
			       bool defined)
{
	return reply && kmq_name_equal(reply->q, ext->reply_q) &&
	       kmq_name_equal(reply->qmgr, ext->reply_qmgr) &&
	       (likely(!asks) || (reply->putter == current_cred() &&
				  reply->defined == defined));
}

/*
 * The names of another plan of the handle, if they are the same, or new ones. Who
 * asks for reports is remembered with them: they go where he could put them or get
 * them.
 */
static struct kmq_reply *kmq_put_reply_share(const struct kmq_put_run *run,
					     const struct kmq_md_ext *ext,
					     bool asks, bool defined)
{
	struct kmq_reply *reply;
	u32 i;

	for (i = 0; run->handle && i < KMQ_PUT_PLANS; i++) {
		reply = run->plans[i].reply;
		if (kmq_put_reply_same(reply, ext, asks, defined)) {
			refcount_inc(&reply->ref);
			return reply;
		}
	}
	reply = kmq_reply_alloc(ext->reply_q, ext->reply_qmgr);
	if (!reply)
		return NULL;
	if (asks)
		reply->putter = get_current_cred();
	reply->defined = defined;
	return reply;
}

/* P-MD-3. Return: 0 or -ENOMEM. */
static int kmq_put_reply(struct kmq_put_run *run, const struct kmq_put *cmd,
			 struct kmq_md_ext *ext)
{
	bool asks = cmd->md.report & KMQ_RO_REPORTS;
	struct kmq_put_plan *plan = run->plan;
	struct kmq_reply *before = plan->reply;
	bool given = cmd->present & KMQ_MD_REPLY;
	bool defined;

	if (given) {
		defined = kmq_put_reply_names(run, ext, asks);
		plan->reply = kmq_put_reply_share(run, ext, asks, defined);
	} else {
		plan->reply = NULL;
	}
	if (before)
		kmq_reply_put(before);
	return given && !plan->reply ? -ENOMEM : 0;
}

/**
 * kmq_put_parts - the parts of the descriptor that a put shares with others
 * @run: the run; gets the context, its plan the names and the parts to be answered
 * @index: which of its puts, checked
 * @ext: its parts of the descriptor
 *
 * Return: 0 or -ENOMEM.
 */
int kmq_put_parts(struct kmq_put_run *run, u32 index, struct kmq_md_ext *ext)
{
	const struct kmq_put *cmd = &run->cmds[index];
	struct kmq_put_plan *plan = run->plan;
	int err;

	plan->out_present = 0;
	err = kmq_put_context(run, cmd, ext);
	if (err)
		return err;
	/* P-CTX-8 */
	if (run->context != run->conn->context)
		plan->out_present |= KMQ_MD_CONTEXT;
	if (run->context->dated)
		plan->out_present |= KMQ_MD_DATE;
	if (unlikely(cmd->flags & KMQ_PUT_WANT_DEST))
		plan->out_present |= KMQ_MD_DEST;
	err = kmq_put_reply(run, cmd, ext);
	if (plan->out_present || plan->warning)
		plan->steps |= KMQ_PUT_TOLD;
	return err;
}
