/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * call: defaults of the fields of a call, and their names.
 */
#include <stdio.h>
#include "call.h"

const struct attr call_attrs[] = {
	[A_FIFO] = { "fifo" }, [A_PRI] = { "pri" }, [A_PER] = { "per" },
	[A_DEPTH] = { "depth" }, [A_LEN] = { "len" }, [A_GET] = { "get" },
	[A_PUT] = { "put" }, [A_UNCOM] = { "maxuncom", true },
};

const MQLONG call_defaults[F_COUNT] = {
	[F_VERSION] = 4, [F_MD_VERSION] = 2, [F_LEN] = 10, [F_SEQ] = 1,
	[F_ORIGINAL] = MQOL_UNDEFINED, [F_TYPE] = MQMT_DATAGRAM,
	[F_EXPIRY] = MQEI_UNLIMITED, [F_ENCODING] = MQENC_NATIVE,
	[F_CONTEXT] = -1,
};

static const char *const field_names[F_COUNT] = {
	"h", "conn", "options", "version", "md", "broken", "len", "id",
	"correl", "group", "seq", "offset", "flags", "original", "priority",
	"persistence", "report", "type", "feedback", "expiry", "ccsid",
	"encoding", "reply", "mde", "context", "match", "token", "wait", "attr",
	"value",
};

static const char *const op_names[OP_COUNT] = {
	"open", "close", "put", "get", "put1", "commit", "back", "begin",
	"disc", "alter",
};

struct bit {
	MQLONG value;
	const char *name;
};

#define BIT(prefix, name) { prefix ## name, #name }

static const struct bit get_bits[] = {
	BIT(MQGMO_, WAIT), BIT(MQGMO_, SYNCPOINT), BIT(MQGMO_, NO_SYNCPOINT),
	BIT(MQGMO_, SET_SIGNAL), BIT(MQGMO_, BROWSE_FIRST),
	BIT(MQGMO_, BROWSE_NEXT), BIT(MQGMO_, ACCEPT_TRUNCATED_MSG),
	BIT(MQGMO_, MARK_SKIP_BACKOUT), BIT(MQGMO_, MSG_UNDER_CURSOR),
	BIT(MQGMO_, LOCK), BIT(MQGMO_, UNLOCK),
	BIT(MQGMO_, BROWSE_MSG_UNDER_CURSOR),
	BIT(MQGMO_, SYNCPOINT_IF_PERSISTENT), BIT(MQGMO_, FAIL_IF_QUIESCING),
	BIT(MQGMO_, LOGICAL_ORDER), BIT(MQGMO_, COMPLETE_MSG),
	BIT(MQGMO_, ALL_MSGS_AVAILABLE), BIT(MQGMO_, ALL_SEGMENTS_AVAILABLE),
	BIT(MQGMO_, MARK_BROWSE_HANDLE), BIT(MQGMO_, MARK_BROWSE_CO_OP),
	BIT(MQGMO_, UNMARK_BROWSE_CO_OP), BIT(MQGMO_, UNMARK_BROWSE_HANDLE),
	BIT(MQGMO_, UNMARKED_BROWSE_MSG), { 0 },
};

static const struct bit put_bits[] = {
	BIT(MQPMO_, SYNCPOINT), BIT(MQPMO_, NO_SYNCPOINT),
	BIT(MQPMO_, DEFAULT_CONTEXT), BIT(MQPMO_, NEW_MSG_ID),
	BIT(MQPMO_, NEW_CORREL_ID), BIT(MQPMO_, PASS_IDENTITY_CONTEXT),
	BIT(MQPMO_, PASS_ALL_CONTEXT), BIT(MQPMO_, SET_IDENTITY_CONTEXT),
	BIT(MQPMO_, SET_ALL_CONTEXT), BIT(MQPMO_, NO_CONTEXT),
	BIT(MQPMO_, LOGICAL_ORDER), { 0 },
};

static const struct bit open_bits[] = {
	BIT(MQOO_, INPUT_AS_Q_DEF), BIT(MQOO_, INPUT_SHARED),
	BIT(MQOO_, INPUT_EXCLUSIVE), BIT(MQOO_, BROWSE), BIT(MQOO_, OUTPUT),
	BIT(MQOO_, SAVE_ALL_CONTEXT), BIT(MQOO_, PASS_IDENTITY_CONTEXT),
	BIT(MQOO_, PASS_ALL_CONTEXT), BIT(MQOO_, SET_IDENTITY_CONTEXT),
	BIT(MQOO_, SET_ALL_CONTEXT), BIT(MQOO_, CO_OP), { 0 },
};

static const struct bit flag_bits[] = {
	BIT(MQMF_, SEGMENTATION_ALLOWED), BIT(MQMF_, SEGMENT),
	BIT(MQMF_, LAST_SEGMENT), BIT(MQMF_, MSG_IN_GROUP),
	BIT(MQMF_, LAST_MSG_IN_GROUP), { 0 },
};

static const struct bit match_bits[] = {
	BIT(MQMO_, MATCH_MSG_ID), BIT(MQMO_, MATCH_CORREL_ID),
	BIT(MQMO_, MATCH_GROUP_ID), BIT(MQMO_, MATCH_MSG_SEQ_NUMBER),
	BIT(MQMO_, MATCH_OFFSET), BIT(MQMO_, MATCH_MSG_TOKEN), { 0 },
};

bool call_is_mask(enum field f)
{
	return f == F_OPTIONS || f == F_FLAGS || f == F_MATCH || f == F_REPORT;
}

static const struct bit *bits_of(enum op op, enum field f)
{
	if (f == F_FLAGS)
		return flag_bits;
	if (f == F_MATCH)
		return match_bits;
	if (f != F_OPTIONS)
		return NULL;
	return op == OP_OPEN ? open_bits :
	       op == OP_PUT || op == OP_PUT1 ? put_bits : get_bits;
}

static void print_field(const struct call *c, enum field f)
{
	const struct bit *b = bits_of(c->op, f);
	MQLONG v = c->f[f];
	const char *sep = "";

	printf(" %s=", field_names[f]);
	for (; b && b->value; b++) {
		if (!(v & b->value))
			continue;
		printf("%s%s", sep, b->name);
		v &= ~b->value;
		sep = "|";
	}
	if (v || !*sep)
		printf(call_is_mask(f) ? "%s%#x" : "%s%d", sep, v);
}

void call_print(const struct call *c)
{
	int f;

	printf("%s", op_names[c->op]);
	for (f = 0; f < F_COUNT; f++)
		if (f == F_HANDLE ? c->op <= OP_GET :
		    f == F_CONN ? c->op == OP_OPEN ||
				  (c->op >= OP_PUT1 && c->op <= OP_DISC) :
		    f == F_ATTR ? 0 : c->f[f] != call_defaults[f])
			print_field(c, f);
	if (c->op == OP_ALTER)
		printf(" attr=%s", call_attrs[c->f[F_ATTR]].word);
	printf("\n");
}
