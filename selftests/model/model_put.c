/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * model: MQPUT and MQPUT1 (put.md), checks in the order of P-CHK-1, P-CHK-3.
 */
#include "model.h"

#define MAX_NUMBER	999999999
#define MIN_PIECE	16

#define PMO_DEFINED	0x1cafffe6
#define CONTEXT_OPTIONS	(MQPMO_DEFAULT_CONTEXT | MQPMO_NO_CONTEXT | \
			 PASS_OPTIONS | MQPMO_SET_IDENTITY_CONTEXT | \
			 MQPMO_SET_ALL_CONTEXT)
#define PASS_OPTIONS	(MQPMO_PASS_IDENTITY_CONTEXT | MQPMO_PASS_ALL_CONTEXT)

/* The group fields a put uses, and what they make of the handle's set. */
struct place {
	bool in_group, segment, last_segment;
	bool cut;
	MQLONG seg_len;
	struct info after;
	MQLONG offset;
	bool new_gid;
};

static bool more_than_one(MQLONG o)
{
	return o & (o - 1);
}

/* The handle, which MQPUT1 has none of. */
static struct handle *handle_of(struct model *m, const struct put_call *p)
{
	return p->handle < 0 ? NULL : &m->h[p->handle];
}

/* P-OPT-1..6 */
static bool options_wrong(MQLONG o, bool one)
{
	return (o & ~PMO_DEFINED) ||
	       (o & (one ? MQPMO_LOGICAL_ORDER :
			   MQPMO_ALTERNATE_USER_AUTHORITY)) ||
	       more_than_one(o & (MQPMO_SYNCPOINT | MQPMO_NO_SYNCPOINT)) ||
	       more_than_one(o & CONTEXT_OPTIONS) ||
	       more_than_one(o & (MQPMO_ASYNC_RESPONSE |
				  MQPMO_SYNC_RESPONSE));
}

/* P-CALL-3, table of section 7; what implies what: objects.md 3.2. */
static MQLONG check_open(const struct handle *h, MQLONG o)
{
	MQLONG oo = h->options;

	if (!(oo & MQOO_OUTPUT))
		return MQRC_NOT_OPEN_FOR_OUTPUT;
	if (oo & MQOO_SET_ALL_CONTEXT)
		return 0;
	if (o & MQPMO_SET_ALL_CONTEXT)
		return MQRC_NOT_OPEN_FOR_SET_ALL;
	if (o & MQPMO_PASS_ALL_CONTEXT)
		return oo & MQOO_PASS_ALL_CONTEXT ?
		       0 : MQRC_NOT_OPEN_FOR_PASS_ALL;
	if (o & MQPMO_SET_IDENTITY_CONTEXT)
		return oo & MQOO_SET_IDENTITY_CONTEXT ?
		       0 : MQRC_NOT_OPEN_FOR_SET_IDENT;
	if (o & MQPMO_PASS_IDENTITY_CONTEXT)
		return oo & (MQOO_PASS_IDENTITY_CONTEXT |
			     MQOO_PASS_ALL_CONTEXT |
			     MQOO_SET_IDENTITY_CONTEXT) ?
		       0 : MQRC_NOT_OPEN_FOR_PASS_IDENT;
	return 0;
}

/* P-CTX-2, P-CTX-11 */
static MQLONG check_context(struct model *m, const struct put_call *p)
{
	const struct handle *from;

	if (!(p->pmo->Options & PASS_OPTIONS))
		return 0;
	if (p->context < 0)
		return MQRC_CONTEXT_HANDLE_ERROR;
	from = &m->h[p->context];
	if (!from->open || from->conn != p->conn ||
	    !(from->options & MQOO_SAVE_ALL_CONTEXT))
		return MQRC_CONTEXT_HANDLE_ERROR;
	return from->saved == SAVED ? 0 : MQRC_CONTEXT_NOT_AVAILABLE;
}

