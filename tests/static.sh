#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make static`: one file that needs nothing of the machine. It runs in a root that holds nothing
# else, and makes the same bytes as the program that it stands for. STATIC_SUITES names releases of
# Debian in whose roots it runs too, as `make nightly` does: as root, with mmdebstrap and a mirror.
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

for suite in ${STATIC_SUITES:-}; do
	name="the root of Debian's $suite"
	release=$root/$suite
	if [ "$(id -u)" != 0 ] || ! command -v mmdebstrap >/dev/null; then
		skip "$name: needs root and mmdebstrap"
		continue
	fi
	if ! mmdebstrap --variant=essential "$suite" "$release" >"$root/log" 2>&1; then
		skip "$name: mmdebstrap could make none ($(tail -n 1 "$root/log"))"
		continue
	fi
	cp "$CELLSCOPE_BUILD/cellscope-static" "$release/bin/cellscope" && cp valley.json "$release/root/" || exit 99
	chroot "$release" env -i HOME=/root TERM="${TERM:-}" sh -c 'cd && cellscope -q cook valley.json -o valley.cworld >/dev/null &&
		cellscope -q valley.cworld -e "source add P 0,0" -e "step 30" -e map' >map-there.txt 2>&1
	cmp -s map-there.txt map.txt && cmp -s "$release/root/valley.cworld" valley.cworld
	ok $? "$name: it cooks, steps and draws the same there"
	rm -rf "$release"
done
finish
