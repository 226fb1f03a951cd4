// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What the MQI has to make messages go faster: asynchronous puts, consumers,
 * and MQPUT1 that need not open a queue each time. Cost of one message.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define LENGTH	64
#define GETS	512

/**
 * struct work - messages of one kind
 * @call: what one takes
 * @count: how many in a sample
 * @options: MQPMO_*
 * @start: when the first one had come
 * @end: when the last one had
 * @seen: how many have come
 */
struct work {
	struct q_call call;
	unsigned int count;
	MQLONG options;
	uint64_t start;
	uint64_t end;
	unsigned int seen;
};

static char data[LENGTH];

static void open_work(struct work *work, unsigned int count, MQLONG options,
		      MQLONG open_options)
{
	MQHCONN hc;
	MQHOBJ ho;

	q_define(BENCH_Q, 5000);
	hc = q_connect();
	ho = q_open(hc, BENCH_Q, MQOO_OUTPUT | MQOO_INPUT_SHARED | open_options);
	memset(work, 0, sizeof(*work));
	q_call_init(&work->call, hc, ho, data, sizeof(data));
	work->call.pmo.Options = MQPMO_NEW_MSG_ID | options;
	work->count = count;
	work->options = options;
}

static void close_work(struct work *work)
{
	MQLONG comp_code, reason;

	MQDISC(&work->call.hc, &comp_code, &reason);
	q_remove(BENCH_Q);
}

static void fill(struct work *work, unsigned int count)
{
	const struct fill fill = {
		.hc = work->call.hc, .ho = work->call.ho, .length = LENGTH,
	};

	fill_queue(&fill, 0, count);
}

static void drain(struct work *work)
{
	while (q_try_get(&work->call))
		;
}

/* The cost of one message when @fn does @work->count of them. */
static struct cost cost_of_one(struct work *work, void (*fn)(void *arg),
			       void (*before)(struct work *work),
			       void (*after)(struct work *work))
{
	size_t samples = 101 / bench_hurry, i;
	double *sample = calloc(samples, sizeof(*sample));
	struct cost cost;

	if (!sample)
		die("no memory");
	/* The first time is practice. */
	for (i = 0; i <= samples; i++) {
		double time;

		if (before)
			before(work);
		time = time_of(fn, work);
		if (work->end)
			time = work->end - work->start;
		if (i)
			sample[i - 1] = time / work->count;
		if (after)
			after(work);
	}
	cost = cost_of(sample, samples);
	free(sample);
	return cost;
}

/* The end of @work, and its row. Return: the median. */
static double end_work(struct work *work, struct row *row, const char *to)
{
	row->to = row->base ? to : NULL;
	close_work(work);
	out_row(row);
	return row->cost.median;
}

/* --- puts ------------------------------------------------------------------ */

static void put_unit(void *arg)
{
	MQLONG comp_code, reason;
	struct work *work = arg;
	unsigned int i;

	for (i = 0; i < work->count; i++)
		q_put(&work->call);
	MQCMIT(work->call.hc, &comp_code, &reason);
	if (comp_code != MQCC_OK)
		die("MQCMIT: reason %d", reason);
}

static double unit_row(const char *key, const char *name, unsigned int count,
		       MQLONG options, double base)
{
	struct row row = { .key = key, .name = name, .base = base };
	struct work work;

	open_work(&work, count, MQPMO_SYNCPOINT | options, 0);
	row.cost = cost_of_one(&work, put_unit, NULL, drain);
	return end_work(&work, &row, "synchronous");
}

static void run_units(void)
{
	double sync;

	out_title("MQPUT in units of work, with its share of MQCMIT");
	sync = unit_row("mqi.put.100", "100 messages in a unit", 100, 0, 0);
	unit_row("mqi.put_async.100", "the same, MQPMO_ASYNC_RESPONSE", 100,
		 MQPMO_ASYNC_RESPONSE, sync);
	sync = unit_row("mqi.put.20", "20 messages in a unit", 20, 0, 0);
	unit_row("mqi.put_async.20", "the same, MQPMO_ASYNC_RESPONSE", 20,
		 MQPMO_ASYNC_RESPONSE, sync);
	sync = unit_row("mqi.put.4", "4 messages in a unit", 4, 0, 0);
	unit_row("mqi.put_async.4", "the same, MQPMO_ASYNC_RESPONSE", 4,
		 MQPMO_ASYNC_RESPONSE, sync);
}

/* --- gets ------------------------------------------------------------------ */

static void fill_for_gets(struct work *work)
{
	fill(work, work->count + 1);
	work->seen = 0;
}

static void get_loop(void *arg)
{
	struct work *work = arg;
	unsigned int i;

	q_get(&work->call);
	work->start = now_ns();
	for (i = 0; i < work->count; i++)
		q_get(&work->call);
	work->end = now_ns();
}

static void stop_consuming(struct work *work)
{
	MQCTLO ctlo = { MQCTLO_DEFAULT };
	MQLONG comp_code, reason;

	work->end = now_ns();
	MQCTL(work->call.hc, MQOP_STOP, &ctlo, &comp_code, &reason);
}

