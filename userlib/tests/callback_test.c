// SPDX-License-Identifier: MIT
/*
 * MQCB and MQCTL: checks, the state table, who may call what meanwhile, what is
 * left afterwards. Messages come from a list of the fake kernel.
 */
#include "fake.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <kmq.h>

static MQLONG cc, rc;
static MQHCONN hconn;
static MQHOBJ hobj;

/* What the kernel does: next result of a get, what is the case. */
static int messages;
static MQLONG failing;
static uint16_t holds;		/* KMQ_EVENT_* */
static unsigned int watch_gets;
/* What happens between a consumer's look and its signal, once. */
static void (*before_signal)(struct kmq_get *g);

static void inhibit(struct kmq_get *g)
{
	/* By the same alias: there is no signal then, nor ever a message. */
	failing = MQRC_GET_INHIBITED;
	g->out_comp_code = MQCC_FAILED;
	g->out_reason = MQRC_GET_INHIBITED;
}

static void deliver(struct kmq_get *g)
{
	(void)g;
	messages = 1;
}

/* A get fails before the kernel tells of the event: for that, see below. */
static int event_fd;

static void begin_to_stop(struct kmq_get *g)
{
	event_fd = g->signal1;
	failing = MQRC_Q_MGR_STOPPING;
}

static int answer_get(struct kmq_get *g)
{
	g->out_comp_code = MQCC_FAILED;
	if (g->options & MQGMO_SET_SIGNAL) {
		__atomic_add_fetch(&watch_gets, 1, __ATOMIC_RELAXED);
		g->out_comp_code = MQCC_WARNING;
		g->out_reason = MQRC_SIGNAL_REQUEST_ACCEPTED;
		if (before_signal)
			before_signal(g);
		before_signal = NULL;
	} else if (!g->gmo_version) {
		g->out_reason = MQRC_GMO_ERROR;
	} else if (g->length < 0) {
		g->out_reason = MQRC_BUFFER_LENGTH_ERROR;
	} else if (__atomic_load_n(&failing, __ATOMIC_RELAXED)) {
		g->out_reason = failing;
	} else if (!messages) {
		g->out_reason = MQRC_NO_MSG_AVAILABLE;
	} else {
		messages--;
		memset(&g->out_comp_code, 0, 8);
		g->out_present = 0;
		g->out_flags = 0;
		g->out_msg_flags = 0;
		g->out_put_time = 1000000000;
		g->out_data_length = 5;
		g->out_returned_length = 5;
		memcpy((void *)(uintptr_t)g->data, "hello", 5);
	}
	return 0;
}

static int kernel(int fd, unsigned int cmd, void *arg)
{
	(void)fd;
	if (cmd == KMQ_IOC_GET)
		return answer_get(arg);
	if (cmd == KMQ_IOC_INFO)
		((struct kmq_info *)arg)->out_holds = holds;
	return FAKE_DEFAULT;
}

/* The callback: what it was told, and what it is to do. */
#define MAX_CALLS	64

static MQCBC told[MAX_CALLS];
static unsigned int calls;
static void (*act)(MQHCONN h, MQCBC *context);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;

static void callback(MQHCONN h, PMQVOID md, PMQVOID gmo, PMQVOID buffer,
		     PMQCBC context)
{
	bool message = context->CallType == MQCBCT_MSG_REMOVED ||
		       context->CallType == MQCBCT_MSG_NOT_REMOVED;

	CHECK(!memcmp(context->StrucId, MQCBC_STRUC_ID, 4));
	INT(message, md && gmo && buffer);
	if (message)
		CHECK(!memcmp(buffer, "hello", 5));
	if (act)
		act(h, context);
	pthread_mutex_lock(&lock);
	if (calls < MAX_CALLS)
		told[calls++] = *context;
	pthread_cond_broadcast(&called);
	pthread_mutex_unlock(&lock);
}

static bool wait_calls(unsigned int n)
{
	struct timespec until;
	int err = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 10;
	pthread_mutex_lock(&lock);
	while (calls < n && !err)
		err = pthread_cond_timedwait(&called, &lock, &until);
	pthread_mutex_unlock(&lock);
	return !err;
}

