// SPDX-License-Identifier: MIT
/*
 * Asynchronous puts that are held: which, until when, and what becomes of them
 * (P-ASY, A-STAT).
 */
#include "fake.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <kmq.h>

#define BATCH	32
#define FIRST	8	/* made at once in the first unit */
#define MOST	200

static MQLONG cc, rc;
static MQHCONN hconn;
static MQHOBJ hobj;
static MQMD md;
static MQPMO pmo;

/* What the kernel has got, in order: data and MsgId of each message. */
static struct {
	char data[16];
	MQBYTE24 id;
	struct kmq_put put;
} sent[MOST];
static unsigned int n_sent;
/* How a message fails whose data begins with '!', and one of a vector. */
static MQLONG fails_with;
static int vec_err;
/* What it says about room. */
static struct kmq_put_room room;
static uint64_t next_number;
static MQLONG def_response;
/* The first command after the last put. */
static unsigned int first_cmd;

static void take(struct kmq_put *p)
{
	const char *data = (void *)(uintptr_t)p->data;

	p->out_comp_code = MQCC_OK;
	p->out_reason = MQRC_NONE;
	if (p->length && data[0] == '!') {
		p->out_comp_code = MQCC_FAILED;
		p->out_reason = fails_with;
		return;
	}
	if (n_sent == MOST)
		return;
	memset(sent[n_sent].data, 0, sizeof(sent[n_sent].data));
	memcpy(sent[n_sent].data, data, p->length < 15 ? p->length : 15);
	if (p->options & MQPMO_NEW_MSG_ID || !p->md.msg_id[0])
		memset(p->md.msg_id, 0xaa, sizeof(p->md.msg_id));
	sent[n_sent].put = *p;
	memcpy(sent[n_sent++].id, p->md.msg_id, 24);
	p->md.priority = p->md.priority < 0 ? 3 : p->md.priority;
	p->md.persistence = p->md.persistence == 2 ? 1 : p->md.persistence;
	p->md.ccsid = 1208;
	p->out_present = 0;
	p->out_put_time = 951782400ULL * 1000000000;
}

static int take_vec(struct kmq_vec *v)
{
	char *entry = (void *)(uintptr_t)v->entries;
	struct kmq_put *p;

	INT(sizeof(*v), v->size);
	INT(sizeof(*p), v->stride);
	v->out_done = 0;
	if (vec_err)
		return vec_err;
	while (v->out_done < v->count) {
		p = (void *)(entry + v->out_done++ * v->stride);
		take(p);
		if (p->out_comp_code == MQCC_FAILED)
			break;
	}
	return 0;
}

static int answer_room(struct kmq_put_room *r)
{
	INT(sizeof(*r), r->size);
	INT(0, r->flags);
	r->out_comp_code = room.out_comp_code;
	r->out_reason = room.out_reason;
	r->out_msgs = room.out_msgs;
	r->out_max_length = room.out_max_length;
	r->out_first_id = next_number;
	next_number += r->ids;
	return 0;
}

static int kernel(int fd, unsigned int cmd, void *arg)
{
	(void)fd;
	if (!first_cmd && cmd != KMQ_IOC_PUT_ROOM)
		first_cmd = cmd;
	switch (cmd) {
	case KMQ_IOC_PUT:
		take(arg);
		return 0;
	case KMQ_IOC_PUTV:
		return take_vec(arg);
	case KMQ_IOC_PUT_ROOM:
		return answer_room(arg);
	default:
		return FAKE_DEFAULT;
	}
}

/* The queue has a default response of its own. */
static int kernel_open(int fd, unsigned int cmd, void *arg)
{
	struct kmq_open *k = arg;
	int err;

	if (cmd != KMQ_IOC_OPEN)
		return kernel(fd, cmd, arg);
	/* As any open, but for that. */
	fake_hook = kernel;
	err = ioctl(fd, cmd, arg);
	fake_hook = kernel_open;
	k->out_def_put_response = def_response;
	return err ? -errno : 0;
}

