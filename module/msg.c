// SPDX-License-Identifier: GPL-2.0
/*
 * Message memory.
 *
 * A short message is one slab object: the message, its data behind it, and at the
 * end of the object the group part if it has one. Data that does not fit follows
 * in a chain of chunks, so that 100 MiB need no contiguous memory. Everything is
 * charged to the memory cgroup of the putter and is got and filled before any
 * lock is taken.
 */
#include <linux/cred.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "context.h"
#include "group.h"
#include "limits.h"
#include "msg.h"
#include "user.h"

/*
 * Whole objects, data included; the largest serve as heads of long messages. The
 * allocator adds a word to objects that have a constructor, which makes the
 * sizes round.
 */
static const struct {
	const char *name;
	unsigned int size;
} kmq_msg_sizes[] = {
	{ "kmq_msg_384", 384 - sizeof(void *) },
	{ "kmq_msg_512", 512 - sizeof(void *) },
	{ "kmq_msg_576", 576 - sizeof(void *) },
	{ "kmq_msg_1k", 1024 - sizeof(void *) },
	{ "kmq_msg_2k", 2048 - sizeof(void *) },
	{ "kmq_msg_4k", 4096 - sizeof(void *) },
};

static struct kmem_cache *kmq_msg_caches[ARRAY_SIZE(kmq_msg_sizes)];

#define KMQ_CHUNK_SMALL	PAGE_SIZE
#define KMQ_CHUNK_LARGE	(PAGE_SIZE << 3)

/* Bytes of an object that are not data. */
static u32 kmq_msg_overhead(bool member)
{
	return sizeof(struct kmq_msg) +
	       (member ? sizeof(struct kmq_member) : 0);
}

static int kmq_msg_cache_index(u32 length, bool member)
{
	u32 size = kmq_msg_overhead(member) + length;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kmq_msg_sizes) - 1; i++)
		if (size <= kmq_msg_sizes[i].size)
			break;
	return i;
}

static void kmq_chunks_free(struct kmq_chunk *chunk)
{
	while (chunk) {
		struct kmq_chunk *next = chunk->next;

		kfree(chunk);
		chunk = next;
		cond_resched();
	}
}

/*
 * As much as is wanted, up to a large piece, if it is to be had without effort;
 * else a page.
 */
static struct kmq_chunk *kmq_chunk_alloc(u32 want, u32 *size)
{
	struct kmq_chunk *chunk;

	*size = roundup_pow_of_two(clamp_t(u32, want, KMQ_CHUNK_SMALL,
					   KMQ_CHUNK_LARGE));
	if (*size > KMQ_CHUNK_SMALL) {
		chunk = kmalloc(*size, GFP_KERNEL_ACCOUNT | __GFP_NORETRY |
				__GFP_NOWARN);
		if (chunk)
			return chunk;
		*size = KMQ_CHUNK_SMALL;
	}
	return kmalloc(*size, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
}

static int kmq_chunks_alloc(struct kmq_msg *msg, u32 length)
{
	struct kmq_chunk **tail = &msg->more;

	while (length) {
		struct kmq_chunk *chunk;
		u32 size;

		if (fatal_signal_pending(current))
			return -EINTR;
		chunk = kmq_chunk_alloc(length + sizeof(*chunk), &size);
		if (!chunk)
			return -ENOMEM;
		chunk->next = NULL;
		chunk->length = min_t(u32, length, size - sizeof(*chunk));
		*tail = chunk;
		tail = &chunk->next;
		msg->memory += size;
		length -= chunk->length;
		cond_resched();
	}
	return 0;
}

/* The smallest objects there are, with a group part and without. */
static __always_inline int kmq_msg_short_index(bool member)
{
	BUILD_BUG_ON(kmq_msg_overhead(false) > kmq_msg_sizes[0].size ||
		     kmq_msg_overhead(true) <= kmq_msg_sizes[0].size ||
		     kmq_msg_overhead(true) > kmq_msg_sizes[1].size);
	return member ? 1 : 0;
}

static __always_inline u32 kmq_msg_room(int index, bool member)
{
	return kmq_msg_sizes[index].size - kmq_msg_overhead(member);
}

static __always_inline bool kmq_msg_is_short(u32 length, bool member)
{
	/* Two constants, of which most messages need the first. */
	if (likely(!member))
		return length <= kmq_msg_room(kmq_msg_short_index(false),
					      false);
	return length <= kmq_msg_room(kmq_msg_short_index(true), true);
}

/* The group part: identifier and place are for the caller to set. */
static struct kmq_member *kmq_member_init(struct kmq_msg *msg, int index)
{
	struct kmq_member *member = (void *)msg + kmq_msg_sizes[index].size -
				    sizeof(*member);

