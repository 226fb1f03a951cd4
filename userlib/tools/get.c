/* SPDX-License-Identifier: MIT */
/*
 * kmq get, amqsget: messages are taken off a queue and printed.
 */
#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "message.h"
#include "tool.h"

static const char usage[] =
"Usage: kmq get [OPTION]... QUEUE [QMGR [OPEN [CLOSE]]]\n"
"       amqsget QUEUE [QMGR [OPEN [CLOSE]]]\n"
"\n"
"Takes messages off QUEUE and prints each as a line 'message <TEXT>', until\n"
"there is none left. amqsget waits 15 seconds for each, kmq get does not wait\n"
"unless told to. A message leaves the queue when it has been written, and to a\n"
"pipe when it has been read.\n"
"\n"
"  QMGR   queue manager to connect to (default: the default one)\n"
"  OPEN   MQOO_* options as a number (default MQOO_INPUT_AS_Q_DEF)\n"
"  CLOSE  MQCO_* options as a number\n"
"\n"
MESSAGE_USAGE
"  -n, --count N            take N messages; fewer are a failure\n"
"  -s, --syncpoint N        commit after every N messages (default 1); 0: once,\n"
"                           at the end\n"
"  -r, --raw                print the text only, each followed by a newline\n"
"  -0, --null               likewise, each followed by a null byte\n"
"  -x, --prefix-priority    print priority and a blank before the text\n"
"      --help, --version\n"
"\n"
"Exit status: 0 all was well, 1 a call failed or there were fewer messages\n"
"than --count asked for, 2 wrong arguments.\n";

enum { OPT_HELP = 256 };

