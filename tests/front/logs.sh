#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# StreamingGeneration logs that were cut, and verify of what is no cooked file.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/logs
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99
"$cs" "$CELLSCOPE_SOURCE/fixtures/valley.json" -e 'cook log whole.log' >made 2>&1

# tells NAME TEXT FILE: opening the file says the text on standard error.
tells() {
	"$cs" "$3" -e info >out 2>err </dev/null
	grep -qF -- "$2" err
	found=$?
	ok $found "$1"
	[ $found -eq 0 ] || sed 's/^/# /' err
}

"$cs" whole.log -e info >out 2>err </dev/null
ok $? 'a whole log opens'
empty "$(cat err)" 'and has nothing to warn of'

size=$(wc -c <whole.log)
head -c $((size * 3 / 4)) whole.log >line.log
tells 'a log cut inside a line' 'the file ends in the middle of a line: the log is truncated' line.log
last=$(grep -n 'Content of Cell' whole.log | tail -3 | head -1 | cut -d: -f1)
head -n $((last - 1)) whole.log >cells.log
tells 'one cut between two cells' 'described but in no cell: the log is truncated' cells.log
first=$(grep -n 'Content of' whole.log | head -1 | cut -d: -f1)
head -n $((first - 1)) whole.log >none.log
tells 'one cut before the first cell' 'the file describes actors, but no cell: the log is truncated' none.log
last=$(grep -n 'Instance Guid' whole.log | tail -1 | cut -d: -f1)
awk -v last="$last" '/Instance Guid/ && !first { first = $0 } NR == last { $0 = first } { print }' \
	whole.log >twice.log
tells 'one actor in two cells' '1 actor is listed in more than one cell: the log contradicts itself' twice.log
sed 's#Maps/Valley#Maps/Hills#g; s#Valley_#Hills_#g; s#Content of Valley#Content of Hills#' whole.log |
	cat whole.log - >maps.log
# finds NAME TEXT FILE: verify of the file finds the text, and nothing else.
finds() {
	"$cs" verify "$3" >out 2>err </dev/null
	grep -qF -- "$2" out && grep -q ': 1 finding$' out
	found=$?
	ok $found "verify: $1"
	[ $found -eq 0 ] || sed 's/^/# /' out err
}
finds 'two maps in one log are two maps' \
	'contains 2 dumps of streaming generation, of two maps, /Game/Maps/Valley and /Game/Maps/Hills; the last' maps.log
lines=$(wc -l <whole.log)
{ cat none.log && tail -n "$lines" maps.log; } >cut_first.log
finds 'and so are they when the first was cut before its first cell' \
	'contains 2 dumps of streaming generation, of two maps, /Game/Maps/Valley and /Game/Maps/Hills; the last' cut_first.log
{ cat whole.log && printf '\357\273\277' && cat whole.log; } >marked.log
finds 'a byte order mark between two logs hides nothing' \
	'contains 2 dumps of streaming generation; the last complete one is shown' marked.log
paste -d '\n' whole.log whole.log >mixed.log
tells 'two cooks that wrote into one log at the same time' \
	'cells are described more than once, as if two cooks wrote into the log at the same time' mixed.log
for key in RuntimeBounds: 'Content Bounds: ' 'Cell Bounds: '; do
	awk -v key="$key" '!done { done = sub(key "IsValid=true, Min=.X=", "&9999999") } { print }' \
		whole.log >turned.log
	finds "$key turned inside out" \
		'a box has a Min above its Max, and is ignored' turned.log
	[ "$key" = 'Cell Bounds: ' ] && continue # no cell is that large: a second finding
	awk -v key="$key" '!done { done = sub(key "IsValid=true, Min=.X=-*", "&-99999999999999") } { print }' \
		whole.log >far.log
	finds "$key that ends nowhere" 'a box ends beyond 2^43 cm, the limit of any world' far.log
