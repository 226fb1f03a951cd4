// SPDX-License-Identifier: GPL-2.0
/*
 * Queue managers, queues and messages for the KUnit suites. Everything that a
 * test leaves behind is taken down here, as the end of a process would do it.
 */
#include <linux/module.h>
#include "../attr.h"
#include "../compat.h"
#include "../context.h"
#include "../mark.h"
#include "../owner.h"
#include "../store.h"
#include "fixture.h"

int kmq_fix_suite_init(struct kunit_suite *suite)
{
	int err = kmq_msg_cache_create();

	if (err)
		return err;
	err = kmq_queue_reaper_create();
	if (err)
		goto destroy_cache;
	err = kmq_owners_create();
	if (!err)
		return 0;
	kmq_queue_reaper_destroy();
destroy_cache:
	kmq_msg_cache_destroy();
	return err;
}

void kmq_fix_suite_exit(struct kunit_suite *suite)
{
	kmq_owners_destroy();
	kmq_queue_reaper_destroy();
	kmq_msg_cache_destroy();
}

static int kmq_fix_fill(struct kmq_fix *fix)
{
	struct kmq_queue_attrs attrs;
	u8 name[KMQ_NAME_LEN];
	int i;

	memset(name, ' ', sizeof(name));
	memcpy(name, "TEST", 4);
	fix->qmgr = kmq_qmgr_alloc(name);
	if (!fix->qmgr)
		return -ENOMEM;
	kmq_attr_queue_defaults(&attrs, MQQT_LOCAL);
	attrs.max_q_depth = KMQ_MAX_DEPTH;
	for (i = 0; i < KMQ_FIX_QUEUES; i++) {
		name[0] = 'A' + i;
		fix->queues[i] = kmq_queue_alloc(fix->qmgr, name, MQQT_LOCAL,
						 &attrs);
		fix->conns[i] = kmq_conn_alloc(fix->qmgr);
		if (!fix->queues[i] || !fix->conns[i])
			return -ENOMEM;
	}
	return 0;
}

int kmq_fix_init(struct kunit *test)
{
	struct kmq_fix *fix = kunit_kzalloc(test, sizeof(*fix), GFP_KERNEL);

	if (!fix)
		return -ENOMEM;
	test->priv = fix;
	return kmq_fix_fill(fix);
}

void kmq_fix_exit(struct kunit *test)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	int i;

	if (!fix)
		return;
	for (i = 0; i < KMQ_FIX_QUEUES; i++)
		if (fix->conns[i])
			kmq_conn_break(fix->conns[i]);
	for (i = 0; i < fix->handle_count; i++)
		kmq_handle_free(fix->handles[i]);
	for (i = 0; i < KMQ_FIX_QUEUES; i++) {
		struct kmq_queue *queue = fix->queues[i];

		if (fix->conns[i])
			kmq_conn_put(fix->conns[i]);
		if (!queue)
			continue;
		/* Whatever happened, the books are right. */
		mutex_lock(&queue->lock);
		KUNIT_EXPECT_EQ(test, queue->uncommitted_puts, 0);
		KUNIT_EXPECT_EQ(test, queue->uncommitted_gets, 0);
		KUNIT_EXPECT_EQ(test, queue->locked, 0);
		KUNIT_EXPECT_EQ(test, queue->depth, queue->store.count);
		KUNIT_EXPECT_EQ(test, queue->waiters.total, 0);
		kmq_queue_purge_locked(queue);
		KUNIT_EXPECT_EQ(test, queue->depth, 0);
		KUNIT_EXPECT_EQ(test, queue->bytes, 0);
		KUNIT_EXPECT_EQ(test, queue->memory, 0);
		KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&queue->store.groups));
		KUNIT_EXPECT_EQ(test, queue->store.filled, 0);
		mutex_unlock(&queue->lock);
		kmq_queue_put(queue);
	}
	if (fix->qmgr)
		kmq_qmgr_put(fix->qmgr);
}

/* Identifiers differ in all three words that comparing looks at. */
void kmq_fix_id(u8 *id, u64 number)
{
	memset(id, 0, KMQ_ID_LEN);
	if (!number)
		return;
	put_unaligned_be64(number / 100, id);
	put_unaligned_be64(number / 10, id + 8);
	put_unaligned_be64(number, id + 16);
}

u64 kmq_fix_number(const u8 *id)
{
	return get_unaligned_be64(id + 16);
}

struct kmq_handle *kmq_fix_open(struct kunit *test, int conn, int queue,
				u32 may)
{
	struct kmq_fix *fix = kmq_fix_of(test);
	struct kmq_conn *c = fix->conns[conn];
	struct kmq_queue *q = fix->queues[queue];
	struct kmq_handle *handle;

	KUNIT_ASSERT_LT(test, fix->handle_count, KMQ_FIX_HANDLES);
	handle = kmq_handle_alloc(c, q, may);
	KUNIT_ASSERT_NOT_NULL(test, handle);
	fix->handles[fix->handle_count++] = handle;
	list_add_tail(&handle->conn_link, &c->handles);
	c->handle_count++;
	mutex_lock(&q->lock);
	q->open_input += !!(may & KMQ_MAY_GET);
	q->open_output += !!(may & KMQ_MAY_PUT);
	q->co_op_handles += !!(may & KMQ_CO_OP);
	kmq_handle_join_locked(handle);
	mutex_unlock(&q->lock);
	return handle;
}