/* Bits of one report option that mean nothing without its base (P-MD-1a). */
static MQLONG without_base(MQLONG report, MQLONG base, MQLONG all)
{
	return report & base ? 0 : report & all;
}

/* P-MD-1; *unknown: accepted, but to be warned of. */
static MQLONG check_report(MQLONG report, bool *unknown)
{
	const MQLONG known = MQRO_EXCEPTION_WITH_FULL_DATA |
		MQRO_EXPIRATION_WITH_FULL_DATA | MQRO_COA_WITH_FULL_DATA |
		MQRO_COD_WITH_FULL_DATA | MQRO_PAN | MQRO_NAN | MQRO_ACTIVITY |
		MQRO_PASS_CORREL_ID | MQRO_PASS_MSG_ID |
		MQRO_PASS_DISCARD_AND_EXPIRY | MQRO_DISCARD_MSG;
	MQLONG bad = report & ~known;

	bad |= without_base(report, MQRO_EXCEPTION,
			    MQRO_EXCEPTION_WITH_FULL_DATA);
	bad |= without_base(report, MQRO_EXPIRATION,
			    MQRO_EXPIRATION_WITH_FULL_DATA);
	bad |= without_base(report, MQRO_COA, MQRO_COA_WITH_FULL_DATA);
	bad |= without_base(report, MQRO_COD, MQRO_COD_WITH_FULL_DATA);
	if (bad & (MQRO_REJECT_UNSUP_MASK | MQRO_ACCEPT_UNSUP_IF_XMIT_MASK))
		return MQRC_REPORT_OPTIONS_ERROR;
	*unknown = bad & MQRO_ACCEPT_UNSUP_MASK;
	return 0;
}

static bool msg_type_good(MQLONG t)
{
	return t == 1 || t == 2 || t == 4 || t == 8 || t == 112 || t == 113 ||
	       (t >= 65536 && t <= MAX_NUMBER);
}

/* P-MD-2 */
static bool reply_missing(const MQMD *md)
{
	const MQLONG asks = MQRO_EXCEPTION | MQRO_EXPIRATION | MQRO_COA |
		MQRO_COD | MQRO_PAN | MQRO_NAN | MQRO_ACTIVITY;
	MQCHAR name[48];
	int i;

	if (md->MsgType != MQMT_REQUEST && !(md->Report & asks))
		return false;
	memcpy(name, md->ReplyToQ, sizeof(name));
	model_blank_pad(name, sizeof(name));
	for (i = 0; i < 48; i++)
		if (name[i] != ' ')
			return false;
	return true;
}

/* Group part of line 11: P-LOG-14, P-MD-6, P-MD-8, P-MD-9. */
static MQLONG check_group_fields(const MQMD *md, MQLONG len, bool logical)
{
	bool segment = model_is_segment(md);
	bool last = md->MsgFlags & MQMF_LAST_SEGMENT;

	if (md->MsgFlags & 0x000fffe0)
		return MQRC_MSG_FLAGS_ERROR;
	if (!logical && model_in_group(md) &&
	    (md->MsgSeqNumber < 1 || md->MsgSeqNumber > MAX_NUMBER))
		return MQRC_MSG_SEQ_NUMBER_ERROR;
	if (!logical && segment &&
	    (md->Offset < 0 || md->Offset > MAX_NUMBER ||
	     md->Offset + len > MAX_NUMBER))
		return MQRC_OFFSET_ERROR;
	if (segment && md->MsgType == MQMT_REPORT &&
	    (md->OriginalLength < len || md->OriginalLength < (last ? 0 : 1)))
		return MQRC_ORIGINAL_LENGTH_ERROR;
	return segment && !last && !len ? MQRC_SEGMENT_LENGTH_ZERO : 0;
}