done
printf 'LogInit: a log of something else\n |- Guid: none\n' >other.log
"$cs" other.log -e info >out 2>err </dev/null
[ $? -ne 0 ] && grep -q E_LOG err
ok $? 'another text is no world'

"$cs" whole.log -e verify >out 2>err </dev/null
ok $? 'verify of an open log'
[ "$(cat out)" = "$(printf 'whole.log: sound')" ]
ok $? 'which is sound'
"$cs" verify line.log >out 2>err </dev/null
ok $? 'warnings are no reason to refuse it'
grep -q 'ends in the middle of a line' out
ok $? 'verify lists what opening warns of'
"$cs" verify other.log >out 2>err </dev/null
[ $? -eq 1 ]
ok $? 'verify says no to what is no log'
"$cs" "$CELLSCOPE_SOURCE/fixtures/valley.json" -e verify >out 2>err </dev/null
ok $? 'verify of an open JSON world'

# The dialect of 5.4: opened as it was written and printed as a log again, byte for byte.
awk -f "$CELLSCOPE_SOURCE/tests/front/log54.awk" whole.log >old.log
grep -q 'SpatiallyLoaded:1 Bounds:' old.log && ! grep -q 'Cell Bounds' old.log
ok $? 'a log of 5.4 made up'
# again NAME FILE WANT: opening FILE and printing it as a log gives WANT.
again() {
	rm -f again.log
	"$cs" "$2" -e 'cook log again.log' >out 2>err </dev/null
	cmp -s again.log "$3"
	ok $? "$1"
}
again 'a log of 5.5 as it was written' whole.log whole.log
again 'a log of 5.4 as it was written' old.log old.log
for log in "$CELLSCOPE_DATA"/ue/logs/*.log; do
	[ -f "$log" ] || { skip 'no log of the engine here'; break; }
	again "the engine's log as it was written" "$log" "$log"
	awk -f "$CELLSCOPE_SOURCE/tests/front/log54.awk" "$log" >engine54.log
	again "the engine's log in the dialect of 5.4" engine54.log engine54.log
	"$cs" engine54.log -e info 2>&1 </dev/null | grep -q 'profile *5.4'
	ok $? 'its profile is told by the names of its cells'
	"$cs" engine54.log -e info 2>&1 </dev/null | grep -q 'fit 25200 to 29400 cm'
	ok $? 'sizes of cells that fit are told'
	# its packages are called after the names of 5.5
	[ "$("$cs" -q -e "open engine54.log --recook" -e \
		"diff log engine54.log -w \"change <> 'package'\" --csv" 2>err </dev/null | grep -c unexpl)" -eq 1 ]
	ok $? 'and cooked with our rules, by the one that tiles, it comes out the same'
done
sed 's/$/\r/' old.log >lines.log
again 'with the ends of lines of Windows' lines.log old.log
printf '\357\273\277' | cat - old.log >mark.log
again 'with a byte order mark' mark.log old.log
iconv -f UTF-8 -t UTF-16 old.log >wide.log
again 'of 16 bits a character' wide.log old.log
iconv -f UTF-8 -t UTF-16BE old.log >wide.log
again 'of 16 bits, most significant first, without a mark' wide.log old.log
sed 's/^/[2024.05.01-10.00.00:123][ 12]LogWorldPartition: /' old.log >stamp.log
again 'with times before its lines' stamp.log old.log
cat whole.log old.log >two.log
again 'two generations in one file: the last' two.log old.log
head -c 3000 whole.log | cat old.log - >two.log
again 'of which the last was cut before any cell: the one before' two.log old.log
sed 's#/Game/Maps/Valley\([ .]\)#/Game/Maps/UEDPIE_0_Valley\1#; s#Valley\(_[A-Z]\)#UEDPIE_0_Valley\1#
	s#Package: /#Package: /Game/Maps/UEDPIE_0_Valley_InstanceOf_/#' old.log >play.log
again 'what play in the editor puts before names is taken off' play.log old.log
sed '/Cell Valley_MainGrid_0_0_0_0 /,/Transform:/s/Instance Guid: .*/Instance Guid: 00000001000000020000000300000004/' \
	old.log | sed 's/\(FolderGuid:[0-9A-F]*\)/\1 Hash:1A2B Unknown:word/' >strange.log
