/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * kmq: MQI message queues as character devices - the ioctl interface.
 */
#ifndef _UAPI_LINUX_KMQ_H
#define _UAPI_LINUX_KMQ_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * DOC: Nodes
 *
 * /dev/kmq/<QMGR>/qmgr
 *	every open file of this node is one *connection*: the owner of a unit
 *	of work. Its last close, however it comes about, backs the unit out,
 *	and so does the end of the process that connected, whoever else has
 *	the descriptor (U-END-7). Neither waits for a call that is under way:
 *	what that has in its hands is backed out when it ends.
 * /dev/kmq/<QMGR>/queue/<NAME>
 *	one per queue. An open file becomes a *queue handle* by KMQ_IOC_OPEN,
 *	which binds it to a connection. Until then plain read(), write() and
 *	poll() work, one message a call.
 * /dev/kmq/<QMGR>/admin
 *	whoever may write to it may define, alter, delete and clear; whoever
 *	may read it may look at everything.
 * /dev/kmq/control
 *	whoever may write to it may create and remove queue managers.
 *
 * In the names '/' and '%' appear as %2F and %25, and a queue called "." or
 * ".." as %2E or %2E%2E. All names in structures are fixed-length fields of
 * blank padded text; on input a null byte ends the text.
 *
 * DOC: How the structures grow
 *
 * Each structure begins with @size, set by the caller to the size it knows.
 * Fields are only ever added at the end. A kernel that knows more takes the
 * missing fields as zero; a kernel that knows less accepts a longer structure
 * if the rest is zero. Flags and reserved fields a kernel does not know must
 * be zero. Command numbers are never reused.
 *
 * DOC: Two kinds of result
 *
 * A call that could not be carried out as such fails with errno and has had no
 * effect. There is one exception: a put whose structure can be read but not
 * written back fails with EFAULT after the message was put.
 * A call that was carried out returns 0, and the MQI result stands in
 * @out_comp_code (0 OK, 1 warning, 2 failed) and @out_reason (MQRC value). With
 * out_comp_code 2 no other output field is written, unless it says so.
 *
 * =========== ==============================================================
 * errno       meaning, for every command
 * =========== ==============================================================
 * EFAULT      the structure, or memory it points to that is not message data,
 *             cannot be read or written (unusable message data is reason 2004)
 * EINVAL      size below the smallest known one; an unknown flag; a reserved
 *             field that is not zero; a field out of its stated range
 * E2BIG       size above the known one and a byte behind it that is not zero;
 *             size above that of a page of memory
 * ENOTTY      the command does not exist, or not for this kind of node
 * EBADF       a descriptor field does not name an open file of the right node;
 *             the file is not open for reading, or for writing, which the
 *             command needs
 * EXDEV       the descriptors belong to different queue managers, and no name
 *             was given that leads from one to the other
 * ENOTCONN    the queue descriptor has not been bound by KMQ_IOC_OPEN
 * EISCONN     KMQ_IOC_OPEN on a descriptor that is, or was, bound
 * ENOMEM      there is not enough memory for copies of lists and attributes
 * EINTR       a signal came while the call waited; nothing happened, and a
 *             deadline was written back so that the call can be repeated
 * =========== ==============================================================
 */

#define KMQ_ABI_VERSION		1

#define KMQ_NAME_LEN		48
#define KMQ_ID_LEN		24
#define KMQ_TOKEN_LEN		16

#define KMQ_IOC_MAGIC		0xBE

enum {
	KMQ_CMD_INFO		= 0x00,
	KMQ_CMD_CONNECT		= 0x01,
	KMQ_CMD_BEGIN		= 0x02,
	KMQ_CMD_COMMIT		= 0x03,
	KMQ_CMD_BACKOUT		= 0x04,
	KMQ_CMD_LIST		= 0x05,
	KMQ_CMD_INQUIRE		= 0x06,
	KMQ_CMD_SET		= 0x07,
	KMQ_CMD_STATUS		= 0x08,
	KMQ_CMD_RESOLVE		= 0x09,
	KMQ_CMD_HANDLES		= 0x0a,
	KMQ_CMD_CONNS		= 0x0b,

	KMQ_CMD_OPEN		= 0x10,
	KMQ_CMD_CLOSE		= 0x11,
	KMQ_CMD_PUT		= 0x12,
	KMQ_CMD_PUT1		= 0x13,
	KMQ_CMD_GET		= 0x14,
	KMQ_CMD_PUTV		= 0x15,
	KMQ_CMD_GETV		= 0x16,
	KMQ_CMD_SIGNAL_STATUS	= 0x17,
	KMQ_CMD_PUT_ROOM	= 0x18,
	KMQ_CMD_WINDOW		= 0x19,

	KMQ_CMD_DEFINE		= 0x20,
	KMQ_CMD_ALTER		= 0x21,
	KMQ_CMD_DELETE		= 0x22,
	KMQ_CMD_CLEAR		= 0x23,
	KMQ_CMD_QMGR_STATE	= 0x24,
	KMQ_CMD_CONN_STATE	= 0x25,

	KMQ_CMD_QMGR_CREATE	= 0x30,
	KMQ_CMD_QMGR_DELETE	= 0x31,
};

/* The structure size is not part of the number, so that it may grow. */
#define KMQ_IOC(cmd)		_IO(KMQ_IOC_MAGIC, (cmd))

/**
 * struct kmq_info - what this kernel offers (every node)
 * @size: sizeof(struct kmq_info)
 * @flags: KMQ_INFO_TAKE
 * @out_abi: KMQ_ABI_VERSION of the kernel
 * @out_node: kind of node asked, KMQ_NODE_*
 * @out_features: KMQ_FEATURE_*
 * @out_max_msg_length: longest message of any queue, bytes
 * @out_max_queues: nodes, hence queues, of all queue managers together
 * @out_max_handles: default limit of queue handles of one connection
 * @out_max_batch: entries of one KMQ_IOC_PUTV or KMQ_IOC_GETV
 * @out_qmgr_state: KMQ_QMGR_* of the queue manager; 0 on the control node
 * @out_began: KMQ_EVENT_*: what has begun since that was taken; 0 on other
 *	files than a connection's
 * @out_holds: KMQ_EVENT_*: what is the case, likewise
 *
 * Names the interface version and the limits. Never fails with a reason.
 *
 * A connection keeps in mind what begins, though it be over by the time anybody
 * asks. Until KMQ_INFO_TAKE takes it, poll() reports EPOLLPRI for the file.
 */