static void MQENTRY consume(MQHCONN hc, PMQVOID md, PMQVOID gmo,
			    PMQVOID buffer, PMQCBC context)
{
	struct work *work = context->CallbackArea;

	(void)hc;
	(void)md;
	(void)gmo;
	(void)buffer;
	if (context->CallType != MQCBCT_MSG_REMOVED)
		die("MQCB: reason %d", context->Reason);
	if (!work->seen++)
		work->start = now_ns();
	else if (work->seen > work->count)
		stop_consuming(work);
}

static void register_consumer(struct work *work)
{
	MQCBD cbd = { MQCBD_DEFAULT };
	MQLONG comp_code, reason;

	cbd.CallbackFunction = (MQPTR)(uintptr_t)consume;
	cbd.CallbackArea = work;
	work->call.gmo.Options = MQGMO_NO_SYNCPOINT | MQGMO_WAIT;
	work->call.gmo.WaitInterval = MQWI_UNLIMITED;
	MQCB(work->call.hc, MQOP_REGISTER, &cbd, work->call.ho,
	     &work->call.md, &work->call.gmo, &comp_code, &reason);
	if (comp_code != MQCC_OK)
		die("MQCB: reason %d", reason);
}

static void consume_all(void *arg)
{
	MQCTLO ctlo = { MQCTLO_DEFAULT };
	MQLONG comp_code, reason;
	struct work *work = arg;

	MQCTL(work->call.hc, MQOP_START_WAIT, &ctlo, &comp_code, &reason);
	if (comp_code != MQCC_OK)
		die("MQCTL: reason %d", reason);
}

static double get_row(const char *key, const char *name,
		      void (*fn)(void *arg), MQLONG open_options, double base)
{
	struct row row = { .key = key, .name = name, .base = base };
	struct work work;

	open_work(&work, GETS, MQPMO_NO_SYNCPOINT, open_options);
	if (fn == consume_all)
		register_consumer(&work);
	row.cost = cost_of_one(&work, fn, fill_for_gets, NULL);
	return end_work(&work, &row, "MQGET");
}

/* 32 at a time, which have been got when they are there. */
static double many_row(double base)
{
	struct row row = {
		.key = "mqi.get.many", .name = "kmq_get_many(), 32 at a time",
		.to = "MQGET", .base = base,
	};
	struct batch *batch = batch_open();
	size_t samples = 101 / bench_hurry, i;
	double sample[101];

	for (i = 0; i < samples; i++) {
		batch_put(batch);
		sample[i] = time_of((void (*)(void *))batch_get, batch) / BATCH;
	}
	row.cost = cost_of(sample, samples);
	batch_close(batch);
	out_row(&row);
	return row.cost.median;
}

static void run_gets(void)
{
	double get;

	out_title("Messages of a queue that holds 512, out of syncpoint");
	get = get_row("mqi.get", "MQGET in a loop", get_loop, 0, 0);
	get_row("mqi.get_ahead", "the same, MQOO_READ_AHEAD", get_loop,
		MQOO_READ_AHEAD, get);
	get_row("mqi.consumer", "MQCB and MQCTL START_WAIT", consume_all, 0,
		get);
	many_row(get);
}

/* --- MQPUT1 ---------------------------------------------------------------- */

static void put_one(void *arg)
{
	struct work *work = arg;

	q_put(&work->call);
}

static void put1_one(void *arg)
{
	static const MQOD initial = { MQOD_DEFAULT };
	struct work *work = arg;
	MQLONG comp_code;
	MQOD od = initial;

	q_name(od.ObjectName, BENCH_Q);
	MQPUT1(work->call.hc, &od, &work->call.md, &work->call.pmo, LENGTH,
	       data, &comp_code, &work->call.reason);
	if (comp_code == MQCC_FAILED)
		die("MQPUT1: reason %d", work->call.reason);
}

static void open_put_close(void *arg)
{
	struct work *work = arg;
	struct q_call call = work->call;

	call.ho = q_open(call.hc, BENCH_Q, MQOO_OUTPUT);
	q_put(&call);
	q_close(call.hc, call.ho);
}

static double one_row(const char *key, const char *name,
		      void (*fn)(void *arg), double base)
{
	struct row row = { .key = key, .name = name, .base = base };
	struct work work;

	open_work(&work, 1, MQPMO_NO_SYNCPOINT, 0);
	row.cost = cost_of_one(&work, fn, NULL, drain);
	return end_work(&work, &row, "MQPUT");
}

static void run_put1(void)
{
	double put;

	out_title("One message to a queue");
	put = one_row("mqi.put", "MQPUT", put_one, 0);
	one_row("mqi.put1", "MQPUT1", put1_one, put);
	one_row("mqi.open_put_close", "MQOPEN, MQPUT, MQCLOSE",
		open_put_close, put);
}

void run_mqi(void)
{
	run_units();
	run_gets();
	run_put1();
}
