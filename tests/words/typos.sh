#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A hundred slips of the fingers, each of which gets its right line as advice: commands, options,
# columns, tables, layers, partitions, cells, actors, variables, settings, events, kinds and names of files. The advice stands
# on standard error in every way to give commands.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/typos
rm -rf "$work" && mkdir -p "$work/folder" && cd "$work" || exit 99
: >folder/inner.txt
cp "$CELLSCOPE_SOURCE/fixtures/streaming/real.log" "$CELLSCOPE_SOURCE/fixtures/valley.json" .
"$cs" -q cook "$CELLSCOPE_SOURCE/fixtures/valley.json" -o valley.cworld >made

wrong='' n=0
while IFS='	' read -r line right; do
	n=$((n + 1))
	printf '%s\n' "$line" >>all.cmd
	printf '  try: %s\n' "$right" >>all.right
	"$cs" valley.cworld -e 'source add Player0 0,0' -e 'set $count = 3' -e "$line" 2>err >out </dev/null
	said=$(sed -n 's/^  try: //p' err)
	[ "$said" = "$right" ] || wrong="$wrong$line: try '$said', not '$right'
"
done <<'END'
cels	cells
celss	cells
clls	cells
actrs	actors
acotrs	actors
actro Rock_1187	actor Rock_1187
layres	layers
layer DL_Nigth	layer DL_Night
layer DL_Qest	layer DL_Quest
girds	grids
soruces	sources
fidnings	findings
drosp	drops
contaners	containers
explian actor Rock_1187	explain actor Rock_1187
explain actro Rock_1187	explain actor Rock_1187
explain actor Rock_1178	explain actor Rock_1187
explain cel L0:5,1	explain cell L0:5,1
wyh cell L0:5,1	why cell L0:5,1
why cel L0:5,1	why cell L0:5,1
stpe	step
contineu	continue
brake cell.fail	break cell.fail
break cell.fial	break cell.fail
break cell.lod	break cell.load
breakk frame	break frame
wacth 1	watch 1
rune	run
mpa	map
map -o actrs	map -o actors
map -o layr	map -o layer
map -g MainGird	map -g MainGrid
map --sgv x.svg	map --svg x.svg
plto loads	plot loads
findings -w "check = 'x'"	findings -w "check_ = 'x'"
events -w "frame > 2 AND to = 'loaded'"	events -w "frame > 2 AND to_ = 'loaded'"
hepl	help
help cels	help cells
help expresions	help expressions
help nanite biuld	help nanite build
aporpos layer	apropos layer
shwo width	show width
set widht 3	set width 3
set colour never	set color never
set color neverr	set color never
set color alwys	set color always
set output jsn	set output json
set utf8 alway	set utf8 always
set keep-goin on	set keep-going on
set progres auto	set progress auto
reset thraeds	reset threads
show widht	show width
info tabels	info tables
info tables cels	info tables cells
info tables actos	info tables actors
sql SELECT nam FROM cells	sql SELECT name FROM cells
sql SELECT name FROM cels	sql SELECT name FROM cells
sql SELECT count(*) FROM actor	sql SELECT count(*) FROM actors
sql SELECT lable FROM actors	sql SELECT label FROM actors
sql SELECT clas FROM actors	sql SELECT class FROM actors
sql SELECT max(levl) FROM cells	sql SELECT max(level) FROM cells
sql SELECT severty FROM findings	sql SELECT severity FROM findings
SELECT nmae FROM layers	SELECT name FROM layers
cells -w "levle > 2"	cells -w "level > 2"
cells -w "actor > 2"	cells -w "actors > 2"
cells -w "alwaysloaded"	cells -w "always_loaded"
cells -s lvel	cells -s level
cells -s -actor	cells -s -actors
cells -c nam	cells -c name
cells -c name,levl	cells -c name,level
actors -s lable	actors -s label
actors -w "clas = 'x'"	actors -w "class = 'x'"
actors -c guidd	actors -c guid
layers -c stat	layers -c state
cells --jsn	cells --json
cells --cvs	cells --csv
actors --jason	actors --json
cell L0:5,1 --hlep	cell L0:5,1 --help
cells -P Vally	cells -P Valley
actors -P Valey	actors -P Valley
cells -P valley2	cells -P Valley
layer set DL_Nigth activated	layer set DL_Night activated
layer set DL_Night activatd	layer set DL_Night activated
layer set DL_Night laoded	layer set DL_Night loaded
layer-impct DL_Night	layer-impact DL_Night
source ad P 0,0	source add P 0,0
sorce add P 0,0	source add P 0,0
open valey.cworld	open valley.cworld
open valley.cwrld	open valley.cworld
open valley.cword	open valley.cworld
open folder/inner.tx	open folder/inner.txt
verify valley.cwrld	verify valley.cworld
verfy valley.cworld	verify valley.cworld
diff wrold a b	diff world a b
gen citty -o x.json	gen city -o x.json
gen opn -o x.json	gen open -o x.json
gen mesh terain -o x.ply	gen mesh terrain -o x.ply
nanite biuld x.ply	nanite build x.ply
asert 1 = 1	assert 1 = 1
expext error E_NOFILE: open x	expect error E_NOFILE: open x
foreahc a in 1 2	foreach a in 1 2
source mvoe Player0 1,1	source move Player0 1,1
reprot x.html	report x.html
exprot x.sqlite	export x.sqlite
tutoral	tutorial
versoin	version
run folow real.log	run follow real.log
run follow rael.log	run follow real.log
run opne real.log	run open real.log
run compar	run compare
view shwo	view show
view siez 80x24	view size 80x24
view theem dark	view theme dark
view theme drak	view theme dark
view overlay actrs	view overlay actors
view cels	view cells
path raport	path report
path report --yb layer	path report --by layer
path report --by laier	path report --by layer
worse --rael real.log	worse --real real.log
cost --distnaces 1m..500m	cost --distances 1m..500m
hitchs	hitches
break cell.laet > 500	break cell.late > 500
nanite sectoins x.cnanite	nanite sections x.cnanite
why Rock_1178	why Rock_1187
explain Rock_11187	explain Rock_1187
actor Lampp_04	actor Lamp_04
cell Valley_MainGird_0_1_0_0	cell Valley_MainGrid_0_1_0_0
why-not Valley_MainGrid_0_1_0_00	why-not Valley_MainGrid_0_1_0_0
explain cell Valley_MianGrid_0_1_0_0	explain cell Valley_MainGrid_0_1_0_0
echo $cuont	echo $count
print $cuont	print $count
variable wp.Runtime.MaxLoadingStreamingCell	variable wp.Runtime.MaxLoadingStreamingCells
wp.Runtime.MaxLoadngStreamingCells 3	wp.Runtime.MaxLoadingStreamingCells 3
break cell.load if levle = 0	break cell.load if level = 0
qiut	quit
END
empty "$wrong" "the right line for each of $n slips"
[ $n -ge 100 ]
ok $? 'which are a hundred'