"$cs" strange.log -e info >out 2>err </dev/null
ok $? 'words and actors that nothing explains are no reason to refuse it'

# What is open, and which of the two it is.
"$cs" old.log -e "open old.log" >out 2>&1 </dev/null
grep -q 'as the log has it' out
ok $? 'the banner says that it is as it was written'
for name in old.log.1 old.txt; do
	cp old.log $name
	"$cs" verify $name >out 2>&1 </dev/null && "$cs" verify old.log >want 2>&1 </dev/null
	[ $? -eq 0 ] && sed "s/$name/old.log/" out | cmp -s - want
	ok $? "verify reads a log of any name: $name"
done
head -n 20 old.log >cut.log
"$cs" -e "open cut.log" >out 2>&1 </dev/null
grep -q ' 0 cells, .*, profile unknown, as the log has it' out
ok $? 'the banner of a log whose engine is not known says so'
"$cs" -e 'open whole.log --recook' >out 2>&1 </dev/null
grep -q 'cooked with our rules from the descriptors of the log: same' out
ok $? 'and of a cook of its descriptors what diff log would'
sed 's/\(Content of Cell Valley_MainGrid\)_0_0_0_0/\1_90_90_0_0/' whole.log >moved.log
"$cs" moved.log -e 'cells -w "x = 90" --csv' 2>&1 </dev/null | grep -q _90_90_
ok $? 'a cell that our rules would put elsewhere is where the log has it'

