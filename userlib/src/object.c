// SPDX-License-Identifier: MIT
/*
 * MQOPEN and MQCLOSE.
 *
 * A queue handle is an open file of the queue's node, bound to the connection
 * by KMQ_IOC_OPEN, which does everything from name resolution on. A handle on
 * the queue manager, a process or a namelist is the library's alone: they can
 * only be inquired, which the file of the connection does.
 */
#include "object.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "ahead.h"
#include "alternate.h"
#include "control.h"
#include "device.h"
#include "distlist.h"
#include "held.h"
#include "name.h"
#include "od.h"

KMQ_SECOND_NAME(MQOPEN);
KMQ_SECOND_NAME(MQCLOSE);

#define INPUT	(MQOO_INPUT_AS_Q_DEF | MQOO_INPUT_SHARED | MQOO_INPUT_EXCLUSIVE)
#define ACTION	(INPUT | MQOO_BROWSE | MQOO_OUTPUT | MQOO_INQUIRE | MQOO_SET)
#define BIND	(MQOO_BIND_ON_OPEN | MQOO_BIND_NOT_FIXED | MQOO_BIND_ON_GROUP)
#define AHEAD	(MQOO_READ_AHEAD | MQOO_NO_READ_AHEAD)
#define CONTEXT	(MQOO_PASS_IDENTITY_CONTEXT | MQOO_PASS_ALL_CONTEXT | \
		 MQOO_SET_IDENTITY_CONTEXT | MQOO_SET_ALL_CONTEXT)
#define EVERY_TYPE	(MQOO_INQUIRE | MQOO_FAIL_IF_QUIESCING | \
			 MQOO_ALTERNATE_USER_AUTHORITY)
#define ALL_OPTIONS	(ACTION | BIND | AHEAD | CONTEXT | EVERY_TYPE | \
			 MQOO_SAVE_ALL_CONTEXT | MQOO_RESOLVE_NAMES | \
			 MQOO_CO_OP | MQOO_RESOLVE_LOCAL_Q | MQOO_NO_MULTICAST)

static bool at_most_one(MQLONG options, MQLONG of)
{
	return __builtin_popcount(options & of) <= 1;
}

/* O-OPEN-1 */
static bool options_valid(MQLONG o)
{
	if ((o & ~ALL_OPTIONS) || !(o & ACTION))
		return false;
	if (!at_most_one(o, INPUT) || !at_most_one(o, BIND) ||
	    !at_most_one(o, AHEAD))
		return false;
	if ((o & MQOO_SAVE_ALL_CONTEXT) && !(o & INPUT))
		return false;
	if ((o & (CONTEXT | MQOO_NO_MULTICAST)) && !(o & MQOO_OUTPUT))
		return false;
	return !(o & MQOO_CO_OP) || (o & MQOO_BROWSE);
}

/* The kernel asks for a file opened for what the options do. */
static int open_flags(MQLONG options)
{
	bool reads = options & (INPUT | MQOO_BROWSE | MQOO_INQUIRE);
	bool writes = options & MQOO_OUTPUT;

	if (reads && writes)
		return O_RDWR;
	return writes ? O_WRONLY : O_RDONLY;
}

static int open_node(const struct kmq_conn *c, const MQOD *od, MQLONG options,
		     PMQLONG reason)
{
	bool here;
	int fd = kmq_od_open(c, od, open_flags(options), &here, reason);

	/* For MQSET alone the owner counts, not the mode. */
	if (fd < 0 && *reason == MQRC_NOT_AUTHORIZED &&
	    open_flags(options) == O_RDONLY && !(options & ~EVERY_TYPE &
						 ACTION & ~MQOO_SET))
		fd = kmq_od_open(c, od, O_WRONLY, &here, reason);
	return fd;
}

static MQLONG bind_file(struct kmq_open *k, const struct kmq_conn *c,
			const MQOD *od, MQLONG options, int fd,
			PMQLONG reason)
{
	struct kmq_alternate alternate = { .groups = NULL };
	int err = 0;

	*k = (struct kmq_open){
		.size = sizeof(*k),
		.conn_fd = c->fd,
		.options = options,
	};
	memcpy(k->dynamic_name, od->DynamicQName, sizeof(k->dynamic_name));
	memcpy(k->object_name, od->ObjectName, sizeof(k->object_name));
	memcpy(k->object_qmgr_name, od->ObjectQMgrName,
	       sizeof(k->object_qmgr_name));
	if ((options & MQOO_ALTERNATE_USER_AUTHORITY) &&
	    !kmq_alternate_find(&alternate, od->AlternateUserId, k))
		err = -ENOMEM;
	if (!err)
		err = kmq_ioctl(fd, KMQ_IOC_OPEN, k);
	kmq_alternate_free(&alternate);
	if (err) {
		*reason = kmq_object_reason(err);
		return MQCC_FAILED;
	}
	*reason = k->out_reason;
	return k->out_comp_code;
}

