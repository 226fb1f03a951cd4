/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Processes and namelists (objects.md section 7.2): administration, MQOPEN and
 * MQINQ.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "kselftest_harness.h"
#include "mqi.h"

#define BLANKS48 "                                                "
#define N(a)	((int)(sizeof(a) / sizeof((a)[0])))

static void pad(void *field, size_t size, const char *text)
{
	memset(field, ' ', size);
	memcpy(field, text, strlen(text));
}

static void set_text(struct kmq_attr *a, int selector, const char *text)
{
	*a = (struct kmq_attr){ .selector = selector,
				.string = (uintptr_t)text,
				.length = strlen(text) };
}

FIXTURE(object) {
	int admin;
	MQHCONN hc;
	struct kmq_define d;
	struct kmq_attr a[8];
};

static const char *run_define(struct kmq_define *d, int admin,
			      unsigned long cmd)
{
	static char text[40];

	if (ioctl(admin, cmd, d)) {
		snprintf(text, sizeof(text), "errno %d", errno);
		return text;
	}
	snprintf(text, sizeof(text), "%u/%d", d->out_reason, d->out_selector);
	return text;
}

static const char *del(int admin, int type, const char *name)
{
	struct kmq_delete d = { .size = sizeof(d), .object_type = type };
	static char text[40];

	pad(d.name, sizeof(d.name), name);
	if (ioctl(admin, KMQ_IOC_DELETE, &d))
		snprintf(text, sizeof(text), "errno %d", errno);
	else
		snprintf(text, sizeof(text), "%u", d.out_reason);
	return text;
}

FIXTURE_SETUP(object)
{
	self->admin = open("/dev/kmq/" QM "/admin", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->admin);
	del(self->admin, MQOT_PROCESS, "P");
	del(self->admin, MQOT_PROCESS, "P2");
	del(self->admin, MQOT_NAMELIST, "P");
	del(self->admin, MQOT_NAMELIST, "NL");
	self->hc = conn();
	self->d = (struct kmq_define){
		.size = sizeof(self->d), .object_type = MQOT_PROCESS,
		.attrs = (uintptr_t)self->a,
	};
	pad(self->d.name, KMQ_NAME_LEN, "P");
	pad(self->d.like, KMQ_NAME_LEN, "");
}

FIXTURE_TEARDOWN(object)
{
	disc(&self->hc);
	close(self->admin);
}

#define DEFINE()	run_define(&self->d, self->admin, KMQ_IOC_DEFINE)
#define ALTER()		run_define(&self->d, self->admin, KMQ_IOC_ALTER)

static MQHOBJ open_object(MQHCONN hc, MQLONG type, const char *name,
			  MQLONG options, MQLONG *rc)
{
	MQOD od = { MQOD_DEFAULT };
	MQHOBJ ho = 0;
	MQLONG cc;

	od.ObjectType = type;
	pad(od.ObjectName, sizeof(od.ObjectName), name);
	MQOPEN(hc, &od, options, &ho, &cc, rc);
	return ho;
}

/* All attributes of a process through MQINQ, in the order of section 7.2. */
struct process {
	MQLONG cc, rc;
	MQLONG appl_type;
	char text[48 + 64 + 256 + 128 + 128 + 12 + 8];
};

static struct process inquire_process(MQHCONN hc, MQHOBJ ho)
{
	static MQLONG sel[] = {
		MQCA_PROCESS_NAME, MQCA_PROCESS_DESC, MQIA_APPL_TYPE,
		MQCA_APPL_ID, MQCA_ENV_DATA, MQCA_USER_DATA,
		MQCA_ALTERATION_DATE, MQCA_ALTERATION_TIME,
	};
	struct process p = { .appl_type = -7 };

	MQINQ(hc, ho, N(sel), sel, 1, &p.appl_type, sizeof(p.text), p.text,
	      &p.cc, &p.rc);
	return p;
}

