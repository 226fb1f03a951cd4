/* SPDX-License-Identifier: MIT */
/*
 * Every integer constant of the MQI headers by name, and names of numbers
 * for a prefix that is known at run time only. Programs that know the family
 * when they are compiled use cmqstrc.h.
 */
#ifndef KMQ_MQSTR_TABLE_H
#define KMQ_MQSTR_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kmq_str {
	char name[35];
	uint8_t rank;		/* of two names the lower rank is the usual */
	int32_t value;
};

/* In the order of names without regard to case. */
extern const struct kmq_str kmq_str_table[];
extern const size_t kmq_str_count;

/* "MQMD_VERSION_2" gives 2. Case does not matter. */
bool kmq_str_value(const char *name, int32_t *value);

/*
 * The usual name of value among those that start with prefix: "MQOT_" and 1
 * give "MQOT_Q". NULL if there is none.
 */
const char *kmq_str_name(const char *prefix, int32_t value);

#endif
