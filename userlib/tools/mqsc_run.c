/* SPDX-License-Identifier: MIT */
/*
 * Every command that changes something, and what is said about it. Messages
 * are numbered KMQnnnn, with I for an answer and E for an error.
 */
#include "mqsc_run.h"

#include <string.h>

#include "cmqc.h"
#include "cmqcfc.h"
#include "tool.h"

/* What a refusal means here, where its name says little. */
static const char *refusal(int result)
{
	switch (result) {
	case MQRCCF_OBJECT_ALREADY_EXISTS:
		return "an object of this name exists already";
	case MQRCCF_OBJECT_WRONG_TYPE:
		return "a queue of another type has this name";
	case MQRCCF_LIKE_OBJECT_WRONG_TYPE:
		return "LIKE names a queue of another type";
	case MQRCCF_OBJECT_OPEN:
		return "it is open";
	case MQRCCF_ATTR_VALUE_ERROR:
		return "the value is out of range";
	case MQRCCF_OBJECT_NAME_ERROR:
		return "the name is not valid";
	case MQRCCF_CFIN_PARM_ID_ERROR:
	case MQRCCF_CFST_PARM_ID_ERROR:
		return "the object does not have the attribute";
	case MQRC_UNKNOWN_OBJECT_NAME:
		return "there is no such object";
	case MQRC_HCONN_ERROR:
		return "there is no such connection";
	case MQRC_Q_NOT_EMPTY:
		return "messages or uncommitted work are on it";
	default:
		return NULL;
	}
}

static const char *selector_keyword(int32_t selector)
{
	size_t i;

	for (i = 0; selector && i < attr_count; i++)
		if (attr_table[i].selector == selector &&
		    attr_table[i].on & (ATTR_ON_QUEUES | ATTR_ON_QMGR))
			return attr_table[i].name;
	return NULL;
}

/* What an error line begins with: FILE:LINE: if lines come from a file. */
static void print_line(const struct mqsc_session *session)
{
	unsigned int line;
	int column;

	if (!session->source)
		return;
	mqsc_place(&session->joiner, 1, &line, &column);
	printf("%s:%u: ", session->source, line);
}

/* FILE:LINE:COLUMN: before, or the column of the command after its number. */
static void print_fault(const struct mqsc_session *session, const char *number,
			const struct mqsc_fault *fault)
{
	unsigned int line;
	int column;

	if (session->source) {
		mqsc_place(&session->joiner, fault->column, &line, &column);
		printf("%s:%u:%d: %s: %s\n", session->source, line, column,
		       number, fault->text);
	} else {
		printf("%s: column %d: %s\n", number, fault->column,
		       fault->text);
	}
}

void mqsc_report(struct mqsc_session *session, const char *what, int result,
		 int32_t selector)
{
	const char *words = refusal(result);
	const char *keyword = selector_keyword(selector);

	session->failed++;
	print_line(session);
	printf("KMQ0103E: %s %s: ", session->command.name, what);
	if (words)
		printf("%s (%d)", words, result);
	else
		printf("%s", admin_result_text(result));
	if (keyword)
		printf(", %s", keyword);
	putchar('\n');
}

/* The settings of a command in the form the kernel call takes them. */
struct settings {
	const struct attr *attrs[MQSC_PARAMS_MAX];
	struct attr_value values[MQSC_PARAMS_MAX];
	struct admin_change change;
};

static void settings_collect(struct settings *settings,
			     const struct mqsc_command *command)
{
	size_t i;

	for (i = 0; i < command->param_count; i++) {
		settings->attrs[i] = command->param[i].attr;
		settings->values[i] = command->param[i].value;
	}
	settings->change = (struct admin_change){
		.object_type = mqsc_object_type(command),
		.name = command->object == MQSC_QMGR ? NULL : command->name,
		.like = *command->like ? command->like : NULL,
		.q_type = command->q_type,
		.replace = command->replace,
		.attrs = settings->attrs,
		.values = settings->values,
		.count = command->param_count,
	};
}

/* What the command is about, as answers call it. */
static const char *object_word(const struct mqsc_command *command)
{
	switch (command->object) {
	case MQSC_PROCESS:
		return "PROCESS";
	case MQSC_NAMELIST:
		return "NAMELIST";
	case MQSC_QMGR:
		return "queue manager";
	default:
		return mqsc_q_type_word(command->q_type);
	}
}

static void run_define(struct mqsc_session *session)
{
	const struct mqsc_command *command = &session->command;
	struct settings settings;
	int32_t selector;
	int result;

	settings_collect(&settings, command);
	result = admin_define(session->admin, &settings.change, &selector);
	if (result)
		mqsc_report(session, "cannot be defined", result, selector);
	else
		printf("KMQ0001I: %s %s defined\n", object_word(command),
		       command->name);
}

