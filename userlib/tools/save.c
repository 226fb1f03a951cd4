/* SPDX-License-Identifier: MIT */
/*
 * kmq save, kmq load, dmpmqmsg: messages from a queue or a file to a file or
 * another queue, with all that belongs to them.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "msgfile.h"
#include "tool.h"

static const char usage[] =
"Usage: kmq save [OPTION]... QUEUE [FILE]\n"
"       kmq load [OPTION]... QUEUE [FILE]\n"
"       dmpmqmsg [-m QMGR] {-i QUEUE | -I QUEUE} [-f FILE | -o QUEUE]\n"
"       dmpmqmsg [-m QMGR] -o QUEUE [-f FILE]\n"
"\n"
"Saves messages of a queue with their descriptors in a file, as text, and puts\n"
"them back; or moves them from queue to queue. Without FILE it is standard\n"
"output or standard input. Saved messages stay on the queue unless -I says\n"
"otherwise. BackoutCount is shown and not restored; Expiry is what is left.\n"
"\n"
"  -m, --qmgr QMGR        queue manager (default: the default one)\n"
"  -i, --input QUEUE      messages of QUEUE, which keeps them\n"
"  -I, --take QUEUE       messages of QUEUE, which gives them away\n"
"  -o, --output QUEUE     to QUEUE\n"
"  -f, --file FILE        to FILE, or from it if no queue is read\n"
"  -a, --append           write behind what is in FILE\n"
"  -r, --range RANGE      N: the first N; A..B: numbers A to B; A#N: N from A\n"
"  -s, --syncpoint N      commit after every N messages (default 500)\n"
"  -c, --context WHICH    all: put with the saved context or fail; none: with\n"
"                         that of this program; auto (default): all if it is\n"
"                         permitted, else none\n"
"  -v, --verbose          say how many there were\n"
"      --help, --version\n"
"\n"
"Exit status: 0 all was well, 1 a call failed or FILE is wrong, 2 wrong\n"
"arguments.\n";

enum { OPT_HELP = 256 };

static const struct option options[] = {
	{ "qmgr", required_argument, NULL, 'm' },
	{ "input", required_argument, NULL, 'i' },
	{ "take", required_argument, NULL, 'I' },
	{ "output", required_argument, NULL, 'o' },
	{ "file", required_argument, NULL, 'f' },
	{ "append", no_argument, NULL, 'a' },
	{ "range", required_argument, NULL, 'r' },
	{ "syncpoint", required_argument, NULL, 's' },
	{ "context", required_argument, NULL, 'c' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

enum context { CONTEXT_AUTO, CONTEXT_ALL, CONTEXT_NONE };

struct transfer {
	const char *qmgr;
	const char *from;	/* queue, or NULL: the file */
	const char *to;		/* queue, or NULL: the file */
	const char *file;	/* NULL: standard input or output */
	bool take;		/* messages leave the queue */
	bool append;
	bool verbose;
	enum context context;
	MQLONG first, last;	/* numbers of messages */
	MQLONG batch;

	struct session source;
	struct session target;
	struct message message;
	struct message_query look;	/* browses */
	struct message_query get;	/* takes */
	struct msgfile_reader reader;
	FILE *stream;
	off_t safe_length;	/* of the file at the last commit, -1 unknown */
	MQLONG pending;		/* messages of the unit of work */
	MQLONG count;
};

/* --- arguments -------------------------------------------------------------- */

static bool set_range(struct transfer *transfer, const char *text)
{
	int a, b, used = 0;

	transfer->first = 1;
	if (sscanf(text, "%d..%d%n", &a, &b, &used) == 2 && !text[used]) {
		transfer->first = a;
		transfer->last = b;
	} else if (sscanf(text, "%d#%d%n", &a, &b, &used) == 2 &&
		   !text[used] && b <= INT_MAX - a) {
		transfer->first = a;
		transfer->last = a + b - 1;
	} else if (sscanf(text, "%d%n", &a, &used) == 1 && !text[used]) {
		transfer->last = a;
	} else {
		transfer->first = 0;
	}
	if (transfer->first >= 1 && transfer->last >= transfer->first)
		return true;
	tool_error("--range: '%s' is neither N nor A..B nor A#N", text);
	return false;
}

