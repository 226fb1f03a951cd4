/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_USER_H
#define KMQ_USER_H

#include <linux/types.h>
#include <linux/uaccess.h>

/*
 * Copies of a few words between user and kernel memory that is long enough by
 * construction: the command structures and the data of short messages. One
 * access window and a load and a store a word; copy_from_user() and
 * copy_to_user() spend several times that on finding out what they copy to.
 */

/* Longest copy for which words are the better way. */
#define KMQ_WORDS_MAX	512

/**
 * kmq_words_from_user - copy whole words in
 * @to: kernel memory
 * @from: user memory
 * @size: bytes, a multiple of 8
 *
 * Return: 0 or -EFAULT.
 */
static inline int kmq_words_from_user(void *to, const void __user *from,
				      size_t size)
{
	const u64 __user *in = from;
	u64 *out = to;
	size_t i;

	if (!user_read_access_begin(from, size))
		return -EFAULT;
	for (i = 0; i + 4 <= size / sizeof(u64); i += 4) {
		unsafe_get_user(out[i], in + i, fault);
		unsafe_get_user(out[i + 1], in + i + 1, fault);
		unsafe_get_user(out[i + 2], in + i + 2, fault);
		unsafe_get_user(out[i + 3], in + i + 3, fault);
	}
	for (; i < size / sizeof(u64); i++)
		unsafe_get_user(out[i], in + i, fault);
	user_read_access_end();
	return 0;

fault:
	user_read_access_end();
	return -EFAULT;
}

/**
 * kmq_words_to_user - copy whole words out
 * @to: user memory
 * @from: kernel memory
 * @size: bytes, a multiple of 8
 *
 * Return: 0 or -EFAULT.
 */
static inline int kmq_words_to_user(void __user *to, const void *from,
				    size_t size)
{
	u64 __user *out = to;
	const u64 *in = from;
	size_t i;

	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (i = 0; i + 4 <= size / sizeof(u64); i += 4) {
		unsafe_put_user(in[i], out + i, fault);
		unsafe_put_user(in[i + 1], out + i + 1, fault);
		unsafe_put_user(in[i + 2], out + i + 2, fault);
		unsafe_put_user(in[i + 3], out + i + 3, fault);
	}
	for (; i < size / sizeof(u64); i++)
		unsafe_put_user(in[i], out + i, fault);
	user_write_access_end();
	return 0;

fault:
	user_write_access_end();
	return -EFAULT;
}

/**
 * kmq_bytes_from_user - copy a short piece of data in
 * @to: kernel memory
 * @from: user memory
 * @size: bytes, at most KMQ_WORDS_MAX
 *
 * Return: 0 or -EFAULT.
 */
static inline int kmq_bytes_from_user(void *to, const void __user *from,
				      size_t size)
{
	const u8 __user *in = from;
	u8 *out = to;
	size_t words = size & ~(sizeof(u64) - 1);

	if (words && kmq_words_from_user(to, from, words))
		return -EFAULT;
	if (words == size)
		return 0;
	if (!user_read_access_begin(in + words, size - words))
		return -EFAULT;
	for (; words < size; words++)
		unsafe_get_user(out[words], in + words, fault);
	user_read_access_end();
	return 0;

fault:
	user_read_access_end();
	return -EFAULT;
}

/**
 * kmq_bytes_to_user - copy a short piece of data out
 * @to: user memory
 * @from: kernel memory
 * @size: bytes, at most KMQ_WORDS_MAX
 *
 * Return: 0 or -EFAULT.
 */
static inline int kmq_bytes_to_user(void __user *to, const void *from,
				    size_t size)
{
	const u8 *in = from;
	u8 __user *out = to;
	size_t words = size & ~(sizeof(u64) - 1);

	if (words && kmq_words_to_user(to, from, words))
		return -EFAULT;
	if (words == size)
		return 0;
	if (!user_write_access_begin(out + words, size - words))
		return -EFAULT;
	for (; words < size; words++)
		unsafe_put_user(in[words], out + words, fault);
	user_write_access_end();
	return 0;

fault:
	user_write_access_end();
	return -EFAULT;
}

#endif /* KMQ_USER_H */
