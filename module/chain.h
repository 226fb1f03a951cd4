/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_CHAIN_H
#define KMQ_CHAIN_H

#include <linux/types.h>

struct kmq_group;
struct kmq_member;
struct kmq_segments;
struct kmq_store;

/**
 * DOC: Chains
 *
 * Where several segments have the same place, or reports of several kinds lie
 * side by side, a logical message has many beginnings (G-CPL-11, G-RAS-8). Each
 * leads to one next place, as only the first segment of a place counts, so what
 * lies behind a place is common to all that lead there: a segment begins a *whole*
 * chain if it is a last one or if the first segment of the next place begins one.
 *
 * This is kept for the first segment of each place and for all heads, in
 * kmq_member.whole. A change that makes no difference to its place makes none to
 * any other. If it does, it counts for the places in front, and nobody follows
 * that up before somebody asks: kmq_segments.stale is the offset up to which
 * places are to be judged anew, from behind, each once. So a put costs what
 * finding the place costs, and a question a step for each place in front of the
 * last change, however many there are who ask and however many heads.
 */
void kmq_chain_arrived(const struct kmq_group *group,
		       struct kmq_segments *segments, struct kmq_member *item);
void kmq_chain_leaving(const struct kmq_group *group,
		       struct kmq_segments *segments,
		       const struct kmq_member *item);
bool kmq_chain_judge(const struct kmq_group *group,
		     const struct kmq_segments *segments,
		     const struct kmq_member *item);
bool kmq_chain_settle(struct kmq_store *store, struct kmq_group *group,
		      struct kmq_segments *segments, u32 *steps);

#endif /* KMQ_CHAIN_H */
