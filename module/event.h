/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_EVENT_H
#define KMQ_EVENT_H

#include <linux/types.h>

struct kmq_conn;
struct kmq_open_call;
struct kmq_qmgr;
struct kmq_queue;

void kmq_event_full(struct kmq_queue *queue);
void kmq_event_send(struct kmq_queue *queue);
void kmq_event_inhibited(struct kmq_conn *conn, const struct kmq_queue *named,
			 u32 reason);
void kmq_event_open_failed(const struct kmq_open_call *call, u32 reason);
void kmq_event_state(struct kmq_qmgr *qmgr, u32 was, u32 state);

#endif /* KMQ_EVENT_H */
