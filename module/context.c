// SPDX-License-Identifier: GPL-2.0
/*
 * Message context: who put a message and with which program (M-CTX).
 *
 * The fields that are the same for every message of a connection are kept once
 * and shared by reference. A context never changes after it was published.
 */
#include <linux/atomic.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include "compat.h"
#include "context.h"
#include "mqi.h"

/* MQACTT_UNIX_NUMERIC_ID: last byte of a token that holds a user id. */
#define KMQ_ACCOUNTING_UID	0x06

static atomic64_t kmq_context_ids = ATOMIC64_INIT(0);

/**
 * kmq_context_alloc - make a context with a number of its own and blank fields
 *
 * Return: the context with one reference, or NULL.
 */
struct kmq_context_ref *kmq_context_alloc(void)
{
	struct kmq_context_ref *ctx;

	ctx = kzalloc(sizeof(*ctx), GFP_KERNEL_ACCOUNT);
	if (!ctx)
		return NULL;
	refcount_set(&ctx->ref, 1);
	ctx->id = atomic64_inc_return(&kmq_context_ids);
	kmq_context_clear_identity(&ctx->c);
	kmq_context_clear_origin(&ctx->c);
	memset(ctx->date, ' ', sizeof(ctx->date));
	memset(ctx->time, ' ', sizeof(ctx->time));
	return ctx;
}

/**
 * kmq_context_copy - make a context that starts with the fields of another
 * @from: context to copy
 *
 * Return: the new context with one reference, or NULL.
 */
struct kmq_context_ref *kmq_context_copy(const struct kmq_context_ref *from)
{
	struct kmq_context_ref *ctx = kmq_context_alloc();

	if (!ctx)
		return NULL;
	ctx->c = from->c;
	ctx->dated = from->dated;
	memcpy(ctx->date, from->date, sizeof(ctx->date));
	memcpy(ctx->time, from->time, sizeof(ctx->time));
	return ctx;
}

void kmq_context_clear_identity(struct kmq_context *c)
{
	memset(c->user_id, ' ', sizeof(c->user_id));
	memset(c->accounting, 0, sizeof(c->accounting));
	memset(c->appl_identity, ' ', sizeof(c->appl_identity));
	c->uid = 0;
	c->flags &= ~KMQ_CTX_UID;
}

void kmq_context_clear_origin(struct kmq_context *c)
{
	c->appl_type = MQAT_NO_CONTEXT;
	memset(c->appl_name, ' ', sizeof(c->appl_name));
	memset(c->appl_origin, ' ', sizeof(c->appl_origin));
}

/* User and accounting token from the credentials: cannot be forged. */
static void kmq_context_set_identity(struct kmq_context *c)
{
	char text[12];
	int n;

	c->uid = from_kuid_munged(&init_user_ns, current_euid());
	c->flags |= KMQ_CTX_UID;
	n = scnprintf(text, sizeof(text), "%u", c->uid);
	memcpy(c->user_id, text, n);
	c->accounting[0] = n;
	memcpy(c->accounting + 1, text, n);
	c->accounting[sizeof(c->accounting) - 1] = KMQ_ACCOUNTING_UID;
}

/*
 * A program may be called by another name than that of its file: it is a link,
 * or the file is the interpreter of a script.
 */
static bool kmq_context_is_called(const char *path, const char *name)
{
	const char *base = kbasename(path);

	return strnlen(name, TASK_COMM_LEN) == TASK_COMM_LEN - 1 ?
	       !strncmp(base, name, TASK_COMM_LEN - 1) : !strcmp(base, name);
}

/*
 * The last 28 characters of the program's path; its name if there is no path or
 * it was called by another one.
 */
static void kmq_context_set_program(struct kmq_context *c)
{
	const size_t room = sizeof(c->appl_name);
	struct file *exe = kmq_exe_file();
	char name[TASK_COMM_LEN];
	char *buf = NULL;
	const char *path = name;
	size_t n;

	/* Threads have names of their own. */
	get_task_comm(name, current->group_leader);

	if (exe) {
		buf = kmalloc(PATH_MAX, GFP_KERNEL_ACCOUNT);
		if (buf) {
			char *full = file_path(exe, buf, PATH_MAX);

			if (!IS_ERR(full) &&
			    kmq_context_is_called(full, name))
				path = full;
		}
		fput(exe);
	}
	n = strlen(path);
	if (n > room) {
		path += n - room;
		n = room;
	}
	memcpy(c->appl_name, path, n);
	kfree(buf);
	c->appl_type = MQAT_UNIX;
}

/**
 * kmq_context_of_caller - the default context of the calling process (P-CTX-5)
 *
 * Return: the context with one reference, or NULL.
 */
struct kmq_context_ref *kmq_context_of_caller(void)
{
	struct kmq_context_ref *ctx = kmq_context_alloc();

	if (!ctx)
		return NULL;
	kmq_context_set_identity(&ctx->c);
	kmq_context_set_program(&ctx->c);
	return ctx;
}

/**
 * kmq_context_of_qmgr - the context of a message that the queue manager makes
 * @name: name of the queue manager
 * @from: context of the message behind it: the identity stays
 *
 * Return: the context with one reference, or NULL.
 */
struct kmq_context_ref *kmq_context_of_qmgr(const u8 *name,
					    const struct kmq_context_ref *from)
{
	struct kmq_context_ref *ctx = kmq_context_copy(from);

	if (!ctx)
		return NULL;
	kmq_context_clear_origin(&ctx->c);
	ctx->c.appl_type = MQAT_QMGR;
	memcpy(ctx->c.appl_name, name, sizeof(ctx->c.appl_name));
	ctx->dated = false;
	return ctx;
}

void kmq_context_put(struct kmq_context_ref *ctx)
{
	if (refcount_dec_and_test(&ctx->ref))
		kfree(ctx);
}
