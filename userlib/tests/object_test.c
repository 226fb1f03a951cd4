// SPDX-License-Identifier: MIT
/*
 * MQOPEN, MQCLOSE, MQINQ, MQSET: what the library decides itself, what it
 * sends, what it writes into an MQOD.
 */
#include "fake.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <kmq.h>

static MQLONG cc, rc;
static MQHCONN hconn;

static MQHOBJ open_od(MQOD *od, MQLONG options)
{
	MQHOBJ hobj = 77;

	MQOPEN(hconn, od, options, &hobj, &cc, &rc);
	CHECK(cc == MQCC_FAILED ? hobj == MQHO_UNUSABLE_HOBJ : hobj > 0);
	return hobj;
}

static MQHOBJ open_name(const char *name, MQLONG options)
{
	MQOD od = { MQOD_DEFAULT };

	strcpy(od.ObjectName, name);
	return open_od(&od, options);
}

static void shut(MQHOBJ hobj)
{
	MQCLOSE(hconn, &hobj, MQCO_NONE, &cc, &rc);
	RESULT(0, 0);
	INT(MQHO_UNUSABLE_HOBJ, hobj);
}

/* O-OPEN-1 */
static void options(void)
{
	static const struct {
		MQLONG options, reason;
	} cases[] = {
		{ MQOO_BROWSE, 0 },
		{ MQOO_INPUT_AS_Q_DEF | MQOO_BROWSE | MQOO_CO_OP, 0 },
		{ MQOO_OUTPUT | MQOO_SET_ALL_CONTEXT | MQOO_NO_MULTICAST, 0 },
		{ MQOO_INPUT_SHARED | MQOO_SAVE_ALL_CONTEXT, 0 },
		{ MQOO_OUTPUT | MQOO_BIND_ON_GROUP | MQOO_RESOLVE_NAMES, 0 },
		{ 0, MQRC_OPTIONS_ERROR },
		{ MQOO_BIND_ON_OPEN, MQRC_OPTIONS_ERROR },
		{ MQOO_FAIL_IF_QUIESCING, MQRC_OPTIONS_ERROR },
		{ MQOO_OUTPUT | 0x800000, MQRC_OPTIONS_ERROR },
		{ MQOO_OUTPUT | (MQLONG)0x80000000, MQRC_OPTIONS_ERROR },
		{ MQOO_INPUT_SHARED | MQOO_INPUT_EXCLUSIVE,
		  MQRC_OPTIONS_ERROR },
		{ MQOO_OUTPUT | MQOO_BIND_ON_OPEN | MQOO_BIND_NOT_FIXED,
		  MQRC_OPTIONS_ERROR },
		{ MQOO_BROWSE | MQOO_READ_AHEAD | MQOO_NO_READ_AHEAD,
		  MQRC_OPTIONS_ERROR },
		{ MQOO_BROWSE | MQOO_SAVE_ALL_CONTEXT, MQRC_OPTIONS_ERROR },
		{ MQOO_BROWSE | MQOO_PASS_ALL_CONTEXT, MQRC_OPTIONS_ERROR },
		{ MQOO_INPUT_SHARED | MQOO_CO_OP, MQRC_OPTIONS_ERROR },
		{ MQOO_BROWSE | MQOO_NO_MULTICAST, MQRC_OPTIONS_ERROR },
	};
	MQHOBJ hobj;
	size_t i;

	fake_start();
	hconn = fake_conn(MQCNO_NONE);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		hobj = open_name("Q", cases[i].options);
		RESULT(cases[i].reason ? 2 : 0, cases[i].reason);
		if (cc == MQCC_OK)
			shut(hobj);
	}
	INT(1, open_files());
	MQDISC(&hconn, &cc, &rc);
}

