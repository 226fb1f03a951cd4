/* SPDX-License-Identifier: MIT */
/*
 * The records of an MQPMO: fields of the descriptor and results that each
 * destination of a list has for itself.
 */
#ifndef KMQ_RECORD_H
#define KMQ_RECORD_H

#include "put.h"

/**
 * struct kmq_records - what an MQPMO has for the destinations
 * @count: how many records
 * @fields: MQPMRF_*: what a put message record consists of
 * @size: bytes of one
 * @first: the put message records, NULL if there are none
 * @responses: response records, likewise
 */
struct kmq_records {
	MQLONG count;
	MQLONG fields;
	size_t size;
	unsigned char *first;
	MQRR *responses;
};

/**
 * kmq_records_check() - find and check the records of a put (P-CHK-5)
 * @records: filled in
 * @call: the put, prepared; its structures and options have been checked
 * @responses: those of the MQPMO count, that is, not MQPUT1 (P-DL-10)
 *
 * Return: 0 or 2154, 2158, 2159, 2156.
 */
MQLONG kmq_records_check(struct kmq_records *records,
			 const struct kmq_put_call *call, bool responses);

/* All of @count destinations have a GroupId of their own (P-DL-7). */
bool kmq_records_have_group(const struct kmq_records *records, MQLONG count);

/* Put the fields for destination @i into a put to it that is prepared. */
void kmq_record_apply(const struct kmq_records *records, MQLONG i,
		      struct kmq_put_call *call);

/* After the put: give the record the identifiers used, which are in @md. */
void kmq_record_store(const struct kmq_records *records, MQLONG i,
		      const MQMD *md);

#endif