struct kmq_info {
	__u32 size;
	__u32 flags;
	__u32 out_abi;
	__u32 out_node;
	__aligned_u64 out_features;
	__u32 out_max_msg_length;
	__u32 out_max_queues;
	__u32 out_max_handles;
	__u32 out_max_batch;
	__u32 out_qmgr_state;
	__u16 out_began;
	__u16 out_holds;
};

#define KMQ_IOC_INFO		KMQ_IOC(KMQ_CMD_INFO)

#define KMQ_INFO_TAKE		(1U << 0)	/* on a connection's file only */

#define KMQ_EVENT_QUIESCING	(1U << 0)	/* the queue manager quiesces */
#define KMQ_EVENT_STOPPING	(1U << 1)	/* it stops */
#define KMQ_EVENT_CONN_QUIESCING (1U << 2)	/* see struct kmq_conn_state */

#define KMQ_NODE_CONTROL	0
#define KMQ_NODE_QMGR		1
#define KMQ_NODE_ADMIN		2
#define KMQ_NODE_QUEUE		3

#define KMQ_FEATURE_QUEUES	(1ULL << 0)	/* queues and priorities */
#define KMQ_FEATURE_SELECT	(1ULL << 1)	/* matching, browse, locks, marks */
#define KMQ_FEATURE_GROUPS	(1ULL << 2)	/* logical order, reassembly */
#define KMQ_FEATURE_UOW		(1ULL << 3)	/* units of work */
#define KMQ_FEATURE_SIGNALS	(1ULL << 4)	/* MQGMO_SET_SIGNAL */
#define KMQ_FEATURE_BATCH	(1ULL << 5)	/* PUTV and GETV */

/**
 * struct kmq_context - message context shared by all messages of one origin
 * @user_id: UserIdentifier. With KMQ_CTX_UID the kernel does not know names:
 *	the field then holds @uid in decimal, and a library shows the login
 *	name instead
 * @accounting: AccountingToken
 * @appl_identity: ApplIdentityData
 * @appl_type: PutApplType
 * @appl_name: PutApplName
 * @appl_origin: ApplOriginData
 * @uid: numeric user id, with KMQ_CTX_UID
 * @flags: KMQ_CTX_*
 */
struct kmq_context {
	__u8 user_id[12];
	__u8 accounting[32];
	__u8 appl_identity[32];
	__s32 appl_type;
	__u8 appl_name[28];
	__u8 appl_origin[4];
	__u32 uid;
	__u32 flags;
};

#define KMQ_CTX_UID		(1U << 0)

/**
 * struct kmq_connect - make the open qmgr file a connection
 * @size: sizeof(struct kmq_connect)
 * @flags: none defined, 0
 * @out_comp_code: MQI completion code
 * @out_reason: 2161, 2162, 2009, 2071, 2219; 2002 warning if the file is
 *	connected already
 * @out_qmgr_name: name of the queue manager
 * @out_connection_id: 24 bytes unique for this connection
 * @out_ccsid: CodedCharSetId of the queue manager
 * @out_ctx_pad: 0
 * @out_ctx_id: number of the default context, see struct kmq_get
 * @out_context: the context that a put gets by default
 * @spin: how long a get that waits looks out for its message before it sleeps,
 *	nanoseconds, at most KMQ_MAX_SPIN; 0: it sleeps at once. Ignored if the
 *	file is connected already
 * @reserved: 0
 *
 * Looking out takes the processor's time and saves that of being woken, which is
 * a gain if whoever puts runs on another processor and answers soon. It ends when
 * something else is to run there, and is left out with one processor.
 *
 * MQCONN (O-CONN-2, O-CONN-8, P-CTX-5). Identity and program name are those of
 * the caller and are taken down now.
 */
struct kmq_connect {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__u8 out_qmgr_name[KMQ_NAME_LEN];
	__u8 out_connection_id[KMQ_ID_LEN];
	__s32 out_ccsid;
	__u32 out_ctx_pad;
	__aligned_u64 out_ctx_id;
	struct kmq_context out_context;
	__u32 spin;
	__u32 reserved;
};

#define KMQ_MAX_SPIN		1000000

#define KMQ_IOC_CONNECT		KMQ_IOC(KMQ_CMD_CONNECT)

/**
 * struct kmq_uow - begin or end the unit of work of a connection
 * @size: sizeof(struct kmq_uow)
 * @flags: none defined, 0
 * @out_comp_code: MQI completion code
 * @out_reason: BEGIN: 2121 warning, 2128; COMMIT: 2003 warning if the unit had
 *	to be backed out; 2009, 2219
 *
 * KMQ_IOC_BEGIN, KMQ_IOC_COMMIT and KMQ_IOC_BACKOUT on a qmgr file (U-BEG,
 * U-CMIT, U-BACK). Neither ending a unit nor taking it back needs memory.
 */
struct kmq_uow {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
};

#define KMQ_IOC_BEGIN		KMQ_IOC(KMQ_CMD_BEGIN)
#define KMQ_IOC_COMMIT		KMQ_IOC(KMQ_CMD_COMMIT)
#define KMQ_IOC_BACKOUT		KMQ_IOC(KMQ_CMD_BACKOUT)

