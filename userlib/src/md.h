/* SPDX-License-Identifier: MIT */
/*
 * Message descriptors: how an MQMD lies beside the kernel's form of it.
 */
#ifndef KMQ_MD_H
#define KMQ_MD_H

#include "context.h"
#include "internal.h"
#include "name.h"

/*
 * Report to CorrelId of an MQMD are a struct kmq_md as they stand, the context
 * fields a struct kmq_origin, GroupId to OriginalLength the beginning of a
 * struct kmq_md_ext.
 */
#define KMQ_MD_AT(md, field)	((char *)(md) + offsetof(MQMD, field))

_Static_assert(offsetof(MQMD, BackoutCount) - offsetof(MQMD, Report) ==
		       sizeof(struct kmq_md), "kmq_md is no part of MQMD");
_Static_assert(offsetof(MQMD, Format) - offsetof(MQMD, Report) ==
		       offsetof(struct kmq_md, format), "Format moved");
_Static_assert(offsetof(MQMD, MsgId) - offsetof(MQMD, Report) ==
		       offsetof(struct kmq_md, msg_id), "MsgId moved");
_Static_assert(sizeof(MQMD) - offsetof(MQMD, GroupId) ==
		       offsetof(struct kmq_md_ext, reply_q), "GroupId moved");
_Static_assert(offsetof(MQMD, MsgFlags) - offsetof(MQMD, GroupId) ==
		       offsetof(struct kmq_md_ext, msg_flags), "MsgFlags moved");

#define KMQ_MD_GROUP_SIZE	offsetof(struct kmq_md_ext, reply_q)
#define KMQ_MD_IDS_SIZE		(2 * KMQ_ID_LEN)

/* MsgId and CorrelId together. */
KMQ_INLINE void *kmq_md_ids(const struct kmq_md *md)
{
	return (char *)md + offsetof(struct kmq_md, msg_id);
}

KMQ_INLINE MQLONG kmq_md_version(const MQMD *md)
{
	return kmq_version_of(md, MQMD_STRUC_ID, MQMD_VERSION_2);
}

/* The five fields of version 2 are as MQMD_DEFAULT has them. */
KMQ_INLINE bool kmq_md_group_is_default(const MQMD *md)
{
	static const MQLONG rest[] = { 1, 0, MQMF_NONE, MQOL_UNDEFINED };
	uint64_t have[KMQ_MD_GROUP_SIZE / 8], want[2];

	memcpy(have, KMQ_MD_AT(md, GroupId), sizeof(have));
	memcpy(want, rest, sizeof(want));
	return !(have[0] | have[1] | have[2] | (have[3] ^ want[0]) |
		 (have[4] ^ want[1]));
}

KMQ_INLINE void kmq_md_group_default(MQMD *md)
{
	memset(md->GroupId, 0, sizeof(md->GroupId));
	md->MsgSeqNumber = 1;
	md->Offset = 0;
	md->OriginalLength = MQOL_UNDEFINED;
}

/* What differs of two parts of MQMDs; @size is a constant, a multiple of 8. */
KMQ_INLINE uint64_t kmq_md_differ(const void *a, const void *b, size_t size)
{
	const char *x = a, *y = b;
	uint64_t differ = 0, u, v;
	size_t i;

#pragma GCC unroll 16
	for (i = 0; i < size; i += sizeof(u)) {
		memcpy(&u, x + i, sizeof(u));
		memcpy(&v, y + i, sizeof(v));
		differ |= u ^ v;
	}
	return differ;
}

/* Two descriptors, of a version known, say the same but for the identifiers. */
KMQ_INLINE bool kmq_md_alike(const MQMD *a, const MQMD *b)
{
	return !(kmq_md_differ(a, b, offsetof(MQMD, MsgId)) |
		 kmq_md_differ(a->ReplyToQ, b->ReplyToQ,
				 2 * KMQ_NAME_LEN)) &&
	       (a->Version < MQMD_VERSION_2 ||
		!kmq_md_differ(a->GroupId, b->GroupId, KMQ_MD_GROUP_SIZE));
}

/* A Format, blank or null padded, is the name @name of 8 characters. */
KMQ_INLINE bool kmq_format_is(const MQCHAR *format, const char *name)
{
	return unlikely(!memcmp(format, name, 4)) &&
	       kmq_name_equal(format, name, 8);
}

#endif
