/* SPDX-License-Identifier: MIT */
/*
 * What every file of the library uses: exported names, results, structure
 * identifiers.
 */
#ifndef KMQ_INTERNAL_H
#define KMQ_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmqc.h>
#include <linux/kmq.h>

#define KMQ_API		__attribute__((visibility("default")))
#define KMQ_INLINE	static inline __attribute__((always_inline))
/* Kept out of the path that most calls take. */
#define KMQ_SLOW	static __attribute__((noinline, cold))
#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

/**
 * DOC: Second names
 *
 * A program may load two of the libraries that carry the MQI under an IBM
 * name. All of them pass their calls to libkmq.so.1, which holds the only
 * copy of the state, under names that no program defines itself.
 */
#define KMQ_SECOND_NAME(call) \
	extern __typeof__(call) kmq_mqi_##call \
		__attribute__((alias(#call), visibility("default")))

KMQ_INLINE void kmq_result(PMQLONG comp_code, PMQLONG reason, MQLONG cc,
			   MQLONG rc)
{
	*comp_code = cc;
	*reason = rc;
}

KMQ_INLINE void kmq_fail(PMQLONG comp_code, PMQLONG reason, MQLONG rc)
{
	kmq_result(comp_code, reason, MQCC_FAILED, rc);
}

/* True if a structure is there and begins with the identifier @id. */
KMQ_INLINE bool kmq_has_id(const void *structure, const char *id)
{
	return structure && !memcmp(structure, id, 4);
}

/*
 * Version of a caller's structure, 0 if it is missing or malformed. All
 * structures of the MQI have StrucId at 0 and Version at 4.
 */
KMQ_INLINE MQLONG kmq_version_of(const void *structure, const char *id,
				 MQLONG highest)
{
	MQLONG version;

	if (!kmq_has_id(structure, id))
		return 0;
	memcpy(&version, (const char *)structure + 4, sizeof(version));
	return version >= 1 && version <= highest ? version : 0;
}

#endif
