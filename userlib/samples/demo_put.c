/* SPDX-License-Identifier: MIT */
/*
 * demo_put QUEUE [QMGR]: puts each line of standard input as a message with
 * the priority it begins with ("7 some text"), all in one unit of work, so
 * that nobody sees any of them before all are there.
 *
 *	cc demo_put.c -o demo_put -lmqm
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
	fprintf(stderr, "demo_put: %s: completion code %d, reason %d\n", call,
		(int)comp_code, (int)reason);
	if (comp_code == MQCC_FAILED)
		exit(1);	/* the unit of work is backed out */
}

int main(int argc, char **argv)
{
	MQOD od = { MQOD_DEFAULT };
	MQCHAR48 qmgr = "";
	MQLONG comp_code, reason;
	MQHCONN conn;
	MQHOBJ queue;
	char line[4096];

	if (argc < 2) {
		fprintf(stderr, "usage: demo_put QUEUE [QMGR]\n");
		return 2;
	}
	/* Names are fields of 48 characters; a null byte may end them. */
	memcpy(od.ObjectName, argv[1],
	       strnlen(argv[1], sizeof(od.ObjectName)));
	if (argc > 2)
		memcpy(qmgr, argv[2], strnlen(argv[2], sizeof(qmgr)));

	/* A blank name means the default queue manager. */
	MQCONN(qmgr, &conn, &comp_code, &reason);
	check("MQCONN", comp_code, reason);
	MQOPEN(conn, &od, MQOO_OUTPUT | MQOO_FAIL_IF_QUIESCING, &queue,
	       &comp_code, &reason);
	check("MQOPEN", comp_code, reason);

	while (fgets(line, sizeof(line), stdin)) {
		/* The call writes to these, so each message gets new ones. */
		MQMD md = { MQMD_DEFAULT };
		MQPMO pmo = { MQPMO_DEFAULT };

		line[strcspn(line, "\n")] = '\0';
		if (strlen(line) < 2)
			continue;
		memcpy(md.Format, MQFMT_STRING, sizeof(md.Format));
		md.Priority = line[0] - '0';
		pmo.Options = MQPMO_SYNCPOINT | MQPMO_NEW_MSG_ID |
			      MQPMO_FAIL_IF_QUIESCING;
		MQPUT(conn, queue, &md, &pmo, strlen(line + 2), line + 2,
		      &comp_code, &reason);
		check("MQPUT", comp_code, reason);
	}

	MQCMIT(conn, &comp_code, &reason);
	check("MQCMIT", comp_code, reason);
	MQCLOSE(conn, &queue, MQCO_NONE, &comp_code, &reason);
	check("MQCLOSE", comp_code, reason);
	MQDISC(&conn, &comp_code, &reason);
	check("MQDISC", comp_code, reason);
	return 0;
}