/* Section 7.2: defaults, all attributes, and ALTER of some of them. */
TEST_F(object, attributes_of_a_process)
{
	char expect[48 + 64 + 256 + 128 + 128];
	struct process p;
	MQLONG rc;
	MQHOBJ ho;

	ASSERT_STREQ("0/0", DEFINE());
	ho = open_object(self->hc, MQOT_PROCESS, "P", MQOO_INQUIRE, &rc);
	ASSERT_EQ(MQRC_NONE, rc);
	p = inquire_process(self->hc, ho);
	EXPECT_EQ(MQCC_OK, p.cc);
	EXPECT_EQ(MQAT_UNIX, p.appl_type);
	pad(expect, sizeof(expect), "P");
	EXPECT_EQ(0, memcmp(expect, p.text, sizeof(expect)));
	EXPECT_EQ('-', p.text[sizeof(expect) + 4]);
	EXPECT_EQ('.', p.text[sizeof(expect) + 12 + 2]);

	set_text(&self->a[0], MQCA_PROCESS_DESC, "What it does");
	set_text(&self->a[1], MQCA_APPL_ID, "/bin/true");
	set_text(&self->a[2], MQCA_ENV_DATA, "ENV");
	set_text(&self->a[3], MQCA_USER_DATA, "USER");
	self->a[4] = (struct kmq_attr){ .selector = MQIA_APPL_TYPE,
					.value = 65536 };
	self->d.attr_count = 5;
	ASSERT_STREQ("0/0", ALTER());
	p = inquire_process(self->hc, ho);
	EXPECT_EQ(65536, p.appl_type);
	pad(expect + 48, 64, "What it does");
	pad(expect + 112, 256, "/bin/true");
	pad(expect + 368, 128, "ENV");
	pad(expect + 496, 128, "USER");
	EXPECT_EQ(0, memcmp(expect, p.text, sizeof(expect)));

	/* One attribute, the others stay. */
	set_text(&self->a[0], MQCA_USER_DATA, "OTHER");
	self->d.attr_count = 1;
	ASSERT_STREQ("0/0", ALTER());
	pad(expect + 496, 128, "OTHER");
	p = inquire_process(self->hc, ho);
	EXPECT_EQ(0, memcmp(expect, p.text, sizeof(expect)));

	/* LIKE takes them over, REPLACE goes back to the defaults. */
	pad(self->d.name, KMQ_NAME_LEN, "P2");
	pad(self->d.like, KMQ_NAME_LEN, "P");
	self->d.attr_count = 0;
	ASSERT_STREQ("0/0", DEFINE());
	ho = open_object(self->hc, MQOT_PROCESS, "P2", MQOO_INQUIRE, &rc);
	p = inquire_process(self->hc, ho);
	pad(expect, 48, "P2");
	EXPECT_EQ(0, memcmp(expect, p.text, sizeof(expect)));
	EXPECT_EQ(65536, p.appl_type);
	pad(self->d.like, KMQ_NAME_LEN, "");
	self->d.flags = KMQ_DEFINE_REPLACE;
	ASSERT_STREQ("0/0", DEFINE());
	p = inquire_process(self->hc, ho);
	pad(expect, sizeof(expect), "P2");
	EXPECT_EQ(0, memcmp(expect, p.text, sizeof(expect)));
	EXPECT_EQ(MQAT_UNIX, p.appl_type);
}

/* A long text as it is; one that is too long is refused. */
TEST_F(object, lengths_of_texts)
{
	char appl[257];
	struct process p;
	MQLONG rc;
	MQHOBJ ho;

	memset(appl, 'a', sizeof(appl) - 1);
	appl[256] = '\0';
	set_text(&self->a[0], MQCA_APPL_ID, appl);
	self->d.attr_count = 1;
	ASSERT_STREQ("0/0", DEFINE());
	ho = open_object(self->hc, MQOT_PROCESS, "P", MQOO_INQUIRE, &rc);
	p = inquire_process(self->hc, ho);
	EXPECT_EQ(0, memcmp(appl, p.text + 112, 256));
	EXPECT_EQ(' ', p.text[368]);
	self->a[0].length = 257;
	EXPECT_STREQ("errno 22", ALTER());
}

