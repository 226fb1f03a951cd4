/* SPDX-License-Identifier: MIT */
/*
 * Queue managers as such: which there are, and making them.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/name.h"
#include "admin.h"
#include "cmqc.h"

int admin_make_qmgr(const char *qmgr, bool create)
{
	struct kmq_qmgr_name call = { .size = sizeof(call) };
	char path[KMQ_PATH_MAX];
	int fd, result = 0;

	if (strlen(qmgr) > ADMIN_NAME_MAX)
		return MQRC_Q_MGR_NAME_ERROR;
	admin_name_to_field(call.name, qmgr);
	snprintf(path, sizeof(path), "%s/control", kmq_device_dir());
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (ioctl(fd, create ? KMQ_IOC_QMGR_CREATE : KMQ_IOC_QMGR_DELETE,
		  &call))
		result = -errno;
	else if (call.out_comp_code == MQCC_FAILED)
		result = call.out_reason;
	close(fd);
	return result;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* A directory with a qmgr node in it is a queue manager. */
static bool is_qmgr(const char *name)
{
	char field[KMQ_NAME_LEN];
	char path[KMQ_PATH_MAX];
	struct stat node;

	admin_name_to_field(field, name);
	return kmq_path_qmgr(path, field, "qmgr") && !stat(path, &node);
}

/* The name behind a file name, see the naming rules of the nodes. */
static bool decode_name(char *name, const char *file)
{
	size_t length = 0;
	unsigned int code;
	int used;

	while (*file) {
		if (length == ADMIN_NAME_MAX)
			return false;
		name[length] = *file++;
		if (name[length] == '%') {
			if (sscanf(file, "%2x%n", &code, &used) != 1 ||
			    used != 2)
				return false;
			name[length] = code;
			file += 2;
		}
		length++;
	}
	name[length] = '\0';
	return length > 0;
}

static int add_name(struct admin_names *names, const char *name)
{
	void *grown = realloc(names->name,
			      (names->count + 1) * sizeof(*names->name));

	if (!grown)
		return -ENOMEM;
	names->name = grown;
	strcpy(names->name[names->count++], name);
	return 0;
}

int admin_qmgrs(struct admin_names *names)
{
	char name[ADMIN_NAME_MAX + 1];
	struct dirent *entry;
	int result = 0;
	DIR *dir;

	memset(names, 0, sizeof(*names));
	dir = opendir(kmq_device_dir());
	if (!dir)
		return -errno;
	while (!result && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' &&
		    decode_name(name, entry->d_name) && is_qmgr(name))
			result = add_name(names, name);
	closedir(dir);
	if (names->count)
		qsort(names->name, names->count, sizeof(*names->name),
		      compare_names);
	return result;
}
