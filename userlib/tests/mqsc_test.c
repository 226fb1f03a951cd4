/* SPDX-License-Identifier: MIT */
/*
 * The MQSC reader without a queue manager: joining lines, tokens, grammar,
 * attribute values. Prints TAP.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tools/mqsc_parse.h"
#include "cmqc.h"
#include "linux/kmq.h"

static unsigned int tests, failures;

static void __attribute__((format(printf, 2, 3)))
check(bool good, const char *format, ...)
{
	va_list args;

	tests++;
	if (!good)
		failures++;
	printf("%sok %u - ", good ? "" : "not ", tests);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

static struct mqsc_command command;
static struct mqsc_fault fault;

static enum mqsc_parsed parse(const char *text)
{
	return mqsc_parse(text, &command, &fault);
}

static const struct mqsc_param *param(const char *name)
{
	size_t i;

	for (i = command.param_count; i--;)
		if (!strcmp(command.param[i].attr->name, name))
			return &command.param[i];
	return NULL;
}

/* --- lines ---------------------------------------------------------------- */

struct join_case {
	const char *name;
	const char *lines[6];
	const char *text;	/* of the one command they make, or NULL */
};

static const struct join_case join_cases[] = {
	{ "one line", { "DIS QMGR" }, "DIS QMGR" },
	{ "leading and trailing blanks go", { "  DIS QMGR \t" }, "DIS QMGR" },
	{ "carriage return goes", { "DIS QMGR\r\n" }, "DIS QMGR" },
	{ "comment", { "* DIS QMGR" }, NULL },
	{ "an asterisk after a blank is no comment", { " * X" }, "* X" },
	{ "empty line", { "", "   " }, NULL },
	{ "plus drops blanks of the next line", { "DIS +", "   QMGR" },
	  "DIS QMGR" },
	{ "plus in the middle of a word", { "DIS QM+", "   GR" }, "DIS QMGR" },
	{ "minus keeps them", { "DESCR('a-", "  b')" }, "DESCR('a  b')" },
	{ "several lines", { "A +", "B -", "C +", "D" }, "A B C D" },
	{ "comment inside a command", { "A +", "* no", "B" }, "A B" },
	{ "empty line inside a command", { "A +", "", "B" }, "A B" },
	{ "blanks after the plus", { "A +   ", "B" }, "A B" },
	{ "input ends inside a command", { "DIS QMGR +" }, "DIS QMGR " },
};

static void test_join(const struct join_case *c)
{
	static struct mqsc_joiner joiner;
	enum mqsc_joined joined = MQSC_NOTHING;
	int commands = 0;
	size_t i;

	memset(&joiner, 0, sizeof(joiner));
	for (i = 0; i < 6 && c->lines[i]; i++) {
		joined = mqsc_join(&joiner, c->lines[i]);
		commands += joined == MQSC_COMMAND;
	}
	commands += mqsc_join_end(&joiner) == MQSC_COMMAND;
	if (c->text)
		check(commands == 1 && !strcmp(joiner.text, c->text),
		      "join: %s", c->name);
	else
		check(!commands, "join: %s", c->name);
}

static void test_join_too_long(void)
{
	static struct mqsc_joiner joiner;
	static char line[1002];
	enum mqsc_joined joined = MQSC_MORE;
	int i;

	memset(line, 'x', 1000);
	line[1000] = '+';
	for (i = 0; i < 40 && joined == MQSC_MORE; i++)
		joined = mqsc_join(&joiner, line);
	check(joined == MQSC_TOO_LONG && i == 33, "join: too long");
	check(mqsc_join(&joiner, "DIS QMGR") == MQSC_COMMAND &&
	      !strcmp(joiner.text, "DIS QMGR"),
	      "join: the next command is whole again");
}

/* --- tokens ---------------------------------------------------------------- */

struct lex_case {
	const char *command;
	const char *tokens;	/* w:TEXT s:TEXT ( ) joined by blanks */
};

