/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "kq.h"

#define DIR	"/dev/kmq/QM1/"

int kq_failures;

void kq_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("# ");
	vprintf(format, args);
	printf("\n");
	fflush(stdout);
	va_end(args);
	kq_failures++;
}

static void name_set(uint8_t *to, const char *name)
{
	memset(to, ' ', KMQ_NAME_LEN);
	memcpy(to, name, strlen(name));
}

kq_result kq_call(int fd, unsigned int nr, void *cmd)
{
	/* All commands with a result begin alike. */
	struct kmq_uow *head = cmd;

	if (ioctl(fd, KMQ_IOC(nr), cmd))
		return -errno;
	return head->out_comp_code == MQCC_WARNING ?
	       head->out_reason | KQ_WARNING : head->out_reason;
}

int kq_conn(void)
{
	int fd = open(DIR "qmgr", O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

kq_result kq_connect(int conn)
{
	struct kmq_connect cmd = { .size = sizeof(cmd) };

	return kq_call(conn, KMQ_CMD_CONNECT, &cmd);
}

int kq_node(const char *q)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), DIR "queue/%s", q);
	fd = open(path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

kq_result kq_open(int fd, int conn, uint32_t options)
{
	struct kmq_open cmd = {
		.size = sizeof(cmd), .conn_fd = conn, .options = options,
	};

	return kq_call(fd, KMQ_CMD_OPEN, &cmd);
}

int kq_session(void)
{
	int conn = kq_conn();

	if (conn < 0 || kq_connect(conn)) {
		printf("# cannot connect\n");
		exit(1);
	}
	return conn;
}

int kq_handle(int conn, const char *q, uint32_t options)
{
	int fd = kq_node(q);

	if (fd < 0 || kq_open(fd, conn, options)) {
		printf("# cannot open %s: %d\n", q, fd);
		exit(1);
	}
	return fd;
}

void kq_put_init(struct kmq_put *put, const void *data, int length)
{
	memset(put, 0, sizeof(*put));
	put->size = sizeof(*put);
	put->options = MQPMO_NO_SYNCPOINT;
	put->pmo_version = 3;
	put->md_version = 2;
	put->length = length;
	put->data = (uintptr_t)data;
	put->context_fd = -1;
	put->md.msg_type = MQMT_DATAGRAM;
	put->md.expiry = MQEI_UNLIMITED;
	put->md.encoding = MQENC_NATIVE;
	memset(put->md.format, ' ', sizeof(put->md.format));
	put->md.priority = MQPRI_PRIORITY_AS_Q_DEF;
	put->md.persistence = MQPER_NOT_PERSISTENT;
}

kq_result kq_put(int fd, struct kmq_put *put)
{
	return kq_call(fd, KMQ_CMD_PUT, put);
}

void kq_get_init(struct kmq_get *get, void *data, int length)
{
	memset(get, 0, sizeof(*get));
	get->size = sizeof(*get);
	get->options = MQGMO_NO_SYNCPOINT;
	get->gmo_version = 4;
	get->md_version = 2;
	get->length = length;
	get->data = (uintptr_t)data;
}

/* Interrupted waits are taken up again, as the library does. */
kq_result kq_get(int fd, struct kmq_get *get)
{
	kq_result r;

	do
		r = kq_call(fd, KMQ_CMD_GET, get);
	while (r == -EINTR);
	return r;
}

kq_result kq_end(int conn, bool commit)
{
	struct kmq_uow cmd = { .size = sizeof(cmd) };

	return kq_call(conn, commit ? KMQ_CMD_COMMIT : KMQ_CMD_BACKOUT, &cmd);
}

kq_result kq_close(int fd)
{
	struct kmq_close cmd = { .size = sizeof(cmd) };

	return kq_call(fd, KMQ_CMD_CLOSE, &cmd);
}

static int admin_fd(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = open(DIR "admin", O_RDWR | O_CLOEXEC);
	return fd;
}

static kq_result change(unsigned int nr, int object, const char *name,
			const struct kmq_attr *attrs, unsigned int count)
{
	struct kmq_define cmd = {
		.size = sizeof(cmd), .object_type = object,
		.q_type = object == MQOT_Q ? MQQT_LOCAL : 0,
		.attr_count = count, .attrs = (uintptr_t)attrs,
	};

	name_set(cmd.name, name);
	name_set(cmd.like, "");
	return kq_call(admin_fd(), nr, &cmd);
}

kq_result kq_define(const char *q)
{
	const struct kmq_attr depth = {
		.selector = MQIA_MAX_Q_DEPTH, .value = 999999999,
	};

	return change(KMQ_CMD_DEFINE, MQOT_Q, q, &depth, 1);
}

kq_result kq_define_process(const char *name)
{
	return change(KMQ_CMD_DEFINE, MQOT_PROCESS, name, NULL, 0);
}

kq_result kq_alter(const char *q, int selector, int value)
{
	const struct kmq_attr attr = { .selector = selector, .value = value };

	return change(KMQ_CMD_ALTER, MQOT_Q, q, &attr, 1);
}

kq_result kq_alter_text(const char *q, int selector, const char *text)
{
	const struct kmq_attr attr = {
		.selector = selector, .string = (uintptr_t)text,
		.length = strlen(text),
	};

	return change(KMQ_CMD_ALTER, MQOT_Q, q, &attr, 1);
}

static kq_result removal(int object, const char *name, unsigned int flags)
{
	struct kmq_delete cmd = {
		.size = sizeof(cmd), .flags = flags, .object_type = object,
	};

	name_set(cmd.name, name);
	return kq_call(admin_fd(), KMQ_CMD_DELETE, &cmd);
}

kq_result kq_delete(const char *q)
{
	return removal(MQOT_Q, q, KMQ_DELETE_PURGE);
}

kq_result kq_delete_process(const char *name)
{
	return removal(MQOT_PROCESS, name, 0);
}

void kq_status(const char *q, struct kmq_status *status)
{
	memset(status, 0, sizeof(*status));
	status->size = sizeof(*status);
	name_set(status->name, q);
	if (kq_call(admin_fd(), KMQ_CMD_STATUS, status))
		kq_fail("no status of %s", q);
}

void kq_id(uint8_t *id, uint64_t number)
{
	memset(id, 0, KMQ_ID_LEN);
	memcpy(id, &number, sizeof(number));
}

uint64_t kq_number(const uint8_t *id)
{
	uint64_t number;

	memcpy(&number, id, sizeof(number));
	return number;
}

uint32_t kq_random(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 33;
}

uint64_t kq_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ULL + ts.tv_nsec / 1000000;
}

void kq_nap(int ms)
{
	usleep(ms * 1000);
}