/* Line 11; @md is version 2 by now. */
static MQLONG check_fields(const MQMD *md, MQLONG len, bool logical,
			   bool *unknown)
{
	MQLONG reason = check_report(md->Report, unknown);

	if (reason)
		return reason;
	if (!msg_type_good(md->MsgType))
		return MQRC_MSG_TYPE_ERROR;
	if (md->Expiry != MQEI_UNLIMITED && md->Expiry <= 0)
		return MQRC_EXPIRY_ERROR;
	if (md->Feedback < 0 || md->Feedback > MAX_NUMBER)
		return MQRC_FEEDBACK_ERROR;
	if (md->Priority < -1)
		return MQRC_PRIORITY_ERROR;
	if (md->Persistence < 0 || md->Persistence > 2)
		return MQRC_PERSISTENCE_ERROR;
	reason = check_group_fields(md, len, logical);
	if (reason)
		return reason;
	return reply_missing(md) ? MQRC_MISSING_REPLY_TO_Q : 0;
}

/* --- group fields --------------------------------------------------------- */

/* P-LOG-5 */
static void place_logical(const MQMD *md, const struct info *cur,
			  struct place *pl)
{
	struct info *a = &pl->after;

	a->seq = 1;
	pl->offset = 0;
	if (cur->cur_msg) {
		memcpy(a->gid, cur->gid, 24);
		a->seq = cur->seq;
		pl->offset = cur->next;
	} else if (cur->cur_group) {
		memcpy(a->gid, cur->gid, 24);
		a->seq = cur->seq + 1;
	} else {
		memset(a->gid, 0, 24);
		pl->new_gid = pl->in_group || pl->segment ||
			      (md->MsgFlags & MQMF_SEGMENTATION_ALLOWED);
	}
}

/* P-LOG-13 */
static void place_given(const MQMD *md, struct place *pl)
{
	struct info *a = &pl->after;
	bool any = pl->in_group || pl->segment ||
		   (md->MsgFlags & MQMF_SEGMENTATION_ALLOWED);

	a->seq = pl->in_group ? md->MsgSeqNumber : 1;
	pl->offset = pl->segment ? md->Offset : 0;
	memset(a->gid, 0, 24);
	if (any)
		memcpy(a->gid, md->GroupId, 24);
	pl->new_gid = any && model_all_zero(md->GroupId, 24);
}

/* P-LOG-7, P-LOG-9..11 */
static MQLONG check_logical(const struct info *cur, const struct place *pl,
			    MQLONG len)
{
	if (cur->cur_msg &&
	    (!pl->segment || pl->in_group != cur->cur_group))
		return MQRC_INCOMPLETE_MSG;
	if (cur->cur_group && !cur->cur_msg && !pl->in_group)
		return MQRC_INCOMPLETE_GROUP;
	if (cur->cur_msg || cur->cur_group) {
		if (pl->after.persistence != cur->persistence)
			return MQRC_INCONSISTENT_PERSISTENCE;
		if (pl->after.sync != cur->sync)
			return MQRC_INCONSISTENT_UOW;
	}
	if (pl->after.seq > MAX_NUMBER)
		return MQRC_MSG_SEQ_NUMBER_ERROR;
	return pl->offset + len > MAX_NUMBER ? MQRC_OFFSET_ERROR : 0;
}

/* P-INC-2 */
static MQLONG given_warning(const struct info *cur, const struct place *pl)
{
	const struct info *a = &pl->after;
	bool fits = !pl->new_gid && model_id_is(a->gid, cur->gid);

	if (!cur->logical || !(cur->cur_msg || cur->cur_group))
		return 0;
	if (cur->cur_msg)
		fits = fits && a->seq == cur->seq && pl->segment &&
		       pl->offset == cur->next &&
		       pl->in_group == cur->cur_group;
	else
		fits = fits && pl->in_group && a->seq == cur->seq + 1 &&
		       !pl->offset;
	if (!fits)
		return cur->cur_msg ? MQRC_INCOMPLETE_MSG :
				      MQRC_INCOMPLETE_GROUP;
	if (a->persistence != cur->persistence)
		return MQRC_INCONSISTENT_PERSISTENCE;
	return a->sync != cur->sync ? MQRC_INCONSISTENT_UOW : 0;
}

