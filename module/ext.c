// SPDX-License-Identifier: GPL-2.0
/*
 * Parts of a descriptor, and message data, in user memory.
 */
#include <linux/bitops.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include "ext.h"
#include "user.h"

/* Parts of struct kmq_md_ext by KMQ_MD_* bit. */
static const struct {
	u16 offset;
	u16 size;
} kmq_ext_parts[] = {
	{ offsetof(struct kmq_md_ext, group_id),
	  offsetofend(struct kmq_md_ext, original_length) -
	  offsetof(struct kmq_md_ext, group_id) },
	{ offsetof(struct kmq_md_ext, reply_q),
	  offsetofend(struct kmq_md_ext, reply_qmgr) -
	  offsetof(struct kmq_md_ext, reply_q) },
	{ offsetof(struct kmq_md_ext, put_date),
	  offsetofend(struct kmq_md_ext, put_time) -
	  offsetof(struct kmq_md_ext, put_date) },
	{ offsetof(struct kmq_md_ext, context),
	  offsetofend(struct kmq_md_ext, context) -
	  offsetof(struct kmq_md_ext, context) },
	{ offsetof(struct kmq_md_ext, dest_q),
	  offsetofend(struct kmq_md_ext, dest_qmgr) -
	  offsetof(struct kmq_md_ext, dest_q) },
};

/**
 * kmq_ext_copy_in - get parts of a descriptor
 * @ext: gets them
 * @from: address of the struct kmq_md_ext
 * @parts: KMQ_MD_*
 *
 * Return: 0 or -EFAULT.
 */
int kmq_ext_copy_in(struct kmq_md_ext *ext, u64 from, u32 parts)
{
	void __user *user = u64_to_user_ptr(from);

	for (; parts; parts &= parts - 1) {
		u32 part = __ffs(parts);
		u16 offset = kmq_ext_parts[part].offset;

		if (kmq_words_from_user((void *)ext + offset, user + offset,
					kmq_ext_parts[part].size))
			return -EFAULT;
	}
	return 0;
}

/**
 * kmq_ext_copy_out - write parts of a descriptor
 * @to: address of the struct kmq_md_ext
 * @ext: has them
 * @parts: KMQ_MD_*
 *
 * Return: 0 or -EFAULT.
 */
int kmq_ext_copy_out(u64 to, const struct kmq_md_ext *ext, u32 parts)
{
	void __user *user = u64_to_user_ptr(to);

	for (; parts; parts &= parts - 1) {
		u32 part = __ffs(parts);
		u16 offset = kmq_ext_parts[part].offset;

		if (kmq_words_to_user(user + offset, (const void *)ext + offset,
				      kmq_ext_parts[part].size))
			return -EFAULT;
	}
	return 0;
}

/**
 * kmq_data_iter - message data in user memory
 * @iter: set to it: the whole buffer, or nothing of it if it is not in user space
 * @direction: ITER_SOURCE or ITER_DEST
 * @address: address of the buffer
 * @length: its bytes
 */
void kmq_data_iter(struct iov_iter *iter, unsigned int direction, u64 address,
		   s32 length)
{
	void __user *user = u64_to_user_ptr(address);
	size_t n = max(length, 0);

	iov_iter_ubuf(iter, direction, user, access_ok(user, n) ? n : 0);
}