/* A definition with a fault changes nothing and names the selector. */
TEST_F(object, faults_of_a_definition)
{
	ASSERT_STREQ("0/0", DEFINE());
	EXPECT_STREQ("4001/0", DEFINE());
	set_text(&self->a[0], MQCA_APPL_ID, "x");
	self->a[1] = (struct kmq_attr){ .selector = MQIA_APPL_TYPE,
					.value = -1 };
	self->d.attr_count = 2;
	EXPECT_STREQ("4005/1", ALTER());
	self->a[1].selector = MQIA_MAX_Q_DEPTH;
	EXPECT_STREQ("3014/15", ALTER());
	set_text(&self->a[1], MQCA_Q_DESC, "no");
	EXPECT_STREQ("3015/2013", ALTER());
	set_text(&self->a[1], MQCA_PROCESS_NAME, "no");
	EXPECT_STREQ("3015/2012", ALTER());
	set_text(&self->a[1], MQCA_NAMES, BLANKS48);
	EXPECT_STREQ("3015/2020", ALTER());
	self->d.attr_count = 0;
	pad(self->d.like, KMQ_NAME_LEN, "NONE");
	pad(self->d.name, KMQ_NAME_LEN, "P2");
	EXPECT_STREQ("2085/0", DEFINE());
	EXPECT_STREQ("2085/0", ALTER());
	pad(self->d.like, KMQ_NAME_LEN, "");
	pad(self->d.name, KMQ_NAME_LEN, "P 2");
	EXPECT_STREQ("4008/0", DEFINE());
	self->d.q_type = MQQT_LOCAL;
	EXPECT_STREQ("errno 22", DEFINE());
	EXPECT_STREQ("2085", del(self->admin, MQOT_PROCESS, "P2"));
	EXPECT_STREQ("0", del(self->admin, MQOT_PROCESS, "P"));
	EXPECT_STREQ("2085", del(self->admin, MQOT_PROCESS, "P"));
}

/* O-NAME-3: queues, processes and namelists do not meet. */
TEST_F(object, name_spaces_of_their_own)
{
	MQLONG rc;

	EXPECT_STREQ("OK", define("P", ""));
	EXPECT_STREQ("0/0", DEFINE());
	open_object(self->hc, MQOT_NAMELIST, "P", MQOO_INQUIRE, &rc);
	EXPECT_EQ(MQRC_UNKNOWN_OBJECT_NAME, rc);
	self->d.object_type = MQOT_NAMELIST;
	EXPECT_STREQ("0/0", DEFINE());
	open_object(self->hc, MQOT_NAMELIST, "P", MQOO_INQUIRE, &rc);
	EXPECT_EQ(MQRC_NONE, rc);
	EXPECT_STREQ("OK", delete_q("P", 0));
	EXPECT_STREQ("0", del(self->admin, MQOT_NAMELIST, "P"));
	open_object(self->hc, MQOT_PROCESS, "P", MQOO_INQUIRE, &rc);
	EXPECT_EQ(MQRC_NONE, rc);
}

