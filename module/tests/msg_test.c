// SPDX-License-Identifier: GPL-2.0
/*
 * Message memory: every size at which its shape changes.
 */
#include <linux/mm.h>
#include <linux/uio.h>
#include <linux/vmalloc.h>
#include "../context.h"
#include "fixture.h"

/* The caches and chunks of msg.c, written down a second time on purpose. */
static const unsigned int kmq_sizes[] = { 376, 504, 568, 1016, 2040, 4088 };

#define KMQ_HEAD	sizeof(struct kmq_msg)
#define KMQ_MEMBER	sizeof(struct kmq_member)
#define KMQ_INLINE_MAX	(4088 - KMQ_HEAD)
#define KMQ_SMALL	(PAGE_SIZE - sizeof(struct kmq_chunk))
#define KMQ_LARGE	(8 * PAGE_SIZE - sizeof(struct kmq_chunk))

static const u32 kmq_msg_lengths[] = {
	0, 1,
	376 - KMQ_HEAD - 1, 376 - KMQ_HEAD, 376 - KMQ_HEAD + 1,
	504 - KMQ_HEAD - KMQ_MEMBER - 1, 504 - KMQ_HEAD - KMQ_MEMBER,
	504 - KMQ_HEAD - KMQ_MEMBER + 1,
	504 - KMQ_HEAD - 1, 504 - KMQ_HEAD, 504 - KMQ_HEAD + 1,
	568 - KMQ_HEAD - 1, 568 - KMQ_HEAD, 568 - KMQ_HEAD + 1,
	1016 - KMQ_HEAD - 1, 1016 - KMQ_HEAD, 1016 - KMQ_HEAD + 1,
	2040 - KMQ_HEAD - 1, 2040 - KMQ_HEAD, 2040 - KMQ_HEAD + 1,
	KMQ_INLINE_MAX - KMQ_MEMBER - 1, KMQ_INLINE_MAX - KMQ_MEMBER,
	KMQ_INLINE_MAX - KMQ_MEMBER + 1,
	KMQ_INLINE_MAX - 1, KMQ_INLINE_MAX, KMQ_INLINE_MAX + 1,
	KMQ_INLINE_MAX + KMQ_SMALL - 1, KMQ_INLINE_MAX + KMQ_SMALL,
	KMQ_INLINE_MAX + KMQ_SMALL + 1,
	KMQ_INLINE_MAX + KMQ_LARGE - 1, KMQ_INLINE_MAX + KMQ_LARGE,
	KMQ_INLINE_MAX + KMQ_LARGE + 1,
	KMQ_INLINE_MAX + 2 * KMQ_LARGE, KMQ_INLINE_MAX + 2 * KMQ_LARGE + 1,
	KMQ_INLINE_MAX + 2 * KMQ_LARGE + KMQ_SMALL + 1,
	1 << 20,
};

static void kmq_length_describe(const u32 *length, char *text)
{
	snprintf(text, KUNIT_PARAM_DESC_SIZE, "%u bytes", *length);
}

KUNIT_ARRAY_PARAM(kmq_length, kmq_msg_lengths, kmq_length_describe);

static u32 kmq_expected_inline(u32 length, bool member)
{
	return min_t(u32, length, KMQ_INLINE_MAX - (member ? KMQ_MEMBER : 0));
}

static u32 kmq_expected_memory(u32 length, bool member)
{
	u32 head = KMQ_HEAD + (member ? KMQ_MEMBER : 0);
	unsigned int i = 0;
	u32 memory, rest;

	while (i < ARRAY_SIZE(kmq_sizes) - 1 &&
	       head + length > kmq_sizes[i])
		i++;
	memory = kmq_sizes[i];
	for (rest = length - kmq_expected_inline(length, member); rest;) {
		u32 size = PAGE_SIZE;

		while (size < 8 * PAGE_SIZE &&
		       size < rest + sizeof(struct kmq_chunk))
			size *= 2;
		memory += size;
		rest -= min_t(u32, rest, size - sizeof(struct kmq_chunk));
	}
	return memory;
}