struct kmq_msg *kmq_fix_msg(struct kunit *test, const struct kmq_spec *spec)
{
	struct kmq_msg *msg = kmq_msg_alloc(spec->length, spec->group);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, msg);
	memset(&msg->md, 0, sizeof(msg->md));
	kmq_fix_id(msg->md.msg_id, spec->id);
	kmq_fix_id(msg->md.correl_id, spec->correl);
	msg->md.msg_type = spec->report ? MQMT_REPORT : MQMT_DATAGRAM;
	msg->md.feedback = spec->feedback;
	msg->md.ccsid = spec->ccsid;
	msg->md.encoding = spec->encoding;
	msg->md.priority = spec->priority;
	msg->msg_flags = spec->flags;
	msg->persistent = spec->persistent;
	msg->put_time = 0;
	msg->context = kmq_context_get(kmq_fix_of(test)->qmgr->no_context);
	if (spec->group) {
		kmq_fix_id(msg->member->id, spec->group);
		msg->member->seq = spec->seq ?: 1;
		msg->member->offset = spec->offset;
		msg->member->original_length = spec->original;
	}
	if (spec->deadline)
		KUNIT_ASSERT_EQ(test, kmq_msg_add_expiry(msg, spec->deadline),
				0);
	return msg;
}

/* A message that has its place and is in nobody's hands yet. */
struct kmq_msg *kmq_fix_admit(struct kunit *test, struct kmq_queue *queue,
			      const struct kmq_spec *spec)
{
	struct kmq_msg *msg = kmq_fix_msg(test, spec);

	if (msg->member)
		KUNIT_ASSERT_EQ(test, kmq_group_prepare(&queue->store, msg), 0);
	mutex_lock(&queue->lock);
	kmq_queue_admit_locked(queue, msg, spec->priority);
	mutex_unlock(&queue->lock);
	return msg;
}

/* Put outside syncpoint; the message may be gone if somebody waited for it. */
struct kmq_msg *kmq_fix_put(struct kunit *test, struct kmq_queue *queue,
			    const struct kmq_spec *spec)
{
	struct kmq_msg *msg = kmq_fix_admit(test, queue, spec);
	LIST_HEAD(msgs);

	mutex_lock(&queue->lock);
	kmq_queue_insert_locked(queue, msg);
	list_add_tail(&msg->link, &msgs);
	kmq_queue_offer_locked(queue, &msgs);
	mutex_unlock(&queue->lock);
	return msg;
}

struct kmq_msg *kmq_fix_put_uow(struct kunit *test, struct kmq_conn *conn,
				struct kmq_queue *queue,
				const struct kmq_spec *spec)
{
	struct kmq_msg *msg = kmq_fix_admit(test, queue, spec);
	struct kmq_uow_queue *part;

	mutex_lock(&conn->call);
	part = kmq_uow_join(&conn->uow, queue);
	mutex_lock(&queue->lock);
	msg->state = KMQ_MSG_PUT_PENDING;
	queue->uncommitted_puts++;
	list_add_tail(&msg->link, &part->puts);
	mutex_unlock(&queue->lock);
	conn->uow.open = true;
	conn->uow.count++;
	mutex_unlock(&conn->call);
	return msg;
}

static enum kmq_verdict kmq_fix_judge(struct kmq_take *take)
{
	struct kmq_fix_get *get = container_of(take, struct kmq_fix_get, take);

	get->judged++;
	take->syncpoint = get->syncpoint;
	return get->verdict;
}

void kmq_fix_get_init(struct kmq_fix_get *get, struct kmq_handle *handle,
		      bool remove)
{
	memset(get, 0, sizeof(*get));
	kmq_take_init(&get->take, handle);
	get->take.judge = kmq_fix_judge;
	get->take.remove = remove;
	get->verdict = KMQ_ACCEPT;
}

enum kmq_take_result kmq_fix_try(struct kmq_fix_get *get)
{
	struct kmq_queue *queue = get->take.handle->queue;
	enum kmq_take_result result;

	mutex_lock(&queue->lock);
	result = kmq_take_try_locked(queue, &get->take);
	mutex_unlock(&queue->lock);
	return result;
}

/*
 * Get the first message as MQGET does. Return: it, to be looked at only if it is
 * in a unit of work, or NULL if there is none.
 */
struct kmq_msg *kmq_fix_remove(struct kunit *test, struct kmq_handle *handle,
			       bool syncpoint)
{
	struct kmq_fix_get get;

	kmq_fix_get_init(&get, handle, true);
	get.syncpoint = syncpoint;
	mutex_lock(&handle->conn->call);
	if (syncpoint) {
		get.take.own_puts = true;
		get.take.uow = kmq_uow_join(&handle->conn->uow, handle->queue);
	}
	if (kmq_fix_try(&get) != KMQ_TAKE_DONE) {
		mutex_unlock(&handle->conn->call);
		return NULL;
	}
	if (syncpoint) {
		kmq_uow_use_removed(&handle->conn->uow, handle);
		handle->conn->uow.count += get.take.count;
	}
	kmq_take_finish(&get.take, true);
	mutex_unlock(&handle->conn->call);
	return get.take.msgs[0];
}

MODULE_DESCRIPTION("KUnit suites of kmq");
MODULE_LICENSE("GPL");
