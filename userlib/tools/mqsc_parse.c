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

struct parser {
	const struct mqsc_token *at;
	struct mqsc_command *command;
	struct mqsc_fault *fault;
	struct mqsc_tokens tokens;
};

struct keyword {
	const char *word;
	const char *synonym;	/* may be shorter than an abbreviation */
	int value;
	int q_type;
};

/* Abbreviations of these may be cut down to three letters. */
static const struct keyword verbs[] = {
	{ "ALTER", NULL, MQSC_ALTER, 0 },
	{ "CLEAR", NULL, MQSC_CLEAR, 0 },
	{ "DEFINE", NULL, MQSC_DEFINE, 0 },
	{ "DELETE", NULL, MQSC_DELETE, 0 },
	{ "DISPLAY", NULL, MQSC_DISPLAY, 0 },
	{ "END", "QUIT", MQSC_END_INPUT, 0 },
	{ "PING", NULL, MQSC_PING, 0 },
	{ NULL, NULL, 0, 0 },
};

static const struct keyword objects[] = {
	{ "QLOCAL", "QL", MQSC_QUEUE, MQQT_LOCAL },
	{ "QALIAS", "QA", MQSC_QUEUE, MQQT_ALIAS },
	{ "QREMOTE", "QR", MQSC_QUEUE, MQQT_REMOTE },
	{ "QMODEL", "QM", MQSC_QUEUE, MQQT_MODEL },
	{ "QUEUE", "Q", MQSC_QUEUE, MQQT_ALL },
	{ "QMGR", NULL, MQSC_QMGR, 0 },
	{ "QSTATUS", "QS", MQSC_QSTATUS, 0 },
	{ "QMSTATUS", NULL, MQSC_QMSTATUS, 0 },
	{ NULL, NULL, 0, 0 },
};

static const struct keyword operators[] = {
	{ "LT", NULL, MQSC_LT, 0 },
	{ "GT", NULL, MQSC_GT, 0 },
	{ "EQ", NULL, MQSC_EQ, 0 },
	{ "NE", NULL, MQSC_NE, 0 },
	{ "LE", NULL, MQSC_LE, 0 },
	{ "GE", NULL, MQSC_GE, 0 },
	{ "LK", NULL, MQSC_LIKE, 0 },
	{ "NL", NULL, MQSC_UNLIKE, 0 },
	{ NULL, NULL, 0, 0 },
};

/* Verbs and objects of MQSC that exist, but have no counterpart here. */
static const char * const foreign_verbs[] = {
	"ARCHIVE", "BACKUP", "MOVE", "PURGE", "RECOVER", "REFRESH", "RESET",
	"RESOLVE", "RESUME", "RVERIFY", "SET", "START", "STOP", "SUSPEND",
	NULL,
};

static const char * const foreign_objects[] = {
	"APSTATUS", "AUTHINFO", "AUTHREC", "AUTHSERV", "CHANNEL", "CHINIT",
	"CHLAUTH", "CHS", "CHSTATUS", "CLUSQMGR", "CMDSERV", "COMMINFO",
	"CONN", "ENTAUTH", "LISTENER", "LSSTATUS", "NAMELIST", "POLICY",
	"PROCESS", "PUBSUB", "SBSTATUS", "SECURITY", "SERVICE", "STGCLASS",
	"SUB", "SVSTATUS", "TCLUSTER", "TOPIC", "TPSTATUS", "TRACE", "LOG",
	NULL,
};

static bool is_word(const struct mqsc_token *token, const char *word)
{
	return token->type == MQSC_WORD && !strcasecmp(token->text, word);
}

static bool is_listed(const char *word, const char * const *list)
{
	for (; *list; list++)
		if (!strcasecmp(word, *list))
			return true;
	return false;
}