static const struct lex_case lex_cases[] = {
	{ "", "" },
	{ "DIS QMGR", "w:DIS w:QMGR" },
	{ "DEF QL(A)", "w:DEF w:QL ( w:A )" },
	{ "DEF QL ( A )", "w:DEF w:QL ( w:A )" },
	{ "A(B)C(D)", "w:A ( w:B ) w:C ( w:D )" },
	{ "A,B , C", "w:A w:B w:C" },
	{ "D('a b')", "w:D ( s:a b )" },
	{ "D('it''s')", "w:D ( s:it's )" },
	{ "D('''')", "w:D ( s:' )" },
	{ "D('')", "w:D ( s: )" },
	{ "D('a(b);c,d')", "w:D ( s:a(b);c,d )" },
	{ "A; B", "w:A" },
	{ ";", "" },
	{ "A\tB", "w:A w:B" },
	{ "DEV.*", "w:DEV.*" },
	{ "a'b'c", "w:a s:b w:c" },
	{ "D('open", NULL },
	{ "D('open''", NULL },
};

static void describe(const struct mqsc_tokens *tokens, char *text)
{
	size_t i;

	*text = '\0';
	for (i = 0; i < tokens->count; i++) {
		const struct mqsc_token *token = &tokens->token[i];

		if (i)
			text += sprintf(text, " ");
		if (token->type == MQSC_OPEN)
			text += sprintf(text, "(");
		else if (token->type == MQSC_CLOSE)
			text += sprintf(text, ")");
		else
			text += sprintf(text, "%c:%s",
					token->type == MQSC_WORD ? 'w' : 's',
					token->text);
	}
}

static void test_lex(const struct lex_case *c)
{
	static struct mqsc_tokens tokens;
	char text[256];
	bool good = mqsc_lex(c->command, &tokens, &fault);

	if (good)
		describe(&tokens, text);
	check(c->tokens ? good && !strcmp(text, c->tokens) : !good,
	      "lex: %s", c->command);
}

static void test_lex_limits(void)
{
	static struct mqsc_tokens tokens;
	static char text[MQSC_COMMAND_MAX + 1];
	size_t i;

	for (i = 0; i < MQSC_COMMAND_MAX; i++)
		text[i] = i % 2 ? ' ' : 'x';
	check(!mqsc_lex(text, &tokens, &fault), "lex: too many words");
	memset(text, 'x', MQSC_COMMAND_MAX);
	check(mqsc_lex(text, &tokens, &fault) && tokens.count == 1,
	      "lex: one word as long as a command");
}

/* --- commands --------------------------------------------------------------- */

struct verb_case {
	const char *text;
	enum mqsc_verb verb;
	enum mqsc_object object;
	int q_type;
	const char *name;
};

