// SPDX-License-Identifier: MIT
/*
 * MQPUT and MQPUT1 to a distribution list (put.md section 12).
 *
 * Each destination gets a put of its own, with copies of the program's
 * structures and what the records have for it. Errors that the kernel finds in
 * the structures are therefore found for every destination alike, and are the
 * result of the call. Only what concerns the call before any destination, lines
 * 3 and 4 of P-CHK-1 and the records, is checked here.
 *
 * Of the descriptor the program gets back what all destinations have in common.
 * Identifiers are in the records only (P-DL-6).
 */
#include "put_list.h"

#include <stdlib.h>

#include "device.h"
#include "distlist.h"
#include "name.h"
#include "od.h"

#define GROUP_FLAGS	(MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP | \
			 MQMF_SEGMENT | MQMF_LAST_SEGMENT | \
			 MQMF_SEGMENTATION_ALLOWED)

/**
 * struct list_put - a put to a list
 * @conn: connection
 * @md: descriptor of the program, as what follows
 * @pmo: its options
 * @length: BufferLength
 * @buffer: message data
 * @records: what its MQPMO has for the destinations
 * @results: results so far
 * @stored: descriptor that goes back to the program if a put went well
 * @good: one did
 */
struct list_put {
	struct kmq_conn *conn;
	MQMD *md;
	MQPMO *pmo;
	MQLONG length;
	const void *buffer;
	struct kmq_records records;
	struct kmq_results *results;
	MQMD stored;
	bool good;
};

/* P-DL-7: one group identifier for several destinations. */
static bool shares_group(const struct kmq_put_call *call)
{
	static const MQBYTE24 none;
	const struct kmq_md_ext *ext = &call->ext;

	return (call->put.present & KMQ_MD_GROUP) &&
	       !(call->put.options & MQPMO_LOGICAL_ORDER) &&
	       (ext->msg_flags & GROUP_FLAGS) &&
	       memcmp(ext->group_id, none, sizeof(none));
}

static MQLONG check(struct list_put *p, bool put1, MQLONG destinations)
{
	struct kmq_put_call call;
	MQLONG reason;

	kmq_put_prepare(&call, p->conn, p->md, p->pmo, p->length, p->buffer);
	reason = kmq_put_early(&call, put1);
	if (!reason)
		reason = kmq_records_check(&p->records, &call, !put1);
	if (!reason && shares_group(&call) &&
	    !kmq_records_have_group(&p->records, destinations))
		reason = MQRC_GROUP_ID_ERROR;
	return reason;
}

static size_t md_size(const MQMD *md)
{
	return md->Version >= MQMD_VERSION_2 ? MQMD_LENGTH_2 : MQMD_LENGTH_1;
}

static size_t pmo_size(const MQPMO *pmo)
{
	switch (pmo->Version) {
	case MQPMO_VERSION_1:
		return MQPMO_LENGTH_1;
	case MQPMO_VERSION_2:
		return MQPMO_LENGTH_2;
	default:
		return MQPMO_LENGTH_3;
	}
}

/* The program's structures, for one destination. */
static void copy(const struct list_put *p, MQMD *md, MQPMO *pmo)
{
	memcpy(md, p->md, md_size(p->md));
	memcpy(pmo, p->pmo, pmo_size(p->pmo));
	pmo->RecsPresent = 0;
}

/* What destinations have stored differently is as the program gave it. */
static void merge(struct list_put *p, const MQMD *md)
{
	if (!p->good) {
		memcpy(&p->stored, md, md_size(md));
		p->good = true;
	}
	if (md->Priority != p->stored.Priority)
		p->stored.Priority = p->md->Priority;
	if (md->Persistence != p->stored.Persistence)
		p->stored.Persistence = p->md->Persistence;
	if (md->Version < MQMD_VERSION_2)
		return;
	if (md->MsgSeqNumber != p->stored.MsgSeqNumber)
		p->stored.MsgSeqNumber = p->md->MsgSeqNumber;
	if (md->Offset != p->stored.Offset)
		p->stored.Offset = p->md->Offset;
}

/* Destination @i has got the message described by @md, or not. */
static void destination_done(struct list_put *p, MQLONG i, const MQMD *md,
			     MQLONG comp_code, MQLONG reason, bool remote)
{
	if (comp_code != MQCC_FAILED) {
		kmq_record_store(&p->records, i, md);
		merge(p, md);
	}
	kmq_results_add(p->results, comp_code, reason, remote);
}

static void return_md(struct list_put *p)
{
	MQMD *md = p->md;

	memcpy(p->stored.MsgId, md->MsgId, sizeof(md->MsgId));
	memcpy(p->stored.CorrelId, md->CorrelId, sizeof(md->CorrelId));
	if (md->Version >= MQMD_VERSION_2)
		memcpy(p->stored.GroupId, md->GroupId, sizeof(md->GroupId));
	memcpy(md, &p->stored, md_size(md));
}