static bool set_context(struct transfer *transfer, const char *text)
{
	if (!strcmp(text, "all"))
		transfer->context = CONTEXT_ALL;
	else if (!strcmp(text, "none"))
		transfer->context = CONTEXT_NONE;
	else if (!strcmp(text, "auto"))
		transfer->context = CONTEXT_AUTO;
	else
		tool_error("--context: '%s' is not one of all, none, auto",
			   text);
	return transfer->context != CONTEXT_AUTO || !strcmp(text, "auto");
}

static bool set_option(struct transfer *transfer, int option)
{
	switch (option) {
	case 'm':
		transfer->qmgr = optarg;
		return true;
	case 'I':
		transfer->take = true;
		/* fall through */
	case 'i':
		transfer->from = optarg;
		return true;
	case 'o':
		transfer->to = optarg;
		return true;
	case 'f':
		transfer->file = optarg;
		return true;
	case 'a':
		transfer->append = true;
		return true;
	case 'r':
		return set_range(transfer, optarg);
	case 's':
		return tool_number("--syncpoint", optarg, 1, 999999999,
				   &transfer->batch);
	case 'c':
		return set_context(transfer, optarg);
	case 'v':
		transfer->verbose = true;
		return true;
	default:
		return false;
	}
}

/* kmq save QUEUE [FILE] and kmq load QUEUE [FILE]. */
static bool set_positional(struct transfer *transfer, int argc, char **argv)
{
	const char **queue = !strcmp(tool_name, "kmq load") ? &transfer->to :
							      &transfer->from;

	if (argc && !tool_is("dmpmqmsg") && !*queue) {
		*queue = *argv++;
		argc--;
	}
	if (argc && !tool_is("dmpmqmsg") && !transfer->file) {
		transfer->file = *argv++;
		argc--;
	}
	if (argc) {
		tool_error("too many arguments");
		return false;
	}
	if (!transfer->from && !transfer->to) {
		tool_error("no queue given");
		return false;
	}
	if (transfer->from && transfer->to && transfer->file) {
		tool_error("two queues and a file are too much");
		return false;
	}
	if (transfer->from && transfer->to &&
	    !strcmp(transfer->from, transfer->to)) {
		tool_error("a queue cannot be copied to itself");
		return false;
	}
	return true;
}

/* Messages are left behind on the queue in front of those that are taken. */
static bool passes_over(const struct transfer *transfer)
{
	return transfer->first > 1;
}

/* --- the two ends ------------------------------------------------------------ */

static bool open_source(struct transfer *transfer)
{
	struct session_target target = {
		.queue = transfer->from,
		.qmgr = transfer->qmgr,
		.options = MQOO_FAIL_IF_QUIESCING | MQOO_BROWSE |
			   (transfer->take ? MQOO_INPUT_SHARED : 0),
	};

	message_query_init(&transfer->look);
	/* What PROPCTL of the queue would leave out is part of the message. */
	transfer->look.gmo.Version = MQGMO_VERSION_4;
	transfer->look.gmo.Options |= MQGMO_PROPERTIES_FORCE_MQRFH2;
	transfer->get = transfer->look;
	transfer->look.gmo.Options |= MQGMO_BROWSE_NEXT | MQGMO_NO_SYNCPOINT;
	transfer->get.gmo.Options |= MQGMO_SYNCPOINT;
	if (passes_over(transfer))
		transfer->get.gmo.Options |= MQGMO_MSG_UNDER_CURSOR;
	return session_open(&transfer->source, &target);
}

