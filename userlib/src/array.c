// SPDX-License-Identifier: MIT
/*
 * Arrays that a program gives by an offset from a structure or by an address.
 *
 * A count that is wrong makes a good address a bad one, and reasons exist for
 * it (2155, 2156, 2159). The kernel is asked, as there is no signal handler to
 * find out.
 */
#include "array.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

void *kmq_array_at(const struct kmq_array *a)
{
	if (a->ptr)
		return a->ptr;
	return a->offset ? (char *)a->base + a->offset : NULL;
}

/*
 * Can a byte be read? The kernel reads the set of signals before it finds that
 * it knows no such operation.
 */
static bool is_readable(const char *p)
{
	const uintptr_t word = (uintptr_t)p & ~(uintptr_t)7;

	return !syscall(SYS_rt_sigprocmask, -1, word, NULL, 8) ||
	       errno != EFAULT;
}

static bool are_readable(const char *p, size_t size)
{
	size_t page = sysconf(_SC_PAGESIZE);
	const char *last = p + size - 1;

	for (; p < last; p += page)
		if (!is_readable(p))
			return false;
	return is_readable(last);
}

bool kmq_array_is_bad(const struct kmq_array *a)
{
	if (a->offset && a->ptr)
		return true;
	return a->size && !kmq_array_is_missing(a) &&
	       !are_readable(kmq_array_at(a), a->size);
}
