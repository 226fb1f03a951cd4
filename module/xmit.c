// SPDX-License-Identifier: GPL-2.0
/*
 * Messages for another queue manager: they lie on a transmission queue with an
 * MQXQH in front of their data (O-RES-3), which holds where they go and their
 * own descriptor. Group fields follow it in an MQMDE.
 */
#include <linux/string.h>
#include <linux/time.h>
#include "attr.h"
#include "context.h"
#include "limits.h"
#include "mqi.h"
#include "msg.h"
#include "qmgr.h"
#include "resolve.h"
#include "xmit.h"

/* MQMD, version 1, as programs know it. */
struct kmq_wire_md {
	u8 struc_id[4];
	s32 version;
	s32 report;
	s32 msg_type;
	s32 expiry;
	s32 feedback;
	s32 encoding;
	s32 ccsid;
	u8 format[8];
	s32 priority;
	s32 persistence;
	u8 msg_id[KMQ_ID_LEN];
	u8 correl_id[KMQ_ID_LEN];
	s32 backout_count;
	u8 reply_q[KMQ_NAME_LEN];
	u8 reply_qmgr[KMQ_NAME_LEN];
	u8 user_id[12];
	u8 accounting[32];
	u8 appl_identity[32];
	s32 appl_type;
	u8 appl_name[28];
	u8 put_date[8];
	u8 put_time[8];
	u8 appl_origin[4];
};

struct kmq_wire_xqh {
	u8 struc_id[4];
	s32 version;
	u8 remote_q[KMQ_NAME_LEN];
	u8 remote_qmgr[KMQ_NAME_LEN];
	struct kmq_wire_md md;
};

struct kmq_wire_mde {
	u8 struc_id[4];
	s32 version;
	s32 struc_length;
	s32 encoding;
	s32 ccsid;
	u8 format[8];
	s32 flags;
	u8 group_id[KMQ_ID_LEN];
	s32 seq;
	s32 offset;
	s32 msg_flags;
	s32 original_length;
};

struct kmq_xmit_head {
	struct kmq_wire_xqh xqh;
	struct kmq_wire_mde mde;
};

static void kmq_xmit_check_layout(void)
{
	BUILD_BUG_ON(sizeof(struct kmq_wire_md) != 324);
	BUILD_BUG_ON(sizeof(struct kmq_wire_xqh) != 428);
	BUILD_BUG_ON(sizeof(struct kmq_wire_mde) != 72);
	BUILD_BUG_ON(sizeof(struct kmq_xmit_head) != 500);
}

/**
 * kmq_xmit_head_length - how much is placed in front of the data
 * @grouped: an MQMDE is needed
 *
 * Return: bytes.
 */
u32 kmq_xmit_head_length(bool grouped)
{
	return grouped ? sizeof(struct kmq_xmit_head) :
			 sizeof(struct kmq_wire_xqh);
}

static void kmq_xmit_fill_date(struct kmq_wire_md *md,
			       const struct kmq_xmit *xmit)
{
	char text[32];
	struct tm tm;
	u32 ns;

	if (xmit->context->dated) {
		memcpy(md->put_date, xmit->context->date, sizeof(md->put_date));
		memcpy(md->put_time, xmit->context->time, sizeof(md->put_time));
		return;
	}
	time64_to_tm(div_u64_rem(xmit->put_time, NSEC_PER_SEC, &ns), 0, &tm);
	scnprintf(text, sizeof(text), "%04ld%02d%02d%02d%02d%02d%02u",
		  tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
		  tm.tm_min, tm.tm_sec, ns / (u32)(NSEC_PER_SEC / 100));
	memcpy(md->put_date, text, sizeof(md->put_date));
	memcpy(md->put_time, text + sizeof(md->put_date),
	       sizeof(md->put_time));
}

static void kmq_xmit_fill_context(struct kmq_wire_md *md,
				  const struct kmq_xmit *xmit)
{
	const struct kmq_context *from = &xmit->context->c;

	memcpy(md->user_id, from->user_id, sizeof(md->user_id));
	memcpy(md->accounting, from->accounting, sizeof(md->accounting));
	memcpy(md->appl_identity, from->appl_identity,
	       sizeof(md->appl_identity));
	md->appl_type = from->appl_type;
	memcpy(md->appl_name, from->appl_name, sizeof(md->appl_name));
	memcpy(md->appl_origin, from->appl_origin, sizeof(md->appl_origin));
	kmq_xmit_fill_date(md, xmit);
}

static void kmq_xmit_fill_md(struct kmq_wire_md *md,
			     const struct kmq_xmit *xmit)
{
	const struct kmq_md *from = xmit->md;

	memcpy(md->struc_id, "MD  ", sizeof(md->struc_id));
	md->version = 1;
	md->report = from->report;
	md->msg_type = from->msg_type;
	md->expiry = from->expiry;
	md->feedback = from->feedback;
	md->encoding = from->encoding;
	md->ccsid = from->ccsid;
	memcpy(md->format, from->format, sizeof(md->format));
	md->priority = min(from->priority, KMQ_MAX_PRIORITY);
	md->persistence = from->persistence;
	memcpy(md->msg_id, from->msg_id, KMQ_ID_LEN);
	memcpy(md->correl_id, from->correl_id, KMQ_ID_LEN);
	md->backout_count = 0;
	memset(md->reply_q, ' ', KMQ_NAME_LEN);
	memset(md->reply_qmgr, ' ', KMQ_NAME_LEN);
	if (xmit->reply) {
		memcpy(md->reply_q, xmit->reply->q, KMQ_NAME_LEN);
		memcpy(md->reply_qmgr, xmit->reply->qmgr, KMQ_NAME_LEN);
	}
	kmq_xmit_fill_context(md, xmit);
}

