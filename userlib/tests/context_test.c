// SPDX-License-Identifier: MIT
/*
 * PutDate and PutTime, user names.
 */
#include "fake.h"

#include <stdlib.h>
#include <time.h>

#include "../src/context.h"

#define SECOND	1000000000ULL

static void check_time(struct kmq_clock *clock, uint64_t ns)
{
	time_t t = ns / SECOND;
	char want[32], got[17] = "";
	struct tm tm;

	gmtime_r(&t, &tm);
	strftime(want, sizeof(want), "%Y%m%d%H%M%S", &tm);
	sprintf(want + 14, "%02u", (unsigned int)(ns % SECOND / 10000000));
	kmq_clock_show(clock, ns, got);
	CHECK(!strcmp(want, got));
	if (strcmp(want, got))
		printf("# %s %s\n", want, got);
}

/* P-CTX-5 */
static void dates(void)
{
	struct kmq_clock clock = { 0 };
	uint64_t day, ns;
	int i;

	/* Every day to 2170, first and last moment. */
	for (day = 1; day < 200 * 365; day++) {
		check_time(&clock, day * 86400 * SECOND);
		check_time(&clock, (day + 1) * 86400 * SECOND - 1);
	}
	srand(1);
	for (i = 0; i < 100000; i++) {
		ns = ((uint64_t)rand() << 31 | rand()) % (1ULL << 62);
		check_time(&clock, SECOND + ns);
		check_time(&clock, SECOND + ns + rand() % SECOND);
		check_time(&clock, SECOND + ns - rand() % SECOND);
	}
}

static void users(void)
{
	struct kmq_context ctx = fake_context();
	struct kmq_origin origin;

	kmq_origin_set(&origin, &ctx);
	TEXT("root", origin.user);
	TEXT("fake", origin.appl_name);
	INT(MQAT_UNIX, origin.appl_type);
	ctx.uid = 4123456789;
	kmq_origin_set(&origin, &ctx);
	TEXT("4123456789", origin.user);
	ctx.flags = 0;
	memcpy(ctx.user_id, "someone     ", 12);
	kmq_origin_set(&origin, &ctx);
	TEXT("someone", origin.user);
}

static void own_date(void)
{
	struct kmq_md_ext ext;
	struct kmq_origin origin;
	struct kmq_clock clock = { 0 };
	uint64_t dated = 0;

	memcpy(ext.put_date, "20010203", 8);
	memcpy(ext.put_time, "04050607", 8);
	kmq_origin_date(&origin, &dated, &clock, 0, &ext, KMQ_MD_DATE);
	TEXT("2001020304050607", origin.date_time);
	kmq_origin_date(&origin, &dated, &clock, 0, &ext, 0);
	TEXT("", origin.date_time);
	kmq_origin_date(&origin, &dated, &clock, 951782400 * SECOND, &ext, 0);
	TEXT("2000022900000000", origin.date_time);
	/* the same time again, then another one and one of its own between */
	kmq_origin_date(&origin, &dated, &clock, 951782400 * SECOND, &ext, 0);
	TEXT("2000022900000000", origin.date_time);
	kmq_origin_date(&origin, &dated, &clock, 951782401 * SECOND, &ext, 0);
	TEXT("2000022900000100", origin.date_time);
	kmq_origin_date(&origin, &dated, &clock, 0, &ext, KMQ_MD_DATE);
	TEXT("2001020304050607", origin.date_time);
	kmq_origin_date(&origin, &dated, &clock, 951782401 * SECOND, &ext, 0);
	TEXT("2000022900000100", origin.date_time);
}

int main(void)
{
	static const struct test tests[] = {
		TEST(dates),
		TEST(users),
		TEST(own_date),
	};

	return RUN(tests);
}
