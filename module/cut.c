// SPDX-License-Identifier: GPL-2.0
/*
 * Where the queue manager cuts a message into segments: after a multiple of 16
 * bytes, but never through one of the MQ headers at the front of the data
 * (M-SEG-6, P-SEG-4).
 *
 * The headers form a chain: the descriptor names the format of the first, each
 * names that of the one behind it. A header that is not what its format says is
 * taken for data of the application.
 */
#include <linux/minmax.h>
#include <linux/string.h>
#include "compat.h"
#include "cut.h"
#include "limits.h"
#include "mqi.h"

/* What most headers begin with. */
#define KMQ_MQH_STRUC_LENGTH	8
#define KMQ_MQH_ENCODING	12
#define KMQ_MQH_FORMAT		20
#define KMQ_MQH_LENGTH		28

/* The most that has to be read of a header. */
#define KMQ_HEADER_FRONT	144

/**
 * struct kmq_header_kind - a format that is an MQ header
 * @format: its name
 * @struc_id: what it begins with
 * @length: its length; 0: it says so itself
 * @encoding: where it has the encoding of what follows
 * @next: where it has the format of what follows
 */
struct kmq_header_kind {
	char format[9];
	char struc_id[5];
	u16 length;
	u8 encoding;
	u8 next;
};

#define KMQ_MQH(format, struc_id) \
	{ format, struc_id, 0, KMQ_MQH_ENCODING, KMQ_MQH_FORMAT }

static const struct kmq_header_kind kmq_header_kinds[] = {
	{ "MQDEAD  ", "DLH ", 172, 108, 116 },
	{ "MQXMIT  ", "XQH ", 428, 128, 136 },
	KMQ_MQH("MQCICS  ", "CIH "),
	KMQ_MQH("MQHDIST ", "DH  "),
	KMQ_MQH("MQHEPCF ", "EPH "),
	KMQ_MQH("MQHMDE  ", "MDE "),
	KMQ_MQH("MQHREF  ", "RMH "),
	KMQ_MQH("MQHRF   ", "RFH "),
	KMQ_MQH("MQHRF2  ", "RFH "),
	KMQ_MQH("MQHWIH  ", "WIH "),
	KMQ_MQH("MQIMS   ", "IIH "),
};

static const struct kmq_header_kind *kmq_header_kind(const u8 *format)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kmq_header_kinds); i++)
		if (!memcmp(kmq_header_kinds[i].format, format, 8))
			return &kmq_header_kinds[i];
	return NULL;
}

static s32 kmq_header_number(const u8 *at, s32 encoding)
{
	if ((encoding & MQENC_INTEGER_MASK) == MQENC_INTEGER_NORMAL)
		return get_unaligned_be32(at);
	return get_unaligned_le32(at);
}

/* No more headers. */
static void kmq_cut_headers_end(struct kmq_cut *cut)
{
	cut->end = cut->begin;
}

/* Look at the header at @cut->begin, of which @front is the beginning. */
static void kmq_cut_judge(struct kmq_cut *cut,
			  const struct kmq_header_kind *kind, const u8 *front)
{
	s32 length = kind->length;

	if (!length)
		length = kmq_header_number(front + KMQ_MQH_STRUC_LENGTH,
					   cut->encoding);
	if (memcmp(front, kind->struc_id, 4) || length < KMQ_MQH_LENGTH ||
	    length > cut->length - cut->begin) {
		kmq_cut_headers_end(cut);
		return;
	}
	cut->end = cut->begin + length;
	cut->encoding = kmq_header_number(front + kind->encoding,
					  cut->encoding);
	memcpy(cut->format, front + kind->next, sizeof(cut->format));
}

/*
 * Find out where the header at @cut->begin ends. @data begins with byte @at of
 * the message, which is not behind that.
 */
static int kmq_cut_header(struct kmq_cut *cut, s32 at,
			  const struct iov_iter *data)
{
	const struct kmq_header_kind *kind = kmq_header_kind(cut->format);
	struct iov_iter from = *data;
	u8 front[KMQ_HEADER_FRONT];
	size_t need;

	cut->end = cut->begin;
	if (!kind)
		return 0;
	need = kind->next + sizeof(cut->format);
	if (need > cut->length - cut->begin)
		return 0;
	iov_iter_advance(&from, cut->begin - at);
	if (copy_from_iter(front, need, &from) != need)
		return -EFAULT;
	kmq_cut_judge(cut, kind, front);
	return 0;
}

/**
 * kmq_cut_begin - begin to cut a message
 * @cut: limit, length, encoding and format are set, the two of the descriptor;
 *	a message that begins within another one has no format
 * @data: the data, which is not consumed
 *
 * Return: 0, or -EFAULT for data that cannot be read.
 */
int kmq_cut_begin(struct kmq_cut *cut, const struct iov_iter *data)
{
	cut->begin = 0;
	return kmq_cut_header(cut, 0, data);
}

/**
 * kmq_cut_next - the length of the next piece
 * @cut: what is being cut
 * @at: where the piece begins, which is where the one before it ended
 * @data: the data from there on, which is not consumed
 *
 * Return: bytes, or -EFAULT for data that cannot be read; -EMSGSIZE if a header
 * is longer than a piece may be.
 */
int kmq_cut_next(struct kmq_cut *cut, s32 at, const struct iov_iter *data)
{
	s32 rest = cut->length - at;
	s32 piece = round_down(cut->limit, KMQ_MIN_PIECE);
	s32 end = at + piece;
	int err;

	if (rest <= piece)
		return rest;
	while (cut->end != cut->begin && cut->end <= end) {
		cut->begin = cut->end;
		err = kmq_cut_header(cut, at, data);
		if (err)
			return err;
	}
	if (cut->end == cut->begin || cut->begin >= end)
		return piece;
	/* The header does not end there: with it, else without it. */
	if (cut->end - at <= cut->limit)
		return cut->end - at;
	return cut->begin > at ? cut->begin - at : -EMSGSIZE;
}
