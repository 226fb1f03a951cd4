/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The contract of every ioctl command, as written in <linux/kmq.h>: errno for
 * calls that could not be carried out (UC-097), sizes, reserved fields, flags,
 * descriptors. One fault per case, all else valid.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "kselftest_harness.h"
#include "mqi.h"

#define Q	"KT.ABI"

/* Where a command is tried: the four nodes, and a queue file that is bound. */
enum where { CONTROL, QMGR, ADMIN, QUEUE, BOUND, PLACES };
#define AT(w)	(1U << (w))

/* A field that must be zero, or a mask whose other bits must be. */
struct zero {
	unsigned int offset, size;
	uint64_t known;
};

struct command {
	const char *name;
	unsigned int nr;
	unsigned int size;
	unsigned int where;		/* exists there */
	unsigned int works;		/* and succeeds with the valid request */
	struct zero zero[4];
	unsigned int first_size;	/* before it grew; 0: it never did */
};

#define FLAGS(s, known)	{ offsetof(struct s, flags), 4, (known) }
#define RESERVED(s, f)	{ offsetof(struct s, f),			\
			  sizeof(((struct s *)0)->f), 0 }
#define ON_QUEUE	(AT(QUEUE) | AT(BOUND))
#define EVERYWHERE	(AT(CONTROL) | AT(QMGR) | AT(ADMIN) | ON_QUEUE)
#define CMD(c, s, ...)	#c, KMQ_CMD_##c, sizeof(struct s), __VA_ARGS__

static const struct command commands[] = {
	{ CMD(INFO, kmq_info, EVERYWHERE, EVERYWHERE),
	  { FLAGS(kmq_info, KMQ_INFO_TAKE) } },
	{ CMD(CONNECT, kmq_connect, AT(QMGR), AT(QMGR)),
	  { FLAGS(kmq_connect, 0), RESERVED(kmq_connect, reserved) },
	  offsetof(struct kmq_connect, spin) },
	{ CMD(BEGIN, kmq_uow, AT(QMGR), AT(QMGR)), { FLAGS(kmq_uow, 0) } },
	{ CMD(COMMIT, kmq_uow, AT(QMGR), AT(QMGR)), { FLAGS(kmq_uow, 0) } },
	{ CMD(BACKOUT, kmq_uow, AT(QMGR), AT(QMGR)), { FLAGS(kmq_uow, 0) } },
	{ CMD(LIST, kmq_list, AT(QMGR) | AT(ADMIN), AT(QMGR) | AT(ADMIN)),
	  { FLAGS(kmq_list, 0), RESERVED(kmq_list, reserved),
	    RESERVED(kmq_list, reserved2) },
	  .first_size = offsetof(struct kmq_list, object_type) },
	{ CMD(INQUIRE, kmq_attrs, AT(QMGR) | AT(ADMIN) | ON_QUEUE,
	      AT(QMGR) | AT(ADMIN) | AT(BOUND)), { FLAGS(kmq_attrs, 0) } },
	{ CMD(SET, kmq_attrs, ON_QUEUE, AT(BOUND)), { FLAGS(kmq_attrs, 0) } },
	{ CMD(STATUS, kmq_status, AT(QMGR) | AT(ADMIN) | ON_QUEUE,
	      AT(QMGR) | AT(ADMIN) | ON_QUEUE),
	  { FLAGS(kmq_status, 0), RESERVED(kmq_status, reserved) } },
	{ CMD(RESOLVE, kmq_resolve, AT(QMGR), AT(QMGR)),
	  { FLAGS(kmq_resolve, 0) } },
	{ CMD(HANDLES, kmq_handles, AT(QMGR) | AT(ADMIN), AT(QMGR) | AT(ADMIN)),
	  { FLAGS(kmq_handles, 0) } },
	{ CMD(CONNS, kmq_conns, AT(QMGR) | AT(ADMIN), AT(QMGR) | AT(ADMIN)),
	  { FLAGS(kmq_conns, 0) } },
	{ CMD(OPEN, kmq_open, ON_QUEUE, AT(QUEUE)),
	  { FLAGS(kmq_open, KMQ_OPEN_ALT_USER), RESERVED(kmq_open, reserved),
	    RESERVED(kmq_open, reserved2), RESERVED(kmq_open, alt_reserved) },
	  offsetof(struct kmq_open, object_name) },
	{ CMD(CLOSE, kmq_close, ON_QUEUE, AT(BOUND)),
	  { FLAGS(kmq_close, 0), RESERVED(kmq_close, reserved) } },
	{ CMD(PUT, kmq_put, ON_QUEUE, AT(BOUND)),
	  { FLAGS(kmq_put, KMQ_PUT_MDE | KMQ_PUT_MDE_BAD |
		 KMQ_PUT_WANT_DEST),
	    RESERVED(kmq_put, out_flags),
	    { offsetof(struct kmq_put, present), 4, KMQ_MD_ALL } } },
	{ CMD(PUT1, kmq_put, ON_QUEUE, ON_QUEUE),
	  { FLAGS(kmq_put, KMQ_PUT_MDE | KMQ_PUT_MDE_BAD |
		 KMQ_PUT_WANT_DEST),
	    RESERVED(kmq_put, out_flags),
	    { offsetof(struct kmq_put, present), 4, KMQ_MD_ALL } } },
	{ CMD(GET, kmq_get, ON_QUEUE, AT(BOUND)),
	  { FLAGS(kmq_get, KMQ_GET_NO_DATA_LENGTH) } },
	{ CMD(PUTV, kmq_vec, ON_QUEUE, AT(BOUND)),
	  { FLAGS(kmq_vec, 0), RESERVED(kmq_vec, out_window) } },
	{ CMD(GETV, kmq_vec, ON_QUEUE, AT(BOUND)),
	  { FLAGS(kmq_vec, KMQ_VEC_AHEAD),
	    RESERVED(kmq_vec, out_window) } },
	{ CMD(SIGNAL_STATUS, kmq_signal_status, ON_QUEUE, AT(BOUND)),
	  { FLAGS(kmq_signal_status, 0),
	    RESERVED(kmq_signal_status, reserved) } },
	{ CMD(PUT_ROOM, kmq_put_room, ON_QUEUE, AT(BOUND)),
	  { FLAGS(kmq_put_room, 0), RESERVED(kmq_put_room, reserved) } },
	{ CMD(WINDOW, kmq_window_file, ON_QUEUE, AT(BOUND)),
	  { FLAGS(kmq_window_file, 0),
	    RESERVED(kmq_window_file, reserved) } },
	{ CMD(DEFINE, kmq_define, AT(ADMIN), AT(ADMIN)),
	  { FLAGS(kmq_define, KMQ_DEFINE_REPLACE) } },
	{ CMD(ALTER, kmq_define, AT(ADMIN), AT(ADMIN)),
	  { FLAGS(kmq_define, 0) } },
	{ CMD(DELETE, kmq_delete, AT(ADMIN), AT(ADMIN)),
	  { FLAGS(kmq_delete, KMQ_DELETE_PURGE) } },
	{ CMD(CLEAR, kmq_delete, AT(ADMIN), AT(ADMIN)),
	  { FLAGS(kmq_delete, 0) } },
	{ CMD(QMGR_STATE, kmq_qmgr_state, AT(ADMIN), AT(ADMIN)),
	  { FLAGS(kmq_qmgr_state, 0) } },
	{ CMD(CONN_STATE, kmq_conn_state, AT(ADMIN), AT(ADMIN)),
	  { FLAGS(kmq_conn_state, 0), RESERVED(kmq_conn_state, reserved) } },
	{ CMD(QMGR_CREATE, kmq_qmgr_name, AT(CONTROL), AT(CONTROL)),
	  { FLAGS(kmq_qmgr_name, 0) } },
	{ CMD(QMGR_DELETE, kmq_qmgr_name, AT(CONTROL), AT(CONTROL)),
	  { FLAGS(kmq_qmgr_name, 0) } },
};

