// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Several messages in one call.
 */
#include <stdlib.h>

#include "bench.h"

struct batch {
	MQHCONN hc;
	MQHOBJ ho;
	MQMD put_md[BATCH];
	MQMD get_md[BATCH];
	MQPMO pmo;
	MQGMO gmo;
	kmq_put_item puts[BATCH];
	kmq_get_item gets[BATCH];
	char data[BATCH][64];
};

void batch_put(struct batch *b)
{
	MQLONG done, comp_code, reason;

	kmq_put_many(b->hc, b->ho, BATCH, b->puts, &done, &comp_code, &reason);
	if (comp_code != MQCC_OK || done != BATCH)
		die("kmq_put_many: reason %d", reason);
}

void batch_get(struct batch *b)
{
	MQLONG done, comp_code, reason;

	kmq_get_many(b->hc, b->ho, BATCH, b->gets, &done, &comp_code, &reason);
	if (comp_code != MQCC_OK || done != BATCH)
		die("kmq_get_many: reason %d", reason);
}

struct batch *batch_open(void)
{
	struct batch *b = calloc(1, sizeof(*b));
	struct q_call call;
	int i;

	if (!b)
		die("no memory");
	q_define(BENCH_Q, 1000);
	b->hc = q_connect();
	b->ho = q_open(b->hc, BENCH_Q, MQOO_OUTPUT | MQOO_INPUT_SHARED);
	q_call_init(&call, b->hc, b->ho, NULL, 0);
	b->pmo = call.pmo;
	b->gmo = call.gmo;
	for (i = 0; i < BATCH; i++) {
		b->put_md[i] = call.md;
		b->get_md[i] = call.md;
		b->puts[i] = (kmq_put_item) {
			.MsgDesc = &b->put_md[i], .PutMsgOpts = &b->pmo,
			.Buffer = b->data[i], .BufferLength = 64,
		};
		b->gets[i] = (kmq_get_item) {
			.MsgDesc = &b->get_md[i], .GetMsgOpts = &b->gmo,
			.Buffer = b->data[i], .BufferLength = 64,
		};
	}
	return b;
}

void batch_close(struct batch *b)
{
	MQLONG comp_code, reason;

	MQDISC(&b->hc, &comp_code, &reason);
	q_remove(BENCH_Q);
	free(b);
}
