#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What the demonstration does inside the machine. Every line of a text is a
# message; its priority is the line's length modulo ten. Each line carries its
# number, so that the text can be put together again.
set -u

queue=DEV.QUEUE.1
text=${1:-/root/text}
dir=$(mktemp -d)
lines=$(wc -l <"$text")
failed=0

# "PRIORITY NUMBER LINE"
awk '{ printf "%d %05d %s\n", length($0) % 10, NR, $0 }' "$text" >"$dir/sent"

say() {
	printf '  %s\n' "$*"
}

wrong() {
	printf '  FAILED: %s\n' "$*"
	failed=1
}

now() {
	cut -d ' ' -f 1 /proc/uptime
}

took() {
	awk -v from="$1" -v to="$(now)" 'BEGIN { printf "%.2f s", to - from }'
}

# Columns of kmq status: 2 depth, 5 waits, 6 puts not committed.
status() {
	kmq status --no-header "$queue" | awk -v n="$1" '{ print $n }'
}

# Waits until a column has a value; gives up after 30 seconds.
await() {
	tries=0
	while [ "$(status "$1")" != "$2" ]; do
		tries=$((tries + 1))
		if [ $tries -gt 300 ]; then
			wrong "$3"
			return 1
		fi
		sleep 0.1
	done
}

check_complete() {
	sort -k 2,2 "$dir/got" | cut -b 9- >"$dir/text"
	if cmp -s "$dir/text" "$text"; then
		say "complete: put together again, the text is the same"
	else
		wrong "the text is not the same any more"
	fi
}

# Within a priority the numbers must rise, however much was sent meanwhile.
# They have a fixed width and are compared as text: to busybox, 00020 is octal.
check_fifo() {
	if awk '$2 "" <= last[$1] "" { exit 1 }
		{ last[$1] = $2 }' "$dir/got"; then
		say "each priority arrived in the order it was sent"
	else
		wrong "messages of one priority overtook each other"
	fi
}

# What was all there before the first get comes by priority, then in order.
check_order() {
	if awk 'NR > 1 && ($1 > p || ($1 == p && $2 "" <= n "")) { exit 1 }
		{ p = $1; n = $2 }' "$dir/got"; then
		say "strictly by priority, and in the order sent within each:"
	else
		wrong "not in the order of priorities:"
	fi
	awk '$1 != p { if (NR > 1) printf " %s x %d", p, n; p = $1; n = 0 }
		{ n++ }
		END { printf " %s x %d\n", p, n }' "$dir/got" |
		sed 's/^/     priority/'
}

# --- the receiver is there first -------------------------------------------

# $1: command that receives, $2: command that sends
live() {
	$1 >"$dir/got" &
	receiver=$!
	await 5 1 "the receiver does not wait" || return
	say "the receiver waits on the empty queue"
	start=$(now)
	$2 <"$dir/sent" || wrong "the sender failed"
	wait $receiver || wrong "the receiver failed"
	say "$(wc -l <"$dir/got") messages sent and received in $(took "$start")"
	check_complete
	check_fifo
}

# --- all is sent before the first is received -------------------------------

# The sender's input stays open, so its unit of work does too.
stored() {
	mkfifo "$dir/input"
	$2 <"$dir/input" &
	sender=$!
	exec 3>"$dir/input"
	cat "$dir/sent" >&3
	await 6 "$lines" "not everything was put" || return
	say "$(status 2) messages put, none committed"
	if kmq get --raw --count 1 "$queue" >"$dir/early" 2>&1; then
		wrong "a message was received before the commit"
	else
		say "a receiver finds none of them: $(sed 's/.*: //' "$dir/early")"
	fi
	exec 3>&-
	rm "$dir/input"
	wait $sender || wrong "the sender failed"
	say "committed; depth of the queue is now $(status 2)"
	start=$(now)
	$1 >"$dir/got" || wrong "the receiver failed"
	say "$(wc -l <"$dir/got") messages received in $(took "$start")"
	check_complete
	check_order
}

get="kmq get --wait 10 --count $lines --raw --prefix-priority $queue"
put="kmq put --prefix-priority $queue"

echo "A text of $lines lines, one message a line, through $queue"
echo
echo "kmq put and kmq get, the receiver first"
live "$get" "$put"
echo
echo "kmq put and kmq get, everything in one unit of work, then received"
stored "$get" "$put --syncpoint 0"
echo
echo "two C programs linked with -lmqm, the receiver first"
live "demo_get $queue $lines" "demo_put $queue"
echo
echo "the same, everything in one unit of work, then received"
stored "demo_get $queue $lines" "demo_put $queue"
echo
kmq status "$queue"
[ "$(status 2)" = 0 ] || wrong "messages were left on the queue"
echo
if [ $failed -ne 0 ]; then
	echo "The demonstration FAILED."
	exit 1
fi
echo "All as expected."
