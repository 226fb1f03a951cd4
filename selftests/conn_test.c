/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Connections: MQCONN, MQCONNX, MQDISC (O-CONN, O-DISC), threads, processes,
 * stale handles (UC-074), what the end of a process does (U-END).
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "kselftest_harness.h"
#include "mqi.h"
#include "waiter.h"

#define Q	"KT.CONN"

FIXTURE(conn) {
	int unused;
};

FIXTURE_SETUP(conn)
{
	ASSERT_LE(0, admin_fd());
	ASSERT_STREQ("OK", define(Q, "fifo"));
}

FIXTURE_TEARDOWN(conn)
{
	clean_up();
}

/* Name as a null-ended text in a 48-byte field. */
static const char *mqconn(const char *name, MQHCONN *hc)
{
	MQCHAR48 n = { 0 };
	MQLONG cc, rc;

	memcpy(n, name, strlen(name));
	*hc = 77;
	MQCONN(n, hc, &cc, &rc);
	return outcome(cc, rc);
}

static const char *connx(MQCNO *cno, MQHCONN *hc)
{
	MQCHAR48 n = QM;
	MQLONG cc, rc;

	*hc = 77;
	MQCONNX(n, cno, hc, &cc, &rc);
	return outcome(cc, rc);
}

static const char *connx_options(MQLONG options, MQHCONN *hc)
{
	MQCNO cno = { MQCNO_DEFAULT };

	cno.Options = options;
	return connx(&cno, hc);
}

/* Does the handle work? */
static const char *works(MQHCONN hc)
{
	MQLONG cc, rc;

	MQCMIT(hc, &cc, &rc);
	return outcome(cc, rc);
}

/* O-CONN-1, O-CONN-7 */
TEST_F(conn, name_of_the_queue_manager)
{
	static const char *const good[] = { "", QM, "    ", QM "   " };
	static const char *const bad[] = { "QM1X", "qm1", "Q M1", "QM?", " QM1",
					   "QM1/../QM1", ".." };
	MQCHAR48 full;
	MQLONG cc, rc;
	MQHCONN hc;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT_STREQ("OK", mqconn(good[i], &hc));
		EXPECT_LT(0, hc);
		EXPECT_STREQ("OK", works(hc));
		EXPECT_STREQ("OK", disc(&hc));
		EXPECT_EQ(MQHC_UNUSABLE_HCONN, hc);
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_STREQ("F2058", mqconn(bad[i], &hc))
			TH_LOG("name '%s'", bad[i]);
		EXPECT_EQ(MQHC_UNUSABLE_HCONN, hc);
	}
	/* a name that fills its field has no null byte */
	memset(full, 'X', sizeof(full));
	MQCONN(full, &hc, &cc, &rc);
	EXPECT_STREQ("F2058", outcome(cc, rc));
	EXPECT_EQ(MQHC_UNUSABLE_HCONN, hc);
}

/* O-CONN-3 */
TEST_F(conn, second_connect_on_the_thread)
{
	MQHCONN a, b, c;

	ASSERT_STREQ("OK", mqconn(QM, &a));
	EXPECT_STREQ("W2002", mqconn(QM, &b));
	EXPECT_EQ(a, b);
	EXPECT_STREQ("W2002", connx_options(MQCNO_NONE, &c));
	EXPECT_EQ(a, c);
	EXPECT_STREQ("W2002", connx_options(MQCNO_HANDLE_SHARE_NONE, &c));
	EXPECT_EQ(a, c);
	/* a shared one beside it is another connection */
	EXPECT_STREQ("OK", connx_options(MQCNO_HANDLE_SHARE_BLOCK, &c));
	EXPECT_NE(a, c);
	EXPECT_STREQ("OK", disc(&c));
	/* a single MQDISC ends it */
	EXPECT_STREQ("OK", disc(&a));
	EXPECT_STREQ("F2018", works(b));
	EXPECT_STREQ("F2018", disc(&b));
}

/* O-CONN-4 */
TEST_F(conn, connect_options_structure)
{
	MQCNO cno = { MQCNO_DEFAULT };
	MQHCONN hc;
	int v;

	EXPECT_STREQ("OK", connx(NULL, &hc));
	EXPECT_STREQ("OK", disc(&hc));
	cno.StrucId[0] = 'X';
	EXPECT_STREQ("F2139", connx(&cno, &hc));
	EXPECT_EQ(MQHC_UNUSABLE_HCONN, hc);
	cno.StrucId[0] = 'C';
	for (v = -1; v <= 9; v++) {
		cno.Version = v;
		if (v < 1 || v > 8) {
			EXPECT_STREQ("F2139", connx(&cno, &hc))
				TH_LOG("version %d", v);
			continue;
		}
		EXPECT_STREQ("OK", connx(&cno, &hc)) TH_LOG("version %d", v);
		EXPECT_STREQ("OK", disc(&hc));
	}
}

