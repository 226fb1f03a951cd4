/* SPDX-License-Identifier: MIT */
/*
 * The shortest complete MQI program: put a message, get it back.
 *
 *	cc first.c -o first -lmqm
 */
#include <cmqc.h>
#include <stdio.h>

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
	MQOPEN(conn, &od, MQOO_OUTPUT | MQOO_INPUT_SHARED, &queue, &cc, &rc);
	MQPUT(conn, queue, &out, &pmo, 5, "hello", &cc, &rc);
	MQGET(conn, queue, &in, &gmo, sizeof(text), text, &length, &cc, &rc);
	printf("%.*s (reason %d)\n", (int)length, text, (int)rc);
	MQCLOSE(conn, &queue, MQCO_NONE, &cc, &rc);
	MQDISC(&conn, &cc, &rc);
	return cc;
}
