/* SPDX-License-Identifier: MIT */
/*
 * DISPLAY: which objects, which attributes, in two columns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmqc.h"
#include "mqsc_run.h"

#define COLUMN_WIDTH	40
#define SHOWN_MAX	128

/* Attributes of one object, to be tested and shown. */
struct view {
	struct admin_attr attr[SHOWN_MAX];
	size_t count;
};

static bool is_asked_for(const struct mqsc_command *command,
			 const struct attr *attr)
{
	size_t i;

	for (i = 0; i < command->param_count; i++)
		if (!strcmp(command->param[i].attr->name, attr->name))
			return true;
	return command->filter.attr &&
	       !strcmp(command->filter.attr->name, attr->name);
}

static bool is_generic(const struct mqsc_command *command)
{
	return strchr(command->name, '*') != NULL;
}

/*
 * Everything is shown of an object that is named; of a pattern only names and
 * types, unless more is asked for.
 */
static bool shows_all(const struct mqsc_command *command)
{
	return command->all ||
	       (!command->param_count && !is_generic(command) &&
		!command->filter.attr);
}

static void view_choose(struct view *view, const struct mqsc_command *command,
			unsigned int on)
{
	bool all = shows_all(command);
	size_t i;

	memset(view, 0, sizeof(*view));
	for (i = 0; i < attr_count && view->count < SHOWN_MAX; i++) {
		const struct attr *attr = &attr_table[i];
		bool always = !strcmp(attr->name, "TYPE") ||
			      !strcmp(attr->name, "QMNAME");

		if ((attr->on & on) &&
		    (all || always || is_asked_for(command, attr)))
			view->attr[view->count++].attr = attr;
	}
}

/* @at is the length of a first column that waits for its second one. */
static void show_item(const char *item, size_t *at)
{
	size_t length = strlen(item);

	if (*at && length < COLUMN_WIDTH) {
		printf("%*s%s\n", (int)(COLUMN_WIDTH - *at), "", item);
		*at = 0;
		return;
	}
	if (*at)
		putchar('\n');
	printf("   %s", item);
	*at = length < COLUMN_WIDTH ? length : 0;
	if (!*at)
		putchar('\n');
}

static void show_view(const struct view *view, const char *first)
{
	char item[2 * ATTR_TEXT_MAX + 64];
	size_t at = 0;
	size_t i;

	if (first)
		show_item(first, &at);
	for (i = 0; i < view->count; i++) {
		const struct admin_attr *attr = &view->attr[i];

		if (!attr->applies)
			continue;
		attr_format(attr->attr, &attr->value, item, sizeof(item));
		show_item(item, &at);
	}
	if (at)
		putchar('\n');
}

static int compare_values(const struct attr *attr, const struct attr_value *a,
			  const struct attr_value *b)
{
	if (attr_is_text(attr))
		return strcmp(a->text, b->text);
	return (a->number > b->number) - (a->number < b->number);
}

static bool filter_accepts(const struct mqsc_filter *filter,
			   const struct admin_attr *attr)
{
	int order = compare_values(attr->attr, &attr->value, &filter->value);
	bool fits = mqsc_name_matches(filter->value.text, attr->value.text);

	switch (filter->operator) {
	case MQSC_LT:
		return order < 0;
	case MQSC_GT:
		return order > 0;
	case MQSC_EQ:
		return !order;
	case MQSC_NE:
		return order;
	case MQSC_LE:
		return order <= 0;
	case MQSC_GE:
		return order >= 0;
	case MQSC_LIKE:
		return fits;
	default:
		return !fits;
	}
}

static bool view_is_wanted(const struct view *view,
			   const struct mqsc_filter *filter)
{
	size_t i;

	if (!filter->attr)
		return true;
	for (i = 0; i < view->count; i++)
		if (!strcmp(view->attr[i].attr->name, filter->attr->name))
			return view->attr[i].applies &&
			       filter_accepts(filter, &view->attr[i]);
	return false;
}

static void show_object(const char *number, const char *keyword,
			const char *name, const struct view *view)
{
	char first[80];

	attr_format_text(keyword, name, first, sizeof(first));
	printf("%s\n", number);
	show_view(view, first);
}

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
		show_object("KMQ0005I: queue", "QUEUE", name, &view);
	return 0;
}

static void set_stamp(struct attr_value *value, __u64 nanoseconds,
		      const char *format)
{
	time_t seconds = nanoseconds / 1000000000;
	struct tm when;

	if (nanoseconds && localtime_r(&seconds, &when))
		strftime(value->text, sizeof(value->text), format, &when);
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
		set_stamp(value, status->out_last_put_time, "%Y-%m-%d");
		break;
	case STATUS_LAST_PUT_TIME:
		set_stamp(value, status->out_last_put_time, "%H.%M.%S");
		break;
	case STATUS_LAST_GET_DATE:
		set_stamp(value, status->out_last_get_time, "%Y-%m-%d");
		break;
	case STATUS_LAST_GET_TIME:
		set_stamp(value, status->out_last_get_time, "%H.%M.%S");
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
		show_object("KMQ0006I: queue status", "QSTATUS", name, &view);
	return 0;
}

/* Queues that go away while the list is shown are left out. */
static int show_each(struct mqsc_session *session,
		     const struct admin_names *names, unsigned int *count)
{
	size_t i;

	for (i = 0; i < names->count; i++) {
		const char *name = names->name[i];
		bool shown = false;
		int result;

		result = session->command.object == MQSC_QSTATUS ?
			 show_status(session, name, &shown) :
			 show_queue(session, name, &shown);
		if (result && result != MQRC_UNKNOWN_OBJECT_NAME)
			return result;
		*count += shown;
	}
	return 0;
}

static void show_queues(struct mqsc_session *session)
{
	const struct mqsc_command *command = &session->command;
	int q_type = command->object == MQSC_QSTATUS ?
		     MQQT_LOCAL : command->q_type;
	struct admin_names names;
	unsigned int count = 0;
	int result;

	result = admin_list(session->admin, command->name, q_type, &names);
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
	result = admin_inquire(session->admin, NULL, view.attr, view.count);
	if (!result && view_is_wanted(&view, &command->filter)) {
		printf("KMQ0007I: queue manager\n");
		show_view(&view, NULL);
	}
	strcpy(command->name, session->admin->qmgr);
	if (result)
		mqsc_report(session, "cannot be shown", result, 0);
}

static void show_qmstatus(struct mqsc_session *session)
{
	char item[80];
	unsigned int state;
	size_t at = 0;
	int result = admin_state(session->admin, 0, &state);

	strcpy(session->command.name, session->admin->qmgr);
	if (result) {
		mqsc_report(session, "cannot be shown", result, 0);
		return;
	}
	printf("KMQ0008I: queue manager status\n");
	attr_format_text("QMNAME", session->admin->qmgr, item, sizeof(item));
	show_item(item, &at);
	snprintf(item, sizeof(item), "STATUS(%s)", admin_state_word(state));
	show_item(item, &at);
	if (at)
		putchar('\n');
}

void mqsc_show(struct mqsc_session *session)
{
	switch (session->command.object) {
	case MQSC_QUEUE:
	case MQSC_QSTATUS:
		show_queues(session);
		break;
	case MQSC_QMGR:
		show_qmgr(session);
		break;
	case MQSC_QMSTATUS:
		show_qmstatus(session);
		break;
	}
}
