#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No memory anywhere in the process: the N-th allocation fails, once and then for good, whoever
# makes it. The program ends with status 99 and E_NOMEM in a text, or as if nothing had been.
# FAULT_POINTS is how many N are tried of each command; 0 = all.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
failing=$CELLSCOPE_BUILD/tests/faults/failing.so
work=$CELLSCOPE_OUT/process
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99
if grep -q '^CS_CFLAGS = .*-fsanitize' "$CELLSCOPE_BUILD/Makefile"; then
	skip 'sanitizers have allocators of their own'
	finish
fi

"$cs" gen city --actors 40 --seed 1 -o world.json >/dev/null
"$cs" gen open --actors 9 --meshes 1 --seed 2 -o town.json >/dev/null
"$cs" gen mesh sphere --triangles 300 --seed 1 -o mesh.ply >/dev/null
printf 'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n' >mesh.stl
"$cs" cook world.json -o world.cworld >/dev/null
printf 'echo abc\n|~ ^[a-c]+$\necho abc\n|* a*\nassert 1 = 1\n' >block.cmd
printf 'cells -n 5 --json\nstep 3\ncells ~ /L0/\n' >list.cmd
echo 'sql SELECT count(*), max(bytes), min(name) FROM cells GROUP BY level' >sql.cmd
printf '{"id":1,"cmd":"cells -n 2"}\n' >requests
OMP_NUM_THREADS=2
export OMP_NUM_THREADS

# once ENVIRONMENT...: the command of the case, with out, err and its status in $got
once() {
	rm -f made
	env "$@" LD_PRELOAD="$failing" "$cs" $command >out 2>err <requests
	got=$?
	[ -e made ] || : >made
}

# try NAME ARGUMENTS...
try() {
	name=$1
	shift
	command=$*
	once FAIL_AT=0
	mv out out.whole && mv made made.whole
	once FAIL_AT=1000000000 FAIL_TELL=1
	total=$(tail -n 1 err)
	most=${FAULT_POINTS:-16}
	step=$((most > 0 ? total / most + 1 : 1))
	wrong='' runs=0
	for for_good in no yes; do
		n=$((1 + step / 3))
		while [ $n -le "$total" ]; do
			once FAIL_AT=$n $([ $for_good = yes ] && echo FAIL_ON=1)
			runs=$((runs + 1))
			if [ $got -eq 0 ] && cmp -s out out.whole && cmp -s made made.whole; then
				:
			elif [ $got -ne 99 ] || ! cat out err | grep -q E_NOMEM; then
				wrong="$wrong $n($for_good):$got"
			fi
			n=$((n + step))
		done
	done
	[ "$total" -gt 100 ] && [ $runs -gt 20 ]
	ok $? "$name: $runs faults of $total allocations"
	empty "$wrong" "$name: E_NOMEM and status 99, or the whole result"
}

try cook cook world.json -o made
try 'cook with meshes' cook town.json -o made --hlod --meshes built
try 'nanite build' nanite build mesh.ply -o made
try 'nanite build, by foreign code' nanite build mesh.stl -o made
try 'a listing' world.cworld -x list.cmd
try 'SQL' world.cworld -x sql.cmd
try 'a script with blocks' -x block.cmd
try 'lines of JSON' --jsonl world.cworld
try 'help' --help
finish