static void start(MQLONG sharing)
{
	fake_start();
	fake_hook = kernel;
	messages = 0;
	failing = 0;
	before_signal = NULL;
	holds = 0;
	calls = 0;
	act = NULL;
	hconn = fake_conn(sharing);
	hobj = fake_open(hconn, ALL_OPEN);
}

static void stop(void)
{
	if (hconn != MQHC_UNUSABLE_HCONN) {
		MQDISC(&hconn, &cc, &rc);
		RESULT(0, 0);
	}
	INT(0, open_files());
}

static MQCBD cbd_of(MQLONG type, MQLONG options)
{
	MQCBD cbd = { MQCBD_DEFAULT };

	cbd.CallbackType = type;
	cbd.Options = options;
	cbd.CallbackFunction = (MQPTR)callback;
	cbd.CallbackArea = &cc;
	return cbd;
}

static void cb(MQLONG op, MQCBD *cbd)
{
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };

	gmo.Options = MQGMO_WAIT;
	gmo.WaitInterval = MQWI_UNLIMITED;
	MQCB(hconn, op, cbd, hobj, &md, &gmo, &cc, &rc);
}

static void add(MQLONG type, MQLONG options)
{
	MQCBD cbd = cbd_of(type, options);

	cb(MQOP_REGISTER, &cbd);
	RESULT(0, 0);
}

static void ctl(MQLONG op)
{
	MQCTLO ctlo = { MQCTLO_DEFAULT };

	ctlo.ConnectionArea = &rc;
	MQCTL(hconn, op, &ctlo, &cc, &rc);
}

/* A-CB-1, A-CB-2, A-CB-5, A-CB-6, A-CB-8 */
static void checks_of_mqcb(void)
{
	static const MQLONG good[] = {
		MQOP_REGISTER, MQOP_REGISTER | MQOP_SUSPEND,
		MQOP_REGISTER | MQOP_RESUME, MQOP_SUSPEND, MQOP_RESUME,
		MQOP_DEREGISTER,
	};
	static const MQLONG bad[] = {
		0, MQOP_START, MQOP_REGISTER | MQOP_DEREGISTER,
		MQOP_SUSPEND | MQOP_RESUME, MQOP_DEREGISTER | MQOP_SUSPEND,
		MQOP_REGISTER | MQOP_SUSPEND | MQOP_RESUME, 0x40000, -1,
	};
	MQCBD cbd = cbd_of(MQCBT_MESSAGE_CONSUMER, 0), ok = cbd;
	MQGMO gmo = { MQGMO_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	size_t i;

	start(MQCNO_NONE);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cb(bad[i], &cbd);
		RESULT(2, MQRC_OPERATION_ERROR);
	}
	for (i = 3; i < sizeof(good) / sizeof(good[0]); i++) {
		cb(good[i], &cbd);
		RESULT(2, MQRC_CALLBACK_NOT_REGISTERED);
	}
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		cb(good[i], &cbd);
		RESULT(0, 0);
	}
	cb(MQOP_REGISTER, NULL);
	RESULT(2, MQRC_CBD_ERROR);
	cbd.StrucId[0] = 'X';
	cb(MQOP_REGISTER, &cbd);
	RESULT(2, MQRC_CBD_ERROR);
	cbd = ok;
	cbd.Version = 2;
	cb(MQOP_REGISTER, &cbd);
	RESULT(2, MQRC_CBD_ERROR);
	cbd = cbd_of(3, 0);
	cb(MQOP_REGISTER, &cbd);
	RESULT(2, MQRC_CALLBACK_TYPE_ERROR);
	cbd = cbd_of(MQCBT_MESSAGE_CONSUMER, 2);
	cb(MQOP_REGISTER, &cbd);
	RESULT(2, MQRC_CBD_OPTIONS_ERROR);
	cbd = ok;
	cbd.MaxMsgLength = -2;
	cb(MQOP_REGISTER, &cbd);
	RESULT(2, MQRC_MAX_MSG_LENGTH_ERROR);
	cbd = ok;
	MQCB(hconn, MQOP_REGISTER, &cbd, hobj + 1, &md, &gmo, &cc, &rc);
	RESULT(2, MQRC_HOBJ_ERROR);
	MQCB(hconn + 1, MQOP_REGISTER, &cbd, hobj, &md, &gmo, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	for (i = 0; i < 5; i++) {
		static const MQLONG options[] = {
			MQGMO_MSG_UNDER_CURSOR, MQGMO_BROWSE_MSG_UNDER_CURSOR,
			MQGMO_LOCK | MQGMO_BROWSE_NEXT, MQGMO_UNLOCK,
			MQGMO_SET_SIGNAL,
		};

		gmo.Options = options[i];
		MQCB(hconn, MQOP_REGISTER, &cbd, hobj, &md, &gmo, &cc, &rc);
		RESULT(2, MQRC_OPTIONS_ERROR);
	}
	gmo.StrucId[0] = 'x';
	MQCB(hconn, MQOP_REGISTER, &cbd, hobj, &md, &gmo, &cc, &rc);
	RESULT(2, MQRC_GMO_ERROR);
	MQCB(hconn, MQOP_REGISTER, &cbd, hobj, NULL, NULL, &cc, &rc);
	RESULT(0, 0);
	MQCB(hconn, MQOP_DEREGISTER, NULL, hobj, NULL, NULL, &cc, &rc);
	RESULT(0, 0);
	stop();
	INT(0, calls);
}

