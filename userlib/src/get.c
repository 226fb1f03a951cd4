// SPDX-License-Identifier: MIT
/*
 * MQGET.
 *
 * The kernel makes all checks, in their order (G-VAL), chooses the message and
 * copies it. Output is written for OK and for warnings that return a message
 * (G-OUT-1, G-OUT-3), at the version of each structure and no further
 * (G-GMO-1), from three sources: the fields that every message has, parts that
 * came because they are not at their defaults, and the context, which does not
 * come again if the last message of the handle had the same.
 *
 * MQGET has the three steps inlined; others call them.
 */
#include "get.h"

#include "ahead.h"
#include "convert.h"
#include "device.h"
#include "mde.h"

KMQ_SECOND_NAME(MQGET);

#define GROUP_MATCH	(MQMO_MATCH_GROUP_ID | MQMO_MATCH_MSG_SEQ_NUMBER | \
			 MQMO_MATCH_OFFSET)

/* Where a caller's MQMD or MQGMO cannot be read, nothing is looked at. */
KMQ_INLINE void prepare_gmo(struct kmq_get *g, const MQGMO *gmo)
{
	g->options = gmo->Options;
	g->wait_interval = gmo->WaitInterval;
	g->signal1 = gmo->Signal1;
	if (g->gmo_version >= MQGMO_VERSION_2)
		g->match_options = gmo->MatchOptions;
	if (g->gmo_version >= MQGMO_VERSION_3)
		memcpy(g->token, gmo->MsgToken, sizeof(g->token));
}

KMQ_INLINE void prepare_md(struct kmq_get_call *call, MQMD *md)
{
	memcpy(kmq_md_ids(&call->get.md), KMQ_MD_AT(md, MsgId),
	       KMQ_MD_IDS_SIZE);
	if (unlikely(call->get.match_options & GROUP_MATCH) &&
	    call->get.md_version >= MQMD_VERSION_2)
		memcpy(&call->ext, KMQ_MD_AT(md, GroupId), KMQ_MD_GROUP_SIZE);
	call->ccsid = md->CodedCharSetId;
	call->encoding = md->Encoding;
}

KMQ_INLINE void prepare(struct kmq_get_call *call,
			const struct kmq_object *object, MQMD *md, MQGMO *gmo,
			MQLONG length, void *buffer, bool has_data_length)
{
	struct kmq_get *g = &call->get;

	call->md = md;
	call->gmo = gmo;
	call->buffer = buffer;
	g->size = sizeof(*g);
	g->flags = likely(has_data_length) ? 0 : KMQ_GET_NO_DATA_LENGTH;
	g->options = MQGMO_NONE;
	g->match_options = MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID;
	g->gmo_version = kmq_version_of(gmo, MQGMO_STRUC_ID, MQGMO_VERSION_4);
	g->md_version = kmq_md_version(md);
	g->length = length;
	g->data = (uintptr_t)buffer;
	g->ext = (uintptr_t)&call->ext;
	g->deadline = 0;
	g->ctx_id = object->ctx_id;
	if (likely(g->gmo_version))
		prepare_gmo(g, gmo);
	if (likely(g->md_version))
		prepare_md(call, md);
}

void kmq_get_prepare(struct kmq_get_call *call,
		     const struct kmq_object *object, MQMD *md, MQGMO *gmo,
		     MQLONG length, void *buffer, bool has_data_length)
{
	prepare(call, object, md, gmo, length, buffer, has_data_length);
}

/*
 * Message handles do not exist yet, so none given is valid. That matters
 * where it would be used (G-PRP-1, G-PRP-5).
 */
bool kmq_get_is_special(const struct kmq_get_call *call,
			const struct kmq_object *object)
{
	const struct kmq_get *g = &call->get;

	if (g->options & MQGMO_PROPERTIES_IN_HANDLE)
		return true;
	if (g->gmo_version < MQGMO_VERSION_4 ||
	    call->gmo->MsgHandle == MQHM_NONE)
		return false;
	return !(g->options & (MQGMO_NO_PROPERTIES |
			       MQGMO_PROPERTIES_FORCE_MQRFH2 |
			       MQGMO_PROPERTIES_COMPATIBILITY)) &&
	       object->property_control != MQPROP_FORCE_MQRFH2;
}

KMQ_INLINE MQLONG run_plain(struct kmq_get_call *call, int fd, PMQLONG reason)
{
	int err = kmq_ioctl(fd, KMQ_IOC_GET, &call->get);

	if (unlikely(err)) {
		*reason = kmq_object_reason(err);
		return MQCC_FAILED;
	}
	*reason = call->get.out_reason;
	return call->get.out_comp_code;
}

