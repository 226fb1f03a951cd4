// SPDX-License-Identifier: MIT
/*
 * Distribution lists: MQOPEN and MQCLOSE (O-DL).
 *
 * The kernel knows nothing of lists. A list is several handles, each with a
 * file, a state and a place among the handles of the connection of its own, so
 * what is said of a queue holds for every destination.
 */
#include "distlist.h"

#include <stdlib.h>

#include "device.h"
#include "name.h"
#include "od.h"

#define LIST_OPTIONS	(MQOO_OUTPUT | MQOO_PASS_IDENTITY_CONTEXT | \
			 MQOO_PASS_ALL_CONTEXT | MQOO_SET_IDENTITY_CONTEXT | \
			 MQOO_SET_ALL_CONTEXT | MQOO_BIND_ON_OPEN | \
			 MQOO_BIND_NOT_FIXED | MQOO_BIND_ON_GROUP | \
			 MQOO_FAIL_IF_QUIESCING | MQOO_ALTERNATE_USER_AUTHORITY)

_Static_assert(offsetof(struct kmq_distlist, object) == 0,
	       "kmq_distlist_find() takes one for the other");

struct kmq_distlist *kmq_distlist_alloc(MQLONG count)
{
	const size_t each = sizeof(struct kmq_object) + sizeof(MQRR);
	struct kmq_distlist *list = calloc(1, sizeof(*list) + count * each);
	MQLONG i;

	if (!list)
		return NULL;
	list->object.type = KMQ_OT_LIST;
	list->results.each = (MQRR *)&list->queues[count];
	list->count = count;
	for (i = 0; i < count; i++)
		list->queues[i].fd = -1;
	return list;
}

/* O-DL-1, O-DL-2 */
static MQLONG open_check(const MQOD *od, MQLONG options)
{
	MQLONG reason = kmq_od_list_name(od);

	if (!reason && (options & ~LIST_OPTIONS))
		reason = MQRC_OPTION_NOT_VALID_FOR_TYPE;
	if (!reason && kmq_od_selects(od))
		reason = MQRC_SELECTOR_INVALID_FOR_TYPE;
	return reason;
}

static void open_each(struct kmq_conn *c, const MQOD *od, MQLONG options,
		      struct kmq_distlist *list)
{
	const MQOR *names = kmq_od_names(od);
	MQLONG comp_code, reason, i;

	for (i = 0; i < list->count; i++) {
		struct kmq_object *o = &list->queues[i];

		comp_code = kmq_object_open_fixed(c, od, &names[i], options, o,
						  &reason);
		kmq_results_add(&list->results, comp_code, reason, o->remote);
	}
}

MQLONG kmq_distlist_open(struct kmq_conn *c, MQOD *od, MQLONG options,
			 struct kmq_distlist *list, PMQLONG reason)
{
	MQLONG comp_code = MQCC_FAILED;

	*reason = open_check(od, options);
	if (!*reason) {
		open_each(c, od, options, list);
		comp_code = kmq_results_total(&list->results,
					      kmq_od_responses(od), list->count,
					      reason);
	}
	if (comp_code == MQCC_FAILED)
		*reason = kmq_od_unresolved(c, *reason,
					    options & MQOO_FAIL_IF_QUIESCING);
	else
		kmq_od_found_list(od, &list->results);
	return comp_code;
}

static bool is_worse(MQLONG comp_code, MQLONG reason, MQLONG than,
		     MQLONG than_reason)
{
	return comp_code > than || (comp_code == than &&
				    reason == MQRC_INCOMPLETE_MSG &&
				    than_reason == MQRC_INCOMPLETE_GROUP);
}

static void shut(struct kmq_object *o)
{
	if (o->fd >= 0)
		kmq_dev_close(o->fd);
	o->fd = -1;
}

void kmq_distlist_shut(struct kmq_distlist *list)
{
	MQLONG i;

	for (i = 0; i < list->count; i++)
		shut(&list->queues[i]);
}

static MQLONG close_each(struct kmq_distlist *list, MQLONG options,
			 PMQLONG reason)
{
	MQLONG worst = MQCC_OK, comp_code, r, i;

	*reason = MQRC_NONE;
	for (i = 0; i < list->count; i++) {
		struct kmq_object *o = &list->queues[i];

		if (o->fd < 0)
			continue;
		comp_code = kmq_object_close(o, options, &r);
		if (is_worse(comp_code, r, worst, *reason)) {
			worst = comp_code;
			*reason = r;
		}
		if (comp_code != MQCC_FAILED)
			shut(o);
	}
	return worst;
}

MQLONG kmq_distlist_close(struct kmq_distlist *list, MQLONG options,
			  PMQLONG reason)
{
	switch (options) {
	case MQCO_NONE:
	case MQCO_QUIESCE:
		return close_each(list, options, reason);
	case MQCO_DELETE:
	case MQCO_DELETE_PURGE:
	case MQCO_KEEP_SUB:
	case MQCO_REMOVE_SUB:
		*reason = MQRC_OPTION_NOT_VALID_FOR_TYPE;
		return MQCC_FAILED;
	default:
		*reason = MQRC_OPTIONS_ERROR;
		return MQCC_FAILED;
	}
}
