/* SPDX-License-Identifier: MIT */
/*
 * kmq.h - what libkmq offers beyond the MQI
 *
 * All calls follow the rules of the MQI for handles: a connection that is not
 * shared is used by its own thread only (2018), two calls at a time on a shared
 * one wait for each other or fail with 2219. Link with -lkmq.
 */
#ifndef KMQ_H_INCLUDED
#define KMQ_H_INCLUDED

#include <cmqc.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * kmq_conn_fd() - descriptor of a connection
 * @Hconn: connection
 *
 * The descriptor is good for the commands of <linux/kmq.h> that ask about
 * other objects (KMQ_IOC_INFO, _LIST, _INQUIRE, _STATUS). It stays the
 * library's: do not close it, and do not use it after MQDISC.
 *
 * Return: the descriptor, or -1 with errno EBADF for a handle that is none and
 * EBUSY while another call uses it.
 */
int kmq_conn_fd(MQHCONN Hconn);

/**
 * kmq_object_fd() - descriptor of a queue handle, to wait for messages with
 * @Hconn: connection
 * @Hobj: open queue
 *
 * poll(), epoll and io_uring find it readable (POLLIN) when an MQGET without
 * any match option would return a message, or when a signal asked for with
 * MQGMO_SET_SIGNAL has been posted; writable (POLLOUT) when an MQPUT would not
 * meet a full queue; hung up (POLLHUP) when the queue is gone. It stays the
 * library's: do not close it, and do not use it after MQCLOSE.
 *
 * Return: the descriptor, or -1 with errno EBADF for handles that are none, or
 * no queue's, and EBUSY while another call uses the connection.
 */
int kmq_object_fd(MQHCONN Hconn, MQHOBJ Hobj);

/**
 * kmq_signal_status() - state of the signal of a queue handle
 * @Hconn: connection
 * @Hobj: open queue
 * @Status: set to 0 if there is no signal, 1 while it is outstanding, or the
 *	code it was posted with: MQEC_MSG_ARRIVED, ...
 * @CompCode: completion code
 * @Reason: MQRC_HCONN_ERROR, MQRC_HOBJ_ERROR, MQRC_CALL_IN_PROGRESS
 *
 * Looking at a signal does not change it. One that was posted is cleared by the
 * next MQGET or by MQCLOSE.
 */
void kmq_signal_status(MQHCONN Hconn, MQHOBJ Hobj, PMQLONG Status,
		       PMQLONG CompCode, PMQLONG Reason);

/**
 * struct kmq_put_item - one message of kmq_put_many()
 * @MsgDesc: MQMD, as for MQPUT
 * @PutMsgOpts: MQPMO, as for MQPUT; several items may use the same one, which
 *	then shows the output of the last
 * @Buffer: message data
 * @BufferLength: its length
 * @CompCode: result of this message
 * @Reason: result of this message
 */
typedef struct kmq_put_item {
	PMQVOID MsgDesc;
	PMQVOID PutMsgOpts;
	PMQVOID Buffer;
	MQLONG BufferLength;
	MQLONG CompCode;
	MQLONG Reason;
} kmq_put_item;

/**
 * kmq_put_many() - put several messages with few system calls
 * @Hconn: connection
 * @Hobj: queue opened for output
 * @Count: number of items, 0 or more
 * @Items: the messages
 * @Done: set to the number of items that have a result
 * @CompCode: that of the first item that failed, else of the first that
 *	warned, else MQCC_OK
 * @Reason: reason of the same item, or why the call could not be done at all
 *
 * The same as MQPUT for one item after the other, up to and including the
 * first that fails. The messages are not put as one: use MQPMO_SYNCPOINT and
 * MQCMIT for that.
 */
void kmq_put_many(MQHCONN Hconn, MQHOBJ Hobj, MQLONG Count,
		  kmq_put_item *Items, PMQLONG Done, PMQLONG CompCode,
		  PMQLONG Reason);

/**
 * struct kmq_get_item - one message of kmq_get_many()
 * @MsgDesc: MQMD, as for MQGET
 * @GetMsgOpts: MQGMO, as for MQGET; several items may use the same one, which
 *	then shows the output of the last
 * @Buffer: where the data goes
 * @BufferLength: its size
 * @DataLength: length of the message
 * @CompCode: result of this message
 * @Reason: result of this message
 */
typedef struct kmq_get_item {
	PMQVOID MsgDesc;
	PMQVOID GetMsgOpts;
	PMQVOID Buffer;
	MQLONG BufferLength;
	MQLONG DataLength;
	MQLONG CompCode;
	MQLONG Reason;
} kmq_get_item;

/**
 * kmq_get_many() - get several messages with few system calls
 * @Hconn: connection
 * @Hobj: queue opened for input or browse
 * @Count: number of items, 0 or more
 * @Items: where the messages go
 * @Done: set to the number of items that have a result
 * @CompCode: that of the first item that failed, else of the first that
 *	warned, else MQCC_OK; MQCC_OK also if messages came before there were
 *	no more (MQRC_NO_MSG_AVAILABLE), which @Done tells
 * @Reason: reason of the same item, or why the call could not be done at all
 *
 * The same as MQGET for one item after the other, up to and including the
 * first that fails. Only the first item waits. All items are told apart by
 * their own result: with 2033 in the last, @Done - 1 messages came.
 */
void kmq_get_many(MQHCONN Hconn, MQHOBJ Hobj, MQLONG Count,
		  kmq_get_item *Items, PMQLONG Done, PMQLONG CompCode,
		  PMQLONG Reason);

#ifdef __cplusplus
}
#endif

#endif
