// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of put.md section 6, row by row: which GroupId, MsgSeqNumber and
 * Offset a put uses, and when it does not fit what was begun.
 */
#include "../call.h"
#include "../put.h"
#include "../store.h"
#include "fixture.h"

#define MIG	MQMF_MSG_IN_GROUP
#define LMIG	(MQMF_LAST_MSG_IN_GROUP | MQMF_MSG_IN_GROUP)
#define SEG	MQMF_SEGMENT
#define LSEG	(MQMF_LAST_SEGMENT | MQMF_SEGMENT)
#define OK	MQMF_SEGMENTATION_ALLOWED

/* What the handle has begun: group 77, this sequence number and offset. */
#define KMQ_BEGUN_GROUP		77
#define KMQ_BEGUN_SEQ		4
#define KMQ_BEGUN_OFFSET	70

enum kmq_id_source { KMQ_ID_NONE, KMQ_ID_NEW, KMQ_ID_PREVIOUS, KMQ_ID_GIVEN };

struct kmq_put_case {
	struct kmq_put_plan plan;
	struct kmq_put_item item;
	struct kmq_handle *handle;
	bool put1;
	u8 id[KMQ_ID_LEN];
};

static struct kmq_put_case *kmq_put_case_new(struct kunit *test, u32 flags,
					     bool in_group, bool in_msg)
{
	struct kmq_put_case *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	struct kmq_retained *last;

	KUNIT_ASSERT_NOT_NULL(test, c);
	c->handle = kmq_fix_open(test, 0, 0, KMQ_MAY_PUT);
	c->plan.stored.msg_type = MQMT_DATAGRAM;
	c->item.flags = flags;
	c->item.length = 10;
	c->item.seq = 1;
	c->item.original_length = MQOL_UNDEFINED;
	last = &c->handle->put;
	last->in_group = in_group;
	last->in_msg = in_msg;
	last->logical = true;
	last->seq = in_group ? KMQ_BEGUN_SEQ : 1;
	last->next_offset = in_msg ? KMQ_BEGUN_OFFSET : 0;
	kmq_fix_id(last->group_id, KMQ_BEGUN_GROUP);
	return c;
}

static void kmq_expect_id(struct kunit *test, const struct kmq_put_case *c,
			  enum kmq_id_source source)
{
	u8 generated[16] = "AMQ TEST        ";

	memset(generated + 8, ' ', 8);
	KUNIT_EXPECT_EQ(test, c->item.has_id, source != KMQ_ID_NONE);
	switch (source) {
	case KMQ_ID_NEW:
		KUNIT_EXPECT_EQ(test, memcmp(c->item.id, generated, 16), 0);
		break;
	case KMQ_ID_PREVIOUS:
		KUNIT_EXPECT_EQ(test, kmq_fix_number(c->item.id),
				KMQ_BEGUN_GROUP);
		break;
	case KMQ_ID_GIVEN:
		KUNIT_EXPECT_EQ(test, memcmp(c->item.id, c->id, KMQ_ID_LEN),
				0);
		break;
	default:
		break;
	}
}

/**
 * struct kmq_log_row - a row of P-LOG-5, or one that P-LOG-7 refuses
 * @flags: MIG, SEG, SEGOK
 * @in_group: Cur grp
 * @in_msg: Cur msg
 * @reason: why it is refused, or 0
 * @id: which GroupId
 * @seq: MsgSeqNumber
 * @offset: Offset
 */
struct kmq_log_row {
	u32 flags;
	bool in_group;
	bool in_msg;
	u32 reason;
	enum kmq_id_source id;
	s32 seq;
	s32 offset;
};

#define KMQ_ROW(_flags, _group, _msg, _id, _seq, _offset)		\
	{ .flags = _flags, .in_group = _group, .in_msg = _msg,		\
	  .id = _id, .seq = _seq, .offset = _offset }
#define KMQ_REFUSED(_flags, _group, _msg, _reason)			\
	{ .flags = _flags, .in_group = _group, .in_msg = _msg,		\
	  .reason = _reason }

