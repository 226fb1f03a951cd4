/* SPDX-License-Identifier: MIT */
/*
 * A get, as steps that MQGET and batched gets share.
 */
#ifndef KMQ_GET_H
#define KMQ_GET_H

#include "object.h"

/**
 * struct kmq_get_call - one get on its way through the kernel
 * @get: what the kernel sees and answers
 * @ext: parts of the descriptor that are not at their defaults
 * @md: descriptor of the program
 * @gmo: options of the program
 * @buffer: where the data goes
 * @ccsid: wanted CodedCharSetId, with MQGMO_CONVERT
 * @encoding: wanted Encoding, likewise
 */
struct kmq_get_call {
	struct kmq_get get;
	struct kmq_md_ext ext;
	MQMD *md;
	MQGMO *gmo;
	void *buffer;
	MQLONG ccsid;
	MQLONG encoding;
};

/* Fill in @call; the program's structures may be missing or malformed. */
void kmq_get_prepare(struct kmq_get_call *call,
		     const struct kmq_object *object, MQMD *md, MQGMO *gmo,
		     MQLONG length, void *buffer, bool has_data_length);

/* Carry a prepared get out; completion code. */
MQLONG kmq_get_run(struct kmq_get_call *call, const struct kmq_object *object,
		   PMQLONG reason);

/* True if the call uses what a batch cannot do; kmq_get_run() does. */
bool kmq_get_is_special(const struct kmq_get_call *call,
			const struct kmq_object *object);

/**
 * kmq_get_finish() - give the program's structures their output
 * @call: the get
 * @conn: its connection
 * @object: its queue handle
 * @comp_code: completion code so far
 * @reason: reason so far; replaced by a warning about conversion
 * @data_length: set to DataLength
 *
 * Return: completion code.
 */
MQLONG kmq_get_finish(struct kmq_get_call *call, struct kmq_conn *conn,
		      struct kmq_object *object, MQLONG comp_code,
		      PMQLONG reason, PMQLONG data_length);

#endif
