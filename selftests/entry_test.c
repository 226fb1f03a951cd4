/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What users without rights can do through nodes, each try made by a child that
 * has become one: sizes, modes of files, ways through definitions, reports.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <kmq.h>
#include "q_fixture.h"

#define DIRECTORY	"/dev/kmq/" QM "/"
#define NODE(q)		DIRECTORY "queue/" q
#define USER		7003

/* What follows is done by a child with no rights but those of others. */
#define AS_USER(what)							\
	char *answer = answer_buf();					\
	int pipes[2], n;						\
									\
	if (pipe(pipes))						\
		return "no pipe";					\
	*answer = 0;							\
	if (!fork()) {							\
		if (setgroups(0, NULL) || setgid(USER) || setuid(USER))	\
			_exit(99);					\
		what;							\
		_exit(write(pipes[1], answer, strlen(answer)) < 0);	\
	}								\
	close(pipes[1]);						\
	n = read(pipes[0], answer, ANSWER_LEN - 1);			\
	answer[n < 0 ? 0 : n] = 0;					\
	close(pipes[0]);						\
	wait(NULL);							\
	return answer

static void say(char *answer, const char *name)
{
	sprintf(answer + strlen(answer), "%s%s", *answer ? " " : "", name);
}

/* The name of errno after a call that answered @result. */
static void say_errno(char *answer, long result)
{
	say(answer, result >= 0 ? "0" : strerrorname_np(errno));
}

/* --- sizes ------------------------------------------------------------------ */

static void try_sizes(char *answer)
{
	const size_t length = 64 << 20;
	struct kmq_vec v = { .size = sizeof(v), .count = 1, .stride = 4096 };
	int conn_fd, fd;
	MQHCONN hc;
	__u32 *zeros = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE |
			    MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct mqh *h;

	conn_fd = open(DIRECTORY "qmgr", O_RDONLY);
	*zeros = length;
	say_errno(answer, ioctl(conn_fd, KMQ_IOC_CONNECT, zeros));
	say_errno(answer, ioctl(conn_fd, KMQ_IOC_LIST, zeros));
	hc = conn();
	h = opn(hc, Q, "io");
	fd = kmq_object_fd(hc, h->ho);
	say_errno(answer, ioctl(fd, KMQ_IOC_PUT, zeros));
	say_errno(answer, ioctl(fd, KMQ_IOC_GET, zeros));
	v.entries = (uintptr_t)zeros;
	say_errno(answer, ioctl(fd, KMQ_IOC_PUTV, &v));
	say_errno(answer, ioctl(fd, KMQ_IOC_GETV, &v));
}

static const char *sizes(void)
{
	AS_USER(try_sizes(answer));
}

TEST_F(q, sizes)
{
	chmod(DIRECTORY "qmgr", 0666);
	EXPECT_STREQ("OK", alter(Q, "mode=0666"));
	EXPECT_STREQ("E2BIG E2BIG E2BIG E2BIG E2BIG E2BIG", sizes());
	chmod(DIRECTORY "qmgr", 0660);
	EXPECT_EQ(0, depth(Q));
}

/* --- modes ------------------------------------------------------------------ */

static struct kmq_define define_cmd(const char *name)
{
	struct kmq_define d = { .size = sizeof(d), .object_type = MQOT_Q,
				.q_type = MQQT_LOCAL };

	field_set((char *)d.name, KMQ_NAME_LEN, name);
	field_set((char *)d.like, KMQ_NAME_LEN, "");
	return d;
}

static struct kmq_delete delete_cmd(const char *name)
{
	struct kmq_delete d = { .size = sizeof(d), .object_type = MQOT_Q };

	field_set((char *)d.name, KMQ_NAME_LEN, name);
	return d;
}

