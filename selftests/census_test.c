/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * KMQ_IOC_HANDLES and KMQ_IOC_CONNS: who uses the queue manager, with every
 * value, in pages, and who may see it.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "q_fixture.h"

#define CONNECT_HERE	"/dev/kmq/" QM "/qmgr"
#define ENTRIES		64

static struct kmq_handle_info handles[ENTRIES];
static struct kmq_conn_info conns[ENTRIES];

/* One call; the number of entries, or -errno. */
static int list_handles(int fd, const char *pattern, struct kmq_handles *cmd)
{
	cmd->size = sizeof(*cmd);
	cmd->stride = cmd->stride ? cmd->stride : sizeof(handles[0]);
	if (!cmd->entries)
		cmd->entries = (uintptr_t)handles;
	field_set((char *)cmd->pattern, KMQ_NAME_LEN, pattern);
	return ioctl(fd, KMQ_IOC_HANDLES, cmd) ? -errno : (int)cmd->out_count;
}

static int all_handles(int fd, const char *pattern)
{
	struct kmq_handles cmd = { .count = ENTRIES };

	memset(handles, 0x55, sizeof(handles));
	return list_handles(fd, pattern, &cmd);
}

static int list_conns(int fd, struct kmq_conns *cmd)
{
	cmd->size = sizeof(*cmd);
	cmd->stride = cmd->stride ? cmd->stride : sizeof(conns[0]);
	if (!cmd->entries)
		cmd->entries = (uintptr_t)conns;
	return ioctl(fd, KMQ_IOC_CONNS, cmd) ? -errno : (int)cmd->out_count;
}

static int all_conns(int fd)
{
	struct kmq_conns cmd = { .count = ENTRIES };

	memset(conns, 0x55, sizeof(conns));
	return list_conns(fd, &cmd);
}

static MQHCONN connect_known(MQBYTE24 id)
{
	MQCNO cno = { MQCNO_DEFAULT };
	MQHCONN hc = MQHC_UNUSABLE_HCONN;
	MQLONG cc, rc;

	cno.Version = MQCNO_VERSION_5;
	cno.Options = MQCNO_HANDLE_SHARE_NO_BLOCK;
	MQCONNX(QM, &cno, &hc, &cc, &rc);
	memcpy(id, cno.ConnectionId, sizeof(MQBYTE24));
	return hc;
}

static const struct kmq_conn_info *find_conn(const MQBYTE24 id)
{
	int n = all_conns(admin_fd());

	while (n-- > 0)
		if (!memcmp(conns[n].connection_id, id, KMQ_ID_LEN))
			return &conns[n];
	return NULL;
}

/* The name that a message of this program carries (P-CTX-5). */
static bool is_my_name(const __u8 *name)
{
	char path[4096] = "";
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	return n > 0 &&
	       field_is((const MQCHAR *)name, 28, n > 28 ? path + n - 28 : path);
}

static uint64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static uint64_t real_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

