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

/* Four words at a time. */
#define kmq_get_words(out, in, fault) do {				\
	unsafe_get_user((out)[0], (in), fault);				\
	unsafe_get_user((out)[1], (in) + 1, fault);			\
	unsafe_get_user((out)[2], (in) + 2, fault);			\
	unsafe_get_user((out)[3], (in) + 3, fault);			\
} while (0)

#define kmq_put_words(in, out, fault) do {				\
	unsafe_put_user((in)[0], (out), fault);				\
	unsafe_put_user((in)[1], (out) + 1, fault);			\
	unsafe_put_user((in)[2], (out) + 2, fault);			\
	unsafe_put_user((in)[3], (out) + 3, fault);			\
} while (0)

/* Whole words within an access window; best with a constant size. */
#define kmq_get_area(to, from, size, fault) do {			\
	const u64 __user *_in = (const void __user *)(from);		\
	u64 *_out = (void *)(to);					\
	size_t _n = (size) / sizeof(u64);				\
									\
	for (; _n >= 8; _n -= 8, _in += 8, _out += 8) {			\
		kmq_get_words(_out, _in, fault);			\
		kmq_get_words(_out + 4, _in + 4, fault);		\
	}								\
	if (_n & 4) {							\
		kmq_get_words(_out, _in, fault);			\
		_in += 4;						\
		_out += 4;						\
	}								\
	if (_n & 2) {							\
		unsafe_get_user(_out[0], _in, fault);			\
		unsafe_get_user(_out[1], _in + 1, fault);		\
		_in += 2;						\
		_out += 2;						\
	}								\
	if (_n & 1)							\
		unsafe_get_user(*_out, _in, fault);			\
} while (0)

#define kmq_put_area(to, from, size, fault) do {			\
	u64 __user *_out = (void __user *)(to);				\
	const u64 *_in = (const void *)(from);				\
	size_t _n = (size) / sizeof(u64);				\
									\
	for (; _n >= 8; _n -= 8, _in += 8, _out += 8) {			\
		kmq_put_words(_in, _out, fault);			\
		kmq_put_words(_in + 4, _out + 4, fault);		\
	}								\
	if (_n & 4) {							\
		kmq_put_words(_in, _out, fault);			\
		_in += 4;						\
		_out += 4;						\
	}								\
	if (_n & 2) {							\
		unsafe_put_user(_in[0], _out, fault);			\
		unsafe_put_user(_in[1], _out + 1, fault);		\
		_in += 2;						\
		_out += 2;						\
	}								\
	if (_n & 1)							\
		unsafe_put_user(*_in, _out, fault);			\
} while (0)

/**
 * kmq_words_from_user - copy whole words in
 * @to: kernel memory
 * @from: user memory
 * @size: bytes, a multiple of 8; best a constant
 *
 * Return: 0 or -EFAULT.
 */
static __always_inline int kmq_words_from_user(void *to,
					       const void __user *from,
					       size_t size)
{
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	kmq_get_area(to, from, size, fault);
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
 * @size: bytes, a multiple of 8; best a constant
 *
 * Return: 0 or -EFAULT.
 */
static __always_inline int kmq_words_to_user(void __user *to, const void *from,
					     size_t size)
{
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	kmq_put_area(to, from, size, fault);
	user_write_access_end();
	return 0;

fault:
	user_write_access_end();
	return -EFAULT;
}

/**
 * kmq_words_match_user - does user memory hold certain words
 * @words: kernel memory
 * @user: user memory
 * @size: bytes, a multiple of 8; best a constant
 *
 * Return: false also if it cannot be read.
 */
static __always_inline bool kmq_words_match_user(const void *words,
						 const void __user *user,
						 size_t size)
{
	const u64 __user *in = user;
	const u64 *want = words;
	size_t n = size / sizeof(u64);
	u64 differ = 0, have[4];

	if (!user_read_access_begin(user, size))
		return false;
	for (; n >= 4; n -= 4, in += 4, want += 4) {
		kmq_get_words(have, in, fault);
		differ |= (have[0] ^ want[0]) | (have[1] ^ want[1]) |
			  (have[2] ^ want[2]) | (have[3] ^ want[3]);
	}
	for (; n; n--, in++, want++) {
		unsafe_get_user(have[0], in, fault);
		differ |= have[0] ^ *want;
	}
	user_read_access_end();
	return !differ;

fault:
	user_read_access_end();
	return false;
}

/**
 * kmq_bytes_from_user - copy a short piece of data in
 * @to: kernel memory
 * @from: user memory
 * @size: bytes, at most KMQ_WORDS_MAX
 *
 * Return: 0 or -EFAULT.
 */
static __always_inline int kmq_bytes_from_user(void *to,
					       const void __user *from,
					       size_t size)
{
	const u8 __user *in = from;
	u8 *out = to;

	/* Then it does not matter where. */
	if (!size)
		return 0;
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	for (; size >= 64; size -= 64, in += 64, out += 64) {
		kmq_get_words((u64 *)out, (const u64 __user *)in, fault);
		kmq_get_words((u64 *)out + 4, (const u64 __user *)in + 4, fault);
	}
	for (; size >= sizeof(u64); size -= sizeof(u64)) {
		unsafe_get_user(*(u64 *)out, (const u64 __user *)in, fault);
		in += sizeof(u64);
		out += sizeof(u64);
	}
	for (; size; size--)
		unsafe_get_user(*out++, in++, fault);
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
static __always_inline int kmq_bytes_to_user(void __user *to, const void *from,
					     size_t size)
{
	const u8 *in = from;
	u8 __user *out = to;

	if (!size)
		return 0;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	for (; size >= 64; size -= 64, in += 64, out += 64) {
		kmq_put_words((const u64 *)in, (u64 __user *)out, fault);
		kmq_put_words((const u64 *)in + 4, (u64 __user *)out + 4, fault);
	}
	for (; size >= sizeof(u64); size -= sizeof(u64)) {
		unsafe_put_user(*(const u64 *)in, (u64 __user *)out, fault);
		in += sizeof(u64);
		out += sizeof(u64);
	}
	for (; size; size--)
		unsafe_put_user(*in++, out++, fault);
	user_write_access_end();
	return 0;

fault:
	user_write_access_end();
	return -EFAULT;
}

#endif /* KMQ_USER_H */
