/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The calls in which each fallible step fails once: what is there before, the
 * call itself, and what must hold when it has succeeded.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "failnth.h"

#define SEGMENTS	5
#define VECTOR		5

void must(kq_result r, const char *what)
{
	if (r)
		kq_fail("%s: %x", what, r);
}

static kq_result put_one(struct ctx *c, int fd, uint32_t options, int length,
			 uint32_t flags, int offset)
{
	struct kmq_md_ext ext = {
		.msg_seq_number = 1, .offset = offset, .msg_flags = flags,
		.original_length = MQOL_UNDEFINED,
	};
	struct kmq_put put;

	kq_put_init(&put, c->data, length);
	put.options = options;
	if (flags) {
		kq_id(ext.group_id, 4711);
		put.ext = (uintptr_t)&ext;
		put.present = KMQ_MD_GROUP;
	}
	return kq_put(fd, &put);
}

static kq_result get_one(struct ctx *c, uint32_t options, int length)
{
	struct kmq_md_ext ext;
	struct kmq_get get;

	kq_get_init(&get, c->buf, length);
	get.options = options;
	get.ext = (uintptr_t)&ext;
	return kq_call(c->h, KMQ_CMD_GET, &get);
}

static void no_prepare(struct ctx *c)
{
}

static void with_message(struct ctx *c)
{
	must(put_one(c, c->k, 0, 100, 0, 0), "prepare message");
}

static void with_big(struct ctx *c)
{
	must(put_one(c, c->k, 0, BIG, 0, 0), "prepare big message");
}

static void with_segments(struct ctx *c)
{
	int i;

	for (i = 0; i < SEGMENTS; i++)
		must(put_one(c, c->k, 0, 100, MQMF_SEGMENT |
			     (i == SEGMENTS - 1 ? MQMF_LAST_SEGMENT : 0),
			     i * 100), "prepare segment");
}

static void with_unit(struct ctx *c)
{
	with_message(c);
	must(put_one(c, c->h, MQPMO_SYNCPOINT, 100, 0, 0), "prepare put");
	must(put_one(c, c->h2, MQPMO_SYNCPOINT, 100, 0, 0), "prepare put");
	must(get_one(c, MQGMO_SYNCPOINT, 1000), "prepare get");
}

static void with_lock(struct ctx *c)
{
	with_message(c);
	must(get_one(c, MQGMO_BROWSE_FIRST | MQGMO_LOCK, 1000), "prepare lock");
}

/* Q2, which nobody has open for input, starts an application. */
static void with_trigger(struct ctx *c)
{
	close(c->h2);
	c->h2 = kq_handle(c->conn, Q2, MQOO_OUTPUT);
	must(kq_define(INITIATION), "define");
	must(kq_define_process(PROCESS), "define process");
	c->fd = kq_handle(c->other, INITIATION, MQOO_INPUT_SHARED);
	must(kq_alter_text(Q2, MQCA_INITIATION_Q_NAME, INITIATION), "alter");
	must(kq_alter_text(Q2, MQCA_PROCESS_NAME, PROCESS), "alter");
	must(kq_alter(Q2, MQIA_TRIGGER_TYPE, MQTT_DEPTH), "alter");
	must(kq_alter(Q2, MQIA_TRIGGER_DEPTH, 1), "alter");
	must(kq_alter(Q2, MQIA_TRIGGER_CONTROL, MQTC_ON), "alter");
}

static kq_result open_node(struct ctx *c)
{
	c->fd = kq_node(Q);
	return c->fd < 0 ? c->fd : 0;
}

static kq_result open_conn(struct ctx *c)
{
	c->fd = kq_conn();
	return c->fd < 0 ? c->fd : 0;
}

static void with_conn(struct ctx *c)
{
	c->fd = kq_conn();
}

static kq_result connect_it(struct ctx *c)
{
	return kq_connect(c->fd);
}

static void with_node(struct ctx *c)
{
	c->fd = kq_node(Q);
}

static kq_result open_it(struct ctx *c)
{
	return kq_open(c->fd, c->conn, MQOO_BROWSE | MQOO_OUTPUT);
}

static void with_open(struct ctx *c)
{
	c->fd = kq_handle(c->conn, Q, MQOO_BROWSE | MQOO_OUTPUT);
}

static kq_result close_it(struct ctx *c)
{
	return kq_close(c->fd);
}

static kq_result put_small(struct ctx *c)
{
	return put_one(c, c->h, 0, 100, 0, 0);
}

static kq_result put_empty(struct ctx *c)
{
	return put_one(c, c->h, 0, 0, 0, 0);
}