static void start_with(MQLONG sharing)
{
	if (!fake_calls[KMQ_CMD_CONNECT])
		fake_start();
	n_sent = 0;
	vec_err = 0;
	fails_with = MQRC_Q_FULL;
	room = (struct kmq_put_room){
		.out_msgs = 5000,
		.out_max_length = 4194304,
	};
	next_number = 0x6000000000000001ULL;
	fake_hook = kernel_open;
	hconn = fake_conn(sharing);
	hobj = fake_open(hconn, ALL_OPEN);
	md = (MQMD){ MQMD_DEFAULT };
	pmo = (MQPMO){ MQPMO_DEFAULT };
	pmo.Options = MQPMO_SYNCPOINT | MQPMO_ASYNC_RESPONSE;
}

static void start(void)
{
	def_response = MQPRT_SYNC_RESPONSE;
	start_with(MQCNO_NONE);
}

static void stop(void)
{
	MQDISC(&hconn, &cc, &rc);
	INT(0, open_files());
}

/* Its data is gone from the buffer when the call has returned. */
static void put(const char *data)
{
	size_t length = strlen(data);
	char buffer[8192];

	memcpy(buffer, data, length);
	memset(md.MsgId, 0, sizeof(md.MsgId));
	/* What the last put has resolved is left open again. */
	md.Priority = md.Priority == 3 ? -1 : md.Priority;
	md.Persistence = 2;
	md.CodedCharSetId = 0;
	cc = rc = 77;
	MQPUT(hconn, hobj, &md, &pmo, length, buffer, &cc, &rc);
	memset(buffer, 'x', length);
	first_cmd = 0;
}

static void put_numbers(unsigned int from, unsigned int to)
{
	char data[16];

	for (; from <= to; from++) {
		sprintf(data, "%u", from);
		put(data);
		RESULT(0, 0);
	}
}

static void sent_in_order(unsigned int count)
{
	char want[16];
	unsigned int i;

	INT(count, n_sent);
	for (i = 0; i < count && i < n_sent; i++) {
		sprintf(want, "%u", i + 1);
		CHECK(!strcmp(want, sent[i].data));
	}
}

/* P-ASY-2: the first ones of a unit go at once, then batches that are full */
static void batches(void)
{
	start();
	put_numbers(1, FIRST);
	sent_in_order(FIRST);
	put_numbers(FIRST + 1, FIRST + BATCH - 1);
	sent_in_order(FIRST);
	INT(0, fake_calls[KMQ_CMD_PUTV]);
	put_numbers(FIRST + BATCH, FIRST + BATCH);
	INT(1, fake_calls[KMQ_CMD_PUTV]);
	sent_in_order(FIRST + BATCH);
	put_numbers(FIRST + BATCH + 1, FIRST + 2 * BATCH + 1);
	INT(2, fake_calls[KMQ_CMD_PUTV]);
	INT(3, fake_calls[KMQ_CMD_PUT_ROOM]);
	MQCMIT(hconn, &cc, &rc);
	RESULT(0, 0);
	sent_in_order(FIRST + 2 * BATCH + 1);
	INT(FIRST, fake_calls[KMQ_CMD_PUT]);
	/* A program that puts many is not kept waiting in its next unit. */
	n_sent = 0;
	pmo.Options |= MQPMO_NEW_MSG_ID;
	put_numbers(1, 2);
	sent_in_order(2);
	/* Identifiers are at hand: the kernel sees no difference (M-ID-1). */
	INT(0x11, sent[0].id[0]);
	INT(MQPMO_SYNCPOINT | MQPMO_ASYNC_RESPONSE, sent[0].put.options);
	CHECK(memcmp(sent[0].id, sent[1].id, 24));
	put_numbers(3, 9);
	sent_in_order(2);
	MQCMIT(hconn, &cc, &rc);
	RESULT(0, 0);
	sent_in_order(9);
	/* One that puts few is. */
	n_sent = 0;
	put_numbers(1, 8);
	sent_in_order(8);
	stop();
}