/* O-CONN-4, O-CONN-5 */
TEST_F(conn, connect_options)
{
	static const struct {
		MQLONG options;
		const char *want;
	} cases[] = {
		{ MQCNO_FASTPATH_BINDING, "OK" },
		{ MQCNO_SHARED_BINDING, "OK" },
		{ MQCNO_ISOLATED_BINDING, "OK" },
		{ MQCNO_LOCAL_BINDING, "OK" },
		{ MQCNO_RECONNECT, "OK" },
		{ MQCNO_RECONNECT_DISABLED, "OK" },
		{ MQCNO_RECONNECT_Q_MGR, "OK" },
		{ MQCNO_HANDLE_SHARE_NONE, "OK" },
		{ MQCNO_HANDLE_SHARE_BLOCK, "OK" },
		{ MQCNO_HANDLE_SHARE_NO_BLOCK, "OK" },
		{ MQCNO_CLIENT_BINDING, "F2538" },
		{ MQCNO_FASTPATH_BINDING | MQCNO_SHARED_BINDING, "F2046" },
		{ MQCNO_SHARED_BINDING | MQCNO_ISOLATED_BINDING, "F2046" },
		{ MQCNO_LOCAL_BINDING | MQCNO_CLIENT_BINDING, "F2046" },
		{ MQCNO_HANDLE_SHARE_NONE | MQCNO_HANDLE_SHARE_BLOCK,
		  "F2046" },
		{ MQCNO_HANDLE_SHARE_BLOCK | MQCNO_HANDLE_SHARE_NO_BLOCK,
		  "F2046" },
		{ MQCNO_RECONNECT | MQCNO_RECONNECT_DISABLED, "F2046" },
		{ MQCNO_RECONNECT | MQCNO_RECONNECT_Q_MGR, "F2046" },
		{ MQCNO_ACCOUNTING_MQI_ENABLED | MQCNO_ACCOUNTING_MQI_DISABLED,
		  "F2046" },
		{ MQCNO_ACCOUNTING_Q_ENABLED | MQCNO_ACCOUNTING_Q_DISABLED,
		  "F2046" },
		{ MQCNO_ACTIVITY_TRACE_ENABLED | MQCNO_ACTIVITY_TRACE_DISABLED,
		  "F2046" },
	};
	MQHCONN hc;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		EXPECT_STREQ(cases[i].want,
			     connx_options(cases[i].options, &hc))
			TH_LOG("options %#x", cases[i].options);
		if (cases[i].want[0] == 'F') {
			EXPECT_EQ(MQHC_UNUSABLE_HCONN, hc);
			continue;
		}
		EXPECT_STREQ("OK", works(hc));
		EXPECT_STREQ("OK", disc(&hc));
	}
}

/* O-CONN-5 */
TEST_F(conn, connection_id)
{
	MQCNO a = { MQCNO_DEFAULT }, b;
	MQHCONN ha, hb;

	a.Version = MQCNO_VERSION_5;
	a.Options = MQCNO_HANDLE_SHARE_BLOCK;
	b = a;
	ASSERT_STREQ("OK", connx(&a, &ha));
	ASSERT_STREQ("OK", connx(&b, &hb));
	EXPECT_FALSE(all_zero(a.ConnectionId, 24));
	EXPECT_NE(0, memcmp(a.ConnectionId, b.ConnectionId, 24));
	disc(&ha);
	disc(&hb);
	/* fields above the version given are not written */
	memset(b.ConnectionId, 0, 24);
	b.Version = MQCNO_VERSION_4;
	ASSERT_STREQ("OK", connx(&b, &hb));
	EXPECT_TRUE(all_zero(b.ConnectionId, 24));
	disc(&hb);
}

struct use {
	MQHCONN hc;
	char seen[16];
};

static void *use_handle(void *arg)
{
	struct use *u = arg;

	strcpy(u->seen, works(u->hc));
	return NULL;
}

static const char *on_thread(MQHCONN hc)
{
	static struct use u;
	pthread_t t;

	u.hc = hc;
	pthread_create(&t, NULL, use_handle, &u);
	pthread_join(t, NULL);
	return u.seen;
}

static void *connect_thread(void *arg)
{
	struct use *u = arg;

	strcpy(u->seen, mqconn(QM, &u->hc));
	disc(&u->hc);
	return NULL;
}