static kq_result put_big(struct ctx *c)
{
	return put_one(c, c->h, 0, BIG, 0, 0);
}

static kq_result put_syncpoint(struct ctx *c)
{
	return put_one(c, c->h, MQPMO_SYNCPOINT, 3000, 0, 0);
}

static kq_result put_group(struct ctx *c)
{
	return put_one(c, c->h, 0, 100, MQMF_MSG_IN_GROUP, 0);
}

static kq_result put_segment(struct ctx *c)
{
	return put_one(c, c->h, MQPMO_SYNCPOINT, 100,
		       MQMF_MSG_IN_GROUP | MQMF_SEGMENT, 500);
}

static kq_result put_expiry(struct ctx *c)
{
	struct kmq_put put;

	kq_put_init(&put, c->data, 100);
	put.md.expiry = 10000;
	return kq_put(c->h, &put);
}

static kq_result put_reply_to(struct ctx *c)
{
	struct kmq_md_ext ext;
	static unsigned int count;
	struct kmq_put put;

	kq_put_init(&put, c->data, 100);
	put.md.msg_type = MQMT_REQUEST;
	memset(&ext, ' ', sizeof(ext));
	/* Another name each time, so that none is shared. */
	sprintf((char *)ext.reply_q, "REPLY%u", ++count);
	put.ext = (uintptr_t)&ext;
	put.present = KMQ_MD_REPLY;
	return kq_put(c->h, &put);
}

static kq_result put_context(struct ctx *c)
{
	struct kmq_md_ext ext = {};
	struct kmq_put put;

	kq_put_init(&put, c->data, 100);
	put.options = MQPMO_SET_ALL_CONTEXT;
	memset(ext.context.user_id, 'u', sizeof(ext.context.user_id));
	put.ext = (uintptr_t)&ext;
	put.present = KMQ_MD_CONTEXT;
	return kq_put(c->h, &put);
}

/* A report of arrival goes to Q2. */
static kq_result put_report(struct ctx *c)
{
	struct kmq_md_ext ext;
	struct kmq_put put;

	kq_put_init(&put, c->data, 100);
	put.md.report = MQRO_COA;
	memset(&ext, ' ', sizeof(ext));
	memcpy(ext.reply_q, Q2, strlen(Q2));
	put.ext = (uintptr_t)&ext;
	put.present = KMQ_MD_REPLY;
	return kq_put(c->h, &put);
}

/* No report is left of a put that failed. */
static void one_report(struct ctx *c)
{
	struct kmq_status status;

	kq_status(Q2, &status);
	if (status.out_depth > 1)
		kq_fail("a put that failed has been reported");
}

static void with_short_limit(struct ctx *c)
{
	must(kq_alter(Q, MQIA_MAX_MSG_LENGTH, 110), "alter");
}

/* Cut into pieces of 108, 96 and 96 bytes. */
static kq_result put_cut(struct ctx *c)
{
	struct kmq_md_ext ext = {
		.msg_seq_number = 1, .msg_flags = MQMF_SEGMENTATION_ALLOWED,
		.original_length = MQOL_UNDEFINED,
	};
	MQRFH2 header = { MQRFH2_DEFAULT };
	uint8_t data[300] = {};
	struct kmq_put put;

	header.StrucLength = 108;
	memcpy(data, &header, sizeof(header));
	kq_put_init(&put, data, sizeof(data));
	memcpy(put.md.format, MQFMT_RF_HEADER_2, sizeof(put.md.format));
	put.ext = (uintptr_t)&ext;
	put.present = KMQ_MD_GROUP;
	return kq_put(c->h, &put);
}

static kq_result put_triggering(struct ctx *c)
{
	return put_one(c, c->h2, 0, 100, 0, 0);
}

static kq_result put_triggering_later(struct ctx *c)
{
	return put_one(c, c->h2, MQPMO_SYNCPOINT, 100, 0, 0);
}

/* Without a trigger message for want of memory, the next put makes it. */
static void one_trigger(struct ctx *c)
{
	struct kmq_status status;

	must(kq_end(c->conn, true), "commit");
	kq_status(INITIATION, &status);
	if (!status.out_depth) {
		must(put_triggering(c), "put again");
		kq_status(INITIATION, &status);
	}
	if (status.out_depth != 1)
		kq_fail("%u trigger messages", status.out_depth);
}

static kq_result put_first(struct ctx *c)
{
	struct kmq_put put;

	kq_put_init(&put, c->data, 100);
	put.conn_fd = c->conn;
	return kq_call(c->node, KMQ_CMD_PUT1, &put);
}

