// SPDX-License-Identifier: MIT
/*
 * The records of an MQPMO (P-DL-3 to P-DL-7).
 *
 * A put message record has no fixed layout: it is the fields that
 * PutMsgRecFields names, one behind the other.
 */
#include "record.h"

#include "array.h"

#define ALL_FIELDS	(MQPMRF_MSG_ID | MQPMRF_CORREL_ID | MQPMRF_GROUP_ID | \
			 MQPMRF_FEEDBACK | MQPMRF_ACCOUNTING_TOKEN)
#define SET		(MQPMO_SET_IDENTITY_CONTEXT | MQPMO_SET_ALL_CONTEXT)

/* In the order in which they lie. */
static const struct {
	MQLONG field;
	size_t size;
} layout[] = {
	{ MQPMRF_MSG_ID, MQ_MSG_ID_LENGTH },
	{ MQPMRF_CORREL_ID, MQ_CORREL_ID_LENGTH },
	{ MQPMRF_GROUP_ID, MQ_GROUP_ID_LENGTH },
	{ MQPMRF_FEEDBACK, sizeof(MQLONG) },
	{ MQPMRF_ACCOUNTING_TOKEN, MQ_ACCOUNTING_TOKEN_LENGTH },
};

#define N_FIELDS	(sizeof(layout) / sizeof(layout[0]))

static size_t record_size(MQLONG fields)
{
	size_t size = 0, i;

	for (i = 0; i < N_FIELDS; i++)
		if (fields & layout[i].field)
			size += layout[i].size;
	return size;
}

/* Where a field of the record for destination @i lies, or NULL. */
static void *field_at(const struct kmq_records *r, MQLONG i, MQLONG field)
{
	if (!r->first || i >= r->count || !(r->fields & field))
		return NULL;
	return r->first + i * r->size + record_size(r->fields & (field - 1));
}

static MQLONG put_records_check(struct kmq_records *r, const MQPMO *pmo)
{
	struct kmq_array a = {
		.base = pmo,
		.offset = pmo->PutMsgRecOffset,
		.ptr = pmo->PutMsgRecPtr,
	};

	if (kmq_array_is_missing(&a))
		return MQRC_NONE;
	r->fields = pmo->PutMsgRecFields;
	r->size = record_size(r->fields);
	if (!r->fields || (r->fields & ~ALL_FIELDS))
		return MQRC_PMO_RECORD_FLAGS_ERROR;
	if ((r->fields & MQPMRF_ACCOUNTING_TOKEN) && !(pmo->Options & SET))
		return MQRC_PMO_RECORD_FLAGS_ERROR;
	a.size = r->count * r->size;
	if (kmq_array_is_bad(&a))
		return MQRC_PUT_MSG_RECORDS_ERROR;
	r->first = kmq_array_at(&a);
	return MQRC_NONE;
}

static MQLONG responses_check(struct kmq_records *r, const MQPMO *pmo)
{
	struct kmq_array a = {
		.base = pmo,
		.offset = pmo->ResponseRecOffset,
		.ptr = pmo->ResponseRecPtr,
		.size = r->count * sizeof(MQRR),
	};

	if (kmq_array_is_bad(&a))
		return MQRC_RESPONSE_RECORDS_ERROR;
	r->responses = kmq_array_at(&a);
	return MQRC_NONE;
}

MQLONG kmq_records_check(struct kmq_records *r, const struct kmq_put_call *call,
			 bool responses)
{
	const MQPMO *pmo = call->pmo;
	MQLONG reason;

	memset(r, 0, sizeof(*r));
	if (call->put.pmo_version < MQPMO_VERSION_2)
		return MQRC_NONE;
	if (pmo->RecsPresent < 0)
		return MQRC_RECS_PRESENT_ERROR;
	r->count = pmo->RecsPresent;
	if (!r->count)
		return MQRC_NONE;
	reason = put_records_check(r, pmo);
	if (!reason && responses)
		reason = responses_check(r, pmo);
	return reason;
}

bool kmq_records_have_group(const struct kmq_records *r, MQLONG count)
{
	return field_at(r, count - 1, MQPMRF_GROUP_ID);
}

static void take(void *to, const struct kmq_records *r, MQLONG i, MQLONG field,
		 size_t size)
{
	const void *from = field_at(r, i, field);

	if (from)
		memcpy(to, from, size);
}

void kmq_record_apply(const struct kmq_records *r, MQLONG i,
		      struct kmq_put_call *call)
{
	struct kmq_md *md = &call->put.md;
	struct kmq_context *context = &call->ext.context;

	take(md->msg_id, r, i, MQPMRF_MSG_ID, sizeof(md->msg_id));
	take(md->correl_id, r, i, MQPMRF_CORREL_ID, sizeof(md->correl_id));
	take(&md->feedback, r, i, MQPMRF_FEEDBACK, sizeof(md->feedback));
	if (call->put.present & KMQ_MD_GROUP)
		take(call->ext.group_id, r, i, MQPMRF_GROUP_ID,
		     sizeof(call->ext.group_id));
	if (call->put.present & KMQ_MD_CONTEXT)
		take(context->accounting, r, i, MQPMRF_ACCOUNTING_TOKEN,
		     sizeof(context->accounting));
}

static void give(const struct kmq_records *r, MQLONG i, MQLONG field,
		 const void *from, size_t size)
{
	void *to = field_at(r, i, field);

	if (to)
		memcpy(to, from, size);
}

void kmq_record_store(const struct kmq_records *r, MQLONG i, const MQMD *md)
{
	give(r, i, MQPMRF_MSG_ID, md->MsgId, sizeof(md->MsgId));
	give(r, i, MQPMRF_CORREL_ID, md->CorrelId, sizeof(md->CorrelId));
	if (md->Version >= MQMD_VERSION_2)
		give(r, i, MQPMRF_GROUP_ID, md->GroupId, sizeof(md->GroupId));
}
