/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_ATTRS_H
#define KMQ_ATTRS_H

#include <linux/types.h>
#include <linux/kmq.h>

/*
 * The attributes of a queue. Fields bear the names of the MQI attributes and are
 * described, with their values, by the table in attr.c. Integers that the fast
 * path reads come first. Text is blank padded.
 */
struct kmq_queue_attrs {
	s32 inhibit_get;
	s32 inhibit_put;
	s32 def_priority;
	s32 def_persistence;
	s32 max_q_depth;
	s32 max_msg_length;
	s32 msg_delivery_sequence;
	s32 cap_expiry;
	s32 def_put_response;
	s32 shareability;
	s32 def_input_open_option;
	s32 definition_type;
	s32 usage;
	s32 scope;
	s32 base_type;
	s32 def_read_ahead;
	s32 harden_get_backout;
	s32 backout_threshold;
	s32 trigger_control;
	s32 trigger_type;
	s32 trigger_depth;
	s32 trigger_msg_priority;
	s32 q_depth_high_limit;
	s32 q_depth_low_limit;
	s32 q_depth_max_event;
	s32 q_depth_high_event;
	s32 q_depth_low_event;
	s32 q_service_interval;
	s32 q_service_interval_event;
	s32 retention_interval;
	s32 def_bind;
	s32 dist_lists;
	s32 index_type;
	s32 property_control;
	s32 npm_class;
	s32 monitoring_q;
	s32 statistics_q;
	s32 accounting_q;
	s32 clwl_q_rank;
	s32 clwl_q_priority;
	s32 clwl_use_q;
	s32 max_q_file_size;
	s32 streaming_q_service;
	s32 uid;
	s32 gid;
	s32 mode;
	u8 q_desc[64];
	u8 trigger_data[64];
	u8 custom[128];
	u8 process_name[KMQ_NAME_LEN];
	u8 initiation_q_name[KMQ_NAME_LEN];
	u8 backout_req_q_name[KMQ_NAME_LEN];
	u8 base_q_name[KMQ_NAME_LEN];
	u8 remote_q_name[KMQ_NAME_LEN];
	u8 remote_q_mgr_name[KMQ_NAME_LEN];
	u8 xmit_q_name[KMQ_NAME_LEN];
	u8 cluster_name[KMQ_NAME_LEN];
	u8 cluster_namelist[KMQ_NAME_LEN];
	u8 streaming_q_name[KMQ_NAME_LEN];
	u8 creation_date[12];
	u8 creation_time[8];
	u8 alteration_date[12];
	u8 alteration_time[8];
};

/* The attributes of a queue manager, likewise. */
struct kmq_qmgr_attrs {
	s32 coded_char_set_id;
	s32 max_msg_length;
	s32 max_uncommitted_msgs;
	s32 max_handles;
	s32 msg_mark_browse_interval;
	s32 max_properties_length;
	s32 trigger_interval;
	s32 performance_event;
	s32 inhibit_event;
	s32 local_event;
	s32 remote_event;
	s32 authority_event;
	s32 start_stop_event;
	s32 clwl_use_q;
	u8 desc[64];
	u8 dead_letter_q_name[KMQ_NAME_LEN];
	u8 def_xmit_q_name[KMQ_NAME_LEN];
	u8 command_input_q_name[KMQ_NAME_LEN];
	u8 repository_name[KMQ_NAME_LEN];
	u8 repository_namelist[KMQ_NAME_LEN];
	u8 alteration_date[12];
	u8 alteration_time[8];
};

/* The attributes of a process, likewise. */
struct kmq_process_attrs {
	s32 appl_type;
	u8 desc[64];
	u8 appl_id[256];
	u8 env_data[128];
	u8 user_data[128];
	u8 alteration_date[12];
	u8 alteration_time[8];
};

/* The attributes of a namelist, but for the names. */
struct kmq_namelist_attrs {
	u8 desc[64];
	u8 alteration_date[12];
	u8 alteration_time[8];
};

#define KMQ_DELIVERY_PRIORITY	0
#define KMQ_DELIVERY_FIFO	1

/* Usage */
#define KMQ_USAGE_XMIT		1

#endif /* KMQ_ATTRS_H */
