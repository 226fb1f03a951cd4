// SPDX-License-Identifier: MIT
/*
 * MQPUT, MQPUT1, MQSTAT: what is sent, what is written afterwards.
 */
#include "fake.h"

#include <errno.h>
#include <unistd.h>

#include <kmq.h>

static MQLONG cc, rc;
static MQHCONN hconn;
static MQHOBJ hobj;

static struct kmq_put seen;
static struct kmq_md_ext seen_ext;
static int seen_fd, put_err;
/* How the kernel changes its answer. */
static void (*change)(struct kmq_put *p, struct kmq_md_ext *ext);

static void plain_answer(struct kmq_put *p)
{
	p->out_comp_code = p->pmo_version && p->md_version ? 0 : MQCC_FAILED;
	p->out_reason = 0;
	if (p->out_comp_code)
		return;
	p->out_present = 0;
	if (p->md.priority < 0)
		p->md.priority = 4;
	if (p->md.persistence == 2)
		p->md.persistence = 0;
	if (p->md.ccsid == 0)
		p->md.ccsid = 1208;
	memset(p->md.msg_id, 0xaa, sizeof(p->md.msg_id));
	memset(p->md.format, 'F', sizeof(p->md.format));
	p->md.report = 99;
	p->out_put_time = 951782400ULL * 1000000000 + 340000000;
	p->out_ctx_id = FAKE_CTX_ID;
}

static int kernel(int fd, unsigned int cmd, void *arg)
{
	struct kmq_put *p = arg;

	if (cmd != KMQ_IOC_PUT && cmd != KMQ_IOC_PUT1)
		return FAKE_DEFAULT;
	seen = *p;
	seen_fd = fd;
	if (p->ext)
		memcpy(&seen_ext, (void *)(uintptr_t)p->ext, sizeof(seen_ext));
	if (put_err)
		return put_err;
	plain_answer(p);
	fake_dest(fd, p);
	if (change)
		change(p, (void *)(uintptr_t)p->ext);
	return 0;
}

static void start(void)
{
	if (!fake_calls[KMQ_CMD_CONNECT])
		fake_start();
	change = NULL;
	put_err = 0;
	fake_hook = kernel;
	hconn = fake_conn(MQCNO_NONE);
	hobj = fake_open(hconn, ALL_OPEN);
}

static void stop(void)
{
	MQDISC(&hconn, &cc, &rc);
	INT(0, open_files());
}

static void put(MQMD *md, MQPMO *pmo, const char *data)
{
	cc = rc = 77;
	MQPUT(hconn, hobj, md, pmo, strlen(data), (char *)data, &cc, &rc);
}

static MQMD md_of_version(MQLONG version)
{
	MQMD md = { MQMD_DEFAULT };

	md.Version = version;
	return md;
}

/* The parts at their defaults stay at home. */
static void default_descriptor(void)
{
	MQMD md = md_of_version(2);
	MQPMO pmo = { MQPMO_DEFAULT };

	start();
	put(&md, &pmo, "hello");
	RESULT(0, 0);
	INT(sizeof(seen), seen.size);
	INT(0, seen.flags);
	INT(1, seen.pmo_version);
	INT(2, seen.md_version);
	INT(0, seen.options);
	INT(5, seen.length);
	INT(0, seen.present);
	INT(-1, seen.context_fd);
	INT(0, seen.out_flags);
	INT(MQMT_DATAGRAM, seen.md.msg_type);
	INT(-1, seen.md.expiry);
	INT(546, seen.md.encoding);
	INT(kmq_object_fd(hconn, hobj), seen_fd);
	stop();
}

static void fill_descriptor(MQMD *md)
{
	md->Report = 1;
	md->MsgType = 2;
	md->Expiry = 3;
	md->Feedback = 4;
	md->Encoding = 5;
	md->CodedCharSetId = 6;
	memcpy(md->Format, "MQSTR   ", 8);
	md->Priority = 7;
	md->Persistence = 1;
	memset(md->MsgId, 0x31, 24);
	memset(md->CorrelId, 0x32, 24);
	strcpy(md->ReplyToQ, "RQ");
	memset(md->GroupId, 0x33, 24);
	md->MsgSeqNumber = 8;
	md->Offset = 9;
	md->MsgFlags = 10;
	md->OriginalLength = 11;
	memcpy(md->UserIdentifier, "user        ", 12);
	memset(md->AccountingToken, 0x34, 32);
	strcpy(md->ApplIdentityData, "identity");
	md->PutApplType = 12;
	strcpy(md->PutApplName, "program");
	memcpy(md->PutDate, "20200102", 8);
	memcpy(md->PutTime, "03040506", 8);
	memcpy(md->ApplOriginData, "orig", 4);
}

