// SPDX-License-Identifier: GPL-2.0
/*
 * The table of attributes: each entry is in itself right, and the values that
 * differ from a plain range are as objects.md section 7 says.
 */
#include <linux/ctype.h>
#include "../attr.h"
#include "fixture.h"

/* Beyond the last selector of any kind. */
#define KMQ_SELECTORS	10000

/* Calls @check for every attribute of a kind of object. Return: how many. */
static int kmq_each_attr(struct kunit *test, s32 object_type,
			 void (*check)(struct kunit *test,
				       const struct kmq_attr_desc *desc))
{
	const struct kmq_attr_desc *desc;
	int selector, n = 0;

	for (selector = 0; selector < KMQ_SELECTORS; selector++) {
		desc = kmq_attr_find(object_type, selector);
		if (!desc)
			continue;
		KUNIT_EXPECT_EQ(test, desc->selector, selector);
		check(test, desc);
		n++;
	}
	return n;
}

static void kmq_check_entry(struct kunit *test,
			    const struct kmq_attr_desc *desc)
{
	bool derived = desc->flags & KMQ_ATTR_DERIVED;

	KUNIT_EXPECT_EQ_MSG(test, kmq_attr_is_text(desc->selector),
			    desc->size != 0, "selector %d", desc->selector);
	if (desc->size || derived)
		return;
	KUNIT_EXPECT_LE_MSG(test, desc->min, desc->max, "selector %d",
			    desc->selector);
	KUNIT_EXPECT_TRUE_MSG(test, kmq_attr_in_range(desc, desc->initial),
			      "selector %d", desc->selector);
	KUNIT_EXPECT_TRUE_MSG(test, kmq_attr_in_range(desc, desc->min),
			      "selector %d", desc->selector);
	KUNIT_EXPECT_TRUE_MSG(test, kmq_attr_in_range(desc, desc->max),
			      "selector %d", desc->selector);
	if (desc->min > INT_MIN)
		KUNIT_EXPECT_FALSE_MSG(test,
				       kmq_attr_in_range(desc, desc->min - 1),
				       "selector %d", desc->selector);
	if (desc->max < INT_MAX)
		KUNIT_EXPECT_FALSE_MSG(test,
				       kmq_attr_in_range(desc, desc->max + 1),
				       "selector %d", desc->selector);
	/* What MQSET may change needs a reason for a value out of range. */
	if (desc->flags & KMQ_ATTR_SET)
		KUNIT_EXPECT_NE_MSG(test, desc->bad_value, 0, "selector %d",
				    desc->selector);
}

static void kmq_attr_entries(struct kunit *test)
{
	KUNIT_EXPECT_GT(test, kmq_each_attr(test, MQOT_Q, kmq_check_entry),
			55);
	KUNIT_EXPECT_GT(test, kmq_each_attr(test, MQOT_Q_MGR, kmq_check_entry),
			25);
}

/* What is written to one attribute changes that one and is read from it. */
static void kmq_check_round_trip(struct kunit *test,
				 const struct kmq_attr_desc *desc)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_attr_value in = {}, out = {};
	struct kmq_queue_attrs *before;
	size_t size = desc->size ?: sizeof(s32);
	u8 *a, *b;

	if (desc->flags & KMQ_ATTR_DERIVED)
		return;
	before = kmemdup(&queue->attrs, sizeof(*before), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, before);
	in.number = desc->max;
	memset(in.text, 'q', sizeof(in.text));
	kmq_attr_set(&queue->attrs, desc, &in);
	mutex_lock(&queue->lock);
	kmq_attr_of_queue(queue, desc, &out);
	mutex_unlock(&queue->lock);
	if (desc->size)
		KUNIT_EXPECT_EQ(test, memcmp(in.text, out.text, size), 0);
	else
		KUNIT_EXPECT_EQ(test, out.number, desc->max);
	a = (u8 *)before;
	b = (u8 *)&queue->attrs;
	memcpy(a + desc->offset, b + desc->offset, size);
	KUNIT_EXPECT_EQ_MSG(test, memcmp(a, b, sizeof(*before)), 0,
			    "selector %d", desc->selector);
	kfree(before);
}

static void kmq_attr_round_trips(struct kunit *test)
{
	kmq_each_attr(test, MQOT_Q, kmq_check_round_trip);
}

/* Every attribute that is kept has its initial value after a plain DEFINE. */
static void kmq_check_default(struct kunit *test,
			      const struct kmq_attr_desc *desc)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	struct kmq_attr_value value = {};

	if (desc->flags & (KMQ_ATTR_DERIVED | KMQ_ATTR_FIXED))
		return;
	mutex_lock(&queue->lock);
	kmq_attr_of_queue(queue, desc, &value);
	mutex_unlock(&queue->lock);
	if (desc->size)
		KUNIT_EXPECT_NULL(test,
				  memchr_inv(value.text, ' ', desc->size));
	else
		KUNIT_EXPECT_EQ_MSG(test, value.number, desc->initial,
				    "selector %d", desc->selector);
}

