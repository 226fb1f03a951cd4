/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * model: the queue as a list in physical order, handles, placeholders.
 */
#include <stdio.h>
#include <stdlib.h>
#include "model.h"

bool model_all_zero(const void *p, size_t n)
{
	const unsigned char *b = p;

	while (n--)
		if (*b++)
			return false;
	return true;
}

bool model_id_is(const MQBYTE *a, const MQBYTE *b)
{
	return !memcmp(a, b, 24);
}

/* A null ends the text, what follows becomes blanks (M-MD-6, P-CTX-7). */
void model_blank_pad(MQCHAR *field, size_t n)
{
	size_t i;

	for (i = 0; i < n && field[i]; i++)
		;
	memset(field + i, ' ', n - i);
}

void model_init(struct model *m)
{
	memset(m, 0, sizeof(*m));
	m->fifo = true;
	m->shareable = true;
	m->max_depth = 5000;
	m->max_length = 4194304;
	m->max_uncommitted = 10000;
}

void model_clear(struct model *m)
{
	while (m->first)
		model_remove(m, m->first);
}

/* --- the list ------------------------------------------------------------- */

static bool before(const struct key *a, const struct key *b)
{
	return a->pri != b->pri ? a->pri > b->pri : a->arrival < b->arrival;
}

/* A key that is not set is the place before the first message. */
bool model_after(const struct message *msg, const struct key *key)
{
	return !key || !key->set || before(key, &msg->key);
}

/* M-STO-2, G-PHY-1 */
struct message *model_insert(struct model *m, const MQMD *md, const void *data,
			     MQLONG len, MQLONG pri, long arrival)
{
	struct message *msg = calloc(1, sizeof(*msg)), **at;

	msg->md = *md;
	msg->data = malloc(len ? len : 1);
	memcpy(msg->data, data, len);
	msg->len = len;
	msg->key = (struct key){ true, pri, arrival };
	msg->lock = -1;
	msg->conn = -1;
	model_placeholder(m, msg->token, 16);
	for (at = &m->first; *at && before(&(*at)->key, &msg->key);
	     at = &(*at)->next)
		;
	msg->next = *at;
	*at = msg;
	return msg;
}

void model_remove(struct model *m, struct message *msg)
{
	struct message **at;

	for (at = &m->first; *at != msg; at = &(*at)->next)
		;
	*at = msg->next;
	free(msg->data);
	free(msg);
}

/* M-STO-6 */
int model_depth(const struct model *m)
{
	const struct message *msg;
	int n = 0;

	for (msg = m->first; msg; msg = msg->next)
		n += msg->state != GET_PENDING;
	return n;
}

/* --- handles -------------------------------------------------------------- */

#define OO_INPUT (MQOO_INPUT_AS_Q_DEF | MQOO_INPUT_SHARED | \
		  MQOO_INPUT_EXCLUSIVE)
#define OO_CONTEXT (MQOO_PASS_IDENTITY_CONTEXT | MQOO_PASS_ALL_CONTEXT | \
		    MQOO_SET_IDENTITY_CONTEXT | MQOO_SET_ALL_CONTEXT)

/* O-OPEN-1 */
static bool open_options_wrong(MQLONG o)
{
	MQLONG input = o & OO_INPUT;
	MQLONG bind = o & (MQOO_BIND_ON_OPEN | MQOO_BIND_NOT_FIXED |
			   MQOO_BIND_ON_GROUP);
	MQLONG ahead = o & (MQOO_READ_AHEAD | MQOO_NO_READ_AHEAD);

	if ((o & ~0x7fffff) || (bind & (bind - 1)) || (ahead & (ahead - 1)))
		return true;
	if (!(o & (OO_INPUT | MQOO_BROWSE | MQOO_INQUIRE | MQOO_OUTPUT |
		   MQOO_SET)))
		return true;
	if (input & (input - 1))
		return true;
	if ((o & MQOO_SAVE_ALL_CONTEXT) && !input)
		return true;
	if ((o & (OO_CONTEXT | MQOO_NO_MULTICAST)) && !(o & MQOO_OUTPUT))
		return true;
	return (o & MQOO_CO_OP) && !(o & MQOO_BROWSE);
}

/* O-OPEN-3, O-OPEN-4; the default is shared input here. */
static bool in_use(const struct model *m, MQLONG o)
{
	bool exclusive = (o & MQOO_INPUT_EXCLUSIVE) || !m->shareable;
	int i;

	if (!(o & OO_INPUT))
		return false;
	for (i = 0; i < MODEL_HANDLES; i++) {
		if (!m->h[i].open || !(m->h[i].options & OO_INPUT))
			continue;
		if (exclusive || (m->h[i].options & MQOO_INPUT_EXCLUSIVE))
			return true;
	}
	return false;
}

