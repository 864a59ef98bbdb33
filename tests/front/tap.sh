# SPDX-License-Identifier: Apache-2.0
# Test points in TAP for shell scripts: `ok STATUS NAME`, `skip WHY`, at the
# end `finish`.
points=0
failures=0

# A point that fails shows the last messages, which scripts keep in the file `err`.
ok() {
	points=$((points + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $points - $2"
	else
		failures=$((failures + 1))
		echo "not ok $points - $2"
		[ ! -s err ] || tail -n 12 err | sed 's/^/# /'
	fi
}

# empty TEXT NAME: what was found, if anything, is shown.
empty() {
	[ -z "$1" ]
	ok $? "$2"
	[ -z "$1" ] || printf '%s\n' "$1" | sed 's/^/# /'
}

skip() {
	points=$((points + 1))
	echo "ok $points - # SKIP $1"
}

finish() {
	echo "1..$points"
	[ "$failures" -eq 0 ] && [ "$points" -gt 0 ]
	exit
}
