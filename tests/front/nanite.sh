#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Nanite resources from outside: they open with the program, several at once, and every listing of
# them is its table, row by row.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/nanite
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99

{
	"$cs" gen mesh sphere --triangles 40000 -o rock.ply
	"$cs" nanite build rock.ply -o rock.cnanite
	"$cs" gen mesh seams --triangles 3000 -o tree.ply
	"$cs" nanite build tree.ply -o tree.cnanite
} >made 2>err
ok $? 'two resources are built'

# The rows of an answer in JSON without its name; to SQL a boolean is a number, a vector a text.
rows() {
	sed '1s/"schema":"[^"]*"/"schema":""/; s/:true/:1/g; s/:false/:0/g; s/"\(\[[^]]*\]\)"/\1/g'
}

"$cs" rock.cnanite tree.cnanite -e 'resources -c name --csv' >out 2>err
[ "$(tail -n +2 out | tr '\r\n' '  ' | tr -s ' ')" = 'rock tree ' ]
ok $? 'both open with the program'
"$cs" rock.cnanite -e 'assert (SELECT max(fill) FROM pages) <= 1' >out 2>err
ok $? 'an assert over pages holds'
"$cs" rock.cnanite -e 'assert (SELECT count(*) FROM pages) > 1000000' >out 2>err
[ $? -eq 1 ]
ok $? 'and one that does not hold is status 1'

for table in resources pages sections clusters groups parts fixups nodes; do
	"$cs" rock.cnanite tree.cnanite -e "$table --json" 2>err | rows >listing
	"$cs" rock.cnanite tree.cnanite -e "sql --json SELECT * FROM $table" 2>>err | rows >table
	cmp listing table >>err 2>&1 && [ "$(wc -c <listing)" -gt 200 ]
	ok $? "$table lists its table"
done
"$cs" rock.cnanite tree.cnanite -e 'clusters @ page rock:1 --json' 2>err | rows >listing
"$cs" rock.cnanite tree.cnanite -e \
	"sql --json SELECT * FROM clusters WHERE resource = 'rock' AND page = 1" | rows >table
cmp -s listing table
ok $? 'clusters of a page are those of the table'
"$cs" rock.cnanite -e 'deps 1 --json' 2>err | rows >listing
"$cs" rock.cnanite -e 'sql --json SELECT * FROM page_needs WHERE page = 1' | rows >table
cmp -s listing table
ok $? 'deps are rows of page_needs'
"$cs" rock.cnanite -e 'rdeps 1 --json' 2>err | rows >listing
"$cs" rock.cnanite -e 'sql --json SELECT * FROM page_needs WHERE needs = 1' | rows >table
cmp -s listing table
ok $? 'and rdeps the other way'

# ---- a picture, and a graph that graphviz would read ----

"$cs" rock.cnanite -e 'atlas -o atlas.png' >out 2>err && [ "$(head -c 4 atlas.png | tail -c 3)" = PNG ]
ok $? 'the atlas is a PNG'
"$cs" rock.cnanite -e 'graph deps --dot' >deps.dot 2>err
[ "$(head -n 1 deps.dot)" = 'digraph pages {' ] && [ "$(tail -n 1 deps.dot)" = '}' ]
ok $? 'a graph is DOT'

# ---- cuts ----

"$cs" rock.cnanite -e 'cut --triangles 3000 -o cut.ply --colour page' >out 2>err &&
	head -c 3 cut.ply | grep -q ply && "$cs" nanite build cut.ply -o again.cnanite >out 2>err
ok $? 'a cut is a mesh file that builds again'
"$cs" rock.cnanite -e 'cut --triangles 3000 -o cut.obj --colour level' >out 2>err &&
	grep -q '^g level_' cut.obj
ok $? 'and OBJ with a group for each level'
"$cs" rock.cnanite -e 'cut --error 1 --png cut.png --colour cluster --size 64' >out 2>err &&
	[ "$(head -c 4 cut.png | tail -c 3)" = PNG ]
ok $? 'a picture of it is a PNG'
"$cs" rock.cnanite -e 'cut --triangles 500 --picture --size 40' >out 2>err &&
	[ "$(grep -c '[=+*#%@]' out)" -gt 5 ]
ok $? 'or stands in the terminal'
"$cs" --safe rock.cnanite -e 'cut --error 1 -o unsafe.ply' >out 2>err
[ $? -eq 3 ] && [ ! -e unsafe.ply ]
ok $? 'with --safe nothing is written'
"$cs" rock.cnanite -e 'cut --error 1 --triangles 5' >out 2>err
[ $? -eq 2 ] && grep -q 'one of --error' err
ok $? 'a cut is said in one way'
"$cs" rock.cnanite tree.cnanite -e 'diff resources rock rock -w "change <> 0" --csv' >out 2>err &&
	[ "$(wc -l <out)" -eq 1 ]
ok $? 'a resource does not differ from itself'
"$cs" rock.cnanite tree.cnanite -e 'diff resources rock tree' >out 2>err
[ $? -eq 1 ] && grep -q '^0 clusters and 0 pages have the same geometry' out
ok $? 'from another one it does, which is status 1'

# ---- what the grid leaves of a mesh ----

"$cs" nanite build rock.ply -o none.cnanite --precision -12 >out 2>err
[ $? -eq 3 ] && [ ! -e none.cnanite ] && grep -q 'no triangle has three different corners' err
ok $? 'a build of nothing is status 3 with its reason, and writes no file'
printf 'v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >nan.obj
"$cs" nanite build nan.obj -o none.cnanite >out 2>err
[ $? -eq 3 ] && [ ! -e none.cnanite ] && grep -q 'no triangle with three different corners' err
ok $? 'so is that of a mesh without a finite triangle'
"$cs" nanite build rock.ply -o coarse.cnanite --precision -2 >out 2>err
ok $? 'a build on a coarse grid works'
grep -q '^warning: Flat: left out [1-9][0-9]* triangles .* at most [0-9.]* units from' err
ok $? 'and it warns how many triangles are flat there, more than a hundredth, and how far they are from the rest'
"$cs" verify coarse.cnanite >out 2>err
ok $? 'verify finds it sound'

# ---- what is refused ----

head -c 5000 rock.cnanite >cut.cnanite
"$cs" cut.cnanite -e resources >out 2>err
[ $? -eq 3 ] && grep -q 'cut.cnanite' err
ok $? 'a file that was cut is told by its name'
"$cs" -e pages >out 2>err
[ $? -eq 3 ] && grep -q 'no Nanite resource is open' err
ok $? 'pages of nothing'
"$cs" rock.cnanite -e 'page 999' >out 2>err
[ $? -eq 3 ] && grep -q "no page '999'" err
ok $? 'a page that is not there'
"$cs" -q rock.cnanite -e 'camera add Main 900,900,300' -e 'step 200' -e 'view timeline' \
	-e 'view group page' -e 'view zoom out' -e 'view cursor left 5' -e 'view show ~ Timeline' >out 2>err
[ $? -eq 0 ] && grep -q '^ Timeline  frames 0..[0-9]* *1 column = [0-9]* frames' out
ok $? 'a timeline that was not drawn yet moves, groups and zooms'
finish