/* P-ASY-3, M-ID-1, M-ID-2, M-ID-3, P-MD-11 */
static void descriptor(void)
{
	struct kmq_context ctx = fake_context();
	MQBYTE24 want, ids[4];
	uint64_t number;
	int i;

	start();
	md.CorrelId[0] = 5;
	put_numbers(1, FIRST);
	memset(&pmo.ResolvedQName, 0, 48);
	for (i = 0; i < 4; i++) {
		put("text");
		RESULT(0, 0);
		memcpy(ids[i], md.MsgId, 24);
		number = htobe64(0x6000000000000001ULL + i);
		memset(want, 0x11, 16);
		memcpy(want + 16, &number, 8);
		BYTES(want, md.MsgId, 24);
		INT(5, md.CorrelId[0]);
		/* what else there is to say is the same as ever */
		INT(3, md.Priority);
		INT(1, md.Persistence);
		INT(1208, md.CodedCharSetId);
		TEXT("root", md.UserIdentifier);
		BYTES(ctx.accounting, md.AccountingToken, 32);
		TEXT("", md.ApplIdentityData);
		INT(MQAT_UNIX, md.PutApplType);
		TEXT("fake", md.PutApplName);
		TEXT("", md.ApplOriginData);
		CHECK(md.PutDate[0] == '2' && md.PutTime[0] <= '2');
		TEXT("Q", pmo.ResolvedQName);
		TEXT("QM1", pmo.ResolvedQMgrName);
	}
	MQCMIT(hconn, &cc, &rc);
	INT(FIRST + 4, n_sent);
	for (i = 0; i < 4; i++) {
		const struct kmq_put *p = &sent[FIRST + i].put;

		BYTES(ids[i], sent[FIRST + i].id, 24);
		INT(MQPMO_SYNCPOINT | MQPMO_ASYNC_RESPONSE, p->options);
		INT(4, p->length);
		INT(0, p->present);
		INT(0, p->ext);
		INT(-1, p->context_fd);
		INT(-1, p->md.priority);
		INT(2, p->md.persistence);
	}
	stop();
	/* an identifier given by the program is the program's */
	start();
	pmo.Options |= MQPMO_NEW_CORREL_ID;
	put_numbers(1, FIRST);
	for (i = 0; i < 2; i++) {
		memset(md.MsgId, 'm', 24);
		md.Priority = -1;
		md.Persistence = 2;
		md.CodedCharSetId = 0;
		cc = rc = 77;
		MQPUT(hconn, hobj, &md, &pmo, 1, "x", &cc, &rc);
		RESULT(0, 0);
		memset(want, 'm', 24);
		BYTES(want, md.MsgId, 24);
		number = htobe64(0x6000000000000001ULL + i);
		BYTES(&number, md.CorrelId + 16, 8);
	}
	stop();
	BYTES(want, sent[FIRST].id, 24);
	BYTES(md.CorrelId, sent[FIRST + 1].put.md.correl_id, 24);
}

/* Calls that make what is held, each in a connection of its own. */
static void call_get(void)
{
	MQGMO gmo = { MQGMO_DEFAULT };
	MQLONG length;
	MQMD got = { MQMD_DEFAULT };

	MQGET(hconn, hobj, &got, &gmo, 0, NULL, &length, &cc, &rc);
}

static void call_cmit(void)
{
	MQCMIT(hconn, &cc, &rc);
}

static void call_back(void)
{
	MQBACK(hconn, &cc, &rc);
}

static void call_begin(void)
{
	MQBEGIN(hconn, NULL, &cc, &rc);
}

static void call_close(void)
{
	MQCLOSE(hconn, &hobj, MQCO_NONE, &cc, &rc);
}

