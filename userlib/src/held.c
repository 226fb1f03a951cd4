// SPDX-License-Identifier: MIT
/*
 * See held.h.
 */
#include "held.h"

#include <endian.h>
#include <stdlib.h>
#include <time.h>

#include "device.h"
#include "md.h"

/*
 * Puts of a unit that are made at once, so that a program that makes few is
 * not slower: fewer if the unit before had many.
 */
#define FIRST	2
#define FEW	8
#define MANY	16

#define NEW_IDS		(MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID)
#define PLAIN_OPTIONS	(MQPMO_SYNCPOINT | NEW_IDS | MQPMO_ASYNC_RESPONSE | \
			 MQPMO_FAIL_IF_QUIESCING | MQPMO_DEFAULT_CONTEXT)

/* Nothing about it that the kernel would have to look at twice. */
static bool is_plain(const struct kmq_conn *c, const struct kmq_object *o,
		     const struct kmq_put_call *call)
{
	const struct kmq_put *p = &call->put;

	return c->sharing == KMQ_SHARE_NONE && !c->shown && !o->remote &&
	       p->pmo_version && p->md_version && !p->flags && !p->present &&
	       (p->options & MQPMO_SYNCPOINT) &&
	       !(p->options & ~PLAIN_OPTIONS) &&
	       (p->pmo_version < MQPMO_VERSION_2 || !kmq_put_is_special(call));
}

/* The descriptors up to the identifiers. */
static bool same_head(const struct kmq_md *a, const struct kmq_md *b)
{
	return !kmq_md_differ(a, b, offsetof(struct kmq_md, msg_id));
}

static bool is_usual(const struct kmq_held *h, const struct kmq_conn *c,
		     const struct kmq_object *o, const struct kmq_put *p)
{
	return h->object == o && h->unit == c->unit &&
	       h->options == p->options && h->pmo_version == p->pmo_version &&
	       h->md_version == p->md_version && same_head(&h->given, &p->md);
}

/* What the next ones have to be like, if this one goes well. */
static void learn(struct kmq_held *h, const struct kmq_conn *c,
		  struct kmq_object *o, const struct kmq_put *p)
{
	h->before = h->object == o ? h->alike : 0;
	h->object = o;
	h->unit = c->unit;
	h->alike = 0;
	h->options = p->options;
	h->pmo_version = p->pmo_version;
	h->md_version = p->md_version;
	h->given = p->md;
}

static bool is_due(const struct kmq_held *h)
{
	return h->alike >= (h->before >= MANY ? FIRST : FEW) &&
	       h->stored.expiry == MQEI_UNLIMITED;
}

/*
 * Ask the kernel whether it would take a whole batch, and for identifiers. If
 * others put as much at the same time it still would. If it would not, some
 * puts are made at once before it is asked again.
 */
static bool look(struct kmq_held *h)
{
	struct kmq_put_room room = {
		.size = sizeof(room),
		.ids = h->ids < 2 * KMQ_HELD_MAX ? 8 * KMQ_HELD_MAX : 0,
	};

	if (kmq_ioctl(h->object->fd, KMQ_IOC_PUT_ROOM, &room) ||
	    room.out_comp_code != MQCC_OK ||
	    room.out_msgs < 2 * KMQ_HELD_MAX) {
		h->alike = 0;
		h->before = 0;
		return false;
	}
	h->longest = room.out_max_length < KMQ_HELD_LONGEST ?
			     room.out_max_length : KMQ_HELD_LONGEST;
	if (room.ids) {
		h->next_id = room.out_first_id;
		h->ids = room.ids;
	}
	return true;
}

static bool fits(struct kmq_conn *c, const struct kmq_put *p)
{
	struct kmq_held *h = c->held;

	if (p->length < 0 || p->length > KMQ_HELD_LONGEST ||
	    (p->length && !p->data))
		return false;
	if ((uint32_t)p->length > KMQ_HELD_BYTES - h->bytes)
		kmq_held_flush(c);
	if (!h->count && !look(h))
		return false;
	return (uint32_t)p->length <= h->longest;
}

/* M-ID-2, M-ID-3 */
static void new_id(struct kmq_held *h, const struct kmq_conn *c, uint8_t *id)
{
	uint64_t number = htobe64(h->next_id++);
	const size_t prefix = KMQ_ID_LEN - sizeof(number);

	memcpy(id, c->id, prefix);
	memcpy(id + prefix, &number, sizeof(number));
	h->ids--;
}

/*
 * Those that are made at once get theirs here, too, as far as there are any: to
 * the kernel they are then the same as those that are held, and it need not
 * check any of them in full.
 */
static void set_ids(struct kmq_held *h, const struct kmq_conn *c,
		    struct kmq_put *p)
{
	static const uint8_t none[KMQ_ID_LEN];