static const struct verb_case verb_cases[] = {
	{ "DEFINE QLOCAL(A)", MQSC_DEFINE, MQSC_QUEUE, MQQT_LOCAL, "A" },
	{ "def ql(a)", MQSC_DEFINE, MQSC_QUEUE, MQQT_LOCAL, "A" },
	{ "def ql('a')", MQSC_DEFINE, MQSC_QUEUE, MQQT_LOCAL, "a" },
	{ "def ql('a  ')", MQSC_DEFINE, MQSC_QUEUE, MQQT_LOCAL, "a" },
	{ "def qa(a)", MQSC_DEFINE, MQSC_QUEUE, MQQT_ALIAS, "A" },
	{ "def qr(a)", MQSC_DEFINE, MQSC_QUEUE, MQQT_REMOTE, "A" },
	{ "def qm(a)", MQSC_DEFINE, MQSC_QUEUE, MQQT_MODEL, "A" },
	{ "def qmodel(a)", MQSC_DEFINE, MQSC_QUEUE, MQQT_MODEL, "A" },
	{ "alt ql(a)", MQSC_ALTER, MQSC_QUEUE, MQQT_LOCAL, "A" },
	{ "alter qmgr", MQSC_ALTER, MQSC_QMGR, 0, "" },
	{ "del ql(a)", MQSC_DELETE, MQSC_QUEUE, MQQT_LOCAL, "A" },
	{ "delete queue(a)", MQSC_DELETE, MQSC_QUEUE, MQQT_ALL, "A" },
	{ "clear ql(a)", MQSC_CLEAR, MQSC_QUEUE, MQQT_LOCAL, "A" },
	{ "dis q(*)", MQSC_DISPLAY, MQSC_QUEUE, MQQT_ALL, "*" },
	{ "disp queue(a*)", MQSC_DISPLAY, MQSC_QUEUE, MQQT_ALL, "A*" },
	{ "dis q(*) type(qlocal)", MQSC_DISPLAY, MQSC_QUEUE, MQQT_LOCAL, "*" },
	{ "dis q(*) qtype(qa)", MQSC_DISPLAY, MQSC_QUEUE, MQQT_ALIAS, "*" },
	{ "dis qs(a)", MQSC_DISPLAY, MQSC_QSTATUS, 0, "A" },
	{ "dis qstatus(a) type(queue)", MQSC_DISPLAY, MQSC_QSTATUS, 0, "A" },
	{ "dis qmgr", MQSC_DISPLAY, MQSC_QMGR, 0, "" },
	{ "dis qmstatus", MQSC_DISPLAY, MQSC_QMSTATUS, 0, "" },
	{ "dis qs(a) type(handle)", MQSC_DISPLAY, MQSC_QSTATUS, 0, "A" },
	{ "dis conn(*)", MQSC_DISPLAY, MQSC_CONN, 0, "*" },
	{ "dis conn(a1)", MQSC_DISPLAY, MQSC_CONN, 0, "A1" },
	{ "stop conn(a1)", MQSC_STOP, MQSC_CONN, 0, "A1" },
	{ "stop conn(a1) extconn(ff) mode(quiesce)", MQSC_STOP, MQSC_CONN, 0,
	  "A1" },
	{ "start conn(a1)", MQSC_START, MQSC_CONN, 0, "A1" },
	{ "dis qc(a*)", MQSC_DISPLAY, MQSC_QUEUE, MQQT_CLUSTER, "A*" },
	{ "dis q(*) type(qc)", MQSC_DISPLAY, MQSC_QUEUE, MQQT_CLUSTER, "*" },
	{ "def process(a)", MQSC_DEFINE, MQSC_PROCESS, 0, "A" },
	{ "alt pro(a)", MQSC_ALTER, MQSC_PROCESS, 0, "A" },
	{ "def nl(a)", MQSC_DEFINE, MQSC_NAMELIST, 0, "A" },
	{ "delete namelist(a)", MQSC_DELETE, MQSC_NAMELIST, 0, "A" },
	{ "dis nl(a*)", MQSC_DISPLAY, MQSC_NAMELIST, 0, "A*" },
	{ "ping qmgr", MQSC_PING, MQSC_QMGR, 0, "" },
	{ "end", MQSC_END_INPUT, MQSC_QUEUE, 0, "" },
	{ "dis q('./_%*')", MQSC_DISPLAY, MQSC_QUEUE, MQQT_ALL, "./_%*" },
};

static void test_verb(const struct verb_case *c)
{
	enum mqsc_parsed parsed = parse(c->text);

	check(parsed == MQSC_VALID && command.verb == c->verb &&
	      command.object == c->object && command.q_type == c->q_type &&
	      !strcmp(command.name, c->name), "command: %s", c->text);
}

struct wrong_case {
	const char *text;
	enum mqsc_parsed parsed;
	int column;
};

