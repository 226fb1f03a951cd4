// SPDX-License-Identifier: MIT
/*
 * MQINQ and MQSET. The kernel knows the attributes and makes all checks.
 */
#include <errno.h>

#include "device.h"
#include "object.h"

KMQ_SECOND_NAME(MQINQ);
KMQ_SECOND_NAME(MQSET);

/* An address that cannot be used (O-INQ-2); of what, EFAULT does not say. */
static MQLONG fault_reason(const struct kmq_attrs *a)
{
	if (a->selectors && !a->int_attrs)
		return MQRC_INT_ATTRS_ARRAY_ERROR;
	if (a->selectors && !a->char_attrs)
		return MQRC_CHAR_ATTRS_ERROR;
	return MQRC_SELECTOR_ERROR;
}

static MQLONG attributes(const struct kmq_conn *c, const struct kmq_object *o,
			 unsigned long cmd, struct kmq_attrs *a,
			 PMQLONG reason)
{
	int err;

	a->size = sizeof(*a);
	a->flags = 0;
	a->object_type = o->type;
	if (o->type == MQOT_PROCESS || o->type == MQOT_NAMELIST)
		memcpy(a->name, o->name, sizeof(a->name));
	else
		memset(a->name, ' ', sizeof(a->name));
	err = kmq_ioctl(o->type == MQOT_Q ? o->fd : c->fd, cmd, a);
	if (err) {
		*reason = err == -EFAULT ? fault_reason(a) :
					   kmq_object_reason(err);
		return MQCC_FAILED;
	}
	*reason = a->out_reason;
	/* It was there when it was opened. */
	if (o->type != MQOT_Q && *reason == MQRC_UNKNOWN_OBJECT_NAME)
		*reason = MQRC_OBJECT_CHANGED;
	return a->out_comp_code;
}

KMQ_API void MQENTRY MQINQ(MQHCONN Hconn, MQHOBJ Hobj, MQLONG SelectorCount,
			   PMQLONG pSelectors, MQLONG IntAttrCount,
			   PMQLONG pIntAttrs, MQLONG CharAttrLength,
			   PMQCHAR pCharAttrs, PMQLONG pCompCode,
			   PMQLONG pReason)
{
	struct kmq_attrs a = {
		.selector_count = SelectorCount,
		.int_attr_count = IntAttrCount,
		.char_attr_length = CharAttrLength,
		.selectors = (uintptr_t)pSelectors,
		.int_attrs = (uintptr_t)pIntAttrs,
		.char_attrs = (uintptr_t)pCharAttrs,
	};
	struct kmq_object *o;
	struct kmq_conn *c;

	*pCompCode = MQCC_FAILED;
	c = kmq_conn_enter(Hconn, pReason);
	if (!c)
		return;
	o = kmq_object_find(c, Hobj);
	if (o && o->type == KMQ_OT_LIST)
		*pReason = MQRC_NOT_OPEN_FOR_INQUIRE;
	else if (o)
		*pCompCode = attributes(c, o, KMQ_IOC_INQUIRE, &a, pReason);
	else
		*pReason = MQRC_HOBJ_ERROR;
	kmq_conn_leave(c);
}

KMQ_API void MQENTRY MQSET(MQHCONN Hconn, MQHOBJ Hobj, MQLONG SelectorCount,
			   PMQLONG pSelectors, MQLONG IntAttrCount,
			   PMQLONG pIntAttrs, MQLONG CharAttrLength,
			   PMQCHAR pCharAttrs, PMQLONG pCompCode,
			   PMQLONG pReason)
{
	struct kmq_attrs a = {
		.selector_count = SelectorCount,
		.int_attr_count = IntAttrCount,
		.char_attr_length = CharAttrLength,
		.selectors = (uintptr_t)pSelectors,
		.int_attrs = (uintptr_t)pIntAttrs,
		.char_attrs = (uintptr_t)pCharAttrs,
	};
	struct kmq_object *o;
	struct kmq_conn *c;

	*pCompCode = MQCC_FAILED;
	c = kmq_conn_enter(Hconn, pReason);
	if (!c)
		return;
	o = kmq_object_find(c, Hobj);
	if (!o)
		*pReason = MQRC_HOBJ_ERROR;
	else if (o->type != MQOT_Q)	/* never opened for it */
		*pReason = MQRC_NOT_OPEN_FOR_SET;
	else
		*pCompCode = attributes(c, o, KMQ_IOC_SET, &a, pReason);
	kmq_conn_leave(c);
}