	member->group = NULL;
	member->segments = NULL;
	member->msg = msg;
	member->signalled = 0;
	return member;
}

/* All fields but the context and those that placing, indexing and filling set. */
static __always_inline void kmq_msg_init(struct kmq_msg *msg, u32 length,
					 int index, bool member)
{
	refcount_set(&msg->ref, 1);
	msg->state = KMQ_MSG_NEW;
	msg->class = 0;
	msg->persistent = false;
	msg->co_op_mark = false;
	msg->own_put = false;
	msg->was_locked = false;
	msg->fresh_lock = false;
	msg->kept_lock = false;
	msg->skip_backout = false;
	msg->stays = false;
	msg->length = length;
	msg->inline_length = min(length, kmq_msg_room(index, member));
	msg->memory = kmq_msg_sizes[index].size;
	msg->msg_flags = 0;
	msg->backout_count = 0;
	msg->expiry = NULL;
	msg->reply = NULL;
	msg->member = member ? kmq_member_init(msg, index) : NULL;
	msg->more = NULL;
	INIT_HLIST_HEAD(&msg->marks);
	INIT_LIST_HEAD(&msg->link);
}

/**
 * kmq_msg_alloc - get memory for a message
 * @length: bytes of data, 0..KMQ_MAX_MSG_LENGTH
 * @member: it will have a group part
 *
 * Nothing but the memory fields is initialised: state, reference, lengths,
 * the pointers of the group part. Called with no locks held; may sleep.
 *
 * Return: the message, owned by the caller, or ERR_PTR(-ENOMEM), or
 * ERR_PTR(-EINTR) if the caller is being killed.
 */
struct kmq_msg *kmq_msg_alloc(u32 length, bool member)
{
	int index = kmq_msg_cache_index(length, member);
	u32 room = kmq_msg_room(index, member);
	struct kmq_msg *msg;
	int err;

	msg = kmem_cache_alloc(kmq_msg_caches[index], GFP_KERNEL);
	if (!msg)
		return ERR_PTR(-ENOMEM);
	kmq_msg_init(msg, length, index, member);
	msg->context = NULL;
	if (length > room) {
		err = kmq_chunks_alloc(msg, length - room);
		if (err) {
			kmq_msg_free(msg);
			return ERR_PTR(err);
		}
	}
	return msg;
}

/**
 * kmq_msg_add_expiry - let a new message expire
 * @msg: message that nobody else can see yet
 * @deadline: CLOCK_MONOTONIC, ns
 *
 * Return: 0 or -ENOMEM.
 */
int kmq_msg_add_expiry(struct kmq_msg *msg, u64 deadline)
{
	msg->expiry = kzalloc(sizeof(*msg->expiry), GFP_KERNEL_ACCOUNT);
	if (!msg->expiry)
		return -ENOMEM;
	msg->expiry->deadline = deadline;
	msg->expiry->msg = msg;
	msg->memory += sizeof(*msg->expiry);
	return 0;
}

/**
 * kmq_msg_fill - copy the data into a message
 * @msg: message that nobody else can see yet
 * @from: source, at least msg->length bytes
 *
 * Return: 0, or -EFAULT if the source cannot be read.
 */
int kmq_msg_fill(struct kmq_msg *msg, struct iov_iter *from)
{
	struct kmq_chunk *chunk;

	if (iter_is_ubuf(from) && msg->length <= KMQ_WORDS_MAX) {
		const void __user *user = from->ubuf + from->iov_offset;

		if (from->count < msg->length ||
		    kmq_bytes_from_user(msg->data, user, msg->length))
			return -EFAULT;
		iov_iter_advance(from, msg->length);
		return 0;
	}
	if (copy_from_iter(msg->data, msg->inline_length, from) !=
	    msg->inline_length)
		return -EFAULT;
	for (chunk = msg->more; chunk; chunk = chunk->next) {
		if (copy_from_iter(chunk->data, chunk->length, from) !=
		    chunk->length)
			return -EFAULT;
		cond_resched();
	}
	return 0;
}

/* kmq_msg_fill_user() for any length */
int kmq_msg_fill_long(struct kmq_msg *msg, const void __user *from)
{
	struct iov_iter iter;

	if (!access_ok(from, msg->length))
		return -EFAULT;
	iov_iter_ubuf(&iter, ITER_SOURCE, (void __user *)from, msg->length);
	return kmq_msg_fill(msg, &iter);
}

/**
 * kmq_msg_copy_out - copy the data of a message
 * @msg: message the caller holds a reference to; no lock is needed, as data
 *	never changes
 * @length: bytes to copy, at most msg->length
 * @to: destination
 *
 * Return: 0, or -EFAULT if the destination cannot be written.
 */
int kmq_msg_copy_out(const struct kmq_msg *msg, u32 length,
		     struct iov_iter *to)
{
	const struct kmq_chunk *chunk;
	u32 part = min(length, msg->inline_length);