static kq_result get_plain(struct ctx *c)
{
	return get_one(c, 0, 1000);
}

static kq_result get_big(struct ctx *c)
{
	return get_one(c, 0, BIG);
}

static kq_result get_syncpoint(struct ctx *c)
{
	return get_one(c, MQGMO_SYNCPOINT, 1000);
}

static kq_result get_whole(struct ctx *c)
{
	return get_one(c, MQGMO_COMPLETE_MSG, 1000);
}

static kq_result browse_plain(struct ctx *c)
{
	return get_one(c, MQGMO_BROWSE_FIRST, 1000);
}

static kq_result browse_mark(struct ctx *c)
{
	return get_one(c, MQGMO_BROWSE_FIRST | MQGMO_MARK_BROWSE_HANDLE, 1000);
}

static kq_result browse_mark_co_op(struct ctx *c)
{
	return get_one(c, MQGMO_BROWSE_FIRST | MQGMO_MARK_BROWSE_CO_OP |
		       MQGMO_UNMARKED_BROWSE_MSG, 1000);
}

static kq_result browse_lock(struct ctx *c)
{
	return get_one(c, MQGMO_BROWSE_FIRST | MQGMO_LOCK |
		       MQGMO_COMPLETE_MSG, 1000);
}

static kq_result get_locked(struct ctx *c)
{
	return get_one(c, MQGMO_MSG_UNDER_CURSOR, 1000);
}

static kq_result get_signal(struct ctx *c)
{
	struct kmq_get get;

	kq_get_init(&get, c->buf, 1000);
	get.options = MQGMO_SET_SIGNAL;
	get.wait_interval = 100000;
	get.signal1 = c->event;
	return kq_call(c->h, KMQ_CMD_GET, &get);
}

static kq_result commit_unit(struct ctx *c)
{
	return kq_end(c->conn, true);
}

static kq_result back_out_unit(struct ctx *c)
{
	return kq_end(c->conn, false);
}

static kq_result alter_it(struct ctx *c)
{
	return kq_alter(Q, MQIA_MAX_Q_DEPTH, 999999);
}

static kq_result inquire_it(struct ctx *c)
{
	int32_t selectors[2] = { MQIA_CURRENT_Q_DEPTH, MQCA_Q_NAME }, value;
	char name[KMQ_NAME_LEN];
	struct kmq_attrs cmd = {
		.size = sizeof(cmd), .object_type = MQOT_Q,
		.selector_count = 2, .int_attr_count = 1,
		.char_attr_length = sizeof(name),
		.selectors = (uintptr_t)selectors,
		.int_attrs = (uintptr_t)&value, .char_attrs = (uintptr_t)name,
	};

	memset(cmd.name, ' ', sizeof(cmd.name));
	memcpy(cmd.name, Q, strlen(Q));
	return kq_call(c->conn, KMQ_CMD_INQUIRE, &cmd);
}

static kq_result list_them(struct ctx *c)
{
	char names[8][KMQ_NAME_LEN];
	struct kmq_list cmd = {
		.size = sizeof(cmd), .q_type = MQQT_LOCAL, .count = 8,
		.names = (uintptr_t)names,
	};

	memset(cmd.pattern, ' ', sizeof(cmd.pattern));
	cmd.pattern[0] = '*';
	memset(cmd.after, ' ', sizeof(cmd.after));
	return ioctl(c->conn, KMQ_IOC(KMQ_CMD_LIST), &cmd) ? -errno : 0;
}

static kq_result define_it(struct ctx *c)
{
	return kq_define("KS.FAIL.3");
}

/*
 * All entries of a vector. What a fault has left undone is made up for, unless it
 * is everything.
 */
static kq_result vector(int fd, unsigned int nr, void *entries, size_t size)
{
	struct kmq_vec vec = { .size = sizeof(vec), .stride = size };
	uint32_t done = 0, tries, *last;

	for (tries = 0; tries < 2 && done < VECTOR; tries++) {
		vec.count = VECTOR - done;
		vec.entries = (uintptr_t)entries + done * size;
		if (ioctl(fd, KMQ_IOC(nr), &vec)) {
			if (!done)
				return -errno;
			continue;
		}
		done += vec.out_done;
		/* size, flags, out_comp_code, out_reason */
		last = (void *)((char *)entries + (done - 1) * size);
		if (last[2] != MQCC_FAILED)
			continue;
		if (done == 1)
			return last[3];
		done--;
	}
	return done == VECTOR ? 0 : -EIO;
}