/**
 * struct kmq_open - bind a queue file to a connection (MQOPEN)
 * @size: sizeof(struct kmq_open)
 * @flags: KMQ_OPEN_*
 * @out_comp_code: MQI completion code
 * @out_reason: 2001, 2011, 2017, 2035, 2042, 2046, 2071, 2082, 2085, 2100,
 *	2161, ... (O-OPEN-13)
 * @conn_fd: descriptor of the connection; not needed any more afterwards, the
 *	handle holds a reference. It may be another queue manager's than the
 *	node only if @object_name leads there
 * @options: MQOO_*
 * @out_q_type: MQQT_* of the queue opened
 * @out_def_put_response: MQPRT_* of the definition named
 * @out_property_control: MQPROP_* of the definition named
 * @reserved: 0
 * @dynamic_name: name or pattern for the queue a model makes
 * @out_q_name: the queue opened: for a model the new queue
 * @out_resolved_q_name: queue behind the name, at its queue manager; with
 *	MQOO_RESOLVE_LOCAL_Q the local queue that takes the messages
 * @out_resolved_qmgr_name: queue manager of that queue; blank if each put
 *	chooses one
 * @object_name: ObjectName, blank: the name of the node
 * @object_qmgr_name: ObjectQMgrName, blank: the connection's queue manager
 * @out_flags: KMQ_OPEN_OUT_*
 * @reserved2: 0
 * @alt_uid: with KMQ_OPEN_ALT_USER: user id of AlternateUserId
 * @alt_gid: its group
 * @alt_group_count: how many further groups it has, at most 65536
 * @alt_reserved: 0
 * @alt_groups: address of their ids (__u32)
 *
 * Which node to open for a pair of names KMQ_IOC_RESOLVE tells; they have to
 * lead to this node still, else 2085.
 *
 * Rights: INPUT_*, BROWSE and INQUIRE need a file opened for reading, OUTPUT
 * one opened for writing; SET and SET_*_CONTEXT the owner of the node or
 * CAP_SYS_ADMIN (O-AUTH-3). ALTERNATE_USER_AUTHORITY needs the owner of the
 * qmgr node or CAP_SYS_ADMIN and a user with KMQ_OPEN_ALT_USER; each right must
 * then be that user's, too.
 */
struct kmq_open {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__s32 conn_fd;
	__u32 options;
	__s32 out_q_type;
	__s32 out_def_put_response;
	__s32 out_property_control;
	__u32 reserved;
	__u8 dynamic_name[KMQ_NAME_LEN];
	__u8 out_q_name[KMQ_NAME_LEN];
	__u8 out_resolved_q_name[KMQ_NAME_LEN];
	__u8 out_resolved_qmgr_name[KMQ_NAME_LEN];
	__u8 object_name[KMQ_NAME_LEN];
	__u8 object_qmgr_name[KMQ_NAME_LEN];
	__u32 out_flags;
	__u32 reserved2;
	__u32 alt_uid;
	__u32 alt_gid;
	__u32 alt_group_count;
	__u32 alt_reserved;
	__aligned_u64 alt_groups;
};

#define KMQ_IOC_OPEN		KMQ_IOC(KMQ_CMD_OPEN)

/* The alternate user exists and is given. */
#define KMQ_OPEN_ALT_USER	(1U << 0)
/* Messages go to another queue manager. */
#define KMQ_OPEN_OUT_REMOTE	(1U << 0)
/* Puts tell where their message went, see KMQ_PUT_WANT_DEST. */
#define KMQ_OPEN_OUT_ROUTED	(1U << 1)
/* Gets are to read ahead, by an option or as the definition named says. */
#define KMQ_OPEN_OUT_READ_AHEAD	(1U << 2)

/**
 * struct kmq_resolve - which node to open for a name (qmgr file)
 * @size: sizeof(struct kmq_resolve)
 * @flags: none defined, 0
 * @out_comp_code: MQI completion code
 * @out_reason: 2085; 2087, 2091, 2092, 2184, 2197, 2198, 2199 if the way to the
 *	queue manager is what is wrong (O-RES-2); 2270 a cluster queue has no
 *	instance left
 * @object_name: ObjectName
 * @object_qmgr_name: ObjectQMgrName, blank: the connection's queue manager
 * @out_node_name: name of the queue whose node is to be opened
 * @out_node_qmgr_name: its queue manager
 *
 * Only names that are not those of a definition of the connection's own queue
 * manager need to be asked about: names at other queue managers, for which the
 * right to a transmission queue counts (O-AUTH-2), and cluster queues that have
 * no instance here, for which the right to any instance does.
 */
struct kmq_resolve {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__u8 object_name[KMQ_NAME_LEN];
	__u8 object_qmgr_name[KMQ_NAME_LEN];
	__u8 out_node_name[KMQ_NAME_LEN];
	__u8 out_node_qmgr_name[KMQ_NAME_LEN];
};

#define KMQ_IOC_RESOLVE		KMQ_IOC(KMQ_CMD_RESOLVE)

/**
 * struct kmq_close - end a queue handle (MQCLOSE)
 * @size: sizeof(struct kmq_close)
 * @flags: none defined, 0
 * @out_comp_code: MQI completion code
 * @out_reason: 2241, 2242 warnings; 2045, 2046, 2055, 2035, 2219
 * @options: MQCO_*
 * @reserved: 0
 *
 * After OK or a warning the handle is gone: the descriptor is good for close()
 * only, every other use meets ENOTCONN. The last close() of a bound file does
 * the same with MQCO_NONE and no warnings, also while the connection is in a
 * call, for which it does not wait.
 */
struct kmq_close {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__u32 options;
	__u32 reserved;
};

#define KMQ_IOC_CLOSE		KMQ_IOC(KMQ_CMD_CLOSE)

/**
 * struct kmq_md - the part of a message descriptor that every call carries
 * @report: MQRO_*
 * @msg_type: MQMT_*
 * @expiry: tenths of a second, -1 never
 * @feedback: MQFB_*
 * @encoding: MQENC_*
 * @ccsid: CodedCharSetId
 * @format: 8 characters
 * @priority: 0..9, -1 as the queue defines
 * @persistence: 0, 1, 2 as the queue defines
 * @msg_id: MsgId
 * @correl_id: CorrelId
 *
 * Fields have the order, meaning and values of an MQMD.
 */
struct kmq_md {
	__s32 report;
	__s32 msg_type;
	__s32 expiry;
	__s32 feedback;
	__s32 encoding;
	__s32 ccsid;
	__u8 format[8];
	__s32 priority;
	__s32 persistence;
	__u8 msg_id[KMQ_ID_LEN];
	__u8 correl_id[KMQ_ID_LEN];
};

/**
 * struct kmq_md_ext - descriptor parts that travel only when they matter
 * @group_id: GroupId                               (KMQ_MD_GROUP)
 * @msg_seq_number: MsgSeqNumber                    (KMQ_MD_GROUP)
 * @offset: Offset                                  (KMQ_MD_GROUP)
 * @msg_flags: MQMF_*                               (KMQ_MD_GROUP)
 * @original_length: OriginalLength                 (KMQ_MD_GROUP)
 * @reply_q: ReplyToQ                               (KMQ_MD_REPLY)
 * @reply_qmgr: ReplyToQMgr                         (KMQ_MD_REPLY)
 * @put_date: PutDate, YYYYMMDD                     (KMQ_MD_DATE)
 * @put_time: PutTime, HHMMSSTH                     (KMQ_MD_DATE)
 * @context: identity and origin                    (KMQ_MD_CONTEXT)
 * @dest_q: in: ObjectName; out: where it went      (KMQ_MD_DEST)
 * @dest_qmgr: in: ObjectQMgrName; out: likewise    (KMQ_MD_DEST)
 *
 * The kernel reads and writes only the parts named by the present mask of the
 * command. A part left out is at its default: GroupId null, sequence 1,
 * offset 0, flags 0, original length -1; reply names blank; context generated.
 */
