// SPDX-License-Identifier: GPL-2.0
/*
 * Nodes: minor numbers, devices and what is behind them.
 *
 * A minor is looked up under the lock of the array, and references are taken
 * under it, so an open either finds a queue that is alive or none.
 *
 * What a node permits is known to devtmpfs alone, where chmod, chown and access
 * lists have changed it. A mount of our own shows it, which nobody can put
 * something else in front of, as in a mount namespace of his.
 */
#include <linux/capability.h>
#include <linux/cdev.h>
#include <linux/cred.h>
#include <linux/device.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/xarray.h>
#include "attr.h"
#include "compat.h"
#include "dev.h"
#include "limits.h"
#include "qmgr.h"
#include "queue.h"

#define KMQ_MINORS	BIT(MINORBITS)
#define KMQ_QMGR_MODE	0660
#define KMQ_ADMIN_MODE	0660
#define KMQ_CONTROL_MODE 0600

/* Longest name of a node: three characters for each one of two names. */
#define KMQ_NODE_NAME	(2 * 3 * KMQ_NAME_LEN + sizeof("kmq//queue/"))

static dev_t kmq_devt;
static struct cdev kmq_cdev;
static struct class kmq_class = { .name = "kmq" };
static struct device *kmq_control;
static struct vfsmount *kmq_node_mount;
static DEFINE_XARRAY_FLAGS(kmq_nodes, XA_FLAGS_ALLOC | XA_FLAGS_ACCOUNT);

/**
 * struct kmq_device - device of a node
 * @dev: the device
 * @mode: permissions of the node
 * @uid: its owner
 * @gid: its group
 */
struct kmq_device {
	struct device dev;
	umode_t mode;
	kuid_t uid;
	kgid_t gid;
};

static char *kmq_devnode(kmq_devnode_dev *dev, umode_t *mode, kuid_t *uid,
			 kgid_t *gid)
{
	const struct kmq_device *device =
		container_of(dev, struct kmq_device, dev);

	/* When a node is removed only its name is asked for. */
	if (mode)
		*mode = device->mode;
	if (uid)
		*uid = device->uid;
	if (gid)
		*gid = device->gid;
	return NULL;
}

static const struct device_type kmq_device_type = {
	.name = "kmq",
	.devnode = kmq_devnode,
};

static void kmq_device_release(struct device *dev)
{
	kfree(container_of(dev, struct kmq_device, dev));
}

/* '!' becomes '/' in the node's path; '/' and '%' of a name are encoded. */
static char *kmq_dev_encode(char *to, const u8 *name)
{
	size_t i, n = KMQ_NAME_LEN;

	while (n && name[n - 1] == ' ')
		n--;
	if ((n == 1 && name[0] == '.') ||
	    (n == 2 && name[0] == '.' && name[1] == '.'))
		return to + sprintf(to, n == 1 ? "%%2E" : "%%2E%%2E");
	for (i = 0; i < n; i++) {
		if (name[i] == '/')
			to += sprintf(to, "%%2F");
		else if (name[i] == '%')
			to += sprintf(to, "%%25");
		else
			*to++ = name[i];
	}
	*to = '\0';
	return to;
}

static struct device *kmq_device_add(const char *name, int minor, umode_t mode,
				     kuid_t uid, kgid_t gid)
{
	struct kmq_device *device = kzalloc(sizeof(*device),
					    GFP_KERNEL_ACCOUNT);
	int err;

	if (!device)
		return ERR_PTR(-ENOMEM);
	device_initialize(&device->dev);
	/* Nothing sleeps with it: no directory "power", which nobody is charged. */
	device_set_pm_not_required(&device->dev);
	device->dev.class = &kmq_class;
	device->dev.type = &kmq_device_type;
	device->dev.devt = MKDEV(MAJOR(kmq_devt), minor);
	device->dev.release = kmq_device_release;
	device->mode = mode;
	device->uid = uid;
	device->gid = gid;
	err = dev_set_name(&device->dev, "%s", name);
	if (!err)
		err = device_add(&device->dev);
	if (err) {
		put_device(&device->dev);
		return ERR_PTR(err);
	}
	return &device->dev;
}