static void kmq_attr_defaults_queue(struct kunit *test)
{
	struct kmq_queue_attrs *attrs = &kmq_fix_of(test)->queues[0]->attrs;

	kmq_attr_queue_defaults(attrs, MQQT_LOCAL);
	kmq_each_attr(test, MQOT_Q, kmq_check_default);
	KUNIT_EXPECT_EQ(test, attrs->max_q_depth, 5000);
	KUNIT_EXPECT_EQ(test, attrs->max_msg_length, 4194304);
	KUNIT_EXPECT_EQ(test, attrs->shareability, 1);
	kmq_attr_queue_defaults(attrs, MQQT_MODEL);
	KUNIT_EXPECT_EQ(test, attrs->definition_type,
			MQQDT_TEMPORARY_DYNAMIC);
	KUNIT_EXPECT_EQ(test, attrs->shareability, 0);
	KUNIT_EXPECT_EQ(test, attrs->def_input_open_option,
			MQOO_INPUT_EXCLUSIVE);
}

/* Dates as attributes show them: "2026-01-31  " and "23.59.59". */
static void kmq_attr_dates(struct kunit *test)
{
	u8 date[12], time[8];
	int i;

	kmq_attr_now(date, time);
	for (i = 0; i < 12; i++) {
		if (i == 4 || i == 7)
			KUNIT_EXPECT_EQ(test, date[i], '-');
		else if (i >= 10)
			KUNIT_EXPECT_EQ(test, date[i], ' ');
		else
			KUNIT_EXPECT_TRUE(test, isdigit(date[i]));
	}
	for (i = 0; i < 8; i++) {
		if (i == 2 || i == 5)
			KUNIT_EXPECT_EQ(test, time[i], '.');
		else
			KUNIT_EXPECT_TRUE(test, isdigit(time[i]));
	}
}

struct kmq_value_case {
	s32 selector;
	s32 value;
	bool valid;
};

/* Ranges with holes, and limits that other rules depend on. */
static const struct kmq_value_case kmq_value_cases[] = {
	{ MQIA_MAX_Q_DEPTH, 0, true },
	{ MQIA_MAX_Q_DEPTH, 999999999, true },
	{ MQIA_MAX_Q_DEPTH, 1000000000, false },
	{ MQIA_MAX_MSG_LENGTH, 104857600, true },
	{ MQIA_MAX_MSG_LENGTH, 104857601, false },
	{ MQIA_DEF_PRIORITY, 9, true },
	{ MQIA_DEF_PRIORITY, 10, false },
	{ MQIA_DEF_INPUT_OPEN_OPTION, 1, false },
	{ MQIA_DEF_INPUT_OPEN_OPTION, 2, true },
	{ MQIA_DEF_INPUT_OPEN_OPTION, 3, false },
	{ MQIA_DEF_INPUT_OPEN_OPTION, 4, true },
	{ MQIA_NPM_CLASS, 0, true },
	{ MQIA_NPM_CLASS, 1, false },
	{ MQIA_NPM_CLASS, 10, true },
	{ MQIA_BASE_TYPE, 1, true },
	{ MQIA_BASE_TYPE, 2, false },
	{ MQIA_BASE_TYPE, 8, true },
	{ MQIA_CAP_EXPIRY, -1, true },
	{ MQIA_CAP_EXPIRY, 0, false },
	{ MQIA_CAP_EXPIRY, 1, true },
	{ MQIA_MONITORING_Q, 17, true },
	{ MQIA_MONITORING_Q, 18, false },
	{ MQIA_MONITORING_Q, 65, true },
	{ MQIA_MONITORING_Q, 1, false },
	{ MQIA_STATISTICS_Q, -3, true },
	{ MQIA_STATISTICS_Q, -1, false },
	{ MQIA_TRIGGER_DEPTH, 0, false },
	{ MQIA_TRIGGER_DEPTH, 1, true },
};

static void kmq_value_describe(const struct kmq_value_case *c, char *text)
{
	snprintf(text, KUNIT_PARAM_DESC_SIZE, "selector %d value %d",
		 c->selector, c->value);
}

KUNIT_ARRAY_PARAM(kmq_value, kmq_value_cases, kmq_value_describe);

static void kmq_attr_values(struct kunit *test)
{
	const struct kmq_value_case *c = test->param_value;
	const struct kmq_attr_desc *desc = kmq_attr_find(MQOT_Q, c->selector);

	KUNIT_ASSERT_NOT_NULL(test, desc);
	KUNIT_EXPECT_EQ(test, kmq_attr_in_range(desc, c->value), c->valid);
}

