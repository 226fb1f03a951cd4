// SPDX-License-Identifier: GPL-2.0
/*
 * Filing: a message meets those who wait for it and nobody else, in the order that
 * looking at all of them gives.
 */
#include "../notify.h"
#include "../search.h"
#include "../store.h"
#include "waiter.h"

#define KMQ_MANY	200

/* One way of waiting for what does not come. */
struct kmq_filing_case {
	const char *name;
	u32 flags;
	u32 level;
	u32 need;
	bool browse;
	u64 from;
	struct kmq_spec spec;
};

#define KMQ_PART	(MQMF_MSG_IN_GROUP | MQMF_SEGMENT)

static const struct kmq_filing_case kmq_filing_list[] = {
	{ "number", KMQ_WANT_SEQ, .spec = { .id = 1 } },
	{ "number, of a member", KMQ_WANT_SEQ,
	  .spec = { .group = 5, .seq = 2, .flags = MQMF_MSG_IN_GROUP } },
	{ "offset", KMQ_WANT_OFFSET, .spec = { .id = 1 } },
	{ "MsgId that suits, CorrelId that does not",
	  KMQ_WANT_MSG_ID | KMQ_WANT_CORREL_ID, .spec = { .id = 1 } },
	{ "CorrelId that suits, number that does not",
	  KMQ_WANT_CORREL_ID | KMQ_WANT_SEQ, .spec = { .correl = 1 } },
	{ "GroupId that suits, number that does not",
	  KMQ_WANT_GROUP_ID | KMQ_WANT_SEQ,
	  .spec = { .group = 1, .seq = 2, .flags = MQMF_MSG_IN_GROUP } },
	{ "behind a cursor", .from = ~0ULL >> 1, .browse = true,
	  .spec = { .id = 1, .priority = 9 } },
	{ "a head", KMQ_WANT_HEAD,
	  .spec = { .group = 1, .seq = 2, .flags = MQMF_MSG_IN_GROUP } },
	{ "a group", .level = KMQ_LEVEL_GROUP,
	  .spec = { .group = 1, .seq = 2, .flags = MQMF_MSG_IN_GROUP } },
	{ "a whole message", KMQ_WANT_WHOLE, KMQ_LEVEL_SEGMENTS,
	  .spec = { .group = 1, .length = 3, .flags = MQMF_SEGMENT } },
	{ "a segment", KMQ_WANT_HEAD, .need = KMQ_PART,
	  .spec = { .group = 1, .flags = MQMF_MSG_IN_GROUP } },
	{ "a report", KMQ_WANT_KIND, .spec = { .id = 1 } },
	{ "what cannot be", KMQ_WANT_WHOLE | KMQ_WANT_OFFSET,
	  KMQ_LEVEL_SEGMENTS,
	  .spec = { .group = 1, .offset = 77, .length = 3,
		    .flags = MQMF_SEGMENT } },
};

static void kmq_filing_name(const struct kmq_filing_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kmq_filing_list, kmq_filing_list, kmq_filing_name);

/* The identifier that it names suits, the other values are all different. */
static void kmq_filing_want(const struct kmq_filing_case *c,
			    struct kmq_fix_waiter *w, int i)
{
	struct kmq_search *want = &w->get.take.want;

	kmq_fix_id(w->id, 1);
	want->flags = c->flags;
	want->min_level = c->level;
	want->need_flags = c->need;
	want->from = c->from;
	want->seq = 100 + i;
	want->offset = c->flags & KMQ_WANT_WHOLE ? 77 : 100 + i;
	want->report = true;
	want->msg_id = w->id;
	want->group_id = w->id;
	want->correl_id = w->id;
	if (c->flags & KMQ_WANT_MSG_ID) {
		kmq_fix_id(w->other, 100 + i);
		want->correl_id = w->other;
	}
}

static void kmq_filing_meets(struct kunit *test)
{
	const struct kmq_filing_case *c = test->param_value;
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_queue *queue = handle->queue;
	struct kmq_fix_waiter *w = kunit_kcalloc(test, KMQ_MANY, sizeof(*w),
						 GFP_KERNEL);
	struct kmq_fix_waiter any;
	u64 met;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, w);
	for (i = 0; i < KMQ_MANY; i++) {
		kmq_fix_wait(&w[i], handle, !c->browse);
		kmq_filing_want(c, &w[i], i);
		kmq_fix_stand(&w[i]);
	}
	met = queue->waiters.met;
	kmq_fix_put(test, queue, &c->spec);
	KUNIT_EXPECT_EQ(test, queue->waiters.met, met);
	KUNIT_EXPECT_EQ(test, queue->depth, 1);
	/* It goes: which can matter for those who wait for a group. */
	kmq_fix_remove(test, handle, false);
	KUNIT_EXPECT_EQ(test, queue->waiters.met, met);
	/* One that anything suits, behind all of them. */
	kmq_fix_wait(&any, handle, true);
	kmq_fix_stand(&any);
	kmq_fix_put(test, queue, &c->spec);
	KUNIT_EXPECT_EQ(test, queue->waiters.met, met + 1);
	KUNIT_EXPECT_EQ(test, any.waiter.state, KMQ_WAIT_SERVED);
	kmq_fix_given(&any);
	for (i = 0; i < KMQ_MANY; i++) {
		KUNIT_EXPECT_EQ(test, w[i].waiter.state, KMQ_WAITING);
		kmq_fix_leave(&w[i].waiter);
	}
	KUNIT_EXPECT_EQ(test, queue->waiters.total, 0);
}

