// SPDX-License-Identifier: MIT
/*
 * Conversion of a message to the character set and encoding that its getter
 * asked for (G-CNV).
 *
 * A message that is in the wanted form already needs none, which is what
 * programs of one machine meet. There is no conversion proper yet: another
 * message comes unconverted, with the warning that says so (G-CNV-7).
 */
#include "convert.h"

#include "md.h"

static MQLONG ccsid_resolve(MQLONG ccsid, const struct kmq_conn *conn)
{
	return ccsid == MQCCSI_Q_MGR || ccsid == MQCCSI_INHERIT ||
	       ccsid == MQCCSI_APPL ? conn->ccsid : ccsid;
}

MQLONG kmq_convert(struct kmq_get_call *call, const struct kmq_conn *conn)
{
	const MQMD *md = call->md;

	if (!call->get.out_data_length || !call->get.length)
		return MQRC_NONE;
	if (md->CodedCharSetId == ccsid_resolve(call->ccsid, conn) &&
	    md->Encoding == call->encoding)
		return MQRC_NONE;
	if (!kmq_name_length(md->Format, sizeof(md->Format)))
		return MQRC_FORMAT_ERROR;
	return MQRC_NOT_CONVERTED;
}