static void try_changes(char *answer, int mode)
{
	struct kmq_qmgr_state state = { .size = sizeof(state),
					.state = KMQ_QMGR_QUIESCING };
	struct kmq_conn_state conn_state = { .size = sizeof(conn_state),
					     .state = KMQ_QMGR_QUIESCING };
	struct kmq_qmgr_name qmgr = { .size = sizeof(qmgr) };
	struct kmq_define d = define_cmd("KT.NEW"), a = define_cmd(Q);
	struct kmq_delete c = delete_cmd(Q), del = delete_cmd(Q ".2");
	int fd = open(DIRECTORY "admin", mode);
	int control = open("/dev/kmq/control", mode);

	field_set((char *)qmgr.name, KMQ_NAME_LEN, "KT.QM");
	say_errno(answer, fd);
	say_errno(answer, control);
	say_errno(answer, ioctl(fd, KMQ_IOC_DEFINE, &d));
	say_errno(answer, ioctl(fd, KMQ_IOC_ALTER, &a));
	say_errno(answer, ioctl(fd, KMQ_IOC_CLEAR, &c));
	say_errno(answer, ioctl(fd, KMQ_IOC_DELETE, &del));
	say_errno(answer, ioctl(fd, KMQ_IOC_CONN_STATE, &conn_state));
	say_errno(answer, ioctl(control, KMQ_IOC_QMGR_CREATE, &qmgr));
	say_errno(answer, ioctl(control, KMQ_IOC_QMGR_DELETE, &qmgr));
	if (mode != O_RDONLY)
		return;
	say_errno(answer, ioctl(fd, KMQ_IOC_QMGR_STATE, &state));
}

static const char *changes(int mode)
{
	AS_USER(try_changes(answer, mode));
}

static void try_looks(char *answer, int mode)
{
	struct kmq_list list = { .size = sizeof(list), .q_type = MQQT_ALL };
	struct kmq_status status = { .size = sizeof(status) };
	struct kmq_conns conns = { .size = sizeof(conns),
				   .stride = sizeof(struct kmq_conn_info) };
	struct kmq_info info = { .size = sizeof(info) };
	int fd = open(DIRECTORY "admin", mode);

	field_set((char *)list.pattern, KMQ_NAME_LEN, "*");
	field_set((char *)status.name, KMQ_NAME_LEN, Q);
	say_errno(answer, fd);
	say_errno(answer, ioctl(fd, KMQ_IOC_LIST, &list));
	say_errno(answer, ioctl(fd, KMQ_IOC_STATUS, &status));
	say_errno(answer, ioctl(fd, KMQ_IOC_CONNS, &conns));
	say_errno(answer, ioctl(fd, KMQ_IOC_INFO, &info));
}

static const char *looks(int mode)
{
	AS_USER(try_looks(answer, mode));
}

static void admin_modes(mode_t mode)
{
	chmod(DIRECTORY "admin", mode);
	chmod("/dev/kmq/control", mode);
}

TEST_F(q, modes)
{
	ASSERT_STREQ("OK", define(Q ".2", ""));
	PUTS(self->h, "A");
	admin_modes(0644);
	EXPECT_STREQ("EACCES EACCES EBADF EBADF EBADF EBADF EBADF EBADF EBADF",
		     changes(O_RDWR));
	EXPECT_STREQ("0 0 EBADF EBADF EBADF EBADF EBADF EBADF EBADF EBADF",
		     changes(O_RDONLY));
	EXPECT_STREQ("0 0 0 0 0", looks(O_RDONLY));
	EXPECT_EQ(1, depth(Q));
	EXPECT_EQ(0, depth(Q ".2"));
	EXPECT_NE(0, access("/dev/kmq/KT.QM/qmgr", F_OK));
	EXPECT_NE(0, access(NODE("KT.NEW"), F_OK));
	/* the other way round */
	admin_modes(0622);
	EXPECT_STREQ("0 EBADF EBADF EBADF 0", looks(O_WRONLY));
	EXPECT_STREQ("0 0 0 0 0 0 0 0 0", changes(O_WRONLY));
	EXPECT_EQ(0, depth(Q));
	EXPECT_EQ(0, access(NODE("KT.NEW"), F_OK));
	EXPECT_STREQ("OK", delete_q("KT.NEW", 0));
	admin_modes(0600);
}

/* --- ways through definitions ------------------------------------------------ */

#define R	"KT.R"
#define X	"KT.X"
#define A	"KT.A"

static void try_write(char *answer, const char *q)
{
	int fd = open_node(q, O_WRONLY);

	say_errno(answer, fd < 0 ? fd : write(fd, "x", 1));
}

static const char *written(const char *q)
{
	AS_USER(try_write(answer, q));
}

