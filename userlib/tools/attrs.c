/* SPDX-License-Identifier: MIT */
/*
 * How attribute values are looked up, read and written. The table itself is
 * in attr_table.c.
 */
#include "attrs.h"

#include <ctype.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmqc.h"
#include "linux/kmq.h"

#define ABBREVIATION_MIN 3

static bool is_no_form(const struct attr *attr, const char *word)
{
	return attr->kind == ATTR_SWITCH && !strncasecmp(word, "NO", 2) &&
	       !strcasecmp(word + 2, attr->name);
}

static bool matches_whole(const struct attr *attr, const char *word)
{
	return !strcasecmp(word, attr->name) || is_no_form(attr, word) ||
	       (attr->synonym && !strcasecmp(word, attr->synonym));
}

const struct attr *attr_find(const char *word, unsigned int on, bool *negated)
{
	const struct attr *found = NULL;
	size_t length = strlen(word);
	size_t i;

	*negated = false;
	for (i = 0; i < attr_count; i++) {
		const struct attr *attr = &attr_table[i];

		if ((attr->on & on) && matches_whole(attr, word)) {
			*negated = is_no_form(attr, word);
			return attr;
		}
	}
	if (length < ABBREVIATION_MIN)
		return NULL;
	for (i = 0; i < attr_count; i++) {
		const struct attr *attr = &attr_table[i];

		if (!(attr->on & on) || strncasecmp(word, attr->name, length))
			continue;
		if (found)
			return NULL;
		found = attr;
	}
	return found;
}

bool attr_is_text(const struct attr *attr)
{
	return attr->kind == ATTR_TEXT || attr->kind == ATTR_NAME ||
	       attr->kind == ATTR_LIST;
}

bool attr_is_number(const struct attr *attr)
{
	return !attr_is_text(attr);
}

bool attr_is_node(const struct attr *attr)
{
	return attr->selector >= KMQ_ATTR_UID && attr->selector <= KMQ_ATTR_MODE;
}

unsigned int attr_on_q_type(int32_t q_type)
{
	switch (q_type) {
	case MQQT_LOCAL:
		return ATTR_ON_LOCAL;
	case MQQT_MODEL:
		return ATTR_ON_MODEL;
	case MQQT_ALIAS:
		return ATTR_ON_ALIAS;
	case MQQT_REMOTE:
		return ATTR_ON_REMOTE;
	default:
		return 0;
	}
}

static bool parse_word(const struct attr *attr, const char *word,
		       struct attr_value *value)
{
	const struct attr_word *known;

	for (known = attr->words; known && known->text; known++) {
		if (!strcasecmp(known->text, word)) {
			value->number = known->value;
			return true;
		}
	}
	return false;
}

static bool parse_number(const char *word, int base, int64_t least,
			 int64_t most, int64_t *number)
{
	char *end;

	if (!*word || isspace((unsigned char)*word))
		return false;
	errno = 0;
	*number = strtoll(word, &end, base);
	return !errno && !*end && *number >= least && *number <= most;
}

static bool parse_user(const char *word, int64_t *number)
{
	const struct passwd *user = getpwnam(word);

	if (user)
		*number = user->pw_uid;
	return user || parse_number(word, 10, 0, UINT32_MAX - 1, number);
}

static bool parse_group(const char *word, int64_t *number)
{
	const struct group *group = getgrnam(word);

	if (group)
		*number = group->gr_gid;
	return group || parse_number(word, 10, 0, UINT32_MAX - 1, number);
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '.' || c == '/' || c == '_' ||
	       c == '%';
}

static bool parse_text(const struct attr *attr, const char *word, bool quoted,
		       struct attr_value *value, const char **why)
{
	size_t length = strlen(word);
	size_t i;

	while (length && word[length - 1] == ' ')
		length--;
	if (length > attr->length) {
		*why = "the text is too long";
		return false;
	}
	for (i = 0; i < length; i++) {
		if (attr->kind == ATTR_NAME && !is_name_char(word[i])) {
			*why = "not a valid name";
			return false;
		}
		value->text[i] = quoted ? word[i] :
				 toupper((unsigned char)word[i]);
	}
	value->text[length] = '\0';
	return true;
}