/* O-CONN-3, O-CONN-6 */
TEST_F(conn, threads)
{
	struct use u = { 0 };
	MQHCONN hc, sh;
	pthread_t t;

	ASSERT_STREQ("OK", mqconn(QM, &hc));
	EXPECT_STREQ("F2018", on_thread(hc));
	EXPECT_STREQ("OK", works(hc));
	pthread_create(&t, NULL, connect_thread, &u);
	pthread_join(t, NULL);
	EXPECT_STREQ("OK", u.seen);
	ASSERT_STREQ("OK", connx_options(MQCNO_HANDLE_SHARE_BLOCK, &sh));
	EXPECT_STREQ("OK", on_thread(sh));
	disc(&sh);
	ASSERT_STREQ("OK", connx_options(MQCNO_HANDLE_SHARE_NO_BLOCK, &sh));
	EXPECT_STREQ("OK", on_thread(sh));
	disc(&sh);
	disc(&hc);
}

/* O-CONN-6, P-CALL-7, G-VAL line 1 */
TEST_F(conn, call_in_progress)
{
	struct mqh *h, *k;
	struct waiter *w;
	MQHCONN hc, other = conn();

	ASSERT_STREQ("OK", connx_options(MQCNO_HANDLE_SHARE_NO_BLOCK, &hc));
	h = opn(hc, Q, "i");
	k = opn(other, Q, "o");
	w = wait_get(h, "WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	EXPECT_STREQ("F2219", works(hc));
	EXPECT_STREQ("F2219", opn_rc(hc, Q, "o"));
	EXPECT_STREQ("OK", put(k, "A"));
	EXPECT_STREQ("A", result(w));
	EXPECT_STREQ("OK", works(hc));
	disc(&hc);
	disc(&other);
}

static void *commit_thread(void *arg)
{
	struct use *u = arg;

	strcpy(u->seen, works(u->hc));
	__atomic_store_n(&u->hc, -1, __ATOMIC_RELEASE);
	return NULL;
}

/* O-CONN-6, O-CONN-10 */
TEST_F(conn, blocking_handle_waits_its_turn)
{
	MQHCONN hc, other = conn();
	struct use u = { 0 };
	struct mqh *h, *k;
	struct waiter *w;
	pthread_t t;

	ASSERT_STREQ("OK", connx_options(MQCNO_HANDLE_SHARE_BLOCK, &hc));
	h = opn(hc, Q, "i");
	k = opn(other, Q, "o");
	w = wait_get(h, "WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	u.hc = hc;
	pthread_create(&t, NULL, commit_thread, &u);
	nap(30);
	EXPECT_EQ(hc, __atomic_load_n(&u.hc, __ATOMIC_ACQUIRE));
	EXPECT_STREQ("OK", put(k, "A"));
	EXPECT_STREQ("A", result(w));
	pthread_join(t, NULL);
	EXPECT_STREQ("OK", u.seen);
	disc(&hc);
	disc(&other);
}

/* O-CONN-6: any number of shared handles */
TEST_F(conn, many_shared_handles)
{
	MQHCONN hc[20];
	int i, j;

	for (i = 0; i < 20; i++) {
		ASSERT_STREQ("OK", connx_options(MQCNO_HANDLE_SHARE_BLOCK,
						 &hc[i]));
		for (j = 0; j < i; j++)
			EXPECT_NE(hc[i], hc[j]);
	}
	for (i = 0; i < 20; i++)
		EXPECT_STREQ("OK", disc(&hc[i]));
}

/* UC-074, P-CALL-1, P-CALL-2: handles that were good once, or never. */
TEST_F(conn, stale_and_foreign_handles)
{
	static const MQHCONN never[] = { MQHC_UNUSABLE_HCONN, MQHC_DEF_HCONN,
					 MQHC_UNASSOCIATED_HCONN, 12345,
					 0x7fffffff, -2147483647 - 1 };
	MQHCONN a = conn(), b = conn(), c, old;
	struct mqh *h = opn(a, Q, "ioqs"), g;
	MQHOBJ was;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(never); i++) {
		EXPECT_STREQ("F2018", works(never[i]));
		EXPECT_STREQ("F2018", opn_rc(never[i], Q, "i"));
		g = *h;
		g.hc = never[i];
		EXPECT_STREQ("F2018", put(&g, "A"));
		EXPECT_STREQ("F2018", get(&g, ""));
		EXPECT_STREQ("F2018", shut(&g));
	}
	/* a handle of another connection */
	g = *h;
	g.hc = b;
	EXPECT_STREQ("F2019", put(&g, "A"));
	EXPECT_STREQ("F2019", get(&g, ""));
	EXPECT_STREQ("F2019", shut(&g));
	/* a closed one; its number does not come back at once */
	was = h->ho;
	EXPECT_STREQ("OK", shut(h));
	h->ho = was;
	EXPECT_STREQ("F2019", put(h, "A"));
	EXPECT_STREQ("F2019", get(h, ""));
	EXPECT_STREQ("F2019", shut(h));
	h = opn(a, Q, "io");
	EXPECT_NE(was, h->ho);
	/* a connection that has ended */
	old = a;
	EXPECT_STREQ("OK", disc(&a));
	EXPECT_STREQ("F2018", works(old));
	EXPECT_STREQ("F2018", put(h, "A"));
	c = conn();
	EXPECT_NE(old, c);
	EXPECT_EQ(0, depth(Q));
	disc(&b);
	disc(&c);
}

/* O-CONN-8, UC-100 */
TEST_F(conn, limit_of_handles)
{
	MQHCONN hc = conn();
	struct mqh *h[5];
	int i;

	ASSERT_STREQ("OK", alter_qmgr("handles=4"));
	EXPECT_EQ(4, inquire_int(NULL, MQIA_MAX_HANDLES));
	for (i = 0; i < 4; i++) {
		h[i] = opn(hc, Q, "i");
		EXPECT_EQ(0, h[i]->cc);
	}
	EXPECT_STREQ("F2017", opn_rc(hc, Q, "i"));
	EXPECT_EQ(4, (int)status(Q).out_open_input);
	EXPECT_STREQ("OK", shut(h[2]));
	EXPECT_STREQ("OK", opn_rc(hc, Q, "o"));
	EXPECT_STREQ("OK", alter_qmgr("handles=256"));
	for (i = 0; i < 300; i++)
		if (opn(hc, Q, "o")->cc)
			break;
	EXPECT_EQ(253, i);
	disc(&hc);
	EXPECT_EQ(0, (int)status(Q).out_open_output);
}

/* O-CONN-2 */
TEST_F(conn, quiescing)
{
	MQHCONN hc = conn(), other;

	ASSERT_STREQ("OK", qmgr_state(KMQ_QMGR_QUIESCING));
	EXPECT_STREQ("F2161", mqconn(QM, &other));
	EXPECT_EQ(MQHC_UNUSABLE_HCONN, other);
	EXPECT_STREQ("OK", works(hc));
	EXPECT_STREQ("OK", qmgr_state(KMQ_QMGR_RUNNING));
	EXPECT_STREQ("OK", mqconn(QM, &other));
	disc(&other);
	disc(&hc);
}

/* O-DISC-1, O-DISC-4, U-END-1, U-SCN-5 */
TEST_F(conn, disconnect_commits_and_closes)
{
	MQHCONN hc = conn(), other = conn();
	struct mqh *h = opn(hc, Q, "io"), *k = opn(other, Q, "io");

	EXPECT_STREQ("OK", put(h, "M1 SP"));
	EXPECT_STREQ("(G1,1,0)", putg(h, "M2 SP LO f=G"));
	EXPECT_EQ(2, (int)status(Q).out_uncommitted_puts);
	EXPECT_EQ(2, (int)status(Q).out_open_input);
	EXPECT_STREQ("OK", disc(&hc));		/* not 2241 */
	EXPECT_EQ(MQHC_UNUSABLE_HCONN, hc);
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_puts);
	EXPECT_EQ(1, (int)status(Q).out_open_input);
	EXPECT_STREQ("M1 M2", drain(k, ""));
	EXPECT_STREQ("F2018", disc(&hc));
	disc(&other);
}

