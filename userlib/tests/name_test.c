// SPDX-License-Identifier: MIT
/*
 * Names and the nodes they stand for.
 */
#include "fake.h"

#include <stdlib.h>

#include "../src/name.h"

static void name(char *field, const char *text)
{
	memset(field, ' ', KMQ_NAME_LEN);
	memcpy(field, text, strlen(text));
}

static void padding(void)
{
	char to[8];

	kmq_name_pad(to, "AB\0CDEFG", 8);
	TEXT("AB", to);
	kmq_name_pad(to, "ABCDEFGH", 8);
	TEXT("ABCDEFGH", to);
	INT(2, kmq_name_length("AB  \0XYZ", 8));
	INT(0, kmq_name_length("        ", 8));
	INT(8, kmq_name_length("ABCDEFGHI", 8));
	CHECK(kmq_name_equal("AB      ", "AB\0XXXXX", 8));
	CHECK(!kmq_name_equal("AB      ", "ABC     ", 8));
	CHECK(!kmq_name_equal(" AB     ", "AB      ", 8));
	CHECK(kmq_name_is_blank("        ", 8));
	CHECK(kmq_name_is_blank("\0AAAAAAA", 8));
	CHECK(!kmq_name_is_blank("       A", 8));
}

/* O-NAME-1 */
static void valid_names(void)
{
	static const char *const good[] = { "A", "a.b/C_%9", ".", "..",
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv" };
	static const char *const bad[] = { "", "A B", " A", "A-B", "\xc3\xa4",
					   "A*" };
	char field[KMQ_NAME_LEN];
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		name(field, good[i]);
		CHECK(kmq_name_is_valid(field));
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		name(field, bad[i]);
		CHECK(!kmq_name_is_valid(field));
	}
}

static void path_of(const char *queue, const char *want)
{
	char path[KMQ_PATH_MAX], field[KMQ_NAME_LEN], full[512];

	name(field, queue);
	snprintf(full, sizeof(full), "%s", fake_path(want));
	CHECK(kmq_path_queue(path, "QM1", field));
	CHECK(!strcmp(full, path));
	if (strcmp(full, path))
		printf("# %s\n# %s\n", full, path);
}

static void paths(void)
{
	char path[KMQ_PATH_MAX], *dir;
	size_t i;

	fake_start();
	path_of("Q", "QM1/queue/Q");
	path_of("A/B%C", "QM1/queue/A%2FB%25C");
	path_of(".", "QM1/queue/%2E");
	path_of("..", "QM1/queue/%2E%2E");
	path_of(".a", "QM1/queue/.a");
	path_of("...", "QM1/queue/...");

	/* The longest name fits, a directory that is too long does not. */
	dir = strdup(getenv("KMQ_DEV_DIR"));
	for (i = 0; i < sizeof(path) - 1; i++)
		path[i] = 'x';
	path[i] = 0;
	setenv("KMQ_DEV_DIR", path, 1);
	CHECK(!kmq_path_qmgr(path, "QM1", "qmgr"));
	setenv("KMQ_DEV_DIR", dir, 1);
	free(dir);
}

/* O-CONN-1 */
static void default_queue_manager(void)
{
	char field[KMQ_NAME_LEN];

	fake_start();
	CHECK(kmq_name_default_qmgr(field));
	TEXT("QM1", field);
	setenv("KMQ_DEFAULT_QMGR", "QM2", 1);
	CHECK(kmq_name_default_qmgr(field));
	TEXT("QM2", field);
	unsetenv("KMQ_DEFAULT_QMGR");

	fake_remove("QM1/qmgr");
	CHECK(kmq_name_default_qmgr(field));
	TEXT("QM2", field);
	fake_add("A%2FB/qmgr");
	CHECK(!kmq_name_default_qmgr(field));
	fake_remove("QM2/qmgr");
	CHECK(kmq_name_default_qmgr(field));
	TEXT("A/B", field);
	fake_remove("A%2FB/qmgr");
	CHECK(!kmq_name_default_qmgr(field));
}

int main(void)
{
	static const struct test tests[] = {
		TEST(padding),
		TEST(valid_names),
		TEST(paths),
		TEST(default_queue_manager),
	};

	return RUN(tests);
}