static void full_descriptor(void)
{
	MQMD md = md_of_version(2);
	MQPMO pmo = { MQPMO_DEFAULT };

	start();
	fill_descriptor(&md);
	pmo.Version = 3;
	pmo.Options = MQPMO_SET_ALL_CONTEXT | MQPMO_SYNCPOINT;
	put(&md, &pmo, "");
	RESULT(0, 0);
	INT(3, seen.pmo_version);
	INT(pmo.Options, seen.options);
	INT(KMQ_MD_ALL & ~KMQ_MD_DEST, seen.present);
	INT(1, seen.md.report);
	INT(2, seen.md.msg_type);
	INT(3, seen.md.expiry);
	INT(4, seen.md.feedback);
	INT(5, seen.md.encoding);
	INT(6, seen.md.ccsid);
	TEXT("MQSTR", seen.md.format);
	INT(7, seen.md.priority);
	INT(1, seen.md.persistence);
	INT(0x31, seen.md.msg_id[23]);
	INT(0x32, seen.md.correl_id[0]);
	INT(0x32, seen.md.correl_id[23]);
	INT(0x33, seen_ext.group_id[23]);
	INT(8, seen_ext.msg_seq_number);
	INT(9, seen_ext.offset);
	INT(10, seen_ext.msg_flags);
	INT(11, seen_ext.original_length);
	CHECK(!memcmp(seen_ext.reply_q, "RQ\0", 3));
	INT(0, seen_ext.reply_qmgr[0]);
	TEXT("20200102", seen_ext.put_date);
	TEXT("03040506", seen_ext.put_time);
	TEXT("user", seen_ext.context.user_id);
	INT(0x34, seen_ext.context.accounting[31]);
	INT(12, seen_ext.context.appl_type);
	CHECK(!memcmp(seen_ext.context.appl_name, "program\0", 8));
	TEXT("orig", seen_ext.context.appl_origin);
	INT(0, seen_ext.context.flags);

	/* All of it came from the descriptor, so it is not written (P-CTX-8). */
	TEXT("user", md.UserIdentifier);
	TEXT("20200102", md.PutDate);
	stop();
}

/* A version-1 descriptor has no group fields. */
static void short_descriptor(void)
{
	MQMD md = md_of_version(1), want;
	MQPMO pmo = { MQPMO_DEFAULT };

	start();
	fill_descriptor(&md);
	want = md;
	put(&md, &pmo, "");
	RESULT(0, 0);
	INT(1, seen.md_version);
	INT(KMQ_MD_REPLY, seen.present);
	BYTES(&want.GroupId, &md.GroupId, sizeof(md) - MQMD_LENGTH_1);
	stop();
}

