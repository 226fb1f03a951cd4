// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Kernel memory: of a queued message, and of the reassembly of a large one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/kmq.h>

#include "bench.h"

#define MQ_MESSAGE	128	/* what POSIX mq takes for 64 bytes */

static long long read_number(const char *path, const char *label)
{
	FILE *file = fopen(path, "r");
	long long number = -1;
	char line[128];

	if (!file)
		return -1;
	while (number < 0 && fgets(line, sizeof(line), file))
		if (!label || !strncmp(line, label, strlen(label)))
			number = atoll(line + (label ? strlen(label) : 0));
	fclose(file);
	return number;
}

/* Pages of all slab caches, which is where messages of this size lie. */
static double slab_memory(void)
{
	return 1024.0 * read_number("/proc/meminfo", "SUnreclaim:");
}

/* All pages of a slab cache. */
struct slab {
	char name[32];
	double bytes;
};

static size_t read_slabs(struct slab *slabs, size_t room)
{
	FILE *file = fopen("/proc/slabinfo", "r");
	unsigned int pages, count;
	char line[256];
	size_t n = 0;

	while (file && n < room && fgets(line, sizeof(line), file)) {
		const char *data = strstr(line, ": slabdata");

		if (data && sscanf(data, ": slabdata %*u %u", &count) == 1 &&
		    sscanf(line, "%31s %*u %*u %*u %*u %u", slabs[n].name,
			   &pages) == 2)
			slabs[n++].bytes = 4096.0 * pages * count;
	}
	if (file)
		fclose(file);
	return n;
}

static struct slab slabs[2][400];

static void show_slabs(unsigned int messages)
{
	size_t n = read_slabs(slabs[1], ARRAY_SIZE(slabs[1])), i;

	for (i = 0; i < n; i++) {
		double grown = slabs[1][i].bytes - slabs[0][i].bytes;

		if (grown / messages >= 4)
			out_note("%s: %.0f bytes a message", slabs[1][i].name,
				 grown / messages);
	}
}

static double status_memory(MQHCONN hc)
{
	struct kmq_status status = { .size = sizeof(status) };

	q_name((char *)status.name, BENCH_Q);
	if (ioctl(kmq_conn_fd(hc), KMQ_IOC_STATUS, &status))
		die("KMQ_IOC_STATUS: %s", strerror(errno));
	return status.out_memory;
}

static struct cost exactly(double value)
{
	return (struct cost) { value, value, value };
}

static void describe_full(const struct fill *fill, MQMD *md,
			  unsigned int number)
{
	struct q_call call = { .md = *md };

	q_call_full(&call);
	*md = call.md;
	id_make(md->MsgId, 'M', number);
	id_make(md->CorrelId, 'C', number);
	if (!fill->data)
		return;
	id_make(md->GroupId, 'G', number);
	md->MsgFlags = MQMF_MSG_IN_GROUP;
}

static void message_rows(const char *key, const char *what,
			 const struct fill *shape, bool bound)
{
	const unsigned int count = 100000;
	MQLONG comp_code, reason;
	struct fill fill = *shape;
	char keys[2][48], names[2][64];
	double before, status, used;
	struct row row;

	q_define(BENCH_Q, 1000000);
	fill.hc = q_connect();
	fill.ho = q_open(fill.hc, BENCH_Q, MQOO_OUTPUT);
	fill.options = MQPMO_NO_SYNCPOINT;
	fill.length = 64;
	fill_queue(&fill, 0, 1000);
	before = slab_memory();
	read_slabs(slabs[0], ARRAY_SIZE(slabs[0]));
	fill_queue(&fill, 1000, 1000 + count);
	used = slab_memory() - before;
	status = status_memory(fill.hc) / (1000 + count);
	snprintf(keys[0], sizeof(keys[0]), "memory.%s.counted", key);
	snprintf(names[0], sizeof(names[0]), "%s, as kmq counts", what);
	snprintf(keys[1], sizeof(keys[1]), "memory.%s.real", key);
	snprintf(names[1], sizeof(names[1]), "%s, pages in use", what);
	row = (struct row) {
		.key = keys[0], .name = names[0], .cost = exactly(status),
		.to = "POSIX mq", .base = MQ_MESSAGE,
	};
	out_row(&row);
	row.key = keys[1];
	row.name = names[1];
	row.cost = exactly(used / count);
	if (bound) {
		row.must = 4;
		row.aim = 2.5;
	}
	out_row(&row);
	show_slabs(count);
	MQDISC(&fill.hc, &comp_code, &reason);
	q_remove(BENCH_Q);
}

