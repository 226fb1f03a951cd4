/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * kq: the ioctl interface, one command per function, without the library: the
 * stress programs want to know just what one system call does.
 */
#ifndef SELFTESTS_STRESS_KQ_H
#define SELFTESTS_STRESS_KQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmqc.h>
#include <linux/kmq.h>

/*
 * What a command came to: 0 OK, a reason (warnings have KQ_WARNING), or a
 * negative errno.
 */
#define KQ_WARNING	0x10000
typedef int kq_result;

int kq_conn(void);
kq_result kq_connect(int conn);
int kq_node(const char *q);
kq_result kq_open(int fd, int conn, uint32_t options);
/* Connected and opened, or the program ends. */
int kq_handle(int conn, const char *q, uint32_t options);
int kq_session(void);

void kq_put_init(struct kmq_put *put, const void *data, int length);
kq_result kq_put(int fd, struct kmq_put *put);
void kq_get_init(struct kmq_get *get, void *data, int length);
kq_result kq_get(int fd, struct kmq_get *get);
kq_result kq_end(int conn, bool commit);
kq_result kq_close(int fd);
/* Any other command whose structure begins with a result. */
kq_result kq_call(int fd, unsigned int nr, void *cmd);

kq_result kq_define(const char *q);
kq_result kq_define_process(const char *name);
kq_result kq_alter(const char *q, int selector, int value);
kq_result kq_alter_text(const char *q, int selector, const char *text);
kq_result kq_delete(const char *q);
kq_result kq_delete_process(const char *name);
void kq_status(const char *q, struct kmq_status *status);

void kq_id(uint8_t *id, uint64_t number);
uint64_t kq_number(const uint8_t *id);
uint32_t kq_random(uint64_t *state);
uint64_t kq_now_ms(void);
void kq_nap(int ms);

/* Says what went wrong; the run goes on and ends as a failure. */
void kq_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
extern int kq_failures;

/* The programs; each returns how many things went wrong, -1 to be skipped. */
struct transfer_plan {
	int messages;
	int moves;
	int workers;
	int seconds;
};

struct async_plan {
	int writers;
	int seconds;
};

struct waiters_plan {
	int getters;
	int putters;
	int seconds;
};

struct queues_plan {
	int queues;
	int clients;
	int seconds;
};

int stress_failnth(bool verbose);
int stress_transfer(const struct transfer_plan *plan);
int stress_async(const struct async_plan *plan);
int stress_waiters(const struct waiters_plan *plan);
int stress_queues(const struct queues_plan *plan);

#endif