static const struct option options[] = {
	MESSAGE_LONG_OPTIONS,
	{ "count", required_argument, NULL, 'n' },
	{ "syncpoint", required_argument, NULL, 's' },
	{ "raw", no_argument, NULL, 'r' },
	{ "null", no_argument, NULL, '0' },
	{ "prefix-priority", no_argument, NULL, 'x' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

struct get {
	struct session session;
	struct message_query query;
	MQLONG batch;		/* messages of a unit of work, 0 no limit */
	MQLONG limit;		/* messages wanted, 0 all */
	bool raw;
	char end;		/* what follows a message */
	bool prefix_priority;
	MQLONG close_options;
	MQLONG count;
	MQLONG uncommitted;
};

static bool set_option(struct get *get, int option)
{
	switch (option) {
	case 'n':
		return tool_number("--count", optarg, 1, 999999999,
				   &get->limit);
	case 's':
		return tool_number("--syncpoint", optarg, 0, 999999999,
				   &get->batch);
	case 'r':
		get->raw = true;
		return true;
	case '0':
		get->raw = true;
		get->end = '\0';
		return true;
	case 'x':
		get->prefix_priority = true;
		return true;
	default:
		return message_query_option(&get->query, option, optarg);
	}
}

static bool set_positional(struct get *get, struct session_target *target,
			   int argc, char **argv)
{
	if (argc < 1 || argc > 4) {
		tool_error(argc ? "too many arguments" : "no queue given");
		return false;
	}
	target->queue = argv[0];
	target->qmgr = argc > 1 ? argv[1] : get->query.qmgr;
	target->options = MQOO_INPUT_AS_Q_DEF | MQOO_FAIL_IF_QUIESCING;
	if (argc > 2 && !tool_number("open options", argv[2], 0, INT32_MAX,
				     &target->options))
		return false;
	return argc <= 3 || tool_number("close options", argv[3], 0, INT32_MAX,
					&get->close_options);
}

static void print_message(const struct get *get, const struct message *message)
{
	if (!get->raw)
		fputs("message <", stdout);
	if (get->prefix_priority)
		printf("%d ", (int)message->md.Priority);
	fwrite(message->data, 1, message->length, stdout);
	if (!get->raw)
		putchar('>');
	putchar(get->end);
}

/*
 * What lies in a pipe is lost if its reader ends. So a unit of work ends only
 * after the reader has taken its messages, or the output is no pipe. Nothing
 * tells when a pipe becomes empty: it is looked at, less and less often.
 */
static bool output_is_taken(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO };
	long nap = 20000;	/* nanoseconds */
	struct stat st;
	int unread;

	if (!tool_flush())
		return false;
	if (fstat(STDOUT_FILENO, &st) || !S_ISFIFO(st.st_mode))
		return true;
	while (!ioctl(STDOUT_FILENO, FIONREAD, &unread) && unread > 0) {
		if (poll(&out, 1, 0) == 1 && out.revents & POLLERR)
			return false;
		nanosleep(&(struct timespec){ .tv_nsec = nap }, NULL);
		if (nap < 10000000)
			nap += nap / 4;
	}
	return true;
}

static bool end_unit(struct get *get)
{
	if (!get->uncommitted)
		return true;
	get->uncommitted = 0;
	if (output_is_taken())
		return session_commit(&get->session);
	session_backout(&get->session);
	return false;
}

static bool end_batch(struct get *get)
{
	return !get->batch || get->count % get->batch || end_unit(get);
}

/* What waits in the output would otherwise wait as long as the next get. */
static bool output_ok(const struct get *get)
{
	if (get->query.gmo.Options & MQGMO_WAIT)
		return tool_flush();
	return !ferror(stdout) || tool_flush();
}

static bool get_messages(struct get *get)
{
	struct message message;
	enum message_result result = MESSAGE_NONE;
	bool ok = true;

	memset(&message, 0, sizeof(message));
	while (ok && (!get->limit || get->count < get->limit)) {
		result = message_get(&message, &get->session, &get->query);
		if (result != MESSAGE_GOT)
			break;
		get->count++;
		get->uncommitted++;
		print_message(get, &message);
		ok = output_ok(get) && end_batch(get);
	}
	message_free(&message);
	if (!ok || result == MESSAGE_FAILED)
		return false;
	if (result == MESSAGE_GOT)
		return true;
	if (!get->raw)
		puts("no more messages");
	if (get->limit)
		tool_call_error("MQGET", get->session.queue,
				MQRC_NO_MSG_AVAILABLE);
	return !get->limit;
}

static bool get_all(struct get *get)
{
	bool ok = get_messages(get);

	/* What has been written is not to come again, whatever stopped it. */
	return end_unit(get) && ok;
}

static int run_get(struct get *get, const struct session_target *target)
{
	bool sample = tool_is("amqsget");
	bool ok;

	if (sample) {
		printf("amqsget: start\n");
		fflush(stdout);
	}
	get->query.gmo.Options |= MQGMO_SYNCPOINT;
	if (!get->raw)
		get->query.gmo.Options |= MQGMO_CONVERT;
	ok = session_open(&get->session, target);
	if (ok) {
		ok = get_all(get);
		ok = session_end(&get->session, get->close_options) && ok;
	}
	if (sample)
		printf("amqsget: end\n");
	return tool_flush() && ok ? TOOL_OK : TOOL_FAILED;
}

int cmd_get(int argc, char **argv)
{
	struct session_target target = { NULL, NULL, NULL, NULL, 0 };
	struct get get;
	int option;

	memset(&get, 0, sizeof(get));
	get.end = '\n';
	get.batch = 1;
	message_query_init(&get.query);
	if (tool_is("amqsget"))
		message_query_option(&get.query, 'w', "15");
	while ((option = getopt_long(argc, argv,
				     MESSAGE_SHORT_OPTIONS "n:s:r0x",
				     options, NULL)) != -1) {
		if (option == OPT_HELP) {
			fputs(usage, stdout);
			return tool_flush() ? TOOL_OK : TOOL_FAILED;
		}
		if (!set_option(&get, option))
			return tool_usage_error();
	}
	if (!set_positional(&get, &target, argc - optind, argv + optind))
		return tool_usage_error();
	return run_get(&get, &target);
}
