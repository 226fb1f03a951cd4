/* SPDX-License-Identifier: MIT */
/*
 * MQI programs as they are written, in the part of the language that C90, C
 * and C++ share. It is compiled only: what is tested is that names, types
 * and initialisers can be used in the ways that programs use them.
 */
#if defined(HEADERS_TEST_APPL_CCSID)
#define MQCCSI_APPL 1208
#endif

#include <stdio.h>
#include <string.h>

#include <cmqc.h>
#include <cmqxc.h>
#include <cmqcfc.h>
#include <cmqbc.h>
#include <cmqpsc.h>
#include <cmqec.h>
#include <cmqstrc.h>
#include <cmqc.h>

#if defined(HEADERS_TEST_APPL_CCSID) && MQCCSI_APPL != 1208
#error MQCCSI_APPL of the program was not kept
#endif
#if !defined(HEADERS_TEST_APPL_CCSID) && MQCCSI_APPL != -3
#error MQCCSI_APPL is not -3
#endif
#if defined(__x86_64__) && !defined(__ILP32__) && !defined(MQ_64_BIT)
#error MQ_64_BIT is not defined
#endif
#if MQRO_ACCEPT_UNSUP_MASK != 0xEFE000FFu || MQENC_RESERVED_MASK < 0
#error the masks are not unsigned
#endif

/* UC-079: sizes, and the encoding of this machine */
typedef char mqlong_has_4_bytes[sizeof(MQLONG) == 4 ? 1 : -1];
typedef char mqint64_has_8_bytes[sizeof(MQINT64) == 8 ? 1 : -1];
typedef char mqhmsg_has_8_bytes[sizeof(MQHMSG) == 8 ? 1 : -1];
#if defined(__x86_64__) && MQENC_NATIVE != 546
#error MQENC_NATIVE is not that of a little-endian machine
#endif

static void show(const char *call, MQLONG comp_code, MQLONG reason)
{
	printf("%s: %s %s\n", call, MQCC_STR(comp_code), MQRC_STR(reason));
}

/* Put and get back one message, the way a first program does it. */
int put_and_get(char *queue, char *qmgr, MQBYTE *buffer, MQLONG length)
{
	MQOD od = {MQOD_DEFAULT};
	MQMD md = {MQMD_DEFAULT};
	MQPMO pmo = {MQPMO_DEFAULT};
	MQGMO gmo = {MQGMO_DEFAULT};
	MQHCONN hcon;
	MQHOBJ hobj;
	MQLONG comp_code, reason, length_got;
	MQCHAR48 name;

	memset(name, 0, sizeof(name));
	strncpy(name, qmgr, sizeof(MQCHAR48) - 1);
	MQCONN(name, &hcon, &comp_code, &reason);
	if (comp_code == MQCC_FAILED && reason != MQRC_ALREADY_CONNECTED)
		return (int)reason;
	strncpy(od.ObjectName, queue, MQ_Q_NAME_LENGTH - 1);
	MQOPEN(hcon, &od,
	       MQOO_INPUT_AS_Q_DEF | MQOO_OUTPUT | MQOO_FAIL_IF_QUIESCING,
	       &hobj, &comp_code, &reason);
	if (hobj == MQHO_UNUSABLE_HOBJ)
		show("MQOPEN", comp_code, reason);

	memcpy(md.Format, MQFMT_STRING, (size_t)MQ_FORMAT_LENGTH);
	memcpy(md.MsgId, MQMI_NONE, sizeof(md.MsgId));
	md.Persistence = MQPER_NOT_PERSISTENT;
	md.Report = MQRO_EXCEPTION | MQRO_COA_WITH_DATA;
	md.MsgFlags = MQMF_LAST_MSG_IN_GROUP | MQMF_SEGMENTATION_ALLOWED;
	md.Version = MQMD_VERSION_2;
	pmo.Options = MQPMO_NO_SYNCPOINT | MQPMO_NEW_MSG_ID |
		      MQPMO_LOGICAL_ORDER;
	MQPUT(hcon, hobj, &md, &pmo, length, buffer, &comp_code, &reason);

	gmo.Version = MQGMO_VERSION_2;
	gmo.MatchOptions = MQMO_NONE;
	gmo.Options = MQGMO_WAIT | MQGMO_CONVERT | MQGMO_ALL_MSGS_AVAILABLE;
	gmo.WaitInterval = MQWI_UNLIMITED;
	md.Encoding = MQENC_NATIVE;
	md.CodedCharSetId = MQCCSI_Q_MGR;
	MQGET(hcon, hobj, &md, &gmo, length, buffer, &length_got, &comp_code,
	      &reason);
	if (gmo.GroupStatus == MQGS_LAST_MSG_IN_GROUP &&
	    gmo.SegmentStatus != MQSS_SEGMENT)
		printf("%.8s\n", md.Format);
	if (!memcmp(md.Format, MQFMT_NONE, sizeof(md.Format)) ||
	    !memcmp(md.CorrelId, MQCI_NONE, sizeof(MQBYTE24)))
		printf("%s\n", MQFB_STR(md.Feedback));
	MQCLOSE(hcon, &hobj, MQCO_NONE, &comp_code, &reason);
	MQDISC(&hcon, &comp_code, &reason);
	return (int)reason;
}