/* A-CB-5: by name */
static void functions_by_name(void)
{
	MQCBD cbd = cbd_of(MQCBT_EVENT_HANDLER, 0);
	static const struct {
		const char *name;
		MQLONG reason;
	} cases[] = {
		{ "libc.so.6(puts)", 0 },
		{ "libc.so.6(no_such_function)", MQRC_MODULE_ENTRY_NOT_FOUND },
		{ "libnone.so.0(f)", MQRC_MODULE_NOT_FOUND },
		{ "/nowhere/libnone.so(f)", MQRC_MODULE_NOT_FOUND },
		{ "/etc/passwd(f)", MQRC_MODULE_INVALID },
		{ "libc.so.6", MQRC_CALLBACK_ROUTINE_ERROR },
		{ "libc.so.6()", MQRC_CALLBACK_ROUTINE_ERROR },
		{ "(puts)", MQRC_CALLBACK_ROUTINE_ERROR },
		{ "libc.so.6(puts", MQRC_CALLBACK_ROUTINE_ERROR },
	};
	size_t i;

	start(MQCNO_NONE);
	cb(MQOP_REGISTER, &cbd);
	RESULT(0, 0);
	memcpy(cbd.CallbackName, "libc.so.6(puts)", 15);
	cb(MQOP_REGISTER, &cbd);
	RESULT(2, MQRC_CALLBACK_ROUTINE_ERROR);	/* both */
	cbd.CallbackFunction = NULL;
	memset(cbd.CallbackName, ' ', sizeof(cbd.CallbackName));
	cb(MQOP_REGISTER, &cbd);
	RESULT(2, MQRC_CALLBACK_ROUTINE_ERROR);	/* none */
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(cbd.CallbackName, ' ', sizeof(cbd.CallbackName));
		memcpy(cbd.CallbackName, cases[i].name, strlen(cases[i].name));
		cb(MQOP_REGISTER, &cbd);
		INT(cases[i].reason, rc);
		INT(cases[i].reason ? 2 : 0, cc);
	}
	stop();
}

