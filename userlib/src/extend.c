// SPDX-License-Identifier: MIT
/*
 * The small calls of <kmq.h>: descriptors and the state of a signal.
 */
#include <kmq.h>

#include <errno.h>

#include "device.h"
#include "object.h"

static struct kmq_conn *enter(MQHCONN hconn)
{
	struct kmq_conn *c;
	MQLONG reason;

	c = kmq_conn_enter(hconn, &reason);
	if (!c)
		errno = reason == MQRC_HCONN_ERROR ? EBADF : EBUSY;
	return c;
}

KMQ_API int kmq_conn_fd(MQHCONN Hconn)
{
	struct kmq_conn *c = enter(Hconn);
	int fd;

	if (!c)
		return -1;
	fd = c->fd;
	c->shown = true;
	kmq_conn_leave(c);
	return fd;
}

KMQ_API int kmq_object_fd(MQHCONN Hconn, MQHOBJ Hobj)
{
	struct kmq_conn *c = enter(Hconn);
	struct kmq_object *o;
	int fd = -1;

	if (!c)
		return -1;
	o = kmq_object_queue(c, Hobj);
	c->shown = true;
	if (o)
		fd = o->fd;
	else
		errno = EBADF;
	kmq_conn_leave(c);
	return fd;
}

KMQ_API void kmq_signal_status(MQHCONN Hconn, MQHOBJ Hobj, PMQLONG Status,
			       PMQLONG CompCode, PMQLONG Reason)
{
	struct kmq_signal_status k = { .size = sizeof(k) };
	struct kmq_object *o;
	struct kmq_conn *c;
	int err;

	*CompCode = MQCC_FAILED;
	c = kmq_conn_enter(Hconn, Reason);
	if (!c)
		return;
	o = kmq_object_queue(c, Hobj);
	err = o ? kmq_ioctl(o->fd, KMQ_IOC_SIGNAL_STATUS, &k) : -EBADF;
	kmq_conn_leave(c);
	if (err) {
		*Reason = kmq_object_reason(err);
		return;
	}
	*CompCode = k.out_comp_code;
	*Reason = k.out_reason;
	*Status = k.out_status;
}