static const struct wrong_case wrong_cases[] = {
	{ "", MQSC_EMPTY, 0 },
	{ "; only a comment", MQSC_EMPTY, 0 },
	{ "DE QL(A)", MQSC_SYNTAX_ERROR, 1 },
	{ "FROB QL(A)", MQSC_SYNTAX_ERROR, 1 },
	{ "(A)", MQSC_SYNTAX_ERROR, 1 },
	{ "RESET CHANNEL(A)", MQSC_UNSUPPORTED, 1 },
	{ "START CHANNEL(A)", MQSC_UNSUPPORTED, 7 },
	{ "STOP QL(A)", MQSC_SYNTAX_ERROR, 6 },
	{ "STOP CONN(A) MODE(FORCE)", MQSC_SYNTAX_ERROR, 19 },
	{ "STOP CONN(*)", MQSC_SYNTAX_ERROR, 11 },
	{ "STOP CONN(A) PID", MQSC_SYNTAX_ERROR, 14 },
	{ "DEF CONN(A)", MQSC_SYNTAX_ERROR, 5 },
	{ "CLEAR PROCESS(A)", MQSC_SYNTAX_ERROR, 7 },
	{ "DEL NL(A) PURGE", MQSC_SYNTAX_ERROR, 11 },
	{ "DEF NL(A) NAMES(B C-D)", MQSC_SYNTAX_ERROR, 19 },
	{ "DEF NL(A) NAMES B", MQSC_SYNTAX_ERROR, 17 },
	{ "DEF NL(A) NAMES(B", MQSC_SYNTAX_ERROR, 18 },
	{ "DEF QL(A) NAMES(B)", MQSC_SYNTAX_ERROR, 11 },
	{ "DIS NL(A) WHERE(NAMES EQ B)", MQSC_SYNTAX_ERROR, 26 },
	{ "DIS NL(A) WHERE(DESCR CT B)", MQSC_SYNTAX_ERROR, 26 },
	{ "DEF QC(A)", MQSC_SYNTAX_ERROR, 5 },
	{ "DEL QC(A)", MQSC_SYNTAX_ERROR, 5 },
	{ "DIS CONN(*) CURDEPTH", MQSC_SYNTAX_ERROR, 13 },
	{ "DIS CONN(*) TYPE(QUEUE)", MQSC_SYNTAX_ERROR, 18 },
	{ "DIS CONN(*) OBJNAME", MQSC_SYNTAX_ERROR, 13 },
	{ "DIS CONN(*) TYPE(HANDLE) UOWSTATE", MQSC_SYNTAX_ERROR, 26 },
	{ "DIS QS(A) TYPE(ALL)", MQSC_SYNTAX_ERROR, 16 },
	{ "DIS QS(A) TYPE(HANDLE) CURDEPTH", MQSC_SYNTAX_ERROR, 24 },
	{ "DEF CHANNEL(A)", MQSC_UNSUPPORTED, 5 },
	{ "DEF FROB(A)", MQSC_SYNTAX_ERROR, 5 },
	{ "DEF", MQSC_SYNTAX_ERROR, 4 },
	{ "DEF QL", MQSC_SYNTAX_ERROR, 7 },
	{ "DEF QL()", MQSC_SYNTAX_ERROR, 8 },
	{ "DEF QL(A", MQSC_SYNTAX_ERROR, 9 },
	{ "DEF QL(A B)", MQSC_SYNTAX_ERROR, 10 },
	{ "DEF QL(A-B)", MQSC_SYNTAX_ERROR, 8 },
	{ "DEF QL(A*)", MQSC_SYNTAX_ERROR, 8 },
	{ "DEF QL(' ')", MQSC_SYNTAX_ERROR, 8 },
	{ "DIS Q(A*B)", MQSC_SYNTAX_ERROR, 7 },
	{ "DEF QUEUE(A)", MQSC_SYNTAX_ERROR, 5 },
	{ "DEF QMGR", MQSC_SYNTAX_ERROR, 5 },
	{ "CLEAR QA(A)", MQSC_SYNTAX_ERROR, 7 },
	{ "DELETE QMGR", MQSC_SYNTAX_ERROR, 8 },
	{ "PING QUEUE(A)", MQSC_SYNTAX_ERROR, 6 },
	{ "END NOW", MQSC_SYNTAX_ERROR, 5 },
	{ "CLEAR QL(A) PURGE", MQSC_SYNTAX_ERROR, 13 },
	{ "DEF QL(A) MAXDEPTH", MQSC_SYNTAX_ERROR, 19 },
	{ "DEF QL(A) MAXDEPTH(X)", MQSC_SYNTAX_ERROR, 20 },
	{ "DEF QL(A) MAXDEPTH(1 2)", MQSC_SYNTAX_ERROR, 22 },
	{ "DEF QL(A) MAXDEPTH(99999999999)", MQSC_SYNTAX_ERROR, 20 },
	{ "DEF QL(A) CURDEPTH(1)", MQSC_SYNTAX_ERROR, 11 },
	{ "DEF QL(A) FROB(1)", MQSC_SYNTAX_ERROR, 11 },
	{ "DEF QL(A) QDP(1)", MQSC_SYNTAX_ERROR, 11 },
	{ "DEF QL(A) TARGET(B)", MQSC_SYNTAX_ERROR, 11 },
	{ "DEF QL(A) SHARE(YES)", MQSC_SYNTAX_ERROR, 16 },
	{ "DEF QL(A) GET(MAYBE)", MQSC_SYNTAX_ERROR, 15 },
	{ "DEF QL(A) MODE(888)", MQSC_SYNTAX_ERROR, 16 },
	{ "DEF QL(A) OWNER(no-such-user)", MQSC_SYNTAX_ERROR, 17 },
	{ "DEF QL(A) INITQ(A-B)", MQSC_SYNTAX_ERROR, 17 },
	{ "DIS Q(A) REPLACE", MQSC_SYNTAX_ERROR, 10 },
	{ "DIS Q(A) TYPE(FROB)", MQSC_SYNTAX_ERROR, 15 },
	{ "DIS Q(A) WHERE(CURDEPTH)", MQSC_SYNTAX_ERROR, 24 },
	{ "DIS Q(A) WHERE(CURDEPTH XX 1)", MQSC_SYNTAX_ERROR, 25 },
	{ "DIS Q(A) WHERE(CURDEPTH GT X)", MQSC_SYNTAX_ERROR, 28 },
	{ "DIS Q(A) WHERE(CURDEPTH LK 1)", MQSC_SYNTAX_ERROR, 28 },
	{ "DIS Q(A) WHERE(USAGE GT NORMAL)", MQSC_SYNTAX_ERROR, 25 },
	{ "DIS Q(A) WHERE(GET EQ ENABLED) WHERE(PUT EQ ENABLED)",
	  MQSC_SYNTAX_ERROR, 32 },
};

