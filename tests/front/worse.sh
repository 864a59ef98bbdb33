#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# worse: two worlds with ten worsenings that were planted, each of them alone, and budgets.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/worse
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99

# actor NUMBER NAME X SIZE [FIELDS]: a cube whose least corner is X, 1000.
actor() {
	printf '{"guid": "%032d", "name": "%s", "native_class": "/Script/Engine.StaticMeshActor", ' "$1" "$2"
	printf '"bounds_min": [%d, 1000, 0], "bounds_max": [%d, %d, %d]%s}\n' "$3" $(($3 + $4)) \
		$((1000 + $4)) "$4" "$5"
}
before() {
	printf '{"cellscope_world": 1, "settings": {"profile": "5.6"}, "package": "/Game/Maps/Yard", '
	printf '"layers": [{"name": "Night", "label": "Night", "asset": "/Game/Night.Night"}], '
	printf '"hlod_layers": [{"path": "/Game/HLOD/Near.Near"}], "partitions": [{"name": "MainGrid", '
	printf '"hlod_setups": [{"name": "Near", "hlod_layers": ["/Game/HLOD/Near.Near"], '
	printf '"loading_range": 51200}]}]}\n'
	for i in 1 2 3 4 5 6; do
		actor $i Rock_$i $((i * 12800 + 1000)) 500 ', "mesh": "small.ply"'
	done
	actor 7 Sun 0 100 ', "spatially_loaded": false'
}
# Ten ways to get worse.
always_loaded_actors() { actor 10 Moon 0 100 ', "spatially_loaded": false'; }
fullest_cell() { actor 11 Bush 15000 500; }
largest_cell() { actor 12 Hall 64800 9000; }
split_cells() { actor 13 Lamp 39900 500 ', "data_layers": ["Night"]'; }
errors() { actor 14 Lost 26900 10 ', "grid": "Cellar"'; }
warnings() { actor 15 Hand 26950 10 ', "references": ["00000000000000000000000000000007"]'; }
cell_bytes() { actor 16 Dome 27000 400 ', "mesh": "large.ply"'; }
largest_cluster() { actor 17 Twin 14900 10 ', "references": ["00000000000000000000000000000001"]'; }
hlods_without_cell() {
	printf '{"guid": "%032d", "name": "Proxy", "label": "Near/Yard_MainGrid_L0_X9_Y0_Z0", ' 18
	printf '"native_class": "/Script/Engine.WorldPartitionHLOD", "bounds_min": [90000, 1000, 0], '
	printf '"bounds_max": [90100, 1100, 100], "grid": "MainGrid:Near", "hlod": {"source_cell": '
	printf '"0000000000000000000000000000DEAD", "source_cell_name": "Yard_MainGrid_L0_X9_Y0_Z0", '
	printf '"layer": "/Game/HLOD/Near.Near"}}\n'
}
peak_cells() { actor 19 Shed 17000 500 ', "grid": "MainGrid"' | sed 's/ 1000, 0\]/ 14000, 0]/; s/ 1500, 500\]/ 14500, 500]/'; }
ten='always_loaded_actors fullest_cell largest_cell split_cells errors warnings cell_bytes
	largest_cluster hlods_without_cell peak_cells'

"$cs" -q gen mesh sphere --triangles 500 -o small.ply >made 2>&1
"$cs" -q gen mesh sphere --triangles 8000 -o large.ply >>made 2>&1
# cooked NAME: NAME.json with its meshes built.
cooked() {
	"$cs" -q cook "$1.json" -o "$1.cworld" --meshes meshes --mesh-cache cache >>made 2>&1
}
before >before.json
cooked before
{ before; for way in $ten; do $way; done; } >after.json
cooked after
printf 'time,x,y,z\n0,13000,1000,0\n1,20000,1000,0\n' >walk.csv
# worse AFTER [OPTIONS]: the names of what got worse, in order.
worse() {
	"$cs" -q -e 'path load walk.csv' -e "worse before.cworld $* -p walk -c measure --csv" >out 2>err </dev/null
	status=$?
	grep '^[a-z_]*$' out | grep -v '^measure$' | sort | tr '\n' ' '
}
# The mesh of cell_bytes is in memory along the walk, too.
want=$(printf '%s\n' $ten peak_bytes | sort | tr '\n' ' ')
[ "$(worse after.cworld)" = "$want" ]
ok $? 'ten worsenings are named, and nothing else'
[ "$(worse after.cworld)" = "$want" ] || { echo "# got:  $(worse after.cworld)"; sed 's/^/# /' err; }
[ -z "$(worse before.cworld)" ]
ok $? 'of the same world nothing is worse'
for way in $ten; do
	{ before; $way; } >one.json
	cooked one
	case " $(worse one.cworld)" in
	*" $way "*) ok 0 "$way alone is named" ;;
	*) ok 1 "$way alone is named: $(cat out)" ;;
	esac
done

"$cs" worse before.json after.json >out 2>&1 </dev/null
ok $? 'without budgets what got worse is told, and no failure'
echo '{"fullest_cell": 1, "errors": {"rise": 5}}' >budget.json
"$cs" worse before.json after.json --budget budget.json >out 2>&1 </dev/null
[ $? -eq 1 ] && grep -q 'fullest_cell.*breaks the budget' out && grep -q '1 budget broken' out
ok $? 'a budget that is broken is exit status 1'
"$cs" worse before.json before.json --budget budget.json >out 2>&1 </dev/null
ok $? 'and 0 where it is kept'
mv budget.json cellscope-budget.json
"$cs" worse before.json after.json --json >out 2>&1 </dev/null
[ $? -eq 1 ] && grep -q '"verdict":"breaks the budget"' out
ok $? 'the budget beside the world is that of the project'
echo '{"fulest_cell": 1}' >cellscope-budget.json
"$cs" worse before.json after.json >out 2>&1 </dev/null
[ $? -gt 1 ] && grep -q "unknown measure 'fulest_cell'" out
ok $? 'a budget of what is no measure is refused by name'
echo '{"peak_cells": 1, "late_ms": {"rise": 0}, "errors": {"rise": 0}}' >cellscope-budget.json
"$cs" worse before.json before.json >out 2>&1 </dev/null
[ $? -eq 0 ] && grep -q '^peak_cells.*unknown' out && grep -q '^late_ms.*unknown' out &&
	grep -q '^2 budgets not checked' out && ! grep -q '^errors' out
ok $? 'budgets of what was not measured are named'
rm cellscope-budget.json
"$cs" -e 'open after.json' -e 'report page.html --before before.json' >out 2>&1 </dev/null
grep -q 'What got worse' page.html && grep -q 'largest number of actors in one cell' page.html
ok $? 'a report tells it too'
# the levels of standalone instances count, as `check` and the listings count them
estate=$CELLSCOPE_SOURCE/fixtures/streaming/estate.json
lamp='{"guid": "00000000000000000000000000000012", "container": "/Game/Levels/House", "references": ["00000000000000000000000000000011"], "spatially_loaded": false}'
"$cs" -q "$estate" -e "edit '$lamp' -n 0" -e "worse '$estate' now -c measure,before,after --csv" \
	>out 2>err </dev/null
grep -qx 'errors,0,4' out && grep -qx 'always_loaded_actors,0,4' out
ok $? 'what got worse in standalone levels is told'
finish
