/* SPDX-License-Identifier: MIT */
/*
 * MQCONN, MQOPEN, MQCMIT, MQBACK, MQCLOSE, MQDISC with their error lines.
 */
#include "session.h"

#include <string.h>

#include "hint.h"
#include "tool.h"

bool session_connect(struct session *session, const char *qmgr)
{
	MQCHAR48 name;
	MQLONG comp_code, reason;

	if (!tool_name_field("queue manager", qmgr ? qmgr : "", name,
			     sizeof(name)))
		return false;
	MQCONN(name, &session->conn, &comp_code, &reason);
	if (comp_code != MQCC_FAILED)
		return true;
	tool_call_error("MQCONN", qmgr && *qmgr ? qmgr : NULL, reason);
	hint_after_qmgr(reason, qmgr);
	return false;
}

static bool open_queue(struct session *session,
		       const struct session_target *target)
{
	MQOD od = { MQOD_DEFAULT };
	MQLONG comp_code, reason;

	if (!tool_name_field("queue", target->queue, od.ObjectName,
			     sizeof(od.ObjectName)) ||
	    (target->object_qmgr &&
	     !tool_name_field("queue manager", target->object_qmgr,
			      od.ObjectQMgrName, sizeof(od.ObjectQMgrName))) ||
	    (target->dynamic &&
	     !tool_name_field("dynamic queue", target->dynamic,
			      od.DynamicQName, sizeof(od.DynamicQName))))
		return false;
	MQOPEN(session->conn, &od, target->options, &session->object,
	       &comp_code, &reason);
	if (comp_code != MQCC_FAILED)
		return true;
	tool_call_error("MQOPEN", target->queue, reason);
	hint_after_queue(reason, target->qmgr, target->queue);
	return false;
}

bool session_open(struct session *session, const struct session_target *target)
{
	MQLONG comp_code, reason;

	session->object = MQHO_UNUSABLE_HOBJ;
	session->conn = MQHC_UNUSABLE_HCONN;
	session->queue = target->queue;
	if (!session_connect(session, target->qmgr))
		return false;
	if (open_queue(session, target))
		return true;
	MQDISC(&session->conn, &comp_code, &reason);
	return false;
}

bool session_commit(struct session *session)
{
	MQLONG comp_code, reason;

	MQCMIT(session->conn, &comp_code, &reason);
	if (comp_code == MQCC_OK)
		return true;
	tool_call_error("MQCMIT", NULL, reason);
	return false;
}

void session_backout(struct session *session)
{
	MQLONG comp_code, reason;

	MQBACK(session->conn, &comp_code, &reason);
	if (comp_code != MQCC_OK)
		tool_call_error("MQBACK", NULL, reason);
}

bool session_end(struct session *session, MQLONG close_options)
{
	MQLONG comp_code, reason;
	bool ok = true;

	MQCLOSE(session->conn, &session->object, close_options, &comp_code,
		&reason);
	if (comp_code == MQCC_WARNING) {
		tool_error("MQCLOSE of %s: %s", session->queue,
			   tool_reason(reason));
	} else if (comp_code == MQCC_FAILED) {
		tool_call_error("MQCLOSE", session->queue, reason);
		ok = false;
	}
	MQDISC(&session->conn, &comp_code, &reason);
	if (comp_code != MQCC_OK) {
		tool_call_error("MQDISC", NULL, reason);
		ok = false;
	}
	return ok;
}