static const struct kmq_log_row kmq_log_rows[] = {
	KMQ_ROW(0, false, false, KMQ_ID_NONE, 1, 0),
	KMQ_ROW(OK, false, false, KMQ_ID_NEW, 1, 0),
	KMQ_ROW(SEG, false, false, KMQ_ID_NEW, 1, 0),
	KMQ_ROW(SEG | OK, false, false, KMQ_ID_NEW, 1, 0),
	KMQ_ROW(SEG, false, true, KMQ_ID_PREVIOUS, 1, 70),
	KMQ_ROW(SEG | OK, false, true, KMQ_ID_PREVIOUS, 1, 70),
	KMQ_ROW(LSEG, false, true, KMQ_ID_PREVIOUS, 1, 70),
	KMQ_ROW(MIG, false, false, KMQ_ID_NEW, 1, 0),
	KMQ_ROW(MIG | OK, false, false, KMQ_ID_NEW, 1, 0),
	KMQ_ROW(MIG | SEG, false, false, KMQ_ID_NEW, 1, 0),
	KMQ_ROW(MIG | SEG | OK, false, false, KMQ_ID_NEW, 1, 0),
	KMQ_ROW(MIG, true, false, KMQ_ID_PREVIOUS, 5, 0),
	KMQ_ROW(MIG | OK, true, false, KMQ_ID_PREVIOUS, 5, 0),
	KMQ_ROW(MIG | SEG, true, false, KMQ_ID_PREVIOUS, 5, 0),
	KMQ_ROW(LMIG, true, false, KMQ_ID_PREVIOUS, 5, 0),
	KMQ_ROW(MIG | SEG, true, true, KMQ_ID_PREVIOUS, 4, 70),
	KMQ_ROW(MIG | SEG | OK, true, true, KMQ_ID_PREVIOUS, 4, 70),
	KMQ_ROW(LMIG | LSEG, true, true, KMQ_ID_PREVIOUS, 4, 70),
	KMQ_REFUSED(0, false, true, MQRC_INCOMPLETE_MSG),
	KMQ_REFUSED(OK, false, true, MQRC_INCOMPLETE_MSG),
	KMQ_REFUSED(MIG, false, true, MQRC_INCOMPLETE_MSG),
	KMQ_REFUSED(MIG | SEG, false, true, MQRC_INCOMPLETE_MSG),
	KMQ_REFUSED(0, true, true, MQRC_INCOMPLETE_MSG),
	KMQ_REFUSED(MIG, true, true, MQRC_INCOMPLETE_MSG),
	KMQ_REFUSED(SEG, true, true, MQRC_INCOMPLETE_MSG),
	KMQ_REFUSED(0, true, false, MQRC_INCOMPLETE_GROUP),
	KMQ_REFUSED(OK, true, false, MQRC_INCOMPLETE_GROUP),
	KMQ_REFUSED(SEG, true, false, MQRC_INCOMPLETE_GROUP),
	KMQ_REFUSED(SEG | OK, true, false, MQRC_INCOMPLETE_GROUP),
};

static void kmq_log_describe(const struct kmq_log_row *row, char *text)
{
	snprintf(text, KUNIT_PARAM_DESC_SIZE, "flags %02x group %d message %d",
		 row->flags, row->in_group, row->in_msg);
}

KUNIT_ARRAY_PARAM(kmq_log, kmq_log_rows, kmq_log_describe);

static u32 kmq_group_chosen(struct kmq_put_case *c)
{
	const struct kmq_retained *last = c->put1 ? NULL : &c->handle->put;

	return kmq_put_group(c->handle->conn, last, &c->plan, &c->item);
}

/* P-LOG-5, P-LOG-7 */
static void kmq_put_group_logical(struct kunit *test)
{
	const struct kmq_log_row *row = test->param_value;
	struct kmq_put_case *c = kmq_put_case_new(test, row->flags,
						  row->in_group, row->in_msg);

	c->plan.logical = true;
	/* Fields of the descriptor are not looked at. */
	c->item.seq = 99;
	c->item.offset = 88;
	kmq_fix_id(c->id, 55);
	c->item.given_id = c->id;
	KUNIT_EXPECT_EQ(test, kmq_group_chosen(c), row->reason);
	if (row->reason)
		return;
	kmq_expect_id(test, c, row->id);
	KUNIT_EXPECT_EQ(test, c->item.seq, row->seq);
	KUNIT_EXPECT_EQ(test, c->item.offset, row->offset);
	KUNIT_EXPECT_EQ(test, c->item.warning, 0);
}

