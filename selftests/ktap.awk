# SPDX-License-Identifier: GPL-2.0-only
#
# Reads the TAP or KTAP output of one program and judges it strictly: each
# level must announce its number of cases and keep to it, cases are numbered
# without gaps, and skipping a case fails unless it is expected.
#
# Variables: name   what to call the program, as KERNEL/PROGRAM
#            status its exit status
#            skips  file of expected skips, lines of "KERNEL PROGRAM CASE";
#                   each word is a pattern of the shell's kind
# Output:    lines of "pass CASE", "skip CASE" or "fail CASE: REASON"; at
#            least one

function report(result, what, why) {
	print result " " name "/" what (why == "" ? "" : ": " why)
	reported++
	if (result == "fail")
		failed++
}

function as_regex(glob) {
	gsub(/[][.+(){}^$|\\]/, "\\\\&", glob)
	gsub(/\*/, ".*", glob)
	gsub(/\?/, ".", glob)
	return "^" glob "$"
}

function read_skips(   line, word) {
	while (skips != "" && (getline line < skips) > 0) {
		if (line ~ /^#/ || split(line, word, " ") < 3)
			continue
		expected[++expectations] = \
			as_regex(word[1] "/" word[2] "/" word[3])
	}
}

function is_expected(what,   i) {
	for (i = 1; i <= expectations; i++)
		if (name "/" what ~ expected[i])
			return 1
	return 0
}

# All levels deeper than this one are complete.
function close_levels(depth, what,   i) {
	for (i = deepest; i > depth; i--) {
		if (!(i in seen))
			continue
		if (!(i in plan)) {
			# Parameters of one case come without a plan.
			if (i <= 4)
				report("fail", what, "no plan")
		} else if (plan[i] != seen[i]) {
			report("fail", what, "planned " plan[i] \
			       " cases, saw " seen[i])
		}
		delete seen[i]
		delete plan[i]
	}
	deepest = depth
}

function path(depth, what,   i, result) {
	result = what
	for (i = depth - 1; i >= 0; i--)
		if (i in subtest)
			result = subtest[i] "." result
	return result
}

function judge(depth, ok, number, text,   what, directive, had, before) {
	directive = ""
	if (match(text, / *# *(SKIP|XFAIL|XPASS|TODO|TIMEOUT|ERROR)/)) {
		directive = substr(text, RSTART)
		text = substr(text, 1, RSTART - 1)
		sub(/^ *# */, "", directive)
	}
	sub(/^ *-? */, "", text)
	sub(/ *# .*$/, "", text)
	what = path(depth, text == "" ? "case " number : text)
	had = deepest > depth
	before = had ? failed_at[depth] : failed
	close_levels(depth, what)
	if (number != seen[depth] + 1)
		report("fail", what, "is number " number ", expected " \
		       (seen[depth] + 1))
	seen[depth]++
	if (had) {
		# Its cases have been counted.
		if (!ok && failed == before)
			report("fail", what, "failed for no visible reason")
	} else if (directive != "") {
		if (ok && is_expected(what))
			report("skip", what)
		else
			report("fail", what, "unexpected " directive)
	} else {
		report(ok ? "pass" : "fail", what, ok ? "" : "not ok")
	}
	failed_at[depth] = failed
}

BEGIN {
	deepest = 0
	read_skips()
}

{
	sub(/\r$/, "")
	match($0, /^ */)
	depth = RLENGTH
	line = substr($0, depth + 1)
}

line ~ /^(not )?ok [0-9]+/ {
	ok = line !~ /^not/
	sub(/^(not )?ok /, "", line)
	number = line
	sub(/[^0-9].*/, "", number)
	sub(/^[0-9]+/, "", line)
	if (depth > deepest)
		deepest = depth
	judge(depth, ok, number + 0, line)
	next
}

line ~ /^1\.\.[0-9]+/ {
	sub(/^1\.\./, "", line)
	if (depth in plan)
		report("fail", "plan", "announced twice")
	plan[depth] = line + 0
	if (line ~ /# *SKIP/ && !is_expected("all"))
		report("fail", "all", "skipped")
	if (!(depth in seen))
		seen[depth] = 0
	if (depth > deepest)
		deepest = depth
	next
}

line ~ /^# Subtest: / {
	sub(/^# Subtest: /, "", line)
	# It names what the level above will report.
	for (i in subtest)
		if (i + 0 >= depth)
			delete subtest[i]
	subtest[depth - 1] = line
	next
}

line ~ /^Bail out!/ {
	report("fail", "all", line)
}

END {
	if (!(0 in seen))
		report("fail", "all", "no results in its output")
	close_levels(-1, "all")
	if (status != 0 && failed == 0)
		report("fail", "all", "exit status " status)
}
