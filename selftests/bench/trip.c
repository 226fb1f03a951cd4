// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Round trips: a message to another process, which sends one back.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

static void echo(struct trip *trip)
{
	for (;;) {
		trip->there.get(&trip->there);
		trip->back.put(&trip->back);
	}
}

void trip_open(struct trip *trip, enum chan_kind kind, void (*ready)(int arg),
	       int arg)
{
	chan_open(&trip->there, kind, 64, 0);
	chan_open(&trip->back, kind, 64, 1);
	trip->pid = fork();
	if (trip->pid < 0)
		die("fork: %s", strerror(errno));
	if (trip->pid)
		return;
	chan_attach(&trip->there);
	chan_attach(&trip->back);
	ready(arg);
	echo(trip);
}

void trip_make(void *arg)
{
	struct trip *trip = arg;

	trip->there.put(&trip->there);
	trip->back.get(&trip->back);
}

void trip_close(struct trip *trip)
{
	kill(trip->pid, SIGKILL);
	waitpid(trip->pid, NULL, 0);
	chan_close(&trip->there);
	chan_close(&trip->back);
}