static MQLONG finish(struct list_put *p, MQRR *responses, MQLONG count,
		     PMQLONG reason)
{
	const struct kmq_results *r = p->results;
	MQLONG comp_code = kmq_results_total(r, responses, count, reason);

	if (comp_code == MQCC_FAILED) {
		/* Differences mean little if the queue manager is gone. */
		*reason = kmq_od_unresolved(p->conn, *reason, p->pmo->Options &
					    MQPMO_FAIL_IF_QUIESCING);
		return comp_code;
	}
	return_md(p);
	if (p->pmo->Version >= MQPMO_VERSION_2) {
		p->pmo->KnownDestCount = r->known;
		p->pmo->UnknownDestCount = r->unknown;
		p->pmo->InvalidDestCount = r->invalid;
	}
	return comp_code;
}

static void put_to(struct list_put *p, MQLONG i, const struct kmq_object *o)
{
	struct kmq_put_call call;
	MQLONG comp_code, reason;
	MQPMO pmo;
	MQMD md;

	if (o->fd < 0) {
		destination_done(p, i, NULL, MQCC_FAILED, MQRC_OPEN_FAILED,
				 false);
		return;
	}
	copy(p, &md, &pmo);
	kmq_put_prepare(&call, p->conn, &md, &pmo, p->length, p->buffer);
	kmq_record_apply(&p->records, i, &call);
	call.put.flags |= o->put_flags;
	comp_code = kmq_put_run(&call, o->fd, KMQ_IOC_PUT, &reason);
	kmq_put_ended(&call, p->conn, o, comp_code, reason);
	destination_done(p, i, &md, comp_code, reason,
			 kmq_put_is_remote(&call, o));
}

MQLONG kmq_put_list(struct kmq_conn *c, MQHOBJ hobj, MQMD *md, MQPMO *pmo,
		    MQLONG length, const void *buffer, PMQLONG reason)
{
	struct kmq_distlist *list = kmq_distlist_find(c, hobj);
	struct list_put p = {
		.conn = c,
		.md = md,
		.pmo = pmo,
		.length = length,
		.buffer = buffer,
	};
	MQLONG i;

	if (!list) {
		*reason = MQRC_HOBJ_ERROR;
		return MQCC_FAILED;
	}
	*reason = check(&p, false, list->count);
	if (*reason)
		return MQCC_FAILED;
	p.results = &list->results;
	kmq_results_clear(p.results);
	for (i = 0; i < list->count; i++)
		put_to(&p, i, &list->queues[i]);
	return finish(&p, p.records.responses, p.records.count, reason);
}

static void put1_to(struct list_put *p, MQLONG i, MQOD *od)
{
	struct kmq_put1 one = {
		.conn = p->conn,
		.od = od,
		.length = p->length,
		.buffer = p->buffer,
		.records = &p->records,
		.index = i,
	};
	MQLONG comp_code, reason;
	MQPMO pmo;
	MQMD md;

	copy(p, &md, &pmo);
	one.md = &md;
	one.pmo = &pmo;
	comp_code = kmq_put1_run(&one, &reason);
	destination_done(p, i, &md, comp_code, reason, one.remote);
}

static MQLONG put1_check(struct list_put *p, const MQOD *od)
{
	MQLONG reason = check(p, true, od->RecsPresent);

	if (reason)
		return reason;
	reason = kmq_od_list_name(od);
	if (!reason && kmq_od_selects(od))
		reason = MQRC_SELECTOR_INVALID_FOR_TYPE;
	return reason ? kmq_od_unresolved(p->conn, reason, p->pmo->Options &
					  MQPMO_FAIL_IF_QUIESCING) :
			MQRC_NONE;
}

static MQLONG put1_each(struct list_put *p, MQOD *od, PMQLONG reason)
{
	const MQOR *names = kmq_od_names(od);
	MQLONG comp_code, i;
	MQOD one;

	for (i = 0; i < od->RecsPresent; i++) {
		kmq_od_of_list(&one, od, &names[i]);
		put1_to(p, i, &one);
	}
	comp_code = finish(p, kmq_od_responses(od), od->RecsPresent, reason);
	if (comp_code != MQCC_FAILED)
		kmq_od_found_list(od, p->results);
	return comp_code;
}

MQLONG kmq_put1_list(const struct kmq_put1 *put, PMQLONG reason)
{
	struct kmq_results results = { .count = 0 };
	struct list_put p = {
		.conn = put->conn,
		.md = put->md,
		.pmo = put->pmo,
		.length = put->length,
		.buffer = put->buffer,
		.results = &results,
	};
	MQLONG comp_code = MQCC_FAILED;

	*reason = put1_check(&p, put->od);
	if (*reason)
		return comp_code;
	results.each = calloc(put->od->RecsPresent, sizeof(*results.each));
	if (results.each)
		comp_code = put1_each(&p, put->od, reason);
	else
		*reason = MQRC_STORAGE_NOT_AVAILABLE;
	free(results.each);
	return comp_code;
}
