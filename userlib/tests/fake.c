// SPDX-License-Identifier: MIT
/*
 * See fake.h.
 */
#include "fake.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int (*fake_hook)(int fd, unsigned int cmd, void *arg);
unsigned int fake_calls[256];

static char dir[64];
static unsigned int failed;

void check_that(bool good, const char *what, const char *file, int line)
{
	if (good)
		return;
	failed++;
	printf("# %s:%d: %s\n", file, line, what);
}

void check_int(long want, long got, const char *what, const char *file,
	       int line)
{
	if (want == got)
		return;
	failed++;
	printf("# %s:%d: %s is %ld, not %ld\n", file, line, what, got, want);
}

void check_text(const void *want, const void *got, size_t n, const char *what,
		const char *file, int line)
{
	size_t length = strlen(want);
	char padded[512];

	memset(padded, ' ', sizeof(padded));
	memcpy(padded, want, length);
	if (length <= n && !memcmp(padded, got, n))
		return;
	failed++;
	printf("# %s:%d: %s is '%.*s', not '%s'\n", file, line, what, (int)n,
	       (const char *)got, (const char *)want);
}

static void remove_tree(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	if (dir[0] && system(command))
		perror(command);
}

int run_tests(const struct test *tests, size_t count)
{
	unsigned int bad = 0;
	size_t i;

	printf("1..%zu\n", count);
	for (i = 0; i < count; i++) {
		failed = 0;
		fake_hook = NULL;
		memset(fake_calls, 0, sizeof(fake_calls));
		tests[i].run();
		bad += failed != 0;
		printf("%sok %zu - %s\n", failed ? "not " : "", i + 1,
		       tests[i].name);
		fflush(stdout);
	}
	remove_tree();
	return bad != 0;
}

const char *fake_path(const char *path)
{
	static char buffer[512];

	snprintf(buffer, sizeof(buffer), "%s/%s", dir, path);
	return buffer;
}

void fake_add(const char *path)
{
	char parent[512];
	char *slash;
	int fd;

	snprintf(parent, sizeof(parent), "%s", fake_path(path));
	for (slash = parent + strlen(dir) + 1; (slash = strchr(slash, '/'));
	     *slash++ = '/') {
		*slash = 0;
		mkdir(parent, 0755);
	}
	/* A connection's file can be polled, as a plain one cannot. */
	slash = strrchr(path, '/');
	if (slash && !strcmp(slash, "/qmgr")) {
		mkfifo(fake_path(path), 0666);
		return;
	}
	fd = open(fake_path(path), O_CREAT | O_RDWR, 0666);
	if (fd >= 0)
		close(fd);
}

void fake_remove(const char *path)
{
	remove(fake_path(path));
}

void fake_mode(const char *path, int mode)
{
	if (chmod(fake_path(path), mode))
		perror(path);
}

