/* SPDX-License-Identifier: MIT */
/*
 * The files behind connections and queue handles: opening, closing, ioctl.
 */
#ifndef KMQ_DEVICE_H
#define KMQ_DEVICE_H

#include <sys/ioctl.h>

#include "internal.h"

/**
 * kmq_dev_open() - open a node
 * @path: path of the node
 * @flags: O_RDONLY, O_WRONLY or O_RDWR
 *
 * The descriptor is closed on exec, and in the child of a fork.
 *
 * Return: descriptor, or a negative errno.
 */
int kmq_dev_open(const char *path, int flags);

/* The same for what waiting needs: -1 if there is none. */
int kmq_dev_eventfd(void);
int kmq_dev_epoll(void);

void kmq_dev_close(int fd);

/* The word of the windows of a queue handle (KMQ_IOC_WINDOW), mapped, or NULL. */
uint64_t *kmq_dev_window(int fd);

/* The rest of kmq_ioctl(), with errno as ioctl() has left it. */
int kmq_ioctl_failed(int fd, unsigned long cmd, void *arg);

/**
 * kmq_ioctl() - the only way into the kernel
 * @fd: file of a node
 * @cmd: KMQ_IOC_*
 * @arg: its structure; @size is set already
 *
 * A call that a signal interrupted is repeated: the kernel has done nothing,
 * and has written a deadline back (G-WAIT-13).
 *
 * Return: 0 or a negative errno.
 */
KMQ_INLINE int kmq_ioctl(int fd, unsigned long cmd, void *arg)
{
	if (likely(ioctl(fd, cmd, arg) >= 0))
		return 0;
	return kmq_ioctl_failed(fd, cmd, arg);
}

/* Reason for a failed ioctl on a queue file, and on a connection's file. */
MQLONG kmq_object_reason(int err);
MQLONG kmq_conn_reason(int err);

/* Have these called around every fork(), outside of the lock of the files. */
void kmq_dev_at_fork(void (*prepare)(void), void (*parent)(void),
		     void (*child)(void));

#endif
