#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# How commands grow: user seconds of one thread, opening included, on generated cities of
# GROWTH_SIZES actors, and the exponent between the last two, which is to be at most 1.1.
cs=$CELLSCOPE_BUILD/cellscope
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
TIMEFORMAT=%U
read -ra sizes <<<"${GROWTH_SIZES:-100000 1000000}"

for n in "${sizes[@]}"; do
	"$cs" -q gen city --actors "$n" -o "$n.json" >/dev/null && "$cs" -q cook "$n.json" -o "$n.cworld" >/dev/null ||
		exit 1
done

# The least of three turns.
seconds() {
	for _ in 1 2 3; do
		{ time "$cs" -j 1 "$@" >answer 2>&1 </dev/null; } 2>&1
	done | sort -n | head -n 1
}

# FILE COMMAND...: @ in both is the number of actors.
while IFS='|' read -r file command; do
	line='' before='' now=''
	for n in "${sizes[@]}"; do
		before=$now
		now=$(seconds "${file//@/$n}" -e "${command//@/$n}")
		line+=$(printf ' %9s' "$now")
	done
	awk -v command="$command" -v line="$line" -v now="$now" -v before="$before" \
		-v ratio="$(awk "BEGIN { print ${sizes[-1]} / ${sizes[-2]} }")" 'BEGIN {
			exponent = log((now + .001) / (before + .001)) / log(ratio)
			printf "  %-58s%s  n^%.2f%s\n", command, line, exponent,
				(exponent > 1.1 ? ", asked for 1.10" : "") }'
done <<'END'
@.cworld|cells -w "actors > 100"
@.cworld|actors -n 20
@.cworld|actors -w "class like '%Bin%'" -n 5
@.cworld|actors -s name -n 5
@.cworld|sql "SELECT cell, count(*) FROM actors GROUP BY cell ORDER BY 2 DESC LIMIT 5"
@.cworld|explain Bin_898
@.cworld|drops
@.cworld|map
@.cworld|step 30
@.cworld|verify @.cworld
@.cworld|diff @.cworld
@.json|cells -n 5
@.json|whatif MainGrid.cell_size=20000
@.json|sweep MainGrid.cell_size=10000..20000 --steps 2
END
