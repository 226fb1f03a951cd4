/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * model: an MQMDE in front of the data that is put (M-MDE).
 */
#include "model.h"

#define MDE_LENGTH	72

static bool group_fields_are_default(const MQMD *md)
{
	return md->Version < MQMD_VERSION_2 ||
	       (model_all_zero(md->GroupId, 24) && md->MsgSeqNumber == 1 &&
		!md->Offset && !md->MsgFlags &&
		md->OriginalLength == MQOL_UNDEFINED);
}

/* M-MDE-1, M-MDE-2: what the MQMD says about it. */
static bool may_honour(const struct model *m, const MQMD *md)
{
	return !memcmp(md->Format, MQFMT_MD_EXTENSION, 8) &&
	       group_fields_are_default(md) &&
	       md->Encoding == MQENC_NATIVE &&
	       model_ccsid(m, md->CodedCharSetId) == m->ccsid;
}

/*
 * Takes the values of an MQMDE that is honoured into @md, which is version 2,
 * and says how many bytes of the data it is; 0 if it is none, or plain data.
 */
MQLONG model_take_mde(const struct model *m, const struct put_call *p, MQMD *md,
		      MQLONG *reason)
{
	MQMDE mde;

	*reason = 0;
	if (!may_honour(m, p->md))
		return 0;
	*reason = MQRC_MDE_ERROR;			/* M-MDE-6 */
	if (p->len < MDE_LENGTH)
		return 0;
	memcpy(&mde, p->buf, MDE_LENGTH);
	if (memcmp(mde.StrucId, MQMDE_STRUC_ID, 4))
		return 0;
	if (mde.Version != MQMDE_VERSION_2) {
		*reason = 0;
		return 0;
	}
	if (mde.StrucLength != MDE_LENGTH || mde.Flags)
		return 0;
	*reason = 0;
	md->Encoding = mde.Encoding;
	md->CodedCharSetId = mde.CodedCharSetId;
	memcpy(md->Format, mde.Format, 8);
	memcpy(md->GroupId, mde.GroupId, 24);
	md->MsgSeqNumber = mde.MsgSeqNumber;
	md->Offset = mde.Offset;
	md->MsgFlags = mde.MsgFlags;
	md->OriginalLength = mde.OriginalLength;
	return MDE_LENGTH;
}
