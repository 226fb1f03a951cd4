/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_QUEUE_FILE_H
#define KMQ_QUEUE_FILE_H

#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/uio.h>

struct kmq_conn;
struct kmq_dest;
struct kmq_handle;
struct kmq_queue;
struct kmq_vec_run;

/**
 * struct kmq_plain - what read() or write() on an unbound file works with
 * @conn: private connection
 * @handle: private handle
 */
struct kmq_plain {
	struct kmq_conn *conn;
	struct kmq_handle *handle;
};

/**
 * struct kmq_queue_file - an open file of a queue node
 * @queue: the queue, referenced
 * @handle: bound handle or NULL; set once, with release semantics
 * @bind: held while it is set, and while @reader, @writer or @way are
 * @reader: for read()
 * @writer: for write()
 * @way: see kmq_plain_way()
 * @way_generation: what kmq_dest_generation() said of it
 * @run: room for the next vector, or NULL; by xchg()
 */
struct kmq_queue_file {
	struct kmq_queue *queue;
	struct kmq_handle *handle;
	struct mutex bind;	/* guards handle, reader, writer, way */
	struct kmq_plain reader;
	struct kmq_plain writer;
	struct kmq_dest *way;
	u32 way_generation;
	struct kmq_vec_run *run;
};

static inline struct kmq_queue_file *kmq_queue_file_of(struct file *file)
{
	return file->private_data;
}

/**
 * kmq_bound_handle - the handle a file of a queue is bound to
 * @file: the file
 *
 * Return: the handle, or NULL.
 */
static inline struct kmq_handle *kmq_bound_handle(struct file *file)
{
	/* Pairs with the release in kmq_queue_bind(). */
	return smp_load_acquire(&kmq_queue_file_of(file)->handle);
}

struct file *kmq_queue_file_get(int fd);

ssize_t kmq_plain_read(struct kiocb *iocb, struct iov_iter *to);
ssize_t kmq_plain_write(struct kiocb *iocb, struct iov_iter *from);
void kmq_plain_end(struct kmq_plain *plain);
struct kmq_dest *kmq_plain_way(struct kmq_queue_file *qf);
void kmq_plain_way_end(struct kmq_queue_file *qf);

#endif /* KMQ_QUEUE_FILE_H */