static const struct command *cmd(unsigned int nr)
{
	const struct command *c = commands;

	while (c->nr != nr)
		c++;
	return c;
}

union request {
	__u32 size;
	struct kmq_info info;
	struct kmq_connect connect;
	struct kmq_uow uow;
	struct kmq_list list;
	struct kmq_attrs attrs;
	struct kmq_status status;
	struct kmq_resolve resolve;
	struct kmq_open open;
	struct kmq_close close;
	struct kmq_put put;
	struct kmq_get get;
	struct kmq_vec vec;
	struct kmq_signal_status signal;
	struct kmq_put_room room;
	struct kmq_window_file window;
	struct kmq_define define;
	struct kmq_delete del;
	struct kmq_qmgr_state state;
	struct kmq_qmgr_name qmgr;
	struct kmq_conn_state conn_state;
	struct kmq_handles handles;
	struct kmq_conns conns;
	unsigned char bytes[1024];
};

static __s32 selector, value;
static struct kmq_put one_put;
static struct kmq_get one_get;

static void valid_put(struct kmq_put *p, int conn_fd)
{
	memset(p, 0, sizeof(*p));
	p->size = sizeof(*p);
	p->pmo_version = 1;
	p->md_version = 2;
	p->conn_fd = conn_fd;
	p->context_fd = -1;
	p->md.msg_type = MQMT_DATAGRAM;
	p->md.expiry = MQEI_UNLIMITED;
	p->md.encoding = MQENC_NATIVE;
	memset(p->md.format, ' ', 8);
	p->md.priority = MQPRI_PRIORITY_AS_Q_DEF;
	p->md.persistence = MQPER_PERSISTENCE_AS_Q_DEF;
}

static void valid_get(struct kmq_get *g)
{
	memset(g, 0, sizeof(*g));
	g->size = sizeof(*g);
	g->gmo_version = 2;
	g->md_version = 2;
}

/* A request that is right in every respect. */
static void valid(const struct command *c, enum where w, int conn_fd,
		  union request *r)
{
	bool by_name = w == QMGR || w == ADMIN;