/* A-CTL-1, A-CTL-3 */
static void checks_of_mqctl(void)
{
	MQCTLO ctlo = { MQCTLO_DEFAULT };
	MQCBD cbd = cbd_of(MQCBT_MESSAGE_CONSUMER, 0);

	start(MQCNO_NONE);
	ctl(0);
	RESULT(2, MQRC_OPERATION_ERROR);
	ctl(MQOP_REGISTER);
	RESULT(2, MQRC_OPERATION_ERROR);
	ctl(MQOP_START | MQOP_STOP);
	RESULT(2, MQRC_OPERATION_ERROR);
	ctlo.Version = 2;
	MQCTL(hconn, MQOP_STOP, &ctlo, &cc, &rc);
	RESULT(2, MQRC_CTLO_ERROR);
	ctlo.Version = 1;
	ctlo.StrucId[3] = ' ';
	MQCTL(hconn, MQOP_STOP, &ctlo, &cc, &rc);
	RESULT(2, MQRC_CTLO_ERROR);
	ctlo = (MQCTLO){ MQCTLO_DEFAULT };
	ctlo.Options = 2;
	MQCTL(hconn, MQOP_STOP, &ctlo, &cc, &rc);
	RESULT(2, MQRC_OPTIONS_ERROR);
	MQCTL(hconn, MQOP_STOP, NULL, &cc, &rc);
	RESULT(0, 0);
	MQCTL(hconn + 1, MQOP_STOP, NULL, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	ctl(MQOP_START);
	RESULT(2, MQRC_NO_CALLBACKS_ACTIVE);
	ctl(MQOP_START_WAIT);
	RESULT(2, MQRC_NO_CALLBACKS_ACTIVE);
	cb(MQOP_REGISTER | MQOP_SUSPEND, &cbd);
	RESULT(0, 0);
	ctl(MQOP_START);
	RESULT(2, MQRC_NO_CALLBACKS_ACTIVE);
	cb(MQOP_RESUME, &cbd);
	RESULT(0, 0);
	ctl(MQOP_START);
	RESULT(0, 0);
	stop();
}

/* A-CTL-4, from the thread of the program; A-SCN-2 */
static void state_table(void)
{
	static const struct {
		MQLONG op, stopped, started, suspended;
	} table[] = {
		{ MQOP_START, 0, 0, 2534 },
		{ MQOP_START_WAIT, -1, 2534, 2534 },
		{ MQOP_STOP, 0, 0, 0 },
		{ MQOP_SUSPEND, 2534, 0, 0 },
		{ MQOP_RESUME, 2534, 0, 0 },
	};
	size_t i;

	start(MQCNO_NONE);
	add(MQCBT_MESSAGE_CONSUMER, 0);
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (table[i].stopped >= 0) {
			ctl(table[i].op);
			INT(table[i].stopped, rc);
			INT(table[i].stopped ? 2 : 0, cc);
			ctl(MQOP_STOP);
			RESULT(0, 0);
		}
		ctl(MQOP_START);
		RESULT(0, 0);
		ctl(table[i].op);
		INT(table[i].started, rc);
		INT(table[i].started ? 2 : 0, cc);
		ctl(MQOP_STOP);
		ctl(MQOP_START);
		ctl(MQOP_SUSPEND);
		RESULT(0, 0);
		ctl(table[i].op);
		INT(table[i].suspended, rc);
		INT(table[i].suspended ? 2 : 0, cc);
		ctl(MQOP_STOP);
		RESULT(0, 0);
	}
	stop();
}

static MQLONG inside[16];
static int inside_n;

static void note(MQHCONN h, MQLONG op)
{
	MQLONG c, r;

	MQCTL(h, op, NULL, &c, &r);
	INT(r ? 2 : 0, c);
	inside[inside_n++] = r;
}

static void try_all(MQHCONN h, MQCBC *context)
{
	if (context->CallType != MQCBCT_MSG_REMOVED || inside_n)
		return;
	note(h, MQOP_START);
	note(h, MQOP_START_WAIT);
	note(h, MQOP_RESUME);
	note(h, MQOP_SUSPEND);
	note(h, MQOP_SUSPEND);
	note(h, MQOP_START);
	note(h, MQOP_RESUME);
	note(h, MQOP_STOP);
	note(h, MQOP_STOP);
	note(h, MQOP_RESUME);
	note(h, MQOP_SUSPEND);
	note(h, MQOP_START_WAIT);
	note(h, MQOP_START);	/* the pending stop is cancelled */
}

/* A-CTL-4, from inside a callback */
static void state_table_inside(void)
{
	static const MQLONG want[] = {
		0, 2534, 0, 0, 0, 2534, 0, 0, 0, 2534, 2534, 2534, 0,
	};
	int i;

	start(MQCNO_NONE);
	inside_n = 0;
	act = try_all;
	messages = 2;
	add(MQCBT_MESSAGE_CONSUMER, 0);
	ctl(MQOP_START);
	RESULT(0, 0);
	CHECK(wait_calls(2));	/* so it goes on */
	ctl(MQOP_STOP);
	RESULT(0, 0);
	INT(13, inside_n);
	for (i = 0; i < 13; i++)
		INT(want[i], inside[i]);
	stop();
}

