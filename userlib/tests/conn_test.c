// SPDX-License-Identifier: MIT
/*
 * Connections: structures and options, who may use a handle, what an errno
 * means, what is left after MQDISC.
 */
#include "fake.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <kmq.h>

static MQLONG cc, rc;

static void connect_to(const char *name, MQCNO *cno, MQHCONN *hconn)
{
	MQCHAR48 field = "";

	memcpy(field, name, strlen(name));
	*hconn = 77;
	MQCONNX(field, cno, hconn, &cc, &rc);
}

static void disconnect(MQHCONN *hconn)
{
	MQDISC(hconn, &cc, &rc);
	RESULT(0, 0);
	INT(MQHC_UNUSABLE_HCONN, *hconn);
}

/* O-CONN-1, O-CONN-7 */
static void names(void)
{
	MQHCONN hconn;

	fake_start();
	connect_to("QM1", NULL, &hconn);
	RESULT(0, 0);
	CHECK(hconn > 0);
	INT(1, fake_calls[KMQ_CMD_CONNECT]);
	disconnect(&hconn);
	INT(1, fake_calls[KMQ_CMD_COMMIT]);
	connect_to("", NULL, &hconn);
	RESULT(0, 0);
	disconnect(&hconn);
	MQCONN(NULL, &hconn, &cc, &rc);
	RESULT(0, 0);
	disconnect(&hconn);
	connect_to("QM3", NULL, &hconn);
	RESULT(2, MQRC_Q_MGR_NAME_ERROR);
	INT(MQHC_UNUSABLE_HCONN, hconn);
	connect_to("Q M", NULL, &hconn);
	RESULT(2, MQRC_Q_MGR_NAME_ERROR);
	INT(0, open_files());
}

/* O-CONN-4, O-CONN-5 */
static void options(void)
{
	static const struct {
		MQLONG options, reason;
	} cases[] = {
		{ MQCNO_NONE, 0 },
		{ MQCNO_FASTPATH_BINDING, 0 },
		{ MQCNO_SHARED_BINDING | MQCNO_LOCAL_BINDING, 0 },
		{ MQCNO_RECONNECT | MQCNO_HANDLE_SHARE_NONE, 0 },
		{ MQCNO_ACCOUNTING_MQI_ENABLED | MQCNO_ACCOUNTING_Q_DISABLED,
		  0 },
		{ MQCNO_CLIENT_BINDING, MQRC_HOST_NOT_AVAILABLE },
		{ MQCNO_FASTPATH_BINDING | MQCNO_SHARED_BINDING,
		  MQRC_OPTIONS_ERROR },
		{ MQCNO_LOCAL_BINDING | MQCNO_CLIENT_BINDING,
		  MQRC_OPTIONS_ERROR },
		{ MQCNO_HANDLE_SHARE_NONE | MQCNO_HANDLE_SHARE_BLOCK,
		  MQRC_OPTIONS_ERROR },
		{ MQCNO_RECONNECT | MQCNO_RECONNECT_Q_MGR, MQRC_OPTIONS_ERROR },
		{ (MQLONG)0x80000000, MQRC_OPTIONS_ERROR },
		{ 0x40000000, MQRC_OPTIONS_ERROR },
	};
	MQCNO cno = { MQCNO_DEFAULT };
	MQHCONN hconn;
	size_t i;

	fake_start();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cno.Options = cases[i].options;
		connect_to("QM1", &cno, &hconn);
		RESULT(cases[i].reason ? 2 : 0, cases[i].reason);
		if (cc == MQCC_OK)
			disconnect(&hconn);
		else
			INT(MQHC_UNUSABLE_HCONN, hconn);
	}
}

static void versions(void)
{
	MQCNO cno = { MQCNO_DEFAULT };
	unsigned char id[24];
	MQHCONN hconn;
	MQLONG v;

	fake_start();
	memset(id, 0x11, sizeof(id));
	for (v = 1; v <= 8; v++) {
		cno.Version = v;
		memset(cno.ConnectionId, 0x22, sizeof(cno.ConnectionId));
		connect_to("QM1", &cno, &hconn);
		RESULT(0, 0);
		INT(v >= 5 ? 0x11 : 0x22, cno.ConnectionId[0]);
		disconnect(&hconn);
	}
	BYTES(id, cno.ConnectionId, sizeof(id));
	cno.Version = 9;
	connect_to("QM1", &cno, &hconn);
	RESULT(2, MQRC_CNO_ERROR);
	cno.Version = 0;
	connect_to("QM1", &cno, &hconn);
	RESULT(2, MQRC_CNO_ERROR);
	cno.Version = 1;
	cno.StrucId[0] = 'X';
	connect_to("QM1", &cno, &hconn);
	RESULT(2, MQRC_CNO_ERROR);
}

