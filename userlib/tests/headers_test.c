/* SPDX-License-Identifier: MIT */
/*
 * Holds the MQI headers to the tables: every constant, the place and size of
 * every field, every initialiser byte by byte, the elementary types, the
 * calls, the names given by cmqstrc.h and by the tables of names. The rows come from headers_table.
 *
 * Prints a line "ok <what>" or "not ok <what>" for each group, with the
 * differences as comments in front; headers_test.sh numbers them.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmqc.h>
#include <cmqxc.h>
#include <cmqcfc.h>
#include <cmqbc.h>
#include <cmqec.h>
#include <cmqpsc.h>
#include <cmqstrc.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct int_row {
	const char *header, *group, *name;
	int32_t real, want;
};

struct text_row {
	const char *header, *group, *name;
	const char *real;
	size_t real_len;
	const char *chars;
	size_t chars_len;
	const MQCHARV *charv;
	const char *want;
	size_t want_len;
};

struct field_row {
	const char *structure, *name;
	size_t real_offset, real_size, offset, size;
};

struct struct_row {
	const char *name;
	size_t real_size, real_align, size, align;
	const void *real;
	const char *want;
};

struct length_row {
	const char *structure, *name;
	long real, want;
};

struct type_row {
	const char *name;
	size_t real_size, real_align, size, align;
};

struct name_row {
	const char *family, *name;
	MQLONG value;
	char *(*function)(MQLONG v);
};

#include "headers_table.inc"

#include "mqrc_table.h"
#include "mqstr_table.h"

static int failures;

static void report(bool good, const char *kind, const char *name, size_t n)
{
	printf("%s %s %s (%zu)\n", good ? "ok" : "not ok", kind, name, n);
	failures += !good;
}

static bool same_group(const struct int_row *a, const struct int_row *b)
{
	return !strcmp(a->group, b->group) && !strcmp(a->header, b->header);
}

static void test_ints(void)
{
	for (size_t i = 0, first; i < ARRAY_SIZE(int_rows);) {
		bool good = true;

		for (first = i; i < ARRAY_SIZE(int_rows); i++) {
			const struct int_row *row = &int_rows[i];

			if (!same_group(row, &int_rows[first]))
				break;
			if (row->real == row->want)
				continue;
			printf("# %s is %d, not %d\n", row->name,
			       (int)row->real, (int)row->want);
			good = false;
		}
		report(good, int_rows[first].header, int_rows[first].group,
		       i - first);
	}
}

static bool text_is_right(const struct text_row *row)
{
	if (row->charv)
		return row->charv->VSLength == (MQLONG)row->want_len &&
		       !row->charv->VSOffset && !row->charv->VSBufSize &&
		       row->charv->VSCCSID == MQCCSI_APPL &&
		       !memcmp(row->charv->VSPtr, row->want, row->want_len);
	if (row->chars && (row->chars_len != row->want_len ||
			   memcmp(row->chars, row->want, row->want_len)))
		return false;
	return row->real_len == row->want_len &&
	       !memcmp(row->real, row->want, row->want_len);
}

static void test_texts(void)
{
	bool good = true;

	for (size_t i = 0; i < ARRAY_SIZE(text_rows); i++) {
		if (text_is_right(&text_rows[i]))
			continue;
		printf("# %s differs\n", text_rows[i].name);
		good = false;
	}
	report(good, "texts", "and character lists", ARRAY_SIZE(text_rows));
}

static bool fields_are_right(const char *structure, size_t *n)
{
	bool good = true;

	for (size_t i = 0; i < ARRAY_SIZE(field_rows); i++) {
		const struct field_row *row = &field_rows[i];

		if (strcmp(row->structure, structure))
			continue;
		++*n;
		if (row->real_offset == row->offset &&
		    row->real_size == row->size)
			continue;
		printf("# %s.%s at %zu size %zu, not at %zu size %zu\n",
		       structure, row->name, row->real_offset, row->real_size,
		       row->offset, row->size);
		good = false;
	}
	return good;
}

static bool lengths_are_right(const char *structure)
{
	bool good = true;

	for (size_t i = 0; i < ARRAY_SIZE(length_rows); i++) {
		const struct length_row *row = &length_rows[i];

		if (strcmp(row->structure, structure) ||
		    row->real == row->want)
			continue;
		printf("# %s is %ld, not %ld\n", row->name, row->real,
		       row->want);
		good = false;
	}
	return good;
}

static bool default_is_right(const struct struct_row *row)
{
	const unsigned char *real = row->real;
	const unsigned char *want = (const unsigned char *)row->want;
	bool good = true;

	for (size_t at = 0; real && at < row->size; at++) {
		if (real[at] == want[at])
			continue;
		printf("# %s_DEFAULT: byte %zu is %02x, not %02x\n", row->name,
		       at, real[at], want[at]);
		good = false;
	}
	return good;
}

static void test_structs(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(struct_rows); i++) {
		const struct struct_row *row = &struct_rows[i];
		size_t n = 0;
		bool good = fields_are_right(row->name, &n);

		good &= lengths_are_right(row->name);
		if (row->real_size != row->size ||
		    row->real_align != row->align) {
			printf("# %s: size %zu align %zu, not %zu and %zu\n",
			       row->name, row->real_size, row->real_align,
			       row->size, row->align);
			good = false;
		} else {
			good &= default_is_right(row);
		}
		report(good, "structure", row->name, n);
	}
}

static void test_client_conn(void)
{
	static const MQCD plain = {MQCD_DEFAULT};
	MQCD cd = {MQCD_CLIENT_CONN_DEFAULT};
	bool good = cd.ChannelType == MQCHT_CLNTCONN &&
		    cd.TransportType == MQXPT_TCP;

	cd.ChannelType = plain.ChannelType;
	cd.TransportType = plain.TransportType;
	good &= !memcmp(&cd, &plain, sizeof(cd));
	report(good, "initialiser", "MQCD_CLIENT_CONN_DEFAULT", 1);
}

static void test_types(void)
{
	bool good = true;

	for (size_t i = 0; i < ARRAY_SIZE(type_rows); i++) {
		const struct type_row *row = &type_rows[i];

		if (row->real_size == row->size &&
		    row->real_align == row->align)
			continue;
		printf("# %s: size %zu align %zu, not %zu and %zu\n",
		       row->name, row->real_size, row->real_align, row->size,
		       row->align);
		good = false;
	}
	report(good, "elementary", "types", ARRAY_SIZE(type_rows));
}

static const struct int_row *find_int(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(int_rows); i++)
		if (!strcmp(int_rows[i].name, name))
			return &int_rows[i];
	return NULL;
}

/* The name given may be another one, but of the family and of that value. */
static bool name_is_right(const struct name_row *row)
{
	const struct int_row *found;
	const char *name;

	if (!row->function)
		return false;
	name = row->function(row->value);
	found = find_int(name);
	return found && found->want == row->value &&
	       !strncmp(name, row->family, strlen(row->family));
}

