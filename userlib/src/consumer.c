// SPDX-License-Identifier: MIT
/*
 * Message consumers.
 *
 * A consumer is tried when its queue became readable, which epoll tells once
 * for each message that becomes visible, whatever the consumer looks for. So
 * match options, logical order and browsing need nothing else, and no signal is
 * left on the program's handle, which it may use itself when consumption is
 * suspended. That gets were inhibited makes nothing readable: a browse handle
 * of the consumer's own has a signal for a message that never comes, which is
 * posted then (G-SIG-3).
 *
 * Messages are taken one at a time, as none of higher priority could overtake one
 * that was fetched ahead of its turn, and nobody else could get it when
 * consumption stops. Most of the time this needs no call, see ahead.h.
 */
#include "consumer.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>

#include "ahead.h"
#include "control.h"
#include "device.h"
#include "get.h"
#include "name.h"

#define BROWSE		(MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT)
/* A-CB-6: what needs a cursor or a second call. */
#define IMPOSSIBLE	(MQGMO_MSG_UNDER_CURSOR | MQGMO_LOCK | MQGMO_UNLOCK | \
			 MQGMO_BROWSE_MSG_UNDER_CURSOR | MQGMO_SET_SIGNAL)

#define FIRST_SIZE	4096
#define RETRY_NS	1000000000ULL

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/*
 * Both browse options together start at the beginning and go on from there.
 * The kernel, which knows them one at a time, is asked for what comes first.
 */
static MQLONG first_options(MQLONG options)
{
	return (options & BROWSE) == BROWSE ? options & ~MQGMO_BROWSE_NEXT :
					      options;
}

/* The kernel makes its checks up to the bad length of the buffer (G-VAL). */
MQLONG kmq_consumer_check(struct kmq_object *object, MQMD *md, MQGMO *gmo)
{
	MQMD default_md = { MQMD_DEFAULT };
	MQGMO default_gmo = { MQGMO_DEFAULT };
	struct kmq_get_call call;
	MQLONG reason;

	if (gmo && kmq_has_id(gmo, MQGMO_STRUC_ID) &&
	    (gmo->Options & IMPOSSIBLE))
		return MQRC_OPTIONS_ERROR;
	kmq_get_prepare(&call, object, md ? md : &default_md,
			gmo ? gmo : &default_gmo, -1, NULL, true);
	call.get.options = first_options(call.get.options);
	kmq_get_run(&call, object, &reason);
	return reason == MQRC_BUFFER_LENGTH_ERROR ? MQRC_NONE : reason;
}

/* Lists and epoll */

static void list_out(struct kmq_control *ctl, struct kmq_consumer *consumer)
{
	if (consumer->ready)
		TAILQ_REMOVE(&ctl->ready, consumer, link);
	else
		TAILQ_REMOVE(&ctl->idle, consumer, link);
}

static void list_in(struct kmq_control *ctl, struct kmq_consumer *consumer,
		    bool ready)
{
	consumer->ready = ready;
	if (ready)
		TAILQ_INSERT_TAIL(&ctl->ready, consumer, link);
	else
		TAILQ_INSERT_TAIL(&ctl->idle, consumer, link);
}

static void list_move(struct kmq_control *ctl, struct kmq_consumer *consumer,
		      bool ready)
{
	list_out(ctl, consumer);
	list_in(ctl, consumer, ready);
}

void kmq_consumer_ready(struct kmq_control *ctl, struct kmq_consumer *consumer)
{
	if (!consumer->ready && kmq_consumer_is_active(consumer))
		list_move(ctl, consumer, true);
}

static void poll_on(struct kmq_control *ctl, struct kmq_consumer *consumer)
{
	struct epoll_event event = {
		.events = EPOLLIN | EPOLLET,
		.data.ptr = consumer,
	};

	if (!consumer->polled)
		consumer->polled = !epoll_ctl(ctl->poll_fd, EPOLL_CTL_ADD,
					      consumer->object->fd, &event);
}

static void poll_off(struct kmq_control *ctl, struct kmq_consumer *consumer)
{
	struct epoll_event event = { 0 };

	if (consumer->polled)
		epoll_ctl(ctl->poll_fd, EPOLL_CTL_DEL, consumer->object->fd,
			  &event);
	consumer->polled = false;
}

/* Behind all others whose turn it is (A-CBC-6). */
static void end_turn(struct kmq_control *ctl, struct kmq_consumer *consumer)
{
	if (TAILQ_NEXT(consumer, link)) {
		TAILQ_REMOVE(&ctl->ready, consumer, link);
		TAILQ_INSERT_TAIL(&ctl->ready, consumer, link);
	}
}