/* 3.1, O-OPEN-1, O-OPEN-2, O-OPEN-13: one error at a time, and their order. */
TEST_F(object, errors_of_mqopen)
{
	static const MQLONG other[] = {
		MQOO_INPUT_SHARED, MQOO_BROWSE, MQOO_OUTPUT, MQOO_SET,
		MQOO_INQUIRE | MQOO_SET, MQOO_INQUIRE | MQOO_BIND_ON_OPEN,
		MQOO_INQUIRE | MQOO_RESOLVE_LOCAL_Q,
	};
	static const MQLONG types[] = { MQOT_PROCESS, MQOT_NAMELIST };
	MQOD od = { MQOD_DEFAULT };
	MQLONG cc, rc;
	MQHOBJ ho;
	int i, t;

	ASSERT_STREQ("0/0", DEFINE());
	self->d.object_type = MQOT_NAMELIST;
	ASSERT_STREQ("0/0", DEFINE());
	for (t = 0; t < 2; t++) {
		for (i = 0; i < N(other); i++) {
			ho = open_object(self->hc, types[t], "P", other[i],
					 &rc);
			EXPECT_EQ(MQRC_OPTION_NOT_VALID_FOR_TYPE, rc);
			EXPECT_EQ(MQHO_UNUSABLE_HOBJ, ho);
		}
		open_object(self->hc, types[t], "P",
			    MQOO_FAIL_IF_QUIESCING | MQOO_INQUIRE |
			    MQOO_ALTERNATE_USER_AUTHORITY, &rc);
		EXPECT_EQ(MQRC_NONE, rc);
		open_object(self->hc, types[t], "P", MQOO_FAIL_IF_QUIESCING,
			    &rc);
		EXPECT_EQ(MQRC_OPTIONS_ERROR, rc);
		open_object(self->hc, types[t], "NONE", MQOO_OUTPUT, &rc);
		EXPECT_EQ(MQRC_UNKNOWN_OBJECT_NAME, rc);
		open_object(self->hc, types[t], "", MQOO_INQUIRE, &rc);
		EXPECT_EQ(MQRC_UNKNOWN_OBJECT_NAME, rc);
		open_object(self->hc, types[t], "A-B", MQOO_INQUIRE, &rc);
		EXPECT_EQ(MQRC_UNKNOWN_OBJECT_NAME, rc);
		od.ObjectType = types[t];
		strcpy(od.ObjectName, "P");
		strcpy(od.ObjectQMgrName, "ELSEWHERE");
		MQOPEN(self->hc, &od, MQOO_INQUIRE, &ho, &cc, &rc);
		EXPECT_EQ(MQRC_UNKNOWN_OBJECT_Q_MGR, rc);
		strcpy(od.ObjectQMgrName, QM);
		MQOPEN(self->hc, &od, MQOO_INQUIRE, &ho, &cc, &rc);
		EXPECT_EQ(MQRC_NONE, rc);
		MQCLOSE(self->hc, &ho, MQCO_DELETE, &cc, &rc);
		EXPECT_EQ(MQRC_OPTION_NOT_VALID_FOR_TYPE, rc);
		MQCLOSE(self->hc, &ho, MQCO_NONE, &cc, &rc);
		EXPECT_EQ(MQRC_NONE, rc);
		EXPECT_EQ(MQHO_UNUSABLE_HOBJ, ho);
	}
	od.ObjectType = 4;
	MQOPEN(self->hc, &od, MQOO_INQUIRE, &ho, &cc, &rc);
	EXPECT_EQ(MQRC_OBJECT_TYPE_ERROR, rc);
}

/* O-INQ-2, O-INQ-4, O-INQ-8, O-SET: errors of MQINQ and MQSET. */
TEST_F(object, errors_of_mqinq)
{
	MQLONG cc, rc, i, sel = MQIA_APPL_TYPE;
	MQHOBJ ho;

	ASSERT_STREQ("0/0", DEFINE());
	ho = open_object(self->hc, MQOT_PROCESS, "P", MQOO_INQUIRE, &rc);
	MQINQ(self->hc, ho, -1, &sel, 1, &i, 0, NULL, &cc, &rc);
	EXPECT_EQ(MQRC_SELECTOR_COUNT_ERROR, rc);
	MQINQ(self->hc, ho, 257, &sel, 1, &i, 0, NULL, &cc, &rc);
	EXPECT_EQ(MQRC_SELECTOR_LIMIT_EXCEEDED, rc);
	MQINQ(self->hc, ho, 1, &sel, 0, NULL, 0, NULL, &cc, &rc);
	EXPECT_EQ(MQRC_INT_ATTR_COUNT_TOO_SMALL, rc);
	EXPECT_EQ(MQCC_WARNING, cc);
	sel = MQIA_Q_TYPE;
	MQINQ(self->hc, ho, 1, &sel, 1, &i, 0, NULL, &cc, &rc);
	EXPECT_EQ(MQRC_SELECTOR_ERROR, rc);
	EXPECT_EQ(MQCC_FAILED, cc);
	sel = MQIA_NAME_COUNT;
	MQINQ(self->hc, ho, 1, &sel, 1, &i, 0, NULL, &cc, &rc);
	EXPECT_EQ(MQRC_SELECTOR_ERROR, rc);
	sel = MQIA_APPL_TYPE;
	MQSET(self->hc, ho, 1, &sel, 1, &i, 0, NULL, &cc, &rc);
	EXPECT_EQ(MQRC_NOT_OPEN_FOR_SET, rc);
	EXPECT_STREQ("0", del(self->admin, MQOT_PROCESS, "P"));
	MQINQ(self->hc, ho, 1, &sel, 1, &i, 0, NULL, &cc, &rc);
	EXPECT_EQ(MQRC_OBJECT_CHANGED, rc);
	MQCLOSE(self->hc, &ho, MQCO_NONE, &cc, &rc);
	EXPECT_EQ(MQRC_NONE, rc);
}

