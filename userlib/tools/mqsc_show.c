/* SPDX-License-Identifier: MIT */
/*
 * DISPLAY of queues, their status, the queue manager, and other objects.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmqc.h"
#include "mqsc_run.h"
#include "mqsc_view.h"

static int inquire_type(const struct admin *admin, const char *name,
			int *q_type)
{
	bool negated;
	struct admin_attr type = {
		.attr = attr_find("TYPE", ATTR_ON_QUEUES, &negated),
	};
	int result = admin_inquire(admin, name, &type, 1);

	*q_type = type.value.number;
	return result;
}

/* Each of these returns whether the object was shown, or a result. */
static int show_queue(struct mqsc_session *session, const char *name,
		      bool *shown)
{
	const struct mqsc_command *command = &session->command;
	struct view view;
	int q_type;
	int result = inquire_type(session->admin, name, &q_type);

	if (result)
		return result;
	view_choose(&view, command, attr_on_q_type(q_type));
	result = admin_inquire(session->admin, name, view.attr, view.count);
	if (result)
		return result;
	*shown = view_is_wanted(&view, &command->filter);
	if (*shown)
		view_show_object(&view, "KMQ0005I: queue", "QUEUE", name);
	return 0;
}

/* What a cluster is told of its queues: those of a type that have its name. */
static bool is_in_cluster(const struct admin *admin, const char *name)
{
	bool negated;
	struct admin_attr of[2] = {
		{ .attr = attr_find("CLUSTER", ATTR_ON_LOCAL, &negated) },
		{ .attr = attr_find("CLUSNL", ATTR_ON_LOCAL, &negated) },
	};

	return !admin_inquire(admin, name, of, 2) &&
	       ((of[0].applies && *of[0].value.text) ||
		(of[1].applies && *of[1].value.text));
}

static int cluster_q_type(int q_type)
{
	switch (q_type) {
	case MQQT_ALIAS:
		return MQCQT_ALIAS_Q;
	case MQQT_REMOTE:
		return MQCQT_REMOTE_Q;
	default:
		return MQCQT_LOCAL_Q;
	}
}

/* A queue as the cluster sees it. */
static int show_in_cluster(struct mqsc_session *session, const char *name,
			   bool *shown)
{
	const struct mqsc_command *command = &session->command;
	struct view view;
	int q_type;
	size_t i;
	int result = inquire_type(session->admin, name, &q_type);

	if (result || !is_in_cluster(session->admin, name))
		return result;
	view_choose(&view, command, ATTR_ON_CLUSTER);
	result = admin_inquire(session->admin, name, view.attr, view.count);
	if (result)
		return result;
	for (i = 0; i < view.count; i++) {
		struct admin_attr *attr = &view.attr[i];

		if (attr->attr->selector == MQIA_Q_TYPE)
			attr->value.number = MQQT_CLUSTER;
		if (attr->attr->selector != MQIA_CLUSTER_Q_TYPE)
			continue;
		attr->value.number = cluster_q_type(q_type);
		attr->applies = true;
	}
	*shown = view_is_wanted(&view, &command->filter);
	if (*shown)
		view_show_object(&view, "KMQ0005I: queue", "QUEUE", name);
	return 0;
}

static int64_t age_of(__u64 nanoseconds)
{
	int64_t age = time(NULL) - (time_t)(nanoseconds / 1000000000);

	return nanoseconds && age > 0 ? age : 0;
}

static void status_value(const struct kmq_status *status,
			 enum attr_status which, struct attr_value *value)
{
	switch (which) {
	case STATUS_TYPE:
		break;
	case STATUS_DEPTH:
		value->number = status->out_depth;
		break;
	case STATUS_OPEN_INPUT:
		value->number = status->out_open_input;
		break;
	case STATUS_OPEN_OUTPUT:
		value->number = status->out_open_output;
		break;
	case STATUS_UNCOMMITTED:
		value->number = status->out_uncommitted_puts ||
				status->out_uncommitted_gets;
		break;
	case STATUS_UNCOMMITTED_PUTS:
		value->number = status->out_uncommitted_puts;
		break;
	case STATUS_UNCOMMITTED_GETS:
		value->number = status->out_uncommitted_gets;
		break;
	case STATUS_WAITERS:
		value->number = status->out_waiters;
		break;
	case STATUS_LOCKED:
		value->number = status->out_locked;
		break;
	case STATUS_BYTES:
		value->number = status->out_bytes;
		break;
	case STATUS_MEMORY:
		value->number = status->out_memory;
		break;
	case STATUS_LAST_PUT_DATE:
		view_stamp(value, status->out_last_put_time, VIEW_DATE);
		break;
	case STATUS_LAST_PUT_TIME:
		view_stamp(value, status->out_last_put_time, VIEW_TIME);
		break;
	case STATUS_LAST_GET_DATE:
		view_stamp(value, status->out_last_get_time, VIEW_DATE);
		break;
	case STATUS_LAST_GET_TIME:
		view_stamp(value, status->out_last_get_time, VIEW_TIME);
		break;
	case STATUS_OLDEST_AGE:
		value->number = age_of(status->out_oldest_time);
		break;
	case STATUS_TOTAL_PUTS:
		value->number = status->out_total_puts;
		break;
	case STATUS_TOTAL_GETS:
		value->number = status->out_total_gets;
		break;
	default:
		break;
	}
}