/* Take a minor number. Return: it, or a negative errno. */
static int kmq_node_add(int kind, struct kmq_qmgr *qmgr,
			struct kmq_queue *queue)
{
	struct kmq_node *node = kmalloc(sizeof(*node), GFP_KERNEL_ACCOUNT);
	u32 minor;
	int err;

	if (!node)
		return -ENOMEM;
	node->kind = kind;
	node->qmgr = qmgr;
	node->queue = queue;
	err = xa_alloc(&kmq_nodes, &minor, node,
		       XA_LIMIT(0, KMQ_MAX_QUEUES - 1), GFP_KERNEL);
	if (err) {
		kfree(node);
		return err == -EBUSY ? -ENOSPC : err;
	}
	return minor;
}

static void kmq_node_del(int minor)
{
	kfree(xa_erase(&kmq_nodes, minor));
}

/**
 * kmq_dev_find - what is behind a minor number
 * @minor: minor number
 * @node: filled in; the queue, or else the queue manager, is referenced, and
 *	one more file of the queue manager counted, see kmq_dev_file_closed()
 *
 * Return: 0 or -ENXIO.
 */
int kmq_dev_find(unsigned int minor, struct kmq_node *node)
{
	struct kmq_node *found;

	xa_lock(&kmq_nodes);
	found = xa_load(&kmq_nodes, minor);
	if (found && found->qmgr && found->qmgr->ending)
		found = NULL;
	if (found) {
		*node = *found;
		if (node->qmgr)
			node->qmgr->files++;
		if (node->queue)
			kmq_queue_get(node->queue);
		else if (node->qmgr)
			kmq_qmgr_get(node->qmgr);
	}
	xa_unlock(&kmq_nodes);
	return found ? 0 : -ENXIO;
}

/**
 * kmq_dev_file_closed - a file of a node of a queue manager was closed
 * @qmgr: the queue manager
 */
void kmq_dev_file_closed(struct kmq_qmgr *qmgr)
{
	xa_lock(&kmq_nodes);
	qmgr->files--;
	xa_unlock(&kmq_nodes);
}

/**
 * kmq_dev_qmgr_end - let no more nodes of a queue manager be opened
 * @qmgr: the queue manager
 *
 * Return: false if a file of one is open; then nothing has changed.
 */
bool kmq_dev_qmgr_end(struct kmq_qmgr *qmgr)
{
	bool unused;

	xa_lock(&kmq_nodes);
	unused = !qmgr->files;
	if (unused)
		qmgr->ending = true;
	xa_unlock(&kmq_nodes);
	return unused;
}

static struct device *kmq_dev_add(int kind, struct kmq_qmgr *qmgr,
				  struct kmq_queue *queue, const char *name,
				  umode_t mode, kuid_t uid, kgid_t gid,
				  int *minor)
{
	struct device *dev;

	*minor = kmq_node_add(kind, qmgr, queue);
	if (*minor < 0)
		return ERR_PTR(*minor);
	dev = kmq_device_add(name, *minor, mode, uid, gid);
	if (IS_ERR(dev))
		kmq_node_del(*minor);
	return dev;
}

static struct device *kmq_dev_add_fixed(int kind, struct kmq_qmgr *qmgr,
					const char *leaf, umode_t mode,
					kgid_t gid, int *minor)
{
	char name[KMQ_NODE_NAME];
	char *end = name + sprintf(name, "kmq!");

	end = kmq_dev_encode(end, qmgr->name);
	sprintf(end, "!%s", leaf);
	return kmq_dev_add(kind, qmgr, NULL, name, mode,
			   GLOBAL_ROOT_UID, gid, minor);
}

/**
 * kmq_dev_qmgr_add - make the nodes of a queue manager
 * @qmgr: queue manager
 * @gid: their group
 *
 * Return: 0 or a negative errno.
 */
