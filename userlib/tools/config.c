/* SPDX-License-Identifier: MIT */
/*
 * kmq dump, dmpmqcfg: the definitions of a queue manager as MQSC commands that
 * make them again.
 */
#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "admin.h"
#include "cmqc.h"
#include "mqsc_parse.h"
#include "tool.h"

static const char usage[] =
"Usage: kmq dump [OPTION]... [QMGR]\n"
"       dmpmqcfg [OPTION]...\n"
"\n"
"Writes the definitions of QMGR, or of the default queue manager, as commands\n"
"for 'kmq sc'. Carried out on a new queue manager they make all of it again,\n"
"but for messages and dynamic queues.\n"
"\n"
"  -m, --qmgr QMGR      queue manager\n"
"  -a, --all            all attributes, not only those that are not as they\n"
"                       would be without being given\n"
"  -n, --name NAME      only objects of this name, or that begin like NAME*\n"
"  -t, --type TYPE      only all, qmgr, queue, qlocal, qalias, qremote, qmodel,\n"
"                       process or namelist\n"
"  -o, --output FORM    mqsc: a line for each attribute (default); 1line: one\n"
"                       for each object; 2line: one for the name, one for the\n"
"                       attributes\n"
"  -x, --export WHAT    all or object; nothing else is kept here\n"
"      --help, --version\n"
"\n"
"Exit status: 0 all was well, 1 a call failed or a text cannot be written as\n"
"MQSC, 2 wrong arguments.\n";

enum { OPT_HELP = 256 };