/*
 * 2460 has its turn just before a bad BufferLength (G-VAL, line 13): the
 * kernel gets one and says what comes first. UNLOCK looks at neither.
 */
KMQ_SLOW MQLONG run_special(struct kmq_get_call *call, int fd, PMQLONG reason)
{
	MQLONG comp_code;

	call->get.length = -1;
	comp_code = run_plain(call, fd, reason);
	if (*reason == MQRC_BUFFER_LENGTH_ERROR)
		*reason = MQRC_HMSG_ERROR;
	return comp_code;
}

KMQ_INLINE MQLONG run(struct kmq_get_call *call,
		      const struct kmq_object *object, PMQLONG reason)
{
	if (unlikely(call->get.gmo_version >= MQGMO_VERSION_4 ||
		     (call->get.options & MQGMO_PROPERTIES_IN_HANDLE)) &&
	    unlikely(kmq_get_is_special(call, object)))
		return run_special(call, object->fd, reason);
	return run_plain(call, object->fd, reason);
}

MQLONG kmq_get_run(struct kmq_get_call *call, const struct kmq_object *object,
		   PMQLONG reason)
{
	return run(call, object, reason);
}

KMQ_INLINE void finish_reply(MQMD *md, const struct kmq_get_call *call)
{
	char *to = KMQ_MD_AT(md, ReplyToQ);

	if (call->get.out_present & KMQ_MD_REPLY)
		memcpy(to, (const char *)&call->ext +
			   offsetof(struct kmq_md_ext, reply_q),
		       2 * KMQ_NAME_LEN);
	else
		memset(to, ' ', 2 * KMQ_NAME_LEN);
}

/* The context came only if it is not the one that the handle has. */
KMQ_INLINE void finish_context(MQMD *md, const struct kmq_get_call *call,
			   struct kmq_conn *conn, struct kmq_object *object)
{
	const struct kmq_get *g = &call->get;

	if (unlikely(g->out_present & KMQ_MD_CONTEXT)) {
		kmq_origin_set(&object->origin, &call->ext.context);
		object->ctx_id = g->ctx_id;
	}
	kmq_origin_date(&object->origin, &object->dated, &conn->clock,
			g->out_put_time, &call->ext, g->out_present);
	memcpy(KMQ_MD_AT(md, UserIdentifier), &object->origin,
	       sizeof(object->origin));
}

KMQ_INLINE void finish_group(MQMD *md, const struct kmq_get_call *call)
{
	if (unlikely(call->get.out_present & KMQ_MD_GROUP))
		memcpy(KMQ_MD_AT(md, GroupId), &call->ext, KMQ_MD_GROUP_SIZE);
	else
		kmq_md_group_default(md);
	md->MsgFlags = call->get.out_msg_flags;
}

KMQ_INLINE void finish_md(struct kmq_get_call *call, struct kmq_conn *conn,
		      struct kmq_object *object)
{
	MQMD *md = call->md;

	memcpy(KMQ_MD_AT(md, Report), &call->get.md, sizeof(call->get.md));
	md->BackoutCount = call->get.out_backout_count;
	finish_reply(md, call);
	finish_context(md, call, conn, object);
	if (call->get.md_version >= MQMD_VERSION_2)
		finish_group(md, call);
	else if (unlikely(call->get.out_flags & KMQ_GET_OUT_MDE))
		kmq_mde_make(md, &call->ext, conn->ccsid, call->buffer,
			     call->get.out_returned_length);
}

/* M-FLG-3 */
KMQ_INLINE void finish_status(MQGMO *gmo, uint32_t flags)
{
	gmo->GroupStatus = MQGS_NOT_IN_GROUP;
	gmo->SegmentStatus = MQSS_NOT_A_SEGMENT;
	gmo->Segmentation = MQSEG_INHIBITED;
	if (likely(!flags))
		return;
	if (flags & MQMF_LAST_MSG_IN_GROUP)
		gmo->GroupStatus = MQGS_LAST_MSG_IN_GROUP;
	else if (flags & MQMF_MSG_IN_GROUP)
		gmo->GroupStatus = MQGS_MSG_IN_GROUP;
	if (flags & MQMF_LAST_SEGMENT)
		gmo->SegmentStatus = MQSS_LAST_SEGMENT;
	else if (flags & MQMF_SEGMENT)
		gmo->SegmentStatus = MQSS_SEGMENT;
	if (flags & MQMF_SEGMENTATION_ALLOWED)
		gmo->Segmentation = MQSEG_ALLOWED;
}

