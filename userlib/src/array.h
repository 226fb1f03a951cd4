/* SPDX-License-Identifier: MIT */
/*
 * Arrays that a program gives by an offset from a structure or by an address.
 */
#ifndef KMQ_ARRAY_H
#define KMQ_ARRAY_H

#include "internal.h"

/**
 * struct kmq_array - an array that may be given one way or the other
 * @base: structure that has the fields
 * @offset: its offset field
 * @ptr: its pointer field
 * @size: bytes it has to have
 */
struct kmq_array {
	const void *base;
	MQLONG offset;
	void *ptr;
	size_t size;
};

/* Given neither way. */
KMQ_INLINE bool kmq_array_is_missing(const struct kmq_array *array)
{
	return !array->offset && !array->ptr;
}

/* Given both ways, or not readable. */
bool kmq_array_is_bad(const struct kmq_array *array);

/* Where it lies, NULL if it is missing. */
void *kmq_array_at(const struct kmq_array *array);

#endif
