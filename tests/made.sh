#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# made.sh BUILD: the sums of worlds, a project and a mesh that the programs of a build make, cook and
# build in a folder of their own, a line for each file. What two builds of any two compilers print is
# the same; between machines all but what LZ4 packed is promised. MADE=FOLDER keeps the files.
set -eu
build=$(cd "$1" && pwd)
if [ -n "${MADE:-}" ]; then
	mkdir -p "$MADE"
	cd "$MADE"
else
	folder=$(mktemp -d)
	trap 'rm -rf "$folder"' EXIT
	cd "$folder"
fi
for kind in city open hard ue; do
	case $kind in
	hard | ue) "$build/tests/gen" $kind $kind --actors 5000 --seed 7 ;;
	*) "$build/cellscope" -q gen $kind --actors 5000 --seed 7 -o $kind ;;
	esac
	"$build/cellscope" -q cook $kind $(test $kind = ue && echo --map Valley) -o $kind.cworld
done
"$build/cellscope" -q gen mesh terrain --triangles 20000 --seed 7 -o terrain.ply
"$build/cellscope" -q nanite build terrain.ply -o terrain.cnanite
find . -type f -print0 | sort -z | xargs -0 sha256sum
