// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The results: a table as they come, JSON at the end.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "bench.h"

static char *json;
static size_t json_size;
static FILE *json_out;
static bool json_more;
static unsigned int bounds, missed, reached;

void out_begin(const char *unit)
{
	struct utsname uts;

	uname(&uts);
	json_out = open_memstream(&json, &json_size);
	if (!json_out)
		die("no memory");
	fprintf(json_out, "{\"version\":1,\"kernel\":\"%s\",\"unit\":\"%s\"",
		uts.release, unit);
	fprintf(json_out, ",\"short\":%s,\"rows\":[",
		bench_hurry > 1 ? "true" : "false");
	printf("Linux %s, in %s; median, and what 10 %% are below and above\n",
	       uts.release, unit);
	if (bench_hurry > 1)
		out_note("short: few samples, and depths a tenth of what is said");
}

void out_title(const char *title)
{
	printf("\n%s\n%-48s %10s %17s %8s %6s %6s\n", title, "", "median",
	       "10 %..90 %", "ratio", "must", "aim");
}

void out_note(const char *format, ...)
{
	va_list args;

	fputs("  ", stdout);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

static const char *verdict(const struct row *row, double ratio)
{
	if (!row->must)
		return "";
	bounds++;
	if (ratio > row->must) {
		missed++;
		return "MISSED";
	}
	if (ratio > row->aim)
		return "ok";
	reached++;
	return "aim";
}

void out_row(const struct row *row)
{
	double ratio = row->to ? row->cost.median / row->base : 0;
	const char *word = verdict(row, ratio);
	char spread[32];

	snprintf(spread, sizeof(spread), "%.0f..%.0f", row->cost.low,
		 row->cost.high);
	printf("%-48s %10.0f %17s", row->name, row->cost.median, spread);
	if (row->to)
		printf(" %8.3f", ratio);
	if (row->must)
		printf(" %6.4g %6.4g %s", row->must, row->aim, word);
	if (row->to)
		printf("%s to %s", row->must ? "," : "  ", row->to);
	putchar('\n');

	fprintf(json_out, "%s\n{\"key\":\"%s\",\"name\":\"%s\"",
		json_more ? "," : "", row->key, row->name);
	fprintf(json_out, ",\"median\":%.1f,\"p10\":%.1f,\"p90\":%.1f",
		row->cost.median, row->cost.low, row->cost.high);
	if (row->to)
		fprintf(json_out, ",\"to\":\"%s\",\"base\":%.1f,\"ratio\":%.4f",
			row->to, row->base, ratio);
	if (row->must)
		fprintf(json_out, ",\"must\":%g,\"aim\":%g,\"met\":%s",
			row->must, row->aim,
			ratio <= row->must ? "true" : "false");
	fputc('}', json_out);
	json_more = true;
}

/* Return: number of bounds that were missed. */
int out_end(const char *path)
{
	FILE *file;

	fputs("\n]}\n", json_out);
	fclose(json_out);
	if (bounds)
		printf("\n%u bounds: %u missed, %u met, %u at their aim\n",
		       bounds, missed, bounds - missed - reached, reached);
	if (path) {
		file = strcmp(path, "-") ? fopen(path, "w") : stdout;
		if (!file)
			die("%s: %s", path, strerror(errno));
		fputs(json, file);
		if (file != stdout)
			fclose(file);
	}
	free(json);
	return missed;
}