static void test_wrong(const struct wrong_case *c)
{
	enum mqsc_parsed parsed = parse(c->text);
	bool column = !c->column || fault.column == c->column;

	check(parsed == c->parsed && column, "wrong: %s", c->text);
	if (!column)
		printf("# column %d: %s\n", fault.column, fault.text);
}

static void test_name_length(void)
{
	char text[128];

	snprintf(text, sizeof(text), "DEF QL(%048d)", 0);
	check(parse(text) == MQSC_VALID && strlen(command.name) == 48,
	      "name: 48 characters");
	snprintf(text, sizeof(text), "DEF QL(%049d)", 0);
	check(parse(text) == MQSC_SYNTAX_ERROR, "name: 49 characters");
}

/* --- values ----------------------------------------------------------------- */

struct number_case {
	const char *setting;
	const char *name;
	int32_t selector;
	int64_t number;
};

static const struct number_case number_cases[] = {
	{ "MAXDEPTH(17)", "MAXDEPTH", MQIA_MAX_Q_DEPTH, 17 },
	{ "maxd(17)", "MAXDEPTH", MQIA_MAX_Q_DEPTH, 17 },
	{ "MAXDEPTH(1) MAXDEPTH(2)", "MAXDEPTH", MQIA_MAX_Q_DEPTH, 2 },
	{ "GET(DISABLED)", "GET", MQIA_INHIBIT_GET, MQQA_GET_INHIBITED },
	{ "put(enabled)", "PUT", MQIA_INHIBIT_PUT, MQQA_PUT_ALLOWED },
	{ "SHARE", "SHARE", MQIA_SHAREABILITY, MQQA_SHAREABLE },
	{ "NOSHARE", "SHARE", MQIA_SHAREABILITY, MQQA_NOT_SHAREABLE },
	{ "TRIGGER", "TRIGGER", MQIA_TRIGGER_CONTROL, MQTC_ON },
	{ "NOTRIGGER", "TRIGGER", MQIA_TRIGGER_CONTROL, MQTC_OFF },
	{ "HARDENBO", "HARDENBO", MQIA_HARDEN_GET_BACKOUT, 1 },
	{ "CAPEXPRY(NOLIMIT)", "CAPEXPRY", MQIA_CAP_EXPIRY, -1 },
	{ "CAPEXPRY(50)", "CAPEXPRY", MQIA_CAP_EXPIRY, 50 },
	{ "MSGDLVSQ(FIFO)", "MSGDLVSQ", MQIA_MSG_DELIVERY_SEQUENCE,
	  MQMDS_FIFO },
	{ "DEFSOPT(EXCL)", "DEFSOPT", MQIA_DEF_INPUT_OPEN_OPTION,
	  MQOO_INPUT_EXCLUSIVE },
	{ "DEFBIND(NOTFIXED)", "DEFBIND", MQIA_DEF_BIND,
	  MQBND_BIND_NOT_FIXED },
	{ "PROPCTL(FORCE)", "PROPCTL", MQIA_PROPERTY_CONTROL,
	  MQPROP_FORCE_MQRFH2 },
	{ "MONQ(QMGR)", "MONQ", MQIA_MONITORING_Q, MQMON_Q_MGR },
	{ "USAGE(XMITQ)", "USAGE", MQIA_USAGE, MQUS_TRANSMISSION },
	{ "MODE(640)", "MODE", KMQ_ATTR_MODE, 0640 },
	{ "OWNER(root)", "OWNER", KMQ_ATTR_UID, 0 },
	{ "OWNER(1234)", "OWNER", KMQ_ATTR_UID, 1234 },
	{ "GROUP(root)", "GROUP", KMQ_ATTR_GID, 0 },
};