/* A-CTL-5, A-CTL-7, A-CBC-7: who may call while it is started */
static void use_mqi(MQHCONN h, MQCBC *context)
{
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG c, r;

	MQPUT(h, context->Hobj, &md, &pmo, 0, NULL, &c, &r);
	INT(0, r);
	MQCMIT(h, &c, &r);
	INT(0, r);
	CHECK(kmq_conn_fd(h) >= 0);
}

static void calls_from_outside(MQLONG sharing)
{
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	MQOD od = { MQOD_DEFAULT };
	MQLONG length;
	MQHOBJ other, hobj2;
	MQCBD cbd = cbd_of(MQCBT_MESSAGE_CONSUMER, 0);

	start(sharing);
	act = use_mqi;
	messages = 3;
	add(MQCBT_MESSAGE_CONSUMER, 0);
	hobj2 = hobj;
	ctl(MQOP_START);
	RESULT(0, 0);
	MQPUT(hconn, hobj, &md, &pmo, 0, NULL, &cc, &rc);
	RESULT(2, MQRC_HCONN_ASYNC_ACTIVE);
	MQGET(hconn, hobj, &md, &gmo, 0, NULL, &length, &cc, &rc);
	RESULT(2, MQRC_HCONN_ASYNC_ACTIVE);
	strcpy(od.ObjectName, "R");
	MQOPEN(hconn, &od, MQOO_OUTPUT, &other, &cc, &rc);
	RESULT(2, MQRC_HCONN_ASYNC_ACTIVE);
	MQCLOSE(hconn, &hobj2, 0, &cc, &rc);
	RESULT(2, MQRC_HCONN_ASYNC_ACTIVE);
	MQCMIT(hconn, &cc, &rc);
	RESULT(2, MQRC_HCONN_ASYNC_ACTIVE);
	MQBACK(hconn, &cc, &rc);	/* U-BACK-8 */
	RESULT(2, MQRC_HCONN_ASYNC_ACTIVE);
	cb(MQOP_REGISTER, &cbd);	/* A-CB-10 */
	RESULT(2, MQRC_HCONN_ASYNC_ACTIVE);
	INT(-1, kmq_conn_fd(hconn));
	INT(EBUSY, errno);
	CHECK(wait_calls(3));
	ctl(MQOP_SUSPEND);
	RESULT(0, 0);
	MQPUT(hconn, hobj, &md, &pmo, 0, NULL, &cc, &rc);
	RESULT(0, 0);
	cb(MQOP_REGISTER, &cbd);
	RESULT(0, 0);
	ctl(MQOP_RESUME);
	RESULT(0, 0);
	MQCMIT(hconn, &cc, &rc);
	RESULT(2, MQRC_HCONN_ASYNC_ACTIVE);
	ctl(MQOP_STOP);
	RESULT(0, 0);
	MQCMIT(hconn, &cc, &rc);
	RESULT(0, 0);
	ctl(MQOP_START);
	RESULT(0, 0);
	stop();		/* MQDISC is allowed */
}

static void calls_not_shared(void)
{
	calls_from_outside(MQCNO_NONE);
}

static void calls_block(void)
{
	calls_from_outside(MQCNO_HANDLE_SHARE_BLOCK);
}

static void calls_no_block(void)
{
	calls_from_outside(MQCNO_HANDLE_SHARE_NO_BLOCK);
}

