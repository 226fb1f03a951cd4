/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A plugin for QEMU that writes down every instruction a guest executes between
 * two marks. A mark is a long nop with a number in it, see trace.c.
 *
 * The file is a row of struct record, in the order of execution.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mark.h"

/* The part of QEMU's plugin interface, version 1, that is used here. */
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void (*translated_fn)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*executed_fn)(unsigned int vcpu, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   translated_fn fn);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb,
						 size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    executed_fn fn, int flags,
					    void *data);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum kind {
	KIND_OTHER,
	KIND_CALL,
	KIND_RETURN,
	KIND_MARK,
};

struct record {
	uint64_t address;
	uint32_t length;	/* KIND_MARK: its number */
	uint32_t kind;
};

static FILE *out;
static bool tracing;

static void executed(unsigned int vcpu, void *data)
{
	const struct record *record = data;

	(void)vcpu;
	if (record->kind == KIND_MARK)
		tracing = record->length;
	if (tracing || record->kind == KIND_MARK)
		fwrite(record, sizeof(*record), 1, out);
	if (!tracing && record->kind == KIND_MARK)
		fflush(out);
}

static uint32_t kind_of(const uint8_t *code, size_t size)
{
	size_t i = 0;

	while (i + 1 < size && ((code[i] & 0xf0) == 0x40 || code[i] == 0xf2 ||
				code[i] == 0x2e || code[i] == 0x3e))
		i++;
	if (code[i] == 0xe8 ||
	    (code[i] == 0xff && i + 1 < size && (code[i + 1] & 0x38) == 0x10))
		return KIND_CALL;
	if (code[i] == 0xc3 || code[i] == 0xc2)
		return KIND_RETURN;
	return KIND_OTHER;
}

/* Never freed: a block that is translated again gets new ones. */
static struct record *record_new(void)
{
	static struct record *block;
	static size_t left;

	if (!left) {
		left = 4096;
		block = calloc(left, sizeof(*block));
		if (!block)
			abort();
	}
	left--;
	return block++;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		const uint8_t *code = qemu_plugin_insn_data(insn);
		struct record *record = record_new();
		uint32_t mark;

		record->address = qemu_plugin_insn_vaddr(insn);
		record->length = qemu_plugin_insn_size(insn);
		record->kind = kind_of(code, record->length);
		if (record->length == 7 && !memcmp(code, "\x0f\x1f\x80", 3)) {
			memcpy(&mark, code + 3, sizeof(mark));
			if ((mark & ~0xffU) == MARK_MAGIC) {
				record->kind = KIND_MARK;
				record->length = mark & 0xff;
			}
		}
		qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, 0,
						       record);
	}
}

__attribute__((visibility("default")))
int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc,
			char **argv)
{
	(void)info;
	if (argc != 1 || strncmp(argv[0], "out=", 4))
		return -1;
	out = fopen(argv[0] + 4, "w");
	if (!out)
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
