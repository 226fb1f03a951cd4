// SPDX-License-Identifier: MIT
/*
 * AlternateUserId: names for the kernel, which knows numbers only.
 *
 * A number that is nobody's name stands for itself, as it does in the
 * UserIdentifier of a message. Such a user has no groups.
 */
#include "alternate.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>

#include "name.h"

#define NOBODYS_GROUP	65534

/* The groups besides the first, which getgrouplist() puts in front. */
static bool find_groups(struct kmq_alternate *a, const struct passwd *user)
{
	gid_t *groups;
	int count = 32;

	for (;;) {
		int room = count;

		groups = realloc(a->groups, count * sizeof(*groups));
		if (!groups)
			return false;
		a->groups = groups;
		if (getgrouplist(user->pw_name, user->pw_gid, groups,
				 &count) >= 0)
			break;
		if (count <= room)
			count = 2 * room;
	}
	a->count = count;
	return true;
}

static bool is_number(const char *name, uint32_t *number)
{
	char *end;
	unsigned long n = strtoul(name, &end, 10);

	*number = n;
	return name[0] >= '0' && name[0] <= '9' && !*end && n < UINT32_MAX;
}

bool kmq_alternate_find(struct kmq_alternate *a, const char *id,
			struct kmq_open *open)
{
	size_t length = kmq_name_length(id, MQ_USER_ID_LENGTH);
	char name[MQ_USER_ID_LENGTH + 1] = "", buffer[4096];
	struct passwd entry, *user = NULL;

	memcpy(name, id, length);
	if (!getpwnam_r(name, &entry, buffer, sizeof(buffer), &user) && user) {
		if (!find_groups(a, user))
			return false;
		open->alt_uid = user->pw_uid;
		open->alt_gid = user->pw_gid;
	} else if (is_number(name, &open->alt_uid)) {
		open->alt_gid = NOBODYS_GROUP;
	} else {
		return true;
	}
	open->alt_groups = (uintptr_t)a->groups;
	open->alt_group_count = a->count;
	open->flags |= KMQ_OPEN_ALT_USER;
	return true;
}

void kmq_alternate_free(struct kmq_alternate *a)
{
	free(a->groups);
}
