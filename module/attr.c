// SPDX-License-Identifier: GPL-2.0
/*
 * Attributes: what each is called, which values it takes, where it is kept.
 *
 * One table for each kind of object. Inquiring, setting, defining and altering
 * all work from them, so an attribute is added in one place.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/ktime.h>
#include "attr.h"
#include "limits.h"
#include "mqi.h"
#include "object.h"
#include "qmgr.h"
#include "queue.h"

#define L KMQ_ATTR_L
#define M KMQ_ATTR_M
#define A KMQ_ATTR_A
#define R KMQ_ATTR_R
#define LM (L | M)
#define LMA (L | M | A)
#define LMAR (L | M | A | R)
#define K KMQ_ATTR_K

#define KMQ_INT(_selector, _flags, _field, _min, _max, _initial) {	\
	.selector = _selector,						\
	.flags = _flags,						\
	.offset = offsetof(KMQ_ATTRS_TYPE, _field),			\
	.min = _min,							\
	.max = _max,							\
	.initial = _initial,						\
}

#define KMQ_INT_SET(_selector, _flags, _field, _min, _max, _initial, _bad) { \
	.selector = _selector,						\
	.flags = (_flags) | KMQ_ATTR_SET,				\
	.offset = offsetof(KMQ_ATTRS_TYPE, _field),			\
	.min = _min,							\
	.max = _max,							\
	.initial = _initial,						\
	.bad_value = _bad,						\
}

#define KMQ_TEXT(_selector, _flags, _field) {				\
	.selector = _selector,						\
	.flags = _flags,						\
	.offset = offsetof(KMQ_ATTRS_TYPE, _field),			\
	.size = sizeof(((KMQ_ATTRS_TYPE *)0)->_field),			\
}

/* The name of a queue, queue manager or cluster. */
#define KMQ_NAME(_selector, _flags, _field)				\
	KMQ_TEXT(_selector, (_flags) | KMQ_ATTR_REFERS, _field)

#define KMQ_DERIVED_INT(_selector, _flags) {				\
	.selector = _selector,						\
	.flags = (_flags) | KMQ_ATTR_DERIVED | KMQ_ATTR_FIXED,		\
}

#define KMQ_DERIVED_TEXT(_selector, _flags, _size) {			\
	.selector = _selector,						\
	.flags = (_flags) | KMQ_ATTR_DERIVED | KMQ_ATTR_FIXED,		\
	.size = _size,							\
}

#define KMQ_MS_MAX	999999999

