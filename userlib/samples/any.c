/* SPDX-License-Identifier: MIT */
/*
 * any SECONDS QUEUE...: waits for messages on all the queues at once, and
 * prints each with the name of its queue, until none has come for so long.
 *
 * Each open queue has a file descriptor that is readable when there is a
 * message, so queues, sockets and timers can be waited for together.
 *
 *	cc any.c -o any -lkmq
 */
#include <cmqc.h>
#include <kmq.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

static void check(const char *call, MQLONG comp_code, MQLONG reason)
{
	if (comp_code == MQCC_OK)
		return;
	fprintf(stderr, "any: %s: completion code %d, reason %d\n", call,
		(int)comp_code, (int)reason);
	if (comp_code == MQCC_FAILED)
		exit(1);
}

static MQHOBJ open_queue(MQHCONN conn, const char *name)
{
	MQOD od = { MQOD_DEFAULT };
	MQLONG comp_code, reason;
	MQHOBJ queue;

	memcpy(od.ObjectName, name, strnlen(name, sizeof(od.ObjectName)));
	MQOPEN(conn, &od, MQOO_INPUT_SHARED, &queue, &comp_code, &reason);
	check(name, comp_code, reason);
	return queue;
}

/* Another program may have been faster: then there is no message any more. */
static void take_one(MQHCONN conn, MQHOBJ queue, const char *name)
{
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	MQLONG comp_code, reason, length;
	char text[4096];

	gmo.Options = MQGMO_NO_SYNCPOINT | MQGMO_ACCEPT_TRUNCATED_MSG;
	MQGET(conn, queue, &md, &gmo, sizeof(text), text, &length, &comp_code,
	      &reason);
	if (reason == MQRC_NO_MSG_AVAILABLE)
		return;
	check("MQGET", comp_code, reason);
	if (length > (MQLONG)sizeof(text))
		length = sizeof(text);
	printf("%s: %.*s\n", name, (int)length, text);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct epoll_event event = { .events = EPOLLIN }, ready[8];
	MQCHAR48 qmgr = "";
	MQLONG comp_code, reason;
	MQHOBJ *queues;
	MQHCONN conn;
	int set, i, n;

	if (argc < 3) {
		fprintf(stderr, "usage: any SECONDS QUEUE...\n");
		return 2;
	}
	queues = calloc(argc, sizeof(*queues));
	set = epoll_create1(EPOLL_CLOEXEC);
	if (!queues || set < 0) {
		perror("any");
		return 1;
	}
	MQCONN(qmgr, &conn, &comp_code, &reason);
	check("MQCONN", comp_code, reason);
	for (i = 2; i < argc; i++) {
		queues[i] = open_queue(conn, argv[i]);
		event.data.u32 = i;
		if (epoll_ctl(set, EPOLL_CTL_ADD,
			      kmq_object_fd(conn, queues[i]), &event)) {
			perror("any");
			return 1;
		}
	}

	while ((n = epoll_wait(set, ready, 8, atoi(argv[1]) * 1000)) > 0) {
		while (n--) {
			i = ready[n].data.u32;
			take_one(conn, queues[i], argv[i]);
		}
	}

	MQDISC(&conn, &comp_code, &reason);
	check("MQDISC", comp_code, reason);
	free(queues);
	return 0;
}
