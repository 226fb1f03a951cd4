// SPDX-License-Identifier: MIT
/*
 * MQBEGIN, MQCMIT, MQBACK.
 */
#include "conn.h"
#include "device.h"

KMQ_SECOND_NAME(MQBEGIN);
KMQ_SECOND_NAME(MQCMIT);
KMQ_SECOND_NAME(MQBACK);

static void unit_of_work(const struct kmq_conn *c, unsigned long cmd,
			 PMQLONG comp_code, PMQLONG reason)
{
	struct kmq_uow k = { .size = sizeof(k) };
	int err = kmq_ioctl(c->fd, cmd, &k);

	if (err)
		kmq_fail(comp_code, reason, kmq_conn_reason(err));
	else
		kmq_result(comp_code, reason, k.out_comp_code, k.out_reason);
}

/* However it ended: what goes on is another one. */
static void unit_over(struct kmq_conn *c)
{
	c->unit++;
	c->lost = false;
}

/* What a put was told that was held comes true altogether or not at all. */
void kmq_conn_commit(struct kmq_conn *c, PMQLONG comp_code, PMQLONG reason)
{
	if (likely(!c->lost)) {
		unit_of_work(c, KMQ_IOC_COMMIT, comp_code, reason);
	} else {
		unit_of_work(c, KMQ_IOC_BACKOUT, comp_code, reason);
		if (*comp_code == MQCC_OK)
			kmq_result(comp_code, reason, MQCC_WARNING,
				   MQRC_BACKED_OUT);
	}
	unit_over(c);
}

void kmq_conn_backout(struct kmq_conn *c, PMQLONG comp_code, PMQLONG reason)
{
	unit_of_work(c, KMQ_IOC_BACKOUT, comp_code, reason);
	unit_over(c);
}

/* U-BEG-1, U-BEG-4 */
static MQLONG begin_check(const struct kmq_conn *c, const MQBO *bo)
{
	if (c->sharing != KMQ_SHARE_NONE)
		return MQRC_HCONN_ERROR;
	if (!bo)
		return MQRC_NONE;
	if (!kmq_version_of(bo, MQBO_STRUC_ID, MQBO_VERSION_1))
		return MQRC_BO_ERROR;
	return bo->Options == MQBO_NONE ? MQRC_NONE : MQRC_OPTIONS_ERROR;
}

KMQ_API void MQENTRY MQBEGIN(MQHCONN Hconn, PMQVOID pBeginOptions,
			     PMQLONG pCompCode, PMQLONG pReason)
{
	struct kmq_conn *c;

	*pCompCode = MQCC_FAILED;
	c = kmq_conn_enter(Hconn, pReason);
	if (!c)
		return;
	*pReason = begin_check(c, pBeginOptions);
	if (!*pReason)
		unit_of_work(c, KMQ_IOC_BEGIN, pCompCode, pReason);
	kmq_conn_leave(c);
}

KMQ_API void MQENTRY MQCMIT(MQHCONN Hconn, PMQLONG pCompCode, PMQLONG pReason)
{
	struct kmq_conn *c;

	*pCompCode = MQCC_FAILED;
	c = kmq_conn_enter(Hconn, pReason);
	if (!c)
		return;
	kmq_conn_commit(c, pCompCode, pReason);
	kmq_conn_leave(c);
}

KMQ_API void MQENTRY MQBACK(MQHCONN Hconn, PMQLONG pCompCode, PMQLONG pReason)
{
	struct kmq_conn *c;

	*pCompCode = MQCC_FAILED;
	c = kmq_conn_enter(Hconn, pReason);
	if (!c)
		return;
	kmq_conn_backout(c, pCompCode, pReason);
	kmq_conn_leave(c);
}
