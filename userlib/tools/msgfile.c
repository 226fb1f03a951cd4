/* SPDX-License-Identifier: MIT */
/*
 * The text form of messages, see msgfile.h.
 */
#include "msgfile.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_CHUNK	64	/* bytes of data in a line of text */
#define HEX_CHUNK	32
#define DATA_MAX	(100 << 20)

enum field_kind { FIELD_NUMBER, FIELD_TEXT, FIELD_BYTES };

struct field {
	const char *name;
	enum field_kind kind;
	size_t offset;
	size_t size;
};

#define FIELD(_kind, _name) \
	{ #_name, _kind, offsetof(MQMD, _name), sizeof(((MQMD *)0)->_name) }

/* In the order of the structure; BackoutCount is for information only. */
static const struct field fields[] = {
	FIELD(FIELD_NUMBER, Report),
	FIELD(FIELD_NUMBER, MsgType),
	FIELD(FIELD_NUMBER, Expiry),
	FIELD(FIELD_NUMBER, Feedback),
	FIELD(FIELD_NUMBER, Encoding),
	FIELD(FIELD_NUMBER, CodedCharSetId),
	FIELD(FIELD_TEXT, Format),
	FIELD(FIELD_NUMBER, Priority),
	FIELD(FIELD_NUMBER, Persistence),
	FIELD(FIELD_BYTES, MsgId),
	FIELD(FIELD_BYTES, CorrelId),
	FIELD(FIELD_NUMBER, BackoutCount),
	FIELD(FIELD_TEXT, ReplyToQ),
	FIELD(FIELD_TEXT, ReplyToQMgr),
	FIELD(FIELD_TEXT, UserIdentifier),
	FIELD(FIELD_BYTES, AccountingToken),
	FIELD(FIELD_TEXT, ApplIdentityData),
	FIELD(FIELD_NUMBER, PutApplType),
	FIELD(FIELD_TEXT, PutApplName),
	FIELD(FIELD_TEXT, PutDate),
	FIELD(FIELD_TEXT, PutTime),
	FIELD(FIELD_TEXT, ApplOriginData),
	FIELD(FIELD_BYTES, GroupId),
	FIELD(FIELD_NUMBER, MsgSeqNumber),
	FIELD(FIELD_NUMBER, Offset),
	FIELD(FIELD_NUMBER, MsgFlags),
	FIELD(FIELD_NUMBER, OriginalLength),
};

#define FIELD_COUNT (sizeof(fields) / sizeof(fields[0]))

/* --- writing ---------------------------------------------------------------- */

static bool is_plain(unsigned char c)
{
	return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\r' || c == '\t';
}

static void write_text(FILE *stream, const unsigned char *text, size_t size)
{
	size_t i;

	putc('"', stream);
	for (i = 0; i < size; i++) {
		unsigned char c = text[i];

		if (c == '"' || c == '\\')
			fprintf(stream, "\\%c", c);
		else if (c == '\n')
			fputs("\\n", stream);
		else if (c == '\r')
			fputs("\\r", stream);
		else if (c == '\t')
			fputs("\\t", stream);
		else if (is_plain(c))
			putc(c, stream);
		else
			fprintf(stream, "\\x%02X", c);
	}
	fputs("\"\n", stream);
}

static void write_hex(FILE *stream, const unsigned char *bytes, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		fprintf(stream, "%02X", bytes[i]);
	putc('\n', stream);
}

static void write_field(FILE *stream, const struct field *field, const MQMD *md)
{
	const unsigned char *at = (const unsigned char *)md + field->offset;
	size_t size = field->size;
	MQLONG number;

	fprintf(stream, "  %s ", field->name);
	switch (field->kind) {
	case FIELD_NUMBER:
		memcpy(&number, at, sizeof(number));
		fprintf(stream, "%d\n", (int)number);
		break;
	case FIELD_TEXT:
		while (size && at[size - 1] == ' ')
			size--;
		write_text(stream, at, size);
		break;
	case FIELD_BYTES:
		write_hex(stream, at, size);
		break;
	}
}

/* How much of the data makes one line of text; 0 if it is rather not text. */
static size_t text_chunk(const unsigned char *data, size_t length)
{
	size_t i, odd = 0;

	if (length > TEXT_CHUNK)
		length = TEXT_CHUNK;
	for (i = 0; i < length; i++) {
		odd += !is_plain(data[i]);
		if (data[i] == '\n') {
			i++;
			break;
		}
	}
	return odd * 8 > i ? 0 : i;
}

static void write_data(FILE *stream, const unsigned char *data, size_t length)
{
	while (length) {
		size_t chunk = text_chunk(data, length);

		if (chunk) {
			fputs("  T ", stream);
			write_text(stream, data, chunk);
		} else {
			chunk = length < HEX_CHUNK ? length : HEX_CHUNK;
			fputs("  X ", stream);
			write_hex(stream, data, chunk);
		}
		data += chunk;
		length -= chunk;
	}
}

void msgfile_write(FILE *stream, const struct message *message)
{
	size_t i;

	fputs("message\n", stream);
	for (i = 0; i < FIELD_COUNT; i++)
		write_field(stream, &fields[i], &message->md);
	fprintf(stream, "  Data %d\n", (int)message->length);
	write_data(stream, (unsigned char *)message->data, message->length);
	fputs("end\n", stream);
}

/* --- reading ---------------------------------------------------------------- */

/* Notes what is wrong with the line; always false. */
static bool __attribute__((format(printf, 2, 3)))
wrong(struct msgfile_reader *reader, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(reader->fault, sizeof(reader->fault), format, args);
	va_end(args);
	return false;
}

/* The next line that says something, without blanks around it. */
static char *next_line(struct msgfile_reader *reader)
{
	char *line;
	ssize_t length;

	while ((length = getline(&reader->line, &reader->room,
				 reader->stream)) >= 0) {
		reader->line_number++;
		if (memchr(reader->line, '\0', length))
			length = strlen(reader->line);
		while (length && isspace((unsigned char)reader->line[length - 1]))
			reader->line[--length] = '\0';
		line = reader->line;
		while (isspace((unsigned char)*line))
			line++;
		if (*line && *line != '*')
			return line;
	}
	return NULL;
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789ABCDEF";
	const char *at = c ? strchr(digits, toupper((unsigned char)c)) : NULL;

	return at ? at - digits : -1;
}

/* Bytes of pairs of digits; -1 if it is something else or too long. */
static ssize_t read_hex(const char *text, unsigned char *bytes, size_t size)
{
	size_t n = 0;

	for (; *text; text += 2) {
		int high = hex_digit(text[0]);
		int low = high < 0 ? -1 : hex_digit(text[1]);

		if (low < 0 || n == size)
			return -1;
		bytes[n++] = high << 4 | low;
	}
	return n;
}

/* What stands behind a backslash; the number of characters used, 0: nothing. */
static size_t read_escape(const char *text, unsigned char *byte)
{
	int high, low;

	switch (*text) {
	case '"':
	case '\\':
		*byte = *text;
		return 1;
	case 'n':
		*byte = '\n';
		return 1;
	case 'r':
		*byte = '\r';
		return 1;
	case 't':
		*byte = '\t';
		return 1;
	case 'x':
		high = hex_digit(text[1]);
		low = high < 0 ? -1 : hex_digit(text[2]);
		*byte = high << 4 | low;
		return low < 0 ? 0 : 3;
	default:
		return 0;
	}
}

/* Bytes of a quoted text; -1 if it is something else or too long. */
static ssize_t read_text(const char *text, unsigned char *bytes, size_t size)
{
	size_t n = 0;

	if (*text++ != '"')
		return -1;
	while (*text && *text != '"') {
		unsigned char byte = *text++;
		size_t used = 0;

		if (byte == '\\') {
			used = read_escape(text, &byte);
			if (!used)
				return -1;
			text += used;
		}
		if (n == size)
			return -1;
		bytes[n++] = byte;
	}
	return text[0] == '"' && !text[1] ? (ssize_t)n : -1;
}

static bool read_number(const char *text, long least, long most, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(text, &end, 10);
	return !errno && end != text && !*end && *number >= least &&
	       *number <= most;
}

static bool read_field(struct msgfile_reader *reader, const struct field *field,
		       const char *text, MQMD *md)
{
	unsigned char *at = (unsigned char *)md + field->offset;
	MQLONG value;
	long number;
	ssize_t used;

	switch (field->kind) {
	case FIELD_NUMBER:
		if (!read_number(text, INT32_MIN, INT32_MAX, &number))
			return wrong(reader, "%s needs a number", field->name);
		value = number;
		memcpy(at, &value, sizeof(value));
		return true;
	case FIELD_TEXT:
		memset(at, ' ', field->size);
		if (read_text(text, at, field->size) < 0)
			return wrong(reader, "%s needs a quoted text of up to %zu characters",
				     field->name, field->size);
		return true;
	default:
		used = read_hex(text, at, field->size);
		if (used != (ssize_t)field->size)
			return wrong(reader, "%s needs %zu hexadecimal digits",
				     field->name, 2 * field->size);
		return true;
	}
}

static bool make_room(struct msgfile_reader *reader, struct message *message,
		      MQLONG room)
{
	char *grown;

	if (room <= message->room)
		return true;
	grown = realloc(message->data, room);
	if (!grown)
		return wrong(reader, "not enough memory for %d bytes of data",
			     (int)room);
	message->data = grown;
	message->room = room;
	return true;
}

/* What is read of a message so far. */
struct reading {
	struct message *message;
	long length;		/* that Data has given, -1 none yet */
};

static bool read_length(struct msgfile_reader *reader, struct reading *reading,
			const char *text)
{
	if (reading->length >= 0)
		return wrong(reader, "Data stands here a second time");
	if (!read_number(text, 0, DATA_MAX, &reading->length))
		return wrong(reader, "Data needs a length of 0 to %d bytes",
			     DATA_MAX);
	return make_room(reader, reading->message, reading->length + 1);
}

static bool read_data(struct msgfile_reader *reader, struct reading *reading,
		      char kind, const char *text)
{
	struct message *message = reading->message;
	unsigned char *at = (unsigned char *)message->data + message->length;
	size_t left;
	ssize_t used;

	if (reading->length < 0)
		return wrong(reader, "Data is missing before this line");
	left = reading->length - message->length;
	used = kind == 'T' ? read_text(text, at, left) :
			     read_hex(text, at, left);
	if (used < 0)
		return wrong(reader, kind == 'T' ?
			     "not a quoted text, or more data than %ld bytes" :
			     "not hexadecimal, or more data than %ld bytes",
			     reading->length);
	message->length += used;
	return true;
}

/* "Keyword rest": ends the keyword and gives the rest. */
static char *split(char *line)
{
	char *rest = line + strcspn(line, " \t");

	if (*rest)
		*rest++ = '\0';
	return rest + strspn(rest, " \t");
}

static bool read_line(struct msgfile_reader *reader, struct reading *reading,
		      char *line)
{
	const char *rest = split(line);
	size_t i;

	if (!strcmp(line, "Data"))
		return read_length(reader, reading, rest);
	if (!strcmp(line, "T") || !strcmp(line, "X"))
		return read_data(reader, reading, *line, rest);
	for (i = 0; i < FIELD_COUNT; i++)
		if (!strcmp(line, fields[i].name))
			return read_field(reader, &fields[i], rest,
					  &reading->message->md);
	return wrong(reader, "%.40s is not a field of a message", line);
}

static bool read_message(struct msgfile_reader *reader, struct message *message)
{
	static const MQMD md = { MQMD_DEFAULT };
	struct reading reading = { .message = message, .length = -1 };
	char *line;

	message->md = md;
	message->md.Version = MQMD_VERSION_2;
	message->length = 0;
	if (!make_room(reader, message, 1))
		return false;
	while ((line = next_line(reader))) {
		if (!strcmp(line, "end"))
			break;
		if (!read_line(reader, &reading, line))
			return false;
	}
	if (!line)
		return !ferror(reader->stream) &&
		       wrong(reader, "the message has no end");
	if (reading.length > message->length)
		return wrong(reader, "%ld bytes of data are missing",
			     reading.length - message->length);
	return true;
}

enum msgfile_read msgfile_read(struct msgfile_reader *reader,
			       struct message *message)
{
	char *line = next_line(reader);

	*reader->fault = '\0';
	if (!line)
		return ferror(reader->stream) ? MSGFILE_WRONG : MSGFILE_END;
	if (strcmp(line, "message")) {
		wrong(reader, "a message does not begin like this");
		return MSGFILE_WRONG;
	}
	return read_message(reader, message) ? MSGFILE_MESSAGE : MSGFILE_WRONG;
}

void msgfile_reader_free(struct msgfile_reader *reader)
{
	free(reader->line);
	reader->line = NULL;
}