/* Bring list and epoll in line with whether it is active. */
static void settle(struct kmq_control *ctl, struct kmq_consumer *consumer,
		   bool ready)
{
	bool active = kmq_consumer_is_active(consumer);

	list_move(ctl, consumer, active && ready);
	if (active)
		poll_on(ctl, consumer);
	else
		poll_off(ctl, consumer);
}

/* The signal that tells about inhibited gets */

static bool watch_bind(const struct kmq_conn *conn, int fd)
{
	struct kmq_open k = {
		.size = sizeof(k),
		.conn_fd = conn->fd,
		.options = MQOO_BROWSE,
	};

	return !kmq_ioctl(fd, KMQ_IOC_OPEN, &k) &&
	       k.out_comp_code != MQCC_FAILED;
}

/* Without it, inhibited gets are noticed with the next message only. */
void kmq_consumer_watch(struct kmq_conn *conn, struct kmq_consumer *consumer)
{
	char path[KMQ_PATH_MAX];
	int fd = -1;

	if (kmq_path_queue(path, conn->qmgr, consumer->object->opened))
		fd = kmq_dev_open(path, O_RDONLY);
	if (fd >= 0 && !watch_bind(conn, fd)) {
		kmq_dev_close(fd);
		fd = -1;
	}
	consumer->watch_fd = fd < 0 ? -1 : fd;
	consumer->armed = false;
}

void kmq_consumer_unwatch(struct kmq_consumer *consumer)
{
	struct kmq_close k = { .size = sizeof(k) };

	if (consumer->watch_fd < 0)
		return;
	/* Also unbinds it where another process has inherited it. */
	kmq_ioctl(consumer->watch_fd, KMQ_IOC_CLOSE, &k);
	kmq_dev_close(consumer->watch_fd);
	consumer->watch_fd = -1;
	consumer->armed = false;
}

/*
 * Leave the signal, for a message with our own connection's number in both
 * identifiers. If there is one already, that is still outstanding. True if
 * that was tried: what happened before is to be looked at once more, and it may
 * be that gets have just been inhibited, with which there is no signal.
 */
static bool arm(const struct kmq_control *ctl, const struct kmq_conn *conn,
		struct kmq_consumer *consumer)
{
	struct kmq_get k = {
		.size = sizeof(k),
		.options = MQGMO_SET_SIGNAL | MQGMO_BROWSE_FIRST,
		.match_options = MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID,
		.gmo_version = MQGMO_VERSION_2,
		.md_version = MQMD_VERSION_1,
		.wait_interval = MQWI_UNLIMITED,
		.signal1 = ctl->event_fd,
	};

	if (consumer->watch_fd < 0 || consumer->armed)
		return false;
	memcpy(k.md.msg_id, conn->id, sizeof(k.md.msg_id));
	memcpy(k.md.correl_id, conn->id, sizeof(k.md.correl_id));
	if (kmq_ioctl(consumer->watch_fd, KMQ_IOC_GET, &k))
		return true;
	consumer->armed = k.out_reason == MQRC_SIGNAL_REQUEST_ACCEPTED ||
			  k.out_reason == MQRC_SIGNAL_OUTSTANDING;
	return true;
}

/* Registering */

struct kmq_consumer *kmq_consumer_new(struct kmq_control *ctl,
				      struct kmq_conn *conn,
				      struct kmq_object *object)
{
	struct kmq_consumer *consumer = calloc(1, sizeof(*consumer));

	if (!consumer)
		return NULL;
	consumer->object = object;
	object->consumer = consumer;
	if (!object->ahead)
		object->ahead = kmq_ahead_new();
	kmq_consumer_watch(conn, consumer);
	list_in(ctl, consumer, false);
	return consumer;
}

/* @to is set to its defaults; @from is as long as its version says. */
static void take_gmo(MQGMO *to, const MQGMO *from)
{
	static const size_t length[] = {
		MQGMO_LENGTH_1, MQGMO_LENGTH_2, MQGMO_LENGTH_3, MQGMO_LENGTH_4,
	};

	*to = (MQGMO){ MQGMO_DEFAULT };
	if (from)
		memcpy(to, from, length[from->Version - 1]);
	to->Version = MQGMO_VERSION_4;
}

static void take_md(MQMD *to, const MQMD *from)
{
	*to = (MQMD){ MQMD_DEFAULT };
	if (from)
		memcpy(to, from, from->Version == MQMD_VERSION_1 ?
					 MQMD_LENGTH_1 : sizeof(*to));
}