#define KMQ_ATTRS_TYPE struct kmq_queue_attrs
static const struct kmq_attr_desc kmq_queue_descs[] = {
	KMQ_DERIVED_TEXT(MQCA_Q_NAME, LMAR | K, KMQ_NAME_LEN),
	KMQ_DERIVED_INT(MQIA_Q_TYPE, LMAR | K),
	KMQ_DERIVED_INT(MQIA_CURRENT_Q_DEPTH, L),
	KMQ_DERIVED_INT(MQIA_OPEN_INPUT_COUNT, L),
	KMQ_DERIVED_INT(MQIA_OPEN_OUTPUT_COUNT, L),
	KMQ_TEXT(MQCA_Q_DESC, LMAR | K, q_desc),
	KMQ_TEXT(MQCA_ALTERATION_DATE, LMAR | KMQ_ATTR_FIXED, alteration_date),
	KMQ_TEXT(MQCA_ALTERATION_TIME, LMAR | KMQ_ATTR_FIXED, alteration_time),
	KMQ_TEXT(MQCA_CREATION_DATE, L | KMQ_ATTR_FIXED, creation_date),
	KMQ_TEXT(MQCA_CREATION_TIME, L | KMQ_ATTR_FIXED, creation_time),
	KMQ_INT(MQIA_DEFINITION_TYPE, LM, definition_type, 1, 3, 1),
	KMQ_INT(MQIA_USAGE, LM, usage, 0, 1, 0),
	KMQ_INT(MQIA_SCOPE, L | A | R, scope, 1, 2, 1),
	KMQ_NAME(MQCA_BASE_OBJECT_NAME, A, base_q_name),
	KMQ_INT(MQIA_BASE_TYPE, A, base_type, 1, 8, 1),
	KMQ_NAME(MQCA_REMOTE_Q_NAME, R, remote_q_name),
	KMQ_NAME(MQCA_REMOTE_Q_MGR_NAME, R, remote_q_mgr_name),
	KMQ_NAME(MQCA_XMIT_Q_NAME, R, xmit_q_name),
	KMQ_INT(MQIA_MAX_Q_DEPTH, LM, max_q_depth, 0, KMQ_MAX_DEPTH, 5000),
	KMQ_INT(MQIA_MAX_MSG_LENGTH, LM, max_msg_length, 0, KMQ_MAX_MSG_LENGTH,
		KMQ_DEF_MSG_LENGTH),
	KMQ_INT_SET(MQIA_INHIBIT_GET, LMA, inhibit_get, 0, 1, 0,
		    MQRC_INHIBIT_VALUE_ERROR),
	KMQ_INT_SET(MQIA_INHIBIT_PUT, LMAR | K, inhibit_put, 0, 1, 0,
		    MQRC_INHIBIT_VALUE_ERROR),
	KMQ_INT(MQIA_DEF_PRIORITY, LMAR | K, def_priority, 0, KMQ_MAX_PRIORITY, 0),
	KMQ_INT(MQIA_DEF_PERSISTENCE, LMAR | K, def_persistence, 0, 1, 0),
	KMQ_INT(MQIA_DEF_PUT_RESPONSE_TYPE, LMAR, def_put_response, 1, 2, 1),
	KMQ_INT(MQIA_SHAREABILITY, LM, shareability, 0, 1, 1),
	KMQ_INT(MQIA_DEF_INPUT_OPEN_OPTION, LM, def_input_open_option, 2, 4, 2),
	KMQ_INT(MQIA_DEF_READ_AHEAD, LMA, def_read_ahead, 0, 2, 0),
	KMQ_INT(MQIA_MSG_DELIVERY_SEQUENCE, LM, msg_delivery_sequence, 0, 1, 0),
	KMQ_INT(MQIA_HARDEN_GET_BACKOUT, LM, harden_get_backout, 0, 1, 0),
	KMQ_INT(MQIA_BACKOUT_THRESHOLD, LM, backout_threshold, 0, 999999999, 0),
	KMQ_NAME(MQCA_BACKOUT_REQ_Q_NAME, LM, backout_req_q_name),
	KMQ_INT_SET(MQIA_TRIGGER_CONTROL, LM, trigger_control, 0, 1, 0,
		    MQRC_TRIGGER_CONTROL_ERROR),
	KMQ_INT_SET(MQIA_TRIGGER_TYPE, LM, trigger_type, 0, 3, 1,
		    MQRC_TRIGGER_TYPE_ERROR),
	KMQ_INT_SET(MQIA_TRIGGER_DEPTH, LM, trigger_depth, 1, 999999999, 1,
		    MQRC_TRIGGER_DEPTH_ERROR),
	KMQ_INT_SET(MQIA_TRIGGER_MSG_PRIORITY, LM, trigger_msg_priority, 0,
		    KMQ_MAX_PRIORITY, 0, MQRC_TRIGGER_MSG_PRIORITY_ERR),
	KMQ_TEXT(MQCA_TRIGGER_DATA, LM | KMQ_ATTR_SET, trigger_data),
	KMQ_TEXT(MQCA_PROCESS_NAME, LM, process_name),
	KMQ_NAME(MQCA_INITIATION_Q_NAME, LM, initiation_q_name),
	KMQ_INT(MQIA_Q_DEPTH_HIGH_LIMIT, LM, q_depth_high_limit, 0, 100, 80),
	KMQ_INT(MQIA_Q_DEPTH_LOW_LIMIT, LM, q_depth_low_limit, 0, 100, 20),
	KMQ_INT(MQIA_Q_DEPTH_MAX_EVENT, LM, q_depth_max_event, 0, 1, 1),
	KMQ_INT(MQIA_Q_DEPTH_HIGH_EVENT, LM, q_depth_high_event, 0, 1, 0),
	KMQ_INT(MQIA_Q_DEPTH_LOW_EVENT, LM, q_depth_low_event, 0, 1, 0),
	KMQ_INT(MQIA_Q_SERVICE_INTERVAL, LM, q_service_interval, 0, KMQ_MS_MAX,
		KMQ_MS_MAX),
	KMQ_INT(MQIA_Q_SERVICE_INTERVAL_EVENT, LM, q_service_interval_event, 0,
		2, 0),
	KMQ_INT(MQIA_RETENTION_INTERVAL, LM, retention_interval, 0, 999999999,
		999999999),
	KMQ_INT(MQIA_DEF_BIND, L | A | R | K, def_bind, 0, 2, 0),
	KMQ_INT_SET(MQIA_DIST_LISTS, LM, dist_lists, 0, 1, 0,
		    MQRC_INHIBIT_VALUE_ERROR),
	KMQ_INT(MQIA_INDEX_TYPE, LM | KMQ_ATTR_HIDDEN, index_type, 0, 5, 0),
	KMQ_INT(MQIA_PROPERTY_CONTROL, LMA, property_control, 0, 4, 0),
	KMQ_INT(MQIA_NPM_CLASS, LM, npm_class, 0, 10, 0),
	KMQ_INT(MQIA_CAP_EXPIRY, LMAR, cap_expiry, -1, INT_MAX, -1),
	KMQ_INT(MQIA_MONITORING_Q, LM, monitoring_q, -3, 65, -3),
	KMQ_INT(MQIA_STATISTICS_Q, LM, statistics_q, -3, 1, -3),
	KMQ_INT(MQIA_ACCOUNTING_Q, LM, accounting_q, -3, 1, -3),
	KMQ_NAME(MQCA_CLUSTER_NAME, L | A | R | K, cluster_name),
	KMQ_TEXT(MQCA_CLUSTER_NAMELIST, L | A | R, cluster_namelist),
	KMQ_DERIVED_INT(MQIA_CLUSTER_Q_TYPE, K),
	KMQ_INT(MQIA_CLWL_Q_RANK, L | A | R, clwl_q_rank, 0, 9, 0),
	KMQ_INT(MQIA_CLWL_Q_PRIORITY, L | A | R, clwl_q_priority, 0, 9, 0),
	KMQ_INT(MQIA_CLWL_USEQ, L, clwl_use_q, -3, 1, -3),
	KMQ_INT(MQIA_MAX_Q_FILE_SIZE, LM, max_q_file_size, -2, INT_MAX, -1),
	KMQ_NAME(MQCA_STREAM_QUEUE_NAME, LM, streaming_q_name),
	KMQ_INT(MQIA_STREAM_QUEUE_QOS, LM, streaming_q_service, 0, 1, 0),
	KMQ_TEXT(MQCA_CUSTOM, LMAR, custom),
	KMQ_INT(KMQ_ATTR_UID, LMAR, uid, 0, INT_MAX, 0),
	KMQ_INT(KMQ_ATTR_GID, LMAR, gid, 0, INT_MAX, 0),
	KMQ_INT(KMQ_ATTR_MODE, LMAR, mode, 0, 0777, 0660),
};

