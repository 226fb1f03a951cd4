// SPDX-License-Identifier: MIT
/*
 * Puts each line of its input to all of several queues, by means of a
 * distribution list, and says which of them did not get it.
 *
 *	cc list.c -o list -lmqm && ./list DEV.QUEUE.1 QM1 DEV.QUEUE.2 QM1 <text
 *
 * Each queue is followed by its queue manager; '' is the one connected to.
 */
#include <cmqc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST	100

/* Which destinations failed? The records are set only if results differ. */
static void explain(const char *what, const MQOR *names, const MQRR *results,
		    int count, MQLONG cc, MQLONG rc)
{
	int i;

	if (cc == MQCC_OK)
		return;
	if (rc != MQRC_MULTIPLE_REASONS) {
		fprintf(stderr, "%s: reason %d for all queues\n", what,
			(int)rc);
		return;
	}
	for (i = 0; i < count; i++)
		if (results[i].CompCode != MQCC_OK)
			fprintf(stderr, "%s: %.48s: reason %d\n", what,
				names[i].ObjectName, (int)results[i].Reason);
}

static MQHOBJ open_list(MQHCONN conn, MQOR *names, MQRR *results, int count)
{
	MQOD od = { MQOD_DEFAULT };
	MQHOBJ list;
	MQLONG cc, rc;

	od.Version = MQOD_VERSION_2;
	od.RecsPresent = count;
	od.ObjectRecPtr = names;
	od.ResponseRecPtr = results;
	MQOPEN(conn, &od, MQOO_OUTPUT | MQOO_FAIL_IF_QUIESCING, &list, &cc,
	       &rc);
	explain("MQOPEN", names, results, count, cc, rc);
	if (cc == MQCC_FAILED)
		exit(EXIT_FAILURE);
	return list;
}

/* The message identifiers, one for each queue, come back in @ids. */
static MQLONG put(MQHCONN conn, MQHOBJ list, char *line, const MQOR *names,
		  MQRR *results, MQBYTE24 *ids, int count)
{
	MQMD md = { MQMD_DEFAULT };
	MQPMO pmo = { MQPMO_DEFAULT };
	MQLONG cc, rc;

	memcpy(md.Format, MQFMT_STRING, sizeof(md.Format));
	memset(ids, 0, count * sizeof(*ids));
	pmo.Version = MQPMO_VERSION_2;
	pmo.Options = MQPMO_NO_SYNCPOINT | MQPMO_FAIL_IF_QUIESCING;
	pmo.RecsPresent = count;
	pmo.PutMsgRecFields = MQPMRF_MSG_ID;
	pmo.PutMsgRecPtr = ids;
	pmo.ResponseRecPtr = results;
	MQPUT(conn, list, &md, &pmo, strlen(line), line, &cc, &rc);
	explain("MQPUT", names, results, count, cc, rc);
	if (cc != MQCC_FAILED)
		printf("%d of %d: %s\n", (int)(pmo.KnownDestCount +
					       pmo.UnknownDestCount),
		       count, line);
	return cc;
}

int main(int argc, char **argv)
{
	static MQOR names[MOST];
	static MQRR results[MOST];
	static MQBYTE24 ids[MOST];
	MQLONG cc, rc, worst = MQCC_OK;
	int count = argc / 2, i;
	char line[1000];
	MQHCONN conn;
	MQHOBJ list;

	if (argc < 3 || argc % 2 == 0 || count > MOST) {
		fprintf(stderr, "usage: %s QUEUE QMGR [QUEUE QMGR]...\n",
			argv[0]);
		return EXIT_FAILURE;
	}
	for (i = 0; i < count; i++) {
		strncpy(names[i].ObjectName, argv[2 * i + 1],
			MQ_Q_NAME_LENGTH);
		strncpy(names[i].ObjectQMgrName, argv[2 * i + 2],
			MQ_Q_MGR_NAME_LENGTH);
	}
	MQCONN("", &conn, &cc, &rc);
	if (cc == MQCC_FAILED) {
		fprintf(stderr, "MQCONN: reason %d\n", (int)rc);
		return EXIT_FAILURE;
	}
	list = open_list(conn, names, results, count);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		cc = put(conn, list, line, names, results, ids, count);
		worst = cc > worst ? cc : worst;
	}
	MQCLOSE(conn, &list, MQCO_NONE, &cc, &rc);
	MQDISC(&conn, &cc, &rc);
	return worst == MQCC_FAILED ? EXIT_FAILURE : EXIT_SUCCESS;
}