	memset(r, 0, sizeof(*r));
	switch (c->nr) {
	case KMQ_CMD_CONN_STATE:
		r->conn_state.state = KMQ_QMGR_RUNNING;
		break;
	case KMQ_CMD_LIST:
		r->list.q_type = MQQT_ALL;
		field_set((char *)r->list.pattern, KMQ_NAME_LEN, "*");
		field_set((char *)r->list.after, KMQ_NAME_LEN, "");
		break;
	case KMQ_CMD_HANDLES:
		r->handles.stride = sizeof(struct kmq_handle_info);
		field_set((char *)r->handles.pattern, KMQ_NAME_LEN, "*");
		field_set((char *)r->handles.after, KMQ_NAME_LEN, "");
		break;
	case KMQ_CMD_CONNS:
		r->conns.stride = sizeof(struct kmq_conn_info);
		break;
	case KMQ_CMD_INQUIRE:
	case KMQ_CMD_SET:
		selector = MQIA_INHIBIT_GET;
		value = 0;
		r->attrs.object_type = MQOT_Q;
		r->attrs.selector_count = 1;
		r->attrs.int_attr_count = 1;
		r->attrs.selectors = (uintptr_t)&selector;
		r->attrs.int_attrs = (uintptr_t)&value;
		field_set((char *)r->attrs.name, KMQ_NAME_LEN,
			  by_name ? Q : "");
		break;
	case KMQ_CMD_STATUS:
		field_set((char *)r->status.name, KMQ_NAME_LEN,
			  by_name ? Q : "");
		break;
	case KMQ_CMD_RESOLVE:
		field_set((char *)r->resolve.object_name, KMQ_NAME_LEN, Q);
		break;
	case KMQ_CMD_OPEN:
		r->open.conn_fd = conn_fd;
		r->open.options = MQOO_INPUT_SHARED | MQOO_OUTPUT |
				  MQOO_INQUIRE | MQOO_SET | MQOO_BROWSE;
		field_set((char *)r->open.dynamic_name, KMQ_NAME_LEN, "");
		break;
	case KMQ_CMD_PUT:
		valid_put(&r->put, 0);
		break;
	case KMQ_CMD_PUT1:
		valid_put(&r->put, conn_fd);
		break;
	case KMQ_CMD_GET:
		valid_get(&r->get);
		break;
	case KMQ_CMD_PUTV:
	case KMQ_CMD_GETV:
		valid_put(&one_put, 0);
		valid_get(&one_get);
		r->vec.count = 1;
		r->vec.stride = c->nr == KMQ_CMD_PUTV ? sizeof(one_put) :
							sizeof(one_get);
		r->vec.entries = c->nr == KMQ_CMD_PUTV ? (uintptr_t)&one_put :
							 (uintptr_t)&one_get;
		break;
	case KMQ_CMD_DEFINE:
	case KMQ_CMD_ALTER:
		r->define.object_type = MQOT_Q;
		r->define.q_type = MQQT_LOCAL;
		field_set((char *)r->define.name, KMQ_NAME_LEN,
			  c->nr == KMQ_CMD_DEFINE ? Q ".2" : Q);
		field_set((char *)r->define.like, KMQ_NAME_LEN, "");
		break;
	case KMQ_CMD_DELETE:
	case KMQ_CMD_CLEAR:
		r->del.object_type = MQOT_Q;
		field_set((char *)r->del.name, KMQ_NAME_LEN, Q ".3");
		break;
	}
	r->size = c->size;
}

FIXTURE(abi) {
	int fd[PLACES];
};

static int open_mode(enum where w, int mode)
{
	return w == CONTROL ? open("/dev/kmq/control", mode) :
	       w == QMGR ? open("/dev/kmq/" QM "/qmgr", mode) :
	       w == ADMIN ? open("/dev/kmq/" QM "/admin", mode) :
			    open_node(Q, mode);
}

static int open_at(enum where w)
{
	return open_mode(w, O_RDWR);
}

static int bind_to(int fd, int conn_fd)
{
	union request r = { 0 };

	r.open.size = sizeof(r.open);
	r.open.conn_fd = conn_fd;
	r.open.options = MQOO_INPUT_SHARED | MQOO_OUTPUT | MQOO_INQUIRE |
			 MQOO_SET | MQOO_BROWSE | MQOO_PASS_IDENTITY_CONTEXT;
	field_set((char *)r.open.dynamic_name, KMQ_NAME_LEN, "");
	return ioctl(fd, KMQ_IOC_OPEN, &r) ? -1 : (int)r.open.out_comp_code;
}

static int connect_to(int fd)
{
	struct kmq_connect c = { .size = sizeof(c) };

	return ioctl(fd, KMQ_IOC_CONNECT, &c) ? -1 : (int)c.out_comp_code;
}

FIXTURE_SETUP(abi)
{
	int w;

	ASSERT_LE(0, admin_fd());
	ASSERT_STREQ("OK", define(Q, ""));
	define(Q ".2", "");
	define(Q ".3", "");
	for (w = 0; w < PLACES; w++) {
		self->fd[w] = open_at(w);
		ASSERT_LE(0, self->fd[w]) TH_LOG("node %d: %m", w);
	}
	ASSERT_EQ(0, connect_to(self->fd[QMGR]));
	ASSERT_EQ(0, bind_to(self->fd[BOUND], self->fd[QMGR]));
}

