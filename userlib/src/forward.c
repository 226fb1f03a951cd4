// SPDX-License-Identifier: MIT
/*
 * The whole of libmqm.so and its sisters: each call goes on to libkmq.so.1,
 * which has the state, under its second name.
 */
#include <cmqxc.h>

#include "internal.h"

extern __typeof__(MQCONN) kmq_mqi_MQCONN;
KMQ_API void MQENTRY MQCONN(PMQCHAR pQMgrName, PMQHCONN pHconn,
			    PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQCONN(pQMgrName, pHconn, pCompCode, pReason);
}

extern __typeof__(MQCONNX) kmq_mqi_MQCONNX;
KMQ_API void MQENTRY MQCONNX(PMQCHAR pQMgrName, PMQCNO pConnectOpts,
			     PMQHCONN pHconn, PMQLONG pCompCode,
			     PMQLONG pReason)
{
	kmq_mqi_MQCONNX(pQMgrName, pConnectOpts, pHconn, pCompCode, pReason);
}

extern __typeof__(MQDISC) kmq_mqi_MQDISC;
KMQ_API void MQENTRY MQDISC(PMQHCONN pHconn, PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQDISC(pHconn, pCompCode, pReason);
}

extern __typeof__(MQOPEN) kmq_mqi_MQOPEN;
KMQ_API void MQENTRY MQOPEN(MQHCONN Hconn, PMQVOID pObjDesc, MQLONG Options,
			    PMQHOBJ pHobj, PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQOPEN(Hconn, pObjDesc, Options, pHobj, pCompCode, pReason);
}

extern __typeof__(MQCLOSE) kmq_mqi_MQCLOSE;
KMQ_API void MQENTRY MQCLOSE(MQHCONN Hconn, PMQHOBJ pHobj, MQLONG Options,
			     PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQCLOSE(Hconn, pHobj, Options, pCompCode, pReason);
}

extern __typeof__(MQGET) kmq_mqi_MQGET;
KMQ_API void MQENTRY MQGET(MQHCONN Hconn, MQHOBJ Hobj, PMQVOID pMsgDesc,
			   PMQVOID pGetMsgOpts, MQLONG BufferLength,
			   PMQVOID pBuffer, PMQLONG pDataLength,
			   PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQGET(Hconn, Hobj, pMsgDesc, pGetMsgOpts, BufferLength, pBuffer,
		      pDataLength, pCompCode, pReason);
}

extern __typeof__(MQPUT) kmq_mqi_MQPUT;
KMQ_API void MQENTRY MQPUT(MQHCONN Hconn, MQHOBJ Hobj, PMQVOID pMsgDesc,
			   PMQVOID pPutMsgOpts, MQLONG BufferLength,
			   PMQVOID pBuffer, PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQPUT(Hconn, Hobj, pMsgDesc, pPutMsgOpts, BufferLength, pBuffer,
		      pCompCode, pReason);
}

extern __typeof__(MQPUT1) kmq_mqi_MQPUT1;
KMQ_API void MQENTRY MQPUT1(MQHCONN Hconn, PMQVOID pObjDesc, PMQVOID pMsgDesc,
			    PMQVOID pPutMsgOpts, MQLONG BufferLength,
			    PMQVOID pBuffer, PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQPUT1(Hconn, pObjDesc, pMsgDesc, pPutMsgOpts, BufferLength,
		       pBuffer, pCompCode, pReason);
}

extern __typeof__(MQINQ) kmq_mqi_MQINQ;
KMQ_API void MQENTRY MQINQ(MQHCONN Hconn, MQHOBJ Hobj, MQLONG SelectorCount,
			   PMQLONG pSelectors, MQLONG IntAttrCount,
			   PMQLONG pIntAttrs, MQLONG CharAttrLength,
			   PMQCHAR pCharAttrs, PMQLONG pCompCode,
			   PMQLONG pReason)
{
	kmq_mqi_MQINQ(Hconn, Hobj, SelectorCount, pSelectors, IntAttrCount,
		      pIntAttrs, CharAttrLength, pCharAttrs, pCompCode,
		      pReason);
}

