// SPDX-License-Identifier: MIT
/*
 * MQPUT.
 *
 * The kernel makes all checks, in their order (P-CHK-1); this file tells it
 * which version each structure has, 0 for one it cannot read. A descriptor
 * part at its default is not sent. What is written afterwards is P-MD-11 and
 * P-PMO-1: nothing that was only read.
 *
 * MQPUT has the three steps inlined; others call them.
 */
#include "put.h"

#include "device.h"
#include "held.h"
#include "mde.h"
#include "put_list.h"

KMQ_SECOND_NAME(MQPUT);

#define PASS	(MQPMO_PASS_IDENTITY_CONTEXT | MQPMO_PASS_ALL_CONTEXT)
#define SET	(MQPMO_SET_IDENTITY_CONTEXT | MQPMO_SET_ALL_CONTEXT)

KMQ_SLOW void prepare_reply(struct kmq_put_call *call, const MQMD *md)
{
	memcpy(call->ext.reply_q, md->ReplyToQ, KMQ_NAME_LEN);
	memcpy(call->ext.reply_qmgr, md->ReplyToQMgr, KMQ_NAME_LEN);
	call->put.present |= KMQ_MD_REPLY;
}

KMQ_SLOW void prepare_context(struct kmq_put_call *call, struct kmq_conn *conn,
			    const MQMD *md, const MQPMO *pmo)
{
	const struct kmq_object *from;

	if (pmo->Options & PASS) {
		from = kmq_object_queue(conn, pmo->Context);
		call->put.context_fd = from ? from->fd : -1;
	}
	if (pmo->Options & SET) {
		kmq_context_set(&call->ext.context,
				(const void *)KMQ_MD_AT(md, UserIdentifier));
		memcpy((char *)&call->ext +
			       offsetof(struct kmq_md_ext, put_date),
		       KMQ_MD_AT(md, PutDate), 16);
		call->put.present |= KMQ_MD_CONTEXT | KMQ_MD_DATE;
	}
}

KMQ_SLOW void prepare_mde(struct kmq_put_call *call,
			  const struct kmq_conn *conn, const MQMD *md,
			  MQLONG length, const void *buffer)
{
	uint32_t mde = kmq_mde_parse(md, call->put.md_version, conn->ccsid,
				     buffer, length);

	if (mde == KMQ_PUT_MDE)
		kmq_mde_apply(buffer, &call->put, &call->ext);
	else
		call->put.flags |= mde;
}

KMQ_INLINE void prepare_md(struct kmq_put_call *call,
			   const struct kmq_conn *conn, const MQMD *md,
			   MQLONG length, const void *buffer)
{
	memcpy(&call->put.md, KMQ_MD_AT(md, Report), sizeof(call->put.md));
	if (call->put.md_version >= MQMD_VERSION_2 &&
	    unlikely(!kmq_md_group_is_default(md))) {
		memcpy(&call->ext, KMQ_MD_AT(md, GroupId), KMQ_MD_GROUP_SIZE);
		call->put.present |= KMQ_MD_GROUP;
	}
	if (!kmq_name_is_blank(md->ReplyToQ, KMQ_NAME_LEN) ||
	    !kmq_name_is_blank(md->ReplyToQMgr, KMQ_NAME_LEN))
		prepare_reply(call, md);
	if (kmq_format_is(md->Format, MQFMT_MD_EXTENSION))
		prepare_mde(call, conn, md, length, buffer);
}

KMQ_INLINE void prepare(struct kmq_put_call *call, struct kmq_conn *conn,
			MQMD *md, MQPMO *pmo, MQLONG length,
			const void *buffer)
{
	struct kmq_put *p = &call->put;

	call->md = md;
	call->pmo = pmo;
	p->size = sizeof(*p);
	p->flags = 0;
	p->pmo_version = kmq_version_of(pmo, MQPMO_STRUC_ID, MQPMO_VERSION_3);
	p->md_version = kmq_md_version(md);
	p->options = p->pmo_version ? pmo->Options : MQPMO_NONE;
	p->length = length;
	p->conn_fd = 0;
	p->data = (uintptr_t)buffer;
	p->ext = (uintptr_t)&call->ext;
	p->present = 0;
	p->context_fd = -1;
	p->out_flags = 0;
	if (likely(p->md_version))
		prepare_md(call, conn, md, length, buffer);
	if (unlikely(p->options & (PASS | SET)) && p->md_version)
		prepare_context(call, conn, md, pmo);
}

void kmq_put_prepare(struct kmq_put_call *call, struct kmq_conn *conn,
		     MQMD *md, MQPMO *pmo, MQLONG length, const void *buffer)
{
	prepare(call, conn, md, pmo, length, buffer);
}

