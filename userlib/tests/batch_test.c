// SPDX-License-Identifier: MIT
/*
 * kmq_put_many() and kmq_get_many().
 */
#include "fake.h"

#include <errno.h>

#include <kmq.h>

#define MOST	100

static MQLONG cc, rc, done;
static MQHCONN hconn;
static MQHOBJ hobj;

static MQMD mds[MOST];
static MQPMO pmo;
static MQGMO gmo;

static MQLONG carried, fails_at, warns_at, fails_with, waits;
static int vec_err;
static uint64_t contexts[MOST];

static void result(uint32_t *comp_code, uint32_t *reason)
{
	carried++;
	*comp_code = MQCC_OK;
	*reason = MQRC_NONE;
	if (carried == warns_at) {
		*comp_code = MQCC_WARNING;
		*reason = MQRC_INCOMPLETE_GROUP;
	}
	if (carried == fails_at) {
		*comp_code = MQCC_FAILED;
		*reason = fails_with;
	}
}

/* Several messages have the same time; midnight comes between two others. */
static uint64_t time_of(MQLONG number)
{
	return (951782397ULL + number / 4) * 1000000000;
}

static void check_time(const MQMD *md, MQLONG number)
{
	char text[17];
	int second = number / 4 - 3;

	snprintf(text, sizeof(text), "2000022%d%s%02d00", second < 0 ? 8 : 9,
		 second < 0 ? "2359" : "0000",
		 second < 0 ? 60 + second : second);
	BYTES(text, md->PutDate, 16);
}

static void put_entry(struct kmq_put *p)
{
	INT(sizeof(*p), p->size);
	INT(carried, p->length);
	result(&p->out_comp_code, &p->out_reason);
	p->out_present = 0;
	p->md.ccsid = 1208;
	p->out_put_time = time_of(carried);
	memset(p->md.msg_id, carried, 24);
}

static void get_entry(struct kmq_get *g)
{
	struct kmq_md_ext *ext = (void *)(uintptr_t)g->ext;
	uint64_t known = g->ctx_id;

	INT(sizeof(*g), g->size);
	INT(carried, g->length);
	waits += !!(g->options & MQGMO_WAIT);
	result(&g->out_comp_code, &g->out_reason);
	if (g->out_comp_code == MQCC_FAILED)
		return;
	memset(g->md.msg_id, carried, 24);
	g->out_data_length = carried;
	g->out_returned_length = 0;
	g->out_present = 0;
	g->out_flags = 0;
	g->out_put_time = time_of(carried);
	g->ctx_id = contexts[carried - 1];
	if (known == g->ctx_id)
		return;
	g->out_present = KMQ_MD_CONTEXT;
	ext->context = fake_context();
	ext->context.flags = 0;
	memset(ext->context.user_id, ' ', 12);
	ext->context.user_id[0] = 'a' + g->ctx_id;
}

static int kernel(int fd, unsigned int cmd, void *arg)
{
	struct kmq_vec *v = arg;
	char *entry;
	struct kmq_put *p;
	uint32_t i;

	(void)fd;
	switch (cmd) {
	case KMQ_IOC_PUT:
		put_entry(arg);
		return 0;
	case KMQ_IOC_GET:
		get_entry(arg);
		return 0;
	case KMQ_IOC_PUTV:
	case KMQ_IOC_GETV:
		break;
	default:
		return FAKE_DEFAULT;
	}
	INT(sizeof(*v), v->size);
	INT(0, v->stride % 8);
	if (vec_err)
		return vec_err;
	entry = (void *)(uintptr_t)v->entries;
	for (i = 0; i < v->count; i++, entry += v->stride) {
		p = (void *)entry;
		if (cmd == KMQ_IOC_PUTV)
			put_entry(p);
		else
			get_entry((void *)entry);
		if (p->out_comp_code == MQCC_FAILED) {
			i++;
			break;
		}
	}
	v->out_done = i;
	return 0;
}

static void start(void)
{
	static const MQMD md = { MQMD_DEFAULT };
	static const MQPMO put = { MQPMO_DEFAULT };
	static const MQGMO get = { MQGMO_DEFAULT };
	int i;

	if (!fake_calls[KMQ_CMD_CONNECT])
		fake_start();
	pmo = put;
	gmo = get;
	carried = fails_at = warns_at = waits = 0;
	fails_with = MQRC_Q_FULL;
	vec_err = 0;
	for (i = 0; i < MOST; i++) {
		mds[i] = md;
		contexts[i] = FAKE_CTX_ID;
	}
	fake_hook = kernel;
	hconn = fake_conn(MQCNO_NONE);
	hobj = fake_open(hconn, ALL_OPEN);
}

