/* SPDX-License-Identifier: MIT */
/*
 * Callback functions: how they are found and how they are called.
 */
#ifndef KMQ_ROUTINE_H
#define KMQ_ROUTINE_H

#include "internal.h"

/**
 * struct kmq_routine - a function that was registered
 * @function: the function, NULL if there is none
 * @area: CallbackArea
 * @options: MQCBDO_*
 */
struct kmq_routine {
	PMQCB_FUNCTION function;
	MQPTR area;
	MQLONG options;
};

/**
 * struct kmq_callback - one call of a routine, with all it is given
 * @routine: whom to call
 * @hobj: handle the call is about, MQHO_NONE if it is about none
 * @type: MQCBCT_*
 * @state: MQCS_*
 * @comp_code: completion code
 * @reason: reason
 * @data_length: DataLength of a message
 * @buffer_length: size of the buffer of a message
 * @buffer: message, NULL without
 * @md: its descriptor, NULL without
 * @gmo: its options, NULL without
 *
 * It holds copies only: what it was made from may be gone when it is made,
 * as a callback may deregister, close and disconnect.
 */
struct kmq_callback {
	struct kmq_routine routine;
	MQHOBJ hobj;
	MQLONG type;
	MQLONG state;
	MQLONG comp_code;
	MQLONG reason;
	MQLONG data_length;
	MQLONG buffer_length;
	void *buffer;
	MQMD *md;
	MQGMO *gmo;
};

/* Get the function that an MQCBD names: 2486, 2495, 2496, 2497 (A-CB-5). */
MQLONG kmq_routine_find(struct kmq_routine *routine, const MQCBD *cbd);

/* A call without message of @routine. */
void kmq_callback_init(struct kmq_callback *call,
		       const struct kmq_routine *routine, MQHOBJ hobj,
		       MQLONG type);

/* The same, and true, if the routine asked for calls of that type. */
bool kmq_callback_wanted(struct kmq_callback *call,
			 const struct kmq_routine *routine, MQHOBJ hobj,
			 MQLONG type);

/* Make the call; the connection must not be entered. */
void kmq_callback_make(const struct kmq_callback *call, MQHCONN hconn,
		       MQPTR connection_area);

#endif
