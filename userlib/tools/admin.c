/* SPDX-License-Identifier: MIT */
/*
 * One function per administrative command of the kernel, and the way from
 * names to nodes.
 */
#include "admin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/name.h"
#include "cmqc.h"
#include "hint.h"
#include "tool.h"

#define LIST_ATTEMPTS 10

static void copy_field(char *text, const void *field, size_t size)
{
	size_t length = kmq_name_length(field, size);

	memcpy(text, field, length);
	text[length] = '\0';
}

static void fill_field(__u8 *field, const char *text, size_t size)
{
	size_t length = strnlen(text, size);

	memcpy(field, text, length);
	memset(field + length, ' ', size - length);
}

void admin_name_from_field(char *name, const void *field)
{
	copy_field(name, field, KMQ_NAME_LEN);
}

void admin_name_to_field(void *field, const char *name)
{
	fill_field(field, name, KMQ_NAME_LEN);
}

/* All command structures that carry a result begin like this. */
struct result_head {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
};

static int admin_call(const struct admin *admin, unsigned long command,
		      void *arg)
{
	const struct result_head *head = arg;
	int done;

	do {
		done = ioctl(admin->fd, command, arg);
	} while (done < 0 && errno == EINTR);
	if (done < 0)
		return -errno;
	return head->out_comp_code == MQCC_FAILED ? (int)head->out_reason : 0;
}

static bool not_permitted(void)
{
	return errno == EACCES || errno == EPERM || errno == EROFS;
}

/*
 * Whoever may not administer may still look: at everything if he may read the
 * admin node, else at what the qmgr node tells.
 */
int admin_open(struct admin *admin, const char *qmgr)
{
	char field[KMQ_NAME_LEN];
	char path[KMQ_PATH_MAX];

	admin->fd = -1;
	if (*qmgr)
		fill_field((__u8 *)field, qmgr, sizeof(field));
	else if (!kmq_name_default_qmgr(field))
		return MQRC_Q_MGR_NAME_ERROR;
	copy_field(admin->qmgr, field, sizeof(field));

	if (!kmq_path_qmgr(path, field, "admin"))
		return MQRC_Q_MGR_NAME_ERROR;
	admin->fd = open(path, O_RDWR | O_CLOEXEC);
	admin->may_change = admin->fd >= 0;
	if (admin->fd < 0 && not_permitted())
		admin->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (admin->fd < 0 && not_permitted() &&
	    kmq_path_qmgr(path, field, "qmgr"))
		admin->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (admin->fd >= 0)
		return 0;
	return errno == ENOENT ? MQRC_Q_MGR_NAME_ERROR : -errno;
}

void admin_close(struct admin *admin)
{
	if (admin->fd >= 0)
		close(admin->fd);
	admin->fd = -1;
}

const char *admin_result_text(int result)
{
	if (result == -EACCES || result == -EPERM || result == -ENOTTY ||
	    result == -EBADF)
		return "not permitted";
	return result < 0 ? strerror(-result) : tool_reason(result);
}

void admin_open_error(const char *qmgr, int result)
{
	if (*qmgr)
		tool_error("queue manager %s: %s", qmgr,
			   admin_result_text(result));
	else
		tool_error("default queue manager: %s",
			   admin_result_text(result));
	hint_after_qmgr(result, qmgr);
}

void admin_names_free(struct admin_names *names)
{
	free(names->name);
	names->name = NULL;
	names->count = 0;
}

static int names_from_fields(struct admin_names *names, const char *fields,
			     size_t count)
{
	size_t i;

	names->name = calloc(count ? count : 1, sizeof(*names->name));
	if (!names->name)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		copy_field(names->name[i], fields + i * KMQ_NAME_LEN,
			   KMQ_NAME_LEN);
	names->count = count;
	return 0;
}

/*
 * One call asks how many there are, the next one takes them; queues may be
 * defined meanwhile.
 */