static int run_child(void (*body)(void))
{
	int st;
	pid_t pid = fork();

	if (!pid) {
		body();
		_exit(0);
	}
	waitpid(pid, &st, 0);
	return st;
}

static MQHCONN inherited;
static struct mqh *inherited_h;

/* The exit status says which calls did not answer 2018. */
static void use_inherited(void)
{
	int bad = 0;

	bad |= strcmp(works(inherited), "F2018") ? 1 : 0;
	bad |= strcmp(opn_rc(inherited, Q, "i"), "F2018") ? 2 : 0;
	bad |= strcmp(put(inherited_h, "X"), "F2018") ? 4 : 0;
	bad |= strcmp(get(inherited_h, ""), "F2018") ? 8 : 0;
	bad |= strcmp(disc(&inherited), "F2018") ? 16 : 0;
	inherited = conn();
	bad |= strcmp(works(inherited), "OK") ? 32 : 0;
	_exit(bad);
}

/* O-CONN-6, U-END-4 */
TEST_F(conn, fork_leaves_the_connection_with_the_parent)
{
	MQHCONN hc = conn();
	struct mqh *h = opn(hc, Q, "io");
	int st;

	EXPECT_STREQ("OK", put(h, "A SP"));
	inherited = hc;
	inherited_h = h;
	st = run_child(use_inherited);
	ASSERT_TRUE(WIFEXITED(st));
	EXPECT_EQ(0, WEXITSTATUS(st));
	/* the unit of work is as it was */
	EXPECT_EQ(1, (int)status(Q).out_uncommitted_puts);
	EXPECT_STREQ("A", get(h, "SP"));
	EXPECT_STREQ("OK", commit(hc));
	EXPECT_EQ(0, depth(Q));
	disc(&hc);
}

