#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Transcripts name files. They match in a folder of any name, like those that clones.sh builds in at
# night: one letter, the name of the program, 200 characters, dots, letters beyond ASCII.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
base=$CELLSCOPE_OUT/folders
rm -rf "$base" && mkdir -p "$base" && cd "$base" || exit 99
long=$(printf '%*s\n' $((199 - ${#base})) '' | tr ' ' x)
for folder in c cellscope "${long:-x}" a.b..c 'Möwe-кот-海'; do
	mkdir -p "$folder/tests/out" && cp -R "$CELLSCOPE_SOURCE/fixtures" "$folder/" &&
		ln -s "$CELLSCOPE_BUILD/cellscope" "$folder/" || exit 99
	"$CELLSCOPE_BUILD/tests/samples/make_samples" "$folder/tests/out" || exit 99
	wrong=''
	for script in answers blocks compare compare_views engine_cook places screen views world; do
		cp "$CELLSCOPE_SOURCE/tests/cmd/$script.cmd" "$folder/tests/"
		CELLSCOPE_SOURCE=$base/$folder CELLSCOPE_BUILD=$base/$folder CELLSCOPE_OUT=$base/$folder/tests/out \
			CELLSCOPE_DATA=/nonexistent \
			sh "$CELLSCOPE_SOURCE/tests/run-cmd" "tests/$script.cmd" >said 2>&1 ||
			wrong="$wrong $script: $(grep '^not ok' said | head -n 1)"
	done
	empty "$wrong" "$(printf '%.20s' "$folder"): what transcripts expect"
done
finish
