#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What programs may rely on: the schema of each listing, the keys of its rows and the form of their
# values. Keys may be added, never renamed or taken away.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
work=$CELLSCOPE_OUT/json
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99

"$CELLSCOPE_BUILD/tests/gen" hard hard.json --seed 5
"$cs" cook hard.json -o hard.cworld >cooked

# rows NAME SCHEMA KEY...: every row of `NAME --json` has these keys.
rows() {
	name=$1 schema=$2
	shift 2
	"$cs" hard.cworld -e "$name --json" >answer 2>err
	sed '1d; /^{/!d' answer >"$name.json"
	head -n 1 answer | grep -qF "{\"schema\":\"cellscope.$schema/1\",\"rows\":["
	ok $? "$name: cellscope.$schema/1"
	[ "$(grep -c '' "$name.json")" -ge "$least" ]
	ok $? "$name: at least $least rows"
	for key in "$@"; do
		empty "$(grep -vF "\"$key\":" "$name.json" | head -n 1)" "$name: $key"
	done
}

# form NAME KEY ERE: every value of the key.
form() {
	empty "$(grep -vE "\"$2\":($3)[,}]" "$1.json" | head -n 1)" "$1: form of $2"
}

text='"([^"\\]|\\.)*"'
guid='"[0-9A-F]{32}"'
number='-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?'
vector="\\[$number,$number,$number\\]"
list="\\[($text(,$text)*)?\\]"

least=5
rows cells cell name guid grid level x y z always_loaded layers actors cell_min cell_max \
	content_min content_max state
form cells name "$text"
form cells guid "$guid"
for key in level x y z actors; do form cells $key '-?[0-9]+'; done
form cells always_loaded 'true|false'
form cells layers "$list"
for key in cell_min cell_max content_min content_max; do form cells $key "$vector|null"; done

rows actors actor name label class guid cell grid spatial editor_only bounds_min bounds_max layers \
	references parent assumed
form actors guid "$guid"
form actors cell "$text|null"
for key in spatial editor_only; do form actors $key 'true|false'; done
for key in bounds_min bounds_max; do form actors $key "$vector|null"; done
for key in layers assumed; do form actors $key "$list"; done
form actors references "\\[($guid(,$guid)*)?\\]"
form actors parent "$guid|null"

least=1
rows grids grid name class cell_size loading_range cells
rows layers layer label name type initial parent state
rows containers container package id actors
rows sets actor_set cell
rows references reference actor actor_guid to to_guid state
rows findings finding severity check actor other repair reason pass
rows drops dropped actor actors reason detail
least=0
rows hlods hlod actor cell

# other names for the same, and for one of them
for pair in 'dropped drops' 'hlod hlods' 'layer layers'; do
	"$cs" hard.cworld -e "${pair% *}" >one
	"$cs" hard.cworld -e "${pair#* }" >other
	cmp -s one other
	ok $? "${pair% *} is ${pair#* }"
done

# what the engine drops without a word
grep -q '^dropped: [0-9]' cooked && [ "$(grep -c '' cooked)" -gt 12 ]
ok $? 'cook lists what is in no cell'
"$cs" cook hard.json -o hard.cworld --json >cooked.json
[ "$(grep -c '"schema"' cooked.json)" -eq 1 ]
ok $? 'and prints one object as JSON all the same'
"$cs" -e 'open hard.cworld' | grep -q 'dropped'
ok $? 'open tells how many'
# Times are the nearest numbers to their nanoseconds, in each table.
cat >drive.cmd <<END
open $CELLSCOPE_SOURCE/fixtures/streaming/street.json
sim.Bandwidth 0.45
source add Player0 -50000,4000,200
block
step
path load $CELLSCOPE_SOURCE/fixtures/streaming/drive.csv
path follow Player0 drive
step 400
hitches --json
stalls --json -c frame,length
END
"$cs" -x drive.cmd >times && grep -q '"stall":849.617778,' times && grep -q '"length":849.617778}' times
ok $? 'hitches and stalls have the milliseconds of the frames'
"$cs" -e 'print --json max(1, 2)' >answer
printf '{"schema":"cellscope.result/1","rows":[\n{"value":2}\n]}\n' | cmp -s - answer
ok $? 'the value of an expression has a key that does not depend on it'
# The sentence about checks is no part of what a program reads.
"$cs" hard.cworld --json -e 'sql SELECT 1 AS one' -e 'assert 1 = 1' >answer 2>err
printf '{"schema":"cellscope.result/1","rows":[\n{"one":1}\n]}\n' | cmp -s - answer &&
	grep -qx '1 passed, 0 failed, 0 skipped' err
ok $? 'how many checks passed is told beside the rows'
finish