struct kmq_md_ext {
	__u8 group_id[KMQ_ID_LEN];
	__s32 msg_seq_number;
	__s32 offset;
	__u32 msg_flags;
	__s32 original_length;
	__u8 reply_q[KMQ_NAME_LEN];
	__u8 reply_qmgr[KMQ_NAME_LEN];
	__u8 put_date[8];
	__u8 put_time[8];
	struct kmq_context context;
	__u8 dest_q[KMQ_NAME_LEN];
	__u8 dest_qmgr[KMQ_NAME_LEN];
};

#define KMQ_MD_GROUP		(1U << 0)
#define KMQ_MD_REPLY		(1U << 1)
#define KMQ_MD_DATE		(1U << 2)
#define KMQ_MD_CONTEXT		(1U << 3)
#define KMQ_MD_DEST		(1U << 4)	/* puts only */
#define KMQ_MD_ALL		0x1fU

/**
 * struct kmq_put - put one message (MQPUT, MQPUT1)
 * @size: sizeof(struct kmq_put)
 * @flags: KMQ_PUT_*
 * @out_comp_code: MQI completion code
 * @out_reason: reasons of MQPUT (P-CHK-1)
 * @options: MQPMO_*
 * @pmo_version: version of the caller's MQPMO, 0 if it is missing or malformed
 * @md_version: version of the caller's MQMD, 0 likewise
 * @length: BufferLength; with KMQ_PUT_MDE it includes the 72 bytes of the MQMDE
 * @conn_fd: KMQ_IOC_PUT1: descriptor of the connection; else 0
 * @data: address of the message data; with KMQ_PUT_MDE of what follows the MQMDE
 * @ext: address of a struct kmq_md_ext, or 0. Needed whenever @present is not 0,
 *	and written for the parts that out_present names; a caller that wants no
 *	output parts passes 0
 * @present: KMQ_MD_* parts given at @ext. KMQ_MD_DATE and KMQ_MD_CONTEXT are
 *	looked at for MQPMO_SET_*_CONTEXT only, KMQ_MD_DEST for KMQ_IOC_PUT1:
 *	what object_name and object_qmgr_name are for struct kmq_open
 * @context_fd: MQPMO_PASS_*: descriptor of the queue handle whose context is
 *	passed on, or -1 if the program gave none that is open
 * @md: descriptor; on OK and WARNING the values stored with the message
 * @out_present: KMQ_MD_* parts written to @ext: GROUP if the fields used are not
 *	those given, REPLY if they were replaced, DATE and CONTEXT if the
 *	message's context is not the connection's default one, DEST with
 *	KMQ_PUT_WANT_DEST
 * @out_flags: in: 0; out: KMQ_PUT_OUT_*
 * @out_put_time: time of the put, nanoseconds of CLOCK_REALTIME, 0 if the
 *	message carries a date from elsewhere
 * @out_ctx_id: number of the message's context (struct kmq_get)
 *
 * The data is copied before the call returns. It is read with no lock held.
 */
struct kmq_put {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__u32 options;
	__u16 pmo_version;
	__u16 md_version;
	__s32 length;
	__s32 conn_fd;
	__aligned_u64 data;
	__aligned_u64 ext;
	__u32 present;
	__s32 context_fd;
	struct kmq_md md;
	__u32 out_present;
	__u32 out_flags;
	__aligned_u64 out_put_time;
	__aligned_u64 out_ctx_id;
};

#define KMQ_IOC_PUT		KMQ_IOC(KMQ_CMD_PUT)
#define KMQ_IOC_PUT1		KMQ_IOC(KMQ_CMD_PUT1)

/* An honoured MQMDE heads the data; its values stand in the GROUP part. */
#define KMQ_PUT_MDE		(1U << 0)
/* The data is headed by an MQMDE whose structure is wrong: 2248. */
#define KMQ_PUT_MDE_BAD		(1U << 1)
/*
 * Write the DEST part: the queue the message went to, as out_resolved_q_name of
 * struct kmq_open; with MQPMO_RESOLVE_LOCAL_Q the local queue that took it.
 */
#define KMQ_PUT_WANT_DEST	(1U << 2)

/* The message goes to another queue manager. */
#define KMQ_PUT_OUT_REMOTE	(1U << 0)

/**
 * struct kmq_get - get or browse one message (MQGET)
 * @size: sizeof(struct kmq_get)
 * @flags: KMQ_GET_*
 * @out_comp_code: MQI completion code
 * @out_reason: reasons of MQGET (get.md sections 4 and 16)
 * @options: MQGMO_*
 * @match_options: MQMO_*, 3 for a version-1 MQGMO
 * @gmo_version: version of the caller's MQGMO, 0 if it is missing or malformed
 * @md_version: version of the caller's MQMD, 0 likewise
 * @length: BufferLength
 * @wait_interval: WaitInterval, milliseconds
 * @signal1: Signal1
 * @data: address of the buffer
 * @ext: address of a struct kmq_md_ext, or 0 if no part is wanted. The GROUP part
 *	is read with MQMO_MATCH_GROUP_ID, _MSG_SEQ_NUMBER and _OFFSET
 * @deadline: CLOCK_MONOTONIC nanoseconds at which a wait ends; 0: from
 *	@wait_interval. Written back with EINTR
 * @token: MsgToken, read with MQMO_MATCH_MSG_TOKEN, always written
 * @md: in MsgId, CorrelId; out the whole descriptor
 * @ctx_id: in: number of the context the caller still has from an earlier call,
 *	or 0; out: the number of this message's context. If both are equal the
 *	context part is not written
 * @out_put_time: time of the put, nanoseconds of CLOCK_REALTIME, 0 if the DATE
 *	part was written instead
 * @out_data_length: DataLength
 * @out_returned_length: bytes placed in the buffer
 * @out_present: KMQ_MD_* parts written to @ext
 * @out_flags: KMQ_GET_OUT_*
 * @out_backout_count: BackoutCount
 * @out_msg_flags: MsgFlags, also when the GROUP part was not written
 *
 * A removing get takes the message off the queue, copies it out with no lock
 * held and only then lets it go: when the copy fails it is back in its place.
 */