static int show_status(struct mqsc_session *session, const char *name,
		       bool *shown)
{
	const struct mqsc_command *command = &session->command;
	struct kmq_status status;
	struct view view;
	size_t i;
	int result = admin_status(session->admin, name, &status);

	if (result)
		return result;
	view_choose(&view, command, ATTR_ON_STATUS);
	for (i = 0; i < view.count; i++) {
		view.attr[i].applies = true;
		status_value(&status, view.attr[i].attr->selector,
			     &view.attr[i].value);
	}
	*shown = view_is_wanted(&view, &command->filter);
	if (*shown)
		view_show_object(&view, "KMQ0006I: queue status", "QUEUE",
				 name);
	return 0;
}

/* A process or a namelist. */
static int show_object(struct mqsc_session *session, const char *name,
		       bool *shown)
{
	const struct mqsc_command *command = &session->command;
	bool process = command->object == MQSC_PROCESS;
	struct view view;
	int result;

	view_choose(&view, command,
		    process ? ATTR_ON_PROCESS : ATTR_ON_NAMELIST);
	result = admin_inquire_object(session->admin, mqsc_object_type(command),
				      name, view.attr, view.count);
	if (!result)
		*shown = view_is_wanted(&view, &command->filter);
	if (*shown)
		view_show_object(&view, process ? "KMQ0014I: process" :
				 "KMQ0015I: namelist",
				 process ? "PROCESS" : "NAMELIST", name);
	admin_attrs_free(view.attr, view.count);
	return result;
}

static int show_one(struct mqsc_session *session, const char *name, bool *shown)
{
	if (session->command.object != MQSC_QSTATUS &&
	    session->command.object != MQSC_QUEUE)
		return show_object(session, name, shown);
	if (session->command.object == MQSC_QSTATUS)
		return show_status(session, name, shown);
	if (session->command.q_type == MQQT_CLUSTER)
		return show_in_cluster(session, name, shown);
	return show_queue(session, name, shown);
}

/* Objects that go away while the list is shown are left out. */
static int show_each(struct mqsc_session *session,
		     const struct admin_names *names, unsigned int *count)
{
	size_t i;

	for (i = 0; i < names->count; i++) {
		const char *name = names->name[i];
		bool shown = false;
		int result;

		result = show_one(session, name, &shown);
		if (result && result != MQRC_UNKNOWN_OBJECT_NAME)
			return result;
		*count += shown;
	}
	return 0;
}

static int list_names(struct mqsc_session *session, struct admin_names *names)
{
	const struct mqsc_command *command = &session->command;
	int q_type = command->q_type;

	if (command->object == MQSC_QSTATUS)
		q_type = MQQT_LOCAL;
	else if (command->object != MQSC_QUEUE)
		return admin_list_objects(session->admin, command->name,
					  mqsc_object_type(command), names);
	if (q_type == MQQT_CLUSTER)
		q_type = MQQT_ALL;
	return admin_list(session->admin, command->name, q_type, names);
}

static void show_objects(struct mqsc_session *session)
{
	struct admin_names names;
	unsigned int count = 0;
	int result = list_names(session, &names);

	if (!result) {
		result = show_each(session, &names, &count);
		admin_names_free(&names);
	}
	if (!result && !count)
		result = MQRC_UNKNOWN_OBJECT_NAME;
	if (result)
		mqsc_report(session, "cannot be shown", result, 0);
}

static void show_qmgr(struct mqsc_session *session)
{
	struct mqsc_command *command = &session->command;
	struct view view;
	int result;

	view_choose(&view, command, ATTR_ON_QMGR);
	result = admin_inquire_object(session->admin, MQOT_Q_MGR, NULL,
				      view.attr, view.count);
	if (!result && view_is_wanted(&view, &command->filter)) {
		printf("KMQ0007I: queue manager\n");
		view_show(&view);
	}
	strcpy(command->name, session->admin->qmgr);
	if (result)
		mqsc_report(session, "cannot be shown", result, 0);
}

/* A queue manager that cannot be asked has no state to show. */
static int qmstatus_value(const struct admin *admin, struct admin_attr *attr)
{
	struct admin_conns conns;
	unsigned int state;
	int result = 0;

	attr->applies = true;
	switch ((enum attr_status)attr->attr->selector) {
	case QMSTATUS_STATE:
		result = admin_state(admin, 0, &state);
		attr->value.number = state;
		break;
	case QMSTATUS_CONNS:
		result = admin_conns(admin, &conns);
		attr->value.number = conns.count;
		admin_conns_free(&conns);
		break;
	default:
		strcpy(attr->value.text, admin->qmgr);
	}
	return result;
}

static void show_qmstatus(struct mqsc_session *session)
{
	struct mqsc_command *command = &session->command;
	struct view view;
	int result = 0;
	size_t i;

	view_choose(&view, command, ATTR_ON_QMSTATUS);
	for (i = 0; i < view.count && !result; i++)
		result = qmstatus_value(session->admin, &view.attr[i]);
	if (!result && view_is_wanted(&view, &command->filter)) {
		printf("KMQ0008I: queue manager status\n");
		view_show(&view);
	}
	strcpy(command->name, session->admin->qmgr);
	if (result)
		mqsc_report(session, "cannot be shown", result, 0);
}

void mqsc_show(struct mqsc_session *session)
{
	switch (session->command.object) {
	case MQSC_QSTATUS:
		if (session->command.listing == MQSC_LIST_HANDLES) {
			mqsc_show_handles(session);
			break;
		}
		/* fall through */
	case MQSC_QUEUE:
	case MQSC_PROCESS:
	case MQSC_NAMELIST:
		show_objects(session);
		break;
	case MQSC_CONN:
		mqsc_show_conns(session);
		break;
	case MQSC_QMGR:
		show_qmgr(session);
		break;
	case MQSC_QMSTATUS:
		show_qmstatus(session);
		break;
	}
}
