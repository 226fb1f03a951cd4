// SPDX-License-Identifier: MIT
/*
 * Context: login names for numeric user ids, dates for nanoseconds.
 *
 * The last user id that was looked up is kept per thread, so that messages of
 * one sender cost one look-up.
 */
#include "context.h"

#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#define SECOND	1000000000ULL
#define DAY	(86400 * SECOND)

_Static_assert(sizeof(struct kmq_origin) == 128, "as it lies in an MQMD");
_Static_assert(offsetof(MQMD, UserIdentifier) + 128 == offsetof(MQMD, GroupId),
	       "context fields of an MQMD are not together");
_Static_assert(offsetof(struct kmq_origin, date_time) ==
		       offsetof(struct kmq_context, appl_origin),
	       "first fields of the two forms differ");

const char kmq_two_digits[200] =
	"00010203040506070809" "10111213141516171819"
	"20212223242526272829" "30313233343536373839"
	"40414243444546474849" "50515253545556575859"
	"60616263646566676869" "70717273747576777879"
	"80818283848586878889" "90919293949596979899";

static void put_digits(char *text, unsigned int n)
{
	memcpy(text, &kmq_two_digits[2 * n], 2);
}

/*
 * YYYYMMDD of a day counted from 1970-01-01. Counted from 0000-03-01, leap
 * days come last in a year, and months have 153 days every five.
 */
static void show_day(char *text, unsigned int day)
{
	unsigned int era_day, year, year_day, month, d;

	day += 719468;
	era_day = day % 146097;
	year = (era_day - era_day / 1460 + era_day / 36524 -
		era_day / 146096) / 365;
	year_day = era_day - (365 * year + year / 4 - year / 100);
	year += day / 146097 * 400;
	month = (5 * year_day + 2) / 153;
	d = year_day - (153 * month + 2) / 5 + 1;
	month = month < 10 ? month + 3 : month - 9;
	if (month <= 2)
		year++;
	put_digits(text, year / 100 % 100);
	put_digits(text + 2, year % 100);
	put_digits(text + 4, month);
	put_digits(text + 6, d);
}

uint32_t kmq_clock_move(struct kmq_clock *clock, uint64_t time)
{
	unsigned int second;

	if (time - clock->day >= DAY || !clock->text[0]) {
		clock->day = time / DAY * DAY;
		show_day(clock->text, time / DAY);
	}
	second = (time - clock->day) / SECOND;
	put_digits(clock->text + 8, second / 3600);
	put_digits(clock->text + 10, second / 60 % 60);
	put_digits(clock->text + 12, second % 60);
	clock->second = clock->day + second * SECOND;
	return time - clock->second;
}

/* The number, when it has no name. */
static void name_of_number(char *name, uid_t uid)
{
	char digits[12];
	size_t n = sizeof(digits);

	do {
		digits[--n] = '0' + uid % 10;
		uid /= 10;
	} while (uid);
	memset(name, ' ', MQ_USER_ID_LENGTH);
	memcpy(name, digits + n, sizeof(digits) - n);
}

static void look_up(char *name, uid_t uid)
{
	struct passwd entry, *found = NULL;
	char buffer[4096];
	size_t n;

	if (getpwuid_r(uid, &entry, buffer, sizeof(buffer), &found) ||
	    !found) {
		name_of_number(name, uid);
		return;
	}
	n = strnlen(entry.pw_name, MQ_USER_ID_LENGTH);
	memset(name, ' ', MQ_USER_ID_LENGTH);
	memcpy(name, entry.pw_name, n);
}

static void user_name(char *name, uid_t uid)
{
	static __thread struct {
		uid_t uid;
		char name[MQ_USER_ID_LENGTH];
	} last;

	if (!last.name[0] || last.uid != uid) {
		look_up(last.name, uid);
		last.uid = uid;
	}
	memcpy(name, last.name, sizeof(last.name));
}

void kmq_origin_set(struct kmq_origin *origin, const struct kmq_context *ctx)
{
	memcpy(origin, ctx, offsetof(struct kmq_context, appl_origin));
	memcpy(origin->appl_origin, ctx->appl_origin, sizeof(ctx->appl_origin));
	if (ctx->flags & KMQ_CTX_UID)
		user_name(origin->user, ctx->uid);
}

void kmq_context_set(struct kmq_context *ctx, const struct kmq_origin *origin)
{
	memcpy(ctx, origin, offsetof(struct kmq_context, appl_origin));
	memcpy(ctx->appl_origin, origin->appl_origin, sizeof(ctx->appl_origin));
	ctx->uid = 0;
	ctx->flags = 0;
}