/* P-LOG-6, M-SEG-2 */
static void place_after(const MQMD *md, MQLONG len, struct place *pl)
{
	struct info *a = &pl->after;

	a->cur_msg = pl->segment && !pl->last_segment;
	a->cur_group = pl->in_group &&
		!((md->MsgFlags & MQMF_LAST_MSG_IN_GROUP) && !a->cur_msg);
	a->report = md->MsgType == MQMT_REPORT;
	pl->seg_len = pl->segment && a->report ? md->OriginalLength : len;
	a->next = pl->offset + pl->seg_len;
}

/* MQPUT1 knows and keeps no group information (P-LOG-1, P-INC-3). */
static MQLONG find_place(struct model *m, const struct put_call *p,
			 const MQMD *md, struct place *pl, MQLONG *warning)
{
	static const struct info none;
	const struct handle *h = handle_of(m, p);
	const struct info *cur = h ? &h->put : &none;
	MQLONG reason = 0;

	pl->in_group = model_in_group(md);
	pl->segment = model_is_segment(md);
	pl->last_segment = md->MsgFlags & MQMF_LAST_SEGMENT;
	pl->after.logical = p->pmo->Options & MQPMO_LOGICAL_ORDER;
	pl->after.sync = p->pmo->Options & MQPMO_SYNCPOINT;
	pl->after.persistence = md->Persistence;
	if (pl->after.logical) {
		place_logical(md, cur, pl);
		reason = check_logical(cur, pl, p->len);
	} else {
		place_given(md, pl);
		*warning = given_warning(cur, pl);
	}
	place_after(md, p->len, pl);
	return reason;
}

/* Line 13: section 5, P-SEG-1, P-SEG-4..6, U-LIM-1 */
static MQLONG check_queue(const struct model *m, const struct put_call *p,
			  const MQMD *md, struct place *pl)
{
	const struct conn *c = &m->c[p->conn];
	bool sync = pl->after.sync;

	if (m->inhibit_put)
		return MQRC_PUT_INHIBITED;
	pl->cut = p->len + p->mde > m->max_length;	/* P-Q-8 */
	if (pl->cut && (!(md->MsgFlags & MQMF_SEGMENTATION_ALLOWED) ||
			m->max_length < MIN_PIECE))
		return MQRC_MSG_TOO_BIG_FOR_Q;
	if (model_depth(m) >= m->max_depth)
		return MQRC_Q_FULL;
	if (sync && c->count + 1 > m->max_uncommitted)
		return MQRC_SYNCPOINT_LIMIT_REACHED;
	if (pl->cut && !sync && c->uow && md->Persistence)
		return MQRC_UOW_NOT_AVAILABLE;
	return 0;
}

/* --- the message ---------------------------------------------------------- */

static void identity_from(MQMD *to, const MQMD *from)
{
	memcpy(to->UserIdentifier, from->UserIdentifier,
	       offsetof(MQMD, PutApplType) - offsetof(MQMD, UserIdentifier));
}

static void origin_from(MQMD *to, const MQMD *from)
{
	memcpy(&to->PutApplType, &from->PutApplType,
	       offsetof(MQMD, GroupId) - offsetof(MQMD, PutApplType));
}

static void no_context(MQMD *md)
{
	memset(md->UserIdentifier, ' ', sizeof(md->UserIdentifier));
	memset(md->AccountingToken, 0, sizeof(md->AccountingToken));
	memset(md->ApplIdentityData, ' ', sizeof(md->ApplIdentityData));
	md->PutApplType = MQAT_NO_CONTEXT;
	memset(md->PutApplName, ' ',
	       offsetof(MQMD, GroupId) - offsetof(MQMD, PutApplName));
}

