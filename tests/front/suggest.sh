#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every suggestion is printed as a command that reads back: whatever the names are, it can be typed
# again, is applied, and gains what it promised.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
out=$CELLSCOPE_OUT/suggest
rm -rf "$out" && mkdir -p "$out" && cd "$out" || exit 99

# The names, as JSON has them; a reference between grids makes an error that a change of either end
# mends, and so is suggested.
cat >names <<'END_OF_NAMES'
Mill
two words
at@sign
@first
~tilde | pipe > file
semi;colon#hash
$dollar ${brace} $(command) `tick`
quo\"te 'single'
back\\slash\\
line\nfeed\tand tab
\u001b[2Jescape
\u202ebidi\u2069
M\u00fchle
dot.dot..
equals=sign
comma,comma
-dash --option
%s%n%d
00000000000000000000000000000003
AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
END_OF_NAMES

# world NAME: the name is that of both ends
world() {
	cat <<END_OF_WORLD
{"cellscope_world": 1, "package": "/Game/Maps/Yard", "partitions": [{"name": "MainGrid"}, {"name": "Small", "cell_size": 3200, "loading_range": 6400}, {"name": "Far", "cell_size": 51200, "loading_range": 102400}]}
{"guid": "00000000000000000000000000000001", "name": "A1", "label": "$1 A", "native_class": "/Script/Engine.StaticMeshActor", "bounds_min": [0, 0, 0], "bounds_max": [100, 100, 100], "grid": "Small", "references": ["00000000000000000000000000000002"]}
{"guid": "00000000000000000000000000000002", "name": "B1", "label": "$1", "native_class": "/Script/Engine.StaticMeshActor", "bounds_min": [0, 0, 0], "bounds_max": [100, 100, 100], "grid": "Far"}
{"guid": "00000000000000000000000000000003", "name": "C1", "label": "C1", "native_class": "/Script/Engine.StaticMeshActor", "bounds_min": [0, 0, 0], "bounds_max": [100, 100, 100], "grid": "Small", "references": ["00000000000000000000000000000001"]}
END_OF_WORLD
}

number=0
while IFS= read -r name; do
	number=$((number + 1))
	world "$name" >world.json
	"$cs" -q world.json --batch -e suggest >said 2>err
	ok $? "name $number: suggested"
	LC_ALL=C grep -q '[^ -~]' said
	[ $? -eq 1 ]
	ok $? "name $number: printed without a byte that a terminal obeys"
	sed -n 's/^    whatif /whatif /p' said >changes
	[ -s changes ]
	ok $? "name $number: there are suggestions"
	sed 's/$/ --diff -w "kind = '"'actor'"'" --csv -c kind/' changes >again.cmd
	"$cs" -q world.json --batch -x again.cmd >applied 2>err
	ok $? "name $number: each is read back and applied"
	[ "$(grep -c '^actor' applied)" -ge "$(wc -l <changes)" ]
	ok $? "name $number: and changes an actor"
done <names
finish
