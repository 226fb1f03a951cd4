/* SPDX-License-Identifier: MIT */
/*
 * MQGMO_CONVERT.
 */
#ifndef KMQ_CONVERT_H
#define KMQ_CONVERT_H

#include "get.h"

/**
 * kmq_convert() - bring a message that was returned into the form wanted
 * @call: a get that returned a message, its descriptor filled in
 * @conn: its connection
 *
 * Return: MQRC_NONE or the warning of G-CNV.
 */
MQLONG kmq_convert(struct kmq_get_call *call, const struct kmq_conn *conn);

#endif