static void pad_context(MQMD *md)
{
	model_blank_pad(md->UserIdentifier, sizeof(md->UserIdentifier));
	model_blank_pad(md->ApplIdentityData, sizeof(md->ApplIdentityData));
	model_blank_pad(md->PutApplName, sizeof(md->PutApplName));
	model_blank_pad(md->PutDate, sizeof(md->PutDate));
	model_blank_pad(md->PutTime, sizeof(md->PutTime));
	model_blank_pad(md->ApplOriginData, sizeof(md->ApplOriginData));
}

/* Section 7; what is not taken from the caller is returned (P-CTX-8). */
static void set_context(struct model *m, const struct put_call *p, MQMD *md)
{
	MQLONG o = p->pmo->Options;
	const MQMD *from = p->context >= 0 ? &m->h[p->context].context : NULL;
	MQMD own = *p->md;

	identity_from(md, &m->context);
	origin_from(md, &m->context);
	model_placeholder(m, (char *)md + MODEL_TIME, 16);
	if (o & MQPMO_NO_CONTEXT)
		no_context(md);
	if (o & PASS_OPTIONS)
		identity_from(md, from);
	if (o & MQPMO_PASS_ALL_CONTEXT)
		origin_from(md, from);
	identity_from(p->md, md);
	origin_from(p->md, md);
	if (o & (MQPMO_SET_IDENTITY_CONTEXT | MQPMO_SET_ALL_CONTEXT)) {
		identity_from(md, &own);
		identity_from(p->md, &own);
	}
	if (o & MQPMO_SET_ALL_CONTEXT) {
		origin_from(md, &own);
		origin_from(p->md, &own);
	}
	pad_context(md);
}

/* Version 1 has none of the group fields (P-MD-10). */
static MQMD as_version_2(const MQMD *md)
{
	MQMD all = *md;

	if (md->Version >= MQMD_VERSION_2)
		return all;
	all.Version = MQMD_VERSION_2;
	memset(all.GroupId, 0, 24);
	all.MsgSeqNumber = 1;
	all.Offset = 0;
	all.MsgFlags = 0;
	all.OriginalLength = MQOL_UNDEFINED;
	return all;
}

/* P-MD-5 */
MQLONG model_ccsid(const struct model *m, MQLONG ccsid)
{
	return ccsid == 0 || ccsid == -2 || ccsid == -3 ? m->ccsid : ccsid;
}

/* P-PRI-1, P-PER-1 */
static void resolve(const struct model *m, MQMD *md)
{
	if (md->Priority == MQPRI_PRIORITY_AS_Q_DEF)
		md->Priority = m->def_priority;
	if (md->Persistence == MQPER_PERSISTENCE_AS_Q_DEF)
		md->Persistence = m->def_persistence;
	md->CodedCharSetId = model_ccsid(m, md->CodedCharSetId);
}

/* P-MD-3; the caller's copy is written only where a name is put in. */
static void resolve_reply(const struct model *m, MQMD *md, MQMD *caller)
{
	model_blank_pad(md->ReplyToQ, 48);
	model_blank_pad(md->ReplyToQMgr, 48);
	if (md->ReplyToQ[0] == ' ' || md->ReplyToQMgr[0] != ' ')
		return;
	memcpy(md->ReplyToQMgr, m->qmgr, 48);
	memcpy(caller->ReplyToQMgr, m->qmgr, 48);
}