#undef KMQ_ATTRS_TYPE
#define KMQ_ATTRS_TYPE struct kmq_qmgr_attrs
static const struct kmq_attr_desc kmq_qmgr_descs[] = {
	KMQ_DERIVED_TEXT(MQCA_Q_MGR_NAME, 0, KMQ_NAME_LEN),
	KMQ_DERIVED_TEXT(MQCA_Q_MGR_IDENTIFIER, 0, KMQ_NAME_LEN),
	KMQ_TEXT(MQCA_Q_MGR_DESC, 0, desc),
	KMQ_DERIVED_INT(MQIA_PLATFORM, 0),
	KMQ_DERIVED_INT(MQIA_COMMAND_LEVEL, 0),
	KMQ_DERIVED_INT(MQIA_MAX_PRIORITY, 0),
	KMQ_DERIVED_INT(MQIA_SYNCPOINT, 0),
	KMQ_DERIVED_INT(MQIA_DIST_LISTS, 0),
	KMQ_INT(MQIA_CODED_CHAR_SET_ID, 0, coded_char_set_id, 1, 65535, 1208),
	KMQ_INT(MQIA_MAX_MSG_LENGTH, 0, max_msg_length, KMQ_MIN_QMGR_MSG_LENGTH,
		KMQ_MAX_MSG_LENGTH, KMQ_DEF_MSG_LENGTH),
	KMQ_INT(MQIA_MAX_PROPERTIES_LENGTH, 0, max_properties_length, -1,
		KMQ_MAX_MSG_LENGTH, -1),
	KMQ_INT(MQIA_MAX_HANDLES, 0, max_handles, 1, 999999999,
		KMQ_DEF_HANDLES),
	KMQ_INT(MQIA_MAX_UNCOMMITTED_MSGS, 0, max_uncommitted_msgs, 1,
		999999999, KMQ_DEF_UNCOMMITTED),
	KMQ_INT(MQIA_TRIGGER_INTERVAL, 0, trigger_interval, 0, KMQ_MS_MAX,
		KMQ_MS_MAX),
	KMQ_INT(MQIA_MSG_MARK_BROWSE_INTERVAL, 0, msg_mark_browse_interval, -1,
		KMQ_MS_MAX, KMQ_DEF_MARK_INTERVAL),
	KMQ_NAME(MQCA_DEAD_LETTER_Q_NAME, 0, dead_letter_q_name),
	KMQ_NAME(MQCA_DEF_XMIT_Q_NAME, 0, def_xmit_q_name),
	KMQ_NAME(MQCA_COMMAND_INPUT_Q_NAME, KMQ_ATTR_FIXED,
		 command_input_q_name),
	KMQ_INT(MQIA_CLWL_USEQ, 0, clwl_use_q, 0, 1, 0),
	KMQ_NAME(MQCA_REPOSITORY_NAME, 0, repository_name),
	KMQ_TEXT(MQCA_REPOSITORY_NAMELIST, 0, repository_namelist),
	KMQ_INT(MQIA_PERFORMANCE_EVENT, 0, performance_event, 0, 1, 0),
	KMQ_INT(MQIA_INHIBIT_EVENT, 0, inhibit_event, 0, 1, 0),
	KMQ_INT(MQIA_LOCAL_EVENT, 0, local_event, 0, 1, 0),
	KMQ_INT(MQIA_REMOTE_EVENT, 0, remote_event, 0, 1, 0),
	KMQ_INT(MQIA_AUTHORITY_EVENT, 0, authority_event, 0, 1, 0),
	KMQ_INT(MQIA_START_STOP_EVENT, 0, start_stop_event, 0, 1, 1),
	KMQ_TEXT(MQCA_ALTERATION_DATE, KMQ_ATTR_FIXED, alteration_date),
	KMQ_TEXT(MQCA_ALTERATION_TIME, KMQ_ATTR_FIXED, alteration_time),
};