void kmq_consumer_set(struct kmq_control *ctl, struct kmq_consumer *consumer,
		      const MQMD *md, const MQGMO *gmo, MQLONG max_length,
		      bool suspended)
{
	take_md(&consumer->md, md);
	take_gmo(&consumer->gmo, gmo);
	consumer->options = consumer->gmo.Options;
	consumer->max_length = max_length < 0 ? INT32_MAX : max_length;
	consumer->browsed = false;
	consumer->told_empty = false;
	if (!consumer->begun)
		ctl->news = true;
	kmq_consumer_suspend(ctl, consumer, suspended);
}

void kmq_consumer_suspend(struct kmq_control *ctl,
			  struct kmq_consumer *consumer, bool suspended)
{
	consumer->suspended = suspended;
	if (!suspended) {
		consumer->state = MQCS_NONE;
		consumer->reason = MQRC_NONE;
		consumer->deadline = 0;
	}
	settle(ctl, consumer, true);
}

void kmq_consumer_free(struct kmq_control *ctl, struct kmq_consumer *consumer,
		       struct kmq_callback *call)
{
	kmq_callback_wanted(call, &consumer->routine,
			    consumer->object->item.handle,
			    MQCBCT_DEREGISTER_CALL);
	poll_off(ctl, consumer);
	kmq_consumer_unwatch(consumer);
	list_out(ctl, consumer);
	consumer->object->consumer = NULL;
	free(consumer);
}

/* Getting */

static bool grow(struct kmq_control *ctl, MQLONG size)
{
	void *buffer;

	if (size <= ctl->size)
		return true;
	buffer = realloc(ctl->buffer, size);
	if (!buffer)
		return false;
	ctl->buffer = buffer;
	ctl->size = size;
	return true;
}

static MQLONG get_options(const struct kmq_consumer *consumer)
{
	MQLONG options = consumer->options & ~MQGMO_WAIT;

	if ((options & BROWSE) != BROWSE)
		return options;
	return options & ~(consumer->browsed ? MQGMO_BROWSE_FIRST :
					       MQGMO_BROWSE_NEXT);
}

/* What a get that brings a message does not write. */
static void start_md(MQMD *md, const MQMD *registered)
{
	memcpy(md, registered, offsetof(MQMD, Report));
	if (registered->Version < MQMD_VERSION_2)
		memcpy(md->GroupId, registered->GroupId,
		       sizeof(*md) - offsetof(MQMD, GroupId));
}

/* From the window, if there is one, or by the kernel. */
static MQLONG run(struct kmq_object *object, struct kmq_get_call *k,
		  PMQLONG reason)
{
	struct kmq_ahead *ahead = object->ahead;
	MQLONG comp_code;

	if (likely(ahead && kmq_ahead_get(ahead, object, k))) {
		*reason = MQRC_NONE;
		return MQCC_OK;
	}
	comp_code = kmq_get_run(k, object, reason);
	if (ahead)
		kmq_ahead_made(ahead, k, comp_code);
	return comp_code;
}

static void get(struct kmq_control *ctl, struct kmq_conn *conn,
		struct kmq_consumer *consumer, MQLONG length,
		struct kmq_callback *call)
{
	struct kmq_get_call k;

	start_md(&ctl->md, &consumer->md);
	ctl->gmo = consumer->gmo;
	ctl->gmo.Options = get_options(consumer);
	/* Only a message longer than what the program takes is cut. */
	if (length < consumer->max_length)
		ctl->gmo.Options &= ~MQGMO_ACCEPT_TRUNCATED_MSG;
	kmq_get_prepare(&k, consumer->object, &consumer->md, &ctl->gmo, length,
			ctl->buffer, true);
	k.md = &ctl->md;
	call->comp_code = run(consumer->object, &k, &call->reason);
	call->comp_code = kmq_get_finish(&k, conn, consumer->object,
					 call->comp_code, &call->reason,
					 &call->data_length);
	call->buffer_length = length;
	ctl->gmo.Options = consumer->options;
}

/* Get with a buffer that is large enough, as far as MaxMsgLength allows. */
static void get_whole(struct kmq_control *ctl, struct kmq_conn *conn,
		      struct kmq_consumer *consumer, struct kmq_callback *call)
{
	MQLONG most = consumer->max_length, length, want = FIRST_SIZE;

	while (grow(ctl, want)) {
		length = most < ctl->size ? most : ctl->size;
		get(ctl, conn, consumer, length, call);
		if (call->reason != MQRC_TRUNCATED_MSG_FAILED ||
		    length == most)
			return;
		want = call->data_length;
		if (want <= length)
			want = length < most / 2 ? 2 * length : most;
		if (want > most)
			want = most;
	}
	call->comp_code = MQCC_FAILED;
	call->reason = MQRC_STORAGE_NOT_AVAILABLE;
}

