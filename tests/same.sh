#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# same.sh OLD NEW: whether two builds (folders with a cellscope in them) do the same. Both make
# worlds and meshes, cook and build them, run the cooked worlds and answer every command file of
# the tests, without what the files expect. Bytes, state hashes, statuses and all that is printed
# must be equal. NEW's tests/gen makes what the program does not. Prints what differs and keeps both folders then; the last line counts.
#
# For changes that must change nothing. With CELLSCOPE_DATA the projects, cooked maps and meshes
# there take part.
set -u
[ $# -eq 2 ] || { echo 'usage: same.sh OLD NEW' >&2; exit 2; }
old=$(cd "$1" && pwd) new=$(cd "$2" && pwd) || exit 2
source=$(cd "$(dirname "$0")/.." && pwd)
data=${CELLSCOPE_DATA:-$source/../shared/data}
work=$(mktemp -d)
unset MAKEFLAGS MFLAGS
export LC_ALL=C TZ=UTC TERM=dumb

# cs ANSWER WORDS...: the program, all that it says to a file.
cs() {
	answer=$1
	shift
	"$build/cellscope" --batch -k "$@" >"$answer" 2>&1 </dev/null
	echo "status $?" >>"$answer"
}

# The worlds that are made up, in every profile, and what runs and inquiries say about them.
worlds() {
	for kind in city open hard; do
		case $kind in
		hard) "$new/tests/gen" hard hard.json --actors 3000 --seed 5 ;;
		*) cs gen-$kind.txt gen $kind --actors 3000 --seed 5 -o $kind.json ;;
		esac
		for profile in 5.0 5.1 5.2 5.3 5.4 5.5-5.6 5.7; do
			cs $kind-$profile.txt cook $kind.json -o $kind-$profile.cworld \
				--profile $profile
		done
		for role in standalone dedicated_server; do
			sed "s/@ROLE@/$role/; s/@KIND@/$kind/" run >$kind-$role.run
			cs $kind-$role.out $kind-5.4.cworld -x $kind-$role.run
		done
		cs $kind-log.txt $kind-5.4.cworld cook log $kind.log
		cs $kind-pie.txt cook $kind.json --pie -o $kind-pie.cworld
	done
	for engine in 5.0 5.3 5.7; do
		"$new/tests/gen" ue ue-$engine --engine $engine --actors 300 --seed 3
		cs ue-$engine-cook.txt cook ue-$engine --map Valley -o ue-$engine.cworld
	done
}

# A run with everything in it that keeps a state.
script() {
	cat <<'END'
role @ROLE@
source add a 0,0,200
source add b 20000,12000,200 --priority high
client add c a
step 30
hash
source move a 9000,-4000,200
set wp.Runtime.MaxLoadingStreamingCells 2
checkpoint
step 20
hash
state
sources
layers
order -n 20
queue
hlods -n 30
cells -n 40
why-not cell 3
why cell 1
why cell 7 --json
explain cell 5
actors -n 40
explain actor 4
why-always 9
why actor 11
findings
frames -n 40
events -n 200
stalls
reverse-step 25
hash
restart 1
layer cycle 3
why-layer 3
layer-impact 3 unloaded
step 40
hash
path report
map
diff frame 10
sql SELECT * FROM cells ORDER BY name LIMIT 200
sql SELECT * FROM events ORDER BY 1 LIMIT 200
sets -n 40
grids --json
whatif cell-size 12800
END
}

meshes() {
	for kind in terrain sphere foliage flat seams cube islands moebius coincident; do
		cs gen-$kind.txt gen mesh $kind --triangles 6000 --seed 3 -o $kind.ply
		cs build-$kind.txt nanite build $kind.ply -o $kind.cnanite
	done
	cs metis.txt nanite build seams.ply --partitioner metis -o metis.cnanite
	cs quadric.txt nanite build sphere.ply --error quadric --raw -o quadric.cnanite
	for name in spot.obj suzanne.obj fandisk.obj; do
		[ ! -r "$data/meshes/$name" ] ||
			cs build-$name.txt nanite build "$data/meshes/$name" -o $name.cnanite
	done
	for file in *.cnanite; do
		for words in pages clusters groups fixups nodes hierarchy dag 'deps 0' verify; do
			# shellcheck disable=SC2086 # a command and its argument
			cs "$file-$words.txt" "$file" $words
		done
	done
}

# Every command file, without the blocks of what it must print.
transcripts() {
	mkdir scripts out
	for file in "$source"/tests/cmd/*.cmd "$source"/fixtures/*/*.cmd; do
		name=$(basename "$file" .cmd)
		sed -e '/^|/d' "$file" >scripts/$name.cmd
		mkdir -p "out/$name"
		cs $name.out -D OUT="out/$name" -D DATA="$data" \
			-D FIXTURES="$source/fixtures" -x scripts/$name.cmd
	done
}

# The texts of help, of all commands and topics.
texts() {
	cs commands.tsv help --tsv
	cut -f1 commands.tsv | sed 1d | while IFS= read -r name; do
		cs "help-$name.txt" help "$name"
	done
}

# all BUILD FOLDER
all() {
	build=$1
	mkdir -p "$2" && cd "$2" || exit 2
	script >run
	worlds
	meshes
	transcripts
	texts
}

(all "$old" "$work/old") &
(all "$new" "$work/new")
wait
# The names of entries of a cache of a farm cover the program, which is another one.
if diff -rq -x objects "$work/old" "$work/new"; then
	echo "$(find "$work/new" -type f | wc -l) files, equal"
	rm -rf "$work"
else
	echo "kept: diff -r $work/old $work/new"
	exit 1
fi
