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

result "completion of options, each once" "$(offers kmq qmgr -- |
	sort | uniq -d)"
result "completion of every other name" "$(for name in $links; do
	[ -e "$root/usr/share/bash-completion/completions/$name" ] ||
		echo "no file $name"
	bash -c '. "$0" && complete -p "$1"' \
		"$root/usr/share/bash-completion/completions/$name" "$name" \
		>/dev/null 2>&1 || echo "no completion $name"
	offers "$name" --v | grep -qx -e --version || echo "no options $name"
done)"

# A program of that name answers instead, as there is no queue manager here.
cat >"$root/kmq" <<'END'
#!/bin/sh
case $1 in
status) echo "KMQ.ONE 0 0"; echo "KMQ.TWO 0 0" ;;
qmgr) echo "QMNAME(QM7)      STATUS(Running)" ;;
--help) printf '  amqsput  kmq put\n  runmqsc  kmq sc\n' ;;
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
place "queue of another name" "KMQ.ONE KMQ.TWO" amqsput K
place "its queue manager, too" "QM7" amqsput KMQ.ONE Q
place "queue manager of runmqsc" "QM7" runmqsc Q
place "queue manager of get" "QM7" kmq get -m ""
place "identifier of a message" "" kmq get -i ""
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

version=$(sed -n 's/^KMQ_VERSION := //p' "$top/Kbuild")
result "one version" "$({
	"$root/usr/bin/kmq" --version
	sed -n 's/^Version: /kmq /p' \
		"$root/usr/lib/x86_64-linux-gnu/pkgconfig/kmq.pc"
} | grep -vxF "kmq $version")"

# uninstall takes away all that install brought, elsewhere as well, where what
# was built before does not know of.
make -s -C "$top" uninstall DESTDIR="$root" >/dev/null 2>&1
rm -f "$root/kmq"
result "uninstall" "$(find "$root" ! -type d)"
make -s -C "$top" install-user DESTDIR="$root" PREFIX=/opt/mqm >/dev/null 2>&1
result "another prefix" "$(find "$root" ! -type d ! -path "$root/opt/mqm/*"
	grep '/usr' "$root/opt/mqm/lib/x86_64-linux-gnu/pkgconfig/kmq.pc")"
make -s -C "$top" uninstall DESTDIR="$root" PREFIX=/opt/mqm >/dev/null 2>&1
result "uninstall from there" "$(find "$root" ! -type d)"

# Each purpose asks for its own packages, and none for a kernel.
deps() {
	"$top/selftests/deps" --list "$@" 2>/dev/null
}
for purpose in build install modules run kernels lint docs system check; do
	result "packages for $purpose" "$(
		[ -n "$(deps $purpose)" ] || echo none
		deps $purpose | grep -E '^linux-(image|headers-(cloud|6.12))'
		[ $purpose != build ] && [ $purpose != install ] ||
			deps $purpose | grep -E 'qemu|spin|sparse|source|mmdeb'
		# all of them are among those of make deps
		[ $purpose = install ] || deps $purpose | while read -r name; do
			deps check | grep -qxF "$name" || echo "$name"
		done)"
done

echo "1..$count"
exit $failed