# Two logs that differ in one field: diff says so, and names it.
"$cs" diff whole.log whole.log >out 2>&1
[ $? -eq 0 ] && grep -q '^same: 44 cells, 60 actors compared$' out
ok $? 'a log is the same as itself'
"$cs" diff "$CELLSCOPE_SOURCE/fixtures/valley.json" whole.log >out 2>&1
[ $? -eq 0 ] && grep -q '^same: ' out
ok $? 'and as the world that it tells of'
# field LOG SECTION KEY FROM TO WANT: the first KEY behind SECTION with TO for FROM; what diff names.
field() {
	awk -v section="$2" -v key="$3" -v from="$4" -v to="$5" '
		index($0, section) { inside = 1 }
		inside && !done && index($0, key) { done = sub(from, to) }
		{ print }
		END { exit !done }' "$1" >edited.log || { ok 1 "$3 is in $1"; return; }
	"$cs" -q diff "$1" edited.log -c kind,what,field,left,right,reasons >out 2>err
	[ $? -eq 1 ] && grep -q -- "$6" out
	found=$?
	ok $found "$1: $2 $3 is named"
	[ $found -eq 0 ] || sed 's/^/# /' out err
}
field old.log ActorDescs: Guid: 'Guid:[0-9A-F][0-9A-F]' Guid:FF 'actor .*guid'
field old.log ActorDescs: NativeClass: 'Class:/Script' 'Class:/Scrapt' native_class
field old.log ActorDescs: ' Name:' ' Name:' ' Name:X' 'actor .* name '
field old.log ActorDescs: ' Label:' ' Label:' ' Label:X' label
field old.log ActorDescs: SpatiallyLoaded: Loaded:1 Loaded:0 own_spatial
field old.log ActorDescs: EditorOnly: Only:0 Only:1 editor_only
field old.log ActorDescs: RuntimeOnly: RuntimeOnly:0 RuntimeOnly:1 runtime_only
field old.log ActorDescs: HLODRelevant: Relevant:1 Relevant:0 hlod_relevant
field old.log ActorDescs: Outliner: Outliner:1 Outliner:0 unlisted
field old.log ActorDescs: IsMainWorldOnly: WorldOnly:0 WorldOnly:1 main_world_only
field old.log ActorDescs: RuntimeGrid: 'RuntimeGrid:[A-Za-z]*' RuntimeGrid:Odd 'actor .*grid'
field old.log ActorDescs: DataLayers: 'DataLayers:[^ ,]*' DataLayers:Odd layers
field old.log ActorDescs: IsValid=true 'true, Min=.X=' 'true, Min=(X=-9' bounds
field old.log Clusters: Guid: 'Guid:[0-9A-F][0-9A-F]' Guid:FE cluster
field old.log MainContainer: Bounds: 'Min=.X=' 'Min=(X=1' 'world .*bounds'
field old.log MainContainer: Transform: 'Transform: 0' 'Transform: 5' 'container .*translation'
field old.log MainContainer: Container: 'Container: /' 'Container: /X' 'container .*package'
field old.log SubContainer: ID: 'ID: .' 'ID: Z' 'container '
field old.log SubContainer: Transform: 'Transform: ' 'Transform: 7' 'container .*translation'
field old.log SubContainer: Bounds: 'Min=.X=' 'Min=(X=-7' actor
field old.log 'Persistent Level' 'Content of' 'Content of ' 'Content of X' 'world .*name'
field old.log 'Persistent Level' 'Actor Path:' 'Level[.]' Level.X 'moved'
field old.log 'Persistent Level' 'Actor Package:' 'Package: ' 'Package: /X' package
field old.log 'Content of Cell' Cell '_MainGrid' _Other 'cell .*new'
field old.log 'Content of Cell' Cell '[(].' '(x' 'cell .*package'
field old.log 'Content of Cell' PersistentLevel 'Level[.]' Level.X path
field old.log 'Content of Cell' 'Editor Only:' 'Only: 0' 'Only: 1' editor_only
field old.log 'Content of Cell' 'Instance Guid:' 'Guid: ..' 'Guid: FF' guid
field old.log 'Content of Cell' ' ID: ' 'ID: .' 'ID: 5' container
field old.log 'Content of Cell' Transform: 'Transform: [^.]*' 'Transform: 7' translation
field whole.log 'Content of Cell' 'Content Bounds:' 'Min=.X=' 'Min=(X=-9' 'cell .*bounds'
field whole.log 'Content of Cell' 'Cell Bounds:' 'Min=.X=' 'Min=(X=-9' 'cell .* box'
field whole.log 'Content of Cell' 'Is 2D: False' False True 'cell .*flags'
# What our own world has not: a class, a parent, a folder, boxes that differ.
sed -e 's/ NativeClass:/ BaseClass:\/Game\/B.B_C&/' -e 's/EditorBounds:IsValid=false, /EditorBounds:IsValid=true, /' \
	-e '/Guid:00000000000000000000000000000003 /s/\(IsMainWorldOnly:[a-z]*\)/\1 Parent:00000000000000000000000000000002 FolderPath:A b\/C FolderGuid:0123456789ABCDEF0123456789ABCDE0/' \
	whole.log >rich.log
