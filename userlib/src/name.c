// SPDX-License-Identifier: MIT
/*
 * Names: padding and comparing fields, and from a name to the path of a node.
 */
#include "name.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#define DEFAULT_DIR	"/dev/kmq"
#define DEFAULT_QMGR	"QM1"

size_t kmq_name_length(const char *field, size_t size)
{
	static const char blanks[8] = "        ";
	size_t n = strnlen(field, size);

	/* A descriptor that came from MQGET is mostly blanks. */
	while (n >= sizeof(blanks) &&
	       !memcmp(field + n - sizeof(blanks), blanks, sizeof(blanks)))
		n -= sizeof(blanks);
	while (n && field[n - 1] == ' ')
		n--;
	return n;
}

void kmq_name_pad(char *to, const char *from, size_t size)
{
	size_t n = strnlen(from, size);

	memcpy(to, from, n);
	memset(to + n, ' ', size - n);
}

bool kmq_name_equal(const char *a, const char *b, size_t size)
{
	size_t n = kmq_name_length(a, size);

	return n == kmq_name_length(b, size) && !memcmp(a, b, n);
}

bool kmq_name_is_valid(const char *field)
{
	static const char valid[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz"
				    "0123456789./_%";
	size_t n = kmq_name_length(field, KMQ_NAME_LEN);
	size_t i;

	for (i = 0; i < n; i++)
		if (!memchr(valid, field[i], sizeof(valid) - 1))
			return false;
	return n > 0;
}

/* Text being put together; stays within KMQ_PATH_MAX or turns bad. */
struct path {
	char *text;
	size_t length;
	bool bad;
};

static void path_add(struct path *p, const char *s, size_t n)
{
	if (p->length + n >= KMQ_PATH_MAX) {
		p->bad = true;
		return;
	}
	memcpy(p->text + p->length, s, n);
	p->length += n;
	p->text[p->length] = 0;
}

static void path_add_text(struct path *p, const char *s)
{
	path_add(p, s, strlen(s));
}

/* One component: what a file name cannot hold is percent-encoded. */
static void path_add_name(struct path *p, const char *name)
{
	size_t n = kmq_name_length(name, KMQ_NAME_LEN);
	bool dots = (n == 1 || n == 2) && !memcmp(name, "..", n);
	size_t i;

	for (i = 0; i < n; i++) {
		if (name[i] == '/')
			path_add_text(p, "%2F");
		else if (name[i] == '%')
			path_add_text(p, "%25");
		else if (dots)
			path_add_text(p, "%2E");
		else
			path_add(p, &name[i], 1);
	}
}

const char *kmq_device_dir(void)
{
	const char *dir = secure_getenv("KMQ_DEV_DIR");

	return dir && *dir ? dir : DEFAULT_DIR;
}

static void path_start(struct path *p, char *text, const char *qmgr)
{
	*p = (struct path){ .text = text };
	path_add_text(p, kmq_device_dir());
	path_add_text(p, "/");
	path_add_name(p, qmgr);
}

bool kmq_path_qmgr(char *path, const char *qmgr, const char *node)
{
	struct path p;

	path_start(&p, path, qmgr);
	path_add_text(&p, "/");
	path_add_text(&p, node);
	return !p.bad;
}

bool kmq_path_queue(char *path, const char *qmgr, const char *queue)
{
	struct path p;

	path_start(&p, path, qmgr);
	path_add_text(&p, "/queue/");
	path_add_name(&p, queue);
	return !p.bad;
}

static int hex(char c)
{
	const char *digits = "0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? at - digits : -1;
}

/* The name behind a file name; false if no name is encoded like that. */
static bool name_decode(char *name, const char *file)
{
	size_t n;

	memset(name, ' ', KMQ_NAME_LEN);
	for (n = 0; *file; n++, file++) {
		if (n == KMQ_NAME_LEN)
			return false;
		name[n] = *file;
		if (*file != '%')
			continue;
		if (hex(file[1]) < 0 || hex(file[2]) < 0)
			return false;
		name[n] = hex(file[1]) << 4 | hex(file[2]);
		file += 2;
	}
	return kmq_name_is_valid(name);
}

static bool qmgr_exists(const char *qmgr)
{
	char path[KMQ_PATH_MAX];
	struct stat st;

	return kmq_path_qmgr(path, qmgr, "qmgr") && !stat(path, &st);
}

/* Exactly one queue manager there is a default, whatever its name. */
static bool only_qmgr(char *qmgr)
{
	char name[KMQ_NAME_LEN];
	struct dirent *entry;
	int found = 0;
	DIR *dir;

	dir = opendir(kmq_device_dir());
	if (!dir)
		return false;
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.' ||
		    !name_decode(name, entry->d_name) || !qmgr_exists(name))
			continue;
		memcpy(qmgr, name, sizeof(name));
		found++;
	}
	closedir(dir);
	return found == 1;
}

bool kmq_name_default_qmgr(char *qmgr)
{
	const char *name = secure_getenv("KMQ_DEFAULT_QMGR");

	if (name && *name) {
		if (strlen(name) > KMQ_NAME_LEN)
			return false;
		memset(qmgr, ' ', KMQ_NAME_LEN);
		memcpy(qmgr, name, strlen(name));
		return true;
	}
	memset(qmgr, ' ', KMQ_NAME_LEN);
	memcpy(qmgr, DEFAULT_QMGR, strlen(DEFAULT_QMGR));
	return qmgr_exists(qmgr) || only_qmgr(qmgr);
}
