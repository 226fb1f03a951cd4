// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Many messages.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define AT_ONCE	64

void id_make(MQBYTE24 id, char kind, unsigned int number)
{
	char text[25];

	/* Neighbours differ early: no favour to sorted trees. */
	snprintf(text, sizeof(text), "%c%08x-%-14u", kind,
		 number * 2654435761U, number);
	memcpy(id, text, 24);
}

unsigned int pick(unsigned int n)
{
	static uint64_t state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % n;
}

static void fill_batch(const struct fill *fill, unsigned int from,
		       unsigned int count)
{
	static const MQMD initial = { MQMD_DEFAULT };
	static MQPMO pmo = { MQPMO_DEFAULT };
	static MQMD md[AT_ONCE];
	static char data[1 << 16];
	kmq_put_item items[AT_ONCE];
	MQLONG done, comp_code, reason;
	unsigned int i;

	pmo.Options = fill->options;
	for (i = 0; i < count; i++) {
		md[i] = initial;
		md[i].Version = MQMD_VERSION_2;
		if (fill->describe)
			fill->describe(fill, &md[i], from + i);
		items[i].MsgDesc = &md[i];
		items[i].PutMsgOpts = &pmo;
		items[i].Buffer = data;
		items[i].BufferLength = fill->length;
	}
	kmq_put_many(fill->hc, fill->ho, count, items, &done, &comp_code,
		     &reason);
	if (comp_code == MQCC_FAILED)
		die("kmq_put_many: reason %d", reason);
}

void fill_queue(const struct fill *fill, unsigned int from, unsigned int to)
{
	while (from < to) {
		unsigned int count = to - from < AT_ONCE ? to - from : AT_ONCE;

		fill_batch(fill, from, count);
		from += count;
	}
}
