/* SPDX-License-Identifier: MIT */
/*
 * A line on standard error after the error line: what to do about it.
 */
#ifndef KMQ_TOOL_HINT_H
#define KMQ_TOOL_HINT_H

#include <stdbool.h>

/* Is there no node at all? */
bool hint_module_is_missing(void);

/* After an MQI reason or a negative errno of opening the node at @path. */
void hint_after(int result, const char *path);

/* The same for the node where one connects, and for that of a queue. */
void hint_after_qmgr(int result, const char *qmgr);
void hint_after_queue(int result, const char *qmgr, const char *queue);

#endif
