# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What the scripts of the test machine share: where things are, which kernels
# there are, how to say what goes on.  To be sourced; the caller has set
# "top" to the root of the tree.

# shellcheck disable=SC2034,SC2154
vmdir=$top/selftests/vm
build=${KMQ_BUILD:-$top/build}
cache=${KMQ_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/kmq}
arch_headers=cloud-amd64

# What was said to the make above us is not meant for the makes below.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES

say() {
	printf '%s\n' "$*" >&2
}

die() {
	say "${0##*/}: $*"
	exit 98
}

# Is this a kernel we build ourselves?
is_own_kernel() {
	case $1 in
	uml | debug | kcsan) return 0 ;;
	*) return 1 ;;
	esac
}

# Version of an installed Debian package, fit for a file name.
package_version() {
	dpkg-query -W -f='${Version}' "$1" 2>/dev/null | tr -c 'A-Za-z0-9.' '-'
}

# The lines of a kernel log that mean trouble, whatever the tests say.
# Lockdep is quiet after its first report, so a log is not searched for the
# number of reports but for any.
splats='BUG:|WARNING:|KASAN|UBSAN|KCSAN|possible circular locking'
splats=$splats'|INFO: task|ODEBUG|unreferenced object|refcount_t|Oops'
splats=$splats'|Call Trace|Kernel panic|general protection fault'
splats=$splats'|detected stall|soft lockup|inconsistent lock state'
splats=$splats'|suspicious RCU usage|Objects remaining|Unbalanced'
splats=$splats'|invoked oom-killer'

# Booting talks of these tools without anything being wrong.
harmless='KernelAddressSanitizer initialized|kcsan: (enabled|selftest|strict)'
harmless=$harmless'|Kernel memory leak detector|ubsan: initialized'
harmless=$harmless'|debug: unmapping init|KCSAN_'

# The kernel has data races of its own.  A report that does not speak of the
# module at all is left as it is, but for the word that would be found.
without_foreign_races() {
	tr -d '\r' | awk '
		function flush(   i, foreign) {
			foreign = report && !ours
			for (i = 1; i <= n; i++) {
				if (foreign)
					sub(/BUG: KCSAN: /, "foreign ", line[i])
				print line[i]
			}
			n = report = ours = 0
		}
		/=====================/ && report { line[++n] = $0; flush(); next }
		/=====================/ { flush() }
		/BUG: KCSAN: / { report = 1 }
		/\[kmq/ { ours = 1 }
		{ line[++n] = $0 }
		END { flush() }'
}

find_splats() {
	without_foreign_races <"$1" | grep -nE "$splats" | grep -vE "$harmless"
}