static void try_read(char *answer, const char *q)
{
	int fd = open_node(q, O_RDONLY | O_NONBLOCK);
	char byte;

	say_errno(answer, fd < 0 ? fd : read(fd, &byte, 1));
}

static const char *read_of(const char *q)
{
	AS_USER(try_read(answer, q));
}

/* A transmission queue that is nobody's, a definition that is everybody's. */
static void far_away(void)
{
	define(X, "usage=1 mode=0600");
	define(R, "remote rname=FAR rqm=AWAY xmitq=" X " mode=0666");
	define(A, "alias target=" R " mode=0666");
}

/* The next message on the transmission queue: where it goes, what it is. */
static const char *travels(MQHCONN hc)
{
	struct mqh *x = opn(hc, X, "i");
	const char *got = get(x, "");
	const MQXQH *xqh = (const MQXQH *)x->buf;
	char *answer = answer_buf();

	if (strcmp(got, "#"))
		sprintf(answer, "%s", got);
	else if (x->dlen != sizeof(*xqh) + 1 ||
		 memcmp(xqh->StrucId, MQXQH_STRUC_ID, 4) ||
		 !FIELD_IS(x->md.Format, "MQXMIT"))
		sprintf(answer, "raw, %d bytes", x->dlen);
	else
		sprintf(answer, "%.3s %.4s %.8s %c", xqh->RemoteQName,
			xqh->RemoteQMgrName, xqh->MsgDesc.Format,
			x->buf[sizeof(*xqh)]);
	shut(x);
	return answer;
}

/* O-RES-3: what is written travels as what is put */
TEST_F(q, write_far_away)
{
	far_away();
	EXPECT_STREQ("EACCES", written(X));
	EXPECT_STREQ("0", written(R));
	EXPECT_STREQ("FAR AWAY MQSTR    x", travels(self->c));
	EXPECT_STREQ("0", written(A));
	EXPECT_STREQ("FAR AWAY MQSTR    x", travels(self->c));
	/* P-Q-1: each definition on the way can forbid it */
	EXPECT_STREQ("OK", alter(R, "remote put=1"));
	EXPECT_STREQ("EBUSY", written(R));
	EXPECT_STREQ("EBUSY", written(A));
	EXPECT_STREQ("OK", alter(R, "remote put=0"));
	EXPECT_STREQ("OK", alter(A, "alias put=1"));
	EXPECT_STREQ("0", written(R));
	EXPECT_STREQ("EBUSY", written(A));
	EXPECT_EQ(1, depth(X));
}

/* O-RES-1: there is nothing to read */
TEST_F(q, read_far_away)
{
	far_away();
	EXPECT_STREQ("0", written(R));
	EXPECT_STREQ("EINVAL", read_of(R));
	EXPECT_STREQ("EINVAL", read_of(A));
	EXPECT_EQ(1, depth(X));
	/* an alias of a queue here */
	EXPECT_STREQ("OK", alter(A, "alias target=" Q));
	EXPECT_STREQ("EAGAIN", read_of(A));
	EXPECT_STREQ("0", written(A));
	EXPECT_EQ(1, depth(Q));
	EXPECT_STREQ("0", read_of(A));
	EXPECT_EQ(0, depth(Q));
}

/* O-RES-2: a way that has no end */
TEST_F(q, ways_to_nowhere)
{
	far_away();
	EXPECT_STREQ("OK", alter(R, "remote xmitq=KT.NONE"));
	EXPECT_STREQ("ENXIO", written(R));
	EXPECT_STREQ("ENXIO", written(A));
	EXPECT_STREQ("OK", alter(R, "remote xmitq=" Q));
	EXPECT_STREQ("ENXIO", written(R));
	EXPECT_STREQ("OK", alter(A, "alias target=KT.NONE"));
	EXPECT_STREQ("ENXIO", written(A));
	EXPECT_STREQ("ENXIO", read_of(A));
	ASSERT_STREQ("OK", define("KT.M", "model mode=0666"));
	EXPECT_STREQ("EINVAL", written("KT.M"));
	EXPECT_STREQ("EINVAL", read_of("KT.M"));
}

