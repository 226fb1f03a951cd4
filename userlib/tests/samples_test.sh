#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds each sample the way its head says, without a warning, and has it fail
# where there is no queue manager. Prints TAP.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
top=$here/..
: "${CC:=gcc}" "${OUT:=$top}"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
count=0

result()
{
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		sed 's/^/# /' "$tmp/log"
		echo "not ok $count - $2"
	fi
}

# Words for the command line of each; others need none.
arguments()
{
	case $1 in
	list) echo Q QM1 ;;
	group) echo Q Q Q ;;
	*) echo Q Q ;;
	esac
}

for file in "$top"/samples/*.c; do
	name=$(basename "$file" .c)
	# shellcheck disable=SC2086
	$CC $CHECK_FLAGS -Wall -Wextra -Werror -I"$top/include" \
		-I"$top/../uapi" -o "$tmp/$name" "$file" -L"$OUT" -lmqm -lkmq \
		-Wl,-rpath,"$OUT" -pthread >"$tmp/log" 2>&1
	result $? "$name compiles"
	# shellcheck disable=SC2046
	KMQ_DEV_DIR=$tmp timeout 10 "$tmp/$name" $(arguments "$name") \
		</dev/null >"$tmp/log" 2>&1
	case $? in
	1 | 2) true ;;
	*) false ;;
	esac
	result $? "$name without a queue manager"
	grep -q 2058 "$tmp/log"
	result $? "$name says why"
done
echo "1..$count"
