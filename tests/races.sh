#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Two sessions in one process, and long work beside a terminal, have no data race: ThreadSanitizer
# watches both tests. Part of `make nightly`, because no other test needs that build; it is made in
# the folder races-build.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL TESTS
build=$PWD/races-build
rm -rf "$build" && mkdir "$build" || exit 99
if ! { make -C "$CELLSCOPE_BUILD" -s distdir distdir="$build/source" &&
	cd "$build/source" && ./configure CC=clang --enable-werror --disable-shared \
	--enable-sanitizers=thread CFLAGS='-O0 -g1' LDFLAGS=-fuse-ld=lld; } >"$build/log" 2>&1; then
	tail -n 20 "$build/log"
	exit 99
fi
# archer tells ThreadSanitizer what libomp orders; libomp itself is not instrumented.
OMP_TOOL_LIBRARIES=$(find /usr/lib/llvm-*/lib -name libarcher.so | head -n 1)
TSAN_OPTIONS=ignore_noninstrumented_modules=1
export OMP_TOOL_LIBRARIES TSAN_OPTIONS
for test in core/two_sessions core/long_work; do
	make -s -j"$(nproc)" "tests/unit/$test" >>"$build/log" 2>&1 && "tests/unit/$test" >said 2>&1
	ok $? "$test: no data race"
	grep -v '^ok' said | head -n 40 | sed 's/^/# /'
done
cd "$build/.." && rm -rf "$build"
finish