/* O-OPEN-13: the first that is wrong counts. */
static void order_of_checks(void)
{
	MQOD od = { MQOD_DEFAULT };
	MQLONG other = 5;

	hconn = fake_conn(MQCNO_NONE);
	od.Version = MQOD_VERSION_4;
	strcpy(od.ObjectName, "NONE");
	strcpy(od.ObjectQMgrName, "ELSEWHERE");
	od.RecsPresent = -1;
	od.ObjectType = MQOT_TOPIC;
	od.StrucId[0] = 'X';
	open_od(&od, 0);
	RESULT(2, MQRC_OD_ERROR);
	MQOPEN(hconn + 1, &od, 0, &other, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	INT(MQHO_UNUSABLE_HOBJ, other);
	open_od(NULL, 0);
	RESULT(2, MQRC_OD_ERROR);

	od.StrucId[0] = 'O';
	od.Version = 5;
	open_od(&od, 0);
	RESULT(2, MQRC_OD_ERROR);
	od.Version = 4;
	open_od(&od, 0);
	RESULT(2, MQRC_OBJECT_TYPE_ERROR);
	od.ObjectType = MQOT_Q;
	open_od(&od, 0);
	RESULT(2, MQRC_RECS_PRESENT_ERROR);
	od.RecsPresent = 1;
	open_od(&od, 0);
	RESULT(2, MQRC_OBJECT_RECORDS_ERROR);
	od.ObjectRecOffset = 8;
	od.ResponseRecOffset = 8;
	od.ResponseRecPtr = &od;
	open_od(&od, 0);
	RESULT(2, MQRC_RESPONSE_RECORDS_ERROR);
	od.RecsPresent = 0;
	open_od(&od, 0);
	RESULT(2, MQRC_OPTIONS_ERROR);
	open_od(&od, MQOO_OUTPUT);
	RESULT(2, MQRC_UNKNOWN_REMOTE_Q_MGR);
	memset(od.ObjectQMgrName, 0, sizeof(od.ObjectQMgrName));
	open_od(&od, MQOO_OUTPUT);
	RESULT(2, MQRC_UNKNOWN_OBJECT_NAME);
	strcpy(od.ObjectName, "A B");
	open_od(&od, MQOO_OUTPUT);
	RESULT(2, MQRC_UNKNOWN_OBJECT_NAME);
	INT(0, fake_calls[KMQ_CMD_OPEN]);

	/* A selection string cannot be left out of account. */
	strcpy(od.ObjectName, "Q");
	od.SelectionString.VSPtr = (char *)"a=1";
	od.SelectionString.VSLength = MQVS_NULL_TERMINATED;
	open_od(&od, MQOO_BROWSE);
	RESULT(2, MQRC_FUNCTION_NOT_SUPPORTED);
	od.Version = 3;
	shut(open_od(&od, MQOO_BROWSE));
	INT(1, open_files());
	MQDISC(&hconn, &cc, &rc);
}

static struct kmq_open seen;
static int open_flags, open_err;
static MQLONG open_cc, open_rc;
static const char *made, *behind, *behind_qmgr;

static void set_name(void *field, const char *name)
{
	if (!name)
		return;
	memset(field, ' ', KMQ_NAME_LEN);
	memcpy(field, name, strlen(name));
}

static int watch_open(int fd, unsigned int cmd, void *arg)
{
	struct kmq_open *k = arg;

	if (cmd != KMQ_IOC_OPEN)
		return FAKE_DEFAULT;
	seen = *k;
	open_flags = fcntl(fd, F_GETFL) & O_ACCMODE;
	CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	k->out_comp_code = open_cc;
	k->out_reason = open_rc;
	set_name(k->out_q_name, made ? made : "Q");
	set_name(k->out_resolved_q_name, behind ? behind : "Q");
	set_name(k->out_resolved_qmgr_name, behind_qmgr ? behind_qmgr : "QM1");
	k->out_flags = behind_qmgr ? KMQ_OPEN_OUT_REMOTE : 0;
	return open_err;
}

static void what_is_sent(void)
{
	MQOD od = { MQOD_DEFAULT };
	static const struct {
		MQLONG options;
		int flags;
	} cases[] = {
		{ MQOO_BROWSE, O_RDONLY },
		{ MQOO_INQUIRE, O_RDONLY },
		{ MQOO_SET, O_RDONLY },
		{ MQOO_OUTPUT, O_WRONLY },
		{ MQOO_OUTPUT | MQOO_SET, O_WRONLY },
		{ MQOO_OUTPUT | MQOO_INPUT_SHARED, O_RDWR },
		{ MQOO_OUTPUT | MQOO_INQUIRE, O_RDWR },
	};
	size_t i;

	fake_start();
	hconn = fake_conn(MQCNO_NONE);
	open_cc = open_rc = 0;
	fake_hook = watch_open;
	strcpy(od.ObjectName, "Q");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		shut(open_od(&od, cases[i].options));
		INT(cases[i].flags, open_flags);
		INT(cases[i].options, seen.options);
		INT(kmq_conn_fd(hconn), seen.conn_fd);
		INT(sizeof(seen), seen.size);
	}
	CHECK(!memcmp(seen.dynamic_name, "AMQ.*\0", 6));
	MQDISC(&hconn, &cc, &rc);
}