/* O-CONN-3 */
static void one_for_each_thread(void)
{
	MQHCONN first, second, shared;
	MQCNO cno = { MQCNO_DEFAULT };

	fake_start();
	connect_to("QM1", NULL, &first);
	RESULT(0, 0);
	cno.Version = 5;
	connect_to("QM1", &cno, &second);
	RESULT(1, MQRC_ALREADY_CONNECTED);
	INT(first, second);
	INT(0x11, cno.ConnectionId[0]);
	connect_to("", NULL, &second);
	RESULT(1, MQRC_ALREADY_CONNECTED);
	connect_to("QM2", NULL, &second);
	RESULT(2, MQRC_ANOTHER_Q_MGR_CONNECTED);
	INT(MQHC_UNUSABLE_HCONN, second);
	shared = fake_conn(MQCNO_HANDLE_SHARE_BLOCK);
	CHECK(shared != first);
	disconnect(&shared);
	disconnect(&first);
	connect_to("QM2", NULL, &second);
	RESULT(0, 0);
	disconnect(&second);
	INT(0, open_files());
}

static void *commit_elsewhere(void *hconn)
{
	MQLONG cc, rc;

	MQCMIT(*(MQHCONN *)hconn, &cc, &rc);
	return (void *)(intptr_t)rc;
}

static MQLONG other_thread(MQHCONN hconn)
{
	pthread_t thread;
	void *reason;

	pthread_create(&thread, NULL, commit_elsewhere, &hconn);
	pthread_join(thread, &reason);
	return (intptr_t)reason;
}