FIXTURE_TEARDOWN(abi)
{
	int w;

	for (w = 0; w < PLACES; w++)
		close(self->fd[w]);
	clean_up();
}

/* errno of a call, 0 if it was carried out. */
static int err(int fd, unsigned long cmd, void *arg)
{
	return ioctl(fd, cmd, arg) < 0 ? errno : 0;
}

#define EACH(c, w)							\
	for (c = commands; c < commands + ARRAY_SIZE(commands); c++)	\
		for (w = 0; w < PLACES; w++)

#define SAY	TH_LOG("%s at %d", c->name, w)

/* UC-097 */
TEST_F(abi, command_of_another_node_is_enotty)
{
	const struct command *c;
	union request r;
	int w;

	EACH(c, w) {
		if (c->where & AT(w))
			continue;
		valid(c, w, self->fd[QMGR], &r);
		EXPECT_EQ(ENOTTY, err(self->fd[w], KMQ_IOC(c->nr), &r)) SAY;
		EXPECT_EQ(ENOTTY, err(self->fd[w], KMQ_IOC(c->nr), NULL)) SAY;
	}
}

/* UC-097 */
TEST_F(abi, unknown_number_is_enotty)
{
	bool known[256] = { false };
	const struct command *c;
	union request r;
	int nr, w;

	for (c = commands; c < commands + ARRAY_SIZE(commands); c++)
		known[c->nr] = true;
	memset(&r, 0, sizeof(r));
	for (w = 0; w < PLACES; w++) {
		for (nr = 0; nr < 256; nr++)
			if (!known[nr])
				EXPECT_EQ(ENOTTY, err(self->fd[w],
						      KMQ_IOC(nr), &r))
					TH_LOG("number %#x at %d", nr, w);
		/* right number, but a size in it, or another magic */
		r.size = sizeof(r.info);
		EXPECT_EQ(ENOTTY, err(self->fd[w], _IOWR(KMQ_IOC_MAGIC, 0,
							 struct kmq_info), &r));
		EXPECT_EQ(ENOTTY, err(self->fd[w],
				      _IO(KMQ_IOC_MAGIC + 1, 0), &r));
		EXPECT_EQ(0, err(self->fd[w], KMQ_IOC_INFO, &r));
	}
}

TEST_F(abi, unreadable_structure_is_efault)
{
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct command *c;
	union request r;
	char *at;
	int w;

	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, munmap(page + 4096, 4096));
	EACH(c, w) {
		if (!(c->works & AT(w)))
			continue;
		EXPECT_EQ(EFAULT, err(self->fd[w], KMQ_IOC(c->nr), NULL)) SAY;
		EXPECT_EQ(EFAULT, err(self->fd[w], KMQ_IOC(c->nr),
				      page + 4096)) SAY;
		EXPECT_EQ(EFAULT, err(self->fd[w], KMQ_IOC(c->nr),
				      (void *)(uintptr_t)-4096)) SAY;
		/* all but the last byte */
		valid(c, w, self->fd[QMGR], &r);
		at = page + 4096 - (c->size - 1);
		memcpy(at, &r, c->size - 1);
		EXPECT_EQ(EFAULT, err(self->fd[w], KMQ_IOC(c->nr), at)) SAY;
		/* the structure, but not what its size adds */
		r.size = c->size + 8;
		at = page + 4096 - c->size;
		memcpy(at, &r, c->size);
		EXPECT_EQ(EFAULT, err(self->fd[w], KMQ_IOC(c->nr), at)) SAY;
	}
}

TEST_F(abi, size_below_the_smallest_is_einval)
{
	const struct command *c;
	union request r;
	int w;

	EACH(c, w) {
		if (!(c->works & AT(w)))
			continue;
		valid(c, w, self->fd[QMGR], &r);
		r.size = (c->first_size ?: c->size) - 1;
		EXPECT_EQ(EINVAL, err(self->fd[w], KMQ_IOC(c->nr), &r)) SAY;
		r.size = 4;
		EXPECT_EQ(EINVAL, err(self->fd[w], KMQ_IOC(c->nr), &r)) SAY;
		r.size = 0;
		EXPECT_EQ(EINVAL, err(self->fd[w], KMQ_IOC(c->nr), &r)) SAY;
	}
}

TEST_F(abi, size_from_before_it_grew_works)
{
	const struct command *c;
	union request r;
	int w;

	EACH(c, w) {
		if (!(c->works & AT(w)) || !c->first_size)
			continue;
		valid(c, w, self->fd[QMGR], &r);
		r.size = c->first_size;
		memset(r.bytes + c->first_size, 0xff, c->size - c->first_size);
		EXPECT_EQ(0, err(self->fd[w], KMQ_IOC(c->nr), &r)) SAY;
		EXPECT_EQ(0xff, r.bytes[c->first_size]) SAY;
	}
}

