#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A system that takes and gives half of what it is asked for, and interrupts: every file, pipe and
# answer is whole all the same.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
short=$CELLSCOPE_BUILD/tests/faults/short.so
work=$CELLSCOPE_OUT/short
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99
if grep -q '^CS_CFLAGS = .*-fsanitize' "$CELLSCOPE_BUILD/Makefile"; then
	skip 'sanitizers come before what is preloaded'
	finish
fi

"$cs" gen city --actors 300 --seed 1 -o world.json >/dev/null
"$cs" gen mesh sphere --triangles 1000 --seed 1 -o mesh.ply >/dev/null
printf 'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n' >mesh.stl
"$cs" cook world.json -o world.cworld >/dev/null
printf 'cells -n 50 --json > made\ncells -n 50 | cat\nstep 3\n' >list.cmd
# keys have the code of everything that is loaded
SHORT_OFF=1 LD_PRELOAD="$short" "$cs" -q farm plan . -o plan.jsonl >/dev/null

# same NAME ARGUMENTS...: what it prints and what it makes are those of a system that does not fail
same() {
	name=$1
	shift
	rm -rf made && "$cs" "$@" >out.whole 2>&1 && mv made made.whole
	SHORT_TELL=1 LD_PRELOAD="$short" "$cs" "$@" >out 2>err
	got=$?
	cut=$(tail -n 1 err)
	sed '$d' err >>out
	sed '/^[0-9][0-9]*$/d' out >out.cut
	[ $got -eq 0 ] && [ "$cut" -gt 0 ] && cmp -s made made.whole && cmp -s out.cut out.whole
	ok $? "$name: the same, with $cut calls cut short"
	rm -rf made made.whole
}

same 'a world' gen city --actors 300 --seed 2 -o made
same 'a cook' cook world.json -o made
same 'a mesh' nanite build mesh.ply -o made
same 'a mesh through the importer' nanite build mesh.stl -o made
"$CELLSCOPE_BUILD/tests/samples/make_samples" . || exit 99
printf 'open Packed/Town.utoc\ncells --json > made\nverify\nopen Cooked --map Town\ncells\n' >engine.cmd
printf 'meshes Ribbon --json > made\nopen Ribbon/SM_Ribbon.uasset\nclusters --json\n' >nanite.cmd
same 'a map of the engine' --allow-shell -x engine.cmd
same 'a Nanite mesh of the engine' --allow-shell -x nanite.cmd
same 'a listing in a file and a pipe' --allow-shell world.cworld -x list.cmd

SHORT_OFF=1 LD_PRELOAD="$short" "$cs" -q farm run plan.jsonl --cache whole >/dev/null 2>&1
LD_PRELOAD="$short" "$cs" -q farm run plan.jsonl --cache cut >/dev/null 2>&1
[ -d whole/objects ] && diff -r whole/objects cut/objects >/dev/null
ok $? 'a farm and its cache'
"$cs" farm cache verify --cache cut | grep -q '^damaged *0$'
ok $? 'of which nothing is damaged'
finish
