// SPDX-License-Identifier: MIT
/*
 * The counter of handle numbers, and tables that are at most half full.
 */
#include "table.h"

#include <stdlib.h>

#define SMALLEST	16

struct kmq_table kmq_table_empty = { .items = { NULL } };

static uint32_t last_number;

static MQLONG next_number(void)
{
	uint32_t n;

	do {
		n = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
		n &= 0x7fffffff;
	} while (!n);
	return n;
}

static struct kmq_table *table_alloc(uint32_t places)
{
	struct kmq_table *t;

	t = calloc(1, sizeof(*t) + places * sizeof(t->items[0]));
	if (t)
		t->mask = places - 1;
	return t;
}

/*
 * Numbers that have different places in a small table have different places
 * in a larger one, too.
 */
static bool table_grow(struct kmq_table **table)
{
	struct kmq_table *old = *table;
	struct kmq_table *t;
	uint32_t i;

	t = table_alloc(old->mask ? 2 * (old->mask + 1) : SMALLEST);
	if (!t)
		return false;
	t->older = old;
	for (i = 0; i <= old->mask; i++) {
		if (!old->items[i])
			continue;
		t->items[old->items[i]->handle & t->mask] = old->items[i];
		t->count++;
	}
	__atomic_store_n(table, t, __ATOMIC_RELEASE);
	return true;
}

bool kmq_table_add(struct kmq_table **table, struct kmq_item *item)
{
	struct kmq_table *t = *table;
	MQLONG number;

	if (t->count >= (t->mask + 1) / 2) {
		if (!table_grow(table))
			return false;
		t = *table;
	}
	do {
		number = next_number();
	} while (t->items[number & t->mask]);
	__atomic_store_n(&item->handle, number, __ATOMIC_RELEASE);
	__atomic_store_n(&t->items[number & t->mask], item, __ATOMIC_RELEASE);
	t->count++;
	return true;
}

void kmq_table_remove(struct kmq_table *t, struct kmq_item *item)
{
	MQLONG number = item->handle;

	__atomic_store_n(&item->handle, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&t->items[number & t->mask], NULL, __ATOMIC_RELEASE);
	t->count--;
}

void kmq_table_free(struct kmq_table *t)
{
	struct kmq_table *older;

	for (; t != &kmq_table_empty; t = older) {
		older = t->older;
		free(t);
	}
}