/* A-CBC-1, UC-076: the calls asked for, in their order, with what they carry */
static void every_call(void)
{
	static const struct {
		MQLONG type;
		bool handler, area;
	} want[] = {
		{ MQCBCT_REGISTER_CALL, true, false },
		{ MQCBCT_REGISTER_CALL, false, false },
		{ MQCBCT_START_CALL, true, true },
		{ MQCBCT_START_CALL, false, true },
		{ MQCBCT_MSG_REMOVED, false, true },
		{ MQCBCT_STOP_CALL, false, true },
		{ MQCBCT_STOP_CALL, true, true },
		{ MQCBCT_DEREGISTER_CALL, false, true },
		{ MQCBCT_DEREGISTER_CALL, true, true },
	};
	MQLONG all = MQCBDO_START_CALL | MQCBDO_STOP_CALL |
		     MQCBDO_REGISTER_CALL | MQCBDO_DEREGISTER_CALL;
	MQHOBJ queue;
	unsigned int i;

	start(MQCNO_NONE);
	queue = hobj;
	messages = 1;
	add(MQCBT_EVENT_HANDLER, all);
	add(MQCBT_MESSAGE_CONSUMER, all);
	ctl(MQOP_START);
	CHECK(wait_calls(5));
	ctl(MQOP_SUSPEND);	/* neither stop nor start */
	ctl(MQOP_RESUME);
	ctl(MQOP_SUSPEND);
	ctl(MQOP_STOP);
	RESULT(0, 0);
	MQCLOSE(hconn, &hobj, 0, &cc, &rc);	/* A-CB-9 */
	RESULT(0, 0);
	stop();
	INT(sizeof(want) / sizeof(want[0]), calls);
	for (i = 0; i < calls; i++) {
		INT(want[i].type, told[i].CallType);
		INT(want[i].handler ? MQHO_NONE : queue, told[i].Hobj);
		CHECK(told[i].CallbackArea == &cc);
		CHECK(told[i].ConnectionArea == (want[i].area ? &rc : NULL));
		INT(0, told[i].CompCode);
		INT(0, told[i].Reason);
		INT(MQCS_NONE, told[i].State);
		INT(want[i].type == MQCBCT_MSG_REMOVED ? 5 : 0,
		    told[i].DataLength);
		CHECK(told[i].BufferLength >= told[i].DataLength);
	}
}

/* A-CTL-2, A-SCN-5 */
static void leave(MQHCONN h, MQCBC *context)
{
	MQCBD cbd = cbd_of(MQCBT_MESSAGE_CONSUMER, 0);
	MQLONG c, r;

	if (context->CallType == MQCBCT_MSG_REMOVED && !messages) {
		MQCB(h, MQOP_DEREGISTER, &cbd, context->Hobj, NULL, NULL, &c,
		     &r);
		INT(0, r);
	}
}

static void stop_now(MQHCONN h, MQCBC *context)
{
	MQLONG c, r;

	if (context->CallType == MQCBCT_MSG_REMOVED && !messages) {
		MQCTL(h, MQOP_STOP, NULL, &c, &r);
		INT(0, r);
	}
}

static void start_wait(void)
{
	start(MQCNO_NONE);
	add(MQCBT_MESSAGE_CONSUMER, 0);
	messages = 3;
	act = stop_now;
	ctl(MQOP_START_WAIT);
	RESULT(0, 0);
	INT(3, calls);
	messages = 2;
	act = leave;
	ctl(MQOP_START_WAIT);
	RESULT(1, MQRC_CONNECTION_SUSPENDED);
	INT(5, calls);
	add(MQCBT_MESSAGE_CONSUMER, 0);
	ctl(MQOP_RESUME);	/* from now on with a thread */
	RESULT(0, 0);
	stop();
}

/* O-DISC-3 */
static void disconnect_now(MQHCONN h, MQCBC *context)
{
	MQLONG c, r;

	if (context->CallType == MQCBCT_MSG_REMOVED) {
		MQDISC(&h, &c, &r);
		INT(0, r);
		INT(MQHC_UNUSABLE_HCONN, h);
	}
}