struct kmq_get {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__u32 options;
	__u32 match_options;
	__u16 gmo_version;
	__u16 md_version;
	__s32 length;
	__s32 wait_interval;
	__s32 signal1;
	__aligned_u64 data;
	__aligned_u64 ext;
	__aligned_u64 deadline;
	__u8 token[KMQ_TOKEN_LEN];
	struct kmq_md md;
	__aligned_u64 ctx_id;
	__aligned_u64 out_put_time;
	__s32 out_data_length;
	__s32 out_returned_length;
	__u32 out_present;
	__u32 out_flags;
	__s32 out_backout_count;
	__u32 out_msg_flags;
};

#define KMQ_IOC_GET		KMQ_IOC(KMQ_CMD_GET)

/* The program's DataLength address is missing: 2010 in its turn. */
#define KMQ_GET_NO_DATA_LENGTH	(1U << 0)

/*
 * The caller has a version-1 descriptor and the message has group fields: 72
 * bytes at the start of the buffer were left free for an MQMDE.
 */
#define KMQ_GET_OUT_MDE		(1U << 0)

/**
 * struct kmq_vec - put or get several messages in one call
 * @size: sizeof(struct kmq_vec)
 * @flags: KMQ_VEC_AHEAD (GETV only)
 * @count: entries at @entries, 1..kmq_info.out_max_batch
 * @stride: distance of two entries in bytes, a multiple of 8
 * @entries: address of struct kmq_put (PUTV) or struct kmq_get (GETV) records
 * @out_done: entries carried out; with KMQ_VEC_AHEAD messages in the window
 * @out_window: in: 0; out: number of the window, 0 if there is none
 *
 * KMQ_IOC_PUTV and KMQ_IOC_GETV: the entries are carried out in order, each
 * with its own result, as separate calls would be. It ends before @count after
 * the first entry whose completion code is 2 (that entry counts as done) or at
 * the first that meets an errno: reported if it is the first entry, else the
 * call returns 0 and @out_done tells. The messages a GETV returns are chosen
 * one by one while it runs: one that arrives meanwhile takes the place its
 * priority gives. Only the first entry of a GETV waits. Puts whose results cannot
 * be written back count as carried out. If @out_done cannot be written nothing
 * is carried out.
 *
 * Entries with nothing between them are read and written several at a time; their
 * input fields are then written back as they were read.
 *
 * With KMQ_VEC_AHEAD a GETV gets nothing but opens a window, see
 * struct kmq_window_file: it returns copies of the messages that the next gets like
 * the first entry would get, which the program then claims one by one. Only the
 * first entry is read. Entry n is written as if it had been like it, with @ext
 * n * @stride and @data n times its @length, rounded up to a multiple of 8,
 * further on, unless they are 0. No window is opened, and @out_done is 0, where a
 * message needs more than to be handed over, or the get is not like the last one
 * of the handle: that one has to be made by KMQ_IOC_GET.
 */
struct kmq_vec {
	__u32 size;
	__u32 flags;
	__u32 count;
	__u32 stride;
	__aligned_u64 entries;
	__u32 out_done;
	__u32 out_window;
};

/* Open a window. EINVAL without KMQ_IOC_WINDOW before it. */
#define KMQ_VEC_AHEAD		(1U << 0)

#define KMQ_IOC_PUTV		KMQ_IOC(KMQ_CMD_PUTV)
#define KMQ_IOC_GETV		KMQ_IOC(KMQ_CMD_GETV)

/**
 * struct kmq_window_file - the word by which messages are claimed (queue handle)
 * @size: sizeof(struct kmq_window_file)
 * @flags: none defined, 0
 * @out_comp_code: MQI completion code
 * @out_reason: 2037, 2071, 2102 the user has too many, 2009, 2219, ...
 * @out_fd: descriptor of a file whose only page can be mapped, MAP_SHARED, and is
 *	that of the handle; it can be closed then
 * @reserved: 0
 *
 * The first 8 bytes of the page are a word, in the byte order of the machine, that
 * says how far the program has come in the window opened last: its number, which is
 * never 0, in the upper half, below it KMQ_WINDOW_REVOKED and how many messages have
 * been claimed. A program claims the next message by an atomic compare-and-exchange
 * of number and count, without the bit, for the same number and a count that is 1
 * more, and has got it if that succeeds, not before: until then it stays on the
 * queue for everybody. If it fails the window is gone, and another one may be
 * opened.
 *
 * Whatever could make a difference to a get revokes the window: a message that comes
 * in front of its end, a get or browse of somebody else, a change of a definition, of
 * the queue manager's state or the connection's, MQBACK, the end of the handle. What
 * has been claimed with MQGMO_SYNCPOINT is part of the unit of work. A word that a
 * program has spoilt makes it miss messages or see them twice.
 *
 * The mapping is not passed on by fork(). EOPNOTSUPP on machines without atomic
 * operations on 64 bits.
 */
struct kmq_window_file {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__s32 out_fd;
	__u32 reserved;
};

#define KMQ_IOC_WINDOW		KMQ_IOC(KMQ_CMD_WINDOW)

#define KMQ_WINDOW_NUMBER_SHIFT	32
#define KMQ_WINDOW_REVOKED	(1ULL << 31)
#define KMQ_WINDOW_CLAIMED	0x7fffffffULL

/**
 * struct kmq_signal_status - read the signal of a queue handle (G-SIG-10)
 * @size: sizeof(struct kmq_signal_status)
 * @flags: none defined, 0
 * @out_comp_code: 0
 * @out_reason: 0
 * @out_status: 0 none, 1 outstanding, 2..6 posted (MQEC_*)
 * @reserved: 0
 */
struct kmq_signal_status {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__u32 out_status;
	__u32 reserved;
};

#define KMQ_IOC_SIGNAL_STATUS	KMQ_IOC(KMQ_CMD_SIGNAL_STATUS)