/* Those of a shape are found whoever of them leaves, the first one as well. */
static void kmq_filing_leaves(struct kunit *test)
{
	struct kmq_handle *handle = kmq_fix_open(test, 0, 0, KMQ_MAY_GET);
	struct kmq_queue *queue = handle->queue;
	struct kmq_fix_waiter *w = kunit_kcalloc(test, KMQ_MANY, sizeof(*w),
						 GFP_KERNEL);
	struct kmq_spec spec = {};
	int i;

	KUNIT_ASSERT_NOT_NULL(test, w);
	for (i = 0; i < KMQ_MANY; i++) {
		kmq_fix_wait(&w[i], handle, true);
		kmq_fix_id(w[i].id, 1 + i);
		w[i].get.take.want.msg_id = w[i].id;
		w[i].get.take.want.correl_id = w[i].id;
		w[i].get.take.want.flags = i % 2 ? KMQ_WANT_MSG_ID :
						   KMQ_WANT_CORREL_ID;
		kmq_fix_stand(&w[i]);
	}
	/* In the order in which they came, but for each third. */
	for (i = 0; i < KMQ_MANY; i++)
		if (i % 3)
			kmq_fix_leave(&w[i].waiter);
	for (i = 0; i < KMQ_MANY / 2; i += 3) {
		spec.id = i % 2 ? 1 + i : 0;
		spec.correl = i % 2 ? 0 : 1 + i;
		kmq_fix_put(test, queue, &spec);
		KUNIT_EXPECT_EQ(test, w[i].waiter.state, KMQ_WAIT_SERVED);
		kmq_fix_given(&w[i]);
	}
	mutex_lock(&queue->lock);
	kmq_waiters_cancel_locked(queue, KMQ_CANCEL_INHIBITED);
	mutex_unlock(&queue->lock);
	for (; i < KMQ_MANY; i += 3)
		KUNIT_EXPECT_EQ(test, w[i].waiter.state, KMQ_WAIT_CANCELED);
	KUNIT_EXPECT_EQ(test, queue->waiters.total, 0);
}

/* G-SIG-6: once a signal is posted nobody else is asked, whoever waits besides. */
static void kmq_filing_signals(struct kunit *test)
{
	struct kmq_handle *h[KMQ_FIX_HANDLES];
	struct kmq_queue *queue;
	struct kmq_search want = {}, group = { .min_level = KMQ_LEVEL_GROUP };
	u64 met;
	int i;

	for (i = 0; i < KMQ_FIX_HANDLES; i++)
		h[i] = kmq_fix_open(test, i % 3, 0, KMQ_MAY_GET);
	queue = h[0]->queue;
	for (i = 0; i < KMQ_FIX_HANDLES; i++) {
		struct kmq_signal *signal = kmq_signal_alloc(h[i], 0);

		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, signal);
		mutex_lock(&queue->lock);
		kmq_signal_set_locked(signal, i ? &want : &group, false, false,
				      0);
		mutex_unlock(&queue->lock);
	}
	KUNIT_EXPECT_EQ(test, kmq_waiters_signals(&queue->waiters),
			KMQ_FIX_HANDLES);
	met = queue->waiters.met;
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1, .group = 1, .seq = 2,
					  .flags = MQMF_MSG_IN_GROUP));
	KUNIT_EXPECT_EQ(test, h[1]->signal_status, MQEC_MSG_ARRIVED);
	KUNIT_EXPECT_EQ(test, h[2]->signal_status, KMQ_SIGNAL_OUTSTANDING);
	KUNIT_EXPECT_EQ(test, queue->waiters.met, met + 1);
}

/* Random waiters, and whom each message goes to. */
#define KMQ_LINE	8
#define KMQ_LINE_SIGNALS	10

struct kmq_line {
	struct kmq_fix_waiter w[KMQ_LINE];
	struct kmq_handle *handles[KMQ_FIX_HANDLES];
	struct kmq_search wants[KMQ_LINE_SIGNALS];
	u64 state;
	int got, browsed, signals, left;
};

