/* SPDX-License-Identifier: MIT */
/*
 * Gets without a call of the kernel: messages of a window (struct
 * kmq_window_file) are claimed one by one.
 *
 * The kernel shows the messages that the next gets would get, and leaves them on
 * the queue. One that has been claimed has been got, as by any MQGET; the window
 * ends as soon as anything happens that a get would have noticed. So nothing
 * differs but the time it takes: nothing has to be given back when a callback
 * stops consumption, and no message is overtaken.
 *
 * Copies of messages that are not got are wasted, so windows begin small and grow
 * as long as they are used up, and a queue that mostly has one message is not
 * looked at in advance.
 */
#ifndef KMQ_AHEAD_H
#define KMQ_AHEAD_H

#include "get.h"

#define KMQ_AHEAD_MAX	32

/**
 * struct kmq_ahead_entry - a message of a window
 * @get: what the kernel answers to the get of it
 * @ext: parts of the descriptor that are not at their defaults
 */
struct kmq_ahead_entry {
	struct kmq_get get;
	struct kmq_md_ext ext;
};

/**
 * struct kmq_ahead_room - where windows are shown
 * @entries: messages
 * @data: their data
 */
struct kmq_ahead_room {
	struct kmq_ahead_entry entries[KMQ_AHEAD_MAX];
	char data[];
};

/**
 * struct kmq_ahead - the window of a queue handle
 * @word: shared with the kernel, NULL until there has been a window
 * @room: likewise
 * @expected: what the word has to be for the next message to be claimed
 * @at: number of that message
 * @count: messages in the window
 * @asked: messages that the window could have had
 * @want: messages that the next one can have
 * @alike: gets that were made by the kernel, each like the one before
 * @patience: how many of them there have to be before a window pays
 * @options: MQGMO_* of these gets, but for MQGMO_WAIT
 * @match_options: their MQMO_*
 * @gmo_version: version of their MQGMO
 * @md_version: version of their MQMD
 * @never: the kernel has none for this handle
 * @sent_id: number of the context that a message has which comes without one
 * @sent: that context
 */
struct kmq_ahead {
	uint64_t *word;
	struct kmq_ahead_room *room;
	uint64_t expected;
	uint32_t at;
	uint32_t count;
	uint32_t asked;
	uint32_t want;
	uint32_t alike;
	uint32_t patience;
	uint32_t options;
	uint32_t match_options;
	uint16_t gmo_version;
	uint16_t md_version;
	bool never;
	uint64_t sent_id;
	struct kmq_origin sent;
};

/* Of a handle; NULL if there is no memory for it: it has no windows then. */
struct kmq_ahead *kmq_ahead_new(void);
void kmq_ahead_free(struct kmq_ahead *ahead);

/**
 * kmq_ahead_get() - claim the next message, if it is shown
 * @ahead: that of the object
 * @object: queue handle
 * @call: the get, prepared
 *
 * Return: true if the get has been made, with MQCC_OK; else nothing has happened.
 */
bool kmq_ahead_get(struct kmq_ahead *ahead, struct kmq_object *object,
		   struct kmq_get_call *call);

/* The kernel has made the get. */
void kmq_ahead_made(struct kmq_ahead *ahead, const struct kmq_get_call *call,
		    MQLONG comp_code);

#endif
