/* SPDX-License-Identifier: MIT */
/*
 * Recursive descent over the tokens of one command. Keywords are compared
 * without regard to case; names and words that are not quoted are folded to
 * upper case.
 */
#include "mqsc_parse.h"

#include <string.h>
#include <strings.h>

#include "cmqc.h"
#include "mqsc_terms.h"
#include "mqsc_words.h"

/* Names between parentheses; none, or one that is blank, is an empty list. */
static bool take_names(struct mqsc_parser *parser, struct attr_value *value)
{
	struct mqsc_command *command = parser->command;
	char name[MQSC_NAME_MAX + 1];
	size_t count = 0;

	if (!mqsc_expect(parser, MQSC_OPEN, "'('"))
		return false;
	while (parser->at->type == MQSC_WORD ||
	       parser->at->type == MQSC_STRING) {
		const struct mqsc_token *token = parser->at++;

		if (!token->text[strspn(token->text, " ")])
			continue;
		if (count == ATTR_NAMES_MAX)
			return mqsc_fail(parser, token,
					 "a list has up to %d names",
					 ATTR_NAMES_MAX);
		if (!mqsc_copy_name(parser, token, name, false))
			return false;
		memset(command->names[count], ' ', ATTR_NAME_LEN);
		memcpy(command->names[count++], name, strlen(name));
	}
	value->number = count;
	value->names = command->names[0];
	return mqsc_expect(parser, MQSC_CLOSE, "')'");
}

/* KEY(VALUE), KEY or NOKEY in DEFINE and ALTER. */
static bool parse_setting(struct mqsc_parser *parser)
{
	const struct mqsc_token *word = parser->at++;
	const struct mqsc_token *token;
	const struct attr *attr;
	struct mqsc_param *param;
	bool negated;

	attr = attr_find(word->text, mqsc_attrs_of(parser->command), &negated);
	if (!attr)
		return mqsc_pass_over(parser, word);
	if (attr->shown_only)
		return mqsc_fail(parser, word, "%s cannot be set", attr->name);
	param = mqsc_add_param(parser, attr);
	if (!param)
		return false;
	if (attr->kind == ATTR_SWITCH) {
		param->value.number = !negated;
		return true;
	}
	if (attr->kind == ATTR_NAMES)
		return take_names(parser, &param->value);
	token = mqsc_take_value(parser);
	return token && mqsc_take_attr(parser, attr, token, &param->value);
}

static bool parse_yes_no(struct mqsc_parser *parser, bool *yes)
{
	const struct mqsc_token *token = mqsc_take_value(parser);

	if (!token)
		return false;
	*yes = !strcasecmp(token->text, "YES");
	if (!*yes && strcasecmp(token->text, "NO"))
		return mqsc_fail(parser, token, "YES or NO is missing here");
	return true;
}

static bool parse_define_option(struct mqsc_parser *parser)
{
	struct mqsc_command *command = parser->command;

	if (mqsc_is_word(parser->at, "REPLACE") ||
	    mqsc_is_word(parser->at, "NOREPLACE")) {
		command->replace = mqsc_is_word(parser->at, "REPLACE");
		parser->at++;
		return true;
	}
	if (mqsc_is_word(parser->at, "LIKE")) {
		parser->at++;
		return mqsc_take_name(parser, command->like, false);
	}
	return parse_setting(parser);
}

static bool parse_alter_option(struct mqsc_parser *parser)
{
	if (mqsc_is_word(parser->at, "FORCE") ||
	    mqsc_is_word(parser->at, "NOFORCE")) {
		parser->at++;
		return true;
	}
	return parse_setting(parser);
}

static bool parse_delete_option(struct mqsc_parser *parser)
{
	struct mqsc_command *command = parser->command;
	bool unused;

	if (command->object == MQSC_QUEUE &&
	    (mqsc_is_word(parser->at, "PURGE") ||
	     mqsc_is_word(parser->at, "NOPURGE"))) {
		command->purge = mqsc_is_word(parser->at, "PURGE");
		parser->at++;
		return true;
	}
	if (mqsc_is_word(parser->at, "IGNSTATE")) {
		parser->at++;
		return parse_yes_no(parser, &command->ignore_missing);
	}
	/* There are no authority records to keep or to delete. */
	if (mqsc_is_word(parser->at, "AUTHREC")) {
		parser->at++;
		return parse_yes_no(parser, &unused);
	}
	return mqsc_fail(parser, parser->at, "%s is not an option of DELETE",
			 parser->at->text);
}

/* What is left to a connection is to end by itself: nothing is cut off. */
static bool parse_conn_option(struct mqsc_parser *parser)
{
	const struct mqsc_token *word = parser->at++;
	const struct mqsc_token *token;

	if (!mqsc_is_word(word, "MODE") && !mqsc_is_word(word, "EXTCONN"))
		return mqsc_fail(parser, word, "%s is too much here",
				 word->text);
	token = mqsc_take_value(parser);
	if (!token)
		return false;
	if (mqsc_is_word(word, "EXTCONN") ||
	    !strcasecmp(token->text, "QUIESCE"))
		return true;
	return mqsc_fail(parser, token, "only MODE(QUIESCE) is possible");
}

