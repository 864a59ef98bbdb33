#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What small worlds, runs and projects become, and all that commands say of them: the sum of
# each answer is the one in answers.list. It says that an answer became another one, not which is
# right: look at both (tests/same.sh OLD NEW shows them), and where the change is meant write the list
# anew with CELLSCOPE_BLESS=1.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
. "$CELLSCOPE_SOURCE/tests/front/sums.sh"
summed answers

tables() {
	tables_of city-5.4.cworld
}

world_lines() {
	cat <<'END'
info --json
set sim.Latency 90
source add a 0,0,200
source add b 20000,12000,200 --priority high
client add c a
step 30
hash
source move a 9000,-4000,200
set wp.Runtime.MaxLoadingStreamingCells 2
step 20
hash
state
order -n 20
queue
cells -n 60
why cell 1
why cell 7
why-not cell 3
explain cell 5
actors -n 60
why actor 11
explain actor 4
explain actor 12
why-always 9
cluster 12
cut 12
layers
layer cycle 3
why-layer 3
layer-impact 3 unloaded
layer-cost
step 40
reverse-step 25
hash
checkpoint
step 3
restart 1
step 9
stalls
hitches
probe 100,100,0
completed 100,100,0
map
plot frames.loading
path report
hlod check
diff frame 5
check
drops
verify --deep
whatif MainGrid.cell_size=12800
whatif MainGrid.loading_range=9000 --diff
sweep MainGrid.loading_range=6400..25600 --steps 3
wp.Runtime.DumpDataLayers
wp.Runtime.DumpStreamingSources
wp.Runtime.DumpWorldPartitions
wp.Editor.HLOD.DumpStats
END
}

worlds() {
	for kind in city open hard; do
		case $kind in
		hard) "$CELLSCOPE_BUILD/tests/gen" hard hard.json --actors 260 --seed 5 ;;
		*) said gen-$kind gen $kind --actors 260 --seed 5 -o $kind.json ;;
		esac
		cp $kind.json said/gen-$kind.json
		for profile in 5.0 5.1 5.2 5.3 5.4 5.5-5.6 5.7; do
			said $kind-$profile cook $kind.json -o $kind-$profile.cworld --profile $profile
			said $kind-$profile-info $kind-$profile.cworld info --json
		done
	done
	for kind in city hard; do
		{ world_lines; tables; } | asked $kind $kind.json
		said $kind-log $kind-5.4.cworld cook log $kind.log
		cp $kind.log said/$kind.log
	done
	tables | asked open open-5.7.cworld
	said diff diff world city-5.3.cworld city-5.7.cworld
	said report -e 'open hard-5.4.cworld' -e 'step 20' -e 'report report.html --before hard-5.0.cworld'
	cp report.html said/report.html
	said report-engine -e 'open city-5.7.cworld' -e 'report engine.html --log city.log' \
		-e 'open hard-5.3.cworld' -e 'report hard.html --log hard.log --title "a & b"'
	cat engine.html hard.html >said/report-engine.html
}

# Meshes as they are made; what is built of them is summed in built.sh.
meshes() {
	for kind in terrain sphere foliage flat seams cube islands moebius coincident triangle; do
		said gen-$kind gen mesh $kind --triangles 700 --seed 3 -o $kind.ply
		cp $kind.ply said/$kind.ply
	done
}

projects() {
	for engine in 5.0EA 5.0 5.1 5.2 5.3 5.4 5.5 5.6 5.7; do
		"$CELLSCOPE_BUILD/tests/gen" ue ue-$engine --engine $engine --actors 40 --seed 3
		find ue-$engine -type f | sort | xargs cksum >>said/ue-$engine
		said ue-$engine-cook cook ue-$engine --map Valley -o ue-$engine.cworld
		said ue-$engine-info ue-$engine.cworld info --json
	done
	{
		world_lines | head -12
		tables
	} | asked project 'ue-5.7 --map Valley'
}

cooked() {
	cp -r "$CELLSCOPE_OUT/Cooked" "$CELLSCOPE_OUT/Packed" "$CELLSCOPE_OUT/Ribbon" . || return
	for place in Cooked Packed; do
		{
			printf 'files\nmeshes\ncheck\nverify\n'
			world_lines | head -24
			tables
		} | asked $place $place
	done
	said report-cooked -e 'open Cooked' -e 'report cooked.html --cooked Cooked'
	cat cooked.html >>said/report-cooked
	# when the files were written is no answer
	sed -i 's/, written [0-9: -]* UTC//' said/report.html said/report-engine.html said/report-cooked
	{ printf 'info\nverify\npages\nexplain page 0\n'; tables; } | asked Ribbon Ribbon/SM_Ribbon.uasset
}

worlds
meshes
projects
cooked
judge_sums
finish
