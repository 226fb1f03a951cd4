/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMQ_ACCOUNT_H
#define KMQ_ACCOUNT_H

#include <linux/uidgid.h>

/* What a user can only have so many of. */
enum kmq_charge {
	KMQ_CHARGE_QUEUE,	/* made from a model, by who may not administer */
	KMQ_CHARGE_SIGNAL,
	KMQ_CHARGE_WINDOW,
	KMQ_CHARGES,
};

extern unsigned int kmq_user_limits[KMQ_CHARGES];

kuid_t kmq_account_caller(void);
int kmq_account_charge(kuid_t uid, enum kmq_charge what);
void kmq_account_uncharge(kuid_t uid, enum kmq_charge what);

#endif /* KMQ_ACCOUNT_H */
