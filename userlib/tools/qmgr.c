/* SPDX-License-Identifier: MIT */
/*
 * kmq qmgr, dspmq, crtmqm, dltmqm: which queue managers there are, and their
 * state. The options of the last three are those of IBM MQ's commands.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "../src/name.h"
#include "admin.h"
#include "cmqc.h"
#include "cmqcfc.h"
#include "hint.h"
#include "tool.h"

static const char usage[] =
"Usage: kmq qmgr [OPTION]... [QMGR]\n"
"       dspmq [-m QMGR] [-o WHAT]... [-x]\n"
"       crtmqm [OPTION]... QMGR\n"
"       dltmqm [-z] QMGR\n"
"\n"
"Lists the queue managers, or only QMGR, with their state.\n"
"\n"
"  -m, --qmgr QMGR  only this one\n"
"  -o WHAT          status (also without -o), default, standby or all\n"
"  -x               instances, too\n"
"      --quiesce    no new connections; waits that ask for it end\n"
"      --resume     back to normal\n"
"      --stop       all waits and connections end\n"
"      --create     make queue manager QMGR\n"
"      --delete     delete QMGR with its queues and their messages; nobody may\n"
"                   have any of its nodes open\n"
"      --help, --version\n"
"\n"
"With --create and crtmqm, attributes of the new queue manager:\n"
"  -c TEXT   DESCR            -t NUMBER  TRIGINT\n"
"  -d QUEUE  DEFXMITQ         -u QUEUE   DEADQ\n"
"  -h NUMBER MAXHANDS         -x NUMBER  MAXUMSGS\n"
"\n"
"  -z               (crtmqm, dltmqm) no error lines\n"
"\n"
"Options of IBM MQ's commands that mean nothing here and are ignored: of\n"
"dspmq -a -c -e -f -i -n -s -w; of crtmqm -q -s -sa -si -ss -sax -lc -ll -la\n"
"-ln -lr -lf -lp -ls -ld -md -p -a -g -oa -ic -ii -iv.\n"
"\n"
"--quiesce (-q), --resume (-r) and --stop act on QMGR, or on the default queue\n"
"manager.\n"
"\n"
"Exit status: 0 all was well, 1 a call failed, 2 wrong arguments. Under their\n"
"names dspmq, crtmqm and dltmqm have those of IBM MQ: 8 it exists already, 16\n"
"it does not exist, 5 it is in use, 36 or 39 wrong arguments, 69 no memory, 72\n"
"the name is wrong, 119 not permitted, 71 something else.\n";

enum {
	OPT_HELP = 256, OPT_STOP, OPT_CREATE, OPT_DELETE, OPT_QUIESCE,
	OPT_RESUME, OPT_IGNORED,
};

static const struct option options[] = {
	{ "qmgr", required_argument, NULL, 'm' },
	{ "quiesce", no_argument, NULL, OPT_QUIESCE },
	{ "resume", no_argument, NULL, OPT_RESUME },
	{ "stop", no_argument, NULL, OPT_STOP },
	{ "create", no_argument, NULL, OPT_CREATE },
	{ "delete", no_argument, NULL, OPT_DELETE },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

/* Those of crtmqm have a dash and two letters. */
static const struct option create_options[] = {
	{ "lc", no_argument, NULL, OPT_IGNORED },
	{ "ll", no_argument, NULL, OPT_IGNORED },
	{ "la", no_argument, NULL, OPT_IGNORED },
	{ "ln", no_argument, NULL, OPT_IGNORED },
	{ "lr", required_argument, NULL, OPT_IGNORED },
	{ "lf", required_argument, NULL, OPT_IGNORED },
	{ "lp", required_argument, NULL, OPT_IGNORED },
	{ "ls", required_argument, NULL, OPT_IGNORED },
	{ "ld", required_argument, NULL, OPT_IGNORED },
	{ "md", required_argument, NULL, OPT_IGNORED },
	{ "sa", no_argument, NULL, OPT_IGNORED },
	{ "si", no_argument, NULL, OPT_IGNORED },
	{ "ss", no_argument, NULL, OPT_IGNORED },
	{ "sax", no_argument, NULL, OPT_IGNORED },
	{ "oa", required_argument, NULL, OPT_IGNORED },
	{ "ic", required_argument, NULL, OPT_IGNORED },
	{ "ii", required_argument, NULL, OPT_IGNORED },
	{ "iv", required_argument, NULL, OPT_IGNORED },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

#define MAX_SETTINGS	6

struct qmgr {
	const char *name;
	unsigned int state;	/* to be changed to */
	bool create;
	bool delete;
	bool quiet;
	bool shows_status;
	bool shows_default;
	bool shows_standby;
	bool shows_instances;
	struct attr_value values[MAX_SETTINGS];
	const struct attr *attrs[MAX_SETTINGS];
	size_t count;
	int result;		/* of the first call that failed */
};

static bool is_ibm(void)
{
	return tool_is("dspmq") || tool_is("crtmqm") || tool_is("dltmqm");
}

static int usage_error(void)
{
	int status = tool_usage_error();

	return !is_ibm() ? status : tool_is("dspmq") ? 36 : 39;
}

static int exit_status(const struct qmgr *q)
{
	if (!q->result || !is_ibm())
		return q->result ? TOOL_FAILED : TOOL_OK;
	switch (q->result) {
	case MQRCCF_OBJECT_ALREADY_EXISTS:
		return 8;
	case MQRCCF_OBJECT_OPEN:
		return 5;
	case MQRC_Q_MGR_NAME_ERROR:
		return tool_is("dltmqm") ? 16 : 72;
	case MQRCCF_OBJECT_NAME_ERROR:
		return 72;
	case MQRC_STORAGE_NOT_AVAILABLE:
	case -ENOMEM:
		return 69;
	case -EACCES:
	case -EPERM:
		return tool_is("dspmq") ? 71 : 119;
	default:
		return 71;
	}
}

static void report(struct qmgr *q, const char *name, int result)
{
	if (!result)
		return;
	if (!q->result)
		q->result = result;
	if (!q->quiet)
		admin_open_error(name, result);
}

/* The same of what is asked of the control node. */
static void report_control(struct qmgr *q, int result)
{
	char path[KMQ_PATH_MAX];

	if (!result)
		return;
	q->result = result;
	if (q->quiet)
		return;
	snprintf(path, sizeof(path), "%s/control", kmq_device_dir());
	tool_error("queue manager %s: %s", q->name, admin_result_text(result));
	hint_after(result, path);
}

static bool is_default(const char *name)
{
	char field[KMQ_NAME_LEN];
	char text[ADMIN_NAME_MAX + 1];

	if (!kmq_name_default_qmgr(field))
		return false;
	admin_name_from_field(text, field);
	return !strcmp(text, name);
}

static void print_one(const struct qmgr *q, const char *name,
		      unsigned int state)
{
	int width = 38 - (int)strlen(name);
	char host[65] = "";

	printf("QMNAME(%s)%*s", name, width > 0 ? width : 0, "");
	if (q->shows_status)
		printf(" STATUS(%s)", admin_state_word(state));
	if (q->shows_default)
		printf(" DEFAULT(%s)", is_default(name) ? "yes" : "no");
	if (q->shows_standby)
		printf(" STANDBY(Not permitted)");
	putchar('\n');
	if (q->shows_instances && !gethostname(host, sizeof(host) - 1))
		printf("    INSTANCE(%s) MODE(Active)\n", host);
}

static void show_one(struct qmgr *q, const char *name)
{
	struct admin admin;
	unsigned int state = 0;
	int result = admin_open(&admin, name);

	if (!result) {
		result = admin_state(&admin, 0, &state);
		admin_close(&admin);
	}
	/* Who may not even look still learns that it is there. */
	if (result <= 0)
		print_one(q, admin.qmgr, state);
	report(q, name, result);
}

static void show_all(struct qmgr *q)
{
	struct admin_names names;
	size_t i;
	int result = admin_qmgrs(&names);

	if (result) {
		q->result = result;
		tool_error("/dev/kmq: %s", admin_result_text(result));
		hint_after(result, "/dev/kmq");
		return;
	}
	for (i = 0; i < names.count; i++)
		show_one(q, names.name[i]);
	admin_names_free(&names);
}

static void change_state(struct qmgr *q)
{
	const char *name = q->name ? q->name : "";
	struct admin admin;
	unsigned int old;
	int result = admin_open(&admin, name);

	if (!result) {
		result = admin_state(&admin, q->state, &old);
		admin_close(&admin);
	}
	report(q, name, result);
}

static int set_attributes(const struct qmgr *q)
{
	struct admin_change change = {
		.object_type = MQOT_Q_MGR,
		.values = q->values,
		.attrs = q->attrs,
		.count = q->count,
	};
	struct admin admin;
	int32_t selector;
	int result = admin_open(&admin, q->name);

	if (result)
		return result;
	result = admin_alter(&admin, &change, &selector);
	admin_close(&admin);
	return result;
}

/* All of it or nothing. */
static void create(struct qmgr *q)
{
	int result = admin_make_qmgr(q->name, true);

	report_control(q, result);
	if (result || !q->count)
		return;
	result = set_attributes(q);
	if (result)
		admin_make_qmgr(q->name, false);
	report(q, q->name, result);
}

static bool add_setting(struct qmgr *q, const char *keyword, const char *text)
{
	const char *why = "not a valid value";
	bool negated;
	const struct attr *attr = attr_find(keyword, ATTR_ON_QMGR, &negated);

	if (q->count == MAX_SETTINGS) {
		tool_error("too many attributes");
		return false;
	}
	if (!attr || !attr_parse(attr, text, true, &q->values[q->count],
				 &why)) {
		tool_error("%s(%s): %s", keyword, text, why);
		return false;
	}
	q->attrs[q->count++] = attr;
	return true;
}

static bool set_create_option(struct qmgr *q, int option)
{
	switch (option) {
	case 'c':
		return add_setting(q, "DESCR", optarg);
	case 'd':
		return add_setting(q, "DEFXMITQ", optarg);
	case 'h':
		return add_setting(q, "MAXHANDS", optarg);
	case 't':
		return add_setting(q, "TRIGINT", optarg);
	case 'u':
		return add_setting(q, "DEADQ", optarg);
	case 'x':
		return add_setting(q, "MAXUMSGS", optarg);
	case 'z':
		q->quiet = true;
		return true;
	case 'q':
	case 's':
	case 'p':
	case 'a':
	case 'g':
	case OPT_IGNORED:
		return true;
	default:
		return false;
	}
}

static bool set_shown(struct qmgr *q, const char *what)
{
	bool all = !strcasecmp(what, "all");

	if (all || !strcasecmp(what, "status"))
		q->shows_status = true;
	if (all || !strcasecmp(what, "default"))
		q->shows_default = true;
	if (all || !strcasecmp(what, "standby"))
		q->shows_standby = true;
	if (q->shows_status || q->shows_default || q->shows_standby)
		return true;
	tool_error("-o: '%s' is not status, default, standby or all", what);
	return false;
}

static bool set_option(struct qmgr *q, int option)
{
	switch (option) {
	case 'm':
		q->name = optarg;
		return true;
	case 'o':
		return set_shown(q, optarg);
	case 'x':
		q->shows_instances = true;
		return true;
	case 'q':
	case OPT_QUIESCE:
		q->state = KMQ_QMGR_QUIESCING;
		return true;
	case 'r':
	case OPT_RESUME:
		q->state = KMQ_QMGR_RUNNING;
		return true;
	case OPT_STOP:
		q->state = KMQ_QMGR_STOPPING;
		return true;
	case OPT_CREATE:
		q->create = true;
		return true;
	case OPT_DELETE:
		q->delete = true;
		return true;
	case 'z':
		q->quiet = true;
		return true;
	default:
		/* dspmq has more. */
		return option != '?' && tool_is("dspmq");
	}
}

static int next_option(const struct qmgr *q, int argc, char **argv)
{
	if (tool_is("crtmqm"))
		return getopt_long_only(argc, argv, "c:d:h:t:u:x:zqsp:a:g:",
					create_options, NULL);
	if (q->create)
		return getopt_long(argc, argv, "m:c:d:h:t:u:x:z", options,
				   NULL);
	if (tool_is("dspmq"))
		return getopt_long(argc, argv, "m:o:xacefinsw", options, NULL);
	return getopt_long(argc, argv, "m:o:xqrz", options, NULL);
}

static bool create_takes(const struct qmgr *q, int option)
{
	return tool_is("crtmqm") ||
	       (q->create && option != 'm' && option < OPT_HELP);
}

static bool is_asked_right(const struct qmgr *q, bool more)
{
	if (more) {
		tool_error("too many arguments");
		return false;
	}
	if (!q->create && !q->delete)
		return true;
	if (q->name && q->create != q->delete)
		return true;
	tool_error(q->name ? "create or delete?" : "no queue manager given");
	return false;
}

static void run(struct qmgr *q)
{
	if (q->create)
		create(q);
	else if (q->delete)
		report_control(q, admin_make_qmgr(q->name, false));
	else if (q->state)
		change_state(q);
	else if (q->name)
		show_one(q, q->name);
	else
		show_all(q);
}

int cmd_qmgr(int argc, char **argv)
{
	struct qmgr q = {
		.create = tool_is("crtmqm"),
		.delete = tool_is("dltmqm"),
	};
	int option;

	while ((option = next_option(&q, argc, argv)) != -1) {
		if (option == OPT_HELP) {
			fputs(usage, stdout);
			return tool_flush() ? TOOL_OK : TOOL_FAILED;
		}
		if (!(create_takes(&q, option) ?
		      set_create_option(&q, option) : set_option(&q, option)))
			return usage_error();
	}
	if (!q.shows_default && !q.shows_standby)
		q.shows_status = true;
	if (optind < argc && !q.name)
		q.name = argv[optind++];
	if (!is_asked_right(&q, optind < argc))
		return usage_error();
	run(&q);
	return tool_flush() ? exit_status(&q) : TOOL_FAILED;
}