KMQ_INLINE void finish_gmo(const struct kmq_get_call *call,
		       const struct kmq_object *object)
{
	const struct kmq_get *g = &call->get;
	MQGMO *gmo = call->gmo;

	memcpy(gmo->ResolvedQName, object->resolved_q, KMQ_NAME_LEN);
	if (g->gmo_version < MQGMO_VERSION_2)
		return;
	finish_status(gmo, g->out_msg_flags);
	if (g->gmo_version < MQGMO_VERSION_3)
		return;
	memcpy(gmo->MsgToken, g->token, sizeof(g->token));
	gmo->ReturnedLength = g->out_returned_length;
}

/* Of several warnings that about conversion goes first (G-RC-2). */
KMQ_SLOW MQLONG convert(struct kmq_get_call *call, struct kmq_conn *conn,
			MQLONG comp_code, PMQLONG reason)
{
	MQLONG warning;

	if (*reason == MQRC_TRUNCATED_MSG_FAILED)
		return comp_code;
	warning = kmq_convert(call, conn);
	if (!warning)
		return comp_code;
	*reason = warning;
	return MQCC_WARNING;
}

KMQ_INLINE MQLONG finish(struct kmq_get_call *call, struct kmq_conn *conn,
			 struct kmq_object *object, MQLONG comp_code,
			 PMQLONG reason, PMQLONG data_length)
{
	/* No message came with these. */
	if (unlikely(comp_code == MQCC_FAILED ||
		     *reason == MQRC_SIGNAL_REQUEST_ACCEPTED ||
		     *reason == MQRC_NO_MSG_LOCKED ||
		     (call->get.options & MQGMO_UNLOCK)))
		return comp_code;
	finish_md(call, conn, object);
	finish_gmo(call, object);
	*data_length = call->get.out_data_length;
	if (unlikely(call->get.options & MQGMO_CONVERT))
		return convert(call, conn, comp_code, reason);
	return comp_code;
}

MQLONG kmq_get_finish(struct kmq_get_call *call, struct kmq_conn *conn,
		      struct kmq_object *object, MQLONG comp_code,
		      PMQLONG reason, PMQLONG data_length)
{
	return finish(call, conn, object, comp_code, reason, data_length);
}

/* A handle that reads ahead. */
static __attribute__((noinline)) MQLONG run_ahead(struct kmq_get_call *call,
						  struct kmq_object *object,
						  PMQLONG reason)
{
	MQLONG comp_code;

	if (kmq_ahead_get(object->ahead, object, call)) {
		*reason = MQRC_NONE;
		return MQCC_OK;
	}
	comp_code = run(call, object, reason);
	kmq_ahead_made(object->ahead, call, comp_code);
	return comp_code;
}

KMQ_INLINE MQLONG get_from(struct kmq_conn *c, struct kmq_object *o, MQMD *md,
			   MQGMO *gmo, MQLONG length, void *buffer,
			   PMQLONG data_length, PMQLONG reason)
{
	struct kmq_get_call call;
	MQLONG comp_code;

	prepare(&call, o, md, gmo, length, buffer, data_length);
	comp_code = unlikely(o->reads_ahead) ? run_ahead(&call, o, reason) :
					       run(&call, o, reason);
	return finish(&call, c, o, comp_code, reason, data_length);
}

KMQ_API void MQENTRY MQGET(MQHCONN Hconn, MQHOBJ Hobj, PMQVOID pMsgDesc,
			   PMQVOID pGetMsgOpts, MQLONG BufferLength,
			   PMQVOID pBuffer, PMQLONG pDataLength,
			   PMQLONG pCompCode, PMQLONG pReason)
{
	struct kmq_object *o;
	struct kmq_conn *c;

	*pCompCode = MQCC_FAILED;
	c = kmq_conn_enter(Hconn, pReason);
	if (unlikely(!c))
		return;
	o = kmq_object_queue(c, Hobj);
	if (likely(o))
		*pCompCode = get_from(c, o, pMsgDesc, pGetMsgOpts,
				      BufferLength, pBuffer, pDataLength,
				      pReason);
	else
		*pReason = kmq_object_refusal(c, Hobj,
					      MQRC_NOT_OPEN_FOR_INPUT);
	kmq_conn_leave(c);
}
