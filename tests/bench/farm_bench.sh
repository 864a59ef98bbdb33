#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a step costs beside its work: farm run against GNU make doing the same commands, in turns;
# the speed-up on two cores under ninja; a simulated run against a real one.
cs=$CELLSCOPE_BUILD/cellscope
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir game
i=0
while [ $i -lt 120 ]; do
	i=$((i + 1))
	"$cs" -q gen mesh sphere --triangles 2000 --seed $i -o game/m$i.ply >/dev/null
done
command -v ninja >/dev/null || {
	echo 'farm: ninja is not installed'
	exit 0
}
"$cs" -q farm plan game -o plan.jsonl --ninja build.ninja --cache "$work/cache" --program "$cs" >/dev/null
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

# cpu_milliseconds COMMAND...: of it and its children, which a loaded machine does not stretch
cpu_milliseconds() {
	sh -c '"$@" >/dev/null 2>&1; times' sh "$@" | tail -n 1 |
		awk -F '[ms ]+' '{printf "%d", ($1 + $3) * 60000 + ($2 + $4) * 1000}'
}

farm=0 make=0 one=0 two=0
for round in 1 2 3; do
	rm -rf cache ./*.ok ./*.cnanite
	farm=$((farm + $(milliseconds "$cs" farm run plan.jsonl --cache cache)))
	rm -rf cache
	one=$((one + $(milliseconds ninja -j 1)))
	make=$((make + $(milliseconds make -j1 MAKEFLAGS= all)))
	rm -rf cache
	two=$((two + $(milliseconds ninja -j 2)))
done
rm -rf cache
one_cpu=$(cpu_milliseconds ninja -j 1)
rm -rf cache
two_cpu=$(cpu_milliseconds ninja -j 2)
echo "farm run: $((farm * 100 / make))% of GNU make doing the same 240 commands"
echo "          $(((farm - make) * 1000 / 3 / 240)) us a step more"
echo "          $((one * 100 / two))% of the speed of one step at a time with two, by ninja (goal: 190%),"
echo "          for $((two_cpu * 100 / one_cpu))% of its CPU time; $((farm * 100 / two))% of farm run, whose steps have all threads"
forecast=$("$cs" farm simulate plan.jsonl --cache cache --cores 2 | sed -n 's/^makespan *//p')
echo "          simulated $forecast s, real $((two / 3)) ms"

# What the cache of digests saves a plan of files that did not change, beside reading them from memory.
"$cs" -q gen mesh sphere --triangles 200000 -o large.ply >/dev/null
mkdir many
for copy in $(seq 60); do cp large.ply many/$copy.ply; done
sleep 4 # a file is remembered once it is three seconds old
known=0 read=0
for round in 1 2 3 4 5; do
	rm -f cache/digests
	read=$((read + $(milliseconds "$cs" farm plan many -o many.jsonl --ninja many.ninja --cache cache)))
	known=$((known + $(milliseconds "$cs" farm plan many -o many.jsonl --ninja many.ninja --cache cache)))
done
echo "          a plan of 300 MB that did not change takes $((known * 100 / read))% of the time of reading them"
