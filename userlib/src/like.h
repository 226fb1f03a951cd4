/* SPDX-License-Identifier: MIT */
/*
 * Batched puts and gets that are like the one before them.
 *
 * What the program gives is then compared, not taken apart again, and of what
 * comes back only what differs from message to message is looked at. Whatever
 * is unusual is left to put.c and get.c.
 */
#ifndef KMQ_LIKE_H
#define KMQ_LIKE_H

#include "get.h"
#include "md.h"
#include "put.h"

/* Options that leave nothing behind but the message and its identifiers. */
#define KMQ_LIKE_PMO	(MQPMO_SYNCPOINT | MQPMO_NO_SYNCPOINT | \
			 MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID | \
			 MQPMO_FAIL_IF_QUIESCING | MQPMO_DEFAULT_CONTEXT | \
			 MQPMO_SYNC_RESPONSE)
#define KMQ_LIKE_GMO	(MQGMO_WAIT | MQGMO_SYNCPOINT | MQGMO_NO_SYNCPOINT | \
			 MQGMO_ACCEPT_TRUNCATED_MSG | \
			 MQGMO_FAIL_IF_QUIESCING)
#define KMQ_LIKE_MATCH	(MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID)

/* What differs of two pieces of memory; @size is a constant, a multiple of 8. */
KMQ_INLINE uint64_t kmq_like_differ(const void *a, const void *b, size_t size)
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
KMQ_INLINE bool kmq_like_md(const MQMD *a, const MQMD *b)
{
	return !(kmq_like_differ(a, b, offsetof(MQMD, MsgId)) |
		 kmq_like_differ(a->ReplyToQ, b->ReplyToQ,
				 2 * KMQ_NAME_LEN)) &&
	       (a->Version < MQMD_VERSION_2 ||
		!kmq_like_differ(a->GroupId, b->GroupId, KMQ_MD_GROUP_SIZE));
}

/* Can a put be like @p at all? */
KMQ_INLINE bool kmq_like_put_may(const struct kmq_put *p,
				 const struct kmq_object *object)
{
	return p->md_version && p->pmo_version && !p->flags &&
	       !(p->options & ~KMQ_LIKE_PMO) &&
	       !(p->present & ~KMQ_MD_REPLY) &&
	       !kmq_stat_wanted(p->options, object->def_put_response);
}

/**
 * kmq_like_put() - make a put of one that is like it
 * @p: filled in
 * @before: the put before it, not carried out yet
 * @ext: room for what the put has besides
 * @md: descriptor of the program, like that of @before
 */
KMQ_INLINE void kmq_like_put(struct kmq_put *p, const struct kmq_put *before,
			     struct kmq_md_ext *ext, const MQMD *md)
{
	*p = *before;
	p->ext = (uintptr_t)ext;
	memcpy(kmq_md_ids(&p->md), KMQ_MD_AT(md, MsgId), KMQ_MD_IDS_SIZE);
	if (p->present)
		memcpy((char *)ext + offsetof(struct kmq_md_ext, reply_q),
		       md->ReplyToQ, 2 * KMQ_NAME_LEN);
}

/**
 * kmq_like_put_done() - give a descriptor its output
 * @p: the put, carried out
 * @conn: connection
 * @md: descriptor of the program
 *
 * The MQPMO has its output already, of the put before it.
 *
 * Return: false if there is more to it.
 */
KMQ_INLINE bool kmq_like_put_done(const struct kmq_put *p,
				  struct kmq_conn *conn, MQMD *md)
{
	if (unlikely(p->out_comp_code || p->out_present || !p->out_put_time))
		return false;
	kmq_origin_date(&conn->origin, &conn->dated, &conn->clock,
			p->out_put_time, NULL, 0);
	md->CodedCharSetId = p->md.ccsid;
	md->Priority = p->md.priority;
	md->Persistence = p->md.persistence;
	memcpy(KMQ_MD_AT(md, MsgId), kmq_md_ids(&p->md), KMQ_MD_IDS_SIZE);
	memcpy(KMQ_MD_AT(md, UserIdentifier), &conn->origin,
	       sizeof(conn->origin));
	return true;
}

/* Can a get be like @g at all? */
KMQ_INLINE bool kmq_like_get_may(const struct kmq_get *g)
{
	return g->md_version && g->gmo_version &&
	       !(g->options & ~KMQ_LIKE_GMO) &&
	       !(g->match_options & ~KMQ_LIKE_MATCH);
}

/* The same as kmq_like_put() for gets; it will not wait. */
KMQ_INLINE void kmq_like_get(struct kmq_get *g, const struct kmq_get *before,
			     struct kmq_md_ext *ext, const MQMD *md)
{
	*g = *before;
	g->options &= ~MQGMO_WAIT;
	g->ext = (uintptr_t)ext;
	memcpy(kmq_md_ids(&g->md), KMQ_MD_AT(md, MsgId), KMQ_MD_IDS_SIZE);
}

/**
 * kmq_like_get_done() - give a descriptor its output
 * @g: the get, carried out
 * @conn: connection
 * @object: queue handle
 * @ext: parts that came with the message
 * @md: descriptor of the program
 *
 * The MQGMO is left to the get behind it, which uses the same one.
 *
 * Return: false if there is more to it.
 */
KMQ_INLINE bool kmq_like_get_done(const struct kmq_get *g,
				  struct kmq_conn *conn,
				  struct kmq_object *object,
				  const struct kmq_md_ext *ext, MQMD *md)
{
	if (unlikely(g->out_comp_code || g->out_present & ~KMQ_MD_REPLY ||
		     g->out_flags || g->out_msg_flags || !g->out_put_time ||
		     g->ctx_id != object->ctx_id))
		return false;
	kmq_origin_date(&object->origin, &object->dated, &conn->clock,
			g->out_put_time, NULL, 0);
	memcpy(KMQ_MD_AT(md, Report), &g->md, sizeof(g->md));
	md->BackoutCount = g->out_backout_count;
	if (g->out_present)
		memcpy(md->ReplyToQ,
		       (const char *)ext + offsetof(struct kmq_md_ext, reply_q),
		       2 * KMQ_NAME_LEN);
	else
		memset(md->ReplyToQ, ' ', 2 * KMQ_NAME_LEN);
	memcpy(KMQ_MD_AT(md, UserIdentifier), &object->origin,
	       sizeof(object->origin));
	if (g->md_version >= MQMD_VERSION_2) {
		kmq_md_group_default(md);
		md->MsgFlags = 0;
	}
	return true;
}

#endif
