#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Finding the right word: abbreviations, aliases, what is close to a mistyped name, apropos, and how
# a line may go on, from the types of arguments.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/words
rm -rf "$work" && mkdir -p "$work/folder" && cd "$work" || exit 99
: >valley.txt
: >folder/inner.txt
"$cs" cook "$CELLSCOPE_SOURCE/fixtures/valley.json" -o valley.cworld >made

# says NAME TEXT LINE: the line prints the text, among other things.
says() {
	"$cs" valley.cworld -e 'source add Player0 0,0' -e "$3" >out 2>&1 </dev/null
	grep -qF -- "$2" out
	found=$?
	ok $found "$1"
	[ $found -eq 0 ] || sed 's/^/# /' out
}

# ---- commands ----

says 'a beginning that one command has' 'PersistentLevel' 'gri'
says 'of two words' 'breakpoint 1: cell.fail' 'b cell.fail'
says 'an alias of one letter' 'Valley  MainGrid L0' 'm'
says 'one that several have lists them' "'ce' is the beginning of several commands: cells, cell, cell-of [" 'ce'
says 'a whole name is no beginning' 'Valley_MainGrid_5_1_0_0' 'cell L0:5,1'
says 'diff takes the options of diff cooked' 'same: 44 cells' 'diff valley.cworld valley.cworld --names'
says 'letters swapped' "unknown command 'explian'; did you mean 'explain'?" 'explian actor X'
says 'a letter left out' "did you mean 'layers'?" 'layrs'
says 'a letter too many' "did you mean 'cells'?" 'cellls'
says 'with a mark under the word' '^~~~~~~' 'explian actor X'
says 'a grid of which only the beginning is typed' "did you mean 'MainGrid'?" 'map -g Main'
says 'a variable of which only the beginning is typed' 'try: sim.Bandwidth 3' 'sim.Band 3'
says 'a letter left out of a variable' 'try: wp.Runtime.MaxLoadingStreamingCells 3' \
	'wp.Runtime.MaxLoadngStreamingCells 3'
says 'nothing is close to rubbish' "error: unknown command 'xyzzyx' [" 'xyzzyx'
says 'with a mark under the place of the column in the short form of a condition' \
	'                    ^~~~' 'break cell.late > byts'
says 'an IF in capitals' 'breakpoint 1: cell.load if level = 1' 'break cell.load IF level = 1'
printf '{"cellscope_world":1,"package":"/Game/Empty"}\n' >empty.json
"$cs" empty.json --keep-going -e map -e 'sweep MainGrid.cell_size=1..2' >out 2>&1
grep -q 'the grid MainGrid has no cells \[' out
ok $? 'map of a world without cells speaks of no option that was not given'
grep -q "the world states no partition 'MainGrid' nor any other: " out
ok $? 'sweep says that the partition, which grids lists, is not stated'
says 'an option' "did you mean '--json'?" 'cells --jsn'
says 'a setting' "did you mean 'color'?" 'set colour never'
says 'a usage line: an option that may be left out is in brackets' 'usage: atlas [RESOURCE] [--tile N] [-o FILE]' 'help atlas'
says 'a required option is not' 'usage: gen KIND -o FILE [--actors N]' 'help gen'
says 'nor where a command has many options' 'usage: cook SOURCE -o FILE [OPTION]...' 'help cook'
says 'help for an old name says what to type instead' 'Type `why` with the same arguments instead' 'help why cluster'
says 'help of a first word announces the other commands' 'Other commands that begin with `info`:' 'help info'
"$cs" -e 'help close' | grep -q partition
[ $? -eq 1 ]
ok $? 'close closes all worlds: its help has no -P'

# The engine profiles: what a cook follows, what `set` accepts, and what the help explains.
"$cs" -e 'help profiles' 2>&1 | sed -n 's/^  \(5\.[0-9]*\)  .*/\1/p' >explained
"$cs" -e 'set profile nothing' 2>&1 | sed -n 's/.*profile must be one of auto, \([^n]*\), not.*/\1/p' | sed 's/, /\n/g' >accepted
[ "$(wc -l <explained)" -ge 8 ]
ok $? 'help has a row for each profile'
empty "$(diff explained accepted)" 'help explains the profiles that set accepts'
while read -r profile; do
	said=$("$cs" -e "set profile $profile" -e "open $CELLSCOPE_SOURCE/fixtures/valley.json" 2>&1)
	case $said in *"profile $profile"*) true ;; *) false ;; esac
	ok $? "set profile $profile, and a cook follows it"
done <explained

listed=$("$cs" -e 'help sim' 2>&1 | sed -n 's/^`\(variable [^`]*\)` lists.*/\1/p')
says 'the line of help sim that lists its variables does so' 'sim.Latency' "$listed"

# What a file is follows from its bytes: those of no package are not sent to a project.
for name in garbage.umap garbage.uasset; do
	printf 'these are bytes of no package at all\n' >$name
	says "$name" 'neither a legacy package nor a Zen package of Unreal' "open $name"
done
# A process that reads the output and fails is no fault of a device.
for command in 'exit 7' 'kill -9 $$'; do
	"$cs" --allow-shell valley.cworld -e "cells | $command" >out 2>&1
	grep -qF "the command '$command'" out && grep -q E_PROCESS out
	ok $? "cells | $command"
done

