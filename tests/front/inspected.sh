#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# All that commands say of resources, of runs of their pages, and of resources that are broken: by the
# sum of each answer, as in answers.sh. A change of the builder that is meant changes most.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
. "$CELLSCOPE_SOURCE/tests/front/sums.sh"
summed inspected
packed

resource_lines() {
	cat <<'END'
info --json
page 0
page 1
page 2
deps 1
deps 3
rdeps 1
rdeps 0
closure 2
closure 3
chain
graph deps --dot
graph dag --dot
explain page 1
explain page 3
explain cluster 0:0
explain cluster 1:9
explain cluster 3:4
dag
hierarchy
atlas
atlas --tile 77
atlas -o atlas.png
cut --error .5 --clusters
cut --error 3 --pages
cut --triangles 900
cut --triangles 1500 -o cut.ply --colour page
cut --eye 300,40,50 --clusters
cut --eye 300,40,50 --pages --threshold 4 --fov 90 --height 500
cut --eye 2000,40,50 --threshold 2 --clusters
cut --triangles 2000 --picture --yaw 90
cut --triangles 500 --png depth.png --size 200 --colour depth
cut --triangles 700 --png cluster.png --size 150 --yaw 200 --pitch -40 --colour cluster
cut --triangles 700 --png group.png --size 120 --yaw 100 --pitch 80 --colour group
cut --error 4 --png level.png --size 120 --colour level
cd cluster 1:9
pwd
cd group 3
pwd
cd node 0:4
pwd
END
}

paging_lines() {
	cat <<'END'
pool latency .05
pool bandwidth 3e6
pool pool 3
pool
camera add Near 150,0,20 --target 0,0,0
camera add Round 400,0,50 --orbit 2 --fov 90
step 40
cameras
hash
page frames -n 60
page events -n 200
why page 1
why page 2
why-not page 3
pages
why cluster 1:5
why cluster 3:4
cut --resident
cut --resident --clusters --colour residency
cut --resident --png resident.png --size 120 --colour residency
request 4
evict 2
step
step 10
hash
pool cull 1
pool lru 0
pool literal 1
pool quality 1
camera rm Near
camera add Path --path keys --seconds 1 --loop
step 60
hash
page frames -n 70
page events -n 300
cut --resident --pages
reverse-step 30
hash
sweep pool 0..6 --frames 40
why page 2
why page 3
END
}

resources() {
	"$cs" --batch -q gen mesh seams --triangles 45000 --seed 5 -o big.ply >told 2>&1 </dev/null
	"$cs" --batch -q gen mesh terrain --triangles 36000 --seed 5 -o land.ply >told 2>&1 </dev/null
	built big-1 big.ply --raw
	built land-1 land.ply --raw
	printf '300,0,100,0,0,0\n0,300,100,0,0,0\n-200,40,10,0,50,0\n90,-300,60,9,9,9\n' >keys
	for name in big land; do
		{ resource_lines; tables_of $name-1.cnanite; } | asked $name $name-1.cnanite
		for file in atlas.png depth.png cluster.png group.png level.png cut.ply; do
			mv $file said/$name-$file
		done
		{ paging_lines; tables_of $name-1.cnanite; } | asked $name-run $name-1.cnanite
		mv resident.png said/$name-resident.png
	done
	built other-1 land.ply --raw --normal-weight 0
	said diff -e 'open land-1.cnanite' -e 'open other-1.cnanite' -e 'diff resources land-1 other-1'
	cp -r "$CELLSCOPE_OUT/Ribbon" . || return
	{ resource_lines; tables_of Ribbon/SM_Ribbon.uasset; } | asked Ribbon Ribbon/SM_Ribbon.uasset
	paging_lines | asked Ribbon-run Ribbon/SM_Ribbon.uasset
}

# What is found in resources that are broken, rule by rule and by chance.
broken() {
	"$CELLSCOPE_BUILD/tests/samples/spoil_resources" |
		awk '/^== / { close(at); at = "said/broken-" $2; next } { print > at }'
}

resources
broken
judge_sums
finish
