/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_POST_H
#define KMQ_POST_H

#include <linux/types.h>

struct cred;
struct kmq_msg;
struct kmq_qmgr;
struct kmq_unit;

/**
 * struct kmq_post_to - where a message is to go
 * @q: name of the queue, blank padded
 * @qmgr: name of its queue manager, blank padded
 * @putter: who must be allowed to open what is found, or NULL
 * @quiet: what comes there causes no triggers and no events
 */
struct kmq_post_to {
	const u8 *q;
	const u8 *qmgr;
	const struct cred *putter;
	bool quiet;
};

struct kmq_msg *kmq_post_make(struct kmq_qmgr *qmgr, u32 length,
			      const char *format);
u32 kmq_post(struct kmq_qmgr *qmgr, const struct kmq_post_to *to,
	     struct kmq_msg *msg, struct kmq_unit *unit);
u32 kmq_post_bury(struct kmq_qmgr *qmgr, const struct kmq_post_to *to,
		  struct kmq_msg *msg, u32 why, struct kmq_unit *unit);

#endif /* KMQ_POST_H */