static void test_number(const struct number_case *c)
{
	const struct mqsc_param *found;
	char text[128];

	snprintf(text, sizeof(text), "DEF QL(A) %s", c->setting);
	found = parse(text) == MQSC_VALID ? param(c->name) : NULL;
	check(found && found->attr->selector == c->selector &&
	      found->value.number == c->number, "value: %s", c->setting);
}

struct text_case {
	const char *setting;
	const char *name;
	const char *text;
};

static const struct text_case text_cases[] = {
	{ "DESCR('a Text')", "DESCR", "a Text" },
	{ "DESCR(word)", "DESCR", "WORD" },
	{ "DESCR(' ')", "DESCR", "" },
	{ "DESCR('')", "DESCR", "" },
	{ "INITQ(a.b)", "INITQ", "A.B" },
	{ "INITQ('a.b')", "INITQ", "a.b" },
	{ "INITQ(' ')", "INITQ", "" },
	{ "TRIGDATA('it''s')", "TRIGDATA", "it's" },
};

static void test_text(const struct text_case *c)
{
	const struct mqsc_param *found;
	char text[128];

	snprintf(text, sizeof(text), "DEF QL(A) %s", c->setting);
	found = parse(text) == MQSC_VALID ? param(c->name) : NULL;
	check(found && !strcmp(found->value.text, c->text), "value: %s",
	      c->setting);
}

/* What DISPLAY writes, DEFINE must read back as the same value. */
static void test_round_trip(const char *setting)
{
	const struct mqsc_param *first, *second;
	char text[512], written[512];
	int64_t number;
	char words[ATTR_TEXT_MAX + 1];

	snprintf(text, sizeof(text), "DEF QL(A) %s", setting);
	if (parse(text) != MQSC_VALID || command.param_count != 1) {
		check(false, "written: %s", setting);
		return;
	}
	first = &command.param[0];
	number = first->value.number;
	strcpy(words, first->value.text);
	attr_format(first->attr, &first->value, written, sizeof(written));
	snprintf(text, sizeof(text), "DEF QL(A) %.400s", written);
	parse(text);
	second = &command.param[0];
	check(command.param_count == 1 && second->value.number == number &&
	      !strcmp(second->value.text, words), "written: %s as %s", setting,
	      written);
}

static void test_table(void)
{
	bool lengths = true, names = true;
	size_t i, k;

	for (i = 0; i < attr_count; i++) {
		const struct attr *attr = &attr_table[i];

		if (attr_is_text(attr) &&
		    (!attr->length || attr->length > ATTR_TEXT_MAX))
			lengths = false;
		for (k = 0; k < i; k++)
			if (!strcmp(attr->name, attr_table[k].name) &&
			    (attr->on & attr_table[k].on))
				names = false;
	}
	check(lengths, "table: lengths of texts");
	check(names, "table: no keyword twice for one kind of object");
}

