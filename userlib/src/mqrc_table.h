/* SPDX-License-Identifier: MIT */
/*
 * Reason codes with names and meanings: MQRC_* and MQRCCF_*.
 */
#ifndef KMQ_MQRC_TABLE_H
#define KMQ_MQRC_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct kmq_rc {
	int32_t code;
	const char *name;	/* "MQRC_Q_FULL" */
	const char *text;	/* one line without a full stop */
};

/* In the order of codes; of two names for one code the usual one is first. */
extern const struct kmq_rc kmq_rc_table[];
extern const size_t kmq_rc_count;

/* Both return NULL if there is no such reason. */
const struct kmq_rc *kmq_rc_find(int32_t code);

/* Case does not matter, and the prefix may be left out: "q_full". */
const struct kmq_rc *kmq_rc_find_name(const char *name);

#endif