/* The format, encoding and character set move from the MQMD to the MQMDE. */
static void kmq_xmit_fill_mde(struct kmq_xmit_head *head,
			      const struct kmq_xmit *xmit)
{
	struct kmq_wire_mde *mde = &head->mde;
	struct kmq_wire_md *md = &head->xqh.md;

	memcpy(mde->struc_id, "MDE ", sizeof(mde->struc_id));
	mde->version = 2;
	mde->struc_length = sizeof(*mde);
	mde->encoding = md->encoding;
	mde->ccsid = md->ccsid;
	memcpy(mde->format, md->format, sizeof(mde->format));
	mde->flags = 0;
	memcpy(mde->group_id, xmit->id, KMQ_ID_LEN);
	mde->seq = xmit->seq;
	mde->offset = xmit->offset;
	mde->msg_flags = xmit->msg_flags;
	mde->original_length = xmit->original_length;

	md->encoding = MQENC_NATIVE;
	md->ccsid = READ_ONCE(xmit->qmgr->attrs.coded_char_set_id);
	memcpy(md->format, "MQHMDE  ", sizeof(md->format));
}

static void kmq_xmit_fill_head(struct kmq_xmit_head *head,
			       const struct kmq_xmit *xmit)
{
	kmq_xmit_check_layout();
	memcpy(head->xqh.struc_id, "XQH ", sizeof(head->xqh.struc_id));
	head->xqh.version = 1;
	memcpy(head->xqh.remote_q, xmit->dest->q, KMQ_NAME_LEN);
	memcpy(head->xqh.remote_qmgr, xmit->dest->qmgr, KMQ_NAME_LEN);
	kmq_xmit_fill_md(&head->xqh.md, xmit);
	if (xmit->grouped)
		kmq_xmit_fill_mde(head, xmit);
}

/* The descriptor that the message has while it lies on the transmission queue. */
static void kmq_xmit_own_md(struct kmq_md *md, const struct kmq_xmit *xmit)
{
	md->report = 0;
	md->msg_type = MQMT_DATAGRAM;
	md->expiry = MQEI_UNLIMITED;
	md->feedback = 0;
	md->encoding = MQENC_NATIVE;
	md->ccsid = READ_ONCE(xmit->qmgr->attrs.coded_char_set_id);
	memcpy(md->format, "MQXMIT  ", sizeof(md->format));
	md->priority = min(xmit->md->priority, KMQ_MAX_PRIORITY);
	md->persistence = xmit->md->persistence;
	kmq_qmgr_new_id(xmit->qmgr, md->msg_id);
	memcpy(md->correl_id, xmit->md->msg_id, KMQ_ID_LEN);
}

/**
 * kmq_xmit_make - make the message that travels
 * @xmit: what is sent; its data is to be filled in behind the head, that is from
 *	kmq_xmit_head_length() on
 *
 * The message has the identity of the original and the origin of the queue
 * manager. It does not expire on the transmission queue: what is left of its
 * time stands in its own descriptor.
 *
 * Return: the message, owned by the caller, or ERR_PTR(-ENOMEM), or
 * ERR_PTR(-EINTR) if the caller is being killed.
 */
struct kmq_msg *kmq_xmit_make(const struct kmq_xmit *xmit)
{
	u32 head_length = kmq_xmit_head_length(xmit->grouped);
	struct kmq_xmit_head head;
	struct kmq_msg *msg;

	msg = kmq_msg_alloc(head_length + xmit->length, false);
	if (IS_ERR(msg))
		return msg;
	msg->context = kmq_context_of_qmgr(xmit->qmgr->name, xmit->context);
	if (!msg->context) {
		kmq_msg_free(msg);
		return ERR_PTR(-ENOMEM);
	}
	kmq_xmit_own_md(&msg->md, xmit);
	msg->persistent = xmit->md->persistence;
	msg->put_time = ktime_get_coarse_real_ns();
	kmq_xmit_fill_head(&head, xmit);
	kmq_msg_write(msg, 0, &head, head_length);
	return msg;
}

/**
 * kmq_xmit_set_msg_id - give the message that travels another MsgId
 * @msg: message from kmq_xmit_make()
 * @id: MsgId, KMQ_ID_LEN bytes
 */
void kmq_xmit_set_msg_id(struct kmq_msg *msg, const u8 *id)
{
	kmq_msg_write(msg, offsetof(struct kmq_wire_xqh, md.msg_id), id,
		      KMQ_ID_LEN);
	memcpy(msg->md.correl_id, id, KMQ_ID_LEN);
}
