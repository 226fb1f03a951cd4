/* SPDX-License-Identifier: MIT */
/*
 * Connections and open handles: DISPLAY CONN, DISPLAY QSTATUS TYPE(HANDLE), STOP
 * and START CONN. A ConnectionId is shown in two parts, as usual: EXTCONN, its
 * first 16 bytes, names the queue manager, CONN the connection.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/mqstr_table.h"
#include "cmqc.h"
#include "mqsc_run.h"
#include "mqsc_view.h"

#define EXT_LEN	16
#define CONN_LEN (KMQ_ID_LEN - EXT_LEN)

static void hex_text(char *text, const __u8 *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		sprintf(text + 2 * i, "%02X", bytes[i]);
}

static void text_field(char *text, const __u8 *field, size_t size)
{
	while (size && field[size - 1] == ' ')
		size--;
	memcpy(text, field, size);
	text[size] = '\0';
}

/* The option bits by their names; those without a name as a number. */
static void option_names(char *text, size_t size, __u32 options)
{
	size_t used = 0;
	__u32 bit;

	*text = '\0';
	for (bit = 1; bit && used < size; bit <<= 1) {
		const char *name;

		if (!(options & bit))
			continue;
		name = kmq_str_name("MQOO_", bit);
		used += snprintf(text + used, size - used, used ? ",%s" : "%s",
				 name ? name : "?");
	}
}

static const struct mqsc_filter no_filter;

/* What connections and handles both have. */
struct user {
	const __u8 *id;
	const __u8 *appl_name;
	size_t appl_size;
	__u32 pid, tid, uid;
	__s32 appl_type;
};

static void user_value(const struct user *user, enum attr_status which,
		       struct attr_value *value)
{
	switch (which) {
	case USER_CONN:
		hex_text(value->text, user->id + EXT_LEN, CONN_LEN);
		break;
	case USER_EXTCONN:
		hex_text(value->text, user->id, EXT_LEN);
		break;
	case USER_APPL_TAG:
		text_field(value->text, user->appl_name, user->appl_size);
		break;
	case USER_APPL_TYPE:
		value->number = user->appl_type;
		break;
	case USER_PID:
		value->number = user->pid;
		break;
	case USER_TID:
		value->number = user->tid;
		break;
	case USER_ID:
		value->number = user->uid;
		break;
	default:
		break;
	}
}

static int input_of(const struct kmq_handle_info *info)
{
	if (info->flags & KMQ_HANDLE_EXCLUSIVE)
		return 2;
	return !!(info->flags & KMQ_HANDLE_INPUT);
}

static void handle_value(const struct kmq_handle_info *info,
			 enum attr_status which, struct attr_value *value)
{
	const struct user user = {
		info->connection_id, info->appl_name, sizeof(info->appl_name),
		info->pid, info->tid, info->uid, info->appl_type,
	};

	switch (which) {
	case HANDLE_OBJECT:
		text_field(value->text, info->object_name, KMQ_NAME_LEN);
		break;
	case HANDLE_INPUT:
		value->number = input_of(info);
		break;
	case HANDLE_OUTPUT:
		value->number = !!(info->options & MQOO_OUTPUT);
		break;
	case HANDLE_BROWSE:
		value->number = !!(info->options & MQOO_BROWSE);
		break;
	case HANDLE_INQUIRE:
		value->number = !!(info->options & MQOO_INQUIRE);
		break;
	case HANDLE_SET:
		value->number = !!(info->options & MQOO_SET);
		break;
	case HANDLE_OPTIONS:
		option_names(value->text, sizeof(value->text), info->options);
		break;
	case HANDLE_READ_AHEAD:
		value->number = !!(info->options & MQOO_READ_AHEAD);
		break;
	case HANDLE_SIGNAL:
		value->number = !!(info->flags & KMQ_HANDLE_SIGNAL);
		break;
	case HANDLE_LOCKED:
		value->number = !!(info->flags & KMQ_HANDLE_LOCKED);
		break;
	default:
		user_value(&user, which, value);
	}
}

static void conn_value(const struct kmq_conn_info *info, enum attr_status which,
		       struct attr_value *value)
{
	const struct user user = {
		info->connection_id, info->appl_name, sizeof(info->appl_name),
		info->pid, info->tid, info->uid, info->appl_type,
	};

	switch (which) {
	case CONN_STATE:
		value->number = !!(info->flags & KMQ_CONN_QUIESCING);
		break;
	case CONN_PLAIN:
		value->number = !!(info->flags & KMQ_CONN_PLAIN);
		break;
	case CONN_DATE:
		view_stamp(value, info->connect_time, VIEW_DATE);
		break;
	case CONN_TIME:
		view_stamp(value, info->connect_time, VIEW_TIME);
		break;
	case CONN_HANDLES:
		value->number = info->handle_count;
		break;
	case CONN_UOW_STATE:
		value->number = !!(info->flags & KMQ_CONN_UOW);
		break;
	case CONN_UOW_DATE:
		view_stamp(value, info->uow_time, VIEW_DATE);
		break;
	case CONN_UOW_TIME:
		view_stamp(value, info->uow_time, VIEW_TIME);
		break;
	case CONN_UNCOMMITTED:
		value->number = info->uncommitted;
		break;
	case CONN_WAIT_Q:
		text_field(value->text, info->wait_q_name, KMQ_NAME_LEN);
		break;
	default:
		user_value(&user, which, value);
	}
}

/* Fill and test the view of a handle; @filtered: WHERE is about handles. */
static bool view_handle(struct view *view, const struct mqsc_command *command,
			const struct kmq_handle_info *info, bool filtered)
{
	size_t i;

	view_choose(view, command, ATTR_ON_HANDLE);
	for (i = 0; i < view->count; i++) {
		view->attr[i].applies = true;
		handle_value(info, view->attr[i].attr->selector,
			     &view->attr[i].value);
	}
	return view_is_wanted(view, filtered ? &command->filter : &no_filter);
}

