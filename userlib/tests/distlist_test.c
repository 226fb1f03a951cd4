// SPDX-License-Identifier: MIT
/*
 * Distribution lists: what goes to the kernel for each destination, and what
 * becomes of the handle.
 */
#include "fake.h"

#include <errno.h>
#include <string.h>

static MQLONG cc, rc;
static MQHCONN hconn;
static MQHOBJ hobj;

/* A list of queues; NULL ends the names. */
static struct {
	MQOD od;
	MQOR names[4];
	MQRR results[4];
} list;

static void list_of(const char *const *names)
{
	static const MQOD od = { MQOD_DEFAULT };

	memset(&list, 0, sizeof(list));
	list.od = od;
	list.od.Version = MQOD_VERSION_4;
	list.od.ObjectRecPtr = list.names;
	list.od.ResponseRecPtr = list.results;
	for (; *names; names++)
		strcpy(list.names[list.od.RecsPresent++].ObjectName, *names);
}

static void open_list(MQLONG options)
{
	MQOPEN(hconn, &list.od, options, &hobj, &cc, &rc);
}

static void begin(void)
{
	static const char *const names[] = { "Q", "R", NULL };

	fake_start();
	hconn = fake_conn(MQCNO_NONE);
	list_of(names);
}

static void end(void)
{
	fake_hook = NULL;
	MQDISC(&hconn, &cc, &rc);
	INT(0, open_files());
}

static struct kmq_open opened[4];
static int n_opened;

static int see_open(int fd, unsigned int cmd, void *arg)
{
	(void)fd;
	if (cmd == KMQ_IOC_OPEN)
		opened[n_opened++ % 4] = *(struct kmq_open *)arg;
	return FAKE_DEFAULT;
}

/* O-DL-3, O-DL-5: each is opened alike; no name for a queue of a model's */
static void opens(void)
{
	static const char blanks[48 + 1] =
		"                                                ";
	int i;

	begin();
	fake_hook = see_open;
	n_opened = 0;
	open_list(MQOO_OUTPUT | MQOO_PASS_ALL_CONTEXT);
	RESULT(0, 0);
	INT(2, n_opened);
	for (i = 0; i < 2; i++) {
		INT(MQOO_OUTPUT | MQOO_PASS_ALL_CONTEXT, opened[i].options);
		BYTES(blanks, opened[i].dynamic_name, 48);
	}
	INT(2, list.od.KnownDestCount);
	INT(0, list.od.UnknownDestCount);
	INT(0, list.od.InvalidDestCount);
	INT(MQOT_Q, list.od.ResolvedType);
	/* the list has two files, the connection one */
	INT(3, open_files());
	MQCLOSE(hconn, &hobj, MQCO_NONE, &cc, &rc);
	RESULT(0, 0);
	INT(1, open_files());
	INT(2, fake_calls[KMQ_CMD_CLOSE]);
	end();
}

static int refuse(int fd, unsigned int cmd, void *arg)
{
	struct kmq_open *k = arg;

	(void)fd;
	if (cmd != KMQ_IOC_OPEN)
		return FAKE_DEFAULT;
	k->out_comp_code = MQCC_FAILED;
	k->out_reason = n_opened++ ? MQRC_DYNAMIC_Q_NAME_ERROR :
				     MQRC_NOT_AUTHORIZED;
	return 0;
}

/* O-DL-3, O-DL-5: nothing stays behind when it fails */
static void refused(void)
{
	begin();
	fake_hook = refuse;
	n_opened = 0;
	open_list(MQOO_OUTPUT);
	RESULT(2, MQRC_MULTIPLE_REASONS);
	INT(MQHO_UNUSABLE_HOBJ, hobj);
	INT(MQRC_NOT_AUTHORIZED, list.results[0].Reason);
	INT(MQRC_Q_TYPE_ERROR, list.results[1].Reason);
	INT(1, open_files());
	end();
}

static int broken(int fd, unsigned int cmd, void *arg)
{
	(void)fd;
	if (cmd == KMQ_IOC_CLOSE) {
		struct kmq_close *k = arg;

		k->out_comp_code = MQCC_FAILED;
		k->out_reason = MQRC_CONNECTION_BROKEN;
		return 0;
	}
	return cmd == KMQ_IOC_PUT ? -ENOMEM : FAKE_DEFAULT;
}