/* A client connection: structures that point to structures. */
void connect_as_client(PMQCHAR qmgr, PMQHCONN hcon)
{
	MQCNO cno = {MQCNO_DEFAULT};
	MQCD cd = {MQCD_CLIENT_CONN_DEFAULT};
	MQCD server = {MQCD_DEFAULT};
	MQCSP csp = {MQCSP_DEFAULT};
	MQSCO sco = {MQSCO_DEFAULT};
	MQAIR air = {MQAIR_DEFAULT};
	MQBNO bno = {MQBNO_DEFAULT};
	MQLONG comp_code, reason;
	char user[] = "user";

	strncpy(cd.ConnectionName, "localhost(1414)", MQ_CONN_NAME_LENGTH);
	strncpy(cd.ChannelName, "DEV.APP.SVRCONN", MQ_CHANNEL_NAME_LENGTH);
	cd.Version = MQCD_CURRENT_VERSION;
	server.ChannelType = MQCHT_SVRCONN;
	cd.HeartbeatInterval = server.HeartbeatInterval;
	csp.AuthenticationType = MQCSP_AUTH_USER_ID_AND_PWD;
	csp.CSPUserIdPtr = user;
	csp.CSPUserIdLength = (MQLONG)strlen(user);
	sco.AuthInfoRecPtr = &air;
	sco.AuthInfoRecCount = 1;
	cno.Version = MQCNO_CURRENT_VERSION;
	cno.ClientConnPtr = &cd;
	cno.SecurityParmsPtr = &csp;
	cno.SSLConfigPtr = &sco;
	cno.BalanceParmsPtr = &bno;
	cno.Options = MQCNO_CLIENT_BINDING | MQCNO_HANDLE_SHARE_BLOCK;
	MQCONNX(qmgr, &cno, hcon, &comp_code, &reason);
	if (*hcon == MQHC_UNUSABLE_HCONN)
		show("MQCONNX", comp_code, reason);
}

