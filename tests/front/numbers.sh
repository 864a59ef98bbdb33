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