/**
 * struct kmq_put_room - what puts in the unit of work would find (queue handle)
 * @size: sizeof(struct kmq_put_room)
 * @flags: none defined, 0
 * @out_comp_code: MQI completion code
 * @out_reason: 2039; 2041, 2051, 2052, 2003, 2009, ... if a put would be refused
 * @ids: identifiers wanted, at most kmq_info.out_max_batch
 * @out_msgs: messages for which there is room both on the queue and in the
 *	connection's unit of work; 0 while the queue manager or the connection
 *	quiesces, and if each put chooses where its message goes
 * @out_max_length: bytes of the longest message
 * @reserved: 0
 * @out_first_id: the first of @ids numbers that are the caller's from now on
 *
 * For a caller that gathers puts and makes them later with KMQ_IOC_PUTV. What
 * it learns holds for this moment: nothing is kept free for it.
 *
 * A number, big endian, is the last 8 bytes of an identifier, the first 16 are
 * those of the ConnectionId (M-ID-2). Nothing that the queue manager generates
 * has the same.
 */
struct kmq_put_room {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__u32 ids;
	__u32 out_msgs;
	__u32 out_max_length;
	__u32 reserved;
	__aligned_u64 out_first_id;
};

#define KMQ_IOC_PUT_ROOM	KMQ_IOC(KMQ_CMD_PUT_ROOM)

/**
 * struct kmq_attrs - inquire or set attributes (MQINQ, MQSET)
 * @size: sizeof(struct kmq_attrs)
 * @flags: none defined, 0
 * @out_comp_code: MQI completion code
 * @out_reason: reasons of MQINQ and MQSET (O-INQ, O-SET)
 * @object_type: MQOT_Q, MQOT_Q_MGR, MQOT_PROCESS or MQOT_NAMELIST; a queue
 *	handle takes MQOT_Q only
 * @selector_count: SelectorCount
 * @int_attr_count: IntAttrCount
 * @char_attr_length: CharAttrLength
 * @selectors: address of the selectors (__s32)
 * @int_attrs: address of the integer attributes (__s32)
 * @char_attrs: address of the character attributes
 * @name: qmgr and admin file: the object; queue handle: blank
 *
 * On a queue handle the call is MQINQ or MQSET. On a qmgr or admin file
 * KMQ_IOC_INQUIRE asks about any queue by name, model queues included, about a
 * process or a namelist, or about the queue manager; KMQ_IOC_SET is not
 * available there. MQCA_NAMES is returned with all names or not at all.
 */
struct kmq_attrs {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__s32 object_type;
	__s32 selector_count;
	__s32 int_attr_count;
	__s32 char_attr_length;
	__aligned_u64 selectors;
	__aligned_u64 int_attrs;
	__aligned_u64 char_attrs;
	__u8 name[KMQ_NAME_LEN];
};

#define KMQ_IOC_INQUIRE		KMQ_IOC(KMQ_CMD_INQUIRE)
#define KMQ_IOC_SET		KMQ_IOC(KMQ_CMD_SET)

/**
 * struct kmq_list - names of objects (qmgr and admin file)
 * @size: sizeof(struct kmq_list)
 * @flags: none defined, 0
 * @q_type: MQQT_* or 1001 (MQQT_ALL); of other objects than queues MQQT_ALL
 * @count: in: names that fit at @names; out_count tells how many there are
 * @names: address of KMQ_NAME_LEN byte fields, or 0 with @count 0
 * @out_count: names behind @after in all; the first min(count, out_count), in
 *	ascending order of bytes, have been written
 * @reserved: 0
 * @pattern: a name, or its beginning followed by '*'
 * @after: list only names that sort behind this one; blank: from the start
 * @object_type: MQOT_Q, MQOT_PROCESS or MQOT_NAMELIST; 0 is MQOT_Q
 * @reserved2: 0
 */
struct kmq_list {
	__u32 size;
	__u32 flags;
	__s32 q_type;
	__u32 count;
	__aligned_u64 names;
	__u32 out_count;
	__u32 reserved;
	__u8 pattern[KMQ_NAME_LEN];
	__u8 after[KMQ_NAME_LEN];
	__s32 object_type;
	__u32 reserved2;
};

#define KMQ_IOC_LIST		KMQ_IOC(KMQ_CMD_LIST)

/**
 * struct kmq_status - present state of a queue (qmgr, admin and queue file)
 * @size: sizeof(struct kmq_status)
 * @flags: none defined, 0
 * @out_comp_code: MQI completion code
 * @out_reason: 2085
 * @name: the queue; a queue file answers for its own queue, name blank
 * @out_depth: messages on the queue
 * @out_open_input: handles open for input
 * @out_open_output: handles open for output
 * @out_waiters: gets that wait
 * @out_uncommitted_puts: messages put in units of work that are open
 * @out_uncommitted_gets: messages got in units of work that are open
 * @out_locked: messages locked by a browse
 * @reserved: 0
 * @out_bytes: message data held, bytes; got but not committed included
 * @out_memory: kernel memory held by messages, bytes; likewise
 * @out_last_put_time: CLOCK_REALTIME nanoseconds of the last put, 0 none yet
 * @out_last_get_time: the same of the last removing get
 * @out_oldest_time: put time of the oldest message available, 0 none
 * @out_total_puts: messages put since the queue exists
 * @out_total_gets: messages got since the queue exists
 */
struct kmq_status {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__u8 name[KMQ_NAME_LEN];
	__u32 out_depth;
	__u32 out_open_input;
	__u32 out_open_output;
	__u32 out_waiters;
	__u32 out_uncommitted_puts;
	__u32 out_uncommitted_gets;
	__u32 out_locked;
	__u32 reserved;
	__aligned_u64 out_bytes;
	__aligned_u64 out_memory;
	__aligned_u64 out_last_put_time;
	__aligned_u64 out_last_get_time;
	__aligned_u64 out_oldest_time;
	__aligned_u64 out_total_puts;
	__aligned_u64 out_total_gets;
};

#define KMQ_IOC_STATUS		KMQ_IOC(KMQ_CMD_STATUS)

/**
 * struct kmq_handle_info - an open queue handle, see struct kmq_handles
 * @number: of the handles of one queue a later one has the greater number
 * @q_name: the local queue that messages are put to and got from
 * @object_name: the definition that was opened: the queue, or its alias
 * @connection_id: ConnectionId of the connection it belongs to
 * @options: MQOO_* as given to KMQ_IOC_OPEN
 * @flags: KMQ_HANDLE_*
 * @pid: process that connected; 0 if it is not in the caller's PID namespace
 * @tid: thread that connected; likewise
 * @uid: effective user id when it connected, in the caller's user namespace
 * @appl_type: PutApplType of the connection
 * @appl_name: PutApplName of the connection
 * @reserved: 0
 */
