/* SPDX-License-Identifier: MIT */
/*
 * What commands are made of: keywords, names, values and attributes. Each function
 * takes one from where the parser stands, or says what is wrong and gives false or
 * NULL.
 */
#ifndef KMQ_TOOL_MQSC_TERMS_H
#define KMQ_TOOL_MQSC_TERMS_H

#include <stdbool.h>
#include "mqsc_parse.h"

struct mqsc_parser {
	const struct mqsc_token *at;
	struct mqsc_command *command;
	struct mqsc_fault *fault;
	struct mqsc_tokens tokens;
};

bool mqsc_is_word(const struct mqsc_token *token, const char *word);
/* Notes what is wrong; always false. */
bool mqsc_fail(struct mqsc_parser *parser, const struct mqsc_token *token,
	       const char *format, ...) __attribute__((format(printf, 3, 4)));
bool mqsc_expect(struct mqsc_parser *parser, enum mqsc_token_type type,
		 const char *what);
/* One word or quoted text between parentheses. */
const struct mqsc_token *mqsc_take_value(struct mqsc_parser *parser);
/* A name, @generic: it may end in '*'. */
bool mqsc_copy_name(struct mqsc_parser *parser, const struct mqsc_token *token,
		    char *name, bool generic);
bool mqsc_take_name(struct mqsc_parser *parser, char *name, bool generic);
/* The attributes a command may name, by its object. */
/*
 * Passes over an attribute that IBM MQ has and kmq has no use for, with its
 * value if there is one; the parser stands behind the keyword. Returns false,
 * with the fault set, if it is no such attribute.
 */
bool mqsc_pass_over(struct mqsc_parser *parser, const struct mqsc_token *word);

unsigned int mqsc_attrs_of(const struct mqsc_command *command);
struct mqsc_param *mqsc_add_param(struct mqsc_parser *parser,
				  const struct attr *attr);
bool mqsc_take_attr(struct mqsc_parser *parser, const struct attr *attr,
		    const struct mqsc_token *token, struct attr_value *value);

/* --- mqsc_display.c -------------------------------------------------------- */

/* One option of DISPLAY. */
bool mqsc_parse_display(struct mqsc_parser *parser);
/*
 * TYPE of a status or connection may stand behind attributes, and says which these
 * may be.
 */
void mqsc_look_for_listing(struct mqsc_parser *parser);

#endif
