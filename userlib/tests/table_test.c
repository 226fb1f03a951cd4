// SPDX-License-Identifier: MIT
/*
 * Handle numbers.
 */
#include "fake.h"

#include <stdlib.h>

#include "../src/table.h"

static void stale_numbers_find_nothing(void)
{
	struct kmq_table *table = &kmq_table_empty;
	struct kmq_item items[1000] = { 0 };
	MQLONG first[1000];
	int i, round;

	CHECK(!kmq_table_find(&table, 1));
	for (i = 0; i < 1000; i++) {
		CHECK(kmq_table_add(&table, &items[i]));
		first[i] = items[i].handle;
		CHECK(first[i] > 0);
	}
	for (i = 0; i < 1000; i++)
		CHECK(kmq_table_find(&table, first[i]) == &items[i]);
	INT(1000, table->count);

	/* Given back and taken again, many times over. */
	for (round = 0; round < 10; round++)
		for (i = 0; i < 1000; i += 3) {
			kmq_table_remove(table, &items[i]);
			CHECK(kmq_table_add(&table, &items[i]));
		}
	for (i = 0; i < 1000; i++)
		CHECK(kmq_table_find(&table, first[i]) ==
		      (i % 3 ? &items[i] : NULL));
	INT(1000, table->count);
	CHECK(table->mask < 4096);
	kmq_table_free(table);
}

static void odd_numbers(void)
{
	struct kmq_table *table = &kmq_table_empty;
	struct kmq_item item = { 0 };

	CHECK(kmq_table_add(&table, &item));
	CHECK(!kmq_table_find(&table, 0));
	CHECK(!kmq_table_find(&table, -1));
	CHECK(!kmq_table_find(&table, MQHC_UNASSOCIATED_HCONN));
	CHECK(!kmq_table_find(&table, item.handle + (int)table->mask + 1));
	CHECK(!kmq_table_find(&table, INT32_MIN + item.handle));
	kmq_table_free(table);
}

int main(void)
{
	static const struct test tests[] = {
		TEST(stale_numbers_find_nothing),
		TEST(odd_numbers),
	};

	return RUN(tests);
}
