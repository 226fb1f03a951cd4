/* SPDX-License-Identifier: MIT */
/*
 * Recursive descent over the tokens of one command. Keywords are compared
 * without regard to case; names and words that are not quoted are folded to
 * upper case.
 */
#include "mqsc_parse.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cmqc.h"
#include "mqsc_words.h"

struct parser {
	const struct mqsc_token *at;
	struct mqsc_command *command;
	struct mqsc_fault *fault;
	struct mqsc_tokens tokens;
};

static bool is_word(const struct mqsc_token *token, const char *word)
{
	return token->type == MQSC_WORD && !strcasecmp(token->text, word);
}

/* Notes what is wrong; always false. */
static bool __attribute__((format(printf, 3, 4)))
fail(struct parser *parser, const struct mqsc_token *token,
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

static bool expect(struct parser *parser, enum mqsc_token_type type,
		   const char *what)
{
	if (parser->at->type != type)
		return fail(parser, parser->at, "%s is missing here", what);
	parser->at++;
	return true;
}

/* One word or quoted text between parentheses. */
static const struct mqsc_token *take_value(struct parser *parser)
{
	const struct mqsc_token *value;

	if (!expect(parser, MQSC_OPEN, "'('"))
		return NULL;
	value = parser->at;
	if (value->type != MQSC_WORD && value->type != MQSC_STRING) {
		fail(parser, value, "a value is missing here");
		return NULL;
	}
	parser->at++;
	return expect(parser, MQSC_CLOSE, "')'") ? value : NULL;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '.' || c == '/' || c == '_' ||
	       c == '%';
}

static bool copy_name(struct parser *parser, const struct mqsc_token *token,
		      char *name, bool generic)
{
	size_t length = strlen(token->text);
	size_t i;

	while (length && token->text[length - 1] == ' ')
		length--;
	if (!length || length > MQSC_NAME_MAX)
		return fail(parser, token, "a name has 1 to 48 characters");
	for (i = 0; i < length; i++) {
		char c = token->text[i];

		if (!is_name_char(c) &&
		    !(generic && c == '*' && i == length - 1))
			return fail(parser, token, "'%s' is not a valid name",
				    token->text);
		name[i] = token->type == MQSC_WORD ?
			  toupper((unsigned char)c) : c;
	}
	name[length] = '\0';
	return true;
}

static bool take_name(struct parser *parser, char *name, bool generic)
{
	const struct mqsc_token *token = take_value(parser);

	return token && copy_name(parser, token, name, generic);
}

/* The attributes a command may name, by its object. */
static unsigned int attrs_of(const struct mqsc_command *command)
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

static struct mqsc_param *add_param(struct parser *parser,
				    const struct attr *attr)
{
	struct mqsc_command *command = parser->command;
	struct mqsc_param *param;

	if (command->param_count == MQSC_PARAMS_MAX) {
		fail(parser, parser->at, "the command has too many attributes");
		return NULL;
	}
	param = &command->param[command->param_count++];
	memset(param, 0, sizeof(*param));
	param->attr = attr;
	return param;
}

static bool parse_attr_value(struct parser *parser, const struct attr *attr,
			     const struct mqsc_token *token,
			     struct attr_value *value)
{
	const char *why = "not a valid value";

	if (attr_parse(attr, token->text, token->type == MQSC_STRING, value,
		       &why))
		return true;
	return fail(parser, token, "%s(%.60s): %s", attr->name, token->text,
		    why);
}

/* Names between parentheses; none, or one that is blank, is an empty list. */
static bool take_names(struct parser *parser, struct attr_value *value)
{
	struct mqsc_command *command = parser->command;
	char name[MQSC_NAME_MAX + 1];
	size_t count = 0;

	if (!expect(parser, MQSC_OPEN, "'('"))
		return false;
	while (parser->at->type == MQSC_WORD ||
	       parser->at->type == MQSC_STRING) {
		const struct mqsc_token *token = parser->at++;

		if (!token->text[strspn(token->text, " ")])
			continue;
		if (count == ATTR_NAMES_MAX)
			return fail(parser, token, "a list has up to %d names",
				    ATTR_NAMES_MAX);
		if (!copy_name(parser, token, name, false))
			return false;
		memset(command->names[count], ' ', ATTR_NAME_LEN);
		memcpy(command->names[count++], name, strlen(name));
	}
	value->number = count;
	value->names = command->names[0];
	return expect(parser, MQSC_CLOSE, "')'");
}

/* KEY(VALUE), KEY or NOKEY in DEFINE and ALTER. */
static bool parse_setting(struct parser *parser)
{
	const struct mqsc_token *word = parser->at++;
	const struct mqsc_token *token;
	const struct attr *attr;
	struct mqsc_param *param;
	bool negated;

	attr = attr_find(word->text, attrs_of(parser->command), &negated);
	if (!attr)
		return fail(parser, word, "%s is not an attribute here",
			    word->text);
	if (attr->shown_only)
		return fail(parser, word, "%s cannot be set", attr->name);
	param = add_param(parser, attr);
	if (!param)
		return false;
	if (attr->kind == ATTR_SWITCH) {
		param->value.number = !negated;
		return true;
	}
	if (attr->kind == ATTR_NAMES)
		return take_names(parser, &param->value);
	token = take_value(parser);
	return token && parse_attr_value(parser, attr, token, &param->value);
}

static bool parse_yes_no(struct parser *parser, bool *yes)
{
	const struct mqsc_token *token = take_value(parser);

	if (!token)
		return false;
	*yes = !strcasecmp(token->text, "YES");
	if (!*yes && strcasecmp(token->text, "NO"))
		return fail(parser, token, "YES or NO is missing here");
	return true;
}

static bool parse_define_option(struct parser *parser)
{
	struct mqsc_command *command = parser->command;

	if (is_word(parser->at, "REPLACE") || is_word(parser->at, "NOREPLACE")) {
		command->replace = is_word(parser->at, "REPLACE");
		parser->at++;
		return true;
	}
	if (is_word(parser->at, "LIKE")) {
		parser->at++;
		return take_name(parser, command->like, false);
	}
	return parse_setting(parser);
}

static bool parse_alter_option(struct parser *parser)
{
	if (is_word(parser->at, "FORCE") || is_word(parser->at, "NOFORCE")) {
		parser->at++;
		return true;
	}
	return parse_setting(parser);
}

static bool parse_delete_option(struct parser *parser)
{
	struct mqsc_command *command = parser->command;
	bool unused;

	if (command->object == MQSC_QUEUE &&
	    (is_word(parser->at, "PURGE") || is_word(parser->at, "NOPURGE"))) {
		command->purge = is_word(parser->at, "PURGE");
		parser->at++;
		return true;
	}
	if (is_word(parser->at, "IGNSTATE")) {
		parser->at++;
		return parse_yes_no(parser, &command->ignore_missing);
	}
	/* There are no authority records to keep or to delete. */
	if (is_word(parser->at, "AUTHREC")) {
		parser->at++;
		return parse_yes_no(parser, &unused);
	}
	return fail(parser, parser->at, "%s is not an option of DELETE",
		    parser->at->text);
}

/* WHERE(attribute operator value) */
static bool parse_where(struct parser *parser)
{
	struct mqsc_filter *filter = &parser->command->filter;
	const struct mqsc_keyword *operator;
	const struct mqsc_token *word;
	bool negated;

	if (filter->attr)
		return fail(parser, parser->at, "only one WHERE is possible");
	parser->at++;
	if (!expect(parser, MQSC_OPEN, "'('"))
		return false;
	word = parser->at;
	if (!expect(parser, MQSC_WORD, "an attribute"))
		return false;
	filter->attr = attr_find(word->text, attrs_of(parser->command),
				 &negated);
	if (!filter->attr)
		return fail(parser, word, "%s is not an attribute here",
			    word->text);

	word = parser->at;
	if (!expect(parser, MQSC_WORD, "an operator"))
		return false;
	operator = mqsc_keyword_find(mqsc_operators, word->text);
	if (!operator)
		return fail(parser, word, "%s is not an operator", word->text);
	filter->operator = operator->value;

	word = parser->at;
	if (word->type != MQSC_WORD && word->type != MQSC_STRING)
		return fail(parser, word, "a value is missing here");
	parser->at++;
	return expect(parser, MQSC_CLOSE, "')'");
}

static bool is_ordering(enum mqsc_operator operator)
{
	return operator == MQSC_LT || operator == MQSC_GT ||
	       operator == MQSC_LE || operator == MQSC_GE;
}

/* The value is read in a second step because patterns are no valid names. */
static bool check_where(struct parser *parser, const struct mqsc_token *value)
{
	struct mqsc_filter *filter = &parser->command->filter;
	const struct attr *attr = filter->attr;
	bool pattern = filter->operator == MQSC_LIKE ||
		       filter->operator == MQSC_UNLIKE;
	bool member = filter->operator == MQSC_CONTAINS ||
		      filter->operator == MQSC_EXCLUDES;
	struct attr as_text = *attr;

	if (member != (attr->kind == ATTR_NAMES))
		return fail(parser, value, "CT and EX need a list, and nothing else does");
	if (pattern && !attr_is_text(attr))
		return fail(parser, value, "LK and NL need a text attribute");
	if (is_ordering(filter->operator) && attr->kind != ATTR_NUMBER &&
	    attr->kind != ATTR_TEXT)
		return fail(parser, value, "%s has no order", attr->name);
	if (attr->kind == ATTR_SWITCH) {
		filter->value.number = strcasecmp(value->text, "NO") &&
				       strncasecmp(value->text, "NO", 2);
		return true;
	}
	if (pattern || member) {
		as_text.kind = ATTR_TEXT;
		as_text.length = ATTR_TEXT_MAX;
	}
	return parse_attr_value(parser, &as_text, value, &filter->value);
}

/* What TYPE says of status and connections. */
static bool find_listing(struct mqsc_command *command, const char *word)
{
	const char *self = command->object == MQSC_CONN ? "CONN" : "QUEUE";

	if (!strcasecmp(word, self))
		command->listing = MQSC_LIST_SELF;
	else if (!strcasecmp(word, "HANDLE"))
		command->listing = MQSC_LIST_HANDLES;
	else if (!strcasecmp(word, "ALL") && command->object == MQSC_CONN)
		command->listing = MQSC_LIST_BOTH;
	else
		return false;
	return true;
}

/* It may stand behind attributes, and says which these may be. */
static void look_for_listing(struct parser *parser)
{
	const struct mqsc_token *token;

	for (token = parser->at; token->type != MQSC_END; token++)
		if (is_word(token, "TYPE") && token[1].type == MQSC_OPEN &&
		    token[2].type == MQSC_WORD)
			find_listing(parser->command, token[2].text);
}

/* DISPLAY QUEUE(...) TYPE(QLOCAL) chooses, plain TYPE asks for the attribute. */
static bool parse_type_choice(struct parser *parser)
{
	struct mqsc_command *command = parser->command;
	const struct mqsc_token *token;
	const struct mqsc_keyword *key;

	parser->at++;
	token = take_value(parser);
	if (!token)
		return false;
	if (command->object != MQSC_QUEUE)
		return find_listing(command, token->text) ||
		       fail(parser, token, "%s is not a type here",
			    token->text);
	if (!strcasecmp(token->text, "ALL")) {
		command->q_type = MQQT_ALL;
		return true;
	}
	key = mqsc_keyword_find(mqsc_objects, token->text);
	if (!key || key->value != MQSC_QUEUE || !key->q_type)
		return fail(parser, token, "%s is not a queue type",
			    token->text);
	command->q_type = key->q_type;
	return true;
}

static bool parse_display_option(struct parser *parser)
{
	const struct mqsc_token *word = parser->at;
	struct mqsc_command *command = parser->command;
	const struct attr *attr;
	bool negated;

	if (is_word(word, "ALL")) {
		command->all = true;
		parser->at++;
		return true;
	}
	if (is_word(word, "WHERE"))
		return parse_where(parser) &&
		       check_where(parser, parser->at - 2);
	if ((is_word(word, "TYPE") || is_word(word, "QTYPE")) &&
	    word[1].type == MQSC_OPEN)
		return parse_type_choice(parser);

	parser->at++;
	attr = attr_find(word->text, attrs_of(command), &negated);
	if (!attr)
		return fail(parser, word, "%s is not an attribute here",
			    word->text);
	return add_param(parser, attr);
}

/* What is left to a connection is to end by itself: nothing is cut off. */
static bool parse_conn_option(struct parser *parser)
{
	const struct mqsc_token *word = parser->at++;
	const struct mqsc_token *token;

	if (!is_word(word, "MODE") && !is_word(word, "EXTCONN"))
		return fail(parser, word, "%s is too much here", word->text);
	token = take_value(parser);
	if (!token)
		return false;
	if (is_word(word, "EXTCONN") || !strcasecmp(token->text, "QUIESCE"))
		return true;
	return fail(parser, token, "only MODE(QUIESCE) is possible");
}

static bool parse_option(struct parser *parser)
{
	if (parser->at->type != MQSC_WORD)
		return fail(parser, parser->at, "a keyword is missing here");
	switch (parser->command->verb) {
	case MQSC_DEFINE:
		return parse_define_option(parser);
	case MQSC_ALTER:
		return parse_alter_option(parser);
	case MQSC_DELETE:
		return parse_delete_option(parser);
	case MQSC_DISPLAY:
		return parse_display_option(parser);
	case MQSC_START:
	case MQSC_STOP:
		return parse_conn_option(parser);
	default:
		return fail(parser, parser->at, "%s is too much here",
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

static enum mqsc_parsed parse_object(struct parser *parser,
				     const char *verb)
{
	struct mqsc_command *command = parser->command;
	const struct mqsc_token *word = parser->at;
	const struct mqsc_keyword *object;

	if (!expect(parser, MQSC_WORD, "the kind of object"))
		return MQSC_SYNTAX_ERROR;
	object = mqsc_keyword_find(mqsc_objects, word->text);
	if (!object) {
		bool foreign = mqsc_is_foreign_object(word->text);

		fail(parser, word, foreign ? "kmq keeps no objects of type %s" :
		     "%s is not a kind of object", word->text);
		return foreign ? MQSC_UNSUPPORTED : MQSC_SYNTAX_ERROR;
	}
	command->object = object->value;
	command->q_type = object->q_type;
	if (!verb_takes(command)) {
		fail(parser, word, "%s does not go with %s", verb,
		     object->word);
		return MQSC_SYNTAX_ERROR;
	}
	return MQSC_VALID;
}

static bool parse_target(struct parser *parser)
{
	struct mqsc_command *command = parser->command;

	if (command->object == MQSC_QMGR || command->object == MQSC_QMSTATUS)
		return true;
	return take_name(parser, command->name, command->verb == MQSC_DISPLAY);
}

static enum mqsc_parsed parse_verb(struct parser *parser)
{
	const struct mqsc_token *word = parser->at;
	const struct mqsc_keyword *verb;

	if (!expect(parser, MQSC_WORD, "a command"))
		return MQSC_SYNTAX_ERROR;
	verb = mqsc_keyword_find(mqsc_verbs, word->text);
	if (!verb) {
		bool foreign = mqsc_is_foreign_verb(word->text);

		fail(parser, word, foreign ? "kmq has no use for %s" :
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
	static _Thread_local struct parser parser;
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
		look_for_listing(&parser);
	while (parser.at->type != MQSC_END)
		if (!parse_option(&parser))
			return MQSC_SYNTAX_ERROR;
	return MQSC_VALID;
}

bool mqsc_is_generic(const struct mqsc_command *command)
{
	return strchr(command->name, '*') != NULL;
}
