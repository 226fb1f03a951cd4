#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests the MQI headers: they are what the generator writes, they agree with
# the tables, and programs compile with them. Prints TAP.

here=$(cd "$(dirname "$0")" && pwd) || exit 1
lib=$here/..
inc=$lib/include
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

: "${CC:=gcc}" "${CXX:=g++}" "${PYTHON:=python3}"
warn="-Wall -Wextra -Werror -pedantic"
count=0
failed=0

ok()
{
	count=$((count + 1))
	echo "ok $count - $*"
}

not_ok()
{
	count=$((count + 1))
	failed=$((failed + 1))
	sed 's/^/# /' "$tmp/log"
	echo "not ok $count - $*"
}

# check DESCRIPTION COMMAND...
check()
{
	what=$1
	shift
	if "$@" >"$tmp/log" 2>&1; then ok "$what"; else not_ok "$what"; fi
}

skip()
{
	ok "$1 # SKIP $2"
}

# compile DESCRIPTION COMPILER OPTIONS...
# Every header alone, then programs that include them all.
compile()
{
	language=$1
	shift
	for header in "$inc"/cmq*.h; do
		name=${header##*/}
		check "$name alone, $language" "$@" "-I$inc" $warn -fsyntax-only \
			-include "$header" /dev/null
	done
	check "MQI programs, $language" "$@" "-I$inc" $warn -fsyntax-only \
		"$here/headers_mqi.c"
	check "MQI programs with their own CCSID, $language" "$@" "-I$inc" $warn \
		-DHEADERS_TEST_APPL_CCSID -fsyntax-only "$here/headers_mqi.c"
}

# The files are what the generator writes.
mkdir "$tmp/include" "$tmp/src"
check "the generator runs" "$PYTHON" "$lib/gen/mkheaders" "$tmp/include"
for header in "$inc"/cmq*.h; do
	name=${header##*/}
	check "$name is what the generator writes" \
		cmp "$header" "$tmp/include/$name"
done
check "the generator of the names runs" "$PYTHON" "$lib/gen/mknames" \
	"$tmp/src"
for name in mqrc_table.inc mqstr_table.inc; do
	check "$name is what the generator writes" \
		cmp "$lib/src/$name" "$tmp/src/$name"
done
"$PYTHON" "$here/headers_table" extra >"$tmp/extra" 2>&1
check "no constant without a table" cmp "$tmp/extra" /dev/null

# They agree with the tables.
if "$PYTHON" "$here/headers_table" rows >"$tmp/headers_table.inc" \
		2>"$tmp/log" &&
   "$CC" -std=c11 $warn "-I$inc" "-I$tmp" "-I$lib/src" \
		"$here/headers_test.c" "$lib/src/mqrc_table.c" \
		"$lib/src/mqstr_table.c" -o "$tmp/headers_test" 2>>"$tmp/log"; then
	ok "the checks against the tables compile"
	"$tmp/headers_test" >"$tmp/rows"
	while read -r line; do
		case $line in
		"ok "*) ok "${line#ok }" ;;
		"not ok "*) : >"$tmp/log"; not_ok "${line#not ok }" ;;
		*) echo "$line" ;;
		esac
	done <"$tmp/rows"
	: >"$tmp/log"
	case $(tail -n 1 "$tmp/rows") in
	"ok calls "*) ok "the checks ran to their end" ;;
	*) not_ok "the checks ran to their end" ;;
	esac
else
	not_ok "the checks against the tables compile"
fi

# Programs compile.
compile "C90" "$CC" -std=c90 -x c
compile "C99" "$CC" -std=c99 -x c
compile "C11" "$CC" -std=c11 -x c
compile "C17" "$CC" -std=c17 -x c
if command -v "$CXX" >/dev/null 2>&1; then
	compile "C++98" "$CXX" -std=c++98 -x c++
	compile "C++17" "$CXX" -std=c++17 -x c++
else
	skip "C++" "no $CXX"
fi
if command -v clang >/dev/null 2>&1 && [ "$CC" != clang ]; then
	compile "C11 with clang" clang -std=c11 -x c
else
	skip "clang" "no clang"
fi

# Where a pointer has four bytes.
echo '#include <stdio.h>' >"$tmp/probe.c"
if "$CC" -m32 -fsyntax-only "$tmp/probe.c" 2>/dev/null; then
	compile "C99 with 32 bits" "$CC" -m32 -std=c99 -x c
	"$PYTHON" "$here/headers_table" narrow >"$tmp/narrow.c"
	check "layouts with 32 bits" "$CC" -m32 -std=c11 "-I$inc" $warn \
		-fsyntax-only "$tmp/narrow.c"
	if "$CXX" -m32 -fsyntax-only -x c++ "$tmp/probe.c" 2>/dev/null; then
		compile "C++17 with 32 bits" "$CXX" -m32 -std=c++17 -x c++
	else
		skip "C++17 with 32 bits" "no headers for -m32"
	fi
else
	skip "C99 with 32 bits" "no headers for -m32"
	skip "layouts with 32 bits" "no headers for -m32"
	skip "C++17 with 32 bits" "no headers for -m32"
fi

echo "1..$count"
[ "$failed" -eq 0 ]
