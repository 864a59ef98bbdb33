#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What others read without cellscope: a page of HTML, pictures, a database, JUnit, a first budget.
. "$CELLSCOPE_SOURCE/tests/front/tap.sh"
cs=$CELLSCOPE_BUILD/cellscope
out=$CELLSCOPE_OUT/report
rm -rf "$out" && mkdir -p "$out" && cd "$out" || exit 99
"$cs" -q gen city --actors 500 --seed 3 -o city.json >/dev/null
# Labels that would be markup, a script, another direction, or no text at all: all actors of
# a city get them in turn. Bytes that are no UTF-8 come in with a log, whose texts are bytes.
cat >labels <<'END'
<script>alert(1)<\/script>
<img src=x onerror=alert(1)>
\"quoted\" '&' ]]>
--> <!-- comment <![CDATA[
\u0001\u001b[31m\u007f
\u202edesrever\u2066\u200f
\ufffe\uffff\ufdd0
\u2028line\u0085
&lt;already&amp;
END
awk 'NR == FNR { labels[++n] = $0; next }
	/^{"name"/ && match($0, /"label":"[^"]*"/) {
		label = labels[done++ % n + 1]
		$0 = substr($0, 1, RSTART - 1) "\"label\": \"" label "\"" substr($0, RSTART + RLENGTH)
	}
	/^{"cellscope_world"/ { sub(/"label":"Night_0"/, "\"label\":\"<script>\\\"\\u0007\"") }
	{ print }' labels city.json >hostile.json

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

# uneven FILE...: tables where a row has another number of cells than there are columns
uneven() {
	awk '/<table>/ { columns = gsub("<th>", "") } /^<tr>/ { if (gsub("<td", "") != columns) print FILENAME ": " FNR }
		END { if (!columns) print "no table" }' "$@"
}

# strict FILE...: what parsers of XML have to say of them, and every element that runs or loads
strict() {
	command -v xmllint >/dev/null && xmllint --noout "$@" 2>&1
	command -v python3 >/dev/null || return 0
	python3 -c 'import sys, xml.etree.ElementTree as tree
for file in sys.argv[1:]:
    for element in tree.parse(file).iter():
        if element.tag.split("}")[-1] in ("script", "img", "iframe", "object", "link", "a") or any(
                key.startswith("on") or key in ("href", "src") for key in element.attrib):
            print(file, element.tag, element.attrib)' "$@" 2>&1
}
command -v xmllint >/dev/null || command -v python3 >/dev/null || skip 'no strict parser here'

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
empty "$(uneven run.html)" 'each column of each table has its name'
for title in Maps Timeline Levels 'Largest cells' 'Always loaded' Validation; do
	grep -q "<h2>$title</h2>" run.html
	ok $? "it tells of: $title"
done
grep -q '<th>grid</th><th>level</th><th>cells</th>' run.html
ok $? 'every column has its name above it'
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
empty "$(uneven cross.html)" 'and so do these'
for title in 'Before and now' 'Compared with the engine' 'Pages of terrain'; do
	grep -q "<h2>$title</h2>" cross.html
	ok $? "it tells of: $title"
done
# the verdict opens the page, what changed comes before what is, statements are folded
[ "$(grep -oE '<h1>|class="verdict|<h2>(Before and now|Validation|Maps)' cross.html | tr '\n' ' ')" = \
	'<h1> class="verdict <h2>Before and now <h2>Validation <h2>Maps ' ] &&
	grep -q 'Source: city.json, written 20[0-9-]* [0-9:]* UTC' cross.html
ok $? 'verdict, source and date, then the change, then findings and maps'
grep -q 'class="verdict bad"><strong>Needs a look' cross.html
ok $? 'what the engine made otherwise is no good verdict'
[ "$(grep -c '<code>' run.html)" = "$(grep -c '<details><summary>SQL</summary><code>' run.html)" ]
ok $? 'SQL is folded away'
grep -q 'a square is 128 m' run.html && grep -q '<circle' run.html && grep -q '+ several cells' run.html
ok $? 'maps have their scale, the source and a mark where cells are stacked'
grep -q '<td>cell_size</td><td>20000' cross.html && grep -q 'Verdict: <strong>unexplained' cross.html
ok $? 'it has the setting that differs, and the verdict'
# the verdict counts the measures that got worse, as `worse` does
cat >measures.cmd <<'END'
open before.json
report worse.html --before city.json
open city.json
report same.html --before city.json
END
"$cs" -q --batch -x measures.cmd >/dev/null 2>err
counted=$("$cs" -q --csv --batch -k -e 'worse city.json before.json -c verdict' 2>err | grep -cx worse)
rows=$(awk '/<h3>What got worse/ { here = 1 } here && /^<tr><td>/ { n++ } here && /<\/table>/ { exit } END { print n + 0 }' worse.html)
[ "$counted" -gt 0 ] && [ "$rows" = "$counted" ] && grep -q "class=\"verdict bad\".*Measures worse than before: $counted of 16\." worse.html
ok $? 'the verdict counts the measures that got worse'
grep -q 'Measures worse than before: 0 of 16\.' same.html && ! grep -q 'Measures worse' alone.html
ok $? 'none beside itself, and none are counted without a cook before'
[ "$(grep -c '<h2>Before and now\|<h2>Compared with' alone.html)" = 0 ]
ok $? 'without them it says nothing of them'
# `check`, `cook`, the report and the screen count the same errors, those of the first pass
grid=$CELLSCOPE_SOURCE/fixtures/checks/reference-grid.json
"$cs" -q --batch "$grid" -e 'report passes.html' -e 'view start' -e 'view show' >start.txt 2>err
listed=$("$cs" -q --batch --csv "$grid" -e "check -w \"severity = 'error'\" -c check" 2>err | grep -cvx check)
cooked=$("$cs" -q --batch cook "$grid" -o passes.cworld 2>err | sed -n 's/^errors *//p')
[ "$listed" = 1 ] && [ "$cooked" = 1 ] && grep -q 'errors *1 finding of' start.txt &&
	grep -q 'Validation: errors 1, warnings 0,' passes.html &&
	[ "$(grep -o '<td>error</td>' passes.html | wc -l)" = 2 ]
ok $? 'a finding of a later pass is counted by none of check, cook, report and screen'
empty "$(strict run.html cross.html map.svg actors.svg loads.svg)" \
	'a strict parser has nothing to say of the pages and pictures'
# Printed on A4 no table is wider than the paper, though it is made of names without a blank: a
# browser would cut it, or print the whole page smaller.
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -n "$chromium" ] && command -v pdftotext >/dev/null; then
	"$chromium" --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --disable-quic --user-data-dir="$out/browser" \
		--no-pdf-header-footer --print-to-pdf=cross.pdf "file://$out/cross.html" >/dev/null 2>&1
	pdftotext -bbox cross.pdf words.html
	empty "$(awk -F'"' '/<page / { width = $2; n++; if (width < 594 || width > 596) print "a page is " width " points wide" }
		/<word / && ($6 > width - 40 || $2 < 40) { print }
		/<word / && !title++ && $8 - $4 < 16.5 { print "made smaller, so that it fits: " $0 } END { if (!n) print "no page" }' words.html | head -n 5)" \
		'printed on A4 nothing is cut at the margins'
	grep -qF 'City_<wbr/>Main<wbr/>Grid_<wbr/>' cross.html &&
		! grep -q '<td>[^<]\{25,\}</td>' cross.html
	ok $? 'long names break between their words'
else
	skip 'printed on A4: no Chromium or no pdftotext here'
fi

# what the engine's cooker wrote: the samples of the tests have cooks of two engines
cooked=$CELLSCOPE_OUT/Cooked packed=$CELLSCOPE_OUT/Packed
if [ -d "$cooked" ] && [ -d "$packed" ]; then
	"$cs" -q "$cooked" --batch -e "report same.html --cooked '$cooked'" >/dev/null
	grep -q 'cook</h2>' same.html && grep -q 'Verdict: <strong>same</strong>' same.html
	ok $? 'the verdict on the engine'"'"'s cook: the same'
	"$cs" -q "$packed" --batch -e "report other.html --cooked '$cooked'" >/dev/null
	grep -q '<h3>MainGrid, level 0, against the engine</h3>' other.html
	ok $? 'one that differs has a map of it'
	empty "$(strict same.html other.html)" 'both are well-formed'
else
	skip 'no samples of cooked packages here'
fi

# hostile texts on every way out: the page with its maps and both comparisons, pictures alone
cat >hostile.cmd <<'END'
report hostile.html --title "<script>alert('title')</script> \x01\xff & \xe2\x80\xae"
report hostile-cross.html --before hostile-before.json --log bytes.log
map --svg hostile-map.svg
map -o layer --svg hostile-layers.svg
END
"$cs" -q hostile.json --batch -e 'cook log hostile.log' >/dev/null
LC_ALL=C sed "s/Cell City_MainGrid_/Cell City_$(printf '\377\376\303(\001')<script>_/" hostile.log >bytes.log
sed '1s/"name": *"MainGrid"/&,"cell_size":20000/' hostile.json >hostile-before.json
! cmp -s hostile.log bytes.log
ok $? 'a log has bytes that are no text'
"$cs" -q hostile.json --batch -x hostile.cmd >/dev/null 2>err
ok $? 'a world with hostile labels is reported'
grep -q 'alert(1)' hostile-cross.html && grep -qF '(\x01&lt;script&gt;<' hostile-cross.html
ok $? 'and its labels are in the page'
empty "$(grep -ohiE '<(script|img|iframe)|javascript:' hostile.html hostile-cross.html hostile-map.svg \
	hostile-layers.svg)" 'names of files are no markup'
LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" hostile.html hostile-cross.html hostile-layers.svg
[ $? -eq 1 ]
ok $? 'no control byte is left'
empty "$(strict hostile.html hostile-cross.html hostile-map.svg hostile-layers.svg)" \
	'a strict parser reads it as it reads any other page'
head -c 15 city.sqlite | grep -q 'SQLite format 3'
ok $? 'the database is one'
"$cs" -q gen mesh sphere --triangles 2000 -o ball.ply && "$cs" -q nanite build ball.ply -o ball.cnanite >out
"$cs" -q ball.cnanite -e 'export ball.sqlite' && head -c 15 ball.sqlite | grep -q 'SQLite format 3'
ok $? 'a resource alone has a database, too'
if command -v sqlite3 >/dev/null; then
	[ "$(sqlite3 ball.sqlite 'SELECT count(*) FROM clusters')" = "$("$cs" -q ball.cnanite --csv \
		-e 'sql SELECT count(*) FROM clusters' | sed 1d)" ]
	ok $? 'with all of its clusters'
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

mkdir kit && "$cs" -q city.json --batch -e 'init-ci kit --log before.log --cooked "a b"' >/dev/null
grep -q '^diff @HERE@/../before.log$' kit/cellscope.cmd && grep -q '^diff "a b"$' kit/cellscope.cmd
ok $? 'the answers of the engine that are given are lines of what init-ci writes'
"$cs" -q city.json --batch -e 'init-ci' >/dev/null && grep -q '^# diff Saved/Cooked' cellscope.cmd
ok $? 'and remarks where none are'

printf 'assert 1 = 1 : "a <b> & c"\nassert 1 = 2\nopen nosuch\n' >points.cmd
"$cs" --junit points.xml --annotate -k -x points.cmd >/dev/null 2>err
[ $? -eq 3 ] && grep -q 'tests="3" failures="2"' points.xml
ok $? '--junit counts points and failures'
empty "$(sed 1d points.xml >body.xml && balanced body.xml)" 'and is whole'
grep -q 'a &lt;b&gt; &amp; c' points.xml
ok $? 'and escaped'
printf 'echo a\n| b\n' >lines.cmd
"$cs" --junit lines.xml -x lines.cmd >/dev/null 2>&1
grep -qF '&#10;-| b&#10;+| a&#10;"' lines.xml
ok $? 'and what differs is still lines'
grep -q '^::error file=points.cmd,line=2::assert 1 = 2' err
ok $? '--annotate marks the line'
"$cs" --junit /dev/full/x -x points.cmd >/dev/null 2>&1
[ $? -ge 3 ]
ok $? 'a file of JUnit that cannot be written is an error'
# A finding in a standalone level counts in the verdict, as it does in the measures and the table.
estate=$CELLSCOPE_SOURCE/fixtures/streaming/estate.json
sed '/"Lamp"/s/"name"/"grid": "Nope", &/' "$estate" >lamp.json
"$cs" -q lamp.json --batch -e "report lamp.html --before '$estate'" -e 'report lamp-alone.html' >/dev/null
grep -q 'Needs a look.* errors 2, warnings 0.* than before: 1 of 16\.' lamp.html &&
	grep -q 'Needs a look.* errors 2, warnings 0' lamp-alone.html
ok $? 'the verdict counts findings of standalone levels'
# Two level instances of the valley are in no cell by their settings; none is dropped.
"$cs" -q "$CELLSCOPE_SOURCE/fixtures/valley.json" -e 'assert (SELECT count(*) FROM drops) = 2' \
	-e 'report drops.html' >printed 2>&1 && grep -q 'of 4 grids' drops.html &&
	grep -q 'Dropped actors: 0' drops.html && ! grep -q 'in no cell' drops.html
ok $? 'the page counts dropped actors and grids by the names of `drops` and `grids`'
finish
