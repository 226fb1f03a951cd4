/* SPDX-License-Identifier: MIT */
/*
 * Object handles: what an Hobj stands for.
 */
#ifndef KMQ_OBJECT_H
#define KMQ_OBJECT_H

#include "conn.h"

/**
 * struct kmq_object - an open object
 * @item: its number, Hobj
 * @type: MQOT_*
 * @fd: file of a queue; -1 for other objects, which the file of the connection
 *	answers for
 * @remote: messages go to another queue manager
 * @def_put_response: MQPRT_* of the definition named
 * @property_control: MQPROP_* of the definition named
 * @ctx_id: number of the context in @origin
 * @consumer: what gets its messages, or NULL
 * @opened: the queue whose node was opened; of a model, the one made
 * @resolved_q: local queue behind the name; with @resolved_qmgr as an MQPMO
 *	has them
 * @resolved_qmgr: its queue manager
 * @origin: context of the message that was got last
 * @name: ObjectName as given by the program, blank padded
 * @qmgr_name: ObjectQMgrName, likewise
 */
struct kmq_object {
	struct kmq_item item;
	MQLONG type;
	int fd;
	bool remote;
	MQLONG def_put_response;
	MQLONG property_control;
	uint64_t ctx_id;
	struct kmq_consumer *consumer;
	char opened[KMQ_NAME_LEN];
	char resolved_q[KMQ_NAME_LEN];
	char resolved_qmgr[KMQ_NAME_LEN];
	struct kmq_origin origin;
	char name[KMQ_NAME_LEN];
	char qmgr_name[KMQ_NAME_LEN];
};

KMQ_INLINE struct kmq_object *kmq_object_find(struct kmq_conn *conn,
					      MQHOBJ hobj)
{
	return (void *)kmq_table_find(&conn->objects, hobj);
}

/* The same if it is a queue. */
KMQ_INLINE struct kmq_object *kmq_object_queue(struct kmq_conn *conn,
					       MQHOBJ hobj)
{
	struct kmq_object *object = kmq_object_find(conn, hobj);

	return likely(object && object->type == MQOT_Q) ? object : NULL;
}

/* Close all objects of a connection, without warnings (O-DISC-1). */
void kmq_objects_close(struct kmq_conn *conn);

#endif