/* P-LOG-9, P-LOG-10, P-LOG-11 */
static void kmq_put_group_logical_refusals(struct kunit *test)
{
	struct kmq_put_case *c = kmq_put_case_new(test, MIG, true, false);
	struct kmq_retained *last = &c->handle->put;

	c->plan.logical = true;
	c->plan.persistent = true;
	c->plan.syncpoint = true;
	KUNIT_EXPECT_EQ(test, kmq_group_chosen(c),
			MQRC_INCONSISTENT_PERSISTENCE);
	last->persistence = 1;
	KUNIT_EXPECT_EQ(test, kmq_group_chosen(c),
			MQRC_INCONSISTENT_UOW);
	last->syncpoint = true;
	last->seq = KMQ_MAX_SEQ - 1;
	KUNIT_EXPECT_EQ(test, kmq_group_chosen(c), 0);
	KUNIT_EXPECT_EQ(test, c->item.seq, KMQ_MAX_SEQ);
	last->seq = KMQ_MAX_SEQ;
	KUNIT_EXPECT_EQ(test, kmq_group_chosen(c),
			MQRC_MSG_SEQ_NUMBER_ERROR);
	last->in_msg = true;
	c->item.flags |= SEG;
	last->next_offset = KMQ_MAX_OFFSET - 10;
	KUNIT_EXPECT_EQ(test, kmq_group_chosen(c), 0);
	last->next_offset = KMQ_MAX_OFFSET - 9;
	KUNIT_EXPECT_EQ(test, kmq_group_chosen(c),
			MQRC_OFFSET_ERROR);
}

/* P-LOG-13: "field" is sequence 9 and offset 30. */
static const struct kmq_log_row kmq_field_rows[] = {
	KMQ_ROW(0, false, false, KMQ_ID_NONE, 1, 0),
	KMQ_ROW(OK, false, false, KMQ_ID_GIVEN, 1, 0),
	KMQ_ROW(SEG, false, false, KMQ_ID_GIVEN, 1, 30),
	KMQ_ROW(SEG | OK, false, false, KMQ_ID_GIVEN, 1, 30),
	KMQ_ROW(MIG, false, false, KMQ_ID_GIVEN, 9, 0),
	KMQ_ROW(MIG | OK, false, false, KMQ_ID_GIVEN, 9, 0),
	KMQ_ROW(MIG | SEG, false, false, KMQ_ID_GIVEN, 9, 30),
	KMQ_ROW(LMIG | LSEG | OK, false, false, KMQ_ID_GIVEN, 9, 30),
};

KUNIT_ARRAY_PARAM(kmq_field, kmq_field_rows, kmq_log_describe);

static void kmq_put_group_physical(struct kunit *test)
{
	const struct kmq_log_row *row = test->param_value;
	enum kmq_id_source id;
	int given, begun;

	for (given = 0; given < 3; given++)
		for (begun = 0; begun < 2; begun++) {
			struct kmq_put_case *c;

			c = kmq_put_case_new(test, row->flags, begun, begun);
			c->handle->put.logical = false;
			c->item.seq = 9;
			c->item.offset = 30;
			/* None at all, null, and one. */
			kmq_fix_id(c->id, given == 2 ? 55 : 0);
			c->item.given_id = given ? c->id : NULL;
			id = row->id == KMQ_ID_GIVEN && given < 2 ?
			     KMQ_ID_NEW : row->id;
			KUNIT_EXPECT_EQ(test, kmq_group_chosen(c), 0);
			kmq_expect_id(test, c, id);
			KUNIT_EXPECT_EQ(test, c->item.seq, row->seq);
			KUNIT_EXPECT_EQ(test, c->item.offset, row->offset);
			/* The put before was not in logical order: OK. */
			KUNIT_EXPECT_EQ(test, c->item.warning, 0);
		}
}

