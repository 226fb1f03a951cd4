/* SPDX-License-Identifier: MIT */
/*
 * Object names: fixed-length fields, and the nodes they stand for.
 */
#ifndef KMQ_NAME_H
#define KMQ_NAME_H

#include "internal.h"

/* Longest path of a node; a name of 48 characters becomes at most 144. */
#define KMQ_PATH_MAX	1024

/* Characters of a field before a null byte and trailing blanks. */
size_t kmq_name_length(const char *field, size_t size);

/* Copy a field, blank padded from its first null byte on (M-MD-6). */
void kmq_name_pad(char *to, const char *from, size_t size);

/* Blank or empty: most are told from the first character. */
KMQ_INLINE bool kmq_name_is_blank(const char *field, size_t size)
{
	if (!field[0])
		return true;
	return field[0] == ' ' && !kmq_name_length(field, size);
}

/* The same name, however padded. */
bool kmq_name_equal(const char *a, const char *b, size_t size);

/* A name the MQI allows (O-NAME-1): not blank, right characters. */
bool kmq_name_is_valid(const char *field);

/* The directory of the nodes. */
const char *kmq_device_dir(void);

/**
 * kmq_path_qmgr() - path of a node of a queue manager
 * @path: KMQ_PATH_MAX bytes
 * @qmgr: name of the queue manager, 48 characters
 * @node: "qmgr", "admin"
 *
 * Return: false if it does not fit.
 */
bool kmq_path_qmgr(char *path, const char *qmgr, const char *node);

/* The same for the node of a queue. */
bool kmq_path_queue(char *path, const char *qmgr, const char *queue);

/* Name of the default queue manager; false if there is none (O-CONN-1). */
bool kmq_name_default_qmgr(char *qmgr);

#endif
