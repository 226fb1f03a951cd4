/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The alternate user of an open.
 */
#ifndef KMQ_ALTERNATE_H
#define KMQ_ALTERNATE_H

#include <linux/types.h>

struct cred;
struct file;
struct kmq_open;
struct kmq_open_call;

bool kmq_file_is_owner(struct file *file);
struct cred *kmq_alternate_get(const struct kmq_open *cmd,
			       struct file *conn_file);
void kmq_alternate_put(struct cred *user);
void kmq_alternate_apply(struct kmq_open_call *call, struct file *file,
			 const struct cred *user);

#endif /* KMQ_ALTERNATE_H */