TEST_F(abi, longer_structure_with_something_in_it_is_e2big)
{
	const struct command *c;
	union request r;
	int w;

	EACH(c, w) {
		if (!(c->works & AT(w)))
			continue;
		valid(c, w, self->fd[QMGR], &r);
		r.size = c->size + 1;
		r.bytes[c->size] = 1;
		EXPECT_EQ(E2BIG, err(self->fd[w], KMQ_IOC(c->nr), &r)) SAY;
		r.size = c->size + 64;
		r.bytes[c->size] = 0;
		r.bytes[c->size + 63] = 0x80;
		EXPECT_EQ(E2BIG, err(self->fd[w], KMQ_IOC(c->nr), &r)) SAY;
	}
}

TEST_F(abi, longer_structure_with_zeros_works)
{
	const struct command *c;
	union request r;
	int w, conn_fd, fd;
	unsigned int i;

	EACH(c, w) {
		if (!(c->works & AT(w)))
			continue;
		/* files of its own: the call may bind or unbind them */
		conn_fd = open_at(QMGR);
		if (!(w == QMGR && c->nr == KMQ_CMD_CONNECT))
			ASSERT_EQ(0, connect_to(conn_fd));
		fd = w == QMGR ? conn_fd : open_at(w);
		if (w == BOUND)
			ASSERT_EQ(0, bind_to(fd, conn_fd));
		valid(c, w, conn_fd, &r);
		r.size = c->size + 64;
		EXPECT_EQ(0, err(fd, KMQ_IOC(c->nr), &r)) SAY;
		EXPECT_EQ(c->size + 64, r.size) SAY;
		for (i = c->size; i < sizeof(r); i++)
			if (r.bytes[i])
				break;
		EXPECT_EQ(sizeof(r), i)
			TH_LOG("%s wrote behind what it knows", c->name);
		if (fd != conn_fd)
			close(fd);
		close(conn_fd);
		if (c->nr == KMQ_CMD_DELETE)
			define(Q ".3", "");
	}
}

