/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What users without rights can do through nodes, each try made by a child that
 * has become one: sizes, modes of files, ways through definitions, reports.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
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

TEST_HARNESS_MAIN
