/* SPDX-License-Identifier: MIT */
/*
 * What to do about a refusal that a newcomer meets: the module is not loaded,
 * the user is not in the group, the name is not that of a queue manager.
 */
#include "hint.h"

#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <sys/stat.h>

#include "../src/name.h"
#include "admin.h"
#include "cmqc.h"

bool hint_module_is_missing(void)
{
	char path[KMQ_PATH_MAX];
	struct stat node;

	snprintf(path, sizeof(path), "%s/control", kmq_device_dir());
	return stat(path, &node) && errno == ENOENT;
}

/* The node itself says who may open it. */
static void tell_group(const char *path)
{
	const struct group *group;
	struct stat node;

	if (stat(path, &node))
		return;
	group = getgrgid(node.st_gid);
	if (!node.st_gid)
		fprintf(stderr, "Only root may open %s. After installation "
			"members of the group mqm may.\n", path);
	else if (node.st_mode & 0060)
		fprintf(stderr, "Members of the group %s may open %s. To become "
			"one: sudo usermod -aG %s $USER, and log in again.\n",
			group ? group->gr_name : "of it", path,
			group ? group->gr_name : "GROUP");
	else
		fprintf(stderr, "Only its owner may open %s.\n", path);
}

void hint_after(int result, const char *path)
{
	if (hint_module_is_missing()) {
		fputs("The module kmq is not loaded. To load it: "
		      "sudo modprobe kmq\n", stderr);
		return;
	}
	switch (result) {
	case -EACCES:
	case -EPERM:
	case MQRC_NOT_AUTHORIZED:
		tell_group(path);
		break;
	case MQRC_Q_MGR_NAME_ERROR:
		fputs("dspmq shows the queue managers there are.\n", stderr);
		break;
	}
}

static bool qmgr_field(char *field, const char *qmgr)
{
	if (!qmgr || !*qmgr)
		return kmq_name_default_qmgr(field);
	admin_name_to_field(field, qmgr);
	return true;
}

void hint_after_qmgr(int result, const char *qmgr)
{
	char name[KMQ_NAME_LEN];
	char path[KMQ_PATH_MAX] = "";

	if (qmgr_field(name, qmgr))
		kmq_path_qmgr(path, name, "qmgr");
	hint_after(result, path);
}

void hint_after_queue(int result, const char *qmgr, const char *queue)
{
	char name[KMQ_NAME_LEN], queue_name[KMQ_NAME_LEN];
	char path[KMQ_PATH_MAX];

	if (result != MQRC_NOT_AUTHORIZED || !qmgr_field(name, qmgr))
		return;
	admin_name_to_field(queue_name, queue);
	if (kmq_path_queue(path, name, queue_name))
		fprintf(stderr, "The permissions of the queue's node decide: "
			"ls -l '%s'\n", path);
}
