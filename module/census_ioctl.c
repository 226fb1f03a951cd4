// SPDX-License-Identifier: GPL-2.0
/*
 * Entry: KMQ_IOC_HANDLES and KMQ_IOC_CONNS. The entries are made in kernel
 * memory and copied out when no lock is held any more.
 */
#include <linux/mm.h>
#include <linux/uaccess.h>
#include "census.h"
#include "ioctl.h"
#include "limits.h"
#include "qmgr.h"

static bool kmq_stride_valid(u32 stride, size_t size)
{
	return !(stride % sizeof(u64)) && stride >= size &&
	       stride <= KMQ_MAX_ENTRY_STRIDE;
}

/* Of an entry the caller knows more of than this kernel, the rest is zero. */
static int kmq_entries_to_user(u64 address, u32 stride, const void *entries,
			       size_t size, u32 count)
{
	u8 __user *to = u64_to_user_ptr(address);
	u32 i;

	for (i = 0; i < count; i++, to += stride, entries += size) {
		if (copy_to_user(to, entries, size))
			return -EFAULT;
		if (stride > size && clear_user(to + size, stride - size))
			return -EFAULT;
	}
	return 0;
}

/**
 * kmq_ioctl_handles - KMQ_IOC_HANDLES
 * @cmd: the command
 * @qmgr: queue manager
 * @all: not only handles of the caller's user
 */
int kmq_ioctl_handles(struct kmq_handles *cmd, struct kmq_qmgr *qmgr, bool all)
{
	struct kmq_handle_info *infos;
	int err;

	if (cmd->flags || !kmq_stride_valid(cmd->stride, sizeof(*infos)))
		return -EINVAL;
	kmq_name_pad(cmd->pattern, KMQ_NAME_LEN);
	kmq_name_pad(cmd->after, KMQ_NAME_LEN);
	cmd->count = min_t(u32, cmd->count, KMQ_MAX_ENTRIES);
	infos = kvcalloc(cmd->count + 1, sizeof(*infos), GFP_KERNEL_ACCOUNT);
	if (!infos)
		return -ENOMEM;
	err = kmq_census_handles(qmgr, cmd, infos, all) ?:
	      kmq_entries_to_user(cmd->entries, cmd->stride, infos,
				  sizeof(*infos), cmd->out_count);
	kvfree(infos);
	return err;
}

/**
 * kmq_ioctl_conns - KMQ_IOC_CONNS
 * @cmd: the command
 * @qmgr: queue manager
 * @all: not only connections of the caller's user
 */
int kmq_ioctl_conns(struct kmq_conns *cmd, struct kmq_qmgr *qmgr, bool all)
{
	struct kmq_conn_info *infos;
	int err;

	if (cmd->flags || !kmq_stride_valid(cmd->stride, sizeof(*infos)))
		return -EINVAL;
	cmd->count = min_t(u32, cmd->count, KMQ_MAX_ENTRIES);
	infos = kvcalloc(cmd->count + 1, sizeof(*infos), GFP_KERNEL_ACCOUNT);
	if (!infos)
		return -ENOMEM;
	err = kmq_census_conns(qmgr, cmd, infos, all) ?:
	      kmq_entries_to_user(cmd->entries, cmd->stride, infos,
				  sizeof(*infos), cmd->out_count);
	kvfree(infos);
	return err;
}
