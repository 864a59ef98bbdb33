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
	grep -o '"number":"[^"]*' | sed 's,.*",,' | sort -u >"$CELLSCOPE_OUT/rules_named"
grep -qx 1.4.V3d "$CELLSCOPE_OUT/rules_named" && grep -qx 1.6.6 "$CELLSCOPE_OUT/rules_named"
ok $? 'explain and why-repair name rules'
empty "$(grep -vxFf "$CELLSCOPE_OUT/rules" "$CELLSCOPE_OUT/rules_named")" 'and each is in the book'

# The answers of a run have the number beside the reason, the verdict, the key that decided.
asks='why cell L0:0,0|why-not cell L0:0,0|why-layer Night|probe 0,0,0|queue|order|events|state|'
asks=$asks'hlod why|compare L0:0,0 L0:4,0'
{
	echo 'source add Player0 0,0,0'
	echo 'step 1'
	echo "$asks" | tr '|' '\n' | sed 's/$/ --json/'
} >"$CELLSCOPE_OUT/asked.cmd"
"$cs" -q --batch "$CELLSCOPE_SOURCE/fixtures/scripts/questions.json" -x "$CELLSCOPE_OUT/asked.cmd" \
	>"$CELLSCOPE_OUT/answers"
grep -oE '"[a-z_]*number":"[^"]*' "$CELLSCOPE_OUT/answers" | sed 's,.*",,' | sort -u \
	>"$CELLSCOPE_OUT/rules_named"
empty "$(for number in 2.2.4 2.3.4 2.4 2.5 2.8; do
	grep -qx "$number" "$CELLSCOPE_OUT/rules_named" || echo "$number"
done)" 'the answers of a run name rules'
empty "$(grep -vxFf "$CELLSCOPE_OUT/rules" "$CELLSCOPE_OUT/rules_named")" 'and each of them is in the book'
empty "$(while IFS= read -r number; do
	"$cs" help rule $number | grep -q "^rule $number: " || echo "$number"
done <"$CELLSCOPE_OUT/rules_named")" 'and help rule shows it'
grep -q '^\.It Sy 1\.6\.4' "$CELLSCOPE_BUILD/man/cellscope-rules.7"
ok $? 'the page has the rules'
finish
