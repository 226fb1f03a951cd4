// SPDX-License-Identifier: GPL-2.0
/*
 * KMQ_IOC_PUTV and KMQ_IOC_GETV: several puts or gets in one call.
 *
 * Entries are copied in together and handed to the calls layer at one go; of gets
 * only those that are like the one before them, every other get is a call of its
 * own.
 */
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "call.h"
#include "compat.h"
#include "ioctl.h"
#include "limits.h"
#include "queue.h"
#include "queue_file.h"
#include "user.h"

/* Entries of a run. */
#define KMQ_VEC_RUN	32

/**
 * struct kmq_vec_run - room for the commands of a run
 * @put: puts
 * @get: gets
 */
struct kmq_vec_run {
	union {
		struct kmq_vec_puts put;
		struct kmq_get get[KMQ_VEC_RUN];
	};
};

/**
 * struct kmq_vec_call - a vector under way
 * @handle: handle of the file
 * @is_put: puts, else gets
 * @vec: the command
 * @done: entries carried out
 * @run: room for a run
 * @window: entries to be tried as a run: fewer after one that ended early
 * @failed: the last entry has failed
 */
struct kmq_vec_call {
	struct kmq_handle *handle;
	bool is_put;
	const struct kmq_vec *vec;
	u32 done;
	struct kmq_vec_run *run;
	u32 window;
	bool failed;
};

static void __user *kmq_vec_at(const struct kmq_vec_call *call, u32 index)
{
	return u64_to_user_ptr(call->vec->entries +
			       (u64)index * call->vec->stride);
}

/* Only the first entry waits. */
static int kmq_vec_get(struct kmq_vec_call *call, struct kmq_request *request)
{
	if (call->done)
		request->cmd.get.options &= ~MQGMO_WAIT;
	return kmq_queue_get_cmd(call->handle, request, call->done);
}

/* Puts that have been copied in, from the next one on. */
static int kmq_vec_put_some(struct kmq_vec_call *call, u32 count)
{
	int err;

	call->done += kmq_vec_put_run(call->handle, &call->run->put, count,
				      kmq_vec_at(call, call->done),
				      call->vec->stride, &call->failed, &err);
	return err;
}

/* One entry, as if it were a call of its own. With 0 it counts as done. */
static int kmq_vec_entry(struct kmq_vec_call *call)
{
	void __user *user = kmq_vec_at(call, call->done);
	struct kmq_request request kmq_uninit;
	union kmq_command *cmd = &request.cmd;
	u32 want = call->is_put ? sizeof(cmd->put) : sizeof(cmd->get);
	int err;

	request.user = user;
	request.published = false;
	if (get_user(request.size, (u32 __user *)user))
		return -EFAULT;
	if (request.size < want)
		return -EINVAL;
	err = kmq_copy_command_in(&request, want, user);
	if (err)
		return err;
	if (call->is_put) {
		call->run->put.cmds[0] = cmd->put;
		return kmq_vec_put_some(call, 1);
	}
	err = kmq_vec_get(call, &request);
	if (err)
		return err;
	call->failed = cmd->get.out_comp_code == MQCC_FAILED;
	err = kmq_request_answer(&request, want);
	if (!err)
		call->done++;
	return err;
}

/*
 * The next entries, as many as can be read. Those that lie close together are
 * copied at one go: what is behind a fault is not there.
 */
static __always_inline u32 kmq_vec_copy_in(const struct kmq_vec_call *call,
					   void *to, u32 count, size_t size)
{
	size_t left = count * size;
	u32 i;

	if (likely(call->vec->stride == size)) {
		left = copy_from_user(to, kmq_vec_at(call, call->done), left);
		return count - DIV_ROUND_UP(left, size);
	}
	for (i = 0; i < count; i++)
		if (kmq_words_from_user(to + i * size,
					kmq_vec_at(call, call->done + i), size))
			break;
	return i;
}

/* Return: how many could be part of a run. */
static u32 kmq_vec_copy_puts(const struct kmq_vec_call *call, u32 count)
{
	struct kmq_put *cmds = call->run->put.cmds;
	u32 i;

	count = kmq_vec_copy_in(call, cmds, count, sizeof(*cmds));
	for (i = 0; i < count; i++)
		if (cmds[i].size != sizeof(*cmds))
			break;
	return i;
}

static u32 kmq_vec_copy_gets(const struct kmq_vec_call *call, u32 count)
{
	struct kmq_get *get = call->run->get;
	u32 i;

	count = kmq_vec_copy_in(call, get, count, sizeof(*get));
	for (i = 0; i < count; i++)
		if (get[i].size != sizeof(*get))
			break;
	return i;
}

/* The next entries; those of a size that is not known go one by one. */
static int kmq_vec_puts(struct kmq_vec_call *call)
{
	u32 count = min_t(u32, KMQ_VEC_RUN, call->vec->count - call->done);

	count = kmq_vec_copy_puts(call, count);
	return count ? kmq_vec_put_some(call, count) : kmq_vec_entry(call);
}