#undef KMQ_ATTRS_TYPE
#define KMQ_ATTRS_TYPE struct kmq_process_attrs
static const struct kmq_attr_desc kmq_process_descs[] = {
	KMQ_DERIVED_TEXT(MQCA_PROCESS_NAME, 0, KMQ_NAME_LEN),
	KMQ_TEXT(MQCA_PROCESS_DESC, 0, desc),
	KMQ_INT(MQIA_APPL_TYPE, 0, appl_type, 0, 999999999, MQAT_UNIX),
	KMQ_TEXT(MQCA_APPL_ID, 0, appl_id),
	KMQ_TEXT(MQCA_ENV_DATA, 0, env_data),
	KMQ_TEXT(MQCA_USER_DATA, 0, user_data),
	KMQ_TEXT(MQCA_ALTERATION_DATE, KMQ_ATTR_FIXED, alteration_date),
	KMQ_TEXT(MQCA_ALTERATION_TIME, KMQ_ATTR_FIXED, alteration_time),
};

#undef KMQ_ATTRS_TYPE
#define KMQ_ATTRS_TYPE struct kmq_namelist_attrs
static const struct kmq_attr_desc kmq_namelist_descs[] = {
	KMQ_DERIVED_TEXT(MQCA_NAMELIST_NAME, 0, KMQ_NAME_LEN),
	KMQ_TEXT(MQCA_NAMELIST_DESC, 0, desc),
	KMQ_DERIVED_INT(MQIA_NAME_COUNT, 0),
	{
		.selector = MQCA_NAMES,
		.flags = KMQ_ATTR_NAMES | KMQ_ATTR_DERIVED,
		.size = KMQ_MAX_NAMES * KMQ_NAME_LEN,
	},
	KMQ_TEXT(MQCA_ALTERATION_DATE, KMQ_ATTR_FIXED, alteration_date),
	KMQ_TEXT(MQCA_ALTERATION_TIME, KMQ_ATTR_FIXED, alteration_time),
};