static void kmq_iter_of(struct iov_iter *iter, struct kvec *vec,
			unsigned int direction, void *data, size_t n)
{
	vec->iov_base = data;
	vec->iov_len = n;
	iov_iter_kvec(iter, direction, vec, 1, n);
}

static void *kmq_pattern(struct kunit *test, u32 length)
{
	u8 *data = vmalloc(length + 1);
	u64 state = length;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, data);
	for (i = 0; i < length; i++)
		data[i] = kmq_fix_random(&state);
	data[length] = 0xa5;
	return data;
}

/* What goes in comes out, byte by byte, and is accounted for. */
static void kmq_expect_round_trip(struct kunit *test, u32 length, bool member)
{
	struct kmq_msg *msg = kmq_msg_alloc(length, member);
	u8 *in = kmq_pattern(test, length);
	u8 *out = vzalloc(length + 1);
	const struct kmq_chunk *chunk;
	struct iov_iter iter;
	struct kvec vec;
	u64 sum;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, msg);
	KUNIT_ASSERT_NOT_NULL(test, out);
	KUNIT_EXPECT_EQ(test, msg->length, length);
	KUNIT_EXPECT_EQ(test, msg->inline_length,
			kmq_expected_inline(length, member));
	KUNIT_EXPECT_EQ(test, msg->memory, kmq_expected_memory(length, member));
	KUNIT_EXPECT_EQ(test, !!msg->member, member);
	if (member)
		memset(msg->member->id, 0xee, KMQ_ID_LEN);
	sum = msg->inline_length;
	for (chunk = msg->more; chunk; chunk = chunk->next)
		sum += chunk->length;
	KUNIT_EXPECT_EQ(test, sum, length);

	kmq_iter_of(&iter, &vec, ITER_SOURCE, in, length);
	KUNIT_EXPECT_EQ(test, kmq_msg_fill(msg, &iter), 0);
	out[length] = 0x5a;
	kmq_iter_of(&iter, &vec, ITER_DEST, out, length);
	KUNIT_EXPECT_EQ(test, kmq_msg_copy_out(msg, length, &iter), 0);
	KUNIT_EXPECT_EQ(test, memcmp(in, out, length), 0);
	KUNIT_EXPECT_EQ(test, out[length], 0x5a);
	if (member) {
		KUNIT_EXPECT_PTR_EQ(test, msg->member->msg, msg);
		KUNIT_EXPECT_EQ(test, msg->member->id[KMQ_ID_LEN - 1], 0xee);
	}
	kmq_msg_drop(msg);
	vfree(in);
	vfree(out);
}

static void kmq_msg_round_trip(struct kunit *test)
{
	u32 length = *(const u32 *)test->param_value;

	kmq_expect_round_trip(test, length, false);
	kmq_expect_round_trip(test, length, true);
}

/* G-TRN: any leading part can be copied, and nothing behind it is. */
static void kmq_msg_parts(struct kunit *test)
{
	const u32 length = KMQ_INLINE_MAX + 2 * KMQ_LARGE + 100;
	const u32 cuts[] = {
		0, 1, KMQ_INLINE_MAX - 1, KMQ_INLINE_MAX, KMQ_INLINE_MAX + 1,
		KMQ_INLINE_MAX + KMQ_LARGE, KMQ_INLINE_MAX + KMQ_LARGE + 1,
		length - 1, length,
	};
	struct kmq_msg *msg = kmq_msg_alloc(length, false);
	u8 *in = kmq_pattern(test, length);
	u8 *out = vzalloc(length + 1);
	struct iov_iter iter;
	struct kvec vec;
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, msg);
	KUNIT_ASSERT_NOT_NULL(test, out);
	kmq_iter_of(&iter, &vec, ITER_SOURCE, in, length);
	KUNIT_ASSERT_EQ(test, kmq_msg_fill(msg, &iter), 0);
	for (i = 0; i < ARRAY_SIZE(cuts); i++) {
		memset(out, 0x5a, length + 1);
		kmq_iter_of(&iter, &vec, ITER_DEST, out, length);
		KUNIT_EXPECT_EQ(test, kmq_msg_copy_out(msg, cuts[i], &iter), 0);
		KUNIT_EXPECT_EQ(test, memcmp(in, out, cuts[i]), 0);
		KUNIT_EXPECT_EQ(test, out[cuts[i]], 0x5a);
	}
	kmq_msg_drop(msg);
	vfree(in);
	vfree(out);
}