static void disconnect_inside(void)
{
	int i;

	start(MQCNO_NONE);
	add(MQCBT_MESSAGE_CONSUMER, MQCBDO_STOP_CALL | MQCBDO_DEREGISTER_CALL);
	messages = 9;
	act = disconnect_now;
	ctl(MQOP_START_WAIT);
	RESULT(0, 0);
	INT(3, calls);
	INT(MQCBCT_STOP_CALL, told[1].CallType);
	INT(MQCBCT_DEREGISTER_CALL, told[2].CallType);
	MQCMIT(hconn, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	hconn = MQHC_UNUSABLE_HCONN;
	stop();

	start(MQCNO_NONE);
	add(MQCBT_MESSAGE_CONSUMER, 0);
	messages = 9;
	act = disconnect_now;
	ctl(MQOP_START);
	for (i = 0; i < 1000; i++) {
		MQCMIT(hconn, &cc, &rc);
		if (rc == MQRC_HCONN_ERROR && !open_files())
			break;
		usleep(10000);
	}
	RESULT(2, MQRC_HCONN_ERROR);
	hconn = MQHC_UNUSABLE_HCONN;
	stop();
	INT(1, calls);
}

/* A-CBC-4, A-CBC-9 */
static void queue_manager_ends(void)
{
	start(MQCNO_NONE);
	add(MQCBT_EVENT_HANDLER, 0);
	add(MQCBT_MESSAGE_CONSUMER, MQCBDO_STOP_CALL);
	failing = MQRC_Q_MGR_QUIESCING;
	holds = KMQ_EVENT_QUIESCING;
	ctl(MQOP_START);
	CHECK(wait_calls(1));
	INT(MQCBCT_EVENT_CALL, told[0].CallType);
	INT(MQHO_NONE, told[0].Hobj);
	INT(2, told[0].CompCode);
	INT(MQRC_Q_MGR_QUIESCING, told[0].Reason);
	__atomic_store_n(&failing, MQRC_CONNECTION_BROKEN, __ATOMIC_RELAXED);
	/* it is tried each second */
	CHECK(wait_calls(3));
	INT(MQCBCT_STOP_CALL, told[1].CallType);
	INT(MQCBCT_EVENT_CALL, told[2].CallType);
	INT(MQRC_CONNECTION_BROKEN, told[2].Reason);
	INT(MQCS_STOPPED, told[2].State);
	ctl(MQOP_STOP);
	RESULT(0, 0);
	ctl(MQOP_SUSPEND);
	RESULT(2, MQRC_OPERATION_NOT_ALLOWED);
	failing = 0;
	stop();
	INT(3, calls);
}

/* A-CBC-4: also while stopped */
static void handler_while_stopped(void)
{
	start(MQCNO_NONE);
	holds = KMQ_EVENT_QUIESCING;
	add(MQCBT_EVENT_HANDLER, 0);
	CHECK(wait_calls(1));
	INT(MQRC_Q_MGR_QUIESCING, told[0].Reason);
	stop();
	INT(1, calls);
}

/* A-CBC-3 */
static void states(void)
{
	static const struct {
		MQLONG reason, state;
	} cases[] = {
		{ MQRC_GET_INHIBITED, MQCS_SUSPENDED_TEMPORARY },
		{ MQRC_BACKED_OUT, MQCS_SUSPENDED_USER_ACTION },
		{ MQRC_SYNCPOINT_LIMIT_REACHED, MQCS_SUSPENDED_USER_ACTION },
		{ MQRC_Q_DELETED, MQCS_SUSPENDED },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start(MQCNO_NONE);
		add(MQCBT_MESSAGE_CONSUMER, 0);
		failing = cases[i].reason;
		ctl(MQOP_START);
		CHECK(wait_calls(1));
		INT(MQCBCT_EVENT_CALL, told[0].CallType);
		INT(2, told[0].CompCode);
		INT(cases[i].reason, told[0].Reason);
		INT(cases[i].state, told[0].State);
		INT(0, told[0].BufferLength);
		stop();
		INT(1, calls);
	}
}

/* O-CONN-6: the child of a fork has nothing of it */
static pid_t parent;

static void fork_in_callback(MQHCONN h, MQCBC *context)
{
	MQLONG c, r;
	int status;
	pid_t pid;

	if (context->CallType != MQCBCT_MSG_REMOVED)
		return;
	pid = fork();
	if (!pid) {
		MQCMIT(h, &c, &r);
		if (r != MQRC_HCONN_ERROR || open_files())
			_exit(1);
		return;		/* and MQCTL comes to its end */
	}
	waitpid(pid, &status, 0);
	CHECK(WIFEXITED(status));
	INT(0, WEXITSTATUS(status));
	MQCTL(h, MQOP_STOP, NULL, &c, &r);
	INT(0, r);
}

/* A-CBC-3, A-CBC-4, G-WAIT-11: what falls between is looked at once more */
static void between_look_and_signal(void)
{
	/* Nothing that the fake kernel does makes a queue readable. */
	start(MQCNO_NONE);
	before_signal = inhibit;
	add(MQCBT_MESSAGE_CONSUMER, 0);
	ctl(MQOP_START);
	RESULT(0, 0);
	CHECK(wait_calls(1));
	INT(MQCBCT_EVENT_CALL, told[0].CallType);
	INT(MQRC_GET_INHIBITED, told[0].Reason);
	INT(MQCS_SUSPENDED_TEMPORARY, told[0].State);
	stop();

	start(MQCNO_NONE);
	before_signal = deliver;
	add(MQCBT_MESSAGE_CONSUMER, 0);
	ctl(MQOP_START);
	RESULT(0, 0);
	CHECK(wait_calls(1));
	INT(MQCBCT_MSG_REMOVED, told[0].CallType);
	stop();
}

static void *tell_of_the_end(void *arg)
{
	uint64_t one = 1;

	(void)arg;
	usleep(50000);
	holds = KMQ_EVENT_STOPPING;
	CHECK(write(event_fd, &one, sizeof(one)) == sizeof(one));
	return NULL;
}

/* A-CTL-2, A-CTL-9: it is no suspended consumer that ended START_WAIT */
static void end_before_its_event(void)
{
	pthread_t thread;

	start(MQCNO_NONE);
	before_signal = begin_to_stop;
	add(MQCBT_EVENT_HANDLER, 0);
	add(MQCBT_MESSAGE_CONSUMER, 0);
	pthread_create(&thread, NULL, tell_of_the_end, NULL);
	ctl(MQOP_START_WAIT);
	RESULT(2, MQRC_Q_MGR_STOPPING);
	pthread_join(thread, NULL);
	INT(1, calls);
	INT(MQCBCT_EVENT_CALL, told[0].CallType);
	INT(MQRC_Q_MGR_STOPPING, told[0].Reason);
	INT(MQCS_STOPPED, told[0].State);
	stop();
}

static void forks(void)
{
	parent = getpid();
	start(MQCNO_NONE);
	add(MQCBT_EVENT_HANDLER, 0);
	add(MQCBT_MESSAGE_CONSUMER, 0);
	act = fork_in_callback;
	messages = 1;
	ctl(MQOP_START_WAIT);
	if (getpid() != parent)
		_exit(cc != MQCC_FAILED || rc != MQRC_HCONN_ERROR ||
		      open_files());
	RESULT(0, 0);
	INT(1, calls);
	stop();
}

/* The thread sleeps. */
static void no_busy_loop(void)
{
	unsigned int before;

	start(MQCNO_NONE);
	add(MQCBT_EVENT_HANDLER, 0);
	add(MQCBT_MESSAGE_CONSUMER, 0);
	ctl(MQOP_START);
	usleep(50000);
	before = __atomic_load_n(&fake_calls[KMQ_CMD_GET], __ATOMIC_RELAXED);
	usleep(100000);
	INT(before, __atomic_load_n(&fake_calls[KMQ_CMD_GET],
				    __ATOMIC_RELAXED));
	CHECK(before < 20);
	CHECK(__atomic_load_n(&watch_gets, __ATOMIC_RELAXED) > 0);
	stop();
}

int main(void)
{
	static const struct test tests[] = {
		TEST(checks_of_mqcb),
		TEST(functions_by_name),
		TEST(checks_of_mqctl),
		TEST(state_table),
		TEST(state_table_inside),
		TEST(calls_not_shared),
		TEST(calls_block),
		TEST(calls_no_block),
		TEST(every_call),
		TEST(start_wait),
		TEST(disconnect_inside),
		TEST(queue_manager_ends),
		TEST(handler_while_stopped),
		TEST(states),
		TEST(between_look_and_signal),
		TEST(end_before_its_event),
		TEST(forks),
		TEST(no_busy_loop),
	};

	return RUN(tests);
}
