/* SPDX-License-Identifier: MIT */
/*
 * See mqsc_terms.h.
 */
#include "mqsc_terms.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "attrs_foreign.h"
#include "cmqc.h"

bool mqsc_is_word(const struct mqsc_token *token, const char *word)
{
	return token->type == MQSC_WORD && !strcasecmp(token->text, word);
}

bool mqsc_fail(struct mqsc_parser *parser, const struct mqsc_token *token,
	       const char *format, ...)
{
	va_list args;

	parser->fault->column = token->column;
	va_start(args, format);
	vsnprintf(parser->fault->text, sizeof(parser->fault->text), format,
		  args);
	va_end(args);
	return false;
}

bool mqsc_expect(struct mqsc_parser *parser, enum mqsc_token_type type,
		 const char *what)
{
	if (parser->at->type != type)
		return mqsc_fail(parser, parser->at, "%s is missing here",
				 what);
	parser->at++;
	return true;
}

const struct mqsc_token *mqsc_take_value(struct mqsc_parser *parser)
{
	const struct mqsc_token *value;

	if (!mqsc_expect(parser, MQSC_OPEN, "'('"))
		return NULL;
	value = parser->at;
	if (value->type != MQSC_WORD && value->type != MQSC_STRING) {
		mqsc_fail(parser, value, "a value is missing here");
		return NULL;
	}
	parser->at++;
	return mqsc_expect(parser, MQSC_CLOSE, "')'") ? value : NULL;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '.' || c == '/' || c == '_' ||
	       c == '%';
}

bool mqsc_copy_name(struct mqsc_parser *parser, const struct mqsc_token *token,
		    char *name, bool generic)
{
	size_t length = strlen(token->text);
	size_t i;

	while (length && token->text[length - 1] == ' ')
		length--;
	if (!length || length > MQSC_NAME_MAX)
		return mqsc_fail(parser, token,
				 "a name has 1 to 48 characters");
	for (i = 0; i < length; i++) {
		char c = token->text[i];

		if (!is_name_char(c) &&
		    !(generic && c == '*' && i == length - 1))
			return mqsc_fail(parser, token,
					 "'%s' is not a valid name",
					 token->text);
		name[i] = token->type == MQSC_WORD ?
			  toupper((unsigned char)c) : c;
	}
	name[length] = '\0';
	return true;
}

bool mqsc_take_name(struct mqsc_parser *parser, char *name, bool generic)
{
	const struct mqsc_token *token = mqsc_take_value(parser);

	return token && mqsc_copy_name(parser, token, name, generic);
}

unsigned int mqsc_attrs_of(const struct mqsc_command *command)
{
	switch (command->object) {
	case MQSC_QMGR:
		return ATTR_ON_QMGR;
	case MQSC_QMSTATUS:
		return ATTR_ON_QMSTATUS;
	case MQSC_PROCESS:
		return ATTR_ON_PROCESS;
	case MQSC_NAMELIST:
		return ATTR_ON_NAMELIST;
	case MQSC_QSTATUS:
		return command->listing == MQSC_LIST_SELF ?
		       ATTR_ON_STATUS : ATTR_ON_HANDLE;
	case MQSC_CONN:
		if (command->listing == MQSC_LIST_BOTH)
			return ATTR_ON_CONN | ATTR_ON_HANDLE;
		return command->listing == MQSC_LIST_SELF ?
		       ATTR_ON_CONN : ATTR_ON_HANDLE;
	case MQSC_QUEUE:
		if (command->q_type == MQQT_CLUSTER)
			return ATTR_ON_CLUSTER;
		return command->q_type == MQQT_ALL ?
		       ATTR_ON_QUEUES : attr_on_q_type(command->q_type);
	default:
		return 0;
	}
}

static bool skip_value(struct mqsc_parser *parser)
{
	int depth = 0;

	if (parser->at->type != MQSC_OPEN)
		return true;
	do {
		if (parser->at->type == MQSC_END)
			return mqsc_fail(parser, parser->at,
					 "')' is missing here");
		if (parser->at->type == MQSC_OPEN)
			depth++;
		else if (parser->at->type == MQSC_CLOSE)
			depth--;
		parser->at++;
	} while (depth);
	return true;
}

bool mqsc_pass_over(struct mqsc_parser *parser, const struct mqsc_token *word)
{
	struct mqsc_command *command = parser->command;
	const char *name = foreign_attr_find(word->text,
					     mqsc_attrs_of(command));
	size_t i;

	if (!name)
		return mqsc_fail(parser, word, "%s is not an attribute here",
				 word->text);
	for (i = 0; i < command->ignored_count; i++)
		if (command->ignored[i] == name)
			return skip_value(parser);
	if (command->ignored_count < MQSC_IGNORED_MAX)
		command->ignored[command->ignored_count++] = name;
	return skip_value(parser);
}

struct mqsc_param *mqsc_add_param(struct mqsc_parser *parser,
				  const struct attr *attr)
{
	struct mqsc_command *command = parser->command;
	struct mqsc_param *param;

	if (command->param_count == MQSC_PARAMS_MAX) {
		mqsc_fail(parser, parser->at,
			  "the command has too many attributes");
		return NULL;
	}
	param = &command->param[command->param_count++];
	memset(param, 0, sizeof(*param));
	param->attr = attr;
	return param;
}

bool mqsc_take_attr(struct mqsc_parser *parser, const struct attr *attr,
		    const struct mqsc_token *token,
		    struct attr_value *value)
{
	const char *why = "not a valid value";

	if (attr_parse(attr, token->text, token->type == MQSC_STRING, value,
		       &why))
		return true;
	return mqsc_fail(parser, token, "%s(%.60s): %s", attr->name,
			 token->text, why);
}