/* Identifiers and group fields, also for the caller (P-MD-11). */
static void set_ids(struct model *m, const struct put_call *p, MQMD *md,
		    struct place *pl)
{
	if ((p->pmo->Options & MQPMO_NEW_MSG_ID) ||
	    model_all_zero(md->MsgId, 24))
		model_placeholder(m, md->MsgId, 24);
	if (p->pmo->Options & MQPMO_NEW_CORREL_ID)
		model_placeholder(m, md->CorrelId, 24);
	if (pl->new_gid)
		model_placeholder(m, pl->after.gid, 24);
	memcpy(md->GroupId, pl->after.gid, 24);
	md->MsgSeqNumber = pl->after.seq;
	md->Offset = pl->offset;
	memcpy(p->md->MsgId, md->MsgId, 24);
	memcpy(p->md->CorrelId, md->CorrelId, 24);
	p->md->Priority = md->Priority;
	p->md->Persistence = md->Persistence;
	p->md->CodedCharSetId = model_ccsid(m, p->md->CodedCharSetId);
	if (p->md->Version < MQMD_VERSION_2)
		return;
	memcpy(p->md->GroupId, md->GroupId, 24);
	p->md->MsgSeqNumber = md->MsgSeqNumber;
	p->md->Offset = md->Offset;
}

/* M-FLG-1, M-SEG-9 */
static void stored_fields(MQMD *md, MQLONG len)
{
	if (md->MsgFlags & MQMF_LAST_MSG_IN_GROUP)
		md->MsgFlags |= MQMF_MSG_IN_GROUP;
	if (md->MsgFlags & MQMF_LAST_SEGMENT)
		md->MsgFlags |= MQMF_SEGMENT;
	if (!(md->MsgFlags & MQMF_SEGMENT))
		md->OriginalLength = MQOL_UNDEFINED;
	else if (md->MsgType != MQMT_REPORT)
		md->OriginalLength = len;
	md->BackoutCount = 0;
}

/* P-PRI-3, M-PRI-3 */
static MQLONG effective_priority(const struct model *m, const MQMD *md)
{
	if (m->fifo)
		return m->def_priority;
	return md->Priority > 9 ? 9 : md->Priority;
}

static void store(struct model *m, const struct put_call *p, const MQMD *md,
		  const void *data, MQLONG len)
{
	struct message *msg;

	msg = model_insert(m, md, data, len, effective_priority(m, md),
			   ++m->arrivals);
	if (p->pmo->Options & MQPMO_SYNCPOINT) {
		msg->state = PUT_PENDING;
		msg->conn = p->conn;
	}
}

/* M-SEG-7, M-SEG-12: no data with reports on what lies behind byte 100. */
static MQLONG weakened(MQLONG report, MQLONG with_data, MQLONG full,
		       MQLONG base)
{
	if ((report & full & ~with_data) || !(report & base))
		return report;
	return report & ~(with_data & ~base);
}

static MQLONG weaken(MQLONG r)
{
	r = weakened(r, MQRO_EXCEPTION_WITH_DATA,
		     MQRO_EXCEPTION_WITH_FULL_DATA, MQRO_EXCEPTION);
	r = weakened(r, MQRO_EXPIRATION_WITH_DATA,
		     MQRO_EXPIRATION_WITH_FULL_DATA, MQRO_EXPIRATION);
	r = weakened(r, MQRO_COA_WITH_DATA, MQRO_COA_WITH_FULL_DATA, MQRO_COA);
	return weakened(r, MQRO_COD_WITH_DATA, MQRO_COD_WITH_FULL_DATA,
			MQRO_COD);
}

/* P-SEG-3, P-SEG-4, P-SEG-8, P-SEG-11 */
static void store_pieces(struct model *m, const struct put_call *p,
			 const MQMD *md, bool ends)
{
	MQLONG piece = m->max_length / 16 * 16, at = 0, n;
	const char *data = p->buf;
	MQMD part;

	do {
		n = p->len - at < piece ? p->len - at : piece;
		part = *md;
		part.Offset = md->Offset + at;
		part.MsgFlags |= MQMF_SEGMENT;
		if (!ends || at + n < p->len)
			part.MsgFlags &= ~MQMF_LAST_SEGMENT;
		else
			part.MsgFlags |= MQMF_LAST_SEGMENT;
		part.OriginalLength = n;
		if (at)
			model_placeholder(m, part.MsgId, 24);
		if (part.Offset >= 100)
			part.Report = weaken(part.Report);
		store(m, p, &part, data + at, n);
		at += n;
	} while (at < p->len);
}

