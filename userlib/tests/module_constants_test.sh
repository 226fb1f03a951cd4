#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The module has values of the MQI of its own: they are those of the headers that
# programs are compiled with. Prints TAP.
#
# G-GMO-3, G-GMO-4, and every other rule that gives a number

here=$(cd "$(dirname "$0")" && pwd) || exit 1
module=$here/../../module/mqi.h
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

: "${CC:=gcc}"

# values OPTION...: "NAME VALUE" of each constant, as the headers have it that
# the compiler is told to include.
values()
{
	{
		echo '#include <stdio.h>'
		echo 'int main(void) {'
		sed 's/.*/printf("%s %lld\\n", "&", (long long)(&));/' \
			"$tmp/names"
		echo 'return 0; }'
	} >"$tmp/values.c"
	"$CC" -w "$@" -o "$tmp/values" "$tmp/values.c" && "$tmp/values"
}

# case NUMBER NAME STATUS
tell()
{
	[ "$3" -eq 0 ] || printf 'not '
	echo "ok $1 - $2"
	[ "$3" -eq 0 ] || sed 's/^/# /' "$tmp/log"
	failed=$((failed + $3))
}

failed=0
echo "1..2"
sed -n 's/^#define \(MQ[A-Za-z0-9_]*\)[[:space:]].*/\1/p' "$module" |
	sort >"$tmp/names"
grep '^#define' "$module" | grep -v '^#define KMQ_MQI_H$' |
	sed 's/^#define \([A-Za-z0-9_]*\).*/\1/' | sort >"$tmp/log.all"
{ [ -s "$tmp/names" ] && diff "$tmp/log.all" "$tmp/names"; } >"$tmp/log" 2>&1
tell 1 "each definition of module/mqi.h is a constant of the MQI" $?

values -include "$module" >"$tmp/module" 2>"$tmp/log" &&
	values "-I$here/../include" -include cmqc.h -include cmqcfc.h \
		>"$tmp/library" 2>"$tmp/log" &&
	diff "$tmp/module" "$tmp/library" >"$tmp/log"
tell 2 "each has the value of cmqc.h or cmqcfc.h" $?
[ "$failed" -eq 0 ]
