/* SPDX-License-Identifier: MIT */
/*
 * Connections and open handles, page by page.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "admin.h"
#include "cmqc.h"

#define PAGE 256

static int call(const struct admin *admin, unsigned long command, void *arg)
{
	int done;

	do {
		done = ioctl(admin->fd, command, arg);
	} while (done < 0 && errno == EINTR);
	return done < 0 ? -errno : 0;
}

int admin_handles(const struct admin *admin, const char *pattern,
		  struct admin_handles *handles)
{
	struct kmq_handles cmd = {
		.size = sizeof(cmd),
		.count = PAGE,
		.stride = sizeof(*handles->info),
	};
	struct kmq_handle_info *grown;
	const struct kmq_handle_info *last;
	int result = 0;

	memset(handles, 0, sizeof(*handles));
	admin_name_to_field(cmd.pattern, pattern);
	admin_name_to_field(cmd.after, "");
	do {
		grown = realloc(handles->info,
				(handles->count + PAGE) * sizeof(*grown));
		if (!grown) {
			result = -ENOMEM;
			break;
		}
		handles->info = grown;
		cmd.entries = (uintptr_t)(handles->info + handles->count);
		result = call(admin, KMQ_IOC_HANDLES, &cmd);
		if (result || !cmd.out_count)
			break;
		handles->count += cmd.out_count;
		last = &handles->info[handles->count - 1];
		memcpy(cmd.after, last->q_name, sizeof(cmd.after));
		cmd.after_number = last->number;
	} while (cmd.out_more);
	if (result)
		admin_handles_free(handles);
	return result;
}

void admin_handles_free(struct admin_handles *handles)
{
	free(handles->info);
	memset(handles, 0, sizeof(*handles));
}

int admin_conns(const struct admin *admin, struct admin_conns *conns)
{
	struct kmq_conns cmd = {
		.size = sizeof(cmd),
		.count = PAGE,
		.stride = sizeof(*conns->info),
	};
	struct kmq_conn_info *grown;
	int result = 0;

	memset(conns, 0, sizeof(*conns));
	do {
		grown = realloc(conns->info,
				(conns->count + PAGE) * sizeof(*grown));
		if (!grown) {
			result = -ENOMEM;
			break;
		}
		conns->info = grown;
		cmd.entries = (uintptr_t)(conns->info + conns->count);
		result = call(admin, KMQ_IOC_CONNS, &cmd);
		if (result || !cmd.out_count)
			break;
		conns->count += cmd.out_count;
		memcpy(cmd.after, conns->info[conns->count - 1].connection_id,
		       sizeof(cmd.after));
	} while (cmd.out_more);
	if (result)
		admin_conns_free(conns);
	return result;
}

void admin_conns_free(struct admin_conns *conns)
{
	free(conns->info);
	memset(conns, 0, sizeof(*conns));
}

int admin_conn_state(const struct admin *admin, const __u8 *id,
		     unsigned int state)
{
	struct kmq_conn_state cmd = { .size = sizeof(cmd), .state = state };
	int result;

	memcpy(cmd.connection_id, id, sizeof(cmd.connection_id));
	result = call(admin, KMQ_IOC_CONN_STATE, &cmd);
	if (!result && cmd.out_comp_code == MQCC_FAILED)
		result = cmd.out_reason;
	return result;
}
