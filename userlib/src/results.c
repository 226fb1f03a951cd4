// SPDX-License-Identifier: MIT
/*
 * What came of the destinations of a list, one by one and as a whole.
 */
#include "results.h"

void kmq_results_clear(struct kmq_results *r)
{
	r->count = 0;
	r->known = 0;
	r->unknown = 0;
	r->invalid = 0;
}

void kmq_results_add(struct kmq_results *r, MQLONG comp_code, MQLONG reason,
		     bool remote)
{
	r->each[r->count].CompCode = comp_code;
	r->each[r->count].Reason = reason;
	r->count++;
	if (comp_code == MQCC_FAILED)
		r->invalid++;
	else if (remote)
		r->unknown++;
	else
		r->known++;
}

static bool all_the_same(const struct kmq_results *r)
{
	MQLONG i;

	for (i = 1; i < r->count; i++)
		if (r->each[i].CompCode != r->each[0].CompCode ||
		    r->each[i].Reason != r->each[0].Reason)
			return false;
	return true;
}

MQLONG kmq_results_total(const struct kmq_results *r, MQRR *responses,
			 MQLONG count, PMQLONG reason)
{
	if (all_the_same(r)) {
		*reason = r->each[0].Reason;
		return r->each[0].CompCode;
	}
	if (responses)
		memcpy(responses, r->each,
		       (count < r->count ? count : r->count) *
			       sizeof(*responses));
	*reason = MQRC_MULTIPLE_REASONS;
	return r->invalid < r->count ? MQCC_WARNING : MQCC_FAILED;
}
