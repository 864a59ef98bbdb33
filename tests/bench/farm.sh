#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a step costs beside its work: farm run against GNU make doing the same commands, in turns;
# the speed-up on two cores; a simulated run against a real one.
cs=$CELLSCOPE_BUILD/cellscope
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir game
i=0
while [ $i -lt 120 ]; do
	i=$((i + 1))
	"$cs" -q gen mesh sphere --triangles 2000 --seed $i -o game/m$i.ply
done
"$cs" -q farm plan game -o plan.jsonl
{
	printf 'all:'
	for mesh in game/*.ply; do printf ' %s' "$(basename "$mesh" .ply).ok"; done
	printf '\n%%.cnanite: game/%%.ply\n\t@%s -q nanite build $< -o $@ >/dev/null\n' "$cs"
	printf '%%.ok: %%.cnanite\n\t@%s nanite verify $< >$@\n' "$cs"
} >Makefile

# milliseconds COMMAND...
milliseconds() {
	began=$(date +%s%N)
	"$@" >/dev/null 2>&1
	echo $((($(date +%s%N) - began) / 1000000))
}

farm=0 make=0 two=0
for round in 1 2 3; do
	rm -rf cache ./*.ok ./*.cnanite
	farm=$((farm + $(milliseconds "$cs" farm run plan.jsonl --cache cache -j 1)))
	make=$((make + $(milliseconds make -j1 MAKEFLAGS= all)))
	rm -rf cache
	two=$((two + $(milliseconds "$cs" farm run plan.jsonl --cache cache -j 2)))
done
echo "farm run: $((farm * 100 / make))% of GNU make doing the same 240 commands"
echo "          $(((farm - make) * 1000 / 3 / 240)) us a step more"
echo "          $((farm * 100 / two))% of the speed of one slot with two (goal: 190%)"
forecast=$("$cs" farm simulate plan.jsonl --cache cache --cores 2 | sed -n 's/^makespan *//p')
echo "          simulated $forecast s, real $((two / 3)) ms"
