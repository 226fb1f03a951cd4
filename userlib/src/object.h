/* SPDX-License-Identifier: MIT */
/*
 * Object handles: what an Hobj stands for.
 */
#ifndef KMQ_OBJECT_H
#define KMQ_OBJECT_H

#include "conn.h"

struct kmq_ahead;

/* Of a handle on a distribution list, a struct kmq_distlist. */
#define KMQ_OT_LIST	(-1)

/**
 * struct kmq_object - an open object
 * @item: its number, Hobj
 * @type: MQOT_*, or KMQ_OT_LIST
 * @fd: file of a queue; -1 for a list, which has several, and for other
 *	objects, which the file of the connection answers for
 * @remote: messages go to another queue manager
 * @put_flags: KMQ_PUT_* of every put: whether it asks where the message went
 * @def_put_response: MQPRT_* of the definition named
 * @property_control: MQPROP_* of the definition named
 * @ctx_id: number of the context in @origin
 * @consumer: what gets its messages, or NULL
 * @ahead: window for what gets its messages, NULL if none ever did
 * @reads_ahead: MQGET uses it, too (G-OPN-4)
 * @opened: the queue whose node was opened; of a model, the one made
 * @resolved_q: queue behind the name; with @resolved_qmgr as an MQPMO
 *	has them
 * @resolved_qmgr: its queue manager
 * @origin: context of the message that was got last
 * @dated: time that its date shows, 0: none
 * @name: ObjectName as given by the program, blank padded
 * @qmgr_name: ObjectQMgrName, likewise
 */
struct kmq_object {
	struct kmq_item item;
	MQLONG type;
	int fd;
	bool remote;
	uint32_t put_flags;
	MQLONG def_put_response;
	MQLONG property_control;
	uint64_t ctx_id;
	struct kmq_consumer *consumer;
	struct kmq_ahead *ahead;
	bool reads_ahead;
	char opened[KMQ_NAME_LEN];
	char resolved_q[KMQ_NAME_LEN];
	char resolved_qmgr[KMQ_NAME_LEN];
	struct kmq_origin origin;
	uint64_t dated;
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

/**
 * kmq_object_set_origin() - the context that messages have which come without one
 * @object: queue handle
 * @origin: context; its date is that of some other message
 * @ctx_id: its number
 */
KMQ_INLINE void kmq_object_set_origin(struct kmq_object *object,
				      const struct kmq_origin *origin,
				      uint64_t ctx_id)
{
	object->origin = *origin;
	object->ctx_id = ctx_id;
	object->dated = 0;
}

/*
 * Why kmq_object_queue() finds none: @not_open for a list, which is not open
 * for the call (P-DL-1), or 2019.
 */
KMQ_INLINE MQLONG kmq_object_refusal(struct kmq_conn *conn, MQHOBJ hobj,
				     MQLONG not_open)
{
	const struct kmq_object *object = kmq_object_find(conn, hobj);

	return object && object->type == KMQ_OT_LIST ? not_open :
						       MQRC_HOBJ_ERROR;
}

/**
 * kmq_object_open() - the steps of MQOPEN from the name on (O-OPEN-13)
 * @conn: connection
 * @od: not a list; its structure and @options have been checked
 * @options: MQOO_*
 * @object: handle without a file, which it gets
 * @reason: MQI reason
 *
 * Return: completion code.
 */
MQLONG kmq_object_open(struct kmq_conn *conn, MQOD *od, MQLONG options,
		       struct kmq_object *object, PMQLONG reason);

/**
 * kmq_object_open_fixed() - the same for a queue that a model cannot make
 * @conn: connection
 * @od: a list, or anything that has an AlternateUserId
 * @names: the queue (O-DL-5, P-ONE-2)
 * @options: MQOO_*
 * @object: handle without a file, which it gets
 * @reason: MQI reason
 *
 * Return: completion code.
 */
MQLONG kmq_object_open_fixed(struct kmq_conn *conn, const MQOD *od,
			     const MQOR *names, MQLONG options,
			     struct kmq_object *object, PMQLONG reason);

/* MQCLOSE of an object that no consumer is registered for; its file remains. */
MQLONG kmq_object_close(struct kmq_object *object, MQLONG options,
			PMQLONG reason);

/* Close all objects of a connection, without warnings (O-DISC-1). */
void kmq_objects_close(struct kmq_conn *conn);

#endif