TEST_F(q, handles_with_their_values)
{
	struct mqh *alias;
	MQBYTE24 id;
	MQHCONN hc;

	shut(self->h);
	shut(self->k);
	EXPECT_EQ(0, all_handles(admin_fd(), Q));
	ASSERT_STREQ("OK", define(Q "2", "alias target=" Q));
	hc = connect_known(id);
	opn(hc, Q, "bo");
	alias = opn(hc, Q "2", "x");
	ASSERT_EQ(2, all_handles(admin_fd(), Q));

	EXPECT_TRUE(field_is((MQCHAR *)handles[0].q_name, 48, Q));
	EXPECT_TRUE(field_is((MQCHAR *)handles[0].object_name, 48, Q));
	EXPECT_EQ(0, memcmp(handles[0].connection_id, id, KMQ_ID_LEN));
	EXPECT_EQ(MQOO_BROWSE | MQOO_OUTPUT,
		  handles[0].options & (MQOO_BROWSE | MQOO_OUTPUT |
					MQOO_INPUT_SHARED | MQOO_INQUIRE |
					MQOO_INPUT_EXCLUSIVE));
	EXPECT_EQ(0, handles[0].flags);
	EXPECT_EQ(getpid(), handles[0].pid);
	EXPECT_EQ(gettid(), handles[0].tid);
	EXPECT_EQ(geteuid(), handles[0].uid);
	EXPECT_EQ(MQAT_UNIX, handles[0].appl_type);
	EXPECT_TRUE(is_my_name(handles[0].appl_name));
	EXPECT_EQ(0, handles[0].reserved);

	/* the alias leads to the same queue */
	EXPECT_TRUE(field_is((MQCHAR *)handles[1].q_name, 48, Q));
	EXPECT_TRUE(field_is((MQCHAR *)handles[1].object_name, 48, Q "2"));
	EXPECT_LT(handles[0].number, handles[1].number);
	EXPECT_EQ(KMQ_HANDLE_INPUT | KMQ_HANDLE_EXCLUSIVE, handles[1].flags);
	EXPECT_EQ(MQOO_INPUT_EXCLUSIVE,
		  handles[1].options & (MQOO_INPUT_EXCLUSIVE | MQOO_OUTPUT));
	EXPECT_EQ(0, all_handles(admin_fd(), Q "2"));
	EXPECT_EQ(0, all_handles(admin_fd(), "KT.NONE"));
	EXPECT_EQ(2, all_handles(admin_fd(), "KT.*"));

	shut(alias);
	EXPECT_EQ(1, all_handles(admin_fd(), Q));
	disc(&hc);
	EXPECT_EQ(0, all_handles(admin_fd(), Q));
}

TEST_F(q, handles_that_wait_for_something)
{
	ASSERT_EQ(2, all_handles(admin_fd(), Q));
	EXPECT_EQ(KMQ_HANDLE_INPUT, handles[0].flags);
	EXPECT_EQ(KMQ_HANDLE_INPUT, handles[1].flags);
	GET("W2070", self->k, "SIG(20000)");
	all_handles(admin_fd(), Q);
	EXPECT_EQ(KMQ_HANDLE_INPUT, handles[0].flags);
	EXPECT_EQ(KMQ_HANDLE_INPUT | KMQ_HANDLE_SIGNAL, handles[1].flags);
	PUT("OK", self->h, "A");
	GET("A", self->h, "BF LK");
	all_handles(admin_fd(), Q);
	EXPECT_EQ(KMQ_HANDLE_INPUT | KMQ_HANDLE_LOCKED, handles[0].flags);
	EXPECT_EQ(KMQ_HANDLE_INPUT, handles[1].flags);
	GET("A", self->h, "MC");
	all_handles(admin_fd(), Q);
	EXPECT_EQ(KMQ_HANDLE_INPUT, handles[0].flags);
}

