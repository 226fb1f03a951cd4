// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What kmq is compared with.
 */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"

/* --- POSIX message queue --------------------------------------------------- */

static void mqueue_put(struct chan *chan)
{
	if (mq_send(chan->fd[0], chan->out, chan->length, 0))
		die("mq_send: %s", strerror(errno));
}

static void mqueue_get(struct chan *chan)
{
	unsigned int priority;

	if (mq_receive(chan->fd[0], chan->in, chan->length, &priority) < 0)
		die("mq_receive: %s", strerror(errno));
}

static void mqueue_close(struct chan *chan)
{
	mq_close(chan->fd[0]);
}

void mqueue_open(struct chan *chan)
{
	static const struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
	struct mq_attr attr = { .mq_maxmsg = 10, .mq_msgsize = chan->length };

	chan->name = "POSIX mq";
	chan->put = mqueue_put;
	chan->get = mqueue_get;
	chan->close = mqueue_close;
	/* More than the default is for root only. */
	setrlimit(RLIMIT_MSGQUEUE, &limit);
	chan->fd[0] = mq_open("/kmq-bench", O_RDWR | O_CREAT, 0600, &attr);
	if (chan->fd[0] < 0)
		die("mq_open: %s", strerror(errno));
	mq_unlink("/kmq-bench");
}

/* --- System V message queue ------------------------------------------------ */

static void sysv_put(struct chan *chan)
{
	*(long *)chan->out = 1;
	if (msgsnd(chan->fd[0], chan->out, chan->length, 0))
		die("msgsnd: %s", strerror(errno));
}

static void sysv_get(struct chan *chan)
{
	if (msgrcv(chan->fd[0], chan->in, chan->length, 0, 0) < 0)
		die("msgrcv: %s", strerror(errno));
}

static void sysv_close(struct chan *chan)
{
	msgctl(chan->fd[0], IPC_RMID, NULL);
}

void sysv_open(struct chan *chan)
{
	chan->name = "System V msg";
	chan->put = sysv_put;
	chan->get = sysv_get;
	chan->close = sysv_close;
	chan->fd[0] = msgget(IPC_PRIVATE, 0600);
	if (chan->fd[0] < 0)
		die("msgget: %s", strerror(errno));
}

/* --- pipe and socket ------------------------------------------------------- */

static void fd_put(struct chan *chan)
{
	ssize_t n = write(chan->fd[1], chan->out, chan->length);

	if (n != (ssize_t)chan->length)
		die("write: %s", strerror(errno));
}

static void fd_get(struct chan *chan)
{
	size_t done = 0;

	while (done < chan->length) {
		ssize_t n = read(chan->fd[0], (char *)chan->in + done,
				 chan->length - done);

		if (n <= 0)
			die("read: %s", strerror(errno));
		done += n;
	}
}

static void fd_close(struct chan *chan)
{
	close(chan->fd[0]);
	close(chan->fd[1]);
}

void pipe_open(struct chan *chan)
{
	chan->name = "pipe";
	chan->put = fd_put;
	chan->get = fd_get;
	chan->close = fd_close;
	if (pipe(chan->fd))
		die("pipe: %s", strerror(errno));
	if (chan->length > 65536 &&
	    fcntl(chan->fd[1], F_SETPIPE_SZ, chan->length) < 0)
		die("F_SETPIPE_SZ: %s", strerror(errno));
}

void seqpacket_open(struct chan *chan)
{
	chan->name = "AF_UNIX seqpacket";
	chan->put = fd_put;
	chan->get = fd_get;
	chan->close = fd_close;
	/* What a chan sends into [1] it receives from [0]. */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, chan->fd))
		die("socketpair: %s", strerror(errno));
}
