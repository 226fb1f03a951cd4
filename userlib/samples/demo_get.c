/* SPDX-License-Identifier: MIT */
/*
 * demo_get QUEUE COUNT [QMGR]: takes COUNT messages off the queue, waiting for
 * each as long as ten seconds, and prints priority and text of each.
 *
 *	cc demo_get.c -o demo_get -lmqm
 */
#include <cmqc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every call tells how it went in a completion code and a reason. */
static void check(const char *call, MQLONG comp_code, MQLONG reason)
{
	if (comp_code == MQCC_OK)
		return;
	fprintf(stderr, "demo_get: %s: completion code %d, reason %d\n", call,
		(int)comp_code, (int)reason);
	if (comp_code == MQCC_FAILED)
		exit(1);
}

int main(int argc, char **argv)
{
	MQOD od = { MQOD_DEFAULT };
	MQCHAR48 qmgr = "";
	MQLONG comp_code, reason, length;
	MQHCONN conn;
	MQHOBJ queue;
	char text[4096];
	int count, i;

	if (argc < 3) {
		fprintf(stderr, "usage: demo_get QUEUE COUNT [QMGR]\n");
		return 2;
	}
	count = atoi(argv[2]);
	memcpy(od.ObjectName, argv[1],
	       strnlen(argv[1], sizeof(od.ObjectName)));
	if (argc > 3)
		memcpy(qmgr, argv[3], strnlen(argv[3], sizeof(qmgr)));

	MQCONN(qmgr, &conn, &comp_code, &reason);
	check("MQCONN", comp_code, reason);
	MQOPEN(conn, &od, MQOO_INPUT_SHARED | MQOO_FAIL_IF_QUIESCING, &queue,
	       &comp_code, &reason);
	check("MQOPEN", comp_code, reason);

	for (i = 0; i < count; i++) {
		/*
		 * With default match options MsgId and CorrelId choose the
		 * message; a fresh descriptor takes any.
		 */
		MQMD md = { MQMD_DEFAULT };
		MQGMO gmo = { MQGMO_DEFAULT };

		gmo.Options = MQGMO_WAIT | MQGMO_NO_SYNCPOINT |
			      MQGMO_FAIL_IF_QUIESCING;
		gmo.WaitInterval = 10000;	/* milliseconds */
		MQGET(conn, queue, &md, &gmo, sizeof(text), text, &length,
		      &comp_code, &reason);
		check("MQGET", comp_code, reason);
		printf("%d %.*s\n", (int)md.Priority, (int)length, text);
	}

	MQCLOSE(conn, &queue, MQCO_NONE, &comp_code, &reason);
	check("MQCLOSE", comp_code, reason);
	MQDISC(&conn, &comp_code, &reason);
	check("MQDISC", comp_code, reason);
	return 0;
}