/* P-CALL-10: a file keeps its way, and says so when that is no more */
TEST_F(q, way_that_changes)
{
	int fd;

	far_away();
	fd = open_node(R, O_WRONLY);
	EXPECT_EQ(1, write(fd, "x", 1));
	EXPECT_STREQ("OK", alter(R, "remote rname=NEAR"));
	EXPECT_EQ(-1, write(fd, "x", 1));
	EXPECT_EQ(ESTALE, errno);
	EXPECT_EQ(1, depth(X));
	close(fd);
}

static int events(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT };

	return poll(&p, 1, 0) < 0 ? -1 : p.revents;
}

/* The events of what is behind a definition */
TEST_F(q, poll_far_away)
{
	struct mqh *r;
	int fd, bound;

	far_away();
	fd = open_node(R, O_RDWR);
	EXPECT_EQ(POLLOUT, events(fd));
	EXPECT_EQ(1, write(fd, "x", 1));
	/* what lies there is not for who may put */
	EXPECT_EQ(POLLOUT, events(fd));
	r = opn(self->c, R, "o");
	bound = kmq_object_fd(self->c, r->ho);
	EXPECT_EQ(POLLOUT, events(bound));
	EXPECT_STREQ("OK", alter(X, "depth=1"));
	EXPECT_EQ(0, events(fd));
	EXPECT_EQ(0, events(bound));
	EXPECT_STREQ("OK", alter(X, "depth=2"));
	EXPECT_STREQ("OK", alter(R, "remote put=1"));
	EXPECT_EQ(0, events(fd));
	EXPECT_STREQ("OK", alter(R, "remote put=0"));
	EXPECT_EQ(POLLOUT, events(fd));
	/* no way any more: open it again */
	EXPECT_STREQ("OK", alter(R, "remote rname=NEAR"));
	EXPECT_EQ(POLLERR, events(fd));
	close(fd);
}

TEST_F(q, poll_of_an_alias)
{
	int fd;

	define(A, "alias target=KT.NONE");
	fd = open_node(A, O_RDWR);
	EXPECT_EQ(POLLERR, events(fd));
	EXPECT_STREQ("OK", alter(A, "alias target=" Q));
	EXPECT_EQ(POLLOUT, events(fd));
	PUTS(self->h, "A");
	EXPECT_EQ(POLLIN | POLLOUT, events(fd));
	EXPECT_STREQ("OK", alter(A, "alias get=1"));
	EXPECT_EQ(POLLOUT, events(fd));
	EXPECT_STREQ("OK", alter(A, "alias get=0"));
	EXPECT_STREQ("OK", alter(Q, "depth=1"));
	EXPECT_EQ(POLLIN, events(fd));
	close(fd);
	GET("A", self->h, "");
}

/* O-BIND-1: a cluster queue has an instance chosen for what is written, too */
TEST_F(q, write_to_a_cluster_queue)
{
	const char *name = "KT.C";
	int fd[2], i;

	ASSERT_STREQ("OK", make_qmgr("KT.QM"));
	admin_at("KT.QM");
	ASSERT_STREQ("OK", define(name, "cluster=CL bind=1 mode=0600"));
	admin_at("");
	ASSERT_STREQ("OK", define(name, "cluster=CL bind=1 useq=1"));
	fd[0] = open_node(name, O_WRONLY);
	for (i = 0; i < 4; i++)
		EXPECT_EQ(1, write(fd[0], "x", 1));
	EXPECT_EQ(2, depth(name));
	close(fd[0]);
	ASSERT_STREQ("OK", delete_q(name, KMQ_DELETE_PURGE));
	/* an alias of one that is elsewhere */
	define(A, "alias target=KT.C");
	fd[1] = open_node(A, O_WRONLY);
	EXPECT_EQ(POLLOUT, events(fd[1]));
	EXPECT_EQ(1, write(fd[1], "x", 1));
	close(fd[1]);
	admin_at("KT.QM");
	EXPECT_EQ(3, depth(name));
	admin_at("");
	EXPECT_STREQ("OK", delete_qmgr("KT.QM"));
}

/* --- reports ----------------------------------------------------------------- */

/* P-REP-13 and what kmq has instead: reports of arrival with all the data */
#define COA_DATA	"rep=0x700 rq=KT.REPLY "

static void try_put(char *answer, const char *msg)
{
	say(answer, put(opn(conn(), Q, "o"), msg));
}

