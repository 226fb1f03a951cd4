/* SPDX-License-Identifier: MIT */
/*
 * kmq status: present state of queues, as a table or as JSON.
 */
#include <getopt.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "admin.h"
#include "cmqc.h"
#include "tool.h"

static const char usage[] =
"Usage: kmq status [OPTION]... [QUEUE]\n"
"\n"
"Shows the state of QUEUE (a name, or its beginning and '*'), or of all local\n"
"queues.\n"
"\n"
"  -m, --qmgr QMGR  queue manager (default: the default one)\n"
"  -j, --json       as a JSON array, with all that is known\n"
"  -n, --no-header  table without its first line\n"
"      --help, --version\n"
"\n"
"Columns: QUEUE name; DEPTH messages; IN, OUT handles open for input, output;\n"
"WAIT gets that wait; UPUT, UGET messages put, got and not committed; LOCK\n"
"messages locked by a browse; BYTES message data; MEMORY held in the kernel;\n"
"PUTS, GETS since the queue exists; AGE seconds of the oldest message.\n"
"\n"
"Exit status: 0 all was well, 1 a call failed or there is no such queue,\n"
"2 wrong arguments.\n";

enum { OPT_HELP = 256 };

static const struct option options[] = {
	{ "qmgr", required_argument, NULL, 'm' },
	{ "json", no_argument, NULL, 'j' },
	{ "no-header", no_argument, NULL, 'n' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static void print_header(void)
{
	printf("%-24s %7s %4s %4s %4s %5s %5s %4s %10s %10s %10s %10s %6s\n",
	       "QUEUE", "DEPTH", "IN", "OUT", "WAIT", "UPUT", "UGET", "LOCK",
	       "BYTES", "MEMORY", "PUTS", "GETS", "AGE");
}

static void print_row(const char *name, const struct kmq_status *status)
{
	uint64_t oldest = status->out_oldest_time / 1000000000;

	printf("%-24s %7u %4u %4u %4u %5u %5u %4u %10" PRIu64 " %10" PRIu64
	       " %10" PRIu64 " %10" PRIu64, name, status->out_depth,
	       status->out_open_input, status->out_open_output,
	       status->out_waiters, status->out_uncommitted_puts,
	       status->out_uncommitted_gets, status->out_locked,
	       (uint64_t)status->out_bytes, (uint64_t)status->out_memory,
	       (uint64_t)status->out_total_puts,
	       (uint64_t)status->out_total_gets);
	if (oldest)
		printf(" %6" PRId64 "\n", (int64_t)time(NULL) - (int64_t)oldest);
	else
		printf(" %6s\n", "-");
}

static void add_number(struct json_object *object, const char *key,
		       uint64_t value)
{
	json_object_object_add(object, key, json_object_new_uint64(value));
}

/* Times are ISO 8601 in UTC with nanoseconds; null if there is none. */
static void add_time(struct json_object *object, const char *key,
		     uint64_t nanoseconds)
{
	time_t seconds = nanoseconds / 1000000000;
	char stamp[32], text[48];
	struct tm when;

	if (!nanoseconds || !gmtime_r(&seconds, &when)) {
		json_object_object_add(object, key, NULL);
		return;
	}
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", &when);
	snprintf(text, sizeof(text), "%s.%09" PRIu64 "Z", stamp,
		 nanoseconds % 1000000000);
	json_object_object_add(object, key, json_object_new_string(text));
}

static struct json_object *status_json(const char *name,
				       const struct kmq_status *status)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "queue", json_object_new_string(name));
	add_number(object, "depth", status->out_depth);
	add_number(object, "open_input", status->out_open_input);
	add_number(object, "open_output", status->out_open_output);
	add_number(object, "waiters", status->out_waiters);
	add_number(object, "uncommitted_puts", status->out_uncommitted_puts);
	add_number(object, "uncommitted_gets", status->out_uncommitted_gets);
	add_number(object, "locked", status->out_locked);
	add_number(object, "bytes", status->out_bytes);
	add_number(object, "memory", status->out_memory);
	add_number(object, "total_puts", status->out_total_puts);
	add_number(object, "total_gets", status->out_total_gets);
	add_time(object, "last_put", status->out_last_put_time);
	add_time(object, "last_get", status->out_last_get_time);
	add_time(object, "oldest", status->out_oldest_time);
	return object;
}

/* A queue that went away since the list was made is left out. */
static int show_names(const struct admin *admin,
		      const struct admin_names *names,
		      struct json_object *array, size_t *shown)
{
	struct kmq_status status;
	size_t i;

	for (i = 0; i < names->count; i++) {
		const char *name = names->name[i];
		int result = admin_status(admin, name, &status);

		if (result == MQRC_UNKNOWN_OBJECT_NAME)
			continue;
		if (result)
			return result;
		if (array)
			json_object_array_add(array,
					      status_json(name, &status));
		else
			print_row(name, &status);
		++*shown;
	}
	return 0;
}

static int show_pattern(const struct admin *admin, const char *pattern,
			bool json)
{
	struct json_object *array = json ? json_object_new_array() : NULL;
	struct admin_names names;
	size_t shown = 0;
	int result = admin_list(admin, pattern, MQQT_LOCAL, &names);

	if (!result) {
		result = show_names(admin, &names, array, &shown);
		admin_names_free(&names);
	}
	if (!result && !shown && !strchr(pattern, '*'))
		result = MQRC_UNKNOWN_OBJECT_NAME;
	if (array && !result)
		puts(json_object_to_json_string_ext(array,
						    JSON_C_TO_STRING_PRETTY));
	json_object_put(array);
	return result;
}

static int run_status(const char *qmgr, const char *pattern, bool json,
		      bool header)
{
	struct admin admin;
	int result = admin_open(&admin, qmgr);

	if (result) {
		admin_open_error(qmgr, result);
		return TOOL_FAILED;
	}
	if (header && !json)
		print_header();
	result = show_pattern(&admin, pattern, json);
	admin_close(&admin);
	if (result)
		tool_error("%s: %s", pattern, admin_result_text(result));
	return tool_flush() && !result ? TOOL_OK : TOOL_FAILED;
}

int cmd_status(int argc, char **argv)
{
	const char *qmgr = "";
	const char *pattern = "*";
	bool json = false;
	bool header = true;
	int option;

	while ((option = getopt_long(argc, argv, "m:jn", options, NULL)) != -1) {
		switch (option) {
		case 'm':
			qmgr = optarg;
			break;
		case 'j':
			json = true;
			break;
		case 'n':
			header = false;
			break;
		case OPT_HELP:
			fputs(usage, stdout);
			return tool_flush() ? TOOL_OK : TOOL_FAILED;
		default:
			return tool_usage_error();
		}
	}
	if (optind < argc)
		pattern = argv[optind++];
	if (optind < argc) {
		tool_error("too many arguments");
		return tool_usage_error();
	}
	return run_status(qmgr, pattern, json, header);
}