void fake_start(void)
{
	const char *tmp = getenv("TMPDIR");

	remove_tree();
	snprintf(dir, sizeof(dir), "%.40s/kmqXXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		perror(dir);
	setenv("KMQ_DEV_DIR", dir, 1);
	unsetenv("KMQ_DEFAULT_QMGR");
	fake_add("control");
	fake_add("QM1/qmgr");
	fake_add("QM1/queue/Q");
	fake_add("QM1/queue/R");
	fake_add("QM2/qmgr");
}

static void pad(void *field, const char *text, size_t n)
{
	memset(field, ' ', n);
	memcpy(field, text, strlen(text));
}

struct kmq_context fake_context(void)
{
	struct kmq_context ctx = { .appl_type = MQAT_UNIX };

	pad(ctx.user_id, "0", sizeof(ctx.user_id));
	ctx.uid = 0;
	ctx.flags = KMQ_CTX_UID;
	ctx.accounting[0] = 1;
	pad(ctx.appl_identity, "", sizeof(ctx.appl_identity));
	pad(ctx.appl_name, "fake", sizeof(ctx.appl_name));
	pad(ctx.appl_origin, "", sizeof(ctx.appl_origin));
	return ctx;
}

/* The last component of what @fd is, or the one @up levels above. */
static void name_of_file(int fd, int up, void *field)
{
	char link[64], path[PATH_MAX];
	char *slash;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	path[n < 0 ? 0 : n] = 0;
	for (slash = strrchr(path, '/'); slash && up--;
	     slash = strrchr(path, '/'))
		*slash = 0;
	pad(field, slash ? slash + 1 : "", KMQ_NAME_LEN);
}

static void answer_connect(int fd, struct kmq_connect *k)
{
	k->out_comp_code = 0;
	k->out_reason = 0;
	name_of_file(fd, 1, k->out_qmgr_name);
	memset(k->out_connection_id, 0x11, sizeof(k->out_connection_id));
	k->out_ccsid = 1208;
	k->out_ctx_id = FAKE_CTX_ID;
	k->out_context = fake_context();
}

static void answer_open(int fd, struct kmq_open *k)
{
	k->out_comp_code = 0;
	k->out_reason = 0;
	k->out_q_type = MQQT_LOCAL;
	k->out_def_put_response = MQPRT_SYNC_RESPONSE;
	k->out_property_control = MQPROP_COMPATIBILITY;
	name_of_file(fd, 0, k->out_q_name);
	name_of_file(fd, 0, k->out_resolved_q_name);
	name_of_file(fd, 2, k->out_resolved_qmgr_name);
}

void fake_dest(int fd, struct kmq_put *k)
{
	struct kmq_md_ext *ext = (void *)(uintptr_t)k->ext;

	if (!(k->flags & KMQ_PUT_WANT_DEST))
		return;
	k->out_present |= KMQ_MD_DEST;
	name_of_file(fd, 0, ext->dest_q);
	name_of_file(fd, 2, ext->dest_qmgr);
}

static void answer_put(int fd, struct kmq_put *k)
{
	k->out_comp_code = 0;
	k->out_reason = 0;
	k->md.priority = k->md.priority < 0 ? 0 : k->md.priority;
	k->md.persistence = k->md.persistence == 2 ? 0 : k->md.persistence;
	k->md.ccsid = k->md.ccsid <= 0 ? 1208 : k->md.ccsid;
	memset(k->md.msg_id, 0xaa, sizeof(k->md.msg_id));
	k->out_present = 0;
	k->out_put_time = 1000000000ULL * 951782400 + 120000000;
	k->out_ctx_id = FAKE_CTX_ID;
	fake_dest(fd, k);
}

/* Names that are not those of a queue here lead nowhere. */
static void answer_resolve(struct kmq_resolve *r)
{
	bool here = !r->object_qmgr_name[0] || r->object_qmgr_name[0] == ' ';

	r->out_comp_code = MQCC_FAILED;
	r->out_reason = here ? MQRC_UNKNOWN_OBJECT_NAME :
			       MQRC_UNKNOWN_REMOTE_Q_MGR;
}

static void answer_get(struct kmq_get *k)
{
	k->out_comp_code = 2;
	k->out_reason = MQRC_NO_MSG_AVAILABLE;
}

static void answer(int fd, unsigned int cmd, void *arg)
{
	struct kmq_uow *result = arg;	/* all of them begin like this */

	switch (cmd) {
	case KMQ_IOC_CONNECT:
		return answer_connect(fd, arg);
	case KMQ_IOC_OPEN:
		return answer_open(fd, arg);
	case KMQ_IOC_PUT:
	case KMQ_IOC_PUT1:
		return answer_put(fd, arg);
	case KMQ_IOC_RESOLVE:
		return answer_resolve(arg);
	case KMQ_IOC_GET:
		return answer_get(arg);
	case KMQ_IOC_INFO:
		((struct kmq_info *)arg)->out_max_batch = 64;
		return;
	default:
		result->out_comp_code = 0;
		result->out_reason = 0;
	}
}

int ioctl(int fd, unsigned long cmd, ...)
{
	int err = FAKE_DEFAULT;
	va_list args;
	void *arg;

	va_start(args, cmd);
	arg = va_arg(args, void *);
	va_end(args);
	__atomic_add_fetch(&fake_calls[cmd & 0xff], 1, __ATOMIC_RELAXED);
	if (fake_hook)
		err = fake_hook(fd, cmd, arg);
	if (err == FAKE_DEFAULT) {
		answer(fd, cmd, arg);
		err = 0;
	}
	errno = -err;
	return err ? -1 : 0;
}

MQHCONN fake_conn(MQLONG options)
{
	MQCNO cno = { MQCNO_DEFAULT };
	MQCHAR48 name = "QM1";
	MQHCONN hconn;
	MQLONG cc, rc;

	cno.Options = options;
	MQCONNX(name, &cno, &hconn, &cc, &rc);
	RESULT(0, 0);
	return hconn;
}

MQHOBJ fake_open(MQHCONN hconn, MQLONG options)
{
	MQOD od = { MQOD_DEFAULT };
	MQHOBJ hobj;
	MQLONG cc, rc;

	strcpy(od.ObjectName, "Q");
	MQOPEN(hconn, &od, options, &hobj, &cc, &rc);
	RESULT(0, 0);
	return hobj;
}

int open_files(void)
{
	DIR *fds = opendir("/proc/self/fd");
	char path[PATH_MAX];
	struct dirent *e;
	int n = 0;

	while ((e = readdir(fds)))
		n += readlinkat(dirfd(fds), e->d_name, path, sizeof(path)) > 0 &&
		     !strncmp(path, dir, strlen(dir));
	closedir(fds);
	return n;
}
