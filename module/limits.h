/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Everything that is bounded, and the masks of what callers may pass.
 */
#ifndef KMQ_LIMITS_H
#define KMQ_LIMITS_H

#include <linux/limits.h>

#define KMQ_MAX_MSG_LENGTH	(100 << 20)	/* O-QATT MaxMsgLength */
#define KMQ_DEF_MSG_LENGTH	(4 << 20)
#define KMQ_MIN_QMGR_MSG_LENGTH	32768
#define KMQ_MAX_PRIORITY	9
#define KMQ_PRIORITIES		(KMQ_MAX_PRIORITY + 1)
#define KMQ_MAX_DEPTH		999999999
#define KMQ_MAX_SEQ		999999999	/* M-GRP-1 */
#define KMQ_MAX_OFFSET		999999999	/* M-SEG-1 */
#define KMQ_MAX_SELECTORS	256		/* O-INQ-2 */
#define KMQ_DEF_HANDLES		256
#define KMQ_DEF_UNCOMMITTED	10000
#define KMQ_DEF_MARK_INTERVAL	5000		/* ms, G-MRK-8 */
#define KMQ_DEF_USER_QUEUES	1024	/* made by a user, not an administrator */
#define KMQ_DEF_USER_SIGNALS	8192		/* two queues' full */
#define KMQ_DEF_USER_WINDOWS	4096
#define KMQ_MAX_QUEUES		524288		/* nodes, of all queue managers */
#define KMQ_MAX_QMGRS		64
#define KMQ_MAX_OBJECTS		16384	/* of one queue manager, no queues */
#define KMQ_MAX_NAMES		256		/* in a namelist */
#define KMQ_MAX_SIGNALS		4096		/* outstanding at one queue */
#define KMQ_MAX_BATCH		1024
#define KMQ_MAX_ENTRIES		1024		/* of one listing call */
#define KMQ_MAX_ENTRY_STRIDE	4096
#define KMQ_MIN_PIECE		16		/* P-SEG-4 */

#endif /* KMQ_LIMITS_H */
