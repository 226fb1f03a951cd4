/* SPDX-License-Identifier: MIT */
/*
 * Handle numbers and the tables that find what they stand for.
 */
#ifndef KMQ_TABLE_H
#define KMQ_TABLE_H

#include "internal.h"

/**
 * DOC: Handle numbers
 *
 * All handles of a process, of connections and of objects, get their numbers
 * from one counter of 31 bits, so a number that has been given back means
 * nothing until 2^31 more were handed out: a stale handle never meets another
 * object. The low bits of a number are its place in a table; when the place
 * is taken the counter goes on to the next. Hence a look-up is one load and a
 * comparison.
 */

/* What all items of a table begin with; 0 while it has no number. */
struct kmq_item {
	MQLONG handle;
};

/**
 * struct kmq_table - items by number
 * @mask: places minus 1, a power of two minus 1
 * @count: places taken
 * @older: smaller table it replaced; kept, as a reader may still look at it
 * @items: one place for each number modulo the size
 *
 * Changes need a lock of the owner. A reader needs none if items are never
 * freed: it sees the item, or an older state, and compares the number.
 */
struct kmq_table {
	uint32_t mask;
	uint32_t count;
	struct kmq_table *older;
	struct kmq_item *items[];
};

/* What a table is that has no items yet. */
extern struct kmq_table kmq_table_empty;

/**
 * kmq_table_add() - give an item a number and a place
 * @table: the table, replaced when it has to grow
 * @item: the item
 *
 * Return: false if there is no memory.
 */
bool kmq_table_add(struct kmq_table **table, struct kmq_item *item);

/* Take the item out of the table; its number is worth nothing any more. */
void kmq_table_remove(struct kmq_table *table, struct kmq_item *item);

/* Free the table, not the items. */
void kmq_table_free(struct kmq_table *table);

KMQ_INLINE struct kmq_item *kmq_table_find(struct kmq_table *const *table,
					   MQLONG handle)
{
	struct kmq_table *t = __atomic_load_n(table, __ATOMIC_ACQUIRE);
	struct kmq_item *item;

	if (unlikely(handle <= 0))
		return NULL;
	item = __atomic_load_n(&t->items[handle & t->mask], __ATOMIC_ACQUIRE);
	if (unlikely(!item) ||
	    unlikely(__atomic_load_n(&item->handle, __ATOMIC_ACQUIRE) !=
		     handle))
		return NULL;
	return item;
}

#endif