	if (h->ids < 2)
		return;
	if (p->options & MQPMO_NEW_MSG_ID ||
	    !memcmp(p->md.msg_id, none, sizeof(none)))
		new_id(h, c, p->md.msg_id);
	if (p->options & MQPMO_NEW_CORREL_ID)
		new_id(h, c, p->md.correl_id);
	p->options &= ~NEW_IDS;
}

/* The clock that the kernel takes the time of a put from. */
static uint64_t put_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME_COARSE, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void hold(struct kmq_held *h, struct kmq_conn *c,
		 struct kmq_put_call *call)
{
	char *data = h->data + h->bytes;
	struct kmq_put *p = &call->put;

	memcpy(data, (const void *)(uintptr_t)p->data, p->length);
	set_ids(h, c, p);
	p->data = (uintptr_t)data;
	p->ext = 0;
	h->puts[h->count++] = *p;
	h->bytes += p->length;
	h->alike++;
	c->holds = true;

	memcpy(&p->md, &h->stored, offsetof(struct kmq_md, msg_id));
	p->out_present = 0;
	p->out_put_time = put_time();
	kmq_put_finish(call, c, false, h->object->resolved_q);
}

/* As many as the kernel carries out at one go. Return: how many. */
static uint32_t make(struct kmq_held *h, struct kmq_put *puts, uint32_t count)
{
	struct kmq_vec vec = {
		.size = sizeof(vec),
		.count = count,
		.stride = sizeof(*puts),
		.entries = (uintptr_t)puts,
	};
	int err = kmq_ioctl(h->object->fd, KMQ_IOC_PUTV, &vec);

	if (likely(!err && vec.out_done))
		return vec.out_done;
	puts->out_comp_code = MQCC_FAILED;
	puts->out_reason = err ? kmq_object_reason(err) :
				 MQRC_UNEXPECTED_ERROR;
	return 1;
}

static void count(struct kmq_conn *c, const struct kmq_object *o,
		  MQLONG comp_code, MQLONG reason)
{
	kmq_stat_count(&c->stat, comp_code, reason, o->name, o->qmgr_name,
		       o->resolved_q, o->resolved_qmgr);
}

static void made(struct kmq_conn *c, const struct kmq_object *o,
		 const struct kmq_put *p)
{
	if (p->out_comp_code == MQCC_FAILED)
		c->lost = true;
	count(c, o, p->out_comp_code, p->out_reason);
}

/* One that fails does not keep those behind it from being tried. */
void kmq_held_flush(struct kmq_conn *c)
{
	struct kmq_held *h = c->held;
	uint32_t at, done;

	if (!c->holds)
		return;
	c->holds = false;
	for (at = 0; at < h->count; at += done) {
		uint32_t i;

		done = make(h, h->puts + at, h->count - at);
		for (i = 0; i < done; i++)
			made(c, h->object, &h->puts[at + i]);
	}
	h->count = 0;
	h->bytes = 0;
}

static struct kmq_held *held_of(struct kmq_conn *c)
{
	if (!c->held) {
		c->held = malloc(sizeof(*c->held));
		if (c->held)
			memset(c->held, 0, offsetof(struct kmq_held, puts));
	}
	return c->held;
}

bool kmq_held_take(struct kmq_conn *c, struct kmq_object *o,
		   struct kmq_put_call *call)
{
	struct kmq_held *h;

	if (!is_plain(c, o, call)) {
		kmq_held_flush(c);
		kmq_held_forget(c, o);
		return false;
	}
	h = held_of(c);
	if (!h)
		return false;
	if (!is_usual(h, c, o, &call->put)) {
		kmq_held_flush(c);
		learn(h, c, o, &call->put);
		set_ids(h, c, &call->put);
		return false;
	}
	if (c->lost || !is_due(h) || !fits(c, &call->put)) {
		set_ids(h, c, &call->put);
		return false;
	}
	hold(h, c, call);
	if (h->count == KMQ_HELD_MAX)
		kmq_held_flush(c);
	return true;
}

void kmq_held_made(struct kmq_conn *c, const struct kmq_object *o,
		   const struct kmq_put_call *call, MQLONG comp_code,
		   MQLONG reason)
{
	struct kmq_held *h = c->held;

	count(c, o, comp_code, reason);
	if (!h || h->object != o)
		return;
	if (comp_code != MQCC_OK)
		h->object = NULL;
	else if (!h->alike++)
		h->stored = call->put.md;
}

void kmq_held_forget(struct kmq_conn *c, const struct kmq_object *o)
{
	if (c->held && c->held->object == o)
		c->held->object = NULL;
}

void kmq_held_free(struct kmq_conn *c)
{
	free(c->held);
	c->held = NULL;
	c->holds = false;
}