/* P-CHK-1, line 3: the kernel is told and decides. */
static void malformed_structures(void)
{
	MQMD md = md_of_version(2);
	MQPMO pmo = { MQPMO_DEFAULT };

	start();
	put(NULL, NULL, "");
	INT(0, seen.pmo_version);
	INT(0, seen.md_version);
	INT(0, seen.options);
	md.Version = 3;
	pmo.Version = 4;
	pmo.Options = -1;
	put(&md, &pmo, "");
	INT(0, seen.pmo_version);
	INT(0, seen.md_version);
	INT(0, seen.options);
	md.Version = 1;
	pmo.Version = 0;
	put(&md, &pmo, "");
	INT(1, seen.md_version);
	INT(0, seen.pmo_version);
	md.StrucId[3] = 'X';
	pmo.Version = 2;
	put(&md, &pmo, "");
	INT(0, seen.md_version);
	INT(2, seen.pmo_version);
	INT(-1, (int)seen.options);
	MQPUT(hconn, hobj, &md, &pmo, -5, NULL, &cc, &rc);
	INT(-5, seen.length);
	INT(0, seen.data);
	MQPUT(hconn + 1, hobj, NULL, NULL, 0, NULL, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	MQPUT(hconn, hobj + 1, NULL, NULL, 0, NULL, &cc, &rc);
	RESULT(2, MQRC_HOBJ_ERROR);
	stop();
}

static void refuse(struct kmq_put *p, struct kmq_md_ext *ext)
{
	(void)ext;
	p->out_comp_code = MQCC_FAILED;
	p->out_reason = MQRC_Q_FULL;
}

/* P-CALL-8 */
static void failure_writes_nothing(void)
{
	static const struct {
		int err;
		MQLONG reason;
	} cases[] = {
		{ -EBADF, MQRC_HOBJ_ERROR },
		{ -ENOTCONN, MQRC_HOBJ_ERROR },
		{ -ENODEV, MQRC_CONNECTION_BROKEN },
		{ -ENOMEM, MQRC_STORAGE_NOT_AVAILABLE },
		{ -EFAULT, MQRC_UNEXPECTED_ERROR },
		{ -EINVAL, MQRC_UNEXPECTED_ERROR },
	};
	MQMD md = md_of_version(2), md_want;
	MQPMO pmo = { MQPMO_DEFAULT }, pmo_want;
	size_t i;

	start();
	md_want = md;
	pmo_want = pmo;
	change = refuse;
	put(&md, &pmo, "x");
	RESULT(2, MQRC_Q_FULL);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_err = cases[i].err;
		put(&md, &pmo, "x");
		RESULT(2, cases[i].reason);
	}
	BYTES(&md_want, &md, sizeof(md));
	BYTES(&pmo_want, &pmo, sizeof(pmo));
	stop();
}

/* P-MD-11, P-PMO-1 */
static void success_writes_what_it_says(void)
{
	MQMD md, want;
	MQPMO pmo, pmo_want;
	MQLONG v;

	start();
	for (v = 1; v <= 3; v++) {
		memset(&md, 0x55, sizeof(md));
		memcpy(md.StrucId, MQMD_STRUC_ID, 4);
		md.Version = v > 1 ? 2 : 1;
		md.CodedCharSetId = 0;
		md.Priority = -1;
		md.Persistence = 2;
		memset(&pmo, 0x55, sizeof(pmo));
		memcpy(pmo.StrucId, MQPMO_STRUC_ID, 4);
		pmo.Version = v;
		pmo.Options = 0;
		if (v >= 2)
			pmo.RecsPresent = 0;
		if (v >= 3) {
			pmo.OriginalMsgHandle = pmo.NewMsgHandle = 0;
			pmo.Action = 0;
		}
		want = md;
		pmo_want = pmo;

		want.CodedCharSetId = 1208;
		want.Priority = 4;
		want.Persistence = 0;
		memset(want.MsgId, 0xaa, 24);
		memcpy(want.UserIdentifier, "root        ", 12);
		memset(want.AccountingToken, 0, 32);
		want.AccountingToken[0] = 1;
		memset(want.ApplIdentityData, ' ', 32);
		want.PutApplType = MQAT_UNIX;
		memset(want.PutApplName, ' ', 28);
		memcpy(want.PutApplName, "fake", 4);
		memcpy(want.PutDate, "20000229", 8);
		memcpy(want.PutTime, "00000034", 8);
		memset(want.ApplOriginData, ' ', 4);
		memset(pmo_want.ResolvedQName, ' ', 48);
		pmo_want.ResolvedQName[0] = 'Q';
		memset(pmo_want.ResolvedQMgrName, ' ', 48);
		memcpy(pmo_want.ResolvedQMgrName, "QM1", 3);
		if (v >= 2) {
			pmo_want.KnownDestCount = 1;
			pmo_want.UnknownDestCount = 0;
			pmo_want.InvalidDestCount = 0;
		}
		put(&md, &pmo, "x");
		RESULT(0, 0);
		BYTES(&want, &md, sizeof(md));
		BYTES(&pmo_want, &pmo, sizeof(pmo));
	}
	stop();
}

static void replace(struct kmq_put *p, struct kmq_md_ext *ext)
{
	p->out_comp_code = MQCC_WARNING;
	p->out_reason = MQRC_INCOMPLETE_GROUP;
	p->out_present = KMQ_MD_GROUP | KMQ_MD_REPLY;
	memset(ext->group_id, 0xbb, 24);
	ext->msg_seq_number = 21;
	ext->offset = 22;
	ext->msg_flags = MQMF_MSG_IN_GROUP;
	ext->original_length = 24;
	memset(ext->reply_q, ' ', 48);
	memcpy(ext->reply_q, "RQ", 2);
	memset(ext->reply_qmgr, ' ', 48);
	memcpy(ext->reply_qmgr, "QM1", 3);
}

