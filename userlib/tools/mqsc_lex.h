/* SPDX-License-Identifier: MIT */
/*
 * MQSC text: lines are joined to commands, commands are cut into tokens.
 */
#ifndef KMQ_TOOL_MQSC_LEX_H
#define KMQ_TOOL_MQSC_LEX_H

#include <stdbool.h>
#include <stddef.h>

/* Longest command, all its lines joined. */
#define MQSC_COMMAND_MAX	32768
/* Most tokens of one command. */
#define MQSC_TOKENS_MAX		1024

/* Most lines of a command of which it is known where they were. */
#define MQSC_LINES_MAX		512

/* What a line gave to a command. */
struct mqsc_piece {
	size_t start;		/* where in the command */
	unsigned int line;	/* of the input, from 1 */
	int column;		/* of its first character there, from 1 */
};

/* A command as it grows line by line. All bytes zero to begin with. */
struct mqsc_joiner {
	char text[MQSC_COMMAND_MAX + 1];
	size_t length;
	unsigned int line;	/* lines read */
	struct mqsc_piece piece[MQSC_LINES_MAX];
	size_t piece_count;
	bool in_command;	/* the last line ended in + or - */
	bool keep_blanks;	/* ... in -, so the next one joins as it is */
};

enum mqsc_joined {
	MQSC_NOTHING,	/* a comment or an empty line */
	MQSC_MORE,	/* the command goes on on the next line */
	MQSC_COMMAND,	/* the command stands in @text */
	MQSC_TOO_LONG,	/* the command was longer than MQSC_COMMAND_MAX */
};

enum mqsc_joined mqsc_join(struct mqsc_joiner *joiner, const char *line);

/* End of the input: MQSC_COMMAND if a command was left unfinished. */
enum mqsc_joined mqsc_join_end(struct mqsc_joiner *joiner);

/* Where in the input a column of the command stands. */
void mqsc_place(const struct mqsc_joiner *joiner, int column,
		unsigned int *line, int *line_column);

enum mqsc_token_type {
	MQSC_WORD,	/* as written, case kept */
	MQSC_STRING,	/* was quoted; quotes are gone */
	MQSC_OPEN,
	MQSC_CLOSE,
	MQSC_END,
};

struct mqsc_token {
	enum mqsc_token_type type;
	int column;		/* of the command, from 1 */
	char *text;		/* MQSC_WORD and MQSC_STRING */
};

struct mqsc_tokens {
	struct mqsc_token token[MQSC_TOKENS_MAX];
	size_t count;		/* without the MQSC_END that follows */
	char text[2 * MQSC_COMMAND_MAX + 2];
};

/* What is wrong with a command, and where. */
struct mqsc_fault {
	int column;
	char text[160];
};

bool mqsc_lex(const char *command, struct mqsc_tokens *tokens,
	      struct mqsc_fault *fault);

void mqsc_fault_set(struct mqsc_fault *fault, int column, const char *format,
		    ...) __attribute__((format(printf, 3, 4)));

#endif
