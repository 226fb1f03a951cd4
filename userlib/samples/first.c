/* SPDX-License-Identifier: MIT */
/*
 * The shortest complete MQI program: put a message, get it back.
 *
 *	cc first.c -o first -lmqm
 */
#include <cmqc.h>
#include <stdio.h>

/* Says what a call answered, unless all was well. */
static int failed(const char *call, MQLONG cc, MQLONG rc)
{
	if (cc != MQCC_OK)
		fprintf(stderr, "%s: reason %d\n", call, (int)rc);
	return cc == MQCC_FAILED;
}

int main(void)
{
	MQHCONN conn;
	MQHOBJ queue;
	MQOD od = { MQOD_DEFAULT };
	MQMD out = { MQMD_DEFAULT }, in = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQGMO gmo = { MQGMO_DEFAULT };
	MQLONG cc, rc, length = 0;
	char text[100];

	snprintf(od.ObjectName, sizeof(od.ObjectName), "DEV.QUEUE.1");
	MQCONN("QM1", &conn, &cc, &rc);
	if (failed("MQCONN", cc, rc))
		return 1;
	MQOPEN(conn, &od, MQOO_OUTPUT | MQOO_INPUT_SHARED, &queue, &cc, &rc);
	if (failed("MQOPEN", cc, rc))
		return 1;
	MQPUT(conn, queue, &out, &pmo, 5, "hello", &cc, &rc);
	if (failed("MQPUT", cc, rc))
		return 1;
	MQGET(conn, queue, &in, &gmo, sizeof(text), text, &length, &cc, &rc);
	if (failed("MQGET", cc, rc))
		return 1;
	printf("%.*s\n", (int)length, text);
	MQCLOSE(conn, &queue, MQCO_NONE, &cc, &rc);
	MQDISC(&conn, &cc, &rc);
	return 0;
}