	if (iter_is_ubuf(to) && length <= KMQ_WORDS_MAX && part == length) {
		void __user *user = to->ubuf + to->iov_offset;

		if (to->count < length ||
		    kmq_bytes_to_user(user, msg->data, length))
			return -EFAULT;
		iov_iter_advance(to, length);
		return 0;
	}
	if (copy_to_iter(msg->data, part, to) != part)
		return -EFAULT;
	length -= part;
	for (chunk = msg->more; length; chunk = chunk->next) {
		part = min(length, chunk->length);
		if (copy_to_iter(chunk->data, part, to) != part)
			return -EFAULT;
		length -= part;
		cond_resched();
	}
	return 0;
}

/* kmq_msg_copy_user() for any length */
int kmq_msg_copy_long(const struct kmq_msg *msg, void __user *to)
{
	struct iov_iter iter;

	if (!access_ok(to, msg->length))
		return -EFAULT;
	iov_iter_ubuf(&iter, ITER_DEST, to, msg->length);
	return kmq_msg_copy_out(msg, msg->length, &iter);
}

/**
 * struct kmq_spot - a place in the data of a message
 * @at: memory
 * @rest: bytes there
 * @more: what follows
 */
struct kmq_spot {
	u8 *at;
	u32 rest;
	struct kmq_chunk *more;
};

static void kmq_spot_move(struct kmq_spot *spot, u32 bytes)
{
	while (bytes >= spot->rest && spot->more) {
		bytes -= spot->rest;
		spot->at = spot->more->data;
		spot->rest = spot->more->length;
		spot->more = spot->more->next;
		cond_resched();
	}
	spot->at += bytes;
	spot->rest -= bytes;
}

/* Byte @at of the data. */
static void kmq_spot_find(struct kmq_spot *spot, const struct kmq_msg *msg,
			  u32 at)
{
	spot->at = (u8 *)msg->data;
	spot->rest = msg->inline_length;
	spot->more = msg->more;
	kmq_spot_move(spot, at);
}

/**
 * kmq_msg_copy_data - copy data from one message to another
 * @to: message that nobody else can see yet
 * @at: where in its data
 * @from: message the caller holds
 * @length: bytes from the start of its data
 */
void kmq_msg_copy_data(struct kmq_msg *to, u32 at, const struct kmq_msg *from,
		       u32 length)
{
	struct kmq_spot out, in;

	kmq_spot_find(&out, to, at);
	kmq_spot_find(&in, from, 0);
	while (length) {
		u32 part = min3(out.rest, in.rest, length);

		memcpy(out.at, in.at, part);
		length -= part;
		kmq_spot_move(&out, part);
		kmq_spot_move(&in, part);
	}
}

/**
 * kmq_msg_write - write into the data of a message
 * @msg: message that nobody else can see yet
 * @at: where in its data
 * @from: what
 * @length: bytes
 */
void kmq_msg_write(struct kmq_msg *msg, u32 at, const void *from, u32 length)
{
	struct kmq_spot to;

	kmq_spot_find(&to, msg, at);
	while (length) {
		u32 part = min(to.rest, length);

		memcpy(to.at, from, part);
		from += part;
		length -= part;
		kmq_spot_move(&to, part);
	}
}

/**
 * kmq_msg_fill_from - copy the data into a message behind what it begins with
 * @msg: message that nobody else can see yet
 * @at: where in its data; the rest is filled
 * @from: source
 *
 * Return: 0, or -EFAULT if the source cannot be read.
 */
int kmq_msg_fill_from(struct kmq_msg *msg, u32 at, struct iov_iter *from)
{
	struct kmq_spot to;

	kmq_spot_find(&to, msg, at);
	while (at < msg->length) {
		u32 part = to.rest;

		if (copy_from_iter(to.at, part, from) != part)
			return -EFAULT;
		at += part;
		kmq_spot_move(&to, part);
	}
	return 0;
}

/* What was got for a queue that the message did not come to. */
static void kmq_member_strip(struct kmq_member *member)
{
	if (unlikely(member->group))
		kfree(member->group);
	if (unlikely(member->segments))
		kfree(member->segments);
}

/* Give back everything a message has besides itself and its context. */
static void kmq_msg_strip(struct kmq_msg *msg)
{
	if (msg->more)
		kmq_chunks_free(msg->more);
	if (msg->member)
		kmq_member_strip(msg->member);
	kfree(msg->expiry);
	if (msg->reply)
		kmq_reply_put(msg->reply);
}

static bool kmq_msg_has_parts(const struct kmq_msg *msg)
{
	return msg->more || msg->expiry || msg->reply;
}

static void kmq_msg_release(struct kmq_msg *msg)
{
	int index = kmq_msg_cache_index(msg->length, msg->member);

	if (msg->context)
		kmq_context_put(msg->context);
	kmem_cache_free(kmq_msg_caches[index], msg);
}

/**
 * kmq_msg_free - free a message nobody refers to
 * @msg: message, off every list and index
 */
void kmq_msg_free(struct kmq_msg *msg)
{
	kmq_msg_strip(msg);
	kmq_msg_release(msg);
}

/* Give a reference to a message back that is off its queue. Return: the last? */
static bool kmq_msg_unref(struct kmq_msg *msg)
{
	/* Nobody gets another one; who had one is done with the message. */
	if (likely(refcount_read(&msg->ref) == 1)) {
		smp_acquire__after_ctrl_dep();
		return true;
	}
	return refcount_dec_and_test(&msg->ref);
}

/*
 * A stripped message becomes a spare one. It keeps its context: the next message
 * that it will be is most likely to have the same one.
 */
static void kmq_msg_spare(struct kmq_msg *msg, struct kmq_msg **spares)
{
	if (unlikely(!kmq_msg_is_short(msg->length, msg->member))) {
		kmq_msg_release(msg);
		return;
	}
	msg->next_spare = *spares;
	*spares = msg;
}

/**
 * kmq_msg_retire - give a reference back; the last one makes the message a spare
 *	one
 * @msg: message, off every list and index
 * @spares: chain of short messages that are free, private to the caller
 */
void kmq_msg_retire(struct kmq_msg *msg, struct kmq_msg **spares)
{
	if (!kmq_msg_unref(msg))
		return;
	kmq_msg_strip(msg);
	kmq_msg_spare(msg, spares);
}

/**
 * kmq_msg_retire_run - the same for several messages
 * @msgs: messages, off every list and index
 * @count: how many
 *
 * Return: chain of the short ones among them, which are free now.
 */
struct kmq_msg *kmq_msg_retire_run(struct kmq_msg **msgs, u32 count)
{
	struct kmq_msg *spares = NULL;
	u32 i;