/* Pages of any size make up the same list; queues may go away meanwhile. */
TEST_F(q, handles_in_pages)
{
	static const char * const queues[] = { Q "2", Q "3", Q "4" };
	struct kmq_handle_info all[ENTRIES];
	unsigned int i, total, room;

	for (i = 0; i < 3; i++) {
		ASSERT_STREQ("OK", define(queues[i], ""));
		opn(self->c, queues[i], "o");
		opn(self->d, queues[i], "i");
		opn(self->c, queues[i], "b");
	}
	total = all_handles(admin_fd(), "KT.Q*");
	ASSERT_EQ(11, total);
	memcpy(all, handles, sizeof(all));
	for (i = 1; i < total; i++) {
		int order = memcmp(all[i - 1].q_name, all[i].q_name, 48);

		EXPECT_TRUE(order < 0 ||
			    (!order && all[i - 1].number < all[i].number));
	}
	for (room = 1; room <= total + 1; room++) {
		struct kmq_handles cmd = { .count = room };
		unsigned int n = 0, got;

		do {
			memset(handles, 0, sizeof(handles));
			got = list_handles(admin_fd(), "KT.Q*", &cmd);
			ASSERT_LE(got, room);
			ASSERT_LE(n + got, total);
			EXPECT_EQ(0, memcmp(all + n, handles,
					    got * sizeof(all[0])));
			n += got;
			EXPECT_EQ(n < total, cmd.out_more);
			memcpy(cmd.after, handles[got - 1].q_name, 48);
			cmd.after_number = handles[got - 1].number;
		} while (cmd.out_more);
		EXPECT_EQ(total, n) TH_LOG("%u a page", room);
	}
	/* the queue a page ended at is gone */
	{
		struct kmq_handles cmd = { .count = 3 };

		ASSERT_EQ(3, list_handles(admin_fd(), "KT.Q*", &cmd));
		field_set((char *)cmd.after, 48, Q "1");
		cmd.after_number = 7;
		cmd.count = 1;
		ASSERT_EQ(1, list_handles(admin_fd(), "KT.Q*", &cmd));
		EXPECT_TRUE(field_is((MQCHAR *)handles[0].q_name, 48, Q "2"));
		EXPECT_EQ(1, handles[0].number);
	}
}

/* More of one queue than are looked at under one lock, none twice and none left out */
TEST_F(q, handles_of_one_queue)
{
	static struct kmq_handle_info many[200];
	struct kmq_handles cmd = { .count = 200, .entries = (uintptr_t)many };
	unsigned int i;

	ASSERT_STREQ("OK", define(Q "2", ""));
	for (i = 0; i < 150; i++)
		opn(i % 2 ? self->c : self->d, Q "2", "o");
	ASSERT_EQ(150, list_handles(admin_fd(), Q "2", &cmd));
	EXPECT_EQ(0, cmd.out_more);
	for (i = 0; i < 150; i++)
		EXPECT_EQ(i + 1, many[i].number);
	cmd.count = 80;
	field_set((char *)cmd.after, 48, Q "2");
	cmd.after_number = 65;
	ASSERT_EQ(80, list_handles(admin_fd(), Q "2", &cmd));
	EXPECT_EQ(1, cmd.out_more);
	EXPECT_EQ(66, many[0].number);
	EXPECT_EQ(145, many[79].number);
}

TEST_F(q, entries_may_be_longer)
{
	struct kmq_handles h = { .count = 2, .stride = 200 };
	struct kmq_conns c = { .count = 2, .stride = 160 };
	unsigned char room[400];
	const struct kmq_handle_info *second = (void *)(room + 200);

	memset(room, 0x55, sizeof(room));
	h.entries = (uintptr_t)room;
	ASSERT_EQ(2, list_handles(admin_fd(), Q, &h));
	EXPECT_EQ(2, second->number);
	EXPECT_TRUE(all_zero(room + 184, 16));
	EXPECT_TRUE(all_zero(room + 384, 16));
	memset(room, 0x55, sizeof(room));
	c.entries = (uintptr_t)room;
	ASSERT_EQ(2, list_conns(admin_fd(), &c));
	EXPECT_TRUE(all_zero(room + 152, 8));
	EXPECT_EQ(0x55, room[320]);
}