static const struct keyword *find_keyword(const struct keyword *table,
					  const char *word)
{
	const struct keyword *found = NULL;
	const struct keyword *key;
	size_t length = strlen(word);

	for (key = table; key->word; key++) {
		if (!strcasecmp(word, key->word) ||
		    (key->synonym && !strcasecmp(word, key->synonym)))
			return key;
		if (length >= 3 && !strncasecmp(word, key->word, length)) {
			if (found)
				return NULL;
			found = key;
		}
	}
	return found;
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
	case MQSC_QSTATUS:
		return ATTR_ON_STATUS;
	case MQSC_QUEUE:
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

	if (is_word(parser->at, "PURGE") || is_word(parser->at, "NOPURGE")) {
		command->purge = is_word(parser->at, "PURGE");
		parser->at++;
		return true;
	}
	if (is_word(parser->at, "IGNSTATE")) {
		parser->at++;
		return parse_yes_no(parser, &command->ignore_missing);
	}
	return fail(parser, parser->at, "%s is not an option of DELETE",
		    parser->at->text);
}

/* WHERE(attribute operator value) */
static bool parse_where(struct parser *parser)
{
	struct mqsc_filter *filter = &parser->command->filter;
	const struct keyword *operator;
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
	operator = find_keyword(operators, word->text);
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
	struct attr as_text = *attr;

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
	if (pattern) {
		as_text.kind = ATTR_TEXT;
		as_text.length = ATTR_TEXT_MAX;
	}
	return parse_attr_value(parser, &as_text, value, &filter->value);
}

/* DISPLAY QUEUE(...) TYPE(QLOCAL) chooses, plain TYPE asks for the attribute. */
static bool parse_type_choice(struct parser *parser)
{
	struct mqsc_command *command = parser->command;
	const struct mqsc_token *token;
	const struct keyword *key;

	parser->at++;
	token = take_value(parser);
	if (!token)
		return false;
	if (command->object == MQSC_QSTATUS) {
		if (strcasecmp(token->text, "QUEUE"))
			return fail(parser, token, "only TYPE(QUEUE) is known");
		return true;
	}
	if (!strcasecmp(token->text, "ALL")) {
		command->q_type = MQQT_ALL;
		return true;
	}
	key = find_keyword(objects, token->text);
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
	default:
		return fail(parser, parser->at, "%s is too much here",
			    parser->at->text);
	}
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
		return command->object == MQSC_QUEUE &&
		       command->q_type != MQQT_ALL;
	case MQSC_DELETE:
		return command->object == MQSC_QUEUE;
	case MQSC_CLEAR:
		return command->object == MQSC_QUEUE &&
		       command->q_type == MQQT_LOCAL;
	default:
		return false;
	}
}

static enum mqsc_parsed parse_object(struct parser *parser,
				     const char *verb)
{
	struct mqsc_command *command = parser->command;
	const struct mqsc_token *word = parser->at;
	const struct keyword *object;

	if (!expect(parser, MQSC_WORD, "the kind of object"))
		return MQSC_SYNTAX_ERROR;
	object = find_keyword(objects, word->text);
	if (!object) {
		bool foreign = is_listed(word->text, foreign_objects);

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
	const struct keyword *verb;

	if (!expect(parser, MQSC_WORD, "a command"))
		return MQSC_SYNTAX_ERROR;
	verb = find_keyword(verbs, word->text);
	if (!verb) {
		bool foreign = is_listed(word->text, foreign_verbs);

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
	while (parser.at->type != MQSC_END)
		if (!parse_option(&parser))
			return MQSC_SYNTAX_ERROR;
	return MQSC_VALID;
}

bool mqsc_name_matches(const char *pattern, const char *name)
{
	size_t length = strlen(pattern);

	if (length && pattern[length - 1] == '*')
		return !strncmp(pattern, name, length - 1);
	return !strcmp(pattern, name);
}

const char *mqsc_q_type_word(int q_type)
{
	const struct keyword *key;

	for (key = objects; key->word; key++)
		if (key->value == MQSC_QUEUE && key->q_type == q_type)
			return key->word;
	return "QUEUE";
}
