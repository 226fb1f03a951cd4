/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Very many queues: they are defined, opened all at once, used, listed and
 * deleted, while clients use them that do not know which are there. Afterwards
 * nothing of them is left. How long it takes is told and not judged.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmqcfc.h>
#include "kq.h"

#define DIR_QUEUES	"/dev/kmq/QM1/queue"
#define BASE		"KS.MANY."
#define PER_CONN	250	/* MaxHandles is 256 */
#define CLIENTS_MAX	32

struct shared {
	volatile int stop;
	volatile uint32_t puts, gets, gone, missing, errors;
};

static struct shared *shared;

static const char *name_of(int i)
{
	static char name[32];

	snprintf(name, sizeof(name), BASE "%06d", i);
	return name;
}

static void oops(const char *what, int i, kq_result r)
{
	kq_fail("%s of queue %d: %d", what, i, r);
	if (shared)
		__sync_fetch_and_add(&shared->errors, 1);
}

/* How long a step took, and what of it one queue. */
static void tell(const char *what, int count, uint64_t since)
{
	uint64_t ms = kq_now_ms() - since;

	printf("# %-28s %6d in %6llu ms, %llu us each\n", what, count,
	       (unsigned long long)ms,
	       (unsigned long long)(count ? ms * 1000 / count : 0));
	fflush(stdout);
}

/*
 * What was freed is in use for a while: until a grace period is over, in a
 * sanitizer's quarantine, as a name of a node that somebody might look up again,
 * as an object that lies ready for a processor. This gives back what can be.
 */
static void shrink_caches(void)
{
	static const char dir[] = "/sys/kernel/slab";
	FILE *file = fopen("/proc/sys/vm/drop_caches", "w");
	DIR *caches = opendir(dir);
	struct dirent *entry;
	char path[300];

	if (file) {
		fputs("2", file);
		fclose(file);
	}
	while (caches && (entry = readdir(caches))) {
		int fd;

		snprintf(path, sizeof(path), "%s/%s/shrink", dir,
			 entry->d_name);
		fd = open(path, O_WRONLY);
		if (fd < 0)
			continue;
		if (write(fd, "1", 1) != 1)
			kq_fail("cannot shrink %s", entry->d_name);
		close(fd);
	}
	if (caches)
		closedir(caches);
}

/* Slab memory that is in use, kB. */
static long memory(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[128];
	long value = -1;

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "SUnreclaim: %ld", &value);
	if (file)
		fclose(file);
	return value;
}

/* Objects in use in the module's own caches. */
static long own_objects(void)
{
	FILE *file = fopen("/proc/slabinfo", "r");
	char line[256];
	long sum = 0, active;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "kmq%*s %ld", &active) == 1)
			sum += active;
	if (file)
		fclose(file);
	return sum;
}

/* What all that comes down to in the end; what is freed, is freed later on. */
static long at_rest(long (*value)(void), long limit)
{
	uint64_t end = kq_now_ms() + 60000;
	long now;

	do {
		shrink_caches();
		now = value();
		if (now <= limit)
			break;
		kq_nap(100);
	} while (kq_now_ms() < end);
	return now;
}

/* --- what is there ----------------------------------------------------------- */

