/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_TAKE_H
#define KMQ_TAKE_H

#include <linux/types.h>
#include "msg.h"
#include "search.h"

struct kmq_handle;
struct kmq_mark;

/* A message can have marks of both kinds, and a get can do both (G-MRK-1). */
enum kmq_mark_kind { KMQ_MARK_HANDLE, KMQ_MARK_CO_OP, KMQ_MARK_KINDS };
struct kmq_queue;
struct kmq_uow_queue;

/* What to do with the message found; decided by kmq_take.judge(). */
enum kmq_verdict {
	KMQ_REFUSE,	/* nothing; the get fails */
	KMQ_SHOW,	/* return the data, change nothing on the queue */
	KMQ_ACCEPT,	/* return the data and do what the get is for */
};

enum kmq_take_result {
	KMQ_TAKE_NONE,	/* there is no candidate */
	KMQ_TAKE_ROOM,	/* kmq_take.msgs is too small, see kmq_take.needed */
	KMQ_TAKE_DONE,	/* kmq_take.verdict and what follows it are set */
};

/* Why a logical message was put together only in part (G-RAS-7). */
enum kmq_short_run {
	KMQ_RUN_COMPLETE,
	KMQ_RUN_CCSID,
	KMQ_RUN_ENCODING,
};

#define KMQ_TAKE_FEW	2

/**
 * struct kmq_take - a get, as far as the queue is concerned
 * @handle: handle that gets
 * @want: conditions
 * @remove: take messages off the queue; else browse
 * @lock: browse: lock what is returned
 * @whole: return the logical message (MQGMO_COMPLETE_MSG)
 * @own_puts: see messages put in the connection's unit of work (M-STO-7)
 * @own_persistent: of these only the persistent ones (M-STO-8)
 * @release_locks: browse: a success ends the locks the handle had
 * @unmark: browse: a success takes the mark of that kind off
 * @mark: unused marks, for the kinds that the get sets
 * @mark_shown: marks are set or taken off also with KMQ_SHOW (G-MRK-2)
 * @judge: decides what to do with @msgs; called with the queue's lock held,
 *	perhaps by another task while the getter sleeps
 * @uow: where the messages go if they are got in a unit of work
 *
 * @verdict: decision
 * @syncpoint: set by judge(): the messages become part of the unit of work
 * @marked: the mark of that kind was used
 * @run: whether the logical message is whole
 * @segmented: the logical message has two or more segments
 * @plain: removed: one message without marks
 * @incomplete: @whole was asked for, but segments are missing; can be so only if
 *	@want names a certain message
 * @msgs: the messages, the first one first
 * @count: how many
 * @room: for how many @msgs has room
 * @needed: at least that many are needed, with KMQ_TAKE_ROOM
 * @length: length of the data
 * @backout_count: of the first message, when it was selected
 * @few: room for @msgs that needs no memory
 *
 * After KMQ_TAKE_DONE with KMQ_SHOW or KMQ_ACCEPT kmq_take_finish() must follow.
 */
struct kmq_take {
	struct kmq_handle *handle;
	struct kmq_search want;
	bool remove;
	bool lock;
	bool whole;
	bool own_puts;
	bool own_persistent;
	bool release_locks;
	bool unmark[KMQ_MARK_KINDS];
	struct kmq_mark *mark[KMQ_MARK_KINDS];
	bool mark_shown;
	enum kmq_verdict (*judge)(struct kmq_take *take);
	struct kmq_uow_queue *uow;

	enum kmq_verdict verdict;
	bool syncpoint;
	bool marked[KMQ_MARK_KINDS];
	bool segmented;
	bool plain;
	bool incomplete;
	enum kmq_short_run run;
	struct kmq_msg **msgs;
	u32 count;
	u32 room;
	u32 needed;
	u64 length;
	s32 backout_count;
	struct kmq_msg *few[KMQ_TAKE_FEW];
};

static inline void kmq_take_init(struct kmq_take *take,
				 struct kmq_handle *handle)
{
	take->handle = handle;
	take->msgs = take->few;
	take->room = KMQ_TAKE_FEW;
	take->count = 0;
	memset(take->mark, 0, sizeof(take->mark));
	take->uow = NULL;
	take->verdict = KMQ_REFUSE;
	take->syncpoint = false;
	memset(take->marked, 0, sizeof(take->marked));
}

enum kmq_take_result kmq_take_choose_locked(struct kmq_queue *queue,
					    struct kmq_take *take);
void kmq_take_off_locked(struct kmq_queue *queue, struct kmq_msg *msg,
			 bool syncpoint);
enum kmq_take_result kmq_take_try_locked(struct kmq_queue *queue,
					 struct kmq_take *take);
int kmq_take_grow(struct kmq_take *take);
int kmq_take_copy_out(const struct kmq_take *take, u32 length,
		      struct iov_iter *to);
void kmq_take_finish(struct kmq_take *take, bool ok);
void kmq_take_free(struct kmq_take *take);

#endif /* KMQ_TAKE_H */