	for (i = 0; i < count; i++) {
		struct kmq_msg *msg = msgs[i];

		if (!kmq_msg_unref(msg))
			continue;
		if (unlikely(kmq_msg_has_parts(msg)))
			kmq_msg_strip(msg);
		kmq_msg_spare(msg, &spares);
	}
	return spares;
}

/**
 * kmq_msg_recycle - give a reference back; the last one makes the message a spare
 *	one of its queue
 * @msg: message, off every list and index
 * @spares: spare messages of the queue
 */
void kmq_msg_recycle(struct kmq_msg *msg, struct kmq_msg **spares)
{
	struct kmq_msg *own = NULL;

	kmq_msg_retire(msg, &own);
	kmq_msg_spares_put(spares, own);
}

/**
 * kmq_msg_reuse - use a spare message
 * @spares: chain of spare messages, private to the caller
 * @length: bytes of data
 * @member: it will have a group part
 *
 * Return: a message like one from kmq_msg_alloc(), but that it may have a context;
 * or NULL if there is none, or the first one is too short or of the other kind: a
 * queue that has both has few of each in a row.
 */
struct kmq_msg *kmq_msg_reuse(struct kmq_msg **spares, u32 length, bool member)
{
	struct kmq_msg *msg = *spares;

	if (!msg)
		return NULL;
	if (likely(!member)) {
		if (msg->member || !kmq_msg_is_short(length, false))
			return NULL;
		*spares = msg->next_spare;
		kmq_msg_init(msg, length, kmq_msg_short_index(false), false);
	} else {
		if (!msg->member || !kmq_msg_is_short(length, true))
			return NULL;
		*spares = msg->next_spare;
		kmq_msg_init(msg, length, kmq_msg_short_index(true), true);
	}
	return msg;
}

/**
 * kmq_msg_spares_get - take the spare messages of a queue
 * @spares: where the queue keeps them
 *
 * Return: all of them, the caller's now, or NULL.
 */
struct kmq_msg *kmq_msg_spares_get(struct kmq_msg **spares)
{
	return READ_ONCE(*spares) ? xchg(spares, NULL) : NULL;
}

/**
 * kmq_msg_spares_free - free spare messages
 * @chain: the messages, or NULL
 */
void kmq_msg_spares_free(struct kmq_msg *chain)
{
	while (chain) {
		struct kmq_msg *next = chain->next_spare;

		kmq_msg_release(chain);
		chain = next;
	}
}

/**
 * kmq_msg_drop - give a reference back, free the message with the last one
 * @msg: message
 */
void kmq_msg_drop(struct kmq_msg *msg)
{
	if (refcount_dec_and_test(&msg->ref))
		kmq_msg_free(msg);
}

/**
 * kmq_reply_alloc - make a pair of reply-to names
 * @q: ReplyToQ, KMQ_NAME_LEN bytes
 * @qmgr: ReplyToQMgr, KMQ_NAME_LEN bytes
 *
 * Return: the pair with one reference, or NULL.
 */
struct kmq_reply *kmq_reply_alloc(const u8 *q, const u8 *qmgr)
{
	struct kmq_reply *reply = kmalloc(sizeof(*reply), GFP_KERNEL_ACCOUNT);

