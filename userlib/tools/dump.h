/* SPDX-License-Identifier: MIT */
/*
 * A message in full: every field of the descriptor, then the data in
 * hexadecimal and text.
 */
#ifndef KMQ_TOOL_DUMP_H
#define KMQ_TOOL_DUMP_H

#include "message.h"

void dump_descriptor(const MQMD *md);
void dump_data(const void *data, size_t length);

#endif