TEST_F(q, what_cannot_be_carried_out)
{
	static const unsigned int bad[] = { 8, 144, 188, 4104, 0xfffffff8 };
	struct kmq_handles h = { .count = 5, .entries = 16 };
	struct kmq_conns c = { .count = 5, .entries = 16 };
	unsigned int i;

	EXPECT_EQ(-EFAULT, list_handles(admin_fd(), "*", &h));
	EXPECT_EQ(-EFAULT, list_conns(admin_fd(), &c));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct kmq_handles h = { .count = 5, .stride = bad[i] };
		struct kmq_conns c = { .count = 5, .stride = bad[i] };

		EXPECT_EQ(-EINVAL, list_handles(admin_fd(), "*", &h));
		EXPECT_EQ(-EINVAL, list_conns(admin_fd(), &c));
	}
	/* no room: is there anything? */
	h = (struct kmq_handles){ .entries = 16 };
	EXPECT_EQ(0, list_handles(admin_fd(), Q, &h));
	EXPECT_EQ(1, h.out_more);
	EXPECT_EQ(0, list_handles(admin_fd(), "KT.NONE", &h));
	EXPECT_EQ(0, h.out_more);
	c = (struct kmq_conns){ .entries = 16 };
	EXPECT_EQ(0, list_conns(admin_fd(), &c));
	EXPECT_EQ(1, c.out_more);
	/* more room than is written at once, and more than there is memory */
	h = (struct kmq_handles){ .count = 0xffffffff };
	EXPECT_EQ(2, list_handles(admin_fd(), Q, &h));
	c = (struct kmq_conns){ .count = 0xffffffff };
	EXPECT_EQ(2, list_conns(admin_fd(), &c));
}

TEST_F(q, connections_with_their_values)
{
	const struct kmq_conn_info *info;
	uint64_t before = real_ns(), middle;
	struct mqh *h, *k;
	MQBYTE24 id;
	MQHCONN hc;

	EXPECT_EQ(2, all_conns(admin_fd()));
	hc = connect_known(id);
	info = find_conn(id);
	ASSERT_NE(NULL, info);
	EXPECT_EQ(info, &conns[2]);	/* in the order of connecting */
	EXPECT_LE(before, info->connect_time);
	EXPECT_GE(real_ns(), info->connect_time);
	EXPECT_EQ(0, info->uow_time);
	EXPECT_EQ(0, info->flags);
	EXPECT_EQ(getpid(), info->pid);
	EXPECT_EQ(gettid(), info->tid);
	EXPECT_EQ(geteuid(), info->uid);
	EXPECT_EQ(MQAT_UNIX, info->appl_type);
	EXPECT_EQ(0, info->handle_count);
	EXPECT_EQ(0, info->uncommitted);
	EXPECT_EQ(0, info->reserved);
	EXPECT_EQ(0, info->reserved2);
	EXPECT_TRUE(is_my_name(info->appl_name));
	EXPECT_TRUE(field_is((MQCHAR *)info->wait_q_name, 48, ""));

	h = opn(hc, Q, "io");
	k = opn(hc, Q, "b");
	nap(20);
	/* a unit's beginning is told by the clock that moves with the tick */
	middle = clock_ns(CLOCK_REALTIME_COARSE);
	PUT("OK", h, "A SP");
	PUT("OK", h, "B SP");
	info = find_conn(id);
	EXPECT_EQ(2, info->handle_count);
	EXPECT_EQ(2, info->uncommitted);
	EXPECT_EQ(KMQ_CONN_UOW, info->flags);
	EXPECT_LE(middle, info->uow_time);
	EXPECT_GE(real_ns(), info->uow_time);
	commit(hc);
	info = find_conn(id);
	EXPECT_EQ(0, info->uncommitted);
	EXPECT_EQ(0, info->uow_time);
	EXPECT_EQ(0, info->flags);
	GET("A", h, "SP");
	info = find_conn(id);
	EXPECT_EQ(1, info->uncommitted);
	EXPECT_EQ(KMQ_CONN_UOW, info->flags);
	back(hc);
	EXPECT_EQ(0, find_conn(id)->flags);
	shut(k);
	EXPECT_EQ(1, find_conn(id)->handle_count);
	disc(&hc);
	EXPECT_EQ(NULL, find_conn(id));
	EXPECT_EQ(2, all_conns(admin_fd()));
}

