// SPDX-License-Identifier: MIT
/*
 * Owns every file descriptor of the library.
 *
 * A bit per descriptor says which ones are ours, so that the child of a fork
 * can close exactly these: it can use none of them (O-CONN-6), and would keep
 * connections of its parent open. @lock guards the bits and is held over
 * open() and close(), but over no ioctl that waits; a fork waits for it, so that
 * the bits and the descriptors a child starts with agree.
 */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define WORD_BITS	(CHAR_BIT * sizeof(unsigned long))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long *ours;
static size_t ours_words;

static void (*fork_prepare)(void);
static void (*fork_parent)(void);
static void (*fork_child)(void);

static int ours_grow(size_t words)
{
	unsigned long *bits;

	words = (words + 15) & ~(size_t)15;
	bits = realloc(ours, words * sizeof(*bits));
	if (!bits)
		return -ENOMEM;
	memset(bits + ours_words, 0, (words - ours_words) * sizeof(*bits));
	ours = bits;
	ours_words = words;
	return 0;
}

static int ours_add(int fd)
{
	size_t word = fd / WORD_BITS;

	if (word >= ours_words && ours_grow(word + 1))
		return -ENOMEM;
	ours[word] |= 1UL << (fd % WORD_BITS);
	return 0;
}

int kmq_dev_open(const char *path, int flags)
{
	int fd;

	pthread_mutex_lock(&lock);
	do {
		fd = open(path, flags | O_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	if (fd < 0) {
		fd = -errno;
	} else if (ours_add(fd)) {
		close(fd);
		fd = -ENOMEM;
	}
	pthread_mutex_unlock(&lock);
	return fd;
}

/* @lock is held since before @fd was made. */
static int adopt_locked(int fd)
{
	if (fd >= 0 && ours_add(fd)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int kmq_dev_eventfd(void)
{
	int fd;

	pthread_mutex_lock(&lock);
	fd = adopt_locked(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	pthread_mutex_unlock(&lock);
	return fd;
}

int kmq_dev_epoll(void)
{
	int fd;

	pthread_mutex_lock(&lock);
	fd = adopt_locked(epoll_create1(EPOLL_CLOEXEC));
	pthread_mutex_unlock(&lock);
	return fd;
}

void kmq_dev_close(int fd)
{
	pthread_mutex_lock(&lock);
	ours[fd / WORD_BITS] &= ~(1UL << (fd % WORD_BITS));
	close(fd);
	pthread_mutex_unlock(&lock);
}

int kmq_ioctl_failed(int fd, unsigned long cmd, void *arg)
{
	while (errno == EINTR)
		if (ioctl(fd, cmd, arg) >= 0)
			return 0;
	return -errno;
}

uint64_t *kmq_dev_window(int fd)
{
	struct kmq_window_file w = { .size = sizeof(w) };
	void *word = MAP_FAILED;

	pthread_mutex_lock(&lock);
	if (!kmq_ioctl(fd, KMQ_IOC_WINDOW, &w) && !w.out_comp_code) {
		word = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
			    MAP_SHARED, w.out_fd, 0);
		close(w.out_fd);
	}
	pthread_mutex_unlock(&lock);
	return word == MAP_FAILED ? NULL : word;
}

static MQLONG reason_of(int err, MQLONG bad_handle)
{
	switch (-err) {
	case EBADF:
	case ENOTCONN:
		return bad_handle;
	case ENODEV:
	case ENXIO:
		return MQRC_CONNECTION_BROKEN;
	case ENOMEM:
		return MQRC_STORAGE_NOT_AVAILABLE;
	case EACCES:
	case EPERM:
		return MQRC_NOT_AUTHORIZED;
	case ENOTTY:
		return MQRC_FUNCTION_NOT_SUPPORTED;
	default:
		return MQRC_UNEXPECTED_ERROR;
	}
}

MQLONG kmq_object_reason(int err)
{
	return reason_of(err, MQRC_HOBJ_ERROR);
}

MQLONG kmq_conn_reason(int err)
{
	return reason_of(err, MQRC_HCONN_ERROR);
}

static void before_fork(void)
{
	fork_prepare();
	pthread_mutex_lock(&lock);
}

static void in_parent(void)
{
	pthread_mutex_unlock(&lock);
	fork_parent();
}

static void in_child(void)
{
	size_t word;
	int bit;

	for (word = 0; word < ours_words; word++) {
		while (ours[word]) {
			bit = __builtin_ctzl(ours[word]);
			ours[word] &= ours[word] - 1;
			close(word * WORD_BITS + bit);
		}
	}
	pthread_mutex_unlock(&lock);
	fork_child();
}

void kmq_dev_at_fork(void (*prepare)(void), void (*parent)(void),
		     void (*child)(void))
{
	fork_prepare = prepare;
	fork_parent = parent;
	fork_child = child;
	pthread_atfork(before_fork, in_parent, in_child);
}