bool attr_parse(const struct attr *attr, const char *word, bool quoted,
		struct attr_value *value, const char **why)
{
	memset(value, 0, sizeof(*value));
	switch (attr->kind) {
	case ATTR_NUMBER:
		*why = "not a valid number";
		return parse_word(attr, word, value) ||
		       parse_number(word, 10, INT32_MIN, INT32_MAX,
				    &value->number);
	case ATTR_WORD:
		*why = "not a word this attribute takes";
		return parse_word(attr, word, value);
	case ATTR_SWITCH:
		*why = "this attribute takes no value";
		return false;
	case ATTR_USER:
		*why = "no such user";
		return parse_user(word, &value->number);
	case ATTR_GROUP:
		*why = "no such group";
		return parse_group(word, &value->number);
	case ATTR_MODE:
		*why = "not an octal mode of 0 to 777";
		return parse_number(word, 8, 0, 0777, &value->number);
	default:
		return parse_text(attr, word, quoted, value, why);
	}
}

int attr_format_text(const char *name, const char *text, char *buffer,
		     size_t size)
{
	char quoted[2 * ATTR_TEXT_MAX + 3];
	size_t n = 0;
	bool plain = true;
	const char *c;

	for (c = text; *c; c++)
		if ((!is_name_char(*c) && *c != '-' && *c != ':') ||
		    islower((unsigned char)*c))
			plain = false;
	if (plain)
		return snprintf(buffer, size, "%s(%s)", name, text);

	quoted[n++] = '\'';
	for (c = text; *c; c++) {
		if (*c == '\'')
			quoted[n++] = '\'';
		quoted[n++] = isprint((unsigned char)*c) || (*c & 0x80) ?
			      *c : '?';
	}
	quoted[n++] = '\'';
	quoted[n] = '\0';
	return snprintf(buffer, size, "%s(%s)", name, quoted);
}

static const char *find_word(const struct attr *attr, int64_t number)
{
	const struct attr_word *known;

	for (known = attr->words; known && known->text; known++)
		if (known->value == number)
			return known->text;
	return NULL;
}

static const char *find_owner(const struct attr *attr, int64_t number)
{
	const struct passwd *user;
	const struct group *group;

	if (attr->kind == ATTR_USER) {
		user = getpwuid(number);
		return user ? user->pw_name : NULL;
	}
	group = getgrgid(number);
	return group ? group->gr_name : NULL;
}

static bool is_plain_char(char c)
{
	return is_name_char(c) && !islower((unsigned char)c);
}

/* The names one after the other, quoted where they would be folded. */
static int format_names(const struct attr *attr, const struct attr_value *value,
			char *buffer, size_t size)
{
	int used = snprintf(buffer, size, "%s(", attr->name);
	int64_t i;

	for (i = 0; i < value->number && used < (int)size; i++) {
		const char *name = value->names + i * ATTR_NAME_LEN;
		int length = ATTR_NAME_LEN, k;
		const char *quote = "";

		while (length && (name[length - 1] == ' ' || !name[length - 1]))
			length--;
		for (k = 0; k < length; k++)
			if (!is_plain_char(name[k]))
				quote = "'";
		used += snprintf(buffer + used, size - used, "%s%s%.*s%s",
				 i ? "," : "", quote, length, name, quote);
	}
	if (!value->number)
		used += snprintf(buffer + used, size - used, " ");
	if (used < (int)size)
		used += snprintf(buffer + used, size - used, ")");
	return used;
}

int attr_format(const struct attr *attr, const struct attr_value *value,
		char *buffer, size_t size)
{
	const char *word;

	switch (attr->kind) {
	case ATTR_NAMES:
		return format_names(attr, value, buffer, size);
	case ATTR_LIST:
		return snprintf(buffer, size, "%s(%s)", attr->name,
				value->text);
	case ATTR_TEXT:
	case ATTR_NAME:
		return attr_format_text(attr->name,
					*value->text ? value->text : " ",
					buffer, size);
	case ATTR_SWITCH:
		return snprintf(buffer, size, "%s%s",
				value->number ? "" : "NO", attr->name);
	case ATTR_MODE:
		return snprintf(buffer, size, "%s(%04llo)", attr->name,
				(unsigned long long)value->number);
	case ATTR_USER:
	case ATTR_GROUP:
		word = find_owner(attr, value->number);
		break;
	default:
		word = find_word(attr, value->number);
	}
	if (word)
		return snprintf(buffer, size, "%s(%s)", attr->name, word);
	return snprintf(buffer, size, "%s(%lld)", attr->name,
			(long long)value->number);
}
