// SPDX-License-Identifier: MIT
/*
 * The MQOD: checks in the order of O-OPEN-13, and the way to the node.
 *
 * Fields above the version given are neither read nor written.
 */
#include "od.h"

#include <errno.h>
#include <fcntl.h>

#include "array.h"
#include "device.h"
#include "name.h"

static MQLONG records_present(const MQOD *od)
{
	return od->Version >= MQOD_VERSION_2 ? od->RecsPresent : 0;
}

static struct kmq_array object_records(const MQOD *od)
{
	return (struct kmq_array){
		.base = od,
		.offset = od->ObjectRecOffset,
		.ptr = od->ObjectRecPtr,
		.size = od->RecsPresent * sizeof(MQOR),
	};
}

static struct kmq_array response_records(const MQOD *od)
{
	return (struct kmq_array){
		.base = od,
		.offset = od->ResponseRecOffset,
		.ptr = od->ResponseRecPtr,
		.size = od->RecsPresent * sizeof(MQRR),
	};
}

MQLONG kmq_od_records(const MQOD *od)
{
	MQLONG n = records_present(od);
	struct kmq_array names, responses;

	if (n < 0 || (n > 0 && od->ObjectType != MQOT_Q))
		return MQRC_RECS_PRESENT_ERROR;
	if (n == 0)
		return MQRC_NONE;
	names = object_records(od);
	responses = response_records(od);
	if (kmq_array_is_missing(&names) || kmq_array_is_bad(&names))
		return MQRC_OBJECT_RECORDS_ERROR;
	return kmq_array_is_bad(&responses) ? MQRC_RESPONSE_RECORDS_ERROR :
					      MQRC_NONE;
}

bool kmq_od_is_list(const MQOD *od)
{
	return records_present(od) > 0;
}

MQLONG kmq_od_list_name(const MQOD *od)
{
	if (!kmq_name_is_blank(od->ObjectName, KMQ_NAME_LEN))
		return MQRC_OBJECT_NAME_ERROR;
	return kmq_name_is_blank(od->ObjectQMgrName, KMQ_NAME_LEN) ?
		       MQRC_NONE : MQRC_OBJECT_Q_MGR_NAME_ERROR;
}

const MQOR *kmq_od_names(const MQOD *od)
{
	struct kmq_array names = object_records(od);

	return kmq_array_at(&names);
}

MQRR *kmq_od_responses(const MQOD *od)
{
	struct kmq_array responses = response_records(od);

	return kmq_array_at(&responses);
}

void kmq_od_of_list(MQOD *one, const MQOD *od, const MQOR *names)
{
	static const MQOD initial = { MQOD_DEFAULT };

	*one = initial;
	memcpy(one->ObjectName, names->ObjectName, KMQ_NAME_LEN);
	memcpy(one->ObjectQMgrName, names->ObjectQMgrName, KMQ_NAME_LEN);
	memset(one->DynamicQName, ' ', KMQ_NAME_LEN);
	memcpy(one->AlternateUserId, od->AlternateUserId,
	       sizeof(one->AlternateUserId));
}

MQLONG kmq_od_check(const MQOD *od)
{
	if (!kmq_version_of(od, MQOD_STRUC_ID, MQOD_VERSION_4))
		return MQRC_OD_ERROR;
	switch (od->ObjectType) {
	case MQOT_Q:
	case MQOT_Q_MGR:
	case MQOT_PROCESS:
	case MQOT_NAMELIST:
		return MQRC_NONE;
	default:
		/* Topics included, which are not built. */
		return MQRC_OBJECT_TYPE_ERROR;
	}
}

bool kmq_od_is_remote(const struct kmq_conn *conn, const char *qmgr_name)
{
	return !kmq_name_is_blank(qmgr_name, KMQ_NAME_LEN) &&
	       !kmq_name_equal(qmgr_name, conn->qmgr, KMQ_NAME_LEN);
}

bool kmq_od_selects(const MQOD *od)
{
	const MQCHARV *s = &od->SelectionString;
	const char *text;

	if (od->Version < MQOD_VERSION_4)
		return false;
	text = s->VSPtr;
	if (!text && s->VSOffset)
		text = (const char *)od + s->VSOffset;
	if (!text || !s->VSLength)
		return false;
	return s->VSLength != MQVS_NULL_TERMINATED || *text;
}

