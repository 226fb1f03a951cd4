/* SPDX-License-Identifier: MIT */
/*
 * Files that a connection keeps open for MQPUT1.
 */
#ifndef KMQ_PUT1_H
#define KMQ_PUT1_H

#include "conn.h"

/* Close them all. */
void kmq_put1_close(struct kmq_conn *conn);

#endif
