#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Links and loads programs the way MQI programs do it: -lmqm and its sisters,
# dlopen(), C++, the archive, installed files. Prints TAP.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
top=$here/..
: "${CC:=gcc}" "${CXX:=g++}" "${OUT:=$top}"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
count=0

# check DESCRIPTION COMMAND...
check()
{
	what=$1
	shift
	count=$((count + 1))
	if "$@" >"$tmp/log" 2>&1; then
		echo "ok $count - $what"
	else
		sed 's/^/# /' "$tmp/log"
		echo "not ok $count - $what"
	fi
}

calls="MQBACK MQBEGIN MQBUFMH MQCB MQCLOSE MQCMIT MQCONN MQCONNX MQCRTMH
MQCTL MQDISC MQDLTMH MQDLTMP MQGET MQINQ MQINQMP MQMHBUF MQOPEN MQPUT MQPUT1
MQSET MQSETMP MQSTAT MQSUB MQSUBRQ MQXCNVC"

# The directory has no queue manager, so a call answers 2058.
cat >"$tmp/prog.c" <<'PROGRAM'
#include <stdlib.h>
#include <cmqc.h>
#include <cmqxc.h>
int main(void)
{
	MQCHAR48 name = "NONE";
	MQHCONN hconn;
	MQLONG cc, rc;
	MQHMSG hmsg;

	MQCONN(name, &hconn, &cc, &rc);
	if (cc != MQCC_FAILED || rc != MQRC_Q_MGR_NAME_ERROR)
		return 1;
	MQCRTMH(hconn, NULL, &hmsg, &cc, &rc);
	return cc == MQCC_FAILED && rc == MQRC_FUNCTION_NOT_SUPPORTED ? 0 : 2;
}
PROGRAM

cat >"$tmp/load.c" <<'PROGRAM'
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <cmqc.h>
/* Loads two libraries: handles of one are known to the other. */
int main(int argc, char **argv)
{
	void *first = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	void *second = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
	MQ_CONN_CALL *conn;
	MQ_CMIT_CALL *cmit;
	MQ_DISC_CALL *disc;
	MQCHAR48 name = "QM1";
	MQHCONN hconn;
	MQLONG cc, rc;
	int i;

	if (!first || !second) {
		puts(dlerror());
		return 1;
	}
	for (i = 3; i < argc; i++)
		if (!dlsym(first, argv[i]) || !dlsym(second, argv[i])) {
			puts(dlerror());
			return 2;
		}
	conn = (MQ_CONN_CALL *)dlsym(first, "MQCONN");
	cmit = (MQ_CMIT_CALL *)dlsym(second, "MQCMIT");
	disc = (MQ_DISC_CALL *)dlsym(second, "MQDISC");
	conn(name, &hconn, &cc, &rc);
	printf("MQCONN %d %d\n", cc, rc);
	if (cc)
		return 3;
	cmit(hconn, &cc, &rc);
	printf("MQCMIT %d %d\n", cc, rc);
	if (cc)
		return 4;
	disc(&hconn, &cc, &rc);
	return cc;
}
/* In place of a kernel: everything succeeds. */
int ioctl(int fd, unsigned long cmd, unsigned int *arg)
{
	(void)fd, (void)cmd;
	arg[2] = arg[3] = 0;
	memset(arg + 4, ' ', cmd == 0xbe01 ? 48 : 0);
	return 0;
}
PROGRAM
mkdir -p "$tmp/dev/QM1"
: >"$tmp/dev/QM1/qmgr"
export KMQ_DEV_DIR="$tmp/dev"
ASAN_OPTIONS=verify_asan_link_order=0
export ASAN_OPTIONS

# Words of the flags are meant to be split.
# shellcheck disable=SC2086
build()
{
	compiler=$1
	shift
	$compiler -I"$top/include" -Wall ${CHECK_FLAGS:-} -o "$tmp/prog" "$@"
}

run()
{
	env LD_LIBRARY_PATH="$OUT" "$@"
}

needs()
{
	readelf -d "$tmp/prog" | grep NEEDED | grep -F "[$1]"
}

links()
{
	build "$CC" "$tmp/prog.c" -L"$OUT" "$2" &&
		needs "$1" && run "$tmp/prog"
}

names="libmqm libmqm_r libmqic libmqic_r"
for name in $names; do
	check "a program links with $name" \
		links "$name.so" "-l${name#lib}"
	check "$name.so has its own soname" \
		sh -c "readelf -d '$OUT/$name.so' | grep 'SONAME.*\[$name.so\]'"
done
check "a program links with libkmq" links libkmq.so.1 -lkmq
check "a program links with libkmq.a" sh -c "
	$CC -I'$top/include' ${CHECK_FLAGS:-} -o '$tmp/prog' '$tmp/prog.c' \
		'$OUT/libkmq.a' -pthread && '$tmp/prog'"

cp "$tmp/prog.c" "$tmp/prog.cc"
check "a C++ program links with libmqm_r" sh -c "
	$CXX -I'$top/include' ${CHECK_FLAGS:-} -o '$tmp/prog' '$tmp/prog.cc' \
		-L'$OUT' -lmqm_r && LD_LIBRARY_PATH='$OUT' '$tmp/prog'"

echo "#include <kmq.h>" | tee "$tmp/header.c" >"$tmp/header.cc"
check "kmq.h alone, C99" "$CC" -std=c99 -pedantic -Wall -Wextra -Werror \
	-I"$top/include" -fsyntax-only "$tmp/header.c"
check "kmq.h alone, C++" "$CXX" -std=c++98 -pedantic -Wall -Wextra -Werror \
	-I"$top/include" -fsyntax-only "$tmp/header.cc"

check "build a program that loads" build "$CC" "$tmp/load.c" -ldl -rdynamic
for name in $names; do
	# shellcheck disable=SC2086
	check "dlopen $name.so and libmqm_r.so: all calls, one state" \
		run "$tmp/prog" "$name.so" libmqm_r.so $calls
done
# shellcheck disable=SC2086
check "dlopen by path finds libkmq.so.1 beside it" \
	"$tmp/prog" "$OUT/libmqm_r.so" "$OUT/libkmq.so.1" $calls

exports()
{
	nm -D --defined-only "$OUT/$1" | sed -n 's/^[0-9a-f]* T //p' |
		sed 's/@.*//' | sort
}

# shellcheck disable=SC2086
printf '%s\n' $calls >"$tmp/want"
exports libmqm.so >"$tmp/got"
check "libmqm.so exports the 26 calls and nothing else" \
	diff "$tmp/want" "$tmp/got"
printf '%s\n' kmq_conn_fd kmq_get_many kmq_object_fd kmq_put_many \
	kmq_signal_status >>"$tmp/want"
exports libkmq.so.1 | grep -v '^kmq_mqi_' >"$tmp/got"
check "libkmq.so.1 exports the calls of cmqc.h and kmq.h" \
	diff "$tmp/want" "$tmp/got"
check "calls of libmqm.so have no version" sh -c "
	! nm -D --defined-only '$OUT/libmqm.so' | grep @"

echo "1..$count"