struct kmq_handle_info {
	__aligned_u64 number;
	__u8 q_name[KMQ_NAME_LEN];
	__u8 object_name[KMQ_NAME_LEN];
	__u8 connection_id[KMQ_ID_LEN];
	__u32 options;
	__u32 flags;
	__u32 pid;
	__u32 tid;
	__u32 uid;
	__s32 appl_type;
	__u8 appl_name[28];
	__u32 reserved;
};

#define KMQ_HANDLE_INPUT	(1U << 0)	/* open for input */
#define KMQ_HANDLE_EXCLUSIVE	(1U << 1)	/* ... and nobody else can be */
#define KMQ_HANDLE_SIGNAL	(1U << 2)	/* a signal is outstanding */
#define KMQ_HANDLE_LOCKED	(1U << 3)	/* it has locked a message */

/**
 * struct kmq_handles - the open handles of queues (qmgr and admin file)
 * @size: sizeof(struct kmq_handles)
 * @flags: none defined, 0
 * @count: entries that fit at @entries; no more than 1024 are written at once
 * @stride: distance of two entries in bytes: a multiple of 8, at least
 *	sizeof(struct kmq_handle_info), at most 4096
 * @entries: address of struct kmq_handle_info records, or 0 with @count 0
 * @out_count: entries written
 * @out_more: 1 if there are more behind them, else 0
 * @pattern: a queue's name, or its beginning followed by '*'
 * @after: list only what sorts behind this place: @q_name of the last entry of
 *	the call before; blank: from the start
 * @after_number: and its @number
 *
 * In ascending order of queue and number. The handles of one queue are those of
 * one moment, unless they do not fit into one call. One that is open during
 * all calls of a listing appears in it exactly once.
 *
 * An admin file lists all of them. A qmgr file lists those of connections that
 * were made by the caller's effective user, and no others: what programs
 * others run, and where, is not the business of everybody who may connect.
 */
struct kmq_handles {
	__u32 size;
	__u32 flags;
	__u32 count;
	__u32 stride;
	__aligned_u64 entries;
	__u32 out_count;
	__u32 out_more;
	__u8 pattern[KMQ_NAME_LEN];
	__u8 after[KMQ_NAME_LEN];
	__aligned_u64 after_number;
};

#define KMQ_IOC_HANDLES		KMQ_IOC(KMQ_CMD_HANDLES)

/**
 * struct kmq_conn_info - a connection, see struct kmq_conns
 * @connection_id: ConnectionId, see struct kmq_connect
 * @connect_time: CLOCK_REALTIME nanoseconds when it was made
 * @uow_time: CLOCK_REALTIME nanoseconds, to some milliseconds, when its unit of
 *	work was begun; 0 if none is open
 * @flags: KMQ_CONN_*
 * @pid: process that connected; 0 if it is not in the caller's PID namespace
 * @tid: thread that connected; likewise
 * @uid: effective user id when it connected, in the caller's user namespace
 * @appl_type: PutApplType of its messages
 * @handle_count: queue handles that are open
 * @uncommitted: messages in its unit of work that count against
 *	MaxUncommittedMsgs
 * @reserved: 0
 * @appl_name: PutApplName of its messages
 * @reserved2: 0
 * @wait_q_name: the queue a get of it waits at, blank if none waits
 *
 * A connection that has a call under way is not stopped for this: what the call
 * is changing is then seen either before or after, each field for itself.
 */
struct kmq_conn_info {
	__u8 connection_id[KMQ_ID_LEN];
	__aligned_u64 connect_time;
	__aligned_u64 uow_time;
	__u32 flags;
	__u32 pid;
	__u32 tid;
	__u32 uid;
	__s32 appl_type;
	__u32 handle_count;
	__u32 uncommitted;
	__u32 reserved;
	__u8 appl_name[28];
	__u32 reserved2;
	__u8 wait_q_name[KMQ_NAME_LEN];
};

#define KMQ_CONN_UOW		(1U << 0)	/* a unit of work is open */
#define KMQ_CONN_QUIESCING	(1U << 1)	/* see struct kmq_conn_state */
#define KMQ_CONN_WAITING	(1U << 2)	/* a get of it waits */
#define KMQ_CONN_PLAIN		(1U << 3)	/* of a queue file: read, write */

/**
 * struct kmq_conns - the connections (qmgr and admin file)
 * @size: sizeof(struct kmq_conns)
 * @flags: none defined, 0
 * @count: entries that fit at @entries; no more than 1024 are written at once
 * @stride: distance of two entries in bytes: a multiple of 8, at least
 *	sizeof(struct kmq_conn_info), at most 4096
 * @entries: address of struct kmq_conn_info records, or 0 with @count 0
 * @out_count: entries written
 * @out_more: 1 if there are more behind them, else 0
 * @after: list only connections whose identifier is greater than this one, the
 *	last one of the call before; zeros: from the start
 *
 * In ascending order of the identifier, which is the order of connecting. Which
 * connections are listed: as with KMQ_IOC_HANDLES.
 */
struct kmq_conns {
	__u32 size;
	__u32 flags;
	__u32 count;
	__u32 stride;
	__aligned_u64 entries;
	__u32 out_count;
	__u32 out_more;
	__u8 after[KMQ_ID_LEN];
};

#define KMQ_IOC_CONNS		KMQ_IOC(KMQ_CMD_CONNS)

/**
 * struct kmq_attr - one attribute of a definition
 * @selector: MQIA_* (value in @value) or MQCA_* (text at @string), or KMQ_ATTR_*
 * @value: integer value
 * @string: address of the text
 * @length: bytes at @string, at most the length of the attribute. MQCA_NAMES
 *	takes up to 256 names of KMQ_NAME_LEN bytes each
 * @reserved: 0
 */
struct kmq_attr {
	__s32 selector;
	__s32 value;
	__aligned_u64 string;
	__u32 length;
	__u32 reserved;
};

/*
 * Attributes of the node, which the MQI has no selector for. A new queue belongs
 * to who defines it and to the group of the admin node, unless these are given;
 * one that is replaced stays with those it belonged to.
 */
