/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_CENSUS_H
#define KMQ_CENSUS_H

#include <linux/kmq.h>

struct kmq_qmgr;

int kmq_census_handles(struct kmq_qmgr *qmgr, struct kmq_handles *cmd,
		       struct kmq_handle_info *infos, bool all);
int kmq_census_conns(struct kmq_qmgr *qmgr, struct kmq_conns *cmd,
		     struct kmq_conn_info *infos, bool all);

#endif /* KMQ_CENSUS_H */
