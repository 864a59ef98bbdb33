#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What meshes of every kind are built into, and worlds whose actors show meshes: by the sum of each
# answer, as in answers.sh. The sums of KIND-N-dag are of the DAG alone, those of KIND-N-info of what
# is told of all of it: which of them changed tells where to look. A change of the builder that is
# meant changes most: CELLSCOPE_BLESS=1 writes the list anew, and the tests beside say whether what is
# built is sound.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
. "$CELLSCOPE_SOURCE/tests/front/sums.sh"
summed built
packed

kinds() {
	for kind in terrain sphere foliage flat seams cube islands moebius coincident triangle; do
		"$cs" --batch -q gen mesh $kind --triangles 2500 --seed 3 -o $kind.ply >told 2>&1 </dev/null
		built $kind-1 $kind.ply
		built $kind-2 $kind.ply --raw --no-imposter --error quadric --precision 0 \
			--normal-weight 0 --color-weight 0 --uv-weight 0
		built $kind-3 $kind.ply --percent-triangles 85 --uv-weight 1 --color-weight 1 \
			--normal-weight 2 --precision 7
		for shown in '--level 1' '--level 2' '--triangles 400' '--coarse'; do
			# shellcheck disable=SC2086 # an option and its value
			"$cs" --batch -q nanite export $kind-3.cnanite $shown -o shown.ply \
				>>said/$kind-export 2>&1 </dev/null && cat shown.ply >>said/$kind-shown
		done
	done
}

shown_lines() {
	cat <<'END'
meshes
place
pool latency 0
pool threshold .2
source add a 0,0,200
camera add Near 0,0,180
step 60
page frames -n 60
page events -n 200
why page 1
hash
stalls
cells -n 40
sql SELECT * FROM hlods
sql SELECT * FROM meshes
report report.html
END
}

# The bytes of their pages are what this release of LZ4 makes of them.
worlds() {
	"$cs" --batch -q gen city --actors 50 --seed 2 --meshes 3 -o city.json >told 2>&1 </dev/null
	said world-cook cook city.json --hlod --meshes shown -o city.cworld
	for file in shown/*.cnanite; do
		"$cs" --batch -q nanite info "$file" </dev/null 2>&1 | uncompressed >>said/world-meshes
	done
	shown_lines | asked world city.cworld
	# when the file was written is no answer
	sed 's/, written [0-9: -]* UTC//' report.html >said/world-report
}

kinds
worlds
judge_sums
finish
