#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Nothing is written behind a block of memory: with a malloc that looks when a block is freed, files
# are written and read. For builds without sanitizers, which would see reads too.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
checking=libc_malloc_debug.so.0
work=$CELLSCOPE_OUT/overrun
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99
if grep -q '^CS_CFLAGS = .*-fsanitize' "$CELLSCOPE_BUILD/Makefile"; then
	skip 'sanitizers come before what is preloaded'
	finish
fi
if [ -n "$(LD_PRELOAD=$checking true 2>&1)" ]; then
	skip "no $checking here"
	finish
fi

# looked_at NAME ARGUMENTS...: it works, and nothing is said of blocks
looked_at() {
	name=$1
	shift
	LD_PRELOAD=$checking GLIBC_TUNABLES=glibc.malloc.check=3 "$cs" -q "$@" >out 2>err
	ok $? "$name"
	empty "$(cat err)" "$name: no block is overrun"
}
looked_at 'a world is made' gen city --actors 300 --seed 1 -o world.json
looked_at 'it is cooked' cook world.json -o world.cworld
printf 'open world.cworld\ncells\nactors\nfindings\nverify\n' >read.cmd
looked_at 'and read' --batch -x read.cmd
looked_at 'a mesh is made' gen mesh sphere --triangles 1000 --seed 1 -o mesh.ply
looked_at 'it is built' nanite build mesh.ply -o mesh.cnanite
looked_at 'and read' nanite verify mesh.cnanite
finish