/* With the right to set the context, if the caller has it. */
static bool open_target(struct transfer *transfer)
{
	MQOD od = { MQOD_DEFAULT };
	MQLONG options = MQOO_OUTPUT | MQOO_FAIL_IF_QUIESCING;
	struct session *target = &transfer->target;
	MQLONG comp_code, reason;

	target->queue = transfer->to;
	if (transfer->from) {
		/* One unit of work for both, so that nothing is lost. */
		target->conn = transfer->source.conn;
	} else if (!session_connect(target, transfer->qmgr)) {
		return false;
	}
	if (!tool_name_field("queue", transfer->to, od.ObjectName,
			     sizeof(od.ObjectName)))
		return false;
	if (transfer->context != CONTEXT_NONE)
		options |= MQOO_SET_ALL_CONTEXT;
	MQOPEN(target->conn, &od, options, &target->object, &comp_code,
	       &reason);
	if (reason == MQRC_NOT_AUTHORIZED && transfer->context == CONTEXT_AUTO) {
		transfer->context = CONTEXT_NONE;
		options &= ~MQOO_SET_ALL_CONTEXT;
		MQOPEN(target->conn, &od, options, &target->object,
		       &comp_code, &reason);
		if (comp_code == MQCC_OK)
			tool_error("%s: the context is not set, that is not permitted",
				   transfer->to);
	}
	if (comp_code == MQCC_OK)
		return true;
	tool_call_error("MQOPEN", transfer->to, reason);
	return false;
}

static bool open_file(struct transfer *transfer)
{
	const char *mode = transfer->append ? "ae" : "we";
	struct stat st;

	transfer->safe_length = -1;
	if (transfer->from && transfer->to)
		return true;
	if (!transfer->from)
		mode = "re";
	if (transfer->file && strcmp(transfer->file, "-"))
		transfer->stream = fopen(transfer->file, mode);
	else
		transfer->stream = transfer->from ? stdout : stdin;
	if (!transfer->stream) {
		tool_error("%s: %s", transfer->file, strerror(errno));
		return false;
	}
	transfer->reader.stream = transfer->stream;
	if (transfer->from && !fstat(fileno(transfer->stream), &st) &&
	    S_ISREG(st.st_mode) && transfer->file)
		transfer->safe_length = st.st_size;
	return true;
}

/* --- messages ---------------------------------------------------------------- */

/* With a range a message is looked at before it is taken. */
static enum message_result next_of_queue(struct transfer *transfer,
					 MQLONG number)
{
	enum message_result result = MESSAGE_GOT;

	if (!transfer->take || passes_over(transfer))
		result = message_get(&transfer->message, &transfer->source,
				     &transfer->look);
	if (result == MESSAGE_GOT && transfer->take &&
	    number >= transfer->first)
		result = message_get(&transfer->message, &transfer->source,
				     &transfer->get);
	return result;
}

static enum message_result next_of_file(struct transfer *transfer)
{
	struct msgfile_reader *reader = &transfer->reader;
	enum msgfile_read read;

	read = msgfile_read(reader, &transfer->message);
	if (read == MSGFILE_MESSAGE)
		return MESSAGE_GOT;
	if (read == MSGFILE_END)
		return MESSAGE_NONE;
	if (*reader->fault)
		tool_error("line %u: %s", reader->line_number, reader->fault);
	else
		tool_error("cannot read the messages: %s", strerror(errno));
	return MESSAGE_FAILED;
}

static bool put_message(struct transfer *transfer)
{
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG comp_code, reason;

	pmo.Options = MQPMO_SYNCPOINT | MQPMO_FAIL_IF_QUIESCING;
	if (transfer->context != CONTEXT_NONE)
		pmo.Options |= MQPMO_SET_ALL_CONTEXT;
	MQPUT(transfer->target.conn, transfer->target.object,
	      &transfer->message.md, &pmo, transfer->message.length,
	      transfer->message.data, &comp_code, &reason);
	/* Such a priority the message had before. */
	if (comp_code == MQCC_OK || reason == MQRC_PRIORITY_EXCEEDS_MAXIMUM)
		return true;
	if (comp_code == MQCC_FAILED)
		tool_call_error("MQPUT", transfer->to, reason);
	else
		tool_error("MQPUT to %s: %s", transfer->to,
			   tool_reason(reason));
	return comp_code != MQCC_FAILED;
}

static bool write_message(struct transfer *transfer)
{
	msgfile_write(transfer->stream, &transfer->message);
	if (!ferror(transfer->stream))
		return true;
	tool_error("cannot write the messages: %s", strerror(errno));
	return false;
}

/* The file is on disk before the queue gives its messages away. */
static bool flush_file(struct transfer *transfer)
{
	if (fflush(transfer->stream) ||
	    (transfer->safe_length >= 0 && fsync(fileno(transfer->stream)))) {
		tool_error("cannot write the messages: %s", strerror(errno));
		return false;
	}
	if (transfer->safe_length >= 0)
		transfer->safe_length = ftello(transfer->stream);
	return true;
}