static void replaced_fields(void)
{
	MQMD md = md_of_version(2);
	MQPMO pmo = { MQPMO_DEFAULT };

	start();
	change = replace;
	strcpy(md.ReplyToQ, "RQ");
	md.MsgFlags = MQMF_MSG_IN_GROUP;
	put(&md, &pmo, "x");
	RESULT(1, MQRC_INCOMPLETE_GROUP);
	INT(0xbb, md.GroupId[23]);
	INT(21, md.MsgSeqNumber);
	INT(22, md.Offset);
	INT(MQMF_MSG_IN_GROUP, md.MsgFlags);
	INT(MQOL_UNDEFINED, md.OriginalLength);
	/* Only read, so still padded with nulls. */
	CHECK(!memcmp(md.ReplyToQ, "RQ\0", 3));
	TEXT("QM1", md.ReplyToQMgr);
	stop();
}

/* P-LOG-13: fields left from another message, which mean nothing here. */
static void unused_group_fields(void)
{
	MQMD md = md_of_version(2);
	MQPMO pmo = { MQPMO_DEFAULT };

	start();
	memset(md.GroupId, 0x33, 24);
	md.MsgSeqNumber = 8;
	md.Offset = 9;
	md.OriginalLength = 10;
	put(&md, &pmo, "x");
	INT(KMQ_MD_GROUP, seen.present);
	INT(0, md.GroupId[0]);
	INT(1, md.MsgSeqNumber);
	INT(0, md.Offset);
	INT(10, md.OriginalLength);
	memset(md.GroupId, 0x33, 24);
	md.MsgSeqNumber = 8;
	md.MsgFlags = MQMF_LAST_MSG_IN_GROUP;
	put(&md, &pmo, "x");
	INT(0x33, md.GroupId[0]);
	INT(8, md.MsgSeqNumber);
	stop();
}

static void other_context(struct kmq_put *p, struct kmq_md_ext *ext)
{
	p->out_present = KMQ_MD_CONTEXT | KMQ_MD_DATE;
	p->out_put_time = 0;
	ext->context = fake_context();
	ext->context.flags = 0;
	memcpy(ext->context.user_id, "another     ", 12);
	memcpy(ext->context.appl_origin, "orig", 4);
	memcpy(ext->put_date, "20010101", 8);
	memcpy(ext->put_time, "02020202", 8);
}

/* P-CTX-8 */
static void context_by_option(void)
{
	MQMD md = md_of_version(1);
	MQPMO pmo = { MQPMO_DEFAULT };
	MQHOBJ saved;

	start();
	saved = fake_open(hconn, MQOO_INPUT_SHARED | MQOO_SAVE_ALL_CONTEXT);
	change = other_context;
	pmo.Options = MQPMO_PASS_ALL_CONTEXT;
	pmo.Context = saved;
	put(&md, &pmo, "");
	INT(0, seen.present);
	INT(kmq_object_fd(hconn, saved), seen.context_fd);
	TEXT("another", md.UserIdentifier);
	TEXT("20010101", md.PutDate);
	TEXT("orig", md.ApplOriginData);
	pmo.Context = saved + 1;
	put(&md, &pmo, "");
	INT(-1, seen.context_fd);

	memset(md.UserIdentifier, 'u', 12);
	memset(md.PutDate, 'd', 8);
	pmo.Options = MQPMO_SET_IDENTITY_CONTEXT;
	put(&md, &pmo, "");
	CHECK(seen.present & KMQ_MD_CONTEXT);
	INT(-1, seen.context_fd);
	TEXT("uuuuuuuuuuuu", md.UserIdentifier);
	TEXT("20010101", md.PutDate);

	/* The default context comes back unharmed. */
	change = NULL;
	pmo.Options = 0;
	put(&md, &pmo, "");
	TEXT("root", md.UserIdentifier);
	TEXT("20000229", md.PutDate);
	stop();
}

