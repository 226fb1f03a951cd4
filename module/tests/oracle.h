/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A queue full of messages with few different identifiers, numbers and offsets,
 * and answers about it found by looking at every message (oracle.c).
 */
#ifndef KMQ_TESTS_ORACLE_H
#define KMQ_TESTS_ORACLE_H

#include "fixture.h"

#define KMQ_POP_MAX	96
#define KMQ_POP_GROUPS	3
#define KMQ_POP_SEQS	4

/**
 * struct kmq_pop - the messages of a queue
 * @test: running test
 * @queue: the queue
 * @msgs: messages on it, in no order
 * @count: how many
 * @state: of the random numbers
 */
struct kmq_pop {
	struct kunit *test;
	struct kmq_queue *queue;
	struct kmq_msg *msgs[KMQ_POP_MAX];
	int count;
	u64 state;
};

struct kmq_oracle_group {
	s32 reached;
	bool complete;
};

struct kmq_oracle_chain {
	s64 next_offset;
	bool complete;
	bool last_in_group;
};

void kmq_pop_init(struct kmq_pop *pop, struct kunit *test, u64 seed);
struct kmq_msg *kmq_pop_put(struct kmq_pop *pop, const struct kmq_spec *spec);
bool kmq_pop_filed_low(const struct kmq_msg *msg, int level);
void kmq_pop_end(struct kmq_pop *pop, int index);
void kmq_pop_hide(struct kmq_pop *pop, int index);
void kmq_pop_show(struct kmq_pop *pop, int index);
int kmq_pop_step(struct kmq_pop *pop);
void kmq_pop_show_all(struct kmq_pop *pop);

void kmq_oracle_chain(const struct kmq_pop *pop, u64 group, s32 seq,
		      bool report, struct kmq_oracle_chain *chain);
void kmq_oracle_group(const struct kmq_pop *pop, u64 group,
		      struct kmq_oracle_group *found);
int kmq_oracle_level(const struct kmq_pop *pop, const struct kmq_msg *msg);
bool kmq_oracle_whole(const struct kmq_pop *pop, const struct kmq_msg *msg);

static inline u64 kmq_group_number(const struct kmq_msg *msg)
{
	return msg->member ? kmq_fix_number(msg->member->id) : 0;
}

#endif /* KMQ_TESTS_ORACLE_H */
