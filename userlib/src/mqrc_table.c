// SPDX-License-Identifier: MIT
/*
 * Reason codes with names and meanings. The rows are generated.
 */
#include <stdbool.h>
#include <string.h>

#include "mqrc_table.h"

const struct kmq_rc kmq_rc_table[] = {
#include "mqrc_table.inc"
};

const size_t kmq_rc_count = sizeof(kmq_rc_table) / sizeof(kmq_rc_table[0]);

const struct kmq_rc *kmq_rc_find(int32_t code)
{
	size_t low = 0, high = kmq_rc_count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (kmq_rc_table[mid].code < code)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == kmq_rc_count || kmq_rc_table[low].code != code)
		return NULL;
	return &kmq_rc_table[low];
}

/* Names are ASCII whatever the locale says. */
static bool same_name(const char *name, const char *upper)
{
	for (; *name && *upper; name++, upper++) {
		char c = *name;

		if (c >= 'a' && c <= 'z')
			c = (char)(c - 'a' + 'A');
		if (c != *upper)
			return false;
	}
	return !*name && !*upper;
}

const struct kmq_rc *kmq_rc_find_name(const char *name)
{
	for (size_t i = 0; i < kmq_rc_count; i++) {
		const struct kmq_rc *rc = &kmq_rc_table[i];

		if (same_name(name, rc->name) ||
		    same_name(name, strchr(rc->name, '_') + 1))
			return rc;
	}
	return NULL;
}