/* Fields of a queue handle, and those of the MQOD that say what was opened. */
static void queue_opened(struct kmq_object *o, const struct kmq_conn *c,
			 MQOD *od, MQLONG options, const struct kmq_open *k)
{
	static const char blanks[KMQ_NAME_LEN + 1] =
		"                                                ";
	const char *opened = (const char *)k->out_q_name;
	bool shown = options & (INPUT | MQOO_BROWSE | MQOO_OUTPUT);

	memcpy(o->opened, opened, KMQ_NAME_LEN);
	memcpy(o->resolved_q, k->out_resolved_q_name, KMQ_NAME_LEN);
	memcpy(o->resolved_qmgr, k->out_resolved_qmgr_name, KMQ_NAME_LEN);
	o->remote = k->out_flags & KMQ_OPEN_OUT_REMOTE;
	if (k->out_flags & KMQ_OPEN_OUT_ROUTED)
		o->put_flags = KMQ_PUT_WANT_DEST;
	o->def_put_response = k->out_def_put_response;
	o->property_control = k->out_property_control;
	if (k->out_flags & KMQ_OPEN_OUT_READ_AHEAD) {
		o->ahead = kmq_ahead_new();
		o->reads_ahead = o->ahead;
	}
	kmq_object_set_origin(o, &c->origin, c->ctx_id);

	/* A model queue has made another one (O-DYN-1). */
	if (!kmq_name_equal(opened, od->ObjectName, KMQ_NAME_LEN)) {
		memcpy(od->ObjectName, opened, KMQ_NAME_LEN);
		memcpy(od->ObjectQMgrName, c->qmgr, KMQ_NAME_LEN);
	}
	kmq_od_found(od, o->remote, shown ? o->resolved_q : blanks,
		     shown ? o->resolved_qmgr : blanks);
}

static MQLONG unresolved(const struct kmq_conn *c, MQLONG options,
			 PMQLONG reason)
{
	*reason = kmq_od_unresolved(c, *reason,
				    options & MQOO_FAIL_IF_QUIESCING);
	return *reason ? MQCC_FAILED : MQCC_OK;
}

static MQLONG open_queue(struct kmq_conn *c, MQOD *od, MQLONG options,
			 struct kmq_object *o, PMQLONG reason)
{
	struct kmq_open k;
	MQLONG comp_code;

	o->fd = open_node(c, od, options, reason);
	if (o->fd < 0)
		return unresolved(c, options, reason);
	comp_code = bind_file(&k, c, od, options, o->fd, reason);
	if (comp_code == MQCC_FAILED) {
		kmq_dev_close(o->fd);
		o->fd = -1;
		return MQCC_FAILED;
	}
	queue_opened(o, c, od, options, &k);
	return comp_code;
}

/* Is there such a process or namelist? */
static MQLONG find_named(const struct kmq_conn *c, const struct kmq_object *o)
{
	struct kmq_attrs a = { .size = sizeof(a), .object_type = o->type };
	int err;

	memcpy(a.name, o->name, sizeof(a.name));
	err = kmq_ioctl(c->fd, KMQ_IOC_INQUIRE, &a);
	return err ? kmq_object_reason(err) : (MQLONG)a.out_reason;
}

static MQLONG open_named(const struct kmq_conn *c, MQLONG options,
			 const struct kmq_object *o, PMQLONG reason)
{
	*reason = find_named(c, o);
	if (!*reason && options & ~EVERY_TYPE)
		*reason = MQRC_OPTION_NOT_VALID_FOR_TYPE;
	return unresolved(c, options, reason);
}

static MQLONG open_qmgr(const struct kmq_conn *c, MQLONG options,
			PMQLONG reason)
{
	*reason = options & ~EVERY_TYPE ? MQRC_OPTION_NOT_VALID_FOR_TYPE :
					  MQRC_NONE;
	return unresolved(c, options, reason);
}

