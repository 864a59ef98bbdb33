#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make farm-check`: one large plan run by every engine that is installed here, killed at random on
# the way, against one that was left alone. Installs nothing; what is missing is skipped, with its
# reason. FARM_MESHES and FARM_WORLDS say how large, FARM_KILLS how often runs are killed.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
out=$CELLSCOPE_OUT/farm-check
rm -rf "$out" && mkdir -p "$out/game" && cd "$out" || exit 99
unset MAKEFLAGS MFLAGS

sums() {
	(cd "$1/objects" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
}

# same CACHE NAME
same() {
	sums "$1" | cmp -s - sums
	ok $? "$2: the same cache, byte for byte"
	rm -rf "$1"
}

echo "# making ${FARM_MESHES:=2000} meshes and ${FARM_WORLDS:=40} worlds"
i=0
while [ $i -lt "$FARM_MESHES" ]; do
	i=$((i + 1))
	echo "gen mesh sphere --triangles $((200 + i % 37 * 50)) --seed $i -o game/m$i.ply"
done >make.cmd
i=0
while [ $i -lt "$FARM_WORLDS" ]; do
	i=$((i + 1))
	echo "gen city --actors $((200 + i * 20)) --seed $i -o game/w$i.json"
done >>make.cmd
"$cs" -q --batch -x make.cmd >/dev/null || exit 99
if [ -d "$CELLSCOPE_DATA/meshes" ]; then
	ln -s "$CELLSCOPE_DATA"/meshes/*.* game/
fi

"$cs" farm plan game -o plan.jsonl
steps=$(($(wc -l <plan.jsonl) - 1))
[ $steps -ge $((2 * (FARM_MESHES + FARM_WORLDS))) ]
ok $? "a plan of $steps steps"
began=$(date +%s%N)
"$cs" farm run plan.jsonl --cache c1 >run.out 2>&1
status=$?
[ $status -le 1 ]
ok $? "one step at a time: $(tail -n 1 run.out)"
alone=$(($(date +%s%N) - began))
sums c1 >sums
began=$(date +%s%N)
"$cs" farm run plan.jsonl --cache c1 >again.out 2>&1
echo "# the second run took $((($(date +%s%N) - began) / 1000000)) ms (goal: less than 2000)"
grep -q "$steps steps: $steps hits, 0 done" again.out
ok $? 'the second run does nothing'
"$cs" farm simulate plan.jsonl --cache c1 --cores 2 >forecast.out

if command -v ninja >/dev/null; then
	"$cs" -q farm plan game -o plan.jsonl --ninja build.ninja --cache "$out/c2" --program "$cs"
	began=$(date +%s%N)
	ninja -j 2 >ninja.out 2>&1
	both=$(($(date +%s%N) - began))
	echo "# ninja, two at a time: $((alone / (both / 100 + 1)))% of the speed of one; simulated" \
		"$(sed -n 's/^makespan *//p' forecast.out) s, took $((both / 1000000)) ms"
	same c2 'ninja, two at a time'
else
	skip 'ninja: it is not installed'
fi
if command -v ninja >/dev/null && command -v srun >/dev/null && sinfo >/dev/null 2>&1; then
	printf '#!/bin/sh\nexec srun -n1 "%s" "$@"\n' "$cs" >on-a-node && chmod +x on-a-node
	"$cs" -q farm plan game -o plan.jsonl --ninja slurm.ninja --cache "$out/c5" --program "$PWD/on-a-node"
	ninja -f slurm.ninja -j 4 >slurm.out 2>&1
	same c5 'ninja, whose steps Slurm places'
else
	skip 'Slurm: srun and a running controller are not here'
fi

kills=0
while [ $kills -lt "${FARM_KILLS:-50}" ]; do
	kills=$((kills + 1))
	"$cs" -q farm run plan.jsonl --cache c6 >/dev/null 2>&1 &
	pid=$!
	sleep 0.$((kills * 37 % 90 + 10))
	victim=$(pgrep -P $pid | head -n 1)
	[ $((kills % 2)) = 0 ] && [ -n "$victim" ] && kill -KILL "$victim" && sleep 0.1
	kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null
done
"$cs" -q farm run plan.jsonl --cache c6 >/dev/null 2>&1
same c6 "killed $kills times"
rm -rf "$out"
finish