/* The last bytes of a page with another behind it that cannot be touched. */
static void *page_end(size_t bytes)
{
	static char *page;

	if (!page) {
		page = mmap(NULL, 2 * 4096, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		mprotect(page + 4096, 4096, PROT_NONE);
	}
	return page + 4096 - bytes;
}

/* Nobody makes the kernel look through more than a page: not even one byte */
TEST_F(abi, size_above_a_page_is_e2big)
{
	static const __u32 sizes[] = { 4097, 4104, 0xfffff000, 0xffffffff };
	__u32 *size = page_end(sizeof(__u64));
	const struct command *c;
	unsigned int i;
	int w;

	EACH(c, w) {
		if (!(c->where & AT(w)))
			continue;
		for (i = 0; i < ARRAY_SIZE(sizes); i++) {
			*size = sizes[i];
			EXPECT_EQ(E2BIG, err(self->fd[w], KMQ_IOC(c->nr),
					     size)) SAY;
		}
		/* up to there the bytes are what counts */
		*size = 4096;
		EXPECT_EQ(EFAULT, err(self->fd[w], KMQ_IOC(c->nr), size)) SAY;
	}
}

/* The same for each entry of a vector */
TEST_F(abi, size_of_an_entry_above_a_page_is_e2big)
{
	static struct {
		union {
			struct kmq_put put;
			struct kmq_get get;
		};
		__u8 rest[1024];
	} e[2];
	struct kmq_vec v;
	int nr;

	for (nr = KMQ_CMD_PUTV; nr <= KMQ_CMD_GETV; nr++) {
		memset(e, 0, sizeof(e));
		if (nr == KMQ_CMD_PUTV) {
			valid_put(&e[0].put, 0);
			valid_put(&e[1].put, 0);
		} else {
			valid_get(&e[0].get);
			valid_get(&e[1].get);
		}
		v = (struct kmq_vec){ .size = sizeof(v), .count = 2,
				      .stride = sizeof(e[0]),
				      .entries = (uintptr_t)e };
		e[1].put.size = 4097;
		EXPECT_EQ(0, err(self->fd[BOUND], KMQ_IOC(nr), &v));
		EXPECT_EQ(1, v.out_done);
		e[0].put.size = 0xfffff000;
		EXPECT_EQ(E2BIG, err(self->fd[BOUND], KMQ_IOC(nr), &v));
		e[0].put.size = 4097;
		EXPECT_EQ(E2BIG, err(self->fd[BOUND], KMQ_IOC(nr), &v));
	}
}

/* How a file must not be open; -1: it does not matter. */
static int wrong_mode(const struct command *c, enum where w)
{
	if (c->nr == KMQ_CMD_INFO)
		return -1;
	if (c->nr >= KMQ_CMD_DEFINE)
		return O_RDONLY;
	return w == QMGR || w == ADMIN || c->nr == KMQ_CMD_STATUS ?
	       O_WRONLY : -1;
}

/* What looks needs a file to read from, what changes one to write to. */
TEST_F(abi, mode_of_the_file)
{
	static const int modes[] = { O_RDONLY, O_WRONLY, O_RDWR };
	const struct command *c;
	union request r = { .size = 0 };
	unsigned int i;
	int w, fd;

	EACH(c, w) {
		if (!(c->where & AT(w)) || w == BOUND)
			continue;
		for (i = 0; i < ARRAY_SIZE(modes); i++) {
			fd = open_mode(w, modes[i]);
			ASSERT_LE(0, fd) SAY;
			/* before anything else is looked at */
			EXPECT_EQ(modes[i] == wrong_mode(c, w) ? EBADF : EINVAL,
				  err(fd, KMQ_IOC(c->nr), &r)) SAY;
			close(fd);
		}
	}
}

/* UC-097 */
TEST_F(abi, flags_and_reserved_fields_are_einval)
{
	const struct command *c;
	const struct zero *z;
	union request r;
	uint64_t bit;
	int w;

	EACH(c, w) {
		if (!(c->works & AT(w)))
			continue;
		for (z = c->zero; z < c->zero + 4 && z->size; z++)
			for (bit = 1; bit && !(z->size == 4 && bit >> 32);
			     bit <<= 1) {
				if (bit & z->known)
					continue;
				valid(c, w, self->fd[QMGR], &r);
				memcpy(r.bytes + z->offset, &bit, z->size);
				EXPECT_EQ(EINVAL, err(self->fd[w],
						      KMQ_IOC(c->nr), &r))
					TH_LOG("%s: offset %u, bit %#llx",
					       c->name, z->offset,
					       (unsigned long long)bit);
			}
	}
}

TEST_F(abi, info_says_what_there_is)
{
	static const unsigned int node[PLACES] = {
		KMQ_NODE_CONTROL, KMQ_NODE_QMGR, KMQ_NODE_ADMIN,
		KMQ_NODE_QUEUE, KMQ_NODE_QUEUE,
	};
	int w;

	for (w = 0; w < PLACES; w++) {
		struct kmq_info i = { .size = sizeof(i) };

		ASSERT_EQ(0, err(self->fd[w], KMQ_IOC_INFO, &i));
		EXPECT_EQ(sizeof(i), i.size);
		EXPECT_EQ(KMQ_ABI_VERSION, i.out_abi);
		EXPECT_EQ(node[w], i.out_node);
		EXPECT_EQ(KMQ_FEATURE_QUEUES, i.out_features &
					      KMQ_FEATURE_QUEUES);
		EXPECT_EQ(0, i.out_features >> 6);
		EXPECT_EQ(104857600, i.out_max_msg_length);
		EXPECT_LE(1000, i.out_max_queues);
		EXPECT_EQ(256, i.out_max_handles);
		EXPECT_LE(1, i.out_max_batch);
		EXPECT_EQ(w == CONTROL ? 0 : KMQ_QMGR_RUNNING,
			  i.out_qmgr_state);
		EXPECT_EQ(0, i.out_began);
		EXPECT_EQ(0, i.out_holds);
	}
}

/* EBADF: not an open file, or not of the right node. */
TEST_F(abi, descriptor_of_the_connection)
{
	int null = open("/dev/null", O_RDWR);
	int bad[] = { -1, 9999, null, self->fd[ADMIN], self->fd[CONTROL],
		      self->fd[QUEUE], self->fd[BOUND] };
	union request r;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		valid(cmd(KMQ_CMD_OPEN), QUEUE, bad[i], &r);
		EXPECT_EQ(EBADF, err(self->fd[QUEUE], KMQ_IOC_OPEN, &r))
			TH_LOG("open, case %u", i);
		valid_put(&r.put, bad[i]);
		EXPECT_EQ(EBADF, err(self->fd[QUEUE], KMQ_IOC_PUT1, &r))
			TH_LOG("put1, case %u", i);
		if (bad[i] < 0)
			continue;	/* the program gave none: 2097 */
		if (bad[i] == self->fd[BOUND])
			continue;
		valid_put(&r.put, 0);
		r.put.options = MQPMO_PASS_IDENTITY_CONTEXT;
		r.put.context_fd = bad[i];
		if (bad[i] == self->fd[QUEUE])
			continue;
		EXPECT_EQ(EBADF, err(self->fd[BOUND], KMQ_IOC_PUT, &r))
			TH_LOG("context, case %u", i);
	}
	EXPECT_EQ(0, depth(Q));
	close(null);
}

TEST_F(abi, bound_and_unbound)
{
	const struct command *c;
	union request r;

	valid(cmd(KMQ_CMD_OPEN), QUEUE, self->fd[QMGR], &r);
	EXPECT_EQ(EISCONN, err(self->fd[BOUND], KMQ_IOC_OPEN, &r));
	for (c = commands; c < commands + ARRAY_SIZE(commands); c++) {
		if (!(c->where & AT(QUEUE)) || (c->works & AT(QUEUE)))
			continue;
		valid(c, QUEUE, self->fd[QMGR], &r);
		EXPECT_EQ(ENOTCONN, err(self->fd[QUEUE], KMQ_IOC(c->nr), &r))
			TH_LOG("%s", c->name);
	}
	/* closed by CLOSE: good for close() only */
	valid(cmd(KMQ_CMD_CLOSE), BOUND, 0, &r);
	EXPECT_EQ(0, err(self->fd[BOUND], KMQ_IOC_CLOSE, &r));
	EXPECT_EQ(0, r.close.out_comp_code);
	EXPECT_EQ(ENOTCONN, err(self->fd[BOUND], KMQ_IOC_CLOSE, &r));
	valid(cmd(KMQ_CMD_GET), BOUND, 0, &r);
	EXPECT_EQ(ENOTCONN, err(self->fd[BOUND], KMQ_IOC_GET, &r));
	valid(cmd(KMQ_CMD_OPEN), BOUND, self->fd[QMGR], &r);
	EXPECT_EQ(EISCONN, err(self->fd[BOUND], KMQ_IOC_OPEN, &r));
}