MQLONG kmq_od_resolve(const struct kmq_conn *conn, const MQOD *od)
{
	bool remote = kmq_od_is_remote(conn, od->ObjectQMgrName);

	if (od->ObjectType != MQOT_Q && remote)
		return MQRC_UNKNOWN_OBJECT_Q_MGR;
	if (od->ObjectType == MQOT_Q_MGR)
		return kmq_name_is_blank(od->ObjectName, KMQ_NAME_LEN) ?
			       MQRC_NONE : MQRC_NAME_NOT_VALID_FOR_TYPE;
	if (!kmq_name_is_valid(od->ObjectName))
		return MQRC_UNKNOWN_OBJECT_NAME;
	return MQRC_NONE;
}

static MQLONG open_reason(int err)
{
	switch (-err) {
	case ENOENT:
	case ENOTDIR:
	case ENODEV:
	case ENXIO:
		return MQRC_UNKNOWN_OBJECT_NAME;
	case EMFILE:
	case ENFILE:
		return MQRC_HANDLE_NOT_AVAILABLE;
	default:
		return kmq_object_reason(err);
	}
}

/* The node of a queue of the connection's own queue manager. */
static int open_here(const struct kmq_conn *conn, const MQOD *od, int flags)
{
	char path[KMQ_PATH_MAX];

	if (!kmq_path_queue(path, conn->qmgr, od->ObjectName))
		return -ENOENT;
	return kmq_dev_open(path, flags);
}

/* The node that stands for a queue elsewhere, or for a cluster queue. */
static int open_away(const struct kmq_conn *conn, const MQOD *od, int flags,
		     PMQLONG reason)
{
	struct kmq_resolve r = { .size = sizeof(r) };
	char path[KMQ_PATH_MAX];
	int err;

	memcpy(r.object_name, od->ObjectName, KMQ_NAME_LEN);
	memcpy(r.object_qmgr_name, od->ObjectQMgrName, KMQ_NAME_LEN);
	err = kmq_ioctl(conn->fd, KMQ_IOC_RESOLVE, &r);
	if (err) {
		*reason = kmq_conn_reason(err);
		return err;
	}
	if (r.out_comp_code == MQCC_FAILED) {
		*reason = r.out_reason;
		return -ENOENT;
	}
	kmq_path_queue(path, (const char *)r.out_node_qmgr_name,
		       (const char *)r.out_node_name);
	err = kmq_dev_open(path, flags);
	if (err < 0)
		*reason = open_reason(err);
	return err;
}

int kmq_od_open(const struct kmq_conn *conn, const MQOD *od, int flags,
		bool *here, PMQLONG reason)
{
	int fd;

	*here = !kmq_od_is_remote(conn, od->ObjectQMgrName);
	if (*here) {
		fd = open_here(conn, od, flags);
		*reason = fd < 0 ? open_reason(fd) : MQRC_NONE;
		if (*reason != MQRC_UNKNOWN_OBJECT_NAME)
			return fd < 0 ? -1 : fd;
		*here = false;
	}
	fd = open_away(conn, od, flags, reason);
	return fd < 0 ? -1 : fd;
}

MQLONG kmq_od_unresolved(const struct kmq_conn *conn, MQLONG reason,
			 bool if_quiescing)
{
	MQLONG state = if_quiescing ? kmq_conn_quiescing(conn) :
				      kmq_conn_state(conn);

	if (!state || (state == MQRC_Q_MGR_QUIESCING && !if_quiescing))
		return reason;
	return state;
}

void kmq_od_found(MQOD *od, bool remote, const char *resolved_q,
		  const char *resolved_qmgr)
{
	if (od->Version >= MQOD_VERSION_2) {
		od->KnownDestCount = !remote;
		od->UnknownDestCount = remote;
		od->InvalidDestCount = 0;
	}
	if (od->Version >= MQOD_VERSION_3) {
		memcpy(od->ResolvedQName, resolved_q, KMQ_NAME_LEN);
		memcpy(od->ResolvedQMgrName, resolved_qmgr, KMQ_NAME_LEN);
	}
	if (od->Version >= MQOD_VERSION_4)
		od->ResolvedType = MQOT_Q;
}

void kmq_od_found_list(MQOD *od, const struct kmq_results *results)
{
	od->KnownDestCount = results->known;
	od->UnknownDestCount = results->unknown;
	od->InvalidDestCount = results->invalid;
	if (od->Version >= MQOD_VERSION_3) {
		memset(od->ResolvedQName, ' ', KMQ_NAME_LEN);
		memset(od->ResolvedQMgrName, ' ', KMQ_NAME_LEN);
	}
	if (od->Version >= MQOD_VERSION_4)
		od->ResolvedType = MQOT_Q;
}
