// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Queues through the MQI.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/kmq.h>

#include "bench.h"

static int admin_fd(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = open("/dev/kmq/" BENCH_QMGR "/admin", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die("/dev/kmq/" BENCH_QMGR "/admin: %s", strerror(errno));
	return fd;
}

/* A name as the MQI has it, padded with blanks. */
void q_name(char *to, const char *name)
{
	size_t length = strlen(name);

	memset(to, ' ', MQ_Q_NAME_LENGTH);
	memcpy(to, name, length);
}

void q_remove(const char *name)
{
	struct kmq_delete cmd = {
		.size = sizeof(cmd),
		.flags = KMQ_DELETE_PURGE,
		.object_type = MQOT_Q,
	};

	q_name((char *)cmd.name, name);
	if (ioctl(admin_fd(), KMQ_IOC_DELETE, &cmd))
		die("delete %s: %s", name, strerror(errno));
}

static void admin(unsigned long number, struct kmq_define *cmd)
{
	if (ioctl(admin_fd(), number, cmd))
		die("define: %s", strerror(errno));
	if (cmd->out_comp_code == MQCC_FAILED)
		die("define: reason %u", cmd->out_reason);
}

void q_define(const char *name, int max_depth)
{
	struct kmq_attr attrs[] = {
		{ .selector = MQIA_MAX_Q_DEPTH, .value = max_depth },
		{ .selector = MQIA_MAX_MSG_LENGTH, .value = 100 << 20 },
	};
	struct kmq_define cmd = {
		.size = sizeof(cmd),
		.object_type = MQOT_Q,
		.q_type = MQQT_LOCAL,
		.attrs = (uintptr_t)attrs,
		.attr_count = ARRAY_SIZE(attrs),
	};

	q_remove(name);
	q_name((char *)cmd.name, name);
	q_name((char *)cmd.like, "");
	admin(KMQ_IOC_DEFINE, &cmd);
}

void q_clear(const char *name)
{
	struct kmq_delete cmd = {
		.size = sizeof(cmd),
		.object_type = MQOT_Q,
	};

	q_name((char *)cmd.name, name);
	if (ioctl(admin_fd(), KMQ_IOC_CLEAR, &cmd))
		die("clear %s: %s", name, strerror(errno));
	if (cmd.out_comp_code == MQCC_FAILED)
		die("clear %s: reason %u", name, cmd.out_reason);
}

int q_qmgr_set(int selector, int value)
{
	struct kmq_attr attr = { .selector = selector, .value = value };
	struct kmq_define define = {
		.size = sizeof(define),
		.object_type = MQOT_Q_MGR,
		.attrs = (uintptr_t)&attr,
		.attr_count = 1,
	};
	__s32 asked = selector, before = 0;
	struct kmq_attrs inquire = {
		.size = sizeof(inquire),
		.object_type = MQOT_Q_MGR,
		.selector_count = 1,
		.int_attr_count = 1,
		.selectors = (uintptr_t)&asked,
		.int_attrs = (uintptr_t)&before,
	};

	q_name((char *)inquire.name, "");
	if (ioctl(admin_fd(), KMQ_IOC_INQUIRE, &inquire) ||
	    inquire.out_comp_code == MQCC_FAILED)
		die("inquire: %s, reason %u", strerror(errno),
		    inquire.out_reason);
	q_name((char *)define.name, "");
	q_name((char *)define.like, "");
	admin(KMQ_IOC_ALTER, &define);
	return before;
}

int q_limit(int uncommitted)
{
	return q_qmgr_set(MQIA_MAX_UNCOMMITTED_MSGS, uncommitted);
}

MQHCONN q_connect(void)
{
	MQCNO cno = { MQCNO_DEFAULT };
	MQLONG comp_code, reason;
	MQCHAR48 name;
	MQHCONN hc;

	q_name(name, BENCH_QMGR);
	MQCONNX(name, &cno, &hc, &comp_code, &reason);
	if (comp_code == MQCC_FAILED)
		die("MQCONNX: reason %d", reason);
	return hc;
}

MQHOBJ q_open(MQHCONN hc, const char *name, MQLONG options)
{
	MQOD od = { MQOD_DEFAULT };
	MQLONG comp_code, reason;
	MQHOBJ ho;

	q_name(od.ObjectName, name);
	MQOPEN(hc, &od, options, &ho, &comp_code, &reason);
	if (comp_code == MQCC_FAILED)
		die("MQOPEN %s: reason %d", name, reason);
	return ho;
}

void q_close(MQHCONN hc, MQHOBJ ho)
{
	MQLONG comp_code, reason;

	MQCLOSE(hc, &ho, MQCO_NONE, &comp_code, &reason);
}

void q_call_init(struct q_call *call, MQHCONN hc, MQHOBJ ho, void *data,
		 MQLONG length)
{
	static const MQMD md = { MQMD_DEFAULT };
	static const MQPMO pmo = { MQPMO_DEFAULT };
	static const MQGMO gmo = { MQGMO_DEFAULT };

	memset(call, 0, sizeof(*call));
	call->hc = hc;
	call->ho = ho;
	call->md = md;
	call->pmo = pmo;
	call->pmo.Options = MQPMO_NEW_MSG_ID | MQPMO_NO_SYNCPOINT;
	call->gmo = gmo;
	call->gmo.Version = MQGMO_VERSION_2;
	call->gmo.Options = MQGMO_NO_SYNCPOINT;
	call->gmo.MatchOptions = MQMO_NONE;
	call->data = data;
	call->length = length;
}

void q_call_full(struct q_call *call)
{
	MQMD *md = &call->md;

	md->Version = MQMD_VERSION_2;
	md->MsgType = MQMT_REQUEST;
	md->Priority = 5;
	md->Persistence = MQPER_PERSISTENT;
	memcpy(md->Format, MQFMT_STRING, sizeof(md->Format));
	memcpy(md->MsgId, "a message of its own id", 24);
	memcpy(md->CorrelId, "belongs to a question..", 24);
	q_name(md->ReplyToQ, BENCH_REPLY_Q);
	q_name(md->ReplyToQMgr, BENCH_QMGR);
	call->pmo.Options &= ~MQPMO_NEW_MSG_ID;
	call->gmo.Version = MQGMO_VERSION_3;
}

void q_put(struct q_call *call)
{
	MQLONG comp_code;

	MQPUT(call->hc, call->ho, &call->md, &call->pmo, call->length,
	      call->data, &comp_code, &call->reason);
	if (comp_code == MQCC_FAILED)
		die("MQPUT: reason %d", call->reason);
}

bool q_try_get(struct q_call *call)
{
	MQLONG comp_code;

	MQGET(call->hc, call->ho, &call->md, &call->gmo, call->length,
	      call->data, &call->got, &comp_code, &call->reason);
	if (comp_code != MQCC_FAILED)
		return true;
	if (call->reason != MQRC_NO_MSG_AVAILABLE)
		die("MQGET: reason %d", call->reason);
	return false;
}

void q_get(struct q_call *call)
{
	if (!q_try_get(call))
		die("MQGET: reason %d", call->reason);
}
