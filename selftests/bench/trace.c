// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A few puts and gets between marks, for trace_plugin.c to write down.
 */
#include <string.h>

#include "bench.h"
#include "mark.h"

#define WARM	300
#define PAIRS	24

/* @put and @get are expressions, so that no call of ours is between the marks. */
#define TRACE_PAIRS(first, put, get) do {				\
	unsigned int n;							\
									\
	for (n = 0; n < WARM; n++) {					\
		put;							\
		get;							\
	}								\
	for (n = 0; n < PAIRS; n++) {					\
		MARK(first);						\
		put;							\
		MARK((first) + 1);					\
		get;							\
		MARK(0);						\
	}								\
} while (0)

static void begin_at_once(int arg)
{
	(void)arg;
}

/* Both processes are between the marks: there is one processor. */
#define TRACE_TRIPS(number, kind) do {					\
	struct trip trip;						\
	unsigned int n;							\
									\
	trip_open(&trip, kind, begin_at_once, 0);			\
	for (n = 0; n < WARM + PAIRS; n++) {				\
		if (n >= WARM)						\
			MARK(number);					\
		trip.there.put(&trip.there);				\
		trip.back.get(&trip.back);				\
		MARK(0);						\
	}								\
	trip_close(&trip);						\
} while (0)

#define GROUPS	20
#define MEMBERS	30

/* The next member of each of some groups in turn. */
static void put_member(struct q_call *call, unsigned int number)
{
	id_make(call->md.GroupId, 'G', number % GROUPS);
	call->md.MsgSeqNumber = number / GROUPS + 1;
	call->md.MsgFlags = MQMF_MSG_IN_GROUP;
	if (call->md.MsgSeqNumber == MEMBERS)
		call->md.MsgFlags |= MQMF_LAST_MSG_IN_GROUP;
	q_put(call);
}

/* Members of groups that lie far apart, in logical order. */
static void trace_groups(void)
{
	struct chan chan;
	unsigned int n;

	chan_open(&chan, CHAN_KMQ, 64, 0);
	chan.to.md.Version = MQMD_VERSION_2;
	chan.from.md.Version = MQMD_VERSION_2;
	chan.from.gmo.Options = MQGMO_NO_SYNCPOINT | MQGMO_LOGICAL_ORDER;
	for (n = 0; n < GROUPS * MEMBERS; n++)
		put_member(&chan.to, n);
	for (n = 0; n < WARM + PAIRS; n++) {
		if (n >= WARM)
			MARK(13);
		q_get(&chan.from);
		MARK(0);
	}
	chan_close(&chan);
}

void run_trace(void)
{
	struct batch *batch;
	struct chan chan;

	chan_open(&chan, CHAN_KMQ, 64, 0);
	TRACE_PAIRS(1, q_put(&chan.to), q_get(&chan.from));
	chan_close(&chan);
	chan_open(&chan, CHAN_KMQ_FULL, 64, 0);
	TRACE_PAIRS(3, q_put(&chan.to), q_get(&chan.from));
	chan_close(&chan);
	batch = batch_open();
	TRACE_PAIRS(5, batch_put(batch), batch_get(batch));
	batch_close(batch);
	chan_open(&chan, CHAN_KMQ, 8192, 0);
	TRACE_PAIRS(9, q_put(&chan.to), q_get(&chan.from));
	chan_close(&chan);
	chan_open(&chan, CHAN_MQUEUE, 64, 0);
	TRACE_PAIRS(7, chan.put(&chan), chan.get(&chan));
	chan_close(&chan);
	TRACE_TRIPS(11, CHAN_KMQ);
	TRACE_TRIPS(12, CHAN_MQUEUE);
	trace_groups();
}
