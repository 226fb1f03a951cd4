// SPDX-License-Identifier: MIT
/*
 * MQGET: what is sent, what is written afterwards.
 */
#include "fake.h"

#include <errno.h>

#include <kmq.h>

static MQLONG cc, rc, data_length;
static MQHCONN hconn;
static MQHOBJ hobj;
static char buffer[200];

static struct kmq_get seen;
static struct kmq_md_ext seen_ext;
static int get_err;
static void (*change)(struct kmq_get *g, struct kmq_md_ext *ext);

/* A message without anything special, of the default context. */
static void plain_answer(struct kmq_get *g)
{
	g->out_comp_code = 0;
	g->out_reason = 0;
	g->out_present = 0;
	g->out_flags = 0;
	g->md.report = 1;
	g->md.msg_type = 2;
	g->md.expiry = 3;
	g->md.feedback = 4;
	g->md.encoding = 546;
	g->md.ccsid = 1208;
	memcpy(g->md.format, "MQSTR   ", 8);
	g->md.priority = 7;
	g->md.persistence = 1;
	memset(g->md.msg_id, 0xaa, 24);
	memset(g->md.correl_id, 0xbb, 24);
	memset(g->token, 0xcc, 16);
	g->ctx_id = FAKE_CTX_ID;
	g->out_put_time = 951782400ULL * 1000000000 + 340000000;
	g->out_data_length = 100;
	g->out_returned_length = 90;
	g->out_backout_count = 6;
	g->out_msg_flags = 0;
}

static int kernel(int fd, unsigned int cmd, void *arg)
{
	struct kmq_get *g = arg;

	if (cmd != KMQ_IOC_GET)
		return FAKE_DEFAULT;
	CHECK(fd > 2);
	seen = *g;
	memcpy(&seen_ext, (void *)(uintptr_t)g->ext, sizeof(seen_ext));
	if (get_err)
		return get_err;
	if (!g->gmo_version || !g->md_version) {
		g->out_comp_code = MQCC_FAILED;
		g->out_reason = MQRC_GMO_ERROR;
		return 0;
	}
	plain_answer(g);
	if (change)
		change(g, (void *)(uintptr_t)g->ext);
	return 0;
}

static void start(void)
{
	if (!fake_calls[KMQ_CMD_CONNECT])
		fake_start();
	change = NULL;
	get_err = 0;
	fake_hook = kernel;
	hconn = fake_conn(MQCNO_NONE);
	hobj = fake_open(hconn, ALL_OPEN);
	data_length = 77;
}

static void stop(void)
{
	MQDISC(&hconn, &cc, &rc);
	INT(0, open_files());
}

static void get(MQMD *md, MQGMO *gmo)
{
	cc = rc = 77;
	MQGET(hconn, hobj, md, gmo, sizeof(buffer), buffer, &data_length, &cc,
	      &rc);
}

static void what_is_sent(void)
{
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };

	start();
	memset(md.MsgId, 1, 24);
	memset(md.CorrelId, 2, 24);
	gmo.Options = MQGMO_WAIT;
	gmo.WaitInterval = 500;
	gmo.Signal1 = 9;
	gmo.MatchOptions = 0x7f;
	get(&md, &gmo);
	RESULT(0, 0);
	INT(sizeof(seen), seen.size);
	INT(0, seen.flags);
	INT(MQGMO_WAIT, seen.options);
	/* G-GMO-2 */
	INT(MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID, seen.match_options);
	INT(1, seen.gmo_version);
	INT(1, seen.md_version);
	INT(sizeof(buffer), seen.length);
	CHECK(seen.data == (uintptr_t)buffer);
	INT(500, seen.wait_interval);
	INT(9, seen.signal1);
	INT(0, seen.deadline);
	INT(1, seen.md.msg_id[23]);
	INT(2, seen.md.correl_id[23]);
	INT(FAKE_CTX_ID, seen.ctx_id);

	md.Version = 2;
	memset(md.GroupId, 3, 24);
	md.MsgSeqNumber = 4;
	md.Offset = 5;
	gmo.Version = 3;
	gmo.MatchOptions = MQMO_MATCH_GROUP_ID | MQMO_MATCH_OFFSET;
	memset(gmo.MsgToken, 6, 16);
	get(&md, &gmo);
	INT(gmo.MatchOptions, seen.match_options);
	INT(3, seen.gmo_version);
	INT(2, seen.md_version);
	INT(6, seen.token[15]);
	INT(3, seen_ext.group_id[23]);
	INT(4, seen_ext.msg_seq_number);
	INT(5, seen_ext.offset);
	stop();
}