# A file is parsed before any of it runs: lines that no command reads in one, the others in a second.
{
	echo source add Player0 0,0
	echo 'set $count = 3'
	cat all.cmd
} >parsed.x
"$cs" -k valley.cworld -x parsed.x 2>err >out </dev/null
sed -n 's/^parsed\.x:\([0-9]*\):.*/\1/p' err | sort -n | uniq >unread
awk 'NR == FNR { unread[$1]; next } FNR <= 2 || !(FNR in unread)' unread parsed.x >read.x
awk 'NR == FNR { unread[$1]; next } FNR <= 2 || FNR in unread' unread parsed.x >unread.x
awk 'NR == FNR { unread[$1]; next } !(FNR + 2 in unread)' unread all.right >read.right
awk 'NR == FNR { unread[$1]; next } FNR + 2 in unread' unread all.right >unread.right
[ -s read.right ] && [ -s unread.right ]
ok $? 'some lines cannot be read, and some cannot be run'

# each NAME ARGUMENTS...: the advice on standard error is that of all of them, in order.
each() {
	name=$1
	shift
	for part in read unread; do
		"$cs" -k "$@" valley.cworld -x $part.x 2>err >out </dev/null
		grep '^  try: ' err | cmp -s - $part.right && ! grep -q 'try: ' out
		ok $? "each of those that are $part in $name"
	done
}
each 'a command file'
each 'TAP' --tap
each 'JSON' --json
each 'CSV' --csv
CI=true each 'a CI service'
CI=true GITHUB_ACTIONS=true each 'its annotations' --annotate
cat unread.x >input
"$cs" -k valley.cworld --batch <input 2>err >out
grep '^  try: ' err | cmp -s - unread.right
ok $? 'those that are unread from standard input'

# said NAME WANTED ARGUMENTS...: the advice of the run is that.
said() {
	name=$1 wanted=$2
	shift 2
	"$cs" "$@" 2>err >out <input
	grep -qxF "  try: $wanted" err && ! grep -q 'try: ' out
	ok $? "$name"
}
# cells of two instances of one level have equal GUIDs
"$cs" "$CELLSCOPE_SOURCE/fixtures/streaming/estate.json" why House_Rooms_0_0_0_0 2>err >out </dev/null
grep -q 'name one of them by its partition: West, East (option -P)' err
ok $? 'what tells two cells of one name apart'
# a column is advised of the table that lacks it, never of another
"$cs" valley.cworld hist lables 2>err >out </dev/null
! grep -q 'try: hist l' err
ok $? 'no column of another table is advised'
for line in 'plot nope' 'break cell.load if fot = 1' 'condition 1 fot = 1'; do
	"$cs" -q valley.cworld -e 'break cell.load' -e "$line" 2>err >out </dev/null
	grep -q 'no such column' err && ! grep -q 'try: ' err
	ok $? "nor by ${line%% *}"
done
"$cs" valley.cworld hist actors 2>err >out </dev/null
grep -q 'hist actors needs COLUMN' err
ok $? 'hist of a table alone wants its column'
printf 'celss -n 2\n' >typo.cmd
: >input
said 'a command file' 'cells -n 2' -x typo.cmd
said 'TAP' 'cells -n 2' --tap -x typo.cmd
said 'a command of the shell' 'cells' valley.cworld cels
said 'its arguments' 'cells -n 2 -c name' valley.cworld cells -n 2 -c nmae
said 'a command without a world' 'cells' cels
said 'a world of the shell' 'open valley.cworld' valey.cworld cells
said 'a setting of a partition' 'whatif MainGrid.cell_size=3' valley.json -e 'whatif MainGrid.cell_siz=3'
said 'a partition of a what-if' 'sweep MainGrid.cell_size=1..3' valley.json -e 'sweep MainGird.cell_size=1..3'
said 'an option of the program' '--batch' --bach
said 'a condition in quotes' 'break cell.load if bytes > 1e6' valley.cworld \
	-e 'break cell.load if "bytes > 1e6"'
cp typo.cmd input
said 'standard input' 'cells -n 2' --batch
CI=true said 'a CI service' 'cells -n 2' -x typo.cmd
finish