static int list_names(const struct admin *admin, const char *pattern,
		      int object_type, int q_type, struct admin_names *names)
{
	struct kmq_list list;
	char *fields = NULL;
	__u32 room = 64;
	int attempt;
	int result;

	memset(names, 0, sizeof(*names));
	for (attempt = 0; attempt < LIST_ATTEMPTS; attempt++) {
		free(fields);
		fields = calloc(room, KMQ_NAME_LEN);
		if (!fields)
			return -ENOMEM;
		memset(&list, 0, sizeof(list));
		list.size = sizeof(list);
		list.q_type = q_type;
		list.object_type = object_type;
		list.count = room;
		list.names = (uintptr_t)fields;
		fill_field(list.pattern, pattern, sizeof(list.pattern));
		fill_field(list.after, "", sizeof(list.after));
		do {
			result = ioctl(admin->fd, KMQ_IOC_LIST, &list);
		} while (result < 0 && errno == EINTR);
		if (result < 0) {
			result = -errno;
			free(fields);
			return result;
		}
		if (list.out_count <= room)
			break;
		room = list.out_count + list.out_count / 8;
	}
	if (room > list.out_count)
		room = list.out_count;
	result = names_from_fields(names, fields, room);
	free(fields);
	return result;
}

int admin_list(const struct admin *admin, const char *pattern, int q_type,
	       struct admin_names *names)
{
	return list_names(admin, pattern, MQOT_Q, q_type, names);
}

int admin_list_objects(const struct admin *admin, const char *pattern,
		       int object_type, struct admin_names *names)
{
	return list_names(admin, pattern, object_type, MQQT_ALL, names);
}

/* Arrays of one MQINQ-like call. */
struct inquiry {
	__s32 selectors[256];
	__s32 ints[256];
	char *chars;
	int selector_count;
	int int_count;
	int char_length;
};

/* Is it asked for in another way? */
static bool is_apart(const struct attr *attr)
{
	return attr_is_node(attr) || attr->kind == ATTR_NAMES;
}

static void inquiry_collect(struct inquiry *inquiry,
			    const struct admin_attr *attrs, size_t count)
{
	size_t i;

	inquiry->selector_count = 0;
	inquiry->int_count = 0;
	inquiry->char_length = 0;
	for (i = 0; i < count; i++) {
		const struct attr *attr = attrs[i].attr;

		if (is_apart(attr))
			continue;
		inquiry->selectors[inquiry->selector_count++] = attr->selector;
		if (attr_is_text(attr))
			inquiry->char_length += attr->length;
		else
			inquiry->int_count++;
	}
}

static int inquiry_run(const struct admin *admin, int object_type,
		       const char *name, struct inquiry *inquiry, bool *partly)
{
	struct kmq_attrs call = {
		.size = sizeof(call),
		.object_type = object_type,
		.selector_count = inquiry->selector_count,
		.int_attr_count = inquiry->int_count,
		.char_attr_length = inquiry->char_length,
		.selectors = (uintptr_t)inquiry->selectors,
		.int_attrs = (uintptr_t)inquiry->ints,
		.char_attrs = (uintptr_t)inquiry->chars,
	};
	int result;

	fill_field(call.name, name ? name : "", sizeof(call.name));
	result = admin_call(admin, KMQ_IOC_INQUIRE, &call);
	*partly = call.out_reason == MQRC_SELECTOR_NOT_FOR_TYPE;
	return result;
}

static bool is_asterisks(const char *text, size_t length)
{
	while (length && text[length - 1] == '*')
		length--;
	return !length;
}

/* Hand the values out; a value that does not apply is -1 or asterisks. */
static void inquiry_spread(const struct inquiry *inquiry, bool partly,
			   struct admin_attr *attrs, size_t count)
{
	const char *text = inquiry->chars;
	const __s32 *number = inquiry->ints;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct attr *attr = attrs[i].attr;

		if (is_apart(attr))
			continue;
		attrs[i].applies = true;
		if (attr_is_text(attr)) {
			copy_field(attrs[i].value.text, text, attr->length);
			if (partly && is_asterisks(text, attr->length))
				attrs[i].applies = false;
			text += attr->length;
		} else {
			attrs[i].value.number = *number;
			if (partly && *number == MQIAV_NOT_APPLICABLE)
				attrs[i].applies = false;
			number++;
		}
	}
}

