/* SPDX-License-Identifier: MIT */
/*
 * The MQMDE: version-2 fields in front of the data (M-MDE).
 */
#ifndef KMQ_MDE_H
#define KMQ_MDE_H

#include "md.h"

/**
 * kmq_mde_parse() - what the data of a put begins with
 * @md: descriptor, its Format is MQFMT_MD_EXTENSION
 * @version: its version
 * @ccsid: of the queue manager
 * @buffer: the data
 * @length: BufferLength
 *
 * Return: KMQ_PUT_MDE if the MQMDE counts, KMQ_PUT_MDE_BAD if it would but for
 * its structure, 0 if it is plain data.
 */
uint32_t kmq_mde_parse(const MQMD *md, MQLONG version, MQLONG ccsid,
		       const void *buffer, MQLONG length);

/* Put the MQMDE's values into what the kernel is told. */
void kmq_mde_apply(const void *buffer, struct kmq_put *put,
		   struct kmq_md_ext *ext);

/**
 * kmq_mde_make() - put an MQMDE into the space that a get has left for it
 * @md: version-1 descriptor, filled; describes the MQMDE afterwards
 * @ext: group fields of the message
 * @ccsid: of the queue manager
 * @buffer: where the data was returned to
 * @length: bytes returned; the MQMDE is cut off if they are less than its size
 */
void kmq_mde_make(MQMD *md, const struct kmq_md_ext *ext, MQLONG ccsid,
		  void *buffer, MQLONG length);

#endif