#undef KMQ_ATTRS_TYPE

#define KMQ_COMMAND_LEVEL	940
#define KMQ_PLATFORM_UNIX	3

/* The table of a kind of object, MQOT_*. */
static const struct kmq_attr_desc *kmq_attr_table(s32 object_type, size_t *n)
{
	switch (object_type) {
	case MQOT_Q_MGR:
		*n = ARRAY_SIZE(kmq_qmgr_descs);
		return kmq_qmgr_descs;
	case MQOT_PROCESS:
		*n = ARRAY_SIZE(kmq_process_descs);
		return kmq_process_descs;
	case MQOT_NAMELIST:
		*n = ARRAY_SIZE(kmq_namelist_descs);
		return kmq_namelist_descs;
	default:
		*n = ARRAY_SIZE(kmq_queue_descs);
		return kmq_queue_descs;
	}
}

/**
 * kmq_attr_find - look an attribute up
 * @object_type: MQOT_*
 * @selector: MQIA_*, MQCA_* or KMQ_ATTR_*
 *
 * Return: its description, or NULL if the object has no such attribute.
 */
const struct kmq_attr_desc *kmq_attr_find(s32 object_type, s32 selector)
{
	const struct kmq_attr_desc *descs;
	size_t i, n;

	descs = kmq_attr_table(object_type, &n);
	for (i = 0; i < n; i++)
		if (descs[i].selector == selector)
			return &descs[i];
	return NULL;
}

/**
 * kmq_attr_type_flag - the flag of attributes that apply to a type of queue
 * @q_type: MQQT_*
 *
 * Return: one of KMQ_ATTR_L, _M, _A, _R, or 0 if there is no such type.
 */
u32 kmq_attr_type_flag(s32 q_type)
{
	switch (q_type) {
	case MQQT_LOCAL:
		return KMQ_ATTR_L;
	case MQQT_MODEL:
		return KMQ_ATTR_M;
	case MQQT_ALIAS:
		return KMQ_ATTR_A;
	case MQQT_REMOTE:
		return KMQ_ATTR_R;
	default:
		return 0;
	}
}

bool kmq_attr_is_text(s32 selector)
{
	return selector >= MQCA_FIRST && selector <= MQCA_LAST;
}