static void call_disc(void)
{
	MQHCONN h = hconn;

	MQDISC(&h, &cc, &rc);
}

static void call_open(void)
{
	fake_open(hconn, MQOO_BROWSE);
}

static void call_inq(void)
{
	MQLONG selector = MQIA_CURRENT_Q_DEPTH, value;

	MQINQ(hconn, hobj, 1, &selector, 1, &value, 0, NULL, &cc, &rc);
}

static void call_set(void)
{
	MQLONG selector = MQIA_INHIBIT_GET, value = 0;

	MQSET(hconn, hobj, 1, &selector, 1, &value, 0, NULL, &cc, &rc);
}

static void call_stat(void)
{
	MQSTS sts = { MQSTS_DEFAULT };

	MQSTAT(hconn, MQSTAT_TYPE_ASYNC_ERROR, &sts, &cc, &rc);
	INT(FIRST + 3, sts.PutSuccessCount);
	INT(0, sts.PutFailureCount);
}

static void call_put(void)
{
	MQMD m = { MQMD_DEFAULT };
	MQPMO p = { MQPMO_DEFAULT };

	MQPUT(hconn, hobj, &m, &p, 1, "p", &cc, &rc);
}

/* Asynchronous, but not like the others. */
static void call_put_other(void)
{
	MQMD m = { MQMD_DEFAULT };

	m.Priority = 9;
	MQPUT(hconn, hobj, &m, &pmo, 1, "p", &cc, &rc);
}

static void call_put1(void)
{
	MQOD od = { MQOD_DEFAULT };
	MQMD m = { MQMD_DEFAULT };
	MQPMO p = { MQPMO_DEFAULT };

	strcpy(od.ObjectName, "Q");
	MQPUT1(hconn, &od, &m, &p, 1, "p", &cc, &rc);
}

static void call_wrong_handle(void)
{
	MQPUT(hconn, 4711, &md, &pmo, 1, "p", &cc, &rc);
	RESULT(2, MQRC_HOBJ_ERROR);
}

static void call_put_many(void)
{
	MQMD m = { MQMD_DEFAULT };
	kmq_put_item item = { .MsgDesc = &m, .PutMsgOpts = &pmo };
	MQLONG done;

	kmq_put_many(hconn, hobj, 1, &item, &done, &cc, &rc);
}

static void call_fd(void)
{
	kmq_object_fd(hconn, hobj);
}

static void call_ctl(void)
{
	MQCTL(hconn, MQOP_STOP, NULL, &cc, &rc);
}

static void flushed_by(void (*call)(void))
{
	start();
	put_numbers(1, FIRST + 3);
	sent_in_order(FIRST);
	call();
	/* first of all, and in order */
	if (first_cmd)
		INT(KMQ_IOC_PUTV, first_cmd);
	CHECK(n_sent >= FIRST + 3);
	n_sent = FIRST + 3;
	sent_in_order(FIRST + 3);
	MQDISC(&hconn, &cc, &rc);
}

static void order(void)
{
	static void (*const calls[])(void) = {
		call_get, call_cmit, call_back, call_begin, call_close,
		call_disc, call_open, call_inq, call_set, call_stat, call_put,
		call_put_other, call_put1, call_wrong_handle, call_put_many,
		call_fd, call_ctl,
	};
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		flushed_by(calls[i]);
}

/* More than MOST puts are made, none of them is held. */
static void none_held(const char *data)
{
	unsigned int i;

	for (i = 1; i <= FIRST + 4; i++) {
		put(data);
		RESULT(0, 0);
		INT(i, n_sent);
	}
	INT(0, fake_calls[KMQ_CMD_PUTV]);
	stop();
}

