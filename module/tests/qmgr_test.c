// SPDX-License-Identifier: GPL-2.0
/*
 * Queue managers: identifiers, names, and the order of the queues.
 */
#include <linux/completion.h>
#include <linux/ktime.h>
#include "../attr.h"
#include "../compat.h"
#include "../store.h"
#include "fixture.h"

#define KMQ_NAMES	60

/* M-ID-2, P-OPT-12: unique, ascending, and made of what they shall be. */
static void kmq_qmgr_ids(struct kunit *test)
{
	struct kmq_qmgr *qmgr = kmq_fix_of(test)->qmgr;
	u8 last[KMQ_ID_LEN] = {}, id[KMQ_ID_LEN];
	int i, wrong = 0;

	for (i = 0; i < 20000; i++) {
		kmq_qmgr_new_id(qmgr, id);
		wrong += kmq_id_compare(last, id) >= 0;
		memcpy(last, id, sizeof(id));
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_EQ(test, memcmp(id, "AMQ TEST        ", 16), 0);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(id + 16), (u32)qmgr->epoch);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(id + 20), 20000);
}

/* When the counter wraps the epoch moves on: still no identifier twice. */
static void kmq_qmgr_id_wraps(struct kunit *test)
{
	struct kmq_qmgr *qmgr = kmq_fix_of(test)->qmgr;
	u8 a[KMQ_ID_LEN], b[KMQ_ID_LEN];

	atomic64_set(&qmgr->next_id, U32_MAX - 1);
	kmq_qmgr_new_id(qmgr, a);
	kmq_qmgr_new_id(qmgr, b);
	KUNIT_EXPECT_LT(test, kmq_id_compare(a, b), 0);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(b + 16),
			(u32)qmgr->epoch + 1);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(b + 20), 0);
}

struct kmq_name_case {
	const char *text;
	bool valid;
};

/* O-NAME-1 */
static const struct kmq_name_case kmq_name_cases[] = {
	{ "A", true },
	{ "azAZ09./_%", true },
	{ "SYSTEM.DEFAULT.LOCAL.QUEUE", true },
	{ "123456789012345678901234567890123456789012345678", true },
	{ "12345678901234567890123456789012345678901234567-", false },
	{ "", false },
	{ " A", false },
	{ "A B", false },
	{ "A-B", false },
	{ "A\tB", false },
	{ "A*", false },
	{ "\xc4", false },
	{ "A\x7f", false },
};

static void kmq_name_describe(const struct kmq_name_case *name, char *text)
{
	snprintf(text, KUNIT_PARAM_DESC_SIZE, "name %d",
		 (int)(name - kmq_name_cases) + 1);
}

KUNIT_ARRAY_PARAM(kmq_names, kmq_name_cases, kmq_name_describe);

static void kmq_qmgr_names(struct kunit *test)
{
	const struct kmq_name_case *c = test->param_value;
	u8 name[KMQ_NAME_LEN] = {};

	memcpy(name, c->text, strlen(c->text));
	kmq_name_pad(name, sizeof(name));
	KUNIT_EXPECT_EQ(test, kmq_name_is_valid(name), c->valid);
}

/* M-MD-3: what follows the first null is ignored. */
static void kmq_qmgr_pads(struct kunit *test)
{
	u8 name[KMQ_NAME_LEN];

	memset(name, 'x', sizeof(name));
	name[3] = 0;
	kmq_name_pad(name, sizeof(name));
	KUNIT_EXPECT_EQ(test, memcmp(name, "xxx   ", 6), 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(name + 3, ' ', sizeof(name) - 3));
	memset(name, 'x', sizeof(name));
	kmq_name_pad(name, sizeof(name));
	KUNIT_EXPECT_NULL(test, memchr_inv(name, 'x', sizeof(name)));
}

static void kmq_number_name(u8 *name, int number)
{
	memset(name, ' ', KMQ_NAME_LEN);
	name[0] = 'A' + number / 10;
	name[1] = '0' + number % 10;
}

