/* SPDX-License-Identifier: MIT */
/*
 * What DISPLAY shows of one object: which attributes, whether WHERE lets it
 * through, in two columns.
 */
#include "mqsc_view.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define COLUMN_WIDTH	40

static bool is_asked_for(const struct mqsc_command *command,
			 const struct attr *attr)
{
	size_t i;

	for (i = 0; i < command->param_count; i++)
		if (!strcmp(command->param[i].attr->name, attr->name))
			return true;
	return command->filter.attr &&
	       !strcmp(command->filter.attr->name, attr->name);
}

/*
 * Everything is shown of an object that is named; of a pattern only names and
 * types, unless more is asked for.
 */
static bool shows_all(const struct mqsc_command *command)
{
	return command->all ||
	       (!command->param_count && !mqsc_is_generic(command) &&
		!command->filter.attr);
}

void view_choose(struct view *view, const struct mqsc_command *command,
		 unsigned int on)
{
	bool all = shows_all(command);
	size_t i;

	memset(view, 0, sizeof(*view));
	for (i = 0; i < attr_count && view->count < VIEW_ATTRS_MAX; i++) {
		const struct attr *attr = &attr_table[i];
		bool always = !strcmp(attr->name, "TYPE") ||
			      !strcmp(attr->name, "QMNAME") ||
			      !strcmp(attr->name, "EXTCONN");

		if ((attr->on & on) &&
		    (all || always || is_asked_for(command, attr)))
			view->attr[view->count++].attr = attr;
	}
}

/* @at is the length of a first column that waits for its second one. */
static void show_item(const char *item, size_t *at)
{
	size_t length = strlen(item);

	if (*at && length < COLUMN_WIDTH) {
		printf("%*s%s\n", (int)(COLUMN_WIDTH - *at), "", item);
		*at = 0;
		return;
	}
	if (*at)
		putchar('\n');
	printf("   %s", item);
	*at = length < COLUMN_WIDTH ? length : 0;
	if (!*at)
		putchar('\n');
}

/* @keyword stands first already, as @first. */
static void show_items(const struct view *view, const char *keyword,
		       const char *first)
{
	static char item[ATTR_FORMAT_MAX];
	size_t at = 0;
	size_t i;

	if (first)
		show_item(first, &at);
	for (i = 0; i < view->count; i++) {
		const struct admin_attr *attr = &view->attr[i];

		if (!attr->applies || !strcmp(attr->attr->name, keyword))
			continue;
		attr_format(attr->attr, &attr->value, item, sizeof(item));
		show_item(item, &at);
	}
	if (at)
		putchar('\n');
}

void view_show(const struct view *view)
{
	show_items(view, "", NULL);
}

static int compare_values(const struct attr *attr, const struct attr_value *a,
			  const struct attr_value *b)
{
	if (attr_is_text(attr))
		return strcmp(a->text, b->text);
	return (a->number > b->number) - (a->number < b->number);
}

/* Is the name, or a name that fits the pattern, in the list? */
static bool has_name(const struct attr_value *list, const char *pattern)
{
	char name[ADMIN_NAME_MAX + 1];
	int64_t i;

	for (i = 0; i < list->number; i++) {
		admin_name_from_field(name, list->names + i * ATTR_NAME_LEN);
		if (mqsc_name_matches(pattern, name))
			return true;
	}
	return false;
}

static bool filter_accepts(const struct mqsc_filter *filter,
			   const struct admin_attr *attr)
{
	int order = compare_values(attr->attr, &attr->value, &filter->value);
	bool fits = mqsc_name_matches(filter->value.text, attr->value.text);

	switch (filter->operator) {
	case MQSC_LT:
		return order < 0;
	case MQSC_GT:
		return order > 0;
	case MQSC_EQ:
		return !order;
	case MQSC_NE:
		return order;
	case MQSC_LE:
		return order <= 0;
	case MQSC_GE:
		return order >= 0;
	case MQSC_LIKE:
		return fits;
	case MQSC_CONTAINS:
		return has_name(&attr->value, filter->value.text);
	case MQSC_EXCLUDES:
		return !has_name(&attr->value, filter->value.text);
	default:
		return !fits;
	}
}

bool view_is_wanted(const struct view *view, const struct mqsc_filter *filter)
{
	size_t i;

	if (!filter->attr)
		return true;
	for (i = 0; i < view->count; i++)
		if (!strcmp(view->attr[i].attr->name, filter->attr->name))
			return view->attr[i].applies &&
			       filter_accepts(filter, &view->attr[i]);
	return false;
}

void view_show_object(const struct view *view, const char *answer,
		      const char *keyword, const char *name)
{
	char first[80];

	attr_format_text(keyword, name, first, sizeof(first));
	printf("%s\n", answer);
	show_items(view, keyword, first);
}

void view_stamp(struct attr_value *value, __u64 nanoseconds, const char *format)
{
	time_t seconds = nanoseconds / 1000000000;
	struct tm when;

	if (nanoseconds && localtime_r(&seconds, &when))
		strftime(value->text, sizeof(value->text), format, &when);
}