static void failures(void)
{
	static const struct {
		int err;
		MQLONG reason, want;
	} cases[] = {
		{ 0, MQRC_OBJECT_IN_USE, MQRC_OBJECT_IN_USE },
		{ 0, MQRC_HANDLE_NOT_AVAILABLE, MQRC_HANDLE_NOT_AVAILABLE },
		{ -EBADF, 0, MQRC_HOBJ_ERROR },
		{ -ENODEV, 0, MQRC_CONNECTION_BROKEN },
		{ -ENOMEM, 0, MQRC_STORAGE_NOT_AVAILABLE },
		{ -EPERM, 0, MQRC_NOT_AUTHORIZED },
		{ -ENOTTY, 0, MQRC_FUNCTION_NOT_SUPPORTED },
		{ -EIO, 0, MQRC_UNEXPECTED_ERROR },
	};
	size_t i;

	hconn = fake_conn(MQCNO_NONE);
	fake_hook = watch_open;
	open_cc = MQCC_FAILED;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		open_err = cases[i].err;
		open_rc = cases[i].reason;
		open_name("Q", MQOO_OUTPUT);
		RESULT(2, cases[i].want);
	}
	INT(1, open_files());
	open_err = 0;
	if (geteuid()) {
		fake_mode("QM1/queue/Q", 0);
		open_name("Q", MQOO_OUTPUT);
		RESULT(2, MQRC_NOT_AUTHORIZED);
		fake_mode("QM1/queue/Q", 0600);
	}
	MQDISC(&hconn, &cc, &rc);
}

/* Section 3.1; a field above the version stays. */
static void output_by_version(void)
{
	MQOD od, want;
	MQLONG v;

	hconn = fake_conn(MQCNO_NONE);
	fake_hook = watch_open;
	open_cc = open_rc = 0;
	made = behind = NULL;
	for (v = 1; v <= 4; v++) {
		memset(&od, 0x55, sizeof(od));
		memcpy(od.StrucId, MQOD_STRUC_ID, 4);
		od.Version = v;
		od.ObjectType = MQOT_Q;
		memset(od.ObjectName, 0, sizeof(od.ObjectName));
		od.ObjectName[0] = 'Q';
		memset(od.ObjectQMgrName, 0, sizeof(od.ObjectQMgrName));
		od.RecsPresent = v >= 2 ? 0 : od.RecsPresent;
		if (v >= 4)
			od.SelectionString.VSLength = 0;
		want = od;
		if (v >= 2) {
			want.KnownDestCount = 1;
			want.UnknownDestCount = 0;
			want.InvalidDestCount = 0;
		}
		if (v >= 3) {
			set_name(want.ResolvedQName, "Q");
			set_name(want.ResolvedQMgrName, "QM1");
		}
		if (v >= 4)
			want.ResolvedType = MQOT_Q;
		shut(open_od(&od, MQOO_OUTPUT));
		BYTES(&want, &od, sizeof(od));
	}
	/* Open for nothing that moves messages: no resolved names. */
	shut(open_od(&od, MQOO_INQUIRE));
	TEXT("", od.ResolvedQName);
	TEXT("", od.ResolvedQMgrName);

	open_cc = MQCC_FAILED;
	open_rc = MQRC_OBJECT_IN_USE;
	want = od;
	open_od(&od, MQOO_OUTPUT);
	BYTES(&want, &od, sizeof(od));
	open_cc = open_rc = 0;
	MQDISC(&hconn, &cc, &rc);
}

