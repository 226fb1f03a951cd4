/* SPDX-License-Identifier: MIT */
/*
 * kmq qmgr, dspmq, crtmqm, dltmqm: which queue managers there are, and their
 * state.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "admin.h"
#include "tool.h"

static const char usage[] =
"Usage: kmq qmgr [OPTION]... [QMGR]\n"
"       dspmq [-m QMGR]\n"
"       crtmqm QMGR\n"
"       dltmqm QMGR\n"
"\n"
"Lists the queue managers, or only QMGR, with their state.\n"
"\n"
"  -m, --qmgr QMGR  only this one\n"
"  -q, --quiesce    no new connections; waits that ask for it end\n"
"  -r, --resume     back to normal\n"
"      --stop       all waits and connections end\n"
"      --create     make queue manager QMGR\n"
"      --delete     delete QMGR with its queues and their messages; nobody may\n"
"                   have any of its nodes open\n"
"      --help, --version\n"
"\n"
"--quiesce, --resume and --stop act on QMGR, or on the default queue manager.\n"
"\n"
"Exit status: 0 all was well, 1 a call failed, 2 wrong arguments.\n";

enum { OPT_HELP = 256, OPT_STOP, OPT_CREATE, OPT_DELETE };

static const struct option options[] = {
	{ "qmgr", required_argument, NULL, 'm' },
	{ "quiesce", no_argument, NULL, 'q' },
	{ "resume", no_argument, NULL, 'r' },
	{ "stop", no_argument, NULL, OPT_STOP },
	{ "create", no_argument, NULL, OPT_CREATE },
	{ "delete", no_argument, NULL, OPT_DELETE },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static bool report(const char *qmgr, int result)
{
	if (!result)
		return true;
	if (*qmgr)
		tool_error("%s: %s", qmgr, admin_result_text(result));
	else
		tool_error("default queue manager: %s",
			   admin_result_text(result));
	return false;
}

static bool show_one(const char *qmgr)
{
	struct admin admin;
	unsigned int state = 0;
	int result = admin_open(&admin, qmgr);
	int width;

	if (!result) {
		result = admin_state(&admin, 0, &state);
		admin_close(&admin);
	}
	/* Who may not even look still learns that it is there. */
	if (result > 0)
		return report(qmgr, result);
	width = 38 - (int)strlen(admin.qmgr);
	printf("QMNAME(%s)%*s STATUS(%s)\n", admin.qmgr, width > 0 ? width : 0,
	       "", admin_state_word(state));
	return true;
}

static bool show_all(void)
{
	struct admin_names names;
	bool ok = true;
	size_t i;
	int result = admin_qmgrs(&names);

	if (result)
		return report("/dev/kmq", result);
	for (i = 0; i < names.count; i++)
		ok = show_one(names.name[i]) && ok;
	admin_names_free(&names);
	return ok;
}

static bool change_state(const char *qmgr, unsigned int state)
{
	struct admin admin;
	unsigned int old;
	int result = admin_open(&admin, qmgr);

	if (!result) {
		result = admin_state(&admin, state, &old);
		admin_close(&admin);
	}
	return report(qmgr, result);
}

int cmd_qmgr(int argc, char **argv)
{
	const char *qmgr = NULL;
	unsigned int state = 0;
	bool create = tool_is("crtmqm"), delete = tool_is("dltmqm");
	bool ok;
	int option;

	while ((option = getopt_long(argc, argv, "m:qr", options, NULL)) != -1) {
		switch (option) {
		case 'm':
			qmgr = optarg;
			break;
		case 'q':
			state = KMQ_QMGR_QUIESCING;
			break;
		case 'r':
			state = KMQ_QMGR_RUNNING;
			break;
		case OPT_STOP:
			state = KMQ_QMGR_STOPPING;
			break;
		case OPT_CREATE:
			create = true;
			break;
		case OPT_DELETE:
			delete = true;
			break;
		case OPT_HELP:
			fputs(usage, stdout);
			return tool_flush() ? TOOL_OK : TOOL_FAILED;
		default:
			return tool_usage_error();
		}
	}
	if (optind < argc && !qmgr)
		qmgr = argv[optind++];
	if (optind < argc) {
		tool_error("too many arguments");
		return tool_usage_error();
	}
	if ((create || delete) && (!qmgr || create == delete)) {
		tool_error(qmgr ? "create or delete?" :
			   "no queue manager given");
		return tool_usage_error();
	}
	if (create || delete)
		ok = report(qmgr, admin_make_qmgr(qmgr, create));
	else if (state)
		ok = change_state(qmgr ? qmgr : "", state);
	else
		ok = qmgr ? show_one(qmgr) : show_all();
	return tool_flush() && ok ? TOOL_OK : TOOL_FAILED;
}