int kmq_dev_qmgr_add(struct kmq_qmgr *qmgr, kgid_t gid)
{
	qmgr->qmgr_dev = kmq_dev_add_fixed(KMQ_NODE_QMGR, qmgr, "qmgr",
					   KMQ_QMGR_MODE, gid,
					   &qmgr->qmgr_minor);
	if (IS_ERR(qmgr->qmgr_dev))
		return PTR_ERR(qmgr->qmgr_dev);
	qmgr->admin_dev = kmq_dev_add_fixed(KMQ_NODE_ADMIN, qmgr, "admin",
					    KMQ_ADMIN_MODE, gid,
					    &qmgr->admin_minor);
	if (IS_ERR(qmgr->admin_dev)) {
		device_unregister(qmgr->qmgr_dev);
		kmq_node_del(qmgr->qmgr_minor);
		return PTR_ERR(qmgr->admin_dev);
	}
	return 0;
}

/*
 * Does a node permit the current user what one of the masks says, as it is in the
 * file system now? Sleeps, but never for user space.
 */
static bool kmq_node_permits(char *name, int minor, int mask, int other_mask)
{
	dev_t devt = MKDEV(MAJOR(kmq_devt), minor);
	const struct inode *inode;
	struct path path;
	bool permits;

	strreplace(name, '!', '/');
	if (vfs_path_lookup(kmq_node_mount->mnt_root, kmq_node_mount, name, 0,
			    &path))
		return false;
	inode = d_inode(path.dentry);
	/* It must be the device, not some file in its place. */
	permits = S_ISCHR(inode->i_mode) && inode->i_rdev == devt &&
		  (!path_permission(&path, mask) ||
		   !path_permission(&path, other_mask));
	path_put(&path);
	return permits;
}

/**
 * kmq_dev_may_administer - may the caller administer a queue manager
 * @qmgr: queue manager
 *
 * No lock is held.
 *
 * Return: true for who could open the admin node for writing, and with
 * CAP_SYS_ADMIN.
 */
bool kmq_dev_may_administer(const struct kmq_qmgr *qmgr)
{
	char name[KMQ_NODE_NAME];
	char *end = name + sprintf(name, "kmq!");

	end = kmq_dev_encode(end, qmgr->name);
	sprintf(end, "!admin");
	return kmq_node_permits(name, qmgr->admin_minor, MAY_WRITE,
				MAY_WRITE) || capable(CAP_SYS_ADMIN);
}

void kmq_dev_qmgr_del(struct kmq_qmgr *qmgr)
{
	device_unregister(qmgr->admin_dev);
	kmq_node_del(qmgr->admin_minor);
	device_unregister(qmgr->qmgr_dev);
	kmq_node_del(qmgr->qmgr_minor);
}

static void kmq_dev_queue_name(char *name, const struct kmq_queue *queue)
{
	char *end = name + sprintf(name, "kmq!");

	end = kmq_dev_encode(end, queue->qmgr->name);
	end += sprintf(end, "!queue!");
	kmq_dev_encode(end, queue->name);
}

static struct device *kmq_queue_device_add(struct kmq_queue *queue, int minor)
{
	const struct kmq_queue_attrs *attrs = &queue->attrs;
	char name[KMQ_NODE_NAME];

	kmq_dev_queue_name(name, queue);
	return kmq_device_add(name, minor, attrs->mode,
			      make_kuid(&init_user_ns, attrs->uid),
			      make_kgid(&init_user_ns, attrs->gid));
}

/**
 * kmq_dev_queue_add - make the node of a queue
 * @queue: queue that nobody knows yet
 *
 * Return: 0; -ENOSPC if there are too many queues; -ENOMEM and the like.
 */
int kmq_dev_queue_add(struct kmq_queue *queue)
{
	int minor = kmq_node_add(KMQ_NODE_QUEUE, queue->qmgr, queue);
	struct device *dev;

	if (minor < 0)
		return minor;
	dev = kmq_queue_device_add(queue, minor);
	if (IS_ERR(dev)) {
		kmq_node_del(minor);
		return PTR_ERR(dev);
	}
	queue->minor = minor;
	queue->dev = dev;
	return 0;
}