static const struct option options[] = {
	{ "qmgr", required_argument, NULL, 'm' },
	{ "all", no_argument, NULL, 'a' },
	{ "name", required_argument, NULL, 'n' },
	{ "type", required_argument, NULL, 't' },
	{ "output", required_argument, NULL, 'o' },
	{ "export", required_argument, NULL, 'x' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

enum form { FORM_MQSC, FORM_1LINE, FORM_2LINE };

struct config {
	struct admin admin;
	const char *qmgr;
	const char *name;
	const struct config_type *type;		/* NULL: all */
	enum form form;
	bool all;
	bool ok;
};

/* What there is, in the order in which it is made again. */
struct config_type {
	const char *word;
	const char *keyword;
	int object_type;
	int q_type;		/* MQQT_ALL stands for all below it */
	unsigned int on;
};

static const struct config_type types[] = {
	{ "qmgr", "QMGR", MQOT_Q_MGR, 0, ATTR_ON_QMGR },
	{ "queue", NULL, MQOT_Q, MQQT_ALL, 0 },
	{ "qlocal", "QLOCAL", MQOT_Q, MQQT_LOCAL, ATTR_ON_LOCAL },
	{ "qmodel", "QMODEL", MQOT_Q, MQQT_MODEL, ATTR_ON_MODEL },
	{ "qalias", "QALIAS", MQOT_Q, MQQT_ALIAS, ATTR_ON_ALIAS },
	{ "qremote", "QREMOTE", MQOT_Q, MQQT_REMOTE, ATTR_ON_REMOTE },
	{ "namelist", "NAMELIST", MQOT_NAMELIST, 0, ATTR_ON_NAMELIST },
	{ "process", "PROCESS", MQOT_PROCESS, 0, ATTR_ON_PROCESS },
};

#define TYPE_COUNT (sizeof(types) / sizeof(types[0]))

/* Numbers that a definition has without being given, where they are not 0. */
static const struct {
	const char *name;
	unsigned int on;
	int64_t number;
} standards[] = {
	{ "ACCTQ", ATTR_ON_QUEUES, MQMON_Q_MGR },
	{ "APPLTYPE", ATTR_ON_PROCESS, MQAT_UNIX },
	{ "CAPEXPRY", ATTR_ON_QUEUES, -1 },
	{ "CCSID", ATTR_ON_QMGR, 1208 },
	{ "CLWLUSEQ", ATTR_ON_QUEUES, MQCLWL_USEQ_AS_Q_MGR },
	{ "DEFPRESP", ATTR_ON_QUEUES, MQPRT_SYNC_RESPONSE },
	{ "DEFSOPT", ATTR_ON_LOCAL, MQOO_INPUT_SHARED },
	{ "DEFSOPT", ATTR_ON_MODEL, MQOO_INPUT_EXCLUSIVE },
	{ "DEFTYPE", ATTR_ON_LOCAL, MQQDT_PREDEFINED },
	{ "DEFTYPE", ATTR_ON_MODEL, MQQDT_TEMPORARY_DYNAMIC },
	{ "MARKINT", ATTR_ON_QMGR, 5000 },
	{ "MAXDEPTH", ATTR_ON_QUEUES, 5000 },
	{ "MAXFSIZE", ATTR_ON_QUEUES, -1 },
	{ "MAXHANDS", ATTR_ON_QMGR, 256 },
	{ "MAXMSGL", ATTR_ON_QUEUES | ATTR_ON_QMGR, 4194304 },
	{ "MAXPROPL", ATTR_ON_QMGR, -1 },
	{ "MAXUMSGS", ATTR_ON_QMGR, 10000 },
	{ "MODE", ATTR_ON_QUEUES, 0660 },
	{ "MONQ", ATTR_ON_QUEUES, MQMON_Q_MGR },
	{ "QDEPTHHI", ATTR_ON_QUEUES, 80 },
	{ "QDEPTHLO", ATTR_ON_QUEUES, 20 },
	{ "QDPMAXEV", ATTR_ON_QUEUES, 1 },
	{ "QSVCINT", ATTR_ON_QUEUES, 999999999 },
	{ "RETINTVL", ATTR_ON_QUEUES, 999999999 },
	{ "SCOPE", ATTR_ON_QUEUES, 1 },
	{ "SHARE", ATTR_ON_LOCAL, 1 },
	{ "STATQ", ATTR_ON_QUEUES, MQMON_Q_MGR },
	{ "STRSTPEV", ATTR_ON_QMGR, 1 },
	{ "TARGTYPE", ATTR_ON_QUEUES, MQOT_Q },
	{ "TRIGDPTH", ATTR_ON_QUEUES, 1 },
	{ "TRIGINT", ATTR_ON_QMGR, 999999999 },
	{ "TRIGTYPE", ATTR_ON_QUEUES, MQTT_FIRST },
};

static bool is_standard(const struct admin_attr *attr, unsigned int on)
{
	int64_t number = 0;
	size_t i;

	/* Who applies the commands need not be who defined the queue. */
	if (attr->attr->selector == KMQ_ATTR_UID ||
	    attr->attr->selector == KMQ_ATTR_GID)
		return false;
	if (attr_is_text(attr->attr))
		return !*attr->value.text;
	for (i = 0; i < sizeof(standards) / sizeof(standards[0]); i++)
		if (standards[i].on & on &&
		    !strcmp(standards[i].name, attr->attr->name))
			number = standards[i].number;
	return attr->value.number == number;
}

/* --- writing ---------------------------------------------------------------- */

/* Control characters have no place in a line of MQSC. */
static bool can_be_written(const struct admin_attr *attr)
{
	const char *c;

	for (c = attr->value.text; attr_is_text(attr->attr) && *c; c++)
		if (iscntrl((unsigned char)*c))
			return false;
	return true;
}

/*
 * A list of names is written in several lines; each but the last ends in "+",
 * which joins the next one with its first character that is not blank.
 */
static void write_item(const struct config *config, const char *item)
{
	size_t column = 0;

	if (config->form != FORM_MQSC) {
		printf(" %s", item);
		return;
	}
	fputs(" +\n   ", stdout);
	for (; *item; item++) {
		putchar(*item);
		if (++column > 60 && *item == ',') {
			fputs("+\n      ", stdout);
			column = 0;
		}
	}
}

static void write_attrs(struct config *config, const struct config_type *type,
			const char *name, const struct admin_attr *attrs,
			size_t count)
{
	static char item[ATTR_FORMAT_MAX];
	size_t i;

	if (config->form == FORM_2LINE)
		fputs(" +\n  ", stdout);
	for (i = 0; i < count; i++) {
		if (!attrs[i].applies ||
		    (!config->all && is_standard(&attrs[i], type->on)))
			continue;
		if (!can_be_written(&attrs[i])) {
			tool_error("%s: %s has characters that cannot be written",
				   name, attrs[i].attr->name);
			config->ok = false;
		}
		attr_format(attrs[i].attr, &attrs[i].value, item, sizeof(item));
		write_item(config, item);
	}
}

static void write_object(struct config *config, const struct config_type *type,
			 const char *name, const struct admin_attr *attrs,
			 size_t count)
{
	if (type->object_type == MQOT_Q_MGR)
		printf("ALTER QMGR");
	else
		printf("DEFINE %s('%s') REPLACE", type->keyword, name);
	write_attrs(config, type, name, attrs, count);
	putchar('\n');
	if (config->form == FORM_MQSC)
		putchar('\n');
}

/* --- reading ----------------------------------------------------------------- */

static size_t choose_attrs(struct admin_attr *attrs,
			   const struct config_type *type)
{
	size_t i, count = 0;

	for (i = 0; i < attr_count && count < MQSC_PARAMS_MAX; i++) {
		if (!(attr_table[i].on & type->on) || attr_table[i].shown_only)
			continue;
		memset(&attrs[count], 0, sizeof(attrs[count]));
		attrs[count++].attr = &attr_table[i];
	}
	return count;
}

/* Programs make dynamic queues; nobody can define one. */
static bool is_dynamic(const struct admin_attr *attrs, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (attrs[i].attr->selector == MQIA_DEFINITION_TYPE)
			return attrs[i].value.number != MQQDT_PREDEFINED;
	return false;
}

/* Objects that go away meanwhile are left out. */
static void dump_object(struct config *config, const struct config_type *type,
			const char *name)
{
	static struct admin_attr attrs[MQSC_PARAMS_MAX];
	size_t count = choose_attrs(attrs, type);
	bool qmgr = type->object_type == MQOT_Q_MGR;
	int result = admin_inquire_object(&config->admin, type->object_type,
					  qmgr ? NULL : name, attrs, count);

	if (!result && !(type->on == ATTR_ON_LOCAL && is_dynamic(attrs, count)))
		write_object(config, type, name, attrs, count);
	admin_attrs_free(attrs, count);
	if (!result || result == MQRC_UNKNOWN_OBJECT_NAME)
		return;
	tool_error("%s: %s", name, admin_result_text(result));
	config->ok = false;
}

static void dump_type(struct config *config, const struct config_type *type)
{
	const char *pattern = config->name ? config->name : "*";
	struct admin_names names;
	size_t i;
	int result;

	if (type->object_type == MQOT_Q_MGR) {
		if (mqsc_name_matches(pattern, config->admin.qmgr))
			dump_object(config, type, config->admin.qmgr);
		return;
	}
	result = type->object_type == MQOT_Q ?
		 admin_list(&config->admin, pattern, type->q_type, &names) :
		 admin_list_objects(&config->admin, pattern, type->object_type,
				    &names);
	if (result) {
		tool_error("%s", admin_result_text(result));
		config->ok = false;
		return;
	}
	for (i = 0; i < names.count; i++)
		dump_object(config, type, names.name[i]);
	admin_names_free(&names);
}

static bool is_wanted(const struct config *config,
		      const struct config_type *type)
{
	if (!type->keyword)
		return false;
	if (!config->type)
		return true;
	return config->type == type ||
	       (!config->type->keyword &&
		config->type->object_type == type->object_type);
}

static int run(struct config *config)
{
	int result = admin_open(&config->admin, config->qmgr);
	size_t i;

	if (result) {
		admin_open_error(config->qmgr, result);
		return TOOL_FAILED;
	}
	if (config->form == FORM_MQSC)
		printf("* Queue manager %s, for \"kmq sc\" or runmqsc\n\n",
		       config->admin.qmgr);
	for (i = 0; i < TYPE_COUNT; i++)
		if (is_wanted(config, &types[i]))
			dump_type(config, &types[i]);
	admin_close(&config->admin);
	return tool_flush() && config->ok ? TOOL_OK : TOOL_FAILED;
}

/* --- arguments ---------------------------------------------------------------- */

static bool set_type(struct config *config, const char *word)
{
	size_t i;

	config->type = NULL;
	if (!strcasecmp(word, "all"))
		return true;
	for (i = 0; i < TYPE_COUNT; i++)
		if (!strcasecmp(word, types[i].word))
			config->type = &types[i];
	if (!config->type)
		tool_error("--type: there are no objects of type %s", word);
	return config->type;
}

static bool set_form(struct config *config, const char *word)
{
	static const char * const forms[] = { "mqsc", "1line", "2line" };
	size_t i;

	for (i = 0; i < 3; i++) {
		if (!strcasecmp(word, forms[i])) {
			config->form = i;
			return true;
		}
	}
	tool_error("--output: '%s' is not one of mqsc, 1line, 2line", word);
	return false;
}

static bool set_option(struct config *config, int option)
{
	switch (option) {
	case 'm':
		config->qmgr = optarg;
		return true;
	case 'a':
		config->all = true;
		return true;
	case 'n':
		config->name = optarg;
		return true;
	case 't':
		return set_type(config, optarg);
	case 'o':
		return set_form(config, optarg);
	case 'x':
		if (!strcasecmp(optarg, "all") || !strcasecmp(optarg, "object"))
			return true;
		tool_error("--export: kmq keeps nothing of the kind %s",
			   optarg);
		return false;
	default:
		return false;
	}
}

int cmd_dump(int argc, char **argv)
{
	struct config config = { .qmgr = "", .ok = true };
	int option;

	while ((option = getopt_long(argc, argv, "m:an:t:o:x:", options,
				     NULL)) != -1) {
		if (option == OPT_HELP) {
			fputs(usage, stdout);
			return tool_flush() ? TOOL_OK : TOOL_FAILED;
		}
		if (!set_option(&config, option))
			return tool_usage_error();
	}
	if (optind < argc && !*config.qmgr)
		config.qmgr = argv[optind++];
	if (optind < argc) {
		tool_error("too many arguments");
		return tool_usage_error();
	}
	return run(&config);
}