static bool view_conn(struct view *view, const struct mqsc_command *command,
		      const struct kmq_conn_info *info)
{
	bool filtered = command->listing != MQSC_LIST_HANDLES;
	size_t i;

	view_choose(view, command, ATTR_ON_CONN);
	for (i = 0; i < view->count; i++) {
		view->attr[i].applies = true;
		conn_value(info, view->attr[i].attr->selector,
			   &view->attr[i].value);
	}
	return view_is_wanted(view, filtered ? &command->filter : &no_filter);
}

void mqsc_show_handles(struct mqsc_session *session)
{
	const struct mqsc_command *command = &session->command;
	struct admin_handles handles = { NULL, 0 };
	struct kmq_status status;
	char name[ADMIN_NAME_MAX + 1];
	struct view view;
	size_t i, shown = 0;
	int result = mqsc_is_generic(command) ? 0 :
		     admin_status(session->admin, command->name, &status);

	if (!result)
		result = admin_handles(session->admin, command->name, &handles);
	for (i = 0; i < handles.count; i++) {
		const struct kmq_handle_info *info = &handles.info[i];

		if (!view_handle(&view, command, info, true))
			continue;
		admin_name_from_field(name, info->q_name);
		view_show_object(&view, "KMQ0010I: open handle", "QUEUE", name);
		shown++;
	}
	admin_handles_free(&handles);
	if (result)
		mqsc_report(session, "cannot be shown", result, 0);
	else if (!shown)
		printf("KMQ0012I: no open handle is like that\n");
}

static bool is_of(const struct kmq_conn_info *conn, const __u8 *id)
{
	return !memcmp(conn->connection_id, id, KMQ_ID_LEN);
}

static size_t show_handles_of(const struct mqsc_command *command,
			      const struct kmq_conn_info *conn,
			      const struct admin_handles *handles)
{
	char name[2 * CONN_LEN + 1];
	struct view view;
	size_t i, shown = 0;

	hex_text(name, conn->connection_id + EXT_LEN, CONN_LEN);
	for (i = 0; i < handles->count; i++) {
		if (!is_of(conn, handles->info[i].connection_id) ||
		    !view_handle(&view, command, &handles->info[i],
				 command->listing == MQSC_LIST_HANDLES))
			continue;
		view_show_object(&view, "KMQ0010I: open handle", "CONN", name);
		shown++;
	}
	return shown;
}

static size_t show_conn(const struct mqsc_command *command,
			const struct kmq_conn_info *conn,
			const struct admin_handles *handles)
{
	char name[2 * CONN_LEN + 1];
	struct view view;
	bool wanted;

	hex_text(name, conn->connection_id + EXT_LEN, CONN_LEN);
	if (!mqsc_name_matches(command->name, name))
		return 0;
	if (command->listing == MQSC_LIST_HANDLES)
		return show_handles_of(command, conn, handles);
	wanted = view_conn(&view, command, conn);
	if (!wanted)
		return 0;
	view_show_object(&view, "KMQ0011I: connection", "CONN", name);
	show_handles_of(command, conn, handles);
	return 1;
}

static bool names_a_conn(const struct mqsc_command *command,
			 const struct admin_conns *conns)
{
	char name[2 * CONN_LEN + 1];
	size_t i;

	for (i = 0; i < conns->count; i++) {
		hex_text(name, conns->info[i].connection_id + EXT_LEN,
			 CONN_LEN);
		if (!strcmp(command->name, name))
			return true;
	}
	return false;
}

void mqsc_show_conns(struct mqsc_session *session)
{
	const struct mqsc_command *command = &session->command;
	struct admin_handles handles = { NULL, 0 };
	struct admin_conns conns;
	size_t i, shown = 0;
	int result = admin_conns(session->admin, &conns);

	if (!result && command->listing != MQSC_LIST_SELF)
		result = admin_handles(session->admin, "*", &handles);
	if (!result && !mqsc_is_generic(command) && !names_a_conn(command, &conns))
		result = MQRC_HCONN_ERROR;
	for (i = 0; i < conns.count && !result; i++)
		shown += show_conn(command, &conns.info[i], &handles);
	admin_handles_free(&handles);
	admin_conns_free(&conns);
	if (result)
		mqsc_report(session, "cannot be shown", result, 0);
	else if (!shown)
		printf("KMQ0012I: no %s is like that\n",
		       command->listing == MQSC_LIST_HANDLES ?
		       "open handle" : "connection");
}

/* STOP CONN lets it come to its end, START CONN takes that back. */
void mqsc_conn_state(struct mqsc_session *session)
{
	const struct mqsc_command *command = &session->command;
	bool stop = command->verb == MQSC_STOP;
	char name[2 * CONN_LEN + 1];
	struct admin_conns conns;
	int result = admin_conns(session->admin, &conns);
	size_t i;

	for (i = 0; i < conns.count; i++) {
		hex_text(name, conns.info[i].connection_id + EXT_LEN, CONN_LEN);
		if (!strcmp(command->name, name))
			break;
	}
	if (!result && i == conns.count)
		result = MQRC_HCONN_ERROR;
	if (!result)
		result = admin_conn_state(session->admin,
					  conns.info[i].connection_id,
					  stop ? KMQ_QMGR_QUIESCING :
						 KMQ_QMGR_RUNNING);
	admin_conns_free(&conns);
	if (result)
		mqsc_report(session, stop ? "cannot be stopped" :
			    "cannot be started", result, 0);
	else
		printf("KMQ0013I: connection %s %s\n", command->name,
		       stop ? "is to end" : "may go on");
}
