/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef BENCH_MARK_H
#define BENCH_MARK_H

/* "nopl MARK_MAGIC + n(%rax)" begins part n of a trace; n = 0 ends it. */
#define MARK_MAGIC	0x6b6d7100U

#define MARK(n) \
	__asm__ volatile(".byte 0x0f, 0x1f, 0x80\n\t.long %c0" \
			 : : "i"(MARK_MAGIC + (n)) : "memory")

#endif