/* Line 4 of P-CHK-1, as far as it does not depend on the call. */
static bool options_valid(MQLONG options)
{
	static const MQLONG exclusive[] = {
		MQPMO_SYNCPOINT | MQPMO_NO_SYNCPOINT,
		MQPMO_DEFAULT_CONTEXT | MQPMO_NO_CONTEXT | PASS | SET,
		MQPMO_ASYNC_RESPONSE | MQPMO_SYNC_RESPONSE,
	};
	MQLONG known = MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID |
		       MQPMO_ALTERNATE_USER_AUTHORITY |
		       MQPMO_FAIL_IF_QUIESCING | MQPMO_LOGICAL_ORDER |
		       MQPMO_RESOLVE_LOCAL_Q | MQPMO_WARN_IF_NO_SUBS_MATCHED |
		       MQPMO_RETAIN | MQPMO_MD_FOR_OUTPUT_ONLY |
		       MQPMO_SCOPE_QMGR | MQPMO_SUPPRESS_REPLYTO |
		       MQPMO_NOT_OWN_SUBS;
	size_t i;

	for (i = 0; i < sizeof(exclusive) / sizeof(exclusive[0]); i++) {
		if (__builtin_popcount(options & exclusive[i]) > 1)
			return false;
		known |= exclusive[i];
	}
	return !(options & ~known);
}

MQLONG kmq_put_early(const struct kmq_put_call *call, bool put1)
{
	MQLONG of_other = put1 ? MQPMO_LOGICAL_ORDER :
				 MQPMO_ALTERNATE_USER_AUTHORITY;

	if (!call->put.pmo_version)
		return MQRC_PMO_ERROR;
	if (!call->put.md_version)
		return MQRC_MD_ERROR;
	if (!options_valid(call->put.options) || call->put.options & of_other)
		return MQRC_OPTIONS_ERROR;
	return MQRC_NONE;
}

bool kmq_put_has_records(const struct kmq_put_call *call)
{
	return call->put.pmo_version >= MQPMO_VERSION_2 &&
	       call->pmo->RecsPresent;
}

/*
 * Message handles do not exist yet, so none given is valid: 2460 (PR-PUT-1,
 * PR-PUT-3), or 2535.
 */
static MQLONG handle_reason(const struct kmq_put_call *call)
{
	const MQPMO *pmo = call->pmo;

	if (call->put.pmo_version < MQPMO_VERSION_3)
		return MQRC_NONE;
	if (pmo->Action < MQACTP_NEW || pmo->Action > MQACTP_REPORT)
		return MQRC_ACTION_ERROR;
	if (pmo->OriginalMsgHandle != MQHM_NONE ||
	    pmo->NewMsgHandle != MQHM_NONE || pmo->Action != MQACTP_NEW)
		return MQRC_HMSG_ERROR;
	return MQRC_NONE;
}

bool kmq_put_is_special(const struct kmq_put_call *call)
{
	return kmq_put_has_records(call) || handle_reason(call);
}

KMQ_INLINE MQLONG run_plain(struct kmq_put_call *call, int fd,
			    unsigned long cmd, PMQLONG reason)
{
	int err = kmq_ioctl(fd, cmd, &call->put);

	if (unlikely(err)) {
		*reason = kmq_object_reason(err);
		return MQCC_FAILED;
	}
	*reason = call->put.out_reason;
	return call->put.out_comp_code;
}

/*
 * The call fails with @reason unless the kernel finds something that comes
 * first. To hear of that it gets the put with a fault in the place of ours,
 * for which it would answer @fault.
 */
static MQLONG run_faulty(struct kmq_put_call *call, int fd, unsigned long cmd,
			 MQLONG fault, MQLONG ours, PMQLONG reason)
{
	run_plain(call, fd, cmd, reason);
	if (*reason == fault)
		*reason = ours;
	return MQCC_FAILED;
}

KMQ_SLOW MQLONG run_special(struct kmq_put_call *call, int fd,
			    unsigned long cmd, PMQLONG reason)
{
	MQLONG handle = handle_reason(call);
	MQLONG comp_code;

	if (!kmq_put_has_records(call)) {
		call->put.flags = KMQ_PUT_MDE_BAD;
		return run_faulty(call, fd, cmd, MQRC_MDE_ERROR, handle,
				  reason);
	}
	/* Between the options and what the handle was opened for. */
	call->put.length = -1;
	comp_code = run_faulty(call, fd, cmd, MQRC_BUFFER_LENGTH_ERROR,
			       MQRC_RECS_PRESENT_ERROR, reason);
	switch (*reason) {
	case MQRC_NOT_OPEN_FOR_OUTPUT:
	case MQRC_NOT_OPEN_FOR_PASS_ALL:
	case MQRC_NOT_OPEN_FOR_PASS_IDENT:
	case MQRC_NOT_OPEN_FOR_SET_ALL:
	case MQRC_NOT_OPEN_FOR_SET_IDENT:
		*reason = MQRC_RECS_PRESENT_ERROR;
	}
	return comp_code;
}