static void test_names(void)
{
	bool good = true;

	for (size_t i = 0; i < ARRAY_SIZE(name_rows); i++) {
		if (name_is_right(&name_rows[i]))
			continue;
		printf("# %s: wrong name for %ld\n", name_rows[i].name,
		       (long)name_rows[i].value);
		good = false;
	}
	good &= !strcmp(MQRC_STR(MQRCCF_CFH_TYPE_ERROR),
			"MQRCCF_CFH_TYPE_ERROR");
	good &= !strcmp(MQRC_STR(2120), "MQRC_CONVERTED_MSG_TOO_BIG");
	good &= !strcmp(MQAT_STR(6), "MQAT_UNIX");
	good &= !strcmp(MQRC_STR(-12345), "");
	report(good, "names", "of cmqstrc.h", ARRAY_SIZE(name_rows));
}

static bool starts_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

static bool reason_is_right(const struct int_row *row)
{
	const struct kmq_rc *rc = kmq_rc_find(row->want);
	const struct kmq_rc *named = kmq_rc_find_name(row->name);

	if (!rc || !named || strcmp(named->name, row->name))
		return false;
	return rc->code == row->want && named->code == row->want &&
	       strlen(rc->text) > 3 && strlen(named->text) > 3 &&
	       (!*MQRC_STR(row->want) ||
		!strcmp(rc->name, MQRC_STR(row->want)));
}

static void test_reasons(void)
{
	bool good = true;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(int_rows); i++) {
		const struct int_row *row = &int_rows[i];

		if (!starts_with(row->name, "MQRC_") &&
		    !starts_with(row->name, "MQRCCF_"))
			continue;
		n++;
		if (reason_is_right(row))
			continue;
		printf("# %s: not found, or no meaning\n", row->name);
		good = false;
	}
	good &= n == kmq_rc_count;
	good &= kmq_rc_find_name("q_full") == kmq_rc_find(2053);
	good &= !kmq_rc_find(-1) && !kmq_rc_find(1) && !kmq_rc_find(99999);
	good &= !kmq_rc_find_name("") && !kmq_rc_find_name("MQRC_");
	report(good, "reasons", "and their meanings", n);
}

static bool has_name(const char *prefix, int32_t value, const char *want)
{
	const char *name = kmq_str_name(prefix, value);

	return name && !strcmp(name, want);
}

static void test_strings(void)
{
	int32_t value;
	bool good = ARRAY_SIZE(int_rows) == kmq_str_count;

	for (size_t i = 0; i < ARRAY_SIZE(int_rows); i++) {
		const struct int_row *row = &int_rows[i];

		if (kmq_str_value(row->name, &value) && value == row->want &&
		    starts_with(kmq_str_name(row->name, value), row->name))
			continue;
		printf("# %s: not found, or another value\n", row->name);
		good = false;
	}
	good &= kmq_str_value("mqmd_version_2", &value) && value == 2;
	good &= has_name("MQOT_", 1, "MQOT_Q");
	good &= has_name("MQGMO_", 0, "MQGMO_NONE");
	good &= has_name("MQAT_", 2, "MQAT_ZOS");
	good &= has_name("mqrc_", 2120, "MQRC_CONVERTED_MSG_TOO_BIG");
	good &= !kmq_str_name("MQOT_", -77) && !kmq_str_name("ZZ", 0);
	good &= !kmq_str_value("", &value) && !kmq_str_value("MQMD", &value);
	report(good, "strings", "to numbers and back", kmq_str_count);
}

int main(void)
{
	test_ints();
	test_texts();
	test_structs();
	test_client_conn();
	test_types();
	test_names();
	test_reasons();
	test_strings();
	/* Their declarations were compared by the compiler. */
	report(true, "calls", "and their types", ARRAY_SIZE(call_rows));
	return failures != 0;
}
