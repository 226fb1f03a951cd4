// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A few puts and gets between marks, for trace_plugin.c to write down.
 */
#include "bench.h"
#include "mark.h"

#define WARM	300
#define PAIRS	24

#define TRACE_PAIRS(chan, mark_put, mark_get) do {				\
	unsigned int n;							\
									\
	for (n = 0; n < WARM; n++) {					\
		(chan)->put(chan);					\
		(chan)->get(chan);					\
	}								\
	for (n = 0; n < PAIRS; n++) {					\
		MARK(mark_put);						\
		(chan)->put(chan);					\
		MARK(mark_get);						\
		(chan)->get(chan);					\
		MARK(0);						\
	}								\
} while (0)

void run_trace(void)
{
	struct chan chan;

	chan_open(&chan, CHAN_KMQ, 64, 0);
	TRACE_PAIRS(&chan, 1, 2);
	chan_close(&chan);
	chan_open(&chan, CHAN_KMQ_FULL, 64, 0);
	TRACE_PAIRS(&chan, 3, 4);
	chan_close(&chan);
	chan_open(&chan, CHAN_MQUEUE, 64, 0);
	TRACE_PAIRS(&chan, 5, 6);
	chan_close(&chan);
}
