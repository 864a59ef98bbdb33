#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# All of check-short under clang's sanitizers of addresses and of undefined behaviour. CI has them
# look only at the tests that read bytes of others (check-hostile), because this takes twenty minutes.
# Part of `make nightly`; the build is made in the folder sanitizers-build.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL TESTS
build=$PWD/sanitizers-build
rm -rf "$build" && mkdir "$build" || exit 99
{ make -C "$CELLSCOPE_BUILD" -s distdir distdir="$build/source" && cd "$build/source" &&
	./configure CC=clang --enable-werror --disable-shared LDFLAGS=-fuse-ld=lld CFLAGS='-O1 -g1' \
		--enable-sanitizers=address,undefined,float-cast-overflow,nullability,local-bounds &&
	make -j"$(nproc)" all; } >"$build/log" 2>&1
status=$?
ok $status 'clang builds it with sanitizers and without a warning'
sh "$CELLSCOPE_SOURCE/tests/sweep_libomp.sh" &
sweeper=$!
trap 'kill $sweeper 2>/dev/null' EXIT
if [ $status -eq 0 ]; then
	env CELLSCOPE_EVERY=7 FUZZ_RUNS=100 CELLSCOPE_WALK_FRAMES=3000 CELLSCOPE_KINDS_TRIANGLES=400 \
		CELLSCOPE_WORLDS=30 CELLSCOPE_COOKS=200 make -j"$(nproc)" check-short >"$build/log" 2>&1
	status=$?
	ok $status "check-short: $(tail -n 1 "$build/log")"
fi
[ $status -eq 0 ] || grep '^not ok\|^FAIL\|^ERROR\|error:' "$build/log" | head -n 40 | sed 's/^/# /'
cd "$build/.." && { [ $status -ne 0 ] || rm -rf "$build"; }
finish
