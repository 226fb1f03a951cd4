/* SPDX-License-Identifier: MIT */
/*
 * Messages as text: what kmq save writes and kmq load reads. Every byte of
 * descriptor and data comes back as it was.
 *
 *	message
 *	  Report 0
 *	  Format "MQSTR"
 *	  MsgId 414D5120...
 *	  ...
 *	  Data 11
 *	  T "hello\x00world"
 *	end
 *
 * A line that begins with an asterisk is a comment. Fields have the names of the
 * MQMD; what is left out has its default. Text is quoted, with \" \\ \n \r \t
 * and \xHH inside, and filled up with blanks; bytes are hexadecimal. Data goes
 * on over as many lines as it needs: T text, X hexadecimal.
 */
#ifndef KMQ_TOOL_MSGFILE_H
#define KMQ_TOOL_MSGFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "message.h"

void msgfile_write(FILE *stream, const struct message *message);

struct msgfile_reader {
	FILE *stream;
	unsigned int line_number;
	char *line;
	size_t room;
	char fault[120];	/* what is wrong in that line */
};

enum msgfile_read {
	MSGFILE_MESSAGE,
	MSGFILE_END,
	MSGFILE_WRONG,		/* see fault; empty: the file cannot be read */
};

/* The next message of the file; its data replaces that of @message. */
enum msgfile_read msgfile_read(struct msgfile_reader *reader,
			       struct message *message);
void msgfile_reader_free(struct msgfile_reader *reader);

#endif
