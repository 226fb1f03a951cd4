/* SPDX-License-Identifier: MIT */
/*
 * Error lines, option values and other small things every verb needs.
 */
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../src/mqrc_table.h"

bool tool_is(const char *name)
{
	return !strcmp(tool_name, name);
}

void tool_error(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fprintf(stderr, "%s: ", tool_name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

const char *tool_reason(int32_t reason)
{
	static char buffer[96];
	const struct kmq_rc *rc = kmq_rc_find(reason);

	snprintf(buffer, sizeof(buffer), "%d %s", reason,
		 rc ? rc->name : "(unknown reason)");
	return buffer;
}

void tool_call_error(const char *call, const char *object, int32_t reason)
{
	if (object)
		tool_error("%s of %s failed: %s", call, object,
			   tool_reason(reason));
	else
		tool_error("%s failed: %s", call, tool_reason(reason));
}

int tool_usage_error(void)
{
	fprintf(stderr, "Try '%s --help'.\n", tool_name);
	return TOOL_USAGE;
}

bool tool_number(const char *option, const char *text, long least, long most,
		 int32_t *number)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 0);
	if (errno || end == text || *end || value < least || value > most) {
		tool_error("%s: '%s' is not a number from %ld to %ld", option,
			   text, least, most);
		return false;
	}
	*number = value;
	return true;
}

static int hex_digit(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	if (isxdigit((unsigned char)c))
		return tolower((unsigned char)c) - 'a' + 10;
	return -1;
}

static bool hex_bytes(const char *digits, unsigned char *field, size_t size)
{
	size_t i;

	if (strlen(digits) % 2 || strlen(digits) > 2 * size)
		return false;
	for (i = 0; digits[2 * i]; i++) {
		int high = hex_digit(digits[2 * i]);
		int low = hex_digit(digits[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		field[i] = high << 4 | low;
	}
	return true;
}

/* Text, or 0x and hexadecimal digits; the rest of the field is zero. */
bool tool_bytes(const char *option, const char *text, unsigned char *field,
		size_t size)
{
	size_t length = strlen(text);

	memset(field, 0, size);
	if (!strncasecmp(text, "0x", 2)) {
		if (hex_bytes(text + 2, field, size))
			return true;
	} else if (length <= size) {
		memcpy(field, text, length);
		return true;
	}
	tool_error("%s: '%s' is neither text of up to %zu bytes nor 0x and hexadecimal digits",
		   option, text, size);
	return false;
}

bool tool_name_field(const char *what, const char *text, char *field,
		     size_t size)
{
	size_t length = strlen(text);

	if (length > size) {
		tool_error("%s: '%s' has more than %zu characters", what, text,
			   size);
		return false;
	}
	memset(field, ' ', size);
	memcpy(field, text, length);
	return true;
}

void tool_print_hex(const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;
	size_t i;

	for (i = 0; i < size; i++)
		printf("%02X", byte[i]);
}

bool tool_flush(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return true;
	tool_error("cannot write the output: %s", strerror(errno));
	return false;
}