says 'a column' "cells have no column 'nam'" 'cells -c nam'
says 'no column of other tables' 'try: help alias' 'alias -c node_'
says 'a column of the rows of a command' 'try: step -c reason' 'step -c reasn'
says 'and in SQL' "try: step -w 'reason IS NULL'" "step -w 'reasn IS NULL'"
says 'no column of other tables in SQL' 'correct the expression' 'step -s node_'
says 'an actor' "did you mean 'Rock_1187'?" 'actor Rock_1178'
says 'a layer' "did you mean 'DL_Night'?" 'layer set DL_Nigth activated'
says 'a topic of help' "did you mean 'expressions'?" 'help expresions'
says 'the second word of a command' "did you mean 'nanite build'?" 'help nanite biuld'
says 'and what there is no help on, whole' "no command or topic 'cells foo'" 'help cells foo'
says 'an event' "did you mean 'cell.fail'?" 'break cell.fial'

says 'a line with a backslash is shown as typed' "  cells -w 'a\b' nonsense" "cells -w 'a\b' nonsense"
printf '{"cellscope_world":1,"package":"/Game/A","extra":1}\n' >unknown.json
printf '{"guid":"%032d","lable":"x","b":1}\n' 1 >>unknown.json
printf '{"guid":"%032d","lable":"x"}\n' 2 3 >>unknown.json
"$cs" unknown.json -e info >out 2>&1
grep -F "unknown key" out | cut -d : -f 3- >keys
cat >wanted <<'END'
 line 1: world has an unknown key 'extra'
 line 2: actor has an unknown key 'lable'
 line 2: actor has an unknown key 'b'
 the unknown key 'lable' of actor occurs 3 times
END
empty "$(diff wanted keys)" 'unknown keys of a world are named once and summed up'

# ---- apropos ----

says 'apropos finds by name' 'layer-impact' 'apropos layer'
says 'by what a command does' 'transcript' 'apropos output'
says 'by a topic' 'expressions' 'apropos SQL'
says 'in any case of letters' 'layer-impact' 'apropos LAYER'
says 'or says that there is nothing' "no help text contains 'xyzzyx'" 'apropos xyzzyx'

# ---- how a line may go on ----

# goes NAME LINE CANDIDATE...: exactly these.
goes() {
	name=$1 line=$2
	shift 2
	"$cs" valley.cworld -e 'source add Player0 0,0' -e "complete $line" >out 2>&1 </dev/null
	given=$(paste -sd ' ' - <out)
	[ "$given" = "$*" ]
	passed=$?
	ok $passed "completion: $name"
	[ $passed -eq 0 ] || echo "# $line: $given"
}

goes 'a command' 'vers' version
goes 'several' 'cel' cells cell cell-of
goes 'the second word' 'layer s' set
goes 'a cell' 'cell Valley_MainGrid_5_1' Valley_MainGrid_5_1_0_0
goes 'a cell without its world' 'cell MainGrid_5_1' MainGrid_5_1_0_0
goes 'a cell behind @' 'actors @ MainGrid_5_1' MainGrid_5_1_0_0
goes 'an actor' 'actor Torch_' Torch_0 Torch_1 Torch_2
goes 'a layer' 'layers DL_' DL_Night DL_Quest
goes 'a grid' 'map -g Ma' MainGrid MainGrid:HLOD0
goes 'a source' 'source move P' Player0
goes 'an event' 'break cell.l' cell.load cell.loaded cell.late
goes 'a choice' 'layer set DL_Night a' activated
goes 'a choice, from nothing' '"layer set DL_Night "' unloaded loaded activated
goes 'an option' 'cells --j' --json
goes 'a setting' 'set out' output
goes 'its value' 'set output t' text tsv
goes 'a topic' 'help expr' expressions
goes 'a table' 'info tables cel' cells
goes 'a variable' 'wp.Runtime.MaxL' wp.Runtime.MaxLoadingStreamingCells
goes 'a file' 'open val' valley.cworld valley.txt
goes 'a folder' 'open fo' folder/
goes 'in a folder' 'open folder/in' folder/inner.txt
goes 'inside of quotes' 'actor "Torch_2' Torch_2
goes 'nothing' 'bogus x'

"$cs" -q gen mesh cube -o cube.ply && "$cs" -q nanite build cube.ply -o cube.cnanite >out
[ "$("$cs" cube.cnanite -e 'complete pages -s fi')" = fill ]
ok $? 'completion: a column, where only a resource is open'
i=0
while [ $i -lt 300 ]; do
	echo ": $i" >"folder/many$i"
	i=$((i + 1))
done
"$cs" -e 'complete open folder/many' >out
[ "$(grep -c '^folder/many' out)" -eq 200 ] && grep -q '^\.\.\. 100 more$' out
ok $? 'completion: at most 200, then how many more'
"$cs" help >list
{
	sed -n 's/^\([A-Za-z]\{3,\}\)  .*/\1/p' list | sed '/^source$/d'
} >titles
[ "$(grep -c '' titles)" -eq 16 ] || sed 's/^/# /' titles
n=0
while IFS= read -r title; do
	word=$(sed -n "s/^$title  *\([a-z]*\).*/\1/p" list)
	"$cs" help "$title" >out 2>&1 && grep -qE "^ *$word( |\$)" out && n=$((n + 1)) ||
		echo "# help $title does not tell of $word"
done <titles
[ "$n" -eq 16 ]
ok $? 'each title of the list of commands can be asked for'
finish