static void other_queues(void)
{
	MQOD od = { MQOD_DEFAULT };

	hconn = fake_conn(MQCNO_NONE);
	fake_hook = watch_open;
	od.Version = 3;

	/* An alias keeps its name, a model queue makes one. */
	strcpy(od.ObjectName, "R");
	made = "R";
	behind = "BASE";
	shut(open_od(&od, MQOO_OUTPUT));
	CHECK(!strcmp(od.ObjectName, "R"));
	CHECK(!od.ObjectQMgrName[0]);
	TEXT("BASE", od.ResolvedQName);
	made = behind = "AMQ.1234";
	shut(open_od(&od, MQOO_OUTPUT));
	TEXT("AMQ.1234", od.ObjectName);
	TEXT("QM1", od.ObjectQMgrName);
	TEXT("AMQ.1234", od.ResolvedQName);

	/* A remote queue. */
	memset(&od.ObjectName, 0, sizeof(od.ObjectName));
	strcpy(od.ObjectName, "R");
	made = "R";
	behind = "THERE";
	behind_qmgr = "QMX";
	shut(open_od(&od, MQOO_OUTPUT));
	INT(0, od.KnownDestCount);
	INT(1, od.UnknownDestCount);
	made = behind = behind_qmgr = NULL;
	MQDISC(&hconn, &cc, &rc);
}

static MQLONG state;

static int in_state(int fd, unsigned int cmd, void *arg)
{
	struct kmq_connect *k = arg;

	(void)fd;
	if (cmd != KMQ_IOC_CONNECT)
		return FAKE_DEFAULT;
	k->out_comp_code = MQCC_FAILED;
	k->out_reason = state;
	return state ? 0 : -ENODEV;
}

/* O-OPEN-13: the state of the queue manager comes before the name. */
static void names_while_quiescing(void)
{
	hconn = fake_conn(MQCNO_NONE);
	fake_hook = in_state;
	state = MQRC_Q_MGR_QUIESCING;
	open_name("NONE", MQOO_OUTPUT);
	RESULT(2, MQRC_UNKNOWN_OBJECT_NAME);
	open_name("NONE", MQOO_OUTPUT | MQOO_FAIL_IF_QUIESCING);
	RESULT(2, MQRC_Q_MGR_QUIESCING);
	open_name("A B", MQOO_OUTPUT | MQOO_FAIL_IF_QUIESCING);
	RESULT(2, MQRC_Q_MGR_QUIESCING);
	open_name("NONE", MQOO_FAIL_IF_QUIESCING);
	RESULT(2, MQRC_OPTIONS_ERROR);
	state = MQRC_Q_MGR_STOPPING;
	open_name("NONE", MQOO_OUTPUT);
	RESULT(2, MQRC_Q_MGR_STOPPING);
	state = 0;
	open_name("NONE", MQOO_OUTPUT);
	RESULT(2, MQRC_CONNECTION_BROKEN);
	MQDISC(&hconn, &cc, &rc);
}

static struct kmq_attrs attrs;
static int attrs_fd, attrs_err;

static int watch_attrs(int fd, unsigned int cmd, void *arg)
{
	struct kmq_attrs *k = arg;

	if (cmd != KMQ_IOC_INQUIRE && cmd != KMQ_IOC_SET)
		return FAKE_DEFAULT;
	attrs = *k;
	attrs_fd = fd;
	k->out_comp_code = 1;
	k->out_reason = 2068;
	return attrs_err;
}