	if (!reply)
		return NULL;
	refcount_set(&reply->ref, 1);
	reply->putter = NULL;
	reply->defined = false;
	memcpy(reply->q, q, KMQ_NAME_LEN);
	memcpy(reply->qmgr, qmgr, KMQ_NAME_LEN);
	return reply;
}

void kmq_reply_put(struct kmq_reply *reply)
{
	if (!refcount_dec_and_test(&reply->ref))
		return;
	if (reply->putter)
		put_cred(reply->putter);
	kfree(reply);
}

/*
 * Caches with a constructor are not cleared at each allocation. There is nothing
 * to gain from it here: every field is set before it is read, and of the data
 * only what was filled in is ever copied out.
 */
static void kmq_msg_construct(void *object)
{
	struct kmq_msg *msg = object;

	msg->state = KMQ_MSG_NEW;
}

int kmq_msg_cache_create(void)
{
	size_t head = offsetof(struct kmq_msg, data);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kmq_msg_sizes); i++) {
		kmq_msg_caches[i] =
			kmem_cache_create_usercopy(kmq_msg_sizes[i].name,
						   kmq_msg_sizes[i].size, 0,
						   SLAB_ACCOUNT |
						   SLAB_HWCACHE_ALIGN, head,
						   kmq_msg_sizes[i].size - head,
						   kmq_msg_construct);
		if (!kmq_msg_caches[i])
			goto destroy;
	}
	return 0;

destroy:
	kmq_msg_cache_destroy();
	return -ENOMEM;
}

void kmq_msg_cache_destroy(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kmq_msg_sizes); i++) {
		kmem_cache_destroy(kmq_msg_caches[i]);
		kmq_msg_caches[i] = NULL;
	}
}