again 'a log with parents and folders' rich.log rich.log
field whole.log ActorDescs: RuntimeBounds: 'RuntimeBounds:IsValid=true, Min=.X=[-0-9.]* Y=' '&-9' bounds
field whole.log ActorDescs: RuntimeBounds: 'RuntimeBounds:IsValid=true, .*Max=.X=[-0-9.]* Y=[-0-9.]* Z=' '&9' bounds
field old.log SubContainer: Container: 'Container: /' 'Container: /X' container
field old.log DataLayers: Label: 'Label: ' '&X' label
field old.log DataLayers: Asset: 'Asset: ' '&/X' asset
field old.log DataLayers: Type: 'Type: runtime' 'Type: editor' type
field old.log DataLayers: Filter: 'Filter: none' 'Filter: client_only' filter
field old.log DataLayers: InitialState: 'InitialState: [a-z]*' 'InitialState: activated' initial
field old.log DataLayers: Priority: 'Priority: ' '&5' priority
field old.log DataLayers: External: 'External: false' 'External: true' flags
field old.log DataLayers: DataLayer: 'DataLayer: ' '&X' layer
field whole.log 'Content of Cell' 'Data Layer: ' 'Layer: ' '&X' layer
field whole.log 'Content of Cell' 'Content Bounds:' 'Max=.X=[-0-9.]* Y=' '&9' 'cell .*bounds'
field whole.log 'Content of Cell' 'Cell Bounds:' 'Max=.X=[-0-9.]* Y=[-0-9.]* Z=' '&9' 'cell .* box'
field whole.log 'Content of Cell' 'Package:' 'Package: ' '&/X' package
field whole.log 'Content of Cell' ' ID: ' 'ID: .' 'ID: 5' container
field rich.log ActorDescs: EditorBounds: 'EditorBounds:IsValid=true, Min=.X=' '&9' editor_bounds
field rich.log ActorDescs: BaseClass: 'BaseClass:' '&/X' base_class
field rich.log ActorDescs: Parent: 'Parent:.*2 F' 'Parent:00000000000000000000000000000004 F' parent
field rich.log ActorDescs: FolderPath: 'FolderPath:' '&X' folder
field rich.log ActorDescs: FolderGuid: 'FolderGuid:[0-9A-F][0-9A-F]' 'FolderGuid:FE' folder_guid
field old.log 'Content of Cell' Transform: '[|][-0-9.]*,' '|45.000000,' rotation
field old.log 'Content of Cell' Transform: '0[|]1.000000' '0|7.000000' scale
field old.log SubContainer Transform: '[|][-0-9.]*,' '|45.000000,' rotation
field old.log SubContainer Transform: '0[|]1.000000' '0|7.000000' scale
"$cs" -q diff whole.log old.log -w "kind IN ('cell', 'actor')" --csv >out 2>err
[ "$(wc -l <out)" -eq 1 ]
ok $? 'what a log of 5.4 does not say is no difference'
# Logs that were varied by hand, in both dialects.
# varied RESULT NAME SED: with that change each opens, and diff says RESULT; refused: by name.
varied() {
	for log in whole.log old.log; do
		sed "$3" "$log" >varied.log
		cmp -s "$log" varied.log && [ "$1" != none ] && { ok 1 "$2: $log was varied"; continue; }
		timeout 10 "$cs" -q diff "$log" varied.log >out 2>err </dev/null
		case $?/$1 in
		0/same | 1/differs | [2-9]/refused) found=0 ;;
		*) found=1 ;;
		esac
		[ $found -eq 0 ] && [ "$1" = refused ] && ! grep -q '\[E_' err && found=1
		ok $found "$log $1: $2"
		[ $found -eq 0 ] || sed 's/^/# /' out err | head -4
	done
}
varied same 'blanks at the ends of lines' 's/$/  /'
varied same 'tabs before what is drawn' 's/^ |/\t|/'
varied same 'tabs within what is drawn' 's/| *|- /|\t|- /'
varied same 'nothing before what is drawn' 's/^ |/|/'
varied same 'a blank line behind each' 's/$/\n/'
varied same 'GUIDs in small letters' 's/Guid: *[0-9A-F]*/\L&/;s/ guid:/ Guid:/;s/guid:/Guid:/;s/instance Guid/Instance Guid/'
varied same 'no decimals' 's/\.000\([ )]\)/\1/g'
varied same 'one decimal' 's/\.000\([ )]\)/.0\1/g'
varied same 'seven decimals' 's/\.000\([ )]\)/.0000000\1/g'
varied same 'zeroes with a sign' 's/=0\.000/=-0.000/g'
varied same 'a time before each line' 's/^/[2026.01.31-12.00.00:000][  1]LogWorldPartition: Display: /'
varied same 'other lines of the same file' 's/^\[+\]/[2026.01.31-12.00.00:000][ 1]LogStreaming: Display: [+] what else\n&/'
varied same 'a section that is not known' '$a[+] Statistics:\n |- Cells: 3\n |- [+] Nothing\n |   |- ID: 0'
varied same 'a key that is not known in each cell' 's/^ |- Actor Count.*/&\n |- Weight: 3/'
varied same 'a word that is not known in each descriptor' 's/\(IsMainWorldOnly:[a-z01]*\)/\1 Weight:3/'
varied same 'an empty list of layers' 's/\(IsMainWorldOnly:[a-z01]*\)/\1 Tags:()/'
varied same 'words true and false in capitals' 's/:\(t\)rue/:True/g;s/:false/:False/g;s/Only:0/Only:False/'
varied same 'a sentence before it all' '1iLogWorldPartition: Generating streaming'
varied same 'Is 2D as a digit' 's/Is 2D: False/Is 2D: 0/;s/Actor Count: \([0-9]*\)$/Actor Count:  \1/'
varied differs 'no clusters' '/Guid:.*Guid:/!{/Clusters:/d;/^ |   |   |   |- Guid/d}'
varied differs 'no descriptors' '/^ |   |   |- Guid/d'
varied differs 'no persistent level' '/Actor Path:/d;/Actor Package:/d'
varied differs 'a world of another name' 's/Valley_/Dale_/g;s/Content of Valley/Content of Dale/'
varied differs 'boxes without a box' 's/IsValid=true/IsValid=false/'
varied differs 'decimals behind a comma, which are none here' 's/\(=-*[0-9]*\)\.\([0-9]*\)/\1,\2/g'
varied differs 'numbers that are none' '0,/IsValid=true, Min=(X=/s/IsValid=true, Min=(X=/&nan/'
varied differs 'numbers without an end' '0,/IsValid=true, Min=(X=/s/\(IsValid=true.*Max=(X=\)/\1999999999999999999999999999999/'
varied same 'an actor that is described twice' '0,/|- Guid:/{/|- Guid:/p}'
varied differs 'no transforms' '/Transform:/d'
varied differs 'no container of actors' '/\[+\] Container:$/d;/^ |   |   |-        ID/d'
varied refused 'nothing but headings' '/Guid:/d;/Content of/d'
varied refused 'no line that is known' 's/^.*$/LogTemp: &/;s/\[+\]/[x]/g;s/ |- / - /g'
sed '/Instance Guid: [0-7]/d' whole.log >varied.log
"$cs" -q diff whole.log varied.log >out 2>err
[ $? -eq 0 ] && [ ! -s err ]
ok $? 'actors of cells that have no GUID there are found by their names'
sed '/SubContainer/,/Container:/s/ParentID: 0/ParentID: 5/' whole.log >varied.log
tells 'an instance whose parent is nowhere' 'before the instance; the main world is taken as its parent' varied.log

