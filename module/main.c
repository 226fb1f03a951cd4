// SPDX-License-Identifier: GPL-2.0
/*
 * kmq: MQI message queues as character devices. Registration and the operations
 * of a node before it is known which one it is.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/fs.h>
#include <linux/module.h>
#include <linux/string.h>
#include "account.h"
#include "attr.h"
#include "dev.h"
#include "ioctl.h"
#include "msg.h"
#include "mqi.h"
#include "owner.h"
#include "qmgr.h"
#include "qmgrs.h"
#include "queue.h"
#include "store.h"

static char *qmgr = "QM1";
module_param(qmgr, charp, 0444);
MODULE_PARM_DESC(qmgr, "name of the queue manager made at load (QM1)");
static unsigned int gid;
module_param(gid, uint, 0444);
MODULE_PARM_DESC(gid, "numeric group of the nodes qmgr and admin (0)");
module_param_named(user_queues, kmq_user_limits[KMQ_CHARGE_QUEUE], uint,
		   0644);
MODULE_PARM_DESC(user_queues,
		 "queues that a user may make who does not administer (1024)");
module_param_named(user_signals, kmq_user_limits[KMQ_CHARGE_SIGNAL], uint,
		   0644);
MODULE_PARM_DESC(user_signals, "signals that a user may have (8192)");
module_param_named(user_windows, kmq_user_limits[KMQ_CHARGE_WINDOW], uint,
		   0644);
MODULE_PARM_DESC(user_windows,
		 "open queues that a user may read ahead without calls (4096)");

static int kmq_open_node(struct inode *inode, struct file *file)
{
	struct kmq_node node;
	int err = kmq_dev_find(iminor(inode), &node);

	if (err)
		return err;
	switch (node.kind) {
	case KMQ_NODE_QMGR:
		err = kmq_conn_file_open(file, &node);
		break;
	case KMQ_NODE_QUEUE:
		err = kmq_queue_file_open(file, &node);
		break;
	default:
		err = kmq_admin_file_open(file, &node);
		break;
	}
	return err;
}

static const struct file_operations kmq_fops = {
	.owner = THIS_MODULE,
	.open = kmq_open_node,
};

static int __init kmq_make_qmgr(void)
{
	u8 name[KMQ_NAME_LEN] = {};
	size_t n = strlen(qmgr);
	u32 reason = MQRC_Q_MGR_NAME_ERROR;

	if (n <= KMQ_NAME_LEN) {
		memcpy(name, qmgr, n);
		kmq_name_pad(name, KMQ_NAME_LEN);
		reason = kmq_qmgrs_create(name, KGIDT_INIT(gid));
	}
	switch (reason) {
	case MQRC_NONE:
		return 0;
	case MQRC_STORAGE_NOT_AVAILABLE:
		return -ENOMEM;
	default:
		pr_err("qmgr='%s': a name has 1 to %d letters, digits and ./_%%\n",
		       qmgr, KMQ_NAME_LEN);
		return -EINVAL;
	}
}

static int __init kmq_init(void)
{
	int err;

	kmq_token_new_instance();
	err = kmq_msg_cache_create();
	if (err)
		return err;
	err = kmq_queue_reaper_create();
	if (err)
		goto destroy_caches;
	err = kmq_owners_create();
	if (err)
		goto destroy_reaper;
	err = kmq_dev_init(&kmq_fops);
	if (err)
		goto destroy_owners;
	err = kmq_make_qmgr();
	if (err)
		goto exit_dev;
	return 0;

exit_dev:
	kmq_dev_exit();
destroy_owners:
	kmq_owners_destroy();
destroy_reaper:
	kmq_queue_reaper_destroy();
destroy_caches:
	kmq_msg_cache_destroy();
	return err;
}

static void __exit kmq_exit(void)
{
	/* First: what ends late may still put messages back. */
	kmq_owners_destroy();
	kmq_qmgrs_delete_all();
	kmq_queue_reaper_destroy();
	kmq_dev_exit();
	kmq_msg_cache_destroy();
}

module_init(kmq_init);
module_exit(kmq_exit);

MODULE_DESCRIPTION("MQI message queues as character devices");
MODULE_AUTHOR("kmq maintainers");
MODULE_LICENSE("GPL");
MODULE_VERSION(KMQ_VERSION);