KMQ_INLINE MQLONG run(struct kmq_put_call *call, int fd, unsigned long cmd,
		      PMQLONG reason)
{
	if (unlikely(call->put.pmo_version >= MQPMO_VERSION_2) &&
	    unlikely(kmq_put_is_special(call)))
		return run_special(call, fd, cmd, reason);
	return run_plain(call, fd, cmd, reason);
}

MQLONG kmq_put_run(struct kmq_put_call *call, int fd, unsigned long cmd,
		   PMQLONG reason)
{
	return run(call, fd, cmd, reason);
}

/* Names that were replaced; one that was only read keeps its padding. */
KMQ_SLOW void finish_reply(MQMD *md, const struct kmq_md_ext *ext)
{
	const char *q = (const char *)ext->reply_q;
	const char *qmgr = (const char *)ext->reply_qmgr;

	if (!kmq_name_equal(md->ReplyToQ, q, KMQ_NAME_LEN))
		memcpy(md->ReplyToQ, q, KMQ_NAME_LEN);
	if (!kmq_name_equal(md->ReplyToQMgr, qmgr, KMQ_NAME_LEN))
		memcpy(md->ReplyToQMgr, qmgr, KMQ_NAME_LEN);
}

/* A context other than the default one, or part of it (P-CTX-8). */
KMQ_SLOW void finish_other_context(const struct kmq_put_call *call,
				   struct kmq_conn *conn)
{
	const struct kmq_put *p = &call->put;
	struct kmq_origin origin = conn->origin;
	uint64_t dated = 0;
	const size_t own = offsetof(struct kmq_origin, appl_type);
	char *to = KMQ_MD_AT(call->md, UserIdentifier);

	if (p->options & MQPMO_SET_ALL_CONTEXT)
		return;
	if (p->out_present & KMQ_MD_CONTEXT)
		kmq_origin_set(&origin, &call->ext.context);
	kmq_origin_date(&origin, &dated, &conn->clock, p->out_put_time,
			&call->ext, p->out_present);
	if (p->options & MQPMO_SET_IDENTITY_CONTEXT)
		memcpy(to + own, (char *)&origin + own, sizeof(origin) - own);
	else
		memcpy(to, &origin, sizeof(origin));
}

KMQ_INLINE void finish_context(const struct kmq_put_call *call,
			       struct kmq_conn *conn)
{
	const struct kmq_put *p = &call->put;

	if (unlikely(p->options & SET || p->out_present & KMQ_MD_CONTEXT)) {
		finish_other_context(call, conn);
		return;
	}
	kmq_origin_date(&conn->origin, &conn->dated, &conn->clock,
			p->out_put_time, &call->ext, p->out_present);
	memcpy(KMQ_MD_AT(call->md, UserIdentifier), &conn->origin,
	       sizeof(conn->origin));
}

/*
 * The values that were used (P-LOG-5, P-LOG-13): what stands in @ext, as given
 * or replaced; with no flag that has to do with groups, none of them.
 */
KMQ_SLOW void finish_group(const struct kmq_put_call *call)
{
	const struct kmq_md_ext *ext = &call->ext;
	bool used = ext->msg_flags & (MQMF_SEGMENTATION_ALLOWED | MQMF_SEGMENT |
				      MQMF_LAST_SEGMENT | MQMF_MSG_IN_GROUP |
				      MQMF_LAST_MSG_IN_GROUP);
	MQMD *md = call->md;

	if (used)
		memcpy(md->GroupId, ext->group_id, sizeof(md->GroupId));
	else
		memset(md->GroupId, 0, sizeof(md->GroupId));
	md->MsgSeqNumber = used ? ext->msg_seq_number : 1;
	md->Offset = used ? ext->offset : 0;
}