/* O-QMATT-1 */
static void queue_manager_object(void)
{
	MQOD od = { MQOD_DEFAULT };
	MQLONG selector = MQIA_PLATFORM, value;
	MQHOBJ hobj;

	fake_start();
	hconn = fake_conn(MQCNO_NONE);
	od.ObjectType = MQOT_Q_MGR;
	open_od(&od, MQOO_OUTPUT);
	RESULT(2, MQRC_OPTION_NOT_VALID_FOR_TYPE);
	open_od(&od, MQOO_INQUIRE | MQOO_SET);
	RESULT(2, MQRC_OPTION_NOT_VALID_FOR_TYPE);
	strcpy(od.ObjectName, "QM1");
	open_od(&od, MQOO_INQUIRE);
	RESULT(2, MQRC_NAME_NOT_VALID_FOR_TYPE);
	memset(od.ObjectName, ' ', sizeof(od.ObjectName));
	strcpy(od.ObjectQMgrName, "QM2");
	open_od(&od, MQOO_INQUIRE);
	RESULT(2, MQRC_UNKNOWN_OBJECT_Q_MGR);
	strcpy(od.ObjectQMgrName, "QM1");
	hobj = open_od(&od, MQOO_INQUIRE | MQOO_FAIL_IF_QUIESCING);
	RESULT(0, 0);
	INT(0, fake_calls[KMQ_CMD_OPEN]);

	fake_hook = watch_attrs;
	MQINQ(hconn, hobj, 1, &selector, 1, &value, 0, NULL, &cc, &rc);
	RESULT(1, 2068);
	INT(kmq_conn_fd(hconn), attrs_fd);
	INT(MQOT_Q_MGR, attrs.object_type);
	MQSET(hconn, hobj, 1, &selector, 1, &value, 0, NULL, &cc, &rc);
	RESULT(2, MQRC_NOT_OPEN_FOR_SET);
	MQPUT(hconn, hobj, NULL, NULL, 0, NULL, &cc, &rc);
	RESULT(2, MQRC_HOBJ_ERROR);
	MQGET(hconn, hobj, NULL, NULL, 0, NULL, NULL, &cc, &rc);
	RESULT(2, MQRC_HOBJ_ERROR);
	INT(-1, kmq_object_fd(hconn, hobj));
	INT(EBADF, errno);

	MQCLOSE(hconn, &hobj, MQCO_DELETE, &cc, &rc);
	RESULT(2, MQRC_OPTION_NOT_VALID_FOR_TYPE);
	MQCLOSE(hconn, &hobj, 64, &cc, &rc);
	RESULT(2, MQRC_OPTIONS_ERROR);
	shut(hobj);
	MQDISC(&hconn, &cc, &rc);
}

static void attributes(void)
{
	MQLONG selectors[] = { MQIA_Q_TYPE }, ints[2];
	MQHOBJ hobj;
	char text[3];

	hconn = fake_conn(MQCNO_NONE);
	hobj = fake_open(hconn, ALL_OPEN);
	fake_hook = watch_attrs;
	attrs_err = 0;
	MQINQ(hconn, hobj, 1, selectors, 2, ints, 3, text, &cc, &rc);
	RESULT(1, 2068);
	INT(kmq_object_fd(hconn, hobj), attrs_fd);
	INT(MQOT_Q, attrs.object_type);
	INT(1, attrs.selector_count);
	INT(2, attrs.int_attr_count);
	INT(3, attrs.char_attr_length);
	CHECK(attrs.selectors == (uintptr_t)selectors);
	CHECK(attrs.int_attrs == (uintptr_t)ints);
	CHECK(attrs.char_attrs == (uintptr_t)text);
	TEXT("", attrs.name);
	MQSET(hconn, hobj, 1, selectors, 2, ints, 3, text, &cc, &rc);
	RESULT(1, 2068);
	MQINQ(hconn, hobj + 1, 1, selectors, 2, ints, 3, text, &cc, &rc);
	RESULT(2, MQRC_HOBJ_ERROR);

	/* O-INQ-2: addresses that are missing. */
	attrs_err = -EFAULT;
	MQINQ(hconn, hobj, 1, NULL, 2, ints, 3, text, &cc, &rc);
	RESULT(2, MQRC_SELECTOR_ERROR);
	MQINQ(hconn, hobj, 1, selectors, 2, NULL, 3, text, &cc, &rc);
	RESULT(2, MQRC_INT_ATTRS_ARRAY_ERROR);
	MQINQ(hconn, hobj, 1, selectors, 2, ints, 3, NULL, &cc, &rc);
	RESULT(2, MQRC_CHAR_ATTRS_ERROR);
	attrs_err = 0;
	MQDISC(&hconn, &cc, &rc);
}

static struct kmq_close closed;
static MQLONG close_cc, close_rc;

static int watch_close(int fd, unsigned int cmd, void *arg)
{
	struct kmq_close *k = arg;

	(void)fd;
	if (cmd != KMQ_IOC_CLOSE)
		return FAKE_DEFAULT;
	closed = *k;
	k->out_comp_code = close_cc;
	k->out_reason = close_rc;
	return 0;
}

