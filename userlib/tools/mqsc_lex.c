/* SPDX-License-Identifier: MIT */
/*
 * From lines to commands, from commands to tokens. Nothing here knows which
 * commands exist.
 */
#include "mqsc_lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void mqsc_fault_set(struct mqsc_fault *fault, int column, const char *format,
		    ...)
{
	va_list args;

	fault->column = column;
	va_start(args, format);
	vsnprintf(fault->text, sizeof(fault->text), format, args);
	va_end(args);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t trimmed_length(const char *line)
{
	size_t length = strlen(line);

	while (length && is_blank(line[length - 1]))
		length--;
	return length;
}

/*
 * '+' joins with the first character of the next line that is not blank, '-'
 * with its first column, so that a quoted text can go on there.
 */
enum mqsc_joined mqsc_join(struct mqsc_joiner *joiner, const char *line)
{
	const char *start = line;
	size_t length = trimmed_length(line);
	char last;

	joiner->line++;
	if (!length || line[0] == '*')
		return joiner->in_command ? MQSC_MORE : MQSC_NOTHING;

	if (!joiner->in_command) {
		joiner->length = 0;
		joiner->piece_count = 0;
	}
	if (!joiner->in_command || !joiner->keep_blanks) {
		while (is_blank(*line)) {
			line++;
			length--;
		}
	}

	if (joiner->piece_count < MQSC_LINES_MAX)
		joiner->piece[joiner->piece_count++] = (struct mqsc_piece){
			joiner->length, joiner->line, line - start + 1,
		};

	last = line[length - 1];
	joiner->in_command = last == '+' || last == '-';
	joiner->keep_blanks = last == '-';
	if (joiner->in_command)
		length--;

	if (length > MQSC_COMMAND_MAX - joiner->length) {
		joiner->in_command = false;
		return MQSC_TOO_LONG;
	}
	memcpy(joiner->text + joiner->length, line, length);
	joiner->length += length;
	joiner->text[joiner->length] = '\0';
	return joiner->in_command ? MQSC_MORE : MQSC_COMMAND;
}

void mqsc_place(const struct mqsc_joiner *joiner, int column,
		unsigned int *line, int *line_column)
{
	const struct mqsc_piece *piece = joiner->piece;
	size_t at = column > 0 ? column - 1 : 0;
	size_t i;

	for (i = 1; i < joiner->piece_count && joiner->piece[i].start <= at; i++)
		piece = &joiner->piece[i];
	*line = piece->line;
	*line_column = piece->column + (at - piece->start);
}

enum mqsc_joined mqsc_join_end(struct mqsc_joiner *joiner)
{
	bool pending = joiner->in_command;

	joiner->in_command = false;
	return pending ? MQSC_COMMAND : MQSC_NOTHING;
}

/* Position in the command and in the store of token texts. */
struct scan {
	const char *start;
	const char *at;
	char *store;
	struct mqsc_tokens *tokens;
	struct mqsc_fault *fault;
};

static int scan_column(const struct scan *scan)
{
	return scan->at - scan->start + 1;
}

static struct mqsc_token *scan_add(struct scan *scan, enum mqsc_token_type type)
{
	struct mqsc_tokens *tokens = scan->tokens;
	struct mqsc_token *token = &tokens->token[tokens->count];

	if (tokens->count == MQSC_TOKENS_MAX - 1 && type != MQSC_END) {
		mqsc_fault_set(scan->fault, scan_column(scan),
			       "the command has too many words");
		return NULL;
	}
	token->type = type;
	token->column = scan_column(scan);
	token->text = NULL;
	if (type != MQSC_END)
		tokens->count++;
	return token;
}

/* Inside quotes two quotes stand for one. */
static bool scan_string(struct scan *scan)
{
	struct mqsc_token *token = scan_add(scan, MQSC_STRING);

	if (!token)
		return false;
	token->text = scan->store;
	for (scan->at++; *scan->at; scan->at++) {
		if (*scan->at == '\'' && *++scan->at != '\'') {
			*scan->store++ = '\0';
			return true;
		}
		*scan->store++ = *scan->at;
	}
	mqsc_fault_set(scan->fault, token->column,
		       "the text that begins here has no closing quote");
	return false;
}

static bool scan_word(struct scan *scan)
{
	struct mqsc_token *token = scan_add(scan, MQSC_WORD);

	if (!token)
		return false;
	token->text = scan->store;
	while (*scan->at && !is_blank(*scan->at) && !strchr("(),;'", *scan->at))
		*scan->store++ = *scan->at++;
	*scan->store++ = '\0';
	return true;
}

static bool scan_next(struct scan *scan)
{
	switch (*scan->at) {
	case '(':
		if (!scan_add(scan, MQSC_OPEN))
			return false;
		break;
	case ')':
		if (!scan_add(scan, MQSC_CLOSE))
			return false;
		break;
	case '\'':
		return scan_string(scan);
	case ',':
	case ' ':
	case '\t':
	case '\r':
	case '\n':
		break;
	default:
		return scan_word(scan);
	}
	scan->at++;
	return true;
}

/* A semicolon ends the command; what follows it on the line is ignored. */
bool mqsc_lex(const char *command, struct mqsc_tokens *tokens,
	      struct mqsc_fault *fault)
{
	struct scan scan = {
		.start = command,
		.at = command,
		.store = tokens->text,
		.tokens = tokens,
		.fault = fault,
	};

	tokens->count = 0;
	while (*scan.at && *scan.at != ';')
		if (!scan_next(&scan))
			return false;
	scan_add(&scan, MQSC_END);
	return true;
}
