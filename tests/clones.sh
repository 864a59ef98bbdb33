#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The two commands of README.md from fresh clones in odd folders: a name of one letter, the name of
# the program, a path of 200 characters, dots, letters beyond ASCII; without a terminal and without
# shared data. Part of `make nightly`. Less: CLONES='short program' tests/clones.sh, with words for
# bootstrap in CLONE_CONFIGURE and tests in CLONE_TESTS. The seconds are printed: of the wall, and of
# the processors, which other work on the machine does not change much.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
base=${CLONE_FOLDER:-${TMPDIR:-/tmp}/cellscope-clones.$$}
unset MAKEFLAGS MFLAGS MAKELEVEL TESTS CELLSCOPE_BUILD CELLSCOPE_OUT CELLSCOPE_IMPORT
CELLSCOPE_DATA=/nonexistent
export CELLSCOPE_DATA
mkdir -p "$base" && cd "$base" || exit 99
trap 'rm -rf "$base"' EXIT

folder_of() {
	case $1 in
	short) echo c ;;
	program) echo cellscope ;;
	long) printf '%*s\n' $((199 - ${#base})) '' | tr ' ' x ;;
	dots) echo a.b..c ;;
	letters) echo 'Möwe-кот-海' ;;
	esac
}

# timed NAME COMMAND...: without a terminal, its output in NAME.log
timed() {
	log=$base/$1.log name=$1
	shift
	{ time -p nohup "$@" >"$log" 2>&1 </dev/null; } 2>"$log.time"
	status=$?
	ok $status "$clone: $name ($(awk '{ s = s $1 " " int($2 + .5) " s " } END { print s }' "$log.time"))"
	[ $status -eq 0 ] || tail -n 30 "$log" | sed 's/^/# /'
}

for clone in ${CLONES:-short program long dots letters}; do
	folder=$(folder_of "$clone")
	git clone -q "$CELLSCOPE_SOURCE" "$folder" && cd "$folder" || exit 99
	eval "set -- ${CLONE_CONFIGURE:-}"
	timed bootstrap ./bootstrap "$@"
	timed demo make demo
	timed check make check ${CLONE_TESTS:+TESTS="$CLONE_TESTS"}
	ok $(($(git status --porcelain | wc -l) > 0)) "$clone: nothing is left that git does not ignore"
	cd "$base" || exit 99
	rm -rf "$base/$folder"
done
finish