/* O-CLOSE-4, O-CLOSE-9: a close that fails leaves the handle */
static void close_fails(void)
{
	MQHOBJ before;

	begin();
	open_list(MQOO_OUTPUT);
	RESULT(0, 0);
	before = hobj;
	fake_hook = broken;
	MQCLOSE(hconn, &hobj, MQCO_NONE, &cc, &rc);
	RESULT(2, MQRC_CONNECTION_BROKEN);
	INT(before, hobj);
	INT(3, open_files());
	MQDISC(&hconn, &cc, &rc);
	INT(0, open_files());
	fake_hook = NULL;
}

static struct kmq_put sent[4];
static struct kmq_md_ext sent_ext[4];
static int n_sent;

static int see_put(int fd, unsigned int cmd, void *arg)
{
	const struct kmq_put *p = arg;

	(void)fd;
	if (cmd == KMQ_IOC_PUT || cmd == KMQ_IOC_PUT1) {
		sent[n_sent] = *p;
		memcpy(&sent_ext[n_sent++],
		       (const void *)(uintptr_t)p->ext, sizeof(sent_ext[0]));
	}
	return FAKE_DEFAULT;
}

/* P-DL-3, P-DL-4: a record takes the place of fields, for its destination */
static void fields(void)
{
	struct {
		MQBYTE24 correl_id;
		MQLONG feedback;
		MQBYTE32 token;
	} record = { "correl", 4711, "token" };
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };

	begin();
	open_list(MQOO_OUTPUT | MQOO_SET_IDENTITY_CONTEXT);
	pmo.Version = MQPMO_VERSION_2;
	pmo.Options = MQPMO_SET_IDENTITY_CONTEXT;
	pmo.RecsPresent = 1;
	pmo.PutMsgRecFields = MQPMRF_CORREL_ID | MQPMRF_FEEDBACK |
			      MQPMRF_ACCOUNTING_TOKEN;
	pmo.PutMsgRecPtr = &record;
	memcpy(md.CorrelId, "of the MQMD", 11);
	md.Feedback = 42;
	fake_hook = see_put;
	n_sent = 0;
	MQPUT(hconn, hobj, &md, &pmo, 4, "text", &cc, &rc);
	RESULT(0, 0);
	INT(2, n_sent);
	INT(4711, sent[0].md.feedback);
	INT(42, sent[1].md.feedback);
	BYTES(record.correl_id, sent[0].md.correl_id, 24);
	BYTES("of the MQMD", sent[1].md.correl_id, 11);
	BYTES("token", sent_ext[0].context.accounting, 6);
	INT(0, sent_ext[1].context.accounting[0]);
	INT(4, sent[1].length);
	INT(1, pmo.RecsPresent);
	INT(2, pmo.KnownDestCount);
	n_sent = 0;
	MQPUT1(hconn, &list.od, &md, &pmo, 4, "text", &cc, &rc);
	RESULT(0, 0);
	INT(2, n_sent);
	INT(4711, sent[0].md.feedback);
	INT(42, sent[1].md.feedback);
	BYTES("token", sent_ext[0].context.accounting, 6);
	end();
}

/* P-CHK-1: nothing is sent of what is wrong in itself */
static void checked_before(void)
{
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };

	begin();
	open_list(MQOO_OUTPUT);
	fake_hook = see_put;
	n_sent = 0;
	MQPUT(hconn, hobj, NULL, &pmo, 0, NULL, &cc, &rc);
	RESULT(2, MQRC_MD_ERROR);
	MQPUT(hconn, hobj, &md, NULL, 0, NULL, &cc, &rc);
	RESULT(2, MQRC_PMO_ERROR);
	MQPUT1(hconn, &list.od, NULL, &pmo, 0, NULL, &cc, &rc);
	RESULT(2, MQRC_MD_ERROR);
	MQPUT1(hconn, &list.od, &md, NULL, 0, NULL, &cc, &rc);
	RESULT(2, MQRC_PMO_ERROR);
	pmo.Options = MQPMO_SYNCPOINT | MQPMO_NO_SYNCPOINT;
	MQPUT(hconn, hobj, &md, &pmo, 0, NULL, &cc, &rc);
	RESULT(2, MQRC_OPTIONS_ERROR);
	MQPUT1(hconn, &list.od, &md, &pmo, 0, NULL, &cc, &rc);
	RESULT(2, MQRC_OPTIONS_ERROR);
	INT(0, n_sent);
	end();
}

static const struct test tests[] = {
	TEST(opens),
	TEST(refused),
	TEST(close_fails),
	TEST(fields),
	TEST(checked_before),
};

int main(void)
{
	return RUN(tests);
}