static bool uses_unit(const struct transfer *transfer)
{
	return transfer->take || transfer->to;
}

static struct session *unit_of(struct transfer *transfer)
{
	return transfer->from ? &transfer->source : &transfer->target;
}

static bool settle(struct transfer *transfer)
{
	bool ok = transfer->to || flush_file(transfer);

	if (ok && transfer->pending && uses_unit(transfer))
		ok = session_commit(unit_of(transfer));
	if (ok) {
		transfer->count += transfer->pending;
		transfer->pending = 0;
	}
	return ok;
}

/* What was not committed is on the queue again, so not in the file. */
static void take_back(struct transfer *transfer)
{
	if (!uses_unit(transfer))
		return;
	session_backout(unit_of(transfer));
	if (transfer->take && transfer->safe_length >= 0) {
		fflush(transfer->stream);
		if (ftruncate(fileno(transfer->stream), transfer->safe_length))
			tool_error("%s has messages that are on the queue, too",
				   transfer->file);
	}
}

static bool transfer_messages(struct transfer *transfer)
{
	enum message_result result = MESSAGE_GOT;
	bool ok = true;
	MQLONG number;

	for (number = 1; ok && number <= transfer->last; number++) {
		result = transfer->from ? next_of_queue(transfer, number) :
					  next_of_file(transfer);
		if (result != MESSAGE_GOT)
			break;
		if (number < transfer->first)
			continue;
		ok = transfer->to ? put_message(transfer) :
				    write_message(transfer);
		if (ok && ++transfer->pending == transfer->batch)
			ok = settle(transfer);
	}
	ok = ok && result != MESSAGE_FAILED && settle(transfer);
	if (!ok)
		take_back(transfer);
	return ok;
}

static bool close_file(struct transfer *transfer)
{
	bool ok = true;

	if (transfer->stream && transfer->stream != stdin &&
	    transfer->stream != stdout)
		ok = !fclose(transfer->stream);
	if (!ok)
		tool_error("cannot write the messages: %s", strerror(errno));
	return ok;
}

static void end_session(struct transfer *transfer, bool *ok)
{
	MQLONG comp_code, reason;

	if (transfer->target.object != MQHO_UNUSABLE_HOBJ)
		MQCLOSE(transfer->target.conn, &transfer->target.object,
			MQCO_NONE, &comp_code, &reason);
	if (transfer->from)
		*ok = session_end(&transfer->source, MQCO_NONE) && *ok;
	else
		MQDISC(&transfer->target.conn, &comp_code, &reason);
}

static int run(struct transfer *transfer)
{
	bool ok;

	transfer->target.object = MQHO_UNUSABLE_HOBJ;
	transfer->target.conn = MQHC_UNUSABLE_HCONN;
	if (transfer->from && !open_source(transfer))
		return TOOL_FAILED;
	ok = (!transfer->to || open_target(transfer)) && open_file(transfer);
	if (ok)
		ok = transfer_messages(transfer);
	ok = close_file(transfer) && ok;
	end_session(transfer, &ok);
	message_free(&transfer->message);
	msgfile_reader_free(&transfer->reader);
	if (transfer->verbose)
		fprintf(stderr, "%s: %d message%s\n", tool_name,
			(int)transfer->count, transfer->count == 1 ? "" : "s");
	return tool_flush() && ok ? TOOL_OK : TOOL_FAILED;
}

int cmd_save(int argc, char **argv)
{
	struct transfer transfer;
	int option;

	memset(&transfer, 0, sizeof(transfer));
	transfer.first = 1;
	transfer.last = INT_MAX - 1;
	transfer.batch = 500;
	while ((option = getopt_long(argc, argv, "m:i:I:o:f:ar:s:c:v", options,
				     NULL)) != -1) {
		if (option == OPT_HELP) {
			fputs(usage, stdout);
			return tool_flush() ? TOOL_OK : TOOL_FAILED;
		}
		if (!set_option(&transfer, option))
			return tool_usage_error();
	}
	if (!set_positional(&transfer, argc - optind, argv + optind))
		return tool_usage_error();
	return run(&transfer);
}
