#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Cooked files of which one number is extreme, behind right sums (spoil_fields.c): every command that
# reads such a file ends in time, within its memory, with an answer or a named error. A sample, or with
# FIELDS_EVERY=1 all of them. Each process reads one file and runs all of the lines.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/fields
: "${FIELDS_EVERY:=193}"
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99

mesh_lines() {
	cat <<'END'
open @F@
info
dag
hierarchy
atlas
page 0
page 1
deps 1
closure 2
explain page 1
explain cluster 0:0
cut --error 1 --clusters
cut --triangles 200 --png cut.png --size 60
cut --triangles 200 -o cut.ply
graph deps --dot
graph dag --dot
camera add Near 150,0,20 --target 0,0,0
step 5
why page 1
page events
pool profile 5.5
pool pool 1
step 5
sweep pool 0..2 --frames 5
cost
cost --distances 1mm..500km --steps 3 --unit m --plot pages
cut --eye 0,0,0
nanite sections @F@
nanite verify @F@
nanite export @F@ --level 0 -o level.obj
nanite export @F@ --error 1 -o error.ply
nanite export @F@ --coarse -o coarse.obj
nanite export @F@ --cdag out.cdag
nanite info @F@
END
	tables whole.cnanite
}

world_lines() {
	cat <<'END'
open @F@
info
cells
actors
grids
layers
containers
partitions
sets
references
hlods
findings
drops
map
check
hlod check
layer-impact L activated
why-always a1
explain actor a1
explain cell #0
source add P 0,0,0
step 20
cells -w "state = 'activated'"
order -n 5
queue
stalls
path report
hitches
why cell #0
goto 5
step 3
source move P 1e6,0,0
step 3
hash
verify @F@
cook log cook.log
END
	tables whole.cworld
	echo 'diff world @F@ whole.cworld'
}

# tables FILE: a line for each table of it
tables() {
	"$cs" --batch -q "$1" info tables --tsv </dev/null | sed 1d | cut -f1 | sort -u |
		sed 's/.*/sql SELECT * FROM "&" LIMIT 40/'
}

# tried EXTENSION: one process for each spoilt file; what went wrong is printed
tried() {
	while read -r file what; do
		(
			# address space: threads and libraries take most; a sanitizer wants terabytes
			grep -q '^CS_CFLAGS = .*-fsanitize' "$CELLSCOPE_BUILD/Makefile" ||
				ulimit -v 3000000
			timeout 20 "$cs" --batch -k -q -j 1 -D "F=$file" -x "lines.$1" \
				>"said.$1" 2>&1 </dev/null
		)
		status=$?
		# 99: a fault of ours; 124: no end; above: a signal
		case $status in
		0 | 1 | 2 | 3) grep -q 'E_NOMEM\|E_INTERNAL' "said.$1" || { rm "$file"; continue; } ;;
		esac
		echo "$file $what: status $status $(grep -m1 'E_NOMEM\|E_INTERNAL' "said.$1")"
	done
}

"$cs" --batch -q gen mesh seams --triangles 6000 --seed 5 -o mesh.ply >made 2>&1 &&
	"$cs" --batch -q nanite build mesh.ply -o whole.cnanite >>made 2>&1 &&
	"$CELLSCOPE_BUILD/tests/gen" hard world.json --seed 5 >>made 2>&1 &&
	"$cs" --batch -q cook world.json -o whole.cworld >>made 2>&1
ok $? 'a resource and a world are made'
mesh_lines >lines.cnanite
world_lines >lines.cworld
# What walked four thousand million materials, and shifted by them.
always='nanite[0].materials nanite[0].position_precision nanite[0].uvs'
for kind in cnanite cworld; do
	"$CELLSCOPE_BUILD/tests/samples/spoil_fields" whole.$kind . "$FIELDS_EVERY" $always >list.$kind
	tried $kind <list.$kind >wrong.$kind &
done
wait
for kind in cnanite cworld; do
	empty "$(cat wrong.$kind)" "$(wc -l <list.$kind) spoilt numbers of a $kind file"
done
finish
