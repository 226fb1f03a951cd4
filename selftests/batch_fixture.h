/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The fixture of tests of batches: as q_fixture.h, and items for N messages.
 */
#ifndef SELFTESTS_BATCH_FIXTURE_H
#define SELFTESTS_BATCH_FIXTURE_H

#include <stdio.h>
#include <string.h>
#include <kmq.h>
#include "q_fixture.h"

#define N	5

struct batch {
	MQMD md[N];
	MQPMO pmo[N];
	MQGMO gmo[N];
	char data[N][32];
	kmq_put_item put[N];
	kmq_get_item get[N];
	MQLONG done, cc, rc;
};

static struct batch b;

/* Messages "0", "1", ... with their number as priority. */
static inline void prepare(void)
{
	int i;

	memset(&b, 0, sizeof(b));
	for (i = 0; i < N; i++) {
		b.md[i] = (MQMD){ MQMD_DEFAULT };
		b.md[i].Version = MQMD_VERSION_2;
		b.md[i].Priority = i;
		b.md[i].MsgId[0] = '0' + i;
		b.pmo[i] = (MQPMO){ MQPMO_DEFAULT };
		b.gmo[i] = (MQGMO){ MQGMO_DEFAULT };
		b.gmo[i].Version = MQGMO_VERSION_4;
		b.gmo[i].MatchOptions = MQMO_NONE;
		sprintf(b.data[i], "data %d", i);
		b.put[i] = (kmq_put_item){ &b.md[i], &b.pmo[i], b.data[i], 7 };
		b.get[i] = (kmq_get_item){ &b.md[i], &b.gmo[i], b.data[i], 32 };
	}
}

static inline const char *put_many(struct mqh *h, int n)
{
	b.done = -7;
	kmq_put_many(h->hc, h->ho, n, b.put, &b.done, &b.cc, &b.rc);
	return outcome(b.cc, b.rc);
}

static inline const char *get_many(struct mqh *h, int n)
{
	b.done = -7;
	memset(b.data, POISON, sizeof(b.data));
	kmq_get_many(h->hc, h->ho, n, b.get, &b.done, &b.cc, &b.rc);
	return outcome(b.cc, b.rc);
}

/* The same with nothing that differs from message to message but the data. */
static inline void prepare_alike(void)
{
	int i;

	prepare();
	for (i = 0; i < N; i++) {
		b.md[i].Priority = MQPRI_PRIORITY_AS_Q_DEF;
		b.md[i].MsgId[0] = 0;
	}
}

#endif
