#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gcc and clang at -O0 to -O3 make the same bytes and print the same answers (made.sh, and the sums of
# front/answers.sh). Part of `make nightly`: eight builds, in the folder compilers-build, of which one
# is kept at a time. Less: COMPILERS='clang' LEVELS='0 3' tests/compilers.sh
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL TESTS
base=$PWD/compilers-build
rm -rf "$base" && mkdir "$base" || exit 99
if ! make -C "$CELLSCOPE_BUILD" -s distdir distdir="$base/source" >"$base/log" 2>&1; then
	tail -n 20 "$base/log"
	exit 99
fi
CELLSCOPE_SOURCE=$base/source
export CELLSCOPE_SOURCE
for compiler in ${COMPILERS:-gcc clang}; do
	if ! command -v "$compiler" >/dev/null; then
		skip "$compiler is not installed"
		continue
	fi
	for level in ${LEVELS:-0 1 2 3}; do
		build=$base/build
		rm -rf "$build" && mkdir "$build" && cd "$build" || exit 99
		../source/configure CC="$compiler" CFLAGS="-O$level" --disable-shared >log 2>&1 &&
			make -j"$(nproc)" cellscope cellscope-import tests/gen tests/samples/make_samples >>log 2>&1 &&
			mkdir -p out && tests/samples/make_samples out >>log 2>&1
		status=$?
		ok $status "$compiler -O$level: built"
		[ $status -eq 0 ] || tail -n 20 log | sed 's/^/# /'
		sh "$CELLSCOPE_SOURCE/tests/made.sh" "$build" >made 2>&1
		[ -e "$base/made" ] || cp made "$base/made"
		empty "$(diff "$base/made" made)" "$compiler -O$level: $(wc -l <made) files, as those of the first"
		CELLSCOPE_BUILD=$build CELLSCOPE_OUT=$build/out CELLSCOPE_IMPORT=$build/cellscope-import \
			sh "$CELLSCOPE_SOURCE/tests/front/answers.sh" >answers 2>&1
		ok $? "$compiler -O$level: the answers of front/answers.list"
		grep '^not ok\|^# ' answers | head -n 20
	done
done
cd "$base/.." && rm -rf "$base"
finish
