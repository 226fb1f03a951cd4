/* SPDX-License-Identifier: MIT */
/*
 * Attributes that IBM MQ's MQSC has and kmq has no use for: scripts written for
 * it name them.
 */
#ifndef KMQ_TOOL_ATTRS_FOREIGN_H
#define KMQ_TOOL_ATTRS_FOREIGN_H

/* The keyword as it is written, or NULL; @on as in attr_find(). */
const char *foreign_attr_find(const char *word, unsigned int on);

#endif
