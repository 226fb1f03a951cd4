/* SPDX-License-Identifier: MIT */
/*
 * kmq rc, mqrc: reason codes by number or name.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../src/mqrc_table.h"
#include "tool.h"

static const char usage[] =
"Usage: kmq rc CODE|NAME...\n"
"       kmq rc --search TEXT\n"
"       mqrc CODE|NAME...\n"
"\n"
"Says what reason codes mean. A code is decimal, or 0x and hexadecimal digits;\n"
"the prefix MQRC_ or MQRCCF_ of a name may be left out.\n"
"\n"
"  -s, --search TEXT  all reasons whose name or meaning contains TEXT\n"
"  -b                 names only, without what they mean\n"
"  -a, -i, -r, -R     options of mqrc without meaning here, ignored: all kinds\n"
"                     of codes are looked at\n"
"      --help, --version\n"
"\n"
"Exit status: 0 all were found, 1 one was not, 2 wrong arguments.\n";

enum { OPT_HELP = 256 };

static const struct option options[] = {
	{ "search", required_argument, NULL, 's' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static bool brief;

static void print_reason(const struct kmq_rc *rc)
{
	printf("%7d  0x%08x  %s\n", rc->code, (unsigned int)rc->code,
	       rc->name);
	if (!brief)
		printf("         %s\n", rc->text);
}

/* Two names may share a code; they stand side by side in the table. */
static bool print_code(int32_t code)
{
	const struct kmq_rc *rc = kmq_rc_find(code);
	const struct kmq_rc *end = kmq_rc_table + kmq_rc_count;
	bool found = rc;

	for (; rc && rc < end && rc->code == code; rc++)
		print_reason(rc);
	return found;
}

static bool look_up(const char *word)
{
	const struct kmq_rc *rc;
	char *end;
	long code;

	errno = 0;
	code = strtol(word, &end, strncasecmp(word, "0x", 2) ? 10 : 16);
	if (!errno && end != word && !*end && code >= 0 && code <= INT32_MAX) {
		if (print_code(code))
			return true;
		tool_error("there is no reason code %s", word);
		return false;
	}
	rc = kmq_rc_find_name(word);
	if (rc)
		print_reason(rc);
	else
		tool_error("there is no reason called %s", word);
	return rc;
}

static bool search(const char *text)
{
	bool found = false;
	size_t i;

	for (i = 0; i < kmq_rc_count; i++) {
		const struct kmq_rc *rc = &kmq_rc_table[i];

		if (!strcasestr(rc->name, text) && !strcasestr(rc->text, text))
			continue;
		print_reason(rc);
		found = true;
	}
	if (!found)
		tool_error("no reason contains '%s'", text);
	return found;
}

int cmd_rc(int argc, char **argv)
{
	bool searched = false;
	bool ok = true;
	int option;

	while ((option = getopt_long(argc, argv, "s:abirR", options, NULL)) != -1) {
		switch (option) {
		case 's':
			ok = search(optarg) && ok;
			searched = true;
			break;
		case 'b':
			brief = true;
			break;
		case 'a':
		case 'i':
		case 'r':
		case 'R':
			break;
		case OPT_HELP:
			fputs(usage, stdout);
			return tool_flush() ? TOOL_OK : TOOL_FAILED;
		default:
			return tool_usage_error();
		}
	}
	if (optind == argc && !searched) {
		tool_error("no code or name given");
		return tool_usage_error();
	}
	for (; optind < argc; optind++)
		ok = look_up(argv[optind]) && ok;
	return tool_flush() && ok ? TOOL_OK : TOOL_FAILED;
}
