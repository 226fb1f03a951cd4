/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kq.h"

static int usage(void)
{
	fprintf(stderr,
		"Usage: stress failnth [-v]\n"
		"       stress transfer [MESSAGES [MOVES [WORKERS [SECONDS]]]]\n"
		"       stress async [SECONDS [WRITERS]]\n"
		"       stress waiters [SECONDS [GETTERS [PUTTERS]]]\n"
		"       stress queues [QUEUES [SECONDS [CLIENTS]]]\n");
	return 2;
}

static int number(int argc, char **argv, int i, int otherwise)
{
	return i < argc ? atoi(argv[i]) : otherwise;
}

int main(int argc, char **argv)
{
	struct transfer_plan transfer = {
		.messages = number(argc, argv, 2, 2000),
		.moves = number(argc, argv, 3, 100000),
		.workers = number(argc, argv, 4, 8),
		.seconds = number(argc, argv, 5, 600),
	};
	struct async_plan async = {
		.seconds = number(argc, argv, 2, 60),
		.writers = number(argc, argv, 3, 8),
	};
	struct waiters_plan waiters = {
		.seconds = number(argc, argv, 2, 30),
		.getters = number(argc, argv, 3, 64),
		.putters = number(argc, argv, 4, 16),
	};
	struct queues_plan queues = {
		.queues = number(argc, argv, 2, 10000),
		.seconds = number(argc, argv, 3, 30),
		.clients = number(argc, argv, 4, 16),
	};
	int failures;

	if (argc < 2)
		return usage();
	if (!strcmp(argv[1], "failnth"))
		failures = stress_failnth(argc > 2);
	else if (!strcmp(argv[1], "transfer"))
		failures = stress_transfer(&transfer);
	else if (!strcmp(argv[1], "async"))
		failures = stress_async(&async);
	else if (!strcmp(argv[1], "waiters"))
		failures = stress_waiters(&waiters);
	else if (!strcmp(argv[1], "queues"))
		failures = stress_queues(&queues);
	else
		return usage();
	if (failures < 0)
		printf("cannot run on this kernel\n");
	else
		printf("%d failures\n", failures);
	return failures != 0;
}
