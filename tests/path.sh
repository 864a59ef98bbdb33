#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# path.sh PROGRAM: the way of one `step` through the rooms, from the command to the first change of
# a state and to the end, as uftrace saw it (a program that is not stripped, with its objects beside
# it). Counts the calls that enter a room which is still open above: those that come back up before
# their caller is done. More than 30 of them before the first change is a failure.
set -u
[ $# -eq 1 ] || { echo 'usage: path.sh PROGRAM' >&2; exit 2; }
command -v uftrace >/dev/null || { echo 'path.sh wants uftrace' >&2; exit 77; }
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$(dirname "$1")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf 'source add a 0,0,200\nstep\n' >"$work/step.cmd"
(cd "$build" && find lib src cmds -name '*.o' -not -path '*/.libs/*' | xargs nm -A --defined-only |
	awk '$2 ~ /^[tT]$/ { file = $1; sub(/\/[^\/]*$/, "", file); sub(/\..*/, "", $3)
		print $3, file }' | sort -u) >"$work/rooms"
uftrace record -P . --no-libcall -d "$work/trace" "$1" -q --batch "$source/fixtures/valley.json" \
	-x "$work/step.cmd" >/dev/null 2>&1 || exit 2
uftrace replay -d "$work/trace" -f none --no-comment -F run_steps 2>/dev/null |
	awk -v most=30 'NR == FNR { n_rooms[$1]++; room[$1] = $2; in_room[$1, $2] = 1; next }
	function enter(name,   i, here, to) {
		sub(/[.(].*/, "", name)
		here = depth ? at[depth] : ""
		to = n_rooms[name] == 1 ? room[name] : here # several of that name, or merged: no step
		calls++
		for (i = depth - 1; to != here && i >= 1; i--) if (at[i] == to) {
			up++
			way[here " -> " to ", " called[depth] " -> " name]++
			break
		}
		depth++
		at[depth] = to
		called[depth] = name
		if (name == "cs_run_event" && !change) { change = calls; before = up + 0 }
	}
	/^ *}/ { depth--; next }
	/\(\)/ { enter($1); if ($NF != "{") depth-- }
	END { print "calls of a step: " calls ", until the first change: " change
		print "calls back up: " up + 0 ", until the first change: " before + 0
		for (w in way) print "  " way[w] "  " w
		exit change == 0 || before > most }' "$work/rooms" -
