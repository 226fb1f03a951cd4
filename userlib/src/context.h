/* SPDX-License-Identifier: MIT */
/*
 * Message context: from the kernel's form into that of an MQMD.
 */
#ifndef KMQ_CONTEXT_H
#define KMQ_CONTEXT_H

#include "internal.h"

/**
 * struct kmq_origin - the context fields of an MQMD, as they lie there
 *
 * @date_time is of the message that was looked at last.
 */
struct kmq_origin {
	char user[MQ_USER_ID_LENGTH];
	unsigned char accounting[MQ_ACCOUNTING_TOKEN_LENGTH];
	char identity[MQ_APPL_IDENTITY_DATA_LENGTH];
	int32_t appl_type;
	char appl_name[MQ_PUT_APPL_NAME_LENGTH];
	char date_time[MQ_PUT_DATE_LENGTH + MQ_PUT_TIME_LENGTH];
	char appl_origin[MQ_APPL_ORIGIN_DATA_LENGTH];
};

/**
 * struct kmq_clock - PutDate and PutTime of recent times
 * @second: nanoseconds of CLOCK_REALTIME at which the second in @text begins
 * @day: the same for the day
 * @text: YYYYMMDDHHMMSS00
 *
 * Messages that are looked at one after the other have mostly been put within
 * the same second, and nearly always on the same day.
 */
struct kmq_clock {
	uint64_t second;
	uint64_t day;
	char text[16];
};

/* Move the clock to the second of @time; the nanoseconds of it are returned. */
uint32_t kmq_clock_move(struct kmq_clock *clock, uint64_t time);

extern const char kmq_two_digits[200];

/* PutDate and PutTime (GMT, P-CTX-5), 16 characters, of @time. */
KMQ_INLINE void kmq_clock_show(struct kmq_clock *clock, uint64_t time,
			       char *text)
{
	uint64_t rest = time - clock->second;
	uint32_t hundredth;

	if (unlikely(rest >= 1000000000))
		rest = kmq_clock_move(clock, time);
	hundredth = (uint32_t)rest / 10000000;
	memcpy(text, clock->text, 14);
	memcpy(text + 14, &kmq_two_digits[2 * hundredth], 2);
}

/**
 * kmq_origin_date() - date and time of a message
 * @origin: gets them
 * @dated: the time that they show now, 0 if they show none
 * @clock: recent times
 * @time: when the message was put, 0 if it has a date of its own
 * @ext: that date
 * @present: whether it has one: KMQ_MD_DATE
 */
KMQ_INLINE void kmq_origin_date(struct kmq_origin *origin, uint64_t *dated,
				struct kmq_clock *clock, uint64_t time,
				const struct kmq_md_ext *ext, uint32_t present)
{
	if (time && likely(time == *dated))
		return;
	*dated = time;
	if (likely(time))
		kmq_clock_show(clock, time, origin->date_time);
	else if (present & KMQ_MD_DATE)
		memcpy(origin->date_time,
		       (const char *)ext + offsetof(struct kmq_md_ext, put_date),
		       sizeof(origin->date_time));
	else
		memset(origin->date_time, ' ', sizeof(origin->date_time));
}

/* Everything but date and time. */
void kmq_origin_set(struct kmq_origin *origin, const struct kmq_context *ctx);

/* The other way round, for the fields of an MQMD that begin at @origin. */
void kmq_context_set(struct kmq_context *ctx, const struct kmq_origin *origin);

#endif
