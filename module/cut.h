/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_CUT_H
#define KMQ_CUT_H

#include <linux/types.h>
#include <linux/uio.h>

/**
 * struct kmq_cut - where a message is cut into pieces (P-SEG-4)
 * @limit: longest piece
 * @length: bytes of message data
 * @begin: where the MQ header begins that is looked at
 * @end: where it ends; @begin if there are no more headers
 * @encoding: encoding of that header
 * @format: name of that header's format
 */
struct kmq_cut {
	s32 limit;
	s32 length;
	s32 begin;
	s32 end;
	s32 encoding;
	u8 format[8];
};

int kmq_cut_begin(struct kmq_cut *cut, const struct iov_iter *data);
int kmq_cut_next(struct kmq_cut *cut, s32 at, const struct iov_iter *data);

#endif /* KMQ_CUT_H */