/**
 * kmq_dev_queue_del - remove the node of a queue; open files stay
 * @queue: the queue
 */
void kmq_dev_queue_del(struct kmq_queue *queue)
{
	if (queue->dev)
		device_unregister(queue->dev);
	kmq_node_del(queue->minor);
	queue->dev = NULL;
}

/**
 * kmq_dev_queue_change - bring the node in line with owner, group and mode
 * @queue: queue whose attributes have changed
 *
 * A node is made anew only if these differ from what it was made with, so that
 * a chmod is not undone by an ALTER of something else.
 */
void kmq_dev_queue_change(struct kmq_queue *queue)
{
	const struct kmq_queue_attrs *attrs = &queue->attrs;
	struct kmq_device *device;
	struct device *dev;

	if (queue->dev) {
		device = container_of(queue->dev, struct kmq_device, dev);
		if (device->mode == attrs->mode &&
		    __kuid_val(device->uid) == attrs->uid &&
		    __kgid_val(device->gid) == attrs->gid)
			return;
		device_unregister(queue->dev);
	}
	dev = kmq_queue_device_add(queue, queue->minor);
	queue->dev = IS_ERR(dev) ? NULL : dev;
}

/**
 * kmq_dev_may_open - may a user open the node of a queue, one way or the other
 * @queue: the queue
 * @user: credentials
 *
 * No lock is held.
 */
bool kmq_dev_may_open(const struct kmq_queue *queue, const struct cred *user)
{
	const struct cred *own = override_creds(user);
	char name[KMQ_NODE_NAME];
	bool may;

	kmq_dev_queue_name(name, queue);
	may = kmq_node_permits(name, queue->minor, MAY_READ, MAY_WRITE);
	revert_creds(own);
	return may;
}

static int kmq_dev_mount(void)
{
	struct file_system_type *type = get_fs_type("devtmpfs");

	if (!type)
		return -ENODEV;
	kmq_node_mount = kern_mount(type);
	return PTR_ERR_OR_ZERO(kmq_node_mount);
}

/**
 * kmq_dev_init - register the device numbers and the control node
 * @fops: operations of a node before it is known which one it is
 *
 * Return: 0 or a negative errno.
 */
int kmq_dev_init(const struct file_operations *fops)
{
	int minor, err;

	err = kmq_dev_mount();
	if (err)
		return err;
	err = class_register(&kmq_class);
	if (err)
		goto unmount;
	err = alloc_chrdev_region(&kmq_devt, 0, KMQ_MINORS, "kmq");
	if (err)
		goto unregister_class;
	cdev_init(&kmq_cdev, fops);
	kmq_cdev.owner = fops->owner;
	err = cdev_add(&kmq_cdev, kmq_devt, KMQ_MINORS);
	if (err)
		goto unregister_region;
	/* The first one gets minor 0. */
	kmq_control = kmq_dev_add(KMQ_NODE_CONTROL, NULL, NULL, "kmq!control",
				  KMQ_CONTROL_MODE, GLOBAL_ROOT_UID,
				  GLOBAL_ROOT_GID, &minor);
	if (!IS_ERR(kmq_control))
		return 0;
	err = PTR_ERR(kmq_control);
	cdev_del(&kmq_cdev);
unregister_region:
	unregister_chrdev_region(kmq_devt, KMQ_MINORS);
unregister_class:
	class_unregister(&kmq_class);
unmount:
	kern_unmount(kmq_node_mount);
	return err;
}

void kmq_dev_exit(void)
{
	device_unregister(kmq_control);
	kmq_node_del(0);
	cdev_del(&kmq_cdev);
	unregister_chrdev_region(kmq_devt, KMQ_MINORS);
	class_unregister(&kmq_class);
	xa_destroy(&kmq_nodes);
	kern_unmount(kmq_node_mount);
}