static void hand_over(struct kmq_control *ctl, struct kmq_consumer *consumer,
		      struct kmq_callback *call)
{
	bool removed = !(consumer->options & BROWSE);

	consumer->state = MQCS_NONE;
	/* A-CBC-10 */
	if (call->reason == MQRC_TRUNCATED_MSG_FAILED) {
		removed = false;
		consumer->state = MQCS_SUSPENDED_USER_ACTION;
	} else {
		consumer->browsed = true;
	}
	consumer->reason = call->reason;
	consumer->deadline = 0;
	consumer->told_empty = false;
	call->type = removed ? MQCBCT_MSG_REMOVED : MQCBCT_MSG_NOT_REMOVED;
	call->state = consumer->state;
	call->buffer = ctl->buffer;
	call->md = &ctl->md;
	call->gmo = &ctl->gmo;
	if (likely(consumer->polled && kmq_consumer_is_active(consumer)))
		end_turn(ctl, consumer);
	else
		settle(ctl, consumer, true);
}

/* A-CB-7: is it time to say that there is no message? */
static bool tell_empty(struct kmq_consumer *consumer)
{
	uint64_t now, interval;
	bool over;

	if (!(consumer->options & MQGMO_WAIT) || !consumer->gmo.WaitInterval) {
		over = !consumer->told_empty;
		consumer->told_empty = true;
		return over;
	}
	if (consumer->gmo.WaitInterval == MQWI_UNLIMITED)
		return false;
	now = now_ns();
	interval = consumer->gmo.WaitInterval * 1000000ULL;
	over = consumer->deadline && now >= consumer->deadline;
	if (over || !consumer->deadline)
		consumer->deadline = now + interval;
	return over;
}

/* What is to become of a consumer whose get failed (A-CBC-3). */
static MQLONG state_after(MQLONG reason)
{
	switch (reason) {
	case MQRC_GET_INHIBITED:
	case MQRC_Q_MGR_QUIESCING:
	case MQRC_CONNECTION_QUIESCING:
	case MQRC_STORAGE_NOT_AVAILABLE:
	case MQRC_RESOURCE_PROBLEM:
	case MQRC_CALL_IN_PROGRESS:
		return MQCS_SUSPENDED_TEMPORARY;
	case MQRC_BACKED_OUT:
	case MQRC_SYNCPOINT_LIMIT_REACHED:
	case MQRC_SECOND_MARK_NOT_ALLOWED:
	case MQRC_INCONSISTENT_UOW:
	case MQRC_INCONSISTENT_BROWSE:
	case MQRC_UOW_NOT_AVAILABLE:
	case MQRC_MATCH_OPTIONS_ERROR:
		return MQCS_SUSPENDED_USER_ACTION;
	default:
		return MQCS_SUSPENDED;
	}
}

/* A-CBC-4: true if it is news. One that may recover is tried now and then. */
static bool fail(struct kmq_control *ctl, struct kmq_consumer *consumer,
		 MQLONG reason)
{
	bool news = consumer->state == MQCS_NONE || consumer->reason != reason;

	consumer->state = state_after(reason);
	consumer->reason = reason;
	consumer->deadline = consumer->state == MQCS_SUSPENDED_TEMPORARY ?
				     now_ns() + RETRY_NS : 0;
	settle(ctl, consumer, false);
	return news;
}

/* No message, or an error: to be told? */
static bool without_message(struct kmq_control *ctl,
			    struct kmq_consumer *consumer,
			    struct kmq_callback *call)
{
	bool tell;

	if (call->reason == MQRC_NO_MSG_AVAILABLE) {
		if (consumer->state != MQCS_NONE)
			consumer->deadline = 0;
		consumer->state = MQCS_NONE;
		tell = tell_empty(consumer);
		settle(ctl, consumer, false);
	} else {
		tell = fail(ctl, consumer, call->reason);
	}
	call->type = MQCBCT_EVENT_CALL;
	call->state = consumer->state;
	call->data_length = 0;
	call->buffer_length = 0;
	return tell;
}

bool kmq_consumer_serve(struct kmq_control *ctl, struct kmq_conn *conn,
			struct kmq_consumer *consumer,
			struct kmq_callback *call)
{
	kmq_callback_init(call, &consumer->routine,
			  consumer->object->item.handle, 0);
	get_whole(ctl, conn, consumer, call);
	/* What happens from the signal on is told; look at what was before. */
	if (call->reason == MQRC_NO_MSG_AVAILABLE && arm(ctl, conn, consumer))
		get_whole(ctl, conn, consumer, call);
	if (call->comp_code != MQCC_FAILED) {
		hand_over(ctl, consumer, call);
		return true;
	}
	return without_message(ctl, consumer, call);
}