/* A source or destination that is too short is a fault wherever it ends. */
static void kmq_msg_faults(struct kunit *test)
{
	const u32 length = KMQ_INLINE_MAX + KMQ_LARGE + 100;
	const u32 cuts[] = { 0, KMQ_INLINE_MAX - 1, KMQ_INLINE_MAX,
			     KMQ_INLINE_MAX + KMQ_LARGE, length - 1 };
	struct kmq_msg *msg = kmq_msg_alloc(length, true);
	u8 *data = kmq_pattern(test, length);
	struct iov_iter iter;
	struct kvec vec;
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, msg);
	KUNIT_ASSERT_NOT_NULL(test, msg->member);
	KUNIT_EXPECT_PTR_EQ(test, msg->member->msg, msg);
	KUNIT_EXPECT_EQ(test, msg->memory, kmq_expected_memory(length, true));
	for (i = 0; i < ARRAY_SIZE(cuts); i++) {
		kmq_iter_of(&iter, &vec, ITER_SOURCE, data, cuts[i]);
		KUNIT_EXPECT_EQ(test, kmq_msg_fill(msg, &iter), -EFAULT);
		kmq_iter_of(&iter, &vec, ITER_DEST, data, cuts[i]);
		KUNIT_EXPECT_EQ(test, kmq_msg_copy_out(msg, length, &iter),
				-EFAULT);
	}
	kmq_msg_drop(msg);
	vfree(data);
}

/* Design 6: a 64-byte message costs at most 512 bytes, group part and all. */
static void kmq_msg_is_small(struct kunit *test)
{
	struct kmq_msg *msg = kmq_msg_alloc(64, true);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, msg);
	KUNIT_EXPECT_LE(test, msg->memory, 512);
	KUNIT_EXPECT_EQ(test, msg->state, KMQ_MSG_NEW);
	KUNIT_EXPECT_EQ(test, refcount_read(&msg->ref), 1);
	KUNIT_EXPECT_TRUE(test, list_empty(&msg->link));
	KUNIT_EXPECT_TRUE(test, hlist_empty(&msg->marks));
	KUNIT_EXPECT_FALSE(test, kmq_msg_expired(msg, U64_MAX));
	kmq_msg_drop(msg);
}

/* M-EXP-4: at its deadline a message has expired, before it has not. */
static void kmq_msg_expiry(struct kunit *test)
{
	struct kmq_msg *msg = kmq_msg_alloc(0, false);
	u32 memory = msg->memory;

	KUNIT_ASSERT_EQ(test, kmq_msg_add_expiry(msg, 1000), 0);
	KUNIT_EXPECT_EQ(test, msg->memory - memory, sizeof(struct kmq_expiry));
	KUNIT_EXPECT_FALSE(test, kmq_msg_expired(msg, 999));
	KUNIT_EXPECT_TRUE(test, kmq_msg_expired(msg, 1000));
	KUNIT_EXPECT_TRUE(test, kmq_msg_expired(msg, 1001));
	kmq_msg_drop(msg);
}

