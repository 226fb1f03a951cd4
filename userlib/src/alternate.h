/* SPDX-License-Identifier: MIT */
/*
 * AlternateUserId: names for the kernel, which knows numbers only.
 */
#ifndef KMQ_ALTERNATE_H
#define KMQ_ALTERNATE_H

#include <sys/types.h>

#include "internal.h"

/**
 * struct kmq_alternate - the user an AlternateUserId names
 * @groups: ids of the groups, to be freed with kmq_alternate_free()
 * @count: how many
 */
struct kmq_alternate {
	gid_t *groups;
	int count;
};

/**
 * kmq_alternate_find() - tell the kernel who an alternate user is
 * @alternate: kept until the command has been carried out
 * @id: AlternateUserId, MQ_USER_ID_LENGTH characters
 * @open: the command; unchanged if there is no such user, which is 2035
 *
 * Return: false if there is no memory.
 */
bool kmq_alternate_find(struct kmq_alternate *alternate, const char *id,
			struct kmq_open *open);

void kmq_alternate_free(struct kmq_alternate *alternate);

#endif
