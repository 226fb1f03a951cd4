/* SPDX-License-Identifier: MIT */
/*
 * The words of MQSC besides attributes: commands, kinds of objects, operators.
 */
#include "mqsc_words.h"

#include <string.h>
#include <strings.h>

#include "cmqc.h"
#include "mqsc_parse.h"

const struct mqsc_keyword mqsc_verbs[] = {
	{ "ALTER", NULL, MQSC_ALTER, 0 },
	{ "CLEAR", NULL, MQSC_CLEAR, 0 },
	{ "DEFINE", NULL, MQSC_DEFINE, 0 },
	{ "DELETE", NULL, MQSC_DELETE, 0 },
	{ "DISPLAY", NULL, MQSC_DISPLAY, 0 },
	{ "END", "QUIT", MQSC_END_INPUT, 0 },
	{ "PING", NULL, MQSC_PING, 0 },
	{ "START", NULL, MQSC_START, 0 },
	{ "STOP", NULL, MQSC_STOP, 0 },
	{ NULL, NULL, 0, 0 },
};

const struct mqsc_keyword mqsc_objects[] = {
	{ "QLOCAL", "QL", MQSC_QUEUE, MQQT_LOCAL },
	{ "QALIAS", "QA", MQSC_QUEUE, MQQT_ALIAS },
	{ "QREMOTE", "QR", MQSC_QUEUE, MQQT_REMOTE },
	{ "QMODEL", "QM", MQSC_QUEUE, MQQT_MODEL },
	{ "QCLUSTER", "QC", MQSC_QUEUE, MQQT_CLUSTER },
	{ "QUEUE", "Q", MQSC_QUEUE, MQQT_ALL },
	{ "QMGR", NULL, MQSC_QMGR, 0 },
	{ "QSTATUS", "QS", MQSC_QSTATUS, 0 },
	{ "QMSTATUS", NULL, MQSC_QMSTATUS, 0 },
	{ "CONN", NULL, MQSC_CONN, 0 },
	{ "PROCESS", NULL, MQSC_PROCESS, 0 },
	{ "NAMELIST", "NL", MQSC_NAMELIST, 0 },
	{ NULL, NULL, 0, 0 },
};

const struct mqsc_keyword mqsc_operators[] = {
	{ "LT", NULL, MQSC_LT, 0 },
	{ "GT", NULL, MQSC_GT, 0 },
	{ "EQ", NULL, MQSC_EQ, 0 },
	{ "NE", NULL, MQSC_NE, 0 },
	{ "LE", NULL, MQSC_LE, 0 },
	{ "GE", NULL, MQSC_GE, 0 },
	{ "LK", NULL, MQSC_LIKE, 0 },
	{ "NL", NULL, MQSC_UNLIKE, 0 },
	{ "CT", NULL, MQSC_CONTAINS, 0 },
	{ "EX", NULL, MQSC_EXCLUDES, 0 },
	{ NULL, NULL, 0, 0 },
};

/* Verbs and objects of MQSC that exist, but have no counterpart here. */
static const char * const foreign_verbs[] = {
	"ARCHIVE", "BACKUP", "MOVE", "PURGE", "RECOVER", "REFRESH", "RESET",
	"RESOLVE", "RESUME", "RVERIFY", "SET", "SUSPEND", NULL,
};

static const char * const foreign_objects[] = {
	"APSTATUS", "AUTHINFO", "AUTHREC", "AUTHSERV", "CHANNEL", "CHINIT",
	"CHLAUTH", "CHS", "CHSTATUS", "CLUSQMGR", "CMDSERV", "COMMINFO",
	"ENTAUTH", "LISTENER", "LSSTATUS", "POLICY",
	"PUBSUB", "SBSTATUS", "SECURITY", "SERVICE", "STGCLASS",
	"SUB", "SVSTATUS", "TCLUSTER", "TOPIC", "TPSTATUS", "TRACE", "LOG",
	NULL,
};

static bool is_listed(const char *word, const char * const *list)
{
	for (; *list; list++)
		if (!strcasecmp(word, *list))
			return true;
	return false;
}

const struct mqsc_keyword *mqsc_keyword_find(const struct mqsc_keyword *table,
					     const char *word)
{
	const struct mqsc_keyword *found = NULL;
	const struct mqsc_keyword *key;
	size_t length = strlen(word);

	for (key = table; key->word; key++) {
		if (!strcasecmp(word, key->word) ||
		    (key->synonym && !strcasecmp(word, key->synonym)))
			return key;
		if (length >= 3 && !strncasecmp(word, key->word, length)) {
			if (found)
				return NULL;
			found = key;
		}
	}
	return found;
}

bool mqsc_is_foreign_verb(const char *word)
{
	return is_listed(word, foreign_verbs);
}

bool mqsc_is_foreign_object(const char *word)
{
	return is_listed(word, foreign_objects);
}

int mqsc_object_type(const struct mqsc_command *command)
{
	switch (command->object) {
	case MQSC_QUEUE:
		return MQOT_Q;
	case MQSC_QMGR:
		return MQOT_Q_MGR;
	case MQSC_PROCESS:
		return MQOT_PROCESS;
	case MQSC_NAMELIST:
		return MQOT_NAMELIST;
	default:
		return 0;
	}
}

bool mqsc_name_matches(const char *pattern, const char *name)
{
	size_t length = strlen(pattern);

	if (length && pattern[length - 1] == '*')
		return !strncmp(pattern, name, length - 1);
	return !strcmp(pattern, name);
}

const char *mqsc_q_type_word(int q_type)
{
	const struct mqsc_keyword *key;

	for (key = mqsc_objects; key->word; key++)
		if (key->value == MQSC_QUEUE && key->q_type == q_type)
			return key->word;
	return "QUEUE";
}
