/* SPDX-License-Identifier: MIT */
/*
 * kmq browse, amqsbcg, amqsgbr: messages are looked at and stay on the queue.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "dump.h"
#include "message.h"
#include "tool.h"

static const char usage[] =
"Usage: kmq browse [OPTION]... QUEUE [QMGR]\n"
"       amqsbcg QUEUE [QMGR]\n"
"       amqsgbr QUEUE [QMGR]\n"
"\n"
"Shows the messages of QUEUE and leaves them there: descriptor and data in\n"
"full, or with --text and amqsgbr the text only.\n"
"\n"
"  QMGR   queue manager to connect to (default: the default one)\n"
"\n"
MESSAGE_USAGE
"  -n, --count N            at most N messages\n"
"  -t, --text               print 'NUMBER <TEXT>' only\n"
"      --help, --version\n"
"\n"
"Exit status: 0 all was well, 1 a call failed, 2 wrong arguments.\n";

enum { OPT_HELP = 256 };

static const struct option options[] = {
	MESSAGE_LONG_OPTIONS,
	{ "count", required_argument, NULL, 'n' },
	{ "text", no_argument, NULL, 't' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

struct browse {
	struct session session;
	struct message_query query;
	MQLONG limit;		/* 0 all */
	MQLONG count;
	bool text;
};

static bool set_option(struct browse *browse, int option)
{
	switch (option) {
	case 'n':
		return tool_number("--count", optarg, 1, 999999999,
				   &browse->limit);
	case 't':
		browse->text = true;
		return true;
	default:
		return message_query_option(&browse->query, option, optarg);
	}
}

static bool set_positional(const struct browse *browse,
			   struct session_target *target, int argc, char **argv)
{
	int most = tool_is("amqsbcg") ? 3 : 2;

	if (argc < 1 || argc > most) {
		tool_error(argc ? "too many arguments" : "no queue given");
		return false;
	}
	target->queue = argv[0];
	target->qmgr = argc > 1 ? argv[1] : browse->query.qmgr;
	target->options = MQOO_BROWSE | MQOO_FAIL_IF_QUIESCING;
	return true;
}

static void show_message(const struct browse *browse,
			 const struct message *message)
{
	if (browse->text) {
		printf("%d <", (int)browse->count);
		fwrite(message->data, 1, message->length, stdout);
		puts(">");
		return;
	}
	printf("message %d\n descriptor\n", (int)browse->count);
	dump_descriptor(&message->md);
	printf(" data, %d bytes\n", (int)message->length);
	dump_data(message->data, message->length);
	putchar('\n');
}

static bool browse_messages(struct browse *browse)
{
	struct message message;
	enum message_result result = MESSAGE_GOT;

	memset(&message, 0, sizeof(message));
	browse->query.gmo.Options |= MQGMO_BROWSE_NEXT;
	while (!browse->limit || browse->count < browse->limit) {
		result = message_get(&message, &browse->session,
				     &browse->query);
		if (result != MESSAGE_GOT)
			break;
		browse->count++;
		show_message(browse, &message);
		if (browse->query.gmo.Options & MQGMO_WAIT)
			fflush(stdout);
	}
	message_free(&message);
	if (result == MESSAGE_NONE)
		puts("no more messages");
	return result != MESSAGE_FAILED;
}

static int run_browse(struct browse *browse,
		      const struct session_target *target)
{
	bool ok;

	if (tool_is("amqsbcg") || tool_is("amqsgbr"))
		printf("%s: messages of %s\n", tool_name, target->queue);
	ok = session_open(&browse->session, target);
	if (ok) {
		ok = browse_messages(browse);
		ok = session_end(&browse->session, MQCO_NONE) && ok;
	}
	return tool_flush() && ok ? TOOL_OK : TOOL_FAILED;
}

int cmd_browse(int argc, char **argv)
{
	struct session_target target = { NULL, NULL, NULL, NULL, 0 };
	struct browse browse;
	int option;

	memset(&browse, 0, sizeof(browse));
	message_query_init(&browse.query);
	browse.text = tool_is("amqsgbr");
	while ((option = getopt_long(argc, argv, MESSAGE_SHORT_OPTIONS "n:t",
				     options, NULL)) != -1) {
		if (option == OPT_HELP) {
			fputs(usage, stdout);
			return tool_flush() ? TOOL_OK : TOOL_FAILED;
		}
		if (!set_option(&browse, option))
			return tool_usage_error();
	}
	if (!set_positional(&browse, &target, argc - optind, argv + optind))
		return tool_usage_error();
	return run_browse(&browse, &target);
}
