/* SPDX-License-Identifier: MIT */
/*
 * kmq sc, runmqsc: MQSC commands from a file, a pipe or a terminal.
 */
#include <editline/readline.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mqsc_run.h"
#include "tool.h"

static const char usage[] =
"Usage: kmq sc [OPTION]... [QMGR]\n"
"       runmqsc [OPTION]... [QMGR]\n"
"\n"
"Reads MQSC commands from standard input and carries them out on QMGR, or on\n"
"the default queue manager.\n"
"\n"
"  -m, --qmgr QMGR      the same as QMGR at the end\n"
"  -f, --file FILE      read commands from FILE\n"
"  -c, --command TEXT   carry out this one command; may be repeated\n"
"  -e, --no-echo        do not repeat the commands in the output\n"
"  -v, --verify         only check whether the commands are right\n"
"  -n, -w SECONDS, -x, -u USER   options of runmqsc without meaning here, ignored\n"
"      --help, --version\n"
"\n"
"Commands: DEFINE, ALTER, DELETE, CLEAR, DISPLAY, START, STOP, PING, END.\n"
"Objects: QLOCAL, QALIAS, QREMOTE, QMODEL, QCLUSTER, QUEUE, QSTATUS, QMGR,\n"
"QMSTATUS, CONN, PROCESS, NAMELIST.\n"
"A line that begins with * is a comment; one that ends in + or - goes on in\n"
"the next one.\n"
"\n"
"Exit status: 0 all commands were carried out, 10 one was wrong or failed,\n"
"20 nothing could be done, 2 wrong arguments (runmqsc: 20).\n";

#define SC_SOME_FAILED	10
#define SC_CANNOT_RUN	20

enum { OPT_HELP = 256 };

static const struct option options[] = {
	{ "qmgr", required_argument, NULL, 'm' },
	{ "file", required_argument, NULL, 'f' },
	{ "command", required_argument, NULL, 'c' },
	{ "no-echo", no_argument, NULL, 'e' },
	{ "verify", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

struct sc {
	const char *qmgr;
	const char *file;
	bool echo;
	char **commands;	/* of --command */
	size_t command_count;
	struct mqsc_session session;
};

static void run_interactive(struct sc *sc)
{
	char *line;

	rl_initialize();
	using_history();
	while (!sc->session.ended) {
		fflush(stdout);
		line = readline(sc->session.joiner.in_command ? "  > " :
				"kmq> ");
		if (!line) {
			putchar('\n');
			break;
		}
		if (*line)
			add_history(line);
		mqsc_run_line(&sc->session, line);
		free(line);
	}
}

static bool run_stream(struct sc *sc, FILE *stream)
{
	unsigned int number = 0;
	char *line = NULL;
	size_t room = 0;

	sc->session.source = sc->file ? sc->file : "stdin";
	while (!sc->session.ended && getline(&line, &room, stream) >= 0) {
		line[strcspn(line, "\r\n")] = '\0';
		number++;
		if (sc->echo)
			printf("%5u : %s\n", number, line);
		mqsc_run_line(&sc->session, line);
	}
	free(line);
	mqsc_run_end(&sc->session);
	if (!ferror(stream))
		return true;
	tool_error("cannot read the commands: %s", strerror(errno));
	return false;
}

static void run_arguments(struct sc *sc)
{
	size_t i;

	for (i = 0; i < sc->command_count && !sc->session.ended; i++) {
		mqsc_run_line(&sc->session, sc->commands[i]);
		mqsc_run_end(&sc->session);
	}
}

static bool run_input(struct sc *sc)
{
	FILE *stream = stdin;
	bool ok;

	if (sc->command_count) {
		run_arguments(sc);
		return true;
	}
	if (!sc->file && isatty(STDIN_FILENO)) {
		run_interactive(sc);
		return true;
	}
	if (sc->file)
		stream = fopen(sc->file, "re");
	if (!stream) {
		tool_error("cannot open %s: %s", sc->file, strerror(errno));
		return false;
	}
	ok = run_stream(sc, stream);
	if (sc->file)
		fclose(stream);
	return ok;
}

static void print_summary(const struct mqsc_session *session)
{
	printf("%u command%s read, %u with a syntax error, %u failed.\n",
	       session->read, session->read == 1 ? "" : "s", session->wrong,
	       session->failed);
}

static int run_sc(struct sc *sc, struct admin *admin)
{
	bool ok;

	sc->session.admin = admin;
	ok = run_input(sc);
	if (ok)
		print_summary(&sc->session);
	if (!tool_flush() || !ok)
		return SC_CANNOT_RUN;
	return sc->session.wrong || sc->session.failed ? SC_SOME_FAILED : 0;
}

/* Commands can be checked without a queue manager. */
static int connect_and_run(struct sc *sc)
{
	struct admin admin = { .fd = -1 };
	int result;
	int status;

	if (!sc->session.verify) {
		result = admin_open(&admin, sc->qmgr);
		if (result) {
			admin_open_error(sc->qmgr, result);
			return SC_CANNOT_RUN;
		}
	}
	status = run_sc(sc, &admin);
	admin_close(&admin);
	return status;
}

static bool set_option(struct sc *sc, int option)
{
	switch (option) {
	case 'm':
		sc->qmgr = optarg;
		return true;
	case 'f':
		sc->file = optarg;
		return true;
	case 'c':
		sc->commands[sc->command_count++] = optarg;
		return true;
	case 'e':
		sc->echo = false;
		return true;
	case 'v':
		sc->session.verify = true;
		return true;
	case 'n':
	case 'w':
	case 'x':
	case 'u':
		return true;
	default:
		return false;
	}
}

/* runmqsc knows no exit status of its own for that. */
static int wrong_arguments(void)
{
	tool_usage_error();
	return tool_is("runmqsc") ? SC_CANNOT_RUN : TOOL_USAGE;
}

static int parse_and_run(struct sc *sc, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "m:f:c:evnw:xu:", options,
				     NULL)) != -1) {
		if (option == OPT_HELP) {
			fputs(usage, stdout);
			return tool_flush() ? TOOL_OK : TOOL_FAILED;
		}
		if (!set_option(sc, option))
			return wrong_arguments();
	}
	if (optind < argc)
		sc->qmgr = argv[optind++];
	if (optind < argc || (sc->file && sc->command_count)) {
		tool_error(optind < argc ? "too many arguments" :
			   "--file does not go with --command");
		return wrong_arguments();
	}
	return connect_and_run(sc);
}

int cmd_sc(int argc, char **argv)
{
	struct sc *sc = calloc(1, sizeof(*sc));
	int status = SC_CANNOT_RUN;

	if (sc)
		sc->commands = calloc(argc, sizeof(*sc->commands));
	if (sc && sc->commands) {
		sc->qmgr = "";
		sc->echo = true;
		status = parse_and_run(sc, argc, argv);
		free(sc->commands);
	} else {
		tool_error("not enough memory");
	}
	free(sc);
	return status;
}
