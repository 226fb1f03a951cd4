// SPDX-License-Identifier: MIT
/*
 * MQCB: which functions are called (A-CB).
 */
#include "control.h"

KMQ_SECOND_NAME(MQCB);

#define OPTIONS	(MQCBDO_START_CALL | MQCBDO_STOP_CALL | MQCBDO_REGISTER_CALL | \
		 MQCBDO_DEREGISTER_CALL | MQCBDO_EVENT_CALL |		   \
		 MQCBDO_MC_EVENT_CALL | MQCBDO_FAIL_IF_QUIESCING)

/**
 * struct request - the parameters of an MQCB
 * @conn: connection, entered
 * @op: Operation
 * @cbd: descriptor, checked; MQCBD_DEFAULT if none was needed
 * @hobj: Hobj
 * @md: MsgDesc, may be NULL
 * @gmo: GetMsgOpts, may be NULL
 * @call: call to be made afterwards, if it has a function
 */
struct request {
	struct kmq_conn *conn;
	MQLONG op;
	const MQCBD *cbd;
	MQHOBJ hobj;
	MQMD *md;
	MQGMO *gmo;
	struct kmq_callback call;
};

/* A-CB-1 */
static bool operation_valid(MQLONG op)
{
	switch (op) {
	case MQOP_REGISTER:
	case MQOP_REGISTER | MQOP_SUSPEND:
	case MQOP_REGISTER | MQOP_RESUME:
	case MQOP_DEREGISTER:
	case MQOP_SUSPEND:
	case MQOP_RESUME:
		return true;
	default:
		return false;
	}
}

/* Without a descriptor, where it is not needed, a consumer is meant. */
static MQLONG check(struct request *r)
{
	static const MQCBD default_cbd = { MQCBD_DEFAULT };

	if (!operation_valid(r->op))
		return MQRC_OPERATION_ERROR;
	if (!r->cbd && !(r->op & MQOP_REGISTER))
		r->cbd = &default_cbd;
	if (!kmq_version_of(r->cbd, MQCBD_STRUC_ID, MQCBD_VERSION_1))
		return MQRC_CBD_ERROR;
	if (r->cbd->CallbackType != MQCBT_MESSAGE_CONSUMER &&
	    r->cbd->CallbackType != MQCBT_EVENT_HANDLER)
		return MQRC_CALLBACK_TYPE_ERROR;
	if (!(r->op & MQOP_REGISTER))
		return MQRC_NONE;
	if (r->cbd->Options & ~OPTIONS)
		return MQRC_CBD_OPTIONS_ERROR;
	if (r->cbd->MaxMsgLength < MQCBD_FULL_MSG_LENGTH)
		return MQRC_MAX_MSG_LENGTH_ERROR;
	return MQRC_NONE;
}

static MQLONG quiescing(const struct request *r)
{
	return r->cbd->Options & MQCBDO_FAIL_IF_QUIESCING ?
		       kmq_conn_quiescing(r->conn) : MQRC_NONE;
}

/* Consumers */

static MQLONG consumer_register(struct request *r, struct kmq_control *ctl,
				struct kmq_object *o)
{
	struct kmq_routine routine;
	MQLONG reason = kmq_routine_find(&routine, r->cbd);

	if (!reason)
		reason = kmq_consumer_check(o, r->md, r->gmo);
	if (!reason)
		reason = quiescing(r);
	if (reason)
		return reason;
	if (!o->consumer && !kmq_consumer_new(ctl, r->conn, o))
		return MQRC_STORAGE_NOT_AVAILABLE;
	o->consumer->routine = routine;
	kmq_consumer_set(ctl, o->consumer, r->md, r->gmo,
			 r->cbd->MaxMsgLength, r->op & MQOP_SUSPEND);
	kmq_callback_wanted(&r->call, &routine, r->hobj,
			    MQCBCT_REGISTER_CALL);
	return MQRC_NONE;
}