/* P-ASY-1, P-ASY-2 */
static void not_held(void)
{
	char large[5000];

	start();
	pmo.Options = MQPMO_ASYNC_RESPONSE;		/* no unit of work */
	none_held("x");
	start();
	pmo.Options = MQPMO_SYNCPOINT;			/* not asked for */
	none_held("x");
	def_response = MQPRT_ASYNC_RESPONSE;
	start_with(MQCNO_NONE);
	pmo.Options = MQPMO_SYNCPOINT | MQPMO_SYNC_RESPONSE;
	none_held("x");
	start_with(MQCNO_HANDLE_SHARE_BLOCK);
	none_held("x");
	start_with(MQCNO_HANDLE_SHARE_NO_BLOCK);
	none_held("x");
	start();
	kmq_conn_fd(hconn);
	none_held("x");
	start();
	md.Expiry = 100;
	none_held("x");
	start();
	strcpy(md.ReplyToQ, "R");
	none_held("x");
	start();
	md.Version = 2;
	md.MsgFlags = MQMF_SEGMENTATION_ALLOWED;
	none_held("x");
	start();
	pmo.Options |= MQPMO_LOGICAL_ORDER;
	none_held("x");
	start();
	pmo.Options |= MQPMO_NO_CONTEXT;
	none_held("x");
	start();
	memset(large, 'y', sizeof(large));
	large[sizeof(large) - 1] = 0;
	none_held(large);
	start();
	room.out_max_length = 1;
	none_held("yy");
}

/* Puts are alike if everything but identifiers and data is. */
static void alternating(void)
{
	unsigned int i;

	start();
	for (i = 1; i <= 40; i++) {
		md.Priority = i % 2;
		put("x");
		RESULT(0, 0);
		INT(i, n_sent);
	}
	stop();
}

/* DEFPRESP(ASYNC), P-ASY-1 */
static void default_response(void)
{
	def_response = MQPRT_ASYNC_RESPONSE;
	start_with(MQCNO_NONE);
	pmo.Options = MQPMO_SYNCPOINT;
	put_numbers(1, FIRST + 5);
	sent_in_order(FIRST);
	stop();
	sent_in_order(FIRST + 5);
}

/* P-ASY-2: where a put might fail it has its own result */
static void little_room(void)
{
	unsigned int commits;

	start();
	room.out_msgs = 2 * BATCH - 1;
	none_held("x");
	start();
	room.out_comp_code = MQCC_FAILED;
	room.out_reason = MQRC_PUT_INHIBITED;
	none_held("x");
	/* looked at for every batch */
	start();
	put_numbers(1, FIRST + BATCH);
	room.out_msgs = BATCH;
	put_numbers(FIRST + BATCH + 1, FIRST + BATCH + 5);
	sent_in_order(FIRST + BATCH + 5);
	put("!");
	RESULT(2, MQRC_Q_FULL);
	/* told at once, so that the program may commit (U-BACK-9) */
	commits = fake_calls[KMQ_CMD_COMMIT];
	MQCMIT(hconn, &cc, &rc);
	RESULT(0, 0);
	INT(commits + 1, fake_calls[KMQ_CMD_COMMIT]);
	stop();
}

/* What does not fit behind the others follows them. */
static void large_messages(void)
{
	char data[4097];
	unsigned int i;

	start();
	put_numbers(1, FIRST);
	memset(data, 'y', 4096);
	data[4096] = 0;
	for (i = 1; i <= 9; i++) {
		put(data);
		RESULT(0, 0);
	}
	INT(FIRST + 8, n_sent);
	INT(4096, sent[FIRST + 7].put.length);
	put_numbers(1, 1);
	stop();
	INT(FIRST + 10, n_sent);
	CHECK(!strcmp("1", sent[FIRST + 9].data));
}

static void stat_is(MQLONG good, MQLONG bad, MQLONG comp_code, MQLONG reason)
{
	MQSTS sts = { MQSTS_DEFAULT };
	MQLONG c, r;

	MQSTAT(hconn, MQSTAT_TYPE_ASYNC_ERROR, &sts, &c, &r);
	INT(0, c);
	INT(good, sts.PutSuccessCount);
	INT(bad, sts.PutFailureCount);
	INT(comp_code, sts.CompCode);
	INT(reason, sts.Reason);
	if (bad)
		TEXT("Q", sts.ObjectName);
}