static int inquire_some(const struct admin *admin, int object_type,
			const char *name, struct admin_attr *attrs,
			size_t count)
{
	struct inquiry inquiry;
	bool partly;
	int result;

	inquiry_collect(&inquiry, attrs, count);
	if (!inquiry.selector_count)
		return 0;
	inquiry.chars = calloc(1, inquiry.char_length + 1);
	if (!inquiry.chars)
		return -ENOMEM;
	result = inquiry_run(admin, object_type, name, &inquiry, &partly);
	if (!result)
		inquiry_spread(&inquiry, partly, attrs, count);
	free(inquiry.chars);
	return result;
}

/* Owner and mode are asked of the node itself: it decides who may open. */
static void inquire_node(const struct admin *admin, const char *name,
			 struct admin_attr *attr)
{
	char qmgr[KMQ_NAME_LEN], queue[KMQ_NAME_LEN];
	char path[KMQ_PATH_MAX];
	struct stat node;

	fill_field((__u8 *)qmgr, admin->qmgr, sizeof(qmgr));
	fill_field((__u8 *)queue, name, sizeof(queue));
	attr->applies = kmq_path_queue(path, qmgr, queue) && !stat(path, &node);
	if (!attr->applies)
		return;
	switch (attr->attr->selector) {
	case KMQ_ATTR_UID:
		attr->value.number = node.st_uid;
		break;
	case KMQ_ATTR_GID:
		attr->value.number = node.st_gid;
		break;
	default:
		attr->value.number = node.st_mode & 0777;
	}
}

/* With room for as many names as there may be. */
static int inquire_names(const struct admin *admin, const char *name,
			 struct admin_attr *attr)
{
	char *names = calloc(ATTR_NAMES_MAX, ATTR_NAME_LEN);
	__s32 selectors[] = { MQIA_NAME_COUNT, MQCA_NAMES };
	__s32 count = 0;
	struct kmq_attrs call = {
		.size = sizeof(call),
		.object_type = MQOT_NAMELIST,
		.selector_count = 2,
		.int_attr_count = 1,
		.char_attr_length = ATTR_NAMES_MAX * ATTR_NAME_LEN,
		.selectors = (uintptr_t)selectors,
		.int_attrs = (uintptr_t)&count,
		.char_attrs = (uintptr_t)names,
	};
	int result;

	if (!names)
		return -ENOMEM;
	fill_field(call.name, name, sizeof(call.name));
	result = admin_call(admin, KMQ_IOC_INQUIRE, &call);
	attr->applies = !result;
	attr->value.number = count;
	attr->value.names = names;
	return result;
}

void admin_attrs_free(struct admin_attr *attrs, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		free((char *)attrs[i].value.names);
		attrs[i].value.names = NULL;
	}
}

/* What is not asked for by selectors together with the others. */
static int inquire_apart(const struct admin *admin, const char *name,
			 struct admin_attr *attr)
{
	if (attr_is_node(attr->attr))
		inquire_node(admin, name, attr);
	else if (attr->attr->kind == ATTR_NAMES)
		return inquire_names(admin, name, attr);
	return 0;
}

int admin_inquire(const struct admin *admin, const char *name,
		  struct admin_attr *attrs, size_t count)
{
	return admin_inquire_object(admin, MQOT_Q, name, attrs, count);
}

/*
 * All in one call if the kernel knows every attribute. If it does not, one by
 * one: what it does not know then does not apply.
 */
int admin_inquire_object(const struct admin *admin, int object_type,
			 const char *name, struct admin_attr *attrs,
			 size_t count)
{
	size_t i;
	int result = inquire_some(admin, object_type, name, attrs, count);

	for (i = 0; i < count && result == MQRC_SELECTOR_ERROR; i++) {
		int single = inquire_some(admin, object_type, name, &attrs[i],
					  1);

		if (single && single != MQRC_SELECTOR_ERROR)
			return single;
		if (single)
			attrs[i].applies = false;
	}
	if (result && result != MQRC_SELECTOR_ERROR)
		return result;
	result = 0;
	for (i = 0; i < count && !result; i++)
		if (name)
			result = inquire_apart(admin, name, &attrs[i]);
	return result;
}