/* O-CLOSE-2, O-CLOSE-4 */
static void closing(void)
{
	MQHOBJ hobj, old;

	hconn = fake_conn(MQCNO_NONE);
	hobj = fake_open(hconn, ALL_OPEN);
	old = hobj;
	fake_hook = watch_close;
	close_cc = MQCC_FAILED;
	close_rc = MQRC_Q_NOT_EMPTY;
	MQCLOSE(hconn, &hobj, MQCO_DELETE, &cc, &rc);
	RESULT(2, MQRC_Q_NOT_EMPTY);
	INT(MQCO_DELETE, closed.options);
	INT(old, hobj);
	close_cc = MQCC_WARNING;
	close_rc = MQRC_INCOMPLETE_GROUP;
	MQCLOSE(hconn, &hobj, MQCO_NONE, &cc, &rc);
	RESULT(1, MQRC_INCOMPLETE_GROUP);
	INT(MQHO_UNUSABLE_HOBJ, hobj);
	INT(1, open_files());
	MQCLOSE(hconn, &old, MQCO_NONE, &cc, &rc);
	RESULT(2, MQRC_HOBJ_ERROR);
	MQCLOSE(hconn, &hobj, MQCO_NONE, &cc, &rc);
	RESULT(2, MQRC_HOBJ_ERROR);

	/* O-DISC-1, O-DISC-4 */
	fake_open(hconn, ALL_OPEN);
	fake_open(hconn, ALL_OPEN);
	fake_calls[KMQ_CMD_CLOSE] = 0;
	MQDISC(&hconn, &cc, &rc);
	RESULT(0, 0);
	INT(2, fake_calls[KMQ_CMD_CLOSE]);
	INT(0, open_files());
}

/* P-CALL-2, UC-074 */
static void handles_of_another_connection(void)
{
	MQHCONN other = fake_conn(MQCNO_HANDLE_SHARE_BLOCK);
	MQHOBJ hobj, theirs;

	hconn = fake_conn(MQCNO_NONE);
	hobj = fake_open(hconn, ALL_OPEN);
	theirs = fake_open(other, ALL_OPEN);
	CHECK(hobj != theirs);
	MQCLOSE(hconn, &theirs, MQCO_NONE, &cc, &rc);
	RESULT(2, MQRC_HOBJ_ERROR);
	MQCLOSE(other, &hobj, MQCO_NONE, &cc, &rc);
	RESULT(2, MQRC_HOBJ_ERROR);
	MQCLOSE(hconn, &other, MQCO_NONE, &cc, &rc);
	RESULT(2, MQRC_HOBJ_ERROR);
	MQDISC(&hconn, &cc, &rc);
	MQDISC(&other, &cc, &rc);
}

static int signal_set(int fd, unsigned int cmd, void *arg)
{
	(void)fd;
	if (cmd != KMQ_IOC_SIGNAL_STATUS)
		return FAKE_DEFAULT;
	((struct kmq_signal_status *)arg)->out_status = MQEC_MSG_ARRIVED;
	((struct kmq_signal_status *)arg)->out_comp_code = 0;
	((struct kmq_signal_status *)arg)->out_reason = 0;
	return 0;
}

/* G-SIG-12 */
static void signal_status(void)
{
	MQLONG status = 77;
	MQHOBJ hobj;

	hconn = fake_conn(MQCNO_NONE);
	hobj = fake_open(hconn, ALL_OPEN);
	fake_hook = signal_set;
	kmq_signal_status(hconn, hobj + 1, &status, &cc, &rc);
	RESULT(2, MQRC_HOBJ_ERROR);
	kmq_signal_status(hconn + 9, hobj, &status, &cc, &rc);
	RESULT(2, MQRC_HCONN_ERROR);
	INT(77, status);
	kmq_signal_status(hconn, hobj, &status, &cc, &rc);
	RESULT(0, 0);
	INT(MQEC_MSG_ARRIVED, status);
	CHECK(kmq_object_fd(hconn, hobj) > 2);
	INT(-1, kmq_object_fd(hconn + 9, hobj));
	MQDISC(&hconn, &cc, &rc);
}

int main(void)
{
	static const struct test tests[] = {
		TEST(options),
		TEST(order_of_checks),
		TEST(what_is_sent),
		TEST(failures),
		TEST(output_by_version),
		TEST(other_queues),
		TEST(names_while_quiescing),
		TEST(queue_manager_object),
		TEST(attributes),
		TEST(closing),
		TEST(handles_of_another_connection),
		TEST(signal_status),
	};

	return RUN(tests);
}
