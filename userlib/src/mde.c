// SPDX-License-Identifier: MIT
/*
 * Telling an MQMDE that counts from one that does not, reading and making it.
 */
#include "mde.h"

/* GroupId to OriginalLength lie as in an MQMD. */
_Static_assert(sizeof(MQMDE) - offsetof(MQMDE, GroupId) == KMQ_MD_GROUP_SIZE,
	       "group fields of an MQMDE");

static bool ccsid_is(MQLONG ccsid, MQLONG qmgr)
{
	return ccsid == MQCCSI_Q_MGR || ccsid == MQCCSI_INHERIT ||
	       ccsid == MQCCSI_APPL || ccsid == qmgr;
}

/* The order of the tests is M-MDE-6. */
uint32_t kmq_mde_parse(const MQMD *md, MQLONG version, MQLONG ccsid,
		       const void *buffer, MQLONG length)
{
	MQMDE mde;

	if (version >= MQMD_VERSION_2 && !kmq_md_group_is_default(md))
		return 0;
	if (md->Encoding != MQENC_NATIVE ||
	    !ccsid_is(md->CodedCharSetId, ccsid))
		return 0;
	if (length < (MQLONG)sizeof(mde))
		return KMQ_PUT_MDE_BAD;
	/* A missing buffer is 2004, which the kernel finds. */
	if (!buffer)
		return 0;
	memcpy(&mde, buffer, sizeof(mde));
	if (memcmp(mde.StrucId, MQMDE_STRUC_ID, sizeof(mde.StrucId)))
		return KMQ_PUT_MDE_BAD;
	if (mde.Version != MQMDE_VERSION_2)
		return 0;
	if (mde.StrucLength != (MQLONG)sizeof(mde) || mde.Flags != MQMDEF_NONE)
		return KMQ_PUT_MDE_BAD;
	return KMQ_PUT_MDE;
}

void kmq_mde_apply(const void *buffer, struct kmq_put *put,
		   struct kmq_md_ext *ext)
{
	MQMDE mde;

	memcpy(&mde, buffer, sizeof(mde));
	put->md.encoding = mde.Encoding;
	put->md.ccsid = mde.CodedCharSetId;
	memcpy(put->md.format, mde.Format, sizeof(put->md.format));
	memcpy(ext, (char *)&mde + offsetof(MQMDE, GroupId),
	       KMQ_MD_GROUP_SIZE);
	put->present |= KMQ_MD_GROUP;
	put->flags |= KMQ_PUT_MDE;
	put->data += sizeof(mde);
}

void kmq_mde_make(MQMD *md, const struct kmq_md_ext *ext, MQLONG ccsid,
		  void *buffer, MQLONG length)
{
	MQMDE mde = { MQMDE_DEFAULT };

	mde.Encoding = md->Encoding;
	mde.CodedCharSetId = md->CodedCharSetId;
	memcpy(mde.Format, md->Format, sizeof(mde.Format));
	memcpy((char *)&mde + offsetof(MQMDE, GroupId), ext,
	       KMQ_MD_GROUP_SIZE);
	if (length > (MQLONG)sizeof(mde))
		length = sizeof(mde);
	if (length > 0)
		memcpy(buffer, &mde, length);

	md->Encoding = MQENC_NATIVE;
	md->CodedCharSetId = ccsid;
	memcpy(md->Format, MQFMT_MD_EXTENSION, sizeof(md->Format));
}
