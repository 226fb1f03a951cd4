/* SPDX-License-Identifier: MIT */
/*
 * MQGET with a buffer that grows.
 */
#include "message.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

#define FIRST_ROOM 65536

void message_query_init(struct message_query *query)
{
	static const MQGMO gmo = { MQGMO_DEFAULT };

	memset(query, 0, sizeof(*query));
	query->gmo = gmo;
	query->gmo.Version = MQGMO_VERSION_2;
	query->gmo.MatchOptions = MQMO_NONE;
	query->gmo.Options = MQGMO_FAIL_IF_QUIESCING;
}

static bool set_wait(struct message_query *query, const char *text)
{
	char *end;
	double seconds;

	query->gmo.Options |= MQGMO_WAIT;
	if (!strcmp(text, "forever")) {
		query->gmo.WaitInterval = MQWI_UNLIMITED;
		return true;
	}
	seconds = strtod(text, &end);
	if (end == text || *end || !(seconds >= 0 && seconds <= 2000000)) {
		tool_error("--wait: '%s' is not a number of seconds", text);
		return false;
	}
	query->gmo.WaitInterval = seconds * 1000 + 0.5;
	return true;
}

bool message_query_option(struct message_query *query, int option,
			  const char *value)
{
	switch (option) {
	case 'w':
		return set_wait(query, value);
	case 'm':
		query->qmgr = value;
		return true;
	case 'i':
		query->gmo.MatchOptions |= MQMO_MATCH_MSG_ID;
		return tool_bytes("--msg-id", value, query->msg_id,
				  sizeof(query->msg_id));
	case 'c':
		query->gmo.MatchOptions |= MQMO_MATCH_CORREL_ID;
		return tool_bytes("--correl-id", value, query->correl_id,
				  sizeof(query->correl_id));
	case MESSAGE_GROUP_ID:
		query->gmo.MatchOptions |= MQMO_MATCH_GROUP_ID;
		return tool_bytes("--group-id", value, query->group_id,
				  sizeof(query->group_id));
	case 'l':
		query->gmo.Options |= MQGMO_LOGICAL_ORDER;
		return true;
	case 'C':
		query->gmo.Options |= MQGMO_COMPLETE_MSG;
		return true;
	case 'A':
		query->gmo.Options |= MQGMO_ALL_MSGS_AVAILABLE;
		return true;
	default:
		return false;
	}
}

static bool message_grow(struct message *message, MQLONG room)
{
	char *grown = realloc(message->data, room);

	if (!grown) {
		tool_error("not enough memory for a message of %d bytes",
			   (int)room);
		return false;
	}
	message->data = grown;
	message->room = room;
	return true;
}

static void message_ask(struct message *message,
			const struct message_query *query)
{
	static const MQMD md = { MQMD_DEFAULT };

	message->md = md;
	message->md.Version = MQMD_VERSION_2;
	memcpy(message->md.MsgId, query->msg_id, sizeof(query->msg_id));
	memcpy(message->md.CorrelId, query->correl_id,
	       sizeof(query->correl_id));
	memcpy(message->md.GroupId, query->group_id, sizeof(query->group_id));
}

/* A message that is too long stays where it is and is asked for again. */
enum message_result message_get(struct message *message,
				struct session *session,
				const struct message_query *query)
{
	MQLONG comp_code, reason;
	MQGMO gmo;

	if (!message->room && !message_grow(message, FIRST_ROOM))
		return MESSAGE_FAILED;
	for (;;) {
		message_ask(message, query);
		gmo = query->gmo;
		MQGET(session->conn, session->object, &message->md, &gmo,
		      message->room, message->data, &message->length,
		      &comp_code, &reason);
		if (reason != MQRC_TRUNCATED_MSG_FAILED)
			break;
		if (!message_grow(message, message->length))
			return MESSAGE_FAILED;
	}
	if (reason == MQRC_NO_MSG_AVAILABLE)
		return MESSAGE_NONE;
	if (comp_code == MQCC_FAILED) {
		tool_call_error("MQGET", session->queue, reason);
		return MESSAGE_FAILED;
	}
	if (comp_code == MQCC_WARNING)
		tool_error("MQGET from %s: %s", session->queue,
			   tool_reason(reason));
	return MESSAGE_GOT;
}

void message_free(struct message *message)
{
	free(message->data);
	memset(message, 0, sizeof(*message));
}
