/* SPDX-License-Identifier: MIT */
/*
 * The descriptor field by field in the order of the structure, and the data
 * sixteen bytes a line.
 */
#include "dump.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../src/mqstr_table.h"
#include "tool.h"

#define LINE_BYTES 16

static void dump_name(const char *field)
{
	printf("  %-16s : ", field);
}

static void dump_number(const char *field, MQLONG value)
{
	dump_name(field);
	printf("%d\n", (int)value);
}

/* The number and its name, where it has one. */
static void dump_constant(const char *field, const char *prefix, MQLONG value)
{
	const char *name = kmq_str_name(prefix, value);

	dump_name(field);
	if (name)
		printf("%d (%s)\n", (int)value, name);
	else
		printf("%d\n", (int)value);
}

static void dump_flags(const char *field, MQLONG value)
{
	dump_name(field);
	printf("%d (0x%08X)\n", (int)value, (unsigned int)value);
}

static void dump_text(const char *field, const char *text, size_t size)
{
	size_t i;

	dump_name(field);
	putchar('\'');
	for (i = 0; i < size; i++)
		putchar(isprint((unsigned char)text[i]) ? text[i] : '.');
	puts("'");
}

static void dump_bytes(const char *field, const MQBYTE *bytes, size_t size)
{
	dump_name(field);
	tool_print_hex(bytes, size);
	putchar('\n');
}

#define TEXT(field)	dump_text(#field, md->field, sizeof(md->field))
#define BYTES(field)	dump_bytes(#field, md->field, sizeof(md->field))

static void dump_context(const MQMD *md)
{
	puts("  identity of the sender");
	TEXT(UserIdentifier);
	BYTES(AccountingToken);
	TEXT(ApplIdentityData);
	puts("  origin of the message");
	dump_constant("PutApplType", "MQAT_", md->PutApplType);
	TEXT(PutApplName);
	TEXT(PutDate);
	TEXT(PutTime);
	TEXT(ApplOriginData);
}

void dump_descriptor(const MQMD *md)
{
	TEXT(StrucId);
	dump_number("Version", md->Version);
	dump_flags("Report", md->Report);
	dump_constant("MsgType", "MQMT_", md->MsgType);
	dump_number("Expiry", md->Expiry);
	dump_constant("Feedback", "MQFB_", md->Feedback);
	dump_flags("Encoding", md->Encoding);
	dump_number("CodedCharSetId", md->CodedCharSetId);
	TEXT(Format);
	dump_number("Priority", md->Priority);
	dump_constant("Persistence", "MQPER_", md->Persistence);
	BYTES(MsgId);
	BYTES(CorrelId);
	dump_number("BackoutCount", md->BackoutCount);
	TEXT(ReplyToQ);
	TEXT(ReplyToQMgr);
	dump_context(md);
	BYTES(GroupId);
	dump_number("MsgSeqNumber", md->MsgSeqNumber);
	dump_number("Offset", md->Offset);
	dump_flags("MsgFlags", md->MsgFlags);
	dump_number("OriginalLength", md->OriginalLength);
}

static void dump_line(const unsigned char *line, size_t at, size_t length)
{
	size_t i;

	printf("%08zX: ", at);
	for (i = 0; i < LINE_BYTES; i++) {
		if (i < length)
			printf("%02X", line[i]);
		else
			fputs("  ", stdout);
		if (i % 2)
			putchar(' ');
	}
	putchar('\'');
	for (i = 0; i < length; i++)
		putchar(isprint(line[i]) ? line[i] : '.');
	puts("'");
}

void dump_data(const void *data, size_t length)
{
	const unsigned char *bytes = data;
	size_t at;

	for (at = 0; at < length; at += LINE_BYTES)
		dump_line(bytes + at, at, length - at < LINE_BYTES ?
			  length - at : LINE_BYTES);
}