/* Message handles and properties. */
MQHMSG set_and_inquire(MQHCONN hcon)
{
	MQCMHO cmho = {MQCMHO_DEFAULT};
	MQDMHO dmho = {MQDMHO_DEFAULT};
	MQSMPO smpo = {MQSMPO_DEFAULT};
	MQIMPO impo = {MQIMPO_DEFAULT};
	MQDMPO dmpo = {MQDMPO_DEFAULT};
	MQBMHO bmho = {MQBMHO_DEFAULT};
	MQMHBO mhbo = {MQMHBO_DEFAULT};
	MQMD md = {MQMD_DEFAULT};
	MQPD pd = {MQPD_DEFAULT};
	MQCHARV name = {MQCHARV_DEFAULT};
	MQCHARV all = {MQPROP_INQUIRE_ALL};
	MQCHARV usr = {MQPROP_INQUIRE_ALL_USR};
	MQCHARV text = {(MQPTR)(char *)"colour", 0, 0, 6, MQCCSI_APPL};
	MQHMSG hmsg = MQHM_UNUSABLE_HMSG;
	MQLONG type, length, comp_code, reason;
	MQINT64 value = 1;
	MQCHAR returned[64];
	MQBYTE buffer[128];

	MQCRTMH(hcon, &cmho, &hmsg, &comp_code, &reason);
	name.VSPtr = returned;
	name.VSLength = MQVS_NULL_TERMINATED;
	MQSETMP(hcon, hmsg, &smpo, &name, &pd, MQTYPE_INT64, sizeof(value),
		&value, &comp_code, &reason);
	impo.Options = MQIMPO_CONVERT_VALUE | MQIMPO_INQ_NEXT;
	impo.ReturnedName.VSPtr = returned;
	impo.ReturnedName.VSBufSize = sizeof(returned);
	MQINQMP(hcon, hmsg, &impo, &all, &pd, &type, sizeof(buffer), buffer,
		&length, &comp_code, &reason);
	if (type == MQTYPE_STRING)
		printf("%s\n", MQTYPE_STR(type));
	MQDLTMP(hcon, hmsg, &dmpo, &text, &comp_code, &reason);
	MQMHBUF(hcon, hmsg, &mhbo, &usr, &md, sizeof(buffer), buffer, &length,
		&comp_code, &reason);
	MQBUFMH(hcon, hmsg, &bmho, &md, length, buffer, &length, &comp_code,
		&reason);
	MQDLTMH(hcon, &hmsg, &dmho, &comp_code, &reason);
	return hmsg;
}

/* A consumer with typed parameters, given as the pointer MQCBD wants. */
void MQENTRY consumer(MQHCONN hcon, MQMD *md, MQGMO *gmo, MQBYTE *buffer,
		      MQCBC *context);