KMQ_INLINE void finish(const struct kmq_put_call *call, struct kmq_conn *conn,
		       bool remote, const char *resolved)
{
	const struct kmq_put *p = &call->put;
	MQPMO *pmo = call->pmo;
	MQMD *md = call->md;

	if (unlikely(p->out_present & KMQ_MD_DEST)) {
		remote = p->out_flags & KMQ_PUT_OUT_REMOTE;
		resolved = (const char *)call->ext.dest_q;
	}
	/* The CCSID of an MQMD in front of an MQMDE is not the message's. */
	if (likely(!(p->flags & KMQ_PUT_MDE)))
		md->CodedCharSetId = p->md.ccsid;
	else if (md->CodedCharSetId <= MQCCSI_Q_MGR)
		md->CodedCharSetId = conn->ccsid;
	md->Priority = p->md.priority;
	md->Persistence = p->md.persistence;
	memcpy(KMQ_MD_AT(md, MsgId), kmq_md_ids(&p->md), KMQ_MD_IDS_SIZE);
	if (unlikely(p->out_present & KMQ_MD_REPLY))
		finish_reply(md, &call->ext);
	finish_context(call, conn);
	if (p->md_version >= MQMD_VERSION_2 &&
	    unlikely((p->present | p->out_present) & KMQ_MD_GROUP))
		finish_group(call);

	memcpy((char *)pmo + offsetof(MQPMO, ResolvedQName), resolved,
	       2 * KMQ_NAME_LEN);
	if (p->pmo_version >= MQPMO_VERSION_2) {
		pmo->KnownDestCount = !remote;
		pmo->UnknownDestCount = remote;
		pmo->InvalidDestCount = 0;
	}
}

void kmq_put_finish(const struct kmq_put_call *call, struct kmq_conn *conn,
		    bool remote, const char *resolved)
{
	finish(call, conn, remote, resolved);
}

bool kmq_put_is_remote(const struct kmq_put_call *call,
		       const struct kmq_object *o)
{
	if (call->put.out_present & KMQ_MD_DEST)
		return call->put.out_flags & KMQ_PUT_OUT_REMOTE;
	return o->remote;
}

void kmq_put_ended(const struct kmq_put_call *call, struct kmq_conn *c,
		   const struct kmq_object *o, MQLONG comp_code, MQLONG reason)
{
	if (comp_code != MQCC_FAILED)
		finish(call, c, o->remote, o->resolved_q);
	if (kmq_stat_wanted(call->put.options, o->def_put_response))
		kmq_stat_count(&c->stat, comp_code, reason, o->name,
			       o->qmgr_name, o->resolved_q, o->resolved_qmgr);
}

KMQ_INLINE MQLONG put_to(struct kmq_conn *c, struct kmq_object *o, MQMD *md,
			 MQPMO *pmo, MQLONG length, const void *buffer,
			 PMQLONG reason)
{
	struct kmq_put_call call;
	MQLONG comp_code;
	bool async;

	prepare(&call, c, md, pmo, length, buffer);
	call.put.flags |= o->put_flags;
	async = kmq_stat_wanted(call.put.options, o->def_put_response);
	if (unlikely(async) && kmq_held_take(c, o, &call)) {
		*reason = MQRC_NONE;
		return MQCC_OK;
	}
	if (unlikely(c->holds))
		kmq_held_flush(c);
	comp_code = run(&call, o->fd, KMQ_IOC_PUT, reason);
	if (likely(comp_code != MQCC_FAILED))
		finish(&call, c, o->remote, o->resolved_q);
	if (unlikely(async))
		kmq_held_made(c, o, &call, comp_code, *reason);
	return comp_code;
}

KMQ_SLOW MQLONG put_to_other(struct kmq_conn *c, MQHOBJ hobj, MQMD *md,
			     MQPMO *pmo, MQLONG length, const void *buffer,
			     PMQLONG reason)
{
	kmq_held_flush(c);
	return kmq_put_list(c, hobj, md, pmo, length, buffer, reason);
}

KMQ_API void MQENTRY MQPUT(MQHCONN Hconn, MQHOBJ Hobj, PMQVOID pMsgDesc,
			   PMQVOID pPutMsgOpts, MQLONG BufferLength,
			   PMQVOID pBuffer, PMQLONG pCompCode, PMQLONG pReason)
{
	struct kmq_object *o;
	struct kmq_conn *c;

	*pCompCode = MQCC_FAILED;
	c = kmq_conn_enter_holding(Hconn, pReason);
	if (unlikely(!c))
		return;
	o = kmq_object_queue(c, Hobj);
	if (likely(o))
		*pCompCode = put_to(c, o, pMsgDesc, pPutMsgOpts, BufferLength,
				    pBuffer, pReason);
	else
		*pCompCode = put_to_other(c, Hobj, pMsgDesc, pPutMsgOpts,
					  BufferLength, pBuffer, pReason);
	kmq_conn_leave_holding(c);
}
