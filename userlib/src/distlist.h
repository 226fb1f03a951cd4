/* SPDX-License-Identifier: MIT */
/*
 * Distribution lists: one handle for several queues.
 */
#ifndef KMQ_DISTLIST_H
#define KMQ_DISTLIST_H

#include "object.h"
#include "results.h"

/**
 * struct kmq_distlist - an open distribution list
 * @object: what the Hobj stands for, of type KMQ_OT_LIST
 * @results: of the call that runs, room for @count
 * @count: destinations
 * @queues: the handles; one that is not open has no file
 */
struct kmq_distlist {
	struct kmq_object object;
	struct kmq_results results;
	MQLONG count;
	struct kmq_object queues[];
};

/* A list that is not open, to be freed with free(). NULL: no memory. */
struct kmq_distlist *kmq_distlist_alloc(MQLONG count);

/* The list that @hobj stands for, or NULL. */
KMQ_INLINE struct kmq_distlist *kmq_distlist_find(struct kmq_conn *conn,
						  MQHOBJ hobj)
{
	struct kmq_object *object = kmq_object_find(conn, hobj);

	return object && object->type == KMQ_OT_LIST ? (void *)object : NULL;
}

/**
 * kmq_distlist_open() - MQOPEN of a list
 * @conn: connection
 * @od: its structure, records and @options have been checked
 * @options: MQOO_*
 * @list: has room for the destinations of @od
 * @reason: MQI reason
 *
 * Return: completion code; nothing is open after MQCC_FAILED.
 */
MQLONG kmq_distlist_open(struct kmq_conn *conn, MQOD *od, MQLONG options,
			 struct kmq_distlist *list, PMQLONG reason);

/**
 * kmq_distlist_close() - MQCLOSE of a list (O-CLOSE-9)
 * @list: what cannot be closed stays open
 * @options: MQCO_*
 * @reason: MQI reason
 *
 * Return: completion code.
 */
MQLONG kmq_distlist_close(struct kmq_distlist *list, MQLONG options,
			  PMQLONG reason);

/* Close what files it still has. */
void kmq_distlist_shut(struct kmq_distlist *list);

#endif
