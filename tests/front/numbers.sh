#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Numbers that mean nothing are refused with the name of their field; names that pile marks on a
# character, and links that point nowhere.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/numbers
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99
"$cs" gen city --actors 40 --seed 1 -o world.json >/dev/null
"$cs" cook world.json -o world.cworld >/dev/null

# refused STATUS FIELD ARGUMENTS...
refused() {
	want=$1 field=$2
	shift 2
	timeout 20 "$cs" "$@" >out 2>err </dev/null
	got=$?
	[ $got -eq "$want" ] && grep -q -e "$field" err
	ok $? "$*: $field"
	[ $got -eq "$want" ] || echo "# status $got"
	sed 's/^/# /' err
}

refused 2 '--actors' gen city --actors -1 -o x.json
refused 2 '--actors' gen city --actors 1e3 -o x.json
refused 2 '--triangles' gen mesh sphere --triangles -1 -o x.ply
refused 2 '--triangles' gen mesh sphere --triangles 99999999999999999999 -o x.ply
for place in 1e308,0,0 0,-1e308,0 0,0,1e13; do
	refused 3 location world.cworld -e "source add A $place"
	refused 3 location world.cworld -e 'source add A 0,0,0' -e "source move A $place"
done
refused 3 velocity world.cworld -e 'source add A 0,0,0 --velocity 1e300,0,0'
for value in 0 -1 1e308 0.001; do
	printf '{"cellscope_world":1,"package":"/Game/M","settings":{"name":"M"},"grids":[{"name":"G","cell_size":%s}]}\n' $value >grid.json
	refused 3 cell_size cook grid.json -o x.cworld
	printf '{"cellscope_world":1,"package":"/Game/M","settings":{"name":"M"},"grids":[{"name":"G","loading_range":%s}]}\n' "-1e9" >grid.json
done
refused 3 loading_range cook grid.json -o x.cworld

# ---- options of Nanite resources: both ends of each range ----

"$cs" gen mesh sphere --triangles 500 -o ball.ply >/dev/null
"$cs" nanite build ball.ply -o ball.cnanite >/dev/null

# Reads lines of "STATUS|RANGE|COMMAND --option|VALUES BELOW IT|VALUES ABOVE IT": each value is refused
# with that status and an error that names the range.
beyond() {
	while IFS='|' read -r status range command below above; do
		for value in $below $above; do
			refused "$status" "$range" ball.cnanite -e 'camera add Eye 9,9,9' \
				-e "$command $value"
		done
	done
}
build='nanite build ball.ply -o x.cnanite'
beyond <<END
2|--precision must be -120 to 120|$build --precision|-121 -2147483648|121 1e9
3|--precision must be -120 to [0-9]* for a mesh of this size and distance from the origin, not [0-9]*:|$build --precision||30 99 120
3|--precision must be -120 to [0-9]* for a mesh of this size and distance from the origin, not [0-9]*:|nanite build ball.ply ball.ply -o x.cnanite --precision||99
2|--percent-triangles must be 0 to 100|$build --percent-triangles|-1|100.5 1e300
2|--normal-weight must be 0 to|$build --normal-weight|-1|1e7
2|--color-weight must be 0 to|$build --color-weight|-1|1e7
2|--uv-weight must be 0 to|$build --uv-weight|-1|1e7
2|--scale must be a number above 0|$build --scale|-1 0|
2|--lightmap-resolution must be 1 to 4096|$build --lightmap-uvs --lightmap-resolution|0|4097 4294967297
2|--lightmap-padding must be 1 to 16|$build --lightmap-uvs --lightmap-padding|0|17 4294967297
2|--lightmap-source must be 0 to 3|$build --lightmap-uvs --lightmap-source||4 4294967296
2|--lightmap-target must be 0 to 3|$build --lightmap-uvs --lightmap-target||4 4294967296
2|-j must be 1 to 1024|$build -j|0|1025 4294967297
2|-j must be 1 to 1024|cook world.json -o x.cworld -j|0|1025
2|--error must be at least 0|nanite export ball.cnanite -o x.obj --error|-1|
2|--level must be 0 to|nanite export ball.cnanite -o x.obj --level||4294967296
2|--mesh must be 0 to|nanite export ball.cnanite -o x.obj --mesh||4294967296
2|--error must be at least 0|cut --error|-1|
2|--mesh must be 0 to|cut --mesh||4294967296
2|--size must be 1 to 8192|cut --picture --size|0|8193 4294967297
2|--fov must be above 0 and below 180|cut --eye 9,9,9 --fov|0|180
2|--height must be above 0|cut --eye 9,9,9 --height|0|
2|--near must be at least 0|cut --eye 9,9,9 --near|-1|
2|--steps must be 2 to 1000|cost --steps|1|1001
2|--threshold must be above 0|cost --threshold|0|
3|near distance and the period of camera 'A' must be 0 or more|camera add A 9,9,9 --near|-1|
3|a height of 1 to 1000000 pixels|camera add A 9,9,9 --height|0|1e7
2|the number of bins of a histogram (--bins) must be 1 to 1000|hist triangles --bins|0|1001
3|--tile, the number of a tile of the imposter, must be 0 to 143|atlas --tile||144 4294967296
2|--frames must be 1 to 1000000|sweep pool 1..2 --frames|0|1000001
3|pending must be a whole number 1 to|pool pending|0|1e7
END

# ---- marks ----

marks=$(printf '\314\200\314\201\314\202\314\203\314\204\314\205')
printf 'echo a%sb\n' "$marks" >marks.cmd
(LC_ALL=C.UTF-8 && export LC_ALL && "$cs" --utf8 -x marks.cmd) >out 2>err
[ "$(cat out)" = "$(printf 'a\314\200\314\201\314\202\314\203\\xcc\\x84\\xcc\\x85b')" ]
ok $? 'four marks on a character pass, no more'
sed 's/^/# /' out

# ---- links ----

ln -s made.json dangling
"$cs" gen city --actors 4 -o dangling >/dev/null
[ -L dangling ] && [ -s made.json ]
ok $? 'through a link to nothing, as through one to a file'
"$cs" gen city --actors 5 -o dangling >/dev/null
[ -L dangling ] && [ ! -L made.json ]
ok $? 'and again'
mkdir folder
ln -s folder/deep.json relative
ln -s "$work/relative" twice
"$cs" gen city --actors 4 -o twice >/dev/null
[ -L twice ] && [ -L relative ] && [ -s folder/deep.json ]
ok $? 'a link to a link, into a folder'
ln -s loop loop
timeout 20 "$cs" gen city --actors 4 -o loop >out 2>err
[ $? -eq 3 ] && [ -L loop ]
ok $? 'links in a ring are an error'
"$cs" world.cworld -e 'cells > elsewhere' && ln -s none.txt link && "$cs" world.cworld -e 'cells > link' &&
	cmp -s elsewhere none.txt && [ -L link ]
ok $? 'and the output of a command goes through one'
finish