static void returned_pmo(const struct model *m, MQPMO *pmo)
{
	memcpy(pmo->ResolvedQName, m->name, 48);
	memcpy(pmo->ResolvedQMgrName, m->qmgr, 48);
	if (pmo->Version < MQPMO_VERSION_2)
		return;
	pmo->KnownDestCount = 1;
	pmo->UnknownDestCount = 0;
	pmo->InvalidDestCount = 0;
}

static void do_put(struct model *m, const struct put_call *p, MQMD *md,
		   struct place *pl)
{
	struct handle *h = handle_of(m, p);
	struct conn *c = &m->c[p->conn];

	set_context(m, p, md);
	resolve_reply(m, md, p->md);
	set_ids(m, p, md, pl);
	stored_fields(md, p->len);
	if (pl->cut)
		store_pieces(m, p, md, !pl->segment || pl->last_segment);
	else
		store(m, p, md, p->buf, p->len);
	if (pl->after.sync) {
		c->uow = true;
		c->count++;
		if (h && !h->put_saved) {
			h->put_saved = true;
			h->put_before = h->put;
		}
	}
	if (h)
		h->put = pl->after;
	returned_pmo(m, p->pmo);
}

/* Lines 3 to 8. */
static MQLONG check_call(struct model *m, const struct put_call *p)
{
	const struct handle *h = handle_of(m, p);
	MQLONG reason;

	if (h && !h->open)
		return MQRC_HOBJ_ERROR;
	if (!p->pmo || memcmp(p->pmo->StrucId, MQPMO_STRUC_ID, 4) ||
	    p->pmo->Version < 1 || p->pmo->Version > 3)
		return MQRC_PMO_ERROR;
	if (!p->md || memcmp(p->md->StrucId, MQMD_STRUC_ID, 4) ||
	    p->md->Version < 1 || p->md->Version > 2)
		return MQRC_MD_ERROR;
	if (options_wrong(p->pmo->Options, !h))
		return MQRC_OPTIONS_ERROR;
	reason = h ? check_open(h, p->pmo->Options) : 0;	/* P-CTX-1 */
	if (reason)
		return reason;
	if (p->len < 0)
		return MQRC_BUFFER_LENGTH_ERROR;
	if (p->len && !p->buf)
		return MQRC_BUFFER_ERROR;
	return check_context(m, p);
}

struct rc model_put(struct model *m, struct put_call *call)
{
	struct put_call copy = *call, *p = &copy;
	struct place pl = { 0 };
	bool unknown = false, logical;
	MQLONG reason = check_call(m, p), warning = 0;
	MQMD md;

	if (reason)
		return model_fail(reason);
	md = as_version_2(p->md);
	p->mde = model_take_mde(m, p, &md, &reason);
	if (reason)
		return model_fail(reason);
	p->len -= p->mde;
	p->buf = (const char *)p->buf + p->mde;
	logical = p->pmo->Options & MQPMO_LOGICAL_ORDER;
	reason = check_fields(&md, p->len, logical, &unknown);
	if (reason)
		return model_fail(reason);
	if (logical && p->md->Version < MQMD_VERSION_2)
		return model_fail(MQRC_WRONG_MD_VERSION);
	resolve(m, &md);
	reason = find_place(m, p, &md, &pl, &warning);
	if (!reason)
		reason = check_queue(m, p, &md, &pl);
	if (reason)
		return model_fail(reason);
	do_put(m, p, &md, &pl);
	/* P-CHK-2 */
	if (!warning)
		warning = unknown ? MQRC_UNKNOWN_REPORT_OPTION :
			  md.Priority > 9 ? MQRC_PRIORITY_EXCEEDS_MAXIMUM : 0;
	return model_warn(warning);
}
