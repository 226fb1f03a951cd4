/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the KUnit suites share: a queue manager with queues, connections and
 * handles that no device knows, and messages described in one line.
 */
#ifndef KMQ_TESTS_FIXTURE_H
#define KMQ_TESTS_FIXTURE_H

#include <kunit/test.h>
#include <linux/slab.h>
#include "../conn.h"
#include "../handle.h"
#include "../limits.h"
#include "../mqi.h"
#include "../qmgr.h"
#include "../queue.h"
#include "../take.h"

#define KMQ_FIX_QUEUES	3
#define KMQ_FIX_HANDLES	12

/**
 * struct kmq_fix - one queue manager and what hangs off it; test->priv
 * @qmgr: queue manager
 * @queues: its queues; most tests use the first
 * @conns: connections
 * @handles: handles that were opened, freed at the end
 * @handle_count: how many
 */
struct kmq_fix {
	struct kmq_qmgr *qmgr;
	struct kmq_queue *queues[KMQ_FIX_QUEUES];
	struct kmq_conn *conns[KMQ_FIX_QUEUES];
	struct kmq_handle *handles[KMQ_FIX_HANDLES];
	int handle_count;
};

/**
 * struct kmq_spec - a message to be made; zero means the default
 * @id: number that becomes the MsgId, 0: null
 * @correl: the same for the CorrelId
 * @group: the same for the GroupId; not 0: the message has a group part
 * @seq: MsgSeqNumber, 0 stands for 1
 * @offset: Offset
 * @flags: MQMF_*
 * @length: bytes of data
 * @report: it is a report
 * @original: OriginalLength
 * @feedback: Feedback
 * @ccsid: CodedCharSetId
 * @encoding: Encoding
 * @priority: 0..9
 * @persistent: persistence
 * @deadline: CLOCK_MONOTONIC at which it expires, ns; 0: never
 */
struct kmq_spec {
	u64 id;
	u64 correl;
	u64 group;
	s32 seq;
	s32 offset;
	u32 flags;
	u32 length;
	bool report;
	s32 original;
	s32 feedback;
	s32 ccsid;
	s32 encoding;
	int priority;
	bool persistent;
	u64 deadline;
};

#define KMQ_SPEC(...) (&(const struct kmq_spec){ __VA_ARGS__ })

int kmq_fix_init(struct kunit *test);
void kmq_fix_exit(struct kunit *test);
int kmq_fix_suite_init(struct kunit_suite *suite);
void kmq_fix_suite_exit(struct kunit_suite *suite);

void kmq_fix_id(u8 *id, u64 number);
u64 kmq_fix_number(const u8 *id);
struct kmq_handle *kmq_fix_open(struct kunit *test, int conn, int queue,
				u32 may);
struct kmq_msg *kmq_fix_msg(struct kunit *test, const struct kmq_spec *spec);
struct kmq_msg *kmq_fix_admit(struct kunit *test, struct kmq_queue *queue,
			      const struct kmq_spec *spec);
struct kmq_msg *kmq_fix_put(struct kunit *test, struct kmq_queue *queue,
			    const struct kmq_spec *spec);
struct kmq_msg *kmq_fix_put_uow(struct kunit *test, struct kmq_conn *conn,
				struct kmq_queue *queue,
				const struct kmq_spec *spec);

/**
 * struct kmq_fix_get - a get whose judge is told what to say
 * @take: the get
 * @verdict: what judge() answers
 * @syncpoint: what it makes of the messages
 * @judged: how often it was asked
 */
struct kmq_fix_get {
	struct kmq_take take;
	enum kmq_verdict verdict;
	bool syncpoint;
	int judged;
};

void kmq_fix_get_init(struct kmq_fix_get *get, struct kmq_handle *handle,
		      bool remove);
enum kmq_take_result kmq_fix_try(struct kmq_fix_get *get);
struct kmq_msg *kmq_fix_remove(struct kunit *test, struct kmq_handle *handle,
			       bool syncpoint);

/* One at a time under the lock of the first queue. */
static inline struct kmq_fix *kmq_fix_of(struct kunit *test)
{
	return test->priv;
}

/* Numbers that are the same in each run. */
static inline u32 kmq_fix_random(u64 *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 33;
}

#define KMQ_SUITE(_name, _cases)					\
static struct kunit_suite _name##_suite = {				\
	.name = #_name,							\
	.suite_init = kmq_fix_suite_init,				\
	.suite_exit = kmq_fix_suite_exit,				\
	.init = kmq_fix_init,						\
	.exit = kmq_fix_exit,						\
	.test_cases = _cases,						\
};									\
kunit_test_suite(_name##_suite)

#endif /* KMQ_TESTS_FIXTURE_H */