/* O-OPEN-12; selection is not built. */
static MQLONG selector_reason(const MQOD *od, MQLONG options)
{
	return od->ObjectType == MQOT_Q && (options & (INPUT | MQOO_BROWSE)) ?
		       MQRC_FUNCTION_NOT_SUPPORTED :
		       MQRC_SELECTOR_INVALID_FOR_TYPE;
}

MQLONG kmq_object_open(struct kmq_conn *c, MQOD *od, MQLONG options,
		       struct kmq_object *o, PMQLONG reason)
{
	*reason = kmq_od_resolve(c, od);
	if (!*reason && kmq_od_selects(od))
		*reason = selector_reason(od, options);
	if (*reason)
		return unresolved(c, options, reason);
	o->type = od->ObjectType;
	kmq_name_pad(o->name, od->ObjectName, KMQ_NAME_LEN);
	kmq_name_pad(o->qmgr_name, od->ObjectQMgrName, KMQ_NAME_LEN);
	if (o->type == MQOT_Q_MGR)
		return open_qmgr(c, options, reason);
	if (o->type != MQOT_Q)
		return open_named(c, options, o, reason);
	return open_queue(c, od, options, o, reason);
}

MQLONG kmq_object_open_fixed(struct kmq_conn *c, const MQOD *od,
			     const MQOR *names, MQLONG options,
			     struct kmq_object *o, PMQLONG reason)
{
	MQLONG comp_code;
	MQOD one;

	kmq_od_of_list(&one, od, names);
	comp_code = kmq_object_open(c, &one, options, o, reason);
	/* A model had no name to give to a queue. */
	if (*reason == MQRC_DYNAMIC_Q_NAME_ERROR)
		*reason = MQRC_Q_TYPE_ERROR;
	return comp_code;
}

/* What comes before the name in O-OPEN-13. */
static MQLONG open_check(const MQOD *od, MQLONG options)
{
	MQLONG reason = kmq_od_check(od);

	if (!reason)
		reason = kmq_od_records(od);
	if (!reason && !options_valid(options))
		reason = MQRC_OPTIONS_ERROR;
	return reason;
}

static MQLONG open_any(struct kmq_conn *c, MQOD *od, MQLONG options,
		       struct kmq_object *o, PMQLONG reason)
{
	if (o->type == KMQ_OT_LIST)
		return kmq_distlist_open(c, od, options, (void *)o, reason);
	return kmq_object_open(c, od, options, o, reason);
}

static struct kmq_object *object_alloc(const MQOD *od)
{
	struct kmq_object *o;

	o = kmq_od_is_list(od) ? (void *)kmq_distlist_alloc(od->RecsPresent) :
				 calloc(1, sizeof(*o));
	if (o)
		o->fd = -1;
	return o;
}

static void object_free(struct kmq_object *o)
{
	if (o->type == KMQ_OT_LIST)
		kmq_distlist_shut((void *)o);
	else if (o->fd >= 0)
		kmq_dev_close(o->fd);
	if (o->type == MQOT_Q)
		kmq_ahead_free(o->ahead);
	free(o);
}

static MQLONG object_new(struct kmq_conn *c, MQOD *od, MQLONG options,
			 MQHOBJ *hobj, PMQLONG reason)
{
	struct kmq_object *o;
	MQLONG comp_code;

	*reason = open_check(od, options);
	if (*reason)
		return MQCC_FAILED;
	o = object_alloc(od);
	if (!o || !kmq_table_add(&c->objects, &o->item)) {
		free(o);
		*reason = MQRC_STORAGE_NOT_AVAILABLE;
		return MQCC_FAILED;
	}
	comp_code = open_any(c, od, options, o, reason);
	if (comp_code == MQCC_FAILED) {
		kmq_table_remove(c->objects, &o->item);
		object_free(o);
	} else {
		*hobj = o->item.handle;
	}
	return comp_code;
}

KMQ_API void MQENTRY MQOPEN(MQHCONN Hconn, PMQVOID pObjDesc, MQLONG Options,
			    PMQHOBJ pHobj, PMQLONG pCompCode, PMQLONG pReason)
{
	MQHOBJ hobj = MQHO_UNUSABLE_HOBJ;
	struct kmq_conn *c;

	*pCompCode = MQCC_FAILED;
	c = kmq_conn_enter(Hconn, pReason);
	if (!c) {
		if (pHobj)
			*pHobj = hobj;
		return;
	}
	if (pHobj) {
		*pCompCode = object_new(c, pObjDesc, Options, &hobj, pReason);
		*pHobj = hobj;
	} else {
		*pReason = MQRC_HOBJ_ERROR;
	}
	kmq_conn_leave(c);
}