static void kmq_line_want(struct kmq_line *line, struct kmq_queue *queue,
			  struct kmq_fix_waiter *w)
{
	struct kmq_search *want = &w->get.take.want;
	u32 r = kmq_fix_random(&line->state);
	u32 s = kmq_fix_random(&line->state);
	static const u32 flags[] = {
		KMQ_WANT_MSG_ID, KMQ_WANT_CORREL_ID, KMQ_WANT_GROUP_ID,
		KMQ_WANT_SEQ, KMQ_WANT_OFFSET, KMQ_WANT_HEAD, KMQ_WANT_WHOLE,
		KMQ_WANT_KIND,
	};
	int i;

	memset(want, 0, sizeof(*want));
	for (i = 0; i < ARRAY_SIZE(flags); i++)
		if ((r >> 2 * i) % 4 == 0 && s % 20)
			want->flags |= flags[i];
	s /= 20;
	kmq_fix_id(w->id, s % 3 + 1);
	kmq_fix_id(w->other, s / 4 % 3 + 1);
	want->msg_id = w->id;
	want->correl_id = w->other;
	want->group_id = w->id;
	want->seq = s / 16 % 3 + 1;
	want->offset = s / 64 % 2 * 10;
	want->report = s / 128 % 2;
	if (s / 256 % 4 == 0)
		want->need_flags = s / 1024 % 2 ? MQMF_SEGMENT : KMQ_PART;
	if (s / 2048 % 4 == 0)
		want->min_level = s / 8192 % KMQ_LEVELS;
	if (s / 32768 % 2 == 0)
		want->from = kmq_key(s / 131072 % 10,
				     queue->last_arrival + s / 2097152 % 9);
}

static void kmq_line_fill(struct kunit *test, struct kmq_line *line,
			  struct kmq_queue *queue)
{
	struct kmq_fix_waiter dummy;
	int i;

	for (i = 0; i < KMQ_LINE; i++) {
		struct kmq_fix_waiter *w = &line->w[i];

		/* Some give up, or those would be left who want the impossible. */
		if (w->waiter.task && kmq_fix_random(&line->state) % 8)
			continue;
		if (w->waiter.task)
			kmq_fix_leave(&w->waiter);
		kmq_fix_wait(w, line->handles[0],
			     kmq_fix_random(&line->state) % 3);
		kmq_line_want(line, queue, w);
		kmq_fix_stand(w);
	}
	for (i = 0; i < KMQ_LINE_SIGNALS; i++) {
		struct kmq_handle *handle = line->handles[i + 1];
		struct kmq_signal *signal;

		if (handle->signal_status == KMQ_SIGNAL_OUTSTANDING &&
		    kmq_fix_random(&line->state) % 8)
			continue;
		mutex_lock(&handle->conn->call);
		kmq_handle_drop_signal(handle);
		mutex_unlock(&handle->conn->call);
		signal = kmq_signal_alloc(handle, 0);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, signal);
		kmq_line_want(line, queue, &dummy);
		mutex_lock(&queue->lock);
		kmq_signal_set_locked(signal, &dummy.get.take.want,
				      kmq_fix_random(&line->state) % 3 == 0,
				      false, 0);
		mutex_unlock(&queue->lock);
	}
}

/* No group is ever complete, so what is missing does not come with another one. */
static void kmq_line_spec(struct kmq_line *line, struct kmq_spec *spec)
{
	u32 r = kmq_fix_random(&line->state);

	memset(spec, 0, sizeof(*spec));
	spec->id = r % 3 + 1;
	spec->correl = r / 4 % 4;
	spec->priority = r / 16 % 10;
	spec->length = 3;
	spec->group = r / 256 % 4;
	spec->report = r / 8192 % 2;
	spec->original = 3;
	if (!spec->group)
		return;
	spec->seq = r / 1024 % 3 + 1;
	spec->flags = r / 4096 % 2 ? MQMF_MSG_IN_GROUP : KMQ_PART;
	if (spec->flags & MQMF_SEGMENT)
		spec->offset = r / 16384 % 2 * 10;
}

static bool kmq_line_suits(const struct kmq_waiter *waiter,
			   const struct kmq_msg *msg)
{
	return msg->key >= waiter->want->from &&
	       kmq_search_fits(waiter->want, msg) &&
	       kmq_search_complete(waiter->want, msg);
}

static bool kmq_line_before(const struct kmq_waiter *a,
			    const struct kmq_waiter *b)
{
	if (!b || a->specific != b->specific)
		return !b || a->specific;
	return a->file.ticket < b->file.ticket;
}

static struct kmq_waiter *kmq_line_at(struct kmq_line *line, int i)
{
	return i < KMQ_LINE ? &line->w[i].waiter :
			      &line->handles[i - KMQ_LINE + 1]->signal->waiter;
}