static void with_put_before(struct ctx *c)
{
	must(put_one(c, c->h, 0, 100, 0, 0), "prepare put");
}

static void with_get_before(struct ctx *c)
{
	int i;

	for (i = 0; i <= VECTOR; i++)
		with_message(c);
	must(get_one(c, 0, 1000), "prepare get");
}

static kq_result put_vector_of(struct ctx *c, uint32_t options, int length)
{
	struct kmq_put puts[VECTOR];
	int i;

	for (i = 0; i < VECTOR; i++) {
		kq_put_init(&puts[i], c->data, length);
		puts[i].options = options;
	}
	return vector(c->h, KMQ_CMD_PUTV, puts, sizeof(puts[0]));
}

static kq_result put_vector(struct ctx *c)
{
	return put_vector_of(c, 0, 100);
}

static kq_result put_vector_syncpoint(struct ctx *c)
{
	return put_vector_of(c, MQPMO_SYNCPOINT, 5000);
}

static kq_result get_vector_of(struct ctx *c, uint32_t options)
{
	struct kmq_get gets[VECTOR];
	struct kmq_md_ext ext[VECTOR];
	int i;

	for (i = 0; i < VECTOR; i++) {
		kq_get_init(&gets[i], c->buf + 1000 * i, 1000);
		gets[i].options = options;
		gets[i].ext = (uintptr_t)&ext[i];
	}
	return vector(c->h, KMQ_CMD_GETV, gets, sizeof(gets[0]));
}

static kq_result get_vector(struct ctx *c)
{
	return get_vector_of(c, 0);
}

static kq_result get_vector_syncpoint(struct ctx *c)
{
	return get_vector_of(c, MQGMO_SYNCPOINT);
}

#define SIGNAL_SET	(MQRC_SIGNAL_REQUEST_ACCEPTED | KQ_WARNING)

const struct step failnth_steps[] = {
	{ "open qmgr node", no_prepare, open_conn },
	{ "connect", with_conn, connect_it },
	{ "open queue node", no_prepare, open_node },
	{ "MQOPEN", with_node, open_it },
	{ "MQCLOSE", with_open, close_it, .never_fails = true },
	{ "put", no_prepare, put_small, 1 },
	{ "put, no data", no_prepare, put_empty, 1 },
	{ "put, big", no_prepare, put_big, 1 },
	{ "put, syncpoint", no_prepare, put_syncpoint, 1 },
	{ "put, group", no_prepare, put_group, 1 },
	{ "put, segment in syncpoint", no_prepare, put_segment, 1 },
	{ "put, expiry", no_prepare, put_expiry, 1 },
	{ "put, reply-to", no_prepare, put_reply_to, 1 },
	{ "put, set context", no_prepare, put_context, 1 },
	{ "put, reported", no_prepare, put_report, 1, .verify = one_report },
	{ "put, cut up", with_short_limit, put_cut, 3 },
	{ "put, trigger", with_trigger, put_triggering,
	  .verify = one_trigger },
	{ "put, trigger, syncpoint", with_trigger, put_triggering_later,
	  .verify = one_trigger },
	{ "put1", no_prepare, put_first, 1 },
	{ "get", with_message, get_plain, -1 },
	{ "get, big", with_big, get_big, -1 },
	{ "get, syncpoint", with_message, get_syncpoint, -1 },
	{ "get, whole", with_segments, get_whole, -SEGMENTS },
	{ "put, vector", no_prepare, put_vector, VECTOR },
	{ "put, vector of known ones", with_put_before, put_vector, VECTOR },
	{ "put, vector in syncpoint", with_put_before, put_vector_syncpoint,
	  VECTOR },
	{ "get, vector", with_get_before, get_vector, -VECTOR },
	{ "get, vector in syncpoint", with_get_before, get_vector_syncpoint,
	  -VECTOR },
	{ "browse", with_message, browse_plain },
	{ "browse, mark", with_message, browse_mark },
	{ "browse, common mark", with_message, browse_mark_co_op },
	{ "browse, lock", with_segments, browse_lock },
	{ "get what is locked", with_lock, get_locked, -1 },
	{ "signal", no_prepare, get_signal, .want = SIGNAL_SET },
	{ "commit", with_unit, commit_unit, .never_fails = true },
	{ "back-out", with_unit, back_out_unit, .never_fails = true },
	{ "define", no_prepare, define_it },
	{ "alter", no_prepare, alter_it },
	{ "inquire", no_prepare, inquire_it },
	{ "list", no_prepare, list_them },
};

const size_t failnth_step_count =
	sizeof(failnth_steps) / sizeof(failnth_steps[0]);