/* Section 7.2: NAME_COUNT and NAMES, 0 to 256 of them. */
TEST_F(object, names_of_a_namelist)
{
	static MQLONG sel[] = { MQCA_NAMES, MQIA_NAME_COUNT,
				MQCA_NAMELIST_NAME, MQCA_NAMELIST_DESC };
	static char names[257][KMQ_NAME_LEN], text[257 * KMQ_NAME_LEN + 112];
	MQLONG cc, rc, count, i;
	char name[16];
	MQHOBJ ho;

	self->d.object_type = MQOT_NAMELIST;
	pad(self->d.name, KMQ_NAME_LEN, "NL");
	ASSERT_STREQ("0/0", DEFINE());
	ho = open_object(self->hc, MQOT_NAMELIST, "NL", MQOO_INQUIRE, &rc);
	ASSERT_EQ(MQRC_NONE, rc);
	MQINQ(self->hc, ho, 3, sel, 1, &count, 48, text, &cc, &rc);
	EXPECT_EQ(MQRC_NONE, rc);
	EXPECT_EQ(0, count);
	EXPECT_EQ(0, memcmp(text, "NL   ", 5));

	for (i = 0; i < 257; i++) {
		sprintf(name, "QUEUE.%d", i);
		pad(names[i], KMQ_NAME_LEN, name);
	}
	self->a[0] = (struct kmq_attr){ .selector = MQCA_NAMES,
					.string = (uintptr_t)names,
					.length = 256 * KMQ_NAME_LEN };
	set_text(&self->a[1], MQCA_NAMELIST_DESC, "LIST");
	self->d.attr_count = 2;
	ASSERT_STREQ("0/0", ALTER());
	MQINQ(self->hc, ho, 4, sel, 1, &count, sizeof(text), text, &cc, &rc);
	EXPECT_EQ(MQRC_NONE, rc);
	EXPECT_EQ(256, count);
	EXPECT_EQ(0, memcmp(text, names, 256 * KMQ_NAME_LEN));
	EXPECT_EQ(0, memcmp(text + 256 * KMQ_NAME_LEN, "NL  ", 4));
	EXPECT_EQ(0, memcmp(text + 257 * KMQ_NAME_LEN, "LIST  ", 6));

	self->a[0].length = 257 * KMQ_NAME_LEN;
	EXPECT_STREQ("errno 22", ALTER());
	self->a[0].length = 47;
	EXPECT_STREQ("errno 22", ALTER());
	pad(names[1], KMQ_NAME_LEN, "");
	self->a[0].length = 2 * KMQ_NAME_LEN;
	EXPECT_STREQ("4005/2020", ALTER());
	pad(names[1], KMQ_NAME_LEN, "A B");
	EXPECT_STREQ("4005/2020", ALTER());

	/* Altering something else keeps them; the last given ones win. */
	self->d.attr_count = 1;
	set_text(&self->a[0], MQCA_NAMELIST_DESC, "X");
	EXPECT_STREQ("0/0", ALTER());
	MQINQ(self->hc, ho, 2, sel, 1, &count, sizeof(text), text, &cc, &rc);
	EXPECT_EQ(256, count);
	set_text(&self->a[1], MQCA_NAMES, "ONE" BLANKS48);
	self->a[1].length = 48;
	self->a[0] = (struct kmq_attr){ .selector = MQCA_NAMES };
	self->d.attr_count = 2;
	EXPECT_STREQ("0/0", ALTER());
	MQINQ(self->hc, ho, 2, sel, 1, &count, 48, text, &cc, &rc);
	EXPECT_EQ(1, count);
	EXPECT_EQ(0, memcmp(text, "ONE  ", 5));
	self->d.attr_count = 1;
	EXPECT_STREQ("0/0", ALTER());
	MQINQ(self->hc, ho, 2, sel, 1, &count, 48, text, &cc, &rc);
	EXPECT_EQ(0, count);
}

