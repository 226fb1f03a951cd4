/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_IOCTL_H
#define KMQ_IOCTL_H

#include <linux/fs.h>
#include <linux/kmq.h>
#include "put.h"
#include "user.h"

struct kmq_handle;
struct kmq_msg;
struct kmq_qmgr;
struct kmq_queue;

/**
 * struct kmq_vec_puts - room for puts that are made together
 * @cmds: commands
 * @items: group fields
 */
struct kmq_vec_puts {
	struct kmq_put cmds[KMQ_PUT_RUN_MAX];
	struct kmq_put_item items[KMQ_PUT_RUN_MAX];
};

/* Room for any command. */
union kmq_command {
	struct kmq_info info;
	struct kmq_connect connect;
	struct kmq_uow uow;
	struct kmq_open open;
	struct kmq_resolve resolve;
	struct kmq_close close;
	struct kmq_put put;
	struct kmq_get get;
	struct kmq_vec vec;
	struct kmq_signal_status signal_status;
	struct kmq_put_room put_room;
	struct kmq_window_file window_file;
	struct kmq_attrs attrs;
	struct kmq_list list;
	struct kmq_status status;
	struct kmq_define define;
	struct kmq_delete delete;
	struct kmq_qmgr_state state;
	struct kmq_qmgr_name qmgr_name;
	struct kmq_conn_state conn_state;
	struct kmq_handles handles;
	struct kmq_conns conns;
};

/**
 * struct kmq_request - a command on its way
 * @cmd: kernel copy
 * @user: where it came from
 * @size: size that the caller gave
 * @published: the command has been written back already
 */
struct kmq_request {
	union kmq_command cmd;
	void __user *user;
	u32 size;
	bool published;
};

static inline struct kmq_request *kmq_request_of(union kmq_command *cmd)
{
	return container_of(cmd, struct kmq_request, cmd);
}

/**
 * struct kmq_op - one command of one kind of node
 * @size: size of its structure
 * @min_size: smallest size a caller may know
 * @has_result: it has out_comp_code and out_reason; with MQCC_FAILED nothing
 *	else is written back
 * @mode: FMODE_READ for what looks, FMODE_WRITE for what changes: the file has
 *	to be open for it; 0 where a handle, or the call itself, has rights of its
 *	own
 * @run: carries the command out; @cmd is the kernel copy in
 *	a struct kmq_request
 */
struct kmq_op {
	u32 size;
	u32 min_size;
	bool has_result;
	fmode_t mode;
	int (*run)(struct file *file, union kmq_command *cmd);
};

#define KMQ_OP(_struct, _has_result, _mode, _run) {			\
	.size = sizeof(struct _struct),					\
	.min_size = sizeof(struct _struct),				\
	.has_result = _has_result,					\
	.mode = _mode,							\
	.run = _run,							\
}

/* One whose structure once ended with the field @_last. */
#define KMQ_OP_GREW(_struct, _last, _has_result, _mode, _run) {		\
	.size = sizeof(struct _struct),					\
	.min_size = offsetofend(struct _struct, _last),			\
	.has_result = _has_result,					\
	.mode = _mode,							\
	.run = _run,							\
}

void kmq_file_become(struct file *file, const struct file_operations *fops);
long kmq_ioctl(struct file *file, unsigned int number, unsigned long arg,
	       const struct kmq_op *ops, unsigned int count);
int kmq_copy_command_in(struct kmq_request *request, size_t size,
			void __user *user);
int kmq_copy_command_out(const struct kmq_request *request, size_t size);
int kmq_request_answer(const struct kmq_request *request, size_t size);
int kmq_ioctl_info(union kmq_command *cmd, u32 node,
		   const struct kmq_qmgr *qmgr);
int kmq_ioctl_inquire(struct kmq_attrs *cmd, struct kmq_qmgr *qmgr,
		      struct kmq_queue *queue);
int kmq_ioctl_set(struct kmq_attrs *cmd, struct kmq_queue *queue);
int kmq_ioctl_list(struct kmq_list *cmd, struct kmq_qmgr *qmgr);
int kmq_ioctl_status(struct kmq_status *cmd, struct kmq_qmgr *qmgr,
		     struct kmq_queue *queue);
int kmq_ioctl_handles(struct kmq_handles *cmd, struct kmq_qmgr *qmgr, bool all);
int kmq_ioctl_conns(struct kmq_conns *cmd, struct kmq_qmgr *qmgr, bool all);

struct kmq_conn;
struct kmq_node;

int kmq_inquire_by_name(struct kmq_attrs *cmd, struct kmq_qmgr *qmgr);
struct kmq_conn *kmq_conn_from_fd(int fd, struct file **file);

int kmq_file_put(struct file *file, void __user *user);
int kmq_file_put_cmd(struct file *file, union kmq_command *cmd);
int kmq_queue_put1(struct file *file, union kmq_command *cmd);
int kmq_queue_get_again(struct file *file, void __user *user);
int kmq_queue_get_msg(struct file *file, union kmq_command *cmd);
u32 kmq_vec_put_run(struct kmq_handle *handle, struct kmq_vec_puts *room,
		    u32 count, void __user *user, size_t stride, bool *failed,
		    int *err);
int kmq_queue_get_cmd(struct kmq_handle *handle, struct kmq_request *request,
		      bool nonblocking);
int kmq_vec_putv(struct file *file, union kmq_command *cmd);
int kmq_vec_getv(struct file *file, union kmq_command *cmd);
int kmq_window_file(struct file *file, union kmq_command *cmd);

int kmq_conn_file_open(struct file *file, const struct kmq_node *node);
int kmq_queue_file_open(struct file *file, const struct kmq_node *node);
int kmq_admin_file_open(struct file *file, const struct kmq_node *node);

#endif /* KMQ_IOCTL_H */
