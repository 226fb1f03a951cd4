/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * model: units of work (uow.md, G-UOW, G-MSB).
 */
#include "model.h"

/* U-BEG-2..6 */
struct rc model_begin(struct model *m, int conn)
{
	struct conn *c = &m->c[conn];

	if (!c->may_begin)
		return model_fail(MQRC_HCONN_ERROR);
	if (c->uow)
		return model_fail(MQRC_UOW_IN_PROGRESS);
	c->uow = true;
	return model_warn(MQRC_NO_EXTERNAL_PARTICIPANTS);
}

static void end_uow(struct conn *c)
{
	c->uow = false;
	c->count = 0;
	c->skip_used = false;
}

/* U-CMIT-2, U-GRP-1 */
struct rc model_commit(struct model *m, int conn)
{
	struct message *msg, *next;
	int i;

	for (msg = m->first; msg; msg = next) {
		next = msg->next;
		if (msg->conn != conn)
			continue;
		if (msg->state == PUT_PENDING) {
			msg->state = AVAILABLE;
			msg->conn = -1;
		} else {
			model_remove(m, msg);
		}
	}
	for (i = 0; i < MODEL_HANDLES; i++) {
		struct handle *h = &m->h[i];

		if (!h->open || h->conn != conn)
			continue;
		h->put_saved = false;
		h->get_saved = false;
		h->skip_get = false;
		h->skip_last = false;
	}
	end_uow(&m->c[conn]);
	return model_ok();
}

/* U-BACK-1..3, G-MSB-3, G-MSB-10; the number of marked messages kept. */
static int back_messages(struct model *m, int conn)
{
	struct message *msg, *next;
	int kept = 0;

	for (msg = m->first; msg; msg = next) {
		next = msg->next;
		if (msg->conn != conn)
			continue;
		if (msg->state == PUT_PENDING || msg->own_put) {
			model_remove(m, msg);
		} else if (msg->skip) {
			msg->skip = false;
			kept++;
		} else {
			msg->state = AVAILABLE;
			msg->conn = -1;
			msg->md.BackoutCount++;
		}
	}
	return kept;
}

/* U-GRP-2..4, G-MSB-6, G-MSB-9 */
static void back_handle(struct handle *h, bool kept)
{
	if (h->put_saved)
		h->put = h->put_before;
	h->put_saved = false;
	if (h->get_saved && !(kept && h->skip_last))
		h->get = h->get_before;
	if (!(kept && h->skip_get))
		h->get_saved = false;
	h->skip_get = false;
	h->skip_last = false;
}

struct rc model_back(struct model *m, int conn)
{
	int i, kept = back_messages(m, conn);
	struct conn *c = &m->c[conn];

	for (i = 0; i < MODEL_HANDLES; i++)
		if (m->h[i].open && m->h[i].conn == conn)
			back_handle(&m->h[i], kept);
	end_uow(c);
	if (kept) {
		c->uow = true;
		c->count = kept;	/* G-MSB-11 */
	}
	return model_ok();
}

/* O-DISC-1, O-DISC-4: close, then commit. */
struct rc model_disc(struct model *m, int conn)
{
	int i;

	for (i = 0; i < MODEL_HANDLES; i++)
		if (m->h[i].open && m->h[i].conn == conn)
			model_close(m, i);
	return model_commit(m, conn);
}
