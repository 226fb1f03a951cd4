/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * See cb.h.
 */
#include "cb.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* So long that it ends nothing but a test that has failed. */
#define HEARD_SECONDS	300

/* The log */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static char text[4096];

static void say(const char *word)
{
	pthread_mutex_lock(&lock);
	if (text[0])
		strcat(text, " ");
	if (strlen(text) + strlen(word) + 2 < sizeof(text))
		strcat(text, word);
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static unsigned int words(const char *s)
{
	unsigned int n = *s != 0;

	for (; *s; s++)
		n += *s == ' ';
	return n;
}

const char *heard(const char *want)
{
	static char copy[sizeof(text)];
	struct timespec until;
	int err = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += HEARD_SECONDS;
	pthread_mutex_lock(&lock);
	while (words(text) < words(want) && !err)
		err = pthread_cond_timedwait(&changed, &lock, &until);
	strcpy(copy, text);
	pthread_mutex_unlock(&lock);
	return copy;
}

unsigned int words_heard(void)
{
	unsigned int n;

	pthread_mutex_lock(&lock);
	n = words(text);
	pthread_mutex_unlock(&lock);
	return n;
}

void forget(void)
{
	pthread_mutex_lock(&lock);
	text[0] = 0;
	pthread_mutex_unlock(&lock);
}

/* The callback */

struct target one = { .tag = "" }, two = { .tag = "2:" };
struct target handler = { .tag = "!" };
int area;

static const char *call_name(MQLONG type)
{
	switch (type) {
	case MQCBCT_START_CALL:
		return "start";
	case MQCBCT_STOP_CALL:
		return "stop";
	case MQCBCT_REGISTER_CALL:
		return "reg";
	case MQCBCT_DEREGISTER_CALL:
		return "dereg";
	default:
		return "?";
	}
}

static void message_word(struct target *t, char *word, MQMD *md, MQGMO *gmo,
			 void *buf, MQCBC *cbc)
{
	const char *name = id_name(md->MsgId);
	MQLONG here = cbc->DataLength < cbc->BufferLength ? cbc->DataLength :
							   cbc->BufferLength;

	sprintf(word, "%s%s%s", t->tag,
		cbc->CallType == MQCBCT_MSG_REMOVED ? "" : "~", name);
	if (cbc->Reason)
		sprintf(word + strlen(word), "W%d", (int)cbc->Reason);
	if (cbc->State)
		sprintf(word + strlen(word), "/%d", (int)cbc->State);
	/* A-CBC-2, A-CBC-5 */
	t->faults += cbc->CompCode != (cbc->Reason ? 1 : 0);
	t->faults += !filled(buf, name, here);
	t->faults += cbc->Hobj != t->ho;
	t->faults += gmo->Version < MQGMO_VERSION_3;
	t->faults += cbc->Reason != MQRC_TRUNCATED_MSG_FAILED &&
		     all_zero(gmo->MsgToken, sizeof(gmo->MsgToken));
}

static void other_word(struct target *t, char *word, void *md, void *gmo,
		       void *buf, MQCBC *cbc)
{
	bool event = cbc->CallType == MQCBCT_EVENT_CALL;

	if (event)
		sprintf(word, "%sE%d", t->tag, (int)cbc->Reason);
	else
		sprintf(word, "%s%s", t->tag, call_name(cbc->CallType));
	if (cbc->State)
		sprintf(word + strlen(word), "/%d", (int)cbc->State);
	/* UC-076 */
	t->faults += md || gmo || buf || cbc->DataLength || cbc->BufferLength;
	t->faults += cbc->Hobj != (t == &handler ? MQHO_NONE : t->ho);
	t->faults += cbc->CompCode != (event ? MQCC_FAILED : MQCC_OK);
}

void on_call(MQHCONN h, PMQVOID md, PMQVOID gmo, PMQVOID buf, PMQCBC cbc)
{
	struct target *t = cbc->CallbackArea;
	char word[128];

	if (cbc->CallType == MQCBCT_MSG_REMOVED ||
	    cbc->CallType == MQCBCT_MSG_NOT_REMOVED)
		message_word(t, word, md, gmo, buf, cbc);
	else
		other_word(t, word, md, gmo, buf, cbc);
	t->last = *cbc;
	t->faults += memcmp(cbc->StrucId, MQCBC_STRUC_ID, 4) != 0;
	if (cbc->ConnectionArea)
		t->faults += cbc->ConnectionArea != &area;
	if (t->act)
		t->act(h, md, gmo, cbc);
	say(word);
}

/* The calls */

MQMD want_md;
MQGMO want_gmo;
MQLONG want_length;

const char *cb(MQHCONN hc, MQLONG op, MQLONG type, MQLONG options,
		      MQHOBJ ho, struct target *t)
{
	MQCBD cbd = { MQCBD_DEFAULT };
	MQLONG cc = 77, rc = 77;

	cbd.CallbackType = type;
	cbd.Options = options;
	cbd.CallbackArea = t;
	cbd.CallbackFunction = (MQPTR)on_call;
	cbd.MaxMsgLength = want_length;
	t->ho = ho;
	MQCB(hc, op, &cbd, ho, &want_md, &want_gmo, &cc, &rc);
	return outcome(cc, rc);
}

void want(MQLONG options, MQLONG interval)
{
	want_md = (MQMD){ MQMD_DEFAULT };
	want_gmo = (MQGMO){ MQGMO_DEFAULT };
	want_gmo.Version = MQGMO_VERSION_2;
	want_gmo.MatchOptions = MQMO_NONE;
	want_gmo.Options = options;
	want_gmo.WaitInterval = interval;
	want_length = MQCBD_FULL_MSG_LENGTH;
}

const char *consumer(struct mqh *h, struct target *t, MQLONG options)
{
	return cb(h->hc, MQOP_REGISTER, MQCBT_MESSAGE_CONSUMER, options,
		  h->ho, t);
}

const char *consumer_op(struct mqh *h, MQLONG op)
{
	return cb(h->hc, op, MQCBT_MESSAGE_CONSUMER, 0, h->ho, &one);
}

const char *events(MQHCONN hc, MQLONG options)
{
	return cb(hc, MQOP_REGISTER, MQCBT_EVENT_HANDLER, options, MQHO_NONE,
		  &handler);
}

const char *ctl(MQHCONN hc, MQLONG op)
{
	MQCTLO ctlo = { MQCTLO_DEFAULT };
	MQLONG cc = 77, rc = 77;

	ctlo.ConnectionArea = &area;
	MQCTL(hc, op, &ctlo, &cc, &rc);
	return outcome(cc, rc);
}
