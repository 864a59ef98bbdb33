#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What others read without cellscope: a page of HTML, pictures, a database, JUnit, a first budget.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
out=$CELLSCOPE_OUT/report
rm -rf "$out" && mkdir -p "$out" && cd "$out" || exit 99
"$cs" -q gen city --actors 500 --seed 3 -o city.json >/dev/null
sed '0,/"label": *"[A-Za-z]*_/s//"label": "<script>alert(1)<\/script>\&_/' city.json >hostile.json

# balanced FILE: every element that is opened is closed, in order
balanced() {
	tr '\n' ' ' <"$1" | grep -oE '<[a-zA-Z/][^>]*>' | awk '
		/\/>$/ || /^<(meta|br|hr|img)/ { next }
		/^<\// { name = substr($0, 3); sub(/[ >].*/, "", name)
			if (n == 0 || stack[n] != name) { print "closes " name ", open is " stack[n]; exit }
			n--; next }
		{ name = substr($0, 2); sub(/[ >].*/, "", name); stack[++n] = name }
		END { if (n) print "never closed: " stack[n] }'
}

cat >run.cmd <<'END'
open city.json
source add Player0 33280,15360,180
step 120
report run.html --title "City & <others>"
map --svg map.svg
map -o actors --svg actors.svg
plot loads --svg loads.svg
export city.sqlite
END
"$cs" -q --batch -x run.cmd >/dev/null 2>err
ok $? 'report, map --svg, plot --svg and export are written'
for file in run.html map.svg actors.svg loads.svg; do
	empty "$(balanced $file)" "$file is whole"
done
grep -q '<h1>City &amp; &lt;others&gt;</h1>' run.html
ok $? 'the title is escaped'
empty "$(grep -oE '<script|javascript:|(src|href)=|url\(' run.html)" 'no script, nothing from the network'
for title in Maps Timeline Levels 'Largest cells' 'Always loaded' Validation; do
	grep -q "<h2>$title</h2>" run.html
	ok $? "it tells of: $title"
done
# what crosses two worlds: the cook before, the engine's log, the pages of a resource
sed '1s/"name": *"MainGrid"/&,"cell_size":20000/' city.json >before.json
cat >cross.cmd <<'END'
gen mesh terrain -o terrain.obj
nanite build terrain.obj -o terrain.cnanite
open before.json
cook log before.log
open city.json
open terrain.cnanite
report cross.html --before before.json --log before.log
report alone.html
END
"$cs" -q --batch -x cross.cmd >/dev/null 2>err
ok $? 'a report with another cook, a log, a resource is written'
empty "$(balanced cross.html)" 'it is whole'
for title in 'Before and now' 'Compared with the engine' 'Pages of terrain'; do
	grep -q "<h2>$title</h2>" cross.html
	ok $? "it tells of: $title"
done
grep -q '<td>cell_size</td><td>20000' cross.html && grep -q 'Verdict: <strong>unexplained' cross.html
ok $? 'it has the setting that differs, and the verdict'
[ "$(grep -c '<h2>Before and now\|<h2>Compared with' alone.html)" = 0 ]
ok $? 'without them it says nothing of them'
if command -v xmllint >/dev/null; then
	empty "$(xmllint --noout run.html cross.html map.svg actors.svg loads.svg 2>&1)" \
		'a strict parser has nothing to say of the pages and pictures'
else
	skip 'no xmllint here to parse the pages with'
fi

"$cs" -q hostile.json --batch -e 'report hostile.html' >/dev/null 2>&1
empty "$(grep -F '<script' hostile.html)" 'names of files are no markup'
head -c 15 city.sqlite | grep -q 'SQLite format 3'
ok $? 'the database is one'
if command -v sqlite3 >/dev/null; then
	[ "$(sqlite3 city.sqlite 'SELECT count(*) FROM cells')" = "$("$cs" -q city.json --csv \
		-e 'sql SELECT count(*) FROM cells' | tail -n 1)" ]
	ok $? 'its tables have our rows'
	[ -n "$(sqlite3 city.sqlite 'SELECT * FROM by_level LIMIT 1')" ] &&
		[ "$(sqlite3 city.sqlite 'SELECT count(*) FROM about')" = 3 ]
	ok $? 'its views answer, and are explained'
else
	skip 'its tables have our rows: no sqlite3 here'
fi
"$cs" -q city.json --batch -e 'export /dev/null/x.sqlite' 2>err
[ $? -eq 3 ] && grep -q E_ err
ok $? 'where nothing can be written that is a named error'

"$cs" -q city.json --batch -e 'init-ci' >/dev/null
ok $? 'init-ci writes its files'
"$cs" --tap -x cellscope.cmd >tap
[ $? -eq 0 ] && [ "$(grep -c '^ok' tap)" = 5 ]
ok $? 'the world that they are about keeps its budgets'
"$cs" -q city.json --batch -e 'init-ci' 2>err
[ $? -eq 3 ] && grep -q E_EXISTS err
ok $? 'files that are there are not replaced'

printf 'assert 1 = 1 : "a <b> & c"\nassert 1 = 2\nopen nosuch\n' >points.cmd
"$cs" --junit points.xml --annotate -k -x points.cmd >/dev/null 2>err
[ $? -eq 3 ] && grep -q 'tests="3" failures="2"' points.xml
ok $? '--junit counts points and failures'
empty "$(sed 1d points.xml >body.xml && balanced body.xml)" 'and is whole'
grep -q 'a &lt;b&gt; &amp; c' points.xml
ok $? 'and escaped'
grep -q '^::error file=points.cmd,line=2::assert 1 = 2' err
ok $? '--annotate marks the line'
"$cs" --junit /dev/full/x -x points.cmd >/dev/null 2>&1
[ $? -ge 3 ]
ok $? 'a file of JUnit that cannot be written is an error'
finish
