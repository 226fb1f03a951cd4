#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What "make install" installs: everything is there, every name leads somewhere,
# completion offers what the program knows. Prints TAP.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
count=0
failed=0

# result NAME TEXT: passed if there is no text.
result() {
	count=$((count + 1))
	if [ -z "$2" ]; then
		echo "ok $count - $1"
		return
	fi
	failed=1
	echo "not ok $count - $1"
	printf '%s\n' "$2" | sed 's/^/# /'
}

text=$(make -s -C "$top" install-user install-system DESTDIR="$root" 2>&1 \
	>/dev/null)
result "install" "$text"

missing() {
	for file; do
		[ -s "$root/$file" ] || echo "$file"
	done
}

links=$(cat "$top/userlib/tools/LINKS")
result "files" "$(missing usr/bin/kmq usr/include/cmqc.h usr/include/kmq.h \
	usr/include/linux/kmq.h usr/share/kmq/dev.mqsc \
	usr/share/man/man1/kmq.1 usr/share/man/man1/kmq-sc.1 \
	usr/share/bash-completion/completions/kmq \
	usr/lib/udev/rules.d/60-kmq.rules usr/lib/sysusers.d/kmq.conf \
	usr/lib/modules-load.d/kmq.conf)"
result "a program and a page for every name" "$(for name in $links; do
	missing "usr/bin/$name" "usr/share/man/man1/$name.1"
done)"

verbs=$("$root/usr/bin/kmq" --help | sed -n 's/^  \([a-z]*\) .*/\1/p' |
	grep -vxF "$links")
text=$(for verb in $verbs; do
	grep -qE "^\.SS ($verb|[a-z]+ and $verb|$verb and [a-z]+)\$" \
		"$root/usr/share/man/man1/kmq.1" || echo "$verb"
done)
result "the page has every verb" "$text"
text=$(for name in $links; do
	grep -qw "$name" "$root/usr/share/man/man1/kmq.1" || echo "$name"
	"$root/usr/bin/$name" --help >/dev/null 2>&1 || echo "$name --help"
done)
result "and every other name" "$text"

# Every option that --help knows is in the page, however it is written there.
text=$(for verb in $verbs; do
	"$root/usr/bin/kmq" "$verb" --help | grep -oE -e '--[a-z][a-z-]*' |
		sort -u | while read -r option; do
		case $option in --help | --version) continue ;; esac
		sed 's/\\-/-/g' "$root/usr/share/man/man1/kmq.1" \
			"$root/usr/share/man/man1/kmq-sc.1" |
			grep -q -e "$option" || echo "$verb $option"
	done
done)
result "and every option" "$text"

# offers WORD...: what is offered for the last word.
offers() {
	PATH=$root/usr/bin:$PATH bash -c '
		. "$0"
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_kmq
		printf "%s\n" "${COMPREPLY[@]}"' \
		"$root/usr/share/bash-completion/completions/kmq" "$@"
}

result "completion of verbs" "$(offers kmq '' | grep -v '^-' | sort |
	diff - /dev/fd/3 3<<END
$(printf '%s\n' "$verbs" | sort)
END
)"
result "completion of options" "$(offers kmq save --ra | diff - /dev/fd/3 3<<END
--range
END
)"

# A program of that name answers instead, as there is no queue manager here.
cat >"$root/kmq" <<'END'
#!/bin/sh
case $1 in
status) echo "KMQ.ONE 0 0"; echo "KMQ.TWO 0 0" ;;
qmgr) echo "QMNAME(QM7)      STATUS(Running)" ;;
esac
END
chmod +x "$root/kmq"

# place NAME WANTED WORD...: what is offered for the last word of the line.
place() {
	place_name=$1
	wanted=$2
	shift 2
	offered=$(PATH=$root:$PATH bash -c '
		. "$0"
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_kmq
		printf "%s " "${COMPREPLY[@]}"' \
		"$root/usr/share/bash-completion/completions/kmq" "$@")
	[ "${offered% }" = "$wanted" ] || place_text="$place_text
$place_name: $offered"
}

place_text=
place "queue to put to" "KMQ.ONE KMQ.TWO" kmq put K
place "its queue manager" "QM7" kmq put KMQ.ONE Q
place "queue manager to dump" "QM7" kmq dump ""
place "queue manager as an option" "QM7" kmq status -m Q
place "queue to save" "KMQ.ONE KMQ.TWO" kmq save ""
place "queue to save as an option" "KMQ.ONE KMQ.TWO" kmq save -I ""
place "file to save to" "" kmq save KMQ.ONE ""
place "identifier of a message" "" kmq get -m ""
result "completion of names" "$place_text"

names() {
	grep -rhoE 'SPDX-License-Identifier: [^*]*' "$top/module" "$top/uapi" \
		"$top/userlib/src" "$top/userlib/tools" "$top/userlib/include" \
		"$top/selftests" "$top/packaging" --include='*.[chS]' \
		--include='*.sh' --include='*.conf' --include='*.rules' |
		sed 's/.*: //; s/-only//g; s/[()]//g; s/ \(OR\|WITH\) /\n/g' |
		sed 's/[^A-Za-z0-9.-].*//' | sort -u
}

result "texts of all licenses" "$(for name in $(names); do
	[ -s "$top/LICENSES/$name" ] || echo "$name"
done)"

echo "1..$count"
exit $failed
