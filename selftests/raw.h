/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Calls by descriptor, for tests in which it matters who holds one. Each answers
 * as outcome() does, or "errno N".
 */
#ifndef SELFTESTS_RAW_H
#define SELFTESTS_RAW_H

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "mqi.h"

static inline const char *raw_answer(int err, unsigned int cc, unsigned int rc)
{
	char *text = answer_buf();

	if (!err)
		return outcome(cc, rc);
	sprintf(text, "errno %d", errno);
	return text;
}

static inline const char *raw_connect(int conn)
{
	struct kmq_connect c = { .size = sizeof(c) };
	int err = ioctl(conn, KMQ_IOC_CONNECT, &c);

	return raw_answer(err, c.out_comp_code, c.out_reason);
}

static inline const char *raw_open(int fd, int conn, const char *how)
{
	struct kmq_open o = { .size = sizeof(o), .conn_fd = conn,
			      .options = open_options(how) };
	int err = ioctl(fd, KMQ_IOC_OPEN, &o);

	return raw_answer(err, o.out_comp_code, o.out_reason);
}

/* A message whose MsgId and data are @name. */
static inline const char *raw_put_from(int fd, const char *name,
				       const void *data, int length,
				       unsigned int options)
{
	struct kmq_put p = {
		.size = sizeof(p), .options = options, .pmo_version = 1,
		.md_version = 1, .length = length, .data = (uintptr_t)data,
		.context_fd = -1,
		.md = { .msg_type = MQMT_DATAGRAM, .expiry = MQEI_UNLIMITED,
			.format = "MQSTR   ",
			.priority = MQPRI_PRIORITY_AS_Q_DEF,
			.persistence = MQPER_PERSISTENCE_AS_Q_DEF },
	};
	int err;

	id_set(p.md.msg_id, name);
	err = ioctl(fd, KMQ_IOC_PUT, &p);
	return raw_answer(err, p.out_comp_code, p.out_reason);
}

static inline const char *raw_put(int fd, const char *name,
				  unsigned int options)
{
	return raw_put_from(fd, name, name, strlen(name), options);
}

/* By MsgId if there is a @name. */
static inline const char *raw_get(int fd, const char *name,
				  unsigned int options)
{
	char buffer[100];
	struct kmq_get g = {
		.size = sizeof(g), .options = options,
		.match_options = name ? MQMO_MATCH_MSG_ID : MQMO_NONE,
		.gmo_version = 2, .md_version = 1, .length = sizeof(buffer),
		.wait_interval = MQWI_UNLIMITED, .data = (uintptr_t)buffer,
	};
	int err;

	if (name)
		id_set(g.md.msg_id, name);
	err = ioctl(fd, KMQ_IOC_GET, &g);
	return raw_answer(err, g.out_comp_code, g.out_reason);
}

static inline const char *raw_commit(int conn)
{
	struct kmq_uow u = { .size = sizeof(u) };
	int err = ioctl(conn, KMQ_IOC_COMMIT, &u);

	return raw_answer(err, u.out_comp_code, u.out_reason);
}

static inline int qmgr_node(void)
{
	return open("/dev/kmq/" QM "/qmgr", O_RDWR | O_CLOEXEC);
}

/* Become a user without any rights of its own. */
static inline void unprivileged(unsigned int id)
{
	if (setgroups(0, NULL) || setgid(id) || setuid(id))
		_exit(99);
}

static inline bool send_fds(int sock, const int *fds, int count)
{
	char control[CMSG_SPACE(4 * sizeof(int))] = {}, byte = 'f';
	struct iovec data = { &byte, 1 };
	struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = CMSG_SPACE(count * sizeof(int)) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(count * sizeof(int));
	memcpy(CMSG_DATA(c), fds, count * sizeof(int));
	return sendmsg(sock, &m, 0) == 1;
}

static inline int receive_fd(int sock)
{
	char control[CMSG_SPACE(sizeof(int))] = {}, byte;
	struct iovec data = { &byte, 1 };
	struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	int fd = -1;

	if (recvmsg(sock, &m, 0) == 1 && CMSG_FIRSTHDR(&m))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
	return fd;
}

#endif