/* Attributes whose values are not all the numbers between two limits. */
static bool kmq_attr_value_exists(s32 selector, s32 value)
{
	switch (selector) {
	case MQIA_DEF_INPUT_OPEN_OPTION:
		return value != 3;
	case MQIA_INDEX_TYPE:
		return value != 3;
	case MQIA_NPM_CLASS:
		return value == 0 || value == 10;
	case MQIA_BASE_TYPE:
		return value == 1 || value == 8;
	case MQIA_CAP_EXPIRY:
		return value != 0;
	case MQIA_MONITORING_Q:
		return value == -3 || value == 0 || value == 17 ||
		       value == 33 || value == 65;
	case MQIA_STATISTICS_Q:
	case MQIA_ACCOUNTING_Q:
	case MQIA_CLWL_USEQ:
		return value == -3 || value == 0 || value == 1;
	default:
		return true;
	}
}

/**
 * kmq_attr_next_name - go over the names that attributes refer to
 * @object_type: MQOT_*
 * @attrs: structure of attributes of that kind of object
 * @at: where to go on, 0 to begin with
 *
 * Return: a name, perhaps a blank one; NULL after the last one.
 */
const u8 *kmq_attr_next_name(s32 object_type, const void *attrs, u32 *at)
{
	const struct kmq_attr_desc *descs;
	size_t n;

	descs = kmq_attr_table(object_type, &n);
	while (*at < n) {
		const struct kmq_attr_desc *desc = &descs[(*at)++];

		if (desc->flags & KMQ_ATTR_REFERS)
			return attrs + desc->offset;
	}
	return NULL;
}

bool kmq_attr_in_range(const struct kmq_attr_desc *desc, s32 value)
{
	return value >= desc->min && value <= desc->max &&
	       kmq_attr_value_exists(desc->selector, value);
}

static void kmq_attr_defaults(void *attrs, const struct kmq_attr_desc *descs,
			      size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		void *field = attrs + descs[i].offset;

		if (descs[i].flags & KMQ_ATTR_DERIVED)
			continue;
		if (descs[i].size)
			memset(field, ' ', descs[i].size);
		else
			*(s32 *)field = descs[i].initial;
	}
}

/**
 * kmq_attr_now - the present date and time as attributes show them
 * @date: 12 bytes, "YYYY-MM-DD" and blanks
 * @time: 8 bytes, "HH.MM.SS"
 */
void kmq_attr_now(u8 *date, u8 *time)
{
	struct timespec64 now;
	char text[32];
	struct tm tm;

	/* Not ktime_get_real_seconds(), which reads what others are writing. */
	ktime_get_coarse_real_ts64(&now);
	time64_to_tm(now.tv_sec, 0, &tm);
	scnprintf(text, sizeof(text), "%04ld-%02d-%02d  %02d.%02d.%02d",
		  tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
		  tm.tm_min, tm.tm_sec);
	memcpy(date, text, 12);
	memcpy(time, text + 12, 8);
}

/**
 * kmq_attr_queue_defaults - what a plain DEFINE gives
 * @attrs: to be filled in
 * @q_type: MQQT_*
 */
void kmq_attr_queue_defaults(struct kmq_queue_attrs *attrs, s32 q_type)
{
	memset(attrs, 0, sizeof(*attrs));
	kmq_attr_defaults(attrs, kmq_queue_descs, ARRAY_SIZE(kmq_queue_descs));
	if (q_type == MQQT_MODEL) {
		attrs->definition_type = MQQDT_TEMPORARY_DYNAMIC;
		attrs->shareability = 0;
		attrs->def_input_open_option = MQOO_INPUT_EXCLUSIVE;
	}
	kmq_attr_now(attrs->creation_date, attrs->creation_time);
	kmq_attr_now(attrs->alteration_date, attrs->alteration_time);
}

void kmq_attr_qmgr_defaults(struct kmq_qmgr_attrs *attrs)
{
	static const char command_q[] = "SYSTEM.ADMIN.COMMAND.QUEUE";

	kmq_attr_defaults(attrs, kmq_qmgr_descs, ARRAY_SIZE(kmq_qmgr_descs));
	memcpy(attrs->command_input_q_name, command_q, sizeof(command_q) - 1);
	kmq_attr_now(attrs->alteration_date, attrs->alteration_time);
}

