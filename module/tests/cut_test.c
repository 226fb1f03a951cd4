// SPDX-License-Identifier: GPL-2.0
/*
 * Where a message is cut into segments (M-SEG-6, P-SEG-4): lengths of the pieces
 * for data with and without MQ headers at its front.
 */
#include <linux/string.h>
#include "../compat.h"
#include "../cut.h"
#include "../mqi.h"
#include "fixture.h"

#define KMQ_CUT_DATA	2048
#define KMQ_CUT_PIECES	12

#define RFH2	"MQHRF2  "
#define DEAD	"MQDEAD  "
#define STR	"MQSTR   "

/* The other byte order. */
#define KMQ_FOREIGN	0x111

/* A header of the test's data: @format names what it is itself. */
struct kmq_cut_header {
	const char *format;
	s32 length;
	s32 encoding;
};

struct kmq_cut_case {
	const char *name;
	s32 limit;
	s32 length;
	struct kmq_cut_header headers[3];
	s32 pieces[KMQ_CUT_PIECES];
};

static const struct kmq_cut_case kmq_cut_cases[] = {
	{ "no header", 100, 196, {}, { 96, 96, 4 } },
	{ "no header, limit of 16s", 96, 192, {}, { 96, 96 } },
	{ "header inside the first piece", 100, 200,
	  { { RFH2, 36, MQENC_NATIVE } }, { 96, 96, 8 } },
	{ "header ends with the piece", 100, 200,
	  { { RFH2, 96, MQENC_NATIVE } }, { 96, 96, 8 } },
	{ "header fits, but not a multiple of 16", 110, 250,
	  { { RFH2, 100, MQENC_NATIVE } }, { 100, 96, 54 } },
	{ "header as long as the limit", 110, 250,
	  { { RFH2, 110, MQENC_NATIVE } }, { 110, 96, 44 } },
	{ "header too long", 110, 250,
	  { { RFH2, 111, MQENC_NATIVE } }, { -EMSGSIZE } },
	{ "dead-letter header too long", 170, 400,
	  { { DEAD, 172, MQENC_NATIVE } }, { -EMSGSIZE } },
	{ "dead-letter header", 176, 400,
	  { { DEAD, 172, MQENC_NATIVE } }, { 176, 176, 48 } },
	{ "cut in front of the second header", 200, 500,
	  { { DEAD, 172, MQENC_NATIVE }, { RFH2, 60, MQENC_NATIVE } },
	  { 172, 192, 136 } },
	{ "second header too long", 200, 500,
	  { { DEAD, 172, MQENC_NATIVE }, { RFH2, 204, MQENC_NATIVE } },
	  { 172, -EMSGSIZE } },
	{ "three headers", 100, 400,
	  { { RFH2, 40, MQENC_NATIVE }, { RFH2, 44, KMQ_FOREIGN },
	    { RFH2, 50, MQENC_NATIVE } }, { 84, 96, 96, 96, 28 } },
	{ "byte order of its own", 100, 200,
	  { { RFH2, 98, KMQ_FOREIGN } }, { 98, 96, 6 } },
	{ "header longer than the message", 100, 200,
	  { { RFH2, 201, MQENC_NATIVE } }, { 96, 96, 8 } },
	{ "header shorter than any", 100, 200,
	  { { RFH2, 27, MQENC_NATIVE } }, { 96, 96, 8 } },
	{ "negative length", 100, 200,
	  { { RFH2, -5, MQENC_NATIVE } }, { 96, 96, 8 } },
};

static void kmq_cut_number(u8 *at, s32 value, s32 encoding)
{
	if (encoding == KMQ_FOREIGN)
		put_unaligned_be32(value, at);
	else
		put_unaligned_le32(value, at);
}

/* Write the headers of a case. The last is followed by text. */
static void kmq_cut_write(u8 *data, const struct kmq_cut_case *c)
{
	unsigned int i;

	memset(data, 'x', KMQ_CUT_DATA);
	for (i = 0; i < 3 && c->headers[i].format; i++) {
		const struct kmq_cut_header *h = &c->headers[i], *next = h + 1;
		bool last = i == 2 || !next->format;
		s32 encoding = last ? MQENC_NATIVE : next->encoding;
		const char *format = last ? STR : next->format;
		bool dead = !strcmp(h->format, DEAD);

		memcpy(data, dead ? "DLH " : "RFH ", 4);
		if (!dead)
			kmq_cut_number(data + 8, h->length, h->encoding);
		kmq_cut_number(data + (dead ? 108 : 12), encoding, h->encoding);
		memcpy(data + (dead ? 116 : 20), format, 8);
		if (h->length > 0)
			data += h->length;
	}
}

static void kmq_cut_run(struct kunit *test, const struct kmq_cut_case *c,
			u8 *data)
{
	struct kmq_cut cut = {
		.limit = c->limit,
		.length = c->length,
		.encoding = c->headers[0].encoding,
	};
	struct kvec vec = { .iov_base = data, .iov_len = c->length };
	struct iov_iter iter;
	unsigned int i;
	s32 at = 0;

	memcpy(cut.format, c->headers[0].format ?: STR, sizeof(cut.format));
	kmq_cut_write(data, c);
	iov_iter_kvec(&iter, ITER_SOURCE, &vec, 1, c->length);
	KUNIT_ASSERT_EQ(test, 0, kmq_cut_begin(&cut, &iter));
	for (i = 0; i < KMQ_CUT_PIECES && at < c->length; i++) {
		int piece = kmq_cut_next(&cut, at, &iter);

		KUNIT_ASSERT_EQ_MSG(test, c->pieces[i], piece, "%s, piece %u",
				    c->name, i);
		if (piece < 0)
			return;
		iov_iter_advance(&iter, piece);
		at += piece;
	}
	KUNIT_EXPECT_EQ_MSG(test, c->length, at, "%s", c->name);
}

/* M-SEG-6, P-SEG-4 */
static void kmq_cut_pieces(struct kunit *test)
{
	u8 *data = kunit_kmalloc(test, KMQ_CUT_DATA, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, data);
	for (i = 0; i < ARRAY_SIZE(kmq_cut_cases); i++)
		kmq_cut_run(test, &kmq_cut_cases[i], data);
}

static struct kunit_case kmq_cut_tests[] = {
	KUNIT_CASE(kmq_cut_pieces),
	{}
};

KMQ_SUITE(kmq_cut, kmq_cut_tests);
