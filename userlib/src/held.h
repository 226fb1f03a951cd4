/* SPDX-License-Identifier: MIT */
/*
 * Puts that the library holds back, to make several of them in one call.
 */
#ifndef KMQ_HELD_H
#define KMQ_HELD_H

#include "put.h"

/* What is held of one connection, at most. */
#define KMQ_HELD_MAX	32
#define KMQ_HELD_BYTES	32768
/* Copying a longer message costs what the call would. */
#define KMQ_HELD_LONGEST	4096

/**
 * DOC: Which puts are held, and how long
 *
 * MQPMO_ASYNC_RESPONSE is permission to tell later how a put went (P-ASY-2).
 * What a careful program can see of it is this:
 *
 * Only puts in a unit of work are held. Nobody else sees their messages before
 * the commit, and a program that ends without it has them backed out, held or
 * not. A put outside of syncpoint is made at once: another process may wait
 * for it, and it must not die with the program.
 *
 * Only a put like the last ones of its unit is held, which the kernel has
 * checked: the same queue, options and descriptor but for the identifiers, no
 * group, no expiry, no reply-to names, no context but the default one. And only
 * after the kernel was asked whether it would refuse any: while the queue or
 * the unit of work is nearly full, or puts are inhibited, each is made at once
 * and has its own result. So a put that is held can fail only for what happens
 * after it.
 *
 * Every other call on the connection makes them first, in their order; nothing
 * on the connection can tell when it was, but for a PutTime that may be later
 * than the MQMD of the put says. They are also made when there are KMQ_HELD_MAX
 * of them. One that fails is counted for MQSTAT, and MQCMIT backs
 * the unit out (A-STAT-4): what was told to be well is committed together or
 * not at all.
 *
 * Connections that several threads may use do not hold anything: a thread may
 * have told another one that it has put a message. Nor do those whose
 * descriptors the program has asked for.
 */

/**
 * struct kmq_held - puts of one connection
 * @object: the queue they go to
 * @count: how many are held
 * @bytes: of their data
 * @longest: bytes a message may have, as the kernel said for these
 * @unit: unit of work in which puts have been alike
 * @alike: how many of them
 * @before: how many there were in the unit before
 * @options: their MQPMO_*
 * @pmo_version: version of their MQPMO
 * @md_version: version of their MQMD
 * @given: descriptor as the program gave it
 * @stored: descriptor as the kernel stored it
 * @next_id: number of the next identifier
 * @ids: how many there are left
 * @puts: what is held
 * @data: its data
 */
struct kmq_held {
	struct kmq_object *object;
	uint32_t count;
	uint32_t bytes;
	uint32_t longest;
	uint32_t unit;
	uint32_t alike;
	uint32_t before;
	uint32_t options;
	uint16_t pmo_version;
	uint16_t md_version;
	struct kmq_md given;
	struct kmq_md stored;
	uint64_t next_id;
	uint32_t ids;
	struct kmq_put puts[KMQ_HELD_MAX];
	char data[KMQ_HELD_BYTES];
};

/**
 * kmq_held_take() - a put whose response may come later
 * @conn: connection
 * @object: queue
 * @call: the put, prepared
 *
 * Return: true if it is held, and the program's structures have their output;
 * else it is to be made at once, after those that are held.
 */
bool kmq_held_take(struct kmq_conn *conn, struct kmq_object *object,
		   struct kmq_put_call *call);

/* It has been made: count it for MQSTAT, and see what the next may be like. */
void kmq_held_made(struct kmq_conn *conn, const struct kmq_object *object,
		   const struct kmq_put_call *call, MQLONG comp_code,
		   MQLONG reason);

/* Make the puts that are held; nothing to do if there are none. */
void kmq_held_flush(struct kmq_conn *conn);

/* The handle @object is closed, with none held. */
void kmq_held_forget(struct kmq_conn *conn, const struct kmq_object *object);

/* The connection ends. */
void kmq_held_free(struct kmq_conn *conn);

#endif
