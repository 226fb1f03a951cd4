/* SPDX-License-Identifier: MIT */
/*
 * MQPUT1 to a single queue, and the files that a connection keeps open for it.
 */
#ifndef KMQ_PUT1_H
#define KMQ_PUT1_H

#include "record.h"

/**
 * struct kmq_put1 - one MQPUT1
 * @conn: connection
 * @od: object descriptor, its structure and records checked
 * @md: descriptor of the program, as what follows
 * @pmo: its options
 * @length: BufferLength
 * @buffer: message data
 * @records: records of the list to which the queue belongs, or NULL
 * @index: number of the queue in the list
 * @remote: the message went to another queue manager
 * @queue: ObjectName, blank padded
 * @qmgr: ObjectQMgrName, blank padded
 * @file: file it went to, or NULL
 * @call: the put
 *
 * The first part is given by the caller, the rest is for kmq_put1_run().
 */
struct kmq_put1 {
	struct kmq_conn *conn;
	MQOD *od;
	MQMD *md;
	MQPMO *pmo;
	MQLONG length;
	const void *buffer;
	const struct kmq_records *records;
	MQLONG index;

	bool remote;
	char queue[KMQ_NAME_LEN];
	char qmgr[KMQ_NAME_LEN];
	struct kmq_put1_file *file;
	struct kmq_put_call call;
};

/* MQPUT1 to one queue: resolve its name, put. Return: completion code. */
MQLONG kmq_put1_run(struct kmq_put1 *put, PMQLONG reason);

/* Close the files kept by a connection. */
void kmq_put1_close(struct kmq_conn *conn);

#endif
