/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_WINDOW_H
#define KMQ_WINDOW_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct kmq_conn;
struct kmq_handle;
struct kmq_msg;
struct kmq_queue;
struct kmq_uow_queue;
struct kmq_unit;
struct page;

/**
 * DOC: Windows
 *
 * A window is a run of the first messages of a queue that a program has been
 * given copies of in advance. They are neither got nor reserved: each stays in its
 * place until the program claims it, which it does without a call, by counting
 * up in a word that it shares with the kernel. What has been claimed has been
 * got, at that moment, and nothing else has happened.
 *
 * So whoever locks the queue has to bring it up to date first, and does so
 * because kmq_queue_lock() does: it revokes the window, by setting a bit in the
 * word at one go with reading it, takes what has been claimed off the queue, and
 * forgets the rest. Inside of the lock a queue with a window looks like one whose
 * messages were got one by one. kmq_queue_lock_beside() only takes off what has
 * been claimed; more may be claimed while it is held, as if by a get that has its
 * turn a moment later. That is right as long as the rest of the window stays
 * what a get would find, hence for those who look, and for those who add
 * something behind it: kmq_window_mind_locked() sees to the others.
 *
 * The word has the number of the window in its upper half, so that a claim for
 * one that is gone fails. What a program writes there otherwise makes it lose
 * messages, or get them twice; no others are concerned.
 *
 *	program				kernel
 *	-------				------
 *	has its copy of message n	fetch_or(word, REVOKED) (B)
 *	cmpxchg(word, n, n + 1) (A)	takes off as many messages as the
 *	on success: has got it		old value says
 *
 * Both are atomic and fully ordered. If A comes first, B reads n + 1: the message
 * goes. If B does, A fails: the message stays.
 *
 * What a get is checked against can change without the lock of the queue: an alias
 * of it, the state of the queue manager or of the connection. Each such change
 * concerns gets that wait, too, and whoever makes it visits the queues at which
 * they may wait, with kmq_queue_lock(). So what ends a wait ends a window, and no
 * change ever looks for windows. One that is being opened meanwhile:
 *
 *	kmq_window_open_locked()	who changes something
 *	------------------------	---------------------
 *	lock queue			kmq_qmgr_changed()
 *	open, if kmq_qmgr_changes()	kmq_queue_lock(): revokes
 *	is what it was at the checks
 *	unlock queue
 *
 * It sees the change, or the other one has the lock after it.
 *
 * With syncpoint what is claimed is part of the unit of work. Whoever takes it
 * off the queue leaves it at the part of the unit that concerns the queue, as
 * kmq_uow_queue.claimed; the connection itself counts it, with its next call.
 */

#define KMQ_WINDOW_MAX	32

/**
 * struct kmq_window - what a handle can have messages claimed by
 * @link: in kmq_conn.windows
 * @handle: handle, whose it is
 * @payer: user on whose account it is
 * @page: page that the program can map
 * @word: its first word, KMQ_WINDOW_*
 * @number: number of the window opened last
 * @count: messages in it
 * @settled: how many of them have been taken off
 * @last_key: key of the last one
 * @part: part of the unit of work they are got in, or NULL; others look whether
 *	there is one
 * @msgs: the messages, in the order of the queue; in their places from @settled on
 *
 * Guarded by the lock of the queue from @number on, which matters as long as it is
 * kmq_queue.window.
 */
struct kmq_window {
	struct list_head link;
	struct kmq_handle *handle;
	kuid_t payer;
	struct page *page;
	atomic64_t *word;
	u32 number;
	u32 count;
	u32 settled;
	u64 last_key;
	struct kmq_uow_queue *part;
	struct kmq_msg *msgs[KMQ_WINDOW_MAX];
};

int kmq_window_create(struct kmq_handle *handle);
void kmq_window_free(struct kmq_window *window);
u32 kmq_window_open_locked(struct kmq_window *window, struct kmq_msg **msgs,
			   u32 count, struct kmq_uow_queue *part, u32 changes);
void kmq_window_close(struct kmq_window *window);
void kmq_window_settle_locked(struct kmq_queue *queue);
void kmq_window_revoke_locked(struct kmq_queue *queue);
void kmq_window_mind_locked(struct kmq_queue *queue, u64 key, u32 count);
u32 kmq_windows_claimed(struct kmq_conn *conn);

bool kmq_window_is_of_locked(const struct kmq_uow_queue *part);
void kmq_window_take_over_locked(struct kmq_unit *uow,
				 struct kmq_uow_queue *part);
void kmq_window_left(struct kmq_unit *uow, struct kmq_uow_queue *part);
void kmq_windows_collect(struct kmq_unit *uow);
void kmq_windows_withdraw(struct kmq_unit *uow);

#endif /* KMQ_WINDOW_H */