/* The listing waits for nobody, and nobody is refused because of it. */
TEST_F(q, connection_that_waits)
{
	const struct kmq_conn_info *info;
	struct kmq_conn_state state = { .size = sizeof(state),
					.state = KMQ_QMGR_QUIESCING };
	struct waiter *w;
	struct mqh *h;
	MQBYTE24 id;
	MQHCONN hc;

	hc = connect_known(id);
	h = opn(hc, Q, "i");
	w = wait_get(h, "WT(-1)");
	ASSERT_TRUE(sleepers(Q, 1));
	info = find_conn(id);
	ASSERT_NE(NULL, info);
	EXPECT_EQ(KMQ_CONN_WAITING, info->flags);
	EXPECT_TRUE(field_is((MQCHAR *)info->wait_q_name, 48, Q));
	memcpy(state.connection_id, id, sizeof(id));
	ASSERT_EQ(0, ioctl(admin_fd(), KMQ_IOC_CONN_STATE, &state));
	EXPECT_EQ(KMQ_CONN_WAITING | KMQ_CONN_QUIESCING, find_conn(id)->flags);
	PUT("OK", self->h, "A");
	EXPECT_STREQ("A", result(w));
	info = find_conn(id);
	EXPECT_EQ(KMQ_CONN_QUIESCING, info->flags);
	EXPECT_TRUE(field_is((MQCHAR *)info->wait_q_name, 48, ""));
	disc(&hc);
}

TEST_F(q, connections_in_pages)
{
	struct kmq_conn_info all[ENTRIES];
	MQHCONN hc[5];
	unsigned int i, room, total;
	MQBYTE24 id;

	for (i = 0; i < 5; i++)
		hc[i] = connect_known(id);
	total = all_conns(admin_fd());
	ASSERT_EQ(7, total);
	memcpy(all, conns, sizeof(all));
	for (i = 1; i < total; i++)
		EXPECT_GT(0, memcmp(all[i - 1].connection_id,
				    all[i].connection_id, KMQ_ID_LEN));
	for (room = 1; room <= total + 1; room++) {
		struct kmq_conns cmd = { .count = room };
		unsigned int n = 0, got;

		do {
			got = list_conns(admin_fd(), &cmd);
			ASSERT_LE(n + got, total);
			EXPECT_EQ(0, memcmp(all + n, conns,
					    got * sizeof(all[0])));
			n += got;
			EXPECT_EQ(n < total, cmd.out_more);
			memcpy(cmd.after, conns[got - 1].connection_id,
			       KMQ_ID_LEN);
		} while (cmd.out_more);
		EXPECT_EQ(total, n) TH_LOG("%u a page", room);
	}
	for (i = 0; i < 5; i++)
		disc(&hc[i]);
}

/* read() and write() of a node have a connection, too. */
TEST_F(q, plain_file)
{
	int fd = open_node(Q, O_RDWR | O_NONBLOCK);

	EXPECT_EQ(2, all_conns(admin_fd()));
	ASSERT_EQ(1, write(fd, "x", 1));
	ASSERT_EQ(3, all_conns(admin_fd()));
	EXPECT_EQ(KMQ_CONN_PLAIN, conns[2].flags);
	EXPECT_EQ(getpid(), conns[2].pid);
	EXPECT_EQ(1, conns[2].handle_count);
	EXPECT_EQ(3, all_handles(admin_fd(), Q));
	close(fd);
	EXPECT_EQ(2, all_conns(admin_fd()));
	EXPECT_EQ(2, all_handles(admin_fd(), Q));
}

/* What a user sees who may connect and not administer: his own. */
static int see_as_other_user(int admin)
{
	int own = open(CONNECT_HERE, O_RDWR), bad = 0;
	MQBYTE24 id;
	MQHCONN hc;

	if (setgid(54321) || setuid(54321) || own < 0)
		return 99;
	bad |= all_conns(own) != 0 ? 1 : 0;
	bad |= all_handles(own, "*") != 0 ? 2 : 0;
	hc = connect_known(id);
	opn(hc, Q "2", "o");
	bad |= all_conns(own) != 1 || conns[0].uid != 54321 ||
	       conns[0].pid != getpid() ||
	       memcmp(conns[0].connection_id, id, KMQ_ID_LEN) ? 4 : 0;
	bad |= all_handles(own, "*") != 1 || handles[0].uid != 54321 ||
	       handles[0].pid != getpid() ? 8 : 0;
	/* the right is that of the file, whoever uses it */
	bad |= all_conns(admin) != 3 || conns[0].uid ||
	       conns[2].uid != 54321 ? 16 : 0;
	bad |= all_handles(admin, "*") != 3 ? 32 : 0;
	return bad;
}

