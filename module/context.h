/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_CONTEXT_H
#define KMQ_CONTEXT_H

#include <linux/refcount.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <linux/kmq.h>

/**
 * struct kmq_context_ref - message context, shared by messages of one origin
 * @ref: connections, handles and messages that use it
 * @dated: the date is @date and @time and not the message's own put time
 * @id: number that is never used again while the module is loaded
 * @c: identity and origin fields
 * @date: PutDate
 * @time: PutTime
 */
struct kmq_context_ref {
	refcount_t ref;
	bool dated;
	u64 id;
	struct kmq_context c;
	u8 date[8];
	u8 time[8];
};

/**
 * struct kmq_given_context - the context that the last put of a handle gave
 * @ref: what became of it, referenced, or NULL
 * @options: MQPMO_SET_*
 * @stored_as_given: that has just these values
 * @date: PutDate as given; it and the following lie as in struct kmq_md_ext
 * @time: PutTime as given
 * @c: fields as given
 */
struct kmq_given_context {
	struct kmq_context_ref *ref;
	u32 options;
	bool stored_as_given;
	u8 date[8] __aligned(8);
	u8 time[8];
	struct kmq_context c;
};

/* The context parts of a struct kmq_md_ext, date and time included. */
#define KMQ_CONTEXT_PARTS	offsetof(struct kmq_md_ext, put_date)
#define KMQ_CONTEXT_PARTS_SIZE	(offsetofend(struct kmq_md_ext, context) - \
				 KMQ_CONTEXT_PARTS)

struct kmq_context_ref *kmq_context_alloc(void);
struct kmq_context_ref *kmq_context_of_caller(void);
struct kmq_context_ref *kmq_context_copy(const struct kmq_context_ref *from);
struct kmq_context_ref *kmq_context_of_qmgr(const u8 *name,
					    const struct kmq_context_ref *from);
void kmq_context_clear_identity(struct kmq_context *c);
void kmq_context_clear_origin(struct kmq_context *c);
void kmq_context_put(struct kmq_context_ref *ctx);

static inline struct kmq_context_ref *
kmq_context_get(struct kmq_context_ref *ctx)
{
	refcount_inc(&ctx->ref);
	return ctx;
}

#endif /* KMQ_CONTEXT_H */
