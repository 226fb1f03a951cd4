/* SPDX-License-Identifier: MIT */
/*
 * What came of the destinations of a list, one by one and as a whole.
 */
#ifndef KMQ_RESULTS_H
#define KMQ_RESULTS_H

#include "internal.h"

/**
 * struct kmq_results - results of a call, by destination
 * @count: destinations that have one
 * @known: local queues for which it went well
 * @unknown: remote ones
 * @invalid: destinations for which it failed
 * @each: the results, room for all destinations
 */
struct kmq_results {
	MQLONG count;
	MQLONG known;
	MQLONG unknown;
	MQLONG invalid;
	MQRR *each;
};

/* Begin another call. */
void kmq_results_clear(struct kmq_results *results);

/* The next destination has its result. */
void kmq_results_add(struct kmq_results *results, MQLONG comp_code,
		     MQLONG reason, bool remote);

/**
 * kmq_results_total() - result of the call (O-DL-3, P-DL-8)
 * @results: there is one at least
 * @responses: response records of the program, or NULL
 * @count: how many of them
 * @reason: MQI reason
 *
 * The response records are written if the results differ.
 *
 * Return: completion code.
 */
MQLONG kmq_results_total(const struct kmq_results *results, MQRR *responses,
			 MQLONG count, PMQLONG reason);

#endif
