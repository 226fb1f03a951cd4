/* SPDX-License-Identifier: MIT */
/*
 * kmq put, amqsput: standard input becomes messages.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "cmqc.h"
#include "session.h"
#include "tool.h"

static const char usage[] =
"Usage: kmq put [OPTION]... QUEUE [QMGR [OPEN [CLOSE [TARGETQMGR [DYNAMIC]]]]]\n"
"       amqsput QUEUE [QMGR [OPEN [CLOSE [TARGETQMGR [DYNAMIC]]]]]\n"
"\n"
"Puts each line of standard input as a message on QUEUE. An empty line ends\n"
"the input at a terminal, and always with amqsput.\n"
"\n"
"  QMGR        queue manager to connect to (default: the default one)\n"
"  OPEN        MQOO_* options as a number, besides MQOO_OUTPUT\n"
"  CLOSE       MQCO_* options as a number\n"
"  TARGETQMGR  queue manager that owns QUEUE\n"
"  DYNAMIC     name or pattern of the queue a model QUEUE makes\n"
"\n"
"  -m, --qmgr QMGR          the same as QMGR after the queue\n"
"  -p, --priority N         priority 0 to 9 (default: as the queue says)\n"
"  -x, --prefix-priority    a digit and a blank before the text are its priority\n"
"  -f, --format NAME        MQMD.Format (default MQSTR)\n"
"  -P, --persistence WORD   yes, no or queue (default)\n"
"  -c, --correl-id ID       text, or 0x and hexadecimal digits\n"
"  -i, --msg-id ID          likewise (default: each message gets a new one)\n"
"  -e, --expiry SECONDS     how long the message lives; .1 is the least\n"
"  -r, --reply-to QUEUE     messages are requests, answers go to QUEUE\n"
"  -g, --group              all messages make up one group\n"
"      --group-id ID        with this GroupId\n"
"  -s, --syncpoint N        commit after every N messages; 0: once, at the end\n"
"  -W, --stdin-whole        the whole input is one message\n"
"  -n, --no-text            put one message without text, read nothing\n"
"  -v, --verbose            tell on standard error what was put\n"
"      --help, --version\n"
"\n"
"Exit status: 0 all was put, 1 a call failed, 2 wrong arguments.\n";

enum { OPT_GROUP_ID = 256, OPT_HELP };

static const struct option options[] = {
	{ "priority", required_argument, NULL, 'p' },
	{ "prefix-priority", no_argument, NULL, 'x' },
	{ "format", required_argument, NULL, 'f' },
	{ "persistence", required_argument, NULL, 'P' },
	{ "correl-id", required_argument, NULL, 'c' },
	{ "qmgr", required_argument, NULL, 'm' },
	{ "msg-id", required_argument, NULL, 'i' },
	{ "expiry", required_argument, NULL, 'e' },
	{ "reply-to", required_argument, NULL, 'r' },
	{ "group", no_argument, NULL, 'g' },
	{ "group-id", required_argument, NULL, OPT_GROUP_ID },
	{ "syncpoint", required_argument, NULL, 's' },
	{ "stdin-whole", no_argument, NULL, 'W' },
	{ "no-text", no_argument, NULL, 'n' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

struct put {
	struct session session;
	MQMD md;		/* what every message starts from */
	MQPMO pmo;
	const char *qmgr;	/* of --qmgr, or NULL */
	bool new_msg_id;
	bool prefix_priority;
	bool group;
	bool own_group_id;
	bool syncpoint;
	MQLONG batch;		/* messages of a unit of work, 0 no limit */
	bool whole;
	bool no_text;
	bool verbose;
	bool empty_line_ends;
	MQLONG close_options;
	unsigned long count;
};

/* A line that waits: the last one of a group is known only afterwards. */
struct line {
	char *text;
	size_t length;
	size_t room;
};

static bool set_persistence(struct put *put, const char *word)
{
	if (!strcmp(word, "yes")) {
		put->md.Persistence = MQPER_PERSISTENT;
	} else if (!strcmp(word, "no")) {
		put->md.Persistence = MQPER_NOT_PERSISTENT;
	} else if (!strcmp(word, "queue")) {
		put->md.Persistence = MQPER_PERSISTENCE_AS_Q_DEF;
	} else {
		tool_error("--persistence: '%s' is not yes, no or queue", word);
		return false;
	}
	return true;
}

static bool set_expiry(struct put *put, const char *text)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !(seconds >= 0.1 && seconds <= 99999999)) {
		tool_error("--expiry: '%s' is not a number of seconds", text);
		return false;
	}
	put->md.Expiry = seconds * 10 + 0.5;
	return true;
}

