// SPDX-License-Identifier: GPL-2.0
/*
 * MQPUT, check: what a plan consists of.
 */
#include <linux/string.h>
#include "call.h"
#include "limits.h"
#include "put.h"
#include "qmgr.h"
#include "queue.h"
#include "route.h"

/**
 * kmq_put_plan_key - take down what makes another put one like this
 * @run: the run
 * @cmd: the put
 * @ext: its parts of the descriptor
 * @plan: gets it
 *
 * To be called before anything is looked at that kmq_qmgr.changes counts.
 */
void kmq_put_plan_key(const struct kmq_put_run *run, const struct kmq_put *cmd,
		      const struct kmq_md_ext *ext, struct kmq_put_plan *plan)
{
	const struct kmq_qmgr *other = run->queue->qmgr;

	plan->changes = kmq_qmgr_changes(run->conn->qmgr);
	plan->other = other == run->conn->qmgr ? NULL : other;
	plan->other_changes = plan->other ? kmq_qmgr_changes(other) : 0;
	plan->options = cmd->options;
	plan->present = cmd->present;
	plan->flags = cmd->flags;
	plan->pmo_version = cmd->pmo_version;
	plan->md_version = cmd->md_version;
	memcpy(&plan->given, &cmd->md, KMQ_MD_HEAD);
	if (!(cmd->present & KMQ_MD_REPLY))
		return;
	memcpy(plan->given_reply, ext->reply_q, KMQ_NAME_LEN);
	memcpy(plan->given_reply + KMQ_NAME_LEN, ext->reply_qmgr, KMQ_NAME_LEN);
}

/**
 * kmq_put_plan_fields - what the caller gave, defaults where it gave nothing
 * @run: the run
 * @cmd: the put
 * @plan: gets that
 */
void kmq_put_plan_fields(const struct kmq_put_run *run,
			 const struct kmq_put *cmd, struct kmq_put_plan *plan)
{
	/* The first definition on the path (P-PRI-1, P-PER-1). */
	const struct kmq_queue_attrs *attrs = &run->named->attrs;

	plan->steps = 0;
	if (unlikely(run->dest && run->dest->remote))
		plan->steps |= KMQ_PUT_REMOTE;
	if (unlikely(run->route && run->route->instances))
		plan->steps |= KMQ_PUT_ROUTED;
	if (cmd->options & KMQ_PMO_PASS)
		plan->steps |= KMQ_PUT_PASSED;
	plan->logical = cmd->options & MQPMO_LOGICAL_ORDER;
	plan->syncpoint = cmd->options & MQPMO_SYNCPOINT;
	if (plan->syncpoint)
		plan->steps |= KMQ_PUT_PENDING;
	if (cmd->present & KMQ_MD_REPLY)
		plan->steps |= KMQ_PUT_NAMED;
	plan->skip = cmd->flags & KMQ_PUT_MDE ? KMQ_MDE_LENGTH : 0;
	plan->warning = MQRC_NONE;
	plan->head = 0;
	plan->stored.priority = cmd->md.priority;
	if (plan->stored.priority == MQPRI_PRIORITY_AS_Q_DEF)
		plan->stored.priority = READ_ONCE(attrs->def_priority);
	plan->priority = min(plan->stored.priority, KMQ_MAX_PRIORITY);
	plan->persistent = cmd->md.persistence;
	if (cmd->md.persistence == MQPER_PERSISTENCE_AS_Q_DEF)
		plan->persistent = READ_ONCE(attrs->def_persistence);
}

static s32 kmq_put_cap_expiry(const struct kmq_queue *queue, s32 expiry)
{
	s32 cap = READ_ONCE(queue->attrs.cap_expiry);

	if (cap > 0 && (expiry == MQEI_UNLIMITED || expiry > cap))
		return cap;
	return expiry;
}

/* P-MD-5: an application here has no character set but the queue manager's. */
static s32 kmq_put_ccsid(const struct kmq_put_run *run, s32 ccsid)
{
	if (ccsid == MQCCSI_Q_MGR || ccsid == MQCCSI_INHERIT ||
	    ccsid == MQCCSI_APPL)
		return READ_ONCE(run->conn->qmgr->attrs.coded_char_set_id);
	return ccsid;
}

/**
 * kmq_put_plan_md - fill in what the descriptor leaves open (P-MD-11)
 * @run: the run
 * @given: the descriptor
 * @plan: gets it as it is stored (P-EXP-1, P-EXP-6), and what follows from it
 */
void kmq_put_plan_md(const struct kmq_put_run *run, const struct kmq_md *given,
		     struct kmq_put_plan *plan)
{
	struct kmq_md *md = &plan->stored;
	s32 priority = md->priority;

	memcpy(md, given, KMQ_MD_HEAD);
	md->expiry = kmq_put_cap_expiry(run->queue,
					kmq_put_cap_expiry(run->named,
							   md->expiry));
	md->ccsid = kmq_put_ccsid(run, md->ccsid);
	md->priority = priority;
	md->persistence = plan->persistent;
	kmq_name_pad(md->format, sizeof(md->format));
	if (md->expiry != MQEI_UNLIMITED && !plan->head)
		plan->steps |= KMQ_PUT_EXPIRES;
	/* What travels has not arrived yet (P-REP-1). */
	if (md->report & MQRO_COA && !plan->head)
		plan->steps |= KMQ_PUT_REPORTS;
	if (!plan->warning && priority > KMQ_MAX_PRIORITY)
		plan->warning = MQRC_PRIORITY_EXCEEDS_MAXIMUM;
}

/**
 * kmq_put_plan_lasts - may puts that are like the one just checked do with its plan
 * @run: the run
 * @index: which of its puts
 *
 * Of the context either both parts are compared or none is looked at.
 */
bool kmq_put_plan_lasts(const struct kmq_put_run *run, u32 index)
{
	const struct kmq_put *cmd = &run->cmds[index];
	u32 context = cmd->present & ~(KMQ_MD_REPLY | KMQ_MD_GROUP);

	return run->handle && !(run->plan->steps & KMQ_PUT_ONCE) &&
	       context == (cmd->options & KMQ_PMO_SET ?
			   KMQ_MD_CONTEXT | KMQ_MD_DATE : 0);
}