extern __typeof__(MQSET) kmq_mqi_MQSET;
KMQ_API void MQENTRY MQSET(MQHCONN Hconn, MQHOBJ Hobj, MQLONG SelectorCount,
			   PMQLONG pSelectors, MQLONG IntAttrCount,
			   PMQLONG pIntAttrs, MQLONG CharAttrLength,
			   PMQCHAR pCharAttrs, PMQLONG pCompCode,
			   PMQLONG pReason)
{
	kmq_mqi_MQSET(Hconn, Hobj, SelectorCount, pSelectors, IntAttrCount,
		      pIntAttrs, CharAttrLength, pCharAttrs, pCompCode,
		      pReason);
}

extern __typeof__(MQBEGIN) kmq_mqi_MQBEGIN;
KMQ_API void MQENTRY MQBEGIN(MQHCONN Hconn, PMQVOID pBeginOptions,
			     PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQBEGIN(Hconn, pBeginOptions, pCompCode, pReason);
}

extern __typeof__(MQCMIT) kmq_mqi_MQCMIT;
KMQ_API void MQENTRY MQCMIT(MQHCONN Hconn, PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQCMIT(Hconn, pCompCode, pReason);
}

extern __typeof__(MQBACK) kmq_mqi_MQBACK;
KMQ_API void MQENTRY MQBACK(MQHCONN Hconn, PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQBACK(Hconn, pCompCode, pReason);
}

extern __typeof__(MQCB) kmq_mqi_MQCB;
KMQ_API void MQENTRY MQCB(MQHCONN Hconn, MQLONG Operation,
			  PMQVOID pCallbackDesc, MQHOBJ Hobj, PMQVOID pMsgDesc,
			  PMQVOID pGetMsgOpts, PMQLONG pCompCode,
			  PMQLONG pReason)
{
	kmq_mqi_MQCB(Hconn, Operation, pCallbackDesc, Hobj, pMsgDesc,
		     pGetMsgOpts, pCompCode, pReason);
}

extern __typeof__(MQCTL) kmq_mqi_MQCTL;
KMQ_API void MQENTRY MQCTL(MQHCONN Hconn, MQLONG Operation,
			   PMQVOID pControlOpts, PMQLONG pCompCode,
			   PMQLONG pReason)
{
	kmq_mqi_MQCTL(Hconn, Operation, pControlOpts, pCompCode, pReason);
}

extern __typeof__(MQSTAT) kmq_mqi_MQSTAT;
KMQ_API void MQENTRY MQSTAT(MQHCONN Hconn, MQLONG Type, PMQVOID pStatus,
			    PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQSTAT(Hconn, Type, pStatus, pCompCode, pReason);
}

extern __typeof__(MQSUB) kmq_mqi_MQSUB;
KMQ_API void MQENTRY MQSUB(MQHCONN Hconn, PMQVOID pSubDesc, PMQHOBJ pHobj,
			   PMQHOBJ pHsub, PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQSUB(Hconn, pSubDesc, pHobj, pHsub, pCompCode, pReason);
}

extern __typeof__(MQSUBRQ) kmq_mqi_MQSUBRQ;
KMQ_API void MQENTRY MQSUBRQ(MQHCONN Hconn, MQHOBJ Hsub, MQLONG Action,
			     PMQVOID pSubRqOpts, PMQLONG pCompCode,
			     PMQLONG pReason)
{
	kmq_mqi_MQSUBRQ(Hconn, Hsub, Action, pSubRqOpts, pCompCode, pReason);
}

extern __typeof__(MQCRTMH) kmq_mqi_MQCRTMH;
KMQ_API void MQENTRY MQCRTMH(MQHCONN Hconn, PMQVOID pCrtMsgHOpts, PMQHMSG pHmsg,
			     PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQCRTMH(Hconn, pCrtMsgHOpts, pHmsg, pCompCode, pReason);
}

