/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_ACCOUNT_H
#define KMQ_ACCOUNT_H

#include <linux/uidgid.h>

extern unsigned int kmq_user_queues;

kuid_t kmq_account_caller(void);
int kmq_account_charge(kuid_t uid);
void kmq_account_uncharge(kuid_t uid);

#endif /* KMQ_ACCOUNT_H */