static int admin(void)
{
	int fd = open("/dev/kmq/QM1/admin", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		kq_fail("cannot administer: %d", errno);
	return fd;
}

/* Queues in the listing, fetched in pages. */
static int count_listed(void)
{
	enum { PAGE = 777 };
	static uint8_t names[PAGE][KMQ_NAME_LEN];
	struct kmq_list cmd = {
		.size = sizeof(cmd), .q_type = MQQT_LOCAL, .count = PAGE,
		.names = (uintptr_t)names,
	};
	int fd = admin(), count = 0;
	uint32_t left;

	memcpy(cmd.pattern, BASE "*", strlen(BASE "*"));
	memset(cmd.after, ' ', sizeof(cmd.after));
	do {
		if (ioctl(fd, KMQ_IOC_LIST, &cmd)) {
			kq_fail("list: %d", errno);
			break;
		}
		left = cmd.out_count;
		count += left < PAGE ? left : PAGE;
		memcpy(cmd.after, names[PAGE - 1], KMQ_NAME_LEN);
		cmd.count = PAGE;
	} while (left > PAGE);
	close(fd);
	return count;
}

/* The same of open handles; none may be there twice or out of order. */
static int count_handles(void)
{
	enum { PAGE = 500 };
	static struct kmq_handle_info infos[PAGE];
	struct kmq_handles cmd = {
		.size = sizeof(cmd), .count = PAGE, .stride = sizeof(infos[0]),
		.entries = (uintptr_t)infos,
	};
	int fd = admin(), count = 0;
	uint32_t i;

	memcpy(cmd.pattern, BASE "*", strlen(BASE "*"));
	memset(cmd.after, ' ', sizeof(cmd.after));
	do {
		if (ioctl(fd, KMQ_IOC_HANDLES, &cmd)) {
			kq_fail("handles: %d", errno);
			break;
		}
		for (i = 0; i < cmd.out_count; i++) {
			int order = memcmp(cmd.after, infos[i].q_name,
					   KMQ_NAME_LEN);

			if (order > 0 ||
			    (!order && infos[i].number <= cmd.after_number))
				kq_fail("handles are out of order");
			memcpy(cmd.after, infos[i].q_name, KMQ_NAME_LEN);
			cmd.after_number = infos[i].number;
		}
		count += cmd.out_count;
	} while (cmd.out_more);
	close(fd);
	return count;
}

static int count_conns(void)
{
	static struct kmq_conn_info infos[1024];
	struct kmq_conns cmd = {
		.size = sizeof(cmd), .count = 1024, .stride = sizeof(infos[0]),
		.entries = (uintptr_t)infos,
	};
	int fd = admin(), count = -1;

	if (!ioctl(fd, KMQ_IOC_CONNS, &cmd))
		count = cmd.out_count;
	close(fd);
	return count;
}

static int count_nodes(void)
{
	DIR *dir = opendir(DIR_QUEUES);
	struct dirent *entry;
	int count = 0;

	while (dir && (entry = readdir(dir)))
		count += !strncmp(entry->d_name, BASE, strlen(BASE));
	if (dir)
		closedir(dir);
	return count;
}

static void expect(const char *what, int is, int should)
{
	if (is != should)
		kq_fail("%s: %d instead of %d", what, is, should);
}

/* --- all of them -------------------------------------------------------------- */

static void define_all(int count)
{
	uint64_t since = kq_now_ms();
	kq_result r;
	int i;

	for (i = 0; i < count; i++) {
		r = kq_define(name_of(i));
		if (r)
			oops("define", i, r);
	}
	tell("defined", count, since);
	since = kq_now_ms();
	expect("listed", count_listed(), count);
	tell("listed", count, since);
	expect("nodes", count_nodes(), count);
}

/* A handle on every queue at the same time, a message through each. */
static void use_all(int count)
{
	int conns = (count + PER_CONN - 1) / PER_CONN;
	int *conn = calloc(conns, sizeof(*conn));
	int *fd = calloc(count, sizeof(*fd));
	uint64_t since = kq_now_ms();
	struct kmq_put put;
	struct kmq_get get;
	char data[8];
	kq_result r;
	int i;

	for (i = 0; i < conns; i++)
		conn[i] = kq_session();
	for (i = 0; i < count; i++)
		fd[i] = kq_handle(conn[i / PER_CONN], name_of(i),
				  MQOO_INPUT_SHARED | MQOO_OUTPUT);
	tell("opened", count, since);
	since = kq_now_ms();
	expect("open handles", count_handles(), count);
	tell("handles listed", count, since);
	expect("connections", count_conns(), conns);

	since = kq_now_ms();
	for (i = 0; i < count; i++) {
		kq_put_init(&put, "message", 8);
		r = kq_put(fd[i], &put);
		if (r)
			oops("put", i, r);
	}
	for (i = 0; i < count; i++) {
		kq_get_init(&get, data, sizeof(data));
		r = kq_get(fd[i], &get);
		if (r || memcmp(data, "message", 8))
			oops("get", i, r);
	}
	tell("put and got", count, since);
	since = kq_now_ms();
	for (i = 0; i < count; i++)
		close(fd[i]);
	for (i = 0; i < conns; i++)
		close(conn[i]);
	tell("closed", count, since);
	expect("handles after that", count_handles(), 0);
	expect("connections after that", count_conns(), 0);
	free(conn);
	free(fd);
}

static void delete_all(int count)
{
	uint64_t since = kq_now_ms();
	int i, deleted = 0;
	kq_result r;

	for (i = 0; i < count; i++) {
		r = kq_delete(name_of(i));
		deleted += !r;
		if (r && r != MQRC_UNKNOWN_OBJECT_NAME)
			oops("delete", i, r);
	}
	tell("deleted", deleted, since);
	expect("listed after that", count_listed(), 0);
	expect("nodes after that", count_nodes(), 0);
}

/* --- clients, while queues come and go --------------------------------------- */

static bool is_gone(kq_result r)
{
	return r == MQRC_UNKNOWN_OBJECT_NAME || r == MQRC_OBJECT_CHANGED ||
	       r == MQRC_Q_DELETED;
}

/* What can be done with one queue that may be deleted at any time. */
static void use_one(int conn, int i, uint64_t *state)
{
	struct kmq_put put;
	struct kmq_get get;
	char data[64];
	kq_result r;
	int fd = kq_node(name_of(i));

	if (fd < 0) {
		if (fd != -ENOENT && fd != -ENXIO)
			oops("open", i, fd);
		__sync_fetch_and_add(&shared->missing, 1);
		return;
	}
	r = kq_open(fd, conn, MQOO_INPUT_SHARED | MQOO_OUTPUT | MQOO_BROWSE);
	if (r) {
		if (!is_gone(r))
			oops("MQOPEN", i, r);
		__sync_fetch_and_add(&shared->gone, 1);
		close(fd);
		return;
	}
	kq_put_init(&put, data, kq_random(state) % sizeof(data));
	r = kq_put(fd, &put);
	if (r)
		oops("put", i, r);
	__sync_fetch_and_add(&shared->puts, !r);
	kq_get_init(&get, data, sizeof(data));
	if (kq_random(state) % 4 == 0) {
		get.options |= MQGMO_WAIT;
		get.wait_interval = kq_random(state) % 20;
	}
	r = kq_get(fd, &get);
	if (r && r != MQRC_NO_MSG_AVAILABLE)
		oops("get", i, r);
	__sync_fetch_and_add(&shared->gets, !r);
	/* Some leave it to the end of the file. */
	if (kq_random(state) % 2)
		kq_close(fd);
	close(fd);
}

static void client(int count, uint64_t seed)
{
	int conn = kq_session();

	while (!shared->stop) {
		use_one(conn, kq_random(&seed) % count, &seed);
		if (kq_random(&seed) % 100 == 0) {
			close(conn);
			conn = kq_session();
		}
	}
	_exit(0);
}

/* Half of the queues that nobody has open go and come back. */
static int churn(int count, int seconds, uint64_t *state)
{
	uint64_t end = kq_now_ms() + seconds * 1000;
	int i, changes = 0;
	kq_result r;

	while (kq_now_ms() < end) {
		i = kq_random(state) % count;
		r = kq_delete(name_of(i));
		if (r == MQRC_UNKNOWN_OBJECT_NAME)
			r = kq_define(name_of(i));
		if (r && r != MQRCCF_OBJECT_OPEN)
			oops("change", i, r);
		changes += !r;
		if (changes % 512 == 511)
			count_handles();
	}
	return changes;
}

static void run_clients(const struct queues_plan *plan)
{
	uint64_t state = 4711, since = kq_now_ms();
	int i, changes, clients = plan->clients;
	pid_t pids[CLIENTS_MAX];

	if (clients > CLIENTS_MAX)
		clients = CLIENTS_MAX;
	for (i = 0; i < clients; i++) {
		pids[i] = fork();
		if (!pids[i])
			client(plan->queues, i + 1);
	}
	changes = churn(plan->queues, plan->seconds, &state);
	/* Some end in the middle of what they do. */
	for (i = 0; i < clients; i += 2)
		kill(pids[i], SIGKILL);
	shared->stop = 1;
	for (i = 0; i < clients; i++)
		waitpid(pids[i], NULL, 0);
	tell("came and went", changes, since);
	printf("# clients: %u puts, %u gets, %u not there, %u gone before MQOPEN\n",
	       shared->puts, shared->gets, shared->missing, shared->gone);
	expect("errors of clients", shared->errors, 0);
	expect("handles of clients", count_handles(), 0);
}

/* Everything shows as kernel memory, and most of it must be free again. */
static void judge_memory(long before, long most, long objects)
{
	long limit = before + (most - before) / 2, after, left;

	/* A few queues say nothing about it. */
	if (most - before < 4096)
		limit = LONG_MAX;
	after = at_rest(memory, limit);
	printf("# kernel memory: %ld kB before, %ld kB with all queues, %ld kB after\n",
	       before, most, after);
	if (after > limit)
		kq_fail("memory has not come back");
	left = at_rest(own_objects, objects) - objects;
	if (left > 0)
		kq_fail("%ld objects are left", left);
}

int stress_queues(const struct queues_plan *plan)
{
	struct rlimit files = {
		.rlim_cur = plan->queues + 1000,
		.rlim_max = plan->queues + 1000,
	};
	long before, most, objects;

	kq_failures = 0;
	if (setrlimit(RLIMIT_NOFILE, &files))
		kq_fail("cannot have %d files", plan->queues);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	/* What the first run leaves in caches is no leak. */
	define_all(10);
	delete_all(10);
	shrink_caches();
	kq_nap(100);
	objects = own_objects();
	before = memory();
	define_all(plan->queues);
	most = memory();
	printf("# kernel memory of a queue: %ld bytes\n",
	       (most - before) * 1024 / plan->queues);
	use_all(plan->queues);
	run_clients(plan);
	delete_all(plan->queues);
	judge_memory(before, most, objects);
	munmap(shared, sizeof(*shared));
	shared = NULL;
	return kq_failures;
}