/**
 * struct kmq_inc_row - a put that does or does not fit (P-INC-2)
 * @in_group: Cur grp
 * @in_msg: Cur msg
 * @flags: of the put
 * @group: GroupId of the put, 0: null
 * @seq: its MsgSeqNumber
 * @offset: its Offset
 * @change: 1: another persistence, 2: another unit-of-work choice, 3: both
 * @warning: what comes of it
 */
struct kmq_inc_row {
	bool in_group;
	bool in_msg;
	u32 flags;
	int group;
	s32 seq;
	s32 offset;
	int change;
	u32 warning;
};

static const struct kmq_inc_row kmq_inc_rows[] = {
	{ false, false, 0, 0, 1, 0, 3, 0 },
	{ false, false, MIG, 55, 3, 0, 0, 0 },
	/* A group only. */
	{ true, false, MIG, 77, 5, 0, 0, 0 },
	{ true, false, MIG | SEG, 77, 5, 0, 0, 0 },
	{ true, false, MIG, 77, 5, 0, 1, MQRC_INCONSISTENT_PERSISTENCE },
	{ true, false, MIG, 77, 5, 0, 2, MQRC_INCONSISTENT_UOW },
	{ true, false, MIG, 77, 5, 0, 3, MQRC_INCONSISTENT_PERSISTENCE },
	{ true, false, MIG, 55, 5, 0, 0, MQRC_INCOMPLETE_GROUP },
	{ true, false, MIG, 0, 5, 0, 0, MQRC_INCOMPLETE_GROUP },
	{ true, false, MIG, 77, 4, 0, 0, MQRC_INCOMPLETE_GROUP },
	{ true, false, MIG, 77, 6, 0, 0, MQRC_INCOMPLETE_GROUP },
	{ true, false, MIG | SEG, 77, 5, 10, 0, MQRC_INCOMPLETE_GROUP },
	{ true, false, SEG, 77, 5, 0, 0, MQRC_INCOMPLETE_GROUP },
	{ true, false, 0, 0, 1, 0, 1, MQRC_INCOMPLETE_GROUP },
	/* A logical message in a group. */
	{ true, true, MIG | SEG, 77, 4, 70, 0, 0 },
	{ true, true, LMIG | LSEG, 77, 4, 70, 0, 0 },
	{ true, true, MIG | SEG, 77, 4, 70, 1, MQRC_INCONSISTENT_PERSISTENCE },
	{ true, true, MIG | SEG, 77, 4, 70, 2, MQRC_INCONSISTENT_UOW },
	{ true, true, MIG | SEG, 77, 4, 71, 0, MQRC_INCOMPLETE_MSG },
	{ true, true, MIG | SEG, 77, 5, 70, 0, MQRC_INCOMPLETE_MSG },
	{ true, true, MIG | SEG, 55, 4, 70, 0, MQRC_INCOMPLETE_MSG },
	{ true, true, MIG, 77, 5, 0, 0, MQRC_INCOMPLETE_MSG },
	{ true, true, SEG, 77, 4, 70, 0, MQRC_INCOMPLETE_MSG },
	{ true, true, 0, 0, 1, 0, 0, MQRC_INCOMPLETE_MSG },
	/* One outside groups. */
	{ false, true, SEG, 77, 1, 70, 0, 0 },
	{ false, true, LSEG, 77, 1, 70, 2, MQRC_INCONSISTENT_UOW },
	{ false, true, SEG, 77, 1, 0, 0, MQRC_INCOMPLETE_MSG },
	{ false, true, MIG | SEG, 77, 1, 70, 0, MQRC_INCOMPLETE_MSG },
};

static void kmq_inc_describe(const struct kmq_inc_row *row, char *text)
{
	snprintf(text, KUNIT_PARAM_DESC_SIZE, "row %d",
		 (int)(row - kmq_inc_rows) + 1);
}