void MQENTRY consumer(MQHCONN hcon, MQMD *md, MQGMO *gmo, MQBYTE *buffer,
		      MQCBC *context)
{
	if (context->CallType == MQCBCT_MSG_REMOVED && md && gmo)
		printf("%ld %.*s\n", (long)hcon, (int)context->DataLength,
		       (char *)buffer);
}

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#endif
void consume(MQHCONN hcon, MQHOBJ hobj)
{
	MQCBD cbd = {MQCBD_DEFAULT};
	MQCTLO ctlo = {MQCTLO_DEFAULT};
	MQMD md = {MQMD_DEFAULT};
	MQGMO gmo = {MQGMO_DEFAULT};
	MQLONG comp_code, reason;

	cbd.CallbackFunction = (MQPTR)consumer;
	cbd.Options = MQCBDO_REGISTER_CALL;
	MQCB(hcon, MQOP_REGISTER, &cbd, hobj, &md, &gmo, &comp_code, &reason);
	MQCTL(hcon, MQOP_START, &ctlo, &comp_code, &reason);
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* The classic calls that are left, through pointers as after dlsym(). */
struct entry_points {
	PMQ_BEGIN_CALL begin;
	PMQ_CMIT_CALL cmit;
	PMQ_BACK_CALL back;
	PMQ_INQ_CALL inq;
	PMQ_SET_CALL set;
	PMQ_PUT1_CALL put1;
	PMQ_STAT_CALL stat;
	PMQ_SUB_CALL sub;
	PMQ_SUBRQ_CALL subrq;
	PMQ_XCNVC_CALL xcnvc;
	PMQCB_FUNCTION callback;
};

void through_pointers(struct entry_points *mq, MQHCONN hcon, MQHOBJ hobj)
{
	MQBO bo = {MQBO_DEFAULT};
	MQOD od = {MQOD_DEFAULT};
	MQMD2 md = {MQMD2_DEFAULT};
	MQPMO pmo = {MQPMO_DEFAULT};
	MQSD sd = {MQSD_DEFAULT};
	MQSRO sro = {MQSRO_DEFAULT};
	MQSTS sts = {MQSTS_DEFAULT};
	MQOR records[2] = {{MQOR_DEFAULT}, {MQOR_DEFAULT}};
	MQRR responses[2] = {{MQRR_DEFAULT}, {MQRR_DEFAULT}};
	MQLONG selectors[] = {MQCA_Q_NAME, MQIA_CURRENT_Q_DEPTH};
	MQLONG depth, length, comp_code, reason;
	MQCHAR text[MQ_Q_NAME_LENGTH];
	MQHOBJ hsub;

	mq->begin(hcon, &bo, &comp_code, &reason);
	mq->inq(hcon, hobj, 2, selectors, 1, &depth, sizeof(text), text,
		&comp_code, &reason);
	selectors[1] = MQIA_INHIBIT_GET;
	depth = MQQA_GET_INHIBITED;
	mq->set(hcon, hobj, 1, selectors + 1, 1, &depth, 0, NULL, &comp_code,
		&reason);
	od.Version = MQOD_VERSION_2;
	od.RecsPresent = 2;
	od.ObjectRecPtr = records;
	od.ResponseRecPtr = responses;
	mq->put1(hcon, &od, &md, &pmo, 0, NULL, &comp_code, &reason);
	mq->stat(hcon, MQSTAT_TYPE_ASYNC_ERROR, &sts, &comp_code, &reason);
	mq->cmit(hcon, &comp_code, &reason);
	mq->back(hcon, &comp_code, &reason);
	sd.Options = MQSO_CREATE | MQSO_MANAGED;
	mq->sub(hcon, &sd, &hobj, &hsub, &comp_code, &reason);
	mq->subrq(hcon, hsub, MQSR_ACTION_PUBLICATION, &sro, &comp_code,
		  &reason);
	mq->xcnvc(hcon, MQDCC_DEFAULT_CONVERSION, 1208, 4, text, 819, 4, text,
		  &length, &comp_code, &reason);
	mq->callback(hcon, &md, NULL, text, NULL);
}

/* Headers in messages, and commands. */
size_t headers(PMQBYTE out)
{
	static MQDLH dlh = {MQDLH_DEFAULT};
	static MQXQH xqh = {MQXQH_DEFAULT};
	static MQMDE mde = {MQMDE_DEFAULT};
	static MQMD1 md1 = {MQMD1_DEFAULT};
	static MQRFH rfh = {MQRFH_DEFAULT};
	static MQRFH2 rfh2 = {MQRFH2_DEFAULT};
	static MQRMH rmh = {MQRMH_DEFAULT};
	static MQDH dh = {MQDH_DEFAULT};
	static MQTM tm = {MQTM_DEFAULT};
	static MQTMC2 tmc2 = {MQTMC2_DEFAULT};
	static MQCIH cih = {MQCIH_DEFAULT};
	static MQIIH iih = {MQIIH_DEFAULT};
	static MQWIH wih = {MQWIH_DEFAULT};
	static MQDXP dxp = {MQDXP_DEFAULT};
	static MQEPH eph = {MQEPH_DEFAULT};
	struct tagMQCFH cfh = {MQCFH_DEFAULT};
	MQCFST cfst = {MQCFST_DEFAULT};
	MQCFIN cfin = {MQCFIN_DEFAULT};
	MQCFIL cfil = {MQCFIL_DEFAULT};
	MQCFSL cfsl = {MQCFSL_DEFAULT};
	MQHBAG bag = MQHB_UNUSABLE_HBAG;
	char name[] = MQPS_COMMAND MQPS_PUBLISH_B;

	memcpy(dlh.StrucId, MQDLH_STRUC_ID, sizeof(dlh.StrucId));
	cfh.Command = MQCMD_INQUIRE_Q;
	cfst.Parameter = MQCA_Q_NAME;
	cfst.StrucLength = MQCFST_STRUC_LENGTH_FIXED + MQ_Q_NAME_LENGTH;
	cfin.Parameter = MQIA_Q_TYPE;
	cfil.Values[0] = MQIACF_ALL;
	cfsl.Count = 0;
	memcpy(out, &cfh, MQCFH_STRUC_LENGTH);
	memcpy(out, &xqh.MsgDesc, sizeof(MQMD1));
	return sizeof(dlh) + sizeof(mde) + sizeof(md1) + sizeof(rfh) +
	       sizeof(rfh2) + sizeof(rmh) + sizeof(dh) + sizeof(tm) +
	       sizeof(tmc2) + sizeof(cih) + sizeof(iih) + sizeof(wih) +
	       sizeof(dxp) + sizeof(eph) + sizeof(name) + sizeof(bag) +
	       sizeof(cfst) + sizeof(cfin) + sizeof(cfil) + sizeof(cfsl);
}