TEST_F(q, who_may_see)
{
	int st, root = open(CONNECT_HERE, O_RDWR);
	struct stat was;
	pid_t pid;

	ASSERT_STREQ("OK", define(Q "2", "mode=0666"));
	ASSERT_EQ(0, stat(CONNECT_HERE, &was));
	chmod(CONNECT_HERE, 0666);
	pid = fork();
	if (!pid)
		_exit(see_as_other_user(admin_fd()));
	waitpid(pid, &st, 0);
	chmod(CONNECT_HERE, was.st_mode & 0777);
	ASSERT_TRUE(WIFEXITED(st));
	EXPECT_EQ(0, WEXITSTATUS(st));
	/* root sees what is root's there */
	EXPECT_EQ(2, all_conns(root));
	EXPECT_EQ(2, all_handles(root, "*"));
	close(root);
}

/* Numbers of processes that the caller's PID namespace does not have are 0. */
TEST_F(q, process_outside_the_namespace)
{
	int st;
	pid_t pid = fork();

	if (!pid) {
		if (unshare(CLONE_NEWPID))
			_exit(98);
		pid = fork();
		if (!pid) {
			MQBYTE24 id;
			int bad = 0;

			connect_known(id);
			bad |= all_conns(admin_fd()) != 3 ? 1 : 0;
			bad |= conns[0].pid || conns[0].tid ? 2 : 0;
			bad |= conns[2].pid != 1 || conns[2].tid != 1 ? 4 : 0;
			bad |= all_handles(admin_fd(), Q) != 2 ? 8 : 0;
			bad |= handles[0].pid || handles[0].tid ? 16 : 0;
			_exit(bad);
		}
		waitpid(pid, &st, 0);
		_exit(WIFEXITED(st) ? WEXITSTATUS(st) : 97);
	}
	waitpid(pid, &st, 0);
	ASSERT_TRUE(WIFEXITED(st));
	EXPECT_EQ(0, WEXITSTATUS(st));
}

/* The end of the process is the end of its entries, whoever has the files. */
TEST_F(q, process_that_dies)
{
	int ready[2], st;
	pid_t pid, heir;

	ASSERT_EQ(0, pipe(ready));
	/* the heir is this process's to wait for when its parent has died */
	ASSERT_EQ(0, prctl(PR_SET_CHILD_SUBREAPER, 1));
	pid = fork();
	if (!pid) {
		MQBYTE24 id;
		MQHCONN hc = connect_known(id);

		opn(hc, Q, "i");
		heir = fork();
		if (heir)
			write(ready[1], &heir, sizeof(heir));
		pause();
		_exit(0);
	}
	ASSERT_EQ(sizeof(heir), read(ready[0], &heir, sizeof(heir)));
	EXPECT_EQ(3, all_conns(admin_fd()));
	EXPECT_EQ(pid, conns[2].pid);
	EXPECT_EQ(3, all_handles(admin_fd(), Q));
	kill(pid, SIGKILL);
	waitpid(pid, &st, 0);
	EXPECT_EQ(2, all_conns(admin_fd()));
	EXPECT_EQ(2, all_handles(admin_fd(), Q));
	kill(heir, SIGKILL);
	ASSERT_EQ(heir, waitpid(heir, &st, 0));
	close(ready[0]);
	close(ready[1]);
}

TEST_HARNESS_MAIN