/* Create or delete queue manager @name; the reason. */
static unsigned int name_qmgr(int control, unsigned int number, const char *name)
{
	union request r = { .qmgr = { .size = sizeof(r.qmgr) } };

	memcpy(r.qmgr.name, name, strlen(name));
	return err(control, number, &r) ? ~0U : r.qmgr.out_reason;
}

TEST_F(abi, other_queue_manager_is_exdev)
{
	int control = self->fd[CONTROL];
	union request r;
	int other;

	ASSERT_EQ(0, name_qmgr(control, KMQ_IOC_QMGR_CREATE, "QM2"));
	other = open("/dev/kmq/QM2/qmgr", O_RDWR);
	ASSERT_LE(0, other);
	EXPECT_EQ(0, connect_to(other));
	valid(cmd(KMQ_CMD_OPEN), QUEUE, other, &r);
	EXPECT_EQ(EXDEV, err(self->fd[QUEUE], KMQ_IOC_OPEN, &r));
	/* deleted when nobody has it open, with all its nodes */
	EXPECT_EQ(4004, name_qmgr(control, KMQ_IOC_QMGR_DELETE, "QM2"));
	close(other);
	EXPECT_EQ(4001, name_qmgr(control, KMQ_IOC_QMGR_CREATE, "QM2"));
	EXPECT_EQ(4008, name_qmgr(control, KMQ_IOC_QMGR_CREATE, "Q M"));
	EXPECT_EQ(4008, name_qmgr(control, KMQ_IOC_QMGR_CREATE, ""));
	EXPECT_EQ(0, name_qmgr(control, KMQ_IOC_QMGR_DELETE, "QM2"));
	EXPECT_EQ(2058, name_qmgr(control, KMQ_IOC_QMGR_DELETE, "QM2"));
	EXPECT_EQ(-1, access("/dev/kmq/QM2/admin", F_OK));
}

TEST_F(abi, fields_out_of_their_range_are_einval)
{
	struct kmq_info i = { .size = sizeof(i) };
	struct kmq_attr a[2] = { { .selector = MQIA_MAX_Q_DEPTH, .value = 9 } };
	union request r;
	int w = BOUND, v;

	ASSERT_EQ(0, err(self->fd[ADMIN], KMQ_IOC_INFO, &i));
	for (v = 0; v < 2; v++) {
		const struct command *c;

		c = cmd(v ? KMQ_CMD_GETV : KMQ_CMD_PUTV);

		valid(c, w, 0, &r);
		r.vec.count = 0;
		EXPECT_EQ(EINVAL, err(self->fd[w], KMQ_IOC(c->nr), &r)) SAY;
		valid(c, w, 0, &r);
		r.vec.count = i.out_max_batch + 1;
		EXPECT_EQ(EINVAL, err(self->fd[w], KMQ_IOC(c->nr), &r)) SAY;
		valid(c, w, 0, &r);
		r.vec.stride += 4;
		EXPECT_EQ(EINVAL, err(self->fd[w], KMQ_IOC(c->nr), &r)) SAY;
		valid(c, w, 0, &r);
		r.vec.entries = 0;
		EXPECT_EQ(EFAULT, err(self->fd[w], KMQ_IOC(c->nr), &r)) SAY;
	}
	valid(cmd(KMQ_CMD_QMGR_STATE), ADMIN, 0, &r);
	r.state.state = KMQ_QMGR_STOPPING + 1;
	EXPECT_EQ(EINVAL, err(self->fd[ADMIN], KMQ_IOC_QMGR_STATE, &r));

	valid(cmd(KMQ_CMD_DEFINE), ADMIN, 0, &r);
	r.define.attr_count = 257;
	r.define.attrs = (uintptr_t)a;
	EXPECT_EQ(EINVAL, err(self->fd[ADMIN], KMQ_IOC_DEFINE, &r));
	r.define.attr_count = 1;
	r.define.attrs = 0;
	EXPECT_EQ(EFAULT, err(self->fd[ADMIN], KMQ_IOC_DEFINE, &r));
	r.define.attrs = (uintptr_t)a;
	a[0].reserved = 1;
	EXPECT_EQ(EINVAL, err(self->fd[ADMIN], KMQ_IOC_DEFINE, &r));
	a[0].reserved = 0;
	a[0].selector = MQCA_Q_DESC;
	a[0].string = 0;
	a[0].length = 4;
	EXPECT_EQ(EFAULT, err(self->fd[ADMIN], KMQ_IOC_DEFINE, &r));
	a[0].string = (uintptr_t)"text";
	a[0].length = MQ_Q_DESC_LENGTH + 1;
	EXPECT_EQ(EINVAL, err(self->fd[ADMIN], KMQ_IOC_DEFINE, &r));
}