static void make_mde(MQMDE *mde)
{
	static const MQMDE start = { MQMDE_DEFAULT };

	*mde = start;
	mde->CodedCharSetId = 819;
	mde->Encoding = 273;
	memcpy(mde->Format, "MQSTR   ", 8);
	memset(mde->GroupId, 0x77, 24);
	mde->MsgSeqNumber = 3;
	mde->MsgFlags = MQMF_MSG_IN_GROUP;
}

/* M-MDE-1, M-MDE-3 */
static void honoured_mde(void)
{
	struct {
		MQMDE mde;
		char data[8];
	} message;
	MQMD md = md_of_version(2);
	MQPMO pmo = { MQPMO_DEFAULT };

	start();
	make_mde(&message.mde);
	memcpy(md.Format, MQFMT_MD_EXTENSION, 8);
	MQPUT(hconn, hobj, &md, &pmo, sizeof(message), &message, &cc, &rc);
	RESULT(0, 0);
	INT(KMQ_PUT_MDE, seen.flags);
	INT(80, seen.length);
	CHECK(seen.data == (uintptr_t)message.data);
	INT(KMQ_MD_GROUP, seen.present);
	INT(819, seen.md.ccsid);
	INT(273, seen.md.encoding);
	TEXT("MQSTR", seen.md.format);
	INT(0x77, seen_ext.group_id[23]);
	INT(3, seen_ext.msg_seq_number);
	INT(MQMF_MSG_IN_GROUP, seen_ext.msg_flags);
	INT(-1, seen_ext.original_length);

	/* What was used goes into a version-2 MQMD. */
	INT(0x77, md.GroupId[0]);
	INT(3, md.MsgSeqNumber);
	INT(0, md.MsgFlags);
	TEXT("MQHMDE", md.Format);
	INT(1208, md.CodedCharSetId);
	INT(546, md.Encoding);

	/* So that the next one is plain data (M-MDE-3). */
	MQPUT(hconn, hobj, &md, &pmo, sizeof(message), &message, &cc, &rc);
	INT(0, seen.flags);
	INT(KMQ_MD_GROUP, seen.present);
	CHECK(seen.data == (uintptr_t)&message);
	stop();
}

/* M-MDE-2, M-MDE-6 */
static void other_mde(void)
{
	MQMD md = md_of_version(1);
	MQPMO pmo = { MQPMO_DEFAULT };
	MQMDE mde;

#define MDE(want, set, reset)						\
	do {								\
		make_mde(&mde);						\
		set;							\
		MQPUT(hconn, hobj, &md, &pmo, 72, &mde, &cc, &rc);	\
		INT(want, seen.flags);					\
		reset;							\
	} while (0)

	start();
	memcpy(md.Format, "MQHMDE\0", 7);
	MDE(KMQ_PUT_MDE, , );
	MDE(KMQ_PUT_MDE, md.CodedCharSetId = MQCCSI_INHERIT, );
	INT(1208, md.CodedCharSetId);
	MDE(KMQ_PUT_MDE, md.CodedCharSetId = 1208, );
	MDE(0, md.CodedCharSetId = 819, md.CodedCharSetId = 0);
	MDE(0, md.Encoding = 273, md.Encoding = 546);
	MDE(0, mde.Version = 3, );
	MDE(0, mde.Version = 1, );
	MDE(KMQ_PUT_MDE_BAD, mde.StrucId[0] = 'X', );
	MDE(KMQ_PUT_MDE_BAD, mde.StrucLength = 73, );
	MDE(KMQ_PUT_MDE_BAD, mde.Flags = 1, );
	MDE(0, mde.Flags = 1; mde.Version = 3, );
	MQPUT(hconn, hobj, &md, &pmo, 71, &mde, &cc, &rc);
	INT(KMQ_PUT_MDE_BAD, seen.flags);
	MQPUT(hconn, hobj, &md, &pmo, 72, NULL, &cc, &rc);
	INT(0, seen.flags);
	stop();
}

static void by_length(struct kmq_put *p, struct kmq_md_ext *ext)
{
	(void)ext;
	p->out_comp_code = MQCC_FAILED;
	if (seen.options == MQPMO_LOGICAL_ORDER)
		p->out_reason = MQRC_OPTIONS_ERROR;
	else if (seen.options == MQPMO_PASS_ALL_CONTEXT)
		p->out_reason = MQRC_NOT_OPEN_FOR_PASS_ALL;
	else if (seen.length < 0)
		p->out_reason = MQRC_BUFFER_LENGTH_ERROR;
	else if (seen.flags & KMQ_PUT_MDE_BAD)
		p->out_reason = MQRC_MDE_ERROR;
	else
		p->out_comp_code = MQCC_OK;
}

