/* SPDX-License-Identifier: MIT */
/*
 * MQPUT and MQPUT1 to a distribution list.
 */
#ifndef KMQ_PUT_LIST_H
#define KMQ_PUT_LIST_H

#include "put1.h"

/**
 * kmq_put_list() - MQPUT to a handle that is not a queue's
 * @conn: connection
 * @hobj: the handle
 * @md: descriptor of the program
 * @pmo: its options
 * @length: BufferLength
 * @buffer: message data
 * @reason: MQI reason; 2019 if the handle is not a list's either
 *
 * Return: completion code.
 */
MQLONG kmq_put_list(struct kmq_conn *conn, MQHOBJ hobj, MQMD *md, MQPMO *pmo,
		    MQLONG length, const void *buffer, PMQLONG reason);

/* MQPUT1 to the list that the MQOD of @put is. Return: completion code. */
MQLONG kmq_put1_list(const struct kmq_put1 *put, PMQLONG reason);

#endif
