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
tells 'a log cut inside a line' 'it ends in the middle of a line: the log was cut' line.log
last=$(grep -n 'Content of Cell' whole.log | tail -3 | head -1 | cut -d: -f1)
head -n $((last - 1)) whole.log >cells.log
tells 'one cut between two cells' 'described and in no cell: the log was cut' cells.log
first=$(grep -n 'Content of' whole.log | head -1 | cut -d: -f1)
head -n $((first - 1)) whole.log >none.log
tells 'one cut before the first cell' 'it describes actors, and no cell: the log was cut' none.log
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
finish
