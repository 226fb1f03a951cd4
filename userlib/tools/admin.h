/* SPDX-License-Identifier: MIT */
/*
 * Administration of one queue manager through its nodes: the only part of the
 * tools that knows the ioctl interface.
 */
#ifndef KMQ_TOOL_ADMIN_H
#define KMQ_TOOL_ADMIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attrs.h"
#include "linux/kmq.h"

#define ADMIN_NAME_MAX	48

struct admin {
	int fd;
	bool may_change;	/* the admin node is open for writing */
	char qmgr[ADMIN_NAME_MAX + 1];
};

/*
 * Result of every call: 0, an MQI or MQRCCF reason (positive), or a negative
 * errno if the call could not be carried out. With a reason from DEFINE or
 * ALTER, *selector is the attribute at fault.
 */

/* Names in structures: blank padded there, a C string here. */
void admin_name_from_field(char *name, const void *field);
void admin_name_to_field(void *field, const char *name);

/* A blank name chooses the default queue manager. */
int admin_open(struct admin *admin, const char *qmgr);
void admin_close(struct admin *admin);

/* Error line of an admin_open() that failed, and what to do. */
void admin_open_error(const char *qmgr, int result);

/* A result in words. */
const char *admin_result_text(int result);

struct admin_names {
	char (*name)[ADMIN_NAME_MAX + 1];
	size_t count;
};

/* Names of queues that fit the pattern (a name or NAME*), sorted. */
int admin_list(const struct admin *admin, const char *pattern, int q_type,
	       struct admin_names *names);
/* The same of other objects: MQOT_PROCESS, MQOT_NAMELIST. */
int admin_list_objects(const struct admin *admin, const char *pattern,
		       int object_type, struct admin_names *names);
void admin_names_free(struct admin_names *names);

/* Value of one attribute of a definition, and whether it has one. */
struct admin_attr {
	const struct attr *attr;
	struct attr_value value;
	bool applies;
};

/*
 * Fills in the values of attrs[0..count) of a queue, or of the object of that
 * type; the queue manager has no name. The names of a namelist belong to the
 * caller, see admin_attrs_free().
 */
int admin_inquire(const struct admin *admin, const char *name,
		  struct admin_attr *attrs, size_t count);
int admin_inquire_object(const struct admin *admin, int object_type,
			 const char *name, struct admin_attr *attrs,
			 size_t count);
void admin_attrs_free(struct admin_attr *attrs, size_t count);
int admin_status(const struct admin *admin, const char *name,
		 struct kmq_status *status);

/* A definition as the kernel takes it. */
struct admin_change {
	int object_type;	/* MQOT_* */
	const char *name;	/* NULL: the queue manager */
	const char *like;	/* or NULL */
	int q_type;
	bool replace;
	const struct attr_value *values;	/* count of each */
	const struct attr * const *attrs;
	size_t count;
};

int admin_define(const struct admin *admin, const struct admin_change *change,
		 int32_t *selector);
int admin_alter(const struct admin *admin, const struct admin_change *change,
		int32_t *selector);
int admin_delete(const struct admin *admin, int object_type, const char *name,
		 int q_type, bool purge);
int admin_clear(const struct admin *admin, const char *name);

/*
 * Who uses the queue manager; who may not administer gets to know what is his
 * own. In admin_census.c.
 */
struct admin_handles {
	struct kmq_handle_info *info;
	size_t count;
};

struct admin_conns {
	struct kmq_conn_info *info;
	size_t count;
};

/* Handles of the queues that fit the pattern, by queue. */
int admin_handles(const struct admin *admin, const char *pattern,
		  struct admin_handles *handles);
void admin_handles_free(struct admin_handles *handles);

/* Connections in the order in which they were made. */
int admin_conns(const struct admin *admin, struct admin_conns *conns);
void admin_conns_free(struct admin_conns *conns);

/* Quiesce or resume the connection with this identifier. */
int admin_conn_state(const struct admin *admin, const __u8 *id,
		     unsigned int state);

/* @state 0 leaves the state; *old is the one it had. */
int admin_state(const struct admin *admin, unsigned int state,
		unsigned int *old);
const char *admin_state_word(unsigned int state);

/* Create or delete a queue manager. */
int admin_make_qmgr(const char *qmgr, bool create);

/* Names of the queue managers that have nodes. */
int admin_qmgrs(struct admin_names *names);

#endif
