// SPDX-License-Identifier: GPL-2.0
/*
 * Files of windows: the page that a handle shares with its program.
 *
 * A file of its own, because that of the queue may be open for reading only, and
 * because a mapping keeps its file: the end of a queue file must not depend on it.
 */
#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/uaccess.h>
#include "call.h"
#include "compat.h"
#include "handle.h"
#include "ioctl.h"
#include "queue_file.h"
#include "user.h"
#include "window.h"

static int kmq_window_file_mmap(struct file *file, struct vm_area_struct *vma)
{
	if (!(vma->vm_flags & VM_SHARED) || vma->vm_pgoff ||
	    vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	if (vma->vm_flags & VM_EXEC)
		return -EPERM;
	kmq_vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND, VM_MAYEXEC);
	return vm_insert_page(vma, vma->vm_start, file->private_data);
}

static int kmq_window_file_release(struct inode *inode, struct file *file)
{
	put_page(file->private_data);
	return 0;
}

static const struct file_operations kmq_window_fops = {
	.owner = THIS_MODULE,
	.release = kmq_window_file_release,
	.mmap = kmq_window_file_mmap,
	.llseek = kmq_no_llseek,
};

/* The program has to be told before anything is installed. */
static int kmq_window_file_install(struct kmq_window_file *cmd,
				   struct page *page)
{
	union kmq_command *command = container_of(cmd, union kmq_command,
						  window_file);
	struct kmq_window_file __user *user = kmq_request_of(command)->user;
	int fd = get_unused_fd_flags(O_CLOEXEC);
	struct file *file;

	if (fd < 0)
		return fd;
	if (put_user(fd, &user->out_fd)) {
		put_unused_fd(fd);
		return -EFAULT;
	}
	file = anon_inode_getfile("[kmq-window]", &kmq_window_fops, page,
				  O_RDWR);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	get_page(page);
	fd_install(fd, file);
	cmd->out_fd = fd;
	return 0;
}

/**
 * kmq_window_file - KMQ_IOC_WINDOW
 * @file: file of a queue
 * @cmd: the command
 */
int kmq_window_file(struct file *file, union kmq_command *cmd)
{
	struct kmq_handle *handle = kmq_bound_handle(file);
	struct kmq_window_file *w = &cmd->window_file;
	int err;

	if (w->flags || w->reserved)
		return -EINVAL;
	if (IS_ENABLED(CONFIG_GENERIC_ATOMIC64))
		return -EOPNOTSUPP;
	if (!handle)
		return -ENOTCONN;
	err = kmq_call_window(handle, w);
	if (err || w->out_comp_code == MQCC_FAILED)
		return err;
	/* Once there, it stays as long as the handle, hence the file. */
	return kmq_window_file_install(w, handle->window->page);
}