static const char *put_as_user(const char *msg)
{
	AS_USER(try_put(answer, msg));
}

static void reply_queue(struct __test_metadata *_metadata, const char *attrs)
{
	chmod(DIRECTORY "qmgr", 0666);
	ASSERT_STREQ("OK", alter(Q, "mode=0666"));
	ASSERT_STREQ("OK", define("KT.REPLY", attrs));
}

TEST_F(q, report_without_any_right)
{
	struct mqh *dlq;

	reply_queue(_metadata, "mode=0600");
	/* P-REP-12: dropped, and the put is none the worse */
	EXPECT_STREQ("OK", put_as_user("A " COA_DATA));
	EXPECT_EQ(0, depth("KT.REPLY"));
	EXPECT_EQ(1, depth(Q));
	/* a persistent one fails it */
	EXPECT_STREQ("F2035", put_as_user("A per=1 " COA_DATA));
	EXPECT_EQ(1, depth(Q));
	/* P-REP-11 */
	ASSERT_STREQ("OK", define("KT.DLQ", ""));
	ASSERT_STREQ("OK", alter_qmgr("deadq=KT.DLQ"));
	EXPECT_STREQ("OK", put_as_user("A per=1 " COA_DATA));
	EXPECT_STREQ("OK", alter_qmgr("deadq="));
	EXPECT_EQ(0, depth("KT.REPLY"));
	dlq = opn(self->c, "KT.DLQ", "i");
	GET("#", dlq, "");
	EXPECT_TRUE(FIELD_IS(dlq->md.Format, "MQDEAD"));
	EXPECT_EQ(MQRC_NOT_AUTHORIZED, ((MQDLH *)dlq->buf)->Reason);
	/* root may */
	PUT("OK", self->h, "B " COA_DATA);
	EXPECT_EQ(1, depth("KT.REPLY"));
	chmod(DIRECTORY "qmgr", 0660);
}

/* Either right will do, as the node has it now, whoever gave it */
TEST_F(q, report_with_some_right)
{
	int n = 0;

	reply_queue(_metadata, "mode=0644");
	EXPECT_STREQ("OK", put_as_user("A " COA_DATA));
	EXPECT_EQ(++n, depth("KT.REPLY"));
	chmod(NODE("KT.REPLY"), 0600);
	EXPECT_STREQ("OK", put_as_user("A " COA_DATA));
	EXPECT_EQ(n, depth("KT.REPLY"));
	chmod(NODE("KT.REPLY"), 0602);
	EXPECT_STREQ("OK", put_as_user("A " COA_DATA));
	EXPECT_EQ(++n, depth("KT.REPLY"));
	chmod(NODE("KT.REPLY"), 0600);
	chown(NODE("KT.REPLY"), USER, 0);
	EXPECT_STREQ("OK", put_as_user("A " COA_DATA));
	EXPECT_EQ(++n, depth("KT.REPLY"));
	chmod(NODE("KT.REPLY"), 0066);
	EXPECT_STREQ("OK", put_as_user("A " COA_DATA));
	EXPECT_EQ(n, depth("KT.REPLY"));
	chmod(DIRECTORY "qmgr", 0660);
}

/* Who gets it is not who asked: delivery, and expiry */
TEST_F(q, report_made_later)
{
	reply_queue(_metadata, "mode=0600");
	EXPECT_STREQ("OK", put_as_user("A rep=0x3800 rq=KT.REPLY"));
	EXPECT_STREQ("OK", put_as_user("B rep=0xe00000 exp=1 rq=KT.REPLY"));
	GET("#", self->h, "");
	EXPECT_EQ(0, depth("KT.REPLY"));
	nap(200);
	GET("F2033", self->h, "");
	EXPECT_EQ(0, depth("KT.REPLY"));
	/* the same of who may */
	chmod(NODE("KT.REPLY"), 0604);
	EXPECT_STREQ("OK", put_as_user("A rep=0x3800 rq=KT.REPLY"));
	EXPECT_STREQ("OK", put_as_user("B rep=0xe00000 exp=1 rq=KT.REPLY"));
	GET("#", self->h, "");
	EXPECT_EQ(1, depth("KT.REPLY"));
	nap(200);
	GET("F2033", self->h, "");
	EXPECT_EQ(2, depth("KT.REPLY"));
	/* a queue that was not there at the put */
	EXPECT_STREQ("OK", delete_q("KT.REPLY", KMQ_DELETE_PURGE));
	EXPECT_STREQ("OK", put_as_user("A rep=0x3800 rq=KT.REPLY"));
	ASSERT_STREQ("OK", define("KT.REPLY", "mode=0600"));
	GET("#", self->h, "");
	EXPECT_EQ(0, depth("KT.REPLY"));
	chmod(DIRECTORY "qmgr", 0660);
}