static void malformed_structures(void)
{
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };

	start();
	MQGET(hconn, hobj, NULL, NULL, -3, NULL, NULL, &cc, &rc);
	RESULT(2, MQRC_GMO_ERROR);
	INT(0, seen.gmo_version);
	INT(0, seen.md_version);
	INT(KMQ_GET_NO_DATA_LENGTH, seen.flags);
	INT(-3, seen.length);
	INT(0, seen.options);
	gmo.Version = 5;
	md.Version = 3;
	get(&md, &gmo);
	INT(0, seen.gmo_version);
	INT(0, seen.md_version);
	gmo.Version = 4;
	md.StrucId[0] = 'm';
	get(&md, &gmo);
	INT(4, seen.gmo_version);
	INT(0, seen.md_version);
	MQGET(hconn + 1, hobj, &md, &gmo, 0, NULL, NULL, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	MQGET(hconn, hobj + 1, &md, &gmo, 0, NULL, NULL, &cc, &rc);
	RESULT(2, MQRC_HOBJ_ERROR);
	INT(77, data_length);
	stop();
}

/* G-OUT-1, G-GMO-1, G-OUT-4 */
static void output_by_version(void)
{
	MQMD md, md_want;
	MQGMO gmo, gmo_want;
	MQLONG v;

	start();
	for (v = 1; v <= 4; v++) {
		memset(&md, 0x55, sizeof(md));
		memcpy(md.StrucId, MQMD_STRUC_ID, 4);
		md.Version = v > 1 ? 2 : 1;
		memset(&gmo, 0x55, sizeof(gmo));
		memcpy(gmo.StrucId, MQGMO_STRUC_ID, 4);
		gmo.Version = v;
		gmo.Options = 0;
		if (v >= 2)
			gmo.MatchOptions = 0;
		if (v >= 4)
			gmo.MsgHandle = MQHM_NONE;
		md_want = md;
		gmo_want = gmo;

		md_want.Report = 1;
		md_want.MsgType = 2;
		md_want.Expiry = 3;
		md_want.Feedback = 4;
		md_want.Encoding = 546;
		md_want.CodedCharSetId = 1208;
		memcpy(md_want.Format, "MQSTR   ", 8);
		md_want.Priority = 7;
		md_want.Persistence = 1;
		memset(md_want.MsgId, 0xaa, 24);
		memset(md_want.CorrelId, 0xbb, 24);
		md_want.BackoutCount = 6;
		memset(md_want.ReplyToQ, ' ', 48);
		memset(md_want.ReplyToQMgr, ' ', 48);
		memcpy(md_want.UserIdentifier, "root        ", 12);
		memset(md_want.AccountingToken, 0, 32);
		md_want.AccountingToken[0] = 1;
		memset(md_want.ApplIdentityData, ' ', 32);
		md_want.PutApplType = MQAT_UNIX;
		memset(md_want.PutApplName, ' ', 28);
		memcpy(md_want.PutApplName, "fake", 4);
		memcpy(md_want.PutDate, "20000229", 8);
		memcpy(md_want.PutTime, "00000034", 8);
		memset(md_want.ApplOriginData, ' ', 4);
		if (v > 1) {
			memset(md_want.GroupId, 0, 24);
			md_want.MsgSeqNumber = 1;
			md_want.Offset = 0;
			md_want.MsgFlags = 0;
			md_want.OriginalLength = -1;
		}
		memset(gmo_want.ResolvedQName, ' ', 48);
		gmo_want.ResolvedQName[0] = 'Q';
		if (v >= 2) {
			gmo_want.GroupStatus = ' ';
			gmo_want.SegmentStatus = ' ';
			gmo_want.Segmentation = ' ';
		}
		if (v >= 3) {
			memset(gmo_want.MsgToken, 0xcc, 16);
			gmo_want.ReturnedLength = 90;
		}
		get(&md, &gmo);
		RESULT(0, 0);
		INT(100, data_length);
		BYTES(&md_want, &md, sizeof(md));
		BYTES(&gmo_want, &gmo, sizeof(gmo));
	}
	stop();
}

static MQLONG result_cc, result_rc;

static void give_result(struct kmq_get *g, struct kmq_md_ext *ext)
{
	(void)ext;
	g->out_comp_code = result_cc;
	g->out_reason = result_rc;
}

