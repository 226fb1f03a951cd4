/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Layout of the structures of <linux/kmq.h>: no holes, so that no byte is left
 * unset, and the same for 32-bit and 64-bit programs (UC-095). The sizes and
 * offsets are those of interface version 1 and never change.
 */
#include <stddef.h>
#include "kselftest_harness.h"
#include <linux/kmq.h>

#define SIZE(s, n)	_Static_assert(sizeof(struct s) == (n), #s)
#define AT(s, f, n)	_Static_assert(offsetof(struct s, f) == (n), #s "." #f)

SIZE(kmq_info, 48);
SIZE(kmq_context, 120);
SIZE(kmq_connect, 232);
SIZE(kmq_uow, 16);
SIZE(kmq_open, 360);
SIZE(kmq_resolve, 208);
SIZE(kmq_close, 24);
SIZE(kmq_md, 88);
SIZE(kmq_md_ext, 368);
SIZE(kmq_put, 168);
SIZE(kmq_get, 208);
SIZE(kmq_vec, 32);
SIZE(kmq_signal_status, 24);
SIZE(kmq_put_room, 40);
SIZE(kmq_window_file, 24);
SIZE(kmq_attrs, 104);
SIZE(kmq_list, 136);
SIZE(kmq_status, 152);
SIZE(kmq_attr, 24);
SIZE(kmq_define, 136);
SIZE(kmq_delete, 72);
SIZE(kmq_qmgr_state, 24);
SIZE(kmq_handle_info, 184);
SIZE(kmq_handles, 136);
SIZE(kmq_conn_info, 152);
SIZE(kmq_conns, 56);

AT(kmq_info, out_features, 16);
AT(kmq_info, out_max_batch, 36);
AT(kmq_context, appl_type, 76);
AT(kmq_context, flags, 116);
AT(kmq_connect, out_ctx_id, 96);
AT(kmq_connect, out_context, 104);
AT(kmq_connect, spin, 224);
AT(kmq_open, dynamic_name, 40);
AT(kmq_open, out_resolved_qmgr_name, 184);
AT(kmq_open, object_name, 232);
AT(kmq_open, out_flags, 328);
AT(kmq_open, alt_groups, 352);
AT(kmq_md, format, 24);
AT(kmq_md, msg_id, 40);
AT(kmq_md, correl_id, 64);
AT(kmq_md_ext, reply_q, 40);
AT(kmq_md_ext, put_date, 136);
AT(kmq_md_ext, context, 152);
AT(kmq_md_ext, dest_q, 272);
AT(kmq_put, md, 56);
AT(kmq_put, out_present, 144);
AT(kmq_put, out_ctx_id, 160);
AT(kmq_get, data, 40);
AT(kmq_get, token, 64);
AT(kmq_get, md, 80);
AT(kmq_get, ctx_id, 168);
AT(kmq_get, out_msg_flags, 204);
AT(kmq_vec, entries, 16);
AT(kmq_attrs, selectors, 32);
AT(kmq_attrs, name, 56);
AT(kmq_list, names, 16);
AT(kmq_list, pattern, 32);
AT(kmq_status, out_depth, 64);
AT(kmq_status, out_bytes, 96);
AT(kmq_attr, length, 16);
AT(kmq_define, attrs, 32);
AT(kmq_define, like, 88);

struct field {
	const char *name;
	unsigned int offset, size;
};

#define F(s, f)	{ #f, offsetof(struct s, f), sizeof(((struct s *)0)->f) }

static void no_holes(struct __test_metadata *_metadata, const char *name,
		     const struct field *f, unsigned int n, unsigned int size)
{
	unsigned int i, at = 0;

	for (i = 0; i < n; i++) {
		EXPECT_EQ(at, f[i].offset)
			TH_LOG("hole before %s.%s", name, f[i].name);
		at = f[i].offset + f[i].size;
	}
	EXPECT_EQ(at, size)
		TH_LOG("hole at the end of %s", name);
	EXPECT_EQ(0, size % 4);
}

#define NO_HOLES(s, ...) do {						\
	static const struct field fields[] = { __VA_ARGS__ };		\
	no_holes(_metadata, #s, fields, ARRAY_SIZE(fields),		\
		 sizeof(struct s));					\
} while (0)