/* A-STAT-2, A-STAT-4, U-CMIT-3 */
static void failure(void)
{
	start();
	put_numbers(1, FIRST + 1);
	put("!");
	RESULT(0, 0);
	put_numbers(FIRST + 2, FIRST + 3);
	MQCMIT(hconn, &cc, &rc);
	RESULT(1, MQRC_BACKED_OUT);
	INT(0, fake_calls[KMQ_CMD_COMMIT]);
	INT(1, fake_calls[KMQ_CMD_BACKOUT]);
	/* those behind it were tried all the same */
	sent_in_order(FIRST + 3);
	INT(2, fake_calls[KMQ_CMD_PUTV]);
	stat_is(FIRST + 3, 1, MQCC_FAILED, MQRC_Q_FULL);
	/* the next unit is another one */
	put_numbers(1, 1);
	MQCMIT(hconn, &cc, &rc);
	RESULT(0, 0);
	INT(1, fake_calls[KMQ_CMD_COMMIT]);

	/* known before the end of the unit: every put tells for itself */
	n_sent = 0;
	put_numbers(1, FIRST);
	put("!");
	RESULT(0, 0);
	stat_is(FIRST + 1, 1, MQCC_FAILED, MQRC_Q_FULL);
	put_numbers(FIRST + 1, FIRST + 4);
	sent_in_order(FIRST + 4);
	put("!");
	RESULT(2, MQRC_Q_FULL);
	MQBACK(hconn, &cc, &rc);
	RESULT(0, 0);

	/* the vector itself fails: each put does */
	stat_is(4, 1, MQCC_FAILED, MQRC_Q_FULL);
	put_numbers(1, FIRST + 2);
	vec_err = -ENODEV;
	MQCMIT(hconn, &cc, &rc);
	RESULT(1, MQRC_BACKED_OUT);
	stat_is(FIRST, 2, MQCC_FAILED, MQRC_CONNECTION_BROKEN);

	/* U-END-1 */
	vec_err = 0;
	n_sent = 0;
	put_numbers(1, FIRST);
	put("!");
	MQDISC(&hconn, &cc, &rc);
	RESULT(1, MQRC_BACKED_OUT);
	INT(0, open_files());
}

/* A handle that is gone is another one's for the next put. */
static void handle_closed(void)
{
	start();
	put_numbers(1, FIRST + 2);
	MQCLOSE(hconn, &hobj, MQCO_NONE, &cc, &rc);
	RESULT(0, 0);
	sent_in_order(FIRST + 2);
	hobj = fake_open(hconn, ALL_OPEN);
	n_sent = 0;
	put_numbers(1, FIRST);
	sent_in_order(FIRST);
	stop();
}

/* O-CONN-6: what the parent holds is the parent's */
static void child_of_a_fork(void)
{
	int status = -1;
	pid_t pid;

	start();
	put_numbers(1, FIRST + 3);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		MQCMIT(hconn, &cc, &rc);
		_exit(cc != MQCC_FAILED || rc != MQRC_HCONN_ERROR ||
		      n_sent != FIRST || fake_calls[KMQ_CMD_PUTV]);
	}
	waitpid(pid, &status, 0);
	INT(0, status);
	sent_in_order(FIRST);
	MQCMIT(hconn, &cc, &rc);
	RESULT(0, 0);
	sent_in_order(FIRST + 3);
	stop();
}

int main(void)
{
	static const struct test tests[] = {
		TEST(batches),
		TEST(descriptor),
		TEST(order),
		TEST(not_held),
		TEST(alternating),
		TEST(default_response),
		TEST(little_room),
		TEST(large_messages),
		TEST(failure),
		TEST(handle_closed),
		TEST(child_of_a_fork),
	};

	return RUN(tests);
}
