/* SPDX-License-Identifier: MIT */
/*
 * consume QUEUE [SECONDS [QMGR]]: prints each message that comes within that
 * time, ten seconds by default. The messages are handed to a function, on a
 * thread of the library, while the program does something else.
 *
 *	cc consume.c -o consume -lmqm
 */
#include <cmqc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check(const char *call, MQLONG comp_code, MQLONG reason)
{
	if (comp_code == MQCC_OK)
		return;
	fprintf(stderr, "consume: %s: completion code %d, reason %d\n", call,
		(int)comp_code, (int)reason);
	if (comp_code == MQCC_FAILED)
		exit(1);
}

/*
 * Called for each message, and when something happens to the consumer. The
 * message is the library's: it is there until the function returns.
 */
static void consumer(MQHCONN conn, PMQVOID md, PMQVOID gmo, PMQVOID buffer,
		     PMQCBC context)
{
	unsigned int *count = context->CallbackArea;
	MQLONG comp_code, reason;

	(void)gmo;
	switch (context->CallType) {
	case MQCBCT_MSG_REMOVED:
		printf("%d %.*s\n", (int)((MQMD *)md)->Priority,
		       (int)context->DataLength, (char *)buffer);
		fflush(stdout);
		++*count;
		/* It was got within a unit of work; now it is done with. */
		MQCMIT(conn, &comp_code, &reason);
		check("MQCMIT", comp_code, reason);
		break;
	case MQCBCT_EVENT_CALL:
		fprintf(stderr, "consume: reason %d, state %d\n",
			(int)context->Reason, (int)context->State);
		break;
	}
}

int main(int argc, char **argv)
{
	MQOD od = { MQOD_DEFAULT };
	MQMD md = { MQMD_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	MQCBD cbd = { MQCBD_DEFAULT };
	MQCHAR48 qmgr = "";
	MQLONG comp_code, reason;
	unsigned int count = 0;
	MQHCONN conn;
	MQHOBJ queue;

	if (argc < 2) {
		fprintf(stderr, "usage: consume QUEUE [SECONDS [QMGR]]\n");
		return 2;
	}
	memcpy(od.ObjectName, argv[1],
	       strnlen(argv[1], sizeof(od.ObjectName)));
	if (argc > 3)
		memcpy(qmgr, argv[3], strnlen(argv[3], sizeof(qmgr)));

	MQCONN(qmgr, &conn, &comp_code, &reason);
	check("MQCONN", comp_code, reason);
	MQOPEN(conn, &od, MQOO_INPUT_SHARED | MQOO_FAIL_IF_QUIESCING, &queue,
	       &comp_code, &reason);
	check("MQOPEN", comp_code, reason);

	/* What is got, and by whom. */
	gmo.Options = MQGMO_WAIT | MQGMO_SYNCPOINT | MQGMO_FAIL_IF_QUIESCING;
	gmo.WaitInterval = MQWI_UNLIMITED;
	cbd.CallbackFunction = (MQPTR)consumer;
	cbd.CallbackArea = &count;
	MQCB(conn, MQOP_REGISTER, &cbd, queue, &md, &gmo, &comp_code, &reason);
	check("MQCB", comp_code, reason);

	MQCTL(conn, MQOP_START, NULL, &comp_code, &reason);
	check("MQCTL START", comp_code, reason);
	/* Until it is stopped, the connection is the consumer's alone. */
	sleep(argc > 2 ? atoi(argv[2]) : 10);
	MQCTL(conn, MQOP_STOP, NULL, &comp_code, &reason);
	check("MQCTL STOP", comp_code, reason);
	printf("%u messages\n", count);

	MQCLOSE(conn, &queue, MQCO_NONE, &comp_code, &reason);
	check("MQCLOSE", comp_code, reason);
	MQDISC(&conn, &comp_code, &reason);
	check("MQDISC", comp_code, reason);
	return 0;
}