KUNIT_ARRAY_PARAM(kmq_inc, kmq_inc_rows, kmq_inc_describe);

static void kmq_put_group_mixed(struct kunit *test)
{
	const struct kmq_inc_row *row = test->param_value;
	struct kmq_put_case *c = kmq_put_case_new(test, row->flags,
						  row->in_group, row->in_msg);

	kmq_fix_id(c->id, row->group);
	c->item.given_id = c->id;
	c->item.seq = row->seq;
	c->item.offset = row->offset;
	c->plan.persistent = row->change & 1;
	c->plan.syncpoint = row->change & 2;
	KUNIT_EXPECT_EQ(test, kmq_group_chosen(c), 0);
	KUNIT_EXPECT_EQ(test, c->item.warning, row->warning);
	/* P-INC-3: MQPUT1 is never compared. */
	c->put1 = true;
	c->item.warning = 0;
	KUNIT_EXPECT_EQ(test, kmq_group_chosen(c), 0);
	KUNIT_EXPECT_EQ(test, c->item.warning, 0);
}

struct kmq_retain_row {
	u32 flags;
	bool in_group;
	bool in_msg;
};

/* P-LOG-6, P-LOG-16 */
static const struct kmq_retain_row kmq_retain_rows[] = {
	{ 0, false, false },
	{ OK, false, false },
	{ SEG, false, true },
	{ LSEG, false, false },
	{ MIG, true, false },
	{ LMIG, false, false },
	{ MIG | SEG, true, true },
	{ MIG | LSEG, true, false },
	{ LMIG | SEG, true, true },
	{ LMIG | LSEG, false, false },
};

static void kmq_retain_describe(const struct kmq_retain_row *row, char *text)
{
	snprintf(text, KUNIT_PARAM_DESC_SIZE, "flags %02x", row->flags);
}

KUNIT_ARRAY_PARAM(kmq_retain, kmq_retain_rows, kmq_retain_describe);

static void kmq_put_group_retains(struct kunit *test)
{
	const struct kmq_retain_row *row = test->param_value;
	struct kmq_put_case *c = kmq_put_case_new(test, row->flags, true,
						  false);
	struct kmq_retained *last = &c->handle->put;

	c->item.has_id = row->flags;
	kmq_fix_id(c->item.id, 66);
	c->item.seq = 8;
	c->item.offset = 40;
	c->plan.syncpoint = true;
	c->plan.persistent = true;
	kmq_put_retain(last, &c->plan, &c->item);
	KUNIT_EXPECT_EQ(test, last->in_group, row->in_group);
	KUNIT_EXPECT_EQ(test, last->in_msg, row->in_msg);
	KUNIT_EXPECT_FALSE(test, last->logical);
	KUNIT_EXPECT_TRUE(test, last->syncpoint);
	KUNIT_EXPECT_EQ(test, last->persistence, 1);
	if (!row->flags)
		return;
	KUNIT_EXPECT_EQ(test, kmq_fix_number(last->group_id), 66);
	KUNIT_EXPECT_EQ(test, last->seq, 8);
	KUNIT_EXPECT_EQ(test, last->next_offset, 50);
	/* M-SEG-2: a report stands for what it is about. */
	c->plan.stored.msg_type = MQMT_REPORT;
	c->item.original_length = 200;
	kmq_put_retain(last, &c->plan, &c->item);
	KUNIT_EXPECT_EQ(test, last->next_offset,
			row->flags & SEG ? 240 : 50);
}

static struct kunit_case kmq_put_group_cases[] = {
	KUNIT_CASE_PARAM(kmq_put_group_logical, kmq_log_gen_params),
	KUNIT_CASE(kmq_put_group_logical_refusals),
	KUNIT_CASE_PARAM(kmq_put_group_physical, kmq_field_gen_params),
	KUNIT_CASE_PARAM(kmq_put_group_mixed, kmq_inc_gen_params),
	KUNIT_CASE_PARAM(kmq_put_group_retains, kmq_retain_gen_params),
	{}
};

KMQ_SUITE(kmq_put_group, kmq_put_group_cases);