static void put_and_exit(void)
{
	MQHCONN hc = conn();

	put(opn(hc, Q, "o"), "M2 SP");
	exit(0);
}

static void get_and_die(void)
{
	MQHCONN hc = conn();

	get(opn(hc, Q, "i"), "SP");
	kill(getpid(), SIGKILL);
}

static void get_and_exec(void)
{
	MQHCONN hc = conn();

	get(opn(hc, Q, "i"), "SP");
	close(1);	/* it lists its tests */
	execl("/proc/self/exe", "conn_test", "-l", NULL);
}

/* O-DISC-2, U-END-2, U-END-4, U-SCN-5, UC-052, M-BOC-3 */
TEST_F(conn, end_of_the_process_backs_out)
{
	MQHCONN hc = conn();
	struct mqh *h = opn(hc, Q, "iob");
	int st;

	run_child(put_and_exit);
	EXPECT_EQ(0, depth(Q));
	EXPECT_STREQ("OK", put(h, "M1"));
	st = run_child(get_and_die);
	EXPECT_TRUE(WIFSIGNALED(st));
	EXPECT_STREQ("M1", get(h, "BF"));
	EXPECT_EQ(1, h->md.BackoutCount);
	run_child(get_and_exec);
	EXPECT_STREQ("M1", get(h, "BF"));
	EXPECT_EQ(2, h->md.BackoutCount);
	EXPECT_EQ(1, depth(Q));
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_gets);
	disc(&hc);
}

/* U-END-7: a child with inherited descriptors does not keep the unit open. */
TEST_F(conn, heir_does_not_keep_the_unit_of_work)
{
	int up[2], down[2], st;
	char c = 0;
	pid_t pid;

	ASSERT_EQ(0, pipe(up));
	ASSERT_EQ(0, pipe(down));
	pid = fork();
	if (!pid) {
		put(opn(conn(), Q, "o"), "A SP");
		if (!fork()) {
			if (write(up[1], &c, 1) != 1)
				_exit(1);
			close(down[1]);
			st = read(down[0], &c, 1);	/* until told */
			_exit(0);
		}
		_exit(0);
	}
	close(down[0]);
	waitpid(pid, &st, 0);
	ASSERT_EQ(1, read(up[0], &c, 1));
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(0, (int)status(Q).out_uncommitted_puts);
	close(down[1]);
}

static void *connect_and_end(void *arg)
{
	struct use *u = arg;

	strcpy(u->seen, mqconn(QM, &u->hc));
	put(opn(u->hc, Q, "o"), "A SP");
	return NULL;
}

/* U-END-3: the thread ends, the process lives: the connection is kept */
TEST_F(conn, end_of_the_thread)
{
	struct use u = { 0 };
	pthread_t t;

	pthread_create(&t, NULL, connect_and_end, &u);
	pthread_join(t, NULL);
	EXPECT_STREQ("OK", u.seen);
	EXPECT_EQ(1, depth(Q));
	EXPECT_EQ(1, (int)status(Q).out_uncommitted_puts);
	EXPECT_STREQ("F2018", works(u.hc));
}

/* G-CLO-2 */
TEST_F(conn, close_under_a_waiting_get)
{
	MQHCONN hc = conn(), other = conn();
	struct mqh *h = opn(hc, Q, "i"), copy;
	struct waiter *w;

	w = wait_get(h, "WT(20000)");
	ASSERT_TRUE(sleepers(Q, 1));
	copy = *h;
	EXPECT_STREQ("F2219", shut(&copy));
	EXPECT_STREQ("OK", put(opn(other, Q, "o"), "A"));
	EXPECT_STREQ("A", result(w));
	EXPECT_STREQ("OK", shut(h));
	disc(&hc);
	disc(&other);
}

TEST_HARNESS_MAIN