/* O-NAME-3: one name space; names are found, and come in order. */
static void kmq_qmgr_queues(struct kunit *test)
{
	struct kmq_qmgr *qmgr = kmq_fix_of(test)->qmgr;
	struct kmq_queue_attrs *attrs = kunit_kzalloc(test, sizeof(*attrs),
						      GFP_KERNEL);
	struct kmq_queue *queue, *twin;
	u8 name[KMQ_NAME_LEN];
	int i;

	KUNIT_ASSERT_NOT_NULL(test, attrs);
	down_write(&qmgr->names);
	memset(name, ' ', sizeof(name));
	KUNIT_EXPECT_NULL(test, kmq_qmgr_next_locked(qmgr, name));
	for (i = 0; i < KMQ_NAMES; i++) {
		kmq_number_name(name, i * 37 % KMQ_NAMES);
		KUNIT_EXPECT_NULL(test, kmq_qmgr_find_locked(qmgr, name));
		queue = kmq_queue_alloc(qmgr, name, MQQT_LOCAL, attrs);
		KUNIT_EXPECT_EQ(test, kmq_qmgr_add_locked(qmgr, queue), 0);
		KUNIT_EXPECT_PTR_EQ(test, kmq_qmgr_find_locked(qmgr, name),
				    queue);
	}
	KUNIT_EXPECT_EQ(test, qmgr->queue_count, KMQ_NAMES);
	twin = kmq_queue_alloc(qmgr, name, MQQT_ALIAS, attrs);
	KUNIT_EXPECT_EQ(test, kmq_qmgr_add_locked(qmgr, twin), -EEXIST);
	KUNIT_EXPECT_EQ(test, qmgr->queue_count, KMQ_NAMES);
	kmq_queue_put(twin);
	memset(name, ' ', sizeof(name));
	for (i = 0; i < KMQ_NAMES; i++) {
		queue = kmq_qmgr_next_locked(qmgr, name);
		kmq_number_name(name, i);
		KUNIT_EXPECT_PTR_EQ(test, kmq_qmgr_find_locked(qmgr, name),
				    queue);
	}
	KUNIT_EXPECT_NULL(test, kmq_qmgr_next_locked(qmgr, name));
	/* Also from a name that is not there. */
	memcpy(name, "A5X", 3);
	queue = kmq_qmgr_next_locked(qmgr, name);
	KUNIT_EXPECT_EQ(test, memcmp(queue->name, "A6 ", 3), 0);
	memset(name, ' ', sizeof(name));
	for (i = KMQ_NAMES; i; i--) {
		queue = kmq_qmgr_next_locked(qmgr, name);
		kmq_qmgr_del_locked(qmgr, queue);
		KUNIT_EXPECT_NULL(test, kmq_qmgr_find_locked(qmgr,
							     queue->name));
		kmq_queue_put(queue);
	}
	KUNIT_EXPECT_EQ(test, qmgr->queue_count, 0);
	up_write(&qmgr->names);
}

/* O-QMGR: quiescing ends the waits that asked for it, on every queue. */
static void kmq_qmgr_states(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_waiter waiters[2] = {};
	struct kmq_search want = {};
	struct kmq_fix_get get;
	int i;

	kmq_fix_get_init(&get, handle, true);
	kref_get(&fix->queues[0]->ref);
	down_write(&fix->qmgr->names);
	KUNIT_EXPECT_EQ(test, kmq_qmgr_add_locked(fix->qmgr, fix->queues[0]),
			0);
	up_write(&fix->qmgr->names);
	mutex_lock(&fix->queues[0]->lock);
	for (i = 0; i < 2; i++) {
		waiters[i].want = &want;
		waiters[i].handle = handle;
		waiters[i].take = &get.take;
		waiters[i].task = current;
		waiters[i].fail_if_quiescing = i;
		kmq_waiter_add_locked(fix->queues[0], &waiters[i],
				      KMQ_WAIT_REMOVE);
	}
	mutex_unlock(&fix->queues[0]->lock);
	KUNIT_EXPECT_EQ(test, fix->qmgr->state, KMQ_QMGR_RUNNING);
	kmq_qmgr_set_state(fix->qmgr, KMQ_QMGR_QUIESCING);
	KUNIT_EXPECT_EQ(test, waiters[0].state, KMQ_WAITING);
	KUNIT_EXPECT_EQ(test, waiters[1].state, KMQ_WAIT_CANCELED);
	KUNIT_EXPECT_EQ(test, waiters[1].cancel, KMQ_CANCEL_QUIESCING);
	kmq_qmgr_set_state(fix->qmgr, KMQ_QMGR_RUNNING);
	KUNIT_EXPECT_EQ(test, waiters[0].state, KMQ_WAITING);
	kmq_qmgr_set_state(fix->qmgr, KMQ_QMGR_STOPPING);
	KUNIT_EXPECT_EQ(test, waiters[0].state, KMQ_WAIT_CANCELED);
	KUNIT_EXPECT_EQ(test, waiters[0].cancel, KMQ_CANCEL_STOPPING);
	down_write(&fix->qmgr->names);
	kmq_qmgr_del_locked(fix->qmgr, fix->queues[0]);
	up_write(&fix->qmgr->names);
	kmq_queue_put(fix->queues[0]);
}

/* The connection behind another one, or 0. */
static u64 kmq_qmgr_conn_after(struct kmq_qmgr *qmgr, const u8 *id)
{
	struct kmq_conn *conn = kmq_conn_after(qmgr, id);
	u64 number = conn ? kmq_fix_number(conn->id) : 0;

	if (conn)
		kmq_conn_put(conn);
	return number;
}