static void run_alter(struct mqsc_session *session)
{
	struct mqsc_command *command = &session->command;
	struct settings settings;
	int32_t selector;
	int result;

	settings_collect(&settings, command);
	result = admin_alter(session->admin, &settings.change, &selector);
	if (command->object == MQSC_QMGR)
		strcpy(command->name, session->admin->qmgr);
	if (result)
		mqsc_report(session, "cannot be altered", result, selector);
	else
		printf("KMQ0002I: %s %s altered\n", object_word(command),
		       command->name);
}

static void run_delete(struct mqsc_session *session)
{
	const struct mqsc_command *command = &session->command;
	int q_type = command->q_type == MQQT_ALL ? 0 : command->q_type;
	int result = admin_delete(session->admin, mqsc_object_type(command),
				  command->name, q_type, command->purge);

	if (result == MQRC_UNKNOWN_OBJECT_NAME && command->ignore_missing)
		printf("KMQ0003I: %s does not exist\n", command->name);
	else if (result)
		mqsc_report(session, "cannot be deleted", result, 0);
	else
		printf("KMQ0003I: %s %s deleted\n", object_word(command),
		       command->name);
}

static void run_clear(struct mqsc_session *session)
{
	const struct mqsc_command *command = &session->command;
	int result = admin_clear(session->admin, command->name);

	if (result)
		mqsc_report(session, "cannot be cleared", result, 0);
	else
		printf("KMQ0004I: QLOCAL %s cleared\n", command->name);
}

static void run_ping(struct mqsc_session *session)
{
	unsigned int state;
	int result = admin_state(session->admin, 0, &state);

	strcpy(session->command.name, session->admin->qmgr);
	if (result)
		mqsc_report(session, "does not answer", result, 0);
	else
		printf("KMQ0009I: queue manager %s answers\n",
		       session->admin->qmgr);
}

static void run_command(struct mqsc_session *session)
{
	switch (session->command.verb) {
	case MQSC_DEFINE:
		run_define(session);
		break;
	case MQSC_ALTER:
		run_alter(session);
		break;
	case MQSC_DELETE:
		run_delete(session);
		break;
	case MQSC_CLEAR:
		run_clear(session);
		break;
	case MQSC_PING:
		run_ping(session);
		break;
	case MQSC_DISPLAY:
		mqsc_show(session);
		break;
	case MQSC_START:
	case MQSC_STOP:
		mqsc_conn_state(session);
		break;
	case MQSC_END_INPUT:
		break;
	}
}

static bool needs_admin(const struct mqsc_command *command)
{
	return command->verb != MQSC_DISPLAY && command->verb != MQSC_PING;
}

/* Attributes of IBM MQ that were passed over. */
static void warn_ignored(const struct mqsc_session *session)
{
	const struct mqsc_command *command = &session->command;
	size_t i;

	if (!command->ignored_count)
		return;
	print_line(session);
	printf("KMQ0105W: ignored, as kmq has no use for it:");
	for (i = 0; i < command->ignored_count; i++)
		printf("%s %s", i ? "," : "", command->ignored[i]);
	putchar('\n');
}

static void run_text(struct mqsc_session *session, const char *text)
{
	struct mqsc_command *command = &session->command;
	struct mqsc_fault fault;

	switch (mqsc_parse(text, command, &fault)) {
	case MQSC_EMPTY:
		return;
	case MQSC_UNSUPPORTED:
		session->read++;
		session->failed++;
		print_fault(session, "KMQ0102E", &fault);
		return;
	case MQSC_SYNTAX_ERROR:
		session->read++;
		session->wrong++;
		print_fault(session, "KMQ0101E", &fault);
		return;
	case MQSC_VALID:
		break;
	}
	if (command->verb == MQSC_END_INPUT) {
		session->ended = true;
		return;
	}
	session->read++;
	warn_ignored(session);
	if (session->verify)
		return;
	if (needs_admin(command) && !session->admin->may_change) {
		session->failed++;
		print_line(session);
		printf("KMQ0104E: you may not administer queue manager %s: the permissions of its node admin decide\n",
		       session->admin->qmgr);
		return;
	}
	run_command(session);
}

static void run_joined(struct mqsc_session *session, enum mqsc_joined joined)
{
	if (joined == MQSC_COMMAND) {
		run_text(session, session->joiner.text);
	} else if (joined == MQSC_TOO_LONG) {
		session->read++;
		session->wrong++;
		print_line(session);
		printf("KMQ0101E: the command is longer than %d characters\n",
		       MQSC_COMMAND_MAX);
	}
}

void mqsc_run_line(struct mqsc_session *session, const char *line)
{
	run_joined(session, mqsc_join(&session->joiner, line));
}

void mqsc_run_end(struct mqsc_session *session)
{
	run_joined(session, mqsc_join_end(&session->joiner));
}
