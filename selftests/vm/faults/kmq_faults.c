// SPDX-License-Identifier: GPL-2.0
/*
 * kmq_faults: does on purpose, while it is being loaded, what the test
 * machine must not let pass.  Nothing but selftests/vm/selfcheck loads it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

static char *fault = "none";
module_param(fault, charp, 0);
MODULE_PARM_DESC(fault, "What to do wrong");

static DEFINE_MUTEX(fault_mutex_a);
static DEFINE_MUTEX(fault_mutex_b);
static DEFINE_SPINLOCK(fault_spinlock);

static void fault_warn(void)
{
	WARN(1, "planted warning\n");
}

/* The compiler must not see where the pointer came from. */
static void fault_kasan(void)
{
	char *volatile bytes = kmalloc(64, GFP_KERNEL);

	if (bytes)
		bytes[64] = 1;
	kfree(bytes);
}

static void fault_lockdep(void)
{
	mutex_lock(&fault_mutex_a);
	mutex_lock(&fault_mutex_b);
	mutex_unlock(&fault_mutex_b);
	mutex_unlock(&fault_mutex_a);

	mutex_lock(&fault_mutex_b);
	mutex_lock(&fault_mutex_a);
	mutex_unlock(&fault_mutex_a);
	mutex_unlock(&fault_mutex_b);
}

static void fault_atomic(void)
{
	spin_lock(&fault_spinlock);
	msleep(20);
	spin_unlock(&fault_spinlock);
}

static void fault_leak(void)
{
	int i;

	for (i = 0; i < 8; i++) {
		char *volatile lost = kzalloc(200 + i, GFP_KERNEL);

		lost = NULL;
		(void)lost;
	}
}

/* A reference nobody gives back: the module cannot be unloaded. */
static void fault_reference(void)
{
	__module_get(THIS_MODULE);
}

static void fault_panic(void)
{
	panic("planted panic");
}

static const struct {
	const char *name;
	void (*run)(void);
} faults[] = {
	{ "warn", fault_warn },
	{ "kasan", fault_kasan },
	{ "lockdep", fault_lockdep },
	{ "atomic", fault_atomic },
	{ "leak", fault_leak },
	{ "reference", fault_reference },
	{ "panic", fault_panic },
};

static int __init faults_init(void)
{
	size_t i;

	if (!strcmp(fault, "none"))
		return 0;
	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		if (!strcmp(fault, faults[i].name)) {
			faults[i].run();
			return 0;
		}
	}
	return -EINVAL;
}

static void __exit faults_exit(void)
{
}

module_init(faults_init);
module_exit(faults_exit);

MODULE_DESCRIPTION("Faults that the test machine must notice");
MODULE_LICENSE("GPL");