static MQLONG close_queue(struct kmq_object *o, MQLONG options,
			  PMQLONG reason)
{
	struct kmq_close k = { .size = sizeof(k), .options = options };
	int err = kmq_ioctl(o->fd, KMQ_IOC_CLOSE, &k);

	if (err) {
		*reason = kmq_object_reason(err);
		return MQCC_FAILED;
	}
	*reason = k.out_reason;
	return k.out_comp_code;
}

static MQLONG close_qmgr(MQLONG options, PMQLONG reason)
{
	switch (options) {
	case MQCO_NONE:
		*reason = MQRC_NONE;
		return MQCC_OK;
	case MQCO_DELETE:
	case MQCO_DELETE_PURGE:
	case MQCO_KEEP_SUB:
	case MQCO_REMOVE_SUB:
	case MQCO_QUIESCE:
		*reason = MQRC_OPTION_NOT_VALID_FOR_TYPE;
		return MQCC_FAILED;
	default:
		*reason = MQRC_OPTIONS_ERROR;
		return MQCC_FAILED;
	}
}

MQLONG kmq_object_close(struct kmq_object *o, MQLONG options, PMQLONG reason)
{
	switch (o->type) {
	case MQOT_Q:
		return close_queue(o, options, reason);
	case KMQ_OT_LIST:
		return kmq_distlist_close((void *)o, options, reason);
	default:
		return close_qmgr(options, reason);
	}
}

/* Its consumer goes with the handle (A-CB-9), or stays with it. */
static MQLONG close_consumed(struct kmq_conn *c, struct kmq_object *o,
			     MQLONG options, struct kmq_callback *call,
			     PMQLONG reason)
{
	MQLONG comp_code;

	kmq_consumer_unwatch(o->consumer);
	comp_code = close_queue(o, options, reason);
	if (comp_code == MQCC_FAILED)
		kmq_consumer_watch(c, o->consumer);
	else
		kmq_consumer_free(c->control, o->consumer, call);
	return comp_code;
}

/* The handle stays if it fails (O-CLOSE-2). */
static MQLONG close_object(struct kmq_conn *c, MQHOBJ *hobj, MQLONG options,
			   struct kmq_callback *call, PMQLONG reason)
{
	struct kmq_object *o = hobj ? kmq_object_find(c, *hobj) : NULL;
	MQLONG comp_code;

	if (!o) {
		*reason = MQRC_HOBJ_ERROR;
		return MQCC_FAILED;
	}
	if (unlikely(o->consumer))
		comp_code = close_consumed(c, o, options, call, reason);
	else
		comp_code = kmq_object_close(o, options, reason);
	if (comp_code != MQCC_FAILED) {
		kmq_table_remove(c->objects, &o->item);
		kmq_held_forget(c, o);
		object_free(o);
		*hobj = MQHO_UNUSABLE_HOBJ;
	}
	return comp_code;
}

KMQ_API void MQENTRY MQCLOSE(MQHCONN Hconn, PMQHOBJ pHobj, MQLONG Options,
			     PMQLONG pCompCode, PMQLONG pReason)
{
	struct kmq_callback call = { .routine = { .function = NULL } };
	struct kmq_conn *c;
	MQPTR area;

	*pCompCode = MQCC_FAILED;
	c = kmq_conn_enter(Hconn, pReason);
	if (!c)
		return;
	*pCompCode = close_object(c, pHobj, Options, &call, pReason);
	area = c->control ? c->control->area : NULL;
	kmq_conn_leave(c);
	if (call.routine.function)
		kmq_callback_make(&call, Hconn, area);
}

void kmq_objects_close(struct kmq_conn *c)
{
	struct kmq_object *o;
	MQLONG reason;
	uint32_t i;

	for (i = 0; i <= c->objects->mask; i++) {
		o = (void *)c->objects->items[i];
		if (!o)
			continue;
		/* Also unbinds it where another process has inherited it. */
		kmq_object_close(o, MQCO_NONE, &reason);
		object_free(o);
	}
	kmq_table_free(c->objects);
	c->objects = &kmq_table_empty;
}