/* O-AUTH-2: an alias and a remote definition are nodes of their own */
TEST_F(q, report_through_a_definition)
{
	reply_queue(_metadata, "alias target=KT.BASE mode=0666");
	ASSERT_STREQ("OK", define("KT.BASE", "mode=0600"));
	EXPECT_STREQ("OK", put_as_user("A " COA_DATA));
	EXPECT_EQ(1, depth("KT.BASE"));
	EXPECT_STREQ("OK", put_as_user("A rep=0x700 rq=KT.BASE"));
	EXPECT_EQ(1, depth("KT.BASE"));
	/* replaced by FAR at KT.X, which is the transmission queue (P-MD-3) */
	far_away();
	ASSERT_STREQ("OK", define(R, "remote rname=FAR rqm=" X " mode=0666"));
	EXPECT_STREQ("OK", put_as_user("A rep=0x700 rq=" R));
	EXPECT_EQ(1, depth(X));
	/* around it */
	EXPECT_STREQ("OK", put_as_user("A rep=0x700 rq=FAR rqm=" X));
	EXPECT_STREQ("OK", put_as_user("A rep=0x700 rq=" X));
	EXPECT_STREQ("OK", alter(R, "remote mode=0600"));
	EXPECT_STREQ("OK", put_as_user("A rep=0x700 rq=" R));
	EXPECT_EQ(1, depth(X));
	chmod(DIRECTORY "qmgr", 0660);
}

static void try_handle(char *answer)
{
	MQHCONN hc = conn();
	struct mqh *h = opn(hc, Q, "o");

	say(answer, put(h, "A rq=KT.REPLY"));
	say(answer, put(h, "A " COA_DATA));
	say(answer, put(h, "A rep=0x3800 rq=KT.REPLY"));
	say(answer, put(h, "A rep=0x3800 rq=KT.REPLY"));
	say(answer, put(h, "A rep=0x3800 rq=KT.REPLY"));
}

static const char *puts_of_one_handle(void)
{
	AS_USER(try_handle(answer));
}

/* Names that the puts of a handle share, without report options and with */
TEST_F(q, reports_of_one_handle)
{
	reply_queue(_metadata, "mode=0600");
	EXPECT_STREQ("OK OK OK OK OK", puts_of_one_handle());
	EXPECT_STREQ("# # # # #", drain(self->h, ""));
	EXPECT_EQ(0, depth("KT.REPLY"));
	chmod(NODE("KT.REPLY"), 0604);
	EXPECT_STREQ("OK OK OK OK OK", puts_of_one_handle());
	EXPECT_STREQ("# # # # #", drain(self->h, ""));
	EXPECT_EQ(4, depth("KT.REPLY"));
	chmod(DIRECTORY "qmgr", 0660);
}

/* A handle that somebody goes on with as another user */
TEST_F(q, report_of_a_new_user)
{
	int i, status;

	reply_queue(_metadata, "mode=0600");
	if (!fork()) {
		MQHCONN hc = conn();
		struct mqh *h = opn(hc, Q, "o");

		for (i = 0; i < 3; i++)
			put(h, "A rep=0x3800 rq=KT.REPLY");
		if (setgroups(0, NULL) || setgid(USER) || setuid(USER))
			_exit(99);
		for (i = 0; i < 3; i++)
			put(h, "A rep=0x3800 rq=KT.REPLY");
		_exit(0);
	}
	wait(&status);
	EXPECT_EQ(0, status);
	EXPECT_STREQ("# # # # # #", drain(self->h, ""));
	EXPECT_EQ(3, depth("KT.REPLY"));
}

TEST_HARNESS_MAIN
