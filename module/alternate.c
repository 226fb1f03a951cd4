// SPDX-License-Identifier: GPL-2.0
/*
 * The alternate user of an open (O-AUTH-1): rights are those that the caller
 * and the user it names both have.
 *
 * The kernel knows numbers only. Which user has which groups is the caller's
 * word, and a wrong one gains nothing: the caller has opened the node itself.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/uaccess.h>
#include "alternate.h"
#include "call.h"
#include "dev.h"
#include "queue.h"

/**
 * kmq_file_is_owner - does the node belong to the current user? (O-AUTH-3)
 * @file: file of the node, as it is owned now
 *
 * Return: true for the owner, and for whoever may act as such.
 */
bool kmq_file_is_owner(struct file *file)
{
	return uid_eq(current_fsuid(), file_inode(file)->i_uid) ||
	       capable(CAP_SYS_ADMIN);
}

static struct group_info *kmq_alternate_groups(const struct kmq_open *cmd)
{
	const u32 __user *from = u64_to_user_ptr(cmd->alt_groups);
	struct group_info *groups;
	u32 i, gid;

	if (cmd->alt_group_count > NGROUPS_MAX)
		return ERR_PTR(-EINVAL);
	groups = groups_alloc(cmd->alt_group_count);
	if (!groups)
		return ERR_PTR(-ENOMEM);
	for (i = 0; i < cmd->alt_group_count; i++) {
		if (get_user(gid, from + i)) {
			put_group_info(groups);
			return ERR_PTR(-EFAULT);
		}
		groups->gid[i] = make_kgid(current_user_ns(), gid);
		if (!gid_valid(groups->gid[i])) {
			put_group_info(groups);
			return ERR_PTR(-EINVAL);
		}
	}
	groups_sort(groups);
	return groups;
}

/**
 * kmq_alternate_get - credentials of the alternate user of an open
 * @cmd: the command
 * @conn_file: file of the queue manager's node, whose owner may ask
 *
 * Whoever may not ask does not make the kernel copy and sort a list of groups.
 *
 * Return: credentials to be given to kmq_alternate_put(); NULL if no user is
 * named, or the caller may not ask; -EINVAL for ids that do not exist, -EFAULT,
 * -ENOMEM.
 */
struct cred *kmq_alternate_get(const struct kmq_open *cmd,
			       struct file *conn_file)
{
	struct group_info *groups;
	struct cred *user;

	if (!(cmd->flags & KMQ_OPEN_ALT_USER) || !kmq_file_is_owner(conn_file))
		return NULL;
	groups = kmq_alternate_groups(cmd);
	if (IS_ERR(groups))
		return ERR_CAST(groups);
	user = prepare_creds();
	if (user) {
		user->fsuid = make_kuid(current_user_ns(), cmd->alt_uid);
		user->fsgid = make_kgid(current_user_ns(), cmd->alt_gid);
		set_groups(user, groups);
		if (!uid_eq(user->fsuid, GLOBAL_ROOT_UID))
			cap_clear(user->cap_effective);
	}
	put_group_info(groups);
	if (!user)
		return ERR_PTR(-ENOMEM);
	if (uid_valid(user->fsuid) && gid_valid(user->fsgid))
		return user;
	abort_creds(user);
	return ERR_PTR(-EINVAL);
}

void kmq_alternate_put(struct cred *user)
{
	if (user)
		abort_creds(user);
}

/**
 * kmq_alternate_apply - leave the rights that the alternate user has, too
 * @call: the call, with the caller's rights
 * @file: file of the queue's node
 * @user: from kmq_alternate_get()
 */
void kmq_alternate_apply(struct kmq_open_call *call, struct file *file,
			 const struct cred *user)
{
	const struct cred *old;

	if (!user) {
		call->can_read = false;
		call->can_write = false;
		call->is_owner = false;
		call->may_administer = false;
		return;
	}
	old = override_creds(user);
	call->can_read &= !file_permission(file, MAY_READ);
	call->can_write &= !file_permission(file, MAY_WRITE);
	call->is_owner &= kmq_file_is_owner(file);
	if (call->may_administer)
		call->may_administer = kmq_dev_may_administer(call->queue->qmgr);
	revert_creds(old);
}
