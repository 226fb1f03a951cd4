// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Puts while many threads wait for messages with other CorrelIds.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/kmq.h>

#include "bench.h"

static void *wait_for_own(void *arg)
{
	struct q_call call;
	char data[64];
	MQHCONN hc = q_connect();
	MQHOBJ ho = q_open(hc, BENCH_Q, MQOO_INPUT_SHARED);

	q_call_init(&call, hc, ho, data, sizeof(data));
	call.gmo.Options |= MQGMO_WAIT;
	call.gmo.WaitInterval = MQWI_UNLIMITED;
	call.gmo.MatchOptions = MQMO_MATCH_CORREL_ID;
	id_make(call.md.CorrelId, 'W', (uintptr_t)arg);
	q_get(&call);
	return NULL;
}

/* A process of its own: killing it ends all that its threads have. */
static pid_t start_waiters(unsigned int count)
{
	pthread_attr_t attr;
	pthread_t thread;
	unsigned int i;
	pid_t pid = fork();

	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (pid)
		return pid;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (i = 0; i < count; i++) {
		int err = pthread_create(&thread, &attr, wait_for_own,
					 (void *)(uintptr_t)i);

		if (err)
			die("thread %u: %s", i, strerror(err));
	}
	for (;;)
		pause();
}

static unsigned int waiting(int fd)
{
	struct kmq_status status = { .size = sizeof(status) };

	q_name((char *)status.name, BENCH_Q);
	if (ioctl(fd, KMQ_IOC_STATUS, &status))
		die("KMQ_IOC_STATUS: %s", strerror(errno));
	return status.out_waiters;
}

static struct cost measure_puts(unsigned int waiters)
{
	MQLONG comp_code, reason;
	MQHCONN hc = q_connect();
	struct q_call put, get;
	double samples[401];
	char data[64];
	MQHOBJ ho;
	size_t i;
	pid_t pid;

	q_define(BENCH_Q, 1000000);
	ho = q_open(hc, BENCH_Q, MQOO_OUTPUT | MQOO_INPUT_SHARED);
	pid = start_waiters(waiters);
	while (waiting(kmq_conn_fd(hc)) < waiters) {
		if (waitpid(pid, NULL, WNOHANG) == pid)
			die("the waiters have gone");
		usleep(10000);
	}
	q_call_init(&put, hc, ho, data, sizeof(data));
	q_call_init(&get, hc, ho, data, sizeof(data));
	memcpy(put.md.CorrelId, "nobody waits for this.", 23);
	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		samples[i] = time_put(&put);
		q_get(&get);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	MQDISC(&hc, &comp_code, &reason);
	q_remove(BENCH_Q);
	return cost_of(samples, ARRAY_SIZE(samples));
}

void run_waiters(void)
{
	static const unsigned int counts[] = { 1, 100, 10000 };
	static const struct rlimit files = { 65536, 65536 };
	char key[32], name[64];
	double one = 0;
	size_t i, n = bench_hurry > 1 ? 2 : ARRAY_SIZE(counts);

	setrlimit(RLIMIT_NOFILE, &files);
	out_title("A put while threads wait for other CorrelIds");
	for (i = 0; i < n; i++) {
		struct row row = {
			.key = key, .name = name,
			.cost = measure_puts(counts[i]),
		};

		snprintf(key, sizeof(key), "waiters.%u", counts[i]);
		snprintf(name, sizeof(name), "put, %u waiting", counts[i]);
		if (i) {
			row.to = "1 waiting";
			row.base = one;
			row.must = 1.5;
			row.aim = 1.1;
		} else {
			one = row.cost.median;
		}
		out_row(&row);
	}
}