/* G-OUT-3 */
static void results_without_a_message(void)
{
	static const struct {
		int err;
		MQLONG cc, rc;
	} cases[] = {
		{ 0, 2, MQRC_NO_MSG_AVAILABLE },
		{ 0, 1, MQRC_SIGNAL_REQUEST_ACCEPTED },
		{ 0, 1, MQRC_NO_MSG_LOCKED },
		{ -ENODEV, 2, MQRC_CONNECTION_BROKEN },
		{ -EBADF, 2, MQRC_HOBJ_ERROR },
	};
	MQMD md = { MQMD_DEFAULT }, md_want;
	MQGMO gmo = { MQGMO_DEFAULT }, gmo_want;
	size_t i;

	start();
	md.Version = 2;
	gmo.Version = 4;
	md_want = md;
	gmo_want = gmo;
	change = give_result;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		get_err = cases[i].err;
		result_cc = cases[i].cc;
		result_rc = cases[i].rc;
		get(&md, &gmo);
		RESULT(result_cc, result_rc);
	}
	/* G-PAR-5 */
	get_err = 0;
	result_cc = result_rc = 0;
	gmo_want.Options = gmo.Options = MQGMO_UNLOCK;
	MQGET(hconn, hobj, &md, &gmo, 0, NULL, &data_length, &cc, &rc);
	RESULT(0, 0);
	BYTES(&md_want, &md, sizeof(md));
	BYTES(&gmo_want, &gmo, sizeof(gmo));
	INT(77, data_length);

	gmo.Options = 0;
	result_cc = 1;
	result_rc = MQRC_TRUNCATED_MSG_FAILED;
	get(&md, &gmo);
	RESULT(1, MQRC_TRUNCATED_MSG_FAILED);
	INT(100, data_length);
	INT(2, md.MsgType);
	stop();
}

static void everything(struct kmq_get *g, struct kmq_md_ext *ext)
{
	g->out_present = KMQ_MD_ALL;
	g->out_put_time = 0;
	g->ctx_id = 1234;
	g->out_msg_flags = MQMF_LAST_MSG_IN_GROUP | MQMF_MSG_IN_GROUP |
			   MQMF_SEGMENT | MQMF_SEGMENTATION_ALLOWED;
	memset(ext->group_id, 0xdd, 24);
	ext->msg_seq_number = 21;
	ext->offset = 22;
	ext->msg_flags = g->out_msg_flags;
	ext->original_length = 24;
	memset(ext->reply_q, 'q', 48);
	memset(ext->reply_qmgr, 'm', 48);
	memcpy(ext->put_date, "20010203", 8);
	memcpy(ext->put_time, "04050607", 8);
	ext->context = fake_context();
	ext->context.flags = 0;
	memcpy(ext->context.user_id, "another     ", 12);
}

static void other_parts(void)
{
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };

	start();
	change = everything;
	md.Version = 2;
	gmo.Version = 2;
	get(&md, &gmo);
	RESULT(0, 0);
	INT(0xdd, md.GroupId[23]);
	INT(21, md.MsgSeqNumber);
	INT(22, md.Offset);
	INT(0x1b, md.MsgFlags);
	INT(24, md.OriginalLength);
	INT('q', md.ReplyToQ[47]);
	INT('m', md.ReplyToQMgr[47]);
	TEXT("another", md.UserIdentifier);
	TEXT("20010203", md.PutDate);
	TEXT("04050607", md.PutTime);
	/* M-FLG-3 */
	INT('L', gmo.GroupStatus);
	INT('S', gmo.SegmentStatus);
	INT('A', gmo.Segmentation);
	stop();
}

static uint64_t ctx_now;

static void context_of_now(struct kmq_get *g, struct kmq_md_ext *ext)
{
	bool known = g->ctx_id == ctx_now;

	g->ctx_id = ctx_now;
	if (known)
		return;
	g->out_present = KMQ_MD_CONTEXT;
	ext->context = fake_context();
	ext->context.flags = 0;
	memset(ext->context.user_id, ' ', 12);
	ext->context.user_id[0] = 'a' + ctx_now;
}

/* The context of the last message of the handle does not come again. */
static void context_is_kept(void)
{
	static const int contexts[] = { 1, 1, 2, 2, 1, 3, 3, 3 };
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	size_t i;

	start();
	change = context_of_now;
	for (i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++) {
		ctx_now = contexts[i];
		get(&md, &gmo);
		RESULT(0, 0);
		INT('a' + contexts[i], md.UserIdentifier[0]);
		TEXT("20000229", md.PutDate);
	}
	stop();
}

static int returned;

