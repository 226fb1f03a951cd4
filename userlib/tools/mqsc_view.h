/* SPDX-License-Identifier: MIT */
/*
 * The attributes of one object that DISPLAY tests and shows.
 */
#ifndef KMQ_TOOL_MQSC_VIEW_H
#define KMQ_TOOL_MQSC_VIEW_H

#include "admin.h"
#include "mqsc_parse.h"

#define VIEW_ATTRS_MAX	128

#define VIEW_DATE	"%Y-%m-%d"
#define VIEW_TIME	"%H.%M.%S"

struct view {
	struct admin_attr attr[VIEW_ATTRS_MAX];
	size_t count;
};

/* The attributes out of @on (ATTR_ON_*) that the command asks for. */
void view_choose(struct view *view, const struct mqsc_command *command,
		 unsigned int on);

/* Does the object meet the condition of WHERE? */
bool view_is_wanted(const struct view *view, const struct mqsc_filter *filter);

/* In two columns. */
void view_show(const struct view *view);

/* Behind a line @answer, with KEYWORD(NAME) first, and there only. */
void view_show_object(const struct view *view, const char *answer,
		      const char *keyword, const char *name);

/* Date or time of CLOCK_REALTIME nanoseconds; blank if there are none. */
void view_stamp(struct attr_value *value, __u64 nanoseconds,
		const char *format);

#endif
