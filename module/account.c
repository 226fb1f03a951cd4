// SPDX-License-Identifier: GPL-2.0
/*
 * Accounts: how much each user has made of what there cannot be without end. It
 * counts until its memory goes. For a queue that is when it is deleted, also if
 * none of the user's processes is left; for a signal, when its handle gets again or
 * is closed, not when it is posted: whoever puts a message has nothing to do with
 * accounts, which are for all queues.
 */
#include <linux/cred.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/user_namespace.h>
#include "account.h"
#include "limits.h"

/* How many that may be, parameters of the module. */
unsigned int kmq_user_limits[KMQ_CHARGES] = {
	[KMQ_CHARGE_QUEUE] = KMQ_DEF_USER_QUEUES,
	[KMQ_CHARGE_SIGNAL] = KMQ_DEF_USER_SIGNALS,
	[KMQ_CHARGE_WINDOW] = KMQ_DEF_USER_WINDOWS,
};

/**
 * struct kmq_account - a user that has something
 * @node: in kmq_accounts
 * @uid: the user
 * @counts: how many, by enum kmq_charge; never all 0
 */
struct kmq_account {
	struct rb_node node;
	kuid_t uid;
	unsigned int counts[KMQ_CHARGES];
};

static DEFINE_MUTEX(kmq_accounts_lock);
static struct rb_root kmq_accounts = RB_ROOT;

/**
 * kmq_account_caller - the user that pays for what the caller makes
 *
 * Who may map many user numbers into a user namespace of his own has one account
 * for all of them. Those of a namespace that root has made are users like others.
 *
 * Return: the user.
 */
kuid_t kmq_account_caller(void)
{
	const struct user_namespace *ns;
	kuid_t uid = current_fsuid();

	for (ns = current_user_ns(); ns != &init_user_ns; ns = ns->parent)
		if (!uid_eq(ns->owner, GLOBAL_ROOT_UID))
			uid = ns->owner;
	return uid;
}

static struct kmq_account *kmq_account_find(kuid_t uid, struct rb_node ***link,
					    struct rb_node **parent)
{
	struct rb_node **at = &kmq_accounts.rb_node, *above = NULL;

	lockdep_assert_held(&kmq_accounts_lock);
	while (*at) {
		struct kmq_account *account = rb_entry(*at, struct kmq_account,
						       node);

		if (uid_eq(uid, account->uid))
			return account;
		above = *at;
		at = uid_lt(uid, account->uid) ? &above->rb_left :
						 &above->rb_right;
	}
	*link = at;
	*parent = above;
	return NULL;
}

static int kmq_account_charge_locked(kuid_t uid, enum kmq_charge what)
{
	struct rb_node **link, *parent;
	struct kmq_account *account = kmq_account_find(uid, &link, &parent);
	unsigned int limit = READ_ONCE(kmq_user_limits[what]);

	if (account ? account->counts[what] >= limit : !limit)
		return -EDQUOT;
	if (!account) {
		account = kzalloc(sizeof(*account), GFP_KERNEL_ACCOUNT);
		if (!account)
			return -ENOMEM;
		account->uid = uid;
		rb_link_node(&account->node, parent, link);
		rb_insert_color(&account->node, &kmq_accounts);
	}
	account->counts[what]++;
	return 0;
}

/**
 * kmq_account_charge - a user makes something
 * @uid: the user; INVALID_UID: one that is not counted
 * @what: what it is
 *
 * Return: 0; -EDQUOT if he has as many as he may have; -ENOMEM.
 */
int kmq_account_charge(kuid_t uid, enum kmq_charge what)
{
	int err;

	if (!uid_valid(uid))
		return 0;
	mutex_lock(&kmq_accounts_lock);
	err = kmq_account_charge_locked(uid, what);
	mutex_unlock(&kmq_accounts_lock);
	return err;
}

/**
 * kmq_account_uncharge - something is no longer, or no longer its maker's
 * @uid: the user, as for kmq_account_charge()
 * @what: what it is
 */
void kmq_account_uncharge(kuid_t uid, enum kmq_charge what)
{
	struct rb_node **link, *parent;
	struct kmq_account *account;

	if (!uid_valid(uid))
		return;
	mutex_lock(&kmq_accounts_lock);
	account = kmq_account_find(uid, &link, &parent);
	if (!WARN_ON_ONCE(!account || !account->counts[what])) {
		account->counts[what]--;
		if (!memchr_inv(account->counts, 0, sizeof(account->counts))) {
			rb_erase(&account->node, &kmq_accounts);
			kfree(account);
		}
	}
	mutex_unlock(&kmq_accounts_lock);
}
