// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A few puts and gets between marks, for trace_plugin.c to write down.
 */
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
}