static int kmq_vec_run_gets(struct kmq_vec_call *call, u32 count)
{
	struct kmq_get_again again kmq_uninit;

	count = min(count, READ_ONCE(call->handle->queue->store.count));
	count = kmq_vec_copy_gets(call, count);
	if (!count)
		return 0;
	again.handle = call->handle;
	again.cmds = call->run->get;
	again.count = count;
	again.user = kmq_vec_at(call, call->done);
	again.stride = call->vec->stride;
	again.whole = NULL;
	call->done += kmq_call_get_again(&again);
	return again.err;
}

/* As many of the next entries as are like the one before them. */
static int kmq_vec_try_gets(struct kmq_vec_call *call)
{
	u32 most = min(call->window, call->vec->count - call->done);
	u32 before = call->done;
	int err;

	if (!READ_ONCE(call->handle->known_get.valid))
		return 0;
	err = kmq_vec_run_gets(call, most);
	call->window = call->done - before == most ?
		       KMQ_VEC_RUN : call->done - before + 1;
	return err;
}

static int kmq_vec_gets(struct kmq_vec_call *call)
{
	int err = kmq_vec_try_gets(call);

	if (err || call->done == call->vec->count)
		return err;
	return kmq_vec_entry(call);
}

static int kmq_vec_carry_out(struct kmq_vec_call *call)
{
	int err;

	while (call->done < call->vec->count) {
		err = call->is_put ? kmq_vec_puts(call) : kmq_vec_gets(call);
		if (err || call->failed)
			return err;
		cond_resched();
	}
	return 0;
}

/* Entry @index, of which only the output and what leads to it is looked at. */
static void kmq_vec_fill_ahead(const struct kmq_vec_call *call, u32 index)
{
	const struct kmq_get *first = call->run->get;
	struct kmq_get *get = &call->run->get[index];

	get->ctx_id = first->ctx_id;
	get->ext = first->ext ? first->ext + (u64)index * call->vec->stride : 0;
	get->data = first->data +
		    (u64)index * ALIGN((u64)max(first->length, 0), 8);
}

/* KMQ_VEC_AHEAD */
static int kmq_vec_ahead(struct kmq_vec_call *call, struct kmq_vec *vec)
{
	u32 i, count = min_t(u32, vec->count, KMQ_VEC_RUN);
	struct kmq_get_again again kmq_uninit;
	struct kmq_get *get;

	get = call->run->get;
	if (kmq_words_from_user(get, kmq_vec_at(call, 0), sizeof(*get)))
		return -EFAULT;
	if (get->size != sizeof(*get))
		return -EINVAL;
	for (i = 1; i < count; i++)
		kmq_vec_fill_ahead(call, i);
	again.handle = call->handle;
	again.cmds = get;
	again.count = count;
	again.user = kmq_vec_at(call, 0);
	again.stride = call->vec->stride;
	call->done = kmq_call_get_ahead(&again);
	vec->out_window = again.window;
	return 0;
}

/*
 * The room for runs is kept with the file; if two calls come at once, one of
 * them gets its own.
 */
static struct kmq_vec_run *kmq_vec_run_get(struct kmq_queue_file *qf)
{
	struct kmq_vec_run *run = xchg(&qf->run, NULL);

	return run ?: kmalloc(sizeof(*run), GFP_KERNEL_ACCOUNT);
}

static void kmq_vec_run_put(struct kmq_queue_file *qf, struct kmq_vec_run *run)
{
	if (cmpxchg(&qf->run, NULL, run))
		kfree(run);
}

/* Whoever cannot be told how many were carried out gets none carried out. */
static int kmq_vec_touch(struct kmq_vec *vec)
{
	union kmq_command *cmd = container_of(vec, union kmq_command, vec);
	struct kmq_vec __user *user = kmq_request_of(cmd)->user;

	return put_user(0, &user->out_done);
}

static int kmq_vec_run(struct file *file, struct kmq_vec *vec, bool is_put)
{
	size_t want = is_put ? sizeof(struct kmq_put) : sizeof(struct kmq_get);
	struct kmq_queue_file *qf = file->private_data;
	struct kmq_vec_call call = {
		.handle = kmq_bound_handle(file),
		.is_put = is_put,
		.vec = vec,
		.window = KMQ_VEC_RUN,
	};
	int err;

	if (vec->flags & ~(is_put ? 0 : KMQ_VEC_AHEAD) || vec->out_window ||
	    !vec->count || vec->count > KMQ_MAX_BATCH || vec->stride % 8 ||
	    vec->stride < want || vec->stride > PAGE_SIZE)
		return -EINVAL;
	if (!call.handle)
		return -ENOTCONN;
	if (vec->flags & KMQ_VEC_AHEAD && !READ_ONCE(call.handle->window))
		return -EINVAL;
	err = kmq_vec_touch(vec);
	if (err)
		return err;
	call.run = kmq_vec_run_get(qf);
	if (!call.run)
		return -ENOMEM;
	err = vec->flags & KMQ_VEC_AHEAD ? kmq_vec_ahead(&call, vec) :
					   kmq_vec_carry_out(&call);
	kmq_vec_run_put(qf, call.run);
	vec->out_done = call.done;
	return call.done ? 0 : err;
}

int kmq_vec_putv(struct file *file, union kmq_command *cmd)
{
	return kmq_vec_run(file, &cmd->vec, true);
}

int kmq_vec_getv(struct file *file, union kmq_command *cmd)
{
	return kmq_vec_run(file, &cmd->vec, false);
}
