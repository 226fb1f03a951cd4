/* SPDX-License-Identifier: MIT */
/*
 * One program under several names: 'kmq VERB', or the name of the MQ program
 * that a verb stands for.
 */
#include <stdio.h>
#include <string.h>

#include "tool.h"

static const struct tool_verb verbs[] = {
	{ "put", cmd_put, "put lines of standard input as messages" },
	{ "get", cmd_get, "take messages off a queue" },
	{ "browse", cmd_browse, "show messages, leave them on the queue" },
	{ "save", cmd_save, "messages to a file or another queue" },
	{ "load", cmd_save, "messages of a file to a queue" },
	{ "dump", cmd_dump, "all definitions, as commands that make them" },
	{ "sc", cmd_sc, "define, alter, display queues (MQSC)" },
	{ "status", cmd_status, "depth, handles, waits of queues" },
	{ "qmgr", cmd_qmgr, "queue managers and their state" },
	{ "rc", cmd_rc, "what a reason code means" },
	{ NULL, NULL, NULL },
};

static const struct tool_verb links[] = {
	{ "amqsput", cmd_put, "put" },
	{ "amqsget", cmd_get, "get" },
	{ "amqsbcg", cmd_browse, "browse" },
	{ "amqsgbr", cmd_browse, "browse --text" },
	{ "dmpmqmsg", cmd_save, "save, load" },
	{ "dmpmqcfg", cmd_dump, "dump" },
	{ "runmqsc", cmd_sc, "sc" },
	{ "dspmq", cmd_qmgr, "qmgr" },
	{ "crtmqm", cmd_qmgr, "qmgr --create" },
	{ "dltmqm", cmd_qmgr, "qmgr --delete" },
	{ "mqrc", cmd_rc, "rc" },
	{ NULL, NULL, NULL },
};

const char *tool_name = "kmq";

static const struct tool_verb *find_verb(const struct tool_verb *table,
					 const char *name)
{
	for (; table->name; table++)
		if (!strcmp(table->name, name))
			return table;
	return NULL;
}

static int print_version(void)
{
	puts("kmq " KMQ_VERSION);
	return tool_flush() ? TOOL_OK : TOOL_FAILED;
}

static int print_help(void)
{
	const struct tool_verb *verb;

	puts("Usage: kmq VERB [OPTION]... [ARGUMENT]...\n\n"
	     "Message queues in the kernel.\n");
	for (verb = verbs; verb->name; verb++)
		printf("  %-8s %s\n", verb->name, verb->summary);
	puts("\n'kmq VERB --help' says more. Under these names it acts like the verb:\n");
	for (verb = links; verb->name; verb++)
		printf("  %-8s kmq %s\n", verb->name, verb->summary);
	puts("\nExit status: 0 all was well, 1 a call failed, 2 wrong arguments; kmq sc\n"
	     "has its own.");
	return tool_flush() ? TOOL_OK : TOOL_FAILED;
}

static int run_verb(const struct tool_verb *verb, int argc, char **argv)
{
	argv[0] = (char *)tool_name;	/* for the messages of getopt */
	if (argc > 1 && !strcmp(argv[1], "--version"))
		return print_version();
	return verb->run(argc, argv);
}

int main(int argc, char **argv)
{
	static char name[32];
	const struct tool_verb *verb;
	const char *base = argc ? strrchr(argv[0], '/') : NULL;

	base = base ? base + 1 : argc ? argv[0] : "kmq";
	verb = find_verb(links, base);
	if (verb) {
		tool_name = verb->name;
		return run_verb(verb, argc, argv);
	}
	if (argc < 2) {
		tool_error("no verb given");
		return tool_usage_error();
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help"))
		return print_help();
	if (!strcmp(argv[1], "--version"))
		return print_version();
	verb = find_verb(verbs, argv[1]);
	if (!verb) {
		tool_error("there is no verb '%s'", argv[1]);
		return tool_usage_error();
	}
	snprintf(name, sizeof(name), "kmq %s", verb->name);
	tool_name = name;
	return run_verb(verb, argc - 1, argv + 1);
}