/* What is not message data and cannot be used is EFAULT; no effect. */
TEST_F(abi, memory_besides_the_data)
{
	int fd = self->fd[BOUND];
	struct kmq_md_ext ext = { .msg_seq_number = 1, .original_length = -1,
				  .msg_flags = MQMF_MSG_IN_GROUP };
	union request r;

	valid_put(&r.put, 0);
	r.put.present = KMQ_MD_GROUP;
	EXPECT_EQ(EFAULT, err(fd, KMQ_IOC_PUT, &r));
	EXPECT_EQ(0, depth(Q));
	r.put.ext = (uintptr_t)&ext;
	ASSERT_EQ(0, err(fd, KMQ_IOC_PUT, &r));
	ASSERT_EQ(0, r.put.out_comp_code);
	EXPECT_EQ(KMQ_MD_GROUP, r.put.out_present & KMQ_MD_GROUP);
	EXPECT_TRUE(id_generated(ext.group_id));
	/* the group part cannot be written: the message stays (rule 1) */
	valid_get(&r.get);
	r.get.ext = 16;
	EXPECT_EQ(EFAULT, err(fd, KMQ_IOC_GET, &r));
	EXPECT_EQ(1, depth(Q));
	valid_get(&r.get);
	ASSERT_EQ(0, err(fd, KMQ_IOC_GET, &r));
	EXPECT_EQ(0, r.get.out_comp_code);
	EXPECT_EQ(0, r.get.out_backout_count);
	EXPECT_EQ(MQMF_MSG_IN_GROUP, r.get.out_msg_flags);
	valid(cmd(KMQ_CMD_INQUIRE), BOUND, 0, &r);
	r.attrs.selectors = 16;
	EXPECT_EQ(EFAULT, err(fd, KMQ_IOC_INQUIRE, &r));
	valid(cmd(KMQ_CMD_LIST), ADMIN, 0, &r);
	r.list.count = 1;
	r.list.names = 16;
	EXPECT_EQ(EFAULT, err(self->fd[ADMIN], KMQ_IOC_LIST, &r));
}

/* The groups of an alternate user: looked at without the option, too */
TEST_F(abi, groups_of_an_alternate_user)
{
	__u32 groups[2] = { 7001, -1 };
	union request r;
	int fd = open_node(Q, O_RDWR);

	valid(cmd(KMQ_CMD_OPEN), QUEUE, self->fd[QMGR], &r);
	r.open.flags = KMQ_OPEN_ALT_USER;
	r.open.alt_group_count = 1;
	r.open.alt_groups = 16;
	EXPECT_EQ(EFAULT, err(fd, KMQ_IOC_OPEN, &r));
	r.open.alt_groups = (uintptr_t)groups;
	r.open.alt_group_count = 2;
	EXPECT_EQ(EINVAL, err(fd, KMQ_IOC_OPEN, &r));
	r.open.alt_group_count = 65537;
	EXPECT_EQ(EINVAL, err(fd, KMQ_IOC_OPEN, &r));
	r.open.alt_group_count = 1;
	r.open.alt_uid = -1;
	EXPECT_EQ(EINVAL, err(fd, KMQ_IOC_OPEN, &r));
	r.open.alt_uid = 7001;
	r.open.alt_gid = -1;
	EXPECT_EQ(EINVAL, err(fd, KMQ_IOC_OPEN, &r));
	r.open.alt_gid = 7001;
	ASSERT_EQ(0, err(fd, KMQ_IOC_OPEN, &r));
	EXPECT_EQ(0, r.open.out_reason);
	close(fd);
}

/* O-AUTH-3: reading and writing a file are what the options need. */
TEST_F(abi, rights_of_the_descriptor)
{
	static const struct {
		int mode;
		unsigned int options;
		unsigned int reason;
	} cases[] = {
		{ O_RDONLY, MQOO_INPUT_SHARED, 0 },
		{ O_RDONLY, MQOO_BROWSE | MQOO_INQUIRE, 0 },
		{ O_RDONLY, MQOO_OUTPUT, MQRC_NOT_AUTHORIZED },
		{ O_RDONLY, MQOO_BROWSE | MQOO_OUTPUT, MQRC_NOT_AUTHORIZED },
		{ O_WRONLY, MQOO_OUTPUT, 0 },
		{ O_WRONLY, MQOO_INPUT_SHARED, MQRC_NOT_AUTHORIZED },
		{ O_WRONLY, MQOO_BROWSE, MQRC_NOT_AUTHORIZED },
		{ O_WRONLY, MQOO_INQUIRE, MQRC_NOT_AUTHORIZED },
	};
	union request r;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		int fd = open_node(Q, cases[i].mode);

		valid(cmd(KMQ_CMD_OPEN), QUEUE, self->fd[QMGR], &r);
		r.open.options = cases[i].options;
		ASSERT_EQ(0, err(fd, KMQ_IOC_OPEN, &r));
		EXPECT_EQ(cases[i].reason, r.open.out_reason)
			TH_LOG("case %u", i);
		close(fd);
	}
}

TEST_HARNESS_MAIN
