// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Distribution lists in one line a call.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dl.h"

static void poison(MQRR *rr)
{
	memset(rr, POISON, DL_MAX * sizeof(*rr));
}

void dl_init(struct dl *l, MQHCONN hc, const char *names)
{
	char *copy = strdup(names), *save, *name;

	memset(l, 0, sizeof(*l));
	l->hc = hc;
	l->ho = MQHO_UNUSABLE_HOBJ;
	for (name = strtok_r(copy, " ", &save); name;
	     name = strtok_r(NULL, " ", &save))
		FIELD_SET(l->names[l->n++].ObjectName, name);
	free(copy);
	l->od = (MQOD){ MQOD_DEFAULT };
	l->od.Version = MQOD_VERSION_4;
	l->od.RecsPresent = l->n;
	l->od.ObjectRecPtr = l->names;
	l->od.ResponseRecPtr = l->opened;
	poison(l->opened);
	dl_fresh(l);
}

void dl_fresh(struct dl *l)
{
	l->md = (MQMD){ MQMD_DEFAULT };
	l->md.Version = MQMD_VERSION_2;
	l->pmo = (MQPMO){ MQPMO_DEFAULT };
	l->pmo.Version = MQPMO_VERSION_3;
	l->pmo.RecsPresent = l->n;
	l->pmo.ResponseRecPtr = l->put;
	poison(l->put);
}

const char *dl_open(struct dl *l, MQLONG options)
{
	poison(l->opened);
	MQOPEN(l->hc, &l->od, MQOO_OUTPUT | options, &l->ho, &l->cc, &l->rc);
	return outcome(l->cc, l->rc);
}

const char *dl_close(struct dl *l, MQLONG options)
{
	MQCLOSE(l->hc, &l->ho, options, &l->cc, &l->rc);
	return outcome(l->cc, l->rc);
}

const char *dl_put(struct dl *l, const char *text)
{
	poison(l->put);
	MQPUT(l->hc, l->ho, &l->md, &l->pmo, strlen(text), (char *)text,
	      &l->cc, &l->rc);
	return outcome(l->cc, l->rc);
}

const char *dl_put1(struct dl *l, const char *text)
{
	poison(l->opened);
	poison(l->put);
	MQPUT1(l->hc, &l->od, &l->md, &l->pmo, strlen(text), (char *)text,
	       &l->cc, &l->rc);
	return outcome(l->cc, l->rc);
}

const char *dl_results(const MQRR *rr, int n)
{
	char *answer = answer_buf(), *p = answer;
	MQRR untouched;
	int i;

	memset(&untouched, POISON, sizeof(untouched));
	*p = 0;
	for (i = 0; i < n; i++)
		p += sprintf(p, "%s%s", i ? " " : "",
			     memcmp(&rr[i], &untouched, sizeof(untouched)) ?
			     outcome(rr[i].CompCode, rr[i].Reason) : "-");
	return answer;
}

const char *dl_counts(const MQLONG *known)
{
	char *answer = answer_buf();

	sprintf(answer, "%d %d %d", known[0], known[1], known[2]);
	return answer;
}

const char *dl_take(MQHCONN hc, const char *q, MQMD *md)
{
	char *answer = answer_buf();
	struct mqh *h = opn(hc, q, "i");
	MQGMO gmo = { MQGMO_DEFAULT };
	MQLONG len, cc, rc;

	*md = (MQMD){ MQMD_DEFAULT };
	md->Version = MQMD_VERSION_2;
	MQGET(hc, h->ho, md, &gmo, ANSWER_LEN - 1, answer, &len, &cc, &rc);
	answer[cc == MQCC_OK ? len : 0] = 0;
	shut(h);
	return cc == MQCC_OK ? answer : outcome(cc, rc);
}