static bool set_format(struct put *put, const char *text)
{
	return tool_name_field("--format", text, put->md.Format,
			       sizeof(put->md.Format));
}

static bool set_group_id(struct put *put, const char *text)
{
	put->group = true;
	put->own_group_id = true;
	return tool_bytes("--group-id", text, put->md.GroupId,
			  sizeof(put->md.GroupId));
}

static bool set_msg_id(struct put *put, const char *text)
{
	put->new_msg_id = false;
	return tool_bytes("--msg-id", text, put->md.MsgId,
			  sizeof(put->md.MsgId));
}

static bool set_reply_to(struct put *put, const char *text)
{
	put->md.MsgType = MQMT_REQUEST;
	return tool_name_field("--reply-to", text, put->md.ReplyToQ,
			       sizeof(put->md.ReplyToQ));
}

static bool set_syncpoint(struct put *put, const char *text)
{
	put->syncpoint = true;
	return tool_number("--syncpoint", text, 0, 999999999, &put->batch);
}

static bool set_option(struct put *put, int option)
{
	switch (option) {
	case 'p':
		return tool_number("--priority", optarg, -1, 999999999,
				   &put->md.Priority);
	case 'x':
		put->prefix_priority = true;
		return true;
	case 'f':
		return set_format(put, optarg);
	case 'P':
		return set_persistence(put, optarg);
	case 'c':
		return tool_bytes("--correl-id", optarg, put->md.CorrelId,
				  sizeof(put->md.CorrelId));
	case 'm':
		put->qmgr = optarg;
		return true;
	case 'i':
		return set_msg_id(put, optarg);
	case 'e':
		return set_expiry(put, optarg);
	case 'r':
		return set_reply_to(put, optarg);
	case 'g':
		put->group = true;
		return true;
	case OPT_GROUP_ID:
		return set_group_id(put, optarg);
	case 's':
		return set_syncpoint(put, optarg);
	case 'W':
		put->whole = true;
		return true;
	case 'n':
		put->no_text = true;
		return true;
	case 'v':
		put->verbose = true;
		return true;
	default:
		return false;
	}
}

static bool set_positional(struct put *put, struct session_target *target,
			   int argc, char **argv)
{
	if (argc < 1 || argc > 6) {
		tool_error(argc ? "too many arguments" : "no queue given");
		return false;
	}
	target->queue = argv[0];
	target->qmgr = argc > 1 ? argv[1] : put->qmgr;
	target->object_qmgr = argc > 4 ? argv[4] : NULL;
	target->dynamic = argc > 5 ? argv[5] : NULL;
	if (argc > 2 && !tool_number("open options", argv[2], 0, INT32_MAX,
				     &target->options))
		return false;
	target->options |= MQOO_OUTPUT;
	return argc <= 3 || tool_number("close options", argv[3], 0, INT32_MAX,
					&put->close_options);
}

static void put_defaults(struct put *put)
{
	static const MQMD md = { MQMD_DEFAULT };
	static const MQPMO pmo = { MQPMO_DEFAULT };

	memset(put, 0, sizeof(*put));
	put->md = md;
	put->md.Version = MQMD_VERSION_2;
	put->pmo = pmo;
	put->new_msg_id = true;
	memcpy(put->md.Format, MQFMT_STRING, sizeof(put->md.Format));
}

/* Takes "7 text" apart; without a digit and a blank the text is left alone. */
static void split_priority(MQMD *md, const char **text, size_t *length)
{
	if (*length < 2 || !isdigit((unsigned char)(*text)[0]) ||
	    (*text)[1] != ' ')
		return;
	md->Priority = (*text)[0] - '0';
	*text += 2;
	*length -= 2;
}

static void tell_put(const struct put *put, const MQMD *md, size_t length)
{
	size_t i;

	fprintf(stderr, "%s: %lu: %zu bytes, priority %d, MsgId ", tool_name,
		put->count, length, (int)md->Priority);
	for (i = 0; i < sizeof(md->MsgId); i++)
		fprintf(stderr, "%02X", md->MsgId[i]);
	fputc('\n', stderr);
}

/*
 * Logical order makes a GroupId of its own; with one that is given, the place
 * in the group has to be given, too.
 */
static void set_group(const struct put *put, MQMD *md, MQPMO *pmo, bool last)
{
	md->MsgFlags = last ? MQMF_LAST_MSG_IN_GROUP : MQMF_MSG_IN_GROUP;
	if (put->own_group_id)
		md->MsgSeqNumber = put->count + 1;
	else
		pmo->Options |= MQPMO_LOGICAL_ORDER;
}

