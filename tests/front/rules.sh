#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The rulebook is the product's: what comments cite is in it, what it names as its test is there.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
cd "$CELLSCOPE_SOURCE" || exit 99

"$cs" rules --csv -c number,test,text >"$CELLSCOPE_OUT/rules.csv"
[ "$(wc -l <"$CELLSCOPE_OUT/rules.csv")" -gt 70 ]
ok $? 'there are rules'
sed 1d "$CELLSCOPE_OUT/rules.csv" | cut -d, -f1 | sort >"$CELLSCOPE_OUT/rules"
empty "$(uniq -d "$CELLSCOPE_OUT/rules")" 'every number stands for one rule'

# "world-partition rules 1.6.4", "rules 2.1" -> 1.6.4, 2.1; of meshes and files with their word
cited() {
	find lib src cmds -name '*.[ch]' -exec cat {} + | tr '\n' ' ' | sed 's/ \* / /g; s/  */ /g' |
		grep -oE '(nanite|ue-project-files|world-partition) rules [0-9]+(\.[0-9]+)*[a-d]?' |
		sed -E 's/world-partition rules //; s/nanite rules/nanite/; s/ue-project-files rules/ue/' |
		sort -u
}
[ "$(cited | wc -l)" -gt 15 ]
ok $? 'comments cite rules'
empty "$(cited | while IFS= read -r number; do
	grep -qxF "$number" "$CELLSCOPE_OUT/rules" || echo "$number"
done)" 'every rule that a comment cites is in the book'

empty "$(sed 1d "$CELLSCOPE_OUT/rules.csv" | cut -d, -f2 | sort -u | while IFS= read -r test; do
	[ -f "$test.c" ] || [ -f "$test.cmd" ] || grep -qE "%D%/${test#tests/}( |$)" tests/local.mk ||
		echo "$test"
done)" 'every test that the book names is there'

"$cs" help rule 2.3.5 | grep -q '^rule 2\.3\.5: '
ok $? 'help rule NUMBER shows a rule'
"$cs" help rule nanite 2.1 | grep -q '^rule nanite 2\.1: '
ok $? 'help rule nanite NUMBER too'
"$cs" help rule 9.9 2>"$CELLSCOPE_OUT/err"
[ $? -ne 0 ] && grep -q "no rule '9.9'" "$CELLSCOPE_OUT/err"
ok $? 'help of a rule that is not there says so'
# What answers name, in rows and in words.
cat >"$CELLSCOPE_OUT/asked.cmd" <<END
explain actor Gate --json
why-repair Gate --json
END
"$cs" -q --batch "$CELLSCOPE_SOURCE/fixtures/scripts/questions.json" -x "$CELLSCOPE_OUT/asked.cmd" |
	grep -o '"number":"[^"]*' | sed 's,.*",,' | sort -u >"$CELLSCOPE_OUT/named"
grep -qx 1.4.V3d "$CELLSCOPE_OUT/named" && grep -qx 1.6.6 "$CELLSCOPE_OUT/named"
ok $? 'explain and why-repair name rules'
empty "$(grep -vxFf "$CELLSCOPE_OUT/rules" "$CELLSCOPE_OUT/named")" 'and each is in the book'
grep -q '^\.It Sy 1\.6\.4' "$CELLSCOPE_BUILD/man/cellscope-rules.7"
ok $? 'the page has the rules'
finish