int admin_status(const struct admin *admin, const char *name,
		 struct kmq_status *status)
{
	memset(status, 0, sizeof(*status));
	status->size = sizeof(*status);
	fill_field(status->name, name, sizeof(status->name));
	return admin_call(admin, KMQ_IOC_STATUS, status);
}

static int change_object(const struct admin *admin, unsigned long command,
			 const struct admin_change *change, int32_t *selector)
{
	struct kmq_define call = {
		.size = sizeof(call),
		.flags = change->replace ? KMQ_DEFINE_REPLACE : 0,
		.object_type = change->object_type,
		.q_type = change->object_type == MQOT_Q ? change->q_type : 0,
		.attr_count = change->count,
	};
	struct kmq_attr *attrs;
	size_t i;
	int result;

	attrs = calloc(change->count ? change->count : 1, sizeof(*attrs));
	if (!attrs)
		return -ENOMEM;
	for (i = 0; i < change->count; i++) {
		const struct attr_value *value = &change->values[i];

		attrs[i].selector = change->attrs[i]->selector;
		if (change->attrs[i]->kind == ATTR_NAMES) {
			attrs[i].string = (uintptr_t)value->names;
			attrs[i].length = value->number * ATTR_NAME_LEN;
		} else if (attr_is_text(change->attrs[i])) {
			attrs[i].string = (uintptr_t)value->text;
			attrs[i].length = strlen(value->text);
		} else {
			attrs[i].value = value->number;
		}
	}
	call.attrs = (uintptr_t)attrs;
	fill_field(call.name, change->name ? change->name : "",
		   sizeof(call.name));
	fill_field(call.like, change->like ? change->like : "",
		   sizeof(call.like));
	result = admin_call(admin, command, &call);
	*selector = result > 0 ? call.out_selector : 0;
	free(attrs);
	return result;
}

int admin_define(const struct admin *admin, const struct admin_change *change,
		 int32_t *selector)
{
	return change_object(admin, KMQ_IOC_DEFINE, change, selector);
}

int admin_alter(const struct admin *admin, const struct admin_change *change,
		int32_t *selector)
{
	return change_object(admin, KMQ_IOC_ALTER, change, selector);
}

static int remove_object(const struct admin *admin, unsigned long command,
			 int object_type, const char *name, int q_type,
			 unsigned int flags)
{
	struct kmq_delete call = {
		.size = sizeof(call),
		.flags = flags,
		.object_type = object_type,
		.q_type = q_type,
	};

	fill_field(call.name, name, sizeof(call.name));
	return admin_call(admin, command, &call);
}

int admin_delete(const struct admin *admin, int object_type, const char *name,
		 int q_type, bool purge)
{
	return remove_object(admin, KMQ_IOC_DELETE, object_type, name, q_type,
			     purge ? KMQ_DELETE_PURGE : 0);
}

int admin_clear(const struct admin *admin, const char *name)
{
	return remove_object(admin, KMQ_IOC_CLEAR, MQOT_Q, name, MQQT_LOCAL, 0);
}

/* Everybody who has a node open may ask. */
static int state_now(const struct admin *admin, unsigned int *state)
{
	struct kmq_info info = { .size = sizeof(info) };

	if (ioctl(admin->fd, KMQ_IOC_INFO, &info))
		return -errno;
	*state = info.out_qmgr_state;
	return 0;
}

int admin_state(const struct admin *admin, unsigned int state,
		unsigned int *old)
{
	struct kmq_qmgr_state call = {
		.size = sizeof(call),
		.state = state,
	};
	int result;

	if (!state)
		return state_now(admin, old);
	if (!admin->may_change)
		return -EACCES;
	result = admin_call(admin, KMQ_IOC_QMGR_STATE, &call);
	*old = call.out_state;
	return result;
}

const char *admin_state_word(unsigned int state)
{
	switch (state) {
	case KMQ_QMGR_RUNNING:
		return "Running";
	case KMQ_QMGR_QUIESCING:
		return "Quiescing";
	case KMQ_QMGR_STOPPING:
		return "Stopping";
	default:
		return "Unknown";
	}
}