static void message_in_group(struct kmq_get *g, struct kmq_md_ext *ext)
{
	g->out_present = KMQ_MD_GROUP;
	g->out_flags = KMQ_GET_OUT_MDE;
	g->out_data_length = 82;
	g->out_returned_length = returned;
	g->md.encoding = 273;
	g->md.ccsid = 819;
	g->out_msg_flags = MQMF_MSG_IN_GROUP;
	memset(ext->group_id, 0xdd, 24);
	ext->msg_seq_number = 1;
	ext->offset = 0;
	ext->msg_flags = MQMF_MSG_IN_GROUP;
	ext->original_length = -1;
}

/* M-MDE-4, E-26 */
static void version_one_getter(void)
{
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	MQMDE mde, want = { MQMDE_DEFAULT };

	start();
	want.Encoding = 273;
	want.CodedCharSetId = 819;
	memcpy(want.Format, "MQSTR   ", 8);
	memset(want.GroupId, 0xdd, 24);
	want.MsgFlags = MQMF_MSG_IN_GROUP;

	change = message_in_group;
	returned = 82;
	memset(buffer, '#', sizeof(buffer));
	get(&md, &gmo);
	RESULT(0, 0);
	INT(82, data_length);
	TEXT("MQHMDE", md.Format);
	INT(546, md.Encoding);
	INT(1208, md.CodedCharSetId);
	memcpy(&mde, buffer, sizeof(mde));
	BYTES(&want, &mde, sizeof(mde));
	INT('#', buffer[72]);

	returned = 40;
	memset(buffer, '#', sizeof(buffer));
	get(&md, &gmo);
	BYTES(&want, buffer, 40);
	INT('#', buffer[40]);

	returned = 0;
	MQGET(hconn, hobj, &md, &gmo, 0, NULL, &data_length, &cc, &rc);
	RESULT(0, 0);
	stop();
}

/* G-CNV-1 to G-CNV-4, G-RC-2 */
static void conversion(void)
{
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };

	start();
	change = give_result;
	result_cc = result_rc = 0;
	gmo.Options = MQGMO_CONVERT;
	get(&md, &gmo);
	RESULT(0, 0);
	md.CodedCharSetId = 1208;
	get(&md, &gmo);
	RESULT(0, 0);
	md.CodedCharSetId = 37;
	get(&md, &gmo);
	RESULT(1, MQRC_NOT_CONVERTED);
	INT(1208, md.CodedCharSetId);
	md.CodedCharSetId = 37;
	MQGET(hconn, hobj, &md, &gmo, 0, buffer, &data_length, &cc, &rc);
	RESULT(0, 0);
	md.CodedCharSetId = 37;
	result_cc = 1;
	result_rc = MQRC_TRUNCATED_MSG_FAILED;
	get(&md, &gmo);
	RESULT(1, MQRC_TRUNCATED_MSG_FAILED);
	result_rc = MQRC_INCOMPLETE_GROUP;
	md.CodedCharSetId = 37;
	get(&md, &gmo);
	RESULT(1, MQRC_NOT_CONVERTED);
	stop();
}

static void in_turn(struct kmq_get *g, struct kmq_md_ext *ext)
{
	(void)ext;
	if (g->length < 0) {
		g->out_comp_code = MQCC_FAILED;
		g->out_reason = MQRC_BUFFER_LENGTH_ERROR;
	}
	if (g->wait_interval < 0) {
		g->out_comp_code = MQCC_FAILED;
		g->out_reason = MQRC_WAIT_INTERVAL_ERROR;
	}
}

/* G-VAL line 13, G-PRP */
static void message_handles(void)
{
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };

	start();
	change = in_turn;
	gmo.Options = MQGMO_PROPERTIES_IN_HANDLE;
	get(&md, &gmo);
	RESULT(2, MQRC_HMSG_ERROR);
	gmo.Options = 0;
	gmo.Version = 4;
	gmo.MsgHandle = 8;
	get(&md, &gmo);
	RESULT(2, MQRC_HMSG_ERROR);
	gmo.WaitInterval = -2;
	get(&md, &gmo);
	RESULT(2, MQRC_WAIT_INTERVAL_ERROR);
	gmo.WaitInterval = 0;
	gmo.Options = MQGMO_NO_PROPERTIES;
	get(&md, &gmo);
	RESULT(0, 0);
	gmo.Options = 0;
	gmo.Version = 3;
	get(&md, &gmo);
	RESULT(0, 0);
	stop();
}

int main(void)
{
	static const struct test tests[] = {
		TEST(what_is_sent),
		TEST(malformed_structures),
		TEST(output_by_version),
		TEST(results_without_a_message),
		TEST(other_parts),
		TEST(context_is_kept),
		TEST(version_one_getter),
		TEST(conversion),
		TEST(message_handles),
	};

	return RUN(tests);
}