static MQLONG consumer_operate(struct request *r, struct kmq_control *ctl)
{
	struct kmq_object *o = kmq_object_queue(r->conn, r->hobj);

	if (!o)
		return kmq_object_refusal(r->conn, r->hobj,
					  r->op & MQOP_REGISTER ?
					  MQRC_NOT_OPEN_FOR_INPUT :
					  MQRC_CALLBACK_NOT_REGISTERED);
	if (r->op & MQOP_REGISTER)
		return consumer_register(r, ctl, o);
	if (!o->consumer)
		return MQRC_CALLBACK_NOT_REGISTERED;
	if (r->op == MQOP_DEREGISTER)
		kmq_consumer_free(ctl, o->consumer, &r->call);
	else
		kmq_consumer_suspend(ctl, o->consumer,
				     r->op == MQOP_SUSPEND);
	return MQRC_NONE;
}

/* The event handler */

/* The library's thread looks at it too, under the lock. */
static void handler_set(struct kmq_control *ctl,
			const struct kmq_routine *routine, bool suspended)
{
	pthread_mutex_lock(&ctl->lock);
	if (routine) {
		if (!ctl->handler.function)
			ctl->handler_begun = false;
		ctl->handler = *routine;
		ctl->news |= !ctl->handler_begun;
		ctl->told = 0;
	}
	ctl->handler_suspended = suspended;
	pthread_mutex_unlock(&ctl->lock);
	/* What is the case already is told too. */
	kmq_control_wake(ctl);
}

static MQLONG handler_register(struct request *r, struct kmq_control *ctl)
{
	struct kmq_routine routine;
	MQLONG reason = kmq_routine_find(&routine, r->cbd);

	if (!reason)
		reason = quiescing(r);
	if (!reason)
		reason = kmq_control_thread(r->conn);
	if (reason)
		return reason;
	handler_set(ctl, &routine, r->op & MQOP_SUSPEND);
	kmq_callback_wanted(&r->call, &routine, MQHO_NONE,
			    MQCBCT_REGISTER_CALL);
	return MQRC_NONE;
}

static MQLONG handler_operate(struct request *r, struct kmq_control *ctl)
{
	static const struct kmq_routine none;

	if (r->op & MQOP_REGISTER)
		return handler_register(r, ctl);
	if (!ctl->handler.function)
		return MQRC_CALLBACK_NOT_REGISTERED;
	if (r->op != MQOP_DEREGISTER) {
		handler_set(ctl, NULL, r->op == MQOP_SUSPEND);
		return MQRC_NONE;
	}
	kmq_callback_wanted(&r->call, &ctl->handler, MQHO_NONE,
			    MQCBCT_DEREGISTER_CALL);
	handler_set(ctl, &none, false);
	return MQRC_NONE;
}

static MQLONG operate(struct request *r)
{
	MQLONG reason = check(r);
	struct kmq_control *ctl;

	if (reason)
		return reason;
	ctl = kmq_control_of(r->conn, &reason);
	if (!ctl)
		return reason;
	return r->cbd->CallbackType == MQCBT_EVENT_HANDLER ?
		       handler_operate(r, ctl) : consumer_operate(r, ctl);
}

KMQ_API void MQENTRY MQCB(MQHCONN Hconn, MQLONG Operation,
			  PMQVOID pCallbackDesc, MQHOBJ Hobj, PMQVOID pMsgDesc,
			  PMQVOID pGetMsgOpts, PMQLONG pCompCode,
			  PMQLONG pReason)
{
	struct request r = {
		.op = Operation,
		.cbd = pCallbackDesc,
		.hobj = Hobj,
		.md = pMsgDesc,
		.gmo = pGetMsgOpts,
	};
	MQPTR area;

	*pCompCode = MQCC_FAILED;
	r.conn = kmq_conn_enter(Hconn, pReason);
	if (!r.conn)
		return;
	*pReason = operate(&r);
	if (!*pReason)
		*pCompCode = MQCC_OK;
	area = r.conn->control ? r.conn->control->area : NULL;
	kmq_conn_leave(r.conn);
	if (r.call.routine.function)
		kmq_callback_make(&r.call, Hconn, area);
}
