#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The demonstration behind "make run": boots a virtual machine with kmq and
# sends a text through it line by line, once with the tools, once with two
# small MQI programs. Arguments go to selftests/vm/run.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
here=$top/selftests/demo
out=$top/build/demo
text=${KMQ_DEMO_TEXT:-/usr/share/common-licenses/GPL-3}

if [ ! -r "$text" ]; then
	echo "demo: cannot read $text; set KMQ_DEMO_TEXT to some text" >&2
	exit 1
fi

mkdir -p "$out"
"${MAKE:-make}" -s -C "$top/userlib" lib tools
for name in demo_put demo_get; do
	"${CC:-cc}" -O2 -Wall -Wextra -I"$top/userlib/include" \
		-o "$out/$name" "$top/userlib/samples/$name.c" \
		-L"$top/userlib" -lmqm -Wl,-rpath-link,"$top/userlib"
done

exec "$top/selftests/vm/run" "$@" \
	--add "$here/guest.sh:/root/guest.sh" --add "$text:/root/text" \
	--add "$out/demo_put:/usr/bin/demo_put" \
	--add "$out/demo_get:/usr/bin/demo_get" -- sh /root/guest.sh
