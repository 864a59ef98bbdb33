#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Damaged files by recipe, each with what verify finds in it first: spoil_fields.c makes them, of a
# small world and a small resource; damaged.list has the recipe and the code. Where one number of a
# table is spoilt behind right sums, the finding must name that table, that row and that field.
# CELLSCOPE_BLESS=1 writes the list anew.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
list=$CELLSCOPE_SOURCE/tests/front/damaged.list
work=$CELLSCOPE_OUT/damaged
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 99

"$cs" --batch -q cook "$CELLSCOPE_SOURCE/fixtures/valley.json" -o whole.cworld >made 2>&1 </dev/null &&
	"$cs" --batch -q gen mesh cube --triangles 300 --seed 5 -o mesh.ply >>made 2>&1 </dev/null &&
	"$cs" --batch -q nanite build mesh.ply -o whole.cnanite >>made 2>&1 </dev/null
ok $? 'a world and a resource are made'
for kind in cworld cnanite; do
	"$CELLSCOPE_BUILD/tests/samples/spoil_fields" whole.$kind . 67 header entry cut bit >list.$kind
	# the answers stand in the order of the lines
	sed 's/^\([^ ]*\) .*/echo = \1\nverify \1 --json/' list.$kind >lines.$kind
	"$cs" --batch -k -q -x lines.$kind >said.$kind 2>&1 </dev/null
	awk '
		NR == FNR {
			if ($2 ~ /^(header|entry|cut|bit)/) sub(/=.*/, "", $2)
			recipe[$1] = $2
			next
		}
		/^= / { file = $2; next }
		file && match($0, /"code":"[A-Z_]*"/) {
			code = substr($0, RSTART + 8, RLENGTH - 9)
			match($0, /"place":"[^"]*"/)
			print recipe[file], code, substr($0, RSTART + 9, RLENGTH - 10)
			file = ""
		}' list.$kind said.$kind | sed "s/^/$kind /" >found.$kind
done
cat found.cworld found.cnanite >found
cut -d' ' -f1-3 found >codes
[ -z "${CELLSCOPE_BLESS-}" ] || [ -n "${CI-}" ] || cp codes "$list"
empty "$(diff "$list" codes)" 'each has its finding'
[ "$(wc -l <codes)" -ge 200 ]
ok $? "$(wc -l <codes) of them"
# cells[last].name[0].0=0x7f is told as cells[43].name; what two tables say differently of members of
# a set is told of the set, and breaches of the rules of resources of what breaks them
empty "$(awk '$2 ~ /^(header|entry|cut|bit|set_members|actors\[0\].set\[)/ || $3 == "E_NANITE" { next } {
	split($2, part, "."); sub(/\[.*/, "", part[1]); sub(/\[.*/, "", part[2])
	if ($4 !~ "^" part[1] "\\[[0-9]+\\]\\." part[2]) print }' found)" 'and it names the place'
zero=$(sed -n 's/ header.zero.one_more=.*//p' list.cworld)
"$cs" --batch verify "$zero" 2>&1 </dev/null | grep -q ':44: header: a reserved byte is not zero'
ok $? 'that of a reserved byte of the header, too, of which there are two'
minor=$(sed -n 's/ header.minor.one_more=.*//p' list.cworld)
[ "$("$cs" --batch verify "$minor" 2>&1 </dev/null | grep -c 'are newer')" = 1 ]
ok $? 'a newer minor version is said once'
# what cannot be read is refused as often as it is asked for, and never listed as empty rows
sed 's/^\([^ ]*\) .*/echo = open\nopen \1/
	s/$/\necho = 1\nactors -n 3 -s name\nsets -n 2 -s actors\necho = 2\nactors -n 3 -s name\nsets -n 2 -s actors/' \
	list.cworld >twice
"$cs" --batch -k -q -x twice 2>&1 </dev/null | sed 's/^twice:[0-9]*: //' >said.twice
awk '
	function compare() { if (said[1] != said[2]) print said[1] said[2]; said[1] = said[2] = "" }
	/^= open/ { compare(); turn = 0; next }
	/^= [12]/ { turn = $2; next }
	{ said[turn] = said[turn] $0 "\n" }
	END { compare() }' said.twice >differ
empty "$(head -20 differ)" 'and a second question has the same answer'
grep -q 'E_REFERENCE' said.twice
ok $? 'which is an error of some'
# a newer minor version, a feature that no section uses, a known table that is not called critical: no damage
empty "$(sed 's/^[^ ]* //; s/=.*//' list.cworld list.cnanite | grep -E '^(header|entry|cut|bit)' |
	sort -u | while read -r recipe; do grep -qF " $recipe " codes || echo "$recipe"; done |
	grep -v "^header.minor\|^header.required.none\|flags.none")" 'nothing else of the frame goes unnoticed'
for code in MAGIC VERSION TRUNCATED TRAILING CHECKSUM LAYOUT FEATURE FIELD REFERENCE; do
	grep -q " E_$code\$" codes
	ok $? "E_$code is found"
done
finish