void kmq_attr_process_defaults(struct kmq_process_attrs *attrs)
{
	kmq_attr_defaults(attrs, kmq_process_descs,
			  ARRAY_SIZE(kmq_process_descs));
	kmq_attr_now(attrs->alteration_date, attrs->alteration_time);
}

void kmq_attr_namelist_defaults(struct kmq_namelist_attrs *attrs)
{
	kmq_attr_defaults(attrs, kmq_namelist_descs,
			  ARRAY_SIZE(kmq_namelist_descs));
	kmq_attr_now(attrs->alteration_date, attrs->alteration_time);
}

/**
 * kmq_attr_set - change an attribute
 * @attrs: structure of attributes of the kind of object, the caller's own
 * @desc: attribute that is kept there
 * @value: value in range
 */
void kmq_attr_set(void *attrs, const struct kmq_attr_desc *desc,
		  const struct kmq_attr_value *value)
{
	if (desc->size)
		memcpy(attrs + desc->offset, value->text, desc->size);
	else
		*(s32 *)(attrs + desc->offset) = value->number;
}

static void kmq_attr_write(s32 *field, s32 value)
{
	if (*field != value)
		WRITE_ONCE(*field, value);
}

/*
 * Calls read integers at any time, texts with the names or the queue locked.
 * Nothing is written that stays the same: what never changes needs no care.
 */
static void kmq_attr_assign(void *to, const void *from,
			    const struct kmq_attr_desc *descs, size_t n)
{
	const struct kmq_attr_desc *desc;

	for (desc = descs; desc < descs + n; desc++) {
		const void *value = from + desc->offset;
		void *field = to + desc->offset;

		if (desc->flags & KMQ_ATTR_DERIVED)
			continue;
		if (!desc->size)
			kmq_attr_write(field, *(const s32 *)value);
		else if (memcmp(field, value, desc->size))
			memcpy(field, value, desc->size);
	}
}

/**
 * kmq_attr_assign_queue - give a queue other attributes
 * @to: those of a queue that is locked, with the names locked for writing
 * @from: the new ones
 */
void kmq_attr_assign_queue(struct kmq_queue_attrs *to,
			   const struct kmq_queue_attrs *from)
{
	kmq_attr_assign(to, from, kmq_queue_descs, ARRAY_SIZE(kmq_queue_descs));
}

/**
 * kmq_attr_assign_qmgr - give a queue manager other attributes
 * @to: those of a queue manager, with its names locked for writing
 * @from: the new ones
 */
void kmq_attr_assign_qmgr(struct kmq_qmgr_attrs *to,
			  const struct kmq_qmgr_attrs *from)
{
	kmq_attr_assign(to, from, kmq_qmgr_descs, ARRAY_SIZE(kmq_qmgr_descs));
}

static void kmq_attr_get(const void *attrs, const struct kmq_attr_desc *desc,
			 struct kmq_attr_value *value)
{
	if (desc->size)
		memcpy(value->text, attrs + desc->offset, desc->size);
	else
		value->number = *(const s32 *)(attrs + desc->offset);
}

/**
 * kmq_attr_of_queue - read an attribute of a queue
 * @queue: queue, locked
 * @desc: attribute that applies to it
 * @value: its value
 */
void kmq_attr_of_queue(struct kmq_queue *queue,
		       const struct kmq_attr_desc *desc,
		       struct kmq_attr_value *value)
{
	lockdep_assert_held(&queue->lock);
	switch (desc->selector) {
	case MQCA_Q_NAME:
		memcpy(value->text, queue->name, KMQ_NAME_LEN);
		break;
	case MQIA_Q_TYPE:
		value->number = queue->type;
		break;
	case MQIA_CURRENT_Q_DEPTH:
		value->number = queue->depth;
		break;
	case MQIA_OPEN_INPUT_COUNT:
		value->number = queue->open_input;
		break;
	case MQIA_OPEN_OUTPUT_COUNT:
		value->number = queue->open_output;
		break;
	default:
		kmq_attr_get(&queue->attrs, desc, value);
	}
}

