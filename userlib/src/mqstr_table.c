// SPDX-License-Identifier: MIT
/*
 * Constants by name and names of numbers. The rows are generated.
 */
#include <string.h>

#include "mqstr_table.h"

const struct kmq_str kmq_str_table[] = {
#include "mqstr_table.inc"
};

const size_t kmq_str_count = sizeof(kmq_str_table) / sizeof(kmq_str_table[0]);

/* Names are ASCII whatever the locale says. */
static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static int compare(const char *a, const char *b, size_t n)
{
	for (; n && *a && lower(*a) == lower(*b); n--)
		a++, b++;
	return n ? lower(*a) - lower(*b) : 0;
}

/* The first row that is not before the first n characters of name. */
static size_t first_at(const char *name, size_t n)
{
	size_t low = 0, high = kmq_str_count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare(kmq_str_table[mid].name, name, n) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

bool kmq_str_value(const char *name, int32_t *value)
{
	size_t n = strlen(name) + 1;
	size_t at = first_at(name, n);

	if (at == kmq_str_count || compare(kmq_str_table[at].name, name, n))
		return false;
	*value = kmq_str_table[at].value;
	return true;
}

const char *kmq_str_name(const char *prefix, int32_t value)
{
	const struct kmq_str *best = NULL;
	size_t n = strlen(prefix);

	for (size_t i = first_at(prefix, n); i < kmq_str_count; i++) {
		const struct kmq_str *row = &kmq_str_table[i];

		if (compare(row->name, prefix, n))
			break;
		if (row->value == value && (!best || row->rank < best->rank))
			best = row;
	}
	return best ? best->name : NULL;
}