# A log against what the engine's cooker wrote of the same map.
"$CELLSCOPE_BUILD/tests/samples/make_samples" .
# cooked_same COOK: its log is the same, with properties read and without, on either side.
cooked_same() {
	"$cs" -q "$1" -e 'cook log cook.log' >out 2>&1 </dev/null
	for sides in "cook.log $1" "$1 cook.log" "cook.log $1 --names" "$1 cook.log --names"; do
		"$cs" -q diff $sides >out 2>err
		[ $? -eq 0 ] && grep -q '^same: [1-9]' out
		found=$?
		ok $found "diff $sides: the same"
		[ $found -eq 0 ] || sed 's/^/# /' out err
	done
}
cooked_same Packed
cooked_same Cooked
for map in UE5_8-Tagged UE5_8-Unversioned UE6_0-Tagged UE6_0-Unversioned; do
	[ -d "$CELLSCOPE_DATA/ue/cooked" ] || { skip 'no cooked maps of the engine here'; break; }
	cooked_same "$CELLSCOPE_DATA/ue/cooked/$map-WorldPartition.umap"
done
"$cs" -q Cooked -e 'cook log cook.log' >out 2>&1 </dev/null
# against_cook NAME WANT ROWS SED: the log with that edit differs from the cook in these rows.
against_cook() {
	sed "$4" cook.log >edited.log
	"$cs" -q diff edited.log Cooked -c kind,change,name --csv >out 2>err
	[ $? -eq 1 ] && grep -q "^$2" out && [ "$(wc -l <out)" -eq $(($3 + 1)) ]
	found=$?
	ok $found "log against cook: $1"
	[ $found -eq 0 ] || sed 's/^/# /' out err
}
against_cook 'a cell of another package' 'cell,package,Town_MainGrid_L0_X-1_Y0' 1 \
	's/\(Cell Town_MainGrid_L0_X-1_Y0\) (./\1 (x/'
