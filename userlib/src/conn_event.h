/* SPDX-License-Identifier: MIT */
/*
 * Events of a connection: what of them the event handler is to be told.
 */
#ifndef KMQ_CONN_EVENT_H
#define KMQ_CONN_EVENT_H

#include "control.h"

/**
 * DOC: Events of a connection
 *
 * The kernel keeps in mind what has begun since the library asked last, and
 * makes the connection's file readable for EPOLLPRI until then. So the event
 * handler hears of each quiescing, whatever the library was doing meanwhile,
 * whether there are consumers, and though the same was told before and nobody
 * has seen it end. What began several times before anybody asked is told once.
 *
 * @told and @due of struct kmq_control belong to the runner while consumption
 * is started, and to who holds its lock otherwise.
 */

/* Does everything end with this reason? Is it one of the whole connection? */
bool kmq_event_ends(MQLONG reason);
bool kmq_event_concerns(MQLONG reason);

/* Does the kernel tell of it? */
bool kmq_event_is_told(MQLONG reason);

/* Ask the kernel: what has begun, or is the case, becomes due. */
void kmq_event_look(struct kmq_control *ctl, const struct kmq_conn *conn);

/* The gravest reason that is due, which it is no longer then; 0 if none is. */
MQLONG kmq_event_take(struct kmq_control *ctl);

/**
 * kmq_event_call() - prepare the call of the event handler (A-CBC-4)
 * @ctl: control
 * @reason: reason
 * @call: the call to be made
 *
 * Return: false if it has been told, or there is nobody to be told.
 */
bool kmq_event_call(struct kmq_control *ctl, MQLONG reason,
		    struct kmq_callback *call);

#endif
