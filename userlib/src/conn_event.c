// SPDX-License-Identifier: MIT
/*
 * See conn_event.h.
 */
#include "conn_event.h"

#include "device.h"

bool kmq_event_ends(MQLONG reason)
{
	return reason == MQRC_Q_MGR_STOPPING || reason == MQRC_HCONN_ERROR ||
	       reason == MQRC_CONNECTION_BROKEN ||
	       reason == MQRC_CONNECTION_STOPPING;
}

bool kmq_event_concerns(MQLONG reason)
{
	return kmq_event_ends(reason) || reason == MQRC_Q_MGR_QUIESCING ||
	       reason == MQRC_CONNECTION_QUIESCING;
}

/* What the kernel tells of; that the connection is gone is found out here. */
#define EVENT_BROKEN	(1U << 16)

static unsigned int event_of(MQLONG reason)
{
	switch (reason) {
	case MQRC_Q_MGR_STOPPING:
		return KMQ_EVENT_STOPPING;
	case MQRC_Q_MGR_QUIESCING:
		return KMQ_EVENT_QUIESCING;
	case MQRC_CONNECTION_QUIESCING:
		return KMQ_EVENT_CONN_QUIESCING;
	default:
		return EVENT_BROKEN;
	}
}

bool kmq_event_is_told(MQLONG reason)
{
	return event_of(reason) != EVENT_BROKEN;
}

bool kmq_event_call(struct kmq_control *ctl, MQLONG reason,
		    struct kmq_callback *call)
{
	unsigned int event = event_of(reason);

	if ((ctl->told & event) || !ctl->handler.function ||
	    ctl->handler_suspended)
		return false;
	ctl->told |= event;
	kmq_callback_init(call, &ctl->handler, MQHO_NONE, MQCBCT_EVENT_CALL);
	call->comp_code = MQCC_FAILED;
	call->reason = reason;
	if (kmq_event_ends(reason))
		call->state = MQCS_STOPPED;
	return true;
}

void kmq_event_look(struct kmq_control *ctl, const struct kmq_conn *conn)
{
	struct kmq_info info = { .size = sizeof(info), .flags = KMQ_INFO_TAKE };

	if (kmq_ioctl(conn->fd, KMQ_IOC_INFO, &info)) {
		ctl->due |= EVENT_BROKEN;
		return;
	}
	/* What has begun anew is told anew. */
	ctl->told &= EVENT_BROKEN | (info.out_holds & ~info.out_began);
	ctl->due |= info.out_began | info.out_holds;
}

MQLONG kmq_event_take(struct kmq_control *ctl)
{
	static const MQLONG reasons[] = {
		MQRC_CONNECTION_BROKEN, MQRC_Q_MGR_STOPPING,
		MQRC_Q_MGR_QUIESCING, MQRC_CONNECTION_QUIESCING,
	};
	size_t i;

	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		unsigned int event = event_of(reasons[i]);

		if (ctl->due & event) {
			ctl->due &= ~event;
			return reasons[i];
		}
	}
	return MQRC_NONE;
}
