/* SPDX-License-Identifier: MIT */
/*
 * A put, as steps that MQPUT, MQPUT1 and batched puts share.
 */
#ifndef KMQ_PUT_H
#define KMQ_PUT_H

#include "object.h"

/**
 * struct kmq_put_call - one put on its way through the kernel
 * @put: what the kernel sees and answers
 * @ext: parts of the descriptor that are not at their defaults
 * @md: descriptor of the program
 * @pmo: options of the program
 */
struct kmq_put_call {
	struct kmq_put put;
	struct kmq_md_ext ext;
	MQMD *md;
	MQPMO *pmo;
};

/* Fill in @call; the program's structures may be missing or malformed. */
void kmq_put_prepare(struct kmq_put_call *call, struct kmq_conn *conn,
		     MQMD *md, MQPMO *pmo, MQLONG length, const void *buffer);

/**
 * kmq_put_run() - carry a prepared put out
 * @call: the put
 * @fd: file of the queue
 * @cmd: KMQ_IOC_PUT or KMQ_IOC_PUT1
 * @reason: MQI reason
 *
 * Return: completion code.
 */
MQLONG kmq_put_run(struct kmq_put_call *call, int fd, unsigned long cmd,
		   PMQLONG reason);

/* Lines 3 and 4 of P-CHK-1, for a put that the kernel does not see. */
MQLONG kmq_put_early(const struct kmq_put_call *call, bool put1);

/* The MQPMO says that it has records; for a put to one queue that is 2154. */
bool kmq_put_has_records(const struct kmq_put_call *call);

/* True if the call uses what a batch cannot do; kmq_put_run() does. */
bool kmq_put_is_special(const struct kmq_put_call *call);

/* After OK or WARNING: give the program's structures their output. */
void kmq_put_finish(const struct kmq_put_call *call, struct kmq_conn *conn,
		    bool remote, const char *resolved);

/* After a put through a handle, whatever its result: the same, and MQSTAT. */
void kmq_put_ended(const struct kmq_put_call *call, struct kmq_conn *conn,
		   const struct kmq_object *object, MQLONG comp_code,
		   MQLONG reason);

/* After a put that did not fail: did its message go to another queue manager? */
bool kmq_put_is_remote(const struct kmq_put_call *call,
		       const struct kmq_object *o);

#endif