static s32 kmq_attr_cluster_type(s32 q_type)
{
	switch (q_type) {
	case MQQT_ALIAS:
		return MQCQT_ALIAS_Q;
	case MQQT_REMOTE:
		return MQCQT_REMOTE_Q;
	default:
		return MQCQT_LOCAL_Q;
	}
}

/**
 * kmq_attr_of_instance - read an attribute of a cluster queue
 * @queue: an instance at another queue manager, locked
 * @desc: attribute that applies to cluster queues
 * @value: its value
 */
void kmq_attr_of_instance(struct kmq_queue *queue,
			  const struct kmq_attr_desc *desc,
			  struct kmq_attr_value *value)
{
	switch (desc->selector) {
	case MQIA_Q_TYPE:
		value->number = MQQT_CLUSTER;
		break;
	case MQIA_CLUSTER_Q_TYPE:
		value->number = kmq_attr_cluster_type(queue->type);
		break;
	default:
		kmq_attr_of_queue(queue, desc, value);
	}
}

/* The identifier: the name and the time at which it was created. */
static void kmq_attr_identifier(const struct kmq_qmgr *qmgr, u8 *text)
{
	char stamp[32];
	struct tm tm;
	size_t n = KMQ_NAME_LEN;
	int m;

	time64_to_tm(qmgr->epoch, 0, &tm);
	m = scnprintf(stamp, sizeof(stamp), "_%04ld-%02d-%02d_%02d.%02d.%02d",
		      tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
		      tm.tm_min, tm.tm_sec);
	memcpy(text, qmgr->name, n);
	while (n && text[n - 1] == ' ')
		n--;
	n = min_t(size_t, n, KMQ_NAME_LEN - m);
	memset(text + n, ' ', KMQ_NAME_LEN - n);
	memcpy(text + n, stamp, m);
}

/**
 * kmq_attr_of_qmgr - read an attribute of a queue manager
 * @qmgr: queue manager, names locked
 * @desc: attribute
 * @value: its value
 */
void kmq_attr_of_qmgr(struct kmq_qmgr *qmgr, const struct kmq_attr_desc *desc,
		      struct kmq_attr_value *value)
{
	lockdep_assert_held(&qmgr->names);
	switch (desc->selector) {
	case MQCA_Q_MGR_NAME:
		memcpy(value->text, qmgr->name, KMQ_NAME_LEN);
		break;
	case MQCA_Q_MGR_IDENTIFIER:
		kmq_attr_identifier(qmgr, value->text);
		break;
	case MQIA_PLATFORM:
		value->number = KMQ_PLATFORM_UNIX;
		break;
	case MQIA_COMMAND_LEVEL:
		value->number = KMQ_COMMAND_LEVEL;
		break;
	case MQIA_MAX_PRIORITY:
		value->number = KMQ_MAX_PRIORITY;
		break;
	case MQIA_SYNCPOINT:
	case MQIA_DIST_LISTS:
		value->number = 1;
		break;
	default:
		kmq_attr_get(&qmgr->attrs, desc, value);
	}
}

/**
 * kmq_attr_of_object - read an attribute of a process or a namelist
 * @object: the object; the names of its queue manager are locked
 * @desc: attribute, not the names
 * @value: its value
 */
void kmq_attr_of_object(const struct kmq_object *object,
			const struct kmq_attr_desc *desc,
			struct kmq_attr_value *value)
{
	switch (desc->selector) {
	case MQCA_PROCESS_NAME:
	case MQCA_NAMELIST_NAME:
		memcpy(value->text, object->name, KMQ_NAME_LEN);
		break;
	case MQIA_NAME_COUNT:
		value->number = object->name_count;
		break;
	default:
		kmq_attr_get(&object->attrs, desc, value);
	}
}