struct rc model_open(struct model *m, int conn, int handle, MQLONG options)
{
	struct handle *h = &m->h[handle];

	if (open_options_wrong(options))
		return model_fail(MQRC_OPTIONS_ERROR);
	if (in_use(m, options))
		return model_fail(MQRC_OBJECT_IN_USE);
	memset(h, 0, sizeof(*h));
	h->open = true;
	h->conn = conn;
	h->options = options;
	if (!m->shareable && (options & OO_INPUT))
		h->options |= MQOO_INPUT_EXCLUSIVE;
	return model_ok();
}

bool model_holds_lock(const struct model *m, int handle)
{
	const struct message *msg;

	for (msg = m->first; msg; msg = msg->next)
		if (msg->lock == handle)
			return true;
	return false;
}

void model_unlock(struct model *m, int handle)
{
	struct message *msg;

	for (msg = m->first; msg; msg = msg->next)
		if (msg->lock == handle)
			msg->lock = -1;
}

static bool any_co_op(const struct model *m)
{
	int i;

	for (i = 0; i < MODEL_HANDLES; i++)
		if (m->h[i].open && (m->h[i].options & MQOO_CO_OP))
			return true;
	return false;
}

/* O-CLOSE-7, G-ORD-18 */
static MQLONG unfinished(const struct info *i)
{
	if (!i->logical)
		return 0;
	return i->cur_msg ? MQRC_INCOMPLETE_MSG :
	       i->cur_group ? MQRC_INCOMPLETE_GROUP : 0;
}

static MQLONG close_warning(const struct handle *h)
{
	MQLONG a = unfinished(&h->put), b = unfinished(&h->get);

	if (a == MQRC_INCOMPLETE_MSG || b == MQRC_INCOMPLETE_MSG)
		return MQRC_INCOMPLETE_MSG;
	return a ? a : b;
}

/* G-CLO-1, G-MRK-4, G-MRK-7 */
struct rc model_close(struct model *m, int handle)
{
	struct handle *h = &m->h[handle];
	struct message *msg;
	struct rc r;

	if (!h->open)
		return model_fail(MQRC_HOBJ_ERROR);
	r = model_warn(close_warning(h));
	model_unlock(m, handle);
	h->open = false;
	for (msg = m->first; msg; msg = msg->next) {
		msg->marked[handle] = false;
		if (!any_co_op(m))
			msg->co_op = false;
	}
	return r;
}

/* --- placeholders --------------------------------------------------------- */

#define PLACEHOLDER "\1?"

/* @len is 16 or 24. */
void model_placeholder(struct model *m, void *field, size_t len)
{
	char text[32] = PLACEHOLDER;

	snprintf(text + 2, sizeof(text) - 2, "%0*ld", (int)len - 2,
		 ++m->placeholders);
	memcpy(field, text, len);
}

bool model_is_placeholder(const void *field)
{
	return !memcmp(field, PLACEHOLDER, 2);
}

static void learn_in(void *field, const void *placeholder, const void *value,
		     size_t len)
{
	if (!memcmp(field, placeholder, len))
		memcpy(field, value, len);
}

static void learn_md(MQMD *md, const void *placeholder, const void *value,
		     size_t len)
{
	if (len == 16) {
		learn_in((char *)md + MODEL_TIME, placeholder, value, len);
		return;
	}
	learn_in(md->MsgId, placeholder, value, len);
	learn_in(md->CorrelId, placeholder, value, len);
	learn_in(md->GroupId, placeholder, value, len);
}

static void learn_handle(struct handle *h, const void *placeholder,
			 const void *value, size_t len)
{
	learn_md(&h->context, placeholder, value, len);
	if (len != 24)
		return;
	learn_in(h->put.gid, placeholder, value, len);
	learn_in(h->get.gid, placeholder, value, len);
	learn_in(h->browse.gid, placeholder, value, len);
	learn_in(h->put_before.gid, placeholder, value, len);
	learn_in(h->get_before.gid, placeholder, value, len);
}

void model_learn(struct model *m, const void *placeholder, const void *value,
		 size_t len)
{
	struct message *msg;
	MQBYTE p[24];
	int i;

	memcpy(p, placeholder, len);
	for (msg = m->first; msg; msg = msg->next) {
		learn_md(&msg->md, p, value, len);
		if (len == 16)
			learn_in(msg->token, p, value, len);
	}
	for (i = 0; i < MODEL_HANDLES; i++)
		learn_handle(&m->h[i], p, value, len);
}