/*
 * Connections are found in the order of their identifiers, also behind one that is
 * gone, and all know the state.
 */
static void kmq_qmgr_conns(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	u8 ids[KMQ_FIX_QUEUES][KMQ_ID_LEN], none[KMQ_ID_LEN] = {};
	u16 began, holds;
	int i;

	KUNIT_EXPECT_NULL(test, kmq_conn_after(fix->qmgr, NULL));
	for (i = 0; i < KMQ_FIX_QUEUES; i++) {
		mutex_lock(&fix->conns[i]->call);
		KUNIT_ASSERT_EQ(test, kmq_conn_establish(fix->conns[i]), 0);
		mutex_unlock(&fix->conns[i]->call);
		memcpy(ids[i], fix->conns[i]->id, KMQ_ID_LEN);
		if (!i)
			kmq_qmgr_set_state(fix->qmgr, KMQ_QMGR_QUIESCING);
	}
	KUNIT_EXPECT_EQ(test, kmq_qmgr_conn_after(fix->qmgr, none),
			kmq_fix_number(ids[0]));
	KUNIT_EXPECT_EQ(test, kmq_qmgr_conn_after(fix->qmgr, ids[0]),
			kmq_fix_number(ids[1]));
	for (i = 0; i < KMQ_FIX_QUEUES; i++) {
		kmq_conn_events(fix->conns[i], true, &began, &holds);
		KUNIT_EXPECT_EQ(test, began, KMQ_EVENT_QUIESCING);
		KUNIT_EXPECT_EQ(test, holds, KMQ_EVENT_QUIESCING);
	}
	kmq_conn_break(fix->conns[1]);
	kmq_conn_put(fix->conns[1]);
	fix->conns[1] = NULL;
	KUNIT_EXPECT_EQ(test, kmq_qmgr_conn_after(fix->qmgr, ids[0]),
			kmq_fix_number(ids[2]));
	KUNIT_EXPECT_EQ(test, kmq_qmgr_conn_after(fix->qmgr, ids[1]),
			kmq_fix_number(ids[2]));
	KUNIT_EXPECT_EQ(test, kmq_qmgr_conn_after(fix->qmgr, ids[2]), 0);
	KUNIT_EXPECT_FALSE(test, kmq_conn_set_quiescing(fix->qmgr, ids[1],
							true));
	KUNIT_EXPECT_TRUE(test, kmq_conn_set_quiescing(fix->qmgr, ids[2],
						       true));
	KUNIT_EXPECT_TRUE(test, fix->conns[2]->quiescing);
	KUNIT_EXPECT_FALSE(test, fix->conns[0]->quiescing);
}

static DECLARE_COMPLETION(kmq_reporting);

/* As a real report does it to find the reply-to queue. */
static void kmq_report_by_name(struct kmq_msg *msg)
{
	struct kmq_qmgr *qmgr = msg->queue->qmgr;

	complete(&kmq_reporting);
	down_read(&qmgr->names);
	up_read(&qmgr->names);
}

/*
 * M-EXP-6: the last reference to a queue goes with the names locked, while its
 * sweep waits for them to report that a message has expired.
 */
static void kmq_qmgr_queue_goes_while_it_reports(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_queue *queue = fix->queues[0];
	struct kmq_spec spec = { .id = 1, .deadline = 1 };
	struct kmq_msg *msg;

	fix->qmgr->report_expired = kmq_report_by_name;
	reinit_completion(&kmq_reporting);
	msg = kmq_fix_put(test, queue, &spec);
	msg->md.report = MQRO_EXPIRATION;
	down_write(&fix->qmgr->names);
	mutex_lock(&queue->lock);
	kmq_queue_expire_until_locked(queue, ktime_get_ns());
	KUNIT_EXPECT_EQ(test, queue->depth, 0);
	mutex_unlock(&queue->lock);
	wait_for_completion(&kmq_reporting);
	fix->queues[0] = NULL;
	kmq_queue_put(queue);
	up_write(&fix->qmgr->names);
}

static struct kunit_case kmq_qmgr_cases[] = {
	KUNIT_CASE(kmq_qmgr_ids),
	KUNIT_CASE(kmq_qmgr_id_wraps),
	KUNIT_CASE_PARAM(kmq_qmgr_names, kmq_names_gen_params),
	KUNIT_CASE(kmq_qmgr_pads),
	KUNIT_CASE(kmq_qmgr_queues),
	KUNIT_CASE(kmq_qmgr_states),
	KUNIT_CASE(kmq_qmgr_conns),
	KUNIT_CASE(kmq_qmgr_queue_goes_while_it_reports),
	{}
};

KMQ_SUITE(kmq_qmgr, kmq_qmgr_cases);