/* O-INQ-5: all the names or none, and nothing that follows. */
TEST_F(object, room_for_some_of_the_names)
{
	static MQLONG sel[] = { MQCA_NAMES, MQCA_NAMELIST_DESC };
	static char names[3][KMQ_NAME_LEN], text[400];
	MQLONG cc, rc;
	MQHOBJ ho;
	int i;

	for (i = 0; i < 3; i++)
		pad(names[i], KMQ_NAME_LEN, "Q");
	self->d.object_type = MQOT_NAMELIST;
	pad(self->d.name, KMQ_NAME_LEN, "NL");
	self->a[0] = (struct kmq_attr){ .selector = MQCA_NAMES,
					.string = (uintptr_t)names,
					.length = sizeof(names) };
	self->d.attr_count = 1;
	ASSERT_STREQ("0/0", DEFINE());
	ho = open_object(self->hc, MQOT_NAMELIST, "NL", MQOO_INQUIRE, &rc);
	memset(text, 'x', sizeof(text));
	MQINQ(self->hc, ho, 2, sel, 0, NULL, 143, text, &cc, &rc);
	EXPECT_EQ(MQCC_WARNING, cc);
	EXPECT_EQ(MQRC_CHAR_ATTRS_TOO_SHORT, rc);
	EXPECT_EQ('x', text[0]);
	EXPECT_EQ('x', text[142]);
	MQINQ(self->hc, ho, 2, sel, 0, NULL, 144, text, &cc, &rc);
	EXPECT_EQ(MQRC_CHAR_ATTRS_TOO_SHORT, rc);
	EXPECT_EQ(0, memcmp(text, names, sizeof(names)));
	EXPECT_EQ('x', text[144]);
	MQINQ(self->hc, ho, 2, sel, 0, NULL, 144 + 64, text, &cc, &rc);
	EXPECT_EQ(MQRC_NONE, rc);
	EXPECT_EQ(' ', text[144 + 63]);
}

static int list(int fd, int type, const char *pattern, const char *after,
		char names[][KMQ_NAME_LEN], int room)
{
	struct kmq_list l = {
		.size = sizeof(l), .q_type = MQQT_ALL, .count = room,
		.names = (uintptr_t)names, .object_type = type,
	};

	pad(l.pattern, sizeof(l.pattern), pattern);
	pad(l.after, sizeof(l.after), after);
	return ioctl(fd, KMQ_IOC_LIST, &l) ? -errno : (int)l.out_count;
}

TEST_F(object, lists)
{
	char names[4][KMQ_NAME_LEN];

	ASSERT_STREQ("0/0", DEFINE());
	pad(self->d.name, KMQ_NAME_LEN, "P2");
	ASSERT_STREQ("0/0", DEFINE());
	self->d.object_type = MQOT_NAMELIST;
	pad(self->d.name, KMQ_NAME_LEN, "NL");
	ASSERT_STREQ("0/0", DEFINE());
	memset(names, 'x', sizeof(names));
	EXPECT_EQ(2, list(self->admin, MQOT_PROCESS, "*", "", names, 4));
	EXPECT_EQ(0, memcmp(names[0], "P ", 2));
	EXPECT_EQ(0, memcmp(names[1], "P2 ", 3));
	EXPECT_EQ('x', names[2][0]);
	EXPECT_EQ(1, list(self->admin, MQOT_PROCESS, "*", "P", names, 4));
	EXPECT_EQ(0, memcmp(names[0], "P2 ", 3));
	EXPECT_EQ(1, list(self->admin, MQOT_PROCESS, "P", "", names, 4));
	EXPECT_EQ(2, list(self->admin, MQOT_PROCESS, "P*", "", names, 1));
	EXPECT_EQ(1, list(self->admin, MQOT_NAMELIST, "*", "", names, 4));
	EXPECT_EQ(0, memcmp(names[0], "NL ", 3));
	EXPECT_EQ(0, list(self->admin, MQOT_NAMELIST, "*", "NL", names, 4));
	EXPECT_EQ(-EINVAL, list(self->admin, MQOT_Q_MGR, "*", "", names, 4));
}

TEST_HARNESS_MAIN