#define KMQ_ATTR_UID		0x10001	/* owner, numeric user id */
#define KMQ_ATTR_GID		0x10002	/* group, numeric group id */
#define KMQ_ATTR_MODE		0x10003	/* permission bits, 0..0777 */

/**
 * struct kmq_define - define or alter an object (admin file)
 * @size: sizeof(struct kmq_define)
 * @flags: KMQ_DEFINE_*
 * @out_comp_code: MQI completion code
 * @out_reason: 2085 LIKE or ALTER of an unknown object; 2071; 2102 there are too
 *	many; MQRCCF_*: 4001 the object exists, 4002 another type has the name,
 *	4003 LIKE names another type, 4005 a value out of range, 4008 not a
 *	valid name, 3014 and 3015 an integer or text attribute that the type
 *	does not have
 * @object_type: MQOT_Q, MQOT_PROCESS, MQOT_NAMELIST, or MQOT_Q_MGR for
 *	KMQ_IOC_ALTER
 * @q_type: MQQT_*; 0 for a process or a namelist
 * @attr_count: attributes at @attrs, 0..256
 * @out_selector: the selector at fault, written also with out_comp_code 2
 * @attrs: address of struct kmq_attr records; the last of a selector wins
 * @name: name of the object
 * @like: define: take what is not given from this object; blank: the defaults
 *
 * All or nothing: a definition with a fault changes nothing.
 */
struct kmq_define {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__s32 object_type;
	__s32 q_type;
	__u32 attr_count;
	__s32 out_selector;
	__aligned_u64 attrs;
	__u8 name[KMQ_NAME_LEN];
	__u8 like[KMQ_NAME_LEN];
};

#define KMQ_IOC_DEFINE		KMQ_IOC(KMQ_CMD_DEFINE)
#define KMQ_IOC_ALTER		KMQ_IOC(KMQ_CMD_ALTER)

/* Give an existing queue of that type the new definition, messages kept. */
#define KMQ_DEFINE_REPLACE	(1U << 0)

/**
 * struct kmq_delete - delete an object or clear a queue (admin file)
 * @size: sizeof(struct kmq_delete)
 * @flags: KMQ_DELETE_* (KMQ_IOC_DELETE of a queue only)
 * @out_comp_code: MQI completion code
 * @out_reason: 2085; 4004 (MQRCCF_OBJECT_OPEN) it is open (delete); 2055 work
 *	that is not committed (both) or messages on it (delete)
 * @object_type: MQOT_Q; for KMQ_IOC_DELETE also MQOT_PROCESS, MQOT_NAMELIST
 * @q_type: MQQT_* it must be, or 0 for any
 * @name: name of the object
 */
struct kmq_delete {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__s32 object_type;
	__s32 q_type;
	__u8 name[KMQ_NAME_LEN];
};

#define KMQ_IOC_DELETE		KMQ_IOC(KMQ_CMD_DELETE)
#define KMQ_IOC_CLEAR		KMQ_IOC(KMQ_CMD_CLEAR)

#define KMQ_DELETE_PURGE	(1U << 0)	/* with its messages */

/**
 * struct kmq_qmgr_state - quiesce, resume or stop a queue manager (admin file)
 * @size: sizeof(struct kmq_qmgr_state)
 * @flags: none defined, 0
 * @out_comp_code: MQI completion code
 * @out_reason: 0
 * @state: KMQ_QMGR_*; 0 leaves it
 * @out_state: the state it had
 *
 * Needs a file that is open for writing, whatever @state is. KMQ_IOC_INFO tells
 * the state, too.
 *
 * Quiescing ends waits that said FAIL_IF_QUIESCING and refuses connections
 * (G-WAIT-11, O-CONN-2). Stopping ends every wait with 2162 and backs out what
 * is uncommitted (U-CMIT-4). A call that is in the middle of a copy from or to
 * the memory of its program is not waited for: what its connection has not
 * committed is backed out when the call ends.
 */
struct kmq_qmgr_state {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__u32 state;
	__u32 out_state;
};

#define KMQ_IOC_QMGR_STATE	KMQ_IOC(KMQ_CMD_QMGR_STATE)

#define KMQ_QMGR_RUNNING	1
#define KMQ_QMGR_QUIESCING	2
#define KMQ_QMGR_STOPPING	3

/**
 * struct kmq_conn_state - quiesce or resume one connection (admin file)
 * @size: sizeof(struct kmq_conn_state)
 * @flags: none defined, 0
 * @out_comp_code: MQI completion code
 * @out_reason: 2018 there is no connection with that identifier
 * @state: KMQ_QMGR_RUNNING or KMQ_QMGR_QUIESCING
 * @reserved: 0
 * @connection_id: ConnectionId, see struct kmq_connect
 *
 * A connection that quiesces gives 2202 to calls that say FAIL_IF_QUIESCING and
 * ends their waits; other calls go on (G-WAIT-11).
 */
struct kmq_conn_state {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__u32 state;
	__u32 reserved;
	__u8 connection_id[KMQ_ID_LEN];
};

#define KMQ_IOC_CONN_STATE	KMQ_IOC(KMQ_CMD_CONN_STATE)

/**
 * struct kmq_qmgr_name - create or delete a queue manager (control file)
 * @size: sizeof(struct kmq_qmgr_name)
 * @flags: none defined, 0
 * @out_comp_code: MQI completion code
 * @out_reason: create: 4001 (MQRCCF_OBJECT_ALREADY_EXISTS), 4008 not a valid
 *	name, 2102 too many, 2071; delete: 2058 there is none of that name, 4004
 *	(MQRCCF_OBJECT_OPEN) a file of one of its nodes is open
 * @name: name of the queue manager
 *
 * A new queue manager has the default attributes and no queues. Deleting one
 * deletes its queues with their messages.
 */
struct kmq_qmgr_name {
	__u32 size;
	__u32 flags;
	__u32 out_comp_code;
	__u32 out_reason;
	__u8 name[KMQ_NAME_LEN];
};

#define KMQ_IOC_QMGR_CREATE	KMQ_IOC(KMQ_CMD_QMGR_CREATE)
#define KMQ_IOC_QMGR_DELETE	KMQ_IOC(KMQ_CMD_QMGR_DELETE)

#endif /* _UAPI_LINUX_KMQ_H */