static void test_options(void)
{
	check(parse("DEF QL(A) LIKE(b) REPLACE") == MQSC_VALID &&
	      command.replace && !strcmp(command.like, "B"),
	      "options: LIKE and REPLACE");
	check(parse("DEF QL(A) REPLACE NOREPLACE") == MQSC_VALID &&
	      !command.replace, "options: NOREPLACE");
	check(parse("DEL QL(A) PURGE IGNSTATE(YES)") == MQSC_VALID &&
	      command.purge && command.ignore_missing,
	      "options: PURGE and IGNSTATE");
	check(parse("ALTER QL(A) FORCE PUT(DISABLED)") == MQSC_VALID &&
	      command.param_count == 1, "options: FORCE");
	check(parse("DIS Q(A) ALL") == MQSC_VALID && command.all,
	      "options: ALL");
	check(parse("DIS Q(A) CURDEPTH MAXDEPTH TYPE") == MQSC_VALID &&
	      command.param_count == 3 && param("TYPE"),
	      "options: attributes asked for");
	check(parse("DIS Q(A*) WHERE(CURDEPTH GT 3) CURDEPTH") == MQSC_VALID &&
	      command.filter.operator == MQSC_GT &&
	      command.filter.value.number == 3 && command.param_count == 1,
	      "options: WHERE with a number");
	check(parse("DIS Q(*) WHERE(DESCR LK 'ab*')") == MQSC_VALID &&
	      command.filter.operator == MQSC_LIKE &&
	      !strcmp(command.filter.value.text, "ab*"),
	      "options: WHERE with a pattern");
	check(parse("DIS QS(*) APPLTAG TYPE(HANDLE) PID") == MQSC_VALID &&
	      command.listing == MQSC_LIST_HANDLES && command.param_count == 2,
	      "options: TYPE behind an attribute that it allows");
	check(parse("DIS CONN(*) WHERE(PID GT 1) TYPE(ALL) OBJNAME") ==
	      MQSC_VALID && command.listing == MQSC_LIST_BOTH &&
	      command.filter.value.number == 1, "options: TYPE(ALL)");
	check(parse("DIS QS(*) TYPE") == MQSC_VALID &&
	      command.listing == MQSC_LIST_SELF && param("TYPE"),
	      "options: TYPE asked for");
	check(parse("DEL QL(A) AUTHREC(NO)") == MQSC_VALID && !command.purge,
	      "options: AUTHREC");
	check(parse("DIS Q(*) WHERE(PUT EQ DISABLED)") == MQSC_VALID &&
	      command.filter.value.number == MQQA_PUT_INHIBITED,
	      "options: WHERE with a word");
}

static void test_names(void)
{
	static char text[MQSC_COMMAND_MAX];
	const struct mqsc_param *names;
	size_t used, i;

	check(parse("DEF NL(A) NAMES(b, 'c' D)") == MQSC_VALID &&
	      (names = param("NAMES")) && names->value.number == 3 &&
	      !memcmp(names->value.names, "B  ", 3) &&
	      !memcmp(names->value.names + ATTR_NAME_LEN, "c  ", 3) &&
	      !memcmp(names->value.names + 2 * ATTR_NAME_LEN, "D  ", 3),
	      "names: three");
	check(parse("DEF NL(A) NAMES()") == MQSC_VALID &&
	      !param("NAMES")->value.number, "names: none");
	check(parse("DEF NL(A) NAMES(' ')") == MQSC_VALID &&
	      !param("NAMES")->value.number, "names: a blank");
	for (i = 0; i < 2; i++) {
		size_t n;

		used = sprintf(text, "DEF NL(A) NAMES(");
		for (n = 0; n < ATTR_NAMES_MAX + i; n++)
			used += sprintf(text + used, "%.48zu ", n);
		sprintf(text + used, ")");
		if (i)
			check(parse(text) == MQSC_SYNTAX_ERROR,
			      "names: one too many");
		else
			check(parse(text) == MQSC_VALID &&
			      param("NAMES")->value.number == ATTR_NAMES_MAX,
			      "names: as many as fit");
	}
}

static void test_matches(void)
{
	check(mqsc_name_matches("*", "") && mqsc_name_matches("A*", "A") &&
	      mqsc_name_matches("A*", "AB") && !mqsc_name_matches("A*", "B") &&
	      mqsc_name_matches("A", "A") && !mqsc_name_matches("A", "AB"),
	      "names that fit a pattern");
}

#define EACH(cases, test) do { \
	size_t n; \
	for (n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) \
		test(&cases[n]); \
} while (0)

int main(void)
{
	size_t i;

	EACH(join_cases, test_join);
	test_join_too_long();
	EACH(lex_cases, test_lex);
	test_lex_limits();
	EACH(verb_cases, test_verb);
	EACH(wrong_cases, test_wrong);
	test_name_length();
	EACH(number_cases, test_number);
	EACH(text_cases, test_text);
	for (i = 0; i < sizeof(number_cases) / sizeof(number_cases[0]); i++)
		if (!strchr(number_cases[i].setting, ' '))
			test_round_trip(number_cases[i].setting);
	for (i = 0; i < sizeof(text_cases) / sizeof(text_cases[0]); i++)
		test_round_trip(text_cases[i].setting);
	test_table();
	test_options();
	test_names();
	test_matches();
	printf("1..%u\n", tests);
	return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