extern __typeof__(MQDLTMH) kmq_mqi_MQDLTMH;
KMQ_API void MQENTRY MQDLTMH(MQHCONN Hconn, PMQHMSG pHmsg, PMQVOID pDltMsgHOpts,
			     PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQDLTMH(Hconn, pHmsg, pDltMsgHOpts, pCompCode, pReason);
}

extern __typeof__(MQSETMP) kmq_mqi_MQSETMP;
KMQ_API void MQENTRY MQSETMP(MQHCONN Hconn, MQHMSG Hmsg, PMQVOID pSetPropOpts,
			     PMQVOID pName, PMQVOID pPropDesc, MQLONG Type,
			     MQLONG ValueLength, PMQVOID pValue,
			     PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQSETMP(Hconn, Hmsg, pSetPropOpts, pName, pPropDesc, Type,
			ValueLength, pValue, pCompCode, pReason);
}

extern __typeof__(MQINQMP) kmq_mqi_MQINQMP;
KMQ_API void MQENTRY MQINQMP(MQHCONN Hconn, MQHMSG Hmsg, PMQVOID pInqPropOpts,
			     PMQVOID pName, PMQVOID pPropDesc, PMQLONG pType,
			     MQLONG ValueLength, PMQVOID pValue,
			     PMQLONG pDataLength, PMQLONG pCompCode,
			     PMQLONG pReason)
{
	kmq_mqi_MQINQMP(Hconn, Hmsg, pInqPropOpts, pName, pPropDesc, pType,
			ValueLength, pValue, pDataLength, pCompCode, pReason);
}

extern __typeof__(MQDLTMP) kmq_mqi_MQDLTMP;
KMQ_API void MQENTRY MQDLTMP(MQHCONN Hconn, MQHMSG Hmsg, PMQVOID pDltPropOpts,
			     PMQVOID pName, PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQDLTMP(Hconn, Hmsg, pDltPropOpts, pName, pCompCode, pReason);
}

extern __typeof__(MQBUFMH) kmq_mqi_MQBUFMH;
KMQ_API void MQENTRY MQBUFMH(MQHCONN Hconn, MQHMSG Hmsg, PMQVOID pBufMsgHOpts,
			     PMQVOID pMsgDesc, MQLONG BufferLength,
			     PMQVOID pBuffer, PMQLONG pDataLength,
			     PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQBUFMH(Hconn, Hmsg, pBufMsgHOpts, pMsgDesc, BufferLength,
			pBuffer, pDataLength, pCompCode, pReason);
}

extern __typeof__(MQMHBUF) kmq_mqi_MQMHBUF;
KMQ_API void MQENTRY MQMHBUF(MQHCONN Hconn, MQHMSG Hmsg, PMQVOID pMsgHBufOpts,
			     PMQVOID pName, PMQVOID pMsgDesc,
			     MQLONG BufferLength, PMQVOID pBuffer,
			     PMQLONG pDataLength, PMQLONG pCompCode,
			     PMQLONG pReason)
{
	kmq_mqi_MQMHBUF(Hconn, Hmsg, pMsgHBufOpts, pName, pMsgDesc,
			BufferLength, pBuffer, pDataLength, pCompCode, pReason);
}

extern __typeof__(MQXCNVC) kmq_mqi_MQXCNVC;
KMQ_API void MQENTRY MQXCNVC(MQHCONN Hconn, MQLONG Options, MQLONG SourceCCSID,
			     MQLONG SourceLength, PMQCHAR pSourceBuffer,
			     MQLONG TargetCCSID, MQLONG TargetLength,
			     PMQCHAR pTargetBuffer, PMQLONG pDataLength,
			     PMQLONG pCompCode, PMQLONG pReason)
{
	kmq_mqi_MQXCNVC(Hconn, Options, SourceCCSID, SourceLength,
			pSourceBuffer, TargetCCSID, TargetLength, pTargetBuffer,
			pDataLength, pCompCode, pReason);
}