/* Who should have the message: bit i stands for the waiter number i. */
static u64 kmq_line_expect(struct kmq_line *line, const struct kmq_msg *msg)
{
	struct kmq_waiter *best[KMQ_WAITER_SETS] = {}, *waiter;
	int chosen[KMQ_WAITER_SETS] = {};
	u64 all = 0;
	int i;

	for (i = 0; i < KMQ_LINE + KMQ_LINE_SIGNALS; i++) {
		waiter = kmq_line_at(line, i);
		if (!kmq_line_suits(waiter, msg))
			continue;
		if (waiter->set == KMQ_WAIT_BROWSE ||
		    waiter->set == KMQ_SIGNAL_BROWSE)
			all |= BIT_ULL(i);
		else if (kmq_line_before(waiter, best[waiter->set])) {
			best[waiter->set] = waiter;
			chosen[waiter->set] = i;
		}
	}
	line->browsed += hweight64(all);
	if (best[KMQ_WAIT_REMOVE]) {
		line->got++;
		return all | BIT_ULL(chosen[KMQ_WAIT_REMOVE]);
	}
	if (!best[KMQ_SIGNAL_REMOVE]) {
		line->left++;
		return all;
	}
	line->signals++;
	return all | BIT_ULL(chosen[KMQ_SIGNAL_REMOVE]);
}

static u64 kmq_line_served(struct kmq_line *line)
{
	u64 served = 0;
	int i;

	for (i = 0; i < KMQ_LINE; i++) {
		if (line->w[i].waiter.state == KMQ_WAITING)
			continue;
		served |= BIT_ULL(i);
		if (line->w[i].waiter.state == KMQ_WAIT_SERVED)
			kmq_take_finish(&line->w[i].get.take, true);
		line->w[i].waiter.task = NULL;
	}
	for (i = 0; i < KMQ_LINE_SIGNALS; i++)
		if (line->handles[i + 1]->signal_status !=
		    KMQ_SIGNAL_OUTSTANDING)
			served |= BIT_ULL(KMQ_LINE + i);
	return served;
}

/* G-WAIT-5, G-WAIT-7, G-WAIT-8, G-WAIT-10, G-SIG-6 */
static void kmq_filing_line(struct kunit *test)
{
	struct kmq_line *line = kunit_kzalloc(test, sizeof(*line), GFP_KERNEL);
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_spec spec;
	struct kmq_msg *msg;
	u64 expected, met;
	int i, step;

	KUNIT_ASSERT_NOT_NULL(test, line);
	line->state = 314159;
	for (i = 0; i < KMQ_FIX_HANDLES; i++)
		line->handles[i] = kmq_fix_open(test, i % 3, 0, KMQ_MAY_GET);
	for (step = 0; step < 20000; step++) {
		kmq_line_fill(test, line, queue);
		kmq_line_spec(line, &spec);
		msg = kmq_fix_admit(test, queue, &spec);
		mutex_lock(&queue->lock);
		kmq_queue_insert_locked(queue, msg);
		kmq_store_settle(&queue->store);
		expected = kmq_line_expect(line, msg);
		met = queue->waiters.met;
		kmq_waiters_offer_locked(queue, msg);
		met = queue->waiters.met - met;
		mutex_unlock(&queue->lock);
		KUNIT_ASSERT_EQ_MSG(test, kmq_line_served(line), expected,
				    "step %d", step);
		/* With segments of a message that is not whole askers are. */
		if (!(spec.flags & MQMF_SEGMENT))
			KUNIT_ASSERT_EQ_MSG(test, met, hweight64(expected),
					    "step %d", step);
		mutex_lock(&queue->lock);
		kmq_queue_purge_locked(queue);
		kmq_waiters_settle_locked(queue);
		mutex_unlock(&queue->lock);
		cond_resched();
	}
	kunit_info(test, "%d got, %d browsed, %d signals, %d left", line->got,
		   line->browsed, line->signals, line->left);
	KUNIT_EXPECT_GT(test, line->got, 1000);
	KUNIT_EXPECT_GT(test, line->browsed, 1000);
	KUNIT_EXPECT_GT(test, line->signals, 100);
	KUNIT_EXPECT_GT(test, line->left, 100);
	for (i = 0; i < KMQ_LINE; i++)
		if (line->w[i].waiter.task)
			kmq_fix_leave(&line->w[i].waiter);
}

static struct kunit_case kmq_filing_cases[] = {
	KUNIT_CASE_PARAM(kmq_filing_meets, kmq_filing_list_gen_params),
	KUNIT_CASE(kmq_filing_leaves),
	KUNIT_CASE(kmq_filing_signals),
	KUNIT_CASE(kmq_filing_line),
	{}
};

KMQ_SUITE(kmq_filing, kmq_filing_cases);