/* --- reassembly ------------------------------------------------------------ */

#define GROUP	"/tmp/kmq-bench-cgroup"

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) > 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* A memory cgroup of our own, which remembers the most it has had. */
static bool enter_group(void)
{
	mkdir(GROUP, 0755);
	if (mount("none", GROUP, "cgroup2", 0, NULL))
		return false;
	return write_text(GROUP "/cgroup.subtree_control", "+memory") &&
	       !mkdir(GROUP "/bench", 0755) &&
	       write_text(GROUP "/bench/cgroup.procs", "0");
}

static void leave_group(void)
{
	write_text(GROUP "/cgroup.procs", "0");
	rmdir(GROUP "/bench");
	umount(GROUP);
	rmdir(GROUP);
}

static void put_segments(MQHCONN hc, MQHOBJ ho, char *data, size_t total,
			 size_t length)
{
	struct q_call call;
	size_t done;

	q_call_init(&call, hc, ho, data, length);
	call.md.Version = MQMD_VERSION_2;
	call.pmo.Options |= MQPMO_LOGICAL_ORDER;
	for (done = 0; done < total; done += length) {
		call.md.MsgFlags = MQMF_SEGMENT;
		if (done + length == total)
			call.md.MsgFlags |= MQMF_LAST_SEGMENT;
		q_put(&call);
	}
}

static void run_reassembly(void)
{
	const size_t total = 100 << 20, length = 1 << 20;
	char *data = malloc(total);
	MQLONG comp_code, reason;
	MQHCONN hc = q_connect();
	struct q_call call;
	double before, peak;
	MQHOBJ ho;

	out_title("100 MiB in segments, got with COMPLETE_MSG; bytes");
	if (!enter_group()) {
		out_note("no memory cgroup to be had (%s): left out",
			 strerror(errno));
		free(data);
		return;
	}
	q_define(BENCH_Q, 1000000);
	ho = q_open(hc, BENCH_Q, MQOO_OUTPUT | MQOO_INPUT_SHARED);
	memset(data, 'x', total);
	put_segments(hc, ho, data, total, length);
	q_call_init(&call, hc, ho, data, total);
	call.md.Version = MQMD_VERSION_2;
	call.gmo.Options |= MQGMO_COMPLETE_MSG;
	before = read_number(GROUP "/bench/memory.current", NULL);
	q_get(&call);
	if ((size_t)call.got != total)
		die("got %d bytes, not %zu", call.got, total);
	peak = read_number(GROUP "/bench/memory.peak", NULL);
	out_row(&(struct row) {
		.key = "memory.reassembly.before",
		.name = "buffer of the program and message",
		.cost = exactly(before),
	});
	out_row(&(struct row) {
		.key = "memory.reassembly.peak", .name = "most until it was got",
		.cost = exactly(peak), .to = "before", .base = before,
	});
	MQDISC(&hc, &comp_code, &reason);
	q_remove(BENCH_Q);
	leave_group();
	free(data);
}

void run_memory(void)
{
	static const struct fill plain;
	static const struct fill full = { .describe = describe_full };
	static const struct fill member = {
		.describe = describe_full, .data = 1,
	};

	out_title("Kernel memory of a queued message of 64 bytes; bytes");
	message_rows("plain", "default MQMD", &plain, false);
	message_rows("full", "full MQMD", &full, true);
	message_rows("member", "full MQMD, in a group", &member, false);
	run_reassembly();
}