/* Context and reply names are shared by reference and go with the last one. */
static void kmq_msg_shares(struct kunit *test)
{
	u8 q[KMQ_NAME_LEN] = "REPLY", qmgr[KMQ_NAME_LEN] = "QM";
	struct kmq_context_ref *a = kmq_context_alloc();
	struct kmq_context_ref *b = kmq_context_copy(a);
	struct kmq_reply *reply = kmq_reply_alloc(q, qmgr);
	struct kmq_msg *msg = kmq_msg_alloc(10, false);

	KUNIT_ASSERT_NOT_NULL(test, a);
	KUNIT_ASSERT_NOT_NULL(test, b);
	KUNIT_ASSERT_NOT_NULL(test, reply);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, msg);
	KUNIT_EXPECT_NE(test, a->id, b->id);
	KUNIT_EXPECT_EQ(test, a->c.appl_type, MQAT_NO_CONTEXT);
	KUNIT_EXPECT_EQ(test, memcmp(&a->c, &b->c, sizeof(a->c)), 0);
	msg->context = kmq_context_get(a);
	refcount_inc(&reply->ref);
	msg->reply = reply;
	KUNIT_EXPECT_EQ(test, refcount_read(&a->ref), 2);
	kmq_msg_hold(msg);
	kmq_msg_drop(msg);
	KUNIT_EXPECT_EQ(test, refcount_read(&reply->ref), 2);
	kmq_msg_drop(msg);
	KUNIT_EXPECT_EQ(test, refcount_read(&reply->ref), 1);
	KUNIT_EXPECT_EQ(test, refcount_read(&a->ref), 1);
	KUNIT_EXPECT_EQ(test, memcmp(reply->q, q, KMQ_NAME_LEN), 0);
	KUNIT_EXPECT_EQ(test, memcmp(reply->qmgr, qmgr, KMQ_NAME_LEN), 0);
	kmq_reply_put(reply);
	kmq_context_put(a);
	kmq_context_put(b);
}

/* A spare message is used again for one of its kind only, and begins anew. */
static void kmq_msg_spare_kinds(struct kunit *test)
{
	struct kmq_msg *plain = kmq_msg_alloc(10, false);
	struct kmq_msg *member = kmq_msg_alloc(20, true);
	struct kmq_msg *spares = NULL, *again;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, plain);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, member);
	member->member->signalled = 7;
	kmq_msg_retire(plain, &spares);
	kmq_msg_retire(member, &spares);
	KUNIT_ASSERT_PTR_EQ(test, spares, member);
	KUNIT_EXPECT_NULL(test, kmq_msg_reuse(&spares, 10, false));
	KUNIT_EXPECT_NULL(test, kmq_msg_reuse(&spares, 1000, true));
	KUNIT_EXPECT_PTR_EQ(test, spares, member);
	again = kmq_msg_reuse(&spares, 1, true);
	KUNIT_ASSERT_PTR_EQ(test, again, member);
	KUNIT_ASSERT_NOT_NULL(test, again->member);
	KUNIT_EXPECT_PTR_EQ(test, again->member->msg, again);
	KUNIT_EXPECT_EQ(test, (u64)again->member->signalled, 0);
	KUNIT_EXPECT_EQ(test, again->memory, 504);
	KUNIT_EXPECT_NULL(test, kmq_msg_reuse(&spares, 1, true));
	again = kmq_msg_reuse(&spares, 2, false);
	KUNIT_ASSERT_PTR_EQ(test, again, plain);
	KUNIT_EXPECT_NULL(test, again->member);
	KUNIT_EXPECT_EQ(test, again->memory, 376);
	KUNIT_EXPECT_NULL(test, spares);
	kmq_msg_drop(plain);
	kmq_msg_drop(member);
}

static struct kunit_case kmq_msg_cases[] = {
	KUNIT_CASE_PARAM(kmq_msg_round_trip, kmq_length_gen_params),
	KUNIT_CASE(kmq_msg_parts),
	KUNIT_CASE(kmq_msg_faults),
	KUNIT_CASE(kmq_msg_is_small),
	KUNIT_CASE(kmq_msg_expiry),
	KUNIT_CASE(kmq_msg_shares),
	KUNIT_CASE(kmq_msg_spare_kinds),
	{}
};

KMQ_SUITE(kmq_msg, kmq_msg_cases);