static bool put_message(struct put *put, const char *text, size_t length,
			bool last)
{
	MQLONG comp_code, reason;
	MQMD md = put->md;
	MQPMO pmo = put->pmo;

	if (put->prefix_priority)
		split_priority(&md, &text, &length);
	if (length > INT32_MAX) {
		tool_call_error("MQPUT", put->session.queue,
				MQRC_MSG_TOO_BIG_FOR_Q_MGR);
		return false;
	}
	pmo.Options |= MQPMO_FAIL_IF_QUIESCING;
	pmo.Options |= put->syncpoint ? MQPMO_SYNCPOINT : MQPMO_NO_SYNCPOINT;
	if (put->new_msg_id)
		pmo.Options |= MQPMO_NEW_MSG_ID;
	if (put->group)
		set_group(put, &md, &pmo, last);
	MQPUT(put->session.conn, put->session.object, &md, &pmo, length,
	      (void *)text, &comp_code, &reason);
	if (comp_code == MQCC_FAILED) {
		tool_call_error("MQPUT", put->session.queue, reason);
		return false;
	}
	if (comp_code == MQCC_WARNING)
		tool_error("MQPUT to %s: %s", put->session.queue,
			   tool_reason(reason));
	put->count++;
	if (put->verbose)
		tell_put(put, &md, length);
	if (put->syncpoint && put->batch && put->count % put->batch == 0)
		return session_commit(&put->session);
	return true;
}

/* One line without its end; false at the end of the messages. */
static bool read_line(const struct put *put, struct line *line)
{
	ssize_t length = getline(&line->text, &line->room, stdin);

	if (length < 0)
		return false;
	if (length && line->text[length - 1] == '\n')
		length--;
	line->length = length;
	return length || !put->empty_line_ends;
}

static bool read_ok(void)
{
	if (!ferror(stdin))
		return true;
	tool_error("cannot read standard input: %s", strerror(errno));
	return false;
}

static bool put_lines(struct put *put)
{
	struct line line = { NULL, 0, 0 };
	struct line next = { NULL, 0, 0 };
	bool ok = true;
	bool more = read_line(put, &line);

	while (ok && more) {
		struct line swap = line;

		/* Only a group needs to know that more lines follow. */
		if (put->group) {
			more = read_line(put, &next);
			ok = put_message(put, line.text, line.length, !more);
			line = next;
			next = swap;
		} else {
			ok = put_message(put, line.text, line.length, false);
			more = read_line(put, &line);
		}
	}
	free(line.text);
	free(next.text);
	return read_ok() && ok;
}

static bool put_whole(struct put *put)
{
	size_t length = 0, room = 0, got = 0;
	char *text = NULL;
	bool ok;

	do {
		length += got;
		if (length == room) {
			char *grown = realloc(text, room = room * 2 + 65536);

			if (!grown) {
				tool_error("not enough memory");
				free(text);
				return false;
			}
			text = grown;
		}
		got = fread(text + length, 1, room - length, stdin);
	} while (got);
	ok = read_ok() && put_message(put, text, length, true);
	free(text);
	return ok;
}

static bool put_all(struct put *put)
{
	bool ok;

	if (put->no_text)
		ok = put_message(put, "", 0, true);
	else if (put->whole)
		ok = put_whole(put);
	else
		ok = put_lines(put);
	if (put->syncpoint && ok)
		ok = session_commit(&put->session);
	else if (put->syncpoint)
		session_backout(&put->session);
	return ok;
}

static int run_put(struct put *put, const struct session_target *target)
{
	bool sample = tool_is("amqsput");
	bool ok;

	put->empty_line_ends = sample || isatty(STDIN_FILENO);
	if (sample)
		printf("amqsput: start\n");
	ok = session_open(&put->session, target);
	if (ok) {
		if (sample)
			printf("amqsput: messages go to %s\n", target->queue);
		fflush(stdout);
		ok = put_all(put);
		ok = session_end(&put->session, put->close_options) && ok;
	}
	if (sample)
		printf("amqsput: end\n");
	return tool_flush() && ok ? TOOL_OK : TOOL_FAILED;
}

int cmd_put(int argc, char **argv)
{
	struct session_target target = { NULL, NULL, NULL, NULL, 0 };
	struct put put;
	int option;

	put_defaults(&put);
	while ((option = getopt_long(argc, argv, "m:p:xf:P:c:i:e:r:gs:Wnv",
				     options, NULL)) != -1) {
		if (option == OPT_HELP) {
			fputs(usage, stdout);
			return tool_flush() ? TOOL_OK : TOOL_FAILED;
		}
		if (!set_option(&put, option))
			return tool_usage_error();
	}
	if (!set_positional(&put, &target, argc - optind, argv + optind))
		return tool_usage_error();
	return run_put(&put, &target);
}