/* P-CALL-1, O-CONN-6, UC-074 */
static void who_may_use_it(void)
{
	MQHCONN own, shared, old;

	fake_start();
	own = fake_conn(MQCNO_NONE);
	shared = fake_conn(MQCNO_HANDLE_SHARE_NO_BLOCK);
	INT(MQRC_HCONN_ERROR, other_thread(own));
	INT(0, other_thread(shared));
	old = own;
	disconnect(&own);
	MQCMIT(old, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	own = fake_conn(MQCNO_NONE);
	CHECK(own != old);
	MQCMIT(old, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	MQDISC(&old, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	MQCMIT(0, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	old = MQHC_UNASSOCIATED_HCONN;
	MQDISC(&old, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	MQDISC(NULL, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	disconnect(&own);
	disconnect(&shared);
	INT(0, open_files());
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int in_kernel, let_go;

/* A commit sleeps in the kernel until it is let go. */
static int slow_commit(int fd, unsigned int cmd, void *arg)
{
	(void)fd, (void)arg;
	if (cmd != KMQ_IOC_COMMIT)
		return FAKE_DEFAULT;
	pthread_mutex_lock(&gate);
	in_kernel++;
	pthread_cond_broadcast(&moved);
	while (!let_go)
		pthread_cond_wait(&moved, &gate);
	pthread_mutex_unlock(&gate);
	return FAKE_DEFAULT;
}

static void start_commit(pthread_t *thread, MQHCONN *hconn)
{
	in_kernel = 0;
	let_go = 0;
	fake_hook = slow_commit;
	pthread_create(thread, NULL, commit_elsewhere, hconn);
	pthread_mutex_lock(&gate);
	while (!in_kernel)
		pthread_cond_wait(&moved, &gate);
	pthread_mutex_unlock(&gate);
}

static MQLONG end_commit(pthread_t thread)
{
	void *reason;

	pthread_mutex_lock(&gate);
	let_go = 1;
	pthread_cond_broadcast(&moved);
	pthread_mutex_unlock(&gate);
	pthread_join(thread, &reason);
	fake_hook = NULL;
	return (intptr_t)reason;
}

static void *back_elsewhere(void *hconn)
{
	MQLONG cc, rc;

	MQBACK(*(MQHCONN *)hconn, &cc, &rc);
	return (void *)(intptr_t)rc;
}

/* P-CALL-7 */
static void two_calls_at_once(void)
{
	MQHCONN hconn = fake_conn(MQCNO_HANDLE_SHARE_NO_BLOCK);
	pthread_t first, second;
	void *reason;

	start_commit(&first, &hconn);
	MQBACK(hconn, &cc, &rc);
	RESULT(2, MQRC_CALL_IN_PROGRESS);
	INT(-1, kmq_conn_fd(hconn));
	INT(EBUSY, errno);
	INT(0, end_commit(first));
	MQBACK(hconn, &cc, &rc);
	RESULT(0, 0);
	CHECK(kmq_conn_fd(hconn) > 2);
	disconnect(&hconn);

	hconn = fake_conn(MQCNO_HANDLE_SHARE_BLOCK);
	fake_calls[KMQ_CMD_BACKOUT] = 0;
	start_commit(&first, &hconn);
	pthread_create(&second, NULL, back_elsewhere, &hconn);
	usleep(20000);
	INT(0, fake_calls[KMQ_CMD_BACKOUT]);
	INT(0, end_commit(first));
	pthread_join(second, &reason);
	INT(0, (intptr_t)reason);
	INT(1, fake_calls[KMQ_CMD_BACKOUT]);
	disconnect(&hconn);
}

/* A call that waits while the connection is ended finds it gone. */
static void disconnected_while_waiting(void)
{
	MQHCONN hconn = fake_conn(MQCNO_HANDLE_SHARE_BLOCK), again = hconn;
	pthread_t first, second;
	void *reason;

	in_kernel = 0;
	start_commit(&first, &hconn);
	pthread_create(&second, NULL, back_elsewhere, &again);
	usleep(20000);
	fake_hook = NULL;
	INT(0, end_commit(first));
	MQDISC(&hconn, &cc, &rc);
	RESULT(0, 0);
	pthread_join(second, &reason);
	CHECK((intptr_t)reason == 0 || (intptr_t)reason == MQRC_HCONN_ERROR);
}

static int in_child(MQHCONN own, MQHCONN shared)
{
	MQHCONN mine;
	int left = open_files();

	MQCMIT(own, &cc, &rc);
	if (rc != MQRC_HCONN_ERROR)
		return 1;
	MQCMIT(shared, &cc, &rc);
	if (rc != MQRC_HCONN_ERROR)
		return 2;
	if (left)
		return 3;
	connect_to("QM1", NULL, &mine);
	if (cc != MQCC_OK || mine == own || mine == shared)
		return 4;
	MQCMIT(mine, &cc, &rc);
	if (cc != MQCC_OK)
		return 5;
	MQDISC(&mine, &cc, &rc);
	return cc == MQCC_OK && !open_files() ? 0 : 6;
}

/* O-CONN-6: a child of a fork has no connection, its parent has all of them. */
static void forked(void)
{
	MQHCONN own, shared;
	int status;
	pid_t pid;

	fake_start();
	own = fake_conn(MQCNO_NONE);
	shared = fake_conn(MQCNO_HANDLE_SHARE_BLOCK);
	fake_open(own, ALL_OPEN);
	INT(3, open_files());
	pid = fork();
	if (!pid)
		_exit(in_child(own, shared));
	waitpid(pid, &status, 0);
	INT(0, status);
	INT(3, open_files());
	MQCMIT(own, &cc, &rc);
	RESULT(0, 0);
	disconnect(&own);
	disconnect(&shared);
	INT(0, open_files());
}

static int answer_err;
static MQLONG answer_cc, answer_rc;

static int answer(int fd, unsigned int cmd, void *arg)
{
	struct kmq_uow *k = arg;

	(void)fd;
	if (cmd != KMQ_IOC_CONNECT && cmd != KMQ_IOC_COMMIT)
		return FAKE_DEFAULT;
	k->out_comp_code = answer_cc;
	k->out_reason = answer_rc;
	return answer_err;
}

static void connect_fails(int err, MQLONG reason, MQLONG want)
{
	MQHCONN hconn;

	answer_err = err;
	answer_cc = MQCC_FAILED;
	answer_rc = reason;
	fake_hook = answer;
	connect_to("QM1", NULL, &hconn);
	RESULT(2, want);
	INT(MQHC_UNUSABLE_HCONN, hconn);
	INT(0, open_files());
	fake_hook = NULL;
}

static void failures(void)
{
	fake_start();
	connect_fails(0, MQRC_Q_MGR_QUIESCING, MQRC_Q_MGR_QUIESCING);
	connect_fails(0, MQRC_MAX_CONNS_LIMIT_REACHED,
		      MQRC_MAX_CONNS_LIMIT_REACHED);
	connect_fails(-ENOMEM, 0, MQRC_STORAGE_NOT_AVAILABLE);
	connect_fails(-ENODEV, 0, MQRC_CONNECTION_BROKEN);
	connect_fails(-EINVAL, 0, MQRC_UNEXPECTED_ERROR);
}

/* U-END-1: the connection ends, whatever becomes of its unit of work. */
static void disconnect_gives(int err, MQLONG code, MQLONG reason,
			     MQLONG want_cc, MQLONG want_rc)
{
	MQHCONN hconn = fake_conn(MQCNO_NONE);

	answer_err = err;
	answer_cc = code;
	answer_rc = reason;
	fake_hook = answer;
	MQDISC(&hconn, &cc, &rc);
	RESULT(want_cc, want_rc);
	INT(MQHC_UNUSABLE_HCONN, hconn);
	INT(0, open_files());
	fake_hook = NULL;
}

static void disconnecting(void)
{
	fake_start();
	disconnect_gives(0, 1, MQRC_BACKED_OUT, 1, MQRC_BACKED_OUT);
	disconnect_gives(-ENODEV, 0, 0, 2, MQRC_CONNECTION_BROKEN);
}

static int interrupted;

static int interrupt(int fd, unsigned int cmd, void *arg)
{
	(void)fd, (void)arg;
	if (cmd == KMQ_IOC_COMMIT && interrupted) {
		interrupted--;
		return -EINTR;
	}
	return FAKE_DEFAULT;
}

/* G-WAIT-13 */
static void signals_repeat_the_call(void)
{
	MQHCONN hconn;

	fake_start();
	hconn = fake_conn(MQCNO_NONE);
	interrupted = 3;
	fake_hook = interrupt;
	MQCMIT(hconn, &cc, &rc);
	RESULT(0, 0);
	INT(4, fake_calls[KMQ_CMD_COMMIT]);
	disconnect(&hconn);
}

/* U-BEG-1, U-BEG-4 */
static void begin(void)
{
	MQHCONN shared = fake_conn(MQCNO_HANDLE_SHARE_BLOCK);
	MQHCONN hconn = fake_conn(MQCNO_NONE);
	MQBO bo = { MQBO_DEFAULT };

	MQBEGIN(shared, &bo, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	MQBEGIN(hconn, &bo, &cc, &rc);
	RESULT(0, 0);
	MQBEGIN(hconn, NULL, &cc, &rc);
	RESULT(0, 0);
	INT(2, fake_calls[KMQ_CMD_BEGIN]);
	bo.Options = 1;
	MQBEGIN(hconn, &bo, &cc, &rc);
	RESULT(2, MQRC_OPTIONS_ERROR);
	bo.Version = 2;
	MQBEGIN(hconn, &bo, &cc, &rc);
	RESULT(2, MQRC_BO_ERROR);
	INT(2, fake_calls[KMQ_CMD_BEGIN]);
	disconnect(&hconn);
	disconnect(&shared);
}

static MQHCONN churn_handles[64];

/* Connects, commits and disconnects shared handles others try to use. */
static void *churn(void *seed)
{
	unsigned int n = (uintptr_t)seed;
	MQCHAR48 name = "QM1";
	MQCNO cno = { MQCNO_DEFAULT };
	MQLONG cc, rc;
	MQHCONN h;
	int i;

	for (i = 0; i < 3000; i++) {
		n = n * 1103515245 + 12345;
		if (n & 0x10000) {
			cno.Options = n & 0x20000 ? MQCNO_HANDLE_SHARE_BLOCK :
						    MQCNO_HANDLE_SHARE_NO_BLOCK;
			MQCONNX(name, &cno, &h, &cc, &rc);
			h = __atomic_exchange_n(&churn_handles[n >> 20 & 63],
						h, __ATOMIC_SEQ_CST);
			MQDISC(&h, &cc, &rc);
		} else {
			h = __atomic_load_n(&churn_handles[n >> 20 & 63],
					    __ATOMIC_SEQ_CST);
			MQCMIT(h, &cc, &rc);
		}
	}
	return NULL;
}

static void many_threads(void)
{
	pthread_t threads[4];
	uintptr_t i;

	fake_start();
	for (i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, churn, (void *)(i + 1));
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < 64; i++)
		MQDISC(&churn_handles[i], &cc, &rc);
	/* One that was busy when it was to end is left over. */
	CHECK(open_files() < 64);
}

int main(void)
{
	static const struct test tests[] = {
		TEST(names),
		TEST(options),
		TEST(versions),
		TEST(one_for_each_thread),
		TEST(who_may_use_it),
		TEST(two_calls_at_once),
		TEST(disconnected_while_waiting),
		TEST(forked),
		TEST(failures),
		TEST(disconnecting),
		TEST(signals_repeat_the_call),
		TEST(begin),
		TEST(many_threads),
	};

	return RUN(tests);
}