static void stop(void)
{
	MQDISC(&hconn, &cc, &rc);
}

static kmq_put_item puts_[MOST];
static kmq_get_item gets_[MOST];

static void put_many(MQLONG count)
{
	MQLONG i;

	for (i = 0; i < count; i++)
		puts_[i] = (kmq_put_item){ &mds[i], &pmo, "", i, 77, 77 };
	done = cc = rc = 77;
	kmq_put_many(hconn, hobj, count, puts_, &done, &cc, &rc);
}

static void get_many(MQLONG count)
{
	MQLONG i;

	for (i = 0; i < count; i++)
		gets_[i] = (kmq_get_item){ &mds[i], &gmo, NULL, i, 77, 77, 77 };
	done = cc = rc = 77;
	kmq_get_many(hconn, hobj, count, gets_, &done, &cc, &rc);
}

static void puts_in_pieces(void)
{
	int i;

	start();
	put_many(MOST);
	RESULT(0, 0);
	INT(MOST, done);
	INT(4, fake_calls[KMQ_CMD_PUTV]);
	INT(0, fake_calls[KMQ_CMD_PUT]);
	for (i = 0; i < MOST; i++) {
		INT(0, puts_[i].CompCode);
		INT(0, puts_[i].Reason);
		INT(i + 1, mds[i].MsgId[23]);
		check_time(&mds[i], i + 1);
	}
	TEXT("Q", pmo.ResolvedQName);
	put_many(0);
	RESULT(0, 0);
	INT(0, done);
	stop();
}

static void puts_that_fail(void)
{
	start();
	warns_at = 3;
	put_many(5);
	RESULT(1, MQRC_INCOMPLETE_GROUP);
	INT(5, done);
	INT(1, puts_[2].CompCode);
	carried = 0;
	fails_at = 40;
	put_many(MOST);
	RESULT(2, MQRC_Q_FULL);
	INT(40, done);
	INT(MQRC_Q_FULL, puts_[39].Reason);
	INT(77, puts_[40].Reason);
	vec_err = -ENODEV;
	carried = 0;
	put_many(5);
	RESULT(2, MQRC_CONNECTION_BROKEN);
	INT(1, done);
	INT(MQRC_CONNECTION_BROKEN, puts_[0].Reason);
	INT(77, puts_[1].Reason);

	kmq_put_many(hconn, hobj + 1, 5, puts_, &done, &cc, &rc);
	RESULT(2, MQRC_HOBJ_ERROR);
	INT(0, done);
	kmq_put_many(hconn + 1, hobj, 5, puts_, &done, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	stop();
}

static void gets_in_pieces(void)
{
	int i;

	start();
	gmo.Options = MQGMO_WAIT;
	for (i = 0; i < MOST; i++)
		contexts[i] = 1 + i / 3 % 3;
	contexts[5] = contexts[9] = FAKE_CTX_ID;
	get_many(MOST);
	RESULT(0, 0);
	INT(MOST, done);
	INT(4, fake_calls[KMQ_CMD_GETV]);
	INT(1, waits);
	for (i = 0; i < MOST; i++) {
		INT(0, gets_[i].CompCode);
		INT(i + 1, gets_[i].DataLength);
		INT(i + 1, mds[i].MsgId[23]);
		check_time(&mds[i], i + 1);
		INT(contexts[i] == FAKE_CTX_ID ? 'r' : 'a' + (int)contexts[i],
		    mds[i].UserIdentifier[0]);
	}
	stop();
}

static void gets_until_there_is_none(void)
{
	start();
	fails_at = 5;
	fails_with = MQRC_NO_MSG_AVAILABLE;
	get_many(10);
	RESULT(0, 0);
	INT(5, done);
	INT(2, gets_[4].CompCode);
	INT(MQRC_NO_MSG_AVAILABLE, gets_[4].Reason);
	INT(77, gets_[4].DataLength);
	INT(77, gets_[5].Reason);
	carried = 4;
	fails_at = 5;
	gets_[0] = (kmq_get_item){ &mds[0], &gmo, NULL, 4, 77, 77, 77 };
	kmq_get_many(hconn, hobj, 1, gets_, &done, &cc, &rc);
	RESULT(2, MQRC_NO_MSG_AVAILABLE);
	INT(1, done);
	stop();
}

int main(void)
{
	static const struct test tests[] = {
		TEST(puts_in_pieces),
		TEST(puts_that_fail),
		TEST(gets_in_pieces),
		TEST(gets_until_there_is_none),
	};

	return RUN(tests);
}
