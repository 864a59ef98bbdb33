#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make static`: one file that needs nothing of the machine. It runs in a root that holds nothing
# else, and makes the same bytes as the program that it stands for.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
root=$CELLSCOPE_OUT/static-root
rm -rf "$root" && mkdir -p "$root" || exit 99
cd "$CELLSCOPE_BUILD" || exit 99
if grep -qE '^CS_CFLAGS = .*(-fsanitize|--coverage)' Makefile; then
	skip 'a build for hunting has no static program'
	finish
fi
unset MAKEFLAGS MFLAGS MAKELEVEL TESTS
make -s static >"$root/log" 2>&1
made=$?
ok $made 'make static'
[ $made -eq 0 ] || sed 's/^/# /' "$root/log"
if command -v readelf >/dev/null; then
	! readelf -lW cellscope-static | grep -q INTERP && ! readelf -dW cellscope-static | grep -q NEEDED
	ok $? 'it needs no loader and no library'
else
	skip 'it needs no loader and no library: no readelf here'
fi
mkdir "$root/empty" && cp cellscope-static "$CELLSCOPE_SOURCE/fixtures/valley.json" "$root/empty" && cd "$root/empty" || exit 99
alone="chroot . /cellscope-static"
if ! chroot . /cellscope-static --version >/dev/null 2>&1; then
	skip 'an empty root: chroot is not permitted'
	alone="env -i ./cellscope-static"
fi
$alone -q cook valley.json -o valley.cworld >/dev/null && "$cs" -q cook valley.json -o other.cworld >/dev/null &&
	cmp -s valley.cworld other.cworld
ok $? 'it cooks the same bytes'
$alone -q valley.cworld -e 'source add P 0,0' -e 'step 30' -e map >map.txt &&
	"$cs" -q valley.cworld -e 'source add P 0,0' -e 'step 30' -e map | cmp -s - map.txt
ok $? 'it steps and draws the same'
$alone -q gen mesh sphere --triangles 3000 -o ball.ply >/dev/null && $alone -q nanite build ball.ply -o ball.cnanite >/dev/null &&
	$alone nanite verify ball.cnanite | grep -q 'ball.cnanite: '
ok $? 'it builds meshes'
$alone nanite build ball.ply -o metis.cnanite --partitioner metis >out 2>err
[ $? -ge 1 ] && grep -q E_FEATURE err
ok $? 'METIS, which it lacks, is a named error'
finish