/* Attributes that are computed show the queue as it is. */
static void kmq_attr_derived(struct kunit *test)
{
	struct kmq_queue *queue = kmq_fix_of(test)->queues[0];
	static const struct { s32 selector, value; } wanted[] = {
		{ MQIA_Q_TYPE, MQQT_LOCAL }, { MQIA_CURRENT_Q_DEPTH, 2 },
		{ MQIA_OPEN_INPUT_COUNT, 1 }, { MQIA_OPEN_OUTPUT_COUNT, 2 },
	};
	struct kmq_attr_value value;
	unsigned int i;

	kmq_fix_open(test, 0, 0, KMQ_MAY_GET | KMQ_MAY_PUT);
	kmq_fix_open(test, 0, 0, KMQ_MAY_PUT);
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 1));
	kmq_fix_put(test, queue, KMQ_SPEC(.id = 2));
	mutex_lock(&queue->lock);
	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		kmq_attr_of_queue(queue, kmq_attr_find(MQOT_Q,
						       wanted[i].selector),
				  &value);
		KUNIT_EXPECT_EQ(test, value.number, wanted[i].value);
	}
	kmq_attr_of_queue(queue, kmq_attr_find(MQOT_Q, MQCA_Q_NAME), &value);
	KUNIT_EXPECT_EQ(test, memcmp(value.text, "AEST ", 5), 0);
	mutex_unlock(&queue->lock);
}

/* The identifier is the name and the time of creation, 48 characters. */
static void kmq_attr_qmgr_identifier(struct kunit *test)
{
	struct kmq_qmgr *qmgr = kmq_fix_of(test)->qmgr;
	struct kmq_attr_value value;

	qmgr->epoch = 951782400;	/* 2000-02-29 00:00:00 */
	down_read(&qmgr->names);
	kmq_attr_of_qmgr(qmgr, kmq_attr_find(MQOT_Q_MGR,
					     MQCA_Q_MGR_IDENTIFIER), &value);
	KUNIT_EXPECT_EQ(test, memcmp(value.text, "TEST_2000-02-29_00.00.00 ",
				     25), 0);
	memset(qmgr->name, 'N', KMQ_NAME_LEN);
	kmq_attr_of_qmgr(qmgr, kmq_attr_find(MQOT_Q_MGR,
					     MQCA_Q_MGR_IDENTIFIER), &value);
	KUNIT_EXPECT_EQ(test, memcmp(value.text + 28, "_2000-02-29_00.00.00",
				     20), 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(value.text, 'N', 28));
	up_read(&qmgr->names);
}

/* No field is forgotten, and what is the same stays. */
static void kmq_attr_assignments(struct kunit *test)
{
	struct kmq_queue_attrs *queue = kunit_kzalloc(test, 2 * sizeof(*queue),
						      GFP_KERNEL);
	struct kmq_qmgr_attrs *qmgr = kunit_kzalloc(test, 2 * sizeof(*qmgr),
						    GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, queue);
	KUNIT_ASSERT_NOT_NULL(test, qmgr);
	memset(&queue[1], 0xa5, sizeof(queue[1]));
	kmq_attr_assign_queue(&queue[0], &queue[1]);
	KUNIT_EXPECT_EQ(test, memcmp(&queue[0], &queue[1], sizeof(queue[0])),
			0);
	queue[1].mode = 0600;
	kmq_attr_assign_queue(&queue[0], &queue[1]);
	KUNIT_EXPECT_EQ(test, memcmp(&queue[0], &queue[1], sizeof(queue[0])),
			0);
	memset(&qmgr[1], 0x5a, sizeof(qmgr[1]));
	kmq_attr_assign_qmgr(&qmgr[0], &qmgr[1]);
	KUNIT_EXPECT_EQ(test, memcmp(&qmgr[0], &qmgr[1], sizeof(qmgr[0])), 0);
}

static void kmq_attr_types(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, kmq_attr_type_flag(MQQT_LOCAL), KMQ_ATTR_L);
	KUNIT_EXPECT_EQ(test, kmq_attr_type_flag(MQQT_MODEL), KMQ_ATTR_M);
	KUNIT_EXPECT_EQ(test, kmq_attr_type_flag(MQQT_ALIAS), KMQ_ATTR_A);
	KUNIT_EXPECT_EQ(test, kmq_attr_type_flag(MQQT_REMOTE), KMQ_ATTR_R);
	KUNIT_EXPECT_EQ(test, kmq_attr_type_flag(0), 0);
	KUNIT_EXPECT_NULL(test, kmq_attr_find(MQOT_Q, MQIA_MAX_HANDLES));
	KUNIT_EXPECT_NULL(test, kmq_attr_find(MQOT_Q_MGR, MQIA_INHIBIT_GET));
}

static struct kunit_case kmq_attr_cases[] = {
	KUNIT_CASE(kmq_attr_entries),
	KUNIT_CASE(kmq_attr_round_trips),
	KUNIT_CASE(kmq_attr_defaults_queue),
	KUNIT_CASE(kmq_attr_dates),
	KUNIT_CASE_PARAM(kmq_attr_values, kmq_value_gen_params),
	KUNIT_CASE(kmq_attr_derived),
	KUNIT_CASE(kmq_attr_qmgr_identifier),
	KUNIT_CASE(kmq_attr_assignments),
	KUNIT_CASE(kmq_attr_types),
	{}
};

KMQ_SUITE(kmq_attr, kmq_attr_cases);
