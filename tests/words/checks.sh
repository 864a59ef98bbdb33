#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fixtures/checks has a page for every check of validation, and an index of them. That each page
# says what the program prints is a test of its own.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
pages=$CELLSCOPE_SOURCE/fixtures/checks
work=$CELLSCOPE_OUT/checks
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99

# The table that the program reads and prints findings by: lines "TOKEN PAGE".
awk -F'"' '/^CHECK\(/ { row = "" } { row = row $0 } /\)$/ && split(row, cell, "\"") > 6 {
	print cell[2], cell[6]; row = "" }' "$CELLSCOPE_SOURCE/lib/format/checks.def" >table
[ "$(grep -c '' table)" -ge 20 ]
ok $? 'the table lists the checks'
while read -r token page; do
	grep -qE "^\| .*$token " "$pages/$page.cmd"
	ok $? "$token: its page $page shows it"
done <table
tokens="($(cut -d' ' -f1 table | paste -sd '|' -))"

# index: a line for each page, as README.md has it.
index() {
	for page in "$pages"/*.cmd; do
		found=$(sed -nE 's/^\| .*'"$tokens"'.*/`\1`/p' "$page" |
			sort -u | paste -sd ' ' -)
		name=$(basename "$page")
		echo "| [$name]($name) | $(sed -n '2s/^# //p' "$page") | $found |"
	done
}
index >index
grep '^| \[' "$pages/README.md" >given
[ -s given ]
ok $? 'the index lists pages'
empty "$(diff -u index given)" 'all of them, by what they say'

for page in "$pages"/*.cmd; do
	name=$(basename "$page" .cmd)
	grep -qF "/checks/$name.cmd" "$CELLSCOPE_SOURCE/fixtures/local.mk"
	ok $? "$name: is run by make check"
	[ "$(grep -c '^|' "$page")" -ge 3 ] && [ -r "$pages/$name.json" ]
	ok $? "$name: shows its world and what is found in it"
done
finish
