/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The only place that knows kernel versions: Linux 6.1 to 6.12.
 */
#ifndef KMQ_COMPAT_H
#define KMQ_COMPAT_H

#include <linux/version.h>
#include <linux/device.h>
#include <linux/eventfd.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/uio.h>

/* Moved in 6.12. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
#define kmq_devnode_dev const struct device
#else
#define kmq_devnode_dev struct device
#endif

/*
 * Large structures on the stack of a put or get: filled before they are read,
 * so that zeroing all of them in advance is left out.
 */
#if __has_attribute(__uninitialized__)
#define kmq_uninit __attribute__((__uninitialized__))
#else
#define kmq_uninit
#endif

/* eventfd_signal() lost its count in 6.8. */
static inline void kmq_eventfd_signal(struct eventfd_ctx *ctx)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	eventfd_signal(ctx);
#else
	eventfd_signal(ctx, 1);
#endif
}

/* vm_flags may only be changed by functions since 6.3. */
static inline void kmq_vm_flags_mod(struct vm_area_struct *vma,
				    unsigned long set, unsigned long clear)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

/* The program of the calling process, or NULL. To be given back with fput(). */
static inline struct file *kmq_exe_file(void)
{
	struct mm_struct *mm = current->mm;
	struct file *file;

	if (!mm)
		return NULL;
	rcu_read_lock();
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	file = get_file_rcu(&mm->exe_file);
#else
	do {
		file = rcu_dereference(mm->exe_file);
	} while (file && !get_file_rcu(file));
#endif
	rcu_read_unlock();
	return file;
}

/* .llseek = NULL means "cannot seek" since 6.12, no_llseek went away. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define kmq_no_llseek NULL
#else
#define kmq_no_llseek no_llseek
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
struct dentry;
struct path;
struct vfsmount;

/* Exported, but declared in a header that modules do not see. */
int vfs_path_lookup(struct dentry *dentry, struct vfsmount *mnt,
		    const char *name, unsigned int flags, struct path *path);
#endif

#endif /* KMQ_COMPAT_H */
