// SPDX-License-Identifier: MIT
/*
 * See ahead.h.
 */
#include "ahead.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device.h"

/* A longer message costs more to copy than it saves. */
#define SLOT		4096
#define PATIENCE_MAX	64

/* Gets that take whatever comes next, and leave nothing else behind. */
#define OPTIONS		(MQGMO_WAIT | MQGMO_SYNCPOINT | MQGMO_NO_SYNCPOINT | \
			 MQGMO_ACCEPT_TRUNCATED_MSG |			    \
			 MQGMO_FAIL_IF_QUIESCING | MQGMO_CONVERT)
#define MATCH		(MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID)

struct kmq_ahead *kmq_ahead_new(void)
{
	struct kmq_ahead *a = calloc(1, sizeof(*a));

	if (a) {
		a->want = 2;
		a->patience = 1;
	}
	return a;
}

void kmq_ahead_free(struct kmq_ahead *a)
{
	if (!a)
		return;
	if (a->word)
		munmap(a->word, sysconf(_SC_PAGESIZE));
	free(a->room);
	free(a);
}

/* Everything it needs, when it is first needed. */
KMQ_SLOW bool set_up(struct kmq_ahead *a, int fd)
{
	if (!a->room)
		a->room = malloc(sizeof(*a->room) + KMQ_AHEAD_MAX * SLOT);
	if (a->room && !a->word)
		a->word = kmq_dev_window(fd);
	a->never = !a->room || !a->word;
	return !a->never;
}

static bool is_null(const uint8_t *id)
{
	static const uint8_t null[KMQ_ID_LEN];

	return !memcmp(id, null, sizeof(null));
}

/* Does it take whatever comes next? */
static bool takes_any(const struct kmq_get *g)
{
	return (!(g->match_options & MQMO_MATCH_MSG_ID) ||
		is_null(g->md.msg_id)) &&
	       (!(g->match_options & MQMO_MATCH_CORREL_ID) ||
		is_null(g->md.correl_id));
}

static bool same_kind(const struct kmq_ahead *a, const struct kmq_get *g)
{
	return a->options == (g->options & ~MQGMO_WAIT) &&
	       a->match_options == g->match_options &&
	       a->gmo_version == g->gmo_version &&
	       a->md_version == g->md_version;
}

/* Nothing in it that the kernel would find fault with, now or this time. */
static bool is_alike(const struct kmq_ahead *a, const struct kmq_get_call *call)
{
	const struct kmq_get *g = &call->get;

	return same_kind(a, g) && !g->flags && takes_any(g) && g->length >= 0 &&
	       (g->data || !g->length) &&
	       (g->wait_interval >= 0 || g->wait_interval == MQWI_UNLIMITED) &&
	       (g->gmo_version < MQGMO_VERSION_4 ||
		call->gmo->MsgHandle == MQHM_NONE);
}

/* The first entry, for which the others are written, too. */
static void ask(struct kmq_ahead *a, struct kmq_object *o)
{
	struct kmq_ahead_entry *first = a->room->entries;

	first->get = (struct kmq_get){
		.size = sizeof(first->get),
		.options = a->options,
		.match_options = a->match_options,
		.gmo_version = a->gmo_version,
		.md_version = a->md_version,
		.length = SLOT,
		.data = (uintptr_t)a->room->data,
		.ext = (uintptr_t)&first->ext,
		.ctx_id = o->ctx_id,
	};
	a->sent_id = o->ctx_id;
	a->sent = o->origin;
}

/* What the number of messages says about the next window. */
static void learn(struct kmq_ahead *a)
{
	if (a->count > 1)
		a->patience = 1;
	else if (a->patience < PATIENCE_MAX)
		a->patience *= 2;
	/* The queue is at its end then: look whether there is more first. */
	if (a->count < a->asked)
		a->alike = 0;
	if (a->count == a->asked && a->want < KMQ_AHEAD_MAX)
		a->want *= 2;
	else if (a->count < a->asked)
		a->want = a->count > 2 ? a->count : 2;
}

static bool look(struct kmq_ahead *a, struct kmq_object *o)
{
	struct kmq_vec vec = {
		.size = sizeof(vec),
		.flags = KMQ_VEC_AHEAD,
		.stride = sizeof(struct kmq_ahead_entry),
		.count = a->want,
	};

	if (!a->word && !set_up(a, o->fd))
		return false;
	ask(a, o);
	vec.entries = (uintptr_t)a->room->entries;
	a->at = 0;
	a->asked = a->want;
	a->count = kmq_ioctl(o->fd, KMQ_IOC_GETV, &vec) ? 0 : vec.out_done;
	a->expected = (uint64_t)vec.out_window << KMQ_WINDOW_NUMBER_SHIFT;
	learn(a);
	return a->count;
}

/* The window has ended: what others do to the queue matters. */
static void lost(struct kmq_ahead *a)
{
	a->at = 0;
	a->count = 0;
	a->want = 2;
	a->alike = 0;
}

static bool claim(struct kmq_ahead *a)
{
	uint64_t expected = a->expected;

	if (unlikely(!__atomic_compare_exchange_n(a->word, &expected,
						  expected + 1, false,
						  __ATOMIC_SEQ_CST,
						  __ATOMIC_SEQ_CST))) {
		lost(a);
		return false;
	}
	a->expected++;
	a->at++;
	return true;
}

/* What the kernel would have written for the get. */
static void deliver(struct kmq_ahead *a, struct kmq_object *o,
		    struct kmq_get_call *call, uint32_t i)
{
	const struct kmq_ahead_entry *e = &a->room->entries[i];
	const size_t from = offsetof(struct kmq_get, token);
	struct kmq_get *g = &call->get;

	memcpy((char *)g + from, (const char *)&e->get + from,
	       sizeof(*g) - from);
	g->out_comp_code = MQCC_OK;
	g->out_reason = MQRC_NONE;
	memcpy(call->buffer, a->room->data + (size_t)i * SLOT,
	       g->out_data_length);
	if (unlikely(g->out_present))
		call->ext = e->ext;
	if (unlikely(o->ctx_id != a->sent_id &&
		     !(g->out_present & KMQ_MD_CONTEXT)))
		kmq_object_set_origin(o, &a->sent, a->sent_id);
}

bool kmq_ahead_get(struct kmq_ahead *a, struct kmq_object *o,
		   struct kmq_get_call *call)
{
	uint32_t i;

	if (a->at == a->count &&
	    (a->alike < a->patience || a->never || !is_alike(a, call) ||
	     !look(a, o)))
		return false;
	i = a->at;
	if (!is_alike(a, call) ||
	    a->room->entries[i].get.out_data_length > call->get.length ||
	    !claim(a))
		return false;
	deliver(a, o, call, i);
	return true;
}

void kmq_ahead_made(struct kmq_ahead *a, const struct kmq_get_call *call,
		    MQLONG comp_code)
{
	const struct kmq_get *g = &call->get;

	/* Whatever it was, no window is left. */
	a->at = 0;
	a->count = 0;
	if (comp_code != MQCC_OK || g->options & ~OPTIONS) {
		a->alike = 0;
		return;
	}
	if (a->alike && same_kind(a, g)) {
		a->alike++;
		return;
	}
	a->options = g->options & ~MQGMO_WAIT;
	a->match_options = g->match_options;
	a->gmo_version = g->gmo_version;
	a->md_version = g->md_version;
	/* Its identifiers are those of the message by now. */
	a->alike = !(g->match_options & ~MATCH) && !g->flags;
}