against_cook 'a cell in another place' 'cell,box,Town_MainGrid_L0_X1_Y1' 1 \
	'/Cell Town_MainGrid_L0_X1_Y1 /,/Transform/s/\(Cell Bounds: .*Min=.X=\)128/\1127/'
against_cook 'what is in a cell is larger' 'cell,content,Town_MainGrid_L0_X1_Y1' 1 \
	'/Cell Town_MainGrid_L0_X1_Y1 /,/Transform/s/\(Content Bounds: .*Max=.X=\)1/\12/'
against_cook 'an actor that the log alone has' 'actor,only ours,Moon' 2 \
	'/Persistent Level/,/Runtime Hash/s/PersistentLevel.Sun/PersistentLevel.Moon/'
against_cook 'a cell that the cook alone has' 'cell,only theirs,Town_MainGrid_L0_X-1_Y1' 2 \
	'/Cell Town_MainGrid_L0_X-1_Y1 /,/Transform/d'
against_cook 'an actor without its row' 'actor,moved,House_101_101' 1 \
	'/Cell Town_MainGrid_L0_X1_Y1 /,/Transform/{/PersistentLevel/d;/Package:/d;/Instance/d}'
sed 's#/Game/Maps/Town[.]Town:#/Temp/Town.Town:#' cook.log >temp.log
"$cs" -q diff temp.log Cooked >out 2>err
ok $? 'log against cook: a map that was generated elsewhere is the same'
mkdir -p Saved/Logs/WorldPartition
cp whole.log Saved/Logs/WorldPartition/StreamingGeneration-Valley-1.log
cp moved.log Saved/Logs/WorldPartition/StreamingGeneration-Valley-2.log
cp moved.log Saved/Logs/Valley.log
touch -d '2020-01-01' Saved/Logs/WorldPartition/StreamingGeneration-Valley-1.log
"$cs" -e 'open Saved --latest log' -e 'cells -w "x = 90" --csv' >out 2>&1 </dev/null
grep -q 'StreamingGeneration-Valley-2.log' out && grep -q _90_90_ out
ok $? 'the log that the engine wrote last'
touch -d '2030-01-01' Saved/Logs/WorldPartition/StreamingGeneration-Valley-1.log
"$cs" -e 'open Saved --latest log' 2>&1 </dev/null | grep -q 'StreamingGeneration-Valley-1.log'
ok $? 'by its time'
"$cs" -e 'open Saved --latest cook' >out 2>&1 </dev/null
[ $? -gt 1 ] && grep -q 'the folder contains no cook of Unreal (files of other kinds that Unreal wrote: [0-9]*)' out
ok $? 'of what is not there a named error'
mkdir -p Cooked/Game/Saved/Cooked/Windows && cp -r "$CELLSCOPE_OUT/Cooked/Town" Cooked/Game/Saved/Cooked/Windows
for folder in Cooked/Game Cooked/Game/Saved Cooked/Game/Saved/Cooked/; do
	"$cs" -e "open $PWD/$folder --latest cook" 2>&1 </dev/null | grep -q 'Game/Saved/Cooked/*/Windows$'
	ok $? "the cook of $folder, whatever the folders above it are called"
done
finish
