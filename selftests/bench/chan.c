// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A queue as a channel: through the MQI, and by the ioctls below it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/kmq.h>

#include "bench.h"

static void kmq_chan_put(struct chan *chan)
{
	q_put(&chan->to);
}

static void kmq_chan_get(struct chan *chan)
{
	q_get(&chan->from);
}

/* As programs do that answer: what was got is the descriptor of the next put. */
static void reuse_put(struct chan *chan)
{
	q_put(&chan->from);
}

/* The queue hands back what stands in the descriptor, so give it anew. */
static void context_put(struct chan *chan)
{
	memcpy(chan->to.md.PutDate, "2024010112000000", 16);
	q_put(&chan->to);
}

static void kmq_chan_close(struct chan *chan)
{
	MQLONG comp_code, reason;

	MQDISC(&chan->to.hc, &comp_code, &reason);
	q_remove(chan->queue);
}

static void kmq_chan_attach(struct chan *chan)
{
	chan->to.hc = q_connect();
	chan->to.ho = q_open(chan->to.hc, chan->queue, chan->options);
	chan->from.hc = chan->to.hc;
	chan->from.ho = chan->to.ho;
	chan->fd[0] = kmq_object_fd(chan->to.hc, chan->to.ho);
}

static void kmq_chan_describe(struct chan *chan, enum chan_kind kind)
{
	struct q_call *to = &chan->to;

	chan->name = "kmq, default MQMD";
	if (kind == CHAN_KMQ)
		return;
	if (kind == CHAN_KMQ_REUSED) {
		chan->name = "kmq, MQMD of the get put again";
		chan->put = reuse_put;
		return;
	}
	chan->name = "kmq, full MQMD";
	q_call_full(to);
	chan->from.md.Version = MQMD_VERSION_2;
	chan->from.gmo.Version = MQGMO_VERSION_3;
	if (kind == CHAN_KMQ_FULL)
		return;
	chan->name = "kmq, full MQMD, context set by program";
	chan->put = context_put;
	to->pmo.Options |= MQPMO_SET_ALL_CONTEXT;
	memcpy(to->md.UserIdentifier, "someone     ", 12);
	memcpy(to->md.PutApplName, "a program of another one    ", 28);
	to->md.PutApplType = MQAT_UNIX;
}

static void kmq_chan_open(struct chan *chan, enum chan_kind kind)
{
	q_define(chan->queue, 1000000);
	q_call_init(&chan->to, 0, 0, chan->out, chan->length);
	q_call_init(&chan->from, 0, 0, chan->in, chan->length);
	chan->options = MQOO_OUTPUT | MQOO_INPUT_SHARED;
	if (kind == CHAN_KMQ_CONTEXT)
		chan->options |= MQOO_SET_ALL_CONTEXT;
	chan->from.gmo.Options |= MQGMO_WAIT;
	chan->from.gmo.WaitInterval = MQWI_UNLIMITED;
	chan->put = kmq_chan_put;
	chan->get = kmq_chan_get;
	chan->attach = kmq_chan_attach;
	chan->close = kmq_chan_close;
	kmq_chan_describe(chan, kind);
	kmq_chan_attach(chan);
}

/* --- without the library --------------------------------------------------- */

static void raw_put(struct chan *chan)
{
	struct kmq_put cmd = {
		.size = sizeof(cmd),
		.options = MQPMO_NEW_MSG_ID | MQPMO_NO_SYNCPOINT,
		.pmo_version = 1,
		.md_version = 1,
		.length = chan->length,
		.data = (uintptr_t)chan->out,
		.context_fd = -1,
		.md = {
			.msg_type = MQMT_DATAGRAM,
			.expiry = MQEI_UNLIMITED,
			.encoding = MQENC_NATIVE,
			.priority = MQPRI_PRIORITY_AS_Q_DEF,
			.persistence = MQPER_PERSISTENCE_AS_Q_DEF,
		},
	};

	memset(cmd.md.format, ' ', sizeof(cmd.md.format));
	if (ioctl(chan->fd[0], KMQ_IOC_PUT, &cmd) || cmd.out_comp_code)
		die("KMQ_IOC_PUT: %s, reason %u", strerror(errno),
		    cmd.out_reason);
}

static void raw_get(struct chan *chan)
{
	struct kmq_get cmd = {
		.size = sizeof(cmd),
		.options = MQGMO_NO_SYNCPOINT | MQGMO_WAIT,
		.wait_interval = MQWI_UNLIMITED,
		.gmo_version = 2,
		.md_version = 1,
		.length = chan->length,
		.data = (uintptr_t)chan->in,
	};

	if (ioctl(chan->fd[0], KMQ_IOC_GET, &cmd) || cmd.out_comp_code)
		die("KMQ_IOC_GET: %s, reason %u", strerror(errno),
		    cmd.out_reason);
}

static void raw_open(struct chan *chan)
{
	kmq_chan_open(chan, CHAN_KMQ);
	chan->name = "kmq, plain ioctl";
	chan->put = raw_put;
	chan->get = raw_get;
}

/* --- all of them ----------------------------------------------------------- */

void chan_open(struct chan *chan, enum chan_kind kind, size_t length,
	       unsigned int index)
{
	static const char *const names[] = { BENCH_Q, BENCH_Q "2" };

	memset(chan, 0, sizeof(*chan));
	chan->length = length;
	chan->queue = names[index];
	/* Some put the type of a message in front of it. */
	chan->out = calloc(1, length + 8);
	chan->in = calloc(1, length + 8);
	if (!chan->out || !chan->in)
		die("no memory");
	memset(chan->out, 'x', length + 8);
	switch (kind) {
	case CHAN_KMQ_RAW:
		raw_open(chan);
		break;
	case CHAN_MQUEUE:
		mqueue_open(chan);
		break;
	case CHAN_SYSV:
		sysv_open(chan);
		break;
	case CHAN_PIPE:
		pipe_open(chan);
		break;
	case CHAN_SEQPACKET:
		seqpacket_open(chan);
		break;
	default:
		kmq_chan_open(chan, kind);
	}
}

void chan_attach(struct chan *chan)
{
	if (chan->attach)
		chan->attach(chan);
}

void chan_close(struct chan *chan)
{
	chan->close(chan);
	free(chan->out);
	free(chan->in);
}
