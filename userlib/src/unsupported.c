// SPDX-License-Identifier: MIT
/*
 * Calls that exist, so that programs load, and are not built: 2298.
 */
#include <cmqxc.h>

#include "internal.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

KMQ_SECOND_NAME(MQSUB);
KMQ_API void MQENTRY MQSUB(MQHCONN Hconn, PMQVOID pSubDesc, PMQHOBJ pHobj,
			   PMQHOBJ pHsub, PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_fail(pCompCode, pReason, MQRC_FUNCTION_NOT_SUPPORTED);
}

KMQ_SECOND_NAME(MQSUBRQ);
KMQ_API void MQENTRY MQSUBRQ(MQHCONN Hconn, MQHOBJ Hsub, MQLONG Action,
			     PMQVOID pSubRqOpts, PMQLONG pCompCode,
			     PMQLONG pReason)
{
	kmq_fail(pCompCode, pReason, MQRC_FUNCTION_NOT_SUPPORTED);
}

KMQ_SECOND_NAME(MQCRTMH);
KMQ_API void MQENTRY MQCRTMH(MQHCONN Hconn, PMQVOID pCrtMsgHOpts, PMQHMSG pHmsg,
			     PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_fail(pCompCode, pReason, MQRC_FUNCTION_NOT_SUPPORTED);
}

KMQ_SECOND_NAME(MQDLTMH);
KMQ_API void MQENTRY MQDLTMH(MQHCONN Hconn, PMQHMSG pHmsg, PMQVOID pDltMsgHOpts,
			     PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_fail(pCompCode, pReason, MQRC_FUNCTION_NOT_SUPPORTED);
}

KMQ_SECOND_NAME(MQSETMP);
KMQ_API void MQENTRY MQSETMP(MQHCONN Hconn, MQHMSG Hmsg, PMQVOID pSetPropOpts,
			     PMQVOID pName, PMQVOID pPropDesc, MQLONG Type,
			     MQLONG ValueLength, PMQVOID pValue,
			     PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_fail(pCompCode, pReason, MQRC_FUNCTION_NOT_SUPPORTED);
}

KMQ_SECOND_NAME(MQINQMP);
KMQ_API void MQENTRY MQINQMP(MQHCONN Hconn, MQHMSG Hmsg, PMQVOID pInqPropOpts,
			     PMQVOID pName, PMQVOID pPropDesc, PMQLONG pType,
			     MQLONG ValueLength, PMQVOID pValue,
			     PMQLONG pDataLength, PMQLONG pCompCode,
			     PMQLONG pReason)
{
	kmq_fail(pCompCode, pReason, MQRC_FUNCTION_NOT_SUPPORTED);
}

KMQ_SECOND_NAME(MQDLTMP);
KMQ_API void MQENTRY MQDLTMP(MQHCONN Hconn, MQHMSG Hmsg, PMQVOID pDltPropOpts,
			     PMQVOID pName, PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_fail(pCompCode, pReason, MQRC_FUNCTION_NOT_SUPPORTED);
}

KMQ_SECOND_NAME(MQBUFMH);
KMQ_API void MQENTRY MQBUFMH(MQHCONN Hconn, MQHMSG Hmsg, PMQVOID pBufMsgHOpts,
			     PMQVOID pMsgDesc, MQLONG BufferLength,
			     PMQVOID pBuffer, PMQLONG pDataLength,
			     PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_fail(pCompCode, pReason, MQRC_FUNCTION_NOT_SUPPORTED);
}

KMQ_SECOND_NAME(MQMHBUF);
KMQ_API void MQENTRY MQMHBUF(MQHCONN Hconn, MQHMSG Hmsg, PMQVOID pMsgHBufOpts,
			     PMQVOID pName, PMQVOID pMsgDesc,
			     MQLONG BufferLength, PMQVOID pBuffer,
			     PMQLONG pDataLength, PMQLONG pCompCode,
			     PMQLONG pReason)
{
	kmq_fail(pCompCode, pReason, MQRC_FUNCTION_NOT_SUPPORTED);
}

KMQ_SECOND_NAME(MQXCNVC);
KMQ_API void MQENTRY MQXCNVC(MQHCONN Hconn, MQLONG Options, MQLONG SourceCCSID,
			     MQLONG SourceLength, PMQCHAR pSourceBuffer,
			     MQLONG TargetCCSID, MQLONG TargetLength,
			     PMQCHAR pTargetBuffer, PMQLONG pDataLength,
			     PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_fail(pCompCode, pReason, MQRC_FUNCTION_NOT_SUPPORTED);
}