TEST(structures_have_no_holes)
{
	NO_HOLES(kmq_info, F(kmq_info, size), F(kmq_info, flags),
		 F(kmq_info, out_abi), F(kmq_info, out_node),
		 F(kmq_info, out_features), F(kmq_info, out_max_msg_length),
		 F(kmq_info, out_max_queues), F(kmq_info, out_max_handles),
		 F(kmq_info, out_max_batch), F(kmq_info, out_qmgr_state),
		 F(kmq_info, out_began), F(kmq_info, out_holds));
	NO_HOLES(kmq_context, F(kmq_context, user_id),
		 F(kmq_context, accounting), F(kmq_context, appl_identity),
		 F(kmq_context, appl_type), F(kmq_context, appl_name),
		 F(kmq_context, appl_origin), F(kmq_context, uid),
		 F(kmq_context, flags));
	NO_HOLES(kmq_connect, F(kmq_connect, size), F(kmq_connect, flags),
		 F(kmq_connect, out_comp_code), F(kmq_connect, out_reason),
		 F(kmq_connect, out_qmgr_name),
		 F(kmq_connect, out_connection_id), F(kmq_connect, out_ccsid),
		 F(kmq_connect, out_ctx_pad), F(kmq_connect, out_ctx_id),
		 F(kmq_connect, out_context), F(kmq_connect, spin),
		 F(kmq_connect, reserved));
	NO_HOLES(kmq_uow, F(kmq_uow, size), F(kmq_uow, flags),
		 F(kmq_uow, out_comp_code), F(kmq_uow, out_reason));
	NO_HOLES(kmq_open, F(kmq_open, size), F(kmq_open, flags),
		 F(kmq_open, out_comp_code), F(kmq_open, out_reason),
		 F(kmq_open, conn_fd), F(kmq_open, options),
		 F(kmq_open, out_q_type), F(kmq_open, out_def_put_response),
		 F(kmq_open, out_property_control), F(kmq_open, reserved),
		 F(kmq_open, dynamic_name), F(kmq_open, out_q_name),
		 F(kmq_open, out_resolved_q_name),
		 F(kmq_open, out_resolved_qmgr_name),
		 F(kmq_open, object_name), F(kmq_open, object_qmgr_name),
		 F(kmq_open, out_flags), F(kmq_open, reserved2),
		 F(kmq_open, alt_uid), F(kmq_open, alt_gid),
		 F(kmq_open, alt_group_count), F(kmq_open, alt_reserved),
		 F(kmq_open, alt_groups));
	NO_HOLES(kmq_resolve, F(kmq_resolve, size), F(kmq_resolve, flags),
		 F(kmq_resolve, out_comp_code), F(kmq_resolve, out_reason),
		 F(kmq_resolve, object_name), F(kmq_resolve, object_qmgr_name),
		 F(kmq_resolve, out_node_name),
		 F(kmq_resolve, out_node_qmgr_name));
	NO_HOLES(kmq_close, F(kmq_close, size), F(kmq_close, flags),
		 F(kmq_close, out_comp_code), F(kmq_close, out_reason),
		 F(kmq_close, options), F(kmq_close, reserved));
	NO_HOLES(kmq_md, F(kmq_md, report), F(kmq_md, msg_type),
		 F(kmq_md, expiry), F(kmq_md, feedback), F(kmq_md, encoding),
		 F(kmq_md, ccsid), F(kmq_md, format), F(kmq_md, priority),
		 F(kmq_md, persistence), F(kmq_md, msg_id),
		 F(kmq_md, correl_id));
	NO_HOLES(kmq_md_ext, F(kmq_md_ext, group_id),
		 F(kmq_md_ext, msg_seq_number), F(kmq_md_ext, offset),
		 F(kmq_md_ext, msg_flags), F(kmq_md_ext, original_length),
		 F(kmq_md_ext, reply_q), F(kmq_md_ext, reply_qmgr),
		 F(kmq_md_ext, put_date), F(kmq_md_ext, put_time),
		 F(kmq_md_ext, context), F(kmq_md_ext, dest_q),
		 F(kmq_md_ext, dest_qmgr));
	NO_HOLES(kmq_put, F(kmq_put, size), F(kmq_put, flags),
		 F(kmq_put, out_comp_code), F(kmq_put, out_reason),
		 F(kmq_put, options), F(kmq_put, pmo_version),
		 F(kmq_put, md_version), F(kmq_put, length),
		 F(kmq_put, conn_fd), F(kmq_put, data), F(kmq_put, ext),
		 F(kmq_put, present), F(kmq_put, context_fd), F(kmq_put, md),
		 F(kmq_put, out_present), F(kmq_put, out_flags),
		 F(kmq_put, out_put_time), F(kmq_put, out_ctx_id));
	NO_HOLES(kmq_get, F(kmq_get, size), F(kmq_get, flags),
		 F(kmq_get, out_comp_code), F(kmq_get, out_reason),
		 F(kmq_get, options), F(kmq_get, match_options),
		 F(kmq_get, gmo_version), F(kmq_get, md_version),
		 F(kmq_get, length), F(kmq_get, wait_interval),
		 F(kmq_get, signal1), F(kmq_get, data), F(kmq_get, ext),
		 F(kmq_get, deadline), F(kmq_get, token), F(kmq_get, md),
		 F(kmq_get, ctx_id), F(kmq_get, out_put_time),
		 F(kmq_get, out_data_length), F(kmq_get, out_returned_length),
		 F(kmq_get, out_present), F(kmq_get, out_flags),
		 F(kmq_get, out_backout_count), F(kmq_get, out_msg_flags));
	NO_HOLES(kmq_vec, F(kmq_vec, size), F(kmq_vec, flags),
		 F(kmq_vec, count), F(kmq_vec, stride), F(kmq_vec, entries),
		 F(kmq_vec, out_done), F(kmq_vec, out_window));
	NO_HOLES(kmq_window_file, F(kmq_window_file, size),
		 F(kmq_window_file, flags),
		 F(kmq_window_file, out_comp_code),
		 F(kmq_window_file, out_reason), F(kmq_window_file, out_fd),
		 F(kmq_window_file, reserved));
	NO_HOLES(kmq_signal_status, F(kmq_signal_status, size),
		 F(kmq_signal_status, flags),
		 F(kmq_signal_status, out_comp_code),
		 F(kmq_signal_status, out_reason),
		 F(kmq_signal_status, out_status),
		 F(kmq_signal_status, reserved));
	NO_HOLES(kmq_attrs, F(kmq_attrs, size), F(kmq_attrs, flags),
		 F(kmq_attrs, out_comp_code), F(kmq_attrs, out_reason),
		 F(kmq_attrs, object_type), F(kmq_attrs, selector_count),
		 F(kmq_attrs, int_attr_count), F(kmq_attrs, char_attr_length),
		 F(kmq_attrs, selectors), F(kmq_attrs, int_attrs),
		 F(kmq_attrs, char_attrs), F(kmq_attrs, name));
	NO_HOLES(kmq_list, F(kmq_list, size), F(kmq_list, flags),
		 F(kmq_list, q_type), F(kmq_list, count), F(kmq_list, names),
		 F(kmq_list, out_count), F(kmq_list, reserved),
		 F(kmq_list, pattern), F(kmq_list, after),
		 F(kmq_list, object_type), F(kmq_list, reserved2));
	NO_HOLES(kmq_status, F(kmq_status, size), F(kmq_status, flags),
		 F(kmq_status, out_comp_code), F(kmq_status, out_reason),
		 F(kmq_status, name), F(kmq_status, out_depth),
		 F(kmq_status, out_open_input), F(kmq_status, out_open_output),
		 F(kmq_status, out_waiters),
		 F(kmq_status, out_uncommitted_puts),
		 F(kmq_status, out_uncommitted_gets),
		 F(kmq_status, out_locked), F(kmq_status, reserved),
		 F(kmq_status, out_bytes), F(kmq_status, out_memory),
		 F(kmq_status, out_last_put_time),
		 F(kmq_status, out_last_get_time),
		 F(kmq_status, out_oldest_time), F(kmq_status, out_total_puts),
		 F(kmq_status, out_total_gets));
	NO_HOLES(kmq_attr, F(kmq_attr, selector), F(kmq_attr, value),
		 F(kmq_attr, string), F(kmq_attr, length),
		 F(kmq_attr, reserved));
	NO_HOLES(kmq_define, F(kmq_define, size), F(kmq_define, flags),
		 F(kmq_define, out_comp_code), F(kmq_define, out_reason),
		 F(kmq_define, object_type), F(kmq_define, q_type),
		 F(kmq_define, attr_count), F(kmq_define, out_selector),
		 F(kmq_define, attrs), F(kmq_define, name),
		 F(kmq_define, like));
	NO_HOLES(kmq_delete, F(kmq_delete, size), F(kmq_delete, flags),
		 F(kmq_delete, out_comp_code), F(kmq_delete, out_reason),
		 F(kmq_delete, object_type), F(kmq_delete, q_type),
		 F(kmq_delete, name));
	NO_HOLES(kmq_qmgr_state, F(kmq_qmgr_state, size),
		 F(kmq_qmgr_state, flags), F(kmq_qmgr_state, out_comp_code),
		 F(kmq_qmgr_state, out_reason), F(kmq_qmgr_state, state),
		 F(kmq_qmgr_state, out_state));
}

/* Command numbers are never reused; the size is not part of them. */
TEST(numbers)
{
	EXPECT_EQ(0xBE00, KMQ_IOC_INFO);
	EXPECT_EQ(0xBE04, KMQ_IOC_BACKOUT);
	EXPECT_EQ(0xBE08, KMQ_IOC_STATUS);
	EXPECT_EQ(0xBE09, KMQ_IOC_RESOLVE);
	EXPECT_EQ(0xBE10, KMQ_IOC_OPEN);
	EXPECT_EQ(0xBE14, KMQ_IOC_GET);
	EXPECT_EQ(0xBE17, KMQ_IOC_SIGNAL_STATUS);
	EXPECT_EQ(0xBE20, KMQ_IOC_DEFINE);
	EXPECT_EQ(0xBE24, KMQ_IOC_QMGR_STATE);
}

TEST_HARNESS_MAIN