static bool parse_option(struct mqsc_parser *parser)
{
	if (parser->at->type != MQSC_WORD)
		return mqsc_fail(parser, parser->at,
				 "a keyword is missing here");
	switch (parser->command->verb) {
	case MQSC_DEFINE:
		return parse_define_option(parser);
	case MQSC_ALTER:
		return parse_alter_option(parser);
	case MQSC_DELETE:
		return parse_delete_option(parser);
	case MQSC_DISPLAY:
		return mqsc_parse_display(parser);
	case MQSC_START:
	case MQSC_STOP:
		return parse_conn_option(parser);
	default:
		return mqsc_fail(parser, parser->at, "%s is too much here",
				 parser->at->text);
	}
}

static bool is_other_object(const struct mqsc_command *command)
{
	return command->object == MQSC_PROCESS ||
	       command->object == MQSC_NAMELIST;
}

/* Which objects a verb takes. */
static bool verb_takes(const struct mqsc_command *command)
{
	switch (command->verb) {
	case MQSC_DISPLAY:
		return true;
	case MQSC_PING:
		return command->object == MQSC_QMGR;
	case MQSC_ALTER:
		if (command->object == MQSC_QMGR)
			return true;
		/* fall through */
	case MQSC_DEFINE:
		return is_other_object(command) ||
		       (command->object == MQSC_QUEUE &&
			command->q_type != MQQT_ALL &&
			command->q_type != MQQT_CLUSTER);
	case MQSC_DELETE:
		return is_other_object(command) ||
		       (command->object == MQSC_QUEUE &&
			command->q_type != MQQT_CLUSTER);
	case MQSC_CLEAR:
		return command->object == MQSC_QUEUE &&
		       command->q_type == MQQT_LOCAL;
	case MQSC_START:
	case MQSC_STOP:
		return command->object == MQSC_CONN;
	default:
		return false;
	}
}

static enum mqsc_parsed parse_object(struct mqsc_parser *parser,
				     const char *verb)
{
	struct mqsc_command *command = parser->command;
	const struct mqsc_token *word = parser->at;
	const struct mqsc_keyword *object;

	if (!mqsc_expect(parser, MQSC_WORD, "the kind of object"))
		return MQSC_SYNTAX_ERROR;
	object = mqsc_keyword_find(mqsc_objects, word->text);
	if (!object) {
		bool foreign = mqsc_is_foreign_object(word->text);

		mqsc_fail(parser, word,
			  foreign ? "kmq keeps no objects of type %s" :
				    "%s is not a kind of object", word->text);
		return foreign ? MQSC_UNSUPPORTED : MQSC_SYNTAX_ERROR;
	}
	command->object = object->value;
	command->q_type = object->q_type;
	if (!verb_takes(command)) {
		mqsc_fail(parser, word, "%s does not go with %s", verb,
			  object->word);
		return MQSC_SYNTAX_ERROR;
	}
	return MQSC_VALID;
}

static bool parse_target(struct mqsc_parser *parser)
{
	struct mqsc_command *command = parser->command;

	if (command->object == MQSC_QMGR || command->object == MQSC_QMSTATUS)
		return true;
	return mqsc_take_name(parser, command->name,
			      command->verb == MQSC_DISPLAY);
}

static enum mqsc_parsed parse_verb(struct mqsc_parser *parser)
{
	const struct mqsc_token *word = parser->at;
	const struct mqsc_keyword *verb;

	if (!mqsc_expect(parser, MQSC_WORD, "a command"))
		return MQSC_SYNTAX_ERROR;
	verb = mqsc_keyword_find(mqsc_verbs, word->text);
	if (!verb) {
		bool foreign = mqsc_is_foreign_verb(word->text);

		mqsc_fail(parser, word, foreign ? "kmq has no use for %s" :
			  "%s is not a command", word->text);
		return foreign ? MQSC_UNSUPPORTED : MQSC_SYNTAX_ERROR;
	}
	parser->command->verb = verb->value;
	if (verb->value == MQSC_END_INPUT)
		return MQSC_VALID;
	return parse_object(parser, verb->word);
}

enum mqsc_parsed mqsc_parse(const char *text, struct mqsc_command *command,
			    struct mqsc_fault *fault)
{
	static _Thread_local struct mqsc_parser parser;
	enum mqsc_parsed parsed;

	memset(command, 0, sizeof(*command));
	memset(fault, 0, sizeof(*fault));
	parser.command = command;
	parser.fault = fault;
	if (!mqsc_lex(text, &parser.tokens, fault))
		return MQSC_SYNTAX_ERROR;
	if (!parser.tokens.count)
		return MQSC_EMPTY;

	parser.at = parser.tokens.token;
	parsed = parse_verb(&parser);
	if (parsed != MQSC_VALID)
		return parsed;
	if (command->verb != MQSC_END_INPUT && !parse_target(&parser))
		return MQSC_SYNTAX_ERROR;
	if (command->object == MQSC_QSTATUS || command->object == MQSC_CONN)
		mqsc_look_for_listing(&parser);
	while (parser.at->type != MQSC_END)
		if (!parse_option(&parser))
			return MQSC_SYNTAX_ERROR;
	return MQSC_VALID;
}

bool mqsc_is_generic(const struct mqsc_command *command)
{
	return strchr(command->name, '*') != NULL;
}
