/* SPDX-License-Identifier: MIT */
/*
 * Puts a group together whose members come from two producers.
 *
 * Each producer puts every other member, to its own queue, in whatever order it
 * likes. A collector moves what it finds to one queue, a member and its
 * acknowledgement in one unit of work. The reader then gets the group in logical
 * order, once all of it is there.
 *
 *	cc group.c -o group -lmqm && ./group DEV.QUEUE.1 DEV.QUEUE.2 DEV.QUEUE.3
 */
#include <cmqc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBERS	6

static void must(const char *what, MQLONG cc, MQLONG rc)
{
	if (cc == MQCC_OK)
		return;
	fprintf(stderr, "%s: reason %d\n", what, (int)rc);
	exit(EXIT_FAILURE);
}

static MQHOBJ open_queue(MQHCONN conn, const char *name, MQLONG options)
{
	MQOD od = { MQOD_DEFAULT };
	MQHOBJ queue;
	MQLONG cc, rc;

	strncpy(od.ObjectName, name, MQ_Q_NAME_LENGTH);
	MQOPEN(conn, &od, options, &queue, &cc, &rc);
	must(name, cc, rc);
	return queue;
}

/* A producer knows the group and numbers its members itself. */
static void produce(MQHCONN conn, MQHOBJ queue, const MQBYTE *group, int first)
{
	int n;

	for (n = first; n >= 1; n -= 2) {
		MQMD md = { MQMD_DEFAULT };
		MQPMO pmo = { MQPMO_DEFAULT };
		char text[32];
		MQLONG cc, rc;

		md.Version = MQMD_VERSION_2;
		memcpy(md.GroupId, group, sizeof(md.GroupId));
		md.MsgSeqNumber = n;
		md.MsgFlags = n == MEMBERS ? MQMF_LAST_MSG_IN_GROUP :
					     MQMF_MSG_IN_GROUP;
		snprintf(text, sizeof(text), "member %d", n);
		MQPUT(conn, queue, &md, &pmo, strlen(text), text, &cc, &rc);
		must("MQPUT", cc, rc);
	}
}

/* Everything from one queue to another; the descriptor goes along as it is. */
static void collect(MQHCONN conn, MQHOBJ from, MQHOBJ to)
{
	for (;;) {
		MQMD md = { MQMD_DEFAULT };
		MQGMO gmo = { MQGMO_DEFAULT };
		MQPMO pmo = { MQPMO_DEFAULT };
		char text[100];
		MQLONG length, cc, rc;

		md.Version = MQMD_VERSION_2;
		gmo.Options = MQGMO_SYNCPOINT;
		MQGET(conn, from, &md, &gmo, sizeof(text), text, &length, &cc,
		      &rc);
		if (rc == MQRC_NO_MSG_AVAILABLE)
			return;
		must("MQGET", cc, rc);
		pmo.Options = MQPMO_SYNCPOINT;
		MQPUT(conn, to, &md, &pmo, length, text, &cc, &rc);
		must("MQPUT", cc, rc);
		MQCMIT(conn, &cc, &rc);
		must("MQCMIT", cc, rc);
	}
}

/* In logical order, and not before the last member has come. */
static void read_group(MQHCONN conn, MQHOBJ queue)
{
	char status = MQGS_MSG_IN_GROUP;

	while (status != MQGS_LAST_MSG_IN_GROUP) {
		MQMD md = { MQMD_DEFAULT };
		MQGMO gmo = { MQGMO_DEFAULT };
		char text[100];
		MQLONG length, cc, rc;

		md.Version = MQMD_VERSION_2;
		gmo.Version = MQGMO_VERSION_2;
		gmo.MatchOptions = MQMO_NONE;
		gmo.Options = MQGMO_LOGICAL_ORDER | MQGMO_ALL_MSGS_AVAILABLE |
			      MQGMO_WAIT;
		gmo.WaitInterval = 5000;
		MQGET(conn, queue, &md, &gmo, sizeof(text), text, &length, &cc,
		      &rc);
		must("MQGET", cc, rc);
		printf("%d: %.*s\n", (int)md.MsgSeqNumber, (int)length, text);
		status = gmo.GroupStatus;
	}
}

int main(int argc, char **argv)
{
	static const MQBYTE24 group = "sample group";
	MQHOBJ one, two, all;
	MQHCONN conn;
	MQLONG cc, rc;

	if (argc != 4) {
		fprintf(stderr, "usage: %s QUEUE1 QUEUE2 ALL\n", argv[0]);
		return EXIT_FAILURE;
	}
	MQCONN("", &conn, &cc, &rc);
	must("MQCONN", cc, rc);
	one = open_queue(conn, argv[1], MQOO_OUTPUT | MQOO_INPUT_SHARED);
	two = open_queue(conn, argv[2], MQOO_OUTPUT | MQOO_INPUT_SHARED);
	all = open_queue(conn, argv[3], MQOO_OUTPUT | MQOO_INPUT_SHARED);
	produce(conn, one, group, MEMBERS);
	produce(conn, two, group, MEMBERS - 1);
	collect(conn, one, all);
	collect(conn, two, all);
	read_group(conn, all);
	MQDISC(&conn, &cc, &rc);
	return EXIT_SUCCESS;
}