/* P-CHK-1, P-CHK-5: in their turn, and nothing is put. */
static void records_and_message_handles(void)
{
	MQMD md = md_of_version(1);
	MQPMO pmo = { MQPMO_DEFAULT };

	start();
	change = by_length;
	pmo.Version = 2;
	pmo.RecsPresent = 1;
	put(&md, &pmo, "x");
	RESULT(2, MQRC_RECS_PRESENT_ERROR);
	pmo.Options = MQPMO_LOGICAL_ORDER;
	put(&md, &pmo, "x");
	RESULT(2, MQRC_OPTIONS_ERROR);
	pmo.Options = MQPMO_PASS_ALL_CONTEXT;
	put(&md, &pmo, "x");
	RESULT(2, MQRC_RECS_PRESENT_ERROR);

	pmo.RecsPresent = 0;
	pmo.Version = 3;
	pmo.Action = 4;
	put(&md, &pmo, "x");
	RESULT(2, MQRC_NOT_OPEN_FOR_PASS_ALL);
	pmo.Options = 0;
	put(&md, &pmo, "x");
	RESULT(2, MQRC_ACTION_ERROR);
	pmo.Action = MQACTP_FORWARD;
	put(&md, &pmo, "x");
	RESULT(2, MQRC_HMSG_ERROR);
	pmo.Action = MQACTP_NEW;
	pmo.NewMsgHandle = 5;
	put(&md, &pmo, "x");
	RESULT(2, MQRC_HMSG_ERROR);
	MQPUT(hconn, hobj, &md, &pmo, -1, NULL, &cc, &rc);
	RESULT(2, MQRC_BUFFER_LENGTH_ERROR);
	pmo.Version = 2;
	put(&md, &pmo, "x");
	RESULT(0, 0);
	stop();
}

/* A-STAT-1, A-STAT-2, A-STAT-3 */
static void status(void)
{
	MQMD md = md_of_version(1);
	MQPMO pmo = { MQPMO_DEFAULT };
	MQSTS sts = { MQSTS_DEFAULT };

	start();
	put(&md, &pmo, "x");
	pmo.Options = MQPMO_ASYNC_RESPONSE;
	put(&md, &pmo, "x");
	put(&md, &pmo, "x");
	change = replace;
	put(&md, &pmo, "x");
	change = refuse;
	put(&md, &pmo, "x");
	MQSTAT(hconn, MQSTAT_TYPE_ASYNC_ERROR, &sts, &cc, &rc);
	RESULT(0, 0);
	INT(2, sts.PutSuccessCount);
	INT(1, sts.PutWarningCount);
	INT(1, sts.PutFailureCount);
	INT(MQCC_FAILED, sts.CompCode);
	INT(MQRC_Q_FULL, sts.Reason);
	TEXT("Q", sts.ObjectName);
	TEXT("", sts.ObjectQMgrName);
	TEXT("Q", sts.ResolvedObjectName);
	TEXT("QM1", sts.ResolvedQMgrName);
	MQSTAT(hconn, MQSTAT_TYPE_ASYNC_ERROR, &sts, &cc, &rc);
	RESULT(0, 0);
	INT(0, sts.PutSuccessCount + sts.PutWarningCount +
	       sts.PutFailureCount + sts.CompCode + sts.Reason);

	MQSTAT(hconn, MQSTAT_TYPE_RECONNECTION, &sts, &cc, &rc);
	RESULT(2, MQRC_ENVIRONMENT_ERROR);
	MQSTAT(hconn, 3, &sts, &cc, &rc);
	RESULT(2, MQRC_STAT_TYPE_ERROR);
	sts.Version = 3;
	MQSTAT(hconn, MQSTAT_TYPE_ASYNC_ERROR, &sts, &cc, &rc);
	RESULT(2, MQRC_STS_ERROR);
	MQSTAT(hconn, MQSTAT_TYPE_ASYNC_ERROR, NULL, &cc, &rc);
	RESULT(2, MQRC_STS_ERROR);
	stop();
}

