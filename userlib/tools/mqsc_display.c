/* SPDX-License-Identifier: MIT */
/*
 * The options of DISPLAY: what to show of which objects.
 */
#include <string.h>
#include <strings.h>

#include "cmqc.h"
#include "mqsc_terms.h"
#include "mqsc_words.h"

/* WHERE(attribute operator value) */
static bool parse_where(struct mqsc_parser *parser)
{
	struct mqsc_filter *filter = &parser->command->filter;
	const struct mqsc_keyword *operator;
	const struct mqsc_token *word;
	bool negated;

	if (filter->attr)
		return mqsc_fail(parser, parser->at,
				 "only one WHERE is possible");
	parser->at++;
	if (!mqsc_expect(parser, MQSC_OPEN, "'('"))
		return false;
	word = parser->at;
	if (!mqsc_expect(parser, MQSC_WORD, "an attribute"))
		return false;
	filter->attr = attr_find(word->text, mqsc_attrs_of(parser->command),
				 &negated);
	if (!filter->attr)
		return mqsc_fail(parser, word, "%s is not an attribute here",
				 word->text);

	word = parser->at;
	if (!mqsc_expect(parser, MQSC_WORD, "an operator"))
		return false;
	operator = mqsc_keyword_find(mqsc_operators, word->text);
	if (!operator)
		return mqsc_fail(parser, word, "%s is not an operator",
				 word->text);
	filter->operator = operator->value;

	word = parser->at;
	if (word->type != MQSC_WORD && word->type != MQSC_STRING)
		return mqsc_fail(parser, word, "a value is missing here");
	parser->at++;
	return mqsc_expect(parser, MQSC_CLOSE, "')'");
}

static bool is_ordering(enum mqsc_operator operator)
{
	return operator == MQSC_LT || operator == MQSC_GT ||
	       operator == MQSC_LE || operator == MQSC_GE;
}

/* The value is read in a second step because patterns are no valid names. */
static bool check_where(struct mqsc_parser *parser,
			const struct mqsc_token *value)
{
	struct mqsc_filter *filter = &parser->command->filter;
	const struct attr *attr = filter->attr;
	bool pattern = filter->operator == MQSC_LIKE ||
		       filter->operator == MQSC_UNLIKE;
	bool member = filter->operator == MQSC_CONTAINS ||
		      filter->operator == MQSC_EXCLUDES;
	struct attr as_text = *attr;

	if (member != (attr->kind == ATTR_NAMES))
		return mqsc_fail(parser, value,
				 "CT and EX need a list, and nothing else does");
	if (pattern && !attr_is_text(attr))
		return mqsc_fail(parser, value,
				 "LK and NL need a text attribute");
	if (is_ordering(filter->operator) && attr->kind != ATTR_NUMBER &&
	    attr->kind != ATTR_TEXT)
		return mqsc_fail(parser, value, "%s has no order", attr->name);
	if (attr->kind == ATTR_SWITCH) {
		filter->value.number = strcasecmp(value->text, "NO") &&
				       strncasecmp(value->text, "NO", 2);
		return true;
	}
	if (pattern || member) {
		as_text.kind = ATTR_TEXT;
		as_text.length = ATTR_TEXT_MAX;
	}
	return mqsc_take_attr(parser, &as_text, value, &filter->value);
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

void mqsc_look_for_listing(struct mqsc_parser *parser)
{
	const struct mqsc_token *token;

	for (token = parser->at; token->type != MQSC_END; token++)
		if (mqsc_is_word(token, "TYPE") && token[1].type == MQSC_OPEN &&
		    token[2].type == MQSC_WORD)
			find_listing(parser->command, token[2].text);
}

/* DISPLAY QUEUE(...) TYPE(QLOCAL) chooses, plain TYPE asks for the attribute. */
static bool parse_type_choice(struct mqsc_parser *parser)
{
	struct mqsc_command *command = parser->command;
	const struct mqsc_token *token;
	const struct mqsc_keyword *key;

	parser->at++;
	token = mqsc_take_value(parser);
	if (!token)
		return false;
	if (command->object != MQSC_QUEUE)
		return find_listing(command, token->text) ||
		       mqsc_fail(parser, token, "%s is not a type here",
				 token->text);
	if (!strcasecmp(token->text, "ALL")) {
		command->q_type = MQQT_ALL;
		return true;
	}
	key = mqsc_keyword_find(mqsc_objects, token->text);
	if (!key || key->value != MQSC_QUEUE || !key->q_type)
		return mqsc_fail(parser, token, "%s is not a queue type",
				 token->text);
	command->q_type = key->q_type;
	return true;
}

bool mqsc_parse_display(struct mqsc_parser *parser)
{
	const struct mqsc_token *word = parser->at;
	struct mqsc_command *command = parser->command;
	const struct attr *attr;
	bool negated;

	if (mqsc_is_word(word, "ALL")) {
		command->all = true;
		parser->at++;
		return true;
	}
	if (mqsc_is_word(word, "WHERE"))
		return parse_where(parser) &&
		       check_where(parser, parser->at - 2);
	if ((mqsc_is_word(word, "TYPE") || mqsc_is_word(word, "QTYPE")) &&
	    word[1].type == MQSC_OPEN)
		return parse_type_choice(parser);

	parser->at++;
	attr = attr_find(word->text, mqsc_attrs_of(command), &negated);
	if (!attr)
		return mqsc_pass_over(parser, word);
	return mqsc_add_param(parser, attr);
}