static void put1_to(const char *name, MQOD *od)
{
	MQMD md = md_of_version(1);
	MQPMO pmo = { MQPMO_DEFAULT };

	memset(od->ObjectName, 0, sizeof(od->ObjectName));
	strcpy(od->ObjectName, name);
	MQPUT1(hconn, od, &md, &pmo, 1, (char *)"x", &cc, &rc);
	if (cc != MQCC_FAILED)
		CHECK(pmo.ResolvedQMgrName[0] == 'Q' ||
		      pmo.ResolvedQMgrName[0] == 'A');
}

static void put1(void)
{
	MQOD od = { MQOD_DEFAULT };
	char path[32], *name;
	int fd, i;

	start();
	od.Version = 3;
	put1_to("Q", &od);
	RESULT(0, 0);
	INT(kmq_conn_fd(hconn), seen.conn_fd);
	INT(3, open_files());
	INT(1, od.KnownDestCount);
	TEXT("Q", od.ResolvedQName);
	fd = seen_fd;
	put1_to("Q", &od);
	INT(fd, seen_fd);
	put1_to("R", &od);
	CHECK(fd != seen_fd);
	put1_to("Q", &od);
	INT(fd, seen_fd);
	INT(4, open_files());

	/* Those used last are kept. */
	for (i = 0; i < 20; i++) {
		snprintf(path, sizeof(path), "QM1/queue/X%d", i);
		name = path + strlen("QM1/queue/");
		fake_add(path);
		put1_to(name, &od);
		RESULT(0, 0);
		put1_to("Q", &od);
		INT(fd, seen_fd);
	}
	INT(2 + 8, open_files());
	put1_to("NONE", &od);
	RESULT(2, MQRC_UNKNOWN_OBJECT_NAME);
	stop();
}

static int gone;

static int kernel_gone(int fd, unsigned int cmd, void *arg)
{
	if (cmd == KMQ_IOC_PUT1 && gone) {
		gone--;
		return -ENODEV;
	}
	return kernel(fd, cmd, arg);
}

/* A queue was deleted and defined anew. */
static void put1_to_a_new_queue(void)
{
	MQOD od = { MQOD_DEFAULT };

	start();
	fake_hook = kernel_gone;
	gone = 1;
	put1_to("Q", &od);
	RESULT(2, MQRC_CONNECTION_BROKEN);
	gone = 1;
	put1_to("Q", &od);
	RESULT(0, 0);
	gone = 1;
	fake_remove("QM1/queue/Q");
	put1_to("Q", &od);
	RESULT(2, MQRC_UNKNOWN_OBJECT_NAME);
	fake_add("QM1/queue/Q");
	put1_to("Q", &od);
	RESULT(0, 0);
	stop();
}

/* P-CHK-3 */
static void put1_order_of_checks(void)
{
	MQOD od = { MQOD_DEFAULT };
	MQMD md = md_of_version(3);
	MQPMO pmo = { MQPMO_DEFAULT };

#define PUT1(want)							\
	do {								\
		MQPUT1(hconn, &od, &md, &pmo, 1, (char *)"x", &cc, &rc); \
		RESULT(2, want);					\
	} while (0)

	start();
	strcpy(od.ObjectName, "NONE");
	od.Version = 5;
	od.ObjectType = 0;
	pmo.Version = 4;
	pmo.Options = MQPMO_LOGICAL_ORDER;
	PUT1(MQRC_OD_ERROR);
	od.Version = 1;
	PUT1(MQRC_OBJECT_TYPE_ERROR);
	od.ObjectType = MQOT_Q;
	PUT1(MQRC_PMO_ERROR);
	pmo.Version = 2;
	PUT1(MQRC_MD_ERROR);
	md.Version = 1;
	PUT1(MQRC_OPTIONS_ERROR);
	pmo.Options = MQPMO_SYNCPOINT | MQPMO_NO_SYNCPOINT;
	PUT1(MQRC_OPTIONS_ERROR);
	pmo.Options = 1;
	PUT1(MQRC_OPTIONS_ERROR);
	pmo.Options = MQPMO_ALTERNATE_USER_AUTHORITY;
	pmo.RecsPresent = 1;
	PUT1(MQRC_RECS_PRESENT_ERROR);
	pmo.RecsPresent = 0;
	PUT1(MQRC_UNKNOWN_OBJECT_NAME);
	strcpy(od.ObjectQMgrName, "QMX");
	PUT1(MQRC_UNKNOWN_REMOTE_Q_MGR);
	INT(0, fake_calls[KMQ_CMD_PUT1]);
	stop();
}

/* Q is an alias of BASE, which is FAR at AWAY once @base_is_remote. */
static bool base_is_remote;

static void set_name(char *field, const char *name)
{
	memset(field, ' ', 48);
	memcpy(field, name, strlen(name));
}

/* Where a message goes that is put to the alias. */
static int put1_dest(int fd, unsigned int cmd, void *arg)
{
	int err = kernel(fd, cmd, arg);
	struct kmq_md_ext *ext;
	struct kmq_put *p = arg;

	if (cmd != KMQ_IOC_PUT1 || p->out_comp_code == MQCC_FAILED)
		return err;
	ext = (void *)(uintptr_t)p->ext;
	CHECK(p->flags & KMQ_PUT_WANT_DEST);
	p->out_present |= KMQ_MD_DEST;
	p->out_flags = base_is_remote ? KMQ_PUT_OUT_REMOTE : 0;
	set_name((char *)ext->dest_q, base_is_remote ? "FAR" : "BASE");
	set_name((char *)ext->dest_qmgr, base_is_remote ? "AWAY" : "QM1");
	return err;
}

static int alias(int fd, unsigned int cmd, void *arg)
{
	struct kmq_attrs *a = arg;
	bool is_alias;
	int32_t *ints;
	char *text;

	if (cmd != KMQ_IOC_INQUIRE)
		return put1_dest(fd, cmd, arg);
	is_alias = a->name[0] == 'Q';
	ints = (void *)(uintptr_t)a->int_attrs;
	text = (void *)(uintptr_t)a->char_attrs;
	INT(3 * 48, a->char_attr_length);
	ints[0] = is_alias ? MQQT_ALIAS :
		  base_is_remote ? MQQT_REMOTE : MQQT_LOCAL;
	ints[1] = is_alias ? MQPRT_ASYNC_RESPONSE : MQPRT_SYNC_RESPONSE;
	memset(text, '*', 3 * 48);
	if (is_alias)
		set_name(text, "BASE");
	else
		TEXT("BASE", a->name);
	if (ints[0] == MQQT_REMOTE) {
		set_name(text + 48, "FAR");
		set_name(text + 96, "AWAY");
	}
	a->out_comp_code = MQCC_WARNING;
	a->out_reason = MQRC_SELECTOR_NOT_FOR_TYPE;
	return 0;
}

/* P-RES-1, A-STAT-3 */
static void put1_to_an_alias(void)
{
	MQOD od = { MQOD_DEFAULT };
	MQSTS sts = { MQSTS_DEFAULT };

	start();
	fake_hook = alias;
	od.Version = 3;
	put1_to("Q", &od);
	RESULT(0, 0);
	TEXT("BASE", od.ResolvedQName);
	change = refuse;
	put1_to("Q", &od);
	RESULT(2, MQRC_Q_FULL);
	MQSTAT(hconn, MQSTAT_TYPE_ASYNC_ERROR, &sts, &cc, &rc);
	INT(1, sts.PutSuccessCount);
	INT(1, sts.PutFailureCount);
	TEXT("Q", sts.ObjectName);
	TEXT("BASE", sts.ResolvedObjectName);
	change = NULL;
	base_is_remote = true;
	put1_to("Q", &od);
	RESULT(0, 0);
	TEXT("FAR", od.ResolvedQName);
	TEXT("AWAY", od.ResolvedQMgrName);
	INT(0, od.KnownDestCount);
	INT(1, od.UnknownDestCount);
	stop();
}

int main(void)
{
	static const struct test tests[] = {
		TEST(default_descriptor),
		TEST(full_descriptor),
		TEST(short_descriptor),
		TEST(malformed_structures),
		TEST(failure_writes_nothing),
		TEST(success_writes_what_it_says),
		TEST(replaced_fields),
		TEST(unused_group_fields),
		TEST(context_by_option),
		TEST(honoured_mde),
		TEST(other_mde),
		TEST(records_and_message_handles),
		TEST(status),
		TEST(put1),
		TEST(put1_to_a_new_queue),
		TEST(put1_order_of_checks),
		TEST(put1_to_an_alias),
	};

	return RUN(tests);
}
